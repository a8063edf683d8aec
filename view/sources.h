/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where what is shown of a target comes from: its recorder, and layouts of its OpenCL runtimes. */
#ifndef OMPD_VIEW_SOURCES_H
#define OMPD_VIEW_SOURCES_H

#include <view/rows.h>

/* The sources of a target, as its overview names them. */
struct view_sources {
    const struct view_row *overview;
    struct view_rows runtimes;
};

/* Whether anything tells of objects; else why nothing does is in the view.  No memory is searched,
 * and what the library knows of this stop stays. */
bool view_sources_need(ompd_view_t *view);

/* Find the sources of the target whose OVERVIEW this is. */
void view_sources_find(struct view_sources *sources, ompd_view_t *view,
                       const struct view_row *overview);

/* Give back what SOURCES hold. */
void view_sources_free(struct view_sources *sources);

/* Whether the recorder is one of those that OVERVIEW tells of. */
bool view_sources_have_recorder(const struct view_row *overview);

/* Add "  sources: recorder 1.1, layout libpocl.so.2.10.0 (build-id 4a4365a4)\n". */
void view_sources_add(const struct view_sources *sources, struct text *text);

/* Add the names of the runtimes that have objects, each with ", " behind it. */
void view_sources_add_platforms(const struct view_sources *sources, struct text *text);

/* Write what none of them tells, and how to learn it, a line each behind INDENT. */
void view_sources_write_notes(const struct view_sources *sources, ompd_view_t *view,
                              const char *indent);

#endif
