/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>

static bool step_is_known(const struct view_row *step, const char *field)
{
    return view_value_is_known(view_row_value(step, field));
}

/* Whether STEP is the last of its chain, including returns to an earlier step. */
static bool is_end(const struct view_row *step)
{
    return step_is_known(step, "end") && view_row_number(step, "end") != ompd_cl_wait_end_cycle;
}

/* Add "event 0x5555 (marker)", with its command if nothing else shows it. */
static void name_event(struct view_renderer *renderer, const struct view_row *step,
                       struct text *text)
{
    uint64_t state = view_row_number(step, "state");
    bool is_user = state == ompd_cl_event_state_unset || state == ompd_cl_object_state_app_released;
    bool is_found = view_row_number(step, "source") == ompd_cl_source_layout;

    view_phrase_add(renderer, step,
                    is_user    ? "user event {handle}"
                    : is_found ? "event {handle}[ ({type})]"
                               : "event {handle}",
                    text);
}

/* Add " spin", the name of a command's kernel. */
static void add_kernel(ompd_view_t *view, const struct view_row *step, struct text *text)
{
    struct view_object kernel;
    struct view_value name;

    if (!step_is_known(step, "kernel") || view_row_number(step, "kernel") == 0 ||
        !view_object_lookup(view, ompd_cl_kind_kernel, view_row_number(step, "kernel"), &kernel))
        return;
    name = view_row_value(&kernel.row, "name");
    if (!view_value_is_known(name))
        return;
    text_put(text, " ");
    text_escape(text, name.text);
}

void view_wait_step_name(struct view_renderer *renderer, const struct view_row *step,
                         struct text *text)
{
    switch (view_row_number(step, "kind")) {
    case ompd_cl_kind_thread:
        view_phrase_add(renderer, step, step_is_known(step, "thread") ? "{thread}" : "a thread",
                        text);
        break;
    case ompd_cl_kind_command:
        view_phrase_add(renderer, step, "command [{number} ]({type}", text);
        add_kernel(renderer->view, step, text);
        view_phrase_add(renderer, step, ")[ of command queue {queue}]", text);
        break;
    case ompd_cl_kind_queue:
        view_phrase_add(renderer, step, "command queue {handle}", text);
        break;
    default:
        name_event(renderer, step, text);
        break;
    }
}

/* Add ", made at main at app.c:9 by LWP 4711 (thread 1)". */
static void add_maker(struct view_renderer *renderer, const struct view_row *step,
                      struct text *text)
{
    bool is_command = view_row_number(step, "kind") == ompd_cl_kind_command;

    view_phrase_add(renderer, step, is_command ? "{@, enqueued}" : "{@, made}", text);
    if (is_command && is_end(step) && step_is_known(step, "lwp") &&
        view_row_number(step, "caller") != 0)
        view_phrase_add(renderer, step, "[ at {since}]", text);
}

/* Add "waits for mutex 0x5555 <lock>, locked by": what STEP waits for outside OpenCL. */
static void add_lock_wait(struct view_renderer *renderer, const struct view_row *step,
                          struct text *text)
{
    switch (view_row_number(step, "lock")) {
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
    view_location_data(renderer->view, view_row_number(step, "mutex"), text);
    text_put(text, ", locked by");
}

/* Add ", in callback f at app.c:9, which waits for mutex 0x5555 <lock>, locked by": the state of
 * a thread that does not wait for an OpenCL object. */
static void add_lock(struct view_renderer *renderer, const struct view_row *step, struct text *text)
{
    bool is_plain = view_row_number(step, "step") == 1 && !step_is_known(step, "function") &&
                    !step_is_known(step, "call");

    view_phrase_add(renderer, step, "[, in {callback}][, in {call}]", text);
    text_put(text, is_plain ? " " : ", which ");
    add_lock_wait(renderer, step, text);
}

/* Add " for 2 more events and", which " for" and the next step follow. */
static void add_more_events(const struct view_row *step, struct text *text)
{
    uint64_t count = view_row_number(step, "more_events");

    if (count == 0)
        return;
    text_put(text, " for ");
    count_add(text, count, "more event", "more events");
    text_put(text, " and");
}

/* Add ", in callback f at app.c:9, which waits in clFinish": the state of a thread. */
static void add_doing(struct view_renderer *renderer, const struct view_row *step,
                      struct text *text)
{
    uint64_t state = view_row_number(step, "state");
    bool is_first = view_row_number(step, "step") == 1;
    bool is_in_callback = step_is_known(step, "function");

