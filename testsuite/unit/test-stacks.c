/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads in OpenCL, found by their stacks without a recorder. */
#include "found-session.h"
#include "suite.h"

#include <check.h>
#include <elf.h>
#include <ompd-opencl-calls.h>
#include <string.h>

#define PAGE UINT64_C(4096)
#define FRAMES 6
#define THREADS 4

/* A module of the program, and the loader. */
static struct {
    uint64_t text;
    uint64_t data;
} app, kernel, loader;

/* The stacks of the tool. */
static struct {
    uint64_t lwp;
    uint64_t pc[FRAMES]; /* innermost first, all but the first return addresses; 0: no more */
} stacks[THREADS];
static bool fails; /* the tool fails at the last thread */

static uint64_t main_lwp; /* from the tool */

static ompd_rc_t tell_thread(ompd_address_space_context_t *context, ompd_size_t index,
                             ompd_cl_target_thread_t *thread)
{
    (void)context;
    if (index >= THREADS || stacks[index].lwp == 0)
        return fails ? ompd_rc_error : ompd_rc_unavailable;
    thread->lwp = stacks[index].lwp;
    thread->main_lwp = main_lwp;
    thread->pthread = index == 0 ? 0x7000 : 0;
    return ompd_rc_ok;
}

static ompd_rc_t tell_frames(ompd_address_space_context_t *context, uint64_t lwp,
                             ompd_size_t capacity, ompd_cl_frame_t *frames, ompd_size_t *count)
{
    (void)context;
    for (size_t i = 0; i < THREADS; i++) {
        if (stacks[i].lwp != lwp)
            continue;
        for (*count = 0; *count < capacity && *count < FRAMES; ++*count) {
            if (stacks[i].pc[*count] == 0)
                break;
            ck_assert_uint_eq(frames[*count].struct_size, sizeof(*frames));
            frames[*count] =
                (ompd_cl_frame_t){.pc = stacks[i].pc[*count], .is_caller = *count != 0};
        }
        return ompd_rc_ok;
    }
    return ompd_rc_unavailable;
}

static void put_word(uint64_t address, uint64_t value)
{
    fake_put(target, address, 4, (uint32_t)value);
}

static uint32_t add_module(const char *name, uint64_t *text, uint64_t *data)
{
    uint64_t start = fake_reserve(target, 3 * PAGE, PAGE);

    *text = start + PAGE;
    *data = start + 2 * PAGE;
    fake_put_module_header(target, start, PAGE);
    return fake_add_module(target, name, NULL, 0, start, start + 3 * PAGE);
}

/* Write at OFFSET of TEXT a call of the function whose address is at SLOT; returns its return
 * address. */
static uint64_t put_call(uint64_t text, uint64_t offset, uint64_t slot)
{
    target->bytes[text + offset - FAKE_BASE] = 0xff;
    target->bytes[text + offset + 1 - FAKE_BASE] = 0x15;
    put_word(text + offset + 2, slot - (text + offset + 6));
    return text + offset + 6;
}

/* The runtime's function of number CALL, by its dispatch table. */
static uint64_t entry_of(uint32_t call)
{
    return fake_get(target, objects.table + (uint64_t)(call - 1) * 8, 8);
}

/* Add unwind tables to the runtime with the starts of its functions. */
static void put_index(void)
{
    uint64_t start = objects.text - PAGE;
    uint64_t header = start + 64 + UINT64_C(3) * sizeof(Elf64_Phdr);
    uint64_t index = objects.table + 0x800;

    fake_put(target, start + offsetof(Elf64_Ehdr, e_phnum), 2, 4);
    fake_put(target, header + offsetof(Elf64_Phdr, p_type), 4, PT_GNU_EH_FRAME);
    fake_put(target, header + offsetof(Elf64_Phdr, p_vaddr), 8, index - start);
    memcpy(target->bytes + (index - FAKE_BASE), "\x01\x1b\x03\x3b", 4);
    put_word(index + 8, 1);
    put_word(index + 12, entry_of(ompd_cl_call_clFinish) - index);
    put_word(index + 16, 0x100);
    put_word(index + 0x100 + 12, 16);
}

