/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See base.h. */
#include <learn/base/base.h>

#include <stdlib.h>

#define WORD ((unsigned)sizeof(uintptr_t))
#define NODES_MOST (4 * LIST_ELEMENTS) /* of a list, including nodes that are not elements */

/* ---- Conversion to the library's types ------------------------------------------------------- */

static struct layout_location location_convert(const struct location *location)
{
    return (struct layout_location){
        .path = location->path,
        .width = location->width,
        .is_there = true,
        .adjust = location->adjust,
        .every = (uint32_t)location->every,
    };
}

/* Nodes of a sparse list whose key is 0 are not elements. */
static struct layout_condition sparseness_convert(const struct list_location *location)
{
    const struct location *key = &location->elements[location->key];

    if (!location->is_sparse)
        return (struct layout_condition){.is_except = false};
    return (struct layout_condition){{key->path.offsets[0], key->width, 1, UINT64_MAX}, false};
}

/* Whether the location of value number WHICH of the elements is known. */
static bool has_value(const struct list_location *location, enum specimen_list list, unsigned which)
{
    return list_infos[list].elements[which] != NULL && location->elements[which].path.count != 0;
}

static struct layout_list_location list_convert(const struct list_location *location,
                                                enum specimen_list list)
{
    static const enum layout_element elements[SPECIMEN_LISTS][2] = {
        [list_destructors] = {layout_function, layout_user_data},
        [list_svm] = {layout_svm_pointer, layout_svm_size},
        [list_events] = {layout_event_of},
        [list_devices] = {layout_element_device},
        [list_memobjs] = {layout_memobj_of},
        [list_wait_list] = {layout_waited_for},
    };
    struct layout_list_location converted = {
        .shape = location->shape,
        .first = location->first,
        .end = location->end,
        .height = location->height,
        .used = location->used,
        .children = location->children,
        .left = location->left,
        .right = location->right,
        .next = location->next,
        .stride = (uint32_t)location->stride,
        .chunk = (uint32_t)location->chunk,
        .adjust = location->adjust,
        .is_boxed = location->is_boxed,
        .is_newest_first = location->is_newest_first,
        .when = sparseness_convert(location),
    };

    for (unsigned i = 0; i < 2; i++)
        if (has_value(location, list, i))
            converted.elements[elements[list][i]] = location_convert(&location->elements[i]);
    return converted;
}

/* ---- Values ---------------------------------------------------------------------------------- */

bool path_follow(const struct layout_path *path, uintptr_t address, uintptr_t *at)
{
    const struct layout_location there = {.path = *path};
    struct target *target = own_target();
    uint64_t value;

    if (target == NULL || location_read(target, &there, address, &value) != ompd_rc_ok)
        return false;
    *at = (uintptr_t)value;
    return true;
}

bool path_read(const struct layout_path *path, const struct specimen *specimen, uint64_t *word)
{
    struct target *target = own_target();

    return path_is_within(path, WORD, &specimen->extent) && target != NULL &&
           container_path(target, path, specimen->handle, word) == ompd_rc_ok;
}

bool location_value(const struct location *location, uintptr_t address, uint64_t *value)
{
    const struct layout_location converted = location_convert(location);
    const struct layout_rule *rule = &location->when.rule;
    struct target *target = own_target();

    if (rule->width != 0) {
        if (!own_memory_number(address + (intptr_t)rule->offset, rule->width, value))
            return false;
        if (!layout_condition_holds(&location->when, *value)) {
            *value = 0;
            return true;
        }
    }
    return target != NULL && location_read(target, &converted, address, value) == ompd_rc_ok;
}

/* Whether the object at ADDRESS has the value at LOCATION. */
static bool location_is_known(const struct location *location, uintptr_t address)
{
    uintptr_t at;
    uint64_t word;

    return location->known.path.count == 0 || (path_follow(&location->known.path, address, &at) &&
                                               own_memory_number(at, WORD, &word) && word == 0);
}

bool path_is_within(const struct layout_path *path, unsigned width, const struct extent *extent)
{
    unsigned bytes = path->count > 1 ? WORD : width;

    return path->offsets[0] >= extent->lowest &&
           path->offsets[0] + (int32_t)bytes <= extent->highest;
}

