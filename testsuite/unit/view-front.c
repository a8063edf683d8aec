/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See view-front.h. */
#include "view-front.h"

#include "suite.h"

#include <check.h>
#include <inttypes.h>
#include <string.h>
#include <text/text.h>
#include <view/model/model.h>

/* ---- Verbs ----------------------------------------------------------------------------------- */

static struct front *front_of(ompd_view_t *view)
{
    return view->front_end.user_ptr;
}

/* Write "json kind=buffer [b[1]]": what the view was given. */
static ompd_view_exit_t say(ompd_view_t *view, const ompd_view_line_t *line)
{
    const struct view_options *options = &view->options;
    const struct {
        const char *name;
        const char *value;
    } given[] = {
        {"context", options->context},
        {"kind", options->kinds},
        {"state", options->states},
        {"min-size", options->min_size},
        {"stack", front_of(view)->stack[0] != '\0' ? front_of(view)->stack : NULL},
    };

    view_print(view, "%s", options->is_json ? "json" : "text");
    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++)
        if (given[i].value != NULL)
            view_print(view, " %s=%s", given[i].name, given[i].value);
    if (options->limit != UINT64_MAX)
        view_print(view, " limit=%" PRIu64, options->limit);
    for (size_t i = 0; i < line->operand_count; i++)
        view_print(view, " [%s]", line->operands[i]);
    return view_result(view);
}

static ompd_view_exit_t ask(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct front *front = line->user_ptr;

    front->begun_json = front->begun_json && line->is_json;
    front->work(front);
    return view_result(view);
}

#define OF_STACKS 2u

const ompd_view_verb_t front_verbs[FRONT_VERBS] = {
    {.name = "say",
     .summary = "Say what was said.",
     .operand = "[HANDLE]",
     .kind = ompd_cl_kind_memobj,
     .takes = ompd_view_takes_target | ompd_view_takes_filters,
     .own_options = OF_STACKS,
     .run = say},
    {.name = "do",
     .summary = "Do what was said.",
     .operand = "COMMAND...",
     .takes = ompd_view_takes_foreign_options,
     .run = say},
    {.name = "ask", .summary = "Do what the test says.", .run = ask},
};

static const ompd_view_option_t own_options[] = {
    {"stack", "DEPTH", "how deep", OF_STACKS},
    {"core", "FILE", "what to look at", OMPD_VIEW_GROUP_TARGET},
    {"origin", "[=PLACE]", "of what it is", OF_STACKS},
};

/* ---- Services -------------------------------------------------------------------------------- */

static bool write_text(void *user_ptr, ompd_view_style_t style, const char *text, size_t size)
{
    struct front *front = user_ptr;

    front->notes += style == ompd_view_style_note;
    if (front->stop_at != 0 && front->size >= front->stop_at) {
        front->after += size;
        return false;
    }
    suite_require(front->size + size < FRONT_TEXT, "too much text");
    memcpy(front->text + front->size, text, size);
    front->size += size;
    front->text[front->size] = '\0';
    return front->stop_at == 0 || front->size < front->stop_at;
}

static ompd_view_exit_t begin(void *user_ptr, const ompd_view_verb_t *verb, bool is_json,
                              ompd_view_use_t *use, const char **why)
{
    struct front *front = user_ptr;

    suite_require(verb != NULL, "no verb");
    front->is_begun = true;
    front->begun_json = is_json;
    if (front->use.struct_size != 0)
        *use = front->use;
    use->space = front->space;
    *why = front->why;
    return front->refusal;
}

static const char *bindings(void *user_ptr)
{
    const struct front *front = user_ptr;

    return front->bindings;
}

static ompd_view_exit_t look(void *user_ptr, const char *path, ompd_view_use_t *use,
                             const char **why)
{
    struct front *front = user_ptr;

    if (front->look != NULL)
        front->look(front, path);
    use->space = front->space;
    use->program = front->program;
    use->file = path;
    *why = front->why;
    return front->refusal;
}

