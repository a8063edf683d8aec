/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How rows are shown: as tables, sentences, JSON and pictures. */
#ifndef OMPD_VIEW_SHOW_H
#define OMPD_VIEW_SHOW_H

#include <view/model/model.h>

/* ---- cell ------------------------------------------------------------------------------------ */

/* Formatting fields by their type. */

#define VIEW_ABSENT "-"

/* How certain the value of a cell is. */
enum view_sure {
    view_sure_absent, /* not applicable */
    view_sure_proved,
    view_sure_presumed,
    view_sure_unknown
};

/* One field of one row, formatted for a table.  Begin with {0}. */
struct view_cell {
    struct text text; /* without a mark */
    enum view_sure sure;
    struct text reason; /* why it is unknown */
};

/*
 * Formats values.  A verb that formats some fields itself sets `cell` to its own function, which
 * passes the other fields on to view_cell_fill.
 */
struct view_renderer {
    ompd_view_t *view;
    /* Fill the empty CELL with a field of ROW. */
    void (*cell)(struct view_renderer *renderer, const ompd_cl_field_t *field,
                 const struct view_row *row, struct view_cell *cell);
    /* Add the lines below a row, each with a newline; NULL: none. */
    void (*below)(struct view_renderer *renderer, const struct view_row *row, struct text *text);
    struct view_legend notes;
};

/* Begin with the usual formatting. */
void view_renderer_begin(struct view_renderer *renderer, ompd_view_t *view);

/* Free what it holds. */
void view_renderer_end(struct view_renderer *renderer);

/* The shown value of a field of ROW: a caller becomes the call site in the program, see model.h. */
struct view_value view_cell_field(ompd_view_t *view, const struct view_row *row,
                                  const ompd_cl_field_t *field);

/* The usual `cell`. */
void view_cell_fill(struct view_renderer *renderer, const ompd_cl_field_t *field,
                    const struct view_row *row, struct view_cell *cell);

/* Fill the empty CELL with VALUE of FIELD, except the reason of an unknown value. */
void view_cell_put(ompd_view_t *view, const ompd_cl_field_t *field, struct view_value value,
                   struct view_cell *cell);

/* Add the text of a field and its mark. */
void view_cell_add(struct view_renderer *renderer, const ompd_cl_field_t *field,
                   const struct view_row *row, struct text *text);

/* Empty CELL and keep its memory; free it. */
void view_cell_clear(struct view_cell *cell);
void view_cell_free(struct view_cell *cell);

/* Add the text of a known value. */
void view_cell_value(ompd_view_t *view, const ompd_cl_field_t *field, struct view_value value,
                     struct text *text);

/* Add " (presumed)" if VALUE is presumed. */
void view_presumed_mark(struct view_value value, struct text *text);

/* Add why VALUE of ROW is unknown. */
void view_cell_reason(ompd_view_t *view, const struct view_row *row, struct view_value value,
                      struct text *text);

/* Add the text of a field, in more detail than in a table. */
void view_cell_detail(ompd_view_t *view, const ompd_cl_field_t *field, const struct view_row *row,
                      struct text *text);

/* How certain it is that the object of ROW exists.  For a doubtful one, REASON is set. */
ompd_cl_confidence_t view_row_confidence(const struct view_row *row, struct text *reason);

/* Write the legend of the marks, each line after INDENT, and empty it. */
void view_renderer_write_notes(struct view_renderer *renderer, const char *indent);

/* ---- activities ------------------------------------------------------------------------------ */

/* What threads do: what they wait for, which callbacks they run, and within which calls. */

/* Formats threads: states in words, handles with their nouns, callbacks by function. */
struct view_thread_renderer {
    struct view_renderer renderer;
    uint64_t thread; /* id of the thread of `activities`; 0: none */
    struct view_rows activities;
    uint64_t *lwps; /* of the threads shown in a table */
    size_t lwp_count;
};

void view_thread_renderer_begin(struct view_thread_renderer *threads, ompd_view_t *view);
void view_thread_renderer_end(struct view_thread_renderer *threads);

