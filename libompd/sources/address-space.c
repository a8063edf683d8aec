/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Why a call failed. */
#include "sources/address-space.h"

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

static ompd_rc_t explain_refusal(struct address_space *space)
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
        message_add(message, " B more, but ");
        message_add_decimal(message, memory->wanted - memory->refused);
        message_add(message, " B are held and the memory limit is ");
        message_add_decimal(message, memory->refused_limit);
        message_add(message, " B: raise the limit.");
        break;
    default:
        message_add(message, "the tool's alloc_memory failed.");
        break;
    }
    return ompd_rc_nomem;
}

ompd_rc_t address_space_explain(struct address_space *space, ompd_rc_t rc)
{
    if (rc == ompd_rc_nomem)
        return explain_refusal(space);
    if (rc == ompd_rc_ok || rc == ompd_rc_interrupted || space->message.length != 0)
        return rc;
    if (rc != ompd_rc_incomplete)
        return address_space_fail(space, rc, "a callback of the tool failed.");
    return address_space_fail(space, rc,
                              space->target.failure == ompd_cl_status_not_saved
                                  ? "some of the memory asked about was not saved in the core."
                                  : "some of the target's memory could not be read.");
}
