/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See verbs.h. */
#include <command/verbs.h>

#include <command/session/session.h>

const ompd_view_verb_t command_verbs[COMMAND_VERBS] = {
    {
        .name = "triage",
        .summary = "Report why each core died, and what OpenCL was doing.",
        .operand = "[CORE...]",
        .own_options = COMMAND_GROUP_CORES | COMMAND_GROUP_TRIAGE,
        .run = command_triage_run,
    },
    {
        .name = "run",
        .summary = "Run a program and report OpenCL leaks and misuse.",
        .operand = "PROGRAM [ARGUMENT...]",
        .takes = ompd_view_takes_foreign_options,
        .own_options = COMMAND_GROUP_FILE | COMMAND_GROUP_RUN | COMMAND_GROUP_STOP,
        .run = command_run_run,
    },
    {
        .name = "gdb",
        .summary = "Run GDB with the opencl commands on a program, core or PID.",
        .operand = "PROGRAM|CORE|PID [ARGUMENT...]",
        .takes = ompd_view_takes_foreign_options,
        .own_options = COMMAND_GROUP_STOP,
        .run = command_gdb_run,
    },
    {
        .name = "learn",
        .summary = "Learn the object layout of the installed runtimes.",
        .operand = "[RUNTIME...]",
        .own_options = COMMAND_GROUP_FILE | COMMAND_GROUP_TIME_LIMIT,
        .run = command_learn_run,
    },
    {
        .name = "layouts",
        .summary = "List layouts and the installed runtimes they match.",
        .kind = ompd_cl_kind_layout,
        .own_options = COMMAND_GROUP_TIME_LIMIT,
        .run = command_layouts_run,
    },
};