static uint64_t waits;  /* where the program returns to from clWaitForEvents */
static uint64_t direct; /* from a call through a register, and */
static uint64_t inside; /* an address in the runtime's clFinish */

static void begin(void)
{
    ompd_cl_extra_t extra = fake_extra;
    uint32_t module;

    memset(stacks, 0, sizeof(stacks));
    main_lwp = 0;
    fails = false;
    target = fake_target_create_variant(0, 8);
    target->has_recorder = false;
    fake_objects_create(&objects, target);
    add_module("/usr/bin/app", &app.text, &app.data);
    add_module("/tmp/kernel.so", &kernel.text, &kernel.data);
    module = add_module("/usr/lib/libOpenCL.so.1", &loader.text, &loader.data);
    fake_add_symbol(target, module, "clWaitForEvents", loader.text + 0x80);
    fake_put(target, app.data, 8, loader.text + 0x80);
    waits = put_call(app.text, 0x10, app.data);
    direct = app.text + 0x200;
    inside = entry_of(ompd_cl_call_clFinish) + 7;
    put_index();
    extra.thread = tell_thread;
    extra.frames = tell_frames;
    found_space_create(&extra);
    found_layout_add();
}

static ompd_cl_thread_info_t rows[THREADS];

/* The listed threads in states of the set STATES; returns how many. */
static ompd_size_t ask(uint64_t states, ompd_rc_t expected)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .states = states};
    ompd_cl_list_t list;
    ompd_size_t count = 0;
    ompd_size_t unreadable;

    found_refresh();
    ck_assert_int_eq(ompd_cl_thread_list_open(space, &filter, &list), ompd_rc_ok);
    rows[0].head.struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_thread_list_next(space, list, THREADS, rows, &count, &unreadable),
                     expected);
    ck_assert_uint_eq(unreadable, 0);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return count;
}

#define ck_by_stack(field, number, how)                                                            \
    do {                                                                                           \
        ck_assert_uint_eq((field).status, how);                                                    \
        ck_assert_uint_eq((field).source, ompd_cl_source_stack);                                   \
        ck_assert_uint_eq((field).value, number);                                                  \
    } while (0)
#define FACT ompd_cl_status_value
#define PRESUMED ompd_cl_status_presumed
#define UNKNOWN ompd_cl_status_unknown

/* The row is that of a thread in CALL, which has called it itself. */
static void check_row(const ompd_cl_thread_info_t *row, uint64_t lwp, ompd_cl_thread_state_t state,
                      uint32_t call)
{
    ompd_cl_thread_info_t again = {.head.struct_size = sizeof(again)};
    ompd_cl_thread_id_t id;

    ck_by_stack(row->head.handle, lwp, FACT);
    ck_by_stack(row->state, state, PRESUMED);
    ck_by_stack(row->call, call, PRESUMED);
    ck_by_stack(row->object, 0, UNKNOWN);
    ck_by_stack(row->head.order, 0, UNKNOWN);
    ck_by_stack(row->head.source, ompd_cl_source_stack, FACT);
    ck_assert_int_eq(ompd_cl_thread_find(space, lwp, &id), ompd_rc_ok);
    ck_assert_uint_eq(id.id, row->head.id);
    ck_assert_int_eq(ompd_cl_thread_get(space, id, &again), ompd_rc_ok);
    ck_assert_int_eq(memcmp(&again, row, sizeof(again)), 0);
}

