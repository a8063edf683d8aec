/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows by the library's field table: what an info struct holds, without knowing its members. */
#ifndef OMPD_HOST_COMMAND_ROW_H
#define OMPD_HOST_COMMAND_ROW_H

#include <host/command/text.h>
#include <ompd-opencl.h>

/* What rows of a kind are called. */
struct command_noun {
    const char *singular; /* "memory object"; NULL: people do not speak of them */
    const char *plural;
    const char *article;
};

/* A kind of row: static, and good to the command's end. */
struct command_kind {
    ompd_cl_kind_t number;
    const char *name; /* "memobj" */
    struct command_noun noun;
    size_t size; /* of its info struct, bytes */
    bool has_id; /* an object id stands behind struct_size */
    const ompd_cl_field_t **fields;
    size_t field_count;
};

/* One object, as the library described it. */
struct command_row {
    const struct command_kind *kind;
    const unsigned char *bytes; /* its info struct, of whoever gave the row */
};

/* What is known of one field: an ompd_cl_value_t or an ompd_cl_text_t. */
struct command_value {
    uint64_t value;
    ompd_cl_status_t status;
    uint32_t lwp;
    const char *text; /* of type text; else "" */
};

/* The kind of a number: never NULL. */
const struct command_kind *command_kind_get(ompd_cl_kind_t number);

/* The field called NAME; NULL: there is none. */
const ompd_cl_field_t *command_kind_field(const struct command_kind *kind, const char *name);

/* The object id of a row of a kind that has one; 0 for others. */
uint64_t command_row_id(const struct command_row *row);

/* What is known of a field of ROW; of status none where the kind has no field called NAME. */
struct command_value command_row_value(const struct command_row *row, const char *name);
struct command_value command_row_field(const struct command_row *row, const ompd_cl_field_t *field);

/* The value of a field; 0 when it is not known. */
uint64_t command_row_number(const struct command_row *row, const char *name);

/* The name of a value of a field of type name or state; "?" when it is not known.  A value without
 * a name is given as "kind 12". */
void command_row_name(const struct command_row *row, const char *name, struct command_text *text);

/* Whether `value` or `text` says something. */
bool command_value_is_known(struct command_value value);

/* Whether that is not proved. */
bool command_value_is_presumed(struct command_value value);

/* What stands before a count: "at least " or nothing. */
const char *command_value_bound(struct command_value value);

/* Whether the object has no such thing. */
bool command_value_is_absent(struct command_value value);

/* Whether VALUE of ROW is not known because the recorder does not have the object. */
bool command_row_is_unrecorded(const struct command_row *row, struct command_value value);

/* Add why there is no value: "not observed". */
void command_value_reason(struct command_value value, struct command_text *text);

/* The name of VALUE of a field of type name or state; NULL: it has none. */
const char *command_field_name(const ompd_cl_field_t *field, uint64_t value);

/* Add that name; "kind 12" for a value without one. */
void command_field_name_add(const ompd_cl_field_t *field, uint64_t value,
                            struct command_text *text);

#endif
