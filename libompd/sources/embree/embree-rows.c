/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of Embree's objects. */
#include "sources/embree/embree.h"

#include "kinds/kinds.h"

/* RTCGeometryType by Embree's Geometry::GType, which versions 3 and 4 number in the same way. */
#define TYPE_COUNT 32
#define NO_TYPE UINT8_MAX
static const uint8_t geometry_types[TYPE_COUNT] = {
    17,      16,  NO_TYPE, 15,      /* linear curves: flat, round, oriented, cone */
    25,      24,  26,      NO_TYPE, /* Bezier: flat, round, oriented */
    33,      32,  34,      NO_TYPE, /* B-spline */
    41,      40,  42,      NO_TYPE, /* Hermite */
    59,      58,  60,      NO_TYPE, /* Catmull-Rom */
    0,       1,   2,       8,       /* triangles, quads, grids, subdivision */
    122,     50,  51,      52,      /* instance array; points: spheres, discs, oriented discs */
    NO_TYPE, 120, 121,     121,     /* user, instance */
};

/* A row under way. */
struct view {
    struct address_space *space;
    const struct embree_item *item;
    ompd_rc_t rc; /* ompd_rc_incomplete, or what ends the call, after a field was not available */
};

static void view_set(ompd_cl_value_t *value, uint64_t number)
{
    layout_value_set(value, number, ompd_cl_status_value);
}

/* Set *VALUE to none, because reading it returned RC. */
static void view_set_failure(struct view *view, ompd_cl_value_t *value, ompd_rc_t rc)
{
    layout_value_set_absent(value, view->space->target.failure);
    if (!rc_is_final(view->rc))
        view->rc = rc;
}

/* Set *VALUE to the word at ADDRESS. */
static void view_get_word(struct view *view, uint64_t address, ompd_cl_value_t *value)
{
    struct target *target = &view->space->target;
    const uint8_t *bytes;
    ompd_rc_t rc = target_view(target, address, target->pointer_size, 0, &bytes);

    if (rc == ompd_rc_ok)
        view_set(value, target_integer(target, bytes, target->pointer_size));
    else
        view_set_failure(view, value, rc);
}

/* Set *VALUE to NUMBER, a sum over objects of which some may be missing. */
static void view_set_count(const struct view *view, ompd_cl_value_t *value, uint64_t number)
{
    const struct shortfall *missing = &view->space->layout->embree->missing;
    bool is_whole = !shortfall_is_any(missing) && shortfall_bytes(missing) == 0 &&
                    (view->item->marks & embree_unread) == 0;

    layout_value_set(value, number, is_whole ? ompd_cl_status_value : ompd_cl_status_at_least);
}

/* Set *VALUE to MEMBER of the object. */
static void view_get(struct view *view, enum layout_member member, ompd_cl_value_t *value)
{
    uint64_t number = 0;
    ompd_rc_t rc = embree_member_read(view->space, view->item, member, &number);

    if (rc == ompd_rc_ok)
        view_set(value, number);
    else if (rc == ompd_rc_unavailable)
        layout_value_set_absent(value, ompd_cl_status_unknown);
    else
        view_set_failure(view, value, rc);
}

/* The same, for a pointer or function that 0 means there is none of. */
static void view_get_pointer(struct view *view, enum layout_member member, ompd_cl_value_t *value)
{
    view_get(view, member, value);
    if (value->status == ompd_cl_status_value && value->value == 0)
        layout_value_set_absent(value, ompd_cl_status_not_applicable);
}

/* Whether objects that were found may hold ITEM, and were not counted. Those in memory that was not
 * searched make the rest a presumption. */
static bool item_may_be_held(const struct embree_source *source, const struct embree_item *item)
{
    uint32_t holders = item->kind == layout_class_geometry ? UINT32_C(1) << layout_class_scene
                                                           : UINT32_C(1) << layout_class_geometry;

    return source->missing.lost != 0 ||
           (item->kind != layout_class_device && (source->unread_links & holders) != 0);
}

/* Set the fields that all kinds have: the object's references, those that Embree holds in *HELD,
 * and the program's in *REFERENCES. */
static void view_set_references(struct view *view, ompd_cl_object_head_t *head,
                                ompd_cl_value_t *held, ompd_cl_value_t *references,
                                ompd_cl_value_t *state)
{
    const struct embree_item *item = view->item;
    bool may_be_held = item_may_be_held(view->space->layout->embree, item);
    uint32_t own = item->references > item->held ? item->references - item->held : 0;

    view_set(&head->runtime_references, item->references);
    view_set_count(view, held, item->held);
    if (may_be_held)
        held->status = ompd_cl_status_at_least;
    /* More holders than references: one of them is being made or destroyed. */
    if (item->held > item->references || (own != 0 && may_be_held)) {
        layout_value_set_absent(references, ompd_cl_status_unknown);
        layout_value_set_absent(state, ompd_cl_status_unknown);
        return;
    }
    layout_value_set(references, own, ompd_cl_status_presumed);
    layout_value_set(state,
                     own != 0 ? ompd_cl_object_state_live : ompd_cl_object_state_app_released,
                     ompd_cl_status_presumed);
}

