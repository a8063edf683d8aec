/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parses the lines that describe the classes of a runtime in C++. */
#include "sources/layout/layout.h"

#include <string.h>

/* Larger objects, and types further into their module, are implausible. */
#define CLASS_MOST_OFFSET UINT16_MAX
#define CLASS_MOST_TYPE_INFO (UINT64_C(1) << 40)

/* So many types at their addresses identify a build that has no build-id. */
#define CLASS_FINGERPRINT 4

static const char *const class_words[LAYOUT_CLASS_COUNT] = {
#define LAYOUT_CLASS(class, word) [layout_class_##class] = word,
#include <schema/layout.def>
};

static const struct {
    const char *word;
    uint32_t classes; /* bits 1 << enum layout_class_kind */
} class_members[LAYOUT_MEMBER_COUNT] = {
#define LAYOUT_CLASS_BIT(class) (UINT32_C(1) << layout_class_##class)
#define LAYOUT_MEMBER(member, word, classes) [layout_member_##member] = {word, classes},
#include <schema/layout.def>
};

/* Parse word number INDEX as an offset in an object. */
static ompd_rc_t class_offset_parse(struct layout_parser *parser, unsigned index, uint16_t *offset)
{
    struct word word = parser->text.words[index];
    uint64_t number;

    if (!word_unsigned(word, 0, CLASS_MOST_OFFSET, &number))
        return layout_text_refuse(&parser->text, "", word, " is not an offset from 0 to 65535.");
    *offset = (uint16_t)number;
    return ompd_rc_ok;
}

/* Parse word number INDEX as a number of bytes. */
static ompd_rc_t class_bytes_parse(struct layout_parser *parser, unsigned index, uint32_t *bytes)
{
    struct word word = parser->text.words[index];
    uint64_t number;

    if (!word_unsigned(word, 1, CLASS_MOST_OFFSET, &number))
        return layout_text_refuse(&parser->text, "", word, " is not a count from 1 to 65535.");
    *bytes = (uint32_t)number;
    return ompd_rc_ok;
}

/* Refuse the current line if the class HAS one like it. */
static ompd_rc_t class_line_check(struct layout_parser *parser, bool has)
{
    if (!has)
        return ompd_rc_ok;
    return layout_text_refuse(&parser->text, "the class already has a line ", parser->text.words[0],
                              ".");
}

static ompd_rc_t class_width_parse(struct layout_parser *parser, unsigned index, uint8_t *width)
{
    struct word word = parser->text.words[index];
    uint64_t number;

    if (!word_unsigned(word, 1, 8, &number) || (number & (number - 1)) != 0)
        return layout_text_refuse(&parser->text, "", word, " is not a width; use 1, 2, 4 or 8.");
    *width = (uint8_t)number;
    return ompd_rc_ok;
}

static ompd_rc_t class_name_parse(struct layout_parser *parser, struct layout_class *class)
{
    struct word word = parser->text.words[2];

    if (word.length > LAYOUT_MAX_CLASS_NAME)
        return layout_text_fail(&parser->text, "the name of the class is longer than 500 bytes.");
    class->name_hash = layout_name_hash(word.start, word.length);
    class->name_length = (uint16_t)word.length;
    return ompd_rc_ok;
}

/* Find the body of CLASS, which follows OLDER: classes of a kind whose lines follow each other
 * share the lines behind them. */
static ompd_rc_t class_body_find(struct layout_parser *parser, const struct layout_class *older,
                                 struct layout_class *class)
{
    struct layout *layout = parser->layout;

    if (older != NULL && parser->body == NULL && older->kind == class->kind) {
        class->body = older->body;
        return ompd_rc_ok;
    }
    if (layout->body_count == LAYOUT_MAX_BODIES)
        return layout_text_fail(&parser->text, "a layout has at most 40 different classes.");
    class->body = (uint8_t)layout->body_count++;
    parser->body = NULL;
    return ompd_rc_ok;
}

