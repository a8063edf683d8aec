/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From records of rings to rows: objects that are gone, errors, entries of the ledger and calls.
 * The decoder has run before. */
#ifndef LIBOMPD_RECORDER_GONE_ROWS_H
#define LIBOMPD_RECORDER_GONE_ROWS_H

#include "rows/recorder-fields.h"

/* `end_order` of a gone row: the last serial that had been given out, above so many bits. */
#define GONE_NUMBER_BITS 20

void recorder_gone_finish(struct recorder_fields *fields, ompd_cl_gone_info_t *info);
void recorder_error_finish(struct recorder_fields *fields, ompd_cl_error_info_t *info);
void recorder_ledger_finish(struct recorder_fields *fields, ompd_cl_ledger_info_t *info);
void recorder_call_finish(struct recorder_fields *fields, ompd_cl_call_info_t *info);

#endif
