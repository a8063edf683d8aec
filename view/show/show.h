/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How rows are shown: as tables, sentences, JSON and pictures. */
#ifndef OMPD_VIEW_SHOW_H
#define OMPD_VIEW_SHOW_H

#include <view/model/model.h>

/* ---- cell ------------------------------------------------------------------------------------ */

/* Fields as text, by their type, and account of what could not be shown. */

#define VIEW_ABSENT "-"

/* How sure it is what a cell says. */
enum view_sure {
    view_sure_absent, /* there is no such thing */
    view_sure_proved,
    view_sure_presumed,
    view_sure_unknown
};

/* One field of one row, as a table has it.  Begin with {0}. */
struct view_cell {
    struct text text; /* without a mark */
    enum view_sure sure;
    struct text reason; /* why it is not known */
};

/*
 * Turns values into text.  A verb that shows some fields its own way sets `cell` to a function of
 * its own, which leaves the other fields to view_cell_fill.
 */
struct view_renderer {
    ompd_view_t *view;
    /* Put what one field of ROW is in CELL, which is empty. */
    void (*cell)(struct view_renderer *renderer, const ompd_cl_field_t *field,
                 const struct view_row *row, struct view_cell *cell);
    /* Add the lines that a table has below a row, each with a newline; NULL: none. */
    void (*below)(struct view_renderer *renderer, const struct view_row *row, struct text *text);
    struct view_legend notes;
};

/* Begin to show things the usual way. */
void view_renderer_begin(struct view_renderer *renderer, ompd_view_t *view);

/* Give back what it holds. */
void view_renderer_end(struct view_renderer *renderer);

/* A field of ROW as it is shown: of a call that of the program, see model.h. */
struct view_value view_cell_field(ompd_view_t *view, const struct view_row *row,
                                  const ompd_cl_field_t *field);

/* The usual `cell`. */
void view_cell_fill(struct view_renderer *renderer, const ompd_cl_field_t *field,
                    const struct view_row *row, struct view_cell *cell);

/* Put VALUE, of FIELD, in CELL, which is empty, but for why it is not known. */
void view_cell_put(ompd_view_t *view, const ompd_cl_field_t *field, struct view_value value,
                   struct view_cell *cell);

/* Add the text of a field and, where there is no more to say of it, its mark. */
void view_cell_add(struct view_renderer *renderer, const ompd_cl_field_t *field,
                   const struct view_row *row, struct text *text);

/* Empty CELL, keeping its memory; give that back. */
void view_cell_clear(struct view_cell *cell);
void view_cell_free(struct view_cell *cell);

/* Add the text of a known value. */
void view_cell_value(ompd_view_t *view, const ompd_cl_field_t *field, struct view_value value,
                     struct text *text);

/* Add, behind the text of VALUE, that it is not proved, where that is so. */
void view_presumed_mark(struct view_value value, struct text *text);

/* Add why VALUE of ROW is not known. */
void view_cell_reason(ompd_view_t *view, const struct view_row *row, struct view_value value,
                      struct text *text);

/* Add the text of one field where there is room to say more than in a table. */
void view_cell_detail(ompd_view_t *view, const ompd_cl_field_t *field, const struct view_row *row,
                      struct text *text);

/* Whether, or how sure, it is that the object of ROW is there; REASON gets what speaks against one
 * in doubt. */
ompd_cl_confidence_t view_row_confidence(const struct view_row *row, struct text *reason);

/* Write what the marks in the cells mean, a line each behind INDENT, and forget them. */
void view_renderer_write_notes(struct view_renderer *renderer, const char *indent);

/* ---- activities ------------------------------------------------------------------------------ */

/* What threads are doing, in words: what one waits for, which callback it runs, within what. */

/* Shows threads: states in words, handles with what they are, callbacks by their functions. */
struct view_thread_renderer {
    struct view_renderer renderer;
    uint64_t thread; /* id of that whose activities are kept, 0 for none */
    struct view_rows activities;
    uint64_t *lwps; /* of the threads shown in a table */
    size_t lwp_count;
};

void view_thread_renderer_begin(struct view_thread_renderer *threads, ompd_view_t *view);
void view_thread_renderer_end(struct view_thread_renderer *threads);

/* Whether a thread in this state waits for something, and whether it runs a callback. */
bool view_state_waits(uint64_t state);
bool view_state_runs(uint64_t state);

/* Open the list of the threads that do either, and of those whose state is not known.  A recorder
 * that keeps no threads has none. */
void view_list_open_busy(struct view_list *list, ompd_view_t *view);

