/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists and objects, from all sources that tell of them. */
#ifndef LIBOMPD_ANSWERS_H
#define LIBOMPD_ANSWERS_H

#include "answers/list.h"
#include "sources/layout/layout-source.h"
#include "sources/stack/stack.h"

/* ---- activity-list --------------------------------------------------------------------------- */

/* What one thread is in. */

/* Open the list of the activities of the thread with id THREAD: see ompd_cl_object_list_open. */
ompd_rc_t activity_list_open(struct address_space *space, uint64_t thread, ompd_cl_list_t *id);

/* ---- argument-list --------------------------------------------------------------------------- */

/* The arguments of a kernel, and those that it had when a command that runs it was enqueued. */

/* Open the list of the arguments of OBJECT of KIND, a kernel or a command: see
 * ompd_cl_object_list_open. */
ompd_rc_t argument_list_open(struct address_space *space, uint32_t kind, uint64_t object,
                             ompd_cl_list_t *id);

/* ---- object ---------------------------------------------------------------------------------- */

/* Questions about one object, for any kind that has ids. */

/* Open the list of all objects of KIND: see ompd_cl_list_open. */
ompd_rc_t object_list_open(struct address_space *space, uint32_t kind,
                           const ompd_cl_filter_t *filter, ompd_cl_list_t *list);

/* Find the id of the object of KIND that VALUE, a cl handle or an SVM pointer, names: see
 * ompd_cl_object_find. */
ompd_rc_t object_find(struct address_space *space, uint32_t kind, uint64_t value, uint64_t *id);

/* Describe object ID of KIND in *INFO: see ompd_cl_object_get. */
ompd_rc_t object_get(struct address_space *space, uint32_t kind, uint64_t id, void *info);

/* Look at object ID of KIND, which only the recorder knows: its id taken apart and its record,
 * which stays while other memory is read.  Returns as ompd_cl_object_list_open. */
ompd_rc_t object_view(struct address_space *space, uint32_t kind, uint64_t id,
                      struct identifier *identifier, const uint8_t **record);

/*
 * Begin a list of LINK_KIND of what belongs to object ID of KIND: look at its record, as
 * object_view does.  Where a layout shows the object, the list is open, and *RECORD NULL.  Returns
 * as ompd_cl_object_list_open.
 */
ompd_rc_t object_open(struct address_space *space, uint32_t kind, uint64_t id, uint32_t link_kind,
                      ompd_cl_list_t *list, struct identifier *identifier, const uint8_t **record);

/* Where the record of a command has the pointers that it frees, and the events that it waits for.
 */
extern const struct object_chain pointer_chain;
extern const struct object_chain wait_chain;

/* Open a list of what belongs to object ID of KIND: see ompd_cl_object_list_open. */
ompd_rc_t object_chain_open(struct address_space *space, uint32_t kind, uint64_t id,
                            const struct object_chain *chain, ompd_cl_list_t *list);

/* ---- destructor-list ------------------------------------------------------------------------- */

/* All destructor callbacks that the recorder has: object by object, in call order. */

/* The parts of the list, in this order: what the objects of a table link to, then the callbacks
 * that no chain has led to, since their object is damaged. */
enum destructor_part { destructors_of_memobjs, destructors_of_contexts, destructors_apart };

/* Where the record of an object has its destructor callbacks. */
extern const struct object_chain destructor_chain;

/* Gives rows of LIST, a list_fill_t. */
ompd_rc_t destructor_list_fill(struct address_space *space, struct list *list, struct batch *batch);

/* ---- found-thread ---------------------------------------------------------------------------- */

/* Threads, of whichever source, and those whose stacks show that they are in OpenCL. */

/* Have the records of threads read.  Also returns ompd_rc_unavailable when the recorder keeps
 * none. */
ompd_rc_t threads_require(struct address_space *space);

/* Have threads, of whichever source: *ARE_RECORDED tells which.  Where there is a recorder it alone
 * is asked.  Returns as threads_require. */
ompd_rc_t threads_open(struct address_space *space, bool *are_recorded);

/* Open the list of what the thread of IDENTIFIER, which has a handle, is in: see
 * ompd_cl_object_list_open. */
