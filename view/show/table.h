/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Tables of text: a line a row, aligned under headings.
 *
 * At most VIEW_BLOCK rows are held at once.  By those of the first block column-fit.c decides what
 * is said once above the heading, because it is the same in all rows, and which columns are shown
 * in the width that there is.  That holds for the blocks that follow, too, or another heading
 * comes.
 */
#ifndef OMPD_VIEW_TABLE_H
#define OMPD_VIEW_TABLE_H

#include <view/show/show.h>

#define VIEW_BLOCK 1000
#define VIEW_GAP "  "

/* What a table is like. */
struct view_table_options {
    const char *const *also; /* columns beside those of every table of the kind; NULL ends; or NULL
                              */
    const char *indent;      /* in front of each line */
    bool is_numbered;        /* a first column counts the rows from 1 */
    /* The columns in place of all others; NULL, or none: those of every table. */
    const struct view_chosen_fields *chosen;
};

/* Where what a column says is shown. */
enum view_shown { view_shown_in_column, view_shown_above, view_shown_nowhere, view_shown_no_room };

/* Bytes of a text that a column has room for. */
#define VIEW_TEXT_ROOM 119

struct view_column {
    const ompd_cl_field_t *field; /* NULL: it is no field of a row */
    const char *title;
    bool is_right_justified;
    bool is_extra; /* shown where there is room for more than a table of its kind needs */
    size_t rank;   /* those of the lowest are the first to be left out where there is no room */
    /* For the rows up to the next heading, by column-fit.c: */
    enum view_shown shown;
    struct view_cell same; /* what all rows have, of one that is shown above */
    bool is_presumed;      /* what has no mark is presumed, rather than proved */
    bool is_short;         /* its cells are shortened: see view_column_shorten */
    bool has_marks;        /* right-justified cells without one leave room for it */
    size_t width;
};

struct view_table_line {
    struct view_cell *cells; /* one a column */
    uint64_t confidence;     /* ompd_cl_confidence_t; 0: rows of its kind have none */
    struct text doubt;
    struct text below; /* whole lines */
};

struct view_table {
    struct view_renderer *renderer;
    const char *noun;   /* what a row is, */
    const char *plural; /* and rows are */
    struct view_table_options options;
    struct view_column columns[VIEW_FIELDS];
    size_t column_count;
    struct view_table_line *lines; /* that are to be written: at most VIEW_BLOCK */
    size_t line_count;
    size_t line_capacity; /* of them have memory */
    uint64_t written;     /* rows, before these */
    bool has_heading;     /* it is written, and what column-fit.c decided is for it */
    bool is_presumed;     /* a row without a mark is presumed to be there */
    size_t number_width;
};

/* Begin a table of rows of KIND; or one without columns, of what NOUN and PLURAL call its rows. */
struct view_table *view_table_begin(struct view_renderer *renderer, const struct view_kind *kind,
                                    const struct view_table_options *options);
struct view_table *view_table_begin_empty(struct view_renderer *renderer, const char *noun,
                                          const char *plural,
                                          const struct view_table_options *options);

/* Add a column, before the first row. */
struct view_column *view_table_add_column(struct view_table *table, const ompd_cl_field_t *field,
                                          const char *title, bool is_right_justified);

/* Add a row. */
void view_table_add(struct view_table *table, const struct view_row *row);

/* Add a row, whose cells are empty and for the caller to fill. */
struct view_table_line *view_table_add_line(struct view_table *table);

/* Write what is left; further rows go below the same heading where they can. */
void view_table_write(struct view_table *table);

/* Write what is left, and give TABLE back.  Notes are left to the caller. */
void view_table_end(struct view_table *table);

/* Whether values of FIELD are sizes, counts or other numbers, which stand below each other. */
bool view_field_is_number(const ompd_cl_field_t *field);

/* What a cell of COLUMN shows, and the mark of one that is not as sure as others. */
void view_column_show(const struct view_column *column, const struct view_cell *cell,
                      struct text *text);
const char *view_column_mark(const struct view_column *column, const struct view_cell *cell);

/* What marks a row of which it is not as sure as of others that it is there. */
const char *view_table_mark(const struct view_table *table, const struct view_table_line *line);

/* Of column-fit.c: whether the rows that are held go below the last heading; decide how they are
 * shown below one of their own, and write what is said above it. */
bool view_column_fit_holds(struct view_table *table);
void view_column_fit_decide(struct view_table *table);
void view_column_fit_sentences_write(struct view_table *table);

/* Which of the columns are left out first where there is no room: COLUMN is the one at INDEX. */
size_t view_column_fit_rank(const struct view_column *column, size_t index);

/* Add which columns of TABLE come and go with the room that there is. */
void view_column_fit_describe(const struct view_table *table, struct text *text);

/* Whether a column of FIELD is shown where there is room for more than a table needs. */
bool view_column_fit_is_extra(const ompd_cl_field_t *field);

/* Add VALUE, which is in a cell of COLUMN, as it is shown where there is little room: flags by
 * their initials, an address that has a name by that, a function by the last part of its name. */
void view_column_shorten(const struct view_column *column, const char *value, struct text *text);

/* Add the initials of the words of flags that FIELD may have: "RW|UHP". */
void view_flags_shorten(const ompd_cl_field_t *field, const char *flags, struct text *text);

/* How many bytes the names of all flags of FIELD begin with in common, whole words: "CL_MEM_". */
size_t view_flags_prefix(const ompd_cl_field_t *field);

/* Write one object, a line a field, but for those that are not there; those that were not
 * observed share one. */
void view_fields_write(ompd_view_t *view, const struct view_row *row);

#endif