/* Whether a thread in this state waits, or runs a callback. */
bool view_state_waits(uint64_t state);
bool view_state_runs(uint64_t state);

/* Open the list of threads that wait, run a callback, or have an unknown state.  It is empty if the
 * recorder does not record threads. */
void view_list_open_busy(struct view_list *list, ompd_view_t *view);

/* Add "LWP 4711 waits for queue 0x5555556131c0" for a thread that waits or runs a callback. */
void view_thread_sentence(struct view_thread_renderer *threads, const struct view_row *thread,
                          struct text *text);

/* ---- activity-summary ------------------------------------------------------------------------ */

/* The activity of the target: callbacks, SVM frees, and objects that only the runtime holds. */

/* Add "1 destructor callback is running (LWP 4711), 1 SVM free is enqueued behind event 0x55d0" for
 * the target of OVERVIEW; nothing if there is no activity. */
void view_activity_summary_add(ompd_view_t *view, const struct view_row *overview,
                               struct text *text);

/* ---- list-options ---------------------------------------------------------------------------- */

/* The options -columns, -sort and -group of a list. */

/* The fields that an option names. */
struct view_chosen_fields {
    const ompd_cl_field_t *fields[VIEW_FIELDS];
    bool is_descending[VIEW_FIELDS]; /* of -sort: largest first */
    size_t count;                    /* 0: the option was not given */
};

struct view_list_options {
    struct view_chosen_fields columns;
    struct view_chosen_fields order;
    struct view_chosen_fields group; /* at most one */
};

/* Parse the view's options for rows of KIND.  False: they are invalid. */
bool view_list_options_get(ompd_view_t *view, const struct view_kind *kind,
                           struct view_list_options *arrangement);

/* Less than, equal to or greater than 0: LEFT sorts before, with or after RIGHT.  Unknown values
 * sort last. */
int view_order_compare(const struct view_chosen_fields *order, const struct view_row *left,
                       const struct view_row *right);

/* ---- json ------------------------------------------------------------------------------------ */

/* Rows as JSON Lines: one object per line, each with "schema".  Only complete lines are printed. */

/* Print TEXT, a complete object, as a line, and empty it. */
void view_json_print(ompd_view_t *view, struct text *text);

/* End the rows of a command if they are an array. */
void view_json_array_end(ompd_view_t *view);

/* Add all applicable fields of ROW, or only those in KEYS, which NULL ends. */
void view_json_fields(ompd_view_t *view, struct json *json, const struct view_row *row,
                      const char *const *keys);

/* Add VALUE under the name of FIELD, unless it does not apply. */
void view_json_value(ompd_view_t *view, struct json *json, const ompd_cl_field_t *field,
                     struct view_value value);

/* Add the call site of the call that returns to ADDRESS: see model.h. */
void view_json_site(ompd_view_t *view, struct json *json, uint64_t address);

/* Add frames as an array of locations with their addresses. */
void view_json_stack(ompd_view_t *view, struct json *json, const char *key,
                     const ompd_addr_t *frames, size_t count);

/* Add the rows of LIST as an array of objects, and close LIST.  If rows could not be read, the
 * array is marked incomplete, or null. */
void view_json_parts(struct json *json, const char *key, struct view_list *list,
                     const char *const *keys);

/* Print ROW as a line, with its parts (destructors, activities, pointers, wait_list). */
void view_json_row(ompd_view_t *view, const struct view_row *row);

/* The same, with what keeps the object alive; KEPT may be NULL. */
struct view_kept;
void view_json_kept_row(ompd_view_t *view, const struct view_row *row,
                        const struct view_kept *kept);

/* The same for a single object, with what keeps it alive. */
void view_json_object(ompd_view_t *view, const struct view_row *row);

/* Print QUEUE as an object with its commands. */
void view_json_queue(ompd_view_t *view, const struct view_row *queue);

/* Print a line about rows missing from LIST, at its end; nothing if none is missing. */
void view_json_missing(const struct view_list *list);

