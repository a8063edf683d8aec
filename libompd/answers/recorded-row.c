/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of the recorder's records, completed by other records and layouts. */
#include "answers/list.h"

#include "answers/answers.h"
#include "sources/layout/layout-source.h"

/* Find out whether layouts show that the object of INFO, made of RECORD, no longer exists. Returns
 * as confirm_presence does. */
static ompd_rc_t confirm_recorded_row(struct address_space *space, const struct list *list,
                                      const uint8_t *record, void *info, bool *is_gone)
{
    enum presence presence;
    ompd_rc_t rc;

    *is_gone = false;
    if (!list->is_completed || !confirm_is_needed(list->kind, info))
        return ompd_rc_ok;
    /* The search is separate from the walk, which reads ahead. */
    read_ahead_end(&space->target);
    rc = confirm_presence(space, list->kind, record, info, &presence);
    read_ahead_begin(&space->target);
    *is_gone = presence == presence_destroyed;
    return rc;
}

/* Whether INFO is a callback whose event is destroyed. */
static bool is_never_called(uint32_t kind, const union row *info)
{
    return kind == ompd_cl_kind_callback &&
           info->callback.state.status == ompd_cl_status_not_applicable;
}

ompd_rc_t row_complete(struct address_space *space, uint32_t kind, union row *row)
{
    if (kind == ompd_cl_kind_queue)
        return queue_frees_complete(space, &row->queue);
    if (kind == ompd_cl_kind_command)
        return command_row_complete(space, &row->command);
    if (kind == ompd_cl_kind_command_buffer)
        return command_buffer_row_complete(space, &row->command_buffer);
    if (kind == ompd_cl_kind_semaphore)
        return semaphore_row_complete(space, &row->semaphore);
    return ompd_rc_ok;
}

ompd_rc_t list_row_add(struct address_space *space, const struct list *list, struct batch *batch,
                       const uint8_t *record, uint32_t index)
{
    union row local;
    void *info = batch_row(batch, &local);
    ompd_rc_t settled;
    bool is_gone;
    ompd_rc_t rc;

    rc = row_fill(space, list->kind, record, index, info);
    if (is_never_called(list->kind, info))
        return ompd_rc_ok;
    settled = confirm_recorded_row(space, list, record, info, &is_gone);
    if (settled != ompd_rc_ok || is_gone)
        return settled;
    if (rc == ompd_rc_ok && list->is_completed)
        rc = layout_row_complete(space, list->kind, info);
    if (rc_is_final(rc))
        return rc;
    settled = row_complete(space, list->kind, info);
    if (rc_is_final(settled))
        return settled;
    if (rc == ompd_rc_ok)
        rc = settled;
    batch_add(list, batch, info, rc);
    return ompd_rc_ok;
}
