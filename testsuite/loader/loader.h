/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A small OpenCL loader for layers: loads one vendor library and one layer, and returns the layer's
 * functions.  It initialises the layer as Khronos' loader of 2026 does, or as older ones do. */
#ifndef LOADER_H
#define LOADER_H

#include "truth.h"

#include <CL/cl_layer.h>

typedef enum loader_way_t {
    loader_with_properties, /* clInitLayerWithProperties */
    loader_legacy           /* clInitLayer */
} loader_way_t;

typedef struct loader_t {
    cl_icd_dispatch functions; /* the layer's; the vendor's where the layer has none */
    cl_platform_id platform;
    void *layer;   /* of dlopen */
    cl_uint taken; /* entries that the layer says it has filled */
} loader_t;

/* Entries of the dispatch table of these headers. */
#define LOADER_ALL_ENTRIES ((cl_uint)(sizeof(cl_icd_dispatch) / sizeof(void *)))

/* Load VENDOR and LAYER; show the layer ENTRIES of the vendor's table.  Ends the program when one
 * of them does not bear it. */
void loader_init(loader_t *loader, const char *vendor, const char *layer, loader_way_t way,
                 cl_uint entries);

#endif
