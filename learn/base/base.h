/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What all of the probe uses: its own memory and what is known of it, the objects that it made, and
 * how it talks to the command. */
#ifndef OMPD_LEARN_BASE_H
#define OMPD_LEARN_BASE_H

#include <CL/cl_icd.h>
#include <libompd/sources/layout/layout.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- block ----------------------------------------------------------------------------------- */

/* The probe's heap. Every block that the runtime allocates has a header with its bounds, so that
 * what is learned of an object never comes from its neighbour. New blocks are filled with a byte,
 * so that what the runtime does not write cannot look like a value. There are two such bytes, for
 * populations that are compared: what is never written differs between them. */

enum block_fill { block_fill_first = 0xa5, block_fill_second = 0x5a };

struct malloc_block {
    uintptr_t start;
    size_t size;
    bool is_freed; /* while freed blocks are kept */
};

/* Whether blocks can be found: not in AddressSanitizer's heap. */
bool block_has_bounds(void);

/* Find the block that has ADDRESS; false: none of at most 64 KiB does. */
bool block_find(uintptr_t address, struct malloc_block *block);

/* From now on fill fresh blocks with FILL; with the first one before. */
void block_set_fill(enum block_fill fill);

/* From now on keep the contents of freed blocks, as some allocators do, or release them again. */
void block_keep_freed(bool keeps);

/* ---- subject --------------------------------------------------------------------------------- */

/*
 * Subjects: OpenCL objects that the probe made, with all that is known of them, so that it can be
 * looked for in their memory.
 */

enum subject_kind {
#define LAYOUT_KIND(kind, ...) subject_##kind,
#include <schema/layout.def>
    SUBJECT_KINDS
};

/* What is known of subjects: the fields that layouts have. */
enum fact {
#define LAYOUT_FIELD(field, ...) fact_##field,
#include <schema/layout.def>
    /* Of samplers, to tell them from others: no layout has these. */
    fact_normalized,
    fact_addressing,
    fact_filtering,
    FACTS
};

struct fact_info {
    uint8_t width;            /* bytes, as the API has it; 0: a word */
    bool is_handle;           /* the runtime may keep a pointer to another location in the object */
    bool is_followed;         /* the value is what the field's value points to: of an array its
                               * first word */
    bool may_be_alike;        /* all subjects may have the same value, when it is an unusual one */
    bool is_fixed;            /* from the object's making to its end */
    bool is_in_callback_node; /* the runtime may keep it in a callback node of its own */
};

extern const struct fact_info fact_infos[FACTS];
extern const char *const fact_names[FACTS]; /* NULL: layouts have no such field */
extern const char *const subject_kind_names[SUBJECT_KINDS];

