/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects found by layouts, from one stop to the next: ids, open lists, costs, and missing or
 * failing parts. */
#include "found-session.h"
#include "sentence.h"
#include "suite.h"

START_TEST(ids)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_queue_info_t queue = {.head.struct_size = sizeof(queue)};
    ompd_cl_memobj_id_t id;
    ompd_cl_list_t list;
    uint64_t number = 1;

    found_open(_i, false);
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.pipe, &id), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_queue_get(space, (ompd_cl_queue_id_t){id.id}, &queue),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_wait_list_open(space, (ompd_cl_svm_free_id_t){id.id}, &list),
                     ompd_rc_bad_input);
    fake_put(target, objects.pipe + at_references, 4, 0);
    ck_assert_int_eq(ompd_cl_memobj_get(space, id, &info), ompd_rc_ok);
    found_refresh();
    ck_assert_int_eq(ompd_cl_memobj_get(space, id, &info), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_memobj_destructor_list_open(space, id, &list), ompd_rc_stale_handle);
    sentence_expect(space, "no longer exists");
    fake_put(target, objects.pipe + at_references, 4, 1);
    found_refresh();
    ck_assert_int_eq(ompd_cl_memobj_get(space, id, &info), ompd_rc_ok);
    ck_assert_uint_eq(info.head.handle.value, objects.pipe);
    for (int i = 0; i < 100000; i++) {
        number = number * 6364136223846793005 + 1442695040888963407;
        ck_assert_int_ne(ompd_cl_memobj_get(space, (ompd_cl_memobj_id_t){number}, &info),
                         ompd_rc_ok);
    }
    found_close();
}
END_TEST

/* An open list continues after a stop with the rows of that time. */
START_TEST(stops)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_cl_list_t list;
    ompd_size_t count;

    found_open(_i, false);
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    rows[0].head.struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, 1, rows, &count, NULL), ompd_rc_ok);
    ck_assert_uint_eq(rows[0].head.handle.value, objects.buffer);
    /* The returned one ends, the next one ends, and one is made again. */
    fake_put(target, objects.buffer + at_references, 4, 0);
    fake_put(target, objects.sub_buffer + at_references, 4, 0);
    fake_put(target, objects.freed + at_references, 4, 1);
    found_refresh();
    ck_assert_int_eq(found_memobjs_next(list, 1, rows, &count), ompd_rc_ok);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(rows[0].head.handle.value, objects.freed);
    ck_assert_uint_eq(rows[1].head.handle.value, objects.pipe);
    ck_assert_uint_eq(rows[2].head.handle.value, objects.image);
    found_close();
}
END_TEST

