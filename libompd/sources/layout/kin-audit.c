/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Whether a layout of another build agrees with the objects that it finds. One contradiction is
 * sufficient to drop it, and without enough objects nothing is concluded.
 */
#include "sources/layout/discovery.h"

#include "sources/layout/layout-source.h"

/* With fewer objects, or without an OpenCL context whose references are those of the objects found
 * and one of the program's, agreement may be chance. */
#define LEAST_OBJECTS 4
#define LEAST_KINDS 3

/* At most one of this many objects may be doubtful: a program may have copies of objects. */
#define OBJECTS_PER_DOUBT 8

/* The numbers and lists of at most this many objects are examined, and so many elements of a list:
 * law 6. */
#define MOST_EXAMINED 1024
#define MOST_ELEMENTS 64
#define MOST_VIEWS (UINT64_C(1) << 20) /* of the target, for all lists */

/* No object has more bytes than a process has addresses. */
#define MOST_BYTES (UINT64_C(1) << 47)

struct audit {
    struct discovery *discovery;
    uint8_t runtime; /* index */
    uint32_t objects;
    uint32_t doubtful;
    uint32_t kinds; /* bits 1 << enum layout_kind */
    uint32_t exact; /* OpenCL contexts whose references are all accounted for */
    uint32_t examined;
    uint64_t views;           /* of the target when it began */
    enum kin_verdict verdict; /* kin_holds as long as nothing contradicts */
    ompd_rc_t rc;
};

/* ---- Numbers --------------------------------------------------------------------------------- */

/* The values that a field can have, as signed numbers of 32 bits if `least` is negative. */
struct possible_values {
    uint8_t field; /* enum layout_field */
    int64_t least;
    uint64_t most;
};

static const struct possible_values possible_values[] = {
    {layout_size, 1, MOST_BYTES},
    {layout_flags, 0, UINT32_MAX},
    {layout_map_count, 0, UINT16_MAX},
    {layout_device_count, 1, UINT16_MAX},
    {layout_properties, 0, UINT32_MAX},
    {layout_status, -UINT16_MAX, 3}, /* CL_QUEUED */
    {layout_build_status, -3, 0},    /* CL_BUILD_IN_PROGRESS */
    {layout_width, 1, UINT32_MAX},
    {layout_row_pitch, 0, MOST_BYTES},
    {layout_slice_pitch, 0, MOST_BYTES},
    {layout_channel_order, 0x10b0, 0x10ff}, /* CL_R and others */
    {layout_channel_type, 0x10d0, 0x10ff},  /* CL_SNORM_INT8 and others */
};

static bool value_is_possible(const struct possible_values *possible, uint64_t value)
{
    if (possible->least < 0)
        return (int32_t)value >= possible->least && (int32_t)value <= (int64_t)possible->most;
    return value >= (uint64_t)possible->least && value <= possible->most;
}

/* Read FIELD of CANDIDATE; false where the object does not have it, or it cannot be read. */
static bool read_field(struct audit *audit, const struct candidate *candidate,
                       enum layout_field field, uint64_t *value)
{
    const struct layout_object *object = candidate_layout(audit->discovery, candidate);
    struct scan_hit hit = {.address = candidate->handle, .end = UINT64_MAX};

    return hit_read_field(audit->discovery->target, &hit, object, field, value);
}

static void check_values(struct audit *audit, const struct candidate *candidate)
{
    uint64_t value;

    for (size_t i = 0; i < sizeof(possible_values) / sizeof(possible_values[0]); i++) {
        const struct possible_values *possible = &possible_values[i];

        if (read_field(audit, candidate, (enum layout_field)possible->field, &value) &&
            !value_is_possible(possible, value))
            audit->verdict = kin_values;
    }
}

