/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events, kernels, programs and samplers as rows, of complete targets, of older recorders, and of
 * corrupt records. */
#include "rows-session.h"
#include "sentence.h"
#include "suite.h"
#include "values.h"

#include <check.h>
#include <limits.h>
#include <ompd-opencl-calls.h>
#include <stddef.h>
#include <string.h>

#define EVENT ompd_cl_registry_event
#define PROGRAM ompd_cl_registry_program
#define QUEUE ompd_cl_registry_queue
#define GONE ompd_cl_registry_gone

/* Put NUMBER into FIELD of event number INDEX, and ask again. */
static void set_event(uint32_t index, uint32_t field, uint64_t number)
{
    fake_set(target, EVENT, population.events[index], field, number);
    fake_touch(target, EVENT, population.events[index]);
}

START_TEST(events)
{
    const ompd_cl_event_info_t *rows = answers.events;

    rows_begin(_i);
    rows_ask();
    ck_assert_uint_eq(answers.event_count, EVENT_COUNT);
    for (uint32_t i = 0; i < EVENT_COUNT; i++) {
        ck_value(rows[i].head.handle, EVENT_HANDLE + i * 0x100);
        ck_value(rows[i].context, CONTEXT_HANDLE);
        ck_value(rows[i].references, 1);
        ck_value(rows[i].state, ompd_cl_object_state_live);
        ck_value(rows[i].head.confidence, ompd_cl_confidence_certain);
        ck_assert_uint_ne(rows[i].head.id, 0);
    }
    ck_value(rows[0].type, 0x1204);
    ck_value(rows[0].execution, ompd_cl_event_state_unset);
    ck_none(rows[0].queue, ompd_cl_status_not_applicable);
    ck_none(rows[0].set_by, ompd_cl_status_not_applicable);
    ck_none(rows[0].number, ompd_cl_status_not_applicable);
    ck_value(rows[1].type, 0x11f0);
    ck_value(rows[1].execution, ompd_cl_event_state_ended);
    ck_value(rows[1].queue, QUEUE_HANDLE);
    ck_value(rows[1].number, 1);
    ck_none(rows[1].error, ompd_cl_status_not_applicable);
    ck_value(rows[2].execution, ompd_cl_event_state_enqueued);
    ck_value(rows[2].number, 2);
    ck_value(rows[3].execution, ompd_cl_event_state_failed);
    ck_value(rows[3].error, (uint64_t)-5);
    ck_value(rows[3].set_by, FIRST_LWP);
    rows_tear_down();
}
END_TEST

/* What a debugger writes once for all kinds: the LWP of the thread that made a row, or 0. */
static uint64_t creator_of(const ompd_cl_object_head_t *head)
{
    return head->lwp.status == ompd_cl_status_value ? head->lwp.value : 0;
}

/* Expect the head of ROW, of KIND, to leave no member open.  Returns its creator. */
static uint64_t expect_head(const void *row, uint32_t kind)
{
    const ompd_cl_object_head_t *head = row;
    const ompd_cl_value_t *values = &head->handle;
    size_t count = (sizeof(*head) - offsetof(ompd_cl_object_head_t, handle)) / sizeof(*values);

    for (size_t i = 0; i < count; i++)
        ck_assert_msg(values[i].status != ompd_cl_status_none, "kind %u, value %zu", kind, i);
    return creator_of(head);
}

/* The number of rows of KIND that name their creator; UINT_MAX: it has no list. */
static unsigned count_creators(uint32_t kind)
{
    static union {
        ompd_cl_object_head_t head;
        unsigned char bytes[4096];
    } row;
    const char *name;
    ompd_size_t count = 0;
    ompd_size_t size = 0;
    unsigned creators = 0;
    ompd_cl_list_t list;

    if (ompd_cl_kind_get(kind, &name, &size) != ompd_rc_ok ||
        ompd_cl_list_open(population.space, kind, NULL, &list) != ompd_rc_ok)
        return UINT_MAX;
    ck_assert_uint_le(size, sizeof(row));
    do {
        row.head.struct_size = size;
        ck_assert_int_eq(ompd_cl_list_next(population.space, list, kind, 1, &row, &count, NULL),
                         ompd_rc_ok);
        creators += count != 0 && expect_head(&row, kind) != 0;
    } while (count != 0);
    ompd_cl_list_close(population.space, list);
    return creators;
}

