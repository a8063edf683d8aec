/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <text/size.h>

#define MOST_WORD 64 /* bytes in braces, with the NUL */

/* Add what a memory object is: "buffer". */
static bool add_memobj_kind(ompd_view_t *view, uint64_t handle, struct text *text)
{
    struct view_object memobj;

    if (!view_object_look(view, ompd_cl_kind_memobj, handle, &memobj) ||
        !view_value_is_known(view_row_value(&memobj.row, "kind")))
        return false;
    view_row_name(&memobj.row, "kind", text);
    return true;
}

/* Add "buffer 0x5555556027d0": the object of HANDLE, of a kind that is said or that a memory object
 * has. */
static void add_object(ompd_view_t *view, struct view_value kind, uint64_t handle,
                       struct text *text)
{
    bool is_told = view_value_is_known(kind) && kind.value != ompd_cl_kind_memobj;

    if (is_told)
        text_put(text, view_kind_get((ompd_cl_kind_t)kind.value)->noun->singular);
    else if (!add_memobj_kind(view, handle, text))
        text_put(text, view_value_is_known(kind) ? "memory object" : "object");
    text_add(text, " 0x%" PRIx64, handle);
}

static void add_named(ompd_view_t *view, const struct view_row *finding, const char *field,
                      struct text *text)
{
    const char *kind = strcmp(field, "object") == 0 ? "object_kind" : "other_kind";

    add_object(view, view_row_value(finding, kind), view_row_number(finding, field), text);
}

void view_finding_add_maker(ompd_view_t *view, const struct view_row *finding, const char *words,
                            const char *caller, const char *lwp, struct text *text)
{
    struct view_value place = view_row_value(finding, caller);
    struct view_value thread = view_row_value(finding, lwp);

    if (!view_value_is_known(place) || place.value == 0)
        return;
    text_add(text, "%s at ", words);
    view_site_describe_field(view, finding, caller, text);
    if (!view_value_is_known(thread))
        return;
    text_put(text, " by ");
    view_thread_describe(view, thread.value, false, text);
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* Add the callback's function, by its name where it has one. */
static void add_callback(struct view_renderer *renderer, const struct view_row *finding,
                         struct text *text)
{
    if (!view_value_is_known(view_row_value(finding, "function"))) {
        text_put(text, "a callback");
        return;
    }
    text_put(text, "callback ");
    view_cell_add(renderer, view_kind_field(finding->kind, "function"), finding, text);
}

/* Add FIELD as it stands in a sentence. */
static void add_field(ompd_view_t *view, const struct view_row *finding, const char *name,
                      struct text *text)
{
    uint64_t value = view_row_number(finding, name);

    switch (view_kind_field(finding->kind, name)->type) {
    case ompd_cl_type_handle:
        add_named(view, finding, name, text);
        break;
    case ompd_cl_type_lwp:
        view_thread_describe(view, value, false, text);
        break;
    case ompd_cl_type_name:
        view_row_name(finding, name, text);
        break;
    case ompd_cl_type_bytes:
        size_describe(text, value);
        break;
    case ompd_cl_type_address:
    case ompd_cl_type_function:
        text_put_hexadecimal(text, value);
        break;
    default:
        text_put_number(text, value);
        break;
    }
}

/* Add what WORD stands for, which was in braces. */
static void add_word(struct view_renderer *renderer, const struct view_row *finding,
                     const char *word, struct text *text)
{
    ompd_view_t *view = renderer->view;

    if (word[0] == '@')
        view_finding_add_maker(view, finding, word + 1, "caller", "lwp", text);
    else if (word[0] == '&')
        view_finding_add_maker(view, finding, word + 1, "other_caller", "other_lwp", text);
    else if (word[0] == '#')
        text_put_number(text, view_row_number(finding, word + 1));
    else if (strcmp(word, "callback") == 0)
        add_callback(renderer, finding, text);
    else if (strcmp(word, "memory") == 0)
        view_place_data(view, view_row_number(finding, "address"), text);
    else
        add_field(view, finding, word, text);
}

/* Copy to WORD, of SIZE bytes, what is in the braces that SENTENCE begins with.  Returns what is
 * behind them. */
static const char *take_word(const char *sentence, char *word, size_t size)
{
    size_t length = strcspn(sentence, "}");

    snprintf(word, size, "%.*s", (int)length - 1, sentence + 1);
    return sentence + length + 1;
}

/* Whether the first field that PART, in brackets, has is known. */
static bool has_part(const struct view_row *finding, const char *part)
{
    char word[MOST_WORD];

    take_word(part + strcspn(part, "{"), word, sizeof(word));
    return view_value_is_known(view_row_value(finding, word));
}

void view_finding_add(struct view_renderer *renderer, const struct view_row *finding,
                      const char *sentence, struct text *text)
{
    char word[MOST_WORD];

    while (*sentence != '\0') {
        size_t length = strcspn(sentence, "{[]");

        text_append(text, sentence, length);
        sentence += length;
        if (*sentence == '{') {
            sentence = take_word(sentence, word, sizeof(word));
            add_word(renderer, finding, word, text);
        } else if (*sentence == '[' && !has_part(finding, sentence)) {
            sentence += strcspn(sentence, "]");
        } else if (*sentence != '\0') {
            sentence++;
        }
    }
}

/* ---- Handles --------------------------------------------------------------------------------- */

/* Add "a command queue". */
static void add_article(const char *noun, struct text *text)
{
    text_add(text, "%s %s", strchr("eoO", noun[0]) != NULL ? "an" : "a", noun);
}

static const char *noun_of(struct view_value kind)
{
    return view_value_is_known(kind) ? view_kind_get((ompd_cl_kind_t)kind.value)->noun->singular
                                     : "object of OpenCL";
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

    view_finding_add(renderer, finding, "{thread} is in {call}", text);
    add_given(finding, text);
    text_put(text, ", which ");
    if (!view_value_is_known(other)) {
        text_put(text, "was never ");
        add_article(noun_of(kind), text);
        return;
    }
    text_put(text, is_gone ? "was " : "is ");
    add_article(noun_of(other), text);
    if (!is_gone) {
        text_put(text, ", not ");
        add_article(noun_of(kind), text);
    }
    view_finding_add(renderer, finding,
                     is_gone ? "{&; the last reference was given back}" : "{&; made}", text);
}

void view_finding_add_times(const struct view_row *finding, struct text *text)
{
    struct view_value times = view_row_value(finding, "count");

    switch (view_row_number(finding, "rule")) {
    case ompd_cl_rule_argument_gone:
    case ompd_cl_rule_exiting:
    case ompd_cl_rule_runtime_released:
    case ompd_cl_rule_runtime_other:
    case ompd_cl_rule_runtime_callbacks:
        return;
    default:
        break;
    }
    if (view_value_is_known(view_row_value(finding, "caller")) && view_value_is_known(times) &&
        times.value > 1)
        text_add(text, " (%s%" PRIu64 " times)", view_value_bound(times), times.value);
}