/* By the code that calls, and by the function that was called. */
START_TEST(calls)
{
    begin();
    stacks[0].lwp = 40;
    memcpy(stacks[0].pc, (uint64_t[]){inside, waits, app.text + 0x300}, 3 * 8);
    stacks[1].lwp = 41;
    memcpy(stacks[1].pc, (uint64_t[]){inside, direct, app.text + 0x300}, 3 * 8);
    stacks[2].lwp = 42; /* in the program alone */
    memcpy(stacks[2].pc, (uint64_t[]){app.text + 0x10, app.text + 0x300}, 2 * 8);
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 2);
    check_row(&rows[0], 40, ompd_cl_thread_state_waits_for_events, ompd_cl_call_clWaitForEvents);
    ck_by_stack(rows[0].pthread, 0x7000, FACT);
    ck_by_stack(rows[0].depth, 1, PRESUMED);
    ck_by_stack(rows[0].is_caller, 1, PRESUMED);
    check_row(&rows[1], 41, ompd_cl_thread_state_waits_for_queue, ompd_cl_call_clFinish);
    ck_by_stack(rows[1].pthread, 0, UNKNOWN);
    /* Those that are in no call are not known. */
    ck_assert_uint_eq(ask(0, ompd_rc_incomplete), 2);
    ck_assert_uint_eq(ask(OMPD_CL_STATES_IN_CALLBACK, ompd_rc_ok), 0);
    found_close();
}
END_TEST

/* Where a runtime's function ends the function before it in memory is not taken for it. */
START_TEST(other_functions)
{
    begin();
    stacks[0].lwp = 40;
    memcpy(stacks[0].pc, (uint64_t[]){inside + 16, direct}, 2 * 8);
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 0);
    /* Several functions of OpenCL's with one code. */
    memcpy(stacks[0].pc, (uint64_t[]){inside, direct}, 2 * 8);
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 1);
    fake_put(target, objects.table + (ompd_cl_call_clFlush - 1) * 8, 8,
             entry_of(ompd_cl_call_clFinish));
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 0);
    /* Another function of the runtime's, that is not OpenCL's. */
    put_word(objects.table + 0x800 + 12, objects.text + 16 * 100 - (objects.table + 0x800));
    memcpy(stacks[0].pc, (uint64_t[]){objects.text + 16 * 100 + 3, direct}, 2 * 8);
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 0);
    found_close();
}
END_TEST

/* What a runtime has called is a callback where its module calls OpenCL, and no kernel. */
START_TEST(callbacks)
{
    ompd_cl_activity_info_t activities[2] = {{.head.struct_size = sizeof(activities[0])}};
    ompd_cl_list_t list;
    ompd_size_t count;

    begin();
    stacks[0].lwp = 40;
    memcpy(stacks[0].pc, (uint64_t[]){inside, waits, objects.text + 16 * 60}, 3 * 8);
    stacks[1].lwp = 41;
    memcpy(stacks[1].pc, (uint64_t[]){kernel.text + 0x20, objects.text + 16 * 60}, 2 * 8);
    ck_assert_uint_eq(ask(~(UINT64_C(1) << ompd_cl_thread_state_outside), ompd_rc_ok), 1);
    check_row(&rows[0], 40, ompd_cl_thread_state_waits_for_events, ompd_cl_call_clWaitForEvents);
    ck_by_stack(rows[0].depth, 2, PRESUMED);
    ck_by_stack(rows[0].is_caller, 0, PRESUMED);
    ck_assert_int_eq(ompd_cl_activity_list_open(space, ompd_cl_thread_info_id(&rows[0]), &list),
                     ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_activity_list_next(space, list, 2, activities, &count, NULL),
                     ompd_rc_ok);
    ck_assert_uint_eq(count, 2);
    ck_by_stack(activities[0].call, ompd_cl_call_clWaitForEvents, PRESUMED);
    ck_by_stack(activities[1].state, ompd_cl_thread_state_runs_callback, PRESUMED);
    ck_by_stack(activities[1].call, 0, ompd_cl_status_not_applicable);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    found_close();
}
END_TEST

/* An unreadable thread may be in OpenCL; a thread that has left it is stale. */
START_TEST(lacks)
{
    ompd_cl_thread_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_thread_id_t id;
    ompd_cl_list_t list;

    begin();
    stacks[0].lwp = 40;
    memcpy(stacks[0].pc, (uint64_t[]){inside, waits}, 2 * 8);
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 1);
    id = ompd_cl_thread_info_id(&rows[0]);
    fails = true;
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_incomplete), 1);
    fails = false;
    stacks[1].lwp = 41; /* without a stack */
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_incomplete), 1);
    stacks[1].lwp = 0;
    target->hole_start = app.text;
    target->hole_end = app.text + PAGE;
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 1);
    stacks[0].pc[0] = app.text + 0x300; /* the called function is unknown, too */
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_incomplete), 0);
    target->hole_end = target->hole_start;
    stacks[0].pc[1] = app.text + 0x300;
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 0);
    ck_assert_int_eq(ompd_cl_thread_get(space, id, &row), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_activity_list_open(space, id, &list), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_thread_find(space, 40, &id), ompd_rc_unavailable);
    found_close();
}
END_TEST

