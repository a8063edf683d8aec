/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Drawing graphs and writing files, for a confined process and directly. */
#include <config.h>

#include "host-served.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/host-drawing-XXXXXX";
static char text[64];
static char made[64];
static char dot[64];

static void write_file(char *path, const char *name, const void *bytes, size_t size)
{
    FILE *file;

    snprintf(path, sizeof(text), "%s/%s", folder, name);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void start(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_file(text, "text", "secret", 6);
    snprintf(made, sizeof(made), "%s/made", folder);
}

static void end(void)
{
    unlink(text);
    unlink(made);
    unlink(dot);
    rmdir(folder);
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
}

#define GRAPH "digraph {\n  n1 [label=\"a\"];\n}\n"

/* Create a dot in the folder that writes its input after a line. */
static void put_dot(void)
{
    static const char program[] = "#!/bin/sh\necho \"$*\"\nexec /bin/cat\n";

    write_file(dot, "dot", program, sizeof(program) - 1);
    ck_assert_int_eq(chmod(dot, 0700), 0);
    ck_assert_int_eq(setenv("PATH", folder, 1), 0);
}

static int draw(int connection)
{
    char *picture = NULL;
    bool is_as_read;

    if (ompd_host_confine(connection) != ompd_host_rc_ok)
        return 100;
    if (ompd_host_graph_draw("graph { image=\"/etc/passwd\" }", &picture) !=
            ompd_host_rc_bad_input ||
        picture != NULL)
        return 1;
    if (ompd_host_graph_draw(GRAPH, &picture) != ompd_host_rc_ok)
        return 2;
    is_as_read = strcmp(picture, "-Tsvg\n" GRAPH) == 0;
    free(picture);
    return is_as_read ? 0 : 3;
}

START_TEST(draws)
{
    ompd_host_service_t service = {0};

    put_dot();
    ck_assert_int_eq(served_run(draw, &service), 0);
}
END_TEST

/* Write SIZE bytes at GRAPH where the service has a graph written, and ask for its picture.
 * Returns whether one came. */
static bool has_drawn(int connection, const char *graph, size_t size)
{
    struct file_message message = {.what = file_question_sheet};
    int sheet = -1;

    ck_assert(file_message_send(connection, &message, -1));
    ck_assert(file_message_receive(connection, &message, &sheet));
    ck_assert_int_ge(sheet, 0);
    ck_assert_int_eq(pwrite(sheet, graph, size, 0), (ssize_t)size);
    /* Its input is bounded, and so is its memory. */
    ck_assert_int_eq(pwrite(sheet, "x", 1, 1 << 20), -1);
    ck_assert_int_ne(ftruncate(sheet, 1 << 21), 0);
    close(sheet);
    return served_gets(connection, file_question_draw, "");
}

static int ask_for_pictures(int connection)
{
    static const char *const others[] = {
        "digraph { n1 [image=\"/etc/passwd\"]; }",
        "digraph { n1 [\"image\"=\"x\"]; }",
        "digraph { n1 [shapefile=x]; }",
        "digraph { n1 [label=<b>]; }",
        "digraph { n1 [label=\"a\\l\", URL=\"x\"]; }",
        "digraph { n1 [label=\"a\x01\"]; }",
        "digraph { n1 [label=\"a ]; }",
        "digraph { /* n1 */ }",
        "digraph { n1 [label=\"\\G\"]; }",
        "# 1 \"/etc/passwd\"\n",
        "digraph { fontpath=\"/tmp\"; }",
    };
    static char much[1 << 20];
    int count = 0;

    /* Nothing was written. */
    count += served_gets(connection, file_question_draw, "");
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        count += has_drawn(connection, others[i], strlen(others[i]) + 1);
    memset(much, '{', sizeof(much));
    if (!has_drawn(connection, much, sizeof(much)) || !has_drawn(connection, GRAPH, sizeof(GRAPH)))
        return 100;
    return count;
}

START_TEST(draws_nothing_else)
{
    ompd_host_service_t service = {0};

    put_dot();
    ck_assert_int_eq(served_run(ask_for_pictures, &service), 0);
}
END_TEST

/* The same in an unconfined process, whatever dot is. */
START_TEST(draws_here)
{
    static const struct {
        const char *program;
        const char *reason;
    } programs[] = {
        {"#!/bin/sh\nexit 1\n", "dot failed"},
        {"#!/bin/sh\nkill -11 $$\n", "dot failed"},
        {"#!/bin/sh\nexec /usr/bin/head -c 20000000 /dev/zero\n", "the output of dot is too large"},
        {"", "Graphviz (the program dot) is not installed"},
    };
    char *picture = NULL;

    put_dot();
    ck_assert_int_eq(ompd_host_graph_draw(GRAPH, &picture), ompd_host_rc_ok);
    ck_assert_str_eq(picture, "-Tsvg\n" GRAPH);
    free(picture);
    picture = NULL;
    ck_assert_str_eq(ompd_host_message_get(NULL), "");
    ck_assert_int_eq(ompd_host_graph_draw(NULL, &picture), ompd_host_rc_bad_input);
    ck_assert_str_ne(ompd_host_message_get(NULL), "");
    ck_assert_int_eq(ompd_host_graph_draw(GRAPH, NULL), ompd_host_rc_bad_input);
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
        write_file(dot, "dot", programs[i].program, strlen(programs[i].program));
        if (programs[i].program[0] == '\0')
            unlink(dot);
        ck_assert_int_eq(ompd_host_graph_draw(GRAPH, &picture), ompd_host_rc_not_found);
        ck_assert_str_eq(ompd_host_message_get(NULL), programs[i].reason);
        ck_assert_ptr_null(picture);
    }
}
END_TEST

