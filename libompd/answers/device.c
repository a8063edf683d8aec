/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "answers/answers.h"

/* What is looked for, and what was found. */
struct search {
    uint64_t device;
    struct device_usage *usage;
};

/* As many as their table has room for. */
#define MOST_COMMANDS (UINT64_C(1) << OMPD_CL_REGISTRY_INDEX_BITS)

static ompd_rc_t count_queue(struct address_space *space, uint64_t address, void *context)
{
    static const uint8_t fields[] = {
        ompd_cl_registry_field_state,
        ompd_cl_registry_field_device,
        ompd_cl_registry_field_svm_frees,
    };
    const struct search *search = context;
    uint64_t values[sizeof(fields)];
    ompd_rc_t rc;

    rc = uncached_fields(space, &space->recorder->registry.tables[ompd_cl_registry_queue], address,
                         fields, sizeof(fields), values);
    if (rc != ompd_rc_ok || values[0] == ompd_cl_registry_free || values[1] != search->device)
        return rc;
    if (values[2] > MOST_COMMANDS)
        return address_space_fail(
            space, ompd_rc_error,
            "the recorder's registry is corrupt: a queue has more SVM frees than can be.");
    search->usage->queues++;
    search->usage->svm_frees += values[2];
    return ompd_rc_ok;
}

ompd_rc_t device_look(struct address_space *space, uint64_t device, struct device_usage *usage)
{
    struct search search = {device, usage};

    *usage = (struct device_usage){0, 0};
    return uncached_visit(space, ompd_cl_registry_queue, false, count_queue, &search);
}
