/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Help and completion. */
#include <view/command-line.h>
#include <view/show/table.h>

#include <string.h>

#define WIDTH 80 /* maximum width of help */

/* Add the lines of VERB's options, or of all options if VERB is NULL. */
static void add_options(const ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text)
{
    struct text usage = {0};
    struct view_option option;
    size_t width = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; view_option_get(view, verb, i, &option); i++) {
            text_clear(&usage);
            text_add(&usage, "%s%s%s%s", view_option_prefix(view), option.name,
                     view_option_needs_argument(&option) ? " " : "",
                     option.argument != NULL ? option.argument : "");
            if (pass == 0)
                width = usage.length > width ? usage.length : width;
            else
                text_add(text, "  %-*s  %s\n", (int)width, usage.bytes, option.help);
        }
    text_free(&usage);
}

/* Add a line for each value of FIELD, with its meaning. */
static void add_meanings(const ompd_cl_field_t *field, struct text *text)
{
    size_t width = 0;

    for (uint32_t i = 0; i < field->name_count; i++)
        if (strlen(ompd_cl_field_name_at(field, i)->name) > width)
            width = strlen(ompd_cl_field_name_at(field, i)->name);
    text_put(text, "\n");
    for (uint32_t i = 0; i < field->name_count; i++)
        text_add(text, "  %-*s  %s\n", (int)width, ompd_cl_field_name_at(field, i)->name,
                 ompd_cl_field_name_at(field, i)->text);
}

/* Add the names that filter NAME accepts. */
static void help_names_add(const ompd_view_t *view, const struct view_kind *kind, const char *name,
                           struct text *text)
{
    const ompd_cl_field_t *field = view_kind_field(kind, name);

    if (field == NULL)
        return;
    text_add(text, "\nNames for %s%s:", view_option_prefix(view), name);
    if (ompd_cl_field_name_at(field, 0)->text != NULL) {
        add_meanings(field, text);
        return;
    }
    for (uint32_t i = 0; i < field->name_count; i++)
        text_add(text, "%s %s", i != 0 ? "," : "", ompd_cl_field_name_at(field, i)->name);
    text_put(text, "\n");
}

/* Add the names of fields, for options that accept them. */
static void add_field_names(const ompd_view_t *view, const struct view_kind *kind,
                            struct text *text)
{
    const char *prefix = view_option_prefix(view);
    const char *between = " ";

    text_add(text, "\nNames for %scolumns, %ssort and %sgroup:", prefix, prefix, prefix);
    for (size_t i = 0; i < kind->field_count; i++)
        if (kind->fields[i]->type != ompd_cl_type_stack) {
            text_add(text, "%s%s", between, kind->fields[i]->name);
            between = ", ";
        }
    text_put(text, "\n");
}

/* Add the meanings of the short names of FIELD's flags. */
static void add_short_names(const ompd_cl_field_t *field, struct text *text)
{
    size_t prefix = view_flags_prefix(field);

    if (field->type != ompd_cl_type_flags || prefix == 0)
        return;
    text_add(text, "\nIn narrow tables %s is abbreviated to the initials of what follows %.*s:",
             field->title, (int)prefix, ompd_cl_field_name_at(field, 0)->name);
    for (uint32_t i = 0; i < field->name_count; i++) {
        text_put(text, i != 0 ? ", " : " ");
        view_flags_shorten(field, ompd_cl_field_name_at(field, i)->name, text);
        text_add(text, " %s", ompd_cl_field_name_at(field, i)->name + prefix);
    }
    text_put(text, "\n");
}

