/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "holders/holder-list.h"

#include "holders/holder-row.h"
#include "kinds/fields.h"
#include "lists/inventory-object.h"
#include "lists/object.h"
#include "session/sources.h"
#include "target/read-ahead.h"
#include "target/scan.h"
#include "target/stack-pointer.h"

#include <string.h>

/* What a scan for one handle is to do with what it finds. */
struct finding {
    struct address_space *space;
    struct list *list;
    struct batch *batch;
    struct holder_look look;
    bool is_full; /* the batch is, and the scan ended for it */
};

/* Have what is known of memory before a search through it, IS_NEW or one that goes on: the map of
 * owners, what layouts find, and memory to read ahead.  Returns ompd_rc_ok, or why the search
 * cannot be made. */
static ompd_rc_t prepare(struct address_space *space, bool is_new)
{
    bool has_layouts = false;
    uint64_t word;
    ompd_rc_t rc = sources_open(space);

    if (rc == ompd_rc_ok && space->target.extra.memory_region == NULL)
        return address_space_fail(space, ompd_rc_unsupported,
                                  "the tool does not tell its memory regions, which a search "
                                  "through memory needs.");
    if (rc == ompd_rc_ok)
        rc = owner_map_take(space, is_new);
    if (rc != ompd_rc_ok)
        return rc;
    rc = sources_find_layouts(space, &has_layouts);
    if (has_layouts && !rc_is_final(rc)) {
        rc = sources_take_inventory(space);
        if (rc == ompd_rc_incomplete) /* the tool cancelled */
            return rc;
    }
    if (rc_is_final(rc))
        return rc;
    message_clear(&space->message);
    /* Memory that reading takes is not to be asked for once there are rows. */
    read_ahead_begin(&space->target);
    target_word(&space->target, space->registry.root, &word);
    read_ahead_end(&space->target);
    return ompd_rc_ok;
}

/* ---- Registers ------------------------------------------------------------------------------- */

/* Give the registers of thread LWP that have the handle, from number `number` of them on. */
static void give_registers_of(struct address_space *space, struct list *list, struct batch *batch,
                              uint64_t lwp)
{
    struct list_holders *holders = &list->holders;
    struct thread_stack *stack = &space->stack;

    thread_stack_get(&space->target, lwp, 1, stack);
    for (; holders->number < stack->register_count; holders->number++) {
        const ompd_cl_register_t *found = &stack->registers[holders->number];
        union row local;
        ompd_cl_holder_info_t *info = batch_row(batch, &local);

        if (found->value != holders->handle || found->size < space->target.pointer_size)
            continue;
        if (batch->count == batch->capacity)
            return;
        holder_row_fill_register(space, lwp, found->number, info);
        batch_give(list, batch, info, ompd_rc_ok);
    }
    holders->thread++;
    holders->number = 0;
}

