/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the library tells, as rows: lists of them, and the places, objects and files that they name.
 */
#ifndef OMPD_VIEW_MODEL_H
#define OMPD_VIEW_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <view/context/context.h>

/* ---- binding --------------------------------------------------------------------------------- */

/* Which code is of a binding of OpenCL to a language, not of the program: see
 * ompd_view_code_is_binding. */

/* A command begins: ask the front end for its patterns.  What was said by others is forgotten. */
void view_bindings_take(ompd_view_t *view);

/* ---- function-name --------------------------------------------------------------------------- */

/* Names of functions of C++ and Rust as people read them: debuggers give them with all parameters
 * and arguments of templates, which can take a screen. */

/* The length of NAME without its list of parameters: debuggers differ in whether they give one. */
size_t view_function_length(const char *name);

/* Add NAME.  HAS_LINE: a file and line stand behind it and tell functions of one name apart, so
 * that it goes without its parameters; arguments of templates become "<...>" where it is long. */
void view_function_name(const char *name, bool has_line, struct text *text);

/* Where the last part of the name begins that PLACE, "a::b<c>::f at b.cc:9", begins with: at f.
 * PLACE itself where no file is named. */
const char *view_function_last(const char *place);

/* ---- row ------------------------------------------------------------------------------------- */

/* Rows by the library's field table: what an info struct holds, without knowing its members. */

#define VIEW_KIND_COUNT (ompd_cl_kind_argument + 1)
#define VIEW_FIELDS 64 /* of a kind, at most */

/* A kind of row: static. */
struct view_kind {
    ompd_cl_kind_t number;
    const char *name; /* "memobj" */
    const ompd_cl_noun_t *noun;
    ompd_size_t size; /* of its info struct, bytes */
    bool has_id;      /* an object id stands behind struct_size */
    const ompd_cl_field_t *fields[VIEW_FIELDS];
    size_t field_count;
};

/* One object, as the library described it. */
struct view_row {
    const struct view_kind *kind;
    const unsigned char *bytes; /* its info struct, of whoever gave the row */
};

/* What is known of one field, an ompd_cl_value_t or an ompd_cl_text_t; or of a verb's own value. */
struct view_value {
    uint64_t value;
    ompd_cl_status_t status;
    uint32_t lwp;
    const char *text; /* of type text: its short form; why a verb's own value is not known; else
                       * "" */
    bool is_text;
    uint64_t key;    /* of type text, for view_text_read */
    uint64_t length; /* of type text: bytes of all of it */
};

/* Add to WHOLE all of VALUE, of type text.  False: the rest of it is not known. */
bool view_text_read(ompd_view_t *view, struct view_value value, struct text *whole);

/* The kind of a number: never NULL. */
const struct view_kind *view_kind_get(ompd_cl_kind_t number);

/* Whether there are rows of a kind with this number. */
bool view_kind_is_known(ompd_cl_kind_t number);

/* Whether two names are the same.  The call is worth its cost only where their first characters
 * are: rows by the million look their fields up. */
static inline bool view_name_is(const char *one, const char *other)
{
    return *one == *other && strcmp(one, other) == 0;
}

/* The field called NAME; NULL: there is none. */
const ompd_cl_field_t *view_kind_field(const struct view_kind *kind, const char *name);

/* The object id of a row of a kind that has one; 0 for others. */
uint64_t view_row_id(const struct view_row *row);

/* The cl handle or pointer of the object that a row is, or is about; 0 when it is not known. */
uint64_t view_row_handle(const struct view_row *row);

/* What is known of a field of ROW; of status none where the kind has no field called NAME. */
struct view_value view_row_value(const struct view_row *row, const char *name);
struct view_value view_row_field(const struct view_row *row, const ompd_cl_field_t *field);

/* The value of a field; 0 when it is not known. */
uint64_t view_row_number(const struct view_row *row, const char *name);

/* The name of a value of a field of type name or state; "?" when it is not known.  A value without
 * a name is given as "kind 12". */
void view_row_name(const struct view_row *row, const char *name, struct text *text);

/* Whether `value` or `text` says something. */
bool view_value_is_known(struct view_value value);

/* Whether that is not proved. */
bool view_value_is_presumed(struct view_value value);

/* What stands before a count: "at least " or nothing. */
const char *view_value_bound(struct view_value value);

/* Whether the object has no such thing. */
bool view_value_is_absent(struct view_value value);

/* Whether VALUE of ROW is not known because the recorder does not have the object. */
bool view_row_is_unrecorded(const struct view_row *row, struct view_value value);

