/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shared by every file: calls, the memory monitor, memory, messages, values, handles and ids. */
#ifndef LIBOMPD_BASE_H
#define LIBOMPD_BASE_H

#include <config.h>
#include <ompd-opencl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- build-id -------------------------------------------------------------------------------- */

/* The number that identifies one build of a file. */

#define BUILD_ID_LIMIT 64 /* bytes; longer build-ids are ignored */

/* ---- export ---------------------------------------------------------------------------------- */

/* Every file of the library starts with the configuration; PUBLIC marks an exported function. */

#define PUBLIC __attribute__((visibility("default")))

/* ---- call ------------------------------------------------------------------------------------ */

/* A call of the tool on an address space, and the callbacks that the call makes. */

struct call {
    _Atomic(uintptr_t) thread; /* thread pointer of the calling thread; 0: no call is active */
    _Atomic(uintptr_t) frame;  /* of the library function that made the last callback */
    bool is_interrupted; /* a callback returned ompd_rc_interrupted: make no further callbacks */
};

/* The end of the calling function's frame that lies towards its caller. On some machines the frame
 * address is the other end, which is lower in a function with more variables. */
#define CALL_FRAME __builtin_dwarf_cfa()

/* Identifies the calling thread by the address of thread-specific data. On Windows that is the
 * thread's block (NT_TIB.Self). */
