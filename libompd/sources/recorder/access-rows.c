/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of what a command touches: memory objects, SVM and memory of the program. */
#include "sources/recorder/recorder.h"

#define OPERAND(name) ompd_cl_registry_operand_##name

/* What is accessed: the object in a field of the command, or the memory at an operand. */
enum access_target {
    of_memobj,
    of_destination,
    of_host,    /* memory of the program */
    of_pointer, /* SVM, or memory of the program */
    of_destination_pointer
};

/* One access of a command, with the operands that say where. 0: none. */
struct access_part {
    uint8_t use; /* ompd_cl_access_use_t */
    uint8_t target;
    uint8_t offset;
    uint8_t size;
    uint8_t origin;
    uint8_t region;
    uint8_t row_pitch;
    uint8_t slice_pitch;
};

/* The operands of the parts of memory objects, and of memory of the program. */
#define BYTES OPERAND(offset), OPERAND(size), 0, 0, 0, 0
#define COPIED_TO OPERAND(destination_offset), OPERAND(size), 0, 0, 0, 0
#define BOX 0, 0, OPERAND(origin), OPERAND(region), OPERAND(row_pitch), OPERAND(slice_pitch)
#define BOX_TO                                                                                     \
    0, 0, OPERAND(destination_origin), OPERAND(region), OPERAND(destination_row_pitch),            \
        OPERAND(destination_slice_pitch)
#define PIXELS 0, 0, OPERAND(origin), OPERAND(region), 0, 0
#define PIXELS_TO 0, 0, OPERAND(destination_origin), OPERAND(region), 0, 0
#define ROWS 0, 0, 0, OPERAND(region), OPERAND(row_pitch), OPERAND(slice_pitch)
#define WHOLE 0, OPERAND(size), 0, 0, 0, 0
#define READS ompd_cl_access_reads
#define WRITES ompd_cl_access_writes
#define MAPS ompd_cl_access_maps
#define UNMAPS ompd_cl_access_unmaps
#define MIGRATES ompd_cl_access_migrates

/* The accesses of each cl_command_type, except of those in a list and of arguments. */
static const struct access_shape {
    uint16_t type;
    struct access_part parts[ACCESS_PARTS];
} shapes[] = {
    {0x11f3, {{READS, of_memobj, BYTES}, {WRITES, of_host, WHOLE}}},
    {0x11f4, {{READS, of_host, WHOLE}, {WRITES, of_memobj, BYTES}}},
    {0x11f5, {{READS, of_memobj, BYTES}, {WRITES, of_destination, COPIED_TO}}},
    {0x11f6, {{READS, of_memobj, PIXELS}, {WRITES, of_host, ROWS}}},
    {0x11f7, {{READS, of_host, ROWS}, {WRITES, of_memobj, PIXELS}}},
    {0x11f8, {{READS, of_memobj, PIXELS}, {WRITES, of_destination, PIXELS_TO}}},
    {0x11f9, {{READS, of_memobj, PIXELS}, {WRITES, of_destination, COPIED_TO}}},
    {0x11fa, {{READS, of_memobj, BYTES}, {WRITES, of_destination, PIXELS_TO}}},
    {0x11fb, {{MAPS, of_memobj, BYTES}}},
    {0x11fc, {{MAPS, of_memobj, BOX}}},
    {0x11fd, {{UNMAPS, of_memobj, WHOLE}}},
    {0x1201, {{READS, of_memobj, BOX}, {WRITES, of_host, BOX_TO}}},
    {0x1202, {{READS, of_host, BOX_TO}, {WRITES, of_memobj, BOX}}},
    {0x1203, {{READS, of_memobj, BOX}, {WRITES, of_destination, BOX_TO}}},
    {0x1207, {{WRITES, of_memobj, BYTES}}},
    {0x1208, {{WRITES, of_memobj, PIXELS}}},
    {0x120a, {{READS, of_pointer, WHOLE}, {WRITES, of_destination_pointer, WHOLE}}},
    {0x120b, {{WRITES, of_pointer, WHOLE}}},
    {0x120c, {{MAPS, of_pointer, WHOLE}}},
    {0x120d, {{UNMAPS, of_pointer, WHOLE}}},
    /* cl_arm_shared_virtual_memory and cl_intel_unified_shared_memory */
    {0x40bb, {{READS, of_pointer, WHOLE}, {WRITES, of_destination_pointer, WHOLE}}},
    {0x40bc, {{WRITES, of_pointer, WHOLE}}},
    {0x40bd, {{MAPS, of_pointer, WHOLE}}},
    {0x40be, {{UNMAPS, of_pointer, WHOLE}}},
    {0x4204, {{WRITES, of_pointer, WHOLE}}},
    {0x4205, {{READS, of_pointer, WHOLE}, {WRITES, of_destination_pointer, WHOLE}}},
    {0x4206, {{MIGRATES, of_pointer, WHOLE}}},
    {0x4207, {{ompd_cl_access_uses, of_pointer, WHOLE}}},
    /* cl_intel_program_scope_host_pipe and cl_img_generate_mipmap */
    {0x4214, {{WRITES, of_host, WHOLE}}},
    {0x4215, {{READS, of_host, WHOLE}}},
    {0x40d6, {{READS, of_memobj, WHOLE}, {WRITES, of_destination, WHOLE}}},
};

