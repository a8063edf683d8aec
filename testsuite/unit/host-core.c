/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cores of a real program, written by the kernel and by GDB, complete, truncated, compressed and
 * damaged: memory, threads and facts are those that the program printed. */
#include "host-subject.h"
#include "suite.h"

#include <ompd-opencl-host.h>

#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CORES 2 /* 0: of the kernel, 1: of GDB */
#define KERNEL 0

/* GDB does not even name memory that is to be omitted from cores. */
static const ompd_host_rc_t left_out_rc[CORES] = {ompd_host_rc_not_saved, ompd_host_rc_unreadable};

static char folder[64];
static char paths[CORES][512];
static struct subject subjects[CORES];

static void make_cores(void)
{
    char own[128];

    strcpy(folder, "/tmp/host-core-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(own, sizeof(own), "%s/kernel", folder);
    ck_assert_int_eq(mkdir(own, 0700), 0);
    subjects[KERNEL] = subject_kernel_core(own, paths[KERNEL], sizeof(paths[KERNEL]));
    snprintf(paths[1], sizeof(paths[1]), "%s/of-gdb", folder);
    subjects[1] = subject_gdb_core(paths[1]);
}

static void remove_cores(void)
{
    subject_command("rm -rf %s", folder);
}

static ompd_host_target_t *open_core(const char *path)
{
    ompd_host_target_t *target = NULL;
    ompd_host_rc_t rc = ompd_host_core_open(path, NULL, &target);

    ck_assert_msg(rc == ompd_host_rc_ok, "%s: %s", path, ompd_host_message_get(NULL));
    ck_assert_ptr_nonnull(target);
    return target;
}

static ompd_host_target_info_t info_of(const ompd_host_target_t *target)
{
    ompd_host_target_info_t info = {.struct_size = sizeof(info)};

    ck_assert_int_eq(ompd_host_target_get(target, &info), ompd_host_rc_ok);
    return info;
}

/* Read SIZE bytes at OFFSET of the subject's mapping, and compare them. */
static void assert_pattern(ompd_host_target_t *target, const struct subject *subject,
                           uint64_t offset, size_t size)
{
    uint8_t *bytes = malloc(size);

    ck_assert_int_eq(ompd_host_memory_read(target, subject->memory + offset, size, bytes),
                     ompd_host_rc_ok);
    for (size_t i = 0; i < size; i++)
        ck_assert_uint_eq(bytes[i], subject_byte(offset + i));
    free(bytes);
}

/* Bytes of a command line that a core has room for: ELF_PRARGSZ of Linux, with a NUL.  It begins
 * with the subject's path. */
#define COMMAND_LINE_ROOM 79

START_TEST(tells_what_it_is)
{
    ompd_host_target_t *target = open_core(paths[_i]);
    const struct subject *subject = &subjects[_i];
    ompd_host_target_info_t info = info_of(target);
    struct stat status;

    ck_assert_int_eq(stat(paths[_i], &status), 0);
    ck_assert(info.is_core && !info.is_swapped && !info.is_running);
    ck_assert_str_eq(info.file, paths[_i]);
    ck_assert_str_eq(info.program, subject_program());
    ck_assert_str_eq(info.host_name, SUBJECT_HOST);
    ck_assert_int_eq(strncmp(info.command_line, subject_program(),
                             strnlen(subject_program(), COMMAND_LINE_ROOM)),
                     0);
    ck_assert_int_eq(info.pid, subject->pid);
    ck_assert_uint_eq(info.pointer_size, sizeof(void *));
    ck_assert_uint_eq(info.thread_count, SUBJECT_THREADS);
    ck_assert_int_eq(info.time, status.st_mtime);
    ck_assert_uint_eq(info.size, (uint64_t)status.st_size);
    ck_assert_uint_eq(info.whole_size, info.size);
    ck_assert_uint_gt(info.saved_bytes, SUBJECT_SAVED);
    ck_assert_uint_gt(info.left_out_bytes, 0);
    ck_assert_int_eq(info.signal, _i == KERNEL ? SIGABRT : 0);
    ck_assert_int_eq(info.signal_lwp, _i == KERNEL ? (int32_t)subject->lwps[1] : 0);
    ompd_host_target_close(target);
}
END_TEST

START_TEST(has_the_threads)
{
    ompd_host_target_t *target = open_core(paths[_i]);
    const struct subject *subject = &subjects[_i];
    ompd_host_thread_t thread;
    unsigned found = 0;

    for (size_t i = 0; ompd_host_thread_get(target, i, &thread) == ompd_host_rc_ok; i++) {
        if (_i == KERNEL && i == 0)
            ck_assert_uint_eq(thread.lwp, subject->lwps[1]);
        for (unsigned j = 0; j < SUBJECT_THREADS; j++) {
            if (thread.lwp == subject->lwps[j]) {
                found++;
                ck_assert_uint_eq(thread.pthread, subject->pthreads[j]);
            }
        }
    }
    ck_assert_uint_eq(found, SUBJECT_THREADS);
    ck_assert_int_eq(ompd_host_thread_get(target, SUBJECT_THREADS, &thread),
                     ompd_host_rc_not_found);
    ck_assert_str_ne(ompd_host_message_get(target), "");
    ompd_host_target_close(target);
}
END_TEST

START_TEST(reads_and_maps)
{
    ompd_host_target_t *target = open_core(paths[_i]);
    const struct subject *subject = &subjects[_i];
    const void *mapped = NULL;
    uint8_t untouched[2] = {1, 2};

    /* The last pages are segments of their own. */
    assert_pattern(target, subject, 0, SUBJECT_SAVED);
    assert_pattern(target, subject, 3 * SUBJECT_PAGE - 3, 7);
    ck_assert_int_eq(ompd_host_memory_map(target, subject->memory + 5, 2 * SUBJECT_PAGE, &mapped),
                     ompd_host_rc_ok);
    for (uint64_t i = 0; i < 2 * SUBJECT_PAGE; i++)
        ck_assert_uint_eq(((const uint8_t *)mapped)[i], subject_byte(5 + i));

    mapped = untouched;
    ck_assert_int_eq(ompd_host_memory_map(target, subject->memory + SUBJECT_SAVED - 1, 2, &mapped),
                     ompd_host_rc_not_found);
    ck_assert_ptr_eq(mapped, untouched);
    ck_assert_int_eq(
        ompd_host_memory_read(target, subject->memory + SUBJECT_SAVED - 1, 2, untouched),
        left_out_rc[_i]);
    ck_assert_int_eq(
        ompd_host_memory_read(target, subject->memory + SUBJECT_LEFT_OUT, 1, untouched),
        left_out_rc[_i]);
    ck_assert_int_eq(ompd_host_memory_read(target, subject->memory + SUBJECT_FREE, 1, untouched),
                     ompd_host_rc_unreadable);
    ck_assert_int_eq(ompd_host_memory_read(target, UINT64_MAX - 1, 2, untouched),
                     ompd_host_rc_unreadable);
    ck_assert_uint_eq(untouched[0], 1);
    ck_assert_uint_eq(untouched[1], 2);
    ck_assert_str_ne(ompd_host_message_get(target), "");
    ck_assert_uint_eq(*info_of(target).unsaved_reads, _i == KERNEL ? 2 : 0);
    assert_pattern(target, subject, 0, 1);
    ck_assert_str_eq(ompd_host_message_get(target), "");
    ompd_host_target_close(target);
}
END_TEST

START_TEST(has_the_regions)
{
    ompd_host_target_t *target = open_core(paths[_i]);
    uint64_t memory = subjects[_i].memory;
    ompd_cl_region_t region = {.struct_size = sizeof(region)};
    uint64_t end = 0;
    unsigned count = 0;

    while (ompd_host_region_get(target, end, &region) == ompd_host_rc_ok) {
        uint8_t byte;
        ompd_host_rc_t rc = ompd_host_memory_read(target, region.end - 1, 1, &byte);

        ck_assert_uint_ge(region.start, end);
        ck_assert_uint_gt(region.end, region.start);
        ck_assert_int_eq(rc, region.is_saved ? ompd_host_rc_ok : ompd_host_rc_not_saved);
        end = region.end;
        count++;
    }
    ck_assert_uint_gt(count, 20);
    ck_assert_int_eq(ompd_host_region_get(target, memory + SUBJECT_LEFT_OUT, &region),
                     ompd_host_rc_ok);
    if (_i == KERNEL) {
        ck_assert_uint_le(region.start, memory + SUBJECT_LEFT_OUT);
        ck_assert_uint_eq(region.is_saved, 0);
    } else {
        ck_assert_uint_gt(region.start, memory + SUBJECT_LEFT_OUT);
    }
    ck_assert_int_eq(ompd_host_region_get(target, memory + SUBJECT_FREE, &region), ompd_host_rc_ok);
    ck_assert_uint_gt(region.start, memory + SUBJECT_FREE);
    ompd_host_target_close(target);
}
END_TEST

static uint32_t permissions_at(ompd_host_target_t *target, uint64_t address)
{
    ompd_cl_region_t region = {.struct_size = sizeof(region)};

    ck_assert_int_eq(ompd_host_region_get(target, address, &region), ompd_host_rc_ok);
    ck_assert_uint_le(region.start, address);
    return region.permissions;
}

START_TEST(has_the_permissions)
{
    ompd_host_target_t *target = open_core(paths[_i]);
    uint64_t memory = subjects[_i].memory;
    uint32_t readable = ompd_cl_permission_known | ompd_cl_permission_read;

    ck_assert_uint_eq(permissions_at(target, memory), readable | ompd_cl_permission_write);
    ck_assert_uint_eq(permissions_at(target, memory + 3 * SUBJECT_PAGE), readable);
    /* GDB saves all memory that both it and the program can read. */
    ck_assert_uint_eq(permissions_at(target, memory + 4 * SUBJECT_PAGE),
                      _i == KERNEL ? ompd_cl_permission_known : readable);
    ompd_host_target_close(target);
}
END_TEST

/* A core and its bytes. */
struct file {
    uint8_t *bytes;
    size_t size;
};

static struct file read_file(const char *path)
{
    struct file file = {0};
    struct stat status;
    FILE *stream = fopen(path, "rb");

    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(fstat(fileno(stream), &status), 0);
    file.size = (size_t)status.st_size;
    file.bytes = malloc(file.size);
    ck_assert_uint_eq(fread(file.bytes, 1, file.size, stream), file.size);
    fclose(stream);
    return file;
}

static void write_file(const char *path, const struct file *file, size_t size)
{
    FILE *stream = fopen(path, "wb");

    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fwrite(file->bytes, 1, size, stream), size);
    fclose(stream);
}

