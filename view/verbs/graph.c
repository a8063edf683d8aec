/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See verbs.h. Lists are walked twice: for the nodes, and for the edges between them. The limits
 * on nodes and edges bound memory use, whatever the target contains. */
#include <view/verbs/verbs.h>

#include <inttypes.h>

#define ELSEWHERE UINT64_MAX /* in place of a caller */
#define REMEMBERED 4096      /* objects whose nodes are remembered */
#define EDGE_SLOTS 8192      /* more than twice VIEW_GRAPH_EDGES */

/* In the order of nodes. */
static const ompd_cl_kind_t kinds[] = {
    ompd_cl_kind_context,         ompd_cl_kind_queue,
    ompd_cl_kind_memobj,          ompd_cl_kind_svm,
    ompd_cl_kind_program,         ompd_cl_kind_kernel,
    ompd_cl_kind_sampler,         ompd_cl_kind_command_buffer,
    ompd_cl_kind_semaphore,       ompd_cl_kind_event,
    ompd_cl_kind_embree_device,   ompd_cl_kind_embree_scene,
    ompd_cl_kind_embree_geometry, ompd_cl_kind_embree_buffer,
};
#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

/* The owner of an object: the first of these fields of its kind that names an object. */
static const struct {
    ompd_cl_kind_t kind;
    const char *field;
    ompd_cl_kind_t owner;
    enum view_relation relation;
} belongings[] = {
    {ompd_cl_kind_queue, "context", ompd_cl_kind_context, view_relation_has},
    {ompd_cl_kind_memobj, "parent", ompd_cl_kind_memobj, view_relation_part_of},
    {ompd_cl_kind_memobj, "context", ompd_cl_kind_context, view_relation_has},
    {ompd_cl_kind_svm, "context", ompd_cl_kind_context, view_relation_has},
    {ompd_cl_kind_program, "context", ompd_cl_kind_context, view_relation_has},
    {ompd_cl_kind_kernel, "program", ompd_cl_kind_program, view_relation_of},
    {ompd_cl_kind_kernel, "context", ompd_cl_kind_context, view_relation_has},
    {ompd_cl_kind_sampler, "context", ompd_cl_kind_context, view_relation_has},
    {ompd_cl_kind_command_buffer, "queue", ompd_cl_kind_queue, view_relation_has},
    {ompd_cl_kind_command_buffer, "context", ompd_cl_kind_context, view_relation_has},
    {ompd_cl_kind_semaphore, "context", ompd_cl_kind_context, view_relation_has},
    {ompd_cl_kind_event, "queue", ompd_cl_kind_queue, view_relation_has},
    {ompd_cl_kind_event, "context", ompd_cl_kind_context, view_relation_has},
    {ompd_cl_kind_command, "queue", ompd_cl_kind_queue, view_relation_has},
    {ompd_cl_kind_svm_free, "queue", ompd_cl_kind_queue, view_relation_has},
    {ompd_cl_kind_embree_scene, "device", ompd_cl_kind_embree_device, view_relation_has},
};

/* The state of a graph under construction. */
struct view_graph_memory {
    ompd_view_t *view;
    struct view_keepers keepers;
    struct view_pending pending;
    struct {
        ompd_cl_kind_t kind; /* 0: none */
        uint64_t handle;
        uint32_t node; /* its index plus 1; 0: it has none */
    } objects[REMEMBERED];
    uint32_t edges[EDGE_SLOTS]; /* indexes plus 1; 0: none */
};

