/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Confirms by layouts whether an object exists that the recorder only presumes to exist. */
#include "answers/answers.h"

/* The part of a row that is examined. */
struct judged {
    ompd_cl_value_t *state;
    ompd_cl_value_t *confidence; /* NULL if rows of the kind have none */
};

#define JUDGED(member) ((struct judged){&row->member.state, &row->member.head.confidence})

static struct judged inventory_item_of(uint32_t kind, union row *row)
{
    switch (kind) {
    case ompd_cl_kind_context:
        return JUDGED(context);
    case ompd_cl_kind_queue:
        return JUDGED(queue);
    case ompd_cl_kind_memobj:
        return JUDGED(memobj);
    case ompd_cl_kind_svm:
        return JUDGED(svm);
    case ompd_cl_kind_svm_free:
        return JUDGED(svm_free);
    default:
        return (struct judged){NULL, NULL};
    }
}

bool confirm_is_needed(uint32_t kind, const union row *row)
{
    union row *same = (union row *)(uintptr_t)row;
    const ompd_cl_value_t *confidence = inventory_item_of(kind, same).confidence;

    return confidence != NULL && confidence->value == ompd_cl_confidence_presumed;
}

/* Whether the layouts of all runtimes cover KIND. */
static bool kind_is_covered(const struct address_space *space, enum layout_kind kind)
{
    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        const struct layout *layout = space->layout->runtimes.all[i].layout;

        if (layout == NULL || !layout->objects[kind].is_there ||
            runtime_is_of_kin(&space->layout->runtimes.all[i]))
            return false;
    }
    return true;
}

/* Whether all objects of KIND are in the inventory. */
static bool kind_is_complete(const struct address_space *space, enum layout_kind kind)
{
    return kind_is_covered(space, kind) && inventory_has_all(&space->layout->inventory);
}

/* Whether the object of ROW of KIND exists, as its own memory shows. *NEEDS_SEARCH is set if that
 * does not show it, as the remains of a freed object. */
static ompd_rc_t presence_at_handle(struct address_space *space, uint32_t kind,
                                    const union row *row, enum presence *presence,
                                    bool *needs_search)
{
    enum layout_kind found;
    uint64_t handle = layout_row_name(kind, row, &found);
    enum glance_finding finding = glance_nothing;
    struct inventory_item item;
    ompd_rc_t rc = glance_at(&space->target, &space->layout->runtimes, handle, &finding, &item);

    *presence = presence_unknown;
    *needs_search = rc == ompd_rc_ok && finding == glance_undecided;
    if (rc != ompd_rc_ok)
        return rc_is_final(rc) ? rc : ompd_rc_ok;
    if (finding == glance_object && (layout_row_objects(kind) >> item.kind & 1) != 0)
        *presence = presence_there;
    else if (finding == glance_nothing && kind_is_covered(space, found))
        *presence = presence_destroyed;
    return ompd_rc_ok;
}

static enum presence object_presence(const struct address_space *space, uint32_t kind,
                                     const union row *row)
{
    enum layout_kind found;
    uint64_t handle = layout_row_name(kind, row, &found);
    const struct inventory_item *item = inventory_find(&space->layout->inventory, handle);

    if (item == NULL || (layout_row_objects(kind) >> item->kind & 1) == 0)
        return kind_is_complete(space, found) ? presence_destroyed : presence_unknown;
    if (item->confidence == ompd_cl_confidence_doubtful ||
        runtime_is_of_kin(&space->layout->runtimes.all[item->runtime]))
        return presence_unknown;
    /* The runtime reuses the memory of the program's objects for its own. */
    return (item->marks & inventory_internal) != 0 ? presence_destroyed : presence_there;
}

/* Whether layouts show which memory each SVM-free command frees, and whether it is complete. */
static bool frees_are_covered(const struct address_space *space)
{
    if (!kind_is_complete(space, layout_event))
        return false;
    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        const struct layout_location *fields =
            space->layout->runtimes.all[i].layout->objects[layout_event].fields;

        if (!fields[layout_command_type].is_there || !fields[layout_status].is_there ||
            !fields[layout_svm_pointers].is_there || !fields[layout_svm_pointer_count].is_there)
            return false;
    }
    return true;
}

/* Whether the SVM free of POINTER, or its command, exists. */
static ompd_rc_t free_presence(struct address_space *space, uint64_t pointer,
                               enum presence *presence)
{
    bool is_pending;
    ompd_rc_t rc = svm_pending_find(space, pointer, &is_pending);

    if (rc_is_final(rc))
        return rc;
    if (is_pending)
        *presence = presence_there;
    else if (rc == ompd_rc_ok && frees_are_covered(space))
        *presence = presence_destroyed;
    return ompd_rc_ok;
}

