/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts as a source: rows from layouts, and their state. */
#ifndef LIBOMPD_LAYOUT_SOURCE_H
#define LIBOMPD_LAYOUT_SOURCE_H

#include "kinds/kinds.h"
#include "sources/address-space.h"
#include "sources/layout/discovery.h"

#include <ompd-opencl.h>
#include <stddef.h>

/* ---- layout-completion ----------------------------------------------------------------------- */

/* Completes rows of the recorder by layouts. */

/* The handle in INFO of KIND, whose objects have references; *FOUND is set to its layout kind. */
uint64_t layout_row_name(uint32_t kind, const union row *info, enum layout_kind *found);

/* Complete INFO of KIND, a row of the recorder, with what only the runtime knows. Returns as
 * layout_row_fill does. */
ompd_rc_t layout_row_complete(struct address_space *space, uint32_t kind, void *info);

/* ---- pending-frees --------------------------------------------------------------------------- */

/* Pending SVM frees at one stop: see svm-pending. */

/* The number of stored pointers that SVM-free commands will free, and of queues with such
 * commands. */
#define SVM_PENDING_LIMIT 256
#define SVM_QUEUE_LIMIT 64

/* The number of stored SVM-free commands that have started. Each occupies a thread. */
#define SVM_BEGUN_LIMIT 64

struct svm_queue {
    uint64_t handle;
    uint32_t runtime; /* index */
    uint32_t count;   /* of its commands */
    bool is_presumed; /* some may be complete */
};

/* The pointers and queues of the pending SVM-free commands. */
struct svm_pending {
    uint64_t stop; /* the target's that it is of */
    uint32_t count;
    ompd_rc_t rest;   /* ompd_rc_ok: there are no others; else why that is unknown */
    uint16_t failure; /* ompd_cl_status_t, when there may be others in unreadable memory */
    uint64_t pointers[SVM_PENDING_LIMIT];
    uint16_t
        unread[RUNTIME_LIMIT]; /* by runtime, why an event could not be read; 0: all were read */
    bool has_more_queues;
    uint32_t queue_count;
    struct svm_queue queues[SVM_QUEUE_LIMIT];
};

/* The same for the recorder's commands, by queue only. */
struct svm_recorded {
    uint64_t stop;    /* the target's that it is of, */
    uint32_t sources; /* the sources that the tool wanted */
    ompd_rc_t rc;     /* ompd_rc_ok: all were read */
    uint16_t failure; /* ompd_cl_status_t: why some were not read */
    bool has_gaps;    /* unread memory may show that presumed ones are destroyed */
    bool has_more_queues;
    uint32_t queue_count;
    struct svm_queue queues[SVM_QUEUE_LIMIT]; /* without their `runtime` */
};

