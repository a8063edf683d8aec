/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rule: the last build of a program failed. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* CL_BUILD_ERROR, which is not an error code of a call. */
#define STATUS_ERROR ((uint64_t)(int64_t)-2)

/* CL_INVALID_PROGRAM_EXECUTABLE. Oclgrind returns CL_INVALID_KERNEL_NAME instead, which proves
 * nothing: a program that was built for another device may lack the requested kernel. */
#define NOT_EXECUTABLE ((uint64_t)(int64_t)-45)

/* The current program, the call that failed to build it, and the last one that tried to create a
 * kernel of it. */
struct failed_build {
    const ompd_cl_program_info_t *program;
    ompd_cl_error_info_t call; /* struct_size 0: not recorded */
    ompd_cl_error_info_t use;
};

static bool is_build_call(uint64_t call)
{
    return call == ompd_cl_call_clBuildProgram || call == ompd_cl_call_clCompileProgram ||
           call == ompd_cl_call_clLinkProgram;
}

static bool is_use_call(const ompd_cl_error_info_t *error, uint64_t call)
{
    uint64_t code;

    return (call == ompd_cl_call_clCreateKernel || call == ompd_cl_call_clCreateKernelsInProgram) &&
           value_is_known(&error->outcome, &code) && code == NOT_EXECUTABLE;
}

/* Search for the last calls that failed to build the program, since it was made, and to use it. */
static ompd_rc_t visit_build_error(struct row_visit *visit, const void *row)
{
    const ompd_cl_error_info_t *error = row;
    struct failed_build *build = visit->rule;
    const ompd_cl_program_info_t *program = build->program;
    uint64_t handle;
    uint64_t order;
    uint64_t call;

    if (value_is_known(&error->object, &handle) && handle == program->head.handle.value &&
        value_is_known(&error->call, &call) && value_is_known(&error->error_order, &order) &&
        order >> GONE_NUMBER_BITS >= program->head.order.value) {
        if (is_build_call(call) && order > build->call.error_order.value)
            build->call = *error;
        if (is_use_call(error, call) && order > build->use.error_order.value)
            build->use = *error;
    }
    return ompd_rc_ok;
}

/* Find the call of BUILD among the recorder's errors. */
static ompd_rc_t find_build_call(struct row_visit *visit, struct failed_build *build)
{
    const struct registry *registry = &visit->space->recorder->registry;

    if (visit->kept->count == KEPT_LIMIT || !address_space_has_recorder(visit->space) ||
        registry->tables[ompd_cl_registry_error].record_size == 0)
        return ompd_rc_ok;
    return row_visit_all(visit, ompd_cl_kind_error, 0, visit_build_error, build);
}

static ompd_rc_t check_program(struct row_visit *visit, const void *row)
{
    const ompd_cl_program_info_t *program = row;
    struct failed_build build = {.program = program};
    ompd_cl_finding_info_t finding;
    uint64_t state;
    ompd_rc_t rc;

    if (program->build.status == ompd_cl_status_unknown)
        visit->missing->unchecked |= UNCHECKED(builds);
    if (!value_is_known(&program->build, &state) || state != ompd_cl_build_state_failed ||
        !value_is_known(&program->state, &state) || state != ompd_cl_object_state_live ||
        !finding_begin(&finding, ompd_cl_finding_build_failed, ompd_cl_kind_program, program))
        return ompd_rc_ok;
    rc = find_build_call(visit, &build);
    if (rc != ompd_rc_ok)
        return rc;
    if (program->build_error.value != STATUS_ERROR)
        finding.error = program->build_error;
    if (build.call.head.struct_size != 0) {
        finding.call = build.call.call;
        finding_set_other(&finding, &build.call.head.lwp, &build.call.head.caller,
                          &build.call.head.stack);
        if (build.use.error_order.value > build.call.error_order.value) {
            finding.call = build.use.call;
            finding.thread = build.use.head.lwp;
        }
    }
    return finding_add(visit, &finding);
}

ompd_rc_t builds_check(struct row_visit *visit)
{
    return row_visit_all(visit, ompd_cl_kind_program, 0, check_program, NULL);
}
