/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A walk over the recorder's records during which other memory may be read. */
#include "answers/list.h"

static bool has_room(const struct batch *batch)
{
    return batch == NULL || batch->count < batch->capacity;
}

ompd_rc_t record_walk_visit(struct address_space *space, struct registry_walk *walk,
                            const struct batch *batch, record_visit_t visit, void *context)
{
    struct registry *registry = &space->recorder->registry;
    const struct registry_table *table = walk->table;

    while (has_room(batch)) {
        const uint8_t *records;
        uint32_t first;
        uint32_t count;
        ompd_rc_t rc = registry_walk_look(registry, walk, &records, &first, &count);

        if (rc != ompd_rc_ok || count == 0)
            return rc;
        records = recorder_source_copy(space, table, records);
        for (uint32_t i = 0; i < count && has_room(batch); i++) {
            const uint8_t *record = records + (size_t)i * table->record_size;
            bool is_there = !registry_is_free(registry, table, record);

            if (is_there)
                rc = visit(space, record, first + i, context);
            if (rc != ompd_rc_ok)
                return rc;
            registry_walk_pass(walk, is_there);
        }
    }
    return ompd_rc_ok;
}
