/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The registry's records as this version of the recorder lays them out.  Readers know none of these
 * structs: the root tells them where each field is. */
#ifndef RECORDER_RECORDS_H
#define RECORDER_RECORDS_H

#include <ompd-opencl-registry.h>

/* What every OpenCL object has; the first member of its record. */
struct ompd_cl_registry_object {
    uint64_t change;
    uint64_t handle;
    uint64_t serial;
    /* One aligned word, changed as one: a state is never seen with another state's references. */
    uint8_t state;
    uint8_t evidence;
    uint16_t reserved; /* the recorder's own */
    int32_t references;
    uint32_t generation;
    uint32_t children;
    uint32_t context;
    uint32_t context_generation;
    uint32_t parent;
    uint32_t parent_generation;
    uint32_t lwp;
    uint32_t stack;
    uint64_t caller;
    /* One aligned word, changed as one. */
    uint32_t callbacks;
    uint32_t callback_count;
    uint32_t hash_next;
    uint32_t type;
    /* The recorder's own: who gave the last reference back, 0 for nobody yet, and where. */
    uint32_t released_lwp;
    uint32_t released_stack;
    uint64_t released_caller;
};

struct ompd_cl_registry_context_record {
    struct ompd_cl_registry_object object; /* `children` is not used: */
    uint32_t platform;
    uint32_t device_count;
    uint32_t children_released;
    uint32_t held; /* the recorder's own, as are the next three */
    uint32_t held_links;
    uint32_t quiet;
    uint32_t counts_program_alone; /* held-list.c */
    uint32_t reserved[15];
    /* Children, one count a cache line, so that threads do not fight for one: the field `children`
     * is the first of them, and a reader adds `children_1` to `children_3`. */
    struct {
        uint32_t children;
        uint32_t reserved[15];
    } shards[4];
};

struct ompd_cl_registry_queue_record {
    struct ompd_cl_registry_object object;
    uint64_t device;
    uint64_t flags;
    uint32_t svm_frees;
    /* The recorder's own: number of its last command, and the moment from before which all are
     * complete; the numbers between them are fields. */
    uint32_t enqueued;
    uint32_t finished;
    uint32_t flushed;
    uint32_t quiet;
    uint32_t dropped;
    uint32_t reserved[4]; /* the recorder's own */
};

struct ompd_cl_registry_memobj_record {
    struct ompd_cl_registry_object object;
    uint64_t flags;
    uint64_t size;
    uint64_t host_pointer;
    uint64_t origin;
    uint64_t parent_handle;
    uint32_t svm;
    uint32_t svm_generation;
    uint32_t sharing;
    uint32_t sharing_name;
    uint32_t children_released;
    uint32_t moment; /* the recorder's own: when it was released */
    uint32_t map_count;
    uint32_t reserved;
};

struct ompd_cl_registry_event_record {
    struct ompd_cl_registry_object object;
    uint64_t queue_handle;
    uint64_t run;
    int32_t error;
    uint32_t number;
    uint32_t command;
    uint32_t reserved[5]; /* the recorder's own */
};

/* Texts are changed while `change` is held. */
struct ompd_cl_registry_program_record {
    struct ompd_cl_registry_object object;
    uint64_t run;
    int32_t error;
    uint32_t reserved;
    char options[OMPD_CL_REGISTRY_TEXT_SIZE];
    char log[OMPD_CL_REGISTRY_TEXT_SIZE];
};

/* The arguments of a kernel. */
struct ompd_cl_registry_arguments {
    uint32_t count;
    uint32_t more; /* block of those that follow, index plus 1 */
    uint32_t forms[OMPD_CL_REGISTRY_ARGUMENTS];
    uint64_t values[OMPD_CL_REGISTRY_ARGUMENTS];
};

/* Arguments that the record of a kernel or a command has no room for.  A block is zeroed before it
 * is linked, and stays until that record ends. */
struct ompd_cl_registry_argument_block_record {
    uint32_t next; /* index plus 1 */
    uint32_t first;
    uint8_t state; /* free or live */
    uint8_t reserved[3];
    uint32_t reserved_too; /* the recorder's own: links free slots */
    uint32_t forms[OMPD_CL_REGISTRY_ARGUMENTS];
    uint64_t values[OMPD_CL_REGISTRY_ARGUMENTS];
};

struct ompd_cl_registry_kernel_record {
    struct ompd_cl_registry_object object;
    char name[OMPD_CL_REGISTRY_TEXT_SIZE];
    struct ompd_cl_registry_arguments arguments;
};

struct ompd_cl_registry_sampler_record {
    struct ompd_cl_registry_object object;
    uint32_t normalized;
    uint32_t addressing;
    uint32_t filter;
    uint32_t reserved;
};