/* Add why there is no value: "not observed". */
void view_value_reason(struct view_value value, struct text *text);

/* The name of VALUE of a field of type name or state; NULL: it has none. */
const char *view_field_name(const ompd_cl_field_t *field, uint64_t value);

/* Add what it means, in words for people; where there are none, its name. */
void view_field_text_add(const ompd_cl_field_t *field, uint64_t value, struct text *text);

/* Add that name; "kind 12" for a value without one. */
void view_field_name_add(const ompd_cl_field_t *field, uint64_t value, struct text *text);

/* ---- list ------------------------------------------------------------------------------------ */

/* Walking the library's lists, with the same memory however long they are. */

/* A walk.  All members are list.c's, but for those that say so. */
struct view_list {
    ompd_view_t *view;
    const struct view_kind *kind;
    ompd_cl_list_t number;
    unsigned char *buffer;
    size_t capacity; /* rows */
    size_t count;    /* of them, filled */
    size_t position; /* of these, given */
    bool is_open;
    bool is_told;           /* how far it is: it may be long */
    uint64_t unsaved_reads; /* of the target, before */
    uint64_t total;         /* for all to read: rows so far */
    uint64_t unreadable;    /* for all to read: rows so far that could not be read */
    ompd_rc_t rc;           /* for all to read: of the call that ended it; else ompd_rc_ok */
    bool is_unknown;        /* for all to read, at the end: none was given, but there may be some */
    /* For all to read, at the end of a list of all objects: */
    bool has_incompleteness; /* the view has sentences about what it leaves open, and */
    bool is_short;           /* part of it is missing */
};

/* Open the list of all objects of a kind that meet FILTER, which may be NULL. */
void view_list_open(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                    const ompd_cl_filter_t *filter);

/* Open the list of what belongs to OWNER: its destructor callbacks in call order, an SVM-free
 * command's pointers or the events it waits for, the calls and callbacks that a thread is in, the
 * places that have a handle. */
void view_list_open_parts(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                          const struct view_row *owner);

/* Open either so that ompd_rc_unavailable, of a recorder that keeps no such thing, and
 * ompd_rc_unsupported, of a front end that does not tell, are no failure of the view: `rc` tells.
 */
void view_list_open_optional(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                             const ompd_cl_filter_t *filter);

/* Give the next row, good until the next call; false: there is none, or it failed, which is in the
 * view. */
bool view_list_next(struct view_list *list, struct view_row *row);

/* Give the list back, walked to its end or not; its counts stay. */
void view_list_close(struct view_list *list);

/* Close the lists of a command that ended where its memory did. */
void view_lists_close(ompd_view_t *view);

/* Add the sentence for the rows that could not be read: there are some. */
void view_list_describe_unreadable(const struct view_list *list, struct text *text);

/* Bytes that hold the info struct of any kind. */
#define VIEW_ROW_SIZE 1024

/* One object that was asked for by itself. */
struct view_object {
    struct view_row row;
    uint64_t bytes[VIEW_ROW_SIZE / sizeof(uint64_t)]; /* its info struct */
};

/* Fill OBJECT with what is known of the object ID of a kind.  What the library returned is not kept
 * in the view: view_check does. */
ompd_rc_t view_object_get(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t id,
                          struct view_object *object);

/* Fill OBJECT with ROW, an info struct of KIND that a caller of the view gave.  False: it is none.
 */
bool view_object_copy(struct view_object *object, ompd_cl_kind_t kind, const void *row);

/* Find the object of a kind that has the cl handle HANDLE, likewise: *ID gets its id, 0 for none.
 */
ompd_rc_t view_object_find(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t handle, uint64_t *id);

/* Fill OBJECT with what is known of the object of a kind that has the cl handle HANDLE, for what is
 * said beside the answer.  False: there is none, or nothing is known of it. */
bool view_object_lookup(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t handle,
                        struct view_object *object);

/* ---- pending --------------------------------------------------------------------------------- */

/* Commands that are not over, queue by queue, and what the first of each waits for. */

#define VIEW_PENDING_QUEUES 64 /* others are left out */

struct view_pending_queue {
    uint64_t handle;
    uint64_t count;
    uint64_t first;    /* number of the first command, and */
    uint64_t first_id; /* its id */
    uint64_t event;    /* that it waits for and that is not over; 0: none is known */
    bool is_user;      /* which the program is to set */
};

