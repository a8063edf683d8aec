/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a confined process cannot do, and which files the serving process opens for it. */
#include <config.h>

#include "host-served.h"
#include "suite.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096
#define GIB (1UL << 30)
#define WAS_CONFINED 42     /* exit code, as no program has that is executed */
#define LIBRARY "/bin/true" /* an ELF file of every system */

static char folder[] = "/tmp/host-confine-XXXXXX";
static char core[64];
static char text[64];
static char made[64];

static void write_file(char *path, const char *name, const void *bytes, size_t size)
{
    FILE *file;

    snprintf(path, sizeof(core), "%s/%s", folder, name);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void start(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_file(core, "core",
               "\x7f"
               "ELF and no more",
               16);
    write_file(text, "text", "secret", 6);
    snprintf(made, sizeof(made), "%s/made", folder);
}

static void end(void)
{
    unlink(core);
    unlink(text);
    unlink(made);
    rmdir(folder);
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
}

/* ---- Prohibited actions ---------------------------------------------------------------------- */

static int error_of(long result)
{
    return result < 0 ? errno : 0;
}

static int try_open(void)
{
    return error_of(open("/etc/passwd", O_RDONLY));
}

static int try_open_below(void)
{
    return error_of(syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", &(uint64_t[3]){0}, 24));
}

static int try_write(void)
{
    return error_of(open(made, O_WRONLY | O_CREAT, 0600));
}

static int try_unlink(void)
{
    return error_of(unlink(core));
}

static int try_stat(void)
{
    struct stat status;

    return error_of(stat("/etc/passwd", &status));
}

/* As C libraries ask about a descriptor. */
static int try_stat_as_fstat(void)
{
    struct stat status;

    return error_of(syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &status, AT_EMPTY_PATH));
}

static int try_stat_below(void)
{
    struct stat status;

    return error_of(syscall(SYS_newfstatat, STDIN_FILENO, "passwd", &status, AT_EMPTY_PATH));
}

/* Fails as where the kernel does not have it. */
static int try_statx(void)
{
    char status[256];
    int error = error_of(syscall(SYS_statx, AT_FDCWD, "/etc/passwd", AT_EMPTY_PATH, 0xfff, status));

    return error == ENOSYS ? EPERM : error;
}

static int try_readlink(void)
{
    char path[16];

    return error_of(readlink("/proc/self/exe", path, sizeof(path)));
}

static int try_access(void)
{
    return error_of(access("/etc/passwd", F_OK));
}

static int try_list(void)
{
    char names[256];

    return error_of(syscall(SYS_getdents64, STDIN_FILENO, names, sizeof(names)));
}

static int try_chdir(void)
{
    return error_of(chdir("/"));
}

static int try_connect(void)
{
    struct sockaddr address = {.sa_family = AF_UNIX};

    return error_of(connect(STDOUT_FILENO, &address, sizeof(address)));
}

static int try_setuid(void)
{
    return error_of(setuid(getuid()));
}

static int try_filter(void)
{
    return error_of(syscall(SYS_seccomp, 0, 0, NULL));
}

static int try_exec(void)
{
    char *words[] = {(char *)"true", NULL};

    return error_of(execve("/bin/true", words, words + 1));
}

static int try_socket(void)
{
    return error_of(socket(AF_INET, SOCK_STREAM, 0));
}

static int try_trace(void)
{
    return error_of(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
}

static int try_read_parent(void)
{
    char byte;
    struct iovec here = {&byte, 1};
    struct iovec there = {&folder, 1};

    return error_of(process_vm_readv(getppid(), &here, 1, &there, 1, 0));
}

static int try_fork(void)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    return error_of(pid);
}

static void *nothing(void *argument)
{
    return argument;
}

static int try_thread(void)
{
    pthread_t thread;

    return pthread_create(&thread, NULL, nothing, NULL);
}

static int try_kill(void)
{
    return error_of(kill(getppid(), 0));
}

static int try_kill_group(void)
{
    return error_of(kill(0, 0));
}

static int try_kill_thread(void)
{
    return error_of(syscall(SYS_tgkill, getppid(), getppid(), 0));
}

static int try_mount(void)
{
    return error_of(mount("none", folder, "tmpfs", 0, NULL));
}

static int try_type_into_terminal(void)
{
    return error_of(ioctl(STDOUT_FILENO, TIOCSTI, "x"));
}

static int try_map_code(void)
{
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return page == MAP_FAILED ? errno : 0;
}

static int try_make_code(void)
{
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return page == MAP_FAILED ? -1 : error_of(mprotect(page, PAGE, PROT_READ | PROT_EXEC));
}

static int try_more_memory(void)
{
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};

    return error_of(setrlimit(RLIMIT_AS, &limit));
}

