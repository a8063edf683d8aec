/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Looking for what is known of subjects in their memory. */
#ifndef OMPD_LEARN_SEARCH_H
#define OMPD_LEARN_SEARCH_H

#include <learn/candidate.h>

#define SEARCH_LIMIT 96

/* Bytes from where a runtime's own pointer points to the cl handle.  Rust's Arc has its counters in
 * front of the object, whose members come in an order of the compiler's: rusticl 25.0 has the
 * handle of a buffer 232 bytes further in, and 26.2 that of a device 600.  With 4096 other objects
 * come within reach, so that several locations fit. */
#define ADJUST_LIMIT 1024

struct field_candidates {
    unsigned count;
    struct location locations[SEARCH_LIMIT];
};

struct list_candidates {
    unsigned count;
    struct list_location locations[SEARCH_LIMIT];
};

/* Find all locations where the subjects of KIND may have FACT: in themselves, or where none is, in
 * what they point to. */
void search_field(const struct population *population, enum subject_kind kind, enum fact fact,
                  struct field_candidates *found);

/* Find the locations where only some of the subjects of KIND have FACT, with the condition that
 * tells which; the surest first. */
void search_part(const struct population *population, enum subject_kind kind, enum fact fact,
                 struct field_candidates *found);

/* Find the locations of FACT in a callback node of the runtime's, two pointers away. */
void search_callback_node(const struct population *population, enum subject_kind kind,
                          enum fact fact, struct field_candidates *found);

/* Leave those out that do not hold in POPULATION. */
void search_field_filter(const struct population *population, enum subject_kind kind,
                         enum fact fact, struct field_candidates *found);

/* Find the trees that the list may be: one search for one path to the root. */
void search_tree(const struct population *population, enum subject_kind kind,
                 enum subject_list list, struct list_candidates *found);

/* The same of balanced binary trees. */
void search_binary_tree(const struct population *population, enum subject_kind kind,
                        enum subject_list list, struct list_candidates *found);

/* The same of lists. */
void search_list(const struct population *population, enum subject_kind kind,
                 enum subject_list list, struct list_candidates *found);
void search_list_filter(const struct population *population, enum subject_kind kind,
                        enum subject_list list, struct list_candidates *found);

#endif