ompd_rc_t layout_class_parse(struct layout_parser *parser)
{
    struct layout *layout = parser->layout;
    const struct word *words = parser->text.words;
    const struct layout_class *older = parser->class;
    struct layout_class *class;
    unsigned kind = 0;
    ompd_rc_t rc;

    if (layout->class_count == LAYOUT_MAX_CLASSES)
        return layout_text_fail(&parser->text, "a layout has at most 255 classes.");
    while (kind < LAYOUT_CLASS_COUNT && !word_is(words[1], class_words[kind]))
        kind++;
    if (kind == LAYOUT_CLASS_COUNT)
        return layout_text_refuse(&parser->text, "", words[1], " is not a kind of class.");
    class = &layout->classes[layout->class_count++];
    class->kind = (uint8_t)kind;
    parser->class = class;
    rc = class_body_find(parser, older, class);
    if (rc != ompd_rc_ok)
        return rc;
    if (parser->text.word_count == 4 &&
        (!word_unsigned(words[3], 1, CLASS_MOST_TYPE_INFO, &class->type_info) ||
         class->type_info % 4 != 0))
        return layout_text_refuse(&parser->text, "", words[3],
                                  " is not the address of a type in a module.");
    return class_name_parse(parser, class);
}

/* The body of the current class, of which the current line is a part. */
static struct layout_body *class_body(struct layout_parser *parser)
{
    parser->body = &parser->layout->bodies[parser->class->body];
    return parser->body;
}

/* Parse the words from number FIRST on as the place of what is in each element of an array: ITEMS
 * COUNT STRIDE OFFSET. */
static ompd_rc_t class_array_parse(struct layout_parser *parser, unsigned first,
                                   struct layout_array *array)
{
    ompd_rc_t rc = class_offset_parse(parser, first, &array->items);

    if (rc == ompd_rc_ok)
        rc = class_offset_parse(parser, first + 1, &array->count);
    if (rc == ompd_rc_ok)
        rc = class_offset_parse(parser, first + 2, &array->stride);
    if (rc == ompd_rc_ok)
        rc = class_offset_parse(parser, first + 3, &array->offset);
    if (rc == ompd_rc_ok && (array->stride == 0 || array->offset >= array->stride))
        return layout_text_fail(&parser->text, "the offset is not within the element.");
    return rc;
}

/* Find the member that word number INDEX names, of the current class. */
static ompd_rc_t class_member_find(struct layout_parser *parser, unsigned index, uint8_t *member)
{
    struct word word = parser->text.words[index];
    unsigned i = 0;

    while (i < LAYOUT_MEMBER_COUNT && ((class_members[i].classes >> parser->class->kind & 1) == 0 ||
                                       !word_is(word, class_members[i].word)))
        i++;
    if (i == LAYOUT_MEMBER_COUNT)
        return layout_text_refuse(&parser->text, "", word, " is not a member of this class.");
    *member = (uint8_t)i;
    return ompd_rc_ok;
}

/* Parse the last two words as the place of a bit field in LOCATION. */
static ompd_rc_t class_bits_parse(struct layout_parser *parser,
                                  struct layout_member_location *location)
{
    uint64_t first;
    uint64_t bits;

    if (parser->text.word_count == 5 || !word_unsigned(parser->text.words[4], 0, 63, &first) ||
        !word_unsigned(parser->text.words[5], 1, 63, &bits) || first + bits > 8U * location->width)
        return layout_text_fail(&parser->text, "the bits are not within the member.");
    location->first_bit = (uint8_t)first;
    location->bits = (uint8_t)bits;
    return ompd_rc_ok;
}

ompd_rc_t layout_member_parse(struct layout_parser *parser)
{
    struct layout_member_location *location;
    uint8_t member;
    ompd_rc_t rc = class_member_find(parser, 1, &member);

    if (rc != ompd_rc_ok)
        return rc;
    location = &class_body(parser)->members[member];
    if (location->width != 0)
        return layout_text_refuse(&parser->text, "the class already has a member ",
                                  parser->text.words[1], ".");
    rc = class_offset_parse(parser, 2, &location->offset);
    if (rc == ompd_rc_ok)
        rc = class_width_parse(parser, 3, &location->width);
    if (rc == ompd_rc_ok && parser->text.word_count > 4)
        rc = class_bits_parse(parser, location);
    return rc;
}

