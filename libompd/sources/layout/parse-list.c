/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parses the lines that describe the lists of an object. */
#include "sources/layout/layout.h"

/* Longer elements and chunks are implausible. */
#define MOST_STRIDE 65535

/* The words of list lines behind the name, by shape. */
static const struct shape {
    const char *name;
    const char *usage;
    enum layout_shape shape;
    uint8_t word_count; /* up to and including the order, which trees do not have */
} shapes[] = {
    {"linked", "write list NAME linked FIRST NEXT ORDER [boxed [adjust N]].", layout_linked, 6},
    {"range", "write list NAME range FIRST END STRIDE ORDER [boxed [adjust N]].", layout_range, 7},
    {"array", "write list NAME array FIRST COUNT STRIDE ORDER [boxed [adjust N]].", layout_array,
     7},
    {"deque", "write list NAME deque START END CHUNK STRIDE ORDER [boxed [adjust N]].",
     layout_deque, 8},
    {"tree", "write list NAME tree ROOT HEIGHT COUNT USED CHILDREN.", layout_tree, 8},
    {"binary-tree", "write list NAME binary-tree ROOT COUNT LEFT RIGHT.", layout_binary_tree, 7},
};

static const struct shape *find_list_shape(struct word word)
{
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        if (word_is(word, shapes[i].name))
            return &shapes[i];
    }
    return NULL;
}

/* Parse WORD as the size of an element or a chunk. Returns as layout_list_end does. */
static ompd_rc_t layout_size_parse(struct layout_parser *parser, struct word word, uint32_t *size)
{
    uint64_t number;

    if (!word_unsigned(word, 1, MOST_STRIDE, &number))
        return layout_text_refuse(&parser->text, "", word, " is not a size from 1 to 65535.");
    *size = (uint32_t)number;
    return ompd_rc_ok;
}

static ompd_rc_t parse_order(struct layout_parser *parser, struct word word,
                             struct layout_list_location *location)
{
    location->is_newest_first = word_is(word, "newest-first");
    if (location->is_newest_first || word_is(word, "oldest-first"))
        return ompd_rc_ok;
    return layout_text_refuse(&parser->text, "", word,
                              " is not an order; use newest-first or oldest-first.");
}

/* Parse what may follow the order. */
static ompd_rc_t parse_boxing(struct layout_parser *parser, const struct shape *shape,
                              struct layout_list_location *location)
{
    const struct word *words = &parser->text.words[shape->word_count];
    uint32_t count = parser->text.word_count - shape->word_count;

    if (count == 0)
        return ompd_rc_ok;
    location->is_boxed = word_is(words[0], "boxed");
    if (!location->is_boxed || count == 2 || count > 3 ||
        (count == 3 && !word_is(words[1], "adjust")))
        return layout_text_fail(&parser->text, shape->usage);
    return count == 3 ? layout_offset_parse(parser, words[2], &location->adjust) : ompd_rc_ok;
}

/* Parse the words behind the shape of a B-tree. */
static ompd_rc_t parse_b_tree(struct layout_parser *parser, struct layout_list_location *location)
{
    const struct word *words = &parser->text.words[3];
    ompd_rc_t rc = layout_path_parse(parser, words[0], &location->first);

    if (rc == ompd_rc_ok)
        rc = layout_path_parse(parser, words[1], &location->height);
    if (rc == ompd_rc_ok)
        rc = layout_path_parse(parser, words[2], &location->end);
    if (rc == ompd_rc_ok)
        rc = layout_offset_parse(parser, words[3], &location->used);
    if (rc == ompd_rc_ok)
        rc = layout_offset_parse(parser, words[4], &location->children);
    return rc;
}

static ompd_rc_t parse_binary_tree(struct layout_parser *parser,
                                   struct layout_list_location *location)
{
    const struct word *words = &parser->text.words[3];
    ompd_rc_t rc = layout_path_parse(parser, words[0], &location->first);

    if (rc == ompd_rc_ok)
        rc = layout_path_parse(parser, words[1], &location->end);
    if (rc == ompd_rc_ok)
        rc = layout_offset_parse(parser, words[2], &location->left);
    if (rc == ompd_rc_ok)
        rc = layout_offset_parse(parser, words[3], &location->right);
    return rc;
}