ompd_rc_t found_activity_list_open(struct address_space *space, struct identifier identifier,
                                   ompd_cl_list_t *list);

/* Find the id of the thread with LWP: see ompd_cl_object_find. */
ompd_rc_t thread_find_by_lwp(struct address_space *space, uint64_t lwp, uint64_t *id);

/* Open the list of threads: see ompd_cl_list_open. */
ompd_rc_t thread_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                           ompd_cl_list_t *list);

/* ---- inventory-list -------------------------------------------------------------------------- */

/* Lists of what layouts find. */

/* Views of the target for the lists of all objects together, beyond which a question about them all
 * is given up: law 6.  Each list has a bound of its own, but many objects can seem to share one. */
#define LIST_VIEW_LIMIT (UINT64_C(1) << 24)

/* The object that LIST is of was not found at this stop.  Returns ompd_rc_stale_handle when it is
 * gone; ompd_rc_ok when it may be where memory could not be read, which the list then says. */
ompd_rc_t inventory_owner_miss(struct address_space *space, struct list *list);

/* Give what of all objects of the list's kind the recorder does not have, as a source does. */
ompd_rc_t inventory_list_fill(struct address_space *space, struct list *list, struct batch *batch,
                              bool *is_over);

/* Open a list of the destructor callbacks of the object with HANDLE. */
ompd_rc_t inventory_destructors_open(struct address_space *space, uint64_t handle,
                                     ompd_cl_list_t *id);

/* ---- inventory-object ------------------------------------------------------------------------ */

/* Questions about one object that layouts find. */

/* Tell whether there is what IDENTIFIER, of what a layout shows, names: ompd_rc_ok;
 * ompd_rc_stale_handle when there is no such object any more; else as sources_take_inventory.
 * Where memory is missing, it may be in it, which a list of what belongs to it says. */
ompd_rc_t inventory_object_check(struct address_space *space, struct identifier identifier);

/* Open the list of rows of KIND that belong to what IDENTIFIER names.  Returns likewise. */
ompd_rc_t inventory_object_open(struct address_space *space, struct identifier identifier,
                                uint32_t kind, ompd_cl_list_t *list);

/* ---- inventory-overview ---------------------------------------------------------------------- */

/* The overview of what layouts find. */

/* Begin INFO for a target that has no recorder. */
void inventory_overview_begin(struct address_space *space, ompd_cl_overview_info_t *info);

/*
 * Add to the counts of INFO what layouts find beside what the recorder has.  Returns ompd_rc_ok;
 * ompd_rc_incomplete when something could not be read, or the tool cancelled the search: the counts
 * concerned then say so; ompd_rc_nomem.
 */
ompd_rc_t inventory_overview_add(struct address_space *space, ompd_cl_overview_info_t *info);

/* ---- confirm --------------------------------------------------------------------------------- */

/* Whether what the recorder presumes to be there is, as layouts show it. */

enum presence {
    presence_unknown, /* layouts do not tell */
    presence_there,
    presence_destroyed
};

/*
 * Tell of ROW of KIND, made of RECORD, whether the object is there.  The confidence of ROW is set
 * to certain when it is.  Looks through memory unless that was done at this stop.  RECORD is to
 * stay while other target memory is read.  Returns ompd_rc_ok; ompd_rc_incomplete when the tool
 * cancelled the search; ompd_rc_nomem.
 */
ompd_rc_t confirm_presence(struct address_space *space, uint32_t kind, const uint8_t *record,
                           union row *row, enum presence *presence);

/* Tell whether ROW of KIND is one that confirm_presence may tell more of. */
bool confirm_is_needed(uint32_t kind, const union row *row);

/* ---- queue-frees ----------------------------------------------------------------------------- */

/* How many SVM-free commands each queue has, as the recorder's list of them tells. */

/*
 * Count the commands that are not known to be complete, unless all were counted at this stop.  The
 * recorder's own count of a queue is not used: it counts before or after it writes a command down,
 * and does not know which of them layouts show to be gone.  Returns ompd_rc_ok; ompd_rc_incomplete
 * or ompd_rc_error when some could not be read; ompd_rc_unavailable when the recorder has no list
 * of them; ompd_rc_nomem or ompd_rc_interrupted.
 */
