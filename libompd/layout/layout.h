/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A layout: where one build of an OpenCL runtime keeps the fields of its objects.  The format is
 * described in ompd-opencl-layout(5); here it is parsed from what the tool hands over, which may be
 * hostile.
 */
#ifndef LIBOMPD_LAYOUT_H
#define LIBOMPD_LAYOUT_H

#include "base/build-id.h"
#include "base/message.h"

#include <ompd-opencl.h>

#define LAYOUT_MAX_SIZE (64 * 1024) /* bytes of text */
#define LAYOUT_MAX_RULES 8          /* of one kind of object */
#define LAYOUT_MAX_OFFSETS 4        /* of one path */
#define LAYOUT_MAX_EXCEPTIONS 4     /* of what each element holds */
#define LAYOUT_MAX_INTERNALS 4      /* lines that tell the runtime's own objects of a kind */
#define LAYOUT_MAX_KNOWN 8          /* fields of a kind that are not always known */

/* Kinds of objects that a runtime has. */
enum layout_kind {
    layout_platform,
    layout_device,
    layout_context,
    layout_queue,
    layout_buffer,
    layout_image,
    layout_pipe,
    layout_event,
    layout_program,
    layout_kernel,
    layout_sampler,
    LAYOUT_KIND_COUNT
};

/* Fields, of one kind or another. */
enum layout_field {
    layout_references,
    layout_unique,
    layout_device_count,
    layout_context_of, /* `context` in the text */
    layout_device_of,  /* `device` */
    layout_queue_of,   /* `queue` */
    layout_program_of, /* `program` */
    layout_properties,
    layout_type,
    layout_size,
    layout_flags,
    layout_host_pointer,
    layout_parent,
    layout_origin,
    layout_map_count,
    layout_mapped_pointer,
    layout_width,
    layout_height,
    layout_depth,
    layout_array_size,
    layout_row_pitch,
    layout_slice_pitch,
    layout_channel_order,
    layout_channel_type,
    layout_packet_size,
    layout_max_packets,
    layout_command_type,
    layout_status,
    layout_build_status,
    layout_svm_queue,
    layout_svm_pointer_count,
    layout_svm_pointers,
    layout_svm_function,
    layout_svm_user_data,
    LAYOUT_FIELD_COUNT
};

/* Lists that belong to an object, and what their elements have. */
enum layout_list {
    layout_destructors,
    layout_svm,
    layout_events,
    layout_devices,
    layout_memobjs,
    layout_wait_list,
    LAYOUT_LIST_COUNT
};
enum layout_element {
    layout_function,
    layout_user_data,
    layout_svm_pointer,
    layout_svm_size,
    layout_event_of,
    layout_element_device,
    layout_memobj_of,
    layout_waited_for,
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

#endif
