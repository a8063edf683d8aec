/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the process that read a core passes on for counting. */
#include <command/triage/triage.h>

#include <string.h>

#define LONGEST_LINE 16000 /* bytes; a record has four lines */

/* Add TEXT as a line of at most LONGEST_LINE bytes. */
static void add_line(struct text *record, const char *text)
{
    struct text line = {0};

    text_escape(&line, text);
    text_append(record, text_get(&line), line.length < LONGEST_LINE ? line.length : LONGEST_LINE);
    text_put(record, "\n");
    text_free(&line);
}

/* The program that the core is counted with; "": any. */
static const char *grouping_program(const struct command_verdict *verdict)
{
    const struct command_session *session = &verdict->session;

    if (session->options.mixes_programs || session->target == NULL || session->info.program == NULL)
        return "";
    return text_file_name(session->info.program);
}

void command_core_record_write(const struct command_verdict *verdict, FILE *file)
{
    struct command_class class = command_class_find(verdict);
    const struct command_waits *waits = &verdict->waits;
    struct command_signature places = {.text = {0}};
    struct text record = {0};
    struct text word = {0};
    bool has_waited = class.name != NULL && (verdict->session.info.signal == 0 ||
                                             strncmp(class.name, "hang", strlen("hang")) == 0);

    for (size_t i = 0; has_waited && i < waits->count; i++)
        command_signature_add_wait(&places, verdict->rules, &waits->places[i].frames);
    text_add(&word, "%s%s", class.is_presumed ? COMMAND_RECORD_PRESUMED : "",
             class.name != NULL ? class.name : "");
    add_line(&record, word.bytes);
    add_line(&record, text_get(&verdict->signature.coarse));
    add_line(&record, grouping_program(verdict));
    add_line(&record, text_get(&places.text));
    fwrite(record.bytes, 1, record.length, file);
    command_signature_free(&places);
    text_free(&record);
    text_free(&word);
}
