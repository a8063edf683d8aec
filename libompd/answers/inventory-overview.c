/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The overview of objects that layouts show. */
#include "answers/answers.h"

#include <string.h>

/* The counts. */
enum count {
    count_contexts,
    count_queues,
    count_memobjs,
    count_memobj_bytes,
    count_released,
    count_svms,
    count_svm_bytes,
    count_svm_frees,
    count_destructors,
    count_programs,
    count_kernels,
    count_samplers,
    count_events,
    COUNT_COUNT
};

static const uint16_t members[COUNT_COUNT] = {
#define MEMBER(member) offsetof(ompd_cl_overview_info_t, member)
    [count_contexts] = MEMBER(contexts),
    [count_queues] = MEMBER(queues),
    [count_memobjs] = MEMBER(memory_objects),
    [count_memobj_bytes] = MEMBER(memory_object_bytes),
    [count_released] = MEMBER(app_released),
    [count_svms] = MEMBER(svm_allocations),
    [count_svm_bytes] = MEMBER(svm_bytes),
    [count_svm_frees] = MEMBER(svm_frees),
    [count_destructors] = MEMBER(destructors_registered),
    [count_programs] = MEMBER(programs),
    [count_kernels] = MEMBER(kernels),
    [count_samplers] = MEMBER(samplers),
    [count_events] = MEMBER(events),
};

/* The parts of layouts that each count needs. */
static const uint32_t parts[COUNT_COUNT] = {
    [count_contexts] = COVERAGE(contexts),
    [count_queues] = COVERAGE(queues),
    [count_memobjs] = COVERAGE_MEMOBJS,
    [count_memobj_bytes] = COVERAGE_MEMOBJS | COVERAGE(sizes),
    [count_released] = COVERAGE_MEMOBJS | COVERAGE(references),
    [count_svms] = COVERAGE(svms),
    [count_svm_bytes] = COVERAGE(svm_sizes),
    [count_svm_frees] = COVERAGE(svm_frees),
    [count_destructors] = COVERAGE_DESTRUCTORS,
    [count_programs] = COVERAGE(programs),
    [count_kernels] = COVERAGE(kernels),
    [count_samplers] = COVERAGE(samplers),
    [count_events] = COVERAGE(events),
};

/* The parts that any count needs; no count is of platforms. */
#define ALL_PARTS (((UINT32_C(1) << COVERAGE_COUNT) - 1) & ~COVERAGE(platforms))

struct tally {
    struct address_space *space;
    uint64_t counts[COUNT_COUNT];
    uint16_t statuses[COUNT_COUNT]; /* value, presumed, at_least, or unknown */
    bool is_given_up[COUNT_COUNT];  /* the search was abandoned */
    bool is_lost[COUNT_COUNT];      /* something that it needs could not be read */
    uint64_t list_views;            /* of the target, for lists that are not short */
    bool is_marked;                 /* no object that the recorder has counts again */
    ompd_rc_t rc;
};

/* A count misses something. */
static void miss_item(struct tally *tally, enum count count)
{
    if (tally->statuses[count] != ompd_cl_status_unknown)
        tally->statuses[count] = ompd_cl_status_at_least;
}

/* Uncertain objects make the count presumed. Doubtful ones do not count, apart from one of each
 * group of copies. */
static void add_count(struct tally *tally, enum count count, uint64_t number,
                      const struct inventory_item *item)
{
    bool is_doubtful = item->confidence == ompd_cl_confidence_doubtful;

    if (!is_doubtful || (item->marks & inventory_one_of) != 0)
        tally->counts[count] += number;
    else if ((item->marks & inventory_copy) == 0)
        miss_item(tally, count);
    if (tally->statuses[count] == ompd_cl_status_value &&
        item->confidence != ompd_cl_confidence_certain)
        tally->statuses[count] = ompd_cl_status_presumed;
}

/* Record RC from reading what two COUNTS need. */
static bool counts_were_read(struct tally *tally, ompd_rc_t rc, enum count one, enum count other)
{
    if (rc == ompd_rc_ok)
        return true;
    miss_item(tally, one);
    miss_item(tally, other);
    tally->is_lost[one] = tally->is_lost[other] = true;
    tally->rc = rc;
    return false;
}

