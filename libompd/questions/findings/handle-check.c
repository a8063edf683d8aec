/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Checks that an argument is a handle of the right kind. A handle is the address of an object. A
 * value that no address of the program can have, for example of an uninitialised variable, was
 * never a handle; proving that needs no record of all former objects. An object of another kind
 * than the call takes is wrong, too, and so is a destroyed one.
 */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* No program has memory in its first page. Linux gives programs at most the lower 2^56 bytes on
 * 64-bit machines. */
#define LOWEST 4096
#define ADDRESS_BITS 56

static bool can_be_address(const struct address_space *space, uint64_t handle)
{
    return handle >= LOWEST && (space->target.pointer_size < 8 || handle >> ADDRESS_BITS == 0);
}

static void begin_handle_finding(ompd_cl_finding_info_t *finding,
                                 const struct checked_handle *checked)
{
    const ompd_cl_thread_info_t *thread = checked->thread;

    finding_begin(finding, ompd_cl_finding_wrong_handle, ompd_cl_kind_thread, NULL);
    if (thread->object.status != ompd_cl_status_value)
        finding_presume(finding);
    finding->head.source = thread->head.source;
    if (checked->kind != 0)
        finding_set(finding, &finding->object_kind, checked->kind);
    finding_set(finding, &finding->object, checked->handle);
    if (checked->argument != 0)
        finding_set(finding, &finding->argument, checked->argument);
    finding->thread = thread->head.handle;
    finding->call = thread->call;
}

/* The former object of a handle. */
struct former {
    uint64_t handle;
    ompd_cl_destroyed_info_t last; /* struct_size 0: not recorded */
};

static ompd_rc_t read_former(struct row_visit *visit, const void *row)
{
    struct former *former = visit->rule;
    const ompd_cl_destroyed_info_t *gone = row;

    if (gone->head.handle.value == former->handle &&
        gone->head.handle.status == ompd_cl_status_value &&
        (former->last.head.struct_size == 0 ||
         gone->head.order.value > former->last.head.order.value))
        former->last = *gone;
    return ompd_rc_ok;
}

/* Whether DESTROYED had ended before the call of CHECKED. A thread's query cannot overlap with a
 * release by the same thread. An object that another thread releases may have existed when the call
 * began, unless the call enqueues a command, which has a position in the order of ends. */
static bool was_destroyed(const struct checked_handle *checked,
                          const ompd_cl_destroyed_info_t *gone)
{
    const ompd_cl_thread_info_t *thread = checked->thread;
    uint64_t lwp;

    if (gone->head.struct_size == 0 || gone->object_kind.value != checked->kind)
        return false;
    if (checked->order != 0)
        return gone->end_order.status == ompd_cl_status_value &&
               gone->end_order.value >> GONE_NUMBER_BITS < checked->order;
    return checked->argument == 0 && expected_is_query(thread->call.value) &&
           value_is_known(&gone->released_lwp, &lwp) && lwp == thread->head.handle.value;
}

/* Whether the recorder reports the same mistake, at the beginning of the call. */
static bool is_reported(const struct kept_rows *kept, const struct checked_handle *checked)
{
    const ompd_cl_finding_info_t *rows = kept->rows;
    uint64_t number;

    for (uint32_t i = 0; i < kept->count; i++) {
        const ompd_cl_finding_info_t *finding = &rows[i];

        if (finding->rule.value == ompd_cl_finding_used_after_release &&
            value_is_known(&finding->object, &number) && number == checked->handle &&
            value_is_known(&finding->call, &number) && number == checked->thread->call.value &&
            value_is_known(&finding->head.lwp, &number) &&
            number == checked->thread->head.handle.value)
            return true;
    }
    return false;
}

/* It is presumed: something unknown may retain the object and provide its handle. */
static ompd_rc_t check_released(struct row_visit *visit, const struct checked_handle *checked)
{
    struct former former = {.handle = checked->handle};
    const ompd_cl_destroyed_info_t *gone = &former.last;
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc;

    rc = row_visit_all(visit, ompd_cl_kind_destroyed, 0, read_former, &former);
    if (rc != ompd_rc_ok || !was_destroyed(checked, gone) || is_reported(visit->kept, checked))
        return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
    begin_handle_finding(&finding, checked);
    finding_presume(&finding);
    finding.other_kind = finding.object_kind;
    finding.other = finding.object;
    finding_set_other(&finding, &gone->released_lwp, &gone->released_caller, &gone->released_stack);
    return finding_add(visit, &finding);
}

/* Find the object with HANDLE; *KIND is 0 if none is known. */
static ompd_rc_t find_object_of_handle(struct row_visit *visit, uint64_t handle, union row *row,
                                       uint32_t *kind)
{
    static const uint32_t kinds[] = {
        ompd_cl_kind_context, ompd_cl_kind_queue,   ompd_cl_kind_memobj, ompd_cl_kind_event,
        ompd_cl_kind_kernel,  ompd_cl_kind_program, ompd_cl_kind_sampler};
    ompd_rc_t rc = ompd_rc_ok;

    *kind = 0;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && rc == ompd_rc_ok; i++) {
        row->struct_size = kind_find(kinds[i])->struct_size;
        if (row_visit_find(visit, kinds[i], handle, row, &rc)) {
            *kind = kinds[i];
            return ompd_rc_ok;
        }
    }
    return rc;
}

/* Return whether objects may be there that the recorder has no record of: any handle may be
 * theirs. */
static bool misses_objects(const struct registry *registry)
{
    return registry->counts.loaders_refused != 0 || registry->counts.not_recorded != 0;
}

/* Check a handle of a live object, by the recorder's records. */
static ompd_rc_t check_live_handle(struct row_visit *visit, const struct checked_handle *checked)
{
    uint64_t failures = visit->missing->failures;
    ompd_cl_finding_info_t finding;
    uint32_t kind;
    union row row;
    ompd_rc_t rc;

    if (checked->kind == 0 || checked->thread->head.source.value != ompd_cl_source_recorder ||
        checked->thread->object.status != ompd_cl_status_value ||
        misses_objects(&visit->space->recorder->registry))
        return ompd_rc_ok;
    rc = find_object_of_handle(visit, checked->handle, &row, &kind);
    if (rc != ompd_rc_ok || visit->missing->failures != failures || kind == checked->kind)
        return rc;
    if (kind == 0)
        return check_released(visit, checked);
    begin_handle_finding(&finding, checked);
    return finding_add_other(&finding, kind, &row) ? finding_add(visit, &finding) : ompd_rc_ok;
}

ompd_rc_t handle_check(struct row_visit *visit, const struct checked_handle *checked)
{
    ompd_cl_finding_info_t finding;

    if (checked->handle == 0)
        return ompd_rc_ok;
    if (can_be_address(visit->space, checked->handle))
        return check_live_handle(visit, checked);
    begin_handle_finding(&finding, checked);
    return finding_add(visit, &finding);
}
