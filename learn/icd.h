/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One OpenCL runtime, loaded without a loader: its dispatch table, platform and devices. */
#ifndef OMPD_LEARN_ICD_H
#define OMPD_LEARN_ICD_H

#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stdint.h>

#define ICD_DEVICES 4
#define ICD_TEXT 128
#define ICD_BUILD_ID 64

struct icd {
    const cl_icd_dispatch *table;
    cl_platform_id platform;
    cl_device_id devices[ICD_DEVICES];
    cl_uint device_count;
    bool is_offline;  /* they are not there, but can be compiled for */
    unsigned machine; /* ELF e_machine */
    unsigned version; /* of OpenCL: 12, 20, 30 */
    char runtime[ICD_TEXT];
    char module[ICD_TEXT]; /* file name */
    char build_id[2 * ICD_BUILD_ID + 1];
    uintptr_t table_offset; /* from the module's lowest address */
    uintptr_t start;        /* addresses of the module [start, end) */
    uintptr_t end;
};

/* Load LIBRARY, go to FOLDER unless it is NULL, since runtimes leave files where they work, and
 * find the first platform.  Returns NULL, or why that cannot be: one sentence. */
const char *icd_load(struct icd *icd, const char *library, const char *folder);

/* Find its devices.  Returns as icd_load. */
const char *icd_find_devices(struct icd *icd);

/* Give all objects that are made from now on dispatch data, as a loader does by the extension
 * cl_khr_icd 2.0.0, and return it. NULL: the runtime has none. */
const void *icd_set_dispatch_data(const struct icd *icd);

/* Whether SLOT of the table is a function of the runtime itself and of its version: tables may be
 * short, and some have slots that point into a loader, which is not here to be called. */
bool icd_slot_is_own(const struct icd *icd, unsigned version, uintptr_t slot);

#define ICD_HAS(icd, since, function) icd_slot_is_own(icd, since, (uintptr_t)(icd)->table->function)

#endif
