/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names that a layout knows: kinds of objects, their fields, their lists and what those hold.
 */
#ifndef LIBOMPD_LAYOUT_NAMES_H
#define LIBOMPD_LAYOUT_NAMES_H

#include "layout/layout-line.h"
#include "layout/layout.h"

struct layout_kind_word {
    const char *name;
    const char *one; /* "an event" */
};

struct layout_field_word {
    const char *name;
    uint32_t kinds;      /* that have it: bits 1 << enum layout_kind */
    bool is_pointer;     /* of the word size */
    bool may_be_unknown; /* in some objects, while others tell it */
};

struct layout_list_word {
    const char *name;
    uint32_t kinds;
    enum layout_element needed; /* without which the list tells nothing */
};

struct layout_element_word {
    const char *name;
    enum layout_list list;
    bool is_pointer;
};

extern const struct layout_kind_word layout_kind_words[LAYOUT_KIND_COUNT];
extern const struct layout_field_word layout_field_words[LAYOUT_FIELD_COUNT];
extern const struct layout_list_word layout_list_words[LAYOUT_LIST_COUNT];
extern const struct layout_element_word layout_element_words[LAYOUT_ELEMENT_COUNT];

/* Each finds what WORD names, in objects of a kind or elements of a list; the number of the names
 * when it names none. */
enum layout_kind layout_kind_find(struct word word);
enum layout_field layout_field_find(enum layout_kind kind, struct word word);
enum layout_list layout_list_find(enum layout_kind kind, struct word word);
enum layout_element layout_element_find(enum layout_list list, struct word word);

/* A field with the cl handle of another object. */
struct layout_naming {
    enum layout_field field;
    uint32_t namers;       /* kinds of objects that have it: bits 1 << enum layout_kind */
    uint32_t named;        /* kinds of what it names */
    enum layout_kind held; /* of them, whose references the object may hold */
    bool is_never_missing;
};

/* The field by which an object of KIND names another beside its OpenCL context; NULL: none. */
const struct layout_naming *layout_naming_of(enum layout_kind kind);

/* The field of an object that names one of KIND, whose references it may hold;
 * LAYOUT_FIELD_COUNT: none does. */
enum layout_field layout_field_naming(enum layout_kind kind);

#endif
