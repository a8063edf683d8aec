/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <ctype.h>
#include <string.h>

/* The normal form of a byte of a name: users write "Made at", "made-at" and "made_at". */
static int list_options_fold(char byte)
{
    return byte == ' ' || byte == '_' ? '-' : tolower((unsigned char)byte);
}

static bool list_options_is_same(const char *name, const char *word, size_t length)
{
    size_t i = 0;

    while (i < length && name[i] != '\0' &&
           list_options_fold(name[i]) == list_options_fold(word[i]))
        i++;
    return i == length && name[i] == '\0';
}

/* Whether WORD, of LENGTH bytes, is FIELD's key or title, optionally with quotes or blanks
 * around it. */
static bool list_options_is_named(const ompd_cl_field_t *field, const char *word, size_t length)
{
    while (length != 0 && strchr("\"' ", word[0]) != NULL) {
        word++;
        length--;
    }
    while (length != 0 && strchr("\"' ", word[length - 1]) != NULL)
        length--;
    return list_options_is_same(field->name, word, length) ||
           list_options_is_same(field->title, word, length);
}

static const ompd_cl_field_t *find_field(const struct view_kind *kind, const char *word,
                                         size_t length)
{
    for (size_t i = 0; i < kind->field_count; i++)
        if (kind->fields[i]->type != ompd_cl_type_stack &&
            list_options_is_named(kind->fields[i], word, length))
            return kind->fields[i];
    return NULL;
}

/* Set the failure: OPTION's argument is not a field of KIND. */
static bool refuse_field(ompd_view_t *view, const struct view_kind *kind, const char *option,
                         const char *word, size_t length)
{
    struct text names = {0};

    for (size_t i = 0; i < kind->field_count; i++)
        if (kind->fields[i]->type != ompd_cl_type_stack)
            text_add(&names, "%s%s", i != 0 ? ", " : "", kind->fields[i]->name);
    view_fail(view, ompd_view_exit_usage, "%s%s: unknown field '%.*s'; choose from %s.",
              view_option_prefix(view), option, (int)length, word, text_get(&names));
    text_free(&names);
    return false;
}

/* Parse the comma-separated names of fields in OPTION, or NULL if it was not given. HAS_SIGNS: a
 * "-" before a name sorts the largest first. */
static bool list_options_fields_get(ompd_view_t *view, const struct view_kind *kind,
                                    const char *option, const char *words, bool has_signs,
                                    struct view_chosen_fields *chosen)
{
    chosen->count = 0;
    while (words != NULL) {
        size_t sign = has_signs && words[0] == '-';
        size_t length = strcspn(words + sign, ",");
        const ompd_cl_field_t *field = find_field(kind, words + sign, length);

        if (field == NULL || chosen->count == VIEW_FIELDS)
            return refuse_field(view, kind, option, words + sign, length);
        chosen->fields[chosen->count] = field;
        chosen->is_descending[chosen->count++] = sign != 0;
        words += sign + length;
        words = *words == ',' ? words + 1 : NULL;
    }
    return true;
}

bool view_list_options_get(ompd_view_t *view, const struct view_kind *kind,
                           struct view_list_options *arrangement)
{
    const struct view_options *options = &view->options;
    const char *prefix = view_option_prefix(view);

    if (!list_options_fields_get(view, kind, "columns", options->columns, false,
                                 &arrangement->columns) ||
        !list_options_fields_get(view, kind, "sort", options->sort, true, &arrangement->order) ||
        !list_options_fields_get(view, kind, "group", options->group, false, &arrangement->group))
        return false;
    if (options->is_json && options->columns != NULL)
        return view_fail(view, ompd_view_exit_usage,
                         "%scolumns applies to tables only; JSON has all fields.", prefix);
    if (arrangement->group.count > 1)
        return view_fail(view, ompd_view_exit_usage, "%sgroup takes one field.", prefix);
    if (options->group != NULL && (options->columns != NULL || options->sort != NULL))
        return view_fail(view, ompd_view_exit_usage,
                         "%sgroup cannot be combined with %scolumns or %ssort.", prefix, prefix,
                         prefix);
    return true;
}

static int list_options_numbers_compare(uint64_t left, uint64_t right)
{
    return left < right ? -1 : left > right;
}

static int compare_fields(const ompd_cl_field_t *field, const struct view_row *left,
                          const struct view_row *right, bool is_descending)
{
    struct view_value a = view_row_field(left, field);
    struct view_value b = view_row_field(right, field);
    int order;

    if (!view_value_is_known(a) || !view_value_is_known(b))
        return (int)view_value_is_known(b) - (int)view_value_is_known(a);
    order = field->type == ompd_cl_type_text ? strcmp(a.text, b.text)
                                             : list_options_numbers_compare(a.value, b.value);
    return is_descending ? -order : order;
}

int view_order_compare(const struct view_chosen_fields *order, const struct view_row *left,
                       const struct view_row *right)
{
    for (size_t i = 0; i < order->count; i++) {
        int compared = compare_fields(order->fields[i], left, right, order->is_descending[i]);

        if (compared != 0)
            return compared;
    }
    return 0;
}
