/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The two sources of objects, alone, together and missing: what each list then has, what ids are
 * good for, what it costs, and what the sentences say. */
#include "fake-objects.h"

#include "values.h"

#include <string.h>

#define VARIANTS 4
#define MOST 16

static struct fake_target *target;
static struct fake_objects objects;
static ompd_address_space_handle_t *space;

static void open_space(const ompd_cl_extra_t *extra)
{
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, extra, (void *)target, &space),
                     ompd_rc_ok);
}

static void add_layout(void)
{
    const char *text = fake_objects_layout(&objects);

    ck_assert_int_eq(ompd_cl_layout_add(space, text, strlen(text)), ompd_rc_ok);
}

static void open_target(int variant, bool has_recorder)
{
    target = fake_target_create((variant & 1) != 0, (variant & 2) != 0 ? 4 : 8, 8);
    target->has_recorder = has_recorder;
    fake_objects_create(&objects, target);
    open_space(&fake_extra);
    add_layout();
}

static void close_target(void)
{
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    fake_target_free(target);
}

static void refresh(void)
{
    ck_assert_int_eq(ompd_cl_refresh(space), ompd_rc_ok);
}

static void set_sources(uint32_t sources)
{
    ck_assert_int_eq(ompd_cl_sources_set(space, sources), ompd_rc_ok);
}

#define RECORDER (1u << ompd_cl_source_recorder)
#define LAYOUT (1u << ompd_cl_source_layout)

static void expect_message(const char *words)
{
    const char *text;

    ck_assert_int_eq(ompd_cl_message_get(space, &text), ompd_rc_ok);
    ck_assert_msg(strstr(text, words) != NULL, "%s", text);
    ck_assert_uint_lt(strlen(text), 255);
}

/* The rows of LIST, at most CAPACITY a call. */
static ompd_rc_t next_memobjs(ompd_cl_list_t list, ompd_size_t capacity,
                              ompd_cl_memobj_info_t *rows, ompd_size_t *count)
{
    ompd_rc_t rc;
    ompd_size_t got;

    *count = 0;
    do {
        rows[*count].struct_size = sizeof(rows[0]);
        rc = ompd_cl_memobj_list_next(space, list, capacity, &rows[*count], &got, NULL);
        if (rc != ompd_rc_ok)
            return rc;
        *count += got;
        ck_assert_uint_le(*count + capacity, MOST);
    } while (got != 0);
    return ompd_rc_ok;
}

