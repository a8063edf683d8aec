/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who waits for what: wait chains. */
#ifndef LIBOMPD_WAITS_H
#define LIBOMPD_WAITS_H

#include "answers/answers.h"
#include "answers/kept.h"

/* ---- wait-graph ------------------------------------------------------------------------------ */

/* The wait graph: threads, queues, commands and events, each with the nodes that it waits for. */

/* The limit on commands, threads and edges (law 6). */
#define WAIT_LIMIT (UINT32_C(1) << 20)

#define NO_NODE UINT32_MAX

/* Why the next step of a chain is unknown. */
enum wait_reason {
    wait_reason_none,
    wait_reason_no_commands, /* the recorder records none */
    wait_reason_no_command,  /* the command of this call is not recorded */
    wait_reason_idle,        /* no command of the queue is known to be pending */
    wait_reason_other_event, /* the first event is complete; the others are not recorded */
    wait_reason_events_over, /* all events are complete or not recorded */
    wait_reason_dropped,     /* commands of the queue were dropped */
    wait_reason_deep,        /* the thread is in more calls than the recorder stores */
    wait_reason_unreadable,  /* the next step could not be read */
    wait_reason_no_recorder, /* without a recorder the arguments of the call are unknown */
    wait_reason_no_lists,    /* without a recorder the waits of the command are unknown */
    wait_reason_lost_list,   /* no incomplete event of the wait list was found */
    wait_reason_empty_list,  /* the layout shows an empty wait list */
    wait_reason_no_object,   /* layouts do not show its argument, or its command */
    wait_reason_condition,   /* the thread that will signal a condition variable is unknown */
    wait_reason_shared,      /* the semaphore of the command is shared with other APIs */
    wait_reason_signal,      /* it is unknown which signal of the semaphore the command needs */
    wait_reason_stale,       /* the thread's call stack does not show that it waits */
    WAIT_REASON_COUNT
};

enum wait_kind { wait_of_thread, wait_of_queue, wait_of_command, wait_of_event };

enum wait_color { wait_unvisited, wait_on_path, wait_settled };

struct wait_node {
    uint64_t id;        /* of the thread, command or event; 0: unknown */
    uint64_t handle;    /* of a queue or an event; for a command, that of its event, or 0 */
    uint64_t queue;     /* of a command, or of an event without the recorder: handle of its queue */
    uint64_t order;     /* of a command: when its call began */
    uint32_t number;    /* of a command within its queue; 0: it is being enqueued */
    uint64_t semaphore; /* that a command waits for; 0: none, or not known to block it */
    uint32_t lwp;       /* of a thread; for a command, of the thread that enqueues it */
    uint32_t edges;     /* first edge */
    uint32_t edge_count;
    uint32_t passed; /* edges followed so far */
    uint32_t before; /* of a command in an in-order queue: the command before it; NO_NODE: none */
    uint32_t runner; /* of a command: the thread that runs its callback; of a thread: the blocking
                      * command that it is enqueuing; NO_NODE: none */
    uint32_t parent; /* on the current path */
    uint32_t chain;  /* number of the last chain with it, 0: none, */
    uint32_t step;   /* and its place there, from 1 */
    uint32_t next;   /* once settled: the next node; NO_NODE: the chain ends here with `own_end` */
    uint8_t kind;    /* enum wait_kind */
    uint8_t color;   /* enum wait_color */
    uint8_t own_end; /* ompd_cl_wait_end_t: the end of a chain that has no next node here */
    uint8_t end;     /* once settled: the end of the chain through it */
    uint8_t reason;  /* own_end unknown: enum wait_reason */
    bool is_next_before;  /* `next` was reached through `before` */
    uint8_t state;        /* of a thread: ompd_cl_thread_state_t; 0: unknown */
    uint32_t same_bucket; /* of an event: the next one in its bucket; NO_NODE: none */
    uint32_t carrier;     /* of a user event: number of an event_setter; NO_NODE: none */
    uint32_t abandoned;   /* of a destroyed event: its number; NO_NODE: it exists */
    uint32_t more_events; /* of a thread: events that it waits for besides the next node */
    uint64_t mutex;       /* the lock that a thread waits for; 0: none, or unknown */
    uint32_t owner;       /* LWP of the owner of the lock, or of the joined thread; 0: unknown */
    uint8_t lock;         /* ompd_cl_lock_t of the lock; 0: none */
    bool is_unseen;       /* of a thread: not known to have entered OpenCL */
    bool is_looked_at;    /* of a thread: its waits outside OpenCL were searched for */
    bool is_in_order;     /* of a queue */
    bool is_running;      /* of a command: the device is known to have started it */
    bool is_svm_free;     /* of a command */
    bool has_callback;  /* of a command: it calls code of the program when it continues, or is such
                           code */
    bool is_waited_for; /* of a queue, without the recorder: a thread waits for it */
    uint16_t type;      /* of an event, without the recorder: type of its command */
};

