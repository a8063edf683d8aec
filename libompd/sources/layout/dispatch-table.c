/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sources/layout/runtime.h"

bool table_can_hold(struct code *code, struct target *target, uint64_t value, bool *is_code)
{
    uint64_t tag = target->pointer_size == 8 ? TABLE_TAG : (uint32_t)TABLE_TAG;

    *is_code = value != tag && code_is_there(code, target, value);
    return value == 0 || value == tag || *is_code;
}

ompd_rc_t table_check(struct code *code, struct target *target, uint64_t address, bool *is_table)
{
    uint32_t size = target->pointer_size;
    uint32_t code_count = 0;
    uint64_t words[TABLE_LEAST_WORDS];
    const uint8_t *bytes;
    bool is_code;
    ompd_rc_t rc;

    rc = target_view(target, address, (uint64_t)TABLE_LEAST_WORDS * size, 0, &bytes);
    if (rc != ompd_rc_ok)
        return rc;
    /* Asking what is code reads other memory. */
    for (uint32_t i = 0; i < TABLE_LEAST_WORDS; i++)
        words[i] = target_integer(target, bytes + (uint64_t)i * size, size);
    *is_table = false;
    code_doubt_forget(code);
    for (uint32_t i = 0; i < TABLE_LEAST_WORDS; i++) {
        if (!table_can_hold(code, target, words[i], &is_code))
            return ompd_rc_ok;
        code_count += is_code;
    }
    *is_table = code_count >= TABLE_LEAST_CODE;
    return code_doubt_tell(code, target);
}
