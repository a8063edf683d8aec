/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions that programs get by name: clGetExtensionFunctionAddress*. */
#include "wrap/wrap.h"

#include <stddef.h>
#include <string.h>

#define CALL(number, function, ...) {number, #function, (void *)RECORDER_WRAPPER(function)},
static const struct {
    uint32_t number; /* index in the loader's table plus 1; more: an extension */
    const char *name;
    void *wrapper;
} calls[] = {
#include <schema/calls.def>
};

/* A platform's own function with one of these names needs no platform argument, but the loader's
 * does. So the program gets the platform's function. */
static bool answers_for_its_platform(const char *name)
{
    static const char *const names[] = {"clGetPlatformIDs", "clGetPlatformInfo", "clGetDeviceIDs",
                                        "clUnloadCompiler", "clGetExtensionFunctionAddress"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The wrapper of the call at PLACE, for which PLATFORM returns FUNCTION; NULL for none. A program
 * may also query standard functions by name. */
static void *wrapper_choose(size_t place, uint64_t platform, void *function)
{
    if (calls[place].number > RECORDER_TABLE_LENGTH) {
        return recorder_extension_function(calls[place].number, platform, function)
                   ? calls[place].wrapper
                   : NULL;
    }
    return answers_for_its_platform(calls[place].name)
               ? NULL
               : recorder_wrappers[RECORDER_LOADER].entries[calls[place].number - 1];
}

/* What to return to a program that asked PLATFORM (0: any) for NAME, when the vendor returns
 * FUNCTION. */
static void *function_exchange(const char *name, uint64_t platform, void *function)
{
    void *wrapper = NULL;
    recorder_layers_loaded();
    if (!function || !name) {
        return function;
    }
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (strcmp(name, calls[i].name) == 0) {
            wrapper = wrapper_choose(i, platform, function);
            break;
        }
    }
    if (!wrapper) {
        recorder_lingering_note_function(name);
    }
    return wrapper ? wrapper : function;
}

void *CL_API_CALL RECORDER_WRAPPER(clGetExtensionFunctionAddress)(const char *name)
{
    RECORDER_CALL(clGetExtensionFunctionAddress, NULL);
    void *function = RECORDER_TARGET.clGetExtensionFunctionAddress(name);
    RECORDER_RETURNED();
    return function_exchange(name, 0, function);
}

void *CL_API_CALL RECORDER_WRAPPER(clGetExtensionFunctionAddressForPlatform)(
    cl_platform_id platform, const char *name)
{
    RECORDER_CALL(clGetExtensionFunctionAddressForPlatform, platform);
    void *function = RECORDER_TARGET.clGetExtensionFunctionAddressForPlatform(platform, name);
    RECORDER_RETURNED();
    return function_exchange(name, (uintptr_t)platform, function);
}
