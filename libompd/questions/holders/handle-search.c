/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A search for the places of some handles, plain or tagged: in the registers of the target's
 * threads, and in one pass through its writable memory. */
#include "questions/holders/holders.h"

#include "answers/answers.h"
#include "sources/layout/layout-source.h"
#include "sources/stack/stack.h"

/* A search that is being made. */
struct search_state {
    struct handle_search *search;
    struct address_space *space;
    struct holder_search rows;
};

static uint64_t searched_handle(const void *handles, uint64_t index)
{
    return ((const uint64_t *)handles)[index];
}

uint32_t handle_index_find(const uint64_t *handles, uint32_t count, uint64_t handle)
{
    uint32_t index = (uint32_t)search_first(handles, count, searched_handle, handle);

    return index < count && handles[index] == handle ? index : count;
}

/* Prepare what shows the use of memory: memory owners, the inventory, and memory for read-ahead.
 * Returns ompd_rc_ok; ompd_rc_incomplete when the tool cancelled; or why the search is not
 * possible. */
static ompd_rc_t prepare_search(struct address_space *space)
{
    bool has_layouts = false;
    uint64_t word;
    ompd_rc_t rc = sources_open_any(space);

    if (rc == ompd_rc_ok && space->target.extra.memory_region == NULL)
        return address_space_fail(
            space, ompd_rc_unsupported,
            "the tool does not list memory regions, which a search of memory needs.");
    if (rc == ompd_rc_ok)
        rc = memory_owners_read(space);
    if (rc != ompd_rc_ok)
        return rc;
    rc = sources_find_layouts(space, &has_layouts);
    if (has_layouts && !rc_is_final(rc)) {
        rc = sources_take_inventory(space);
        if (rc == ompd_rc_incomplete)
            return rc;
    }
    if (rc_is_final(rc))
        return rc;
    message_clear(&space->message);
    /* Reads of a place must not fail for lack of memory. */
    read_ahead_begin(&space->target);
    target_word(&space->target, space->recorder->registry.root, &word);
    read_ahead_end(&space->target);
    return ompd_rc_ok;
}

/* Presume that INFO is the program's: a tagged handle may be another number. */
static void presume_place(ompd_cl_reference_site_info_t *info)
{
    if (info->owner.status == ompd_cl_status_value &&
        info->owner.value == ompd_cl_site_owner_program)
        info->owner.status = ompd_cl_status_presumed;
}

/* ---- Registers ------------------------------------------------------------------------------- */

static ompd_rc_t search_thread_registers(struct search_state *search_state, uint64_t lwp)
{
    const struct handle_search *search = search_state->search;
    struct address_space *space = search_state->space;
    struct thread_stack *stack = &space->stack;
    struct tagged_word tagged;
    ompd_rc_t rc = ompd_rc_ok;

    tagged_word_begin(&tagged, search->handles, search->count, space->target.pointer_size);
    thread_stack_get(&space->target, lwp, 1, stack);
    for (uint32_t i = 0; i < stack->register_count && rc == ompd_rc_ok; i++) {
        const ompd_cl_register_t *found = &stack->registers[i];
        bool is_tagged;
        uint32_t index = tagged_word_find(&tagged, found->value, &is_tagged);
        ompd_cl_reference_site_info_t info;

        if (index == search->count || found->size < space->target.pointer_size)
            continue;
        holder_row_fill_register(space, lwp, found->number, &info);
        if (is_tagged)
            presume_place(&info);
        rc = search->visit(search->visitor, index, &info);
    }
    return rc;
}

static ompd_rc_t search_registers(struct search_state *search_state)
{
    struct target *target = &search_state->space->target;
    ompd_cl_target_thread_t thread;
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; rc == ompd_rc_ok; i++) {
        ompd_rc_t told = thread_get(target, i, &thread);

        if (rc_is_final(told))
            return told;
        if (told != ompd_rc_ok)
            break;
        rc = search_thread_registers(search_state, thread.lwp);
    }
    return rc;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* An object is no larger. */
#define OBJECT_SIZE 4096

/* Whether INFO, a word in no stack and no module, is uncertain: memory that would show it could not
 * be read, and the word may be dead, the recorder's, or in the object HANDLE. */
static bool place_is_uncertain(const struct search_state *search_state, uint64_t handle,
                               const ompd_cl_reference_site_info_t *info)
{
    struct address_space *space = search_state->space;
    uint64_t address = info->address.value;
    bool is_lost = space->target.failure != 0 || search_state->rows.chunks.is_lost;
    struct region_run run;

    switch (info->site_kind.value) {
    case ompd_cl_site_heap:
    case ompd_cl_site_freed:
        return is_lost;
    case ompd_cl_site_user_data:
        return space->target.failure != 0;
    case ompd_cl_site_memory:
        return is_lost || space->stacks->owners.lacks_some ||
               !region_find(&space->target, address, &run) ||
               (!inventory_is_whole(&space->layout->inventory) &&
                address - (handle - OBJECT_SIZE) < 2 * OBJECT_SIZE);
    default:
        return false;
    }
}

static ompd_rc_t visit_word(void *visitor, const struct scan_hit *hit)
{
    struct search_state *search_state = visitor;
    const struct handle_search *search = search_state->search;
    uint64_t handle = search->handles[hit->word];
    ompd_cl_reference_site_info_t info;
    bool is_known;

    search_state->space->target.failure = 0;
    if (!holder_row_fill(search_state->space, &search_state->rows, hit->address, handle, &info))
        return ompd_rc_ok;
    if (hit->is_tagged)
        presume_place(&info);
    is_known = !place_is_uncertain(search_state, handle, &info);
    return search->visit(search->visitor, hit->word, is_known ? &info : NULL);
}

static ompd_rc_t search_memory(struct search_state *search_state)
{
    struct handle_search *search = search_state->search;
    struct scan scan = {
        .words = search->handles,
        .word_count = search->count,
        .finds_tagged = true,
        .visit = visit_word,
        .visitor = search_state,
    };
    ompd_rc_t rc = scan_memory(&scan, &search_state->space->target);

    if (rc_is_final(rc))
        return rc;
    shortfall_add(search->missing, &scan.missing);
    if (scan.is_cancelled)
        search->missing->reason = "the search was cancelled.";
    return ompd_rc_ok;
}

/* ---- The search ------------------------------------------------------------------------------ */

ompd_rc_t handle_search_run(struct handle_search *search, struct address_space *space)
{
    struct search_state search_state = {.search = search, .space = space};
    ompd_rc_t rc = prepare_search(space);

    if (rc == ompd_rc_incomplete) {
        search->missing->reason = "the search was cancelled.";
        return ompd_rc_ok;
    }
    if (rc == ompd_rc_ok)
        rc = embree_blocks_read(space, &search_state.rows.embree);
    if (rc == ompd_rc_ok)
        rc = search_registers(&search_state);
    if (rc == ompd_rc_ok && search->count != 0)
        rc = search_memory(&search_state);
    heap_chunks_free(&search_state.rows.chunks, space->target.memory);
    extents_free(&search_state.rows.embree.arrays, space->target.memory);
    if (rc != ompd_rc_ok)
        return rc;
    if (space->stacks->owners.lacks_some && search->missing->reason == NULL)
        search->missing->reason = "some data about the use of memory could not be read.";
    return ompd_rc_ok;
}
