/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts that a record has no room for: when they are stored, replaced and freed. */
#include "recorder-scene.h"

#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../../recorder/core/core.h"
#include "../../recorder/objects/kinds.h"
#include "recorder-invariants.h"
#include "suite.h"

#define PROGRAM HANDLE(5)
#define KERNEL HANDLE(6)
#define BLOCK_SIZE OMPD_CL_REGISTRY_TEXT_BLOCK_SIZE
#define LONGEST (OMPD_CL_REGISTRY_TEXT_LIMIT + 1000)

static uint32_t block_count(void)
{
    return recorder_records_count(ompd_cl_registry_text_block);
}

/* SIZE bytes that begin with FIRST; not freed. */
static char *make_text(size_t size, char first)
{
    char *text = malloc(size + 1);
    for (size_t i = 0; i < size; i++) {
        text[i] = (char)('a' + i % 23);
    }
    text[0] = first;
    text[size] = '\0';
    return text;
}

static const struct ompd_cl_registry_program_record *program_record(void)
{
    return (const void *)scene_object(ompd_cl_registry_program, PROGRAM);
}

static const struct ompd_cl_registry_kernel_record *kernel_record(const void *kernel)
{
    return (const void *)scene_object(ompd_cl_registry_kernel, kernel);
}

/* WHOLE, stored with its BEGINNING, is TEXT. */
static void expect_text(const char *beginning, const struct ompd_cl_registry_text *whole,
                        const char *text)
{
    size_t size = strlen(text);
    size_t kept = size < OMPD_CL_REGISTRY_TEXT_LIMIT ? size : OMPD_CL_REGISTRY_TEXT_LIMIT;
    uint32_t place = whole->place;
    ck_assert_uint_eq(whole->size, size);
    ck_assert_uint_eq(place != 0, size >= OMPD_CL_REGISTRY_TEXT_SIZE);
    if (place == 0) {
        ck_assert_str_eq(beginning, text);
        return;
    }
    ck_assert_int_eq(memcmp(beginning, text, 110), 0);
    for (size_t origin = 0; origin < kept; origin += BLOCK_SIZE) {
        size_t rest = kept - origin;
        ck_assert_uint_ne(place, 0);
        const struct ompd_cl_registry_text_block_record *block =
            recorder_record(ompd_cl_registry_text_block, place - 1);
        ck_assert_uint_eq(block->state, ompd_cl_registry_live);
        ck_assert_uint_eq(block->origin, origin);
        ck_assert_uint_eq(block->size, kept);
        ck_assert_int_eq(memcmp(block->text, text + origin, rest < BLOCK_SIZE ? rest : BLOCK_SIZE),
                         0);
        place = block->next;
    }
    ck_assert_uint_eq(place, 0);
}

static void expect_options(const char *text)
{
    expect_text(program_record()->options, &program_record()->whole_options, text);
}

static void expect_log(const char *text)
{
    expect_text(program_record()->log, &program_record()->whole_log, text);
}

static void build(const char *options, cl_int status)
{
    struct recorder_build begun;
    recorder_build_begin(&begun, PROGRAM, options);
    recorder_build_end(&begun, status, false);
}

/* Each build has its own options, and no log until it is asked for. */
START_TEST(builds)
{
    char *first = make_text(1000, 'x');
    char *second = make_text(BLOCK_SIZE, 'y');
    recorder_program_created(PROGRAM, CONTEXT, NULL);
    expect_options("");
    build(first, CL_SUCCESS);
    expect_options(first);
    ck_assert_uint_eq(block_count(), 5);
    recorder_build_log_seen(PROGRAM, second, strlen(second) + 1);
    expect_log(second);
    ck_assert_uint_eq(block_count(), 6);
    recorder_build_log_seen(PROGRAM, first, 300);
    ck_assert_uint_eq(block_count(), 7);
    build(second, CL_BUILD_PROGRAM_FAILURE);
    expect_options(second);
    expect_log("");
    ck_assert_uint_eq(block_count(), 1);
    build("-w", CL_SUCCESS);
    expect_options("-w");
    ck_assert_uint_eq(block_count(), 0);
    build(NULL, CL_SUCCESS);
    expect_options("");
    build(first, CL_SUCCESS);
    scene_release(ompd_cl_registry_program, PROGRAM, true);
    ck_assert_uint_eq(block_count(), 0);
}
END_TEST

/* A build that is refused leaves the texts of the one before. */
START_TEST(refused_builds)
{
    char *first = make_text(500, 'x');
    char *log = make_text(700, 'y');
    char *second = make_text(1000, 'z');
    recorder_program_created(PROGRAM, CONTEXT, NULL);
    build(first, CL_SUCCESS);
    recorder_build_log_seen(PROGRAM, log, strlen(log) + 1);
    build(second, CL_INVALID_OPERATION);
    expect_options(first);
    expect_log(log);
    ck_assert_uint_eq(block_count(), 3 + 4);
    /* The program has ended meanwhile. */
    struct recorder_build begun;
    recorder_build_begin(&begun, PROGRAM, second);
    ck_assert_uint_eq(block_count(), 3 + 4 + 5);
    scene_release(ompd_cl_registry_program, PROGRAM, true);
    ck_assert_uint_eq(block_count(), 3 + 4);
    recorder_build_end(&begun, CL_INVALID_OPERATION, false);
    ck_assert_uint_eq(block_count(), 0);
}
END_TEST

