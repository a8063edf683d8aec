/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Looking for what is known of objects in their memory, and what is found so. */
#ifndef OMPD_LEARN_SEARCH_H
#define OMPD_LEARN_SEARCH_H

#include <learn/base/base.h>

/* ---- search ---------------------------------------------------------------------------------- */

/* Looking for what is known of subjects in their memory. */

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

/* ---- layout-draft ---------------------------------------------------------------------------- */

/* The layout while it is learned: the candidates that are left for each location, and what was
 * chosen.
 */

#define LAYOUT_DRAFT_RULES 8
#define LAYOUT_DRAFT_EXCEPTIONS 4
#define LAYOUT_DRAFT_INTERNALS 4

/* References that an object of a kind holds of those that it names. */
struct layout_draft_holdings {
    uint8_t counts[SUBJECT_KINDS];
    bool is_alone[SUBJECT_KINDS]; /* only those do that have no parent, nor queue */
};

struct layout_draft_kind {
    bool is_there;
    struct field_candidates fields[FACTS];
    struct list_candidates lists[SUBJECT_LISTS];
    unsigned rule_count;
    struct layout_rule rules[LAYOUT_DRAFT_RULES];
    unsigned internal_count;
    struct layout_rule internals[LAYOUT_DRAFT_INTERNALS]; /* `least` is the mask */
    struct location dying;                                /* width 0: none */
    struct layout_rule taken;                             /* width 0: none */
    uintptr_t taken_return; /* of callbacks, from the module's lowest address; 0: not known */
    bool has_dispatch_data; /* in the word behind the dispatch table's address */
    struct layout_draft_holdings holds;       /* while it lives, */
    struct layout_draft_holdings dying_holds; /* and while its destructor callbacks run */
    bool is_absent[SUBJECT_LISTS];            /* the runtime has no such */
    uint8_t each_svm_holds; /* context: what each element of its list svm holds of it */
    uint8_t maps_hold;      /* memory object: what each of its mappings holds of it */
    /* Event: types of commands that hold none of the memory objects in its list. */
    unsigned exception_count;
    uint64_t exceptions[LAYOUT_DRAFT_EXCEPTIONS];
};

/* In the module, the list of objects whose callbacks wait. */
struct taken_list {
    uintptr_t head; /* of its first pointer, from the module's lowest address; 0: there is none */
    int32_t next;   /* of a node: the next one, */
    int32_t object; /* and the cl handle */
};

struct layout_draft {
    struct taken_list taken_list;
    struct layout_draft_kind kinds[SUBJECT_KINDS];
    bool has_own_contexts; /* the runtime's, which no internal line tells from the program's */
};

/* Find all locations that fit POPULATION; leave those out that do not fit another. */
void layout_draft_search(struct layout_draft *draft, const struct population *population);
void layout_draft_filter(struct layout_draft *draft, const struct population *population);

/* Keep one location for each field and list, or none. */
void layout_draft_choose(struct layout_draft *draft);

/* Tell what is known of POPULATION and has no location. */
void layout_draft_tell_missing(const struct layout_draft *draft,
                               const struct population *population);

/* The location of a field of a kind; NULL: not known. */
const struct location *layout_draft_field(const struct layout_draft *draft, enum subject_kind kind,
                                          enum fact fact);

/* Whether all rules of KIND hold for what is at HANDLE. */
bool layout_draft_accepts(const struct layout_draft *draft, enum subject_kind kind,
                          uintptr_t handle);

/* Find the rules that tell the objects of each kind from all others in the two populations. */
void layout_draft_find_rules(struct layout_draft *draft, const struct population *first,
                             const struct population *second);

/* Drop kinds whose rules refuse an object of theirs in POPULATION, or accept one of another kind.
 */
void layout_draft_check_rules(struct layout_draft *draft, const struct population *population);

/* Leave out kinds whose rules take one of the freed objects for a live one. */
void layout_draft_check_freed(struct layout_draft *draft, const struct population *population);

/* Find what tells the objects that the runtime made for itself, which are in none of POPULATIONS,
 * COUNT of them: two that are alive, and earlier ones.  TABLE is the address with which all objects
 * begin. */
void layout_draft_find_internal(struct layout_draft *draft, struct population *const *populations,
                                unsigned count, uintptr_t table);

/* Find the kinds of objects that have a loader's dispatch DATA, with which all of POPULATION were
 * made; only where that is needed to tell the runtime's own OpenCL contexts. */
void layout_draft_find_dispatch_data(struct layout_draft *draft,
                                     const struct population *population, const void *data);

/* Leave out what takes an object of POPULATION for the runtime's own. */
void layout_draft_check_internal(struct layout_draft *draft, const struct population *population);

/* ---- layout-write ---------------------------------------------------------------------------- */

/* Tell the lines of the layout that DRAFT has come to. */
void layout_write(const struct layout_draft *draft, const struct icd *icd);

#endif
