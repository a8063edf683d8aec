/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Each callback of the tool fails at its first, second, third ... call, once and for ever after,
 * until an operation comes to its end without meeting the fault.  Each time: the return code tells,
 * what the answer says is so, nothing leaks, and the same operation then gives the clean answer.
 */
#include "faults.h"

#include "outcome.h"
#include "require.h"

#include <string.h>

/* Calls of one callback that an operation may make. */
#define CALL_LIMIT 4096

/* Seconds for the faults of one form. */
#define TIME_LIMIT 60

/* What the library holds of the target when the operation begins. */
enum mode {
    mode_cold,      /* where the registry's tables lie */
    mode_warm,      /* all that the operation reads */
    mode_refreshed, /* the same, of an earlier stop, */
    mode_lent,      /* when it was lent */
    mode_count,
    mode_plain = mode_count /* nothing is ever lent; not for faults */
};

static const char *const mode_names[mode_count] = {"cold", "warm", "refreshed", "lent"};

#define FAILS(callback, code)                                                                      \
    {                                                                                              \
        tool_##callback, tool_fails, 1, false, ompd_rc_##code, false, 0                            \
    }
#define FAILS_FOR_EVER(callback, code)                                                             \
    {                                                                                              \
        tool_##callback, tool_fails, 1, true, ompd_rc_##code, false, 0                             \
    }
#define FILLS_HALF(for_ever)                                                                       \
    {                                                                                              \
        tool_read, tool_fills_half, 1, for_ever, ompd_rc_error, false, 0                           \
    }
#define IS_BLIND(for_ever)                                                                         \
    {                                                                                              \
        tool_read, tool_fails, 1, for_ever, ompd_rc_error, true, 0                                 \
    }
#define HAS_GAP(place)                                                                             \
    {                                                                                              \
        tool_read, tool_has_gap, 1, false, ompd_rc_error, (place) % 2, place                       \
    }
#define ENDS(place)                                                                                \
    {                                                                                              \
        tool_read, tool_ends, 1, false, ompd_rc_error, (place) % 2, place                          \
    }

static const struct tool_fault forms[] = {
    FAILS(alloc, nomem),
    FAILS_FOR_EVER(alloc, nomem),
    FAILS(alloc, error),
    FAILS(alloc, incomplete),
    FAILS(monitor, nomem),
    FAILS_FOR_EVER(monitor, nomem),
    FAILS_FOR_EVER(limit, nomem),
    FAILS(symbol, error),
    FAILS_FOR_EVER(symbol, error),
    FAILS(symbol, unavailable),
    FAILS(symbol, incomplete),
    FAILS(symbol, callback_error),
    FAILS(sizes, error),
    FAILS(sizes, unsupported),
    FAILS(sizes, incomplete),
    FAILS(to_host, error),
    FAILS(to_host, incomplete),
    FAILS(to_device, error),
    FAILS(read, error),
    FAILS_FOR_EVER(read, error),
    FAILS(read, device_read_error),
    FAILS_FOR_EVER(read, device_read_error),
    FAILS(read, incomplete),
    FAILS(read, unavailable),
    FAILS(read, nomem),
    FAILS_FOR_EVER(read, nomem),
    FILLS_HALF(false),
    FILLS_HALF(true),
    IS_BLIND(false),
    IS_BLIND(true),
    HAS_GAP(0),
    HAS_GAP(1),
    HAS_GAP(2),
    HAS_GAP(3),
    HAS_GAP(4),
    HAS_GAP(5),
    HAS_GAP(6),
    HAS_GAP(7),
    HAS_GAP(8),
    HAS_GAP(9),
    HAS_GAP(10),
    HAS_GAP(11),
    HAS_GAP(12),
    HAS_GAP(13),
    HAS_GAP(14),
    HAS_GAP(15),
    ENDS(0),
    ENDS(2),
    ENDS(5),
    ENDS(8),
    ENDS(11),
    ENDS(14),
    FAILS(read_string, error),
    FAILS_FOR_EVER(read_string, error),
    FAILS(thread_context, error),
    FAILS(thread_context, unavailable),
    FAILS(region, unavailable),
    FAILS_FOR_EVER(region, unavailable),
    FAILS(region, incomplete),
    FAILS(lend, unsupported),
    FAILS_FOR_EVER(lend, unsupported),
    FAILS(lend, error),
    FAILS(lend, incomplete),
    FAILS(module, error),
    FAILS_FOR_EVER(module, error),
    FAILS(module, incomplete),
    FAILS(module_symbol, error),
    FAILS_FOR_EVER(module_symbol, error),
    FAILS(module_symbol, incomplete),
    FAILS(progress, incomplete),
    FAILS_FOR_EVER(progress, incomplete),
};

