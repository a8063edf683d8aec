/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which addresses are code, by regions and by the headers of modules. */
#include "fake-runtime.h"
#include "suite.h"

#include <check.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define HEAP (UINT64_C(1) << 16)

static struct fake_session session;
static struct fake_runtime runtime;

static void open_target(int variant)
{
    fake_session_open(&session, variant);
    fake_runtime_add(&session, &runtime, "/usr/lib/libmadeup.so", 1, HEAP);
}

static void begin(void)
{
    fake_session_begin(&session, &fake_extra);
    fake_runtimes_find(&session);
}

static void close_target(void)
{
    fake_session_close(&session);
}

static bool is_code(uint64_t address)
{
    return code_is_there(&session.code, &session.target, address);
}

static void check_code(void)
{
    ck_assert(is_code(runtime.text));
    ck_assert(is_code(runtime.text + FAKE_PAGE - 1));
    ck_assert(!is_code(runtime.text - 1));
    ck_assert(!is_code(runtime.data));
    ck_assert(!is_code(runtime.heap));
    ck_assert(!is_code(0));
    ck_assert(!is_code(0x1000));
    ck_assert(!is_code(UINT64_MAX));
}

/* By regions, by program headers where regions do not say, and by both. */
START_TEST(code)
{
    ompd_cl_extra_t extra = fake_extra;

    open_target(_i);
    begin();
    check_code();
    target_refresh(&session.target);
    for (uint32_t i = 0; i < session.fake->permit_count; i++)
        session.fake->permits[i].permissions = 0;
    check_code();
    extra.memory_region = NULL;
    session.target.extra = extra;
    target_refresh(&session.target);
    check_code();
    /* Neighbours are answered without asking. */
    fake_reset(session.fake);
    for (uint64_t i = 0; i < FAKE_PAGE; i++)
        ck_assert(is_code(runtime.text + i));
    ck_assert_uint_eq(session.fake->calls[fake_module], 0);
    extra.module = NULL;
    session.target.extra = extra;
    target_refresh(&session.target);
    ck_assert(is_code(runtime.heap));
    ck_assert(!is_code(0));
    close_target();
}
END_TEST

/* Code may be outside of modules.  A gap between regions is not code, and ends where the next
 * region begins. */
START_TEST(code_outside_modules)
{
    uint64_t made;

    open_target(_i);
    made = fake_area(&session, FAKE_PAGE, ompd_cl_permission_read | ompd_cl_permission_execute);
    begin();
    session.fake->module_count = 0;
    target_refresh(&session.target);
    ck_assert(!is_code(0x1000));
    ck_assert(is_code(made));
    ck_assert(!is_code(made + FAKE_PAGE));
    close_target();
}
END_TEST

/* Memory between a module's segments is not code, and is queried once. */
START_TEST(code_between_segments)
{
    ompd_cl_module_t *module;

    open_target(_i);
    begin();
    module = &session.fake->modules[0];
    module->end += 16 * FAKE_PAGE;
    session.fake->permit_count = 0;
    target_refresh(&session.target);
    ck_assert(is_code(runtime.text));
    fake_reset(session.fake);
    for (uint64_t address = module->end - 15 * FAKE_PAGE; address < module->end; address += 8)
        ck_assert(!is_code(address));
    ck_assert_uint_le(session.fake->calls[fake_read], 16);
    ck_assert_uint_eq(session.fake->calls[fake_module], 1);
    close_target();
}
END_TEST

/* Of a module whose header or segments cannot be read, any address may be code. */
START_TEST(code_of_a_module_without_header)
{
    open_target(_i % FAKE_VARIANTS);
    begin();
    for (uint32_t i = 0; i < session.fake->permit_count; i++)
        session.fake->permits[i].permissions = 0;
    session.fake->hole_start = runtime.start + (_i < FAKE_VARIANTS ? 0 : 64);
    session.fake->hole_end = runtime.text;
    target_refresh(&session.target);
    ck_assert(is_code(runtime.text));
    ck_assert(is_code(runtime.data));
    ck_assert(!is_code(runtime.heap));
    close_target();
}
END_TEST

#define AREAS 100

/* A program has many libraries with memory between them, and many words that look like addresses:
 * each place is queried once. */
START_TEST(many_areas)
{
    uint64_t first = 0;
    uint64_t made = 0;

    open_target(_i);
    for (uint64_t i = 0; i < AREAS; i++) {
        made = fake_area(&session, FAKE_PAGE,
                         ompd_cl_permission_read | (i % 2 == 0 ? ompd_cl_permission_execute : 0));
        first = i == 0 ? made : first;
    }
    begin();
    target_refresh(&session.target);
    fake_reset(session.fake);
    srandom(4711);
    for (unsigned i = 0; i < 100000; i++) {
        uint64_t area = (uint64_t)random() % AREAS;
        uint64_t address = first + area * ((made - first) / (AREAS - 1));

        ck_assert(is_code(address + (uint64_t)random() % FAKE_PAGE) == (area % 2 == 0));
    }
    ck_assert_uint_le(session.fake->calls[fake_region], AREAS);
    ck_assert_uint_eq(session.fake->calls[fake_module], 0);
    close_target();
}
END_TEST

/* Only failed questions to the tool are repeated. */
START_TEST(retry)
{
    open_target(_i);
    begin();
    for (uint32_t i = 0; i < session.fake->permit_count; i++)
        session.fake->permits[i].permissions = 0;
    session.fake->hole_start = runtime.start;
    session.fake->hole_end = runtime.text;
    target_refresh(&session.target);
    ck_assert(!is_code(runtime.heap));
    ck_assert(is_code(runtime.data));
    session.fake->hole_end = session.fake->hole_start;
    ck_assert(is_code(runtime.data));
    code_retry(&session.code);
    fake_reset(session.fake);
    ck_assert(!is_code(runtime.heap));
    ck_assert_uint_eq(session.fake->calls[fake_region], 0);
    ck_assert(!is_code(runtime.data));
    close_target();
}
END_TEST

/* Headers of random contents end in an answer, within few reads. */
START_TEST(hostile_headers)
{
    ompd_cl_extra_t extra = fake_extra;
    uint8_t *header;

    extra.memory_region = NULL;
    open_target(_i);
    fake_session_begin(&session, &extra);
    header = session.fake->bytes + (runtime.start - FAKE_BASE);
    srandom(4711);
    for (unsigned round = 0; round < 2000; round++) {
        uint8_t kept[512];

        memcpy(kept, header, sizeof(kept));
        for (unsigned i = 0; i < 1 + round % 8; i++)
            header[EI_CLASS + (unsigned)random() % 300] = (uint8_t)random();
        target_refresh(&session.target);
        fake_reset(session.fake);
        for (unsigned i = 0; i < 8; i++)
            is_code(runtime.start + (unsigned)random() % (6 * FAKE_PAGE));
        ck_assert(!is_code(runtime.heap));
        ck_assert_uint_le(session.fake->calls[fake_read], 9 * 130);
        memcpy(header, kept, sizeof(kept));
    }
    close_target();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("code");
    TCase *tests = tcase_create("code");

    tcase_add_loop_test(tests, code, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, code_outside_modules, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, code_between_segments, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, code_of_a_module_without_header, 0, 2 * FAKE_VARIANTS);
    tcase_add_loop_test(tests, many_areas, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, retry, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, hostile_headers, 0, FAKE_VARIANTS);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
