/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Print the library's field table for the manual: a line for each kind of row,
 *     kind NAME STRUCT-SIZE
 * followed by a line for each of its fields,
 *     field NAME TITLE TYPE UNIT HELP NAMES MEMBER
 * with tabs between the words.  TYPE is an ompd_cl_type_t; NAMES is separated by commas; MEMBER is
 * that of the struct.
 */
#include <ompd-opencl.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Above the number of every kind.  Not every number below it is a kind. */
#define KIND_LIMIT 64

/* The library's own table has the offset of a member, not its name. */
static const struct {
    ompd_cl_kind_t kind;
    const char *name, *member;
} members[] = {
#define FIELD_AT(kind, key, member, title, type, where, help) {ompd_cl_kind_##kind, #key, #member},
#include <schema/kinds.def>
};

static const char *find_member(ompd_cl_kind_t kind, const char *name)
{
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        if (members[i].kind == kind && strcmp(members[i].name, name) == 0)
            return members[i].member;
    }
    return name;
}

static void print_field(ompd_cl_kind_t kind, const ompd_cl_field_t *field)
{
    printf("field\t%s\t%s\t%" PRIu32 "\t%s\t%s\t", field->name, field->title, field->type,
           field->unit, field->help);
    for (uint32_t i = 0; i < field->name_count; i++)
        printf("%s%s", i ? "," : "", ompd_cl_field_name_at(field, i)->name);
    printf("\t%s\n", find_member(kind, field->name));
}

int main(void)
{
    const ompd_cl_field_t *field;
    const char *name;
    ompd_size_t struct_size;

    for (ompd_cl_kind_t kind = ompd_cl_kind_overview; kind < KIND_LIMIT; kind++) {
        if (ompd_cl_kind_get(kind, &name, &struct_size) != ompd_rc_ok)
            continue;
        printf("kind\t%s\t%" PRIu64 "\n", name, (uint64_t)struct_size);
        for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++)
            print_field(kind, field);
    }
    return ferror(stdout) || fflush(stdout) != 0;
}