/* Whether the last answer reports that main thread 40 has ended and COUNT are live. */
static bool says_ended(const char *count)
{
    char expected[128];
    const char *note;

    snprintf(expected, sizeof(expected),
             "the main thread (LWP 40) has ended; the process continues with %s.", count);
    ck_assert_int_eq(ompd_cl_note_get(space, 0, &note), ompd_rc_ok);
    return strcmp(note, expected) == 0;
}

/* The main thread has ended if it is not in the complete list of threads. */
START_TEST(main_thread)
{
    begin();
    stacks[0].lwp = 41;
    memcpy(stacks[0].pc, (uint64_t[]){inside, waits}, 2 * 8);
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 1);
    ck_assert(!says_ended("1 thread"));
    main_lwp = 40;
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 1);
    ck_assert(says_ended("1 thread"));
    fails = true;
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_incomplete), 1);
    ck_assert(!says_ended("1 thread"));
    fails = false;
    stacks[1] = stacks[0];
    stacks[1].lwp = 42;
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 2);
    ck_assert(says_ended("2 threads"));
    stacks[1].lwp = 40;
    ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 2);
    ck_assert(!says_ended("1 thread") && !says_ended("2 threads"));
    found_close();
}
END_TEST

static const enum fake_callback failing[] = {fake_read, fake_alloc, fake_module,
                                             fake_module_symbol};

/* Ask for waiting threads while call number AT of a callback fails: a complete answer is right.
 * Returns whether there was such a call. */
static bool ask_failing(enum fake_callback callback, uint64_t at)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .states = OMPD_CL_STATES_WAITING};
    ompd_cl_list_t list;
    ompd_size_t count;
    uint64_t failures;
    ompd_rc_t rc;

    found_refresh();
    fake_reset(target);
    target->failing = callback;
    target->fail_at = at;
    rc = ompd_cl_thread_list_open(space, &filter, &list);
    if (rc == ompd_rc_ok) {
        rows[0].head.struct_size = sizeof(rows[0]);
        rc = ompd_cl_thread_list_next(space, list, THREADS, rows, &count, NULL);
        ck_assert(rc != ompd_rc_ok || count == 2);
        ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    }
    failures = target->failures;
    fake_reset(target);
    return failures != 0;
}

/* If any callback fails, the next answer is complete. */
START_TEST(faults)
{
    begin();
    stacks[0].lwp = 40;
    memcpy(stacks[0].pc, (uint64_t[]){inside, waits, app.text + 0x300}, 3 * 8);
    stacks[1].lwp = 41;
    memcpy(stacks[1].pc, (uint64_t[]){inside, direct, app.text + 0x300}, 3 * 8);
    for (uint64_t at = 1; ask_failing(failing[_i], at); at++) {
        ck_assert_uint_lt(at, 5000);
        ck_assert_uint_eq(ask(OMPD_CL_STATES_WAITING, ompd_rc_ok), 2);
    }
    found_close();
}
END_TEST

/* Without that source, or a tool for it, only the recorder knows. */
START_TEST(not_told)
{
    const uint32_t others = 1 << ompd_cl_source_recorder | 1 << ompd_cl_source_layout;
    ompd_cl_list_t list;

    begin();
    ck_assert_int_eq(ompd_cl_sources_set(space, others), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_thread_list_open(space, NULL, &list), ompd_rc_unavailable);
    found_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stacks");
    TCase *cases = tcase_create("threads");

    tcase_add_test(cases, calls);
    tcase_add_test(cases, other_functions);
    tcase_add_test(cases, callbacks);
    tcase_add_test(cases, lacks);
    tcase_add_test(cases, main_thread);
    tcase_add_loop_test(cases, faults, 0, 4);
    tcase_add_test(cases, not_told);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
