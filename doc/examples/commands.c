/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * All OpenCL commands in one file: the code that a debugger needs for them.  It opens a core or a
 * process and runs the given command, as `ompd-opencl` does.
 *
 *     cc commands.c $(pkg-config --cflags --libs ompd-opencl-view ompd-opencl-host) -o commands
 *     ./commands core.4711 memobjs --kind buffer
 *     ./commands 4711 threads --json
 *     ./commands core.4711 largest
 */
#include <ompd-opencl-host.h>
#include <ompd-opencl-view.h>

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* This debugger. */
struct debugger {
    const char *named; /* the core or process, as the user named it */
    ompd_host_target_t *target;
    ompd_host_target_info_t info;
    ompd_address_space_handle_t *space;
    bool leaves_running; /* set by --no-stop */
    bool has_colours;
    char answer[256]; /* text for the view, which copies it */
};

/* Return the process id that NAME is; 0 if it is the name of a file. */
static pid_t process_of(const char *name)
{
    char *end;
    long pid = strtol(name, &end, 10);

    return isdigit((unsigned char)name[0]) && *end == '\0' && pid > 0 && pid <= INT_MAX ? (pid_t)pid
                                                                                        : 0;
}

/* Open what the user named.  Returns NULL, or the reason for the failure. */
static const char *open_target(struct debugger *debugger)
{
    ompd_host_options_t options = {.struct_size = sizeof(options),
                                   .leaves_running = debugger->leaves_running};
    pid_t pid = process_of(debugger->named);
    const char *message = "";
    ompd_host_rc_t rc;

    if (pid != 0)
        rc = ompd_host_process_open(pid, &options, &debugger->target);
    else
        rc = ompd_host_core_open(debugger->named, &options, &debugger->target);
    if (rc != ompd_host_rc_ok)
        return ompd_host_message_get(NULL);
    debugger->info.struct_size = sizeof(debugger->info);
    ompd_host_target_get(debugger->target, &debugger->info);
    if (ompd_host_address_space_create(debugger->target, 0, &debugger->space) == ompd_rc_ok)
        return NULL;
    ompd_cl_message_get(NULL, &message);
    return message;
}

static void close_target(struct debugger *debugger)
{
    if (debugger->space != NULL)
        ompd_rel_address_space_handle(debugger->space);
    ompd_host_target_close(debugger->target);
}

/* ---- Services -------------------------------------------------------------------------------- */

/* Write text in the colour of its style.  Returns false when nobody reads it any more. */
static bool write_text(void *user_ptr, ompd_view_style_t style, const char *text, size_t size)
{
    static const char *const colours[] = {[ompd_view_style_heading] = "1",
                                          [ompd_view_style_address] = "34",
                                          [ompd_view_style_function] = "33",
                                          [ompd_view_style_note] = "2"};

    (void)user_ptr;
    /* A newer view may have more styles. */
    if (style == ompd_view_style_plain || (size_t)style >= sizeof(colours) / sizeof(colours[0]))
        return fwrite(text, 1, size, stdout) == size;
    return printf("\033[%sm%.*s\033[m", colours[style], (int)size, text) > 0;
}

/* The command line is valid: open the target only now. */
static ompd_view_exit_t begin(void *user_ptr, const ompd_view_verb_t *verb, bool is_json,
                              ompd_view_use_t *use, const char **why)
{
    struct debugger *debugger = user_ptr;

    if ((verb->takes & ompd_view_takes_target) == 0)
        return ompd_view_exit_ok;
    *why = open_target(debugger);
    if (*why != NULL)
        return ompd_view_exit_unreadable;
    use->space = debugger->space;
    use->pid = debugger->info.pid;
    use->has_styles = debugger->has_colours && !is_json;
    return ompd_view_exit_ok;
}

static const char *take_option(void *user_ptr, const ompd_view_option_t *option, const char *word)
{
    struct debugger *debugger = user_ptr;

    (void)option; /* there is only one */
    (void)word;   /* it has no argument */
    debugger->leaves_running = true;
    return process_of(debugger->named) != 0 ? NULL : "--no-stop is for a process, not for a core.";
}

static bool code_place(void *user_ptr, ompd_addr_t address, bool is_caller,
                       ompd_view_place_t *place)
{
    const struct debugger *debugger = user_ptr;
    ompd_host_place_t found;
    if (ompd_host_place_get(debugger->target, address, is_caller, &found) != ompd_host_rc_ok)
        return false;
    place->symbol = found.symbol;
    place->symbol_offset = found.symbol_offset;
    place->file = found.file;
    place->line = found.line;
    place->module = found.module;
    place->has_module_offset = found.module != NULL;
    place->module_offset = found.module_offset;
    place->inlined_into = found.inlined_into;
    place->inlined_count = found.inlined_count;
    place->inlined_at = (const void *)found.inlined_at; /* the same struct to both libraries */
    return true;
}

