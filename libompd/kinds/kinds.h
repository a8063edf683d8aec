/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kinds of rows, their fields, and the names of field values. */
#ifndef LIBOMPD_KINDS_H
#define LIBOMPD_KINDS_H

#include "base/base.h"

#include <ompd-opencl-calls.h>
#include <ompd-opencl.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Kinds and their fields ------------------------------------------------------------------ */

#define FIELD_NONE UINT32_MAX

/* A kind of row. */
struct kind {
    const char *name;
    const ompd_cl_field_t *fields;
    uint32_t field_count;
    uint32_t first_offset; /* offset of the first member behind the head, or behind struct_size */
    uint32_t struct_size;
    /* Offsets of the fields that a filter uses; FIELD_NONE where there is none. */
    uint32_t context_offset;
    uint32_t kind_offset;
    uint32_t state_offset;
    uint32_t size_offset;
    uint32_t queue_offset;
};

/* The description of KIND; NULL for an unknown kind. */
const struct kind *kind_find(uint32_t kind);

/* The field NAME of ROW of KIND; NULL when it has none. */
const ompd_cl_value_t *kind_value(uint32_t kind, const void *row, const char *name);

/* The largest info struct. */
union row {
    ompd_size_t struct_size;
#define KIND_BEGIN(kind, ...) ompd_cl_##kind##_info_t kind;
#include <schema/kinds.def>
};

/* Fill INFO of KIND except for its struct_size: SOURCE provides no field, for the reason STATUS. */
void blank_fill(uint32_t kind, void *info, ompd_cl_source_t source, uint16_t status);

/* Set the fields of INFO that only images have: SOURCE provides none of them, for the reason
 * STATUS. */
void image_fields_set_absent(ompd_cl_memobj_info_t *info, ompd_cl_source_t source, uint16_t status);

/* The field of a source that fills a member of an info struct. */
struct column {
    uint16_t to;            /* offset of the ompd_cl_value_t */
    uint8_t field;          /* enum ompd_cl_registry_field_id, or enum layout_field */
    uint8_t status_of_zero; /* the meaning of 0 in the field; ompd_cl_status_value: the number 0 */
};

/* ---- call-names ------------------------------------------------------------------------------ */

/* The activities of threads: their registry numbers, their names, and the thread states they
 * imply. */

#define CALL(number, function, ...) +1
enum {
    CALL_NAME_COUNT = 0
#include <schema/calls.def>
};

/* The names of OpenCL functions by ascending number, for the field table. */
extern const ompd_cl_name_t call_names[CALL_NAME_COUNT];

/* The name of an OpenCL function; NULL for an unknown number. */
const char *call_name(uint32_t number);

/* The table that records the program's callback WHAT (struct ompd_cl_registry_activity); 0 if WHAT
 * is a call or unknown. */
uint32_t call_callback_table(uint32_t what);

/* Whether WHAT is a callback of the program, not a call. */
bool call_is_callback(uint32_t what);

/* The state of a thread whose innermost activity is WHAT; 0 for an unknown one. */
uint32_t call_state(uint32_t what);

/* ---- reasons --------------------------------------------------------------------------------- */

/* Why calls were refused: the conditions of schema/conditions.def. */

#define REASON_VALUES 4

/* Set *TEXT to the sentence of condition NUMBER of the function CALL, with its VALUES; 0: no reason
 * was found. It is unknown if this library does not have the condition. */
void reason_set(ompd_cl_text_t *text, uint64_t call, uint64_t number, const uint64_t *values);

/* ---- enqueue-signature ----------------------------------------------------------------------- */

/* The parameters of enqueuing functions that are objects. */

/* Parameter numbers from 0; 0: none, because the queue is the first. */
struct enqueue_signature {
    uint32_t call;
    uint16_t type; /* cl_command_type */
    uint8_t kernel;
    uint8_t memobj;
    uint8_t destination;
    uint8_t wait_list;
};

/* The signature of CALL; NULL if it enqueues no command, or none that is recorded. */
const struct enqueue_signature *enqueue_signature_find(uint64_t call);

/* The signature of a function that enqueues commands of TYPE, a cl_command_type; NULL if there is
 * none. */
const struct enqueue_signature *enqueue_signature_of_type(uint64_t type);

#endif
