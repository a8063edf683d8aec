/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the activities of threads are described, with much, little or invalid information. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <ompd-opencl-calls.h>
#include <stddef.h>
#include <string.h>
#include <view/show/show.h>
#include <view/show/table.h>

static struct population population;
static struct front front;
static struct view_thread_renderer threads;

static const struct front_place places[] = {
    {0x401000, {.symbol = "freed", .file = "app.c", .line = 9}},
    {0x402000, {.symbol = "svm_freed", .file = "app.c", .line = 19}},
};

/* The library's function, which the linker has the view call here (-Wl,--wrap), and how often. */
ompd_rc_t __real_ompd_cl_object_list_open(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                                          uint64_t object, ompd_cl_list_t *list);
ompd_rc_t __wrap_ompd_cl_object_list_open(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                                          uint64_t object, ompd_cl_list_t *list);

static unsigned lists;

ompd_rc_t __wrap_ompd_cl_object_list_open(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                                          uint64_t object, ompd_cl_list_t *list)
{
    lists += kind == ompd_cl_kind_activity;
    return __real_ompd_cl_object_list_open(space, kind, object, list);
}

static void set_up(void)
{
    population = population_create(false, 8);
    population_open(&population);
    front_begin(&front);
    front.space = population.space;
    front.places = places;
    front.place_count = sizeof(places) / sizeof(places[0]);
    front_open(&front);
    front.view->use.space = population.space;
    view_thread_renderer_begin(&threads, front.view);
}

static void tear_down(void)
{
    view_thread_renderer_end(&threads);
    front_close(&front);
    population_free(&population);
}

