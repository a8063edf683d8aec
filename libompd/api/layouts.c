/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layouts that the tool added to an address space. */
#include "api/api.h"
#include "sources/embree/embree.h"

#include <string.h>

/* The layout of SPACE for the same build and target as LAYOUT; NULL if there is none. */
static struct known_layout *find_same(const struct address_space *space,
                                      const struct layout *layout)
{
    struct known_layout *known = space->layouts;

    while (known != NULL &&
           (known->layout.build_id_size != layout->build_id_size ||
            memcmp(known->layout.build_id, layout->build_id, layout->build_id_size) != 0 ||
            (layout->build_id_size == 0 && strcmp(known->layout.runtime, layout->runtime) != 0) ||
            known->layout.machine != layout->machine ||
            known->layout.pointer_size != layout->pointer_size ||
            known->layout.is_big_endian != layout->is_big_endian))
        known = known->next;
    return known;
}

/* Begin a new stop: what was found with the earlier layouts is invalid. */
static void begin_layout_stop(struct address_space *space)
{
    if (space->layout->runtimes.stop == space->target.stop ||
        space->layout->inventory.stop == space->target.stop ||
        (space->layout->embree != NULL && space->layout->embree->stop == space->target.stop))
        target_refresh(&space->target);
}

/* Have the layout NEWER, too, or instead of one that it replaces. */
static void store_layout(struct address_space *space, struct known_layout *newer)
{
    struct known_layout *older = find_same(space, &newer->layout);

    begin_layout_stop(space);
    if (older == NULL) {
        newer->next = space->layouts;
        space->layouts = newer;
        return;
    }
    older->layout = newer->layout;
    memory_free(space->target.memory, newer);
}

/* Log that LAYOUT was added. Returns as log_line_print does. */
static ompd_rc_t log_layout(const struct target *target, const struct layout *layout)
{
    struct message line;

    log_line_begin(&line);
    message_add(&line, "layout of ");
    message_add(&line, layout->runtime);
    message_add(&line, " for ");
    message_add(&line, layout->module);
    message_add(&line, " (build-id ");
    message_add_bytes(&line, layout->build_id, layout->build_id_size);
    message_add(&line, "): added");
    return log_line_print(&target->log, ompd_cl_log_level_decision, &line);
}

static ompd_rc_t add_layout(struct address_space *space, const char *text, ompd_size_t size)
{
    struct known_layout *known;
    void *allocated;
    ompd_rc_t rc;

    if (text == NULL)
        return address_space_refuse_null(space, "the text");
    rc = memory_allocate(space->target.memory, sizeof(*known), &allocated);
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    known = allocated;
    rc = layout_parse(text, size, &known->layout, &space->message);
    if (rc == ompd_rc_ok && log_has(&space->target.log, ompd_cl_log_level_decision))
        rc = log_layout(&space->target, &known->layout);
    if (rc != ompd_rc_ok) {
        memory_free(space->target.memory, known);
        return rc;
    }
    store_layout(space, known);
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_layout_add(ompd_address_space_handle_t *handle, const char *text,
                                    ompd_size_t size)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(space, add_layout(space, text, size));
}

PUBLIC ompd_rc_t ompd_cl_layout_get(const char *text, ompd_size_t size, ompd_cl_layout_info_t *info)
{
    struct message message;
    struct layout layout;
    ompd_cl_layout_info_t local;
    ompd_rc_t rc;

    if (text == NULL || info == NULL || !row_size_is_good(ompd_cl_kind_layout, info->struct_size))
        return ompd_rc_bad_input;
    message_clear(&message);
    rc = layout_parse(text, size, &layout, &message);
    if (rc != ompd_rc_ok)
        return rc;
    memset(&local, 0, sizeof(local));
    text_set(&local.runtime, ompd_cl_source_none, layout.runtime);
    text_set(&local.module, ompd_cl_source_none, layout.module);
    text_set_hexadecimal(&local.build_id, ompd_cl_source_none, layout.build_id,
                         layout.build_id_size);
    plain_value_set(&local.machine, layout.machine);
    plain_value_set(&local.pointer_size, layout.pointer_size);
    row_copy_to_tool(ompd_cl_kind_layout, &local, info, info->struct_size);
    return ompd_rc_ok;
}

static ompd_rc_t fail_unknown_sources(struct address_space *space, uint32_t sources)
{
    struct message *message = &space->message;

    message_clear(message);
    if (sources == 0) {
        message_add(message, "no source bit is set");
    } else {
        message_add(message, "unknown source bits ");
        message_add_hexadecimal(message, sources & ~OMPD_CL_SOURCES_ALL);
    }
    message_add(message, "; use `1 << ompd_cl_source_...`.");
    return ompd_rc_bad_input;
}

PUBLIC ompd_rc_t ompd_cl_sources_set(ompd_address_space_handle_t *handle, uint32_t sources)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    if (sources == OMPD_CL_SOURCES_DEFAULT)
        space->sources = OMPD_CL_SOURCES_ALL | SOURCES_UNCHOSEN;
    else if (sources == 0 || (sources & ~OMPD_CL_SOURCES_ALL) != 0)
        rc = fail_unknown_sources(space, sources);
    else
        space->sources = sources;
    return address_space_leave(space, rc);
}

PUBLIC ompd_rc_t ompd_cl_objects_search(ompd_address_space_handle_t *handle)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = sources_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(space, sources_search(space));
}