const char *view_relation_name(enum view_relation relation)
{
    static const char *const names[] = {"has", "part of", "of", "waits for", "shows"};

    return names[relation];
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

/* Add " " and the value of a field, where it is known, to the label of an object. */
static void graph_known_add(ompd_view_t *view, const struct view_row *row, const char *name,
                            struct text *label)
{
    const ompd_cl_field_t *field = view_kind_field(row->kind, name);
    struct view_value value = view_row_value(row, name);

    if (field == NULL || !view_value_is_known(value))
        return;
    text_put(label, "\n");
    text_put(label, view_value_bound(value));
    if (field->type == ompd_cl_type_bytes)
        size_format(label, value.value);
    else
        view_cell_value(view, field, value, label);
}

/* Add why ROW's object still exists, and the pending commands of a queue, one line each. */
static void add_reasons(const struct view_graph_memory *memory, const struct view_row *row,
                        struct text *label)
{
    uint64_t handle = view_row_handle(row);
    const struct view_kept *kept = view_keepers_get(&memory->keepers, row->kind->number, handle);
    const struct view_pending_queue *queue = view_pending_get(&memory->pending, handle);

    if (kept != NULL) {
        text_put(label, "\n");
        view_kept_describe(kept, label);
    }
    if (queue != NULL && row->kind->number == ompd_cl_kind_queue) {
        text_put(label, "\n");
        view_pending_describe(queue, label);
    }
}

/* Describe ROW in a few lines. */
static char *label_of(const struct view_graph_memory *memory, const struct view_row *row)
{
    ompd_view_t *view = memory->view;
    struct view_value state = view_row_value(row, "state");
    struct text label = {0};
    char *copy;

    if (row->kind->number == ompd_cl_kind_memobj &&
        view_value_is_known(view_row_value(row, "kind")))
        view_row_name(row, "kind", &label);
    else
        text_put(&label, row->kind->noun->singular);
    if (view_row_handle(row) != 0) {
        text_put(&label, "\n");
        text_put_hexadecimal(&label, view_row_handle(row));
    }
    graph_known_add(view, row, "name", &label);
    graph_known_add(view, row, "type", &label);
    graph_known_add(view, row, view_kind_size(row->kind), &label);
    if (view_value_is_known(state) && state.value != ompd_cl_object_state_live)
        graph_known_add(view, row, "state", &label);
    add_reasons(memory, row, &label);
    copy = text_copy(label.bytes);
    text_free(&label);
    return copy;
}

static struct view_graph_node *put_node(struct view_graph *graph, const struct view_row *row)
{
    struct view_graph_node *node;

    graph->nodes = heap_grow(graph->nodes, graph->node_count, sizeof(graph->nodes[0]));
    node = &graph->nodes[graph->node_count++];
    *node = (struct view_graph_node){.kind = row->kind, .handle = view_row_handle(row)};
    return node;
}

/* The group of objects of KIND made at CALLER, or NULL. */
static struct view_graph_node *find_group(const struct view_graph *graph,
                                          const struct view_kind *kind, uint64_t caller)
{
    for (size_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].caller == caller && graph->nodes[i].kind == kind)
            return &graph->nodes[i];
    return NULL;
}

/* The call site that made ROW's object; 0 if unknown. */
static uint64_t graph_place(struct view_graph *graph, const struct view_row *row)
{
    if (!view_value_is_known(view_row_value(row, "caller")) || view_row_number(row, "caller") == 0)
        return 0;
    return view_site_of_field(graph->memory->view, row, "caller").address;
}

/* The group of ROW, created if necessary. */
static struct view_graph_node *graph_group(struct view_graph *graph, const struct view_row *row)
{
    uint64_t place = graph_place(graph, row);
    struct view_graph_node *node = find_group(graph, row->kind, place);

    if (node == NULL && graph->node_count >= VIEW_GRAPH_NODES) {
        place = ELSEWHERE;
        node = find_group(graph, row->kind, place);
    }
    if (node == NULL) {
        node = put_node(graph, row);
        node->caller = place;
    }
    return node;
}

static void graph_node_cache(struct view_graph *graph, ompd_cl_kind_t kind, uint64_t handle,
                             uint32_t node)
{
    size_t slot = (size_t)((handle + (uint64_t)kind) * 0x9e3779b97f4a7c15u >> 52) % REMEMBERED;

    graph->memory->objects[slot].kind = kind;
    graph->memory->objects[slot].handle = handle;
    graph->memory->objects[slot].node = node;
}