/* Forget what was read of the target, which the test has changed. */
static void target_changed(void)
{
    ompd_cl_address_space_refresh(
        population.space); /* whether it is still good the test asks otherwise */
    view_thread_renderer_end(&threads);
    view_thread_renderer_begin(&threads, front.view);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A row of a thread, in which nothing is, and what is set in it. */
static ompd_cl_thread_info_t thread;
static struct view_row row;

static void begin_row(void)
{
    static const ompd_cl_value_t absent = {.status = ompd_cl_status_not_applicable};

    thread = (ompd_cl_thread_info_t){.head.struct_size = sizeof(thread)};
    thread.head.handle = thread.pthread = thread.state = thread.call = thread.object = absent;
    thread.depth = thread.is_caller = thread.head.order = thread.head.source = absent;
    row = (struct view_row){view_kind_get(ompd_cl_kind_thread), (const void *)&thread};
}

/* A row that the library returns for the thread LWP. */
static void get_row(uint32_t lwp)
{
    ompd_cl_thread_id_t id;
    ompd_rc_t rc;

    begin_row();
    ck_assert_int_eq(ompd_cl_thread_find(population.space, lwp, &id), ompd_rc_ok);
    rc = ompd_cl_thread_get(population.space, id, &thread);
    ck_assert(rc == ompd_rc_ok || rc == ompd_rc_incomplete);
}

#define KNOWN(number)                                                                              \
    (ompd_cl_value_t)                                                                              \
    {                                                                                              \
        .value = (number), .status = ompd_cl_status_value                                          \
    }
#define UNKNOWN                                                                                    \
    (ompd_cl_value_t)                                                                              \
    {                                                                                              \
        .status = ompd_cl_status_unknown                                                           \
    }

static const char *cell(const char *name)
{
    static struct view_cell shown;

    view_cell_clear(&shown);
    threads.renderer.cell(&threads.renderer, view_kind_field(row.kind, name), &row, &shown);
    ck_assert_int_ne(shown.sure, view_sure_presumed);
    if (shown.sure == view_sure_unknown)
        return "?";
    return shown.sure == view_sure_absent ? "-" : text_get(&shown.text);
}

static const char *below(void)
{
    static struct text text;

    text_clear(&text);
    threads.renderer.below(&threads.renderer, &row, &text);
    return text_get(&text);
}

static const char *sentence(void)
{
    static struct text text;

    text_clear(&text);
    view_thread_sentence(&threads, &row, &text);
    return text_get(&text);
}

/* A handle is said to be what is known of it, and no more. */
START_TEST(handles)
{
    static const struct {
        uint64_t state;
        uint64_t handle;
        const char *text;
    } known[] = {
        {ompd_cl_thread_state_in_call, BUFFER_HANDLE, "buffer 0x9080"},
        {ompd_cl_thread_state_in_call, SUB_BUFFER_HANDLE, "sub-buffer 0x90c0"},
        {ompd_cl_thread_state_in_call, SVM_POINTER, "SVM allocation 0xa140"},
        {ompd_cl_thread_state_in_call, QUEUE_HANDLE, "command queue 0x8040"},
        {ompd_cl_thread_state_in_call, CONTEXT_HANDLE, "OpenCL context 0x7000"},
        {ompd_cl_thread_state_in_call, 0x4000, "0x4000"},
        {ompd_cl_thread_state_waits_for_events, BUFFER_HANDLE, "event 0x9080"},
        {ompd_cl_thread_state_builds, 8, "program 0x8"},
        {99, 0x4000, "0x4000"},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        begin_row();
        thread.state = KNOWN(known[i].state);
        thread.object = KNOWN(known[i].handle);
        ck_assert_str_eq(cell("handle"), known[i].text);
    }
}
END_TEST

/* The handle alone is enough if the target cannot be read. */
START_TEST(handle_unreadable)
{
    begin_row();
    thread.state = KNOWN(ompd_cl_thread_state_in_call);
    thread.object = KNOWN(BUFFER_HANDLE);
    population.target->hole_start = FAKE_BASE;
    population.target->hole_end = FAKE_BASE + FAKE_SIZE;
    target_changed();
    ck_assert_str_eq(cell("handle"), "0x9080");
    ck_assert_int_eq(front.view->failure, ompd_view_exit_ok);
}
END_TEST

START_TEST(nothing_known)
{
    static const struct view_table_options options = {.indent = "", .is_numbered = true};
    struct view_table *table;

    begin_row();
    thread.head.handle = thread.state = thread.call = thread.object = UNKNOWN;
    thread.depth = thread.is_caller = UNKNOWN;
    ck_assert_str_eq(cell("lwp"), "?");
    ck_assert_str_eq(cell("state"), "?");
    ck_assert_str_eq(cell("call"), "?");
    ck_assert_str_eq(cell("handle"), "?");
    ck_assert_str_eq(cell("is_caller"), "?");
    ck_assert_str_eq(below(), "");
    ck_assert_uint_eq(lists, 0);
    ck_assert_uint_eq(threads.lwp_count, 0);
    table = view_table_begin(&threads.renderer, row.kind, &options);
    view_table_add(table, &row);
    view_table_end(table);
    view_renderer_write_notes(&threads.renderer, "");
    view_flush(front.view);
    ck_assert_str_eq(front.text, "Not observed: state, in function, object, owner.\n"
                                 "#  thread\n1  ?\n?  thread of 1 row: not observed\n");
}
END_TEST

/* A callback is named by its function; its activities are queried once. */
START_TEST(callback)
{
    struct fake_target *target = population.target;

    fake_enter(target, population.threads[1], ompd_cl_registry_runs_destructor,
               OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_callback, population.destructors[0]),
               BUFFER_HANDLE);
    fake_set(target, ompd_cl_registry_callback, population.destructors[0],
             ompd_cl_registry_field_run,
             OMPD_CL_REGISTRY_RUN(FIRST_LWP + 1, ompd_cl_registry_running));
    target_changed();
    get_row(FIRST_LWP + 1);
    ck_assert_str_eq(cell("call"), "freed at app.c:9");
    ck_assert_str_eq(cell("state"), "runs destructor");
    ck_assert_str_eq(cell("is_caller"), "-");
    ck_assert_str_eq(cell("handle"), "buffer 0x9080");
    ck_assert_str_eq(below(), "within clFinish, queue 0x8040\n");
    ck_assert_str_eq(sentence(), "LWP 4712 runs freed at app.c:9");
    ck_assert_uint_eq(lists, 1);
    thread.is_caller = KNOWN(0);
    ck_assert_str_eq(cell("is_caller"), "runtime");
}
END_TEST

/* Of one that has called OpenCL itself, its callback is what the call lies within. */
START_TEST(call_in_callback)
{
    get_row(FIRST_LWP + 2);
    ck_assert_str_eq(cell("call"), "clGetEventInfo");
    ck_assert_str_eq(cell("handle"), "event 0xc000");
    ck_assert_str_eq(cell("lwp"), "LWP 4713");
    ck_assert_uint_eq(threads.lwp_count, 1);
    ck_assert_str_eq(below(), "within svm_freed at app.c:19, queue 0x8040\n");
}
END_TEST

/* Neither its function nor its activities could be read. */
START_TEST(callback_unknown)
{
    struct fake_target *target = population.target;

    fake_enter(target, population.threads[1], ompd_cl_registry_runs_svm_free, 0, 7);
    target_changed();
    get_row(FIRST_LWP + 1);
    ck_assert_str_eq(cell("call"), "?");
    ck_assert_str_eq(sentence(), "LWP 4712 runs a callback");
    ck_assert_str_eq(below(), "within clFinish, queue 0x8040\n");
}
END_TEST