START_TEST(creators)
{
    static const uint32_t made[] = {
        ompd_cl_kind_context, ompd_cl_kind_queue,      ompd_cl_kind_memobj,  ompd_cl_kind_svm,
        ompd_cl_kind_event,   ompd_cl_kind_destructor, ompd_cl_kind_program, ompd_cl_kind_kernel,
        ompd_cl_kind_sampler, ompd_cl_kind_svm_free,   ompd_cl_kind_command, ompd_cl_kind_callback,
        ompd_cl_kind_error,   ompd_cl_kind_destroyed,  ompd_cl_kind_call,    ompd_cl_kind_ledger,
    };
    unsigned listed = 0;

    rows_begin(_i);
    rows_ask();
    for (uint32_t kind = ompd_cl_kind_overview; kind <= ompd_cl_kind_message; kind++)
        listed += count_creators(kind) != UINT_MAX;
    ck_assert_uint_ge(listed, 20);
    for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
        unsigned count = count_creators(made[i]);

        ck_assert_msg(count != 0 && count != UINT_MAX, "kind %u names no creator", made[i]);
    }
    rows_tear_down();
}
END_TEST

START_TEST(others)
{
    rows_begin(_i);
    rows_ask();
    ck_assert_uint_eq(answers.program_count, 1);
    ck_value(answers.programs[0].head.handle, PROGRAM_HANDLE);
    ck_value(answers.programs[0].build, ompd_cl_build_state_failed);
    ck_value(answers.programs[0].build_error, (uint64_t)-11);
    ck_value(answers.programs[0].build_lwp, FIRST_LWP);
    ck_value(answers.programs[0].children, 1);
    ck_assert_str_eq(answers.programs[0].options.text, "-w -DDATA_TYPE=floa");
    ck_assert_uint_eq(answers.programs[0].options.length, strlen(PROGRAM_OPTIONS));
    ck_assert_uint_eq(answers.options_length, strlen(PROGRAM_OPTIONS));
    ck_assert_str_eq(answers.options, PROGRAM_OPTIONS);
    ck_assert_str_eq(answers.programs[0].log.text, "error: \x1b[2J");
    ck_assert_uint_eq(answers.kernel_count, 1);
    ck_value(answers.kernels[0].head.handle, KERNEL_HANDLE);
    ck_value(answers.kernels[0].program, PROGRAM_HANDLE);
    ck_value(answers.kernels[0].context, CONTEXT_HANDLE);
    ck_assert_str_eq(answers.kernels[0].name.text, "blur");
    ck_assert_uint_eq(answers.sampler_count, 1);
    ck_value(answers.samplers[0].normalized, 1);
    ck_value(answers.samplers[0].addressing, 0x1133);
    ck_value(answers.samplers[0].filter, 0x1141);
    rows_tear_down();
}
END_TEST

/* A queue that has advanced further has ended all events before that point, at the next stop. */
START_TEST(queue_goes_on)
{
    rows_ask();
    ck_value(answers.events[2].execution, ompd_cl_event_state_enqueued);
    fake_set(target, QUEUE, population.queue, F(finished), 2);
    rows_ask();
    ck_value(answers.events[2].execution, ompd_cl_event_state_ended);
    /* Numbers start anew from 0. */
    set_event(2, F(number), 1);
    fake_set(target, QUEUE, population.queue, F(finished), UINT32_MAX);
    rows_ask();
    ck_value(answers.events[2].execution, ompd_cl_event_state_enqueued);
    set_event(2, F(number), UINT32_MAX - 1);
    rows_ask();
    ck_value(answers.events[2].execution, ompd_cl_event_state_ended);
}
END_TEST

