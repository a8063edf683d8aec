/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts about programs, kernels, their arguments and work sizes. */
#include "refusals/refusals.h"

#include "objects/kinds.h"

#include <string.h>

/* The most dimensions of a work size. */
#define DIMENSIONS 3u

/* ---- Programs -------------------------------------------------------------------------------- */

/* The record of a program that exists; NULL when there is none. The runtime's kernels keep it
 * alive, so the program may have released it. */
static const struct ompd_cl_registry_program_record *program_record_find(cl_program program)
{
    struct recorder_entry entry;
    bool is_known = program && recorder_object_find(&entry, ompd_cl_registry_program, program);
    return is_known ? recorder_program_record(&entry) : NULL;
}

/* The state of the last build; a free state if there was none. */
static uint32_t build_state(const struct ompd_cl_registry_program_record *record)
{
    return OMPD_CL_REGISTRY_RUN_STATE(__atomic_load_n(&record->run, __ATOMIC_ACQUIRE));
}

bool refusal_is_unbuilt(struct refusal *refusal, cl_program program)
{
    const struct ompd_cl_registry_program_record *record = program_record_find(program);
    return record && build_state(record) == 0 && refusal_values(refusal, ADDRESS(program), 0, 0);
}

bool refusal_build_failed(struct refusal *refusal, cl_program program)
{
    const struct ompd_cl_registry_program_record *record = program_record_find(program);
    return record && build_state(record) == ompd_cl_registry_failed &&
           refusal_values(refusal, ADDRESS(program), (uint64_t)(int64_t)record->error, 0);
}

bool refusal_is_building(struct refusal *refusal, cl_program program)
{
    const struct ompd_cl_registry_program_record *record = program_record_find(program);
    return record && build_state(record) == ompd_cl_registry_running &&
           refusal_values(refusal, ADDRESS(program), 0, 0);
}

bool refusal_is_uncompiled(struct refusal *refusal, uint32_t table, const void *handle)
{
    (void)table;
    return refusal_is_unbuilt(refusal, (cl_program)handle);
}

bool refusal_kernels_are_more(struct refusal *refusal, cl_program program, uint32_t count)
{
    const struct ompd_cl_registry_program_record *record = program_record_find(program);
    size_t number = 0;
    return record && refusal_is_live(ompd_cl_registry_program, program) &&
           build_state(record) == ompd_cl_registry_done &&
           refusal->target->clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(number),
                                             &number, NULL) == CL_SUCCESS &&
           number > count && refusal_values(refusal, count, number, 0);
}

bool refusal_has_kernels(struct refusal *refusal, cl_program program)
{
    struct recorder_entry entry;
    uint32_t count;
    return refusal_is_live(ompd_cl_registry_program, program) &&
           recorder_object_find(&entry, ompd_cl_registry_program, program) &&
           (count = recorder_children_count(&entry)) != 0 &&
           refusal_values(refusal, count, ADDRESS(program), 0);
}

/* The record of a kernel that the program holds; NULL when there is none. */
static struct ompd_cl_registry_kernel_record *kernel_record_find(cl_kernel kernel)
{
    struct recorder_entry entry;
    bool is_live = refusal_is_live(ompd_cl_registry_kernel, kernel) &&
                   recorder_object_find(&entry, ompd_cl_registry_kernel, kernel);
    return is_live ? recorder_kernel_record(&entry) : NULL;
}

cl_program refusal_kernel_program(cl_kernel kernel)
{
    struct ompd_cl_registry_kernel_record *record = kernel_record_find(kernel);
    struct recorder_family family;
    if (!record) {
        return NULL;
    }
    recorder_family_get(&family, &record->object);
    return family.parent ? (cl_program)(uintptr_t)family.parent->handle : NULL;
}

/* ---- Arguments ------------------------------------------------------------------------------- */

/* A number that the runtime has for NAME of a live kernel; 0 for none. */
static uint64_t kernel_number(const struct refusal *refusal, cl_kernel kernel, cl_kernel_info name)
{
    cl_uint number = 0;
    return refusal_is_live(ompd_cl_registry_kernel, kernel) &&
                   refusal->target->clGetKernelInfo(kernel, name, sizeof(number), &number, NULL) ==
                       CL_SUCCESS
               ? number
               : 0;
}

