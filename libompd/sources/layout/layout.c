/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A layout: where one build of an OpenCL runtime stores the fields of its objects.
 * ompd-opencl-layout(5) describes the format. */
#include "sources/layout/layout.h"

#include "sources/layout/layout-source.h"

#include <string.h>

/* A table further into its module is implausible. */
#define MOST_TABLE (UINT64_C(1) << 40)

/* Copy the tail of the line to TEXT of OMPD_CL_TEXT_SIZE bytes. */
static ompd_rc_t parse_text(struct layout_parser *parser, char *text)
{
    struct word tail = parser->text.tail;

    if (tail.length >= OMPD_CL_TEXT_SIZE)
        return layout_text_fail(&parser->text, "the name is longer than 119 bytes.");
    memcpy(text, tail.start, tail.length);
    text[tail.length] = '\0';
    return ompd_rc_ok;
}

static ompd_rc_t parse_runtime(struct layout_parser *parser)
{
    return parse_text(parser, parser->layout->runtime);
}

static ompd_rc_t parse_module(struct layout_parser *parser)
{
    return parse_text(parser, parser->layout->module);
}

static ompd_rc_t parse_build_id(struct layout_parser *parser)
{
    struct word word = parser->text.words[1];
    size_t size = word.length / 2;

    if (word.length % 2 != 0 || size > BUILD_ID_LIMIT)
        return layout_text_refuse(&parser->text, "", word, " is not a build-id of 1 to 64 bytes.");
    for (size_t i = 0; i < size; i++) {
        if (!word_byte((struct word){word.start + 2 * i, 2}, &parser->layout->build_id[i]))
            return layout_text_refuse(&parser->text, "", word, " is not a hexadecimal number.");
    }
    parser->layout->build_id_size = (uint32_t)size;
    return ompd_rc_ok;
}

static ompd_rc_t parse_machine(struct layout_parser *parser)
{
    const struct word *words = parser->text.words;
    struct layout *layout = parser->layout;
    uint64_t machine;

    if (!word_unsigned(words[1], 1, UINT16_MAX, &machine))
        return layout_text_refuse(&parser->text, "", words[1], " is not an ELF machine number.");
    layout->machine = (uint32_t)machine;
    layout->pointer_size = word_is(words[2], "64") ? 8 : word_is(words[2], "32") ? 4 : 0;
    if (layout->pointer_size == 0)
        return layout_text_refuse(&parser->text, "", words[2],
                                  " is not a word size; use 32 or 64.");
    layout->is_big_endian = word_is(words[3], "big");
    if (!layout->is_big_endian && !word_is(words[3], "little"))
        return layout_text_refuse(&parser->text, "", words[3],
                                  " is not a byte order; use little or big.");
    return ompd_rc_ok;
}

static ompd_rc_t parse_table(struct layout_parser *parser)
{
    struct word word = parser->text.words[1];

    if (word_unsigned(word, 1, MOST_TABLE, &parser->layout->table) &&
        parser->layout->table % 4 == 0)
        return ompd_rc_ok;
    return layout_text_refuse(&parser->text, "", word,
                              " is not the offset of a table in a module.");
}

/* Parse the first word behind the name as an offset in the module. */
static ompd_rc_t parse_module_offset(struct layout_parser *parser, uint64_t *offset)
{
    struct word word = parser->text.words[1];

    if (word_unsigned(word, 1, MOST_TABLE, offset))
        return ompd_rc_ok;
    return layout_text_refuse(&parser->text, "", word, " is not an offset in a module.");
}

static ompd_rc_t parse_taken_list(struct layout_parser *parser)
{
    struct layout_taken_list *list = &parser->layout->taken_list;
    const struct word *words = parser->text.words;
    ompd_rc_t rc = parse_module_offset(parser, &list->head);

    if (rc == ompd_rc_ok)
        rc = layout_offset_parse(parser, words[2], &list->next);
    return rc == ompd_rc_ok ? layout_offset_parse(parser, words[3], &list->object) : rc;
}

