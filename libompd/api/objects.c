/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of rows of any kind, and questions about one object of any kind that has ids. */
#include "api/api.h"

#include "questions/findings/findings.h"
#include "questions/holders/holders.h"
#include "questions/leaks/leaks.h"
#include "questions/waits/waits.h"

static ompd_rc_t fail_unknown_kind(struct address_space *space)
{
    return address_space_fail(space, ompd_rc_bad_input, "there is no list of rows of this kind.");
}

static ompd_rc_t open_list_of_kind(struct address_space *space, ompd_cl_kind_t kind,
                                   const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    switch (kind) {
    case ompd_cl_kind_platform:
        return object_list_open(space, kind, NULL, list);
    case ompd_cl_kind_context:
    case ompd_cl_kind_queue:
    case ompd_cl_kind_memobj:
    case ompd_cl_kind_destructor:
    case ompd_cl_kind_svm:
    case ompd_cl_kind_svm_free:
    case ompd_cl_kind_event:
    case ompd_cl_kind_kernel:
    case ompd_cl_kind_program:
    case ompd_cl_kind_sampler:
    case ompd_cl_kind_embree_device:
    case ompd_cl_kind_embree_scene:
    case ompd_cl_kind_embree_geometry:
    case ompd_cl_kind_embree_buffer:
        return object_list_open(space, kind, filter, list);
    case ompd_cl_kind_command:
        return command_list_open(space, filter, list);
    case ompd_cl_kind_command_buffer:
    case ompd_cl_kind_semaphore:
        return buffer_list_open(space, kind, filter, list);
    case ompd_cl_kind_device:
        return device_list_open(space, list);
    case ompd_cl_kind_mapping:
        return mapping_list_open(space, filter, list);
    case ompd_cl_kind_destroyed:
        return gone_list_open(space, filter, list);
    case ompd_cl_kind_error:
        return error_list_open(space, list);
    case ompd_cl_kind_message:
        return message_list_open(space, filter, list);
    case ompd_cl_kind_ledger:
        return ledger_list_open(space, filter, list);
    case ompd_cl_kind_call:
        return call_list_open(space, list);
    case ompd_cl_kind_callback:
        return callback_list_open(space, filter, list);
    case ompd_cl_kind_thread:
        return thread_list_open(space, filter, list);
    case ompd_cl_kind_usage:
        return usage_list_open(space, list);
    case ompd_cl_kind_finding:
        return finding_list_open(space, list);
    case ompd_cl_kind_wait_step:
        return hop_list_open(space, list);
    case ompd_cl_kind_leak:
        return leak_list_open(space, filter, list);
    case ompd_cl_kind_runtime:
        return runtime_list_open(space, list);
    default:
        return fail_unknown_kind(space);
    }
}

/* Return the list OPENED to the tool if RC, the result of opening it, is ompd_rc_ok. Returns RC. */
static ompd_rc_t return_list(struct address_space *space, ompd_rc_t rc, ompd_cl_list_t opened,
                             ompd_cl_list_t *list)
{
    if (address_space_may_set_outputs(space, rc))
        *list = opened;
    else if (rc == ompd_rc_ok)
        list_close(space, opened);
    return rc;
}

PUBLIC ompd_rc_t ompd_cl_list_open(ompd_address_space_handle_t *handle, ompd_cl_kind_t kind,
                                   const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    struct address_space *space;
    ompd_cl_list_t opened = {0};
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    rc = open_list_of_kind(space, kind, filter, list == NULL ? NULL : &opened);
    return address_space_leave(space, return_list(space, rc, opened, list));
}

/* The one of the COUNT kinds KINDS that the id OBJECT belongs to; the last one if it belongs to
 * none. */
static uint32_t kind_among(const struct address_space *space, uint64_t object, const uint8_t *kinds,
                           size_t count)
{
    struct identifier identifier;
    size_t i = 0;

    if (!identifier_decode(object, space->salt, &identifier))
        return kinds[count - 1];
    while (i < count - 1 && kinds[i] != identifier.kind)
        i++;
    return kinds[i];
}

/* The kind of OBJECT, one of those with destructor callbacks. */
static uint32_t kind_of_owner(const struct address_space *space, uint64_t object)
{
    static const uint8_t kinds[] = {ompd_cl_kind_context, ompd_cl_kind_program,
                                    ompd_cl_kind_memobj};

    return kind_among(space, object, kinds, sizeof(kinds));
}

/* The kind of OBJECT, one of those that may wait for events. */
static uint32_t kind_of_waiter(const struct address_space *space, uint64_t object)
{
    static const uint8_t kinds[] = {ompd_cl_kind_command, ompd_cl_kind_svm_free};

    return kind_among(space, object, kinds, sizeof(kinds));
}

/* The kind of OBJECT, one of those with arguments. */
static uint32_t kind_of_runner(const struct address_space *space, uint64_t object)
{
    static const uint8_t kinds[] = {ompd_cl_kind_command, ompd_cl_kind_kernel};

    return kind_among(space, object, kinds, sizeof(kinds));
}

/* The kind of OBJECT, one of those that can be mapped. */
static uint32_t kind_of_mapped(const struct address_space *space, uint64_t object)
{
    static const uint8_t kinds[] = {ompd_cl_kind_svm, ompd_cl_kind_memobj};

    return kind_among(space, object, kinds, sizeof(kinds));
}

