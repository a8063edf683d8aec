/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Turns records into rows. */
#include "sources/recorder/recorder.h"

#include <string.h>

/* A field that the recorder stores. */
static const struct recorded_field {
    uint32_t kind;
    struct column column;
} recorded_fields[] = {
#define RECORDED(kind, member, field, zero)                                                        \
    {ompd_cl_kind_##kind,                                                                          \
     {offsetof(ompd_cl_##kind##_info_t, member), ompd_cl_registry_field_##field,                   \
      ompd_cl_status_##zero}},
#include <schema/kinds.def>
};

#define RECORDED_COUNT (sizeof(recorded_fields) / sizeof(recorded_fields[0]))

/* The table for the rows of each kind, by slot. */
static const struct {
    uint32_t kind;
    uint32_t table;
} record_tables[] = {
#define RECORDS(kind, table) {ompd_cl_kind_##kind, ompd_cl_registry_##table},
#include <schema/kinds.def>
};

/* The slot of each kind plus 1; 0: it has no records. */
static const uint8_t record_slots[] = {
#define RECORDS(kind, table) [ompd_cl_kind_##kind] = record_slot_of_##kind + 1,
#include <schema/kinds.def>
};

static uint32_t find_slot(uint32_t kind)
{
    return kind < sizeof(record_slots) ? record_slots[kind] : 0;
}

uint32_t record_decoder_table(uint32_t kind)
{
    uint32_t slot = find_slot(kind);

    return slot != 0 ? record_tables[slot - 1].table : 0;
}

const struct record_decoder *record_decoder_find(const struct record_decoders *decoders,
                                                 uint32_t kind)
{
    return &decoders->all[find_slot(kind) - 1];
}

/* Make the blank row of KIND: only the source is known. */
static void make_blank(union row *blank, uint32_t kind)
{
    const struct kind *found = kind_find(kind);

    blank_fill(kind, blank, ompd_cl_source_recorder, ompd_cl_status_unknown);
    for (uint32_t i = 0; i < found->field_count; i++) {
        void *member = (char *)blank + found->fields[i].offset;

        if (strcmp(found->fields[i].name, "source") == 0)
            recorder_value_set(member, ompd_cl_source_recorder);
        if (strcmp(found->fields[i].name, "confidence") == 0)
            recorder_value_set(member, ompd_cl_confidence_certain);
        if (strcmp(found->fields[i].name, "doubt") == 0)
            recorder_value_set_absent(member, ompd_cl_status_not_applicable);
    }
    if (kind == ompd_cl_kind_memobj)
        image_fields_set_absent(&blank->memobj, ompd_cl_source_recorder,
                                ompd_cl_status_not_applicable);
}

static void add_decoder_step(struct record_decoder *decoder, const struct column *column,
                             uint32_t stack_depth)
{
    struct registry_location location = decoder->table->locations[column->field];
    ompd_cl_value_t *value = (ompd_cl_value_t *)(void *)((char *)&decoder->blank + column->to);
    struct decoder_step *step = &decoder->steps[decoder->step_count];

    if (location.size == 0)
        return;
    value->status = ompd_cl_status_value;
    step->to = column->to;
    step->from = location.offset;
    step->size = (uint8_t)location.size;
    step->status_of_zero = column->status_of_zero;
    /* A recorder without call stacks: the field does not apply, rather than being unknown. */
    if ((column->field == ompd_cl_registry_field_stack ||
         column->field == ompd_cl_registry_field_released_stack) &&
        stack_depth <= 1)
        step->status_of_zero = ompd_cl_status_not_applicable;
    decoder->step_count++;
}

/* Add the steps of the fields of KIND that have SIZE bytes; 0 stands for less than four. */
static void add_decoder_steps(struct record_decoder *decoder, uint32_t kind, uint32_t size,
                              uint32_t stack_depth)
{
    for (size_t i = 0; i < RECORDED_COUNT; i++) {
        const struct column *column = &recorded_fields[i].column;
        uint32_t actual = decoder->table->locations[column->field].size;

        if (recorded_fields[i].kind == kind && (actual < 4 ? 0 : actual) == size)
            add_decoder_step(decoder, column, stack_depth);
    }
}

void record_decoders_make(struct record_decoders *decoders, const struct registry *registry)
{
    for (uint32_t slot = 0; slot < record_slot_count; slot++) {
        struct record_decoder *decoder = &decoders->all[slot];
        uint32_t kind = record_tables[slot].kind;

        decoder->step_count = 0;
        decoder->table = &registry->tables[record_tables[slot].table];
        decoder->struct_size = kind_find(kind)->struct_size;
        make_blank(&decoder->blank, kind);
        add_decoder_steps(decoder, kind, 8, registry->stack_depth);
        decoder->eight_end = decoder->step_count;
        add_decoder_steps(decoder, kind, 4, registry->stack_depth);
        decoder->four_end = decoder->step_count;
        add_decoder_steps(decoder, kind, 0, registry->stack_depth);
    }
}
