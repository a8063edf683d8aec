/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layout of the registry's records in this version of the recorder. Readers do not use these
 * structs: the root has the offset of each field. */
#ifndef RECORDER_RECORDS_H
#define RECORDER_RECORDS_H

#include <ompd-opencl-registry.h>

/* The members of every OpenCL object; the first member of its record. */
struct ompd_cl_registry_object {
    uint64_t change;
    uint64_t handle;
    uint64_t serial;
    /* One aligned word, changed at once: a reader never sees a state with another state's
     * references. */
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
    /* The recorder's own: the thread that released the last reference, 0 for none yet, and its call
     * site. */
    uint32_t released_lwp;
    uint32_t released_stack;
    uint64_t released_caller;
};

/* A count of children, in a cache line of its own. */
struct ompd_cl_registry_shard {
    uint32_t children;
    uint32_t reserved[15];
};

/* The arguments of a kernel. */
struct ompd_cl_registry_arguments {
    uint32_t count;
    uint32_t more; /* block with the arguments that follow, index plus 1 */
    uint32_t forms[OMPD_CL_REGISTRY_ARGUMENTS];
    uint64_t values[OMPD_CL_REGISTRY_ARGUMENTS];
};

/* The operands of a command, and of a mapping. */
struct ompd_cl_registry_operands {
    uint64_t kinds;
    uint64_t words[OMPD_CL_REGISTRY_OPERAND_WORDS];
};

/* The commands that use an object and may not be complete. */
struct ompd_cl_registry_operations {
    uint32_t first; /* link, index plus 1 */
    uint32_t count;
    uint32_t lost;  /* commands without a link */
    uint32_t limit; /* the recorder's own: complete ones are removed when there are more */
};

/* An object that a buffered command retains, or one of its queues or kernels: reference and
 * generation of its record; 0: none. */
struct ompd_cl_registry_retained {
    uint32_t reference;
    uint32_t generation;
};

/* A text that may be longer than its record has room for. */
struct ompd_cl_registry_text {
    uint32_t place; /* its first block, index plus 1; 0: the record has the full text, or no block
                     * could be allocated */
    uint32_t size;  /* bytes of the full text, without a NUL; at most UINT32_MAX */
};

/* clang-format off */
#define RECORD_BEGIN(table) struct ompd_cl_registry_##table##_record {
#define MEMBER(table, type, field) type field;
#define ARRAY(table, type, field, count) type field[count];
#define TAIL(table, type, field) type field[];
#define OWN(table, type, member) type member;
#define OWN_ARRAY(table, type, member, count) type member[count];
#define RECORD_END(table) };
#include <schema/registry.def>
/* clang-format on */

/*
 * A ring has a fixed number of records, and a new one overwrites the oldest. A record is free while
 * it is written, and `change` has the writer, so a record that is not free is complete. The upper
 * half of `change` is the record's number, from 1, modulo 2^32.
 */
struct ompd_cl_registry_ring_record {
    uint64_t change;
    uint64_t handle;
    uint64_t order; /* the record's `serial` or `moment` */
    uint8_t state;  /* free or live */
};

#endif
