/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>
#include <string.h>
#include <text/size.h>

/* Add ", 4096 B at 0x5555555580c0 <host>". */
static void add_memory(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    text_put(text, ", ");
    size_describe(text, view_row_number(finding, "size"));
    text_put(text, " at ");
    view_place_data(view, view_row_number(finding, "address"), text);
}

/* Add the callback's function, by its name where it has one. */
static void add_function(struct view_renderer *renderer, const struct view_row *finding,
                         struct text *text)
{
    if (!view_value_is_known(view_row_value(finding, "function"))) {
        text_put(text, "a callback");
        return;
    }
    text_put(text, "callback ");
    view_cell_add(renderer, view_kind_field(finding->kind, "function"), finding, text);
}

/* Add ", which the program has released and a command of kernel 0x5555 has yet to use,", of an
 * object that is there as something else uses it. */
static void add_user(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    if (!view_value_is_known(view_row_value(finding, "other_kind")))
        return;
    if (view_row_number(finding, "other_kind") == ompd_cl_kind_command) {
        text_put(text, ", which only commands and other objects hold,");
        return;
    }
    text_put(text, ", which the program has released and ");
    if (view_row_number(finding, "other_kind") != ompd_cl_kind_memobj)
        text_put(text, "a command of ");
    view_finding_add_named(view, finding, "other", text);
    text_put(text, view_row_number(finding, "other_kind") == ompd_cl_kind_memobj
                       ? " uses,"
                       : " has yet to use,");
}

static void describe_host(ompd_view_t *view, const struct view_row *finding, const char *words,
                          struct text *text)
{
    view_finding_add_named(view, finding, "object", text);
    add_user(view, finding, text);
    text_add(text, " uses host memory %s", words);
    add_memory(view, finding, text);
    if (view_value_is_known(view_row_value(finding, "thread"))) {
        text_put(text, ", on the stack of ");
        view_thread_describe(view, view_row_number(finding, "thread"), false, text);
    }
    if (view_row_number(finding, "other_kind") == ompd_cl_kind_memobj ||
        !view_value_is_known(view_row_value(finding, "other_kind"))) {
        view_finding_add_makers(view, finding, "made", text);
        return;
    }
    view_finding_add_maker(view, finding, "; made", "caller", "lwp", text);
    view_finding_add_maker(view, finding, ", enqueued", "other_caller", "other_lwp", text);
}

