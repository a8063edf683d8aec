/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The root of the registry, and the description of its tables that readers go by. */
#ifndef RECORDER_REGISTRY_H
#define RECORDER_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "ompd-opencl-registry.h"

/* Describe the tables in the root and publish it.  The tables are reserved already. */
void recorder_registry_publish(uint32_t stack_depth, uint32_t switches);

/* Tell in the root what process this is: again in the child of a fork. */
void recorder_process_name(uint32_t parent);

/* Where the root describes table ID. */
struct ompd_cl_registry_table *recorder_table_description(uint32_t id);

/* The root, which is zero until it is published. */
struct ompd_cl_registry_root *recorder_root(void);

/* Count one thing that the program did and that is not recorded. */
void recorder_count_over_release(uint64_t handle);
void recorder_count_unknown_handle(void);
void recorder_count_not_recorded(void);

/* The next serial: the order of creation over all tables. */
static inline uint64_t recorder_serial_next(void);

extern struct ompd_cl_registry_root ompd_opencl_registry;

static inline uint64_t recorder_serial_next(void)
{
    return __atomic_add_fetch(&ompd_opencl_registry.serial, 1, __ATOMIC_RELAXED);
}

#endif
