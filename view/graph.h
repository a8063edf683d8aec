/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The graph of objects: what belongs to what, is made of it, or waits for it. */
#ifndef OMPD_VIEW_GRAPH_H
#define OMPD_VIEW_GRAPH_H

#include <view/list.h>

/* With more objects than that those of a kind that were made at one place share a node; with more
 * places than that the others of a kind do. */
#define VIEW_GRAPH_NODES 300

/* So many edges, between groups, are drawn at most: others are counted. */
#define VIEW_GRAPH_EDGES 2000

/* Why an edge is there. */
enum view_relation {
    view_relation_has,     /* an OpenCL context or a queue has an object */
    view_relation_part_of, /* a sub-buffer and its parent */
    view_relation_of,      /* a kernel and its program */
    view_relation_waits    /* an event, or a command, and what it waits for */
};

/* An object, or objects of one kind that were made at one place. */
struct view_graph_node {
    const struct view_kind *kind;
    uint64_t handle; /* of an object */
    uint64_t caller; /* of a group: where they were made; 0: not known; UINT64_MAX: elsewhere */
    uint64_t count;
    uint64_t bytes;
    bool lacks_bytes;            /* the size of some is not known */
    uint64_t presumed, doubtful; /* of them */
    char *label;                 /* of an object: lines */
};

struct view_graph_edge {
    uint32_t from; /* nodes, by their index */
    uint32_t to;
    enum view_relation relation;
    uint64_t count; /* pairs of objects */
};

struct view_graph {
    bool is_grouped;
    struct view_graph_node *nodes;
    size_t node_count;
    size_t node_capacity;
    struct view_graph_edge *edges;
    size_t edge_count;
    size_t edge_capacity;
    uint64_t edges_left_out;
    uint64_t objects;
    struct view_graph_memory *memory; /* of graph.c, while it is made */
};

/* Make the graph of all objects that there are; what cannot be read is not in it, which VIEW keeps.
 * To be freed either way. */
void view_graph_make(struct view_graph *graph, ompd_view_t *view);
void view_graph_free(struct view_graph *graph);

/* Add GRAPH to TEXT in DOT. */
void view_graph_dot_add(const struct view_graph *graph, ompd_view_t *view, struct text *text);

/* The word for RELATION. */
const char *view_relation_name(enum view_relation relation);

/* Add what NODE is to TEXT: lines. */
void view_graph_label_add(const struct view_graph *graph, const struct view_graph_node *node,
                          ompd_view_t *view, struct text *text);

#endif
