/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/core.h"

#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>

/* The kernel maps nothing else so near the end of the first thread's stack, regardless of its
 * limit. */
#define MAIN_STACK_SIZE (UINT64_C(128) << 20)

/* pthread_getattr_np() may allocate memory. It is freed only when the thread ends: if it were freed
 * at once, it would be the first free block of its size. Then the recorder would change where the
 * program's own blocks are allocated, and what they cost. */
static __thread pthread_attr_t attributes __attribute__((tls_model("initial-exec")));
static __thread bool has_attributes __attribute__((tls_model("initial-exec")));

void recorder_own_stack_release(void)
{
    if (has_attributes) {
        has_attributes = false;
        pthread_attr_destroy(&attributes);
    }
}

void recorder_own_stack_find(uint64_t *start, uint64_t *end)
{
    uint64_t frame = (uintptr_t)__builtin_frame_address(0);
    uint64_t top = getauxval(AT_EXECFN); /* the program's name, at the top of the first stack */
    recorder_own_stack_release();
    *start = 0;
    *end = 0;
    if (frame < top && top - frame < MAIN_STACK_SIZE) {
        *start = top - MAIN_STACK_SIZE;
        *end = top;
    } else if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *address;
        size_t size;
        has_attributes = true;
        if (pthread_attr_getstack(&attributes, &address, &size) == 0) {
            *start = (uintptr_t)address;
            *end = *start + size;
        }
    }
}

/* Whether the thread is on its alternate signal stack. If it is not, *HAS is set to whether that
 * stack contains LEFT. */
static bool activity_is_on_alternate_stack(uint64_t left, bool *has)
{
    stack_t alternate;
    *has = false;
    if (sigaltstack(NULL, &alternate) != 0) {
        return true;
    }
    *has =
        !(alternate.ss_flags & SS_DISABLE) && left - (uintptr_t)alternate.ss_sp < alternate.ss_size;
    return alternate.ss_flags & SS_ONSTACK;
}

/* Whether the thread of THREAD, in a function with FRAME on its own stack, has left activity
 * NUMBER. Stacks grow downwards. Stacks of coroutines are not read, because they may be unmapped.
 */
static bool activity_is_left(const struct ompd_cl_registry_thread_record *thread, uint32_t number,
                             uint64_t frame)
{
    uint64_t left = thread->frames_in[number];
    bool is_alternate;
    if (!recorder_is_on_own_stack(thread, left)) {
        return !activity_is_on_alternate_stack(left, &is_alternate) && is_alternate;
    }
    if (left > frame) {
        return recorder_frame_return(left) != thread->returns_to[number];
    }
    return !activity_is_on_alternate_stack(left, &is_alternate);
}

uint32_t recorder_activities_drop(struct ompd_cl_registry_thread_record *thread, uint64_t frame)
{
    uint32_t count = thread->activity_count;
    uint32_t kept =
        count < OMPD_CL_REGISTRY_ACTIVITY_LIMIT ? count : OMPD_CL_REGISTRY_ACTIVITY_LIMIT;
    uint32_t before = kept;
    if (!recorder_is_on_own_stack(thread, frame)) {
        return count;
    }
    while (kept && activity_is_left(thread, kept - 1, frame)) {
        kept--;
    }
    if (kept == before) {
        return count;
    }
    __atomic_store_n(&thread->activity_count, kept, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return kept;
}