/* Print a line that says why all parts of an object are unknown, from VALUE. */
void view_json_unknown_parts(ompd_view_t *view, struct view_value value);

/* Print a line about unchecked freed memory, at the end of a complete LIST. */
void view_json_freed(const struct view_list *list);

/* ---- contents -------------------------------------------------------------------------------- */

/* The contents of a memory object, where the host can read them. */

/* Write the contents of ROW, a memory object, by the options of the view. */
void view_contents_write(ompd_view_t *view, const struct view_row *row);

/* Add them to the JSON of ROW as the key "contents". */
void view_contents_add(struct json *json, ompd_view_t *view, const struct view_row *row);

/* ---- phrase ---------------------------------------------------------------------------------- */

/* Sentences about rows, made from phrases with fields. */

/*
 * Add PHRASE about ROW, with these substitutions:
 *
 *     {size}       a field: "4 KiB", "LWP 4711 (thread 1)", "buffer 0x5555556027d0"
 *     {#count}     its number without unit or noun
 *     {callback}   the callback, by its function's name
 *     {memory}     the address, and the variable there
 *     {@; made}    "; made at main at app.c:9 by LWP 4711 (thread 1)", or nothing
 *     {&; made}    the same for the other caller and thread
 *     [ of {size}] nothing, if its first field is unknown
 */
void view_phrase_add(struct view_renderer *renderer, const struct view_row *row, const char *phrase,
                     struct text *text);

/* Add WORDS and " at main at app.c:9 by LWP 4711 (thread 1)", from the fields CALLER and LWP of
 * ROW; nothing if they are unknown. */
void view_phrase_add_maker(ompd_view_t *view, const struct view_row *row, const char *words,
                           const char *caller, const char *lwp, struct text *text);

/* ---- embree-words ---------------------------------------------------------------------------- */

/* Phrases about Embree's objects. */

/* Add what distinguishes the object of ROW: ", triangle, 12 primitives". */
void view_embree_header_add(ompd_view_t *view, const struct view_row *row, struct text *text);

/* Add what keeps the object of ROW alive apart from the program: "2 references of scenes".  False:
 * nothing that is known. */
bool view_embree_kept_add(const struct view_row *row, struct text *text);

/* ---- failures -------------------------------------------------------------------------------- */

/* Why commands never ran: who set the user event that they wait for to an error. */

/* Write a sentence for each such event and call, for commands or errors that match FILTER: "Command
 * 1 of command queue 0x1f never ran: user event 0x2f, which it waits for, was set to -1 at load at
 * app.c:9 by LWP 4711."  Other KINDs write nothing. */
void view_failures_write(ompd_view_t *view, ompd_cl_kind_t kind, const ompd_cl_filter_t *filter);

/* ---- refusals -------------------------------------------------------------------------------- */

/* Why calls were refused. */

/* Write a sentence for each refused call that matches FILTER and whose reason is known, without
 * repetitions: "clFinish at main at app.c:9 returned CL_INVALID_COMMAND_QUEUE: command_queue is
 * NULL." Other KINDs write nothing. */
void view_refusals_write(ompd_view_t *view, ompd_cl_kind_t kind, const ompd_cl_filter_t *filter);

/* ---- filter ---------------------------------------------------------------------------------- */

/* The filters of a command, for the library. */

/* Convert the filters for rows of KIND.  False: they are invalid, or their OpenCL context does not
 * exist. */
bool view_filter_get(ompd_view_t *view, const struct view_kind *kind, ompd_cl_filter_t *filter);

/* ---- finding-words --------------------------------------------------------------------------- */

/* Parts of the sentences about findings. */

/* Add a sentence about a call with an invalid handle: never a handle, of another kind, or of a
 * destroyed object. */
void view_finding_describe_handle(struct view_renderer *renderer, const struct view_row *finding,
                                  struct text *text);

/* Add how often it happened at the call sites of the sentence, if the sentence does not say so. */
void view_finding_add_times(const struct view_row *finding, struct text *text);

