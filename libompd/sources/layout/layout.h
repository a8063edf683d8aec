/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What layouts show: runtimes, the objects that are found in memory, and rows of them. */
#ifndef LIBOMPD_LAYOUT_H
#define LIBOMPD_LAYOUT_H

#include "target/target.h"

#include <ompd-opencl-types.h>
#include <ompd-opencl.h>
#include <stdbool.h>

/* ---- layout ---------------------------------------------------------------------------------- */

/*
 * A layout: where one build of an OpenCL runtime keeps the fields of its objects.  The format is
 * described in ompd-opencl-layout(5); here it is parsed from what the tool hands over, which may be
 * hostile.
 */

#define LAYOUT_MAX_SIZE (64 * 1024) /* bytes of text */
#define LAYOUT_MAX_RULES 8          /* of one kind of object */
#define LAYOUT_MAX_OFFSETS 4        /* of one path */
#define LAYOUT_MAX_EXCEPTIONS 4     /* of what each element holds */
#define LAYOUT_MAX_INTERNALS 4      /* lines that tell the runtime's own objects of a kind */
#define LAYOUT_MAX_KNOWN 8          /* fields of a kind that are not always known */

/* Kinds of objects that a runtime has. */
enum layout_kind {
#define LAYOUT_KIND(kind, ...) layout_##kind,
#include <schema/layout.def>
    LAYOUT_KIND_COUNT
};

/* Fields, of one kind or another. */
enum layout_field {
#define LAYOUT_FIELD(field, ...) layout_##field,
#include <schema/layout.def>
    LAYOUT_FIELD_COUNT
};

/* Lists that belong to an object, and what their elements have. */
enum layout_list {
#define LAYOUT_LIST(list, ...) layout_##list,
#include <schema/layout.def>
    LAYOUT_LIST_COUNT
};
enum layout_element {
#define LAYOUT_ELEMENT(element, ...) layout_##element,
#include <schema/layout.def>
    LAYOUT_ELEMENT_COUNT
};

enum layout_shape {
    layout_no_list,
    layout_linked,
    layout_range,
    layout_array,
    layout_deque,
    layout_tree,
    layout_binary_tree
};

/* All but the last offset are followed as pointers; the last is where the value lies. */
struct layout_path {
    int32_t offsets[LAYOUT_MAX_OFFSETS];
    uint8_t count;
};

struct layout_location {
    struct layout_path path;
    uint8_t width; /* bytes; 0: this layout does not have it */
    bool is_there; /* tells an element of width 0, whose value is its own address, from none */
    int32_t adjust;
    uint32_t every; /* tree: bytes from the value of one of a node's elements to the next one's */
};

/* The unsigned number of WIDTH bytes at OFFSET is within [least, most]. */
struct layout_rule {
    int32_t offset;
    uint8_t width;
    uint64_t least;
    uint64_t most;
};

/* Tell whether RULE is on a count of references, which is 0 or something else once all are gone. */
static inline bool layout_rule_is_on_count(const struct layout_rule *rule)
{
    return rule->least == 1 && rule->most > 1 && rule->most <= UINT32_MAX;
}

/* What is described is there only when the rule holds or, with `is_except`, only when it does not.
 */
struct layout_condition {
    struct layout_rule rule; /* width 0: it is always there */
    bool is_except;
};

/* A field is known only where the unsigned number at `location` is within [least, most]. */
struct layout_known {
    enum layout_field field;
    struct layout_location location;
    uint64_t least;
    uint64_t most;
};

struct layout_list_location {
    enum layout_shape shape;
    struct layout_path first;  /* deque: the iterator of the first element; trees: root */
    struct layout_path end;    /* range: end; array, trees: count; deque: the iterator past the last
                                */
    struct layout_path height; /* tree: levels of nodes above the leaves */
    int32_t used;              /* tree: how many elements a node has, 2 bytes */
    int32_t children;          /* tree: a node's array of pointers to those below it */
    int32_t left;              /* binary tree: to the nodes before a node, */
    int32_t right;             /* and to those behind it */
    int32_t next;              /* linked */
    uint32_t stride;           /* bytes from element to element */
    uint32_t chunk;            /* deque: bytes */
    int32_t adjust;            /* added to what a boxed list holds */
    bool is_boxed;
    bool is_newest_first;
    /* References that each element holds: of what the element names, or of the object that the list
     * belongs to; but none in commands of these types. */
    uint8_t holds;
    bool holds_named;
    uint8_t exception_count;
    uint32_t exceptions[LAYOUT_MAX_EXCEPTIONS];
    struct layout_condition when; /* of its elements */
    struct layout_location elements[LAYOUT_ELEMENT_COUNT];
};

