/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What belongs to objects, by a layout alone: callbacks, SVM allocations and the commands that free
 * them; and the overview. */
#include "found-session.h"
#include "sentence.h"
#include "suite.h"

static void check_callbacks(const ompd_cl_destructor_info_t *rows, uint64_t object,
                            const uint32_t *numbers, ompd_size_t count)
{
    for (ompd_size_t i = 0; i < count; i++) {
        ck_found(rows[i].object, object);
        ck_found(rows[i].function, fake_function(&objects, numbers[i]));
        ck_found(rows[i].user_data, 0x1000 + numbers[i]);
        ck_found(rows[i].state, ompd_cl_callback_state_registered);
        ck_not_applicable(rows[i].running_lwp);
        ck_unknown(rows[i].head.lwp);
        ck_found(rows[i].head.source, ompd_cl_source_layout);
    }
}

static ompd_size_t list_callbacks(uint64_t handle, ompd_cl_destructor_info_t *rows,
                                  ompd_size_t capacity)
{
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_memobj_destructor_list_open(space, found_memobj(handle), &list),
                     ompd_rc_ok);
    return found_destructors(list, capacity, rows);
}

START_TEST(callbacks)
{
    ompd_cl_destructor_info_t rows[MOST];
    ompd_cl_context_id_t context;
    ompd_size_t count;

    found_open(_i, false);
    for (ompd_size_t capacity = 1; capacity <= 4; capacity++) {
        ck_assert_uint_eq(list_callbacks(objects.buffer, rows, capacity), 3);
        check_callbacks(rows, objects.buffer, (const uint32_t[]){2, 1, 0}, 3);
        ck_assert_uint_eq(list_callbacks(objects.image, rows, capacity), 2);
        check_callbacks(rows, objects.image, (const uint32_t[]){11, 10}, 2);
        ck_assert_uint_eq(list_callbacks(objects.sub_buffer, rows, capacity), 0);
    }
    ck_assert_int_eq(ompd_cl_context_find(space, objects.context, &context), ompd_rc_ok);
    LIST_ALL(destructor, ompd_cl_context_destructor_list_open(space, context, &list_), rows, count,
             2);
    ck_assert_uint_eq(count, 2);
    check_callbacks(rows, objects.context, (const uint32_t[]){21, 20}, 2);
    LIST(destructor, rows, count);
    ck_assert_uint_eq(count, 7);
    check_callbacks(rows, objects.buffer, (const uint32_t[]){2, 1, 0}, 3);
    check_callbacks(rows + 3, objects.image, (const uint32_t[]){11, 10}, 2);
    check_callbacks(rows + 5, objects.context, (const uint32_t[]){21, 20}, 2);
    found_close();
}
END_TEST

/* Callbacks in a live object's list are shown, code or not: they would be called. */
START_TEST(callback_nowhere)
{
    ompd_cl_destructor_info_t rows[MOST];
    uint64_t node;

    found_open(_i, false);
    node = fake_callback_push(&objects, objects.buffer, at_callbacks, 3);
    fake_put(target, node, target->pointer_size, objects.table);
    ck_assert_uint_eq(list_callbacks(objects.buffer, rows, 2), 4);
    ck_presumed(rows[0].function, objects.table);
    check_callbacks(rows + 1, objects.buffer, (const uint32_t[]){2, 1, 0}, 3);
    found_close();
}
END_TEST

/* Some runtimes free each callback once it has run, and leave it in the list. */
START_TEST(dying)
{
    ompd_cl_destructor_info_t rows[MOST];
    ompd_cl_memobj_info_t info;
    uint64_t node;

    found_open(_i, false);
    node = fake_callback_push(&objects, objects.sub_buffer, at_callbacks, 5);
    node = fake_callback_push(&objects, objects.sub_buffer, at_callbacks, 6);
    fake_put(target, objects.sub_buffer + at_references, 4, 0);
    fake_put(target, objects.stack + 64, target->pointer_size, objects.sub_buffer);
    fake_put(target, objects.stack + 96, target->pointer_size, objects.text + 512);
    info = found_memobj_get(objects.sub_buffer);
    ck_presumed(info.state, ompd_cl_object_state_destroying);
    ck_found(info.destructor_count, 2);
    fake_put(target, node, target->pointer_size, node >> 12);
    fake_put(target, node + 8, target->pointer_size, 77);
    found_refresh();
    info = found_memobj_get(objects.sub_buffer);
    ck_presumed(info.state, ompd_cl_object_state_destroying);
    ck_presumed(info.references, 0);
    ck_found(info.head.runtime_references, 0);
    ck_found(info.destructor_count, 1);
    ck_assert_uint_eq(list_callbacks(objects.sub_buffer, rows, 2), 1);
    ck_found(rows[0].function, fake_function(&objects, 5));
    ck_found(rows[0].user_data, 0x1005);
    ck_unknown(rows[0].state);
    ck_unknown(rows[0].running_lwp);
    found_close();
}
END_TEST

