/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is about to be freed, as it was found at one stop: see rows/svm-pending.h. */
#ifndef LIBOMPD_PENDING_FREES_H
#define LIBOMPD_PENDING_FREES_H

#include "runtime/runtime.h"

/* More pointers that SVM-free commands are to free are not kept, nor more queues that have such
 * commands. */
#define SVM_PENDING_LIMIT 256
#define SVM_QUEUE_LIMIT 64

/* More SVM-free commands that have begun are not kept: each of them has a thread. */
#define SVM_BEGUN_LIMIT 64

struct svm_queue {
    uint64_t handle;
    uint32_t runtime; /* index */
    uint32_t count;   /* of its commands */
    bool is_presumed; /* some of them may be gone */
};

/* What the SVM-free commands that are still to be done say. */
struct svm_pending {
    uint64_t stop; /* the target's that it is of */
    uint32_t count;
    ompd_rc_t rest;   /* ompd_rc_ok: there are no others; else why nobody knows, */
    uint16_t failure; /* ompd_cl_status_t, when they may be where memory could not be read */
    uint64_t pointers[SVM_PENDING_LIMIT];
    uint16_t unread[RUNTIME_LIMIT]; /* why an event of a runtime could not be read; 0: all were */
    bool has_more_queues;
    uint32_t queue_count;
    struct svm_queue queues[SVM_QUEUE_LIMIT];
};

/* The same of the recorder's commands, by queue alone. */
struct svm_recorded {
    uint64_t stop;    /* the target's that it is of, */
    uint32_t sources; /* and the sources that it was asked of */
    ompd_rc_t rc;     /* ompd_rc_ok: all were read */
    uint16_t failure; /* ompd_cl_status_t: why some were not */
    bool has_gaps;    /* memory that could not be searched may tell which presumed ones are gone */
    bool has_more_queues;
    uint32_t queue_count;
    struct svm_queue queues[SVM_QUEUE_LIMIT]; /* their `runtime` is not used */
};

/* An SVM-free command that has begun, or failed, as its own record tells. */
struct svm_begun_command {
    uint64_t queue;  /* cl handle */
    uint32_t number; /* place in it */
    uint32_t index;  /* of its record, */
    uint64_t run;    /* and the word there */
    uint8_t state;   /* ompd_cl_state_t: running, left or failed */
};

struct svm_begun {
    uint64_t stop; /* the target's that it is of */
    ompd_rc_t rc;  /* ompd_rc_ok: all were read, and are here */
    uint32_t count;
    struct svm_begun_command commands[SVM_BEGUN_LIMIT];
};

#endif
