/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of the library and their lists, and the locations, objects and files that rows refer to. */
#ifndef OMPD_VIEW_MODEL_H
#define OMPD_VIEW_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <view/context/context.h>

/* ---- binding --------------------------------------------------------------------------------- */

/* Which code belongs to an OpenCL binding of a language: see ompd_view_code_is_binding. */

/* Read the front end's patterns for the command that begins.  If they changed, drop cached names.
 */
void view_bindings_take(ompd_view_t *view);

/* ---- function-name --------------------------------------------------------------------------- */

/* Short names of C++ and Rust functions.  Debuggers report all parameters and template arguments,
 * which can fill a screen. */

/* The length of NAME without its parameter list, which not all debuggers report. */
size_t view_function_length(const char *name);

/* Add NAME.  With HAS_LINE, drop the parameters: the file and line that follow tell overloads
 * apart. In long names template arguments become "<...>". */
void view_function_name(const char *name, bool has_line, struct text *text);

/* The last part of the function name in PLACE: "f at b.cc:9" in "a::b<c>::f at b.cc:9".  PLACE
 * itself if it names no file. */
const char *view_function_last(const char *place);

/* ---- row ------------------------------------------------------------------------------------- */

/* Access to rows by the library's field table, without knowing the members of info structs. */

#define VIEW_KIND_COUNT (ompd_cl_kind_message + 1)
#define VIEW_FIELDS 64 /* most fields of a kind */

/* A kind of row: static. */
struct view_kind {
    ompd_cl_kind_t number;
    const char *name; /* "memobj" */
    const ompd_cl_noun_t *noun;
    ompd_size_t size; /* of its info struct, bytes */
    bool has_id;      /* an object id follows struct_size */
    const ompd_cl_field_t *fields[VIEW_FIELDS];
    size_t field_count;
};

/* One object, as the library reports it. */
struct view_row {
    const struct view_kind *kind;
    const unsigned char *bytes; /* its info struct, not owned */
};

/* The value and status of a field (ompd_cl_value_t or ompd_cl_text_t), or of a verb's own value. */
struct view_value {
    uint64_t value;
    ompd_cl_status_t status;
    uint32_t lwp;
    const char *text; /* of type text: its short form; or why a verb's own value is unknown; else
                       * "" */
    bool is_text;
    uint64_t key;    /* of type text, for view_text_read */
    uint64_t length; /* of type text: bytes of all of it */
};

/* Add to WHOLE all of VALUE, of type text.  False: the rest of it is not known. */
bool view_text_read(ompd_view_t *view, struct view_value value, struct text *whole);

/* The kind with this number; never NULL. */
const struct view_kind *view_kind_get(ompd_cl_kind_t number);

/* Whether a kind with this number exists. */
bool view_kind_is_known(ompd_cl_kind_t number);

/* Whether objects of this kind are Embree's. */
static inline bool view_kind_is_embree(uint64_t number)
{
    return number >= ompd_cl_kind_embree_device && number <= ompd_cl_kind_embree_buffer;
}

/* Whether the command is about objects of KIND: `embree check` is about those of Embree alone. */
static inline bool view_kind_is_shown(const ompd_view_t *view, uint64_t kind)
{
    return !view->options.is_of_embree || view_kind_is_embree(kind);
}

/* Whether two names are equal.  The first characters are compared inline, because a list of a
 * million rows looks up its fields by name. */
static inline bool view_name_is(const char *one, const char *other)
{
    return *one == *other && strcmp(one, other) == 0;
}

/* The field called NAME; NULL: none. */
const ompd_cl_field_t *view_kind_field(const struct view_kind *kind, const char *name);

/* The name of the field with the bytes of an object of KIND, if there is one. */
static inline const char *view_kind_size(const struct view_kind *kind)
{
    return view_kind_is_embree(kind->number) ? "bytes" : "size";
}

/* The object id of a row; 0 if its kind has none. */
uint64_t view_row_id(const struct view_row *row);

