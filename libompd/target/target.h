/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The target: its memory, its modules, the code in them, glibc's heap, and stacks. */
#ifndef LIBOMPD_TARGET_H
#define LIBOMPD_TARGET_H

#include "base/base.h"

#include <stdbool.h>

/* ---- target ---------------------------------------------------------------------------------- */

/* The target as the tool's callbacks show it: symbols, sizes, byte order, memory. */

/* Point questions read at most this much at once (law 9). */
#define TARGET_BLOCK_SIZE 4096
#define TARGET_BLOCK_COUNT 64

/* Walks read up to this much at once. */
#define TARGET_WINDOW_SIZE (1024 * 1024)

/* A page of target memory that has been read.  Of an earlier stop when its `stop` is not the
 * target's; then good only if `stamp` still holds. */
struct block {
    uint64_t start;
    uint64_t stop;
    uint64_t stamp;
    uint32_t used; /* when last */
    bool is_filled;
};

/* A larger stretch, with a buffer of its own. */
struct window {
    uint64_t start;
    uint64_t size; /* 0: nothing in it */
    uint64_t stop;
    uint64_t stamp;
    const uint8_t *bytes; /* in `buffer`, or lent by the tool */
    void *buffer;
    uint64_t capacity;
    bool is_searched; /* who fills it says itself what of it is looked at */
};

/* Read-ahead of a walk, in growing pieces. */
struct stream {
    uint64_t start;
    uint64_t size; /* 0: nothing in it */
    uint64_t stop;
    uint64_t fetched;     /* up to this offset the processor was asked to have it at hand */
    const uint8_t *bytes; /* in the target's `stream_bytes`, or lent by the tool */
    uint32_t used;        /* when last */
};

/* The end of the last view of a stream, and up to TARGET_BLOCK_SIZE that follow. */
struct last_view {
    uint64_t start;
    uint64_t size; /* 0: nothing in it */
    const uint8_t *bytes;
};

/* An unreadable range at one stop, narrowed by bisection. */
struct unreadable_range {
    uint64_t stop;
    uint64_t start;
    uint64_t end;
};

/* One for the objects of a walk, one for what they point to, and so on. */
#define TARGET_STREAM_COUNT 4
#define TARGET_STREAM_BYTES ((size_t)TARGET_STREAM_COUNT * TARGET_WINDOW_SIZE)

struct target {
    struct memory *memory;
    struct log log;
    ompd_callbacks_t callbacks;
    ompd_cl_extra_t extra;
    ompd_address_space_context_t *context;
    uint32_t pointer_size;
    bool is_swapped;  /* its byte order is not ours */
    uint64_t stop;    /* counts the refreshes, from 1 */
    uint16_t failure; /* ompd_cl_status_t of the last read that failed */
    uint32_t clock;   /* of the blocks' `used` */
    uint64_t views;   /* calls of target_view so far */
    struct block blocks[TARGET_BLOCK_COUNT];
    uint8_t *block_bytes; /* TARGET_BLOCK_COUNT blocks; NULL before the first read */
    uint64_t scratch[TARGET_BLOCK_SIZE / sizeof(uint64_t)]; /* a piece that spans two blocks */
    bool is_walking;                                        /* views read ahead */
    struct last_view last_view;                             /* empty when not walking */
    struct stream streams[TARGET_STREAM_COUNT];
    struct unreadable_range unreadable; /* the last that read-ahead met */
    uint32_t last_stream;               /* that was used */
    uint8_t *stream_bytes; /* TARGET_STREAM_COUNT windows; NULL before the first walk */
};

/* Call CALLBACK, a member of TARGET, with the tool context and the arguments given.  Its value, or
 * ompd_rc_interrupted once one has returned that. */
#define TARGET_CALL(target, callback, ...)                                                         \
    CALL_OUT(&(target)->memory->call, (target)->callback((target)->context, __VA_ARGS__))

/* Set TARGET up from tables that were checked, and ask the tool for sizes and byte order.  MEMORY
 * is what it allocates from, and must outlive it.
 * Returns ompd_rc_ok, the failing callback's code, or ompd_rc_error when its answer cannot be. */
ompd_rc_t target_open(struct target *target, struct memory *memory,
                      const ompd_callbacks_t *callbacks, const ompd_cl_extra_t *extra,
                      ompd_address_space_context_t *context);

/* A new stop: what was read is of an earlier one. */
void target_refresh(struct target *target);

/* Look NAME up in the target.  Returns ompd_rc_ok, ompd_rc_unavailable when there is no such
 * symbol, or ompd_rc_error when the tool failed. */
ompd_rc_t target_symbol(struct target *target, const char *name, uint64_t *address);

