/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A core whose mapped file is truncated: reading the missing part raises SIGBUS. */
#include <host/core/core.h>

#include <sys/mman.h>
#include <unistd.h>

PUBLIC ompd_host_rc_t ompd_host_fault_mend(ompd_host_target_t *target, const void *address)
{
    uintptr_t page = (uintptr_t)address & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
    struct core *core = target != NULL ? &target->core : NULL;
    uintptr_t start = core != NULL ? (uintptr_t)core->bytes : 0;

    if (start == 0 || page < start || page - start >= core->size)
        return ompd_host_rc_not_found;
    /* Everything after it is missing, too. */
    if (mmap((void *)page, core->size - (page - start), PROT_READ,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        return ompd_host_rc_nomem;
    core->is_cut = true;
    return ompd_host_rc_ok;
}
