/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The life cycle, several address spaces at a time, and struct sizes of older and newer tools. */
#include "population.h"
#include "sentence.h"
#include "suite.h"

#include <check.h>
#include <string.h>

static struct population population;

static void set_up(void)
{
    population = population_create(false, 8);
}

static void tear_down(void)
{
    population_free(&population);
}

static ompd_address_space_context_t *context(void)
{
    return (ompd_address_space_context_t *)(void *)population.target;
}

START_TEST(versions)
{
    uint32_t major = 42;
    uint32_t minor = 42;
    ompd_word_t api = 0;
    const char *text = NULL;

    ck_assert_int_eq(ompd_cl_version_get(&major, &minor), ompd_rc_ok);
    ck_assert_uint_eq(major, OMPD_CL_VERSION_MAJOR);
    ck_assert_uint_eq(minor, OMPD_CL_VERSION_MINOR);
    ck_assert_int_eq(ompd_cl_version_get(NULL, &minor), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_get_api_version(&api), ompd_rc_ok);
    ck_assert_int_eq(api, 202411);
    ck_assert_int_eq(ompd_get_version_string(&text), ompd_rc_ok);
    ck_assert_ptr_nonnull(strstr(text, "ompd-opencl"));
    ck_assert_int_eq(ompd_get_version_string(NULL), ompd_rc_bad_input);
}
END_TEST

START_TEST(ompd_life_cycle)
{
    ompd_address_space_handle_t *space = NULL;
    struct answers answers;

    ck_assert_int_eq(ompd_process_initialize(context(), &space), ompd_rc_error);
    sentence_expect(NULL, "ompd_initialize");
    ck_assert_int_eq(ompd_initialize(201811, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_initialize(1, &fake_callbacks), ompd_rc_unsupported);
    ck_assert_int_eq(ompd_initialize(201811, &fake_callbacks), ompd_rc_ok);
    ck_assert_int_eq(ompd_process_initialize(context(), NULL), ompd_rc_bad_input);
    sentence_expect(NULL, "the handle is NULL");
    ck_assert_int_eq(ompd_process_initialize(context(), &space), ompd_rc_ok);
    ck_assert_int_eq(ompd_finalize(), ompd_rc_ok);
    ck_assert_int_eq(ompd_finalize(), ompd_rc_unsupported);
    /* The address space has its own copy of the table: law 8. */
    answers_get(space, &answers);
    ck_assert_uint_eq(answers.memobj_count, 3);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_process_initialize(context(), &space), ompd_rc_error);
    sentence_expect(NULL, "ompd_initialize");
}
END_TEST

/* Small numbers may be handles of address spaces that earlier tests of this process have released.
 */
static bool is_refused(ompd_rc_t rc)
{
    return rc == ompd_rc_bad_input || rc == ompd_rc_stale_handle;
}

START_TEST(handles_that_never_were)
{
    static const uintptr_t values[] = {
        1, 2, 255, 256, 4096, UINTPTR_MAX / 2, UINTPTR_MAX - 1, UINTPTR_MAX,
    };
    ompd_cl_list_t list = {42};

    ck_assert_int_eq(ompd_rel_address_space_handle(NULL), ompd_rc_bad_input);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        ompd_address_space_handle_t *space = (ompd_address_space_handle_t *)values[i];
        ck_assert(is_refused(ompd_cl_memobj_list_open(space, NULL, &list)));
        ck_assert(is_refused(ompd_rel_address_space_handle(space)));
    }
    ck_assert_uint_eq(list.id, 42);
}
END_TEST

START_TEST(missing_callbacks)
{
#define NEEDED(member)                                                                             \
    {                                                                                              \
#member, offsetof(ompd_callbacks_t, member)                                                \
    }
    static const struct {
        const char *name;
        size_t offset;
    } needed[] = {
        NEEDED(alloc_memory), NEEDED(free_memory),        NEEDED(sizeof_type),
        NEEDED(read_memory),  NEEDED(symbol_addr_lookup), NEEDED(device_to_host),
    };
    ompd_address_space_handle_t *space = NULL;
    ompd_cl_extra_t extra = {.struct_size = 0};

    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        ompd_callbacks_t callbacks = fake_callbacks;
        memset((char *)&callbacks + needed[i].offset, 0, sizeof(void *));
        ck_assert_int_eq(ompd_cl_address_space_create(&callbacks, NULL, context(), &space),
                         ompd_rc_unsupported);
        sentence_expect(NULL, needed[i].name);
        ck_assert_int_eq(ompd_initialize(1, NULL), ompd_rc_bad_input);
        ck_assert_int_eq(ompd_initialize(201811, &callbacks), ompd_rc_bad_input);
        sentence_expect(NULL, needed[i].name);
    }
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, &extra, context(), &space),
                     ompd_rc_bad_input);
    sentence_expect(NULL, "struct_size");
    ck_assert_ptr_null(space);
}
END_TEST

