/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The public functions, and OMPD's. */
#ifndef LIBOMPD_API_H
#define LIBOMPD_API_H

#include "answers/answers.h"

#include <ompd-opencl.h>

/* ---- commands -------------------------------------------------------------------------------- */

/* Commands of queues, devices, what is gone and what has failed, the ledger and calls: what newer
 * recorders alone know. */

/* Open a list of all commands: see ompd_cl_list_open. */
ompd_rc_t command_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                            ompd_cl_list_t *list);

/* Open a list of the commands of the queue with the id QUEUE. */
ompd_rc_t command_list_open_of_queue(struct address_space *space, uint64_t queue,
                                     ompd_cl_list_t *list);

/* Open a list of all devices. */
ompd_rc_t device_list_open(struct address_space *space, ompd_cl_list_t *list);

/* Open a list of all objects that are gone. */
ompd_rc_t gone_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                         ompd_cl_list_t *list);

/* Open a list of all errors. */
ompd_rc_t error_list_open(struct address_space *space, ompd_cl_list_t *list);

/* Open a list of all entries of the ledger. */
ompd_rc_t ledger_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                           ompd_cl_list_t *list);

/* Open a list of all callbacks of events and builds. */
ompd_rc_t callback_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                             ompd_cl_list_t *list);

/* Open a list of all calls that have returned and are kept. */
ompd_rc_t call_list_open(struct address_space *space, ompd_cl_list_t *list);

/* ---- runtimes -------------------------------------------------------------------------------- */

/* The OpenCL runtimes of the target. */

/* Open the list of runtimes: see ompd_cl_list_open. */
ompd_rc_t runtime_list_open(struct address_space *space, ompd_cl_list_t *id);

/* ---- usage ----------------------------------------------------------------------------------- */

/* What the threads counted. */

/* Open the list of usage, a row a kind: see ompd_cl_list_open. */
ompd_rc_t usage_list_open(struct address_space *space, ompd_cl_list_t *id);

/* ---- counters -------------------------------------------------------------------------------- */

/* The one table of ICVs: what OMPD's tools know as internal control variables are OpenCL's counters
 * here. */

struct counter_value {
    int64_t number;
    bool is_bound;   /* at most so many */
    bool is_unknown; /* the number is then -1 */
};

/* What is asked: of a process or a device whose registry is open, or of a thread. */
struct counter_question {
    struct resolved_handle resolved;
    struct thread_head head; /* of a thread */
};

struct counter {
    const char *name;
    ompd_scope_t scope;
    bool is_of_devices; /* also asked of the address space of a device */
    bool is_peak;       /* usage: the most there was */
    uint16_t which;     /* of what `read` reads */
    ompd_rc_t (*read)(const struct counter_question *question, const struct counter *counter,
                      struct counter_value *value);
    void (*write)(const struct counter *counter, int64_t number, struct message *text);
    const char *one;  /* unit of a value of 1, */
    const char *many; /* and of others */
};

/* The ICV with ID, from 1 on; NULL when there is none. */
const struct counter *counter_find(ompd_icv_id_t id);

/* ---- ompd-display ---------------------------------------------------------------------------- */

/* The vectors of display control variables that a tool has not released. */

/* Forget those of SPACE, whose memory is given back with all of its own. */
void display_forget(struct address_space *space);

/* ---- ompd-thread ----------------------------------------------------------------------------- */

/* Calls on the handle of a thread. */

/* Begin a call on the thread of HANDLE: find what it stands for, and read its record's HEAD.
 * Returns ompd_rc_ok, ompd_rc_bad_input, ompd_rc_stale_handle, ompd_rc_incompatible_handle, or as
 * uncached_open. */
ompd_rc_t thread_enter(const void *handle, struct resolved_handle *resolved,
                       struct thread_head *head);

/* ---- tool-integer ---------------------------------------------------------------------------- */

/* Unsigned integers of the tool's, in its byte order: ids of threads and devices. */

/* The integer of SIZE bytes at BYTES; 0 when SIZE is neither 4 nor 8. */
uint64_t tool_integer_read(const void *bytes, ompd_size_t size);

/* Write VALUE into the SIZE bytes, 4 or 8, at BYTES. */
void tool_integer_write(void *bytes, ompd_size_t size, uint64_t value);

#endif