/* ---- embree-finding -------------------------------------------------------------------------- */

/* Sentences about findings of Embree. */

/* The noun for the function of FINDING: "memory monitor". */
const char *view_finding_embree_noun(ompd_view_t *view, const struct view_row *finding);

/* Add a sentence about the user pointer of a function, WORDS being what happened to its memory. */
void view_finding_describe_embree_data(struct view_renderer *renderer,
                                       const struct view_row *finding, const char *words,
                                       struct text *text);

/* Add a sentence about an error that was not read; about a thread in a memory monitor. */
void view_finding_describe_embree_error(struct view_renderer *renderer,
                                        const struct view_row *finding, const char *words,
                                        struct text *text);
void view_finding_describe_embree_monitor(struct view_renderer *renderer,
                                          const struct view_row *finding, const char *words,
                                          struct text *text);

/* ---- finding --------------------------------------------------------------------------------- */

/* Sentences about findings. */

/* Add the sentence of FINDING, without a period: "buffer 0x5555556027d0 uses host memory that was
 * freed, 4096 B at 0x5555555580c0; made at main at app.c:9 by LWP 4711 (thread 1)". */
void view_finding_describe(struct view_renderer *renderer, const struct view_row *finding,
                           struct text *text);

/* Whether FINDING is a mistake.  A failed build is one only if a kernel was then created from the
 * program, because programs may try a build.  An error of Embree that was not read, and a stop in a
 * memory monitor, are none. */
bool view_finding_is_mistake(const struct view_row *finding);

/* Add the first line of the build log for FINDING, a failed build; nothing if it is unknown. */
void view_finding_add_log(ompd_view_t *view, const struct view_row *finding, struct text *text);

/* ---- destroyed ------------------------------------------------------------------------------- */

/* Destroyed objects. */

/* Destroyed objects, the last one first. */
struct view_destroyed {
    struct view_object *objects;
    size_t count;
    struct text reason; /* why they are unknown; else empty */
};

/* Find the destroyed objects that had the handle ADDRESS, or memory at ADDRESS.  GONE must be {0}.
 * False: the command has failed. */
bool view_destroyed_find(ompd_view_t *view, uint64_t address, struct view_destroyed *destroyed);

void view_destroyed_free(struct view_destroyed *destroyed);

/* Add "a buffer of 4 MiB, made at main at blur.c:12 by LWP 4711, released at main at blur.c:40 by
 * LWP 4711, destroyed at 2026-11-22 23:44:07.512 UTC". */
void view_destroyed_describe(ompd_view_t *view, const struct view_row *row, struct text *text);

/* ---- group ----------------------------------------------------------------------------------- */

/* Rows grouped by the value of a field: -group made-at. */

/* Walk LIST to its end, and write a line or JSON row for each value of FIELD, most bytes first.
 * Memory use is proportional to the number of values.  RENDERER collects the legend.  Returns the
 * number of lines above the row limit. */
uint64_t view_groups_write(struct view_renderer *renderer, struct view_list *list,
                           const ompd_cl_field_t *field);

/* ---- operand --------------------------------------------------------------------------------- */

/* Finding the object that an operand names. */

/* Find the object of one of COUNT KINDS that WORD names: a cl handle (0x5555556027d0), a pointer to
 * an SVM allocation, or, for an SVM-free command, its event or a pointer that it frees.  False: it
 * was not found, and the command has failed. */
bool view_operand_find(ompd_view_t *view, const char *word, const ompd_cl_kind_t *kinds,
                       size_t count, struct view_object *object);

/* Find the object of any kind that WORD names.  False: the command has failed, or no object was
 * found and *ADDRESS is the value of WORD. */
bool view_operand_find_any(ompd_view_t *view, const char *word, struct view_object *object,
                           uint64_t *address);

/* ---- reference-site -------------------------------------------------------------------------- */

/* Descriptions of reference sites. */

