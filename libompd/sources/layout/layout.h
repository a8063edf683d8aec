/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts, and the lists in objects that they describe. */
#ifndef LIBOMPD_LAYOUT_H
#define LIBOMPD_LAYOUT_H

#include "target/target.h"

#include <ompd-opencl-types.h>
#include <ompd-opencl.h>
#include <stdbool.h>

/* ---- layout ---------------------------------------------------------------------------------- */

/*
 * A layout: where one build of an OpenCL runtime stores the fields of its objects.
 * ompd-opencl-layout(5) describes the format. It is parsed here from text of the tool, which may be
 * hostile.
 */

#define LAYOUT_MAX_SIZE (64 * 1024) /* bytes of text */
#define LAYOUT_MAX_RULES 8          /* of one kind of object */
#define LAYOUT_MAX_OFFSETS 4        /* of one path */
#define LAYOUT_MAX_EXCEPTIONS 4     /* of the commands that hold no elements */
#define LAYOUT_MAX_INTERNALS 4      /* lines that identify the runtime's own objects of a kind */
#define LAYOUT_MAX_KNOWN 8          /* fields of a kind that are not always known */

/* The kinds of objects that a runtime has. */
enum layout_kind {
#define LAYOUT_KIND(kind, ...) layout_##kind,
#include <schema/layout.def>
    LAYOUT_KIND_COUNT
};

/* The fields of all kinds. */
enum layout_field {
#define LAYOUT_FIELD(field, ...) layout_##field,
#include <schema/layout.def>
    LAYOUT_FIELD_COUNT
};

/* The lists of an object, and the elements of their entries. */
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

/* All offsets but the last are followed as pointers; the last is the place of the value. */
struct layout_path {
    int32_t offsets[LAYOUT_MAX_OFFSETS];
    uint8_t count;
};

struct layout_location {
    struct layout_path path;
    uint8_t width; /* bytes; 0: the layout does not have it */
    bool is_there; /* set for an element of width 0, whose value is its own address */
    int32_t adjust;
    uint32_t every; /* tree: distance in bytes between the values in a node */
};

/* The unsigned number of WIDTH bytes at OFFSET is within [least, most]. */
struct layout_rule {
    int32_t offset;
    uint8_t width;
    uint64_t least;
    uint64_t most;
};

/* Whether RULE is on a reference count, which is 0 or a special value after the last release. */
static inline bool layout_rule_is_on_count(const struct layout_rule *rule)
{
    return rule->least == 1 && rule->most > 1 && rule->most <= UINT32_MAX;
}

/* The described item exists only when the rule holds or, with `is_except`, only when it does
 * not. */
struct layout_condition {
    struct layout_rule rule; /* width 0: it always exists */
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
    int32_t used;              /* tree: number of elements of a node, 2 bytes */
    int32_t children;          /* tree: a node's array of pointers to its children */
    int32_t left;              /* binary tree: to the nodes before a node, */
    int32_t right;             /* and to those after it */
    int32_t next;              /* linked */
    uint32_t stride;           /* distance in bytes between elements */
    uint32_t chunk;            /* deque: bytes */
    int32_t adjust;            /* added to the pointers in a boxed list */
    bool is_boxed;
    bool is_newest_first;
    /* The number of references that each element holds on the object that it names, or on the
     * object with the list. Commands of the types in `exceptions` hold none. */
    uint8_t holds;
    bool holds_named;
    uint8_t exception_count;
    uint32_t exceptions[LAYOUT_MAX_EXCEPTIONS];
    struct layout_condition when; /* of its elements */
    struct layout_location elements[LAYOUT_ELEMENT_COUNT];
};

/* The references that an object holds on the objects that it names. */
struct layout_holdings {
    uint8_t counts[LAYOUT_KIND_COUNT]; /* on the object of that kind */
    uint16_t alone; /* bits 1 << enum layout_kind: only without a parent or queue */
};

