/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtime's view of an object that the recorder has, too. */
#include "questions/findings/findings.h"

static ompd_rc_t only_final(ompd_rc_t rc)
{
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Set *IS_MAPPED to whether there is memory at ADDRESS. Returns false if that is unknown. */
static bool find_mapping(struct target *target, uint64_t address, bool *is_mapped)
{
    struct region_run run;
    ompd_rc_t rc = region_get(target, address, &run);

    *is_mapped = rc == ompd_rc_ok && run.is_saved;
    return *is_mapped || rc == ompd_rc_unavailable;
}

/* Whether the memory at HANDLE, which no layout recognises as an object, was freed. Memory in use
 * may be an object of a layer between the program and the runtime. */
static bool memory_is_freed(struct target *target, struct heap_searches *looks, uint64_t handle)
{
    struct heap_chunk chunk;
    bool is_mapped;

    if (!find_mapping(target, handle, &is_mapped))
        return false;
    if (!is_mapped)
        return true;
    if (looks->count == HEAP_LOOKS)
        return false;
    looks->count++;
    chunk = heap_chunks_find(&looks->chunks, target, handle);
    return chunk.use == heap_is_freed || chunk.use == heap_is_cached;
}

/* Find out whether the object at HANDLE, supposedly of KIND, is a memory object of another kind. */
static ompd_rc_t find_other_object(struct address_space *space, enum layout_kind kind,
                                   uint64_t handle, bool *is_found)
{
    static const enum layout_kind memobjs[] = {layout_buffer, layout_image, layout_pipe};
    bool is_memobj = kind == layout_buffer || kind == layout_image || kind == layout_pipe;
    struct layout_fields view;

    *is_found = false;
    for (size_t i = 0; is_memobj && i < sizeof(memobjs) / sizeof(memobjs[0]) && !*is_found; i++) {
        ompd_rc_t rc = layout_fields_find(&view, space, memobjs[i], handle, false);

        if (rc_is_final(rc))
            return rc;
        *is_found = rc == ompd_rc_ok;
    }
    return ompd_rc_ok;
}

ompd_rc_t runtime_object_read(struct address_space *space, struct heap_searches *looks,
                              uint32_t kind, const union row *row, struct runtime_object *object)
{
    enum layout_kind found = layout_platform;
    uint64_t handle = layout_row_name(kind, row, &found);
    bool is_other = false;
    ompd_rc_t rc;

    object->is_there = false;
    object->is_gone = false;
    rc = layout_fields_find(&object->view, space, found, handle, false);
    object->is_there = rc == ompd_rc_ok;
    if (object->is_there || rc_is_final(rc))
        return rc;
    rc = find_other_object(space, found, handle, &is_other);
    object->is_gone =
        rc == ompd_rc_ok && !is_other && memory_is_freed(&space->target, looks, handle);
    return rc;
}

bool runtime_object_get(struct runtime_object *object, enum layout_field field, uint64_t *number)
{
    ompd_cl_value_t value;

    layout_fields_get(&object->view, field, &value);
    *number = value.value;
    return value.status == ompd_cl_status_value;
}

ompd_rc_t runtime_object_count_callbacks(struct runtime_object *object, uint64_t *count,
                                         bool *is_known)
{
    struct layout_fields *view = &object->view;
    const struct layout_list_location *list = &view->object->lists[layout_destructors];
    struct target *target = &view->space->target;
    struct container container;
    bool is_taken = false;
    ompd_rc_t rc;

    *is_known = false;
    if (list->shape == layout_no_list)
        return ompd_rc_ok;
    rc = container_begin(&container, target, list, view->handle);
    if (rc == ompd_rc_ok)
        rc = container_count(&container, target, count);
    /* All are taken out at once. */
    if (rc == ompd_rc_ok && *count == 0 && view->object->taken.width != 0)
        rc = layout_fields_test(view, &view->object->taken, &is_taken);
    *is_known = rc == ompd_rc_ok && !is_taken;
    return only_final(rc);
}
