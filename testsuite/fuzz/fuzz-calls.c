/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of any public function in any order, with handles, ids and lists that are valid, released
 * or invented (law 3).  Each byte of the input is one choice. */
#include "ask.h"
#include "cost.h"
#include "fuzz.h"
#include "small-memory.h"
#include "small-targets.h"

#include "../sweep/caller.h"

#include <string.h>

#define MOST_CALLS 64
#define MOST_KEPT 16
#define MOST_ROWS 4
#define ROOM 4096 /* bytes that a pointer points to, unless that is an array of rows */
#define LAST_KIND ompd_cl_kind_message

/* What the library returned, in order; the oldest are dropped when it is full. */
struct kept {
    uint64_t items[MOST_KEPT];
    unsigned count;
};

static struct {
    const uint8_t *data;
    size_t size;
    struct fake_target *target;
    struct kept spaces;
    struct kept threads;
    struct kept lists;
    struct kept ids;
    struct kept variables;
    ompd_cl_extra_t extra;
    ompd_callbacks_t callbacks;
} calls;

static uint8_t next(void)
{
    if (calls.size == 0)
        return 0;
    calls.size--;
    return *calls.data++;
}

static uint64_t next_number(void)
{
    uint8_t how = next();
    uint64_t number = 0;

    if (how < 128)
        return how;
    for (unsigned i = 0; i < (how & 7U) + 1; i++)
        number = number << 8 | next();
    return number;
}

static void keep(struct kept *kept, uint64_t item)
{
    uint64_t oldest = kept->items[kept->count % MOST_KEPT];

    if (kept == &calls.spaces)
        ompd_rel_address_space_handle((void *)(uintptr_t)oldest);
    kept->items[kept->count++ % MOST_KEPT] = item;
}

/* A stored value, or occasionally another number. */
static uint64_t some(const struct kept *kept)
{
    uint8_t which = next();
    unsigned count = kept->count < MOST_KEPT ? kept->count : MOST_KEPT;

    if (count == 0 || which >= 240)
        return which == 255 ? next_number() : 0;
    return kept->items[(kept->count - 1 - which % count) % MOST_KEPT];
}

static uint64_t some_handle(void)
{
    return some(next() % 4 == 0 ? &calls.threads : &calls.spaces);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

/* Of a population: what objects, threads and devices are called. */
static uint64_t some_name(void)
{
    static const uint64_t names[] = {0x7000, 0x8040, 0x9080, 0x90c0,  0x9100,  0xa140, 0xb000,
                                     0xc000, 0xd000, 0xe000, 0x50000, 0x50001, 4711,   4712};
    uint8_t which = next();

    return which < 200 ? names[which % (sizeof(names) / sizeof(names[0]))] : next_number();
}

static void *memory_of(const struct sweep_argument *argument)
{
    /* So much as rows take, so that a byte too many is seen. */
    size_t size = argument->kind == sweep_out_rows   ? MOST_ROWS * (size_t)argument->size
                  : argument->kind == sweep_out_info ? argument->size
                                                     : ROOM;
    ompd_size_t struct_size = argument->size;
    uint8_t how = next();
    uint8_t *memory = malloc(size);

    memset(memory, 0, size);
    if (how >= 200)
        struct_size = how % 3 == 0 ? next() : argument->size / 16 * 8;
    if (struct_size > argument->size)
        struct_size = argument->size;
    memcpy(memory, &struct_size, sizeof(struct_size));
    return memory;
}

static void fill_input(enum sweep_kind kind, uint8_t *memory)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter)};
    uint64_t name = some_name();

    switch (kind) {
    case sweep_in_callbacks:
        calls.callbacks = *small_callbacks();
        memcpy(memory, &calls.callbacks, sizeof(calls.callbacks));
        break;
    case sweep_in_extra:
        calls.extra = fake_extra;
        memcpy(memory, &calls.extra, sizeof(calls.extra));
        break;
    case sweep_in_filter:
        filter.context = next() % 2 == 0 ? 0 : some_name();
        filter.kinds = next_number();
        filter.states = next_number();
        filter.min_size = next_number();
        filter.queue = next() % 2 == 0 ? 0 : some_name();
        memcpy(memory, &filter, sizeof(filter));
        break;
    case sweep_in_layout:
        for (unsigned i = 0; i < SWEEP_LAYOUT_SIZE; i++)
            memory[i] = next();
        break;
    case sweep_in_variables:
        name = some(&calls.variables);
        memcpy(memory, &name, sizeof(name));
        break;
    default: /* a native id */
        memcpy(memory, &name, sizeof(name));
    }
}

