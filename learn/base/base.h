/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What all parts of the probe use: its own memory, the objects that it created, and its
 * communication with the command. */
#ifndef OMPD_LEARN_BASE_H
#define OMPD_LEARN_BASE_H

#include <CL/cl_icd.h>
#include <libompd/sources/layout/layout.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- guard-heap ------------------------------------------------------------------------------ */

/* The probe's heap.  Every block that the runtime allocates has a header with its bounds, so
 * that nothing that is learned of an object comes from its neighbour.  New blocks are filled
 * with a byte, so that unwritten memory does not look like a value.  There are two fill bytes
 * for populations that are compared: unwritten bytes differ between them. */

enum block_fill { block_fill_first = 0xa5, block_fill_second = 0x5a };

struct malloc_block {
    uintptr_t start;
    size_t size;
    bool is_freed; /* a freed block that is retained */
};

/* Whether blocks have bounds: not in AddressSanitizer's heap. */
bool guard_heap_has_bounds(void);

/* Find the block that contains ADDRESS.  Returns false if no block of at most 64 KiB does. */
bool guard_heap_find(uintptr_t address, struct malloc_block *block);

/* Fill new blocks with FILL from now on; initially with the first one. */
void guard_heap_set_fill(enum block_fill fill);

/* Retain the contents of freed blocks from now on, as some allocators do, or release them again. */
void guard_heap_retain_freed(bool keeps);

/* ---- specimen -------------------------------------------------------------------------------- */

/*
 * Specimens: OpenCL objects that the probe created, with known values, which are searched for in
 * their memory.
 */

enum specimen_kind {
#define LAYOUT_KIND(kind, ...) specimen_##kind,
#include <schema/layout.def>
    SPECIMEN_KINDS
};

/* The known facts about specimens: the fields of layouts. */
enum fact {
#define LAYOUT_FIELD(field, ...) fact_##field,
#include <schema/layout.def>
    /* Facts about samplers that distinguish them from other objects; not in layouts. */
    fact_normalized,
    fact_addressing,
    fact_filtering,
    FACTS
};

struct fact_info {
    uint8_t width;            /* bytes, as in the API; 0: a word */
    bool is_handle;           /* the runtime may store a pointer to another location in the
                               * object */
    bool is_followed;         /* the field points to an array, of which the value is the first
                               * word */
    bool may_be_alike;        /* all specimens may have the same, unusual value */
    bool is_fixed;            /* the value never changes */
    bool is_in_callback_node; /* the runtime may store it in a callback node of its own */
};

extern const struct fact_info fact_infos[FACTS];
extern const char *const fact_names[FACTS]; /* NULL: not a field of layouts */
extern const char *const specimen_kind_names[SPECIMEN_KINDS];

/* Lists, and the two values of an element; the first identifies the element. */
enum specimen_list {
#define LAYOUT_LIST(list, ...) list_##list,
#include <schema/layout.def>
    SPECIMEN_LISTS
};

struct list_info {
    const char *name;
    const char *elements[2]; /* the second is NULL if there is only one */
    uint8_t key;             /* which of them identifies elements */
    bool is_handle;
    bool is_fixed; /* the list never changes */
};

extern const struct list_info list_infos[SPECIMEN_LISTS];

#define LIST_ELEMENTS 40

struct truth_list {
    bool is_known;
    unsigned count;
    uintptr_t elements[LIST_ELEMENTS][2]; /* oldest first */
};

/* Bytes that may belong to an object: within its block, or near it if it has none. */
struct extent {
    int32_t lowest; /* offset from the handle */
    int32_t highest;
    bool is_block;
};

struct specimen {
    enum specimen_kind kind;
    uintptr_t handle;
    struct extent extent;
    unsigned owned; /* references that the probe owns */
    uint64_t known; /* bits 1 << fact */
    uint64_t values[FACTS];
    struct truth_list lists[SPECIMEN_LISTS];
};

