/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings: mistakes that a stop shows, a file for each rule or two. */
#ifndef LIBOMPD_FINDINGS_H
#define LIBOMPD_FINDINGS_H

#include "answers/answers.h"
#include "target/heap.h"

#include <ompd-opencl.h>

/* ---- finding --------------------------------------------------------------------------------- */

/* Findings being taken: what each rule uses to keep what it finds. */

/* Begin a finding of RULE about the object, callback or command in ROW of KIND.  False when that is
 * doubtful: then nothing is said of it. */
bool finding_begin(ompd_cl_finding_info_t *finding, ompd_cl_finding_kind_t rule, uint32_t kind,
                   const void *row);

/* Name the other object, in ROW of KIND, likewise. */
bool finding_add_other(ompd_cl_finding_info_t *finding, uint32_t kind, const void *row);

/* Begin a finding of RULE about what the call of ERROR was to work on, of KIND; 0: not known. */
void finding_begin_error(ompd_cl_finding_info_t *finding, ompd_cl_finding_kind_t rule,
                         uint32_t kind, const ompd_cl_error_info_t *error);

/* Set in FINDING who made the call that it has beside its own. */
void finding_set_other(ompd_cl_finding_info_t *finding, const ompd_cl_value_t *lwp,
                       const ompd_cl_value_t *caller, const ompd_cl_value_t *stack);

/* Set a field of FINDING. */
void finding_set(ompd_cl_finding_info_t *finding, ompd_cl_value_t *value, uint64_t number);

/* What FINDING says is not proved. */
void finding_presume(ompd_cl_finding_info_t *finding);

/* Keep FINDING; one of the same mistake at the same places is counted with the first.  Returns
 * ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t finding_add(struct row_visit *visit, const ompd_cl_finding_info_t *finding);

/*
 * Have VISIT look at all errors that the recorder keeps; none where it keeps none.  Where earlier
 * ones are not kept any more, what VISIT has found was so often at least.  Returns as
 * row_visit_all.
 */
ompd_rc_t error_walk(struct row_visit *visit, row_visitor_t visitor, void *rule);

/* ---- builds ---------------------------------------------------------------------------------- */

/* Programs whose last build has failed. */

/* Keep a finding for each.  Returns ompd_rc_ok, or why it could not go on. */
ompd_rc_t builds_check(struct row_visit *visit);

/* ---- callback-activity ----------------------------------------------------------------------- */

/* Findings about what callbacks that run now do: wait in OpenCL, or release their own object. */

/* Without the recorder threads are looked at whose stacks show that they are in OpenCL.  Returns as
 * row_visit_all. */
ompd_rc_t callback_activity_check(struct row_visit *visit);

/* ---- callback-code --------------------------------------------------------------------------- */

/* Findings about callbacks that are to run and have no code. */

/* Returns as row_visit_all. */
ompd_rc_t callback_code_check(struct row_visit *visit);

/* ---- clauses --------------------------------------------------------------------------------- */

/* What OpenCL 3.0 says that findings go against. */

/* The function of OpenCL 3.0 that RULE is a rule of, and what it says; static. */
const char *clause_of(ompd_cl_finding_kind_t rule);

/* The same of RULE about a callback that is called for an object of KIND; 0: not known of which. */
const char *clause_of_callback(ompd_cl_finding_kind_t rule, uint32_t kind);

/* ---- dead-stacks ----------------------------------------------------------------------------- */

/* The memory of stacks that no function uses any more: below the stack pointers. */

/* Add to STACKS, which are then in order, what is dead of the stack of each thread: `id` is its
 * LWP, `is_read` whether it is the main thread's, of which it is sure where it begins.  Of a stack
 * that cannot be told from other memory nothing is added.  Returns as row_visit_all. */
ompd_rc_t dead_stacks_read(struct row_visit *visit, struct extents *stacks);

/* ---- enqueue-arguments ----------------------------------------------------------------------- */

/* What calls that enqueue a command are given beside the queue. */

/* Without the recorder as callback_activity_check.  Returns as row_visit_all. */
ompd_rc_t wrong_handles_check(struct row_visit *visit);

/* ---- expected-kind --------------------------------------------------------------------------- */

/* What a function of OpenCL works on: the kind of the object that its first handle is of. */

/* The kind of the object that CALL works on; 0 where this library does not say. */
uint32_t expected_kind(uint64_t call);

/* Tell whether CALL only asks for what an object has, or retains it: it calls no callbacks. */
bool expected_is_query(uint64_t call);

