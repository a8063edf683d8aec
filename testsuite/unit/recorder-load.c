/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recorder-load.h"

#include <check.h>
#include <sched.h>
#include <stdlib.h>

#include "../../recorder/objects/kinds.h"
#include "../../recorder/objects/objects.h"

static __thread struct recorder_load *running;

static void *handle_of(const struct recorder_load *load, uint32_t number)
{
    return (void *)(load->first_handle + (uintptr_t)number * 64);
}

static void destructor(void *handle, void *user_data)
{
    (void)handle;
    (void)user_data;
    running->callbacks_run++;
}

void recorder_load_context_create(void)
{
    struct recorder_entry context;
    ck_assert(
        recorder_object_open(&context, ompd_cl_registry_context, RECORDER_LOAD_CONTEXT, 0, NULL));
    recorder_object_publish(&context);
}

static void *callback_push(void *handle)
{
    struct recorder_entry entry;
    struct recorder_slot slot;
    if (!recorder_object_find(&entry, ompd_cl_registry_memobj, handle)) {
        abort();
    }
    return recorder_callback_push(&slot, &entry, (const void *)destructor, NULL, NULL);
}

static void object_create(struct recorder_load *load, uint32_t number)
{
    void *handle = handle_of(load, number);
    recorder_buffer_created(handle, RECORDER_LOAD_CONTEXT, 0, 64, NULL, NULL);
    load->slot_refs[2 * number] = callback_push(handle);
    load->slot_refs[2 * number + 1] = callback_push(handle);
    recorder_object_retained(ompd_cl_registry_memobj, handle, NULL);
}

static void object_release(struct recorder_load *load, uint32_t number)
{
    for (int i = 0; i < 2; i++) {
        struct recorder_release release;
        recorder_release_begin(&release, ompd_cl_registry_memobj, handle_of(load, number), NULL,
                               NULL);
        recorder_release_end(&release, true);
    }
}

/* Be the runtime: run the callbacks of an object that THEIRS has released, newest first. */
static void object_destroy(struct recorder_load *theirs, uint32_t number)
{
    recorder_callback_run(handle_of(theirs, number), theirs->slot_refs[2 * number + 1]);
    recorder_callback_run(handle_of(theirs, number), theirs->slot_refs[2 * number]);
}

/* Run the callbacks that THEIRS has handed over. */
static void neighbour_serve(struct recorder_load *theirs, uint32_t *served)
{
    uint32_t ready = __atomic_load_n(&theirs->handed_over, __ATOMIC_ACQUIRE);
    while (*served < ready) {
        object_destroy(theirs, *served);
        (*served)++;
    }
}

void recorder_load_round(struct recorder_load *load)
{
    uint32_t served = 0;
    running = load;
    for (uint32_t number = 0; number < RECORDER_LOAD_OBJECTS; number++) {
        object_create(load, number);
    }
    for (uint32_t number = 0; number < RECORDER_LOAD_OBJECTS; number++) {
        object_release(load, number);
        if (!load->neighbour) {
            object_destroy(load, number);
            continue;
        }
        __atomic_store_n(&load->handed_over, number + 1, __ATOMIC_RELEASE);
        neighbour_serve(load->neighbour, &served);
    }
    while (load->neighbour && served < RECORDER_LOAD_OBJECTS) {
        sched_yield();
        neighbour_serve(load->neighbour, &served);
    }
}

static void *load_run(void *argument)
{
    struct recorder_load *load = argument;
    recorder_heap_mine();
    if (load->all_here) {
        pthread_barrier_wait(load->all_here);
    }
    for (uint32_t round = 0; load->rounds == 0 || round < load->rounds; round++) {
        if (load->stop && __atomic_load_n(load->stop, __ATOMIC_RELAXED)) {
            break;
        }
        recorder_load_round(load);
    }
    return NULL;
}

void recorder_load_start(struct recorder_load *load)
{
    load->slot_refs = calloc(2 * RECORDER_LOAD_OBJECTS, sizeof(void *));
    ck_assert_ptr_nonnull(load->slot_refs);
    ck_assert_int_eq(pthread_create(&load->thread, NULL, load_run, load), 0);
}

void recorder_load_join(struct recorder_load *load)
{
    ck_assert_int_eq(pthread_join(load->thread, NULL), 0);
}

void recorder_load_free(struct recorder_load *load)
{
    free(load->slot_refs);
}
