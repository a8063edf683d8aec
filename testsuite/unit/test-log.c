/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The diagnostic log: what each level reports, and what print_string may do to a call. */
#include "found-session.h"
#include "layout-sample.h"
#include "population.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define LINE_LIMIT 16384
#define PREFIX "ompd-opencl: "

static struct {
    char *text;
    int category;
} lines[LINE_LIMIT];
static unsigned line_count;
static ompd_rc_t print_code; /* what print_string returns from its call number `print_from` on */
static unsigned print_from;

static ompd_rc_t print_string(const char *string, int category)
{
    size_t length = strlen(string);

    ck_assert_uint_gt(length, strlen(PREFIX) + 1);
    ck_assert_msg(strncmp(string, PREFIX, strlen(PREFIX)) == 0, "%s", string);
    ck_assert_ptr_eq(strchr(string, '\n'), string + length - 1);
    for (size_t i = 0; i < length - 1; i++)
        ck_assert_msg(string[i] >= ' ' && string[i] <= '~', "%s", string);
    ck_assert_uint_lt(line_count, LINE_LIMIT);
    lines[line_count].text = strdup(string + strlen(PREFIX));
    ck_assert_ptr_nonnull(lines[line_count].text);
    lines[line_count].category = category;
    line_count++;
    return line_count >= print_from ? print_code : ompd_rc_ok;
}

static void forget_lines(void)
{
    while (line_count != 0)
        free(lines[--line_count].text);
    print_code = ompd_rc_ok;
    print_from = 1;
}

/* How many lines of CATEGORY begin with START. */
static unsigned count_lines(int category, const char *start)
{
    unsigned count = 0;

    for (unsigned i = 0; i < line_count; i++)
        count += lines[i].category == category && strncmp(lines[i].text, start, strlen(start)) == 0;
    return count;
}

/* Open the target's address space with a log at LEVEL. */
static void open_logged(uint32_t level)
{
    ompd_callbacks_t callbacks = fake_callbacks;
    ompd_cl_extra_t extra = fake_extra;

    callbacks.print_string = print_string;
    extra.log_level = level;
    forget_lines();
    ck_assert_int_eq(ompd_cl_address_space_create(&callbacks, &extra, (void *)target, &space),
                     ompd_rc_ok);
}

static struct population population;

static void set_up(void)
{
    population = population_create(false, 8);
    target = population.target;
}

static void tear_down(void)
{
    forget_lines();
    population_free(&population);
}

/* Ask for everything that can be asked. */
static void ask_all(void)
{
    static struct answers answers;

    fake_reset(target);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    answers_get(space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_ok);
}

static void close_space(void)
{
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}

/* ---- Levels ---------------------------------------------------------------------------------- */

START_TEST(off)
{
    ompd_cl_list_t list;

    open_logged(ompd_cl_log_level_none);
    ask_all();
    ck_assert_int_eq(ompd_cl_list_open(space, 0, NULL, &list), ompd_rc_bad_input);
    close_space();
    ck_assert_uint_eq(line_count, 0);
}
END_TEST

START_TEST(refusals)
{
    const char *message;
    ompd_cl_list_t list;
    char line[600];

    open_logged(ompd_cl_log_level_refusal);
    ask_all();
    ck_assert_uint_eq(line_count, 0);
    ck_assert_int_eq(ompd_cl_list_open(space, ompd_cl_kind_memobj, NULL, NULL), ompd_rc_bad_input);
    ck_assert_uint_eq(line_count, 1);
    ck_assert_int_eq(lines[0].category, ompd_cl_log_level_refusal);
    ck_assert_int_eq(ompd_cl_message_get(space, &message), ompd_rc_ok);
    snprintf(line, sizeof(line), "bad input: %s\n", message);
    ck_assert_str_eq(lines[0].text, line);
    ck_assert_uint_eq(line_count, 1);

    list.id = 42;
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_layout_add(space, "nonsense", 8), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_layout_add(space, "ompd-opencl-layout 3.0", 22), ompd_rc_incompatible);
    ck_assert_uint_eq(line_count, 4);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_refusal, "bad input: line 1: "), 1);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_refusal, "incompatible: "), 1);
    close_space();
}
END_TEST

