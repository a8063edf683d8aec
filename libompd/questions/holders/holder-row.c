/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Describes a place in memory or registers that has a cl handle. */
#include "questions/holders/holders.h"

#include "sources/layout/layout-source.h"
#include "sources/stack/stack.h"

/* The C library has at most this much data of a thread behind its pthread_t. */
#define THREAD_SIZE 4096

/* Begin INFO, in a STORAGE that OWNER, 0 for not known, can use. */
static void begin_holder_row(ompd_cl_reference_site_info_t *info, ompd_cl_site_kind_t storage,
                             ompd_cl_site_owner_t owner)
{
    blank_fill(ompd_cl_kind_reference_site, info, ompd_cl_source_none,
               ompd_cl_status_not_applicable);
    plain_value_set(&info->site_kind, storage);
    if (owner != 0)
        plain_value_set(&info->owner, owner);
    else
        plain_value_set_absent(&info->owner, ompd_cl_status_unknown);
}

/* ---- Stacks ---------------------------------------------------------------------------------- */

/* The role of the module with the code at PC. */
static enum module_role role_of_code(const struct address_space *space, uint64_t pc)
{
    const struct owner_module *module = owner_module_find(&space->stacks->owners, pc);

    return module != NULL ? module->role : module_of_program;
}

/* The runtime that started the thread of STACK. A runtime works in its own threads, where the
 * program holds nothing. 0: unknown, because the stack is incomplete. */
static ompd_cl_site_owner_t owner_of_thread(const struct address_space *space,
                                            const struct thread_stack *stack)
{
    for (uint32_t i = stack->frame_count; i > 0; i--) {
        bool is_begun_for = i < stack->frame_count && stack->frame_count < THREAD_FRAMES;

        switch (role_of_code(space, stack->frames[i - 1].pc)) {
        case module_of_c_library:
            break;
        case module_of_runtime:
        case module_of_embree:
            return is_begun_for ? ompd_cl_site_owner_runtime : 0;
        default:
            return ompd_cl_site_owner_program;
        }
    }
    return 0;
}

/* Set which function call of STACK, number FRAME, INFO is about. */
static void set_frame(const struct thread_stack *stack, uint32_t frame,
                      ompd_cl_reference_site_info_t *info)
{
    const ompd_cl_frame_t *found = &stack->frames[frame];

    plain_value_set(&info->frame, frame);
    plain_value_set(found->is_caller != 0 ? &info->return_address : &info->instruction, found->pc);
}

/* Fill INFO for the word at ADDRESS in the memory of STACK. Returns false if it is dead. */
static bool fill_stack(struct address_space *space, const struct owner_stack *found,
                       uint64_t address, ompd_cl_reference_site_info_t *info)
{
    struct thread_stack *stack = &space->stack;

    if (found->live == 0) {
        begin_holder_row(info, ompd_cl_site_on_stack, 0);
        if (found->lwp != 0)
            plain_value_set(&info->thread, found->lwp);
        else
            plain_value_set_absent(&info->thread, ompd_cl_status_unknown);
        plain_value_set(&info->address, address);
        return true;
    }
    if (address < found->live)
        return false;
    thread_stack_get(&space->target, found->lwp, THREAD_FRAMES, stack);
    begin_holder_row(info, ompd_cl_site_stack, owner_of_thread(space, stack));
    plain_value_set(&info->thread, found->lwp);
    plain_value_set(&info->address, address);
    for (uint32_t i = 0; i < stack->frame_count && stack->frames[i].frame_address != 0; i++) {
        if (address < stack->frames[i].frame_address) {
            set_frame(stack, i, info);
            return true;
        }
    }
    plain_value_set_absent(&info->frame, ompd_cl_status_unknown);
    if (found->pthread > found->live && found->pthread < found->end) {
        plain_value_set(&info->site_kind, address < found->pthread + THREAD_SIZE
                                              ? ompd_cl_site_thread_data
                                              : ompd_cl_site_memory);
        plain_value_set_absent(&info->frame, ompd_cl_status_not_applicable);
    }
    return true;
}

