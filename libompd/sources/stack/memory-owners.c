/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Who uses which memory of the target: modules, stacks and the recorder. */
#include "sources/stack/stack.h"

#include "sources/layout/layout-source.h"
#include "sources/layout/layout.h"
#include "sources/recorder/recorder.h"

#include <string.h>

/* The number of separate ranges of records: law 6. */
#define RECORD_RANGE_LIMIT 4096

/* Leaf functions may use this much below the stack pointer (System V ABI for AMD64, section
 * 3.2.2). */
#define RED_ZONE 128

/* ---- Modules --------------------------------------------------------------------------------- */

static bool begins_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

static enum module_role module_role_of(const struct address_space *space,
                                       const struct module *module)
{
    const struct runtimes *runtimes = &space->layout->runtimes;
    const char *name = text_file_name(module->name);

    for (uint32_t i = 0; i < runtimes->count; i++) {
        if (runtimes->all[i].start == module->start)
            return module_of_runtime;
    }
    /* PoCL has its devices, and their threads, in libraries of their own: libpocl-devices-*. */
    if (begins_with(name, "libOpenCL.so") || begins_with(name, "libpocl"))
        return module_of_runtime;
    if (begins_with(name, "libembree"))
        return module_of_embree;
    if (begins_with(name, "libompd-opencl-recorder"))
        return module_of_recorder;
    if (begins_with(name, "libc.so.") || begins_with(name, "libc-") ||
        begins_with(name, "libpthread"))
        return module_of_c_library;
    return module_of_program;
}

static ompd_rc_t add_owner_modules(struct address_space *space)
{
    struct memory_owners *map = &space->stacks->owners;
    struct target *target = &space->target;
    struct module module;
    ompd_rc_t rc = ompd_rc_ok;

    map->stack_pointer = stack_pointer_number(target);
    for (uint32_t i = 0; rc == ompd_rc_ok && i < MODULE_LIMIT; i++) {
        ompd_rc_t told = module_get(target, i, &module);

        map->lacks_some |= told == ompd_rc_incomplete;
        if (told != ompd_rc_ok)
            break;
        rc = memory_grow(target->memory, &map->modules, map->module_count, &map->module_capacity,
                         sizeof(map->modules[0]));
        if (rc == ompd_rc_ok)
            map->modules[map->module_count++] =
                (struct owner_module){module.start, module_memory_end(target, &module), i,
                                      module_role_of(space, &module)};
    }
    return rc;
}

/* ---- Stacks ---------------------------------------------------------------------------------- */

/* Where the words of the stack of THREAD are alive; 0: not known. */
static uint64_t find_live_words(struct address_space *space, const struct thread_stack *stack)
{
    const struct memory_owners *map = &space->stacks->owners;
    uint64_t pointer;

    if (map->stack_pointer == UINT32_MAX ||
        !thread_register_get(stack, map->stack_pointer, &pointer))
        return 0;
    return pointer > RED_ZONE ? pointer - RED_ZONE : pointer;
}

/* Where the first thread's stack began, as glibc's dynamic linker records it; 0: unknown. */
static uint64_t first_stack_end(struct target *target)
{
    uint64_t variable;
    uint64_t end;

    if (target_symbol(target, "__libc_stack_end", &variable) != ompd_rc_ok ||
        !target_word(target, variable, &end))
        return 0;
    return end;
}

/* Find the memory of a thread's stack. It is a stack if above the stack pointer there is what the C
 * library puts at its top: the pthread_t or, for the first thread, what begins at FIRST. Other
 * stacks were made by the program, perhaps in its heap. */
static bool find_stack_region(struct address_space *space, uint64_t first,
                              struct owner_stack *found)
{
    struct region_run run;
    uint64_t within = found->live != 0 ? found->live : found->pthread;

    if (within == 0 || region_get_whole(&space->target, within, &run) != ompd_rc_ok)
        return false;
    found->start = run.start;
    found->end = run.end;
    return (first >= within && first < run.end) ||
           (found->pthread >= within && found->pthread < run.end);
}

/* The same for a thread that runs a signal handler on its own stack: the frames that the signal
 * interrupted are in the thread's stack. */
static bool find_interrupted_region(struct address_space *space, uint64_t first,
                                    struct owner_stack *found)
{
    struct thread_stack *stack = &space->stack;

    thread_stack_get(&space->target, found->lwp, THREAD_FRAMES, stack);
    for (uint32_t i = 0; i < stack->frame_count && stack->frames[i].frame_address > RED_ZONE; i++) {
        uint64_t address = stack->frames[i].frame_address;
        bool is_within = address >= found->start && address < found->end;

        found->live = address - RED_ZONE;
        if (!is_within && find_stack_region(space, first, found))
            return true;
    }
    return false;
}

static ompd_rc_t add_owner_stack(struct address_space *space, const struct owner_stack *found)
{
    struct memory_owners *map = &space->stacks->owners;
    ompd_rc_t rc = memory_grow(space->target.memory, &map->stacks, map->stack_count,
                               &map->stack_capacity, sizeof(map->stacks[0]));

    if (rc == ompd_rc_ok)
        map->stacks[map->stack_count++] = *found;
    return rc;
}

/* Where the tool reports no threads: add the stack of the first, which began at FIRST. */
static ompd_rc_t add_first_owner_stack(struct address_space *space, uint64_t first)
{
    struct region_run run;

    if (first == 0 || region_get_whole(&space->target, first, &run) != ompd_rc_ok)
        return ompd_rc_ok;
    return add_owner_stack(space, &(struct owner_stack){.start = run.start, .end = run.end});
}

