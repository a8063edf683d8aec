/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every argument spoilt in every way, one at a time. */
#include "spoil.h"
#include "sweeps.h"

#include <string.h>

static const char *const way_names[] = {
    [sweep_null] = "NULL",
    [sweep_ones] = "~0",
    [sweep_one] = "1",
    [sweep_fill] = "0xa5...",
    [sweep_heap_word] = "a heap address",
    [sweep_random] = "random",
    [sweep_flipped] = "flipped bit",
    [sweep_all_null] = "all NULL",
    [sweep_several] = "several",
    [sweep_stale] = "stale",
    [sweep_ended] = "ended",
    [sweep_other_kind] = "other kind",
    [sweep_other_space] = "other space",
    [sweep_struct_size] = "struct_size",
    [sweep_newer_size] = "newer struct_size",
    [sweep_contents] = "contents",
    [sweep_entry] = "NULL entry",
};

static void complain(const struct sweep *sweep, const struct sweep_spoil *spoil, const char *what,
                     ompd_rc_t rc)
{
    sweep_complain("%s, argument %u, %s number %u, variant %u: %s (code %d)",
                   sweep->signature->name, spoil->argument, way_names[spoil->way], spoil->number,
                   spoil->variant, what, (int)rc);
}

/* Whether a request that was refused on a valid address space or thread has a message, and one
 * about NULL names it. */
static bool is_explained(const struct sweep *sweep, const struct sweep_spoil *spoil,
                         const struct sweep_session *session)
{
    const struct sweep_argument *spoilt = &sweep->signature->arguments[spoil->argument];
    const char *message;

    /* The function that returns the message does not change it. */
    if (sweep->signature->arguments[0].kind == sweep_space_or_null ||
        !sweep_is_handle(sweep->signature->arguments[0].kind) || sweep_is_handle(spoilt->kind) ||
        spoil->way == sweep_all_null || spoil->way == sweep_several)
        return true;
    if (ompd_cl_message_get(session->space, &message) != ompd_rc_ok)
        return false;
    if (spoil->way == sweep_null && (sweep_is_out(spoilt->kind) || sweep_is_in(spoilt->kind)))
        return strstr(message, " is NULL.") != NULL;
    return message[0] != '\0';
}

/* Judge what a spoilt request answered. */
static void judge(const struct sweep *sweep, const struct sweep_spoil *spoil,
                  const struct sweep_request *request, uint32_t codes,
                  const struct sweep_answer *clean, struct sweep_tally *tally)
{
    bool is_told = request->rc != ompd_rc_ok && request->rc != ompd_rc_incomplete;

    tally->faults++;
    if ((codes & SWEEP_CLEAN_CODE) != 0 || clean->rc != ompd_rc_ok)
        codes |= SWEEP_CODE(clean->rc);
    if ((unsigned)request->rc > 30 || (codes & SWEEP_CODE(request->rc)) == 0) {
        if (is_told)
            tally->wrong++;
        else
            tally->silent++;
        complain(sweep, spoil, "not the right code", request->rc);
    }
    if (is_told && !sweep_request_is_untouched(request)) {
        tally->wrong++;
        complain(sweep, spoil, "out parameters were touched", request->rc);
    }
    if (is_told && !is_explained(sweep, spoil, request->session)) {
        tally->wrong++;
        complain(sweep, spoil, "the message does not say why", request->rc);
    }
    if (!sweep_request_is_within(request)) {
        tally->wrong++;
        complain(sweep, spoil, "more was written than may be", request->rc);
    }
}

/* Have everything as it was before a request, whatever that was. */
static void repair(const struct sweep *sweep, struct sweep_session *session)
{
    if (session->space == NULL)
        sweep_session_open(session);
    if (sweep_argument_find(sweep->signature, sweep_monitor) < sweep->signature->count)
        ompd_cl_memory_monitor_set(session->space, sweep_session_monitor, session);
    if (sweep->target->restore != NULL) {
        sweep->target->restore();
        ompd_cl_address_space_refresh(session->space);
    }
}

/* Make the spoilt request, then the same rightly. */
static void ask_spoilt(const struct sweep *sweep, const struct sweep_spoil *spoil,
                       struct sweep_session *session, struct sweep_session *other,
                       const struct sweep_answer *clean, struct sweep_tally *tally)
{
    struct sweep_request request;
    struct sweep_answer again;
    uint32_t codes = 0;

    if (sweep_request_begin(&request, session, sweep->facts, sweep->signature, spoil->variant))
        codes = sweep_spoil_apply(spoil, &request, other);
    if (codes != 0) {
        sweep_request_send(&request);
        judge(sweep, spoil, &request, codes, clean, tally);
        sweep_request_undo(&request);
        repair(sweep, session);
    }
    sweep_request_end(&request);
    if (codes == 0)
        return;
    if (!sweep_answer_get(&again, session, sweep->facts, sweep->signature, spoil->variant)) {
        tally->wrong++;
        complain(sweep, spoil, "nothing can be asked afterwards", ompd_rc_ok);
        return;
    }
    if (!sweep_answer_equals(&again, clean)) {
        tally->wrong++;
        complain(sweep, spoil, "the clean call then has another answer", again.rc);
    }
    sweep_answer_free(&again);
}

static void run_spoil(const struct sweep *sweep, const struct sweep_spoil *spoil,
                      const struct sweep_answer *clean, struct sweep_tally *tally)
{
    struct sweep_session session;
    struct sweep_session other;
    uint64_t leaks;

    sweep_session_begin(&session, sweep->target);
    sweep_session_begin(&other, sweep->target);
    if (sweep_session_open(&session) != ompd_rc_ok || sweep_session_open(&other) != ompd_rc_ok) {
        tally->wrong++;
        complain(sweep, spoil, "no address space can be made", ompd_rc_ok);
    } else {
        ask_spoilt(sweep, spoil, &session, &other, clean, tally);
    }
    leaks = sweep_session_end(&session);
    leaks += sweep_session_end(&other);
    if (leaks != 0) {
        tally->leaks++;
        complain(sweep, spoil, "memory is left", ompd_rc_ok);
    }
}

static bool run_case(void *user, uint64_t number, struct sweep_tally *tally)
{
    const struct sweep *sweep = user;
    struct sweep_spoil spoil;
    struct sweep_answer clean;

    if (!sweep_spoil_get(sweep->signature, sweep_request_variants(sweep->signature, sweep->facts),
                         number, &spoil))
        return false;
    if (!sweep_answer_get_apart(&clean, sweep->target, sweep->facts, sweep->signature,
                                spoil.variant)) {
        tally->wrong++;
        complain(sweep, &spoil, "the target has nothing to ask about", ompd_rc_ok);
        return true;
    }
    if (clean.rc != ompd_rc_ok && !sweep_signature_is_refused(sweep->signature)) {
        tally->wrong++;
        complain(sweep, &spoil, "the right arguments are refused", clean.rc);
    }
    run_spoil(sweep, &spoil, &clean, tally);
    sweep_answer_free(&clean);
    return true;
}

void sweep_arguments(const struct sweep_target *target, const struct sweep_facts *facts,
                     const struct sweep_signature *signature, struct sweep_tally *tally)
{
    struct sweep sweep = {target, facts, signature};

    sweep_guard_run("arguments", SWEEP_CASE_SECONDS, run_case, &sweep, tally);
}
