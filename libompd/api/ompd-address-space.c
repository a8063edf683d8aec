/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Releasing the address space of a process or a device (OpenMP 6.0 section 41.8). */
#include "api/api.h"

PUBLIC ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *handle)
{
    struct resolved_handle resolved;
    ompd_rc_t rc;

    rc = address_space_enter_any(handle, &resolved);
    if (rc == ompd_rc_busy) {
        resolved.space = address_space_seize(handle, CALL_FRAME);
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