ompd_rc_t queue_frees_count(struct address_space *space);

/*
 * Give INFO, a queue of the recorder's, what was counted last: presumed where some of the commands
 * are only presumed to be there.  It keeps the recorder's own count where the recorder has no list
 * of them.  Returns ompd_rc_ok; ompd_rc_incomplete when the commands could not be read, or memory
 * that could not be searched may tell that some are gone, with the count unknown; ompd_rc_nomem or
 * ompd_rc_interrupted.
 */
ompd_rc_t queue_frees_complete(struct address_space *space, ompd_cl_queue_info_t *info);

struct device_usage {
    uint64_t queues;
    uint64_t svm_frees; /* enqueued there and not known to be complete */
};

/* Count what there is at this moment for DEVICE, a cl_device_id; the registry is open.  Returns
 * ompd_rc_ok; ompd_rc_device_read_error when a queue could not be read; ompd_rc_error when what is
 * there cannot be. */
ompd_rc_t device_usage_count(struct address_space *space, uint64_t device,
                             struct device_usage *usage);

/* ---- live-counts ----------------------------------------------------------------------------- */

/* How many objects the recorder's records are of, less those that layouts show to be gone. */

#define LIVE_COUNT_SETS 3

struct live_counts {
    /* Objects; then of memory objects the bytes and those app-released; of SVM allocations the
     * bytes. Of SVM frees those that are not known to be complete; of destructor callbacks those
     * registered, those running. */
    uint64_t counts[LIVE_COUNT_SETS];
    uint64_t destroyed[LIVE_COUNT_SETS]; /* not in `counts`: layouts show that they are gone */
    uint64_t presumed;                   /* of the objects in `counts`, which may be gone, too */
};

/*
 * Count the records of TABLE, none where the recorder keeps no such.  A failure of the layouts is
 * none of this: what they would tell stays presumed.  Returns ompd_rc_ok; ompd_rc_incomplete when
 * records could not be read, and `counts` is of the others; ompd_rc_nomem and other final ones.
 */
ompd_rc_t live_counts_read(struct live_counts *tally, struct address_space *space, uint32_t table);

/* ---- recorded-object ------------------------------------------------------------------------- */

/* Objects that the recorder knows, by their ids. */

/* Say that an id was not given out for the kind of object that is asked about.  Returns
 * ompd_rc_bad_input. */
ompd_rc_t recorded_object_refuse_id(struct address_space *space);

/* Look at the record of object ID of KIND, once the registry is open: its id taken apart and its
 * record, which stays while other memory is read.  Returns ompd_rc_ok; ompd_rc_bad_input or
 * ompd_rc_stale_handle with a sentence; ompd_rc_incomplete when it cannot be read; ompd_rc_nomem.
 */
ompd_rc_t recorded_object_view(struct address_space *space, uint32_t kind, uint64_t id,
                               struct identifier *identifier, const uint8_t **record);

/* ---- row-visit ------------------------------------------------------------------------------- */

/* Looking through rows within the library: what derived questions use in the place of lists. */

/* What of VISIT's rows a rule is after. */
struct row_visit;
typedef ompd_rc_t (*row_visitor_t)(struct row_visit *visit, const void *row);

struct row_visit {
    struct address_space *space;
    struct kept_rows *kept;    /* NULL: it is not for findings */
    struct shortfall *missing; /* from what is looked through */
    void *rule;                /* of the rule that looks through rows */
};

/*
 * Have VISIT look at all rows of KIND, for RULE; or at those that belong to OBJECT, an id of
 * another kind, where that is not 0.  Rows that could not be read are missing.  Returns ompd_rc_ok,
 * also where nobody tells threads; or why it could not go on.
 */
ompd_rc_t row_visit_all(struct row_visit *visit, uint32_t kind, uint64_t object,
                        row_visitor_t visitor, void *rule);

/* Have *ROW, whose struct_size is set, describe object ID of KIND.  False when that is not to be
 * had whole: *RC says whether the rule can go on; one finding at least is lost. */
bool row_visit_get(struct row_visit *visit, uint32_t kind, uint64_t id, void *row, ompd_rc_t *rc);