/* References that an object holds of those that it names. */
struct layout_holdings {
    uint8_t counts[LAYOUT_KIND_COUNT]; /* of the one it belongs to, of that kind */
    uint16_t alone; /* bits 1 << enum layout_kind: only when its parent, or queue, is none */
};

struct layout_object {
    bool is_there;
    /* Bytes about the handle that rules and fields without hops need: [handle + lowest, handle +
     * highest). */
    int32_t lowest;
    int32_t highest;
    uint32_t rule_count;
    struct layout_rule rules[LAYOUT_MAX_RULES];
    struct layout_rule dying;         /* width 0: none; holds while the object is being destroyed */
    struct layout_rule dispatch_data; /* width 0: none; what loaders set of all that they give */
    /* Width 0: none; holds while destructor callbacks are run whose list the runtime has taken out
     * of the object, though that may live as well. */
    struct layout_rule taken;
    /* 0: not known; where these callbacks return to, from the module's lowest address. */
    uint64_t taken_return;
    uint32_t internal_count;
    struct layout_rule internals[LAYOUT_MAX_INTERNALS]; /* `least` is the mask */
    struct layout_location fields[LAYOUT_FIELD_COUNT];
    struct layout_condition when[LAYOUT_FIELD_COUNT]; /* of the fields */
    uint32_t known_count;
    struct layout_known known[LAYOUT_MAX_KNOWN];
    struct layout_list_location lists[LAYOUT_LIST_COUNT];
    uint8_t absent;                     /* bits 1 << enum layout_list: the runtime has no such */
    struct layout_holdings holds;       /* while it lives, */
    struct layout_holdings dying_holds; /* and while its destructor callbacks run */
    uint8_t maps_hold;                  /* references of its own, by each of its mappings */
};

/* Tell whether what CONDITION is about, with NUMBER where it says, is there. */
static inline bool layout_condition_holds(const struct layout_condition *condition, uint64_t number)
{
    bool is_within = number >= condition->rule.least && number <= condition->rule.most;

    return is_within != condition->is_except;
}

/* Tell whether the runtime takes the list of destructor callbacks out of an OBJECT, whose count
 * comes to 0, before it runs them. */
static inline bool layout_takes_of_dying(const struct layout_object *object)
{
    return object->taken.width != 0 && object->taken.least == 0 && object->dying.width != 0 &&
           object->taken.offset == object->dying.offset;
}

/* A linked list in the module's data, of objects whose callbacks wait until a thread of the
 * runtime calls them, once their list was taken out. */
struct layout_taken_list {
    uint64_t head;  /* of its first pointer, from the module's lowest address; 0: there is none */
    int32_t next;   /* of a node: the next one, */
    int32_t object; /* and the cl handle */
};

struct layout {
    char runtime[OMPD_CL_TEXT_SIZE];
    char module[OMPD_CL_TEXT_SIZE];
    uint8_t build_id[BUILD_ID_LIMIT];
    uint32_t build_id_size;
    uint32_t machine; /* ELF e_machine */
    uint32_t pointer_size;
    bool is_big_endian;
    uint64_t table; /* from the module's lowest address */
    struct layout_taken_list taken_list;
    bool has_no_loader; /* the runtime takes the place of the OpenCL loader in its programs */
    struct layout_object objects[LAYOUT_KIND_COUNT];
};

/*
 * Parse the SIZE bytes of TEXT, which need not end in NUL, into LAYOUT.  Returns ompd_rc_ok;
 * ompd_rc_bad_input for a text that is no layout, with a sentence that names the line in MESSAGE;
 * ompd_rc_incompatible for one of a newer major version or that requires what is not known.
 */
ompd_rc_t layout_parse(const char *text, ompd_size_t size, struct layout *layout,
                       struct message *message);

