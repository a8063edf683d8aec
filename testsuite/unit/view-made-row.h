/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kind of row that exists only in the tests, and a row of it from a fake front end. */
#ifndef OMPD_TEST_VIEW_MADE_ROW_H
#define OMPD_TEST_VIEW_MADE_ROW_H

#include "view-front.h"

#include <check.h>
#include <string.h>
#include <view/model/model.h>
#include <view/show/table.h>

#define FIELDS 8

static struct population population;
static struct front front;
static struct view_renderer renderer;

/* A kind of the test's own, and a row of it. */
static struct view_kind kind;
static ompd_cl_field_t fields[FIELDS];
static union {
    ompd_cl_value_t values[1 + FIELDS]; /* behind what struct_size and an id take */
    unsigned char bytes[(1 + FIELDS) * sizeof(ompd_cl_text_t)];
} content;
static const struct view_row row = {&kind, content.bytes};

#define NAMED(value, name)                                                                         \
    {                                                                                              \
        sizeof(ompd_cl_name_t), value, name, NULL                                                  \
    }
static const ompd_cl_name_t names[] = {NAMED(1, "one"), NAMED(2, "two"), NAMED(4, "four")};

static const char *const outer[] = {"ou\tter", "begin"};

static const char *const bound_outer[] = {"two", "three"};
static const ompd_view_line_place_t bound_calls[] = {{"app.cc", 7}, {"/src/app.cc", 8}};

#define LIBAPP .module = "/lib/libapp.so", .has_module_offset = true, .module_offset = 0x1139

static const struct front_place places[] = {
    {0x1000, {.symbol = "d2", .file = "/src/app.c", .line = 9, .module = "/bin/app"}},
    {0x2000, {.symbol = "d2", .symbol_offset = 4, LIBAPP}},
    {0x3000, {LIBAPP}},
    {0x3001, {.module = "[vdso]"}},
    {0x4000, {.symbol = NULL}},
    {0x6000, {.symbol = "e\x1b[2Jvil\n", .file = "/src/a\rpp.c", .line = 1}},
    {0x7000, {.symbol = "\x07", .module = "/lib/\xc2\x9b.so", .symbol_offset = 1}},
    {0x5000, {.symbol = "main", .file = "app.c", .line = 3}},
    {0x400600, {.symbol = "zero", .file = "/usr/include/CL/opencl.hpp", .line = 5}},
    {0x400601,
     {.symbol = "one",
      .file = "/usr/include/CL/opencl.hpp",
      .line = 6,
      .inlined_into = bound_outer,
      .inlined_count = 2,
      .inlined_at = bound_calls}},
    {0x400500, {.symbol = "inner", .file = "in.h", .inlined_into = outer, .inlined_count = 2}},
};

static inline void set_up(void)
{
    population = population_create(false, 8);
    population_open(&population);
    front_begin(&front);
    front.space = population.space;
    front.places = places;
    front.place_count = sizeof(places) / sizeof(places[0]);
    front_open(&front);
    front.view->use.space = population.space;
    view_renderer_begin(&renderer, front.view);
    kind = (struct view_kind){.number = ompd_cl_kind_memobj,
                              .noun = view_kind_get(ompd_cl_kind_memobj)->noun,
                              .size = sizeof(content)};
    memset(&content, 0, sizeof(content));
}

static inline void tear_down(void)
{
    view_renderer_end(&renderer);
    front_close(&front);
    population_free(&population);
}

/* Add a field to the kind; returns its index. */
static inline size_t add_field(const char *name, ompd_cl_type_t type)
{
    size_t index = kind.field_count++;

    ck_assert_uint_lt(index, FIELDS);
    fields[index] = (ompd_cl_field_t){
        .name = name,
        .title = name,
        .help = "",
        .unit = type == ompd_cl_type_bytes ? "B" : "",
        .names = names,
        .name_count = sizeof(names) / sizeof(names[0]),
        .type = type,
        .offset = (uint32_t)((1 + index) * sizeof(content.values[0])),
        .in_table = 1,
    };
    kind.fields[index] = &fields[index];
    return index;
}

static inline void set(size_t field, uint64_t value, ompd_cl_status_t status)
{
    content.values[1 + field] =
        (ompd_cl_value_t){value, (uint16_t)status, ompd_cl_source_recorder,
                          status == ompd_cl_status_changing ? FIRST_LWP : 0};
}

/* What the cell of a field shows. */
static inline const char *cell(size_t field)
{
    static struct text text;

    text_clear(&text);
    view_cell_add(&renderer, kind.fields[field], &row, &text);
    return text_get(&text);
}

/* The certainty of a field's value: "proved", "absent", or the reason for its absence. */
static inline const char *sure(size_t field)
{
    static char reason[128];
    struct view_cell cell = {0};

    view_cell_fill(&renderer, kind.fields[field], &row, &cell);
    ck_assert_int_eq(cell.reason.length != 0, cell.sure == view_sure_unknown);
    ck_assert_int_eq(cell.text.length != 0,
                     cell.sure == view_sure_proved || cell.sure == view_sure_presumed);
    snprintf(reason, sizeof(reason), "%s",
             cell.sure == view_sure_proved     ? "proved"
             : cell.sure == view_sure_presumed ? "presumed, not proved"
             : cell.sure == view_sure_absent   ? "absent"
                                               : cell.reason.bytes);
    view_cell_free(&cell);
    return reason;
}

static inline const char *detail(size_t field)
{
    static struct text text;

    text_clear(&text);
    view_cell_detail(front.view, kind.fields[field], &row, &text);
    return text_get(&text);
}

/* What was written since the last question. */
static inline const char *written(void)
{
    front.size = 0;
    front.text[0] = '\0';
    view_flush(front.view);
    return front.text;
}

/* Begin a table of rows of the test's kind. */
static inline struct view_table *begin_table(bool is_numbered)
{
    const struct view_table_options options = {.indent = "", .is_numbered = is_numbered};

    written();
    return view_table_begin(&renderer, &kind, &options);
}

/* The table is TEXT, with its notes. */
static inline void end_table(struct view_table *table, const char *text)
{
    view_table_end(table);
    view_renderer_write_notes(&renderer, "");
    ck_assert_str_eq(written(), text);
    view_renderer_write_notes(&renderer, "");
    ck_assert_str_eq(written(), "");
}

#endif
