/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The verbs that only the command has: each in the file of its name. */
#ifndef OMPD_COMMAND_VERBS_H
#define OMPD_COMMAND_VERBS_H

#include <ompd-opencl-view.h>

#define COMMAND_VERBS 6

extern const ompd_view_verb_t command_verbs[COMMAND_VERBS];

ompd_view_exit_t command_triage_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_run_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_gdb_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_lend_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_learn_run(ompd_view_t *view, const ompd_view_line_t *line);
ompd_view_exit_t command_layouts_run(ompd_view_t *view, const ompd_view_line_t *line);

#endif