/* Open the list of the commands of OBJECT, one of those that have some. */
static ompd_rc_t open_command_list(struct address_space *space, uint64_t object,
                                   ompd_cl_list_t *list)
{
    static const uint8_t kinds[] = {ompd_cl_kind_command_buffer, ompd_cl_kind_semaphore,
                                    ompd_cl_kind_queue};
    uint32_t kind = kind_among(space, object, kinds, sizeof(kinds));

    return kind == ompd_cl_kind_queue ? command_list_open_of_queue(space, object, list)
                                      : operation_list_open(space, kind, object, list);
}

static ompd_rc_t open_list_of(struct address_space *space, ompd_cl_kind_t kind, uint64_t object,
                              ompd_cl_list_t *list)
{
    switch (kind) {
    case ompd_cl_kind_destructor:
        return object_chain_open(space, kind_of_owner(space, object), object, &destructor_chain,
                                 list);
    case ompd_cl_kind_svm_pointer:
        return object_chain_open(space, ompd_cl_kind_svm_free, object, &pointer_chain, list);
    case ompd_cl_kind_wait:
        return object_chain_open(space, kind_of_waiter(space, object), object, &wait_chain, list);
    case ompd_cl_kind_command:
        return open_command_list(space, object, list);
    case ompd_cl_kind_buffered_command:
        return object_chain_open(space, ompd_cl_kind_command_buffer, object, &buffered_chain, list);
    case ompd_cl_kind_argument:
        return argument_list_open(space, kind_of_runner(space, object), object, list);
    case ompd_cl_kind_access:
        return access_list_open(space, kind_of_runner(space, object), object, list);
    case ompd_cl_kind_mapping:
        return mapping_list_open_of(space, kind_of_mapped(space, object), object, list);
    case ompd_cl_kind_activity:
        return activity_list_open(space, object, list);
    case ompd_cl_kind_reference_site:
        return holder_list_open(space, object, list);
    case ompd_cl_kind_embree_geometry:
    case ompd_cl_kind_embree_buffer:
        return embree_part_list_open(space, kind, object, list);
    default:
        return fail_unknown_kind(space);
    }
}

PUBLIC ompd_rc_t ompd_cl_object_list_open(ompd_address_space_handle_t *handle, ompd_cl_kind_t kind,
                                          uint64_t object, ompd_cl_list_t *list)
{
    struct address_space *space;
    ompd_cl_list_t opened = {0};
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    rc = open_list_of(space, kind, object, list == NULL ? NULL : &opened);
    return address_space_leave(space, return_list(space, rc, opened, list));
}

PUBLIC ompd_rc_t ompd_cl_list_next(ompd_address_space_handle_t *handle, ompd_cl_list_t list,
                                   ompd_cl_kind_t kind, ompd_size_t capacity, void *rows,
                                   ompd_size_t *count, ompd_size_t *unreadable)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(space,
                               list_next(space, list, kind, capacity, rows, count, unreadable));
}

PUBLIC ompd_rc_t ompd_cl_list_close(ompd_address_space_handle_t *handle, ompd_cl_list_t list)
{
    struct address_space *space;
    ompd_rc_t rc;

    /* The message of a walk that ended early must stay available. */
    rc = address_space_enter_again(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(space, list_close(space, list));
}

static bool has_ids(ompd_cl_kind_t kind)
{
    switch (kind) {
    case ompd_cl_kind_context:
    case ompd_cl_kind_queue:
    case ompd_cl_kind_memobj:
    case ompd_cl_kind_svm:
    case ompd_cl_kind_svm_free:
    case ompd_cl_kind_command:
    case ompd_cl_kind_event:
    case ompd_cl_kind_kernel:
    case ompd_cl_kind_program:
    case ompd_cl_kind_sampler:
    case ompd_cl_kind_thread:
    case ompd_cl_kind_command_buffer:
    case ompd_cl_kind_semaphore:
    case ompd_cl_kind_embree_device:
    case ompd_cl_kind_embree_scene:
    case ompd_cl_kind_embree_geometry:
    case ompd_cl_kind_embree_buffer:
        return true;
    default:
        return false;
    }
}

static ompd_rc_t fail_without_ids(struct address_space *space)
{
    return address_space_fail(space, ompd_rc_bad_input, "rows of this kind have no ids.");
}

static ompd_rc_t find_object(struct address_space *space, ompd_cl_kind_t kind, uint64_t value,
                             uint64_t *id)
{
    if (!has_ids(kind) || kind == ompd_cl_kind_svm_free || kind == ompd_cl_kind_command)
        return address_space_fail(space, ompd_rc_bad_input,
                                  "rows of this kind cannot be found by a handle.");
    if (kind == ompd_cl_kind_thread)
        return thread_find_by_lwp(space, value, id);
    return object_find(space, kind, value, id);
}

PUBLIC ompd_rc_t ompd_cl_object_find(ompd_address_space_handle_t *handle, ompd_cl_kind_t kind,
                                     uint64_t value, uint64_t *id)
{
    struct address_space *space;
    uint64_t found = 0;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    rc = find_object(space, kind, value, id == NULL ? NULL : &found);
    if (address_space_may_set_outputs(space, rc))
        *id = found;
    return address_space_leave(space, rc);
}

PUBLIC ompd_rc_t ompd_cl_object_get(ompd_address_space_handle_t *handle, ompd_cl_kind_t kind,
                                    uint64_t id, void *info)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(space, has_ids(kind) ? object_get(space, kind, id, info)
                                                    : fail_without_ids(space));
}
