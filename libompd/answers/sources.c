/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sources of the objects of an address space: the recorder's registry, the inventory of the
 * layouts, or both. */
#include "answers/answers.h"
#include "sources/embree/embree.h"

/* ---- Layouts --------------------------------------------------------------------------------- */

static ompd_rc_t find_runtimes(struct address_space *space)
{
    ompd_rc_t rc;

    if (space->layouts == NULL)
        return ompd_rc_unavailable;
    rc = runtimes_find(&space->layout->runtimes, &space->target, &space->code, space->layouts);
    return rc == ompd_rc_ok ? kin_find(space) : rc;
}

/* Whether find_runtimes, which returned RC, found them all, and the tool cancelled the rest. */
static bool is_cancelled(const struct address_space *space, ompd_rc_t rc)
{
    return rc == ompd_rc_incomplete && space->layout->runtimes.stop == space->target.stop;
}

static ompd_rc_t fail_cancelled(struct address_space *space)
{
    return address_space_fail(space, ompd_rc_incomplete, "the search for objects was cancelled.");
}

/* The first runtime with a layout, or without one, that find_runtimes found when it returned RC;
 * NULL if there is none. */
static const struct runtime *find_runtime(const struct address_space *space, ompd_rc_t rc,
                                          bool has_layout)
{
    const struct runtimes *runtimes = &space->layout->runtimes;

    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return NULL;
    for (uint32_t i = 0; i < runtimes->count; i++) {
        if ((runtimes->all[i].layout != NULL) == has_layout)
            return &runtimes->all[i];
    }
    return NULL;
}

