/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The live address spaces: how handles are resolved, and how calls on them begin and end. */
#include "answers/answers.h"

#include "answers/kept.h"

#include <stdatomic.h>
#include <string.h>

/* A slot issues the handles of one address space at a time, and of its devices and threads. Its
 * count never repeats, so that a handle issued earlier differs from one that never was. */
struct slot {
    _Atomic(uintptr_t) handle; /* 0: free; SLOT_TAKEN: between two states */
    _Atomic(uintptr_t) made;   /* handles issued so far */
    atomic_bool is_given;      /* the tool has its handle */
    struct address_space *space;
    struct memory memory; /* here rather than in freed memory: other threads may set its monitor */
};

#define SLOT_TAKEN UINTPTR_MAX

/* The list of live address spaces: with the default table the library's only global state (law 8).
 */
static struct slot slots[HANDLE_SLOT_COUNT];

/* Why the last creation failed; static text. */
static _Atomic(const char *) creation_message;

ompd_rc_t address_space_fail_creation(ompd_rc_t rc, const char *text)
{
    atomic_store(&creation_message, text);
    return rc;
}

/* Find the SLOT of POINTER, if its address space is still live; the decoded handle is in *HANDLE.
 * Reads nothing that another thread may be changing. */
static inline ompd_rc_t find_handle_slot(const void *pointer, struct slot **slot,
                                         struct handle *handle)
{
    uintptr_t owner;

    *handle = handle_decode((uintptr_t)pointer);
    *slot = &slots[handle->slot];
    if (handle->kind == handle_of_none || handle->count >= atomic_load(&(*slot)->made))
        return ompd_rc_bad_input;
    owner = atomic_load(&(*slot)->handle);
    if (owner == (uintptr_t)pointer)
        return ompd_rc_ok;
    if (owner == 0 || owner == SLOT_TAKEN || handle->kind == handle_of_process ||
        handle->count < handle_decode(owner).count)
        return ompd_rc_stale_handle;
    return ompd_rc_ok;
}

/* Begin a call on the address space of POINTER; the decoded handle is in *HANDLE. */
static inline ompd_rc_t begin_call(const void *pointer, struct slot **slot, struct handle *handle)
{
    ompd_rc_t rc = find_handle_slot(pointer, slot, handle);

    if (rc != ompd_rc_ok)
        return rc;
    if (!call_begin(&(*slot)->memory.call))
        return ompd_rc_busy;
    /* Another thread may have released it meanwhile. */
    if (atomic_load(&(*slot)->handle) != (uintptr_t)pointer)
        rc = find_handle_slot(pointer, slot, handle);
    if (rc != ompd_rc_ok)
        call_end(&(*slot)->memory.call);
    return rc;
}

/* Begin a call, with the message of the last one. */
static ompd_rc_t resolve_handle(const void *pointer, struct resolved_handle *resolved)
{
    struct handle handle;
    struct slot *slot;
    ompd_rc_t rc;

    *resolved = (struct resolved_handle){NULL, handle_of_none, NULL};
    rc = begin_call(pointer, &slot, &handle);
    if (rc != ompd_rc_ok)
        return rc;
    resolved->space = slot->space;
    resolved->space->keeps_message = true;
    resolved->kind = handle.kind;
    if (handle.kind == handle_of_process)
        return ompd_rc_ok;
    resolved->entry = handle_table_find(&slot->space->handles, handle);
    if (resolved->entry != NULL)
        return ompd_rc_ok;
    return address_space_leave(
        resolved->space,
        address_space_fail(resolved->space, ompd_rc_stale_handle, "the handle has been released."));
}

/* Begin an own message for the current call. */
static void begin_message(struct address_space *space)
{
    message_clear(&space->message);
    space->keeps_message = false;
}

ompd_rc_t address_space_resolve(const void *pointer, struct resolved_handle *resolved)
{
    ompd_rc_t rc = resolve_handle(pointer, resolved);

    if (rc == ompd_rc_ok)
        begin_message(resolved->space);
    return rc;
}

/* Log that the current call ends with RC, and why. Its result stands, whatever print_string
 * returns. */
static void log_refusal(struct address_space *space, ompd_rc_t rc)
{
    struct message line;

    advice_replace(space, &space->message);
    log_line_begin(&line);
    log_line_add_code(&line, rc);
    message_add(&line, ": ");
    message_add(&line, space->message.text);
    log_line_print(&space->target.log, ompd_cl_log_level_refusal, &line);
}