/* The same for ITEM. A doubtful object does not make an answer incomplete. */
static bool value_was_read(struct tally *tally, const struct inventory_item *item, ompd_rc_t rc,
                           enum count one, enum count other)
{
    if (rc == ompd_rc_incomplete && item->confidence == ompd_cl_confidence_doubtful) {
        miss_item(tally, one);
        miss_item(tally, other);
        return false;
    }
    return counts_were_read(tally, rc, one, other);
}

static void add_destructor_counts(struct tally *tally, const struct inventory_item *item)
{
    struct layout_fields view;
    ompd_cl_value_t value;

    layout_fields_begin(&view, tally->space, layout_object_of(tally->space, item), item->handle);
    layout_count(&view, item, layout_destructors, &value);
    if ((item->marks & inventory_deferred) != 0) {
        miss_item(tally, count_destructors);
        return;
    }
    if (value.status == ompd_cl_status_presumed &&
        tally->statuses[count_destructors] == ompd_cl_status_value)
        tally->statuses[count_destructors] = ompd_cl_status_presumed;
    /* A running callback is no longer registered, but the known runtimes still have it in the list.
     */
    if ((item->marks & inventory_dying) != 0 && value.value != 0)
        value.value--;
    if (counts_were_read(tally, view.rc, count_destructors, count_destructors))
        add_count(tally, count_destructors, value.value, item);
}

static void count_memobj_item(struct tally *tally, const struct inventory_item *item)
{
    ompd_cl_value_t size;
    bool is_released;
    ompd_rc_t rc = layout_memobj_measure(tally->space, item, &size, &is_released);

    add_count(tally, count_memobjs, 1, item);
    if (!value_was_read(tally, item, rc, count_memobj_bytes, count_released))
        return;
    add_count(tally, count_memobj_bytes, size.value, item);
    if (size.status != ompd_cl_status_value &&
        tally->statuses[count_memobj_bytes] == ompd_cl_status_value)
        tally->statuses[count_memobj_bytes] = ompd_cl_status_presumed;
    add_count(tally, count_released, is_released, item);
}

/* The SVM allocations of OpenCL context ITEM. */
static void add_svm_counts(struct tally *tally, const struct inventory_item *item)
{
    struct container_element element;
    struct container container;
    ompd_cl_svm_info_t info;
    bool is_row;
    ompd_rc_t rc;

    rc = layout_list_begin(tally->space, item, layout_svm, &container);
    while (rc == ompd_rc_ok) {
        rc = container_next(&container, &tally->space->target, &element);
        if (rc != ompd_rc_ok || element.address == 0)
            break;
        rc = layout_element_fill(tally->space, layout_svm, item, &element, &info, &is_row);
        add_count(tally, count_svms, 1, item);
        add_count(tally, count_svm_bytes, info.size.value, item);
    }
    counts_were_read(tally, rc, count_svms, count_svm_bytes);
}

/* Lists with at most this many views are cheap compared with their objects, whose number is
 * bounded. */
#define SHORT_LIST_VIEWS 32

/* Stop counting lists once they have cost too much: VIEWS so far. */
static void bound_lists(struct tally *tally, uint64_t views)
{
    if (views > SHORT_LIST_VIEWS)
        tally->list_views += views;
    if (tally->list_views <= LIST_VIEW_LIMIT)
        return;
    tally->space->target.failure = ompd_cl_status_corrupt;
    counts_were_read(tally, ompd_rc_incomplete, count_destructors, count_svms);
    miss_item(tally, count_svm_bytes);
    tally->is_given_up[count_destructors] = true;
    tally->is_given_up[count_svms] = true;
}

/* Lists of doubtful objects are not read: they would not count, and may be nonsense. Nor are lists
 * after the limit was reached. */
static void count_lists(struct tally *tally, const struct inventory_item *item)
{
    const struct target *target = &tally->space->target;
    uint64_t before = target->views;

    if (item->confidence == ompd_cl_confidence_doubtful) {
        add_count(tally, count_destructors, 0, item);
        return;
    }
    if (!tally->is_given_up[count_destructors])
        add_destructor_counts(tally, item);
    if (item->kind == layout_context && !tally->is_given_up[count_svms])
        add_svm_counts(tally, item);
    bound_lists(tally, target->views - before);
}

