/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "fake-runtime.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ ompd_cl_permission_read
#define WRITE ompd_cl_permission_write
#define EXECUTE ompd_cl_permission_execute

void fake_session_open(struct fake_session *session, int variant)
{
    memset(session, 0, sizeof(*session));
    session->fake = fake_target_create_variant(variant, 8);
    session->fake->has_recorder = false;
    /* The registry's memory is not the program's. */
    fake_reserve(session->fake, 0, FAKE_PAGE);
    session->fake->used = (session->fake->used + FAKE_PAGE - 1) / FAKE_PAGE * FAKE_PAGE;
    fake_permit(session->fake, FAKE_BASE, FAKE_BASE + session->fake->used, 0);
}

uint64_t fake_area(struct fake_session *session, uint64_t size, uint32_t permissions)
{
    uint64_t start = fake_reserve(session->fake, size, FAKE_PAGE);

    ck_assert_uint_eq(size % FAKE_PAGE, 0);
    fake_permit(session->fake, start, start + size, permissions);
    return start;
}

void fake_session_begin(struct fake_session *session, const ompd_cl_extra_t *extra)
{
    ompd_address_space_context_t *context = (void *)session->fake;

    fake_permit(session->fake, FAKE_BASE + session->fake->used, FAKE_BASE + FAKE_SIZE, 0);
    memory_open(&session->memory, &fake_callbacks, extra);
    ck_assert_int_eq(
        target_open(&session->target, &session->memory, &fake_callbacks, extra, context),
        ompd_rc_ok);
}

void fake_session_close(struct fake_session *session)
{
    while (session->layouts != NULL) {
        struct known_layout *known = session->layouts;

        session->layouts = known->next;
        free(known);
    }
    memory_close(&session->memory);
    fake_target_free(session->fake);
}

void fake_layout_add(struct fake_session *session, const char *text)
{
    struct known_layout *known = calloc(1, sizeof(*known));
    struct message message = {.length = 0};

    ck_assert_msg(layout_parse(text, strlen(text), &known->layout, &message) == ompd_rc_ok, "%s",
                  message.text);
    known->next = session->layouts;
    session->layouts = known;
}

void fake_runtimes_find(struct fake_session *session)
{
    ck_assert_int_eq(
        runtimes_find(&session->runtimes, &session->target, &session->code, session->layouts),
        ompd_rc_ok);
}

/* ---- The module ------------------------------------------------------------------------------ */

void fake_runtime_add(struct fake_session *session, struct fake_runtime *runtime, const char *name,
                      uint8_t number, uint64_t heap)
{
    static uint8_t build_ids[256];
    uint32_t word = session->fake->pointer_size;

    memset(runtime, 0, sizeof(*runtime));
    build_ids[number] = number;
    runtime->session = session;
    runtime->start = fake_area(session, FAKE_PAGE, READ);
    runtime->text = fake_area(session, FAKE_PAGE, READ | EXECUTE);
    runtime->data = fake_area(session, FAKE_DATA_SIZE, READ | WRITE);
    /* glibc stores the link of a freed chunk as LINK ^ (PLACE >> 12), which at these addresses
     * changes the low 17 bits only.  With the heap in other blocks of 128 KiB than the module, no
     * pointer to the module reads as a link to a chunk, however large the registry before it is. */
    fake_area(session, FAKE_BLOCK - session->fake->used % FAKE_BLOCK, 0);
    runtime->heap = fake_area(session, heap, READ | WRITE);
    fake_area(session, FAKE_PAGE, 0);
    runtime->heap_used = runtime->heap;
    runtime->heap_end = runtime->heap + heap;
    runtime->has_unique = true;
    runtime->table = runtime->data + 256;
    runtime->module = fake_add_module(session->fake, name, &build_ids[number], 1, runtime->start,
                                      runtime->data + FAKE_DATA_SIZE);
    fake_put_module_header(session->fake, runtime->start, FAKE_DATA_SIZE);
    for (uint32_t i = 0; i < FAKE_SLOTS; i++)
        fake_put(session->fake, runtime->table + (uint64_t)i * word, word,
                 runtime->text + (uint64_t)i * 16);
}

/* ---- Its layout ------------------------------------------------------------------------------ */

uint64_t fake_offset(const struct fake_runtime *runtime, enum fake_member member)
{
    uint64_t word = runtime->session->fake->pointer_size;

    if (member <= fake_type)
        return word + 4 * (uint64_t)member;
    return word + 8 + (uint64_t)(member - fake_context) * word;
}

uint64_t fake_object_size(const struct fake_runtime *runtime)
{
    return fake_offset(runtime, fake_member_count);
}

/* The number by which objects of KIND are known. */
static uint32_t type_of(enum layout_kind kind)
{
    return 0x10f0 + (uint32_t)kind;
}

