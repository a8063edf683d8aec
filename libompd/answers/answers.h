/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists and objects from all sources. */
#ifndef LIBOMPD_ANSWERS_H
#define LIBOMPD_ANSWERS_H

#include "answers/list.h"
#include "sources/layout/layout-source.h"
#include "sources/stack/stack.h"

/* ---- access-list ----------------------------------------------------------------------------- */

/* What a command touches, and the SVM that a kernel uses besides its arguments. */

/* Open the list of the command or kernel with id OBJECT, of KIND: see ompd_cl_object_list_open. */
ompd_rc_t access_list_open(struct address_space *space, uint32_t kind, uint64_t object,
                           ompd_cl_list_t *id);

/* ---- activity-list --------------------------------------------------------------------------- */

/* The activities of one thread. */

/* Open the list of the activities of the thread with id THREAD: see ompd_cl_object_list_open. */
ompd_rc_t activity_list_open(struct address_space *space, uint64_t thread, ompd_cl_list_t *id);

/* ---- argument-list --------------------------------------------------------------------------- */

/* The arguments of a kernel, and those that it had when a command was enqueued. */

/* Open the list of the arguments of OBJECT of KIND, a kernel or a command: see
 * ompd_cl_object_list_open. */
ompd_rc_t argument_list_open(struct address_space *space, uint32_t kind, uint64_t object,
                             ompd_cl_list_t *id);

/* ---- object ---------------------------------------------------------------------------------- */

/* One object of any kind that has ids. */

/* Open the list of all objects of KIND: see ompd_cl_list_open. */
ompd_rc_t object_list_open(struct address_space *space, uint32_t kind,
                           const ompd_cl_filter_t *filter, ompd_cl_list_t *list);

/* Find the id of the object of KIND with the cl handle or SVM pointer VALUE: see
 * ompd_cl_object_find. */
ompd_rc_t object_find(struct address_space *space, uint32_t kind, uint64_t value, uint64_t *id);

/* Describe object ID of KIND in *INFO: see ompd_cl_object_get. */
ompd_rc_t object_get(struct address_space *space, uint32_t kind, uint64_t id, void *info);

/* View object ID of KIND, which only the recorder knows: its decoded id, and its record, which
 * stays valid while other memory is read. Returns as ompd_cl_object_list_open does. */
ompd_rc_t object_view(struct address_space *space, uint32_t kind, uint64_t id,
                      struct identifier *identifier, const uint8_t **record);

/*
 * Begin a list of LINK_KIND that belongs to object ID of KIND: view its record as object_view does.
 * If a layout shows the object, the list is opened and *RECORD is NULL. Returns as
 * ompd_cl_object_list_open does.
 */
ompd_rc_t object_open(struct address_space *space, uint32_t kind, uint64_t id, uint32_t link_kind,
                      ompd_cl_list_t *list, struct identifier *identifier, const uint8_t **record);

/* Where the record of a command has the pointers that it frees, and the events that it waits for.
 */
extern const struct object_chain pointer_chain;
extern const struct object_chain wait_chain;
extern const struct object_chain buffered_chain;

/* Open a list of what belongs to object ID of KIND: see ompd_cl_object_list_open. */
ompd_rc_t object_chain_open(struct address_space *space, uint32_t kind, uint64_t id,
                            const struct object_chain *chain, ompd_cl_list_t *list);

/* ---- embree-list ----------------------------------------------------------------------------- */

/* Lists of Embree's objects, and single ones. Layouts alone show them, also in a process without
 * OpenCL. */

/* Open the list of all objects of KIND: see ompd_cl_list_open. */
ompd_rc_t embree_list_open(struct address_space *space, uint32_t kind,
                           const ompd_cl_filter_t *filter, ompd_cl_list_t *id);

/* Open the list of the geometries of the scene OBJECT, or of the buffers of the geometry OBJECT:
 * see ompd_cl_object_list_open. */
ompd_rc_t embree_part_list_open(struct address_space *space, uint32_t kind, uint64_t object,
                                ompd_cl_list_t *id);

