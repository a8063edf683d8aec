/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The life cycle of OMPD (OpenMP 6.0 section 41.1): a default callback table, which only
 * ompd_process_initialize uses. */
#include "api/api.h"

#include <stdatomic.h>
#include <string.h>

/* The oldest OMPD interface, OpenMP 5.0 preview, which LLVM's plugin requests. */
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
    const char *missing;

    if (callbacks == NULL)
        return address_space_fail_creation(ompd_rc_bad_input, "the callback table is NULL.");
    missing = callbacks_find_missing(callbacks);
    if (missing != NULL)
        return address_space_fail_creation(ompd_rc_bad_input, missing);
    if (api_version < OLDEST_INTERFACE_VERSION)
        return address_space_fail_creation(ompd_rc_unsupported,
                                           "the tool's OMPD interface is older than OpenMP 5.0.");
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
    return was_initialized ? ompd_rc_ok : ompd_rc_unsupported;
}

/* Return whether the library can handle the process of HANDLE, which need not have a recorder
 * yet. */
static ompd_rc_t confirm_process(const ompd_address_space_handle_t *handle)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = sources_enter_recorder(handle, &space);
    if (rc == ompd_rc_unavailable) {
        message_clear(&space->message);
        return ompd_rc_ok;
    }
    if (rc == ompd_rc_incompatible)
        return address_space_fail_creation(rc, "the recorder in the process is newer than this "
                                               "library; use the library that came with it.");
    if (rc != ompd_rc_ok)
        return address_space_fail_creation(
            rc, "the registry of the recorder in the process could not be read.");
    return address_space_leave(space, ompd_rc_ok);
}

PUBLIC ompd_rc_t ompd_process_initialize(ompd_address_space_context_t *context,
                                         ompd_address_space_handle_t **handle)
{
    static const ompd_cl_extra_t no_extra;
    ompd_address_space_handle_t *made;
    ompd_callbacks_t callbacks;
    bool was_initialized;
    ompd_rc_t rc;

    if (handle == NULL)
        return address_space_fail_creation(ompd_rc_bad_input, "the handle is NULL.");
    lock_default();
    callbacks = default_callbacks;
    was_initialized = is_initialized;
    unlock_default();
    if (!was_initialized)
        return address_space_fail_creation(ompd_rc_error,
                                           "no callbacks are set; call ompd_initialize first.");
    rc = address_space_create(&callbacks, &no_extra, context, CALL_FRAME, &made);
    if (rc != ompd_rc_ok)
        return rc;
    rc = confirm_process(made);
    if (rc != ompd_rc_ok) {
        ompd_rel_address_space_handle(made);
        return rc;
    }
    address_space_publish(made);
    *handle = made;
    return ompd_rc_ok;
}

/* OpenCL runtimes do not implement a version of OpenMP (OpenMP 6.0 section 41.3). */
static ompd_rc_t fail_omp_version(ompd_address_space_handle_t *handle, const void *out)
{
    struct resolved_handle resolved;
    ompd_rc_t rc;

    rc = address_space_enter_any(handle, &resolved);
    if (rc != ompd_rc_ok)
        return rc;
    if (out == NULL)
        rc = address_space_refuse_null(resolved.space, "the version");
    else
        rc = address_space_fail(resolved.space, ompd_rc_unsupported,
                                "OpenCL does not implement a version of OpenMP.");
    return address_space_leave(resolved.space, rc);
}

PUBLIC ompd_rc_t ompd_get_omp_version(ompd_address_space_handle_t *handle, ompd_word_t *version)
{
    return fail_omp_version(handle, version);
}

PUBLIC ompd_rc_t ompd_get_omp_version_string(ompd_address_space_handle_t *handle,
                                             const char **string)
{
    return fail_omp_version(handle, string);
}

/* ---- Address spaces -------------------------------------------------------------------------- */

/* Releasing the address space of a process or a device (OpenMP 6.0 section 41.8). */

PUBLIC ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *handle)
{
    struct resolved_handle resolved;
    ompd_rc_t rc;

    rc = address_space_enter_any(handle, &resolved);
    if (rc == ompd_rc_busy) {
        resolved.space = address_space_reclaim(handle, CALL_FRAME);
        resolved.kind = handle_of_process;
    }
    if (rc != ompd_rc_ok && (rc != ompd_rc_busy || resolved.space == NULL))
        return rc;
    if (resolved.kind == handle_of_device) {
        handle_table_remove(&resolved.space->handles, resolved.entry);
        return address_space_leave(resolved.space, ompd_rc_ok);
    }
    rc = address_space_close(resolved.space);
    if (rc != ompd_rc_ok)
        return address_space_leave(resolved.space, rc);
    display_forget(resolved.space);
    address_space_free(resolved.space);
    return ompd_rc_ok;
}