static ompd_rc_t parse_tree(struct layout_parser *parser, const struct shape *shape,
                            struct layout_list_location *location)
{
    if (parser->text.word_count != shape->word_count)
        return layout_text_fail(&parser->text, shape->usage);
    if (parser->list == layout_destructors)
        return layout_text_fail(&parser->text,
                                "destructor callbacks have an order, which a tree does not.");
    location->shape = shape->shape;
    return shape->shape == layout_tree ? parse_b_tree(parser, location)
                                       : parse_binary_tree(parser, location);
}

/* Parse the words between the shape and the order. */
static ompd_rc_t parse_shape(struct layout_parser *parser, const struct shape *shape,
                             struct layout_list_location *location)
{
    const struct word *word = &parser->text.words[3];
    ompd_rc_t rc = layout_path_parse(parser, *word++, &location->first);

    location->shape = shape->shape;
    if (rc == ompd_rc_ok && shape->shape == layout_linked)
        return layout_offset_parse(parser, *word, &location->next);
    if (rc == ompd_rc_ok)
        rc = layout_path_parse(parser, *word++, &location->end);
    if (rc == ompd_rc_ok && shape->shape == layout_deque)
        rc = layout_size_parse(parser, *word++, &location->chunk);
    if (rc == ompd_rc_ok)
        rc = layout_size_parse(parser, *word, &location->stride);
    if (rc == ompd_rc_ok && location->chunk != 0 && location->chunk < location->stride)
        return layout_text_fail(&parser->text, "a chunk is smaller than an element.");
    return rc;
}

ompd_rc_t layout_list_parse(struct layout_parser *parser)
{
    const struct word *words = parser->text.words;
    const struct shape *shape = find_list_shape(words[2]);
    ompd_rc_t rc = layout_list_end(parser);

    if (rc != ompd_rc_ok)
        return rc;
    parser->list = layout_list_find(parser->kind, words[1]);
    if (parser->list == LAYOUT_LIST_COUNT) {
        layout_text_refuse(&parser->text, "", words[1], " is not a list of ");
        message_add(parser->text.message, layout_kind_words[parser->kind].one);
        message_add(parser->text.message, ".");
        return ompd_rc_bad_input;
    }
    parser->location = &parser->object->lists[parser->list];
    parser->list_line = parser->text.line;
    if (parser->location->shape != layout_no_list)
        return layout_text_refuse(&parser->text, "the object already has a list ", words[1], ".");
    if ((parser->object->absent >> parser->list & 1) != 0)
        return layout_text_refuse(&parser->text, "the object has no ", words[1],
                                  ", according to an earlier line.");
    if (shape == NULL)
        return layout_text_refuse(
            &parser->text, "", words[2],
            " is not a shape; use linked, range, array, deque, tree or binary-tree.");
    if (parser->text.word_count < shape->word_count)
        return layout_text_fail(&parser->text, shape->usage);
    parser->next_condition = &parser->location->when;
    if (shape->shape == layout_tree || shape->shape == layout_binary_tree)
        return parse_tree(parser, shape, parser->location);
    rc = parse_shape(parser, shape, parser->location);
    if (rc == ompd_rc_ok)
        rc = parse_order(parser, words[shape->word_count - 1], parser->location);
    return rc == ompd_rc_ok ? parse_boxing(parser, shape, parser->location) : rc;
}

ompd_rc_t layout_none_parse(struct layout_parser *parser)
{
    struct word name = parser->text.words[1];
    enum layout_list list = layout_list_find(parser->kind, name);
    ompd_rc_t rc = layout_list_end(parser);

    if (rc != ompd_rc_ok)
        return rc;
    if (parser->kind != layout_context || (list != layout_svm && list != layout_destructors))
        return layout_text_refuse(&parser->text, "", name,
                                  " is not a list that a runtime may lack in this object.");
    if (parser->object->lists[list].shape != layout_no_list)
        return layout_text_refuse(&parser->text, "the object already has a list ", name, ".");
    parser->object->absent |= (uint8_t)(1U << list);
    return ompd_rc_ok;
}

