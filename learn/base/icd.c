/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See base.h. */
#include <learn/base/base.h>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OFFLINE_DEVICES_AMD 0x403f
#define OFFLINE_LIMIT 512 /* 101 have been observed */

/* Searches for the module that contains `address`. */
struct search {
    uintptr_t address;
    struct icd *icd;
    bool is_found;
};

static void build_id_record(struct icd *icd, const unsigned char *bytes, size_t size)
{
    if (size > ICD_BUILD_ID)
        return;
    for (size_t i = 0; i < size; i++)
        snprintf(icd->build_id + 2 * i, 3, "%02x", bytes[i]);
}

static void find_build_id(struct icd *icd, uintptr_t start, size_t size)
{
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
        const ElfW(Nhdr) *note = (const void *)(start + at);
        const char *name = (const char *)(note + 1);
        const char *bytes = name + ((note->n_namesz + 3) & ~3U);

        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0)
            build_id_record(icd, (const unsigned char *)bytes, note->n_descsz);
        at = (uintptr_t)bytes - start + ((note->n_descsz + 3) & ~3U);
    }
}

static int module_inspect(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct search *search = argument;
    uintptr_t lowest = UINTPTR_MAX;
    uintptr_t highest = 0;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;

        if (header->p_type != PT_LOAD)
            continue;
        lowest = start < lowest ? start : lowest;
        highest = start + header->p_memsz > highest ? start + header->p_memsz : highest;
    }
    if (search->address < lowest || search->address >= highest)
        return 0;
    search->is_found = true;
    search->icd->start = lowest & ~(uintptr_t)4095;
    search->icd->end = highest;
    search->icd->machine = ((const ElfW(Ehdr) *)search->icd->start)->e_machine;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            find_build_id(search->icd, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                          info->dlpi_phdr[i].p_memsz);
    return 1;
}

/* Record the file name of the module with ADDRESS, after links were resolved. */
static void module_record(struct icd *icd, const void *address)
{
    Dl_info info;
    char *path = NULL;
    const char *slash;

    if (dladdr(address, &info) != 0)
        path = realpath(info.dli_fname, NULL);
    if (path == NULL)
        return;
    slash = strrchr(path, '/');
    snprintf(icd->module, sizeof(icd->module), "%s", slash != NULL ? slash + 1 : path);
    free(path);
}

bool icd_find_module(struct icd *icd, const void *address)
{
    struct search search = {.address = (uintptr_t)address, .icd = icd};

    dl_iterate_phdr(module_inspect, &search);
    if (search.is_found)
        module_record(icd, address);
    return search.is_found;
}

bool icd_slot_is_own(const struct icd *icd, unsigned version, uintptr_t slot)
{
    return icd->version >= version && slot >= icd->start && slot < icd->end;
}

static void add_words(char *text, const char *more)
{
    size_t length = strlen(text);

    for (; *more != '\0' && length < ICD_TEXT - 1; more++) {
        bool is_blank = *more == ' ' || *more == '\t' || *more == '\n';

        if (is_blank && (length == 0 || text[length - 1] == ' '))
            continue;
        text[length++] = is_blank ? ' ' : *more;
    }
    text[length] = '\0';
}

static void version_record(struct icd *icd)
{
    char version[ICD_TEXT] = "";
    unsigned major = 1;
    unsigned minor = 1;

    icd->table->clGetPlatformInfo(icd->platform, CL_PLATFORM_VERSION, sizeof(version) - 1, version,
                                  NULL);
    sscanf(version, "OpenCL %u.%u", &major, &minor);
    icd->version = major * 10 + minor;
}

/* Record the platform's name, and the version of the runtime from its device. */
static void platform_name_record(struct icd *icd)
{
    char name[ICD_TEXT] = "";
    char version[ICD_TEXT] = "";

    icd->table->clGetPlatformInfo(icd->platform, CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL);
    icd->table->clGetDeviceInfo(icd->devices[0], CL_DRIVER_VERSION, sizeof(version) - 1, version,
                                NULL);
    if (strncmp(name, version, strlen(name)) != 0) {
        add_words(icd->runtime, name);
        add_words(icd->runtime, " ");
    }
    add_words(icd->runtime, version);
    for (size_t length = strlen(icd->runtime); length > 0 && icd->runtime[length - 1] == ' ';)
        icd->runtime[--length] = '\0';
}

