/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session/places.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <text/heap.h>
#include <unistd.h>

/* Signals that are forwarded to the reader if they are sent only to this process. */
static const int passed_on[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
#define PASSED_COUNT (sizeof(passed_on) / sizeof(passed_on[0]))

static volatile sig_atomic_t reader;        /* its process ID */
static volatile sig_atomic_t ending_signal; /* the signal that was forwarded to it; 0: none */

/* Seconds that the reader has to end after a signal before it is killed. */
#define GRACE 2

static void confine_warn(void *user_ptr, const char *reason)
{
    static bool has_warned;
    struct text sentence = {0};

    (void)user_ptr;
    if (has_warned)
        return;
    has_warned = true;
    text_add(&sentence, "The process that reads the core is not fully confined: %s", reason);
    command_error_print(sentence.bytes);
    text_free(&sentence);
}

/* ---- Signals --------------------------------------------------------------------------------- */

static void signal_forward(int signal)
{
    int error = errno;

    if (ending_signal == 0)
        alarm(GRACE);
    ending_signal = signal;
    kill(reader, signal);
    errno = error;
}

/* The reader has not ended: a core may keep it busy, or have made it ignore signals.  This
 * process may be busy too, fetching files for it. */
static void end_at_once(int signal)
{
    struct sigaction end = {.sa_handler = SIG_DFL};

    (void)signal;
    kill(reader, SIGKILL);
    sigaction(ending_signal, &end, NULL);
    raise(ending_signal);
}

/* Start or stop forwarding signals to the reader.  The reader ends first and this process after
 * it, so that the terminal is not the user's again before everything is written.  Signals that
 * already have handlers or are ignored are left alone. */
static void pass_signals(bool is_passing, pid_t process)
{
    struct sigaction pass = {.sa_handler = signal_forward, .sa_flags = SA_RESTART};
    struct sigaction end = {.sa_handler = SIG_DFL};
    struct sigaction end_late = {.sa_handler = end_at_once};
    struct sigaction now;

    reader = process;
    /* One at a time. */
    for (size_t i = 0; i < PASSED_COUNT; i++)
        sigaddset(&pass.sa_mask, passed_on[i]);
    if (!is_passing)
        alarm(0);
    sigaction(SIGALRM, is_passing ? &end_late : &end, NULL);
    for (size_t i = 0; i < PASSED_COUNT; i++) {
        sigaction(passed_on[i], NULL, &now);
        if (now.sa_handler == (is_passing ? SIG_DFL : signal_forward))
            sigaction(passed_on[i], is_passing ? &pass : &end, NULL);
    }
}

/* Whether SIGNAL indicates a fault of the process that got it, or that it was killed. */
static bool is_of_fault(int signal)
{
    static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS,
                                 SIGFPE, SIGSEGV, SIGSYS,  SIGKILL};

    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        if (signal == faults[i])
            return true;
    return false;
}

bool command_confine_was_lost(int status, struct text *why)
{
    struct sigaction end = {.sa_handler = SIG_DFL};

    if (WIFEXITED(status))
        return false;
    if (!is_of_fault(WTERMSIG(status))) {
        sigaction(WTERMSIG(status), &end, NULL);
        raise(WTERMSIG(status));
    }
    text_add(why, "The process that read the core was ended by ");
    command_signal_add(why, WTERMSIG(status));
    text_add(why, "; the answer is incomplete");
    return true;
}

/* ---- Two processes --------------------------------------------------------------------------- */

/* Become the process that reads, whose parent is PARENT. */
static void begin_reading(int connection, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    /* It may have ended before prctl. */
    if (getppid() != parent)
        _exit(ompd_view_exit_unreadable);
    /* If this fails, the serving process gets the reason. */
    if (ompd_host_confine(connection) != ompd_host_rc_ok)
        close(connection);
}

/* The progress of decompression.  The line is erased before anything is written. */
static bool unpack_progress_show(void *user_ptr, ompd_host_work_t work, uint64_t done,
                                 uint64_t whole)
{
    struct command_session *session = user_ptr;

    (void)work;
    command_session_progress_show(session, "Unpacking the core", done, whole);
    if (done == whole)
        command_progress_end(&session->progress);
    return ending_signal == 0;
}

/* Serve the reader until it ends, and return its status. */
static int reader_serve(struct command_session *session, const char *const *names, size_t count,
                        pid_t process, int connection)
{
    const struct command_options *given = &session->options;
    ompd_host_service_t service = {
        .struct_size = sizeof(service),
        .pid = process,
        .names = names,
        .name_count = count,
        .options = {.struct_size = sizeof(service.options),
                    .executable = given->executable,
                    .sysroot = given->sysroot,
                    .asks_debuginfod = given->asks_debuginfod,
                    .opens_no_files = given->opens_no_files,
                    .progress = unpack_progress_show,
                    .progress_user_ptr = session},
        .warn = confine_warn,
    };
    int status = 0;

    pass_signals(true, process);
    if (ompd_host_files_serve(connection, &service) != ompd_host_rc_ok)
        confine_warn(NULL, ompd_host_message_get(NULL));
    close(connection);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    pass_signals(false, 0);
    command_progress_end(&session->progress);
    return status;
}

static enum command_reader confine_fail(const char *what)
{
    struct text reason = {0};

    text_add(&reason, "%s: %s", what, strerror(errno));
    confine_warn(NULL, reason.bytes);
    text_free(&reason);
    return command_reader_here;
}

enum command_reader command_confine(struct command_session *session, const char *const *names,
                                    size_t count, int *status)
{
    pid_t parent = getpid();
    pid_t process;
    int ends[2];

    if (session->options.is_unconfined || ompd_host_confinement_check() != ompd_host_rc_ok)
        return command_reader_here;
    /* What is prepared here need not be prepared in each process.  What fails here fails there,
     * too. */
    command_missing_recorder_prepare(session);
    ompd_host_confinement_prepare();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return confine_fail("cannot create sockets");
    /* Pending output must be written only once. */
    fflush(stdout);
    process = fork();
    if (process < 0) {
        confine_fail("cannot create a process");
        close(ends[0]);
        close(ends[1]);
        return command_reader_here;
    }
    if (process == 0) {
        close(ends[0]);
        begin_reading(ends[1], parent);
        return command_reader_child;
    }
    close(ends[1]);
    *status = reader_serve(session, names, count, process, ends[0]);
    return command_reader_ended;
}

/* The words that may be paths: a word, or what follows the = of an option. */
static const char **names_of(const struct command_session *session, size_t *count)
{
    const char **names = heap_get((2 * session->word_count + 1) * sizeof(names[0]));

    *count = 0;
    for (size_t i = 0; i < session->word_count; i++) {
        const char *word = session->words[i];
        const char *sign = word[0] == '-' ? strchr(word, '=') : NULL;

        names[(*count)++] = word;
        if (sign != NULL)
            names[(*count)++] = sign + 1;
    }
    return names;
}

void command_confine_all(struct command_session *session)
{
    size_t count;
    const char **names = names_of(session, &count);
    struct text why = {0};
    int status = 0;
    enum command_reader who = command_confine(session, names, count, &status);

    heap_free(names);
    session->is_confined = who == command_reader_child;
    if (who != command_reader_ended)
        return;
    if (!command_confine_was_lost(status, &why)) {
        if (session->offer != NULL && WEXITSTATUS(status) == ompd_view_exit_unreadable)
            session->offer(&session->options, session->words, session->word_count, session->missed);
        exit(WEXITSTATUS(status));
    }
    command_error_print(why.bytes);
    exit(ompd_view_exit_unreadable);
}
