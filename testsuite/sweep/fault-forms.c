/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "fault-forms.h"

#define FAILS(callback, code)                                                                      \
    {                                                                                              \
        tool_##callback, tool_fails, 1, false, ompd_rc_##code, false, 0                            \
    }
#define FAILS_FOR_EVER(callback, code)                                                             \
    {                                                                                              \
        tool_##callback, tool_fails, 1, true, ompd_rc_##code, false, 0                             \
    }
#define FILLS_HALF(for_ever)                                                                       \
    {                                                                                              \
        tool_read, tool_fills_half, 1, for_ever, ompd_rc_error, false, 0                           \
    }
#define IS_BLIND(for_ever)                                                                         \
    {                                                                                              \
        tool_read, tool_fails, 1, for_ever, ompd_rc_error, true, 0                                 \
    }
#define HAS_GAP(place)                                                                             \
    {                                                                                              \
        tool_read, tool_has_gap, 1, false, ompd_rc_error, (place) % 2, place                       \
    }
#define ENDS(place)                                                                                \
    {                                                                                              \
        tool_read, tool_ends, 1, false, ompd_rc_error, (place) % 2, place                          \
    }

static const struct tool_fault forms[] = {
    FAILS(alloc, nomem),
    FAILS_FOR_EVER(alloc, nomem),
    FAILS(alloc, error),
    FAILS(alloc, incomplete),
    FAILS(alloc, interrupted),
    FAILS(monitor, nomem),
    FAILS_FOR_EVER(monitor, nomem),
    FAILS_FOR_EVER(limit, nomem),
    FAILS(symbol, error),
    FAILS_FOR_EVER(symbol, error),
    FAILS(symbol, unavailable),
    FAILS(symbol, incomplete),
    FAILS(symbol, callback_error),
    FAILS(symbol, interrupted),
    FAILS(sizes, error),
    FAILS(sizes, unsupported),
    FAILS(sizes, incomplete),
    FAILS(sizes, interrupted),
    FAILS(to_host, error),
    FAILS(to_host, incomplete),
    FAILS(to_host, interrupted),
    FAILS(to_device, error),
    FAILS(read, error),
    FAILS_FOR_EVER(read, error),
    FAILS(read, device_read_error),
    FAILS_FOR_EVER(read, device_read_error),
    FAILS(read, incomplete),
    FAILS(read, unavailable),
    FAILS(read, nomem),
    FAILS(read, interrupted),
    FAILS_FOR_EVER(read, nomem),
    FILLS_HALF(false),
    FILLS_HALF(true),
    IS_BLIND(false),
    IS_BLIND(true),
    HAS_GAP(0),
    HAS_GAP(1),
    HAS_GAP(2),
    HAS_GAP(3),
    HAS_GAP(4),
    HAS_GAP(5),
    HAS_GAP(6),
    HAS_GAP(7),
    HAS_GAP(8),
    HAS_GAP(9),
    HAS_GAP(10),
    HAS_GAP(11),
    HAS_GAP(12),
    HAS_GAP(13),
    HAS_GAP(14),
    HAS_GAP(15),
    ENDS(0),
    ENDS(2),
    ENDS(5),
    ENDS(8),
    ENDS(11),
    ENDS(14),
    FAILS(read_string, error),
    FAILS_FOR_EVER(read_string, error),
    FAILS(thread_context, error),
    FAILS(thread_context, unavailable),
    FAILS(region, unavailable),
    FAILS_FOR_EVER(region, unavailable),
    FAILS(region, incomplete),
    FAILS(region, interrupted),
    FAILS(map_memory, unsupported),
    FAILS_FOR_EVER(map_memory, unsupported),
    FAILS(map_memory, error),
    FAILS(map_memory, incomplete),
    FAILS(map_memory, interrupted),
    FAILS(module, error),
    FAILS_FOR_EVER(module, error),
    FAILS(module, incomplete),
    FAILS(module, interrupted),
    FAILS(module_symbol, error),
    FAILS_FOR_EVER(module_symbol, error),
    FAILS(module_symbol, incomplete),
    FAILS(module_symbol, interrupted),
    FAILS(progress, incomplete),
    FAILS_FOR_EVER(progress, incomplete),
};

#define FORM_COUNT (sizeof(forms) / sizeof(forms[0]))

size_t fault_forms_count(enum tool_callback callback)
{
    size_t count = 0;

    for (size_t i = 0; i < FORM_COUNT; i++)
        count += forms[i].callback == callback;
    return count;
}

const struct tool_fault *fault_forms_find(enum tool_callback callback, size_t number)
{
    const struct tool_fault *form = forms;

    while (form->callback != callback || number-- != 0)
        form++;
    return form;
}