/* As object_find and object_get. */
ompd_rc_t embree_object_find(struct address_space *space, uint32_t kind, uint64_t handle,
                             uint64_t *id);
ompd_rc_t embree_object_get(struct address_space *space, uint32_t kind, uint64_t id, void *info);

/* ---- destructor-list ------------------------------------------------------------------------- */

/* All destructor callbacks that the recorder has, object by object, in call order. */

/* The parts of the list, in this order: the callbacks of the objects in a table, then those that no
 * chain leads to because their object is corrupt. */
enum destructor_part { destructors_of_memobjs, destructors_of_contexts, destructors_apart };

/* Where the record of an object has its destructor callbacks. */
extern const struct object_chain destructor_chain;

/* A list_fill_t. */
ompd_rc_t destructor_list_fill(struct address_space *space, struct list *list, struct batch *batch);

/* ---- found-thread ---------------------------------------------------------------------------- */

/* Threads from either source, and those whose stacks show that they are in OpenCL. */

/* Require the recorder's records of threads. Also returns ompd_rc_unavailable when the recorder has
 * none. */
ompd_rc_t threads_require(struct address_space *space);

/* Choose the source of threads: *ARE_RECORDED is true if it is the recorder. If there is a
 * recorder, it is the only source. Returns as threads_require does. */
ompd_rc_t threads_open(struct address_space *space, bool *are_recorded);

/* Open the list of activities of the thread IDENTIFIER, which has a handle: see
 * ompd_cl_object_list_open. */
ompd_rc_t found_activity_list_open(struct address_space *space, struct identifier identifier,
                                   ompd_cl_list_t *list);

/* Find the id of the thread with LWP: see ompd_cl_object_find. */
ompd_rc_t thread_find_by_lwp(struct address_space *space, uint64_t lwp, uint64_t *id);

/* Open the list of threads: see ompd_cl_list_open. */
ompd_rc_t thread_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                           ompd_cl_list_t *list);

/* ---- inventory-list -------------------------------------------------------------------------- */

/* Lists of objects that layouts show. */

/* The limit on views of the target for the lists of all objects together (law 6). Each list has a
 * limit of its own, but many objects can seem to share one list. */
#define LIST_VIEW_LIMIT (UINT64_C(1) << 24)

/* Handle a list whose object was not found at this stop. Returns ompd_rc_stale_handle when the
 * object no longer exists; ompd_rc_ok, with the list marked incomplete, when it may be in memory
 * that could not be read. */
ompd_rc_t inventory_owner_miss(struct address_space *space, struct list *list);

/* Add the objects of LIST's kind that the recorder does not have, as a source does. */
ompd_rc_t inventory_list_fill(struct address_space *space, struct list *list, struct batch *batch,
                              bool *is_over);

/* Open a list of the destructor callbacks of the object with HANDLE. */
ompd_rc_t inventory_destructors_open(struct address_space *space, uint64_t handle,
                                     ompd_cl_list_t *id);

/* ---- inventory-object ------------------------------------------------------------------------ */

/* One object that a layout shows. */

/* Check that the object IDENTIFIER, which a layout shows, still exists. Returns ompd_rc_ok;
 * ompd_rc_stale_handle if it was destroyed; else as sources_take_inventory. Also returns ompd_rc_ok
 * if the object may be in missing memory: lists of what belongs to it then report that. */
ompd_rc_t inventory_object_check(struct address_space *space, struct identifier identifier);

/*
 * Find an object of KIND at HANDLE by its own memory, unless the tool has chosen layouts as a
 * source or memory was searched at this stop. *FINDING is glance_undecided where only a search may
 * tell. Returns as glance_at does.
 */
ompd_rc_t inventory_object_glance(struct address_space *space, uint32_t kind, uint64_t handle,
                                  enum glance_finding *finding, struct inventory_item *item);

/* Open the list of rows of KIND that belong to IDENTIFIER. Returns the same codes. */
ompd_rc_t inventory_object_open(struct address_space *space, struct identifier identifier,
                                uint32_t kind, ompd_cl_list_t *list);