static ompd_rc_t parse_no_loader(struct layout_parser *parser)
{
    parser->layout->has_no_loader = true;
    return ompd_rc_ok;
}

static ompd_rc_t parse_taken_return(struct layout_parser *parser)
{
    struct layout_object *object = parser->object;

    if (object->taken.width == 0)
        return layout_text_fail(&parser->text, "taken-return must follow a taken line.");
    if (object->taken_return != 0)
        return layout_text_fail(&parser->text, "the object already has a taken-return line.");
    return parse_module_offset(parser, &object->taken_return);
}

static ompd_rc_t parse_note(struct layout_parser *parser)
{
    (void)parser;
    return ompd_rc_ok;
}

/* The features that a layout may require. */
static const char *const features[] = {
    "dying-holds",       "holding-commands", "conditions",    "trees",
    "several-internals", "binary-trees",     "known-when",    "dispatch-data",
    "taken-destructors", "absences",         "taken-objects", "wait-lists",
    "no-loader",         "classes"};

static ompd_rc_t parse_requirement(struct layout_parser *parser)
{
    for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
        if (word_is(parser->text.words[1], features[i]))
            return ompd_rc_ok;
    }
    layout_text_refuse(&parser->text, "the layout requires ", parser->text.words[1],
                       ", which this version of ompd-opencl does not support.");
    return ompd_rc_incompatible;
}

/* Where a line may stand. Lines of the head come once each, before the first object or class. Those
 * in_head are required, those in_object_head before objects only. */
enum line_room { in_head, in_object_head, maybe_in_head, in_object, in_class, anywhere };