/* The cl handle or pointer of the object that a row describes or refers to; 0: unknown. */
uint64_t view_row_handle(const struct view_row *row);

/* The value of a field of ROW, with status none if the kind has no field called NAME. */
struct view_value view_row_value(const struct view_row *row, const char *name);
struct view_value view_row_field(const struct view_row *row, const ompd_cl_field_t *field);

/* The value of a field; 0 if it is unknown. */
uint64_t view_row_number(const struct view_row *row, const char *name);

/* Add the name of the value of a field of type name or state; "?" if it is unknown.  A value
 * without a name becomes "kind 12". */
void view_row_name(const struct view_row *row, const char *name, struct text *text);

/* Whether `value` or `text` is valid. */
bool view_value_is_known(struct view_value value);

/* Whether the value is presumed. */
bool view_value_is_presumed(struct view_value value);

/* The prefix of a count: "at least " or "". */
const char *view_value_bound(struct view_value value);

/* Whether the field does not apply to the object. */
bool view_value_is_absent(struct view_value value);

/* Whether VALUE of ROW is unknown because the recorder has not recorded the object. */
bool view_row_is_unrecorded(const struct view_row *row, struct view_value value);

/* Add why there is no value: "not observed". */
void view_value_reason(struct view_value value, struct text *text);

/* The name of VALUE of a field of type name or state; NULL: none. */
const char *view_field_name(const ompd_cl_field_t *field, uint64_t value);

/* Add the description of VALUE for people, or else its name. */
void view_field_text_add(const ompd_cl_field_t *field, uint64_t value, struct text *text);

/* Add the name of VALUE, or "kind 12" if it has none. */
void view_field_name_add(const ompd_cl_field_t *field, uint64_t value, struct text *text);

/* ---- list ------------------------------------------------------------------------------------ */

/* Walks over the library's lists, in constant memory. */

/* A walk.  Members are private to list.c unless their comment says so. */
struct view_list {
    ompd_view_t *view;
    const struct view_kind *kind;
    ompd_cl_list_t number;
    unsigned char *buffer;
    size_t capacity; /* rows */
    size_t count;    /* of them, filled */
    size_t position; /* of these, returned */
    bool is_open;
    bool is_told;           /* report progress, because the walk may be long */
    uint64_t unsaved_reads; /* of the target, before */
    uint64_t total;         /* for all to read: rows so far */
    uint64_t unreadable;    /* for all to read: rows so far that could not be read */
    ompd_rc_t rc;           /* for all to read: the result of the last call */
    bool is_unknown;        /* for all to read, at the end: no rows, but some may exist */
    /* For all to read, at the end of a list of all objects: */
    bool has_incompleteness; /* the view has sentences about what is missing */
    bool is_short;           /* part of it is missing */
};

/* Open the list of all objects of a kind that match FILTER, which may be NULL. */
void view_list_open(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                    const ompd_cl_filter_t *filter);

/* Open the list of the parts of OWNER: destructor callbacks in call order, pointers of an SVM-free
 * command, events in a wait list, calls and callbacks of a thread, or reference sites. */
void view_list_open_parts(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                          const struct view_row *owner);

/* The same as view_list_open, but ompd_rc_unavailable (the recorder does not record it) and
 * ompd_rc_unsupported (the front end does not provide it) do not fail the command; see `rc`. */
void view_list_open_optional(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                             const ompd_cl_filter_t *filter);

/* Read the next row, valid until the next call.  False: no more rows, or the command failed. */
bool view_list_next(struct view_list *list, struct view_row *row);

/* Close the list, at its end or before.  Its counts stay valid. */
void view_list_close(struct view_list *list);

/* Close the lists of a command that ran out of memory. */
void view_lists_close(ompd_view_t *view);

/* Add a sentence about the rows that could not be read.  There must be some. */
void view_list_describe_unreadable(const struct view_list *list, struct text *text);

/* Large enough for the info struct of any kind, bytes. */
#define VIEW_ROW_SIZE 1024

