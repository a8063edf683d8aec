/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What all targets of the fuzzer share.  A target is a program with LLVMFuzzerTestOneInput: by
 * libFuzzer's main it makes inputs, by the one of replay.c it only takes those of its corpus.
 */
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