/* A callback whose user data has the handle of a user event, and which may therefore set it. */
struct event_setter {
    uint64_t handle;   /* of the event that the callback is registered for */
    uint64_t function; /* of the callback */
    uint32_t event;    /* node of the user event */
    uint32_t lwp;      /* of the thread that runs it; 0: none that is known */
};

/* A destroyed event. */
struct abandoned_event {
    uint64_t handle;
    uint64_t order;  /* of its creation, */
    uint64_t caller; /* call site of its creation */
    uint32_t lwp;
    uint32_t stack;
    uint32_t node; /* its node; NO_NODE: none so far */
    bool is_unset; /* a user event that was never set */
};

/* The roles of modules, as bits by the tool's module numbers. */
struct wait_modules {
    bool is_known;
    uint64_t of_runtimes[MODULE_LIMIT / 64];  /* runtimes, and libraries that only a runtime uses */
    uint64_t of_languages[MODULE_LIMIT / 64]; /* libraries of compilers and the system */
};

struct wait_graph {
    struct row_visit *visit;
    struct wait_node *nodes;
    uint32_t node_count;
    uint32_t node_capacity;
    uint32_t *edges; /* target nodes, with those of one node together */
    uint32_t edge_count;
    uint32_t edge_capacity;
    /* The nodes, in this order, followed by those of events. */
    uint32_t command_count; /* by queue and number */
    uint32_t queue_count;   /* by cl handle */
    uint32_t thread_count;  /* by LWP */
    uint32_t *by_event;     /* commands with an event, by event and order */
    uint32_t by_event_count;
    uint32_t *buckets; /* nodes of events by handle: the first of each bucket */
    uint32_t bucket_count;
    uint32_t event_count;
    struct event_setter *carriers; /* by event */
    uint32_t carrier_count;
    uint32_t carrier_capacity;
    struct abandoned_event *abandoned; /* by handle and order */
    uint32_t abandoned_count;
    uint32_t abandoned_capacity;
    uint32_t looked_into;   /* user data of callbacks examined so far */
    uint32_t listed;        /* elements of wait lists so far */
    bool has_calls_to_come; /* a callback may be called even if no command continues */
    bool has_callbacks;     /* the recorder records callbacks */
    bool has_dropped;       /* it had no room for all commands */
    bool has_recorder;      /* which shows what threads wait for */
    bool has_commands;      /* it records commands */
    uint64_t beyond;        /* commands, threads and edges beyond the limit */
    uint64_t steps;         /* steps of searches for commands of callbacks */
    struct wait_modules modules;
};

/* Whether the element at ONE comes before the one at OTHER; exchange two elements. */
typedef bool (*wait_before_t)(const struct wait_graph *graph, uint32_t one, uint32_t other);
typedef void (*wait_swap_t)(struct wait_graph *graph, uint32_t one, uint32_t other);

/* Sort COUNT elements from FIRST, in place, with heapsort. */
void wait_sort(struct wait_graph *graph, uint32_t first, uint32_t count, wait_before_t is_before,
               wait_swap_t swap);

/* Exchange two nodes that no other node refers to. */
void wait_node_swap(struct wait_graph *graph, uint32_t one, uint32_t other);

/* Add a node of KIND without edges: *NODE is its number, or NO_NODE beyond the limit. Returns as
 * memory_grow does, like all functions here that allocate. */
ompd_rc_t wait_node_add(struct wait_graph *graph, enum wait_kind kind, uint32_t *node);

/* Add an edge from NODE, the last node that got edges, to TO. */
ompd_rc_t wait_edge_add(struct wait_graph *graph, uint32_t node, uint32_t to);

/* End chains at NODE as unknown for REASON, unless they continue. */
void wait_node_set_unknown(struct wait_node *node, enum wait_reason reason);

/* As row_visit_all for the rows of KIND that belong to OBJECT. Rows that could not be visited are
 * recorded as missing. */
