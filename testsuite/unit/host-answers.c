/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The answers of each callback about fake cores of both word sizes and byte orders. */
#include "suite.h"

#include <config.h>

#include <ompd-opencl-host.h>

#include <check.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LWP 4242
#define PID 4240
#define MEMORY 0x10000 /* two segments of a page, the second of which is truncated at its half */
#define SIZE 0x1000
#define HALF 0x800
#define FILE_START 0x20000 /* mapped, but in no segment */
#define FILE_END 0x23000
#define THREAD_POINTER 0x30500
#define TEXT_AT 100

/* A core being made. */
struct maker {
    uint8_t bytes[3 * SIZE + HALF];
    size_t size;
    bool is_64;
    bool is_big;
};

static void put(struct maker *maker, size_t at, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        maker->bytes[at + i] = (uint8_t)(number >> 8 * (maker->is_big ? size - 1 - i : i));
}

static size_t word(const struct maker *maker)
{
    return maker->is_64 ? 8 : 4;
}

static void put_header(struct maker *maker)
{
    size_t offset = maker->is_64 ? 32 : 28; /* of e_phoff */
    size_t counts = maker->is_64 ? 52 : 40; /* of e_ehsize */

    memcpy(maker->bytes, ELFMAG, SELFMAG);
    maker->bytes[EI_CLASS] = maker->is_64 ? ELFCLASS64 : ELFCLASS32;
    maker->bytes[EI_DATA] = maker->is_big ? ELFDATA2MSB : ELFDATA2LSB;
    maker->bytes[EI_VERSION] = EV_CURRENT;
    put(maker, 16, ET_CORE, 2);
    put(maker, 18, maker->is_64 ? EM_X86_64 : EM_386, 2);
    put(maker, offset, 64, word(maker));
    put(maker, counts + 2, maker->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), 2);
    put(maker, counts + 4, 4, 2);
}

static void put_segment(struct maker *maker, unsigned index, uint32_t type, uint64_t offset,
                        uint64_t address, uint64_t size)
{
    size_t at = 64 + index * (maker->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));

    put(maker, at, type, 4);
    if (maker->is_64) {
        put(maker, at + 4, PF_R | PF_W, 4);
        put(maker, at + 8, offset, 8);
        put(maker, at + 16, address, 8);
        put(maker, at + 32, size, 8);
        put(maker, at + 40, size, 8);
    } else {
        put(maker, at + 4, offset, 4);
        put(maker, at + 8, address, 4);
        put(maker, at + 16, size, 4);
        put(maker, at + 20, size, 4);
        put(maker, at + 24, PF_R | PF_W, 4);
    }
}

/* Begin a note of SIZE bytes; returns where its contents go. */
static size_t begin_note(struct maker *maker, uint32_t type, size_t size)
{
    size_t at = maker->size;

    put(maker, at, 5, 4);
    put(maker, at + 4, size, 4);
    put(maker, at + 8, type, 4);
    memcpy(maker->bytes + at + 12, "CORE", 5);
    maker->size = at + 20 + (size + 3) / 4 * 4;
    return at + 20;
}

static void put_notes(struct maker *maker)
{
    size_t at = begin_note(maker, NT_PRSTATUS, 336);

    put(maker, at + 12, 11, 2); /* SIGSEGV */
    put(maker, at + (maker->is_64 ? 32 : 24), LWP, 4);
    if (maker->is_64) {
        put(maker, at + 280, THREAD_POINTER, 8); /* fs_base */
    } else {
        put(maker, at + 112, 12 << 3 | 3, 4); /* gs */
        at = begin_note(maker, NT_386_TLS, 32);
        put(maker, at, 11, 4);
        put(maker, at + 4, 0xbad, 4);
        put(maker, at + 16, 12, 4);
        put(maker, at + 20, THREAD_POINTER, 4);
    }
    at = begin_note(maker, NT_PRPSINFO, maker->is_64 ? 136 : 124);
    put(maker, at + (maker->is_64 ? 24 : 12), PID, 4);
    memcpy(maker->bytes + at + (maker->is_64 ? 40 : 28), "subject", 8);
    memcpy(maker->bytes + at + (maker->is_64 ? 56 : 44), "./subject one two ", 18);
    at = begin_note(maker, NT_FILE, 5 * word(maker) + 6);
    put(maker, at, 1, word(maker));
    put(maker, at + word(maker), SIZE, word(maker));
    put(maker, at + 2 * word(maker), FILE_START, word(maker));
    put(maker, at + 3 * word(maker), FILE_END, word(maker));
    memcpy(maker->bytes + at + 5 * word(maker), "/file", 6);
}

