/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One object of any kind that has ids. */
#include "answers/answers.h"
#include "sources/embree/embree.h"

ompd_rc_t object_list_open(struct address_space *space, uint32_t kind,
                           const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    ompd_rc_t rc;

    if (embree_has_kind(kind))
        return embree_list_open(space, kind, filter, list);
    rc = sources_open(space);
    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, kind, filter, list);
}

/* Begin a question about object ID of KIND. *IDENTIFIER has a handle if a layout or a stack shows
 * the object; else the registry is opened. If there never was a registry, only layouts can have
 * issued ids. */
static ompd_rc_t object_begin(struct address_space *space, uint32_t kind, uint64_t id,
                              struct identifier *identifier)
{
    ompd_rc_t rc;

    if ((space->layouts != NULL || kind == ompd_cl_kind_thread) &&
        identifier_decode(id, space->salt, identifier) && identifier->handle != 0)
        return identifier->kind == kind ? ompd_rc_ok : recorded_object_refuse_id(space);
    *identifier = (struct identifier){0};
    rc = recorder_source_open(space);
    if (rc == ompd_rc_unavailable && space->layouts != NULL && space->recorder->root == 0)
        return recorded_object_refuse_id(space);
    return rc;
}

ompd_rc_t object_find(struct address_space *space, uint32_t kind, uint64_t value, uint64_t *id)
{
    ompd_rc_t rc;

    if (embree_has_kind(kind))
        return embree_object_find(space, kind, value, id);
    rc = sources_open(space);
    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the id");
    rc = ompd_rc_unavailable;
    for (size_t i = 0; i < SOURCE_COUNT && rc == ompd_rc_unavailable; i++)
        rc = sources_all[i]->find(space, kind, value, id);
    return rc;
}

/* The source that issued IDENTIFIER. */
static const struct source *source_of_id(struct identifier identifier)
{
    size_t i = 0;

    while (i + 1 < SOURCE_COUNT && !sources_all[i]->owns_id(identifier))
        i++;
    return sources_all[i];
}

ompd_rc_t object_get(struct address_space *space, uint32_t kind, uint64_t id, void *info)
{
    struct identifier identifier;
    ompd_size_t struct_size;
    union row row;
    ompd_rc_t rc;

    if (embree_has_kind(kind))
        return embree_object_get(space, kind, id, info);
    rc = object_begin(space, kind, id, &identifier);
    if (rc != ompd_rc_ok)
        return rc;
    if (kind == ompd_cl_kind_command)
        command_completion_retry(space);
    rc = row_check(space, kind, info, &struct_size);
    if (rc != ompd_rc_ok)
        return rc;
    rc = source_of_id(identifier)->get(space, kind, id, identifier, &row);
    if (address_space_may_set_outputs(space, rc))
        row_copy_to_tool(kind, &row, info, struct_size);
    return address_space_set_message(space, rc);
}

/* The same for a question that only the record can answer. */
static ompd_rc_t object_view_required(struct address_space *space, uint32_t kind, uint64_t id,
                                      struct identifier *identifier, const uint8_t **record)
{
    ompd_rc_t rc = recorded_object_view(space, kind, id, identifier, record);

    address_space_set_message(space, rc);
    return rc == ompd_rc_incomplete ? ompd_rc_device_read_error : rc;
}

ompd_rc_t object_view(struct address_space *space, uint32_t kind, uint64_t id,
                      struct identifier *identifier, const uint8_t **record)
{
    ompd_rc_t rc = recorder_source_read(space);

    return rc == ompd_rc_ok ? object_view_required(space, kind, id, identifier, record) : rc;
}

ompd_rc_t object_open(struct address_space *space, uint32_t kind, uint64_t id, uint32_t link_kind,
                      ompd_cl_list_t *list, struct identifier *identifier, const uint8_t **record)
{
    ompd_rc_t rc = object_begin(space, kind, id, identifier);

    *record = NULL;
    if (rc == ompd_rc_ok && list == NULL)
        return address_space_refuse_null(space, "the list");
    if (rc == ompd_rc_ok && identifier->handle != 0)
        return inventory_object_open(space, *identifier, link_kind, list);
    return rc == ompd_rc_ok ? object_view_required(space, kind, id, identifier, record) : rc;
}

const struct object_chain pointer_chain = {
    .link_kind = ompd_cl_kind_svm_pointer,
    .first = ompd_cl_registry_field_pointers,
    .count = ompd_cl_registry_field_pointer_count,
};

const struct object_chain wait_chain = {
    .link_kind = ompd_cl_kind_wait,
    .first = ompd_cl_registry_field_wait_list,
    .count = ompd_cl_registry_field_wait_count,
};

const struct object_chain buffered_chain = {
    .link_kind = ompd_cl_kind_buffered_command,
    .first = ompd_cl_registry_field_commands,
    .count = ompd_cl_registry_field_command_count,
    .links_name_object = true,
};

ompd_rc_t object_chain_open(struct address_space *space, uint32_t kind, uint64_t id,
                            const struct object_chain *chain, ompd_cl_list_t *list)
{
    struct identifier identifier;
    struct list_chain links;
    const uint8_t *record;
    ompd_rc_t rc = object_open(space, kind, id, chain->link_kind, list, &identifier, &record);

    if (rc != ompd_rc_ok || record == NULL)
        return rc;
    object_chain_read(&space->recorder->registry,
                      &space->recorder->registry.tables[record_decoder_table(kind)], record,
                      identifier, chain, &links);
    return list_open_chain(space, chain->link_kind, &links, list);
}
