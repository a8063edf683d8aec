/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory objects: buffers, sub-buffers, images and pipes. */
#include <learn/population/population.h>

#include <string.h>

#define BUFFERS 18
#define SUB_BUFFERS 6
#define IMAGES 14
#define PIPES 6
#define HOST_PAGE 4096
#define HOST_BYTES (1024 * HOST_PAGE) /* each population uses less than a fourth of it */

/* Host memory for objects, with the alignment that devices require. */
static _Alignas(HOST_PAGE) unsigned char host_memory[HOST_BYTES];
static size_t host_used;

static struct specimen *add_memobj(struct builder *builder, enum specimen_kind kind, cl_mem memobj,
                                   unsigned index)
{
    struct specimen *specimen = population_add(builder->population, kind, memobj);

    population_add_callbacks(builder, specimen, population_callback_count(index));
    population_retain(builder, specimen,
                      (unsigned)population_number(builder, 0, 6) * 3 + index % 3);
    return specimen;
}

/* SIZE bytes of host memory that no other live object uses, as runtimes may refuse overlaps. */
static void *host_part(struct builder *builder, size_t size)
{
    size_t start = host_used + HOST_PAGE * (size_t)population_number(builder, 0, 3);

    if (start + size > HOST_BYTES)
        start = 0;
    host_used = (start + size + HOST_PAGE - 1) / HOST_PAGE * HOST_PAGE;
    return host_memory + start;
}

static cl_mem make_buffer(struct builder *builder, unsigned index)
{
    static const cl_mem_flags flags[] = {
        CL_MEM_READ_WRITE,
        CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR,
        CL_MEM_WRITE_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
        CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
        CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR,
        0,
    };
    cl_mem_flags chosen = flags[index % 7];
    bool has_pointer = (chosen & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    size_t size = 1024 + 4 * (size_t)population_number(builder, 1, 4000);
    cl_mem buffer = NULL;
    cl_int code;

    if (!has_pointer || protocol_step_begin("host pointers"))
        buffer = builder->icd->table->clCreateBuffer(
            builder->contexts[index % MAKE_CONTEXTS], chosen, size,
            has_pointer ? host_part(builder, size) : NULL, &code);
    if (has_pointer)
        protocol_step_begin("buffers");
    return buffer;
}

/* Sub-buffers of buffers with and without host memory. */
static void make_sub_buffers(struct builder *builder, const cl_mem *parents)
{
    cl_uint bits = 0;
    cl_int code;

    builder->icd->table->clGetDeviceInfo(builder->icd->devices[0], CL_DEVICE_MEM_BASE_ADDR_ALIGN,
                                         sizeof(bits), &bits, NULL);
    for (unsigned i = 0; i < SUB_BUFFERS; i++) {
        size_t step = bits >= 8 && bits <= 2048 ? bits / 8 : 256;
        cl_buffer_region region = {
            .origin = step * (size_t)population_number(builder, 1, 3),
            .size = 4 * (size_t)population_number(builder, 1, 50),
        };
        cl_mem parent = parents[(i * 5) % BUFFERS];
        cl_mem part;

        if (parent == NULL || !ICD_HAS(builder->icd, 11, clCreateSubBuffer))
            continue;
        part = builder->icd->table->clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                                      &region, &code);
        /* For devices that do not exist, AMD's runtime accepts no other origin. */
        region.origin = 0;
        if (part == NULL)
            part = builder->icd->table->clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                                          &region, &code);
        add_memobj(builder, specimen_buffer, part, i);
        builder->shared[builder->shared_count++] = parent;
        builder->shared[builder->shared_count++] = part;
    }
}

void population_make_buffers(struct builder *builder)
{
    cl_mem buffers[BUFFERS];

    for (unsigned i = 0; i < BUFFERS; i++) {
        buffers[i] = make_buffer(builder, i);
        add_memobj(builder, specimen_buffer, buffers[i], i);
    }
    if (protocol_step_begin("sub-buffers"))
        make_sub_buffers(builder, buffers);
}