static ompd_rc_t give_registers(struct address_space *space, struct list *list, struct batch *batch)
{
    struct list_holders *holders = &list->holders;

    while (!holders->is_in_memory && batch->count < batch->capacity) {
        ompd_cl_target_thread_t thread;
        ompd_rc_t rc = thread_get(&space->target, holders->thread, &thread);

        if (rc_is_final(rc))
            return rc;
        holders->is_in_memory = rc != ompd_rc_ok;
        if (rc == ompd_rc_ok)
            give_registers_of(space, list, batch, thread.lwp);
    }
    return ompd_rc_ok;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* An object is no larger. */
#define OBJECT_SIZE 4096

/* Tell whether it is not known what INFO, of a word in no stack and no module, is: memory could not
 * be read that would tell, and the word may be dead, the recorder's, or of the object HANDLE. */
static bool is_uncertain(struct address_space *space, const struct holder_look *look,
                         uint64_t handle, const ompd_cl_holder_info_t *info)
{
    uint64_t address = info->address.value;
    bool is_lost = space->target.failure != 0 || look->chunks.is_lost;
    struct region_run run;

    switch (info->storage.value) {
    case ompd_cl_storage_heap:
    case ompd_cl_storage_freed:
        return is_lost;
    case ompd_cl_storage_memory:
        return is_lost || space->owners.lacks_some || !region_find(&space->target, address, &run) ||
               (!inventory_is_whole(&space->inventory) &&
                address - (handle - OBJECT_SIZE) < 2 * OBJECT_SIZE);
    default:
        return false;
    }
}

/* Ends the scan, with ompd_rc_unavailable, where the rows of the call are full. */
static ompd_rc_t visit(void *visitor, const struct scan_hit *hit)
{
    struct finding *finding = visitor;
    struct batch *batch = finding->batch;
    struct list_holders *holders = &finding->list->holders;
    union row local;
    ompd_cl_holder_info_t *info = batch_row(batch, &local);

    if (batch->count == batch->capacity) {
        holders->at = hit->address;
        finding->is_full = true;
        return ompd_rc_unavailable;
    }
    finding->space->target.failure = 0;
    /* Whatever ends the call, no row is given twice. */
    holders->at = hit->address + finding->space->target.pointer_size;
    if (!holder_row_fill(finding->space, &finding->look, hit->address, holders->handle, info))
        return ompd_rc_ok;
    if (is_uncertain(finding->space, &finding->look, holders->handle, info))
        finding->list->lost++;
    else
        batch_give(finding->list, batch, info, ompd_rc_ok);
    return ompd_rc_ok;
}

/* After the scan: what could not be looked through, as far as it came. */
static void take_coverage(struct address_space *space, struct list *list, const struct scan *scan)
{
    struct list_holders *holders = &list->holders;

    holders->unsaved += scan->unsaved;
    holders->unreadable += scan->unreadable;
    if (scan->is_cancelled) {
        list->is_short = true;
        address_space_fail(space, ompd_rc_incomplete, "the search was cancelled.");
    }
    if (space->owners.lacks_some || list->lost != 0)
        list_refuse(list, 0, "not all that tells what memory is used for could be read.");
    list->is_short |= scan->failure != 0 || scan->has_lost_regions;
}

static ompd_rc_t give_memory(struct address_space *space, struct list *list, struct batch *batch)
{
    struct list_holders *holders = &list->holders;
    struct finding finding = {.space = space, .list = list, .batch = batch};
    struct scan scan = {
        .words = &holders->handle,
        .word_count = 1,
        .from = holders->at,
        .visit = visit,
        .visitor = &finding,
    };
    ompd_rc_t rc = scan_memory(&scan, &space->target);

    if (rc_is_final(rc))
        return rc;
    take_coverage(space, list, &scan);
    holders->is_over = !finding.is_full;
    return ompd_rc_ok;
}

/* ---- The list -------------------------------------------------------------------------------- */

static ompd_rc_t give_holders(struct address_space *space, struct list *list, struct batch *batch)
{
    struct list_holders *holders = &list->holders;
    ompd_rc_t rc = prepare(space, !holders->is_begun);

    holders->is_begun = true;
    if (rc == ompd_rc_ok)
        rc = give_registers(space, list, batch);
    if (rc == ompd_rc_ok && holders->is_in_memory && !holders->is_over)
        rc = give_memory(space, list, batch);
    notes_take_search(space, holders->unsaved, holders->unreadable);
    if ((rc == ompd_rc_incomplete || list->is_short) && holders->unsaved == 0 &&
        holders->unreadable == 0)
        notes_take_reason(space, "some of the target's memory could not be read.");
    return rc;
}

/* What the program has to name the object in ROW of KIND. */
static uint64_t handle_of(uint32_t kind, const void *row)
{
    const struct kind *found = kind_find(kind);

    for (uint32_t i = 0; i < found->field_count; i++) {
        const ompd_cl_field_t *field = &found->fields[i];
        const ompd_cl_value_t *value = (const void *)((const char *)row + field->offset);

        if (strcmp(field->name, "handle") == 0 || strcmp(field->name, "pointer") == 0)
            return value->value;
    }
    return 0;
}

/* Have the handle of the object that ID, which is IDENTIFIER, names.  Returns ompd_rc_ok, or why it
 * is not known. */
static ompd_rc_t find_handle(struct address_space *space, uint64_t id, struct identifier identifier,
                             uint64_t *handle)
{
    union row row;
    ompd_rc_t rc = sources_open(space);

    if (rc != ompd_rc_ok)
        return rc;
    *handle = identifier.handle;
    if (identifier.handle != 0)
        return inventory_object_check(space, identifier);
    row.struct_size = kind_find(identifier.kind)->struct_size;
    rc = object_get(space, identifier.kind, id, &row);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    *handle = handle_of(identifier.kind, &row);
    message_clear(&space->message);
    return *handle != 0 ? ompd_rc_ok : ompd_rc_device_read_error;
}

ompd_rc_t holder_list_open(struct address_space *space, uint64_t object, ompd_cl_list_t *id)
{
    struct identifier identifier;
    struct list *list;
    uint64_t handle;
    ompd_rc_t rc;

    if (!identifier_decode(object, space->salt, &identifier) ||
        kind_find(identifier.kind) == NULL || identifier.kind == ompd_cl_kind_thread ||
        identifier.kind == ompd_cl_kind_svm_free)
        return address_space_fail(space, ompd_rc_bad_input,
                                  "the id was not given out for an object that has a handle.");
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    rc = find_handle(space, object, identifier, &handle);
    if (rc != ompd_rc_ok)
        return address_space_explain(space, rc);
    list = list_open(space, ompd_cl_kind_holder, give_holders, id);
    if (list == NULL)
        return address_space_explain(space, ompd_rc_nomem);
    list->holders.handle = handle;
    return ompd_rc_ok;
}
