/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The first, second, third ... allocation of a view fails, until a command succeeds.  Each time,
 * the message reports it, nothing leaks from the view or the library, and the next command works.
 */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* The linker redirects this program's allocations here (-Wl,--wrap). */
void *__real_malloc(size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

#define MOST_BLOCKS 4096

static bool is_asked;     /* the view is, and all requests are its own */
static uint64_t requests; /* since then */
static uint64_t fail_at;  /* of them; 0: never */
static void *blocks[MOST_BLOCKS];
static size_t live; /* of the view's blocks */

static void forget(const void *block)
{
    for (size_t i = 0; i < live; i++)
        if (blocks[i] == block) {
            blocks[i] = blocks[--live];
            return;
        }
}

static bool is_refused(void)
{
    return is_asked && ++requests == fail_at;
}

static void *keep(void *block)
{
    if (is_asked && live < MOST_BLOCKS)
        blocks[live++] = block;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return is_refused() ? NULL : keep(__real_malloc(size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (is_refused())
        return NULL;
    forget(block);
    return keep(__real_realloc(block, size));
}

void __wrap_free(void *block)
{
    forget(block);
    __real_free(block);
}

#define NO_MEMORY "out of memory"

static struct population population;
static struct front front;
static char expected[FRONT_TEXT];

static const struct front_place places[] = {
    {0x401000, {.symbol = "freed", .file = "app.c", .line = 9}},
    {0x400500,
     {.symbol = "inner", .inlined_into = (const char *const[]){"outer"}, .inlined_count = 1}},
};

/* The library's requests are not the view's. */
static ompd_rc_t alloc_memory(ompd_size_t size, void **block)
{
    bool was_asked = is_asked;
    ompd_rc_t rc;

    is_asked = false;
    rc = fake_callbacks.alloc_memory(size, block);
    is_asked = was_asked;
    return rc;
}

static void set_up(void)
{
    ompd_callbacks_t callbacks = fake_callbacks;

    callbacks.alloc_memory = alloc_memory;
    population = population_create(false, 8);
    front_begin(&front);
    front.places = places;
    front.place_count = sizeof(places) / sizeof(places[0]);
    ck_assert_int_eq(ompd_cl_address_space_create(&callbacks, &fake_extra,
                                                  (void *)population.target, &population.space),
                     ompd_rc_ok);
    front.space = population.space;
    front_open(&front);
}

static void tear_down(void)
{
    front_close(&front);
    ck_assert_uint_eq(live, 0);
    population_free(&population);
}

/* Run a line, whose request number AT fails; 0: none. */
static ompd_view_exit_t run_line(const char *verb, const char *arguments, uint64_t at)
{
    ompd_view_exit_t code;

    requests = 0;
    fail_at = at;
    is_asked = true;
    code = front_line(&front, verb, arguments);
    is_asked = false;
    return code;
}

/* Make each allocation of a command fail; returns their number. */
static uint64_t sweep(const char *verb, const char *arguments)
{
    uint64_t library;
    uint64_t at = 0;

    ck_assert_int_eq(run_line(verb, arguments, 0), ompd_view_exit_ok);
    ck_assert_uint_gt(front.size, 0);
    strcpy(expected, front.text);
    front_clear(&front);
    library = population.target->live_blocks;
    for (;;) {
        ompd_view_exit_t code;

        code = run_line(verb, arguments, ++at);
        if (code == ompd_view_exit_ok)
            break;
        ck_assert_int_eq(code, ompd_view_exit_unreadable);
        ck_assert_str_eq(front_message(&front), NO_MEMORY);
        ck_assert_uint_eq(live, 0);
        ck_assert_msg(population.target->live_blocks == library,
                      "request %u: the library holds %d blocks more", (unsigned)at,
                      (int)(population.target->live_blocks - library));
        ck_assert_int_eq(run_line(verb, arguments, 0), ompd_view_exit_ok);
        ck_assert_str_eq(front.text, expected);
        front_clear(&front);
    }
    ck_assert_str_eq(front.text, expected);
    ck_assert_uint_gt(at, 10);
    return at;
}

#define COMMAND(name, verb, arguments)                                                             \
    START_TEST(name)                                                                               \
    {                                                                                              \
        printf("%-14s %u\n", #name, (unsigned)sweep(verb, arguments));                             \
    }                                                                                              \
    END_TEST

COMMAND(overview, "overview", "")
COMMAND(table, "memobjs", "")
COMMAND(filtered, "memobjs", "-context 0x7000 -min-size 1K")
COMMAND(json, "memobjs", "-json")
COMMAND(object, "memobj", "0x9080")
COMMAND(object_json, "memobj", "0x9080 -json")
COMMAND(destructors, "destructors", "")
COMMAND(svm_free, "svm-free", "0xa140")
COMMAND(svm_frees_json, "svm-frees", "-json")
COMMAND(threads, "threads", "")
COMMAND(contexts, "contexts", "")
COMMAND(sorted, "memobjs", "-sort size -columns handle")
COMMAND(grouped, "memobjs", "-group size")
COMMAND(compared, "diff", "first second")
COMMAND(compared_json, "diff", "first second -json")
COMMAND(graph, "graph", "")
COMMAND(said, "say", "-kind buffer f(a, b)")

/* A page has hundreds of requests: some of them fail.  No file is left open. */
START_TEST(report)
{
    uint64_t at = 1;
    ompd_view_exit_t code;

    front.picture = "<svg><g></g></svg>";
    ck_assert_int_eq(run_line("report", "page", 0), ompd_view_exit_ok);
    while ((code = run_line("report", "page", at)) == ompd_view_exit_unreadable) {
        ck_assert_str_eq(front_message(&front), NO_MEMORY);
        ck_assert_uint_eq(live, 0);
        ck_assert(!front.is_file_open);
        at += at < 20 ? 1 : at / 10;
    }
    ck_assert_uint_gt(at, 500);
    ck_assert(front.is_file_whole);
}
END_TEST

/* ---- A verb of the front end's own ----------------------------------------------------------- */

static const ompd_addr_t frames[] = {0x401000, 0x400500};
static const ompd_view_value_t own_values[] = {
    {.struct_size = sizeof(own_values[0]),
     .type = ompd_cl_type_text,
     .status = ompd_cl_status_value,
     .text = "freed"},
    {.struct_size = sizeof(own_values[0]),
     .type = ompd_cl_type_function,
     .status = ompd_cl_status_presumed,
     .number = 0x401000},
    {.struct_size = sizeof(own_values[0]),
     .type = ompd_cl_type_stack,
     .status = ompd_cl_status_value,
     .frames = frames,
     .frame_count = 2},
};

/* Failures are ignored: the verb continues, and the command ends as it must. */
static void write_table(struct front *f)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};

    ompd_view_rc_check(f->view, ompd_cl_overview_get(f->space, &info));
    ompd_view_text_write(f->view, ompd_view_style_plain,
                         ompd_view_overview_describe(f->view, &info));
    ompd_view_text_write(f->view, ompd_view_style_plain, "\n");
    ompd_view_keepers_write(f->view);
    ompd_view_table_begin(f->view, (ompd_cl_kind_t)0);
    ompd_view_table_column_add(f->view, "name", ompd_cl_type_text);
    ompd_view_table_column_add(f->view, "code", ompd_cl_type_function);
    ompd_view_table_row_add(f->view, NULL, own_values, 2, "below\n");
    ompd_view_table_end(f->view);
    ompd_view_text_write(f->view, ompd_view_style_note,
                         ompd_view_value_describe(f->view, &own_values[2]));
}

static void write_json(struct front *f)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};

    ompd_view_rc_check(f->view, ompd_cl_overview_get(f->space, &info));
    ompd_view_json_begin(f->view, NULL, false);
    ompd_view_json_row_add(f->view, ompd_cl_kind_overview, &info);
    ompd_view_json_begin(f->view, "inner", false);
    for (size_t i = 0; i < sizeof(own_values) / sizeof(own_values[0]); i++)
        ompd_view_json_value_add(f->view,
                                 i == 0   ? "name"
                                 : i == 1 ? "code"
                                          : "stack",
                                 &own_values[i]);
    ompd_view_json_end(f->view);
    ompd_view_json_end(f->view);
}