/* Count ROW in a node, of its group or of its own. */
static void graph_row_add(struct view_graph *graph, const struct view_row *row)
{
    const char *field = view_kind_size(row->kind);
    struct view_value size = view_row_value(row, field);
    uint64_t confidence = view_row_number(row, "confidence");
    struct view_graph_node *node;

    node = graph->is_grouped ? graph_group(graph, row) : put_node(graph, row);
    if (!graph->is_grouped)
        node->label = label_of(graph->memory, row);
    node->count++;
    node->presumed += confidence == ompd_cl_confidence_presumed;
    node->doubtful += confidence == ompd_cl_confidence_doubtful;
    /* A part of another object has no bytes of its own. */
    if (!view_value_is_known(view_row_value(row, "parent")))
        node->bytes += size.value;
    node->lacks_bytes |= view_kind_field(row->kind, field) != NULL && !view_value_is_known(size);
    graph_node_cache(graph, row->kind->number, view_row_handle(row),
                     (uint32_t)(node - graph->nodes) + 1);
}

/* Walk the lists for nodes. False if there are too many objects for single nodes. */
static bool add_nodes(struct view_graph *graph)
{
    bool is_bounded = true;

    graph->objects = 0;
    for (size_t i = 0; i < KIND_COUNT && is_bounded; i++) {
        struct view_list list;
        struct view_row row;

        if (!view_kind_is_shown(graph->memory->view, kinds[i]))
            continue;
        view_list_open_optional(&list, graph->memory->view, kinds[i], NULL);
        while (is_bounded && view_list_next(&list, &row)) {
            is_bounded = graph->is_grouped || graph->node_count < VIEW_GRAPH_NODES;
            if (is_bounded)
                graph_row_add(graph, &row);
            graph->objects++;
        }
        view_list_close(&list);
    }
    return is_bounded;
}

/* The node, its index plus 1, of the object of KIND with HANDLE; 0 if none. */
static uint32_t node_of(struct view_graph *graph, ompd_cl_kind_t kind, uint64_t handle)
{
    size_t slot = (size_t)((handle + (uint64_t)kind) * 0x9e3779b97f4a7c15u >> 52) % REMEMBERED;
    struct view_object object;
    uint32_t node = 0;

    if (graph->memory->objects[slot].kind == kind && graph->memory->objects[slot].handle == handle)
        return graph->memory->objects[slot].node;
    if (graph->is_grouped && view_object_lookup(graph->memory->view, kind, handle, &object)) {
        uint64_t place = graph_place(graph, &object.row);
        const struct view_graph_node *group = find_group(graph, object.row.kind, place);

        if (group == NULL)
            group = find_group(graph, object.row.kind, ELSEWHERE);
        node = group != NULL ? (uint32_t)(group - graph->nodes) + 1 : 0;
    }
    for (size_t i = 0; i < graph->node_count && !graph->is_grouped && node == 0; i++)
        if (graph->nodes[i].handle == handle && graph->nodes[i].kind->number == kind)
            node = (uint32_t)i + 1;
    graph_node_cache(graph, kind, handle, node);
    return node;
}

/* ---- Edges ----------------------------------------------------------------------------------- */

/* Add an edge between nodes, given as indexes plus 1, or count it. */
static void graph_edge_add(struct view_graph *graph, uint32_t from, uint32_t to,
                           enum view_relation relation)
{
    uint64_t hash = ((uint64_t)from << 34 ^ (uint64_t)to << 2 ^ relation) * 0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(hash >> 51) % EDGE_SLOTS;
    struct view_graph_edge *edge;

