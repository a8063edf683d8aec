/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Platforms, devices, contexts and command queues. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

#define INFO ompd_cl_platform_info_t
static const ompd_cl_field_t platform_fields[] = {
    FIELD(handle, "platform", handle, 1, "", "cl_platform_id"),
    FIELD(name, "name", text, 1, "", "CL_PLATFORM_NAME"),
    FIELD(version, "version", text, 1, "", "CL_PLATFORM_VERSION"),
    FIELD(vendor, "vendor", text, 1, "", "CL_PLATFORM_VENDOR"),
};
#undef INFO

KIND(platform, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);

/* cl_device_type (OpenCL 3.0 section 4.2). */
static const ompd_cl_name_t device_type_names[] = {
    {1 << 0, "CL_DEVICE_TYPE_DEFAULT", NULL}, {1 << 1, "CL_DEVICE_TYPE_CPU", NULL},
    {1 << 2, "CL_DEVICE_TYPE_GPU", NULL},     {1 << 3, "CL_DEVICE_TYPE_ACCELERATOR", NULL},
    {1 << 4, "CL_DEVICE_TYPE_CUSTOM", NULL},
};

#define INFO ompd_cl_device_info_t
static const ompd_cl_field_t device_fields[] = {
    FIELD(handle, "device", handle, 1, "", "cl_device_id"),
    FIELD(name, "name", text, 1, "", "CL_DEVICE_NAME"),
    NAMED(type, "type", flags, 1, device_type_names, "CL_DEVICE_TYPE"),
    FIELD(platform, "platform", handle, 1, "", "cl_platform_id that it belongs to"),
    SOURCE,
};
#undef INFO

KIND(device, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);

#define INFO ompd_cl_context_info_t
static const ompd_cl_field_t context_fields[] = {
    FIELD(handle, "context", handle, 1, "", "cl_context"),
    FIELD(platform, "platform", handle, 0, "", "cl_platform_id that it was created on"),
    FIELD(devices, "devices", count, 1, "", "devices that it was created with"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    FIELD(children, "children", count, 1, "", "objects that keep it alive"),
    NAMED(state, "state", state, 1, state_names, "whether the program still holds it"),
    FIELD(destructor_count, "destructors", count, 1, "", "destructor callbacks registered on it"),
    ORDER,
    MADE_BY,
    SOURCE,
    CONFIDENCE,
    RUNTIME_REFERENCES,
    DOUBT,
};
#undef INFO

KIND(context, AT(context, handle), FIELD_NONE, AT(context, state), FIELD_NONE, FIELD_NONE);

/* cl_command_queue_properties (OpenCL 3.0 section 5.1). */
static const ompd_cl_name_t queue_property_names[] = {
    {1 << 0, "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE", NULL},
    {1 << 1, "CL_QUEUE_PROFILING_ENABLE", NULL},
    {1 << 2, "CL_QUEUE_ON_DEVICE", NULL},
    {1 << 3, "CL_QUEUE_ON_DEVICE_DEFAULT", NULL},
};

#define INFO ompd_cl_queue_info_t
static const ompd_cl_field_t queue_fields[] = {
    FIELD(handle, "queue", handle, 1, "", "cl_command_queue"),
    FIELD(context, "context", handle, 1, "", "cl_context that it belongs to"),
    FIELD(device, "device", handle, 1, "", "cl_device_id that it feeds"),
    NAMED(properties, "properties", flags, 1, queue_property_names, "CL_QUEUE_PROPERTIES"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    FIELD(svm_frees, "SVM frees", count, 1, "", "its SVM-free commands not known to be complete"),
    NAMED(state, "state", state, 1, state_names, "whether the program still holds it"),
    ORDER,
    MADE_BY,
    SOURCE,
    CONFIDENCE,
    RUNTIME_REFERENCES,
    DOUBT,
};
#undef INFO

KIND(queue, AT(queue, context), FIELD_NONE, AT(queue, state), FIELD_NONE, FIELD_NONE);