/* Whether argument INDEX was never set, as far as it is recorded. */
static bool argument_is_unset(struct ompd_cl_registry_kernel_record *record, uint32_t index)
{
    struct recorder_argument_run run;
    recorder_arguments_begin(&record->arguments, &run);
    do {
        if (index - run.first < run.count) {
            return !__atomic_load_n(&run.forms[index - run.first], __ATOMIC_ACQUIRE);
        }
    } while (recorder_arguments_next(&run));
    return index >= run.total;
}

bool refusal_argument_is_unset(struct refusal *refusal, cl_kernel kernel)
{
    struct ompd_cl_registry_kernel_record *record = kernel_record_find(kernel);
    uint64_t count = kernel_number(refusal, kernel, CL_KERNEL_NUM_ARGS);
    for (uint32_t i = 0; record && i < count; i++) {
        if (argument_is_unset(record, i)) {
            return refusal_values(refusal, i, ADDRESS(kernel), 0);
        }
    }
    return false;
}

bool refusal_index_is_beyond(struct refusal *refusal, cl_kernel kernel, cl_uint index)
{
    cl_uint count = 0;
    return refusal_is_live(ompd_cl_registry_kernel, kernel) &&
           refusal->target->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count,
                                            NULL) == CL_SUCCESS &&
           index >= count && refusal_values(refusal, index, count, 0);
}

bool refusal_argument_is_misaligned(struct refusal *refusal, cl_kernel kernel,
                                    cl_command_queue queue)
{
    struct ompd_cl_registry_kernel_record *record = kernel_record_find(kernel);
    struct recorder_argument_run run;
    const uint32_t form =
        OMPD_CL_REGISTRY_ARGUMENT(ompd_cl_registry_argument_value, sizeof(cl_mem));
    if (!record) {
        return false;
    }
    recorder_arguments_begin(&record->arguments, &run);
    do {
        for (uint32_t i = 0; i < run.count; i++) {
            cl_mem memobj = (cl_mem)(uintptr_t)__atomic_load_n(&run.values[i], __ATOMIC_ACQUIRE);
            if (__atomic_load_n(&run.forms[i], __ATOMIC_ACQUIRE) == form &&
                refusal_is_misaligned_for(refusal, memobj, queue)) {
                return refusal_values(refusal, run.first + i, refusal->values[0],
                                      refusal->values[1]);
            }
        }
    } while (recorder_arguments_next(&run));
    return false;
}

/* Get the NAME of argument INDEX; false when the runtime does not know it. */
static bool argument_info_get(const struct refusal *refusal, cl_kernel kernel, cl_uint index,
                              cl_kernel_arg_info name, void *value, size_t size)
{
    cl_context context = refusal_context_of(ompd_cl_registry_kernel, kernel);
    return index < kernel_number(refusal, kernel, CL_KERNEL_NUM_ARGS) &&
           refusal_context_version(refusal, context) >= 120 &&
           refusal->target->clGetKernelArgInfo(kernel, index, name, size, value, NULL) ==
               CL_SUCCESS;
}

/* The type's name, without pointers. */
#define TYPE_SIZE 128

static bool argument_type_get(const struct refusal *refusal, cl_kernel kernel, cl_uint index,
                              char type[TYPE_SIZE])
{
    type[0] = '\0';
    return argument_info_get(refusal, kernel, index, CL_KERNEL_ARG_TYPE_NAME, type,
                             TYPE_SIZE - 1) &&
           memchr(type, '\0', TYPE_SIZE) && type[0] != '\0';
}

/* Whether TYPE is a built-in type of images: image2d_array_t, for example. */
static bool type_is_image(const char *type)
{
    return strncmp(type, "image1d_", strlen("image1d_")) == 0 ||
           strncmp(type, "image2d_", strlen("image2d_")) == 0 ||
           strncmp(type, "image3d_", strlen("image3d_")) == 0;
}

