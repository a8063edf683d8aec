/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who retained the objects that leak, as the ledger has it where the recorder keeps one. */
#ifndef OMPD_VIEW_LEAK_RETAINS_H
#define OMPD_VIEW_LEAK_RETAINS_H

#include <view/list.h>

/* An object that leaks: of those that had one handle its order tells it. */
struct view_leaked {
    uint64_t handle;
    uint64_t order;
    bool has_creation; /* among the entries that are kept: then all are */
    uint64_t retained;
    uint64_t released;
};

/* Begin with {0}. */
struct view_leak_retains {
    struct view_leaked *all;
    size_t count;
    size_t capacity;
};

/* Take in the object of ROW, a leak. */
void view_leak_retains_take(struct view_leak_retains *retains, const struct view_row *row);

/* Write "They were also retained:", a line for each place that retained or released them, and how
 * many references were not released; nothing where no ledger has such calls. */
void view_leak_retains_write(struct view_leak_retains *retains, ompd_view_t *view);

void view_leak_retains_free(struct view_leak_retains *retains);

#endif