static void view_set_head(struct view *view, uint32_t kind, ompd_cl_object_head_t *head)
{
    bool is_certain =
        (view->item->marks & embree_orphan) == 0 && view->item->held <= view->item->references;

    head->id = identifier_of_handle(kind, view->item->handle, view->space->salt);
    view_set(&head->handle, view->item->handle);
    view_set(&head->source, ompd_cl_source_layout);
    view_set(&head->confidence,
             is_certain ? ompd_cl_confidence_certain : ompd_cl_confidence_presumed);
    layout_value_set_absent(&head->doubt, ompd_cl_status_not_applicable);
}

/* Set *VALUE to the handle of the object's device. */
static void view_set_device(struct view *view, ompd_cl_value_t *value)
{
    const struct embree_source *source = view->space->layout->embree;

    if (view->item->device != EMBREE_NONE)
        view_set(value, source->items[view->item->device].handle);
    else
        view_get(view, layout_member_device, value);
}

/* Set *VALUE to the state of the build of the object, a scene or a device with its scenes. */
static void view_set_build(struct view *view, ompd_cl_value_t *value)
{
    const struct embree_item *item = view->item;

    if (item->building != 0) {
        view_set(value, ompd_cl_embree_build_building);
    } else if (item->build_failure != 0) {
        layout_value_set_absent(value, item->build_failure);
        if (item->build_failure != ompd_cl_status_unknown && !rc_is_final(view->rc))
            view->rc = ompd_rc_incomplete;
    } else if (item->modified != 0) {
        view_set(value, ompd_cl_embree_build_modified);
    } else {
        view_set(value, ompd_cl_embree_build_committed);
    }
}

/* ---- Devices --------------------------------------------------------------------------------- */

/* Threads with an error. */
#define ERROR_LIMIT 4096

/* Set *VALUE to the first unread error of a thread: the device has an array of pointers to the
 * codes of its threads. */
static void device_set_error(struct view *view, ompd_cl_value_t *value)
{
    struct target *target = &view->space->target;
    ompd_cl_value_t begin;
    ompd_cl_value_t end;

    view_get(view, layout_member_errors_begin, &begin);
    view_get(view, layout_member_errors_end, &end);
    if (begin.status != ompd_cl_status_value || end.status != ompd_cl_status_value ||
        end.value < begin.value || end.value - begin.value > ERROR_LIMIT * 8 ||
        (end.value - begin.value) % 8 != 0) {
        layout_value_set_absent(value, ompd_cl_status_unknown);
        return;
    }
    view_set(value, 0);
    for (uint64_t at = begin.value; at < end.value && value->value == 0; at += 8) {
        const uint8_t *bytes;
        ompd_cl_value_t pointer;
        ompd_rc_t rc;

        view_get_word(view, at, &pointer);
        if (pointer.status != ompd_cl_status_value) {
            *value = pointer;
            return;
        }
        rc = target_view(target, pointer.value, 4, 0, &bytes);
        if (rc != ompd_rc_ok) {
            view_set_failure(view, value, rc);
            return;
        }
        view_set(value, target_integer(target, bytes, 4));
    }
}

/* Set the memory of the device. */
static void device_set_bytes(const struct view *view, ompd_cl_embree_device_info_t *info)
{
    const struct embree_source *source = view->space->layout->embree;
    uint16_t status =
        embree_bytes_are_exact(source, view->item) ? ompd_cl_status_value : ompd_cl_status_at_least;

    layout_value_set(&info->bytes, embree_bytes_least(source, view->item), status);
    layout_value_set(&info->shared_bytes, view->item->shared, status);
}

