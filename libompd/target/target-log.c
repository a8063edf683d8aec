/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Log lines about the tool's answers. */
#include "target/target.h"

/* Print LINE about a callback that returned RC. */
static ompd_rc_t print_answer(const struct target *target, ompd_cl_log_level_t level,
                              struct message *line, ompd_rc_t rc)
{
    ompd_rc_t printed = log_line_print(&target->log, level, line);

    return printed == ompd_rc_ok ? rc : printed;
}

ompd_rc_t target_log_read(const struct target *target, const char *what, uint64_t address,
                          uint64_t size, ompd_rc_t rc)
{
    struct message line;

    log_line_begin(&line);
    message_add(&line, what);
    message_add(&line, " ");
    message_add_decimal(&line, size);
    message_add(&line, " bytes at ");
    message_add_hexadecimal(&line, address);
    message_add(&line, ": ");
    log_line_add_code(&line, rc);
    return print_answer(target, ompd_cl_log_level_read, &line, rc);
}

/* End LINE, about a symbol. */
static ompd_rc_t print_symbol(const struct target *target, struct message *line, uint64_t address,
                              ompd_rc_t rc)
{
    message_add(line, ": ");
    if (rc == ompd_rc_ok)
        message_add_hexadecimal(line, address);
    else if (rc == ompd_rc_unavailable)
        message_add(line, "not found");
    else
        log_line_add_code(line, rc);
    return print_answer(target, ompd_cl_log_level_lookup, line, rc);
}

static void begin_symbol(struct message *line, const char *name)
{
    log_line_begin(line);
    message_add(line, "symbol lookup \"");
    message_add(line, name);
    message_add(line, "\"");
}

ompd_rc_t target_log_symbol(const struct target *target, const char *name, uint64_t address,
                            ompd_rc_t rc)
{
    struct message line;

    begin_symbol(&line, name);
    return print_symbol(target, &line, address, rc);
}

ompd_rc_t target_log_module_symbol(const struct target *target, uint32_t index, const char *name,
                                   uint64_t address, ompd_rc_t rc)
{
    struct message line;

    begin_symbol(&line, name);
    message_add(&line, " in module ");
    message_add_decimal(&line, index);
    return print_symbol(target, &line, address, rc);
}

ompd_rc_t target_log_module(const struct target *target, uint32_t index,
                            const struct module *module, ompd_rc_t rc)
{
    struct message line;

    log_line_begin(&line);
    message_add(&line, "module ");
    message_add_decimal(&line, index);
    message_add(&line, ": ");
    if (rc == ompd_rc_ok) {
        message_add(&line, module->name);
        message_add(&line, ", ");
        message_add_hexadecimal(&line, module->start);
        message_add(&line, "-");
        message_add_hexadecimal(&line, module->end);
        message_add(&line, module->build_id_size != 0 ? ", build-id " : ", no build-id");
        message_add_bytes(&line, module->build_id, module->build_id_size);
    } else if (rc == ompd_rc_unavailable) {
        message_add(&line, "past the last");
    } else {
        log_line_add_code(&line, rc);
    }
    return print_answer(target, ompd_cl_log_level_lookup, &line, rc);
}

ompd_rc_t target_log_decision(const struct target *target, const char *what, const char *why)
{
    struct message line;

    log_line_begin(&line);
    message_add(&line, what);
    if (why != NULL) {
        message_add(&line, ": ");
        message_add(&line, why);
    }
    return log_line_print(&target->log, ompd_cl_log_level_decision, &line);
}
