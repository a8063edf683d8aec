/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The target: its memory, its modules, the code in them, glibc's heap, and stacks. */
#ifndef LIBOMPD_TARGET_H
#define LIBOMPD_TARGET_H

#include "base/base.h"

#include <stdbool.h>

/* ---- target ---------------------------------------------------------------------------------- */

/* The target through the tool's callbacks: symbols, sizes, byte order, memory. */

/* The most that a question about one thing reads at once (law 9). */
#define TARGET_BLOCK_SIZE 4096
#define TARGET_BLOCK_COUNT 64

/* The most that a walk reads at once. */
#define TARGET_WINDOW_SIZE (1024 * 1024)

/* A page of target memory that has been read. If its `stop` is not the target's, it is from an
 * earlier stop and valid only if `stamp` still holds. */
struct block {
    uint64_t start;
    uint64_t stop;
    uint64_t stamp;
    uint32_t used; /* clock of the last use */
    bool is_filled;
};

/* A larger range of target memory, with a buffer of its own. */
struct window {
    uint64_t start;
    uint64_t size; /* 0: empty */
    uint64_t stop;
    uint64_t stamp;
    const uint8_t *bytes; /* in `buffer`, or mapped by the tool */
    void *buffer;
    uint64_t capacity;
    bool is_searched; /* the code that fills it reports itself which part it reads */
};

/* The read-ahead of a walk, in growing pieces. */
struct stream {
    uint64_t start;
    uint64_t size; /* 0: empty */
    uint64_t stop;
    uint64_t fetched;     /* the processor prefetched up to this offset */
    const uint8_t *bytes; /* in the target's `stream_bytes`, or mapped by the tool */
    uint32_t used;        /* clock of the last use */
};

/* The end of the last view of a stream, and up to TARGET_BLOCK_SIZE bytes behind it. */
struct last_view {
    uint64_t start;
    uint64_t size; /* 0: empty */
    const uint8_t *bytes;
};

/* An unreadable range at one stop, narrowed by bisection. */
struct unreadable_range {
    uint64_t stop;
    uint64_t start;
    uint64_t end;
};

/* A stream for the objects of a walk, one for what they point to, and so on. */
#define TARGET_STREAM_COUNT 4
#define TARGET_STREAM_BYTES ((size_t)TARGET_STREAM_COUNT * TARGET_WINDOW_SIZE)

struct target {
    struct memory *memory;
    struct log log;
    ompd_callbacks_t callbacks;
    ompd_cl_extra_t extra;
    ompd_address_space_context_t *context;
    uint32_t pointer_size;
    bool is_swapped;  /* its byte order differs from the library's */
    uint64_t stop;    /* number of refreshes, from 1 */
    uint16_t failure; /* ompd_cl_status_t of the last read that failed */
    uint32_t clock;   /* for `used` of the blocks */
    uint64_t views;   /* number of target_view calls */
    struct block blocks[TARGET_BLOCK_COUNT];
    uint8_t *block_bytes; /* TARGET_BLOCK_COUNT blocks; NULL before the first read */
    uint64_t scratch[TARGET_BLOCK_SIZE / sizeof(uint64_t)]; /* a piece that spans two blocks */
    bool is_walking;                                        /* target_view reads ahead */
    struct last_view last_view;                             /* empty outside walks */
    struct stream streams[TARGET_STREAM_COUNT];
    struct unreadable_range unreadable; /* the last one that read-ahead met */
    uint32_t last_stream;               /* the stream used last */
    uint8_t *stream_bytes; /* TARGET_STREAM_COUNT windows; NULL before the first walk */
};

/* The result of CALLBACK, a member of TARGET, called with the tool context and the given arguments.
 * ompd_rc_interrupted once a callback has returned that. */
#define TARGET_CALL(target, callback, ...)                                                         \
    CALL_OUT(&(target)->memory->call, (target)->callback((target)->context, __VA_ARGS__))

/* Set up TARGET from checked tables, and ask the tool for sizes and byte order. Allocations come
 * from MEMORY, which must outlive TARGET. Returns ompd_rc_ok, the failing callback's code, or
 * ompd_rc_error when its answer is impossible. */