static ompd_rc_t add_owner_stacks(struct address_space *space)
{
    struct target *target = &space->target;
    uint64_t first = first_stack_end(target);
    ompd_cl_target_thread_t thread;
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; rc == ompd_rc_ok; i++) {
        struct thread_stack *stack = &space->stack;
        struct owner_stack found = {.lwp = 0};
        ompd_rc_t told = thread_get(target, i, &thread);

        if (rc_is_final(told))
            return told;
        space->stacks->owners.lacks_some |= told == ompd_rc_incomplete;
        if (told != ompd_rc_ok)
            break;
        thread_stack_get(target, thread.lwp, 1, stack);
        found.lwp = thread.lwp;
        found.pthread = thread.pthread;
        found.live = find_live_words(space, stack);
        if (find_stack_region(space, first, &found) ||
            find_interrupted_region(space, first, &found))
            rc = add_owner_stack(space, &found);
    }
    if (rc == ompd_rc_ok && space->stacks->owners.stack_count == 0)
        rc = add_first_owner_stack(space, first);
    return rc;
}

/* ---- The recorder ---------------------------------------------------------------------------- */

/* Add records of table TABLE, as part of the last range where they follow that. */
static ompd_rc_t add_record_range(struct address_space *space, uint32_t table, uint64_t start,
                                  uint64_t size)
{
    struct memory_owners *map = &space->stacks->owners;
    struct owner_range *last = map->record_count != 0 ? &map->records[map->record_count - 1] : NULL;
    ompd_rc_t rc;

    if (last != NULL && last->end == start && last->table == table) {
        last->end = start + size;
        return ompd_rc_ok;
    }
    if (map->record_count == RECORD_RANGE_LIMIT) {
        map->lacks_some = true;
        return ompd_rc_ok;
    }
    rc = memory_grow(space->target.memory, &map->records, map->record_count, &map->record_capacity,
                     sizeof(map->records[0]));
    if (rc == ompd_rc_ok)
        map->records[map->record_count++] = (struct owner_range){start, start + size, table};
    return rc;
}

/* Add the chunks of table number ID, even empty ones: free records retain their contents. */
static ompd_rc_t add_table_records(struct address_space *space, uint32_t id)
{
    const struct registry_table *table = &space->recorder->registry.tables[id];
    struct target *target = &space->target;
    uint64_t size = (uint64_t)table->record_size * table->records_per_chunk;
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; rc == ompd_rc_ok && i < table->chunk_count; i++) {
        struct registry_chunk chunk;
        const uint8_t *entry;

        rc = target_view(target, table->directory + (uint64_t)i * table->entry_size,
                         sizeof(struct ompd_cl_registry_chunk), 0, &entry);
        if (rc == ompd_rc_ok && registry_chunk_decode(target, table, entry, &chunk))
            rc = add_record_range(space, id, chunk.address, size);
        else if (!rc_is_final(rc)) {
            space->stacks->owners.lacks_some = true;
            return ompd_rc_ok;
        }
    }
    return rc;
}

static ompd_rc_t add_recorder_records(struct address_space *space)
{
    ompd_rc_t rc = recorder_source_open(space);

    space->stacks->owners.lacks_some |= rc != ompd_rc_ok && rc != ompd_rc_unavailable;
    if (rc != ompd_rc_ok)
        return rc_is_final(rc) ? rc : ompd_rc_ok;
    for (uint32_t id = 1; rc == ompd_rc_ok && id <= OMPD_CL_REGISTRY_TABLE_COUNT; id++) {
        if (space->recorder->registry.tables[id].record_size != 0)
            rc = add_table_records(space, id);
    }
    return rc;
}

/* ---- The map --------------------------------------------------------------------------------- */

ompd_rc_t memory_owners_read(struct address_space *space)
{
    struct memory_owners *map = &space->stacks->owners;
    ompd_rc_t rc;

    if (map->stop == space->target.stop && !map->lacks_some)
        return ompd_rc_ok;
    map->stop = 0;
    map->module_count = 0;
    map->stack_count = 0;
    map->record_count = 0;
    rc = runtimes_find(&space->layout->runtimes, &space->target, &space->code, space->layouts);
    if (rc_is_final(rc))
        return rc;
    map->lacks_some = rc == ompd_rc_incomplete;
    rc = add_owner_modules(space);
    if (rc == ompd_rc_ok)
        rc = add_owner_stacks(space);
    if (rc == ompd_rc_ok)
        rc = add_recorder_records(space);
    if (rc == ompd_rc_ok)
        map->stop = space->target.stop;
    return rc;
}

const struct owner_module *owner_module_find(const struct memory_owners *map, uint64_t address)
{
    for (uint32_t i = 0; i < map->module_count; i++) {
        if (address >= map->modules[i].start && address < map->modules[i].end)
            return &map->modules[i];
    }
    return NULL;
}

const struct owner_stack *owner_stack_find(const struct memory_owners *map, uint64_t address)
{
    const struct owner_stack *found = NULL;

    /* Of stacks that the kernel has merged into one region, the one with the nearest live part. */
    for (uint32_t i = 0; i < map->stack_count; i++) {
        const struct owner_stack *stack = &map->stacks[i];

        if (address < stack->start || address >= stack->end)
            continue;
        if (found == NULL || (stack->live <= address && stack->live > found->live) ||
            (found->live > address && stack->live < found->live))
            found = stack;
    }
    return found;
}

const struct owner_range *owner_range_find(const struct memory_owners *map, uint64_t address)
{
    for (uint32_t i = 0; i < map->record_count; i++) {
        if (address >= map->records[i].start && address < map->records[i].end)
            return &map->records[i];
    }
    return NULL;
}
