/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What `diff` has found, for those who tell of it. */
#ifndef OMPD_VIEW_DIFF_H
#define OMPD_VIEW_DIFF_H

#include <text/text.h>
#include <view/diff-places.h>
#include <view/view.h>

/* A look, besides what is matched. */
struct view_diff_source {
    const char *path; /* NULL: what there is now */
    struct text name; /* of it, for sentences: escaped */
    struct text file; /* of it; "now" for a process */
    struct text program;
    bool has_recorder;
    bool has_identity;
    uint64_t identity;
    uint64_t pid;
    uint64_t presumed;   /* objects that are only presumed to be there */
    uint64_t unreadable; /* rows that could not be read */
    struct text gaps;    /* what its lists leave open: lines */
};

struct view_diff_answer {
    struct view_diff diff;
    struct view_diff_source sources[VIEW_DIFF_LOOKS];
    struct text notes; /* what is not known: sentences, a line each */
};

/* What the looks are to each other, in a sentence; "" where that goes without saying. */
void view_diff_relation_add(const struct view_diff_answer *answer, struct text *text);

/* Whether both looks have a recorder, so that places are known. */
bool view_diff_has_recorders(const struct view_diff_answer *answer);

/* Write ANSWER in words; as JSON. */
void view_diff_words_write(ompd_view_t *view, const struct view_diff_answer *answer);
void view_diff_json_write(ompd_view_t *view, const struct view_diff_answer *answer);

#endif
