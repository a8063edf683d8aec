/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The registry: what the recorder writes in the target and libompd reads.
 *
 * Only recorder/ and libompd/ use this header.  Everything here is in the target's memory, in the
 * target's byte order and alignment.  Addresses are 64 bits wide, whatever the target's pointers
 * are.  The recorder writes these structs.  A reader never overlays them on target memory: the root
 * has the offset of each field, so that a field may move in a newer minor version.  Tables, fields
 * and records are listed in schema/registry.def; only the recorder knows the layout of a record.
 *
 * Shape.  One root, found by the exported symbol `ompd_opencl_registry`, describes tables.  A table
 * is a directory of chunks; a chunk is an array of records of one size.  Chunks are never freed and
 * never move.  The index of a record names it: chunk `index / records_per_chunk`, position
 * `index % records_per_chunk`.
 *
 * Consistency.  The reader reads a stopped target, and the stop may be between any two stores of
 * any thread.  So:
 *   - a record whose `state` is `free` does not exist: a new record is filled first and gets its
 *     state last; a record that ends gets `free` first;
 *   - a thread that changes more than one word of an existing record puts its LWP in the `change`
 *     word for that time, and the reader shows the record as being changed by that thread;
 *   - a single aligned word (`references`, `run`) may change at any time: both its old and its new
 *     value are right.
 */
#ifndef OMPD_OPENCL_REGISTRY_H
#define OMPD_OPENCL_REGISTRY_H

#include <stddef.h>
#include <stdint.h>

/* A reader refuses a newer major version and reads a newer minor one. */
#define OMPD_CL_REGISTRY_MAJOR 1
#define OMPD_CL_REGISTRY_MINOR 17

#define OMPD_CL_REGISTRY_SYMBOL "ompd_opencl_registry"
#define OMPD_CL_REGISTRY_MAGIC "OMPD-CL" /* eight bytes with its NUL, written last of the root */
#define OMPD_CL_REGISTRY_BYTE_ORDER UINT32_C(0x01020304)

/* Limits of every registry of this major version; anything beyond them is corrupt. */
/* At most 2^24 records in a table; a slot whose generation is used up is never reused. */
#define OMPD_CL_REGISTRY_INDEX_BITS 24
#define OMPD_CL_REGISTRY_GENERATION_BITS 28
#define OMPD_CL_REGISTRY_MAX_RECORD_SIZE 4096
#define OMPD_CL_REGISTRY_MAX_STACK_DEPTH 128
#define OMPD_CL_REGISTRY_TEXT_SIZE 120
/* Bytes of a text in one block, and the most bytes of a text that are stored. */
#define OMPD_CL_REGISTRY_TEXT_BLOCK_SIZE 232
#define OMPD_CL_REGISTRY_TEXT_LIMIT (UINT32_C(1) << 20)
#define OMPD_CL_REGISTRY_MAX_ACTIVITY_COUNT (UINT32_C(1) << 20)

/* Tables. */
enum ompd_cl_registry_table_id {
#define REGISTRY_TABLE(number, table) ompd_cl_registry_##table = number,
#include "../schema/registry.def"
};
#define OMPD_CL_REGISTRY_TABLE_COUNT 29

/* A reference to a record of any table: table id << 24 | index. 0 is no record. */
#define OMPD_CL_REGISTRY_REFERENCE(table, index)                                                   \
    ((uint32_t)(table) << OMPD_CL_REGISTRY_INDEX_BITS | (uint32_t)(index))
#define OMPD_CL_REGISTRY_REFERENCE_TABLE(reference) ((reference) >> OMPD_CL_REGISTRY_INDEX_BITS)
#define OMPD_CL_REGISTRY_REFERENCE_INDEX(reference)                                                \
    ((reference) & ((UINT32_C(1) << OMPD_CL_REGISTRY_INDEX_BITS) - 1))

