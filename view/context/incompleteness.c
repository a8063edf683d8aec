/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See context.h. */
#include <view/context/context.h>

#include <stdbool.h>
#include <string.h>

void view_incompleteness_take(ompd_view_t *view)
{
    struct text *incompleteness = &view->incompleteness;
    const char *note;

    text_clear(incompleteness);
    for (uint32_t i = 0;
         ompd_cl_note_get(view->use.space, i, &note) == ompd_rc_ok && note[0] != '\0'; i++) {
        size_t start = incompleteness->length;

        text_escape(incompleteness, note);
        if (incompleteness->bytes[start] >= 'a' && incompleteness->bytes[start] <= 'z')
            incompleteness->bytes[start] -= 'a' - 'A';
        text_put(incompleteness, "\n");
    }
}

/* Get the next SENTENCE after *AT, which may be NULL. False at the end. */
static bool take_sentence(const char **at, struct text *sentence)
{
    const char *end = *at != NULL ? strchr(*at, '\n') : NULL;

    text_clear(sentence);
    if (end == NULL) {
        text_free(sentence);
        return false;
    }
    text_append(sentence, *at, (size_t)(end - *at));
    *at = end + 1;
    return true;
}

struct text view_incompleteness_get(ompd_view_t *view)
{
    struct text incompleteness = view->incompleteness;

    view->incompleteness = (struct text){0};
    return incompleteness;
}

struct text view_incompleteness_take_freed(ompd_view_t *view)
{
    static const char start[] = "Freed memory ";
    struct text incompleteness = view_incompleteness_get(view);
    struct text sentence = {0};
    struct text freed = {0};
    const char *at = incompleteness.bytes;

    while (take_sentence(&at, &sentence)) {
        if (strncmp(sentence.bytes, start, strlen(start)) != 0) {
            text_add(&view->incompleteness, "%s\n", sentence.bytes);
            continue;
        }
        if (freed.length == 0)
            sentence.bytes[0] = 'f';
        text_add(&freed, "%s%s", freed.length != 0 ? " " : "", sentence.bytes);
    }
    text_free(&incompleteness);
    return freed;
}

void view_incompleteness_write(ompd_view_t *view, const char *indent,
                               const struct text *incompleteness)
{
    struct text sentence = {0};
    const char *at = incompleteness->bytes;

    while (take_sentence(&at, &sentence))
        view_note_write(view, indent, sentence.bytes);
}

void view_incompleteness_json(const ompd_view_t *view, struct json *json)
{
    struct text sentence = {0};
    const char *at = view->incompleteness.bytes;
    const char *between = "[";

    if (view->incompleteness.length == 0)
        return;
    json_key(json, "notes");
    while (take_sentence(&at, &sentence)) {
        text_put(json->text, between);
        json_quote(json->text, sentence.bytes);
        between = ", ";
    }
    text_put(json->text, "]");
}

void view_incompleteness_join(const ompd_view_t *view, struct text *text)
{
    struct text sentence = {0};
    const char *at = view->incompleteness.bytes;

    while (take_sentence(&at, &sentence))
        text_add(text, "%s%s", text->length != 0 ? " " : "", sentence.bytes);
}

void view_incompleteness_report(ompd_view_t *view)
{
    struct text note = {0};
    bool is_own = false;

    /* A front end's own verb reports this itself. */
    for (size_t i = 0; view_builtin_verb_get(view, i) != NULL; i++)
        is_own |=
            view->verb != NULL && strcmp(view_builtin_verb_get(view, i)->name, view->verb) == 0;
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
