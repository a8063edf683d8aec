/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The services, verbs and options that the command offers to its views. */
#include <command/session/places.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <text/heap.h>

static bool service_write(void *user_ptr, ompd_view_style_t style, const char *text, size_t size)
{
    /* Colours that are readable on black and on white. */
    static const char *const colours[] = {
        [ompd_view_style_heading] = "1",
        [ompd_view_style_address] = "94",
        [ompd_view_style_function] = "35",
        [ompd_view_style_note] = "2",
    };
    struct command_session *session = user_ptr;
    bool is_blank = strspn(text, " ") >= size;

    if (session->captured != NULL) {
        text_append(session->captured, text, size);
        return true;
    }
    session->has_written = true;
    command_progress_erase(&session->progress);
    if (session->outer != NULL)
        command_progress_erase(&session->outer->progress);
    if (style == ompd_view_style_plain || is_blank)
        fwrite(text, 1, size, session->output);
    else
        fprintf(session->output, "\033[%sm%.*s\033[m", colours[style], (int)size, text);
    return ferror(session->output) == 0;
}

static ompd_view_exit_t service_begin(void *user_ptr, const ompd_view_verb_t *verb, bool is_json,
                                      ompd_view_use_t *use, const char **why)
{
    struct command_session *session = user_ptr;

    session->is_json = is_json;
    *why = command_options_check(&session->options);
    if (*why != NULL)
        return ompd_view_exit_usage;
    if ((verb->takes & ompd_view_takes_target) == 0)
        return ompd_view_exit_ok;
    command_learn_decide(&session->options);
    return command_session_open(session, use, why);
}

/* Both libraries describe a source line in the same way. */
_Static_assert(sizeof(ompd_host_line_t) == sizeof(ompd_view_line_place_t) &&
                   offsetof(ompd_host_line_t, line) == offsetof(ompd_view_line_place_t, line),
               "lines of source differ");

static bool service_code_place(void *user_ptr, ompd_addr_t address, bool is_caller,
                               ompd_view_place_t *place)
{
    const struct command_session *session = user_ptr;
    ompd_host_place_t found;

    if (ompd_host_place_get(session->target, address, is_caller, &found) != ompd_host_rc_ok)
        return false;
    *place = (ompd_view_place_t){
        .struct_size = sizeof(*place),
        .symbol = found.symbol,
        .symbol_offset = found.symbol_offset,
        .file = found.file,
        .line = found.line,
        .module = found.module,
        .has_module_offset = found.module != NULL,
        .module_offset = found.module_offset,
        .inlined_into = found.inlined_into,
        .inlined_count = found.inlined_count,
        .inlined_at = (const void *)found.inlined_at,
    };
    return true;
}

static const char *service_data_symbol(void *user_ptr, ompd_addr_t address)
{
    struct command_session *session = user_ptr;
    ompd_host_place_t place;

    if (ompd_host_place_get(session->target, address, false, &place) != ompd_host_rc_ok)
        return NULL;
    if (place.symbol == NULL || place.symbol_offset == 0)
        return place.symbol;
    text_clear(&session->answer);
    text_add(&session->answer, "%s+%" PRIu64, place.symbol, place.symbol_offset);
    return session->answer.bytes;
}

static int compare_lwps(const void *left, const void *right)
{
    const uint64_t *a = left;
    const uint64_t *b = right;

    return *a < *b ? -1 : *a > *b;
}

static bool is_among(uint64_t lwp, const uint64_t *lwps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (lwps[i] == lwp)
            return true;
    return false;
}

/* Add "4711, 4713-4717". */
static void add_runs(const uint64_t *lwps, size_t count, struct text *text)
{
    for (size_t i = 0; i < count; i++) {
        size_t first = i;

        while (i + 1 < count && lwps[i + 1] == lwps[i] + 1)
            i++;
        text_add(text, "%s%" PRIu64, first != 0 ? ", " : "", lwps[first]);
        if (i != first)
            text_add(text, "-%" PRIu64, lwps[i]);
    }
}

static const char *service_other_threads(void *user_ptr, const uint64_t *lwps, size_t count)
{
    struct command_session *session = user_ptr;
    ompd_host_thread_t thread;
    uint64_t *others = NULL;
    size_t other_count = 0;

    for (size_t i = 0; ompd_host_thread_get(session->target, i, &thread) == ompd_host_rc_ok; i++) {
        if (is_among(thread.lwp, lwps, count))
            continue;
        others = heap_grow(others, other_count, sizeof(others[0]));
        others[other_count++] = thread.lwp;
    }
    if (other_count == 0)
        return NULL;
    qsort(others, other_count, sizeof(others[0]), compare_lwps);
    text_clear(&session->answer);
    text_add(&session->answer, other_count == 1 ? "LWP " : "LWPs ");
    add_runs(others, other_count, &session->answer);
    heap_free(others);
    return session->answer.bytes;
}

static const char *service_explain(void *user_ptr, ompd_rc_t rc, const char *message)
{
    struct command_session *session = user_ptr;

    text_clear(&session->answer);
    if (session->space == NULL)
        return NULL;
    if (rc == ompd_rc_unavailable)
        command_missed_layout_note(session);
    command_missing_recorder_add(session, message, &session->answer);
    return session->answer.length != 0 ? session->answer.bytes : NULL;
}