/* The `change` word: completed changes << 32 | LWP of the thread that is changing the record, 0 for
 * none. */
#define OMPD_CL_REGISTRY_CHANGE_LWP(change) ((uint32_t)(change))

/* The `run` word of a callback, an SVM-free command, an event or a program: the state, and << 32
 * the LWP that runs or ran it, set the user event, or began the last build. It is one word, so that
 * a state is never seen with another state's thread. */
#define OMPD_CL_REGISTRY_RUN(lwp, state) ((uint64_t)(lwp) << 32 | (uint64_t)(state))
#define OMPD_CL_REGISTRY_RUN_LWP(run) ((uint32_t)((run) >> 32))
#define OMPD_CL_REGISTRY_RUN_STATE(run) ((uint32_t)(run)&0xff)

/* `state` of a record, and the state in a `run` word. */
enum ompd_cl_registry_state {
    ompd_cl_registry_free = 0,         /* no record here */
    ompd_cl_registry_live = 1,         /* the program holds references; of SVM: allocated */
    ompd_cl_registry_app_released = 2, /* the program has no references, but something keeps it */
    ompd_cl_registry_destroying = 3,   /* its destructor callbacks have begun to run */
    ompd_cl_registry_registered = 4,   /* callback: it will run */
    ompd_cl_registry_enqueued = 5, /* SVM-free command: enqueued; SVM: such a command names it */
    ompd_cl_registry_running = 6,  /* callback, SVM-free command: its function is running */
    ompd_cl_registry_done = 7,     /* callback: has returned; command: has completed */
    ompd_cl_registry_failed = 8,   /* command, event, build: ended with an error */
    /* Of events, in `run`; since version 1.3. An event is enqueued until it is known to be done or
     * failed; 0 is for an event whose command the recorder does not see. */
    ompd_cl_registry_unset = 9,          /* user event: its status was never set */
    ompd_cl_registry_being_enqueued = 10 /* command: the call that enqueues it has not returned */
};

/* Bits of `evidence`: why an object without references is still believed to exist. */
/* The runtime's own count exceeded the program's; of SVM: a command that frees it may be complete.
 */
#define OMPD_CL_REGISTRY_HELD_BY_RUNTIME 1u
/* A thread that did not survive a fork() was changing the record: its fields may be mixed. */
#define OMPD_CL_REGISTRY_TORN_BY_FORK 2u
/* It had children at that time; since version 1.2. */
#define OMPD_CL_REGISTRY_HELD_BY_CHILDREN 4u
/* The runtime has returned its handle again after the last release; since version 1.17. */
#define OMPD_CL_REGISTRY_HANDED_OUT 8u

/* `phase` of a command buffer: what the program may do with it. */
enum ompd_cl_registry_phase {
    ompd_cl_registry_recording = 1,
    ompd_cl_registry_executable = 2,
    ompd_cl_registry_finalized = 3 /* mutable: executable once all its arguments are set */
};

/* `sharing` of a memory object: the origin of its storage if that is not OpenCL. */
enum ompd_cl_registry_sharing {
    ompd_cl_registry_sharing_none = 0,
    ompd_cl_registry_sharing_gl = 1,
    ompd_cl_registry_sharing_egl = 2,
    ompd_cl_registry_sharing_va_api = 3,
    ompd_cl_registry_sharing_imported = 4, /* clImportMemoryARM and similar */
    ompd_cl_registry_sharing_external = 5  /* an external memory handle */
};

/* `acquisition` of a memory object: the last command that the runtime accepted and that acquires it
 * from the other API, or releases it to that API. 0: the object has no such commands. */
enum ompd_cl_registry_acquisition {
    ompd_cl_registry_never_acquired = 1,
    ompd_cl_registry_acquired = 2,
    ompd_cl_registry_handed_back = 3
};

/* `uses_any` of a kernel, a bit each: it may use any fine-grained memory of the system, or any USM
 * allocation of a type, whether or not a pointer to it was set. */
