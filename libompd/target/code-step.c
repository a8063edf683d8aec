/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/machine.h"

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