struct layout_object {
    bool is_there;
    /* The bytes around the handle that rules and direct fields need: [handle + lowest, handle +
     * highest). */
    int32_t lowest;
    int32_t highest;
    uint32_t rule_count;
    struct layout_rule rules[LAYOUT_MAX_RULES];
    struct layout_rule dying; /* width 0: none; holds while the object is being destroyed */
    struct layout_rule
        dispatch_data; /* width 0: none; set by loaders in all objects that they return */
    /* Width 0: none. Holds while destructor callbacks run whose list the runtime has moved out of
     * the object, which may live on. */
    struct layout_rule taken;
    /* The address to which these callbacks return, from the module's lowest address; 0: unknown. */
    uint64_t taken_return;
    uint32_t internal_count;
    struct layout_rule internals[LAYOUT_MAX_INTERNALS]; /* `least` is the mask */
    struct layout_location fields[LAYOUT_FIELD_COUNT];
    struct layout_condition when[LAYOUT_FIELD_COUNT]; /* of the fields */
    uint32_t known_count;
    struct layout_known known[LAYOUT_MAX_KNOWN];
    struct layout_list_location lists[LAYOUT_LIST_COUNT];
    uint8_t absent; /* bits 1 << enum layout_list of lists that the runtime does not have */
    struct layout_holdings holds;       /* while it lives, */
    struct layout_holdings dying_holds; /* and while its destructor callbacks run */
    uint8_t maps_hold;                  /* references on itself, for each of its mappings */
};

/* Whether the item with CONDITION exists, given the NUMBER at the condition's place. */
static inline bool layout_condition_holds(const struct layout_condition *condition, uint64_t number)
{
    bool is_within = number >= condition->rule.least && number <= condition->rule.most;

    return is_within != condition->is_except;
}

/* Whether the runtime takes the list of destructor callbacks out of an OBJECT whose count becomes
 * 0, before it runs them. */
static inline bool layout_takes_of_dying(const struct layout_object *object)
{
    return object->taken.width != 0 && object->taken.least == 0 && object->dying.width != 0 &&
           object->taken.offset == object->dying.offset;
}

/* A linked list in the module's data of objects whose callbacks, already taken out, wait for a
 * thread of the runtime. */
struct layout_taken_list {
    uint64_t head;  /* of its first pointer, from the module's lowest address; 0: none */
    int32_t next;   /* of a node: the next one, */
    int32_t object; /* and the cl handle */
};

/* ---- classes --------------------------------------------------------------------------------- */

/*
 * The classes of a runtime in C++, for a runtime other than OpenCL's: Embree. Its objects begin
 * with the address of a virtual table, which leads to the name of their class (Itanium C++
 * ABI, 2.9.4).
 */

#define LAYOUT_MAX_CLASSES 255
#define LAYOUT_MAX_CLASS_NAME 500 /* bytes, without the NUL */
#define LAYOUT_MAX_BODIES 40
#define LAYOUT_MAX_VECTORS 6 /* of one body */
#define LAYOUT_MAX_SLOTS 12
#define LAYOUT_MAX_OWNED 4
#define LAYOUT_MAX_SCENE_SLOTS 2

enum layout_class_kind {
#define LAYOUT_CLASS(class, word) layout_class_##class,
#include <schema/layout.def>
    LAYOUT_CLASS_COUNT
};

enum layout_member {
#define LAYOUT_MEMBER(member, word, classes) layout_member_##member,
#include <schema/layout.def>
    LAYOUT_MEMBER_COUNT
};

struct layout_member_location {
    uint16_t offset;
    uint8_t width;     /* bytes; 0: the layout does not have it */
    uint8_t first_bit; /* of a bit field, from the lowest */
    uint8_t bits;      /* 0: it is no bit field */
};

/* An array in an object: its address is at `items`, the number of its elements at `count`, and what
 * is meant at `offset` of each element of `stride` bytes. With a stride of 0 there is no array: it
 * is at `offset` of the object. */
