/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What OpenCL 3.0 says that findings go against. */
#ifndef LIBOMPD_CLAUSES_H
#define LIBOMPD_CLAUSES_H

#include "base/export.h"

#include <ompd-opencl.h>

/* The function of OpenCL 3.0 that RULE is a rule of, and what it says; static. */
const char *clause_of(ompd_cl_rule_t rule);

/* The same of RULE about a callback that is called for an object of KIND; 0: not known of which. */
const char *clause_of_callback(ompd_cl_rule_t rule, uint32_t kind);

#endif
