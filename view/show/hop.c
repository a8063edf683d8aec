/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>
#include <text/size.h>

static bool is_known(const struct view_row *hop, const char *field)
{
    return view_value_is_known(view_row_value(hop, field));
}

/* Tell whether nothing comes after HOP, not even what comes back to one before. */
static bool is_end(const struct view_row *hop)
{
    return is_known(hop, "end") && view_row_number(hop, "end") != ompd_cl_end_cycle;
}

/* Add the callback that a thread is in. */
static void add_callback(struct view_renderer *renderer, const struct view_row *hop,
                         struct text *text)
{
    text_put(text, "callback ");
    view_cell_add(renderer, view_kind_field(hop->kind, "function"), hop, text);
}

/* Add "event 0x5555 (marker)": its command, where nothing else tells of that. */
static void name_event(const struct view_row *hop, struct text *text)
{
    uint64_t state = view_row_number(hop, "state");
    bool is_user = state == ompd_cl_state_unset || state == ompd_cl_state_app_released;

    text_add(text, "%s 0x%" PRIx64, is_user ? "user event" : "event",
             view_row_number(hop, "handle"));
    if (is_user || view_row_number(hop, "source") != ompd_cl_source_layout ||
        !is_known(hop, "type"))
        return;
    text_put(text, " (");
    view_row_name(hop, "type", text);
    text_put(text, ")");
}

/* Add " spin": the kernel of a command, by its name. */
static void add_kernel(ompd_view_t *view, const struct view_row *hop, struct text *text)
{
    struct view_object kernel;
    struct view_value name;

    if (!is_known(hop, "kernel") || view_row_number(hop, "kernel") == 0 ||
        !view_object_look(view, ompd_cl_kind_kernel, view_row_number(hop, "kernel"), &kernel))
        return;
    name = view_row_value(&kernel.row, "name");
    if (!view_value_is_known(name))
        return;
    text_put(text, " ");
    text_escape(text, name.text);
}

/* Add "command 2 (ndrange-kernel blur) of command queue 0x5555". */
static void name_command(ompd_view_t *view, const struct view_row *hop, struct text *text)
{
    text_put(text, "command ");
    if (is_known(hop, "number"))
        text_add(text, "%" PRIu64 " ", view_row_number(hop, "number"));
    text_put(text, "(");
    view_row_name(hop, "type", text);
    add_kernel(view, hop, text);
    text_put(text, ")");
    if (is_known(hop, "queue"))
        text_add(text, " of command queue 0x%" PRIx64, view_row_number(hop, "queue"));
}

void view_hop_name(struct view_renderer *renderer, const struct view_row *hop, struct text *text)
{
    uint64_t handle = view_row_number(hop, "handle");

    switch (view_row_number(hop, "kind")) {
    case ompd_cl_kind_thread:
        if (is_known(hop, "thread"))
            view_thread_describe(renderer->view, view_row_number(hop, "thread"), false, text);
        else
            text_put(text, "a thread");
        break;
    case ompd_cl_kind_command:
        name_command(renderer->view, hop, text);
        break;
    case ompd_cl_kind_queue:
        text_add(text, "command queue 0x%" PRIx64, handle);
        break;
    default:
        name_event(hop, text);
        break;
    }
}

/* Add " since 2026-11-23 18:10:02.123 UTC", with WORDS before the time, where that is known. */
static void add_time(ompd_view_t *view, const struct view_row *hop, const char *words,
                     struct text *text)
{
    if (!is_known(hop, "since"))
        return;
    text_put(text, words);
    view_cell_value(view, view_kind_field(hop->kind, "since"), view_row_value(hop, "since"), text);
}

/* Add ", made at main at app.c:9 by LWP 4711 (thread 1)". */
static void add_maker(ompd_view_t *view, const struct view_row *hop, struct text *text)
{
    bool is_command = view_row_number(hop, "kind") == ompd_cl_kind_command;
    struct view_value caller = view_row_value(hop, "caller");

    if (!view_value_is_known(caller) || caller.value == 0)
        return;
    text_put(text, is_command ? ", enqueued at " : ", made at ");
    view_site_describe_field(view, hop, "caller", text);
    if (!is_known(hop, "lwp"))
        return;
    text_put(text, " by ");
    view_thread_describe(view, view_row_number(hop, "lwp"), false, text);
    if (is_command && is_end(hop))
        add_time(view, hop, " at ", text);
}

