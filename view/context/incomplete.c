/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See context.h. */
#include <view/context/context.h>

#include <string.h>

void view_incomplete_tell(ompd_view_t *view)
{
    struct text note = {0};
    bool is_own = false;

    /* A verb of the front end's own tells by itself. */
    for (size_t i = 0; view_verb_own(view, i) != NULL; i++)
        is_own |= view->verb != NULL && strcmp(view_verb_own(view, i)->name, view->verb) == 0;
    if (view->failure != ompd_view_exit_incomplete || view->options.is_json || !is_own ||
        view->has_told_why || view->message.length != 0)
        return;
    text_put(&note, "The answer is incomplete");
    if (view->why_incomplete.length != 0) {
        text_put(&note, ".  ");
        text_escape(&note, view->why_incomplete.bytes);
    } else {
        text_put(&note, ".");
    }
    view_note_write(view, "", note.bytes);
    text_free(&note);
}
