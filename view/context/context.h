/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every command uses: the view, what it has met with, and text to the front end. */
#ifndef OMPD_VIEW_CONTEXT_H
#define OMPD_VIEW_CONTEXT_H

#include <ompd-opencl-view.h>
#include <text/heap.h>
#include <text/json.h>

/* ---- view ------------------------------------------------------------------------------------ */

/*
 * One view, and the command that it runs.
 *
 * Whatever fails is kept in the view, the first time only, and lists end there: a verb asks once,
 * before it says that there is nothing, and returns view_result.
 */

/* Marks what the library exports. */
#define PUBLIC __attribute__((visibility("default")))

/* The options of the view's own, as one command gives them. */
struct view_options {
    bool is_json;
    bool is_filtered; /* any of the filters was given */
    uint64_t limit;   /* rows a table shows at most, UINT64_MAX for all */
    /* The filters as given; NULL: not given. */
    const char *context;
    const char *kinds;
    const char *states;
    const char *min_size;
    /* Names of fields, likewise. */
    const char *columns;
    const char *sort;
    const char *group;
    /* Of one memory object: */
    bool has_contents; /* its contents are shown, */
    const char *as;    /* as values of this type of OpenCL C; NULL: as bytes */
    uint64_t rows;     /* in so many lines at most; 0: not given */
    const char *image; /* it is written to this file as a picture; NULL: not given */
};

struct view_page;

/* Lists that are open at once, each within the walk of another, at most. */
#define VIEW_LISTS 8

struct ompd_view_t {
    ompd_view_front_end_t front_end;
    const ompd_view_verb_t *verbs; /* the view's own, */
    size_t verb_count;             /* so many */
    struct heap heap;
    struct view_name_cache *spaces; /* of name-cache.c */
    struct text answer;             /* of help and completion */
    struct text bindings;           /* of binding.c: the front end's patterns */

    /* Of the command that runs, or ran last. */
    struct view_options options;
    ompd_view_use_t use;
    bool is_incomplete;         /* some call gave part of an answer only, */
    struct text why_incomplete; /* as the library said first, */
    bool has_told_why;          /* and a note has said what is missing */
    bool has_findings;
    bool is_out_of_memory;
    bool is_stopped;            /* the front end wants no more text */
    ompd_view_exit_t failure;   /* ompd_view_exit_ok: nothing has failed */
    struct text message;        /* why it failed */
    struct text incompleteness; /* of incompleteness.c: what the answer that was asked for last
                                   leaves open */
    size_t width;               /* columns of what text goes to; SIZE_MAX: no limit */
    struct text json;           /* a row that is being made */
    struct text line;           /* that is being written, */
    struct text styles;         /* and the style of each of its bytes, where there are styles */
    struct view_page *page;     /* that text goes to, of page.c; NULL: it is the front end's */
    bool has_new_file;          /* of new-file.c, that is not ended yet */
    struct text pending;        /* text that is not given to the front end yet, */
    ompd_view_style_t style;    /* of this style */
    uint64_t rows_written;      /* of tables and lists of JSON */
    const char *verb;           /* its name */
    ompd_cl_list_t lists[VIEW_LISTS]; /* of list.c: those that are open */
    size_t list_count;

    /* Of the functions for a front end's own verbs: */
    bool runs_verb;                  /* so that they may be called, */
    bool is_in_call;                 /* and one of them was */
    struct view_custom_verb *custom; /* of custom-verb.c: what the verb has begun; NULL: nothing */
};

/* What a view was working at has ended, for there was not enough memory. */
void view_memory_lost(ompd_view_t *view);

/* Do WORK for VIEW.  False: there was not enough memory. */
static inline bool view_guard(ompd_view_t *view, void (*work)(void *argument), void *argument)
{
    bool is_done = heap_run(&view->heap, work, argument);

    if (!is_done)
        view_memory_lost(view);
    return is_done;
}

