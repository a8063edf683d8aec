/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The end of each C test program: run the suite and return the exit status. */
#ifndef SUITE_H
#define SUITE_H

#include <check.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As ck_assert_msg, but fast as long as it holds, for millions of assertions: Check records each of
 * its own. */
#define suite_require(condition, ...)                                                              \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg(__VA_ARGS__);                                                             \
    } while (0)

/* Of how many like cases one is tried: of EVERY, but in check-long's part `thorough` of one. */
static inline unsigned suite_every(unsigned every)
{
    const char *asked = getenv("OMPD_OPENCL_THOROUGH");

    return asked != NULL && strcmp(asked, "1") == 0 ? 1 : every;
}

/* Run SUITE; returns the exit status. CK_VERBOSITY may request more than the failures. */
static inline int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    int failed;

    /* Large blocks come from the heap, which caches them: most tests allocate the same few
     * megabytes again and again, and the kernel would zero their pages each time. */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Report why the suite cannot run here; returns the exit status. */
static inline int suite_skip(const char *reason)
{
    printf("SKIP: %s\n", reason);
    return 77;
}

#endif
