/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The optional table of the fake target: regions, modules and their symbols, progress. */
#include "fake-target.h"

#include <check.h>
#include <elf.h>
#include <stddef.h>
#include <string.h>

/* ---- Values set by a test -------------------------------------------------------------------- */

void fake_permit(struct fake_target *target, uint64_t start, uint64_t end, uint32_t permissions)
{
    ck_assert_uint_lt(target->permit_count, FAKE_PERMIT_LIMIT);
    ck_assert_uint_lt(start, end);
    target->permits[target->permit_count++] =
        (struct fake_permit){start, end, ompd_cl_permission_known | permissions};
}

uint32_t fake_add_module(struct fake_target *target, const char *name, const void *build_id,
                         uint32_t build_id_size, uint64_t start, uint64_t end)
{
    ck_assert_uint_lt(target->module_count, FAKE_MODULE_LIMIT);
    target->modules[target->module_count] = (ompd_cl_module_t){
        .name = name,
        .build_id = build_id,
        .build_id_size = build_id_size,
        .start = start,
        .end = end,
    };
    return target->module_count++;
}

/* The target's number MEMBER of the ELF structure at ADDRESS. */
#define PUT_ELF(target, address, type, member, value)                                              \
    ((target)->pointer_size == 8 ? fake_put(target, (address) + offsetof(Elf64_##type, member),    \
                                            sizeof(((Elf64_##type *)0)->member), value)            \
                                 : fake_put(target, (address) + offsetof(Elf32_##type, member),    \
                                            sizeof(((Elf32_##type *)0)->member), value))

#define PAGE UINT64_C(4096)

static void put_segment(struct fake_target *target, uint64_t address, uint64_t start, uint64_t size,
                        uint32_t flags)
{
    PUT_ELF(target, address, Phdr, p_type, PT_LOAD);
    PUT_ELF(target, address, Phdr, p_flags, flags);
    PUT_ELF(target, address, Phdr, p_vaddr, start);
    PUT_ELF(target, address, Phdr, p_memsz, size);
}

void fake_put_module_header(struct fake_target *target, uint64_t start, uint64_t data_size)
{
    uint8_t *bytes = target->bytes + (start - FAKE_BASE);
    bool is_64 = target->pointer_size == 8;
    uint64_t size = is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    uint64_t segments = start + 64;

    memcpy(bytes, ELFMAG, SELFMAG);
    bytes[EI_CLASS] = is_64 ? ELFCLASS64 : ELFCLASS32;
    bytes[EI_DATA] = target->is_big_endian ? ELFDATA2MSB : ELFDATA2LSB;
    PUT_ELF(target, start, Ehdr, e_machine, 62);
    PUT_ELF(target, start, Ehdr, e_phoff, 64);
    PUT_ELF(target, start, Ehdr, e_phentsize, size);
    PUT_ELF(target, start, Ehdr, e_phnum, 3);
    put_segment(target, segments, 0, PAGE, PF_R);
    put_segment(target, segments + size, PAGE, PAGE, PF_R | PF_X);
    put_segment(target, segments + 2 * size, 2 * PAGE, data_size, PF_R | PF_W);
}

void fake_add_symbol(struct fake_target *target, uint32_t module, const char *name,
                     uint64_t address)
{
    ck_assert_uint_lt(module, target->module_count);
    ck_assert_uint_lt(target->symbol_count, FAKE_SYMBOL_LIMIT);
    target->symbols[target->symbol_count++] = (struct fake_symbol){name, module, address};
}

/* ---- Answers to the library ------------------------------------------------------------------ */

/* Reduce REGION, which contains ADDRESS, to the side of BORDER with ADDRESS. */
static void cut(ompd_cl_region_t *region, uint64_t address, uint64_t border)
{
    if (border <= address && border > region->start)
        region->start = border;
    if (border > address && border < region->end)
        region->end = border;
}

ompd_cl_region_t fake_region_at(const struct fake_target *target, uint64_t address)
{
    ompd_cl_region_t found = {.start = FAKE_BASE, .end = FAKE_BASE + target->size, .is_saved = 1};

    if (address < FAKE_BASE)
        address = FAKE_BASE;
    cut(&found, address, target->hole_start);
    cut(&found, address, target->hole_end);
    if (address >= target->hole_start && address < target->hole_end)
        found.is_saved = !target->is_hole_known;
    for (uint32_t i = 0; i < target->permit_count; i++) {
        const struct fake_permit *permit = &target->permits[i];

        cut(&found, address, permit->start);
        cut(&found, address, permit->end);
        if (address >= permit->start && address < permit->end)
            found.permissions = permit->permissions;
    }
    if (target->is_hole_known && (found.permissions & ompd_cl_permission_untouched) != 0)
        found.is_saved = 0;
    if (found.start >= target->whole_start && found.end <= target->whole_end) {
        found.whole_start = target->whole_start;
        found.whole_end = target->whole_end;
    }
    return found;
}

static ompd_rc_t memory_region(ompd_address_space_context_t *context, ompd_addr_t address,
                               ompd_cl_region_t *region)
{
    struct fake_target *target = fake_target_of(context);

    ck_assert_uint_eq(region->struct_size, sizeof(*region));
    if (fake_fails(fake_region) || address >= FAKE_BASE + target->size)
        return ompd_rc_unavailable;
    *region = fake_region_at(target, address);
    return ompd_rc_ok;
}

static ompd_rc_t module(ompd_address_space_context_t *context, ompd_size_t index,
                        ompd_cl_module_t *found)
{
    struct fake_target *target = fake_target_of(context);

    ck_assert_uint_eq(found->struct_size, sizeof(*found));
    if (fake_fails(fake_module))
        return ompd_rc_error;
    if (index >= target->module_count)
        return ompd_rc_unavailable;
    *found = target->modules[index];
    return ompd_rc_ok;
}

static ompd_rc_t module_symbol(ompd_address_space_context_t *context, ompd_size_t index,
                               const char *name, ompd_addr_t *address)
{
    struct fake_target *target = fake_target_of(context);

    if (fake_fails(fake_module_symbol))
        return ompd_rc_error;
    for (uint32_t i = 0; i < target->symbol_count; i++) {
        if (target->symbols[i].module == index && strcmp(target->symbols[i].name, name) == 0) {
            *address = target->symbols[i].address;
            return ompd_rc_ok;
        }
    }
    return ompd_rc_unavailable;
}

/* To fail is to cancel. */
static bool progress(ompd_address_space_context_t *context, uint64_t done, uint64_t whole)
{
    struct fake_target *target = fake_target_of(context);

    target->progress_falls += done < target->progress_done || done > whole;
    target->progress_done = done;
    target->progress_whole = whole;
    return !fake_fails(fake_progress);
}

const ompd_cl_extra_t fake_extra = {
    .struct_size = sizeof(fake_extra),
    .memory_region = memory_region,
    .module = module,
    .module_symbol = module_symbol,
    .progress = progress,
};
