/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The progress line of the command, with a fake clock. */
#include "suite.h"

#include <command/session/session.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define ERASED "\r\033[K"

static struct command_progress progress;
static uint64_t time_now;
static unsigned clock_reads;
static FILE *terminal;
static char *written;
static size_t written_size;

static uint64_t read_clock(void)
{
    clock_reads++;
    return time_now;
}

static void start(void)
{
    time_now = 77;
    clock_reads = 0;
    terminal = open_memstream(&written, &written_size);
    ck_assert_ptr_nonnull(terminal);
    command_progress_begin(&progress, terminal, read_clock);
}

static void end(void)
{
    fclose(terminal);
    free(written);
}

/* The terminal output since the last call. */
static const char *take(void)
{
    static char text[512];

    fflush(terminal);
    ck_assert_uint_lt(written_size, sizeof(text));
    memcpy(text, written, written_size);
    text[written_size] = '\0';
    rewind(terminal);
    return text;
}

static void tell_at(uint64_t time, uint64_t done, uint64_t whole)
{
    time_now = time;
    command_progress_show(&progress, "Work", done, whole);
}

START_TEST(short_work_is_not_told)
{
    tell_at(1000, 0, 100);
    tell_at(1999, 99, 100);
    command_progress_end(&progress);
    ck_assert_str_eq(take(), "");
    /* Nor is other work, that begins then. */
    tell_at(2500, 0, 100);
    tell_at(3499, 1, 100);
    command_progress_end(&progress);
    ck_assert_str_eq(take(), "");
}
END_TEST

START_TEST(long_work_is_told_and_erased)
{
    tell_at(1000, 0, 1000);
    tell_at(2000, 500, 1000);
    ck_assert_str_eq(take(), "\rWork [###############...............]  50 %\033[K");
    tell_at(2099, 510, 1000);
    ck_assert_str_eq(take(), "");
    tell_at(2100, 999, 1000);
    ck_assert_str_eq(take(), "\rWork [#############################.]  99 %\033[K");
    tell_at(2200, UINT64_MAX, 1000);
    ck_assert_str_eq(take(), "\rWork [##############################] 100 %\033[K");
    command_progress_end(&progress);
    ck_assert_str_eq(take(), ERASED);
    command_progress_end(&progress);
    ck_assert_str_eq(take(), "");
}
END_TEST

START_TEST(without_a_whole_it_counts)
{
    tell_at(0, 0, 0);
    tell_at(1500, 768, 0);
    ck_assert_str_eq(take(), "\rWork: 768\033[K");
}
END_TEST

START_TEST(comes_back_when_it_was_in_the_way)
{
    tell_at(0, 0, 10);
    command_progress_erase(&progress);
    ck_assert_str_eq(take(), "");
    tell_at(999, 1, 10);
    ck_assert_str_eq(take(), "");
    tell_at(1000, 1, 10);
    ck_assert_str_ne(take(), "");
    command_progress_erase(&progress);
    ck_assert_str_eq(take(), ERASED);
    tell_at(1001, 2, 10);
    ck_assert_str_ne(take(), "");
}
END_TEST

START_TEST(nobody_sees_it)
{
    command_progress_begin(&progress, NULL, read_clock);
    tell_at(0, 0, 10);
    tell_at(5000, 5, 10);
    command_progress_erase(&progress);
    command_progress_end(&progress);
    ck_assert_uint_eq(clock_reads, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("command-progress");
    TCase *tcase = tcase_create("command-progress");

    tcase_add_checked_fixture(tcase, start, end);
    tcase_add_test(tcase, short_work_is_not_told);
    tcase_add_test(tcase, long_work_is_told_and_erased);
    tcase_add_test(tcase, without_a_whole_it_counts);
    tcase_add_test(tcase, comes_back_when_it_was_in_the_way);
    tcase_add_test(tcase, nobody_sees_it);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
