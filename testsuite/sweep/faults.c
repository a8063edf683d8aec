/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Each callback of the tool fails at its first, second, third ... call, once and for ever after,
 * until an operation completes without the fault.  Each time, the return code reports it, the
 * answer is correct, nothing leaks, and the same operation then gives the right answer.
 */
#include "faults.h"

#include "fault-forms.h"
#include "outcome.h"
#include "require.h"

#include <string.h>

/* Calls of one callback that an operation may make. */
#define CALL_LIMIT 4096

/* Seconds for the faults of one form. */
#define TIME_LIMIT 60

/* What the library holds of the target when the operation begins. */
enum mode {
    mode_cold,      /* the addresses of the registry's tables */
    mode_warm,      /* all reads of the operation */
    mode_refreshed, /* the same, of an earlier stop, */
    mode_mapped,    /* with mapped memory */
    mode_count,
    mode_plain = mode_count /* nothing is ever mapped; not for faults */
};

static const char *const mode_names[mode_count] = {"cold", "warm", "refreshed", "mapped"};

/* The result of an operation in a mode without faults. */
struct usage {
    bool is_known;
    uint64_t calls;                        /* of the callback that is to fail */
    int64_t limits[TOOL_ALLOCATION_LIMIT]; /* memory that each allocation made it hold */
};

/* What the cases of one function share. */
struct sweep {
    const struct sweep_target *target;
    const struct sweep_facts *facts;
    const struct sweep_signature *signature;
    enum tool_callback callback; /* that fails */
    /* Of one variant of the arguments. */
    unsigned variant;
    bool is_taken;
    bool is_ready; /* there is something to do it on */
    struct sweep_outcome clean;
    struct usage usages[mode_count + 1];
};

/* One operation on a session of its own. */
struct trial {
    struct sweep_tool tool;
    struct sweep_session session;
    struct sweep_request request;
};

/* After these the argument is destroyed. */
static bool is_consuming(const struct sweep_signature *signature)
{
    return strncmp(signature->name, "ompd_rel_", strlen("ompd_rel_")) == 0 ||
           strcmp(signature->name, "ompd_cl_list_close") == 0 ||
           strcmp(signature->name, "ompd_finalize") == 0;
}

/* Functions that continue a list need one that has not reached its end. */
static bool goes_on(const struct sweep_signature *signature)
{
    return sweep_argument_find(signature, sweep_out_rows) < signature->count;
}

/* Run the operation once without a fault, so that the library has read its data. */
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

/* Prepare an operation.  Until then memory is mapped, so that the library caches none of it.
 * Returns false if there is no object for the operation. */
static bool begin(struct trial *trial, const struct sweep *sweep, unsigned variant, enum mode mode)
{
    bool is_ready;

    sweep_tool_begin(&trial->tool, sweep->target);
    sweep_session_begin(&trial->session, &trial->tool.target);
    sweep_tool_attach(&trial->tool, &trial->session);
    trial->tool.maps_memory = mode != mode_plain;
    sweep_require(sweep_session_open(&trial->session) == ompd_rc_ok, "no session can be opened");
    is_ready = sweep_request_begin(&trial->request, &trial->session, sweep->facts, sweep->signature,
                                   variant);
    sweep_require(sweep_tool_refresh(&trial->tool, trial->session.space) == ompd_rc_ok,
                  "the registry cannot be read");
    trial->tool.maps_memory = mode == mode_mapped;
    if (is_ready && mode != mode_cold && mode != mode_plain)
        is_ready = warm_up(trial, sweep, variant);
    if (is_ready && (mode == mode_refreshed || mode == mode_mapped))
        sweep_require(sweep_tool_refresh(&trial->tool, trial->session.space) == ompd_rc_ok,
                      "the registry cannot be read again");
    trial->tool.maps_memory = false;
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

/* Record in *CLEAN the result of an operation in MODE without failures, and in USAGE its calls.
 * Returns false if there is no object for the operation. */
static bool take_clean(const struct sweep *sweep, unsigned variant, enum mode mode,
                       struct sweep_outcome *clean, struct usage *usage)
{
    static const struct tool_fault none = {.callback = tool_none};
    struct trial trial;
    bool is_ready = begin(&trial, sweep, variant, mode);

    if (is_ready) {
        trial.tool.maps_memory = sweep->callback == tool_map_memory && mode != mode_plain;
        sweep_tool_arm(&trial.tool, &none);
        sweep_outcome_take(clean, &trial.tool, &trial.request);
        memset(usage, 0, sizeof(*usage));
        usage->is_known = true;
        usage->calls = trial.tool.calls[sweep->callback];
        if (trial.tool.calls[tool_monitor] < TOOL_ALLOCATION_LIMIT)
            memcpy(usage->limits, trial.tool.held_at,
                   (trial.tool.calls[tool_monitor] + 1) * sizeof(usage->limits[0]));
    }
    end(&trial);
    return is_ready;
}

/* Set the memory limit so that allocation number AT exceeds it; returns whether there is one. */
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
    trial->tool.maps_memory = false;
    if (extra < trial->request.signature->count)
        memcpy(sweep_request_memory_before(&trial->request, extra), &trial->session.extra,
               sizeof(trial->session.extra));
}

