/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All destructor callbacks that the recorder has, object by object, in call order. */
#include "answers/answers.h"

#define CALLBACKS(registry) (&(registry)->tables[ompd_cl_registry_callback])

/* The recorder pushes a new callback at the head: the chain's order is the call order. */
const struct object_chain destructor_chain = {
    .link_kind = ompd_cl_kind_destructor,
    .first = ompd_cl_registry_field_callbacks,
    .count = ompd_cl_registry_field_callback_count,
    .links_name_object = true,
};

static void begin_destructor_walk(struct address_space *space, struct list *list, uint32_t table)
{
    if (list->destructors.is_begun)
        return;
    list->destructors.is_begun = true;
    list->walk = (struct registry_walk){.table = &space->recorder->registry.tables[table]};
}

/* ---- By their objects ------------------------------------------------------------------------ */

/* Begin the chain of the next object of KIND that has one, if *IS_FOUND. */
static ompd_rc_t find_chain(struct address_space *space, struct list *list, uint32_t kind,
                            bool *is_found)
{
    struct registry *registry = &space->recorder->registry;
    const struct registry_table *table = list->walk.table;
    const uint8_t *records;
    uint32_t first;
    uint32_t count;
    ompd_rc_t rc;

    *is_found = false;
    while ((rc = registry_walk_look(registry, &list->walk, &records, &first, &count)) ==
               ompd_rc_ok &&
           count != 0) {
        for (uint32_t i = 0; i < count && !*is_found; i++) {
            const uint8_t *record = records + (size_t)i * table->record_size;
            bool is_row = !registry_is_free(registry, table, record);
            struct identifier identifier = {.kind = kind, .index = first + i};
            struct list_chain chain;

            registry_walk_pass(&list->walk, is_row);
            if (!is_row || registry_get(registry, table, record, destructor_chain.first) == 0)
                continue;
            identifier.generation =
                (uint32_t)registry_get(registry, table, record, ompd_cl_registry_field_generation);
            object_chain_read(registry, table, record, identifier, &destructor_chain, &chain);
            list_chain_begin(space, list, &chain);
            *is_found = true;
        }
        if (*is_found)
            break;
    }
    /* The callbacks of unreadable objects still exist: they are found apart. */
    list->destructors.owners_lost += list->walk.lost;
    list->walk.lost = 0;
    return rc;
}

static ompd_rc_t fill_of_objects(struct address_space *space, struct list *list,
                                 struct batch *batch, uint32_t kind)
{
    bool is_found = true;
    ompd_rc_t rc;

    begin_destructor_walk(space, list, record_decoder_table(kind));
    while (is_found) {
        rc = list_chain_fill(space, list, batch);
        if (rc != ompd_rc_ok || batch->count == batch->capacity)
            return rc;
        rc = find_chain(space, list, kind, &is_found);
        if (rc != ompd_rc_ok)
            return rc;
    }
    return ompd_rc_ok;
}

/* ---- Those that no object leads to ----------------------------------------------------------- */

/* Whether a callback was returned with its object. */
enum state {
    fill_pending,  /* it was not */
    fill_orphaned, /* it was not, because its object cannot be read */
    fill_done,
    fill_unknown /* something read before can no longer be read */
};

/* Complete CHAIN, whose `object` and `object_generation` are set. Returns ompd_rc_ok;
 * ompd_rc_unavailable when there is no such object with callbacks; ompd_rc_incomplete when its
 * record cannot be read; ompd_rc_nomem. */