/* Add how a list shows its rows. */
static void add_table(ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text)
{
    const struct view_kind *kind = view_kind_get(verb->kind);
    const struct view_table_options options = {.also = verb->also, .indent = ""};
    struct view_renderer renderer;
    struct view_table *table;

    view_renderer_begin(&renderer, view);
    table = view_table_begin(&renderer, kind, &options);
    text_put(text,
             "\nValues that all rows share are printed above the table.  " VIEW_UNKNOWN
             " marks an unknown value, " VIEW_DOUBTFUL " a doubtful object, " VIEW_PRESUMED
             " a presumed value.  Where most values are presumed, the table says so above, "
             "and " VIEW_PROVED " marks a proved value.\n"
             "\nIn narrow tables an address with a name is shown by its name alone: <host+16>.\n");
    view_column_fit_describe(table, text);
    for (size_t i = 0; i < table->column_count; i++)
        add_short_names(table->columns[i].field, text);
    view_table_end(table);
    view_renderer_end(&renderer);
}

/* Whether VERB shows FIELD of each object. If NULL, any verb that shows all fields. */
static bool help_is_shown(const ompd_view_verb_t *verb, const ompd_cl_field_t *field)
{
    if (verb == NULL)
        return true;
    for (const char *const *also = verb->also; also != NULL && *also != NULL; also++)
        if (strcmp(*also, field->name) == 0)
            return true;
    return (verb->takes & ompd_view_takes_one) != 0 || field->in_table;
}

/* Add the fields that VERB shows of each object of KIND. */
static void add_fields(const ompd_view_verb_t *verb, ompd_cl_kind_t number, const char *title,
                       struct text *text)
{
    const struct view_kind *kind = view_kind_get(number);
    size_t width = 0;

    for (size_t i = 0; i < kind->field_count; i++)
        if (help_is_shown(verb, kind->fields[i]) && strlen(kind->fields[i]->title) > width)
            width = strlen(kind->fields[i]->title);
    text_add(text, "\n%s:\n", title);
    for (size_t i = 0; i < kind->field_count; i++)
        if (help_is_shown(verb, kind->fields[i]))
            text_add(text, "  %-*s  %s\n", (int)width, kind->fields[i]->title,
                     kind->fields[i]->help);
}

/* Add "ompd-opencl [OPTION...] memobj HANDLE". */
static void add_usage(const ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    const char *operand = verb->operand != NULL ? verb->operand : "";
    bool is_expression = front_end->takes_expressions && operand[0] != '\0' &&
                         (verb->takes & ompd_view_takes_files) == 0;

    if (front_end->usage != NULL)
        text_add(text, "Usage: %s%s", front_end->usage, verb->name);
    else
        text_add(text, "Usage: %s%s [OPTION...]", view_verb_prefix(view), verb->name);
    if (is_expression)
        operand = operand[0] == '[' ? "[EXPR]" : "EXPR";
    text_add(text, "%s%s\n", operand[0] != '\0' ? " " : "", operand);
    if (!front_end->takes_expressions && strstr(operand, "HANDLE") != NULL)
        text_put(text,
                 "\nHANDLE is a handle as the lists show it, or a row number: memobjs#3 is row 3 "
                 "of `memobjs`, #3 is row 3 of the list of such objects.\n");
    if (is_expression)
        text_add(text, "\nEXPR is any expression for the handle (a variable, an array element, "
                       "an address), or a row number: #3 or 3 is row 3 of the last list, "
                       "memobjs#3 of the last list that `memobjs` showed.\n");
}

/* Add the words that may follow VERB. */
static void add_sub_verbs(ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text)
{
    const char *word;
    bool is_of_embree;

    if (view_sub_verb_get(view, verb, 0) == NULL)
        return;
    text_add(text, "\nOther commands of %s%s:\n", view_verb_prefix(view), verb->name);
    for (size_t i = 0; (word = view_sub_verb_get(view, verb, i)) != NULL; i++) {
        const ompd_view_verb_t *other = view_sub_verb_find(view, verb, word, &is_of_embree);

        if (other == NULL)
            continue;
        text_add(text, "  %s %-10s  ", verb->name, word);
        if (is_of_embree)
            text_add(text, "As `%s%s`, for Embree alone.\n", view_verb_prefix(view), other->name);
        else
            text_add(text, "%s\n", other->summary);
    }
}