static const char *take_option(void *user_ptr, const ompd_view_option_t *option, const char *word)
{
    struct front *front = user_ptr;

    if (strcmp(option->name, "origin") == 0 && word == NULL)
        word = "not given";
    ck_assert_ptr_nonnull(word);
    if (strcmp(option->name, "core") == 0)
        return NULL;
    if (strcmp(word, "endless") == 0)
        return "No stack is endless";
    ck_assert_uint_lt(strlen(word), sizeof(front->stack));
    strcpy(front->stack, word);
    return NULL;
}

static bool code_place(void *user_ptr, ompd_addr_t address, bool is_caller,
                       ompd_view_place_t *place)
{
    struct front *front = user_ptr;

    (void)is_caller;
    front->asked++;
    for (size_t i = 0; i < front->place_count; i++)
        if (front->places[i].address == address) {
            *place = front->places[i].place;
            place->struct_size = sizeof(*place);
            return true;
        }
    return false;
}

static const char *data_symbol(void *user_ptr, ompd_addr_t address)
{
    (void)user_ptr;
    return address == 0x5000 ? "host" : NULL;
}

static const char *thread_number(void *user_ptr, uint64_t lwp)
{
    (void)user_ptr;
    return lwp == FIRST_LWP ? "1" : NULL;
}

static const char *other_threads(void *user_ptr, const uint64_t *lwps, size_t count)
{
    (void)user_ptr;
    (void)lwps;
    return count != 0 ? "thread 9" : NULL;
}

static const char *describe_target(void *user_ptr)
{
    (void)user_ptr;
    return "A target that exists only in the tests.\n";
}

static void progress(void *user_ptr, const char *what, uint64_t done)
{
    struct front *front = user_ptr;

    if (what != NULL)
        front->done = done;
}

static bool is_interrupted(void *user_ptr)
{
    const struct front *front = user_ptr;

    return front->is_stopping;
}

static uint32_t width(void *user_ptr)
{
    const struct front *front = user_ptr;

    return front->width;
}

static ompd_view_exit_t file_begin(void *user_ptr, const char *path, const char **why)
{
    struct front *front = user_ptr;

    suite_require(!front->is_file_open, "a file is open");
    *why = "It already exists.";
    if (front->file_path != NULL && strcmp(front->file_path, path) == 0)
        return ompd_view_exit_unreadable;
    front->is_file_open = true;
    front->is_file_whole = false;
    front->file_size = 0;
    front->file[0] = '\0';
    return ompd_view_exit_ok;
}

static ompd_view_exit_t file_write(void *user_ptr, const char *text, size_t size, const char **why)
{
    struct front *front = user_ptr;

    suite_require(front->is_file_open && front->file_size + size < FRONT_TEXT, "no file");
    *why = "There is no room.";
    if (front->file_room != 0 && front->file_size + size > front->file_room)
        return ompd_view_exit_unreadable;
    memcpy(front->file + front->file_size, text, size);
    front->file_size += size;
    front->file[front->file_size] = '\0';
    return ompd_view_exit_ok;
}

static ompd_view_exit_t file_end(void *user_ptr, bool is_whole, const char **why)
{
    struct front *front = user_ptr;

    (void)why;
    suite_require(front->is_file_open, "no file");
    front->is_file_open = false;
    front->is_file_whole = is_whole;
    return ompd_view_exit_ok;
}

static ompd_view_exit_t draw(void *user_ptr, const char *graph, const char **picture,
                             const char **why)
{
    struct front *front = user_ptr;

    suite_require(strlen(graph) < FRONT_TEXT, "too large a graph");
    strcpy(front->graph, graph);
    *picture = front->picture;
    *why = "the pencil is <blunt>";
    return front->picture != NULL ? ompd_view_exit_ok : ompd_view_exit_unreadable;
}

