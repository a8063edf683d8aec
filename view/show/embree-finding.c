/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>

const char *view_finding_embree_noun(ompd_view_t *view, const struct view_row *finding)
{
    struct view_object device;

    if (view_row_number(finding, "object_kind") == ompd_cl_kind_embree_scene)
        return "progress monitor";
    if (!view_object_lookup(view, ompd_cl_kind_embree_device, view_row_number(finding, "object"),
                            &device))
        return "callback";
    return view_row_number(&device.row, "monitor") == view_row_number(finding, "function")
               ? "memory monitor"
               : "error function";
}

/* Add "memory monitor watch at app.c:9". */
static void embree_function_add(struct view_renderer *renderer, const struct view_row *finding,
                                const char *noun, struct text *text)
{
    text_add(text, "%s ", noun);
    view_location_describe(renderer->view, view_row_number(finding, "function"), false, text);
}

void view_finding_describe_embree_data(struct view_renderer *renderer,
                                       const struct view_row *finding, const char *words,
                                       struct text *text)
{
    embree_function_add(renderer, finding, view_finding_embree_noun(renderer->view, finding), text);
    view_phrase_add(renderer, finding, " of {object} will be called with a user pointer to memory ",
                    text);
    text_put(text, words);
    view_phrase_add(renderer, finding, ", {address}[ on the stack of {thread}]", text);
}

void view_finding_describe_embree_error(struct view_renderer *renderer,
                                        const struct view_row *finding, const char *words,
                                        struct text *text)
{
    const ompd_cl_field_t *errors =
        view_kind_field(view_kind_get(ompd_cl_kind_embree_device), "pending_error");

    (void)words;
    text_put(text, "error ");
    view_field_text_add(errors, view_row_number(finding, "error"), text);
    view_phrase_add(renderer, finding,
                    " of {object} is set and was not read with rtcGetDeviceError", text);
}

void view_finding_describe_embree_monitor(struct view_renderer *renderer,
                                          const struct view_row *finding, const char *words,
                                          struct text *text)
{
    (void)words;
    view_phrase_add(renderer, finding, "{thread} is in ", text);
    embree_function_add(renderer, finding, "memory monitor", text);
    view_phrase_add(renderer, finding,
                    "[ of {object}], which Embree may have called with a lock held: if only other "
                    "threads are resumed, or a function of Embree is called from the debugger, "
                    "they may wait for it without end",
                    text);
}
