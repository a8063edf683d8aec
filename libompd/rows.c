/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "rows.h"

#include "fields.h"
#include "identifier.h"

#include <string.h>

/* The record that a row is made of. */
struct source {
    struct address_space *space;
    const struct registry *registry;
    const struct registry_table *table;
    const uint8_t *record;
    ompd_rc_t rc; /* ompd_rc_incomplete or ompd_rc_nomem once a field could not be had */
};

#define GET(source, field)                                                                         \
    registry_get((source)->registry, (source)->table, (source)->record,                            \
                 ompd_cl_registry_field_##field)
#define HAS(source, field) registry_has((source)->table, ompd_cl_registry_field_##field)

void value_set(ompd_cl_value_t *value, uint64_t number)
{
    value->value = number;
    value->status = ompd_cl_status_value;
    value->source = ompd_cl_source_recorder;
    value->lwp = 0;
}

void value_set_status(ompd_cl_value_t *value, uint16_t status)
{
    value->value = 0;
    value->status = status;
    value->source = ompd_cl_source_recorder;
    value->lwp = 0;
}

/* A number that means "there is none" when it is 0. */
static void value_set_or(ompd_cl_value_t *value, uint64_t number, uint16_t status_of_none)
{
    if (number != 0)
        value_set(value, number);
    else
        value_set_status(value, status_of_none);
}

/* A field that is a fact if this recorder writes it. */
#define COPY(source, value, field)                                                                 \
    do {                                                                                           \
        if (HAS(source, field))                                                                    \
            value_set((value), GET(source, field));                                                \
        else                                                                                       \
            value_set_status((value), ompd_cl_status_unknown);                                     \
    } while (0)

/* The same for a field that says "there is none" by 0. */
#define COPY_OR_NONE(source, value, field)                                                         \
    value_set_or((value), GET(source, field),                                                      \
                 HAS(source, field) ? ompd_cl_status_not_applicable : ompd_cl_status_unknown)

/* Look up the cl handle of the record that REFERENCE of GENERATION names, and remember it. */
static void look_up_handle(struct source *source, ompd_cl_value_t *value, uint32_t reference,
                           uint32_t generation)
{
    struct registry *registry = &source->space->registry;
    struct registry_table *table = &registry->tables[OMPD_CL_REGISTRY_REFERENCE_TABLE(reference)];
    struct registry_handle *last = &registry->last_handle;
    const uint8_t *record;
    ompd_rc_t rc;

    rc =
        registry_record_view(registry, table, OMPD_CL_REGISTRY_REFERENCE_INDEX(reference), &record);
    if (rc != ompd_rc_ok) {
        value_set_status(value, rc == ompd_rc_incomplete ? registry->target->failure
                                                         : ompd_cl_status_corrupt);
        source->rc = rc == ompd_rc_nomem ? rc : ompd_rc_incomplete;
        return;
    }
    if (registry_is_free(registry, table, record) ||
        registry_get(registry, table, record, ompd_cl_registry_field_generation) != generation) {
        value_set_status(value, ompd_cl_status_unknown);
        return;
    }
    last->reference = reference;
    last->generation = generation;
    last->handle = registry_get(registry, table, record, ompd_cl_registry_field_handle);
    last->stop = registry->target->stop;
    value_set(value, last->handle);
}

static void set_handle_of(struct source *source, ompd_cl_value_t *value, uint32_t reference,
                          uint32_t generation)
{
    const struct registry_handle *last = &source->registry->last_handle;
    uint32_t id = OMPD_CL_REGISTRY_REFERENCE_TABLE(reference);

    if (reference == 0) {
        value_set_status(value, ompd_cl_status_unknown);
    } else if (last->reference == reference && last->generation == generation &&
               last->stop == source->registry->target->stop) {
        value_set(value, last->handle);
    } else if (id == 0 || id > OMPD_CL_REGISTRY_TABLE_COUNT) {
        value_set_status(value, ompd_cl_status_corrupt);
        source->rc = ompd_rc_incomplete;
    } else {
        look_up_handle(source, value, reference, generation);
    }
}

static void set_context(struct source *source, ompd_cl_value_t *value)
{
    set_handle_of(source, value, (uint32_t)GET(source, context),
                  (uint32_t)GET(source, context_generation));
}

/* What a thread was changing when the target stopped is neither old nor new. */
static void mark_change(struct source *source, ompd_cl_value_t *value)
{
    uint32_t lwp = OMPD_CL_REGISTRY_CHANGE_LWP(GET(source, change));

    if (lwp != 0) {
        value_set_status(value, ompd_cl_status_changing);
        value->lwp = lwp;
    } else if (GET(source, evidence) & OMPD_CL_REGISTRY_TORN_BY_FORK) {
        value_set_status(value, ompd_cl_status_unknown);
    }
}

static void set_state(struct source *source, ompd_cl_value_t *value, ompd_cl_value_t *confidence)
{
    uint64_t state = GET(source, state);

    value_set(value, state);
    value_set(confidence, ompd_cl_confidence_certain);
    if (state == ompd_cl_registry_app_released &&
        GET(source, evidence) & OMPD_CL_REGISTRY_HELD_BY_RUNTIME)
        value->status = ompd_cl_status_presumed;
    if (state < ompd_cl_registry_live || state > ompd_cl_registry_failed) {
        value_set_status(value, ompd_cl_status_corrupt);
        value_set(confidence, ompd_cl_confidence_doubtful);
    }
    mark_change(source, value);
}

static void set_references(struct source *source, ompd_cl_value_t *value)
{
    value_set(value, (uint64_t)(int64_t)(int32_t)GET(source, references));
}

/* Who made it, where and when. */
static void set_origin(struct source *source, ompd_cl_value_t *order, ompd_cl_value_t *lwp,
                       ompd_cl_value_t *caller, ompd_cl_value_t *stack)
{
    uint16_t no_stack =
        source->registry->stack_depth > 1 ? ompd_cl_status_unknown : ompd_cl_status_not_applicable;

    if (order != NULL)
        value_set_or(order, GET(source, serial), ompd_cl_status_unknown);
    value_set_or(lwp, GET(source, lwp), ompd_cl_status_unknown);
    value_set_or(caller, GET(source, caller), ompd_cl_status_unknown);
    value_set_or(stack, GET(source, stack), no_stack);
}

static uint64_t make_id(const struct source *source, uint32_t kind, uint32_t index)
{
    struct identifier identifier = {kind, index, (uint32_t)GET(source, generation)};

    return identifier_encode(identifier, source->space->salt);
}

static void set_text(struct source *source, ompd_cl_text_t *text,
                     enum ompd_cl_registry_field_id field)
{
    struct registry_place place = source->table->places[field];
    size_t size = place.size < OMPD_CL_TEXT_SIZE ? place.size : OMPD_CL_TEXT_SIZE - 1;

    text->source = ompd_cl_source_recorder;
    text->status = size != 0 ? ompd_cl_status_value : ompd_cl_status_unknown;
    memcpy(text->text, source->record + place.offset, size);
    text->text[OMPD_CL_TEXT_SIZE - 1] = '\0';
}

static void fill_platform(struct source *source, ompd_cl_platform_info_t *info)
{
    memset(info, 0, sizeof(*info));
    COPY(source, &info->handle, handle);
    set_text(source, &info->name, ompd_cl_registry_field_name);
    set_text(source, &info->version, ompd_cl_registry_field_version);
    set_text(source, &info->vendor, ompd_cl_registry_field_vendor);
}

/* A context names its platform by the index of its record. */
static void set_platform(struct source *source, ompd_cl_value_t *value)
{
    struct registry *registry = &source->space->registry;
    struct registry_table *table = &registry->tables[ompd_cl_registry_platform];
    uint32_t link = (uint32_t)GET(source, platform);
    const uint8_t *record;
    ompd_rc_t rc;

    if (link == 0) {
        value_set_status(value, ompd_cl_status_unknown);
        return;
    }
    rc = registry_record_view(registry, table, link - 1, &record);
    if (rc == ompd_rc_ok) {
        value_set(value, registry_get(registry, table, record, ompd_cl_registry_field_handle));
        return;
    }
    value_set_status(value,
                     rc == ompd_rc_incomplete ? registry->target->failure : ompd_cl_status_corrupt);
    source->rc = rc == ompd_rc_nomem ? rc : ompd_rc_incomplete;
}

/* Counted in shards, each of which may be below 0. */
static void set_context_children(struct source *source, ompd_cl_value_t *value)
{
    COPY(source, value, children);
    if (value->status == ompd_cl_status_value)
        value->value = (uint32_t)(value->value + GET(source, children_1) + GET(source, children_2) +
                                  GET(source, children_3));
}

static void fill_context(struct source *source, uint32_t index, ompd_cl_context_info_t *info)
{
    info->id.id = make_id(source, ompd_cl_kind_context, index);
    COPY(source, &info->handle, handle);
    set_platform(source, &info->platform);
    COPY(source, &info->devices, device_count);
    set_references(source, &info->references);
    set_context_children(source, &info->children);
    set_state(source, &info->state, &info->confidence);
    COPY(source, &info->destructor_count, callback_count);
    mark_change(source, &info->destructor_count);
    set_origin(source, &info->order, &info->lwp, &info->caller, &info->stack);
    value_set(&info->source, ompd_cl_source_recorder);
}

static void fill_queue(struct source *source, uint32_t index, ompd_cl_queue_info_t *info)
{
    info->id.id = make_id(source, ompd_cl_kind_queue, index);
    COPY(source, &info->handle, handle);
    set_context(source, &info->context);
    COPY(source, &info->device, device);
    COPY(source, &info->properties, flags);
    set_references(source, &info->references);
    COPY(source, &info->svm_frees, svm_frees);
    set_state(source, &info->state, &info->confidence);
    set_origin(source, &info->order, &info->lwp, &info->caller, &info->stack);
    value_set(&info->source, ompd_cl_source_recorder);
}

/* cl_mem_object_type (OpenCL 3.0 section 5.5.5) to a kind; a buffer with a parent is a sub-buffer.
 */
static void set_memobj_kind(struct source *source, ompd_cl_value_t *value)
{
    static const uint8_t kinds[] = {
        ompd_cl_memobj_buffer,         ompd_cl_memobj_image2d, ompd_cl_memobj_image3d,
        ompd_cl_memobj_image2d_array,  ompd_cl_memobj_image1d, ompd_cl_memobj_image1d_array,
        ompd_cl_memobj_image1d_buffer, ompd_cl_memobj_pipe,
    };
    const uint64_t first_type = 0x10f0; /* CL_MEM_OBJECT_BUFFER */
    uint64_t type = GET(source, type);

    if (type == 0)
        value_set_status(value, ompd_cl_status_unknown);
    else if (type < first_type || type - first_type >= sizeof(kinds))
        value_set_status(value, ompd_cl_status_corrupt);
    else if (type == first_type && GET(source, parent_handle) != 0)
        value_set(value, ompd_cl_memobj_sub_buffer);
    else
        value_set(value, kinds[type - first_type]);
}

static void set_svm(struct source *source, ompd_cl_value_t *value)
{
    uint32_t reference = (uint32_t)GET(source, svm);

    if (reference == 0)
        value_set_status(value, ompd_cl_status_not_applicable);
    else
        set_handle_of(source, value, reference, (uint32_t)GET(source, svm_generation));
}

static void fill_memobj(struct source *source, uint32_t index, ompd_cl_memobj_info_t *info)
{
    info->id.id = make_id(source, ompd_cl_kind_memobj, index);
    COPY(source, &info->handle, handle);
    set_memobj_kind(source, &info->kind);
    COPY(source, &info->size, size);
    COPY(source, &info->flags, flags);
    set_references(source, &info->references);
    set_context(source, &info->context);
    COPY_OR_NONE(source, &info->parent, parent_handle);
    if (info->kind.value == ompd_cl_memobj_sub_buffer)
        COPY(source, &info->origin, origin);
    else
        value_set_status(&info->origin, ompd_cl_status_not_applicable);
    COPY_OR_NONE(source, &info->host_pointer, host_pointer);
    set_svm(source, &info->svm);
    COPY_OR_NONE(source, &info->sharing, sharing);
    COPY_OR_NONE(source, &info->sharing_name, sharing_name);
    COPY(source, &info->children, children);
    set_state(source, &info->state, &info->confidence);
    COPY(source, &info->destructor_count, callback_count);
    mark_change(source, &info->destructor_count);
    set_origin(source, &info->order, &info->lwp, &info->caller, &info->stack);
    value_set(&info->source, ompd_cl_source_recorder);
}

/* What a `run` word says: one word, so never half of it. */
static void set_run(struct source *source, ompd_cl_value_t *state, ompd_cl_value_t *running_lwp)
{
    uint64_t run = GET(source, run);
    uint32_t lwp = OMPD_CL_REGISTRY_RUN_LWP(run);
    uint32_t number = OMPD_CL_REGISTRY_RUN_STATE(run);

    if (number < ompd_cl_registry_registered || number > ompd_cl_registry_failed)
        value_set_status(state, ompd_cl_status_corrupt);
    else
        value_set(state, number);
    value_set_or(running_lwp, lwp, ompd_cl_status_not_applicable);
}

static void fill_destructor(struct source *source, ompd_cl_destructor_info_t *info)
{
    set_handle_of(source, &info->object, (uint32_t)GET(source, object),
                  (uint32_t)GET(source, object_generation));
    COPY(source, &info->function, function);
    COPY(source, &info->user_data, user_data);
    set_run(source, &info->state, &info->running_lwp);
    set_origin(source, NULL, &info->lwp, &info->caller, &info->stack);
    value_set(&info->source, ompd_cl_source_recorder);
}

static void fill_svm(struct source *source, uint32_t index, ompd_cl_svm_info_t *info)
{
    info->id.id = make_id(source, ompd_cl_kind_svm, index);
    COPY(source, &info->pointer, handle);
    value_set_or(&info->kind, GET(source, type), ompd_cl_status_unknown);
    COPY(source, &info->size, size);
    COPY(source, &info->flags, flags);
    COPY(source, &info->alignment, alignment);
    set_context(source, &info->context);
    set_state(source, &info->state, &info->confidence);
    set_origin(source, &info->order, &info->lwp, &info->caller, &info->stack);
    value_set(&info->source, ompd_cl_source_recorder);
}

static void fill_svm_free(struct source *source, uint32_t index, ompd_cl_svm_free_info_t *info)
{
    info->id.id = make_id(source, ompd_cl_kind_svm_free, index);
    COPY(source, &info->queue, queue_handle);
    set_context(source, &info->context);
    COPY(source, &info->pointer_count, pointer_count);
    COPY_OR_NONE(source, &info->function, function);
    if (info->function.status == ompd_cl_status_value)
        COPY(source, &info->user_data, user_data);
    else
        value_set_status(&info->user_data, info->function.status);
    COPY(source, &info->wait_count, wait_count);
    COPY_OR_NONE(source, &info->event, event);
    set_run(source, &info->state, &info->running_lwp);
    set_origin(source, &info->order, &info->lwp, &info->caller, &info->stack);
    value_set(&info->source, ompd_cl_source_recorder);
    value_set(&info->confidence, ompd_cl_confidence_certain);
}

static void fill_svm_pointer(struct source *source, ompd_cl_svm_pointer_info_t *info)
{
    COPY(source, &info->pointer, handle);
    COPY(source, &info->from_svm_alloc, from_svm_alloc);
}

uint32_t row_table(uint32_t kind)
{
    static const uint8_t tables[] = {
        [ompd_cl_kind_platform] = ompd_cl_registry_platform,
        [ompd_cl_kind_context] = ompd_cl_registry_context,
        [ompd_cl_kind_queue] = ompd_cl_registry_queue,
        [ompd_cl_kind_memobj] = ompd_cl_registry_memobj,
        [ompd_cl_kind_destructor] = ompd_cl_registry_callback,
        [ompd_cl_kind_svm] = ompd_cl_registry_svm,
        [ompd_cl_kind_svm_free] = ompd_cl_registry_svm_free,
        [ompd_cl_kind_svm_pointer] = ompd_cl_registry_address,
        [ompd_cl_kind_wait] = ompd_cl_registry_address,
    };

    return kind < sizeof(tables) ? tables[kind] : 0;
}

ompd_rc_t row_fill(struct address_space *space, uint32_t kind, const uint8_t *record,
                   uint32_t index, void *info)
{
    struct source source = {
        .space = space,
        .registry = &space->registry,
        .table = &space->registry.tables[row_table(kind)],
        .record = record,
        .rc = ompd_rc_ok,
    };

    switch (kind) {
    case ompd_cl_kind_platform:
        fill_platform(&source, info);
        break;
    case ompd_cl_kind_context:
        fill_context(&source, index, info);
        break;
    case ompd_cl_kind_queue:
        fill_queue(&source, index, info);
        break;
    case ompd_cl_kind_memobj:
        fill_memobj(&source, index, info);
        break;
    case ompd_cl_kind_destructor:
        fill_destructor(&source, info);
        break;
    case ompd_cl_kind_svm:
        fill_svm(&source, index, info);
        break;
    case ompd_cl_kind_svm_free:
        fill_svm_free(&source, index, info);
        break;
    case ompd_cl_kind_svm_pointer:
        fill_svm_pointer(&source, info);
        break;
    case ompd_cl_kind_wait:
        COPY(&source, &((ompd_cl_wait_info_t *)info)->event, handle);
        break;
    }
    return source.rc;
}
