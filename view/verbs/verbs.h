/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The verbs, and what several of them share. */
#ifndef OMPD_VIEW_VERBS_H
#define OMPD_VIEW_VERBS_H

#include <view/show/table.h>
#include <view/verbs/diff-places.h>

/* ---- diff ------------------------------------------------------------------------------------ */

/* The result of `diff`, for its text and JSON. */

/* One side of the comparison, besides its objects. */
struct view_diff_source {
    const char *path; /* NULL: the current target */
    struct text name; /* its name in sentences, escaped */
    struct text file; /* its file; "now" for a process */
    struct text program;
    bool has_recorder;
    bool has_identity;
    uint64_t identity;
    uint64_t pid;
    uint64_t presumed;          /* objects that are only presumed */
    uint64_t unreadable;        /* rows that could not be read */
    struct text incompleteness; /* sentences about what its lists lack, one per line */
};

struct view_diff_answer {
    struct view_diff diff;
    struct view_diff_source sources[VIEW_DIFF_SIDES];
    struct text notes; /* sentences about what is unknown, one per line */
};

/* Add a sentence about how both sides relate; nothing if they are of one process. */
void view_diff_relation_add(const struct view_diff_answer *answer, struct text *text);

/* Whether both sides have a recorder, so that call sites are known. */
bool view_diff_has_recorders(const struct view_diff_answer *answer);

/* Write ANSWER in words; as JSON. */
void view_diff_words_write(ompd_view_t *view, const struct view_diff_answer *answer);
void view_diff_json_write(ompd_view_t *view, const struct view_diff_answer *answer);

/* ---- mapping --------------------------------------------------------------------------------- */

/* Show the mapping that contains ADDRESS, or the last one that did. False if there is none. */
bool view_mapping_show(ompd_view_t *view, uint64_t address);

/* ---- graph ----------------------------------------------------------------------------------- */

/* The graph of objects: ownership, derivation, and waits. */

/* Above this number of objects, objects of a kind with the same call site share a node.  Above this
 * number of call sites, the remaining objects of a kind share a node. */
#define VIEW_GRAPH_NODES 300

/* The most edges of a graph; further edges are only counted. */
#define VIEW_GRAPH_EDGES 2000

/* The meaning of an edge. */
enum view_relation {
    view_relation_has,     /* an OpenCL context, a queue or an object of Embree has an object */
    view_relation_part_of, /* a sub-buffer and its parent */
    view_relation_of,      /* a kernel and its program */
    view_relation_waits,   /* an event, or a command, and what it waits for */
    view_relation_shows    /* an instance and its scene */
};

/* An object, or the objects of one kind with one call site. */
struct view_graph_node {
    const struct view_kind *kind;
    uint64_t handle; /* of an object */
    uint64_t caller; /* of a group: the call site; 0: unknown; UINT64_MAX: other sites */
    uint64_t count;
    uint64_t bytes;
    bool lacks_bytes;            /* some sizes are unknown */
    uint64_t presumed, doubtful; /* of them */
    char *label;                 /* of an object: its lines */
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
    struct view_graph_edge *edges;
    size_t edge_count;
    uint64_t edges_left_out;
    uint64_t objects;
    struct view_graph_memory *memory; /* of graph.c, while it is made */
};

/* Make the graph of all objects.  Unreadable objects are left out, and recorded in VIEW.  Free the
 * graph in any case. */
void view_graph_make(struct view_graph *graph, ompd_view_t *view);
void view_graph_free(struct view_graph *graph);

/* Add GRAPH to TEXT in DOT. */
void view_graph_dot_add(const struct view_graph *graph, ompd_view_t *view, struct text *text);

/* The word for RELATION. */
const char *view_relation_name(enum view_relation relation);

/* ---- leak-groups ----------------------------------------------------------------------------- */

/* Leaked objects, grouped by call stack. */

/* How certain it is that an object is a leak. */
enum view_certainty {
    view_leak_is_certain,
    view_leak_is_presumed,
    view_leak_is_open,
    view_leak_is_untold,   /* only the recorder would know; in no group */
    view_leak_is_unchecked /* unknown: the memory with its handle may be freed */
};
#define VIEW_CERTAINTIES 3 /* of leaks */

/* The most holders, or kept objects, that are named for a group. */
#define VIEW_LEAK_NAMES 3