/* ---- inventory-overview ---------------------------------------------------------------------- */

/* The overview of objects that layouts show. */

/* Begin INFO for a target without a recorder. */
void inventory_overview_begin(struct address_space *space, ompd_cl_overview_info_t *info);

/*
 * Add the objects that layouts show and the recorder does not have to the counts of INFO. Returns
 * ompd_rc_ok; ompd_rc_incomplete when memory could not be read or the tool cancelled the search,
 * with the counts concerned marked; ompd_rc_nomem.
 */
ompd_rc_t inventory_overview_add(struct address_space *space, ompd_cl_overview_info_t *info);

/* ---- confirm --------------------------------------------------------------------------------- */

/* Confirms by layouts whether an object exists that the recorder only presumes to exist. */

enum presence {
    presence_unknown, /* layouts do not show it */
    presence_there,
    presence_destroyed
};

/*
 * Find out whether the object of ROW, of KIND and made of RECORD, exists, and if so set the
 * confidence of ROW to certain. Searches memory unless that was done at this stop. RECORD must stay
 * valid while other target memory is read. Returns ompd_rc_ok; ompd_rc_incomplete when the tool
 * cancelled the search; ompd_rc_nomem.
 */
ompd_rc_t confirm_presence(struct address_space *space, uint32_t kind, const uint8_t *record,
                           union row *row, enum presence *presence);

/* Whether confirm_presence may add anything to ROW of KIND. */
bool confirm_is_needed(uint32_t kind, const union row *row);

/* ---- queue-frees ----------------------------------------------------------------------------- */

/* The number of SVM-free commands of each queue, by the recorder's list of them. */

/*
 * Count the commands that are not known to be complete, once a stop. The recorder's own count of a
 * queue is not used: it changes before or after the record of a command, and does not include what
 * layouts show to be destroyed. Returns ompd_rc_ok; ompd_rc_incomplete or ompd_rc_error when some
 * could not be read; ompd_rc_unavailable when the recorder has no list of them; ompd_rc_nomem or
 * ompd_rc_interrupted.
 */
ompd_rc_t queue_frees_count(struct address_space *space);

/*
 * Set the count in INFO, a queue of the recorder: presumed where some of the commands are only
 * presumed to exist. The recorder's own count stays where the recorder has no list of commands.
 * Returns ompd_rc_ok; ompd_rc_incomplete with an unknown count when commands or memory that may
 * show their end could not be read; ompd_rc_nomem or ompd_rc_interrupted.
 */
ompd_rc_t queue_frees_complete(struct address_space *space, ompd_cl_queue_info_t *info);

struct device_usage {
    uint64_t queues;
    uint64_t svm_frees; /* enqueued and not known to be complete */
};

/* Count the queues and SVM frees that DEVICE, a cl_device_id, has now; the registry is open.
 * Returns ompd_rc_ok; ompd_rc_device_read_error when a queue could not be read; ompd_rc_error when
 * a count is impossible. */
ompd_rc_t device_usage_count(struct address_space *space, uint64_t device,
                             struct device_usage *usage);

/* ---- live-counts ----------------------------------------------------------------------------- */

/* The number of live objects in the recorder's records: without those that layouts show to be
 * destroyed. */

#define LIVE_COUNT_SETS 3

struct live_counts {
    /* First, objects; of SVM frees, those not known to be complete; of destructor callbacks, those
     * registered. Then, of memory objects, the bytes and the app-released ones; of SVM allocations,
     * the bytes; of destructor callbacks, those running. */
    uint64_t counts[LIVE_COUNT_SETS];
    uint64_t destroyed[LIVE_COUNT_SETS]; /* subtracted from `counts`, because layouts show that they
                                            are destroyed */
    uint64_t presumed;                   /* objects in `counts` that may be destroyed, too */
};

/*
 * Count the records of TABLE; 0 where the recorder has no such table. Failures of layouts are
 * ignored: what they would show stays presumed. Returns ompd_rc_ok; ompd_rc_incomplete when records
 * could not be read, with `counts` of the others; ompd_rc_nomem and other final codes.
 */