START_TEST(own_verbs)
{
    front.work = write_table;
    printf("own table      %u\n", (unsigned)sweep("ask", ""));
    front.work = write_json;
    printf("own JSON       %u\n", (unsigned)sweep("ask", "-json"));
}
END_TEST

/* What makes no sense has a sentence, too. */
START_TEST(refusals)
{
    uint64_t at = 1;

    while (run_line("memobjs", "-kind no,such", at) == ompd_view_exit_unreadable) {
        ck_assert_str_eq(front_message(&front), NO_MEMORY);
        ck_assert_uint_eq(live, 0);
        at++;
    }
    ck_assert_ptr_nonnull(strstr(front_message(&front), "unknown name 'no'"));
    ck_assert_uint_gt(at, 3);
}
END_TEST

/* Help and completion are NULL, and the message says why. */
static const char *help(void)
{
    return ompd_view_help_get(front.view, "memobjs");
}

static const char *completion(void)
{
    bool is_expression;

    return ompd_view_completion_get(front.view, "memobjs", "-json -kind buffer,im", 0,
                                    &is_expression);
}

static void sweep_answers(const char *(*ask)(void), uint64_t least)
{
    uint64_t at = 0;

    strcpy(expected, ask());
    front_clear(&front);
    for (;;) {
        const char *answer;

        requests = 0;
        fail_at = ++at;
        is_asked = true;
        answer = ask();
        is_asked = false;
        if (answer != NULL)
            break;
        ck_assert_str_eq(front_message(&front), NO_MEMORY);
        ck_assert_uint_eq(live, 0);
        ck_assert_str_eq(ask(), expected);
        front_clear(&front);
    }
    ck_assert_uint_gt(at, least);
}

