/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The verbs: what each writes, and what several of them share. */
#ifndef OMPD_VIEW_VERBS_H
#define OMPD_VIEW_VERBS_H

#include <view/show/table.h>
#include <view/verbs/diff-places.h>

/* ---- diff ------------------------------------------------------------------------------------ */

/* What `diff` has found, for those who tell of it. */

/* A look, besides what is matched. */
struct view_diff_source {
    const char *path; /* NULL: what there is now */
    struct text name; /* of it, for sentences: escaped */
    struct text file; /* of it; "now" for a process */
    struct text program;
    bool has_recorder;
    bool has_identity;
    uint64_t identity;
    uint64_t pid;
    uint64_t presumed;          /* objects that are only presumed to be there */
    uint64_t unreadable;        /* rows that could not be read */
    struct text incompleteness; /* what its lists leave open: lines */
};

struct view_diff_answer {
    struct view_diff diff;
    struct view_diff_source sources[VIEW_DIFF_SIDES];
    struct text notes; /* what is not known: sentences, a line each */
};

/* What the looks are to each other, in a sentence; "" where that goes without saying. */
void view_diff_relation_add(const struct view_diff_answer *answer, struct text *text);

/* Whether both looks have a recorder, so that places are known. */
bool view_diff_has_recorders(const struct view_diff_answer *answer);

/* Write ANSWER in words; as JSON. */
void view_diff_words_write(ompd_view_t *view, const struct view_diff_answer *answer);
void view_diff_json_write(ompd_view_t *view, const struct view_diff_answer *answer);

/* ---- graph ----------------------------------------------------------------------------------- */

/* The graph of objects: what belongs to what, is made of it, or waits for it. */

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
    struct view_graph_edge *edges;
    size_t edge_count;
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

/* ---- leak-groups ----------------------------------------------------------------------------- */

/* Objects that a program leaves, by the calls that made them. */

/* How sure it is that an object is a leak; those that are none are in no group. */
enum view_certainty {
    view_leak_is_certain,
    view_leak_is_presumed,
    view_leak_is_open,
    view_leak_is_untold,   /* only the recorder would know: such are in no group either */
    view_leak_is_unchecked /* not known to be one: whoever has its handle may have been freed */
};
#define VIEW_CERTAINTIES 3 /* of leaks */

/* Of what holds or is kept by a group's objects, so many are named. */
#define VIEW_LEAK_NAMES 3

/* Something with a name, and how many objects of a group have to do with it. */
struct view_leak_name {
    char *text;
    uint64_t count;
};

struct view_leak_names {
    struct view_leak_name all[VIEW_LEAK_NAMES];
    size_t count;
    uint64_t others; /* objects that have to do with others */
};

/* Objects of one kind that were made by the same calls. */
struct view_leak_group {
    ompd_cl_kind_t kind;
    enum view_certainty certainty;
    uint64_t stack;    /* number of the call stack; 0: none was recorded, */
    uint64_t caller;   /* and this is the innermost call; 0: not known */
    uint64_t position; /* of the first among all rows */
    uint64_t count;
    uint64_t made; /* by these calls in all; 0: not known */
    uint64_t bytes;
    uint64_t lost;                  /* whose handles are nowhere, */
    uint64_t perhaps;               /* or only where they may be left over, */
    uint64_t reachable;             /* or which objects that are held tell, */
    uint64_t missed;                /* or were not found, but not all was looked through */
    struct view_leak_names holders; /* of the others; of unchecked ones with their handles */
    struct view_leak_names kept;    /* what they keep that the program has released */
    char *shown;                    /* the call stack in lines; NULL before that is known */
};

/* Begin with {0}: none. */
struct view_leak_groups {
    struct view_leak_group *all;
    size_t count;
    uint32_t *slots; /* indexes plus 1, by what groups have in common; 0: empty */
    size_t slot_count;
    uint64_t rows;
};

/* Add ROW, of a leak that is CERTAINTY. */
void view_leak_groups_add(struct view_leak_groups *groups, ompd_view_t *view,
                          const struct view_row *row, enum view_certainty certainty);

/* Name the calls of each, join those whose calls have the same names, and put them in order: what
 * is certain first, then most bytes, then most objects. */
void view_leak_groups_settle(struct view_leak_groups *groups, ompd_view_t *view);

void view_leak_groups_free(struct view_leak_groups *groups);

/* ---- leak-retains ---------------------------------------------------------------------------- */

/* Who retained the objects that leak, as the ledger has it where the recorder keeps one. */

/* An object that leaks: of those that had one handle its order tells it. */
struct view_leaked {
    uint64_t handle;
    uint64_t order;
    bool has_creation; /* among the entries that are kept: then all are */
    uint64_t retained;
    uint64_t released;
};

/* Begin with {0}. */
struct view_leak_retains {
    struct view_leaked *all;
    size_t count;
};

