/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rule: an object was released without references. */
#include "questions/findings/findings.h"

/* Releases that were examined. */
struct releases {
    uint64_t kept; /* that have findings */
};

uint32_t release_kind(uint64_t call)
{
    switch (call) {
    case ompd_cl_call_clReleaseContext:
        return ompd_cl_kind_context;
    case ompd_cl_call_clReleaseCommandQueue:
        return ompd_cl_kind_queue;
    case ompd_cl_call_clReleaseMemObject:
        return ompd_cl_kind_memobj;
    case ompd_cl_call_clReleaseProgram:
        return ompd_cl_kind_program;
    case ompd_cl_call_clReleaseKernel:
        return ompd_cl_kind_kernel;
    case ompd_cl_call_clReleaseSampler:
        return ompd_cl_kind_sampler;
    case ompd_cl_call_clReleaseEvent:
        return ompd_cl_kind_event;
    case ompd_cl_call_clReleaseCommandBufferKHR:
        return ompd_cl_kind_command_buffer;
    case ompd_cl_call_clReleaseSemaphoreKHR:
        return ompd_cl_kind_semaphore;
    default:
        return 0;
    }
}

static ompd_rc_t check_release_error(struct row_visit *visit, const void *row)
{
    const ompd_cl_error_info_t *error = row;
    struct releases *releases = visit->rule;
    ompd_cl_finding_info_t finding;
    uint64_t number;

    if (!value_is_known(&error->outcome, &number) || number != ompd_cl_mistake_over_release)
        return ompd_rc_ok;
    releases->kept++;
    finding_begin_error(&finding, ompd_cl_finding_over_release,
                        value_is_known(&error->call, &number) ? release_kind(number) : 0, error);
    finding_set(&finding, &finding.count, 1);
    finding_set_other(&finding, &error->released_lwp, &error->released_caller,
                      &error->released_stack);
    return finding_add(visit, &finding);
}

/* Add a finding for over-releases that the recorder counts but no longer stores. */
static ompd_rc_t add_uncounted_findings(struct row_visit *visit, uint64_t kept)
{
    const struct ompd_cl_registry_counts *counts = &visit->space->recorder->registry.counts;
    ompd_cl_finding_info_t finding;

    if (counts->over_releases <= kept)
        return ompd_rc_ok;
    finding_begin(&finding, ompd_cl_finding_over_release, ompd_cl_kind_overview, NULL);
    if (kept == 0)
        finding_set(&finding, &finding.object, counts->last_over_released);
    finding_set(&finding, &finding.count, counts->over_releases - kept);
    return finding_add(visit, &finding);
}

ompd_rc_t over_release_check(struct row_visit *visit)
{
    const struct registry *registry = &visit->space->recorder->registry;
    struct releases releases = {.kept = 0};
    ompd_rc_t rc;

    if (registry->counts.over_releases == 0)
        return ompd_rc_ok;
    rc = error_walk(visit, check_release_error, &releases);
    return rc == ompd_rc_ok ? add_uncounted_findings(visit, releases.kept) : rc;
}