#define POPULATION_SPECIMENS 256

struct population {
    unsigned count;
    struct specimen specimens[POPULATION_SPECIMENS]; /* in creation order */
};

/* Add an object.  Returns NULL for a NULL handle. */
struct specimen *population_add(struct population *population, enum specimen_kind kind,
                                const void *handle);

/* The specimen with HANDLE, or NULL. */
struct specimen *population_find(struct population *population, const void *handle);

/* Read the unsigned number of WIDTH bytes at OFFSET of the specimen. */
bool specimen_number(const struct specimen *specimen, int32_t offset, unsigned width,
                     uint64_t *number);

/* Record that FACT of the specimen, which may be NULL, is VALUE. */
void specimen_set(struct specimen *specimen, enum fact fact, uint64_t value);

bool specimen_knows(const struct specimen *specimen, enum fact fact);

/* Whether the runtime has freed the specimen, and its memory has not been reused. */
bool specimen_is_freed(const struct specimen *specimen);

/* Begin a list of the specimen that is known to be empty, and add its next element. */
void specimen_list_begin(struct specimen *specimen, enum specimen_list list);
void specimen_list_add(struct specimen *specimen, enum specimen_list list, uintptr_t first,
                       uintptr_t second);

/* ---- candidate ------------------------------------------------------------------------------- */

/* Candidates for the location of a value and for the structure of a list, and functions that
 * read them as the library reads a layout. */

/* The value is known only if the word at the path is 0. */
struct known_when {
    struct layout_path path; /* no offsets: always known */
};

struct location {
    struct layout_path path;
    uint8_t width;  /* 0: the address itself */
    int32_t adjust; /* added to a stored pointer unless that is 0 */
    int32_t every;  /* tree: distance of the elements of a node, in bytes */
    struct layout_condition when;
    struct known_when known;
};

struct list_location {
    enum layout_shape shape;
    struct layout_path first;  /* deque: its first iterator; trees: root */
    struct layout_path end;    /* range: end; array, trees: count; deque: its last iterator */
    struct layout_path height; /* tree: levels above the leaves */
    int32_t used;              /* tree: number of elements in a node, 2 bytes */
    int32_t children;          /* tree: pointers to the child nodes */
    int32_t left;              /* binary tree: pointers to the nodes with lesser keys */
    int32_t right;             /* and with greater keys */
    int32_t next;              /* linked */
    int32_t stride;
    int32_t chunk;  /* deque: bytes */
    int32_t adjust; /* boxed: added to the list's values */
    bool is_boxed;
    bool is_newest_first;
    bool is_sparse; /* linked: nodes whose key is 0 are not elements */
    uint8_t key;    /* which value identifies elements */
    struct location elements[2];
};

/* Follow PATH from an object or element at ADDRESS.  Returns false if it leads nowhere. */
bool path_follow(const struct layout_path *path, uintptr_t address, uintptr_t *at);

/* Read the value at LOCATION. */
bool location_value(const struct location *location, uintptr_t address, uint64_t *value);

/* Whether an object with the specimen's bounds has WIDTH bytes at the first offset of PATH. */
bool path_is_within(const struct layout_path *path, unsigned width, const struct extent *extent);

/* Whether the value at LOCATION of the specimen is its known FACT. */
bool location_fits(const struct location *location, const struct specimen *specimen,
                   enum fact fact);

/* Read the values of the elements of LIST, of the object with HANDLE, at LOCATION: at most
 * LIST_ELEMENTS, in storage order; for trees, in key order.  A value whose location is not yet
 * known is 0.  Returns false if there is no such list. */
bool list_read(const struct list_location *location, uintptr_t handle, enum specimen_list list,
               struct truth_list *read);

/* Read the word at PATH in the specimen. */
bool path_read(const struct layout_path *path, const struct specimen *specimen, uint64_t *word);

/* Whether the list at LOCATION of the specimen is the known one. */
bool list_fits(const struct list_location *location, const struct specimen *specimen,
               enum specimen_list list);