/* The same for the object of KIND that HANDLE names; that there is none loses nothing. */
bool row_visit_find(struct row_visit *visit, uint32_t kind, uint64_t handle, void *row,
                    ompd_rc_t *rc);

/* Tell whether VALUE says something; of which *NUMBER gets the number. */
bool value_is_known(const ompd_cl_value_t *value, uint64_t *number);

/* ---- command-completion ---------------------------------------------------------------------- */

/* What a command's event tells of the command. */

/*
 * Let the event of INFO, a command of the recorder's that is enqueued as far as its own record
 * tells, say that it is over, as the program was told or as a layout shows; and the record of a
 * command that frees SVM, that its function is called.  Returns ompd_rc_ok; ompd_rc_incomplete when
 * these cannot be looked at, and the state is presumed; ompd_rc_nomem or ompd_rc_interrupted.
 */
ompd_rc_t command_row_complete(struct address_space *space, ompd_cl_command_info_t *info);

/* What could not be read for other rows of this stop may be there for the next ones. */
void command_completion_retry(struct address_space *space);

/* ---- address-space-table --------------------------------------------------------------------- */

/* The address spaces that live: what a handle stands for, and how a call on it begins and ends. */

/* What a handle stands for. */
struct resolved_handle {
    struct address_space *space;
    enum handle_kind kind;
    struct handle_entry *entry; /* NULL for a process; good until the next handle is given out */
};

/* Begin a call on what POINTER, a handle of any kind, stands for.  The message of its address space
 * is then empty.  Returns ompd_rc_ok, and address_space_leave is to end it; ompd_rc_bad_input,
 * ompd_rc_stale_handle or ompd_rc_busy, when nothing was begun, as with any function here that
 * begins a call. */
ompd_rc_t address_space_resolve(const void *pointer, struct resolved_handle *resolved);

/* End the call on SPACE, which returns RC.  Returns RC, or ompd_rc_interrupted. */
ompd_rc_t address_space_leave(struct address_space *space, ompd_rc_t rc);

/* Tell whether a call on SPACE of which a part returned RC is to set its out parameters. */
bool address_space_may_set_outputs(const struct address_space *space, ompd_rc_t rc);

/* Go on with a call on SPACE of which a part returned RC: ends it unless that is ompd_rc_ok. */
ompd_rc_t address_space_end_unless_ok(struct address_space *space, ompd_rc_t rc);

/* The space of POINTER, a process' handle, for its release from FRAME, when a callback of the call
 * that is under way has never returned; else NULL. */
struct address_space *address_space_reclaim(const void *pointer, const void *frame);

/* The same for a call on a process or a device; of a thread: ompd_rc_incompatible_handle. */
ompd_rc_t address_space_enter_any(const ompd_address_space_handle_t *handle,
                                  struct resolved_handle *resolved);

/* The same for a call on a thread; of any other: ompd_rc_incompatible_handle. */
ompd_rc_t address_space_enter_thread(const void *handle, struct resolved_handle *resolved);

/* The handle of SPACE. */
ompd_address_space_handle_t *address_space_handle(const struct address_space *space);

/* Give out a handle for ENTRY, in *NUMBER.  Returns ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t address_space_add_handle(struct address_space *space, struct handle_entry *entry,
                                   uintptr_t *number);

/* Find the address space of HANDLE for a call on it, whose message is then empty.  Returns
 * ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle or ompd_rc_incompatible_handle. */
ompd_rc_t address_space_enter(const ompd_address_space_handle_t *handle,
                              struct address_space **space);

/* The same for a call that leaves the message of the last one, but for one of its own. */
ompd_rc_t address_space_enter_again(const ompd_address_space_handle_t *handle,
                                    struct address_space **space);

/* Find the memory of HANDLE's address space, for a call that may come from any thread: its message
 * is left alone.  The pointer is good for ever, but may come to be another address space's.
 * Returns as address_space_enter. */
ompd_rc_t address_space_find_memory(const ompd_address_space_handle_t *handle,
                                    struct memory **memory);

/* Make an address space: ompd_cl_address_space_create with arguments that were checked.  FRAME is
 * that of the function which the tool has called. */
ompd_rc_t address_space_create(const ompd_callbacks_t *callbacks, const ompd_cl_extra_t *extra,
                               ompd_address_space_context_t *tool_context, const void *frame,
                               ompd_address_space_handle_t **handle);

