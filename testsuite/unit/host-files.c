/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The files of a core's modules, found at their paths, below a system root, by build-id or by name,
 * but never those of another build.  Their pages and symbols are those of the process. */
#include <config.h>

#include "host-places.h"
#include "suite.h"

#include <check.h>
#include <string.h>

#include "host-subject.h"

#define CODE_SIZE 64 /* bytes */

static struct places places;
static uint8_t code[CODE_SIZE]; /* of main, as the process has it */

/* Commands run in the test's folder; those who write a core call write_core. */
#define IN_FOLDER(command) subject_command("cd %s && %s", places_folder(), command)

static void start(void)
{
    places_folder_create();
}

static void write_core(const char *filter)
{
    ompd_host_target_t *target;

    places = places_start();
    subject_command("echo %s >/proc/%d/coredump_filter", filter, (int)places_value(&places, "pid"));
    target = places_open(&places, NULL);
    ck_assert_int_eq(
        ompd_host_memory_read(target, places_value(&places, "main"), sizeof(code), code),
        ompd_host_rc_ok);
    ompd_host_target_close(target);
    places_core(&places);
    places_end(&places);
}

/* The kernel's default: headers of files, and written memory. */
static void write_usual_core(void)
{
    write_core("0x33");
}

static ompd_host_options_t options_of(const char *executable, const char *sysroot)
{
    static char paths[2][256];

    snprintf(paths[0], sizeof(paths[0]), "%s/%s", places_folder(), executable);
    snprintf(paths[1], sizeof(paths[1]), "%s/%s", places_folder(), sysroot);
    return (ompd_host_options_t){
        .struct_size = sizeof(ompd_host_options_t),
        .executable = executable[0] != '\0' ? paths[0] : NULL,
        .sysroot = sysroot[0] != '\0' ? paths[1] : NULL,
    };
}

/* The file in which the program was found; NULL: none. */
static const char *program_file(ompd_host_target_t *target)
{
    ompd_host_module_t module;
    uint64_t address = places_value(&places, "main");

    for (size_t i = 0; ompd_host_module_get(target, i, &module) == ompd_host_rc_ok; i++) {
        if (module.start <= address && address < module.end)
            return module.file;
    }
    ck_abort_msg("the program is no module");
    return NULL;
}

/* How many modules have the path PATH. */
static size_t modules_of(ompd_host_target_t *target, const char *path)
{
    ompd_host_module_t module;
    size_t count = 0;

    for (size_t i = 0; ompd_host_module_get(target, i, &module) == ompd_host_rc_ok; i++)
        count += strcmp(module.path, path) == 0;
    return count;
}

static void assert_found(ompd_host_target_t *target)
{
    uint64_t address = places_value(&places, "main");
    ompd_cl_region_t region = {.struct_size = sizeof(region)};
    uint8_t bytes[CODE_SIZE];
    uint64_t found = 0;

    ck_assert_msg(ompd_host_memory_read(target, address, sizeof(bytes), bytes) == ompd_host_rc_ok,
                  "%s", ompd_host_message_get(target));
    ck_assert_mem_eq(bytes, code, sizeof(code));
    ck_assert_int_eq(ompd_host_region_get(target, address, &region), ompd_host_rc_ok);
    ck_assert(region.is_saved && region.start <= address && address < region.end);
    ck_assert_int_eq(ompd_host_symbol_find(target, NULL, "host_places_local", &found),
                     ompd_host_rc_ok);
    ck_assert_uint_eq(found, places_value(&places, "local"));
    ck_assert_ptr_nonnull(program_file(target));
}

static void assert_not_found(ompd_host_target_t *target)
{
    uint64_t address = places_value(&places, "main");
    uint8_t bytes[CODE_SIZE];
    uint64_t found = 77;

    ck_assert_int_eq(ompd_host_memory_read(target, address, sizeof(bytes), bytes),
                     ompd_host_rc_not_saved);
    ck_assert_int_eq(ompd_host_symbol_find(target, NULL, "host_places_local", &found),
                     ompd_host_rc_not_found);
    ck_assert_uint_eq(found, 77);
    ck_assert_ptr_null(program_file(target));
}

START_TEST(test_files_where_they_were)
{
    ompd_host_target_t *target;

    write_usual_core();
    target = places_open_core(NULL);
    assert_found(target);
    ompd_host_target_close(target);
}
END_TEST

START_TEST(test_files_gone)
{
    ompd_host_target_t *target;
    uint8_t written[sizeof(int)];

    write_usual_core();
    IN_FOLDER("rm program");
    target = places_open_core(NULL);
    assert_not_found(target);
    /* What was written to is in the core itself. */
    ck_assert_int_eq(
        ompd_host_memory_read(target, places_value(&places, "local"), sizeof(written), written),
        ompd_host_rc_ok);
    ompd_host_target_close(target);
}
END_TEST

