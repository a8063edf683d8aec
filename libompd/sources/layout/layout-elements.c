/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fills info structs from the lists of an object. */
#include "sources/layout/layout-source.h"

#include "sources/recorder/recorder.h"
#include "sources/recorder/registry.h"

#define VALUE ompd_cl_status_value
#define PRESUMED ompd_cl_status_presumed
#define UNKNOWN ompd_cl_status_unknown

static const struct layout_list_location *element_location(const struct address_space *space,
                                                           const struct inventory_item *item,
                                                           enum layout_list list)
{
    return &layout_object_of(space, item)->lists[list];
}

ompd_rc_t layout_list_begin(struct address_space *space, const struct inventory_item *item,
                            enum layout_list list, struct container *container)
{
    return container_begin(container, &space->target, element_location(space, item, list),
                           item->handle);
}

/* Set *VALUE to the value at LOCATION of ELEMENT. */
static void get_value(struct address_space *space, const struct layout_location *location,
                      const struct container_element *element, ompd_cl_value_t *value,
                      ompd_rc_t *result)
{
    uint64_t number = 0;
    ompd_rc_t rc = ompd_rc_unavailable;

    if (location->is_there)
        rc = element_read(&space->target, location, element, &number);
    layout_value_read(space, value, rc, number, result);
}

/* Get the function of ELEMENT. Returns false when the callback has run, so that the word is not its
 * function. */
static bool get_function(struct address_space *space, const struct inventory_item *item,
                         const struct container_element *element, ompd_cl_value_t *function,
                         ompd_rc_t *result)
{
    const struct layout_list_location *location = element_location(space, item, layout_destructors);
    enum callback_sign sign = callback_has_code;
    bool is_dying = (item->marks & inventory_dying) != 0;
    ompd_rc_t doubt;
    ompd_rc_t rc = ompd_rc_ok;

    get_value(space, &location->elements[layout_function], element, function, &rc);
    code_doubt_forget(&space->code);
    if (function->status == VALUE)
        sign = callback_inspect(&space->code, &space->target, element->address, function->value);
    doubt = code_doubt_check(&space->code, &space->target);
    if (rc_is_final(doubt))
        rc = doubt;
    if (is_dying && (function->status != VALUE || sign == callback_is_over) && !rc_is_final(rc))
        return false;
    if (sign != callback_has_code || doubt != ompd_rc_ok)
        function->status = PRESUMED;
    if (rc != ompd_rc_ok)
        *result = rc;
    return true;
}

static bool fill_destructor(struct address_space *space, const struct inventory_item *item,
                            const struct container_element *element,
                            ompd_cl_destructor_info_t *info, ompd_rc_t *result)
{
    const struct layout_list_location *location = element_location(space, item, layout_destructors);

    layout_row_begin(space, ompd_cl_kind_destructor, info);
    if (!get_function(space, item, element, &info->function, result))
        return false;
    get_value(space, &location->elements[layout_user_data], element, &info->user_data, result);
    trampoline_translate(space, ompd_cl_registry_callback, item->handle, &info->function,
                         &info->user_data);
    layout_value_set(&info->object, item->handle, VALUE);
    /* Which callbacks of an object that is being destroyed have begun is not known. */
    if ((item->marks & inventory_dying) == 0) {
        layout_value_set(&info->state, ompd_cl_callback_state_registered, VALUE);
        layout_value_set_absent(&info->running_lwp, ompd_cl_status_not_applicable);
    }
    layout_value_set(&info->head.source, ompd_cl_source_layout, VALUE);
    return true;
}

static void set_svm_state(struct address_space *space, uint64_t pointer, ompd_cl_value_t *state,
                          ompd_rc_t *result)
{
    bool is_pending;
    ompd_rc_t rc = svm_pending_find(space, pointer, &is_pending);

    layout_value_read(space, state, rc,
                      is_pending ? ompd_cl_svm_state_free_enqueued : ompd_cl_svm_state_allocated,
                      result);
    if (state->status == VALUE)
        state->status = PRESUMED;
}

