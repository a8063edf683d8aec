/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder as a source of rows and objects. */
#include "answers/answers.h"

ompd_rc_t recorded_object_refuse_id(struct address_space *space)
{
    return address_space_fail(
        space, ompd_rc_bad_input,
        "the id was not issued for this kind of object in this address space.");
}

static ompd_rc_t fail_stale_record(struct address_space *space)
{
    return address_space_fail(space, ompd_rc_stale_handle, "the object no longer exists.");
}

/* Examine the record of ID; it stays while other memory is read. */
ompd_rc_t recorded_object_view(struct address_space *space, uint32_t kind, uint64_t id,
                               struct identifier *identifier, const uint8_t **record)
{
    struct registry *registry = &space->recorder->registry;
    struct registry_table *table = &registry->tables[record_decoder_table(kind)];
    uint64_t generation;
    ompd_rc_t rc;

    if (!identifier_decode(id, space->salt, identifier) || identifier->kind != kind ||
        identifier->handle != 0)
        return recorded_object_refuse_id(space);
    rc = registry_record_view(registry, table, identifier->index, record);
    if (rc == ompd_rc_unavailable)
        return recorded_object_refuse_id(space);
    if (rc != ompd_rc_ok)
        return rc;
    generation = registry_get(registry, table, *record, ompd_cl_registry_field_generation);
    if (identifier->generation > generation)
        return recorded_object_refuse_id(space);
    if (identifier->generation < generation || registry_is_free(registry, table, *record))
        return fail_stale_record(space);
    /* Rows that belong to it name it. */
    registry_handle_cache(
        registry, table, *record,
        OMPD_CL_REGISTRY_REFERENCE(record_decoder_table(kind), identifier->index));
    *record = recorder_source_copy(space, table, *record);
    return ompd_rc_ok;
}

/* As row_complete, but retry what an earlier call could not count. */
static ompd_rc_t complete_recorded_row(struct address_space *space, uint32_t kind, union row *row)
{
    ompd_rc_t rc = kind == ompd_cl_kind_queue ? queue_frees_count(space) : ompd_rc_ok;

    return rc_is_final(rc) ? rc : row_complete(space, kind, row);
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

    rc = recorded_object_view(space, kind, id, &identifier, &record);
    if (rc == ompd_rc_incomplete)
        blank_fill(kind, row, ompd_cl_source_recorder, space->target.failure);
    if (rc != ompd_rc_ok)
        return rc;
    rc = row_fill(space, kind, record, identifier.index, row);
    if (rc == ompd_rc_incomplete) {
        settled = complete_recorded_row(space, kind, row);
        return rc_is_final(settled) ? settled : rc;
    }
    if (rc != ompd_rc_ok)
        return rc;
    rc = sources_find_layouts(space, &has_layouts);
    if (has_layouts && confirm_is_needed(kind, row)) {
        completed = confirm_presence(space, kind, record, row, &presence);
        if (completed == ompd_rc_ok && presence == presence_destroyed)
            return fail_stale_record(space);
        if (completed != ompd_rc_ok)
            return completed;
    }
    completed = has_layouts ? layout_row_complete(space, kind, row) : ompd_rc_ok;
    if (!rc_is_final(completed)) {
        settled = complete_recorded_row(space, kind, row);
        if (completed == ompd_rc_ok || rc_is_final(settled))
            completed = settled;
    }
    return completed == ompd_rc_ok ? rc : completed;
}

/* Return ompd_rc_ok if object ID, which was found in the registry, still exists; else
 * ompd_rc_unavailable. */
static ompd_rc_t check_presence(struct address_space *space, uint32_t kind, uint64_t id)
{
    const struct registry_table *table =
        &space->recorder->registry.tables[record_decoder_table(kind)];
    struct identifier identifier;
    const uint8_t *record;
    union row row;
    ompd_rc_t rc = recorded_object_view(space, kind, id, &identifier, &record);

    if (rc == ompd_rc_ok &&
        !record_confidence_is_presumed(&space->recorder->registry, table, record))
        return ompd_rc_ok;
    rc = get_recorded(space, kind, id, &row);
    if (rc == ompd_rc_stale_handle)
        return address_space_fail(space, ompd_rc_unavailable, "the object no longer exists.");
    return rc_is_final(rc) ? address_space_set_message(space, rc) : ompd_rc_ok;
}

/* Find the object VALUE in the registry. */
static ompd_rc_t find_recorded_object(struct address_space *space, uint32_t kind, uint64_t value,
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
        return address_space_fail(space, rc, "the recorder has no record of this object.");
    return address_space_set_message(space, rc);
}

static ompd_rc_t add_record_row(struct address_space *space, const uint8_t *record, uint32_t index,
                                void *context)
{
    const struct list_filling *giving = context;

    return list_row_add(space, giving->list, giving->batch, record, index);
}

static ompd_rc_t fill_from_walk(struct address_space *space, struct list *list, struct batch *batch)
{
    struct list_filling giving = {list, batch};

    return record_walk_visit(space, &list->walk, batch, add_record_row, &giving);
}

/* Set *IS_OVER to whether the recorder provides no rows of LIST. */
static ompd_rc_t find_end_of_recorded(struct address_space *space, const struct list *list,
                                      bool *is_over)
{
    bool are_recorded;
    ompd_rc_t rc;

    if (list->kind == ompd_cl_kind_thread) {
        rc = threads_open(space, &are_recorded);
        *is_over = !are_recorded;
        return rc;
    }
    *is_over = layout_row_objects(list->kind) != 0 && !address_space_has_recorder(space);
    return layout_row_objects(list->kind) != 0 ? ompd_rc_ok : recorder_source_read(space);
}

/* Add the rows that the recorder has; *IS_OVER is set with the last of them. */
static ompd_rc_t fill_recorded(struct address_space *space, struct list *list, struct batch *batch,
                               bool *is_over)
{
    ompd_rc_t rc = find_end_of_recorded(space, list, is_over);

    if (rc != ompd_rc_ok || *is_over)
        return rc;
    if (list->kind == ompd_cl_kind_queue) {
        rc = queue_frees_count(space);
        if (rc_is_final(rc))
            return rc;
    }
    if (list->is_completed)
        read_ahead_begin(&space->target);
    rc = list->kind == ompd_cl_kind_destructor ? destructor_list_fill(space, list, batch)
                                               : fill_from_walk(space, list, batch);
    read_ahead_end(&space->target);
    *is_over = rc == ompd_rc_ok && batch->count < batch->capacity;
    return rc;
}

/* ---- The source ------------------------------------------------------------------------------ */

static bool recorder_owns_id(struct identifier identifier)
{
    return identifier.handle == 0;
}

static ompd_rc_t recorder_find(struct address_space *space, uint32_t kind, uint64_t value,
                               uint64_t *id)
{
    ompd_rc_t rc;

    if (!address_space_has_recorder(space))
        return ompd_rc_unavailable;
    rc = find_recorded_object(space, kind, value, id);
    return rc == ompd_rc_ok ? check_presence(space, kind, *id) : rc;
}

static ompd_rc_t recorder_get(struct address_space *space, uint32_t kind, uint64_t id,
                              struct identifier identifier, union row *row)
{
    (void)identifier;
    return get_recorded(space, kind, id, row);
}

const struct source source_recorder = {
    .owns_id = recorder_owns_id, .fill = fill_recorded, .find = recorder_find, .get = recorder_get};
