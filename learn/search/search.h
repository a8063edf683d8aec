/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Searching for known values of objects in their memory, and the results. */
#ifndef OMPD_LEARN_SEARCH_H
#define OMPD_LEARN_SEARCH_H

#include <learn/base/base.h>

/* ---- search ---------------------------------------------------------------------------------- */

/* Search for known facts of specimens in their memory. */

#define SEARCH_LIMIT 96

/* Maximum distance from the target of a runtime's own pointer to the cl handle.  Rust's Arc has
 * its counters before the object, whose members the compiler orders.  rusticl 25.0 has the
 * handle of a buffer 232 bytes further on, and 26.2 that of a device 600.  With 4096, other
 * objects are within reach, so that several locations match. */
#define ADJUST_LIMIT 1024

struct field_candidates {
    unsigned count;
    struct location locations[SEARCH_LIMIT];
};

struct list_candidates {
    unsigned count;
    struct list_location locations[SEARCH_LIMIT];
};

/* Find all locations where the specimens of KIND may have FACT: in themselves or, if there are
 * none, in what they point to. */
void search_field(const struct population *population, enum specimen_kind kind, enum fact fact,
                  struct field_candidates *found);

/* Find the locations where only some specimens of KIND have FACT, with the condition that
 * distinguishes them; the most likely first. */
void search_part(const struct population *population, enum specimen_kind kind, enum fact fact,
                 struct field_candidates *found);

/* Find the locations of FACT in a callback node of the runtime, two pointers away. */
void search_callback_node(const struct population *population, enum specimen_kind kind,
                          enum fact fact, struct field_candidates *found);

/* Drop those that do not hold in POPULATION. */
void search_field_filter(const struct population *population, enum specimen_kind kind,
                         enum fact fact, struct field_candidates *found);

/* Find possible trees for the list: one search for each path to the root. */
void search_tree(const struct population *population, enum specimen_kind kind,
                 enum specimen_list list, struct list_candidates *found);

/* The same for balanced binary trees. */
void search_binary_tree(const struct population *population, enum specimen_kind kind,
                        enum specimen_list list, struct list_candidates *found);

/* The same for lists. */
void search_list(const struct population *population, enum specimen_kind kind,
                 enum specimen_list list, struct list_candidates *found);
void search_list_filter(const struct population *population, enum specimen_kind kind,
                        enum specimen_list list, struct list_candidates *found);

/* ---- layout-draft ---------------------------------------------------------------------------- */

/* The layout while it is learned: the remaining candidates for each location, and the chosen
 * ones. */

#define LAYOUT_DRAFT_RULES 8
#define LAYOUT_DRAFT_EXCEPTIONS 4
#define LAYOUT_DRAFT_INTERNALS 4

/* References that an object of a kind holds to the objects that it refers to. */
struct layout_draft_holdings {
    uint8_t counts[SPECIMEN_KINDS];
    bool is_alone[SPECIMEN_KINDS]; /* only objects without a parent and queue do */
};

struct layout_draft_kind {
    bool is_there;
    struct field_candidates fields[FACTS];
    struct list_candidates lists[SPECIMEN_LISTS];
    unsigned rule_count;
    struct layout_rule rules[LAYOUT_DRAFT_RULES];
    unsigned internal_count;
    struct layout_rule internals[LAYOUT_DRAFT_INTERNALS]; /* `least` is the mask */
    struct location dying;                                /* width 0: none */
    struct layout_rule taken;                             /* width 0: none */
    uintptr_t taken_return; /* of callbacks, relative to the module's lowest address; 0: unknown */
    bool has_dispatch_data; /* in the word after the address of the dispatch table */
    struct layout_draft_holdings holds;       /* while it is alive */
    struct layout_draft_holdings dying_holds; /* while its destructor callbacks run */
    bool is_absent[SPECIMEN_LISTS];           /* the runtime has no such lists */
    uint8_t each_svm_holds; /* context: what each element of its list svm holds of it */
    uint8_t maps_hold;      /* memory object: what each of its mappings holds of it */
    /* Event: types of commands that hold none of the memory objects in their list. */
    unsigned exception_count;
    uint64_t exceptions[LAYOUT_DRAFT_EXCEPTIONS];
};

/* The module's list of objects whose callbacks wait. */
struct deferred_list {
    uintptr_t head; /* of its first pointer, relative to the module's lowest address; 0: none */
    int32_t next;   /* of a node: the next one */
    int32_t object; /* of a node: the cl handle */
};

struct layout_draft {
    struct deferred_list deferred_list;
    struct layout_draft_kind kinds[SPECIMEN_KINDS];
    bool has_own_contexts; /* the runtime's own, which no internal line distinguishes from the
                            * program's */
};

/* Find all locations that match POPULATION; drop those that do not match another one. */
void layout_draft_search(struct layout_draft *draft, const struct population *population);
void layout_draft_filter(struct layout_draft *draft, const struct population *population);

/* Choose one location, or none, for each field and list. */
void layout_draft_choose(struct layout_draft *draft);

/* Print the facts of POPULATION that have no location. */
void layout_draft_report_missing(const struct layout_draft *draft,
                                 const struct population *population);

/* The location of a field of a kind, or NULL. */
const struct location *layout_draft_field(const struct layout_draft *draft, enum specimen_kind kind,
                                          enum fact fact);

/* Whether all rules of KIND hold for the memory at HANDLE. */
bool layout_draft_accepts(const struct layout_draft *draft, enum specimen_kind kind,
                          uintptr_t handle);

/* Find the rules that distinguish the objects of each kind from all others in the two
 * populations. */
void layout_draft_find_rules(struct layout_draft *draft, const struct population *first,
                             const struct population *second);

/* Drop kinds whose rules reject one of their objects in POPULATION, or accept one of another
 * kind. */
void layout_draft_check_rules(struct layout_draft *draft, const struct population *population);

/* Drop kinds whose rules mistake a freed object for a live one. */
void layout_draft_check_freed(struct layout_draft *draft, const struct population *population);

/* Find what distinguishes objects that the runtime created for itself.  They are in none of the
 * COUNT POPULATIONS: two live ones, and earlier ones.  TABLE is the address that all objects
 * begin with. */
void layout_draft_find_runtime_objects(struct layout_draft *draft,
                                       struct population *const *populations, unsigned count,
                                       uintptr_t table);

/* Find the kinds of objects that have a loader's dispatch DATA, with which all objects of
 * POPULATION were created.  Only if it is needed to recognise the runtime's own OpenCL contexts. */
void layout_draft_find_dispatch_data(struct layout_draft *draft,
                                     const struct population *population, const void *data);

/* Drop what mistakes an object of POPULATION for the runtime's own. */
void layout_draft_check_runtime_objects(struct layout_draft *draft,
                                        const struct population *population);

/* ---- layout-write ---------------------------------------------------------------------------- */

/* Print the lines of the layout DRAFT. */
void layout_write(const struct layout_draft *draft, const struct icd *icd);

#endif
