/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "ompd-opencl-registry.h"

extern char **environ;

uint32_t recorder_environment_stack_depth(void)
{
    const char *text = getenv("OMPD_OPENCL_STACK_DEPTH");
    unsigned long depth = text ? strtoul(text, NULL, 10) : 1;
    if (depth < 1) {
        return 1;
    }
    return depth > OMPD_CL_REGISTRY_MAX_STACK_DEPTH ? OMPD_CL_REGISTRY_MAX_STACK_DEPTH
                                                    : (uint32_t)depth;
}

#define HISTORY_DEFAULT 256u

uint32_t recorder_environment_history(void)
{
    const char *text = getenv("OMPD_OPENCL_HISTORY");
    char *end = NULL;
    unsigned long length = text ? strtoul(text, &end, 10) : HISTORY_DEFAULT;
    if (text && end == text) {
        return HISTORY_DEFAULT;
    }
    return length > RECORDER_HISTORY_LIMIT ? RECORDER_HISTORY_LIMIT : (uint32_t)length;
}

uint32_t recorder_environment_switches(void)
{
    const char *text = getenv("OMPD_OPENCL_TRACK_COMPLETION");
    uint32_t switches = text && strcmp(text, "1") == 0 ? OMPD_CL_REGISTRY_TRACK_COMPLETION : 0;
    return recorder_environment_history() ? switches | OMPD_CL_REGISTRY_KEEPS_COMMANDS : switches;
}

/* The largest value of OPENCL_LAYERS that is put back. */
#define VALUE_LIMIT 65536

static char *layers_entry(void)
{
    static const char name[] = "OPENCL_LAYERS=";
    for (char **entry = environ; entry && *entry; entry++) {
        if (strncmp(*entry, name, sizeof(name) - 1) == 0) {
            return *entry;
        }
    }
    return NULL;
}

/* Where the string after ENTRY's begins, in the block that the kernel laid out: strings follow one
 * another there, the program's file name comes last.  NULL when ENTRY is not in that block. */
static const char *entry_end(const char *entry)
{
    const char *end = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    for (char **other = environ; *other; other++) {
        if ((uintptr_t)*other > (uintptr_t)entry && (uintptr_t)*other < (uintptr_t)end) {
            end = *other;
        }
    }
    bool is_near = (uintptr_t)end > (uintptr_t)entry &&
                   (uintptr_t)end - (uintptr_t)entry < (uintptr_t)VALUE_LIMIT;
    return is_near ? end : NULL;
}

/* TEXT is a variable that was taken out of the environment, NAME=..., rather than a layer's name.
 */
static bool is_variable(const char *text)
{
    size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && text[length] == '=';
}

/* A loader may have split the value since it was last put back. */
static bool may_be_split;

void recorder_environment_layers_split(void)
{
    __atomic_store_n(&may_be_split, true, __ATOMIC_RELEASE);
}

void recorder_environment_restore_layers(void)
{
    if (!__atomic_load_n(&may_be_split, __ATOMIC_RELAXED) ||
        !__atomic_exchange_n(&may_be_split, false, __ATOMIC_ACQ_REL)) {
        return;
    }
    char *entry = layers_entry();
    const char *end = entry ? entry_end(entry) : NULL;
    if (!end) {
        return;
    }
    for (char *place = entry + strlen(entry); place + 1 < end; place += strlen(place)) {
        if (is_variable(place + 1)) {
            return;
        }
        *place = ':';
    }
}
