/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "checksum.h"

uint32_t checksum_add(uint32_t sum, const uint8_t *bytes, size_t count)
{
    sum = ~sum;
    for (size_t i = 0; i < count; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ ((sum & 1) != 0 ? UINT32_C(0xedb88320) : 0);
    }
    return ~sum;
}
