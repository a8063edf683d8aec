/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>
#include <string.h>

/* Add "a command queue". */
static void add_article(const char *noun, struct text *text)
{
    text_add(text, "%s %s", strchr("eoO", noun[0]) != NULL ? "an" : "a", noun);
}

static const char *finding_noun(struct view_value kind)
{
    return view_value_is_known(kind) ? view_kind_get((ompd_cl_kind_t)kind.value)->noun->singular
                                     : "OpenCL object";
}

/* Add " with 0x1f", ", whose second argument is 0x1f" or ", whose wait list has 0x1f". */
static void add_given(const struct view_row *finding, struct text *text)
{
    static const char *const ordinals[] = {"first", "second", "third"};
    struct view_value argument = view_row_value(finding, "argument");

    if (!view_value_is_known(argument))
        text_put(text, " with ");
    else if (view_row_number(finding, "object_kind") == ompd_cl_kind_event)
        text_put(text, ", whose wait list has ");
    else if (argument.value < sizeof(ordinals) / sizeof(ordinals[0]))
        text_add(text, ", whose %s argument is ", ordinals[argument.value]);
    else
        text_add(text, ", whose argument %" PRIu64 " is ", argument.value + 1);
    text_put_hexadecimal(text, view_row_number(finding, "object"));
}

void view_finding_describe_handle(struct view_renderer *renderer, const struct view_row *finding,
                                  struct text *text)
{
    struct view_value kind = view_row_value(finding, "object_kind");
    struct view_value other = view_row_value(finding, "other_kind");
    bool is_gone = view_value_is_known(other) && other.value == kind.value;

    view_phrase_add(renderer, finding, "{thread} is in {call}", text);
    add_given(finding, text);
    text_put(text, ", which ");
    if (!view_value_is_known(other)) {
        text_put(text, "was never ");
        add_article(finding_noun(kind), text);
        return;
    }
    text_put(text, is_gone ? "was " : "is ");
    add_article(finding_noun(other), text);
    if (!is_gone) {
        text_put(text, ", not ");
        add_article(finding_noun(kind), text);
    }
    view_phrase_add(renderer, finding,
                    is_gone ? "{&; the last reference was released}" : "{&; made}", text);
}

void view_finding_add_times(const struct view_row *finding, struct text *text)
{
    struct view_value times = view_row_value(finding, "count");

    switch (view_row_number(finding, "rule")) {
    case ompd_cl_finding_argument_gone:
    case ompd_cl_finding_exiting:
    case ompd_cl_finding_runtime_released:
    case ompd_cl_finding_runtime_other:
    case ompd_cl_finding_runtime_callbacks:
        return;
    default:
        break;
    }
    if (view_value_is_known(view_row_value(finding, "caller")) && view_value_is_known(times) &&
        times.value > 1)
        text_add(text, " (%s%" PRIu64 " times)", view_value_bound(times), times.value);
}
