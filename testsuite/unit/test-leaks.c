/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which remaining objects are leaks, in complete, inconsistent and partly unreadable targets. */
#include "rows-session.h"
#include "suite.h"
#include "values.h"

#include <check.h>
#include <string.h>

#define MOST 24
#define OBJECTS 12 /* that the program has references on, or has released */
#define EXIT_ADDRESS UINT64_C(0x7f0000)

static ompd_cl_leak_info_t rows[MOST];
static ompd_size_t count;
static ompd_size_t unreadable;
static bool is_exiting;
static uint64_t reads_left; /* before one is interrupted; 0: none is */

/* ---- The tool -------------------------------------------------------------------------------- */

static ompd_rc_t symbol_addr_lookup(ompd_address_space_context_t *context,
                                    ompd_thread_context_t *thread, const char *name,
                                    ompd_address_t *address, const char *file)
{
    if (strcmp(name, "exit") != 0)
        return fake_callbacks.symbol_addr_lookup(context, thread, name, address, file);
    address->address = EXIT_ADDRESS;
    return ompd_rc_ok;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *from, ompd_size_t size, void *buffer)
{
    if (reads_left != 0 && --reads_left == 0)
        return ompd_rc_interrupted;
    return fake_callbacks.read_memory(context, thread, from, size, buffer);
}

static ompd_rc_t thread(ompd_address_space_context_t *context, ompd_size_t index,
                        ompd_cl_target_thread_t *found)
{
    (void)context;
    found->lwp = FIRST_LWP;
    return index == 0 ? ompd_rc_ok : ompd_rc_unavailable;
}

/* The innermost frame is at the start of exit(), which has not begun if it is only called. */
static ompd_rc_t frames(ompd_address_space_context_t *context, uint64_t lwp, ompd_size_t capacity,
                        ompd_cl_frame_t *found, ompd_size_t *told)
{
    (void)context;
    (void)lwp;
    found[0] = (ompd_cl_frame_t){.pc = EXIT_ADDRESS - 8, .is_caller = 0};
    *told = 1;
    if (capacity == 1)
        return ompd_rc_ok;
    found[1] = (ompd_cl_frame_t){.pc = EXIT_ADDRESS + (is_exiting ? 32 : 33), .is_caller = 1};
    *told = 2;
    return ompd_rc_ok;
}

static void open_target(bool has_threads)
{
    ompd_callbacks_t callbacks = fake_callbacks;
    ompd_cl_extra_t extra = fake_extra;
    ompd_address_space_context_t *context = (void *)target;

    callbacks.symbol_addr_lookup = symbol_addr_lookup;
    callbacks.read_memory = read_memory;
    extra.map_memory = NULL;
    if (has_threads) {
        extra.thread = thread;
        extra.frames = frames;
    }
    ck_assert_int_eq(ompd_cl_address_space_create(&callbacks, &extra, context, &population.space),
                     ompd_rc_ok);
}

/* Have the population, and put HANDLE where the program has it. */
static void make(int variant)
{
    population = population_create_variant(variant);
    target = population.target;
    is_exiting = false;
    reads_left = 0;
}

static uint64_t keep(uint64_t handle)
{
    uint64_t address = fake_reserve(target, 8, 8);

    fake_put(target, address, target->pointer_size, handle);
    return address;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Read all rows, CAPACITY at a time; each call returns RC. */
static void ask_by(ompd_size_t capacity, ompd_rc_t rc)
{
    ompd_size_t more;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_leak_list_open(population.space, NULL, &list), ompd_rc_ok);
    count = 0;
    do {
        rows[count].head.struct_size = sizeof(rows[0]);
        ck_assert_int_eq(ompd_cl_leak_list_next(population.space, list, capacity, &rows[count],
                                                &more, &unreadable),
                         rc);
        count += more;
        ck_assert_uint_le(count + capacity, MOST);
    } while (more != 0);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
}

static const ompd_cl_leak_info_t *row_of(uint64_t handle)
{
    for (ompd_size_t i = 0; i < count; i++) {
        if (rows[i].head.handle.value == handle)
            return &rows[i];
    }
    ck_abort_msg("no row of 0x%llx", (unsigned long long)handle);
    return NULL;
}