static uint8_t byte_at(uint64_t offset)
{
    return (uint8_t)(1 + offset % 251);
}

static char path[64];

/* `variant`: bit 0, of 64 bits; bit 1, big-endian. */
static ompd_host_target_t *open_made_up(int variant)
{
    static struct maker maker;
    ompd_host_target_t *target = NULL;
    int file;

    maker = (struct maker){.is_64 = (variant & 1) != 0, .is_big = (variant & 2) != 0, .size = 512};
    put_header(&maker);
    put_notes(&maker);
    ck_assert_uint_le(maker.size, 2048);
    put_segment(&maker, 0, PT_NOTE, 512, 0, maker.size - 512);
    put_segment(&maker, 1, PT_LOAD, 2048, MEMORY, SIZE);
    put_segment(&maker, 2, PT_LOAD, 2048 + SIZE + 256, MEMORY + SIZE, SIZE);
    /* In a damaged core segments may overlap: the first counts. */
    put_segment(&maker, 3, PT_LOAD, 2048 + SIZE, MEMORY + 16, 256);
    for (size_t i = 0; i < SIZE; i++)
        maker.bytes[2048 + i] = byte_at(i);
    for (size_t i = 0; i < HALF; i++)
        maker.bytes[2048 + SIZE + 256 + i] = byte_at(SIZE + i);
    memcpy(maker.bytes + 2048 + TEXT_AT, "a text", 7);

    strcpy(path, "/tmp/host-answers-XXXXXX");
    file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, maker.bytes, 2048 + SIZE + 256 + HALF), 2048 + SIZE + 256 + HALF);
    close(file);
    ck_assert_msg(ompd_host_core_open(path, NULL, &target) == ompd_host_rc_ok, "%s",
                  ompd_host_message_get(NULL));
    unlink(path);
    return target;
}

START_TEST(describes)
{
    ompd_host_target_t *target = open_made_up(_i);
    ompd_host_target_info_t info = {.struct_size = sizeof(info)};
    ompd_host_thread_t thread;

    ck_assert_int_eq(ompd_host_target_get(target, &info), ompd_host_rc_ok);
    ck_assert_uint_eq(info.pointer_size, _i & 1 ? 8 : 4);
    ck_assert_int_eq(info.is_swapped, (_i & 2) != 0);
    ck_assert_int_eq(info.pid, PID);
    ck_assert_int_eq(info.signal, 11);
    ck_assert_int_eq(info.signal_lwp, LWP);
    ck_assert_str_eq(info.program, "subject");
    ck_assert_str_eq(info.command_line, "./subject one two");
    ck_assert_ptr_null(info.host_name);
    ck_assert_uint_eq(info.size, 2048 + SIZE + 256 + HALF);
    ck_assert_uint_eq(info.whole_size, info.size + HALF);
    ck_assert_uint_eq(info.saved_bytes, SIZE + HALF);
    ck_assert_uint_eq(info.left_out_bytes, HALF + FILE_END - FILE_START);
    ck_assert_uint_eq(info.thread_count, 1);
    ck_assert_int_eq(ompd_host_thread_get(target, 0, &thread), ompd_host_rc_ok);
    ck_assert_uint_eq(thread.lwp, LWP);
    ck_assert_uint_eq(thread.pthread, THREAD_POINTER);

    /* A tool with an older header gets what that had. */
    memset(&info, 0x5a, sizeof(info));
    info.struct_size = offsetof(ompd_host_target_info_t, program);
    ck_assert_int_eq(ompd_host_target_get(target, &info), ompd_host_rc_ok);
    ck_assert_str_eq(info.file, path);
    ck_assert_int_eq(info.pid, 0x5a5a5a5a);
    ompd_host_target_close(target);
}
END_TEST

