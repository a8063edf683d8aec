/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <config.h>

#include <command/session/session.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>
#include <unistd.h>

/* Whether output appears on a terminal as it is written. */
static bool is_on_terminal(const struct command_session *session)
{
    return isatty(fileno(session->output)) == 1;
}

void command_session_progress_show(struct command_session *session, const char *what, uint64_t done,
                                   uint64_t whole)
{
    if (session->progress.terminal != NULL && !(session->is_json && is_on_terminal(session)))
        command_progress_show(&session->progress, what, done, whole);
}

void command_session_fail(const struct command_session *session, ompd_view_exit_t code,
                          const char *format, ...)
{
    struct text sentence = {0};
    va_list arguments;

    va_start(arguments, format);
    text_add_list(&sentence, format, arguments);
    va_end(arguments);
    ompd_view_command_fail(session->view, code, text_get(&sentence));
    text_free(&sentence);
}

bool command_session_has_failed(const struct command_session *session)
{
    return ompd_view_message_get(session->view)[0] != '\0';
}

/* Whether SENTENCE begins with a capitalised word that is not a name. */
static bool begins_with_word(const char *sentence)
{
    static const char *const names[] = {"Graphviz ", "Oclgrind ", "Linux "};
    size_t length = 1;

    if (!isupper((unsigned char)sentence[0]))
        return false;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(sentence, names[i], strlen(names[i])) == 0)
            return false;
    while (islower((unsigned char)sentence[length]))
        length++;
    return strchr(" ,:.", sentence[length]) != NULL;
}

void command_error_add(struct text *text, const char *sentence)
{
    size_t length = strlen(sentence);

    if (begins_with_word(sentence)) {
        text_add(text, "%c", tolower((unsigned char)sentence[0]));
        sentence++;
        length--;
    }
    if (length != 0 && sentence[length - 1] == '.' && strstr(sentence, ". ") == NULL)
        length--;
    text_append(text, sentence, length);
}

void command_error_write(const char *sentence)
{
    struct text text = {0};

    command_error_add(&text, sentence);
    fprintf(stderr, "ompd-opencl: %s\n", text_get(&text));
    text_free(&text);
}

void command_error_print(const char *sentence)
{
    struct text text = {0};

    text_escape(&text, sentence);
    command_error_write(text_get(&text));
    text_free(&text);
}

/* Progress of the host library.  A search ends with the call that started it. */
static bool host_progress_show(void *user_ptr, ompd_host_work_t work, uint64_t done, uint64_t whole)
{
    struct command_session *session = user_ptr;
    bool is_search = work == ompd_host_work_search;

    session->is_searching |= is_search;
    command_session_progress_show(session, is_search ? "Searching memory" : "Unpacking the core",
                                  done, whole);
    return true;
}

/* Returns NULL, or why the target cannot be opened. */
static const char *open_target(struct command_session *session)
{
    const struct command_options *given = &session->options;
    ompd_host_options_t options = {
        .struct_size = sizeof(options),
        .executable = given->executable,
        .sysroot = given->sysroot,
        .leaves_running = given->leaves_running,
        .asks_debuginfod = given->asks_debuginfod,
        .opens_no_files = given->opens_no_files,
        .log_level = given->log_level,
        .progress = host_progress_show,
        .progress_user_ptr = session,
    };
    ompd_host_rc_t rc;

    if (session->traced_count != 0)
        rc = ompd_host_traced_process_open(given->pid, session->traced, session->traced_count,
                                           &options, &session->target);
    else if (given->core != NULL)
        rc = ompd_host_core_open(given->core, &options, &session->target);
    else
        rc = ompd_host_process_open(given->pid, &options, &session->target);
    command_progress_end(&session->progress);
    command_cut_core_watch(session->target);
    if (rc != ompd_host_rc_ok)
        return ompd_host_message_get(NULL);
    session->info.struct_size = sizeof(session->info);
    ompd_host_target_get(session->target, &session->info);
    return NULL;
}