void holder_row_fill_register(struct address_space *space, uint64_t lwp, uint32_t number,
                              ompd_cl_reference_site_info_t *info)
{
    struct thread_stack *stack = &space->stack;

    thread_stack_get(&space->target, lwp, THREAD_FRAMES, stack);
    begin_holder_row(info, ompd_cl_site_register, owner_of_thread(space, stack));
    plain_value_set(&info->thread, lwp);
    plain_value_set(&info->register_number, number);
    if (stack->frame_count != 0)
        set_frame(stack, 0, info);
}

/* ---- The recorder ---------------------------------------------------------------------------- */

/* Fill INFO for the word at ADDRESS in records of RANGE. Returns false if the program does not get
 * it back as the user data of pending callbacks. */
static bool fill_record(struct address_space *space, const struct owner_range *range,
                        uint64_t address, ompd_cl_reference_site_info_t *info)
{
    const struct registry_table *table = &space->recorder->registry.tables[range->table];
    struct registry_location field = table->locations[ompd_cl_registry_field_user_data];
    uint64_t offset = (address - range->start) % table->record_size;
    const uint8_t *record;
    uint64_t state;

    if (offset - field.offset >= field.size)
        return false;
    begin_holder_row(info, ompd_cl_site_user_data, ompd_cl_site_owner_program);
    plain_value_set(&info->address, address);
    if (target_view(&space->target, address - offset, table->record_size, 0, &record) != ompd_rc_ok)
        return true;
    state = OMPD_CL_REGISTRY_RUN_STATE(
        registry_get(&space->recorder->registry, table, record, ompd_cl_registry_field_run));
    return state == ompd_cl_registry_registered || state == ompd_cl_registry_enqueued ||
           state == ompd_cl_registry_running;
}

/* ---- Modules --------------------------------------------------------------------------------- */

/* Fill INFO for a variable of MODULE. Returns false if it is the recorder's. */
static bool fill_module(struct address_space *space, const struct owner_module *module,
                        ompd_cl_reference_site_info_t *info)
{
    struct module told;

    if (module->role == module_of_recorder)
        return false;
    if (module->role == module_of_runtime || module->role == module_of_embree)
        begin_holder_row(info, ompd_cl_site_runtime_data, ompd_cl_site_owner_runtime);
    else
        begin_holder_row(info, ompd_cl_site_module, ompd_cl_site_owner_program);
    if (module_get(&space->target, module->index, &told) == ompd_rc_ok)
        address_space_set_path(space, told.start, told.name, told.name_length, &info->module);
    else
        info->module.status = ompd_cl_status_unreadable;
    return true;
}

/* ---- The heap -------------------------------------------------------------------------------- */

/* The handle of the OpenCL object in the memory [START, END); 0: none is known. */
static uint64_t object_within(struct address_space *space, uint64_t start, uint64_t end)
{
    const struct inventory *inventory = &space->layout->inventory;
    const struct inventory_item *item = NULL;
    uint32_t index;
    uint32_t generation;

    if (inventory->stop == space->target.stop)
        item = inventory_find_below(inventory, end - 1);
    if (item != NULL && item->handle >= start && item->confidence != ompd_cl_confidence_doubtful &&
        (item->marks & inventory_copy) == 0)
        return item->handle;
    if (!address_space_has_recorder(space))
        return 0;
    for (uint32_t table = 1; table <= OMPD_CL_REGISTRY_TABLE_COUNT; table++) {
        if (registry_has(&space->recorder->registry.tables[table], ompd_cl_registry_field_handle) &&
            table != ompd_cl_registry_svm &&
            record_find(&space->recorder->registry, table, start, &index, &generation) ==
                ompd_rc_ok)
            return start;
    }
    return 0;
}

