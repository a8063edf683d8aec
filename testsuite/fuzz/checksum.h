/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CRC-32 with the least significant bit first, as gzip, xz and .gnu_debuglink have it. */
#ifndef FUZZ_CHECKSUM_H
#define FUZZ_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of the data of SUM, 0 for none, and of the COUNT BYTES after it. */
uint32_t checksum_add(uint32_t sum, const uint8_t *bytes, size_t count);

#endif
