/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kinds of rows: their fields, and the names of what these may be. */
#ifndef LIBOMPD_KINDS_H
#define LIBOMPD_KINDS_H

#include "base/base.h"

#include <ompd-opencl-calls.h>
#include <ompd-opencl.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- blank ----------------------------------------------------------------------------------- */

/* Rows without a value yet: each field has the reason, and the source that would know it. */

/* The largest info struct there is. */
union row {
    ompd_size_t struct_size;
    ompd_cl_overview_info_t overview;
    ompd_cl_platform_info_t platform;
    ompd_cl_context_info_t context;
    ompd_cl_queue_info_t queue;
    ompd_cl_memobj_info_t memobj;
    ompd_cl_destructor_info_t destructor;
    ompd_cl_svm_info_t svm;
    ompd_cl_svm_free_info_t svm_free;
    ompd_cl_svm_pointer_info_t svm_pointer;
    ompd_cl_wait_info_t wait;
    ompd_cl_argument_info_t argument;
    ompd_cl_device_info_t device;
    ompd_cl_command_info_t command;
    ompd_cl_event_info_t event;
    ompd_cl_kernel_info_t kernel;
    ompd_cl_program_info_t program;
    ompd_cl_sampler_info_t sampler;
    ompd_cl_thread_info_t thread;
    ompd_cl_activity_info_t activity;
    ompd_cl_usage_info_t usage;
    ompd_cl_runtime_info_t runtime;
    ompd_cl_finding_info_t finding;
    ompd_cl_hop_info_t hop;
    ompd_cl_gone_info_t gone;
    ompd_cl_error_info_t error;
    ompd_cl_holder_info_t holder;
    ompd_cl_leak_info_t leak;
    ompd_cl_ledger_info_t ledger;
    ompd_cl_call_info_t call;
    ompd_cl_callback_info_t callback;
};

/* Fill INFO of KIND but for its struct_size: SOURCE has no field of it, for the reason STATUS. */
void blank_fill(uint32_t kind, void *info, ompd_cl_source_t source, uint16_t status);

/* ---- channel-names --------------------------------------------------------------------------- */

/* The names of an image's channels (OpenCL 3.0 section 5.3.1.1). */

#define CHANNEL_ORDER_COUNT 20
#define CHANNEL_TYPE_COUNT 17

extern const ompd_cl_name_t channel_order_names[CHANNEL_ORDER_COUNT]; /* cl_channel_order */
extern const ompd_cl_name_t channel_type_names[CHANNEL_TYPE_COUNT];   /* cl_channel_type */

/* ---- column ---------------------------------------------------------------------------------- */

/* Which member of an info struct a source keeps in which field of its own. */

struct column {
    uint16_t to;            /* offset of the ompd_cl_value_t */
    uint8_t field;          /* enum ompd_cl_registry_field_id, or enum layout_field */
    uint8_t status_of_zero; /* what it means that the field is 0; ompd_cl_status_value: just that */
};

/* ---- command-names --------------------------------------------------------------------------- */

/* The names of cl_command_type (OpenCL 3.0 section 5.11, and extensions), without CL_COMMAND_. */

#define COMMAND_TYPE_COUNT 63

extern const ompd_cl_name_t command_type_names[COMMAND_TYPE_COUNT];

/* ---- ending-names ---------------------------------------------------------------------------- */

/* Names of how objects end. */

#define ENDING_NAME_COUNT 4

extern const ompd_cl_name_t ending_names[ENDING_NAME_COUNT];

/* ---- error-names ----------------------------------------------------------------------------- */

/* The names of errors (OpenCL 3.0 appendix F, and extensions). */

#define ERROR_NAME_COUNT 87

extern const ompd_cl_name_t error_names[ERROR_NAME_COUNT];

/* ---- fields ---------------------------------------------------------------------------------- */

/* The one table of fields, and what follows from it for any info struct. */

#define FIELD_NONE UINT32_MAX

/* A kind of row. */
struct kind {
    const char *name;
    const ompd_cl_field_t *fields;
    uint32_t field_count;
    uint32_t struct_size;
    /* Offsets of the fields that a filter looks at, FIELD_NONE where there is none. */
    uint32_t context_offset;
    uint32_t kind_offset;
    uint32_t state_offset;
    uint32_t size_offset;
    uint32_t queue_offset;
};

/* The description of KIND, NULL for one that is not known. */
const struct kind *kind_find(uint32_t kind);

/* The field NAME of ROW of KIND; NULL when it has none. */
const ompd_cl_value_t *kind_value(uint32_t kind, const void *row, const char *name);

/* ---- holder-names ---------------------------------------------------------------------------- */

/* Names of what has a handle. */

#define STORAGE_NAME_COUNT 10

extern const ompd_cl_name_t storage_names[STORAGE_NAME_COUNT];

/* ---- image-fields ---------------------------------------------------------------------------- */

/* The fields of a memory object that only images have. */

/* Set those of INFO to none, for the reason STATUS. */
void image_fields_set_status(ompd_cl_memobj_info_t *info, uint16_t status);

/* ---- memory-names ---------------------------------------------------------------------------- */

/* Names of what memory objects and SVM allocations are, and how they were made. */

#define MEMOBJ_KIND_COUNT 9
#define MEM_FLAG_COUNT 12

