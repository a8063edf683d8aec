/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions that a program gets by name, from clGetExtensionFunctionAddress*.
 *
 * Each platform has its own function for a name, but the program is given one wrapper for all of
 * them: so it is remembered which platform gave which.
 */
#ifndef RECORDER_EXTENSION_H
#define RECORDER_EXTENSION_H

#include <stdbool.h>
#include <stdint.h>

#define RECORDER_EXTENSION_PLATFORMS 16

/* What the platforms gave for one name. */
struct recorder_extension {
    uint32_t count;
    uint64_t platforms[RECORDER_EXTENSION_PLATFORMS]; /* 0: asked for without a platform */
    void *functions[RECORDER_EXTENSION_PLATFORMS];
};

/* Remember FUNCTION of PLATFORM.  False when there is no room: the wrapper must not be used. */
bool recorder_extension_remember(struct recorder_extension *extension, uint64_t platform,
                                 void *function);

/* The function of PLATFORM; when that is not known, one that was asked for without a platform, or
 * the first.  Something has been remembered before. */
void *recorder_extension_choose(const struct recorder_extension *extension, uint64_t platform);

#endif
