/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Why objects are still there: what keeps those that the program has released, and mappings. */
#ifndef OMPD_VIEW_KEEPERS_H
#define OMPD_VIEW_KEEPERS_H

#include <view/list.h>

/* What of one kind has to do with an object. */
struct view_keeper {
    uint64_t count;
    uint64_t handle; /* of the first, */
    ompd_cl_kind_t kind;
    uint64_t number; /* and of a command, which is named by its queue: its number there; of a
                      * kernel: which of its arguments the object is; */
    uint64_t last;   /* of the last command: its number; 0: commands of several queues; of the last
                      * kernel: its handle */
};

/* An object that the program has released, or that is mapped more than once. */
struct view_kept {
    ompd_cl_kind_t kind;
    uint64_t handle;
    uint64_t size;
    const char *name; /* "sub-buffer", "OpenCL context" */
    bool is_released;
    bool is_presumed; /* the runtime may have deleted it */
    bool is_counted;  /* a layout tells that all its references are the runtime's */
    uint64_t mappings;
    struct view_keeper commands; /* that are not over and use it */
    struct view_keeper kernels;  /* whose argument it is */
    struct view_keeper children;
    bool is_proved; /* one of its kernels and children is there for certain */
};

/* Begin with {0}. */
struct view_keepers {
    struct view_kept *all; /* by handle */
    size_t count;
    size_t capacity;
};

/* Find all such objects of the target and what keeps them; of the object with the cl handle ONLY
 * alone, where that is not 0. */
void view_keepers_find(struct view_keepers *keepers, ompd_view_t *view, uint64_t only);

/* What keeps the object of KIND with HANDLE; NULL: it is not among KEEPERS. */
const struct view_kept *view_keepers_get(const struct view_keepers *keepers, ompd_cl_kind_t kind,
                                         uint64_t handle);

/* Whether any of them was mapped and never unmapped. */
bool view_keepers_are_mapped(const struct view_keepers *keepers);

void view_keepers_free(struct view_keepers *keepers);

/* Write "Released, but still there: 40 memory objects" with END and a line for each, those alike in
 * one: "  40 memory objects: commands 1 to 40 of command queue 0x1f are not over and use them";
 * then those that are mapped.  None: nothing.  END is NULL where the first line was written before.
 */
void view_keepers_write(ompd_view_t *view, const struct view_keepers *keepers, const char *end);

/* Forget what is not released, and what other objects alone keep; unless HAS_MAPPED what mappings
 * alone keep, too. */
void view_keepers_narrow(struct view_keepers *keepers, bool has_mapped);

/* Write an object of JSON for each. */
void view_keepers_json_write(ompd_view_t *view, const struct view_keepers *keepers);

/* Add what keeps KEPT to JSON, under a key of its own. */
struct json;
void view_kept_json_add(const struct view_kept *kept, struct json *json);

/* Add what keeps KEPT, in clauses: "50 mappings of it were never unmapped". */
void view_kept_describe(const struct view_kept *kept, struct text *text);

#endif
