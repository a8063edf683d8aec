/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "user-data.h"

#include <errno.h>
#include <sys/mman.h>

bool recorder_user_data_is_mapped(uintptr_t address)
{
    static __thread uintptr_t last_page __attribute__((tls_model("initial-exec")));
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = address & ~(size - 1);
    unsigned char is_resident;
    int before = errno;
    if (page == last_page) {
        return true;
    }
    bool is_mapped = mincore((void *)page, size, &is_resident) == 0;
    errno = before;
    if (is_mapped) {
        last_page = page;
    }
    return is_mapped;
}