/* Tell the tool, which wants to know, that the SIZE bytes at ADDRESS are looked at. */
void target_report_read(struct target *target, uint64_t address, uint64_t size);

/* The same where it need not. */
static inline void target_note_read(struct target *target, uint64_t address, uint64_t size)
{
    if (__builtin_expect(target->extra.on_read != NULL, 0))
        target_report_read(target, address, size);
}

/* For target_view: bytes outside the last view. */
ompd_rc_t target_cached(struct target *target, uint64_t address, uint64_t size, uint64_t stamp,
                        const uint8_t **bytes);

/*
 * Look at SIZE bytes at ADDRESS (at most TARGET_BLOCK_SIZE): *BYTES points to them until the next
 * call on TARGET.  STAMP, when not 0, stands for the contents: what was read under the same stamp
 * at an earlier stop is still good. Returns ompd_rc_ok, ompd_rc_nomem, or ompd_rc_incomplete with
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

/* Tell whether the page at START has been read as a block at this stop. */
bool target_has_block(const struct target *target, uint64_t start);

/* Tell whether the tool lends SIZE bytes at ADDRESS, at *LENT; one that lends NULL does not. */
bool target_map(struct target *target, uint64_t address, uint64_t size, const void **lent);

/* Read SIZE bytes at ADDRESS into BYTES as they are in the target now, whatever was read of it
 * before.  Returns ompd_rc_ok, or ompd_rc_incomplete with `failure` set. */
ompd_rc_t target_read_uncached(struct target *target, uint64_t address, uint64_t size, void *bytes);

/* The same of more than what is asked for: that it cannot be read is no failure, and `failure`
 * stays as it is. */
ompd_rc_t target_read_raw(struct target *target, uint64_t address, uint64_t size, void *bytes);

/* Fill WINDOW with SIZE bytes at ADDRESS (at most TARGET_WINDOW_SIZE).  Returns as target_view;
 * when the read fails the window is empty. */
ompd_rc_t target_fill(struct target *target, struct window *window, uint64_t address, uint64_t size,
                      uint64_t stamp);

/* Give back a window's buffer. */
void target_window_close(struct target *target, struct window *window);

/* An unsigned integer of SIZE bytes (1, 2, 4 or 8) of the target at BYTES. */
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

/* The number of a pointer's size at ADDRESS, in *VALUE.  False when it cannot be read. */
static inline bool target_word(struct target *target, uint64_t address, uint64_t *value)
{
    const uint8_t *bytes;

    if (target_view(target, address, target->pointer_size, 0, &bytes) != ompd_rc_ok)
        return false;
    *value = target_integer(target, bytes, target->pointer_size);
    return true;
}

/* An unsigned integer of the target: MEMBER of a struct TYPE that lies at BYTES. */
#define TARGET_MEMBER(target, bytes, type, member)                                                 \
    target_integer(target, (bytes) + offsetof(struct type, member),                                \
                   sizeof(((struct type *)0)->member))

/* ---- target-log ------------------------------------------------------------------------------ */

/* Lines of the diagnostic log about what the tool answered.  Those that are given the RC of a
 * callback return it, or ompd_rc_interrupted: see log_line_print. */

struct module;

/* WHAT, "read" or "map", was done to the SIZE bytes at ADDRESS. */
ompd_rc_t target_log_read(const struct target *target, const char *what, uint64_t address,
                          uint64_t size, ompd_rc_t rc);

/* The symbol NAME was looked up, and is at ADDRESS where RC is ompd_rc_ok. */
ompd_rc_t target_log_symbol(const struct target *target, const char *name, uint64_t address,
                            ompd_rc_t rc);

/* The same in module number INDEX alone. */
ompd_rc_t target_log_module_symbol(const struct target *target, uint32_t index, const char *name,
                                   uint64_t address, ompd_rc_t rc);

/* The tool was asked for module number INDEX, which is MODULE where RC is ompd_rc_ok. */
ompd_rc_t target_log_module(const struct target *target, uint32_t index,
                            const struct module *module, ompd_rc_t rc);

/* WHAT was decided; WHY may be NULL. */
ompd_rc_t target_log_decision(const struct target *target, const char *what, const char *why);

/* ---- code ------------------------------------------------------------------------------------ */

/*
 * Which addresses of the target are code.  A core leaves the text of libraries out, so what its
 * regions do not say is told by the ELF headers of the modules.
 */

/* The answer for the addresses [start, end), kept because callers ask about neighbours. */
struct code_range {
    uint64_t start;
    uint64_t end;
    bool is_code;
    uint16_t failure; /* ompd_cl_status_t: why nobody can tell, so that they may be code; else 0 */
};

/* More than a process with many libraries and devices has: to learn one takes as many callbacks as
 * there are modules. */
#define CODE_RANGES 256

