/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code that all fuzz targets share.  A target is a program with LLVMFuzzerTestOneInput.  With the
 * main function of libFuzzer it generates inputs; with that of replay.c it replays its corpus. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Take an input.  Ends the program when a law is broken. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* End the program unless CONDITION holds. */
#define fuzz_require(condition, ...)                                                               \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "law broken: " __VA_ARGS__);                                           \
            fputc('\n', stderr);                                                                   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
