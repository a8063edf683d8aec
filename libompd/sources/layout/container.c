/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists in a runtime's memory, of the shapes that layouts describe. */
#include "sources/layout/layout.h"

#include <string.h>

/* A linked list of callbacks with the oldest first is walked once for each element, so it is
 * followed no further than this. */
#define REVERSED_LIMIT 4096

ompd_rc_t container_refuse(struct target *target)
{
    target->failure = ompd_cl_status_corrupt;
    return ompd_rc_incomplete;
}

static inline ompd_rc_t fail_memory(struct target *target)
{
    return container_refuse(target);
}

/* ADDRESS plus OFFSET, if the target has such an address. */
static inline bool offset_address(const struct target *target, uint64_t address, int64_t offset,
                                  uint64_t *sum)
{
    *sum = address + (uint64_t)offset;
    if (offset < 0 ? *sum > address : *sum < address)
        return false;
    return target->pointer_size == 8 || *sum <= UINT32_MAX;
}

/* Read the number of WIDTH bytes at ADDRESS plus OFFSET. */
static inline ompd_rc_t read_container_number(struct target *target, uint64_t address,
                                              int64_t offset, unsigned width, uint64_t *number)
{
    const uint8_t *bytes;
    ompd_rc_t rc;

    if (!offset_address(target, address, offset, &address))
        return fail_memory(target);
    rc = target_view(target, address, width, 0, &bytes);
    if (rc == ompd_rc_ok)
        *number = target_integer(target, bytes, width);
    return rc;
}

static inline ompd_rc_t read_container_word(struct target *target, uint64_t address, int64_t offset,
                                            uint64_t *word)
{
    return read_container_number(target, address, offset, target->pointer_size, word);
}

/* Follow all but the last offset of PATH from ADDRESS on: *BASE plus the last is the location.
 * ompd_rc_unavailable when a pointer on the way is 0. */
static inline ompd_rc_t follow_path(struct target *target, const struct layout_path *path,
                                    uint64_t address, uint64_t *base)
{
    for (unsigned i = 0; i + 1 < path->count; i++) {
        ompd_rc_t rc = read_container_word(target, address, path->offsets[i], &address);

        if (rc != ompd_rc_ok)
            return rc;
        if (address == 0)
            return ompd_rc_unavailable;
    }
    *base = address;
    return ompd_rc_ok;
}

/* Read the word that PATH leads to. */
static inline ompd_rc_t read_path(struct target *target, const struct layout_path *path,
                                  uint64_t address, uint64_t *word)
{
    ompd_rc_t rc = follow_path(target, path, address, &address);

    return rc == ompd_rc_ok
               ? read_container_word(target, address, path->offsets[path->count - 1], word)
               : rc;
}

ompd_rc_t location_read(struct target *target, const struct layout_location *location,
                        uint64_t address, uint64_t *value)
{
    int64_t last = location->path.offsets[location->path.count - 1];
    uint64_t number = 0;
    ompd_rc_t rc;

    rc = follow_path(target, &location->path, address, &address);
    if (rc != ompd_rc_ok)
        return rc;
    if (location->width == 0)
        return offset_address(target, address, last + location->adjust, value)
                   ? rc
                   : fail_memory(target);
    rc = read_container_number(target, address, last, location->width, &number);
    if (rc == ompd_rc_ok)
        *value = location_adjust(target, location, number);
    return rc;
}

ompd_rc_t container_number(struct target *target, uint64_t address, int64_t offset, unsigned width,
                           uint64_t *number)
{
    return read_container_number(target, address, offset, width, number);
}

ompd_rc_t container_path(struct target *target, const struct layout_path *path, uint64_t address,
                         uint64_t *word)
{
    return read_path(target, path, address, word);
}

ompd_rc_t element_read(struct target *target, const struct layout_location *location,
                       const struct container_element *element, uint64_t *value)
{
    uint64_t address;

    if (!offset_address(target, element->address, (int64_t)(element->index * location->every),
                        &address))
        return fail_memory(target);
    return location_read(target, location, address, value);
}

