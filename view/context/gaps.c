/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See context.h. */
#include <view/context/context.h>

#include <stdbool.h>
#include <string.h>

void view_gaps_take(ompd_view_t *view)
{
    struct text *gaps = &view->gaps;
    const char *note;

    text_clear(gaps);
    for (uint32_t i = 0;
         ompd_cl_note_get(view->use.space, i, &note) == ompd_rc_ok && note[0] != '\0'; i++) {
        size_t start = gaps->length;

        text_escape(gaps, note);
        if (gaps->bytes[start] >= 'a' && gaps->bytes[start] <= 'z')
            gaps->bytes[start] -= 'a' - 'A';
        text_put(gaps, "\n");
    }
}

/* Have in SENTENCE the next one behind *AT, which may be NULL.  False at the end. */
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

struct text view_gaps_get(ompd_view_t *view)
{
    struct text gaps = view->gaps;

    view->gaps = (struct text){0};
    return gaps;
}

struct text view_gaps_take_freed(ompd_view_t *view)
{
    static const char start[] = "Freed memory ";
    struct text gaps = view_gaps_get(view);
    struct text sentence = {0};
    struct text freed = {0};
    const char *at = gaps.bytes;

    while (take_sentence(&at, &sentence)) {
        if (strncmp(sentence.bytes, start, strlen(start)) != 0) {
            text_add(&view->gaps, "%s\n", sentence.bytes);
            continue;
        }
        if (freed.length == 0)
            sentence.bytes[0] = 'f';
        text_add(&freed, "%s%s", freed.length != 0 ? " " : "", sentence.bytes);
    }
    text_free(&gaps);
    return freed;
}

void view_gaps_write(ompd_view_t *view, const char *indent, const struct text *gaps)
{
    struct text sentence = {0};
    const char *at = gaps->bytes;

    while (take_sentence(&at, &sentence))
        view_note_write(view, indent, sentence.bytes);
}

void view_gaps_json(const ompd_view_t *view, struct json *json)
{
    struct text sentence = {0};
    const char *at = view->gaps.bytes;
    const char *between = "[";

    if (view->gaps.length == 0)
        return;
    json_key(json, "notes");
    while (take_sentence(&at, &sentence)) {
        text_put(json->text, between);
        json_quote(json->text, sentence.bytes);
        between = ", ";
    }
    text_put(json->text, "]");
}

void view_gaps_join(const ompd_view_t *view, struct text *text)
{
    struct text sentence = {0};
    const char *at = view->gaps.bytes;

    while (take_sentence(&at, &sentence))
        text_add(text, "%s%s", text->length != 0 ? " " : "", sentence.bytes);
}
