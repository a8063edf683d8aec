/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts of records. The record has the beginning; blocks have the complete text if it is longer. */
#include "sources/recorder/recorder.h"

#include <string.h>

#define FIELD(name) ompd_cl_registry_field_##name

/* The field with the bytes of the text FIELD. */
static enum ompd_cl_registry_field_id size_field(enum ompd_cl_registry_field_id field)
{
    switch (field) {
    case FIELD(options):
        return FIELD(options_size);
    case FIELD(log):
        return FIELD(log_size);
    case FIELD(version):
        return FIELD(version_size);
    case FIELD(vendor):
        return FIELD(vendor_size);
    case FIELD(message):
        return FIELD(message_size);
    default:
        return FIELD(name_size);
    }
}

/* The field with the index plus 1 of its first block. */
static enum ompd_cl_registry_field_id block_field(enum ompd_cl_registry_field_id field)
{
    switch (field) {
    case FIELD(options):
        return FIELD(options_text);
    case FIELD(log):
        return FIELD(log_text);
    case FIELD(version):
        return FIELD(version_text);
    case FIELD(vendor):
        return FIELD(vendor_text);
    case FIELD(message):
        return FIELD(message_text);
    default:
        return FIELD(name_text);
    }
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* A block of the registry. */
struct text_block {
    const uint8_t *text; /* valid until the next read */
    uint32_t room;       /* bytes of text in a block */
    uint32_t generation;
    uint32_t size; /* bytes of text in the whole chain */
    uint32_t next; /* index plus 1; 0: none */
};

static ompd_rc_t refuse_block(struct registry *registry)
{
    registry->target->failure = ompd_cl_status_corrupt;
    return ompd_rc_incomplete;
}

/* View block INDEX, which must be ORIGIN bytes into its text, which excludes cycles. Returns
 * ompd_rc_ok; ompd_rc_unavailable when no such block is in use; ompd_rc_incomplete, with `failure`
 * set, when it cannot be read or is impossible; ompd_rc_nomem or ompd_rc_interrupted. */
static ompd_rc_t text_block_view(struct registry *registry, uint32_t index, uint32_t origin,
                                 struct text_block *block)
{
    struct registry_table *table = &registry->tables[ompd_cl_registry_text_block];
    struct registry_location location = table->locations[FIELD(text)];
    const uint8_t *record;
    ompd_rc_t rc = registry_record_view(registry, table, index, &record);

    if (rc == ompd_rc_error)
        return refuse_block(registry);
    if (rc != ompd_rc_ok)
        return rc;
    if (registry_is_free(registry, table, record))
        return ompd_rc_unavailable;
    block->text = record + location.offset;
    block->room = location.size;
    block->generation = (uint32_t)registry_get(registry, table, record, FIELD(generation));
    block->size = (uint32_t)registry_get(registry, table, record, FIELD(size));
    block->next = (uint32_t)registry_get(registry, table, record, FIELD(next));
    if (block->room == 0 || block->size == 0 || block->size > OMPD_CL_REGISTRY_TEXT_LIMIT ||
        registry_get(registry, table, record, FIELD(origin)) != origin)
        return refuse_block(registry);
    return ompd_rc_ok;
}

/* ---- Fields ---------------------------------------------------------------------------------- */

/* Set the key of TEXT, which has SIZE bytes in blocks from PLACE, index plus 1. */
static void set_key(struct recorder_fields *fields, ompd_cl_text_t *text, uint32_t place,
                    uint64_t size)
{
    struct text_key key = {.kind = text_key_of_record, .block = place - 1};
    struct text_block block;
    ompd_rc_t rc = place == 0
                       ? ompd_rc_unavailable
                       : text_block_view(&fields->space->recorder->registry, place - 1, 0, &block);

    if (rc == ompd_rc_ok) {
        key.generation = block.generation;
        text_set_whole(text, size, text_key_encode(key, fields->space->salt));
        if (block.size < size)
            text->status = ompd_cl_status_at_least;
        return;
    }
    text_set_whole(text, size, 0);
    /* Place 0 means that the recorder had no memory; any other is a block. */
    if (place != 0)
        fields->rc = rc_is_final(rc) ? rc : ompd_rc_incomplete;
}

/* Older recorders do not store the length of a text, but mark truncation with an ellipsis. */
static bool is_cut(const char *text, size_t length, size_t room)
{
    const size_t size = sizeof(TEXT_ELLIPSIS) - 1;

    return length + 1 == room ||
           (length > size && memcmp(text + length - size, TEXT_ELLIPSIS, size) == 0);
}

void recorder_fields_set_text(struct recorder_fields *fields, ompd_cl_text_t *text,
                              enum ompd_cl_registry_field_id field)
{
    struct registry_location location = fields->table->locations[field];
    size_t room = location.size < OMPD_CL_TEXT_SIZE ? location.size : OMPD_CL_TEXT_SIZE;
    uint64_t size;

