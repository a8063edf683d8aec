/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings: mistakes that a stop shows, with a file for each rule or two. */
#ifndef LIBOMPD_FINDINGS_H
#define LIBOMPD_FINDINGS_H

#include "answers/answers.h"
#include "target/heap.h"

#include <ompd-opencl.h>

/* ---- finding --------------------------------------------------------------------------------- */

/* Builds findings and adds them to the answer: shared by all rules. */

/* Begin a finding of RULE about the object, callback or command in ROW of KIND. Returns false when
 * ROW is doubtful: no finding is reported then. */
bool finding_begin(ompd_cl_finding_info_t *finding, ompd_cl_finding_kind_t rule, uint32_t kind,
                   const void *row);

/* Set the other object, in ROW of KIND, in the same way. */
bool finding_add_other(ompd_cl_finding_info_t *finding, uint32_t kind, const void *row);

/* Begin a finding of RULE about the object of KIND that the call of ERROR was to use; 0:
 * unknown. */
void finding_begin_error(ompd_cl_finding_info_t *finding, ompd_cl_finding_kind_t rule,
                         uint32_t kind, const ompd_cl_error_info_t *error);

/* Set the second call in FINDING, and its thread. */
void finding_set_other(ompd_cl_finding_info_t *finding, const ompd_cl_value_t *lwp,
                       const ompd_cl_value_t *caller, const ompd_cl_value_t *stack);

/* Set a field of FINDING. */
void finding_set(ompd_cl_finding_info_t *finding, ompd_cl_value_t *value, uint64_t number);

/* Mark FINDING as presumed rather than certain. */
void finding_presume(ompd_cl_finding_info_t *finding);

/* Add FINDING. One of the same mistake at the same places only raises the count of the first.
 * Returns ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t finding_add(struct row_visit *visit, const ompd_cl_finding_info_t *finding);

/*
 * Call VISITOR for all errors that the recorder has, if any. If earlier ones were dropped, the
 * counts of its findings are lower bounds. Returns as row_visit_all does.
 */
ompd_rc_t error_walk(struct row_visit *visit, row_visitor_t visitor, void *rule);

/* ---- builds ---------------------------------------------------------------------------------- */

/* Rule: the last build of a program failed. */

/* Add the findings. Returns ompd_rc_ok, or why it could not continue. */
ompd_rc_t builds_check(struct row_visit *visit);

/* ---- callback-activity ----------------------------------------------------------------------- */

/* Rules about running callbacks: they wait in OpenCL, or release their own object. */

/* Without the recorder, visit the threads whose stacks show that they are in OpenCL. Returns as
 * row_visit_all does. */
ompd_rc_t callback_activity_check(struct row_visit *visit);

/* ---- callback-code --------------------------------------------------------------------------- */

/* Rule: the function of a callback is not code. */

/* Returns as row_visit_all does. */
ompd_rc_t callback_code_check(struct row_visit *visit);

/* Whether FUNCTION, an address that will be called, is certainly no code. Returns ompd_rc_ok, or
 * why the rule cannot continue. */
ompd_rc_t callback_code_find(struct row_visit *visit, uint64_t function, bool *is_gone);

/* ---- clauses --------------------------------------------------------------------------------- */

/* The clauses of OpenCL 3.0, or of Embree's manual, that findings violate. */

/* Whether RULE is a number of schema/rules.def. */
bool rule_is_known(uint64_t rule);

/* The function with the clause of RULE, and its words; static. NULL if it has none. */
const char *clause_of(ompd_cl_finding_kind_t rule);

/* The same for RULE about a callback for an object of KIND; 0: unknown. */
const char *clause_of_callback(ompd_cl_finding_kind_t rule, uint32_t kind);

/* The same for RULE about an object of Embree's of KIND. */
const char *clause_of_embree(ompd_cl_finding_kind_t rule, uint32_t kind);

/* ---- dead-stacks ----------------------------------------------------------------------------- */

/* Dead stack memory, below the stack pointers. */

/* Add the dead part of each thread's stack to STACKS, and sort them. `id` is the LWP; `is_read` is
 * set for the main thread, whose stack has a known start. A stack that cannot be distinguished from
 * other memory adds nothing. Returns as row_visit_all does. */
ompd_rc_t dead_stacks_read(struct row_visit *visit, struct extents *stacks);

/* ---- embree-callbacks ------------------------------------------------------------------------ */