ompd_rc_t live_counts_read(struct live_counts *tally, struct address_space *space, uint32_t table);

/* ---- recorded-object ------------------------------------------------------------------------- */

/* Objects that the recorder knows, by their ids. */

/* Return ompd_rc_bad_input with the reason that an id was not issued for the requested kind of
 * object. */
ompd_rc_t recorded_object_refuse_id(struct address_space *space);

/* View the record of object ID of KIND, once the registry is open: its decoded id, and its record,
 * which stays valid while other memory is read. Returns ompd_rc_ok; ompd_rc_bad_input or
 * ompd_rc_stale_handle with a message; ompd_rc_incomplete when it cannot be read; ompd_rc_nomem. */
ompd_rc_t recorded_object_view(struct address_space *space, uint32_t kind, uint64_t id,
                               struct identifier *identifier, const uint8_t **record);

/* ---- operations ------------------------------------------------------------------------------ */

/* The commands that use a command buffer or a semaphore. */

/* Complete INFO from these commands. Returns ompd_rc_ok; ompd_rc_incomplete when some could not be
 * read; ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t command_buffer_row_complete(struct address_space *space,
                                      ompd_cl_command_buffer_info_t *info);
ompd_rc_t semaphore_row_complete(struct address_space *space, ompd_cl_semaphore_info_t *info);

/* Open the list of the commands that use object ID of KIND and were not known to be complete when
 * the recorder last looked: see ompd_cl_object_list_open. */
ompd_rc_t operation_list_open(struct address_space *space, uint32_t kind, uint64_t id,
                              ompd_cl_list_t *list);

/* ---- row-visit ------------------------------------------------------------------------------- */

/* Visits rows inside the library: the derived questions use this in place of lists. */

/* Visits a row of VISIT. */
struct row_visit;
typedef ompd_rc_t (*row_visitor_t)(struct row_visit *visit, const void *row);

struct row_visit {
    struct address_space *space;
    struct kept_rows *kept;    /* NULL: not for findings */
    struct shortfall *missing; /* from the visited rows */
    void *rule;                /* context of the rule that visits rows */
};

/*
 * Call VISITOR for all rows of KIND, for RULE; or only for those that belong to OBJECT, the id of
 * an object of another kind, if that is not 0. Rows that could not be read are recorded as missing.
 * Returns ompd_rc_ok, also where no source has threads; or why it could not continue.
 */
ompd_rc_t row_visit_all(struct row_visit *visit, uint32_t kind, uint64_t object,
                        row_visitor_t visitor, void *rule);

/* Get object ID of KIND in *ROW, whose struct_size is set. Returns false when it is incomplete: *RC
 * says whether the rule can continue, and at least one finding is lost. */
bool row_visit_get(struct row_visit *visit, uint32_t kind, uint64_t id, void *row, ompd_rc_t *rc);

/* The same for the object of KIND with HANDLE. Nothing is lost if there is none. */
bool row_visit_find(struct row_visit *visit, uint32_t kind, uint64_t handle, void *row,
                    ompd_rc_t *rc);

/* Whether VALUE has a number; if so, *NUMBER is set to it. */
bool value_is_known(const ompd_cl_value_t *value, uint64_t *number);

/* ---- command-completion ---------------------------------------------------------------------- */

/* Completes commands from their events. */

/*
 * Complete INFO, a command of the recorder that is enqueued according to its own record. Its event
 * may show that it is complete, as the program learned or a layout shows. The record of a command
 * that frees SVM may show that its function was called. Returns ompd_rc_ok; ompd_rc_incomplete with
 * a presumed state when these cannot be read; ompd_rc_nomem or ompd_rc_interrupted.
 */
ompd_rc_t command_row_complete(struct address_space *space, ompd_cl_command_info_t *info);

/* Retry what could not be read for other rows of this stop. */
void command_completion_retry(struct address_space *space);

/* ---- address-space-table --------------------------------------------------------------------- */

/* The live address spaces: how handles are resolved, and how calls on them begin and end. */

