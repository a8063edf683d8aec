/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What --help says. */
#include <host/command/option.h>

#include <string.h>

/* Write the lines of the options that belong to VERB, or with NULL to any. */
static void write_options(FILE *output, const struct command_verb *verb)
{
    struct command_text usage = {0};
    size_t width = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < command_option_count; i++) {
            const struct command_option *option = &command_options_known[i];

            if (verb != NULL && !command_option_is_for(option, verb))
                continue;
            command_text_clear(&usage);
            command_text_add(&usage, "--%s%s%s", option->name, option->argument != NULL ? " " : "",
                             option->argument != NULL ? option->argument : "");
            if (pass == 0)
                width = usage.length > width ? usage.length : width;
            else
                fprintf(output, "  %-*s  %s\n", (int)width, usage.bytes, option->help);
        }
    command_text_free(&usage);
}

/* Write the names that may be given to the filter of FIELD. */
static void write_names(FILE *output, const struct command_kind *kind, const char *name)
{
    const ompd_cl_field_t *field = command_kind_field(kind, name);

    if (field == NULL)
        return;
    fprintf(output, "\nNames for --%s:", name);
    for (uint32_t i = 0; i < field->name_count; i++)
        fprintf(output, "%s %s", i != 0 ? "," : "", field->names[i].name);
    fprintf(output, "\n");
}

/* Whether FIELD is among what VERB shows of each object. */
static bool is_shown(const struct command_verb *verb, const ompd_cl_field_t *field)
{
    for (const char *const *also = verb->also; also != NULL && *also != NULL; also++)
        if (strcmp(*also, field->name) == 0)
            return true;
    return verb->shows_one || field->in_table;
}

/* Write what VERB shows of each object of its kind. */
static void write_fields(FILE *output, const struct command_verb *verb)
{
    const struct command_kind *kind = command_kind_get(verb->kind);
    size_t width = 0;

    for (size_t i = 0; i < kind->field_count; i++)
        if (is_shown(verb, kind->fields[i]) && strlen(kind->fields[i]->title) > width)
            width = strlen(kind->fields[i]->title);
    fprintf(output, "\n%s:\n", verb->shows_one ? "Fields" : "Columns");
    for (size_t i = 0; i < kind->field_count; i++)
        if (is_shown(verb, kind->fields[i]))
            fprintf(output, "  %-*s  %s\n", (int)width, kind->fields[i]->title,
                    kind->fields[i]->help);
}

static void write_verb(FILE *output, const struct command_verb *verb)
{
    fprintf(output, "%s\nUsage: ompd-opencl [OPTION...] %s%s%s\n\nOptions:\n", verb->summary,
            verb->name, verb->operand != NULL ? " " : "",
            verb->operand != NULL ? verb->operand : "");
    write_options(output, verb);
    if (verb->kind == 0)
        return;
    if (verb->takes_filters) {
        write_names(output, command_kind_get(verb->kind), "kind");
        write_names(output, command_kind_get(verb->kind), "state");
    }
    write_fields(output, verb);
}

static void write_verbs(FILE *output)
{
    size_t width = 0;

    for (size_t i = 0; i < command_verb_count; i++)
        if (strlen(command_verbs[i].name) > width)
            width = strlen(command_verbs[i].name);
    for (size_t i = 0; i < command_verb_count; i++)
        fprintf(output, "  %-*s  %s\n", (int)width, command_verbs[i].name,
                command_verbs[i].summary);
}

void command_help_write(FILE *output, const struct command_verb *verb)
{
    if (verb != NULL) {
        write_verb(output, verb);
        return;
    }
    fprintf(output,
            "Show what OpenCL holds in a process or a core, without a debugger.\n"
            "Usage: ompd-opencl [--pid N | --core FILE] [OPTION...] VERB [OPERAND...]\n\n"
            "The objects of any program are found, by layouts of its OpenCL runtime.  More\n"
            "is known of one that was started with OPENCL_LAYERS naming\n"
            "libompd-opencl-recorder.so.\n\n"
            "Verbs, each explained by `ompd-opencl VERB --help`:\n");
    write_verbs(output);
    fprintf(output, "\nOptions:\n");
    write_options(output, NULL);
    fprintf(output, "\nExit codes:\n"
                    "  0  all is well\n"
                    "  1  there is something to look into\n"
                    "  2  what was asked makes no sense\n"
                    "  3  the target cannot be read, or has no OpenCL\n"
                    "  4  part of the answer is missing\n");
}