/* An event of a destroyed queue has its own facts. */
START_TEST(queue_is_gone)
{
    set_event(1, F(parent_generation), 7);
    rows_ask();
    ck_value(answers.events[1].execution, ompd_cl_event_state_enqueued);
    set_event(1, F(parent), OMPD_CL_REGISTRY_REFERENCE(QUEUE, 4000));
    rows_ask_in_vain();
    ck_none(answers.events[1].execution, ompd_cl_status_corrupt);
    ck_value(answers.events[1].head.handle, EVENT_HANDLE + 0x100);
    /* A parent that is not a queue does not count. */
    set_event(1, F(parent), OMPD_CL_REGISTRY_REFERENCE(PROGRAM, population.program));
    rows_ask();
    ck_value(answers.events[1].execution, ompd_cl_event_state_enqueued);
}
END_TEST

START_TEST(queue_not_saved)
{
    target->hole_start = fake_field_address(target, QUEUE, population.queue, F(finished));
    target->hole_end = target->hole_start + 1;
    target->is_hole_known = true;
    rows_ask_in_vain();
    ck_assert_uint_eq(answers.event_count, EVENT_COUNT);
    ck_none(answers.events[1].execution, ompd_cl_status_not_saved);
    ck_value(answers.events[1].head.handle, EVENT_HANDLE + 0x100);
    ck_value(answers.events[0].execution, ompd_cl_event_state_unset);
}
END_TEST

START_TEST(words_that_cannot_be)
{
    set_event(0, F(run), OMPD_CL_REGISTRY_RUN(1, 200));
    rows_ask();
    ck_none(answers.events[0].execution, ompd_cl_status_corrupt);
    set_event(0, F(run), 0);
    rows_ask();
    ck_none(answers.events[0].execution, ompd_cl_status_unknown);
    fake_set(target, PROGRAM, population.program, F(run), OMPD_CL_REGISTRY_RUN(1, 99));
    fake_touch(target, PROGRAM, population.program);
    rows_ask();
    ck_none(answers.programs[0].build, ompd_cl_status_corrupt);
}
END_TEST

/* Texts that a thread was changing at the stop are not shown. */
START_TEST(torn_texts)
{
    fake_set(target, PROGRAM, population.program, F(change), FIRST_LWP + 1);
    fake_touch(target, PROGRAM, population.program);
    rows_ask();
    ck_assert_uint_eq(answers.programs[0].log.status, ompd_cl_status_changing);
    ck_assert_uint_eq(answers.programs[0].log.lwp, FIRST_LWP + 1);
    ck_assert_str_eq(answers.programs[0].log.text, "");
    ck_assert_uint_eq(answers.programs[0].options.status, ompd_cl_status_changing);
    ck_value(answers.programs[0].build, ompd_cl_build_state_failed);
}
END_TEST

/* A program that was not built has no options, and a log that was never requested is unknown. */
START_TEST(not_built)
{
    uint64_t log = fake_field_address(target, PROGRAM, population.program, F(log));

    fake_put(target, log, 1, 0);
    fake_set(target, PROGRAM, population.program, F(log_size), 0);
    fake_touch(target, PROGRAM, population.program);
    rows_ask();
    ck_assert_uint_eq(answers.programs[0].log.status, ompd_cl_status_unknown);
    /* Texts that exist are not its own. */
    fake_put(target, log, 1, 'x');
    fake_set(target, PROGRAM, population.program, F(log_size), strlen("xrror: \x1b[2J"));
    fake_set(target, PROGRAM, population.program, F(run), 0);
    fake_set(target, PROGRAM, population.program, F(error), 0);
    fake_touch(target, PROGRAM, population.program);
    rows_ask();
    ck_none(answers.programs[0].build, ompd_cl_status_not_applicable);
    ck_none(answers.programs[0].build_lwp, ompd_cl_status_not_applicable);
    ck_assert_uint_eq(answers.programs[0].options.status, ompd_cl_status_not_applicable);
    ck_assert_str_eq(answers.programs[0].options.text, "");
    ck_assert_uint_eq(answers.programs[0].log.status, ompd_cl_status_not_applicable);
    ck_assert_str_eq(answers.programs[0].log.text, "");
}
END_TEST

