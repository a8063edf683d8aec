/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Walking the library's lists, with the same memory however long they are. */
#ifndef OMPD_HOST_COMMAND_LIST_H
#define OMPD_HOST_COMMAND_LIST_H

#include <host/command/row.h>
#include <host/command/session.h>

/* A walk.  All members are list.c's, but for those that say so. */
struct command_list {
    struct command_session *session;
    const struct command_kind *kind;
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
    bool has_gaps; /* the session has sentences about what it leaves open, and */
    bool is_short; /* part of it is missing */
};

/* Open the list of all objects of a kind that meet FILTER, which may be NULL. */
void command_list_open(struct command_list *list, struct command_session *session,
                       ompd_cl_kind_t kind, const ompd_cl_filter_t *filter);

/* Open the list of what belongs to OWNER: its destructor callbacks in call order, an SVM-free
 * command's pointers or the events it waits for, the calls and callbacks that a thread is in. */
void command_list_open_parts(struct command_list *list, struct command_session *session,
                             ompd_cl_kind_t kind, const struct command_row *owner);

/* Open either so that ompd_rc_unavailable, of a recorder that keeps no such thing, is no failure of
 * the session: `rc` tells. */
void command_list_open_optional(struct command_list *list, struct command_session *session,
                                ompd_cl_kind_t kind, const ompd_cl_filter_t *filter);

/* Give the next row, good until the next call; false: there is none, or it failed, which is in the
 * session. */
bool command_list_next(struct command_list *list, struct command_row *row);

/* Give the list back, walked to its end or not; its counts stay. */
void command_list_close(struct command_list *list);

/* Add the sentence for the rows that could not be read: there are some. */
void command_list_describe_unreadable(const struct command_list *list, struct command_text *text);

/* Bytes that hold the info struct of any kind. */
#define COMMAND_ROW_SIZE 1024

/* One object that was asked for by itself. */
struct command_object {
    struct command_row row;
    uint64_t bytes[COMMAND_ROW_SIZE / sizeof(uint64_t)]; /* its info struct */
};

/* Fill OBJECT with what is known of the object ID of a kind.  What the library returned is not kept
 * in the session: command_session_check does. */
ompd_rc_t command_object_get(struct command_session *session, ompd_cl_kind_t kind, uint64_t id,
                             struct command_object *object);

/* Find the object of a kind that has the cl handle HANDLE, likewise: *ID gets its id, 0 for none.
 */
ompd_rc_t command_object_find(struct command_session *session, ompd_cl_kind_t kind, uint64_t handle,
                              uint64_t *id);

#endif
