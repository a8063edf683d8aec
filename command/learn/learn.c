/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* learn: learn the layouts of the installed runtimes, or of those that are named. */
#include <command/learn/learn.h>

#include <command/session/session.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One runtime and its result. */
struct lesson {
    struct command_session *session;
    const struct command_runtime *runtime;
    const char *folder; /* for layouts; NULL with --output */
    struct command_probe probe;
    struct text path; /* of the written layout; "-": standard output */
    ompd_cl_layout_info_t info;
};

/* Record why learning failed, unless a reason is recorded already.  Returns false. */
static __attribute__((format(printf, 2, 3))) bool lesson_fail(struct lesson *lesson,
                                                              const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (lesson->probe.why.length == 0)
        text_add_list(&lesson->probe.why, format, arguments);
    va_end(arguments);
    return false;
}

/* Create FOLDER and its parents. */
static bool make_folder(const char *folder)
{
    struct text part = {0};
    struct stat status;

    for (const char *slash = strchr(folder + 1, '/');; slash = strchr(slash + 1, '/')) {
        size_t length = slash != NULL ? (size_t)(slash - folder) : strlen(folder);

        text_clear(&part);
        text_append(&part, folder, length);
        if (mkdir(part.bytes, 0777) != 0 && errno != EEXIST)
            break;
        if (slash == NULL)
            break;
    }
    text_free(&part);
    return stat(folder, &status) == 0;
}

/* Write the layout to FILE.  On failure the file stays as it was. */
static bool layout_file_write(struct lesson *lesson, const char *path)
{
    const struct text *layout = &lesson->probe.layout;
    struct text partial = {0};
    bool is_done = false;
    FILE *file;
    int number;

    text_add(&partial, "%s.XXXXXX", path);
    number = mkstemp(partial.bytes);
    file = number >= 0 ? fdopen(number, "w") : NULL;
    if (file != NULL) {
        is_done = fwrite(layout->bytes, 1, layout->length, file) == layout->length &&
                  fchmod(number, 0644) == 0;
        is_done = fclose(file) == 0 && is_done && rename(partial.bytes, path) == 0;
    }
    if (!is_done)
        lesson_fail(lesson, "cannot write %s: %s", path, strerror(errno));
    if (!is_done && number >= 0)
        unlink(partial.bytes);
    text_free(&partial);
    return is_done;
}

#define REMEDY "set XDG_DATA_HOME, or use --output to write the layout of one runtime elsewhere"

/* Put the folder for layouts in FOLDER and create it, or put in WHY why it cannot be used.  This
 * comes first because learning may take minutes. */
static bool choose_folder(struct text *folder, struct text *why)
{
    ompd_host_layouts_t *layouts;
    const char *path;

    if (ompd_host_layouts_open(&layouts) != ompd_host_rc_ok) {
        text_add(why, "out of memory");
        return false;
    }
    path = ompd_host_layouts_folder_get(layouts);
    if (path == NULL)
        text_add(why, "No folder for layouts: set HOME or XDG_DATA_HOME");
    else if (!make_folder(path))
        text_add(why, "Cannot create folder %s: %s; " REMEDY, path, strerror(errno));
    else if (access(path, W_OK | X_OK) != 0)
        text_add(why, "Cannot write to folder %s: %s; " REMEDY, path, strerror(errno));
    else
        text_add(folder, "%s", path);
    ompd_host_layouts_close(layouts);
    return folder->length != 0;
}

/* Put the path for the layout in `path`.  Embree libraries may have no build-id. */
static void choose_path(struct lesson *lesson)
{
    const ompd_cl_layout_info_t *info = &lesson->info;
    const char *name = info->build_id.text[0] != '\0' ? info->build_id.text : info->module.text;

    if (lesson->session->options.output != NULL)
        text_add(&lesson->path, "%s", lesson->session->options.output);
    else
        text_add(&lesson->path, "%s/%s.layout", lesson->folder, name);
}

/* Whether libompd-opencl accepts the layout. */
static bool lesson_layout_check(struct lesson *lesson)
{
    const struct text *layout = &lesson->probe.layout;

    lesson->info.struct_size = sizeof(lesson->info);
    if (ompd_cl_layout_get(text_get(layout), layout->length, &lesson->info) == ompd_rc_ok)
        return true;
    return lesson_fail(lesson, "the learned layout is invalid");
}

static bool lesson_learn(struct lesson *lesson)
{
    if (!command_probe_learn(&lesson->probe, lesson->runtime->library,
                             lesson->session->options.time_limit) ||
        !lesson_layout_check(lesson))
        return false;
    choose_path(lesson);
    if (strcmp(lesson->path.bytes, "-") != 0)
        return layout_file_write(lesson, lesson->path.bytes);
    fputs(text_get(&lesson->probe.layout), lesson->session->output);
    return true;
}

/* Print LENGTH bytes of SENTENCE on standard error, after the runtime's name. */
static void print_error(const struct lesson *lesson, const char *sentence, size_t length)
{
    struct text line = {0};

    text_add(&line, "%s: %.*s", lesson->runtime->name, (int)length, sentence);
    command_error_print(line.bytes);
    text_free(&line);
}

/* Print what was skipped. */
static void write_notes(const struct lesson *lesson)
{
    const char *note = text_get(&lesson->probe.notes);

    for (; *note != '\0'; note += strcspn(note, "\n") + 1)
        print_error(lesson, note, strcspn(note, "\n"));
}