struct code {
    uint64_t stop;    /* the target's at which the ranges were learned */
    unsigned count;   /* of ranges, which lie in the order of addresses and do not overlap */
    unsigned last;    /* that has answered */
    ompd_rc_t doubt;  /* of answers since code_doubt_forget */
    uint16_t failure; /* ompd_cl_status_t of the last of them that was doubtful */
    struct code_range ranges[CODE_RANGES];
};

/* Tell whether ADDRESS can be that of a function.  Where the tool tells neither regions nor
 * modules, any address but 0 can; so can one of which nobody can tell, but that is a doubt. */
bool code_is_there(struct code *code, struct target *target, uint64_t address);

/* Ask the tool again what it failed to tell at this stop. */
void code_retry(struct code *code);

/* Forget earlier doubts. */
void code_doubt_forget(struct code *code);

/* Tell whether each answer since then was sure: ompd_rc_ok; ompd_rc_incomplete, with `failure` of
 * TARGET, when one was not because the tool failed; ompd_rc_nomem. */
ompd_rc_t code_doubt_check(const struct code *code, struct target *target);

enum callback_sign {
    callback_has_code,   /* it may be called, or has been */
    callback_lacks_code, /* so it would be, but no code is there */
    callback_is_over     /* it has run: the allocator has taken its memory back */
};

/*
 * Tell what FUNCTION, which the callback at ELEMENT has, says about it.  Some runtimes free a
 * callback once it has run, and leave it in the list; glibc's malloc then writes over its first
 * word: a pointer to another chunk of the same heap, or none, since 2.32 mixed with the word's own
 * address.
 */
enum callback_sign callback_inspect(struct code *code, struct target *target, uint64_t element,
                                    uint64_t function);

/* ---- module ---------------------------------------------------------------------------------- */

/* The files that are mapped into the target, as the tool tells of them, and what the ELF headers in
 * the target's memory say of them. */

/* No process maps more files; further ones are not looked at (law 6). */
#define MODULE_LIMIT 4096

struct module {
    char name[OMPD_CL_TEXT_SIZE]; /* its path, or of a longer one an ellipsis and its end */
    uint64_t name_length;         /* bytes of all of the path */
    uint8_t build_id[BUILD_ID_LIMIT];
    uint32_t build_id_size; /* 0: not known */
    uint64_t start;         /* [start, end) */
    uint64_t end;
};

/* Copy what the tool tells of module number INDEX.  Returns ompd_rc_ok; ompd_rc_unavailable past
 * the last one; ompd_rc_incomplete when the tool failed or told what cannot be. */
ompd_rc_t module_get(struct target *target, uint32_t index, struct module *module);

/* A part of a text that the tool asks for, and how much of it was read. */
struct text_part {
    uint64_t offset;
    uint64_t capacity;
    char *text;
    uint64_t count;
};

/* Read PART of a text of the module that is mapped at START: of its path or, for IS_BUILD_ID, of
 * its build-id in hexadecimal.  Returns ompd_rc_ok; ompd_rc_unavailable when there is no such
 * module; ompd_rc_incomplete when the tool failed; ompd_rc_interrupted. */
ompd_rc_t module_text_read(struct target *target, uint64_t start, bool is_build_id,
                           struct text_part *part);

/* Find the symbol NAME in module number INDEX.  Returns ompd_rc_ok, ompd_rc_unavailable when it has
 * none, ompd_rc_incomplete when the tool failed. */
ompd_rc_t module_symbol(struct target *target, uint32_t index, const char *name, uint64_t *address);

/* The ELF machine number in MODULE's header, 0 when that cannot be read or is none. */
uint32_t module_machine(struct target *target, const struct module *module);

/* The same of the first module that has one: all of a process are of one machine. */
uint32_t module_first_machine(struct target *target);

/*
 * Narrow RANGE, which is all of MODULE, to what its program headers say about ADDRESS in it: the
 * segment there, or what lies between segments, which is no code.  Returns as target_view; where
 * they cannot be read RANGE is left as it is.
 */
ompd_rc_t module_segment_find(struct target *target, const struct module *module, uint64_t address,
                              struct code_range *range);

/* Where MODULE's memory ends, with data that begins as 0 and is not of the file: by its program
 * headers, or where they cannot be read at `end`. */
uint64_t module_memory_end(struct target *target, const struct module *module);

/* Where the first of MODULE's memory lies that may hold addresses: what is not writable of a shared
 * object has none, as the dynamic linker cannot have put them there.  `start` for what is none, or
 * where its headers cannot be read. */
uint64_t module_data_start(struct target *target, const struct module *module);

/* Where MODULE has the index of its unwind tables, .eh_frame_hdr, in *ADDRESS.  Returns as
 * target_view; ompd_rc_unavailable when it has none. */
