/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parses the lines that describe one kind of object. */
#include "sources/layout/layout.h"

#include "sources/layout/layout-source.h"

#define LEAST_OFFSET (-4096)
#define MOST_OFFSET 65535

ompd_rc_t layout_offset_parse(struct layout_parser *parser, struct word word, int32_t *offset)
{
    if (word_signed(word, LEAST_OFFSET, MOST_OFFSET, offset))
        return ompd_rc_ok;
    return layout_text_refuse(&parser->text, "", word, " is not an offset from -4096 to 65535.");
}

ompd_rc_t layout_count_parse(struct layout_parser *parser, struct word word, uint8_t *count)
{
    uint64_t number;

    if (!word_unsigned(word, 1, UINT8_MAX, &number))
        return layout_text_refuse(&parser->text, "", word, " is not a count from 1 to 255.");
    *count = (uint8_t)number;
    return ompd_rc_ok;
}

ompd_rc_t layout_path_parse(struct layout_parser *parser, struct word word,
                            struct layout_path *path)
{
    struct word rest = word;
    struct word step;
    bool is_more = true;

    for (path->count = 0; is_more && path->count < LAYOUT_MAX_OFFSETS; path->count++) {
        ompd_rc_t rc;

        is_more = word_split(&rest, '>', &step);
        rc = layout_offset_parse(parser, step, &path->offsets[path->count]);
        if (rc != ompd_rc_ok)
            return rc;
    }
    if (is_more)
        return layout_text_refuse(&parser->text, "", word, " has more than 4 offsets.");
    return ompd_rc_ok;
}

static ompd_rc_t parse_width(struct layout_parser *parser, struct word word, uint8_t *width)
{
    uint64_t number;

    if (!word_unsigned(word, 1, 8, &number) || (number & (number - 1)) != 0)
        return layout_text_refuse(&parser->text, "", word, " is not a width; use 1, 2, 4 or 8.");
    *width = (uint8_t)number;
    return ompd_rc_ok;
}

/* The greatest number of WIDTH bytes. */
static uint64_t greatest_number(unsigned width)
{
    return UINT64_MAX >> (64 - 8 * width);
}

static ompd_rc_t parse_adjustment(struct layout_parser *parser, unsigned index, unsigned end,
                                  bool is_pointer, int32_t *adjust)
{
    *adjust = 0;
    if (index >= end)
        return ompd_rc_ok;
    if (!is_pointer)
        return layout_text_refuse(&parser->text, "", parser->text.words[index],
                                  " adjusts a number that is not a pointer.");
    return layout_offset_parse(parser, parser->text.words[index], adjust);
}

ompd_rc_t layout_location_parse(struct layout_parser *parser, unsigned first, unsigned end,
                                bool is_pointer, bool is_element, struct layout_location *location)
{
    const struct word *words = &parser->text.words[first];
    bool is_own_address = is_element && is_pointer && word_is(words[1], "0");
    ompd_rc_t rc;

    rc = layout_path_parse(parser, words[0], &location->path);
    if (rc == ompd_rc_ok && !is_own_address)
        rc = parse_width(parser, words[1], &location->width);
    if (rc == ompd_rc_ok)
        rc = parse_adjustment(parser, first + 2, end, is_pointer, &location->adjust);
    if (rc != ompd_rc_ok)
        return rc;
    if (is_own_address && location->path.count != 1)
        return layout_text_refuse(&parser->text, "", words[0],
                                  " is a path, but an element's own address (width 0) has none.");
    if (is_pointer && !is_own_address && location->width != parser->layout->pointer_size)
        return layout_text_refuse(&parser->text, "a pointer of this machine does not have width ",
                                  words[1], ".");
    location->is_there = true;
    return ompd_rc_ok;
}

ompd_rc_t layout_object_parse(struct layout_parser *parser)
{
    struct word name = parser->text.words[1];
    ompd_rc_t rc = layout_object_end(parser);

    if (rc != ompd_rc_ok)
        return rc;
    parser->kind = layout_kind_find(name);
    if (parser->kind == LAYOUT_KIND_COUNT)
        return layout_text_refuse(&parser->text, "", name, " is not a kind of object.");
    parser->object = &parser->layout->objects[parser->kind];
    parser->object_line = parser->text.line;
    if (parser->object->is_there)
        return layout_text_refuse(&parser->text, "", name, " is described twice.");
    parser->object->is_there = true;
    parser->object->highest = (int32_t)parser->layout->pointer_size;
    return ompd_rc_ok;
}

