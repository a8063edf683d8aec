/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of what layouts show, and what is kept of it. */
#ifndef LIBOMPD_LAYOUT_SOURCE_H
#define LIBOMPD_LAYOUT_SOURCE_H

#include "kinds/kinds.h"
#include "sources/address-space.h"
#include "sources/layout/discovery.h"

#include <ompd-opencl.h>
#include <stddef.h>

/* ---- layout-completion ----------------------------------------------------------------------- */

/* What a layout adds to rows that the recorder gave. */

/* The handle of INFO of KIND, whose objects have references; *FOUND gets what a layout calls what
 * it is of. */
uint64_t layout_row_name(uint32_t kind, const union row *info, enum layout_kind *found);

/* Complete INFO of KIND, which the recorder gave, with what the runtime alone knows.  Returns as
 * layout_row_fill. */
ompd_rc_t layout_row_complete(struct address_space *space, uint32_t kind, void *info);

/* ---- pending-frees --------------------------------------------------------------------------- */

/* What is about to be freed, as it was found at one stop: see rows/svm-pending.h. */

/* More pointers that SVM-free commands are to free are not kept, nor more queues that have such
 * commands. */
#define SVM_PENDING_LIMIT 256
#define SVM_QUEUE_LIMIT 64

/* More SVM-free commands that have begun are not kept: each of them has a thread. */
#define SVM_BEGUN_LIMIT 64

struct svm_queue {
    uint64_t handle;
    uint32_t runtime; /* index */
    uint32_t count;   /* of its commands */
    bool is_presumed; /* some of them may be gone */
};

/* What the SVM-free commands that are still to be done say. */
struct svm_pending {
    uint64_t stop; /* the target's that it is of */
    uint32_t count;
    ompd_rc_t rest;   /* ompd_rc_ok: there are no others; else why nobody knows, */
    uint16_t failure; /* ompd_cl_status_t, when they may be where memory could not be read */
    uint64_t pointers[SVM_PENDING_LIMIT];
    uint16_t unread[RUNTIME_LIMIT]; /* why an event of a runtime could not be read; 0: all were */
    bool has_more_queues;
    uint32_t queue_count;
    struct svm_queue queues[SVM_QUEUE_LIMIT];
};

/* The same of the recorder's commands, by queue alone. */
struct svm_recorded {
    uint64_t stop;    /* the target's that it is of, */
    uint32_t sources; /* and the sources that it was asked of */
    ompd_rc_t rc;     /* ompd_rc_ok: all were read */
    uint16_t failure; /* ompd_cl_status_t: why some were not */
    bool has_gaps;    /* memory that could not be searched may tell which presumed ones are gone */
    bool has_more_queues;
    uint32_t queue_count;
    struct svm_queue queues[SVM_QUEUE_LIMIT]; /* their `runtime` is not used */
};

/* An SVM-free command that has begun, or failed, as its own record tells. */
struct svm_begun_command {
    uint64_t queue;  /* cl handle */
    uint32_t number; /* place in it */
    uint32_t index;  /* of its record, */
    uint64_t run;    /* and the word there */
    uint8_t state;   /* ompd_cl_svm_free_state_t: running, left or failed */
};

struct svm_begun {
    uint64_t stop; /* the target's that it is of */
    ompd_rc_t rc;  /* ompd_rc_ok: all were read, and are here */
    uint32_t count;
    struct svm_begun_command commands[SVM_BEGUN_LIMIT];
};

/* ---- layout-source --------------------------------------------------------------------------- */

/* Layouts as a source: what is known of the runtimes of one process, and what they have been found
 * to hold. */

/* How the rows of the kind that was made last begin. */
struct layout_blank {
    uint32_t kind; /* 0: none was made yet */
    uint32_t size;
    union row row;
};

struct layout_source {
    struct runtimes runtimes;
    struct inventory inventory;
    uint64_t released_stop;     /* the target's at which objects that are gone were marked */
    uint64_t acquitted_stop;    /* the target's at which the recorder was asked about misfits */
    uint64_t marked_stop;       /* the target's at which those of `marked_kinds` were marked */
    uint32_t marked_kinds;      /* bits 1 << enum layout_kind */
    uint32_t unmarked_kinds;    /* of which some could not be, */
    uint64_t unmarked;          /* so many at most */
    uint64_t unfound;           /* live objects of those kinds that the layouts have not found */
    uint32_t recorded_runtimes; /* bits 1 << index: the recorder has seen all of their objects */
    struct svm_pending svm_pending;
    struct svm_recorded svm_recorded;
    struct layout_blank blank;
};