/* The first pointer that the SVM-free command of RECORD names. */
static ompd_rc_t first_pointer(struct address_space *space, const uint8_t *record,
                               uint64_t *pointer)
{
    struct registry *registry = &space->recorder->registry;
    struct registry_table *links = &registry->tables[ompd_cl_registry_address];
    uint32_t position =
        (uint32_t)registry_get(registry, &registry->tables[ompd_cl_registry_svm_free], record,
                               ompd_cl_registry_field_pointers);
    const uint8_t *link;
    ompd_rc_t rc = ompd_rc_unavailable;

    if (position != 0)
        rc = registry_record_view(registry, links, position - 1, &link);
    if (rc == ompd_rc_ok)
        *pointer = registry_get(registry, links, link, ompd_cl_registry_field_handle);
    return rc;
}

/* Return whether the call that enqueues the SVM-free command of RECORD may not have returned: the
 * runtime need not have the command yet. */
static bool may_be_being_enqueued(const struct registry *registry, const uint8_t *record)
{
    const struct registry_table *commands = &registry->tables[ompd_cl_registry_svm_free];

    return registry_has(commands, ompd_cl_registry_field_number) &&
           registry_get(registry, commands, record, ompd_cl_registry_field_number) == 0;
}

static ompd_rc_t command_presence(struct address_space *space, const uint8_t *record,
                                  enum presence *presence)
{
    bool is_new = may_be_being_enqueued(&space->recorder->registry, record);
    uint64_t pointer;
    ompd_rc_t rc = first_pointer(space, record, &pointer);

    if (rc == ompd_rc_ok)
        rc = free_presence(space, pointer, presence);
    if (*presence == presence_destroyed && is_new)
        *presence = presence_unknown;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Of the SVM allocation of RECORD, which begins at POINTER. */
static ompd_rc_t svm_presence(struct address_space *space, const uint8_t *record, uint64_t pointer,
                              enum presence *presence)
{
    struct registry *registry = &space->recorder->registry;
    struct registry_table *commands = &registry->tables[ompd_cl_registry_svm_free];
    uint32_t reference = (uint32_t)registry_get(registry, &registry->tables[ompd_cl_registry_svm],
                                                record, ompd_cl_registry_field_command);
    const uint8_t *command;
    ompd_rc_t rc = free_presence(space, pointer, presence);

    if (*presence != presence_destroyed ||
        OMPD_CL_REGISTRY_REFERENCE_TABLE(reference) != ompd_cl_registry_svm_free)
        return rc;
    rc = registry_record_view(registry, commands, OMPD_CL_REGISTRY_REFERENCE_INDEX(reference),
                              &command);
    if (rc != ompd_rc_ok || may_be_being_enqueued(registry, command))
        *presence = presence_unknown;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

static void make_certain(uint32_t kind, union row *row)
{
    struct judged judged = inventory_item_of(kind, row);

    recorder_value_set(judged.confidence, ompd_cl_confidence_certain);
    if (judged.state->status == ompd_cl_status_presumed)
        judged.state->status = ompd_cl_status_value;
}

/* The same by a search of memory, which SVM and its frees need. */
static ompd_rc_t search_presence(struct address_space *space, uint32_t kind, const uint8_t *record,
                                 const union row *row, enum presence *presence)
{
    ompd_rc_t rc = sources_take_inventory(space);

    *presence = presence_unknown;
    /* The row stays presumed. */
    if (rc == ompd_rc_nomem && sources_lack_memory(space)) {
        message_clear(&space->message);
        return ompd_rc_ok;
    }
    if (space->layout->inventory.stop != space->target.stop) {
        if (rc_is_final(rc) || rc == ompd_rc_incomplete)
            return rc;
        message_clear(&space->message);
        return ompd_rc_ok;
    }
    rc = ompd_rc_ok;
    if (kind == ompd_cl_kind_svm)
        rc = svm_presence(space, record, row->svm.head.handle.value, presence);
    else if (kind == ompd_cl_kind_svm_free)
        rc = command_presence(space, record, presence);
    else
        *presence = object_presence(space, kind, row);
    return rc;
}

ompd_rc_t confirm_presence(struct address_space *space, uint32_t kind, const uint8_t *record,
                           union row *row, enum presence *presence)
{
    bool needs_search =
        kind == ompd_cl_kind_svm || kind == ompd_cl_kind_svm_free || sources_need_search(space);
    ompd_rc_t rc = ompd_rc_ok;

    if (!needs_search)
        rc = presence_at_handle(space, kind, row, presence, &needs_search);
    if (needs_search && rc == ompd_rc_ok)
        rc = search_presence(space, kind, record, row, presence);
    if (*presence == presence_there)
        make_certain(kind, row);
    return rc;
}
