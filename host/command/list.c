/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See list.h. */
#include <host/command/list.h>

#include <host/command/gaps.h>
#include <host/command/size.h>
#include <stdlib.h>
#include <string.h>

/* Rows that are asked for at once: of all objects, and of what belongs to one. */
#define BATCH 256
#define SMALL_BATCH 16

static uint64_t unsaved_reads(const struct command_session *session)
{
    ompd_host_target_info_t info = {.struct_size = sizeof(info)};

    ompd_host_target_get(session->target, &info);
    return info.unsaved_reads;
}

static ompd_rc_t open_all(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                          const ompd_cl_filter_t *filter, ompd_cl_list_t *number)
{
    switch (kind) {
    case ompd_cl_kind_platform:
        return ompd_cl_platform_list_open(space, number);
    case ompd_cl_kind_context:
        return ompd_cl_context_list_open(space, filter, number);
    case ompd_cl_kind_queue:
        return ompd_cl_queue_list_open(space, filter, number);
    case ompd_cl_kind_memobj:
        return ompd_cl_memobj_list_open(space, filter, number);
    case ompd_cl_kind_destructor:
        return ompd_cl_destructor_list_open(space, filter, number);
    case ompd_cl_kind_svm:
        return ompd_cl_svm_list_open(space, filter, number);
    case ompd_cl_kind_svm_free:
        return ompd_cl_svm_free_list_open(space, filter, number);
    case ompd_cl_kind_thread:
        return ompd_cl_thread_list_open(space, filter, number);
    case ompd_cl_kind_usage:
        return ompd_cl_usage_list_open(space, number);
    case ompd_cl_kind_runtime:
        return ompd_cl_runtime_list_open(space, number);
    default:
        return ompd_rc_unsupported;
    }
}

static ompd_rc_t open_parts(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                            const struct command_row *owner, ompd_cl_list_t *number)
{
    uint64_t id = command_row_id(owner);

    switch (kind) {
    case ompd_cl_kind_destructor:
        if (owner->kind->number == ompd_cl_kind_context)
            return ompd_cl_context_destructor_list_open(space, (ompd_cl_context_id_t){id}, number);
        return ompd_cl_memobj_destructor_list_open(space, (ompd_cl_memobj_id_t){id}, number);
    case ompd_cl_kind_svm_pointer:
        return ompd_cl_svm_pointer_list_open(space, (ompd_cl_svm_free_id_t){id}, number);
    case ompd_cl_kind_wait:
        return ompd_cl_wait_list_open(space, (ompd_cl_svm_free_id_t){id}, number);
    case ompd_cl_kind_activity:
        return ompd_cl_activity_list_open(space, (ompd_cl_thread_id_t){id}, number);
    default:
        return ompd_rc_unsupported;
    }
}

/* Have the library write the next rows. */
static ompd_rc_t fetch_rows(struct command_list *list, ompd_size_t *count, ompd_size_t *unreadable)
{
    ompd_address_space_handle_t *space = list->session->space;
    ompd_cl_list_t number = list->number;
    size_t capacity = list->capacity;
    void *rows = list->buffer;

    switch (list->kind->number) {
    case ompd_cl_kind_platform:
        return ompd_cl_platform_list_next(space, number, capacity, rows, count, unreadable);
    case ompd_cl_kind_context:
        return ompd_cl_context_list_next(space, number, capacity, rows, count, unreadable);
    case ompd_cl_kind_queue:
        return ompd_cl_queue_list_next(space, number, capacity, rows, count, unreadable);
    case ompd_cl_kind_memobj:
        return ompd_cl_memobj_list_next(space, number, capacity, rows, count, unreadable);
    case ompd_cl_kind_destructor:
        return ompd_cl_destructor_list_next(space, number, capacity, rows, count, unreadable);
    case ompd_cl_kind_svm:
        return ompd_cl_svm_list_next(space, number, capacity, rows, count, unreadable);
    case ompd_cl_kind_svm_free:
        return ompd_cl_svm_free_list_next(space, number, capacity, rows, count, unreadable);
    case ompd_cl_kind_svm_pointer:
        return ompd_cl_svm_pointer_list_next(space, number, capacity, rows, count, unreadable);
    case ompd_cl_kind_wait:
        return ompd_cl_wait_list_next(space, number, capacity, rows, count, unreadable);
    case ompd_cl_kind_thread:
        return ompd_cl_thread_list_next(space, number, capacity, rows, count, unreadable);
    case ompd_cl_kind_activity:
        return ompd_cl_activity_list_next(space, number, capacity, rows, count, unreadable);
    case ompd_cl_kind_usage:
        return ompd_cl_usage_list_next(space, number, capacity, rows, count, unreadable);
    case ompd_cl_kind_runtime:
        return ompd_cl_runtime_list_next(space, number, capacity, rows, count, unreadable);
    default:
        return ompd_rc_unsupported;
    }
}

static void list_begin(struct command_list *list, struct command_session *session,
                       ompd_cl_kind_t kind, bool is_long)
{
    *list = (struct command_list){
        .session = session,
        .kind = command_kind_get(kind),
        .capacity = is_long ? BATCH : SMALL_BATCH,
        .is_told = is_long,
        .unsaved_reads = unsaved_reads(session),
    };
}

static void list_opened(struct command_list *list, ompd_rc_t rc)
{
    list->is_open = rc == ompd_rc_ok || rc == ompd_rc_incomplete;
    if (list->is_open)
        list->buffer = command_memory_get(list->capacity * list->kind->size);
    else
        list->rc = rc;
}

