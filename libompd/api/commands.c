/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "api/commands.h"

#include "lists/list.h"
#include "lists/object.h"
#include "session/sources.h"

/* See that there is a recorder that has TABLE; return ompd_rc_unavailable with a sentence where
 * there is not: NONE when no recorder is there, OLDER when it is too old. */
static ompd_rc_t table_need(struct address_space *space, uint32_t table, const char *none,
                            const char *older)
{
    ompd_rc_t rc = sources_open_recorder(space);

    /* Where layouts tell nothing either, the reason for that is the better answer. */
    if (rc == ompd_rc_unavailable && space->layouts != NULL && sources_open(space) == ompd_rc_ok)
        return address_space_fail(space, rc, none);
    if (rc == ompd_rc_ok && space->registry.tables[table].record_size == 0)
        return address_space_fail(space, ompd_rc_unavailable, older);
    return rc;
}

static ompd_rc_t commands_need(struct address_space *space)
{
    ompd_rc_t rc = table_need(space, ompd_cl_registry_command,
                              "only the recorder knows commands, and there is none in this "
                              "process: run the program under it.",
                              "the recorder in this process is older than registry version 1.3 and "
                              "keeps no commands.");

    if (rc == ompd_rc_ok && (space->registry.switches & OMPD_CL_REGISTRY_KEEPS_COMMANDS) == 0)
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the recorder keeps no commands: OMPD_OPENCL_HISTORY was 0 when "
                                  "the process began.");
    return rc;
}

ompd_rc_t command_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                            ompd_cl_list_t *list)
{
    ompd_rc_t rc = commands_need(space);

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_command, filter, list);
}

ompd_rc_t command_list_open_of_queue(struct address_space *space, uint64_t queue,
                                     ompd_cl_list_t *list)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter)};
    ompd_cl_queue_info_t info = {.struct_size = sizeof(info)};
    ompd_rc_t rc = commands_need(space);

    if (rc == ompd_rc_ok)
        rc = object_get(space, ompd_cl_kind_queue, queue, &info);
    if (rc == ompd_rc_incomplete && info.handle.status != ompd_cl_status_value)
        return ompd_rc_device_read_error;
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    filter.queue = info.handle.value;
    return command_list_open(space, &filter, list);
}

ompd_rc_t device_list_open(struct address_space *space, ompd_cl_list_t *list)
{
    ompd_rc_t rc =
        table_need(space, ompd_cl_registry_device,
                   "only the recorder knows platforms and devices, and there is none in this "
                   "process: run the program under it.",
                   "the recorder in this process is older than registry version 1.3 and "
                   "keeps no devices.");

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_device, NULL, list);
}

/* See that there is a recorder that keeps the records of TABLE, which is of rings. */
static ompd_rc_t ring_need(struct address_space *space, uint32_t table)
{
    ompd_rc_t rc =
        table_need(space, table,
                   "only the recorder knows what is gone and what has failed, and there is none in "
                   "this process: run the program under it.",
                   "the recorder in this process is older than registry version 1.4 and "
                   "keeps nothing of what is gone or has failed.");

    if (rc == ompd_rc_ok && space->registry.tables[table].chunk_count == 0)
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the recorder keeps nothing of what is gone or has failed: "
                                  "OMPD_OPENCL_HISTORY was 0 when the process began, or there was "
                                  "no memory.");
    return rc;
}

ompd_rc_t gone_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                         ompd_cl_list_t *list)
{
    ompd_rc_t rc = ring_need(space, ompd_cl_registry_gone);

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_gone, filter, list);
}

ompd_rc_t error_list_open(struct address_space *space, ompd_cl_list_t *list)
{
    ompd_rc_t rc = ring_need(space, ompd_cl_registry_error);

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_error, NULL, list);
}
