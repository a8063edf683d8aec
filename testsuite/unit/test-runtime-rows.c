/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtimes of a target as rows. */
#include "found-session.h"
#include "sentence.h"
#include "suite.h"

#include <check.h>
#include <elf.h>
#include <string.h>

#define PAGE UINT64_C(4096)
#define READ ompd_cl_permission_read
#define WRITE ompd_cl_permission_write
#define EXECUTE ompd_cl_permission_execute

/* Of the made-up runtime, but for its hidden queue and the buffer that is freed. */
#define OBJECTS 14

static ompd_cl_list_t list;
static ompd_cl_runtime_info_t rows[8];
static ompd_size_t count;
static ompd_size_t unreadable;
static char message[256]; /* of the last listing */

static void set_up(void)
{
    target = fake_target_create(false, 8, 8);
    target->has_recorder = false;
    fake_objects_create(&objects, target);
    found_space_create(&fake_extra);
}

/* A runtime that no layout is of, whose table only a search finds: an object in its data leads to
 * it. */
static uint64_t add_stranger(const char *symbol)
{
    static const uint8_t build_id[] = {0x12, 0x34, 0x56};
    uint64_t start = fake_reserve(target, 3 * PAGE, PAGE);
    uint64_t table = start + 2 * PAGE + 256;

    for (uint64_t i = 0; i < 80; i++)
        fake_put(target, table + 8 * i, 8, start + PAGE + 16 * i);
    fake_put(target, start + 3 * PAGE - 64, 8, table);
    fake_permit(target, start, start + PAGE, READ);
    fake_permit(target, start + PAGE, start + 2 * PAGE, READ | EXECUTE);
    fake_permit(target, start + 2 * PAGE, start + 3 * PAGE, READ | WRITE);
    fake_add_symbol(target,
                    fake_add_module(target, "/opt/a folder/libstrange.so", build_id,
                                    sizeof(build_id), start, start + 3 * PAGE),
                    symbol, start + PAGE);
    return table;
}

/* Have the next rows, at most CAPACITY. */
static ompd_rc_t next(ompd_size_t capacity)
{
    rows[0].head.struct_size = sizeof(rows[0]);
    return ompd_cl_runtime_list_next(space, list, capacity, rows, &count, &unreadable);
}

/* Have all of them. */
static ompd_rc_t list_all(void)
{
    const char *text = NULL;
    ompd_rc_t rc;

    ck_assert_int_eq(ompd_cl_runtime_list_open(space, &list), ompd_rc_ok);
    rc = next(8);
    ck_assert_int_eq(ompd_cl_message_get(space, &text), ompd_rc_ok);
    strcpy(message, text);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return rc;
}

static void check_value(const ompd_cl_value_t *value, uint64_t number, ompd_cl_source_t source)
{
    ck_assert_uint_eq(value->status, ompd_cl_status_value);
    ck_assert_uint_eq(value->source, source);
    ck_assert_uint_eq(value->value, number);
}

START_TEST(one_with_a_layout)
{
    found_layout_add();
    ck_assert_int_eq(list_all(), ompd_rc_ok);
    ck_assert_str_eq(message, "");
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(unreadable, 0);
    ck_assert_str_eq(rows[0].module.text, "/usr/lib/libmadeup.so.1");
    ck_assert_str_eq(rows[0].build_id.text, "abcd");
    ck_assert_str_eq(rows[0].layout.text, "Made-Up Computing 1.0");
    ck_assert_uint_eq(rows[0].layout.status, ompd_cl_status_value);
    ck_assert_uint_eq(rows[0].layout.source, ompd_cl_source_layout);
    check_value(&rows[0].address, objects.text - PAGE, ompd_cl_source_none);
    check_value(&rows[0].table, objects.table, ompd_cl_source_none);
    check_value(&rows[0].found_by, ompd_cl_found_by_layout, ompd_cl_source_none);
    check_value(&rows[0].objects, OBJECTS, ompd_cl_source_layout);
}
END_TEST