#define FORM_COUNT (sizeof(forms) / sizeof(forms[0]))

/* What the cases of one function share. */
struct sweep {
    const struct sweep_target *target;
    const struct sweep_facts *facts;
    const struct sweep_signature *signature;
    enum tool_callback callback; /* that fails */
};

/* One operation on a session of its own. */
struct trial {
    struct sweep_tool tool;
    struct sweep_session session;
    struct sweep_request request;
};

/* After these the argument is gone. */
static bool is_consuming(const struct sweep_signature *signature)
{
    return strncmp(signature->name, "ompd_rel_", strlen("ompd_rel_")) == 0 ||
           strcmp(signature->name, "ompd_cl_list_close") == 0 ||
           strcmp(signature->name, "ompd_finalize") == 0;
}

/* Functions that go on with a list need one that has not come to its end. */
static bool goes_on(const struct sweep_signature *signature)
{
    return sweep_argument_find(signature, sweep_out_rows) < signature->count;
}

/* Do the operation once without a fault, so that the library has read what it needs. */
static bool warm_up(struct trial *trial, const struct sweep *sweep, unsigned variant)
{
    struct sweep_outcome outcome;

    if (is_consuming(sweep->signature))
        return true;
    sweep_outcome_take(&outcome, &trial->tool, &trial->request);
    sweep_outcome_free(&outcome);
    if (!goes_on(sweep->signature))
        return true;
    sweep_request_end(&trial->request);
    return sweep_request_begin(&trial->request, &trial->session, sweep->facts, sweep->signature,
                               variant);
}

/* Make ready for an operation.  Until then memory is lent, so that the library keeps none of it.
 * Returns false when there is nothing to do it on. */
static bool begin(struct trial *trial, const struct sweep *sweep, unsigned variant, enum mode mode)
{
    bool is_ready;

    sweep_tool_begin(&trial->tool, sweep->target);
    sweep_session_begin(&trial->session, &trial->tool.target);
    sweep_tool_attach(&trial->tool, &trial->session);
    trial->tool.lends = mode != mode_plain;
    sweep_require(sweep_session_open(&trial->session) == ompd_rc_ok, "no session can be opened");
    is_ready = sweep_request_begin(&trial->request, &trial->session, sweep->facts, sweep->signature,
                                   variant);
    sweep_require(sweep_tool_refresh(&trial->tool, trial->session.space) == ompd_rc_ok,
                  "the registry cannot be read");
    trial->tool.lends = mode == mode_lent;
    if (is_ready && mode != mode_cold && mode != mode_plain)
        is_ready = warm_up(trial, sweep, variant);
    if (is_ready && (mode == mode_refreshed || mode == mode_lent))
        sweep_require(sweep_tool_refresh(&trial->tool, trial->session.space) == ompd_rc_ok,
                      "the registry cannot be read again");
    trial->tool.lends = false;
    return is_ready;
}

static uint64_t end(struct trial *trial)
{
    uint64_t leaks;

    sweep_request_end(&trial->request);
    leaks = sweep_session_end(&trial->session);
    sweep_tool_end(&trial->tool);
    return leaks + (trial->tool.held != 0);
}

