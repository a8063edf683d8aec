/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Modules, symbols, source locations and stacks of a process and its core, compared with the output
 * of the program. */
#include "host-places.h"
#include "suite.h"

#include <check.h>
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host-subject.h"

static struct places places;

static void start(void)
{
    places_folder_create();
    places = places_start();
    places_core(&places);
}

/* The library has no symbols but those that the dynamic linker finds. */
static void start_stripped(void)
{
    places_folder_create();
    subject_command("strip %s/" PLACES_LIBRARY, places_folder());
    places = places_start();
    places_core(&places);
}

static void end(void)
{
    places_end(&places);
    places_folder_remove();
}

/* Test number 0 is on the process, 1 on the core. */
static ompd_host_target_t *open_target(int number)
{
    return number == 0 ? places_open(&places, NULL) : places_open_core(NULL);
}

static void assert_symbol(ompd_host_target_t *target, const char *module, const char *name,
                          const char *value)
{
    uint64_t address = 0;
    ompd_host_rc_t rc = ompd_host_symbol_find(target, module, name, &address);

    ck_assert_msg(rc == ompd_host_rc_ok, "%s: %s", name, ompd_host_message_get(target));
    ck_assert_uint_eq(address, places_value(&places, value));
}

static void assert_no_symbol(ompd_host_target_t *target, const char *module, const char *name)
{
    uint64_t address = 77;

    ck_assert_int_eq(ompd_host_symbol_find(target, module, name, &address), ompd_host_rc_not_found);
    ck_assert_uint_eq(address, 77);
    ck_assert_str_ne(ompd_host_message_get(target), "");
}

START_TEST(test_symbols)
{
    ompd_host_target_t *target = open_target(_i);

    assert_symbol(target, NULL, "main", "main");
    assert_symbol(target, NULL, "host_places_local", "local");
    assert_symbol(target, NULL, "host_places_shared", "shared");
    assert_symbol(target, "/program", "host_places_shared", "shared");
    assert_symbol(target, PLACES_LIBRARY, "host_places_shared", "library_shared");
    assert_symbol(target, NULL, "host_places_only", "library_only");
    assert_symbol(target, PLACES_LIBRARY, "host_places_only", "library_only");
    assert_symbol(target, NULL, "host_places_of_program", "of_program");
    assert_no_symbol(target, PLACES_LIBRARY, "host_places_of_program");
    assert_no_symbol(target, "/program", "host_places_only");
    assert_no_symbol(target, "no-such-module", "main");
    assert_no_symbol(target, NULL, "host_places_nowhere");
    ompd_host_target_close(target);
}
END_TEST

static ompd_host_place_t place_of(ompd_host_target_t *target, uint64_t address, bool is_caller)
{
    ompd_host_place_t place;

    memset(&place, 0xa5, sizeof(place));
    ck_assert_int_eq(ompd_host_place_get(target, address, is_caller, &place), ompd_host_rc_ok);
    return place;
}

static void assert_ends(const char *text, const char *end)
{
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(strlen(text) >= strlen(end) &&
                      strcmp(text + strlen(text) - strlen(end), end) == 0,
                  "%s does not end in %s", text, end);
}

START_TEST(test_places_of_code)
{
    ompd_host_target_t *target = open_target(_i);
    uint64_t address = places_value(&places, "mangled");
    ompd_host_place_t place = place_of(target, address, false);
    uint64_t offset = place.module_offset;

    ck_assert_str_eq(place.symbol, "works::code(int)");
    ck_assert_uint_eq(place.symbol_offset, 0);
    ck_assert_uint_eq(place.inlined_count, 0);
    assert_ends(place.file, "host-places-program.c");
    ck_assert_uint_eq(place.line, places_value(&places, "definition_line"));
    assert_ends(place.module, "/program");

    address = places_value(&places, "return");
    place = place_of(target, address, true);
    ck_assert_str_eq(place.symbol, "host_places_inlined");
    ck_assert_uint_eq(place.inlined_count, 1);
    ck_assert_str_eq(place.inlined_into[0], "host_places_outer");
    assert_ends(place.inlined_at[0].file, "host-places-program.c");
    ck_assert_uint_eq(place.inlined_at[0].line, places_value(&places, "outer_line"));
    ck_assert_uint_eq(place.line, places_value(&places, "call_line"));
    ck_assert_uint_eq(place.module_offset - offset, address - places_value(&places, "mangled"));
    ompd_host_target_close(target);
}
END_TEST