/* HANDLE, of an address space that was made, is the tool's now. */
void address_space_publish(ompd_address_space_handle_t *handle);

/* Let the handle of SPACE stand for nothing, before it is freed.  Returns ompd_rc_ok, or
 * ompd_rc_stale_handle when another thread is at it. */
ompd_rc_t address_space_close(struct address_space *space);

/* Give back SPACE, which was closed, and what it holds but for its lists and what OMPD gave out. */
void address_space_free(struct address_space *space);

/* Return RC with TEXT, which must be static, as the reason why there is no address space. */
ompd_rc_t address_space_fail_creation(ompd_rc_t rc, const char *text);

/* The sentence that names what CALLBACKS lacks and the library cannot do without; else NULL. */
const char *callbacks_find_missing(const ompd_callbacks_t *callbacks);

/* ---- notes ----------------------------------------------------------------------------------- */

/* What an answer that was given leaves open, in sentences. */

/* After an answer that needed PARTS: remember what it leaves open.  Tells whether part of the
 * answer is missing, so that it is ompd_rc_incomplete. */
bool notes_record(struct address_space *space, uint32_t parts);

/* After a call for rows of a list from which this is MISSING. */
void notes_record_missing(struct address_space *space, const struct shortfall *missing);

/* After an answer about threads: that the main thread has ended.  Returns as
 * main_thread_has_ended. */
ompd_rc_t notes_record_threads(struct address_space *space);

/* Have note number INDEX on the last answer, or "" where there is none, in the note of SPACE. */
void notes_write(struct address_space *space, uint32_t index);

/* There is nothing to be said of the answer. */
void notes_clear(struct address_space *space);

/* After an answer about modules that the tool failed to tell or to read: it may leave some out. */
void notes_record_lost_modules(struct address_space *space);

/* The parts that rows of KIND need from layouts. */
uint32_t notes_parts(uint32_t kind);

/* Where MESSAGE says to run the program under the recorder, but a runtime of SPACE takes the place
 * of the OpenCL loader, which would load that, have it say so instead. */
void advice_replace(const struct address_space *space, struct message *message);

/* ---- sources --------------------------------------------------------------------------------- */

/* Where the objects of an address space come from: its recorder's registry, the inventory that its
 * layouts give, or both. */

/*
 * Find out what SPACE has at this stop, of the sources that the tool wants.  Never looks through
 * memory.  Returns ompd_rc_ok when there is one at least; ompd_rc_unavailable with a sentence that
 * tells what to do; else as registry_open.
 */
ompd_rc_t sources_open(struct address_space *space);

/* The same for a call on HANDLE; also returns as address_space_enter. */
ompd_rc_t sources_enter(const ompd_address_space_handle_t *handle, struct address_space **space);

/* Begin a call on HANDLE that needs the registry, and read its root.  Returns as
 * address_space_enter and as registry_open. */
ompd_rc_t sources_enter_recorder(const ompd_address_space_handle_t *handle,
                                 struct address_space **space);

/* Tell in *HAS_LAYOUTS whether layouts are one of them: one at least fits a runtime in the target.
 * Returns ompd_rc_ok; ompd_rc_incomplete, with a sentence, when there may be more; ompd_rc_nomem.
 */
ompd_rc_t sources_find_layouts(struct address_space *space, bool *has_layouts);

/*
 * Have the inventory of this stop, whatever the tool wants; `lost` of it tells what it lacks.
 * Returns ompd_rc_ok; ompd_rc_unavailable when no layout fits; ompd_rc_incomplete when the tool
 * cancelled the search; ompd_rc_unsupported; ompd_rc_nomem: each with a sentence.
 */
ompd_rc_t sources_take_inventory(struct address_space *space);

/* Mark those objects of KINDS (bits 1 << enum layout_kind) in the inventory that the recorder has
 * too.  Returns ompd_rc_ok; ompd_rc_incomplete when some of its records could not be read: what
 * they are of is not marked, and may be shown twice; ompd_rc_nomem. */
ompd_rc_t sources_mark_recorded(struct address_space *space, uint32_t kinds);

#endif