START_TEST(stops_within)
{
    ompd_cl_destructor_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_cl_list_t list;
    ompd_size_t count;

    found_open(_i, false);
    ck_assert_int_eq(ompd_cl_destructor_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_destructor_list_next(space, list, 1, rows, &count, NULL), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(rows[0].function.value, fake_function(&objects, 2));
    found_refresh();
    ck_assert_int_eq(ompd_cl_destructor_list_next(space, list, 1, rows, &count, NULL), ompd_rc_ok);
    ck_assert_uint_eq(rows[0].function.value, fake_function(&objects, 1));
    /* Destroyed, and without references. */
    fake_put(target, objects.buffer + at_references, 4, 0);
    fake_object_point(&objects, objects.sub_buffer, at_parent, 0);
    found_refresh();
    ck_assert_int_eq(ompd_cl_destructor_list_next(space, list, 3, rows, &count, NULL), ompd_rc_ok);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(rows[0].function.value, fake_function(&objects, 11));
    ck_assert_uint_eq(rows[2].function.value, fake_function(&objects, 21));
    /* Those of OpenCL contexts come after those of all memory objects, which have handles below. */
    found_refresh();
    ck_assert_uint_eq(found_destructors(list, 2, rows), 1);
    ck_assert_uint_eq(rows[0].function.value, fake_function(&objects, 20));
    found_close();
}
END_TEST

/* ---- Cost and missing data ------------------------------------------------------------------- */

/* Memory is searched once a stop, regardless of the number of questions. */
START_TEST(one_scan)
{
    ompd_cl_memobj_info_t rows[MOST];
    uint64_t reads;

    found_open(_i, (_i & 1) != 0);
    if (target->has_recorder)
        found_record();
    fake_reset(target);
    found_memobjs_check(rows, found_memobjs(rows));
    ck_assert_uint_lt(target->calls[fake_read], (FAKE_SIZE >> 20) + 64);
    ck_assert_uint_ge(target->bytes_read, UINT64_C(1) << 20);
    reads = target->bytes_read;
    for (int i = 0; i < 3; i++) {
        found_memobjs_check(rows, found_memobjs(rows));
        COUNT(context);
        COUNT(queue);
        COUNT(svm);
        COUNT(svm_free);
        COUNT(destructor);
    }
    ck_assert_uint_lt(target->bytes_read, reads + (UINT64_C(1) << 20));
    /* The registry, and where the first thread's stack began. */
    ck_assert_uint_eq(target->calls[fake_symbol], 2);
    reads = target->bytes_read;
    found_refresh();
    found_memobjs_check(rows, found_memobjs(rows));
    ck_assert_uint_ge(target->bytes_read, reads + (UINT64_C(1) << 20));
    ck_assert_uint_eq(target->calls[fake_symbol], 4);
    found_close();
}
END_TEST

#define QUEUES 80
#define EVENTS 2000
#define SVM_FREE 0x1209 /* CL_COMMAND_SVM_FREE */
#define MARKER 0x11fe   /* CL_COMMAND_MARKER */
#define QUEUED 3        /* CL_QUEUED */

static void make_event(uint64_t queue, uint32_t type)
{
    uint64_t event = fake_object_make(&objects, fake_event_tag, objects.context);

    fake_object_point(&objects, event, at_queue, queue);
    fake_put(target, event + at_command_type, 4, type);
    fake_put(target, event + at_status, 4, QUEUED);
}

/* The commands of all queues are counted in one go, though each may be in another page.  Of more
 * queues than have room it is not known; of none it is wrong. */
START_TEST(many_queues)
{
    ompd_cl_queue_info_t row = {.head.struct_size = sizeof(row)};
    uint64_t queues[QUEUES];
    uint32_t known = 0;
    ompd_cl_list_t list;
    ompd_size_t count;

    found_open(_i, false);
    for (uint32_t i = 0; i < QUEUES; i++) {
        queues[i] = fake_object_make(&objects, fake_queue_tag, objects.context);
        fake_object_point(&objects, queues[i], at_device, objects.device);
        for (uint32_t j = 0; j <= i % 3; j++)
            make_event(queues[i], SVM_FREE);
    }
    for (uint32_t i = 0; i < EVENTS; i++) {
        fake_reserve(target, 4096, 8);
        make_event(objects.queue, MARKER);
    }
    fake_reset(target);
    ck_assert_int_eq(ompd_cl_queue_list_open(space, NULL, &list), ompd_rc_ok);
    while (ompd_cl_queue_list_next(space, list, 1, &row, &count, NULL) == ompd_rc_ok &&
           count != 0) {
        for (uint32_t i = 0; i < QUEUES; i++) {
            if (queues[i] == row.head.handle.value &&
                row.svm_frees.status != ompd_cl_status_unknown) {
                ck_found(row.svm_frees, i % 3 + 1);
                known++;
            }
        }
    }
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_ge(known, 60);
    ck_assert_uint_lt(target->calls[fake_read], 200);
    found_close();
}
END_TEST

#define NODES 100000
#define SHARERS 200

/* One of this many variants is tried: the first and the last, which have nothing in common. */
#define USUAL_EVERY 3

/* Many OpenCL contexts that seem to share a long list are too much to go through for each. */
START_TEST(shared_list)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_svm_id_t id = {7};
    uint64_t next = 0;

    if ((unsigned)_i % suite_every(USUAL_EVERY) != 0)
        return;
    found_open(_i, false);
    for (uint32_t i = 0; i < NODES; i++) {
        uint64_t node = fake_reserve(target, 24, 8);

        fake_put(target, node, target->pointer_size, 0x8000000 + i);
        fake_put(target, node + 8, target->pointer_size, 1);
        fake_put(target, node + 16, target->pointer_size, next);
        next = node;
    }
    for (uint32_t i = 0; i < SHARERS; i++) {
        uint64_t sharer = fake_object_make(&objects, fake_context_tag, 0);

        fake_put(target, sharer + at_device_count, 4, 1);
        fake_object_point(&objects, sharer, at_svm, next);
    }
    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_incomplete);
    ck_assert_uint_eq(info.svm_allocations.status, ompd_cl_status_at_least);
    ck_assert_uint_eq(info.svm_bytes.status, ompd_cl_status_at_least);
    ck_assert_uint_eq(info.contexts.value, SHARERS + 1);
    ck_assert_int_eq(ompd_cl_svm_find(space, 0x9000000, &id), ompd_rc_incomplete);
    ck_assert_uint_eq(id.id, 0);
    found_close();
}
END_TEST