/* Have the object's bytes reach over WIDTH bytes at OFFSET. */
static void extend_bytes(struct layout_object *object, int32_t offset, unsigned width)
{
    if (offset < object->lowest)
        object->lowest = offset;
    if (offset + (int32_t)width > object->highest)
        object->highest = offset + (int32_t)width;
}

/* Parse the second and third word as the location of a number. */
static ompd_rc_t parse_number_location(struct layout_parser *parser, struct layout_rule *rule)
{
    ompd_rc_t rc = layout_offset_parse(parser, parser->text.words[1], &rule->offset);

    return rc == ompd_rc_ok ? parse_width(parser, parser->text.words[2], &rule->width) : rc;
}

/* The same for a number in the object. */
static ompd_rc_t parse_rule_location(struct layout_parser *parser, struct layout_rule *rule)
{
    ompd_rc_t rc = parse_number_location(parser, rule);

    if (rc == ompd_rc_ok)
        extend_bytes(parser->object, rule->offset, rule->width);
    return rc;
}

/* Parse WORD as a number of RULE's width of at least LEAST. */
static ompd_rc_t parse_bound(struct layout_parser *parser, struct word word,
                             const struct layout_rule *rule, uint64_t least, uint64_t *bound)
{
    if (word_unsigned(word, least, greatest_number(rule->width), bound))
        return ompd_rc_ok;
    return layout_text_refuse(&parser->text, "", word,
                              " is too large for its width, or too small.");
}

/* Parse the fourth and fifth word as the bounds of RULE. */
static ompd_rc_t parse_bounds(struct layout_parser *parser, struct layout_rule *rule)
{
    ompd_rc_t rc = parse_bound(parser, parser->text.words[3], rule, 0, &rule->least);

    return rc == ompd_rc_ok
               ? parse_bound(parser, parser->text.words[4], rule, rule->least, &rule->most)
               : rc;
}

ompd_rc_t layout_rule_parse(struct layout_parser *parser)
{
    struct layout_object *object = parser->object;
    struct layout_rule *rule = &object->rules[object->rule_count];
    ompd_rc_t rc;

    if (object->rule_count == LAYOUT_MAX_RULES)
        return layout_text_fail(&parser->text, "an object has at most 8 rules.");
    rc = parse_rule_location(parser, rule);
    if (rc == ompd_rc_ok)
        rc = parse_bounds(parser, rule);
    if (rc == ompd_rc_ok)
        object->rule_count++;
    return rc;
}

ompd_rc_t layout_internal_parse(struct layout_parser *parser)
{
    struct layout_object *object = parser->object;
    struct layout_rule *rule = &object->internals[object->internal_count];
    ompd_rc_t rc;

    if (object->internal_count == LAYOUT_MAX_INTERNALS)
        return layout_text_fail(&parser->text, "an object has at most 4 internal lines.");
    rc = parse_rule_location(parser, rule);
    if (rc == ompd_rc_ok)
        rc = parse_bound(parser, parser->text.words[3], rule, 1, &rule->least);
    if (rc == ompd_rc_ok)
        object->internal_count++;
    return rc;
}

/* Parse the line as the condition of the preceding field or list. */
static ompd_rc_t parse_condition(struct layout_parser *parser, bool is_except)
{
    struct layout_condition *condition = parser->condition;
    struct layout_rule *rule;
    bool is_of_list;
    ompd_rc_t rc;

    if (condition == NULL)
        return layout_text_fail(&parser->text,
                                "a condition must directly follow its field or list.");
    is_of_list = parser->location != NULL && condition == &parser->location->when;
    if (is_of_list && parser->location->shape == layout_tree)
        return layout_text_fail(&parser->text, "the elements of a tree cannot have a condition.");
    rule = &condition->rule;
    rc = is_of_list ? parse_number_location(parser, rule) : parse_rule_location(parser, rule);
    if (rc == ompd_rc_ok)
        rc = parse_bounds(parser, rule);
    condition->is_except = is_except;
    parser->next_field = parser->field;
    return rc;
}

ompd_rc_t layout_when_parse(struct layout_parser *parser)
{
    return parse_condition(parser, false);
}

ompd_rc_t layout_unless_parse(struct layout_parser *parser)
{
    return parse_condition(parser, true);
}

