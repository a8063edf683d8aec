/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of records that link to each other. */
#include "answers/list.h"

/* Record that the chain of LIST broke here. */
static void record_break(struct list *list)
{
    struct list_destructors *destructors = &list->destructors;

    if (destructors->broken_count < LIST_BROKEN_KEPT)
        destructors->broken[destructors->broken_count] = (struct list_broken_chain){
            .object = list->chain.object,
            .object_generation = list->chain.object_generation,
            .given = list->links.count,
        };
    destructors->broken_count++;
}

/* End the chain of LIST: its remaining rows are lost. */
static ompd_rc_t end_chain(struct list *list)
{
    if (list->chain.is_one_of_many)
        record_break(list);
    else
        list->missing.lost += list->chain.count;
    list->chain.link = 0;
    list->chain.count = 0;
    return ompd_rc_ok;
}

static ompd_rc_t fail_chain(const struct address_space *space, struct list *list, const char *text)
{
    /* A chain that the program has changed since: the list continues with the next chain. */
    if (!list->chain.is_one_of_many || list->chain.stop == space->target.stop)
        list_note_lost(list, 0, text);
    return end_chain(list);
}

/* Whether LINK was passed before, as far as links are stored. */
static bool link_is_cycle(const struct list *list, uint32_t link)
{
    uint32_t count = list->links.count;
    uint32_t known = count < LIST_LINKS_KEPT ? count : LIST_LINKS_KEPT;

    for (uint32_t i = 0; i < known; i++) {
        if (list->links_kept[i] == link)
            return true;
    }
    return list->links.kept_later == link;
}

static void record_link(struct list *list, uint32_t link)
{
    struct list_links *links = &list->links;

    if (links->count < LIST_LINKS_KEPT)
        list->links_kept[links->count] = link;
    else if ((links->count & (links->count - 1)) == 0)
        links->kept_later = link;
    links->count++;
}

ompd_rc_t list_chain_fill(struct address_space *space, struct list *list, struct batch *batch)
{
    struct registry *registry = &space->recorder->registry;
    struct registry_table *table = &registry->tables[record_decoder_table(list->kind)];
    struct list_chain *chain = &list->chain;
    ompd_rc_t opened = recorder_source_read(space);

    if (opened != ompd_rc_ok)
        return opened;
    while (batch->count < batch->capacity && chain->link != 0) {
        const uint8_t *record;
        ompd_rc_t rc;

        if (chain->count == 0)
            return fail_chain(
                space, list,
                "the recorder's registry is corrupt: a list is longer than its count.");
        if (link_is_cycle(list, chain->link))
            return fail_chain(space, list,
                              "the recorder's registry is corrupt: a list contains a cycle.");
        rc = registry_record_follow(registry, table, chain->link - 1, &record);
        if (rc_is_final(rc))
            return rc;
        if (rc == ompd_rc_incomplete)
            return end_chain(list);
        if (rc != ompd_rc_ok || !list_chain_has(registry, table, chain, record))
            return fail_chain(space, list,
                              "the recorder's registry is corrupt: a list links to a record that "
                              "is not part of it.");
        record = recorder_source_copy(space, table, record);
        rc = list_row_add(space, list, batch, record, chain->link - 1);
        if (rc != ompd_rc_ok)
            return rc;
        record_link(list, chain->link);
        list->linked++;
        chain->link = (uint32_t)registry_get(registry, table, record, ompd_cl_registry_field_next);
        chain->count--;
    }
    if (chain->link == 0 && chain->count > chain->slack)
        return fail_chain(space, list,
                          "the recorder's registry is corrupt: a list is shorter than its count.");
    return ompd_rc_ok;
}

void list_chain_begin(struct address_space *space, struct list *list,
                      const struct list_chain *chain)
{
    list->chain = *chain;
    list->chain.is_one_of_many = true;
    list->chain.stop = space->target.stop;
    list->links.count = 0;
}

ompd_rc_t list_open_chain(struct address_space *space, uint32_t kind,
                          const struct list_chain *chain, ompd_cl_list_t *id)
{
    struct list *list = list_open_small(space, kind, list_chain_fill, id);

    if (list == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    list->chain = *chain;
    return ompd_rc_ok;
}

void object_chain_read(const struct registry *registry, const struct registry_table *table,
                       const uint8_t *record, struct identifier identifier,
                       const struct object_chain *shape, struct list_chain *chain)
{
    uint64_t change = registry_get(registry, table, record, ompd_cl_registry_field_change);

    *chain = (struct list_chain){
        .link = (uint32_t)registry_get(registry, table, record, shape->first),
        .count = (uint32_t)registry_get(registry, table, record, shape->count),
    };
    if (OMPD_CL_REGISTRY_CHANGE_LWP(change) != 0) {
        /* A link is being inserted or removed: the chain and its count may differ by one. */
        chain->count++;
        chain->slack = 2;
    }
    if (shape->links_name_object) {
        chain->object =
            OMPD_CL_REGISTRY_REFERENCE(record_decoder_table(identifier.kind), identifier.index);
        chain->object_generation = identifier.generation;
    }
}
