/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See progress.h. */
#include <host/command/progress.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_TIME 1000 /* milliseconds of work that nobody needs to be told of */
#define DRAW_TIME 100   /* milliseconds between two drawings */
#define BAR_WIDTH 30    /* columns */

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

static void draw(struct command_progress *progress, const char *what, uint64_t done, uint64_t whole)
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

void command_progress_tell(struct command_progress *progress, const char *what, uint64_t done,
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
    draw(progress, what, done, whole);
    progress->is_drawn = true;
    progress->next = now + DRAW_TIME;
}

void command_progress_erase(struct command_progress *progress)
{
    if (!progress->is_drawn)
        return;
    fputs("\r\033[K", progress->terminal);
    fflush(progress->terminal);
    progress->is_drawn = false;
    progress->next = 0;
}

void command_progress_end(struct command_progress *progress)
{
    command_progress_erase(progress);
    progress->is_working = false;
}
