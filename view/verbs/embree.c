/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* embree: a summary of the Embree devices in a few lines each. */
#include <view/verbs/verbs.h>

#include <inttypes.h>
#include <stdlib.h>

#define EMBREE_KINDS (ompd_cl_kind_embree_buffer - ompd_cl_kind_embree_device + 1)

/* The objects of one device that the program has released, and its scenes that are being built. */
struct embree_children {
    uint64_t handle;                 /* of the device */
    uint64_t released[EMBREE_KINDS]; /* by kind, from devices on */
    uint64_t presumed;               /* of them, those that are only presumed */
    struct view_rows building;       /* scenes */
};

/* Of all devices, by ascending handle. */
struct embree_families {
    struct embree_children *all;
    size_t count;
};

static size_t embree_index(ompd_cl_kind_t kind)
{
    return kind - ompd_cl_kind_embree_device;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Whether the scene of ROW is being built. */
static bool embree_is_building(const struct view_row *row)
{
    return row->kind->number == ompd_cl_kind_embree_scene &&
           view_value_is_known(view_row_value(row, "build")) &&
           view_row_number(row, "build") == ompd_cl_embree_build_building;
}

static void embree_building_add(struct view_rows *rows, const struct view_row *row)
{
    size_t size = row->kind->size;

    rows->kind = row->kind;
    rows->bytes = heap_grow(rows->bytes, rows->count, size);
    memcpy(rows->bytes + rows->count++ * size, row->bytes, size);
}

static int embree_handles_compare(const void *left, const void *right)
{
    const struct embree_children *one = left;
    const struct embree_children *other = right;

    return one->handle < other->handle ? -1 : one->handle > other->handle;
}

/* The objects of the device with HANDLE; NULL: it is not known. */
static struct embree_children *embree_children_find(const struct embree_families *families,
                                                    uint64_t handle)
{
    const struct embree_children key = {.handle = handle};

    if (families->count == 0)
        return NULL;
    return bsearch(&key, families->all, families->count, sizeof(key), embree_handles_compare);
}

/* Count ROW, an object of one of FAMILIES. */
static void embree_child_add(const struct embree_families *families, const struct view_row *row)
{
    struct view_value state = view_row_value(row, "state");
    struct embree_children *children =
        embree_children_find(families, view_row_number(row, "device"));
    bool is_released = state.value == ompd_cl_object_state_app_released;

    if (children == NULL)
        return;
    children->released[embree_index(row->kind->number)] += is_released;
    children->presumed += is_released && view_value_is_presumed(state);
    if (embree_is_building(row))
        embree_building_add(&children->building, row);
}

/* Read the objects of all DEVICES, in one walk. */
static void embree_families_read(struct embree_families *families, ompd_view_t *view,
                                 const struct view_rows *devices)
{
    families->count = devices->count;
    families->all = heap_get((devices->count + 1) * sizeof(families->all[0]));
    for (size_t i = 0; i < devices->count; i++) {
        struct view_row row = view_rows_get(devices, i);

        families->all[i] = (struct embree_children){.handle = view_row_handle(&row)};
    }
    qsort(families->all, families->count, sizeof(families->all[0]), embree_handles_compare);
    for (ompd_cl_kind_t kind = ompd_cl_kind_embree_scene; kind <= ompd_cl_kind_embree_buffer;
         kind++) {
        struct view_list list;
        struct view_row row;

        view_list_open(&list, view, kind, NULL);
        while (view_list_next(&list, &row))
            embree_child_add(families, &row);
        view_list_close(&list);
    }
}

static void embree_families_free(struct embree_families *families)
{
    for (size_t i = 0; i < families->count; i++)
        view_rows_free(&families->all[i].building);
    heap_free(families->all);
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* Add "2 scenes, 3 geometries, 1 buffer", from the counts of ROW. */
static void embree_counts_add(const struct view_row *row, struct text *text)
{
    static const struct {
        const char *field;
        const char *one;
        const char *many;
    } counts[] = {{"scenes", "scene", "scenes"},
                  {"geometries", "geometry", "geometries"},
                  {"buffers", "buffer", "buffers"}};

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        struct view_value count = view_row_value(row, counts[i].field);

        text_put(text, i != 0 ? ", " : "");
        text_put(text, view_value_bound(count));
        if (view_value_is_known(count))
            count_add(text, count.value, counts[i].one, counts[i].many);
        else
            text_add(text, VIEW_UNKNOWN " %s", counts[i].many);
    }
}

/* Add " (user pointer 0x5555 <main_data>)"; nothing if POINTER is unknown. */
static void embree_pointer_add(ompd_view_t *view, struct view_value pointer, struct text *text)
{
    if (!view_value_is_known(pointer))
        return;
    text_put(text, " (user pointer ");
    if (pointer.value != 0)
        view_location_data(view, pointer.value, text);
    else
        text_put(text, "NULL");
    text_put(text, ")");
}

/* Add "26.8 MiB in use, as reported to memory monitor watch at app.c:9 (user pointer 0x5555)". */
static void embree_memory_add(ompd_view_t *view, const struct view_row *device, struct text *text)
{
    struct view_value bytes = view_row_value(device, "bytes");
    struct view_value monitor = view_row_value(device, "monitor");

    text_put(text, view_value_bound(bytes));
    if (view_value_is_known(bytes))
        size_describe(text, bytes.value);
    else
        text_put(text, VIEW_UNKNOWN " B");
    text_put(text, " in use");
    if (view_value_is_absent(monitor) || (view_value_is_known(monitor) && monitor.value == 0)) {
        text_put(text, "; it has no memory monitor");
    } else if (!view_value_is_known(monitor)) {
        text_put(text, "; its memory monitor is unknown");
    } else {
        text_put(text, ", as reported to memory monitor ");
        view_location_describe(view, monitor.value, false, text);
        embree_pointer_add(view, view_row_value(device, "monitor_data"), text);
    }
}

/* Add the line about shared buffers, if there are some. */
static void embree_shared_add(const struct view_row *device, struct text *text)
{
    struct view_value shared = view_row_value(device, "shared_bytes");

    if (!view_value_is_known(shared) || shared.value == 0)
        return;
    text_add(text, "  %s", view_value_bound(shared));
    size_describe(text, shared.value);
    text_put(text, " of the program's memory in shared buffers, which no memory monitor sees\n");
}

/* Add the line about references: "5 references: 2 of the program, 3 of its scenes, geometries and
 * buffers". */
static void embree_references_add(const struct view_row *device, struct text *text)
{
    struct view_value all = view_row_value(device, "runtime_references");
    struct view_value own = view_row_value(device, "references");
    struct view_value children = view_row_value(device, "child_references");

    if (!view_value_is_known(all))
        return;
    text_put(text, "  ");
    count_add(text, all.value, "reference", NULL);
    if (view_value_is_known(own)) {
        text_add(text, ": %" PRIu64 " of the program", own.value);
        view_presumed_mark(own, text);
    }
    if (view_value_is_known(children))
        text_add(text, "%s %s%" PRIu64 " of its scenes, geometries and buffers",
                 view_value_is_known(own) ? "," : ":", view_value_bound(children), children.value);
    text_put(text, "\n");
}

/* Add "2 geometries by scenes". */
static void embree_released_add(uint64_t count, const char *one, const char *many,
                                const char *keeper, struct text *text)
{
    if (count == 0)
        return;
    if (text->length != 0)
        text_put(text, ", ");
    count_add(text, count, one, many);
    text_add(text, " by %s", keeper);
}

/* Add what is released, and what keeps it alive. */
static void embree_kept_add(const struct view_row *device, const struct embree_children *children,
                            struct text *text)
{
    struct text kept = {0};

    if (view_row_number(device, "state") == ompd_cl_object_state_app_released)
        text_put(text,
                 "  released by the program; its scenes, geometries and buffers keep it alive\n");
    embree_released_add(children->released[embree_index(ompd_cl_kind_embree_scene)], "scene",
                        "scenes", "instances", &kept);
    embree_released_add(children->released[embree_index(ompd_cl_kind_embree_geometry)], "geometry",
                        "geometries", "scenes", &kept);
    embree_released_add(children->released[embree_index(ompd_cl_kind_embree_buffer)], "buffer",
                        "buffers", "geometries", &kept);
    if (kept.length != 0)
        text_add(text, "  held only by other Embree objects: %s%s\n", kept.bytes,
                 children->presumed != 0 ? " (presumed)" : "");
    text_free(&kept);
}

/* Add the scenes that are being built, and the error that the program has not read. */
static void embree_happening_add(ompd_view_t *view, const struct view_row *device,
                                 const struct embree_children *children, struct text *text)
{
    struct view_value error = view_row_value(device, "pending_error");

    for (size_t i = 0; i < children->building.count; i++) {
        struct view_row scene = view_rows_get(&children->building, i);
        struct view_value lwp = view_row_value(&scene, "builder_lwp");

        text_add(text, "  scene 0x%" PRIx64 " is being built", view_row_handle(&scene));
        if (view_value_is_known(lwp) && lwp.value != 0) {
            text_put(text, " by ");
            view_thread_describe(view, lwp.value, false, text);
        }
        text_put(text, ", so that more memory may be in use than its objects show\n");
    }
    if (view_value_is_known(error) && error.value != 0) {
        text_put(text, "  error ");
        view_field_text_add(view_kind_field(device->kind, "pending_error"), error.value, text);
        text_put(text, " is set and was not read with rtcGetDeviceError\n");
    }
}

static void embree_device_write(ompd_view_t *view, const struct view_row *device,
                                const struct embree_children *children)
{
    struct text text = {0};

    text_add(&text, "%s 0x%" PRIx64 ": ", device->kind->noun->singular, view_row_handle(device));
    embree_memory_add(view, device, &text);
    text_put(&text, "\n  ");
    embree_counts_add(device, &text);
    text_put(&text, "\n");
    embree_shared_add(device, &text);
    embree_references_add(device, &text);
    embree_kept_add(device, children, &text);
    embree_happening_add(view, device, children, &text);
    view_write(view, text.bytes);
    view_row_written(view);
    text_free(&text);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void embree_device_json_write(ompd_view_t *view, const struct view_row *device,
                                     const struct embree_children *children)
{
    struct text text = {0};
    struct json released;
    struct json building;
    struct json json;

    json_begin_line(&json, &text);
    view_json_fields(view, &json, device, NULL);
    json_key(&json, "released");
    json_begin(&released, &text);
    json_number(&released, "scenes",
                (int64_t)children->released[embree_index(ompd_cl_kind_embree_scene)]);
    json_number(&released, "geometries",
                (int64_t)children->released[embree_index(ompd_cl_kind_embree_geometry)]);
    json_number(&released, "buffers",
                (int64_t)children->released[embree_index(ompd_cl_kind_embree_buffer)]);
    json_end(&released);
    json_key(&json, "building");
    json_begin_array(&building, &text);
    for (size_t i = 0; i < children->building.count; i++) {
        struct view_row scene = view_rows_get(&children->building, i);

        json_hexadecimal(&building, NULL, view_row_handle(&scene));
    }
    json_end(&building);
    json_end(&json);
    view_json_print(view, &text);
    text_free(&text);
}

/* ---- Of the overview ------------------------------------------------------------------------- */

bool view_embree_summary_find(ompd_view_t *view, struct view_embree_summary *summary)
{
    bool is_incomplete = view->is_incomplete;
    struct view_list list;
    struct view_row row;

    *summary = (struct view_embree_summary){.devices = 0};
    view_list_open_optional(&list, view, ompd_cl_kind_embree_device, NULL);
    while (view_list_next(&list, &row)) {
        struct view_value bytes = view_row_value(&row, "bytes");

        summary->devices++;
        summary->bytes += view_value_is_known(bytes) ? bytes.value : 0;
        summary->is_at_least |=
            !view_value_is_known(bytes) || bytes.status == ompd_cl_status_at_least;
    }
    summary->is_at_least |= list.unreadable != 0 || list.is_short;
    view_list_close(&list);
    /* The overview is of OpenCL: `embree` reports what is missing here. */
    view->is_incomplete = is_incomplete;
    return summary->devices != 0;
}

bool view_embree_only_check(ompd_view_t *view, ompd_rc_t rc)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    struct view_embree_summary summary;

    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete || rc == ompd_rc_interrupted ||
        rc == ompd_rc_nomem)
        return view_check(view, rc);
    if (view_embree_summary_find(view, &summary)) {
        view->options.is_of_embree = true;
        return true;
    }
    /* Ask again for the reason, which the search for Embree has replaced. */
    return view_check(view, ompd_cl_overview_get(view->use.space, &info));
}

