/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See place.h. */
#include <host/command/place.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A table of a million rows has few distinct callers: each is looked up once as long as no other
 * falls on its place here. */
#define REMEMBERED 4096

struct remembered {
    uint64_t address;
    bool is_caller;
    bool is_known;
    ompd_host_place_t place;
};

struct command_places {
    struct remembered places[REMEMBERED];
};

static size_t slot_of(uint64_t address, bool is_caller)
{
    return (size_t)((address * 2 + is_caller) * 0x9e3779b97f4a7c15u >> 52) % REMEMBERED;
}

ompd_host_place_t command_place_get(struct command_session *session, uint64_t address,
                                    bool is_caller)
{
    struct remembered *slot;

    if (session->places == NULL)
        session->places = command_memory_get(sizeof(*session->places));
    slot = &session->places->places[slot_of(address, is_caller)];
    if (slot->is_known && slot->address == address && slot->is_caller == is_caller)
        return slot->place;
    *slot = (struct remembered){.address = address, .is_caller = is_caller, .is_known = true};
    if (ompd_host_place_get(session->target, address, is_caller, &slot->place) != ompd_host_rc_ok)
        slot->place = (ompd_host_place_t){0};
    return slot->place;
}

void command_places_free(struct command_session *session)
{
    free(session->places);
    session->places = NULL;
}

const char *command_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

void command_place_describe(struct command_session *session, uint64_t address, bool is_caller,
                            struct command_text *text)
{
    ompd_host_place_t place = command_place_get(session, address, is_caller);

    if (place.symbol == NULL && place.module == NULL) {
        command_text_add(text, "0x%" PRIx64, address);
        return;
    }
    if (place.symbol == NULL) {
        command_text_escape(text, command_file_name(place.module));
        command_text_add(text, "+0x%" PRIx64, place.module_offset);
        return;
    }
    command_text_escape(text, place.symbol);
    if (place.file != NULL) {
        command_text_add(text, " at ");
        command_text_escape(text, command_file_name(place.file));
        command_text_add(text, ":%" PRIu32, place.line);
        return;
    }
    if (place.symbol_offset != 0)
        command_text_add(text, "+%" PRIu64, place.symbol_offset);
    if (place.module != NULL) {
        command_text_add(text, " in ");
        command_text_escape(text, command_file_name(place.module));
    }
}

void command_place_data(struct command_session *session, uint64_t address,
                        struct command_text *text)
{
    ompd_host_place_t place = {0};

    command_text_add(text, "0x%" PRIx64, address);
    if (address != 0)
        place = command_place_get(session, address, false);
    if (place.symbol == NULL)
        return;
    command_text_add(text, " <");
    command_text_escape(text, place.symbol);
    if (place.symbol_offset != 0)
        command_text_add(text, "+%" PRIu64, place.symbol_offset);
    command_text_add(text, ">");
}

/* How many digits the numbers below COUNT take. */
static int digits_of(size_t count)
{
    int digits = 1;

    for (size_t last = count > 0 ? count - 1 : 0; last > 9; last /= 10)
        digits++;
    return digits;
}

void command_place_stack(struct command_session *session, const ompd_addr_t *frames, size_t count,
                         const char *indent, struct command_text *text)
{
    int width = digits_of(count);

    for (size_t i = 0; i < count; i++) {
        ompd_host_place_t place = command_place_get(session, frames[i], true);

        command_text_add(text, "%s#%-*zu ", indent, width, i);
        command_place_describe(session, frames[i], true, text);
        for (size_t j = 0; j < place.inlined_count; j++) {
            command_text_add(text, "%s", j == 0 ? ", inlined in " : " in ");
            command_text_escape(text, place.inlined_into[j]);
        }
        command_text_add(text, "\n");
    }
}

size_t command_stack_get(struct command_session *session, uint64_t stack, ompd_addr_t *frames)
{
    ompd_size_t count = 0;
    ompd_rc_t rc = ompd_cl_stack_get(session->space, stack, COMMAND_STACK_FRAMES, frames, &count);

    if (rc == ompd_rc_bad_input || rc == ompd_rc_unavailable || !command_session_check(session, rc))
        return 0;
    return count < COMMAND_STACK_FRAMES ? count : COMMAND_STACK_FRAMES;
}
