/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names in layouts (schema/layout.def). */
#include "sources/layout/layout.h"

const struct layout_kind_word layout_kind_words[LAYOUT_KIND_COUNT] = {
#define LAYOUT_KIND(kind, article) [layout_##kind] = {#kind, article " " #kind},
#include <schema/layout.def>
};

const struct layout_field_word layout_field_words[LAYOUT_FIELD_COUNT] = {
#define LAYOUT_FIELD(field, ...) [layout_##field] = {__VA_ARGS__},
#include <schema/layout.def>
};

const struct layout_list_word layout_list_words[LAYOUT_LIST_COUNT] = {
#define LAYOUT_LIST(list, kinds, needed) [layout_##list] = {#list, kinds, layout_##needed},
#include <schema/layout.def>
};

const struct layout_element_word layout_element_words[LAYOUT_ELEMENT_COUNT] = {
#define LAYOUT_ELEMENT(element, word, list, is_pointer)                                            \
    [layout_##element] = {word, layout_##list, is_pointer},
#include <schema/layout.def>
};

enum layout_kind layout_kind_find(struct word word)
{
    unsigned kind = 0;

    while (kind < LAYOUT_KIND_COUNT && !word_is(word, layout_kind_words[kind].name))
        kind++;
    return (enum layout_kind)kind;
}

enum layout_field layout_field_find(enum layout_kind kind, struct word word)
{
    unsigned field = 0;

    while (field < LAYOUT_FIELD_COUNT && ((layout_field_words[field].kinds >> kind & 1) == 0 ||
                                          !word_is(word, layout_field_words[field].name)))
        field++;
    return (enum layout_field)field;
}

enum layout_list layout_list_find(enum layout_kind kind, struct word word)
{
    unsigned list = 0;

    while (list < LAYOUT_LIST_COUNT && ((layout_list_words[list].kinds >> kind & 1) == 0 ||
                                        !word_is(word, layout_list_words[list].name)))
        list++;
    return (enum layout_list)list;
}

enum layout_element layout_element_find(enum layout_list list, struct word word)
{
    unsigned element = 0;

    while (element < LAYOUT_ELEMENT_COUNT && (layout_element_words[element].list != list ||
                                              !word_is(word, layout_element_words[element].name)))
        element++;
    return (enum layout_element)element;
}

#define KIND(kind) (UINT32_C(1) << layout_##kind)
#define MEMORY (KIND(buffer) | KIND(image))

static const struct layout_naming namings[] = {
    {layout_device_of, KIND(queue), KIND(device), layout_device, true},
    {layout_queue_of, KIND(event), KIND(queue), layout_queue, false},
    {layout_program_of, KIND(kernel), KIND(program), layout_program, true},
    {layout_parent, MEMORY, MEMORY, layout_buffer, false},
};

#define NAMING_COUNT (sizeof(namings) / sizeof(namings[0]))

const struct layout_naming *layout_naming_of(enum layout_kind kind)
{
    for (size_t i = 0; i < NAMING_COUNT; i++) {
        if ((namings[i].namers >> kind & 1) != 0)
            return &namings[i];
    }
    return NULL;
}

enum layout_field layout_field_naming(enum layout_kind kind)
{
    if (kind == layout_context)
        return layout_context_of;
    for (size_t i = 0; i < NAMING_COUNT; i++) {
        if (namings[i].held == kind)
            return namings[i].field;
    }
    return LAYOUT_FIELD_COUNT;
}