/* Add "LWP 4711 waits for queue 0x5555556131c0", of a thread that waits or runs a callback. */
void view_thread_sentence(struct view_thread_renderer *threads, const struct view_row *thread,
                          struct text *text);

/* ---- activity-summary ------------------------------------------------------------------------ */

/* What goes on in the target: callbacks, SVM frees, objects that only the runtime still holds. */

/* Add "1 destructor callback is running (LWP 4711), 1 SVM free is enqueued behind event 0x55d0", of
 * the target whose OVERVIEW this is; nothing when nothing is going on. */
void view_activity_summary_add(ompd_view_t *view, const struct view_row *overview,
                               struct text *text);

/* ---- arrange --------------------------------------------------------------------------------- */

/* How the user wants a list: which columns, sorted or grouped by what. */

/* Fields of a kind that an option names. */
struct view_chosen_fields {
    const ompd_cl_field_t *fields[VIEW_FIELDS];
    bool is_descending[VIEW_FIELDS]; /* of -sort: the largest first */
    size_t count;                    /* 0: the option was not given */
};

struct view_list_options {
    struct view_chosen_fields columns;
    struct view_chosen_fields order;
    struct view_chosen_fields group; /* at most one */
};

/* Put what the view's options say in ARRANGEMENT.  False: they make no sense for rows of KIND. */
bool view_list_options_get(ompd_view_t *view, const struct view_kind *kind,
                           struct view_list_options *arrangement);

/* Less than, equal to or more than 0: LEFT comes before, beside or behind RIGHT.  What is not known
 * comes last. */
int view_order_compare(const struct view_chosen_fields *order, const struct view_row *left,
                       const struct view_row *right);

/* ---- json ------------------------------------------------------------------------------------ */

/* Rows as JSON Lines: one object a line, each with "schema".  A line is printed when it is whole.
 */

/* Print TEXT, a whole object, as a line, and empty it. */
void view_json_print(ompd_view_t *view, struct text *text);

/* Write what ends all rows of a command, where they are an array. */
void view_json_array_end(ompd_view_t *view);

/* Add all fields of ROW, but for those that are absent; or those that KEYS name, NULL ends. */
void view_json_fields(ompd_view_t *view, struct json *json, const struct view_row *row,
                      const char *const *keys);

/* Add VALUE under the name of FIELD, unless it is absent. */
void view_json_value(ompd_view_t *view, struct json *json, const ompd_cl_field_t *field,
                     struct view_value value);

/* Add what the call of the program is that returns to ADDRESS: see model.h. */
void view_json_site(ompd_view_t *view, struct json *json, uint64_t address);

/* Add a list of frames: an array of places with their addresses. */
void view_json_stack(ompd_view_t *view, struct json *json, const char *key,
                     const ompd_addr_t *frames, size_t count);

/* Add the rows of LIST as an array of objects and close it; null, or short of some and marked,
 * where some could not be read. */
void view_json_parts(struct json *json, const char *key, struct view_list *list,
                     const char *const *keys);

/* Write ROW as an object with what belongs to it (destructors, activities, pointers, wait_list),
 * and print it as a line. */
void view_json_row(ompd_view_t *view, const struct view_row *row);

/* The same, with what keeps it, which is KEPT; NULL: nothing is said of that. */
struct view_kept;
void view_json_kept_row(ompd_view_t *view, const struct view_row *row,
                        const struct view_kept *kept);

/* The same of an object that is asked for, with what keeps it. */
void view_json_object(ompd_view_t *view, const struct view_row *row);

/* Print QUEUE as an object with its commands. */
void view_json_queue(ompd_view_t *view, const struct view_row *queue);

/* Print a line for what is missing of LIST, which is at its end; nothing when nothing is. */
void view_json_missing(const struct view_list *list);

/* Print a line that says that what belongs to an object is missing as a whole, as VALUE says. */
void view_json_unknown_parts(ompd_view_t *view, struct view_value value);

/* Print a line of JSON about freed memory that was not checked, at the end of LIST, which is whole.
 */
void view_json_freed(const struct view_list *list);

/* ---- contents -------------------------------------------------------------------------------- */

/* What is in the bytes of a memory object, where the host can see them. */

/* Write the contents of ROW, a memory object, as the options of the view say. */
void view_contents_write(ompd_view_t *view, const struct view_row *row);

/* Add them to JSON of ROW as the key "contents". */
void view_contents_add(struct json *json, ompd_view_t *view, const struct view_row *row);

/* ---- phrase ---------------------------------------------------------------------------------- */