static ompd_size_t list_memobjs(ompd_cl_memobj_info_t *rows)
{
    ompd_cl_list_t list;
    ompd_size_t count;

    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(next_memobjs(list, 3, rows, &count), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return count;
}

static ompd_size_t list_destructors(ompd_cl_list_t list, ompd_cl_destructor_info_t *rows)
{
    ompd_size_t count = 0;
    ompd_size_t got;

    do {
        rows[count].struct_size = sizeof(rows[0]);
        ck_assert_int_eq(ompd_cl_destructor_list_next(space, list, 2, &rows[count], &got, NULL),
                         ompd_rc_ok);
        count += got;
        ck_assert_uint_le(count + 2, MOST);
    } while (got != 0);
    return count;
}

/* How many rows a list of any kind of objects has. */
#define COUNT(kind)                                                                                \
    ({                                                                                             \
        ompd_cl_##kind##_info_t rows_[MOST] = {{.struct_size = sizeof(rows_[0])}};                 \
        ompd_cl_list_t list_;                                                                      \
        ompd_size_t count_;                                                                        \
        ck_assert_int_eq(ompd_cl_##kind##_list_open(space, NULL, &list_), ompd_rc_ok);             \
        ck_assert_int_eq(ompd_cl_##kind##_list_next(space, list_, MOST, rows_, &count_, NULL),     \
                         ompd_rc_ok);                                                              \
        ck_assert_int_eq(ompd_cl_list_close(space, list_), ompd_rc_ok);                            \
        count_;                                                                                    \
    })

/* ---- One, both or none ----------------------------------------------------------------------- */

#define TABLE(name) ompd_cl_registry_##name
#define FIELD(name) ompd_cl_registry_field_##name

/* Indexes of records. */
static uint32_t recorded_context;
static uint32_t recorded_buffer;
static uint32_t recorded_callback;

/* Let the recorder have seen the OpenCL context, its queue, its buffer and a callback of that. */
static void record(void)
{
    uint32_t queue;

    recorded_context = fake_add_object(target, TABLE(context), objects.context);
    queue = fake_add_object(target, TABLE(queue), objects.queue);
    fake_set(target, TABLE(queue), queue, FIELD(context),
             OMPD_CL_REGISTRY_REFERENCE(TABLE(context), recorded_context));
    recorded_buffer = fake_add_buffer(target, objects.buffer, recorded_context, 4096);
    recorded_callback =
        fake_add_destructor(target, recorded_buffer, fake_function(&objects, 40), 0x1040);
}

/* The rows hold each of the program's memory objects once. */
static void check_memobjs(const ompd_cl_memobj_info_t *rows, ompd_size_t count)
{
    const uint64_t handles[] = {objects.buffer, objects.sub_buffer, objects.image, objects.pipe};

    ck_assert_uint_eq(count, 4);
    for (size_t i = 0; i < 4; i++) {
        unsigned seen = 0;

        for (ompd_size_t j = 0; j < count; j++)
            seen += rows[j].handle.value == handles[i];
        ck_assert_uint_eq(seen, 1);
    }
}

START_TEST(both_sources)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_cl_destructor_info_t callbacks[MOST];
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_list_t list;
    ompd_size_t count;

    open_target(_i, true);
    record();
    check_memobjs(rows, list_memobjs(rows));
    ck_value(rows[0].handle, objects.buffer);
    ck_value(rows[0].references, 1);
    ck_value(rows[0].destructor_count, 1);
    ck_value(rows[0].source, ompd_cl_source_recorder);
    /* What the runtime counts, the layout tells. */
    ck_assert_uint_eq(rows[0].runtime_references.source, ompd_cl_source_layout);
    ck_assert_uint_eq(rows[0].runtime_references.value, 2);
    ck_assert_uint_eq(rows[0].map_count.value, 2);
    for (size_t i = 1; i < 4; i++)
        ck_assert_uint_eq(rows[i].source.value, ompd_cl_source_layout);

    ck_assert_int_eq(ompd_cl_destructor_list_open(space, NULL, &list), ompd_rc_ok);
    count = list_destructors(list, callbacks);
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
    close_target();
}
END_TEST

START_TEST(one_source)
{
    ompd_cl_memobj_info_t rows[MOST];

    open_target(_i, true);
    record();
    check_memobjs(rows, list_memobjs(rows));
    set_sources(RECORDER);
    ck_assert_uint_eq(list_memobjs(rows), 1);
    ck_value(rows[0].source, ompd_cl_source_recorder);
    ck_none(rows[0].runtime_references, ompd_cl_status_unknown);
    ck_assert_uint_eq(COUNT(svm), 0);
    set_sources(LAYOUT);
    check_memobjs(rows, list_memobjs(rows));
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(rows[i].source.value, ompd_cl_source_layout);
    ck_assert_uint_eq(COUNT(svm), 2);
    ck_assert_uint_eq(COUNT(svm_free), 1);
    close_target();
}
END_TEST

/* What the recorder cannot tell, the layout may: a record that has been overwritten. */
START_TEST(unreadable_record)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_size_t unreadable;
    uint64_t address;

    open_target(_i, true);
    record();
    address = fake_field_address(target, TABLE(memobj), recorded_buffer, FIELD(state));
    target->hole_start = address;
    target->hole_end = address + 1;
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    rows[0].struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, MOST, rows, &count, &unreadable),
                     ompd_rc_incomplete);
    check_memobjs(rows, count);
    ck_assert_uint_ge(unreadable, 1);
    close_target();
}
END_TEST