static void add_verb(ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text)
{
    const struct view_kind *kind;

    text_add(text, "%s\n", verb->summary);
    add_usage(view, verb, text);
    text_put(text, "\nOptions:\n");
    add_options(view, verb, text);
    add_sub_verbs(view, verb, text);
    if (verb->kind == 0)
        return;
    kind = view_kind_get(verb->kind);
    if (verb->takes & ompd_view_takes_filters) {
        help_names_add(view, kind, "kind", text);
        help_names_add(view, kind, "state", text);
        add_field_names(view, kind, text);
    }
    add_fields(verb, verb->kind, verb->takes & ompd_view_takes_one ? "Fields" : "Columns", text);
    if (verb->takes & ompd_view_takes_filters)
        add_table(view, verb, text);
    if (verb->kind == ompd_cl_kind_usage)
        add_fields(NULL, ompd_cl_kind_library_memory, "Library memory", text);
    if (verb->kind == ompd_cl_kind_usage && view->front_end.memory_limit_setting != NULL)
        text_add(text, "\n`%s` limits the memory of the library.\n",
                 view->front_end.memory_limit_setting);
    if (view->front_end.limit_setting != NULL && (verb->takes & ompd_view_takes_filters))
        text_add(text, "\n`%s` limits the rows that a list shows.\n",
                 view->front_end.limit_setting);
}

/* The verbs by purpose, in the order of help. They may include a front end's own verbs. */
static const struct section {
    const char *title;
    const char *verbs; /* separated by blanks */
} sections[] = {
    {"Find a bug", " run check waits leaks errors messages object triage "},
    {"List objects, threads and memory",
     " overview memory threads memobjs contexts queues commands events kernels "
     "programs samplers command-buffers semaphores svm svm-frees mappings destructors "
     "callbacks platforms devices "},
    {"Inspect one object", " memobj context queue command event kernel program sampler "
                           "command-buffer semaphore svm-free holders ledger "},
    {"Inspect Embree", " embree embree-devices embree-scenes embree-geometries embree-buffers "
                       "embree-device embree-scene embree-geometry embree-buffer "},
    {"See what happened before", " calls destroyed diff "},
    {"Files and setup", " report graph save gdb runtimes layouts learn "},
};

#define SECTIONS (sizeof(sections) / sizeof(sections[0]))

/* Whether NAME is the first word of WORDS. */
static bool is_next(const char *words, const char *name)
{
    size_t length = strlen(name);

    return strncmp(words, name, length) == 0 && words[length] == ' ';
}

static bool has_section(const char *name)
{
    for (size_t i = 0; i < SECTIONS; i++)
        for (const char *at = sections[i].verbs; at != NULL; at = strchr(at + 1, ' '))
            if (is_next(at + 1, name))
                return true;
    return false;
}

/* Add the line of VERB, preceded by *TITLE the first time. */
static void add_summary(const ompd_view_verb_t *verb, size_t width, const char **title,
                        struct text *text)
{
    if (*title != NULL)
        text_add(text, "%s:\n", *title);
    *title = NULL;
    text_add(text, "  %-*s  %s\n", (int)width, verb->name, verb->summary);
}

static void add_section(ompd_view_t *view, const struct section *section, size_t width,
                        struct text *text)
{
    const char *title = section->title;
    const ompd_view_verb_t *verb;

    for (const char *at = section->verbs; at != NULL; at = strchr(at + 1, ' '))
        for (size_t i = 0; (verb = ompd_view_verb_get(view, i)) != NULL; i++)
            if (is_next(at + 1, verb->name))
                add_summary(verb, width, &title, text);
}

