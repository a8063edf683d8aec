/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The optional table of a process and of its cores: permissions, modules and symbols agree with
 * /proc and readelf; and who gets progress reports. */
#include <config.h>

#include "host-places.h"
#include "suite.h"

#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host-subject.h"

enum { of_process, of_core, of_cut_core, of_running, target_count };

#define KERNEL_HALF (UINT64_C(1) << 63)

static struct places places;
static ompd_host_target_t *target;
static ompd_callbacks_t callbacks;
static ompd_cl_extra_t extra;
static ompd_address_space_context_t *context;

/* GDB puts the notes last: cut them off. */
static void cut_core(void)
{
    char path[128];
    Elf64_Ehdr header;
    int file;

    snprintf(path, sizeof(path), "%s/core", places_folder());
    file = open(path, O_RDWR);
    ck_assert_int_eq(pread(file, &header, sizeof(header), 0), sizeof(header));
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;

        ck_assert_int_eq(
            pread(file, &segment, sizeof(segment), (off_t)(header.e_phoff + i * sizeof(segment))),
            sizeof(segment));
        if (segment.p_type == PT_NOTE)
            ck_assert_int_eq(ftruncate(file, (off_t)segment.p_offset), 0);
    }
    close(file);
}

static void start(void)
{
    places_folder_create();
    places = places_start();
    places_core(&places);
}

static void end(void)
{
    ompd_host_target_close(target);
    target = NULL;
    places_end(&places);
    places_folder_remove();
}

static void open_target(int number, const ompd_host_options_t *options)
{
    static const ompd_host_options_t running = {.struct_size = sizeof(running),
                                                .leaves_running = true};

    if (number == of_cut_core)
        cut_core();
    if (number == of_running)
        target = places_open(&places, &running);
    else
        target = number == of_process ? places_open(&places, options) : places_open_core(options);
    ck_assert_int_eq(ompd_host_callbacks_get(target, &callbacks, &extra, &context),
                     ompd_host_rc_ok);
}

/* ---- Comparison with /proc ------------------------------------------------------------------- */

struct line {
    unsigned long long start;
    unsigned long long end;
    unsigned long long offset;
    char mode[5];
    char path[256];
};

static size_t read_maps(struct line *lines, size_t capacity)
{
    char text[512];
    size_t count = 0;
    FILE *file;

    snprintf(text, sizeof(text), "/proc/%d/maps", (int)places_value(&places, "pid"));
    file = fopen(text, "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(text, sizeof(text), file) != NULL) {
        struct line *line = &lines[count];

        ck_assert_uint_lt(count, capacity);
        line->path[0] = '\0';
        ck_assert_int_ge(sscanf(text, "%llx-%llx %4s %llx %*s %*s %255s", &line->start, &line->end,
                                line->mode, &line->offset, line->path),
                         4);
        count += line->start < KERNEL_HALF;
    }
    fclose(file);
    return count;
}

static uint32_t permissions_of(const struct line *line)
{
    return ompd_cl_permission_known | (line->mode[0] == 'r' ? ompd_cl_permission_read : 0) |
           (line->mode[1] == 'w' ? ompd_cl_permission_write : 0) |
           (line->mode[2] == 'x' ? ompd_cl_permission_execute : 0);
}

static bool is_code_of_file(const struct line *line)
{
    return line->mode[2] == 'x' && line->path[0] == '/';
}

#define LINES 256

/* Everything in the table is true. A core may not know memory that is neither code nor saved. */
START_TEST(test_permissions)
{
    static struct line lines[LINES];
    size_t count = read_maps(lines, LINES);
    unsigned codes = 0;

    open_target(_i, NULL);
    for (size_t i = 0; i < count; i++) {
        for (uint64_t page = lines[i].start; page < lines[i].end; page += SUBJECT_PAGE) {
            ompd_cl_region_t region = {.struct_size = sizeof(region)};

            if (extra.memory_region(context, page, &region) != ompd_rc_ok || region.start > page)
                region = (ompd_cl_region_t){.struct_size = sizeof(region)};
            if (_i == of_process || _i == of_running || is_code_of_file(&lines[i]) ||
                region.permissions != 0)
                /* A page that was never written to may have no memory behind it. */
                ck_assert_msg((region.permissions & ~(uint32_t)ompd_cl_permission_zero) ==
                                  permissions_of(&lines[i]),
                              "%#llx, %s %s: %#x", (unsigned long long)page, lines[i].mode,
                              lines[i].path, region.permissions);
            else
                ck_assert_uint_eq(region.is_saved, 0);
        }
        codes += is_code_of_file(&lines[i]);
    }
    ck_assert_uint_ge(codes, 4); /* the program, its library, the C library, the dynamic linker */
}
END_TEST