/* What a handle refers to. */
struct resolved_handle {
    struct address_space *space;
    enum handle_kind kind;
    struct handle_entry *entry; /* NULL for a process; valid until the next handle is issued */
};

/* Begin a call on POINTER, a handle of any kind, with an empty message. Returns ompd_rc_ok, after
 * which address_space_leave must end the call; ompd_rc_bad_input, ompd_rc_stale_handle or
 * ompd_rc_busy, with no call begun, as for all functions here that begin a call. */
ompd_rc_t address_space_resolve(const void *pointer, struct resolved_handle *resolved);

/* End the call on SPACE, which returns RC.  Returns RC, or ompd_rc_interrupted. */
ompd_rc_t address_space_leave(struct address_space *space, ompd_rc_t rc);

/* Whether a call on SPACE may set its out parameters after RC from a part of it. */
bool address_space_may_set_outputs(const struct address_space *space, ompd_rc_t rc);

/* End the call on SPACE unless RC, the result of a part of it, is ompd_rc_ok. Returns RC. */
ompd_rc_t address_space_end_unless_ok(struct address_space *space, ompd_rc_t rc);

/* Take over the space of POINTER, a process handle, for its release from FRAME, if a callback of
 * the current call never returned; else return NULL. */
struct address_space *address_space_reclaim(const void *pointer, const void *frame);

/* The same for a process or a device; ompd_rc_incompatible_handle for a thread. */
ompd_rc_t address_space_enter_any(const ompd_address_space_handle_t *handle,
                                  struct resolved_handle *resolved);

/* The same for a thread; ompd_rc_incompatible_handle for anything else. */
ompd_rc_t address_space_enter_thread(const void *handle, struct resolved_handle *resolved);

ompd_address_space_handle_t *address_space_handle(const struct address_space *space);

/* Issue a handle for ENTRY, in *NUMBER. Returns ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t address_space_add_handle(struct address_space *space, struct handle_entry *entry,
                                   uintptr_t *number);

/* Begin a call on the process HANDLE, with an empty message. Returns ompd_rc_ok, ompd_rc_bad_input,
 * ompd_rc_stale_handle or ompd_rc_incompatible_handle. */
ompd_rc_t address_space_enter(const ompd_address_space_handle_t *handle,
                              struct address_space **space);

/* The same, but the message of the last call stays until this call sets one. */
ompd_rc_t address_space_enter_again(const ompd_address_space_handle_t *handle,
                                    struct address_space **space);

/* Find the memory of HANDLE's address space, for a call from any thread. The message is unchanged.
 * The pointer stays valid, but may come to belong to another address space. Returns as
 * address_space_enter does. */
ompd_rc_t address_space_find_memory(const ompd_address_space_handle_t *handle,
                                    struct memory **memory);

/* Create an address space: ompd_cl_address_space_create with checked arguments. FRAME is the frame
 * of the function that the tool called. */
ompd_rc_t address_space_create(const ompd_callbacks_t *callbacks, const ompd_cl_extra_t *extra,
                               ompd_address_space_context_t *tool_context, const void *frame,
                               ompd_address_space_handle_t **handle);

/* Transfer HANDLE, of a new address space, to the tool. */
void address_space_publish(ompd_address_space_handle_t *handle);

/* Invalidate the handle of SPACE before it is freed. Returns ompd_rc_ok, or ompd_rc_stale_handle
 * when another thread has done so. */
ompd_rc_t address_space_close(struct address_space *space);

/* Free SPACE, which was closed, and all its memory. */
void address_space_free(struct address_space *space);

/* Return RC with the static TEXT as the reason why no address space was created. */
ompd_rc_t address_space_fail_creation(ompd_rc_t rc, const char *text);

/* The message that names a required callback that CALLBACKS lacks; NULL if there is none. */
const char *callbacks_find_missing(const ompd_callbacks_t *callbacks);

/* ---- notes ----------------------------------------------------------------------------------- */

/* What the last answer leaves open, in sentences. */

/* Record what an answer that needed PARTS from layouts leaves open. Returns whether part of the
 * answer is missing, so that it is ompd_rc_incomplete. */
