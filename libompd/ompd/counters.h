/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The one table of ICVs: what OMPD's tools know as internal control variables are OpenCL's counters
 * here. */
#ifndef LIBOMPD_COUNTERS_H
#define LIBOMPD_COUNTERS_H

#include "base/message.h"
#include "session/address-space-table.h"
#include "session/thread-record.h"

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

#endif