/* The recorder has all events of the program in its queues; others are the runtime's own. Without
 * it, they cannot be distinguished. */
static void count_event(struct tally *tally, const struct inventory_item *item)
{
    struct address_space *space = tally->space;
    struct layout_fields view;
    ompd_cl_value_t queue;
    bool is_pending = false;
    ompd_rc_t rc;

    layout_fields_begin(&view, space, layout_object_of(space, item), item->handle);
    layout_fields_get(&view, layout_queue_of, &queue);
    if (address_space_has_recorder(space) &&
        !counts_were_read(tally, view.rc, count_events, count_svm_frees))
        return;
    if (inventory_is_recorded(space, inventory_find(&space->layout->inventory, queue.value)))
        return;
    add_count(tally, count_events, 1, item);
    rc = layout_svm_free_is_shown(space, item, &is_pending);
    if (value_was_read(tally, item, rc, count_svm_frees, count_svm_frees) && is_pending)
        add_count(tally, count_svm_frees, 1, item);
}

static void count_item(struct tally *tally, const struct inventory_item *item)
{
    switch (item->kind) {
    case layout_context:
        add_count(tally, count_contexts, 1, item);
        count_lists(tally, item);
        break;
    case layout_queue:
        add_count(tally, count_queues, 1, item);
        break;
    case layout_buffer:
    case layout_image:
    case layout_pipe:
        count_memobj_item(tally, item);
        count_lists(tally, item);
        break;
    case layout_event:
        count_event(tally, item);
        break;
    case layout_program:
        add_count(tally, count_programs, 1, item);
        break;
    case layout_kernel:
        add_count(tally, count_kernels, 1, item);
        break;
    case layout_sampler:
        add_count(tally, count_samplers, 1, item);
        break;
    default:
        break;
    }
}

/* The status of a count of 0: a fact, unless there is a runtime whose objects cannot be found,
 * unsearched memory, or a module that may be a runtime. */
static uint16_t first_status(const struct address_space *space)
{
    if (inventory_may_miss(&space->layout->inventory) || space->notes.has_lost_modules)
        return ompd_cl_status_at_least;
    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        if (space->layout->runtimes.all[i].layout == NULL ||
            runtime_is_of_kin(&space->layout->runtimes.all[i]))
            return ompd_cl_status_presumed;
    }
    return ompd_cl_status_value;
}

/* Begin all counts. */
static void begin_counts(struct tally *tally)
{
    const struct address_space *space = tally->space;
    uint16_t status = first_status(space);

    for (enum count i = 0; i < COUNT_COUNT; i++) {
        enum coverage_extent extent = coverage_extent(space, parts[i]);

        tally->statuses[i] = status;
        if (status == ompd_cl_status_value && coverage_presumes_none(space, parts[i]))
            tally->statuses[i] = ompd_cl_status_presumed;
        if (extent == coverage_in_part)
            miss_item(tally, i);
        if (extent == coverage_nowhere)
            tally->statuses[i] = ompd_cl_status_unknown;
    }
    if (tally->statuses[count_events] == ompd_cl_status_value)
        tally->statuses[count_events] = ompd_cl_status_presumed;
}

/* Set a count for a target without a recorder. */
static void copy_counts(uint64_t count, uint16_t status, ompd_cl_value_t *value)
{
    if (status == ompd_cl_status_unknown)
        layout_value_set_absent(value, status);
    else
        layout_value_set(value, count, status);
}

/* Add COUNT, which only layouts found, to the recorder's count. That stays a fact beside memory
 * presumed untouched. It becomes a lower bound where other memory was not searched, or some of
 * COUNT may be the recorder's. */
static void add_to_recorded(uint64_t count, bool is_whole, ompd_cl_value_t *value)
{
    bool is_fact = value->status == ompd_cl_status_value;

    if (value->value + count < count || value->status == ompd_cl_status_unknown)
        return;
    if (count != 0)
        layout_value_set(value, value->value + count,
                         is_fact ? ompd_cl_status_presumed : value->status);
    if (!is_whole)
        value->status = ompd_cl_status_at_least;
}

