/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process with a damaged runtime, read while it is stopped or runs, and through a snapshot.  Then
 * it continues.  Its layout is found in a folder among others. */
#include "ask-host.h"
#include "ask.h"
#include "fuzz.h"
#include "heap-edits.h"
#include "process-cost.h"
#include "small-core.h"
#include "small-process.h"

#include <ompd-opencl-host.h>

#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the process has beside the memory of its target: its program, the C library, stacks. */
#define SUBJECT_SIZE (UINT64_C(4) << 20)

enum {
    head_look = 1, /* bits of head[1] */
    head_runs = 2,
    head_gap = 4,
    head_traced = 8,    /* by this process, as `ompd-opencl run` does */
    head_installed = 16 /* layouts are those that are installed */
};

static void write_file(const char *name, const char *text)
{
    char path[96];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", small_process_folder(), name);
    file = fopen(path, "w");
    fuzz_require(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0,
                 "%s cannot be written", path);
}

/* Make a folder of layouts: that of SMALL, and two invalid ones. */
static void write_layouts(const struct small_target *small)
{
    static bool is_written;

    if (is_written)
        return;
    is_written = true;
    write_file("madeup.layout", small->layout);
    write_file("cut.layout", "ompd-opencl-layout 1.0\nruntime Made-Up");
    write_file("none.layout", "");
    setenv("XDG_DATA_HOME", small_process_folder(), 1);
}

static void ask_library(ompd_host_target_t *target)
{
    ompd_address_space_handle_t *space = NULL;

    if (ompd_host_address_space_create(target, 0, &space) != ompd_rc_ok)
        return;
    ask_everything(space, ask_objects | ask_searches);
    ompd_rel_address_space_handle(space);
}

/* The snapshot of TARGET has the same contents. */
static void ask_look(ompd_host_target_t *target)
{
    ompd_host_target_t *look;
    uint64_t size = 0;
    char path[96];

    snprintf(path, sizeof(path), "%s/look", small_process_folder());
    ask_host_check(target, ompd_host_snapshot_save(target, path, &size));
    look = size != 0 ? ask_host_open(path, NULL, size) : NULL;
    unlink(path);
    if (look == NULL)
        return;
    ask_host(look);
    ask_library(look);
    ompd_host_target_close(look);
}

/* Stop PID, and open it as it is traced then; it is killed while it is. */
static ompd_host_rc_t open_traced(pid_t pid, ompd_host_target_t **target)
{
    static uint8_t registers[1024];
    struct iovec part = {registers, sizeof(registers)};
    ompd_host_traced_thread_t thread = {.lwp = (uint32_t)pid, .registers = registers};

    fuzz_require(ptrace(PTRACE_SEIZE, pid, NULL, PTRACE_O_EXITKILL) == 0 &&
                     ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) == 0 &&
                     waitpid(pid, NULL, __WALL) == pid &&
                     ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &part) == 0,
                 "the process cannot be traced");
    thread.size = part.iov_len;
    return ompd_host_traced_process_open(pid, &thread, 1, NULL, target);
}

static ompd_host_rc_t open_process(pid_t pid, const uint8_t *head, ompd_host_target_t **target)
{
    ompd_host_options_t options = {.struct_size = sizeof(options),
                                   .leaves_running = (head[1] & head_runs) != 0};

    if ((head[1] & head_installed) != 0)
        unsetenv("OMPD_OPENCL_LAYOUT_PATH");
    else
        setenv("OMPD_OPENCL_LAYOUT_PATH", small_process_folder(), 1);
    if ((head[1] & head_traced) != 0)
        return open_traced(pid, target);
    return ompd_host_process_open(pid, &options, target);
}

/* Read unreadable memory: its failure is known from then on. */
static void ask_gap(ompd_host_target_t *target, const struct small_target *small)
{
    uint8_t byte;

    fuzz_require(ompd_host_memory_read(target, small_process_gap(small), 1, &byte) ==
                     ompd_host_rc_unreadable,
                 "memory that is not there is read");
}

static void ask_process(pid_t pid, const struct small_target *small, const uint8_t *head,
                        bool is_sane)
{
    ompd_host_target_t *target = NULL;
    ompd_host_rc_t rc = open_process(pid, head, &target);

    ask_host_check(rc == ompd_host_rc_ok ? target : NULL, rc);
    fuzz_require(rc == ompd_host_rc_ok || !is_sane, "a sane process is refused: %s",
                 ompd_host_message_get(NULL));
    if (rc != ompd_host_rc_ok)
        return;
    ask_host(target);
    ask_gap(target, small);
    ask_library(target);
    if ((head[1] & head_look) != 0)
        ask_look(target);
    ompd_host_target_close(target);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct small_target *small;
    struct process_cost before;
    struct edits edits;
    pid_t pid;

    if (!edits_read(&edits, data, size))
        return 0;
    small = small_target_get(small_make_objects, 0);
    small_core_prepare(small);
    write_layouts(small);
    for (size_t i = 0; i < edits.count; i++)
        heap_edit_apply(small, &edits.items[i]);
    pid = small_process_start(small, (edits.head[1] & head_gap) != 0);
    process_cost_begin(&before);
    ask_process(pid, small, edits.head, edits.count == 0);
    process_cost_check(&before, SUBJECT_SIZE);
    small_process_end(pid);
    return 0;
}
