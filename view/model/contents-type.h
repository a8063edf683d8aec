/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The types of OpenCL C that memory is shown as (OpenCL C 3.0 sections 6.3.1 and 6.3.2). */
#ifndef OMPD_VIEW_CONTENTS_TYPE_H
#define OMPD_VIEW_CONTENTS_TYPE_H

#include <stdbool.h>
#include <text/text.h>

enum contents_form { contents_signed, contents_unsigned, contents_float };

#define CONTENTS_LINE 16 /* numbers on a line, at most */

/* A scalar or a vector. */
struct contents_type {
    enum contents_form form;
    unsigned size;     /* of a number, bytes */
    unsigned lanes;    /* numbers of a value */
    unsigned stride;   /* numbers from one value to the next: a vector of 3 takes as much as of 4 */
    unsigned per_line; /* values on a line */
    unsigned width;    /* columns that a scalar is moved right to fill */
};

/* The type called NAME; false: there is none. */
bool contents_type_get(const char *name, struct contents_type *type);

/* Add the name of type number INDEX; false: there are no more. */
bool contents_type_name_add(size_t index, struct text *text);

/* Add NUMBER, its bits in the lowest bytes: "-1", "0.5", "nan". */
void contents_number_add(const struct contents_type *type, uint64_t number, struct text *text);

/* Whether NUMBER is neither infinite nor none at all. */
bool contents_number_is_finite(const struct contents_type *type, uint64_t number);

#endif