/* Add "the variable `blur_ctx`", "frame 2 of LWP 4711 (thread 1), run_filter at blur.c:120", "a
 * heap block of 64 B at 0x555555a0c0f0": the site in the fields of ROW whose names begin with
 * PREFIX, which may be "". */
void view_reference_site_describe(ompd_view_t *view, const struct view_row *row, const char *prefix,
                                  struct text *text);

/* ---- wait-step ------------------------------------------------------------------------------- */

/* Descriptions of the steps of wait chains. */

/* Add the name of STEP: "command queue 0x5555556027d0", "LWP 4711 (thread 1)". */
void view_wait_step_name(struct view_renderer *renderer, const struct view_row *step,
                         struct text *text);

/* Add the name and the transition to the next step, or the end of the last one: "command queue
 * 0x5555556027d0, made at main at app.c:9 by LWP 4711 (thread 1), which waits for". */
void view_wait_step_describe(struct view_renderer *renderer, const struct view_row *step,
                             struct text *text);

/* Add the sentence about the end of the chain whose last step is STEP.  BACK is the name of the
 * step that a cycle returns to. */
void view_wait_step_end(struct view_renderer *renderer, const struct view_row *step,
                        const char *back, struct text *text);

/* ---- keepers --------------------------------------------------------------------------------- */

/* What keeps released objects alive, and mappings. */

/* Things of one kind that keep an object alive. */
struct view_keeper {
    uint64_t count;
    uint64_t handle; /* of the first, */
    ompd_cl_kind_t kind;
    uint64_t number; /* and of a command, which is named by its queue: its number there; of a
                      * kernel: which of its arguments the object is; */
    uint64_t last;   /* of the last command: its number; 0: commands of several queues; of the last
                      * kernel: its handle; of the last command buffer: its handle */
};

/* An object that the program has released, or mapped more than once. */
struct view_kept {
    ompd_cl_kind_t kind;
    uint64_t handle;
    uint64_t size;
    const char *name; /* "sub-buffer", "OpenCL context" */
    bool is_released;
    bool is_presumed; /* the runtime may have deleted it */
    bool is_counted;  /* from a layout: all its references are the runtime's */
    uint64_t mappings;
    struct view_keeper commands; /* unfinished commands that use it */
    struct view_keeper kernels;  /* whose argument it is */
    struct view_keeper children;
    bool is_proved; /* one of its kernels or children is certain to exist */
};

/* Begin with {0}. */
struct view_keepers {
    struct view_kept *all; /* by handle */
    size_t count;
};

/* Find all such objects of the target, or only the one with the cl handle ONLY if it is not 0, and
 * what keeps them alive. */
void view_keepers_find(struct view_keepers *keepers, ompd_view_t *view, uint64_t only);

/* The entry for the object of KIND with HANDLE; NULL: none. */
const struct view_kept *view_keepers_get(const struct view_keepers *keepers, ompd_cl_kind_t kind,
                                         uint64_t handle);

/* Whether any of them was mapped and never unmapped. */
bool view_keepers_are_mapped(const struct view_keepers *keepers);

void view_keepers_free(struct view_keepers *keepers);

/* Write "Released, but still alive: 40 memory objects" with END, and a line for each group of
 * similar objects: "  40 memory objects: commands 1 to 40 of command queue 0x1f have not finished
 * and use them".  Then write the mapped ones.  With END NULL, leave out the first line. */
void view_keepers_write(ompd_view_t *view, const struct view_keepers *keepers, const char *end);

/* Remove objects that are not released, and those that only other objects keep alive.  Unless
 * HAS_MAPPED, remove those that only mappings keep alive, too. */
void view_keepers_narrow(struct view_keepers *keepers, bool has_mapped);

/* Write a JSON row for each. */
void view_keepers_json_write(ompd_view_t *view, const struct view_keepers *keepers);

/* Add what keeps KEPT alive to JSON, as the key "keepers". */
struct json;
void view_kept_json_add(const struct view_kept *kept, struct json *json);

/* Add what keeps KEPT alive, in clauses: "50 mappings of it were never unmapped". */
void view_kept_describe(const struct view_kept *kept, struct text *text);