static ompd_rc_t complete_chain(struct registry *registry, struct list_chain *chain)
{
    struct identifier identifier = {
        .index = OMPD_CL_REGISTRY_REFERENCE_INDEX(chain->object),
        .generation = chain->object_generation,
    };
    struct registry_table *table;
    const uint8_t *owner;
    ompd_rc_t rc;

    switch (OMPD_CL_REGISTRY_REFERENCE_TABLE(chain->object)) {
    case ompd_cl_registry_memobj:
        identifier.kind = ompd_cl_kind_memobj;
        break;
    case ompd_cl_registry_context:
        identifier.kind = ompd_cl_kind_context;
        break;
    default:
        return ompd_rc_unavailable;
    }
    table = &registry->tables[record_decoder_table(identifier.kind)];
    rc = registry_record_view(registry, table, identifier.index, &owner);
    if (rc == ompd_rc_error)
        return ompd_rc_unavailable;
    if (rc != ompd_rc_ok)
        return rc;
    if (registry_is_free(registry, table, owner) ||
        registry_get(registry, table, owner, ompd_cl_registry_field_generation) !=
            identifier.generation)
        return ompd_rc_unavailable;
    object_chain_read(registry, table, owner, identifier, &destructor_chain, chain);
    return chain->link != 0 ? ompd_rc_ok : ompd_rc_unavailable;
}

/* Walk CHAIN as list_chain_fill did, which returned at most LIMIT links of it. *STATE says whether
 * that included LINK; 0: the whole chain. */
static ompd_rc_t follow_chain(struct address_space *space, struct list *list,
                              struct list_chain chain, uint32_t link, uint32_t limit,
                              enum state *state)
{
    struct registry *registry = &space->recorder->registry;
    bool is_all = link == 0;
    const uint8_t *record;

    *state = fill_pending;
    while (chain.link != link && chain.link != 0 && chain.count != 0 && limit != 0) {
        ompd_rc_t rc = registry_record_view(registry, CALLBACKS(registry), chain.link - 1, &record);

        list->destructors.steps++;
        if (rc == ompd_rc_incomplete)
            *state = fill_unknown;
        if (rc != ompd_rc_ok || !list_chain_has(registry, CALLBACKS(registry), &chain, record))
            return rc_is_final(rc) ? rc : ompd_rc_ok;
        chain.link = (uint32_t)registry_get(registry, CALLBACKS(registry), record,
                                            ompd_cl_registry_field_next);
        chain.count--;
        limit--;
    }
    if (chain.link == link &&
        (is_all ? chain.count <= chain.slack : chain.count != 0 && limit != 0))
        *state = fill_done;
    return ompd_rc_ok;
}

/* The same for CHAIN if it is not recorded whether it broke. */
static ompd_rc_t follow_unkept(struct address_space *space, struct list *list,
                               const struct list_chain *chain, uint32_t link, enum state *state)
{
    struct list_destructors *destructors = &list->destructors;
    ompd_rc_t rc;

    if (destructors->owner != chain->object ||
        destructors->owner_generation != chain->object_generation) {
        rc = follow_chain(space, list, *chain, 0, UINT32_MAX, state);
        if (rc != ompd_rc_ok)
            return rc;
        destructors->is_whole = *state == fill_done;
        destructors->owner = chain->object;
        destructors->owner_generation = chain->object_generation;
    }
    *state = fill_done;
    rc = destructors->is_whole ? ompd_rc_ok
                               : follow_chain(space, list, *chain, link, UINT32_MAX, state);
    if (*state == fill_unknown)
        *state = fill_pending;
    return rc;
}

/* The record of where the chain of CHAIN's object broke; NULL if there is none. */
static const struct list_broken_chain *find_broken(const struct list_destructors *destructors,
                                                   const struct list_chain *chain)
{
    for (uint32_t i = 0; i < destructors->broken_count && i < LIST_BROKEN_KEPT; i++) {
        const struct list_broken_chain *broken = &destructors->broken[i];

        if (broken->object == chain->object &&
            broken->object_generation == chain->object_generation)
            return broken;
    }
    return NULL;
}