/* An SVM allocation: `references` is always 1, `type` an enum ompd_cl_registry_svm_type. */
struct ompd_cl_registry_svm_record {
    struct ompd_cl_registry_object object;
    uint64_t flags;
    uint64_t size;
    uint32_t alignment;
    uint32_t command; /* reference to the SVM-free command that names it, 0 for none */
    /* The recorder's own: how often it is mapped, and who mapped it last. */
    uint32_t maps;
    uint32_t map_lwp;
    uint32_t map_stack;
    uint32_t reserved;
    uint64_t map_caller;
};

/* A clEnqueueSVMFree command: `object.handle` is 0, `object.state` says only that the record is
 * there, its progress is in `run`. */
struct ompd_cl_registry_svm_free_record {
    struct ompd_cl_registry_object object;
    uint64_t run;
    uint64_t queue_handle;
    uint32_t queue;
    uint32_t queue_generation;
    uint64_t function;
    uint64_t user_data;
    uint64_t event;
    uint32_t pointers;
    uint32_t pointer_count;
    uint32_t wait_list;
    uint32_t wait_count;
    uint32_t number; /* 0 until it is enqueued */
    uint32_t user_data_place;
};

/* A command of a queue: `object.handle` is 0, `object.state` says only that the record is there,
 * its progress is in `run`, whose upper half is the recorder's own, and in the queue's `finished`.
 * The queue and the OpenCL context are not those of `object`: a command keeps neither alive.  Its
 * `released_` members are who has set the event that it failed by. */
struct ompd_cl_registry_command_record {
    struct ompd_cl_registry_object object;
    uint64_t run;
    uint64_t queue_handle;
    uint64_t event;
    uint64_t kernel;
    uint64_t memobj;
    uint64_t destination;
    uint64_t at; /* when the call began that enqueues it */
    uint32_t queue;
    uint32_t queue_generation;
    uint32_t context;
    uint32_t context_generation;
    uint32_t number; /* 0 until it is enqueued */
    int32_t error;
    uint32_t wait_list;
    uint32_t wait_count;
    uint32_t is_blocking;
    uint32_t reserved; /* the recorder's own, as is the call that enqueues it: */
    uint32_t what;
    uint32_t svm_free; /* likewise: reference to the record of one that frees SVM, 0 for none */
    uint32_t svm_free_generation;
    int32_t failed_status;
    uint64_t failed_event;
    struct ompd_cl_registry_arguments arguments;
};

/* A destructor callback.  Its state is that of `run`. */
struct ompd_cl_registry_callback_record {
    uint64_t run;
    uint64_t function;
    uint64_t user_data;
    uint64_t caller;
    uint32_t object;
    uint32_t object_generation;
    uint32_t next;
    uint32_t generation;
    uint32_t lwp;
    uint32_t stack;
    uint32_t user_data_place;
    uint32_t reserved;
};

/* A callback of an event or a build: `object.handle` is 0, `object.state` says only that the record
 * is there, its progress is in `run`, `object.type` is the execution status that an event's is
 * called at.  Its parent is its event, and keeps it: where that is gone it is never called.  A
 * build's has no parent. */
struct ompd_cl_registry_notification_record {
    struct ompd_cl_registry_object object;
    uint64_t run;
    uint64_t object_handle;
    uint64_t function;
    uint64_t user_data;
    uint32_t object_table;
    uint32_t user_data_place;
};

struct ompd_cl_registry_address_record {
    uint64_t handle;
    uint32_t next;
    uint8_t state; /* free or live */
    uint8_t from_svm_alloc;
    uint16_t reserved;
};

/* record_size follows the depth: sizeof(this) + 8 * depth. */
struct ompd_cl_registry_stack_record {
    uint64_t hash;
    uint32_t hash_next;
    uint16_t depth;
    uint8_t state;
    uint8_t reserved;
    uint64_t made;
    uint64_t frames[];
};

struct ompd_cl_registry_platform_record {
    uint64_t handle;
    uint32_t state;
    uint32_t reserved;
    char name[OMPD_CL_REGISTRY_TEXT_SIZE];
    char version[OMPD_CL_REGISTRY_TEXT_SIZE];
    char vendor[OMPD_CL_REGISTRY_TEXT_SIZE];
};

/* `platform` as of a context.  A record is never given back. */
struct ompd_cl_registry_device_record {
    uint64_t handle;
    uint32_t state;
    uint32_t platform;
    uint64_t flags; /* cl_device_type */
    char name[OMPD_CL_REGISTRY_TEXT_SIZE];
};

/*
 * A ring has records of the last ones of something; the oldest is taken for the next.  A record is
 * free while it is written, and `change` held: so what is not free is whole.  The upper half of
 * `change` is the record's number, from 1, modulo 2^32.
 */
