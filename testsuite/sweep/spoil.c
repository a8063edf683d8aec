/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "spoil.h"

#include "arguments.h"

#include <string.h>

#define BAD_INPUT SWEEP_CODE(ompd_rc_bad_input)
#define STALE SWEEP_CODE(ompd_rc_stale_handle)
#define UNAVAILABLE SWEEP_CODE(ompd_rc_unavailable)
#define UNSUPPORTED SWEEP_CODE(ompd_rc_unsupported)
#define INCOMPATIBLE SWEEP_CODE(ompd_rc_incompatible)
#define OTHER_HANDLE SWEEP_CODE(ompd_rc_incompatible_handle)

/* A word that was never issued may look like one that was, but is refused. */
#define REFUSED_HANDLE (BAD_INPUT | STALE | OTHER_HANDLE)
#define REFUSED_ID (BAD_INPUT | STALE)

/* ---- Which ways there are -------------------------------------------------------------------- */

#define WAY(way) (UINT32_C(1) << (way))
#define GARBAGE                                                                                    \
    (WAY(sweep_null) | WAY(sweep_ones) | WAY(sweep_one) | WAY(sweep_fill) | WAY(sweep_random))
#define GARBAGE_WORD (GARBAGE | WAY(sweep_heap_word) | WAY(sweep_flipped))

static uint32_t ways_of(enum sweep_kind kind)
{
    if (sweep_is_handle(kind))
        return GARBAGE_WORD | WAY(sweep_stale) | WAY(sweep_other_kind) | WAY(sweep_other_space) |
               (kind == sweep_thread ? WAY(sweep_ended) : 0);
    if (sweep_is_id(kind))
        return GARBAGE_WORD | WAY(sweep_other_kind) | WAY(sweep_other_space) |
               (kind == sweep_list ? WAY(sweep_stale) : WAY(sweep_ended));
    switch (kind) {
    case sweep_out_info:
    case sweep_out_rows:
        return WAY(sweep_null) | WAY(sweep_struct_size);
    case sweep_in_callbacks:
        return WAY(sweep_null) | WAY(sweep_entry);
    case sweep_in_extra:
        return WAY(sweep_null) | WAY(sweep_struct_size) | WAY(sweep_newer_size) | WAY(sweep_entry);
    case sweep_in_filter:
        return WAY(sweep_null) | WAY(sweep_struct_size) | WAY(sweep_newer_size) |
               WAY(sweep_contents);
    case sweep_in_native_id:
    case sweep_in_device:
    case sweep_in_layout:
    case sweep_in_variables:
        return WAY(sweep_null) | WAY(sweep_contents);
    /* 1 is a row kind, a stack, a size and an ICV; 0 and 1 are fields and kinds of thread ids; an
     * enumeration of ICVs begins with 0. */
    case sweep_stack:
    case sweep_row_kind:
    case sweep_number_size:
        return GARBAGE & ~WAY(sweep_one);
    case sweep_icv:
    case sweep_field_index:
    case sweep_native_kind:
        return GARBAGE & ~WAY(sweep_one) & ~WAY(sweep_null);
    case sweep_monitor:
        return WAY(sweep_null);
    case sweep_tool_context: /* the callbacks' business: another sweep's */
        return 0;
    default:
        return sweep_is_out(kind) ? WAY(sweep_null) : GARBAGE;
    }
}

/* The kinds of objects whose ids are tried where another's is wanted. */
static const uint32_t object_kinds[] = {
    ompd_cl_kind_context, ompd_cl_kind_queue,    ompd_cl_kind_memobj,
    ompd_cl_kind_svm,     ompd_cl_kind_svm_free, ompd_cl_kind_thread,
};
#define OBJECT_KINDS (sizeof(object_kinds) / sizeof(object_kinds[0]))

/* No struct's size: too small for itself, no multiple of 8, absurd. */
static const uint64_t wrong_sizes[] = {
    0, 1, 7, 12, 15, 1025, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 32,
};
#define WRONG_SIZES (sizeof(wrong_sizes) / sizeof(wrong_sizes[0]))

/* Of structs that the library only reads, any size that holds itself is right. */
#define WRONG_SIZES_READ 3

