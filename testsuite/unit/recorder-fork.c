/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fork() while other threads record: the child can continue, and its registry is consistent. */
#include <check.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../recorder/core/core.h"
#include "../../recorder/core/tables.h"
#include "../../recorder/objects/calls.h"
#include "../../recorder/objects/prepare.h"
#include "recorder-invariants.h"
#include "recorder-load.h"
#include "suite.h"

#define THREADS 2
#define FORKS 120
#define CHILD_SECONDS 300 /* a hang, on however busy a machine */

static struct recorder_load loads[THREADS];
static void *child_tokens[2 * RECORDER_LOAD_OBJECTS];
static bool stop;
static uint64_t identity_of_parent;

static void fail_in_child(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    _exit(written > 0 ? 1 : 2);
}

/* The child only has the calling thread, with its number in the child, in none of its parent's
 * calls. */
static bool only_mine_is_live(void)
{
    const struct ompd_cl_registry_thread_record *mine = recorder_heap_self->thread;
    const struct recorder_chunk *chunk = recorder_chunk_of(ompd_cl_registry_thread, 0);
    return recorder_records_count(ompd_cl_registry_thread) == 1 &&
           chunk->local_live + chunk->remote_live == 1 && mine->state == ompd_cl_registry_live &&
           mine->lwp == (uint32_t)syscall(SYS_gettid) && mine->activity_count == 0;
}

/* The child works on its own objects; those of the other threads remain unchanged. */
static void child_run(void)
{
    struct recorder_load load = {.first_handle = RECORDER_LOAD_FIRST_HANDLE(99),
                                 .slot_refs = child_tokens};
    alarm(CHILD_SECONDS);
    uint32_t before = recorder_records_count(ompd_cl_registry_memobj);
    if (recorder_root()->pid != (uint32_t)getpid() ||
        recorder_heap_self->lwp != (uint32_t)syscall(SYS_gettid)) {
        fail_in_child("the child goes by its parent's numbers\n");
    }
    if (recorder_root()->identity == identity_of_parent || recorder_root()->identity == 0) {
        fail_in_child("the child has its parent's identity\n");
    }
    if (!only_mine_is_live()) {
        fail_in_child("the child has its parent's threads\n");
    }
    const char *wrong = recorder_invariants_check();
    if (wrong) {
        fail_in_child(wrong);
    }
    recorder_load_round(&load);
    wrong = recorder_invariants_check();
    if (wrong) {
        fail_in_child(wrong);
    }
    if (recorder_records_count(ompd_cl_registry_memobj) != before ||
        load.callbacks_run != 2 * RECORDER_LOAD_OBJECTS) {
        fail_in_child("the child's own objects are not gone\n");
    }
    _exit(0);
}

START_TEST(child_goes_on)
{
    ck_assert(recorder_prepare());
    identity_of_parent = recorder_root()->identity;
    ck_assert_uint_ne(identity_of_parent, 0);
    recorder_load_context_create();
    for (int i = 0; i < THREADS; i++) {
        loads[i] = (struct recorder_load){.first_handle = RECORDER_LOAD_FIRST_HANDLE(i + 1),
                                          .stop = &stop};
        recorder_load_start(&loads[i]);
    }
    RECORDER_CALL(clFlush, NULL);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            child_run();
        }
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "fork %d: status %#x", i,
                      status);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++) {
        recorder_load_join(&loads[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        recorder_load_free(&loads[i]);
    }
    ck_assert_str_eq(recorder_invariants_check() ? recorder_invariants_check() : "", "");
    ck_assert_uint_eq(recorder_records_count(ompd_cl_registry_memobj), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-fork");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 600);
    tcase_add_test(all, child_goes_on);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
