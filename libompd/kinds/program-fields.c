/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs, and the kernels and samplers that run with them. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

static const ompd_cl_name_t build_names[] = {
    {ompd_cl_state_running, "running", "is not known to have ended"},
    {ompd_cl_state_done, "done", "ended without an error"},
    {ompd_cl_state_failed, "failed", "ended with an error"},
};

#define INFO ompd_cl_program_info_t
static const ompd_cl_field_t program_fields[] = {
    FIELD(handle, "program", handle, 1, "", "cl_program"),
    FIELD(context, "context", handle, 1, "", "cl_context that it belongs to"),
    NAMED(build, "build", state, 1, build_names, "how its last build, compilation or link went"),
    FIELD(build_error, "build error", number, 0, "", "error of a build that failed"),
    FIELD(build_lwp, "built by", lwp, 0, "", "thread that began the last build"),
    FIELD(options, "options", text, 0, "", "options of the last build"),
    FIELD(log, "log", text, 0, "",
          "log of the last build, from the first error on, once the program has asked for it"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    FIELD(children, "kernels", count, 1, "", "kernels that were made of it"),
    NAMED(state, "state", state, 1, state_names, "whether the program still holds it"),
    FIELD(destructor_count, "destructors", count, 0, "", "release callbacks registered on it"),
    ORDER,
    MADE_BY,
    SOURCE,
    CONFIDENCE,
    RUNTIME_REFERENCES,
    DOUBT,
};
#undef INFO

KIND(program, AT(program, context), FIELD_NONE, AT(program, state), FIELD_NONE, FIELD_NONE);

#define INFO ompd_cl_kernel_info_t
static const ompd_cl_field_t kernel_fields[] = {
    FIELD(handle, "kernel", handle, 1, "", "cl_kernel"),
    FIELD(name, "name", text, 1, "", "function that it runs"),
    FIELD(program, "program", handle, 1, "", "cl_program that it was made of"),
    FIELD(context, "context", handle, 1, "", "cl_context that it belongs to"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    OBJECT,
    FIELD(argument_count, "arguments", count, 0, "", "arguments that were set"),
};
#undef INFO

KIND(kernel, AT(kernel, context), FIELD_NONE, AT(kernel, state), FIELD_NONE, FIELD_NONE);

static const ompd_cl_name_t argument_form_names[] = {
    {ompd_cl_argument_unset, "unset", "not set"},
    {ompd_cl_argument_data, "data", "a value that is no object"},
    {ompd_cl_argument_local, "local", "local memory, or no memory object"},
    {ompd_cl_argument_svm, "svm", "an SVM pointer"},
    {ompd_cl_argument_object, "object", "an object"},
};

#define INFO ompd_cl_argument_info_t
static const ompd_cl_field_t argument_fields[] = {
    FIELD(number, "argument", number, 1, "", "its index, from 0"),
    NAMED(form, "form", name, 1, argument_form_names, "how it was given"),
    NAMED(object_kind, "kind", name, 1, owned_kind_names, "what the object is"),
    FIELD(object, "object", handle, 1, "", "cl handle or SVM pointer that was given"),
    FIELD(size, "size", bytes, 1, "B", "bytes that were given"),
    FIELD(value, "value", number, 1, "", "data of 1, 2, 4 or 8 bytes, as an unsigned number"),
};
#undef INFO

KIND(argument, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);

/* cl_addressing_mode and cl_filter_mode (OpenCL 3.0 section 5.7.1). */
static const ompd_cl_name_t addressing_names[] = {
    {0x1130, "CL_ADDRESS_NONE", NULL},
    {0x1131, "CL_ADDRESS_CLAMP_TO_EDGE", NULL},
    {0x1132, "CL_ADDRESS_CLAMP", NULL},
    {0x1133, "CL_ADDRESS_REPEAT", NULL},
    {0x1134, "CL_ADDRESS_MIRRORED_REPEAT", NULL},
};

static const ompd_cl_name_t filter_names[] = {
    {0x1140, "CL_FILTER_NEAREST", NULL},
    {0x1141, "CL_FILTER_LINEAR", NULL},
};

#define INFO ompd_cl_sampler_info_t
static const ompd_cl_field_t sampler_fields[] = {
    FIELD(handle, "sampler", handle, 1, "", "cl_sampler"),
    FIELD(context, "context", handle, 1, "", "cl_context that it belongs to"),
    FIELD(normalized, "normalized", boolean, 1, "", "whether its coordinates are normalized"),
    NAMED(addressing, "addressing", name, 1, addressing_names, "cl_addressing_mode"),
    NAMED(filter, "filter", name, 1, filter_names, "cl_filter_mode"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    OBJECT,
};
#undef INFO

KIND(sampler, AT(sampler, context), FIELD_NONE, AT(sampler, state), FIELD_NONE, FIELD_NONE);