    for (; graph->memory->edges[slot] != 0; slot = (slot + 1) % EDGE_SLOTS) {
        edge = &graph->edges[graph->memory->edges[slot] - 1];
        if (edge->from == from - 1 && edge->to == to - 1 && edge->relation == relation) {
            edge->count++;
            return;
        }
    }
    if (graph->edge_count == VIEW_GRAPH_EDGES) {
        graph->edges_left_out++;
        return;
    }
    graph->edges = heap_grow(graph->edges, graph->edge_count, sizeof(graph->edges[0]));
    edge = &graph->edges[graph->edge_count++];
    *edge = (struct view_graph_edge){from - 1, to - 1, relation, 1};
    graph->memory->edges[slot] = (uint32_t)graph->edge_count;
}

/* Add the edge between NODE, of ROW, and its owner. */
static void add_belonging(struct view_graph *graph, const struct view_row *row, uint32_t node)
{
    for (size_t i = 0; i < sizeof(belongings) / sizeof(belongings[0]); i++) {
        enum view_relation relation = belongings[i].relation;
        struct view_value owner;
        uint32_t other;

        if (belongings[i].kind != row->kind->number)
            continue;
        owner = view_row_value(row, belongings[i].field);
        if (!view_value_is_known(owner) || owner.value == 0)
            continue;
        other = node_of(graph, belongings[i].owner, owner.value);
        if (other == 0)
            continue;
        if (relation == view_relation_has)
            graph_edge_add(graph, other, node, relation);
        else
            graph_edge_add(graph, node, other, relation);
        return;
    }
}

/* Whether the command of ROW has finished and no longer waits. */
static bool graph_is_over(const struct view_row *row)
{
    uint64_t state = view_row_number(row, "state");

    return state == ompd_cl_event_state_done || state == ompd_cl_event_state_failed ||
           state == ompd_cl_event_state_ended;
}

/* The node of the event of ROW, a command. Without an event, a node of the command itself; 0 if
 * no node is free. */
static uint32_t waiter_of(struct view_graph *graph, const struct view_row *row)
{
    uint64_t event = view_row_number(row, "event");
    uint32_t node = event != 0 ? node_of(graph, ompd_cl_kind_event, event) : 0;

    if (node != 0 || (!graph->is_grouped && graph->node_count >= 2 * VIEW_GRAPH_NODES))
        return node;
    if (graph->is_grouped) {
        node = (uint32_t)(graph_group(graph, row) - graph->nodes) + 1;
        graph->nodes[node - 1].count++;
    } else {
        graph_row_add(graph, row);
        node = (uint32_t)graph->node_count;
    }
    add_belonging(graph, row, node);
    return node;
}

/* Add the edges to what commands of KIND wait for. True if such a list exists. */
static bool add_waits(struct view_graph *graph, ompd_cl_kind_t kind)
{
    struct view_list list;
    struct view_row row;
    bool is_told;

    view_list_open_optional(&list, graph->memory->view, kind, NULL);
    is_told = list.is_open;
    while (view_list_next(&list, &row)) {
        struct view_value count = view_row_value(&row, "wait_count");
        struct view_list events;
        struct view_row event;
        uint32_t waiter = 0;

        if (!view_value_is_known(count) || count.value == 0 || graph_is_over(&row))
            continue;
        view_list_open_parts(&events, graph->memory->view, ompd_cl_kind_wait, &row);
        while (view_list_next(&events, &event)) {
            uint32_t other = node_of(graph, ompd_cl_kind_event, view_row_number(&event, "event"));

            if (other != 0 && waiter == 0)
                waiter = waiter_of(graph, &row);
            if (other != 0 && waiter != 0)
                graph_edge_add(graph, waiter, other, view_relation_waits);
        }
        view_list_close(&events);
    }
    view_list_close(&list);
    return is_told;
}

