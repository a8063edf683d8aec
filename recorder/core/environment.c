/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/process.h"

#include <ompd-opencl-registry.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

extern char **environ;

bool recorder_environment_is_trusted(void)
{
    return getauxval(AT_SECURE) == 0;
}

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

uint32_t recorder_environment_calls(void)
{
    const char *text = getenv("OMPD_OPENCL_CALLS");
    unsigned long length = text ? strtoul(text, NULL, 10) : 0;
    return length > RECORDER_HISTORY_LIMIT ? RECORDER_HISTORY_LIMIT : (uint32_t)length;
}

bool recorder_environment_stops_on_mistake(void)
{
    const char *text = getenv("OMPD_OPENCL_STOP_ON_MISTAKE");
    return text && strcmp(text, "1") == 0;
}

#define LEDGER_DEFAULT 16384u

/* What OMPD_OPENCL_LEDGER requests. */
struct ledger_wish {
    bool is_set;
    uint32_t tables;
    unsigned long length; /* last number in it */
};

/* Parse the word of LENGTH bytes at WORD. */
static void ledger_wish_take(struct ledger_wish *wish, const char *word, size_t length)
{
    static const char *const names[] = {
        [ompd_cl_registry_context] = "contexts", [ompd_cl_registry_queue] = "queues",
        [ompd_cl_registry_memobj] = "memobjs",   [ompd_cl_registry_program] = "programs",
        [ompd_cl_registry_kernel] = "kernels",   [ompd_cl_registry_sampler] = "samplers",
        [ompd_cl_registry_event] = "events",
    };
    bool is_all = length == strlen("all") && strncmp(word, "all", length) == 0;
    if (*word >= '0' && *word <= '9') {
        wish->length = strtoul(word, NULL, 10);
    }
    for (uint32_t table = 1; table < sizeof(names) / sizeof(names[0]); table++) {
        if (is_all ||
            (length == strlen(names[table]) && strncmp(word, names[table], length) == 0)) {
            wish->tables |= UINT32_C(1) << table;
        }
    }
}

static struct ledger_wish ledger_wish_read(void)
{
    struct ledger_wish wish = {.length = 1};
    const char *word = getenv("OMPD_OPENCL_LEDGER");
    bool has_kinds = false;
    while (word && *word) {
        size_t length = strcspn(word, ",");
        wish.is_set = true;
        has_kinds |= length && !(*word >= '0' && *word <= '9');
        ledger_wish_take(&wish, word, length);
        word += length + (word[length] == ',');
    }
    if (!has_kinds) {
        ledger_wish_take(&wish, "all", strlen("all"));
    }
    return wish;
}

uint32_t recorder_environment_ledger(void)
{
    struct ledger_wish wish = ledger_wish_read();
    return wish.is_set && wish.length ? wish.tables : 0;
}

uint32_t recorder_environment_ledger_length(void)
{
    unsigned long length = ledger_wish_read().length;
    if (length <= 1) {
        return LEDGER_DEFAULT;
    }
    return length > RECORDER_LEDGER_LIMIT ? RECORDER_LEDGER_LIMIT : (uint32_t)length;
}

uint32_t recorder_environment_switches(void)
{
    const char *text = getenv("OMPD_OPENCL_TRACK_COMPLETION");
    const char *check = getenv("OMPD_OPENCL_CHECK");
    uint32_t switches = text && strcmp(text, "1") == 0 ? OMPD_CL_REGISTRY_TRACK_COMPLETION : 0;
    if (check && strcmp(check, "thorough") == 0) {
        switches |= OMPD_CL_REGISTRY_THOROUGH;
    }
    if (recorder_environment_history()) {
        switches |= OMPD_CL_REGISTRY_KEEPS_COMMANDS;
    }
    if (recorder_environment_calls()) {
        switches |= OMPD_CL_REGISTRY_KEEPS_CALLS;
    }
    return switches | recorder_environment_ledger() * OMPD_CL_REGISTRY_KEEPS_LEDGER(0);
}

/* The largest value of OPENCL_LAYERS that is restored. */
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

/* The start of the string after ENTRY's, in the block that the kernel set up. Strings are
 * consecutive there, and the program's file name comes last. NULL when ENTRY is not in that block.
 */
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

/* Whether TEXT is a variable that was removed from the environment, NAME=..., and not a layer's
 * name. */
static bool is_variable(const char *text)
{
    size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && text[length] == '=';
}

/* A loader may have split the value since it was last restored. */
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