static void fill_svm(struct address_space *space, const struct inventory_item *item,
                     const struct container_element *element, ompd_cl_svm_info_t *info,
                     ompd_rc_t *result)
{
    const struct layout_location *elements = element_location(space, item, layout_svm)->elements;
    struct identifier identifier = {.kind = ompd_cl_kind_svm};

    layout_row_begin(space, ompd_cl_kind_svm, info);
    get_value(space, &elements[layout_svm_pointer], element, &info->head.handle, result);
    get_value(space, &elements[layout_svm_size], element, &info->size, result);
    identifier.handle = info->head.handle.value;
    if (identifier.handle != 0)
        info->head.id = identifier_encode(identifier, space->salt);
    layout_value_set(&info->kind, ompd_cl_svm_core, PRESUMED);
    layout_value_set(&info->context, item->handle, VALUE);
    set_svm_state(space, identifier.handle, &info->state, result);
    layout_value_set(&info->head.source, ompd_cl_source_layout, VALUE);
    layout_row_apply_confidence(item, &info->head.confidence, &info->head.doubt);
}

ompd_rc_t layout_element_fill(struct address_space *space, enum layout_list list,
                              const struct inventory_item *item,
                              const struct container_element *element, void *info, bool *is_row)
{
    ompd_rc_t rc = ompd_rc_ok;

    *is_row = true;
    if (list == layout_destructors)
        *is_row = fill_destructor(space, item, element, info, &rc);
    else
        fill_svm(space, item, element, info, &rc);
    kin_row_presume(&space->layout->runtimes.all[item->runtime],
                    list == layout_destructors ? ompd_cl_kind_destructor : ompd_cl_kind_svm, info);
    return rc;
}

/* Set *VALUE to the number of destructor callbacks in the list of ITEM. An empty list is a guess
 * where the runtime may take callbacks out of the list before it runs them. */
static void doubt_none(struct layout_fields *view, const struct inventory_item *item,
                       ompd_cl_value_t *value)
{
    const struct layout_rule *taken = &layout_object_of(view->space, item)->taken;
    bool is_taken;
    ompd_rc_t rc;

    if (taken->width == 0 || value->status != VALUE || value->value != 0)
        return;
    rc = layout_fields_test(view, taken, &is_taken);
    layout_value_read(view->space, value, rc, 0, &view->rc);
    if (rc == ompd_rc_ok && is_taken)
        value->status = PRESUMED;
}

/* Count the callbacks in CONTAINER, of ITEM, which is being destroyed, except those that have
 * run. */
static ompd_rc_t count_remaining(struct address_space *space, const struct inventory_item *item,
                                 struct container *container, uint64_t *count)
{
    struct container_element element = {.address = 1};
    ompd_cl_value_t function;
    ompd_rc_t ignored = ompd_rc_ok;
    ompd_rc_t rc = ompd_rc_ok;

    while (rc == ompd_rc_ok && element.address != 0) {
        rc = container_next(container, &space->target, &element);
        if (rc == ompd_rc_ok && element.address != 0)
            *count += get_function(space, item, &element, &function, &ignored);
    }
    return rc;
}

void layout_count(struct layout_fields *view, const struct inventory_item *item,
                  enum layout_list list, ompd_cl_value_t *value)
{
    struct address_space *space = view->space;
    bool is_of_callbacks = list == layout_destructors;
    struct container container;
    uint64_t count = 0;
    ompd_rc_t rc;

    layout_value_set_absent(value, UNKNOWN);
    if ((layout_object_of(space, item)->absent >> list & 1) != 0)
        layout_value_set(value, 0, PRESUMED);
    if (element_location(space, item, list)->shape == layout_no_list ||
        (is_of_callbacks && (item->marks & inventory_deferred) != 0))
        return;
    rc = layout_list_begin(space, item, list, &container);
    if (rc == ompd_rc_ok && is_of_callbacks && (item->marks & inventory_dying) != 0)
        rc = count_remaining(space, item, &container, &count);
    else if (rc == ompd_rc_ok)
        rc = container_count(&container, &space->target, &count);
    layout_value_read(space, value, rc, count, &view->rc);
    if (is_of_callbacks)
        doubt_none(view, item, value);
}
