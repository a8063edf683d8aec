/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See host-served.h. */
#include <config.h>

#include "host-served.h"

#include <check.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* As served_run; returns the status of waitpid. */
static int run(int (*work)(int connection), ompd_host_service_t *service)
{
    int status = 0;
    int ends[2];
    pid_t pid;

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    fflush(stdout);
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        close(ends[0]);
        _exit(work(ends[1]));
    }
    close(ends[1]);
    service->struct_size = sizeof(*service);
    service->options.struct_size = sizeof(service->options);
    service->pid = pid;
    ck_assert_int_eq(ompd_host_files_serve(ends[0], service), ompd_host_rc_ok);
    close(ends[0]);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return status;
}

int served_run(int (*work)(int connection), ompd_host_service_t *service)
{
    int status = run(work, service);

    ck_assert_msg(WIFEXITED(status), "ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

int served_run_to_signal(int (*work)(int connection), ompd_host_service_t *service)
{
    int status = run(work, service);

    ck_assert_msg(WIFSIGNALED(status), "ended with %d", WEXITSTATUS(status));
    return WTERMSIG(status);
}

bool served_gets(int connection, enum file_question question, const char *path)
{
    struct file_message message = {.what = (int32_t)question};
    int descriptor = -1;

    ck_assert(file_message_set(&message, path));
    ck_assert(file_message_send(connection, &message, -1));
    ck_assert(file_message_receive(connection, &message, &descriptor));
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}
