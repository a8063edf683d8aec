/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define UNW_LOCAL_ONLY
#include "stack.h"

#include <errno.h>
#include <libunwind.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "heap.h"
#include "ompd-opencl-registry.h"
#include "tables.h"

#define BUCKET_COUNT 16384u
/* Frames of the recorder and the loader that may lie between the program and here. */
#define FRAMES_LEFT_OUT 16

/* Code that is no part of the program: the recorder's own, that of the loaders it serves, and that
 * of other layers.  There are more of them once they are counted; none changes. */
#define CODE_RANGES 16
static struct recorder_code_range left_out[CODE_RANGES];
struct recorder_code_range recorder_code_doubtful;
static uint32_t stack_depth = 1;
static uint32_t left_out_count;
static uint32_t buckets[BUCKET_COUNT]; /* index plus 1 of the newest stack */
static uint32_t stack_count;
static uint32_t stack_capacity;

void recorder_stacks_prepare(uint32_t depth)
{
    stack_depth = depth;
    recorder_stack_leave_out((const void *)&recorder_stacks_prepare);
}

struct module_search {
    uintptr_t address;
    struct recorder_code_range range;
};

static int module_visit(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct module_search *search = data;
    if (info->dlpi_name[0] == '\0') {
        return 0; /* the program itself, with a loader linked into it */
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) &&
            search->address - start < segment->p_memsz) {
            search->range.start = start;
            search->range.size = segment->p_memsz;
            return 1;
        }
    }
    return 0;
}

static bool is_left_out(uintptr_t address)
{
    uint32_t count = __atomic_load_n(&left_out_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++) {
        if (address - left_out[i].start < left_out[i].size) {
            return true;
        }
    }
    return false;
}

/* Let the doubtful range reach over all that is left out. */
static void doubtful_update(void)
{
    uintptr_t start = UINTPTR_MAX;
    uintptr_t end = 0;
    for (uint32_t i = 0; i < left_out_count; i++) {
        uintptr_t its_end = left_out[i].start + left_out[i].size;
        start = left_out[i].start < start ? left_out[i].start : start;
        end = its_end > end ? its_end : end;
    }
    /* Another thread may look at it meanwhile: to that one everything is doubtful. */
    __atomic_store_n(&recorder_code_doubtful.size, UINTPTR_MAX, __ATOMIC_SEQ_CST);
    __atomic_store_n(&recorder_code_doubtful.start, stack_depth > 1 ? 0 : start, __ATOMIC_SEQ_CST);
    if (stack_depth == 1) {
        __atomic_store_n(&recorder_code_doubtful.size, end - start, __ATOMIC_SEQ_CST);
    }
}

void recorder_stack_leave_out(const void *address)
{
    struct module_search search = {.address = (uintptr_t)address};
    if (!dl_iterate_phdr(module_visit, &search)) {
        return;
    }
    recorder_growth_lock();
    if (!is_left_out(search.address) && left_out_count < CODE_RANGES) {
        left_out[left_out_count] = search.range;
        __atomic_store_n(&left_out_count, left_out_count + 1, __ATOMIC_RELEASE);
        doubtful_update();
    }
    recorder_growth_unlock();
}

/* Unwind from here: the program's frames, innermost first, at most LIMIT. */
static uint32_t frames_collect(uint64_t *frames, uint32_t limit)
{
    void *addresses[OMPD_CL_REGISTRY_MAX_STACK_DEPTH + FRAMES_LEFT_OUT];
    int count = unw_backtrace(addresses, (int)limit + FRAMES_LEFT_OUT);
    uint32_t kept = 0;
    for (int i = 0; i < count && kept < limit; i++) {
        if (!is_left_out((uintptr_t)addresses[i])) {
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

static struct ompd_cl_registry_stack_record *record_of(uint32_t index)
{
    return recorder_record(ompd_cl_registry_stack, index);
}

static uint32_t stack_search(uint32_t first, uint64_t hash, const uint64_t *frames, uint32_t depth)
{
    for (uint32_t place = first; place;) {
        const struct ompd_cl_registry_stack_record *record = record_of(place - 1);
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
    __atomic_add_fetch(&record_of(stack - 1)->made, 1, __ATOMIC_RELAXED);
}

/* Make a record; the growth lock is held. */
static uint32_t stack_add(uint32_t *bucket, uint64_t hash, const uint64_t *frames, uint32_t depth)
{
    if (stack_count == stack_capacity) {
        if (recorder_chunk_make(ompd_cl_registry_stack, RECORDER_NO_HEAP) == RECORDER_NO_SLOT) {
            return 0;
        }
        stack_capacity += RECORDER_RECORDS_PER_CHUNK;
    }
    uint32_t index = stack_count++;
    struct recorder_chunk *chunk = recorder_chunk_of(ompd_cl_registry_stack, index);
    struct ompd_cl_registry_stack_record *record = record_of(index);
    chunk->used++;
    chunk->local_live++;
    record->hash = hash;
    record->hash_next = *bucket;
    record->depth = (uint16_t)depth;
    memcpy(record->frames, frames, depth * sizeof(frames[0]));
    __atomic_store_n(&record->state, ompd_cl_registry_live, __ATOMIC_RELEASE);
    chunk->local_changes++;
    __atomic_store_n(bucket, index + 1, __ATOMIC_RELEASE);
    return index + 1;
}

/* The record of a stack, made when there is none: index plus 1. */
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
    if (stack_depth == 1 && !is_left_out(site->caller)) {
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
