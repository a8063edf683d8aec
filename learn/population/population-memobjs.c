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

static struct subject *add_memobj(struct maker *maker, enum subject_kind kind, cl_mem memobj,
                                  unsigned index)
{
    struct subject *subject = population_add(maker->population, kind, memobj);

    maker_add_callbacks(maker, subject, maker_callback_count(index));
    maker_retain(maker, subject, (unsigned)maker_number(maker, 0, 6) * 3 + index % 3);
    return subject;
}

/* SIZE bytes of host memory that no other live object uses, as runtimes may refuse overlaps. */
static void *host_part(struct maker *maker, size_t size)
{
    size_t start = host_used + HOST_PAGE * (size_t)maker_number(maker, 0, 3);

    if (start + size > HOST_BYTES)
        start = 0;
    host_used = (start + size + HOST_PAGE - 1) / HOST_PAGE * HOST_PAGE;
    return host_memory + start;
}

static cl_mem make_buffer(struct maker *maker, unsigned index)
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
    size_t size = 1024 + 4 * (size_t)maker_number(maker, 1, 4000);
    cl_mem buffer = NULL;
    cl_int code;

    if (!has_pointer || protocol_step_begin("host pointers"))
        buffer =
            maker->icd->table->clCreateBuffer(maker->contexts[index % MAKE_CONTEXTS], chosen, size,
                                              has_pointer ? host_part(maker, size) : NULL, &code);
    if (has_pointer)
        protocol_step_begin("buffers");
    return buffer;
}

/* Sub-buffers of buffers with and without host memory. */
static void make_sub_buffers(struct maker *maker, const cl_mem *parents)
{
    cl_uint bits = 0;
    cl_int code;

    maker->icd->table->clGetDeviceInfo(maker->icd->devices[0], CL_DEVICE_MEM_BASE_ADDR_ALIGN,
                                       sizeof(bits), &bits, NULL);
    for (unsigned i = 0; i < SUB_BUFFERS; i++) {
        size_t step = bits >= 8 && bits <= 2048 ? bits / 8 : 256;
        cl_buffer_region region = {
            .origin = step * (size_t)maker_number(maker, 1, 3),
            .size = 4 * (size_t)maker_number(maker, 1, 50),
        };
        cl_mem parent = parents[(i * 5) % BUFFERS];
        cl_mem part;

        if (parent == NULL || !ICD_HAS(maker->icd, 11, clCreateSubBuffer))
            continue;
        part = maker->icd->table->clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                                    &region, &code);
        /* For devices that do not exist, AMD's runtime accepts no other origin. */
        region.origin = 0;
        if (part == NULL)
            part = maker->icd->table->clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                                        &region, &code);
        add_memobj(maker, subject_buffer, part, i);
        maker->shared[maker->shared_count++] = parent;
        maker->shared[maker->shared_count++] = part;
    }
}

void maker_make_buffers(struct maker *maker)
{
    cl_mem buffers[BUFFERS];

    for (unsigned i = 0; i < BUFFERS; i++) {
        buffers[i] = make_buffer(maker, i);
        add_memobj(maker, subject_buffer, buffers[i], i);
    }
    if (protocol_step_begin("sub-buffers"))
        make_sub_buffers(maker, buffers);
}

static cl_image_desc describe_image(struct maker *maker, unsigned index)
{
    static const cl_mem_object_type types[] = {
        CL_MEM_OBJECT_IMAGE2D,       CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE3D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE3D,
    };
    cl_image_desc image = {
        .image_type = types[index % (sizeof(types) / sizeof(types[0]))],
        .image_width = (size_t)maker_number(maker, 5, 60),
        .image_height = (size_t)maker_number(maker, 2, 30),
        .image_depth = (size_t)maker_number(maker, 2, 12),
        .image_array_size = (size_t)maker_number(maker, 2, 9),
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

static cl_mem make_image(struct maker *maker, unsigned index)
{
    static const cl_image_format formats[] = {
        {CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_FLOAT},         {CL_RGBA, CL_UNSIGNED_INT16},
        {CL_RG, CL_SIGNED_INT32}, {CL_BGRA, CL_UNORM_INT8},
    };
    static const cl_mem_flags access[] = {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, 0,
                                          CL_MEM_WRITE_ONLY};
    const cl_icd_dispatch *table = maker->icd->table;
    cl_context context = maker->contexts[index % MAKE_CONTEXTS];
    cl_image_desc image = describe_image(maker, index);
    bool has_pointer = index != 0 && image.image_type == CL_MEM_OBJECT_IMAGE2D;
    cl_mem_flags flags = access[index % (sizeof(access) / sizeof(access[0]))];
    void *memory = NULL;
    cl_mem made;
    cl_int code;

    if (has_pointer) {
        image.image_row_pitch = 16 * (image.image_width + (size_t)maker_number(maker, 1, 9));
        memory = host_part(maker, image.image_row_pitch * image.image_height);
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
static void make_buffer_image(struct maker *maker)
{
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT32};
    cl_int code;
    cl_mem buffer;
    cl_image_desc image = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16};

    buffer =
        maker->icd->table->clCreateBuffer(maker->contexts[0], CL_MEM_READ_WRITE, 4096, NULL, &code);
    add_memobj(maker, subject_buffer, buffer, 1);
    image.buffer = buffer;
    add_memobj(
        maker, subject_image,
        maker->icd->table->clCreateImage(maker->contexts[0], 0, &format, &image, NULL, &code), 3);
}

void maker_make_images(struct maker *maker)
{
    cl_bool has_images = CL_FALSE;

    maker->icd->table->clGetDeviceInfo(maker->icd->devices[0], CL_DEVICE_IMAGE_SUPPORT,
                                       sizeof(has_images), &has_images, NULL);
    if (!has_images || !ICD_HAS(maker->icd, 12, clCreateImage))
        return;
    for (unsigned i = 0; i < IMAGES; i++)
        add_memobj(maker, subject_image, make_image(maker, i), i);
    make_buffer_image(maker);
}

void maker_make_pipes(struct maker *maker)
{
    cl_int code;

    if (!ICD_HAS(maker->icd, 20, clCreatePipe))
        return;
    for (unsigned i = 0; i < PIPES; i++) {
        cl_uint packet = 4 * (cl_uint)maker_number(maker, 1, 16);
        cl_uint most = (cl_uint)maker_number(maker, 3, 200);
        struct subject *subject =
            add_memobj(maker, subject_pipe,
                       maker->icd->table->clCreatePipe(maker->contexts[i % MAKE_CONTEXTS], 0,
                                                       packet, most, NULL, &code),
                       i);

        subject_set(subject, fact_packet_size, packet);
        subject_set(subject, fact_max_packets, most);
    }
}
