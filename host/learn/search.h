/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Looking for what is known of subjects in their memory. */
#ifndef OMPD_HOST_LEARN_SEARCH_H
#define OMPD_HOST_LEARN_SEARCH_H

#include <host/learn/shape.h>

#define SEARCH_LIMIT 96

struct field_candidates {
    unsigned count;
    struct place places[SEARCH_LIMIT];
};

struct list_candidates {
    unsigned count;
    struct list_place places[SEARCH_LIMIT];
};

/* Find all places where the subjects of KIND may have FACT: in themselves, or where none is, in
 * what they point to. */
void search_field(const struct population *population, enum subject_kind kind, enum fact fact,
                  struct field_candidates *found);

/* Leave those out that do not hold in POPULATION. */
void search_field_filter(const struct population *population, enum subject_kind kind,
                         enum fact fact, struct field_candidates *found);

/* The same of lists. */
void search_list(const struct population *population, enum subject_kind kind,
                 enum subject_list list, struct list_candidates *found);
void search_list_filter(const struct population *population, enum subject_kind kind,
                        enum subject_list list, struct list_candidates *found);

#endif
