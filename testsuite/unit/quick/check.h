/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Check with assertions that write nothing as long as they hold.  The original writes a line to a
 * file for each assertion, to name the last one before a crash, and some tests have a million
 * assertions.
 */
#ifndef QUICK_CHECK_H
#define QUICK_CHECK_H

#include_next <check.h>

#define _mark_point(file, line) ((void)0)

#endif