/* One object with its own copy of the info struct. */
struct view_object {
    struct view_row row;
    uint64_t bytes[VIEW_ROW_SIZE / sizeof(uint64_t)]; /* its info struct */
};

/* Read the object ID of a kind.  The result is not recorded in the view; pass it to view_check. */
ompd_rc_t view_object_get(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t id,
                          struct view_object *object);

/* Copy ROW, an info struct of KIND from a caller of the view.  False: it is invalid. */
bool view_object_copy(struct view_object *object, ompd_cl_kind_t kind, const void *row);

/* Find the object of a kind by its cl handle: *ID is set to its id, or to 0.  The result is not
 * recorded in the view. */
ompd_rc_t view_object_find(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t handle, uint64_t *id);

/* Read the object of a kind by its cl handle, for additional detail.  False: not found, or unknown;
 * this does not fail the command. */
bool view_object_lookup(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t handle,
                        struct view_object *object);

/* ---- pending --------------------------------------------------------------------------------- */

/* Unfinished commands by queue, and what the first of each queue waits for. */

#define VIEW_PENDING_QUEUES 64 /* others are left out */

struct view_pending_queue {
    uint64_t handle;
    uint64_t count;
    uint64_t first;    /* number of the first command, and */
    uint64_t first_id; /* its id */
    uint64_t event;    /* unfinished event that it waits for; 0: none known */
    bool is_user;      /* the event is a user event */
};

struct view_pending {
    struct view_pending_queue queues[VIEW_PENDING_QUEUES];
    size_t count;
};

/* Find the queues with unfinished commands, as far as the recorder knows. */
void view_pending_find(struct view_pending *pending, ompd_view_t *view);

/* Add "20000 commands are pending behind user event 0x1f". */
void view_pending_describe(const struct view_pending_queue *queue, struct text *text);

/* Add " behind user event 0x1f", if it is known. */
void view_pending_blocker_add(const struct view_pending_queue *queue, struct text *text);

/* The queue with HANDLE; NULL: it has no pending commands. */
const struct view_pending_queue *view_pending_get(const struct view_pending *pending,
                                                  uint64_t handle);

/* ---- source-location ------------------------------------------------------------------------- */

/* Descriptions of code and data addresses, and of threads. */

/* The location of the code at ADDRESS, cached.  IS_CALLER: it is a return address.  Valid until the
 * next call. */
const ompd_view_place_t *view_location_get(ompd_view_t *view, uint64_t address, bool is_caller);

/* Add "d2 at app.c:9", "d2 in libapp.so", "libapp.so+0x1139" or "0x555555555139". */
void view_location_describe(ompd_view_t *view, uint64_t address, bool is_caller, struct text *text);

/* The variable at the data ADDRESS; NULL: not known.  Valid until the next call. */
const char *view_location_variable(ompd_view_t *view, uint64_t address);

/* Add "0x5555555580c0 <host+16>": a data address and its variable. */
void view_location_data(ompd_view_t *view, uint64_t address, struct text *text);

/* A call has inlining levels: level 0 is the source function that makes it, level 1 the function
 * that this one is inlined into, and so on. */
#define VIEW_NO_LEVEL SIZE_MAX

/* The first level outside bindings of the call that returns to ADDRESS; VIEW_NO_LEVEL: none. */
size_t view_location_own_level(ompd_view_t *view, uint64_t address);

/* As view_location_describe, for LEVEL of the call that returns to ADDRESS. */
void view_location_level_describe(ompd_view_t *view, uint64_t address, size_t level,
                                  struct text *text);

/* Whether the call that returns to ADDRESS calls main(). */
bool view_location_is_main(ompd_view_t *view, uint64_t address);

/* Add ", inlined in f at app.c:3 in g at app.c:9" for LEVEL of PLACE; nothing if it is not
 * inlined. */
void view_location_inlined(const ompd_view_place_t *place, size_t level, struct text *text);