START_TEST(finding)
{
    ompd_cl_memobj_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_memobj_id_t buffer;
    ompd_cl_memobj_id_t image;
    ompd_cl_memobj_id_t none = {7};

    open_target(_i, true);
    record();
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.buffer, &buffer), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_get(space, buffer, &info), ompd_rc_ok);
    ck_value(info.source, ompd_cl_source_recorder);
    ck_assert_uint_eq(info.runtime_references.value, 2);
    /* The recorder had the answer. */
    ck_assert_uint_eq(target->calls[fake_progress], 0);
    ck_assert_uint_lt(target->largest_read, 5000);

    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.image, &image), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_get(space, image, &info), ompd_rc_ok);
    ck_assert_uint_eq(info.source.value, ompd_cl_source_layout);
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.freed, &none), ompd_rc_unavailable);
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.queue, &none), ompd_rc_unavailable);
    ck_assert_uint_eq(none.id, 7);
    expect_message("no such object");
    /* Ids stay good when the sources are chosen anew. */
    set_sources(LAYOUT);
    ck_assert_int_eq(ompd_cl_memobj_get(space, buffer, &info), ompd_rc_ok);
    set_sources(RECORDER);
    ck_assert_int_eq(ompd_cl_memobj_get(space, image, &info), ompd_rc_ok);
    close_target();
}
END_TEST

/* ---- The recorder's own functions ------------------------------------------------------------ */

#define TRAMPOLINE_MODULE_SIZE 4096

/* Let the newest callback of the buffer be the recorder's, with the user data TOKEN. */
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
    refresh();
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.buffer, &id), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_destructor_list_open(space, id, &list), ompd_rc_ok);
    ck_assert_uint_eq(list_destructors(list, rows), 3);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    *row = rows[0];
}

START_TEST(trampolines)
{
    ompd_cl_destructor_info_t row;
    uint32_t other;

    open_target(_i, true);
    record();
    fake_set(target, TABLE(callback), recorded_callback, FIELD(generation), 0x123);
    register_trampoline(recorded_callback | UINT64_C(0x23) << 24);
    get_newest_callback(&row);
    if (target->pointer_size == 4) {
        /* So much of the generation as a pointer has room for. */
        ck_assert_uint_eq(row.function.value, fake_function(&objects, 40));
    } else {
        ck_none(row.function, ompd_cl_status_unknown);
        register_trampoline(recorded_callback | UINT64_C(0x123) << 24);
        get_newest_callback(&row);
    }
    ck_assert_uint_eq(row.function.status, ompd_cl_status_value);
    ck_assert_uint_eq(row.function.value, fake_function(&objects, 40));
    ck_assert_uint_eq(row.user_data.value, 0x1040);

    /* One of another object, and one that was never given out. */
    other = fake_add_buffer(target, objects.image, recorded_context, 64);
    other = fake_add_destructor(target, other, fake_function(&objects, 41), 0x1041);
    register_trampoline(other);
    get_newest_callback(&row);
    ck_none(row.function, ompd_cl_status_unknown);
    ck_none(row.user_data, ompd_cl_status_unknown);
    register_trampoline(999);
    get_newest_callback(&row);
    ck_none(row.function, ompd_cl_status_unknown);

    /* A registry that is gone. */
    register_trampoline(recorded_callback | UINT64_C(0x123) << 24);
    target->has_recorder = false;
    get_newest_callback(&row);
    ck_none(row.function, ompd_cl_status_unknown);
    close_target();
}
END_TEST

/* ---- Sentences ------------------------------------------------------------------------------- */

static void check_nothing(const char *words)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_memobj_id_t id;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_refresh(space), ompd_rc_unavailable);
    expect_message(words);
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_unavailable);
    expect_message(words);
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.buffer, &id), ompd_rc_unavailable);
    expect_message(words);
    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_unavailable);
    expect_message(words);
}