/* ---- Comparison with readelf ----------------------------------------------------------------- */

/* The last word of the first line that COMMAND prints. */
static void last_word(const char *command, char *word, size_t size)
{
    char line[512] = "";
    const char *blank;
    FILE *output = popen(command, "r");

    ck_assert_ptr_nonnull(output);
    ck_assert_msg(fgets(line, sizeof(line), output) != NULL, "%s", command);
    pclose(output);
    line[strcspn(line, "\n")] = '\0';
    blank = strrchr(line, ' ');
    snprintf(word, size, "%.*s", (int)size - 1, blank != NULL ? blank + 1 : line);
}

/* The number of the module that ADDRESS is in. */
static ompd_size_t module_at(uint64_t address, ompd_cl_module_t *module)
{
    ompd_size_t index = 0;

    while (extra.module(context, index, module) == ompd_rc_ok) {
        if (module->start <= address && address < module->end)
            return index;
        index++;
    }
    ck_abort_msg("%#llx is in no module", (unsigned long long)address);
    return index;
}

/* A file is a module once, however often it is mapped. */
START_TEST(test_modules)
{
    static struct line lines[LINES];
    size_t count = read_maps(lines, LINES);
    unsigned codes = 0;

    open_target(_i, NULL);
    for (size_t i = 0; i < count; i++) {
        ompd_cl_module_t module = {.struct_size = sizeof(module)};

        if (!is_code_of_file(&lines[i]))
            continue;
        module_at(lines[i].start, &module);
        ck_assert_uint_le(lines[i].end, module.end);
        if (_i != of_cut_core)
            ck_assert_str_eq(module.name, lines[i].path);
        places_expect_build_id(module.build_id, module.build_id_size, lines[i].path);
        codes++;
    }
    ck_assert_uint_ge(codes, 4);
    /* The kernel's own module, which is not a file, is not found without the notes. */
    codes += _i != of_cut_core;
    for (ompd_size_t i = 0; i <= codes; i++) {
        ompd_cl_module_t module = {.struct_size = sizeof(module), .start = 77};
        ompd_rc_t rc = extra.module(context, i, &module);

        if (i < codes)
            ck_assert_int_eq(rc, ompd_rc_ok);
        else /* a truncated core may lack some */
            ck_assert_int_eq(rc,
                             _i == of_cut_core ? ompd_rc_device_read_error : ompd_rc_unavailable);
        ck_assert(rc == ompd_rc_ok || module.start == 77);
    }
    ck_assert_int_eq(extra.module(context, UINT64_MAX, NULL), ompd_rc_bad_input);
}
END_TEST

/* Module INDEX has NAME at the program's VALUE, or, with NULL, not at all. */
static void assert_symbol(ompd_size_t index, const char *name, const char *value)
{
    ompd_addr_t address = 77;
    ompd_rc_t rc = extra.module_symbol(context, index, name, &address);

    ck_assert_msg(rc == (value != NULL ? ompd_rc_ok : ompd_rc_unavailable), "%s: %d", name,
                  (int)rc);
    ck_assert_uint_eq(address, value != NULL ? places_value(&places, value) : 77);
}

/* A symbol of the C library is at readelf's address. */
static void assert_malloc(const struct line *line)
{
    ompd_cl_module_t module = {.struct_size = sizeof(module)};
    ompd_size_t index = module_at(line->start, &module);
    ompd_addr_t address = 0;
    char command[512];
    char value[64];

    snprintf(command, sizeof(command),
             "readelf --dyn-syms -W %s | sed -n 's/^ *[0-9]*: \\([0-9a-f]*\\) .* malloc@@.*/\\1/p'",
             line->path);
    last_word(command, value, sizeof(value));
    ck_assert_int_eq(extra.module_symbol(context, index, "malloc", &address), ompd_rc_ok);
    ck_assert_uint_eq(address - module.start, strtoull(value, NULL, 16));
}

