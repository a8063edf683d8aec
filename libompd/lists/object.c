/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lists/object.h"
#include "layout/layout.h"
#include "lists/object-list.h"
#include "lists/recorded-row.h"
#include "session/layout-source.h"

#include "lists/inventory-object.h"
#include "lists/list-chain.h"
#include "lists/presence.h"
#include "lists/queue-frees.h"
#include "lists/thread-list.h"
#include "registry/evidence.h"
#include "registry/record-lookup.h"
#include "rows/command-completion.h"
#include "rows/layout-completion.h"
#include "rows/recorder-rows.h"
#include "rows/row.h"
#include "session/address-space-table.h"
#include "session/recorder-source.h"
#include "session/sources.h"

ompd_rc_t object_list_open(struct address_space *space, uint32_t kind,
                           const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    ompd_rc_t rc = sources_open(space);

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, kind, filter, list);
}

/* Find what VALUE names in the registry. */
static ompd_rc_t find_recorded(struct address_space *space, uint32_t kind, uint64_t value,
                               uint64_t *id)
{
    struct identifier found = {.kind = kind};
    ompd_rc_t rc = record_find(&space->recorder->registry, record_decoder_table(kind), value,
                               &found.index, &found.generation);

    if (rc == ompd_rc_ok)
        *id = identifier_encode(found, space->salt);
    if (rc == ompd_rc_incomplete)
        *id = 0;
    if (rc == ompd_rc_unavailable)
        return address_space_fail(space, rc, "the recorder knows no such object.");
    return address_space_explain(space, rc);
}

/* Find what VALUE names, and the recorder does not know, by layouts. */
static ompd_rc_t find_unrecorded(struct address_space *space, uint32_t kind, uint64_t value,
                                 uint64_t *id)
{
    bool has_layouts;
    ompd_rc_t found = sources_find_layouts(space, &has_layouts);
    ompd_rc_t rc = ompd_rc_unavailable;

    if (has_layouts)
        rc = inventory_object_find(space, kind, value, id);
    if (rc != ompd_rc_unavailable || found == ompd_rc_ok)
        return rc;
    if (found == ompd_rc_incomplete)
        *id = 0;
    return address_space_explain(space, found);
}

static ompd_rc_t refuse_id(struct address_space *space)
{
    return address_space_fail(
        space, ompd_rc_bad_input,
        "the id was not given out for this kind of object and address space.");
}

static ompd_rc_t refuse_gone(struct address_space *space)
{
    return address_space_fail(space, ompd_rc_stale_handle, "the object is gone.");
}

/* Look at the record of ID; it stays while other memory is read. */
static ompd_rc_t view_object(struct address_space *space, uint32_t kind, uint64_t id,
                             struct identifier *identifier, const uint8_t **record)
{
    struct registry *registry = &space->recorder->registry;
    struct registry_table *table = &registry->tables[record_decoder_table(kind)];
    uint64_t generation;
    ompd_rc_t rc;

    if (!identifier_decode(id, space->salt, identifier) || identifier->kind != kind ||
        identifier->handle != 0)
        return refuse_id(space);
    rc = registry_record_view(registry, table, identifier->index, record);
    if (rc == ompd_rc_unavailable)
        return refuse_id(space);
    if (rc != ompd_rc_ok)
        return rc;
    generation = registry_get(registry, table, *record, ompd_cl_registry_field_generation);
    if (identifier->generation > generation)
        return refuse_id(space);
    if (identifier->generation < generation || registry_is_free(registry, table, *record))
        return refuse_gone(space);
    *record = recorder_source_keep(space, table, *record);
    return ompd_rc_ok;
}

/* Begin a question about object ID of KIND.  *IDENTIFIER tells by its handle when it is of what a
 * layout shows; else the registry is open: where there is none and never was, only layouts can have
 * given out ids. */
static ompd_rc_t begin(struct address_space *space, uint32_t kind, uint64_t id,
                       struct identifier *identifier)
{
    ompd_rc_t rc;

    if ((space->layouts != NULL || kind == ompd_cl_kind_thread) &&
        identifier_decode(id, space->salt, identifier) && identifier->handle != 0)
        return identifier->kind == kind ? ompd_rc_ok : refuse_id(space);
    *identifier = (struct identifier){0};
    rc = recorder_source_open(space);
    if (rc == ompd_rc_unavailable && space->layouts != NULL && space->recorder->root == 0)
        return refuse_id(space);
    return rc;
}

/* As row_settle, but what an earlier call could not count is counted again. */
static ompd_rc_t settle(struct address_space *space, uint32_t kind, union row *row)
{
    ompd_rc_t rc = kind == ompd_cl_kind_queue ? queue_frees_count(space) : ompd_rc_ok;

    return rc_is_final(rc) ? rc : row_settle(space, kind, row);
}

/* Make the row of object ID from its record. */
static ompd_rc_t get_recorded(struct address_space *space, uint32_t kind, uint64_t id,
                              union row *row)
{
    struct identifier identifier;
    enum presence presence;
    const uint8_t *record;
    bool has_layouts;
    ompd_rc_t completed;
    ompd_rc_t settled;
    ompd_rc_t rc;

