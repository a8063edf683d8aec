/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See facts.h: the facts as lines of text or JSON. */
#include <command/run/facts.h>
#include <inttypes.h>
#include <stdlib.h>

#define MOST_FRAMES 128 /* the recorder's maximum */

#define HISTORY 256 /* the recorder's default */

void run_place_add(const struct command_facts *facts, const ompd_cl_value_t *caller,
                   const ompd_cl_value_t *stack, struct text *text)
{
    ompd_addr_t frames[MOST_FRAMES];
    ompd_size_t count = 0;
    ompd_view_value_t value = {.struct_size = sizeof(value),
                               .type = ompd_cl_type_caller,
                               .status = ompd_cl_status_value,
                               .number = caller->value,
                               .frames = frames};

    if (caller->value == 0)
        return;
    if (stack->value != 0 && ompd_cl_stack_get(facts->session->space, stack->value, MOST_FRAMES,
                                               frames, &count) == ompd_rc_ok)
        value.frame_count = count;
    text_add(text, " at %s", ompd_view_value_describe(facts->session->view, &value));
}

uint64_t run_history_length(void)
{
    const char *text = getenv("OMPD_OPENCL_HISTORY");
    char *end = NULL;
    unsigned long length = text != NULL ? strtoul(text, &end, 10) : HISTORY;

    return text != NULL && end == text ? HISTORY : length;
}

void run_section_write(const struct command_facts *facts, const struct run_tally *tally,
                       struct text *title)
{
    if (title->length != 0)
        text_put(title, "\n");
    for (size_t i = 0; i < tally->count; i++) {
        const struct run_tally_entry *entry = tally->entries[i];

        text_add(title, "  %s", entry->text != NULL ? entry->text : entry->key);
        if (entry->count > 1)
            text_add(title, ", %" PRIu64 " times", entry->count);
        if (entry->reason != NULL)
            text_add(title, ": %s", entry->reason);
        text_put(title, "\n");
    }
    ompd_view_text_write(facts->session->view, ompd_view_style_plain, title->bytes);
    text_free(title);
}

void run_lines_write(const struct command_facts *facts, const struct run_tally *tally,
                     const char *key, ompd_cl_kind_t kind, const char *field)
{
    ompd_view_t *view = facts->session->view;

    for (size_t i = 0; i < tally->count; i++) {
        const struct run_tally_entry *entry = tally->entries[i];
        uint64_t number = command_row_number(kind, entry->row, field);

        ompd_view_json_begin(view, NULL, false);
        command_json_text(view, key, command_number_name(kind, field, number));
        command_json_number(view, "times", (int64_t)entry->count);
        ompd_view_json_row_add(view, kind, entry->row);
        ompd_view_json_end(view);
    }
}
