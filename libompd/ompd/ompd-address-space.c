/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Releasing the address space of a process or a device (OpenMP 6.0 section 41.8). */
#include "lists/list.h"
#include "ompd/ompd-display.h"

PUBLIC ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *handle)
{
    struct subject subject;
    ompd_rc_t rc;

    rc = address_space_enter_any(handle, &subject);
    if (rc == ompd_rc_busy) {
        subject.space = address_space_seize(handle, __builtin_frame_address(0));
        subject.kind = handle_of_process;
    }
    if (rc != ompd_rc_ok && (rc != ompd_rc_busy || subject.space == NULL))
        return rc;
    if (subject.kind == handle_of_device) {
        handle_table_remove(&subject.space->handles, subject.entry);
        return address_space_leave(subject.space, ompd_rc_ok);
    }
    rc = address_space_close(subject.space);
    if (rc != ompd_rc_ok)
        return address_space_leave(subject.space, rc);
    display_forget(subject.space);
    address_space_free(subject.space);
    return ompd_rc_ok;
}
