/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads the fields of one object at the offsets in its layout. */
#include "sources/layout/layout-source.h"

#include <string.h>

void layout_fields_begin(struct layout_fields *view, struct address_space *space,
                         const struct layout_object *object, uint64_t handle)
{
    *view = (struct layout_fields){
        .space = space, .object = object, .handle = handle, .views = UINT64_MAX};
}

/* View the bytes around the object if they can be viewed at once. */
static void view_bytes(struct layout_fields *view)
{
    const struct layout_object *object = view->object;
    struct target *target = &view->space->target;
    uint64_t size = (uint64_t)((int64_t)object->highest - object->lowest);
    const uint8_t *bytes;

    if (!view->is_scattered)
        view->is_scattered = size > TARGET_BLOCK_SIZE ||
                             target_view(target, view->handle + (uint64_t)(int64_t)object->lowest,
                                         size, 0, &bytes) != ompd_rc_ok;
    view->bytes = view->is_scattered ? NULL : bytes - object->lowest;
    view->views = target->views;
}

/* read_object_number for bytes that are not in the view. */
static ompd_rc_t read_number_apart(struct layout_fields *view, int32_t offset, uint8_t width,
                                   uint64_t *number)
{
    struct target *target = &view->space->target;
    const uint8_t *bytes;
    ompd_rc_t rc;

    if (view->views != target->views)
        view_bytes(view);
    if (view->bytes != NULL) {
        *number = target_integer(target, view->bytes + offset, width);
        return ompd_rc_ok;
    }
    rc = target_view(target, view->handle + (uint64_t)(int64_t)offset, width, 0, &bytes);
    if (rc == ompd_rc_ok)
        *number = target_integer(target, bytes, width);
    return rc;
}

/* Read the number of WIDTH bytes at OFFSET of the object, of a rule or a field. */
static inline ompd_rc_t read_object_number(struct layout_fields *view, int32_t offset,
                                           uint8_t width, uint64_t *number)
{
    const struct target *target = &view->space->target;

    if (view->bytes == NULL || view->views != target->views)
        return read_number_apart(view, offset, width, number);
    *number = target_integer(target, view->bytes + offset, width);
    return ompd_rc_ok;
}

void layout_value_read(struct address_space *space, ompd_cl_value_t *value, ompd_rc_t rc,
                       uint64_t number, ompd_rc_t *result)
{
    switch (rc) {
    case ompd_rc_ok:
        layout_value_set(value, number, ompd_cl_status_value);
        break;
    case ompd_rc_unavailable:
        layout_value_set_absent(value, ompd_cl_status_unknown);
        break;
    default:
        layout_value_set_absent(value, space->target.failure);
        if (!rc_is_final(*result))
            *result = rc;
    }
}

/* Read the value at LOCATION. */
static inline ompd_rc_t read_location(struct layout_fields *view,
                                      const struct layout_location *location, uint64_t *number)
{
    struct target *target = &view->space->target;
    ompd_rc_t rc;

    if (location->path.count != 1)
        return location_read(target, location, view->handle, number);
    rc = read_object_number(view, location->path.offsets[0], location->width, number);
    if (rc == ompd_rc_ok)
        *number = location_adjust(target, location, *number);
    return rc;
}

/* Whether the object has the field with CONDITION. */
static inline ompd_rc_t check_condition(struct layout_fields *view,
                                        const struct layout_condition *condition, bool *has_field)
{
    uint64_t number = 0;
    ompd_rc_t rc;

    *has_field = true;
    if (condition->rule.width == 0)
        return ompd_rc_ok;
    rc = read_object_number(view, condition->rule.offset, condition->rule.width, &number);
    if (rc == ompd_rc_ok)
        *has_field = layout_condition_holds(condition, number);
    return rc;
}

/* Return ompd_rc_ok where FIELD of the object is known, else ompd_rc_unavailable. */
static ompd_rc_t check_known(struct layout_fields *view, enum layout_field field)
{
    const struct layout_object *object = view->object;

    for (uint32_t i = 0; i < object->known_count; i++) {
        const struct layout_known *known = &object->known[i];
        uint64_t number = 0;
        ompd_rc_t rc;

        if (known->field != field)
            continue;
        rc = read_location(view, &known->location, &number);
        if (rc == ompd_rc_ok && (number < known->least || number > known->most))
            rc = ompd_rc_unavailable;
        if (rc != ompd_rc_ok)
            return rc;
    }
    return ompd_rc_ok;
}

/* A field that the object does not have is 0. */
static inline void get_field(struct layout_fields *view, enum layout_field field,
                             ompd_cl_value_t *value)
{
    const struct layout_location *location = &view->object->fields[field];
    bool has_field = true;
    uint64_t number = 0;
    ompd_rc_t rc = ompd_rc_unavailable;

    if (location->is_there)
        rc = view->object->known_count != 0 ? check_known(view, field) : ompd_rc_ok;
    if (rc == ompd_rc_ok)
        rc = check_condition(view, &view->object->when[field], &has_field);
    if (rc == ompd_rc_ok && has_field)
        rc = read_location(view, location, &number);
    if (rc == ompd_rc_ok)
        layout_value_set(value, number, ompd_cl_status_value);
    else
        layout_value_read(view->space, value, rc, number, &view->rc);
}

void layout_fields_get(struct layout_fields *view, enum layout_field field, ompd_cl_value_t *value)
{
    get_field(view, field, value);
}

/* clang-format off */

