/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Releases what a view holds when it runs out of memory. */
#include <view/model/model.h>

void view_memory_lost(ompd_view_t *view)
{
    view->is_out_of_memory = true;
    if (view->heap.end != NULL) /* the command goes on */
        return;
    view_lists_close(view);
    view_page_drop(view);
    view_new_file_drop(view);
    view->runs_verb = false;
    view->custom = NULL;
    view->spaces = NULL;
    view->answer = view->message = view->incompleteness = view->bindings = (struct text){0};
    view->why_incomplete = (struct text){0};
    view->json = view->line = view->styles = view->pending = (struct text){0};
}