/* Each page of WHOLE that TARGET has is equal; count the missing ones. */
static unsigned compare_pages(ompd_host_target_t *target, ompd_host_target_t *whole)
{
    ompd_cl_region_t region = {.struct_size = sizeof(region)};
    unsigned missing = 0;

    while (ompd_host_region_get(whole, region.end, &region) == ompd_host_rc_ok) {
        for (uint64_t at = region.start; region.is_saved && at < region.end; at += SUBJECT_PAGE) {
            uint8_t bytes[SUBJECT_PAGE];
            uint8_t wanted[SUBJECT_PAGE];
            size_t size = region.end - at < SUBJECT_PAGE ? region.end - at : SUBJECT_PAGE;
            ompd_host_rc_t rc = ompd_host_memory_read(target, at, size, bytes);

            ck_assert_int_eq(ompd_host_memory_read(whole, at, size, wanted), ompd_host_rc_ok);
            if (rc == ompd_host_rc_ok)
                ck_assert_mem_eq(bytes, wanted, size);
            else
                missing++;
        }
    }
    return missing;
}

/* Where the notes of a core end, as an offset in FILE. */
static uint64_t notes_end(const struct file *file)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;

    memcpy(&header, file->bytes, sizeof(header));
    for (unsigned i = 0; i < header.e_phnum; i++) {
        memcpy(&segment, file->bytes + header.e_phoff + i * sizeof(segment), sizeof(segment));
        if (segment.p_type == PT_NOTE)
            return segment.p_offset + segment.p_filesz;
    }
    ck_abort_msg("the core has no notes");
    return 0;
}