ompd_rc_t sources_find_layouts(struct address_space *space, bool *has_layouts)
{
    ompd_rc_t rc = ompd_rc_unavailable;

    if (address_space_wants(space, ompd_cl_source_layout))
        rc = find_runtimes(space);
    *has_layouts = find_runtime(space, rc, true) != NULL;
    if (is_cancelled(space, rc))
        return fail_cancelled(space);
    if (rc == ompd_rc_incomplete && *has_layouts)
        rc = stripped_runtimes_find(&space->layout->runtimes, &space->target, &space->code);
    if (rc == ompd_rc_incomplete) {
        notes_record_lost_modules(space);
        return address_space_fail(space, rc,
                                  "not all of the target's modules could be read; objects of some "
                                  "runtimes may be missing.");
    }
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Enough bytes of a build-id to identify it. */
#define SHOWN_BUILD_ID 20

/* The first runtime without a layout that may have objects; else the first one; NULL if there is
 * none. Called if find_runtimes returned RC and no runtime has a layout. */
static const struct runtime *find_missed(struct address_space *space, ompd_rc_t rc)
{
    struct runtimes *runtimes = &space->layout->runtimes;

    if (rc == ompd_rc_ok && runtimes_search(runtimes, &space->target, &space->code) == ompd_rc_ok)
        runtimes_find_idle(runtimes, &space->target);
    for (uint32_t i = 0; i < runtimes->count && rc == ompd_rc_ok; i++) {
        if (!runtimes->all[i].is_idle)
            return &runtimes->all[i];
    }
    return find_runtime(space, rc, false);
}

/* Add which one RUNTIME is. */
static void add_runtime_name(struct message *message, const struct runtime *runtime)
{
    uint32_t shown =
        runtime->build_id_size < SHOWN_BUILD_ID ? runtime->build_id_size : SHOWN_BUILD_ID;

    message_add(message, text_file_name(runtime->module));
    message_add(message, " (build-id ");
    message_add_bytes(message, runtime->build_id, shown);
    message_add(message, runtime->build_id_size != 0 ? ")" : "unknown)");
}

/* Add why no layout of another build describes RUNTIME, if one was tried. */
static void add_kin_reason(struct message *message, const struct runtime *runtime)
{
    const char *reason = kin_reason(runtime);

    if (runtime->kin.of == NULL || reason == NULL)
        return;
    message_add(message, ", and the layout of ");
    message_add(message, runtime->kin.of->runtime);
    message_add(message, " was not used, because ");
    message_add(message, reason);
}

/* Fail for RUNTIME, which has no layout, with advice. */
static ompd_rc_t fail_without_layout(struct address_space *space, const struct runtime *runtime)
{
    struct message *message = &space->message;

    message_clear(message);
    if (runtime->is_being_loaded) {
        message_add(message, "the runtime ");
        add_runtime_name(message, runtime);
        message_add(message, " is still being loaded and has no objects yet.");
        return ompd_rc_unavailable;
    }
    message_add(message, "no layout matches ");
    add_runtime_name(message, runtime);
    if (!runtime->is_idle)
        add_kin_reason(message, runtime);
    message_add(message, runtime->is_idle
                             ? ", which has no objects as far as this process's memory shows."
                             : "; run `ompd-opencl learn` where it is installed, or run the "
                               "program under the recorder.");
    return ompd_rc_unavailable;
}

/* Fail because neither the recorder nor a layout is available; the search for runtimes returned
 * RC. */
static ompd_rc_t fail_without_source(struct address_space *space, ompd_rc_t rc)
{
    const struct runtime *runtime;

    if (rc_is_final(rc))
        return address_space_set_message(space, rc);
    if (is_cancelled(space, rc))
        return fail_cancelled(space);
    runtime = find_missed(space, rc);
    if (runtime != NULL)
        return fail_without_layout(space, runtime);
    if (rc == ompd_rc_unsupported)
        return address_space_fail(space, ompd_rc_unavailable,
                                  "there is no OpenCL recorder in this process, and the tool does "
                                  "not list the process's modules, which layouts need.");
    if (rc == ompd_rc_incomplete)
        return address_space_fail(
            space, ompd_rc_callback_error,
            "there is no OpenCL recorder in this process, and its modules could not be read.");
    return address_space_fail(space, ompd_rc_unavailable,
                              "there is no OpenCL recorder and no OpenCL runtime in this process.");
}

ompd_rc_t sources_open(struct address_space *space)
{
    bool wants_recorder = address_space_wants(space, ompd_cl_source_recorder);
    ompd_rc_t rc = ompd_rc_unavailable;

    if (wants_recorder)
        rc = recorder_source_open(space);
    if (rc != ompd_rc_unavailable)
        return rc;
    if (!address_space_wants(space, ompd_cl_source_layout) || space->layouts == NULL)
        return wants_recorder
                   ? rc
                   : address_space_fail(space, rc, "only layouts may be used, but none was added.");
    rc = find_runtimes(space);
    if (find_runtime(space, rc, true) != NULL) {
        message_clear(&space->message);
        return ompd_rc_ok;
    }
    return fail_without_source(space, rc);
}

ompd_rc_t sources_open_any(struct address_space *space)
{
    ompd_rc_t rc = sources_open(space);
    bool is_there;
    ompd_rc_t found;

    if (rc == ompd_rc_ok || rc_is_final(rc))
        return rc;
    found = embree_source_is_there(space, &is_there);
    if (found != ompd_rc_ok)
        return address_space_set_message(space, found);
    if (!is_there)
        return rc;
    message_clear(&space->message);
    return ompd_rc_ok;
}

bool sources_have_opencl(struct address_space *space, struct shortfall *missing)
{
    ompd_rc_t rc = sources_open(space);

    message_clear(&space->message);
    if (rc != ompd_rc_ok && rc != ompd_rc_unavailable) {
        shortfall_note(missing, true);
        missing->reason = "the process may use OpenCL, too: some of its modules could not be read.";
    }
    return rc == ompd_rc_ok;
}

ompd_rc_t sources_enter(const ompd_address_space_handle_t *handle, struct address_space **space)
{
    ompd_rc_t rc = address_space_enter(handle, space);

    if (rc != ompd_rc_ok)
        return rc;
    return address_space_end_unless_ok(*space, sources_open(*space));
}

ompd_rc_t sources_enter_recorder(const ompd_address_space_handle_t *handle,
                                 struct address_space **space)
{
    ompd_rc_t rc = address_space_enter(handle, space);

    if (rc != ompd_rc_ok)
        return rc;
    return address_space_end_unless_ok(*space, recorder_source_read(*space));
}

/* ---- The inventory --------------------------------------------------------------------------- */

/* Whether the program may have objects without a record. The recorder knows some of these; another
 * loader need not have loaded the recorder at all. */
static bool recorder_may_miss(const struct address_space *space)
{
    const struct ompd_cl_registry_counts *counts = &space->recorder->registry.counts;

    return counts->unknown_handles != 0 || counts->not_recorded != 0 ||
           counts->loaders_refused != 0 || space->layout->runtimes.loader_count > 1;
}

bool sources_need_search(const struct address_space *space)
{
    return !address_space_has_recorder(space) || (space->sources & SOURCES_UNCHOSEN) == 0 ||
           recorder_may_miss(space);
}

bool sources_lack_memory(struct address_space *space)
{
    return address_space_has_recorder(space) && space->layout->limited_stop == space->target.stop &&
           space->layout->limit == monitor_limit(&space->target.memory->monitor);
}

/* A search has returned RC. Remember if it exceeded the memory limit: each row that it might
 * confirm would repeat it. */
static void note_limit(struct address_space *space, ompd_rc_t rc)
{
    const struct memory *memory = space->target.memory;

    if (rc != ompd_rc_nomem || memory->is_frozen || memory->refusal != memory_refused_by_limit)
        return;
    space->layout->limited_stop = space->target.stop;
    space->layout->limit = memory->refused_limit;
}

ompd_rc_t sources_search(struct address_space *space)
{
    bool has_layouts;
    ompd_rc_t rc = sources_find_layouts(space, &has_layouts);

    return has_layouts && !rc_is_final(rc) ? sources_take_inventory(space) : rc;
}

static bool mark_released(const struct registry *registry, const struct registry_table *table,
                          const uint8_t *record, uint32_t index, void *context)
{
    struct address_space *space = context;
    uint64_t handle = registry_get(registry, table, record, ompd_cl_registry_field_handle);
    struct inventory_item *item = inventory_find(&space->layout->inventory, handle);

    (void)index;
    if (item != NULL)
        item->marks |= inventory_released;
    return true;
}

/* Mark objects whose only record is their end: the program has released them, and the runtime still
 * holds them. Returns ompd_rc_ok, even if some ends could not be read; ompd_rc_nomem or
 * ompd_rc_interrupted. */
static ompd_rc_t mark_all_released(struct address_space *space)
{
    struct registry_walk walk = {.table = &space->recorder->registry.tables[ompd_cl_registry_gone]};
    ompd_rc_t rc;

    if (!address_space_has_recorder(space) || walk.table->record_size == 0 ||
        space->layout->released_stop == space->target.stop)
        return ompd_rc_ok;
    rc = registry_walk_visit(&space->recorder->registry, &walk, mark_released, space);
    if (rc_is_final(rc))
        return address_space_set_message(space, rc);
    space->layout->released_stop = space->target.stop;
    return ompd_rc_ok;
}

/* The kinds of objects that the layouts of SPACE cover: bits 1 << enum layout_kind. */
static uint32_t find_covered_kinds(const struct address_space *space)
{
    uint32_t kinds = 0;

    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        const struct layout *layout = space->layout->runtimes.all[i].layout;

        for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT && layout != NULL; kind++)
            kinds |= (uint32_t)layout->objects[kind].is_there << kind;
    }
    return kinds;
}