ompd_rc_t address_space_leave(struct address_space *space, ompd_rc_t rc)
{
    struct call *call = &slots[space->slot].memory.call;

    if (call->is_interrupted) {
        /* What was missing because of the interrupt must not be cached as missing. */
        target_refresh(&space->target);
        rc = address_space_fail(space, ompd_rc_interrupted, "the tool interrupted the call.");
    }
    /* A part of the call may have failed and set a message without affecting the answer. */
    if (rc == ompd_rc_ok && !space->keeps_message)
        message_clear(&space->message);
    if (rc != ompd_rc_ok && log_has(&space->target.log, ompd_cl_log_level_refusal))
        log_refusal(space, rc);
    call_end(call);
    return rc;
}

bool address_space_may_set_outputs(const struct address_space *space, ompd_rc_t rc)
{
    return (rc == ompd_rc_ok || rc == ompd_rc_incomplete) &&
           !space->target.memory->call.is_interrupted;
}

ompd_rc_t address_space_end_unless_ok(struct address_space *space, ompd_rc_t rc)
{
    return rc == ompd_rc_ok ? rc : address_space_leave(space, rc);
}

struct address_space *address_space_reclaim(const void *pointer, const void *frame)
{
    struct handle handle;
    struct slot *slot;

    if (find_handle_slot(pointer, &slot, &handle) != ompd_rc_ok ||
        handle.kind != handle_of_process || !call_reclaim(&slot->memory.call, frame))
        return NULL;
    return slot->space;
}

ompd_rc_t address_space_enter_again(const ompd_address_space_handle_t *handle,
                                    struct address_space **space)
{
    struct resolved_handle resolved;
    ompd_rc_t rc;

    rc = resolve_handle(handle, &resolved);
    if (rc != ompd_rc_ok)
        return rc;
    *space = resolved.space;
    if (resolved.kind != handle_of_process)
        rc = address_space_fail(*space, ompd_rc_incompatible_handle,
                                "the handle belongs to a device or a thread, not to a process.");
    return address_space_end_unless_ok(*space, rc);
}

ompd_rc_t address_space_enter(const ompd_address_space_handle_t *handle,
                              struct address_space **space)
{
    ompd_rc_t rc = address_space_enter_again(handle, space);

    if (rc == ompd_rc_ok)
        begin_message(*space);
    return rc;
}

ompd_rc_t address_space_enter_any(const ompd_address_space_handle_t *handle,
                                  struct resolved_handle *resolved)
{
    ompd_rc_t rc = address_space_resolve(handle, resolved);

    if (rc == ompd_rc_ok && resolved->kind == handle_of_thread)
        return address_space_leave(
            resolved->space,
            address_space_fail(resolved->space, ompd_rc_incompatible_handle,
                               "the handle belongs to a thread, not to an address space."));
    return rc;
}

ompd_rc_t address_space_enter_thread(const void *handle, struct resolved_handle *resolved)
{
    ompd_rc_t rc = address_space_resolve(handle, resolved);

    if (rc == ompd_rc_ok && resolved->kind != handle_of_thread)
        return address_space_leave(resolved->space,
                                   address_space_fail(resolved->space, ompd_rc_incompatible_handle,
                                                      "the handle does not belong to a thread."));
    return rc;
}

ompd_address_space_handle_t *address_space_handle(const struct address_space *space)
{
    return (ompd_address_space_handle_t *)atomic_load(&slots[space->slot].handle);
}

ompd_rc_t address_space_add_handle(struct address_space *space, struct handle_entry *entry,
                                   uintptr_t *number)
{
    struct slot *slot = &slots[space->slot];
    struct handle given = {.kind = entry->kind, .slot = space->slot};
    ompd_rc_t rc;

    given.count = atomic_load(&slot->made);
    if (given.count >= HANDLE_COUNT_LIMIT)
        return address_space_fail(space, ompd_rc_nomem,
                                  "this address space has no handles left; create another one.");
    rc = handle_table_make_room(&space->handles, &slot->memory);
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    entry->count = given.count;
    entry->incarnation = space->recorder->registry.incarnation;
    handle_table_add(&space->handles, entry);
    atomic_store(&slot->made, given.count + 1);
    *number = handle_encode(given);
    return ompd_rc_ok;
}