START_TEST(one_without_a_layout)
{
    uint64_t table = add_stranger("clIcdGetPlatformIDsKHR");

    ck_assert_int_eq(list_all(), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(rows[0].module.text, "/opt/a folder/libstrange.so");
    ck_assert_str_eq(rows[0].build_id.text, "123456");
    ck_assert_str_eq(rows[0].layout.text, "");
    ck_assert_uint_eq(rows[0].layout.status, ompd_cl_status_not_applicable);
    check_value(&rows[0].table, table, ompd_cl_source_none);
    check_value(&rows[0].found_by, ompd_cl_found_by_search, ompd_cl_source_none);
    ck_none(rows[0].objects, ompd_cl_status_presumed);
}
END_TEST

/* See whether the only runtime, whose table is at TABLE, may have objects that are not known. */
static void check_used(uint64_t table, bool is_used)
{
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_unavailable);
    ck_assert_int_eq(list_all(), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    check_value(&rows[0].table, table, ompd_cl_source_none);
    ck_none(rows[0].objects, is_used ? ompd_cl_status_unknown : ompd_cl_status_presumed);
}

/* A program that uses a runtime has a context and a device beside the platform, which is in the
 * runtime's data or not. */
START_TEST(one_that_is_not_used)
{
    uint64_t table = add_stranger("clIcdGetPlatformIDsKHR");
    uint64_t platform = table / PAGE * PAGE + PAGE - 64;
    uint64_t heap = fake_reserve(target, PAGE, PAGE);

    fake_permit(target, heap, heap + PAGE, READ | WRITE);
    check_used(table, false);
    fake_put(target, platform - 64, 8, table);
    check_used(table, false);
    fake_put(target, heap, 8, table);
    check_used(table, true);
    fake_put(target, platform, 8, 0);
    fake_put(target, platform - 64, 8, 0);
    check_used(table, false);
    fake_put(target, heap + 64, 8, table);
    check_used(table, true);
}
END_TEST

/* A long path is truncated at its beginning, because its end is more specific. */
START_TEST(long_path)
{
    char path[300] = "/opt/";

    memset(path + 5, 'x', sizeof(path) - 6);
    strcpy(path + sizeof(path) - 15, "/libstrange.so");
    add_stranger("clIcdGetPlatformIDsKHR");
    target->modules[1].name = path;
    ck_assert_int_eq(list_all(), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(rows[0].module.text + 3, path + sizeof(path) - OMPD_CL_TEXT_SIZE + 3);
}
END_TEST

START_TEST(none)
{
    /* A symbol that only has the name of a function does not make a runtime. */
    add_stranger("clGetPlatformIDs");
    ck_assert_int_eq(list_all(), ompd_rc_ok);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(unreadable, 0);
}
END_TEST

/* The permissions of the memory are unknown: only the module's header has them. */
static void forget_permissions(void)
{
    for (uint32_t i = 0; i < target->permit_count; i++)
        target->permits[i].permissions = 0;
}

/* The table and how it was found are unknown, and the list is incomplete. */
static void check_doubtful(uint16_t status)
{
    ck_assert_int_eq(list_all(), ompd_rc_incomplete);
    ck_assert_str_ne(message, "");
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(rows[0].table.status, status);
    ck_assert_uint_eq(rows[0].table.value, 0);
    ck_assert_uint_eq(rows[0].found_by.status, status);
    ck_assert_uint_eq(rows[0].found_by.value, 0);
}

static void check_found_again(uint64_t table, ompd_cl_found_by_t finding)
{
    target->hole_start = target->hole_end = 0;
    fake_reset(target);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_unavailable);
    ck_assert_int_eq(list_all(), ompd_rc_ok);
    check_value(&rows[0].table, table, ompd_cl_source_none);
    check_value(&rows[0].found_by, finding, ompd_cl_source_none);
}

/* What may be code decides what may be a table: of a module whose header cannot be read nobody can
 * tell, now or at a further call; a table that was found in such a search is no fact later. */
START_TEST(header_that_is_not_read)
{
    uint64_t table = add_stranger("clIcdGetPlatformIDsKHR");
    uint64_t start = table - 2 * PAGE - 256;

    fake_put_module_header(target, start, PAGE);
    forget_permissions();
    target->hole_start = start;
    target->hole_end = start + PAGE;
    target->is_hole_known = _i != 0;
    for (unsigned i = 0; i < 2; i++)
        check_doubtful(_i != 0 ? ompd_cl_status_not_saved : ompd_cl_status_unreadable);
    check_found_again(table, ompd_cl_found_by_search);
}
END_TEST

/* The table is not readable at the address of its symbol. */
START_TEST(table_that_is_not_read)
{
    uint64_t table = add_stranger("clIcdGetPlatformIDsKHR");

    fake_add_symbol(target, 1, "m_dispatchTable", table);
    target->hole_start = table;
    target->hole_end = table + 8;
    for (unsigned i = 0; i < 2; i++)
        check_doubtful(ompd_cl_status_unreadable);
    check_found_again(table, ompd_cl_found_by_symbol);
}
END_TEST

/* Which callback fails, and at which of its calls, does not matter. */
START_TEST(failures_are_told)
{
    uint64_t table = add_stranger("clIcdGetPlatformIDsKHR");
    enum fake_callback failing = _i / 2 == 0 ? fake_read : fake_module;
    unsigned told = 0;
    ompd_rc_t rc;

    fake_put_module_header(target, table - 2 * PAGE - 256, PAGE);
    forget_permissions();
    do {
        ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_unavailable);
        fake_reset(target);
        target->failing = failing;
        target->fail_at = ++told;
        target->fails_for_ever = _i % 2 == 1;
        rc = list_all();
        if (target->failures == 0)
            break;
        /* A read that failed but once may have been tried again. */
        if (failing == fake_read && !target->fails_for_ever && rc == ompd_rc_ok)
            ck_assert_uint_eq(rows[0].table.status, ompd_cl_status_value);
        else
            ck_assert_int_eq(rc, ompd_rc_incomplete);
        if (count != 0 && rows[0].table.status == ompd_cl_status_value)
            check_value(&rows[0].table, table, ompd_cl_source_none);
    } while (told < 1000);
    ck_assert_uint_ge(told, 3);
    check_found_again(table, ompd_cl_found_by_search);
}
END_TEST