enum ompd_cl_registry_uses_any {
    ompd_cl_registry_uses_any_system = 1,
    ompd_cl_registry_uses_any_usm_host = 2,
    ompd_cl_registry_uses_any_usm_device = 4,
    ompd_cl_registry_uses_any_usm_shared = 8
};

/* `rule` of a mistake. */
enum ompd_cl_registry_rule {
#define RULE(number, name, level, needs, word, meaning, clause, sentence)                          \
    ompd_cl_registry_rule_##name = (number),
#include "../schema/rules.def"
};
/* Mistakes against the rule callback_twice at the same places are counted up to this number at
 * least. */
#define OMPD_CL_REGISTRY_TWICE_COUNTED 16

/* `type` of an SVM allocation: the function that made it. */
enum ompd_cl_registry_svm_type {
    ompd_cl_registry_svm_alloc = 1,
    ompd_cl_registry_svm_alloc_arm = 2,
    ompd_cl_registry_usm_host = 3,
    ompd_cl_registry_usm_device = 4,
    ompd_cl_registry_usm_shared = 5
};

/*
 * The `what` of an activity of a thread: a call, numbered as in schema/calls.def, or one of the
 * callbacks below. `waits` is added for a build, and for a call that returns only when the device
 * has done something (clFinish, clWaitForEvents, a blocking transfer).
 */
enum ompd_cl_registry_callback_kind {
    ompd_cl_registry_runs_destructor = 0x8000, /* of a memory object, OpenCL context or program */
    ompd_cl_registry_runs_svm_free = 0x8001,   /* the function given to clEnqueueSVMFree */
    /* Since version 1.6: */
    ompd_cl_registry_runs_event_callback = 0x8002,
    ompd_cl_registry_runs_build_callback = 0x8003
};
#define OMPD_CL_REGISTRY_ACTIVITY_WAITS 0x10000u
#define OMPD_CL_REGISTRY_ACTIVITY_WHAT(what) ((what)&0xffffu)

/* The activities that fit in a thread's record; deeper ones are counted but not stored. */
#define OMPD_CL_REGISTRY_ACTIVITY_LIMIT 8

/* What `usage` counts: objects of the tables 1 to 10 at the table's number minus 1, then bytes. */
#define OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES 10 /* not of sub-buffers, images made of buffers */
#define OMPD_CL_REGISTRY_USAGE_SVM_BYTES 11
#define OMPD_CL_REGISTRY_USAGE_COUNT 12

/* `ending` of a destroyed object: how the recorder learned of its end. */
enum ompd_cl_registry_ending {
    /* The program has released its last reference, or freed it, and nothing was known to keep it.
     */
    ompd_cl_registry_ending_released = 1,
    ompd_cl_registry_ending_callbacks = 2, /* its last destructor callback has returned */
    ompd_cl_registry_ending_later = 3,     /* what kept it has ended */
    ompd_cl_registry_ending_reused = 4     /* its handle was reused */
};

/* `action` of an entry of the ledger: what happened to the references of its object. */
enum ompd_cl_registry_action {
    ompd_cl_registry_action_created = 1,
    ompd_cl_registry_action_retained = 2,
    ompd_cl_registry_action_released = 3,
    ompd_cl_registry_action_refused = 4, /* the runtime refused a release, which does not count */
    ompd_cl_registry_action_over_released = 5, /* released although no references were left */
    ompd_cl_registry_action_ended = 6          /* it has ended, as `ending` says */
};

/* The position of a field in a record. */
struct ompd_cl_registry_field {
    uint16_t id;     /* enum ompd_cl_registry_field_id */
    uint16_t offset; /* bytes from the record's start */
    uint16_t size;   /* 1, 2, 4 or 8 bytes; of a text or array, its whole size */
    uint16_t reserved;
};

