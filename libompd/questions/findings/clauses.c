/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The clauses of OpenCL 3.0, and of Embree's manual, that findings violate. */
#include "questions/findings/findings.h"

#define EVENT_CALLBACK "clSetEventCallback: "
#define CONTEXT_CALLBACK "clSetContextDestructorCallback: "
#define PROGRAM_CALLBACK "clSetProgramReleaseCallback: "
#define NOT_VALID "the object passed to the callback is no longer valid"
#define SHARED_BUFFER "rtcNewSharedBuffer, rtcSetSharedGeometryBuffer: "
#define BLOCKING "blocking OpenCL calls are undefined in a callback"

/* Each has room in an ompd_cl_text_t. */
static const char *const clauses[] = {
#define RULE(number, name, level, needs, word, meaning, clause, sentence) [number] = (clause),
#include <schema/rules.def>
};

bool rule_is_known(uint64_t rule)
{
    return rule < sizeof(clauses) / sizeof(clauses[0]) && clauses[rule] != NULL;
}

const char *clause_of(ompd_cl_finding_kind_t rule)
{
    return clauses[rule][0] != '\0' ? clauses[rule] : NULL;
}

/* The clauses of rules that another function states for callbacks of objects of KIND. */
static const struct {
    ompd_cl_finding_kind_t rule;
    uint32_t kind;
    const char *clause;
} callback_clauses[] = {
    {ompd_cl_finding_callback_code, ompd_cl_kind_event,
     EVENT_CALLBACK "the callback is called when the command reaches that status"},
    {ompd_cl_finding_callback_code, ompd_cl_kind_program,
     "clBuildProgram: the callback is called when the program has been built"},
    {ompd_cl_finding_callback_waits, ompd_cl_kind_event, EVENT_CALLBACK BLOCKING},
    {ompd_cl_finding_callback_creates, ompd_cl_kind_event,
     EVENT_CALLBACK "contexts and command queues must not be created in a callback"},
    {ompd_cl_finding_callback_uses, ompd_cl_kind_context, CONTEXT_CALLBACK NOT_VALID},
    {ompd_cl_finding_callback_uses, ompd_cl_kind_program, PROGRAM_CALLBACK NOT_VALID},
    {ompd_cl_finding_callback_releases, ompd_cl_kind_context, CONTEXT_CALLBACK NOT_VALID},
    {ompd_cl_finding_callback_releases, ompd_cl_kind_program, PROGRAM_CALLBACK NOT_VALID},
};

const char *clause_of_callback(ompd_cl_finding_kind_t rule, uint32_t kind)
{
    for (size_t i = 0; i < sizeof(callback_clauses) / sizeof(callback_clauses[0]); i++)
        if (callback_clauses[i].rule == rule && callback_clauses[i].kind == kind)
            return callback_clauses[i].clause;
    return clause_of(rule);
}

const char *clause_of_embree(ompd_cl_finding_kind_t rule, uint32_t kind)
{
    if (kind == ompd_cl_kind_embree_buffer && rule != ompd_cl_finding_embree_too_short)
        return SHARED_BUFFER "the memory must be valid as long as the buffer may be used";
    if (kind == ompd_cl_kind_embree_device && rule == ompd_cl_finding_callback_code)
        return "rtcSetDeviceMemoryMonitorFunction and similar: NULL unregisters the function";
    if (kind == ompd_cl_kind_embree_device)
        return "rtcSetDeviceMemoryMonitorFunction and similar: userPtr is passed to the function";
    if (kind == ompd_cl_kind_embree_scene && rule == ompd_cl_finding_callback_code)
        return "rtcSetSceneProgressMonitorFunction: NULL unregisters the function";
    if (kind == ompd_cl_kind_embree_scene)
        return "rtcSetSceneProgressMonitorFunction: ptr is passed to the function";
    return clause_of(rule);
}