#define RUNS_KERNEL 0x11f0
#define RUNS_TASK 0x11f1

/* The use of each object in the list of a command of a type; others are used. */
static const struct {
    uint16_t type;
    uint8_t use;
} listed[] = {
    {0x1206, MIGRATES},
    {0x120e, MIGRATES},
    {0x4040, MIGRATES},
    {0x1209, ompd_cl_access_frees},
    {0x40ba, ompd_cl_access_frees},
    {0x11ff, ompd_cl_access_acquires},
    {0x1200, ompd_cl_access_releases},
    {0x202d, ompd_cl_access_acquires},
    {0x202e, ompd_cl_access_releases},
    {0x2047, ompd_cl_access_acquires},
    {0x2048, ompd_cl_access_releases},
    {0x409a, ompd_cl_access_acquires},
    {0x409b, ompd_cl_access_releases},
    {0x40d2, ompd_cl_access_acquires},
    {0x40d3, ompd_cl_access_releases},
    {RUNS_KERNEL, ompd_cl_access_uses}, /* SVM besides its arguments */
    {RUNS_TASK, ompd_cl_access_uses},
};

#define MIGRATES_SVM 0x120e

/* ---- Commands -------------------------------------------------------------------------------- */

static const struct access_shape *find_shape(uint64_t type)
{
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        if (shapes[i].type == type)
            return &shapes[i];
    }
    return NULL;
}

void access_command_read(const struct registry *registry, const struct registry_table *table,
                         const uint8_t *record, struct access_command *command)
{
    const struct access_shape *shape;

    command->type = registry_get(registry, table, record, ompd_cl_registry_field_type);
    command->order = registry_get(registry, table, record, ompd_cl_registry_field_serial);
    command->memobj = registry_get(registry, table, record, ompd_cl_registry_field_memobj);
    command->destination =
        registry_get(registry, table, record, ompd_cl_registry_field_destination);
    command->part_count = 0;
    command_operands_read(registry, table, record, &command->operands);
    shape = find_shape(command->type);
    while (shape != NULL && command->part_count < ACCESS_PARTS &&
           shape->parts[command->part_count].use != 0)
        command->part_count++;
}

void access_command_of_kernel(struct access_command *command)
{
    *command = (struct access_command){.type = RUNS_KERNEL, .order = UINT64_MAX};
}

bool access_command_lists_sizes(const struct access_command *command)
{
    return command->type == MIGRATES_SVM;
}

/* ---- Objects and memory ---------------------------------------------------------------------- */

static void begin_row(ompd_cl_access_info_t *info, uint8_t use)
{
    blank_fill(ompd_cl_kind_access, info, ompd_cl_source_recorder, ompd_cl_status_not_applicable);
    recorder_value_set(&info->use, use);
}

static void set_memobj(ompd_cl_access_info_t *info, uint64_t handle)
{
    recorder_value_set(&info->object_kind, ompd_cl_kind_memobj);
    recorder_value_set(&info->object, handle);
}

/* Set the memory at ADDRESS, which is SVM if it belongs to an allocation that was made before
 * ORDER. */