/* What an operation gives in MODE when nothing fails; LIMITS, of TOOL_ALLOCATION_LIMIT, gets how
 * much memory each allocation made it hold.  Returns false when there is nothing to do it on. */
static bool take_clean(const struct sweep *sweep, unsigned variant, enum mode mode,
                       struct sweep_outcome *clean, int64_t *limits)
{
    static const struct tool_fault none = {.callback = tool_none};
    struct trial trial;
    bool is_ready = begin(&trial, sweep, variant, mode);

    if (is_ready) {
        sweep_tool_arm(&trial.tool, &none);
        sweep_outcome_take(clean, &trial.tool, &trial.request);
        memset(limits, 0, TOOL_ALLOCATION_LIMIT * sizeof(*limits));
        if (trial.tool.calls[tool_monitor] < TOOL_ALLOCATION_LIMIT)
            memcpy(limits, trial.tool.held_at,
                   (trial.tool.calls[tool_monitor] + 1) * sizeof(*limits));
    }
    end(&trial);
    return is_ready;
}

/* Set the memory limit so that allocation number AT passes it; tells whether there is such one. */
static bool set_limit(struct trial *trial, uint64_t at, const int64_t *limits)
{
    unsigned extra = sweep_argument_find(trial->request.signature, sweep_in_extra);

    if (at >= TOOL_ALLOCATION_LIMIT || limits[at] == 0)
        return false;
    trial->tool.limit = limits[at] - 1;
    if (extra < trial->request.signature->count) {
        ompd_cl_extra_t table = trial->session.extra;
        table.memory_limit = (ompd_size_t)(limits[at] - trial->tool.held - 1);
        memcpy(sweep_request_memory_before(&trial->request, extra), &table, sizeof(table));
        return true;
    }
    trial->tool.limited = trial->session.space;
    return ompd_cl_memory_limit_set(trial->session.space, (ompd_size_t)limits[at] - 1) ==
           ompd_rc_ok;
}

/* No callback fails any more, and there is no limit. */
static void repair(struct trial *trial)
{
    unsigned extra = sweep_argument_find(trial->request.signature, sweep_in_extra);

    sweep_tool_repair(&trial->tool);
    trial->tool.lends = false;
    if (extra < trial->request.signature->count)
        memcpy(sweep_request_memory_before(&trial->request, extra), &trial->session.extra,
               sizeof(trial->session.extra));
}

/* Tell whether code RC, which is no success, is the right one for FAULT. */
static bool is_right_code(const struct tool_fault *fault, ompd_rc_t rc)
{
    switch (fault->callback) {
    case tool_alloc:
    case tool_monitor:
    case tool_limit:
        return rc == ompd_rc_nomem;
    case tool_read:
    case tool_read_string:
    case tool_region:
        return rc == ompd_rc_device_read_error;
    case tool_symbol:
        return rc == ompd_rc_unavailable || rc == ompd_rc_error || rc == ompd_rc_callback_error;
    default:
        return rc == ompd_rc_error || rc == ompd_rc_callback_error || rc == ompd_rc_unsupported;
    }
}

/* Tell whether what FAULT's callback does not tell makes an answer incomplete. */
static bool makes_incomplete(const struct tool_fault *fault)
{
    switch (fault->callback) {
    case tool_read:
    case tool_read_string:
    case tool_region:
    case tool_module:
    case tool_module_symbol:
    case tool_progress:
        return true;
    default:
        return false;
    }
}

/* Tell whether FAULT keeps a search from being made at all: how many rows are missing nobody knows
 * then, only that some may be. */
static bool leaves_no_count(const struct tool_fault *fault)
{
    return fault->callback == tool_module || fault->callback == tool_module_symbol ||
           fault->callback == tool_progress;
}

/* Tell whether FAULT is to say that there is no more memory, which a search believes. */
static bool ends_memory(const struct trial *trial, const struct tool_fault *fault)
{
    return trial->tool.real->layout != NULL && fault->callback == tool_region &&
           fault->code == ompd_rc_unavailable;
}