START_TEST(test_module_symbols)
{
    static struct line lines[LINES];
    size_t count = read_maps(lines, LINES);
    ompd_cl_module_t module = {.struct_size = sizeof(module)};
    ompd_size_t program;
    ompd_size_t library;
    unsigned libraries = 0;
    ompd_addr_t address;

    open_target(_i, NULL);
    program = module_at(places_value(&places, "main"), &module);
    library = module_at(places_value(&places, "library_shared"), &module);
    assert_symbol(program, "host_places_shared", "shared");
    assert_symbol(library, "host_places_shared", "library_shared");
    assert_symbol(library, "host_places_only", "library_only");
    assert_symbol(program, "host_places_only", NULL);
    assert_symbol(library, "host_places_of_program", NULL);
    assert_symbol(1000, "main", NULL);
    /* The name of the file, which locates its local symbols, is lost with the notes. */
    if (_i != of_cut_core)
        assert_symbol(program, "host_places_local", "local");
    ck_assert_int_eq(extra.module_symbol(context, library, NULL, &address), ompd_rc_bad_input);
    ck_assert_int_eq(extra.module_symbol(context, library, "main", NULL), ompd_rc_bad_input);
    for (size_t i = 0; i < count; i++) {
        if (is_code_of_file(&lines[i]) && strstr(lines[i].path, "/libc.so") != NULL) {
            assert_malloc(&lines[i]);
            libraries++;
        }
    }
    ck_assert_uint_eq(libraries, 1);
}
END_TEST

/* ---- Progress -------------------------------------------------------------------------------- */

struct listener {
    unsigned calls;
    unsigned calls_to_allow;
    ompd_host_work_t work;
    uint64_t done;
    uint64_t whole;
};

static bool listen(void *user_ptr, ompd_host_work_t work, uint64_t done, uint64_t whole)
{
    struct listener *listener = user_ptr;

    ck_assert_uint_le(done, whole);
    ck_assert(listener->calls == 0 ? done == 0 : done >= listener->done);
    listener->work = work;
    listener->done = done;
    listener->whole = whole;
    return listener->calls++ < listener->calls_to_allow;
}

START_TEST(test_progress_of_unpacking)
{
    struct listener listener = {.calls_to_allow = _i == 0 ? UINT32_MAX : 0};
    ompd_host_options_t options = {
        .struct_size = sizeof(options), .progress = listen, .progress_user_ptr = &listener};
    ompd_host_target_t *packed = NULL;
    ompd_host_rc_t rc;
    char path[128];

    snprintf(path, sizeof(path), "%s/core.gz", places_folder());
    subject_command("gzip -1 %s/core", places_folder());
    rc = ompd_host_core_open(path, &options, &packed);
    ck_assert_int_eq(listener.work, ompd_host_work_unpack);
    ck_assert_uint_gt(listener.whole, 1000);
    if (_i == 0) {
        ck_assert_int_eq(rc, ompd_host_rc_ok);
        ompd_host_target_close(packed);
    } else {
        ck_assert_int_eq(rc, ompd_host_rc_cancelled);
        ck_assert_ptr_null(packed);
        ck_assert_uint_eq(listener.calls, 1);
        ck_assert_ptr_nonnull(strstr(ompd_host_message_get(NULL), path));
    }
}
END_TEST

START_TEST(test_progress_of_a_search)
{
    struct listener listener = {.calls_to_allow = 2};
    ompd_host_options_t options = {
        .struct_size = sizeof(options), .progress = listen, .progress_user_ptr = &listener};

    open_target(_i, &options);
    ck_assert_uint_eq(listener.calls, 0);
    ck_assert(extra.progress(context, 0, 100));
    ck_assert(extra.progress(context, 60, 100));
    ck_assert(!extra.progress(context, 70, 100));
    ck_assert_int_eq(listener.work, ompd_host_work_search);
    ck_assert_uint_eq(listener.done, 70);
    ck_assert_uint_eq(listener.whole, 100);
    ompd_host_target_close(target);
    open_target(_i, NULL);
    ck_assert(extra.progress == NULL);
}
END_TEST

static bool is_asked_to_end(void *user)
{
    return *(bool *)user;
}

