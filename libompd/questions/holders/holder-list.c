/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The list of the reference sites of an object: the places of its cl handle. */
#include "questions/holders/holders.h"

#include "answers/answers.h"
#include "answers/kept.h"
#include "sources/embree/embree.h"

#include <string.h>

/* The destination of a search. */
struct keeping {
    struct address_space *space;
    struct kept_rows *kept;
    bool lacks_name; /* of a module, which the tool failed to report */
};

/* Add the place INFO, for handle_search. */
static ompd_rc_t add_holder(void *visitor, uint32_t index,
                            const ompd_cl_reference_site_info_t *info)
{
    struct keeping *keeping = visitor;

    (void)index; /* there is only one handle */
    if (info == NULL) {
        keeping->kept->missing.lost++;
        return ompd_rc_ok;
    }
    keeping->lacks_name |= info->module.status == ompd_cl_status_unreadable;
    return kept_rows_add(keeping->space, keeping->kept, sizeof(*info), KEPT_LIMIT, info);
}

/* Find the reference sites of the handle that KEPT is about. */
static ompd_rc_t find_holders(struct address_space *space, struct kept_rows *kept)
{
    struct keeping keeping = {.space = space, .kept = kept};
    struct handle_search search = {.handles = &kept->subject,
                                   .count = 1,
                                   .visit = add_holder,
                                   .visitor = &keeping,
                                   .missing = &kept->missing};
    ompd_rc_t rc = handle_search_run(&search, space);

    if (rc != ompd_rc_ok || kept->missing.reason != NULL)
        return rc;
    if (keeping.lacks_name)
        kept->missing.reason = "the tool failed to report the name of a module.";
    else if (kept->missing.lost != 0)
        kept->missing.reason = "some data about the use of memory could not be read.";
    return ompd_rc_ok;
}

/* The program's name for the object in ROW of KIND. */
static uint64_t handle_of_row(uint32_t kind, const void *row)
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

/* Find the handle of the object ID, which is IDENTIFIER. Returns ompd_rc_ok, or why it is
 * unknown. */
static ompd_rc_t find_handle(struct address_space *space, uint64_t id, struct identifier identifier,
                             uint64_t *handle)
{
    union row row;
    ompd_rc_t rc;

    row.struct_size = kind_find(identifier.kind)->struct_size;
    if (embree_has_kind(identifier.kind)) {
        *handle = identifier.handle;
        rc = object_get(space, identifier.kind, id, &row);
        return rc == ompd_rc_incomplete ? ompd_rc_ok : rc;
    }
    rc = sources_open(space);
    if (rc != ompd_rc_ok)
        return rc;
    *handle = identifier.handle;
    if (identifier.handle != 0)
        return inventory_object_check(space, identifier);
    rc = object_get(space, identifier.kind, id, &row);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    *handle = handle_of_row(identifier.kind, &row);
    message_clear(&space->message);
    return *handle != 0 ? ompd_rc_ok : ompd_rc_device_read_error;
}

ompd_rc_t holder_list_open(struct address_space *space, uint64_t object, ompd_cl_list_t *id)
{
    static const struct question question = {
        .kind = ompd_cl_kind_reference_site,
        .number = question_holders,
        .reason = "some of the target's memory could not be read.",
        .is_of_embree_too = true,
        .find = find_holders,
    };
    struct identifier identifier;
    uint64_t handle;
    ompd_rc_t rc;

    if (!identifier_decode(object, space->salt, &identifier) ||
        kind_find(identifier.kind) == NULL || identifier.kind == ompd_cl_kind_thread ||
        identifier.kind == ompd_cl_kind_svm_free)
        return address_space_fail(space, ompd_rc_bad_input,
                                  "the id does not belong to an object that has a handle.");
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    rc = find_handle(space, object, identifier, &handle);
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    return question_list_open(space, &question, handle, id);
}