/* Texts of all lengths about those where another block begins; a longest one is cut. */
START_TEST(all_lengths)
{
    static const size_t lengths[] = {0,
                                     118,
                                     119,
                                     120,
                                     BLOCK_SIZE - 1,
                                     BLOCK_SIZE,
                                     BLOCK_SIZE + 1,
                                     2 * BLOCK_SIZE,
                                     OMPD_CL_REGISTRY_TEXT_LIMIT,
                                     LONGEST};
    recorder_program_created(PROGRAM, CONTEXT, NULL);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        char *text = make_text(lengths[i], 'x');
        text[lengths[i]] = '\0';
        build(text, CL_SUCCESS);
        expect_options(text);
        free(text);
    }
    ck_assert_uint_eq(block_count(), (OMPD_CL_REGISTRY_TEXT_LIMIT + BLOCK_SIZE - 1) / BLOCK_SIZE);
}
END_TEST

/* The log begins with its first error. */
START_TEST(log_from_its_error)
{
    char *text = make_text(2000, 'x');
    text[599] = '\n';
    memcpy(text + 600, "a.cl:3:1: error", 15);
    recorder_program_created(PROGRAM, CONTEXT, NULL);
    build("", CL_BUILD_PROGRAM_FAILURE);
    recorder_build_log_seen(PROGRAM, text, 2001);
    ck_assert_uint_eq(program_record()->whole_log.size, 1400);
    expect_log(text + 600);
}
END_TEST

START_TEST(kernels)
{
    char *name = make_text(200, 'k');
    recorder_program_created(PROGRAM, CONTEXT, NULL);
    recorder_kernel_created(KERNEL, PROGRAM, name, NULL);
    recorder_kernel_cloned(HANDLE(7), KERNEL, NULL);
    ck_assert_uint_eq(block_count(), 2);
    scene_release(ompd_cl_registry_kernel, KERNEL, true);
    ck_assert_uint_eq(block_count(), 1);
    expect_text(kernel_record(HANDLE(7))->name, &kernel_record(HANDLE(7))->whole_name, name);
    recorder_kernel_cloned(HANDLE(8), HANDLE(99), NULL);
    expect_text(kernel_record(HANDLE(8))->name, &kernel_record(HANDLE(8))->whole_name, "");
    recorder_kernel_created(HANDLE(9), PROGRAM, NULL, NULL);
    expect_text(kernel_record(HANDLE(9))->name, &kernel_record(HANDLE(9))->whole_name, "");
    scene_release(ompd_cl_registry_kernel, HANDLE(7), true);
    ck_assert_uint_eq(block_count(), 0);
}
END_TEST

START_TEST(names_of_platforms)
{
    char *name = make_text(300, 'n');
    const struct recorder_platform platform = {
        .handle = 0x7000, .name = name, .version = "OpenCL 3.0", .vendor = name};
    const struct recorder_device device = {.handle = 0x7100, .name = name};
    uint32_t place = recorder_platform_add(&platform);
    ck_assert_uint_eq(block_count(), 4);
    ck_assert_uint_eq(recorder_platform_add(&platform), place);
    recorder_device_add(&device);
    recorder_device_add(&device);
    ck_assert_uint_eq(block_count(), 6);
    const struct ompd_cl_registry_platform_record *record =
        recorder_record(ompd_cl_registry_platform, place - 1);
    expect_text(record->name, &record->whole_name, name);
    expect_text(record->version, &record->whole_version, "OpenCL 3.0");
    expect_text(record->vendor, &record->whole_vendor, name);
}
END_TEST

static void *build_often(void *first)
{
    char *text = make_text(600, *(const char *)first);
    for (unsigned i = 0; i < 2000; i++) {
        build(text, i % 3 == 0 ? CL_INVALID_OPERATION : CL_SUCCESS);
        recorder_build_log_seen(PROGRAM, text, 601);
    }
    free(text);
    return NULL;
}

/* Threads that build one program at once free each text once. */
START_TEST(at_once)
{
    static const char firsts[] = "pqrs";
    pthread_t threads[4];
    recorder_program_created(PROGRAM, CONTEXT, NULL);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, build_often, (void *)&firsts[i]), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    }
    build("", CL_SUCCESS);
    ck_assert_uint_eq(block_count(), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder-texts");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, scene_set_up, scene_tear_down);
    tcase_add_test(all, builds);
    tcase_add_test(all, refused_builds);
    tcase_add_test(all, all_lengths);
    tcase_add_test(all, log_from_its_error);
    tcase_add_test(all, kernels);
    tcase_add_test(all, names_of_platforms);
    tcase_add_test(all, at_once);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
