/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How a record becomes a row, worked out once a stop: a row begins as a copy of its kind's blank,
 * in which every status stands, and the numbers of the record are put in.  A listing of a million
 * rows spends its time here.
 */
#ifndef LIBOMPD_RECORD_DECODER_H
#define LIBOMPD_RECORD_DECODER_H

#include "kinds/blank.h"
#include "kinds/column.h"
#include "registry/registry.h"

/* A column, once it is known where this recorder keeps the field. */
struct step {
    uint16_t to;
    uint16_t from; /* offset in the record */
    uint8_t size;
    uint8_t status_of_zero;
};

#define PLAN_STEPS 24

struct plan {
    const struct registry_table *table;
    uint32_t struct_size;
    uint32_t eight_end;  /* the first steps are of eight bytes, */
    uint32_t four_end;   /* then come those of four, */
    uint32_t step_count; /* then the others */
    struct step steps[PLAN_STEPS];
    union row blank;
};

/* The plans of all kinds of rows that are made of one record each, by ompd_cl_kind_t. */
struct plans {
    struct plan of_kind[ompd_cl_kind_thread + 1];
};

/* Work out the plans for the tables of REGISTRY. */
void plans_make(struct plans *plans, const struct registry *registry);

/* The table that rows of KIND come from, 0 for none. */
uint32_t plan_table(uint32_t kind);

static inline void plan_take(const struct step *step, void *info, uint64_t number)
{
    ompd_cl_value_t *value = (ompd_cl_value_t *)(void *)((char *)info + step->to);

    value->value = number;
    if (number == 0)
        value->status = step->status_of_zero;
}

/* Begin INFO from RECORD. */
static inline void plan_follow(const struct plan *plan, const struct target *target,
                               const uint8_t *record, void *info)
{
    const struct step *step = plan->steps;
    const struct step *eight_end = step + plan->eight_end;
    const struct step *four_end = step + plan->four_end;
    const struct step *end = step + plan->step_count;

    __builtin_memcpy(info, &plan->blank, plan->struct_size);
    if (!target->is_swapped) {
        for (; step < eight_end; step++) {
            uint64_t number;
            __builtin_memcpy(&number, record + step->from, sizeof(number));
            plan_take(step, info, number);
        }
        for (; step < four_end; step++) {
            uint32_t number;
            __builtin_memcpy(&number, record + step->from, sizeof(number));
            plan_take(step, info, number);
        }
    }
    for (; step < end; step++)
        plan_take(step, info, target_integer(target, record + step->from, step->size));
}

#endif