/* Lists, and the two values of an element; the first tells elements apart. */
enum subject_list {
#define LAYOUT_LIST(list, ...) list_##list,
#include <schema/layout.def>
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

/* ---- candidate ------------------------------------------------------------------------------- */

/* Candidates for the location of a value and the shape of a list, and reading by them, as the
 * library does by a layout. */

/* The word that the path leads to is 0 where the value is known; elsewhere it is not. */
struct known_when {
    struct layout_path path; /* no offsets: it is always known */
};

struct location {
    struct layout_path path;
    uint8_t width;  /* 0: the address itself */
    int32_t adjust; /* added to a stored pointer that is not 0 */
    int32_t every;  /* tree: bytes from one element of a node to the next */
    struct layout_condition when;
    struct known_when known;
};

struct list_location {
    enum layout_shape shape;
    struct layout_path first;  /* deque: its first iterator; trees: root */
    struct layout_path end;    /* range: end; array, trees: count; deque: its last iterator */
    struct layout_path height; /* tree: levels above the leaves */
    int32_t used;              /* tree: how many elements a node has, 2 bytes */
    int32_t children;          /* tree: the pointers to the nodes below */
    int32_t left;              /* binary tree: the pointers to the nodes of lesser keys, */
    int32_t right;             /* and of greater ones */
    int32_t next;              /* linked */
    int32_t stride;
    int32_t chunk;  /* deque: bytes */
    int32_t adjust; /* boxed: added to what the list holds */
    bool is_boxed;
    bool is_newest_first;
    bool is_sparse; /* linked: nodes whose key is 0 are no elements */
    uint8_t key;    /* which of the elements' values tells them apart */
    struct location elements[2];
};

/* Where a path leads from an object or element at ADDRESS; false: not anywhere. */
bool path_follow(const struct layout_path *path, uintptr_t address, uintptr_t *at);

/* Read the value at LOCATION. */
bool location_value(const struct location *location, uintptr_t address, uint64_t *value);

/* Whether an object of SUBJECT's bounds has WIDTH bytes at the first offset of PATH. */
bool path_is_within(const struct layout_path *path, unsigned width, const struct extent *extent);

/* Whether what LOCATION gives for SUBJECT is the FACT that it knows. */
bool location_fits(const struct location *location, const struct subject *subject, enum fact fact);

/* Read the values of the elements of LIST, of the object with HANDLE, where LOCATION says, at most
 * LIST_ELEMENTS of them: in the order in which they are stored, those of trees by their keys. Where
 * an element's value has no location yet it is 0.  False: it is no such list. */
bool list_read(const struct list_location *location, uintptr_t handle, enum subject_list list,
               struct truth_list *read);

/* Read the word that PATH leads to from within SUBJECT. */
bool path_read(const struct layout_path *path, const struct subject *subject, uint64_t *word);

/* Whether the list at LOCATION of SUBJECT is the one that it knows. */
bool list_fits(const struct list_location *location, const struct subject *subject,
               enum subject_list list);

/* ---- icd ------------------------------------------------------------------------------------- */

/* One OpenCL runtime, loaded without a loader: its dispatch table, platform and devices. */

#define ICD_DEVICES 4
#define ICD_TEXT 128
#define ICD_BUILD_ID 64

struct icd {
    const cl_icd_dispatch *table;
    cl_platform_id platform;
    cl_device_id devices[ICD_DEVICES];
    cl_uint device_count;
    bool is_offline;  /* they are not there, but can be compiled for */
    unsigned machine; /* ELF e_machine */
    unsigned version; /* of OpenCL: 12, 20, 30 */
    char runtime[ICD_TEXT];
    char module[ICD_TEXT]; /* file name */
    char build_id[2 * ICD_BUILD_ID + 1];
    uintptr_t table_offset; /* from the module's lowest address */
    uintptr_t start;        /* addresses of the module [start, end) */
    uintptr_t end;
};

/* Load LIBRARY, go to FOLDER unless it is NULL, since runtimes leave files where they work, and
 * find the first platform.  Returns NULL, or why that cannot be: one sentence. */
const char *icd_load(struct icd *icd, const char *library, const char *folder);

/* Find its devices.  Returns as icd_load. */
const char *icd_find_devices(struct icd *icd);

/* Give all objects that are made from now on dispatch data, as a loader does by the extension
 * cl_khr_icd 2.0.0, and return it. NULL: the runtime has none. */
const void *icd_set_dispatch_data(const struct icd *icd);

/* Whether SLOT of the table is a function of the runtime itself and of its version: tables may be
 * short, and some have slots that point into a loader, which is not here to be called. */
bool icd_slot_is_own(const struct icd *icd, unsigned version, uintptr_t slot);

#define ICD_HAS(icd, since, function) icd_slot_is_own(icd, since, (uintptr_t)(icd)->table->function)

/* ---- own-memory ------------------------------------------------------------------------------ */

/* The probe reads its own memory, where any word may or may not be an address. */

/* Read SIZE bytes at ADDRESS; false: they are not all there. */
bool own_memory_read(uintptr_t address, void *bytes, size_t size);

/* The same of at most OWN_MEMORY_VIEW bytes: where they are until this thread's next call; NULL:
 * they are not all there. */
#define OWN_MEMORY_VIEW 4096
const void *own_memory_view(uintptr_t address, size_t size);

/* The unsigned number of WIDTH bytes, at most 8, at BYTES, which are there. */
uint64_t own_memory_decode(const unsigned char *bytes, unsigned width);

/* Read the unsigned number of WIDTH bytes at ADDRESS. */
bool own_memory_number(uintptr_t address, unsigned width, uint64_t *number);

/* Call FOUND with the address of each word of private writable memory that is WORD. */
void own_memory_scan(uintptr_t word, void (*found)(uintptr_t address, void *argument),
                     void *argument);

/* ---- own-target ------------------------------------------------------------------------------ */

/* This process as a target of the library's: what is learned is read as the library reads it. */

/* The target, of which nothing is kept that was read before.  NULL: the library refuses it. */
struct target *own_target(void);

/* ---- probe-protocol -------------------------------------------------------------------------- */

/*
 * What the probe tells the learner, a line each on its standard output: "step NAME" before it does
 * what a runtime may not survive, so that the learner can do without; "note SENTENCE" for what was
 * left out; "line TEXT" of the layout.
 */

/* Do without the step NAME, a static text. */
void protocol_step_leave_out(const char *name);

/* Say that step NAME begins; false: it is to be left out. */
bool protocol_step_begin(const char *name);

/* Tell what was left out, and why. */
void protocol_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Tell a line of the layout. */
void protocol_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
