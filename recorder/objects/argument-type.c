/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/kinds.h"

#include <string.h>

/* The scalar types of OpenCL C that a kernel's argument may have. */
static const struct scalar_type {
    const char *name;
    uint8_t size; /* bytes */
    bool has_vectors;
} scalar_types[] = {
    {"char", 1, true},
    {"uchar", 1, true},
    {"unsigned char", 1, false},
    {"unsignedchar", 1, false},
    {"short", 2, true},
    {"ushort", 2, true},
    {"unsigned short", 2, false},
    {"unsignedshort", 2, false},
    {"int", 4, true},
    {"uint", 4, true},
    {"unsigned int", 4, false},
    {"unsignedint", 4, false},
    {"long", 8, true},
    {"ulong", 8, true},
    {"unsigned long", 8, false},
    {"unsignedlong", 8, false},
    {"half", 2, true},
    {"float", 4, true},
    {"double", 8, true},
};

/* The factor of a vector type's size that ends in COUNT; 0 for none. A vector of 3 has the size of
 * one of 4 (OpenCL C 3.0, 6.3.5). */
static uint32_t vector_factor(const char *count)
{
    static const struct {
        const char *count;
        uint32_t factor;
    } factors[] = {{"", 1}, {"2", 2}, {"3", 4}, {"4", 4}, {"8", 8}, {"16", 16}};
    for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
        if (strcmp(count, factors[i].count) == 0) {
            return factors[i].factor;
        }
    }
    return 0;
}

/* The size of the scalar or vector type NAME in bytes; 0 when it is another type. */
static uint32_t number_type_size(const char *name)
{
    for (size_t i = 0; i < sizeof(scalar_types) / sizeof(scalar_types[0]); i++) {
        const struct scalar_type *type = &scalar_types[i];
        size_t length = strlen(type->name);
        if (strncmp(name, type->name, length) == 0) {
            uint32_t factor = vector_factor(name + length);
            if (factor == 1 || (factor && type->has_vectors)) {
                return type->size * factor;
            }
        }
    }
    return 0;
}

static bool type_is_pointer(const char *name)
{
    size_t length = strlen(name);
    return length && name[length - 1] == '*';
}

static bool type_is_image(const char *name)
{
    size_t length = strlen(name);
    return strncmp(name, "image", 5) == 0 && length > 7 && strcmp(name + length - 2, "_t") == 0;
}

uint32_t recorder_argument_type_size(cl_kernel_arg_address_qualifier address, const char *name)
{
    switch (address) {
    case CL_KERNEL_ARG_ADDRESS_GLOBAL:
    case CL_KERNEL_ARG_ADDRESS_CONSTANT:
        return type_is_pointer(name) || type_is_image(name) ? sizeof(cl_mem) : 0;
    case CL_KERNEL_ARG_ADDRESS_PRIVATE:
        return strcmp(name, "sampler_t") == 0 ? sizeof(cl_sampler) : number_type_size(name);
    default:
        return 0; /* local memory has any size */
    }
}
