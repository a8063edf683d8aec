/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Why a call failed, and the rows that are cached for a stop. */
#include "sources/address-space.h"

#include <string.h>

bool kept_rows_are_good(const struct address_space *space, const struct kept_rows *kept,
                        uint64_t subject, bool is_begun)
{
    bool is_whole = kept->missing.failures == 0 && kept->missing.reason == NULL;

    return kept->stop == space->target.stop && kept->sources == space->sources &&
           kept->subject == subject && (is_begun || is_whole);
}

void kept_rows_begin(struct kept_rows *kept, uint64_t subject)
{
    kept->stop = 0;
    kept->subject = subject;
    kept->count = 0;
    kept->missing = (struct shortfall){0};
}

ompd_rc_t kept_rows_add(struct address_space *space, struct kept_rows *kept, size_t size,
                        uint32_t limit, const void *row)
{
    ompd_rc_t rc;

    if (kept->count == limit) {
        kept->missing.lost++;
        return ompd_rc_ok;
    }
    rc = memory_grow(space->target.memory, &kept->rows, kept->count, &kept->capacity, size);
    if (rc == ompd_rc_ok)
        memcpy((char *)kept->rows + kept->count++ * size, row, size);
    return rc;
}

void kept_rows_end(const struct address_space *space, struct kept_rows *kept)
{
    kept->stop = space->target.stop;
    kept->sources = space->sources;
}

void address_space_set_path(const struct address_space *space, uint64_t start, const char *name,
                            uint64_t length, ompd_cl_text_t *text)
{
    struct text_key key = {.kind = text_key_of_module_path, .start = start};

    text_set(text, ompd_cl_source_none, name);
    if (length >= OMPD_CL_TEXT_SIZE)
        text_set_whole(text, length, text_key_encode(key, space->salt));
}

ompd_rc_t address_space_fail(struct address_space *space, ompd_rc_t rc, const char *text)
{
    message_clear(&space->message);
    message_add(&space->message, text);
    return rc;
}

ompd_rc_t address_space_refuse_null(struct address_space *space, const char *what)
{
    message_clear(&space->message);
    message_add(&space->message, what);
    message_add(&space->message, " is NULL.");
    return ompd_rc_bad_input;
}

static ompd_rc_t set_refusal_message(struct address_space *space)
{
    const struct memory *memory = space->target.memory;
    struct message *message = &space->message;

    message_clear(message);
    switch (memory->refusal) {
    case memory_refused_by_monitor:
        message_add(message, "the memory monitor refused ");
        message_add_decimal(message, memory->refused);
        message_add(message, " B.");
        break;
    case memory_refused_by_limit:
        message_add(message, "this needs ");
        message_add_decimal(message, memory->refused);
        message_add(message, " B more; ");
        message_add_decimal(message, memory->wanted - memory->refused);
        message_add(message, " B are allocated and the memory limit is ");
        message_add_decimal(message, memory->refused_limit);
        message_add(message, " B; raise the limit.");
        break;
    default:
        message_add(message, "the tool's alloc_memory failed.");
        break;
    }
    return ompd_rc_nomem;
}

ompd_rc_t address_space_set_message(struct address_space *space, ompd_rc_t rc)
{
    if (rc == ompd_rc_nomem)
        return set_refusal_message(space);
    if (rc == ompd_rc_ok || rc == ompd_rc_interrupted || space->message.length != 0)
        return rc;
    if (rc != ompd_rc_incomplete)
        return address_space_fail(space, rc, "one of the tool's callbacks failed.");
    return address_space_fail(space, rc,
                              space->target.failure == ompd_cl_status_not_saved
                                  ? "some of the requested memory was not saved in the core."
                                  : "some of the target's memory could not be read.");
}