START_TEST(table_that_is_not_found)
{
    uint64_t table = add_stranger("clIcdGetPlatformIDsKHR");

    fake_put(target, table + 8 * 40, 8, 12345);
    ck_assert_int_eq(list_all(), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(rows[0].table.status, ompd_cl_status_unknown);
    ck_assert_uint_eq(rows[0].found_by.status, ompd_cl_status_unknown);
}
END_TEST

START_TEST(layout_that_comes_late)
{
    ck_assert_int_eq(ompd_cl_runtime_list_open(space, &list), ompd_rc_ok);
    ck_assert_int_eq(next(8), ompd_rc_ok);
    ck_assert_uint_eq(count, 0);
    found_layout_add();
    ck_assert_int_eq(next(8), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    check_value(&rows[0].objects, OBJECTS, ompd_cl_source_layout);
    ck_assert_int_eq(next(8), ompd_rc_ok);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
}
END_TEST

START_TEST(one_a_call)
{
    found_layout_add();
    add_stranger("clIcdGetPlatformIDsKHR");
    ck_assert_int_eq(ompd_cl_runtime_list_open(space, &list), ompd_rc_ok);
    ck_assert_int_eq(next(1), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(rows[0].build_id.text, "abcd");
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    ck_assert_int_eq(next(1), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(rows[0].build_id.text, "123456");
    ck_assert_int_eq(next(1), ompd_rc_ok);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
}
END_TEST

START_TEST(cancelled)
{
    found_layout_add();
    fake_reset(target);
    target->failing = fake_progress;
    target->fail_at = 1;
    ck_assert_int_eq(list_all(), ompd_rc_incomplete);
    ck_assert_ptr_nonnull(strstr(message, "cancelled"));
    ck_assert_uint_eq(count, 1);
    check_value(&rows[0].table, objects.table, ompd_cl_source_none);
    ck_assert_uint_eq(rows[0].objects.status, ompd_cl_status_unknown);
    ck_assert_int_eq(list_all(), ompd_rc_ok);
    check_value(&rows[0].objects, OBJECTS, ompd_cl_source_layout);
}
END_TEST

START_TEST(module_that_is_not_told)
{
    const char *note;

    found_layout_add();
    fake_reset(target);
    target->failing = fake_module;
    target->fail_at = 1;
    target->fails_for_ever = true;
    ck_assert_int_eq(list_all(), ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(unreadable, 0);
    ck_assert_int_eq(ompd_cl_note_get(space, 0, &note), ompd_rc_ok);
    ck_assert_str_eq(note,
                     "not all of the target's modules could be read; runtimes may be missing.");
    ck_assert_int_eq(ompd_cl_note_get(space, 1, &note), ompd_rc_ok);
    ck_assert_str_eq(note, "");
    fake_reset(target);
    ck_assert_int_eq(list_all(), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(ompd_cl_note_get(space, 0, &note), ompd_rc_ok);
    ck_assert_str_eq(note, "");
}
END_TEST

/* Have TABLE led to as that of a runtime is which has objects. */
static void use_table(uint64_t table)
{
    uint64_t heap = fake_reserve(target, PAGE, PAGE);

    fake_permit(target, heap, heap + PAGE, READ | WRITE);
    fake_put(target, heap, 8, table);
    fake_put(target, heap + 64, 8, table);
}

/* Put at TABLE the table of a C++ class: before it 0 and the address of its type information, an
 * object of a class with its own type information. */
static void make_class_table(uint64_t table)
{
    uint64_t type = fake_reserve(target, PAGE, PAGE);
    uint64_t type_table = type + 64;
    uint64_t type_of_type = type + 128;

    fake_permit(target, type, type + PAGE, READ);
    fake_put(target, table - 16, 8, 0);
    fake_put(target, table - 8, 8, type);
    fake_put(target, type, 8, type_table);
    fake_put(target, type_table - 16, 8, 0);
    fake_put(target, type_table - 8, 8, type_of_type);
    fake_put(target, type_of_type, 8, type_table);
}

/* A module whose symbols cannot be read is no runtime that anything is missing of when no object
 * leads to a table in it; so when such tables are those of C++, several or one. */
START_TEST(symbols_that_nobody_needs)
{
    ompd_cl_overview_info_t overview = {.struct_size = sizeof(overview)};
    uint64_t table = add_stranger("clIcdGetPlatformIDsKHR");
    const char *note;

    if (_i == 1) {
        use_table(table);
        for (uint64_t i = 10; i < 80; i += 10) {
            fake_put(target, table + 8 * i, 8, 0);
            fake_put(target, table + 8 * i + 8, 8, 0);
        }
    }
    if (_i == 2) {
        use_table(table);
        make_class_table(table);
    }
    found_layout_add();
    fake_reset(target);
    target->failing = fake_module_symbol;
    target->fail_at = 1;
    target->fails_for_ever = true;
    ck_assert_int_eq(ompd_cl_overview_get(space, &overview), ompd_rc_ok);
    ck_found(overview.memory_objects, 4);
    ck_assert_int_eq(ompd_cl_note_get(space, 0, &note), ompd_rc_ok);
    ck_assert_str_eq(note, "");
    ck_assert_int_eq(list_all(), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    check_value(&rows[0].objects, OBJECTS, ompd_cl_source_layout);
    /* At the next stop it may have some. */
    use_table(table);
    fake_put(target, table - 8, 8, 0);
    for (uint64_t i = 10; i < 80; i++)
        fake_put(target, table + 8 * i, 8, fake_get(target, table, 8) + 16 * i);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_overview_get(space, &overview), ompd_rc_incomplete);
}
END_TEST

/* The dynamic section of a module, and whether its read-only memory may hold addresses. */
static const struct {
    uint64_t type; /* of the module: e_type */
    uint64_t segment;
    uint64_t tag;
    uint64_t value;
    bool may_hold;
} relocations[] = {
    {ET_DYN, PT_DYNAMIC, DT_SONAME, 1, false},
    {ET_DYN, PT_DYNAMIC, DT_FLAGS, DF_BIND_NOW, false},
    {ET_DYN, PT_DYNAMIC, DT_FLAGS, DF_BIND_NOW | DF_TEXTREL, true},
    {ET_DYN, PT_DYNAMIC, DT_TEXTREL, 0, true},
    {ET_DYN, PT_NOTE, DT_SONAME, 1, true},
    {ET_EXEC, PT_DYNAMIC, DT_SONAME, 1, true},
};

/* What may be a table of a runtime that is not known is one only where its addresses can be. */
START_TEST(what_is_not_relocated)
{
    ompd_cl_overview_info_t overview = {.struct_size = sizeof(overview)};
    uint64_t start = add_stranger("clIcdGetPlatformIDsKHR") - 2 * PAGE - 256;
    uint64_t segment = start + 64 + 3 * sizeof(Elf64_Phdr);
    uint64_t entries = start + 2 * PAGE + 2048;

    for (uint64_t i = 0; i < 80; i++)
        fake_put(target, start + 1024 + 8 * i, 8, start + PAGE + 16 * i);
    use_table(start + 1024);
    fake_put_module_header(target, start, PAGE);
    fake_put(target, start + offsetof(Elf64_Ehdr, e_type), 2, relocations[_i].type);
    fake_put(target, start + offsetof(Elf64_Ehdr, e_phnum), 2, 4);
    fake_put(target, segment + offsetof(Elf64_Phdr, p_type), 4, relocations[_i].segment);
    fake_put(target, segment + offsetof(Elf64_Phdr, p_vaddr), 8, entries - start);
    fake_put(target, segment + offsetof(Elf64_Phdr, p_memsz), 8, 2 * sizeof(Elf64_Dyn));
    fake_put(target, entries, 8, relocations[_i].tag);
    fake_put(target, entries + 8, 8, relocations[_i].value);
    found_layout_add();
    fake_reset(target);
    target->failing = fake_module_symbol;
    target->fail_at = 1;
    target->fails_for_ever = true;
    ck_assert_int_eq(ompd_cl_overview_get(space, &overview),
                     relocations[_i].may_hold ? ompd_rc_incomplete : ompd_rc_ok);
    ck_assert_uint_eq(overview.memory_objects.value, 4);
}
END_TEST

/* It is unknown whether another one is a runtime: other lists may lack its objects. */
START_TEST(symbols_that_are_not_told)
{
    static const char sentence[] =
        "not all of the target's modules could be read; runtimes may be missing.";
    ompd_cl_overview_info_t overview = {.struct_size = sizeof(overview)};
    ompd_cl_memobj_info_t memobjs[MOST];
    const char *note;

    use_table(add_stranger("clIcdGetPlatformIDsKHR"));
    found_layout_add();
    fake_reset(target);
    target->failing = fake_module_symbol;
    target->fail_at = 1;
    target->fails_for_ever = true;
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(found_memobjs_next(list, MOST, memobjs, &count), ompd_rc_incomplete);
    ck_assert_int_eq(ompd_cl_note_get(space, 0, &note), ompd_rc_ok);
    ck_assert_str_eq(note, sentence);
    ck_assert_int_eq(ompd_cl_overview_get(space, &overview), ompd_rc_incomplete);
    ck_shown(overview.memory_objects, 4, ompd_cl_status_at_least);
    ck_assert_int_eq(ompd_cl_note_get(space, 0, &note), ompd_rc_ok);
    ck_assert_str_eq(note, sentence);
    ck_assert_int_eq(ompd_cl_note_get(space, 1, &note), ompd_rc_ok);
    ck_assert_str_eq(note, "");
}
END_TEST

START_TEST(memory_that_is_not_saved)
{
    found_layout_add();
    fake_permit(target, objects.buffer / PAGE * PAGE, objects.buffer / PAGE * PAGE + PAGE,
                READ | WRITE);
    target->hole_start = objects.buffer;
    target->hole_end = target->hole_start + 8;
    target->is_hole_known = true;
    ck_assert_int_eq(list_all(), ompd_rc_incomplete);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(rows[0].objects.status, ompd_cl_status_at_least);
    check_value(&rows[0].table, objects.table, ompd_cl_source_none);
}
END_TEST

START_TEST(tool_without_modules)
{
    ompd_cl_extra_t extra = fake_extra;

    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    extra.module = NULL;
    found_space_create(&extra);
    list.id = 77;
    ck_assert_int_eq(ompd_cl_runtime_list_open(space, &list), ompd_rc_unsupported);
    sentence_expect(space, "modules");
    ck_assert_uint_eq(list.id, 77);
    ck_assert_int_eq(ompd_cl_runtime_list_open(space, NULL), ompd_rc_bad_input);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("runtime-rows");
    TCase *tcase = tcase_create("runtime-rows");

    tcase_add_checked_fixture(tcase, set_up, found_close);
    tcase_add_test(tcase, one_with_a_layout);
    tcase_add_test(tcase, one_without_a_layout);
    tcase_add_test(tcase, one_that_is_not_used);
    tcase_add_test(tcase, long_path);
    tcase_add_test(tcase, none);
    tcase_add_loop_test(tcase, header_that_is_not_read, 0, 2);
    tcase_add_test(tcase, table_that_is_not_read);
    tcase_add_loop_test(tcase, failures_are_told, 0, 4);
    tcase_add_test(tcase, table_that_is_not_found);
    tcase_add_test(tcase, layout_that_comes_late);
    tcase_add_test(tcase, one_a_call);
    tcase_add_test(tcase, cancelled);
    tcase_add_test(tcase, module_that_is_not_told);
    tcase_add_loop_test(tcase, symbols_that_nobody_needs, 0, 3);
    tcase_add_loop_test(tcase, what_is_not_relocated, 0,
                        sizeof(relocations) / sizeof(relocations[0]));
    tcase_add_test(tcase, symbols_that_are_not_told);
    tcase_add_test(tcase, memory_that_is_not_saved);
    tcase_add_test(tcase, tool_without_modules);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
