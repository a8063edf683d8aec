/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "loader.h"

#include <dlfcn.h>
#include <string.h>

typedef void (*function_t)(void);
typedef cl_int (*get_platforms_t)(cl_uint, cl_platform_id *, cl_uint *);
typedef cl_int (*get_layer_info_t)(cl_uint, size_t, void *, size_t *);
typedef cl_int (*init_layer_t)(cl_uint, const cl_icd_dispatch *, cl_uint *,
                               const cl_icd_dispatch **);
typedef cl_int (*init_layer_with_properties_t)(cl_uint, const cl_icd_dispatch *, cl_uint *,
                                               const cl_icd_dispatch **, const void *);

static void *symbol(void *library, const char *name)
{
    void *address = dlsym(library, name);
    truth_require(address != NULL, name);
    return address;
}

static const cl_icd_dispatch *vendor_load(loader_t *loader, const char *vendor)
{
    void *library = dlopen(vendor, RTLD_NOW | RTLD_LOCAL);
    truth_require(library != NULL, dlerror());
    get_platforms_t get_platforms;
    *(void **)&get_platforms = symbol(library, "clIcdGetPlatformIDsKHR");
    get_platforms(1, &loader->platform, NULL);
    truth_require(loader->platform != NULL, "the vendor library has no platform");
    return *(const cl_icd_dispatch *const *)loader->platform;
}

static const cl_icd_dispatch *layer_load(loader_t *loader, const char *layer, loader_way_t way,
                                         const cl_icd_dispatch *target, cl_uint entries)
{
    const cl_icd_dispatch *table = NULL;
    cl_layer_api_version version = 0;
    cl_int status;
    loader->layer = dlopen(layer, RTLD_LAZY | RTLD_LOCAL);
    truth_require(loader->layer != NULL, dlerror());
    get_layer_info_t get_info;
    *(void **)&get_info = symbol(loader->layer, "clGetLayerInfo");
    status = get_info(CL_LAYER_API_VERSION, sizeof(version), &version, NULL);
    truth_require(status == CL_SUCCESS && version == CL_LAYER_API_VERSION_100, "layer version");
    if (way == loader_legacy) {
        init_layer_t init;
        *(void **)&init = symbol(loader->layer, "clInitLayer");
        status = init(entries, target, &loader->taken, &table);
    } else {
        init_layer_with_properties_t init;
        *(void **)&init = symbol(loader->layer, "clInitLayerWithProperties");
        status = init(entries, target, &loader->taken, &table, NULL);
    }
    truth_require(status == CL_SUCCESS && table != NULL, "the layer did not initialise");
    return table;
}

void loader_init(loader_t *loader, const char *vendor, const char *layer, loader_way_t way,
                 cl_uint entries)
{
    static cl_icd_dispatch shown;
    function_t *filled = (function_t *)&loader->functions;
    memset(loader, 0, sizeof(*loader));
    const cl_icd_dispatch *target = vendor_load(loader, vendor);
    /* What lies behind the entries shown must not be touched. */
    memset(&shown, 0xee, sizeof(shown));
    memcpy(&shown, target, entries * sizeof(function_t));
    const cl_icd_dispatch *table = layer_load(loader, layer, way, &shown, entries);
    memcpy(filled, target, sizeof(*target));
    for (cl_uint i = 0; i < entries && i < loader->taken; i++) {
        function_t function = ((const function_t *)table)[i];
        if (function != NULL)
            filled[i] = function;
    }
}