void view_embree_summary_add(const struct view_embree_summary *summary, struct text *text)
{
    count_add(text, summary->devices, "device", NULL);
    text_put(text, summary->is_at_least ? ", at least " : ", ");
    size_format(text, summary->bytes);
    text_put(text, " in use");
}

void view_embree_summary_json(const struct view_embree_summary *summary, struct json *json)
{
    json_number(json, "embree_devices", (int64_t)summary->devices);
    json_number(json, "embree_bytes", (int64_t)summary->bytes);
    if (summary->is_at_least)
        json_at_least(json, "embree_bytes");
}

/* ---- The verb -------------------------------------------------------------------------------- */

/* Copy the devices, because other lists are read before they are written. */
static void embree_devices_read(ompd_view_t *view, struct view_rows *devices,
                                struct view_list *list)
{
    view_list_open(list, view, ompd_cl_kind_embree_device, NULL);
    view_rows_read(devices, list);
}

static void embree_notes_write(ompd_view_t *view, const struct view_list *list,
                               const struct text *incompleteness)
{
    struct text note = {0};

    if (list->unreadable != 0) {
        view_list_describe_unreadable(list, &note);
        view_note_write(view, "", note.bytes);
    }
    view_incompleteness_write(view, "", incompleteness);
    text_free(&note);
}