/* What ends the modules of TARGET: not_found, or not_saved where there may be more. */
static ompd_host_rc_t modules_end(ompd_host_target_t *target)
{
    ompd_host_module_t module;
    ompd_host_rc_t rc = ompd_host_rc_ok;

    for (size_t i = 0; rc == ompd_host_rc_ok; i++)
        rc = ompd_host_module_get(target, i, &module);
    return rc;
}

/* GDB writes the notes after all memory, with the list of modules at their end. Without it, the
 * dynamic linker's list names the modules, if it was saved. */
static void assert_symbols_not_saved(ompd_host_target_t *target)
{
    ompd_cl_overview_info_t overview = {.struct_size = sizeof(overview)};
    ompd_address_space_handle_t *space = NULL;
    uint64_t address = 1;

    ck_assert_int_eq(ompd_host_symbol_find(target, NULL, "no such symbol", &address),
                     ompd_host_rc_not_saved);
    ck_assert_uint_eq(address, 1);
    ck_assert_int_eq(ompd_host_address_space_create(target, 0, &space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_overview_get(space, &overview), ompd_rc_error);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}

#define TRUNCATIONS 30

START_TEST(truncated)
{
    struct file file = read_file(paths[_i]);
    ompd_host_target_t *whole = open_core(paths[_i]);
    unsigned opened = 0;
    unsigned without_modules = 0;
    char path[128];

    snprintf(path, sizeof(path), "%s/cut", folder);
    srand(4711);
    for (unsigned i = 0; i < TRUNCATIONS; i++) {
        uint64_t drawn = ((uint64_t)rand() << 16 | (uint64_t)rand()) % file.size;
        size_t size = (size_t)(i == 0 ? file.size - 1 : drawn);
        ompd_host_target_t *target = NULL;

        write_file(path, &file, size);
        if (ompd_host_core_open(path, NULL, &target) != ompd_host_rc_ok) {
            ck_assert_ptr_null(target);
            ck_assert_str_ne(ompd_host_message_get(NULL), "");
            continue;
        }
        opened++;
        ck_assert_uint_gt(info_of(target).whole_size, info_of(target).size);
        if (_i != KERNEL && modules_end(target) == ompd_host_rc_not_saved) {
            ck_assert_uint_lt(size, notes_end(&file));
            assert_symbols_not_saved(target);
            without_modules++;
        }
        if (size < file.size - SUBJECT_PAGE * 16)
            ck_assert_uint_gt(compare_pages(target, whole), 0);
        ompd_host_target_close(target);
    }
    ck_assert_uint_gt(opened, TRUNCATIONS / 2);
    if (_i != KERNEL)
        ck_assert_uint_gt(without_modules, TRUNCATIONS / 4);
    ompd_host_target_close(whole);
    free(file.bytes);
}
END_TEST

static const char *const packers[] = {"gzip", "xz", "zstd", "lz4"};
#define PACKERS (int)(sizeof(packers) / sizeof(packers[0]))

START_TEST(compressed)
{
    ompd_host_target_t *whole = open_core(paths[KERNEL]);
    ompd_host_target_t *target;
    char path[128];

    snprintf(path, sizeof(path), "%s/packed-%s", folder, packers[_i]);
    subject_command("%s -c -1 %s > %s", packers[_i], paths[KERNEL], path);
    target = open_core(path);
    ck_assert_uint_eq(compare_pages(target, whole), 0);
    ck_assert_uint_eq(info_of(target).size, info_of(whole).size);
    ck_assert_int_eq(info_of(target).pid, subjects[KERNEL].pid);
    ompd_host_target_close(target);

    /* Half of a packed core is a truncated core. */
    subject_command("head -c $(($(stat -c %%s %s) / 2)) %s > %s.half", path, path, path);
    target = open_core(strcat(path, ".half"));
    ck_assert_uint_gt(info_of(target).whole_size, info_of(target).size);
    ck_assert_uint_gt(compare_pages(target, whole), 0);
    ompd_host_target_close(target);
    ompd_host_target_close(whole);
}
END_TEST

/* Ask all questions of a core that may be damaged: anything but a crash or a hang is right. */
static void ask_all(ompd_host_target_t *target)
{
    ompd_cl_region_t region = {.struct_size = sizeof(region)};
    ompd_host_thread_t thread;
    ompd_host_target_info_t info = info_of(target);
    size_t length = info.program != NULL ? strlen(info.program) : 0;
    uint64_t end = 0;

    ck_assert_uint_lt(length, 1 << 16);
    while (ompd_host_region_get(target, end, &region) == ompd_host_rc_ok) {
        uint8_t bytes[2];
        const void *mapped;

        ck_assert_uint_ge(region.start, end);
        ck_assert_uint_gt(region.end, region.start);
        ompd_host_memory_read(target, region.end - 1, 2, bytes);
        ompd_host_memory_read(target, region.start, 1, bytes);
        if (ompd_host_memory_map(target, region.start, region.end - region.start, &mapped) ==
            ompd_host_rc_ok)
            bytes[0] = ((const uint8_t *)mapped)[region.end - region.start - 1];
        end = region.end;
    }
    for (size_t i = 0; ompd_host_thread_get(target, i, &thread) == ompd_host_rc_ok; i++)
        ck_assert_uint_lt(i, 100000);
}

#define DAMAGES 1500
#define HEAD_SIZE 12288 /* bytes, with the headers and most of the notes */

START_TEST(damaged)
{
    struct file file = read_file(paths[_i]);
    size_t head = file.size < HEAD_SIZE ? file.size : HEAD_SIZE;
    char path[128];
    int descriptor;

    snprintf(path, sizeof(path), "%s/damaged", folder);
    write_file(path, &file, file.size);
    descriptor = open(path, O_WRONLY);
    srand(815);
    for (unsigned i = 0; i < DAMAGES; i++) {
        ompd_host_target_t *target = NULL;
        size_t at = (size_t)rand() % head;
        uint8_t bad[8];
        size_t size = 1 + (size_t)rand() % sizeof(bad);

        for (size_t j = 0; j < sizeof(bad); j++)
            bad[j] = rand() % 2 == 0 ? 0xff : (uint8_t)rand();
        size = size < file.size - at ? size : file.size - at;
        ck_assert_int_eq(pwrite(descriptor, bad, size, (off_t)at), (ssize_t)size);
        if (ompd_host_core_open(path, NULL, &target) == ompd_host_rc_ok)
            ask_all(target);
        ompd_host_target_close(target);
        ck_assert_int_eq(pwrite(descriptor, file.bytes + at, size, (off_t)at), (ssize_t)size);
    }
    close(descriptor);
    free(file.bytes);
}
END_TEST

START_TEST(refuses_what_is_no_core)
{
    static const struct {
        const char *path;
        ompd_host_rc_t rc;
    } cases[] = {
        {"/nowhere/core", ompd_host_rc_not_found}, {"/", ompd_host_rc_not_readable},
        {"/dev/null", ompd_host_rc_not_readable},  {"/etc/passwd", ompd_host_rc_not_readable},
        {"/bin/sh", ompd_host_rc_not_readable},
    };
    ompd_host_target_t *target = NULL;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ck_assert_int_eq(ompd_host_core_open(cases[i].path, NULL, &target), cases[i].rc);
        ck_assert_ptr_nonnull(strstr(ompd_host_message_get(NULL), cases[i].path));
    }
    ck_assert_int_eq(ompd_host_core_open(NULL, NULL, &target), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_core_open("core", NULL, NULL), ompd_host_rc_bad_input);
    ck_assert_ptr_null(target);
    ompd_host_target_close(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host-core");
    TCase *tcase = tcase_create("host-core");
    const char *reason = subject_why_no_cores();

    if (reason != NULL)
        return suite_skip(reason);
    tcase_set_timeout(tcase, 120);
    tcase_add_unchecked_fixture(tcase, make_cores, remove_cores);
    tcase_add_loop_test(tcase, tells_what_it_is, 0, CORES);
    tcase_add_loop_test(tcase, has_the_threads, 0, CORES);
    tcase_add_loop_test(tcase, reads_and_maps, 0, CORES);
    tcase_add_loop_test(tcase, has_the_regions, 0, CORES);
    tcase_add_loop_test(tcase, has_the_permissions, 0, CORES);
    tcase_add_loop_test(tcase, truncated, 0, CORES);
    tcase_add_loop_test(tcase, compressed, 0, PACKERS);
    tcase_add_loop_test(tcase, damaged, 0, CORES);
    tcase_add_test(tcase, refuses_what_is_no_core);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