bool location_fits(const struct location *location, const struct specimen *specimen, enum fact fact)
{
    uint64_t value;

    if (!path_is_within(&location->path, location->width, &specimen->extent))
        return false;
    if (!location_is_known(location, specimen->handle))
        return true;
    if (!location_value(location, specimen->handle, &value))
        return false;
    if (fact_infos[fact].is_followed && !own_memory_number((uintptr_t)value, WORD, &value))
        return false;
    /* The memory of a sub-buffer follows from that of its buffer. */
    if (fact == fact_host_pointer && specimen->values[fact_parent] != 0 && value == 0)
        return true;
    return value == specimen->values[fact];
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Whether a linked list ends soon.  The library would follow something else for a long time. */
static bool has_end(const struct list_location *location, struct target *target, uintptr_t handle)
{
    uint64_t node = 0;
    ompd_rc_t rc;

    if (location->shape != layout_linked)
        return true;
    rc = container_path(target, &location->first, handle, &node);
    for (unsigned i = 0; rc == ompd_rc_ok && node != 0; i++) {
        if (i == NODES_MOST)
            return false;
        rc = container_number(target, node, location->next, WORD, &node);
    }
    return rc == ompd_rc_ok || rc == ompd_rc_unavailable;
}

bool list_read(const struct list_location *location, uintptr_t handle, enum specimen_list list,
               struct truth_list *read)
{
    const struct layout_list_location converted = list_convert(location, list);
    struct target *target = own_target();
    struct container container;

    *read = (struct truth_list){.is_known = true};
    if (target == NULL || !has_end(location, target, handle) ||
        container_begin(&container, target, &converted, handle) != ompd_rc_ok ||
        container.count > NODES_MOST)
        return false;
    for (;; read->count++) {
        struct container_element element;

        if (container_next(&container, target, &element) != ompd_rc_ok)
            return false;
        if (element.address == 0)
            return true;
        if (read->count == LIST_ELEMENTS)
            return false;
        for (unsigned i = 0; i < 2; i++) {
            const struct layout_location of_value = location_convert(&location->elements[i]);
            uint64_t value = 0;

            if (has_value(location, list, i) &&
                element_read(target, &of_value, &element, &value) != ompd_rc_ok)
                return false;
            read->elements[read->count][i] = (uintptr_t)value;
        }
    }
}

static const struct truth_list *sorted;
static unsigned sorted_key;

static int keys_compare(const void *one, const void *other)
{
    uintptr_t first = sorted->elements[*(const unsigned *)one][sorted_key];
    uintptr_t second = sorted->elements[*(const unsigned *)other][sorted_key];

    return (first > second) - (first < second);
}

static bool is_tree(const struct list_location *location)
{
    return location->shape == layout_tree || location->shape == layout_binary_tree;
}

/* Put the indices of the elements of TRUTH in ORDER, as they are in the list at LOCATION. */
static void list_order(const struct list_location *location, enum specimen_list list,
                       const struct truth_list *truth, unsigned *order)
{
    /* The library returns callbacks newest first. */
    bool is_reversed = list == list_destructors || location->is_newest_first;

    for (unsigned i = 0; i < truth->count; i++)
        order[i] = is_reversed ? truth->count - 1 - i : i;
    if (!is_tree(location))
        return;
    sorted = truth;
    sorted_key = location->key;
    qsort(order, truth->count, sizeof(order[0]), keys_compare);
}

/* Whether the words that lead to the list of COUNT elements are within the specimen. */
static bool list_is_within(const struct list_location *location, const struct specimen *specimen,
                           unsigned count)
{
    const struct extent *extent = &specimen->extent;

    if (!is_tree(location))
        return path_is_within(&location->first, WORD, extent);
    return path_is_within(&location->end, WORD, extent) &&
           (count == 0 || (path_is_within(&location->first, WORD, extent) &&
                           (location->shape == layout_binary_tree ||
                            path_is_within(&location->height, WORD, extent))));
}

bool list_fits(const struct list_location *location, const struct specimen *specimen,
               enum specimen_list list)
{
    const struct truth_list *truth = &specimen->lists[list];
    unsigned order[LIST_ELEMENTS];
    struct truth_list read;

    if (!list_is_within(location, specimen, truth->count) ||
        !list_read(location, specimen->handle, list, &read) || read.count != truth->count)
        return false;
    list_order(location, list, truth, order);
    for (unsigned i = 0; i < read.count; i++)
        for (unsigned j = 0; j < 2; j++)
            if (has_value(location, list, j) && read.elements[i][j] != truth->elements[order[i]][j])
                return false;
    return true;
}