static void describe_kind(const struct fake_runtime *runtime, FILE *text, enum layout_kind kind,
                          const char *name, const char *other)
{
    unsigned word = runtime->session->fake->pointer_size;

#define AT(member) (unsigned)fake_offset(runtime, fake_##member)
    fprintf(text, "object %s\n", name);
    fprintf(text, "rule %u 4 1 0xffffff\n", AT(references));
    fprintf(text, "rule %u 4 %u %u\n", AT(type), type_of(kind), type_of(kind));
    fprintf(text, "field references %u 4\n", AT(references));
    if (runtime->has_unique)
        fprintf(text, "field unique %u %u\n", AT(unique), word);
    if (kind == layout_platform || kind == layout_device)
        return;
    if (kind != layout_context) {
        fprintf(text, "field context %u %u\n", AT(context), word);
        fprintf(text, "holds context 1\n");
    }
    if (other != NULL)
        fprintf(text, "field %s %u %u\n", other, AT(other), word);
    if (kind == layout_context)
        fprintf(text, "field device_count %u %u\n", AT(other), word);
    if (kind == layout_kernel)
        fprintf(text, "holds program 1\n");
    if (kind == layout_buffer || kind == layout_context) {
        fprintf(text, "dying %u 4\n", AT(references));
        fprintf(text, "internal %u 4 0x100\n", AT(flags));
        fprintf(text, "list destructors linked %u %u newest-first\n", AT(list), 2 * word);
        fprintf(text, "element function 0 %u\n", word);
    }
#undef AT
}

void fake_runtime_describe(struct fake_runtime *runtime, const char *extra)
{
    const struct fake_session *session = runtime->session;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    fprintf(file, "ompd-opencl-layout 1.0\nruntime Made-up\nmodule libmadeup.so\n");
    fprintf(file, "build-id %02x\n", *session->fake->modules[runtime->module].build_id);
    fprintf(file, "machine 62 %u %s\n", session->fake->pointer_size * 8,
            session->fake->is_big_endian ? "big" : "little");
    fprintf(file, "table 0x%llx\n", (unsigned long long)(runtime->table - runtime->start));
    if (runtime->taken_list != 0)
        fprintf(file, "taken-list 0x%llx %u %u\n",
                (unsigned long long)(runtime->taken_list - runtime->start),
                2 * runtime->session->fake->pointer_size, runtime->session->fake->pointer_size);
    describe_kind(runtime, file, layout_platform, "platform", NULL);
    describe_kind(runtime, file, layout_device, "device", NULL);
    describe_kind(runtime, file, layout_context, "context", NULL);
    describe_kind(runtime, file, layout_queue, "queue", "device");
    describe_kind(runtime, file, layout_image, "image", "parent");
    describe_kind(runtime, file, layout_event, "event", "queue");
    describe_kind(runtime, file, layout_program, "program", NULL);
    describe_kind(runtime, file, layout_kernel, "kernel", "program");
    describe_kind(runtime, file, layout_sampler, "sampler", NULL);
    describe_kind(runtime, file, layout_buffer, "buffer", "parent");
    fprintf(file, "%s", extra);
    fclose(file);
    fake_layout_add(runtime->session, text);
    free(text);
}

/* ---- Its objects ----------------------------------------------------------------------------- */

static unsigned width_of(const struct fake_runtime *runtime, enum fake_member member)
{
    return member <= fake_type ? 4 : runtime->session->fake->pointer_size;
}

void fake_member_put(struct fake_runtime *runtime, uint64_t handle, enum fake_member member,
                     uint64_t value)
{
    fake_put(runtime->session->fake, handle + fake_offset(runtime, member),
             width_of(runtime, member), value);
}

uint64_t fake_member_get(const struct fake_runtime *runtime, uint64_t handle,
                         enum fake_member member)
{
    return fake_get(runtime->session->fake, handle + fake_offset(runtime, member),
                    width_of(runtime, member));
}

uint64_t fake_heap_take(struct fake_runtime *runtime, uint64_t size)
{
    uint64_t start = runtime->heap_used;

    runtime->heap_used += (size + 15) / 16 * 16;
    ck_assert_uint_le(runtime->heap_used, runtime->heap_end);
    return start;
}

static void retain(struct fake_runtime *runtime, uint64_t handle)
{
    fake_member_put(runtime, handle, fake_references,
                    fake_member_get(runtime, handle, fake_references) + 1);
}

uint64_t fake_object_add(struct fake_runtime *runtime, enum layout_kind kind, uint64_t context,
                         uint64_t other)
{
    uint64_t handle = fake_heap_take(runtime, fake_object_size(runtime));

    fake_put(runtime->session->fake, handle, runtime->session->fake->pointer_size, runtime->table);
    fake_member_put(runtime, handle, fake_references, 1);
    fake_member_put(runtime, handle, fake_type, type_of(kind));
    fake_member_put(runtime, handle, fake_context, context);
    fake_member_put(runtime, handle, fake_other, kind == layout_context ? 1 : other);
    fake_member_put(runtime, handle, fake_unique, ++runtime->unique);
    if (context != 0)
        retain(runtime, context);
    if (kind == layout_kernel)
        retain(runtime, other);
    return handle;
}

void fake_object_copy(struct fake_runtime *runtime, uint64_t handle, uint64_t to)
{
    uint8_t *bytes = runtime->session->fake->bytes;

    memcpy(bytes + (to - FAKE_BASE), bytes + (handle - FAKE_BASE), fake_object_size(runtime));
}

void fake_callback_add(struct fake_runtime *runtime, uint64_t handle, uint64_t function)
{
    struct fake_target *fake = runtime->session->fake;
    uint64_t node = fake_heap_take(runtime, 3 * (uint64_t)fake->pointer_size);

    fake_put(fake, node, fake->pointer_size, function);
    fake_put(fake, node + 2 * (uint64_t)fake->pointer_size, fake->pointer_size,
             fake_member_get(runtime, handle, fake_list));
    fake_member_put(runtime, handle, fake_list, node);
}
