/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who waits for what, to the end. */
#ifndef LIBOMPD_WAITS_H
#define LIBOMPD_WAITS_H

#include "answers/answers.h"
#include "answers/kept.h"

/* ---- wait-graph ------------------------------------------------------------------------------ */

/* Who waits for whom: threads, queues, commands and events, each with those that it waits for. */

/* Commands, threads and edges beyond it are not looked at (law 6). */
#define WAIT_LIMIT (UINT32_C(1) << 20)

#define NO_NODE UINT32_MAX

/* Why it is not known what comes next. */
enum wait_reason {
    wait_reason_none,
    wait_reason_no_commands, /* the recorder keeps none */
    wait_reason_no_command,  /* that of this call is not recorded */
    wait_reason_idle,        /* no command of the queue is known to be pending */
    wait_reason_other_event, /* the first of the events is over; the others are not recorded */
    wait_reason_events_over, /* all of the events are over, or not recorded */
    wait_reason_dropped,     /* commands of the queue were not kept */
    wait_reason_deep,        /* the thread is in more calls than the recorder keeps */
    wait_reason_unreadable,  /* what may come next could not be read */
    wait_reason_no_recorder, /* there is none to tell what the call was given */
    wait_reason_no_lists,    /* nor what a command waits for */
    wait_reason_lost_list,   /* none of those on it were found as what is not over */
    wait_reason_empty_list,  /* the layout tells that its wait list is empty */
    wait_reason_no_object,   /* layouts do not find what it was given, or its command */
    wait_reason_condition,   /* nothing tells who is to signal a condition variable */
    wait_reason_stale,       /* the thread's call stack does not show that it waits */
    WAIT_REASON_COUNT
};

enum wait_kind { wait_of_thread, wait_of_queue, wait_of_command, wait_of_event };

enum wait_color { wait_unvisited, wait_on_path, wait_settled };

struct wait_node {
    uint64_t id;     /* of the thread, command or event; 0: none is known */
    uint64_t handle; /* of a queue or an event; of a command its event's, 0 for none */
    uint64_t queue;  /* of a command, or of an event without the recorder: its queue's handle */
    uint64_t order;  /* of a command: when its call began */
    uint32_t number; /* of a command in its queue; 0: it is being enqueued */
    uint32_t lwp;    /* of a thread; of a command, the one that enqueues it */
    uint32_t edges;  /* its first edge, and */
    uint32_t edge_count;
    uint32_t passed; /* how many were followed */
    uint32_t before; /* an in-order queue's command that has to be over first; NO_NODE: none */
    uint32_t runner; /* of a command: the thread that runs its callback; of a thread: the blocking
                      * command that it is enqueuing; NO_NODE: none */
    uint32_t parent; /* while it is on the path */
    uint32_t chain;  /* number of the last chain that it is in, 0: none, */
    uint32_t step;   /* and its place in that, from 1 */
    uint32_t next;   /* once it is settled: NO_NODE: the chain ends here, with `own_end` */
    uint8_t kind;    /* enum wait_kind */
    uint8_t color;   /* enum wait_color */
    uint8_t own_end; /* ompd_cl_wait_end_t: how a chain ends here that goes on to no other */
    uint8_t end;     /* once it is settled: how the chain through it ends */
    uint8_t reason;  /* own_end unknown: enum wait_reason */
    bool is_next_before;  /* `next` was come to by way of `before` */
    uint8_t state;        /* of a thread: ompd_cl_thread_state_t; 0: not known */
    uint32_t same_bucket; /* of an event: the next one; NO_NODE: none */
    uint32_t carrier;     /* of a user event: a carrier's number; NO_NODE: it has none */
    uint32_t abandoned;   /* of an event that is gone: its number; NO_NODE: it is there */
    uint32_t more_events; /* of a thread: that it waits for beside the one that it goes on with */
    uint64_t mutex;       /* that a thread waits for; 0: none, or its address is not known */
    uint32_t owner;       /* LWP of who has locked that, or is joined; 0: not known */
    uint8_t lock;         /* ompd_cl_lock_t that a thread waits for; 0: none */
    bool is_unseen;       /* of a thread: it is not known to have entered OpenCL */
    bool is_looked_at;    /* of a thread: what it waits for outside OpenCL was looked for */
    bool is_in_order;     /* of a queue */
    bool is_running;      /* of a command: the device is known to have begun it */
    bool is_svm_free;     /* of a command */
    bool has_callback;    /* of a command: code of the program's is called as it goes on, or it is
                           * such code */
    bool is_waited_for;   /* of a queue, without the recorder: a thread waits for it */
    uint16_t type;        /* of an event, without the recorder: that of its command */
};

