/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See diff-places.h. */
#include <view/verbs/diff-places.h>

#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

const ompd_cl_kind_t view_diff_kinds[VIEW_DIFF_KINDS] = {
    ompd_cl_kind_memobj,        ompd_cl_kind_svm,          ompd_cl_kind_context,
    ompd_cl_kind_queue,         ompd_cl_kind_event,        ompd_cl_kind_kernel,
    ompd_cl_kind_program,       ompd_cl_kind_sampler,      ompd_cl_kind_command_buffer,
    ompd_cl_kind_semaphore,     ompd_cl_kind_command,      ompd_cl_kind_svm_free,
    ompd_cl_kind_embree_device, ompd_cl_kind_embree_scene, ompd_cl_kind_embree_geometry,
    ompd_cl_kind_embree_buffer};

static int diff_place_numbers_compare(uint64_t one, uint64_t other)
{
    return one < other ? -1 : one > other;
}

void view_diff_add(struct view_diff *diff, enum view_diff_side side,
                   const struct view_diff_object *object)
{
    struct view_diff_objects *objects = &diff->objects[side];

    objects->all = heap_grow(objects->all, objects->count, sizeof(objects->all[0]));
    objects->all[objects->count++] = *object;
}

/* ---- Places ---------------------------------------------------------------------------------- */

static int compare_calls(const void *left, const void *right)
{
    const struct view_diff_object *one = left;
    const struct view_diff_object *other = right;
    int difference = diff_place_numbers_compare(one->kind, other->kind);

    if (difference == 0)
        difference = diff_place_numbers_compare(one->stack, other->stack);
    return difference != 0 ? difference : diff_place_numbers_compare(one->caller, other->caller);
}

static uint32_t diff_place_place_add(struct view_diff *diff, uint32_t kind, char *calls)
{
    diff->places = heap_grow(diff->places, diff->count, sizeof(diff->places[0]));
    diff->places[diff->count] = (struct view_diff_place){.kind = kind, .calls = calls};
    return (uint32_t)diff->count++;
}

void view_diff_find_places(struct view_diff *diff, enum view_diff_side side,
                           char *(*calls)(void *user_ptr, const struct view_diff_object *object),
                           void *user_ptr)
{
    struct view_diff_objects *objects = &diff->objects[side];

    if (objects->count == 0)
        return;
    qsort(objects->all, objects->count, sizeof(objects->all[0]), compare_calls);
    for (size_t i = 0; i < objects->count; i++) {
        struct view_diff_object *object = &objects->all[i];

        object->place = i != 0 && compare_calls(object - 1, object) == 0
                            ? object[-1].place
                            : diff_place_place_add(diff, object->kind, calls(user_ptr, object));
    }
}

uint64_t view_diff_depth(const struct view_diff *diff)
{
    uint64_t before = diff->facts[view_diff_before].depth;
    uint64_t after = diff->facts[view_diff_after].depth;

    return before < after ? before : after;
}

/* Copy the first DEPTH lines of CALLS. */
static void cut_calls(char *calls, uint64_t depth)
{
    while (depth-- != 0 && *calls != '\0')
        calls += strcspn(calls, "\n") + 1;
    *calls = '\0';
}

/* A place, and its index among all. */
struct numbered {
    struct view_diff_place place;
    size_t index;
};

static int diff_place_texts_compare(const void *left, const void *right)
{
    const struct numbered *one = left;
    const struct numbered *other = right;
    int difference = diff_place_numbers_compare(one->place.kind, other->place.kind);

    return difference != 0 ? difference : strcmp(one->place.calls, other->place.calls);
}

static struct numbered *sorted_by_text(struct view_diff *diff)
{
    uint64_t depth = view_diff_depth(diff);
    struct numbered *sorted = heap_get(diff->count * sizeof(sorted[0]));

    for (size_t i = 0; i < diff->count; i++) {
        cut_calls(diff->places[i].calls, depth);
        sorted[i] = (struct numbered){.place = diff->places[i], .index = i};
    }
    qsort(sorted, diff->count, sizeof(sorted[0]), diff_place_texts_compare);
    return sorted;
}

/* Merge the places of one kind whose calls have the same text. */
static void join_places(struct view_diff *diff)
{
    struct numbered *sorted;
    uint32_t *joined;
    size_t count = 0;

    if (diff->count == 0)
        return;
    sorted = sorted_by_text(diff);
    joined = heap_get(diff->count * sizeof(joined[0]));
    for (size_t i = 0; i < diff->count; i++) {
        if (i != 0 && diff_place_texts_compare(&sorted[i - 1], &sorted[i]) == 0) {
            heap_free(sorted[i - 1].place.calls);
            count--;
        }
        joined[sorted[i].index] = (uint32_t)count;
        diff->places[count++] = sorted[i].place;
    }
    diff->count = count;
    for (size_t side = 0; side < VIEW_DIFF_SIDES; side++)
        for (size_t i = 0; i < diff->objects[side].count; i++)
            diff->objects[side].all[i].place = joined[diff->objects[side].all[i].place];
    heap_free(joined);
    heap_free(sorted);
}

