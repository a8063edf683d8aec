/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether the program has the handles of the objects on which it has references. */
#include "questions/leaks/leaks.h"

#include "answers/answers.h"
#include "questions/holders/holders.h"
#include "sources/stack/stack.h"
#include "target/heap.h"

#include <string.h>

/* ---- The handles ----------------------------------------------------------------------------- */

/* Sift the handle at INDEX down in the heap of the first COUNT. */
static void sift_handle(uint64_t *all, uint32_t index, uint32_t count)
{
    uint64_t sinking = all[index];
    uint64_t child; /* wider: twice an index */

    while ((child = 2 * (uint64_t)index + 1) < count) {
        if (child + 1 < count && all[child] < all[child + 1])
            child++;
        if (sinking >= all[child])
            break;
        all[index] = all[child];
        index = (uint32_t)child;
    }
    all[index] = sinking;
}

/* Put HANDLES in order, by a heap: in place, and never in more steps than so; each once. */
static void sort_handles(struct kept_rows *handles)
{
    uint64_t *all = handles->rows;
    uint32_t kept = 0;

    for (uint32_t i = handles->count / 2; i-- > 0;)
        sift_handle(all, i, handles->count);
    for (uint32_t i = handles->count; i-- > 1;) {
        uint64_t last = all[i];

        all[i] = all[0];
        all[0] = last;
        sift_handle(all, 0, i);
    }
    for (uint32_t i = 0; i < handles->count; i++) {
        if (kept == 0 || all[kept - 1] != all[i])
            all[kept++] = all[i];
    }
    handles->count = kept;
}

/* The rows that are being visited. */
struct collecting {
    struct kept_leaks *kept;
    uint32_t index; /* of leak_kinds */
};

static ompd_rc_t collect_row(struct row_visit *visit, const void *row)
{
    const struct collecting *collecting = visit->rule;
    struct kept_leaks *kept = collecting->kept;
    uint64_t handle;
    enum leak_role role = leak_role_of(collecting->index, row, &handle);

    if (role == leak_not)
        return ompd_rc_ok;
    return kept_rows_add(visit->space, role == leak_owned ? &kept->wanted : &kept->released,
                         sizeof(handle), HANDLE_LIMIT, &handle);
}

static ompd_rc_t collect_handles(struct address_space *space)
{
    struct kept_leaks *kept = &space->kept->leaks;
    struct collecting collecting = {.kept = kept};
    struct row_visit visit = {.space = space, .missing = &kept->wanted.missing};
    ompd_rc_t rc = ompd_rc_ok;

    kept_rows_begin(&kept->wanted, 0);
    kept_rows_begin(&kept->released, 0);
    for (uint32_t i = 0; i < LEAK_KIND_COUNT && rc == ompd_rc_ok; i++) {
        collecting.index = i;
        if (leak_kind_is_there(space, leak_kinds[i]))
            rc = row_visit_all(&visit, leak_kinds[i], 0, collect_row, &collecting);
    }
    sort_handles(&kept->wanted);
    sort_handles(&kept->released);
    return rc;
}

/* ---- The places ------------------------------------------------------------------------------ */

/* How informative a place is: a named one first, then one that is certainly used. */
static unsigned place_rank(uint8_t storage)
{
    switch (storage) {
    case ompd_cl_site_module:
        return 7;
    case ompd_cl_site_stack:
        return 6;
    case ompd_cl_site_user_data:
    case ompd_cl_site_thread_data:
        return 5;
    case ompd_cl_site_register:
        return 4;
    case ompd_cl_site_heap:
        return 3;
    case ompd_cl_site_memory:
        return 2;
    case ompd_cl_site_on_stack:
        return 1;
    default:
        return 0;
    }
}

static uint32_t number_or_none(const ompd_cl_value_t *value)
{
    return value->status == ompd_cl_status_value ? (uint32_t)value->value : HANDLE_NONE;
}

static void pack_place(const ompd_cl_reference_site_info_t *info, struct handle_place *place)
{
    place->storage = (uint8_t)info->site_kind.value;
    place->is_presumed = info->owner.status != ompd_cl_status_value;
    place->address = info->address.value;
    place->block = info->block.value;
    place->block_size = info->block_size.value;
    place->is_caller = info->return_address.status == ompd_cl_status_value;
    place->code = place->is_caller ? info->return_address.value : info->instruction.value;
    place->lwp = (uint32_t)info->thread.value;
    place->frame = number_or_none(&info->frame);
    place->register_number = number_or_none(&info->register_number);
}

/* Whether INFO, a place that the program may use, is more informative than PLACE. */
static bool place_tells_more(const ompd_cl_reference_site_info_t *info,
                             const struct handle_place *place)
{
    bool is_presumed = info->owner.status != ompd_cl_status_value;

    if (place->storage != 0 && is_presumed != place->is_presumed)
        return !is_presumed;
    return place_rank((uint8_t)info->site_kind.value) > place_rank(place->storage);
}

