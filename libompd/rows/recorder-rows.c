/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "rows/recorder-rows.h"

#include "base/value.h"
#include "kinds/fields.h"
#include "kinds/image-fields.h"
#include "registry/evidence.h"
#include "rows/activity-rows.h"
#include "session/identifier.h"

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
        recorder_value_lack(value, rc == ompd_rc_incomplete ? registry->target->failure
                                                            : ompd_cl_status_corrupt);
        source->rc = rc_is_final(rc) ? rc : ompd_rc_incomplete;
        return;
    }
    if (registry_is_free(registry, table, record) ||
        registry_get(registry, table, record, ompd_cl_registry_field_generation) != generation) {
        recorder_value_lack(value, ompd_cl_status_unknown);
        return;
    }
    last->reference = reference;
    last->generation = generation;
    last->handle = registry_get(registry, table, record, ompd_cl_registry_field_handle);
    last->stop = registry->target->stop;
    recorder_value_set(value, last->handle);
}

static void set_handle_of(struct source *source, ompd_cl_value_t *value, uint32_t reference,
                          uint32_t generation)
{
    const struct registry_handle *last = &source->registry->last_handle;
    uint32_t id = OMPD_CL_REGISTRY_REFERENCE_TABLE(reference);

    if (reference == 0) {
        recorder_value_lack(value, ompd_cl_status_unknown);
    } else if (last->reference == reference && last->generation == generation &&
               last->stop == source->registry->target->stop) {
        recorder_value_set(value, last->handle);
    } else if (id == 0 || id > OMPD_CL_REGISTRY_TABLE_COUNT) {
        recorder_value_lack(value, ompd_cl_status_corrupt);
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

/* A field that a thread was changing at the stop is neither the old value nor the new one. */
static void mark_change(struct source *source, ompd_cl_value_t *value)
{
    uint32_t lwp = OMPD_CL_REGISTRY_CHANGE_LWP(GET(source, change));

    if (lwp != 0) {
        recorder_value_lack(value, ompd_cl_status_changing);
        value->lwp = lwp;
    } else if (GET(source, evidence) & OMPD_CL_REGISTRY_TORN_BY_FORK) {
        recorder_value_lack(value, ompd_cl_status_unknown);
    }
}

/* The decoder has said that it is certain. */
static void finish_confidence(const struct source *source, ompd_cl_value_t *confidence)
{
    if (evidence_is_presumed(source->registry, source->table, source->record))
        recorder_value_set(confidence, ompd_cl_confidence_presumed);
}

/* Of an object.  The decoder has put the number in. */
static void finish_state(struct source *source, ompd_cl_value_t *state, ompd_cl_value_t *confidence)
{
    finish_confidence(source, confidence);
    if (state->value == ompd_cl_registry_app_released &&
        GET(source, evidence) & OMPD_CL_REGISTRY_HELD_BY_RUNTIME)
        state->status = ompd_cl_status_presumed;
    if (state->value < ompd_cl_registry_live || state->value > ompd_cl_registry_failed) {
        recorder_value_lack(state, ompd_cl_status_corrupt);
        recorder_value_set(confidence, ompd_cl_confidence_doubtful);
    }
    mark_change(source, state);
}

/* The count is signed: a program may release too often. */
static void finish_references(ompd_cl_value_t *references)
{
    references->value = (uint64_t)(int64_t)(int32_t)references->value;
}

static uint64_t id_of(const struct source *source, uint32_t kind, uint32_t index)
{
    return identifier_of_record(kind, index, (uint32_t)GET(source, generation),
                                source->space->salt);
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

static void finish_platform(struct source *source, ompd_cl_platform_info_t *info)
{
    set_text(source, &info->name, ompd_cl_registry_field_name);
    set_text(source, &info->version, ompd_cl_registry_field_version);
    set_text(source, &info->vendor, ompd_cl_registry_field_vendor);
}

/* A context names its platform, whose record is never used again, by its index. */
static void set_platform(struct source *source, ompd_cl_value_t *value)
{
    uint32_t link = (uint32_t)GET(source, platform);

    if (link == 0)
        recorder_value_lack(value, ompd_cl_status_unknown);
    else
        set_handle_of(source, value,
                      OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_platform, link - 1), 0);
}

static void finish_context(struct source *source, uint32_t index, ompd_cl_context_info_t *info)
{
    info->id.id = id_of(source, ompd_cl_kind_context, index);
    set_platform(source, &info->platform);
    finish_references(&info->references);
    info->children.value = evidence_children(source->registry, source->table, source->record);
    finish_state(source, &info->state, &info->confidence);
    mark_change(source, &info->destructor_count);
}

static void finish_queue(struct source *source, uint32_t index, ompd_cl_queue_info_t *info)
{
    info->id.id = id_of(source, ompd_cl_kind_queue, index);
    set_context(source, &info->context);
    finish_references(&info->references);
    finish_state(source, &info->state, &info->confidence);
}

void row_finish_memobj_kind(const ompd_cl_value_t *parent, ompd_cl_value_t *kind)
{
    static const uint8_t kinds[] = {
        ompd_cl_memobj_buffer,         ompd_cl_memobj_image2d, ompd_cl_memobj_image3d,
        ompd_cl_memobj_image2d_array,  ompd_cl_memobj_image1d, ompd_cl_memobj_image1d_array,
        ompd_cl_memobj_image1d_buffer, ompd_cl_memobj_pipe,
    };
    const uint64_t first_type = 0x10f0; /* CL_MEM_OBJECT_BUFFER */
    uint64_t type = kind->value;

    if (kind->status != ompd_cl_status_value)
        return;
    if (type < first_type || type - first_type >= sizeof(kinds))
        recorder_value_lack(kind, ompd_cl_status_corrupt);
    else if (type == first_type && parent->value != 0)
        kind->value = ompd_cl_memobj_sub_buffer;
    else
        kind->value = kinds[type - first_type];
}

/* The recorder does not observe what an image looks like. */
static void finish_image(ompd_cl_memobj_info_t *info)
{
    switch (info->kind.value) {
    case ompd_cl_memobj_buffer:
    case ompd_cl_memobj_sub_buffer:
    case ompd_cl_memobj_pipe:
        break;
    default:
        image_fields_set_status(info, ompd_cl_status_unknown);
    }
}

static void finish_memobj(struct source *source, uint32_t index, ompd_cl_memobj_info_t *info)
{
    uint32_t svm = (uint32_t)GET(source, svm);

    info->id.id = id_of(source, ompd_cl_kind_memobj, index);
    row_finish_memobj_kind(&info->parent, &info->kind);
    finish_image(info);
    finish_references(&info->references);
    set_context(source, &info->context);
    if (info->kind.value != ompd_cl_memobj_sub_buffer)
        recorder_value_lack(&info->origin, ompd_cl_status_not_applicable);
    if (svm == 0)
        recorder_value_lack(&info->svm, ompd_cl_status_not_applicable);
    else
        set_handle_of(source, &info->svm, svm, (uint32_t)GET(source, svm_generation));
    finish_state(source, &info->state, &info->confidence);
    mark_change(source, &info->destructor_count);
}

/* What a `run` word says: one word, so never half of it. */
static void finish_run(ompd_cl_value_t *state, ompd_cl_value_t *running_lwp)
{
    uint64_t run = state->value;
    uint32_t lwp = OMPD_CL_REGISTRY_RUN_LWP(run);
    uint32_t number = OMPD_CL_REGISTRY_RUN_STATE(run);

    state->value = number;
    if (number < ompd_cl_registry_registered || number > ompd_cl_registry_failed)
        recorder_value_lack(state, ompd_cl_status_corrupt);
    if (lwp != 0)
        recorder_value_set(running_lwp, lwp);
    else
        recorder_value_lack(running_lwp, ompd_cl_status_not_applicable);
}

static void finish_destructor(struct source *source, ompd_cl_destructor_info_t *info)
{
    set_handle_of(source, &info->object, (uint32_t)GET(source, object),
                  (uint32_t)GET(source, object_generation));
    finish_run(&info->state, &info->running_lwp);
}

static void finish_svm(struct source *source, uint32_t index, ompd_cl_svm_info_t *info)
{
    info->id.id = id_of(source, ompd_cl_kind_svm, index);
    set_context(source, &info->context);
    finish_state(source, &info->state, &info->confidence);
}

static void finish_svm_free(struct source *source, uint32_t index, ompd_cl_svm_free_info_t *info)
{
    info->id.id = id_of(source, ompd_cl_kind_svm_free, index);
    set_context(source, &info->context);
    if (info->function.status != ompd_cl_status_value)
        recorder_value_lack(&info->user_data, info->function.status);
    finish_run(&info->state, &info->running_lwp);
    finish_confidence(source, &info->confidence);
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* Look up how far the queue that REFERENCE of GENERATION names has come; NULL in *PROGRESS: it is
 * gone, or none. */
static ompd_rc_t look_up_progress(struct source *source, uint32_t reference, uint32_t generation,
                                  const struct registry_progress **progress)
{
    struct registry *registry = &source->space->registry;
    struct registry_table *queues = &registry->tables[ompd_cl_registry_queue];
    struct registry_progress *last = &registry->last_progress;
    const uint8_t *record;
    ompd_rc_t rc;

    *progress = NULL;
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE(reference) != ompd_cl_registry_queue)
        return ompd_rc_ok;
    if (last->reference != reference || last->generation != generation ||
        last->stop != registry->target->stop) {
        rc = registry_record_view(registry, queues, OMPD_CL_REGISTRY_REFERENCE_INDEX(reference),
                                  &record);
        if (rc != ompd_rc_ok)
            return rc;
        if (registry_is_free(registry, queues, record) ||
            registry_get(registry, queues, record, ompd_cl_registry_field_generation) != generation)
            return ompd_rc_ok;
        last->reference = reference;
        last->generation = generation;
        last->finished =
            (uint32_t)registry_get(registry, queues, record, ompd_cl_registry_field_finished);
        last->flushed =
            (uint32_t)registry_get(registry, queues, record, ompd_cl_registry_field_flushed);
        last->stop = registry->target->stop;
    }
    *progress = last;
    return ompd_rc_ok;
}

/* VALUE is not known because the queue could not be looked up, as RC says. */
static void lose_progress(struct source *source, ompd_cl_value_t *value, ompd_rc_t rc)
{
    recorder_value_lack(value, rc == ompd_rc_incomplete ? source->registry->target->failure
                                                        : ompd_cl_status_corrupt);
    source->rc = rc_is_final(rc) ? rc : ompd_rc_incomplete;
}

/* Tell whether command NUMBER comes no later than REACHED: both are modulo 2^32. */
static bool is_reached(uint32_t number, uint32_t reached)
{
    return number != 0 && (int32_t)(reached - number) >= 0;
}

/* An event that the program has not been told of is over when its queue has come past it. */
static void settle_enqueued(struct source *source, ompd_cl_event_info_t *info)
{
    const struct registry_progress *progress = NULL;
    uint32_t number = (uint32_t)GET(source, number);
    ompd_rc_t rc = ompd_rc_ok;

    if (number != 0)
        rc = look_up_progress(source, (uint32_t)GET(source, parent),
                              (uint32_t)GET(source, parent_generation), &progress);
    if (rc != ompd_rc_ok)
        lose_progress(source, &info->execution, rc);
    else if (progress != NULL && is_reached(number, progress->finished))
        info->execution.value = ompd_cl_state_ended;
}

static void finish_execution(struct source *source, ompd_cl_event_info_t *info)
{
    uint64_t run = info->execution.value;

    info->error.value = (uint64_t)(int64_t)(int32_t)info->error.value;
    if (info->execution.status != ompd_cl_status_value)
        return;
    info->execution.value = OMPD_CL_REGISTRY_RUN_STATE(run);
    switch (info->execution.value) {
    case ompd_cl_registry_unset:
        info->execution.value = ompd_cl_state_unset;
        break;
    case ompd_cl_registry_enqueued:
        settle_enqueued(source, info);
        break;
    case ompd_cl_registry_done:
    case ompd_cl_registry_failed:
        break;
    default:
        recorder_value_lack(&info->execution, ompd_cl_status_corrupt);
    }
    if (OMPD_CL_REGISTRY_RUN_LWP(run) != 0)
        recorder_value_set(&info->set_by, OMPD_CL_REGISTRY_RUN_LWP(run));
    else
        recorder_value_lack(&info->set_by, ompd_cl_status_not_applicable);
}

static void finish_event(struct source *source, uint32_t index, ompd_cl_event_info_t *info)
{
    info->id.id = id_of(source, ompd_cl_kind_event, index);
    set_context(source, &info->context);
    finish_references(&info->references);
    finish_execution(source, info);
    finish_state(source, &info->state, &info->confidence);
}

/* ---- Commands and devices -------------------------------------------------------------------- */

/* Set what depends on how far the queue has come. */
static void settle_command(struct source *source, ompd_cl_command_info_t *info)
{
    const struct registry_progress *progress;
    uint32_t number = (uint32_t)GET(source, number);
    ompd_rc_t rc = look_up_progress(source, (uint32_t)GET(source, queue),
                                    (uint32_t)GET(source, queue_generation), &progress);

    if (rc != ompd_rc_ok) {
        if (info->state.value == ompd_cl_state_enqueued)
            lose_progress(source, &info->state, rc);
        lose_progress(source, &info->is_flushed, rc);
    } else if (progress != NULL) {
        if (info->state.value == ompd_cl_state_enqueued && is_reached(number, progress->finished))
            info->state.value = ompd_cl_state_ended;
        recorder_value_set(&info->is_flushed,
                           info->is_blocking.value != 0 || is_reached(number, progress->flushed));
    }
}

static void finish_command(struct source *source, uint32_t index, ompd_cl_command_info_t *info)
{
    info->id.id = id_of(source, ompd_cl_kind_command, index);
    set_context(source, &info->context);
    info->error.value = (uint64_t)(int64_t)(int32_t)info->error.value;
    info->state.value = OMPD_CL_REGISTRY_RUN_STATE(info->state.value);
    switch (info->state.value) {
    case ompd_cl_registry_being_enqueued:
        info->state.value = ompd_cl_state_being_enqueued;
        break;
    case ompd_cl_registry_enqueued:
    case ompd_cl_registry_done:
    case ompd_cl_registry_failed:
        break;
    default:
        recorder_value_lack(&info->state, ompd_cl_status_corrupt);
    }
    settle_command(source, info);
    if (info->is_blocking.value > 1) {
        recorder_value_lack(&info->is_blocking, ompd_cl_status_corrupt);
        source->rc = ompd_rc_incomplete;
    }
}

static void finish_device(struct source *source, ompd_cl_device_info_t *info)
{
    set_text(source, &info->name, ompd_cl_registry_field_name);
    set_platform(source, &info->platform);
}

/* ---- Programs, kernels, samplers ------------------------------------------------------------- */

/* Texts are changed together, while `change` is held. */
static void set_changing_text(struct source *source, ompd_cl_text_t *text,
                              enum ompd_cl_registry_field_id field)
{
    ompd_cl_value_t change = {.status = ompd_cl_status_value};

    set_text(source, text, field);
    mark_change(source, &change);
    if (change.status != ompd_cl_status_value) {
        *text = (ompd_cl_text_t){
            .status = change.status, .source = ompd_cl_source_recorder, .lwp = change.lwp};
    }
}

/* The log is empty until the program has asked for it. */
static void finish_build_texts(struct source *source, ompd_cl_program_info_t *info)
{
    bool is_built = info->build.status != ompd_cl_status_not_applicable;

    set_changing_text(source, &info->options, ompd_cl_registry_field_options);
    set_changing_text(source, &info->log, ompd_cl_registry_field_log);
    if (!is_built) {
        info->options.status = ompd_cl_status_not_applicable;
        info->log.status = ompd_cl_status_not_applicable;
    } else if (info->log.status == ompd_cl_status_value && info->log.text[0] == '\0') {
        info->log.status = ompd_cl_status_unknown;
    }
}

static void finish_build(ompd_cl_program_info_t *info)
{
    uint64_t run = info->build.value;

    info->build_error.value = (uint64_t)(int64_t)(int32_t)info->build_error.value;
    if (info->build.status == ompd_cl_status_not_applicable)
        recorder_value_lack(&info->build_lwp, ompd_cl_status_not_applicable);
    if (info->build.status != ompd_cl_status_value)
        return;
    recorder_value_set(&info->build_lwp, OMPD_CL_REGISTRY_RUN_LWP(run));
    info->build.value = OMPD_CL_REGISTRY_RUN_STATE(run);
    if (info->build.value < ompd_cl_registry_running || info->build.value > ompd_cl_registry_failed)
        recorder_value_lack(&info->build, ompd_cl_status_corrupt);
}

static void finish_program(struct source *source, uint32_t index, ompd_cl_program_info_t *info)
{
    info->id.id = id_of(source, ompd_cl_kind_program, index);
    set_context(source, &info->context);
    finish_references(&info->references);
    finish_build_texts(source, info);
    finish_build(info);
    finish_state(source, &info->state, &info->confidence);
    mark_change(source, &info->destructor_count);
}

static void finish_kernel(struct source *source, uint32_t index, ompd_cl_kernel_info_t *info)
{
    info->id.id = id_of(source, ompd_cl_kind_kernel, index);
    set_text(source, &info->name, ompd_cl_registry_field_name);
    set_handle_of(source, &info->program, (uint32_t)GET(source, parent),
                  (uint32_t)GET(source, parent_generation));
    set_context(source, &info->context);
    finish_references(&info->references);
    finish_state(source, &info->state, &info->confidence);
}

static void finish_sampler(struct source *source, uint32_t index, ompd_cl_sampler_info_t *info)
{
    info->id.id = id_of(source, ompd_cl_kind_sampler, index);
    set_context(source, &info->context);
    finish_references(&info->references);
    if (info->normalized.value > 1) {
        recorder_value_lack(&info->normalized, ompd_cl_status_corrupt);
        source->rc = ompd_rc_incomplete;
    }
    finish_state(source, &info->state, &info->confidence);
}

/* ---- All ------------------------------------------------------------------------------------- */

static void finish_thread(struct source *source, uint32_t index, ompd_cl_thread_info_t *info)
{
    info->id.id = id_of(source, ompd_cl_kind_thread, index);
    if (info->is_caller.value > 1) {
        recorder_value_lack(&info->is_caller, ompd_cl_status_corrupt);
        source->rc = ompd_rc_incomplete;
    }
    if (activity_fill_innermost(source->registry, source->table, source->record, info) !=
        ompd_rc_ok)
        source->rc = ompd_rc_incomplete;
}

ompd_rc_t row_fill(struct address_space *space, uint32_t kind, const uint8_t *record,
                   uint32_t index, void *info)
{
    const struct record_decoder *decoder = &space->decoders.of_kind[kind];
    struct source source = {
        .space = space,
        .registry = &space->registry,
        .table = decoder->table,
        .record = record,
        .rc = ompd_rc_ok,
    };

    record_decoder_run(decoder, &space->target, record, info);
    switch (kind) {
    case ompd_cl_kind_platform:
        finish_platform(&source, info);
        break;
    case ompd_cl_kind_context:
        finish_context(&source, index, info);
        break;
    case ompd_cl_kind_queue:
        finish_queue(&source, index, info);
        break;
    case ompd_cl_kind_memobj:
        finish_memobj(&source, index, info);
        break;
    case ompd_cl_kind_destructor:
        finish_destructor(&source, info);
        break;
    case ompd_cl_kind_svm:
        finish_svm(&source, index, info);
        break;
    case ompd_cl_kind_svm_free:
        finish_svm_free(&source, index, info);
        break;
    case ompd_cl_kind_device:
        finish_device(&source, info);
        break;
    case ompd_cl_kind_command:
        finish_command(&source, index, info);
        break;
    case ompd_cl_kind_event:
        finish_event(&source, index, info);
        break;
    case ompd_cl_kind_kernel:
        finish_kernel(&source, index, info);
        break;
    case ompd_cl_kind_program:
        finish_program(&source, index, info);
        break;
    case ompd_cl_kind_sampler:
        finish_sampler(&source, index, info);
        break;
    case ompd_cl_kind_thread:
        finish_thread(&source, index, info);
        break;
    }
    return source.rc;
}
