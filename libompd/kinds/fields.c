/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tables of schema/ as the library has them: kinds, their fields and nouns, and the names of
 * values. */
#include "kinds/kinds.h"

#include <ompd-opencl.h>
#include <stddef.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define INFO(kind) ompd_cl_##kind##_info_t

/* clang-format off */

/* Of 64 bits, as a field has it: errors are below 0. */
#define NAMES_BEGIN(set) static const ompd_cl_name_t set##_names[] = {
#define NAME(value, word, text) {sizeof(ompd_cl_name_t), (uint64_t)(int64_t)(value), word, text},
#define NAMES_END(set) };
#include <schema/names.def>

#define AT(kind, member) offsetof(INFO(kind), member)

/* ---- The public structs agree with the tables ------------------------------------------------ */

#define KIND_BEGIN(kind, number, ...)                                                              \
    _Static_assert(ompd_cl_kind_##kind == (number), "the number of " #kind);
#define FIELD_AT(kind, key, member, title, type, where, help)                                      \
    _Static_assert(_Generic(((INFO(kind) *)0)->member,                                             \
                            ompd_cl_text_t: ompd_cl_type_##type == ompd_cl_type_text,              \
                            ompd_cl_value_t: ompd_cl_type_##type != ompd_cl_type_text),            \
                   "the type of " #kind "." #member);
#include <schema/kinds.def>

/* Every member is a field, except in the head, where a kind has only its own. */
#define IS_SINGLE(number)                                                                          \
    ((number) == ompd_cl_kind_overview || (number) == ompd_cl_kind_library_memory ||               \
     (number) == ompd_cl_kind_layout)
#define KIND_BEGIN(kind, number, ...)                                                              \
    enum {                                                                                         \
        kind##_first = IS_SINGLE(number) ? sizeof(ompd_size_t) : sizeof(ompd_cl_object_head_t),    \
        kind##_size = kind##_first
#define FIELD_AT(kind, key, member, title, type, where, help)                                      \
    +(AT(kind, member) < kind##_first ? 0 : sizeof(((INFO(kind) *)0)->member))
#define KIND_END(kind, ...)                                                                        \
    };                                                                                             \
    _Static_assert(sizeof(INFO(kind)) == kind##_size, "a member of " #kind " is no field");
#include <schema/kinds.def>

/* ---- The tables of fields -------------------------------------------------------------------- */

enum { DETAIL, COLUMN };

#define UNIT(type) (ompd_cl_type_##type == ompd_cl_type_bytes ? "B" : "")
#define NONE FIELD_NONE

#define KIND_BEGIN(kind, number, article, singular, plural)                                        \
    static const ompd_cl_field_t kind##_fields[] = {
#define FIELD_AT(kind, key, member, title, type, where, help)                                      \
    {sizeof(ompd_cl_field_t), #key, title, help, UNIT(type), NULL, 0, ompd_cl_type_##type,         \
     AT(kind, member), where},
#define NAMED_AT(kind, key, member, title, type, where, names, help)                               \
    {sizeof(ompd_cl_field_t), #key, title, help, "", names##_names, COUNT(names##_names),          \
     ompd_cl_type_##type, AT(kind, member), where},
#define KIND_END(kind, context, kind_at, state, size, queue) };
#include <schema/kinds.def>

#define KIND_END(kind, ...)                                                                        \
    [ompd_cl_kind_##kind] = {                                                                      \
        #kind, kind##_fields, COUNT(kind##_fields), kind##_first, sizeof(INFO(kind)),              \
        __VA_ARGS__,                                                                               \
    },
static const struct kind kinds[] = {
#include <schema/kinds.def>
};

#define KIND_BEGIN(kind, number, ...) [ompd_cl_kind_##kind] = {sizeof(ompd_cl_noun_t), __VA_ARGS__},
static const ompd_cl_noun_t nouns[] = {
#include <schema/kinds.def>
};

/* clang-format on */

/* ---- Lookup ---------------------------------------------------------------------------------- */

const struct kind *kind_find(uint32_t kind)
{
    return kind < COUNT(kinds) && kinds[kind].name != NULL ? &kinds[kind] : NULL;
}

PUBLIC ompd_rc_t ompd_cl_field_get(ompd_cl_kind_t kind, uint32_t index,
                                   const ompd_cl_field_t **field)
{
    const struct kind *found = kind_find(kind);

    if (found == NULL || field == NULL)
        return ompd_rc_bad_input;
    if (index >= found->field_count)
        return ompd_rc_unavailable;
    *field = &found->fields[index];
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_kind_get(ompd_cl_kind_t kind, const char **name, ompd_size_t *struct_size)
{
    const struct kind *found = kind_find(kind);

    if (found == NULL || name == NULL || struct_size == NULL)
        return ompd_rc_bad_input;
    *name = found->name;
    *struct_size = found->struct_size;
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_noun_get(ompd_cl_kind_t kind, const ompd_cl_noun_t **noun)
{
    if (kind_find(kind) == NULL || noun == NULL)
        return ompd_rc_bad_input;
    *noun = &nouns[kind];
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_name_find(ompd_cl_names_t names, uint64_t value,
                                   const ompd_cl_name_t **name)
{
    const ompd_cl_name_t *all = names == ompd_cl_names_rc ? rc_names : status_names;
    size_t count = names == ompd_cl_names_rc ? COUNT(rc_names) : COUNT(status_names);

    if ((names != ompd_cl_names_rc && names != ompd_cl_names_status) || name == NULL)
        return ompd_rc_bad_input;
    for (size_t i = 0; i < count; i++) {
        if (all[i].value == value) {
            *name = &all[i];
            return ompd_rc_ok;
        }
    }
    return ompd_rc_unavailable;
}

const ompd_cl_value_t *kind_value(uint32_t kind, const void *row, const char *name)
{
    const struct kind *found = kind_find(kind);

    for (uint32_t i = 0; i < found->field_count; i++) {
        if (strcmp(found->fields[i].name, name) == 0)
            return (const ompd_cl_value_t *)(const void *)((const char *)row +
                                                           found->fields[i].offset);
    }
    return NULL;
}

/* ---- Rows without a value -------------------------------------------------------------------- */

/* Members of HEAD that its kind has no field for stay as they are set here. */
static void blank_head_fill(ompd_cl_object_head_t *head, ompd_cl_source_t source)
{
    ompd_cl_value_t *const values[] = {
        &head->handle, &head->source, &head->confidence,
        &head->doubt,  &head->order,  &head->lwp,
        &head->caller, &head->stack,  &head->runtime_references,
    };

    for (size_t i = 0; i < COUNT(values); i++)
        value_set(values[i], source, ompd_cl_status_not_applicable, 0);
}

void blank_fill(uint32_t kind, void *info, ompd_cl_source_t source, uint16_t status)
{
    const struct kind *found = kind_find(kind);

    memset(info, 0, found->struct_size);
    if (found->first_offset == sizeof(ompd_cl_object_head_t))
        blank_head_fill(info, source);
    for (uint32_t i = 0; i < found->field_count; i++) {
        void *field = (char *)info + found->fields[i].offset;

        if (found->fields[i].type == ompd_cl_type_text) {
            ((ompd_cl_text_t *)field)->status = status;
            ((ompd_cl_text_t *)field)->source = (uint16_t)source;
        } else {
            value_set(field, source, status, 0);
        }
    }
}

void image_fields_set_absent(ompd_cl_memobj_info_t *info, ompd_cl_source_t source, uint16_t status)
{
#define LAYOUT_OF_IMAGE(kind, member, field, zero) value_set(&info->member, source, status, 0);
#include <schema/kinds.def>
}
