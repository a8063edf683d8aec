/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All destructor callbacks that the recorder has: object by object, in call order. */
#ifndef LIBOMPD_DESTRUCTOR_LIST_H
#define LIBOMPD_DESTRUCTOR_LIST_H

#include "lists/list-chain.h"
#include "lists/object.h"

/* The parts of the list, in this order: what the objects of a table link to, then the callbacks
 * that no chain has led to, since their object is damaged. */
enum destructor_part { destructors_of_memobjs, destructors_of_contexts, destructors_apart };

/* Where the record of an object has its destructor callbacks. */
extern const struct object_chain destructor_chain;

/* Gives rows of LIST, a list_give_t. */
ompd_rc_t destructor_list_give(struct address_space *space, struct list *list, struct batch *batch);

#endif
