/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See command-line.h: a view's options. */
#include <view/command-line.h>

#include <string.h>
#include <view/verbs/verbs.h>

enum {
    json,
    context,
    device,
    kind,
    min_size,
    state,
    columns,
    sort,
    group,
    limit,
    contents,
    as,
    rows,
    image,
    help,
    version,
    count
};

#define ALL view_option_of_all
#define LIST view_option_of_list
#define CONTENTS view_option_of_contents

/* In the order of help. */
static const struct view_option options[] = {
    [json] = {"json", NULL, "print JSON, one object per row, never truncated", NULL, ALL, NULL,
              false},
    [context] = {"context", "HANDLE", "only objects of this OpenCL context", "context", LIST, NULL,
                 false},
    [device] = {"device", "HANDLE", "only objects of this Embree device", "device", LIST, NULL,
                false},
    [kind] = {"kind", "NAME[,NAME...]", "only these kinds", "kind", LIST, NULL, false},
    [min_size] = {"min-size", "SIZE", "only objects of at least N[K|M|G] bytes", "size", LIST, NULL,
                  false},
    [state] = {"state", "NAME[,NAME...]", "only objects in these states", "state", LIST, NULL,
               false},
    [columns] = {"columns", "NAME[,NAME...]", "choose columns, by JSON key or title", NULL, LIST,
                 NULL, true},
    [sort] = {"sort", "NAME[,NAME...]", "sort by these fields; -NAME sorts in reverse", NULL, LIST,
              NULL, true},
    [group] = {"group", "NAME", "group by a field, e.g. made-at", NULL, LIST, NULL, true},
    [limit] = {"limit", "N", "show at most N rows", NULL, LIST, NULL, false},
    [contents] = {"contents", NULL, "show its contents, where the host can read them", NULL,
                  CONTENTS, NULL, false},
    [as] = {"as", "TYPE", "show contents as an OpenCL C type, e.g. float4", NULL, CONTENTS, NULL,
            false},
    [rows] = {"rows", "N", "show at most N rows of contents (default 16)", NULL, CONTENTS, NULL,
              false},
    [image] = {"image", "FILE", "write an image to a new PNG file", NULL, CONTENTS, NULL, false},
    [help] = {"help", NULL, "show help for the command, or for VERB", NULL, ALL, NULL, false},
    [version] = {"version", NULL, "print the version", NULL, ALL, NULL, false},
};

/* Whether VERB shows one memory object. */
static bool has_contents(const ompd_view_verb_t *verb)
{
    return verb->kind == ompd_cl_kind_memobj && verb->run == view_object_run;
}

/* Whether rows of kind OF have the field that OPTION tests. */
static bool option_has_field(const struct view_kind *of, size_t option)
{
    const char *field = options[option].field;

    if (view_kind_is_embree(of->number)) {
        if (option == context || option == device)
            return true;
        if (option == min_size)
            field = "bytes";
    }
    return option != device && view_kind_field(of, field) != NULL;
}

/* Whether VERB takes the view's OPTION. */
static bool is_taken(const ompd_view_t *view, const ompd_view_verb_t *verb, size_t option)
{
    if (option == help)
        return view->front_end.help_after != NULL;
    if (option == version)
        return view->front_end.version != NULL;
    if (options[option].use == ALL || verb == NULL)
        return true;
    if (options[option].use == CONTENTS)
        return has_contents(verb);
    if ((verb->takes & ompd_view_takes_filters) == 0)
        return false;
    return options[option].field == NULL || option_has_field(view_kind_get(verb->kind), option);
}

/* Whether the view has an option called NAME. */
static bool option_is_named(const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(options[i].name, name) == 0)
            return true;
    return false;
}

/* Whether VERB takes the front end's OPTION. Before the verb, an option of the view takes
 * precedence. */
static bool is_own_taken(const ompd_view_verb_t *verb, const ompd_view_option_t *option)
{
    uint32_t groups;

    if (verb == NULL)
        return !option_is_named(option->name);
    groups = verb->own_options;
    if (verb->takes & (ompd_view_takes_target | ompd_view_takes_snapshots))
        groups |= OMPD_VIEW_GROUP_TARGET;
    return (option->groups & groups & ~OMPD_VIEW_OPTION_REPEATS) != 0;
}

bool view_option_get(const ompd_view_t *view, const ompd_view_verb_t *verb, size_t index,
                     struct view_option *option)
{
    const ompd_view_front_end_t *front_end = &view->front_end;

    for (size_t i = 0; i < front_end->option_count; i++) {
        const ompd_view_option_t *custom = &front_end->options[i];

        if (is_own_taken(verb, custom) && index-- == 0) {
            *option = (struct view_option){.name = custom->name,
                                           .argument = custom->argument,
                                           .help = custom->help,
                                           .custom = custom};
            return true;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (is_taken(view, verb, i) && index-- == 0) {
            *option = options[i];
            if ((i == context || i == device) && front_end->takes_expressions)
                option->argument = "EXPR";
            if (i == context && verb != NULL && view_kind_is_embree(verb->kind))
                option->help = options[device].help;
            return true;
        }
    return false;
}

bool view_option_needs_argument(const struct view_option *option)
{
    return option->argument != NULL && option->argument[0] != '[';
}
