/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The diagnostic log: one line for each event, printed by the tool's print_string. */
#include "base/base.h"

/* OMPD's return codes by number. */
static const char *const codes[] = {
    [ompd_rc_ok] = "ok",
    [ompd_rc_unavailable] = "unavailable",
    [ompd_rc_stale_handle] = "stale handle",
    [ompd_rc_bad_input] = "bad input",
    [ompd_rc_error] = "error",
    [ompd_rc_unsupported] = "unsupported",
    [ompd_rc_needs_state_tracking] = "needs state tracking",
    [ompd_rc_incompatible] = "incompatible",
    [ompd_rc_device_read_error] = "read error",
    [ompd_rc_device_write_error] = "write error",
    [ompd_rc_nomem] = "out of memory",
    [ompd_rc_incomplete] = "incomplete",
    [ompd_rc_callback_error] = "callback error",
    [ompd_rc_incompatible_handle] = "incompatible handle",
};

#define CODE_COUNT (sizeof(codes) / sizeof(codes[0]))

void log_open(struct log *log, struct call *call, const ompd_callbacks_t *callbacks, uint32_t level)
{
    log->call = call;
    log->print = callbacks->print_string;
    log->level = log->print != NULL ? level : ompd_cl_log_level_none;
}

void log_line_begin(struct message *line)
{
    message_clear(line);
    message_add(line, "ompd-opencl: ");
}

void log_line_add_code(struct message *line, ompd_rc_t rc)
{
    if ((unsigned)rc < CODE_COUNT) {
        message_add(line, codes[rc]);
    } else if (rc == ompd_rc_interrupted) {
        message_add(line, "interrupted");
    } else {
        message_add(line, "code ");
        message_add_decimal(line, (unsigned)rc);
    }
}

ompd_rc_t log_line_print(const struct log *log, ompd_cl_log_level_t level, struct message *line)
{
    const size_t most = MESSAGE_SIZE - sizeof("\n");
    ompd_rc_t rc;

    if (line->length > most)
        line->length = most;
    /* Names come from the target, and must not control the terminal that shows them. */
    for (size_t i = 0; i < line->length; i++) {
        if (line->text[i] < ' ' || line->text[i] > '~')
            line->text[i] = '?';
    }
    line->text[line->length] = '\0';
    message_add(line, "\n");
    rc = CALL_OUT(log->call, log->print(line->text, (int)level));
    return rc == ompd_rc_interrupted ? rc : ompd_rc_ok;
}