/* A callback whose user data has the handle of a user event. */
struct event_setter {
    uint64_t handle;   /* of the event that it is called for */
    uint64_t function; /* of the callback */
    uint32_t event;    /* the node of the user event */
    uint32_t lwp;      /* that runs it; 0: none is known to */
};

/* An event that is gone. */
struct abandoned_event {
    uint64_t handle;
    uint64_t order;  /* when it was made, */
    uint64_t caller; /* by whom, */
    uint32_t lwp;
    uint32_t stack;
    uint32_t node; /* that it has; NO_NODE: none so far */
    bool is_unset; /* a user event that nobody had set */
};

/* What modules are for, by the tool's numbers of them: bits. */
struct wait_modules {
    bool is_known;
    uint64_t of_runtimes[MODULE_LIMIT / 64];  /* and of libraries that are of a runtime alone */
    uint64_t of_languages[MODULE_LIMIT / 64]; /* what compilers and the system add */
};

struct wait_graph {
    struct row_visit *visit;
    struct wait_node *nodes;
    uint32_t node_count;
    uint32_t node_capacity;
    uint32_t *edges; /* nodes waited for, those of one node in a row */
    uint32_t edge_count;
    uint32_t edge_capacity;
    /* The nodes, in this order, and those of events behind them. */
    uint32_t command_count; /* by queue and number */
    uint32_t queue_count;   /* by cl handle */
    uint32_t thread_count;  /* by LWP */
    uint32_t *by_event;     /* of them those with an event, by that and their order */
    uint32_t by_event_count;
    uint32_t *buckets; /* of the nodes of events, by their handles: the first of each */
    uint32_t bucket_count;
    uint32_t event_count;
    struct event_setter *carriers; /* by their events, */
    uint32_t carrier_count;
    uint32_t carrier_capacity;
    struct abandoned_event *abandoned; /* by their handles and order */
    uint32_t abandoned_count;
    uint32_t abandoned_capacity;
    uint32_t looked_into;   /* memory that callbacks' user data points at, so far */
    uint32_t listed;        /* elements of wait lists, so far */
    bool has_calls_to_come; /* a callback may be called though no command goes on */
    bool has_callbacks;     /* the recorder keeps callbacks */
    bool has_dropped;       /* it had no room for all commands */
    bool has_recorder;      /* that tells what threads wait for */
    bool has_commands;      /* it keeps commands */
    uint64_t beyond;        /* commands, threads and edges beyond the limit */
    uint64_t steps;         /* of looking for commands of callbacks, so far */
    struct wait_modules modules;
};

/* Tell whether what is at ONE comes before what is at OTHER; exchange them. */
typedef bool (*wait_before_t)(const struct wait_graph *graph, uint32_t one, uint32_t other);
typedef void (*wait_swap_t)(struct wait_graph *graph, uint32_t one, uint32_t other);

/* Sort COUNT elements from FIRST on, in place and in no more steps than a heap takes. */
void wait_sort(struct wait_graph *graph, uint32_t first, uint32_t count, wait_before_t is_before,
               wait_swap_t swap);

/* Exchange two nodes that no other names yet. */
void wait_node_swap(struct wait_graph *graph, uint32_t one, uint32_t other);

/* Add a node of KIND, without edges: *NODE gets its number, NO_NODE beyond the limit.  Returns as
 * memory_grow, as all functions here that allocate. */
ompd_rc_t wait_node_add(struct wait_graph *graph, enum wait_kind kind, uint32_t *node);

/* Add an edge from NODE, the last that edges were added from, to TO. */
ompd_rc_t wait_edge_add(struct wait_graph *graph, uint32_t node, uint32_t to);

/* Let a chain end at NODE with what is not known for REASON, where it goes on to no other. */
void wait_node_set_unknown(struct wait_node *node, enum wait_reason reason);

/* Have VISIT look at the rows of KIND that belong to OBJECT, as row_visit_all does; where that
 * could not be looked at they are missing. */
