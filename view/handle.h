/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From what the user typed to one object. */
#ifndef OMPD_VIEW_HANDLE_H
#define OMPD_VIEW_HANDLE_H

#include <view/list.h>

/* Find the object of one of KINDS, COUNT of them, that WORD (0x5555556027d0) names: a cl handle, an
 * SVM allocation's pointer, or for an SVM-free command its event or a pointer that it frees.
 * OBJECT gets it.  False: there is none, or it failed, which is in the view. */
bool view_handle_find(ompd_view_t *view, const char *word, const ompd_cl_kind_t *kinds,
                      size_t count, struct view_object *object);

/* Find the object that WORD names, of any kind that has a handle.  False: it failed, which is in
 * the view, or there is none: *ADDRESS gets what WORD stands for. */
bool view_handle_find_any(ompd_view_t *view, const char *word, struct view_object *object,
                          uint64_t *address);

#endif