/* What rows say, in words: phrases with fields in them. */

/*
 * Add PHRASE about ROW.  In it stand for what ROW says
 *
 *     {size}       a field: "4 KiB", "LWP 4711 (thread 1)", "buffer 0x5555556027d0"
 *     {#count}     its number alone
 *     {callback}   the callback, by its function's name
 *     {memory}     the address, and the variable there
 *     {@; made}    "; made at main at app.c:9 by LWP 4711 (thread 1)", or nothing
 *     {&; made}    the same of the other caller and thread
 *     [ of {size}] nothing, if the first field in it is not known
 */
void view_phrase_add(struct view_renderer *renderer, const struct view_row *row, const char *phrase,
                     struct text *text);

/* Add WORDS and, behind them, " at main at app.c:9 by LWP 4711 (thread 1)", as the fields CALLER
 * and LWP of ROW tell; nothing where they do not. */
void view_phrase_add_maker(ompd_view_t *view, const struct view_row *row, const char *words,
                           const char *caller, const char *lwp, struct text *text);

/* ---- failures -------------------------------------------------------------------------------- */

/* Why commands never run: who has set the user event that they wait for to an error. */

/* Write a sentence for each such event and call, of the commands, or errors, by KIND, that meet
 * FILTER; of rows of other kinds none: "Command 1 of command queue 0x1f never ran: user event 0x2f,
 * which it waits for, was set to -1 at load at app.c:9 by LWP 4711." */
void view_failures_write(ompd_view_t *view, ompd_cl_kind_t kind, const ompd_cl_filter_t *filter);

/* ---- filter ---------------------------------------------------------------------------------- */

/* The filters of the command line as the library takes them. */

/* The conditions of the view's options on rows of KIND.  False: they make no sense, or the
 * OpenCL context that they name is not there. */
bool view_filter_get(ompd_view_t *view, const struct view_kind *kind, ompd_cl_filter_t *filter);

/* ---- finding-words --------------------------------------------------------------------------- */

/* Who and what findings are about, in words. */

/* Add that the thread of FINDING is in a call with what was never a handle, is one of another
 * kind, or was of an object that is gone. */
void view_finding_describe_handle(struct view_renderer *renderer, const struct view_row *finding,
                                  struct text *text);

/* Add how often it was at the places that the sentence names, where that has not said so. */
void view_finding_add_times(const struct view_row *finding, struct text *text);

/* ---- finding --------------------------------------------------------------------------------- */

/* Findings in words. */

/* Add the sentence of FINDING, without its end: "buffer 0x5555556027d0 uses host memory that was
 * freed, 4096 B at 0x5555555580c0; made at main at app.c:9 by LWP 4711 (thread 1)". */
void view_finding_describe(struct view_renderer *renderer, const struct view_row *finding,
                           struct text *text);

/* Whether FINDING is a mistake.  That the last build failed is a fact until a kernel is made of the
 * program: a program may try. */
bool view_finding_is_mistake(const struct view_row *finding);

/* Add what the compiler said first of the program of FINDING, on one line: nothing where that is
 * not known, or FINDING is no failed build. */
void view_finding_add_log(ompd_view_t *view, const struct view_row *finding, struct text *text);

/* ---- gone ------------------------------------------------------------------------------------ */

/* Objects that are gone, in words. */

/* Objects that are gone, the last one first. */
struct view_destroyed {
    struct view_object *objects;
    size_t count;
    struct text reason; /* why it is not known which are; else empty */
};

/* Take into GONE, which is {0}, those that ADDRESS is the handle of, or that it lay within.  False:
 * it failed. */
bool view_destroyed_find(ompd_view_t *view, uint64_t address, struct view_destroyed *gone);

void view_destroyed_free(struct view_destroyed *gone);

/* Add "a buffer of 4 MiB, made at main at blur.c:12 by LWP 4711, released at main at blur.c:40 by
 * LWP 4711, gone since 2026-11-22 23:44:07.512 UTC". */
void view_destroyed_describe(ompd_view_t *view, const struct view_row *row, struct text *text);

/* ---- group ----------------------------------------------------------------------------------- */

/* How many rows have the same value of a field, and bytes: -group made-at. */

/* Walk LIST to its end and write a line, or a row of JSON, for each value of FIELD, the one with
 * the most bytes first.  Memory is bounded by the values.  RENDERER gets the notes.  Returns how
 * many lines there are more than a table may have. */
uint64_t view_groups_write(struct view_renderer *renderer, struct view_list *list,
                           const ompd_cl_field_t *field);

/* ---- handle ---------------------------------------------------------------------------------- */