/* Memory that cannot be read makes an answer incomplete, and that is logged. */
START_TEST(incomplete)
{
    static struct answers answers;

    open_logged(ompd_cl_log_level_refusal);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    target->failing = fake_read;
    target->fail_at = 1;
    target->fails_for_ever = true;
    answers_get(space, &answers);
    ck_assert_uint_ge(count_lines(ompd_cl_log_level_refusal, "incomplete: "), 1);
    close_space();
}
END_TEST

START_TEST(recorder_decision)
{
    open_logged(ompd_cl_log_level_decision);
    ask_all();
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_decision, "recorder: accepted, registry "), 1);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_lookup, ""), 0);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_read, ""), 0);
    target->has_recorder = false;
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_unavailable);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_decision, "recorder: not used: "), 1);
    close_space();
}
END_TEST

START_TEST(lookups)
{
    open_logged(ompd_cl_log_level_lookup);
    ask_all();
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_lookup, "symbol lookup \""),
                      target->calls[fake_symbol] + target->calls[fake_module_symbol]);
    ck_assert_uint_ge(
        count_lines(ompd_cl_log_level_lookup, "symbol lookup \"" OMPD_CL_REGISTRY_SYMBOL "\": 0x"),
        1);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_lookup, "module "), target->calls[fake_module]);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_read, ""), 0);
    close_space();
}
END_TEST

START_TEST(reads)
{
    open_logged(ompd_cl_log_level_read);
    ask_all();
    ck_assert_uint_ge(target->calls[fake_read] + target->calls[fake_map], 10);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_read, "read "), target->calls[fake_read]);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_read, "map "), target->calls[fake_map]);
    ck_assert_uint_ge(count_lines(ompd_cl_log_level_lookup, ""), 1);
    close_space();
}
END_TEST

/* One failed read of a word. */
START_TEST(failed_read)
{
    ompd_size_t count = 42;
    uint64_t number;

    open_logged(ompd_cl_log_level_read);
    ck_assert_int_eq(ompd_cl_numbers_read(space, 0x1234, 8, 1, &number, &count),
                     ompd_rc_incomplete);
    ck_assert_uint_ge(count_lines(ompd_cl_log_level_read, "read 4096 bytes at 0x1000: "), 1);
    ck_assert_uint_ge(count_lines(ompd_cl_log_level_read, "read 8 bytes at 0x1234: "), 1);
    for (unsigned i = 0; i < line_count; i++)
        ck_assert_ptr_null(strstr(lines[i].text, "ok"));
    close_space();
}
END_TEST

/* ---- Setting it ------------------------------------------------------------------------------ */

START_TEST(set_and_reset)
{
    open_logged(ompd_cl_log_level_none);
    ck_assert_int_eq(ompd_cl_log_level_set(space, ompd_cl_log_level_read), ompd_rc_ok);
    ask_all();
    ck_assert_uint_ge(count_lines(ompd_cl_log_level_read, "read "), 1);
    ck_assert_int_eq(ompd_cl_log_level_set(space, (ompd_cl_log_level_t)5), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_log_level_set(space, ompd_cl_log_level_none), ompd_rc_ok);
    forget_lines();
    ask_all();
    ck_assert_int_eq(ompd_cl_log_level_set(space, (ompd_cl_log_level_t)-1), ompd_rc_bad_input);
    ck_assert_uint_eq(line_count, 0);
    close_space();
    ck_assert_int_eq(ompd_cl_log_level_set(space, ompd_cl_log_level_none), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_log_level_set(NULL, ompd_cl_log_level_none), ompd_rc_bad_input);
}
END_TEST