static ompd_rc_t set_pointer(struct registry *registry, ompd_cl_access_info_t *info,
                             uint64_t address, uint64_t order)
{
    uint64_t start;
    uint32_t index;
    ompd_rc_t rc = record_find_around(registry, ompd_cl_registry_svm, ompd_cl_registry_field_handle,
                                      address, order, &index, &start);

    recorder_value_set(&info->address, address);
    if (rc == ompd_rc_ok) {
        recorder_value_set(&info->object_kind, ompd_cl_kind_svm);
        recorder_value_set(&info->object, start);
        recorder_value_set(&info->offset, address - start);
    } else if (rc == ompd_rc_incomplete) {
        recorder_value_set_absent(&info->object_kind, ompd_cl_status_unknown);
    }
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}

/* Set *SIZE to the bytes of a pixel of the image HANDLE that COMMAND uses; 0: unknown. */
static ompd_rc_t find_pixel_size(struct registry *registry, const struct access_command *command,
                                 uint64_t *size)
{
    struct registry_table *table = &registry->tables[ompd_cl_registry_memobj];
    const uint8_t *record;
    uint32_t generation;
    uint32_t index;
    ompd_rc_t rc =
        record_find(registry, ompd_cl_registry_memobj, command->memobj, &index, &generation);

    *size = 0;
    if (rc == ompd_rc_ok)
        rc = registry_record_view(registry, table, index, &record);
    if (rc == ompd_rc_ok &&
        registry_get(registry, table, record, ompd_cl_registry_field_serial) < command->order)
        *size = registry_get(registry, table, record, ompd_cl_registry_field_element_size);
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}

/* Set the bytes from the first to the last that a box in memory of the program has, and where it
 * begins. BYTES is the size of a pixel. */
static void set_box_bytes(ompd_cl_access_info_t *info, uint64_t pixel)
{
    uint64_t width = info->region_x.value * pixel;
    uint64_t row = info->row_pitch.value != 0 ? info->row_pitch.value : width;
    uint64_t slice =
        info->slice_pitch.value != 0 ? info->slice_pitch.value : row * info->region_y.value;

    if (info->region_x.status != ompd_cl_status_value || width == 0 || info->region_y.value == 0 ||
        info->region_z.value == 0)
        return;
    recorder_value_set(&info->size, (info->region_z.value - 1) * slice +
                                        (info->region_y.value - 1) * row + width);
    if (info->origin_x.status == ompd_cl_status_value)
        recorder_value_set(&info->offset, info->origin_z.value * slice +
                                              info->origin_y.value * row +
                                              info->origin_x.value * pixel);
}

static ompd_rc_t set_host_memory(struct registry *registry, const struct access_command *command,
                                 ompd_cl_access_info_t *info)
{
    bool is_image = command->type == 0x11f6 || command->type == 0x11f7;
    uint64_t pixel = 1;
    ompd_rc_t rc = ompd_rc_ok;

    recorder_value_set(&info->object_kind, ACCESS_HOST);
    command_operand_set(&command->operands, OPERAND(host_pointer), 0, &info->address);
    if (info->region_x.status != ompd_cl_status_value)
        return ompd_rc_ok;
    if (is_image)
        rc = find_pixel_size(registry, command, &pixel);
    set_box_bytes(info, pixel);
    if (rc != ompd_rc_ok)
        recorder_value_set_absent(&info->size, registry->target->failure);
    else if (pixel == 0)
        recorder_value_set_absent(&info->size, ompd_cl_status_unknown);
    return rc;
}

/* Set what PART of COMMAND accesses. */
static ompd_rc_t set_target(struct registry *registry, const struct access_command *command,
                            const struct access_part *part, ompd_cl_access_info_t *info)
{
    uint64_t pointer = 0;

    switch (part->target) {
    case of_memobj:
        set_memobj(info, command->memobj);
        command_operand_set(&command->operands, OPERAND(pointer), 0, &info->address);
        return ompd_rc_ok;
    case of_destination:
        set_memobj(info, command->destination);
        return ompd_rc_ok;
    case of_host:
        return set_host_memory(registry, command, info);
    case of_pointer:
        command_operand_get(&command->operands, OPERAND(pointer), 0, &pointer);
        break;
    default:
        command_operand_get(&command->operands, OPERAND(destination_pointer), 0, &pointer);
    }
    recorder_value_set(&info->object_kind, ACCESS_HOST);
    return set_pointer(registry, info, pointer, command->order);
}

