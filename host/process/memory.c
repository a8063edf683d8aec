/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memory of a target: its contents and its regions. */
#include <host/process/process.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Bytes ----------------------------------------------------------------------------------- */

static ompd_host_rc_t fail_at(ompd_host_target_t *target, ompd_host_rc_t rc, uint64_t address)
{
    return target_message_set(target, rc,
                              rc == ompd_host_rc_not_saved ? "address 0x%llx is not in the core"
                                                           : "address 0x%llx is not mapped",
                              (unsigned long long)address);
}

static ompd_host_rc_t fail_as_cut(ompd_host_target_t *target)
{
    return target_message_set(target, ompd_host_rc_unreadable,
                              "'%s' was truncated while it was read", target->path);
}

/* Whether the core has SIZE bytes at ADDRESS, in one or more adjacent regions. */
static ompd_host_rc_t core_has(ompd_host_target_t *target, uint64_t address, size_t size)
{
    const struct region *region = region_find(target, address);
    /* NULL if there is no region. */
    const struct region *end = region == NULL ? NULL : target->regions + target->region_count;

    while (size != 0) {
        size_t here;

        if (region == end || region->start > address)
            return fail_at(target, ompd_host_rc_unreadable, address);
        if (region->bytes == NULL)
            return fail_at(target, ompd_host_rc_not_saved, address);
        here = region->end - address < size ? region->end - address : size;
        address += here;
        size -= here;
        region++;
    }
    return ompd_host_rc_ok;
}

static ompd_host_rc_t core_read(ompd_host_target_t *target, uint64_t address, size_t size,
                                uint8_t *bytes)
{
    const struct region *region = region_find(target, address);
    ompd_host_rc_t rc = core_has(target, address, size);

    if (target->core.is_cut)
        return fail_as_cut(target);
    target->core.unsaved_reads += rc == ompd_host_rc_not_saved;
    if (rc != ompd_host_rc_ok)
        return rc;
    for (; size != 0; region++) {
        size_t here = region->end - address < size ? region->end - address : size;

        memcpy(bytes, region->bytes + (address - region->start), here);
        bytes += here;
        address += here;
        size -= here;
    }
    return target->core.is_cut ? fail_as_cut(target) : ompd_host_rc_ok;
}

static ompd_host_rc_t process_read_into(ompd_host_target_t *target, uint64_t address, size_t size,
                                        uint8_t *bytes)
{
    for (size_t done = 0; done < size;) {
        ssize_t count =
            pread(target->process.memory, bytes + done, size - done, (off_t)(address + done));
        if (count < 0 && errno == EINTR)
            continue;
        /* /proc/PID/mem returns end of file after the process has ended. */
        if (count == 0)
            return target_message_set(target, ompd_host_rc_unreadable, "process %d has ended",
                                      (int)target->pid);
        if (count < 0) {
            untouched_note(target, address + done);
            return fail_at(target, ompd_host_rc_unreadable, address + done);
        }
        done += (size_t)count;
    }
    return ompd_host_rc_ok;
}

#define SMALL_READ 4096 /* bytes */

/* BYTES must not change if a later page cannot be read. */
static ompd_host_rc_t process_read(ompd_host_target_t *target, uint64_t address, size_t size,
                                   uint8_t *bytes)
{
    uint8_t small[SMALL_READ];
    uint8_t *buffer = size <= sizeof(small) ? small : malloc(size);
    ompd_host_rc_t rc;

    if (buffer == NULL)
        return target_message_set(target, ompd_host_rc_nomem, "out of memory");
    rc = process_read_into(target, address, size, buffer);
    if (rc == ompd_host_rc_ok)
        memcpy(bytes, buffer, size);
    if (buffer != small)
        free(buffer);
    return rc;
}

