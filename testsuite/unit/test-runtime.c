/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which modules are runtimes, and where their dispatch tables are. */
#include "fake-runtime.h"
#include "suite.h"

#include <check.h>
#include <sources/layout/runtime.h>

#define HEAP (UINT64_C(1) << 16)
#define TAG UINT64_C(0x4F50454E434C3331)

static struct fake_session session;
static struct fake_runtime runtime;
static uint32_t word;

static void open_target(int variant)
{
    fake_session_open(&session, variant);
    fake_runtime_add(&session, &runtime, "/usr/lib/libmadeup.so", 1, HEAP);
    word = session.fake->pointer_size;
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

static void put_word(uint64_t address, uint64_t value)
{
    fake_put(session.fake, address, word, value);
}

static void put_slot(unsigned slot, uint64_t value)
{
    put_word(runtime.table + (uint64_t)slot * word, value);
}

static void name_function(const struct fake_runtime *owner, const char *name)
{
    fake_add_symbol(session.fake, owner->module, name, owner->text);
}

static void check_found(enum runtime_finding finding, uint64_t table)
{
    ck_assert_uint_eq(session.runtimes.count, 1);
    ck_assert_str_eq(session.runtimes.all[0].module, "/usr/lib/libmadeup.so");
    ck_assert_uint_eq(session.runtimes.all[0].start, runtime.start);
    ck_assert_int_eq(session.runtimes.all[0].finding, finding);
    ck_assert_uint_eq(session.runtimes.all[0].table, table);
    ck_assert_int_eq(session.runtimes.all[0].layout != NULL, finding == runtime_by_layout);
}

/* ---- By a layout ----------------------------------------------------------------------------- */

START_TEST(by_layout)
{
    open_target(_i);
    /* What the runtime does not have, the tags of ICD 2, functions of another module. */
    put_slot(3, 0);
    put_slot(0, TAG);
    put_slot(20, TAG);
    fake_runtime_describe(&runtime, "");
    begin();
    check_found(runtime_by_layout, runtime.table);
    /* A build-id that fits needs no symbols. */
    ck_assert_uint_eq(session.fake->calls[fake_module_symbol], 0);
    close_target();
}
END_TEST

START_TEST(functions_of_another_module)
{
    struct fake_runtime other;

    open_target(_i);
    fake_runtime_add(&session, &other, "libother.so", 2, HEAP);
    put_slot(5, other.text + 32);
    fake_runtime_describe(&runtime, "");
    begin();
    check_found(runtime_by_layout, runtime.table);
    close_target();
}
END_TEST

/* A layout that leads to no table is not of this module, and is ignored. */
START_TEST(wrong_layout)
{
    open_target(_i);
    name_function(&runtime, "clIcdGetPlatformIDsKHR");
    fake_runtime_describe(&runtime, "");
    put_slot(7, runtime.heap);
    begin();
    check_found(runtime_not_found, 0);
    close_target();
}
END_TEST

START_TEST(only_zeros)
{
    open_target(_i);
    name_function(&runtime, "clIcdGetPlatformIDsKHR");
    for (unsigned i = 0; i < FAKE_SLOTS; i++)
        put_slot(i, 0);
    fake_runtime_describe(&runtime, "");
    begin();
    check_found(runtime_not_found, 0);
    close_target();
}
END_TEST

START_TEST(table_outside)
{
    open_target(_i);
    name_function(&runtime, "clIcdGetPlatformIDsKHR");
    fake_runtime_describe(&runtime, "");
    session.layouts->layout.table = UINT64_C(1) << 39;
    begin();
    check_found(runtime_not_found, 0);
    close_target();
}
END_TEST

/* Another machine's library may have the same build-id only in a false layout. */
START_TEST(other_machine)
{
    open_target(_i);
    fake_runtime_describe(&runtime, "");
    session.layouts->layout.machine = 183;
    begin();
    ck_assert_uint_eq(session.runtimes.count, 0);
    session.layouts->layout.machine = 62;
    session.layouts->layout.pointer_size = 12 - word;
    target_refresh(&session.target);
    fake_runtimes_find(&session);
    ck_assert_uint_eq(session.runtimes.count, 0);
    session.layouts->layout.pointer_size = word;
    session.layouts->layout.is_big_endian = !session.layouts->layout.is_big_endian;
    target_refresh(&session.target);
    fake_runtimes_find(&session);
    ck_assert_uint_eq(session.runtimes.count, 0);
    session.layouts->layout.is_big_endian = !session.layouts->layout.is_big_endian;
    target_refresh(&session.target);
    fake_runtimes_find(&session);
    check_found(runtime_by_layout, runtime.table);
    close_target();
}
END_TEST

/* A truncated core may lack the table; objects are checked one by one anyway. */
START_TEST(table_not_readable)
{
    open_target(_i);
    fake_runtime_describe(&runtime, "");
    session.fake->hole_start = runtime.data;
    session.fake->hole_end = runtime.data + FAKE_PAGE;
    begin();
    check_found(runtime_by_layout, runtime.table);
    close_target();
}
END_TEST

/* A layout that comes later, and another stop. */
START_TEST(layout_comes_later)
{
    open_target(_i);
    begin();
    ck_assert_uint_eq(session.runtimes.count, 0);
    fake_runtime_describe(&runtime, "");
    fake_runtimes_find(&session);
    check_found(runtime_by_layout, runtime.table);
    fake_reset(session.fake);
    fake_runtimes_find(&session);
    ck_assert_uint_eq(session.fake->calls[fake_module], 0);
    close_target();
}
END_TEST

/* ---- By symbols ------------------------------------------------------------------------------ */

START_TEST(by_symbol)
{
    open_target(_i);
    name_function(&runtime, "clGetExtensionFunctionAddress");
    fake_add_symbol(session.fake, runtime.module, "m_dispatchTable", runtime.table);
    begin();
    check_found(runtime_by_symbol, runtime.table);
    close_target();
}
END_TEST

START_TEST(symbol_of_another_thing)
{
    open_target(_i);
    name_function(&runtime, "clGetExtensionFunctionAddress");
    fake_add_symbol(session.fake, runtime.module, "m_dispatchTable", runtime.heap);
    begin();
    check_found(runtime_not_found, 0);
    close_target();
}
END_TEST

/* The loader, layers and other libraries are not runtimes. */
START_TEST(no_runtimes)
{
    struct fake_runtime layer, other;

    open_target(_i);
    fake_runtime_add(&session, &layer, "liblayer.so", 2, HEAP);
    fake_runtime_add(&session, &other, "libc.so", 3, HEAP);
    name_function(&runtime, "clGetExtensionFunctionAddress");
    name_function(&runtime, "clGetPlatformIDs");
    name_function(&layer, "clIcdGetPlatformIDsKHR");
    name_function(&layer, "clInitLayer");
    begin();
    ck_assert_uint_eq(session.runtimes.count, 0);
    close_target();
}
END_TEST

/* Symbols are slow for the tool: they are only resolved again when the modules have changed. */
START_TEST(symbols_are_looked_up_once)
{
    struct fake_runtime other;

    open_target(_i);
    fake_runtime_add(&session, &other, "libc.so", 3, HEAP);
    name_function(&runtime, "clIcdGetPlatformIDsKHR");
    fake_add_symbol(session.fake, runtime.module, "m_dispatchTable", runtime.table);
    begin();
    check_found(runtime_by_symbol, runtime.table);
    fake_reset(session.fake);
    for (unsigned i = 0; i < 3; i++) {
        target_refresh(&session.target);
        fake_runtimes_find(&session);
        check_found(runtime_by_symbol, runtime.table);
    }
    ck_assert_uint_eq(session.fake->calls[fake_module_symbol], 3);
    name_function(&other, "clIcdGetPlatformIDsKHR");
    session.fake->modules[other.module].end += FAKE_PAGE;
    target_refresh(&session.target);
    fake_runtimes_find(&session);
    ck_assert_uint_eq(session.runtimes.count, 2);
    close_target();
}
END_TEST

START_TEST(tool_fails)
{
    open_target(_i);
    name_function(&runtime, "clIcdGetPlatformIDsKHR");
    fake_add_symbol(session.fake, runtime.module, "m_dispatchTable", runtime.table);
    begin();
    for (enum fake_callback failing = fake_module; failing <= fake_module_symbol; failing++) {
        session.runtimes.modules = 0; /* as if there had been others */
        target_refresh(&session.target);
        fake_reset(session.fake);
        session.fake->failing = failing;
        session.fake->fail_at = 1;
        ck_assert_int_eq(runtimes_find(&session.runtimes, &session.target, &session.code, NULL),
                         ompd_rc_incomplete);
        fake_reset(session.fake);
        fake_runtimes_find(&session);
        check_found(runtime_by_symbol, runtime.table);
    }
    close_target();
}
END_TEST

START_TEST(no_modules)
{
    ompd_cl_extra_t extra = fake_extra;

    extra.module = NULL;
    open_target(_i);
    fake_session_begin(&session, &extra);
    ck_assert_int_eq(runtimes_find(&session.runtimes, &session.target, &session.code, NULL),
                     ompd_rc_unsupported);
    close_target();
}
END_TEST

/* ---- By a search ----------------------------------------------------------------------------- */

/* A second run of code addresses in the runtime's data, as C++ has many. */
static uint64_t add_run(unsigned words)
{
    uint64_t start = runtime.data + UINT64_C(2) * FAKE_PAGE;

    for (unsigned i = 0; i < words; i++)
        put_word(start + (uint64_t)i * word, runtime.text + i);
    put_word(start + (uint64_t)words * word, 3);
    return start;
}

static void search(void)
{
    fake_session_begin(&session, &fake_extra);
    fake_runtimes_find(&session);
    check_found(runtime_not_found, 0);
    ck_assert_int_eq(runtimes_search(&session.runtimes, &session.target, &session.code),
                     ompd_rc_ok);
}

/* The table begins three words into the run, and has a gap and tags. */
START_TEST(by_search)
{
    open_target(_i);
    name_function(&runtime, "clIcdGetPlatformIDsKHR");
    add_run(100);
    for (unsigned i = 1; i <= 3; i++)
        put_word(runtime.table - (uint64_t)i * word, runtime.text + i);
    put_slot(0, TAG);
    for (unsigned i = 30; i < 45; i++)
        put_slot(i, 0);
    fake_object_add(&runtime, layout_context, 0, 0);
    search();
    check_found(runtime_by_search, runtime.table);
    /* It stays found, with no other search. */
    target_refresh(&session.target);
    fake_reset(session.fake);
    fake_runtimes_find(&session);
    check_found(runtime_by_search, runtime.table);
    ck_assert_int_eq(runtimes_search(&session.runtimes, &session.target, &session.code),
                     ompd_rc_ok);
    ck_assert_uint_le(session.fake->calls[fake_read], 3);
    close_target();
}
END_TEST

START_TEST(search_without_objects)
{
    open_target(_i);
    name_function(&runtime, "clIcdGetPlatformIDsKHR");
    search();
    check_found(runtime_not_found, 0);
    ck_assert_uint_eq(session.runtimes.searched, session.target.stop);
    close_target();
}
END_TEST

/* Unknown facts are not claimed. */
START_TEST(search_finds_two)
{
    open_target(_i);
    name_function(&runtime, "clIcdGetPlatformIDsKHR");
    fake_object_add(&runtime, layout_context, 0, 0);
    put_word(runtime.heap + 1024, add_run(100));
    search();
    check_found(runtime_not_found, 0);
    close_target();
}
END_TEST

/* Check the result of a new stop. */
static void check_being_loaded(bool is_being_loaded)
{
    target_refresh(&session.target);
    fake_reset(session.fake);
    fake_runtimes_find(&session);
    ck_assert_int_eq(runtimes_search(&session.runtimes, &session.target, &session.code),
                     ompd_rc_ok);
    check_found(runtime_not_found, 0);
    ck_assert_int_eq(session.runtimes.all[0].is_being_loaded, is_being_loaded);
    ck_assert_int_eq(session.runtimes.all[0].is_idle, is_being_loaded);
}

/* Before the dynamic linker has relocated a module, its table has the functions' addresses in the
 * file, or nothing; after that, some words of its data at least are addresses of functions. */
START_TEST(being_loaded)
{
    uint64_t page;

    open_target(_i);
    name_function(&runtime, "clIcdGetPlatformIDsKHR");
    page = runtime.data + UINT64_C(3) * FAKE_PAGE;
    search();
    ck_assert(!session.runtimes.all[0].is_being_loaded);
    for (unsigned i = 0; i < FAKE_SLOTS; i++)
        put_slot(i, i % 3 != 0 ? UINT64_C(8192) + 16 * i : 0);
    check_being_loaded(true);
    /* The dynamic linker's own tables have addresses of code, each beside another value. */
    put_word(page, runtime.text);
    put_word(page + word, 7);
    put_word(page + 2 * word, runtime.text);
    check_being_loaded(true);
    put_word(page + word, runtime.text);
    check_being_loaded(false);
    put_word(page + word, 7);
    session.fake->hole_start = page;
    session.fake->hole_end = page + FAKE_PAGE;
    check_being_loaded(false);
    session.fake->is_hole_known = true; /* a core has not saved it */
    check_being_loaded(false);
    close_target();
}
END_TEST

START_TEST(search_is_cancelled)
{
    open_target(_i);
    name_function(&runtime, "clIcdGetPlatformIDsKHR");
    fake_object_add(&runtime, layout_context, 0, 0);
    begin();
    fake_reset(session.fake);
    session.fake->failing = fake_progress;
    session.fake->fail_at = 1;
    ck_assert_int_eq(runtimes_search(&session.runtimes, &session.target, &session.code),
                     ompd_rc_incomplete);
    ck_assert_uint_ne(session.runtimes.searched, session.target.stop);
    check_found(runtime_not_found, 0);
    fake_reset(session.fake);
    ck_assert_int_eq(runtimes_search(&session.runtimes, &session.target, &session.code),
                     ompd_rc_ok);
    check_found(runtime_by_search, runtime.table);
    close_target();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("runtime");
    TCase *found = tcase_create("found");

    tcase_add_loop_test(found, by_layout, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, functions_of_another_module, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, wrong_layout, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, only_zeros, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, table_outside, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, other_machine, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, table_not_readable, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, layout_comes_later, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, by_symbol, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, symbol_of_another_thing, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, no_runtimes, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, symbols_are_looked_up_once, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, tool_fails, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, no_modules, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, by_search, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, search_without_objects, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, search_finds_two, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, being_loaded, 0, FAKE_VARIANTS);
    tcase_add_loop_test(found, search_is_cancelled, 0, FAKE_VARIANTS);
    tcase_set_timeout(found, 60);
    suite_add_tcase(suite, found);
    return suite_run(suite);
}
