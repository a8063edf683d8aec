/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cores that claim memory which they do not have.  All questions about them, and about snapshots of
 * them, cost time and memory by the real contents (law 13). */
#include "ask-host.h"
#include "ask.h"
#include "fuzz.h"
#include "heap-edits.h"
#include "process-cost.h"
#include "registry-edits.h"
#include "small-core.h"

#include <ompd-opencl-host.h>

#include <fcntl.h>
#include <host/base/bound.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 512 /* bytes that st_blocks counts in */

/* Registers of threads are put in cores of this machine alone. */
#ifdef __x86_64__
#define HAS_REGISTERS true
#else
#define HAS_REGISTERS false
#endif

/* How many rows of KIND, of SIZE bytes, there are. */
static unsigned count_rows(ompd_address_space_handle_t *space, ompd_cl_kind_t kind, size_t size)
{
    ompd_cl_list_t list = {0};
    ompd_size_t unreadable;
    ompd_size_t count = 1;
    ompd_rc_t rc = ompd_cl_list_open(space, kind, NULL, &list);
    unsigned rows = 0;
    char *row;

    if (rc != ompd_rc_ok)
        return 0;
    row = calloc(1, size);
    memcpy(row, &size, sizeof(size));
    while ((rc == ompd_rc_ok || rc == ompd_rc_incomplete) && count != 0) {
        count = 0;
        rc = ompd_cl_list_next(space, list, kind, 1, row, &count, &unreadable);
        rows += (unsigned)count;
    }
    ompd_cl_list_close(space, list);
    free(row);
    return rows;
}

/* The contents of an unedited core are found. */
static void check_content(ompd_address_space_handle_t *space)
{
    unsigned memobjs = count_rows(space, ompd_cl_kind_memobj, sizeof(ompd_cl_memobj_info_t));
    unsigned threads = count_rows(space, ompd_cl_kind_thread, sizeof(ompd_cl_thread_info_t));

    fuzz_require(memobjs >= 3 && (threads != 0 || !HAS_REGISTERS),
                 "a sane core has %u memory objects, %u threads", memobjs, threads);
}

/* Ask the library about TARGET, a core with the memory of SMALL, or NULL. */
static void ask_library(ompd_host_target_t *target, const struct small_target *small, bool is_sane)
{
    ompd_address_space_handle_t *space = NULL;

    if (ompd_host_address_space_create(target, 0, &space) != ompd_rc_ok)
        return;
    if (small != NULL && small->layout != NULL)
        ask_check(space, ompd_cl_layout_add(space, small->layout, strlen(small->layout)));
    if (is_sane && small != NULL) {
        ask_check(space, ompd_cl_sources_set(space, OMPD_CL_SOURCES_ALL));
        check_content(space);
        ask_check(space, ompd_cl_sources_set(space, OMPD_CL_SOURCES_DEFAULT));
    }
    ask_everything(space, ask_objects | ask_searches | ask_holders);
    ompd_rel_address_space_handle(space);
}

/* Save a snapshot of TARGET, a core of PRESENT bytes, and query it. It has less, because the files
 * of modules are missing here. Few bytes are written, whatever the core claims. */
static void ask_look(ompd_host_target_t *target, size_t present, const struct small_target *small)
{
    ompd_host_target_t *look;
    struct stat file;
    uint64_t size = 0;
    uint64_t written;
    char path[64];

    snprintf(path, sizeof(path), "%s/ompd-opencl-look-%d",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (int)getpid());
    if (ompd_host_snapshot_save(target, path, &size) != ompd_host_rc_ok) {
        fuzz_require(access(path, F_OK) != 0, "a look that is not saved is there");
        return;
    }
    fuzz_require(stat(path, &file) == 0 && (uint64_t)file.st_size == size, "a look of no size");
    written = (uint64_t)file.st_blocks * BLOCK;
    fuzz_require(written <= bound_bytes(present), "%llu bytes are saved of %zu",
                 (unsigned long long)written, present);
    look = ask_host_open(path, NULL, written);
    unlink(path);
    fuzz_require(look != NULL, "a look is refused: %s", ompd_host_message_get(NULL));
    ask_host(look);
    ask_library(look, small, false);
    ompd_host_target_close(look);
}

/* Query the core at PATH, of PRESENT bytes; HAS_LOOK: and a snapshot of it. */
static void ask(const char *path, size_t present, const struct small_target *small, bool is_sane,
                bool has_look)
{
    ompd_host_target_t *target = ask_host_open(path, NULL, present);

    if (target == NULL)
        return;
    ask_host(target);
    ask_library(target, small, is_sane);
    if (has_look)
        ask_look(target, present, small);
    ompd_host_target_close(target);
}

/* ---- The input ------------------------------------------------------------------------------- */

/* The memory that HEAD selects: a recorder's registry, a runtime's objects, or both; NULL for
 * none. */
static struct small_target *memory_of(const uint8_t *head)
{
    static const small_make_t makes[] = {NULL, small_make_population, small_make_objects,
                                         small_make_recorded};
    small_make_t make = makes[head[0] & 3];
    struct small_target *small = make != NULL ? small_target_get(make, 0) : NULL;

    if (small != NULL)
        small_core_prepare(small);
    return small;
}

/* Apply to SMALL those of EDITS that are of memory, and leave the others. */
static void edit_memory(struct small_target *small, struct edits *edits)
{
    size_t count = 0;

    for (size_t i = 0; i < edits->count; i++) {
        struct edit edit = edits->items[i];

        if ((edit.what & 8) == 0) {
            edits->items[count++] = edit;
            continue;
        }
        edit.what >>= 4;
        if (small->layout != NULL)
            heap_edit_apply(small, &edit);
        else
            registry_edit_apply(small->fake, &edit);
    }
    edits->count = count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    struct small_target *small;
    struct edits edits;
    struct process_cost before;
    size_t present;
    bool is_sane;
    char path[64];

    if (!edits_read(&edits, data, size))
        return 0;
    if (fd < 0) {
        fd = memfd_create("core", 0);
        setenv("OMPD_OPENCL_LAYOUT_PATH", "/nonexistent", 1);
    }
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    small = memory_of(edits.head);
    is_sane = edits.count == 0;
    if (small != NULL)
        edit_memory(small, &edits);
    present = small_core_write(fd, &(struct small_core_subject){.small = small}, &edits);
    process_cost_begin(&before);
    ask(path, present, small, is_sane, (edits.head[1] & 1) != 0);
    process_cost_check(&before, present);
    return 0;
}