/* FIELD is NUMBER, with the status HOW. */
#define ck_plain(field, number, how)                                                               \
    do {                                                                                           \
        ck_assert_uint_eq((field).status, how);                                                    \
        ck_assert_uint_eq((field).value, number);                                                  \
    } while (0)

static void check_lost(uint64_t handle)
{
    const ompd_cl_leak_info_t *row = row_of(handle);

    ck_plain(row->is_leak, 1, ompd_cl_status_value);
    ck_plain(row->reachability, ompd_cl_reachability_lost, ompd_cl_status_value);
    ck_none(row->site_kind, ompd_cl_status_not_applicable);
}

static void check_unknown(uint64_t handle)
{
    ck_none(row_of(handle)->is_leak, ompd_cl_status_unknown);
    ck_none(row_of(handle)->reachability, ompd_cl_status_unknown);
}

/* At a stop lost objects are leaks. Objects whose handles the program has, or that it has released,
 * are not. */
START_TEST(at_a_stop)
{
    uint64_t address;

    make(_i);
    address = keep(IMAGE_HANDLE);
    keep(CONTEXT_HANDLE);
    keep(QUEUE_HANDLE);
    open_target(false);
    for (ompd_size_t capacity = 1; capacity <= 8; capacity += 7) {
        const ompd_cl_leak_info_t *row;

        ask_by(capacity, ompd_rc_ok);
        ck_assert_uint_eq(unreadable, 0);
        ck_assert_uint_eq(count, OBJECTS);
        row = row_of(IMAGE_HANDLE);
        ck_plain(row->is_leak, 0, ompd_cl_status_presumed);
        ck_plain(row->reachability, ompd_cl_reachability_held, ompd_cl_status_presumed);
        ck_plain(row->site_address, address, ompd_cl_status_value);
        ck_value(row->size, UINT64_C(5) << 32);
        ck_plain(row->is_exiting, 0, ompd_cl_status_value);
        ck_plain(row_of(SUB_BUFFER_HANDLE)->is_leak, 0, ompd_cl_status_value);
        ck_none(row_of(SUB_BUFFER_HANDLE)->reachability, ompd_cl_status_not_applicable);
        ck_none(row_of(SUB_BUFFER_HANDLE)->size, ompd_cl_status_not_applicable);
        ck_plain(row_of(SVM_POINTER)->is_leak, 0, ompd_cl_status_value);
        check_lost(PROGRAM_HANDLE);
        check_lost(KERNEL_HANDLE);
        check_lost(SAMPLER_HANDLE);
        check_lost(EVENT_HANDLE);
        /* The program holds no reference on an object that it has released too often. */
        for (ompd_size_t i = 0; i < count; i++)
            ck_assert_uint_ne(rows[i].head.handle.value, BUFFER_HANDLE);
    }
    rows_tear_down();
}
END_TEST

/* The row of an object that the program has released names what keeps it alive. */
START_TEST(kept)
{
    make(_i);
    fake_set(target, ompd_cl_registry_context, population.context, F(state),
             ompd_cl_registry_app_released);
    fake_set(target, ompd_cl_registry_context, population.context, F(references), 0);
    open_target(false);
    ask_by(8, ompd_rc_ok);
    ck_assert_uint_eq(row_of(EVENT_HANDLE)->kept_context.value, CONTEXT_HANDLE);
    ck_assert_uint_eq(row_of(SAMPLER_HANDLE)->kept_context.value, CONTEXT_HANDLE);
    ck_none(row_of(EVENT_HANDLE)->kept_queue, ompd_cl_status_not_applicable);
    ck_none(row_of(SAMPLER_HANDLE)->kept_queue, ompd_cl_status_not_applicable);
    ck_none(row_of(CONTEXT_HANDLE)->kept_context, ompd_cl_status_not_applicable);
    ck_plain(row_of(CONTEXT_HANDLE)->is_leak, 0, ompd_cl_status_value);
    rows_tear_down();
}
END_TEST

