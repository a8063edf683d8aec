/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A layout of a runtime that does not exist, with every kind of line in it. */
#ifndef LAYOUT_SAMPLE_H
#define LAYOUT_SAMPLE_H

extern const char layout_sample[];

#endif
