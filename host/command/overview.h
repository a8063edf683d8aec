/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is in the target, for whoever describes it in short. */
#ifndef OMPD_HOST_COMMAND_OVERVIEW_H
#define OMPD_HOST_COMMAND_OVERVIEW_H

#include <host/command/row.h>

/* Add "1 context, 2 queues, 3 memory objects (12 KiB), 1 SVM allocation (64 KiB)". */
void command_overview_counts(const struct command_row *overview, struct command_text *text);

#endif
