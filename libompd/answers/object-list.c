/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of all objects of a kind, from all sources. */
#include "answers/list.h"

#include "answers/answers.h"
#include "sources/layout/layout-source.h"

const struct source *const sources_all[SOURCE_COUNT] = {&source_recorder, &source_layout,
                                                        &source_stack};

/* Add the rows of each source that those before it do not have. A list stays with the last source
 * that had rows: at a later stop there may be more. */
static ompd_rc_t object_list_fill(struct address_space *space, struct list *list,
                                  struct batch *batch)
{
    bool is_of_layouts = layout_row_objects(list->kind) != 0;
    ompd_rc_t rc = is_of_layouts ? sources_open(space) : ompd_rc_ok;
    ompd_rc_t found = ompd_rc_ok;
    bool is_over = true;

    if (rc == ompd_rc_ok && is_of_layouts)
        found = sources_find_layouts(space, &list->is_completed);
    if (rc_is_final(found))
        return found;
    for (uint32_t i = list->source; i < SOURCE_COUNT && rc == ompd_rc_ok && is_over; i++) {
        rc = sources_all[i]->fill(space, list, batch, &is_over);
        if (!is_over)
            list->source = i;
    }
    return rc == ompd_rc_ok ? found : rc;
}

ompd_rc_t list_open_table(struct address_space *space, uint32_t kind,
                          const ompd_cl_filter_t *filter, ompd_cl_list_t *id)
{
    struct list *list = NULL;
    ompd_rc_t rc;

    if (kind == ompd_cl_kind_command)
        command_completion_retry(space);
    rc = list_open_filtered(space, kind, object_list_fill, filter, id, &list);
    if (rc == ompd_rc_ok)
        list->walk.table = &space->recorder->registry.tables[record_decoder_table(kind)];
    return rc;
}