/* Fields. */
enum ompd_cl_registry_field_id {
#define REGISTRY_FIELD(number, field) ompd_cl_registry_field_##field = number,
#include "../schema/registry.def"
};
#define OMPD_CL_REGISTRY_FIELD_LIMIT 227
/* Where user data was at registration: on that stack, within brk(2), mapped (since 1.10). */
enum ompd_cl_registry_place {
    ompd_cl_registry_on_stack = 1,
    ompd_cl_registry_in_data = 2,
    ompd_cl_registry_in_mapping = 3
};

/*
 * One chunk in a table's directory, on its own cache line. A chunk belongs to one thread, which
 * counts with plain stores in the `local` words; every other thread counts with atomic additions in
 * the `remote` ones. Live records = local_live + remote_live, modulo 2^32. Any change of a record
 * changes local_changes + remote_changes. A stop may be between a record's state and its count, and
 * the reader skips a chunk without live records. So the count is raised before a record gets its
 * state, and lowered after the record has become free; `used` is raised before the record is
 * filled. A few changes leave no trace here: children of OpenCL contexts, activities and usage of
 * threads, destroyed objects, and counts of stacks and queues.
 */
struct ompd_cl_registry_chunk {
    uint64_t address; /* of the first record */
    uint32_t used;    /* records [0, used) were used at least once */
    uint32_t local_live;
    uint32_t remote_live;
    uint32_t local_changes;
    uint32_t remote_changes;
    uint32_t reserved[9]; /* the recorder's own */
};

struct ompd_cl_registry_table {
    uint32_t id;
    uint32_t record_size; /* bytes */
    uint32_t records_per_chunk;
    uint32_t chunk_count; /* chunks in use; only grows */
    uint64_t directory;   /* address of struct ompd_cl_registry_chunk [chunk_count] */
    uint32_t directory_entry_size;
    uint16_t first_field; /* in the root's `fields` */
    uint16_t field_count;
};

/*
 * The hash finds a record by cl handle, and an SVM allocation by its pointer. A bucket is one word:
 * reference of the first record << 32 | version. A bucket with an odd version is being changed, and
 * the whole array may be replaced (`OMPD_CL_REGISTRY_BUCKET_MOVED`): in both cases the reader
 * searches the tables instead. Records are chained by `hash_next`. Several records of one bucket
 * may have the same handle value, such as an SVM pointer and a cl handle: compare the table too.
 */
#define OMPD_CL_REGISTRY_BUCKET_HEAD(bucket) ((uint32_t)((bucket) >> 32))
#define OMPD_CL_REGISTRY_BUCKET_BUSY(bucket) ((bucket)&1)
#define OMPD_CL_REGISTRY_BUCKET_MOVED UINT64_C(0xffffffff)

/* The bucket of HANDLE among COUNT buckets, a power of two. Part of the format. Neighbours in the
 * heap get neighbouring buckets, so that a small program uses few pages. */
static inline uint64_t ompd_cl_registry_bucket(uint64_t handle, uint64_t count)
{
    return ((handle >> 6) ^ (handle >> 21) ^ (handle >> 37)) & (count - 1);
}

/* Actions of the program that the recorder counts but does not record. */
struct ompd_cl_registry_counts {
    uint64_t over_releases;      /* releases of an object with no references left */
    uint64_t unknown_handles;    /* retains, releases and registrations on a handle never seen */
    uint64_t not_recorded;       /* objects for which there was no slot */
    uint64_t last_over_released; /* cl handle */
    uint64_t loaders_refused;    /* OpenCL loaders beyond the recorder's limit */
};

/* The switches of the recorder. */
#define OMPD_CL_REGISTRY_TRACK_COMPLETION 1u
#define OMPD_CL_REGISTRY_KEEPS_COMMANDS 2u /* since version 1.3 */
#define OMPD_CL_REGISTRY_KEEPS_CALLS 4u    /* since version 1.5, as is the next: */
#define OMPD_CL_REGISTRY_THOROUGH 8u       /* since version 1.17 */
/* There is a ledger of the objects of TABLE, at most that of events. */
#define OMPD_CL_REGISTRY_KEEPS_LEDGER(table) (UINT32_C(1) << (8 + (table)))

