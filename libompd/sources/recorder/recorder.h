/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder as a source: rows of its records. */
#ifndef LIBOMPD_RECORDER_H
#define LIBOMPD_RECORDER_H

#include "kinds/kinds.h"
#include "sources/recorder/registry.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- record-decoder -------------------------------------------------------------------------- */

/* Turns records into rows. A decoder is made once a stop: a row begins as a copy of its kind's
 * blank row, with all statuses set, and the decoder's steps copy the numbers of the record. Lists
 * of a million rows spend their time here. */

/* A column whose place in this recorder's records is known. */
struct decoder_step {
    uint16_t to;
    uint16_t from; /* offset in the record */
    uint8_t size;
    uint8_t status_of_zero;
};

#define DECODER_STEPS 40

struct record_decoder {
    const struct registry_table *table;
    uint32_t struct_size;
    uint32_t eight_end;  /* first come the steps of eight bytes, */
    uint32_t four_end;   /* then those of four, */
    uint32_t step_count; /* then the others */
    struct decoder_step steps[DECODER_STEPS];
    union row blank;
};

/* The kinds whose rows are made of one record each. */
enum record_slot {
#define RECORDS(kind, table) record_slot_of_##kind,
#include <schema/kinds.def>
    record_slot_count
};

/* The decoders of those kinds, by slot. */
struct record_decoders {
    struct record_decoder all[record_slot_count];
};

/* Make the decoders for the tables of REGISTRY. */
void record_decoders_make(struct record_decoders *decoders, const struct registry *registry);

/* The decoder of KIND, which has one. */
const struct record_decoder *record_decoder_find(const struct record_decoders *decoders,
                                                 uint32_t kind);

/* The table for rows of KIND; 0 if there is none. */
uint32_t record_decoder_table(uint32_t kind);

static inline void decoder_step_run(const struct decoder_step *step, void *info, uint64_t number)
{
    ompd_cl_value_t *value = (ompd_cl_value_t *)(void *)((char *)info + step->to);

    value->value = number;
    if (number == 0)
        value->status = step->status_of_zero;
}

/* Begin INFO from RECORD. */
static inline void record_decoder_run(const struct record_decoder *decoder,
                                      const struct target *target, const uint8_t *record,
                                      void *info)
{
    const struct decoder_step *step = decoder->steps;
    const struct decoder_step *eight_end = step + decoder->eight_end;
    const struct decoder_step *four_end = step + decoder->four_end;
    const struct decoder_step *end = step + decoder->step_count;

    __builtin_memcpy(info, &decoder->blank, decoder->struct_size);
    if (!target->is_swapped) {
        for (; step < eight_end; step++) {
            uint64_t number;
            __builtin_memcpy(&number, record + step->from, sizeof(number));
            decoder_step_run(step, info, number);
        }
        for (; step < four_end; step++) {
            uint32_t number;
            __builtin_memcpy(&number, record + step->from, sizeof(number));
            decoder_step_run(step, info, number);
        }
    }
    for (; step < end; step++)
        decoder_step_run(step, info, target_integer(target, record + step->from, step->size));
}

/* ---- command-operands ------------------------------------------------------------------------ */

struct recorder_fields;

/* The operands of a command, and the work sizes of one that runs a kernel. */

struct command_operands {
    uint64_t kinds; /* as `operand_kinds` of the registry */
    uint64_t words[OMPD_CL_REGISTRY_OPERAND_WORDS];
};

/* Read the operands of the command in RECORD of TABLE; there are none if the recorder is too old.
 */
void command_operands_read(const struct registry *registry, const struct registry_table *table,
                           const uint8_t *record, struct command_operands *operands);

/* Set *VALUE to element INDEX, 0 for a number, of the operand KIND. Returns false if the command
 * has no such operand. */
bool command_operand_get(const struct command_operands *operands,
                         enum ompd_cl_registry_operand kind, uint32_t index, uint64_t *value);

/* The same as a field of a row. It is not applicable if there is no such operand. */
void command_operand_set(const struct command_operands *operands,
                         enum ompd_cl_registry_operand kind, uint32_t index,
                         ompd_cl_value_t *value);