/* A target's callbacks. */
struct session {
    ompd_host_target_t *target;
    ompd_callbacks_t callbacks;
    ompd_cl_extra_t extra;
    ompd_address_space_context_t *context;
};

static struct session open_session(int variant)
{
    struct session session = {.target = open_made_up(variant)};

    ck_assert_int_eq(ompd_host_callbacks_get(session.target, &session.callbacks, &session.extra,
                                             &session.context),
                     ompd_host_rc_ok);
    return session;
}

START_TEST(callbacks_for_memory)
{
    struct session session = open_session(_i);
    ompd_address_t at = {ompd_segment_none, MEMORY + SIZE - 2};
    uint8_t bytes[16] = {0};
    const void *mapped = NULL;

    /* Across segments that are not adjacent in the file. */
    ck_assert_int_eq(session.callbacks.read_memory(session.context, NULL, &at, 4, bytes),
                     ompd_rc_ok);
    for (uint64_t i = 0; i < 4; i++)
        ck_assert_uint_eq(bytes[i], byte_at(SIZE - 2 + i));
    ck_assert_int_ne(session.extra.map_memory(session.context, at.address, 4, &mapped), ompd_rc_ok);
    ck_assert_ptr_null(mapped);
    ck_assert_int_eq(session.extra.map_memory(session.context, at.address, 2, &mapped), ompd_rc_ok);
    ck_assert_mem_eq(mapped, bytes, 2);
    at.address = MEMORY + SIZE + HALF - 1;
    ck_assert_int_ne(session.callbacks.read_memory(session.context, NULL, &at, 2, bytes),
                     ompd_rc_ok);
    at.address = MEMORY + TEXT_AT;
    ck_assert_int_eq(session.callbacks.read_string(session.context, NULL, &at, 16, bytes),
                     ompd_rc_ok);
    ck_assert_str_eq((const char *)bytes, "a text");
    ck_assert_int_eq(session.callbacks.read_string(session.context, NULL, &at, 4, bytes + 8),
                     ompd_rc_ok);
    ck_assert_mem_eq(bytes, "a text\0\0a te", 12);
    ck_assert_int_eq(session.callbacks.write_memory(session.context, NULL, &at, 1, bytes),
                     ompd_rc_unsupported);
    ompd_host_target_close(session.target);
}
END_TEST

/* What was cut off of a core's file is not taken for zeros. */
START_TEST(cut_while_open)
{
    struct session session = open_session(_i);
    ompd_host_target_info_t info = {.struct_size = sizeof(info)};
    ompd_address_t at = {ompd_segment_none, MEMORY};
    const void *mapped = NULL;
    uint8_t byte = 77;

    ck_assert_int_eq(session.extra.map_memory(session.context, MEMORY, 1, &mapped), ompd_rc_ok);
    ck_assert_int_eq(ompd_host_fault_mend(session.target, &session), ompd_host_rc_not_found);
    ck_assert_int_eq(ompd_host_target_get(session.target, &info), ompd_host_rc_ok);
    ck_assert(!info.is_cut);
    ck_assert_int_eq(ompd_host_fault_mend(session.target, mapped), ompd_host_rc_ok);
    ck_assert_int_eq(ompd_host_target_get(session.target, &info), ompd_host_rc_ok);
    ck_assert(info.is_cut);
    ck_assert_int_ne(session.callbacks.read_memory(session.context, NULL, &at, 1, &byte),
                     ompd_rc_ok);
    ck_assert_uint_eq(byte, 77);
    ompd_host_target_close(session.target);
}
END_TEST