/* Set the object that INFO is part of, if known: OBJECT, 0 for none. */
static void set_object(const struct address_space *space, uint64_t object,
                       ompd_cl_reference_site_info_t *info)
{
    const struct inventory *inventory = &space->layout->inventory;

    if (object != 0) {
        plain_value_set(&info->object, object);
        plain_value_set(&info->owner, ompd_cl_site_owner_runtime);
    } else if (space->target.failure != 0) {
        plain_value_set_absent(&info->object, space->target.failure);
    } else if (inventory->stop == space->target.stop && !inventory_is_whole(inventory)) {
        plain_value_set_absent(&info->object, inventory_failure(inventory));
    }
}

/* Fill INFO for a word in the block [START, END) of USE. Returns false if it is part of the object
 * HANDLE. */
static bool fill_block(struct address_space *space, const struct holder_search *look,
                       uint64_t start, uint64_t end, enum heap_use use, uint64_t handle,
                       ompd_cl_reference_site_info_t *info)
{
    uint64_t object;

    if (handle >= start && handle < end)
        return false;
    if (use == heap_is_cached) {
        begin_holder_row(info, ompd_cl_site_freed, ompd_cl_site_owner_nobody);
    } else if (embree_blocks_has(space, &look->embree, start, end, &object)) {
        begin_holder_row(info, ompd_cl_site_heap, ompd_cl_site_owner_runtime);
        if (object != 0)
            plain_value_set(&info->object, object);
    } else {
        begin_holder_row(info, ompd_cl_site_heap, 0);
        set_object(space, object_within(space, start, end), info);
    }
    plain_value_set(&info->block, start);
    plain_value_set(&info->block_size, end - start);
    return true;
}

/* The object that has ADDRESS among its fields, by its layout, if no heap shows its size; 0:
 * none. */
static uint64_t object_about(const struct address_space *space, uint64_t address)
{
    const struct inventory_item *item = NULL;
    const struct layout_object *layout;

    if (space->layout->inventory.stop == space->target.stop)
        item = inventory_find_below(&space->layout->inventory, address);
    if (item == NULL || item->confidence == ompd_cl_confidence_doubtful ||
        !inventory_has_layout(space, item))
        return 0;
    layout = &space->layout->runtimes.all[item->runtime].layout->objects[item->kind];
    return (int64_t)(address - item->handle) < layout->highest ? item->handle : 0;
}

/* Fill INFO for a word in memory that is neither a stack's nor a module's. */
static bool fill_memory(struct address_space *space, struct holder_search *look, uint64_t address,
                        uint64_t handle, ompd_cl_reference_site_info_t *info)
{
    uint64_t header = 2 * (uint64_t)space->target.pointer_size;
    struct heap_chunk chunk = heap_chunks_find(&look->chunks, &space->target, address);
    uint64_t object;

    /* The last word of a block is where the next chunk begins. */
    if (chunk.use != heap_unknown && address < look->chunks.at + header)
        chunk = heap_chunks_find(&look->chunks, &space->target, address - header);
    if (chunk.use == heap_is_freed)
        return false;
    if (chunk.use != heap_unknown)
        return fill_block(space, look, look->chunks.at + header,
                          look->chunks.at + chunk.size + header / 2, chunk.use, handle, info);
    object = object_about(space, address);
    if (object == handle && object != 0)
        return false;
    begin_holder_row(info, ompd_cl_site_memory, 0);
    set_object(space, object, info);
    return true;
}

bool holder_row_fill(struct address_space *space, struct holder_search *look, uint64_t address,
                     uint64_t handle, ompd_cl_reference_site_info_t *info)
{
    const struct memory_owners *map = &space->stacks->owners;
    const struct owner_range *record = owner_range_find(map, address);
    const struct owner_module *module;
    const struct owner_stack *stack;
    bool is_held;

    if (record != NULL)
        return fill_record(space, record, address, info);
    stack = owner_stack_find(map, address);
    if (stack != NULL)
        return fill_stack(space, stack, address, info);
    module = owner_module_find(map, address);
    if (module != NULL)
        is_held = fill_module(space, module, info);
    else
        is_held = fill_memory(space, look, address, handle, info);
    if (is_held)
        plain_value_set(&info->address, address);
    return is_held;
}