/* Parse the last two words as the distance between the elements in a tree's node; *END is the
 * number of the words before them. */
static ompd_rc_t parse_stride(struct layout_parser *parser, struct layout_location *location,
                              unsigned *end)
{
    const struct word *words = parser->text.words;
    bool is_tree = parser->location->shape == layout_tree;

    *end = parser->text.word_count;
    if (*end < 6 || !word_is(words[*end - 2], "every")) {
        if (is_tree || *end > 5)
            return layout_text_fail(&parser->text, is_tree ? TREE_ELEMENT_USAGE : ELEMENT_USAGE);
        return ompd_rc_ok;
    }
    if (!is_tree)
        return layout_text_fail(&parser->text, "only the elements of a tree can have a stride.");
    *end -= 2;
    return layout_size_parse(parser, words[*end + 1], &location->every);
}

ompd_rc_t layout_element_parse(struct layout_parser *parser)
{
    struct word name = parser->text.words[1];
    enum layout_element element;
    unsigned end;
    ompd_rc_t rc;

    if (parser->location == NULL)
        return layout_text_fail(&parser->text, "an element must follow its list.");
    element = layout_element_find(parser->list, name);
    if (element == LAYOUT_ELEMENT_COUNT)
        return layout_text_refuse(&parser->text, "", name, " is not an element of that list.");
    if (parser->location->elements[element].is_there)
        return layout_text_refuse(&parser->text, "the list already has an element ", name, ".");
    rc = parse_stride(parser, &parser->location->elements[element], &end);
    if (rc != ompd_rc_ok)
        return rc;
    return layout_location_parse(parser, 2, end, layout_element_words[element].is_pointer, true,
                                 &parser->location->elements[element]);
}

/* Parse the optional rest after the count: the held objects, and the commands that do not hold
 * them. */
static ompd_rc_t parse_held(struct layout_parser *parser, struct layout_list_location *location)
{
    const struct word *words = parser->text.words;
    uint32_t count = parser->text.word_count;

    if (count == 2)
        return ompd_rc_ok;
    if (count == 3 || count == 5 || !word_is(words[2], "of") ||
        (count > 5 && !word_is(words[4], "but")))
        return layout_text_fail(&parser->text, EACH_HOLDS_USAGE);
    if (layout_element_find(parser->list, words[3]) != layout_memobj_of)
        return layout_text_refuse(&parser->text, "", words[3],
                                  " is not an element of that list that names a held object.");
    location->holds_named = true;
    for (uint32_t i = 5; i < count; i++) {
        uint64_t type;

        if (!word_unsigned(words[i], 0, UINT32_MAX, &type))
            return layout_text_refuse(&parser->text, "", words[i], " is not a command type.");
        location->exceptions[location->exception_count++] = (uint32_t)type;
    }
    return ompd_rc_ok;
}

ompd_rc_t layout_each_holds_parse(struct layout_parser *parser)
{
    ompd_rc_t rc;

    if (parser->location == NULL)
        return layout_text_fail(&parser->text, "each-holds must follow its list.");
    if (parser->location->holds != 0)
        return layout_text_fail(&parser->text, "the list already has an each-holds line.");
    rc = layout_count_parse(parser, parser->text.words[1], &parser->location->holds);
    return rc == ompd_rc_ok ? parse_held(parser, parser->location) : rc;
}

ompd_rc_t layout_list_end(struct layout_parser *parser)
{
    const struct layout_list_location *location = parser->location;
    enum layout_element needed;
    uint32_t line = parser->text.line;

    parser->location = NULL;
    if (location == NULL)
        return ompd_rc_ok;
    needed = layout_list_words[parser->list].needed;
    if (location->elements[needed].is_there)
        return ompd_rc_ok;
    parser->text.line = parser->list_line;
    layout_text_fail(&parser->text, "the list lacks its element ");
    message_add(parser->text.message, layout_element_words[needed].name);
    message_add(parser->text.message, ".");
    parser->text.line = line;
    return ompd_rc_bad_input;
}