/* A name, and the number of objects of a group that it concerns. */
struct view_leak_name {
    char *text;
    uint64_t count;
};

struct view_leak_names {
    struct view_leak_name all[VIEW_LEAK_NAMES];
    size_t count;
    uint64_t others; /* objects that concern other names */
};

/* Objects of one kind with the same call stack. */
struct view_leak_group {
    ompd_cl_kind_t kind;
    enum view_certainty certainty;
    uint64_t stack;    /* number of the call stack; 0: none recorded */
    uint64_t caller;   /* the innermost call; 0: unknown */
    uint64_t position; /* of the first object among all rows, */
    uint64_t handle;   /* and its handle */
    uint64_t count;
    uint64_t made; /* all objects made by these calls; 0: unknown */
    uint64_t bytes;
    uint64_t lost;                  /* handle not found */
    uint64_t perhaps;               /* handle only where it may be stale */
    uint64_t reachable;             /* reachable through held objects */
    uint64_t missed;                /* not found in an incomplete search */
    struct view_leak_names holders; /* of the other objects; for unchecked ones with handles */
    struct view_leak_names kept;    /* released objects that they keep alive */
    char *shown;                    /* the call stack in lines; NULL: not yet formatted */
};

/* Begin with {0}: none. */
struct view_leak_groups {
    struct view_leak_group *all;
    size_t count;
    uint32_t *slots; /* indexes plus 1, by the key of a group; 0: empty */
    size_t slot_count;
    uint64_t rows;
};

/* Add ROW, a leak of CERTAINTY. */
void view_leak_groups_add(struct view_leak_groups *groups, ompd_view_t *view,
                          const struct view_row *row, enum view_certainty certainty);

/* Format the call stack of each group, join groups with equal text, and sort: certain ones first,
 * then most bytes, then most objects. */
void view_leak_groups_settle(struct view_leak_groups *groups, ompd_view_t *view);

void view_leak_groups_free(struct view_leak_groups *groups);

/* ---- leak-retains ---------------------------------------------------------------------------- */

/* Retains of leaked objects, from the ledger, if the recorder has one. */

/* A leaked object.  Its order tells it from other objects with the same handle. */
struct view_leaked {
    uint64_t handle;
    uint64_t order;
    bool has_creation; /* its creation is in the ledger, so all entries are */
    uint64_t retained;
    uint64_t released;
};

/* Begin with {0}. */
struct view_leak_retains {
    struct view_leaked *all;
    size_t count;
};

/* Add the object of ROW, a leak. */
void view_leak_retains_take(struct view_leak_retains *retains, const struct view_row *row);

/* Write "They were also retained:", a line for each call site that retained or released them, and
 * the number of references not released; nothing if the ledger has no such calls. */
void view_leak_retains_write(struct view_leak_retains *retains, ompd_view_t *view);

void view_leak_retains_free(struct view_leak_retains *retains);

/* ---- ledger-places --------------------------------------------------------------------------- */

/* The call sites of ledger entries: where an object was retained and released, and how often. */

struct view_ledger_place;

/* Begin with {0}: none. */
struct view_ledger_places {
    struct view_ledger_place *all;
    size_t count;
};

/* Add the call site of ROW, if known. */
void view_ledger_places_take(struct view_ledger_places *places, const struct view_row *row);

/* Write a line for each call site, most frequent first per action, up to the limit of VIEW. */
void view_ledger_places_write(struct view_ledger_places *places, ompd_view_t *view);

/* Free them. */
void view_ledger_places_free(struct view_ledger_places *places);

/* Add the action of ROW: "retained", or why the object was destroyed. */
void view_ledger_action_add(const struct view_row *row, struct text *text);

/* Add " at keep at blur.c:20 < main at blur.c:44", as far as known. */
void view_ledger_place_add(ompd_view_t *view, struct view_value caller, struct view_value stack,
                           struct text *text);

/* Add the noun for the object of ROW: "an event". */
void view_ledger_kind_add(const struct view_row *row, struct text *text);

/* ---- overview -------------------------------------------------------------------------------- */

/* A short description of the target. */

/* Add "1 context, 2 queues, 3 memory objects (12 KiB), 1 SVM allocation (64 KiB)". */
void view_overview_counts(const struct view_row *overview, struct text *text);

/* ---- custom-verb ----------------------------------------------------------------------------- */