extern const ompd_cl_name_t memobj_kind_names[MEMOBJ_KIND_COUNT]; /* ompd_cl_memobj_kind_t */
extern const ompd_cl_name_t mem_flag_names[MEM_FLAG_COUNT]; /* cl_mem_flags, cl_svm_mem_flags */

/* ---- object-names ---------------------------------------------------------------------------- */

/* Names of what is said of objects of several kinds. */

#define STATE_NAME_COUNT 3
#define SOURCE_NAME_COUNT 3
#define CONFIDENCE_NAME_COUNT 3
#define DOUBT_NAME_COUNT 8
#define OWNED_KIND_COUNT 8
#define USER_DATA_PLACE_COUNT 3

extern const ompd_cl_name_t state_names[STATE_NAME_COUNT];
extern const ompd_cl_name_t source_names[SOURCE_NAME_COUNT];
extern const ompd_cl_name_t confidence_names[CONFIDENCE_NAME_COUNT];
extern const ompd_cl_name_t doubt_names[DOUBT_NAME_COUNT];
/* The kinds of what a program makes and releases: of ompd_cl_kind_t. */
extern const ompd_cl_name_t owned_kind_names[OWNED_KIND_COUNT];
extern const ompd_cl_name_t user_data_place_names[USER_DATA_PLACE_COUNT];

/* ---- state-names ----------------------------------------------------------------------------- */

/* States that rows of several kinds have, by name: lines for the tables of names of these kinds. */

/* clang-format off */
/* What a thread does. */
#define THREAD_STATES                                                                              \
    {ompd_cl_state_outside, "outside", "in no OpenCL call and no callback"},                       \
    {ompd_cl_state_in_call, "in-call", "in an OpenCL call that does not wait"},                    \
    {ompd_cl_state_waits_for_queue, "waits-for-queue", "in clFinish"},                             \
    {ompd_cl_state_waits_for_events, "waits-for-events", "in clWaitForEvents"},                    \
    {ompd_cl_state_waits_for_transfer, "waits-for-transfer",                                       \
     "in a blocking read, write, map, copy or free"},                                              \
    {ompd_cl_state_builds, "builds", "builds, compiles or links a program"},                       \
    {ompd_cl_state_runs_destructor, "runs-destructor", "in a destructor callback of the program"}, \
    {ompd_cl_state_runs_svm_free, "runs-svm-free", "in the function given to clEnqueueSVMFree"},   \
    {ompd_cl_state_runs_callback, "runs-callback", "in a callback of the program"},                \
    {ompd_cl_state_runs_event_callback, "runs-event-callback",                                     \
     "in the function given to clSetEventCallback"},                                               \
    {ompd_cl_state_runs_build_callback, "runs-build-callback",                                     \
     "in the function given to clBuildProgram or the like"}

/* How far an event has come that has not ended. */
#define EVENT_STATES                                                                               \
    {ompd_cl_state_unset, "unset", "a user event whose status nobody has set"},                    \
    {ompd_cl_state_enqueued, "enqueued", "is not known to have begun or ended"},                   \
    {ompd_cl_state_queued, "queued", "has not been submitted to its device"},                      \
    {ompd_cl_state_submitted, "submitted", "has been submitted to its device"},                    \
    {ompd_cl_state_running, "running", "its device runs it"}

#define STATE_BEING_ENQUEUED                                                                       \
    {ompd_cl_state_being_enqueued, "being-enqueued", "the call that enqueues it has not returned"}

/* Of a function of the program. */
#define STATE_LEFT                                                                                 \
    {ompd_cl_state_left, "left",                                                                   \
     "was called and left without returning: by longjmp, an exception or the end of its thread"}

/* How a command or event has ended. */
#define ENDED_STATES                                                                               \
    {ompd_cl_state_ended, "ended", "is over, with or without an error"},                           \
    {ompd_cl_state_done, "complete", "ended without an error"},                                    \
    {ompd_cl_state_failed, "failed", "ended with an error"}
/* clang-format on */

/* ---- call-names ------------------------------------------------------------------------------ */

/* What a thread is doing: the numbers of the registry, their names, and the states they mean. */

#define ONE_CALL(number, function) +1
enum { CALL_NAME_COUNT = OMPD_CL_CALLS(ONE_CALL) };
#undef ONE_CALL

/* The names of OpenCL's functions, their numbers rising: for the field table. */
extern const ompd_cl_name_t call_names[CALL_NAME_COUNT];

/* The name of a function of OpenCL, NULL for a number that this library does not know. */
const char *call_name(uint32_t number);

/* The table that has the record of the callback of the program that WHAT (struct
 * ompd_cl_registry_activity) is; 0: it is a call, or nothing that this library knows. */
uint32_t call_callback_table(uint32_t what);

/* Tell whether WHAT is a callback of the program, not a call. */
bool call_is_callback(uint32_t what);

/* The state of a thread whose innermost activity is WHAT; 0 for one that this library does not
 * know. */
uint32_t call_state(uint32_t what);

/* ---- enqueue-signature ----------------------------------------------------------------------- */

/* Which parameters of functions that enqueue a command are objects. */

/* Parameters by their numbers, from 0; 0: there is none.  The queue is the first. */
struct enqueue_signature {
    uint32_t call;
    uint16_t type; /* cl_command_type */
    uint8_t kernel;
    uint8_t memobj;
    uint8_t destination;
    uint8_t wait_list;
};

/* That of CALL; NULL: it enqueues none, or no command of which these are recorded. */
const struct enqueue_signature *enqueue_signature_find(uint64_t call);

#endif
