/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions got by name: clGetExtensionFunctionAddress*, and the creators reached in that way. */
#include "wrap/wrap.h"

#include "wrap/extension-types.h"

#include <string.h>

static struct recorder_extension recorder_extensions[RECORDER_EXTENSION_COUNT];
static struct recorder_extension_wrapper wrappers[RECORDER_EXTENSION_COUNT];

void *recorder_extension_of(enum recorder_extension_number number, uint32_t table,
                            const void *handle)
{
    return recorder_extension_choose(&recorder_extensions[number],
                                     recorder_platform_of(table, handle));
}

static void *target_of(enum recorder_extension_number number, cl_context context)
{
    return recorder_extension_of(number, ompd_cl_registry_context, context);
}

static cl_mem CL_API_CALL wrap_create_buffer_with_properties_intel(
    cl_context context, const cl_mem_properties_intel *properties, cl_mem_flags flags, size_t size,
    void *host_ptr, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateBufferWithPropertiesINTEL, context);
    RECORDER_ASK_ERROR(errcode_ret);
    clCreateBufferWithPropertiesINTEL_fn target = (clCreateBufferWithPropertiesINTEL_fn)target_of(
        recorder_ext_create_buffer_with_properties, context);
    cl_mem buffer = target(context, properties, flags, size, host_ptr, errcode_ret);
    recorder_buffer_created(buffer, context, flags, size, host_ptr, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(buffer, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_buffer_nv(cl_context context, cl_mem_flags flags,
                                                cl_bitfield flags_nv, size_t size, void *host_ptr,
                                                cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateBufferNV, context);
    RECORDER_ASK_ERROR(errcode_ret);
    recorder_create_buffer_nv target =
        (recorder_create_buffer_nv)target_of(recorder_ext_create_buffer_nv, context);
    cl_mem buffer = target(context, flags, flags_nv, size, host_ptr, errcode_ret);
    recorder_buffer_created(buffer, context, flags, size, host_ptr, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(buffer, errcode_ret);
}

static cl_mem CL_API_CALL wrap_import_memory(cl_context context, cl_mem_flags flags,
                                             const intptr_t *properties, void *memory, size_t size,
                                             cl_int *errcode_ret)
{
    RECORDER_CALL(clImportMemoryARM, context);
    RECORDER_ASK_ERROR(errcode_ret);
    recorder_import_memory_arm target =
        (recorder_import_memory_arm)target_of(recorder_ext_import_memory, context);
    cl_mem memobj = target(context, flags, properties, memory, size, errcode_ret);
    recorder_memobj_ask((struct recorder_memobj){
        .handle = memobj,
        .context = context,
        .type = CL_MEM_OBJECT_BUFFER,
        .flags = flags,
        .sharing = ompd_cl_registry_sharing_imported,
        .return_address = RECORDER_RETURN_ADDRESS,
    });
    return RECORDER_MADE(memobj, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_from_va_surface(cl_context context, cl_mem_flags flags,
                                                      unsigned int *surface, cl_uint plane,
                                                      cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateFromVA_APIMediaSurfaceINTEL, context);
    RECORDER_ASK_ERROR(errcode_ret);
    recorder_create_from_va_surface target =
        (recorder_create_from_va_surface)target_of(recorder_ext_create_from_va_surface, context);
    cl_mem memobj = target(context, flags, surface, plane, errcode_ret);
    recorder_memobj_ask((struct recorder_memobj){
        .handle = memobj,
        .context = context,
        .flags = flags,
        .sharing = ompd_cl_registry_sharing_va_api,
        .sharing_name = memobj ? *surface : 0,
        .return_address = RECORDER_RETURN_ADDRESS,
    });
    return RECORDER_MADE(memobj, errcode_ret);
}

static cl_int CL_API_CALL wrap_set_destructor_apple(cl_mem memobj, void (*function)(cl_mem, void *),
                                                    void *user_data)
{
    RECORDER_CALL(clSetMemObjectDestructorAPPLE, memobj);
    void *target =
        recorder_extension_of(recorder_ext_set_destructor_apple, ompd_cl_registry_memobj, memobj);
    return RECORDER_STATUS(
        recorder_memobj_set_destructor((recorder_set_destructor_function *)target, memobj, function,
                                       user_data, RECORDER_RETURN_ADDRESS));
}

static cl_command_queue CL_API_CALL
wrap_create_queue_with_properties(cl_context context, cl_device_id device,
                                  const cl_queue_properties_khr *properties, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateCommandQueueWithPropertiesKHR, context);
    RECORDER_ASK_ERROR(errcode_ret);
    clCreateCommandQueueWithPropertiesKHR_fn target =
        (clCreateCommandQueueWithPropertiesKHR_fn)target_of(
            recorder_ext_create_queue_with_properties, context);
    cl_command_queue queue = target(context, device, properties, errcode_ret);
    recorder_queue_created(queue, context, device, recorder_queue_flags(properties),
                           RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(queue, errcode_ret);
}

static cl_program CL_API_CALL wrap_create_program_with_il(cl_context context, const void *il,
                                                          size_t length, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateProgramWithILKHR, context);
    RECORDER_ASK_ERROR(errcode_ret);
    clCreateProgramWithILKHR_fn target =
        (clCreateProgramWithILKHR_fn)target_of(recorder_ext_create_program_with_il, context);
    cl_program program = target(context, il, length, errcode_ret);
    recorder_program_created(program, context, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(program, errcode_ret);
}

/* What to give the program that asked PLATFORM (0: any) for NAME, when the vendor gives FUNCTION.
 */
static void *function_exchange(const char *name, uint64_t platform, void *function)
{
    recorder_layers_loaded();
    if (!function || !name) {
        return function;
    }
    for (size_t i = 0; i < RECORDER_EXTENSION_COUNT; i++) {
        if (strcmp(name, wrappers[i].name) == 0) {
            bool kept = recorder_extension_remember(&recorder_extensions[i], platform, function);
            if (!kept) {
                recorder_held_function_given(name);
            }
            return kept ? wrappers[i].wrapper : function;
        }
    }
    void *core = recorder_core_wrapper_find(name);
    if (!core) {
        recorder_held_function_given(name);
    }
    return core ? core : function;
}

static void *CL_API_CALL wrap_get_extension_function_address(const char *name)
{
    RECORDER_CALL(clGetExtensionFunctionAddress, NULL);
    void *function = RECORDER_TARGET.clGetExtensionFunctionAddress(name);
    RECORDER_RETURNED();
    return function_exchange(name, 0, function);
}

static void *CL_API_CALL wrap_get_extension_function_address_for_platform(cl_platform_id platform,
                                                                          const char *name)
{
    RECORDER_CALL(clGetExtensionFunctionAddressForPlatform, platform);
    void *function = RECORDER_TARGET.clGetExtensionFunctionAddressForPlatform(platform, name);
    RECORDER_RETURNED();
    return function_exchange(name, (uintptr_t)platform, function);
}

static void wrapper_set(enum recorder_extension_number number, const char *name, void *wrapper)
{
    wrappers[number] = (struct recorder_extension_wrapper){name, wrapper};
}

void recorder_wrap_extensions(cl_icd_dispatch *table)
{
    wrapper_set(recorder_ext_create_buffer_with_properties, "clCreateBufferWithPropertiesINTEL",
                (void *)wrap_create_buffer_with_properties_intel);
    wrapper_set(recorder_ext_create_buffer_nv, "clCreateBufferNV", (void *)wrap_create_buffer_nv);
    wrapper_set(recorder_ext_import_memory, "clImportMemoryARM", (void *)wrap_import_memory);
    wrapper_set(recorder_ext_create_from_va_surface, "clCreateFromVA_APIMediaSurfaceINTEL",
                (void *)wrap_create_from_va_surface);
    wrapper_set(recorder_ext_set_destructor_apple, "clSetMemObjectDestructorAPPLE",
                (void *)wrap_set_destructor_apple);
    wrapper_set(recorder_ext_create_queue_with_properties, "clCreateCommandQueueWithPropertiesKHR",
                (void *)wrap_create_queue_with_properties);
    wrapper_set(recorder_ext_create_program_with_il, "clCreateProgramWithILKHR",
                (void *)wrap_create_program_with_il);
    recorder_usm_wrappers_get(wrappers);
    recorder_command_wrappers_get(wrappers);
    table->clGetExtensionFunctionAddress = wrap_get_extension_function_address;
    table->clGetExtensionFunctionAddressForPlatform =
        wrap_get_extension_function_address_for_platform;
}
