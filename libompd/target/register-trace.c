/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Traces registers and memory through a range of code, as values relative to unknown ones. */
#include "target/machine.h"

#include <string.h>

/* Addresses of addresses are followed so often (law 6). */
#define DEEPEST 4

static struct trace_value new_origin(struct register_trace *trace)
{
    return (struct trace_value){++trace->origins, sizeof(uint64_t), 0};
}

void trace_begin(struct register_trace *trace, uint32_t pointer_size)
{
    memset(trace, 0, sizeof(*trace));
    trace->pointer_size = pointer_size;
    trace_join(trace);
}

void trace_join(struct register_trace *trace)
{
    for (unsigned i = 0; i < TRACE_REGISTERS; i++)
        trace->registers[i] = new_origin(trace);
    memset(trace->places, 0, sizeof(trace->places));
}

void trace_forget(struct register_trace *trace, unsigned number)
{
    trace_set(trace, number, new_origin(trace));
}

void trace_restore(struct register_trace *trace, unsigned number)
{
    if (number < TRACE_REGISTERS)
        trace->registers[number] = new_origin(trace);
}

void trace_set(struct register_trace *trace, unsigned number, struct trace_value value)
{
    if (number >= TRACE_REGISTERS)
        return;
    trace->registers[number] = value;
    trace->written |= UINT32_C(1) << number;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static bool values_are_same(const struct trace_value *one, const struct trace_value *other)
{
    return one->origin == other->origin && one->offset == other->offset && one->size == other->size;
}

/* Remember that SIZE bytes at ADDRESS hold VALUE. */
static void trace_record_place(struct register_trace *trace, struct trace_value address,
                               struct trace_value value, uint32_t size)
{
    trace->places[trace->next_place++ % TRACE_PLACES] = (struct trace_place){address, value, size};
}

struct trace_value trace_load(struct register_trace *trace, const struct trace_operand *operand,
                              uint32_t size)
{
    struct trace_value value;

    for (unsigned i = 0; operand->is_known && i < TRACE_PLACES; i++) {
        const struct trace_place *place = &trace->places[i];

        if (place->size == size && values_are_same(&place->address, &operand->address))
            return place->value;
    }
    value = new_origin(trace);
    if (operand->is_known)
        trace_record_place(trace, operand->address, value, size);
    return value;
}

void trace_overwrite(struct register_trace *trace, const struct trace_operand *operand,
                     uint32_t size)
{
    const struct trace_value *address = &operand->address;

    for (unsigned i = 0; i < TRACE_PLACES; i++) {
        struct trace_place *place = &trace->places[i];
        bool is_apart =
            operand->is_known && (address->offset - place->address.offset >= place->size &&
                                  place->address.offset - address->offset >= size);

        if (place->address.origin == address->origin && !is_apart)
            place->size = 0;
    }
}

void trace_store(struct register_trace *trace, const struct trace_operand *operand,
                 struct trace_value value, uint32_t size)
{
    trace_overwrite(trace, operand, size);
    if (!operand->is_known)
        return;
    if (size < sizeof(uint64_t) && value.origin != 0)
        value = new_origin(trace); /* the place has only a part of it */
    if (size < sizeof(uint64_t))
        value.offset &= (UINT64_C(1) << size * 8) - 1;
    if (value.size == sizeof(uint64_t))
        trace_record_place(trace, operand->address, value, size);
}

void trace_call(struct register_trace *trace, uint32_t changed)
{
    for (unsigned i = 0; i < TRACE_REGISTERS; i++) {
        if ((changed >> i & 1) != 0)
            trace_forget(trace, i);
    }
    memset(trace->places, 0, sizeof(trace->places));
}

/* ---- The end --------------------------------------------------------------------------------- */

static uint64_t cut_place(uint64_t number, uint32_t size)
{
    return size == sizeof(uint32_t) ? number & UINT32_MAX : number;
}

/* A register that is known has ORIGIN in it: that is *NUMBER. */
static bool find_in_registers(const struct register_trace *trace, const struct trace_end *end,
                              uint32_t origin, uint64_t *number)
{
    for (unsigned i = 0; i < TRACE_REGISTERS; i++) {
        const struct trace_value *value = &trace->registers[i];

        if ((end->known >> i & 1) == 0 || value->origin != origin ||
            value->size != sizeof(uint64_t))
            continue;
        *number = end->values[i] - value->offset;
        return true;
    }
    return false;
}

/* The place that contains ORIGIN; NULL if none is traced. */
static const struct trace_place *find_origin_place(const struct register_trace *trace,
                                                   uint32_t origin)
{
    for (unsigned i = 0; i < TRACE_PLACES; i++) {
        const struct trace_place *place = &trace->places[i];

        if (place->size != 0 && place->value.origin == origin &&
            place->value.size == sizeof(uint64_t))
            return place;
    }
    return NULL;
}

bool trace_resolve(const struct register_trace *trace, const struct trace_end *end,
                   struct target *target, struct trace_value value, uint64_t *number)
{
    const struct trace_place *places[DEEPEST];
    struct trace_value wanted = value;
    uint64_t found = 0;
    uint32_t depth = 0;

    /* From the value to the place that stores it, then to the place that stores the address of
     * that. */
    while (wanted.origin != 0 && !find_in_registers(trace, end, wanted.origin, &found)) {
        const struct trace_place *place = find_origin_place(trace, wanted.origin);

        if (place == NULL || depth == DEEPEST)
            return false;
        places[depth++] = place;
        wanted = place->address;
    }
    /* Back, from addresses to their contents. */
    while (depth-- > 0) {
        const struct trace_place *place = places[depth];
        const uint8_t *bytes;

        if (target_view(target, found + place->address.offset, place->size, 0, &bytes) !=
            ompd_rc_ok)
            return false;
        found = target_integer(target, bytes, place->size) - place->value.offset;
    }
    *number = cut_place(found + value.offset, value.size);
    return true;
}

/* ---- Machines -------------------------------------------------------------------------------- */

/* By the machines' psABI supplements; registers have their numbers in DWARF. */
static const struct code_machine machines[] = {
    {
        .number = 62, /* x86-64 */
        .step = x86_step,
        .arguments = {5, 4, 1, 2}, /* %rdi, %rsi, %rdx, %rcx */
        .preserved = 0xf048,       /* %rbx, %rbp, %r12 to %r15 */
        .stack_pointer = 7,
    },
    {
        .number = 183, /* AArch64 */
        .step = aarch64_step,
        .arguments = {0, 1, 2, 3},
        .preserved = 0x3ff80000, /* x19 to x29 */
        .stack_pointer = 31,
    },
};

const struct code_machine *code_machine_find(uint32_t machine)
{
    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        if (machines[i].number == machine)
            return &machines[i];
    }
    return NULL;
}
