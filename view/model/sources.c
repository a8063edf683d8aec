/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See model.h. */
#include <view/model/model.h>

#include <inttypes.h>

/* This many hexadecimal digits of a build-id distinguish it for people. */
#define SHOWN 8

bool view_sources_need(ompd_view_t *view, ompd_cl_kind_t kind)
{
    struct view_list owners;

    view_list_open(&owners, view,
                   view_kind_is_embree(kind) ? ompd_cl_kind_embree_device : ompd_cl_kind_context,
                   NULL);
    view_list_close(&owners);
    return view->failure == ompd_view_exit_ok;
}

bool view_sources_need_any(ompd_view_t *view)
{
    struct view_list devices;
    bool has_embree;

    view_list_open_optional(&devices, view, ompd_cl_kind_embree_device, NULL);
    has_embree = devices.is_open;
    view_list_close(&devices);
    return has_embree || view_sources_need(view, ompd_cl_kind_context);
}

/* Whether OVERVIEW made layouts search memory. */
static bool has_search(const struct view_row *overview)
{
    return !view_value_is_absent(view_row_value(overview, "unreadable_bytes"));
}

void view_sources_find(struct view_sources *sources, ompd_view_t *view,
                       const struct view_row *overview)
{
    bool is_incomplete = view->is_incomplete;
    struct view_list runtimes;

    *sources = (struct view_sources){.overview = overview};
    /* If the recorder knows everything shown, runtimes are not mentioned: finding their objects
     * would take a search of all memory. */
    if (view_sources_have_recorder(overview) && !has_search(overview))
        return;
    view_list_open_optional(&runtimes, view, ompd_cl_kind_runtime, NULL);
    view_rows_read(&sources->runtimes, &runtimes);
    /* Unreadable runtimes are not missing objects: the overview reports those. */
    view->is_incomplete = is_incomplete;
}

void view_sources_free(struct view_sources *sources)
{
    view_rows_free(&sources->runtimes);
}

bool view_sources_have_recorder(const struct view_row *overview)
{
    return !view_value_is_absent(view_row_value(overview, "recorder_major"));
}

static bool has_layout(const struct view_row *runtime)
{
    return view_value_is_known(view_row_value(runtime, "layout"));
}

/* Add "libpocl.so.2.10.0 (build-id 4a4365a4)". */
static void sources_describe(const struct view_row *runtime, struct text *text)
{
    const char *name = text_file_name(view_row_value(runtime, "module").text);
    const char *build_id = view_row_value(runtime, "build_id").text;

    text_escape(text, name[0] != '\0' ? name : VIEW_UNKNOWN);
    if (build_id[0] != '\0')
        text_add(text, " (build-id %.*s)", SHOWN, build_id);
}

static void add_recorder(const struct view_row *overview, struct text *text)
{
    struct view_value major = view_row_value(overview, "recorder_major");
    struct view_value minor = view_row_value(overview, "recorder_minor");

    text_put(text, "recorder ");
    if (view_value_is_known(major) && view_value_is_known(minor))
        text_add(text, "%" PRIu64 ".%" PRIu64, major.value, minor.value);
    else
        text_add(text, VIEW_UNKNOWN);
}

void view_sources_add(const struct view_sources *sources, struct text *text)
{
    bool is_first = true;

    text_put(text, "  sources: ");
    if (view_sources_have_recorder(sources->overview)) {
        add_recorder(sources->overview, text);
        is_first = false;
    }
    for (size_t i = 0; i < sources->runtimes.count; i++) {
        struct view_row runtime = view_rows_get(&sources->runtimes, i);

        if (!has_layout(&runtime))
            continue;
        text_add(text, "%slayout ", is_first ? "" : ", ");
        sources_describe(&runtime, text);
        is_first = false;
    }
    text_add(text, "%s\n", is_first ? "none" : "");
}

void view_sources_add_platforms(const struct view_sources *sources, struct text *text)
{
    for (size_t i = 0; i < sources->runtimes.count; i++) {
        struct view_row runtime = view_rows_get(&sources->runtimes, i);

        if (!has_layout(&runtime) || view_row_number(&runtime, "objects") == 0)
            continue;
        text_escape(text, view_row_value(&runtime, "layout").text);
        text_put(text, ", ");
    }
}

void view_sources_write_notes(const struct view_sources *sources, ompd_view_t *view,
                              const char *indent)
{
    struct text note = {0};

    if (view_sources_have_recorder(sources->overview))
        return;
    for (size_t i = 0; i < sources->runtimes.count; i++) {
        struct view_row runtime = view_rows_get(&sources->runtimes, i);

        /* A runtime without objects misses none. */
        if (has_layout(&runtime) || view_value_is_known(view_row_value(&runtime, "objects")))
            continue;
        text_clear(&note);
        text_put(&note, "No layout matches ");
        sources_describe(&runtime, &note);
        text_add(&note, ": its objects are missing here; run `ompd-opencl learn` where it "
                        "is installed.");
        view_note_write(view, indent, text_get(&note));
    }
    text_free(&note);
}