struct layout_array {
    uint16_t offset;
    uint16_t items;
    uint16_t count;
    uint16_t stride;
};

/* A monitored vector, of elements of `element_size` bytes: a pointer to the second base of the
 * device; at 16, 24 and 32 the number of elements, the number of elements with memory, and a
 * pointer to them. */
struct layout_vector {
    struct layout_array place;
    uint16_t element_size;
};

enum layout_slot_role { layout_slot_other, layout_slot_vertex, layout_slot_index };

/* A counted pointer to a buffer. */
struct layout_slot {
    struct layout_array place;
    uint8_t role; /* enum layout_slot_role */
};

/* A pointer to an object that this object owns, or with `end` the first of an array of them, whose
 * start and end are at `offset` and `end`. */
struct layout_owned {
    uint16_t offset;
    uint16_t end; /* 0: there is one pointer */
};

/* A counted pointer to a scene, or the address of an array of them, whose number of four bytes is
 * at `count`. */
struct layout_scene_slot {
    uint16_t offset;
    uint16_t count; /* 0: there is one pointer */
};

/* A view of a buffer ends with the counted pointer to it. Before that, at these distances, are the
 * address of the first element, the distance between elements, and their number. */
struct layout_view {
    uint16_t pointer; /* 0: the layout does not have them */
    uint16_t stride;
    uint16_t count;
};

/* What classes with the same members have. */
struct layout_body {
    uint16_t base;       /* device: offset of its second base */
    uint32_t bytes;      /* reported to the monitor for each object, */
    uint32_t bytes_each; /* and for each of `counted` */
    uint8_t counted;     /* enum layout_member */
    uint8_t vector_count;
    uint8_t slot_count;
    uint8_t owned_count;
    uint8_t scene_slot_count;
    struct layout_member_location members[LAYOUT_MEMBER_COUNT];
    struct layout_vector vectors[LAYOUT_MAX_VECTORS];
    struct layout_slot slots[LAYOUT_MAX_SLOTS];
    struct layout_view view;
    struct layout_owned owned[LAYOUT_MAX_OWNED];
    struct layout_scene_slot scene_slots[LAYOUT_MAX_SCENE_SLOTS];
};

struct layout_class {
    uint64_t name_hash; /* layout_name_hash of its mangled name, as in std::type_info */
    uint64_t type_info; /* from the module's lowest address; 0: it is found by the name */
    uint16_t name_length;
    uint8_t kind; /* enum layout_class_kind */
    uint8_t body;
};

/* A hash of the LENGTH bytes of NAME (FNV-1a). */
static inline uint64_t layout_name_hash(const char *name, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)name[i]) * UINT64_C(0x100000001b3);
    return hash;
}

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
    bool has_no_loader;   /* the runtime replaces the OpenCL loader in its programs */
    uint32_t class_count; /* 0: it has objects; else it has classes, and no table */
    uint32_t body_count;
    union {
        struct layout_object objects[LAYOUT_KIND_COUNT];
        struct {
            struct layout_class classes[LAYOUT_MAX_CLASSES];
            struct layout_body bodies[LAYOUT_MAX_BODIES];
        };
    };
};

/*
 * Parse SIZE bytes of TEXT, which need not end in NUL, into LAYOUT. Returns ompd_rc_ok;
 * ompd_rc_bad_input for an invalid text, with a MESSAGE that names the line; ompd_rc_incompatible
 * for a newer major version or an unknown requirement.
 */
ompd_rc_t layout_parse(const char *text, ompd_size_t size, struct layout *layout,
                       struct message *message);

/* ---- container ------------------------------------------------------------------------------- */

/* Lists in a runtime's memory, of the shapes that layouts describe. Each walk is bounded (law 6),
 * regardless of the contents of the target's memory. */

/* No list of an object has more elements: law 6. */
#define CONTAINER_LIMIT (UINT64_C(1) << 20)

/* No B-tree with that many elements is higher, because each node but the root has several. */
#define CONTAINER_HEIGHT 16