static void add_verbs(ompd_view_t *view, struct text *text)
{
    const char *title = "Other verbs";
    const ompd_view_verb_t *verb;
    size_t width = 0;

    for (size_t i = 0; (verb = ompd_view_verb_get(view, i)) != NULL; i++)
        width = strlen(verb->name) > width ? strlen(verb->name) : width;
    for (size_t i = 0; i < SECTIONS; i++)
        add_section(view, &sections[i], width, text);
    for (size_t i = 0; (verb = ompd_view_verb_get(view, i)) != NULL; i++)
        if (!has_section(verb->name))
            add_summary(verb, width, &title, text);
}

static void add_all(ompd_view_t *view, struct text *text)
{
    const ompd_view_front_end_t *front_end = &view->front_end;

    text_put(text, front_end->introduction != NULL ? front_end->introduction : "");
    text_add(text, "Verbs, each explained by `%s VERB%s`:\n",
             front_end->help_before != NULL ? front_end->help_before : "help",
             front_end->help_after != NULL ? front_end->help_after : "");
    add_verbs(view, text);
    text_put(text, "\nOptions:\n");
    add_options(view, NULL, text);
    text_put(text, front_end->conclusion != NULL ? front_end->conclusion : "");
}

void view_help_add(ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text)
{
    size_t width = view_width_get(view);
    struct text lines = {0};

    if (verb != NULL)
        add_verb(view, verb, &lines);
    else
        add_all(view, &lines);
    view_lines_wrap(text, lines.bytes, width < WIDTH ? width : WIDTH);
    text_free(&lines);
}

/* The option of VERB that WORD names, or abbreviates uniquely. */
static bool help_option_find(const ompd_view_t *view, const ompd_view_verb_t *verb,
                             const char *word, struct view_option *option)
{
    const char *name = word + (word[1] == '-' ? 2 : 1);
    struct view_option other;
    size_t found = 0;

    *option = (struct view_option){0};
    for (size_t i = 0; view_option_get(view, verb, i, &other); i++)
        if (strncmp(other.name, name, strlen(name)) == 0) {
            *option = other;
            found++;
        }
    return found == 1;
}

/* Whether PREFIX and CANDIDATE begin with WORD, and this is match number *INDEX. */
static bool is_chosen(struct text *text, const char *prefix, size_t prefix_length,
                      const char *candidate, const char *word, size_t *index)
{
    text_clear(text);
    text_append(text, prefix, prefix_length);
    text_put(text, candidate);
    return strncmp(text->bytes, word, strlen(word)) == 0 && (*index)-- == 0;
}

/* Complete a comma-separated list of the names in FIELD. */
static bool complete_names(const ompd_cl_field_t *field, const char *word, size_t index,
                           struct text *text)
{
    const char *comma = strrchr(word, ',');
    size_t before = comma != NULL ? (size_t)(comma + 1 - word) : 0;

    for (uint32_t i = 0; i < field->name_count; i++)
        if (is_chosen(text, word, before, ompd_cl_field_name_at(field, i)->name, word, &index))
            return true;
    return false;
}

/* Complete a comma-separated list of fields of KIND, each with or without a leading "-". */
static bool complete_fields(const struct view_kind *kind, const char *word, size_t index,
                            struct text *text)
{
    const char *comma = strrchr(word, ',');
    size_t before = comma != NULL ? (size_t)(comma + 1 - word) : 0;

    before += word[before] == '-';
    for (size_t i = 0; i < kind->field_count; i++)
        if (kind->fields[i]->type != ompd_cl_type_stack &&
            is_chosen(text, word, before, kind->fields[i]->name, word, &index))
            return true;
    return false;
}

/* Complete an option that WORDS does not contain yet. */
static bool complete_option(const ompd_view_t *view, const ompd_view_verb_t *verb,
                            const struct view_words *words, const char *word, size_t index,
                            struct text *text)
{
    const char *prefix = view_option_prefix(view);
    struct view_option option;

