/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <config.h>

#include <command/session/session.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <text/heap.h>
#include <unistd.h>

#define LONGEST_WAIT 15    /* seconds, for the lender's answer */
#define LONGEST_QUESTION 1 /* seconds, for what is to be borrowed */
#define POLL_TIME 100      /* milliseconds */
#define HANDED_OVER UINT32_MAX
#define MOST_THREADS 1000000
#define MOST_REGISTERS 4096 /* bytes, of a thread */

/* What comes first of an answer. */
struct head {
    char magic[8];
    uint32_t thread_count; /* 0: the process is not lent; HANDED_OVER: it is not traced */
};

static const char magic[8] = "ompd-r1";

/* Of a thread; its registers follow. */
struct thread_head {
    uint32_t lwp;
    uint32_t size;
};

/* The name that the lender of process PID listens under: not a file's, so that it ends with it. */
static socklen_t name_of(pid_t pid, struct sockaddr_un *name)
{
    int length;

    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    length =
        snprintf(name->sun_path + 1, sizeof(name->sun_path) - 1, "ompd-opencl-run-%d", (int)pid);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

/* Who is at the other end; (uid_t)-1: that is not known. */
static uid_t user_of(int connection)
{
    struct ucred other;
    socklen_t size = sizeof(other);

    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &other, &size) != 0)
        return (uid_t)-1;
    return other.uid;
}

static bool send_all(int connection, const void *bytes, size_t size)
{
    const char *next = bytes;

    while (size != 0) {
        ssize_t sent = send(connection, next, size, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        next += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool receive_all(int connection, void *bytes, size_t size)
{
    char *next = bytes;

    while (size != 0) {
        ssize_t got = recv(connection, next, size, 0);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        next += got;
        size -= (size_t)got;
    }
    return true;
}

/* ---- Who borrows ----------------------------------------------------------------------------- */

static int connect_to(pid_t pid)
{
    const struct timeval longest = {.tv_sec = LONGEST_WAIT};
    struct sockaddr_un name;
    socklen_t length = name_of(pid, &name);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (connection < 0)
        return -1;
    if (setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof(longest)) == 0 &&
        connect(connection, (const struct sockaddr *)&name, length) == 0 &&
        (geteuid() == 0 || user_of(connection) == 0 || user_of(connection) == geteuid()))
        return connection;
    close(connection);
    return -1;
}

static bool take_thread(struct command_loan *loan)
{
    struct thread_head head;
    void *registers;

    if (!receive_all(loan->connection, &head, sizeof(head)) || head.size > MOST_REGISTERS)
        return false;
    registers = heap_get(head.size);
    loan->threads[loan->thread_count++] =
        (ompd_host_traced_thread_t){.lwp = head.lwp, .registers = registers, .size = head.size};
    return receive_all(loan->connection, registers, head.size);
}

static bool take_threads(struct command_loan *loan, uint32_t count)
{
    if (count == 0 || count > MOST_THREADS)
        return false;
    loan->threads = heap_get(count * sizeof(loan->threads[0]));
    while (loan->thread_count < count)
        if (!take_thread(loan))
            return false;
    return true;
}

bool command_loan_take(struct command_loan *loan, pid_t pid, command_loan_kind_t kind)
{
    char question = (char)kind;
    struct head head;

    *loan = (struct command_loan){.connection = connect_to(pid)};
    if (loan->connection < 0)
        return false;
    if (send_all(loan->connection, &question, sizeof(question)) &&
        receive_all(loan->connection, &head, sizeof(head)) &&
        memcmp(head.magic, magic, sizeof(magic)) == 0 &&
        (kind == command_loan_tracing ? head.thread_count == HANDED_OVER
                                      : take_threads(loan, head.thread_count)))
        return true;
    command_loan_end(loan);
    return false;
}

void command_loan_end(struct command_loan *loan)
{
    if (loan->connection < 0)
        return;
    close(loan->connection);
    for (size_t i = 0; i < loan->thread_count; i++)
        heap_free((void *)(uintptr_t)loan->threads[i].registers);
    heap_free(loan->threads);
    *loan = (struct command_loan){.connection = -1};
}

/* ---- Who lends ------------------------------------------------------------------------------- */

int command_lender_listen(pid_t pid)
{
    struct sockaddr_un name;
    socklen_t length = name_of(pid, &name);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (listener >= 0 && bind(listener, (const struct sockaddr *)&name, length) == 0 &&
        listen(listener, SOMAXCONN) == 0)
        return listener;
    if (listener >= 0)
        close(listener);
    return -1;
}

int command_lender_accept(int listener)
{
    const struct timeval longest = {.tv_sec = LONGEST_QUESTION};
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

    if (connection < 0)
        return -1;
    if ((user_of(connection) == 0 || user_of(connection) == geteuid()) &&
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof(longest)) == 0)
        return connection;
    close(connection);
    return -1;
}

command_loan_kind_t command_lender_ask(int connection)
{
    char kind;

    return receive_all(connection, &kind, sizeof(kind)) ? (command_loan_kind_t)kind : 0;
}

bool command_lender_give(int connection, const ompd_host_traced_thread_t *threads, size_t count)
{
    struct head head = {.thread_count = (uint32_t)count};
    bool is_sent;

    memcpy(head.magic, magic, sizeof(magic));
    is_sent = send_all(connection, &head, sizeof(head));
    for (size_t i = 0; is_sent && i < count; i++) {
        struct thread_head thread = {threads[i].lwp, (uint32_t)threads[i].size};

        is_sent = send_all(connection, &thread, sizeof(thread)) &&
                  send_all(connection, threads[i].registers, threads[i].size);
    }
    return is_sent && count != 0;
}

bool command_lender_hand_over(int connection)
{
    struct head head = {.thread_count = HANDED_OVER};

    memcpy(head.magic, magic, sizeof(magic));
    return send_all(connection, &head, sizeof(head));
}

bool command_lender_has_ended(int connection)
{
    struct pollfd end = {.fd = connection, .events = POLLIN};

    return poll(&end, 1, POLL_TIME) != 0;
}

void command_lender_await(int connection)
{
    while (!command_lender_has_ended(connection))
        continue;
}
