/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The fields of rows that are more than a field of their record. */
#include "sources/recorder/recorder.h"

#include "sources/recorder/registry.h"

#include <string.h>

/* Read and cache the cl handle of the record that REFERENCE and GENERATION name. */
static void look_up_handle(struct recorder_fields *fields, ompd_cl_value_t *value,
                           uint32_t reference, uint32_t generation)
{
    struct registry *registry = &fields->space->recorder->registry;
    struct registry_table *table = &registry->tables[OMPD_CL_REGISTRY_REFERENCE_TABLE(reference)];
    const uint8_t *record;
    ompd_rc_t rc;

    rc =
        registry_record_view(registry, table, OMPD_CL_REGISTRY_REFERENCE_INDEX(reference), &record);
    if (rc != ompd_rc_ok) {
        recorder_value_set_absent(value, rc == ompd_rc_incomplete ? registry->target->failure
                                                                  : ompd_cl_status_corrupt);
        fields->rc = rc_is_final(rc) ? rc : ompd_rc_incomplete;
        return;
    }
    if (registry_is_free(registry, table, record) ||
        registry_get(registry, table, record, ompd_cl_registry_field_generation) != generation) {
        recorder_value_set_absent(value, ompd_cl_status_unknown);
        return;
    }
    registry_handle_cache(registry, table, record, reference);
    recorder_value_set(value, registry->last_handle.handle);
}

void recorder_fields_set_handle(struct recorder_fields *fields, ompd_cl_value_t *value,
                                uint32_t reference, uint32_t generation)
{
    const struct registry_handle *last = &fields->registry->last_handle;
    uint32_t id = OMPD_CL_REGISTRY_REFERENCE_TABLE(reference);

    if (reference == 0) {
        recorder_value_set_absent(value, ompd_cl_status_unknown);
    } else if (last->reference == reference && last->generation == generation &&
               last->stop == fields->registry->target->stop) {
        recorder_value_set(value, last->handle);
    } else if (id == 0 || id > OMPD_CL_REGISTRY_TABLE_COUNT) {
        recorder_value_set_absent(value, ompd_cl_status_corrupt);
        fields->rc = ompd_rc_incomplete;
    } else {
        look_up_handle(fields, value, reference, generation);
    }
}

void recorder_fields_set_context(struct recorder_fields *fields, ompd_cl_value_t *value)
{
    recorder_fields_set_handle(fields, value, (uint32_t)RECORDER_GET(fields, context),
                               (uint32_t)RECORDER_GET(fields, context_generation));
}

void recorder_fields_mark_change(struct recorder_fields *fields, ompd_cl_value_t *value)
{
    uint32_t lwp = OMPD_CL_REGISTRY_CHANGE_LWP(RECORDER_GET(fields, change));

    if (lwp != 0) {
        recorder_value_set_absent(value, ompd_cl_status_changing);
        value->lwp = lwp;
    } else if (RECORDER_GET(fields, evidence) & OMPD_CL_REGISTRY_TORN_BY_FORK) {
        recorder_value_set_absent(value, ompd_cl_status_unknown);
    }
}

void recorder_fields_finish_confidence(const struct recorder_fields *fields,
                                       ompd_cl_value_t *confidence)
{
    if (record_confidence_is_presumed(fields->registry, fields->table, fields->record))
        recorder_value_set(confidence, ompd_cl_confidence_presumed);
}

void recorder_fields_finish_state(struct recorder_fields *fields, ompd_cl_value_t *state,
                                  ompd_cl_value_t *confidence)
{
    recorder_fields_finish_confidence(fields, confidence);
    if (state->value == ompd_cl_registry_app_released &&
        RECORDER_GET(fields, evidence) & OMPD_CL_REGISTRY_HELD_BY_RUNTIME)
        state->status = ompd_cl_status_presumed;
    if (state->value < ompd_cl_registry_live || state->value > ompd_cl_registry_failed) {
        recorder_value_set_absent(state, ompd_cl_status_corrupt);
        recorder_value_set(confidence, ompd_cl_confidence_doubtful);
    }
    recorder_fields_mark_change(fields, state);
}

void recorder_fields_finish_references(ompd_cl_value_t *references)
{
    references->value = (uint64_t)(int64_t)(int32_t)references->value;
}

uint64_t recorder_fields_id(const struct recorder_fields *fields, uint32_t kind, uint32_t index)
{
    return identifier_of_record(kind, index, (uint32_t)RECORDER_GET(fields, generation),
                                fields->space->salt);
}

void recorder_fields_set_platform(struct recorder_fields *fields, ompd_cl_value_t *value)
{
    uint32_t link = (uint32_t)RECORDER_GET(fields, platform);

    if (link == 0)
        recorder_value_set_absent(value, ompd_cl_status_unknown);
    else
        recorder_fields_set_handle(
            fields, value, OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_platform, link - 1), 0);
}

/* ---- Evidence -------------------------------------------------------------------------------- */

#define GET(field) registry_get(registry, table, record, ompd_cl_registry_field_##field)

uint32_t record_confidence_children(const struct registry *registry,
                                    const struct registry_table *table, const uint8_t *record)
{
    /* The children of an OpenCL context are counted in shards, each of which may be below 0. */
    return (uint32_t)(GET(children) + GET(children_1) + GET(children_2) + GET(children_3));
}

bool record_confidence_is_presumed(const struct registry *registry,
                                   const struct registry_table *table, const uint8_t *record)
{
    uint64_t evidence = GET(evidence);

    if ((evidence & OMPD_CL_REGISTRY_HELD_BY_RUNTIME) != 0)
        return true;
    /* Only children keep it alive, and none of them certainly exists. */
    return (evidence & OMPD_CL_REGISTRY_HELD_BY_CHILDREN) != 0 &&
           registry_has(table, ompd_cl_registry_field_children_released) &&
           record_confidence_children(registry, table, record) <= GET(children_released);
}
