/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The function that a thread has called, by the machine code, and the starts of functions, by the
 * unwind tables. Code that cannot be decoded has no answer. */
#include "fake-runtime.h"
#include "suite.h"

#include <check.h>
#include <elf.h>
#include <sources/stack/stack.h>
#include <string.h>
#include <target/machine.h>

#define HEAP (UINT64_C(1) << 16)

static struct fake_session session;
static struct fake_runtime runtime;

/* Begin with a target of 32 or 64 bits, little-endian. */
static void begin(bool is_64)
{
    fake_session_open(&session, is_64 ? 0 : 2);
    fake_runtime_add(&session, &runtime, "/usr/lib/libmadeup.so", 1, HEAP);
    fake_session_begin(&session, &fake_extra);
}

static void put_bytes(uint64_t address, const char *bytes, size_t size)
{
    memcpy(session.fake->bytes + (address - FAKE_BASE), bytes, size);
}

static void put_word(uint64_t address, uint64_t value)
{
    fake_put(session.fake, address, 4, (uint32_t)value);
}

static uint64_t table; /* what %ebx has */

/* The function that is called before ADDRESS; 0: unknown. */
static uint64_t called(uint32_t machine, uint64_t address)
{
    uint64_t function = 0;
    ompd_rc_t rc;

    target_refresh(&session.target);
    rc = call_site_find(&session.target, machine, address, table, &function);
    ck_assert(rc == ompd_rc_ok || rc == ompd_rc_unavailable);
    return rc == ompd_rc_ok ? function : 0;
}

START_TEST(x86_64_calls)
{
    begin(true);
    put_bytes(runtime.text, "\xe8", 1);
    put_word(runtime.text + 1, 0x100 - 5);
    ck_assert_uint_eq(called(EM_X86_64, runtime.text + 5), runtime.text + 0x100);
    /* Backwards. */
    put_bytes(runtime.text + 0x200, "\xe8", 1);
    put_word(runtime.text + 0x201, 0x100 - 0x205);
    ck_assert_uint_eq(called(EM_X86_64, runtime.text + 0x205), runtime.text + 0x100);
    /* An entry of the procedure linkage table, as three linkers make it. */
    fake_put(session.fake, runtime.data, 8, 0x123456789a);
    for (unsigned kind = 0; kind < 3; kind++) {
        static const char *const starts[] = {"\xff\x25", "\xf3\x0f\x1e\xfa\xff\x25",
                                             "\xf3\x0f\x1e\xfa\xf2\xff\x25"};
        size_t size = strlen(starts[kind]);

        put_bytes(runtime.text + 0x100, starts[kind], size);
        put_word(runtime.text + 0x100 + size, runtime.data - (runtime.text + 0x104 + size));
        ck_assert_uint_eq(called(EM_X86_64, runtime.text + 5), 0x123456789a);
    }
    /* Through memory, without an entry. */
    put_bytes(runtime.text + 0x300, "\xff\x15", 2);
    put_word(runtime.text + 0x302, runtime.data - (runtime.text + 0x306));
    ck_assert_uint_eq(called(EM_X86_64, runtime.text + 0x306), 0x123456789a);
    /* Through a register; and of a machine that is not known. */
    put_bytes(runtime.text + 0x400, "\xff\xd0", 2);
    ck_assert_uint_eq(called(EM_X86_64, runtime.text + 0x402), 0);
    ck_assert_uint_eq(called(EM_S390, runtime.text + 5), 0);
    fake_session_close(&session);
}
END_TEST

START_TEST(i386_calls)
{
    begin(false);
    put_bytes(runtime.text, "\xe8", 1);
    put_word(runtime.text + 1, 0x100 - 5);
    ck_assert_uint_eq(called(EM_386, runtime.text + 5), runtime.text + 0x100);
    put_bytes(runtime.text + 0x100, "\xff\x25", 2);
    put_word(runtime.text + 0x102, runtime.data);
    put_word(runtime.data, 0xf7001234);
    ck_assert_uint_eq(called(EM_386, runtime.text + 5), 0xf7001234);
    /* By an address in %ebx: an entry of code that may be anywhere, and a call without one. */
    put_word(runtime.data + 0x10, 0xf7005678);
    put_bytes(runtime.text + 0x100, "\xff\xa3", 2);
    put_word(runtime.text + 0x102, 0x10);
    table = runtime.data;
    ck_assert_uint_eq(called(EM_386, runtime.text + 5), 0xf7005678);
    put_bytes(runtime.text + 0x300, "\xff\x93", 2);
    put_word(runtime.text + 0x302, 0x10);
    ck_assert_uint_eq(called(EM_386, runtime.text + 0x306), 0xf7005678);
    table = 0;
    ck_assert_uint_eq(called(EM_386, runtime.text + 5), runtime.text + 0x100);
    ck_assert_uint_eq(called(EM_386, runtime.text + 0x306), 0);
    fake_session_close(&session);
}
END_TEST

