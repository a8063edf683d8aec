/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Subjects: OpenCL objects that the probe made, with all that is known of them, so that it can be
 * looked for in their memory.
 */
#ifndef OMPD_LEARN_SUBJECT_H
#define OMPD_LEARN_SUBJECT_H

#include <learn/block.h>

/* In the order of the text. */
enum subject_kind {
    subject_platform,
    subject_device,
    subject_context,
    subject_queue,
    subject_buffer,
    subject_image,
    subject_pipe,
    subject_event,
    subject_program,
    subject_kernel,
    subject_sampler,
    SUBJECT_KINDS
};

/* What is known of subjects: the layout's fields, in the order of the text. */
enum fact {
    fact_references,
    fact_unique,
    fact_device_count,
    fact_context,
    fact_device,
    fact_queue,
    fact_program,
    fact_properties,
    fact_type,
    fact_size,
    fact_flags,
    fact_host_pointer,
    fact_parent,
    fact_origin,
    fact_map_count,
    fact_mapped_pointer,
    fact_width,
    fact_height,
    fact_depth,
    fact_array_size,
    fact_row_pitch,
    fact_slice_pitch,
    fact_channel_order,
    fact_channel_type,
    fact_packet_size,
    fact_max_packets,
    fact_command_type,
    fact_status,
    fact_build_status,
    fact_svm_queue,
    fact_svm_pointer_count,
    fact_svm_pointers, /* a word that the array of pointers begins with */
    fact_svm_function,
    fact_svm_user_data,
    /* Of samplers, to tell them from others: no layout has these. */
    fact_normalized,
    fact_addressing,
    fact_filtering,
    FACTS
};

struct fact_info {
    const char *name;         /* NULL: the layout has no such field */
    uint8_t width;            /* bytes, as the API has it; 0: a word */
    bool is_handle;           /* the runtime may keep a pointer to another location in the object */
    bool is_followed;         /* the value is what the field's value points to */
    bool may_be_alike;        /* all subjects may have the same value, when it is an unusual one */
    bool is_fixed;            /* from the object's making to its end */
    bool is_in_callback_node; /* the runtime may keep it in a callback node of its own */
};

extern const struct fact_info fact_infos[FACTS];
extern const char *const subject_kind_names[SUBJECT_KINDS];

/* Lists, and the two values of an element; the first tells elements apart. */
enum subject_list {
    list_destructors,
    list_svm,
    list_events,
    list_devices,
    list_memobjs,
    list_wait_list,
    SUBJECT_LISTS
};

struct list_info {
    const char *name;
    const char *elements[2]; /* second NULL: there is one only */
    uint8_t key;             /* which of them tells elements apart */
    bool is_handle;
    bool is_fixed; /* from the object's making to its end */
};

extern const struct list_info list_infos[SUBJECT_LISTS];

#define LIST_ELEMENTS 40

struct truth_list {
    bool is_known;
    unsigned count;
    uintptr_t elements[LIST_ELEMENTS][2]; /* oldest first */
};

/* Bytes that may belong to an object: within its block, or close to it where there is none. */
struct extent {
    int32_t lowest; /* from the handle */
    int32_t highest;
    bool is_block;
};

struct subject {
    enum subject_kind kind;
    uintptr_t handle;
    struct extent extent;
    unsigned owned; /* references that the probe owns */
    uint64_t known; /* bits 1 << fact */
    uint64_t values[FACTS];
    struct truth_list lists[SUBJECT_LISTS];
};

#define POPULATION_SUBJECTS 256

struct population {
    unsigned count;
    struct subject subjects[POPULATION_SUBJECTS]; /* in the order in which they were made */
};

/* Add an object; NULL handles are not added, and give NULL. */
struct subject *population_add(struct population *population, enum subject_kind kind,
                               const void *handle);

/* The subject with HANDLE; NULL: none. */
struct subject *population_find(struct population *population, const void *handle);

/* Read the unsigned number of WIDTH bytes at OFFSET of SUBJECT. */
bool subject_number(const struct subject *subject, int32_t offset, unsigned width,
                    uint64_t *number);

/* Keep that FACT of SUBJECT, which may be NULL, is VALUE. */
void subject_set(struct subject *subject, enum fact fact, uint64_t value);

bool subject_knows(const struct subject *subject, enum fact fact);

/* Whether the runtime has freed SUBJECT, and nothing else has come to lie there. */
bool subject_is_gone(const struct subject *subject);

/* Begin a list of SUBJECT's that is known to be empty, and add its next element. */
void subject_list_begin(struct subject *subject, enum subject_list list);
void subject_list_add(struct subject *subject, enum subject_list list, uintptr_t first,
                      uintptr_t second);

#endif
