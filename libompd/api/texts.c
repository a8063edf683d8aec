/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts of any length. */
#include "api/api.h"

static ompd_rc_t read_recorded(struct address_space *space, const struct text_key *key,
                               struct text_part *part)
{
    ompd_rc_t rc = recorder_source_read(space);

    if (rc == ompd_rc_ok)
        rc = recorder_text_read(space, key->block, key->generation, part);
    return rc;
}

static ompd_rc_t read_of_module(struct address_space *space, const struct text_key *key,
                                struct text_part *part)
{
    ompd_rc_t rc =
        module_text_read(&space->target, key->start, key->kind == text_key_of_build_id, part);

    if (rc == ompd_rc_unavailable)
        return address_space_fail(space, ompd_rc_stale_handle,
                                  "the module is no longer mapped; list the modules again.");
    if (rc == ompd_rc_incomplete)
        address_space_fail(space, rc, "the tool could not list the modules of the target.");
    return rc;
}

/* Read PART, whose members are not checked yet, of the text with KEY. */
static ompd_rc_t read_part(struct address_space *space, uint64_t number, struct text_part *part)
{
    struct text_key key;

    if (part->text == NULL)
        return address_space_refuse_null(space, "the pointer to the text");
    if (!text_key_decode(number, space->salt, &key))
        return address_space_fail(space, ompd_rc_bad_input, "no text has this key.");
    return address_space_set_message(space, key.kind == text_key_of_record
                                                ? read_recorded(space, &key, part)
                                                : read_of_module(space, &key, part));
}

PUBLIC ompd_rc_t ompd_cl_text_read(ompd_address_space_handle_t *handle, uint64_t key,
                                   uint64_t offset, ompd_size_t capacity, char *text,
                                   ompd_size_t *count)
{
    struct text_part part = {.offset = offset, .capacity = capacity, .text = text};
    struct address_space *space;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    rc = count == NULL ? address_space_refuse_null(space, "the pointer to the count of bytes")
                       : read_part(space, key, &part);
    if (address_space_may_set_outputs(space, rc))
        *count = part.count;
    return address_space_leave(space, rc);
}