/* ---- findings -------------------------------------------------------------------------------- */

/* Mistakes that the target shows at this stop. */

/* Open the list of all findings: see ompd_cl_list_open. */
ompd_rc_t finding_list_open(struct address_space *space, ompd_cl_list_t *list);

/* ---- freed-memory ---------------------------------------------------------------------------- */

/* Whether the program has freed memory, for rules about host memory and user data. */

/* Begin with {0}, end with freed_memory_free. */
struct freed_memory {
    struct heap_chunks chunks;
    bool has_heap;  /* one of glibc's malloc was met */
    bool is_looked; /* another allocator was looked for */
};

/* Tell whether the memory at ADDRESS, which is mapped, was freed.  False where that is not proved;
 * VISIT's findings then say what was not looked for.  Cheapest for rising addresses. */
bool freed_memory_has(struct row_visit *visit, struct freed_memory *memory, uint64_t address);

void freed_memory_free(struct freed_memory *memory, struct row_visit *visit);

/* ---- destroyed-arguments --------------------------------------------------------------------- */

/* Kernels that were enqueued with a memory object that was gone. */

/* Returns as findings_take. */
ompd_rc_t destroyed_arguments_check(struct row_visit *visit);

/* ---- handle-check ---------------------------------------------------------------------------- */

/* Whether what a thread has given a call is a handle of the kind that the call wants. */

struct checked_handle {
    const ompd_cl_thread_info_t *thread; /* in the call */
    uint64_t handle;
    uint32_t kind;     /* of the object that the call wants; 0: not known */
    uint32_t argument; /* of the call, from 0 */
    uint64_t order; /* of the command that the call enqueues: what had ended before it is gone; 0:
                     * that is not known */
};

/* Keep a finding where JUDGED is none of its kind.  Returns as finding_add. */
ompd_rc_t handle_check(struct row_visit *visit, const struct checked_handle *judged);

/* ---- host-memory ----------------------------------------------------------------------------- */

/* Findings about host memory of memory objects that the program has given back. */

/* EXTENTS are in order; those within the target's addresses are looked at.  Returns as
 * row_visit_all.
 */
ompd_rc_t host_memory_check(struct row_visit *visit, const struct extents *extents);

/* The same of objects that the program has released, and that are there as something uses them.
 * Where nothing does for sure, their memory may be given back. */
ompd_rc_t host_memory_check_released(struct row_visit *visit, const struct extents *extents);

/* ---- late-calls ------------------------------------------------------------------------------ */

/* Calls of OpenCL that a process makes when its runtime may not serve them any more: in the child
 * of a fork(), where the runtime's threads are not, and while the program is in exit(), which ends
 * the runtime. */

/* Keep a finding for each thread that is in such a call.  Returns ompd_rc_ok, or why it could not
 * go on. */
ompd_rc_t late_calls_check(struct row_visit *visit);

/* ---- later-uses ------------------------------------------------------------------------------ */

/* What keeps memory objects that the program has released: commands that surely have yet to end,
 * and objects made of them that the program has. */

/* Begin with {0}. */
struct later_uses {
    struct extents pending; /* commands: `within` is the queue, `start` the number */
    struct extents all;     /* by the handle of the memory object, a byte each: `id` is that of the
                             * command or, where `is_read`, of the object */
};

/* Have them all.  Returns as row_visit_all. */
ompd_rc_t later_uses_read(struct row_visit *visit, struct later_uses *uses);

/* Name in FINDING, as the other object, the kernel or queue of the command, or the object, that
 * uses the memory object HANDLE.  False: none does for sure, and *RC says whether the rule can go
 * on. */
bool later_uses_name(struct row_visit *visit, const struct later_uses *uses, uint64_t handle,
                     ompd_cl_finding_info_t *finding, ompd_rc_t *rc);

void later_uses_free(struct later_uses *uses, struct row_visit *visit);

/* Tell whether COMMAND surely has yet to end, by itself: the runtime says so of its event, or a
 * user event that it waits for is not set.  *RC gets ompd_rc_ok, or why the rule cannot go on. */
bool pending_command_is(struct row_visit *visit, const ompd_cl_command_info_t *command,
                        ompd_rc_t *rc);

/* ---- memobj-extents -------------------------------------------------------------------------- */

/* Findings about the memory of live memory objects: host memory that is gone. */

/* Returns as row_visit_all. */
ompd_rc_t memobj_extents_check(struct row_visit *visit);