/* A recorder of version 1.2: fields that it does not record are unknown. */
START_TEST(older_recorder)
{
    fake_forget_field(target, EVENT, F(run));
    fake_forget_field(target, EVENT, F(number));
    fake_forget_field(target, EVENT, F(error));
    fake_forget_field(target, PROGRAM, F(run));
    fake_forget_field(target, PROGRAM, F(options));
    fake_forget_field(target, PROGRAM, F(log));
    fake_forget_field(target, ompd_cl_registry_kernel, F(name));
    fake_forget_field(target, ompd_cl_registry_sampler, F(normalized));
    fake_forget_field(target, ompd_cl_registry_command, F(at));
    rows_ask();
    ck_none(answers.commands[0].enqueued_at, ompd_cl_status_unknown);
    ck_assert_uint_eq(answers.event_count, EVENT_COUNT);
    ck_none(answers.events[0].execution, ompd_cl_status_unknown);
    ck_none(answers.events[1].number, ompd_cl_status_unknown);
    ck_value(answers.events[1].queue, QUEUE_HANDLE);
    ck_none(answers.programs[0].build, ompd_cl_status_unknown);
    ck_assert_uint_eq(answers.programs[0].options.status, ompd_cl_status_unknown);
    ck_assert_uint_eq(answers.programs[0].log.status, ompd_cl_status_unknown);
    ck_assert_uint_eq(answers.kernels[0].name.status, ompd_cl_status_unknown);
    ck_assert_str_eq(answers.kernels[0].name.text, "");
    ck_none(answers.samplers[0].normalized, ompd_cl_status_unknown);
    ck_value(answers.kernels[0].program, PROGRAM_HANDLE);
}
END_TEST

START_TEST(commands)
{
    const ompd_cl_command_info_t *rows = answers.commands;

    rows_begin(_i);
    fake_set(target, QUEUE, population.queue, F(flushed), 1);
    rows_ask();
    ck_assert_uint_eq(answers.command_count, COMMAND_COUNT);
    for (uint32_t i = 0; i < COMMAND_COUNT; i++) {
        ck_value(rows[i].queue, QUEUE_HANDLE);
        ck_value(rows[i].context, CONTEXT_HANDLE);
        ck_value(rows[i].type, 0x11f0);
        ck_value(rows[i].kernel, KERNEL_HANDLE);
        ck_none(rows[i].memobj, ompd_cl_status_not_applicable);
        ck_value(rows[i].enqueued_at, UINT64_C(1700000000000) + i);
        ck_assert_uint_ne(rows[i].head.id, 0);
    }
    ck_value(rows[0].state, ompd_cl_event_state_ended);
    ck_value(rows[0].number, 1);
    ck_value(rows[0].is_flushed, 1);
    ck_none(rows[0].event, ompd_cl_status_not_applicable);
    ck_value(rows[1].state, ompd_cl_event_state_enqueued);
    ck_value(rows[1].event, EVENT_HANDLE + 0x200);
    ck_value(rows[1].is_flushed, 0);
    ck_value(rows[1].wait_count, 1);
    ck_value(rows[2].state, ompd_cl_event_state_being_enqueued);
    ck_none(rows[2].number, ompd_cl_status_not_applicable);
    ck_value(rows[2].is_blocking, 1);
    ck_value(rows[2].is_flushed, 1);
    ck_assert_uint_eq(answers.device_count, 1);
    ck_value(answers.devices[0].head.handle, 0xd000);
    ck_value(answers.devices[0].type, 2);
    ck_value(answers.devices[0].platform, PLATFORM_HANDLE);
    ck_assert_str_eq(answers.devices[0].name.text, "abacus");
    rows_tear_down();
}
END_TEST

/* The bucket of HANDLE in the recorder's hash. */
static uint64_t bucket_of(uint64_t handle)
{
    uint64_t root = target->root;
    uint64_t buckets = fake_get(target, root + offsetof(struct ompd_cl_registry_root, buckets), 8);
    uint64_t count =
        fake_get(target, root + offsetof(struct ompd_cl_registry_root, bucket_count), 8);

    return buckets + 8 * ompd_cl_registry_bucket(handle, count);
}