START_TEST(test_places_of_data)
{
    ompd_host_target_t *target = open_target(_i);
    ompd_host_place_t place =
        place_of(target, places_value(&places, "library_shared") + sizeof(int), false);

    ck_assert_str_eq(place.symbol, "host_places_shared");
    ck_assert_uint_eq(place.symbol_offset, sizeof(int));
    ck_assert_ptr_null(place.file);
    assert_ends(place.module, "/" PLACES_LIBRARY);

    place = place_of(target, 1, false);
    ck_assert_ptr_null(place.symbol);
    ck_assert_ptr_null(place.file);
    ck_assert_ptr_null(place.module);
    place = place_of(target, 0, true);
    ck_assert_ptr_null(place.module);
    ompd_host_target_close(target);
}
END_TEST

START_TEST(test_place_is_looked_up_once)
{
    ompd_host_target_t *target = open_target(_i);
    uint64_t address = places_value(&places, "mangled");
    ompd_host_place_t first = place_of(target, address, false);
    ompd_host_place_t caller = place_of(target, address + 1, true);
    ompd_host_place_t second = place_of(target, address, false);

    ck_assert_ptr_eq(first.symbol, second.symbol);
    ck_assert_ptr_ne(first.symbol, caller.symbol);
    ompd_host_target_close(target);
}
END_TEST

START_TEST(test_stack)
{
    ompd_host_target_t *target = open_target(_i);
    uint32_t lwp = (uint32_t)places_value(&places, "pid");
    ompd_host_frame_t frames[64];
    ompd_host_frame_t fewer[64];
    size_t count = 0;
    size_t at = 0;

    ck_assert_int_eq(ompd_host_stack_get(target, lwp, 64, frames, &count), ompd_host_rc_ok);
    while (at < count && frames[at].address != places_value(&places, "return"))
        at++;
    ck_assert_uint_lt(at + 1, count);
    ck_assert_str_eq(place_of(target, frames[at - 1].address, true).symbol, "wait_here");
    ck_assert_str_eq(place_of(target, frames[at + 1].address, true).symbol, "handle_signal");
    /* The first, what the handler returns to, and what the signal interrupted. */
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(frames[i].is_caller, i != 0 && i != at + 2 && i != at + 3);
    for (at += 4; at < count && strcmp(place_of(target, frames[at].address, true).symbol, "main");)
        at++;
    ck_assert_uint_lt(at, count);

    ck_assert_int_eq(ompd_host_stack_get(target, lwp, at, fewer, &count), ompd_host_rc_ok);
    ck_assert_uint_eq(count, at);
    for (size_t i = 0; i < at; i++)
        ck_assert_uint_eq(frames[i].address, fewer[i].address);
    ck_assert_int_eq(ompd_host_stack_get(target, lwp + 1, 64, frames, &count),
                     ompd_host_rc_not_found);
    ck_assert_int_eq(ompd_host_stack_get(target, lwp, 0, frames, &count), ompd_host_rc_bad_input);
    ck_assert_uint_eq(count, at);
    ompd_host_target_close(target);
}
END_TEST

START_TEST(test_running_process)
{
    ompd_host_options_t options = {.struct_size = sizeof(options), .leaves_running = true};
    ompd_host_target_t *target = places_open(&places, &options);
    ompd_host_frame_t frame;
    size_t count = 77;

    assert_symbol(target, NULL, "host_places_only", "library_only");
    ck_assert_int_eq(
        ompd_host_stack_get(target, (uint32_t)places_value(&places, "pid"), 1, &frame, &count),
        ompd_host_rc_not_permitted);
    ck_assert_uint_eq(count, 77);
    ompd_host_target_close(target);
}
END_TEST

/* Memory after a module belongs to none. */
static void assert_ends_at(ompd_host_target_t *target, const char *path, uint64_t end)
{
    for (unsigned i = 0; i < 4; i++) {
        ompd_host_place_t place;

        ck_assert_int_eq(ompd_host_place_get(target, end + i * UINT64_C(4096), false, &place),
                         ompd_host_rc_ok);
        if (place.module == NULL)
            ck_assert_ptr_null(place.symbol);
        else
            ck_assert_str_ne(place.module, path);
    }
}