void front_begin(struct front *front)
{
    memset(front, 0, sizeof(*front));
    front->front_end = (ompd_view_front_end_t){
        .struct_size = sizeof(front->front_end),
        .user_ptr = front,
        .verb_prefix = "opencl ",
        .help_before = "help opencl",
        .limit_setting = "set opencl limit",
        .memory_limit_setting = "set opencl memory-limit",
        .holder = "the test",
        .takes_expressions = true,
        .verbs = front_verbs,
        .verb_count = FRONT_VERBS,
        .options = own_options,
        .option_count = sizeof(own_options) / sizeof(own_options[0]),
        .write = write_text,
        .begin = begin,
        .take_option = take_option,
        .code_place = code_place,
        .data_symbol = data_symbol,
        .thread_number = thread_number,
        .other_threads = other_threads,
        .describe_target = describe_target,
        .progress = progress,
        .is_interrupted = is_interrupted,
        .width = width,
        .open_snapshot = look,
        .file_begin = file_begin,
        .file_write = file_write,
        .file_end = file_end,
        .draw = draw,
        .bindings = bindings,
    };
}

void front_open(struct front *front)
{
    ck_assert_int_eq(ompd_view_create(&front->front_end, &front->view), ompd_rc_ok);
}

void front_clear(struct front *front)
{
    ompd_view_t *view = front->view;

    while (view->spaces != NULL)
        view_name_cache_forget(view, view->spaces->space, true);
    text_free(&view->answer);
    text_free(&view->bindings);
    text_free(&view->message);
    text_free(&view->why_incomplete);
    text_free(&view->incompleteness);
    text_free(&view->json);
    text_free(&view->line);
    text_free(&view->styles);
    text_free(&view->pending);
}

void front_close(struct front *front)
{
    if (front->view != NULL)
        front_clear(front);
    ompd_view_destroy(front->view);
    front->view = NULL;
}

/* ---- Commands -------------------------------------------------------------------------------- */

static void forget_text(struct front *front)
{
    front->size = 0;
    front->after = 0;
    front->text[0] = '\0';
    front->stack[0] = '\0';
    front->is_begun = false;
}

ompd_view_exit_t front_line(struct front *front, const char *verb, const char *arguments)
{
    forget_text(front);
    return ompd_view_line_run(front->view, verb, arguments);
}

ompd_view_exit_t front_words(struct front *front, const char *const *words)
{
    size_t count = 0;

    forget_text(front);
    while (words[count] != NULL)
        count++;
    return ompd_view_words_run(front->view, count, (char *const *)words);
}

const char *front_message(const struct front *front)
{
    return ompd_view_message_get(front->view);
}

void front_expect(struct front *front, const char *verb, const char *arguments, const char *text)
{
    ompd_view_exit_t code = front_line(front, verb, arguments);

    ck_assert_msg(code == ompd_view_exit_ok, "%s %s: %s", verb, arguments, front_message(front));
    ck_assert_str_eq(front_message(front), "");
    ck_assert_str_eq(front->text, text);
}

void front_refuses(struct front *front, const char *verb, const char *arguments, const char *words)
{
    ompd_view_exit_t code = front_line(front, verb, arguments);
    const char *message = front_message(front);

    ck_assert_msg(code == ompd_view_exit_usage, "%s %s: %d", verb, arguments, (int)code);
    ck_assert_msg(strstr(message, words) != NULL, "\"%s\" does not say \"%s\"", message, words);
    ck_assert_int_eq(message[strlen(message) - 1], '.');
    ck_assert_str_eq(front->text, "");
}

void front_expect_printable(const char *text)
{
    while (*text != '\0') {
        size_t size = utf8_size(text);

        ck_assert_msg(size != 0, "no UTF-8: %.40s", text);
        ck_assert_msg(*text == '\n' || !utf8_is_unseen(text, size), "a control: %.40s", text);
        text += size;
    }
}