START_TEST(answers)
{
    sweep_answers(help, 3);
    sweep_answers(completion, 3);
    ck_assert_int_eq(front_line(&front, "memobjs", "-kind no,such"), ompd_view_exit_usage);
    ck_assert_str_ne(front_message(&front), NO_MEMORY);
}
END_TEST

/* The view itself. */
START_TEST(none_at_all)
{
    ompd_view_t *view = front.view;

    front.front_end.struct_size = 1;
    ck_assert_int_eq(ompd_view_create(&front.front_end, &view), ompd_rc_bad_input);
    ck_assert_ptr_eq(view, front.view);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-no-memory");
    TCase *tcase = tcase_create("no memory");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, overview);
    tcase_add_test(tcase, table);
    tcase_add_test(tcase, filtered);
    tcase_add_test(tcase, json);
    tcase_add_test(tcase, object);
    tcase_add_test(tcase, object_json);
    tcase_add_test(tcase, destructors);
    tcase_add_test(tcase, svm_free);
    tcase_add_test(tcase, svm_frees_json);
    tcase_add_test(tcase, threads);
    tcase_add_test(tcase, contexts);
    tcase_add_test(tcase, sorted);
    tcase_add_test(tcase, grouped);
    tcase_add_test(tcase, compared);
    tcase_add_test(tcase, compared_json);
    tcase_add_test(tcase, graph);
    tcase_add_test(tcase, report);
    tcase_add_test(tcase, said);
    tcase_add_test(tcase, own_verbs);
    tcase_add_test(tcase, refusals);
    tcase_add_test(tcase, answers);
    tcase_add_test(tcase, none_at_all);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