/* What the functions for a front end's own verbs share. */

#define VIEW_JSON_DEPTH 16 /* the most nested open objects and arrays */

/* The state of a front end's own verb. */
struct view_custom_verb {
    struct text answer;

    /* Of custom-verb-table.c: */
    struct view_renderer renderer; /* its functions find this struct by it */
    struct view_table *table;      /* NULL: none is open */
    ompd_cl_kind_t kind;           /* of its rows, or 0 */
    ompd_cl_field_t columns[VIEW_FIELDS];
    size_t column_count;
    const ompd_view_value_t *values; /* of the row being added */
    const char *below;
    uint64_t rows;

    /* Of custom-verb-json.c: */
    struct text line;
    struct json open[VIEW_JSON_DEPTH];
    size_t depth; /* open ones */
};

/* A call of such a function: the first member of the argument of its work. */
struct view_call {
    ompd_view_t *view;
    struct view_custom_verb *custom; /* for the work */
    ompd_rc_t rc;                    /* its result; ompd_rc_ok at first */
};

/* Do WORK of CALL, unless the call is not allowed now.  Returns the result of the function. */
ompd_rc_t view_call_run(struct view_call *call, void (*work)(void *call));

/* Convert VALUE of a verb to a field value.  False: it is invalid. */
bool view_custom_value(const ompd_view_value_t *value, struct view_value *known);

/* Add why VALUE of a verb is unknown. */
void view_custom_reason(struct view_value value, struct text *text);

/* A field of TYPE with the JSON key NAME, for showing values of a verb. */
ompd_cl_field_t view_custom_field(const char *name, ompd_cl_type_t type);

/* Whether a value can have TYPE, including stack. */
bool view_custom_type_is_known(ompd_cl_type_t type);

/* Free the state after the verb has returned. */
void view_custom_end(ompd_view_t *view);

/* Free the table without writing it. */
void view_custom_table_drop(struct view_custom_verb *custom);

/* ---- embree ---------------------------------------------------------------------------------- */

/* The Embree devices of the target, for the overview. */
struct view_embree_summary {
    uint64_t devices;
    uint64_t bytes;
    bool is_at_least; /* the bytes of some are lower bounds or unknown, or devices are missing */
};

/* Check RC, the result of ompd_cl_overview_get, as view_check does.  If the process has Embree's
 * devices alone, the rest of the command is about them. */
bool view_embree_only_check(ompd_view_t *view, ompd_rc_t rc);

/* Find them.  False: there are none, as far as known. */
bool view_embree_summary_find(ompd_view_t *view, struct view_embree_summary *summary);

/* Add "2 devices, 26.8 MiB in use". */
void view_embree_summary_add(const struct view_embree_summary *summary, struct text *text);

/* Add them to JSON. */
void view_embree_summary_json(const struct view_embree_summary *summary, struct json *json);

/* ---- troubles -------------------------------------------------------------------------------- */

/* Counts of what went wrong in the target, with the verb that shows each. */

/* Add a line for each nonzero count: "  2 findings: see `check`". */
void view_troubles_add(ompd_view_t *view, struct text *text);

/* Add the counts to a JSON row. */
void view_troubles_json(const ompd_view_t *view, struct json *json);

/* ---- verb-runs ------------------------------------------------------------------------------- */

/* The functions that run the verbs. */

typedef ompd_view_exit_t view_run_fn_t(ompd_view_t *view, const ompd_view_line_t *line);

/* Each in the file of its verb. */
view_run_fn_t view_overview_run;
view_run_fn_t view_embree_run;
view_run_fn_t view_list_run;
view_run_fn_t view_object_run;
view_run_fn_t view_queue_run;
view_run_fn_t view_platforms_run;
view_run_fn_t view_destructors_run;
view_run_fn_t view_any_run;
view_run_fn_t view_calls_run;
view_run_fn_t view_errors_run;
view_run_fn_t view_messages_run;
view_run_fn_t view_destroyed_run;
view_run_fn_t view_check_run;
view_run_fn_t view_waits_run;
view_run_fn_t view_threads_run;
view_run_fn_t view_memory_run;
view_run_fn_t view_holders_run;
view_run_fn_t view_leaks_run;
view_run_fn_t view_ledger_run;
view_run_fn_t view_save_run;
view_run_fn_t view_graph_run;
view_run_fn_t view_diff_run;

#endif