/* Whether FILE is a terminal with colours, and the user wants them. */
static bool has_colours(FILE *file)
{
    const char *terminal = getenv("TERM");

    return isatty(fileno(file)) == 1 && getenv("NO_COLOR") == NULL && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

static bool create_view(struct command_session *session, const ompd_view_verb_t *verbs,
                        size_t verb_count)
{
    static const char confined[] = PACKAGE_STRING "\nThe process that reads cores is confined.";
    static const char unconfined[] =
        PACKAGE_STRING "\nThe process that reads cores is not confined: built "
                       "without libseccomp, or with a sanitizer.";
    bool is_confined = ompd_host_confinement_check() == ompd_host_rc_ok;
    ompd_view_front_end_t front_end = command_front_end;

    front_end.version = is_confined ? confined : unconfined;
    front_end.user_ptr = session;
    front_end.verbs = verbs;
    front_end.verb_count = verb_count;
    command_progress_begin_here(&session->progress);
    return ompd_view_create(&front_end, &session->view) == ompd_rc_ok;
}

bool command_session_begin(struct command_session *session, char *const *words, size_t count,
                           const ompd_view_verb_t *verbs, size_t verb_count)
{
    *session = (struct command_session){
        .words = words, .word_count = count, .output = stdout, .has_colours = has_colours(stdout)};
    return create_view(session, verbs, verb_count);
}

bool command_session_begin_part(struct command_session *session, struct command_session *outer,
                                const ompd_view_verb_t *verb)
{
    *session = (struct command_session){.options = outer->options,
                                        .outer = outer,
                                        .recorder = outer->recorder,
                                        .output = outer->output,
                                        .has_colours = outer->has_colours};
    return create_view(session, verb, 1);
}

/* Why the library returned RC instead of an address space. */
static const char *space_failure_reason(struct command_session *session, ompd_rc_t rc)
{
    struct text *answer = &session->answer;
    const char *message = "";
    size_t length;

    ompd_cl_message_get(NULL, &message);
    length = strlen(message);
    text_clear(answer);
    if (length == 0)
        text_add(answer, "The library failed with code %d.", (int)rc);
    else if (rc == ompd_rc_nomem && session->options.memory_limit != 0)
        text_add(answer, "%.*s (%s).", (int)length - 1, message,
                 command_front_end.memory_limit_setting);
    else
        text_add(answer, "%s", message);
    answer->bytes[0] = (char)toupper((unsigned char)answer->bytes[0]);
    return answer->bytes;
}

/* Find the build-id of the target's program. */
static void find_build_id(struct command_session *session)
{
    const char *program = session->info.program;
    ompd_host_module_t module;

    text_clear(&session->build_id);
    for (size_t i = 0;
         program != NULL && ompd_host_module_get(session->target, i, &module) == ompd_host_rc_ok;
         i++) {
        if (strcmp(module.path, program) != 0)
            continue;
        for (size_t j = 0; j < module.build_id_size; j++)
            text_add(&session->build_id, "%02x", module.build_id[j]);
        return;
    }
}

/* Report that debug information of places in the answer was not used. */
static void short_places_report(const struct command_session *session)
{
    ompd_host_target_info_t info = {.struct_size = sizeof(info)};
    struct text sentence = {0};

    if (session->target == NULL ||
        ompd_host_target_get(session->target, &info) != ompd_host_rc_ok || info.short_places == 0)
        return;
    count_add(&sentence, info.short_places, "place", NULL);
    text_add(&sentence,
             " %s shown without debug information, which is too large or too deeply nested to read",
             info.short_places == 1 ? "is" : "are");
    command_error_print(sentence.bytes);
    text_free(&sentence);
}

static void close_target(struct command_session *session)
{
    short_places_report(session);
    if (session->space != NULL)
        ompd_rel_address_space_handle(session->space);
    command_cut_core_watch(NULL);
    ompd_host_target_close(session->target);
    session->space = NULL;
    session->target = NULL;
}

ompd_view_exit_t command_session_open(struct command_session *session, ompd_view_use_t *use,
                                      const char **why)
{
    const struct command_options *options = &session->options;
    ompd_rc_t rc;

    if ((options->pid == 0) == (options->core == NULL)) {
        *why = "No target: use --pid N or --core FILE";
        return ompd_view_exit_usage;
    }
    /* This opens files that are not the target's, which a confined reader cannot. */
    command_missing_recorder_prepare(session);
    if (options->core != NULL && !session->has_snapshot && session->outer == NULL)
        command_confine_all(session);
    *why = open_target(session);
    if (*why != NULL)
        return ompd_view_exit_unreadable;
    find_build_id(session);
    rc = ompd_host_address_space_create(session->target, options->memory_limit, &session->space);
    if (rc != ompd_rc_ok) {
        session->space = NULL;
        *why = space_failure_reason(session, rc);
        return ompd_view_exit_unreadable;
    }
    if (options->sources != 0)
        ompd_cl_sources_set(session->space, options->sources);
    use->space = session->space;
    use->pid = session->info.pid;
    use->unsaved_reads = session->info.unsaved_reads;
    use->is_seen = is_on_terminal(session);
    use->has_styles = session->has_colours && !session->is_json;
    use->has_memory_limit = options->memory_limit != 0;
    use->program = session->info.program;
    use->file = session->info.file;
    use->build_id = session->build_id.length != 0 ? session->build_id.bytes : NULL;
    return ompd_view_exit_ok;
}

/* Why the snapshot PATH (NULL: what --pid or --core names) cannot be opened; NULL: it can. */
static const char *snapshot_refuse(const struct command_session *session, const char *path)
{
    const struct command_options *options = &session->options;
    bool has_target = options->pid != 0 || options->core != NULL;

    if (path == NULL && !has_target)
        return "Name two snapshots, or one and --pid N or --core FILE";
    if (path != NULL && session->has_snapshot && has_target)
        return "Name two snapshots, or one and either --pid N or --core FILE";
    if (path != NULL && session->has_snapshot && options->every != 0)
        return "--every applies to a process, not to a snapshot";
    return NULL;
}

ompd_view_exit_t command_session_snapshot_open(struct command_session *session, const char *path,
                                               ompd_view_use_t *use, const char **why)
{
    struct command_options given = session->options;
    ompd_view_exit_t code;

    *why = snapshot_refuse(session, path);
    if (*why != NULL)
        return ompd_view_exit_usage;
    if (command_core_was_cut(session)) {
        *why = COMMAND_CORE_WAS_CUT;
        return ompd_view_exit_unreadable;
    }
    close_target(session);
    if (!session->has_snapshot && session->options.pid == 0)
        command_confine_all(session);
    session->has_snapshot = true;
    if (path != NULL) {
        session->options.core = path;
        session->options.pid = 0;
        session->options.leaves_running = false;
    }
    code = command_session_open(session, use, why);
    session->options = given;
    return code;
}

bool command_session_open_now(struct command_session *session)
{
    ompd_view_use_t use = {.struct_size = sizeof(use), .row_limit = UINT64_MAX};
    const char *why;
    ompd_view_exit_t code = command_session_open(session, &use, &why);

    if (code == ompd_view_exit_ok)
        return ompd_view_use_set(session->view, &use) == ompd_rc_ok;
    ompd_view_command_fail(session->view, code, why);
    return false;
}

/* A verb begins that is about the session's open target. */
static ompd_view_exit_t begin_within(void *user_ptr, const ompd_view_verb_t *verb, bool is_json,
                                     ompd_view_use_t *use, const char **why)
{
    const struct command_session *session = user_ptr;

    (void)verb, (void)is_json, (void)why;
    use->space = session->space;
    use->pid = session->info.pid;
    return ompd_view_exit_ok;
}

ompd_view_exit_t command_session_run(struct command_session *session, const char *const *words,
                                     size_t count)
{
    ompd_view_front_end_t front_end = command_front_end;
    ompd_view_exit_t code = ompd_view_exit_unreadable;
    char **line = heap_get((count + 1) * sizeof(line[0]));
    ompd_view_t *view = NULL;

    memcpy(line, words, count * sizeof(line[0]));
    line[count] = "--json";
    front_end.user_ptr = session;
    front_end.begin = begin_within;
    ompd_view_text_flush(session->view);
    if (ompd_view_create(&front_end, &view) == ompd_rc_ok)
        code = ompd_view_words_run(view, count + session->is_json, line);
    ompd_view_destroy(view);
    heap_free(line);
    return code;
}

void command_session_describe(struct command_session *session, ompd_cl_kind_t kind, const void *row)
{
    ompd_view_front_end_t front_end = command_front_end;
    ompd_view_t *view = NULL;

    front_end.user_ptr = session;
    front_end.begin = begin_within;
    if (ompd_view_create(&front_end, &view) == ompd_rc_ok)
        ompd_view_row_describe(view, kind, row);
    ompd_view_destroy(view);
}

void command_session_words_add(struct command_session *session, ompd_cl_kind_t kind,
                               const void *row, struct text *text)
{
    struct text *outer = session->captured;

    ompd_view_text_flush(session->view);
    session->captured = text;
    command_session_describe(session, kind, row);
    session->captured = outer;
}

void command_session_close(struct command_session *session)
{
    command_progress_end(&session->progress);
    ompd_view_destroy(session->view);
    close_target(session);
    text_free(&session->answer);
    text_free(&session->build_id);
    ompd_host_new_file_end(session->file, false);
    free(session->picture);
    /* A part shares the options of its outer session. */
    if (session->outer == NULL)
        heap_free(session->options.suppressed);
    *session = (struct command_session){0};
}