ompd_rc_t address_space_find_memory(const ompd_address_space_handle_t *handle,
                                    struct memory **memory)
{
    struct handle found;
    struct slot *slot;
    ompd_rc_t rc;

    rc = find_handle_slot(handle, &slot, &found);
    if (rc == ompd_rc_ok && found.kind != handle_of_process)
        return ompd_rc_incompatible_handle;
    if (rc == ompd_rc_ok)
        *memory = &slot->memory;
    return rc;
}

const char *callbacks_find_missing(const ompd_callbacks_t *callbacks)
{
    if (callbacks->alloc_memory == NULL)
        return "the tool provides no alloc_memory callback, which is required.";
    if (callbacks->free_memory == NULL)
        return "the tool provides no free_memory callback, which is required.";
    if (callbacks->sizeof_type == NULL)
        return "the tool provides no sizeof_type callback, which is required.";
    if (callbacks->symbol_addr_lookup == NULL)
        return "the tool provides no symbol_addr_lookup callback, which is required.";
    if (callbacks->read_memory == NULL)
        return "the tool provides no read_memory callback, which is required.";
    if (callbacks->device_to_host == NULL)
        return "the tool provides no device_to_host callback, which is required.";
    return NULL;
}

/* Free everything in SLOT, and make it available. */
static void empty_slot(struct slot *slot)
{
    memory_close(&slot->memory);
    monitor_close(&slot->memory.monitor);
    slot->space = NULL;
    atomic_store(&slot->is_given, false);
    call_end(&slot->memory.call);
    atomic_store(&slot->handle, 0);
}

/* Empty the slots whose address space this thread was creating or releasing when longjmp or an
 * exception left a callback: the tool has no handle to them. FRAME belongs to the call that creates
 * another address space. */
static void empty_left_slots(const void *frame)
{
    for (size_t i = 0; i < HANDLE_SLOT_COUNT; i++) {
        struct slot *slot = &slots[i];

        if ((atomic_load(&slot->handle) == SLOT_TAKEN || !atomic_load(&slot->is_given)) &&
            call_reclaim(&slot->memory.call, frame)) {
            atomic_store(&slot->handle, SLOT_TAKEN);
            empty_slot(slot);
        }
    }
}

/* Claim SLOT if it is free, and begin the call that fills it. */
static bool try_claim_slot(struct slot *slot)
{
    uintptr_t expected = 0;

    if (atomic_load(&slot->made) >= HANDLE_COUNT_LIMIT ||
        !atomic_compare_exchange_strong(&slot->handle, &expected, SLOT_TAKEN))
        return false;
    if (call_begin(&slot->memory.call))
        return true;
    /* Another thread is about to find that the former address space no longer exists. */
    atomic_store(&slot->handle, 0);
    return false;
}

static struct slot *claim_slot(void)
{
    for (size_t i = 0; i < HANDLE_SLOT_COUNT; i++) {
        if (try_claim_slot(&slots[i]))
            return &slots[i];
    }
    return NULL;
}

/* Unique for every address space ever created. The kind bits are 0, which keeps ids from being
 * 0. */
static uint64_t make_salt(struct handle handle)
{
    uint64_t number = (uint64_t)handle.count << HANDLE_SLOT_BITS | handle.slot;

    return (number + 1) * UINT64_C(0xd1342543de82ef95) >> 4;
}

/* An address space and the states of its sources, in one block. */
struct whole {
    struct address_space space;
    struct recorder_source recorder;
    struct layout_source layout;
    struct stack_source stacks;
    struct kept_answers kept;
};

/* At least its size. */
#define ADDRESS_SPACE_ROOM 131072
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
_Static_assert(sizeof(struct whole) <= ADDRESS_SPACE_ROOM, "the message would be wrong");

/* Why MEMORY refused a whole address space. */
static const char *space_refusal_text(const struct memory *memory)
{
    switch (memory->refusal) {
    case memory_refused_by_monitor:
        return "the memory monitor refused the memory for an address space.";
    case memory_refused_by_limit:
        return "the memory limit is too low for an address space; set it to " TEXT(
            ADDRESS_SPACE_ROOM) " B or more.";
    default:
        return "the tool's alloc_memory failed.";
    }
}

