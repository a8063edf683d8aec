/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See context.h: errors and gaps met by a command, and the front end's own messages. */
#include <view/context/context.h>

#include <ctype.h>
#include <string.h>

const char *view_verb_prefix(const ompd_view_t *view)
{
    if (view->page != NULL)
        return "";
    return view->front_end.verb_prefix != NULL ? view->front_end.verb_prefix : "";
}

const char *view_option_prefix(const ompd_view_t *view)
{
    return view->front_end.option_prefix != NULL ? view->front_end.option_prefix : "-";
}

bool view_fail(ompd_view_t *view, ompd_view_exit_t code, const char *format, ...)
{
    struct text *message = &view->message;
    va_list arguments;

    if (view->failure != ompd_view_exit_ok)
        return false;
    view->failure = code;
    va_start(arguments, format);
    text_add_list(message, format, arguments);
    va_end(arguments);
    if (message->length != 0 && message->bytes[message->length - 1] != '.')
        text_put(message, ".");
    return false;
}

void view_add_reason(const ompd_view_t *view, ompd_rc_t rc, struct text *text)
{
    const char *setting = view->front_end.memory_limit_setting;
    const char *message = "";
    size_t length;
    int first;

    ompd_cl_message_get(view->use.space, &message);
    length = strlen(message);
    if (length == 0) {
        text_add(text, "The library returned error code %d.", (int)rc);
        return;
    }
    first = toupper((unsigned char)message[0]);
    if (rc == ompd_rc_nomem && setting != NULL && view->use.has_memory_limit &&
        message[length - 1] == '.')
        text_add(text, "%c%.*s (%s).", first, (int)length - 2, message + 1, setting);
    else
        text_add(text, "%c%s", first, message + 1);
}

/* Record that a call of libompd-opencl failed. */
static void fail_by_library(ompd_view_t *view, ompd_rc_t rc)
{
    struct text message = {0};
    const char *better = NULL;

    view_add_reason(view, rc, &message);
    if (view->front_end.explain != NULL && rc != ompd_rc_nomem)
        better = view->front_end.explain(view->front_end.user_ptr, rc, message.bytes);
    view_fail(view, ompd_view_exit_unreadable, "%s", better != NULL ? better : message.bytes);
    text_free(&message);
}

void view_interrupt_check(ompd_view_t *view)
{
    const ompd_view_front_end_t *front_end = &view->front_end;

    if (front_end->is_interrupted != NULL && front_end->is_interrupted(front_end->user_ptr))
        view->is_stopped = true;
}

/* Record the library's remark on missing data, from a call that returned RC, the first time. */
static void context_reason_record(ompd_view_t *view, ompd_rc_t rc)
{
    const char *message = "";

    ompd_cl_message_get(view->use.space, &message);
    if (view->why_incomplete.length == 0 && message[0] != '\0')
        view_add_reason(view, rc, &view->why_incomplete);
}

bool view_check(ompd_view_t *view, ompd_rc_t rc)
{
    const ompd_view_front_end_t *front_end = &view->front_end;

    if (front_end->progress != NULL)
        front_end->progress(front_end->user_ptr, NULL, 0);
    if (rc == ompd_rc_interrupted)
        view->is_stopped = true;
    else if (rc != ompd_rc_ok)
        view_interrupt_check(view);
    if (view->is_stopped)
        return view_fail(view, ompd_view_exit_stopped, "Interrupted.");
    if (rc == ompd_rc_incomplete) {
        context_reason_record(view, rc);
        view->is_incomplete = true;
    }
    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
        return true;
    fail_by_library(view, rc);
    return false;
}

ompd_view_exit_t view_result(const ompd_view_t *view)
{
    if (view->failure != ompd_view_exit_ok)
        return view->failure;
    if (view->is_incomplete)
        return ompd_view_exit_incomplete;
    return view->has_findings ? ompd_view_exit_findings : ompd_view_exit_ok;
}

size_t view_width_get(const ompd_view_t *view)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    uint32_t width = front_end->width != NULL ? front_end->width(front_end->user_ptr) : 0;

    return width != 0 ? width : SIZE_MAX;
}

const ompd_view_verb_t *view_builtin_verb_get(const ompd_view_t *view, size_t index)
{
    return index < view->verb_count ? &view->verbs[index] : NULL;
}

PUBLIC const ompd_view_verb_t *ompd_view_verb_get(ompd_view_t *view, size_t index)
{
    if (index < view->verb_count)
        return &view->verbs[index];
    index -= view->verb_count;
    return index < view->front_end.verb_count ? &view->front_end.verbs[index] : NULL;
}
