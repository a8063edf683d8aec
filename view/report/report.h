/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The report: a page of HTML. */
#ifndef OMPD_VIEW_REPORT_H
#define OMPD_VIEW_REPORT_H

#include <view/context/context.h>

/* The verb report. */
ompd_view_exit_t view_report_run(ompd_view_t *view, const ompd_view_line_t *line);

/* Write a section for each list with rows, and one line about the empty lists. */
void view_page_lists_write(struct view_page *page);

/* The part of PICTURE, an SVG text, that is safe in a page, and its size in *SIZE.  NULL: it is not
 * the output of Graphviz. */
const char *view_svg_find(const char *picture, size_t *size);

/* The files page.css and page.js, and the policy with their hashes, written by embed.py. */
extern const char view_page_style[];
extern const char view_page_script[];
extern const char view_page_policy[];

#endif
