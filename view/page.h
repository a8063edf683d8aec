/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A page of HTML that a command writes to a file, by the front end's services.  It is
 * self-contained and refers to nothing: its policy (Content-Security-Policy) allows its own style
 * and script alone, by their hashes.  While a page is open, what the view writes is in it, as
 * escaped text, and no word of it depends on the front end: the page is read elsewhere.
 */
#ifndef OMPD_VIEW_PAGE_H
#define OMPD_VIEW_PAGE_H

#include <view/view.h>

#define VIEW_PAGE_STACKS 4096 /* call stacks that are remembered, to be in the page once */

struct view_page {
    ompd_view_t *view;
    struct text text;                  /* that is not in the file yet */
    uint64_t size;                     /* bytes of the page so far */
    bool is_lost;                      /* it cannot be written, and the command ends early */
    struct view_options options;       /* of the command, which are not the page's */
    ompd_view_use_t use;               /* likewise */
    size_t width;                      /* likewise */
    uint64_t stacks[VIEW_PAGE_STACKS]; /* of page-rows.c: numbers of stacks that are in it */
};

/* Begin the page that is to be the file PATH.  NULL: it cannot be, which is kept in VIEW. */
struct view_page *view_page_begin(ompd_view_t *view, const char *path);

/* End PAGE and give it back, in *SIZE its bytes; where the command has not failed the file gets its
 * name.  False: there is no such file, which is kept in the view. */
bool view_page_end(struct view_page *page, uint64_t *size);

/* The command ends where its memory did: the file of an open page is dropped. */
void view_page_drop(ompd_view_t *view);

/* Add HTML as it is; as FORMAT says, whose texts are part of it; TEXT, escaped. */
void view_page_put(struct view_page *page, const char *html);
void view_page_add(struct view_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void view_page_escape(struct view_page *page, const char *text);

/* Add NOTE, a sentence, as a paragraph of its own. */
void view_page_note(struct view_page *page, const char *note);

/* Add SIZE bytes at TEXT, which the view has written in STYLE. */
void view_page_take(struct view_page *page, ompd_view_style_t style, const char *text, size_t size);

/* Add SIZE BYTES to TEXT so that HTML shows them. */
void view_html_escape(struct text *text, const char *bytes, size_t size);

/* Add BYTES to TEXT as a string of JSON that does not end the script element that it is in. */
void view_page_quote(struct text *text, const char *bytes);

/* Whether a part of the page has failed: the page goes on without it, and says WHY. */
bool view_page_failure_take(struct view_page *page, struct text *why);

#endif
