/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A fake target: memory of any byte order and word size with a registry, and OMPD callbacks that
 * count, fail on demand and check how the library uses memory.
 *
 * The registry's records are laid out differently from the recorder's own, so that a reader that
 * overlays its structs is caught.
 */
#ifndef FAKE_TARGET_H
#define FAKE_TARGET_H

#include <ompd-opencl-registry.h>
#include <ompd-opencl.h>
#include <stdbool.h>

#define FAKE_BASE UINT64_C(0x10000000)
#define FAKE_SIZE (UINT64_C(48) << 20)
/* Of a target that is made small. */
#define FAKE_SMALL_SIZE (UINT64_C(96) << 10)

enum fake_callback {
    fake_alloc,
    fake_symbol,
    fake_sizes,
    fake_read,
    fake_convert,
    fake_region,
    fake_map,
    fake_module,
    fake_module_symbol,
    fake_progress, /* that fails by returning false */
    fake_callback_count
};

#define FAKE_IDENTITY UINT64_C(0x18badcafe0123457)
#define FAKE_PERMIT_LIMIT 128
#define FAKE_MODULE_LIMIT 8
#define FAKE_SYMBOL_LIMIT 16

/* What the target's program may do at [start, end): bits of ompd_cl_permission_t. */
struct fake_permit {
    uint64_t start;
    uint64_t end;
    uint32_t permissions;
};

struct fake_symbol {
    const char *name;
    uint32_t module;
    uint64_t address;
};

/* A table of the fake registry. */
struct fake_table {
    uint32_t record_size;
    uint32_t records_per_chunk;
    uint32_t chunk_count;
    uint64_t directory;
    struct ompd_cl_registry_field places[OMPD_CL_REGISTRY_FIELD_LIMIT];
    uint32_t record_count;
    uint64_t region_start; /* memory for the next chunks */
    uint64_t region_end;
};

struct fake_target {
    uint8_t *bytes; /* of [FAKE_BASE, FAKE_BASE + size) */
    uint64_t size;  /* FAKE_SIZE or FAKE_SMALL_SIZE */
    uint64_t used;
    bool is_big_endian;
    uint32_t pointer_size;
    bool has_recorder;
    uint64_t root;
    uint64_t stack_end; /* the address of glibc's variable of that name, or 0 */
    struct fake_table tables[OMPD_CL_REGISTRY_TABLE_COUNT + 1];
    uint32_t root_fields;
    uint64_t serial;

    /* Memory that cannot be read, [start, end); not saved rather than unreadable if
     * `is_hole_known`. */
    uint64_t hole_start;
    uint64_t hole_end;
    bool is_hole_known;

    /* The complete regions in [start, end). */
    uint64_t whole_start;
    uint64_t whole_end;

    struct fake_permit permits[FAKE_PERMIT_LIMIT];
    uint32_t permit_count;
    ompd_cl_module_t modules[FAKE_MODULE_LIMIT];
    uint32_t module_count;
    struct fake_symbol symbols[FAKE_SYMBOL_LIMIT];
    uint32_t symbol_count;

    /* The last arguments of `progress`, and how often DONE decreased or exceeded WHOLE. */
    uint64_t progress_done;
    uint64_t progress_whole;
    uint64_t progress_falls;

    /* Fail callback `failing` at its call number `fail_at` (from 1, 0 never), and for ever after.
     */
    enum fake_callback failing;
    uint64_t fail_at;
    bool fails_for_ever;

    /* Answers that a tool must not return with ompd_rc_ok, but that some tools do. */
    bool answers_wrong_symbol;
    uint64_t wrong_symbol;
    bool answers_no_memory;

    uint64_t calls[fake_callback_count];
    uint64_t failures;
    uint64_t frees;
    uint64_t live_blocks;
    uint64_t live_bytes;
    uint64_t peak_bytes;
    uint64_t bytes_read;
    uint64_t largest_read;
};

/* The target that there is. */
extern struct fake_target *fake_current;

/* Make a target with an empty registry, of CHUNK records a chunk.  There is one at a time, since
 * OMPD's alloc_memory has no context. */
struct fake_target *fake_target_create(bool is_big_endian, uint32_t pointer_size, uint32_t chunk);

/* The same in one of four ways: bit 0 of VARIANT is big-endian, bit 1 has pointers of 32 bits. */
#define FAKE_VARIANTS 4
struct fake_target *fake_target_create_variant(int variant, uint32_t chunk);

/* The same of FAKE_SMALL_SIZE bytes, where no table has more than FAKE_SMALL_CHUNKS chunks: for
 * thousands of sessions a second. */
#define FAKE_SMALL_CHUNKS 4u
struct fake_target *fake_target_create_small(int variant, uint32_t chunk);

/* Free it; fails the test if the library has not freed all its memory. */
void fake_target_free(struct fake_target *target);

/* The callbacks; the tool context is the target. */
extern const ompd_callbacks_t fake_callbacks;
extern const ompd_cl_extra_t fake_extra;

/* For the callbacks: the target that a tool context is, and whether this call is to fail. */
struct fake_target *fake_target_of(ompd_address_space_context_t *context);
bool fake_fails(enum fake_callback callback);

/* The contents of the optional table.  By default all memory is one region of unknown permissions,
 * and there are no modules.  Texts and build-ids are stored as pointers. */

/* Set the program's PERMISSIONS, of ompd_cl_permission_t, at [START, END), which overlaps no other
 * such range; 0 reserves the range. */
