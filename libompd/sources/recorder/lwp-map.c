/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Maps thread numbers between PID namespaces. */
#include "sources/recorder/recorder.h"

#include <string.h>

static ompd_rc_t add_lwp_pair(struct lwp_map *map, struct memory *memory, struct lwp_pair pair)
{
    ompd_rc_t rc =
        memory_grow(memory, &map->pairs, map->count, &map->capacity, sizeof(map->pairs[0]));

    if (rc == ompd_rc_ok)
        map->pairs[map->count++] = pair;
    return rc;
}

/* Whether the tool's numbers are the recorder's. */
enum lwp_naming {
    lwps_are_same, /* or nothing shows otherwise */
    lwps_are_told, /* the tool reports both */
    lwps_may_differ
};

/* The first thread of a process has the process' number: where no thread is called so, numbers may
 * differ. */
static ompd_rc_t find_naming(struct address_space *space, enum lwp_naming *naming)
{
    ompd_cl_target_thread_t thread;
    ompd_rc_t rc;

    *naming = lwps_are_same;
    for (uint32_t i = 0; (rc = thread_get(&space->target, i, &thread)) == ompd_rc_ok; i++) {
        if (thread.own_lwp != 0)
            *naming = lwps_are_told;
        if (thread.own_lwp != 0 || thread.lwp == space->recorder->registry.pid)
            return ompd_rc_ok;
    }
    if (rc == ompd_rc_unavailable)
        *naming = lwps_may_differ;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

static ompd_rc_t add_tool_threads(struct address_space *space)
{
    ompd_cl_target_thread_t thread;
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; rc == ompd_rc_ok; i++) {
        ompd_rc_t by_tool = thread_get(&space->target, i, &thread);

        if (by_tool != ompd_rc_ok)
            return rc_is_final(by_tool) ? by_tool : ompd_rc_ok;
        rc = add_lwp_pair(&space->recorder->lwps, space->target.memory,
                          (struct lwp_pair){thread.pthread, thread.lwp, thread.own_lwp});
    }
    return rc;
}

static bool add_recorded_threads(const struct registry *registry,
                                 const struct registry_table *table, const uint8_t *record,
                                 uint32_t index, void *context)
{
    uint64_t pthread = registry_get(registry, table, record, ompd_cl_registry_field_pthread);
    struct lwp_map *map = context;

    (void)index;
    for (uint32_t i = 0; i < map->count; i++) {
        if (pthread != 0 && map->pairs[i].pthread == pthread)
            map->pairs[i].recorded =
                registry_get(registry, table, record, ompd_cl_registry_field_lwp);
    }
    return true;
}

/* Pair the tool's threads and the recorder's by their pthread_t. */
static ompd_rc_t pair_threads(struct address_space *space)
{
    struct registry_walk walk = {.table =
                                     &space->recorder->registry.tables[ompd_cl_registry_thread]};
    struct lwp_map *map = &space->recorder->lwps;
    bool differs = false;
    ompd_rc_t rc = ompd_rc_ok;

    if (walk.table->record_size != 0)
        rc = registry_walk_visit(&space->recorder->registry, &walk, add_recorded_threads, map);
    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok)
        message_clear(&space->message);
    for (uint32_t i = 0; i < map->count; i++)
        differs |= map->pairs[i].recorded != 0 && map->pairs[i].recorded != map->pairs[i].by_tool;
    /* A process whose first thread has ended may no longer have it. */
    if (!differs)
        map->count = 0;
    return ompd_rc_ok;
}

ompd_rc_t lwp_map_read(struct address_space *space)
{
    struct lwp_map *map = &space->recorder->lwps;
    enum lwp_naming naming;
    ompd_rc_t rc;

    if (map->stop == space->target.stop)
        return ompd_rc_ok;
    map->count = 0;
    rc = find_naming(space, &naming);
    if (rc == ompd_rc_ok && naming != lwps_are_same)
        rc = add_tool_threads(space);
    if (rc == ompd_rc_ok && naming == lwps_may_differ)
        rc = pair_threads(space);
    if (rc == ompd_rc_ok)
        map->stop = space->target.stop;
    return rc;
}

uint64_t lwp_map_to_tool(const struct lwp_map *map, uint64_t recorded)
{
    if (map->count == 0)
        return recorded;
    for (uint32_t i = 0; i < map->count; i++) {
        if (recorded != 0 && map->pairs[i].recorded == recorded)
            return map->pairs[i].by_tool;
    }
    return 0;
}

uint64_t lwp_map_to_recorder(const struct lwp_map *map, uint64_t by_tool)
{
    if (map->count == 0)
        return by_tool;
    for (uint32_t i = 0; i < map->count; i++) {
        if (map->pairs[i].by_tool == by_tool)
            return map->pairs[i].recorded;
    }
    return 0;
}

void lwp_map_rename_thread(const struct lwp_map *map, ompd_cl_value_t *value)
{
    if (map->count == 0 || value->source != ompd_cl_source_recorder ||
        (value->status != ompd_cl_status_value && value->status != ompd_cl_status_presumed))
        return;
    value->value = lwp_map_to_tool(map, value->value);
    if (value->value == 0)
        value->status = ompd_cl_status_unknown;
}

void lwp_map_rename(const struct lwp_map *map, uint32_t kind, void *row)
{
    const struct kind *found = kind_find(kind);

    if (map->count == 0 || found == NULL)
        return;
    for (uint32_t i = 0; i < found->field_count; i++) {
        const ompd_cl_field_t *field = &found->fields[i];
        ompd_cl_value_t *value = (ompd_cl_value_t *)(void *)((char *)row + field->offset);

        if (field->type == ompd_cl_type_lwp)
            lwp_map_rename_thread(map, value);
        else if (field->type != ompd_cl_type_text && value->status == ompd_cl_status_changing)
            value->lwp = (uint32_t)lwp_map_to_tool(map, value->lwp);
    }
}