START_TEST(cancelled)
{
    ompd_cl_memobj_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_memobj_id_t id = {7};
    ompd_cl_list_t list;
    ompd_size_t count = 7;

    found_open(_i, false);
    target->failing = fake_progress;
    target->fail_at = 1;
    target->fails_for_ever = true;
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, MOST, rows, &count, NULL),
                     ompd_rc_incomplete);
    sentence_expect(space, "cancelled");
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.buffer, &id), ompd_rc_incomplete);
    ck_assert_uint_eq(id.id, 0);
    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_incomplete);
    sentence_expect(space, "cancelled");
    ck_none(info.contexts, ompd_cl_status_unknown);
    fake_reset(target);
    ck_assert_int_eq(found_memobjs_next(list, 3, rows, &count), ompd_rc_ok);
    found_memobjs_check(rows, count);
    found_close();
}
END_TEST

static void check_count(const ompd_cl_value_t *value, uint64_t count, uint16_t status)
{
    ck_assert_uint_eq(value->value, count);
    ck_assert_uint_eq(value->status, status);
}

/* The last answer reports SENTENCE as incomplete, and no more; NULL: nothing. */
static void note_expect(const char *sentence)
{
    const char *note = "";

    if (sentence != NULL) {
        ck_assert_int_eq(ompd_cl_note_get(space, 0, &note), ompd_rc_ok);
        ck_assert_str_eq(note, sentence);
    }
    ck_assert_int_eq(ompd_cl_note_get(space, sentence != NULL, &note), ompd_rc_ok);
    ck_assert_str_eq(note, "");
}

/* Memory that cannot be read may have held objects: how many is not made up, and what was counted
 * stays. */
START_TEST(holes)
{
    ompd_cl_memobj_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_size_t unreadable;

    found_open(_i, false);
    target->hole_start = objects.stack;
    target->hole_end = objects.stack + 4096;
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, MOST, rows, &count, &unreadable),
                     ompd_rc_incomplete);
    sentence_expect(space, "could not be read");
    found_memobjs_check(rows, count);
    ck_assert_uint_eq(unreadable, 0);
    note_expect("4096 B of the program's memory could not be read and may contain objects.");
    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_incomplete);
    note_expect("4096 B of the program's memory could not be read and may contain objects.");
    check_count(&info.contexts, 1, ompd_cl_status_at_least);
    ck_found(info.unreadable_bytes, 4096);
    ck_found(info.unsaved_bytes, 0);
    ck_found(info.untouched_bytes, 0);
    found_close();
}
END_TEST

/* Nor is memory searched that the tool considers too large, though it is readable. */
START_TEST(too_much)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};

    found_open(_i, false);
    for (uint32_t i = 0; i < target->permit_count; i++)
        if (target->permits[i].start == objects.stack)
            target->permits[i].permissions |= ompd_cl_permission_unsearched;
    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_incomplete);
    note_expect("4096 B of the program's memory was not searched, because Linux before 6.7 cannot "
                "list so many pages; it may contain objects.");
    check_count(&info.contexts, 1, ompd_cl_status_at_least);
    ck_found(info.unreadable_bytes, 4096);
    ck_found(info.unsaved_bytes, 0);
    ck_found(info.untouched_bytes, 0);
}
END_TEST

/* ---- Faults ---------------------------------------------------------------------------------- */

struct answer {
    ompd_rc_t worst;
    uint64_t objects;
    uint64_t callbacks;
    uint64_t known; /* fields with a value */
};

