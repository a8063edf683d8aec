/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sources/recorder/registry.h"

#define GET(field) registry_get(registry, table, record, ompd_cl_registry_field_##field)

uint32_t evidence_children(const struct registry *registry, const struct registry_table *table,
                           const uint8_t *record)
{
    /* Those of an OpenCL context are counted in shards, each of which may be below 0. */
    return (uint32_t)(GET(children) + GET(children_1) + GET(children_2) + GET(children_3));
}

bool evidence_is_presumed(const struct registry *registry, const struct registry_table *table,
                          const uint8_t *record)
{
    uint64_t evidence = GET(evidence);

    if ((evidence & OMPD_CL_REGISTRY_HELD_BY_RUNTIME) != 0)
        return true;
    /* Nothing but children keeps it, and none of them is sure to be there. */
    return (evidence & OMPD_CL_REGISTRY_HELD_BY_CHILDREN) != 0 &&
           registry_has(table, ompd_cl_registry_field_children_released) &&
           evidence_children(registry, table, record) <= GET(children_released);
}
