/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Views, and the execution of one command. */
#include <stdlib.h>
#include <string.h>
#include <view/command-line.h>
#include <view/verbs/verbs.h>

#define NO_MEMORY "out of memory"

PUBLIC ompd_rc_t ompd_view_create(const ompd_view_front_end_t *front_end, ompd_view_t **view)
{
    size_t known = sizeof(*front_end);
    ompd_view_t *made;

    if (front_end == NULL || view == NULL ||
        front_end->struct_size < offsetof(ompd_view_front_end_t, code_place) ||
        front_end->write == NULL || front_end->begin == NULL ||
        (front_end->option_count != 0 && front_end->take_option == NULL))
        return ompd_rc_bad_input;
    made = calloc(1, sizeof(*made));
    if (made == NULL)
        return ompd_rc_nomem;
    made->width = SIZE_MAX;
    view_verbs_take(made);
    memcpy(&made->front_end, front_end,
           front_end->struct_size < known ? front_end->struct_size : known);
    *view = made;
    return ompd_rc_ok;
}

PUBLIC void ompd_view_destroy(ompd_view_t *view)
{
    if (view == NULL)
        return;
    heap_clear(&view->heap);
    free(view);
}

/* One command: the front end's answer, and its result. */
struct run {
    ompd_view_t *view;
    const char *verb; /* of a line; NULL: words of a shell */
    const char *arguments;
    size_t count;
    char *const *words;
    bool is_row; /* no command, but one row: */
    bool is_json;
    ompd_cl_kind_t kind;
    const void *row;
    ompd_view_exit_t code;
};

/* Let the front end begin the command of LINE. False if it refuses. */
static bool command_begin(ompd_view_t *view, const ompd_view_verb_t *verb)
{
    const char *why = NULL;
    ompd_view_exit_t code;

    view->use = (ompd_view_use_t){.struct_size = sizeof(view->use), .row_limit = UINT64_MAX};
    view_bindings_take(view);
    code = view->front_end.begin(view->front_end.user_ptr, verb, view->options.is_json, &view->use,
                                 &why);
    view->is_stopped |= code == ompd_view_exit_stopped;
    if (code != ompd_view_exit_ok)
        return view_fail(view, code, "%s", why != NULL ? why : "There is no target");
    if (view->options.limit == 0)
        view->options.limit = view->use.row_limit;
    return true;
}

/* The front end asked to stop: report the results so far. */
static void tell_stopped(ompd_view_t *view)
{
    text_clear(&view->message);
    text_add(&view->message, "%s%s was interrupted", view_verb_prefix(view), view->verb);
    if (view->rows_written != 0) {
        text_put(&view->message, " after ");
        count_add(&view->message, view->rows_written, "row", NULL);
    }
    text_put(&view->message, ".");
    view->failure = ompd_view_exit_stopped;
}

/* The result of a command whose verb returned CODE. */
static ompd_view_exit_t result_with(const ompd_view_t *view, ompd_view_exit_t code)
{
    ompd_view_exit_t seen = view_result(view);

    if (view->failure != ompd_view_exit_ok)
        return seen;
    /* Findings remain valid even if something else was unreadable. */
    if (view_exit_is_failure(code) || code == ompd_view_exit_findings || seen == ompd_view_exit_ok)
        return code;
    return code == ompd_view_exit_incomplete ? code : seen;
}

/* Answer LINE if it asks for help or completion; otherwise let the front end begin its verb.
 * False if there is nothing to run. */
static bool begin_line(ompd_view_t *view, const struct view_command_line *line)
{
    if (line->asks_help) {
        view_help_add(view, line->line.verb, &view->pending);
        return false;
    }
    if (line->asks_version) {
        view_print(view, "%s\n", view->front_end.version);
        return false;
    }
    view->verb = line->line.verb->name;
    return view->runs_verb = command_begin(view, line->line.verb);
}

/* The verb has returned CODE. */
static void end_line(ompd_view_t *view, ompd_view_exit_t code)
{
    view->runs_verb = false;
    if (view->is_out_of_memory)
        heap_fail();
    view_custom_end(view);
    view->failure = result_with(view, code);
}

/* Escape control characters in text from the user or the target. */
static void escape_message(ompd_view_t *view)
{
    struct text raw = view->message;

    view->message = (struct text){0};
    text_escape(&view->message, text_get(&raw));
    text_free(&raw);
}

/* The verb that lists rows of KIND, or else the first, overview. */
static const ompd_view_verb_t *verb_of(ompd_view_t *view, ompd_cl_kind_t kind)
{
    const ompd_view_verb_t *verb;

    for (size_t i = 0; (verb = ompd_view_verb_get(view, i)) != NULL; i++)
        if (verb->kind == kind && (verb->takes & ompd_view_takes_filters) != 0)
            return verb;
    return ompd_view_verb_get(view, 0);
}

/* Write ROW on one line, without wrapping or a newline. */
static void describe_row(ompd_view_t *view, const struct view_row *row)
{
    struct view_renderer renderer;
    struct text text = {0};

    view->width = SIZE_MAX;
    if (row->kind->number == ompd_cl_kind_finding) {
        view_renderer_begin(&renderer, view);
        view_finding_describe(&renderer, row, &text);
        view_renderer_end(&renderer);
    } else {
        view_object_header(view, row, &text);
    }
    view_write(view, text_get(&text));
    text_free(&text);
}