/* Set the work sizes in INFO; they stay unknown if the recorder is too old. */
void command_work_sizes_set(const struct recorder_fields *fields, ompd_cl_command_info_t *info);

/* ---- access-rows ----------------------------------------------------------------------------- */

/* Rows of what a command touches: memory objects, SVM and memory of the program. */

/* The most accesses that follow from a command's operands. */
#define ACCESS_PARTS 2

/* `object_kind` of an access to memory of the program. */
#define ACCESS_HOST 0

/* A command, copied from its record. */
struct access_command {
    uint64_t type;  /* cl_command_type */
    uint64_t order; /* of its creation */
    uint64_t memobj;
    uint64_t destination;
    uint32_t part_count; /* accesses that follow from its operands */
    struct command_operands operands;
};

void access_command_read(const struct registry *registry, const struct registry_table *table,
                         const uint8_t *record, struct access_command *command);

/* What a command that runs a kernel now would touch besides its arguments. */
void access_command_of_kernel(struct access_command *command);

/* Whether the list of the command has the bytes of each SVM pointer after it. */
bool access_command_lists_sizes(const struct access_command *command);

/* Fill INFO from access NUMBER, below `part_count`, of COMMAND. All of these return ompd_rc_ok;
 * ompd_rc_incomplete when something could not be read; ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t access_row_fill_part(struct registry *registry, const struct access_command *command,
                               uint32_t number, ompd_cl_access_info_t *info);

/* The same for ADDRESS, a cl_mem or an SVM pointer, in the list of COMMAND. SIZE is 0 if it has
 * none. */
ompd_rc_t access_row_fill_listed(struct registry *registry, const struct access_command *command,
                                 uint64_t address, uint64_t size, ompd_cl_access_info_t *info);

/* The same for an argument of the kernel that COMMAND runs. *IS_ACCESS is false if it is neither
 * a memory object nor SVM. */
ompd_rc_t access_row_fill_argument(struct registry *registry, const struct access_command *command,
                                   const ompd_cl_argument_info_t *argument,
                                   ompd_cl_access_info_t *info, bool *is_access);

/* ---- activity-rows --------------------------------------------------------------------------- */

/* Rows of the activities of threads, and the fields of thread rows that depend on them. */

/*
 * Set the state, the call, the cl handle and the event count of the thread in INFO, whose depth is
 * set, from its innermost activity, which is returned in *ACTIVITY; all 0 if it is unknown. Returns
 * ompd_rc_ok; ompd_rc_incomplete when something is impossible.
 */
ompd_rc_t activity_fill_innermost(const struct registry *registry,
                                  const struct registry_table *table, const uint8_t *record,
                                  ompd_cl_thread_info_t *info, struct activity *activity);

/* Fill INFO from ACTIVITY of the thread LWP. Returns ompd_rc_ok; ompd_rc_incomplete when a field
 * could not be read or is impossible; ompd_rc_nomem. */
ompd_rc_t activity_row_fill(struct registry *registry, const struct activity *activity,
                            uint32_t lwp, ompd_cl_activity_info_t *info);

/* ---- argument-rows --------------------------------------------------------------------------- */

/* Rows of the arguments of kernels, and of commands that run kernels. */

/* A recorded argument: one of the words of ompd_cl_registry_field_argument_forms, and the number
 * beside it. */
struct argument {
    uint32_t number; /* from 0 */
    uint32_t form;
    uint64_t value;
    uint64_t order; /* of the command: later objects are not meant. UINT64_MAX: of a kernel */
};

/* The position in the arguments that were read last. If they do not fit in the record, they are in
 * a chain of blocks. */
struct argument_cursor {
    uint32_t block; /* index plus 1; 0: in the record */
    uint32_t first; /* number of the first argument in the block */
};

/* How many of COUNT arguments can be found for a record of TABLE: all, or only those that fit in it
 * if this recorder stores no others. */
uint64_t argument_limit(const struct registry *registry, const struct registry_table *table,
                        uint64_t count);

