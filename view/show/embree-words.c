/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>

/* Add ", 3 geometries", from FIELD of ROW, if it is known. */
static void embree_count_add(const struct view_row *row, const char *field, const char *singular,
                             const char *plural, struct text *text)
{
    struct view_value count = view_row_value(row, field);

    if (!view_value_is_known(count))
        return;
    text_add(text, ", %s", view_value_bound(count));
    count_add(text, count.value, singular, plural);
}

/* Add ", triangle", from FIELD of ROW, if it is known. */
static void embree_name_add(const struct view_row *row, const char *field, struct text *text)
{
    if (!view_value_is_known(view_row_value(row, field)))
        return;
    text_put(text, ", ");
    view_row_name(row, field, text);
}

/* Add BEFORE and the bytes of ROW: "at least 12 KiB". */
static void embree_bytes_add(const struct view_row *row, const char *before, struct text *text)
{
    struct view_value bytes = view_row_value(row, "bytes");

    if (!view_value_is_known(bytes))
        return;
    text_add(text, "%s%s", before, view_value_bound(bytes));
    size_describe(text, bytes.value);
}

void view_embree_header_add(ompd_view_t *view, const struct view_row *row, struct text *text)
{
    struct view_value monitor = view_row_value(row, "monitor");
    struct view_value pointer = view_row_value(row, "pointer");

    switch (row->kind->number) {
    case ompd_cl_kind_embree_device:
        embree_bytes_add(row, ", ", text);
        if (view_value_is_known(view_row_value(row, "bytes")))
            text_put(text, " in use");
        if (view_value_is_known(monitor) && monitor.value != 0) {
            text_put(text, ", memory monitor ");
            view_location_describe(view, monitor.value, false, text);
        }
        break;
    case ompd_cl_kind_embree_scene:
        embree_name_add(row, "build", text);
        embree_count_add(row, "geometries", "geometry", "geometries", text);
        embree_bytes_add(row, ", ", text);
        break;
    case ompd_cl_kind_embree_geometry:
        embree_name_add(row, "type", text);
        embree_count_add(row, "primitives", "primitive", NULL, text);
        break;
    default:
        embree_name_add(row, "ownership", text);
        embree_bytes_add(row, ", ", text);
        if (view_value_is_known(pointer)) {
            text_put(text, " at ");
            view_location_data(view, pointer.value, text);
        }
        break;
    }
}

bool view_embree_kept_add(const struct view_row *row, struct text *text)
{
    static const struct {
        const char *field;
        const char *one;
        const char *many;
    } keepers[] = {
        {"child_references", "reference of its scenes, geometries and buffers",
         "references of its scenes, geometries and buffers"},
        {"geometry_references", "reference of a geometry", "references of geometries"},
        {"scene_references", "reference of a scene", "references of scenes"},
    };

    for (size_t i = 0; i < sizeof(keepers) / sizeof(keepers[0]); i++) {
        struct view_value count = view_row_value(row, keepers[i].field);

        if (!view_value_is_known(count) || count.value == 0)
            continue;
        text_put(text, view_value_bound(count));
        count_add(text, count.value, keepers[i].one, keepers[i].many);
        return true;
    }
    return false;
}