/* The root: one page, zero until the layer is initialised. */
struct ompd_cl_registry_root {
    char magic[8];
    uint32_t byte_order; /* OMPD_CL_REGISTRY_BYTE_ORDER as the target stores it */
    uint16_t major;
    uint16_t minor;
    uint32_t root_size;    /* bytes of this struct */
    uint32_t pointer_size; /* bytes */
    uint32_t pid;
    uint32_t switches;
    uint32_t stack_depth; /* frames recorded per call stack, at least 1 */
    uint32_t table_count;
    uint64_t serial;       /* the last serial that was used */
    uint64_t buckets;      /* address of the bucket array */
    uint64_t bucket_count; /* a power of two; 0: no array now, search the tables */
    struct ompd_cl_registry_counts counts;
    uint32_t field_count;
    uint32_t loader_count; /* OpenCL loaders that have initialised the layer */
    struct ompd_cl_registry_table tables[16];
    struct ompd_cl_registry_field fields[320];
    /* Since version 1.4: the tables after the first 16, which older readers know. Their
     * `first_field` is in `fields` and then continues in `more_fields`. */
    uint32_t more_table_count;
    uint32_t more_field_count;
    struct ompd_cl_registry_table more_tables[4];
    struct ompd_cl_registry_field more_fields[80];
    /* Since version 1.6: the tables after those, whose fields are also in `more_fields`; and a
     * number that is chosen when the layer is initialised, and again by the child of a fork, so
     * that two processes with one pid have different numbers. Not 0. */
    uint32_t last_table_count;
    uint32_t forked_from; /* since version 1.7: pid of the process that forked this one, if that had
                           * used OpenCL; 0: none */
    struct ompd_cl_registry_table last_tables[3];
    uint64_t identity;
    /* Since version 1.17: the tables after those, and the fields that do not fit in
     * `more_fields`. */
    uint32_t newer_table_count;
    uint32_t newer_field_count;
    struct ompd_cl_registry_table newer_tables[12];
    struct ompd_cl_registry_field newer_fields[320];
};

/* Bytes of the root before versions 1.4, 1.6 and 1.17. */
#define OMPD_CL_REGISTRY_ROOT_SIZE_1_0 offsetof(struct ompd_cl_registry_root, more_table_count)
#define OMPD_CL_REGISTRY_ROOT_SIZE_1_4 offsetof(struct ompd_cl_registry_root, last_table_count)
#define OMPD_CL_REGISTRY_ROOT_SIZE_1_6 offsetof(struct ompd_cl_registry_root, newer_table_count)

/* A call or callback that a thread is in. It is filled first, then `activity_count` grows, so the
 * activities below the count are complete. Only the thread itself writes it. ¶ A function that is
 * left by longjmp(), an exception or the end of its thread does not report that. Since version 1.13
 * a reader can tell. The activity is over if the frame's second word has changed, or if the
 * thread's stack pointer is in the same stack above the frame. A callback's `run` says running only
 * while the activity of its call is recorded: else its function was left. */
struct ompd_cl_registry_activity {
    uint32_t what;
    uint32_t reference; /* callback: the record of the callback or SVM-free command; since version
                         * 1.7, clWaitForEvents: the number of events in its list; else 0 */
    uint64_t handle;    /* the cl handle that it uses or waits for, 0 for none */
};

/* Objects or bytes that a thread created, less those that it destroyed: below 0 if it destroyed
 * more. The sum over all records, including those of ended threads, is the current amount. The sum
 * of the peaks is an upper bound of the true peak, and exact when there is one record. A call
 * counts after it has made or ended the record, so a stop in between shows the count before. */