/* Say what is wrong with an outcome of TRIAL under FAULT. */
static void complain(const struct trial *trial, const struct tool_fault *fault, enum mode mode,
                     const char *what, const char *which, ompd_rc_t rc)
{
    sweep_complain("variant %u, %s: %s fails (manner %d, code %d) at call %llu%s: %s%s (code %d)",
                   trial->request.variant, mode_names[mode],
                   sweep_tool_callback_names[fault->callback], (int)fault->manner, (int)fault->code,
                   (unsigned long long)fault->at, fault->is_for_ever ? " and for ever" : "", what,
                   which, (int)rc);
}

/* Judge OUTCOME, taken under FAULT, beside those without: CLEAN of another session, AGAIN of the
 * same one after it. */
static void judge(const struct trial *trial, const struct tool_fault *fault, enum mode mode,
                  const struct sweep_outcome *outcome, const struct sweep_outcome *clean,
                  const struct sweep_outcome *again, struct sweep_tally *tally)
{
    const char *lie = "";

    if (ends_memory(trial, fault))
        return;
    if (trial->tool.is_limit_passed) {
        tally->wrong++;
        complain(trial, fault, mode, "the limit was passed", "", outcome->rc);
    }
    if (outcome->rc == clean->rc && sweep_outcome_equals(outcome, clean)) {
        if (outcome->id == again->id)
            return;
        tally->silent++;
        complain(trial, fault, mode, "another object is found", "", outcome->rc);
    } else if (outcome->rc == ompd_rc_ok) {
        tally->silent++;
        complain(trial, fault, mode, "silent success", "", outcome->rc);
    } else if (outcome->rc == ompd_rc_incomplete) {
        if (!makes_incomplete(fault)) {
            tally->wrong++;
            complain(trial, fault, mode, "incomplete, though all could be read", "", outcome->rc);
        } else if (!leaves_no_count(fault) &&
                   !sweep_outcome_is_true(outcome, again, trial->request.signature, &lie)) {
            tally->silent++;
            complain(trial, fault, mode, "not marked: ", lie, outcome->rc);
        }
    } else if (!is_right_code(fault, outcome->rc)) {
        tally->wrong++;
        complain(trial, fault, mode, "wrong code", "", outcome->rc);
    } else if (!outcome->is_untouched) {
        tally->wrong++;
        complain(trial, fault, mode, "out parameters touched", "", outcome->rc);
    } else if (outcome->is_walk && !sweep_walk_equals(&outcome->walk, &clean->walk)) {
        tally->silent++;
        complain(trial, fault, mode, "rows lost by a call that failed", "", outcome->rc);
    }
}

/* Do the operation again, with the callbacks in order. */
static void take_again(struct trial *trial, const struct sweep *sweep, unsigned variant,
                       struct sweep_outcome *again)
{
    /* A search through memory is not begun again at the same stop because some was missing. */
    if (sweep->target->layout != NULL)
        sweep_require(sweep_tool_refresh(&trial->tool, trial->session.space) == ompd_rc_ok,
                      "the target cannot be read again");
    if (goes_on(sweep->signature)) {
        sweep_request_end(&trial->request);
        sweep_require(sweep_request_begin(&trial->request, &trial->session, sweep->facts,
                                          sweep->signature, variant),
                      "a list cannot be opened again");
    }
    sweep_outcome_take(again, &trial->tool, &trial->request);
}