static const char *data_symbol(void *user_ptr, ompd_addr_t address)
{
    struct debugger *debugger = user_ptr;
    ompd_host_place_t found;

    if (ompd_host_place_get(debugger->target, address, false, &found) != ompd_host_rc_ok)
        return NULL;
    if (found.symbol == NULL || found.symbol_offset == 0)
        return found.symbol;
    snprintf(debugger->answer, sizeof(debugger->answer), "%s+%" PRIu64, found.symbol,
             found.symbol_offset);
    return debugger->answer;
}

/* ---- A custom verb --------------------------------------------------------------------------- */

/* Find the largest memory object, and add up the sizes of those that are not part of another one.
 * Returns false when there is none, or when a call failed, which the view then reports. */
static bool find_largest(ompd_view_t *view, ompd_address_space_handle_t *space,
                         ompd_cl_memobj_info_t *largest, uint64_t *bytes)
{
    ompd_cl_memobj_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    largest->head.struct_size = 0;
    if (ompd_view_rc_check(view, ompd_cl_memobj_list_open(space, NULL, &list)) != ompd_rc_ok)
        return false;
    while (ompd_view_rc_check(view, ompd_cl_memobj_list_next(space, list, 1, &row, &count, NULL)) ==
               ompd_rc_ok &&
           count == 1) {
        if (largest->head.struct_size == 0 || row.size.value > largest->size.value)
            *largest = row;
        *bytes += row.parent.value == 0 ? row.size.value : 0;
    }
    ompd_cl_list_close(space, list);
    return largest->head.struct_size != 0;
}

static ompd_view_exit_t run_largest(ompd_view_t *view, const ompd_view_line_t *line)
{
    ompd_view_value_t all = {
        .struct_size = sizeof(all), .type = ompd_cl_type_bytes, .status = ompd_cl_status_value};
    const struct debugger *debugger = line->user_ptr;
    ompd_cl_memobj_info_t largest;

    if (!find_largest(view, debugger->space, &largest, &all.number)) {
        ompd_view_text_write(view, ompd_view_style_plain, "No memory object was found.\n");
    } else if (line->is_json) {
        ompd_view_json_begin(view, NULL, false);
        ompd_view_json_row_add(view, ompd_cl_kind_memobj, &largest);
        ompd_view_json_value_add(view, "all_bytes", &all);
        ompd_view_json_end(view);
    } else {
        ompd_view_table_begin(view, ompd_cl_kind_memobj);
        ompd_view_table_column_add(view, "of all", ompd_cl_type_bytes);
        ompd_view_table_row_add(view, &largest, &all, 1, NULL);
        ompd_view_table_end(view);
    }
    return ompd_view_exit_ok; /* the view replaces this if it knows of a failure */
}

static const ompd_view_verb_t own_verb = {
    .name = "largest",
    .summary = "Show the largest memory object and the total size.",
    .kind = ompd_cl_kind_memobj,
    .takes = ompd_view_takes_target,
    .run = run_largest,
};

/* ---- The command ----------------------------------------------------------------------------- */

static const ompd_view_option_t own_options[] = {
    {"no-stop", NULL, "do not stop the process; rows may be inconsistent", OMPD_VIEW_GROUP_TARGET},
};

int main(int argc, char **argv)
{
    struct debugger debugger = {.named = argc > 1 ? argv[1] : ""};
    const ompd_view_front_end_t front_end = {
        .struct_size = sizeof(front_end),
        .user_ptr = &debugger,
        .option_prefix = "--",
        .usage = "commands CORE|PID ",
        .help_before = "commands CORE|PID",
        .help_after = " --help",
        .introduction = "Show the OpenCL objects of a core or a process.\n\n",
        .holder = "commands",
        .verbs = &own_verb,
        .verb_count = 1,
        .options = own_options,
        .option_count = sizeof(own_options) / sizeof(own_options[0]),
        .write = write_text,
        .begin = begin,
        .take_option = take_option,
        .code_place = code_place,
        .data_symbol = data_symbol,
    };
    ompd_view_exit_t code;
    ompd_view_t *view;

    debugger.has_colours = isatty(STDOUT_FILENO) == 1;
    if (argc < 2 || ompd_view_create(&front_end, &view) != ompd_rc_ok) {
        fputs("usage: commands CORE|PID [OPTION...] VERB [OPERAND...]\n", stderr);
        return ompd_view_exit_usage;
    }
    code = ompd_view_words_run(view, (size_t)argc - 2, argv + 2);
    if (ompd_view_message_get(view)[0] != '\0')
        fprintf(stderr, "commands: %s\n", ompd_view_message_get(view));
    ompd_view_destroy(view);
    close_target(&debugger);
    return code;
}
