/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The search for the condition of schema/conditions.def that a refused call did not meet. */
#include "refusals/refusals.h"

#include "objects/calls.h"

#include <string.h>

/* The reason is condition NUMBER, with the COUNT VALUES if it has its own. */
static void refusal_end(struct refusal *refusal, uint32_t number, const uint64_t *values,
                        size_t count)
{
    refusal->number = number;
    if (count) {
        memcpy(refusal->values, values, count * sizeof(values[0]));
    }
}

/* A function for each of OpenCL's: explain_clFinish and so on. */
#define CONDITIONS(function)                                                                       \
    static void explain_##function(struct refusal *refusal, const void *arguments)                 \
    {                                                                                              \
        const struct recorder_##function##_arguments *its = arguments;
#define REASON(its_number, its_error, condition, text, ...)                                        \
    if (refusal->error == (its_error) && (condition)) {                                            \
        const uint64_t values[] = {0, ##__VA_ARGS__};                                              \
        refusal_end(refusal, its_number, values + 1, sizeof(values) / sizeof(values[0]) - 1);      \
        return;                                                                                    \
    }
#define CONDITIONS_END }
#include <schema/conditions.def>

#define CONDITIONS(function) {ompd_cl_call_##function, explain_##function},
#define REASON(...)
#define CONDITIONS_END
static const struct {
    uint32_t call;
    void (*explain)(struct refusal *refusal, const void *arguments);
} functions[] = {
#include <schema/conditions.def>
};

void recorder_explain(enum ompd_cl_call call, cl_int error, const void *arguments,
                      const cl_icd_dispatch *target)
{
    struct refusal refusal = {.target = target, .error = error};
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        if (functions[i].call == call && recorder_errors_are_recorded()) {
            recorder_questions_begin();
            functions[i].explain(&refusal, arguments);
            recorder_questions_end();
        }
    }
    if (refusal.number) {
        recorder_reason_set(call, refusal.number, refusal.values);
    }
}