/* A command is over when its event is.  If the hash cannot be read, it presumably is not. */
START_TEST(command_is_over_with_its_event)
{
    uint64_t bucket = bucket_of(EVENT_HANDLE + 0x200);

    rows_ask();
    ck_value(answers.commands[1].state, ompd_cl_event_state_enqueued);

    fake_put(target, bucket, 8, fake_get(target, bucket, 8) | 1);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    rows_ask_in_vain();
    ck_value_presumed(answers.commands[1].state, ompd_cl_event_state_enqueued);

    fake_put(target, bucket, 8, fake_get(target, bucket, 8) & ~UINT64_C(1));
    fake_set(target, ompd_cl_registry_event, population.events[2], F(run),
             OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_failed));
    fake_set(target, ompd_cl_registry_event, population.events[2], F(error), (uint32_t)-5);
    fake_touch(target, ompd_cl_registry_event, population.events[2]);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    rows_ask();
    ck_value(answers.commands[1].state, ompd_cl_event_state_failed);
    ck_value(answers.commands[1].error, (uint64_t)-5);

    /* Another command's event has the handle now. */
    fake_set(target, ompd_cl_registry_event, population.events[2], F(number), 9);
    fake_touch(target, ompd_cl_registry_event, population.events[2]);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    rows_ask();
    ck_value(answers.commands[1].state, ompd_cl_event_state_enqueued);
}
END_TEST

/* The commands of one queue, and what one of them waits for. */
START_TEST(parts_of_commands)
{
    ompd_cl_command_info_t rows[COMMAND_COUNT + 1] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_cl_wait_info_t waits[2] = {{.head.struct_size = sizeof(waits[0])}};
    ompd_cl_command_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_list_t list;
    ompd_size_t count = 0;

    fake_set(target, ompd_cl_registry_command, population.commands[0], F(queue_handle), 0x9999);
    rows_ask();
    ck_assert_int_eq(ompd_cl_queue_command_list_open(
                         population.space, ompd_cl_queue_info_id(&answers.queues[0]), &list),
                     ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_command_list_next(population.space, list, COMMAND_COUNT + 1, rows, &count, NULL),
        ompd_rc_ok);
    ck_assert_uint_eq(count, COMMAND_COUNT - 1);
    ck_value(rows[0].number, 2);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_command_wait_list_open(population.space, ompd_cl_command_info_id(&rows[0]), &list),
        ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_wait_list_next(population.space, list, 2, waits, &count, NULL),
                     ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_value(waits[0].event, EVENT_HANDLE);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_command_get(population.space, ompd_cl_command_info_id(&rows[0]), &info),
        ompd_rc_ok);
    ck_assert_mem_eq(&info, &rows[0], sizeof(info));
}
END_TEST

/* A circular wait list ends, and is reported as invalid. */
START_TEST(wait_list_in_a_circle)
{
    uint32_t command = population.commands[1];
    ompd_cl_wait_info_t waits[8] = {{.head.struct_size = sizeof(waits[0])}};
    uint64_t place = fake_field_address(target, ompd_cl_registry_command, command, F(wait_list));
    uint32_t link = (uint32_t)fake_get(target, place, 4);
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    fake_set(target, ompd_cl_registry_address, link - 1, F(next), link);
    fake_set(target, ompd_cl_registry_command, command, F(wait_count), 1000000);
    rows_ask();
    ck_assert_int_eq(ompd_cl_command_wait_list_open(
                         population.space, ompd_cl_command_info_id(&answers.commands[1]), &list),
                     ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_wait_list_next(population.space, list, 8, waits, &count, NULL),
                     ompd_rc_incomplete);
    ck_assert_uint_le(count, 1);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
}
END_TEST

