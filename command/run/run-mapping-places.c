/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where memory objects were mapped: the recorder's mappings by object. */
#include <command/run/facts.h>

#include <stdlib.h>
#include <text/heap.h>

static int compare_objects(const void *left, const void *right)
{
    const struct run_mapping *one = left;
    const struct run_mapping *other = right;

    if (one->object != other->object)
        return one->object < other->object ? -1 : 1;
    return one->order < other->order ? -1 : one->order > other->order;
}

void run_mapping_places_read(struct command_facts *facts)
{
    const ompd_cl_mapping_info_t *mapping;
    struct command_rows rows;

    command_rows_open_optional(&rows, facts->session, ompd_cl_kind_mapping, NULL);
    while ((mapping = command_rows_next(&rows)) != NULL) {
        if (mapping->object_kind.value != ompd_cl_kind_memobj ||
            mapping->state.value == ompd_cl_mapping_unmapped)
            continue;
        facts->mapping_places = heap_grow(facts->mapping_places, facts->mapping_place_count,
                                          sizeof(facts->mapping_places[0]));
        facts->mapping_places[facts->mapping_place_count++] = (struct run_mapping){
            .object = mapping->object.value,
            .order = mapping->head.order.value,
            .state = mapping->state.value,
            .caller = mapping->head.caller,
            .stack = mapping->head.stack,
        };
    }
    command_rows_close(&rows);
    if (facts->mapping_place_count != 0)
        qsort(facts->mapping_places, facts->mapping_place_count, sizeof(facts->mapping_places[0]),
              compare_objects);
}

const struct run_mapping *run_mapping_find(const struct command_facts *facts, uint64_t object,
                                           size_t *count)
{
    size_t first = 0;
    size_t end = facts->mapping_place_count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (facts->mapping_places[middle].object < object)
            first = middle + 1;
        else
            end = middle;
    }
    *count = 0;
    while (first + *count < facts->mapping_place_count &&
           facts->mapping_places[first + *count].object == object)
        ++*count;
    return facts->mapping_places + first;
}