/* Rules about the functions that Embree calls. */

/* As row_visit_all for all rows of KIND, one of Embree's; nothing if there is no Embree. */
ompd_rc_t embree_visit(struct row_visit *visit, uint32_t kind, row_visitor_t visitor, void *rule);

/* Check their code and user pointers. Returns as row_visit_all does. */
ompd_rc_t embree_callbacks_check(struct row_visit *visit);

/* ---- embree-buffers -------------------------------------------------------------------------- */

/* Rules about the program's memory in shared buffers of Embree. Returns as row_visit_all does. */
ompd_rc_t embree_buffers_check(struct row_visit *visit);

/* ---- embree-vertices ------------------------------------------------------------------------- */

/* Rule about the padding of vertices in shared buffers of Embree. Returns as row_visit_all does. */
ompd_rc_t embree_vertices_check(struct row_visit *visit);

/* ---- embree-state ---------------------------------------------------------------------------- */

/* Facts about Embree that are no mistakes: errors that were not read, and threads in memory
 * monitors. Both return as row_visit_all does. */
ompd_rc_t embree_errors_check(struct row_visit *visit);
ompd_rc_t embree_monitors_check(struct row_visit *visit);

/* ---- enqueue-arguments ----------------------------------------------------------------------- */

/* Rules about the arguments of enqueuing calls besides the queue. */

/* Without the recorder, as callback_activity_check does. Returns as row_visit_all does. */
ompd_rc_t wrong_handles_check(struct row_visit *visit);

/* ---- expected-kind --------------------------------------------------------------------------- */

/* The kind of object that an OpenCL function works on, by its first handle. */

/* The kind of object that CALL works on; 0 where it is not known. */
uint32_t expected_kind(uint64_t call);

/* Whether CALL only queries or retains an object, so that it calls no callbacks. */
bool expected_is_query(uint64_t call);

/* ---- findings -------------------------------------------------------------------------------- */

/* The list of findings of this stop. */

/* Open the list of all findings: see ompd_cl_list_open. */
ompd_rc_t finding_list_open(struct address_space *space, ompd_cl_list_t *list);

/* ---- freed-memory ---------------------------------------------------------------------------- */

/* Whether the program has freed memory, for the rules about host memory and user data. */

/* Begin with {0}, end with freed_memory_free. */
struct freed_memory {
    struct heap_chunks chunks;
    bool has_heap;  /* a heap of glibc's malloc was found */
    bool is_looked; /* other allocators were searched for */
};

/* Whether the memory at ADDRESS, which is mapped, was freed. False where that is not proved; the
 * notes of VISIT's findings then say what was not checked. Fastest for ascending addresses. */
bool freed_memory_has(struct row_visit *visit, struct freed_memory *memory, uint64_t address);

void freed_memory_free(struct freed_memory *memory, struct row_visit *visit);

/* ---- destroyed-arguments --------------------------------------------------------------------- */

/* Rule: a kernel was enqueued with a destroyed memory object. */

/* Returns as row_visit_all does. */
ompd_rc_t destroyed_arguments_check(struct row_visit *visit);

/* ---- handle-check ---------------------------------------------------------------------------- */

/* Checks that an argument of a call is a handle of the kind that the call takes. */

struct checked_handle {
    const ompd_cl_thread_info_t *thread; /* the thread in the call */
    uint64_t handle;
    uint32_t kind;     /* of object that the call takes; 0: unknown */
    uint32_t argument; /* number of the argument, from 0 */
    uint64_t order;    /* of the command that the call enqueues: objects that ended before it are
                          destroyed; 0: unknown */
};

/* Add a finding if CHECKED is not a handle of its kind. Returns as finding_add does. */
ompd_rc_t handle_check(struct row_visit *visit, const struct checked_handle *judged);

/* ---- host-memory ----------------------------------------------------------------------------- */

/* Rules about freed host memory of memory objects. */

/* Check the EXTENTS within the target's addresses; EXTENTS are sorted. Returns as row_visit_all
 * does. */
ompd_rc_t host_memory_check(struct row_visit *visit, const struct extents *extents);

/* The same for objects that the program has released and that exist because something uses them. If
 * that is not certain, their memory may be freed. */
ompd_rc_t host_memory_check_released(struct row_visit *visit, const struct extents *extents);

/* Return whether a part of EXTENT is not mapped: *START gets where the first begins. */
bool host_memory_find_unmapped(struct row_visit *visit, const struct extent *extent,
                               uint64_t *start);

