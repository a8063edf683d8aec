/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The input is machine code, and its first byte selects the machine.  Each instruction ends within
 * the input, does not depend on later bytes, and is rejected without its last byte. */
#include "fuzz.h"

#include <target/machine.h>

#include <string.h>

/* An address of instructions with space for distances in both directions. */
#define PLACE UINT64_C(0x7f0000401000)

/* The effect of the instruction in COUNT BYTES, the last ones that are readable. */
static bool step_within(const struct code_machine *machine, const uint8_t *bytes, uint32_t count,
                        uint64_t address, struct register_trace *trace, struct code_step *step)
{
    uint8_t *alone = malloc(count != 0 ? count : 1);
    bool is_known;

    memcpy(alone, bytes, count);
    is_known = machine->step(alone, count, address, trace, step);
    free(alone);
    return is_known;
}

static void check_step(const struct code_step *step, uint32_t count)
{
    fuzz_require(step->size != 0 && step->size <= count, "an instruction of %u of %u bytes",
                 step->size, count);
    fuzz_require((unsigned)step->flow <= code_leaves, "flow %d", (int)step->flow);
}

static void check_registers(const struct register_trace *trace)
{
    for (unsigned i = 0; i < TRACE_REGISTERS; i++) {
        fuzz_require(trace->registers[i].size == 4 || trace->registers[i].size == 8,
                     "register %u has %u bytes", i, trace->registers[i].size);
        fuzz_require(trace->registers[i].origin <= trace->origins, "register %u is origin %u of %u",
                     i, trace->registers[i].origin, trace->origins);
    }
}

/* The instruction of SIZE BYTES alone, and without its last byte. */
static void check_alone(const struct code_machine *machine, const uint8_t *bytes, uint64_t address,
                        const struct code_step *step)
{
    struct register_trace trace;
    struct code_step alone;

    trace_begin(&trace, sizeof(uint64_t));
    fuzz_require(step_within(machine, bytes, step->size, address, &trace, &alone) &&
                     alone.size == step->size && alone.flow == step->flow &&
                     alone.has_target == step->has_target &&
                     (!alone.has_target || alone.target == step->target),
                 "what follows an instruction changes it");
    fuzz_require(!step_within(machine, bytes, step->size - 1, address, &trace, &alone),
                 "an instruction lacks its last byte");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t machines[] = {62, 183};
    const struct code_machine *machine;
    struct register_trace trace;
    struct code_step step;

    if (size == 0)
        return 0;
    machine = code_machine_find(machines[data[0] & 1]);
    trace_begin(&trace, sizeof(uint64_t));
    for (size_t at = 1; at < size; at += step.size) {
        uint32_t count = size - at < CODE_LONGEST ? (uint32_t)(size - at) : CODE_LONGEST;

        if (!step_within(machine, data + at, count, PLACE + at, &trace, &step))
            return 0;
        check_step(&step, count);
        check_registers(&trace);
        check_alone(machine, data + at, PLACE + at, &step);
        if (step.flow == code_leaves)
            trace_join(&trace);
    }
    return 0;
}