struct ompd_cl_registry_usage {
    int64_t live;
    int64_t peak;
};

/* `error` of a release whose object had no references left. */
#define OMPD_CL_REGISTRY_OVER_RELEASE 1
/* Since version 1.7: of a clSVMFree whose allocation, in `handle`, was mapped. */
#define OMPD_CL_REGISTRY_FREED_MAPPED 2
/* It used an object that had no references left. For a call that enqueues a command `argument`
 * tells which: 0 for the queue, 1 or 2 for the argument with that index, from 0, and 3 for an event
 * of its wait list. */
#define OMPD_CL_REGISTRY_USED 3
/* It set a user event that had been set before, and the runtime accepted it or returned another
 * error. Since version 1.13 the `released_` fields of this, and of clSetUserEventStatus that was
 * refused with CL_INVALID_OPERATION, are of the call that had set it; else they are unset. */
#define OMPD_CL_REGISTRY_SET_AGAIN 4
/* Since version 1.13: it enqueued `kernel` with the memory object `handle`, of `size` bytes and
 * without references, as its argument `argument`. */
#define OMPD_CL_REGISTRY_ARGUMENT_RELEASED 5
/* Since version 1.13: not the call itself failed, but the command that it enqueued. That never
 * runs, because the user event `handle`, which it waits for, was set to an error by the thread of
 * the `released_` fields. */
#define OMPD_CL_REGISTRY_COMMAND_FAILED 6

/* `flags` of a destroyed event: a user event that was never set. */
#define OMPD_CL_REGISTRY_GONE_UNSET 1

/* `error` of a call that failed for an unknown reason, and of one that has no status. */
#define OMPD_CL_REGISTRY_STATUS_UNKNOWN 2
#define OMPD_CL_REGISTRY_STATUS_NONE 3

/* Operands of commands, as schema/operands.def says. `operand_kinds` of a command has a byte for
 * each of them, the first in the lowest; `operands` has their words in that order. */
enum ompd_cl_registry_operand {
#define OPERAND(number, operand) ompd_cl_registry_operand_##operand = number,
#include "../schema/operands.def"
};
#define OMPD_CL_REGISTRY_OPERANDS_OF_THREE 32 /* from this number on an operand has three words */
#define OMPD_CL_REGISTRY_OPERAND_WORDS 16

/* The arguments of a kernel that fit in its record, a command's, or a block. More are in a chain of
 * blocks. Those from OMPD_CL_REGISTRY_ARGUMENT_LIMIT on are counted but not stored. */
#define OMPD_CL_REGISTRY_ARGUMENTS 16
#define OMPD_CL_REGISTRY_ARGUMENT_LIMIT 4096
/* A form, of 32 bits: how the argument was set << 28 | its size in bytes, at most the limit below.
 */
#define OMPD_CL_REGISTRY_ARGUMENT(form, size) ((uint32_t)(form) << 28 | (uint32_t)(size))
#define OMPD_CL_REGISTRY_ARGUMENT_FORM(word) ((uint32_t)(word) >> 28)
#define OMPD_CL_REGISTRY_ARGUMENT_SIZE(word) ((uint32_t)(word)&OMPD_CL_REGISTRY_ARGUMENT_SIZE_LIMIT)
#define OMPD_CL_REGISTRY_ARGUMENT_SIZE_LIMIT UINT32_C(0xfffffff)

enum ompd_cl_registry_argument_form {
    ompd_cl_registry_argument_unset = 0, /* or it is being set */
    ompd_cl_registry_argument_value = 1, /* clSetKernelArg with a value: a cl handle or data */
    ompd_cl_registry_argument_none = 2,  /* and with NULL: local memory, or no memory object */
    ompd_cl_registry_argument_svm = 3,   /* clSetKernelArgSVMPointer and its like */
    ompd_cl_registry_argument_device = 4 /* clSetKernelArgDevicePointerEXT */
};

#endif
