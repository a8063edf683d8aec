/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define UNW_LOCAL_ONLY
#include "core/process.h"

#include <errno.h>
#include <libunwind.h>
#include <ompd-opencl-registry.h>
#include <stddef.h>
#include <string.h>

#define BUCKET_COUNT 16384u
/* The most frames of the recorder and the loader between the program and this code. */
#define FRAMES_LEFT_OUT 16

/* Code outside the program: the recorder's own, that of the loaders it serves, and that of other
 * layers. An entry is valid once it is counted. Entries change under the growth lock while other
 * threads read them. When an entry is reused its size is written last. */
#define CODE_RANGES 16
static struct recorder_loaded_code left_out[CODE_RANGES];
struct recorder_code_range recorder_code_doubtful;
static uint32_t stack_depth = 1;
static uint32_t left_out_count;
static uint32_t buckets[BUCKET_COUNT]; /* index plus 1 of the newest stack */
static uint32_t stack_count;

void recorder_stacks_prepare(uint32_t depth)
{
    stack_depth = depth;
    recorder_stack_leave_out((const void *)&recorder_stacks_prepare);
}

static bool is_excluded_code(uintptr_t address)
{
    uint32_t count = __atomic_load_n(&left_out_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++) {
        uintptr_t size = __atomic_load_n(&left_out[i].size, __ATOMIC_ACQUIRE);
        if (address - __atomic_load_n(&left_out[i].start, __ATOMIC_RELAXED) < size) {
            return true;
        }
    }
    return false;
}

/* Extend the doubtful range over all excluded code. */
static void doubtful_update(void)
{
    uintptr_t start = UINTPTR_MAX;
    uintptr_t end = 0;
    for (uint32_t i = 0; i < left_out_count; i++) {
        if (left_out[i].size == 0) {
            continue;
        }
        uintptr_t its_end = left_out[i].start + left_out[i].size;
        start = left_out[i].start < start ? left_out[i].start : start;
        end = its_end > end ? its_end : end;
    }
    /* Another thread may read the range meanwhile: to that thread every address is doubtful. */
    __atomic_store_n(&recorder_code_doubtful.size, UINTPTR_MAX, __ATOMIC_SEQ_CST);
    __atomic_store_n(&recorder_code_doubtful.start, stack_depth > 1 ? 0 : start, __ATOMIC_SEQ_CST);
    if (stack_depth == 1) {
        __atomic_store_n(&recorder_code_doubtful.size, end - start, __ATOMIC_SEQ_CST);
    }
}

/* Remove the code that was unloaded: code of the program may be at its addresses now. */
static void gone_forget(void)
{
    for (uint32_t i = 0; i < __atomic_load_n(&left_out_count, __ATOMIC_ACQUIRE); i++) {
        recorder_growth_lock();
        struct recorder_loaded_code code = left_out[i];
        recorder_growth_unlock();
        /* No lock, because another thread may have the dynamic linker's. */
        if (code.size == 0 || !recorder_loaded_code_is_gone(&code)) {
            continue;
        }
        recorder_growth_lock();
        if (left_out[i].start == code.start && left_out[i].name == code.name) {
            __atomic_store_n(&left_out[i].size, 0, __ATOMIC_SEQ_CST);
            doubtful_update();
        }
        recorder_growth_unlock();
    }
}

/* Store CODE in a free entry. The caller has the growth lock. */
static void excluded_code_add(const struct recorder_loaded_code *code)
{
    uint32_t place = 0;
    while (place < left_out_count && left_out[place].size != 0) {
        place++;
    }
    if (place == CODE_RANGES) {
        return;
    }
    __atomic_store_n(&left_out[place].start, code->start, __ATOMIC_SEQ_CST);
    left_out[place].name = code->name;
    __atomic_store_n(&left_out[place].size, code->size, __ATOMIC_RELEASE);
    if (place == left_out_count) {
        __atomic_store_n(&left_out_count, place + 1, __ATOMIC_RELEASE);
    }
    doubtful_update();
}