static uint64_t number_of(enum sweep_kind kind)
{
    switch (kind) {
    case sweep_cl_handle:
    case sweep_lwp:
        return some_name();
    case sweep_capacity:
        return next() % (MOST_ROWS + 1);
    case sweep_row_kind:
        return next() % (LAST_KIND + 2);
    case sweep_scope:
        return next() % 8;
    case sweep_native_size:
        return next() % 17;
    case sweep_layout_size:
        return next() % (SWEEP_LAYOUT_SIZE + 1);
    case sweep_tool_context:
        return (uint64_t)(uintptr_t)calls.target;
    case sweep_user_ptr:
    case sweep_monitor:
        return 0;
    default:
        return next_number();
    }
}

static uint64_t word_of(const struct sweep_argument *argument, void **memory)
{
    *memory = NULL;
    if (argument->kind == sweep_thread)
        return some(&calls.threads);
    if (argument->kind == sweep_space || argument->kind == sweep_space_or_null)
        return some(&calls.spaces);
    if (sweep_is_handle(argument->kind))
        return some_handle();
    if (argument->kind == sweep_list)
        return some(&calls.lists);
    if (sweep_is_id(argument->kind))
        return some(&calls.ids);
    if (!sweep_is_out(argument->kind) && !sweep_is_in(argument->kind))
        return number_of(argument->kind);
    if (next() >= 245)
        return 0;
    *memory = memory_of(argument);
    if (sweep_is_in(argument->kind))
        fill_input(argument->kind, *memory);
    return (uint64_t)(uintptr_t)*memory;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static void take_text(uint64_t pointer)
{
    if (pointer != 0)
        small_callbacks()->free_memory((void *)(uintptr_t)pointer);
}

/* Store or release the result of the call. */
static void take(const struct sweep_argument *argument, const void *memory)
{
    uint64_t item;
    uint64_t id;

    memcpy(&item, memory, sizeof(item));
    switch (argument->kind) {
    case sweep_out_space:
    case sweep_out_device:
        keep(&calls.spaces, item);
        break;
    case sweep_out_thread:
        keep(&calls.threads, item);
        break;
    case sweep_out_list:
        keep(&calls.lists, item);
        break;
    case sweep_out_id:
        keep(&calls.ids, item);
        break;
    case sweep_out_info:
    case sweep_out_rows:
        memcpy(&id, (const uint8_t *)memory + sizeof(item), sizeof(id));
        keep(&calls.ids, id);
        break;
    case sweep_out_variables:
        keep(&calls.variables, item);
        break;
    case sweep_out_own_text:
    case sweep_out_own_array:
        take_text(item);
        break;
    default:
        break;
    }
}

static void check(const struct sweep_signature *signature, ompd_rc_t rc)
{
    fuzz_require((rc >= ompd_rc_ok && rc <= ompd_rc_incompatible_handle) ||
                     rc == ompd_rc_interrupted,
                 "%s gave %d", signature->name, (int)rc);
    cost_check();
}

static void call(const struct sweep_signature *signature)
{
    uint64_t words[SWEEP_ARGUMENT_LIMIT] = {0};
    void *memory[SWEEP_ARGUMENT_LIMIT] = {NULL};
    ompd_rc_t rc;

    for (unsigned i = 0; i < signature->count; i++)
        words[i] = word_of(&signature->arguments[i], &memory[i]);
    rc = sweep_call(signature, words);
    check(signature, rc);
    for (unsigned i = 0; i < signature->count; i++) {
        if (memory[i] != NULL && (rc == ompd_rc_ok || rc == ompd_rc_incomplete))
            take(&signature->arguments[i], memory[i]);
        free(memory[i]);
    }
}

static void open_space(void)
{
    ompd_address_space_handle_t *space = NULL;

    if (ompd_cl_address_space_create(small_callbacks(), &fake_extra, (void *)calls.target,
                                     &space) == ompd_rc_ok)
        keep(&calls.spaces, (uint64_t)(uintptr_t)space);
}

/* Release all results that still exist; the library refuses destroyed ones. */
static void end(void)
{
    for (unsigned i = 0; i < MOST_KEPT; i++) {
        const char *const *variables = (void *)(uintptr_t)calls.variables.items[i];

        if (variables != NULL)
            ompd_rel_display_control_vars(&variables);
    }
    for (unsigned i = 0; i < MOST_KEPT; i++)
        ompd_rel_address_space_handle((void *)(uintptr_t)calls.spaces.items[i]);
    ompd_finalize();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    memset(&calls, 0, sizeof(calls));
    calls.data = data;
    calls.size = size;
    calls.target = small_target_get(small_make_population, next())->fake;
    open_space();
    for (unsigned i = 0; i < MOST_CALLS && calls.size != 0; i++)
        call(&sweep_signatures[next() % sweep_signature_count]);
    end();
    cost_check_end();
    return 0;
}
