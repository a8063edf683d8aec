/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process stopped at one of its functions as an image, read through /proc/PID/mem. */
#include "image.h"
#include "require.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <ompd-opencl-registry.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* The instruction of a breakpoint, how far behind it the program then is, and where it is. */
#if defined(__aarch64__)
static const uint8_t breakpoint[] = {0x00, 0x00, 0x20, 0xd4}; /* brk #0 */
#define PAST_BREAKPOINT 0
#define PLACE(registers) ((registers).pc)
#else
static const uint8_t breakpoint[] = {0xcc}; /* int3 of the x86 */
#define PAST_BREAKPOINT 1
#define PLACE(registers) ((registers).rip)
#endif

/* Start COMMAND, stopped before its first instruction. */
static pid_t start(char *const command[])
{
    pid_t pid = fork();
    int status;

    sweep_require(pid >= 0, "the live target cannot be started");
    if (pid == 0) {
        /* Its output is not part of the sweep's. */
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execv(command[0], command);
        _exit(127);
    }
    sweep_require(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status),
                  "the live target cannot be run");
    status = ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE);
    sweep_require(status == 0, "the live target cannot be traced");
    return pid;
}

/* Read /proc/PID/maps. */
static void read_regions(struct sweep_image *image)
{
    char path[64];
    char line[4096];
    FILE *maps;

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)image->pid);
    maps = fopen(path, "r");
    sweep_require(maps != NULL, "the live target's regions cannot be read");
    while (fgets(line, sizeof(line), maps) != NULL) {
        struct image_region region = {0};
        char mode[5];
        int file = 0;

        sweep_require(sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n",
                             &region.start, &region.end, mode, &region.offset, &file) == 4,
                      "a region of the live target makes no sense");
        line[strcspn(line, "\n")] = '\0';
        if (mode[0] != 'r')
            continue;
        region.permissions = ompd_cl_permission_known | ompd_cl_permission_read |
                             (mode[1] == 'w' ? ompd_cl_permission_write : 0) |
                             (mode[2] == 'x' ? ompd_cl_permission_execute : 0);
        if (line[file] == '/')
            region.file = strdup(line + file);
        sweep_image_add_region(image, &region);
    }
    fclose(maps);
}

/* The state letter of a thread as in proc(5), 0 when it has ended. */
static char thread_state(pid_t pid, const char *thread)
{
    char path[300];
    char line[512];
    char *end;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", (int)pid, thread);
    file = fopen(path, "r");
    if (file == NULL)
        return 0;
    end = fgets(line, sizeof(line), file) != NULL ? strrchr(line, ')') : NULL;
    fclose(file);
    return end != NULL ? end[2] : 0;
}

/* Stop each running thread; returns whether none runs. */
static bool try_stop(pid_t pid)
{
    bool are_stopped = true;
    struct dirent *entry;
    char path[64];
    DIR *tasks;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    tasks = opendir(path);
    sweep_require(tasks != NULL, "the live target's threads cannot be listed");
    while ((entry = readdir(tasks)) != NULL) {
        char state = entry->d_name[0] == '.' ? 0 : thread_state(pid, entry->d_name);
        if (state == 0 || strchr("tTZX", state) != NULL)
            continue;
        are_stopped = false;
        tgkill(pid, atoi(entry->d_name), SIGSTOP);
    }
    closedir(tasks);
    return are_stopped;
}

static bool registers_read(pid_t thread, struct user_regs_struct *registers)
{
    struct iovec whole = {registers, sizeof(*registers)};

    return ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &whole) == 0;
}

/* Run the process until one of its threads is at the breakpoint at ADDRESS; returns that thread. */
static pid_t breakpoint_await(pid_t pid, uint64_t address)
{
    struct user_regs_struct registers;
    pid_t thread = pid;
    int signal = 0;
    int status;

    for (;;) {
        sweep_require(ptrace(PTRACE_CONT, thread, NULL, (void *)(intptr_t)signal) == 0 ||
                          errno == ESRCH,
                      "the live target cannot go on");
        do {
            thread = waitpid(-1, &status, __WALL);
            sweep_require(thread > 0 && (thread != pid || WIFSTOPPED(status)),
                          "the live target ended before its stop");
        } while (!WIFSTOPPED(status)); /* a thread has ended */
        signal = WSTOPSIG(status);
        if (signal == SIGTRAP && status >> 16 == 0 && registers_read(thread, &registers) &&
            PLACE(registers) == address + PAST_BREAKPOINT)
            return thread;
        /* SIGTRAP reports a new thread, whose first signal is SIGSTOP: ptrace(2). */
        if (signal == SIGTRAP || signal == SIGSTOP)
            signal = 0;
    }
}

/* Run the process until a thread calls the function at ADDRESS. */
static void run_to(const struct sweep_image *image, uint64_t address)
{
    struct user_regs_struct registers;
    struct iovec whole = {&registers, sizeof(registers)};
    uint8_t saved[sizeof(breakpoint)];
    pid_t thread;

    sweep_require(pread(image->memory, saved, sizeof(saved), (off_t)address) == sizeof(saved) &&
                      pwrite(image->memory, breakpoint, sizeof(saved), (off_t)address) ==
                          sizeof(saved),
                  "no breakpoint can be set in the live target");
    thread = breakpoint_await(image->pid, address);
    while (!try_stop(image->pid))
        sched_yield();
    sweep_require(registers_read(thread, &registers), "the live target's registers cannot be read");
    PLACE(registers) = address;
    sweep_require(ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &whole) == 0 &&
                      pwrite(image->memory, saved, sizeof(saved), (off_t)address) == sizeof(saved),
                  "the live target cannot be put right after its stop");
}

struct sweep_image *sweep_image_open_live(char *const command[], const char *stop)
{
    struct sweep_image *image = calloc(1, sizeof(*image));
    const char *program = strrchr(command[0], '/');
    uint64_t address;
    char path[64];

    sweep_require(image != NULL && program != NULL, "the live target needs a path");
    image->name = "live";
    image->pid = start(command);
    snprintf(path, sizeof(path), "/proc/%d/mem", (int)image->pid);
    image->memory = open(path, O_RDWR | O_CLOEXEC);
    sweep_require(image->memory >= 0, "the live target's memory cannot be opened");
    read_regions(image);
    address = sweep_image_find_symbol(image, program, stop);
    run_to(image, address);
    sweep_image_forget_regions(image);
    read_regions(image);
    sweep_image_find_modules(image);
    image->registry =
        sweep_image_find_symbol(image, "libompd-opencl-recorder.so", OMPD_CL_REGISTRY_SYMBOL);
    return image;
}
