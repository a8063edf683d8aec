/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See places.h. */
#include <command/session/places.h>

#include <inttypes.h>
#include <string.h>
#include <text/heap.h>

/* Add PLACE, whose code is in the file MODULE. */
static void place_add(struct command_call_places *places, struct command_session *session,
                      struct command_call_place place, const char *module)
{
    place.is_binding = ompd_view_code_is_binding(session->view, place.file, module);
    place.library = module != NULL ? text_file_name(module) : NULL;
    places->all = heap_grow(places->all, places->count, sizeof(places->all[0]));
    places->all[places->count++] = place;
}

static bool is_main(const struct command_call_places *places)
{
    const char *function = places->all[places->count - 1].function;

    return function != NULL && strcmp(function, "main") == 0;
}

/* Add the calls at FRAME, a return address if IS_CALLER.  There are several if functions were
 * inlined. */
static void frame_places_add(struct command_call_places *places, struct command_session *session,
                             ompd_addr_t frame, bool is_caller)
{
    ompd_host_place_t place = {.symbol = NULL};

    /* Treat it as a return address, so that functions inlined here are found. */
    if (ompd_host_place_get(session->target, frame + !is_caller, true, &place) != ompd_host_rc_ok)
        place = (ompd_host_place_t){.symbol = NULL};
    if (place.symbol != NULL)
        place.symbol = command_function_name(place.symbol);
    place_add(
        places, session,
        (struct command_call_place){
            .function = place.symbol, .file = place.file, .line = place.line, .address = frame},
        place.module);
    for (size_t i = 0; i < place.inlined_count; i++)
        place_add(places, session,
                  (struct command_call_place){.function = place.inlined_into[i],
                                              .file = place.inlined_at[i].file,
                                              .line = place.inlined_at[i].line,
                                              .address = frame,
                                              .has_inlined = true},
                  place.module);
}

/* Find the innermost call of the program itself. */
static void find_first(struct command_call_places *places)
{
    size_t first = 0;

    while (first < places->count && places->all[first].is_binding)
        first++;
    places->first = first < places->count ? first : 0;
}

void command_call_places_find(struct command_call_places *places, struct command_session *session,
                              const ompd_addr_t *frames, size_t count)
{
    *places = (struct command_call_places){.count = 0};
    for (size_t i = 0; i < count && (i == 0 || !is_main(places)); i++)
        frame_places_add(places, session, frames[i], true);
    find_first(places);
}

void command_call_places_free(struct command_call_places *places)
{
    heap_free(places->all);
    *places = (struct command_call_places){.count = 0};
}

void command_call_places_of_thread(struct command_call_places *places,
                                   struct command_session *session, uint32_t lwp, size_t first)
{
    ompd_host_frame_t frames[COMMAND_CALL_PLACES];
    size_t count = 0;

    *places = (struct command_call_places){.count = 0};
    if (ompd_host_stack_get(session->target, lwp, COMMAND_CALL_PLACES, frames, &count) !=
        ompd_host_rc_ok)
        return;
    for (size_t i = first; i < count && (i == first || !is_main(places)); i++)
        frame_places_add(places, session, frames[i].address, frames[i].is_caller);
    find_first(places);
}

/* Add LIBRARY without its version. */
static void add_library(const char *library, struct text *text)
{
    struct text name = {0};

    text_append(&name, library, command_library_length(library));
    text_escape(text, text_get(&name));
    text_free(&name);
}

void command_call_place_add(const struct command_call_place *place, struct text *text)
{
    text_escape(text, place->function != NULL ? place->function : "?");
    if (place->file != NULL) {
        text_add(text, " at ");
        text_escape(text, text_file_name(place->file));
    } else if (place->library != NULL && !place->has_inlined) {
        text_add(text, " in ");
        add_library(place->library, text);
    }
}

void command_call_place_describe(const struct command_call_place *place, struct text *text)
{
    if (place->function != NULL)
        text_escape(text, place->function);
    else
        text_put_hexadecimal(text, place->address);
    if (place->file != NULL) {
        text_add(text, " at ");
        text_escape(text, text_file_name(place->file));
        text_add(text, ":%" PRIu32, place->line);
    } else if (place->library != NULL && !place->has_inlined) {
        text_add(text, " in ");
        text_escape(text, place->library);
    }
}
