/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Callbacks registered more than once with the same user data. */
#include "questions/findings/findings.h"

/* ---- Callbacks of destroyed memory objects --------------------------------------------------- */

/*
 * The record of a callback keeps its registration until it is reused, and names the record of its
 * object with its number of uses. A callback whose registration failed has no function.
 */

/* Callbacks of the same function and user data that are examined. */
#define TRIES 16

struct ended {
    uint64_t function;
    uint64_t user_data;
    uint64_t order; /* of the live memory object */
    uint32_t next;  /* index of the callback to examine */
    /* The callback, and its object: */
    uint64_t reference; /* 0: not found */
    uint64_t generation;
    uint64_t caller;
    uint64_t stack;
    uint64_t handle; /* 0: not known to be destroyed after all its callbacks were called */
    uint64_t serial;
    uint64_t last; /* the last object created before it was destroyed */
};

static bool find_registration(const struct registry *registry, const struct registry_table *table,
                              const uint8_t *record, uint32_t index, void *context)
{
    struct ended *ended = context;
    uint64_t reference = registry_get(registry, table, record, ompd_cl_registry_field_object);

    if (index < ended->next || !registry_is_free(registry, table, record) ||
        registry_get(registry, table, record, ompd_cl_registry_field_function) != ended->function ||
        registry_get(registry, table, record, ompd_cl_registry_field_user_data) !=
            ended->user_data ||
        OMPD_CL_REGISTRY_REFERENCE_TABLE(reference) != ompd_cl_registry_memobj)
        return true;
    ended->next = index + 1;
    ended->reference = reference;
    ended->generation =
        registry_get(registry, table, record, ompd_cl_registry_field_object_generation);
    ended->caller = registry_get(registry, table, record, ompd_cl_registry_field_caller);
    ended->stack = registry_get(registry, table, record, ompd_cl_registry_field_stack);
    return false;
}

/* Find the last destroyed object that used one record. */
static bool find_destroyed_owner(const struct registry *registry,
                                 const struct registry_table *table, const uint8_t *record,
                                 uint32_t index, void *context)
{
    struct ended *ended = context;
    uint64_t serial = registry_get(registry, table, record, ompd_cl_registry_field_serial);

    (void)index;
    if (registry_get(registry, table, record, ompd_cl_registry_field_object) != ended->reference ||
        serial <= ended->serial)
        return true;
    ended->serial = serial;
    ended->last = registry_get(registry, table, record, ompd_cl_registry_field_ended);
    ended->handle = 0;
    if (registry_get(registry, table, record, ompd_cl_registry_field_ending) ==
            ompd_cl_registry_ending_callbacks &&
        OMPD_CL_REGISTRY_CHANGE_LWP(
            registry_get(registry, table, record, ompd_cl_registry_field_change)) == 0)
        ended->handle = registry_get(registry, table, record, ompd_cl_registry_field_handle);
    return true;
}

/* Return whether the record of the callback's object was used for no other since. */
static ompd_rc_t check_generation(struct registry *registry, const struct ended *ended,
                                  bool *is_last)
{
    struct registry_table *table = &registry->tables[ompd_cl_registry_memobj];
    const uint8_t *record;
    ompd_rc_t rc = registry_record_view(
        registry, table, OMPD_CL_REGISTRY_REFERENCE_INDEX((uint32_t)ended->reference), &record);

    *is_last = rc == ompd_rc_ok &&
               registry_get(registry, table, record, ompd_cl_registry_field_generation) ==
                   ended->generation + 1;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Have the next callback, and its object. */
static ompd_rc_t read_next_registration(struct registry *registry, struct ended *ended)
{
    struct registry_walk callbacks = {.table = &registry->tables[ompd_cl_registry_callback],
                                      .takes_free = true};
    struct registry_walk gone = {.table = &registry->tables[ompd_cl_registry_gone]};
    bool is_last = false;
    ompd_rc_t rc;

    ended->reference = 0;
    ended->handle = 0;
    ended->serial = 0;
    rc = registry_walk_visit(registry, &callbacks, find_registration, ended);
    if (rc == ompd_rc_ok && ended->reference != 0)
        rc = check_generation(registry, ended, &is_last);
    return is_last ? registry_walk_visit(registry, &gone, find_destroyed_owner, ended) : rc;
}

static void name_other(ompd_cl_finding_info_t *finding, const struct ended *ended)
{
    finding_set(finding, &finding->other_kind, ompd_cl_kind_memobj);
    finding_set(finding, &finding->other, ended->handle);
    if (ended->caller != 0)
        finding_set(finding, &finding->other_caller, ended->caller);
    if (ended->stack != 0)
        finding_set(finding, &finding->other_stack, ended->stack);
}

/* As other_registration_add(), for destroyed memory objects that existed at the same time as that
 * of FINDING. */
static ompd_rc_t ended_registration_add(struct row_visit *visit, ompd_cl_finding_info_t *finding)
{
    struct registry *registry = &visit->space->recorder->registry;
    ompd_cl_memobj_info_t memobj = {.head.struct_size = sizeof(memobj)};
    struct ended ended = {.function = finding->function.value, .user_data = finding->address.value};
    ompd_rc_t rc;

    if (registry->tables[ompd_cl_registry_gone].record_size == 0 || ended.function == 0)
        return ompd_rc_ok;
    if (!row_visit_find(visit, ompd_cl_kind_memobj, finding->object.value, &memobj, &rc) ||
        !value_is_known(&memobj.head.order, &ended.order))
        return rc;
    for (uint32_t i = 0; i < TRIES; i++) {
        rc = read_next_registration(registry, &ended);
        if (rc != ompd_rc_ok || ended.reference == 0)
            return rc_is_final(rc) ? rc : ompd_rc_ok;
        if (ended.handle != 0 && ended.last >= ended.order) {
            name_other(finding, &ended);
            break;
        }
    }
    return ompd_rc_ok;
}

/* ---- Callbacks of live memory objects -------------------------------------------------------- */

static bool value_is(const ompd_cl_value_t *value, const ompd_cl_value_t *other)
{
    uint64_t number;

    return value_is_known(value, &number) && other->value == number;
}

/* Return whether the callback in ROW has been called: it is over, or runs for another object. */
static bool has_been_called(const ompd_cl_destructor_info_t *row,
                            const ompd_cl_finding_info_t *finding)
{
    uint64_t state;

    return value_is_known(&row->state, &state) &&
           (state == ompd_cl_callback_state_done ||
            (state == ompd_cl_callback_state_running && !value_is(&row->object, &finding->object)));
}

static ompd_rc_t visit_registration(struct row_visit *visit, const void *row)
{
    const ompd_cl_destructor_info_t *destructor = row;
    ompd_cl_finding_info_t *finding = visit->rule;

    if (finding->other.status == ompd_cl_status_not_applicable &&
        value_is(&destructor->function, &finding->function) &&
        value_is(&destructor->user_data, &finding->address) && has_been_called(destructor, finding))
        finding_add_other(finding, ompd_cl_kind_destructor, row);
    return ompd_rc_ok;
}

ompd_rc_t other_registration_add(struct row_visit *visit, ompd_cl_finding_info_t *finding)
{
    ompd_rc_t rc = row_visit_all(visit, ompd_cl_kind_destructor, 0, visit_registration, finding);

    if (rc == ompd_rc_ok && finding->other.status == ompd_cl_status_not_applicable)
        rc = ended_registration_add(visit, finding);
    return rc;
}
