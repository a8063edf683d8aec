/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Balanced binary trees: what container.h says of lists, for these alone. */
#ifndef LIBOMPD_CONTAINER_BINARY_TREE_H
#define LIBOMPD_CONTAINER_BINARY_TREE_H

#include "layout/container.h"

ompd_rc_t container_binary_tree_begin(struct container *container, struct target *target);

ompd_rc_t container_binary_tree_next(struct container *container, struct target *target,
                                     struct container_element *element);

#endif