static const struct line {
    const char *name;
    const char *usage;
    enum line_room room;
    uint8_t least; /* words */
    uint8_t most;
    ompd_rc_t (*parse)(struct layout_parser *parser);
} lines[] = {
    {"runtime", "write runtime NAME AND VERSION.", in_head, 2, UINT8_MAX, parse_runtime},
    {"module", "write module FILE.", in_head, 2, UINT8_MAX, parse_module},
    {"build-id", "write build-id HEXADECIMAL.", in_object_head, 2, 2, parse_build_id},
    {"machine", "write machine NUMBER 32|64 little|big.", in_head, 4, 4, parse_machine},
    {"table", "write table OFFSET.", in_object_head, 2, 2, parse_table},
    {"taken-list", "write taken-list HEAD NEXT OBJECT.", maybe_in_head, 4, 4, parse_taken_list},
    {"no-loader", "write no-loader.", maybe_in_head, 1, 1, parse_no_loader},
    {"object", "write object KIND.", anywhere, 2, 2, layout_object_parse},
    {"rule", "write rule OFFSET WIDTH MIN MAX.", in_object, 5, 5, layout_rule_parse},
    {"internal", "write internal OFFSET WIDTH MASK.", in_object, 4, 4, layout_internal_parse},
    {"dispatch-data", "write dispatch-data OFFSET WIDTH.", in_object, 3, 3,
     layout_dispatch_data_parse},
    {"dying", "write dying OFFSET WIDTH.", in_object, 3, 3, layout_dying_parse},
    {"taken", "write taken OFFSET WIDTH MIN MAX.", in_object, 5, 5, layout_taken_parse},
    {"taken-return", "write taken-return OFFSET.", in_object, 2, 2, parse_taken_return},
    {"field", "write field NAME PATH WIDTH [ADJUST].", in_object, 4, 5, layout_field_parse},
    {"holds", "write holds KIND COUNT [alone].", in_object, 3, 4, layout_holds_parse},
    {"dying-holds", "write dying-holds KIND COUNT [alone].", in_object, 3, 4,
     layout_dying_holds_parse},
    {"list", "write list NAME SHAPE and the words that the shape needs.", in_object, 3,
     LAYOUT_LINE_WORDS, layout_list_parse},
    {"element", ELEMENT_USAGE, in_object, 4, 7, layout_element_parse},
    {"when", "write when OFFSET WIDTH MIN MAX.", in_object, 5, 5, layout_when_parse},
    {"unless", "write unless OFFSET WIDTH MIN MAX.", in_object, 5, 5, layout_unless_parse},
    {"known-when", "write known-when PATH WIDTH MIN MAX.", in_object, 5, 5,
     layout_known_when_parse},
    {"each-holds", EACH_HOLDS_USAGE, in_object, 2, 5 + LAYOUT_MAX_EXCEPTIONS,
     layout_each_holds_parse},
    {"none", "write none LIST.", in_object, 2, 2, layout_none_parse},
    {"maps-hold", "write maps-hold COUNT.", in_object, 2, 2, layout_maps_hold_parse},
    {"class", "write class KIND NAME [TYPE_INFO].", anywhere, 3, 4, layout_class_parse},
    {"member", "write member NAME OFFSET WIDTH [FIRST_BIT BITS].", in_class, 4, 6,
     layout_member_parse},
    {"base", "write base OFFSET.", in_class, 2, 2, layout_base_parse},
    {"bytes", "write bytes COUNT.", in_class, 2, 2, layout_bytes_parse},
    {"bytes-each", "write bytes-each MEMBER COUNT.", in_class, 3, 3, layout_bytes_each_parse},
    {"vector", "write vector OFFSET SIZE.", in_class, 3, 3, layout_vector_parse},
    {"vectors", "write vectors ITEMS COUNT STRIDE OFFSET SIZE.", in_class, 6, 6,
     layout_vectors_parse},
    {"slot", "write slot NAME OFFSET.", in_class, 3, 3, layout_slot_parse},
    {"slots", "write slots NAME ITEMS COUNT STRIDE OFFSET.", in_class, 6, 6, layout_slots_parse},
    {"view", "write view POINTER STRIDE COUNT.", in_class, 4, 4, layout_view_parse},
    {"own", "write own OFFSET.", in_class, 2, 2, layout_owned_parse},
    {"own-each", "write own-each BEGIN END.", in_class, 3, 3, layout_owned_parse},
    {"scene-slot", "write scene-slot OFFSET.", in_class, 2, 2, layout_scene_slot_parse},
    {"scene-slots", "write scene-slots ITEMS COUNT.", in_class, 3, 3, layout_scene_slot_parse},
    {"note", "", anywhere, 1, UINT8_MAX, parse_note},
    {"require", "write require NAME.", anywhere, 2, 2, parse_requirement},
};

#define LINE_COUNT (sizeof(lines) / sizeof(lines[0]))

_Static_assert(LINE_COUNT <= 64, "a set of lines has 64 bits");

/* Fail when a line of the head is not in SEEN. */
static ompd_rc_t check_head(struct layout_parser *parser, uint64_t seen, bool is_of_object)
{
    for (size_t i = 0; i < LINE_COUNT; i++) {
        bool is_needed =
            lines[i].room == in_head || (is_of_object && lines[i].room == in_object_head);

        if (!is_needed || (seen >> i & 1) != 0)
            continue;
        layout_text_fail(&parser->text, "before this line the layout needs a line ");
        message_add(parser->text.message, lines[i].name);
        message_add(parser->text.message, ".");
        return ompd_rc_bad_input;
    }
    return ompd_rc_ok;
}

static ompd_rc_t refuse_both(struct layout_parser *parser)
{
    return layout_text_fail(&parser->text, "a layout has objects or classes, not both.");
}