ompd_rc_t wait_walk(struct row_visit *visit, uint32_t kind, uint64_t object, row_visitor_t visitor,
                    void *rule);

/* Give back what GRAPH holds. */
void wait_graph_free(struct wait_graph *graph);

/* Follow all nodes of GRAPH: each gets `next` and `end`, of those that it waits for the one whose
 * end is first in ompd_cl_wait_end_t. */
void wait_graph_settle(struct wait_graph *graph);

/* Tell whether what waits at NODE will not go on by itself. */
bool wait_node_is_stuck(const struct wait_node *node);

/* ---- wait-proof ------------------------------------------------------------------------------ */

/*
 * Whether anyone is left who may set a user event, or flush a queue.  Nobody is, where each thread
 * of the process is known to wait for ever: for what is in such a chain itself, for another thread,
 * or as a runtime's own worker for work; and where no command, callback or signal handler is still
 * to run.  What is not known may.
 */

struct wait_proof {
    bool is_proved;     /* nobody is left */
    uint64_t other;     /* LWP of a thread that may; 0: none of them */
    const char *reason; /* where that is 0: who may, or why it is not known; has room in an
                         * ompd_cl_text_t */
};

/*
 * Have in *PROOF whether nobody is left in GRAPH, which is settled; IS_OF_FLUSH: to flush a queue,
 * so that commands that were not flushed do not begin.  Returns ompd_rc_ok; ompd_rc_nomem and other
 * final ones.
 */
ompd_rc_t wait_proof_find(struct wait_graph *graph, bool is_of_flush, struct wait_proof *proof);

/* Tell in *IS_CONFIRMED whether the call stack of THREAD shows that it waits in OpenCL: a call may
 * have been left by longjmp, an exception or a cancellation that nobody has seen.  Where the tool
 * tells no stacks that is not asked.  Returns as wait_proof_find. */
ompd_rc_t wait_thread_confirm(struct wait_graph *graph, const struct wait_node *thread,
                              bool *is_confirmed);

/* ---- wait-step-row --------------------------------------------------------------------------- */

/* The hops of chains of waits, as rows that say what each object is and does. */

/* A chain being made into rows. */
struct wait_chain {
    struct wait_graph *graph;
    struct kept_rows *kept;
    uint32_t number;
    bool is_of_thread;           /* a thread is at its beginning */
    bool is_stale;               /* the stack of a thread in it does not show that it waits */
    struct wait_proof proofs[2]; /* whether nobody is left to set a user event; to flush a queue */
    bool has_proofs[2];
};

/* Fill WAIT_STEP with what is known of NODE, but how its chain ends.  Returns ompd_rc_ok, or why
 * the chain cannot go on. */
ompd_rc_t wait_step_describe(struct wait_chain *chain, const struct wait_node *node,
                             ompd_cl_wait_step_info_t *wait_step);

/* ---- wait-rows ------------------------------------------------------------------------------- */

/* Chains of waits as rows. */

/* Keep the rows of all chains of GRAPH, which is settled, in KEPT.  Returns ompd_rc_ok, or why it
 * could not go on. */
ompd_rc_t wait_rows_add(struct wait_graph *graph, struct kept_rows *kept);

/* ---- wait-steps ------------------------------------------------------------------------------ */

/* What threads and queues wait for at this stop, hop by hop. */

/* Open the list of all hops: see ompd_cl_list_open. */
ompd_rc_t hop_list_open(struct address_space *space, ompd_cl_list_t *list);

/* ---- user-event-setters ---------------------------------------------------------------------- */

/*
 * What callbacks tell of waits: those that have the handle of a user event in their user data,
 * commands that have begun as a callback of theirs runs, and whether one is still to be called.
 * What a callback will do, nothing tells.
 */

/* Look at the callbacks, where an end of GRAPH may depend on them.  All else is linked. */
ompd_rc_t event_setters_link(struct wait_graph *graph);

/* A callback that carries the event of node NUMBER; NULL: there is none. */
const struct event_setter *event_setter_find(const struct wait_graph *graph, uint32_t number);

/* ---- wait-commands --------------------------------------------------------------------------- */

/* What commands that are not known to be over wait for. */