START_TEST(svm)
{
    ompd_cl_svm_info_t rows[MOST];
    ompd_cl_svm_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_svm_id_t id;
    ompd_size_t count;

    found_open(_i, false);
    LIST(svm, rows, count);
    ck_assert_uint_eq(count, 2);
    ck_found(rows[0].head.handle, 0x7000000);
    ck_found(rows[0].size, 4096);
    ck_found(rows[1].head.handle, 0x7100000);
    ck_found(rows[1].size, 128);
    ck_presumed(rows[0].kind, ompd_cl_svm_core);
    ck_found(rows[0].context, objects.context);
    ck_unknown(rows[0].flags);
    /* A command is about to free it. */
    ck_presumed(rows[0].state, ompd_cl_svm_state_free_enqueued);
    ck_found(rows[0].head.confidence, ompd_cl_confidence_certain);
    ck_assert_int_eq(ompd_cl_svm_find(space, 0x7100000, &id), ompd_rc_ok);
    ck_assert_uint_eq(id.id, rows[1].head.id);
    ck_assert_int_eq(ompd_cl_svm_get(space, id, &info), ompd_rc_ok);
    ck_found(info.size, 128);
    ck_assert_int_eq(ompd_cl_svm_find(space, 0x7100008, &id), ompd_rc_unavailable);
    fake_put(target, objects.event + at_status, 4, 0);
    found_refresh();
    LIST(svm, rows, count);
    ck_presumed(rows[0].state, ompd_cl_object_state_live);
    ck_presumed(rows[1].state, ompd_cl_object_state_live);
    found_close();
}
END_TEST

