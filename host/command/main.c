/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ompd-opencl: what OpenCL holds in a process or a core, without a debugger.  Made of the public
 * interfaces of libompd-opencl and libompd-opencl-host alone.
 */
#include <config.h>

#include <host/command/option.h>

static enum command_exit run_verb(const struct command_line *line)
{
    const struct command_verb *verb = line->verb;
    struct command_session session;
    enum command_exit code;

    if (!verb->takes_target)
        command_session_begin(&session, &line->options);
    else if (!command_session_open(&session, &line->options)) {
        code = command_session_result(&session);
        command_session_close(&session);
        return code;
    }
    code = verb->run(&session, line);
    command_session_close(&session);
    return code;
}

int main(int argc, char **argv)
{
    struct command_text why = {0};
    struct command_line line;
    enum command_exit code = command_exit_ok;

    if (!command_line_parse(&line, argc, argv, &why)) {
        command_error_print(command_text_get(&why));
        command_text_free(&why);
        return command_exit_usage;
    }
    if (line.asks_help)
        command_help_write(stdout, line.verb);
    else if (line.asks_version)
        puts(PACKAGE_STRING);
    else
        code = run_verb(&line);
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        command_error_print("The answer could not be written.");
        return command_exit_unreadable;
    }
    return code;
}
