/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A library that stops a program where a test asks for it: at one of its steps.  A step is a call
 * that is about to lock a mutex or has unlocked one, from the runtime and the recorder, too.  The
 * program selects the thread that counts, one at a time.
 *
 * The test writes a number.  The program continues for so many steps, waits until all of its other
 * threads rest, including those of the runtime, writes the line "held" and waits for the next
 * number.  At the end of its input it ends.
 *
 * It is loaded before the C library.  It is a library because a function that a runtime calls
 * counts as a callback if its module itself calls OpenCL.
 */
#include "steps.h"

#include "thread-truth.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int mutex_function_t(pthread_mutex_t *);

static pid_t process; /* 0: nothing is counted; a child process does not stop */
static unsigned long steps_left;
static _Thread_local bool is_counted;

/* Read the number of steps to make. */
static void read_count(void)
{
    char line[32];
    size_t length = 0;
    do {
        truth_require(length < sizeof(line) - 1, "a line is too long");
        if (read(STDIN_FILENO, line + length, 1) <= 0)
            _exit(EXIT_SUCCESS);
    } while (line[length++] != '\n');
    line[length] = '\0';
    steps_left = strtoul(line, NULL, 10);
    truth_require(steps_left > 0, "no number of steps");
}

void steps_start(void)
{
    process = getpid();
    read_count();
}

void steps_count(bool counts)
{
    is_counted = counts && process != 0;
}

/* This thread is at a step. */
static void step(void)
{
    static const char held[] = "held\n";
    if (!is_counted || getpid() != process || --steps_left > 0)
        return;
    thread_truth_wait_all();
    truth_require(write(STDOUT_FILENO, held, strlen(held)) == (ssize_t)strlen(held), "no output");
    read_count();
}

/* ---- In place of the C library's functions ----------------------------------------------------
 */

static int call_next(mutex_function_t **function, const char *name, pthread_mutex_t *mutex)
{
    if (*function == NULL)
        *(void **)function = dlsym(RTLD_NEXT, name);
    return (*function)(mutex);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static mutex_function_t *function;
    step();
    return call_next(&function, "pthread_mutex_lock", mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    static mutex_function_t *function;
    int result = call_next(&function, "pthread_mutex_unlock", mutex);
    step();
    return result;
}