ompd_rc_t target_open(struct target *target, struct memory *memory,
                      const ompd_callbacks_t *callbacks, const ompd_cl_extra_t *extra,
                      ompd_address_space_context_t *context);

/* Begin a new stop: everything read so far belongs to an earlier one. */
void target_refresh(struct target *target);

/* Resolve the symbol NAME. Returns ompd_rc_ok, ompd_rc_unavailable when there is no such symbol, or
 * ompd_rc_error when the tool failed. */
ompd_rc_t target_symbol(struct target *target, const char *name, uint64_t *address);

/* Report to the tool that the SIZE bytes at ADDRESS are read. */
void target_report_read(struct target *target, uint64_t address, uint64_t size);

/* Report the same if the tool wants to know. */
static inline void target_note_read(struct target *target, uint64_t address, uint64_t size)
{
    if (__builtin_expect(target->extra.on_read != NULL, 0))
        target_report_read(target, address, size);
}

/* For target_view: bytes outside the last view, read into the cache if they are not there. */
ompd_rc_t target_cached(struct target *target, uint64_t address, uint64_t size, uint64_t stamp,
                        const uint8_t **bytes);

/*
 * View SIZE bytes at ADDRESS (at most TARGET_BLOCK_SIZE): *BYTES points to them until the next call
 * on TARGET. A STAMP other than 0 identifies the contents: bytes read under the same stamp at an
 * earlier stop are still valid. Returns ompd_rc_ok, ompd_rc_nomem, or ompd_rc_incomplete with
 * `failure` set.
 */
static inline ompd_rc_t target_view(struct target *target, uint64_t address, uint64_t size,
                                    uint64_t stamp, const uint8_t **bytes)
{
    uint64_t offset = address - target->last_view.start;

    target->views++;
    target_note_read(target, address, size);
    if (offset < target->last_view.size && size <= target->last_view.size - offset) {
        *bytes = target->last_view.bytes + offset;
        return ompd_rc_ok;
    }
    return target_cached(target, address, size, stamp, bytes);
}

/* Whether the page at START has been read as a block at this stop. */
bool target_has_block(const struct target *target, uint64_t start);

/* Whether the tool maps SIZE bytes at ADDRESS for the library, at *LENT. A tool that sets *LENT to
 * NULL does not. */
bool target_map(struct target *target, uint64_t address, uint64_t size, const void **mapped);

/* Read SIZE bytes at ADDRESS into BYTES as they are in the target now, bypassing the cache. Returns
 * ompd_rc_ok, or ompd_rc_incomplete with `failure` set. */
ompd_rc_t target_read_uncached(struct target *target, uint64_t address, uint64_t size, void *bytes);

/* The same for more bytes than were requested: a failed read is not an error, and `failure` stays
 * unchanged. */
ompd_rc_t target_read_raw(struct target *target, uint64_t address, uint64_t size, void *bytes);

/* Fill WINDOW with SIZE bytes at ADDRESS (at most TARGET_WINDOW_SIZE). Returns as target_view does;
 * WINDOW is empty after a failed read. */
ompd_rc_t target_fill(struct target *target, struct window *window, uint64_t address, uint64_t size,
                      uint64_t stamp);

/* Free the buffer of WINDOW. */
void target_window_close(struct target *target, struct window *window);

/* The unsigned integer of SIZE bytes (1, 2, 4 or 8) of the target at BYTES. */
static inline uint64_t target_integer(const struct target *target, const uint8_t *bytes,
                                      unsigned size)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;

    switch (size) {
    case 1:
        return bytes[0];
    case 2:
        __builtin_memcpy(&two, bytes, sizeof(two));
        return target->is_swapped ? __builtin_bswap16(two) : two;
    case 4:
        __builtin_memcpy(&four, bytes, sizeof(four));
        return target->is_swapped ? __builtin_bswap32(four) : four;
    default:
        __builtin_memcpy(&eight, bytes, sizeof(eight));
        return target->is_swapped ? __builtin_bswap64(eight) : eight;
    }
}

