/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/base.h"

/* Tells one thread of the tool from another: the address of what is each one's own, which on
 * Windows is its block (NT_TIB.Self). */
static uintptr_t this_thread(void)
{
#if defined(_WIN32) && defined(__x86_64__)
    uintptr_t block;

    __asm__("movq %%gs:0x30, %0" : "=r"(block));
    return block;
#elif defined(_WIN32) && defined(__i386__)
    uintptr_t block;

    __asm__("movl %%fs:0x18, %0" : "=r"(block));
    return block;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

bool call_begin(struct call *call)
{
    uintptr_t none = 0;

    if (!atomic_compare_exchange_strong(&call->thread, &none, this_thread()))
        return false;
    call->is_interrupted = false;
    return true;
}

bool call_seize(struct call *call, const void *frame)
{
    /* The stack grows down: what a callback calls lies below the function that called it. */
    return atomic_load(&call->thread) == this_thread() &&
           (uintptr_t)frame >= atomic_load(&call->frame);
}

void call_end(struct call *call)
{
    /* Nobody else changes it from this, nor to it. */
    if (atomic_load_explicit(&call->thread, memory_order_relaxed) == this_thread())
        atomic_store_explicit(&call->thread, 0, memory_order_release);
}