/* ---- listing --------------------------------------------------------------------------------- */

/* Writing a list as a table or as JSON Lines: filtered, and sorted if it is short. */

struct view_listing {
    ompd_cl_kind_t kind;
    const char *const *also; /* as struct view_table_options */
    /* The sort key of rows; NULL: their creation order. */
    uint64_t (*rank)(const struct view_row *row);
    bool is_small;  /* sort its rows whatever their number */
    uint64_t queue; /* cl handle of a command queue, to filter by; 0: any */
};

/* Write a list by the view's options.  Returns the number of rows, or UINT64_MAX if some are not
 * shown. */
uint64_t view_listing_write(struct view_renderer *renderer, const struct view_listing *listing);

/* For a verb that shows either one object or the list of KIND: fail the command if it is given an
 * object and an option for lists.  True: no such option. */
bool view_listing_options_refuse(ompd_view_t *view, ompd_cl_kind_t kind);

/* Write a note about MORE rows that are not shown because of the limit. */
void view_cut_note_write(ompd_view_t *view, const char *indent, uint64_t more);

/* ---- picture --------------------------------------------------------------------------------- */

/* Writing an image object to a PNG file, if the host can read its pixels. */

/* Write ROW, a memory object, to the file in the view's options, and report the result. */
void view_picture_write(ompd_view_t *view, const struct view_row *row);

/* The same in the JSON of ROW, as the key "image". */
void view_picture_add(struct json *json, ompd_view_t *view, const struct view_row *row);

/* ---- pixels ---------------------------------------------------------------------------------- */

/* The pixels of an image object, row by row, in the order of PNG. */

/* The largest width and height of a picture. */
#define PIXELS_LIMIT 1000000

/* An image with a format that PNG can store without loss. */
struct pixels {
    uint64_t address; /* of the first */
    uint64_t width;
    uint64_t height;
    uint64_t pitch;    /* bytes from one row to the next */
    unsigned size;     /* of a channel, bytes: 1 or 2 */
    unsigned channels; /* of a pixel in memory */
    unsigned shown;    /* of a pixel in the picture: 1 grey, 3 red, green and blue, 4 with alpha */
    const signed char *map; /* for each of these the channel in memory; -1: 0 */
};

/* Read the format of ROW, a memory object.  False: not possible, because of REASON. */
bool pixels_get(struct pixels *pixels, const struct view_row *row, struct text *reason);

/* Read row number INDEX into BYTES, which has width * shown * size bytes.  Two-byte numbers are
 * big-endian.  False: it could not be read, because of REASON, or the command has failed. */
bool pixels_row_get(const struct pixels *pixels, ompd_view_t *view, uint64_t index,
                    unsigned char *bytes, struct text *reason);

/* ---- sentences ------------------------------------------------------------------------------- */

/* Sentences around tables. */

/* Add "buffer 0x5555556027d0, 4096 B, CL_MEM_USE_HOST_PTR at 0x5555555580c0 <host>". */
void view_object_header(ompd_view_t *view, const struct view_row *row, struct text *text);

/* Add "2 destructor callbacks, in call order".  TOLD is the count in the object's row, which may be
 * unknown. */
void view_destructor_count(uint64_t count, struct view_value told, struct text *text);

/* Add what happens to the object ROW after its CALLBACKS have run, if anything is known. */
void view_after_destructors(ompd_view_t *view, const struct view_row *row,
                            const struct view_rows *callbacks, struct text *text);

/* Add "Portable Computing Language 3.1+debian (OpenCL 3.0)". */
void view_platform_describe(const char *name, const char *version, struct text *text);

/* Add "1 SVM free is enqueued".  PLURAL NULL: SINGULAR and an "s". */
void view_are_add(struct text *text, uint64_t count, const char *singular, const char *plural,
                  const char *what);

/* Add a state or kind in words: "waits for events", "SVM frees"; "?" if it is unknown. */
void view_words_add(const struct view_row *row, const char *field, struct text *text);

#endif