#define COLUMN(kind, member, field, zero)                                                          \
    {offsetof(ompd_cl_##kind##_info_t, member), layout_##field, ompd_cl_status_##zero},
#define COLUMNS_END {0, LAYOUT_FIELD_COUNT, 0}

#define KIND_BEGIN(kind, ...) static const struct column kind##_columns[] = {
#define LAYOUT COLUMN
#define KIND_END(kind, ...) COLUMNS_END };
#include <schema/kinds.def>

static const struct column *const columns_of_kinds[] = {
#define KIND_BEGIN(kind, ...) [ompd_cl_kind_##kind] = kind##_columns,
#include <schema/kinds.def>
};

static const struct column image_columns[] = {
#define LAYOUT_OF_IMAGE COLUMN
#include <schema/kinds.def>
    COLUMNS_END
};

/* clang-format on */

static void fill_columns(struct layout_fields *view, const struct column *columns, void *info)
{
    for (const struct column *column = columns; column->field != LAYOUT_FIELD_COUNT; column++) {
        ompd_cl_value_t *value = (ompd_cl_value_t *)(void *)((char *)info + column->to);

        get_field(view, column->field, value);
        if (value->status == ompd_cl_status_value && value->value == 0)
            value->status = column->status_of_zero;
    }
}

void layout_fields_show(struct layout_fields *view, uint32_t kind, void *info)
{
    fill_columns(view, columns_of_kinds[kind], info);
}

void layout_image_show(struct layout_fields *view, ompd_cl_memobj_info_t *info)
{
    fill_columns(view, image_columns, info);
}

ompd_rc_t layout_fields_test(struct layout_fields *view, const struct layout_rule *rule,
                             bool *holds)
{
    uint64_t number = 0;
    ompd_rc_t rc = read_object_number(view, rule->offset, rule->width, &number);

    *holds = number >= rule->least && number <= rule->most;
    return rc;
}

/* Return whether all rules that the object must meet hold; IS_DYING: but for that on the count that
 * is 0 while it is being destroyed. */
static bool meets_rules(struct layout_fields *view, bool is_dying)
{
    const struct layout_rule *dying = &view->object->dying;

    for (uint32_t i = 0; i < view->object->rule_count; i++) {
        const struct layout_rule *rule = &view->object->rules[i];
        bool may_be_0 = is_dying && dying->width != 0 && dying->offset == rule->offset;
        uint64_t number;

        if (read_object_number(view, rule->offset, rule->width, &number) != ompd_rc_ok)
            return false;
        if ((number < rule->least || number > rule->most) && !(may_be_0 && number == 0))
            return false;
    }
    return true;
}

ompd_rc_t layout_fields_find(struct layout_fields *view, struct address_space *space,
                             enum layout_kind kind, uint64_t handle, bool is_dying)
{
    struct target *target = &space->target;
    const uint8_t *bytes;
    uint64_t table;
    ompd_rc_t rc;

    rc = target_view(target, handle, target->pointer_size, 0, &bytes);
    if (rc != ompd_rc_ok)
        return rc;
    table = target_integer(target, bytes, target->pointer_size);
    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        const struct runtime *runtime = &space->layout->runtimes.all[i];

        if (table == 0 || runtime->table != table || runtime->layout == NULL ||
            (runtime_is_of_kin(runtime) && address_space_has_recorder(space)) ||
            !runtime->layout->objects[kind].is_there)
            continue;
        layout_fields_begin(view, space, &runtime->layout->objects[kind], handle);
        return meets_rules(view, is_dying) ? ompd_rc_ok : ompd_rc_unavailable;
    }
    return ompd_rc_unavailable;
}

void layout_fields_get_references(struct layout_fields *view, const struct inventory_item *item,
                                  ompd_cl_value_t *of_runtime, ompd_cl_value_t *references,
                                  ompd_cl_value_t *state)
{
    layout_fields_get(view, layout_references, of_runtime);
    layout_value_set(state, ompd_cl_object_state_live, ompd_cl_status_presumed);
    if (item->held == HELD_UNKNOWN) {
        layout_value_set_absent(references, ompd_cl_status_unknown);
        layout_value_set_absent(state, ompd_cl_status_unknown);
    } else if (of_runtime->status == ompd_cl_status_value && of_runtime->value >= item->held) {
        layout_value_set(references, of_runtime->value - item->held, ompd_cl_status_presumed);
        if (references->value == 0)
            state->value = ompd_cl_object_state_app_released;
    } else {
        layout_value_set_absent(references, of_runtime->status == ompd_cl_status_value
                                                ? ompd_cl_status_unknown
                                                : of_runtime->status);
    }
    if ((item->marks & (inventory_destroyed | inventory_released)) != 0)
        layout_value_set(references, 0, ompd_cl_status_presumed);
    if ((item->marks & inventory_released) != 0)
        state->value = ompd_cl_object_state_app_released;
    if ((item->marks & (inventory_dying | inventory_destroyed)) != 0)
        state->value = ompd_cl_object_state_destroying;
}

void layout_row_begin(struct address_space *space, uint32_t kind, void *info)
{
    struct layout_blank *blank = &space->layout->blank;

    if (blank->kind != kind) {
        blank->kind = kind;
        blank->size = kind_find(kind)->struct_size;
        blank_fill(kind, &blank->row, ompd_cl_source_layout, ompd_cl_status_unknown);
    }
    memcpy(info, &blank->row, blank->size);
}

void layout_row_apply_confidence(const struct inventory_item *item, ompd_cl_value_t *confidence,
                                 ompd_cl_value_t *doubt)
{
    layout_value_set(confidence, item->confidence, ompd_cl_status_value);
    layout_value_set(doubt, item->doubt,
                     item->doubt != ompd_cl_doubt_none ? ompd_cl_status_value
                                                       : ompd_cl_status_not_applicable);
}
