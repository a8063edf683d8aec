/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A program that uses the installed library.  The library's flags must leave the compiler its own
 * stddef.h and intrinsics: so these are used here.
 */
#include <stddef.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <ompd-opencl.h>

#include <limits.h>
#include <stdio.h>

#if defined(__x86_64__)
__attribute__((target("avx2"))) static int sum_by_avx2(void)
{
    __m256i ones = _mm256_set1_epi32(1);
    __m256i twos = _mm256_add_epi32(ones, ones);

    return _mm256_extract_epi32(twos, 0);
}
#endif

int main(void)
{
    uint32_t major = UINT_MAX;
    uint32_t minor = UINT_MAX;

#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && sum_by_avx2() != 2) {
        return 1;
    }
#endif
    if (ompd_cl_version_get(&major, &minor) != ompd_rc_ok) {
        return 1;
    }
    printf("%u.%u\n", (unsigned)major, (unsigned)minor);
    return offsetof(ompd_cl_memobj_info_t, head.struct_size) == 0 ? 0 : 1;
}