/* Once a thread is in exit(), all objects with references of the program are left; not before. */
START_TEST(at_the_end)
{
    make(_i);
    keep(IMAGE_HANDLE);
    open_target(true);
    ask_by(8, ompd_rc_ok);
    ck_plain(row_of(IMAGE_HANDLE)->is_exiting, 0, ompd_cl_status_value);
    ck_plain(row_of(IMAGE_HANDLE)->is_leak, 0, ompd_cl_status_presumed);
    is_exiting = true;
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ask_by(8, ompd_rc_ok);
    ck_plain(row_of(IMAGE_HANDLE)->is_exiting, 1, ompd_cl_status_value);
    ck_plain(row_of(IMAGE_HANDLE)->is_leak, 1, ompd_cl_status_value);
    ck_plain(row_of(IMAGE_HANDLE)->reachability, ompd_cl_reachability_held,
             ompd_cl_status_presumed);
    ck_plain(row_of(SVM_POINTER)->is_leak, 0, ompd_cl_status_value);
    rows_tear_down();
}
END_TEST

/* A record that a thread was changing shows no leak. */
START_TEST(torn)
{
    make(_i);
    fake_set(target, ompd_cl_registry_memobj, population.image, F(change), FIRST_LWP);
    open_target(false);
    ask_by(8, ompd_rc_ok);
    ck_none(row_of(IMAGE_HANDLE)->is_leak, ompd_cl_status_unknown);
    check_lost(SAMPLER_HANDLE);
    rows_tear_down();
}
END_TEST

/* If memory cannot be searched, a missing handle does not prove a loss; a found handle does prove
 * possession. */
START_TEST(holes)
{
    const char *note;

    make(_i % FAKE_VARIANTS);
    keep(IMAGE_HANDLE);
    target->hole_start = FAKE_BASE + ((target->used + 0xfff) & ~UINT64_C(0xfff));
    target->hole_end = target->hole_start + 0x4000;
    target->is_hole_known = _i / FAKE_VARIANTS != 0;
    open_target(false);
    ask_by(3, ompd_rc_incomplete);
    ck_assert_uint_eq(count, OBJECTS);
    check_unknown(PROGRAM_HANDLE);
    ck_plain(row_of(IMAGE_HANDLE)->is_leak, 0, ompd_cl_status_presumed);
    ck_assert_int_eq(ompd_cl_note_get(population.space, 0, &note), ompd_rc_ok);
    ck_assert_ptr_nonnull(strstr(note, "16384 B of the program's memory"));
    rows_tear_down();
}
END_TEST

/* Unreadable records are counted, and their contents are not known to be missing. */
START_TEST(lost_records)
{
    uint64_t address;

    make(_i);
    address = fake_field_address(target, ompd_cl_registry_sampler, 0, F(handle));
    target->hole_start = address & ~UINT64_C(0xfff);
    target->hole_end = target->hole_start + 0x1000;
    open_target(false);
    ask_by(8, ompd_rc_incomplete);
    ck_assert_uint_ge(unreadable, 1);
    for (ompd_size_t i = 0; i < count; i++)
        ck_assert_uint_ne(rows[i].head.handle.value, SAMPLER_HANDLE);
    rows_tear_down();
}
END_TEST

/* Of how many calls one fails in a variant; the four variants begin with different ones. */
#define USUAL_EVERY 3

/* When out of memory there is no answer, and the next call has one. */
START_TEST(no_memory)
{
    const uint64_t every = suite_every(USUAL_EVERY);
    uint64_t fail_at = 1 + (uint64_t)_i % every;
    ompd_cl_list_t list;
    ompd_size_t more;
    ompd_rc_t rc;

    make(_i);
    open_target(false);
    do {
        ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
        ck_assert_int_eq(ompd_cl_leak_list_open(population.space, NULL, &list), ompd_rc_ok);
        fake_reset(target);
        target->failing = fake_alloc;
        target->fail_at = fail_at;
        rows[0].head.struct_size = sizeof(rows[0]);
        rc = ompd_cl_leak_list_next(population.space, list, 8, rows, &more, &unreadable);
        ck_assert(rc == ompd_rc_ok || (rc == ompd_rc_nomem && target->failures != 0));
        fake_reset(target);
        if (rc == ompd_rc_nomem)
            ck_assert_int_eq(
                ompd_cl_leak_list_next(population.space, list, 8, rows, &more, &unreadable),
                ompd_rc_ok);
        ck_assert_uint_gt(more, 0);
        ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
        fail_at += every;
    } while (fail_at < 16);
    ask_by(8, ompd_rc_ok);
    ck_assert_uint_eq(count, OBJECTS);
    rows_tear_down();
}
END_TEST