/* Set the counts, or add them to those of the recorder. */
static void finish_counts(const struct tally *tally, ompd_cl_overview_info_t *info)
{
    bool has_recorder = address_space_has_recorder(tally->space);
    bool is_whole = inventory_is_whole(&tally->space->layout->inventory) && tally->is_marked;

    for (enum count i = 0; i < COUNT_COUNT; i++) {
        ompd_cl_value_t *value = (ompd_cl_value_t *)(void *)((char *)info + members[i]);

        if (has_recorder)
            add_to_recorded(tally->is_marked ? tally->counts[i] : 0, is_whole && !tally->is_lost[i],
                            value);
        else
            copy_counts(tally->counts[i], tally->statuses[i], value);
    }
}

static void note_search(const struct inventory *inventory, ompd_cl_overview_info_t *info)
{
    layout_value_set(&info->untouched_bytes, inventory->untouched.bytes, ompd_cl_status_value);
    layout_value_set(&info->unsaved_bytes, inventory->missing.unsaved, ompd_cl_status_value);
    layout_value_set(&info->unreadable_bytes,
                     inventory->missing.unreadable + inventory->missing.unsearched,
                     ompd_cl_status_value);
}

void inventory_overview_begin(struct address_space *space, ompd_cl_overview_info_t *info)
{
    layout_row_begin(space, ompd_cl_kind_overview, info);
    layout_value_set_absent(&info->recorder_major, ompd_cl_status_not_applicable);
    layout_value_set_absent(&info->recorder_minor, ompd_cl_status_not_applicable);
    layout_value_set_absent(&info->unknown_handles, ompd_cl_status_not_applicable);
    layout_value_set_absent(&info->not_recorded, ompd_cl_status_not_applicable);
    layout_value_set_absent(&info->loaders_refused, ompd_cl_status_not_applicable);
    layout_value_set_absent(&info->stack_depth, ompd_cl_status_not_applicable);
    layout_value_set_absent(&info->tracks_completion, ompd_cl_status_not_applicable);
    layout_value_set_absent(&info->is_thorough, ompd_cl_status_not_applicable);
    layout_value_set_absent(&info->last_order, ompd_cl_status_not_applicable);
    layout_value_set_absent(&info->identity, ompd_cl_status_not_applicable);
}

/* The recorder's counts are lower bounds, because memory was not searched. */
static ompd_rc_t leave_search_out(struct address_space *space, ompd_cl_overview_info_t *info)
{
    for (enum count i = 0; i < COUNT_COUNT; i++)
        add_to_recorded(0, false, (ompd_cl_value_t *)(void *)((char *)info + members[i]));
    return address_space_fail(space, ompd_rc_incomplete, SOURCES_LACK_MEMORY);
}

ompd_rc_t inventory_overview_add(struct address_space *space, ompd_cl_overview_info_t *info)
{
    struct tally tally = {.space = space, .rc = ompd_rc_ok};
    struct inventory_cursor cursor;
    const struct inventory_item *item;
    ompd_rc_t rc;

    rc = sources_take_inventory(space);
    if (rc == ompd_rc_ok)
        rc = sources_mark_recorded(space, UINT32_MAX);
    if (rc == ompd_rc_nomem && sources_lack_memory(space))
        return leave_search_out(space, info);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    if (space->layout->inventory.stop != space->target.stop)
        return rc;
    tally.is_marked = rc == ompd_rc_ok;
    begin_counts(&tally);
    if (notes_record(space, ALL_PARTS) || rc == ompd_rc_incomplete)
        tally.rc = ompd_rc_incomplete;
    read_ahead_begin(&space->target);
    inventory_begin(&space->layout->inventory, &cursor);
    while (!rc_is_final(tally.rc) && (item = inventory_next(&cursor, UINT32_MAX)) != NULL) {
        if (inventory_is_shown(space, item))
            count_item(&tally, item);
    }
    read_ahead_end(&space->target);
    finish_counts(&tally, info);
    note_search(&space->layout->inventory, info);
    return tally.rc;
}