/* If no commands are recorded, the list says why, and is not empty. */
START_TEST(no_commands)
{
    ompd_cl_list_t list = {42};

    fake_put(target, target->root + offsetof(struct ompd_cl_registry_root, switches), 4, 0);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_command_list_open(population.space, NULL, &list), ompd_rc_unavailable);
    sentence_expect(population.space, "OMPD_OPENCL_HISTORY");
    fake_forget_table(target, ompd_cl_registry_command);
    fake_forget_table(target, ompd_cl_registry_device);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_command_list_open(population.space, NULL, &list), ompd_rc_unavailable);
    sentence_expect(population.space, "older");
    ck_assert_int_eq(ompd_cl_device_list_open(population.space, &list), ompd_rc_unavailable);
    sentence_expect(population.space, "older");
    ck_assert_uint_eq(list.id, 42);
}
END_TEST

START_TEST(gone_objects)
{
    const ompd_cl_destroyed_info_t *rows = answers.gone;

    rows_begin(_i);
    rows_ask();
    ck_assert_uint_eq(answers.gone_count, GONE_COUNT);
    for (uint32_t i = 0; i < GONE_COUNT; i++) {
        ck_value(rows[i].head.handle, GONE_HANDLE + 0x1000 * i);
        ck_value(rows[i].context, CONTEXT_HANDLE);
        ck_value(rows[i].head.caller, 0x400000 + i);
        ck_value(rows[i].ended_at, 1700000000000 + i);
        ck_value(rows[i].ended_lwp, FIRST_LWP);
        ck_value(rows[i].ending, ompd_cl_ending_released + i);
        ck_value(rows[i].end_order, (uint64_t)(70 + i) << 20 | (i + 1));
        ck_value(rows[i].head.lwp, 100);
        ck_assert_uint_ne(rows[i].head.order.value, 0);
    }
    ck_value(rows[0].object_kind, ompd_cl_kind_memobj);
    ck_value(rows[0].memobj_kind, ompd_cl_memobj_buffer);
    ck_value(rows[0].size, 4096);
    ck_value(rows[0].flags, 1 << 3);
    ck_value(rows[0].host_pointer, 0x30000);
    ck_none(rows[0].parent, ompd_cl_status_not_applicable);
    ck_value(rows[0].released_lwp, FIRST_LWP + 1);
    ck_value(rows[0].released_caller, 0x400200);
    ck_none(rows[0].released_stack, ompd_cl_status_unknown);
    ck_value(rows[1].memobj_kind, ompd_cl_memobj_sub_buffer);
    ck_value(rows[1].parent, BUFFER_HANDLE);
    ck_none(rows[1].host_pointer, ompd_cl_status_not_applicable);
    ck_value(rows[2].object_kind, ompd_cl_kind_svm);
    ck_value(rows[2].size, 256);
    ck_none(rows[2].memobj_kind, ompd_cl_status_not_applicable);
    ck_value(rows[3].object_kind, ompd_cl_kind_event);
    ck_value(rows[3].parent, QUEUE_HANDLE);
    ck_none(rows[3].size, ompd_cl_status_not_applicable);
    ck_none(rows[3].flags, ompd_cl_status_not_applicable);
    ck_none(rows[3].map_count, ompd_cl_status_not_applicable);
    ck_value(rows[0].map_count, 0);
    ck_none(rows[3].released_lwp, ompd_cl_status_unknown);
    ck_none(rows[3].released_caller, ompd_cl_status_unknown);
    rows_tear_down();
}
END_TEST

/* Fields with impossible values: the rest of the row is shown. */
START_TEST(gone_lies)
{
    const uint32_t *gone = population.gone;

    fake_set(target, GONE, gone[0], F(object), OMPD_CL_REGISTRY_REFERENCE(GONE, 1));
    fake_set(target, GONE, gone[1], F(type), 0x7fff);
    fake_set(target, GONE, gone[2], F(ending), 77);
    fake_set(target, GONE, gone[3], F(object), 0xffffffff);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    answers_get(population.space, &answers);
    ck_assert_uint_eq(answers.gone_count, GONE_COUNT);
    ck_none(answers.gone[0].object_kind, ompd_cl_status_corrupt);
    ck_value(answers.gone[0].head.handle, GONE_HANDLE);
    ck_none(answers.gone[1].memobj_kind, ompd_cl_status_corrupt);
    ck_value(answers.gone[1].size, 64);
    ck_none(answers.gone[2].ending, ompd_cl_status_corrupt);
    ck_value(answers.gone[2].size, 256);
    ck_none(answers.gone[3].object_kind, ompd_cl_status_corrupt);
    ck_assert_int_eq(answers.worst, ompd_rc_incomplete);
}
END_TEST