    for (size_t i = 0; view_option_get(view, verb, i, &option); i++) {
        bool is_given = false;

        for (size_t j = 0; j < words->count; j++)
            is_given |= view_word_is_option(words->all[j]) && words->all[j] != word &&
                        strcmp(words->all[j] + strspn(words->all[j], "-"), option.name) == 0;
        if (!is_given && is_chosen(text, prefix, strlen(prefix), option.name, word, &index))
            return true;
    }
    return false;
}

/* Complete the name of an OpenCL C type. */
static bool complete_type(const char *word, size_t index, struct text *text)
{
    struct text name = {0};
    bool is_found = false;

    for (size_t i = 0; !is_found && contents_type_name_add(i, &name); i++) {
        is_found = is_chosen(text, "", 0, name.bytes, word, &index);
        text_clear(&name);
    }
    text_free(&name);
    return is_found;
}

/* Complete the word after a verb of two words. */
static bool complete_sub_verb(ompd_view_t *view, const ompd_view_verb_t *verb, const char *word,
                              size_t index, struct text *text)
{
    const char *name;

    for (size_t i = 0; (name = view_sub_verb_get(view, verb, i)) != NULL; i++)
        if (is_chosen(text, "", 0, name, word, &index))
            return true;
    return false;
}

static bool help_complete(ompd_view_t *view, const ompd_view_verb_t *verb,
                          const struct view_words *words, const char *word, size_t index,
                          bool *is_expression, struct text *text)
{
    size_t before = words->count - (word[0] != '\0' ? 1 : 0);
    struct view_option option;

    if (before != 0 && view_word_is_option(words->all[before - 1]) &&
        help_option_find(view, verb, words->all[before - 1], &option) &&
        view_option_needs_argument(&option)) {
        const ompd_cl_field_t *field = NULL;

        if (option.field != NULL)
            field = view_kind_field(view_kind_get(verb->kind), option.field);
        if (option.names_fields)
            return complete_fields(view_kind_get(verb->kind), word, index, text);
        if (option.custom == NULL && strcmp(option.argument, "TYPE") == 0)
            return complete_type(word, index, text);
        *is_expression = strcmp(option.argument, "EXPR") == 0;
        return field != NULL && complete_names(field, word, index, text);
    }
    if (word[0] != '-' && before == 0 && view_sub_verb_get(view, verb, 0) != NULL)
        return complete_sub_verb(view, verb, word, index, text);
    if (word[0] == '-' || verb->operand == NULL)
        return complete_option(view, verb, words, word, index, text);
    *is_expression = (verb->takes & ompd_view_takes_files) == 0;
    return false;
}

/* Replace *VERB by the one that it and the first word of *ARGUMENTS name, if that word is
 * complete. */
static void help_sub_verb_take(ompd_view_t *view, const ompd_view_verb_t **verb,
                               const char **arguments)
{
    const char *start = *arguments + strspn(*arguments, " \t");
    size_t length = strcspn(start, " \t");
    const ompd_view_verb_t *found;
    struct text word = {0};
    bool is_of_embree;

    if (length == 0 || start[length] == '\0')
        return;
    text_append(&word, start, length);
    found = view_sub_verb_find(view, *verb, word.bytes, &is_of_embree);
    text_free(&word);
    if (found == NULL)
        return;
    *verb = found;
    *arguments = start + length;
}

bool view_completion_add(ompd_view_t *view, const char *name, const char *arguments, size_t index,
                         bool *is_expression, struct text *text)
{
    const ompd_view_verb_t *verb = view_verb_find(view, name);
    size_t length;
    struct view_words words;
    bool is_found;

    if (verb == NULL)
        return false;
    help_sub_verb_take(view, &verb, &arguments);
    length = strlen(arguments);
    view_words_split(&words, arguments);
    is_found = help_complete(view, verb, &words,
                             words.count != 0 && strchr(" \t", arguments[length - 1]) == NULL
                                 ? words.all[words.count - 1]
                                 : "",
                             index, is_expression, text);
    view_words_free(&words);
    return is_found;
}