bool notes_record(struct address_space *space, uint32_t parts);

/* Record that rows are MISSING from a list. */
void notes_record_missing(struct address_space *space, const struct shortfall *missing);

/* Record, after an answer about threads, that the main thread has ended. Returns as
 * main_thread_has_ended does. */
ompd_rc_t notes_record_threads(struct address_space *space);

/* Write note number INDEX on the last answer, or "" where there is none, to the note of SPACE. */
void notes_write(struct address_space *space, uint32_t index);

/* Record that the answer is complete. */
void notes_clear(struct address_space *space);

/* Record that the tool failed to list or read some modules, which may be missing from the
 * answer. */
void notes_record_lost_modules(struct address_space *space);

/* The parts that rows of KIND need from layouts. */
uint32_t notes_parts(uint32_t kind);

/* Where MESSAGE advises to run the program under the recorder, but a runtime of SPACE replaces the
 * OpenCL loader that would load the recorder, say so instead. */
void advice_replace(const struct address_space *space, struct message *message);

/* ---- sources --------------------------------------------------------------------------------- */

/* The sources of the objects of an address space: the recorder's registry, the inventory of the
 * layouts, or both. */

/* Determine which of the wanted sources SPACE has at this stop, without searching memory. Returns
 * ompd_rc_ok if it has at least one; ompd_rc_unavailable with a message that advises the user; else
 * as registry_open does. */
ompd_rc_t sources_open(struct address_space *space);

/* The same; also ompd_rc_ok when Embree is all that the process has. */
ompd_rc_t sources_open_any(struct address_space *space);

/* Whether there is a source of OpenCL's objects. MISSING records that this is unknown. Leaves no
 * message. */
bool sources_have_opencl(struct address_space *space, struct shortfall *missing);

/* The same for a call on HANDLE; also returns as address_space_enter does. */
ompd_rc_t sources_enter(const ompd_address_space_handle_t *handle, struct address_space **space);

/* Begin a call on HANDLE that needs the registry, and read its root. Returns as address_space_enter
 * and registry_open do. */
ompd_rc_t sources_enter_recorder(const ompd_address_space_handle_t *handle,
                                 struct address_space **space);

/* Set *HAS_LAYOUTS to whether a layout matches a runtime of the target. Returns ompd_rc_ok;
 * ompd_rc_incomplete with a message when there may be more runtimes; ompd_rc_nomem. */
ompd_rc_t sources_find_layouts(struct address_space *space, bool *has_layouts);

/* Whether objects must be searched for in memory, because the recorder may have missed some, or the
 * tool has chosen layouts as a source. Answers do not depend on whether memory was searched for
 * another question. Call it once sources_find_layouts has found a layout. */
bool sources_need_search(const struct address_space *space);

/* Whether the memory limit does not allow a search at this stop, and the recorder's objects can be
 * shown without it; and the sentence that then says so. */
bool sources_lack_memory(struct address_space *space);
#define SOURCES_LACK_MEMORY                                                                        \
    "the memory limit does not allow a search for objects that the recorder has not seen; raise "  \
    "the limit to see them."

/* Search memory for objects if a layout matches a runtime. Returns ompd_rc_ok, also if there is
 * none; else as sources_take_inventory does. */
ompd_rc_t sources_search(struct address_space *space);

/* Build the inventory of this stop, whatever sources the tool wants. Its `missing` records what it
 * lacks. Returns ompd_rc_ok; ompd_rc_unavailable when no layout matches; ompd_rc_incomplete when
 * the tool cancelled the search; ompd_rc_unsupported; ompd_rc_nomem: each with a message. */
ompd_rc_t sources_take_inventory(struct address_space *space);

/* Mark the objects of KINDS (bits 1 << enum layout_kind) in the inventory that the recorder also
 * has. Returns ompd_rc_ok; ompd_rc_incomplete when some of its records could not be read: their
 * objects are not marked and may be listed twice; ompd_rc_nomem. */
ompd_rc_t sources_mark_recorded(struct address_space *space, uint32_t kinds);

#endif
