/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See model.h. */
#include <view/model/model.h>

#define COMMAND_USER 0x1204 /* CL_COMMAND_USER */

static struct view_pending_queue *queue_of(struct view_pending *pending, uint64_t handle)
{
    size_t i = 0;

    while (i < pending->count && pending->queues[i].handle != handle)
        i++;
    if (i == VIEW_PENDING_QUEUES)
        return NULL;
    if (i == pending->count) {
        pending->queues[i] = (struct view_pending_queue){.handle = handle, .first = UINT64_MAX};
        pending->count++;
    }
    return &pending->queues[i];
}

static void pending_row_add(struct view_pending *pending, const struct view_row *row)
{
    struct view_pending_queue *queue = queue_of(pending, view_row_number(row, "queue"));
    uint64_t number = view_row_number(row, "number");

    if (queue == NULL)
        return;
    queue->count++;
    if (number == 0 || number >= queue->first)
        return;
    queue->first = number;
    queue->first_id = view_row_id(row);
}

/* Whether ROW's event is set, or its command has finished. */
static bool pending_is_over(const struct view_row *row)
{
    uint64_t execution = view_row_number(row, "execution");

    return execution == ompd_cl_event_state_done || execution == ompd_cl_event_state_failed ||
           execution == ompd_cl_event_state_ended;
}

/* Find what the first command of QUEUE waits for. */
static void find_event(ompd_view_t *view, struct view_pending_queue *queue)
{
    struct view_object command;
    struct view_list list;
    struct view_row row;

    if (queue->first_id == 0 ||
        view_object_get(view, ompd_cl_kind_command, queue->first_id, &command) != ompd_rc_ok)
        return;
    if (view_row_number(&command.row, "wait_count") == 0)
        return;
    view_list_open_parts(&list, view, ompd_cl_kind_wait, &command.row);
    while (queue->event == 0 && view_list_next(&list, &row)) {
        uint64_t handle = view_row_number(&row, "event");
        struct view_object event;

        if (handle == 0 || !view_object_lookup(view, ompd_cl_kind_event, handle, &event) ||
            pending_is_over(&event.row))
            continue;
        queue->event = handle;
        queue->is_user = view_row_number(&event.row, "type") == COMMAND_USER;
    }
    view_list_close(&list);
}

void view_pending_find(struct view_pending *pending, ompd_view_t *view)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter),
                               .states = UINT64_C(1) << ompd_cl_svm_free_state_enqueued |
                                         UINT64_C(1) << ompd_cl_svm_free_state_running |
                                         UINT64_C(1) << ompd_cl_svm_free_state_left};
    struct view_list list;
    struct view_row row;

    pending->count = 0;
    view_list_open_optional(&list, view, ompd_cl_kind_command, &filter);
    while (view_list_next(&list, &row))
        pending_row_add(pending, &row);
    view_list_close(&list);
    for (size_t i = 0; i < pending->count; i++)
        find_event(view, &pending->queues[i]);
}

void view_pending_blocker_add(const struct view_pending_queue *queue, struct text *text)
{
    if (queue->event == 0)
        return;
    text_put(text, queue->is_user ? " behind user event " : " behind event ");
    text_put_hexadecimal(text, queue->event);
}

void view_pending_describe(const struct view_pending_queue *queue, struct text *text)
{
    count_add(text, queue->count, "command", NULL);
    text_put(text, queue->count == 1 ? " is pending" : " are pending");
    view_pending_blocker_add(queue, text);
}

const struct view_pending_queue *view_pending_get(const struct view_pending *pending,
                                                  uint64_t handle)
{
    for (size_t i = 0; i < pending->count; i++)
        if (pending->queues[i].handle == handle)
            return &pending->queues[i];
    return NULL;
}