/* From what the user typed to one object. */

/* Find the object of one of KINDS, COUNT of them, that WORD (0x5555556027d0) names: a cl handle, an
 * SVM allocation's pointer, or for an SVM-free command its event or a pointer that it frees.
 * OBJECT gets it.  False: there is none, or it failed, which is in the view. */
bool view_operand_find(ompd_view_t *view, const char *word, const ompd_cl_kind_t *kinds,
                       size_t count, struct view_object *object);

/* Find the object that WORD names, of any kind that has a handle.  False: it failed, which is in
 * the view, or there is none: *ADDRESS gets what WORD stands for. */
bool view_operand_find_any(ompd_view_t *view, const char *word, struct view_object *object,
                           uint64_t *address);

/* ---- holder ---------------------------------------------------------------------------------- */

/* Places that have the handle of an object, in words. */

/* Add "the variable `blur_ctx`", "frame 2 of LWP 4711 (thread 1), run_filter at blur.c:120", "a
 * heap block of 64 B at 0x555555a0c0f0": the place that ROW is, or that it has in fields whose
 * names begin with PREFIX, else "". */
void view_reference_site_describe(ompd_view_t *view, const struct view_row *row, const char *prefix,
                                  struct text *text);

/* ---- hop ------------------------------------------------------------------------------------- */

/* Hops of chains of waits in words. */

/* Add what HOP is: "command queue 0x5555556027d0", "LWP 4711 (thread 1)". */
void view_wait_step_name(struct view_renderer *renderer, const struct view_row *hop,
                         struct text *text);

/* Add the same and what leads to the next hop, or is the last word of the chain: "command queue
 * 0x5555556027d0, made at main at app.c:9 by LWP 4711 (thread 1), which waits for". */
void view_wait_step_describe(struct view_renderer *renderer, const struct view_row *hop,
                             struct text *text);

/* Add the sentence that says how the chain of HOP, its last, ends; BACK is the name of what a cycle
 * comes back to. */
void view_wait_step_end(struct view_renderer *renderer, const struct view_row *hop,
                        const char *back, struct text *text);

/* ---- keepers --------------------------------------------------------------------------------- */

/* Why objects are still there: what keeps those that the program has released, and mappings. */

/* What of one kind has to do with an object. */
struct view_keeper {
    uint64_t count;
    uint64_t handle; /* of the first, */
    ompd_cl_kind_t kind;
    uint64_t number; /* and of a command, which is named by its queue: its number there; of a
                      * kernel: which of its arguments the object is; */
    uint64_t last;   /* of the last command: its number; 0: commands of several queues; of the last
                      * kernel: its handle */
};

/* An object that the program has released, or that is mapped more than once. */
struct view_kept {
    ompd_cl_kind_t kind;
    uint64_t handle;
    uint64_t size;
    const char *name; /* "sub-buffer", "OpenCL context" */
    bool is_released;
    bool is_presumed; /* the runtime may have deleted it */
    bool is_counted;  /* a layout tells that all its references are the runtime's */
    uint64_t mappings;
    struct view_keeper commands; /* that are not over and use it */
    struct view_keeper kernels;  /* whose argument it is */
    struct view_keeper children;
    bool is_proved; /* one of its kernels and children is there for certain */
};

/* Begin with {0}. */
struct view_keepers {
    struct view_kept *all; /* by handle */
    size_t count;
};

/* Find all such objects of the target and what keeps them; of the object with the cl handle ONLY
 * alone, where that is not 0. */
void view_keepers_find(struct view_keepers *keepers, ompd_view_t *view, uint64_t only);

/* What keeps the object of KIND with HANDLE; NULL: it is not among KEEPERS. */
const struct view_kept *view_keepers_get(const struct view_keepers *keepers, ompd_cl_kind_t kind,
                                         uint64_t handle);

/* Whether any of them was mapped and never unmapped. */
bool view_keepers_are_mapped(const struct view_keepers *keepers);

void view_keepers_free(struct view_keepers *keepers);

/* Write "Released, but still there: 40 memory objects" with END and a line for each, those alike in
 * one: "  40 memory objects: commands 1 to 40 of command queue 0x1f are not over and use them";
 * then those that are mapped.  None: nothing.  END is NULL where the first line was written before.
 */
void view_keepers_write(ompd_view_t *view, const struct view_keepers *keepers, const char *end);

/* Forget what is not released, and what other objects alone keep; unless HAS_MAPPED what mappings
 * alone keep, too. */
void view_keepers_narrow(struct view_keepers *keepers, bool has_mapped);

