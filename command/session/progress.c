/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session/session.h>

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_TIME 1000 /* milliseconds of work that need no progress line */
#define DRAW_TIME 100   /* milliseconds between updates */
#define BAR_WIDTH 30    /* columns */
#define ERASE "\r\033[K"

/* Signals that end the command; the line must be erased before. */
static const int ending_signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
#define ENDING_COUNT (sizeof(ending_signals) / sizeof(ending_signals[0]))

static volatile sig_atomic_t drawn_on;        /* descriptor of the terminal with the line */
static struct sigaction before[ENDING_COUNT]; /* previous dispositions of the signals */

/* Then perform the previous action of the signal. */
static void erase_and_go_on(int signal)
{
    ssize_t written = write(drawn_on, ERASE, sizeof(ERASE) - 1);

    (void)written; /* the terminal may be gone */
    for (size_t i = 0; i < ENDING_COUNT; i++)
        if (signal == ending_signals[i])
            sigaction(signal, &before[i], NULL);
    raise(signal);
}

/* Start or stop erasing the line when a signal ends the command.  Ignored signals stay ignored. */
static void watch_signals(bool is_watching, int descriptor)
{
    struct sigaction erase = {.sa_handler = erase_and_go_on, .sa_flags = SA_NODEFER | SA_RESTART};
    struct sigaction now;

    drawn_on = descriptor;
    for (size_t i = 0; i < ENDING_COUNT; i++) {
        sigaction(ending_signals[i], NULL, &now);
        if (is_watching && now.sa_handler != SIG_IGN && now.sa_handler != erase_and_go_on) {
            before[i] = now;
            sigaction(ending_signals[i], &erase, NULL);
        } else if (!is_watching && now.sa_handler == erase_and_go_on) {
            sigaction(ending_signals[i], &before[i], NULL);
        }
    }
}

static uint64_t milliseconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void command_progress_begin(struct command_progress *progress, FILE *terminal,
                            uint64_t (*now)(void))
{
    *progress = (struct command_progress){.terminal = terminal, .now = now};
}

static bool is_terminal(FILE *file)
{
    const char *terminal = getenv("TERM");

    return isatty(fileno(file)) == 1 && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

void command_progress_begin_here(struct command_progress *progress)
{
    command_progress_begin(progress, is_terminal(stderr) ? stderr : NULL, milliseconds_now);
}

static void progress_draw(struct command_progress *progress, const char *what, uint64_t done,
                          uint64_t whole)
{
    double part = done < whole ? (double)done / (double)whole : 1;
    char bar[BAR_WIDTH + 1];

    if (whole == 0) {
        fprintf(progress->terminal, "\r%s: %" PRIu64 "\033[K", what, done);
    } else {
        for (unsigned i = 0; i < BAR_WIDTH; i++)
            bar[i] = i < (unsigned)(part * BAR_WIDTH) ? '#' : '.';
        bar[BAR_WIDTH] = '\0';
        fprintf(progress->terminal, "\r%s [%s] %3u %%\033[K", what, bar, (unsigned)(part * 100));
    }
    fflush(progress->terminal);
}

void command_progress_show(struct command_progress *progress, const char *what, uint64_t done,
                           uint64_t whole)
{
    uint64_t now;

    if (progress->terminal == NULL)
        return;
    now = progress->now();
    if (!progress->is_working) {
        progress->is_working = true;
        progress->next = now + FIRST_TIME;
    }
    if (now < progress->next)
        return;
    if (!progress->is_drawn)
        watch_signals(true, fileno(progress->terminal));
    progress->is_drawn = true;
    progress_draw(progress, what, done, whole);
    progress->next = now + DRAW_TIME;
}

void command_progress_erase(struct command_progress *progress)
{
    if (!progress->is_drawn)
        return;
    fputs(ERASE, progress->terminal);
    fflush(progress->terminal);
    watch_signals(false, -1);
    progress->is_drawn = false;
    progress->next = 0;
}

void command_progress_end(struct command_progress *progress)
{
    command_progress_erase(progress);
    progress->is_working = false;
}
