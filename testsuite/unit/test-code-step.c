/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where instructions end, and their effects on registers and memory, for arbitrary bytes. */
#include "fake-runtime.h"
#include "suite.h"

#include <check.h>
#include <string.h>
#include <target/machine.h>

/* ---- x86-64 ---------------------------------------------------------------------------------- */

/* Instructions as binutils has them; literals have no end of their own. */
#define ONE(code)                                                                                  \
    {                                                                                              \
        sizeof(code) - 1, code                                                                     \
    }
static const struct {
    uint32_t size;
    const char *code;
} instructions[] = {
    ONE("\x90"),                                     /* nop */
    ONE("\xf3\x0f\x1e\xfa"),                         /* endbr64 */
    ONE("\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00"), /* cs nopw 0x0(%rax,%rax,1) */
    ONE("\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08"), /* movabs $0x807060504030201, %rax */
    ONE("\x66\xb8\x01\x02"),                         /* mov $0x201, %ax */
    ONE("\xc7\x44\x24\x08\x01\x00\x00\x00"),         /* movl $1, 8(%rsp) */
    ONE("\x66\xc7\x44\x24\x08\x01\x00"),             /* movw $1, 8(%rsp) */
    ONE("\xf7\x05\x00\x00\x00\x00\x01\x00\x00\x00"), /* testl $1, 0(%rip) */
    ONE("\xf7\xd8"),                                 /* neg %eax */
    ONE("\xf7\xd0"),                                 /* not %eax */
    ONE("\xf6\xd0"),                                 /* not %al */
    ONE("\xf6\xc1\x01"),                             /* test $1, %cl */
    ONE("\x48\x69\xc0\x01\x00\x00\x00"),             /* imul $1, %rax, %rax */
    ONE("\xc8\x01\x02\x03"),                         /* enter $0x201, $3 */
    ONE("\xa1\x01\x02\x03\x04\x05\x06\x07\x08"),     /* movabs 0x807060504030201, %eax */
    ONE("\x42\x8b\x04\x85\x00\x00\x00\x00"),         /* mov 0(,%r8,4), %eax */
    ONE("\x0f\xba\xe0\x05"),                         /* bt $5, %eax */
    ONE("\x66\x0f\x3a\x0f\xc1\x08"),                 /* palignr $8, %xmm1, %xmm0 */
    ONE("\xc5\xf9\x6f\x44\x24\x10"),                 /* vmovdqa 0x10(%rsp), %xmm0 */
    ONE("\xc5\xf8\x77"),                             /* vzeroupper */
    ONE("\xc4\xe3\x7d\x39\xc1\x01"),                 /* vextracti128 $1, %ymm0, %xmm1 */
    ONE("\x62\xf1\xfe\x48\x6f\x07"),                 /* vmovdqu64 (%rdi), %zmm0 */
    ONE("\x62\xf3\x7d\x48\x3b\xc1\x01"),             /* vextracti32x8 $1, %zmm0, %ymm1 */
};

START_TEST(lengths)
{
    struct x86_instruction instruction;
    uint8_t bytes[32];

    for (size_t i = 0; i < sizeof(instructions) / sizeof(instructions[0]); i++) {
        memset(bytes, 0x90, sizeof(bytes));
        memcpy(bytes, instructions[i].code, instructions[i].size);
        ck_assert(x86_decode(bytes, sizeof(bytes), &instruction));
        ck_assert_uint_eq(instruction.size, instructions[i].size);
        /* Part of it is missing. */
        for (uint32_t size = 0; size < instructions[i].size; size++)
            ck_assert(!x86_decode(bytes, size, &instruction));
    }
    /* None in 64-bit mode, and one without an end. */
    ck_assert(!x86_decode((const uint8_t *)"\x06\x90", 2, &instruction));
    memset(bytes, 0x66, sizeof(bytes));
    ck_assert(!x86_decode(bytes, sizeof(bytes), &instruction));
}
END_TEST

