/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists: where a walk over rows stands. */
#ifndef LIBOMPD_LIST_H
#define LIBOMPD_LIST_H

#include "address-space.h"

/* A list of records that link to each other. */
struct list_chain {
    uint32_t link;   /* index plus 1 of the next record, 0 for none */
    uint32_t count;  /* links that are still to come, */
    uint32_t slack;  /* of which so many may be missing: the chain was being changed */
    uint32_t object; /* callbacks: reference of the object, which every link must name, */
    uint32_t object_generation; /* and its generation; else 0 */
};

/* Links that a chain has gone through.  The first are all kept, so that no row of a short list is
 * given twice; of later ones one is kept, a later one each time the steps have doubled (Brent),
 * which a cycle comes back to. */
#define LIST_LINKS_KEPT 64

struct list_links {
    uint32_t count;
    uint32_t kept_later;
    uint32_t kept[LIST_LINKS_KEPT]; /* the first `count` */
};

struct list {
    struct list *next; /* of the address space's open or closed lists */
    uint64_t number;   /* this use of it; permuted, its id */
    uint32_t kind;     /* ompd_cl_kind_t of its rows */
    bool is_walk;      /* over a table, else over a chain */
    bool is_filtered;
    ompd_cl_filter_t filter;
    struct registry_walk walk;
    struct list_chain chain;
    bool is_corrupt;         /* the chain's links make no sense */
    uint64_t lost;           /* rows of the chain that could not be given */
    struct list_links links; /* last, because what it keeps need not be zeroed */
};

/* Open a list of all objects of KIND.  FILTER may be NULL. */
ompd_rc_t list_open_table(struct address_space *space, uint32_t kind,
                          const ompd_cl_filter_t *filter, ompd_cl_list_t *id);

/* Open a list of the records of KIND that are linked from CHAIN. */
ompd_rc_t list_open_chain(struct address_space *space, uint32_t kind,
                          const struct list_chain *chain, ompd_cl_list_t *id);

/* The public *_list_next functions, for rows of KIND. */
ompd_rc_t list_next(ompd_address_space_handle_t *handle, ompd_cl_list_t id, uint32_t kind,
                    ompd_size_t capacity, void *rows, ompd_size_t *count, ompd_size_t *unreadable);

/* Free the lists of SPACE, open and closed. */
void lists_free(struct address_space *space);

#endif