/* Parse word number INDEX as an offset or a distance other than 0. */
static ompd_rc_t class_distance_parse(struct layout_parser *parser, unsigned index,
                                      uint16_t *distance)
{
    uint32_t bytes = 0;
    ompd_rc_t rc = class_bytes_parse(parser, index, &bytes);

    *distance = (uint16_t)bytes;
    return rc;
}

ompd_rc_t layout_base_parse(struct layout_parser *parser)
{
    struct layout_body *body = class_body(parser);
    ompd_rc_t rc = class_line_check(parser, body->base != 0);

    return rc == ompd_rc_ok ? class_distance_parse(parser, 1, &body->base) : rc;
}

ompd_rc_t layout_bytes_parse(struct layout_parser *parser)
{
    struct layout_body *body = class_body(parser);
    ompd_rc_t rc = class_line_check(parser, body->bytes != 0);

    return rc == ompd_rc_ok ? class_bytes_parse(parser, 1, &body->bytes) : rc;
}

ompd_rc_t layout_bytes_each_parse(struct layout_parser *parser)
{
    struct layout_body *body = class_body(parser);
    ompd_rc_t rc = class_line_check(parser, body->bytes_each != 0);

    if (rc == ompd_rc_ok)
        rc = class_member_find(parser, 1, &body->counted);
    return rc == ompd_rc_ok ? class_bytes_parse(parser, 2, &body->bytes_each) : rc;
}

/* Begin a vector; NULL, with a message, if there are too many. */
static struct layout_vector *class_vector_add(struct layout_parser *parser)
{
    struct layout_body *body = class_body(parser);

    if (body->vector_count < LAYOUT_MAX_VECTORS)
        return &body->vectors[body->vector_count++];
    layout_text_fail(&parser->text, "a class has at most 6 vectors.");
    return NULL;
}

ompd_rc_t layout_vector_parse(struct layout_parser *parser)
{
    struct layout_vector *vector = class_vector_add(parser);
    ompd_rc_t rc;

    if (vector == NULL)
        return ompd_rc_bad_input;
    rc = class_offset_parse(parser, 1, &vector->place.offset);
    return rc == ompd_rc_ok ? class_distance_parse(parser, 2, &vector->element_size) : rc;
}

ompd_rc_t layout_vectors_parse(struct layout_parser *parser)
{
    struct layout_vector *vector = class_vector_add(parser);
    ompd_rc_t rc;

    if (vector == NULL)
        return ompd_rc_bad_input;
    rc = class_array_parse(parser, 1, &vector->place);
    return rc == ompd_rc_ok ? class_distance_parse(parser, 5, &vector->element_size) : rc;
}

/* Begin a slot, whose role is the first word behind the name; NULL, with a message, if there are
 * too many. */
static struct layout_slot *class_slot_add(struct layout_parser *parser)
{
    struct layout_body *body = class_body(parser);
    struct layout_slot *slot;

    if (body->slot_count == LAYOUT_MAX_SLOTS) {
        layout_text_fail(&parser->text, "a class has at most 12 slots.");
        return NULL;
    }
    slot = &body->slots[body->slot_count++];
    if (word_is(parser->text.words[1], "vertex"))
        slot->role = layout_slot_vertex;
    else if (word_is(parser->text.words[1], "index"))
        slot->role = layout_slot_index;
    return slot;
}

ompd_rc_t layout_slot_parse(struct layout_parser *parser)
{
    struct layout_slot *slot = class_slot_add(parser);

    return slot == NULL ? ompd_rc_bad_input : class_offset_parse(parser, 2, &slot->place.offset);
}