/* No balanced binary tree, such as a red-black tree, has a longer path from its root to a leaf. */
#define CONTAINER_DEPTH 42

/* An element: an object of its own, or one of several in a tree's node. */
struct container_element {
    uint64_t address; /* 0: the end of the list */
    uint64_t index;   /* within the node at the address */
};

/* A walk over a list. */
struct container {
    const struct layout_list_location *location;
    uint64_t object; /* cl handle of its owner */
    uint64_t count;  /* elements, including those that a condition excludes */
    uint64_t passed; /* elements so far, */
    uint64_t lost;   /* of which this many could not be read */
    uint64_t start; /* linked: first node; arrays: first element; deque: number of the first element
                       in its chunk */
    uint64_t next_node; /* linked: next node */
    uint64_t chunk_map; /* deque: address of the pointer to the first chunk */
    uint32_t height;    /* tree: of the root; leaves have level 0 */
    uint32_t level;     /* tree: current level; binary tree: number of nodes in `path` */
    uint64_t key;       /* binary tree: key of the last element */
    /* Tree: the current node on each level, and its next element. Binary tree: the nodes that come
     * next, with everything to their right, nearest last. Other walks leave it uninitialised. */
    struct container_element path[CONTAINER_DEPTH];
};

/*
 * Begin a walk over the list of OBJECT at LOCATION, which is empty if a pointer on its path is 0.
 * Returns ompd_rc_ok; ompd_rc_incomplete, with no elements, when memory could not be read
 * (`failure` of TARGET says why) or is invalid (`failure` is ompd_cl_status_corrupt);
 * ompd_rc_nomem.
 */
ompd_rc_t container_begin(struct container *container, struct target *target,
                          const struct layout_list_location *location, uint64_t object);

/* Return the next element: callbacks in call order, newest first, others in list order. The address
 * of *ELEMENT is 0 at the end. Returns as container_begin does; after ompd_rc_incomplete the walk
 * continues after the lost elements. */
ompd_rc_t container_next(struct container *container, struct target *target,
                         struct container_element *element);

/* Set *COUNT to the number of elements that a full walk finds. Returns as container_begin does. */
ompd_rc_t container_count(const struct container *container, struct target *target,
                          uint64_t *count);

/* Read the number of WIDTH bytes at ADDRESS plus OFFSET, or the word at the end of PATH from
 * ADDRESS. Return as location_read does. */
ompd_rc_t container_number(struct target *target, uint64_t address, int64_t offset, unsigned width,
                           uint64_t *number);
ompd_rc_t container_path(struct target *target, const struct layout_path *path, uint64_t address,
                         uint64_t *word);

/* Set the failure to ompd_cl_status_corrupt, and return ompd_rc_incomplete. */
ompd_rc_t container_refuse(struct target *target);

/* Read the value at LOCATION of ELEMENT. Returns as location_read does. */
ompd_rc_t element_read(struct target *target, const struct layout_location *location,
                       const struct container_element *element, uint64_t *value);

/* Read the value at LOCATION of the object at ADDRESS. Returns as container_begin does, and
 * ompd_rc_unavailable when a pointer on the path is 0: the object does not have the value now. */
ompd_rc_t location_read(struct target *target, const struct layout_location *location,
                        uint64_t address, uint64_t *value);

/* The value at LOCATION, stored as NUMBER: pointers other than 0 are adjusted. */
static inline uint64_t location_adjust(const struct target *target,
                                       const struct layout_location *location, uint64_t number)
{
    if (number == 0 || location->adjust == 0)
        return number;
    number += (uint64_t)(int64_t)location->adjust;
    return target->pointer_size == 8 ? number : (uint32_t)number;
}

/* ---- container-tree -------------------------------------------------------------------------- */

/* Containers that are B-trees or binary trees. */

ompd_rc_t container_tree_begin(struct container *container, struct target *target);

ompd_rc_t container_tree_next(struct container *container, struct target *target,
                              struct container_element *element);