struct view_pending {
    struct view_pending_queue queues[VIEW_PENDING_QUEUES];
    size_t count;
};

/* Find the queues with commands that are not over, as far as the recorder knows. */
void view_pending_find(struct view_pending *pending, ompd_view_t *view);

/* Add "20000 commands are pending behind user event 0x1f". */
void view_pending_describe(const struct view_pending_queue *queue, struct text *text);

/* Add " behind user event 0x1f", where that is known. */
void view_pending_blocker_add(const struct view_pending_queue *queue, struct text *text);

/* The queue with HANDLE; NULL: none of its commands is pending. */
const struct view_pending_queue *view_pending_get(const struct view_pending *pending,
                                                  uint64_t handle);

/* ---- place ----------------------------------------------------------------------------------- */

/* Addresses of code and data, and threads, in words. */

/* What is known of the code at ADDRESS, asked for once as long as it is remembered.  IS_CALLER: it
 * is a return address.  Good until the next call. */
const ompd_view_place_t *view_location_get(ompd_view_t *view, uint64_t address, bool is_caller);

/* Add "d2 at app.c:9", "d2 in libapp.so", "libapp.so+0x1139" or "0x555555555139". */
void view_location_describe(ompd_view_t *view, uint64_t address, bool is_caller, struct text *text);

/* The variable that ADDRESS of data lies in; NULL: not known.  Good until the next call. */
const char *view_location_variable(ompd_view_t *view, uint64_t address);

/* Add "0x5555555580c0 <host+16>": an address of data, and the variable that it lies in. */
void view_location_data(ompd_view_t *view, uint64_t address, struct text *text);

/* A call that returns to an address has levels: 0 is the function that it is in by source, 1 that
 * which this is inlined into, and so on. */
#define VIEW_NO_LEVEL SIZE_MAX

/* The first level of the call that returns to ADDRESS which is no binding's; VIEW_NO_LEVEL: none.
 */
size_t view_location_own_level(ompd_view_t *view, uint64_t address);

/* As view_location_describe, of LEVEL of the call that returns to ADDRESS. */
void view_location_level_describe(ompd_view_t *view, uint64_t address, size_t level,
                                  struct text *text);

/* Whether the call that returns to ADDRESS is of main(). */
bool view_location_is_main(ompd_view_t *view, uint64_t address);

/* Add ", inlined in f at app.c:3 in g at app.c:9" for what LEVEL of PLACE is inlined into; nothing
 * when that is nothing. */
void view_location_inlined(const ompd_view_place_t *place, size_t level, struct text *text);

/* How many of the COUNT FRAMES are up to the function that a thread was begun with. */
size_t view_location_thread_frames(ompd_view_t *view, const ompd_addr_t *frames, size_t count);

/* Add the lines of a call stack, innermost first: INDENT, "#0 main at app.c:9", newline.  With NULL
 * as INDENT there are no numbers either. */
void view_location_stack(ompd_view_t *view, const ompd_addr_t *frames, size_t count,
                         const char *indent, struct text *text);

/* The same, from LEVEL of the first frame on. */
void view_location_stack_from(ompd_view_t *view, const ompd_addr_t *frames, size_t count,
                              size_t level, const char *indent, struct text *text);

/* Add the latter in a line, "keep at blur.c:20 < main at blur.c:44", as far as that is not too
 * long. */
void view_location_chain(ompd_view_t *view, const ompd_addr_t *frames, size_t count, size_t level,
                         struct text *text);

/* Add "LWP 4711 (thread 1)", or within brackets "LWP 4711, thread 1". */
void view_thread_describe(const ompd_view_t *view, uint64_t lwp, bool is_in_brackets,
                          struct text *text);

/* Most frames that are asked of a call stack. */
#define VIEW_STACK_FRAMES 128

/* Give the frames of a field of type stack, at most VIEW_STACK_FRAMES.  Returns how many: 0 when
 * there are none or they could not be read. */
size_t view_stack_get(ompd_view_t *view, uint64_t stack, ompd_addr_t *frames);

/* Give back what was remembered in *PLACES, which may be NULL. */
struct view_location_cache;
void view_location_cache_free(struct view_location_cache **places);

/* ---- rows ------------------------------------------------------------------------------------ */

/* Rows that are kept together: what belongs to one object. */

/* Begin with {0}: none. */
struct view_rows {
    const struct view_kind *kind;
    unsigned char *bytes; /* info structs, one behind the other */
    size_t count;
    bool is_unknown;     /* there are none, but there may be some that nothing tells */
    uint64_t unreadable; /* rows that could not be read, */
    struct text note;    /* and the sentence for them; empty when there are none */
};