/* Keep that it failed, and why in one sentence, unless it had failed before.  Returns false. */
bool view_fail(ompd_view_t *view, ompd_view_exit_t code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Add the library's sentence on why its last call for the view did not return ompd_rc_ok but RC. */
void view_add_reason(const ompd_view_t *view, ompd_rc_t rc, struct text *text);

/* Ask the front end whether the user wants the command to end. */
void view_interrupt_check(ompd_view_t *view);

/* Whether RC of a call on the view's address space is an answer.  One that is not is kept as a
 * failure, with the library's sentence; one that is not whole is noted. */
bool view_check(ompd_view_t *view, ompd_rc_t rc);

/* How the command ended, by all that happened. */
ompd_view_exit_t view_result(const ompd_view_t *view);

/* Whether CODE says that there is no answer. */
static inline bool view_exit_is_failure(ompd_view_exit_t code)
{
    return code != ompd_view_exit_ok && code != ompd_view_exit_findings &&
           code != ompd_view_exit_incomplete;
}

/* Write text: as it is, as FORMAT says, in a style.  A line that is wider than what text goes to is
 * broken between words, and goes on moved in; not so JSON. */
void view_write(ompd_view_t *view, const char *text);
void view_print(ompd_view_t *view, const char *format, ...) __attribute__((format(printf, 2, 3)));
void view_write_styled(ompd_view_t *view, ompd_view_style_t style, const char *text);

/* Add LINES to TEXT, broken in the same way. */
void view_lines_wrap(struct text *text, const char *lines, size_t width);

/* Write so many blanks. */
void view_write_blanks(ompd_view_t *view, size_t count);

/* Whether text goes to where lines of more than `width` columns are broken. */
static inline bool view_has_width(const ompd_view_t *view)
{
    return view->width != SIZE_MAX;
}

/* The columns of what text goes to now. */
size_t view_width_get(const ompd_view_t *view);

/* Give the front end what was written. */
void view_flush(ompd_view_t *view);

/* Count one more row that was written. */
void view_row_written(ompd_view_t *view);

/* Verb number INDEX of the view's own; NULL: there are no more. */
const ompd_view_verb_t *view_builtin_verb_get(const ompd_view_t *view, size_t index);

/* The property of the front end; "" where it has none. */
const char *view_verb_prefix(const ompd_view_t *view);
const char *view_option_prefix(const ompd_view_t *view);

/* ---- gaps ------------------------------------------------------------------------------------ */

/* What an answer of the library leaves open, in its sentences. */

/* Keep the sentences about the last answer in SESSION. */
void view_incompleteness_take(ompd_view_t *view);

/* Take them from SESSION, before lists are asked for that leave open something of their own; to be
 * freed. */
struct text view_incompleteness_get(ompd_view_t *view);

/* Take those about freed memory that was not checked out of SESSION's, joined: "freed memory of
 * jemalloc was not checked.".  Empty when there are none; to be freed. */
struct text view_incompleteness_take_freed(ompd_view_t *view);

/* Write GAPS as notes, behind INDENT. */
void view_incompleteness_write(ompd_view_t *view, const char *indent,
                               const struct text *incompleteness);

/* Add them as key "notes" of JSON; nothing when there are none. */
void view_incompleteness_json(const ompd_view_t *view, struct json *json);

/* Add them to TEXT, one behind the other. */
void view_incompleteness_join(const ompd_view_t *view, struct text *text);

/* ---- incomplete ------------------------------------------------------------------------------ */

/* Nobody is left with an exit code alone: an answer that is not whole says why. */

/* The command has ended: write that where part of its answer is missing and no note has said so. */
void view_incompleteness_report(ompd_view_t *view);

/* ---- new-file -------------------------------------------------------------------------------- */

/* A file that a command writes through the front end.  It is not there yet: none is written over.
 */

/* Begin a file that is to be called PATH, write SIZE bytes to it, and end it: it gets its name
 * where IS_WHOLE.  False: the command has failed. */
bool view_new_file_begin(ompd_view_t *view, const char *path);
bool view_new_file_write(ompd_view_t *view, const void *bytes, size_t size);
bool view_new_file_end(ompd_view_t *view, bool is_whole);

/* End the file of a command that ended where its memory did, if it has one. */
void view_new_file_drop(ompd_view_t *view);

/* ---- notes ----------------------------------------------------------------------------------- */

/* What marks in tables mean: account of them, and the notes below the tables. */

#define VIEW_UNKNOWN "?"
#define VIEW_DOUBTFUL "!"
#define VIEW_PRESUMED "~"
#define VIEW_PROVED "="

#define VIEW_NOT_PROVED "presumed, not proved"
#define VIEW_UNRECORDED "not known without the recorder"
#define VIEW_TEXT_CUT " (the rest is not known)" /* behind a text */

/* Why some cells, or rows, have a mark, and how many. */
struct view_legend_entry {
    const char *mark;
    const char *title; /* of the field, or what the rows are themselves; static */
    char *reason;
    bool is_of_rows;
    uint64_t count;
};

/* The notes that are due below a table.  Begin with {0}: none. */
struct view_legend {
    struct view_legend_entry *all;
    size_t count;
};

/* One more row has MARK, in the column TITLE or, of what TITLE calls the rows, at its number,
 * because of REASON. */
void view_legend_add(struct view_legend *notes, const char *mark, const char *title,
                     const char *reason, bool is_of_rows);

/* Write the notes, a line each behind INDENT, and forget them.  Columns that have a mark in as many
 * rows for one reason share a line. */
void view_legend_write(struct view_legend *notes, ompd_view_t *view, const char *indent);

/* Forget them unwritten, and give back what they hold. */
void view_legend_free(struct view_legend *notes);

/* What MARK, VIEW_PRESUMED or VIEW_PROVED, says. */
const char *view_mark_reason(const char *mark);

/* Write NOTE, a sentence that the reader of a table must know besides, behind INDENT. */
void view_note_write(ompd_view_t *view, const char *indent, const char *note);

/* ---- page ------------------------------------------------------------------------------------ */

/*
 * A page of HTML that a command writes to a file, by the front end's services.  It is
 * self-contained and refers to nothing: its policy (Content-Security-Policy) allows its own style
 * and script alone, by their hashes.  While a page is open, what the view writes is in it, as
 * escaped text, and no word of it depends on the front end: the page is read elsewhere.
 */

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