/* Take in the object of ROW, a leak. */
void view_leak_retains_take(struct view_leak_retains *retains, const struct view_row *row);

/* Write "They were also retained:", a line for each place that retained or released them, and how
 * many references were not released; nothing where no ledger has such calls. */
void view_leak_retains_write(struct view_leak_retains *retains, ompd_view_t *view);

void view_leak_retains_free(struct view_leak_retains *retains);

/* ---- ledger-places --------------------------------------------------------------------------- */

/* Places of entries of the ledger: from which calls an object was retained and released how often.
 */

struct view_ledger_place;

/* Begin with {0}: none. */
struct view_ledger_places {
    struct view_ledger_place *all;
    size_t count;
};

/* Take in the place of ROW, if it has one. */
void view_ledger_places_take(struct view_ledger_places *places, const struct view_row *row);

/* Write a line for each place, those that did the same most often first, as many as the limit of
 * VIEW lets through. */
void view_ledger_places_write(struct view_ledger_places *places, ompd_view_t *view);

/* Give them back. */
void view_ledger_places_free(struct view_ledger_places *places);

/* Add "retained", or why the object of ROW has ended. */
void view_ledger_action_add(const struct view_row *row, struct text *text);

/* Add " at keep at blur.c:20 < main at blur.c:44", as far as it is known. */
void view_ledger_place_add(ompd_view_t *view, struct view_value caller, struct view_value stack,
                           struct text *text);

/* Add "an event": what the object of ROW is. */
void view_ledger_kind_add(const struct view_row *row, struct text *text);

/* ---- overview -------------------------------------------------------------------------------- */

/* What is in the target, for whoever describes it in short. */

/* Add "1 context, 2 queues, 3 memory objects (12 KiB), 1 SVM allocation (64 KiB)". */
void view_overview_counts(const struct view_row *overview, struct text *text);

/* ---- own ------------------------------------------------------------------------------------- */

/* What the functions for a front end's own verbs have in common. */

#define VIEW_JSON_DEPTH 16 /* objects and arrays that are open, each within another */

/* What a verb has begun, and the answer that it got last. */
struct view_custom_verb {
    struct text answer;

    /* Of custom-verb-table.c: */
    struct view_renderer renderer; /* first in what its functions are given: see there */
    struct view_table *table;      /* NULL: none is open */
    ompd_cl_kind_t kind;           /* of its rows' objects, or 0 */
    ompd_cl_field_t columns[VIEW_FIELDS];
    size_t column_count;
    const ompd_view_value_t *values; /* of the row that is being added */
    const char *below;
    uint64_t rows;

    /* Of custom-verb-json.c: */
    struct text line;
    struct json open[VIEW_JSON_DEPTH];
    size_t depth; /* of them, open */
};

/* A call of such a function: the first member of what its work is given. */
struct view_call {
    ompd_view_t *view;
    struct view_custom_verb *custom; /* for the work */
    ompd_rc_t rc;                    /* what it comes to, ompd_rc_ok before */
};

/* Do WORK of CALL, unless the verb may not call it now.  Returns what the function returns. */
ompd_rc_t view_call_run(struct view_call *call, void (*work)(void *call));

/* What VALUE, of a verb, is as one of a field.  False: it makes no sense. */
bool view_custom_value(const ompd_view_value_t *value, struct view_value *known);

/* Add why VALUE of a verb is not known. */
void view_custom_reason(struct view_value value, struct text *text);

/* A field of TYPE whose key in JSON is NAME; by it values of a verb are shown. */
ompd_cl_field_t view_custom_field(const char *name, ompd_cl_type_t type);

/* Whether a value can be of TYPE; it may be one of a stack. */
bool view_custom_type_is_known(ompd_cl_type_t type);

/* The verb has returned: give back what it has begun. */
void view_custom_end(ompd_view_t *view);

/* Give the table back unwritten. */
void view_custom_table_drop(struct view_custom_verb *custom);

/* ---- troubles -------------------------------------------------------------------------------- */

/* What has gone wrong in the target, counted, and the verb that tells of each. */

/* Add a line for each kind of it that there is: "  2 mistakes: see `check`". */
void view_troubles_add(ompd_view_t *view, struct text *text);

/* Add the same counts to a row. */
void view_troubles_json(const ompd_view_t *view, struct json *json);

/* ---- verb-runs ------------------------------------------------------------------------------- */

/* What runs each verb. */

typedef ompd_view_exit_t view_run_fn_t(ompd_view_t *view, const ompd_view_line_t *line);

/* Those of the verbs of the same names: each in its file. */
view_run_fn_t view_overview_run;
view_run_fn_t view_list_run;
view_run_fn_t view_object_run;
view_run_fn_t view_queue_run;
view_run_fn_t view_platforms_run;
view_run_fn_t view_destructors_run;
view_run_fn_t view_any_run;
view_run_fn_t view_calls_run;
view_run_fn_t view_errors_run;
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