    view_phrase_add(renderer, step, "[, in {callback}]", text);
    if (!step_is_known(step, "call")) {
        view_phrase_add(renderer, step, "[ since {since}]", text);
        return;
    }
    text_put(text, is_in_callback || !is_first ? ", " : " ");
    if (!is_first)
        text_put(text, "which ");
    if (view_row_value(step, "call").status == ompd_cl_status_presumed)
        text_put(text, "presumably ");
    view_phrase_add(renderer, step,
                    state == ompd_cl_thread_state_builds ? "builds in {call}" : "waits in {call}",
                    text);
    if (state == ompd_cl_thread_state_builds && step_is_known(step, "handle")) {
        view_phrase_add(renderer, step, " program {handle}", text);
        add_maker(renderer, step, text);
        view_phrase_add(renderer, step, "[, since {since}]", text);
        return;
    }
    view_phrase_add(renderer, step, "[ since {since}]", text);
    add_more_events(step, text);
}

void view_wait_step_describe(struct view_renderer *renderer, const struct view_row *step,
                             struct text *text)
{
    bool is_thread = view_row_number(step, "kind") == ompd_cl_kind_thread;
    bool has_lock = step_is_known(step, "lock");

    view_wait_step_name(renderer, step, text);
    if (has_lock)
        add_lock(renderer, step, text);
    else if (is_thread)
        add_doing(renderer, step, text);
    else
        add_maker(renderer, step, text);
    if (has_lock && is_end(step))
        view_phrase_add(renderer, step, "[ {owner}]", text);
    if (is_end(step))
        text_put(text, ".");
    else if (!has_lock)
        text_put(text, is_thread && step_is_known(step, "call") ? " for" : ", which waits for");
}

/* Add ", and LWP 4711 (thread 1) is not known to wait for ever": why the chain of STEP may not
 * be a mistake. */
static void step_others_add(struct view_renderer *renderer, const struct view_row *step,
                            struct text *text)
{
    view_phrase_add(renderer, step,
                    step_is_known(step, "other") ? ", and {other} is not known to be stuck"
                                                 : "[; {reason}]",
                    text);
}

/* Add "; its handle is in the user data of callback f at app.c:9 of event 0x5555", if known. */
static void add_carrier(struct view_renderer *renderer, const struct view_row *step,
                        struct text *text)
{
    const ompd_cl_field_t *field = view_kind_field(step->kind, "function");

