/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The wrappers of the loader's own functions, by name. */
#include "wrap/wrap.h"

#include <stddef.h>
#include <string.h>

#define ENTRY_COUNT (sizeof(cl_icd_dispatch) / sizeof(void *))

#define NAME(number, function) {number, #function},
static const struct {
    uint32_t number; /* place in the loader's table plus 1; more: it is not in the table */
    const char *name;
} calls[] = {OMPD_CL_CALLS(NAME)};

/* A platform's own function by one of these names answers for that platform without being told of
 * it, as the loader's can't: the program is to have the platform's. */
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

void *recorder_core_wrapper_find(const char *name)
{
    void *const *wrappers = (void *const *)(const void *)&recorder_wrappers[RECORDER_LOADER];
    if (answers_for_its_platform(name)) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (calls[i].number <= ENTRY_COUNT && strcmp(name, calls[i].name) == 0) {
            return wrappers[calls[i].number - 1];
        }
    }
    return NULL;
}