ompd_view_exit_t view_embree_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct view_rows devices = {0};
    struct embree_families families = {.count = 0};
    struct view_list list;
    struct text incompleteness;

    (void)line;
    embree_devices_read(view, &devices, &list);
    incompleteness = view_incompleteness_get(view);
    if (view->failure == ompd_view_exit_ok)
        embree_families_read(&families, view, &devices);
    for (size_t i = 0; i < devices.count && view->failure == ompd_view_exit_ok; i++) {
        struct view_row device = view_rows_get(&devices, i);
        const struct embree_children *children =
            embree_children_find(&families, view_row_handle(&device));

        if (view->options.is_json)
            embree_device_json_write(view, &device, children);
        else
            embree_device_write(view, &device, children);
    }
    if (view->failure == ompd_view_exit_ok && view->options.is_json) {
        view_json_missing(&list);
    } else if (view->failure == ompd_view_exit_ok) {
        if (devices.count == 0 && list.unreadable == 0 && !list.is_short)
            view_print(view, "No Embree devices%s.\n",
                       list.has_incompleteness ? " were found" : "");
        embree_notes_write(view, &list, &incompleteness);
    }
    text_free(&incompleteness);
    embree_families_free(&families);
    view_rows_free(&devices);
    return view_result(view);
}