/* ---- Objects --------------------------------------------------------------------------------- */

static void count_one(struct view_diff_count *count, const struct view_diff_object *object)
{
    count->count++;
    count->bytes += object->bytes;
    count->lacks_bytes |= object->lacks_bytes;
}

static struct view_diff_place *diff_place_place(const struct view_diff *diff,
                                                const struct view_diff_object *object)
{
    return &diff->places[object->place];
}

static void count_in(struct view_diff *diff, enum view_diff_side side,
                     const struct view_diff_object *object)
{
    count_one(&diff_place_place(diff, object)->sides[side], object);
}

/* OBJECT exists only in the second snapshot. */
static void count_new(struct view_diff *diff, const struct view_diff_object *object)
{
    const struct view_diff_facts *before = &diff->facts[view_diff_before];

    count_in(diff, view_diff_after, object);
    if (!diff->is_one_process || object->order == 0)
        return;
    /* It existed in the first snapshot, in memory that could not be read. */
    if (object->order <= before->last_order && !before->is_whole[object->kind])
        count_in(diff, view_diff_before, object);
    else
        count_one(&diff_place_place(diff, object)->made, object);
}

/* OBJECT exists only in the first snapshot. */
static void count_old(struct view_diff *diff, const struct view_diff_object *object)
{
    count_in(diff, view_diff_before, object);
    if (diff->is_one_process && object->order != 0 &&
        diff->facts[view_diff_after].is_whole[object->kind])
        count_one(&diff_place_place(diff, object)->destroyed, object);
}

static int compare_orders(const void *left, const void *right)
{
    const struct view_diff_object *one = left;
    const struct view_diff_object *other = right;
    int difference = diff_place_numbers_compare(one->kind, other->kind);

    return difference != 0 ? difference : diff_place_numbers_compare(one->order, other->order);
}

/* Which of two objects, the next of both snapshots, comes first; 0 if they are the same object. */
static int compare_next(const struct view_diff *diff, const size_t *next)
{
    const struct view_diff_objects *before = &diff->objects[view_diff_before];
    const struct view_diff_objects *after = &diff->objects[view_diff_after];
    int difference;

    if (next[view_diff_before] == before->count)
        return 1;
    if (next[view_diff_after] == after->count)
        return -1;
    difference =
        compare_orders(&before->all[next[view_diff_before]], &after->all[next[view_diff_after]]);
    if (difference == 0 &&
        (!diff->is_one_process || before->all[next[view_diff_before]].order == 0))
        return -1;
    return difference;
}

/* Walk the objects of both snapshots together. */
static void count_all(struct view_diff *diff)
{
    size_t next[VIEW_DIFF_SIDES] = {0};

    for (size_t side = 0; side < VIEW_DIFF_SIDES; side++)
        if (diff->objects[side].count != 0)
            qsort(diff->objects[side].all, diff->objects[side].count,
                  sizeof(struct view_diff_object), compare_orders);
    while (next[view_diff_before] != diff->objects[view_diff_before].count ||
           next[view_diff_after] != diff->objects[view_diff_after].count) {
        int order = compare_next(diff, next);
        const struct view_diff_object *after =
            diff->objects[view_diff_after].all + next[view_diff_after];

        if (order < 0) {
            count_old(diff, &diff->objects[view_diff_before].all[next[view_diff_before]]);
        } else if (order > 0) {
            count_new(diff, after);
        } else {
            /* The later snapshot names the place of an object in both. */
            count_in(diff, view_diff_before, after);
            count_in(diff, view_diff_after, after);
        }
        next[view_diff_before] += order <= 0;
        next[view_diff_after] += order >= 0;
    }
}

bool view_diff_is_compared(const struct view_diff *diff, size_t kind)
{
    return diff->facts[view_diff_before].is_told[kind] &&
           diff->facts[view_diff_after].is_told[kind];
}

/* Drop the objects of kinds that are not compared. */
static void drop_untold(struct view_diff *diff)
{
    for (size_t side = 0; side < VIEW_DIFF_SIDES; side++) {
        struct view_diff_objects *objects = &diff->objects[side];
        size_t kept = 0;

        for (size_t i = 0; i < objects->count; i++)
            if (view_diff_is_compared(diff, objects->all[i].kind))
                objects->all[kept++] = objects->all[i];
        objects->count = kept;
    }
}