/* What happens to any bytes: they are followed to an end, within what there is. */
static void step_anywhere(code_stepper_t stepper)
{
    uint64_t number = 88172645463325252;
    struct register_trace trace;
    struct code_step step;
    uint8_t bytes[CODE_LONGEST];

    trace_begin(&trace, sizeof(uint64_t));
    for (unsigned i = 0; i < 200000; i++) {
        uint32_t count = i % (CODE_LONGEST + 1);

        for (unsigned byte = 0; byte < count; byte++) {
            number ^= number << 13;
            number ^= number >> 7;
            number ^= number << 17;
            bytes[byte] = (uint8_t)(number >> 32);
        }
        if (!stepper(bytes, count, 0x1000, &trace, &step))
            continue;
        ck_assert_uint_gt(step.size, 0);
        ck_assert_uint_le(step.size, count);
    }
}

START_TEST(any_bytes)
{
    step_anywhere(x86_step);
    step_anywhere(aarch64_step);
}
END_TEST

/* ---- AArch64 --------------------------------------------------------------------------------- */

static struct fake_session session;

/* Whether COUNT WORDS of code show the value of register NUMBER, in *VALUE, with known x19 and
 * stack pointer. */
static struct trace_end known;
static uint64_t memory;

static bool told(const uint32_t *words, unsigned count, unsigned number, uint64_t *value)
{
    struct register_trace trace;
    struct code_step step;

    trace_begin(&trace, sizeof(uint64_t));
    for (unsigned i = 0; i < count; i++) {
        uint8_t bytes[4] = {(uint8_t)words[i], (uint8_t)(words[i] >> 8), (uint8_t)(words[i] >> 16),
                            (uint8_t)(words[i] >> 24)};

        ck_assert(aarch64_step(bytes, 4, 0x10000 + 4 * i, &trace, &step));
        ck_assert_uint_eq(step.size, 4);
    }
    return trace_resolve(&trace, &known, &session.target, trace.registers[number], value);
}

#define ck_told(number, expected, ...)                                                             \
    do {                                                                                           \
        const uint32_t words_[] = {__VA_ARGS__};                                                   \
        uint64_t value_ = 0;                                                                       \
        ck_assert(told(words_, sizeof(words_) / sizeof(words_[0]), number, &value_));              \
        ck_assert_uint_eq(value_, expected);                                                       \
    } while (0)
#define ck_not_told(number, ...)                                                                   \
    do {                                                                                           \
        const uint32_t words_[] = {__VA_ARGS__};                                                   \
        uint64_t value_ = 0;                                                                       \
        ck_assert(!told(words_, sizeof(words_) / sizeof(words_[0]), number, &value_));             \
    } while (0)

START_TEST(aarch64_values)
{
    fake_session_open(&session, 0);
    fake_session_begin(&session, &fake_extra);
    memory = fake_reserve(session.fake, 64, 16);
    fake_put(session.fake, memory + 8, 8, 0x1234567890);
    known.known = 1u << 19 | 1u << 31;
    known.values[19] = 0x1900;
    known.values[31] = memory;
    ck_told(0, 0x1900, 0xaa1303e0);                         /* mov x0, x19 */
    ck_told(0, memory + 8, 0x910023e0);                     /* add x0, sp, #8 */
    ck_told(0, 0x1234567890, 0xf94007e0);                   /* ldr x0, [sp, #8] */
    ck_told(0, 0x34567890, 0xb9400be0);                     /* ldr w0, [sp, #8] */
    ck_told(0, 0x1234567890, 0xf90003e1, 0xf94007e0);       /* str x1, [sp]; ldr x0, [sp, #8] */
    ck_told(0, 2, 0x52800040);                              /* mov w0, #2 */
    ck_told(0, 0x21004, 0xb0000080, 0x91001000, 0xd1001000, /* adrp x0, .+0x11000; add; sub */
            0x91001000);
    ck_told(0, 0x1234567890, 0xa9400be1, 0xaa0203e0); /* ldp x1, x2, [sp]; mov x0, x2 */
    ck_told(0, 0x18ff, 0xaa1303e0, 0x91000673);       /* mov x0, x19; add x19, x19, #1 */
    /* The state that survives a call. */
    ck_told(0, 0x1900, 0x94000010, 0xaa0003f3); /* bl; mov x19, x0 */
    /* Not what a call may have changed, nor what was written over. */
    ck_not_told(0, 0xaa1303e0, 0x94000010);
    ck_not_told(0, 0xf94007e0, 0xf90007e1); /* ldr x0, [sp, #8]; str x1, [sp, #8] */
    ck_not_told(0, 0xaa1303e0, 0x9b017c00); /* mul x0, x0, x1 */
    fake_session_close(&session);
}
END_TEST