/* One fault.  Returns false when the operation has not met it. */
static bool try(const struct sweep *sweep, unsigned variant, enum mode mode,
                const struct tool_fault *fault, const struct sweep_outcome *clean,
                const int64_t *limits, struct sweep_tally *tally)
{
    struct sweep_outcome outcome;
    struct sweep_outcome again;
    struct trial trial;
    bool is_met;

    sweep_require(begin(&trial, sweep, variant, mode), "an operation cannot be made ready again");
    trial.tool.lends = fault->callback == tool_lend;
    sweep_tool_arm(&trial.tool, fault);
    is_met = fault->callback == tool_limit && set_limit(&trial, fault->at, limits);
    sweep_outcome_take(&outcome, &trial.tool, &trial.request);
    is_met |= trial.tool.failures != 0;
    repair(&trial);

    if (is_consuming(sweep->signature) && outcome.rc == ompd_rc_ok) {
        judge(&trial, fault, mode, &outcome, clean, clean, tally);
    } else {
        take_again(&trial, sweep, variant, &again);
        judge(&trial, fault, mode, &outcome, clean, &again, tally);
        if (!sweep_outcome_equals(&again, clean)) {
            tally->wrong++;
            complain(&trial, fault, mode, "another answer afterwards", "", again.rc);
        }
        sweep_outcome_free(&again);
    }
    sweep_outcome_free(&outcome);
    tally->faults += is_met;
    if (end(&trial) != 0) {
        tally->leaks++;
        complain(&trial, fault, mode, "leak", "", ompd_rc_ok);
    }
    return is_met;
}

/* See that an operation gives in MODE what it always gives; LIMITS becomes that of the mode. */
static void check_mode(const struct sweep *sweep, unsigned variant, enum mode mode,
                       const struct sweep_outcome *clean, int64_t *limits,
                       struct sweep_tally *tally)
{
    struct sweep_outcome outcome;

    sweep_require(take_clean(sweep, variant, mode, &outcome, limits),
                  "an operation cannot be made ready again");
    if (!sweep_outcome_equals(&outcome, clean)) {
        tally->silent++;
        sweep_complain("variant %u, %s: another answer though nothing fails (code %d)", variant,
                       mode_names[mode], (int)outcome.rc);
    }
    sweep_outcome_free(&outcome);
}

/* How many forms of faults there are of one callback. */
static size_t count_forms(enum tool_callback callback)
{
    size_t count = 0;

    for (size_t i = 0; i < FORM_COUNT; i++)
        count += forms[i].callback == callback;
    return count;
}

static const struct tool_fault *find_form(enum tool_callback callback, size_t number)
{
    const struct tool_fault *form = forms;

    while (form->callback != callback || number-- != 0)
        form++;
    return form;
}

/* All faults of one form, in one mode, on one variant of the arguments. */
static bool try_form(void *user, uint64_t number, struct sweep_tally *tally)
{
    const struct sweep *sweep = user;
    size_t form_count = count_forms(sweep->callback);
    unsigned variant = (unsigned)(number / (form_count * mode_count));
    enum mode mode = (enum mode)(number % mode_count);
    int64_t limits[TOOL_ALLOCATION_LIMIT];
    struct sweep_outcome clean;
    struct tool_fault fault;

    if (variant >= sweep_request_variants(sweep->signature, sweep->facts))
        return false;
    if (!take_clean(sweep, variant, mode_plain, &clean, limits))
        return true;
    check_mode(sweep, variant, mode, &clean, limits, tally);
    fault = *find_form(sweep->callback, number / mode_count % form_count);
    while (fault.at <= CALL_LIMIT && try(sweep, variant, mode, &fault, &clean, limits, tally))
        fault.at++;
    if (fault.at > CALL_LIMIT) {
        tally->wrong++;
        sweep_complain("more than %d calls of a callback: not all failed", CALL_LIMIT);
    }
    sweep_outcome_free(&clean);
    return true;
}

void sweep_faults(const struct sweep_target *target, const struct sweep_facts *facts,
                  const struct sweep_signature *signature, enum tool_callback callback,
                  struct sweep_tally *tally)
{
    struct sweep sweep = {target, facts, signature, callback};

    if (count_forms(callback) != 0)
        sweep_guard_run(signature->name, TIME_LIMIT, try_form, &sweep, tally);
}
