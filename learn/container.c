/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See container.h. */
#include <learn/container.h>

#include <learn/own-memory.h>

#define WORD ((int32_t)sizeof(uintptr_t))
#define NODE_STEPS (4 * LIST_ELEMENTS) /* of a linked list, with those that are no elements */

static bool read_word(uintptr_t address, uintptr_t *word)
{
    uint64_t number;

    if (!own_memory_number(address, sizeof(*word), &number))
        return false;
    *word = (uintptr_t)number;
    return true;
}

bool path_follow(const struct path *path, uintptr_t address, uintptr_t *at)
{
    for (unsigned i = 0; i + 1 < path->count; i++)
        if (!read_word(address + (intptr_t)path->offsets[i], &address) || address == 0)
            return false;
    *at = address + (intptr_t)path->offsets[path->count - 1];
    return true;
}

bool condition_holds(const struct condition *condition, uint64_t number)
{
    return (number >= condition->rule.least && number <= condition->rule.most) !=
           condition->is_except;
}

bool location_read(const struct location *location, uintptr_t address, uint64_t *value)
{
    const struct rule *rule = &location->when.rule;
    uintptr_t at;

    if (rule->width != 0) {
        if (!own_memory_number(address + (intptr_t)rule->offset, rule->width, value))
            return false;
        if (!condition_holds(&location->when, *value)) {
            *value = 0;
            return true;
        }
    }
    if (!path_follow(&location->path, address, &at))
        return false;
    if (location->width == 0) {
        *value = at;
        return true;
    }
    if (!own_memory_number(at, location->width, value))
        return false;
    if (location->adjust != 0 && *value != 0)
        *value = (uintptr_t)(*value + (uint64_t)(int64_t)location->adjust);
    return true;
}

bool location_is_known(const struct location *location, uintptr_t address)
{
    uintptr_t word;

    return location->known.path.count == 0 ||
           (path_follow(&location->known.path, address, &address) && read_word(address, &word) &&
            word == 0);
}

bool path_is_within(const struct path *path, unsigned width, const struct extent *extent)
{
    unsigned bytes = path->count > 1 ? (unsigned)WORD : width;

    return path->offsets[0] >= extent->lowest &&
           path->offsets[0] + (int32_t)bytes <= extent->highest;
}

bool location_fits(const struct location *location, const struct subject *subject, enum fact fact)
{
    uint64_t value;

    if (!path_is_within(&location->path, location->width, &subject->extent))
        return false;
    if (!location_is_known(location, subject->handle))
        return true;
    if (!location_read(location, subject->handle, &value))
        return false;
    if (fact_infos[fact].is_followed && !own_memory_number((uintptr_t)value, WORD, &value))
        return false;
    /* Where a sub-buffer's memory is follows from its buffer's. */
    if (fact == fact_host_pointer && subject->values[fact_parent] != 0 && value == 0)
        return true;
    return value == subject->values[fact];
}

/* Whether NODE is no element of the list. */
static bool is_left_out(const struct list_location *location, uintptr_t node)
{
    uint64_t key;

    return location->is_sparse && location_read(&location->elements[location->key], node, &key) &&
           key == 0;
}

static bool walk_linked(const struct list_location *location, uintptr_t handle, uintptr_t *elements,
                        unsigned *count)
{
    uintptr_t at;
    uintptr_t node;

    if (!path_follow(&location->first, handle, &at) || !read_word(at, &node))
        return false;
    *count = 0;
    for (unsigned steps = 0; node != 0; steps++) {
        if (*count > LIST_ELEMENTS || steps > NODE_STEPS)
            return false;
        if (!is_left_out(location, node))
            elements[(*count)++] = node;
        if (!read_word(node + (intptr_t)location->next, &node))
            return false;
    }
    return true;
}

/* Elements one behind the other, of which the first is at FIRST. */
static bool walk_row(const struct list_location *location, uintptr_t first, uintptr_t number,
                     uintptr_t *elements, unsigned *count)
{
    if (number > LIST_ELEMENTS + 1)
        return false;
    for (*count = 0; *count < number; (*count)++) {
        elements[*count] = first + *count * (uintptr_t)location->stride;
        if (!location->is_boxed)
            continue;
        if (!read_word(elements[*count], &elements[*count]))
            return false;
        elements[*count] += (intptr_t)location->adjust;
    }
    return true;
}