/* Add the commands, as the first nodes of GRAPH, and then their queues. */
ompd_rc_t wait_commands_add(struct wait_graph *graph);

/* Add what the commands wait for. */
ompd_rc_t wait_commands_link(struct wait_graph *graph);

/* The node of the queue HANDLE, NO_NODE when no command of it is pending. */
uint32_t wait_queue_find(const struct wait_graph *graph, uint64_t handle);

/* ---- wait-events ----------------------------------------------------------------------------- */

/* The nodes of events. */

/*
 * Find what has to happen before the event HANDLE is over: its command or a node of its own; in
 * *NODE, which gets NO_NODE when it is over.  An event that was made at BEFORE or later is another
 * one.
 */
ompd_rc_t wait_event_find(struct wait_graph *graph, uint64_t handle, uint64_t before,
                          uint32_t *node);

/* Let the chain end at NODE, an event whose command is in the state EXECUTION, as that tells. */
void wait_event_set_end(const struct wait_graph *graph, struct wait_node *node, uint64_t execution);

/* Let nodes of events that were added otherwise be found. */
ompd_rc_t wait_events_index(struct wait_graph *graph);

/* The node of its own that the event HANDLE has so far; NO_NODE: it has none. */
uint32_t wait_event_node(const struct wait_graph *graph, uint64_t handle);

/* ---- abandoned-events ------------------------------------------------------------------------ */

/* User events that the program has released before anyone had set them: who waits for one waits for
 * ever, as nobody may set it any more (OpenCL 3.0, clReleaseEvent). */

/* Have the events that are gone, as far as the recorder keeps them.  Returns ompd_rc_ok;
 * ompd_rc_nomem and other final ones. */
ompd_rc_t abandoned_events_read(struct wait_graph *graph);

/* The node in *NODE of the event that HANDLE was last before BEFORE, if it is gone and was not set;
 * NO_NODE: it is none of these.  Returns as wait_node_add. */
ompd_rc_t abandoned_event_find(struct wait_graph *graph, uint64_t handle, uint64_t before,
                               uint32_t *node);

/* Fill WAIT_STEP, of which nothing applies yet, with what is known of GONE. */
void abandoned_event_describe(const struct abandoned_event *abandoned,
                              ompd_cl_wait_step_info_t *wait_step);

/* ---- wait-lists ------------------------------------------------------------------------------ */

/* What commands wait for, as layouts tell it. */

/* Tell whether the layouts of all runtimes that have objects tell it. */
bool wait_lists_are_covered(const struct address_space *space);

/* Let the events of GRAPH whose commands have not begun, and those that these lead to, know the
 * events of their wait lists.  No other edges were added to them. */
ompd_rc_t wait_lists_link(struct wait_graph *graph);

/* ---- wait-pending ---------------------------------------------------------------------------- */

/* Without the recorder: what threads presumably were given to wait for, and the events that layouts
 * find, each with its queue. */

/* Add the queues that layouts find, before all other nodes. */
ompd_rc_t wait_pending_queues_add(struct wait_graph *graph);

/* Add, behind the threads, user events that nobody has set, and events that are not over of queues
 * that a thread waits for, which wait for them. */
ompd_rc_t wait_pending_events_add(struct wait_graph *graph);

/* Add what thread NUMBER waits for, in a call that waits for a queue, for events or for a transfer.
 */
ompd_rc_t wait_pending_link(struct wait_graph *graph, uint32_t number);

/* Let the command whose callback thread NUMBER runs, if that is told, wait for the thread. */
void wait_pending_callbacks_link(struct wait_graph *graph, uint32_t number);

/* ---- wait-threads ---------------------------------------------------------------------------- */

/* What threads wait for, and the commands whose callbacks they run. */

/* Add the threads that have entered OpenCL, behind the commands and queues. */
ompd_rc_t wait_threads_add(struct wait_graph *graph);

/* Add what the threads wait for, and to commands who runs their callbacks. */
ompd_rc_t wait_threads_link(struct wait_graph *graph);

/* Add what thread NUMBER waits for that waits for events: those that its call was given. */
ompd_rc_t wait_thread_link_events(struct wait_graph *graph, uint32_t number);

/* The node of the thread LWP, NO_NODE when it has not entered OpenCL. */
uint32_t wait_thread_find(const struct wait_graph *graph, uint64_t lwp);

#endif