/* Make an address space without a handle in SLOT. */
static ompd_rc_t fill_slot(struct slot *slot, const ompd_callbacks_t *callbacks,
                           const ompd_cl_extra_t *extra, ompd_address_space_context_t *tool_context)
{
    struct address_space *space;
    struct whole *whole;
    void *allocated;
    ompd_rc_t rc;

    memory_open(&slot->memory, callbacks, extra);
    rc = memory_allocate(&slot->memory, sizeof(*whole), &allocated);
    if (rc != ompd_rc_ok)
        return address_space_fail_creation(rc, space_refusal_text(&slot->memory));
    whole = memset(allocated, 0, sizeof(*whole));
    space = &whole->space;
    space->recorder = &whole->recorder;
    space->layout = &whole->layout;
    space->stacks = &whole->stacks;
    space->kept = &whole->kept;
    rc = target_open(&space->target, &slot->memory, callbacks, extra, tool_context);
    if (rc != ompd_rc_ok)
        return address_space_fail_creation(
            rc, "the tool's sizeof_type or device_to_host failed or returned an impossible value.");
    whole->recorder.registry.target = &space->target;
    whole->recorder.registry.message = &space->message;
    space->sources = OMPD_CL_SOURCES_ALL | SOURCES_UNCHOSEN;
    slot->space = space;
    return ompd_rc_ok;
}

/* Log why there is no address space in SLOT. */
static void log_failed_creation(struct slot *slot, const ompd_callbacks_t *callbacks,
                                const ompd_cl_extra_t *extra, ompd_rc_t rc)
{
    struct message line;
    struct log log;

    log_open(&log, &slot->memory.call, callbacks, extra->log_level);
    if (!log_has(&log, ompd_cl_log_level_refusal))
        return;
    log_line_begin(&line);
    log_line_add_code(&line, rc);
    message_add(&line, ": ");
    message_add(&line, atomic_load(&creation_message));
    log_line_print(&log, ompd_cl_log_level_refusal, &line);
}

ompd_rc_t address_space_create(const ompd_callbacks_t *callbacks, const ompd_cl_extra_t *extra,
                               ompd_address_space_context_t *tool_context, const void *frame,
                               ompd_address_space_handle_t **handle)
{
    struct handle made = {.kind = handle_of_process};
    struct slot *slot;
    uintptr_t number;
    ompd_rc_t rc;

    empty_left_slots(frame);
    slot = claim_slot();
    if (slot == NULL)
        return address_space_fail_creation(ompd_rc_nomem,
                                           "256 address spaces are in use; release one.");
    rc = fill_slot(slot, callbacks, extra, tool_context);
    if (rc != ompd_rc_ok) {
        log_failed_creation(slot, callbacks, extra, rc);
        empty_slot(slot);
        return rc;
    }
    made.slot = (unsigned)(slot - slots);
    made.count = atomic_fetch_add(&slot->made, 1);
    slot->space->slot = made.slot;
    slot->space->salt = make_salt(made);
    number = handle_encode(made);
    monitor_own(&slot->memory.monitor, number);
    call_end(&slot->memory.call);
    atomic_store(&slot->handle, number);
    *handle = (ompd_address_space_handle_t *)number;
    return ompd_rc_ok;
}

void address_space_publish(ompd_address_space_handle_t *handle)
{
    atomic_store(&slots[handle_decode((uintptr_t)handle).slot].is_given, true);
}

ompd_rc_t address_space_close(struct address_space *space)
{
    struct slot *slot = &slots[space->slot];
    uintptr_t number = (uintptr_t)address_space_handle(space);

    if (!atomic_compare_exchange_strong(&slot->handle, &number, SLOT_TAKEN))
        return ompd_rc_stale_handle;
    return ompd_rc_ok;
}

void address_space_free(struct address_space *space)
{
    empty_slot(&slots[space->slot]);
}

PUBLIC ompd_rc_t ompd_cl_message_get(ompd_address_space_handle_t *handle, const char **message)
{
    struct resolved_handle resolved;
    const char *text;
    ompd_rc_t rc;

    if (message == NULL)
        return ompd_rc_bad_input;
    if (handle == NULL) {
        text = atomic_load(&creation_message);
        *message = text != NULL ? text : "";
        return ompd_rc_ok;
    }
    rc = resolve_handle(handle, &resolved);
    if (rc != ompd_rc_ok)
        return rc;
    if (resolved.kind != handle_of_process) {
        rc = ompd_rc_incompatible_handle;
    } else {
        advice_replace(resolved.space, &resolved.space->message);
        *message = resolved.space->message.text;
    }
    /* The message of the previous call has been logged. */
    call_end(&resolved.space->target.memory->call);
    return rc;
}