START_TEST(svm_frees)
{
    static const int32_t ended[] = {0, -14}; /* complete; by an error */
    ompd_cl_svm_free_info_t rows[MOST];
    ompd_cl_svm_pointer_info_t pointers[MOST];
    ompd_cl_svm_free_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_wait_info_t wait = {.head.struct_size = sizeof(wait)};
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_size_t unreadable;

    found_open(_i, false);
    LIST(svm_free, rows, count);
    ck_assert_uint_eq(count, 1);
    ck_found(rows[0].queue, objects.queue);
    ck_found(rows[0].context, objects.context);
    ck_found(rows[0].pointer_count, 2);
    ck_found(rows[0].function, fake_function(&objects, 30));
    ck_found(rows[0].user_data, 0x1030);
    ck_unknown(rows[0].wait_count);
    ck_presumed(rows[0].event, objects.event); /* no list of its queue holds it */
    ck_presumed(rows[0].state, ompd_cl_svm_free_state_enqueued);
    ck_not_applicable(rows[0].running_lwp);
    for (ompd_size_t capacity = 1; capacity <= 3; capacity++) {
        LIST_ALL(svm_pointer,
                 ompd_cl_svm_pointer_list_open(space, ompd_cl_svm_free_info_id(&rows[0]), &list_),
                 pointers, count, capacity);
        ck_assert_uint_eq(count, 2);
        ck_found(pointers[0].pointer, 0x7000000);
        ck_found(pointers[1].pointer, 0x7100000);
        ck_unknown(pointers[0].from_svm_alloc);
    }
    ck_assert_int_eq(ompd_cl_wait_list_open(space, ompd_cl_svm_free_info_id(&rows[0]), &list),
                     ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_wait_list_next(space, list, 1, &wait, &count, &unreadable),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(unreadable, 0);
    sentence_expect(space, "only the recorder knows");

    fake_put(target, objects.event + at_status, 4, 1);
    fake_put(target, objects.event + at_references, 4, 2);
    found_refresh();
    ck_assert_int_eq(ompd_cl_svm_free_get(space, ompd_cl_svm_free_info_id(&rows[0]), &info),
                     ompd_rc_ok);
    ck_presumed(info.state, ompd_cl_svm_free_state_running);
    ck_presumed(info.event, objects.event);
    ck_unknown(info.running_lwp);
    for (size_t i = 0; i < sizeof(ended) / sizeof(ended[0]); i++) {
        fake_put(target, objects.event + at_status, 4, (uint32_t)ended[i]);
        found_refresh();
        LIST(svm_free, rows, count);
        ck_assert_uint_eq(count, 0);
        ck_assert_int_eq(ompd_cl_svm_free_get(space, ompd_cl_svm_free_info_id(&rows[0]), &info),
                         ompd_rc_stale_handle);
    }
    found_close();
}
END_TEST

/* Insert LINE, a format of an offset and of a pointer's width, after the layout's lines about the
 * callback of SVM frees. */
static void add_known_when(char *text, size_t size, const char *line)
{
    char more[64];
    char *end;

    snprintf(more, sizeof(more), line, at_command, target->pointer_size);
    snprintf(text, size, "%s", fake_objects_layout(&objects));
    end = strchr(strstr(text, "field svm_function"), '\n') + 1;
    memmove(end + strlen(more), end, strlen(end) + 1);
    memcpy(end, more, strlen(more));
}

/* A fact that only some objects have is unknown for others, and only for these. */
START_TEST(known_when)
{
    ompd_cl_svm_free_info_t rows[MOST];
    ompd_size_t count;
    uint64_t command;
    char text[8192];

    found_open(_i, false);
    command = fake_get(target, objects.event + at_command, target->pointer_size);
    add_known_when(text, sizeof(text), "known-when %d>8 %u 2 5\n");
    ck_assert_int_eq(ompd_cl_layout_add(space, text, strlen(text)), ompd_rc_ok);
    for (uint64_t number = 1; number <= 6; number++) {
        fake_put(target, command + 8, target->pointer_size, number);
        found_refresh();
        LIST(svm_free, rows, count);
        ck_assert_uint_eq(count, 1);
        if (number >= 2 && number <= 5)
            ck_found(rows[0].function, fake_function(&objects, 30));
        else
            ck_unknown(rows[0].function);
        ck_found(rows[0].pointer_count, number);
        ck_found(rows[0].user_data, 0x1030);
    }
    /* It is also unknown if no pointer leads to it. */
    add_known_when(text, sizeof(text), "known-when %d>16>0>0 %u 0 5\n");
    ck_assert_int_eq(ompd_cl_layout_add(space, text, strlen(text)), ompd_rc_ok);
    command = fake_get(target, command + 16, target->pointer_size);
    fake_put(target, command, target->pointer_size, 0);
    found_refresh();
    LIST(svm_free, rows, count);
    ck_assert_uint_eq(count, 1);
    ck_unknown(rows[0].function);
    found_close();
}
END_TEST

/* An impossible array of a command ends in one sentence. */
START_TEST(broken_svm_free)
{
    ompd_cl_svm_free_info_t rows[MOST];
    ompd_cl_svm_pointer_info_t pointers[MOST] = {{.head.struct_size = sizeof(pointers[0])}};
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_size_t unreadable;
    uint64_t command;

    found_open(_i, false);
    command = fake_get(target, objects.event + at_command, target->pointer_size);
    LIST(svm_free, rows, count);
    ck_assert_uint_eq(count, 1);
    fake_put(target, command + 8, target->pointer_size, UINT32_MAX);
    found_refresh();
    ck_assert_int_eq(
        ompd_cl_svm_pointer_list_open(space, ompd_cl_svm_free_info_id(&rows[0]), &list),
        ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_svm_pointer_list_next(space, list, 4, pointers, &count, &unreadable),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(unreadable, 0);
    sentence_expect(space, "is corrupt");
    fake_put(target, command + 8, target->pointer_size, 2);
    fake_put(target, command + 16, target->pointer_size, 0x40);
    found_refresh();
    ck_assert_int_eq(
        ompd_cl_svm_pointer_list_open(space, ompd_cl_svm_free_info_id(&rows[0]), &list),
        ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_svm_pointer_list_next(space, list, 4, pointers, &count, &unreadable),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 2);
    ck_none(pointers[0].pointer, ompd_cl_status_unreadable);
    found_close();
}
END_TEST

/* ---- Where handles are ----------------------------------------------------------------------- */

/* Where the search for objects is cancelled, so is that for the places that have a handle. */
START_TEST(cancelled_holders)
{
    ompd_cl_reference_site_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t count;
    ompd_cl_list_t list;

    found_open(_i, false);
    ck_assert_int_eq(
        ompd_cl_memobj_reference_site_list_open(space, found_memobj(objects.buffer), &list),
        ompd_rc_ok);
    found_refresh();
    fake_reset(target);
    target->failing = fake_progress;
    target->fail_at = 1;
    ck_assert_int_eq(ompd_cl_reference_site_list_next(space, list, MOST, rows, &count, NULL),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(target->failures, 1);
    sentence_expect(space, "cancelled");
    fake_reset(target);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    found_close();
}
END_TEST

/* ---- The overview ---------------------------------------------------------------------------- */

START_TEST(overview)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};

    found_open(_i, false);
    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_ok);
    ck_unknown(info.pid);
    ck_not_applicable(info.recorder_major);
    ck_not_applicable(info.recorder_minor);
    ck_not_applicable(info.unknown_handles);
    ck_not_applicable(info.not_recorded);
    ck_not_applicable(info.loaders_refused);
    ck_not_applicable(info.stack_depth);
    ck_not_applicable(info.tracks_completion);
    ck_not_applicable(info.last_order);
    ck_not_applicable(info.identity);
    ck_found(info.contexts, 1);
    ck_found(info.queues, 1);
    ck_found(info.memory_objects, 4);
    /* What the pipe takes is not known. */
    ck_presumed(info.memory_object_bytes, 4096 + 8192);
    ck_found(info.app_released, 0);
    ck_found(info.svm_allocations, 2);
    ck_found(info.svm_bytes, 4096 + 128);
    ck_found(info.svm_frees, 1);
    ck_found(info.destructors_registered, 7);
    ck_unknown(info.destructors_running);
    ck_found(info.programs, 1);
    ck_found(info.kernels, 1);
    ck_found(info.samplers, 1);
    ck_presumed(info.events, 3);
    ck_unknown(info.over_releases);
    ck_unknown(info.threads);
    found_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout elements");
    TCase *tests = tcase_create("layout elements");

    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, callbacks, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, callback_nowhere, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, dying, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, svm, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, svm_frees, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, known_when, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, broken_svm_free, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, cancelled_holders, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, overview, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