/* A record that was being written at the stop is ignored; one that was just being freed is
 * complete. */
START_TEST(gone_being_written)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .kinds = 1 << ompd_cl_kind_svm};
    ompd_cl_destroyed_info_t rows[GONE_COUNT] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t unreadable = 42;
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    fake_set(target, GONE, population.gone[0], F(state), ompd_cl_registry_free);
    fake_set(target, GONE, population.gone[0], F(change), FIRST_LWP);
    fake_set(target, GONE, population.gone[2], F(change), UINT64_C(3) << 32 | FIRST_LWP);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    answers_get(population.space, &answers);
    ck_assert_uint_eq(answers.gone_count, GONE_COUNT - 1);
    ck_value(answers.gone[1].head.handle, GONE_HANDLE + 0x2000);
    ck_value(answers.gone[1].end_order, UINT64_C(72) << 20 | 0xfffff);
    ck_assert_int_eq(ompd_cl_destroyed_list_open(population.space, &filter, &list), ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_destroyed_list_next(population.space, list, GONE_COUNT, rows, &count, &unreadable),
        ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(unreadable, 0);
    ck_value(rows[0].object_kind, ompd_cl_kind_svm);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
}
END_TEST

/* A recorder without times has no order, either. */
START_TEST(without_order)
{
    fake_forget_field(target, GONE, F(ended));
    fake_forget_field(target, ompd_cl_registry_error, F(serial));
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    answers_get(population.space, &answers);
    ck_assert_uint_eq(answers.gone_count, GONE_COUNT);
    for (uint32_t i = 0; i < GONE_COUNT; i++)
        ck_assert_uint_eq(answers.gone[i].end_order.value, 0);
    ck_assert_uint_ne(answers.error_count, 0);
    ck_none(answers.errors[0].error_order, ompd_cl_status_unknown);
}
END_TEST

/* If nothing is recorded, the list says why, and is not empty. */
START_TEST(nothing_kept)
{
    const uint64_t root = target->root;
    ompd_cl_list_t list = {42};

    fake_put(target,
             root + offsetof(struct ompd_cl_registry_root, more_tables) +
                 offsetof(struct ompd_cl_registry_table, chunk_count),
             4, 0);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_destroyed_list_open(population.space, NULL, &list),
                     ompd_rc_unavailable);
    sentence_expect(population.space, "OMPD_OPENCL_HISTORY");
    /* A root that ends where it did before version 1.4. */
    fake_put(target, root + offsetof(struct ompd_cl_registry_root, root_size), 4,
             OMPD_CL_REGISTRY_ROOT_SIZE_1_0);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_destroyed_list_open(population.space, NULL, &list),
                     ompd_rc_unavailable);
    sentence_expect(population.space, "older");
    ck_assert_uint_eq(list.id, 42);
    answers_get(population.space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_unavailable);
    ck_assert_uint_eq(answers.event_count, EVENT_COUNT);
}
END_TEST

START_TEST(errors)
{
    const ompd_cl_error_info_t *rows = answers.errors;

    rows_begin(_i);
    rows_ask();
    ck_assert_uint_eq(answers.error_count, ERROR_COUNT);
    for (uint32_t i = 0; i < ERROR_COUNT; i++) {
        ck_value(rows[i].head.lwp, FIRST_LWP);
        ck_value(rows[i].object, CONTEXT_HANDLE);
        ck_value(rows[i].head.caller, 0x400300 + i);
        ck_value(rows[i].at, 1700000001000 + i);
        ck_value(rows[i].error_order, UINT64_C(80) << 20 | (i + 1));
    }
    ck_value(rows[0].call, ompd_cl_call_clCreateBuffer);
    ck_value(rows[0].outcome, (uint64_t)-30);
    ck_value(rows[1].call, ompd_cl_call_clCreateKernel);
    ck_none(rows[1].outcome, ompd_cl_status_unknown);
    fake_set(target, ompd_cl_registry_error, population.errors[0], F(what), 0x7777);
    rows_ask_in_vain();
    ck_none(answers.errors[0].call, ompd_cl_status_corrupt);
    ck_value(answers.errors[0].outcome, (uint64_t)-30);
    rows_tear_down();
}
END_TEST

