/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The number of SVM-free commands of each queue, by the recorder's list of them. */
#include "answers/answers.h"

static void count_for_queue(struct svm_recorded *recorded, uint64_t queue, bool is_presumed)
{
    uint32_t i = 0;

    while (i < recorded->queue_count && recorded->queues[i].handle != queue)
        i++;
    if (i == SVM_QUEUE_LIMIT) {
        recorded->has_more_queues = true;
        return;
    }
    if (i == recorded->queue_count)
        recorded->queues[recorded->queue_count++] = (struct svm_queue){.handle = queue};
    recorded->queues[i].count++;
    recorded->queues[i].is_presumed |= is_presumed;
}

/* Count the command of RECORD unless it is complete, or layouts show that it is destroyed. */
static ompd_rc_t count_recorded_free(struct address_space *space, const uint8_t *record,
                                     uint32_t index, void *context)
{
    const bool *has_layouts = context;
    struct registry *registry = &space->recorder->registry;
    struct registry_table *table = &registry->tables[ompd_cl_registry_svm_free];
    uint64_t queue = registry_get(registry, table, record, ompd_cl_registry_field_queue_handle);
    uint64_t run = OMPD_CL_REGISTRY_RUN_STATE(
        registry_get(registry, table, record, ompd_cl_registry_field_run));
    enum presence presence = presence_there;
    union row row;
    ompd_rc_t rc = ompd_rc_ok;

    if (run != ompd_cl_registry_enqueued && run != ompd_cl_registry_running)
        return ompd_rc_ok;
    if (record_confidence_is_presumed(registry, table, record))
        presence = presence_unknown;
    if (presence == presence_unknown && *has_layouts) {
        rc = row_fill(space, ompd_cl_kind_svm_free, record, index, &row);
        if (rc == ompd_rc_ok)
            rc = confirm_presence(space, ompd_cl_kind_svm_free, record, &row, &presence);
        if (presence == presence_unknown && !inventory_has_all(&space->layout->inventory))
            space->layout->svm_recorded.has_gaps = true;
    }
    if (rc == ompd_rc_ok && presence != presence_destroyed)
        count_for_queue(&space->layout->svm_recorded, queue, presence == presence_unknown);
    return rc;
}

static bool free_is_counted(const struct address_space *space)
{
    const struct svm_recorded *recorded = &space->layout->svm_recorded;

    return recorded->stop == space->target.stop && recorded->sources == space->sources;
}

ompd_rc_t queue_frees_count(struct address_space *space)
{
    struct svm_recorded *recorded = &space->layout->svm_recorded;
    struct registry_walk walk = {.table =
                                     &space->recorder->registry.tables[ompd_cl_registry_svm_free]};
    bool has_layouts = false;
    ompd_rc_t rc;

    if (free_is_counted(space) && recorded->rc == ompd_rc_ok)
        return ompd_rc_ok;
    *recorded = (struct svm_recorded){.rc = ompd_rc_incomplete};
    if (walk.table->record_size == 0)
        return ompd_rc_unavailable;
    rc = sources_find_layouts(space, &has_layouts);
    if (!rc_is_final(rc))
        rc = record_walk_visit(space, &walk, NULL, count_recorded_free, &has_layouts);
    if (rc == ompd_rc_ok && walk.lost != 0)
        rc = ompd_rc_incomplete;
    recorded->rc = rc;
    recorded->failure = rc == ompd_rc_incomplete ? space->target.failure : ompd_cl_status_unknown;
    /* A search that the tool cancelled is made again. */
    if (!rc_is_final(rc) && !(has_layouts && space->layout->inventory.stop != space->target.stop)) {
        recorded->stop = space->target.stop;
        recorded->sources = space->sources;
    }
    return rc;
}

ompd_rc_t queue_frees_complete(struct address_space *space, ompd_cl_queue_info_t *info)
{
    const struct svm_recorded *recorded = &space->layout->svm_recorded;
    const struct svm_queue *queue = NULL;
    ompd_rc_t rc = free_is_counted(space) ? recorded->rc : queue_frees_count(space);

    if (rc_is_final(rc))
        return rc;
    if (rc == ompd_rc_unavailable)
        return ompd_rc_ok;
    if (rc != ompd_rc_ok) {
        message_clear(&space->message);
        recorder_value_set_absent(&info->svm_frees, recorded->failure);
        return ompd_rc_incomplete;
    }
    for (uint32_t i = 0; i < recorded->queue_count; i++) {
        if (recorded->queues[i].handle == info->head.handle.value)
            queue = &recorded->queues[i];
    }
    if (queue != NULL || !recorded->has_more_queues)
        recorder_value_set(&info->svm_frees, queue != NULL ? queue->count : 0);
    if (queue == NULL || !queue->is_presumed)
        return ompd_rc_ok;
    info->svm_frees.status = ompd_cl_status_presumed;
    if (!recorded->has_gaps)
        return ompd_rc_ok;
    recorder_value_set_absent(&info->svm_frees, inventory_failure(&space->layout->inventory));
    return ompd_rc_incomplete;
}

/* ---- Of a device ----------------------------------------------------------------------------- */

/* The device that is searched for, and its usage. */
struct search {
    uint64_t device;
    struct device_usage *usage;
};

/* As many as their table has room for. */
#define MOST_COMMANDS (UINT64_C(1) << OMPD_CL_REGISTRY_INDEX_BITS)

static ompd_rc_t count_device_queue(struct address_space *space, uint64_t address, void *context)
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
            "the recorder's registry is corrupt: a queue has an impossible number of SVM frees.");
    search->usage->queues++;
    search->usage->svm_frees += values[2];
    return ompd_rc_ok;
}

ompd_rc_t device_usage_count(struct address_space *space, uint64_t device,
                             struct device_usage *usage)
{
    struct search search = {device, usage};

    *usage = (struct device_usage){0, 0};
    return uncached_visit(space, ompd_cl_registry_queue, false, count_device_queue, &search);
}