ompd_rc_t container_binary_tree_begin(struct container *container, struct target *target);

ompd_rc_t container_binary_tree_next(struct container *container, struct target *target,
                                     struct container_element *element);

/* ---- layout-line ----------------------------------------------------------------------------- */

/* The text of a layout as lines of words, whatever it contains. */

#define LAYOUT_LINE_SIZE 600 /* bytes, without the newline */
#define LAYOUT_LINE_WORDS 12

/* A part of the text, not terminated by NUL. */
struct word {
    const char *start;
    size_t length;
};

struct layout_text {
    const char *rest; /* unread lines: [rest, end) */
    const char *end;
    struct message *message;
    uint32_t line; /* number of the current line, from 1 */
    uint32_t word_count;
    struct word words[LAYOUT_LINE_WORDS];
    struct word tail; /* the line from its second word on */
};

/* Read the next line that has a word; word_count is 0 at the end. Returns ompd_rc_ok, or
 * ompd_rc_bad_input with the reason. */
ompd_rc_t layout_text_next(struct layout_text *text);

/* Return ompd_rc_bad_input for the current line, with the message BEFORE "WORD" AFTER. */
ompd_rc_t layout_text_refuse(struct layout_text *text, const char *before, struct word word,
                             const char *after);

/* The same without a word. */
ompd_rc_t layout_text_fail(struct layout_text *text, const char *reason);

bool word_is(struct word word, const char *name);

/* Parse WORD as an unsigned or signed number, decimal or 0x hexadecimal, within bounds. Returns
 * false, with *NUMBER unchanged, when it is not one. */
bool word_unsigned(struct word word, uint64_t least, uint64_t most, uint64_t *number);
bool word_signed(struct word word, int32_t least, int32_t most, int32_t *number);

/* Parse WORD as a byte of two hexadecimal digits. Returns false when it is not one. */
bool word_byte(struct word word, uint8_t *byte);

/* Split WORD at the first SEPARATOR: *HEAD becomes the part before it, and WORD the part after it.
 * Returns false when there is none; *HEAD is then all of WORD. */
bool word_split(struct word *word, char separator, struct word *head);

/* ---- layout-names ---------------------------------------------------------------------------- */

/* The names in layouts (schema/layout.def). */

struct layout_kind_word {
    const char *name;
    const char *one; /* "an event" */
};

