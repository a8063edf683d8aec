/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The threads of a target. */
#include <host/base/base.h>

const struct thread *thread_find(const ompd_host_target_t *target, uint32_t lwp)
{
    for (size_t i = 0; i < target->thread_count; i++) {
        if (target->threads[i].lwp == lwp)
            return &target->threads[i];
    }
    return NULL;
}

bool thread_is_known(const ompd_host_target_t *target, uint32_t lwp)
{
    return thread_find(target, lwp) != NULL;
}

uint64_t thread_main_lwp(const ompd_host_target_t *target)
{
    /* The caller may not trace all threads. */
    bool are_all = target_is_core(target) ? !target->core.lacks_notes : !target->process.is_traced;

    return are_all && target->pid > 0 ? (uint64_t)target->pid : 0;
}

PUBLIC ompd_host_rc_t ompd_host_thread_get(ompd_host_target_t *target, size_t index,
                                           ompd_host_thread_t *thread)
{
    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (thread == NULL)
        return target_message_set(target, ompd_host_rc_bad_input, "the thread pointer is NULL");
    if (index >= target->thread_count)
        return target_message_set(target, ompd_host_rc_not_found,
                                  "thread index out of range: the target has %zu threads",
                                  target->thread_count);
    *thread = (ompd_host_thread_t){
        .lwp = target->threads[index].lwp,
        .pthread = target->threads[index].pthread,
        .own_lwp = target->threads[index].own_lwp,
    };
    return target_message_clear(target);
}