static inline bool target_is_big_endian(const struct target *target)
{
    return target->is_swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* Read the pointer-sized number at ADDRESS into *VALUE. Returns false when it cannot be read. */
static inline bool target_word(struct target *target, uint64_t address, uint64_t *value)
{
    const uint8_t *bytes;

    if (target_view(target, address, target->pointer_size, 0, &bytes) != ompd_rc_ok)
        return false;
    *value = target_integer(target, bytes, target->pointer_size);
    return true;
}

/* The unsigned integer of the target that is MEMBER of the struct TYPE at BYTES. */
#define TARGET_MEMBER(target, bytes, type, member)                                                 \
    target_integer(target, (bytes) + offsetof(struct type, member),                                \
                   sizeof(((struct type *)0)->member))

/* ---- target-log ------------------------------------------------------------------------------ */

/* Log lines about the tool's answers. Functions with the RC of a callback return it, or
 * ompd_rc_interrupted: see log_line_print. */

struct module;

/* The SIZE bytes at ADDRESS were "read" or mapped ("map"), according to WHAT. */
ompd_rc_t target_log_read(const struct target *target, const char *what, uint64_t address,
                          uint64_t size, ompd_rc_t rc);

/* The symbol NAME was resolved; it is at ADDRESS if RC is ompd_rc_ok. */
ompd_rc_t target_log_symbol(const struct target *target, const char *name, uint64_t address,
                            ompd_rc_t rc);

/* The same in module number INDEX only. */
ompd_rc_t target_log_module_symbol(const struct target *target, uint32_t index, const char *name,
                                   uint64_t address, ompd_rc_t rc);

/* The tool was asked for module number INDEX, which is MODULE where RC is ompd_rc_ok. */
ompd_rc_t target_log_module(const struct target *target, uint32_t index,
                            const struct module *module, ompd_rc_t rc);

/* WHAT was decided; WHY may be NULL. */
ompd_rc_t target_log_decision(const struct target *target, const char *what, const char *why);

/* ---- code ------------------------------------------------------------------------------------ */

/*
 * Which addresses of the target are code. A core omits the text of libraries, so where its regions
 * say nothing, the ELF headers of the modules do.
 */

/* The answer for the addresses [start, end), cached because callers ask about neighbours. */
struct code_range {
    uint64_t start;
    uint64_t end;
    bool is_code;
    uint16_t failure; /* ompd_cl_status_t of why it is not known, so they may be code; else 0 */
};

/* More than a process with many libraries and devices needs. Learning one range takes as many
 * callbacks as there are modules. */
#define CODE_RANGES 256

struct code {
    uint64_t stop;    /* the target's stop when the ranges were learned */
    unsigned count;   /* of ranges, which are ordered by address and do not overlap */
    unsigned last;    /* the range that answered last */
    ompd_rc_t doubt;  /* of answers since code_doubt_forget */
    uint16_t failure; /* ompd_cl_status_t of the last doubtful one */
    struct code_range ranges[CODE_RANGES];
};

/* Whether ADDRESS can be the address of a function. If the tool reports neither regions nor
 * modules, any address but 0 can. So can an address without any report, but that answer is
 * doubtful. */
bool code_is_there(struct code *code, struct target *target, uint64_t address);

/* Ask the tool again for what it failed to report at this stop. */
void code_retry(struct code *code);

/* Forget earlier doubts. */
void code_doubt_forget(struct code *code);

/* Whether each answer since then was certain: ompd_rc_ok; ompd_rc_incomplete, with `failure` of
 * TARGET, when one was not because the tool failed; ompd_rc_nomem. */
ompd_rc_t code_doubt_check(const struct code *code, struct target *target);

enum callback_sign {
    callback_has_code,   /* it may be called, or has been called */
    callback_lacks_code, /* it would be called, but there is no code at the address */
    callback_is_over     /* it has run, and its memory was returned to the allocator */
};

/* The evidence of FUNCTION, the function of the callback at ELEMENT, about the callback. Some
 * runtimes free a callback after it has run and leave it in the list. glibc's malloc then
 * overwrites its first word with a pointer to another chunk of the same heap, or with 0. Since
 * glibc 2.32 the pointer is mixed with the word's own address. */
enum callback_sign callback_inspect(struct code *code, struct target *target, uint64_t element,
                                    uint64_t function);

/* ---- module ---------------------------------------------------------------------------------- */

/* The files mapped into the target, as the tool reports them, and what their ELF headers in the
 * target's memory say. */

/* No process maps more files; further ones are ignored (law 6). */
#define MODULE_LIMIT 4096

struct module {
    char name[OMPD_CL_TEXT_SIZE]; /* its path, or an ellipsis and the end of a longer one */
    uint64_t name_length;         /* bytes of the whole path */
    uint8_t build_id[BUILD_ID_LIMIT];
    uint32_t build_id_size; /* 0: unknown */
    uint64_t start;         /* [start, end) */
    uint64_t end;
};

/* Get what the tool reports about module number INDEX. Returns ompd_rc_ok; ompd_rc_unavailable past
 * the last module; ompd_rc_incomplete when the tool failed or reported something impossible. */
ompd_rc_t module_get(struct target *target, uint32_t index, struct module *module);

/* The part of a text that the tool requests, and how much of it was read. */
struct text_part {
    uint64_t offset;
    uint64_t capacity;
    char *text;
    uint64_t count;
};

/* Read PART of the path of the module mapped at START or, for IS_BUILD_ID, of its build-id in
 * hexadecimal. Returns ompd_rc_ok; ompd_rc_unavailable when there is no such module;
 * ompd_rc_incomplete when the tool failed; ompd_rc_interrupted. */
ompd_rc_t module_text_read(struct target *target, uint64_t start, bool is_build_id,
                           struct text_part *part);

/* Find the symbol NAME in module number INDEX.  Returns ompd_rc_ok, ompd_rc_unavailable when it has
 * none, ompd_rc_incomplete when the tool failed. */
ompd_rc_t module_symbol(struct target *target, uint32_t index, const char *name, uint64_t *address);

/* The ELF machine number in MODULE's header; 0 when it cannot be read or is not one. */
uint32_t module_machine(struct target *target, const struct module *module);

/* The same for the first module that has one; all modules of a process have the same. */
uint32_t module_first_machine(struct target *target);

/*
 * Narrow RANGE, initially all of MODULE, to the segment around ADDRESS according to the program
 * headers, or to the gap between segments, which is not code. Returns as target_view does; RANGE is
 * unchanged where the headers cannot be read.
 */
ompd_rc_t module_segment_find(struct target *target, const struct module *module, uint64_t address,
                              struct code_range *range);

/* The end of MODULE's memory, including zero-initialised data that is not in the file. It comes
 * from the program headers, or is `end` where they cannot be read. */
uint64_t module_memory_end(struct target *target, const struct module *module);

/* The first address in MODULE's memory that may hold addresses. The read-only parts of a shared
 * object hold none, because the dynamic linker cannot have written them. `start` for other modules,
 * or where the headers cannot be read. */
uint64_t module_data_start(struct target *target, const struct module *module);

/* Find the first segment of MODULE that the program or the dynamic linker may write to, and that
 * ends above ADDRESS: [*START, *END). Returns as target_view does; ompd_rc_unavailable when there
 * is none. */
ompd_rc_t module_writable_find(struct target *target, const struct module *module, uint64_t address,
                               uint64_t *start, uint64_t *end);

/* Find the index of MODULE's unwind tables, .eh_frame_hdr, in *ADDRESS. Returns as target_view
 * does; ompd_rc_unavailable when there is none. */
ompd_rc_t module_unwind_index(struct target *target, const struct module *module,
                              uint64_t *address);

/* The dynamic section of MODULE. Addresses in it are as linked, or BIAS more. */
struct module_dynamic {
    uint64_t address; /* of its entries */
    uint64_t size;    /* of its entries, in bytes */
    uint64_t bias;
    bool is_64;
};

/* Find the dynamic section of MODULE in *DYNAMIC. Returns as target_view does; ompd_rc_unavailable
 * when there is none. */
ompd_rc_t module_dynamic_find(struct target *target, const struct module *module,
                              struct module_dynamic *dynamic);

/* ---- module-imports -------------------------------------------------------------------------- */

/* The functions that a module imports, according to its dynamic symbol table. */

/*
 * Set *HAS to whether MODULE imports one of the COUNT symbols in NAMES, each shorter than
 * MODULE_IMPORT_NAME. Returns ompd_rc_ok; ompd_rc_unavailable when the module has no such table, or
 * one of an unknown format; as target_view does when it could not be read.
 */
#define MODULE_IMPORT_NAME 24
ompd_rc_t module_imports_any(struct target *target, const struct module *module,
                             const char *const *names, uint32_t count, bool *has);

/* ---- thread ---------------------------------------------------------------------------------- */

/* The threads of the target and their stacks, as the tool reports them. */

/* No process has more threads; further ones are ignored (law 6). */
#define THREAD_LIMIT (UINT32_C(1) << 16)

/* Get thread number INDEX. Returns ompd_rc_ok; ompd_rc_unavailable past the last one;
 * ompd_rc_incomplete when the tool failed; ompd_rc_unsupported. */
ompd_rc_t thread_get(struct target *target, uint32_t index, ompd_cl_target_thread_t *thread);

/* The DWARF number of the stack pointer on the target's machine; UINT32_MAX when it is unknown. */
uint32_t stack_pointer_number(struct target *target);

/* Get the stack pointer, register NUMBER, of the thread LWP in *ADDRESS. Returns as thread_get
 * does; ompd_rc_unavailable when it is unknown. */
ompd_rc_t stack_pointer_get(struct target *target, uint32_t number, uint64_t lwp,
                            uint64_t *address);

/* The start of the first thread's stack, as glibc's dynamic linker records it; 0: unknown. */
uint64_t stack_main_begin(struct target *target);

/* Whether the main thread has ended. Sets its *LWP, and *COUNT to the number of live threads.
 * Returns false if it has not, or that is unknown. *RC is ompd_rc_ok; ompd_rc_incomplete when some
 * threads are not available; or what ends the call. */
bool main_thread_has_ended(struct target *target, uint64_t *lwp, uint64_t *count, ompd_rc_t *rc);

/* The number of frames read of a stack; further ones are ignored. */
#define THREAD_FRAMES 128
#define THREAD_REGISTERS 128

/* The number of registers stored for all outer frames together: those that functions preserve. */
#define OUTER_REGISTERS 512

/* A thread's call stack, innermost frame first, and the registers of its frames. */
struct thread_stack {
    uint64_t lwp; /* 0: no stack was read yet */
    uint64_t stop;
    uint32_t capacity;    /* number of frames that were requested */
    uint32_t frame_count; /* 0: the tool does not report it */
    uint32_t register_count;
    ompd_cl_frame_t frames[THREAD_FRAMES];
    ompd_cl_register_t registers[THREAD_REGISTERS];
    ompd_cl_register_t outer_registers[OUTER_REGISTERS];
};

/* Read the innermost frames of LWP, at most CAPACITY, into STACK. It makes no callback when STACK
 * already has them for this stop. */
void thread_stack_get(struct target *target, uint64_t lwp, uint32_t capacity,
                      struct thread_stack *stack);

/* Get register NUMBER of the first frame of STACK in *VALUE. Returns false if it is unknown. */
bool thread_register_get(const struct thread_stack *stack, uint32_t number, uint64_t *value);

/* The same for frame number FRAME, below its count, as the tool has unwound it. */
bool thread_frame_register_get(const struct thread_stack *stack, uint32_t frame, uint32_t number,
                               uint64_t *value);

/* ---- program-exit ---------------------------------------------------------------------------- */

/* Whether the program is exiting by itself. */

struct program_exit {
    uint64_t lwp;      /* of the thread that ends the program */
    bool is_immediate; /* it is in _exit(): no more handlers run */
};

/* Find a thread of the target that is in exit() or _exit(), by the call stacks that the tool
 * reports. STACK is used for these. Returns false if there is none, or the tool reports no
 * stacks. */
bool program_exit_find(struct target *target, struct thread_stack *stack,
                       struct program_exit *found);

#endif