START_TEST(callbacks_for_regions)
{
    static const ompd_cl_region_t wanted[] = {
        {0, MEMORY, MEMORY + SIZE, 1, 0, 0, 0},
        {0, MEMORY + SIZE, MEMORY + SIZE + HALF, 1, 0, 0, 0},
        {0, MEMORY + SIZE + HALF, MEMORY + 2 * SIZE, 0, 0, 0, 0},
        {0, FILE_START, FILE_END, 0, 0, 0, 0},
    };
    struct session session = open_session(_i);
    ompd_cl_region_t region = {.struct_size = sizeof(region)};

    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        ck_assert_int_eq(session.extra.memory_region(session.context, region.end, &region),
                         ompd_rc_ok);
        ck_assert_uint_eq(region.start, wanted[i].start);
        ck_assert_uint_eq(region.end, wanted[i].end);
        ck_assert_uint_eq(region.is_saved, wanted[i].is_saved);
    }
    ck_assert_int_eq(session.extra.memory_region(session.context, region.end, &region),
                     ompd_rc_unavailable);
    ompd_host_target_close(session.target);
}
END_TEST

START_TEST(callbacks_for_values)
{
    struct session session = open_session(_i);
    ompd_device_type_sizes_t sizes = {0};
    const uint16_t halves[] = {0x0102, 0x0304};
    uint16_t swapped[2];
    uint64_t whole = UINT64_C(0x0102030405060708);
    const uint8_t odd[] = {1, 2, 3};
    uint8_t turned[3] = {0};

    ck_assert_int_eq(session.callbacks.sizeof_type(session.context, &sizes), ompd_rc_ok);
    ck_assert_uint_eq(sizes.sizeof_pointer, _i & 1 ? 8 : 4);
    ck_assert_uint_eq(sizes.sizeof_long, _i & 1 ? 8 : 4);
    ck_assert_uint_eq(sizes.sizeof_int, 4);
    ck_assert_uint_eq(sizes.sizeof_long_long, 8);
    ck_assert_int_eq(session.callbacks.device_to_host(session.context, halves, 2, 2, swapped),
                     ompd_rc_ok);
    ck_assert_uint_eq(swapped[0], _i & 2 ? 0x0201 : 0x0102);
    ck_assert_uint_eq(swapped[1], _i & 2 ? 0x0403 : 0x0304);
    ck_assert_int_eq(session.callbacks.host_to_device(session.context, &whole, 8, 1, &whole),
                     ompd_rc_ok);
    ck_assert_uint_eq(whole, _i & 2 ? UINT64_C(0x0807060504030201) : UINT64_C(0x0102030405060708));
    ck_assert_int_eq(session.callbacks.device_to_host(session.context, odd, 3, 1, turned),
                     ompd_rc_ok);
    ck_assert_uint_eq(turned[0], _i & 2 ? 3 : 1);
    ck_assert_uint_eq(turned[1], 2);
    ck_assert_uint_eq(turned[2], _i & 2 ? 1 : 3);
    ompd_host_target_close(session.target);
}
END_TEST