/* ---- Output ---------------------------------------------------------------------------------- */

START_TEST(writes_new_files)
{
    ompd_host_new_file_t *file = NULL;
    char missing[96];
    char bytes[8] = "";
    FILE *reader;

    ck_assert_int_eq(ompd_host_new_file_make(NULL, &file), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_new_file_make("", &file), ompd_host_rc_bad_input);
    ck_assert_int_eq(ompd_host_new_file_make(text, &file), ompd_host_rc_not_permitted);
    ck_assert_ptr_nonnull(strstr(ompd_host_message_get(NULL), "already exists"));
    snprintf(missing, sizeof(missing), "%s/none/made", folder);
    ck_assert_int_eq(ompd_host_new_file_make(missing, &file), ompd_host_rc_error);
    ck_assert_ptr_nonnull(strstr(ompd_host_message_get(NULL), "cannot write '"));
    ck_assert_ptr_null(file);
    ck_assert_int_eq(ompd_host_new_file_end(NULL, true), ompd_host_rc_ok);
    /* Dropped output is deleted. */
    for (int is_whole = 0; is_whole < 2; is_whole++) {
        ck_assert_int_eq(ompd_host_new_file_make(made, &file), ompd_host_rc_ok);
        ck_assert_int_eq(ompd_host_new_file_write(file, "ab", 2), ompd_host_rc_ok);
        ck_assert_int_eq(ompd_host_new_file_write(file, "c", 1), ompd_host_rc_ok);
        ck_assert_int_ne(access(made, F_OK), 0);
        ck_assert_int_eq(ompd_host_new_file_end(file, is_whole != 0), ompd_host_rc_ok);
        ck_assert_int_eq(access(made, F_OK) == 0, is_whole);
    }
    reader = fopen(made, "r");
    ck_assert_uint_eq(fread(bytes, 1, sizeof(bytes), reader), 3);
    fclose(reader);
    ck_assert_str_eq(bytes, "abc");
    /* Another process may have taken the name meanwhile. */
    unlink(made);
    ck_assert_int_eq(ompd_host_new_file_make(made, &file), ompd_host_rc_ok);
    write_file(made, "made", "other", 5);
    ck_assert_int_eq(ompd_host_new_file_end(file, true), ompd_host_rc_not_permitted);
    ck_assert_ptr_nonnull(strstr(ompd_host_message_get(NULL), "already exists"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host-drawing");
    TCase *tcase = tcase_create("host-drawing");

    tcase_add_checked_fixture(tcase, start, end);
    if (ompd_host_confinement_check() == ompd_host_rc_ok)
        tcase_add_test(tcase, draws);
    else
        puts("SKIP: the library is built without libseccomp, or with a sanitizer");
    tcase_add_test(tcase, draws_nothing_else);
    tcase_add_test(tcase, draws_here);
    tcase_add_test(tcase, writes_new_files);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