/* ---- Linked lists ---------------------------------------------------------------------------- */

static bool is_of_callbacks(const struct layout_list_location *location)
{
    return location->elements[layout_function].is_there;
}

/* Whether elements are read from the end, where the newest one is. */
static bool order_is_reversed(const struct layout_list_location *location)
{
    return is_of_callbacks(location) && !location->is_newest_first;
}

/* Count the nodes of a linked list from the first, up to LIMIT, so that it is known to end before
 * any element is returned. */
static ompd_rc_t limit_nodes(struct container *container, struct target *target, uint64_t limit)
{
    uint64_t node = container->start;
    uint64_t mark = 0;

    for (container->count = 0; node != 0; container->count++) {
        ompd_rc_t rc;

        if (container->count == limit || node == mark)
            return fail_memory(target);
        /* Brent's algorithm: a cycle returns to the mark, which advances as the steps double. */
        if ((container->count & (container->count - 1)) == 0)
            mark = node;
        rc = read_container_word(target, node, container->location->next, &node);
        if (rc != ompd_rc_ok)
            return rc;
    }
    return ompd_rc_ok;
}

static ompd_rc_t begin_linked(struct container *container, struct target *target)
{
    uint64_t limit = order_is_reversed(container->location) ? REVERSED_LIMIT : CONTAINER_LIMIT;
    ompd_rc_t rc =
        read_path(target, &container->location->first, container->object, &container->start);

    if (rc != ompd_rc_ok)
        return rc;
    container->next_node = container->start;
    return limit_nodes(container, target, limit);
}

/* Find the node that follows `passed` others, in `at`. */
static ompd_rc_t find_node(struct container *container, struct target *target)
{
    uint64_t steps = container->count - 1 - container->passed;

    container->next_node = container->start;
    for (; steps != 0; steps--) {
        ompd_rc_t rc = read_container_word(target, container->next_node, container->location->next,
                                           &container->next_node);

        if (rc != ompd_rc_ok)
            return rc;
        if (container->next_node == 0)
            return fail_memory(target);
    }
    return ompd_rc_ok;
}

