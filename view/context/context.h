/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every command uses: the view and its state, output to the front end, and notes. */
#ifndef OMPD_VIEW_CONTEXT_H
#define OMPD_VIEW_CONTEXT_H

#include <ompd-opencl-view.h>
#include <text/heap.h>
#include <text/json.h>

/* ---- view ------------------------------------------------------------------------------------ */

/*
 * One view, and the command that it runs.
 *
 * The first failure is recorded in the view, and ends all lists.  So a verb tests `failure` once,
 * before it reports an empty result, and returns view_result.
 */

/* Marks exported functions. */
#define PUBLIC __attribute__((visibility("default")))

/* The view's options of one command. */
struct view_options {
    bool is_json;
    bool is_filtered;  /* a filter was given */
    bool is_of_embree; /* of `embree check`: only objects of Embree */
    uint64_t limit;    /* most rows of a table; UINT64_MAX: all */
    /* The filters; NULL: not given. */
    const char *context;
    const char *kinds;
    const char *states;
    const char *min_size;
    /* Names of fields; NULL: not given. */
    const char *columns;
    const char *sort;
    const char *group;
    /* Of one memory object: */
    bool has_contents; /* show its contents */
    const char *as;    /* OpenCL C type of the contents; NULL: bytes */
    uint64_t rows;     /* most lines of contents; 0: not given */
    const char *image; /* file for the image; NULL: not given */
};

struct view_page;

/* The most lists open at once, each within the walk of another. */
#define VIEW_LISTS 8

struct ompd_view_t {
    ompd_view_front_end_t front_end;
    const ompd_view_verb_t *verbs; /* the view's own */
    size_t verb_count;
    struct heap heap;
    struct view_name_cache *spaces; /* of name-cache.c */
    struct text answer;             /* of help and completion */
    struct text bindings;           /* of binding.c: the front end's patterns */

    /* Of the command that runs or ran last: */
    struct view_options options;
    ompd_view_use_t use;
    bool is_incomplete;         /* a call returned an incomplete answer */
    struct text why_incomplete; /* the first reason of the library */
    bool has_told_why;          /* a note has reported it */
    bool has_findings;
    bool is_out_of_memory;
    bool is_stopped;            /* the front end stopped the command */
    ompd_view_exit_t failure;   /* ompd_view_exit_ok: no failure */
    struct text message;        /* the sentence of the failure */
    struct text incompleteness; /* of incompleteness.c: what the answer that was asked for last
                                   leaves open */
    size_t width;               /* columns of what text goes to; SIZE_MAX: no limit */
    struct text json;           /* the row being written */
    struct text line;           /* the line being written */
    struct text styles;         /* the style of each of its bytes, if styles are used */
    struct view_page *page;     /* of page.c: the page that text goes to; NULL: the front end */
    bool has_new_file;          /* of new-file.c: a file is open */
    struct text pending;        /* text not yet passed to the front end */
    ompd_view_style_t style;    /* its style */
    uint64_t rows_written;      /* of tables and lists of JSON */
    const char *verb;           /* name of the verb */
    ompd_cl_list_t lists[VIEW_LISTS]; /* of list.c: the open ones */
    size_t list_count;

    /* Of the functions for a front end's own verbs: */
    bool runs_verb;                  /* they may be called */
    bool is_in_call;                 /* one of them is running */
    struct view_custom_verb *custom; /* of custom-verb.c: what the verb has begun; NULL: nothing */
};

/* Reset the view after it ran out of memory. */
void view_memory_lost(ompd_view_t *view);

/* Do WORK for VIEW.  False: out of memory. */
static inline bool view_guard(ompd_view_t *view, void (*work)(void *argument), void *argument)
{
    bool is_done = heap_run(&view->heap, work, argument);

    if (!is_done)
        view_memory_lost(view);
    return is_done;
}

