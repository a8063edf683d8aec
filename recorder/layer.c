/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions that OpenCL loaders call in a layer. */
#include "wrap/dispatch.h"

#include "core/process.h"
#include "core/tables.h"
#include "objects/prepare.h"

#include <pthread.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

#define LAYER_NAME "ompd-opencl recorder"

static pthread_mutex_t init_mutex = PTHREAD_MUTEX_INITIALIZER;
static bool is_prepared;
static bool is_usable;

/* The code of the loader of each set of wrappers. */
static struct recorder_loaded_code loaders[RECORDER_LOADER_LIMIT];
static uint32_t loader_count;

EXPORTED cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value,
                                           size_t *size_ret)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *answer;
    size_t answer_size;
    switch (name) {
    case CL_LAYER_API_VERSION:
        answer = &version;
        answer_size = sizeof(version);
        break;
    case CL_LAYER_NAME:
        answer = LAYER_NAME;
        answer_size = sizeof(LAYER_NAME);
        break;
    default:
        return CL_INVALID_VALUE;
    }
    if (value && size < answer_size) {
        return CL_INVALID_VALUE;
    }
    if (value) {
        memcpy(value, answer, answer_size);
    }
    if (size_ret) {
        *size_ret = answer_size;
    }
    return CL_SUCCESS;
}

/* Whether TARGET leads back here because the layer is listed twice: it must record each call once.
 */
static bool target_is_recorder(const cl_icd_dispatch *target, size_t size)
{
    for (uint32_t i = 0; i < loader_count; i++) {
        if (size > offsetof(cl_icd_dispatch, clCreateContext) + sizeof(void *) &&
            target->clCreateContext == recorder_wrappers[i].of.clCreateContext) {
            return true;
        }
    }
    return false;
}

/* Whether the loader of the set LOADER was unloaded. If the code of the caller is the same CODE, it
 * was loaded again: a loader initialises its layers once, unless one of them is listed twice. */
static bool loader_is_gone(uint32_t loader, const struct recorder_loaded_code *code)
{
    const struct recorder_loaded_code *old = &loaders[loader];
    if (old->is_of_program) {
        return false;
    }
    return recorder_loaded_code_is_gone(old) ||
           (code->start == old->start && code->unloads != old->unloads);
}

/* The number for the loader of CODE, if possible that of an unloaded loader, which no longer calls
 * wrappers. RECORDER_LOADER_LIMIT: all are in use. */
static uint32_t loader_choose(const struct recorder_loaded_code *code)
{
    uint32_t loader = 0;
    while (loader < loader_count && !loader_is_gone(loader, code)) {
        loader++;
    }
    return loader;
}

/* Set the wrappers of LOADER, whose table has SIZE known bytes. */
static const cl_icd_dispatch *loader_add(uint32_t loader, const cl_icd_dispatch *target,
                                         size_t size)
{
    static void (*const wrap_all[RECORDER_LOADER_LIMIT])(union recorder_dispatch *) = {
        recorder_wrap_all_0, recorder_wrap_all_1};
    memset(&recorder_targets[loader], 0, sizeof(recorder_targets[loader]));
    memcpy(&recorder_targets[loader], target, size);
    wrap_all[loader](&recorder_wrappers[loader]);
    /* A function that the loader lacks stays NULL. */
    for (size_t i = 0; i < RECORDER_TABLE_LENGTH; i++) {
        if (!recorder_targets[loader].entries[i]) {
            recorder_wrappers[loader].entries[i] = NULL;
        }
    }
    loader_count += loader == loader_count;
    __atomic_fetch_add(&recorder_root()->loader_count, 1, __ATOMIC_RELAXED);
    return &recorder_wrappers[loader].of;
}

static const cl_icd_dispatch *loader_serve(const cl_icd_dispatch *target, size_t size,
                                           const void *loader_code)
{
    if (!is_prepared) {
        is_prepared = true;
        is_usable = recorder_environment_is_trusted() && recorder_prepare();
    }
    if (!is_usable || target_is_recorder(target, size)) {
        return target;
    }
    struct recorder_loaded_code code = {.is_of_program = true};
    recorder_loaded_code_find(&code, (uintptr_t)loader_code);
    uint32_t loader = loader_choose(&code);
    if (loader == RECORDER_LOADER_LIMIT) {
        __atomic_fetch_add(&recorder_root()->counts.loaders_refused, 1, __ATOMIC_RELAXED);
        return target;
    }
    recorder_stack_leave_out(loader_code);
    loaders[loader] = code;
    return loader_add(loader, target, size);
}

/* NUM_ENTRIES and TARGET are the loader's table, LOADER_CODE an address in the loader. */
static cl_int layer_init(cl_uint num_entries, const cl_icd_dispatch *target,
                         cl_uint *num_entries_ret, const cl_icd_dispatch **table_ret,
                         const void *loader_code)
{
    if (!target || !num_entries_ret || !table_ret) {
        return CL_INVALID_VALUE;
    }
    size_t entries = num_entries < RECORDER_TABLE_LENGTH ? num_entries : RECORDER_TABLE_LENGTH;
    recorder_layers_load();
    pthread_mutex_lock(&init_mutex);
    *table_ret = loader_serve(target, entries * sizeof(void *), loader_code);
    pthread_mutex_unlock(&init_mutex);
    *num_entries_ret = *table_ret == target ? num_entries : (cl_uint)entries;
    return CL_SUCCESS;
}

EXPORTED cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target,
                                        cl_uint *num_entries_ret, const cl_icd_dispatch **table_ret)
{
    return layer_init(num_entries, target, num_entries_ret, table_ret, __builtin_return_address(0));
}

/* For Khronos's loader since v2026.05.29, whose headers are newer than those of this build. */
EXPORTED cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
                                                      const cl_icd_dispatch *target,
                                                      cl_uint *num_entries_ret,
                                                      const cl_icd_dispatch **table_ret,
                                                      const void *properties);
EXPORTED cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
                                                      const cl_icd_dispatch *target,
                                                      cl_uint *num_entries_ret,
                                                      const cl_icd_dispatch **table_ret,
                                                      const void *properties)
{
    (void)properties; /* none are defined */
    return layer_init(num_entries, target, num_entries_ret, table_ret, __builtin_return_address(0));
}

/* The registry stays, because objects may outlive the loader, and a core may be written later. */
EXPORTED cl_int CL_API_CALL clDeinitLayer(void);
EXPORTED cl_int CL_API_CALL clDeinitLayer(void)
{
    return CL_SUCCESS;
}
