/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "callbacks.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int run;

void callback_has_run(void)
{
    pthread_mutex_lock(&lock);
    run++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

int callbacks_await(int count)
{
    int have_run;

    pthread_mutex_lock(&lock);
    while (run < count) {
        pthread_cond_wait(&changed, &lock);
    }
    have_run = run;
    pthread_mutex_unlock(&lock);
    return have_run;
}