/* A request that the user interrupts reads nothing. */
START_TEST(test_interrupt)
{
    bool is_interrupted = false;
    ompd_host_options_t options = {.struct_size = sizeof(options),
                                   .progress_user_ptr = &is_interrupted,
                                   .is_interrupted = is_asked_to_end};
    ompd_address_t address = {ompd_segment_none, 0};
    ompd_cl_module_t module = {.struct_size = sizeof(module)};
    unsigned char byte;

    open_target(_i, &options);
    ck_assert_int_eq(extra.module(context, 0, &module), ompd_rc_ok);
    address.address = module.start;
    ck_assert_int_eq(callbacks.read_memory(context, NULL, &address, 1, &byte), ompd_rc_ok);
    is_interrupted = true;
    ck_assert_int_eq(callbacks.read_memory(context, NULL, &address, 1, &byte), ompd_rc_interrupted);
    ck_assert_int_eq(callbacks.symbol_addr_lookup(context, NULL, "main", &address, NULL),
                     ompd_rc_interrupted);
}
END_TEST

#define FRAMES 64

/* The threads and their frames equal those of the library's own functions. */
START_TEST(test_threads)
{
    ompd_cl_target_thread_t thread = {.struct_size = sizeof(thread)};
    ompd_host_thread_t expected;
    ompd_cl_frame_t frames[FRAMES] = {{.struct_size = sizeof(frames[0])}};
    ompd_host_frame_t expected_frames[FRAMES];
    ompd_size_t count = 0;
    size_t expected_count = 0;
    size_t threads = 0;

    open_target(_i, NULL);
    while (extra.thread(context, threads, &thread) == ompd_rc_ok) {
        ck_assert_int_eq(ompd_host_thread_get(target, threads, &expected), ompd_host_rc_ok);
        ck_assert_uint_eq(thread.lwp, expected.lwp);
        ck_assert_uint_eq(thread.pthread, expected.pthread);
        threads++;
    }
    ck_assert_uint_ge(threads, 1);
    ck_assert_int_eq(ompd_host_thread_get(target, 0, &expected), ompd_host_rc_ok);
    ck_assert_int_eq(
        ompd_host_stack_get(target, expected.lwp, FRAMES, expected_frames, &expected_count),
        ompd_host_rc_ok);
    ck_assert_int_eq(extra.frames(context, expected.lwp, FRAMES, frames, &count), ompd_rc_ok);
    ck_assert_uint_eq(count, expected_count);
    ck_assert_uint_ge(count, 1);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(frames[i].pc, expected_frames[i].address);
        ck_assert_uint_eq(frames[i].is_caller, expected_frames[i].is_caller);
        ck_assert_uint_eq(frames[i].frame_address, expected_frames[i].frame_address);
        ck_assert_int_eq(frames[i].registers != NULL, frames[i].register_count != 0);
    }
    ck_assert_uint_ne(frames[0].frame_address, 0);
    ck_assert_uint_ge(frames[0].register_count, 8);
    ck_assert_int_eq(extra.frames(context, 0, FRAMES, frames, &count), ompd_rc_unavailable);
    ck_assert_int_eq(extra.frames(context, UINT64_MAX, 1, frames, &count), ompd_rc_unavailable);
    ck_assert_int_eq(extra.frames(context, expected.lwp, 0, frames, &count), ompd_rc_bad_input);
    frames[0].struct_size = 0;
    ck_assert_int_eq(extra.frames(context, expected.lwp, 1, frames, &count), ompd_rc_bad_input);
    ck_assert_int_eq(extra.thread(context, 0, NULL), ompd_rc_bad_input);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host-optional");
    TCase *tcase = tcase_create("host-optional");

    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, start, end);
    tcase_add_loop_test(tcase, test_permissions, 0, target_count);
    tcase_add_loop_test(tcase, test_modules, 0, target_count);
    tcase_add_loop_test(tcase, test_module_symbols, 0, target_count);
    tcase_add_loop_test(tcase, test_progress_of_unpacking, 0, 2);
    tcase_add_loop_test(tcase, test_progress_of_a_search, of_process, of_cut_core);
    tcase_add_loop_test(tcase, test_interrupt, of_process, of_process + 1);
    tcase_add_loop_test(tcase, test_threads, of_process, of_process + 1);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
