/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The two sources of objects, alone, together and missing: the contents of each list, and the
 * messages. */
#include "found-session.h"
#include "sentence.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static void set_sources(uint32_t sources)
{
    ck_assert_int_eq(ompd_cl_sources_set(space, sources), ompd_rc_ok);
}

#define RECORDER (1u << ompd_cl_source_recorder)
#define LAYOUT (1u << ompd_cl_source_layout)

#define TABLE(name) ompd_cl_registry_##name
#define FIELD(name) ompd_cl_registry_field_##name

/* Lists of KIND without a recorder: a call that is well has no message, whatever failed in it. */
static void expect_no_message(ompd_cl_kind_t kind)
{
    const char *name;
    ompd_size_t size;
    ompd_cl_list_t list;
    ompd_size_t count;
    char *row;

    if (ompd_cl_list_open(space, kind, NULL, &list) != ompd_rc_ok)
        return;
    sentence_expect_none(space);
    ck_assert_int_eq(ompd_cl_kind_get(kind, &name, &size), ompd_rc_ok);
    row = calloc(1, size);
    do {
        memcpy(row, &size, sizeof(size));
        if (ompd_cl_list_next(space, list, kind, 1, row, &count, NULL) != ompd_rc_ok)
            break;
        sentence_expect_none(space);
    } while (count != 0);
    free(row);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
}

START_TEST(no_message_of_parts)
{
    found_open(_i, false);
    for (int kind = 1; kind <= ompd_cl_kind_message; kind++)
        expect_no_message((ompd_cl_kind_t)kind);
    found_close();
}
END_TEST

START_TEST(both_sources)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_cl_destructor_info_t callbacks[MOST];
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_list_t list;
    ompd_size_t count;

    found_open(_i, true);
    found_record();
    found_memobjs_check(rows, found_memobjs(rows));
    ck_value(rows[0].head.handle, objects.buffer);
    ck_value(rows[0].references, 1);
    ck_value(rows[0].destructor_count, 1);
    ck_value(rows[0].head.source, ompd_cl_source_recorder);
    /* The layout has the runtime's count. */
    ck_assert_uint_eq(rows[0].head.runtime_references.source, ompd_cl_source_layout);
    ck_assert_uint_eq(rows[0].head.runtime_references.value, 2);
    ck_assert_uint_eq(rows[0].map_count.value, 2);
    for (size_t i = 1; i < 4; i++)
        ck_assert_uint_eq(rows[i].head.source.value, ompd_cl_source_layout);

    ck_assert_int_eq(ompd_cl_destructor_list_open(space, NULL, &list), ompd_rc_ok);
    count = found_destructors(list, 2, callbacks);
    ck_assert_uint_eq(count, 3);
    ck_value(callbacks[0].object, objects.buffer);
    ck_assert_uint_eq(callbacks[1].object.value, objects.image);
    ck_assert_uint_eq(callbacks[2].object.value, objects.image);

    ck_assert_uint_eq(COUNT(context), 1);
    ck_assert_uint_eq(COUNT(queue), 1);
    /* The recorder has seen what was done in its OpenCL context, and on its queue. */
    ck_assert_uint_eq(COUNT(svm), 0);
    ck_assert_uint_eq(COUNT(svm_free), 0);

    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_ok);
    ck_value(info.pid, 4711);
    ck_value(info.contexts, 1);
    ck_assert_uint_eq(info.memory_objects.value, 4);
    ck_assert_uint_eq(info.memory_objects.status, ompd_cl_status_presumed);
    ck_assert_uint_eq(info.destructors_registered.value, 3);
    ck_value(info.svm_allocations, 0);
    ck_assert_uint_eq(info.programs.value, 1);
    found_close();
}
END_TEST