/* Whether the heap block with the start of EXTENT ends before EXTENT: *END gets where. False where
 * that is not proved. */
bool host_memory_is_too_small(struct row_visit *visit, struct freed_memory *freed,
                              const struct extent *extent, uint64_t *end);

/* ---- late-calls ------------------------------------------------------------------------------ */

/* Rules about OpenCL calls that the runtime may no longer serve: in the child of a fork(), which
 * lacks the runtime's threads, and while the program is in exit(), which ends the runtime. */

/* Add a finding for each thread in such a call. Returns ompd_rc_ok, or why it could not
 * continue. */
ompd_rc_t late_calls_check(struct row_visit *visit);

/* ---- pending-commands ------------------------------------------------------------------------ */

/* Commands that are certainly unfinished. */

/* Begin with {0}. */
struct pending_commands {
    struct extents all; /* `within` is the queue, `start` the number, `id` the LWP */
    uint64_t queue;     /* that was examined last, */
    bool is_in_order;   /* and whether its commands end one after the other */
};

/* Find all of which that is proved by themselves. Returns as row_visit_all does. */
ompd_rc_t pending_commands_read(struct row_visit *visit, struct pending_commands *pending);

/* Whether COMMAND is certainly unfinished: itself, or one that its thread has enqueued before it in
 * an in-order queue. *RC is
 * ompd_rc_ok, or why the rule cannot continue. */
bool pending_commands_have(struct row_visit *visit, struct pending_commands *pending,
                           const ompd_cl_command_info_t *command, ompd_rc_t *rc);

void pending_commands_free(struct pending_commands *pending, struct row_visit *visit);

/* ---- later-uses ------------------------------------------------------------------------------ */

/* What uses memory objects that the program has released: unfinished commands, and objects made
 * from them. */

/* Begin with {0}. */
struct later_uses {
    struct pending_commands pending;
    struct extents all; /* by the handle of the memory object, as one byte: `id` is that of the
                               command or, if `is_read`, of the object */
};

/* Find all such uses. Returns as row_visit_all does. */
ompd_rc_t later_uses_read(struct row_visit *visit, struct later_uses *uses);

/* Set the other object of FINDING to what uses the memory object HANDLE: the kernel or queue of the
 * command, or an object. Returns false if nothing certainly uses it; *RC says whether the rule can
 * continue. */
bool later_uses_name(struct row_visit *visit, const struct later_uses *uses, uint64_t handle,
                     ompd_cl_finding_info_t *finding, ompd_rc_t *rc);

void later_uses_free(struct later_uses *uses, struct row_visit *visit);

/* ---- memobj-extents -------------------------------------------------------------------------- */

/* Rules about the memory of live memory objects: host memory that was freed or unmapped. */

/* Returns as row_visit_all does. */
ompd_rc_t memobj_extents_check(struct row_visit *visit);

/* ---- misuse ---------------------------------------------------------------------------------- */

/* Rules about uses after release, and user events set twice. */

/* Check the last refused or mistaken calls. Returns ompd_rc_ok; ompd_rc_nomem and other final
 * codes. */
ompd_rc_t misuse_check(struct row_visit *visit);

/* Add a finding for each mapped SVM allocation that was freed and is still recorded. Returns
 * ompd_rc_ok, or why it could not continue. */
ompd_rc_t svm_mapped_check(struct row_visit *visit);

/* ---- other-registration ---------------------------------------------------------------------- */

/* Callbacks registered more than once with the same user data. */

/*
 * In FINDING, of a destructor callback with known function and user data (its `address`), set
 * another registration of both that has been called: for the same object, or for one that existed
 * at the same time. Returns ompd_rc_ok, also if there is none; or why it could not continue.
 */
ompd_rc_t other_registration_add(struct row_visit *visit, ompd_cl_finding_info_t *finding);

/* ---- over-release ---------------------------------------------------------------------------- */

/* Rule: an object was released without references. */

/* Add a finding for each over-release that the recorder has, and one for those that it only counts.
 * Returns ompd_rc_ok, or why it could not continue. */
ompd_rc_t over_release_check(struct row_visit *visit);

/* The kind of object that CALL releases; 0: none that is known. */
uint32_t release_kind(uint64_t call);

/* ---- running-callback ------------------------------------------------------------------------ */

/* Whether a running callback may have freed its user data. */