/* A sub-buffer is within its buffer. */
static void check_part(struct audit *audit, const struct candidate *candidate)
{
    const struct candidate *parent;
    uint64_t origin, size, whole;

    if (candidate->kind != layout_buffer || candidate->other_index == 0)
        return;
    parent = candidate_at(&audit->discovery->candidates, candidate->other_index - 1);
    if (read_field(audit, candidate, layout_origin, &origin) &&
        read_field(audit, candidate, layout_size, &size) &&
        read_field(audit, parent, layout_size, &whole) && (origin > whole || size > whole - origin))
        audit->verdict = kin_values;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

#define KIND(name) (1u << layout_##name)

/* The kinds of the objects in a list, and the element that names them; 0: it has no objects. */
struct list_contents {
    uint32_t kinds;
    enum layout_element element;
};

static const struct list_contents contents[LAYOUT_LIST_COUNT] = {
    [layout_events] = {KIND(event), layout_event_of},
    [layout_wait_list] = {KIND(event), layout_waited_for},
    [layout_memobjs] = {KIND(buffer) | KIND(image) | KIND(pipe), layout_memobj_of},
};

/* Whether an object of KINDS was found at HANDLE, or may be in memory that was not searched. */
static bool has_object(struct audit *audit, uint64_t handle, uint32_t kinds)
{
    const struct candidates *all = &audit->discovery->candidates;

    for (uint32_t i = candidates_find(all, handle);
         i < all->count && candidate_at(all, i)->handle == handle; i++) {
        const struct candidate *found = candidate_at(all, i);

        if (found->runtime == audit->runtime && (kinds >> found->kind & 1) != 0)
            return true;
    }
    return scan_has_lost(&audit->discovery->scan, audit->discovery->target, handle);
}

/* Whether ELEMENT, of LIST at LOCATION, can be one. */
static bool element_is_possible(struct audit *audit, enum layout_list list,
                                const struct layout_list_location *location,
                                const struct container_element *element)
{
    struct target *target = audit->discovery->target;
    const struct layout_location *elements = location->elements;
    uint64_t value;

    if (contents[list].kinds != 0)
        return element_read(target, &elements[contents[list].element], element, &value) ==
                   ompd_rc_ok &&
               has_object(audit, value, contents[list].kinds);
    if (list == layout_destructors)
        return element_read(target, &elements[layout_function], element, &value) == ompd_rc_ok &&
               code_is_there(audit->discovery->code, target, value);
    if (list != layout_svm)
        return true;
    if (element_read(target, &elements[layout_svm_pointer], element, &value) != ompd_rc_ok ||
        value < LEAST_POINTER)
        return false;
    return !elements[layout_svm_size].is_there ||
           (element_read(target, &elements[layout_svm_size], element, &value) == ompd_rc_ok &&
            value != 0 && value <= MOST_BYTES);
}

/* Walk the beginning of LIST of CANDIDATE. */
static void check_list(struct audit *audit, const struct candidate *candidate,
                       enum layout_list list)
{
    struct target *target = audit->discovery->target;
    const struct layout_list_location *location =
        &candidate_layout(audit->discovery, candidate)->lists[list];
    struct container_element element = {.address = 1};
    struct container container;

    audit->rc = container_begin(&container, target, location, candidate->handle);
    for (unsigned i = 0; audit->rc == ompd_rc_ok && i < MOST_ELEMENTS; i++) {
        audit->rc = container_next(&container, target, &element);
        if (audit->rc != ompd_rc_ok || element.address == 0)
            break;
        if (!element_is_possible(audit, list, location, &element))
            audit->verdict = kin_lists;
    }
    if (audit->rc != ompd_rc_ok && !rc_is_final(audit->rc)) {
        if (target->failure == ompd_cl_status_corrupt ||
            target->failure == ompd_cl_status_unreadable)
            audit->verdict = kin_lists;
        audit->rc = ompd_rc_ok;
    }
}

/* A command's memory objects are only there until it is complete. */
static bool lists_are_read(struct audit *audit, const struct candidate *candidate)
{
    uint64_t status;

    if (candidate->kind != layout_event)
        return true;
    return read_field(audit, candidate, layout_status, &status) && (int32_t)status > 0;
}

static void check_lists(struct audit *audit, const struct candidate *candidate)
{
    const struct layout_object *object = candidate_layout(audit->discovery, candidate);

    if (!lists_are_read(audit, candidate))
        return;
    if (audit->discovery->target->views - audit->views > MOST_VIEWS) {
        audit->verdict = kin_lists;
        return;
    }
    for (unsigned i = 0; i < LAYOUT_LIST_COUNT && audit->rc == ompd_rc_ok; i++) {
        if (object->lists[i].shape != layout_no_list)
            check_list(audit, candidate, (enum layout_list)i);
    }
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Examine CANDIDATE, an object of the program or the runtime. */
static void audit_object(struct audit *audit, const struct candidate *candidate)
{
    enum refcount_state state = refcount_state_of(audit->discovery, candidate);

    if (candidate->doubt != ompd_cl_doubt_none) {
        audit->doubtful++;
        return;
    }
    audit->objects++;
    audit->kinds |= UINT32_C(1) << candidate->kind;
    if ((candidate->flags & candidate_dying) != 0)
        return;
    if (state == refcount_over)
        audit->verdict = kin_references;
    audit->exact +=
        candidate->kind == layout_context && candidate->held != 0 && state == refcount_even;
    if (audit->examined++ >= MOST_EXAMINED)
        return;
    check_values(audit, candidate);
    check_part(audit, candidate);
    check_lists(audit, candidate);
}

/* The verdict on the layout of one runtime. */
static enum kin_verdict conclude(const struct audit *audit)
{
    const struct discovery *discovery = audit->discovery;

    if (discovery->unrecognised[audit->runtime] != 0)
        return kin_strangers;
    if (audit->verdict != kin_holds)
        return audit->verdict;
    if (audit->objects + audit->doubtful < LEAST_OBJECTS)
        return kin_lacks_objects;
    if (audit->doubtful > audit->objects / OBJECTS_PER_DOUBT)
        return kin_repeats;
    return audit->exact == 0 || __builtin_popcount(audit->kinds) < LEAST_KINDS ? kin_lacks_objects
                                                                               : kin_holds;
}

static ompd_rc_t audit_runtime(struct discovery *discovery, uint8_t runtime)
{
    struct audit audit = {.discovery = discovery,
                          .runtime = runtime,
                          .verdict = kin_holds,
                          .views = discovery->target->views};
    const struct candidates *all = &discovery->candidates;

    for (uint32_t i = 0; i < all->count && audit.rc == ompd_rc_ok; i++) {
        const struct candidate *candidate = candidate_at(all, i);

        if (candidate->runtime == runtime && (candidate->flags & candidate_is_chosen) != 0 &&
            candidate->kind != layout_platform && candidate->kind != layout_device)
            audit_object(&audit, candidate);
    }
    discovery->kin_verdicts[runtime] = conclude(&audit) & UINT8_MAX;
    return audit.rc;
}

ompd_rc_t kin_audit(struct discovery *discovery)
{
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; i < discovery->runtimes->count && rc == ompd_rc_ok; i++) {
        if (discovery->runtimes->all[i].kin.of != NULL)
            rc = audit_runtime(discovery, (uint8_t)i);
    }
    return rc;
}