START_TEST(test_modules)
{
    ompd_host_target_t *target = open_target(_i);
    ompd_host_module_t module;
    char path[128];
    uint64_t end = 0;
    size_t seen = 0;

    snprintf(path, sizeof(path), "%s/" PLACES_LIBRARY, places_folder());
    for (size_t i = 0; ompd_host_module_get(target, i, &module) == ompd_host_rc_ok; i++) {
        ck_assert_uint_ge(module.start, end);
        ck_assert_uint_gt(module.end, module.start);
        end = module.end;
        assert_ends_at(target, module.path, module.end);
        if (strcmp(module.path, path) != 0)
            continue;
        seen++;
        ck_assert_uint_le(module.start, places_value(&places, "library_only"));
        ck_assert_uint_gt(module.end, places_value(&places, "library_only"));
        assert_ends(module.file, path);
        places_expect_build_id(module.build_id, module.build_id_size, path);
    }
    ck_assert_uint_eq(seen, 1);
    ck_assert_int_eq(ompd_host_module_get(target, 10000, &module), ompd_host_rc_not_found);
    ck_assert_int_eq(ompd_host_module_get(target, 0, NULL), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_module_get(NULL, 0, &module), ompd_host_rc_bad_input);
    ompd_host_target_close(target);
}
END_TEST

/* How often libdwfl itself is asked for a symbol of a module. */
#define ASKED_OF_LIBDWFL 16

#define STEPS 300

/* The names of many places come from a table, and equal those of libdwfl: in the C library, whose
 * functions have several names. */
START_TEST(test_many_places)
{
    ompd_host_target_t *many = open_target(0);
    ompd_host_target_t *few = NULL;
    ompd_host_module_t module = {.path = ""};
    uint64_t step;
    unsigned named = 0;

    for (size_t i = 0; ompd_host_module_get(many, i, &module) == ompd_host_rc_ok; i++) {
        if (strstr(module.path, "/libc.so") != NULL)
            break;
    }
    ck_assert_ptr_nonnull(strstr(module.path, "/libc.so"));
    step = (module.end - module.start) / STEPS;
    for (unsigned i = 0; i < STEPS; i++) {
        uint64_t address = module.start + i * step;
        ompd_host_place_t place = place_of(many, address, false);
        ompd_host_place_t truth;

        if (i % ASKED_OF_LIBDWFL == 0) {
            if (few != NULL)
                ompd_host_target_close(few);
            few = open_target(1);
        }
        truth = place_of(few, address, false);
        named += truth.symbol != NULL;
        ck_assert_int_eq(place.symbol != NULL, truth.symbol != NULL);
        if (truth.symbol != NULL)
            ck_assert_str_eq(place.symbol, truth.symbol);
        ck_assert_uint_eq(place.symbol_offset, truth.symbol_offset);
    }
    ck_assert_uint_gt(named, STEPS / 4);
    ompd_host_target_close(few);
    ompd_host_target_close(many);
}
END_TEST

/* A library whose function `deep` is called `named` in its debug information, in BLOCKS blocks, one
 * in the other, has so many LINES, and a section of zeros. */
static const char *const hostile = "\t.text\n"
                                   "\t.globl deep\n"
                                   "\t.type deep,%%function\n"
                                   "deep:\n"
                                   "\t.zero 64\n"
                                   "\t.size deep,64\n"
                                   "\t.section .debug_abbrev,\"\",%%progbits\n"
                                   "abbreviations:\n"
                                   "\t.byte 1,0x11,1,0x3,0x8,0x1b,0x8,0x11,1,0x12,7,0x10,0x17,0,0\n"
                                   "\t.byte 2,0x2e,1,0x3,0x8,0x11,1,0x12,7,0,0\n"
                                   "\t.byte 3,0x0b,1,0x11,1,0x12,7,0,0,0\n"
                                   "\t.section .debug_info,\"\",%%progbits\n"
                                   "\t.long 2f-1f\n"
                                   "1:\t.short 4\n"
                                   "\t.long abbreviations\n"
                                   "\t.byte 8,1\n"
                                   "\t.string \"deep.c\",\"/tmp\"\n"
                                   "\t.quad deep,64\n"
                                   "\t.long lines\n"
                                   "\t.byte 2\n"
                                   "\t.string \"named\"\n"
                                   "\t.quad deep,64\n"
                                   "\t.rept %u\n"
                                   "\t.byte 3\n"
                                   "\t.quad deep,64\n"
                                   "\t.endr\n"
                                   "\t.zero %u + 2\n"
                                   "2:\n"
                                   "\t.section .debug_line,\"\",%%progbits\n"
                                   "lines:\n"
                                   "\t.long 4f-1f\n"
                                   "1:\t.short 4\n"
                                   "\t.long 3f-2f\n"
                                   "2:\t.byte 1,1,1,-5,14,13,0,1,1,1,1,0,0,0,1,0,0,1,0\n"
                                   "\t.string \"deep.c\"\n"
                                   "\t.byte 0,0,0,0\n"
                                   "3:\t.byte 0,9,2\n"
                                   "\t.quad deep\n"
                                   "\t.fill %u,1,18\n"
                                   "\t.byte 9\n"
                                   "\t.short 0x200\n"
                                   "\t.byte 0,1,1\n"
                                   "4:\n"
                                   "\t.section %s,\"\",%%progbits\n"
                                   "\t.zero %u\n";

