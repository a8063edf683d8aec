/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether the program has freed memory, for the rules about host memory and user data. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* Whether ADDRESS is known to be in a module's variables or in a stack. */
static bool has_other_owner(struct address_space *space, uint64_t address)
{
    return memory_owners_read(space) == ompd_rc_ok &&
           (owner_module_find(&space->stacks->owners, address) != NULL ||
            owner_stack_find(&space->stacks->owners, address) != NULL);
}

/* Whether an allocator may have allocated the memory at ADDRESS, which is in no known heap. */
static bool can_be_allocated(struct address_space *space, uint64_t address)
{
    return memory_owners_read(space) == ompd_rc_ok && !has_other_owner(space, address);
}

/* Record the consequence of an ADDRESS that is in no known heap. */
static void note_unknown(struct row_visit *visit, struct freed_memory *memory, uint64_t address)
{
    struct heap_chunks *chunks = &memory->chunks;
    struct shortfall *missing = visit->missing;
    struct target *target = &visit->space->target;

    if (chunks->is_broken) {
        missing->unchecked |= UNCHECKED(corrupt_heap);
        return;
    }
    if (memory->is_looked || !can_be_allocated(visit->space, address))
        return;
    memory->is_looked = true;
    chunks->is_lost |= heap_caches_read(&chunks->caches, target) != ompd_rc_ok;
    missing->allocator = other_allocator_find(target);
    if (missing->allocator != NULL)
        missing->unchecked |= UNCHECKED(allocator);
    else if (!memory->has_heap && chunks->caches.is_known && !chunks->caches.is_there)
        missing->unchecked |= UNCHECKED(heaps);
}

bool freed_memory_has(struct row_visit *visit, struct freed_memory *memory, uint64_t address)
{
    struct heap_chunks *chunks = &memory->chunks;
    enum heap_use use = heap_chunks_find(chunks, &visit->space->target, address).use;

    /* What could not be read does not matter for a variable, even of a module that ends where the
     * heap begins. */
    shortfall_note(visit->missing, chunks->is_lost && (use != heap_unknown ||
                                                       !has_other_owner(visit->space, address)));
    memory->has_heap |= chunks->first != 0;
    if (use == heap_unknown)
        note_unknown(visit, memory, address);
    else if (use == heap_may_be_cached)
        visit->missing->unchecked |= UNCHECKED(cached_blocks);
    return use == heap_is_freed || use == heap_is_cached;
}

void freed_memory_free(struct freed_memory *memory, struct row_visit *visit)
{
    heap_chunks_free(&memory->chunks, visit->space->target.memory);
}
