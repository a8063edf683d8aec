/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/target.h"

#include "target/scan.h"

/* Linux lets no program map what lies below. */
#define LEAST_ADDRESS 65536

/* How far glibc shifts a word's address before it mixes a pointer with it. */
#define MIX_SHIFT 12

/* Tell whether WORD is what malloc writes into a free chunk of the heap that ELEMENT is in. */
static bool is_link(struct target *target, uint64_t element, uint64_t word)
{
    return word == 0 || (word % (UINT64_C(2) * target->pointer_size) == 0 &&
                         region_has_both(target, element, word));
}

enum callback_sign callback_look(struct code *code, struct target *target, uint64_t element,
                                 uint64_t function)
{
    if (code_is_there(code, target, function))
        return callback_has_code;
    if (function < LEAST_ADDRESS || is_link(target, element, function) ||
        is_link(target, element, function ^ element >> MIX_SHIFT))
        return callback_is_over;
    return callback_lacks_code;
}