START_TEST(aarch64_calls)
{
    begin(true);
    put_word(runtime.text + 0x10, 0x94000000 | (0x80 / 4)); /* bl .+0x80 */
    ck_assert_uint_eq(called(EM_AARCH64, runtime.text + 0x14), runtime.text + 0x90);
    put_word(runtime.text + 0x200, 0x94000000 | ((uint32_t)(-0x170 / 4) & 0x3ffffff));
    ck_assert_uint_eq(called(EM_AARCH64, runtime.text + 0x204), runtime.text + 0x90);
    /* bti c; adrp x16, the page after; ldr x17, [x16, #0x18]. */
    ck_assert_uint_eq(runtime.data, runtime.text + FAKE_PAGE);
    put_word(runtime.text + 0x90, 0xd503245f);
    put_word(runtime.text + 0x94, 0xb0000010);
    put_word(runtime.text + 0x98, 0xf9400211 | 3 << 10);
    fake_put(session.fake, runtime.data + 0x18, 8, 0x7f00001234);
    ck_assert_uint_eq(called(EM_AARCH64, runtime.text + 0x14), 0x7f00001234);
    put_word(runtime.text + 0x300, 0xd63f0020); /* blr x1 */
    ck_assert_uint_eq(called(EM_AARCH64, runtime.text + 0x304), 0);
    fake_session_close(&session);
}
END_TEST

/* Unreadable code has no answer. */
START_TEST(unreadable)
{
    uint64_t function;

    begin(true);
    put_bytes(runtime.text, "\xe8", 1);
    put_word(runtime.text + 1, runtime.data - (runtime.text + 5));
    session.fake->hole_start = runtime.data;
    session.fake->hole_end = runtime.data + FAKE_PAGE;
    /* That of the function called, which may be no entry. */
    ck_assert_uint_eq(called(EM_X86_64, runtime.text + 5), runtime.data);
    ck_assert_int_eq(call_site_find(&session.target, EM_X86_64, runtime.data + 0x100, 0, &function),
                     ompd_rc_incomplete);
    ck_assert_int_eq(call_site_find(&session.target, EM_X86_64, 3, 0, &function),
                     ompd_rc_incomplete);
    fake_session_close(&session);
}
END_TEST

/* ---- Where functions begin ------------------------------------------------------------------- */

#define INDEX (runtime.data + 0x100)
#define FUNCTIONS 5
#define FUNCTION_SIZE 0x30 /* of 0x40 bytes, so that there is a gap */

/* Add an index of unwind tables to the module, with FUNCTIONS entries. */
static void put_index(void)
{
    uint64_t header = runtime.start + 64 + UINT64_C(3) * sizeof(Elf64_Phdr);

    fake_put(session.fake, runtime.start + offsetof(Elf64_Ehdr, e_phnum), 2, 4);
    fake_put(session.fake, header + offsetof(Elf64_Phdr, p_type), 4, PT_GNU_EH_FRAME);
    fake_put(session.fake, header + offsetof(Elf64_Phdr, p_vaddr), 8, INDEX - runtime.start);
    put_bytes(INDEX, "\x01\x1b\x03\x3b", 4);
    put_word(INDEX + 8, FUNCTIONS);
    for (uint64_t i = 0; i < FUNCTIONS; i++) {
        uint64_t entry = INDEX + 0x200 + 16 * i;

        put_word(INDEX + 12 + 8 * i, runtime.text + 0x40 * (i + 1) - INDEX);
        put_word(INDEX + 16 + 8 * i, entry - INDEX);
        put_word(entry + 12, FUNCTION_SIZE);
    }
}

/* Where the function of ADDRESS begins; 0: unknown. */
static uint64_t start_of(uint64_t address)
{
    struct module module;
    uint64_t start;

    ck_assert_int_eq(module_get(&session.target, runtime.module, &module), ompd_rc_ok);
    return function_start_find(&session.target, &module, address, &start) == ompd_rc_ok ? start : 0;
}

START_TEST(function_starts)
{
    begin(true);
    ck_assert_uint_eq(start_of(runtime.text + 0x40), 0);
    put_index();
    target_refresh(&session.target);
    for (uint64_t offset = 0; offset < 0x40 * (FUNCTIONS + 2); offset++) {
        bool is_in =
            offset >= 0x40 && offset < 0x40 * (FUNCTIONS + 1) && offset % 0x40 < FUNCTION_SIZE;

        ck_assert_uint_eq(start_of(runtime.text + offset),
                          is_in ? runtime.text + offset / 0x40 * 0x40 : 0);
    }
    /* Written in another way, of a count that cannot be, and unreadable. */
    put_word(INDEX + 8, UINT32_MAX);
    target_refresh(&session.target);
    ck_assert_uint_eq(start_of(runtime.text + 0x40 * (FUNCTIONS + 1)), 0);
    put_word(INDEX + 8, 0);
    target_refresh(&session.target);
    ck_assert_uint_eq(start_of(runtime.text + 0x40), 0);
    put_word(INDEX + 8, FUNCTIONS);
    put_bytes(INDEX, "\x01\x1b\x03\x3c", 4);
    target_refresh(&session.target);
    ck_assert_uint_eq(start_of(runtime.text + 0x40), 0);
    put_bytes(INDEX, "\x01\x1b\x03\x3b", 4);
    session.fake->hole_start = runtime.data;
    session.fake->hole_end = runtime.data + FAKE_PAGE;
    target_refresh(&session.target);
    ck_assert_uint_eq(start_of(runtime.text + 0x40), 0);
    fake_session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("call-site");
    TCase *calls = tcase_create("calls");

    tcase_add_test(calls, x86_64_calls);
    tcase_add_test(calls, i386_calls);
    tcase_add_test(calls, aarch64_calls);
    tcase_add_test(calls, unreadable);
    tcase_add_test(calls, function_starts);
    suite_add_tcase(suite, calls);
    return suite_run(suite);
}