    rc = view_object(space, kind, id, &identifier, &record);
    if (rc == ompd_rc_incomplete)
        blank_fill(kind, row, ompd_cl_source_recorder, space->target.failure);
    if (rc != ompd_rc_ok)
        return rc;
    rc = row_fill(space, kind, record, identifier.index, row);
    if (rc == ompd_rc_incomplete) {
        settled = settle(space, kind, row);
        return rc_is_final(settled) ? settled : rc;
    }
    if (rc != ompd_rc_ok)
        return rc;
    rc = sources_find_layouts(space, &has_layouts);
    if (has_layouts && presence_is_open(kind, row)) {
        completed = presence_settle(space, kind, record, row, &presence);
        if (completed == ompd_rc_ok && presence == presence_gone)
            return refuse_gone(space);
        if (completed != ompd_rc_ok)
            return completed;
    }
    completed = has_layouts ? layout_row_complete(space, kind, row) : ompd_rc_ok;
    if (!rc_is_final(completed)) {
        settled = settle(space, kind, row);
        if (completed == ompd_rc_ok || rc_is_final(settled))
            completed = settled;
    }
    return completed == ompd_rc_ok ? rc : completed;
}

/* Tell whether object ID, which was found in the registry, is there: ompd_rc_unavailable when it is
 * not. */
static ompd_rc_t check_presence(struct address_space *space, uint32_t kind, uint64_t id)
{
    const struct registry_table *table =
        &space->recorder->registry.tables[record_decoder_table(kind)];
    struct identifier identifier;
    const uint8_t *record;
    union row row;
    ompd_rc_t rc = view_object(space, kind, id, &identifier, &record);

    if (rc == ompd_rc_ok && !evidence_is_presumed(&space->recorder->registry, table, record))
        return ompd_rc_ok;
    rc = get_recorded(space, kind, id, &row);
    if (rc == ompd_rc_stale_handle)
        return address_space_fail(space, ompd_rc_unavailable, "the object is gone.");
    return rc_is_final(rc) ? address_space_explain(space, rc) : ompd_rc_ok;
}

ompd_rc_t object_find(struct address_space *space, uint32_t kind, uint64_t value, uint64_t *id)
{
    ompd_rc_t rc = sources_open(space);

    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the id");
    if (address_space_has_recorder(space)) {
        rc = find_recorded(space, kind, value, id);
        if (rc == ompd_rc_ok)
            rc = check_presence(space, kind, *id);
        if (rc != ompd_rc_unavailable)
            return rc;
    }
    return find_unrecorded(space, kind, value, id);
}

ompd_rc_t object_get(struct address_space *space, uint32_t kind, uint64_t id, void *info)
{
    struct identifier identifier;
    ompd_size_t struct_size;
    union row row;
    ompd_rc_t rc;

    rc = begin(space, kind, id, &identifier);
    if (rc != ompd_rc_ok)
        return rc;
    if (kind == ompd_cl_kind_command)
        command_completion_retry(space);
    rc = row_check(space, kind, info, &struct_size);
    if (rc != ompd_rc_ok)
        return rc;
    if (identifier.handle != 0 && kind == ompd_cl_kind_thread)
        rc = found_thread_get(space, identifier, &row.thread);
    else if (identifier.handle != 0)
        rc = inventory_object_get(space, identifier, &row);
    else
        rc = get_recorded(space, kind, id, &row);
    if (address_space_answers(space, rc))
        row_give(kind, &row, info, struct_size);
    return address_space_explain(space, rc);
}

/* The same for a question that has no answer without the record. */
static ompd_rc_t view_needed(struct address_space *space, uint32_t kind, uint64_t id,
                             struct identifier *identifier, const uint8_t **record)
{
    ompd_rc_t rc = view_object(space, kind, id, identifier, record);

    address_space_explain(space, rc);
    return rc == ompd_rc_incomplete ? ompd_rc_device_read_error : rc;
}

ompd_rc_t object_view(struct address_space *space, uint32_t kind, uint64_t id,
                      struct identifier *identifier, const uint8_t **record)
{
    ompd_rc_t rc = recorder_source_read(space);

    return rc == ompd_rc_ok ? view_needed(space, kind, id, identifier, record) : rc;
}

ompd_rc_t object_open(struct address_space *space, uint32_t kind, uint64_t id, uint32_t link_kind,
                      ompd_cl_list_t *list, struct identifier *identifier, const uint8_t **record)
{
    ompd_rc_t rc = begin(space, kind, id, identifier);

    *record = NULL;
    if (rc == ompd_rc_ok && list == NULL)
        return address_space_refuse_null(space, "the list");
    if (rc == ompd_rc_ok && identifier->handle != 0)
        return inventory_object_open(space, *identifier, link_kind, list);
    return rc == ompd_rc_ok ? view_needed(space, kind, id, identifier, record) : rc;
}

ompd_rc_t object_chain_open(struct address_space *space, uint32_t kind, uint64_t id,
                            const struct object_chain *chain, ompd_cl_list_t *list)
{
    struct identifier identifier;
    struct list_chain links;
    const uint8_t *record;
    ompd_rc_t rc = object_open(space, kind, id, chain->link_kind, list, &identifier, &record);

    if (rc != ompd_rc_ok || record == NULL)
        return rc;
    object_chain_take(&space->recorder->registry,
                      &space->recorder->registry.tables[record_decoder_table(kind)], record,
                      identifier, chain, &links);
    return list_open_chain(space, chain->link_kind, &links, list);
}