struct layout_field_word {
    const char *name;
    uint32_t kinds; /* bits 1 << enum layout_kind of the kinds that have it */
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

/* Find the name WORD, of objects of a kind or elements of a list. Returns the number of names if it
 * is none of them. */
enum layout_kind layout_kind_find(struct word word);
enum layout_field layout_field_find(enum layout_kind kind, struct word word);
enum layout_list layout_list_find(enum layout_kind kind, struct word word);
enum layout_element layout_element_find(enum layout_list list, struct word word);

/* A field with the cl handle of another object. */
struct layout_naming {
    enum layout_field field;
    uint32_t namers;       /* bits 1 << enum layout_kind of the kinds that have it */
    uint32_t named;        /* kinds of the objects that it names */
    enum layout_kind held; /* the kind whose references the object may hold */
    bool is_never_missing;
};

/* The field by which an object of KIND names another besides its OpenCL context; NULL if there is
 * none. */
const struct layout_naming *layout_naming_of(enum layout_kind kind);

/* The field of an object that names one of KIND and may hold its references; LAYOUT_FIELD_COUNT if
 * there is none. */
enum layout_field layout_field_naming(enum layout_kind kind);

/* ---- parser ---------------------------------------------------------------------------------- */

/* Shared by the parsers of layout lines. */

/* A layout being parsed. */
struct layout_parser {
    struct layout_text text;
    struct layout *layout;
    struct layout_object *object; /* the current object; NULL before the first */
    struct layout_class *class;   /* the current class; NULL before the first */
    struct layout_body *body;     /* its body; NULL before the first line of it */
    enum layout_kind kind;
    uint32_t object_line;
    struct layout_list_location *location; /* of the current list; NULL before the first */
    enum layout_list list;
    uint32_t list_line;
    /* The conditions of the field or list on the previous line, and on this line; NULL: neither. */
    struct layout_condition *condition;
    struct layout_condition *next_condition;
    /* The field on the previous line, and on this line; LAYOUT_FIELD_COUNT: none. */
    enum layout_field field;
    enum layout_field next_field;
};

/* ---- parse-list ------------------------------------------------------------------------------ */

/* Parses the lines that describe the lists of an object. */

/* The messages for malformed lines. */
#define ELEMENT_USAGE "write element NAME PATH WIDTH [ADJUST]."
#define TREE_ELEMENT_USAGE "for a tree, write element NAME PATH WIDTH [ADJUST] every STRIDE."
#define EACH_HOLDS_USAGE "write each-holds COUNT [of ELEMENT [but COMMAND_TYPE ...]]."

/* Each parses the current line, whose number of words is valid. Returns ompd_rc_ok, or
 * ompd_rc_bad_input with the reason. */
ompd_rc_t layout_list_parse(struct layout_parser *parser);
ompd_rc_t layout_none_parse(struct layout_parser *parser);
ompd_rc_t layout_element_parse(struct layout_parser *parser);
ompd_rc_t layout_each_holds_parse(struct layout_parser *parser);

/* Check and finish the current list, if there is one. Returns the same codes; the message names the
 * first line of its description. */
ompd_rc_t layout_list_end(struct layout_parser *parser);

/* ---- parse-class ----------------------------------------------------------------------------- */

/* Parses the lines that describe the classes of a runtime in C++. */

/* Each parses the current line, whose number of words is valid. Returns ompd_rc_ok, or
 * ompd_rc_bad_input with the reason. */
ompd_rc_t layout_class_parse(struct layout_parser *parser);
ompd_rc_t layout_member_parse(struct layout_parser *parser);
ompd_rc_t layout_base_parse(struct layout_parser *parser);
ompd_rc_t layout_bytes_parse(struct layout_parser *parser);
ompd_rc_t layout_bytes_each_parse(struct layout_parser *parser);
ompd_rc_t layout_vector_parse(struct layout_parser *parser);
ompd_rc_t layout_vectors_parse(struct layout_parser *parser);
ompd_rc_t layout_slot_parse(struct layout_parser *parser);
ompd_rc_t layout_slots_parse(struct layout_parser *parser);
ompd_rc_t layout_view_parse(struct layout_parser *parser);
ompd_rc_t layout_owned_parse(struct layout_parser *parser);
ompd_rc_t layout_scene_slot_parse(struct layout_parser *parser);

/* Check the classes once all lines are parsed. Returns the same codes. */
ompd_rc_t layout_classes_end(struct layout_parser *parser);

/* ---- parse-object ---------------------------------------------------------------------------- */

/* Parses the lines that describe one kind of object. */

/* Each parses the current line, whose number of words is valid. Returns ompd_rc_ok, or
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

/* Check and finish the current object, if there is one. Returns the same codes; the message names
 * the first line of its description. */
ompd_rc_t layout_object_end(struct layout_parser *parser);

/* Parse WORD. Return the same codes. */
ompd_rc_t layout_offset_parse(struct layout_parser *parser, struct word word, int32_t *offset);
ompd_rc_t layout_count_parse(struct layout_parser *parser, struct word word, uint8_t *count);
ompd_rc_t layout_path_parse(struct layout_parser *parser, struct word word,
                            struct layout_path *path);

/* Parse the words from number FIRST to before END, PATH WIDTH [ADJUST], as the location of a
 * pointer or a number. An element that is its own address has width 0. */
ompd_rc_t layout_location_parse(struct layout_parser *parser, unsigned first, unsigned end,
                                bool is_pointer, bool is_element, struct layout_location *location);

#endif
