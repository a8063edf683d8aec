/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "guard.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Crashes after which a function is given up. */
#define CRASH_LIMIT 100

/* No sweep has more cases. */
#define CASE_LIMIT 1000000

/* Cases have more or fewer faults: of the share that some of them are expected to have, they have
 * at least one such part. */
#define THIN_MARGIN 4

/* Lines about one title; the rest are counted only. */
#define COMPLAINT_LIMIT 8

/* The reports of the child. */
struct report {
    struct sweep_tally tally;
    uint64_t number; /* the case being run */
    bool is_complete;
    unsigned complaints;
};

/* Of one run after the other other cases are left out, though most have few. */
#define CASE_STRIDE 7

static unsigned runs;
static struct report *report;
static const char *report_title;
static int complaint_file = STDERR_FILENO;

void sweep_tally_add(struct sweep_tally *sum, const struct sweep_tally *more)
{
    sum->faults += more->faults;
    sum->silent += more->silent;
    sum->wrong += more->wrong;
    sum->leaks += more->leaks;
    sum->crashes += more->crashes;
}

bool sweep_tally_is_good(const struct sweep_tally *tally)
{
    return tally->silent == 0 && tally->wrong == 0 && tally->leaks == 0 && tally->crashes == 0;
}

void sweep_complain(const char *format, ...)
{
    va_list arguments;

    if (report != NULL && report->complaints++ >= COMPLAINT_LIMIT)
        return;
    dprintf(complaint_file, "%s: ", report != NULL ? report_title : "sweep");
    va_start(arguments, format);
    vdprintf(complaint_file, format, arguments);
    va_end(arguments);
    dprintf(complaint_file, "\n");
}

/* The number in the environment variable NAME; 1 where it is not set. */
static unsigned number_of(const char *name)
{
    const char *text = getenv(name);
    char *end = NULL;
    unsigned long number = text != NULL ? strtoul(text, &end, 10) : 1;

    if (number == 0 || number > CASE_LIMIT || (end != NULL && *end != '\0')) {
        fprintf(stderr, "sweep: %s is %s, not a number from 1 on\n", name, text);
        exit(EXIT_FAILURE);
    }
    return (unsigned)number;
}

unsigned sweep_guard_every(void)
{
    return number_of("SWEEP_EVERY");
}

bool sweep_guard_is_enough(uint64_t faults, uint64_t at_least)
{
    unsigned every = sweep_guard_every();

    return faults >= (every == 1 ? at_least : at_least / every / THIN_MARGIN);
}

static void *check(void *result)
{
    if (result == NULL || result == MAP_FAILED) {
        perror("sweep");
        exit(EXIT_FAILURE);
    }
    return result;
}

/* The ratio of a case's time limit to its processor time limit, because other processes use the
 * processor too. A case that only waits uses no processor time. */
#define WAIT_FACTOR 30

/* End this process if the case that begins hangs. SWEEP_SLOWDOWN is the slowdown under a tool such
 * as valgrind. */
static void set_limits(unsigned seconds)
{
    const struct itimerval limit = {.it_value = {.tv_sec = seconds}};

    setitimer(ITIMER_PROF, &limit, NULL);
    alarm(WAIT_FACTOR * seconds);
}

/* In the child: output goes to OUTPUT, which is checked after each case. */
static void run_cases(unsigned seconds, sweep_case_t run, void *user, int output)
{
    const unsigned every = sweep_guard_every();
    const unsigned most_seconds = seconds * number_of("SWEEP_SLOWDOWN");
    off_t printed = 0;

    /* Not to whoever the parent has to handle it: Check, say. */
    signal(SIGALRM, SIG_DFL);
    signal(SIGPROF, SIG_DFL);
    complaint_file = dup(STDERR_FILENO);
    if (complaint_file < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
        abort();
    for (;; report->number += every) {
        set_limits(most_seconds);
        if (!run(user, report->number, &report->tally))
            break;
        fflush(NULL);
        if (lseek(output, 0, SEEK_END) != printed) {
            printed = lseek(output, 0, SEEK_END);
            report->tally.wrong++;
            sweep_complain("case %llu printed something", (unsigned long long)report->number);
        }
    }
    report->is_complete = true;
}

/* The last output of the child, for example the report of a sanitizer. */
static void show_output(FILE *output)
{
    char line[512];
    unsigned lines = 0;

    rewind(output);
    while (lines++ < 60 && fgets(line, sizeof(line), output) != NULL)
        fprintf(stderr, "    %s", line);
}

static void wait_for(pid_t child, FILE *output)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            check(NULL);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && report->is_complete)
        return;
    report->tally.crashes++;
    if (WIFSIGNALED(status))
        sweep_complain("case %llu: signal %d, %s", (unsigned long long)report->number,
                       WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        sweep_complain("case %llu: ended with status %d", (unsigned long long)report->number,
                       WEXITSTATUS(status));
    show_output(output);
    report->number += sweep_guard_every();
}

void sweep_guard_run(const char *title, unsigned seconds, sweep_case_t run, void *user,
                     struct sweep_tally *tally)
{
    report = check(
        mmap(NULL, sizeof(*report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    report_title = title;
    report->number = (uint64_t)CASE_STRIDE * runs++ % sweep_guard_every();
    while (!report->is_complete && report->tally.crashes < CRASH_LIMIT) {
        FILE *output = check(tmpfile());
        pid_t child;

        fflush(NULL);
        child = fork();
        if (child == 0) {
            run_cases(seconds, run, user, fileno(output));
            _exit(EXIT_SUCCESS);
        }
        if (child < 0)
            check(NULL);
        wait_for(child, output);
        fclose(output);
    }
    if (report->complaints > COMPLAINT_LIMIT)
        fprintf(stderr, "%s: and %u more\n", title, report->complaints - COMPLAINT_LIMIT);
    sweep_tally_add(tally, &report->tally);
    munmap(report, sizeof(*report));
    report = NULL;
}