/* ---- container ------------------------------------------------------------------------------- */

/* Lists in a runtime's memory, of the shapes that layouts know: each is walked within bounds (law
 * 6), whatever the target's memory says. */

/* No object has more elements in a list of it: law 6. */
#define CONTAINER_LIMIT (UINT64_C(1) << 20)

/* No B-tree of so many elements is higher: each node but the root has several. */
#define CONTAINER_HEIGHT 16

/* Nor has a balanced binary tree, a red-black one say, a longer path from its root to a leaf. */
#define CONTAINER_DEPTH 42

/* An element: an object of its own, or one of several that a tree's node has side by side. */
struct container_element {
    uint64_t address; /* 0: there are no more */
    uint64_t index;   /* in the node that is at the address */
};

/* A list being walked. */
struct container {
    const struct layout_list_location *location;
    uint64_t object;    /* cl handle of its owner */
    uint64_t count;     /* elements, with those that a condition leaves out */
    uint64_t passed;    /* elements so far, */
    uint64_t lost;      /* of which so many could not be had */
    uint64_t start;     /* linked: first node; arrays: where they begin; deque: number of its first
                           element in the first chunk */
    uint64_t next_node; /* linked: next node */
    uint64_t chunk_map; /* deque: where the pointer to the first chunk is */
    uint32_t height;    /* tree: of the leaves' level, which is 0, to that of the root */
    uint32_t level;     /* tree: where the walk is; binary tree: how many nodes come next */
    uint64_t key;       /* binary tree: of the last element */
    /* Tree: the node on each level that the walk is in, and its next element.  Binary tree: the
     * nodes that come next with all that is to their right, the nearest one last.  Most walks are
     * none of these, and leave it as it is. */
    struct container_element path[CONTAINER_DEPTH];
};

/*
 * Begin to walk the list of OBJECT that LOCATION describes; it is empty when a pointer on the way
 * to it is 0.  Returns ompd_rc_ok; ompd_rc_incomplete when memory could not be read (`failure` of
 * TARGET says why) or makes no sense (`failure` is ompd_cl_status_corrupt): then there are no
 * elements; ompd_rc_nomem.
 */
ompd_rc_t container_begin(struct container *container, struct target *target,
                          const struct layout_list_location *location, uint64_t object);

/*
 * Give the next element: callbacks in call order, newest first, others as they stand in the list.
 * The address of *ELEMENT gets 0 at the end.  Returns as container_begin; after ompd_rc_incomplete
 * the walk goes on behind what was lost.
 */
ompd_rc_t container_next(struct container *container, struct target *target,
                         struct container_element *element);

/* Set *COUNT to how many elements a walk from the beginning on gives.  Returns as container_begin.
 */
ompd_rc_t container_count(const struct container *container, struct target *target,
                          uint64_t *count);

/* Read the number of WIDTH bytes at ADDRESS plus OFFSET, or the word that PATH leads to from
 * ADDRESS on.  Return as location_read. */
ompd_rc_t container_number(struct target *target, uint64_t address, int64_t offset, unsigned width,
                           uint64_t *number);
ompd_rc_t container_path(struct target *target, const struct layout_path *path, uint64_t address,
                         uint64_t *word);

/* Set the failure to ompd_cl_status_corrupt. Returns ompd_rc_incomplete. */
ompd_rc_t container_refuse(struct target *target);

/* Read the value at LOCATION of ELEMENT.  Returns as location_read. */
ompd_rc_t element_read(struct target *target, const struct layout_location *location,
                       const struct container_element *element, uint64_t *value);

/* Read the value at LOCATION of the object at ADDRESS.  Returns as container_begin, and
 * ompd_rc_unavailable when a pointer on the way is 0: the object has no such thing now. */
ompd_rc_t location_read(struct target *target, const struct layout_location *location,
                        uint64_t address, uint64_t *value);

/* Tell the value at LOCATION, which is stored as NUMBER: pointers but 0 are adjusted. */
static inline uint64_t location_adjust(const struct target *target,
                                       const struct layout_location *location, uint64_t number)
{
    if (number == 0 || location->adjust == 0)
        return number;
    number += (uint64_t)(int64_t)location->adjust;
    return target->pointer_size == 8 ? number : (uint32_t)number;
}