void fake_permit(struct fake_target *target, uint64_t start, uint64_t end, uint32_t permissions);

/* Add a module; returns its index. BUILD_ID may be NULL. */
uint32_t fake_add_module(struct fake_target *target, const char *name, const void *build_id,
                         uint32_t build_id_size, uint64_t start, uint64_t end);

/* Write the ELF header of a module at START of three segments: a page of itself, a page of code,
 * and DATA_SIZE bytes of data. */
void fake_put_module_header(struct fake_target *target, uint64_t start, uint64_t data_size);

/* Add a symbol that only the module of index MODULE has. */
void fake_add_symbol(struct fake_target *target, uint32_t module, const char *name,
                     uint64_t address);

/* The region that ends above ADDRESS, which is below the memory's end. */
ompd_cl_region_t fake_region_at(const struct fake_target *target, uint64_t address);

/* Allocate SIZE bytes of the target's memory, all 0; returns their address. */
uint64_t fake_reserve(struct fake_target *target, uint64_t size, uint64_t alignment);

/* Zero all counts, and fail no more. */
void fake_reset(struct fake_target *target);

void fake_put(struct fake_target *target, uint64_t address, unsigned size, uint64_t value);
uint64_t fake_get(const struct fake_target *target, uint64_t address, unsigned size);

/* The address of field FIELD of record INDEX. */
uint64_t fake_field_address(const struct fake_target *target, uint32_t table, uint32_t index,
                            uint32_t field);
void fake_set(struct fake_target *target, uint32_t table, uint32_t index, uint32_t field,
              uint64_t value);

/* The address of the directory entry of chunk NUMBER. */
uint64_t fake_chunk_address(const struct fake_target *target, uint32_t table, uint32_t number);

/* Use a record, live or `registered`, with a serial; returns its index. */
uint32_t fake_add(struct fake_target *target, uint32_t table);

/* An object with HANDLE, in the hash, with one reference. */
uint32_t fake_add_object(struct fake_target *target, uint32_t table, uint64_t handle);

/* A buffer of SIZE bytes in the context of index CONTEXT. */
uint32_t fake_add_buffer(struct fake_target *target, uint64_t handle, uint32_t context,
                         uint64_t size);

/* Register a destructor callback on the memory object of index MEMOBJ; returns its index. */
uint32_t fake_add_destructor(struct fake_target *target, uint32_t memobj, uint64_t function,
                             uint64_t user_data);

/* The same on object OBJECT of OBJECT_TABLE. */
uint32_t fake_add_destructor_of(struct fake_target *target, uint32_t object_table, uint32_t object,
                                uint64_t function, uint64_t user_data);

/* End an object as the recorder does: free, next generation, removed from the hash. */
void fake_remove_object(struct fake_target *target, uint32_t table, uint32_t index);

/* The pthread_t of the thread LWP. */
#define FAKE_PTHREAD(lwp) (UINT64_C(0x70000000) + (lwp)*UINT64_C(0x1000))

/* A thread that has entered OpenCL and is in no call; returns its index. */
uint32_t fake_add_thread(struct fake_target *target, uint32_t lwp, bool is_caller);

/* End a thread as the recorder does, and reuse its record for another. */
void fake_end_thread(struct fake_target *target, uint32_t thread);
void fake_reuse_thread(struct fake_target *target, uint32_t thread, uint32_t lwp);

/* Have argument NUMBER of a kernel's or a command's record: FORM is an OMPD_CL_REGISTRY_ARGUMENT.
 */
void fake_put_argument(struct fake_target *target, uint32_t table, uint32_t record, uint32_t number,
                       uint32_t form, uint64_t value);

/* Bytes of a text that a record has, and a block. */
#define FAKE_TEXT_SIZE 20
#define FAKE_TEXT_BLOCK 32

/* Store TEXT in FIELD of a record, and the part that does not fit in new blocks, which BLOCK_FIELD
 * of the record names. The next field is the text's size. */
void fake_put_text(struct fake_target *target, uint32_t table, uint32_t index, uint32_t field,
                   uint32_t block_field, const char *text);

/* Add an activity to the thread of index THREAD. */
void fake_enter(struct fake_target *target, uint32_t thread, uint32_t what, uint32_t reference,
                uint64_t handle);

/* Write activity NUMBER, from 0, of a thread, without counting it. */
void fake_put_activity(struct fake_target *target, uint32_t thread, uint32_t number, uint32_t what,
                       uint32_t reference, uint64_t handle);

/* Write what a thread has counted as usage NUMBER: of a table's objects, or bytes. */
void fake_put_usage(struct fake_target *target, uint32_t thread, uint32_t number, int64_t live,
                    int64_t peak);

/* Make the recorder one without TABLE. */
void fake_forget_table(struct fake_target *target, uint32_t table);

/* Make the recorder one without FIELD in the records of TABLE. */
void fake_forget_field(struct fake_target *target, uint32_t table, uint32_t field);

/* Have FIELD, which fake_set still knows as that, be OTHER, which TABLE has not. */
void fake_rename_field(struct fake_target *target, uint32_t table, uint32_t field, uint16_t other);

/* Make the recorder one of registry version 1.0, which records no threads. */
void fake_forget_threads(struct fake_target *target);

/* Mark record INDEX as changed, as the recorder does in its chunk. */
void fake_touch(struct fake_target *target, uint32_t table, uint32_t index);

#endif
