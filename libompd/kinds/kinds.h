/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kinds of rows: their fields, and the names of what these may be. */
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
    uint32_t first_offset; /* of the first member behind the head, or behind struct_size */
    uint32_t struct_size;
    /* Offsets of the fields that a filter looks at, FIELD_NONE where there is none. */
    uint32_t context_offset;
    uint32_t kind_offset;
    uint32_t state_offset;
    uint32_t size_offset;
    uint32_t queue_offset;
};

/* The description of KIND, NULL for one that is not known. */
const struct kind *kind_find(uint32_t kind);

/* The field NAME of ROW of KIND; NULL when it has none. */
const ompd_cl_value_t *kind_value(uint32_t kind, const void *row, const char *name);

/* The largest info struct there is. */
union row {
    ompd_size_t struct_size;
#define KIND_BEGIN(kind, ...) ompd_cl_##kind##_info_t kind;
#include <schema/kinds.def>
};

/* Fill INFO of KIND but for its struct_size: SOURCE has no field of it, for the reason STATUS. */
void blank_fill(uint32_t kind, void *info, ompd_cl_source_t source, uint16_t status);

/* Set those fields of INFO that only images have to none: SOURCE has none, for the reason STATUS.
 */
void image_fields_set_absent(ompd_cl_memobj_info_t *info, ompd_cl_source_t source, uint16_t status);

/* Which member of an info struct a source keeps in which field of its own. */
struct column {
    uint16_t to;            /* offset of the ompd_cl_value_t */
    uint8_t field;          /* enum ompd_cl_registry_field_id, or enum layout_field */
    uint8_t status_of_zero; /* what it means that the field is 0; ompd_cl_status_value: just that */
};

/* ---- call-names ------------------------------------------------------------------------------ */

/* What a thread is doing: the numbers of the registry, their names, and the states they mean. */

#define CALL(number, function, ...) +1
enum {
    CALL_NAME_COUNT = 0
#include <schema/calls.def>
};

/* The names of OpenCL's functions, their numbers rising: for the field table. */
extern const ompd_cl_name_t call_names[CALL_NAME_COUNT];

/* The name of a function of OpenCL, NULL for a number that this library does not know. */
const char *call_name(uint32_t number);

/* The table that has the record of the callback of the program that WHAT (struct
 * ompd_cl_registry_activity) is; 0: it is a call, or nothing that this library knows. */
uint32_t call_callback_table(uint32_t what);

/* Tell whether WHAT is a callback of the program, not a call. */
bool call_is_callback(uint32_t what);

/* The state of a thread whose innermost activity is WHAT; 0 for one that this library does not
 * know. */
uint32_t call_state(uint32_t what);

/* ---- enqueue-signature ----------------------------------------------------------------------- */

/* Which parameters of functions that enqueue a command are objects. */

/* Parameters by their numbers, from 0; 0: there is none.  The queue is the first. */
struct enqueue_signature {
    uint32_t call;
    uint16_t type; /* cl_command_type */
    uint8_t kernel;
    uint8_t memobj;
    uint8_t destination;
    uint8_t wait_list;
};

/* That of CALL; NULL: it enqueues none, or no command of which these are recorded. */
const struct enqueue_signature *enqueue_signature_find(uint64_t call);

#endif