void recorder_stack_leave_out(const void *address)
{
    static uint64_t unloads;
    struct recorder_loaded_code code;
    if (!recorder_loaded_code_find(&code, (uintptr_t)address) || code.is_of_program) {
        return;
    }
    if (__atomic_exchange_n(&unloads, code.unloads, __ATOMIC_RELAXED) != code.unloads) {
        gone_forget();
    }
    recorder_growth_lock();
    if (!is_excluded_code((uintptr_t)address)) {
        excluded_code_add(&code);
    }
    recorder_growth_unlock();
}

/* Unwind from here: the frames of the program, innermost first, at most LIMIT. */
static uint32_t frames_collect(uint64_t *frames, uint32_t limit)
{
    void *addresses[OMPD_CL_REGISTRY_MAX_STACK_DEPTH + FRAMES_LEFT_OUT];
    int count = unw_backtrace(addresses, (int)limit + FRAMES_LEFT_OUT);
    uint32_t kept = 0;
    for (int i = 0; i < count && kept < limit; i++) {
        if (!is_excluded_code((uintptr_t)addresses[i])) {
            frames[kept++] = (uintptr_t)addresses[i];
        }
    }
    return kept;
}

static uint64_t frames_hash(const uint64_t *frames, uint32_t depth)
{
    uint64_t hash = depth;
    for (uint32_t i = 0; i < depth; i++) {
        hash = (hash ^ frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static struct ompd_cl_registry_stack_record *stack_record_at(uint32_t index)
{
    return recorder_record(ompd_cl_registry_stack, index);
}

static uint32_t stack_search(uint32_t first, uint64_t hash, const uint64_t *frames, uint32_t depth)
{
    for (uint32_t place = first; place;) {
        const struct ompd_cl_registry_stack_record *record = stack_record_at(place - 1);
        if (record->hash == hash && record->depth == depth &&
            memcmp(record->frames, frames, depth * sizeof(frames[0])) == 0) {
            return place;
        }
        place = record->hash_next;
    }
    return 0;
}

void recorder_stack_count_made(uint32_t stack)
{
    __atomic_add_fetch(&stack_record_at(stack - 1)->made, 1, __ATOMIC_RELAXED);
}

/* Make a record. The caller has the growth lock. */
static uint32_t stack_add(uint32_t *bucket, uint64_t hash, const uint64_t *frames, uint32_t depth)
{
    uint32_t index = stack_count;
    struct ompd_cl_registry_stack_record *record =
        recorder_record_append(ompd_cl_registry_stack, index);
    if (!record) {
        return 0;
    }
    stack_count++;
    record->hash = hash;
    record->hash_next = *bucket;
    record->depth = (uint16_t)depth;
    memcpy(record->frames, frames, depth * sizeof(frames[0]));
    recorder_record_begin(ompd_cl_registry_stack, index);
    __atomic_store_n(bucket, index + 1, __ATOMIC_RELEASE);
    return index + 1;
}

/* The record of a stack, which is made if it does not exist: its index plus 1. */
static uint32_t stack_find(const uint64_t *frames, uint32_t depth)
{
    uint64_t hash = frames_hash(frames, depth);
    uint32_t *bucket = &buckets[hash % BUCKET_COUNT];
    uint32_t place = stack_search(__atomic_load_n(bucket, __ATOMIC_ACQUIRE), hash, frames, depth);
    if (!place) {
        recorder_growth_lock();
        place = stack_search(*bucket, hash, frames, depth);
        if (!place) {
            place = stack_add(bucket, hash, frames, depth);
        }
        recorder_growth_unlock();
    }
    return place;
}

void recorder_site_find_slowly(struct recorder_site *site, const void *return_address)
{
    site->caller = (uintptr_t)return_address;
    site->stack = 0;
    if (stack_depth == 1 && !is_excluded_code(site->caller)) {
        return;
    }
    uint64_t frames[OMPD_CL_REGISTRY_MAX_STACK_DEPTH];
    int saved_errno = errno;
    uint32_t depth = frames_collect(frames, stack_depth);
    errno = saved_errno;
    if (depth) {
        site->caller = frames[0];
        site->stack = stack_depth > 1 ? stack_find(frames, depth) : 0;
    }
}