ompd_rc_t layout_slots_parse(struct layout_parser *parser)
{
    struct layout_slot *slot = class_slot_add(parser);

    return slot == NULL ? ompd_rc_bad_input : class_array_parse(parser, 2, &slot->place);
}

ompd_rc_t layout_view_parse(struct layout_parser *parser)
{
    struct layout_view *view = &class_body(parser)->view;
    ompd_rc_t rc = class_line_check(parser, view->pointer != 0);

    if (rc == ompd_rc_ok)
        rc = class_distance_parse(parser, 1, &view->pointer);
    if (rc == ompd_rc_ok)
        rc = class_distance_parse(parser, 2, &view->stride);
    return rc == ompd_rc_ok ? class_distance_parse(parser, 3, &view->count) : rc;
}

ompd_rc_t layout_owned_parse(struct layout_parser *parser)
{
    struct layout_body *body = class_body(parser);
    struct layout_owned *owned = &body->owned[body->owned_count];
    ompd_rc_t rc;

    if (body->owned_count == LAYOUT_MAX_OWNED)
        return layout_text_fail(&parser->text, "a class has at most 4 own lines.");
    body->owned_count++;
    rc = class_offset_parse(parser, 1, &owned->offset);
    if (rc == ompd_rc_ok && parser->text.word_count == 3)
        rc = class_distance_parse(parser, 2, &owned->end);
    return rc;
}

ompd_rc_t layout_scene_slot_parse(struct layout_parser *parser)
{
    struct layout_body *body = class_body(parser);
    struct layout_scene_slot *slot = &body->scene_slots[body->scene_slot_count];
    ompd_rc_t rc;

    if (body->scene_slot_count == LAYOUT_MAX_SCENE_SLOTS)
        return layout_text_fail(&parser->text, "a class has at most 2 slots of scenes.");
    body->scene_slot_count++;
    rc = class_offset_parse(parser, 1, &slot->offset);
    if (rc == ompd_rc_ok && parser->text.word_count == 3)
        rc = class_distance_parse(parser, 2, &slot->count);
    return rc;
}

/* Whether a class of KIND has MEMBER, if the layout has classes of KIND. */
static bool classes_have(const struct layout *layout, enum layout_class_kind kind,
                         enum layout_member member)
{
    bool has_class = false;

    for (uint32_t i = 0; i < layout->class_count; i++) {
        if (layout->classes[i].kind != kind)
            continue;
        has_class = true;
        if (layout->bodies[layout->classes[i].body].members[member].width != 0)
            return true;
    }
    return !has_class;
}

/* Check that the objects of each kind can be found: they have references, and a device. */
static ompd_rc_t classes_check_members(struct layout_parser *parser)
{
    static const enum layout_class_kind kinds[] = {layout_class_device, layout_class_scene,
                                                   layout_class_geometry, layout_class_buffer,
                                                   layout_class_user_bvh};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct word kind = {class_words[kinds[i]], strlen(class_words[kinds[i]])};

        if (!classes_have(parser->layout, kinds[i], layout_member_references))
            return layout_text_refuse(&parser->text, "no class of kind ", kind,
                                      " has the member references.");
        if (kinds[i] != layout_class_device &&
            !classes_have(parser->layout, kinds[i], layout_member_device))
            return layout_text_refuse(&parser->text, "no class of kind ", kind,
                                      " has the member device.");
    }
    return ompd_rc_ok;
}

ompd_rc_t layout_classes_end(struct layout_parser *parser)
{
    const struct layout *layout = parser->layout;
    uint32_t typed = 0;

    if (layout->pointer_size != 8)
        return layout_text_fail(&parser->text, "a layout of classes needs a machine of 64 bits.");
    for (uint32_t i = 0; i < layout->class_count; i++)
        typed += layout->classes[i].type_info != 0;
    if (layout->build_id_size == 0 && typed < CLASS_FINGERPRINT)
        return layout_text_fail(&parser->text,
                                "without a build-id, a layout needs the types of 4 classes.");
    return classes_check_members(parser);
}