/* Write an object of JSON for each. */
void view_keepers_json_write(ompd_view_t *view, const struct view_keepers *keepers);

/* Add what keeps KEPT to JSON, under a key of its own. */
struct json;
void view_kept_json_add(const struct view_kept *kept, struct json *json);

/* Add what keeps KEPT, in clauses: "50 mappings of it were never unmapped". */
void view_kept_describe(const struct view_kept *kept, struct text *text);

/* ---- listing --------------------------------------------------------------------------------- */

/* Showing a list: as a table or as JSON Lines, filtered, and in order where it is short. */

struct view_listing {
    ompd_cl_kind_t kind;
    const char *const *also; /* as struct view_table_options */
    /* What rows are sorted by; NULL: the order in which they were made. */
    uint64_t (*rank)(const struct view_row *row);
    bool is_small;  /* its rows are put in order however many they are */
    uint64_t queue; /* cl handle: only rows of that command queue; 0: of any */
};

/* Show a list as the view's options say, by RENDERER.  Returns the number of rows shown, or
 * UINT64_MAX when not all rows of the list are. */
uint64_t view_listing_write(struct view_renderer *renderer, const struct view_listing *listing);

/* Whether no option was given that only lists take, to a verb that shows what is of one object
 * where it is given one, and else the list of all rows of KIND.  One that was given is a failure.
 */
bool view_listing_options_refuse(ompd_view_t *view, ompd_cl_kind_t kind);

/* Write that MORE rows than the view's limit are not shown. */
void view_cut_note_write(ompd_view_t *view, const char *indent, uint64_t more);

/* ---- picture --------------------------------------------------------------------------------- */

/* An image object of which the host can see the pixels, as a picture in a file (PNG). */

/* Write ROW, a memory object, to the file that the view's options name, and say so, or why not. */
void view_picture_write(ompd_view_t *view, const struct view_row *row);

/* The same in JSON of ROW: the key "image". */
void view_picture_add(struct json *json, ompd_view_t *view, const struct view_row *row);

/* ---- pixels ---------------------------------------------------------------------------------- */

/* The pixels of an image object, row by row, as those of a picture. */

/* Pictures are no larger in either direction. */
#define PIXELS_LIMIT 1000000

/* An image whose formats a picture can hold without loss. */
struct pixels {
    uint64_t address; /* of the first */
    uint64_t width;
    uint64_t height;
    uint64_t pitch;    /* bytes from one row to the next */
    unsigned size;     /* of a channel, bytes: 1 or 2 */
    unsigned channels; /* of a pixel in memory */
    unsigned shown;    /* of a pixel in the picture: 1 grey, 3 red, green and blue, 4 with alpha */
    const signed char *map; /* for each of these the one in memory; -1: it is 0 */
};

/* What ROW, a memory object, looks like.  False: it is none, for the REASON. */
bool pixels_get(struct pixels *pixels, const struct view_row *row, struct text *reason);

/* Put row number INDEX in BYTES, which have room for width * shown * size: numbers of two bytes
 * begin with the higher one.  False: it could not be read, for the REASON, or the command has
 * failed. */
bool pixels_row_get(const struct pixels *pixels, ompd_view_t *view, uint64_t index,
                    unsigned char *bytes, struct text *reason);

/* ---- sentences ------------------------------------------------------------------------------- */

/* The sentences around the tables. */

/* Add "buffer 0x5555556027d0, 4096 B, CL_MEM_USE_HOST_PTR at 0x5555555580c0 <host>". */
void view_object_header(ompd_view_t *view, const struct view_row *row, struct text *text);

/* Add "2 destructor callbacks, in call order".  TOLD is how many the row of their object says: it
 * may not know of any. */
void view_destructor_count(uint64_t count, struct view_value told, struct text *text);

/* Add what happens to the object ROW once its CALLBACKS have run; nothing when there is nothing to
 * say. */
void view_after_destructors(ompd_view_t *view, const struct view_row *row,
                            const struct view_rows *callbacks, struct text *text);

/* Add "Portable Computing Language 3.1+debian (OpenCL 3.0)". */
void view_platform_describe(const char *name, const char *version, struct text *text);

/* Add "1 SVM free is enqueued".  PLURAL NULL: SINGULAR and an "s". */
void view_are_add(struct text *text, uint64_t count, const char *singular, const char *plural,
                  const char *what);

/* Add a state or kind in words: "waits for events", "SVM frees"; "?" when it is not known. */
void view_words_add(const struct view_row *row, const char *field, struct text *text);

#endif
