/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Setup for tests of layouts: a target with the objects of a fake runtime, and common questions and
 * assertions. */
#ifndef FOUND_SESSION_H
#define FOUND_SESSION_H

#include "fake-objects.h"

#include "values.h"

#define MOST 16 /* rows of a list */

extern struct fake_target *target;
extern struct fake_objects objects;
extern ompd_address_space_handle_t *space;

/* Open the target in one of FAKE_VARIANTS.  A recorder has seen nothing yet. */
void found_open(int variant, bool has_recorder);
void found_close(void);

/* Make the address space of an existing target, and add the layout. */
void found_space_create(const ompd_cl_extra_t *extra);
void found_layout_add(void);

void found_refresh(void);

/* The memory object with HANDLE, and its row. */
ompd_cl_memobj_id_t found_memobj(uint64_t handle);
ompd_cl_memobj_info_t found_memobj_get(uint64_t handle);

/* The rows of LIST, at most CAPACITY a call, in ROWS, which has MOST; returns what the call that
 * was not ompd_rc_ok did. */
ompd_rc_t found_memobjs_next(ompd_cl_list_t list, ompd_size_t capacity, ompd_cl_memobj_info_t *rows,
                             ompd_size_t *count);

/* All memory objects; returns their number. */
ompd_size_t found_memobjs(ompd_cl_memobj_info_t *rows);

/* The COUNT ROWS are the program's memory objects, each once. */
void found_memobjs_check(const ompd_cl_memobj_info_t *rows, ompd_size_t count);

/* The rest of LIST, CAPACITY a call; closes it and returns the number of rows. */
ompd_size_t found_destructors(ompd_cl_list_t list, ompd_size_t capacity,
                              ompd_cl_destructor_info_t *rows);

/* Make the recorder know the OpenCL context, its queue, its buffer and that one's callback number
 * 40. */
struct recorded {
    uint32_t context; /* indexes of records */
    uint32_t buffer;
    uint32_t callback;
};
struct recorded found_record(void);

/* FIELD is NUMBER: a fact from a layout. */
#define ck_found(field, number) ck_shown(field, number, ompd_cl_status_value)
#define ck_presumed(field, number) ck_shown(field, number, ompd_cl_status_presumed)
#define ck_shown(field, number, how)                                                               \
    do {                                                                                           \
        ck_assert_uint_eq((field).status, how);                                                    \
        ck_assert_uint_eq((field).source, ompd_cl_source_layout);                                  \
        ck_assert_uint_eq((field).value, number);                                                  \
    } while (0)
#define ck_not_applicable(field) ck_none(field, ompd_cl_status_not_applicable)
#define ck_unknown(field) ck_none(field, ompd_cl_status_unknown)

/* Have all rows of a list of the kind, each call asking for CAPACITY of them. */
#define LIST_ALL(kind, open, rows, count, capacity)                                                \
    do {                                                                                           \
        ompd_cl_list_t list_;                                                                      \
        ompd_size_t got_;                                                                          \
        ompd_size_t unreadable_;                                                                   \
        ck_assert_int_eq(open, ompd_rc_ok);                                                        \
        (count) = 0;                                                                               \
        do {                                                                                       \
            (rows)[count].head.struct_size = sizeof((rows)[0]);                                    \
            ck_assert_uint_le((count) + (capacity), MOST);                                         \
            ck_assert_int_eq(ompd_cl_##kind##_list_next(space, list_, capacity, &(rows)[count],    \
                                                        &got_, &unreadable_),                      \
                             ompd_rc_ok);                                                          \
            ck_assert_uint_eq(unreadable_, 0);                                                     \
            (count) += got_;                                                                       \
        } while (got_ != 0);                                                                       \
        ck_assert_int_eq(ompd_cl_list_close(space, list_), ompd_rc_ok);                            \
    } while (0)
#define LIST(kind, rows, count)                                                                    \
    LIST_ALL(kind, ompd_cl_##kind##_list_open(space, NULL, &list_), rows, count, 1)

/* How many rows a list of a kind has: MOST are asked for. */
#define COUNT(kind)                                                                                \
    ({                                                                                             \
        ompd_cl_##kind##_info_t rows_[MOST] = {{.head.struct_size = sizeof(rows_[0])}};            \
        ompd_cl_list_t list_;                                                                      \
        ompd_size_t count_;                                                                        \
        ck_assert_int_eq(ompd_cl_##kind##_list_open(space, NULL, &list_), ompd_rc_ok);             \
        ck_assert_int_eq(ompd_cl_##kind##_list_next(space, list_, MOST, rows_, &count_, NULL),     \
                         ompd_rc_ok);                                                              \
        ck_assert_int_eq(ompd_cl_list_close(space, list_), ompd_rc_ok);                            \
        count_;                                                                                    \
    })

#endif