START_TEST(nothing)
{
    ompd_cl_extra_t extra = fake_extra;

    target = fake_target_create(false, 8, 8);
    target->has_recorder = false;
    fake_objects_create(&objects, target);
    open_space(&fake_extra);
    check_nothing("there is no OpenCL recorder in this process.");
    set_sources(LAYOUT);
    check_nothing("no layouts were given");
    set_sources(LAYOUT | RECORDER);
    add_layout();
    refresh();

    target->modules[0].build_id = (const uint8_t *)"\x12\x34";
    fake_add_symbol(target, 0, "clIcdGetPlatformIDsKHR", objects.text);
    check_nothing("no layout fits libmadeup.so.1 (build-id 1234): run `ompd-opencl learn` where");
    target->modules[0].build_id = NULL;
    check_nothing("no layout fits libmadeup.so.1 (build-id unknown)");
    target->symbol_count = 0;
    target->modules[0].end += 4096;
    check_nothing("no OpenCL recorder and no OpenCL runtime");
    target->module_count = 0;
    check_nothing("no OpenCL recorder and no OpenCL runtime");
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);

    extra.module = NULL;
    open_space(&extra);
    add_layout();
    check_nothing("does not tell its modules");
    close_target();
}
END_TEST

/* Threads and what they did only a recorder can have seen. */
START_TEST(only_recorder)
{
    ompd_cl_thread_id_t thread;
    ompd_cl_list_t list;

    open_target(_i, false);
    ck_assert_int_eq(ompd_cl_thread_list_open(space, NULL, &list), ompd_rc_unavailable);
    expect_message("only the recorder");
    ck_assert_int_eq(ompd_cl_usage_list_open(space, &list), ompd_rc_unavailable);
    expect_message("only the recorder");
    ck_assert_int_eq(ompd_cl_thread_find(space, 1, &thread), ompd_rc_unavailable);
    expect_message("only the recorder");
    close_target();
}
END_TEST

/* ---- Ids and stops --------------------------------------------------------------------------- */

START_TEST(ids)
{
    ompd_cl_memobj_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_queue_info_t queue = {.struct_size = sizeof(queue)};
    ompd_cl_memobj_id_t id;
    ompd_cl_list_t list;
    uint64_t number = 1;

    open_target(_i, false);
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.pipe, &id), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_queue_get(space, (ompd_cl_queue_id_t){id.id}, &queue),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_wait_list_open(space, (ompd_cl_svm_free_id_t){id.id}, &list),
                     ompd_rc_bad_input);
    fake_put(target, objects.pipe + at_references, 4, 0);
    ck_assert_int_eq(ompd_cl_memobj_get(space, id, &info), ompd_rc_ok);
    refresh();
    ck_assert_int_eq(ompd_cl_memobj_get(space, id, &info), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_memobj_destructor_list_open(space, id, &list), ompd_rc_stale_handle);
    expect_message("gone");
    fake_put(target, objects.pipe + at_references, 4, 1);
    refresh();
    ck_assert_int_eq(ompd_cl_memobj_get(space, id, &info), ompd_rc_ok);
    ck_assert_uint_eq(info.handle.value, objects.pipe);
    for (int i = 0; i < 100000; i++) {
        number = number * 6364136223846793005 + 1442695040888963407;
        ck_assert_int_ne(ompd_cl_memobj_get(space, (ompd_cl_memobj_id_t){number}, &info),
                         ompd_rc_ok);
    }
    close_target();
}
END_TEST

