/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files that a core names: its module, the debug information of that, and a program that the caller
 * names. Their headers are false, and reading may only cost in proportion to their true size (law
 * 13). */
#include "ask-host.h"
#include "fuzz.h"
#include "process-cost.h"
#include "small-module.h"

#include <string.h>
#include <sys/mman.h>

/* The parts of the input, as bits of a number in it. */
enum {
    is_apart = 1,        /* the debug information is in a separate file */
    has_no_build_id = 2, /* the module */
    is_lost = 4,         /* the core does not save its part of the module */
    is_named = 8,        /* the caller names the program */
    has_no_list = 16,    /* the core, of mapped files */
    is_shared = 32,      /* a part of the debug information is in a file of several programs */
};

/* The first two are the file's. It has none of the others where it has these. */
static const char *const symbols[] = {SMALL_MODULE_SYMBOL, SMALL_MODULE_LOCAL,
                                      "ompd_opencl_registry", "none"};

/* The locations of unedited data are reported. */
static void check_place(const ompd_host_place_t *place)
{
    fuzz_require(place->symbol != NULL && strcmp(place->symbol, "made(int)") == 0 &&
                     place->line == SMALL_MODULE_LINE - 1,
                 "a sane module has line %u, of %s", place->line,
                 place->symbol != NULL ? place->symbol : "nothing");
}

static void ask_places(ompd_host_target_t *target, bool is_sane)
{
    ompd_host_module_t module = {0};
    ompd_host_place_t place;

    if (ompd_host_module_get(target, 0, &module) != ompd_host_rc_ok)
        return;
    for (uint64_t at = 0; at < 0x120; at += 8) {
        ompd_host_rc_t rc = ompd_host_place_get(target, module.start + at, (at & 8) != 0, &place);

        ask_host_check(target, rc);
        if (is_sane && at == SMALL_MODULE_CODE)
            check_place(&place);
    }
}

static void ask_symbols(ompd_host_target_t *target, bool is_sane)
{
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
        uint64_t address = 0;
        ompd_host_rc_t rc = ompd_host_symbol_find(target, NULL, symbols[i], &address);

        ask_host_check(target, rc);
        if (is_sane)
            fuzz_require((rc == ompd_host_rc_ok) == (i < 2), "a sane module: %d for %s", (int)rc,
                         symbols[i]);
    }
}

static void ask(const char *core, const char *executable, size_t present, bool is_sane)
{
    ompd_host_options_t options = {.struct_size = sizeof(options), .executable = executable};
    ompd_host_target_t *target = ask_host_open(core, &options, present);

    if (target == NULL)
        return;
    ask_symbols(target, is_sane);
    ask_places(target, is_sane);
    ask_host(target);
    ompd_host_target_close(target);
}

/* ---- The input ------------------------------------------------------------------------------- */

/* Take from EDITS those of the module's file. */
static void split(struct edits *edits, struct edits *of_module)
{
    size_t count = 0;

    of_module->count = 0;
    for (size_t i = 0; i < edits->count; i++) {
        struct edit edit = edits->items[i];

        if ((edit.what & 8) == 0) {
            edits->items[count++] = edit;
            continue;
        }
        edit.what >>= 4;
        of_module->items[of_module->count++] = edit;
    }
    edits->count = count;
}

/* A file without a name on a disk, and its path. */
static int make_file(const char *name, char *path)
{
    int fd = memfd_create(name, MFD_CLOEXEC);

    fuzz_require(fd >= 0, "no file");
    sprintf(path, "/proc/self/fd/%d", fd);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char paths[3][32];
    static int core = -1;
    static struct small_module_files files;
    static struct edits of_module;
    struct small_core_subject subject = {.module = paths[1]};
    struct edits edits;
    struct process_cost before;
    size_t present;
    bool is_sane;

    if (!edits_read(&edits, data, size))
        return 0;
    if (core < 0) {
        core = make_file("core", paths[0]);
        files.module = make_file("module", paths[1]);
        files.debug = make_file("debug", paths[2]);
    }
    files.is_apart = (edits.head[1] & is_apart) != 0;
    files.is_shared = (edits.head[1] & is_shared) != 0;
    subject.has_no_build_id = (edits.head[1] & has_no_build_id) != 0;
    subject.is_lost = (edits.head[1] & is_lost) != 0;
    subject.has_no_list = (edits.head[1] & has_no_list) != 0;
    /* The program's file replaces the missing parts of a module, if that file is known. */
    is_sane = edits.count == 0 &&
              (!subject.is_lost || ((edits.head[1] & is_named) != 0 && !subject.has_no_list));
    split(&edits, &of_module);
    present = small_module_write(&files, &subject, &of_module);
    present += small_core_write(core, &subject, &edits);
    process_cost_begin(&before);
    ask(paths[0], (edits.head[1] & is_named) != 0 ? paths[1] : NULL, present, is_sane);
    process_cost_check(&before, present);
    return 0;
}