/* Whether the findings of this stop leave open what only a recorder knows. */
static bool findings_want_recorder(void)
{
    ompd_cl_finding_info_t row = {.head.struct_size = sizeof(row)};
    const char *note = "";
    ompd_cl_list_t list;
    ompd_size_t count;

    ck_assert_int_eq(ompd_cl_finding_list_open(space, &list), ompd_rc_ok);
    ompd_cl_finding_list_next(space, list, 1, &row, &count, NULL);
    for (uint32_t i = 0; i < MOST && strstr(note, "not checked without the recorder") == NULL; i++)
        ck_assert_int_eq(ompd_cl_note_get(space, i, &note), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return strstr(note, "not checked without the recorder") != NULL;
}

/* Results of other sources at the same stop are not cached for these. */
START_TEST(one_source)
{
    ompd_cl_memobj_info_t rows[MOST];

    found_open(_i, true);
    found_record();
    found_memobjs_check(rows, found_memobjs(rows));
    ck_assert(!findings_want_recorder());
    set_sources(RECORDER);
    ck_assert_uint_eq(found_memobjs(rows), 1);
    ck_value(rows[0].head.source, ompd_cl_source_recorder);
    ck_none(rows[0].head.runtime_references, ompd_cl_status_unknown);
    ck_assert_uint_eq(COUNT(svm), 0);
    set_sources(LAYOUT);
    ck_assert(findings_want_recorder());
    found_memobjs_check(rows, found_memobjs(rows));
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(rows[i].head.source.value, ompd_cl_source_layout);
    ck_assert_uint_eq(COUNT(svm), 2);
    ck_assert_uint_eq(COUNT(svm_free), 1);
    found_close();
}
END_TEST

/* The program has released an object that the runtime has and the recorder knows to be
 * destroyed. */
START_TEST(gone)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_cl_memobj_info_t image = {.head.struct_size = sizeof(image)};
    uint32_t record;

    found_open(_i, true);
    found_record();
    record = fake_add(target, TABLE(gone));
    fake_set(target, TABLE(gone), record, FIELD(handle), objects.image);
    found_memobjs_check(rows, found_memobjs(rows));
    for (size_t i = 1; i < 4; i++) {
        bool is_gone = rows[i].head.handle.value == objects.image;

        ck_assert_uint_eq(rows[i].state.value,
                          is_gone ? ompd_cl_object_state_app_released : ompd_cl_object_state_live);
        ck_assert_uint_eq(rows[i].state.status, ompd_cl_status_presumed);
        if (is_gone)
            ck_assert_uint_eq(rows[i].references.value, 0);
    }
    found_close();
}
END_TEST

/* Make objects of unknown kinds, which their OpenCL context counts. */
static void make_strange(void)
{
    const uint64_t handles[] = {objects.program, objects.kernel, objects.sampler};

    for (size_t i = 0; i < 3; i++)
        fake_put(target, handles[i] + at_tag, 4, 0x77);
}

/* Whether the notes about the runtime's objects and a list say that there are more. */
static void check_unrecognised(bool are_some)
{
    const char *note = NULL;
    ompd_cl_runtime_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_queue_info_t queues[2] = {{.head.struct_size = sizeof(queues[0])}};
    ompd_cl_list_t list;
    ompd_size_t count;

    found_refresh();
    ck_assert_int_eq(ompd_cl_runtime_list_open(space, &list), ompd_rc_ok);
    ompd_cl_runtime_list_next(space, list, 1, &row, &count, NULL);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    ck_assert_int_eq(row.objects.status == ompd_cl_status_at_least, are_some);
    ck_assert_int_eq(ompd_cl_queue_list_open(space, NULL, &list), ompd_rc_ok);
    ompd_cl_queue_list_next(space, list, 2, queues, &count, NULL);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(ompd_cl_note_get(space, 0, &note), ompd_rc_ok);
    if (are_some)
        ck_assert_msg(strstr(note, "objects of libmadeup.so.1 were presumably missed") != NULL,
                      "%s", note);
    else
        ck_assert_str_eq(note, "");
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
}

/* What a layout does not recognise is no object where the recorder, which has seen all, knows none
 * that the layout has not found. */
START_TEST(unrecognised)
{
    found_open(_i, true);
    make_strange();
    check_unrecognised(true);
    found_record();
    check_unrecognised(false);
    fake_add_object(target, TABLE(sampler), objects.sampler);
    check_unrecognised(true);
    set_sources(LAYOUT);
    check_unrecognised(true);
    found_close();
}
END_TEST

