/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Text tables: one line per row, aligned under headings.
 *
 * At most VIEW_BLOCK rows are buffered.  From the first block, column-fit.c decides which common
 * values to write once above the heading, and which columns fit the width.  Later blocks share the
 * heading if they fit; otherwise a new heading is written.
 */
#ifndef OMPD_VIEW_TABLE_H
#define OMPD_VIEW_TABLE_H

#include <view/show/show.h>

#define VIEW_BLOCK 1000
#define VIEW_GAP "  "

/* Options of a table. */
struct view_table_options {
    const char *const *also; /* additional columns, ended by NULL; or NULL
                              */
    const char *indent;      /* before each line */
    bool is_numbered;        /* a first column counts the rows from 1 */
    /* The only columns to show; NULL or empty: the usual ones. */
    const struct view_chosen_fields *chosen;
};

/* Where a column is shown. */
enum view_shown { view_shown_in_column, view_shown_above, view_shown_nowhere, view_shown_no_room };

/* Bytes of a text that a column has room for. */
#define VIEW_TEXT_ROOM 119

struct view_column {
    const ompd_cl_field_t *field; /* NULL: not a field of a row */
    const char *title;
    bool is_right_justified;
    bool is_extra; /* shown in wide tables only */
    size_t rank;   /* columns with the lowest rank are dropped first */
    /* For the rows up to the next heading, by column-fit.c: */
    enum view_shown shown;
    struct view_cell same; /* the common value of a column shown above */
    bool is_presumed;      /* cells without a mark are presumed */
    bool is_short;         /* its cells are shortened by view_column_shorten */
    bool has_marks;        /* right-justified cells without a mark leave room for it */
    size_t width;
};

struct view_table_line {
    struct view_cell *cells; /* one per column */
    uint64_t confidence;     /* ompd_cl_confidence_t; 0: none */
    struct text doubt;
    struct text below; /* whole lines */
};

struct view_table {
    struct view_renderer *renderer;
    const char *noun;   /* of a row */
    const char *plural; /* of rows */
    struct view_table_options options;
    struct view_column columns[VIEW_FIELDS];
    size_t column_count;
    struct view_table_line *lines; /* not yet written, at most VIEW_BLOCK */
    size_t line_count;
    size_t line_capacity; /* lines with allocated cells */
    uint64_t written;     /* rows written before these */
    bool has_heading;     /* the heading is written */
    bool is_presumed;     /* rows without a mark are presumed */
    size_t number_width;
};

/* Begin a table of rows of KIND, or one without columns whose rows are called NOUN and PLURAL. */
struct view_table *view_table_begin(struct view_renderer *renderer, const struct view_kind *kind,
                                    const struct view_table_options *options);
struct view_table *view_table_begin_empty(struct view_renderer *renderer, const char *noun,
                                          const char *plural,
                                          const struct view_table_options *options);

/* Add a column; only before the first row. */
struct view_column *view_table_add_column(struct view_table *table, const ompd_cl_field_t *field,
                                          const char *title, bool is_right_justified);

/* Add a row. */
void view_table_add(struct view_table *table, const struct view_row *row);

/* Add a row with empty cells, for the caller to fill. */
struct view_table_line *view_table_add_line(struct view_table *table);

/* Write the buffered rows; further rows share the heading if they fit. */
void view_table_write(struct view_table *table);

/* Write the buffered rows, and free TABLE.  The caller writes the legend. */
void view_table_end(struct view_table *table);

/* Whether values of FIELD are numbers, which are right-justified. */
bool view_field_is_number(const ompd_cl_field_t *field);

/* Add the text of a cell of COLUMN with its mark; its mark. */
void view_column_show(const struct view_column *column, const struct view_cell *cell,
                      struct text *text);
const char *view_column_mark(const struct view_column *column, const struct view_cell *cell);

/* The mark of a row that is less or more certain than the others. */
const char *view_table_mark(const struct view_table *table, const struct view_table_line *line);

/* Of column-fit.c: whether the buffered rows fit the last heading; decide the columns of a new
 * heading; write the sentences above it. */
bool view_column_fit_holds(struct view_table *table);
void view_column_fit_decide(struct view_table *table);
void view_column_fit_sentences_write(struct view_table *table);

/* The rank of COLUMN, at INDEX: columns with the lowest rank are dropped first. */
size_t view_column_fit_rank(const struct view_column *column, size_t index);

/* Add which columns of TABLE are dropped in narrow tables and added in wide ones. */
void view_column_fit_describe(const struct view_table *table, struct text *text);

/* Whether a column of FIELD is shown in wide tables only. */
bool view_column_fit_is_extra(const ompd_cl_field_t *field);

/* Add VALUE of a cell of COLUMN in its short form: flags by their initials, an address by its name,
 * a function by the last part of its name. */
void view_column_shorten(const struct view_column *column, const char *value, struct text *text);

/* Add FLAGS of FIELD by the initials of their words: "RW|UHP". */
void view_flags_shorten(const ompd_cl_field_t *field, const char *flags, struct text *text);

/* The length of the common prefix of the flags of FIELD, in whole words: "CL_MEM_". */
size_t view_flags_prefix(const ompd_cl_field_t *field);

/* Write one object, one line per applicable field.  Fields that were not observed share a line. */
void view_fields_write(ompd_view_t *view, const struct view_row *row);

#endif