/* Whether CODE, of x86-64 instructions, leaves in register NUMBER what rbx has. */
static bool is_rbx(const char *code, uint32_t size, unsigned number)
{
    struct register_trace trace;
    struct code_step step;
    uint64_t value = 0;

    trace_begin(&trace, sizeof(uint64_t));
    for (uint32_t at = 0; at < size; at += step.size)
        ck_assert(x86_step((const uint8_t *)code + at, size - at, 0x1000 + at, &trace, &step));
    return trace_resolve(&trace, &known, &session.target, trace.registers[number], &value) &&
           value == 0x1900;
}

#define ck_rbx(number, code) ck_assert(is_rbx(code, sizeof(code) - 1, number))
#define ck_not_rbx(number, code) ck_assert(!is_rbx(code, sizeof(code) - 1, number))

START_TEST(x86_values)
{
    enum { rax, rdx }; /* as DWARF numbers them */

    fake_session_open(&session, 0);
    fake_session_begin(&session, &fake_extra);
    memory = fake_reserve(session.fake, 64, 16);
    known.known = 1u << 3 | 1u << 7;
    known.values[3] = 0x1900;
    known.values[7] = memory;
    ck_rbx(rax, "\x48\x89\xd8");                         /* mov %rbx, %rax */
    ck_rbx(rdx, "\x48\x89\xda\x0f\xab\xc8");             /* mov %rbx, %rdx; bts %ecx, %eax */
    ck_rbx(rdx, "\x48\x89\xda\x0f\xc1\xc8");             /* mov %rbx, %rdx; xadd %ecx, %eax */
    ck_not_rbx(rax, "\x48\x89\xd8\x0f\xb1\xca");         /* mov %rbx, %rax; cmpxchg %ecx, %edx */
    ck_not_rbx(rax, "\x48\x89\xd8\x0f\xb0\xca");         /* mov %rbx, %rax; cmpxchg %cl, %dl */
    ck_not_rbx(rdx, "\x48\x89\xda\x48\x0f\xc7\x0c\x24"); /* mov %rbx, %rdx; cmpxchg16b (%rsp) */
    fake_session_close(&session);
}
END_TEST

START_TEST(aarch64_flow)
{
    static const struct {
        uint32_t word;
        enum code_flow flow;
        uint64_t target; /* 0: none */
    } all[] = {
        {0x94000010, code_calls, 0x1040},    /* bl .+0x40 */
        {0xd63f0020, code_calls, 0},         /* blr x1 */
        {0x17fffff0, code_leaves, 0xfc0},    /* b .-0x40 */
        {0xd65f03c0, code_leaves, 0},        /* ret */
        {0x54000081, code_branches, 0x1010}, /* b.ne .+0x10 */
        {0xb4000080, code_branches, 0x1010}, /* cbz x0, .+0x10 */
        {0x36000080, code_branches, 0x1010}, /* tbz w0, #0, .+0x10 */
        {0xd503201f, code_goes_on, 0},       /* nop */
    };
    struct register_trace trace;
    struct code_step step;

    trace_begin(&trace, sizeof(uint64_t));
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        uint8_t bytes[4] = {(uint8_t)all[i].word, (uint8_t)(all[i].word >> 8),
                            (uint8_t)(all[i].word >> 16), (uint8_t)(all[i].word >> 24)};

        ck_assert(aarch64_step(bytes, 4, 0x1000, &trace, &step));
        ck_assert_int_eq(step.flow, all[i].flow);
        ck_assert_int_eq(step.has_target, all[i].target != 0);
        ck_assert(all[i].target == 0 || step.target == all[i].target);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("code-step");
    TCase *cases = tcase_create("instructions");

    tcase_add_test(cases, lengths);
    tcase_add_test(cases, any_bytes);
    tcase_add_test(cases, aarch64_values);
    tcase_add_test(cases, x86_values);
    tcase_add_test(cases, aarch64_flow);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
