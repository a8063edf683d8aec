/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Containers that are B-trees or binary trees. */
#include "sources/layout/layout.h"

/* ---- B-trees --------------------------------------------------------------------------------- */

/*
 * B-trees such as Rust's BTreeMap: a node has several elements side by side. Above the leaves it
 * also has a pointer to a node in front of each element, and one behind the last.
 */

#define USED_WIDTH 2    /* bytes of a node's count of elements */
#define USED_LIMIT 4096 /* no node has more */

/* Read how many elements NODE has: at least one. */
static ompd_rc_t read_used(const struct container *container, struct target *target, uint64_t node,
                           uint64_t *used)
{
    ompd_rc_t rc = container_number(target, node, container->location->used, USED_WIDTH, used);

    if (rc == ompd_rc_ok && (*used == 0 || *used > USED_LIMIT))
        return container_refuse(target);
    return rc;
}

/* Descend from NODE on LEVEL to the first leaf below it. */
static ompd_rc_t tree_descend(struct container *container, struct target *target, uint64_t node,
                              uint32_t level)
{
    for (;;) {
        ompd_rc_t rc;

        if (node == 0)
            return container_refuse(target);
        container->path[level] = (struct container_element){.address = node};
        container->level = level;
        if (level == 0)
            return ompd_rc_ok;
        level--;
        rc = container_number(target, node, container->location->children, target->pointer_size,
                              &node);
        if (rc != ompd_rc_ok)
            return rc;
    }
}

ompd_rc_t container_tree_begin(struct container *container, struct target *target)
{
    const struct layout_list_location *location = container->location;
    uint64_t height = 0;
    uint64_t count;
    ompd_rc_t rc;

    rc = container_path(target, &location->end, container->object, &count);
    if (rc != ompd_rc_ok || count == 0)
        return rc;
    rc = container_path(target, &location->first, container->object, &container->start);
    if (rc == ompd_rc_ok)
        rc = container_path(target, &location->height, container->object, &height);
    if (rc != ompd_rc_ok)
        return rc;
    if (count > CONTAINER_LIMIT || height >= CONTAINER_HEIGHT)
        return container_refuse(target);
    container->height = (uint32_t)height;
    rc = tree_descend(container, target, container->start, container->height);
    if (rc == ompd_rc_ok)
        container->count = count;
    return rc;
}

/* Climb to the next node with remaining elements. */
static ompd_rc_t tree_climb(struct container *container, struct target *target)
{
    for (;;) {
        const struct container_element *location = &container->path[container->level];
        uint64_t used;
        ompd_rc_t rc = read_used(container, target, location->address, &used);

        if (rc != ompd_rc_ok || location->index < used)
            return rc;
        if (container->level == container->height)
            return container_refuse(target);
        container->level++;
    }
}

ompd_rc_t container_tree_next(struct container *container, struct target *target,
                              struct container_element *element)
{
    struct container_element *location;
    uint64_t child;
    ompd_rc_t rc = tree_climb(container, target);

    if (rc != ompd_rc_ok)
        return rc;
    location = &container->path[container->level];
    *element = *location;
    location->index++;
    if (container->level == 0 || container->passed + 1 == container->count)
        return ompd_rc_ok;
    rc = container_number(target, location->address + location->index * target->pointer_size,
                          container->location->children, target->pointer_size, &child);
    return rc == ompd_rc_ok ? tree_descend(container, target, child, container->level - 1) : rc;
}

/* ---- Binary trees ---------------------------------------------------------------------------- */

/*
 * Balanced binary trees, as C++'s std::map is one: each node is an element, with a pointer to the
 * nodes of lesser keys and one to those of greater ones.
 */

/* Go from NODE down to the one that comes first of all below it. */
static ompd_rc_t binary_tree_descend(struct container *container, struct target *target,
                                     uint64_t node)
{
    while (node != 0) {
        ompd_rc_t rc;

        if (container->level == CONTAINER_DEPTH)
            return container_refuse(target);
        container->path[container->level++] = (struct container_element){.address = node};
        rc = container_number(target, node, container->location->left, target->pointer_size, &node);
        if (rc != ompd_rc_ok)
            return rc;
    }
    return ompd_rc_ok;
}

ompd_rc_t container_binary_tree_begin(struct container *container, struct target *target)
{
    const struct layout_list_location *location = container->location;
    uint64_t count;
    ompd_rc_t rc;

    rc = container_path(target, &location->end, container->object, &count);
    if (rc != ompd_rc_ok || count == 0)
        return rc;
    if (count > CONTAINER_LIMIT)
        return container_refuse(target);
    rc = container_path(target, &location->first, container->object, &container->start);
    if (rc == ompd_rc_ok)
        rc = binary_tree_descend(container, target, container->start);
    if (rc == ompd_rc_ok)
        container->count = count;
    return rc;
}

/* Keys must ascend, so that a cycle is noticed. */
static ompd_rc_t check_key(struct container *container, struct target *target,
                           const struct container_element *element)
{
    const struct layout_location *locations = container->location->elements;
    unsigned first = 0;
    uint64_t key = 0;
    ompd_rc_t rc;

    while (first < LAYOUT_ELEMENT_COUNT && !locations[first].is_there)
        first++;
    if (first == LAYOUT_ELEMENT_COUNT)
        return container_refuse(target);
    rc = element_read(target, &locations[first], element, &key);
    if (rc == ompd_rc_ok && container->passed != 0 && key <= container->key)
        return container_refuse(target);
    container->key = key;
    return rc == ompd_rc_unavailable ? container_refuse(target) : rc;
}

ompd_rc_t container_binary_tree_next(struct container *container, struct target *target,
                                     struct container_element *element)
{
    uint64_t node;
    ompd_rc_t rc;

    if (container->level == 0)
        return container_refuse(target);
    *element = container->path[--container->level];
    rc = check_key(container, target, element);
    if (rc != ompd_rc_ok || container->passed + 1 == container->count)
        return rc;
    rc = container_number(target, element->address, container->location->right,
                          target->pointer_size, &node);
    return rc == ompd_rc_ok ? binary_tree_descend(container, target, node) : rc;
}
