/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>
#include <string.h>

static bool finding_is_known(const struct view_row *finding, const char *field)
{
    return view_value_is_known(view_row_value(finding, field));
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Add ", which the program has released but a command of kernel 0x5555 will still use,", for an
 * object that is still in use. */
static void add_user(struct view_renderer *renderer, const struct view_row *finding,
                     struct text *text)
{
    uint64_t user = view_row_number(finding, "other_kind");

    if (!finding_is_known(finding, "other_kind"))
        return;
    if (user == ompd_cl_kind_command)
        text_put(text, ", which only commands and other objects keep alive,");
    else if (user == ompd_cl_kind_memobj)
        view_phrase_add(renderer, finding,
                        ", which the program has released but {other} still uses,", text);
    else
        view_phrase_add(renderer, finding,
                        ", which the program has released but a command of {other} will still "
                        "use,",
                        text);
}

static void describe_host(struct view_renderer *renderer, const struct view_row *finding,
                          const char *words, struct text *text)
{
    bool is_enqueued = finding_is_known(finding, "other_kind") &&
                       view_row_number(finding, "other_kind") != ompd_cl_kind_memobj;

    view_phrase_add(renderer, finding, "{object}", text);
    add_user(renderer, finding, text);
    text_add(text, " uses host memory %s", words);
    view_phrase_add(renderer, finding, ", {size} at {memory}[, on the stack of {thread}]{@; made}",
                    text);
    view_phrase_add(renderer, finding, is_enqueued ? "{&, enqueued}" : "{&, the other}", text);
}

static void describe_svm(struct view_renderer *renderer, const struct view_row *finding,
                         const char *words, struct text *text)
{
    uint64_t kind = view_row_number(finding, "object_kind");
    bool is_command = view_row_number(finding, "rule") == ompd_cl_finding_svm_used &&
                      (kind == ompd_cl_kind_kernel || kind == ompd_cl_kind_queue);
    /* Otherwise a call has freed it. */
    bool is_freed_before = view_row_number(finding, "other_kind") == ompd_cl_kind_queue;

    if (!is_command) {
        view_phrase_add(renderer, finding, words, text);
        return;
    }
    view_phrase_add(renderer, finding,
                    finding_is_known(finding, "call") ? "an unfinished {call} of {object}"
                                                      : "an unfinished command of {object}",
                    text);
    view_phrase_add(renderer, finding,
                    is_freed_before ? " uses SVM pointer {address}, which an earlier command of "
                                      "its queue frees{@; enqueued}{&, the free}"
                                    : " uses {other}, which was freed{@; enqueued}{&, freed}",
                    text);
}

static void describe_gone_argument(struct view_renderer *renderer, const struct view_row *finding,
                                   const char *words, struct text *text)
{
    struct view_value count = view_row_value(finding, "count");

    view_phrase_add(renderer, finding, "{object} was enqueued", text);
    if (count.value > 1)
        text_add(text, " %s%" PRIu64 " times", view_value_bound(count), count.value);
    view_phrase_add(renderer, finding, words, text);
    text_put(text, finding_is_known(finding, "other_lwp")
                       ? ", whose last reference the program had released"
                       : ", which had been destroyed");
    view_phrase_add(renderer, finding, "{@; enqueued}{&, released}", text);
}

/* ---- Callbacks ------------------------------------------------------------------------------- */

/* What calls the callback of FINDING, by the kind of its object. */
static const char *noun_of_callback(ompd_view_t *view, const struct view_row *finding)
{
    switch (view_row_number(finding, "object_kind")) {
    case ompd_cl_kind_embree_device:
    case ompd_cl_kind_embree_scene:
        return view_finding_embree_noun(view, finding);
    case ompd_cl_kind_queue:
        return "SVM-free callback";
    case ompd_cl_kind_event:
        return "callback";
    case ompd_cl_kind_program:
        return "build callback";
    default:
        return "destructor callback";
    }
}

/* Add where the callback of FINDING was registered. */
static void add_giver(struct view_renderer *renderer, const struct view_row *finding,
                      struct text *text)
{
    bool is_of_queue = view_row_number(finding, "object_kind") == ompd_cl_kind_queue;

    view_phrase_add(renderer, finding, is_of_queue ? "{@; enqueued}" : "{@; registered}", text);
}

static void describe_lost_callback(struct view_renderer *renderer, const struct view_row *finding,
                                   const char *words, struct text *text)
{
    text_add(text, "the %s", noun_of_callback(renderer->view, finding));
    view_phrase_add(renderer, finding, words, text);
    add_giver(renderer, finding, text);
    view_phrase_add(renderer, finding, "{&, the other}", text);
}

/* Add the other registration of the callback of FINDING, if one has its destroyed user data. */
static void add_registration(struct view_renderer *renderer, const struct view_row *finding,
                             struct text *text)
{
    if (!finding_is_known(finding, "other"))
        return;
    view_phrase_add(renderer, finding, "; it was also registered with that user data{&}", text);
    if (view_row_number(finding, "other") != view_row_number(finding, "object"))
        view_phrase_add(renderer, finding, " for {other}", text);
    text_put(text, ", and was called");
}

/* Add "callback note at app.c:20 of event 0x5555 is to be called with user data that was freed". */
static void describe_user_data(struct view_renderer *renderer, const struct view_row *finding,
                               const char *words, struct text *text)
{
    uint64_t rule = view_row_number(finding, "rule");
    /* Otherwise it is the thread that owns the stack. */
    bool is_running =
        finding_is_known(finding, "thread") &&
        (rule == ompd_cl_finding_user_data_freed || rule == ompd_cl_finding_user_data_unmapped);

    if (view_kind_is_embree(view_row_number(finding, "object_kind"))) {
        view_finding_describe_embree_data(renderer, finding, words, text);
        return;
    }
    view_phrase_add(renderer, finding,
                    is_running ? "{callback} of {object}, which runs in {thread}, was"
                               : "{callback} of {object} will be",
                    text);
    text_add(text, " called with user data %s, ", words);
    view_phrase_add(renderer, finding,
                    is_running ? "{address}" : "{address}[ on the stack of {thread}]", text);
    add_giver(renderer, finding, text);
    add_registration(renderer, finding, text);
}

/* ---- Counts ---------------------------------------------------------------------------------- */

static void describe_releases(struct view_renderer *renderer, const struct view_row *finding,
                              const char *words, struct text *text)
{
    uint64_t count = view_row_number(finding, "count");
    uint64_t last = view_row_number(finding, "object");

    if (finding_is_known(finding, "caller")) {
        view_phrase_add(renderer, finding, words, text);
    } else if (!finding_is_known(finding, "object")) {
        text_put(text, "before that, objects with no references left were released ");
        count_add(text, count, "more time", "more times");
    } else if (count == 1) {
        text_add(text, "object 0x%" PRIx64 " was released when it had no references left", last);
    } else {
        text_add(text,
                 "objects with no references left were released %" PRIu64 " times, the last "
                 "of them 0x%" PRIx64,
                 count, last);
    }
}

static void describe_setting(struct view_renderer *renderer, const struct view_row *finding,
                             const char *words, struct text *text)
{
    view_phrase_add(renderer, finding, words, text);
    if (finding_is_known(finding, "other_lwp"))
        view_phrase_add(renderer, finding,
                        finding_is_known(finding, "other_caller") ? "[ to {error}]"
                                                                  : " by {other_lwp}[ to {error}]",
                        text);
}

/* An object to which the program has more references than the runtime counts. */
static void describe_unseen_release(struct view_renderer *renderer, const struct view_row *finding,
                                    const char *words, struct text *text)
{
    struct view_value count = view_row_value(finding, "count");

    view_phrase_add(renderer, finding, "{object}", text);
    if (!view_value_is_known(count)) {
        text_put(text, " was destroyed and its handle reused, although the program had not "
                       "released it");
    } else {
        text_put(text, ", of which the program holds ");
        count_add(text, count.value, "reference", "references");
        view_phrase_add(renderer, finding,
                        view_row_number(finding, "runtime_count") == 0
                            ? ", was destroyed"
                            : ", has {runtime_count} in the runtime",
                        text);
    }
    view_phrase_add(renderer, finding, words, text);
}

static void describe_another(struct view_renderer *renderer, const struct view_row *finding,
                             const char *words, struct text *text)
{
    uint64_t size = view_row_number(finding, "runtime_count");

    if (size != 0) {
        view_phrase_add(renderer, finding,
                        "{object}, recorded with {size}, is a different object in the runtime, of ",
                        text);
        size_describe(text, size);
    } else {
        view_phrase_add(renderer, finding,
                        "{object} is a different object in the runtime, of another OpenCL context",
                        text);
    }
    view_phrase_add(renderer, finding, words, text);
}

static void describe_callbacks(struct view_renderer *renderer, const struct view_row *finding,
                               const char *words, struct text *text)
{
    view_phrase_add(renderer, finding, "{object} has ", text);
    count_add(text, view_row_number(finding, "count"), "destructor callback",
              "destructor callbacks");
    view_phrase_add(renderer, finding, words, text);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

/* Add "LWP 4711 is in clFinish", and the object of that call. */
static void describe_call(struct view_renderer *renderer, const struct view_row *finding,
                          const char *words, struct text *text)
{
    struct view_value object = view_row_value(finding, "object");

    view_phrase_add(renderer, finding, "{thread} is in {call}", text);
    if (view_value_is_known(object) && object.value != 0)
        text_add(text, " (0x%" PRIx64 ")", object.value);
    view_phrase_add(renderer, finding, words, text);
}

static void describe_exiting(struct view_renderer *renderer, const struct view_row *finding,
                             const char *words, struct text *text)
{
    bool is_within = view_row_number(finding, "other_lwp") == view_row_number(finding, "thread");

    describe_call(renderer, finding, is_within ? " within exit()" : words, text);
    text_put(text, ", when the runtime may already have shut down");
    if (finding_is_known(finding, "count")) {
        text_put(text, "; ");
        count_add(text, view_row_number(finding, "count"), "object still exists",
                  "objects still exist");
    }
}

static void describe_handle(struct view_renderer *renderer, const struct view_row *finding,
                            const char *words, struct text *text)
{
    (void)words;
    view_finding_describe_handle(renderer, finding, text);
}

/* A command that failed, which the program could have seen by its event, if that has one. The
 * program itself may have set a user event that the command waited for to an error. */
static void describe_failed_event(struct view_renderer *renderer, const struct view_row *finding,
                                  const char *words, struct text *text)
{
    bool is_cancelled = finding_is_known(finding, "other");

    if (finding_is_known(finding, "object"))
        view_phrase_add(renderer, finding, words, text);
    else
        text_put(text, "a command that has no event");
    if (is_cancelled) {
        /* The status that the program has chosen may be no error of OpenCL. */
        view_phrase_add(renderer, finding, " never ran, because the program had set {other} to ",
                        text);
        text_add(text, "%" PRId64, (int64_t)view_row_number(finding, "error"));
    } else {
        view_phrase_add(renderer, finding, " had failed[: {error}]", text);
    }
    if (!finding_is_known(finding, "object"))
        view_phrase_add(renderer, finding, "{@}", text);
    view_phrase_add(renderer, finding, "{&; enqueued}", text);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

#define UNSEEN ": it was released where the recorder could not see it{@; made}{&, the other}"

/* The sentences of rules. */
static const char *const sentences[] = {
#define RULE(number, name, level, needs, word, meaning, clause, sentence) [number] = (sentence),
#include <schema/rules.def>
};

/* The functions that write those of the others, and their words. */
static const struct {
    ompd_cl_finding_kind_t rule;
    const char *words;
    void (*describe)(struct view_renderer *renderer, const struct view_row *finding,
                     const char *words, struct text *text);
} rules[] = {
    {ompd_cl_finding_host_unmapped, "that is not mapped", describe_host},
    {ompd_cl_finding_host_freed, "that was freed", describe_host},
    {ompd_cl_finding_host_on_stack, "of a function that has returned", describe_host},
    {ompd_cl_finding_callback_code,
     " of {object} is {function}, where there is no code[; {thread} is running it]",
     describe_lost_callback},
    {ompd_cl_finding_over_release,
     "{object}{@ was released}, when it had no references left{&; the last was released}",
     describe_releases},
    {ompd_cl_finding_set_twice, "user {object}{@ was set}, although it had already been set{&}",
     describe_setting},
    {ompd_cl_finding_svm_freed_twice,
     "SVM pointer {address} is freed twice by enqueued commands{@; enqueued}{&, the other}",
     describe_svm},
    {ompd_cl_finding_svm_used,
     "{object} uses {other}, which is freed before a command that uses the object{@; the command "
     "was enqueued}{&, the free}",
     describe_svm},
    {ompd_cl_finding_argument_gone, " with argument {argument} {other}[ of {size}]",
     describe_gone_argument},
    {ompd_cl_finding_user_data_freed, "that was freed", describe_user_data},
    {ompd_cl_finding_user_data_on_stack, "of a function that has returned", describe_user_data},
    {ompd_cl_finding_user_data_unmapped, "that is not mapped", describe_user_data},
    {ompd_cl_finding_user_data_of_ended, "of a thread that has ended", describe_user_data},
    {ompd_cl_finding_runtime_released, UNSEEN, describe_unseen_release},
    {ompd_cl_finding_runtime_other, UNSEEN, describe_another},
    {ompd_cl_finding_runtime_callbacks,
     " of the program, and {runtime_count} in the runtime{@; made}{&, the other}",
     describe_callbacks},
    {ompd_cl_finding_wrong_handle, "", describe_handle},
    {ompd_cl_finding_forked,
     " in a process that was forked from process {#other_lwp} after that had used OpenCL; the "
     "runtime's threads do not exist here",
     describe_call},
    {ompd_cl_finding_exiting, " while {other_lwp} is in exit()", describe_exiting},
    {ompd_cl_finding_failed_event_unseen,
     "{object} was released{@} before the program read its status: its command",
     describe_failed_event},
    {ompd_cl_finding_embree_error, "", view_finding_describe_embree_error},
    {ompd_cl_finding_embree_in_monitor, "", view_finding_describe_embree_monitor},
};

static void finding_rule_describe(struct view_renderer *renderer, const struct view_row *finding,
                                  struct text *text)
{
    uint64_t rule = view_row_number(finding, "rule");

    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (rule == rules[i].rule) {
            rules[i].describe(renderer, finding, rules[i].words, text);
            return;
        }
    if (rule < sizeof(sentences) / sizeof(sentences[0]) && sentences[rule] != NULL)
        view_phrase_add(renderer, finding, sentences[rule], text);
    else
        view_row_name(finding, "rule", text);
}

/* Add the first line of the build log of FINDING's program. */
static void add_log(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    struct view_object program;
    struct view_value log;
    struct text line = {0};

    if (!view_object_lookup(view, ompd_cl_kind_program, view_row_number(finding, "object"),
                            &program))
        return;
    log = view_row_value(&program.row, "log");
    if (!view_value_is_known(log))
        return;
    text_add(&line, "%.*s", (int)strcspn(log.text, "\n"), log.text);
    text_escape(text, text_get(&line));
    text_free(&line);
}

bool view_finding_is_mistake(const struct view_row *finding)
{
    enum { mistake, note };
    static const uint8_t levels[] = {
#define RULE(number, name, level, needs, word, meaning, clause, sentence) [number] = (level),
#include <schema/rules.def>
    };
    uint64_t rule = view_row_number(finding, "rule");

    if (rule == ompd_cl_finding_build_failed)
        return view_value_is_known(view_row_value(finding, "thread"));
    return rule >= sizeof(levels) || levels[rule] == mistake;
}

void view_finding_add_log(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    if (view_row_number(finding, "rule") == ompd_cl_finding_build_failed)
        add_log(view, finding, text);
}

void view_finding_describe(struct view_renderer *renderer, const struct view_row *finding,
                           struct text *text)
{
    finding_rule_describe(renderer, finding, text);
    view_finding_add_times(finding, text);
}
