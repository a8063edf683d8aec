/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the recorder has written down: its registry, and rows of its records. */
#ifndef LIBOMPD_RECORDER_H
#define LIBOMPD_RECORDER_H

#include "kinds/kinds.h"
#include "sources/recorder/registry.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- record-decoder -------------------------------------------------------------------------- */

/* How a record becomes a row. A decoder is made once a stop: a row begins as a copy of its kind's
 * blank, with all statuses in place, and the decoder's steps fill in the numbers of the record.
 * Lists of a million rows spend their time here. */

/* A column, once it is known where this recorder keeps the field. */
struct decoder_step {
    uint16_t to;
    uint16_t from; /* offset in the record */
    uint8_t size;
    uint8_t status_of_zero;
};

#define DECODER_STEPS 24

struct record_decoder {
    const struct registry_table *table;
    uint32_t struct_size;
    uint32_t eight_end;  /* the first steps are of eight bytes, */
    uint32_t four_end;   /* then come those of four, */
    uint32_t step_count; /* then the others */
    struct decoder_step steps[DECODER_STEPS];
    union row blank;
};

/* The decoders of all kinds of rows that are made of one record each, by ompd_cl_kind_t. */
struct record_decoders {
    struct record_decoder of_kind[ompd_cl_kind_callback + 1];
};

/* Work out the decoders for the tables of REGISTRY. */
void record_decoders_make(struct record_decoders *decoders, const struct registry *registry);

/* The table that rows of KIND come from, 0 for none. */
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

/* ---- activity-rows --------------------------------------------------------------------------- */

/* From activities of a thread to rows, and to what the row of the thread says of them. */

/*
 * Set the state, the call, the cl handle and how many events are waited for of the thread in INFO,
 * whose depth is set, to those of its innermost activity, which *ACTIVITY gets; all 0 where that is
 * not known.  Returns ompd_rc_ok; ompd_rc_incomplete when something cannot be.
 */
ompd_rc_t activity_fill_innermost(const struct registry *registry,
                                  const struct registry_table *table, const uint8_t *record,
                                  ompd_cl_thread_info_t *info, struct activity *activity);

/* Fill INFO from ACTIVITY of the thread LWP.  Returns ompd_rc_ok; ompd_rc_incomplete when a field
 * could not be read, or cannot be; ompd_rc_nomem. */
ompd_rc_t activity_row_fill(struct registry *registry, const struct activity *activity,
                            uint32_t lwp, ompd_cl_activity_info_t *info);

/* ---- argument-rows --------------------------------------------------------------------------- */

/* From an argument in a record, of a kernel or of a command that runs one, to a row. */

/* An argument as the recorder has it: one of the words of ompd_cl_registry_field_argument_forms,
 * and the number beside it. */
struct argument {
    uint32_t number; /* from 0 */
    uint32_t form;
    uint64_t value;
    uint64_t order; /* of the command; what was made later is not meant.  UINT64_MAX: of a kernel */
};

/* Where the arguments are that were asked for last: those of a record that has no room for them are
 * in a chain of blocks. */
struct argument_cursor {
    uint32_t block; /* index plus 1; 0: in the record */
    uint32_t first; /* number of the block's first argument */
};

/* How many of COUNT arguments may be found for a record of TABLE: all, or those that it has room
 * for where this recorder keeps no others. */
uint64_t argument_limit(const struct registry *registry, const struct registry_table *table,
                        uint64_t count);

/*
 * Have argument NUMBER of RECORD of TABLE, which is in no window, in *ARGUMENT.  *CURSOR is zero at
 * first; numbers never go down.
 * Returns ompd_rc_ok; ompd_rc_unavailable when the recorder had no memory for it; ompd_rc_error
 * when the chain of blocks cannot be so; ompd_rc_nomem; ompd_rc_incomplete when memory could not be
 * read.
 */
ompd_rc_t argument_find(struct registry *registry, const struct registry_table *table,
                        const uint8_t *record, uint32_t number, struct argument_cursor *cursor,
                        struct argument *argument);

/* Fill INFO from ARGUMENT.  Returns ompd_rc_ok; ompd_rc_incomplete when a field could not be read,
 * or cannot be; ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t argument_row_fill(struct address_space *space, const struct argument *argument,
                            ompd_cl_argument_info_t *info);

/* ---- recorder-fields ------------------------------------------------------------------------- */

/* What of a row is more than a field of its record. */