/* ---- layout-fields --------------------------------------------------------------------------- */

/* The fields of one object, as a layout says where they are. */

/* CL_COMMAND_SVM_FREE */
#define LAYOUT_COMMAND_SVM_FREE 0x1209

struct layout_fields {
    struct address_space *space;
    const struct layout_object *object;
    uint64_t handle;
    const uint8_t *bytes; /* at the handle, all fields being at hand; NULL: they are not */
    uint64_t views;       /* of the target, at that time: the next may take the bytes away */
    bool is_scattered;    /* the fields cannot be had at once */
    ompd_rc_t rc;         /* ompd_rc_incomplete or ompd_rc_nomem once a field could not be had */
};

/* Begin to look at the object with HANDLE, which OBJECT describes. */
void layout_fields_begin(struct layout_fields *view, struct address_space *space,
                         const struct layout_object *object, uint64_t handle);

/* Begin to look at HANDLE, which is said to be of KIND, and, if IS_DYING, to be being destroyed.
 * Returns ompd_rc_ok; ompd_rc_unavailable
 * when it is of no runtime that has a layout, or not as that says; ompd_rc_incomplete when that
 * cannot be read; ompd_rc_nomem. */
ompd_rc_t layout_fields_find(struct layout_fields *view, struct address_space *space,
                             enum layout_kind kind, uint64_t handle, bool is_dying);

/* Tell in *HOLDS whether the number of RULE is within its bounds.  Returns ompd_rc_ok;
 * ompd_rc_incomplete when it cannot be read; ompd_rc_nomem. */
ompd_rc_t layout_fields_test(struct layout_fields *view, const struct layout_rule *rule,
                             bool *holds);

/* Set *VALUE to what location_read gave: RC, and NUMBER when that is ompd_rc_ok.  What is not known
 * for want of memory makes *RESULT ompd_rc_incomplete. */
void layout_value_read(struct address_space *space, ompd_cl_value_t *value, ompd_rc_t rc,
                       uint64_t number, ompd_rc_t *result);

/* Set *VALUE to FIELD of VIEW: a fact, unknown where the layout or the object lacks it, or why it
 * could not be read. */
void layout_fields_get(struct layout_fields *view, enum layout_field field, ompd_cl_value_t *value);

/* Set the members of INFO of KIND that a layout tells, likewise; but for those of images alone. */
void layout_fields_show(struct layout_fields *view, uint32_t kind, void *info);

/* Set those of images alone. */
void layout_image_show(struct layout_fields *view, ompd_cl_memobj_info_t *info);

/* Set the references of ITEM, which VIEW is of, and its state. The runtime's count is a fact. How
 * many of these references the program holds is presumed: an object that was not found may hold
 * some. */
void layout_fields_get_references(struct layout_fields *view, const struct inventory_item *item,
                                  ompd_cl_value_t *of_runtime, ompd_cl_value_t *references,
                                  ompd_cl_value_t *state);

/* What the layout of ITEM's runtime says of its kind. */
static inline const struct layout_object *layout_object_of(const struct address_space *space,
                                                           const struct inventory_item *item)
{
    return &space->layout->runtimes.all[item->runtime].layout->objects[item->kind];
}

/* Begin INFO of KIND: nothing is known but that a layout would know. */
void layout_row_begin(struct address_space *space, uint32_t kind, void *info);

/* Set the confidence and the doubt of a row to those of ITEM. */
void layout_row_apply_confidence(const struct inventory_item *item, ompd_cl_value_t *confidence,
                                 ompd_cl_value_t *doubt);

/* ---- layout-elements ------------------------------------------------------------------------- */

/* From what the lists of an object hold, as a layout shows them, to info structs. */

/* Begin to walk LIST of ITEM.  Returns as container_begin. */
ompd_rc_t layout_list_begin(struct address_space *space, const struct inventory_item *item,
                            enum layout_list list, struct container *container);

/* Set *VALUE to how many rows LIST of ITEM, which VIEW is of, has. */
void layout_count(struct layout_fields *view, const struct inventory_item *item,
                  enum layout_list list, ompd_cl_value_t *value);

