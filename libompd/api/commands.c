/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands, devices, destroyed objects, errors, the ledger, calls, command buffers, semaphores and
 * messages: what only newer recorders know. */
#include "api/api.h"

/* Require a recorder with TABLE. Otherwise return ompd_rc_unavailable with the message NONE if
 * there is no recorder, or OLDER if it is too old. */
static ompd_rc_t require_table(struct address_space *space, uint32_t table, const char *none,
                               const char *older)
{
    ompd_rc_t rc = recorder_source_open(space);

    /* If layouts show nothing either, their reason is the better answer. */
    if (rc == ompd_rc_unavailable && space->layouts != NULL && sources_open(space) == ompd_rc_ok)
        return address_space_fail(space, rc, none);
    if (rc == ompd_rc_ok && space->recorder->registry.tables[table].record_size == 0)
        return address_space_fail(space, ompd_rc_unavailable, older);
    return rc;
}

static ompd_rc_t require_commands(struct address_space *space)
{
    ompd_rc_t rc = require_table(
        space, ompd_cl_registry_command,
        "only the recorder knows commands, and it is not in this process; run the program under "
        "the recorder.",
        "the recorder in this process is older than registry version 1.3 and records no commands.");

    if (rc == ompd_rc_ok &&
        (space->recorder->registry.switches & OMPD_CL_REGISTRY_KEEPS_COMMANDS) == 0)
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the recorder records no commands, because OMPD_OPENCL_HISTORY "
                                  "was 0 when the process started.");
    return rc;
}

static ompd_rc_t require_mappings(struct address_space *space)
{
    return require_table(
        space, ompd_cl_registry_mapping,
        "only the recorder knows mappings, and it is not in this process; run the program under "
        "the recorder.",
        "the recorder in this process is older than registry version 1.17 and records no "
        "mappings.");
}

ompd_rc_t mapping_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                            ompd_cl_list_t *list)
{
    ompd_rc_t rc = require_mappings(space);

    return rc == ompd_rc_ok ? object_list_open(space, ompd_cl_kind_mapping, filter, list) : rc;
}

ompd_rc_t mapping_list_open_of(struct address_space *space, uint32_t kind, uint64_t object,
                               ompd_cl_list_t *list)
{
    static const struct object_chain shape = {
        .link_kind = ompd_cl_kind_mapping,
        .first = ompd_cl_registry_field_mappings,
        .count = ompd_cl_registry_field_map_count,
    };
    const struct registry *registry = &space->recorder->registry;
    struct identifier identifier;
    struct list_chain chain;
    const uint8_t *record;
    ompd_rc_t rc = object_open(space, kind, object, shape.link_kind, list, &identifier, &record);

    if (rc != ompd_rc_ok || record == NULL)
        return rc;
    object_chain_read(registry, &registry->tables[record_decoder_table(kind)], record, identifier,
                      &shape, &chain);
    /* The recorder counts more mappings than it records. */
    chain.slack = chain.count;
    return list_open_chain(space, shape.link_kind, &chain, list);
}

ompd_rc_t command_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                            ompd_cl_list_t *list)
{
    ompd_rc_t rc = require_commands(space);

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
    ompd_cl_queue_info_t info = {.head.struct_size = sizeof(info)};
    ompd_rc_t rc = require_commands(space);

    if (rc == ompd_rc_ok)
        rc = object_get(space, ompd_cl_kind_queue, queue, &info);
    if (rc == ompd_rc_incomplete && info.head.handle.status != ompd_cl_status_value)
        return ompd_rc_device_read_error;
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    filter.queue = info.head.handle.value;
    return command_list_open(space, &filter, list);
}

ompd_rc_t device_list_open(struct address_space *space, ompd_cl_list_t *list)
{
    ompd_rc_t rc = require_table(
        space, ompd_cl_registry_device,
        "only the recorder knows platforms and devices, and it is not in this process; run the "
        "program under the recorder.",
        "the recorder in this process is older than registry version 1.3 and records no devices.");

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_device, NULL, list);
}

/* Require a recorder with records in the ring TABLE. */
static ompd_rc_t require_ring(struct address_space *space, uint32_t table)
{
    ompd_rc_t rc =
        require_table(space, table,
                      "only the recorder knows destroyed objects and failed calls, and it "
                      "is not in this process; run the program under the recorder.",
                      "the recorder in this process is older than registry version 1.4 and "
                      "records no destroyed objects or failed calls.");

    if (rc == ompd_rc_ok && space->recorder->registry.tables[table].chunk_count == 0)
        return address_space_fail(
            space, ompd_rc_unavailable,
            "the recorder records no destroyed objects or failed calls, because "
            "OMPD_OPENCL_HISTORY was 0 when the process started or memory ran out.");
    return rc;
}

