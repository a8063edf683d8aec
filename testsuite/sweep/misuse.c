/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Correct arguments at the wrong time: before ompd_initialize, after ompd_finalize, after release,
 * twice. */
#include "request.h"
#include "sweeps.h"

#include <string.h>

enum occasion {
    never_initialized,
    after_finalize,
    after_initialize_twice,
    after_release,
    after_release_and_again,
    a_second_time,
    occasion_count
};

static const char *const occasion_names[occasion_count] = {
    "before ompd_initialize", "after ompd_finalize",        "after ompd_initialize twice",
    "after release",          "after release, another one", "a second time",
};

/* What the library must say. */
enum verdict {
    must_be_clean,  /* the clean answer */
    must_go_on,     /* its code */
    must_be_stale,  /* ompd_rc_stale_handle */
    must_be_refused /* an error */
};

static bool is(const struct sweep *sweep, const char *name)
{
    return strcmp(sweep->signature->name, name) == 0;
}

static bool takes(const struct sweep *sweep, enum sweep_kind kind)
{
    return sweep_argument_find(sweep->signature, kind) < sweep->signature->count;
}

/* Functions that need a handle of the address space, or of an object in it. */
static bool takes_handle(const struct sweep *sweep)
{
    return takes(sweep, sweep_space) || takes(sweep, sweep_space_or_null) ||
           takes(sweep, sweep_thread) || takes(sweep, sweep_scoped);
}

/* What can be done only once with the same argument. */
static bool is_once(const struct sweep *sweep)
{
    return is(sweep, "ompd_rel_address_space_handle") || is(sweep, "ompd_rel_thread_handle") ||
           is(sweep, "ompd_cl_list_close");
}

static enum verdict verdict_of(const struct sweep *sweep, enum occasion occasion)
{
    bool needs_initialize = is(sweep, "ompd_process_initialize") || is(sweep, "ompd_finalize");

    switch (occasion) {
    case never_initialized:
    case after_finalize:
        return needs_initialize ? must_be_refused : must_be_clean;
    case after_release:
    case after_release_and_again:
        if (takes_handle(sweep))
            return must_be_stale;
        return takes(sweep, sweep_parallel) || takes(sweep, sweep_task) ||
                       takes(sweep, sweep_in_variables)
                   ? must_be_refused
                   : must_be_clean;
    case a_second_time:
        if (is_once(sweep))
            return must_be_stale;
        if (is(sweep, "ompd_finalize") || takes(sweep, sweep_in_variables))
            return must_be_refused;
        return takes(sweep, sweep_list) ? must_go_on : must_be_clean;
    default:
        return must_be_clean;
    }
}

static void release(struct sweep_session *session)
{
    ompd_rel_address_space_handle(session->space);
    session->space = NULL;
}

/* Bring about OCCASION for a request that is ready. */
static void prepare(struct sweep_request *request, enum occasion occasion)
{
    struct sweep_session *session = request->session;

    switch (occasion) {
    case never_initialized:
        if (request->is_initialized)
            ompd_finalize();
        request->is_initialized = false;
        break;
    case after_finalize:
        ompd_initialize(201811, &session->callbacks);
        ompd_finalize();
        request->is_initialized = false;
        break;
    case after_initialize_twice:
        ompd_initialize(201811, &session->callbacks);
        ompd_initialize(201811, &session->callbacks);
        request->is_initialized = true;
        break;
    case after_release:
    case after_release_and_again:
        release(session);
        if (occasion == after_release_and_again)
            sweep_session_open(session);
        break;
    case a_second_time:
        sweep_request_send(request);
        sweep_request_undo(request);
        break;
    default:
        break;
    }
}

static bool is_as_it_must(const struct sweep_request *request, enum verdict verdict,
                          const struct sweep_answer *clean)
{
    struct sweep_answer answer;
    bool is_right;

    sweep_answer_take(&answer, request);
    switch (verdict) {
    case must_be_clean:
        is_right = sweep_answer_equals(&answer, clean);
        break;
    case must_go_on:
        is_right = request->rc == clean->rc;
        break;
    case must_be_stale:
        is_right = request->rc == ompd_rc_stale_handle;
        break;
    default:
        is_right = request->rc != ompd_rc_ok && request->rc != ompd_rc_incomplete;
        break;
    }
    if (request->rc != ompd_rc_ok && request->rc != ompd_rc_incomplete)
        is_right = is_right && sweep_request_is_untouched(request);
    sweep_answer_free(&answer);
    return is_right;
}

static void run_occasion(const struct sweep *sweep, enum occasion occasion, unsigned variant,
                         const struct sweep_answer *clean, struct sweep_tally *tally)
{
    enum verdict verdict = verdict_of(sweep, occasion);
    struct sweep_session session;
    struct sweep_request request;

    sweep_session_begin(&session, sweep->target);
    sweep_session_open(&session);
    if (sweep_request_begin(&request, &session, sweep->facts, sweep->signature, variant)) {
        prepare(&request, occasion);
        sweep_request_send(&request);
        tally->faults++;
        if (!is_as_it_must(&request, verdict, clean)) {
            if (request.rc == ompd_rc_ok && verdict != must_be_clean)
                tally->silent++;
            else
                tally->wrong++;
            sweep_complain("%s %s: not the right answer (code %d)", sweep->signature->name,
                           occasion_names[occasion], (int)request.rc);
        }
        sweep_request_undo(&request);
    }
    sweep_request_end(&request);
    if (sweep_session_end(&session) != 0) {
        tally->leaks++;
        sweep_complain("%s %s: memory is left", sweep->signature->name, occasion_names[occasion]);
    }
}

static bool run_case(void *user, uint64_t number, struct sweep_tally *tally)
{
    const struct sweep *sweep = user;
    const unsigned variants = sweep_request_variants(sweep->signature, sweep->facts);
    const unsigned variant = (unsigned)(number % variants);
    const uint64_t occasion = number / variants;
    struct sweep_answer clean;

    if (occasion >= occasion_count)
        return false;
    if (!sweep_answer_get_apart(&clean, sweep->target, sweep->facts, sweep->signature, variant)) {
        tally->wrong++;
        sweep_complain("%s: the target has nothing to ask about", sweep->signature->name);
        return true;
    }
    run_occasion(sweep, (enum occasion)occasion, variant, &clean, tally);
    sweep_answer_free(&clean);
    return true;
}

void sweep_misuse(const struct sweep_target *target, const struct sweep_facts *facts,
                  const struct sweep_signature *signature, struct sweep_tally *tally)
{
    struct sweep sweep = {target, facts, signature};

    sweep_guard_run("misuse", SWEEP_CASE_SECONDS, run_case, &sweep, tally);
}
