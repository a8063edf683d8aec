/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts about the process in a core's memory: the program, the signal, the host. */
#include <host/core/core.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_PATH 4096
#define ENVIRONMENT_SIZE 65536 /* bytes at the end of the environment to search */
#define HOST_NAME "HOSTNAME="

struct bytes core_saved(const ompd_host_target_t *target, uint64_t address, size_t size)
{
    const struct region *region = region_find(target, address);
    struct bytes saved = {(const uint8_t *)"", 0, target->is_swapped};

    if (region == NULL || region->start > address || region->bytes == NULL)
        return saved;
    saved.start = region->bytes + (address - region->start);
    saved.size = region->end - address < size ? region->end - address : size;
    return saved;
}

/* The path of the executable: of the file whose mapping contains its program headers, or the
 * path given to execve.  NULL: unknown. */
static const char *core_program(const ompd_host_target_t *target)
{
    const struct region *region = region_find(target, target->core.program_headers);

    if (target->core.program_headers != 0 && region != NULL && region->file != NULL &&
        region->start <= target->core.program_headers)
        return region->file->path;
    if (target->core.program_name == 0)
        return NULL;
    return bytes_text(core_saved(target, target->core.program_name, LONGEST_PATH), 0);
}

/*
 * Find the host's name in the environment, which the kernel puts before the program's name at the
 * end of the stack.  Search backwards from there, as long as texts are settings.
 */
static const char *core_host(const ompd_host_target_t *target)
{
    uint64_t end = target->core.program_name;
    const struct region *region = region_find(target, end);
    const char *texts;
    size_t at;

    if (end == 0 || region == NULL || region->bytes == NULL || region->start >= end)
        return NULL;
    at = end - region->start < ENVIRONMENT_SIZE ? end - region->start : ENVIRONMENT_SIZE;
    texts = (const char *)region->bytes + (end - region->start - at);
    if (texts[at - 1] != '\0')
        return NULL;
    while (at > 1) {
        size_t start = at - 1;

        while (start > 0 && texts[start - 1] != '\0')
            start--;
        if (start == 0 || strchr(texts + start, '=') == NULL)
            return NULL;
        if (strncmp(texts + start, HOST_NAME, strlen(HOST_NAME)) == 0)
            return texts + start + strlen(HOST_NAME);
        at = start;
    }
    return NULL;
}

/* Whether SIGNAL kills a process with a core.  Debuggers also write cores of live processes,
 * which they stop with other signals or SIGTRAP. */
static bool is_deadly(int signal, bool is_of_debugger)
{
    switch (signal) {
    case SIGQUIT:
    case SIGILL:
    case SIGABRT:
    case SIGFPE:
    case SIGSEGV:
    case SIGBUS:
    case SIGSYS:
    case SIGXCPU:
    case SIGXFSZ:
        return true;
    case SIGTRAP:
        return !is_of_debugger;
    default:
        return false;
    }
}

ompd_host_rc_t core_facts_find(ompd_host_target_t *target)
{
    const char *program = core_program(target);
    const char *host = core_host(target);

    if (target->thread_count != 0 &&
        is_deadly(target->threads[0].signal, target->core.is_of_debugger))
        target->signal = target->threads[0].signal;
    if (program != NULL) {
        free(target->program);
        target->program = strdup(program);
    }
    if (host != NULL)
        target->host_name = strdup(host);
    if ((program != NULL && target->program == NULL) || (host != NULL && target->host_name == NULL))
        return target_message_set(target, ompd_host_rc_nomem, "out of memory");
    return ompd_host_rc_ok;
}