ompd_rc_t wait_walk(struct row_visit *visit, uint32_t kind, uint64_t object, row_visitor_t visitor,
                    void *rule);

/* Free what GRAPH holds. */
void wait_graph_free(struct wait_graph *graph);

/* Settle all nodes of GRAPH: set `next` and `end` to the successor whose end comes first in
 * ompd_cl_wait_end_t. */
void wait_graph_settle(struct wait_graph *graph);

/* Whether a wait at NODE will never end by itself. */
bool wait_node_is_stuck(const struct wait_node *node);

/* ---- wait-proof ------------------------------------------------------------------------------ */

/*
 * The proof that nobody can set a user event, or flush a queue. Each thread of the process must be
 * known to wait for ever: within such a chain, for another thread, or as a runtime's idle worker.
 * No command, callback or signal handler may be pending. Anything unknown may do it.
 */

struct wait_proof {
    bool is_proved; /* nobody can */
    uint64_t other; /* LWP of a thread that may; 0: none */
    const char
        *reason; /* if that is 0: what may, or why it is not known; fits in an ompd_cl_text_t */
};

/*
 * Find the proof for GRAPH, which is settled, in *PROOF. IS_OF_FLUSH: that nobody can flush a
 * queue, so that unflushed commands do not start. Returns ompd_rc_ok; ompd_rc_nomem and other final
 * codes.
 */
ompd_rc_t wait_proof_find(struct wait_graph *graph, bool is_of_flush, struct wait_proof *proof);

/* Set *IS_CONFIRMED to whether the call stack of THREAD shows that it waits in OpenCL. The call may
 * have been left by longjmp, an exception or a cancellation that the recorder has not seen. True if
 * the tool provides no stacks. Returns as wait_proof_find does. */
ompd_rc_t wait_thread_confirm(struct wait_graph *graph, const struct wait_node *thread,
                              bool *is_confirmed);

/* ---- wait-step-row --------------------------------------------------------------------------- */

/* Fills the wait steps of chains. */

/* A chain that is converted to rows. */
struct wait_chain {
    struct wait_graph *graph;
    struct kept_rows *kept;
    uint32_t number;
    bool is_of_thread;           /* it begins with a thread */
    bool is_stale;               /* the stack of one of its threads does not show that it waits */
    struct wait_proof proofs[2]; /* whether nobody can set a user event; flush a queue */
    bool has_proofs[2];
};

/* Fill WAIT_STEP with what is known of NODE, except the end of its chain. Returns ompd_rc_ok, or
 * why the chain cannot continue. */
ompd_rc_t wait_step_describe(struct wait_chain *chain, const struct wait_node *node,
                             ompd_cl_wait_step_info_t *wait_step);

/* ---- wait-rows ------------------------------------------------------------------------------- */

/* Converts wait chains to rows. */

/* Add the rows of all chains of GRAPH, which is settled, to KEPT. Returns ompd_rc_ok, or why it
 * could not continue. */
ompd_rc_t wait_rows_add(struct wait_graph *graph, struct kept_rows *kept);

/* ---- wait-steps ------------------------------------------------------------------------------ */

/* The list of wait steps: what threads and queues wait for at this stop. */

/* Open the list of all wait steps: see ompd_cl_list_open. */
ompd_rc_t hop_list_open(struct address_space *space, ompd_cl_list_t *list);

/* ---- user-event-setters ---------------------------------------------------------------------- */

/*
 * What callbacks show about waits: whose user data has the handle of a user event, which commands
 * have started because their callback runs, and whether a callback is still to be called. What a
 * callback will do is unknown.
 */

/* Read the callbacks, if an end of GRAPH may depend on them. Everything else must be linked. */
ompd_rc_t event_setters_link(struct wait_graph *graph);

/* A callback with the event of node NUMBER in its user data; NULL if there is none. */
const struct event_setter *event_setter_find(const struct wait_graph *graph, uint32_t number);

/* ---- wait-commands --------------------------------------------------------------------------- */

/* What unfinished commands wait for. */

/* Add the commands, as the first nodes of GRAPH, followed by their queues. */
ompd_rc_t wait_commands_add(struct wait_graph *graph);

/* Add what the commands wait for. */
ompd_rc_t wait_commands_link(struct wait_graph *graph);

/* The node of the queue HANDLE; NO_NODE if it has no pending command. */
uint32_t wait_queue_find(const struct wait_graph *graph, uint64_t handle);