/* Return whether line number INDEX may stand here, after lines SEEN. */
static ompd_rc_t check_room(struct layout_parser *parser, size_t index, uint64_t seen)
{
    bool is_of_head = lines[index].room < in_object;
    struct word name = parser->text.words[0];

    if (lines[index].room == in_object && parser->object == NULL)
        return layout_text_refuse(&parser->text, "", name, " must follow an object line.");
    if (lines[index].room == in_class && parser->class == NULL)
        return layout_text_refuse(&parser->text, "", name, " must follow a class line.");
    if (is_of_head && (parser->object != NULL || parser->class != NULL))
        return layout_text_refuse(&parser->text, "", name,
                                  " must precede the first object or class line.");
    if (is_of_head && (seen >> index & 1) != 0)
        return layout_text_refuse(&parser->text, "the layout already has a line ", name, ".");
    if (lines[index].parse == layout_object_parse)
        return parser->class != NULL ? refuse_both(parser) : check_head(parser, seen, true);
    if (lines[index].parse == layout_class_parse)
        return parser->object != NULL ? refuse_both(parser) : check_head(parser, seen, false);
    return ompd_rc_ok;
}

static ompd_rc_t parse_line(struct layout_parser *parser, uint64_t *seen)
{
    struct word name = parser->text.words[0];
    size_t index = 0;
    ompd_rc_t rc;

    while (index < LINE_COUNT && !word_is(name, lines[index].name))
        index++;
    if (index == LINE_COUNT)
        return layout_text_refuse(&parser->text, "", name, " is not the name of a layout line.");
    rc = check_room(parser, index, *seen);
    if (rc != ompd_rc_ok)
        return rc;
    if (parser->text.word_count < lines[index].least || parser->text.word_count > lines[index].most)
        return layout_text_fail(&parser->text, lines[index].usage);
    *seen |= UINT64_C(1) << index;
    parser->condition = parser->next_condition;
    parser->next_condition = NULL;
    parser->field = parser->next_field;
    parser->next_field = LAYOUT_FIELD_COUNT;
    return lines[index].parse(parser);
}

/* Parse the line with the format's version. */
static ompd_rc_t parse_version(struct layout_parser *parser)
{
    struct layout_text *text = &parser->text;
    struct word minor = text->words[1];
    struct word major;
    uint64_t number;

    if (text->word_count != 2 || !word_is(text->words[0], "ompd-opencl-layout") ||
        !word_split(&minor, '.', &major) || !word_unsigned(minor, 0, UINT32_MAX, &number) ||
        !word_unsigned(major, 1, UINT32_MAX, &number))
        return layout_text_fail(text, "a layout must begin with ompd-opencl-layout 1.0.");
    if (number == 1)
        return ompd_rc_ok;
    layout_text_refuse(text, "the layout has version ", text->words[1],
                       ", but this version of ompd-opencl reads 1.x; use a newer one.");
    return ompd_rc_incompatible;
}

/* Check the description once all lines are parsed. */
static ompd_rc_t finish_layout(struct layout_parser *parser)
{
    if (parser->class != NULL)
        return layout_classes_end(parser);
    if (parser->object == NULL)
        return layout_text_fail(&parser->text, "the layout describes no object.");
    return layout_object_end(parser);
}

ompd_rc_t layout_parse(const char *text, ompd_size_t size, struct layout *layout,
                       struct message *message)
{
    struct layout_parser parser = {
        .text = {.rest = text, .end = text, .message = message},
        .layout = layout,
        .next_field = LAYOUT_FIELD_COUNT,
    };
    uint64_t seen = 0;
    ompd_rc_t rc;

    memset(layout, 0, sizeof(*layout));
    if (size > LAYOUT_MAX_SIZE)
        return layout_text_fail(&parser.text, "a layout has at most 65536 bytes.");
    parser.text.end += size;
    rc = layout_text_next(&parser.text);
    if (rc == ompd_rc_ok)
        rc = parse_version(&parser);
    while (rc == ompd_rc_ok) {
        rc = layout_text_next(&parser.text);
        if (rc == ompd_rc_ok && parser.text.word_count == 0)
            return finish_layout(&parser);
        if (rc == ompd_rc_ok)
            rc = parse_line(&parser, &seen);
    }
    return rc;
}
