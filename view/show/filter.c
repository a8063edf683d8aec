/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <string.h>

/* Set the failure: a filter's argument is not a name of FIELD. */
static bool refuse_name(ompd_view_t *view, const ompd_cl_field_t *field, const char *word,
                        size_t length)
{
    struct text names = {0};

    for (uint32_t i = 0; i < field->name_count; i++)
        text_add(&names, "%s%s", i != 0 ? ", " : "", ompd_cl_field_name_at(field, i)->name);
    view_fail(view, ompd_view_exit_usage, "%s%s: unknown name '%.*s'; choose from %s.",
              view_option_prefix(view), field->name, (int)length, word, text_get(&names));
    text_free(&names);
    return false;
}

/* The bits 1 << value of the name WORD, of LENGTH bytes, or of all names with that prefix. */
static uint64_t bits_of(const ompd_cl_field_t *field, const char *word, size_t length)
{
    uint64_t bits = 0;

    for (uint32_t i = 0; i < field->name_count; i++) {
        const char *name = ompd_cl_field_name_at(field, i)->name;

        if (length == 0 || strncmp(name, word, length) != 0)
            continue;
        if (name[length] == '\0')
            return (uint64_t)1 << ompd_cl_field_name_at(field, i)->value;
        bits |= (uint64_t)1 << ompd_cl_field_name_at(field, i)->value;
    }
    return bits;
}

/* The bits of a comma-separated list of names. NULL sets none. */
static bool parse_names(ompd_view_t *view, const struct view_kind *kind, const char *field_name,
                        const char *words, uint64_t *bits)
{
    const ompd_cl_field_t *field = view_kind_field(kind, field_name);

    if (words == NULL || field == NULL)
        return true;
    for (;;) {
        size_t length = strcspn(words, ",");
        uint64_t found = bits_of(field, words, length);

        if (found == 0)
            return refuse_name(view, field, words, length);
        *bits |= found;
        if (words[length] == '\0')
            return true;
        words += length + 1;
    }
}

/* The handle of the existing owner that WORD names: an OpenCL context, or the Embree device of
 * objects of KIND. */
static bool parse_context(ompd_view_t *view, const struct view_kind *kind, const char *word,
                          uint64_t *handle)
{
    const ompd_cl_kind_t owner =
        view_kind_is_embree(kind->number) ? ompd_cl_kind_embree_device : ompd_cl_kind_context;
    struct view_object object;

    if (word == NULL)
        return true;
    if (!view_operand_find(view, word, &owner, 1, &object))
        return false;
    *handle = view_row_number(&object.row, "handle");
    return true;
}

bool view_filter_get(ompd_view_t *view, const struct view_kind *kind, ompd_cl_filter_t *filter)
{
    const struct view_options *options = &view->options;

    *filter = (ompd_cl_filter_t){.struct_size = sizeof(*filter)};
    if (options->min_size != NULL && !size_parse(options->min_size, &filter->min_size))
        return view_fail(view, ompd_view_exit_usage,
                         "%smin-size: '%s' is not a size; use a number with an optional K, M or G.",
                         view_option_prefix(view), options->min_size);
    return parse_names(view, kind, "kind", options->kinds, &filter->kinds) &&
           parse_names(view, kind, "state", options->states, &filter->states) &&
           parse_context(view, kind, options->context, &filter->context);
}