/*
 * Fill INFO, a row of LIST (layout_destructors: ompd_cl_destructor_info_t; layout_svm:
 * ompd_cl_svm_info_t) but for its struct_size, from ELEMENT of ITEM's list.  *IS_ROW gets false for
 * a callback that has run.  Returns as layout_row_fill.
 */
ompd_rc_t layout_element_fill(struct address_space *space, enum layout_list list,
                              const struct inventory_item *item,
                              const struct container_element *element, void *info, bool *is_row);

/* ---- layout-memory-rows ---------------------------------------------------------------------- */

/* Memory objects and SVM-free commands, as a layout shows them. */

/* Fill INFO, which layout_row_begin has begun, from ITEM, which VIEW is of. */
void layout_memobj_fill(struct layout_fields *view, const struct inventory_item *item,
                        ompd_cl_memobj_info_t *info);

/* Set what the recorder does not observe. */

/* Tell, of memory object ITEM, what the overview adds up: *SIZE gets its bytes, 0 when they are
 * counted elsewhere; *IS_RELEASED whether the program's references are gone.  Returns as
 * layout_row_fill. */
ompd_rc_t layout_memobj_measure(struct address_space *space, const struct inventory_item *item,
                                ompd_cl_value_t *size, bool *is_released);

/* Fill INFO, which layout_row_begin has begun, from event ITEM, which VIEW is of and whose
 * execution status is STATUS. */
void layout_svm_free_fill(struct layout_fields *view, const struct inventory_item *item,
                          const ompd_cl_value_t *status, ompd_cl_svm_free_info_t *info);

/* Of the extents of INFO, whose kind is set, leave what such an image has: what it has not is
 * whatever the runtime left there, and what is not known of the kind is not of them. */
void layout_image_complete(ompd_cl_memobj_info_t *info);

/* ---- layout-program-rows --------------------------------------------------------------------- */

/* Events, kernels, programs and samplers, as a layout shows them. */

/* Set how far the event of INFO has come to what the runtime says (OpenCL 3.0 section 5.11): its
 * numbers fall from CL_QUEUED, 3, to CL_COMPLETE, 0; an error is below that, in 32 bits. */
void layout_event_set_execution(struct layout_fields *view, ompd_cl_event_info_t *info);

/* Fill INFO, which layout_row_begin has begun, from ITEM, which VIEW is of. */
void layout_event_fill(struct layout_fields *view, const struct inventory_item *item,
                       ompd_cl_event_info_t *info);
void layout_kernel_fill(struct layout_fields *view, const struct inventory_item *item,
                        ompd_cl_kernel_info_t *info);
void layout_program_fill(struct layout_fields *view, const struct inventory_item *item,
                         ompd_cl_program_info_t *info);
void layout_sampler_fill(struct layout_fields *view, const struct inventory_item *item,
                         ompd_cl_sampler_info_t *info);

/* ---- layout-rows ----------------------------------------------------------------------------- */

/* From an object that a layout has found to an info struct. */

/*
 * Fill INFO of KIND (platform, or one that has ids but svm and thread) but for its struct_size from
 * ITEM.  *IS_ROW gets false when ITEM is none of that kind: an event that is not of an SVM-free
 * command that is still to be done.  Returns ompd_rc_ok; ompd_rc_incomplete when a field could not
 * be read; ompd_rc_nomem.
 */
ompd_rc_t layout_row_fill(struct address_space *space, uint32_t kind,
                          const struct inventory_item *item, void *info, bool *is_row);

/* The kinds of objects (bits 1 << enum layout_kind) that rows of KIND come from, 0 for none. */
uint32_t layout_row_objects(uint32_t kind);

/* ---- svm-pending ----------------------------------------------------------------------------- */

/* What is about to be freed, as layouts show the SVM-free commands that are still to be done. */

/* Tell in *IS_PENDING whether such a command names the SVM allocation at POINTER.  Returns
 * ompd_rc_ok; ompd_rc_unavailable when that is not known; ompd_rc_incomplete when some memory could
 * not be read, which `failure` of the target says why; ompd_rc_nomem. */
ompd_rc_t svm_pending_find(struct address_space *space, uint64_t pointer, bool *is_pending);

/* Tell in *COUNT how many the queue of ITEM has.  Returns ompd_rc_ok; ompd_rc_unavailable when its
 * layout does not tell, or more queues have some than are kept; ompd_rc_incomplete when one could
 * not be read, as above; ompd_rc_nomem. */