static ompd_rc_t next_linked(struct container *container, struct target *target, uint64_t *slot)
{
    bool is_from_end = order_is_reversed(container->location);
    ompd_rc_t rc = is_from_end ? find_node(container, target) : ompd_rc_ok;

    if (rc != ompd_rc_ok)
        return rc;
    *slot = container->next_node;
    if (*slot == 0)
        return fail_memory(target);
    if (is_from_end || container->passed + 1 == container->count)
        return ompd_rc_ok;
    return read_container_word(target, *slot, container->location->next, &container->next_node);
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* COUNT elements from `start` on must lie in the address space. */
static ompd_rc_t set_count(struct container *container, struct target *target, uint64_t count)
{
    uint64_t end;

    if (count > CONTAINER_LIMIT || (count != 0 && container->start == 0) ||
        !offset_address(target, container->start, (int64_t)(count * container->location->stride),
                        &end))
        return fail_memory(target);
    container->count = count;
    return ompd_rc_ok;
}

static ompd_rc_t begin_range(struct container *container, struct target *target)
{
    const struct layout_list_location *location = container->location;
    uint64_t end = 0;
    ompd_rc_t rc;

    rc = read_path(target, &location->first, container->object, &container->start);
    if (rc == ompd_rc_ok)
        rc = read_path(target, &location->end, container->object, &end);
    if (rc != ompd_rc_ok)
        return rc;
    if (end < container->start || (end - container->start) % location->stride != 0)
        return fail_memory(target);
    return set_count(container, target, (end - container->start) / location->stride);
}

static ompd_rc_t begin_array(struct container *container, struct target *target)
{
    const struct layout_list_location *location = container->location;
    uint64_t count = 0;
    ompd_rc_t rc;

    rc = read_path(target, &location->end, container->object, &count);
    if (rc == ompd_rc_ok && count != 0)
        rc = read_path(target, &location->first, container->object, &container->start);
    return rc == ompd_rc_ok ? set_count(container, target, count) : rc;
}

/* ---- Deques ---------------------------------------------------------------------------------- */

/* std::deque's iterator: an element, its chunk, and the chunk's entry in the table of chunks. */
struct iterator {
    uint64_t current;
    uint64_t first;
    uint64_t last;
    uint64_t node;
};

static uint64_t elements_of_chunk(const struct layout_list_location *location)
{
    return location->chunk > location->stride ? location->chunk / location->stride : 1;
}

static ompd_rc_t read_iterator(struct target *target, const struct layout_list_location *location,
                               const struct layout_path *path, uint64_t object,
                               struct iterator *iterator)
{
    uint64_t *members[] = {&iterator->current, &iterator->first, &iterator->last, &iterator->node};
    int64_t offset = path->offsets[path->count - 1];
    ompd_rc_t rc;

    rc = follow_path(target, path, object, &object);
    for (unsigned i = 0; i < 4 && rc == ompd_rc_ok; i++)
        rc = read_container_word(target, object, offset + i * (int64_t)target->pointer_size,
                                 members[i]);
    if (rc != ompd_rc_ok)
        return rc;
    if (iterator->current < iterator->first || iterator->current > iterator->last ||
        iterator->last - iterator->first != elements_of_chunk(location) * location->stride ||
        (iterator->current - iterator->first) % location->stride != 0)
        return fail_memory(target);
    return ompd_rc_ok;
}

/* `start` gets the number of the first element in its chunk, in elements. */
static ompd_rc_t begin_deque(struct container *container, struct target *target)
{
    const struct layout_list_location *location = container->location;
    struct iterator first;
    struct iterator end;
    uint64_t chunks;
    uint64_t count;
    ompd_rc_t rc;

    rc = read_iterator(target, location, &location->first, container->object, &first);
    if (rc == ompd_rc_ok)
        rc = read_iterator(target, location, &location->end, container->object, &end);
    if (rc != ompd_rc_ok)
        return rc;
    if (end.node < first.node || (end.node - first.node) % target->pointer_size != 0)
        return fail_memory(target);
    chunks = (end.node - first.node) / target->pointer_size;
    if (chunks > CONTAINER_LIMIT)
        return fail_memory(target);
    container->chunk_map = first.node;
    container->start = (first.current - first.first) / location->stride;
    count = chunks * elements_of_chunk(location) + (end.current - end.first) / location->stride;
    if (count < container->start || count - container->start > CONTAINER_LIMIT)
        return fail_memory(target);
    container->count = count - container->start;
    return ompd_rc_ok;
}

static ompd_rc_t find_in_deque(const struct container *container, struct target *target,
                               uint64_t index, uint64_t *slot)
{
    uint64_t in_chunk = elements_of_chunk(container->location);
    uint64_t position = container->start + index;
    uint64_t chunk = 0;
    ompd_rc_t rc;

    rc = read_container_word(target, container->chunk_map,
                             (int64_t)(position / in_chunk * target->pointer_size), &chunk);
    if (rc != ompd_rc_ok)
        return rc;
    if (chunk == 0 ||
        !offset_address(target, chunk, (int64_t)(position % in_chunk * container->location->stride),
                        slot))
        return fail_memory(target);
    return ompd_rc_ok;
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Whether each node leads to others, so that an unreadable node loses these as well. */
static bool is_of_nodes(const struct layout_list_location *location)
{
    return location->shape == layout_linked || location->shape == layout_tree ||
           location->shape == layout_binary_tree;
}

ompd_rc_t container_begin(struct container *container, struct target *target,
                          const struct layout_list_location *location, uint64_t object)
{
    ompd_rc_t rc;

    memset(container, 0, offsetof(struct container, path));
    container->location = location;
    container->object = object;
    if (location->stride == 0 && location->shape != layout_no_list && !is_of_nodes(location))
        return fail_memory(target);
    switch (location->shape) {
    case layout_linked:
        rc = begin_linked(container, target);
        break;
    case layout_range:
        rc = begin_range(container, target);
        break;
    case layout_array:
        rc = begin_array(container, target);
        break;
    case layout_deque:
        rc = begin_deque(container, target);
        break;
    case layout_tree:
        rc = container_tree_begin(container, target);
        break;
    case layout_binary_tree:
        rc = container_binary_tree_begin(container, target);
        break;
    default:
        rc = ompd_rc_ok;
        break;
    }
    if (rc == ompd_rc_ok)
        return rc;
    container->count = 0;
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}

static ompd_rc_t find_node_slot(struct container *container, struct target *target,
                                struct container_element *slot)
{
    const struct layout_list_location *location = container->location;
    uint64_t index =
        order_is_reversed(location) ? container->count - 1 - container->passed : container->passed;

    switch (location->shape) {
    case layout_linked:
        return next_linked(container, target, &slot->address);
    case layout_deque:
        return find_in_deque(container, target, index, &slot->address);
    case layout_tree:
        return container_tree_next(container, target, slot);
    case layout_binary_tree:
        return container_binary_tree_next(container, target, slot);
    default:
        slot->address = container->start + index * location->stride;
        return ompd_rc_ok;
    }
}

/* Count as lost the unavailable element, or the elements after a broken link. */
static ompd_rc_t lose_rest(struct container *container, uint64_t count)
{
    container->lost += count;
    container->passed += count;
    return ompd_rc_incomplete;
}

/* Store in SLOT the element itself where the list has pointers to them. */
static ompd_rc_t unbox_element(const struct layout_list_location *location, struct target *target,
                               struct container_element *slot)
{
    ompd_rc_t rc;

    if (!location->is_boxed)
        return ompd_rc_ok;
    rc = read_container_word(target, slot->address, 0, &slot->address);
    if (rc == ompd_rc_ok &&
        (slot->address == 0 ||
         !offset_address(target, slot->address, location->adjust, &slot->address)))
        return fail_memory(target);
    return rc;
}

/* Determine whether SLOT of the list is an element: other slots may be in between. */
static ompd_rc_t check_list(const struct layout_list_location *location, struct target *target,
                            const struct container_element *slot, bool *is_element)
{
    const struct layout_condition *when = &location->when;
    uint64_t number = 0;
    ompd_rc_t rc;

    *is_element = true;
    if (when->rule.width == 0)
        return ompd_rc_ok;
    rc = read_container_number(target, slot->address, when->rule.offset, when->rule.width, &number);
    if (rc == ompd_rc_ok)
        *is_element = layout_condition_holds(when, number);
    return rc;
}

ompd_rc_t container_next(struct container *container, struct target *target,
                         struct container_element *element)
{
    const struct layout_list_location *location = container->location;
    bool is_element = false;

    while (!is_element && container->passed != container->count) {
        struct container_element slot = {0};
        ompd_rc_t rc = find_node_slot(container, target, &slot);

        if (rc == ompd_rc_incomplete)
            return lose_rest(container,
                             is_of_nodes(location) ? container->count - container->passed : 1);
        if (rc == ompd_rc_ok)
            rc = unbox_element(location, target, &slot);
        if (rc == ompd_rc_ok)
            rc = check_list(location, target, &slot, &is_element);
        if (rc == ompd_rc_incomplete)
            return lose_rest(container, 1);
        if (rc != ompd_rc_ok)
            return rc;
        container->passed++;
        *element = slot;
    }
    if (!is_element)
        *element = (struct container_element){0};
    return ompd_rc_ok;
}

ompd_rc_t container_count(const struct container *container, struct target *target, uint64_t *count)
{
    struct container_element element = {.address = 1};
    ompd_rc_t worst = ompd_rc_ok;
    struct container walk;
    uint64_t given = 0;

    if (container->location->when.rule.width == 0) {
        *count = container->count;
        return ompd_rc_ok;
    }
    walk = *container;
    while (element.address != 0) {
        ompd_rc_t rc = container_next(&walk, target, &element);

        if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
            return rc;
        if (rc == ompd_rc_ok)
            given += element.address != 0;
        else
            worst = rc;
    }
    *count = given;
    return worst;
}
