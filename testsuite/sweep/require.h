/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conditions without which a sweep cannot run. */
#ifndef SWEEP_REQUIRE_H
#define SWEEP_REQUIRE_H

#include <stdbool.h>

/* End the program with the sentence TEXT unless IS_SO. */
void sweep_require(bool is_so, const char *text);

#endif