ompd_rc_t svm_pending_count(struct address_space *space, const struct inventory_item *item,
                            uint64_t *count);

/* Tell whether the event of VIEW is of an SVM-free command that is still to be done; its
 * execution status is in *STATUS then. */
bool layout_svm_free_is_pending(struct layout_fields *view, ompd_cl_value_t *status);

/* Tell whether event ITEM is of an SVM-free command that is still to be done.  Returns
 * ompd_rc_ok; ompd_rc_incomplete when that cannot be read; ompd_rc_nomem. */
ompd_rc_t layout_svm_free_is_shown(struct address_space *space, const struct inventory_item *item,
                                   bool *is_shown);

/* ---- coverage -------------------------------------------------------------------------------- */

/* What the layouts of a target's runtimes tell of.  What none tells of is not known: that nothing
 * of it was found says nothing. */

/* What a layout may tell, or not. */
enum coverage_part {
    coverage_contexts,
    coverage_queues,
    coverage_buffers,
    coverage_images,
    coverage_sizes,
    coverage_references,
    coverage_svms,
    coverage_svm_sizes,
    coverage_svm_frees,
    coverage_memobj_destructors,
    coverage_context_destructors,
    coverage_programs,
    coverage_kernels,
    coverage_samplers,
    coverage_events,
    coverage_platforms,
    COVERAGE_COUNT
};

#define COVERAGE(part) (UINT32_C(1) << coverage_##part)
#define COVERAGE_MEMOBJS (COVERAGE(buffers) | COVERAGE(images))
#define COVERAGE_DESTRUCTORS (COVERAGE(memobj_destructors) | COVERAGE(context_destructors))

/* How much is told of something, by all runtimes that may have it. */
enum coverage_extent { coverage_wholly, coverage_in_part, coverage_nowhere };

/* Tell how much the layouts tell of PARTS, bits of COVERAGE, at the inventory's stop. */
enum coverage_extent coverage_extent(const struct address_space *space, uint32_t parts);

/* Tell whether of one of PARTS a layout says that the runtime has none: it said so where the layout
 * was learned, of the devices that were there. */
bool coverage_presumes_none(const struct address_space *space, uint32_t parts);

/* The bits of PARTS that the runtime at INDEX may have, and its layout does not tell. */
uint32_t coverage_missing(const struct address_space *space, uint32_t index, uint32_t parts);

/* What PART is called. */
const char *coverage_noun(enum coverage_part part);

/* ---- item-source ----------------------------------------------------------------------------- */

/* Which source shows an object that layouts have found. */

/* Tell whether it is known how ITEM keeps its fields: a layout may have gone since it was found. */
static inline bool inventory_has_layout(const struct address_space *space,
                                        const struct inventory_item *item)
{
    return item->runtime < space->layout->runtimes.count &&
           space->layout->runtimes.all[item->runtime].layout != NULL;
}

/* Tell whether the recorder has ITEM, which may be NULL, and shows it. */
static inline bool inventory_is_recorded(const struct address_space *space,
                                         const struct inventory_item *item)
{
    return item != NULL && (item->marks & inventory_recorded) != 0 &&
           address_space_has_recorder(space);
}

/* Tell whether ITEM is a copy of an object, or part of one: it may be, and the recorder, which has
 * seen all objects of its runtime, has none there. */
static inline bool inventory_is_copy(const struct address_space *space,
                                     const struct inventory_item *item)
{
    bool may_be_copy = item->doubt == ompd_cl_doubt_same_number ||
                       item->doubt == ompd_cl_doubt_over_counted ||
                       item->doubt == ompd_cl_doubt_twin || item->doubt == ompd_cl_doubt_place;

    return may_be_copy && (item->marks & inventory_recorded) == 0 &&
           address_space_has_recorder(space) &&
           (space->layout->recorded_runtimes >> item->runtime & 1) != 0;
}

/* Tell whether rows of SPACE come from ITEM: it is the program's, and not the recorder's to show.
 */
static inline bool inventory_is_shown(const struct address_space *space,
                                      const struct inventory_item *item)
{
    return (item->marks & inventory_internal) == 0 && !inventory_is_recorded(space, item) &&
           !inventory_is_copy(space, item) && inventory_has_layout(space, item);
}

#endif