/* Ignore words that look like unrecognised objects if the recorder has seen all objects of the
 * runtime, and layouts have found each live one: they are left over from freed objects, or another
 * thread is making an object. Returns ompd_rc_ok, also where some records could not be read;
 * ompd_rc_nomem or ompd_rc_interrupted. */
static ompd_rc_t acquit_covering_layouts(struct address_space *space)
{
    struct inventory *inventory = &space->layout->inventory;
    ompd_rc_t rc;

    if (!inventory_is_misfit(inventory) || !address_space_has_recorder(space) ||
        space->layout->acquitted_stop == space->target.stop)
        return ompd_rc_ok;
    rc = sources_mark_recorded(space, find_covered_kinds(space));
    if (rc_is_final(rc))
        return address_space_set_message(space, rc);
    space->layout->acquitted_stop = space->target.stop;
    for (uint32_t i = 0; i < space->layout->runtimes.count && rc == ompd_rc_ok; i++) {
        if ((space->layout->recorded_runtimes >> i & 1) != 0 && space->layout->unfound == 0)
            inventory->unrecognised[i] = 0;
    }
    return ompd_rc_ok;
}

/* Correct the inventory of this stop by the recorder's records. Returns as the two functions
 * above. */
static ompd_rc_t apply_recorder(struct address_space *space)
{
    ompd_rc_t rc = mark_all_released(space);

    return rc == ompd_rc_ok ? acquit_covering_layouts(space) : rc;
}

ompd_rc_t sources_take_inventory(struct address_space *space)
{
    struct inventory *inventory = &space->layout->inventory;
    ompd_rc_t rc;

    rc = find_runtimes(space);
    if (find_runtime(space, rc, true) == NULL)
        return fail_without_source(space, rc);
    if (inventory->stop == space->target.stop)
        return apply_recorder(space);
    if (sources_lack_memory(space))
        return address_space_set_message(space, ompd_rc_nomem);
    space->layout->released_stop = 0;
    space->layout->acquitted_stop = 0;
    rc = inventory_take(inventory, &space->target, &space->code, &space->layout->runtimes);
    note_limit(space, rc);
    if (inventory->stop == space->target.stop)
        return apply_recorder(space);
    if (rc == ompd_rc_incomplete)
        return fail_cancelled(space);
    if (rc == ompd_rc_unsupported)
        return address_space_fail(space, rc,
                                  "the tool does not list memory regions, which layouts need.");
    return address_space_set_message(space, rc);
}

