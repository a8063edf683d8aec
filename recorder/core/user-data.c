/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/process.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

struct recorder_program_range recorder_program_range;

/* Whether ADDRESS is in the lower 4 GiB, like small numbers. */
static bool address_is_low(uintptr_t address)
{
    return address >> 31 >> 1 == 0;
}

/* For the first module, which is the program. */
static int program_visit(struct dl_phdr_info *info, size_t size, void *data)
{
    struct recorder_program_range *range = data;
    uintptr_t end = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t its_end = info->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        if (segment->p_type == PT_LOAD && its_end > end) {
            end = its_end;
        }
    }
    range->start = getauxval(AT_PHDR);
    range->size = address_is_low(range->start) || end < range->start ? 0 : end - range->start;
    return 1;
}

void recorder_user_data_prepare(void)
{
    dl_iterate_phdr(program_visit, &recorder_program_range);
}

/* Whether ADDRESS is mapped, or was when this thread last asked for its page. */
static bool address_is_mapped(uintptr_t address)
{
    static __thread uintptr_t last_page __attribute__((tls_model("initial-exec")));
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = address & ~(size - 1);
    unsigned char is_resident;
    int before = errno;
    if (page == last_page) {
        return true;
    }
    bool is_there = mincore((void *)page, size, &is_resident) == 0;
    errno = before;
    if (is_there) {
        last_page = page;
    }
    return is_there;
}

/* Whether ADDRESS is on the calling thread's stack, in a calling function. */
static bool is_on_stack(uintptr_t address)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uintptr_t top = (uintptr_t)pthread_self(); /* glibc: at the top of another thread's stack */
    if (top < frame) {
        top = getauxval(AT_EXECFN); /* the program's name, at the top of the first thread's */
    }
    return address >= frame && address < top;
}

uint32_t recorder_user_data_place_slowly(uintptr_t address)
{
    if (is_on_stack(address)) {
        return ompd_cl_registry_on_stack;
    }
    if (address_is_low(address)) {
        return 0;
    }
    /* The heap of brk() follows the program's data. */
    if (address > getauxval(AT_PHDR) && address < (uintptr_t)sbrk(0)) {
        return ompd_cl_registry_in_data;
    }
    return address_is_mapped(address) ? ompd_cl_registry_in_mapping : 0;
}
