/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every question to the library, and checks of each answer. */
#ifndef FUZZ_ASK_H
#define FUZZ_ASK_H

#include <ompd-opencl.h>

/* The answer of a call on SPACE: the code is one that there is, a failure has a sentence, and the
 * call cost the fake target no more than it may. */
void ask_check(ompd_address_space_handle_t *space, ompd_rc_t rc);

/* The fields of a row: status, source and value agree, texts end. */
void ask_check_row(ompd_cl_kind_t kind, const void *row);

/* The questions, as bits of a number of the input. */
enum {
    ask_objects = 1,  /* lists of objects, and what their first rows lead to */
    ask_searches = 2, /* lists that search memory, and findings */
    ask_holders = 4,  /* who has the handles of these first rows */
    ask_ompd = 8,
    ask_threads = 16, /* threads, and what these wait for */
    ask_all = 31
};

/* Ask SPACE the questions PARTS, 0 for all. Returns a checksum of the answers that are the same in
 * targets of other byte orders and word sizes. */
uint64_t ask_everything(ompd_address_space_handle_t *space, unsigned parts);

#endif
