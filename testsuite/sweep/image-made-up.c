/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image-made-up.h"

#include "../unit/population.h"

#include <stdlib.h>
#include <string.h>

static struct population population;

/* ---- Callbacks ------------------------------------------------------------------------------- */

/* The fake target's own callbacks count their calls, which threads would contend for: these only
 * read. */

static ompd_rc_t give_sizes(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    (void)context;
    *sizes = (ompd_device_type_sizes_t){1, 2, 4, 8, 8, (uint8_t)population.target->pointer_size};
    return ompd_rc_ok;
}

static ompd_rc_t look_up(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                         const char *name, ompd_address_t *address, const char *file)
{
    (void)context;
    (void)thread;
    (void)file;
    if (strcmp(name, OMPD_CL_REGISTRY_SYMBOL) != 0)
        return ompd_rc_error;
    address->segment = ompd_segment_none;
    address->address = population.target->root;
    return ompd_rc_ok;
}

static ompd_rc_t read_bytes(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                            const ompd_address_t *from, ompd_size_t size, void *buffer)
{
    (void)context;
    (void)thread;
    if (from->address < FAKE_BASE || size > FAKE_SIZE ||
        from->address - FAKE_BASE > FAKE_SIZE - size)
        return ompd_rc_error;
    memcpy(buffer, population.target->bytes + (from->address - FAKE_BASE), (size_t)size);
    return ompd_rc_ok;
}

static ompd_rc_t to_host(ompd_address_space_context_t *context, const void *input, ompd_size_t unit,
                         ompd_size_t count, void *output)
{
    bool is_host_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    const uint8_t *from = input;
    uint8_t *to = output;

    (void)context;
    for (ompd_size_t i = 0; i < unit * count; i++) {
        ompd_size_t place = i % unit;

        if (population.target->is_big_endian != is_host_big_endian)
            place = unit - 1 - place;
        to[i] = from[i / unit * unit + place];
    }
    return ompd_rc_ok;
}

static ompd_rc_t tell_region(ompd_address_space_context_t *context, ompd_addr_t address,
                             ompd_cl_region_t *region)
{
    (void)context;
    if (address >= FAKE_BASE + FAKE_SIZE)
        return ompd_rc_unavailable;
    *region = fake_region_at(population.target, address);
    return ompd_rc_ok;
}

/* One module, which is a runtime. */
static ompd_rc_t tell_module(ompd_address_space_context_t *context, ompd_size_t index,
                             ompd_cl_module_t *module)
{
    static const uint8_t build_id[] = {0x5e, 0xed};

    (void)context;
    if (index != 0)
        return ompd_rc_unavailable;
    *module = (ompd_cl_module_t){
        .name = "/lib/libmade-up.so",
        .build_id = build_id,
        .build_id_size = sizeof(build_id),
        .start = FAKE_BASE,
        .end = FAKE_BASE + 4096,
    };
    return ompd_rc_ok;
}

static ompd_rc_t look_up_in_module(ompd_address_space_context_t *context, ompd_size_t index,
                                   const char *name, ompd_addr_t *address)
{
    (void)context;
    if (index != 0 || strcmp(name, "clIcdGetPlatformIDsKHR") != 0)
        return ompd_rc_unavailable;
    *address = FAKE_BASE;
    return ompd_rc_ok;
}

/* ---- The target ------------------------------------------------------------------------------ */

/* The target's memory as it was made. */
static uint8_t *bytes;

/* The LWP of a thread that is not in the target. */
#define OTHER_LWP 999

/* End record INDEX of TABLE; the next object that has it is of a later generation. */
static void end_record(uint32_t table, uint32_t index, bool is_replaced)
{
    struct fake_target *target = population.target;

    fake_remove_object(target, table, index);
    if (is_replaced)
        fake_set(target, table, index, ompd_cl_registry_field_state, ompd_cl_registry_live);
}

/* The thread that is in a call within a callback. */
static void end_thread(bool is_replaced)
{
    const uint32_t thread = population.threads[2];

    fake_end_thread(population.target, thread);
    if (is_replaced)
        fake_reuse_thread(population.target, thread, OTHER_LWP);
}

static bool end_object(uint32_t kind, bool is_replaced)
{
    switch (kind) {
    case ompd_cl_kind_context:
        end_record(ompd_cl_registry_context, population.context, is_replaced);
        break;
    case ompd_cl_kind_queue:
        end_record(ompd_cl_registry_queue, population.queue, is_replaced);
        break;
    case ompd_cl_kind_memobj:
        end_record(ompd_cl_registry_memobj, population.buffer, is_replaced);
        break;
    case ompd_cl_kind_svm:
        end_record(ompd_cl_registry_svm, population.svm, is_replaced);
        break;
    case ompd_cl_kind_svm_free:
        end_record(ompd_cl_registry_svm_free, population.svm_free, is_replaced);
        break;
    case ompd_cl_kind_thread:
        end_thread(is_replaced);
        break;
    default:
        abort();
    }
    return false;
}

static void restore(void)
{
    memcpy(population.target->bytes, bytes, population.target->used);
}

struct sweep_target sweep_made_up_create(bool is_big_endian, unsigned pointer_size)
{
    struct sweep_target target = {
        .name = "made up",
        .callbacks =
            {
                .sizeof_type = give_sizes,
                .symbol_addr_lookup = look_up,
                .read_memory = read_bytes,
                .device_to_host = to_host,
            },
        .extra =
            {
                .struct_size = sizeof(target.extra),
                .memory_region = tell_region,
                .module = tell_module,
                .module_symbol = look_up_in_module,
            },
        .end_object = end_object,
        .restore = restore,
    };

    population = population_create(is_big_endian, pointer_size);
    bytes = malloc(population.target->used);
    if (bytes == NULL)
        abort();
    memcpy(bytes, population.target->bytes, population.target->used);
    target.context = (ompd_address_space_context_t *)(void *)population.target;
    return target;
}

void sweep_made_up_free(void)
{
    free(bytes);
    population_free(&population);
}