/* The number of FRAMES, of COUNT, up to the start function of a thread. */
size_t view_location_thread_frames(ompd_view_t *view, const ompd_addr_t *frames, size_t count);

/* Add the lines of a call stack, innermost first: INDENT, "#0 main at app.c:9", newline.  With
 * INDENT NULL, leave out the numbers too. */
void view_location_stack(ompd_view_t *view, const ompd_addr_t *frames, size_t count,
                         const char *indent, struct text *text);

/* The same, from LEVEL of the first frame on. */
void view_location_stack_from(ompd_view_t *view, const ompd_addr_t *frames, size_t count,
                              size_t level, const char *indent, struct text *text);

/* Add the stack in one line, "keep at blur.c:20 < main at blur.c:44", up to a maximum length. */
void view_location_chain(ompd_view_t *view, const ompd_addr_t *frames, size_t count, size_t level,
                         struct text *text);

/* Add "LWP 4711 (thread 1)", or within brackets "LWP 4711, thread 1". */
void view_thread_describe(const ompd_view_t *view, uint64_t lwp, bool is_in_brackets,
                          struct text *text);

/* The most frames read of a call stack. */
#define VIEW_STACK_FRAMES 128

/* Read the frames of a field of type stack, at most VIEW_STACK_FRAMES.  Returns their number; 0 if
 * there are none or they cannot be read. */
size_t view_stack_get(ompd_view_t *view, uint64_t stack, ompd_addr_t *frames);

/* Free the cache *PLACES, which may be NULL. */
struct view_location_cache;
void view_location_cache_free(struct view_location_cache **places);

/* ---- rows ------------------------------------------------------------------------------------ */

/* Rows held in memory, such as the parts of one object. */

/* Begin with {0}: none. */
struct view_rows {
    const struct view_kind *kind;
    unsigned char *bytes; /* consecutive info structs */
    size_t count;
    bool is_unknown;     /* no rows, but some may exist unseen */
    uint64_t unreadable; /* rows that could not be read */
    struct text note;    /* the sentence about them; else empty */
};

/* Replace ROWS by all rows of LIST, and close LIST. */
void view_rows_read(struct view_rows *rows, struct view_list *list);

/* The same, but only rows about the object with HANDLE. */
void view_rows_read_about(struct view_rows *rows, struct view_list *list, uint64_t handle);

/* The row at INDEX, valid as long as ROWS is unchanged. */
struct view_row view_rows_get(const struct view_rows *rows, size_t index);

/* Free the rows. */
void view_rows_free(struct view_rows *rows);

/* ---- site ------------------------------------------------------------------------------------ */

/* The call site in the program: frames of bindings are skipped, see "binding". */

/* A call in the program; if all calls are in bindings, the innermost. */
struct view_site {
    uint64_t address; /* a return address */
    size_t level;     /* inlining level, see "source-location" */
    size_t frame;     /* its number in the call stack */
};

/* The call site of a call stack of COUNT FRAMES, at least one. */
struct view_site view_site_of_frames(ompd_view_t *view, const ompd_addr_t *frames, size_t count);

/* The call site of the call that returns to CALLER.  STACK is the key of the call stack; 0:
 * unknown. */
struct view_site view_site_get(ompd_view_t *view, uint64_t caller, uint64_t stack);

/* The call site of the field NAME of ROW, which must be known. */
struct view_site view_site_of_field(ompd_view_t *view, const struct view_row *row,
                                    const char *name);

/* Add "main at app.c:9". */
void view_site_describe(ompd_view_t *view, struct view_site site, struct text *text);

/* Add the call site of the field NAME of ROW. */
void view_site_describe_field(ompd_view_t *view, const struct view_row *row, const char *name,
                              struct text *text);

/* Add the lines of a call stack from its call site on: see view_location_stack. */
void view_site_stack(ompd_view_t *view, const ompd_addr_t *frames, size_t count, const char *indent,
                     struct text *text);

/* Add the same in a line: see view_location_chain. */
void view_site_chain(ompd_view_t *view, const ompd_addr_t *frames, size_t count, struct text *text);