/* Change the build-id of the program's file. */
static void change_build_id(void)
{
    static const uint8_t note[] = "\x14\0\0\0\x03\0\0\0GNU"; /* of 20 bytes, NT_GNU_BUILD_ID */
    static uint8_t bytes[1 << 20];
    char path[128];
    uint8_t *found;
    size_t size;
    FILE *file;

    snprintf(path, sizeof(path), "%s/program", places_folder());
    file = fopen(path, "r+");
    ck_assert_ptr_nonnull(file);
    size = fread(bytes, 1, sizeof(bytes), file);
    found = memmem(bytes, size, note, sizeof(note));
    ck_assert_ptr_nonnull(found);
    found[sizeof(note)] ^= 0xff;
    rewind(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* Reading a file must not cost more than its size. */
START_TEST(test_file_that_is_mostly_a_hole)
{
    ompd_host_target_t *target;

    write_usual_core();
    IN_FOLDER("truncate -s 64G program");
    target = places_open_core(NULL);
    assert_not_found(target);
    ompd_host_target_close(target);
}
END_TEST

START_TEST(test_file_of_another_build)
{
    ompd_host_target_t *target;

    write_usual_core();
    change_build_id();
    target = places_open_core(NULL);
    assert_not_found(target);
    ompd_host_target_close(target);
}
END_TEST

START_TEST(test_executable)
{
    ompd_host_options_t options = options_of("elsewhere", "");
    ompd_host_target_t *target;

    write_usual_core();
    IN_FOLDER("mv program elsewhere");
    target = places_open_core(&options);
    assert_found(target);
    ck_assert_str_eq(program_file(target), options.executable);
    ompd_host_target_close(target);
}
END_TEST

START_TEST(test_executable_that_is_not)
{
    ompd_host_options_t options = options_of(PLACES_LIBRARY, "");
    ompd_host_target_t *target = NULL;
    char core[128];

    write_usual_core();
    snprintf(core, sizeof(core), "%s/core", places_folder());
    ck_assert_int_eq(ompd_host_core_open(core, &options, &target), ompd_host_rc_bad_input);
    ck_assert_ptr_nonnull(strstr(ompd_host_message_get(NULL), "does not match the core"));
    options = options_of("nowhere", "");
    ck_assert_int_eq(ompd_host_core_open(core, &options, &target), ompd_host_rc_not_found);
    ck_assert_ptr_nonnull(strstr(ompd_host_message_get(NULL), "nowhere"));
    ck_assert_ptr_null(target);
}
END_TEST

START_TEST(test_system_root)
{
    ompd_host_options_t options = options_of("", "root");
    ompd_host_target_t *target;

    write_usual_core();
    IN_FOLDER("mkdir -p root$PWD && mv program root$PWD");
    target = places_open_core(NULL);
    assert_not_found(target);
    ompd_host_target_close(target);
    target = places_open_core(&options);
    assert_found(target);
    ompd_host_target_close(target);
}
END_TEST

/* Puts FILE of the folder where distributions have files by the program's build-id. */
static void move_by_build_id(const char *program, const char *file, const char *end)
{
    subject_command("cd %s && id=$(readelf -n %s | sed -n 's/.*Build ID: //p') && "
                    "folder=root/usr/lib/debug/.build-id/$(echo $id | cut -c1-2) && "
                    "mkdir -p $folder && mv %s $folder/$(echo $id | cut -c3-)%s",
                    places_folder(), program, file, end);
}

START_TEST(test_build_id)
{
    ompd_host_options_t options = options_of("", "root");
    ompd_host_target_t *target;

    write_usual_core();
    move_by_build_id("program", "program", "");
    target = places_open_core(&options);
    assert_found(target);
    ompd_host_target_close(target);
}
END_TEST

#define SPLIT                                                                                      \
    "objcopy --only-keep-debug program program.debug && strip program && "                         \
    "objcopy --add-gnu-debuglink=program.debug program"

/* Whether a name that only the debug information has is known, with its line. */
static bool knows_debug_information(const ompd_host_options_t *options)
{
    ompd_host_target_t *target = places_open_core(options);
    uint64_t address = 0;
    ompd_host_place_t place;
    bool is_known =
        ompd_host_symbol_find(target, NULL, "host_places_local", &address) == ompd_host_rc_ok;

    ck_assert_int_eq(ompd_host_place_get(target, places_value(&places, "mangled"), false, &place),
                     ompd_host_rc_ok);
    ck_assert_str_eq(place.symbol, "works::code(int)");
    ck_assert_int_eq(place.file != NULL, is_known);
    if (is_known) {
        ck_assert_uint_eq(address, places_value(&places, "local"));
        ck_assert_uint_eq(place.line, places_value(&places, "definition_line"));
    }
    ompd_host_target_close(target);
    return is_known;
}

/* A file that is not below the system root is not searched for at its original path either. */
START_TEST(test_system_root_alone)
{
    ompd_host_options_t options = options_of("", "root");
    ompd_host_target_t *target;

    write_usual_core();
    IN_FOLDER("mkdir root");
    target = places_open_core(&options);
    assert_not_found(target);
    ompd_host_target_close(target);
    /* Nor is its debug information. */
    IN_FOLDER(SPLIT);
    IN_FOLDER("mkdir -p root$PWD && cp program root$PWD");
    ck_assert(knows_debug_information(NULL));
    ck_assert(!knows_debug_information(&options));
}
END_TEST

/* The file in which the C library was found, and its path when the core was written; false: none.
 * Each has room for SIZE bytes. */
static bool find_c_library(const ompd_host_options_t *options, char *file, char *path, size_t size)
{
    ompd_host_target_t *target = places_open_core(options);
    ompd_host_module_t module;
    bool is_found = false;

    for (size_t i = 0; ompd_host_module_get(target, i, &module) == ompd_host_rc_ok; i++) {
        const char *name = strrchr(module.path, '/');

        if (name == NULL || strcmp(name, "/libc.so.6") != 0)
            continue;
        is_found = module.file != NULL;
        snprintf(file, size, "%s", is_found ? module.file : "");
        snprintf(path, size, "%s", module.path);
    }
    ompd_host_target_close(target);
    return is_found;
}

/* Where /lib is a link to /usr/lib the core has the one name, and a package the other. */
START_TEST(test_system_root_of_packages)
{
    ompd_host_options_t options = options_of("", "root");
    char file[256], path[256], found[256];
    const char *below_usr;

    write_usual_core();
    ck_assert(find_c_library(NULL, file, path, sizeof(path)));
    below_usr = strncmp(path, "/usr/", 5) == 0 ? path + 4 : path;
    for (unsigned i = 0; i < 2; i++) {
        const char *usr = i == 0 ? "" : "/usr";

        subject_command("cd %s && rm -rf root && mkdir root", places_folder());
        ck_assert(!find_c_library(&options, found, path, sizeof(path)));
        subject_command("cd %s/root && mkdir -p $(dirname .%s%s) && cp -L %s .%s%s",
                        places_folder(), usr, below_usr, file, usr, below_usr);
        ck_assert_msg(find_c_library(&options, found, path, sizeof(path)), "%s%s", usr, below_usr);
        ck_assert_ptr_nonnull(strstr(found, "/root/"));
    }
}
END_TEST

START_TEST(test_debug_information_by_link)
{
    ompd_host_options_t options = options_of("", "root");

    IN_FOLDER(SPLIT);
    write_usual_core();
    ck_assert(knows_debug_information(NULL));
    IN_FOLDER("mkdir .debug && mv program.debug .debug");
    ck_assert(knows_debug_information(NULL));
    IN_FOLDER("mv .debug/program.debug kept && cp " PLACES_LIBRARY " program.debug");
    ck_assert(!knows_debug_information(NULL));
    IN_FOLDER("mkdir -p root$PWD && cp program root$PWD && mv kept root$PWD/program.debug");
    ck_assert(knows_debug_information(&options));
    /* Beside the file that the caller names. */
    IN_FOLDER("mkdir elsewhere && mv program root$PWD/program.debug elsewhere");
    options = options_of("elsewhere/program", "");
    ck_assert(knows_debug_information(&options));
}
END_TEST

START_TEST(test_debug_information_by_checksum)
{
    /* objcopy warns about a segment that shrinks. */
    IN_FOLDER("{ objcopy --remove-section .note.gnu.build-id program && " SPLIT "; } 2>log");
    write_usual_core();
    ck_assert(knows_debug_information(NULL));
    IN_FOLDER("printf x >>program.debug");
    ck_assert(!knows_debug_information(NULL));
}
END_TEST

START_TEST(test_debug_information_by_build_id)
{
    ompd_host_options_t options = options_of("", "root");

    IN_FOLDER(SPLIT);
    write_usual_core();
    move_by_build_id("program", "program.debug", ".debug");
    ck_assert(!knows_debug_information(NULL));
    ck_assert(knows_debug_information(&options));
}
END_TEST

/* The core has all memory, and no other file exists. */
START_TEST(test_symbols_in_memory)
{
    ompd_host_target_t *target;
    uint64_t address = 0;
    ompd_host_frame_t frames[16];
    size_t count = 0;
    size_t at = 0;

    write_core("0x7f");
    IN_FOLDER("rm program " PLACES_LIBRARY);
    target = places_open_core(NULL);
    ck_assert_ptr_null(program_file(target));
    ck_assert_int_eq(ompd_host_symbol_find(target, NULL, "host_places_only", &address),
                     ompd_host_rc_ok);
    ck_assert_uint_eq(address, places_value(&places, "library_only"));
    ck_assert_int_eq(ompd_host_symbol_find(target, NULL, "host_places_local", &address),
                     ompd_host_rc_not_found);
    ck_assert_int_eq(
        ompd_host_stack_get(target, (uint32_t)places_value(&places, "pid"), 16, frames, &count),
        ompd_host_rc_ok);
    while (at < count && frames[at].address != places_value(&places, "return"))
        at++;
    ck_assert_uint_lt(at, count);
    ompd_host_target_close(target);
}
END_TEST

/* GDB writes the list of mapped files last, so that it is the first thing that a core loses. */
START_TEST(test_core_that_has_lost_its_list_of_files)
{
    ompd_host_options_t options = options_of("program", "");
    ompd_host_target_t *target;
    uint64_t address = 0;

    write_usual_core();
    IN_FOLDER(
        "truncate -s $(($(readelf -lW core | sed -n 's/^ *NOTE *\\(0x[0-9a-f]*\\) .*/\\1/p'))) "
        "core");
    target = places_open_core(NULL);
    ck_assert_ptr_null(program_file(target));
    ck_assert_uint_eq(modules_of(target, PLACES_LIBRARY), 1);
    ck_assert_int_eq(ompd_host_symbol_find(target, PLACES_LIBRARY, "host_places_only", &address),
                     ompd_host_rc_ok);
    ck_assert_uint_eq(address, places_value(&places, "library_only"));
    ck_assert_int_eq(ompd_host_symbol_find(target, NULL, "host_places_shared", &address),
                     ompd_host_rc_ok);
    ck_assert_uint_eq(address, places_value(&places, "shared"));
    ck_assert_int_eq(ompd_host_symbol_find(target, NULL, "host_places_local", &address),
                     ompd_host_rc_not_saved);
    ompd_host_target_close(target);

    target = places_open_core(&options);
    ck_assert_str_eq(program_file(target), options.executable);
    ck_assert_int_eq(ompd_host_symbol_find(target, NULL, "host_places_local", &address),
                     ompd_host_rc_ok);
    ck_assert_uint_eq(address, places_value(&places, "local"));
    ompd_host_target_close(target);
}
END_TEST

/* A running program's file may be replaced: the kernel still has the original. */
START_TEST(test_process_whose_files_are_gone)
{
    ompd_host_target_t *target;
    uint64_t address = 0;

    places = places_start();
    IN_FOLDER("rm program " PLACES_LIBRARY);
    target = places_open(&places, NULL);
    ck_assert_int_eq(ompd_host_symbol_find(target, "/program", "host_places_local", &address),
                     ompd_host_rc_ok);
    ck_assert_uint_eq(address, places_value(&places, "local"));
    ck_assert_int_eq(ompd_host_symbol_find(target, PLACES_LIBRARY, "host_places_only", &address),
                     ompd_host_rc_ok);
    ck_assert_uint_eq(address, places_value(&places, "library_only"));
    ompd_host_target_close(target);
    places_end(&places);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host-files");
    TCase *cases = tcase_create("files");

    tcase_set_timeout(cases, 120);
    tcase_add_checked_fixture(cases, start, places_folder_remove);
    tcase_add_test(cases, test_files_where_they_were);
    tcase_add_test(cases, test_files_gone);
    tcase_add_test(cases, test_file_that_is_mostly_a_hole);
    tcase_add_test(cases, test_file_of_another_build);
    tcase_add_test(cases, test_executable);
    tcase_add_test(cases, test_executable_that_is_not);
    tcase_add_test(cases, test_system_root);
    tcase_add_test(cases, test_system_root_alone);
    tcase_add_test(cases, test_system_root_of_packages);
    tcase_add_test(cases, test_build_id);
    tcase_add_test(cases, test_debug_information_by_link);
    tcase_add_test(cases, test_debug_information_by_checksum);
    tcase_add_test(cases, test_debug_information_by_build_id);
    tcase_add_test(cases, test_symbols_in_memory);
    tcase_add_test(cases, test_core_that_has_lost_its_list_of_files);
    tcase_add_test(cases, test_process_whose_files_are_gone);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