START_TEST(callbacks_for_threads)
{
    struct session session = open_session(_i);
    uint32_t lwp = LWP;
    uint64_t pthread = THREAD_POINTER;
    ompd_thread_context_t *by_lwp = NULL;
    ompd_thread_context_t *by_pthread = NULL;

    ck_assert_int_eq(session.callbacks.get_thread_context_for_thread_id(
                         session.context, OMPD_CL_THREAD_LWP, sizeof(lwp), &lwp, &by_lwp),
                     ompd_rc_ok);
    ck_assert_int_eq(
        session.callbacks.get_thread_context_for_thread_id(session.context, OMPD_CL_THREAD_PTHREAD,
                                                           sizeof(pthread), &pthread, &by_pthread),
        ompd_rc_ok);
    ck_assert_ptr_nonnull(by_lwp);
    ck_assert_ptr_eq(by_lwp, by_pthread);
    lwp++;
    ck_assert_int_eq(session.callbacks.get_thread_context_for_thread_id(
                         session.context, OMPD_CL_THREAD_LWP, sizeof(lwp), &lwp, &by_lwp),
                     ompd_rc_unavailable);
    ck_assert_int_eq(session.callbacks.get_thread_context_for_thread_id(
                         session.context, OMPD_CL_THREAD_LWP, 3, &lwp, &by_lwp),
                     ompd_rc_bad_input);
    ck_assert_ptr_eq(by_lwp, by_pthread);
    ompd_host_target_close(session.target);
}
END_TEST

/* The library takes them, and finds no recorder in this target. */
START_TEST(address_space)
{
    ompd_host_target_t *target = open_made_up(_i);
    ompd_cl_overview_info_t overview = {.struct_size = sizeof(overview)};
    ompd_cl_library_memory_info_t memory = {.struct_size = sizeof(memory)};
    ompd_address_space_handle_t *space = NULL;

    ck_assert_int_eq(ompd_host_address_space_create(target, 0, &space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_overview_get(space, &overview), ompd_rc_unavailable);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);

    ck_assert_int_eq(ompd_host_address_space_create(target, 1 << 20, &space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_library_memory_get(space, &memory), ompd_rc_ok);
    ck_assert_uint_eq(memory.limit.value, 1 << 20);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    ck_assert_int_eq(ompd_host_address_space_create(target, 1, &space), ompd_rc_nomem);
    ck_assert_int_eq(ompd_host_address_space_create(NULL, 0, &space), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_host_address_space_create(target, 0, NULL), ompd_rc_bad_input);
    ompd_host_target_close(target);
}
END_TEST

START_TEST(bad_input)
{
    ompd_host_target_t *target = open_made_up(_i);
    struct session session;
    ompd_host_target_info_t info = {0};

    ck_assert_int_eq(ompd_host_target_get(target, &info), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_target_get(target, NULL), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_target_get(NULL, &info), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_memory_read(NULL, 0, 1, &info), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_memory_read(target, MEMORY, 1, NULL), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_memory_map(target, MEMORY, 1, NULL), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_region_get(target, 0, NULL), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_thread_get(target, 0, NULL), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_callbacks_get(target, NULL, NULL, &session.context),
                     ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_callbacks_get(target, &session.callbacks, NULL, NULL),
                     ompd_host_rc_bad_input);
    ck_assert_str_ne(ompd_host_message_get(target), "");
    ck_assert_int_eq(ompd_host_callbacks_get(target, &session.callbacks, NULL, &session.context),
                     ompd_host_rc_ok);
    ck_assert_str_eq(ompd_host_message_get(target), "");
    ompd_host_target_close(target);
}
END_TEST

#define VARIANTS 4

int main(void)
{
    Suite *suite = suite_create("host-answers");
    TCase *tcase = tcase_create("host-answers");

    tcase_add_loop_test(tcase, describes, 0, VARIANTS);
    tcase_add_loop_test(tcase, callbacks_for_memory, 0, VARIANTS);
    tcase_add_loop_test(tcase, cut_while_open, 0, VARIANTS);
    tcase_add_loop_test(tcase, callbacks_for_regions, 0, VARIANTS);
    tcase_add_loop_test(tcase, callbacks_for_values, 0, VARIANTS);
    tcase_add_loop_test(tcase, callbacks_for_threads, 0, VARIANTS);
    tcase_add_loop_test(tcase, address_space, 0, VARIANTS);
    tcase_add_loop_test(tcase, bad_input, 0, VARIANTS);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
