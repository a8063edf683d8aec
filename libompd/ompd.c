/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The life cycle of OMPD (OpenMP 6.0 section 41.1): a default callback table, used by
 * ompd_process_initialize alone. */
#include "address-space.h"

#include <stdatomic.h>
#include <string.h>

/* The oldest OMPD interface, OpenMP 5.0 preview: what LLVM's plugin asks for. */
#define OLDEST_INTERFACE_VERSION 201811

/* The table is replaced and copied under a lock that is held for a copy of 88 bytes. */
static atomic_flag default_lock = ATOMIC_FLAG_INIT;
static ompd_callbacks_t default_callbacks;
static bool is_initialized;

static void lock_default(void)
{
    while (atomic_flag_test_and_set_explicit(&default_lock, memory_order_acquire))
        continue;
}

static void unlock_default(void)
{
    atomic_flag_clear_explicit(&default_lock, memory_order_release);
}

PUBLIC ompd_rc_t ompd_initialize(ompd_word_t api_version, const ompd_callbacks_t *callbacks)
{
    if (callbacks == NULL)
        return ompd_rc_bad_input;
    if (api_version < OLDEST_INTERFACE_VERSION || !callbacks_are_complete(callbacks))
        return ompd_rc_unsupported;
    lock_default();
    default_callbacks = *callbacks;
    is_initialized = true;
    unlock_default();
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_finalize(void)
{
    bool was_initialized;

    lock_default();
    was_initialized = is_initialized;
    is_initialized = false;
    unlock_default();
    return was_initialized ? ompd_rc_ok : ompd_rc_error;
}

PUBLIC ompd_rc_t ompd_process_initialize(ompd_address_space_context_t *context,
                                         ompd_address_space_handle_t **handle)
{
    static const ompd_cl_extra_t no_extra;
    ompd_callbacks_t callbacks;
    bool was_initialized;

    if (handle == NULL)
        return ompd_rc_bad_input;
    lock_default();
    callbacks = default_callbacks;
    was_initialized = is_initialized;
    unlock_default();
    if (!was_initialized)
        return ompd_rc_error;
    return address_space_create(&callbacks, &no_extra, context, handle);
}

/* The version of OpenMP that a target's runtime implements (OpenMP 6.0 section 41.2): OpenCL's has
 * none. */
static ompd_rc_t refuse_omp_version(ompd_address_space_handle_t *handle, const void *out)
{
    struct address_space *space;
    ompd_rc_t rc;

    if (out == NULL)
        return ompd_rc_bad_input;
    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_fail(space, ompd_rc_unsupported, "OpenCL has no version of OpenMP.");
}

PUBLIC ompd_rc_t ompd_get_omp_version(ompd_address_space_handle_t *handle, ompd_word_t *version)
{
    return refuse_omp_version(handle, version);
}

PUBLIC ompd_rc_t ompd_get_omp_version_string(ompd_address_space_handle_t *handle,
                                             const char **string)
{
    return refuse_omp_version(handle, string);
}
