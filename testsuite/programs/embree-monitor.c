/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A monitor in a library that the program `embree` unloads. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

bool embree_unloaded_count(void *account, ssize_t bytes, bool post);

/* The account begins with the sum. */
bool embree_unloaded_count(void *account, ssize_t bytes, bool post)
{
    (void)post;
    __atomic_add_fetch((int64_t *)account, bytes, __ATOMIC_SEQ_CST);
    return true;
}
