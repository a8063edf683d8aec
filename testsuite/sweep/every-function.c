/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "every-function.h"

#include "image-made-up.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *title;
    bool is_big_endian;
    unsigned pointer_size;
} targets[EVERY_FUNCTION_TARGETS] = {
    {"little endian, 8-byte pointers", false, 8},
    {"big endian, 4-byte pointers", true, 4},
};

struct sweep_target every_function_target(int number)
{
    return sweep_made_up_create(targets[number].is_big_endian, targets[number].pointer_size);
}

static void print_tally(const struct sweep_tally *tally)
{
    printf("%" PRIu64 " faults, %" PRIu64 " silent, %" PRIu64 " wrong, %" PRIu64 " leaks, %" PRIu64
           " crashes\n",
           tally->faults, tally->silent, tally->wrong, tally->leaks, tally->crashes);
    fflush(stdout);
}

void every_function_one(every_function_sweep_t sweep, const struct sweep_target *target,
                        const struct sweep_facts *facts, const struct sweep_signature *signature,
                        struct sweep_tally *sum)
{
    struct sweep_tally tally = {0};

    sweep(target, facts, signature, &tally);
    if (!sweep_tally_is_good(&tally)) {
        printf("FAIL: %s: ", signature->name);
        print_tally(&tally);
    }
    sweep_tally_add(sum, &tally);
}

struct sweep_tally every_function_all(every_function_sweep_t sweep,
                                      const struct sweep_target *target, int number,
                                      const char *only)
{
    struct sweep_tally sum = {0};
    struct sweep_facts facts;

    ck_assert(sweep_facts_find(target, &facts));
    for (unsigned i = 0; i < sweep_signature_count; i++) {
        if (only == NULL || strcmp(only, sweep_signatures[i].name) == 0)
            every_function_one(sweep, target, &facts, &sweep_signatures[i], &sum);
    }
    printf("%s: %u functions, 1 case in %u, ", targets[number].title, sweep_signature_count,
           sweep_guard_every());
    print_tally(&sum);
    return sum;
}