ompd_rc_t layout_known_when_parse(struct layout_parser *parser)
{
    struct layout_object *object = parser->object;
    struct layout_known *known = &object->known[object->known_count];
    struct layout_rule rule = {0};
    ompd_rc_t rc;

    if (parser->field == LAYOUT_FIELD_COUNT || !layout_field_words[parser->field].may_be_unknown)
        return layout_text_fail(&parser->text,
                                "known-when must directly follow one of the fields device_count, "
                                "svm_pointer_count, svm_pointers, svm_function and svm_user_data.");
    if (object->known_count == LAYOUT_MAX_KNOWN)
        return layout_text_fail(&parser->text, "an object has at most 8 known-when lines.");
    rc = layout_location_parse(parser, 1, 3, false, false, &known->location);
    rule.width = known->location.width;
    if (rc == ompd_rc_ok)
        rc = parse_bound(parser, parser->text.words[3], &rule, 0, &known->least);
    if (rc == ompd_rc_ok)
        rc = parse_bound(parser, parser->text.words[4], &rule, known->least, &known->most);
    if (rc == ompd_rc_ok && known->location.path.count == 1)
        extend_bytes(object, known->location.path.offsets[0], known->location.width);
    known->field = parser->field;
    if (rc == ompd_rc_ok)
        object->known_count++;
    return rc;
}

ompd_rc_t layout_dying_parse(struct layout_parser *parser)
{
    struct layout_rule *rule = &parser->object->dying;

    if (rule->width != 0)
        return layout_text_fail(&parser->text, "the object already has a dying line.");
    return parse_rule_location(parser, rule);
}

ompd_rc_t layout_dispatch_data_parse(struct layout_parser *parser)
{
    struct layout_rule *rule = &parser->object->dispatch_data;

    if (rule->width != 0)
        return layout_text_fail(&parser->text, "the object already has a dispatch-data line.");
    return parse_rule_location(parser, rule);
}

ompd_rc_t layout_taken_parse(struct layout_parser *parser)
{
    struct layout_rule *rule = &parser->object->taken;
    ompd_rc_t rc;

    if (rule->width != 0)
        return layout_text_fail(&parser->text, "the object already has a taken line.");
    rc = parse_rule_location(parser, rule);
    return rc == ompd_rc_ok ? parse_bounds(parser, rule) : rc;
}

ompd_rc_t layout_field_parse(struct layout_parser *parser)
{
    struct word name = parser->text.words[1];
    enum layout_field field = layout_field_find(parser->kind, name);
    struct layout_location *location;
    ompd_rc_t rc;

    if (field == LAYOUT_FIELD_COUNT) {
        layout_text_refuse(&parser->text, "", name, " is not a field of ");
        message_add(parser->text.message, layout_kind_words[parser->kind].one);
        message_add(parser->text.message, ".");
        return ompd_rc_bad_input;
    }
    location = &parser->object->fields[field];
    if (location->is_there)
        return layout_text_refuse(&parser->text, "the object already has a field ", name, ".");
    rc = layout_location_parse(parser, 2, parser->text.word_count,
                               layout_field_words[field].is_pointer, false, location);
    if (rc == ompd_rc_ok && location->path.count == 1)
        extend_bytes(parser->object, location->path.offsets[0], location->width);
    parser->next_condition = &parser->object->when[field];
    parser->next_field = field;
    return rc;
}

/* Parse the line as one of HOLDINGS. */
static ompd_rc_t parse_holding(struct layout_parser *parser, struct layout_holdings *holdings,
                               const char *usage)
{
    struct word name = parser->text.words[1];
    enum layout_kind kind = layout_kind_find(name);
    ompd_rc_t rc;

    if (kind == LAYOUT_KIND_COUNT || layout_field_naming(kind) == LAYOUT_FIELD_COUNT)
        return layout_text_refuse(&parser->text, "", name,
                                  " is not a kind that an object can name.");
    if (holdings->counts[kind] != 0)
        return layout_text_refuse(&parser->text, "the object already has such a line for ", name,
                                  ".");
    rc = layout_count_parse(parser, parser->text.words[2], &holdings->counts[kind]);
    if (rc != ompd_rc_ok || parser->text.word_count == 3)
        return rc;
    holdings->alone |= (uint16_t)(1U << kind);
    if (word_is(parser->text.words[3], "alone"))
        return ompd_rc_ok;
    return layout_text_fail(&parser->text, usage);
}