START_TEST(no_print_string)
{
    ompd_cl_extra_t extra = fake_extra;

    extra.log_level = ompd_cl_log_level_read;
    found_space_create(&extra);
    ask_all();
    ck_assert_int_eq(ompd_cl_log_level_set(space, ompd_cl_log_level_refusal), ompd_rc_unsupported);
    ck_assert_int_eq(ompd_cl_log_level_set(space, ompd_cl_log_level_none), ompd_rc_ok);
    close_space();
}
END_TEST

/* A tool built with a header that had no log yet. */
START_TEST(older_optional_table)
{
    ompd_callbacks_t callbacks = fake_callbacks;
    ompd_cl_extra_t extra = fake_extra;

    callbacks.print_string = print_string;
    extra.struct_size = offsetof(ompd_cl_extra_t, log_level);
    extra.log_level = ompd_cl_log_level_read;
    forget_lines();
    ck_assert_int_eq(ompd_cl_address_space_create(&callbacks, &extra, (void *)target, &space),
                     ompd_rc_ok);
    ask_all();
    ck_assert_uint_eq(line_count, 0);
    close_space();
}
END_TEST

START_TEST(failed_creation)
{
    ompd_callbacks_t callbacks = fake_callbacks;
    ompd_cl_extra_t extra = fake_extra;

    callbacks.print_string = print_string;
    extra.log_level = ompd_cl_log_level_refusal;
    extra.memory_limit = 1;
    forget_lines();
    print_code = ompd_rc_interrupted;
    ck_assert_int_eq(ompd_cl_address_space_create(&callbacks, &extra, (void *)target, &space),
                     ompd_rc_nomem);
    ck_assert_uint_eq(line_count, 1);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_refusal, "out of memory: the memory limit "),
                      1);
}
END_TEST

/* ---- What print_string returns --------------------------------------------------------------- */

START_TEST(failing_print_string)
{
    static const ompd_rc_t codes[] = {ompd_rc_error, ompd_rc_nomem, ompd_rc_incomplete,
                                      ompd_rc_callback_error, (ompd_rc_t)12345};

    open_logged(ompd_cl_log_level_read);
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        forget_lines();
        print_code = codes[i];
        ask_all();
        ck_assert_uint_ge(line_count, 10);
    }
    close_space();
}
END_TEST

/* Interrupted at each line of a call: it ends with that code, has no effect, and the next works. */
START_TEST(interrupting_print_string)
{
    unsigned whole;

    open_logged(ompd_cl_log_level_read);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    whole = line_count;
    ck_assert_uint_ge(whole, 3);
    for (unsigned at = 1; at <= whole; at++) {
        ompd_cl_list_t list = {42};

        forget_lines();
        print_code = ompd_rc_interrupted;
        print_from = at;
        ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_interrupted);
        /* No callback is made after it. */
        ck_assert_uint_eq(line_count, at);
        ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_interrupted);
        ck_assert_uint_eq(list.id, 42);
        forget_lines();
        ask_all();
    }
    close_space();
}
END_TEST