/* ---- icd ------------------------------------------------------------------------------------- */

/* An OpenCL runtime, loaded without a loader: its dispatch table, platform and devices. */

#define ICD_DEVICES 4
#define ICD_TEXT 128
#define ICD_BUILD_ID 64

struct icd {
    const cl_icd_dispatch *table;
    cl_platform_id platform;
    cl_device_id devices[ICD_DEVICES];
    cl_uint device_count;
    bool is_offline;  /* they do not exist, but programs can be compiled for them */
    unsigned machine; /* ELF e_machine */
    unsigned version; /* of OpenCL: 12, 20 or 30 */
    char runtime[ICD_TEXT];
    char module[ICD_TEXT]; /* file name */
    char build_id[2 * ICD_BUILD_ID + 1];
    uintptr_t table_offset; /* relative to the module's lowest address */
    uintptr_t start;        /* addresses of the module [start, end) */
    uintptr_t end;
};

/* Load LIBRARY and find the first platform.  Changes to FOLDER, unless it is NULL, as runtimes
 * write files to the working directory.  Returns NULL, or a sentence with the reason. */
const char *icd_load(struct icd *icd, const char *library, const char *folder);

/* Record the module that contains ADDRESS.  Returns false if there is none. */
bool icd_find_module(struct icd *icd, const void *address);

/* Find its devices.  Returns as icd_load does. */
const char *icd_find_devices(struct icd *icd);

/* Give all objects created from now on dispatch data, as a loader does with the extension
 * cl_khr_icd 2.0.0, and return that.  NULL: the runtime does not support it. */
const void *icd_set_dispatch_data(const struct icd *icd);

/* Whether SLOT of the table is a function of the runtime itself and of its version.  Tables may
 * be short, and some have slots that point into a loader, which does not exist here. */
bool icd_slot_is_own(const struct icd *icd, unsigned version, uintptr_t slot);

#define ICD_HAS(icd, since, function) icd_slot_is_own(icd, since, (uintptr_t)(icd)->table->function)

/* ---- own-memory ------------------------------------------------------------------------------ */

/* Access to the probe's own memory, where any word may or may not be an address. */

/* Read SIZE bytes at ADDRESS.  Returns false if they are not all readable. */
bool own_memory_read(uintptr_t address, void *bytes, size_t size);

/* The same for at most OWN_MEMORY_VIEW bytes.  Returns where they are until this thread's next
 * call, or NULL. */
#define OWN_MEMORY_VIEW 4096
const void *own_memory_view(uintptr_t address, size_t size);

/* The unsigned number of WIDTH bytes (at most 8) at BYTES, which are readable. */
uint64_t own_memory_decode(const unsigned char *bytes, unsigned width);

/* Read the unsigned number of WIDTH bytes at ADDRESS. */
bool own_memory_number(uintptr_t address, unsigned width, uint64_t *number);

/* Call FOUND with the address of each word of private writable memory that equals WORD. */
void own_memory_scan(uintptr_t word, void (*found)(uintptr_t address, void *argument),
                     void *argument);

/* ---- own-target ------------------------------------------------------------------------------ */

/* This process as a target of the library, so that what is learned is read as the library reads
 * it. */

/* The target, without cached data.  NULL: the library rejects it. */
struct target *own_target(void);

/* ---- probe-protocol -------------------------------------------------------------------------- */

/*
 * What the probe prints for the command, one line each.  "step NAME" precedes an action that the
 * runtime may not survive, so that the command can skip it next time.  "note SENTENCE" says what
 * was skipped.  "line TEXT" is a line of the layout.
 */

/* Skip the step NAME, a static text. */
void protocol_step_leave_out(const char *name);

/* Print that step NAME begins.  Returns false if it is to be skipped. */
bool protocol_step_begin(const char *name);

/* Print what was skipped, and why. */
void protocol_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print a line of the layout. */
void protocol_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