static inline uintptr_t call_thread(void)
{
#if defined(_WIN32) && defined(__x86_64__)
    uintptr_t block;

    __asm__("movq %%gs:0x30, %0" : "=r"(block));
    return block;
#elif defined(_WIN32) && defined(__i386__)
    uintptr_t block;

    __asm__("movl %%fs:0x18, %0" : "=r"(block));
    return block;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

/* Begin a call. Returns false if a call is active, in another thread or in the callback that makes
 * this one, or if one of its callbacks never returned. */
static inline bool call_begin(struct call *call)
{
    uintptr_t none = 0;

    if (!atomic_compare_exchange_strong(&call->thread, &none, call_thread()))
        return false;
    call->is_interrupted = false;
    return true;
}

/* Begin a call from FRAME although another one is active. The callback of that one has certainly
 * been left by longjmp or an exception, because FRAME is not inside the frame that made it. */
bool call_reclaim(struct call *call, const void *frame);

/* End the call that this thread began. */
static inline void call_end(struct call *call)
{
    /* Only this thread changes this value. */
    if (atomic_load_explicit(&call->thread, memory_order_relaxed) == call_thread())
        atomic_store_explicit(&call->thread, 0, memory_order_release);
}

/* Prepare for a callback made from here. Returns false if no callback may be made. */
static inline bool call_out(struct call *call)
{
    atomic_store_explicit(&call->frame, (uintptr_t)CALL_FRAME, memory_order_relaxed);
    return !call->is_interrupted;
}

/* Record the result RC of a callback, and return it. */
static inline ompd_rc_t call_note_result(struct call *call, ompd_rc_t rc)
{
    if (rc == ompd_rc_interrupted)
        call->is_interrupted = true;
    return rc;
}

/* The value of EXPRESSION, which makes a callback that returns an ompd_rc_t. */
#define CALL_OUT(call, expression)                                                                 \
    (call_out(call) ? call_note_result(call, expression) : ompd_rc_interrupted)

/* Whether RC ends a call whatever else is known: out of memory, or interrupted. */
static inline bool rc_is_final(ompd_rc_t rc)
{
    return rc == ompd_rc_nomem || rc == ompd_rc_interrupted;
}

/* ---- hash ------------------------------------------------------------------------------------ */

/* Mix WORD into HASH. The upper bits depend on all bits of both. */
static inline uint64_t hash_add(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
}

/* ---- monitor --------------------------------------------------------------------------------- */

/* What a tool may change from any thread: the memory monitor and the memory limit. */

/* A sequence lock: `sequence` is odd while a writer changes the words. A reader starts again when
 * it was odd or has changed. No word is wider than a pointer, so none needs a compiler's lock. */
struct monitor {
    _Atomic(unsigned) sequence;
    _Atomic(uintptr_t) owner;    /* handle of the address space; 0 before it has one */
    _Atomic(uintptr_t) function; /* ompd_cl_memory_monitor_t; 0: none */
    _Atomic(uintptr_t) user_ptr;
    _Atomic(size_t) limit; /* bytes; 0: none */
};

/* Start with the values in EXTRA, for an address space that has no handle yet. */
void monitor_open(struct monitor *monitor, const ompd_cl_extra_t *extra);

/* Make the address space HANDLE the owner, for monitor_set and monitor_limit_set. */
void monitor_own(struct monitor *monitor, uintptr_t handle);

/* Remove the monitor and the owner: later changes have no effect. */
void monitor_close(struct monitor *monitor);

/* Returns ompd_rc_ok, or ompd_rc_stale_handle when HANDLE does not own MONITOR. */
ompd_rc_t monitor_set(struct monitor *monitor, uintptr_t handle, ompd_cl_memory_monitor_t function,
                      void *user_ptr);
ompd_rc_t monitor_limit_set(struct monitor *monitor, uintptr_t handle, ompd_size_t bytes);

/* Report BYTES to the tool's monitor; true when there is no monitor. */
bool monitor_call(struct monitor *monitor, ssize_t bytes, bool post);

/* The limit in bytes, 0 for none. */
size_t monitor_limit(struct monitor *monitor);

/* ---- memory ---------------------------------------------------------------------------------- */

/* All memory that the library holds (law 1), and its monitor (law 2). */

/* Who refused an allocation. */
enum memory_refusal { memory_refused_by_tool, memory_refused_by_monitor, memory_refused_by_limit };

/* Precedes each block, so that all blocks can be freed whoever holds them. */
struct memory_block;

/* Where the memory of one address space comes from, its monitor, and its blocks. */
struct memory {
    struct call call; /* the call that allocates */
    struct memory_block *blocks;
    ompd_callback_memory_alloc_fn_t allocate;
    ompd_callback_memory_free_fn_t free;
    struct monitor monitor;
    uint64_t current; /* bytes held, including the headers of blocks */
    /* Bytes that the monitor counts but that no block has, or has yet. Set while the tool allocates
     * or frees, because longjmp may leave its callback. */
    size_t unsettled;
    uint64_t peak;
    uint64_t calls;     /* allocations and frees */
    uint64_t cancelled; /* allocations refused by the monitor or the limit */
    uint64_t
        wanted; /* bytes held if the last refused allocation had been granted; 0 before the first */
    bool is_frozen; /* set while rows are handed out: allocations fail, and the next call makes them
                     */
    enum memory_refusal refusal; /* who refused the last allocation that failed, */
    size_t refused;              /* its bytes, */
    size_t refused_limit;        /* and the limit that it would have exceeded */
};

/* Begin an empty account. */
void memory_open(struct memory *memory, const ompd_callbacks_t *callbacks,
                 const ompd_cl_extra_t *extra);

/* Allocate SIZE bytes of undefined contents in *BLOCK; NULL for 0 bytes. Returns ompd_rc_ok;
 * ompd_rc_nomem with `refusal` and `refused` set; ompd_rc_interrupted. */
ompd_rc_t memory_allocate(struct memory *memory, size_t size, void **block);

/*
 * Make room for one more element of SIZE bytes in an array of COUNT elements with room for
 * *CAPACITY. ARRAY is the address of the pointer to the array, NULL where *CAPACITY is 0. Returns
 * as memory_allocate does; the array is unchanged with any code but ompd_rc_ok.
 */
ompd_rc_t memory_grow(struct memory *memory, void *array, uint32_t count, uint32_t *capacity,
                      size_t size);

/* Free BLOCK; NULL does nothing. If the tool's free fails, the library still drops the block. */
void memory_free(struct memory *memory, void *block);

/* Free all blocks. */
void memory_close(struct memory *memory);

/* As memory_allocate, for a block that the tool will own: memory_hand_over transfers it,
 * memory_reclaim frees it. */
ompd_rc_t memory_allocate_for_tool(struct memory *memory, size_t size, void **block);
void memory_hand_over(struct memory *memory, size_t size);
void memory_reclaim(struct memory *memory, void *block, size_t size);

/* Copy TEXT to memory that the tool owns. Must be the last step that can fail in a call. Returns as
 * memory_allocate does. */
ompd_rc_t memory_copy_for_tool(struct memory *memory, const char *text, const char **copy);

/* ---- message --------------------------------------------------------------------------------- */

/* The sentence that explains a return code, built without stdio. */

#define MESSAGE_SIZE 512

/* A text that grows at its end and is truncated at the end of its buffer. */
struct message {
    char text[MESSAGE_SIZE];
    size_t length;
};

static inline void message_clear(struct message *message)
{
    message->text[0] = '\0';
    message->length = 0;
}

void message_add(struct message *message, const char *text);
void message_add_decimal(struct message *message, uint64_t number);
void message_add_hexadecimal(struct message *message, uint64_t number);

/* Add SIZE BYTES with two digits each, for build-ids. */
void message_add_bytes(struct message *message, const uint8_t *bytes, size_t size);

/* ---- log ------------------------------------------------------------------------------------- */

/* The diagnostic log: one line for each event, printed by the tool's print_string. */
struct log {
    struct call *call; /* the call that is active when a line is printed */
    ompd_callback_print_string_fn_t print;
    uint32_t level; /* ompd_cl_log_level_t; none where the tool has no print_string */
};

/* Whether events of LEVEL are logged. A log that is off costs only this test. */
static inline bool log_has(const struct log *log, ompd_cl_log_level_t level)
{
    return __builtin_expect(log->level >= (uint32_t)level, 0);
}

/* Begin a log at LEVEL for the callbacks of CALL. */
void log_open(struct log *log, struct call *call, const ompd_callbacks_t *callbacks,
              uint32_t level);

/* Begin LINE. */
void log_line_begin(struct message *line);

/* Add the name of RC, as "bad input". */
void log_line_add_code(struct message *line, ompd_rc_t rc);

/* Print LINE about an event of LEVEL. Returns ompd_rc_ok, or ompd_rc_interrupted when the tool
 * returned that and the call must end. */
ompd_rc_t log_line_print(const struct log *log, ompd_cl_log_level_t level, struct message *line);

/* ---- shortfall ------------------------------------------------------------------------------- */

/* What is missing from an answer of any part of the library; all 0: nothing. */

struct shortfall {
    uint64_t lost;         /* known rows that cannot be returned */
    uint64_t failures;     /* failed reads: an unknown number of rows may be missing */
    uint64_t unsaved;      /* bytes that were not searched because a core has not saved them, */
    uint64_t unsearched;   /* because the tool reports too many pages, */
    uint64_t unreadable;   /* or because they could not be read */
    uint32_t unchecked;    /* bits of UNCHECKED(): mistakes that were not checked */
    const char *allocator; /* static name of an allocator whose freed memory was not checked */
    const char *reason;    /* static sentence; NULL: memory could not be read */
};

/* Record in MISSING whether a read failed. */
static inline void shortfall_note(struct shortfall *missing, bool has_failed)
{
    missing->failures += has_failed;
}

/* Add MORE to MISSING. */
static inline void shortfall_add(struct shortfall *missing, const struct shortfall *more)
{
    missing->lost += more->lost;
    missing->failures += more->failures;
    missing->unsaved += more->unsaved;
    missing->unsearched += more->unsearched;
    missing->unreadable += more->unreadable;
    missing->unchecked |= more->unchecked;
    if (missing->allocator == NULL)
        missing->allocator = more->allocator;
    if (missing->reason == NULL)
        missing->reason = more->reason;
}

/* The number of bytes that were not searched. */
static inline uint64_t shortfall_bytes(const struct shortfall *missing)
{
    return missing->unsaved + missing->unsearched + missing->unreadable;
}

/* Whether an answer with MISSING is incomplete. */
static inline bool shortfall_is_any(const struct shortfall *missing)
{
    return missing->lost != 0 || missing->failures != 0 || missing->reason != NULL;
}

/* ---- search ---------------------------------------------------------------------------------- */

/* The key of entry INDEX of ENTRIES. */
typedef uint64_t (*search_key_t)(const void *entries, uint64_t index);

/* The index of the first of COUNT entries, in ascending order, whose key is KEY or larger; COUNT if
 * there is none. */
static inline uint64_t search_first(const void *entries, uint64_t count, search_key_t key_of,
                                    uint64_t key)
{
    uint64_t low = 0;
    uint64_t high = count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (key_of(entries, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Text fields that the library fills itself. */

/* Set *TEXT to NAME, which must fit; not applicable if NAME is empty. */
void text_set(ompd_cl_text_t *text, ompd_cl_source_t source, const char *name);

/* Set *TEXT to SIZE BYTES in hexadecimal; not applicable if there are none. If they do not fit, it
 * is their beginning, with "..." and the status at_least. */
void text_set_hexadecimal(ompd_cl_text_t *text, ompd_cl_source_t source, const uint8_t *bytes,
                          size_t size);

/* Set the whole LENGTH of *TEXT, whose short form is set, and its KEY; 0: the rest is unknown. */
void text_set_whole(ompd_cl_text_t *text, uint64_t length, uint64_t key);

/* Marks the part of a text that does not fit. */
#define TEXT_ELLIPSIS "\xe2\x80\xa6"

/* The last component of PATH. */
const char *text_file_name(const char *path);

/* ---- value ----------------------------------------------------------------------------------- */

/* Values of fields: the number, its status and its source. */

/* Set *VALUE to NUMBER from SOURCE with the status value or presumed; or to no value with another
 * STATUS, in which case NUMBER is 0. */
static inline void value_set(ompd_cl_value_t *value, ompd_cl_source_t source, uint16_t status,
                             uint64_t number)
{
    *value = (ompd_cl_value_t){number, status, (uint16_t)source, 0};
}

/* The same for a fact without a source in the target. */
static inline void plain_value_set(ompd_cl_value_t *value, uint64_t number)
{
    value_set(value, ompd_cl_source_none, ompd_cl_status_value, number);
}

static inline void plain_value_set_absent(ompd_cl_value_t *value, uint16_t status)
{
    value_set(value, ompd_cl_source_none, status, 0);
}

/* The same for a fact from the recorder. */
static inline void recorder_value_set(ompd_cl_value_t *value, uint64_t number)
{
    value_set(value, ompd_cl_source_recorder, ompd_cl_status_value, number);
}

static inline void recorder_value_set_absent(ompd_cl_value_t *value, uint16_t status)
{
    value_set(value, ompd_cl_source_recorder, status, 0);
}

/* The same for a fact from a layout. */
static inline void layout_value_set(ompd_cl_value_t *value, uint64_t number, uint16_t status)
{
    value_set(value, ompd_cl_source_layout, status, number);
}

static inline void layout_value_set_absent(ompd_cl_value_t *value, uint16_t status)
{
    value_set(value, ompd_cl_source_layout, status, 0);
}

/* ---- handle ---------------------------------------------------------------------------------- */

/* OMPD handles: numbers that are searched for and never followed (law 3), and the table of those
 * that one address space has issued. */

/* The number of processes that can have an address space at the same time; each has a slot. */
#define HANDLE_SLOT_BITS 8
#define HANDLE_SLOT_COUNT (1u << HANDLE_SLOT_BITS)

enum handle_kind {
    handle_of_none = 0,
    handle_of_process = 1,
    handle_of_device = 2,
    handle_of_thread = 3,
};

/* The parts of a handle's number. */
struct handle {
    enum handle_kind kind;
    unsigned slot;
    uintptr_t count; /* handles of any kind that this slot issued before */
};

/* A slot stops issuing handles after this many, so that no number is reused. */
#define HANDLE_COUNT_LIMIT (UINTPTR_MAX >> (HANDLE_SLOT_BITS + 2))

uintptr_t handle_encode(struct handle handle);

/* Decode NUMBER. The kind is none if no handle has such a number. A number that was never issued
 * most likely has a count that no slot has reached. */
struct handle handle_decode(uintptr_t number);

/* An issued handle of a device or a thread. */
struct handle_entry {
    uintptr_t count;
    enum handle_kind kind; /* none after its release */
    uint32_t generation;   /* thread: of its record */
    uint64_t address;      /* thread: of its record; device: the cl_device_id */
    uint32_t incarnation;  /* of the target's registry */
};

/* The handles of an address space, by ascending count. */
struct handle_table {
    struct handle_entry *entries;
    uint32_t used; /* entries, including released ones */
    uint32_t live;
    uint32_t capacity;
};

/* Make room for one more entry. Returns ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t handle_table_make_room(struct handle_table *table, struct memory *memory);

/* Add ENTRY, whose count is the largest, into the reserved room. */
void handle_table_add(struct handle_table *table, const struct handle_entry *entry);

/* The entry of a device or thread handle; NULL if it was released or never issued. */
struct handle_entry *handle_table_find(struct handle_table *table, struct handle handle);

/* Release an entry. */
void handle_table_remove(struct handle_table *table, struct handle_entry *entry);

/* ---- identifier ------------------------------------------------------------------------------ */

/* Object ids: values that cannot be guessed and need no table. */

/* What an id names: a record of the registry, or what a layout shows at an address. */
struct identifier {
    uint32_t kind;       /* ompd_cl_kind_t, of those that have ids */
    uint32_t index;      /* of the record, below 2^24 */
    uint32_t generation; /* of the record, below 2^28 */
    uint64_t handle;     /* layout: cl handle or SVM pointer, below 2^48; else 0 */
};

/* Odd, so that multiplication by the inverse modulo 2^64 undoes multiplication by them. Their lower
 * halves are inverses modulo 2^32. */
#define IDENTIFIER_FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define IDENTIFIER_INVERSE UINT64_C(0xf1de83e19937733d)
#define IDENTIFIER_SECOND_FACTOR UINT64_C(0xbf58476d1ce4e5b9)
#define IDENTIFIER_SECOND_INVERSE UINT64_C(0x96de1b173f119089)

/* Permute WORD with the SALT of the address space, and back, so that a number is not guessed and
 * does not match one of another address space. */
static inline uint64_t identifier_permute(uint64_t word, uint64_t salt)
{
    word = (word ^ salt) * IDENTIFIER_FACTOR;
    word = (word ^ word >> 32) * IDENTIFIER_SECOND_FACTOR;
    return word ^ word >> 32;
}

static inline uint64_t identifier_permute_back(uint64_t word, uint64_t salt)
{
    word = (word ^ word >> 32) * IDENTIFIER_SECOND_INVERSE;
    word = (word ^ word >> 32) * IDENTIFIER_INVERSE;
    return word ^ salt;
}

/* The same for 32-bit words. */
static inline uint32_t identifier_permute_short(uint32_t word, uint32_t salt)
{
    word = (word ^ salt) * (uint32_t)IDENTIFIER_FACTOR;
    word = (word ^ word >> 16) * (uint32_t)IDENTIFIER_SECOND_FACTOR;
    return word ^ word >> 16;
}

static inline uint32_t identifier_permute_short_back(uint32_t word, uint32_t salt)
{
    word = (word ^ word >> 16) * (uint32_t)IDENTIFIER_SECOND_INVERSE;
    word = (word ^ word >> 16) * (uint32_t)IDENTIFIER_INVERSE;
    return word ^ salt;
}

/* The id of IDENTIFIER in the address space with SALT; 0 only for a handle that does not fit. */
uint64_t identifier_encode(struct identifier identifier, uint64_t salt);

/* The id of the object of KIND whose record has INDEX and GENERATION. */
static inline uint64_t identifier_of_record(uint32_t kind, uint32_t index, uint32_t generation,
                                            uint64_t salt)
{
    struct identifier identifier = {.kind = kind, .index = index, .generation = generation};

    return identifier_encode(identifier, salt);
}

/* The id of the object of KIND that a layout shows at HANDLE. */
static inline uint64_t identifier_of_handle(uint32_t kind, uint64_t handle, uint64_t salt)
{
    struct identifier identifier = {.kind = kind, .handle = handle};

    return identifier_encode(identifier, salt);
}

/* Decode ID. Returns false when no address space with SALT can have issued it. */
bool identifier_decode(uint64_t id, uint64_t salt, struct identifier *identifier);

/* The kind of text that a key names. */
enum text_key_kind {
    text_key_of_record = 0,      /* stored in the recorder's blocks */
    text_key_of_module_path = 1, /* reported by the tool */
    text_key_of_build_id = 2     /* of a module, in hexadecimal */
};

/* The text that a key of ompd_cl_text_read names. Like an id, a key cannot be guessed, and no id is
 * a key. */
struct text_key {
    enum text_key_kind kind;
    uint32_t block;      /* recorder: index of the first block, below 2^24 */
    uint32_t generation; /* recorder: generation of that block, below 2^28 */
    uint64_t start;      /* module: its start address, below 2^48 */
};

/* Encode KEY for the address space with SALT; 0 only for a module above 2^48. */
uint64_t text_key_encode(struct text_key key, uint64_t salt);

/* Decode NUMBER. Returns false when no address space with SALT can have issued it. */
bool text_key_decode(uint64_t number, uint64_t salt, struct text_key *key);

#endif