static void run_row(ompd_view_t *view, const struct run *run)
{
    const ompd_view_verb_t *verb = verb_of(view, run->kind);
    struct view_object object;

    if (!view_object_copy(&object, run->kind, run->row)) {
        view_fail(view, ompd_view_exit_usage, "The row is invalid");
        return;
    }
    view->verb = verb->name;
    view->options.is_json = run->is_json;
    if (!command_begin(view, verb))
        return;
    if (run->is_json)
        view_json_row(view, &object.row);
    else
        describe_row(view, &object.row);
    view->failure = view_result(view);
}

/* Reset the state at the start of a command. */
static void command_clear(ompd_view_t *view)
{
    view->options = (struct view_options){0};
    view->is_incomplete = view->has_findings = view->is_stopped = false;
    view->has_told_why = false;
    text_clear(&view->why_incomplete);
    view->is_out_of_memory = false;
    view->failure = ompd_view_exit_ok;
    view->rows_written = 0;
    view->style = ompd_view_style_plain;
    view->width = view_width_get(view);
    text_clear(&view->message);
    text_clear(&view->line);
    text_clear(&view->styles);
    text_clear(&view->pending);
}

/* Report the result of a written command or row. */
static void command_end(struct run *run)
{
    ompd_view_t *view = run->view;

    view_json_array_end(view);
    view_incompleteness_report(view);
    view_flush(view);
    if (view->is_stopped)
        tell_stopped(view);
    escape_message(view);
    run->code = view->failure;
}

static void command_run(void *argument)
{
    struct run *run = argument;
    ompd_view_t *view = run->view;
    struct view_command_line line;
    bool is_sense;

    command_clear(view);
    if (run->is_row) {
        run_row(view, run);
        command_end(run);
        return;
    }
    is_sense = run->verb != NULL
                   ? view_command_line_parse(&line, view, run->verb, run->arguments)
                   : view_command_line_parse_words(&line, view, run->count, run->words);
    if (is_sense && begin_line(view, &line))
        end_line(view, line.line.verb->run(view, &line.line));
    command_end(run);
    view_command_line_free(&line);
}

/* The result of COMMAND, or why it did not run. */
static ompd_view_exit_t code_of(const struct run *command, bool has_run)
{
    if (has_run)
        return command->code;
    view_memory_lost(command->view);
    command->view->failure = ompd_view_exit_unreadable;
    return command->view->failure;
}

PUBLIC ompd_view_exit_t ompd_view_line_run(ompd_view_t *view, const char *verb,
                                           const char *arguments)
{
    struct run command = {.view = view, .verb = verb, .arguments = arguments};

    if (view->runs_verb)
        return ompd_view_exit_usage;
    return code_of(&command, heap_run(&view->heap, command_run, &command));
}

PUBLIC ompd_view_exit_t ompd_view_words_run(ompd_view_t *view, size_t count, char *const *words)
{
    struct run command = {.view = view, .count = count, .words = words};

    if (view->runs_verb)
        return ompd_view_exit_usage;
    return code_of(&command, heap_run(&view->heap, command_run, &command));
}

PUBLIC ompd_view_exit_t ompd_view_row_write(ompd_view_t *view, ompd_cl_kind_t kind, const void *row)
{
    struct run command = {.view = view, .is_row = true, .is_json = true, .kind = kind, .row = row};

    if (view->runs_verb)
        return ompd_view_exit_usage;
    return code_of(&command, heap_run(&view->heap, command_run, &command));
}

PUBLIC ompd_view_exit_t ompd_view_row_describe(ompd_view_t *view, ompd_cl_kind_t kind,
                                               const void *row)
{
    struct run command = {.view = view, .is_row = true, .kind = kind, .row = row};

    if (view->runs_verb)
        return ompd_view_exit_usage;
    return code_of(&command, heap_run(&view->heap, command_run, &command));
}

PUBLIC const char *ompd_view_message_get(ompd_view_t *view)
{
    if (view->is_out_of_memory)
        return NO_MEMORY;
    return text_get(&view->message);
}

/* The subject of help or completion. */
struct question {
    ompd_view_t *view;
    const char *name;
    const char *arguments;
    size_t index;
    bool *is_expression;
    bool has_answer;
};

static const char *question_answer(struct question *question, void (*find)(void *argument))
{
    if (!question->view->runs_verb)
        question->view->is_out_of_memory = false;
    text_clear(&question->view->answer);
    if (!view_guard(question->view, find, question) || !question->has_answer)
        return NULL;
    return text_get(&question->view->answer);
}

static void find_help(void *argument)
{
    struct question *question = argument;
    const ompd_view_verb_t *verb = NULL;

    if (question->name != NULL)
        verb = view_verb_find(question->view, question->name);
    question->has_answer = question->name == NULL || verb != NULL;
    if (question->has_answer)
        view_help_add(question->view, verb, &question->view->answer);
}

PUBLIC const char *ompd_view_help_get(ompd_view_t *view, const char *name)
{
    struct question question = {.view = view, .name = name};

    return question_answer(&question, find_help);
}

static void find_completion(void *argument)
{
    struct question *question = argument;

    question->has_answer =
        view_completion_add(question->view, question->name, question->arguments, question->index,
                            question->is_expression, &question->view->answer);
}

PUBLIC const char *ompd_view_completion_get(ompd_view_t *view, const char *name,
                                            const char *arguments, size_t index,
                                            bool *is_expression)
{
    struct question question = {.view = view,
                                .name = name,
                                .arguments = arguments,
                                .index = index,
                                .is_expression = is_expression};

    *is_expression = false;
    return question_answer(&question, find_completion);
}

PUBLIC void ompd_view_space_forget(ompd_view_t *view, ompd_address_space_handle_t *space,
                                   bool is_gone)
{
    view_name_cache_forget(view, space, is_gone);
}