/* Print the result of the lesson. */
static void lesson_write_text(const struct lesson *lesson, bool is_learned)
{
    struct text text = {0};

    write_notes(lesson);
    if (!is_learned) {
        text_add(&text, "cannot learn the layout: %s", text_get(&lesson->probe.why));
        print_error(lesson, text.bytes, text.length);
    } else {
        text_escape(&text, lesson->info.runtime.text);
        text_add(&text, ": ");
        text_escape(&text, lesson->path.bytes);
        text_add(&text, "\n");
        ompd_view_text_write(lesson->session->view, ompd_view_style_plain, text.bytes);
    }
    text_free(&text);
}

/* Add what was skipped, one text each. */
static void add_json_notes(ompd_view_t *view, const char *notes)
{
    struct text line = {0};

    ompd_view_json_begin(view, "left_out", true);
    for (; *notes != '\0'; notes += strcspn(notes, "\n") + 1) {
        text_clear(&line);
        text_append(&line, notes, strcspn(notes, "\n"));
        command_json_text(view, NULL, line.bytes);
    }
    ompd_view_json_end(view);
    text_free(&line);
}

static void lesson_write_json(const struct lesson *lesson, bool is_learned)
{
    ompd_view_t *view = lesson->session->view;

    ompd_view_json_begin(view, NULL, false);
    command_json_text(view, "installed", lesson->runtime->name);
    if (is_learned) {
        ompd_view_json_row_add(view, ompd_cl_kind_layout, &lesson->info);
        command_json_text(view, "path", lesson->path.bytes);
    } else {
        command_json_text(view, "error", text_get(&lesson->probe.why));
    }
    add_json_notes(view, text_get(&lesson->probe.notes));
    ompd_view_json_end(view);
}

static void lesson_report(const struct lesson *lesson, bool is_learned)
{
    bool is_on_output = strcmp(text_get(&lesson->path), "-") == 0;

    if (is_on_output)
        write_notes(lesson);
    else if (lesson->session->is_json)
        lesson_write_json(lesson, is_learned);
    else
        lesson_write_text(lesson, is_learned);
}

/* Learn all of RUNTIMES and write their layouts to FOLDER, which is NULL with --output.  Returns
 * false if one of them failed. */
static bool learn_each(struct command_session *session, const struct command_runtimes *runtimes,
                       const char *folder)
{
    bool are_learned = true;

    for (size_t i = 0; i < runtimes->count; i++) {
        struct lesson lesson = {.session = session, .runtime = &runtimes->all[i], .folder = folder};
        bool is_learned = lesson_learn(&lesson);

        lesson_report(&lesson, is_learned);
        ompd_view_text_flush(session->view);
        are_learned &= is_learned;
        command_probe_free(&lesson.probe);
        text_free(&lesson.path);
    }
    return are_learned;
}

/* Learn all of RUNTIMES, if their layouts can be written.  Returns false if one of them failed. */
static bool learn_all(struct command_session *session, const struct command_runtimes *runtimes)
{
    struct text folder = {0};
    struct text why = {0};
    bool are_learned = false;

    if (session->options.output != NULL)
        are_learned = learn_each(session, runtimes, NULL);
    else if (choose_folder(&folder, &why))
        are_learned = learn_each(session, runtimes, folder.bytes);
    else
        command_session_fail(session, ompd_view_exit_incomplete, "%s", why.bytes);
    text_free(&folder);
    text_free(&why);
    return are_learned;
}

bool command_learn_one(const struct command_runtime *runtime, uint64_t seconds)
{
    struct command_session session = {.options = {.time_limit = seconds}};
    struct lesson lesson = {.session = &session, .runtime = runtime};
    struct text folder = {0};
    struct text said = {0};
    bool is_learned = false;

    if (choose_folder(&folder, &lesson.probe.why)) {
        lesson.folder = folder.bytes;
        is_learned = lesson_learn(&lesson);
    }
    if (is_learned)
        text_add(&said, "learned the layout %s", lesson.path.bytes);
    else
        text_add(&said, "cannot learn the layout: %s", text_get(&lesson.probe.why));
    print_error(&lesson, said.bytes, said.length);
    command_probe_free(&lesson.probe);
    text_free(&lesson.path);
    text_free(&folder);
    text_free(&said);
    return is_learned;
}

ompd_view_exit_t command_learn_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_runtimes installed;
    struct command_runtimes named = {0};
    struct text why = {0};
    const struct command_runtimes *runtimes;
    struct command_session *session = line->user_ptr;
    ompd_view_exit_t code = ompd_view_exit_ok;

    (void)view; /* same as session->view */
    command_runtimes_find(&installed);
    for (size_t i = 0; i < line->operand_count && why.length == 0; i++)
        command_runtimes_choose(&installed, line->operands[i], &named, &why);
    runtimes = line->operand_count != 0 ? &named : &installed;
    if (why.length != 0)
        command_session_fail(session, ompd_view_exit_usage, "%s", why.bytes);
    else if (runtimes->count == 0)
        command_session_fail(session, ompd_view_exit_unreadable, "No OpenCL runtime is installed");
    else if (session->options.output != NULL && runtimes->count != 1)
        command_session_fail(session, ompd_view_exit_usage,
                             "--output takes the layout of one runtime; name the runtime");
    else if (!learn_all(session, runtimes))
        code = ompd_view_exit_incomplete;
    command_runtimes_free(&named);
    command_runtimes_free(&installed);
    text_free(&why);
    return code;
}
