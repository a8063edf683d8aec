/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A slot's index and generation as one pointer: the user data that trampolines are registered with.
 */
#ifndef RECORDER_TOKEN_H
#define RECORDER_TOKEN_H

#include <stdint.h>

#include "ompd-opencl-registry.h"

/* As much of the generation as fits beside the index. */
#define RECORDER_TOKEN_GENERATION_BITS                                                             \
    (sizeof(void *) == 8 ? OMPD_CL_REGISTRY_GENERATION_BITS : 32 - OMPD_CL_REGISTRY_INDEX_BITS)

static inline uint32_t recorder_token_generation_of(uint32_t generation)
{
    return generation & (uint32_t)((UINT64_C(1) << RECORDER_TOKEN_GENERATION_BITS) - 1);
}

static inline void *recorder_token_make(uint32_t index, uint32_t generation)
{
    uint64_t kept = recorder_token_generation_of(generation);
    return (void *)(uintptr_t)(kept << OMPD_CL_REGISTRY_INDEX_BITS | index);
}

static inline uint32_t recorder_token_index(const void *token)
{
    return OMPD_CL_REGISTRY_REFERENCE_INDEX((uint32_t)(uintptr_t)token);
}

static inline uint32_t recorder_token_generation(const void *token)
{
    return (uint32_t)((uint64_t)(uintptr_t)token >> OMPD_CL_REGISTRY_INDEX_BITS);
}

#endif