struct ompd_cl_registry_ring_record {
    uint64_t change;
    uint64_t handle;
    uint64_t order; /* the record's `serial` or `moment` */
    uint8_t state;  /* free or live */
};

/* A call that has failed: one ring for the process.  `serial` is the last that had been given out
 * then; `error` 0 where the runtime did not tell it. */
struct ompd_cl_registry_error_record {
    uint64_t change;
    uint64_t handle; /* as of an activity */
    uint64_t serial;
    uint8_t state;
    uint8_t reserved[3];
    uint32_t what;
    uint64_t caller;
    uint64_t at; /* as `ended_at` */
    uint32_t lwp;
    uint32_t stack;
    int32_t error;         /* or one of the two above */
    uint32_t released_lwp; /* who gave the last reference back, mapped or set it, 0: not known */
    uint64_t released_caller;
    uint32_t released_stack;
    uint32_t argument; /* of a kernel that is enqueued with `handle`, of `size` bytes */
    uint64_t kernel;
    uint64_t size;
    int32_t failed_status; /* of a command that failed: what the event was set to */
    uint32_t reserved_too;
};

/* An object that is gone: each kind of object has a ring. */
struct ompd_cl_registry_gone_record {
    /* As struct ompd_cl_registry_ring_record: */
    uint64_t change;
    uint64_t handle;
    uint64_t serial; /* as the object had it */
    uint8_t state;   /* free or live */
    uint8_t ending;
    uint16_t reserved;
    uint32_t object; /* reference: what was its record, of which the table tells its kind */
    uint64_t ended;
    uint64_t ended_at;
    uint64_t caller;
    uint64_t released_caller;
    uint32_t lwp;
    uint32_t stack;
    uint32_t released_lwp;
    uint32_t released_stack;
    uint32_t ended_lwp;
    uint32_t type;
    uint64_t size;
    uint64_t flags;
    uint64_t host_pointer;
    uint64_t context_handle;
    uint64_t parent_handle; /* memory object's parent, kernel's program, event's queue */
    uint32_t map_count;     /* memory object's */
    uint32_t reserved_too;
};

/* An entry of the ledger: each kind of object has a ring.  `references` is the program's count
 * after it. */
struct ompd_cl_registry_ledger_record {
    /* As struct ompd_cl_registry_ring_record: */
    uint64_t change;
    uint64_t handle;
    uint64_t serial; /* as the object had it */
    uint8_t state;   /* free or live */
    uint8_t action;
    uint8_t ending;
    uint8_t reserved;
    uint32_t object; /* reference, of which the table tells the kind */
    uint64_t caller; /* 0: the thread did not do it by a call */
    uint64_t at;
    uint32_t lwp;
    uint32_t stack;
    int32_t references;
    uint32_t reserved_too;
};

/* A call that has returned: each thread has a ring, which it leaves to a later thread. */
struct ompd_cl_registry_call_record {
    /* As struct ompd_cl_registry_ring_record: */
    uint64_t change;
    uint64_t handle; /* as of an activity */
    uint64_t moment;
    uint8_t state; /* free or live */
    uint8_t reserved[3];
    uint32_t what;
    uint64_t caller;
    uint64_t at;
    uint32_t lwp;
    uint32_t stack;
    int32_t error; /* what it returned, or OMPD_CL_REGISTRY_STATUS_... */
    uint32_t reserved_too;
};

/* A thread that has entered OpenCL, or did: a record is never given back, but used for a later
 * thread, with the next generation; its usage goes on.  `state` is live or free.  What a lookup
 * needs comes first, in one cache line. */
struct ompd_cl_registry_thread_record {
    uint64_t serial; /* order of entering, in the order of creation of all objects */
    uint64_t pthread;
    uint32_t lwp;
    uint32_t generation;
    uint8_t state;
    uint8_t is_caller;
    uint16_t reserved;
    uint32_t activity_count;
    uint64_t stack_start;
    uint64_t stack_end;
    uint64_t reserved_too[2];
    struct ompd_cl_registry_activity activities[OMPD_CL_REGISTRY_ACTIVITY_LIMIT];
    /* Of clWaitForEvents alone: the program's array of cl_event, which is there while the call
     * lasts. */
    uint64_t lists[OMPD_CL_REGISTRY_ACTIVITY_LIMIT];
    uint64_t times[OMPD_CL_REGISTRY_ACTIVITY_LIMIT];
    uint64_t frames_in[OMPD_CL_REGISTRY_ACTIVITY_LIMIT];
    uint64_t returns_to[OMPD_CL_REGISTRY_ACTIVITY_LIMIT];
    struct ompd_cl_registry_usage usage[OMPD_CL_REGISTRY_USAGE_COUNT];
};

#endif