/* Record INFO if it is more informative than earlier places, for handle_search. */
static ompd_rc_t record_place(void *visitor, uint32_t index,
                              const ompd_cl_reference_site_info_t *info)
{
    struct kept_leaks *kept = visitor;
    struct handle_place *place = &kept->places[index];

    if (info == NULL)
        place->has_unknown = true;
    else if (info->owner.value != ompd_cl_site_owner_runtime &&
             info->owner.value != ompd_cl_site_owner_nobody && place_tells_more(info, place))
        pack_place(info, place);
    return ompd_rc_ok;
}

static ompd_rc_t make_places(struct kept_leaks *kept, struct memory *memory)
{
    void *block;
    ompd_rc_t rc;

    if (kept->place_capacity < kept->wanted.count) {
        rc = memory_allocate(memory, kept->wanted.count * sizeof(kept->places[0]), &block);
        if (rc != ompd_rc_ok)
            return rc;
        memory_free(memory, kept->places);
        kept->places = block;
        kept->place_capacity = kept->wanted.count;
    }
    if (kept->wanted.count != 0)
        memset(kept->places, 0, kept->wanted.count * sizeof(kept->places[0]));
    return ompd_rc_ok;
}

bool leak_place_may_be_freed(const struct kept_leaks *kept, const struct handle_place *place)
{
    return kept->unchecked.allocator != NULL && place->storage == ompd_cl_site_memory &&
           place->is_presumed;
}

/* Have the allocator that may have freed the memory of one of the places. */
static void find_allocator(struct address_space *space)
{
    struct kept_leaks *kept = &space->kept->leaks;

    for (uint32_t i = 0; i < kept->wanted.count; i++) {
        if (kept->places[i].storage != ompd_cl_site_memory)
            continue;
        kept->unchecked.allocator = other_allocator_find(&space->target);
        return;
    }
}

static ompd_rc_t search_handles(struct address_space *space)
{
    struct kept_leaks *kept = &space->kept->leaks;
    struct handle_search search = {.handles = kept->wanted.rows,
                                   .count = kept->wanted.count,
                                   .visit = record_place,
                                   .visitor = kept,
                                   .missing = &kept->unchecked};
    ompd_rc_t rc = make_places(kept, space->target.memory);

    kept->unchecked = (struct shortfall){0};
    if (rc == ompd_rc_ok) {
        rc = handle_search_run(&search, space);
        find_allocator(space);
    }
    return rc;
}

/* ---- References from objects ----------------------------------------------------------------- */

/* Whether the program has the handle of PLACE, or can get it from an object. */
static bool leak_place_is_held(const struct handle_place *place)
{
    return place->is_reachable || (place->storage != 0 && place->storage != ompd_cl_site_on_stack);
}

/* The place for HANDLE, which may be 0, among those that were sought. */
static struct handle_place *place_of_handle(struct kept_leaks *kept, uint64_t handle)
{
    uint32_t index = handle_index_find(kept->wanted.rows, kept->wanted.count, handle);

    return index != kept->wanted.count ? &kept->places[index] : NULL;
}

/* Mark the object HANDLE of ROW, of leak_kinds[INDEX], as reachable if it is a geometry of a scene
 * that the program holds: rtcGetGeometry returns it. */
static void reach_from_scene(struct kept_leaks *kept, uint32_t index, const void *row,
                             uint64_t handle)
{
    const ompd_cl_embree_geometry_info_t *geometry = row;
    struct handle_place *place = place_of_handle(kept, handle);
    const struct handle_place *scene;
    uint64_t number;

    if (place == NULL || leak_kinds[index] != ompd_cl_kind_embree_geometry ||
        !value_is_known(&geometry->scene, &number))
        return;
    scene = place_of_handle(kept, number);
    if (scene != NULL && leak_place_is_held(scene))
        place->is_reachable = true;
}

static ompd_rc_t reach_from_row(struct row_visit *visit, const void *row)
{
    const struct collecting *collecting = visit->rule;
    struct kept_leaks *kept = collecting->kept;
    uint64_t links[LEAK_LINKS];
    const struct handle_place *place;
    uint64_t handle;

    if (leak_role_of(collecting->index, row, &handle) != leak_owned)
        return ompd_rc_ok;
    reach_from_scene(kept, collecting->index, row, handle);
    place = place_of_handle(kept, handle);
    if (place == NULL || !leak_place_is_held(place))
        return ompd_rc_ok;
    leak_links_get(collecting->index, row, links);
    for (unsigned i = 0; i < LEAK_LINKS; i++) {
        struct handle_place *linked = place_of_handle(kept, links[i]);

        if (linked != NULL)
            linked->is_reachable = true;
    }
    return ompd_rc_ok;
}

/* Whether any handle was not found. */
static bool is_any_missing(const struct kept_leaks *kept)
{
    for (uint32_t i = 0; i < kept->wanted.count; i++) {
        if (!leak_place_is_held(&kept->places[i]))
            return true;
    }
    return false;
}