/* Make the recorder know the queue at HANDLE, which the runtime held when it was released. */
static void record_released_queue(uint64_t handle)
{
    uint32_t queue = fake_add_object(target, TABLE(queue), handle);

    fake_set(target, TABLE(queue), queue, FIELD(state), ompd_cl_registry_app_released);
    fake_set(target, TABLE(queue), queue, FIELD(evidence), OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
    fake_put_usage(target, fake_add_thread(target, 1000, true), ompd_cl_usage_queues - 1, 1, 1);
}

/* Of the one queue that a thread counted there are, by STATUS, so many as the overview counts. */
static void check_queue_usage(uint16_t status, uint64_t live)
{
    ompd_cl_usage_info_t rows[ompd_cl_usage_queues] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_cl_list_t list;
    ompd_size_t count;

    ck_assert_int_eq(ompd_cl_usage_list_open(space, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_usage_list_next(space, list, ompd_cl_usage_queues, rows, &count, NULL),
                     ompd_rc_ok);
    ck_assert_uint_eq(count, ompd_cl_usage_queues);
    ck_assert_uint_eq(rows[1].live.status, status);
    ck_assert_uint_eq(rows[1].live.value, live);
    ck_value(rows[1].peak, 1);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
}

/* An object at the place of a released object may be the runtime's own. */
START_TEST(released)
{
    ompd_cl_queue_id_t queue;

    found_open(_i, true);
    record_released_queue(objects.queue);
    ck_assert_uint_eq(COUNT(queue), 1);
    check_queue_usage(ompd_cl_status_value, 1);
    found_close();

    found_open(_i, true);
    record_released_queue(objects.hidden);
    set_sources(RECORDER);
    ck_assert_uint_eq(COUNT(queue), 1);
    check_queue_usage(ompd_cl_status_presumed, 1);
    set_sources(RECORDER | LAYOUT);
    ck_assert_uint_eq(COUNT(queue), 1);
    check_queue_usage(ompd_cl_status_value, 0);
    ck_assert_int_eq(ompd_cl_queue_find(space, objects.hidden, &queue), ompd_rc_unavailable);
    ck_assert_int_eq(ompd_cl_queue_find(space, objects.queue, &queue), ompd_rc_ok);
    found_close();
}
END_TEST

/* The layout may have facts of an overwritten record. */
START_TEST(unreadable_record)
{
    struct recorded recorded;
    ompd_cl_memobj_info_t rows[MOST];
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_size_t unreadable;
    uint64_t address;

    found_open(_i, true);
    recorded = found_record();
    address = fake_field_address(target, TABLE(memobj), recorded.buffer, FIELD(state));
    target->hole_start = address;
    target->hole_end = address + 1;
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    rows[0].head.struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, MOST, rows, &count, &unreadable),
                     ompd_rc_incomplete);
    found_memobjs_check(rows, count);
    ck_assert_uint_ge(unreadable, 1);
    found_close();
}
END_TEST

/* Open the list of all destructor callbacks and read its rows; returns their number. */
static ompd_size_t take_destructors(ompd_cl_destructor_info_t *rows, ompd_size_t *unreadable)
{
    ompd_cl_list_t list;
    ompd_size_t count = 0;
    ompd_size_t got;

    ck_assert_int_eq(ompd_cl_destructor_list_open(space, NULL, &list), ompd_rc_ok);
    do {
        rows[count].head.struct_size = sizeof(rows[0]);
        ck_assert_int_eq(
            ompd_cl_destructor_list_next(space, list, MOST - count, &rows[count], &got, unreadable),
            ompd_rc_incomplete);
        count += got;
        ck_assert_uint_lt(count, MOST);
    } while (got != 0);
    return count;
}

/* Callbacks whose object's record is unreadable, and which the layout finds again with that object:
 * possible duplicates count. */