/* Add the edges from NODE, of ROW, to its parts of KIND. */
static void graph_parts_add(struct view_graph *graph, const struct view_row *row, uint32_t node,
                            ompd_cl_kind_t kind)
{
    struct view_list parts;
    struct view_row part;

    view_list_open_parts(&parts, graph->memory->view, kind, row);
    while (view_list_next(&parts, &part)) {
        uint32_t other = node_of(graph, kind, view_row_handle(&part));

        if (other != 0)
            graph_edge_add(graph, node, other, view_relation_has);
    }
    view_list_close(&parts);
}

/* Add the edge from the device of ROW to its NODE. */
static void graph_device_add(struct view_graph *graph, const struct view_row *row, uint32_t node)
{
    uint32_t device = node_of(graph, ompd_cl_kind_embree_device, view_row_number(row, "device"));

    if (device != 0)
        graph_edge_add(graph, device, node, view_relation_has);
}

/* Add the edges of NODE, of ROW, an object of Embree: a scene has geometries, and they have
 * buffers.  What nothing else has is its device's. */
static void graph_embree_add(struct view_graph *graph, const struct view_row *row, uint32_t node)
{
    uint64_t shown = view_row_number(row, "instance_of");
    uint32_t scene;

    switch (row->kind->number) {
    case ompd_cl_kind_embree_scene:
        graph_parts_add(graph, row, node, ompd_cl_kind_embree_geometry);
        break;
    case ompd_cl_kind_embree_geometry:
        graph_parts_add(graph, row, node, ompd_cl_kind_embree_buffer);
        if (view_row_number(row, "scene") == 0)
            graph_device_add(graph, row, node);
        scene = shown != 0 ? node_of(graph, ompd_cl_kind_embree_scene, shown) : 0;
        if (scene != 0)
            graph_edge_add(graph, node, scene, view_relation_shows);
        break;
    case ompd_cl_kind_embree_buffer:
        if (view_row_number(row, "geometries") == 0)
            graph_device_add(graph, row, node);
        break;
    default:
        break;
    }
}

static void add_edges(struct view_graph *graph)
{
    for (size_t i = 0; i < KIND_COUNT; i++) {
        struct view_list list;
        struct view_row row;

        if (!view_kind_is_shown(graph->memory->view, kinds[i]))
            continue;
        view_list_open_optional(&list, graph->memory->view, kinds[i], NULL);
        while (view_list_next(&list, &row)) {
            uint32_t node = node_of(graph, kinds[i], view_row_handle(&row));

            if (node != 0)
                add_belonging(graph, &row, node);
            if (node != 0 && view_kind_is_embree(kinds[i]))
                graph_embree_add(graph, &row, node);
        }
        view_list_close(&list);
    }
    if (graph->memory->view->options.is_of_embree)
        return;
    /* The list of all commands includes SVM-free commands. */
    if (!add_waits(graph, ompd_cl_kind_command))
        add_waits(graph, ompd_cl_kind_svm_free);
}

/* ---- The graph ------------------------------------------------------------------------------- */

static void free_nodes(struct view_graph *graph)
{
    for (size_t i = 0; i < graph->node_count; i++)
        heap_free(graph->nodes[i].label);
    graph->node_count = 0;
}

void view_graph_make(struct view_graph *graph, ompd_view_t *view)
{
    *graph = (struct view_graph){.memory = heap_get(sizeof(*graph->memory))};
    graph->memory->view = view;
    view_keepers_find(&graph->memory->keepers, view, 0);
    view_pending_find(&graph->memory->pending, view);
    if (!add_nodes(graph)) {
        free_nodes(graph);
        memset(graph->memory->objects, 0, sizeof(graph->memory->objects));
        graph->is_grouped = true;
        add_nodes(graph);
    }
    add_edges(graph);
    view_keepers_free(&graph->memory->keepers);
    heap_free(graph->memory);
    graph->memory = NULL;
}

void view_graph_free(struct view_graph *graph)
{
    free_nodes(graph);
    heap_free(graph->nodes);
    heap_free(graph->edges);
}