static unsigned times(enum sweep_way way, const struct sweep_argument *argument)
{
    switch (way) {
    case sweep_random:
    case sweep_contents:
        return SWEEP_PATTERNS;
    case sweep_flipped:
        return 64;
    case sweep_ended:
        return 2;
    case sweep_several:
        return SWEEP_MIXTURES;
    case sweep_other_kind:
        return sweep_is_id(argument->kind) ? OBJECT_KINDS + 1 : 2;
    case sweep_struct_size:
        return sweep_is_in(argument->kind) ? WRONG_SIZES_READ : WRONG_SIZES;
    case sweep_entry:
        return argument->size / sizeof(void *);
    default:
        return 1;
    }
}

bool sweep_spoil_get(const struct sweep_signature *signature, unsigned variants, uint64_t number,
                     struct sweep_spoil *spoil)
{
    uint64_t spoils = 0;

    for (spoil->argument = 0; spoil->argument < signature->count; spoil->argument++) {
        const struct sweep_argument *argument = &signature->arguments[spoil->argument];

        uint32_t ways = ways_of(argument->kind) |
                        (spoil->argument == 0 ? WAY(sweep_all_null) | WAY(sweep_several) : 0);

        for (spoil->way = 0; spoil->way <= sweep_entry; spoil->way++) {
            uint64_t count = (uint64_t)times(spoil->way, argument) * variants;

            if ((ways & WAY(spoil->way)) == 0)
                continue;
            if (number < spoils + count) {
                spoil->variant = (unsigned)((number - spoils) % variants);
                spoil->number = (unsigned)((number - spoils) / variants);
                return true;
            }
            spoils += count;
        }
    }
    return false;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* The same pattern for the same case in each run (SplitMix64). */
static uint64_t pattern(const struct sweep_spoil *spoil)
{
    uint64_t word = ((uint64_t)spoil->variant << 40 | (uint64_t)spoil->argument << 32 |
                     (uint64_t)spoil->way << 16 | spoil->number) *
                    UINT64_C(0x9e3779b97f4a7c15);

    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

static uint64_t garbage(const struct sweep_spoil *spoil, const struct sweep_request *request)
{
    switch (spoil->way) {
    case sweep_ones:
        return UINT64_MAX;
    case sweep_one:
        return 1;
    case sweep_fill:
        return UINT64_C(0x0101010101010101) * SWEEP_FILL;
    case sweep_heap_word:
        return (uintptr_t)request + 3;
    case sweep_random:
        return pattern(spoil);
    case sweep_flipped:
        return request->words[spoil->argument] ^ UINT64_C(1) << spoil->number;
    default:
        return 0;
    }
}

static bool is_of_library(const struct sweep_request *request)
{
    return strncmp(request->signature->name, "ompd_cl_", 8) == 0;
}

/* A handle of another kind: a thread's for an address space's, else the address space's; then a
 * device's.  What an OMPD function makes of a device is its own business. */
static uint32_t give_other_handle(const struct sweep_spoil *spoil, struct sweep_request *request)
{
    enum sweep_kind kind = request->signature->arguments[spoil->argument].kind;
    uint64_t *word = &request->words[spoil->argument];
    bool wants_space = kind == sweep_space || kind == sweep_space_or_null ||
                       (kind == sweep_scoped && request->threads[spoil->argument] == NULL);

    if (spoil->number == 0 && wants_space) {
        request->threads[spoil->argument] = sweep_thread_make(request->session, request->facts);
        *word = (uintptr_t)request->threads[spoil->argument];
    } else if (spoil->number == 0) {
        *word = (uintptr_t)request->session->space;
    } else {
        if (request->device == NULL)
            request->device = sweep_device_make(request->session, request->facts);
        *word = (uintptr_t)request->device;
    }
    if (*word == 0) /* not in this target */
        return 0;
    if (spoil->number == 1 && wants_space && !is_of_library(request))
        return SWEEP_CLEAN_CODE | OTHER_HANDLE | UNSUPPORTED | INCOMPATIBLE | BAD_INPUT;
    return kind == sweep_scoped ? OTHER_HANDLE | INCOMPATIBLE : OTHER_HANDLE;
}

static uint32_t give_stale_handle(const struct sweep_spoil *spoil, struct sweep_request *request,
                                  struct sweep_session *other)
{
    enum sweep_kind kind = request->signature->arguments[spoil->argument].kind;
    ompd_thread_handle_t *thread = sweep_thread_make(other, request->facts);

    if (kind == sweep_space || kind == sweep_space_or_null || thread == NULL) {
        request->words[spoil->argument] = (uintptr_t)other->space;
        ompd_rel_address_space_handle(other->space);
        other->space = NULL;
        return STALE;
    }
    ompd_rel_thread_handle(thread);
    request->words[spoil->argument] = (uintptr_t)thread;
    return STALE | (kind == sweep_thread || kind == sweep_scoped ? 0 : OTHER_HANDLE);
}

/* One of two threads is of another address space: they cannot be compared. */
static uint32_t give_foreign_handle(const struct sweep_spoil *spoil, struct sweep_request *request,
                                    struct sweep_session *other)
{
    if (strcmp(request->signature->name, "ompd_thread_handle_compare") != 0)
        return 0;
    request->words[spoil->argument] = (uintptr_t)sweep_thread_make(other, request->facts);
    return BAD_INPUT;
}

static uint32_t spoil_handle(const struct sweep_spoil *spoil, struct sweep_request *request,
                             struct sweep_session *other)
{
    enum sweep_kind kind = request->signature->arguments[spoil->argument].kind;

    switch (spoil->way) {
    case sweep_other_kind:
        return give_other_handle(spoil, request);
    case sweep_stale:
        return give_stale_handle(spoil, request, other);
    case sweep_other_space:
        return give_foreign_handle(spoil, request, other);
    case sweep_null:
        request->words[spoil->argument] = 0;
        return kind == sweep_space_or_null ? SWEEP_CLEAN_CODE : BAD_INPUT;
    default:
        request->words[spoil->argument] = garbage(spoil, request);
        return REFUSED_HANDLE;
    }
}

/* Whether the id of another kind is of an object that has the requested list, too: of destructor
 * callbacks, or of the reference sites of its handle. */
static bool has_list(const struct sweep_spoil *spoil, const struct sweep_request *request)
{
    const struct sweep_signature *signature = request->signature;
    unsigned list = sweep_argument_find(signature, sweep_out_list);
    uint32_t rows = list < signature->count ? signature->arguments[list].rows : 0;
    uint32_t kind = spoil->number < OBJECT_KINDS ? object_kinds[spoil->number] : 0;

    if (rows == ompd_cl_kind_reference_site)
        return kind == ompd_cl_kind_context || kind == ompd_cl_kind_queue ||
               kind == ompd_cl_kind_memobj || kind == ompd_cl_kind_svm;
    return rows == ompd_cl_kind_destructor &&
           (kind == ompd_cl_kind_memobj || kind == ompd_cl_kind_context);
}

/* An id of another kind of object, or a list's where an object's is wanted and the other way. */
static uint64_t other_id(const struct sweep_spoil *spoil, struct sweep_request *request)
{
    const struct sweep_argument *argument = &request->signature->arguments[spoil->argument];

    if (spoil->number < OBJECT_KINDS)
        return object_kinds[spoil->number] == argument->rows && argument->kind != sweep_list
                   ? 0
                   : sweep_id_find(request->session, request->facts, object_kinds[spoil->number]);
    if (argument->kind == sweep_list && strcmp(request->signature->name, "ompd_cl_list_close") == 0)
        return 0;
    if (request->list.id != 0)
        ompd_cl_list_close(request->session->space, request->list);
    request->list = sweep_list_make(request->session, request->facts,
                                    argument->rows == ompd_cl_kind_memobj ? ompd_cl_kind_queue
                                                                          : ompd_cl_kind_memobj);
    return request->list.id;
}

static uint32_t spoil_id(const struct sweep_spoil *spoil, struct sweep_request *request,
                         struct sweep_session *other)
{
    const struct sweep_argument *argument = &request->signature->arguments[spoil->argument];
    uint64_t *word = &request->words[spoil->argument];

    switch (spoil->way) {
    case sweep_other_kind:
        *word = other_id(spoil, request);
        if (*word == 0)
            return 0;
        return has_list(spoil, request) ? SWEEP_CLEAN_CODE : BAD_INPUT;
    case sweep_stale:
        ompd_cl_list_close(request->session->space, request->list);
        request->list.id = 0;
        return STALE;
    case sweep_other_space:
        *word = argument->kind == sweep_list
                    ? sweep_list_make(other, request->facts, argument->rows).id
                    : sweep_id_find(other, request->facts, argument->rows);
        return *word != 0 ? REFUSED_ID : 0;
    default:
        *word = garbage(spoil, request);
        return REFUSED_ID;
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Which entries of the callback table the library cannot do without. */
static bool is_needed(size_t offset)
{
    return offset == offsetof(ompd_callbacks_t, alloc_memory) ||
           offset == offsetof(ompd_callbacks_t, free_memory) ||
           offset == offsetof(ompd_callbacks_t, sizeof_type) ||
           offset == offsetof(ompd_callbacks_t, symbol_addr_lookup) ||
           offset == offsetof(ompd_callbacks_t, read_memory) ||
           offset == offsetof(ompd_callbacks_t, device_to_host);
}

static uint32_t spoil_entry(const struct sweep_spoil *spoil, struct sweep_request *request)
{
    const size_t offset = spoil->number * sizeof(void *);
    bool is_callbacks = request->signature->arguments[spoil->argument].kind == sweep_in_callbacks;

    /* The size is not an entry, and without its session the monitor has no counter. */
    if (!is_callbacks && (offset == 0 || offset == offsetof(ompd_cl_extra_t, monitor_user_ptr)))
        return 0;
    memset((char *)sweep_request_memory_before(request, spoil->argument) + offset, 0,
           sizeof(void *));
    return is_callbacks && is_needed(offset) ? BAD_INPUT | UNSUPPORTED : SWEEP_CLEAN_CODE;
}

/* Any conditions are good for a filter; no object has a random id. */
static uint32_t spoil_contents(const struct sweep_spoil *spoil, struct sweep_request *request)
{
    enum sweep_kind kind = request->signature->arguments[spoil->argument].kind;
    char *memory = sweep_request_memory_before(request, spoil->argument);
    uint64_t word = spoil->number == 0 ? 0 : spoil->number == 1 ? UINT64_MAX : pattern(spoil);

    if (kind == sweep_in_filter) {
        size_t members = sizeof(ompd_cl_filter_t) / sizeof(word) - 1;
        memcpy(memory + sizeof(word) * (1 + spoil->number % members), &word, sizeof(word));
        return SWEEP_CLEAN_CODE;
    }
    memcpy(memory, &word, sizeof(word));
    if (kind == sweep_in_variables || kind == sweep_in_layout)
        return BAD_INPUT;
    return word == 0 ? BAD_INPUT | UNAVAILABLE : UNAVAILABLE;
}

static uint32_t spoil_memory(const struct sweep_spoil *spoil, struct sweep_request *request)
{
    enum sweep_kind kind = request->signature->arguments[spoil->argument].kind;
    void *memory = sweep_request_memory_before(request, spoil->argument);
    uint64_t size = UINT64_MAX - 7;

    switch (spoil->way) {
    case sweep_struct_size:
        memcpy(memory, &wrong_sizes[spoil->number], sizeof(wrong_sizes[0]));
        return BAD_INPUT;
    case sweep_newer_size:
        memcpy(memory, &size, sizeof(size));
        return SWEEP_CLEAN_CODE;
    case sweep_contents:
        return spoil_contents(spoil, request);
    case sweep_entry:
        return spoil_entry(spoil, request);
    default:
        request->words[spoil->argument] = 0;
        return kind == sweep_out_optional || kind == sweep_in_extra || kind == sweep_in_filter
                   ? SWEEP_CLEAN_CODE
                   : BAD_INPUT;
    }
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static bool quiet_monitor(void *user, ssize_t bytes, bool post)
{
    (void)user;
    (void)bytes;
    (void)post;
    return true;
}

static uint32_t spoil_number(const struct sweep_spoil *spoil, struct sweep_request *request)
{
    const struct sweep_signature *signature = request->signature;

    request->words[spoil->argument] = garbage(spoil, request);
    switch (signature->arguments[spoil->argument].kind) {
    case sweep_cl_handle:
    case sweep_lwp:
    case sweep_field_index:
        return UNAVAILABLE;
    case sweep_text_offset:
        return SWEEP_CLEAN_CODE;
    case sweep_stack:
    case sweep_text_key:
    case sweep_row_kind:
    case sweep_icv:
    case sweep_state:
    case sweep_layout_size:
    case sweep_sources:
    case sweep_number_size:
        return BAD_INPUT;
    case sweep_address:
        return SWEEP_CLEAN_CODE | BAD_INPUT | SWEEP_CODE(ompd_rc_incomplete);
    case sweep_capacity:
        /* Of a list no rows are too few; of a stack they only ask for its depth. */
        if (spoil->way != sweep_null)
            return SWEEP_CLEAN_CODE | BAD_INPUT;
        return sweep_argument_find(signature, sweep_list) < signature->count ? BAD_INPUT
                                                                             : SWEEP_CLEAN_CODE;
    case sweep_scope:
        return BAD_INPUT | UNSUPPORTED | INCOMPATIBLE | OTHER_HANDLE;
    case sweep_device_kind:
    case sweep_native_kind:
    case sweep_native_size:
        return BAD_INPUT | UNSUPPORTED;
    case sweep_api_version:
        return spoil->way == sweep_random ? SWEEP_CLEAN_CODE | UNSUPPORTED | BAD_INPUT
                                          : UNSUPPORTED | BAD_INPUT;
    case sweep_thread_number:
    case sweep_log_level:
        return SWEEP_CLEAN_CODE | BAD_INPUT;
    case sweep_user_ptr:
        request->words[sweep_argument_find(signature, sweep_monitor)] = (uintptr_t)quiet_monitor;
        return SWEEP_CLEAN_CODE;
    default: /* a limit or a monitor */
        return SWEEP_CLEAN_CODE;
    }
}

/* The queried object ends; nothing else of it was read until then. */
static uint32_t end_object(const struct sweep_spoil *spoil, struct sweep_request *request,
                           uint32_t kind)
{
    const struct sweep_target *target = request->session->target;
    bool may_be_there;

    if (target->end_object == NULL)
        return 0;
    may_be_there = target->end_object(kind, spoil->number == 1);
    ompd_cl_address_space_refresh(request->session->space);
    /* A handle outlives its thread. */
    if (strcmp(request->signature->name, "ompd_rel_thread_handle") == 0)
        return SWEEP_CLEAN_CODE;
    return may_be_there ? STALE | SWEEP_CODE(ompd_rc_incomplete) : STALE;
}

/* Spoil one argument. */
static uint32_t spoil_one(const struct sweep_spoil *spoil, struct sweep_request *request,
                          struct sweep_session *other)
{
    const struct sweep_argument *argument = &request->signature->arguments[spoil->argument];
    enum sweep_kind kind = argument->kind;

    if (spoil->way == sweep_ended)
        return end_object(spoil, request,
                          kind == sweep_thread ? ompd_cl_kind_thread : argument->rows);
    if (sweep_is_handle(kind))
        return spoil_handle(spoil, request, other);
    if (sweep_is_id(kind))
        return spoil_id(spoil, request, other);
    if (sweep_is_out(kind) || sweep_is_in(kind))
        return spoil_memory(spoil, request);
    return spoil_number(spoil, request);
}

/* Spoil some of the arguments, each in one of its own ways. Any code is right that fits the changes
 * to the out parameters. */
static uint32_t spoil_several(const struct sweep_spoil *mixture, struct sweep_request *request,
                              struct sweep_session *other)
{
    uint64_t random = pattern(mixture);

    for (unsigned i = 0; i < request->signature->count; i++) {
        uint32_t ways = ways_of(request->signature->arguments[i].kind);
        unsigned choice = (unsigned)(random >> 10 * i & 1023);
        struct sweep_spoil one = {mixture->variant, i, (enum sweep_way)(choice % 32), 0};

        if (one.way > sweep_entry || (ways & WAY(one.way)) == 0)
            continue;
        one.number = choice / 32 % times(one.way, &request->signature->arguments[i]);
        spoil_one(&one, request, other);
    }
    return ~SWEEP_CLEAN_CODE;
}

uint32_t sweep_spoil_apply(const struct sweep_spoil *spoil, struct sweep_request *request,
                           struct sweep_session *other)
{
    if (spoil->way == sweep_several)
        return spoil_several(spoil, request, other);
    if (spoil->way == sweep_all_null) {
        memset(request->words, 0, sizeof(request->words));
        return BAD_INPUT | UNSUPPORTED;
    }
    return spoil_one(spoil, request, other);
}