ompd_rc_t layout_holds_parse(struct layout_parser *parser)
{
    return parse_holding(parser, &parser->object->holds, "write holds KIND COUNT [alone].");
}

ompd_rc_t layout_dying_holds_parse(struct layout_parser *parser)
{
    return parse_holding(parser, &parser->object->dying_holds,
                         "write dying-holds KIND COUNT [alone].");
}

ompd_rc_t layout_maps_hold_parse(struct layout_parser *parser)
{
    if (parser->object->maps_hold != 0)
        return layout_text_fail(&parser->text, "the object already has a maps-hold line.");
    return layout_count_parse(parser, parser->text.words[1], &parser->object->maps_hold);
}

/* Whether a rule excludes 0 for OBJECT's dying number in a live object. */
static bool dying_is_ruled(const struct layout_object *object)
{
    for (uint32_t i = 0; i < object->rule_count; i++) {
        const struct layout_rule *rule = &object->rules[i];

        if (rule->offset == object->dying.offset && rule->width == object->dying.width &&
            rule->least != 0)
            return true;
    }
    return object->dying.width == 0;
}

static bool has_fields(const struct layout_object *object)
{
    for (unsigned field = 0; field < LAYOUT_FIELD_COUNT; field++) {
        if (object->fields[field].is_there)
            return true;
    }
    return false;
}

/* Return whether OBJECT also has the fields that each of its fields requires. */
static bool fields_agree(const struct layout_object *object)
{
    for (unsigned field = layout_svm_queue; field <= layout_svm_user_data; field++) {
        if (object->fields[field].is_there && !object->fields[layout_command_type].is_there)
            return false;
    }
    return true;
}

static bool holdings_agree(const struct layout_object *object,
                           const struct layout_holdings *holdings)
{
    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
        if (holdings->counts[kind] != 0 &&
            !object->fields[layout_field_naming((enum layout_kind)kind)].is_there)
            return false;
    }
    return true;
}

static bool holds_anything(const struct layout_holdings *holdings)
{
    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
        if (holdings->counts[kind] != 0)
            return true;
    }
    return false;
}

/* Whether it is known which commands hold the objects in their list: incomplete ones, except for
 * some types. */
static bool commands_agree(const struct layout_object *object)
{
    const struct layout_list_location *list = &object->lists[layout_memobjs];

    return list->shape == layout_no_list ||
           (object->fields[layout_status].is_there &&
            (list->exception_count == 0 || object->fields[layout_command_type].is_there));
}

/* Whether it is known if an object is alone. */
static bool alone_agrees(const struct layout_object *object)
{
    return (object->holds.alone | object->dying_holds.alone) == 0 ||
           object->fields[layout_parent].is_there || object->fields[layout_queue_of].is_there;
}

ompd_rc_t layout_object_end(struct layout_parser *parser)
{
    const struct layout_object *object = parser->object;
    uint32_t line = parser->text.line;
    const char *fault = NULL;
    ompd_rc_t rc = layout_list_end(parser);

    if (rc != ompd_rc_ok || object == NULL)
        return rc;
    if (object->rule_count == 0 && !has_fields(object))
        fault = "the object has neither a rule nor a field.";
    else if (!dying_is_ruled(object))
        fault = "the object's dying line needs a rule for the same number that forbids 0.";
    else if (!fields_agree(object))
        fault = "the object's svm fields need the field command_type.";
    else if (!holdings_agree(object, &object->holds) ||
             !holdings_agree(object, &object->dying_holds))
        fault = "the object has a holds line, but no field that names the held object.";
    else if (!alone_agrees(object))
        fault = "a line with alone needs a field parent or queue in its object.";
    else if (object->dying.width == 0 && holds_anything(&object->dying_holds))
        fault = "the object has a dying-holds line, but no dying line.";
    else if (object->taken.width != 0 && object->lists[layout_destructors].shape == layout_no_list)
        fault = "the object has a taken line, but no destructors list.";
    else if (object->maps_hold != 0 && !object->fields[layout_map_count].is_there)
        fault = "the object has a maps-hold line, but no field map_count.";
    else if (!commands_agree(object))
        fault =
            "the object's list memobjs needs the field status, and its exceptions command_type.";
    if (fault == NULL)
        return ompd_rc_ok;
    parser->text.line = parser->object_line;
    rc = layout_text_fail(&parser->text, fault);
    parser->text.line = line;
    return rc;
}
