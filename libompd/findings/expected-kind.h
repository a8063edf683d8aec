/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a function of OpenCL works on: the kind of the object that its first handle is of. */
#ifndef LIBOMPD_EXPECTED_KIND_H
#define LIBOMPD_EXPECTED_KIND_H

#include "findings/taking.h"

/* The kind of the object that CALL works on; 0 where this library does not say. */
uint32_t expected_kind(uint64_t call);

/* Tell whether CALL only asks for what an object has, or retains it: it calls no callbacks. */
bool expected_is_query(uint64_t call);

#endif