START_TEST(find_and_get)
{
    ompd_cl_event_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_event_id_t event = {0};
    ompd_cl_kernel_id_t kernel = {42};

    rows_ask();
    ck_assert_int_eq(ompd_cl_event_find(population.space, EVENT_HANDLE + 0x300, &event),
                     ompd_rc_ok);
    ck_assert_uint_eq(event.id, answers.events[3].head.id);
    ck_assert_int_eq(ompd_cl_event_get(population.space, event, &info), ompd_rc_ok);
    ck_assert_mem_eq(&info, &answers.events[3], sizeof(info));
    ck_assert_int_eq(ompd_cl_kernel_find(population.space, EVENT_HANDLE, &kernel),
                     ompd_rc_unavailable);
    ck_assert_uint_eq(kernel.id, 42);
    /* An id is of its kind alone. */
    kernel.id = event.id;
    ck_assert_int_eq(
        ompd_cl_kernel_get(population.space, kernel, (ompd_cl_kernel_info_t *)(void *)&info),
        ompd_rc_bad_input);
    fake_remove_object(target, EVENT, population.events[3]);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_event_get(population.space, event, &info), ompd_rc_stale_handle);
}
END_TEST

START_TEST(release_callbacks)
{
    ompd_cl_destructor_info_t rows[2] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    fake_add_destructor_of(target, PROGRAM, population.program, 0x403000, 0x5000);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    answers_get(population.space, &answers);
    ck_value(answers.programs[0].destructor_count, 1);
    ck_assert_int_eq(ompd_cl_program_destructor_list_open(
                         population.space, ompd_cl_program_info_id(&answers.programs[0]), &list),
                     ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_destructor_list_next(population.space, list, 2, rows, &count, NULL),
                     ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_value(rows[0].object, PROGRAM_HANDLE);
    ck_value(rows[0].function, 0x403000);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("object-rows");
    TCase *everywhere = tcase_create("everywhere");
    TCase *tcase = tcase_create("rows");

    tcase_add_loop_test(everywhere, events, 0, FAKE_VARIANTS);
    tcase_add_loop_test(everywhere, creators, 0, FAKE_VARIANTS);
    tcase_add_loop_test(everywhere, others, 0, FAKE_VARIANTS);
    tcase_add_loop_test(everywhere, commands, 0, FAKE_VARIANTS);
    tcase_add_loop_test(everywhere, gone_objects, 0, FAKE_VARIANTS);
    tcase_add_loop_test(everywhere, errors, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, everywhere);

    tcase_add_checked_fixture(tcase, rows_set_up, rows_tear_down);
    tcase_add_test(tcase, queue_goes_on);
    tcase_add_test(tcase, queue_is_gone);
    tcase_add_test(tcase, queue_not_saved);
    tcase_add_test(tcase, words_that_cannot_be);
    tcase_add_test(tcase, torn_texts);
    tcase_add_test(tcase, not_built);
    tcase_add_test(tcase, older_recorder);
    tcase_add_test(tcase, command_is_over_with_its_event);
    tcase_add_test(tcase, parts_of_commands);
    tcase_add_test(tcase, wait_list_in_a_circle);
    tcase_add_test(tcase, no_commands);
    tcase_add_test(tcase, gone_lies);
    tcase_add_test(tcase, gone_being_written);
    tcase_add_test(tcase, without_order);
    tcase_add_test(tcase, nothing_kept);
    tcase_add_test(tcase, find_and_get);
    tcase_add_test(tcase, release_callbacks);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
