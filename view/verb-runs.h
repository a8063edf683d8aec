/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What runs each verb. */
#ifndef OMPD_VIEW_VERB_RUNS_H
#define OMPD_VIEW_VERB_RUNS_H

#include <view/view.h>

typedef ompd_view_exit_t view_run_fn_t(ompd_view_t *view, const ompd_view_line_t *line);

/* Those of the verbs of the same names: each in its file. */
view_run_fn_t view_overview_run;
view_run_fn_t view_list_run;
view_run_fn_t view_object_run;
view_run_fn_t view_queue_run;
view_run_fn_t view_platforms_run;
view_run_fn_t view_destructors_run;
view_run_fn_t view_any_run;
view_run_fn_t view_calls_run;
view_run_fn_t view_errors_run;
view_run_fn_t view_gone_run;
view_run_fn_t view_check_run;
view_run_fn_t view_waits_run;
view_run_fn_t view_threads_run;
view_run_fn_t view_memory_run;
view_run_fn_t view_holders_run;
view_run_fn_t view_leaks_run;
view_run_fn_t view_ledger_run;
view_run_fn_t view_save_run;
view_run_fn_t view_graph_run;
view_run_fn_t view_diff_run;

#endif
