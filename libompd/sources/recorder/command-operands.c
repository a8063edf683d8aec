/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The operands of a command, and the work sizes of one that runs a kernel. */
#include "sources/recorder/recorder.h"

#define WORD_SIZE 8
#define KIND_BITS 8
#define KIND_MASK 0xff

/* The words of the operand KIND. */
static uint32_t operand_length(uint64_t kind)
{
    return kind < OMPD_CL_REGISTRY_OPERANDS_OF_THREE ? 1 : 3;
}

void command_operands_read(const struct registry *registry, const struct registry_table *table,
                           const uint8_t *record, struct command_operands *operands)
{
    operands->kinds = registry_get(registry, table, record, ompd_cl_registry_field_operand_kinds);
    for (uint32_t i = 0; i < OMPD_CL_REGISTRY_OPERAND_WORDS; i++)
        operands->words[i] = registry_get_element(registry, table, record,
                                                  ompd_cl_registry_field_operands, i, WORD_SIZE);
}

bool command_operand_get(const struct command_operands *operands,
                         enum ompd_cl_registry_operand kind, uint32_t index, uint64_t *value)
{
    uint32_t word = 0;

    for (uint64_t kinds = operands->kinds; kinds != 0; kinds >>= KIND_BITS) {
        if ((kinds & KIND_MASK) == (uint64_t)kind) {
            if (word + index >= OMPD_CL_REGISTRY_OPERAND_WORDS)
                return false;
            *value = operands->words[word + index];
            return true;
        }
        word += operand_length(kinds & KIND_MASK);
    }
    return false;
}

void command_operand_set(const struct command_operands *operands,
                         enum ompd_cl_registry_operand kind, uint32_t index, ompd_cl_value_t *value)
{
    uint64_t number;

    if (command_operand_get(operands, kind, index, &number))
        recorder_value_set(value, number);
    else
        recorder_value_set_absent(value, ompd_cl_status_not_applicable);
}

/* Set the three values at VALUE, of which the call had COUNT. */
static void set_sizes(const struct command_operands *operands, enum ompd_cl_registry_operand kind,
                      uint64_t count, ompd_cl_value_t *const values[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        if (i < count)
            command_operand_set(operands, kind, i, values[i]);
        else
            recorder_value_set_absent(values[i], ompd_cl_status_not_applicable);
    }
}

void command_work_sizes_set(const struct recorder_fields *fields, ompd_cl_command_info_t *info)
{
    struct command_operands operands;
    uint64_t count = 0;

    if (!registry_has(fields->table, ompd_cl_registry_field_operand_kinds))
        return;
    command_operands_read(fields->registry, fields->table, fields->record, &operands);
    command_operand_set(&operands, ompd_cl_registry_operand_dimensions, 0, &info->dimensions);
    if (info->dimensions.status == ompd_cl_status_value)
        count = info->dimensions.value;
    set_sizes(&operands, ompd_cl_registry_operand_global_offset, count,
              (ompd_cl_value_t *const[]){&info->global_offset_x, &info->global_offset_y,
                                         &info->global_offset_z});
    set_sizes(&operands, ompd_cl_registry_operand_global_size, count,
              (ompd_cl_value_t *const[]){&info->global_size_x, &info->global_size_y,
                                         &info->global_size_z});
    set_sizes(
        &operands, ompd_cl_registry_operand_local_size, count,
        (ompd_cl_value_t *const[]){&info->local_size_x, &info->local_size_y, &info->local_size_z});
}
