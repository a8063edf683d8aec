/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What runs each verb that only the command has. */
#ifndef OMPD_COMMAND_VERB_RUNS_H
#define OMPD_COMMAND_VERB_RUNS_H

#include <ompd-opencl-view.h>

ompd_view_exit_t command_triage_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_run_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_gdb_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_lend_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_learn_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_layouts_run(ompd_view_t *view, const ompd_view_line_t *line);

#endif
