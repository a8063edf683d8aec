/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What commands wait for according to layouts. */
#include "questions/waits/waits.h"

static const struct layout_list_location *wait_list_of(const struct layout *layout)
{
    return &layout->objects[layout_event].lists[layout_wait_list];
}

bool wait_lists_are_covered(const struct address_space *space)
{
    const struct inventory *inventory = &space->layout->inventory;

    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        const struct layout *layout = space->layout->runtimes.all[i].layout;

        if ((inventory->runtimes_in_use >> i & 1) != 0 &&
            (layout == NULL || wait_list_of(layout)->shape == layout_no_list))
            return false;
    }
    return inventory->stop == space->target.stop;
}

/* The item of the event of NODE, if it may wait and its layout shows for what; else NULL. */
static const struct inventory_item *waiting_item(const struct wait_graph *graph,
                                                 const struct wait_node *node)
{
    const struct address_space *space = graph->visit->space;
    const struct inventory_item *item;

    if (node->kind != wait_of_event || node->own_end != ompd_cl_wait_end_unknown ||
        space->layout->inventory.stop != space->target.stop)
        return NULL;
    item = inventory_find(&space->layout->inventory, node->handle);
    if (item == NULL || item->kind != layout_event ||
        wait_list_of(space->layout->runtimes.all[item->runtime].layout)->shape == layout_no_list)
        return NULL;
    return item;
}

/* Add an edge from node NUMBER to the event of ELEMENT of the list at LIST, unless that is complete
 * or not found. *REASON is set to none if an edge was added. */
static ompd_rc_t link_element(struct wait_graph *graph, uint32_t number,
                              const struct layout_list_location *list,
                              const struct container_element *element, enum wait_reason *reason)
{
    struct target *target = &graph->visit->space->target;
    uint64_t handle;
    uint32_t event;
    ompd_rc_t rc = element_read(target, &list->elements[layout_waited_for], element, &handle);

    if (rc == ompd_rc_ok)
        rc = wait_event_find(graph, handle, UINT64_MAX, &event);
    if (*reason == wait_reason_empty_list)
        *reason = wait_reason_lost_list;
    if (rc != ompd_rc_ok || event == NO_NODE)
        return rc;
    *reason = wait_reason_none;
    return wait_edge_add(graph, number, event);
}

/* Go on to the next element of CONTAINER, as container_next does; not beyond WAIT_LIMIT of all
 * lists together (law 6). */
static ompd_rc_t next_element(struct wait_graph *graph, struct container *container,
                              struct container_element *element)
{
    if (graph->listed == WAIT_LIMIT) {
        graph->beyond++;
        element->address = 0;
        return ompd_rc_incomplete;
    }
    graph->listed++;
    return container_next(container, &graph->visit->space->target, element);
}

/* Link node NUMBER, whose event is ITEM, to its wait list. */
static ompd_rc_t link_list(struct wait_graph *graph, uint32_t number,
                           const struct inventory_item *item)
{
    struct address_space *space = graph->visit->space;
    struct layout_list_location list =
        *wait_list_of(space->layout->runtimes.all[item->runtime].layout);
    struct container_element element = {.address = 1};
    struct container container;
    enum wait_reason reason = wait_reason_empty_list;
    ompd_rc_t rc;

    list.is_newest_first = false; /* as stored: the order does not matter */
    rc = container_begin(&container, &space->target, &list, item->handle);
    while (rc == ompd_rc_ok && element.address != 0) {
        rc = next_element(graph, &container, &element);
        if (rc == ompd_rc_ok && element.address != 0)
            rc = link_element(graph, number, &list, &element, &reason);
    }
    if (rc_is_final(rc))
        return rc;
    shortfall_note(graph->visit->missing, rc != ompd_rc_ok);
    if (rc != ompd_rc_ok && reason != wait_reason_none)
        reason = wait_reason_unreadable;
    if (reason != wait_reason_none)
        wait_node_set_unknown(&graph->nodes[number], reason);
    return ompd_rc_ok;
}

ompd_rc_t wait_lists_link(struct wait_graph *graph)
{
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = graph->queue_count + graph->thread_count;
         i < graph->node_count && rc == ompd_rc_ok; i++) {
        const struct inventory_item *item = waiting_item(graph, &graph->nodes[i]);

        if (item != NULL)
            rc = link_list(graph, i, item);
    }
    return rc;
}