START_TEST(unreadable_owner)
{
    struct recorded recorded;
    ompd_cl_destructor_info_t rows[MOST];
    ompd_size_t count;
    ompd_size_t unreadable;

    found_open(_i, true);
    recorded = found_record();
    fake_add_destructor(target, recorded.buffer, fake_function(&objects, 1), 0x1001);
    fake_add_destructor(target, recorded.buffer, fake_function(&objects, 2), 0x1002);
    target->hole_start =
        fake_field_address(target, TABLE(memobj), recorded.buffer, FIELD(callbacks));
    target->hole_end = target->hole_start + 1;
    count = take_destructors(rows, &unreadable);
    /* Three of the recorder, three of the buffer and two of the image by the layout. */
    ck_assert_uint_eq(count, 8);
    for (size_t i = 0; i < 3; i++)
        ck_none(rows[i].object, ompd_cl_status_unreadable);
    for (size_t i = 3; i < 6; i++)
        ck_assert_uint_eq(rows[i].object.value, objects.buffer);
    ck_assert_uint_ge(unreadable, 3);
    sentence_expect(space, "may be listed twice");
    found_close();
}
END_TEST

/* An SVM allocation of an OpenCL context with an unreadable record is listed once: the recorder has
 * it under its address. */
START_TEST(unreadable_context)
{
    struct recorded recorded;
    ompd_cl_svm_info_t rows[MOST];
    ompd_cl_list_t list;
    ompd_size_t count = 0;
    ompd_size_t got;
    uint64_t recorder = 0;
    ompd_rc_t rc;

    found_open(_i, true);
    fake_reserve(target, 4096, 4096); /* the record is on no page that has objects */
    recorded = found_record();
    fake_add_object(target, TABLE(svm), 0x7000000);
    target->hole_start =
        fake_field_address(target, TABLE(context), recorded.context, FIELD(handle));
    target->hole_end = target->hole_start + 1;
    ck_assert_int_eq(ompd_cl_svm_list_open(space, NULL, &list), ompd_rc_ok);
    do {
        rows[count].head.struct_size = sizeof(rows[0]);
        rc = ompd_cl_svm_list_next(space, list, MOST - count, &rows[count], &got, NULL);
        ck_assert(rc == ompd_rc_ok || rc == ompd_rc_incomplete);
        count += got;
        ck_assert_uint_lt(count, MOST);
    } while (got != 0);
    ck_assert_int_eq(rc, ompd_rc_incomplete);
    ck_assert_uint_eq(count, 2);
    for (size_t i = 0; i < count; i++)
        recorder += rows[i].head.source.value == ompd_cl_source_recorder;
    ck_assert_uint_eq(recorder, 1);
    ck_assert_uint_ne(rows[0].head.handle.value, rows[1].head.handle.value);
    found_close();
}
END_TEST

START_TEST(finding)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_memobj_id_t buffer;
    ompd_cl_memobj_id_t image;
    ompd_cl_memobj_id_t none = {7};

    found_open(_i, true);
    found_record();
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.buffer, &buffer), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_get(space, buffer, &info), ompd_rc_ok);
    ck_value(info.head.source, ompd_cl_source_recorder);
    ck_assert_uint_eq(info.head.runtime_references.value, 2);
    /* The recorder had the answer. */
    ck_assert_uint_eq(target->calls[fake_progress], 0);
    ck_assert_uint_lt(target->largest_read, 5000);

    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.image, &image), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_get(space, image, &info), ompd_rc_ok);
    ck_assert_uint_eq(info.head.source.value, ompd_cl_source_layout);
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.freed, &none), ompd_rc_unavailable);
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.queue, &none), ompd_rc_unavailable);
    ck_assert_uint_eq(none.id, 7);
    sentence_expect(space, "no such object");
    /* Ids stay good when the sources are chosen anew. */
    set_sources(LAYOUT);
    ck_assert_int_eq(ompd_cl_memobj_get(space, buffer, &info), ompd_rc_ok);
    set_sources(RECORDER);
    ck_assert_int_eq(ompd_cl_memobj_get(space, image, &info), ompd_rc_ok);
    found_close();
}
END_TEST

