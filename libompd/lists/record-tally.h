/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How many objects the recorder's records are of, less those that layouts show to be gone. */
#ifndef LIBOMPD_RECORD_TALLY_H
#define LIBOMPD_RECORD_TALLY_H

#include "session/address-space.h"

#define RECORD_TALLY_COUNTS 3

struct record_tally {
    /* Objects; then of memory objects the bytes and those app-released; of SVM allocations the
     * bytes. Of SVM frees those that are not known to be complete; of destructor callbacks those
     * registered, those running. */
    uint64_t counts[RECORD_TALLY_COUNTS];
    uint64_t gone[RECORD_TALLY_COUNTS]; /* not in `counts`: layouts show that they are gone */
    uint64_t presumed;                  /* of the objects in `counts`, which may be gone, too */
};

/*
 * Count the records of TABLE, none where the recorder keeps no such.  A failure of the layouts is
 * none of this: what they would tell stays presumed.  Returns ompd_rc_ok; ompd_rc_incomplete when
 * records could not be read, and `counts` is of the others; ompd_rc_nomem and other final ones.
 */
ompd_rc_t record_tally_take(struct record_tally *tally, struct address_space *space,
                            uint32_t table);

#endif