/* Keep all rows of LIST, which is walked to its end and closed, in place of those kept before. */
void view_rows_read(struct view_rows *rows, struct view_list *list);

/* The same of those alone that are about the object with HANDLE. */
void view_rows_read_about(struct view_rows *rows, struct view_list *list, uint64_t handle);

/* The row at INDEX, good as long as ROWS keep it. */
struct view_row view_rows_get(const struct view_rows *rows, size_t index);

/* Give them back. */
void view_rows_free(struct view_rows *rows);

/* ---- site ------------------------------------------------------------------------------------ */

/* Where the program has called OpenCL: bindings are passed over, see "binding". */

/* A call of the program, or where all calls are of bindings the innermost. */
struct view_site {
    uint64_t address; /* a return address */
    size_t level;     /* of it, see "place" */
    size_t frame;     /* its number in the call stack */
};

/* That of a call stack of COUNT FRAMES, of which there is one. */
struct view_site view_site_of_frames(ompd_view_t *view, const ompd_addr_t *frames, size_t count);

/* That of the call that returns to CALLER; STACK is the key of the call stack, 0 where that is not
 * known. */
struct view_site view_site_get(ompd_view_t *view, uint64_t caller, uint64_t stack);

/* That of the field NAME of ROW, a known return address. */
struct view_site view_site_of_field(ompd_view_t *view, const struct view_row *row,
                                    const char *name);

/* Add "main at app.c:9". */
void view_site_describe(ompd_view_t *view, struct view_site site, struct text *text);

/* Add that of the field NAME of ROW. */
void view_site_describe_field(ompd_view_t *view, const struct view_row *row, const char *name,
                              struct text *text);

/* Add the lines of a call stack from its site on: see view_location_stack. */
void view_site_stack(ompd_view_t *view, const ompd_addr_t *frames, size_t count, const char *indent,
                     struct text *text);

/* Add the same in a line: see view_location_chain. */
void view_site_chain(ompd_view_t *view, const ompd_addr_t *frames, size_t count, struct text *text);

/* ---- sources --------------------------------------------------------------------------------- */

/* Where what is shown of a target comes from: its recorder, and layouts of its OpenCL runtimes. */

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

/* ---- space ----------------------------------------------------------------------------------- */

/* What a view remembers of an address space between commands: names of addresses, and which objects
 * the numbers of its lists stand for. */

/* The rows of the last list of one kind, by their number, counted from 1. */
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
    ompd_cl_kind_t last; /* the list that was shown last; 0: none was */
};

/* That of the address space which the command is about. */
struct view_name_cache *view_name_cache_get(ompd_view_t *view);

/* A list of rows of KIND, which has some, is about to be shown: its numbers replace those of the
 * one before. */
void view_name_cache_list_begin(ompd_view_t *view, const struct view_kind *kind);

/* Remember ROW of it, the next in order. */
void view_name_cache_list_add(ompd_view_t *view, const struct view_row *row);

/* See ompd_view_space_forget. */
void view_name_cache_forget(ompd_view_t *view, ompd_address_space_handle_t *space, bool is_gone);

/* ---- contents-type --------------------------------------------------------------------------- */

/* The types of OpenCL C that memory is shown as (OpenCL C 3.0 sections 6.3.1 and 6.3.2). */

enum contents_form { contents_signed, contents_unsigned, contents_float };

#define CONTENTS_LINE 16 /* numbers on a line, at most */

/* A scalar or a vector. */
struct contents_type {
    enum contents_form form;
    unsigned size;     /* of a number, bytes */
    unsigned lanes;    /* numbers of a value */
    unsigned stride;   /* numbers from one value to the next: a vector of 3 takes as much as of 4 */
    unsigned per_line; /* values on a line */
    unsigned width;    /* columns that a scalar is moved right to fill */
};

/* The type called NAME; false: there is none. */
bool contents_type_get(const char *name, struct contents_type *type);

/* Add the name of type number INDEX; false: there are no more. */
bool contents_type_name_add(size_t index, struct text *text);

/* Add NUMBER, its bits in the lowest bytes: "-1", "0.5", "nan". */
void contents_number_add(const struct contents_type *type, uint64_t number, struct text *text);

/* Whether NUMBER is neither infinite nor none at all. */
bool contents_number_is_finite(const struct contents_type *type, uint64_t number);

#endif
