/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists that are read to their end while callbacks fail, and rows compared with those without
 * failures. */
#ifndef SWEEP_WALK_H
#define SWEEP_WALK_H

#include "session.h"
#include "tool.h"

struct sweep_walk {
    ompd_cl_kind_t kind;
    ompd_size_t row_size;
    uint8_t *rows;
    size_t count;
    ompd_size_t unreadable; /* as reported last */
    bool has_note;          /* the library reports what is incomplete */
    bool is_incomplete;     /* a call reported that */
    ompd_rc_t error;        /* the code of the first call that failed; ompd_rc_ok for none */
    bool has_failed_after;  /* a call failed although no callback did any more */
    bool has_touched;       /* a call that failed wrote to its out parameters */
};

/* Walk LIST of rows of KIND from where it is.  A call that fails is made again; when it fails time
 * and again TOOL is repaired. */
void sweep_walk_take(struct sweep_walk *walk, struct sweep_tool *tool,
                     const struct sweep_session *session, ompd_cl_list_t list, ompd_cl_kind_t kind);
void sweep_walk_free(struct sweep_walk *walk);

/* Whether two walks returned the same rows, except for the ids, which belong to a session. */
bool sweep_walk_equals(const struct sweep_walk *a, const struct sweep_walk *b);

/* Whether an incomplete WALK is consistent with the CLEAN one of the same session: each row is one
 * of the clean ones except for marked values, in their order, and no more are missing than it
 * reports. */
bool sweep_walk_is_true(const struct sweep_walk *walk, const struct sweep_walk *clean);

/* The field of ROW, of KIND, that is neither that of CLEAN nor marked as unknown, or NULL. */
const char *sweep_row_find_lie(ompd_cl_kind_t kind, const void *row, const void *clean);

#endif