/* Add "waits for mutex 0x5555 <lock>, locked by": what HOP waits for outside OpenCL. */
static void add_lock_wait(struct view_renderer *renderer, const struct view_row *hop,
                          struct text *text)
{
    switch (view_row_number(hop, "lock")) {
    case ompd_cl_lock_thread:
        text_put(text, "waits in pthread_join for");
        return;
    case ompd_cl_lock_condition:
        text_put(text, "waits in pthread_cond_wait");
        return;
    case ompd_cl_lock_rwlock:
        text_put(text, "waits for read-write lock ");
        break;
    default:
        text_put(text, "waits for mutex ");
        break;
    }
    view_place_data(renderer->view, view_row_number(hop, "mutex"), text);
    text_put(text, ", locked by");
}

/* Add ", in callback f at app.c:9, which waits for mutex 0x5555 <lock>, locked by": what a thread
 * does that waits for no object of OpenCL. */
static void add_lock(struct view_renderer *renderer, const struct view_row *hop, struct text *text)
{
    bool is_plain = view_row_number(hop, "step") == 1;

    if (is_known(hop, "function")) {
        text_put(text, ", in ");
        add_callback(renderer, hop, text);
        is_plain = false;
    }
    if (is_known(hop, "call")) {
        text_put(text, ", in ");
        view_row_name(hop, "call", text);
        is_plain = false;
    }
    text_put(text, is_plain ? " " : ", which ");
    add_lock_wait(renderer, hop, text);
}

/* Add " for 2 more events and": " for" and the next hop come behind it. */
static void add_more_events(const struct view_row *hop, struct text *text)
{
    uint64_t count = view_row_number(hop, "more_events");

    if (count == 0)
        return;
    text_put(text, " for ");
    count_add(text, count, "more event", "more events");
    text_put(text, " and");
}

/* Add ", in callback f at app.c:9, which waits in clFinish": what a thread does. */
static void add_doing(struct view_renderer *renderer, const struct view_row *hop, struct text *text)
{
    uint64_t state = view_row_number(hop, "state");
    bool is_first = view_row_number(hop, "step") == 1;
    bool is_in_callback = is_known(hop, "function");

    if (is_in_callback) {
        text_put(text, ", in ");
        add_callback(renderer, hop, text);
    }
    if (!is_known(hop, "call")) {
        add_time(renderer->view, hop, " since ", text);
        return;
    }
    text_put(text, is_in_callback || !is_first ? ", " : " ");
    if (!is_first)
        text_put(text, "which ");
    if (view_row_value(hop, "call").status == ompd_cl_status_presumed)
        text_put(text, "presumably ");
    text_put(text, state == ompd_cl_state_builds ? "builds in " : "waits in ");
    view_row_name(hop, "call", text);
    if (state == ompd_cl_state_builds && is_known(hop, "handle")) {
        text_add(text, " program 0x%" PRIx64, view_row_number(hop, "handle"));
        add_maker(renderer->view, hop, text);
        add_time(renderer->view, hop, ", since ", text);
        return;
    }
    add_time(renderer->view, hop, " since ", text);
    add_more_events(hop, text);
}

void view_hop_describe(struct view_renderer *renderer, const struct view_row *hop,
                       struct text *text)
{
    bool is_thread = view_row_number(hop, "kind") == ompd_cl_kind_thread;
    bool has_lock = is_known(hop, "lock");

    view_hop_name(renderer, hop, text);
    if (has_lock)
        add_lock(renderer, hop, text);
    else if (is_thread)
        add_doing(renderer, hop, text);
    else
        add_maker(renderer->view, hop, text);
    if (has_lock && is_end(hop) && is_known(hop, "owner")) {
        text_put(text, " ");
        view_thread_describe(renderer->view, view_row_number(hop, "owner"), false, text);
    }
    if (is_end(hop))
        text_put(text, ".");
    else if (!has_lock)
        text_put(text, is_thread && is_known(hop, "call") ? " for" : ", which waits for");
}

/* Add ", and LWP 4711 (thread 1) is not known to wait for ever": why the chain of HOP is not known
 * to be a mistake. */
static void add_others(ompd_view_t *view, const struct view_row *hop, struct text *text)
{
    struct view_value other = view_row_value(hop, "other");

    if (view_value_is_known(other)) {
        text_put(text, ", and ");
        view_thread_describe(view, other.value, false, text);
        text_put(text, " is not known to wait for ever");
    } else if (is_known(hop, "reason")) {
        text_add(text, "; %s", view_row_value(hop, "reason").text);
    }
}