bool view_diff_has_bytes(const struct view_diff_place *place)
{
    ompd_cl_kind_t kind = view_diff_kinds[place->kind];

    return kind == ompd_cl_kind_memobj || kind == ompd_cl_kind_svm ||
           kind == ompd_cl_kind_embree_device || kind == ompd_cl_kind_embree_buffer;
}

static int compare_plain_orders(const void *left, const void *right)
{
    const uint64_t *one = left;
    const uint64_t *other = right;

    return diff_place_numbers_compare(*one, *other);
}

bool view_diff_is_reversed(const struct view_diff *diff)
{
    const struct view_diff_facts *before = &diff->facts[view_diff_before];
    const struct view_diff_objects *after = &diff->objects[view_diff_after];

    if (!diff->is_one_process)
        return false;
    if (before->last_order > diff->facts[view_diff_after].last_order)
        return true;
    if (before->destroyed_count == 0)
        return false;
    qsort(before->destroyed, before->destroyed_count, sizeof(before->destroyed[0]),
          compare_plain_orders);
    for (size_t i = 0; i < after->count; i++)
        if (after->all[i].order != 0 &&
            bsearch(&after->all[i].order, before->destroyed, before->destroyed_count,
                    sizeof(before->destroyed[0]), compare_plain_orders) != NULL)
            return true;
    return false;
}

/* ---- Order ----------------------------------------------------------------------------------- */

static bool has_change(const struct view_diff_place *place)
{
    const struct view_diff_count *before = &place->sides[view_diff_before];
    const struct view_diff_count *after = &place->sides[view_diff_after];

    return before->count != after->count || before->bytes != after->bytes ||
           place->made.count != 0 || place->destroyed.count != 0;
}

/* Compare the growth of two places: negative if the first is larger. */
static int compare_growth(uint64_t one_before, uint64_t one_after, uint64_t other_before,
                          uint64_t other_after)
{
    int64_t one = (int64_t)(one_after - one_before);
    int64_t other = (int64_t)(other_after - other_before);

    return one > other ? -1 : one < other;
}

static int compare_changes(const void *left, const void *right)
{
    const struct view_diff_place *one = left;
    const struct view_diff_place *other = right;
    int difference = (int)has_change(other) - (int)has_change(one);

    if (difference == 0)
        difference = compare_growth(one->sides[0].bytes, one->sides[1].bytes, other->sides[0].bytes,
                                    other->sides[1].bytes);
    if (difference == 0)
        difference = compare_growth(one->sides[0].count, one->sides[1].count, other->sides[0].count,
                                    other->sides[1].count);
    if (difference == 0)
        difference = diff_place_numbers_compare(one->kind, other->kind);
    return difference != 0 ? difference : strcmp(one->calls, other->calls);
}

static void diff_place_count_add(struct view_diff_count *sum, const struct view_diff_count *count)
{
    sum->count += count->count;
    sum->bytes += count->bytes;
    sum->lacks_bytes |= count->lacks_bytes;
}

static void diff_place_totals_add(struct view_diff *diff)
{
    for (uint32_t kind = 0; kind < VIEW_DIFF_KINDS; kind++)
        diff->totals[kind].kind = kind;
    for (size_t i = 0; i < diff->count; i++) {
        const struct view_diff_place *place = &diff->places[i];
        struct view_diff_place *total = &diff->totals[place->kind];

        for (size_t side = 0; side < VIEW_DIFF_SIDES; side++)
            diff_place_count_add(&total->sides[side], &place->sides[side]);
        diff_place_count_add(&total->made, &place->made);
        diff_place_count_add(&total->destroyed, &place->destroyed);
    }
}

void view_diff_settle(struct view_diff *diff)
{
    drop_untold(diff);
    join_places(diff);
    count_all(diff);
    if (diff->count != 0)
        qsort(diff->places, diff->count, sizeof(diff->places[0]), compare_changes);
    while (diff->changed < diff->count && has_change(&diff->places[diff->changed]))
        diff->changed++;
    diff_place_totals_add(diff);
}

void view_diff_free(struct view_diff *diff)
{
    for (size_t i = 0; i < diff->count; i++)
        heap_free(diff->places[i].calls);
    heap_free(diff->places);
    for (size_t side = 0; side < VIEW_DIFF_SIDES; side++) {
        heap_free(diff->objects[side].all);
        heap_free(diff->facts[side].destroyed);
    }
    *diff = (struct view_diff){0};
}