START_TEST(no_openmp_version)
{
    ompd_word_t version = 42;
    const char *text = NULL;

    population_open(&population);
    ck_assert_int_eq(ompd_get_omp_version(population.space, &version), ompd_rc_unsupported);
    ck_assert_int_eq(ompd_get_omp_version_string(population.space, &text), ompd_rc_unsupported);
    ck_assert_int_eq(ompd_get_omp_version(population.space, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_get_omp_version(NULL, &version), ompd_rc_bad_input);
    ck_assert_int_eq(version, 42);
    ck_assert_ptr_null(text);
}
END_TEST

START_TEST(many_address_spaces)
{
    ompd_address_space_handle_t *spaces[257];
    struct answers answers;

    for (unsigned i = 0; i < 256; i++)
        ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, NULL, context(), &spaces[i]),
                         ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, NULL, context(), &spaces[256]),
                     ompd_rc_nomem);
    for (unsigned i = 0; i < 256; i += 2)
        ck_assert_int_eq(ompd_rel_address_space_handle(spaces[i]), ompd_rc_ok);
    for (unsigned i = 1; i < 256; i += 2) {
        answers_get(spaces[i], &answers);
        ck_assert_uint_eq(answers.memobj_count, 3);
        ck_assert_int_eq(ompd_rel_address_space_handle(spaces[i]), ompd_rc_ok);
    }
    ck_assert_uint_eq(population.target->live_blocks, 0);
}
END_TEST

/* A tool built with an older header has smaller structs, with a newer one larger ones. */
START_TEST(struct_sizes)
{
    struct {
        ompd_cl_memobj_info_t known;
        uint64_t later[4];
    } newer, rows[2];
    ompd_size_t older = offsetof(ompd_cl_memobj_info_t, size) + sizeof(ompd_cl_value_t);
    ompd_cl_memobj_id_t id = {0};
    ompd_cl_list_t list;
    ompd_size_t count = 0;

    population_open(&population);
    ck_assert_int_eq(ompd_cl_memobj_find(population.space, BUFFER_HANDLE, &id), ompd_rc_ok);

    memset(&newer, 0xcc, sizeof(newer));
    newer.known.head.struct_size = older;
    ck_assert_int_eq(ompd_cl_memobj_get(population.space, id, &newer.known), ompd_rc_ok);
    ck_assert_uint_eq(newer.known.head.struct_size, older);
    ck_assert_uint_eq(newer.known.size.value, 4096);
    ck_assert_uint_eq(newer.known.flags.value, UINT64_C(0xcccccccccccccccc));

    newer.known.head.struct_size = sizeof(newer);
    ck_assert_int_eq(ompd_cl_memobj_get(population.space, id, &newer.known), ompd_rc_ok);
    ck_assert_uint_eq(newer.known.flags.value, 9);
    ck_assert_uint_eq(newer.later[3], 0);

    for (ompd_size_t bad = 0; bad < 16; bad++) {
        newer.known.head.struct_size = bad;
        ck_assert_int_eq(ompd_cl_memobj_get(population.space, id, &newer.known), ompd_rc_bad_input);
    }
    newer.known.head.struct_size = UINT64_MAX;
    ck_assert_int_eq(ompd_cl_memobj_get(population.space, id, &newer.known), ompd_rc_bad_input);

    /* struct_size is also the distance between rows. */
    memset(rows, 0, sizeof(rows));
    rows[0].known.head.struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_memobj_list_open(population.space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_memobj_list_next(population.space, list, 2, &rows[0].known, &count, NULL),
        ompd_rc_ok);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(rows[1].known.head.handle.value, SUB_BUFFER_HANDLE);
    ck_assert_int_eq(
        ompd_cl_memobj_list_next(population.space, list, 0, &rows[0].known, &count, NULL),
        ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_memobj_list_next(population.space, list, 2, NULL, &count, NULL),
                     ompd_rc_bad_input);
    ck_assert_int_eq(
        ompd_cl_memobj_list_next(population.space, list, 2, &rows[0].known, NULL, NULL),
        ompd_rc_bad_input);
    ck_assert_int_eq(
        ompd_cl_memobj_list_next(population.space, list, 2, &rows[0].known, &count, NULL),
        ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
}
END_TEST

START_TEST(null_out_parameters)
{
    ompd_cl_memobj_id_t id = {0};

    population_open(&population);
    ck_assert_int_eq(ompd_cl_memobj_find(population.space, BUFFER_HANDLE, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_memobj_find(population.space, BUFFER_HANDLE, &id), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_get(population.space, id, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_memobj_list_open(population.space, NULL, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_overview_get(population.space, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_stack_get(population.space, 1, 1, NULL, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_message_get(population.space, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_address_space_create(NULL, NULL, NULL, NULL), ompd_rc_bad_input);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sessions");
    TCase *tcase = tcase_create("sessions");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, versions);
    tcase_add_test(tcase, ompd_life_cycle);
    tcase_add_test(tcase, handles_that_never_were);
    tcase_add_test(tcase, missing_callbacks);
    tcase_add_test(tcase, no_openmp_version);
    tcase_add_test(tcase, many_address_spaces);
    tcase_add_test(tcase, struct_sizes);
    tcase_add_test(tcase, null_out_parameters);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
