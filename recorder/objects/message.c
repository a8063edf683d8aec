/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

#include <stdint.h>

/*
 * A listener: what the runtime calls instead of the program's function. The user data stays the
 * program's, because a runtime may pass it elsewhere: Oclgrind passes it as `private_info`. So each
 * context has a function of the recorder's own, as long as there are any. A runtime may call it at
 * any time, even after the context's release, so it is never given to a context with another
 * function of the program, and once two contexts have had it, no message names its context.
 */
struct listener {
    recorder_message_function *function; /* the program's */
    uint64_t turned_context; /* ~handle, so that a search of memory for the handle does not find it
                              * here; 0: none yet, or more than one */
};

/* Apply MACRO to the number of each listener. */
#define SIXTEEN(macro, digit)                                                                      \
    macro(digit##0) macro(digit##1) macro(digit##2) macro(digit##3) macro(digit##4)                \
        macro(digit##5) macro(digit##6) macro(digit##7) macro(digit##8) macro(digit##9)            \
            macro(digit##a) macro(digit##b) macro(digit##c) macro(digit##d) macro(digit##e)        \
                macro(digit##f)
/* clang-format off */
#define EACH_LISTENER(macro) \
    SIXTEEN(macro, 0x0) SIXTEEN(macro, 0x1) \
    SIXTEEN(macro, 0x2) SIXTEEN(macro, 0x3) \
    SIXTEEN(macro, 0x4) SIXTEEN(macro, 0x5) \
    SIXTEEN(macro, 0x6) SIXTEEN(macro, 0x7)
/* clang-format on */
#define LISTENER_LIMIT 0x80

static struct recorder_ring message_ring;
static struct listener listeners[LISTENER_LIMIT];
static uint32_t listener_count; /* the growth lock protects it */

/* Store TEXT in RECORD, and free what was there before. */
static void message_text_set(struct recorder_heap *heap,
                             struct ompd_cl_registry_message_record *record, const char *text)
{
    const struct ompd_cl_registry_text none = {.place = 0};
    recorder_text_end(heap, recorder_text_replace(&record->whole_message, none));
    recorder_text_copy(record->message, text, SIZE_MAX);
    recorder_text_replace(&record->whole_message, recorder_text_make(heap, text, SIZE_MAX));
}

/* Record that LISTENER gets TEXT. */
static void message_record(const struct listener *listener, const char *text)
{
    struct recorder_heap *heap = recorder_heap_mine();
    struct recorder_ring_place place;
    if (!heap || !recorder_ring_claim(&place, &message_ring, ompd_cl_registry_message, heap->lwp)) {
        return;
    }
    struct ompd_cl_registry_message_record *record = place.record;
    uint64_t turned = __atomic_load_n(&listener->turned_context, __ATOMIC_RELAXED);
    record->handle = turned ? ~turned : 0;
    record->serial = __atomic_load_n(&ompd_opencl_registry.serial, __ATOMIC_RELAXED);
    record->what = recorder_activity_what(heap->thread);
    record->at = recorder_clock_now();
    record->lwp = heap->lwp;
    record->function = (uintptr_t)listener->function;
    message_text_set(heap, record, text);
    recorder_ring_publish(&place);
}

static void message_run(const struct listener *listener, const char *text, const void *private_info,
                        size_t size, void *user_data)
{
    const struct recorder_heap *heap = recorder_heap_mine();
    if (heap && heap->is_asking) {
        return; /* what the recorder asks is no call of the program */
    }
    message_record(listener, text);
    listener->function(text, private_info, size, user_data);
}

#define LISTEN(number)                                                                             \
    static void CL_CALLBACK listen_##number(const char *text, const void *private_info,            \
                                            size_t size, void *user_data)                          \
    {                                                                                              \
        message_run(&listeners[number], text, private_info, size, user_data);                      \
    }
EACH_LISTENER(LISTEN)

#define LISTENER_FUNCTION(number) listen_##number,
static recorder_message_function *const listener_functions[LISTENER_LIMIT] = {
    EACH_LISTENER(LISTENER_FUNCTION)};

void recorder_questions_begin(void)
{
    struct recorder_heap *heap = recorder_heap_mine();
    if (heap) {
        heap->is_asking = true;
    }
}

void recorder_questions_end(void)
{
    struct recorder_heap *heap = recorder_heap_mine();
    if (heap) {
        heap->is_asking = false;
    }
}

void recorder_messages_prepare(uint32_t length)
{
    recorder_rings_prepare(&message_ring, 1, ompd_cl_registry_message, length);
}

/* The index of a listener for FUNCTION that more than one context has; LISTENER_LIMIT for none. The
 * caller has the growth lock. */
static uint32_t listener_share(recorder_message_function *function)
{
    uint32_t index = 0;
    while (index < LISTENER_LIMIT && listeners[index].function != function) {
        index++;
    }
    if (index < LISTENER_LIMIT) {
        __atomic_store_n(&listeners[index].turned_context, 0, __ATOMIC_RELAXED);
    }
    return index;
}

recorder_message_function *recorder_listener_begin(recorder_message_function *function,
                                                   uint32_t *listener)
{
    *listener = 0;
    if (!function || !message_ring.length) {
        return function;
    }
    recorder_growth_lock();
    uint32_t index = listener_count;
    if (index < LISTENER_LIMIT) {
        listeners[index].function = function;
        listener_count++;
        *listener = index + 1;
    } else {
        index = listener_share(function);
    }
    recorder_growth_unlock();
    return index < LISTENER_LIMIT ? listener_functions[index] : function;
}

void recorder_listener_set_context(uint32_t listener, const void *context)
{
    if (listener && context) {
        __atomic_store_n(&listeners[listener - 1].turned_context, ~(uint64_t)(uintptr_t)context,
                         __ATOMIC_RELAXED);
    }
}
