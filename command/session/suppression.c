/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See places.h. */
#include <command/session/places.h>

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <text/heap.h>

struct command_suppression *command_suppression_add(struct command_suppressions *suppressions)
{
    suppressions->all =
        heap_grow(suppressions->all, suppressions->count, sizeof(suppressions->all[0]));
    suppressions->all[suppressions->count] = (struct command_suppression){.most = UINT64_MAX};
    return &suppressions->all[suppressions->count++];
}

void command_suppressions_free(struct command_suppressions *suppressions)
{
    for (size_t i = 0; i < suppressions->count; i++) {
        for (size_t j = 0; j < suppressions->all[i].call_count; j++)
            heap_free(suppressions->all[i].calls[j]);
        heap_free(suppressions->all[i].calls);
    }
    heap_free(suppressions->all);
    *suppressions = (struct command_suppressions){.count = 0};
}

/* Whether PATTERN matches the function NAME, with or without its parameters and template
 * arguments. */
static bool is_function(const char *pattern, const char *name)
{
    if (command_pattern_fits(pattern, name, strlen(name)))
        return true;
    for (size_t i = 1; name[0] != '\0' && name[i] != '\0'; i++)
        if ((name[i] == '(' || name[i] == '<') && command_pattern_fits(pattern, name, i))
            return true;
    return false;
}

/* Whether PATTERN matches PATH, or the last folders and the name of PATH, optionally with
 * ":LINE". */
static bool is_file(const char *pattern, const char *path, uint32_t line)
{
    struct text place = {0};
    size_t size = strlen(path);
    bool is_found = false;

    text_add(&place, "%s:%" PRIu32, path, line);
    for (size_t i = 0; i < size && !is_found; i++)
        if (i == 0 || path[i - 1] == '/')
            is_found = command_pattern_fits(pattern, path + i, size - i) ||
                       command_pattern_fits(pattern, place.bytes + i, place.length - i);
    text_free(&place);
    return is_found;
}

/* Whether PATTERN matches the library NAME, with or without its version and suffix. */
static bool is_library(const char *pattern, const char *name)
{
    size_t length = command_library_length(name);
    bool has_suffix = length > 3 && strncmp(name + length - 3, ".so", 3) == 0;

    return command_pattern_fits(pattern, name, strlen(name)) ||
           command_pattern_fits(pattern, name, length) ||
           (has_suffix && command_pattern_fits(pattern, name, length - 3));
}

/* Whether PATTERN matches a call that led to OpenCL, or the library that called OpenCL. */
static bool has_place(const struct command_call_places *places, const char *pattern)
{
    for (size_t i = 0; i < places->count; i++) {
        const struct command_call_place *place = &places->all[i];

        if ((place->function != NULL && is_function(pattern, place->function)) ||
            (place->file != NULL && is_file(pattern, place->file, place->line)))
            return true;
    }
    return places->count != 0 && places->all[places->first].library != NULL &&
           is_library(pattern, places->all[places->first].library);
}

/* Whether CALL of a baseline matches PLACE, or its function alone. */
static bool is_call(const char *call, const struct command_call_place *place)
{
    struct text text = {0};
    bool is_it;

    command_call_place_add(place, &text);
    is_it = strcmp(call, text.bytes) == 0;
    if (!is_it && place->function != NULL) {
        text_clear(&text);
        text_escape(&text, place->function);
        is_it = strcmp(call, text_get(&text)) == 0;
    }
    text_free(&text);
    return is_it;
}

/* Whether PLACES contains the calls of SUPPRESSION from number FIRST on. */
static bool has_calls(const struct command_call_places *places,
                      const struct command_suppression *suppression, size_t first)
{
    if (suppression->call_count > places->count - first)
        return false;
    for (size_t i = 0; i < suppression->call_count; i++)
        if (!is_call(suppression->calls[i], &places->all[first + i]))
            return false;
    return true;
}

/* Whether the calls of SUPPRESSION are the innermost ones of PLACES, with or without bindings.
 * "?" matches unknown calls. */
static bool begins_with(const struct command_call_places *places,
                        const struct command_suppression *suppression)
{
    if (places->count == 0)
        return strcmp(suppression->calls[0], "?") == 0;
    return has_calls(places, suppression, places->first) || has_calls(places, suppression, 0);
}

size_t command_suppression_find(struct command_suppressions *suppressions, ompd_cl_kind_t kind,
                                const struct command_call_places *places, uint64_t count)
{
    for (size_t i = 0; i < suppressions->count; i++) {
        struct command_suppression *suppression = &suppressions->all[i];
        bool names = suppression->place != NULL
                         ? has_place(places, suppression->place)
                         : suppression->kind == kind && begins_with(places, suppression);

        if (!names)
            continue;
        suppression->objects += count;
        return i;
    }
    return COMMAND_NOT_SUPPRESSED;
}

bool command_suppression_holds(const struct command_suppressions *suppressions, size_t index)
{
    return index != COMMAND_NOT_SUPPRESSED &&
           suppressions->all[index].objects <= suppressions->all[index].most;
}
