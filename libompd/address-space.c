/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "address-space.h"

#include "list.h"

#include <stdatomic.h>
#include <string.h>

/* A handle is a number: how many address spaces have been made before << SLOT_BITS | slot, plus 1
 * so that it is never NULL.  It is looked up here and never followed. */
#define SLOT_BITS 8
#define SLOT_COUNT (1 << SLOT_BITS)

struct slot {
    _Atomic(uintptr_t) handle; /* 0: free; SLOT_TAKEN: between two states */
    struct address_space *space;
};

#define SLOT_TAKEN UINTPTR_MAX

/* The list of live address spaces: with the default table the library's only global state (law 8).
 */
static struct slot slots[SLOT_COUNT];
static _Atomic(uintptr_t) spaces_made;

/* Why the last creation failed; static text. */
static _Atomic(const char *) creation_message;

static ompd_rc_t fail_creation(ompd_rc_t rc, const char *text)
{
    atomic_store(&creation_message, text);
    return rc;
}

static ompd_rc_t find_slot(const ompd_address_space_handle_t *handle, struct slot **slot)
{
    uintptr_t number = (uintptr_t)handle;

    if (number == 0 || number == SLOT_TAKEN)
        return ompd_rc_bad_input;
    *slot = &slots[(number - 1) % SLOT_COUNT];
    if (atomic_load(&(*slot)->handle) == number)
        return ompd_rc_ok;
    if ((number - 1) >> SLOT_BITS < atomic_load(&spaces_made))
        return ompd_rc_stale_handle;
    return ompd_rc_bad_input;
}

ompd_rc_t address_space_enter(const ompd_address_space_handle_t *handle,
                              struct address_space **space)
{
    struct slot *slot;
    ompd_rc_t rc;

    rc = find_slot(handle, &slot);
    if (rc != ompd_rc_ok)
        return rc;
    *space = slot->space;
    message_clear(&(*space)->message);
    return ompd_rc_ok;
}

static ompd_rc_t read_registry(struct address_space *space)
{
    ompd_rc_t rc;

    if (space->registry_stop == space->target.stop)
        return ompd_rc_ok;
    rc = registry_open(&space->registry);
    if (rc == ompd_rc_ok) {
        plans_make(&space->plans, &space->registry);
        space->registry_stop = space->target.stop;
    }
    return address_space_explain(space, rc);
}

ompd_rc_t address_space_enter_registry(const ompd_address_space_handle_t *handle,
                                       struct address_space **space)
{
    ompd_rc_t rc = address_space_enter(handle, space);

    return rc == ompd_rc_ok ? read_registry(*space) : rc;
}

const uint8_t *address_space_keep(struct address_space *space, const struct registry_table *table,
                                  const uint8_t *record)
{
    if (registry_is_kept(table, record))
        return record;
    memcpy(space->record, record, table->record_size);
    return space->record;
}

ompd_rc_t address_space_fail(struct address_space *space, ompd_rc_t rc, const char *text)
{
    message_clear(&space->message);
    message_add(&space->message, text);
    return rc;
}

ompd_rc_t address_space_explain(struct address_space *space, ompd_rc_t rc)
{
    if (rc == ompd_rc_ok || space->message.length != 0)
        return rc;
    switch (rc) {
    case ompd_rc_nomem:
        return address_space_fail(space, rc, "the tool's alloc_memory failed.");
    case ompd_rc_incomplete:
        return address_space_fail(space, rc,
                                  space->target.failure == ompd_cl_status_not_saved
                                      ? "some of the memory asked about was not saved in the core."
                                      : "some of the target's memory could not be read.");
    default:
        return address_space_fail(space, rc, "a callback of the tool failed.");
    }
}

bool callbacks_are_complete(const ompd_callbacks_t *callbacks)
{
    return callbacks->alloc_memory != NULL && callbacks->free_memory != NULL &&
           callbacks->sizeof_type != NULL && callbacks->symbol_addr_lookup != NULL &&
           callbacks->read_memory != NULL && callbacks->device_to_host != NULL;
}

/* Copy what the tool's header knew of the optional table; the rest is NULL. */
static bool copy_extra(const ompd_cl_extra_t *extra, ompd_cl_extra_t *copy)
{
    memset(copy, 0, sizeof(*copy));
    if (extra == NULL)
        return true;
    if (extra->struct_size < sizeof(extra->struct_size))
        return false;
    memcpy(copy, extra,
           extra->struct_size < sizeof(*copy) ? (size_t)extra->struct_size : sizeof(*copy));
    return true;
}