/* A list that is open goes on after a stop with what is there then. */
START_TEST(stops)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_cl_list_t list;
    ompd_size_t count;

    open_target(_i, false);
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    rows[0].struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, 1, rows, &count, NULL), ompd_rc_ok);
    ck_assert_uint_eq(rows[0].handle.value, objects.buffer);
    /* The one that was given goes, the next goes, and one comes back. */
    fake_put(target, objects.buffer + at_references, 4, 0);
    fake_put(target, objects.sub_buffer + at_references, 4, 0);
    fake_put(target, objects.freed + at_references, 4, 1);
    refresh();
    ck_assert_int_eq(next_memobjs(list, 1, rows, &count), ompd_rc_ok);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(rows[0].handle.value, objects.freed);
    ck_assert_uint_eq(rows[1].handle.value, objects.pipe);
    ck_assert_uint_eq(rows[2].handle.value, objects.image);
    close_target();
}
END_TEST

START_TEST(stops_within)
{
    ompd_cl_destructor_info_t rows[MOST] = {{.struct_size = sizeof(rows[0])}};
    ompd_cl_list_t list;
    ompd_size_t count;

    open_target(_i, false);
    ck_assert_int_eq(ompd_cl_destructor_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_destructor_list_next(space, list, 3, rows, &count, NULL), ompd_rc_ok);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(rows[2].function.value, fake_function(&objects, 2));
    refresh();
    ck_assert_int_eq(ompd_cl_destructor_list_next(space, list, 1, rows, &count, NULL), ompd_rc_ok);
    ck_assert_uint_eq(rows[0].function.value, fake_function(&objects, 1));
    /* Gone, and nobody names it. */
    fake_put(target, objects.buffer + at_references, 4, 0);
    fake_object_point(&objects, objects.sub_buffer, at_parent, 0);
    refresh();
    ck_assert_uint_eq(list_destructors(list, rows), 2);
    ck_assert_uint_eq(rows[0].function.value, fake_function(&objects, 11));
    close_target();
}
END_TEST

/* ---- What it costs, and what may be missing -------------------------------------------------- */

/* Memory is looked through once a stop, however much is asked. */
START_TEST(one_scan)
{
    ompd_cl_memobj_info_t rows[MOST];
    uint64_t reads;

    open_target(_i, (_i & 1) != 0);
    if (target->has_recorder)
        record();
    fake_reset(target);
    check_memobjs(rows, list_memobjs(rows));
    ck_assert_uint_lt(target->calls[fake_read], (FAKE_SIZE >> 20) + 64);
    ck_assert_uint_ge(target->bytes_read, UINT64_C(1) << 20);
    reads = target->bytes_read;
    for (int i = 0; i < 3; i++) {
        check_memobjs(rows, list_memobjs(rows));
        COUNT(context);
        COUNT(queue);
        COUNT(svm);
        COUNT(svm_free);
        COUNT(destructor);
    }
    ck_assert_uint_lt(target->bytes_read, reads + (UINT64_C(1) << 20));
    ck_assert_uint_eq(target->calls[fake_symbol], 1);
    reads = target->bytes_read;
    refresh();
    check_memobjs(rows, list_memobjs(rows));
    ck_assert_uint_ge(target->bytes_read, reads + (UINT64_C(1) << 20));
    ck_assert_uint_eq(target->calls[fake_symbol], 2);
    close_target();
}
END_TEST

START_TEST(cancelled)
{
    ompd_cl_memobj_info_t rows[MOST] = {{.struct_size = sizeof(rows[0])}};
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_memobj_id_t id = {7};
    ompd_cl_list_t list;
    ompd_size_t count = 7;

    open_target(_i, false);
    target->failing = fake_progress;
    target->fail_at = 1;
    target->fails_for_ever = true;
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, MOST, rows, &count, NULL),
                     ompd_rc_incomplete);
    expect_message("cancelled");
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(ompd_cl_memobj_find(space, objects.buffer, &id), ompd_rc_incomplete);
    ck_assert_uint_eq(id.id, 0);
    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_incomplete);
    expect_message("cancelled");
    ck_none(info.contexts, ompd_cl_status_unknown);
    fake_reset(target);
    ck_assert_int_eq(next_memobjs(list, 3, rows, &count), ompd_rc_ok);
    check_memobjs(rows, count);
    close_target();
}
END_TEST

