/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The input is the text of a layout, about which both readers must agree. */
#include "ask.h"
#include "cost.h"
#include "fuzz.h"
#include "small-memory.h"
#include "small-targets.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct small_target *small = small_target_get(small_make_population, 0);
    ompd_cl_layout_info_t info = {.struct_size = sizeof(info)};
    ompd_address_space_handle_t *space = NULL;
    const char *text = (const char *)data;
    ompd_rc_t got;
    ompd_rc_t added;

    if (ompd_cl_address_space_create(small_callbacks(), NULL, (void *)small->fake, &space) !=
        ompd_rc_ok)
        return 0;
    got = ompd_cl_layout_get(text, size, &info);
    if (got == ompd_rc_ok)
        ask_check_row(ompd_cl_kind_layout, &info);
    added = ompd_cl_layout_add(space, text, size);
    ask_check(space, added);
    fuzz_require(got == added, "a layout is read as %d and added as %d", got, added);
    ompd_rel_address_space_handle(space);
    cost_check_end();
    return 0;
}
