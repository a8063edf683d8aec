/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of programs, kernels and samplers, after the decoder. */
#include "sources/recorder/recorder.h"

/* Texts are changed together, while `change` is held. */
static void set_changing_text(struct recorder_fields *fields, ompd_cl_text_t *text,
                              enum ompd_cl_registry_field_id field)
{
    ompd_cl_value_t change = {.status = ompd_cl_status_value};

    recorder_fields_mark_change(fields, &change);
    if (change.status == ompd_cl_status_value) {
        recorder_fields_set_text(fields, text, field);
    } else {
        *text = (ompd_cl_text_t){
            .status = change.status, .source = ompd_cl_source_recorder, .lwp = change.lwp};
    }
}

static void set_text_absent(ompd_cl_text_t *text)
{
    *text = (ompd_cl_text_t){.status = ompd_cl_status_not_applicable, .source = text->source};
}

/* The log is empty until the program requests it. */
static void finish_build_texts(struct recorder_fields *fields, ompd_cl_program_info_t *info)
{
    bool is_built = info->build.status != ompd_cl_status_not_applicable;

    set_changing_text(fields, &info->options, ompd_cl_registry_field_options);
    set_changing_text(fields, &info->log, ompd_cl_registry_field_log);
    if (!is_built) {
        set_text_absent(&info->options);
        set_text_absent(&info->log);
    } else if (info->log.status == ompd_cl_status_value && info->log.text[0] == '\0') {
        info->log.status = ompd_cl_status_unknown;
    }
}

static void finish_build(ompd_cl_program_info_t *info)
{
    uint64_t run = info->build.value;

    info->build_error.value = (uint64_t)(int64_t)(int32_t)info->build_error.value;
    if (info->build.status == ompd_cl_status_not_applicable)
        recorder_value_set_absent(&info->build_lwp, ompd_cl_status_not_applicable);
    if (info->build.status != ompd_cl_status_value)
        return;
    recorder_value_set(&info->build_lwp, OMPD_CL_REGISTRY_RUN_LWP(run));
    info->build.value = OMPD_CL_REGISTRY_RUN_STATE(run);
    if (info->build.value < ompd_cl_registry_running || info->build.value > ompd_cl_registry_failed)
        recorder_value_set_absent(&info->build, ompd_cl_status_corrupt);
}

void recorder_program_finish(struct recorder_fields *fields, uint32_t index,
                             ompd_cl_program_info_t *info)
{
    info->head.id = recorder_fields_id(fields, ompd_cl_kind_program, index);
    recorder_fields_set_context(fields, &info->context);
    recorder_fields_finish_references(&info->references);
    finish_build_texts(fields, info);
    finish_build(info);
    recorder_fields_finish_state(fields, &info->state, &info->head.confidence);
    recorder_fields_mark_change(fields, &info->destructor_count);
}

void recorder_kernel_finish(struct recorder_fields *fields, uint32_t index,
                            ompd_cl_kernel_info_t *info)
{
    info->head.id = recorder_fields_id(fields, ompd_cl_kind_kernel, index);
    recorder_fields_set_text(fields, &info->name, ompd_cl_registry_field_name);
    recorder_fields_set_handle(fields, &info->program, (uint32_t)RECORDER_GET(fields, parent),
                               (uint32_t)RECORDER_GET(fields, parent_generation));
    recorder_fields_set_context(fields, &info->context);
    recorder_fields_finish_references(&info->references);
    if (info->svm_pointer_count.status == ompd_cl_status_value)
        info->svm_pointer_count.value += RECORDER_GET(fields, touched_lost);
    recorder_fields_mark_change(fields, &info->svm_pointer_count);
    recorder_fields_finish_state(fields, &info->state, &info->head.confidence);
}

void recorder_sampler_finish(struct recorder_fields *fields, uint32_t index,
                             ompd_cl_sampler_info_t *info)
{
    info->head.id = recorder_fields_id(fields, ompd_cl_kind_sampler, index);
    recorder_fields_set_context(fields, &info->context);
    recorder_fields_finish_references(&info->references);
    if (info->normalized.value > 1) {
        recorder_value_set_absent(&info->normalized, ompd_cl_status_corrupt);
        fields->rc = ompd_rc_incomplete;
    }
    recorder_fields_finish_state(fields, &info->state, &info->head.confidence);
}