/* ---- The recorder's own functions ------------------------------------------------------------ */

#define TRAMPOLINE_MODULE_SIZE 4096

/* Make the newest callback of the buffer the recorder's, with the user data TOKEN. */
static void register_trampoline(uint64_t token)
{
    uint64_t node = fake_get(target, objects.buffer + at_callbacks, target->pointer_size);
    uint64_t start = fake_reserve(target, TRAMPOLINE_MODULE_SIZE, TRAMPOLINE_MODULE_SIZE);

    target->module_count = 1;
    fake_permit(target, start, start + TRAMPOLINE_MODULE_SIZE,
                ompd_cl_permission_read | ompd_cl_permission_execute);
    fake_add_module(target, "/usr/lib/libompd-opencl-recorder.so.0", NULL, 0, start,
                    start + TRAMPOLINE_MODULE_SIZE);
    fake_put(target, node, target->pointer_size, start + 64);
    fake_put(target, node + 8, target->pointer_size, token);
}

static void get_newest_callback(ompd_cl_destructor_info_t *row)
{
    ompd_cl_destructor_info_t rows[MOST];
    ompd_cl_memobj_id_t id;
    ompd_cl_list_t list;

    set_sources(LAYOUT);
    found_refresh();
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.buffer, &id), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_destructor_list_open(space, id, &list), ompd_rc_ok);
    ck_assert_uint_eq(found_destructors(list, 2, rows), 3);
    *row = rows[0];
}

START_TEST(trampolines)
{
    struct recorded recorded;
    ompd_cl_destructor_info_t row;
    uint32_t other;

    found_open(_i, true);
    recorded = found_record();
    fake_set(target, TABLE(callback), recorded.callback, FIELD(generation), 0x123);
    register_trampoline(recorded.callback | UINT64_C(0x23) << 24);
    get_newest_callback(&row);
    if (target->pointer_size == 4) {
        /* So much of the generation as a pointer has room for. */
        ck_assert_uint_eq(row.function.value, fake_function(&objects, 40));
    } else {
        ck_none(row.function, ompd_cl_status_unknown);
        register_trampoline(recorded.callback | UINT64_C(0x123) << 24);
        get_newest_callback(&row);
    }
    ck_assert_uint_eq(row.function.status, ompd_cl_status_value);
    ck_assert_uint_eq(row.function.value, fake_function(&objects, 40));
    ck_assert_uint_eq(row.user_data.value, 0x1040);

    /* One of another object, and one that was never given out. */
    other = fake_add_buffer(target, objects.image, recorded.context, 64);
    other = fake_add_destructor(target, other, fake_function(&objects, 41), 0x1041);
    register_trampoline(other);
    get_newest_callback(&row);
    ck_none(row.function, ompd_cl_status_unknown);
    ck_none(row.user_data, ompd_cl_status_unknown);
    register_trampoline(999);
    get_newest_callback(&row);
    ck_none(row.function, ompd_cl_status_unknown);

    /* A registry that was unmapped. */
    register_trampoline(recorded.callback | UINT64_C(0x123) << 24);
    target->has_recorder = false;
    get_newest_callback(&row);
    ck_none(row.function, ompd_cl_status_unknown);
    found_close();
}
END_TEST

/* ---- Sentences ------------------------------------------------------------------------------- */

static void check_nothing(const char *words)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_memobj_id_t id;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_unavailable);
    sentence_expect(space, words);
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_unavailable);
    sentence_expect(space, words);
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.buffer, &id), ompd_rc_unavailable);
    sentence_expect(space, words);
    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_unavailable);
    sentence_expect(space, words);
}

/* Leave one word that leads to the runtime's dispatch table, as its platform's does. */
static void forget_objects(void)
{
    unsigned seen = 0;

    for (uint64_t at = FAKE_BASE; at < FAKE_BASE + FAKE_SIZE; at += 8) {
        if (fake_get(target, at, 8) == objects.table && seen++ != 0)
            fake_put(target, at, 8, 0);
    }
    ck_assert_uint_gt(seen, 1);
}