/* An interrupt releases the results of the call, and nothing is returned twice or missed. */
START_TEST(interrupted)
{
    const uint64_t every = suite_every(USUAL_EVERY);

    make(_i % FAKE_VARIANTS);
    open_target(false);
    ask_by(8, ompd_rc_ok);
    for (uint64_t at = 1 + 3 * (uint64_t)_i % (3 * every); at < 40; at += 3 * every) {
        bool is_interrupted = false;
        ompd_size_t more = 1;
        ompd_cl_list_t list;

        ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
        ck_assert_int_eq(ompd_cl_leak_list_open(population.space, NULL, &list), ompd_rc_ok);
        count = 0;
        reads_left = at;
        while (more != 0) {
            ompd_rc_t rc;

            rows[count].head.struct_size = sizeof(rows[0]);
            rc =
                ompd_cl_leak_list_next(population.space, list, 2, &rows[count], &more, &unreadable);
            ck_assert(rc == ompd_rc_ok || rc == ompd_rc_interrupted);
            is_interrupted = is_interrupted || rc == ompd_rc_interrupted;
            if (rc == ompd_rc_ok)
                count += more;
            else
                more = 1;
        }
        ck_assert(is_interrupted || at > 20);
        ck_assert_uint_eq(count, OBJECTS);
        ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
    }
    rows_tear_down();
}
END_TEST

/* The buffer, which the program holds here, has a call stack; no other object has one. */
static void make_with_stack(int variant, uint64_t made)
{
    make(variant);
    fake_set(target, ompd_cl_registry_memobj, population.buffer, F(references), 1);
    fake_set(target, ompd_cl_registry_memobj, population.buffer, F(state), ompd_cl_registry_live);
    fake_set(target, ompd_cl_registry_stack, 0, F(made), made);
}

START_TEST(made)
{
    make_with_stack(_i, 432);
    open_target(false);
    ask_by(8, ompd_rc_ok);
    ck_plain(row_of(BUFFER_HANDLE)->made, 432, ompd_cl_status_value);
    ck_none(row_of(IMAGE_HANDLE)->made, ompd_cl_status_not_applicable);
    /* It is read again at the next stop, though no count of the chunk has changed. */
    fake_put(target, fake_field_address(target, ompd_cl_registry_stack, 0, F(made)), 8, 433);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ask_by(8, ompd_rc_ok);
    ck_plain(row_of(BUFFER_HANDLE)->made, 433, ompd_cl_status_value);
    fake_put(target, fake_field_address(target, ompd_cl_registry_stack, 0, F(made)), 8, 0);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ask_by(8, ompd_rc_ok);
    ck_none(row_of(BUFFER_HANDLE)->made, ompd_cl_status_corrupt);
    rows_tear_down();
}
END_TEST

/* A recorder of version 1.8 does not count what a stack has made. */
START_TEST(made_with_older_recorder)
{
    make_with_stack(_i, 432);
    fake_forget_field(target, ompd_cl_registry_stack, F(made));
    open_target(false);
    ask_by(8, ompd_rc_ok);
    ck_none(row_of(BUFFER_HANDLE)->made, ompd_cl_status_unknown);
    rows_tear_down();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("leaks");
    TCase *tests = tcase_create("leaks");

    tcase_add_loop_test(tests, at_a_stop, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, made, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, made_with_older_recorder, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, kept, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, at_the_end, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, torn, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, holes, 0, 2 * FAKE_VARIANTS);
    tcase_add_loop_test(tests, lost_records, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, no_memory, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, interrupted, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