/* What calls the callback that FINDING is about, by the kind of its object. */
static const char *noun_of_callback(const struct view_row *finding)
{
    switch (view_row_number(finding, "object_kind")) {
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

static void describe_lost_callback(struct view_renderer *renderer, const struct view_row *finding,
                                   struct text *text)
{
    ompd_view_t *view = renderer->view;
    bool is_of_queue = view_row_number(finding, "object_kind") == ompd_cl_kind_queue;

    text_add(text, "the %s of ", noun_of_callback(finding));
    view_finding_add_named(view, finding, "object", text);
    text_add(text, " is 0x%" PRIx64 ", where there is no code",
             view_row_number(finding, "function"));
    if (view_value_is_known(view_row_value(finding, "thread"))) {
        text_put(text, ", and ");
        view_thread_describe(view, view_row_number(finding, "thread"), false, text);
        text_put(text, " is in it");
    }
    view_finding_add_makers(view, finding, is_of_queue ? "enqueued" : "registered", text);
}

/* Whether the thread in FINDING, of user data, runs the callback: it is not whose stack it was on.
 */
static bool is_thread_of_callback(const struct view_row *finding)
{
    uint64_t rule = view_row_number(finding, "rule");

    return view_value_is_known(view_row_value(finding, "thread")) &&
           (rule == ompd_cl_rule_user_data_freed || rule == ompd_cl_rule_user_data_unmapped);
}

/* Add "callback note at app.c:20 of event 0x5555 is to be called with user data that was freed". */
static void describe_user_data(struct view_renderer *renderer, const struct view_row *finding,
                               const char *words, struct text *text)
{
    ompd_view_t *view = renderer->view;
    bool is_of_queue = view_row_number(finding, "object_kind") == ompd_cl_kind_queue;

    add_function(renderer, finding, text);
    text_put(text, " of ");
    view_finding_add_named(view, finding, "object", text);
    if (is_thread_of_callback(finding)) {
        text_put(text, ", which runs in ");
        view_thread_describe(view, view_row_number(finding, "thread"), false, text);
        text_put(text, ",");
    }
    text_add(text, " %s called with user data %s, 0x%" PRIx64,
             is_thread_of_callback(finding) ? "was" : "is to be", words,
             view_row_number(finding, "address"));
    if (view_value_is_known(view_row_value(finding, "thread")) && !is_thread_of_callback(finding)) {
        text_put(text, " on the stack of ");
        view_thread_describe(view, view_row_number(finding, "thread"), false, text);
    }
    view_finding_add_maker(view, finding, is_of_queue ? "; enqueued" : "; registered", "caller",
                           "lwp", text);
    view_finding_add_registration(view, finding, text);
}

/* Add "buffer 0x5555 was released at main at app.c:9 by LWP 4711, when it had no references left",
 * or that it was used. */
static void describe_release(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    bool is_use = view_row_number(finding, "rule") == ompd_cl_rule_used_after_release;

    view_finding_add_named(view, finding, "object", text);
    if (is_use) {
        text_put(text, " was used in ");
        view_row_name(finding, "call", text);
    }
    view_finding_add_maker(view, finding, is_use ? "" : " was released", "caller", "lwp", text);
    text_put(text, ", when it had no references left");
    view_finding_add_maker(view, finding, "; the last was given back", "other_caller", "other_lwp",
                           text);
}

static void describe_setting(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    bool is_known = view_value_is_known(view_row_value(finding, "other_lwp"));

    text_put(text, "user ");
    view_finding_add_named(view, finding, "object", text);
    view_finding_add_maker(view, finding, " was set", "caller", "lwp", text);
    text_put(text, ", after it had been set before");
    if (view_value_is_known(view_row_value(finding, "other_caller"))) {
        view_finding_add_maker(view, finding, "", "other_caller", "other_lwp", text);
    } else if (is_known) {
        text_put(text, " by ");
        view_thread_describe(view, view_row_number(finding, "other_lwp"), false, text);
    }
    if (!is_known || !view_value_is_known(view_row_value(finding, "error")))
        return;
    text_put(text, " to ");
    view_row_name(finding, "error", text);
}

static void describe_releases(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    uint64_t count = view_row_number(finding, "count");
    uint64_t last = view_row_number(finding, "object");

    if (view_value_is_known(view_row_value(finding, "caller"))) {
        describe_release(view, finding, text);
        return;
    }
    if (!view_value_is_known(view_row_value(finding, "object"))) {
        text_put(text, "before that, objects with no references left were released ");
        count_add(text, count, "more time", "more times");
        return;
    }
    if (count == 1) {
        text_add(text, "object 0x%" PRIx64 " was released when it had no references left", last);
        return;
    }
    text_add(text,
             "objects with no references left were released %" PRIu64 " times, the last "
             "of them 0x%" PRIx64,
             count, last);
}

/* Of an object of which the program has references that the runtime has not. */
static void describe_unseen_release(ompd_view_t *view, const struct view_row *finding,
                                    struct text *text)
{
    struct view_value count = view_row_value(finding, "count");
    uint64_t has = view_row_number(finding, "runtime_count");

    view_finding_add_named(view, finding, "object", text);
    if (!view_value_is_known(count)) {
        text_put(text, " is gone, and its handle was given out again, though the program had "
                       "not released it");
    } else {
        text_put(text, ", of which the program has ");
        count_add(text, count.value, "reference", "references");
        if (has == 0)
            text_put(text, ", is gone");
        else
            text_add(text, ", has %" PRIu64 " in the runtime", has);
    }
    text_put(text, ": it was released where the recorder does not see it");
    view_finding_add_makers(view, finding, "made", text);
}

static void describe_another(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    uint64_t size = view_row_number(finding, "runtime_count");

    view_finding_add_named(view, finding, "object", text);
    if (size != 0) {
        text_put(text, ", which has ");
        size_describe(text, view_row_number(finding, "size"));
        text_put(text, ", is another in the runtime, of ");
        size_describe(text, size);
    } else {
        text_put(text, " is another in the runtime, of another OpenCL context");
    }
    text_put(text, ": it was released where the recorder does not see it");
    view_finding_add_makers(view, finding, "made", text);
}

static void describe_callbacks(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    view_finding_add_named(view, finding, "object", text);
    text_put(text, " has ");
    count_add(text, view_row_number(finding, "count"), "destructor callback",
              "destructor callbacks");
    text_add(text, " of the program, and %" PRIu64 " in the runtime",
             view_row_number(finding, "runtime_count"));
    view_finding_add_makers(view, finding, "made", text);
}

/* Of a command of a kernel. */
static void describe_svm_argument(ompd_view_t *view, const struct view_row *finding,
                                  struct text *text)
{
    text_put(text, "a command of ");
    view_finding_add_named(view, finding, "object", text);
    text_put(text, " has yet to end, and uses ");
    view_finding_add_named(view, finding, "other", text);
    text_put(text, ", which was freed");
    view_finding_add_maker(view, finding, "; enqueued", "caller", "lwp", text);
    view_finding_add_maker(view, finding, ", freed", "other_caller", "other_lwp", text);
}

static void describe_mapped(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    view_finding_add_named(view, finding, "object", text);
    text_put(text, " was freed while it was mapped");
    view_finding_add_maker(view, finding, "; freed", "caller", "lwp", text);
    view_finding_add_maker(view, finding, ", mapped", "other_caller", "other_lwp", text);
}

static void describe_svm(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    if (view_row_number(finding, "object_kind") == ompd_cl_kind_kernel) {
        describe_svm_argument(view, finding, text);
        return;
    }
    if (view_row_number(finding, "rule") == ompd_cl_rule_svm_used) {
        view_finding_add_named(view, finding, "object", text);
        text_put(text, " uses ");
        view_finding_add_named(view, finding, "other", text);
        text_put(text, ", which is freed before a command that uses the object");
        view_finding_add_maker(view, finding, "; the command was enqueued", "caller", "lwp", text);
        view_finding_add_maker(view, finding, ", the free", "other_caller", "other_lwp", text);
        return;
    }
    text_add(text, "SVM pointer 0x%" PRIx64 " is freed twice by what is enqueued",
             view_row_number(finding, "address"));
    view_finding_add_makers(view, finding, "enqueued", text);
}

static void describe_gone_argument(ompd_view_t *view, const struct view_row *finding,
                                   struct text *text)
{
    struct view_value count = view_row_value(finding, "count");
    bool is_released = view_value_is_known(view_row_value(finding, "other_lwp"));

    view_finding_add_named(view, finding, "object", text);
    text_put(text, " was enqueued");
    if (count.value > 1)
        text_add(text, " %s%" PRIu64 " times", view_value_bound(count), count.value);
    text_add(text, " with argument %" PRIu64 " ", view_row_number(finding, "argument"));
    view_finding_add_named(view, finding, "other", text);
    if (view_value_is_known(view_row_value(finding, "size"))) {
        text_put(text, " of ");
        size_describe(text, view_row_number(finding, "size"));
    }
    text_put(text,
             is_released ? ", whose last reference the program had released" : ", which was gone");
    view_finding_add_maker(view, finding, "; enqueued", "caller", "lwp", text);
    view_finding_add_maker(view, finding, ", released", "other_caller", "other_lwp", text);
}

static void describe_callback(struct view_renderer *renderer, const struct view_row *finding,
                              struct text *text)
{
    ompd_view_t *view = renderer->view;
    bool waits = view_row_number(finding, "rule") == ompd_cl_rule_callback_waits;

    add_function(renderer, finding, text);
    if (view_value_is_known(view_row_value(finding, "object"))) {
        text_put(text, " of ");
        view_finding_add_named(view, finding, "object", text);
    }
    text_put(text, waits ? " waits in " : " releases it by ");
    view_row_name(finding, "call", text);
    if (waits && view_value_is_known(view_row_value(finding, "other"))) {
        text_put(text, " for ");
        view_finding_add_named(view, finding, "other", text);
    }
    text_put(text, ", in ");
    view_thread_describe(view, view_row_number(finding, "thread"), false, text);
}

static void describe_build(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    text_put(text, "the last build of ");
    view_finding_add_named(view, finding, "object", text);
    text_put(text, " failed");
    if (view_value_is_known(view_row_value(finding, "error"))) {
        text_put(text, ": ");
        view_row_name(finding, "error", text);
    }
    view_finding_add_maker(view, finding, "; built", "other_caller", "other_lwp", text);
    view_finding_add_maker(view, finding, "; the program was made", "caller", "lwp", text);
    if (view_value_is_known(view_row_value(finding, "thread"))) {
        text_put(text, "; ");
        view_thread_describe(view, view_row_number(finding, "thread"), false, text);
        text_put(text, " then called ");
        view_row_name(finding, "call", text);
        text_put(text, " with it");
    }
}

/* Add "LWP 4711 is in clFinish", and what that works on. */
static void add_call(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    struct view_value object = view_row_value(finding, "object");

    view_thread_describe(view, view_row_number(finding, "thread"), false, text);
    text_put(text, " is in ");
    view_row_name(finding, "call", text);
    if (view_value_is_known(object) && object.value != 0)
        text_add(text, " (0x%" PRIx64 ")", object.value);
}

static void describe_forked(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    add_call(view, finding, text);
    text_add(text,
             " in a process that was forked from process %" PRIu64
             " after that had used OpenCL: threads of the runtime are not there",
             view_row_number(finding, "other_lwp"));
}

static void describe_exiting(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    uint64_t exiting = view_row_number(finding, "other_lwp");

    add_call(view, finding, text);
    if (exiting == view_row_number(finding, "thread")) {
        text_put(text, " within exit()");
    } else {
        text_put(text, " while ");
        view_thread_describe(view, exiting, false, text);
        text_put(text, " is in exit()");
    }
    text_put(text, ", where the runtime may have ended before");
    if (view_value_is_known(view_row_value(finding, "count"))) {
        text_put(text, "; ");
        count_add(text, view_row_number(finding, "count"), "object is", "objects are");
        text_put(text, " still there");
    }
}

/* Add the first line of the log that the program of FINDING has. */
static void add_log(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    struct view_object program;
    struct view_value log;
    struct text line = {0};

    if (!view_object_look(view, ompd_cl_kind_program, view_row_number(finding, "object"), &program))
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
    return view_row_number(finding, "rule") != ompd_cl_rule_build_failed ||
           view_value_is_known(view_row_value(finding, "thread"));
}

void view_finding_add_log(ompd_view_t *view, const struct view_row *finding, struct text *text)
{
    if (view_row_number(finding, "rule") == ompd_cl_rule_build_failed)
        add_log(view, finding, text);
}

static void describe(struct view_renderer *renderer, const struct view_row *finding,
                     struct text *text)
{
    ompd_view_t *view = renderer->view;

    switch (view_row_number(finding, "rule")) {
    case ompd_cl_rule_host_unmapped:
        describe_host(view, finding, "that is not mapped", text);
        break;
    case ompd_cl_rule_host_freed:
        describe_host(view, finding, "that was freed", text);
        break;
    case ompd_cl_rule_host_on_stack:
        describe_host(view, finding, "of a function that has returned", text);
        break;
    case ompd_cl_rule_callback_code:
        describe_lost_callback(renderer, finding, text);
        break;
    case ompd_cl_rule_over_release:
        describe_releases(view, finding, text);
        break;
    case ompd_cl_rule_used_after_release:
        describe_release(view, finding, text);
        break;
    case ompd_cl_rule_set_twice:
        describe_setting(view, finding, text);
        break;
    case ompd_cl_rule_svm_freed_twice:
    case ompd_cl_rule_svm_used:
        describe_svm(view, finding, text);
        break;
    case ompd_cl_rule_svm_mapped:
        describe_mapped(view, finding, text);
        break;
    case ompd_cl_rule_argument_gone:
        describe_gone_argument(view, finding, text);
        break;
    case ompd_cl_rule_user_data_freed:
        describe_user_data(renderer, finding, "that was freed", text);
        break;
    case ompd_cl_rule_user_data_on_stack:
        describe_user_data(renderer, finding, "of a function that has returned", text);
        break;
    case ompd_cl_rule_user_data_unmapped:
        describe_user_data(renderer, finding, "that is not mapped", text);
        break;
    case ompd_cl_rule_user_data_of_ended:
        describe_user_data(renderer, finding, "of a thread that has ended", text);
        break;
    case ompd_cl_rule_runtime_released:
        describe_unseen_release(view, finding, text);
        break;
    case ompd_cl_rule_runtime_other:
        describe_another(view, finding, text);
        break;
    case ompd_cl_rule_runtime_callbacks:
        describe_callbacks(view, finding, text);
        break;
    case ompd_cl_rule_callback_waits:
    case ompd_cl_rule_callback_releases:
        describe_callback(renderer, finding, text);
        break;
    case ompd_cl_rule_build_failed:
        describe_build(view, finding, text);
        break;
    case ompd_cl_rule_wrong_handle:
        view_finding_describe_handle(view, finding, text);
        break;
    case ompd_cl_rule_forked:
        describe_forked(view, finding, text);
        break;
    case ompd_cl_rule_exiting:
        describe_exiting(view, finding, text);
        break;
    default:
        view_row_name(finding, "rule", text);
        break;
    }
}

void view_finding_describe(struct view_renderer *renderer, const struct view_row *finding,
                           struct text *text)
{
    describe(renderer, finding, text);
    view_finding_add_times(finding, text);
}