static struct slot *take_slot(void)
{
    for (size_t i = 0; i < SLOT_COUNT; i++) {
        uintptr_t expected = 0;
        if (atomic_compare_exchange_strong(&slots[i].handle, &expected, SLOT_TAKEN))
            return &slots[i];
    }
    return NULL;
}

/* Kind bits of 0 keep an id from ever being 0. */
static uint64_t make_salt(uintptr_t number)
{
    return ((uint64_t)number + 1) * UINT64_C(0xd1342543de82ef95) >> 4;
}

ompd_rc_t address_space_create(const ompd_callbacks_t *callbacks, const ompd_cl_extra_t *extra,
                               ompd_address_space_context_t *tool_context,
                               ompd_address_space_handle_t **handle)
{
    struct memory memory = {callbacks->alloc_memory, callbacks->free_memory};
    struct address_space *space;
    struct slot *slot;
    void *allocated;
    uintptr_t number;
    ompd_rc_t rc;

    rc = memory_allocate(&memory, sizeof(*space), &allocated);
    if (rc != ompd_rc_ok)
        return fail_creation(rc, "the tool's alloc_memory failed.");
    space = allocated;
    memset(space, 0, sizeof(*space));
    rc = target_open(&space->target, callbacks, extra, tool_context);
    if (rc != ompd_rc_ok) {
        memory_free(&memory, space);
        return fail_creation(
            rc, "the tool's sizeof_type or device_to_host failed, or gave what cannot be.");
    }
    slot = take_slot();
    if (slot == NULL) {
        memory_free(&memory, space);
        return fail_creation(ompd_rc_nomem, "256 address spaces are in use: release one.");
    }
    number = atomic_fetch_add(&spaces_made, 1);
    space->salt = make_salt(number);
    space->registry.target = &space->target;
    space->registry.message = &space->message;
    slot->space = space;
    number = (number << SLOT_BITS | (uintptr_t)(slot - slots)) + 1;
    atomic_store(&slot->handle, number);
    *handle = (ompd_address_space_handle_t *)number;
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_address_space_create(const ompd_callbacks_t *callbacks,
                                              const ompd_cl_extra_t *extra,
                                              ompd_address_space_context_t *tool_context,
                                              ompd_address_space_handle_t **handle)
{
    ompd_cl_extra_t copy;

    if (callbacks == NULL || handle == NULL)
        return fail_creation(ompd_rc_bad_input, "the callback table or the handle is NULL.");
    if (!copy_extra(extra, &copy))
        return fail_creation(ompd_rc_bad_input, "struct_size of the optional table is not set.");
    if (!callbacks_are_complete(callbacks))
        return fail_creation(ompd_rc_unsupported, "a callback that is needed is NULL.");
    return address_space_create(callbacks, &copy, tool_context, handle);
}

PUBLIC ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *handle)
{
    struct address_space *space;
    struct memory memory;
    struct slot *slot;
    uintptr_t number = (uintptr_t)handle;
    ompd_rc_t rc;

    rc = find_slot(handle, &slot);
    if (rc != ompd_rc_ok)
        return rc;
    if (!atomic_compare_exchange_strong(&slot->handle, &number, SLOT_TAKEN))
        return ompd_rc_stale_handle;
    space = slot->space;
    slot->space = NULL;
    atomic_store(&slot->handle, 0);
    lists_free(space);
    registry_close(&space->registry);
    target_close(&space->target);
    memory = space->target.memory;
    memory_free(&memory, space);
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_refresh(ompd_address_space_handle_t *handle)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    target_refresh(&space->target);
    return read_registry(space);
}

PUBLIC ompd_rc_t ompd_cl_message_get(ompd_address_space_handle_t *handle, const char **message)
{
    struct slot *slot;
    const char *text;
    ompd_rc_t rc;

    if (message == NULL)
        return ompd_rc_bad_input;
    if (handle == NULL) {
        text = atomic_load(&creation_message);
        *message = text != NULL ? text : "";
        return ompd_rc_ok;
    }
    rc = find_slot(handle, &slot);
    if (rc != ompd_rc_ok)
        return rc;
    *message = slot->space->message.text;
    return ompd_rc_ok;
}