/* Set VALUE to element INDEX of the operand KIND; 0: it is not part of the access. */
static void set_operand(const struct access_command *command, uint8_t kind, uint32_t index,
                        ompd_cl_value_t *value)
{
    if (kind != 0)
        command_operand_set(&command->operands, (enum ompd_cl_registry_operand)kind, index, value);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

ompd_rc_t access_row_fill_part(struct registry *registry, const struct access_command *command,
                               uint32_t number, ompd_cl_access_info_t *info)
{
    const struct access_part *part = &find_shape(command->type)->parts[number];

    begin_row(info, part->use);
    set_operand(command, part->offset, 0, &info->offset);
    set_operand(command, part->size, 0, &info->size);
    set_operand(command, part->origin, 0, &info->origin_x);
    set_operand(command, part->origin, 1, &info->origin_y);
    set_operand(command, part->origin, 2, &info->origin_z);
    set_operand(command, part->region, 0, &info->region_x);
    set_operand(command, part->region, 1, &info->region_y);
    set_operand(command, part->region, 2, &info->region_z);
    set_operand(command, part->row_pitch, 0, &info->row_pitch);
    set_operand(command, part->slice_pitch, 0, &info->slice_pitch);
    if (part->use == MAPS)
        set_operand(command, OPERAND(flags), 0, &info->map_flags);
    return set_target(registry, command, part, info);
}

ompd_rc_t access_row_fill_listed(struct registry *registry, const struct access_command *command,
                                 uint64_t address, uint64_t size, ompd_cl_access_info_t *info)
{
    bool is_pointer = false;

    begin_row(info, ompd_cl_access_uses);
    for (size_t i = 0; i < sizeof(listed) / sizeof(listed[0]); i++) {
        if (listed[i].type != command->type)
            continue;
        recorder_value_set(&info->use, listed[i].use);
        is_pointer = listed[i].use == ompd_cl_access_frees ||
                     listed[i].use == ompd_cl_access_uses || command->type == MIGRATES_SVM;
    }
    if (!is_pointer) {
        set_memobj(info, address);
        return ompd_rc_ok;
    }
    if (size != 0)
        recorder_value_set(&info->size, size);
    recorder_value_set(&info->object_kind, ompd_cl_kind_svm);
    return set_pointer(registry, info, address, command->order);
}

/* What kernels do with the memory object HANDLE, made before ORDER, by its flags. */
static ompd_rc_t set_argument_use(struct registry *registry, uint64_t handle, uint64_t order,
                                  ompd_cl_access_info_t *info)
{
    struct registry_table *table = &registry->tables[ompd_cl_registry_memobj];
    const uint64_t write_only = 2;
    const uint64_t read_only = 4;
    const uint8_t *record;
    uint32_t generation;
    uint32_t index;
    uint64_t flags;
    ompd_rc_t rc = record_find(registry, ompd_cl_registry_memobj, handle, &index, &generation);

    if (rc == ompd_rc_ok)
        rc = registry_record_view(registry, table, index, &record);
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
    if (registry_get(registry, table, record, ompd_cl_registry_field_serial) >= order)
        return ompd_rc_ok;
    flags = registry_get(registry, table, record, ompd_cl_registry_field_flags);
    if (flags & read_only)
        recorder_value_set(&info->use, READS);
    else if (flags & write_only)
        recorder_value_set(&info->use, WRITES);
    recorder_value_set(&info->offset, 0);
    recorder_value_set(&info->size,
                       registry_get(registry, table, record, ompd_cl_registry_field_size));
    return ompd_rc_ok;
}

ompd_rc_t access_row_fill_argument(struct registry *registry, const struct access_command *command,
                                   const ompd_cl_argument_info_t *argument,
                                   ompd_cl_access_info_t *info, bool *is_access)
{
    uint64_t kind = argument->object_kind.value;

    *is_access = (argument->object_kind.status == ompd_cl_status_value) &&
                 (kind == ompd_cl_kind_memobj || kind == ompd_cl_kind_svm);
    if (!*is_access)
        return ompd_rc_ok;
    begin_row(info, ompd_cl_access_uses);
    info->argument = argument->number;
    if (kind == ompd_cl_kind_memobj) {
        set_memobj(info, argument->object.value);
        return set_argument_use(registry, argument->object.value, command->order, info);
    }
    /* Its allocation may have been freed since. */
    recorder_value_set(&info->object_kind, ompd_cl_kind_svm);
    return set_pointer(registry, info, argument->object.value, command->order);
}