/* ---- wait-semaphores ------------------------------------------------------------------------- */

/* Commands that wait for semaphores. */

/* Link command NUMBER, which INFO describes, to the pending commands that signal the semaphores
 * that it waits for. */
ompd_rc_t wait_semaphores_link(struct wait_graph *graph, uint32_t number,
                               const ompd_cl_command_info_t *info);

/* The node of pending command NUMBER of the queue QUEUE; NO_NODE if there is none. */
uint32_t wait_command_find(const struct wait_graph *graph, uint64_t queue, uint32_t number);

/* ---- wait-events ----------------------------------------------------------------------------- */

/* The nodes of events. */

/*
 * Find what must happen before the event HANDLE completes: its command, or a node of its own, in
 * *NODE; NO_NODE if it is complete. An event created at BEFORE or later is a different one.
 */
ompd_rc_t wait_event_find(struct wait_graph *graph, uint64_t handle, uint64_t before,
                          uint32_t *node);

/* Set the end of chains at NODE, an event whose command has the state EXECUTION. */
void wait_event_set_end(const struct wait_graph *graph, struct wait_node *node, uint64_t execution);

/* Index the nodes of events that were added elsewhere. */
ompd_rc_t wait_events_index(struct wait_graph *graph);

/* The own node of the event HANDLE; NO_NODE if it has none so far. */
uint32_t wait_event_node(const struct wait_graph *graph, uint64_t handle);

/* ---- abandoned-events ------------------------------------------------------------------------ */

/* User events that the program released before anyone set them. Waits for them never end, because
 * nobody may set them any more (OpenCL 3.0, clReleaseEvent). */

/* Read the destroyed events that the recorder still has. Returns ompd_rc_ok; ompd_rc_nomem and
 * other final codes. */
ompd_rc_t abandoned_events_read(struct wait_graph *graph);

/* Find the node of the event that HANDLE last named before BEFORE, if it is destroyed and was not
 * set, in *NODE; NO_NODE if it is none. Returns as wait_node_add does. */
ompd_rc_t abandoned_event_find(struct wait_graph *graph, uint64_t handle, uint64_t before,
                               uint32_t *node);

/* Fill WAIT_STEP, all of whose fields are not applicable, from ABANDONED. */
void abandoned_event_describe(const struct abandoned_event *abandoned,
                              ompd_cl_wait_step_info_t *wait_step);

/* ---- wait-lists ------------------------------------------------------------------------------ */

/* What commands wait for according to layouts. */

/* Whether the layouts of all runtimes with objects show it. */
bool wait_lists_are_covered(const struct address_space *space);

/* Link the events of GRAPH whose commands have not started, and those that they lead to, to the
 * events of their wait lists. They must have no other edges. */
ompd_rc_t wait_lists_link(struct wait_graph *graph);

/* ---- wait-pending ---------------------------------------------------------------------------- */

/* Waits without the recorder: what threads presumably wait for, and the events that layouts show,
 * with their queues. */

/* Add the queues that layouts show, before all other nodes. */
ompd_rc_t wait_pending_queues_add(struct wait_graph *graph);

/* Add, behind the threads, the user events that are not set, and the incomplete events of queues
 * that a thread waits for, linked to their queues. */
ompd_rc_t wait_pending_events_add(struct wait_graph *graph);

/* Link thread NUMBER, in a call that waits for a queue, for events or for a transfer. */
ompd_rc_t wait_pending_link(struct wait_graph *graph, uint32_t number);

/* Link the command whose callback thread NUMBER runs, if it is known, to the thread. */
void wait_pending_callbacks_link(struct wait_graph *graph, uint32_t number);

/* ---- wait-threads ---------------------------------------------------------------------------- */

/* What threads wait for, and the commands whose callbacks they run. */

/* Add the threads that have entered OpenCL, behind the commands and queues. */
ompd_rc_t wait_threads_add(struct wait_graph *graph);

/* Link the threads to what they wait for, and commands to the threads that run their callbacks. */
ompd_rc_t wait_threads_link(struct wait_graph *graph);

/* Link thread NUMBER to the events that its call waits for. */
ompd_rc_t wait_thread_link_events(struct wait_graph *graph, uint32_t number);

/* The node of the thread LWP; NO_NODE if it has not entered OpenCL. */
uint32_t wait_thread_find(const struct wait_graph *graph, uint64_t lwp);

#endif
