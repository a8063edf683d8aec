/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows by the library's field table: what an info struct holds, without knowing its members. */
#ifndef OMPD_VIEW_ROW_H
#define OMPD_VIEW_ROW_H

#include <ompd-opencl.h>
#include <string.h>
#include <text/text.h>

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
    const char *text; /* of type text; why a verb's own value is not known; else "" */
};

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

#endif
