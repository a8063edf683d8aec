/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What of a row is more than a field of its record. */
#ifndef LIBOMPD_RECORDER_FIELDS_H
#define LIBOMPD_RECORDER_FIELDS_H

#include "base/value.h"
#include "registry/registry.h"
#include "session/address-space.h"

/* The record that a row is made of. */
struct recorder_fields {
    struct address_space *space;
    const struct registry *registry;
    const struct registry_table *table;
    const uint8_t *record;
    ompd_rc_t rc; /* ompd_rc_incomplete or ompd_rc_nomem once a field could not be had */
};

#define RECORDER_GET(fields, field)                                                                \
    registry_get((fields)->registry, (fields)->table, (fields)->record,                            \
                 ompd_cl_registry_field_##field)

/* The id of the object of KIND, whose record has INDEX. */
uint64_t recorder_fields_id(const struct recorder_fields *fields, uint32_t kind, uint32_t index);

/* Set *VALUE to the cl handle of the record that REFERENCE of GENERATION names. */
void recorder_fields_set_handle(struct recorder_fields *fields, ompd_cl_value_t *value,
                                uint32_t reference, uint32_t generation);

/* Set *VALUE to the context that the record names. */
void recorder_fields_set_context(struct recorder_fields *fields, ompd_cl_value_t *value);

/* Set *VALUE to the platform that the record names by its index: records of platforms are never
 * used again. */
void recorder_fields_set_platform(struct recorder_fields *fields, ompd_cl_value_t *value);

void recorder_fields_set_text(struct recorder_fields *fields, ompd_cl_text_t *text,
                              enum ompd_cl_registry_field_id field);

/* A field that a thread was changing at the stop is neither the old value nor the new one. */
void recorder_fields_mark_change(struct recorder_fields *fields, ompd_cl_value_t *value);

/* The decoder has said that it is certain. */
void recorder_fields_finish_confidence(const struct recorder_fields *fields,
                                       ompd_cl_value_t *confidence);

/* Of an object. The decoder has put the number in. */
void recorder_fields_finish_state(struct recorder_fields *fields, ompd_cl_value_t *state,
                                  ompd_cl_value_t *confidence);

/* The count is signed: a program may release too often. */
void recorder_fields_finish_references(ompd_cl_value_t *references);

#endif