/* The record that a row is made of. */
struct recorder_fields {
    struct address_space *space;
    const struct registry *registry;
    const struct registry_table *table;
    const uint8_t *record;
    ompd_rc_t rc; /* ompd_rc_incomplete or ompd_rc_nomem once a field could not be had */
};

#define RECORDER_GET(fields, field)                                                                \
    registry_get((fields)->registry, (fields)->table, (fields)->record,                            \
                 ompd_cl_registry_field_##field)

/* The id of the object of KIND, whose record has INDEX. */
uint64_t recorder_fields_id(const struct recorder_fields *fields, uint32_t kind, uint32_t index);

/* Set *VALUE to the cl handle of the record that REFERENCE of GENERATION names. */
void recorder_fields_set_handle(struct recorder_fields *fields, ompd_cl_value_t *value,
                                uint32_t reference, uint32_t generation);

/* Set *VALUE to the context that the record names. */
void recorder_fields_set_context(struct recorder_fields *fields, ompd_cl_value_t *value);

/* Set *VALUE to the platform that the record names by its index: records of platforms are never
 * used again. */
void recorder_fields_set_platform(struct recorder_fields *fields, ompd_cl_value_t *value);

/* A field that a thread was changing at the stop is neither the old value nor the new one. */
void recorder_fields_mark_change(struct recorder_fields *fields, ompd_cl_value_t *value);

/* The decoder has said that it is certain. */
void recorder_fields_finish_confidence(const struct recorder_fields *fields,
                                       ompd_cl_value_t *confidence);

/* Of an object. The decoder has put the number in. */
void recorder_fields_finish_state(struct recorder_fields *fields, ompd_cl_value_t *state,
                                  ompd_cl_value_t *confidence);

/* The count is signed: a program may release too often. */
void recorder_fields_finish_references(ompd_cl_value_t *references);

/* ---- recorder-texts -------------------------------------------------------------------------- */

/* Texts of records: the beginning is in the record, a longer text whole in blocks. */

/* How far the chain of blocks was followed that was read last: a text is read piece by piece. */
struct text_cursor {
    uint64_t stop; /* the target's at that time */
    uint32_t first;
    uint32_t generation;
    uint32_t block; /* index */
    uint32_t origin;
};

/* Set *TEXT to FIELD: options, log, name, version or vendor. */
void recorder_fields_set_text(struct recorder_fields *fields, ompd_cl_text_t *text,
                              enum ompd_cl_registry_field_id field);

/*
 * Read PART of the text whose first block is BLOCK of GENERATION; the registry is open.  Returns
 * ompd_rc_ok; ompd_rc_stale_handle when that text is no longer there; ompd_rc_incomplete with a
 * message when the rest of PART cannot be read; ompd_rc_nomem or ompd_rc_interrupted.
 */
ompd_rc_t recorder_text_read(struct address_space *space, uint32_t block, uint32_t generation,
                             struct text_part *part);

/* ---- recorder-command-rows ------------------------------------------------------------------- */

/* From records of commands and events to rows. The decoder has run before. */

/* Complete INFO, whose record has INDEX. */
void recorder_event_finish(struct recorder_fields *fields, uint32_t index,
                           ompd_cl_event_info_t *info);
void recorder_command_finish(struct recorder_fields *fields, uint32_t index,
                             ompd_cl_command_info_t *info);

/* Say that no user event made the command of INFO fail. */
void recorder_command_clear_failure(ompd_cl_command_info_t *info);

/* Tell whether the command of INFO has failed, as it never runs, but the runtime is not known to
 * have ended it. */
bool recorder_command_is_stuck(const ompd_cl_command_info_t *info);

/* Tell whether the event HANDLE is recorded and not known to be over; FIELDS, of another row, gets
 * `rc` where that could not be looked up. */
bool recorder_event_is_pending(struct recorder_fields *fields, uint64_t handle);

/* ---- recorder-gone-rows ---------------------------------------------------------------------- */

/* From records of rings to rows: objects that are gone, errors, entries of the ledger and calls.
 * The decoder has run before. */

/* `end_order` of a gone row: the last serial that had been given out, above so many bits. */
#define GONE_NUMBER_BITS 20

void recorder_gone_finish(struct recorder_fields *fields, ompd_cl_destroyed_info_t *info);
void recorder_error_finish(struct recorder_fields *fields, ompd_cl_error_info_t *info);
void recorder_ledger_finish(struct recorder_fields *fields, ompd_cl_ledger_info_t *info);
void recorder_call_finish(struct recorder_fields *fields, ompd_cl_call_info_t *info);

/* ---- recorder-memory-rows -------------------------------------------------------------------- */

/* From records of memory objects, SVM allocations, and what ends them, to rows. The decoder has run
 * before. */

/* Make *KIND, a cl_mem_object_type (OpenCL 3.0 section 5.5.5), an ompd_cl_memobj_kind_t: a buffer
 * with a parent is a sub-buffer. */
void row_finish_memobj_kind(const ompd_cl_value_t *parent, ompd_cl_value_t *kind);

/* Complete INFO, whose record has INDEX. */
void recorder_memobj_finish(struct recorder_fields *fields, uint32_t index,
                            ompd_cl_memobj_info_t *info);
/* The state of a callback that is never called is not applicable. */
void recorder_callback_finish(struct recorder_fields *fields, uint32_t index,
                              ompd_cl_callback_info_t *info);

void recorder_destructor_finish(struct recorder_fields *fields, uint32_t index,
                                ompd_cl_destructor_info_t *info);
void recorder_svm_finish(struct recorder_fields *fields, uint32_t index, ompd_cl_svm_info_t *info);
void recorder_svm_free_finish(struct recorder_fields *fields, uint32_t index,
                              ompd_cl_svm_free_info_t *info);

/* ---- recorder-program-rows ------------------------------------------------------------------- */

/* From records of programs, kernels and samplers to rows. The decoder has run before. */

/* Complete INFO, whose record has INDEX. */
void recorder_program_finish(struct recorder_fields *fields, uint32_t index,
                             ompd_cl_program_info_t *info);
void recorder_kernel_finish(struct recorder_fields *fields, uint32_t index,
                            ompd_cl_kernel_info_t *info);
void recorder_sampler_finish(struct recorder_fields *fields, uint32_t index,
                             ompd_cl_sampler_info_t *info);

/* ---- recorder-rows --------------------------------------------------------------------------- */

/* From a record of the registry to an info struct. */

/*
 * Fill INFO, the info struct of KIND but for its struct_size, from RECORD of index INDEX, which
 * must stay while other target memory is read.  Returns ompd_rc_ok; ompd_rc_incomplete when a field
 * could not be read; ompd_rc_nomem.
 */
ompd_rc_t row_fill(struct address_space *space, uint32_t kind, const uint8_t *record,
                   uint32_t index, void *info);

/* ---- trampoline ------------------------------------------------------------------------------ */

/* Callbacks that the runtime holds for the recorder, in the place of the program's. */

/*
 * Where *FUNCTION, as the runtime holds it, is of the recorder, give the program's function and its
 * user data instead: those of the record of TABLE_ID that *USER_DATA names, if it is for OBJECT
 * (callbacks: the object, SVM-free commands: the queue), else unknown.
 */
void trampoline_translate(struct address_space *space, uint32_t table_id, uint64_t object,
                          ompd_cl_value_t *function, ompd_cl_value_t *user_data);

/* ---- lwp-map --------------------------------------------------------------------------------- */

/*
 * The numbers of threads in another PID namespace: the recorder writes what gettid(2) gives to the
 * program, as in a container, and the tool has what it gives outside of it.
 */

struct address_space;

/* A thread of the tool's. */
struct lwp_pair {
    uint64_t pthread;  /* 0: not known */
    uint64_t by_tool;  /* by the tool */
    uint64_t recorded; /* 0: it has not entered OpenCL */
};

/* Of one stop.  Memory for it is held as long as the address space. */
struct lwp_map {
    uint64_t stop; /* the target's that it is of */
    struct lwp_pair *pairs;
    uint32_t count; /* 0: the numbers are the same, or not known to differ */
    uint32_t capacity;
};

/* Have the map of this stop; the registry's root was read, and none of its records is in use.
 * Returns ompd_rc_ok, ompd_rc_nomem or ompd_rc_interrupted. */
ompd_rc_t lwp_map_read(struct address_space *space);

/* The tool's number of the thread that the recorder calls RECORDED; 0: not known, it has ended. */
uint64_t lwp_map_to_tool(const struct lwp_map *map, uint64_t recorded);

/* The recorder's number of the thread that the tool calls TOLD; 0: it has not seen it. */
uint64_t lwp_map_to_recorder(const struct lwp_map *map, uint64_t by_tool);

/* Have ROW of KIND, as the recorder's record was decoded, name threads as the tool does. */
void lwp_map_rename(const struct lwp_map *map, uint32_t kind, void *row);

/* The same of VALUE, the number of a thread or a process. */
void lwp_map_rename_thread(const struct lwp_map *map, ompd_cl_value_t *value);

/* ---- recorder-module ------------------------------------------------------------------------- */

/* The recorder as one of the target's modules. */

struct address_space;

/* Where the recorder is mapped, which registers functions of its own in the place of the program's.
 */
struct recorder_module {
    uint64_t stop; /* the target's at which it was looked for */
    uint64_t start;
    uint64_t end;   /* 0: not found */
    bool is_absent; /* all modules were told, and it is none of them */
};

/* Look for the recorder among the modules of SPACE, once a stop.  Good until the next. */
const struct recorder_module *recorder_module_find(struct address_space *space);

/* ---- thread-record --------------------------------------------------------------------------- */

/* Records of threads, as they are at this moment. */

struct address_space;
struct handle_entry;

/* What tells a thread, and how much it is doing. */
struct thread_head {
    uint64_t address; /* of the record */
    uint64_t serial;
    uint64_t pthread;
    uint32_t lwp;
    uint32_t generation;
    uint32_t activity_count;
    bool is_live;
};

/* Where threads were when last seen.  Only a hint: a thread is looked for in the target again when
 * it is not there. */
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

/* Returns ompd_rc_ok, or ompd_rc_unavailable when the recorder keeps no threads; the registry is
 * open. */
ompd_rc_t thread_table_require(struct address_space *space);

/*
 * Find the thread with ID, which is of KIND (OMPD_CL_THREAD_PTHREAD or OMPD_CL_THREAD_LWP); the
 * registry is open.  Returns ompd_rc_ok; ompd_rc_unavailable when no such thread has entered
 * OpenCL; ompd_rc_device_read_error when that cannot be told; ompd_rc_error; ompd_rc_nomem.
 */
ompd_rc_t thread_find(struct address_space *space, ompd_thread_id_t kind, uint64_t id,
                      struct thread_head *head);

/* Count the threads that are there; the registry is open.  Returns as thread_find. */
ompd_rc_t thread_count(struct address_space *space, int64_t *count);

/* Read the record's HEAD of the thread that ENTRY stands for.  Returns ompd_rc_ok,
 * ompd_rc_stale_handle, or as uncached_open. */
ompd_rc_t thread_head_find(struct address_space *space, const struct handle_entry *entry,
                           struct thread_head *head);

/* Read activity NUMBER, from 0 for the outermost and below activity_room, of the thread of HEAD.
 * Returns ompd_rc_ok or ompd_rc_device_read_error. */
ompd_rc_t thread_activity_read(struct address_space *space, const struct thread_head *head,
                               uint32_t number, struct activity *activity);

/*
 * Read the innermost activity of the thread of HEAD, zero when it is in none.  *IS_KNOWN gets false
 * when it is deeper than the recorder keeps.  Returns ompd_rc_ok; ompd_rc_device_read_error;
 * ompd_rc_error for one that cannot be.
 */
ompd_rc_t thread_innermost_read(struct address_space *space, const struct thread_head *head,
                                struct activity *activity, bool *is_known);

/* The same for a call that only wants to know how many activities there are. */
ompd_rc_t thread_depth_check(struct address_space *space, const struct thread_head *head);

/* ---- recorder-source ------------------------------------------------------------------------- */

/* The recorder's registry as a source. */

/* What is known of the recorder of one process. */
struct recorder_source {
    struct registry registry;
    struct record_decoders decoders;
    uint64_t root;                           /* address of the last that was found, and */
    uint8_t root_start[REGISTRY_ROOT_START]; /* how it began */
    uint64_t absent_stop;                    /* the target's at which there was none */
    struct thread_hints hints;
    struct text_cursor text;
    struct recorder_module module;
    struct lwp_map lwps;
    uint8_t
        record[OMPD_CL_REGISTRY_MAX_RECORD_SIZE]; /* one being looked at while others are read */
};

/* Read the registry's root unless it was read at this stop.  Returns as registry_open. */
ompd_rc_t recorder_source_read(struct address_space *space);

/* The registry, whatever the tool wants: for what it alone can tell.  Looks for it once a stop when
 * there are layouts.  Returns as registry_open. */
ompd_rc_t recorder_source_open(struct address_space *space);

/* Keep RECORD of TABLE where reading other memory does not disturb it, until the next is kept. */
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