/* ---- sources --------------------------------------------------------------------------------- */

/* The sources of a target: its recorder, and the layouts of its OpenCL runtimes. */

/* The sources that the overview of a target reports. */
struct view_sources {
    const struct view_row *overview;
    struct view_rows runtimes;
};

/* Whether any source of objects of KIND exists; else the command fails with the reason.  This does
 * not search memory, and keeps the library's snapshot. */
bool view_sources_need(ompd_view_t *view, ompd_cl_kind_t kind);

/* The same for objects of any kind. */
bool view_sources_need_any(ompd_view_t *view);

/* Find the sources of the target whose OVERVIEW this is. */
void view_sources_find(struct view_sources *sources, ompd_view_t *view,
                       const struct view_row *overview);

/* Free SOURCES. */
void view_sources_free(struct view_sources *sources);

/* Whether the recorder is among the sources of OVERVIEW. */
bool view_sources_have_recorder(const struct view_row *overview);

/* Add "  sources: recorder 1.1, layout libpocl.so.2.10.0 (build-id 4a4365a4)\n". */
void view_sources_add(const struct view_sources *sources, struct text *text);

/* Add the names of the runtimes with objects, each followed by ", ". */
void view_sources_add_platforms(const struct view_sources *sources, struct text *text);

/* Write notes about what no source covers, and how to learn it.  Each line begins with INDENT. */
void view_sources_write_notes(const struct view_sources *sources, ompd_view_t *view,
                              const char *indent);

/* ---- name-cache ------------------------------------------------------------------------------ */

/* What a view caches for an address space between commands: names of addresses, and the objects of
 * the row numbers of its lists. */

/* The rows of the last list of one kind, in order. */
struct view_shown_list {
    uint64_t *ids;
    uint64_t *handles; /* the objects that the rows are about */
    size_t count;
};

struct view_name_cache {
    struct view_name_cache *next;
    ompd_address_space_handle_t *space;
    struct view_location_cache *places; /* of source-location.c */
    struct view_shown_list lists[VIEW_KIND_COUNT];
    ompd_cl_kind_t last; /* the list shown last; 0: none */
};

/* The cache for the command's address space. */
struct view_name_cache *view_name_cache_get(ompd_view_t *view);

/* A list of KIND with at least one row is about to be shown: forget the row numbers of the previous
 * one. */
void view_name_cache_list_begin(ompd_view_t *view, const struct view_kind *kind);

/* Add the next ROW of that list. */
void view_name_cache_list_add(ompd_view_t *view, const struct view_row *row);

/* See ompd_view_space_forget. */
void view_name_cache_forget(ompd_view_t *view, ompd_address_space_handle_t *space, bool is_gone);

/* ---- contents-type --------------------------------------------------------------------------- */

/* The OpenCL C types for showing memory (OpenCL C 3.0 sections 6.3.1 and 6.3.2). */

enum contents_form { contents_signed, contents_unsigned, contents_float };

#define CONTENTS_LINE 16 /* most numbers on a line */

/* A scalar or a vector. */
struct contents_type {
    enum contents_form form;
    unsigned size;     /* of a number, bytes */
    unsigned lanes;    /* numbers of a value */
    unsigned stride;   /* numbers from one value to the next: a vector of 3 takes as much as of 4 */
    unsigned per_line; /* values on a line */
    unsigned width;    /* columns of a right-justified scalar */
};

/* The type called NAME; false: no such type. */
bool contents_type_get(const char *name, struct contents_type *type);

/* Add the name of type number INDEX; false: no more types. */
bool contents_type_name_add(size_t index, struct text *text);

/* Add NUMBER, whose bits are in the lowest bytes: "-1", "0.5", "nan". */
void contents_number_add(const struct contents_type *type, uint64_t number, struct text *text);

/* Whether NUMBER is neither infinite nor NaN. */
bool contents_number_is_finite(const struct contents_type *type, uint64_t number);

#endif