/* Find out whether callback RECORD, with index INDEX, was returned with its object. */
static ompd_rc_t was_given(struct address_space *space, struct list *list, const uint8_t *record,
                           uint32_t index, enum state *state)
{
    struct list_destructors *destructors = &list->destructors;
    struct registry *registry = &space->recorder->registry;
    const struct registry_table *table = CALLBACKS(registry);
    struct list_chain chain = {
        .object = (uint32_t)registry_get(registry, table, record, ompd_cl_registry_field_object),
        .object_generation = (uint32_t)registry_get(registry, table, record,
                                                    ompd_cl_registry_field_object_generation),
    };
    const struct list_broken_chain *broken = find_broken(destructors, &chain);
    ompd_rc_t rc = complete_chain(registry, &chain);

    *state = fill_pending;
    if (rc == ompd_rc_incomplete)
        *state = broken == NULL && destructors->owners_lost != 0 ? fill_orphaned : fill_unknown;
    if (rc != ompd_rc_ok)
        return rc_is_final(rc) ? rc : ompd_rc_ok;
    if (destructors->steps > LIST_VIEW_LIMIT) {
        list_note_lost(list, 1, "the recorder's registry is corrupt: too many lists are broken.");
        *state = fill_done;
        return ompd_rc_ok;
    }
    if (broken != NULL)
        return follow_chain(space, list, chain, index + 1, broken->given, state);
    if (destructors->broken_count > LIST_BROKEN_KEPT)
        return follow_unkept(space, list, &chain, index + 1, state);
    *state = fill_done;
    return ompd_rc_ok;
}

/* Whether there are callbacks that no chain led to. */
static ompd_rc_t has_others(struct address_space *space, const struct list *list, bool *has)
{
    uint64_t live;
    ompd_rc_t rc = registry_count_live(&space->recorder->registry,
                                       CALLBACKS(&space->recorder->registry), &live);

    *has = rc != ompd_rc_ok || live != list->linked;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

static ompd_rc_t fill_remaining(struct address_space *space, const uint8_t *record, uint32_t index,
                                void *context)
{
    const struct list_filling *apart = context;
    struct list *list = apart->list;
    enum state state;
    ompd_rc_t rc = was_given(space, list, record, index, &state);

    if (rc == ompd_rc_ok && (state == fill_pending || state == fill_orphaned))
        rc = list_row_add(space, list, apart->batch, record, index);
    if (rc != ompd_rc_ok)
        return rc;
    list->missing.lost += state == fill_unknown;
    list->destructors.ownerless += state == fill_orphaned;
    return ompd_rc_ok;
}

static ompd_rc_t fill_ownerless(struct address_space *space, struct list *list, struct batch *batch)
{
    struct list_filling apart = {list, batch};

    return record_walk_visit(space, &list->walk, batch, fill_remaining, &apart);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static ompd_rc_t fill_destructor_part(struct address_space *space, struct list *list,
                                      struct batch *batch)
{
    bool has;
    ompd_rc_t rc;

    switch (list->destructors.part) {
    case destructors_of_memobjs:
        return fill_of_objects(space, list, batch, ompd_cl_kind_memobj);
    case destructors_of_contexts:
        return fill_of_objects(space, list, batch, ompd_cl_kind_context);
    default:
        if (!list->destructors.is_begun) {
            rc = has_others(space, list, &has);
            if (rc != ompd_rc_ok || !has)
                return rc;
        }
        begin_destructor_walk(space, list, ompd_cl_registry_callback);
        return fill_ownerless(space, list, batch);
    }
}

ompd_rc_t destructor_list_fill(struct address_space *space, struct list *list, struct batch *batch)
{
    while (batch->count < batch->capacity) {
        ompd_rc_t rc = fill_destructor_part(space, list, batch);

        if (rc != ompd_rc_ok || batch->count == batch->capacity)
            return rc;
        if (list->destructors.part == destructors_apart)
            return ompd_rc_ok;
        list->destructors.is_begun = false;
        list->destructors.part++;
    }
    return ompd_rc_ok;
}