/*
 * Find argument NUMBER of RECORD of TABLE, which is in no window, in *ARGUMENT. *CURSOR is zero at
 * first, and numbers must ascend. Returns ompd_rc_ok; ompd_rc_unavailable when the recorder had no
 * memory for it; ompd_rc_error when the chain of blocks is impossible; ompd_rc_nomem;
 * ompd_rc_incomplete when memory could not be read.
 */
ompd_rc_t argument_find(struct registry *registry, const struct registry_table *table,
                        const uint8_t *record, uint32_t number, struct argument_cursor *cursor,
                        struct argument *argument);

/* Fill INFO from ARGUMENT. Returns ompd_rc_ok; ompd_rc_incomplete when a field could not be read or
 * is impossible; ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t argument_row_fill(struct address_space *space, const struct argument *argument,
                            ompd_cl_argument_info_t *info);

/* ---- recorder-fields ------------------------------------------------------------------------- */

/* The fields of rows that are more than a field of their record. */

/* The record of a row. */
struct recorder_fields {
    struct address_space *space;
    const struct registry *registry;
    const struct registry_table *table;
    const uint8_t *record;
    ompd_rc_t rc; /* ompd_rc_incomplete or ompd_rc_nomem after a field was not available */
};

#define RECORDER_GET(fields, field)                                                                \
    registry_get((fields)->registry, (fields)->table, (fields)->record,                            \
                 ompd_cl_registry_field_##field)

/* The id of the object of KIND, whose record has INDEX. */
uint64_t recorder_fields_id(const struct recorder_fields *fields, uint32_t kind, uint32_t index);

/* Set *VALUE to the cl handle of the record that REFERENCE and GENERATION name. */
void recorder_fields_set_handle(struct recorder_fields *fields, ompd_cl_value_t *value,
                                uint32_t reference, uint32_t generation);

/* Set *VALUE to the OpenCL context of the record. */
void recorder_fields_set_context(struct recorder_fields *fields, ompd_cl_value_t *value);

/* Set *VALUE to the platform of the record, which it names by index: records of platforms are never
 * reused. */
void recorder_fields_set_platform(struct recorder_fields *fields, ompd_cl_value_t *value);

/* Mark a field that a thread was changing at the stop: it is neither the old value nor the new
 * one. */
void recorder_fields_mark_change(struct recorder_fields *fields, ompd_cl_value_t *value);

/* Correct the confidence, which the decoder has set to certain. */
void recorder_fields_finish_confidence(const struct recorder_fields *fields,
                                       ompd_cl_value_t *confidence);

/* Finish the state of an object. The decoder has set the number. */
void recorder_fields_finish_state(struct recorder_fields *fields, ompd_cl_value_t *state,
                                  ompd_cl_value_t *confidence);

/* The count is signed, because a program may release too often. */
void recorder_fields_finish_references(ompd_cl_value_t *references);

/* ---- recorder-texts -------------------------------------------------------------------------- */

/* Texts of records. The record has the beginning; blocks have the complete text if it is longer. */

/* The position in the chain of blocks that was read last, because texts are read in pieces. */
struct text_cursor {
    uint64_t stop; /* the target's stop at that time */
    uint32_t first;
    uint32_t generation;
    uint32_t block; /* index */
    uint32_t origin;
};

/* Set *TEXT to FIELD: options, log, name, version, vendor or message. */
void recorder_fields_set_text(struct recorder_fields *fields, ompd_cl_text_t *text,
                              enum ompd_cl_registry_field_id field);

/*
 * Read PART of the text whose first block is BLOCK with GENERATION; the registry is open. Returns
 * ompd_rc_ok; ompd_rc_stale_handle when the text no longer exists; ompd_rc_incomplete with a
 * message when the rest of PART cannot be read; ompd_rc_nomem or ompd_rc_interrupted.
 */
ompd_rc_t recorder_text_read(struct address_space *space, uint32_t block, uint32_t generation,
                             struct text_part *part);

/* ---- recorder-buffer-rows -------------------------------------------------------------------- */

/* Rows of command buffers, of their commands, and of semaphores, after the decoder. */

/* Complete INFO, whose record has INDEX. */
void recorder_command_buffer_finish(struct recorder_fields *fields, uint32_t index,
                                    ompd_cl_command_buffer_info_t *info);
void recorder_buffered_command_finish(struct recorder_fields *fields,
                                      ompd_cl_buffered_command_info_t *info);
void recorder_semaphore_finish(struct recorder_fields *fields, uint32_t index,
                               ompd_cl_semaphore_info_t *info);

/* Set the first semaphore of the command of INFO. */
void recorder_command_set_semaphore(struct recorder_fields *fields, ompd_cl_command_info_t *info);

/* Read the address of *LINK, index plus 1 in the table of addresses, and set *LINK to the next one.
 * Returns ompd_rc_ok; ompd_rc_error when there is no such link; ompd_rc_nomem; ompd_rc_incomplete
 * when it could not be read. */
ompd_rc_t recorder_link_read(struct registry *registry, uint32_t *link, uint64_t *address);

/* ---- recorder-command-rows ------------------------------------------------------------------- */

/* Rows of commands and events, after the decoder. */

/* Complete INFO, whose record has INDEX. */
void recorder_event_finish(struct recorder_fields *fields, uint32_t index,
                           ompd_cl_event_info_t *info);
void recorder_command_finish(struct recorder_fields *fields, uint32_t index,
                             ompd_cl_command_info_t *info);

/* Record that no user event made the command of INFO fail. */
void recorder_command_clear_failure(ompd_cl_command_info_t *info);

/* Whether the command of INFO has failed, because it never runs, but the runtime is not known to
 * have ended it. */
bool recorder_command_is_stuck(const ompd_cl_command_info_t *info);

/* Whether the event HANDLE is recorded and not known to be complete. `rc` of FIELDS, of another
 * row, is set if the event could not be read. */
bool recorder_event_is_pending(struct recorder_fields *fields, uint64_t handle);

/* ---- recorder-gone-rows ---------------------------------------------------------------------- */

/* Rows of rings: destroyed objects, errors, ledger entries and calls, after the decoder. */

/* `end_order` of a row of a destroyed object: the last serial issued, above this many bits. */
#define GONE_NUMBER_BITS 20

void recorder_gone_finish(struct recorder_fields *fields, ompd_cl_destroyed_info_t *info);
void recorder_error_finish(struct recorder_fields *fields, ompd_cl_error_info_t *info);
void recorder_ledger_finish(struct recorder_fields *fields, ompd_cl_ledger_info_t *info);
void recorder_call_finish(struct recorder_fields *fields, ompd_cl_call_info_t *info);
void recorder_message_finish(struct recorder_fields *fields, ompd_cl_message_info_t *info);
/* Its clause is unknown here. */
void recorder_mistake_finish(struct recorder_fields *fields, ompd_cl_finding_info_t *info);

/* ---- recorder-mapping-rows ------------------------------------------------------------------- */

/* Finish a row of a mapping, after the decoder. */
void recorder_mapping_finish(struct recorder_fields *fields, ompd_cl_mapping_info_t *info);

/* ---- recorder-memory-rows -------------------------------------------------------------------- */

/* Rows of memory objects, SVM allocations, SVM frees and callbacks, after the decoder. */

/* Convert *KIND from a cl_mem_object_type (OpenCL 3.0 section 5.5.5) to an ompd_cl_memobj_kind_t: a
 * buffer with a parent is a sub-buffer. */
void row_finish_memobj_kind(const ompd_cl_value_t *parent, ompd_cl_value_t *kind);

/* Complete INFO, whose record has INDEX. */
void recorder_memobj_finish(struct recorder_fields *fields, uint32_t index,
                            ompd_cl_memobj_info_t *info);
/* The state of a callback that is never called does not apply. */
void recorder_callback_finish(struct recorder_fields *fields, uint32_t index,
                              ompd_cl_callback_info_t *info);

void recorder_destructor_finish(struct recorder_fields *fields, uint32_t index,
                                ompd_cl_destructor_info_t *info);
void recorder_svm_finish(struct recorder_fields *fields, uint32_t index, ompd_cl_svm_info_t *info);
void recorder_svm_free_finish(struct recorder_fields *fields, uint32_t index,
                              ompd_cl_svm_free_info_t *info);

/* ---- recorder-program-rows ------------------------------------------------------------------- */

/* Rows of programs, kernels and samplers, after the decoder. */

/* Complete INFO, whose record has INDEX. */
void recorder_program_finish(struct recorder_fields *fields, uint32_t index,
                             ompd_cl_program_info_t *info);
void recorder_kernel_finish(struct recorder_fields *fields, uint32_t index,
                            ompd_cl_kernel_info_t *info);
void recorder_sampler_finish(struct recorder_fields *fields, uint32_t index,
                             ompd_cl_sampler_info_t *info);

/* ---- recorder-rows --------------------------------------------------------------------------- */

/* Fills info structs from records of the registry. */

/*
 * Fill INFO of KIND except for its struct_size from RECORD with index INDEX, which must stay valid
 * while other target memory is read. Returns ompd_rc_ok; ompd_rc_incomplete when a field could not
 * be read; ompd_rc_nomem.
 */
ompd_rc_t row_fill(struct address_space *space, uint32_t kind, const uint8_t *record,
                   uint32_t index, void *info);

/* ---- trampoline ------------------------------------------------------------------------------ */

/* The recorder's trampolines, which the runtime holds in place of the program's callbacks. */

/*
 * If *FUNCTION, from the runtime, belongs to the recorder, replace it and its user data by those of
 * the program: from the record of TABLE_ID that *USER_DATA names, if that is for OBJECT (callbacks:
 * the object, SVM-free commands: the queue); else they are unknown.
 */
void trampoline_translate(struct address_space *space, uint32_t table_id, uint64_t object,
                          ompd_cl_value_t *function, ompd_cl_value_t *user_data);

/* ---- lwp-map --------------------------------------------------------------------------------- */

/*
 * Maps thread numbers between PID namespaces. The recorder stores what gettid(2) returns to the
 * program, for example in a container; the tool has the number outside of it.
 */

struct address_space;

/* A thread of the tool. */
struct lwp_pair {
    uint64_t pthread;  /* 0: not known */
    uint64_t by_tool;  /* number of the tool */
    uint64_t recorded; /* number of the recorder; 0: it has not entered OpenCL */
};

/* The map of one stop. Its memory is held as long as the address space. */
struct lwp_map {
    uint64_t stop; /* the target's that it is of */
    struct lwp_pair *pairs;
    uint32_t count; /* 0: the numbers are the same, or not known to differ */
    uint32_t capacity;
};

/* Make the map of this stop. The registry's root must have been read, and none of its records be in
 * use. Returns ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t lwp_map_read(struct address_space *space);

/* The tool's number of the thread with the recorder's number RECORDED; 0 if it is unknown because
 * the thread has ended. */
uint64_t lwp_map_to_tool(const struct lwp_map *map, uint64_t recorded);

/* The recorder's number of the thread with the tool's number BY_TOOL; 0 if the recorder has not
 * seen it. */
uint64_t lwp_map_to_recorder(const struct lwp_map *map, uint64_t by_tool);

/* Convert the thread numbers in ROW of KIND, as decoded from a record, to the tool's. */
void lwp_map_rename(const struct lwp_map *map, uint32_t kind, void *row);

/* The same for VALUE, the number of a thread or a process. */
void lwp_map_rename_thread(const struct lwp_map *map, ompd_cl_value_t *value);

/* ---- recorder-module ------------------------------------------------------------------------- */

/* The recorder's module in the target. */

struct address_space;

/* The address range of the recorder, which registers its own functions in place of the
 * program's. */
struct recorder_module {
    uint64_t stop; /* the target's stop when it was searched for */
    uint64_t start;
    uint64_t end;   /* 0: not found */
    bool is_absent; /* the list of modules is complete, without the recorder */
};

/* Find the recorder among the modules of SPACE, once a stop. Valid until the next stop. */
const struct recorder_module *recorder_module_find(struct address_space *space);

/* ---- thread-record --------------------------------------------------------------------------- */

/* Records of threads as they are now. */

struct address_space;
struct handle_entry;

/* The identity of a thread, and its number of activities. */
struct thread_head {
    uint64_t address; /* of the record */
    uint64_t serial;
    uint64_t pthread;
    uint32_t lwp;
    uint32_t generation;
    uint32_t activity_count;
    bool is_live;
};

/* The last known position of a thread. It is only a hint: a thread that is no longer there is
 * searched for in the target. */
struct thread_hint {
    uint64_t address;
    uint64_t pthread;
    uint32_t lwp;
};

struct thread_hints {
    struct thread_hint *hints;
    uint32_t count;
    uint32_t capacity;
};

/* Require a table of threads in the open registry. Returns ompd_rc_ok, or ompd_rc_unavailable when
 * the recorder has none. */
ompd_rc_t thread_table_require(struct address_space *space);

/*
 * Find the thread with ID of KIND (OMPD_CL_THREAD_PTHREAD or OMPD_CL_THREAD_LWP); the registry is
 * open. Returns ompd_rc_ok; ompd_rc_unavailable when no such thread has entered OpenCL;
 * ompd_rc_device_read_error when that cannot be read; ompd_rc_error; ompd_rc_nomem.
 */
ompd_rc_t thread_find(struct address_space *space, ompd_thread_id_t kind, uint64_t id,
                      struct thread_head *head);

/* Count the live threads; the registry is open. Returns as thread_find does. */
ompd_rc_t thread_count(struct address_space *space, int64_t *count);

/* Read the HEAD of the record of the thread ENTRY. Returns ompd_rc_ok, ompd_rc_stale_handle, or as
 * uncached_open does. */
ompd_rc_t thread_head_find(struct address_space *space, const struct handle_entry *entry,
                           struct thread_head *head);

/* Read activity NUMBER of the thread of HEAD, from 0 for the outermost and below activity_room.
 * Returns ompd_rc_ok or ompd_rc_device_read_error. */
ompd_rc_t thread_activity_read(struct address_space *space, const struct thread_head *head,
                               uint32_t number, struct activity *activity);

/* Read the innermost activity of the thread of HEAD, zero when it has none. *IS_KNOWN is false when
 * it is deeper than the recorder stores. Returns ompd_rc_ok; ompd_rc_device_read_error;
 * ompd_rc_error for an impossible one. */
ompd_rc_t thread_innermost_read(struct address_space *space, const struct thread_head *head,
                                struct activity *activity, bool *is_known);

/* The same for a caller that only needs the number of activities. */
ompd_rc_t thread_depth_check(struct address_space *space, const struct thread_head *head);

/* ---- recorder-source ------------------------------------------------------------------------- */

/* The recorder's registry as a source. */

/* The state of the recorder of one process. */
struct recorder_source {
    struct registry registry;
    struct record_decoders decoders;
    uint64_t root;                           /* address of the last root, and */
    uint8_t root_start[REGISTRY_ROOT_START]; /* its first bytes */
    uint64_t absent_stop;                    /* the target's stop at which there was none */
    struct thread_hints hints;
    struct text_cursor text;
    struct recorder_module module;
    struct lwp_map lwps;
    uint8_t record[OMPD_CL_REGISTRY_MAX_RECORD_SIZE]; /* a copy of the current record while others
                                                         are read */
};

/* Read the registry's root unless it was read at this stop.  Returns as registry_open. */
ompd_rc_t recorder_source_read(struct address_space *space);

/* Open the registry, even if the tool does not want the recorder as a source: for data that only
 * the registry has. With layouts it is searched for once a stop. Returns as registry_open does. */
ompd_rc_t recorder_source_open(struct address_space *space);

/* Copy RECORD of TABLE, if necessary, to where it stays valid while other memory is read, until the
 * next copy. */
static inline const uint8_t *recorder_source_copy(struct address_space *space,
                                                  const struct registry_table *table,
                                                  const uint8_t *record)
{
    if (registry_is_kept(table, record))
        return record;
    __builtin_memcpy(space->recorder->record, record, table->record_size);
    return space->recorder->record;
}

#endif