/* Memory that cannot be read may have held objects: how many at most is told. */
START_TEST(holes)
{
    ompd_cl_memobj_info_t rows[MOST] = {{.struct_size = sizeof(rows[0])}};
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_size_t unreadable;

    open_target(_i, false);
    target->hole_start = objects.stack;
    target->hole_end = objects.stack + 4096;
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_list_next(space, list, MOST, rows, &count, &unreadable),
                     ompd_rc_incomplete);
    expect_message("could not be read");
    check_memobjs(rows, count);
    ck_assert_uint_ge(unreadable, 4096 / fake_object_size);
    ck_assert_uint_le(unreadable, 4096 / 4);
    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_incomplete);
    ck_none(info.contexts, ompd_cl_status_unreadable);
    close_target();
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
    const ompd_cl_value_t *values = &row->handle;
    uint64_t known = 0;

    for (; values <= &row->doubt; values++)
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
    ompd_cl_memobj_info_t rows[MOST] = {{.struct_size = sizeof(rows[0])}};
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
    ompd_cl_destructor_info_t rows[MOST] = {{.struct_size = sizeof(rows[0])}};
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

    note(&answer, ompd_cl_refresh(space));
    ask_memobjs(&answer);
    ask_callbacks(&answer);
    return answer;
}

/* Whatever callback fails, and when: either it is said, or the answer is the same. */
START_TEST(faults)
{
    static const enum fake_callback callbacks[] = {fake_alloc, fake_read, fake_module,
                                                   fake_module_symbol, fake_progress};
    struct answer whole;
    struct answer answer;

    open_target(_i, (_i & 1) != 0);
    if (target->has_recorder)
        record();
    whole = ask();
    ck_assert_int_eq(whole.worst, ompd_rc_ok);
    ck_assert_uint_eq(whole.objects, 4);
    for (size_t i = 0; i < sizeof(callbacks) / sizeof(callbacks[0]); i++) {
        uint64_t calls = 1;

        for (uint64_t number = 1; number <= calls && number <= 300; number++) {
            fake_reset(target);
            target->failing = callbacks[i];
            target->fail_at = number;
            answer = ask();
            calls = target->calls[callbacks[i]];
            target->fail_at = 0;
            if (target->failures == 0 || answer.worst != ompd_rc_ok)
                continue;
            ck_assert_msg(answer.objects == whole.objects, "call %d of callback %d", (int)number,
                          (int)callbacks[i]);
            ck_assert_uint_eq(answer.callbacks, whole.callbacks);
            ck_assert_uint_eq(answer.known, whole.known);
        }
    }
    answer = ask();
    ck_assert_int_eq(answer.worst, ompd_rc_ok);
    ck_assert_uint_eq(answer.known, whole.known);
    close_target();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sources");
    TCase *tests = tcase_create("sources");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, both_sources, 0, VARIANTS);
    tcase_add_loop_test(tests, one_source, 0, VARIANTS);
    tcase_add_loop_test(tests, unreadable_record, 0, VARIANTS);
    tcase_add_loop_test(tests, finding, 0, VARIANTS);
    tcase_add_loop_test(tests, trampolines, 0, VARIANTS);
    tcase_add_test(tests, nothing);
    tcase_add_loop_test(tests, only_recorder, 0, VARIANTS);
    tcase_add_loop_test(tests, ids, 0, VARIANTS);
    tcase_add_loop_test(tests, stops, 0, VARIANTS);
    tcase_add_loop_test(tests, stops_within, 0, VARIANTS);
    tcase_add_loop_test(tests, one_scan, 0, VARIANTS);
    tcase_add_loop_test(tests, cancelled, 0, VARIANTS);
    tcase_add_loop_test(tests, holes, 0, VARIANTS);
    tcase_add_loop_test(tests, faults, 0, VARIANTS);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
