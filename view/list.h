/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Walking the library's lists, with the same memory however long they are. */
#ifndef OMPD_VIEW_LIST_H
#define OMPD_VIEW_LIST_H

#include <view/row.h>
#include <view/view.h>

/* A walk.  All members are list.c's, but for those that say so. */
struct view_list {
    ompd_view_t *view;
    const struct view_kind *kind;
    ompd_cl_list_t number;
    unsigned char *buffer;
    size_t capacity; /* rows */
    size_t count;    /* of them, filled */
    size_t position; /* of these, given */
    bool is_open;
    bool is_told;           /* how far it is: it may be long */
    uint64_t unsaved_reads; /* of the target, before */
    uint64_t total;         /* for all to read: rows so far */
    uint64_t unreadable;    /* for all to read: rows so far that could not be read */
    ompd_rc_t rc;           /* for all to read: of the call that ended it; else ompd_rc_ok */
    bool is_unknown;        /* for all to read, at the end: none was given, but there may be some */
    /* For all to read, at the end of a list of all objects: */
    bool has_gaps; /* the view has sentences about what it leaves open, and */
    bool is_short; /* part of it is missing */
};

/* Open the list of all objects of a kind that meet FILTER, which may be NULL. */
void view_list_open(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                    const ompd_cl_filter_t *filter);

/* Open the list of what belongs to OWNER: its destructor callbacks in call order, an SVM-free
 * command's pointers or the events it waits for, the calls and callbacks that a thread is in, the
 * places that have a handle. */
void view_list_open_parts(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                          const struct view_row *owner);

/* Open either so that ompd_rc_unavailable, of a recorder that keeps no such thing, and
 * ompd_rc_unsupported, of a front end that does not tell, are no failure of the view: `rc` tells.
 */
void view_list_open_optional(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                             const ompd_cl_filter_t *filter);

/* Give the next row, good until the next call; false: there is none, or it failed, which is in the
 * view. */
bool view_list_next(struct view_list *list, struct view_row *row);

/* Give the list back, walked to its end or not; its counts stay. */
void view_list_close(struct view_list *list);

/* Close the lists of a command that ended where its memory did. */
void view_lists_close(ompd_view_t *view);

/* Add the sentence for the rows that could not be read: there are some. */
void view_list_describe_unreadable(const struct view_list *list, struct text *text);

/* Bytes that hold the info struct of any kind. */
#define VIEW_ROW_SIZE 1024

/* One object that was asked for by itself. */
struct view_object {
    struct view_row row;
    uint64_t bytes[VIEW_ROW_SIZE / sizeof(uint64_t)]; /* its info struct */
};

/* Fill OBJECT with what is known of the object ID of a kind.  What the library returned is not kept
 * in the view: view_check does. */
ompd_rc_t view_object_get(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t id,
                          struct view_object *object);

/* Fill OBJECT with ROW, an info struct of KIND that a caller of the view gave.  False: it is none.
 */
bool view_object_copy(struct view_object *object, ompd_cl_kind_t kind, const void *row);

/* Find the object of a kind that has the cl handle HANDLE, likewise: *ID gets its id, 0 for none.
 */
ompd_rc_t view_object_find(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t handle, uint64_t *id);

/* Fill OBJECT with what is known of the object of a kind that has the cl handle HANDLE, for what is
 * said beside the answer.  False: there is none, or nothing is known of it. */
bool view_object_look(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t handle,
                      struct view_object *object);

#endif