static cl_platform_id find_platform(void *library)
{
    clIcdGetPlatformIDsKHR_fn get = NULL;
    void *(*get_extension)(const char *name) = NULL;
    cl_platform_id platform = NULL;

    *(void **)&get = dlsym(library, "clIcdGetPlatformIDsKHR");
    *(void **)&get_extension = dlsym(library, "clGetExtensionFunctionAddress");
    if (get == NULL && get_extension != NULL)
        *(void **)&get = get_extension("clIcdGetPlatformIDsKHR");
    if (get == NULL || get(1, &platform, NULL) != CL_SUCCESS)
        return NULL;
    return platform;
}

const char *icd_load(struct icd *icd, const char *library, const char *folder)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

    if (handle == NULL)
        return dlerror();
    if (folder != NULL && chdir(folder) != 0)
        return "cannot enter the work folder";
    icd->platform = find_platform(handle);
    if (icd->platform == NULL)
        return "it is not an OpenCL runtime, or has no platform";
    memcpy(&icd->table, icd->platform, sizeof(icd->table));
    if (!icd_find_module(icd, icd->table))
        return "its dispatch table is not in a library";
    icd->table_offset = (uintptr_t)icd->table - icd->start;
    if (icd->build_id[0] == '\0')
        return "it has no build-id to identify it by";
    version_record(icd);
    return NULL;
}

const void *icd_set_dispatch_data(const struct icd *icd)
{
    static const char data[sizeof(uintptr_t)];
    cl_int(CL_API_CALL * set)(cl_platform_id platform, void *data) = NULL;

    if (ICD_HAS(icd, 12, clGetExtensionFunctionAddressForPlatform))
        *(void **)&set = icd->table->clGetExtensionFunctionAddressForPlatform(
            icd->platform, "clIcdSetPlatformDispatchDataKHR");
    return set != NULL && set(icd->platform, (void *)(uintptr_t)data) == CL_SUCCESS ? data : NULL;
}

/* Find devices that do not exist but can be compiled for.  CL_CONTEXT_OFFLINE_DEVICES_AMD, of
 * the extension cl_amd_offline_devices, creates an OpenCL context of all of them.  They outlive
 * it. */
static cl_uint find_offline_devices(struct icd *icd)
{
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, (cl_context_properties)icd->platform, OFFLINE_DEVICES_AMD, 1, 0};
    cl_device_id devices[OFFLINE_LIMIT];
    char name[ICD_TEXT] = "";
    size_t size = 0;
    cl_context context;
    cl_int code;

    icd->table->clGetPlatformInfo(icd->platform, CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL);
    if (strstr(name, "AMD") == NULL || !ICD_HAS(icd, 10, clCreateContextFromType))
        return 0;
    context =
        icd->table->clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, NULL, NULL, &code);
    if (context == NULL)
        return 0;
    code =
        icd->table->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(devices), devices, &size);
    icd->table->clReleaseContext(context);
    if (code != CL_SUCCESS)
        return 0;
    memcpy(icd->devices, devices, sizeof(icd->devices));
    protocol_note("no device was found; learned with devices that it can compile for");
    return (cl_uint)(size / sizeof(devices[0]));
}

const char *icd_find_devices(struct icd *icd)
{
    cl_uint count = 0;

    if (icd->table->clGetDeviceIDs(icd->platform, CL_DEVICE_TYPE_ALL, ICD_DEVICES, icd->devices,
                                   &count) != CL_SUCCESS)
        count = 0;
    icd->is_offline = count == 0;
    if (icd->is_offline)
        count = find_offline_devices(icd);
    if (count == 0)
        return "it finds no device";
    icd->device_count = count < ICD_DEVICES ? count : ICD_DEVICES;
    platform_name_record(icd);
    return NULL;
}