static bool walk_contiguous(const struct list_location *location, uintptr_t handle,
                            uintptr_t *elements, unsigned *count)
{
    uintptr_t first;
    uintptr_t end;
    uintptr_t at;

    if (!path_follow(&location->first, handle, &at) || !read_word(at, &first) ||
        !path_follow(&location->end, handle, &at) || !read_word(at, &end))
        return false;
    if (location->shape == shape_array)
        return walk_row(location, first, end, elements, count);
    if (end < first || (end - first) % (uintptr_t)location->stride != 0)
        return false;
    return walk_row(location, first, (end - first) / (uintptr_t)location->stride, elements, count);
}

/* What a std::deque keeps of either end. */
struct iterator {
    uintptr_t current;
    uintptr_t first; /* of its chunk */
    uintptr_t last;
    uintptr_t node; /* the address of the pointer to its chunk */
};

static bool read_iterator(const struct path *path, uintptr_t handle, int32_t chunk,
                          struct iterator *iterator)
{
    uintptr_t at;
    uintptr_t stored;

    return path_follow(path, handle, &at) && own_memory_read(at, iterator, sizeof(*iterator)) &&
           iterator->last - iterator->first == (uintptr_t)chunk &&
           iterator->current >= iterator->first && iterator->current < iterator->last &&
           read_word(iterator->node, &stored) && stored == iterator->first;
}

static bool walk_deque(const struct list_location *location, uintptr_t handle, uintptr_t *elements,
                       unsigned *count)
{
    struct iterator first;
    struct iterator end;

    if (!read_iterator(&location->first, handle, location->chunk, &first) ||
        !read_iterator(&location->end, handle, location->chunk, &end))
        return false;
    for (*count = 0; first.current != end.current; (*count)++) {
        if (*count > LIST_ELEMENTS)
            return false;
        elements[*count] = first.current;
        first.current += (uintptr_t)location->stride;
        if (first.current != first.first + (uintptr_t)location->chunk)
            continue;
        first.node += sizeof(uintptr_t);
        if (!read_word(first.node, &first.first))
            return false;
        first.current = first.first;
    }
    return true;
}

/* Whether a pointer on the way to the list is 0: then it is empty. */
static bool leads_nowhere(const struct path *path, uintptr_t address)
{
    for (unsigned i = 0; i + 1 < path->count; i++)
        if (!read_word(address + (intptr_t)path->offsets[i], &address))
            return false;
        else if (address == 0)
            return true;
    return false;
}

bool list_walk(const struct list_location *location, uintptr_t handle, uintptr_t *elements,
               unsigned *count)
{
    if (leads_nowhere(&location->first, handle)) {
        *count = 0;
        return true;
    }
    switch (location->shape) {
    case shape_linked:
        return walk_linked(location, handle, elements, count);
    case shape_deque:
        return walk_deque(location, handle, elements, count);
    default:
        return walk_contiguous(location, handle, elements, count);
    }
}

bool list_fits(const struct list_location *location, const struct subject *subject,
               enum subject_list list)
{
    const struct truth_list *truth = &subject->lists[list];
    uintptr_t elements[LIST_ELEMENTS + 2];
    unsigned count;

    if (location->shape == shape_tree)
        return tree_fits(location, subject, list);
    if (location->shape == shape_binary_tree)
        return binary_tree_fits(location, subject, list);
    if (!path_is_within(&location->first, WORD, &subject->extent) ||
        !list_walk(location, subject->handle, elements, &count) || count != truth->count)
        return false;
    for (unsigned i = 0; i < count; i++) {
        unsigned of = location->is_newest_first ? count - 1 - i : i;

        for (unsigned j = 0; j < 2 && list_infos[list].elements[j] != NULL; j++) {
            uint64_t value;

            if (!location_read(&location->elements[j], elements[i], &value) ||
                value != truth->elements[of][j])
                return false;
        }
    }
    return true;
}