static int try_not_to_end_with_parent(void)
{
    return error_of(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
}

static int try_read_terminal(void)
{
    char byte;

    return error_of(read(STDERR_FILENO, &byte, 1));
}

static int try_file_in_memory(void)
{
    return error_of(syscall(SYS_memfd_create, "code", 0));
}

static int try_poison(void)
{
    return error_of(madvise(NULL, 0, MADV_HWPOISON));
}

/* Attempts in the confined process, with their errno. */
static const struct attempt {
    const char *name;
    int (*make)(void);
} attempts[] = {
    {"open", try_open},
    {"openat2", try_open_below},
    {"open to write", try_write},
    {"unlink", try_unlink},
    {"stat", try_stat},
    {"stat as fstat", try_stat_as_fstat},
    {"stat below", try_stat_below},
    {"statx", try_statx},
    {"access", try_access},
    {"getdents", try_list},
    {"chdir", try_chdir},
    {"connect", try_connect},
    {"setuid", try_setuid},
    {"filter of its own", try_filter},
    {"readlink", try_readlink},
    {"execve", try_exec},
    {"socket", try_socket},
    {"ptrace", try_trace},
    {"process_vm_readv", try_read_parent},
    {"fork", try_fork},
    {"pthread_create", try_thread},
    {"kill of the parent", try_kill},
    {"kill of the group", try_kill_group},
    {"tgkill of the parent", try_kill_thread},
    {"mount", try_mount},
    {"ioctl TIOCSTI", try_type_into_terminal},
    {"mmap of code", try_map_code},
    {"mprotect to code", try_make_code},
    {"setrlimit", try_more_memory},
    {"prctl", try_not_to_end_with_parent},
    {"memfd_create", try_file_in_memory},
    {"madvise MADV_HWPOISON", try_poison},
    {"read of the standard error output", try_read_terminal},
};
#define ATTEMPTS (sizeof(attempts) / sizeof(attempts[0]))

static int make_attempts(int connection)
{
    int failures = 0;

    if (ompd_host_confine(connection) != ompd_host_rc_ok)
        return 100;
    for (size_t i = 0; i < ATTEMPTS; i++) {
        int error = attempts[i].make();

        if (error != EPERM) {
            printf("%s: %s\n", attempts[i].name, strerror(error));
            failures++;
        }
    }
    fflush(stdout);
    return failures == 0 ? WAS_CONFINED : failures;
}

START_TEST(attempts_fail)
{
    ompd_host_service_t service = {0};

    ck_assert_int_eq(served_run(make_attempts, &service), WAS_CONFINED);
}
END_TEST

/* Reading a core still works, and no descriptor is open. */
static int use_the_rest(int connection)
{
    int other = open("/etc/passwd", O_RDONLY);
    struct stat status;
    struct timespec now;

    if (other < 0 || ompd_host_confine(connection) != ompd_host_rc_ok)
        return 100;
    if (fcntl(other, F_GETFD) >= 0 || errno != EBADF)
        return 1;
    if (fstat(STDIN_FILENO, &status) != 0 || !S_ISCHR(status.st_mode) ||
        fstat(other, &status) == 0 || errno != EBADF)
        return 2;
    memset(malloc(64 << 20), 1, 64 << 20);
    signal(SIGUSR1, SIG_IGN);
    return raise(SIGUSR1) != 0 || clock_gettime(CLOCK_MONOTONIC, &now) != 0 ||
           write(STDOUT_FILENO, "", 0) != 0;
}

START_TEST(rest_works)
{
    ompd_host_service_t service = {0};

    ck_assert_int_eq(served_run(use_the_rest, &service), 0);
}
END_TEST

static const char *const core_alone[] = {core};

/* The core is invalid, but it has been handed over by then. */
static int ask_for_memory(int connection)
{
    ompd_host_target_t *target;
    void *much;

    if (ompd_host_confine(connection) != ompd_host_rc_ok)
        return 100;
    much = mmap(NULL, 8 * GIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (much == MAP_FAILED || munmap(much, 8 * GIB) != 0)
        return 1;
    if (ompd_host_core_open(core, NULL, &target) != ompd_host_rc_not_readable)
        return 2;
    /* Who asks for the same file again gets no more for it. */
    for (int i = 0; i < 1500; i++) {
        if (!served_gets(connection, file_question_file, LIBRARY))
            return 4;
    }
    much = mmap(NULL, 8 * GIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (much != MAP_FAILED || errno != ENOMEM)
        return 3;
    much = mmap(NULL, GIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return much == MAP_FAILED;
}

START_TEST(memory_is_limited)
{
    ompd_host_service_t service = {.names = core_alone, .name_count = 1};

    ck_assert_int_eq(served_run(ask_for_memory, &service), 0);
}
END_TEST

#define ELF_FILES 4
#define ELF_SIZE (64L << 20) /* an existing path, so that 100 times as much may follow */

/* It may ask for any ELF file there is: that many are of no more use to it. */
static int ask_for_many_files(int connection)
{
    char path[80];
    void *much;

    if (ompd_host_confine(connection) != ompd_host_rc_ok)
        return 100;
    for (int i = 0; i < ELF_FILES; i++) {
        snprintf(path, sizeof(path), "%s/elf%d", folder, i);
        if (!served_gets(connection, file_question_file, path))
            return 1;
    }
    much = mmap(NULL, 40 * GIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (much != MAP_FAILED || errno != ENOMEM)
        return 2;
    much = mmap(NULL, 30 * GIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return much == MAP_FAILED ? 3 : 0;
}

START_TEST(memory_for_files_is_limited)
{
    ompd_host_service_t service = {0};
    char path[ELF_FILES][64];
    char name[16];
    int result;
    int file;

    for (int i = 0; i < ELF_FILES; i++) {
        snprintf(name, sizeof(name), "elf%d", i);
        write_file(path[i], name,
                   "\x7f"
                   "ELF",
                   4);
        file = open(path[i], O_WRONLY);
        ck_assert_int_eq(posix_fallocate(file, 0, ELF_SIZE), 0);
        close(file);
    }
    result = served_run(ask_for_many_files, &service);
    for (int i = 0; i < ELF_FILES; i++)
        unlink(path[i]);
    ck_assert_int_eq(result, 0);
}
END_TEST

static char warning[256];

static void keep_warning(void *user_ptr, const char *reason)
{
    ck_assert_ptr_eq(user_ptr, warning);
    snprintf(warning, sizeof(warning), "%s", reason);
}

/* Write MEBIBYTES, and wait to be killed. */
static int write_much(int mebibytes)
{
    static char bytes[1 << 20];
    int nowhere = open("/dev/null", O_WRONLY);

    for (int i = 0; i < mebibytes; i++)
        if (write(nowhere, bytes, sizeof(bytes)) != sizeof(bytes))
            return 1;
    if (mebibytes > 128)
        pause();
    return 7;
}

static int write_too_much(int connection)
{
    (void)connection;
    return write_much(129);
}

static int write_what_may_be(int connection)
{
    (void)connection;
    return write_much(127);
}

/* The total of its output is limited, regardless of the file. */
START_TEST(writing_is_limited)
{
    ompd_host_service_t service = {.warn = keep_warning, .user_ptr = warning};

    ck_assert_int_eq(served_run(write_what_may_be, &service), 7);
    ck_assert_str_eq(warning, "");
    ck_assert_int_eq(served_run_to_signal(write_too_much, &service), SIGKILL);
    ck_assert_str_eq(warning, "it wrote more than any answer has, and was killed");
}
END_TEST

START_TEST(makes_no_sense)
{
    ompd_host_service_t service = {0};

    ck_assert_int_eq(ompd_host_confine(-1), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_confine(STDOUT_FILENO), ompd_host_rc_bad_input);
    ck_assert_str_ne(ompd_host_message_get(NULL), "");
    ck_assert_int_eq(ompd_host_files_serve(-1, NULL), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_files_serve(-1, &service), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_confinement_prepare(), ompd_host_rc_ok);
    ck_assert_int_eq(ompd_host_confinement_prepare(), ompd_host_rc_ok);
}
END_TEST

/* ---- Files handed over ----------------------------------------------------------------------- */

/* Bits, for what came. */
static int ask_for_files(int connection)
{
    return (served_gets(connection, file_question_file, LIBRARY) ? 1 : 0) |
           (served_gets(connection, file_question_below, LIBRARY) ? 2 : 0) |
           (served_gets(connection, file_question_file, core) ? 4 : 0) |
           (served_gets(connection, file_question_core, core) ? 8 : 0) |
           (served_gets(connection, file_question_make, made) ? 16 : 0);
}

/* None of these, for any requester. */
static int ask_for_others(int connection)
{
    static const char *const paths[] = {"/etc/passwd",  "/dev/null", "/dev/zero", "/proc/self/mem",
                                        "/nonexistent", "",          text,        folder};
    struct file_message message = {.what = file_question_name};
    int count = 0;

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        count += served_gets(connection, file_question_file, paths[i]);
        count += served_gets(connection, file_question_below, paths[i]);
        count += served_gets(connection, file_question_core, paths[i]);
        count += served_gets(connection, file_question_make, paths[i]);
        count += served_gets(connection, file_question_executable, paths[i]);
        count += served_gets(connection, (enum file_question)77, paths[i]);
    }
    /* Nor an invalid message. */
    if (!file_message_set(&message, text) || !file_message_send(connection, &message, -1) ||
        !file_message_receive(connection, &message, NULL) || message.what != EPERM)
        return 100;
    send(connection, "x", 1, MSG_NOSIGNAL);
    return count;
}

START_TEST(serves_what_may_be_had)
{
    ompd_host_service_t service = {.names = (const char *const[]){core, made}, .name_count = 2};

    ck_assert_int_eq(served_run(ask_for_files, &service), 1 | 4 | 8 | 16);
    ck_assert_int_ne(access(made, F_OK), 0);
    service.options.sysroot = folder;
    ck_assert_int_eq(served_run(ask_for_files, &service), 4 | 8 | 16);
    service.options.executable = "/bin/sh";
    ck_assert_int_eq(served_run(ask_for_files, &service), 1 | 4 | 8 | 16);
    service.options.executable = NULL;
    service.options.sysroot = "/";
    ck_assert_int_eq(served_run(ask_for_files, &service), 1 | 2 | 4 | 8 | 16);
    service.options.opens_no_files = true;
    ck_assert_int_eq(served_run(ask_for_files, &service), 8 | 16);
    service.options.executable = core;
    service.name_count = 0;
    ck_assert_int_eq(served_run(ask_for_files, &service), 4);
}
END_TEST

/* Graphs are memory that no limit of address space counts. */
static int ask_for_sheets(int connection)
{
    int count = 0;

    while (count < 1000 && served_gets(connection, file_question_sheet, ""))
        count++;
    return count;
}

START_TEST(serves_few_graphs)
{
    ompd_host_service_t service = {0};

    ck_assert_int_eq(served_run(ask_for_sheets, &service), 64);
}
END_TEST

/* Each takes room on a disk, the first where the core is packed. */
static int ask_for_room(int connection)
{
    int cores = 0;
    int files = 0;

    while (cores < 1000 && served_gets(connection, file_question_core, core))
        cores++;
    while (files < 1000 && served_gets(connection, file_question_make, made))
        files++;
    return cores == 18 && files == 18 ? 0 : 1;
}

START_TEST(serves_few_that_take_room)
{
    ompd_host_service_t service = {.names = (const char *const[]){core, made}, .name_count = 2};

    ck_assert_int_eq(served_run(ask_for_room, &service), 0);
}
END_TEST

START_TEST(serves_nothing_else)
{
    ompd_host_service_t service = {.names = core_alone, .name_count = 1};

    service.options.sysroot = "/";
    ck_assert_int_eq(served_run(ask_for_others, &service), 0);
    service.options.sysroot = NULL;
    ck_assert_int_eq(served_run(ask_for_others, &service), 0);
}
END_TEST

/* If it cannot be confined it continues, and the serving process is notified. */
static int be_refused(int connection)
{
    struct file_message message = {.what = file_question_unconfined};

    file_message_set(&message, "the moon is full");
    return !file_message_send(connection, &message, -1);
}

START_TEST(tells_that_it_is_not_confined)
{
    ompd_host_service_t service = {.warn = keep_warning, .user_ptr = warning};

    ck_assert_int_eq(served_run(be_refused, &service), 0);
    ck_assert_str_eq(warning, "the moon is full");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host-confine");
    TCase *tcase = tcase_create("host-confine");

    tcase_add_checked_fixture(tcase, start, end);
    if (ompd_host_confinement_check() == ompd_host_rc_ok) {
        tcase_add_test(tcase, attempts_fail);
        tcase_add_test(tcase, rest_works);
        tcase_add_test(tcase, memory_is_limited);
        tcase_add_test(tcase, memory_for_files_is_limited);
        tcase_add_test(tcase, makes_no_sense);
    } else {
        puts("SKIP: the library is built without libseccomp, or with a sanitizer");
    }
    tcase_add_test(tcase, serves_what_may_be_had);
    tcase_add_test(tcase, writing_is_limited);
    tcase_add_test(tcase, serves_few_graphs);
    tcase_add_test(tcase, serves_few_that_take_room);
    tcase_add_test(tcase, serves_nothing_else);
    tcase_add_test(tcase, tells_that_it_is_not_confined);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
