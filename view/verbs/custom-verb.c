/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions for a front end's own verbs: text and words, and the result of the command. */
#include <view/verbs/verbs.h>

#include <string.h>

/* What a call does after its arguments are valid. */
struct work {
    struct view_call *call;
    void (*work)(void *call);
};

static void do_work(void *argument)
{
    const struct work *work = argument;
    ompd_view_t *view = work->call->view;

    if (view->custom == NULL)
        view->custom = heap_get(sizeof(*view->custom));
    work->call->custom = view->custom;
    work->work(work->call);
}

ompd_rc_t view_call_run(struct view_call *call, void (*work)(void *call))
{
    ompd_view_t *view = call->view;
    struct work guarded = {call, work};
    bool has_memory;

    if (view == NULL || !view->runs_verb)
        return ompd_rc_bad_input;
    if (view->is_in_call)
        return ompd_rc_busy;
    if (view->is_out_of_memory)
        return ompd_rc_nomem;
    if (view->is_stopped)
        return ompd_rc_interrupted;
    call->rc = ompd_rc_ok;
    view->is_in_call = true;
    has_memory = view_guard(view, do_work, &guarded);
    view->is_in_call = false;
    if (!has_memory)
        return ompd_rc_nomem;
    return view->is_stopped ? ompd_rc_interrupted : call->rc;
}

void view_custom_end(ompd_view_t *view)
{
    struct view_custom_verb *custom = view->custom;

    if (custom == NULL)
        return;
    view_custom_table_drop(custom);
    for (size_t i = 0; i < custom->depth; i++) {
        text_free(&custom->open[i].unknown);
        text_free(&custom->open[i].presumed);
        text_free(&custom->open[i].at_least);
    }
    text_free(&custom->line);
    text_free(&custom->answer);
    heap_free(custom);
    view->custom = NULL;
}

/* ---- Values ---------------------------------------------------------------------------------- */

bool view_custom_type_is_known(ompd_cl_type_t type)
{
    return type >= ompd_cl_type_handle && type <= ompd_cl_type_duration &&
           type != ompd_cl_type_flags && type != ompd_cl_type_name && type != ompd_cl_type_state &&
           type != ompd_cl_type_time;
}

/* Read a VALUE whose status says that it is known. False if it is malformed. */
static bool take_known(const ompd_view_value_t *value, struct view_value *known)
{
    if (value->type == ompd_cl_type_text) {
        if (value->text == NULL)
            return false;
        known->text = value->text;
        known->is_text = true;
        known->length = strlen(value->text);
        return true;
    }
    known->value = value->number;
    return value->frame_count == 0 || value->frames != NULL;
}

bool view_custom_value(const ompd_view_value_t *value, struct view_value *known)
{
    if (value == NULL || value->struct_size < sizeof(*value) ||
        !view_custom_type_is_known(value->type) || value->status < ompd_cl_status_none ||
        value->status > ompd_cl_status_at_least)
        return false;
    *known = (struct view_value){.status = value->status, .text = ""};
    if (view_value_is_known(*known))
        return take_known(value, known);
    if (value->text != NULL)
        known->text = value->text;
    if (value->status == ompd_cl_status_changing)
        known->lwp = (uint32_t)value->number;
    return true;
}

void view_custom_reason(struct view_value value, struct text *text)
{
    struct text reason = {0};

    view_value_reason(value, &reason);
    text_escape(text, text_get(&reason));
    text_free(&reason);
}

ompd_cl_field_t view_custom_field(const char *name, ompd_cl_type_t type)
{
    return (ompd_cl_field_t){.name = name,
                             .title = "",
                             .help = "",
                             .unit = type == ompd_cl_type_bytes ? "B" : "",
                             .type = type,
                             .in_table = 1};
}

/* ---- Text ------------------------------------------------------------------------------------ */

struct text_call {
    struct view_call call;
    ompd_view_style_t style;
    const char *text;
};

static void custom_text_write(void *argument)
{
    struct text_call *call = argument;
    ompd_view_t *view = call->call.view;
    struct text text = {0};

    if (call->text == NULL || call->style < ompd_view_style_plain ||
        call->style > ompd_view_style_note || view->options.is_json ||
        call->call.custom->table != NULL) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    text_escape_lines(&text, call->text);
    view_write_styled(view, call->style, text_get(&text));
    text_free(&text);
}

PUBLIC ompd_rc_t ompd_view_text_write(ompd_view_t *view, ompd_view_style_t style, const char *text)
{
    struct text_call call = {{.view = view}, style, text};

    return view_call_run(&call.call, custom_text_write);
}

static void custom_flush(void *argument)
{
    struct view_call *call = argument;

    view_flush(call->view);
}

PUBLIC ompd_rc_t ompd_view_text_flush(ompd_view_t *view)
{
    struct view_call call = {.view = view};

    return view_call_run(&call, custom_flush);
}

/* ---- Words ----------------------------------------------------------------------------------- */

struct words_call {
    struct view_call call;
    const ompd_view_value_t *value;
    const void *overview;
};

/* The words that CALL has gathered; "" if it failed. */
static const char *custom_words_get(struct words_call *call, void (*work)(void *call))
{
    ompd_rc_t rc = view_call_run(&call->call, work);

    return rc == ompd_rc_ok ? text_get(&call->call.custom->answer) : "";
}