ompd_rc_t gone_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                         ompd_cl_list_t *list)
{
    ompd_rc_t rc = require_ring(space, ompd_cl_registry_gone);

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_destroyed, filter, list);
}

ompd_rc_t error_list_open(struct address_space *space, ompd_cl_list_t *list)
{
    ompd_rc_t rc = require_ring(space, ompd_cl_registry_error);

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_error, NULL, list);
}

ompd_rc_t message_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                            ompd_cl_list_t *list)
{
    ompd_rc_t rc = require_table(
        space, ompd_cl_registry_message,
        "only the recorder knows messages of runtimes, and it is not in this process; run the "
        "program under the recorder.",
        "the recorder in this process is older than registry version 1.17 and records no "
        "messages of runtimes.");

    if (rc == ompd_rc_ok &&
        space->recorder->registry.tables[ompd_cl_registry_message].chunk_count == 0)
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the recorder records no messages of runtimes, because "
                                  "OMPD_OPENCL_HISTORY was 0 when the process started or memory "
                                  "ran out.");
    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_message, filter, list);
}

/* The tables whose objects have a ledger, as bits of the root's switches, among the kinds of
 * FILTER; all if it names none. */
static uint32_t ledger_switches(const ompd_cl_filter_t *filter)
{
    const ompd_size_t least = offsetof(ompd_cl_filter_t, kinds) + sizeof(filter->kinds);
    uint64_t kinds = filter != NULL && filter->struct_size >= least ? filter->kinds : 0;
    uint32_t switches = 0;

    for (uint32_t kind = 0; kind <= ompd_cl_kind_sampler; kind++) {
        uint32_t table = record_decoder_table(kind);

        if (table != 0 && table <= ompd_cl_registry_event &&
            (kinds == 0 || (kinds >> kind & 1) != 0))
            switches |= OMPD_CL_REGISTRY_KEEPS_LEDGER(table);
    }
    return switches;
}

static ompd_rc_t require_ledger(struct address_space *space, const ompd_cl_filter_t *filter)
{
    uint32_t wanted = ledger_switches(filter);
    uint32_t kept;
    ompd_rc_t rc = require_table(
        space, ompd_cl_registry_ledger,
        "only the recorder knows who retained and released an object, and it is not in this "
        "process; run the program under the recorder with OMPD_OPENCL_LEDGER=1 in its environment.",
        "the recorder in this process is older than registry version 1.5 and "
        "keeps no ledger.");

    if (rc != ompd_rc_ok)
        return rc;
    kept = space->recorder->registry.switches & ledger_switches(NULL);
    if (kept == 0)
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the recorder keeps no ledger; run the program again with "
                                  "OMPD_OPENCL_LEDGER=1 in its environment.");
    /* Kinds without such objects have no ledger to record. */
    if (wanted != 0 && (kept & wanted) == 0)
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the recorder keeps no ledger of objects of this kind, because "
                                  "OMPD_OPENCL_LEDGER named other kinds when the process started.");
    if (space->recorder->registry.tables[ompd_cl_registry_ledger].chunk_count == 0)
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the recorder keeps no ledger, because memory ran out.");
    return ompd_rc_ok;
}

ompd_rc_t ledger_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                           ompd_cl_list_t *list)
{
    ompd_rc_t rc = require_ledger(space, filter);

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_ledger, filter, list);
}

ompd_rc_t call_list_open(struct address_space *space, ompd_cl_list_t *list)
{
    ompd_rc_t rc = require_table(
        space, ompd_cl_registry_call,
        "only the recorder knows calls that have returned, and it is not in this process; run the "
        "program under the recorder with OMPD_OPENCL_CALLS=256 in its environment.",
        "the recorder in this process is older than registry version 1.5 and records no calls.");

    if (rc == ompd_rc_ok &&
        (space->recorder->registry.switches & OMPD_CL_REGISTRY_KEEPS_CALLS) == 0)
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the recorder records no calls; run the program again with "
                                  "OMPD_OPENCL_CALLS=256 in its environment.");
    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_call, NULL, list);
}

ompd_rc_t callback_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                             ompd_cl_list_t *list)
{
    ompd_rc_t rc =
        require_table(space, ompd_cl_registry_notification,
                      "only the recorder knows callbacks of events and builds, and it is "
                      "not in this process; run the program under the recorder.",
                      "the recorder in this process is older than registry version 1.6 and "
                      "records no callbacks of events and builds.");

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_callback, filter, list);
}

ompd_rc_t buffer_list_open(struct address_space *space, uint32_t kind,
                           const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    ompd_rc_t rc = require_table(
        space, record_decoder_table(kind),
        "only the recorder knows command buffers and semaphores, and it is not in this process; "
        "run the program under the recorder.",
        "the recorder in this process is older than registry version 1.17 and records no command "
        "buffers and no semaphores.");

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, kind, filter, list);
}
