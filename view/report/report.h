/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The report: a page of HTML. */
#ifndef OMPD_VIEW_REPORT_H
#define OMPD_VIEW_REPORT_H

#include <view/context/context.h>

/* The verb report. */
ompd_view_exit_t view_report_run(ompd_view_t *view, const ompd_view_line_t *line);

/* Write a section for the rows of each list that has some, and for the others a
 * line that says so. */
void view_page_lists_write(struct view_page *page);

/* The part of PICTURE, a text of SVG, that may stand in a page, and in *SIZE its
 * bytes; NULL: it is not as Graphviz draws. */
const char *view_svg_find(const char *picture, size_t *size);

/* The files page.css and page.js, and what the policy says of them: made by embed.py. */
extern const char view_page_style[];
extern const char view_page_script[];
extern const char view_page_policy[];

#endif
