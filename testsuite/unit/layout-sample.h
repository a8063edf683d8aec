/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Layouts of runtimes that do not exist: one with every kind of line, and the beginnings of others.
 */
#ifndef LAYOUT_SAMPLE_H
#define LAYOUT_SAMPLE_H

extern const char layout_sample[];

#define HEAD(machine)                                                                              \
    "ompd-opencl-layout 1.0\nruntime R\nmodule M\nbuild-id 01\nmachine " machine "\ntable 8\n"
#define MEMORY HEAD("62 64 little") "object buffer\n" /* line 7 */

#endif