/* ---- container-tree -------------------------------------------------------------------------- */

/* B-trees: what "container" says of lists, for these alone. */

ompd_rc_t container_tree_begin(struct container *container, struct target *target);

ompd_rc_t container_tree_next(struct container *container, struct target *target,
                              struct container_element *element);

ompd_rc_t container_binary_tree_begin(struct container *container, struct target *target);

ompd_rc_t container_binary_tree_next(struct container *container, struct target *target,
                                     struct container_element *element);

/* ---- layout-line ----------------------------------------------------------------------------- */

/* The text of a layout as lines of words, whatever is in it. */

#define LAYOUT_LINE_SIZE 200 /* bytes, without the newline */
#define LAYOUT_LINE_WORDS 12

/* Part of the text; no NUL ends it. */
struct word {
    const char *start;
    size_t length;
};

struct layout_text {
    const char *rest; /* lines not yet read: [rest, end) */
    const char *end;
    struct message *message;
    uint32_t line; /* number of the line that was read, from 1 */
    uint32_t word_count;
    struct word words[LAYOUT_LINE_WORDS];
    struct word tail; /* of the line, from its second word on */
};

/* Read the next line that has a word; at the end there is none.  Returns ompd_rc_ok, or
 * ompd_rc_bad_input with the reason. */
ompd_rc_t layout_text_next(struct layout_text *text);

/* Return ompd_rc_bad_input because of LINE: what WORD is, between BEFORE and AFTER. */
ompd_rc_t layout_text_refuse(struct layout_text *text, const char *before, struct word word,
                             const char *after);

/* The same without a word. */
ompd_rc_t layout_text_fail(struct layout_text *text, const char *reason);

bool word_is(struct word word, const char *name);

/* Take WORD as an unsigned or signed number, decimal or 0x hexadecimal, within bounds.  Returns
 * false, *NUMBER untouched, when it is none. */
bool word_unsigned(struct word word, uint64_t least, uint64_t most, uint64_t *number);
bool word_signed(struct word word, int32_t least, int32_t most, int32_t *number);

/* Take WORD as a byte of two hexadecimal digits.  Returns likewise. */
bool word_byte(struct word word, uint8_t *byte);

/* Split WORD at the first SEPARATOR: what is before it becomes *HEAD, and WORD what is after it.
 * Returns false when there is none; then *HEAD is all of WORD. */
bool word_split(struct word *word, char separator, struct word *head);

/* ---- layout-names ---------------------------------------------------------------------------- */

/* The names that a layout knows (schema/layout.def). */

struct layout_kind_word {
    const char *name;
    const char *one; /* "an event" */
};

struct layout_field_word {
    const char *name;
    uint32_t kinds; /* that have it: bits 1 << enum layout_kind */
    bool is_pointer;
    bool may_be_unknown;
};

struct layout_list_word {
    const char *name;
    uint32_t kinds;
    enum layout_element needed;
};

struct layout_element_word {
    const char *name;
    enum layout_list list;
    bool is_pointer;
};

extern const struct layout_kind_word layout_kind_words[LAYOUT_KIND_COUNT];
extern const struct layout_field_word layout_field_words[LAYOUT_FIELD_COUNT];
extern const struct layout_list_word layout_list_words[LAYOUT_LIST_COUNT];
extern const struct layout_element_word layout_element_words[LAYOUT_ELEMENT_COUNT];

/* Each finds what WORD names, in objects of a kind or elements of a list; the number of the names
 * when it names none. */
enum layout_kind layout_kind_find(struct word word);
enum layout_field layout_field_find(enum layout_kind kind, struct word word);
enum layout_list layout_list_find(enum layout_kind kind, struct word word);
enum layout_element layout_element_find(enum layout_list list, struct word word);

/* A field with the cl handle of another object. */
struct layout_naming {
    enum layout_field field;
    uint32_t namers;       /* kinds of objects that have it: bits 1 << enum layout_kind */
    uint32_t named;        /* kinds of what it names */
    enum layout_kind held; /* of them, whose references the object may hold */
    bool is_never_missing;
};

/* The field by which an object of KIND names another beside its OpenCL context; NULL: none. */
const struct layout_naming *layout_naming_of(enum layout_kind kind);