/* An SVM-free command that has started or failed, according to its own record. */
struct svm_begun_command {
    uint64_t queue;  /* cl handle */
    uint32_t number; /* its number in the queue */
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

/* The state of the layouts of one process: its runtimes, and the objects found. */

/* The initial contents of the rows of one kind. */
struct layout_blank {
    uint32_t kind; /* 0: none yet */
    uint32_t size;
    union row row;
};

struct embree_source;

struct layout_source {
    struct runtimes runtimes;
    struct layout *kin[RUNTIME_LIMIT]; /* by runtime, the layout of another build; NULL: none yet */
    struct inventory inventory;
    uint64_t released_stop;  /* the target's stop when destroyed objects were marked */
    uint64_t limited_stop;   /* the target's stop when a search exceeded the memory limit, */
    size_t limit;            /* and that limit, in bytes */
    uint64_t acquitted_stop; /* the target's stop when the recorder was asked about misfits */
    uint64_t marked_stop;    /* the target's stop when the objects of `marked_kinds` were marked */
    uint32_t marked_kinds;   /* bits 1 << enum layout_kind */
    uint32_t unmarked_kinds; /* some of which could not be marked */
    uint64_t unmarked;       /* at most this many */
    uint64_t unfound;        /* live objects of those kinds that layouts have not found */
    uint32_t recorded_runtimes; /* bits 1 << index of runtimes of which the recorder has seen all
                                   objects */
    struct svm_pending svm_pending;
    struct svm_recorded svm_recorded;
    struct layout_blank blank;
    struct embree_source *embree; /* NULL until it is needed */
};

/* ---- kin ------------------------------------------------------------------------------------- */

/* Runtimes that no layout matches, and that a layout of another build of the same runtime
 * describes. All that it shows is presumed. */

/*
 * For each runtime of SPACE without a layout, try those of other builds on its objects, once a
 * stop. The first one that nothing contradicts becomes the runtime's layout; `kin` of the others
 * says why none did. There is nothing to gain where the recorder is a source, and nothing is done
 * once an inventory of this stop is in use. Returns ompd_rc_ok; ompd_rc_incomplete when the tool
 * cancelled the search; ompd_rc_nomem, ompd_rc_interrupted.
 */
ompd_rc_t kin_find(struct address_space *space);

/* Whether a runtime of SPACE is read by the layout of another build. */
bool kin_is_used(const struct address_space *space);

/* Mark what INFO of KIND, a row or a part of one from the layout of RUNTIME, says as presumed if
 * that is a layout of another build. */
void kin_row_presume(const struct runtime *runtime, uint32_t kind, void *info);

/* Why the layout of another build was not used: a clause; NULL if there is no reason. */
const char *kin_reason(const struct runtime *runtime);

/* ---- layout-fields --------------------------------------------------------------------------- */

/* Reads the fields of one object at the offsets in its layout. */

/* CL_COMMAND_SVM_FREE */
#define LAYOUT_COMMAND_SVM_FREE 0x1209

struct layout_fields {
    struct address_space *space;
    const struct layout_object *object;
    uint64_t handle;
    const uint8_t *bytes; /* at the handle, with all fields; NULL: not available */
    uint64_t views;       /* of the target at that time: later views invalidate the bytes */
    bool is_scattered;    /* the fields cannot be viewed at once */
    ompd_rc_t rc;         /* ompd_rc_incomplete or ompd_rc_nomem after a field was not available */
};

/* Begin to read the object at HANDLE, which OBJECT describes. */
void layout_fields_begin(struct layout_fields *view, struct address_space *space,
                         const struct layout_object *object, uint64_t handle);

/* Begin to read HANDLE, supposedly of KIND and, if IS_DYING, being destroyed. Returns ompd_rc_ok;
 * ompd_rc_unavailable when no runtime with a layout has such an object there;
 * ompd_rc_incomplete when that cannot be read; ompd_rc_nomem. */
ompd_rc_t layout_fields_find(struct layout_fields *view, struct address_space *space,
                             enum layout_kind kind, uint64_t handle, bool is_dying);

/* Set *HOLDS to whether the number of RULE is within its bounds. Returns ompd_rc_ok;
 * ompd_rc_incomplete when it cannot be read; ompd_rc_nomem. */
ompd_rc_t layout_fields_test(struct layout_fields *view, const struct layout_rule *rule,
                             bool *holds);

/* Set *VALUE from the result of location_read: RC, and NUMBER if RC is ompd_rc_ok. A failed read
 * sets *RESULT to ompd_rc_incomplete. */
void layout_value_read(struct address_space *space, ompd_cl_value_t *value, ompd_rc_t rc,
                       uint64_t number, ompd_rc_t *result);

/* Set *VALUE to FIELD of VIEW: a fact, unknown where the layout or the object lacks it, or the
 * reason why it could not be read. */
void layout_fields_get(struct layout_fields *view, enum layout_field field, ompd_cl_value_t *value);

/* Set the members of INFO of KIND that a layout shows in the same way, except those of images. */
void layout_fields_show(struct layout_fields *view, uint32_t kind, void *info);

/* Set the members that only images have. */
void layout_image_show(struct layout_fields *view, ompd_cl_memobj_info_t *info);

/* Set the references of ITEM, viewed by VIEW, and its state. The runtime's count is a fact. The
 * program's share of it is presumed, because an object that was not found may hold some. */
void layout_fields_get_references(struct layout_fields *view, const struct inventory_item *item,
                                  ompd_cl_value_t *of_runtime, ompd_cl_value_t *references,
                                  ompd_cl_value_t *state);

/* The layout of ITEM's kind in its runtime. */
static inline const struct layout_object *layout_object_of(const struct address_space *space,
                                                           const struct inventory_item *item)
{
    return &space->layout->runtimes.all[item->runtime].layout->objects[item->kind];
}

/* Begin INFO of KIND, with only what a layout source knows in advance. */
void layout_row_begin(struct address_space *space, uint32_t kind, void *info);

/* Set the confidence and the doubt of a row to those of ITEM. */
void layout_row_apply_confidence(const struct inventory_item *item, ompd_cl_value_t *confidence,
                                 ompd_cl_value_t *doubt);

/* ---- layout-elements ------------------------------------------------------------------------- */

/* Fills info structs from the lists of an object. */

/* Begin to walk LIST of ITEM. Returns as container_begin does. */
ompd_rc_t layout_list_begin(struct address_space *space, const struct inventory_item *item,
                            enum layout_list list, struct container *container);

/* Set *VALUE to the number of rows in LIST of ITEM, viewed by VIEW. */
void layout_count(struct layout_fields *view, const struct inventory_item *item,
                  enum layout_list list, ompd_cl_value_t *value);

/* Fill INFO except for its struct_size from ELEMENT of ITEM's list. INFO is a row of LIST
 * (layout_destructors: ompd_cl_destructor_info_t; layout_svm: ompd_cl_svm_info_t). *IS_ROW is false
 * for a callback that has run. Returns as layout_row_fill does. */
ompd_rc_t layout_element_fill(struct address_space *space, enum layout_list list,
                              const struct inventory_item *item,
                              const struct container_element *element, void *info, bool *is_row);

/* ---- layout-memory-rows ---------------------------------------------------------------------- */

/* Memory objects and SVM-free commands from layouts. */

/* Fill INFO, begun by layout_row_begin, from ITEM, viewed by VIEW. */
void layout_memobj_fill(struct layout_fields *view, const struct inventory_item *item,
                        ompd_cl_memobj_info_t *info);

/* Set the fields that only the recorder observes. */

/* Measure memory object ITEM for the overview. *SIZE is its number of bytes, 0 when they are
 * counted elsewhere; *IS_RELEASED is whether the program has no references. Returns as
 * layout_row_fill does. */
ompd_rc_t layout_memobj_measure(struct address_space *space, const struct inventory_item *item,
                                ompd_cl_value_t *size, bool *is_released);

/* Fill INFO, begun by layout_row_begin, from event ITEM, viewed by VIEW, with the execution status
 * STATUS. */
void layout_svm_free_fill(struct layout_fields *view, const struct inventory_item *item,
                          const ompd_cl_value_t *status, ompd_cl_svm_free_info_t *info);

/* Retain only the extents of INFO that such an image has. The runtime leaves arbitrary values in
 * the others. */
void layout_image_complete(ompd_cl_memobj_info_t *info);

/* ---- layout-program-rows --------------------------------------------------------------------- */

/* Events, kernels, programs and samplers from layouts. */

/* Set the execution of the event of INFO from the runtime's status (OpenCL 3.0 section 5.11): it
 * falls from CL_QUEUED, 3, to CL_COMPLETE, 0; an error is below that, in 32 bits. */
void layout_event_set_execution(struct layout_fields *view, ompd_cl_event_info_t *info);

/* Fill INFO, begun by layout_row_begin, from ITEM, viewed by VIEW. */
void layout_event_fill(struct layout_fields *view, const struct inventory_item *item,
                       ompd_cl_event_info_t *info);
void layout_kernel_fill(struct layout_fields *view, const struct inventory_item *item,
                        ompd_cl_kernel_info_t *info);
void layout_program_fill(struct layout_fields *view, const struct inventory_item *item,
                         ompd_cl_program_info_t *info);
void layout_sampler_fill(struct layout_fields *view, const struct inventory_item *item,
                         ompd_cl_sampler_info_t *info);

/* ---- layout-rows ----------------------------------------------------------------------------- */

/* Fills info structs from objects that a layout shows. */

/*
 * Fill INFO of KIND (platform, or a kind with ids other than svm and thread) except for its
 * struct_size from ITEM. *IS_ROW is false when ITEM is not of that kind, as an event of another
 * command than a pending SVM free. Returns ompd_rc_ok; ompd_rc_incomplete when a field could not be
 * read; ompd_rc_nomem.
 */
ompd_rc_t layout_row_fill(struct address_space *space, uint32_t kind,
                          const struct inventory_item *item, void *info, bool *is_row);

/* The kinds of objects (bits 1 << enum layout_kind) that provide rows of KIND; 0 for none. */
uint32_t layout_row_objects(uint32_t kind);

/* ---- svm-pending ----------------------------------------------------------------------------- */

/* Pending SVM frees: what layouts show of SVM-free commands that are not complete. */

/* Set *IS_PENDING to whether such a command names the SVM allocation at POINTER. Returns
 * ompd_rc_ok; ompd_rc_unavailable when that is unknown; ompd_rc_incomplete when some memory could
 * not be read, for the reason in `failure` of the target; ompd_rc_nomem. */
ompd_rc_t svm_pending_find(struct address_space *space, uint64_t pointer, bool *is_pending);

/* Set *COUNT to the number of such commands in the queue of ITEM. Returns ompd_rc_ok;
 * ompd_rc_unavailable when its layout does not show it, or more queues have some than are stored;
 * ompd_rc_incomplete when one could not be read, as above; ompd_rc_nomem. */
ompd_rc_t svm_pending_count(struct address_space *space, const struct inventory_item *item,
                            uint64_t *count);

/* Whether the event of VIEW belongs to a pending SVM-free command; if so, *STATUS is its execution
 * status. */
bool layout_svm_free_is_pending(struct layout_fields *view, ompd_cl_value_t *status);

/* Whether event ITEM belongs to a pending SVM-free command. Returns ompd_rc_ok; ompd_rc_incomplete
 * when that cannot be read; ompd_rc_nomem. */
ompd_rc_t layout_svm_free_is_shown(struct address_space *space, const struct inventory_item *item,
                                   bool *is_shown);

/* ---- coverage -------------------------------------------------------------------------------- */

/* The parts that the layouts of a target's runtimes cover. If no layout covers a part, the absence
 * of its objects proves nothing. */

/* What a layout may cover. */
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

/* How much of the part the runtimes that may have it cover. */
enum coverage_extent { coverage_wholly, coverage_in_part, coverage_nowhere };

/* How much the layouts cover of PARTS, bits of COVERAGE, at the inventory's stop. */
enum coverage_extent coverage_extent(const struct address_space *space, uint32_t parts);

/* Whether a layout says that the runtime has none of one of PARTS. That was true on the devices
 * where the layout was learned. */
bool coverage_presumes_none(const struct address_space *space, uint32_t parts);

/* The bits of PARTS that the runtime at INDEX may have and its layout does not cover. */
uint32_t coverage_missing(const struct address_space *space, uint32_t index, uint32_t parts);

/* The noun for PART. */
const char *coverage_noun(enum coverage_part part);

/* ---- item-source ----------------------------------------------------------------------------- */

/* Which source shows an object that layouts have found. */

/* Whether the layout of ITEM is known; it may have been removed since ITEM was found. */
static inline bool inventory_has_layout(const struct address_space *space,
                                        const struct inventory_item *item)
{
    return item->runtime < space->layout->runtimes.count &&
           space->layout->runtimes.all[item->runtime].layout != NULL;
}

/* Whether the recorder has ITEM, which may be NULL, and shows it. */
static inline bool inventory_is_recorded(const struct address_space *space,
                                         const struct inventory_item *item)
{
    return item != NULL && (item->marks & inventory_recorded) != 0 &&
           address_space_has_recorder(space);
}

/* Whether ITEM is a copy of an object, or of a part of one. It may be a copy by its contents, and
 * the recorder, which has seen all objects of its runtime, has no object there. */
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

/* Whether rows of SPACE come from ITEM: it belongs to the program, and the recorder does not show
 * it. */
static inline bool inventory_is_shown(const struct address_space *space,
                                      const struct inventory_item *item)
{
    return (item->marks & inventory_internal) == 0 && !inventory_is_recorded(space, item) &&
           !inventory_is_copy(space, item) && inventory_has_layout(space, item);
}

#endif
