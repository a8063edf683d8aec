/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See gaps.h. */
#include <host/command/gaps.h>

#include <host/command/notes.h>
#include <stdbool.h>
#include <string.h>

void command_gaps_take(struct command_session *session)
{
    struct command_text *gaps = &session->gaps;
    const char *note;

    command_text_clear(gaps);
    for (uint32_t i = 0;
         ompd_cl_note_get(session->space, i, &note) == ompd_rc_ok && note[0] != '\0'; i++) {
        size_t start = gaps->length;

        command_text_escape(gaps, note);
        if (gaps->bytes[start] >= 'a' && gaps->bytes[start] <= 'z')
            gaps->bytes[start] -= 'a' - 'A';
        command_text_add(gaps, "\n");
    }
}

/* Have in SENTENCE the next one behind *AT, which may be NULL.  False at the end. */
static bool take_sentence(const char **at, struct command_text *sentence)
{
    const char *end = *at != NULL ? strchr(*at, '\n') : NULL;

    command_text_clear(sentence);
    if (end == NULL) {
        command_text_free(sentence);
        return false;
    }
    command_text_append(sentence, *at, (size_t)(end - *at));
    *at = end + 1;
    return true;
}

struct command_text command_gaps_get(struct command_session *session)
{
    struct command_text gaps = session->gaps;

    session->gaps = (struct command_text){0};
    return gaps;
}

void command_gaps_write(struct command_session *session, const char *indent,
                        const struct command_text *gaps)
{
    struct command_text sentence = {0};
    const char *at = gaps->bytes;

    while (take_sentence(&at, &sentence))
        command_note_write(session, indent, sentence.bytes);
}

void command_gaps_json(struct command_json *json)
{
    struct command_text sentence = {0};
    const char *at = json->session->gaps.bytes;
    const char *between = "[";

    if (json->session->gaps.length == 0)
        return;
    command_json_key(json, "notes");
    while (take_sentence(&at, &sentence)) {
        command_text_add(json->text, "%s", between);
        command_json_quote(json->text, sentence.bytes);
        between = ", ";
    }
    command_text_add(json->text, "]");
}

void command_gaps_join(const struct command_session *session, struct command_text *text)
{
    struct command_text sentence = {0};
    const char *at = session->gaps.bytes;

    while (take_sentence(&at, &sentence))
        command_text_add(text, "%s%s", text->length != 0 ? " " : "", sentence.bytes);
}
