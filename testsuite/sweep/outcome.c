/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "outcome.h"

#include "require.h"

#include <stdlib.h>
#include <string.h>

/* The kind of the rows of the list that SIGNATURE opens or continues, which *ARGUMENT is. */
static ompd_cl_kind_t find_list(const struct sweep_signature *signature, unsigned *argument)
{
    bool is_next = sweep_argument_find(signature, sweep_out_rows) < signature->count;

    *argument = sweep_argument_find(signature, is_next ? sweep_list : sweep_out_list);
    return *argument < signature->count ? (ompd_cl_kind_t)signature->arguments[*argument].rows : 0;
}

static void take_walk(struct sweep_outcome *outcome, struct sweep_tool *tool,
                      const struct sweep_request *request, unsigned argument)
{
    const struct sweep_argument *list_argument = &request->signature->arguments[argument];
    ompd_cl_list_t list = {request->words[argument]};

    if (list_argument->kind == sweep_out_list)
        memcpy(&list, sweep_request_memory(request, argument), sizeof(list));
    outcome->is_walk = true;
    sweep_walk_take(&outcome->walk, tool, request->session, list,
                    (ompd_cl_kind_t)list_argument->rows);
    outcome->rc = outcome->walk.error;
    if (outcome->rc == ompd_rc_ok && outcome->walk.is_incomplete)
        outcome->rc = ompd_rc_incomplete;
    outcome->is_untouched = !outcome->walk.has_touched;
}

static void keep_id(struct sweep_outcome *outcome, const struct sweep_request *request)
{
    unsigned i = sweep_argument_find(request->signature, sweep_out_id);

    if (i != request->signature->count &&
        (outcome->rc == ompd_rc_ok || outcome->rc == ompd_rc_incomplete))
        memcpy(&outcome->id, sweep_request_memory(request, i), sizeof(outcome->id));
}

static void keep_info(struct sweep_outcome *outcome, const struct sweep_request *request)
{
    const struct sweep_signature *signature = request->signature;
    unsigned i = sweep_argument_find(signature, sweep_out_info);

    if (i == signature->count)
        return;
    outcome->info = malloc(signature->arguments[i].size);
    sweep_require(outcome->info != NULL, "no memory for an answer");
    memcpy(outcome->info, sweep_request_memory(request, i), signature->arguments[i].size);
}

void sweep_outcome_take(struct sweep_outcome *outcome, struct sweep_tool *tool,
                        struct sweep_request *request)
{
    ompd_cl_kind_t kind;
    unsigned list;

    memset(outcome, 0, sizeof(*outcome));
    kind = find_list(request->signature, &list);
    if (kind != 0 && request->signature->arguments[list].kind == sweep_list) {
        take_walk(outcome, tool, request, list);
        return;
    }
    outcome->rc = sweep_request_send(request);
    outcome->is_untouched = sweep_request_is_untouched(request);
    sweep_answer_take(&outcome->answer, request);
    keep_info(outcome, request);
    keep_id(outcome, request);
    if (kind != 0 && outcome->rc == ompd_rc_ok)
        take_walk(outcome, tool, request, list);
    sweep_request_undo(request);
}

void sweep_outcome_free(struct sweep_outcome *outcome)
{
    if (outcome->is_walk)
        sweep_walk_free(&outcome->walk);
    sweep_answer_free(&outcome->answer);
    free(outcome->info);
    memset(outcome, 0, sizeof(*outcome));
}

bool sweep_outcome_equals(const struct sweep_outcome *a, const struct sweep_outcome *b)
{
    if (a->rc != b->rc || a->is_walk != b->is_walk || !sweep_answer_equals(&a->answer, &b->answer))
        return false;
    return !a->is_walk || sweep_walk_equals(&a->walk, &b->walk);
}

/* Whether the bytes that argument I points to, saved with their surroundings, are 0. */
static bool is_zero(const struct sweep_signature *signature, unsigned i,
                    const struct sweep_outcome *outcome)
{
    size_t size = signature->arguments[i].size;
    const uint8_t *bytes = outcome->answer.bytes[i] + (outcome->answer.sizes[i] - size) / 2;

    while (size != 0 && bytes[size - 1] == 0)
        size--;
    return size == 0;
}

/* Whether argument I, which differs from that of a clean answer, reports that there are no
 * frames. */
static bool says_nothing(const struct sweep_signature *signature, unsigned i,
                         const struct sweep_outcome *outcome)
{
    unsigned frames = sweep_argument_find(signature, sweep_out_frames);

    return frames != signature->count && (i == frames || i == frames + 1) &&
           is_zero(signature, frames + 1, outcome);
}

/* Handles and lists, which cannot be incomplete. */
static bool is_all_or_none(enum sweep_kind kind)
{
    return kind == sweep_out_list || kind == sweep_out_space || kind == sweep_out_device ||
           kind == sweep_out_thread;
}

/* Whether two answers have the same in argument I. */
static bool is_same(const struct sweep_answer *a, const struct sweep_answer *b, unsigned i)
{
    if (a->sizes[i] != b->sizes[i])
        return false;
    return a->sizes[i] == 0 || memcmp(a->bytes[i], b->bytes[i], a->sizes[i]) == 0;
}

bool sweep_outcome_is_true(const struct sweep_outcome *outcome, const struct sweep_outcome *clean,
                           const struct sweep_signature *signature, const char **lie)
{
    *lie = "rows";
    if (outcome->is_walk)
        return clean->is_walk && sweep_walk_is_true(&outcome->walk, &clean->walk);
    *lie = "code";
    if (clean->rc != ompd_rc_ok)
        return false;
    for (unsigned i = 0; i < signature->count; i++) {
        const struct sweep_argument *argument = &signature->arguments[i];
        const uint32_t kind = argument->rows;

        *lie = "value";
        if (argument->kind == sweep_out_info)
            *lie = sweep_row_find_lie((ompd_cl_kind_t)kind, outcome->info, clean->info);
        else if (argument->kind == sweep_out_id)
            *lie = outcome->id == 0 || outcome->id == clean->id ? NULL : "id";
        else if (!is_all_or_none(argument->kind) && (is_same(&outcome->answer, &clean->answer, i) ||
                                                     says_nothing(signature, i, outcome)))
            *lie = NULL;
        if (*lie != NULL)
            return false;
    }
    return true;
}