/* Activities that are not recorded are counted. */
START_TEST(lost)
{
    struct fake_target *target = population.target;

    for (uint32_t i = 0; i < OMPD_CL_REGISTRY_ACTIVITY_LIMIT + 2; i++)
        fake_enter(target, population.threads[0], ompd_cl_call_clFinish, 0, 0x3000 + i);
    target_changed();
    get_row(FIRST_LWP);
    ck_assert_str_eq(cell("state"), "?");
    ck_assert_str_eq(below(), "within 2 unknown activities\n"
                              "within clFinish, 0x3007\nwithin clFinish, 0x3006\n"
                              "within clFinish, 0x3005\nwithin clFinish, 0x3004\n"
                              "within clFinish, 0x3003\nwithin clFinish, 0x3002\n"
                              "within clFinish, 0x3001\nwithin clFinish, 0x3000\n");
}
END_TEST

/* An activity of a newer recorder is an unknown call, and an invalid one is ignored. */
START_TEST(senseless)
{
    struct fake_target *target = population.target;
    const uint64_t minor = target->root + offsetof(struct ompd_cl_registry_root, minor);

    fake_enter(target, population.threads[0], 0x7ff0, 0, 9);
    fake_enter(target, population.threads[0], ompd_cl_call_clFinish, 0, 8);
    target_changed();
    get_row(FIRST_LWP);
    ck_assert_str_eq(below(), "within an unknown call\n");
    fake_put(target, minor, 2, OMPD_CL_REGISTRY_MINOR + 1);
    target_changed();
    get_row(FIRST_LWP);
    ck_assert_str_eq(below(), "within an unknown call, 0x9\n");
}
END_TEST

START_TEST(sentences)
{
    begin_row();
    thread.state = KNOWN(ompd_cl_thread_state_waits_for_queue);
    thread.object = KNOWN(7);
    ck_assert_str_eq(sentence(), "a thread waits for queue 0x7");
    begin_row();
    thread.head.handle = KNOWN(5);
    thread.state = KNOWN(ompd_cl_thread_state_waits_for_events);
    ck_assert_str_eq(sentence(), "LWP 5 waits for something");
    thread.call = KNOWN(ompd_cl_call_clWaitForEvents);
    ck_assert_str_eq(sentence(), "LWP 5 waits in clWaitForEvents");
    thread.call.status = ompd_cl_status_presumed;
    ck_assert_str_eq(sentence(), "LWP 5 presumably waits in clWaitForEvents");
    thread.state = KNOWN(ompd_cl_thread_state_builds);
    thread.object = KNOWN(8);
    ck_assert_str_eq(sentence(), "LWP 5 builds program 0x8");
}
END_TEST

/* ---- The verb -------------------------------------------------------------------------------- */

START_TEST(table)
{
    ck_assert_int_eq(front_line(&front, "threads", ""), ompd_view_exit_ok);
    ck_assert_ptr_nonnull(strstr(front.text, "LWP 4711 (thread 1)"));
    ck_assert_ptr_nonnull(strstr(front.text, "     within svm_freed at app.c:19, queue 0x8040\n"));
    ck_assert_ptr_nonnull(strstr(front.text, "\nNot seen in OpenCL: thread 9.\n"));
    /* Of some of them nothing is said of others. */
    ck_assert_int_eq(front_line(&front, "threads", "-limit 1"), ompd_view_exit_ok);
    ck_assert_ptr_null(strstr(front.text, "Not seen"));
    ck_assert_int_eq(front_line(&front, "threads", "-state waits-for-queue"), ompd_view_exit_ok);
    ck_assert_ptr_null(strstr(front.text, "Not seen"));
    ck_assert_ptr_nonnull(strstr(front.text, "queue 0x8040"));
    ck_assert_ptr_null(strstr(front.text, "clGetEventInfo"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-threads");
    TCase *tcase = tcase_create("threads");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, handles);
    tcase_add_test(tcase, handle_unreadable);
    tcase_add_test(tcase, nothing_known);
    tcase_add_test(tcase, callback);
    tcase_add_test(tcase, call_in_callback);
    tcase_add_test(tcase, callback_unknown);
    tcase_add_test(tcase, lost);
    tcase_add_test(tcase, senseless);
    tcase_add_test(tcase, sentences);
    tcase_add_test(tcase, table);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
