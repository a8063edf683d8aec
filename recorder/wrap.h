/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the wrappers share.  They are compiled once per loader: see layer.h. */
#ifndef RECORDER_WRAP_H
#define RECORDER_WRAP_H

#include "activity.h"
#include "call.h"
#include "layer.h"
#include "object.h"

#ifndef RECORDER_LOADER
#error "RECORDER_LOADER is to be defined as the number of the loader to compile for"
#endif

#define RECORDER_PASTE(name, loader) name##_##loader
#define RECORDER_PASTE_VALUES(name, loader) RECORDER_PASTE(name, loader)
/* The name of a function that exists once per loader. */
#define RECORDER_PER_LOADER(name) RECORDER_PASTE_VALUES(name, RECORDER_LOADER)

/* The loader's own functions. */
#define RECORDER_TARGET recorder_targets[RECORDER_LOADER]

/* The address that a wrapper returns to. */
#define RECORDER_RETURN_ADDRESS __builtin_return_address(0)

/* Where the program does not ask for the error of a call, have the runtime tell it all the same. */
#define RECORDER_ASK_ERROR(errcode_ret)                                                            \
    cl_int error_not_asked_for = CL_SUCCESS;                                                       \
    (errcode_ret) = (errcode_ret) ? (errcode_ret) : &error_not_asked_for

/* What a wrapper returns, a status or the OBJECT that was made: a failure is kept.  The last is for
 * those that return nothing. */
#define RECORDER_STATUS(status) recorder_status(&activity, status, RECORDER_RETURN_ADDRESS)
#define RECORDER_MADE(object, error)                                                               \
    (recorder_made(&activity, object, error, RECORDER_RETURN_ADDRESS), object)
#define RECORDER_RETURNED() (void)RECORDER_STATUS(OMPD_CL_REGISTRY_STATUS_NONE)

#define recorder_wrap_contexts RECORDER_PER_LOADER(recorder_wrap_contexts)
#define recorder_wrap_memobjs RECORDER_PER_LOADER(recorder_wrap_memobjs)
#define recorder_wrap_images RECORDER_PER_LOADER(recorder_wrap_images)
#define recorder_wrap_programs RECORDER_PER_LOADER(recorder_wrap_programs)
#define recorder_wrap_builds RECORDER_PER_LOADER(recorder_wrap_builds)
#define recorder_wrap_events RECORDER_PER_LOADER(recorder_wrap_events)
#define recorder_wrap_transfers RECORDER_PER_LOADER(recorder_wrap_transfers)
#define recorder_wrap_commands RECORDER_PER_LOADER(recorder_wrap_commands)
#define recorder_wrap_svm RECORDER_PER_LOADER(recorder_wrap_svm)
#define recorder_wrap_passed RECORDER_PER_LOADER(recorder_wrap_passed)
#define recorder_wrap_extensions RECORDER_PER_LOADER(recorder_wrap_extensions)
#define recorder_wrap_all RECORDER_PER_LOADER(recorder_wrap_all)

/* Put a family of wrappers into the table. */
void recorder_wrap_contexts(cl_icd_dispatch *table);
void recorder_wrap_memobjs(cl_icd_dispatch *table);
void recorder_wrap_images(cl_icd_dispatch *table);
void recorder_wrap_programs(cl_icd_dispatch *table);
void recorder_wrap_builds(cl_icd_dispatch *table);
void recorder_wrap_events(cl_icd_dispatch *table);
void recorder_wrap_transfers(cl_icd_dispatch *table);
void recorder_wrap_commands(cl_icd_dispatch *table);
void recorder_wrap_svm(cl_icd_dispatch *table);
void recorder_wrap_passed(cl_icd_dispatch *table);
void recorder_wrap_extensions(cl_icd_dispatch *table);

#endif