    *text = (ompd_cl_text_t){.status = ompd_cl_status_unknown, .source = ompd_cl_source_recorder};
    if (room == 0)
        return;
    text->status = ompd_cl_status_value;
    while (text->length + 1 < room && fields->record[location.offset + text->length] != 0)
        text->length++;
    memcpy(text->text, fields->record + location.offset, text->length);
    if (!registry_has(fields->table, size_field(field))) {
        if (is_cut(text->text, text->length, room))
            text->status = ompd_cl_status_at_least;
        return;
    }
    size = registry_get(fields->registry, fields->table, fields->record, size_field(field));
    if (size >= room) {
        set_key(fields, text,
                (uint32_t)registry_get(fields->registry, fields->table, fields->record,
                                       block_field(field)),
                size);
    } else if (size != text->length) {
        *text =
            (ompd_cl_text_t){.status = ompd_cl_status_corrupt, .source = ompd_cl_source_recorder};
        fields->rc = ompd_rc_incomplete;
    }
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Where to begin reading at OFFSET of the text with the FIRST block of GENERATION: at a block that
 * was read before, or at the first. */
static void cursor_begin(const struct address_space *space, uint32_t first, uint32_t generation,
                         uint64_t offset, struct text_cursor *cursor)
{
    const struct text_cursor *last = &space->recorder->text;

    if (last->stop == space->target.stop && last->first == first &&
        last->generation == generation && last->origin <= offset)
        *cursor = *last;
    else
        *cursor = (struct text_cursor){
            .stop = space->target.stop, .first = first, .generation = generation, .block = first};
}

/* Copy the bytes of BLOCK, which is ORIGIN bytes into its text, that are in PART. */
static void block_copy(struct text_part *part, const struct text_block *block, uint32_t origin)
{
    uint64_t end = origin + (uint64_t)block->room;
    uint64_t at = part->offset + part->count;
    uint64_t count;

    if (end > block->size)
        end = block->size;
    if (at >= end)
        return;
    count = end - at;
    if (count > part->capacity - part->count)
        count = part->capacity - part->count;
    if (count != 0)
        memcpy(part->text + part->count, block->text + (at - origin), count);
    part->count += count;
}

/* Set the message that explains why the rest of a text is missing. */
static void explain_rest(struct address_space *space)
{
    switch (space->target.failure) {
    case ompd_cl_status_not_saved:
        address_space_fail(space, ompd_rc_incomplete,
                           "the rest of the text was not saved in the core.");
        break;
    case ompd_cl_status_corrupt:
        address_space_fail(space, ompd_rc_incomplete,
                           "the recorder's registry is corrupt: a text is incomplete.");
        break;
    default:
        address_space_fail(space, ompd_rc_incomplete, "the rest of the text cannot be read.");
        break;
    }
}

/* Follow the chain of CURSOR, with SIZE bytes according to its first block, as far as PART needs
 * it. Returns as text_block_view does. */
static ompd_rc_t chain_follow(struct address_space *space, struct text_cursor *cursor,
                              uint32_t size, struct text_part *part)
{
    struct registry *registry = &space->recorder->registry;
    struct text_block block;

    while (part->count < part->capacity && part->offset + part->count < size) {
        ompd_rc_t rc = text_block_view(registry, cursor->block, cursor->origin, &block);

        if (rc == ompd_rc_unavailable || (rc == ompd_rc_ok && block.size != size))
            rc = refuse_block(registry);
        if (rc != ompd_rc_ok)
            return rc;
        if (space->target.memory->call.is_interrupted)
            return ompd_rc_interrupted;
        space->recorder->text = *cursor;
        block_copy(part, &block, cursor->origin);
        if (cursor->origin + (uint64_t)block.room >= size)
            break;
        if (block.next == 0 && part->count < part->capacity)
            return refuse_block(registry);
        cursor->origin += block.room;
        cursor->block = block.next - 1;
    }
    return ompd_rc_ok;
}

ompd_rc_t recorder_text_read(struct address_space *space, uint32_t first, uint32_t generation,
                             struct text_part *part)
{
    struct text_cursor cursor;
    struct text_block block;
    ompd_rc_t rc = text_block_view(&space->recorder->registry, first, 0, &block);

    if (rc == ompd_rc_unavailable || (rc == ompd_rc_ok && block.generation != generation))
        return address_space_fail(space, ompd_rc_stale_handle,
                                  "the text no longer exists; read its field again.");
    if (rc == ompd_rc_ok) {
        cursor_begin(space, first, generation, part->offset, &cursor);
        rc = chain_follow(space, &cursor, block.size, part);
    }
    if (rc == ompd_rc_incomplete)
        explain_rest(space);
    return rc;
}
