/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Dead stack memory, below the stack pointers. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

static bool extent_contains(uint64_t address, uint64_t start, uint64_t end)
{
    return address >= start && address < end;
}

/* Add the dead part of the stack of THREAD: the memory below its stack pointer. A function that
 * calls no other may use the memory just below it (the red zone of the System V ABI for x86-64,
 * 3.2.2), but not for data that it has passed to OpenCL by a call. A stack is identified by an
 * address above the stack pointer in the same mapping: where the first thread's stack began, or the
 * thread's own data, which glibc stores at the top of its stack. MAIN is where the first thread's
 * stack began. */
static ompd_rc_t add_dead_stack(struct row_visit *visit, struct extents *stacks,
                                const ompd_cl_target_thread_t *thread, uint32_t number,
                                uint64_t main)
{
    struct target *target = &visit->space->target;
    struct region_run run;
    uint64_t pointer;
    bool is_main;
    ompd_rc_t rc = stack_pointer_get(target, number, thread->lwp, &pointer);

    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok) {
        visit->missing->unchecked |= UNCHECKED(stacks);
        return ompd_rc_ok;
    }
    if (region_get_whole(target, pointer, &run) != ompd_rc_ok || !run.is_usable ||
        pointer == run.start)
        return ompd_rc_ok;
    is_main = extent_contains(main, pointer, run.end);
    if (!is_main && !extent_contains(thread->pthread, pointer, run.end))
        return ompd_rc_ok;
    return extents_add(
        stacks, target->memory,
        (struct extent){.start = run.start, .end = pointer, .id = thread->lwp, .is_read = is_main});
}

/* Two stacks in one mapping have no border, so both are dropped. */
static void drop_neighbours(struct extents *stacks)
{
    uint64_t before = 0;
    size_t kept = 0;

    for (size_t i = 0; i < stacks->count; i++) {
        struct extent stack = stacks->all[i];
        bool is_alone = stack.start != before &&
                        (i + 1 == stacks->count || stacks->all[i + 1].start != stack.start);

        before = stack.start;
        if (is_alone)
            stacks->all[kept++] = stack;
    }
    stacks->count = kept;
}

ompd_rc_t dead_stacks_read(struct row_visit *visit, struct extents *stacks)
{
    struct target *target = &visit->space->target;
    uint32_t number = stack_pointer_number(target);
    uint64_t main = stack_main_begin(target);
    ompd_cl_target_thread_t thread;
    ompd_rc_t rc;

    if (number == UINT32_MAX || target->extra.thread == NULL || target->extra.frames == NULL) {
        visit->missing->unchecked |= UNCHECKED(stacks);
        return ompd_rc_ok;
    }
    for (uint32_t i = 0; (rc = thread_get(target, i, &thread)) == ompd_rc_ok; i++) {
        rc = add_dead_stack(visit, stacks, &thread, number, main);
        if (rc != ompd_rc_ok)
            return rc;
    }
    if (rc == ompd_rc_incomplete)
        visit->missing->unchecked |= UNCHECKED(stacks);
    extents_sort(stacks);
    drop_neighbours(stacks);
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}