/* ---- misuse ---------------------------------------------------------------------------------- */

/* What the program has used after it had released it, and user events that it has set twice. */

/* Look through the last calls that were refused or that were a mistake.  Returns ompd_rc_ok;
 * ompd_rc_nomem and other final ones. */
ompd_rc_t misuse_check(struct row_visit *visit);

/* Keep a finding for each that the recorder still tells of.  Returns ompd_rc_ok, or why it could
 * not go on. */
ompd_rc_t svm_mapped_check(struct row_visit *visit);

/* ---- other-registration ---------------------------------------------------------------------- */

/* Callbacks that were registered more than once with the same user data. */

/*
 * Name in FINDING, of a destructor callback whose function and user data, its `address`, are there,
 * another registration of both that has been called: for the same object, or for another that was
 * there together with it.  Returns ompd_rc_ok, also where there is none; or why it could not go on.
 */
ompd_rc_t other_registration_add(struct row_visit *visit, ompd_cl_finding_info_t *finding);

/* ---- over-release ---------------------------------------------------------------------------- */

/* Findings about objects that were released when they had no references left. */

/* Keep a finding for each that the recorder keeps, and one for those that it counts alone.
 * Returns ompd_rc_ok, or why it could not go on. */
ompd_rc_t over_release_check(struct row_visit *visit);

/* The kind of the objects that CALL releases; 0: of none that is known. */
uint32_t release_kind(uint64_t call);

/* ---- running-callback ------------------------------------------------------------------------ */

/* Callbacks that are running: whether one may have freed what it was called with. */

/*
 * Tell whether the callback FUNCTION, which thread LWP runs, has surely freed nothing: by its code
 * it has called no function so far, or free() as the first, which has aborted.  Returns false, too,
 * where its stack or its code does not tell.
 */
bool running_callback_has_freed_nothing(struct address_space *space, uint64_t lwp,
                                        uint64_t function);

/* ---- runtime-differs ------------------------------------------------------------------------- */

/* Findings about objects of which the runtime has something else than the recorder has seen. */

/* Returns as row_visit_all. */
ompd_rc_t runtime_differs_check(struct row_visit *visit);

/* ---- runtime-object -------------------------------------------------------------------------- */

/* What a runtime has at the handle of an object that the recorder has, too. */

struct runtime_object {
    struct layout_fields view; /* of an object that is there */
    bool is_there;
    bool is_gone; /* the memory at the handle is given back; neither: that is not known */
};

/* A look may walk through a whole heap, so that there are so many at most: law 13. */
#define HEAP_LOOKS 64

/* The looks at heaps so far.  Begin with {0}. */
struct heap_searches {
    struct heap_chunks chunks;
    uint32_t count;
};

/* Look at the object of ROW of KIND.  Returns ompd_rc_ok; ompd_rc_nomem; ompd_rc_interrupted. */
ompd_rc_t runtime_object_read(struct address_space *space, struct heap_searches *looks,
                              uint32_t kind, const union row *row, struct runtime_object *object);

/* Tell in *NUMBER what the runtime has in FIELD of an object that is there.  False: it does not
 * tell. */
bool runtime_object_get(struct runtime_object *object, enum layout_field field, uint64_t *number);

/* Count in *COUNT the destructor callbacks that the runtime has of an object that is there and is
 * not being destroyed.  *IS_TOLD gets false where it does not tell.  Returns as
 * runtime_object_read. */
ompd_rc_t runtime_object_count_callbacks(struct runtime_object *object, uint64_t *count,
                                         bool *is_known);

/* ---- svm-kernels ----------------------------------------------------------------------------- */

/* Findings about SVM allocations that were freed while a command of a kernel uses them. */

/* Needs the recorder.  Returns as row_visit_all. */
ompd_rc_t svm_kernels_check(struct row_visit *visit);

/* ---- svm-use --------------------------------------------------------------------------------- */

/* Findings about SVM allocations that enqueued commands free: twice, or before a command that uses
 * a memory object over them. */

/* Without the recorder, what is freed twice alone, where a layout tells it.  Returns as
 * row_visit_all. */
ompd_rc_t svm_use_check(struct row_visit *visit);

/* ---- user-data ------------------------------------------------------------------------------- */

/* Callbacks that are to be called with user data that is gone. */

/* Keep what is found of user data that the recorder saw to be of the program's stack or heap: what
 * it has not seen need not be a pointer.  Returns as row_visit_all. */
ompd_rc_t user_data_check(struct row_visit *visit);

#endif