/* Interrupted at the last read of a call, which had all data that it needs. */
START_TEST(interrupting_last_read)
{
    ompd_size_t count = 42;
    uint64_t number;

    open_logged(ompd_cl_log_level_read);
    print_code = ompd_rc_interrupted;
    ck_assert_int_eq(ompd_cl_numbers_read(space, FAKE_BASE, 8, 1, &number, &count),
                     ompd_rc_interrupted);
    ck_assert_uint_eq(count, 42);
    forget_lines();
    ck_assert_int_eq(ompd_cl_numbers_read(space, FAKE_BASE, 8, 1, &number, &count), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    close_space();
}
END_TEST

/* The line about how a call ended changes nothing. */
START_TEST(interrupting_last_line)
{
    const char *message;
    ompd_size_t count = 42;
    uint64_t number;

    open_logged(ompd_cl_log_level_refusal);
    print_code = ompd_rc_interrupted;
    ck_assert_int_eq(ompd_cl_numbers_read(space, 0x1234, 8, 1, &number, &count),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(ompd_cl_message_get(space, &message), ompd_rc_ok);
    ck_assert_str_ne(message, "");
    ck_assert_uint_eq(line_count, 1);
    ask_all();
    close_space();
}
END_TEST

/* ---- Layouts --------------------------------------------------------------------------------- */

static void set_up_found(void)
{
    target = fake_target_create(false, 8, 8);
    target->has_recorder = false;
    fake_objects_create(&objects, target);
}

static void tear_down_found(void)
{
    forget_lines();
    fake_target_free(target);
}

START_TEST(layout_decisions)
{
    open_logged(ompd_cl_log_level_decision);
    found_layout_add();
    found_refresh();
    ck_assert_uint_eq(COUNT(queue), 1);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_decision, "layout of "), 1);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_decision, "layout for "), 1);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_decision, "search for objects: "), 1);
    for (unsigned i = 0; i < line_count; i++) {
        if (strncmp(lines[i].text, "layout for ", strlen("layout for ")) == 0)
            ck_assert_ptr_nonnull(strstr(lines[i].text, "): accepted\n"));
    }
    close_space();
}
END_TEST

/* The text of the objects' layout with the first FROM in it become TO, which is as long. */
static void add_changed_layout(const char *from, const char *to)
{
    char *text = strdup(fake_objects_layout(&objects));
    char *found;

    ck_assert_ptr_nonnull(text);
    found = strstr(text, from);
    ck_assert_ptr_nonnull(found);
    ck_assert_uint_eq(strlen(from), strlen(to));
    memcpy(found, to, strlen(to));
    ck_assert_int_eq(ompd_cl_layout_add(space, text, strlen(text)), ompd_rc_ok);
    free(text);
}

/* A layout that is not used, and the reason. */
START_TEST(refused_layout)
{
    open_logged(ompd_cl_log_level_decision);
    add_changed_layout("little", "big   ");
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_unavailable);
    ck_assert_uint_eq(count_lines(ompd_cl_log_level_decision, "layout for "), 1);
    for (unsigned i = 0; i < line_count; i++) {
        if (strncmp(lines[i].text, "layout for ", strlen("layout for ")) == 0)
            ck_assert_ptr_nonnull(
                strstr(lines[i].text, "): refused: it is for another byte order\n"));
    }
    close_space();
}
END_TEST

/* What a module is called cannot control a terminal, nor begin another line. */
START_TEST(names_of_the_target)
{
    open_logged(ompd_cl_log_level_lookup);
    target->modules[0].name = "/lib/\x1b[2J\nompd-opencl: lie\x9b.so";
    found_layout_add();
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    ck_assert_uint_ge(
        count_lines(ompd_cl_log_level_lookup, "module 0: /lib/?[2J?ompd-opencl: lie?"), 1);
    close_space();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("log");
    TCase *tests = tcase_create("recorder");
    TCase *layouts = tcase_create("layouts");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, off);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, incomplete);
    tcase_add_test(tests, recorder_decision);
    tcase_add_test(tests, lookups);
    tcase_add_test(tests, reads);
    tcase_add_test(tests, failed_read);
    tcase_add_test(tests, set_and_reset);
    tcase_add_test(tests, no_print_string);
    tcase_add_test(tests, older_optional_table);
    tcase_add_test(tests, failed_creation);
    tcase_add_test(tests, failing_print_string);
    tcase_add_test(tests, interrupting_print_string);
    tcase_add_test(tests, interrupting_last_read);
    tcase_add_test(tests, interrupting_last_line);
    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(layouts, set_up_found, tear_down_found);
    tcase_add_test(layouts, layout_decisions);
    tcase_add_test(layouts, refused_layout);
    tcase_add_test(layouts, names_of_the_target);
    suite_add_tcase(suite, layouts);
    return suite_run(suite);
}