START_TEST(nothing)
{
    ompd_cl_extra_t extra = fake_extra;

    target = fake_target_create(false, 8, 8);
    target->has_recorder = false;
    fake_objects_create(&objects, target);
    found_space_create(&fake_extra);
    check_nothing("there is no OpenCL recorder in this process.");
    set_sources(LAYOUT);
    check_nothing("none was added");
    set_sources(LAYOUT | RECORDER);
    found_layout_add();
    found_refresh();

    target->modules[0].build_id = (const uint8_t *)"\x12\x34";
    fake_add_symbol(target, 0, "clIcdGetPlatformIDsKHR", objects.text);
    check_nothing(
        "no layout matches libmadeup.so.1 (build-id 1234), and the layout of Made-Up Computing 1.0 "
        "was not used, because the module is not known to be of that version; run `ompd-opencl "
        "learn` where");
    target->modules[0].build_id = NULL;
    check_nothing("no layout matches libmadeup.so.1 (build-id unknown)");
    forget_objects();
    check_nothing(
        "no layout matches libmadeup.so.1 (build-id unknown), which has no objects as far "
        "as this process's memory shows.");
    target->symbol_count = 0;
    target->modules[0].end += 4096;
    check_nothing("no OpenCL recorder and no OpenCL runtime");
    target->module_count = 0;
    check_nothing("no OpenCL recorder and no OpenCL runtime");
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);

    extra.module = NULL;
    found_space_create(&extra);
    found_layout_add();
    check_nothing("does not list the process's modules");
    found_close();
}
END_TEST

static ompd_rc_t fail_to_look_up(ompd_address_space_context_t *context,
                                 ompd_thread_context_t *thread, const char *name,
                                 ompd_address_t *address, const char *file)
{
    (void)context;
    (void)thread;
    (void)name;
    (void)address;
    (void)file;
    return ompd_rc_device_read_error;
}

/* Where symbols cannot be had, that no module is the recorder's is as good as that none has its
 * symbol. */
START_TEST(no_symbols)
{
    ompd_callbacks_t callbacks = fake_callbacks;
    ompd_cl_memobj_info_t rows[MOST];
    ompd_cl_list_t list;

    callbacks.symbol_addr_lookup = fail_to_look_up;
    target = fake_target_create(false, 8, 8);
    fake_objects_create(&objects, target);
    ck_assert_int_eq(ompd_cl_address_space_create(&callbacks, &fake_extra, (void *)target, &space),
                     ompd_rc_ok);
    found_layout_add();
    found_memobjs_check(rows, found_memobjs(rows));

    fake_add_module(target, "/lib/libompd-opencl-recorder.so.0", NULL, 0, FAKE_BASE + FAKE_SIZE,
                    FAKE_BASE + FAKE_SIZE + 4096);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_error);
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_error);
    sentence_expect(space, "not known whether this process has an OpenCL recorder");
    found_close();
}
END_TEST

/* Threads and what they did only a recorder can have seen. */
START_TEST(only_recorder)
{
    ompd_cl_thread_id_t thread;
    ompd_cl_list_t list;

    found_open(_i, false);
    ck_assert_int_eq(ompd_cl_thread_list_open(space, NULL, &list), ompd_rc_unavailable);
    sentence_expect(space, "only the recorder");
    ck_assert_int_eq(ompd_cl_usage_list_open(space, &list), ompd_rc_unavailable);
    sentence_expect(space, "only the recorder");
    ck_assert_int_eq(ompd_cl_thread_find(space, 1, &thread), ompd_rc_unavailable);
    sentence_expect(space, "only the recorder");
    found_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sources");
    TCase *tests = tcase_create("sources");

    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, no_message_of_parts, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, both_sources, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, one_source, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, gone, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, unrecognised, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, released, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, unreadable_record, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, unreadable_owner, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, unreadable_context, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, finding, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, trampolines, 0, FAKE_VARIANTS);
    tcase_add_test(tests, nothing);
    tcase_add_test(tests, no_symbols);
    tcase_add_loop_test(tests, only_recorder, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
