/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Law 8 over every function: threads with one address space and session each ask everything at the
 * same time, and get the right answers. Also run under the thread sanitizer. */
#include "../unit/suite.h"
#include "image-made-up.h"
#include "request.h"

#include <check.h>
#include <pthread.h>
#include <string.h>

#define THREADS 4
#define ROUNDS 5

/* Questions: functions, each in its variants. */
#define QUESTION_LIMIT 512

static struct sweep_target target;
static struct sweep_facts facts;

static struct question {
    const struct sweep_signature *signature;
    unsigned variant;
    struct sweep_answer clean;
} questions[QUESTION_LIMIT];
static unsigned question_count;

/* One thread's ompd_finalize is another's surprise: the default table is everybody's. */
static bool needs_default(const struct sweep_signature *signature)
{
    return strcmp(signature->name, "ompd_process_initialize") == 0 ||
           strcmp(signature->name, "ompd_finalize") == 0;
}

static void find_questions(void)
{
    for (unsigned i = 0; i < sweep_signature_count; i++) {
        const struct sweep_signature *signature = &sweep_signatures[i];

        for (unsigned n = 0; n < sweep_request_variants(signature, &facts); n++) {
            struct question *question = &questions[question_count++];

            ck_assert_uint_le(question_count, QUESTION_LIMIT);
            question->signature = signature;
            question->variant = n;
            ck_assert(sweep_answer_get_apart(&question->clean, &target, &facts, signature, n));
        }
    }
}

struct asker {
    pthread_t thread;
    unsigned first; /* question */
    unsigned right;
};

static pthread_barrier_t start;

/* Each question in a separate session, created and released between those of other threads. */
static void ask_everything(struct asker *asker)
{
    for (unsigned i = 0; i < question_count; i++) {
        const struct question *question = &questions[(asker->first + i) % question_count];
        struct sweep_answer answer;
        bool is_answered = sweep_answer_get_apart(&answer, &target, &facts, question->signature,
                                                  question->variant);

        asker->right += needs_default(question->signature) ||
                        (is_answered && sweep_answer_equals(&answer, &question->clean));
        sweep_answer_free(&answer);
    }
}

static void *ask_often(void *argument)
{
    pthread_barrier_wait(&start);
    for (unsigned i = 0; i < ROUNDS; i++)
        ask_everything(argument);
    return NULL;
}

START_TEST(everything_at_once)
{
    struct asker askers[THREADS] = {0};

    target = sweep_made_up_create(false, 8);
    ck_assert(sweep_facts_find(&target, &facts));
    find_questions();
    ck_assert_uint_gt(question_count, sweep_signature_count);
    ck_assert_int_eq(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        askers[i].first = i * question_count / THREADS;
        ck_assert_int_eq(pthread_create(&askers[i].thread, NULL, ask_often, &askers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(askers[i].thread, NULL), 0);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_uint_eq(askers[i].right, ROUNDS * question_count);
    pthread_barrier_destroy(&start);
    for (unsigned i = 0; i < question_count; i++)
        sweep_answer_free(&questions[i].clean);
    sweep_made_up_free();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("together");
    TCase *tcase = tcase_create("together");

    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, everything_at_once);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