/* Whether a callback has interrupted the operation. */
static bool is_interrupted(const struct trial *trial, const struct tool_fault *fault)
{
    return fault->code == ompd_rc_interrupted && trial->tool.failures != 0;
}

/* Whether reads fail with FAULT, too, so that the rest of a list cannot be read either. */
static bool goes_on_failing(const struct tool_fault *fault)
{
    return fault->callback == tool_region;
}

/* Whether code RC, which is no success, is the right one for FAULT. */
static bool is_right_code(const struct trial *trial, const struct tool_fault *fault, ompd_rc_t rc)
{
    if (is_interrupted(trial, fault))
        return rc == ompd_rc_interrupted;
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

/* Whether a failure of FAULT's callback makes an answer incomplete. */
static bool makes_incomplete(const struct trial *trial, const struct tool_fault *fault)
{
    /* Nothing counts as unreadable for an interrupt. */
    if (is_interrupted(trial, fault))
        return false;
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

/* Whether FAULT prevents a search altogether: some rows may be missing then, but their number is
 * unknown. */
static bool leaves_no_count(const struct tool_fault *fault)
{
    return fault->callback == tool_module || fault->callback == tool_module_symbol ||
           fault->callback == tool_progress;
}

/* Whether FAULT reports the end of memory, which a search believes. */
static bool ends_memory(const struct trial *trial, const struct tool_fault *fault)
{
    return sweep_signature_searches(trial->request.signature, trial->tool.real) &&
           fault->callback == tool_region && fault->code == ompd_rc_unavailable;
}

/* Report the error in an outcome of TRIAL under FAULT. */
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
    if (is_interrupted(trial, fault) && outcome->rc != ompd_rc_interrupted) {
        tally->silent++;
        complain(trial, fault, mode, "goes on after an interrupt", "", outcome->rc);
    } else if (outcome->rc == clean->rc && sweep_outcome_equals(outcome, clean)) {
        if (outcome->id == again->id)
            return;
        tally->silent++;
        complain(trial, fault, mode, "another object is found", "", outcome->rc);
    } else if (outcome->rc == ompd_rc_ok) {
        tally->silent++;
        complain(trial, fault, mode, "silent success", "", outcome->rc);
    } else if (outcome->rc == ompd_rc_incomplete) {
        if (!makes_incomplete(trial, fault)) {
            tally->wrong++;
            complain(trial, fault, mode, "incomplete, though all could be read", "", outcome->rc);
        } else if (!leaves_no_count(fault) &&
                   !sweep_outcome_is_true(outcome, again, trial->request.signature, &lie)) {
            tally->silent++;
            complain(trial, fault, mode, "not marked: ", lie, outcome->rc);
        }
    } else if (!is_right_code(trial, fault, outcome->rc)) {
        tally->wrong++;
        complain(trial, fault, mode, "wrong code", "", outcome->rc);
    } else if (!outcome->is_untouched && !(outcome->is_walk && is_interrupted(trial, fault))) {
        tally->wrong++;
        complain(trial, fault, mode, "out parameters touched", "", outcome->rc);
    } else if (outcome->is_walk && !(is_interrupted(trial, fault) && goes_on_failing(fault)) &&
               !sweep_walk_equals(&outcome->walk, &clean->walk)) {
        tally->silent++;
        complain(trial, fault, mode, "rows lost by a call that failed", "", outcome->rc);
    }
}

/* Do the operation again, with the callbacks in order. */
static void take_again(struct trial *trial, const struct sweep *sweep, unsigned variant,
                       struct sweep_outcome *again)
{
    /* A search through memory is not begun again at the same stop because some was missing. */
    if (sweep_signature_searches(sweep->signature, sweep->target))
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
static bool try(const struct sweep *sweep, enum mode mode, const struct tool_fault *fault,
                struct sweep_tally *tally)
{
    const struct sweep_outcome *clean = &sweep->clean;
    const unsigned variant = sweep->variant;
    struct sweep_outcome outcome;
    struct sweep_outcome again;
    struct trial trial;
    bool is_met;

    sweep_require(begin(&trial, sweep, variant, mode), "an operation cannot be made ready again");
    trial.tool.maps_memory = fault->callback == tool_map_memory;
    sweep_tool_arm(&trial.tool, fault);
    is_met =
        fault->callback == tool_limit && set_limit(&trial, fault->at, sweep->usages[mode].limits);
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

/* Get the right answer to VARIANT of the arguments. Returns false if there is none. */
static bool have_clean(struct sweep *sweep, unsigned variant)
{
    if (sweep->is_taken && sweep->variant == variant)
        return sweep->is_ready;
    if (sweep->is_taken && sweep->is_ready)
        sweep_outcome_free(&sweep->clean);
    memset(sweep->usages, 0, sizeof(sweep->usages));
    sweep->variant = variant;
    sweep->is_taken = true;
    sweep->is_ready =
        take_clean(sweep, variant, mode_plain, &sweep->clean, &sweep->usages[mode_plain]);
    return sweep->is_ready;
}

/* Check that the operation returns in MODE its usual result, and which calls it makes. */
static void check_mode(struct sweep *sweep, enum mode mode, struct sweep_tally *tally)
{
    struct sweep_outcome outcome;

    if (sweep->usages[mode].is_known)
        return;
    sweep_require(take_clean(sweep, sweep->variant, mode, &outcome, &sweep->usages[mode]),
                  "an operation cannot be made ready again");
    if (!sweep_outcome_equals(&outcome, &sweep->clean)) {
        tally->silent++;
        sweep_complain("variant %u, %s: another answer though nothing fails (code %d)",
                       sweep->variant, mode_names[mode], (int)outcome.rc);
    }
    sweep_outcome_free(&outcome);
}

/* Whether an operation without faults may make call number AT: after failed reads it requests more
 * regions than usual, and limits are not calls. */
static bool may_call(const struct sweep *sweep, enum mode mode, uint64_t at)
{
    return sweep->callback == tool_region || sweep->callback == tool_limit ||
           at <= sweep->usages[mode].calls;
}

/* Make the operation fail by FAULT at each of its calls in MODE. */
static void try_calls(const struct sweep *sweep, enum mode mode, struct tool_fault *fault,
                      struct sweep_tally *tally)
{
    while (fault->at <= CALL_LIMIT && may_call(sweep, mode, fault->at) &&
           try(sweep, mode, fault, tally))
        fault->at++;
    if (fault->at > CALL_LIMIT) {
        tally->wrong++;
        sweep_complain("more than %d calls of %s: not all failed", CALL_LIMIT,
                       sweep_tool_callback_names[sweep->callback]);
    }
}

/* All faults of one form, in one mode, on one variant of the arguments. */
static bool try_form(void *user, uint64_t number, struct sweep_tally *tally)
{
    struct sweep *sweep = user;
    size_t form_count = fault_forms_count(sweep->callback);
    unsigned variant = (unsigned)(number / (form_count * mode_count));
    enum mode mode = (enum mode)(number % mode_count);
    struct tool_fault fault;

    if (variant >= sweep_request_variants(sweep->signature, sweep->facts))
        return false;
    if (!have_clean(sweep, variant))
        return true;
    check_mode(sweep, mode, tally);
    fault = *fault_forms_find(sweep->callback, number / mode_count % form_count);
    try_calls(sweep, mode, &fault, tally);
    return true;
}

void sweep_faults(const struct sweep_target *target, const struct sweep_facts *facts,
                  const struct sweep_signature *signature, enum tool_callback callback,
                  struct sweep_tally *tally)
{
    struct sweep sweep = {
        .target = target,
        .facts = facts,
        .signature = signature,
        .callback = callback,
    };

    if (fault_forms_count(callback) != 0)
        sweep_guard_run(signature->name, TIME_LIMIT, try_form, &sweep, tally);
}