PUBLIC ompd_host_rc_t ompd_host_memory_read(ompd_host_target_t *target, uint64_t address,
                                            size_t size, void *bytes)
{
    ompd_host_rc_t rc;

    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (bytes == NULL && size != 0)
        return target_message_set(target, ompd_host_rc_bad_input, "the buffer is NULL");
    if (size > UINT64_MAX - address)
        return fail_at(target, ompd_host_rc_unreadable, address);
    if (size != 0) {
        rc = target_is_core(target) ? core_read(target, address, size, bytes)
                                    : process_read(target, address, size, bytes);
        if (rc != ompd_host_rc_ok)
            return rc;
    }
    return target_message_clear(target);
}

/* How many bytes from ADDRESS on, in REGION, are contiguous in the file.  Stops after SIZE. */
static uint64_t in_one_piece(const ompd_host_target_t *target, const struct region *region,
                             uint64_t address, size_t size)
{
    const struct region *end = target->regions + target->region_count;
    const struct region *next = region + 1;

    while (region->end - address < size && next != end && next->start == region->end &&
           next->bytes != NULL && next->bytes == region->bytes + (region->end - region->start))
        region = next++;
    return region->end - address;
}

PUBLIC ompd_host_rc_t ompd_host_memory_map(ompd_host_target_t *target, uint64_t address,
                                           size_t size, const void **bytes)
{
    const struct region *region;

    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (bytes == NULL || size == 0)
        return target_message_set(target, ompd_host_rc_bad_input,
                                  "there are no bytes to map, or no pointer to set");
    if (target->core.is_cut)
        return fail_as_cut(target);
    region = target_is_core(target) ? region_find(target, address) : NULL;
    if (region == NULL || region->start > address || region->bytes == NULL ||
        in_one_piece(target, region, address, size) < size)
        return target_message_set(target, ompd_host_rc_not_found,
                                  "the memory at 0x%llx is not contiguous in a core",
                                  (unsigned long long)address);
    *bytes = region->bytes + (address - region->start);
    return target_message_clear(target);
}

/* ---- Regions --------------------------------------------------------------------------------- */

ompd_host_rc_t memory_regions_read(ompd_host_target_t *target)
{
    struct region_list list = {0};
    ompd_host_rc_t rc = maps_regions_list(target, &list);

    if (rc == ompd_host_rc_ok &&
        !(present_pages_apply(target, &list) && untouched_apply(target, &list)))
        rc = maps_no_memory(target);
    if (rc != ompd_host_rc_ok) {
        free(list.items);
        return rc;
    }
    free(target->regions);
    target->regions = list.items;
    target->region_count = list.count;
    return ompd_host_rc_ok;
}

PUBLIC ompd_host_rc_t ompd_host_region_get(ompd_host_target_t *target, uint64_t address,
                                           ompd_cl_region_t *region)
{
    const struct region *found;
    ompd_cl_region_t known;
    ompd_host_rc_t rc;

    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (region == NULL)
        return target_message_set(target, ompd_host_rc_bad_input, "the region pointer is NULL");
    if (region->struct_size < sizeof(region->struct_size))
        return target_message_set(target, ompd_host_rc_bad_input,
                                  "struct_size of the region is not set");
    /* The regions of a running process may have changed, so they are read again, except when an
     * iteration continues. */
    if (target_is_running(target) && (address == 0 || address != target->region_end)) {
        rc = memory_regions_read(target);
        if (rc != ompd_host_rc_ok)
            return rc;
    }
    found = region_find(target, address);
    if (found == NULL)
        return target_message_set(target, ompd_host_rc_not_found,
                                  "no memory region ends above 0x%llx",
                                  (unsigned long long)address);
    target->region_end = found->end;
    known = (ompd_cl_region_t){
        .start = found->start,
        .end = found->end,
        .is_saved = !target_is_core(target) || found->bytes != NULL,
        .permissions = region_permissions(found),
        .whole_start = found->whole_start,
        .whole_end = found->whole_end,
    };
    struct_fill(region, &known, sizeof(known));
    return target_message_clear(target);
}
