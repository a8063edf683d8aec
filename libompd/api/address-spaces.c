/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Creates an address space with its own callbacks, and advances it to the next stop. */
#include "api/api.h"

#include <ompd-opencl.h>
#include <string.h>

/* Copy the part of the optional table that the tool's header has; the rest is NULL. */
static bool copy_extra(const ompd_cl_extra_t *extra, ompd_cl_extra_t *copy)
{
    memset(copy, 0, sizeof(*copy));
    if (extra == NULL)
        return true;
    if (extra->struct_size < sizeof(extra->struct_size))
        return false;
    memcpy(copy, extra,
           extra->struct_size < sizeof(*copy) ? (size_t)extra->struct_size : sizeof(*copy));
    return true;
}

PUBLIC ompd_rc_t ompd_cl_address_space_create(const ompd_callbacks_t *callbacks,
                                              const ompd_cl_extra_t *extra,
                                              ompd_address_space_context_t *tool_context,
                                              ompd_address_space_handle_t **handle)
{
    ompd_cl_extra_t copy;
    const char *missing;
    ompd_rc_t rc;

    if (callbacks == NULL || handle == NULL)
        return address_space_fail_creation(ompd_rc_bad_input,
                                           "the callback table or the handle is NULL.");
    if (!copy_extra(extra, &copy))
        return address_space_fail_creation(ompd_rc_bad_input,
                                           "struct_size of the optional table is not set.");
    missing = callbacks_find_missing(callbacks);
    if (missing != NULL)
        return address_space_fail_creation(ompd_rc_unsupported, missing);
    rc = address_space_create(callbacks, &copy, tool_context, CALL_FRAME, handle);
    if (rc == ompd_rc_ok)
        address_space_publish(*handle);
    return rc;
}

PUBLIC ompd_rc_t ompd_cl_address_space_refresh(ompd_address_space_handle_t *handle)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    target_refresh(&space->target);
    return address_space_leave(space, sources_open_any(space));
}

/* ---- The log --------------------------------------------------------------------------------- */

static ompd_rc_t set_log_level(struct address_space *space, ompd_cl_log_level_t level)
{
    struct log *log = &space->target.log;

    if ((uint32_t)level > ompd_cl_log_level_read)
        return address_space_fail(space, ompd_rc_bad_input,
                                  "unknown log level; use an ompd_cl_log_level_t.");
    if (level != ompd_cl_log_level_none && log->print == NULL)
        return address_space_fail(space, ompd_rc_unsupported,
                                  "the log needs print_string, which the tool does not have.");
    log->level = (uint32_t)level;
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_log_level_set(ompd_address_space_handle_t *handle,
                                       ompd_cl_log_level_t level)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(space, set_log_level(space, level));
}

/* ---- The version ----------------------------------------------------------------------------- */

/* Versions: of the library and of the OMPD interface that it speaks. */

/* OpenMP 6.0's value of _OPENMP. */
#define OMPD_INTERFACE_VERSION 202411

PUBLIC ompd_rc_t ompd_cl_version_get(uint32_t *major, uint32_t *minor)
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
