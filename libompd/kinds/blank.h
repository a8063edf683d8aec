/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows without a value yet: each field has the reason, and the source that would know it. */
#ifndef LIBOMPD_BLANK_H
#define LIBOMPD_BLANK_H

#include "base/export.h"

#include <ompd-opencl.h>

/* The largest info struct there is. */
union row {
    ompd_size_t struct_size;
    ompd_cl_overview_info_t overview;
    ompd_cl_platform_info_t platform;
    ompd_cl_context_info_t context;
    ompd_cl_queue_info_t queue;
    ompd_cl_memobj_info_t memobj;
    ompd_cl_destructor_info_t destructor;
    ompd_cl_svm_info_t svm;
    ompd_cl_svm_free_info_t svm_free;
    ompd_cl_svm_pointer_info_t svm_pointer;
    ompd_cl_wait_info_t wait;
    ompd_cl_argument_info_t argument;
    ompd_cl_device_info_t device;
    ompd_cl_command_info_t command;
    ompd_cl_event_info_t event;
    ompd_cl_kernel_info_t kernel;
    ompd_cl_program_info_t program;
    ompd_cl_sampler_info_t sampler;
    ompd_cl_thread_info_t thread;
    ompd_cl_activity_info_t activity;
    ompd_cl_usage_info_t usage;
    ompd_cl_runtime_info_t runtime;
    ompd_cl_finding_info_t finding;
    ompd_cl_hop_info_t hop;
    ompd_cl_gone_info_t gone;
    ompd_cl_error_info_t error;
    ompd_cl_holder_info_t holder;
    ompd_cl_leak_info_t leak;
    ompd_cl_ledger_info_t ledger;
    ompd_cl_call_info_t call;
    ompd_cl_callback_info_t callback;
};

/* Fill INFO of KIND but for its struct_size: SOURCE has no field of it, for the reason STATUS. */
void blank_fill(uint32_t kind, void *info, ompd_cl_source_t source, uint16_t status);

#endif
