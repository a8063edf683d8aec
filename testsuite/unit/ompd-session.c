/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd-session.h"

#include <check.h>

struct population population;
struct fake_target *target;

void session_open(int variant)
{
    population = population_create_variant(variant);
    population_open(&population);
    target = population.target;
}

void session_close(void)
{
    population_free(&population);
}

ompd_rc_t session_find_thread(ompd_address_space_handle_t *space, uint32_t lwp,
                              ompd_thread_handle_t **thread)
{
    return ompd_get_thread_handle(space, OMPD_CL_THREAD_LWP, sizeof(lwp), &lwp, thread);
}

ompd_thread_handle_t *session_thread(uint32_t number)
{
    ompd_thread_handle_t *thread = NULL;

    ck_assert_int_eq(session_find_thread(population.space, FIRST_LWP + number, &thread),
                     ompd_rc_ok);
    ck_assert_ptr_nonnull(thread);
    return thread;
}

ompd_address_space_handle_t *session_device(ompd_address_space_handle_t *space)
{
    ompd_address_space_handle_t *device = NULL;
    uint64_t id = DEVICE_HANDLE;

    ck_assert_int_eq(
        ompd_device_initialize(space, NULL, OMPD_CL_DEVICE_KIND, sizeof(id), &id, &device),
        ompd_rc_ok);
    ck_assert_ptr_nonnull(device);
    return device;
}

void session_release(const void *owned)
{
    ck_assert_int_eq(fake_callbacks.free_memory((void *)(uintptr_t)owned), ompd_rc_ok);
}
