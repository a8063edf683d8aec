/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The public functions, and those of OMPD. */
#ifndef LIBOMPD_API_H
#define LIBOMPD_API_H

#include "answers/answers.h"

#include <ompd-opencl.h>

/* ---- commands -------------------------------------------------------------------------------- */

/* Commands, devices, destroyed objects, errors, the ledger, calls, command buffers and semaphores:
 * what only newer recorders know. */

/* Open a list of all commands: see ompd_cl_list_open. */
ompd_rc_t command_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                            ompd_cl_list_t *list);

/* Open a list of the commands of the queue with the id QUEUE. */
ompd_rc_t command_list_open_of_queue(struct address_space *space, uint64_t queue,
                                     ompd_cl_list_t *list);

/* Open a list of the mappings that match FILTER, which may be NULL, and of those of the memory
 * object or SVM allocation OBJECT of KIND that were not unmapped. */
ompd_rc_t mapping_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                            ompd_cl_list_t *list);
ompd_rc_t mapping_list_open_of(struct address_space *space, uint32_t kind, uint64_t object,
                               ompd_cl_list_t *list);

/* Open a list of all devices. */
ompd_rc_t device_list_open(struct address_space *space, ompd_cl_list_t *list);

/* Open a list of all destroyed objects. */
ompd_rc_t gone_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                         ompd_cl_list_t *list);

/* Open a list of all errors. */
ompd_rc_t error_list_open(struct address_space *space, ompd_cl_list_t *list);

/* Open a list of all messages of runtimes. */
ompd_rc_t message_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                            ompd_cl_list_t *list);

/* Open a list of all entries of the ledger. */
ompd_rc_t ledger_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                           ompd_cl_list_t *list);

/* Open a list of all objects of KIND, command buffers or semaphores. */
ompd_rc_t buffer_list_open(struct address_space *space, uint32_t kind,
                           const ompd_cl_filter_t *filter, ompd_cl_list_t *list);

/* Open a list of all callbacks of events and builds. */
ompd_rc_t callback_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                             ompd_cl_list_t *list);

/* Open a list of all recorded calls that have returned. */
ompd_rc_t call_list_open(struct address_space *space, ompd_cl_list_t *list);

/* ---- runtimes -------------------------------------------------------------------------------- */

/* The OpenCL runtimes of the target. */

/* Open the list of runtimes: see ompd_cl_list_open. */
ompd_rc_t runtime_list_open(struct address_space *space, ompd_cl_list_t *id);

/* ---- usage ----------------------------------------------------------------------------------- */

/* The counts of the threads. */

/* Open the list of usage, one row a kind: see ompd_cl_list_open. */
ompd_rc_t usage_list_open(struct address_space *space, ompd_cl_list_t *id);

/* ---- counters -------------------------------------------------------------------------------- */

/* The table of ICVs. OMPD's internal control variables are OpenCL's counters here. */

struct counter_value {
    int64_t number;
    bool is_bound;   /* an upper bound */
    bool is_unknown; /* the number is then -1 */
};

/* The subject of a question: a process or a device whose registry is open, or a thread. */
struct counter_question {
    struct resolved_handle resolved;
    struct thread_head head; /* of a thread */
};

struct counter {
    const char *name;
    ompd_scope_t scope;
    bool is_of_devices; /* also asked of the address space of a device */
    bool is_peak;       /* usage: the maximum */
    uint16_t which;     /* for `read` */
    ompd_rc_t (*read)(const struct counter_question *question, const struct counter *counter,
                      struct counter_value *value);
    void (*write)(const struct counter *counter, int64_t number, struct message *text);
    const char *one;  /* unit of a value of 1, */
    const char *many; /* and of others */
};

/* The ICV with ID, from 1 on; NULL when there is none. */
const struct counter *counter_find(ompd_icv_id_t id);

/* ---- ompd-display ---------------------------------------------------------------------------- */

/* The display control variables that a tool has not released. */

/* Drop those of SPACE, whose memory is freed as a whole. */
void display_forget(struct address_space *space);

/* ---- ompd-thread ----------------------------------------------------------------------------- */

/* Calls on thread handles. */

/* Begin a call on the thread of HANDLE: resolve it, and read the HEAD of its record. Returns
 * ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle, ompd_rc_incompatible_handle, or as
 * uncached_open does. */
ompd_rc_t thread_enter(const void *handle, struct resolved_handle *resolved,
                       struct thread_head *head);

/* ---- tool-integer ---------------------------------------------------------------------------- */

/* Unsigned integers of the tool, in its byte order: ids of threads and devices. */

/* The integer of SIZE bytes at BYTES; 0 when SIZE is neither 4 nor 8. */
uint64_t tool_integer_read(const void *bytes, ompd_size_t size);

/* Write VALUE into the SIZE bytes, 4 or 8, at BYTES. */
void tool_integer_write(void *bytes, ompd_size_t size, uint64_t value);

#endif