/* The field of an object that names one of KIND, whose references it may hold;
 * LAYOUT_FIELD_COUNT: none does. */
enum layout_field layout_field_naming(enum layout_kind kind);

/* ---- parser ---------------------------------------------------------------------------------- */

/* What those who parse the lines of a layout share. */

/* A layout being parsed. */
struct layout_parser {
    struct layout_text text;
    struct layout *layout;
    struct layout_object *object; /* being described; NULL before the first */
    enum layout_kind kind;
    uint32_t object_line;
    struct layout_list_location *location; /* of the list being described; NULL before its first */
    enum layout_list list;
    uint32_t list_line;
    /* Of the field or list of the line before, and of this line; NULL: it is of neither. */
    struct layout_condition *condition;
    struct layout_condition *next_condition;
    /* The field that the line before is about, and this line; LAYOUT_FIELD_COUNT: it is none. */
    enum layout_field field;
    enum layout_field next_field;
};

/* ---- parse-list ------------------------------------------------------------------------------ */

/* The lines of a layout that describe the lists of an object. */

/* What a line that is wrong should be. */
#define ELEMENT_USAGE "write element NAME PATH WIDTH [ADJUST]."
#define TREE_ELEMENT_USAGE "for a tree, write element NAME PATH WIDTH [ADJUST] every STRIDE."
#define EACH_HOLDS_USAGE "write each-holds COUNT [of ELEMENT [but COMMAND_TYPE ...]]."

/* Each takes the line that was read, which has as many words as it may.  Returns ompd_rc_ok, or
 * ompd_rc_bad_input with the reason. */
ompd_rc_t layout_list_parse(struct layout_parser *parser);
ompd_rc_t layout_none_parse(struct layout_parser *parser);
ompd_rc_t layout_element_parse(struct layout_parser *parser);
ompd_rc_t layout_each_holds_parse(struct layout_parser *parser);

/* Check the list that has been described, if there was one, and finish it.  Returns likewise; the
 * line named is where its description begins. */
ompd_rc_t layout_list_end(struct layout_parser *parser);

/* ---- parse-object ---------------------------------------------------------------------------- */

/* The lines of a layout that describe one kind of object. */

/* Each takes the line that was read, which has as many words as it may.  Returns ompd_rc_ok, or
 * ompd_rc_bad_input with the reason. */
ompd_rc_t layout_object_parse(struct layout_parser *parser);
ompd_rc_t layout_rule_parse(struct layout_parser *parser);
ompd_rc_t layout_internal_parse(struct layout_parser *parser);
ompd_rc_t layout_dying_parse(struct layout_parser *parser);
ompd_rc_t layout_dispatch_data_parse(struct layout_parser *parser);
ompd_rc_t layout_taken_parse(struct layout_parser *parser);
ompd_rc_t layout_field_parse(struct layout_parser *parser);
ompd_rc_t layout_holds_parse(struct layout_parser *parser);
ompd_rc_t layout_dying_holds_parse(struct layout_parser *parser);
ompd_rc_t layout_maps_hold_parse(struct layout_parser *parser);
ompd_rc_t layout_when_parse(struct layout_parser *parser);
ompd_rc_t layout_unless_parse(struct layout_parser *parser);
ompd_rc_t layout_known_when_parse(struct layout_parser *parser);

/* Check the object that has been described, if there was one, and finish it.  Returns likewise; the
 * line named is where its description begins. */
ompd_rc_t layout_object_end(struct layout_parser *parser);

/* Take WORD as what its name says.  Return likewise. */
ompd_rc_t layout_offset_parse(struct layout_parser *parser, struct word word, int32_t *offset);
ompd_rc_t layout_count_parse(struct layout_parser *parser, struct word word, uint8_t *count);
ompd_rc_t layout_path_parse(struct layout_parser *parser, struct word word,
                            struct layout_path *path);

/* Take the words from number FIRST to before END, PATH WIDTH [ADJUST], as the location of a pointer
 * or a number.  An element whose value is its own address has width 0. */
ompd_rc_t layout_location_parse(struct layout_parser *parser, unsigned first, unsigned end,
                                bool is_pointer, bool is_element, struct layout_location *location);

#endif