static const char *service_describe_target(void *user_ptr)
{
    struct command_session *session = user_ptr;

    text_clear(&session->answer);
    command_target_lines_add(session, &session->answer);
    return text_get(&session->answer);
}

static void service_progress(void *user_ptr, const char *what, uint64_t done)
{
    struct command_session *session = user_ptr;

    if (what != NULL)
        command_session_progress_show(session, what, done, 0);
    else
        command_progress_end(&session->progress);
}

/* The number of columns: COLUMNS, as for ps and ls, or that of the terminal.  Other output is
 * not wrapped. */
static uint32_t service_width(void *user_ptr)
{
    const struct command_session *session = user_ptr;
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    char *end;

    if (columns != NULL && columns[0] >= '0' && columns[0] <= '9') {
        unsigned long count = strtoul(columns, &end, 10);

        if (*end == '\0' && count != 0 && count <= UINT32_MAX)
            return (uint32_t)count;
    }
    return ioctl(fileno(session->output), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Put the host library's message about TARGET, or about its last open, in *WHY. */
static ompd_view_exit_t explain_host(struct command_session *session,
                                     const ompd_host_target_t *target, const char **why)
{
    text_clear(&session->answer);
    text_put(&session->answer, ompd_host_message_get(target));
    *why = session->answer.bytes;
    return ompd_view_exit_unreadable;
}

static ompd_view_exit_t service_save(void *user_ptr, const char *path, uint64_t *size,
                                     const char **why)
{
    struct command_session *session = user_ptr;
    ompd_host_rc_t rc = ompd_host_snapshot_save(session->target, path, size);

    command_progress_end(&session->progress);
    if (rc == ompd_host_rc_ok)
        return ompd_view_exit_ok;
    return explain_host(session, session->target, why);
}

static ompd_view_exit_t service_file_begin(void *user_ptr, const char *path, const char **why)
{
    struct command_session *session = user_ptr;

    if (ompd_host_new_file_make(path, &session->file) == ompd_host_rc_ok)
        return ompd_view_exit_ok;
    session->file = NULL;
    return explain_host(session, NULL, why);
}

static ompd_view_exit_t service_file_write(void *user_ptr, const char *text, size_t size,
                                           const char **why)
{
    struct command_session *session = user_ptr;

    if (ompd_host_new_file_write(session->file, text, size) == ompd_host_rc_ok)
        return ompd_view_exit_ok;
    return explain_host(session, NULL, why);
}

static ompd_view_exit_t service_file_end(void *user_ptr, bool is_whole, const char **why)
{
    struct command_session *session = user_ptr;
    ompd_host_new_file_t *file = session->file;

    session->file = NULL;
    if (ompd_host_new_file_end(file, is_whole) == ompd_host_rc_ok)
        return ompd_view_exit_ok;
    return explain_host(session, NULL, why);
}

static ompd_view_exit_t service_draw(void *user_ptr, const char *graph, const char **picture,
                                     const char **why)
{
    struct command_session *session = user_ptr;

    free(session->picture);
    session->picture = NULL;
    if (ompd_host_graph_draw(graph, &session->picture) != ompd_host_rc_ok)
        return explain_host(session, NULL, why);
    *picture = session->picture;
    return ompd_view_exit_ok;
}

static ompd_view_exit_t service_snapshot_open(void *user_ptr, const char *path,
                                              ompd_view_use_t *use, const char **why)
{
    return command_session_snapshot_open(user_ptr, path, use, why);
}

static const char *service_bindings(void *user_ptr)
{
    (void)user_ptr;
    return getenv("OMPD_OPENCL_BINDINGS");
}

const ompd_view_front_end_t command_front_end = {
    .struct_size = sizeof(command_front_end),
    .option_prefix = "--",
    .usage = "ompd-opencl [OPTION...] ",
    .help_before = "ompd-opencl",
    .help_after = " --help",
    .introduction =
        "Show the OpenCL objects, waits and leaks of a process or core.\n"
        "Usage: ompd-opencl [--pid N | --core FILE] [OPTION...] VERB [OPERAND...]\n\n"
        "Objects of any program are found by the layout of its OpenCL runtime.  More is\n"
        "known if the program was started with OPENCL_LAYERS naming\n"
        "libompd-opencl-recorder.so.\n\n",
    .conclusion = "\nEnvironment:\n"
                  "  OMPD_OPENCL_DEBUG  log on stderr: off, refusals, decisions, lookups, reads\n"
                  "\n"
                  "Exit codes:\n"
                  "  0  success\n"
                  "  1  findings\n"
                  "  2  usage error\n"
                  "  3  the target cannot be read, or does not use OpenCL\n"
                  "  4  the answer is incomplete\n"
                  "  5  run: only objects alive when an interpreter exited\n",
    .memory_limit_setting = "--memory-limit",
    .holder = "ompd-opencl",
    .options = command_options_known,
    .option_count = COMMAND_OPTIONS,
    .write = service_write,
    .begin = service_begin,
    .take_option = command_option_take,
    .code_place = service_code_place,
    .data_symbol = service_data_symbol,
    .other_threads = service_other_threads,
    .explain = service_explain,
    .describe_target = service_describe_target,
    .progress = service_progress,
    .width = service_width,
    .save = service_save,
    .open_snapshot = service_snapshot_open,
    .file_begin = service_file_begin,
    .file_write = service_file_write,
    .file_end = service_file_end,
    .draw = service_draw,
    .bindings = service_bindings,
};