    if (!step_is_known(step, "function"))
        return;
    text_put(text, "; its handle is in the user data of callback ");
    view_cell_value(renderer->view, field, view_row_field(step, field), text);
    view_phrase_add(renderer, step, "[ of event {event}][, which {thread} runs]", text);
}

/* Add that the user event at the end of STEP's chain is not set. */
static void add_unset(struct view_renderer *renderer, const struct view_row *step,
                      struct text *text)
{
    if (view_row_number(step, "state") == ompd_cl_object_state_app_released) {
        text_put(text, "nobody has set it, and nobody can, because the program has released its "
                       "last reference");
        return;
    }
    if (view_row_number(step, "is_mistake") != 0) {
        view_phrase_add(renderer, step,
                        step_is_known(step, "reason")
                            ? "nobody has set it; {reason}"
                            : "nobody has set it, and nobody is left to set it",
                        text);
    } else {
        text_put(text, "it has not been set yet");
        step_others_add(renderer, step, text);
    }
    add_carrier(renderer, step, text);
}

/* Add that BACK waits for itself, perhaps a thread for a mutex that it owns. */
static void add_cycle(const struct view_row *step, const char *back, struct text *text)
{
    bool is_presumed = view_row_value(step, "returns_to").status == ompd_cl_status_presumed;
    bool is_mutex = view_row_number(step, "lock") == ompd_cl_lock_mutex;

    if (step_is_known(step, "lock") &&
        view_row_number(step, "owner") == view_row_number(step, "thread")) {
        text_add(text, "%s waits for the %s that it has already locked", back,
                 is_mutex ? "mutex" : "read-write lock");
        if (is_mutex)
            text_put(text, " (normal mutex)");
        return;
    }
    text_add(text, "%s %swaits for itself", back, is_presumed ? "presumably " : "");
}

/* Add that the command of STEP was not flushed. */
static void add_unflushed(struct view_renderer *renderer, const struct view_row *step,
                          struct text *text)
{
    bool is_mistake = view_row_number(step, "is_mistake") != 0;

    text_add(text, "it %s flushed, so the runtime need not start it",
             is_mistake ? "was never" : "has not yet been");
    if (!is_mistake)
        step_others_add(renderer, step, text);
}

/* Add that the semaphore that the command of STEP waits for will not be signaled. */
static void add_unsignaled(struct view_renderer *renderer, const struct view_row *step,
                           struct text *text)
{
    bool is_mistake = view_row_number(step, "is_mistake") != 0;

    view_phrase_add(renderer, step,
                    "no command has been enqueued that signals semaphore {semaphore}", text);
    if (!is_mistake)
        step_others_add(renderer, step, text);
    else
        view_phrase_add(renderer, step,
                        step_is_known(step, "reason") ? "; {reason}"
                                                      : ", and nobody is left to enqueue it",
                        text);
}

/* The state of the thread that owns the lock, or that must finish, for STEP to go on. */
static const char *phrase_of_owner(const struct view_row *step)
{
    if (view_row_number(step, "lock") == ompd_cl_lock_thread)
        return "{owner} has not ended; it may just be slow";
    if (view_row_number(step, "is_mistake") != 0)
        return "{owner}, which had locked it, no longer exists";
    return "{owner} has not unlocked it; it may just be slow";
}

/* The fixed text for the end of STEP, or else why the next step is unknown. */
static const char *phrase_of_end(const struct view_row *step)
{
    switch (view_row_number(step, "end")) {
    case ompd_cl_wait_end_failed:
        return "it has failed[ with {error}], so nothing that waits for it can run";
    case ompd_cl_wait_end_callback:
        return "the callback has not returned; it may just be slow";
    case ompd_cl_wait_end_mutex:
        return phrase_of_owner(step);
    case ompd_cl_wait_end_build:
        return "the build has not ended; it may just be slow";
    case ompd_cl_wait_end_device:
        return "nothing is known to block it; it may just be slow";
    case ompd_cl_wait_end_behind:
        return "nothing is known to block it, but an earlier command of this out-of-order queue is "
               "stuck, and the runtime may run them in order";
    default:
        return "the next step is unknown: {reason}";
    }
}

void view_wait_step_end(struct view_renderer *renderer, const struct view_row *step,
                        const char *back, struct text *text)
{
    text_put(text, view_row_number(step, "is_mistake") != 0 ? "Mistake: " : "End: ");
    switch (view_row_number(step, "end")) {
    case ompd_cl_wait_end_cycle:
        add_cycle(step, back, text);
        break;
    case ompd_cl_wait_end_user_event:
        add_unset(renderer, step, text);
        break;
    case ompd_cl_wait_end_unflushed:
        add_unflushed(renderer, step, text);
        break;
    case ompd_cl_wait_end_semaphore:
        add_unsignaled(renderer, step, text);
        break;
    default:
        view_phrase_add(renderer, step, phrase_of_end(step), text);
        break;
    }
    text_put(text, ".");
}