void command_list_open_optional(struct command_list *list, struct command_session *session,
                                ompd_cl_kind_t kind, const ompd_cl_filter_t *filter)
{
    ompd_rc_t rc;

    list_begin(list, session, kind, true);
    rc = open_all(session->space, kind, filter, &list->number);
    if (rc != ompd_rc_unavailable)
        command_session_check(session, rc);
    list_opened(list, rc);
}

void command_list_open(struct command_list *list, struct command_session *session,
                       ompd_cl_kind_t kind, const ompd_cl_filter_t *filter)
{
    command_list_open_optional(list, session, kind, filter);
    if (list->rc == ompd_rc_unavailable)
        command_session_check(session, list->rc);
}

void command_list_open_parts(struct command_list *list, struct command_session *session,
                             ompd_cl_kind_t kind, const struct command_row *owner)
{
    ompd_rc_t rc;

    list_begin(list, session, kind, false);
    rc = open_parts(session->space, kind, owner, &list->number);
    command_session_check(session, rc);
    list_opened(list, rc);
}

/* Tell how many rows there were so far, unless they are seen. */
static void tell(const struct command_list *list)
{
    struct command_session *session = list->session;

    if (list->is_told &&
        (list->total > session->options.limit || !command_session_is_on_terminal(session)))
        command_session_tell(session, list->kind->noun.plural, list->total, 0);
}

/* Fill the buffer; tells whether there are rows. */
static bool fetch(struct command_list *list)
{
    ompd_size_t count = 0;
    ompd_size_t unreadable = list->unreadable;
    ompd_rc_t rc;

    list->count = list->position = 0;
    if (!list->is_open)
        return false;
    memcpy(list->buffer, &list->kind->size, sizeof(list->kind->size));
    rc = fetch_rows(list, &count, &unreadable);
    if (!command_session_check(list->session, rc))
        list->rc = rc;
    list->count = count;
    list->total += count;
    list->unreadable = unreadable;
    tell(list);
    if (count != 0)
        return true;
    list->is_unknown = rc == ompd_rc_incomplete && list->total == 0 && list->unreadable == 0;
    if (list->is_told)
        command_gaps_take(list->session);
    list->has_gaps = list->is_told && list->session->gaps.length != 0;
    list->is_short = list->has_gaps && rc == ompd_rc_incomplete;
    command_list_close(list);
    return false;
}

bool command_list_next(struct command_list *list, struct command_row *row)
{
    if (list->position == list->count && !fetch(list))
        return false;
    row->kind = list->kind;
    row->bytes = list->buffer + list->position * list->kind->size;
    list->position++;
    return true;
}

void command_list_close(struct command_list *list)
{
    if (list->is_open)
        ompd_cl_list_close(list->session->space, list->number);
    if (list->is_told)
        command_progress_end(&list->session->progress);
    list->is_open = false;
    list->count = list->position = 0;
    free(list->buffer);
    list->buffer = NULL;
}

void command_list_describe_unreadable(const struct command_list *list, struct command_text *text)
{
    command_count_add(text, list->unreadable, "more row", NULL);
    command_text_add(text, " could not be read");
    if (unsaved_reads(list->session) > list->unsaved_reads)
        command_text_add(text, ": not saved in the core");
    command_text_add(text, ".");
}

ompd_rc_t command_object_get(struct command_session *session, ompd_cl_kind_t kind, uint64_t id,
                             struct command_object *object)
{
    ompd_address_space_handle_t *space = session->space;
    void *bytes = object->bytes;

    object->row.kind = command_kind_get(kind);
    object->row.bytes = bytes;
    if (object->row.kind->size > sizeof(object->bytes))
        return ompd_rc_unsupported;
    memcpy(bytes, &object->row.kind->size, sizeof(object->row.kind->size));
    switch (kind) {
    case ompd_cl_kind_context:
        return ompd_cl_context_get(space, (ompd_cl_context_id_t){id}, bytes);
    case ompd_cl_kind_queue:
        return ompd_cl_queue_get(space, (ompd_cl_queue_id_t){id}, bytes);
    case ompd_cl_kind_memobj:
        return ompd_cl_memobj_get(space, (ompd_cl_memobj_id_t){id}, bytes);
    case ompd_cl_kind_svm:
        return ompd_cl_svm_get(space, (ompd_cl_svm_id_t){id}, bytes);
    case ompd_cl_kind_svm_free:
        return ompd_cl_svm_free_get(space, (ompd_cl_svm_free_id_t){id}, bytes);
    default:
        return ompd_rc_unsupported;
    }
}

ompd_rc_t command_object_find(struct command_session *session, ompd_cl_kind_t kind, uint64_t handle,
                              uint64_t *id)
{
    ompd_address_space_handle_t *space = session->space;
    ompd_cl_context_id_t context = {0};
    ompd_cl_queue_id_t queue = {0};
    ompd_cl_memobj_id_t memobj = {0};
    ompd_cl_svm_id_t svm = {0};
    ompd_rc_t rc;

    switch (kind) {
    case ompd_cl_kind_context:
        rc = ompd_cl_context_find(space, handle, &context);
        break;
    case ompd_cl_kind_queue:
        rc = ompd_cl_queue_find(space, handle, &queue);
        break;
    case ompd_cl_kind_memobj:
        rc = ompd_cl_memobj_find(space, handle, &memobj);
        break;
    case ompd_cl_kind_svm:
        rc = ompd_cl_svm_find(space, handle, &svm);
        break;
    default:
        rc = ompd_rc_unsupported;
        break;
    }
    *id = context.id | queue.id | memobj.id | svm.id; /* one of them was asked for */
    return rc;
}
