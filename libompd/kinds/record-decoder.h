/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a record becomes a row. A decoder is made once a stop: a row begins as a copy of its kind's
 * blank, with all statuses in place, and the decoder's steps fill in the numbers of the record.
 * Lists of a million rows spend their time here. */
#ifndef LIBOMPD_RECORD_DECODER_H
#define LIBOMPD_RECORD_DECODER_H

#include "kinds/blank.h"
#include "kinds/column.h"
#include "registry/registry.h"

/* A column, once it is known where this recorder keeps the field. */
struct decoder_step {
    uint16_t to;
    uint16_t from; /* offset in the record */
    uint8_t size;
    uint8_t status_of_zero;
};

#define DECODER_STEPS 24

struct record_decoder {
    const struct registry_table *table;
    uint32_t struct_size;
    uint32_t eight_end;  /* the first steps are of eight bytes, */
    uint32_t four_end;   /* then come those of four, */
    uint32_t step_count; /* then the others */
    struct decoder_step steps[DECODER_STEPS];
    union row blank;
};

/* The decoders of all kinds of rows that are made of one record each, by ompd_cl_kind_t. */
struct record_decoders {
    struct record_decoder of_kind[ompd_cl_kind_callback + 1];
};

/* Work out the decoders for the tables of REGISTRY. */
void record_decoders_make(struct record_decoders *decoders, const struct registry *registry);

/* The table that rows of KIND come from, 0 for none. */
uint32_t record_decoder_table(uint32_t kind);

static inline void decoder_step_run(const struct decoder_step *step, void *info, uint64_t number)
{
    ompd_cl_value_t *value = (ompd_cl_value_t *)(void *)((char *)info + step->to);

    value->value = number;
    if (number == 0)
        value->status = step->status_of_zero;
}

/* Begin INFO from RECORD. */
static inline void record_decoder_run(const struct record_decoder *decoder,
                                      const struct target *target, const uint8_t *record,
                                      void *info)
{
    const struct decoder_step *step = decoder->steps;
    const struct decoder_step *eight_end = step + decoder->eight_end;
    const struct decoder_step *four_end = step + decoder->four_end;
    const struct decoder_step *end = step + decoder->step_count;

    __builtin_memcpy(info, &decoder->blank, decoder->struct_size);
    if (!target->is_swapped) {
        for (; step < eight_end; step++) {
            uint64_t number;
            __builtin_memcpy(&number, record + step->from, sizeof(number));
            decoder_step_run(step, info, number);
        }
        for (; step < four_end; step++) {
            uint32_t number;
            __builtin_memcpy(&number, record + step->from, sizeof(number));
            decoder_step_run(step, info, number);
        }
    }
    for (; step < end; step++)
        decoder_step_run(step, info, target_integer(target, record + step->from, step->size));
}

#endif