/* Mark the objects whose handles the program can get from others. Each kind comes before those that
 * it leads to; a memory object's parent leads to the same context. */
static ompd_rc_t reach_from_objects(struct address_space *space)
{
    /* User data of a geometry may be any object, such as the scene that it is attached to. */
    static const ompd_cl_kind_t order[] = {
        ompd_cl_kind_event,           ompd_cl_kind_command_buffer, ompd_cl_kind_semaphore,
        ompd_cl_kind_kernel,          ompd_cl_kind_memobj,         ompd_cl_kind_sampler,
        ompd_cl_kind_queue,           ompd_cl_kind_program,        ompd_cl_kind_embree_geometry,
        ompd_cl_kind_embree_geometry, ompd_cl_kind_embree_scene,
    };
    struct kept_leaks *kept = &space->kept->leaks;
    struct collecting collecting = {.kept = kept};
    struct row_visit visit = {.space = space, .missing = &kept->wanted.missing};
    ompd_rc_t rc = ompd_rc_ok;

    if (!is_any_missing(kept))
        return ompd_rc_ok;
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]) && rc == ompd_rc_ok; i++) {
        collecting.index = 0;
        while (leak_kinds[collecting.index] != order[i])
            collecting.index++;
        if (leak_kind_is_there(space, order[i]))
            rc = row_visit_all(&visit, order[i], 0, reach_from_row, &collecting);
    }
    return rc;
}

ompd_rc_t leak_search_run(struct address_space *space)
{
    struct kept_leaks *kept = &space->kept->leaks;
    struct program_exit program_exit;
    ompd_rc_t rc;

    rc = collect_handles(space);
    if (rc == ompd_rc_ok)
        rc = search_handles(space);
    if (rc == ompd_rc_ok)
        rc = reach_from_objects(space);
    if (rc != ompd_rc_ok)
        return rc;
    kept->is_exiting = program_exit_find(&space->target, &space->stack, &program_exit);
    kept_rows_end(space, &kept->wanted);
    return ompd_rc_ok;
}

/* ---- What was found -------------------------------------------------------------------------- */

const struct handle_place *leak_place_find(const struct kept_leaks *kept, uint64_t handle)
{
    uint32_t index = handle_index_find(kept->wanted.rows, kept->wanted.count, handle);

    return index != kept->wanted.count ? &kept->places[index] : NULL;
}

bool leak_released_find(const struct kept_leaks *kept, uint64_t handle)
{
    return handle_index_find(kept->released.rows, kept->released.count, handle) !=
           kept->released.count;
}

/* Set VALUE to NUMBER unless it is NONE. */
static void set_unless(ompd_cl_value_t *value, uint64_t number, uint64_t none)
{
    if (number != none)
        plain_value_set(value, number);
}

static ompd_rc_t set_module(struct address_space *space, uint64_t address, ompd_cl_text_t *text)
{
    const struct owner_module *module = owner_module_find(&space->stacks->owners, address);
    ompd_rc_t rc = ompd_rc_incomplete;
    struct module told;

    if (module != NULL)
        rc = module_get(&space->target, module->index, &told);
    if (rc == ompd_rc_ok)
        address_space_set_path(space, told.start, told.name, told.name_length, text);
    else
        text->status = ompd_cl_status_unreadable;
    return rc == ompd_rc_ok || rc_is_final(rc) ? rc : ompd_rc_incomplete;
}

ompd_rc_t leak_place_describe(struct address_space *space, const struct handle_place *place,
                              ompd_cl_leak_info_t *info)
{
    plain_value_set(&info->site_kind, place->storage);
    if (place->is_presumed)
        info->site_kind.status = ompd_cl_status_presumed;
    set_unless(&info->site_address, place->address, 0);
    set_unless(&info->site_register_number, place->register_number, HANDLE_NONE);
    set_unless(&info->site_thread, place->lwp, 0);
    set_unless(&info->site_frame, place->frame, HANDLE_NONE);
    set_unless(place->is_caller ? &info->site_return_address : &info->site_instruction, place->code,
               0);
    set_unless(&info->site_block, place->block, 0);
    set_unless(&info->site_block_size, place->block_size, 0);
    if (place->storage == ompd_cl_site_module)
        return set_module(space, place->address, &info->site_module);
    return ompd_rc_ok;
}

void leak_place_set_absent(ompd_cl_leak_info_t *info)
{
    ompd_cl_value_t *values[] = {
        &info->site_kind,           &info->site_address, &info->site_register_number,
        &info->site_thread,         &info->site_frame,   &info->site_instruction,
        &info->site_return_address, &info->site_block,   &info->site_block_size,
    };

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        plain_value_set_absent(values[i], ompd_cl_status_unknown);
    info->site_module.status = ompd_cl_status_unknown;
}