enum refusal_form refusal_argument_form(const struct refusal *refusal, cl_kernel kernel,
                                        cl_uint index)
{
    cl_kernel_arg_address_qualifier address = 0;
    char type[TYPE_SIZE];
    if (!argument_info_get(refusal, kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, &address,
                           sizeof(address)) ||
        !argument_type_get(refusal, kernel, index, type)) {
        return REFUSAL_FORM_UNKNOWN;
    }
    if (type_is_image(type)) {
        return REFUSAL_FORM_IMAGE;
    }
    if (strcmp(type, "sampler_t") == 0) {
        return REFUSAL_FORM_SAMPLER;
    }
    size_t length = strlen(type);
    if (type[length - 1] != '*') {
        return address == CL_KERNEL_ARG_ADDRESS_PRIVATE ? REFUSAL_FORM_VALUE : REFUSAL_FORM_UNKNOWN;
    }
    return address == CL_KERNEL_ARG_ADDRESS_LOCAL     ? REFUSAL_FORM_LOCAL
           : address == CL_KERNEL_ARG_ADDRESS_PRIVATE ? REFUSAL_FORM_UNKNOWN
                                                      : REFUSAL_FORM_BUFFER;
}

cl_kernel_arg_access_qualifier refusal_argument_access(const struct refusal *refusal,
                                                       cl_kernel kernel, cl_uint index)
{
    cl_kernel_arg_access_qualifier access = 0;
    return refusal_argument_form(refusal, kernel, index) == REFUSAL_FORM_IMAGE &&
                   argument_info_get(refusal, kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER,
                                     &access, sizeof(access))
               ? access
               : 0;
}

/* Built-in scalar types (OpenCL C 3.0 section 6.3.1). */
static const struct {
    const char *name;
    uint8_t size;
} scalars[] = {
    {"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"half", 2},   {"int", 4},
    {"uint", 4}, {"float", 4}, {"long", 8},  {"ulong", 8},  {"double", 8},
};

/* The bytes of a vector of ELEMENTS, a decimal number or empty, of SIZE bytes each; 0 for another
 * text. A vector of three has the size of four. */
static uint64_t vector_size(const char *elements, uint64_t size)
{
    static const struct {
        const char *text;
        uint8_t count;
    } counts[] = {{"", 1}, {"2", 2}, {"3", 4}, {"4", 4}, {"8", 8}, {"16", 16}};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        if (strcmp(elements, counts[i].text) == 0) {
            return size * counts[i].count;
        }
    }
    return 0;
}

uint64_t refusal_argument_size(const struct refusal *refusal, cl_kernel kernel, cl_uint index)
{
    char type[TYPE_SIZE];
    if (refusal_argument_form(refusal, kernel, index) != REFUSAL_FORM_VALUE ||
        !argument_type_get(refusal, kernel, index, type)) {
        return 0;
    }
    for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
        size_t length = strlen(scalars[i].name);
        uint64_t size = strncmp(type, scalars[i].name, length) == 0
                            ? vector_size(type + length, scalars[i].size)
                            : 0;
        if (size) {
            return size;
        }
    }
    return 0;
}

/* ---- Work sizes ------------------------------------------------------------------------------ */

/* A number that the runtime has for NAME of a live kernel on DEVICE; 0 for none. */
static uint64_t work_group_number(const struct refusal *refusal, cl_kernel kernel,
                                  cl_device_id device, cl_kernel_work_group_info name)
{
    size_t number = 0;
    return device && refusal_is_live(ompd_cl_registry_kernel, kernel) &&
                   refusal->target->clGetKernelWorkGroupInfo(kernel, device, name, sizeof(number),
                                                             &number, NULL) == CL_SUCCESS
               ? number
               : 0;
}

/* Read as many of SIZES as WORK has dimensions; the others become 1. */
static bool sizes_read(size_t read[DIMENSIONS], const struct refusal_work *work,
                       const size_t *sizes)
{
    for (uint32_t i = 0; i < DIMENSIONS; i++) {
        read[i] = 1;
    }
    return sizes && work->dimensions >= 1 && work->dimensions <= DIMENSIONS &&
           refusal_read(read, sizes, work->dimensions * sizeof(sizes[0]));
}

bool refusal_work_has_zero(struct refusal *refusal, const struct refusal_work *work,
                           const size_t *sizes)
{
    size_t read[DIMENSIONS];
    bool is_read = sizes_read(read, work, sizes);
    for (uint32_t i = 0; is_read && i < work->dimensions; i++) {
        if (read[i] == 0) {
            return refusal_values(refusal, i, 0, 0);
        }
    }
    return false;
}