static void describe_known(ompd_view_t *view, const ompd_view_value_t *value,
                           struct view_value known, struct text *text)
{
    const ompd_cl_field_t field = view_custom_field("", value->type);

    text_put(text, view_value_bound(known));
    if (value->type == ompd_cl_type_stack)
        view_site_stack(view, value->frames, value->frame_count, "", text);
    else if (value->type == ompd_cl_type_caller && value->frame_count != 0)
        view_site_describe(view, view_site_of_frames(view, value->frames, value->frame_count),
                           text);
    else if (value->type == ompd_cl_type_bytes)
        size_describe(text, value->number);
    else
        view_cell_value(view, &field, known, text);
    view_presumed_mark(known, text);
}

static void describe_value(void *argument)
{
    struct words_call *call = argument;
    struct text *text = &call->call.custom->answer;
    struct view_value known;

    text_clear(text);
    if (!view_custom_value(call->value, &known)) {
        call->call.rc = ompd_rc_bad_input;
    } else if (view_value_is_absent(known)) {
        text_put(text, VIEW_ABSENT);
    } else if (view_value_is_known(known)) {
        describe_known(call->call.view, call->value, known, text);
    } else {
        text_put(text, VIEW_UNKNOWN " (");
        view_custom_reason(known, text);
        text_put(text, ")");
    }
}

PUBLIC const char *ompd_view_value_describe(ompd_view_t *view, const ompd_view_value_t *value)
{
    struct words_call call = {.call = {.view = view}, .value = value};

    return custom_words_get(&call, describe_value);
}

static void describe_overview(void *argument)
{
    struct words_call *call = argument;
    struct text *text = &call->call.custom->answer;
    struct view_object overview;
    struct text happening = {0};

    text_clear(text);
    if (!view_object_copy(&overview, ompd_cl_kind_overview, call->overview)) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    view_overview_counts(&overview.row, text);
    view_activity_summary_add(call->call.view, &overview.row, &happening);
    if (happening.length != 0)
        text_add(text, "; %s", happening.bytes);
    text_free(&happening);
}

PUBLIC const char *ompd_view_overview_describe(ompd_view_t *view,
                                               const ompd_cl_overview_info_t *overview)
{
    struct words_call call = {.call = {.view = view}, .overview = overview};

    return custom_words_get(&call, describe_overview);
}

static void custom_keepers_write(void *argument)
{
    struct view_call *call = argument;
    struct view_keepers keepers = {0};

    view_keepers_find(&keepers, call->view, 0);
    view_keepers_narrow(&keepers, false);
    if (call->view->options.is_json)
        view_keepers_json_write(call->view, &keepers);
    else
        view_keepers_write(call->view, &keepers, "");
    view_keepers_free(&keepers);
}

PUBLIC ompd_rc_t ompd_view_keepers_write(ompd_view_t *view)
{
    struct view_call call = {.view = view};

    return view_call_run(&call, custom_keepers_write);
}

/* ---- Result of the command ------------------------------------------------------------------- */

struct failure_call {
    struct view_call call;
    ompd_view_exit_t code;
    const char *sentence;
    ompd_rc_t rc;
};

static void custom_fail(void *argument)
{
    struct failure_call *call = argument;

    if (call->sentence == NULL ||
        (call->code != ompd_view_exit_usage && call->code != ompd_view_exit_unreadable &&
         call->code != ompd_view_exit_incomplete))
        call->call.rc = ompd_rc_bad_input;
    else
        view_fail(call->call.view, call->code, "%s", call->sentence);
}

PUBLIC ompd_rc_t ompd_view_command_fail(ompd_view_t *view, ompd_view_exit_t code,
                                        const char *sentence)
{
    struct failure_call call = {.call = {.view = view}, .code = code, .sentence = sentence};

    return view_call_run(&call.call, custom_fail);
}

PUBLIC ompd_view_exit_t ompd_view_result_get(ompd_view_t *view)
{
    if (view == NULL)
        return ompd_view_exit_usage;
    if (view->is_out_of_memory)
        return ompd_view_exit_unreadable;
    return view->is_stopped ? ompd_view_exit_stopped : view_result(view);
}

static void check_rc(void *argument)
{
    struct failure_call *call = argument;

    if (!view_check(call->call.view, call->rc))
        call->call.rc = call->rc;
}

PUBLIC ompd_rc_t ompd_view_rc_check(ompd_view_t *view, ompd_rc_t rc)
{
    struct failure_call call = {.call = {.view = view}, .rc = rc};

    return view_call_run(&call.call, check_rc);
}

struct use_call {
    struct view_call call;
    const ompd_view_use_t *use;
};

static void set_use(void *argument)
{
    struct use_call *call = argument;
    ompd_view_t *view = call->call.view;

    if (call->use == NULL || call->use->struct_size < sizeof(call->use->struct_size) ||
        call->use->struct_size > sizeof(view->use)) {
        call->call.rc = ompd_rc_bad_input;
        return;
    }
    view->use = (ompd_view_use_t){.row_limit = UINT64_MAX};
    memcpy(&view->use, call->use, call->use->struct_size);
    view->use.struct_size = sizeof(view->use);
}

PUBLIC ompd_rc_t ompd_view_use_set(ompd_view_t *view, const ompd_view_use_t *use)
{
    struct use_call call = {{.view = view}, use};

    return view_call_run(&call.call, set_use);
}