static cl_image_desc describe_image(struct builder *builder, unsigned index)
{
    static const cl_mem_object_type types[] = {
        CL_MEM_OBJECT_IMAGE2D,       CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE3D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE3D,
    };
    cl_image_desc image = {
        .image_type = types[index % (sizeof(types) / sizeof(types[0]))],
        .image_width = (size_t)population_number(builder, 5, 60),
        .image_height = (size_t)population_number(builder, 2, 30),
        .image_depth = (size_t)population_number(builder, 2, 12),
        .image_array_size = (size_t)population_number(builder, 2, 9),
    };
    bool is_array = image.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
                    image.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;

    if (image.image_type == CL_MEM_OBJECT_IMAGE1D ||
        image.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        image.image_height = 0;
    if (image.image_type != CL_MEM_OBJECT_IMAGE3D)
        image.image_depth = 0;
    if (!is_array)
        image.image_array_size = 0;
    return image;
}

static cl_mem make_image(struct builder *builder, unsigned index)
{
    static const cl_image_format formats[] = {
        {CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_FLOAT},         {CL_RGBA, CL_UNSIGNED_INT16},
        {CL_RG, CL_SIGNED_INT32}, {CL_BGRA, CL_UNORM_INT8},
    };
    static const cl_mem_flags access[] = {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, 0,
                                          CL_MEM_WRITE_ONLY};
    const cl_icd_dispatch *table = builder->icd->table;
    cl_context context = builder->contexts[index % MAKE_CONTEXTS];
    cl_image_desc image = describe_image(builder, index);
    bool has_pointer = index != 0 && image.image_type == CL_MEM_OBJECT_IMAGE2D;
    cl_mem_flags flags = access[index % (sizeof(access) / sizeof(access[0]))];
    void *memory = NULL;
    cl_mem made;
    cl_int code;

    if (has_pointer) {
        image.image_row_pitch = 16 * (image.image_width + (size_t)population_number(builder, 1, 9));
        memory = host_part(builder, image.image_row_pitch * image.image_height);
    }
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        made = table->clCreateImage(context, flags | (has_pointer ? CL_MEM_USE_HOST_PTR : 0),
                                    &formats[(i + index) % 5], &image, memory, &code);
        if (made != NULL)
            return made;
    }
    return NULL;
}

/* One-dimensional images whose memory is a buffer's. */
static void make_buffer_image(struct builder *builder)
{
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT32};
    cl_int code;
    cl_mem buffer;
    cl_image_desc image = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16};

    buffer = builder->icd->table->clCreateBuffer(builder->contexts[0], CL_MEM_READ_WRITE, 4096,
                                                 NULL, &code);
    add_memobj(builder, specimen_buffer, buffer, 1);
    image.buffer = buffer;
    add_memobj(
        builder, specimen_image,
        builder->icd->table->clCreateImage(builder->contexts[0], 0, &format, &image, NULL, &code),
        3);
}

void population_make_images(struct builder *builder)
{
    cl_bool has_images = CL_FALSE;

    builder->icd->table->clGetDeviceInfo(builder->icd->devices[0], CL_DEVICE_IMAGE_SUPPORT,
                                         sizeof(has_images), &has_images, NULL);
    if (!has_images || !ICD_HAS(builder->icd, 12, clCreateImage))
        return;
    for (unsigned i = 0; i < IMAGES; i++)
        add_memobj(builder, specimen_image, make_image(builder, i), i);
    make_buffer_image(builder);
}

void population_make_pipes(struct builder *builder)
{
    cl_int code;

    if (!ICD_HAS(builder->icd, 20, clCreatePipe))
        return;
    for (unsigned i = 0; i < PIPES; i++) {
        cl_uint packet = 4 * (cl_uint)population_number(builder, 1, 16);
        cl_uint most = (cl_uint)population_number(builder, 3, 200);
        struct specimen *specimen =
            add_memobj(builder, specimen_pipe,
                       builder->icd->table->clCreatePipe(builder->contexts[i % MAKE_CONTEXTS], 0,
                                                         packet, most, NULL, &code),
                       i);

        specimen_set(specimen, fact_packet_size, packet);
        specimen_set(specimen, fact_max_packets, most);
    }
}
