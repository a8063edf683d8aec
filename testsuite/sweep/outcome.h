/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The result of one operation, with or without a fault: of a call, or of a list that is opened,
 * read to its end and closed. */
#ifndef SWEEP_OUTCOME_H
#define SWEEP_OUTCOME_H

#include "request.h"
#include "walk.h"

struct sweep_outcome {
    ompd_rc_t rc;      /* of the call; of a walk, of the first call that failed */
    bool is_untouched; /* the out parameters, by calls that failed */
    bool is_walk;
    struct sweep_walk walk;     /* of a list */
    struct sweep_answer answer; /* of the call, */
    uint8_t *info;              /* and the info struct that it filled, NULL for none, */
    uint64_t id;                /* or the id, 0 for none */
};

/* Send REQUEST, and release the results of the call. */
void sweep_outcome_take(struct sweep_outcome *outcome, struct sweep_tool *tool,
                        struct sweep_request *request);
void sweep_outcome_free(struct sweep_outcome *outcome);

/* Whether two outcomes are the same, even of two sessions, whose ids differ. */
bool sweep_outcome_equals(const struct sweep_outcome *a, const struct sweep_outcome *b);

/* Whether OUTCOME, which is incomplete, agrees with the right one of the same session; *LIE is set
 * to the contradiction. */
bool sweep_outcome_is_true(const struct sweep_outcome *outcome, const struct sweep_outcome *clean,
                           const struct sweep_signature *signature, const char **lie);

#endif