bool refusal_work_is_ragged(struct refusal *refusal, const struct refusal_work *work)
{
    size_t global[DIMENSIONS];
    size_t local[DIMENSIONS];
    bool is_read = sizes_read(global, work, work->global) && sizes_read(local, work, work->local);
    for (uint32_t i = 0; is_read && i < work->dimensions; i++) {
        if (local[i] && global[i] % local[i]) {
            return refusal_values(refusal, i, global[i], local[i]);
        }
    }
    return false;
}

/* Whether the work-group has more than LIMIT work-items, which is not 0. */
static bool group_exceeds(struct refusal *refusal, const struct refusal_work *work, uint64_t limit)
{
    size_t local[DIMENSIONS];
    uint64_t items = 1;
    if (!limit || !sizes_read(local, work, work->local)) {
        return false;
    }
    for (uint32_t i = 0; i < work->dimensions; i++) {
        if (__builtin_mul_overflow(items, (uint64_t)local[i], &items)) {
            return false;
        }
    }
    return items > limit && refusal_values(refusal, items, limit, 0);
}

bool refusal_work_exceeds_device(struct refusal *refusal, const struct refusal_work *work)
{
    return group_exceeds(refusal, work,
                         refusal_device_number(refusal, refusal_queue_device(work->queue),
                                               CL_DEVICE_MAX_WORK_GROUP_SIZE));
}

bool refusal_work_exceeds_kernel(struct refusal *refusal, const struct refusal_work *work)
{
    return group_exceeds(refusal, work,
                         work_group_number(refusal, work->kernel, refusal_queue_device(work->queue),
                                           CL_KERNEL_WORK_GROUP_SIZE));
}

/* The local size that the kernel requires. Returns false when it requires none. */
static bool required_size_get(const struct refusal *refusal, const struct refusal_work *work,
                              size_t required[DIMENSIONS])
{
    cl_device_id device = refusal_queue_device(work->queue);
    return device && refusal_is_live(ompd_cl_registry_kernel, work->kernel) &&
           refusal->target->clGetKernelWorkGroupInfo(
               work->kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
               DIMENSIONS * sizeof(required[0]), required, NULL) == CL_SUCCESS &&
           required[0];
}

bool refusal_work_is_required(struct refusal *refusal, const struct refusal_work *work)
{
    size_t required[DIMENSIONS];
    return required_size_get(refusal, work, required) &&
           refusal_values(refusal, required[0], required[1], required[2]);
}

bool refusal_work_differs(struct refusal *refusal, const struct refusal_work *work)
{
    size_t required[DIMENSIONS];
    size_t local[DIMENSIONS];
    bool is_known =
        required_size_get(refusal, work, required) && sizes_read(local, work, work->local);
    for (uint32_t i = 0; is_known && i < DIMENSIONS; i++) {
        if (local[i] != required[i]) {
            return refusal_values(refusal, i, local[i], required[i]);
        }
    }
    return false;
}

bool refusal_work_item_exceeds(struct refusal *refusal, const struct refusal_work *work)
{
    cl_device_id device = refusal_queue_device(work->queue);
    size_t limits[DIMENSIONS] = {0, 0, 0};
    size_t local[DIMENSIONS];
    if (!device || !sizes_read(local, work, work->local) ||
        refusal->target->clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(limits),
                                         limits, NULL) != CL_SUCCESS) {
        return false;
    }
    for (uint32_t i = 0; i < work->dimensions; i++) {
        if (limits[i] && local[i] > limits[i]) {
            return refusal_values(refusal, i, local[i], limits[i]);
        }
    }
    return false;
}

bool refusal_work_is_beyond(struct refusal *refusal, const struct refusal_work *work)
{
    uint64_t bits =
        refusal_device_number(refusal, refusal_queue_device(work->queue), CL_DEVICE_ADDRESS_BITS);
    size_t offset[DIMENSIONS];
    size_t global[DIMENSIONS];
    uint64_t last = bits == 32 ? UINT32_MAX : UINT64_MAX;
    bool is_read =
        bits && sizes_read(offset, work, work->offset) && sizes_read(global, work, work->global);
    for (uint32_t i = 0; is_read && i < work->dimensions; i++) {
        if (offset[i] > last || global[i] > last - offset[i]) {
            return refusal_values(refusal, i, offset[i], global[i]);
        }
    }
    return false;
}
