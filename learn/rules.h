/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What rules, and the objects that are named, say of subjects. */
#ifndef OMPD_LEARN_RULES_H
#define OMPD_LEARN_RULES_H

#include <learn/layout-draft.h>

/* What there is to learn from. */
struct populations {
    const struct population *first;
    const struct population *second;
};

/* The kinds, bits 1 << kind, of the objects that are taken for ones of KIND, and how many would not
 * be with the rule MORE; NULL: how many there are. */
struct mistakes {
    unsigned kinds;
    unsigned count;
};

/* Whether RULE holds for all of KIND, by bytes that all of them have. */
bool rule_holds_for_kind(const struct layout_rule *rule, enum subject_kind kind,
                         const struct populations *known);

/* Find what the rules of KIND, and the objects that it must name, do not tell from it. */
struct mistakes rules_find_mistakes(const struct layout_draft_kind *of, enum subject_kind kind,
                                    const struct layout_rule *more,
                                    const struct populations *known);

#endif