/* Add "; its handle is in the user data of callback f at app.c:9 of event 0x5555", where it is. */
static void add_carrier(ompd_view_t *view, const struct view_row *hop, struct text *text)
{
    const ompd_cl_field_t *field = view_kind_field(hop->kind, "function");

    if (!is_known(hop, "function"))
        return;
    text_put(text, "; its handle is in the user data of callback ");
    view_cell_value(view, field, view_row_field(hop, field), text);
    if (is_known(hop, "event"))
        text_add(text, " of event 0x%" PRIx64, view_row_number(hop, "event"));
    if (!is_known(hop, "thread"))
        return;
    text_put(text, ", which ");
    view_thread_describe(view, view_row_number(hop, "thread"), false, text);
    text_put(text, " runs");
}

/* Add that the user event is not set that the chain of HOP ends with. */
static void add_unset(ompd_view_t *view, const struct view_row *hop, struct text *text)
{
    if (view_row_number(hop, "state") == ompd_cl_state_app_released) {
        text_put(text, "nobody has set it, and the program has released its last reference, so "
                       "that nobody may");
        return;
    }
    if (view_row_number(hop, "is_mistake") != 0) {
        text_put(text, "nobody has set it");
        if (is_known(hop, "reason"))
            text_add(text, "; %s", view_row_value(hop, "reason").text);
        else
            text_put(text, ", and nobody is left to set it");
    } else {
        text_put(text, "it is not set so far");
        add_others(view, hop, text);
    }
    add_carrier(view, hop, text);
}

/* Add that what is called BACK waits for itself: a thread perhaps as it has the mutex. */
static void add_cycle(const struct view_row *hop, const char *back, struct text *text)
{
    bool is_presumed = view_row_value(hop, "returns_to").status == ompd_cl_status_presumed;
    bool is_mutex = view_row_number(hop, "lock") == ompd_cl_lock_mutex;

    if (is_known(hop, "lock") && view_row_number(hop, "owner") == view_row_number(hop, "thread")) {
        text_add(text, "%s waits for the %s that it has locked itself", back,
                 is_mutex ? "mutex" : "read-write lock");
        if (is_mutex)
            text_put(text, " (normal mutex)");
        return;
    }
    text_add(text, "%s %swaits for itself", back, is_presumed ? "presumably " : "");
}

/* Add that the command of HOP was not flushed. */
static void add_unflushed(ompd_view_t *view, const struct view_row *hop, struct text *text)
{
    bool is_mistake = view_row_number(hop, "is_mistake") != 0;

    text_add(text, "it %s flushed, so that the runtime need not begin it",
             is_mistake ? "was never" : "is so far not");
    if (!is_mistake)
        add_others(view, hop, text);
}

/* Add what the thread does that has locked what HOP waits for, or that is to end. */
static void add_owner(ompd_view_t *view, const struct view_row *hop, struct text *text)
{
    view_thread_describe(view, view_row_number(hop, "owner"), false, text);
    if (view_row_number(hop, "lock") == ompd_cl_lock_thread)
        text_put(text, " has not ended; it may just be slow");
    else if (view_row_number(hop, "is_mistake") != 0)
        text_put(text, ", which has locked it, is not there any more");
    else
        text_put(text, " has not unlocked it; it may just be slow");
}

void view_hop_end(struct view_renderer *renderer, const struct view_row *hop, const char *back,
                  struct text *text)
{
    text_put(text, view_row_number(hop, "is_mistake") != 0 ? "Mistake: " : "End: ");
    switch (view_row_number(hop, "end")) {
    case ompd_cl_end_cycle:
        add_cycle(hop, back, text);
        break;
    case ompd_cl_end_user_event:
        add_unset(renderer->view, hop, text);
        break;
    case ompd_cl_end_unflushed:
        add_unflushed(renderer->view, hop, text);
        break;
    case ompd_cl_end_failed:
        text_put(text, "it has failed");
        if (view_value_is_known(view_row_value(hop, "error")))
            text_add(text, " with %" PRId64, (int64_t)view_row_number(hop, "error"));
        text_put(text, ", so that what waits for it cannot run");
        break;
    case ompd_cl_end_callback:
        text_put(text, "the callback has not returned; it may just be slow");
        break;
    case ompd_cl_end_mutex:
        add_owner(renderer->view, hop, text);
        break;
    case ompd_cl_end_build:
        text_put(text, "the build has not ended; it may just be slow");
        break;
    case ompd_cl_end_device:
        text_put(text, "nothing known keeps it from running; it may just be slow");
        break;
    case ompd_cl_end_behind:
        text_put(text, "nothing known keeps it from running; but a command before it in this "
                       "out-of-order queue waits for what does not come, and a runtime may keep "
                       "to their order");
        break;
    default:
        text_add(text, "what comes next is not known: %s", view_row_value(hop, "reason").text);
        break;
    }
    text_put(text, ".");
}