static void device_fill(struct view *view, ompd_cl_embree_device_info_t *info)
{
    const struct embree_source *source = view->space->layout->embree;
    const struct embree_item *item = view->item;
    const struct embree_module *module = &source->modules[embree_item_table(source, item)->module];

    device_set_bytes(view, info);
    view_get_pointer(view, layout_member_monitor_function, &info->monitor);
    view_get(view, layout_member_monitor_data, &info->monitor_data);
    if (info->monitor.status == ompd_cl_status_not_applicable)
        layout_value_set_absent(&info->monitor_data, ompd_cl_status_not_applicable);
    view_get_pointer(view, layout_member_error_function, &info->error_function);
    view_get(view, layout_member_error_data, &info->error_data);
    if (info->error_function.status == ompd_cl_status_not_applicable)
        layout_value_set_absent(&info->error_data, ompd_cl_status_not_applicable);
    device_set_error(view, &info->pending_error);
    view_set_references(view, &info->head, &info->child_references, &info->references,
                        &info->state);
    view_set_count(view, &info->scenes, item->scenes);
    view_set_count(view, &info->geometries, item->geometries);
    view_set_count(view, &info->buffers, item->buffers);
    if (item->scenes != 0)
        view_set_build(view, &info->build);
    address_space_set_path(view->space, module->start, module->name, module->name_length,
                           &info->module);
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* Set the thread that builds the scene: the owner of the lock of its build. */
static void scene_set_builder(struct view *view, ompd_cl_value_t *value)
{
    struct target *target = &view->space->target;
    const uint8_t *bytes;
    uint64_t mutex = 0;

    if (view->item->building == 0)
        return;
    layout_value_set_absent(value, ompd_cl_status_unknown);
    if (embree_member_read(view->space, view->item, layout_member_build_mutex, &mutex) ==
            ompd_rc_ok &&
        target_view(target, mutex + 8, 4, 0, &bytes) == ompd_rc_ok &&
        target_integer(target, bytes, 4) != 0)
        view_set(value, target_integer(target, bytes, 4));
}

static void scene_fill(struct view *view, ompd_cl_embree_scene_info_t *info)
{
    const struct embree_item *item = view->item;
    const struct embree_source *source = view->space->layout->embree;
    bool is_whole = embree_scene_is_whole(source, item);

    view_set_device(view, &info->device);
    view_set_build(view, &info->build);
    scene_set_builder(view, &info->builder_lwp);
    view_set_count(view, &info->geometries, item->uses);
    /* A thread may be in another scene. */
    layout_value_set(&info->bytes, is_whole ? item->bytes : embree_bytes_least(source, item),
                     is_whole ? ompd_cl_status_presumed : ompd_cl_status_at_least);
    view_get(view, layout_member_flags, &info->flags);
    view_get(view, layout_member_quality, &info->quality);
    view_get_pointer(view, layout_member_progress_function, &info->progress_function);
    view_get(view, layout_member_progress_data, &info->progress_data);
    if (info->progress_function.status == ompd_cl_status_not_applicable)
        layout_value_set_absent(&info->progress_data, ompd_cl_status_not_applicable);
    view_set_references(view, &info->head, &info->geometry_references, &info->references,
                        &info->state);
}

/* ---- Geometries ------------------------------------------------------------------------------ */

static void geometry_set_type(struct view *view, ompd_cl_value_t *value)
{
    view_get(view, layout_member_type, value);
    if (value->status != ompd_cl_status_value)
        return;
    if (value->value < TYPE_COUNT && geometry_types[value->value] != NO_TYPE)
        view_set(value, geometry_types[value->value]);
    else
        layout_value_set_absent(value, ompd_cl_status_corrupt);
}

/* Set what the view that ends with LINK shows of the vertices. */
static void geometry_set_vertices(struct view *view, const struct embree_link *link,
                                  ompd_cl_embree_geometry_info_t *info)
{
    const struct embree_table *table = embree_item_table(view->space->layout->embree, view->item);
    const struct layout_view *layout = NULL;

    for (uint32_t i = 0; i < table->body_count; i++) {
        if (table->bodies[i]->view.pointer != 0)
            layout = &table->bodies[i]->view;
    }
    layout_value_set_absent(&info->vertices, ompd_cl_status_unknown);
    layout_value_set_absent(&info->vertex_pointer, ompd_cl_status_unknown);
    layout_value_set_absent(&info->vertex_stride, ompd_cl_status_unknown);
    if (layout == NULL)
        return;
    view_get_word(view, link->address - layout->pointer, &info->vertex_pointer);
    view_get_word(view, link->address - layout->stride, &info->vertex_stride);
    view_get_word(view, link->address - layout->count, &info->vertices);
}

/* Set *VALUE, which is not applicable yet, to the buffer at LINK, which reading returned RC. */
static void geometry_set_buffer(struct view *view, const struct embree_link *link, ompd_rc_t rc,
                                ompd_cl_value_t *value)
{
    const struct embree_item *item = embree_item_find(view->space->layout->embree, link->handle);

    if (rc != ompd_rc_ok)
        view_set_failure(view, value, rc);
    else if (item != NULL && item->kind == layout_class_buffer)
        view_set(value, link->handle);
    else
        layout_value_set(value, link->handle, ompd_cl_status_presumed);
}

/* Set the first buffer of vertices and the first of indices. */
static void geometry_set_buffers(struct view *view, ompd_cl_embree_geometry_info_t *info)
{
    struct embree_walk walk = {.owner = view->item};
    struct embree_link link;
    ompd_rc_t rc;

    view_set_count(view, &info->buffers, view->item->uses);
    while ((rc = embree_walk_next(view->space, &walk, &link)) != ompd_rc_unavailable) {
        if (rc_is_final(rc)) {
            view->rc = rc;
            return;
        }
        if (link.handle == 0 && rc == ompd_rc_ok)
            continue;
        if (link.role == layout_slot_vertex &&
            info->vertex_buffer.status == ompd_cl_status_not_applicable) {
            geometry_set_buffer(view, &link, rc, &info->vertex_buffer);
            if (rc == ompd_rc_ok)
                geometry_set_vertices(view, &link, info);
        }
        if (link.role == layout_slot_index &&
            info->index_buffer.status == ompd_cl_status_not_applicable)
            geometry_set_buffer(view, &link, rc, &info->index_buffer);
    }
}

/* Set the scene that an instance shows. */
static void geometry_set_instance(struct view *view, ompd_cl_value_t *value)
{
    uint64_t scene = 0;
    ompd_rc_t rc = embree_instance_scene(view->space, view->item, &scene);

    if (rc == ompd_rc_ok && scene != 0)
        view_set(value, scene);
    if (rc != ompd_rc_ok && rc != ompd_rc_unavailable)
        view_set_failure(view, value, rc);
}

static void geometry_fill(struct view *view, ompd_cl_embree_geometry_info_t *info)
{
    view_set_device(view, &info->device);
    geometry_set_type(view, &info->type);
    view_get(view, layout_member_primitives, &info->primitives);
    view_get(view, layout_member_time_steps, &info->time_steps);
    geometry_set_buffers(view, info);
    view_get_pointer(view, layout_member_user_data, &info->user_data);
    if (view->item->scene != 0) {
        view_set(&info->scene, view->item->scene);
        view_set(&info->number, view->item->number);
    }
    geometry_set_instance(view, &info->instance_of);
    view_get(view, layout_member_enabled, &info->is_enabled);
    view_get(view, layout_member_state, &info->is_committed);
    if (info->is_committed.status == ompd_cl_status_value && info->is_committed.value > 1)
        layout_value_set_absent(&info->is_committed, ompd_cl_status_corrupt);
    view_set_references(view, &info->head, &info->scene_references, &info->references,
                        &info->state);
}

/* ---- Buffers --------------------------------------------------------------------------------- */

static void buffer_fill(struct view *view, ompd_cl_embree_buffer_info_t *info)
{
    view_set_device(view, &info->device);
    view_get_pointer(view, layout_member_pointer, &info->pointer);
    view_get(view, layout_member_bytes, &info->bytes);
    if (info->bytes.status == ompd_cl_status_value && info->bytes.value > EMBREE_BYTES_LIMIT)
        layout_value_set_absent(&info->bytes, ompd_cl_status_corrupt);
    view_get(view, layout_member_shared, &info->ownership);
    if (info->ownership.status == ompd_cl_status_value)
        view_set(&info->ownership, info->ownership.value != 0 ? ompd_cl_embree_ownership_shared
                                                              : ompd_cl_embree_ownership_owned);
    view_set_count(view, &info->geometries, view->item->uses);
    view_set_references(view, &info->head, &info->geometry_references, &info->references,
                        &info->state);
}

/* ---- All kinds ------------------------------------------------------------------------------- */

/* The kind of the objects that provide rows of KIND; LAYOUT_CLASS_COUNT for none. */
static enum layout_class_kind row_class(uint32_t kind)
{
    switch (kind) {
    case ompd_cl_kind_embree_device:
        return layout_class_device;
    case ompd_cl_kind_embree_scene:
        return layout_class_scene;
    case ompd_cl_kind_embree_geometry:
        return layout_class_geometry;
    case ompd_cl_kind_embree_buffer:
        return layout_class_buffer;
    default:
        return LAYOUT_CLASS_COUNT;
    }
}

bool embree_has_kind(uint32_t kind)
{
    return row_class(kind) != LAYOUT_CLASS_COUNT;
}

bool embree_item_is_of(const struct embree_item *item, uint32_t kind)
{
    return item->kind == (uint8_t)row_class(kind);
}

ompd_rc_t embree_row_fill(struct address_space *space, const struct embree_item *item,
                          uint32_t kind, void *info)
{
    struct view view = {space, item, ompd_rc_ok};

    blank_fill(kind, info, ompd_cl_source_layout, ompd_cl_status_not_applicable);
    view_set_head(&view, kind, info);
    switch (kind) {
    case ompd_cl_kind_embree_device:
        device_fill(&view, info);
        break;
    case ompd_cl_kind_embree_scene:
        scene_fill(&view, info);
        break;
    case ompd_cl_kind_embree_geometry:
        geometry_fill(&view, info);
        break;
    default:
        buffer_fill(&view, info);
        break;
    }
    return view.rc;
}