/* ---- Both ------------------------------------------------------------------------------------ */

#define CONTEXTS (UINT32_C(1) << layout_context)

/* The recorder's table of objects of a kind; 0: none. */
static const uint8_t tables[LAYOUT_KIND_COUNT] = {
    [layout_platform] = ompd_cl_registry_platform, [layout_context] = ompd_cl_registry_context,
    [layout_queue] = ompd_cl_registry_queue,       [layout_buffer] = ompd_cl_registry_memobj,
    [layout_image] = ompd_cl_registry_memobj,      [layout_pipe] = ompd_cl_registry_memobj,
    [layout_event] = ompd_cl_registry_event,       [layout_program] = ompd_cl_registry_program,
    [layout_kernel] = ompd_cl_registry_kernel,     [layout_sampler] = ompd_cl_registry_sampler,
};

static bool mark_recorded(const struct registry *registry, const struct registry_table *table,
                          const uint8_t *record, uint32_t index, void *context)
{
    struct address_space *space = context;
    uint64_t handle = registry_get(registry, table, record, ompd_cl_registry_field_handle);
    struct inventory_item *item = inventory_find(&space->layout->inventory, handle);

    (void)index;
    if (item != NULL) {
        item->marks |= inventory_recorded;
        return true;
    }
    inventory_disprove(&space->layout->inventory, &space->target, handle);
    space->layout->unfound += registry_get(registry, table, record, ompd_cl_registry_field_state) ==
                              ompd_cl_registry_live;
    return true;
}

static ompd_rc_t mark_table(struct address_space *space, uint32_t table)
{
    struct registry_walk walk = {.table = &space->recorder->registry.tables[table]};
    ompd_rc_t rc;

    if (walk.table->record_size == 0)
        return ompd_rc_ok;
    rc = registry_walk_visit(&space->recorder->registry, &walk, mark_recorded, space);
    if (rc_is_final(rc))
        return rc;
    if (rc == ompd_rc_ok && walk.lost == 0)
        return rc;
    space->layout->unmarked += walk.lost != 0 ? walk.lost : 1;
    return ompd_rc_incomplete;
}

/* Find the runtimes of which the recorder has seen all objects: it has all their OpenCL contexts,
 * and saw no call on an unknown object. */
static uint32_t find_recorded_runtimes(const struct address_space *space)
{
    const struct ompd_cl_registry_counts *counts = &space->recorder->registry.counts;
    uint32_t runtimes = space->layout->inventory.runtimes_in_use;
    struct inventory_cursor cursor;
    const struct inventory_item *item;

    if (counts->unknown_handles != 0 || counts->not_recorded != 0 || counts->loaders_refused != 0 ||
        (space->layout->unmarked_kinds & CONTEXTS) != 0)
        return 0;
    inventory_begin(&space->layout->inventory, &cursor);
    while ((item = inventory_next(&cursor, CONTEXTS)) != NULL) {
        if ((item->marks & (inventory_recorded | inventory_internal)) == 0 &&
            item->confidence != ompd_cl_confidence_doubtful)
            runtimes &= ~(UINT32_C(1) << item->runtime);
    }
    return runtimes;
}

ompd_rc_t sources_mark_recorded(struct address_space *space, uint32_t kinds)
{
    uint32_t asked = kinds;
    uint32_t marked = 0; /* tables */

    if (!address_space_has_recorder(space))
        return ompd_rc_ok;
    kinds |= CONTEXTS;
    if (space->layout->marked_stop != space->target.stop) {
        space->layout->marked_kinds = 0;
        space->layout->unmarked_kinds = 0;
        space->layout->unmarked = 0;
        space->layout->unfound = 0;
    }
    space->layout->marked_stop = space->target.stop;
    for (uint32_t kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
        bool is_asked = (kinds & ~space->layout->marked_kinds) >> kind & 1;
        ompd_rc_t rc;

        if (!is_asked || tables[kind] == 0 || (marked >> tables[kind] & 1) != 0)
            continue;
        rc = mark_table(space, tables[kind]);
        if (rc_is_final(rc))
            return rc;
        if (rc != ompd_rc_ok)
            space->layout->unmarked_kinds |= UINT32_C(1) << kind;
        marked |= UINT32_C(1) << tables[kind];
    }
    space->layout->marked_kinds |= kinds;
    space->layout->recorded_runtimes = find_recorded_runtimes(space);
    return (space->layout->unmarked_kinds & asked) == 0 ? ompd_rc_ok : ompd_rc_incomplete;
}
