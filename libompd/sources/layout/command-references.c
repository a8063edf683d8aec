/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The references of memory objects that commands hold. */
#include "sources/layout/discovery.h"

/* Stop counting after this many memory objects of all commands together: law 6. */
#define ELEMENT_LIMIT (1u << 20)

/* Return whether the command still holds the memory objects in its list: it has not ended, and
 * commands of its type hold any. */
static bool command_holds(const struct discovery *discovery, const struct candidate *candidate)
{
    const struct layout_object *object = candidate_layout(discovery, candidate);
    const struct layout_list_location *list = &object->lists[layout_memobjs];
    uint64_t value;

    if (list->shape == layout_no_list || !list->holds_named ||
        location_read(discovery->target, &object->fields[layout_status], candidate->handle,
                      &value) != ompd_rc_ok ||
        (int32_t)value <= 0)
        return false;
    if (list->exception_count != 0 &&
        location_read(discovery->target, &object->fields[layout_command_type], candidate->handle,
                      &value) != ompd_rc_ok)
        return false;
    for (unsigned i = 0; i < list->exception_count; i++) {
        if (value == list->exceptions[i])
            return false;
    }
    return true;
}

/* The memory object with HANDLE in the runtime of COMMAND; NULL if none was found. */
static struct candidate *find_memobj(const struct discovery *discovery,
                                     const struct candidate *command, uint64_t handle)
{
    const uint32_t kinds = 1u << layout_buffer | 1u << layout_image | 1u << layout_pipe;
    const struct candidates *all = &discovery->candidates;

    for (uint32_t i = candidates_find(all, handle); i < all->count; i++) {
        struct candidate *candidate = candidate_at(all, i);

        if (candidate->handle != handle)
            break;
        if (candidate->runtime == command->runtime && (kinds >> candidate->kind & 1) != 0 &&
            (candidate->flags & candidate_is_chosen) != 0)
            return candidate;
    }
    return NULL;
}

/* Add COUNT, which may be negative, to the references that are known to be held of the memory
 * object with HANDLE. */
static void hold_memobj(const struct discovery *discovery, const struct candidate *command,
                        uint64_t handle, int count)
{
    struct candidate *memobj = find_memobj(discovery, command, handle);

    if (memobj != NULL && (count > 0 || memobj->held >= (uint32_t)-count))
        memobj->held += (uint32_t)count;
}

/* Add or subtract the references that the list of CANDIDATE holds, as far as it can be read.
 * *COUNTED grows by the number of elements. */
static ompd_rc_t hold_list(const struct discovery *discovery, const struct candidate *candidate,
                           int sign, uint64_t *counted)
{
    const struct layout_list_location *list =
        &candidate_layout(discovery, candidate)->lists[layout_memobjs];
    struct target *target = discovery->target;
    struct container container;
    ompd_rc_t rc = container_begin(&container, target, list, candidate->handle);

    *counted += container.count;
    while (rc == ompd_rc_ok) {
        struct container_element element;
        uint64_t handle;

        rc = container_next(&container, target, &element);
        if (rc != ompd_rc_ok || element.address == 0)
            return rc;
        rc = element_read(target, &list->elements[layout_memobj_of], &element, &handle);
        if (rc == ompd_rc_ok)
            hold_memobj(discovery, candidate, handle, sign * list->holds);
    }
    return rc;
}

ompd_rc_t command_count(struct discovery *discovery, struct candidate *candidate, uint64_t *counted)
{
    if (candidate->kind != layout_event || (candidate->flags & candidate_is_chosen) == 0 ||
        *counted >= ELEMENT_LIMIT || !command_holds(discovery, candidate))
        return ompd_rc_ok;
    candidate->flags |= candidate_is_command;
    return rc_is_final(hold_list(discovery, candidate, 1, counted)) ? ompd_rc_nomem : ompd_rc_ok;
}

void command_discard(struct discovery *discovery, const struct candidate *candidate)
{
    uint64_t counted = 0;

    if ((candidate->flags & candidate_is_command) != 0)
        hold_list(discovery, candidate, -1, &counted);
}
