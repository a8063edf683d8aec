/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The words of one window: the loop in which a scan spends its time. */
#ifndef LIBOMPD_SCAN_WORDS_H
#define LIBOMPD_SCAN_WORDS_H

#include "target/scan.h"

/* Memory at hand, of which the words in [from, to) are to be looked at. */
struct scan_view {
    struct target *target;
    uint64_t start; /* address of the first of `bytes` */
    const uint8_t *bytes;
    uint64_t size;
    uint64_t from;
    uint64_t to;
    uint64_t run_start; /* of the memory that this is a window on */
    uint64_t run_end;
};

/* Tell SCAN's visitor of every word in VIEW that has one of the values.  Returns as the visitor. */
ompd_rc_t scan_words(const struct scan *scan, const struct scan_view *view);

#endif