/* Record a failure with its sentence, unless one is already recorded.  Returns false. */
bool view_fail(ompd_view_t *view, ompd_view_exit_t code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Add the library's sentence about RC, the result of its last call for the view. */
void view_add_reason(const ompd_view_t *view, ompd_rc_t rc, struct text *text);

/* Check whether the user has interrupted the command. */
void view_interrupt_check(ompd_view_t *view);

/* Whether RC, the result of a call on the view's address space, is an answer.  Other results are
 * recorded as failures with the library's sentence; an incomplete answer is recorded too. */
bool view_check(ompd_view_t *view, ompd_rc_t rc);

/* The result of the command. */
ompd_view_exit_t view_result(const ompd_view_t *view);

/* Whether CODE means that there is no answer. */
static inline bool view_exit_is_failure(ompd_view_exit_t code)
{
    return code != ompd_view_exit_ok && code != ompd_view_exit_findings &&
           code != ompd_view_exit_incomplete;
}

/* Write text: plain, formatted, or styled.  A line that is wider than the output is wrapped between
 * words and continued with an indent, except JSON. */
void view_write(ompd_view_t *view, const char *text);
void view_print(ompd_view_t *view, const char *format, ...) __attribute__((format(printf, 2, 3)));
void view_write_styled(ompd_view_t *view, ompd_view_style_t style, const char *text);

/* Add LINES to TEXT, wrapped in the same way. */
void view_lines_wrap(struct text *text, const char *lines, size_t width);

/* Write COUNT blanks. */
void view_write_blanks(ompd_view_t *view, size_t count);

/* Whether the output has a limited width. */
static inline bool view_has_width(const ompd_view_t *view)
{
    return view->width != SIZE_MAX;
}

/* The current width of the output, columns. */
size_t view_width_get(const ompd_view_t *view);

/* Pass the text written so far to the front end. */
void view_flush(ompd_view_t *view);

/* Count one more row that was written. */
void view_row_written(ompd_view_t *view);

/* Verb number INDEX of the view's own; NULL: no more. */
const ompd_view_verb_t *view_builtin_verb_get(const ompd_view_t *view, size_t index);

/* The front end's prefix of verbs, and of options. */
const char *view_verb_prefix(const ompd_view_t *view);
const char *view_option_prefix(const ompd_view_t *view);

/* ---- incompleteness -------------------------------------------------------------------------- */

/* The library's sentences about what an answer lacks. */

/* Read the sentences about the last answer into VIEW. */
void view_incompleteness_take(ompd_view_t *view);

/* Move them out of VIEW, before another list replaces them.  The caller frees them. */
struct text view_incompleteness_get(ompd_view_t *view);

/* Move the sentences about unchecked freed memory out of VIEW, joined: "freed memory of jemalloc
 * was not checked.".  Empty if there are none.  The caller frees them. */
struct text view_incompleteness_take_freed(ompd_view_t *view);

/* Write the sentences as notes after INDENT. */
void view_incompleteness_write(ompd_view_t *view, const char *indent,
                               const struct text *incompleteness);

/* Add them as the JSON key "notes"; nothing if there are none. */
void view_incompleteness_json(const ompd_view_t *view, struct json *json);

/* Add them to TEXT, joined. */
void view_incompleteness_join(const ompd_view_t *view, struct text *text);

/* At the end of a command: write a note that its answer is incomplete, unless one was written. */
void view_incompleteness_report(ompd_view_t *view);

/* ---- new-file -------------------------------------------------------------------------------- */

/* A new file that a command writes through the front end.  Existing files are not overwritten. */

/* Begin the file PATH, write SIZE bytes to it, and end it.  It exists only if IS_WHOLE.  False: the
 * command has failed. */
bool view_new_file_begin(ompd_view_t *view, const char *path);
bool view_new_file_write(ompd_view_t *view, const void *bytes, size_t size);
bool view_new_file_end(ompd_view_t *view, bool is_whole);

/* Drop the open file, if any, of a command that ran out of memory. */
void view_new_file_drop(ompd_view_t *view);

/* ---- legend ---------------------------------------------------------------------------------- */

/* The marks in tables, and the legend below a table that explains them. */

#define VIEW_UNKNOWN "?"
#define VIEW_DOUBTFUL "!"
#define VIEW_PRESUMED "~"
#define VIEW_PROVED "="

#define VIEW_NOT_PROVED "presumed, not proved"
#define VIEW_UNRECORDED "not known without the recorder"
#define VIEW_TEXT_CUT " (the rest is not known)" /* behind a text */

/* A reason for a mark, and the number of cells or rows with it. */
struct view_legend_entry {
    const char *mark;
    const char *title; /* of the field, or the noun for the rows; static */
    char *reason;
    bool is_of_rows;
    uint64_t count;
};

/* The legend of a table.  Begin with {0}. */
struct view_legend {
    struct view_legend_entry *all;
    size_t count;
};

/* Count one more row with MARK because of REASON: in the column TITLE, or, if IS_OF_ROWS, at its
 * number, where TITLE is the noun for rows. */
void view_legend_add(struct view_legend *notes, const char *mark, const char *title,
                     const char *reason, bool is_of_rows);

/* Write the legend, each line after INDENT, and empty it.  Columns with the same mark, reason and
 * count share a line. */
void view_legend_write(struct view_legend *notes, ompd_view_t *view, const char *indent);

/* Free the legend without writing it. */
void view_legend_free(struct view_legend *notes);

/* The meaning of MARK, VIEW_PRESUMED or VIEW_PROVED. */
const char *view_mark_reason(const char *mark);

/* Write NOTE, a sentence for the reader of a table, after INDENT. */
void view_note_write(ompd_view_t *view, const char *indent, const char *note);

/* ---- page ------------------------------------------------------------------------------------ */

/*
 * An HTML page that a command writes to a file by the front end's services.  It is self-contained:
 * its Content-Security-Policy allows only its own style and script, by their hashes.  While a page
 * is open, the view's output goes into it as escaped text.  That text does not depend on the front
 * end, because the page is read elsewhere.
 */

#define VIEW_PAGE_STACKS 4096 /* call stacks remembered, so that each is written once */

struct view_page {
    ompd_view_t *view;
    struct text text;                  /* not yet in the file */
    uint64_t size;                     /* bytes of the page so far */
    bool is_lost;                      /* writing failed, and the command ends early */
    struct view_options options;       /* of the command, restored after the page */
    ompd_view_use_t use;               /* of the command, too */
    size_t width;                      /* of the command, too */
    uint64_t stacks[VIEW_PAGE_STACKS]; /* of page-rows.c: numbers of the stacks written */
};

/* Begin a page in the new file PATH.  NULL: the command has failed. */
struct view_page *view_page_begin(ompd_view_t *view, const char *path);

/* End and free PAGE, and set *SIZE to its size in bytes.  The file exists unless the command has
 * failed.  False: the command has failed. */
bool view_page_end(struct view_page *page, uint64_t *size);

/* Drop the open page of a command that ran out of memory. */
void view_page_drop(ompd_view_t *view);

/* Add HTML; formatted HTML; TEXT, escaped. */
void view_page_put(struct view_page *page, const char *html);
void view_page_add(struct view_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void view_page_escape(struct view_page *page, const char *text);

/* Add NOTE, a sentence, as a paragraph of its own. */
void view_page_note(struct view_page *page, const char *note);

/* Add SIZE bytes of the view's output in STYLE. */
void view_page_take(struct view_page *page, ompd_view_style_t style, const char *text, size_t size);

/* Add SIZE BYTES to TEXT, escaped for HTML. */
void view_html_escape(struct text *text, const char *bytes, size_t size);

/* Add BYTES to TEXT as a JSON string that cannot end the script element around it. */
void view_page_quote(struct text *text, const char *bytes);

/* Whether a part of the page failed.  Clear the failure and return its sentence in WHY. */
bool view_page_failure_take(struct view_page *page, struct text *why);

#endif