ompd_rc_t module_unwind_index(struct target *target, const struct module *module,
                              uint64_t *address);

/* What MODULE tells the dynamic linker: the addresses that it has are as linked, or BIAS more. */
struct module_dynamic {
    uint64_t address; /* of the entries, */
    uint64_t size;    /* and their bytes */
    uint64_t bias;
    bool is_64;
};

/* Where MODULE has that, in *DYNAMIC.  Returns as target_view; ompd_rc_unavailable when it has
 * none. */
ompd_rc_t module_dynamic_find(struct target *target, const struct module *module,
                              struct module_dynamic *dynamic);

/* ---- module-imports -------------------------------------------------------------------------- */

/* Which functions of other modules a module calls, as its table for the dynamic linker says. */

/*
 * Tell in *HAS whether MODULE needs a symbol of another module that is one of the COUNT in NAMES,
 * each shorter than MODULE_IMPORT_NAME.  Returns ompd_rc_ok; ompd_rc_unavailable when the module
 * has no such table, or one that is not understood; as target_view when it could not be read.
 */
#define MODULE_IMPORT_NAME 24
ompd_rc_t module_imports_any(struct target *target, const struct module *module,
                             const char *const *names, uint32_t count, bool *has);

/* ---- thread ---------------------------------------------------------------------------------- */

/* The threads of the target and where their stacks end, as the tool tells them. */

/* No process has more threads; further ones are not looked at (law 6). */
#define THREAD_LIMIT (UINT32_C(1) << 16)

/* Tell thread number INDEX.  Returns ompd_rc_ok; ompd_rc_unavailable past the last one;
 * ompd_rc_incomplete when the tool failed; ompd_rc_unsupported. */
ompd_rc_t thread_get(struct target *target, uint32_t index, ompd_cl_target_thread_t *thread);

/* The number that DWARF has for the stack pointer of the target's machine; UINT32_MAX when that is
 * not known. */
uint32_t stack_pointer_number(struct target *target);

/* Tell in *ADDRESS the stack pointer, of that NUMBER, of the thread LWP.  Returns as thread_get;
 * ompd_rc_unavailable when it is not known. */
ompd_rc_t stack_pointer_get(struct target *target, uint32_t number, uint64_t lwp,
                            uint64_t *address);

/* Where the first thread's stack began, as the dynamic linker of glibc keeps it; 0: not known. */
uint64_t stack_main_begin(struct target *target);

/* Tell whether the main thread has ended, *LWP, and in *COUNT how many live.  False: it has not, or
 * that is not known.  *RC gets ompd_rc_ok; ompd_rc_incomplete when not all threads could be had;
 * what ends the call. */
bool main_thread_has_ended(struct target *target, uint64_t *lwp, uint64_t *count, ompd_rc_t *rc);

/* Frames that are had of a stack, and registers of a thread; further ones are not looked at. */
#define THREAD_FRAMES 128
#define THREAD_REGISTERS 128

/* Registers of further frames that are kept, of all together: those that functions preserve. */
#define OUTER_REGISTERS 512

/* A thread's call stack, innermost first, and the registers of its frames, the stack's own copy. */
struct thread_stack {
    uint64_t lwp; /* 0: none was asked for yet */
    uint64_t stop;
    uint32_t capacity;    /* frames that were asked for */
    uint32_t frame_count; /* 0: the tool does not tell it */
    uint32_t register_count;
    ompd_cl_frame_t frames[THREAD_FRAMES];
    ompd_cl_register_t registers[THREAD_REGISTERS];
    ompd_cl_register_t outer_registers[OUTER_REGISTERS];
};

/* Have in STACK the innermost frames of LWP, at most CAPACITY.  Nothing is asked when it has them,
 * of this stop. */
void thread_stack_get(struct target *target, uint64_t lwp, uint32_t capacity,
                      struct thread_stack *stack);

/* The value of register NUMBER of the first frame of STACK in *VALUE.  False: it is not known. */
bool thread_register_get(const struct thread_stack *stack, uint32_t number, uint64_t *value);

/* The same of frame FRAME, below its count, as the tool has unwound it. */
bool thread_frame_register_get(const struct thread_stack *stack, uint32_t frame, uint32_t number,
                               uint64_t *value);

/* ---- program-exit ---------------------------------------------------------------------------- */

/* Whether the target's program is ending of its own will. */

struct program_exit {
    uint64_t lwp;      /* of the thread that ends the program */
    bool is_immediate; /* it is in _exit(): no handler is run any more */
};

/* Find a thread of the target that is in exit() or _exit(), as the tool tells its call stack, for
 * which STACK has room.  False: there is none, or the tool does not tell. */
bool program_exit_find(struct target *target, struct thread_stack *stack,
                       struct program_exit *found);

#endif
