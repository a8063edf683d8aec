/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runtimes, and the layouts that describe them. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

static const ompd_cl_name_t finding_names[] = {
    {ompd_cl_found_by_layout, "layout", "where its layout says"},
    {ompd_cl_found_by_symbol, "symbol", "by a symbol of its library"},
    {ompd_cl_found_by_search, "search", "by a search of its memory"},
};

#define INFO ompd_cl_runtime_info_t
static const ompd_cl_field_t runtime_fields[] = {
    FIELD(module, "module", text, 1, "", "file of the runtime, the end of its path"),
    FIELD(build_id, "build-id", text, 1, "", "its build-id, hexadecimal"),
    FIELD(layout, "layout", text, 1, "",
          "runtime that the layout which fits is of; none: none does"),
    FIELD(address, "address", address, 0, "", "lowest address of the module"),
    FIELD(table, "table", address, 0, "", "its dispatch table, which its objects point to"),
    NAMED(found_by, "found by", name, 0, finding_names, "how the dispatch table was found"),
    FIELD(objects, "objects", count, 1, "", "objects of it that were found, of any kind"),
};
#undef INFO

KIND(runtime, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);

#define INFO ompd_cl_layout_info_t
static const ompd_cl_field_t layout_fields[] = {
    FIELD(runtime, "runtime", text, 1, "", "name and version of the runtime"),
    FIELD(module, "module", text, 1, "", "file of the runtime"),
    FIELD(build_id, "build-id", text, 1, "", "build of the runtime that it is of, hexadecimal"),
    FIELD(machine, "machine", number, 0, "", "machine that it is for, as ELF numbers them"),
    FIELD(pointer_size, "pointer size", bytes, 0, "B", "size of a pointer on that machine"),
};
#undef INFO

KIND(layout, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);