static uint64_t count_known(const ompd_cl_memobj_info_t *row)
{
    const ompd_cl_value_t *values = &row->head.handle;
    uint64_t known = 0;

    for (; values <= &row->head.doubt; values++)
        known += values->status == ompd_cl_status_value;
    return known;
}

static void note(struct answer *answer, ompd_rc_t rc)
{
    if (answer->worst == ompd_rc_ok || (answer->worst == ompd_rc_incomplete && rc != ompd_rc_ok))
        answer->worst = rc;
}

static void ask_memobjs(struct answer *answer)
{
    ompd_cl_memobj_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_cl_list_t list;
    ompd_size_t count = 1;
    ompd_rc_t rc = ompd_cl_memobj_list_open(space, NULL, &list);

    note(answer, rc);
    if (rc != ompd_rc_ok)
        return;
    while (count != 0 && (rc == ompd_rc_ok || rc == ompd_rc_incomplete)) {
        rc = ompd_cl_memobj_list_next(space, list, MOST, rows, &count, NULL);
        note(answer, rc);
        for (ompd_size_t i = 0; i < count && (rc == ompd_rc_ok || rc == ompd_rc_incomplete); i++)
            answer->known += count_known(&rows[i]);
        answer->objects += count;
    }
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
}

static void ask_callbacks(struct answer *answer)
{
    ompd_cl_destructor_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_cl_list_t list;
    ompd_size_t count = 1;
    ompd_rc_t rc = ompd_cl_destructor_list_open(space, NULL, &list);

    note(answer, rc);
    if (rc != ompd_rc_ok)
        return;
    while (count != 0 && (rc == ompd_rc_ok || rc == ompd_rc_incomplete)) {
        rc = ompd_cl_destructor_list_next(space, list, MOST, rows, &count, NULL);
        note(answer, rc);
        answer->callbacks += count;
    }
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
}

static struct answer ask(void)
{
    struct answer answer = {.worst = ompd_rc_ok};

    note(&answer, ompd_cl_address_space_refresh(space));
    ask_memobjs(&answer);
    ask_callbacks(&answer);
    return answer;
}

/* If any callback fails at any time, that is reported, or the answer is the same. */
START_TEST(faults)
{
    static const enum fake_callback callbacks[] = {fake_alloc, fake_read, fake_module,
                                                   fake_module_symbol, fake_progress};
    struct answer whole;
    struct answer answer;
    uint64_t module;
    uint32_t other;

    found_open(_i, (_i & 1) != 0);
    if (target->has_recorder)
        found_record();
    /* What no layout is of is asked for symbols, when the modules are others than before. */
    module = fake_reserve(target, UINT64_C(3) * 4096, 4096);
    fake_put_module_header(target, module, 4096);
    other =
        fake_add_module(target, "/lib/libother.so", NULL, 0, module, module + UINT64_C(3) * 4096);
    whole = ask();
    ck_assert_int_eq(whole.worst, ompd_rc_ok);
    ck_assert_uint_eq(whole.objects, 4);
    for (size_t i = 0; i < sizeof(callbacks) / sizeof(callbacks[0]); i++) {
        uint64_t failures = 0;
        uint64_t calls = 1;

        for (uint64_t number = 1; number <= calls && number <= 300; number++) {
            fake_reset(target);
            target->failing = callbacks[i];
            target->fail_at = number;
            target->modules[other].end ^= 4096;
            answer = ask();
            calls = target->calls[callbacks[i]];
            target->fail_at = 0;
            failures += target->failures;
            if (target->failures == 0 || answer.worst != ompd_rc_ok)
                continue;
            ck_assert_msg(answer.objects == whole.objects, "call %d of callback %d", (int)number,
                          (int)callbacks[i]);
            ck_assert_uint_eq(answer.callbacks, whole.callbacks);
            ck_assert_uint_eq(answer.known, whole.known);
        }
        ck_assert_uint_ge(failures, 1);
    }
    answer = ask();
    ck_assert_int_eq(answer.worst, ompd_rc_ok);
    ck_assert_uint_eq(answer.known, whole.known);
    found_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stops");
    TCase *tests = tcase_create("stops");

    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, ids, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, stops, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, stops_within, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, one_scan, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, many_queues, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, shared_list, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, cancelled, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, holes, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, too_much, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, faults, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
