/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a dispatch table looks like: the addresses of OpenCL's functions, in the ICD's order. */
#ifndef LIBOMPD_DISPATCH_TABLE_H
#define LIBOMPD_DISPATCH_TABLE_H

#include "target/code.h"

/* A table has no fewer words, those of OpenCL 1.0: each the address of code, 0 for what the runtime
 * does not have, or a tag.  The code may be another module's. */
#define TABLE_LEAST_WORDS 60

/* As many of them are code at least: a stretch of zeros is no table. */
#define TABLE_LEAST_CODE 30

/* What the ICD loader's extension 2.0 has in slots that hold no function. */
#define TABLE_TAG UINT64_C(0x4F50454E434C3331)

/* Tell whether VALUE can be a word of a table; *IS_CODE whether it is that of a function. */
bool table_can_hold(struct code *code, struct target *target, uint64_t value, bool *is_code);

/* Tell in *IS_TABLE whether what lies at ADDRESS looks like a table.  Returns as target_view;
 * ompd_rc_incomplete also when it does as far as the tool can tell. */
ompd_rc_t table_check(struct code *code, struct target *target, uint64_t address, bool *is_table);

#endif