#define BOMB 40000000U

static const struct nesting {
    unsigned blocks;
    unsigned lines;
    const char *section; /* with MORE zeros */
    unsigned more;
    const char *symbol;
    uint32_t line; /* 0: not known */
    uint64_t short_places;
} nestings[] = {
    {10, 1000, ".debug_str", 1000000, "named", 1, 0},
    {50000, 1000, ".debug_str", 1, "deep", 1, 1},
    {10, 1100000, ".debug_str", 1, "named", 0, 1},
    {10, 1000, ".debug_str", BOMB, "deep", 0, 1},
    {10, 1000, ".debug_ranges", BOMB, "deep", 0, 1},
    {10, 1000, ".debug_loclists", BOMB, "deep", 0, 1},
};

/* A child with the library, which this process loads. */
static pid_t load_hostile(const struct nesting *nesting, uint64_t *address)
{
    char path[256];
    void *library;
    FILE *file;
    pid_t pid;

    snprintf(path, sizeof(path), "%s/deep.s", places_folder());
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, hostile, nesting->blocks, nesting->blocks, nesting->lines, nesting->section,
            nesting->more);
    fclose(file);
    subject_command("cd %s && cc -shared -nostdlib -Wl,-z,noexecstack "
                    "-Wl,--compress-debug-sections=zlib deep.s -o deep.so && rm deep.s",
                    places_folder());
    snprintf(path, sizeof(path), "%s/deep.so", places_folder());
    library = dlopen(path, RTLD_NOW);
    ck_assert_msg(library != NULL, "%s", dlerror());
    *address = (uint64_t)(uintptr_t)dlsym(library, "deep");
    pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    return pid;
}

/* The cost of debug information for a source location is bounded.  If it is too deep or too large,
 * it is not used. */
START_TEST(test_hostile_debug_information)
{
    const struct nesting *nesting = &nestings[_i];
    ompd_host_target_t *target = NULL;
    ompd_host_target_info_t info = {.struct_size = sizeof(info)};
    ompd_host_place_t place;
    struct rusage usage;
    uint64_t address;
    pid_t pid = load_hostile(nesting, &address);

    ck_assert_int_eq(ompd_host_process_open(pid, NULL, &target), ompd_host_rc_ok);
    place = place_of(target, address + 8, false);
    ck_assert_str_eq(place.symbol, nesting->symbol);
    ck_assert_int_eq(ompd_host_target_get(target, &info), ompd_host_rc_ok);
    ck_assert_uint_eq(info.short_places, nesting->short_places);
    place_of(target, address + 8, false);
    ompd_host_target_get(target, &info);
    ck_assert_uint_eq(info.short_places, nesting->short_places); /* it is the same place */
    ck_assert_int_eq(place.line != 0, nesting->line != 0);
    ck_assert_int_eq(place.file != NULL, nesting->line != 0);
    getrusage(RUSAGE_SELF, &usage);
    ck_assert_int_lt(usage.ru_maxrss, 300 << 10); /* KiB */
    ompd_host_target_close(target);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    subject_command("rm %s/deep.so", places_folder());
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host-symbols");
    TCase *cases = tcase_create("process and core");
    TCase *stripped = tcase_create("a stripped library");

    tcase_set_timeout(cases, 120);
    tcase_add_unchecked_fixture(cases, start, end);
    tcase_add_loop_test(cases, test_symbols, 0, 2);
    tcase_add_loop_test(cases, test_places_of_code, 0, 2);
    tcase_add_loop_test(cases, test_places_of_data, 0, 2);
    tcase_add_loop_test(cases, test_place_is_looked_up_once, 0, 2);
    tcase_add_loop_test(cases, test_stack, 0, 2);
    tcase_add_loop_test(cases, test_modules, 0, 2);
    tcase_add_test(cases, test_running_process);
    tcase_add_test(cases, test_many_places);
    tcase_add_loop_test(cases, test_hostile_debug_information, 0,
                        sizeof(nestings) / sizeof(nestings[0]));
    suite_add_tcase(suite, cases);
    tcase_set_timeout(stripped, 120);
    tcase_add_unchecked_fixture(stripped, start_stripped, end);
    tcase_add_loop_test(stripped, test_symbols, 0, 2);
    suite_add_tcase(suite, stripped);
    return suite_run(suite);
}
