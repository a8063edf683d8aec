/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/holders/holders.h"

#include "answers/answers.h"
#include "answers/kept.h"

#include <string.h>

/* Where a search keeps what it finds. */
struct keeping {
    struct kept_holders *kept;
    struct memory *memory;
    bool lacks_name; /* of a module, which the tool failed to tell */
};

/* Keep the place INFO, for handle_search. */
static ompd_rc_t keep(void *visitor, uint32_t index, const ompd_cl_holder_info_t *info)
{
    struct keeping *keeping = visitor;
    struct kept_holders *kept = keeping->kept;
    ompd_rc_t rc;

    (void)index; /* there is one handle */
    if (info == NULL || kept->count == HOLDER_LIMIT) {
        kept->lost++;
        return ompd_rc_ok;
    }
    rc = memory_grow(keeping->memory, &kept->rows, kept->count, &kept->capacity,
                     sizeof(kept->rows[0]));
    if (rc == ompd_rc_ok)
        kept->rows[kept->count++] = *info;
    keeping->lacks_name |= info->module.status == ompd_cl_status_unreadable;
    return rc;
}

/* Tell whether what was found is good for LIST: what could not be read may be there for another
 * list. */
static bool is_good(const struct address_space *space, const struct list *list)
{
    const struct kept_holders *kept = &space->kept->holders;

    return kept->stop == space->target.stop && kept->sources == space->sources &&
           kept->handle == list->handle &&
           (list->given != 0 || (!kept->is_short && kept->lost == 0));
}

/* Have the places of this stop for LIST.  Returns ompd_rc_ok, or why there are none. */
static ompd_rc_t take_holders(struct address_space *space, const struct list *list)
{
    struct kept_holders *kept = &space->kept->holders;
    struct keeping keeping = {.kept = kept, .memory = space->target.memory};
    struct handle_search search = {
        .handles = &list->handle, .count = 1, .visit = keep, .visitor = &keeping};
    ompd_rc_t rc = sources_open(space);

    if (rc != ompd_rc_ok || is_good(space, list))
        return rc;
    kept->stop = 0;
    kept->count = 0;
    kept->lost = 0;
    kept->handle = list->handle;
    rc = handle_search_run(&search, space);
    if (rc != ompd_rc_ok)
        return rc;
    kept->is_short = search.is_short || keeping.lacks_name;
    kept->missed = search.missed;
    kept->reason = search.reason;
    if (keeping.lacks_name && kept->reason == NULL)
        kept->reason = "the tool failed to tell the name of a module.";
    if (kept->lost != 0 && kept->reason == NULL)
        kept->reason = "not all that tells what memory is used for could be read.";
    kept->stop = space->target.stop;
    kept->sources = space->sources;
    return ompd_rc_ok;
}

static ompd_rc_t give_holders(struct address_space *space, struct list *list, struct batch *batch)
{
    const struct kept_holders *kept = &space->kept->holders;
    ompd_rc_t rc = take_holders(space, list);

    if (rc != ompd_rc_ok)
        return rc;
    notes_clear(space);
    while (list->given < kept->count && batch->count < batch->capacity)
        batch_give(list, batch, &kept->rows[list->given++], ompd_rc_ok);
    list->lost = kept->lost;
    list->is_short = kept->is_short;
    list->reason = kept->reason;
    notes_take_search(space, &kept->missed);
    if (kept->is_short && kept->reason == NULL && scan_missed_sum(&kept->missed) == 0)
        list->reason = "some of the target's memory could not be read.";
    return ompd_rc_ok;
}

/* What the program has to name the object in ROW of KIND. */
static uint64_t handle_of(uint32_t kind, const void *row)
{
    const struct kind *found = kind_find(kind);

    for (uint32_t i = 0; i < found->field_count; i++) {
        const ompd_cl_field_t *field = &found->fields[i];
        const ompd_cl_value_t *value = (const void *)((const char *)row + field->offset);

        if (strcmp(field->name, "handle") == 0 || strcmp(field->name, "pointer") == 0)
            return value->value;
    }
    return 0;
}

/* Have the handle of the object that ID, which is IDENTIFIER, names.  Returns ompd_rc_ok, or why it
 * is not known. */
static ompd_rc_t find_handle(struct address_space *space, uint64_t id, struct identifier identifier,
                             uint64_t *handle)
{
    union row row;
    ompd_rc_t rc = sources_open(space);

    if (rc != ompd_rc_ok)
        return rc;
    *handle = identifier.handle;
    if (identifier.handle != 0)
        return inventory_object_check(space, identifier);
    row.struct_size = kind_find(identifier.kind)->struct_size;
    rc = object_get(space, identifier.kind, id, &row);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    *handle = handle_of(identifier.kind, &row);
    message_clear(&space->message);
    return *handle != 0 ? ompd_rc_ok : ompd_rc_device_read_error;
}

ompd_rc_t holder_list_open(struct address_space *space, uint64_t object, ompd_cl_list_t *id)
{
    struct identifier identifier;
    struct list *list;
    uint64_t handle;
    ompd_rc_t rc;

    if (!identifier_decode(object, space->salt, &identifier) ||
        kind_find(identifier.kind) == NULL || identifier.kind == ompd_cl_kind_thread ||
        identifier.kind == ompd_cl_kind_svm_free)
        return address_space_fail(space, ompd_rc_bad_input,
                                  "the id was not given out for an object that has a handle.");
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    rc = find_handle(space, object, identifier, &handle);
    if (rc != ompd_rc_ok)
        return address_space_explain(space, rc);
    list = list_open(space, ompd_cl_kind_holder, give_holders, id);
    if (list == NULL)
        return address_space_explain(space, ompd_rc_nomem);
    list->handle = handle;
    return ompd_rc_ok;
}
