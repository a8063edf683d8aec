/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder as one of the target's modules. */
#ifndef LIBOMPD_RECORDER_MODULE_H
#define LIBOMPD_RECORDER_MODULE_H

#include <stdbool.h>
#include <stdint.h>

struct address_space;

/* Where the recorder is mapped, which registers functions of its own in the place of the program's.
 */
struct recorder_module {
    uint64_t stop; /* the target's at which it was looked for */
    uint64_t start;
    uint64_t end;   /* 0: not found */
    bool is_absent; /* all modules were told, and it is none of them */
};

/* Look for the recorder among the modules of SPACE, once a stop.  Good until the next. */
const struct recorder_module *recorder_module_find(struct address_space *space);

#endif