/*
 * Whether the callback FUNCTION, running in thread LWP, has certainly freed nothing. Its code must
 * show that it has called no function so far, or only free(), which has aborted. Returns false also
 * where its stack or its code does not show that.
 */
bool running_callback_has_freed_nothing(struct address_space *space, uint64_t lwp,
                                        uint64_t function);

/* ---- recorded-mistakes ----------------------------------------------------------------------- */

/* Mistakes that the recorder has seen as calls made them, perhaps long before this stop. */

/* Add the findings. Returns ompd_rc_ok, or why it could not continue. */
ompd_rc_t recorded_mistakes_check(struct row_visit *visit);

/* ---- runtime-differs ------------------------------------------------------------------------- */

/* Rules about differences between the runtime and the recorder. */

/* Returns as row_visit_all does. */
ompd_rc_t runtime_differs_check(struct row_visit *visit);

/* ---- runtime-object -------------------------------------------------------------------------- */

/* The runtime's view of an object that the recorder has, too. */

struct runtime_object {
    struct layout_fields view; /* of an existing object */
    bool is_there;
    bool is_gone; /* the memory at the handle is freed; if it does not exist either, that is unknown
                   */
};

/* The number of searches of a heap. Each may walk through the entire heap: law 13. */
#define HEAP_LOOKS 64

/* The searches of heaps so far. Begin with {0}. */
struct heap_searches {
    struct heap_chunks chunks;
    uint32_t count;
};

/* Read the object of ROW of KIND. Returns ompd_rc_ok; ompd_rc_nomem; ompd_rc_interrupted. */
ompd_rc_t runtime_object_read(struct address_space *space, struct heap_searches *looks,
                              uint32_t kind, const union row *row, struct runtime_object *object);

/* Set *NUMBER to the runtime's value of FIELD of an existing object. Returns false if there is
 * none. */
bool runtime_object_get(struct runtime_object *object, enum layout_field field, uint64_t *number);

/* Set *COUNT to the number of destructor callbacks that the runtime has of an existing object that
 * is not being destroyed. *IS_KNOWN is false if the runtime does not show it. Returns as
 * runtime_object_read does. */
ompd_rc_t runtime_object_count_callbacks(struct runtime_object *object, uint64_t *count,
                                         bool *is_known);

/* ---- svm-commands ---------------------------------------------------------------------------- */

/* Rule: an SVM allocation was freed while a command uses it. */

/* Needs the recorder. Returns as row_visit_all does. */
ompd_rc_t svm_commands_check(struct row_visit *visit);

/* Begin a finding that COMMAND uses SVM at POINTER: its kernel, or its queue and the
 * call; and the place. */
void svm_finding_begin(ompd_cl_finding_info_t *finding, const ompd_cl_command_info_t *command,
                       uint64_t pointer);

/* Add the allocations that the program has freed to FREED: `within` and `id` are the order of their
 * creation, and the last one before the end. Returns as row_visit_all does. */
ompd_rc_t freed_svm_read(struct row_visit *visit, struct extents *freed);

/* Whether ADDRESS was in one of FREED when COMMAND was enqueued. */
bool freed_svm_has(const struct extents *freed, const ompd_cl_command_info_t *command,
                   uint64_t address);

/* ---- svm-use --------------------------------------------------------------------------------- */

/* Rules about SVM allocations that enqueued commands free: twice, or before a command that uses
 * them. */

/* Without the recorder, only double frees that a layout shows. Returns as row_visit_all does. */
ompd_rc_t svm_use_check(struct row_visit *visit);

/* ---- transfer-memory ------------------------------------------------------------------------- */

/* Rules about the program's memory that unfinished transfers read or write. */

/* Needs the recorder. Returns as row_visit_all does. */
ompd_rc_t transfer_memory_check(struct row_visit *visit);

/* ---- unflushed-commands ---------------------------------------------------------------------- */

/* Rule: a callback enqueued a command and returned, and the command was not flushed. */

/* Needs the recorder. Returns as row_visit_all does. */
ompd_rc_t unflushed_commands_check(struct row_visit *visit);

/* ---- user-data ------------------------------------------------------------------------------- */

/* Rules about callbacks whose user data was freed or unmapped. */

/* Check user data that the recorder saw in the program's stack or heap: other user data need not be
 * a pointer. Returns as row_visit_all does. */
ompd_rc_t user_data_check(struct row_visit *visit);

#endif
