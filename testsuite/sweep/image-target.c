/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The callbacks of a tool for an image of its own architecture. */
#include "image.h"

#include <ompd-opencl-registry.h>
#include <string.h>

/* No stretch of a program's data is larger, but for its heaps. */
#define SMALL_REGION (UINT64_C(1) << 19)

static const struct sweep_image *image_of(ompd_address_space_context_t *context)
{
    return (const struct sweep_image *)(const void *)context;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    (void)context;
    *sizes = (ompd_device_type_sizes_t){sizeof(char), sizeof(short),     sizeof(int),
                                        sizeof(long), sizeof(long long), sizeof(void *)};
    return ompd_rc_ok;
}

static ompd_rc_t symbol_addr_lookup(ompd_address_space_context_t *context,
                                    ompd_thread_context_t *thread, const char *name,
                                    ompd_address_t *address, const char *file)
{
    (void)thread;
    (void)file;
    if (strcmp(name, OMPD_CL_REGISTRY_SYMBOL) != 0)
        return ompd_rc_error;
    *address = (ompd_address_t){ompd_segment_none, image_of(context)->registry};
    return ompd_rc_ok;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *from, ompd_size_t size, void *buffer)
{
    (void)thread;
    return sweep_image_read(image_of(context), from->address, size, buffer) ? ompd_rc_ok
                                                                            : ompd_rc_error;
}

static ompd_rc_t device_to_host(ompd_address_space_context_t *context, const void *input,
                                ompd_size_t unit, ompd_size_t count, void *output)
{
    (void)context;
    memcpy(output, input, unit * count);
    return ompd_rc_ok;
}

static ompd_rc_t memory_region(ompd_address_space_context_t *context, ompd_addr_t address,
                               ompd_cl_region_t *region)
{
    const struct sweep_image *image = image_of(context);
    const struct image_region *found = sweep_image_region(image, address);

    if (found == NULL)
        return ompd_rc_unavailable;
    *region = (ompd_cl_region_t){
        .start = found->start,
        .end = found->end,
        .is_saved = image->core == NULL || found->bytes != NULL,
        .permissions = found->permissions,
    };
    return ompd_rc_ok;
}

/* The same, without the large ones. */
static ompd_rc_t small_region(ompd_address_space_context_t *context, ompd_addr_t address,
                              ompd_cl_region_t *region)
{
    ompd_rc_t rc;

    do {
        rc = memory_region(context, address, region);
        address = region->end;
    } while (rc == ompd_rc_ok && region->end - region->start > SMALL_REGION);
    return rc;
}

static ompd_rc_t module(ompd_address_space_context_t *context, ompd_size_t index,
                        ompd_cl_module_t *module)
{
    const struct sweep_image *image = image_of(context);
    const struct image_module *found = &image->modules[index];

    if (index >= image->module_count)
        return ompd_rc_unavailable;
    *module = (ompd_cl_module_t){
        .name = found->file,
        .build_id = found->build_id_size != 0 ? found->build_id : NULL,
        .build_id_size = found->build_id_size,
        .start = found->start,
        .end = found->end,
    };
    return ompd_rc_ok;
}

static ompd_rc_t module_symbol(ompd_address_space_context_t *context, ompd_size_t index,
                               const char *name, ompd_addr_t *address)
{
    uint64_t found = sweep_image_module_symbol(image_of(context), index, name);

    if (found == 0)
        return ompd_rc_unavailable;
    *address = found;
    return ompd_rc_ok;
}

struct sweep_target sweep_image_target(const struct sweep_image *image)
{
    return (struct sweep_target){
        .name = image->name,
        .callbacks =
            {
                .sizeof_type = sizeof_type,
                .symbol_addr_lookup = symbol_addr_lookup,
                .read_memory = read_memory,
                .device_to_host = device_to_host,
            },
        .extra =
            {
                .struct_size = sizeof(ompd_cl_extra_t),
                .memory_region = memory_region,
                .module = module,
                .module_symbol = module_symbol,
            },
        .context = (ompd_address_space_context_t *)(uintptr_t)image,
    };
}

struct sweep_target sweep_image_small_target(const struct sweep_image *image)
{
    struct sweep_target target = sweep_image_target(image);

    target.extra.memory_region = small_region;
    return target;
}
