/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Versions: of the library and of the OMPD interface that it speaks. */
#include "api/api.h"

#include <ompd-opencl.h>

/* OpenMP 6.0's value of _OPENMP. */
#define OMPD_INTERFACE_VERSION 202411

PUBLIC ompd_rc_t ompd_cl_get_version(uint32_t *major, uint32_t *minor)
{
    if (major == NULL || minor == NULL)
        return ompd_rc_bad_input;
    *major = OMPD_CL_VERSION_MAJOR;
    *minor = OMPD_CL_VERSION_MINOR;
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_get_api_version(ompd_word_t *version)
{
    if (version == NULL)
        return ompd_rc_bad_input;
    *version = OMPD_INTERFACE_VERSION;
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_get_version_string(const char **string)
{
    if (string == NULL)
        return ompd_rc_bad_input;
    *string = "ompd-opencl " PACKAGE_VERSION;
    return ompd_rc_ok;
}
