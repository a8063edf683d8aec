/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_WORD 64 /* bytes in braces, including the NUL */

/* Add the type of the last destroyed memory object with HANDLE. */
static bool add_destroyed_kind(ompd_view_t *view, uint64_t handle, struct text *text)
{
    struct view_destroyed destroyed = {0};
    bool is_added = false;

    if (view_destroyed_find(view, handle, &destroyed)) {
        for (size_t i = 0; i < destroyed.count && !is_added; i++) {
            const struct view_row *row = &destroyed.objects[i].row;

            is_added = view_row_number(row, "handle") == handle &&
                       view_value_is_known(view_row_value(row, "memobj_kind"));
            if (is_added)
                view_row_name(row, "memobj_kind", text);
        }
    }
    view_destroyed_free(&destroyed);
    return is_added;
}

/* Add the type of a memory object: "buffer". */
static bool add_memobj_kind(ompd_view_t *view, uint64_t handle, struct text *text)
{
    struct view_object memobj;

    if (!view_object_lookup(view, ompd_cl_kind_memobj, handle, &memobj) ||
        !view_value_is_known(view_row_value(&memobj.row, "kind")))
        return view->failure == ompd_view_exit_ok && add_destroyed_kind(view, handle, text);
    view_row_name(&memobj.row, "kind", text);
    return true;
}

/* Add "buffer 0x5555556027d0": the object of HANDLE, whose kind is given or that of memory
 * objects. */
static void phrase_object_add(ompd_view_t *view, struct view_value kind, uint64_t handle,
                              struct text *text)
{
    bool is_told = view_value_is_known(kind) && kind.value != ompd_cl_kind_memobj;

    if (is_told)
        text_put(text, view_kind_get((ompd_cl_kind_t)kind.value)->noun->singular);
    else if (!add_memobj_kind(view, handle, text))
        text_put(text, view_value_is_known(kind) ? "memory object" : "object");
    text_add(text, " 0x%" PRIx64, handle);
}

static void phrase_handle_add(ompd_view_t *view, const struct view_row *row, const char *field,
                              struct text *text)
{
    uint64_t handle = view_row_number(row, field);

    if (strcmp(field, "object") == 0)
        phrase_object_add(view, view_row_value(row, "object_kind"), handle, text);
    else if (strcmp(field, "other") == 0)
        phrase_object_add(view, view_row_value(row, "other_kind"), handle, text);
    else
        text_put_hexadecimal(text, handle);
}

void view_phrase_add_maker(ompd_view_t *view, const struct view_row *row, const char *words,
                           const char *caller, const char *lwp, struct text *text)
{
    struct view_value place = view_row_value(row, caller);
    struct view_value thread = view_row_value(row, lwp);

    if (!view_value_is_known(place) || place.value == 0)
        return;
    text_add(text, "%s at ", words);
    view_site_describe_field(view, row, caller, text);
    if (!view_value_is_known(thread))
        return;
    text_put(text, " by ");
    view_thread_describe(view, thread.value, false, text);
}

/* Add the callback's function, by name if it has one. */
static void add_callback(struct view_renderer *renderer, const struct view_row *row,
                         struct text *text)
{
    if (!view_value_is_known(view_row_value(row, "function"))) {
        text_put(text, "a callback");
        return;
    }
    text_put(text, "callback ");
    view_cell_add(renderer, view_kind_field(row->kind, "function"), row, text);
}

/* Add FIELD as it appears in a phrase. */
static void phrase_field_add(ompd_view_t *view, const struct view_row *row, const char *name,
                             struct text *text)
{
    uint64_t value = view_row_number(row, name);

    switch (view_kind_field(row->kind, name)->type) {
    case ompd_cl_type_handle:
        phrase_handle_add(view, row, name, text);
        break;
    case ompd_cl_type_lwp:
        view_thread_describe(view, value, false, text);
        break;
    case ompd_cl_type_name:
        view_row_name(row, name, text);
        break;
    case ompd_cl_type_bytes:
        size_describe(text, value);
        break;
    case ompd_cl_type_address:
    case ompd_cl_type_function:
        text_put_hexadecimal(text, value);
        break;
    case ompd_cl_type_text:
        text_put(text, view_row_value(row, name).text);
        break;
    case ompd_cl_type_time:
        view_cell_value(view, view_kind_field(row->kind, name), view_row_value(row, name), text);
        break;
    default:
        text_add(text, "%" PRId64, (int64_t)value);
        break;
    }
}

/* Add the replacement of WORD, which was in braces. */
static void add_word(struct view_renderer *renderer, const struct view_row *row, const char *word,
                     struct text *text)
{
    ompd_view_t *view = renderer->view;

    if (word[0] == '@')
        view_phrase_add_maker(view, row, word + 1, "caller", "lwp", text);
    else if (word[0] == '&')
        view_phrase_add_maker(view, row, word + 1, "other_caller", "other_lwp", text);
    else if (word[0] == '#')
        text_put_number(text, view_row_number(row, word + 1));
    else if (strcmp(word, "callback") == 0)
        add_callback(renderer, row, text);
    else if (strcmp(word, "memory") == 0)
        view_location_data(view, view_row_number(row, "address"), text);
    else
        phrase_field_add(view, row, word, text);
}

/* Copy the contents of the braces that begin PHRASE to WORD, of SIZE bytes. Returns the rest
 * after them. */
static const char *phrase_word_take(const char *phrase, char *word, size_t size)
{
    size_t length = strcspn(phrase, "}");

    snprintf(word, size, "%.*s", (int)length - 1, phrase + 1);
    return phrase + length + 1;
}

/* Whether the first field of PART, in brackets, is known. */
static bool phrase_has_part(const struct view_row *row, const char *part)
{
    char word[MOST_WORD];

    phrase_word_take(part + strcspn(part, "{"), word, sizeof(word));
    return view_value_is_known(
        view_row_value(row, strcmp(word, "callback") == 0 ? "function" : word));
}

void view_phrase_add(struct view_renderer *renderer, const struct view_row *row, const char *phrase,
                     struct text *text)
{
    char word[MOST_WORD];

    while (*phrase != '\0') {
        size_t length = strcspn(phrase, "{[]");

        text_append(text, phrase, length);
        phrase += length;
        if (*phrase == '{') {
            phrase = phrase_word_take(phrase, word, sizeof(word));
            add_word(renderer, row, word, text);
        } else if (*phrase == '[' && !phrase_has_part(row, phrase)) {
            phrase += strcspn(phrase, "]");
        } else if (*phrase != '\0') {
            phrase++;
        }
    }
}
