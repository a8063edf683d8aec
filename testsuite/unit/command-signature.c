/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The signature of a call stack, by rules of the test and by the installed ones. */
#include "suite.h"

#include <command/session/places.h>
#include <command/triage/triage.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 65536

static struct command_signature_rules rules;

static const char small[] = "# of the test\n"
                            "version 7\n"
                            "\n"
                            "module libc.so* libc # behind a rule\n"
                            "module librun* Run\n"
                            "skip passing\n"
                            "skip hidden libapp*\n"
                            "begin raise_error\n"
                            "prefix checked_*\n"
                            "stop start\n"
                            "name *copy_fast copy\n"
                            "name Ven* cl*\n"
                            "abort abort\n"
                            "memory throw operator*new*\n"
                            "memory no_memory\n";

static bool add(const char *text, bool has_number, struct text *why)
{
    return command_signature_rules_add(&rules, "list", text, strlen(text), has_number, why);
}

static void begin(void)
{
    struct text why = {0};

    if (!add(small, true, &why))
        ck_abort_msg("%s", why.bytes);
}

static void end(void)
{
    command_signature_rules_free(&rules);
}

/* ---- Call stacks ----------------------------------------------------------------------------- */

#define MOST 8

/* Functions as "name in module", or "? in module", innermost first; NULL ends them. */
static struct command_signature_stack stack_of(const char *const *words)
{
    static struct command_function functions[MOST];
    static char names[MOST][64];
    struct command_signature_stack stack = {.functions = functions};

    for (; words[stack.count] != NULL; stack.count++) {
        struct command_function *function = &functions[stack.count];
        char *name = names[stack.count];
        char *within;

        ck_assert_uint_lt(stack.count, MOST);
        snprintf(name, sizeof(names[0]), "%s", words[stack.count]);
        within = strstr(name, " in ");
        ck_assert_ptr_nonnull(within);
        *within = '\0';
        *function = (struct command_function){
            .name = name[0] != '?' ? name : NULL, .module = within + 4, .offset = 0x1f0};
    }
    return stack;
}

static void expect(const char *const *words, bool has_called, const char *text, const char *coarse)
{
    struct command_signature signature = {.text = {0}};
    struct command_signature_stack stack = stack_of(words);

    stack.has_called = has_called;
    command_signature_add_death(&signature, &rules, "SIGSEGV", &stack);
    ck_assert_str_eq(text_get(&signature.text), text);
    ck_assert_str_eq(text_get(&signature.coarse), coarse);
    command_signature_free(&signature);
}

#define EXPECT(text, coarse, ...)                                                                  \
    expect((const char *const[]){__VA_ARGS__, NULL}, false, text, coarse)

START_TEST(three_of_the_program_are_told)
{
    EXPECT("SIGSEGV | copy | upload | load | step", "SIGSEGV | libc | upload | load | step",
           "__copy_fast in /lib/libc.so.6", "upload(int) in /srv/app", "load in /srv/app",
           "step in /srv/app", "main in /srv/app");
}
END_TEST

START_TEST(of_other_modules_what_was_called_is_told)
{
    EXPECT("SIGSEGV | abort | clWrite | upload", "SIGSEGV | libc | Run | upload",
           "kill in libc.so.6", "raise in libc.so.6", "abort in libc.so.6", "work in librun.so.2",
           "VenWrite in librun-more.so", "upload in app");
}
END_TEST

START_TEST(words_of_rules)
{
    EXPECT("SIGSEGV | raise_error | upload", "SIGSEGV | raise_error | upload", "inner in app",
           "raise_error in app", "passing in libx.so", "upload in app", "start in app",
           "main in app");
    EXPECT("SIGSEGV | hidden | upload", "SIGSEGV | hidden | upload", "hidden in app",
           "hidden in libapp.so.1", "upload in app");
    EXPECT("SIGSEGV | checked_read | a | b | c", "SIGSEGV | a | b | c", "checked_read in app",
           "a in app", "b in app", "c in app", "d in app");
}
END_TEST

START_TEST(without_names)
{
    EXPECT("SIGSEGV | Run | libapp.so.1@0x1f0 | app@0x1f0", "SIGSEGV | Run | libapp.so | app",
           "? in librun.so.2", "? in librun.so.2", "? in /srv/libapp.so.1", "? in /srv/app");
    EXPECT("SIGSEGV", "SIGSEGV", "start in app");
    EXPECT("", "", "? in libc.so.6", "? in librun.so.2");
    EXPECT("", "", NULL);
}
END_TEST

START_TEST(recursion_is_told_once)
{
    EXPECT("SIGSEGV | again | main", "SIGSEGV | again | main", "again in app", "again in app",
           "again in app", "again in app", "again in app", "main in app");
    EXPECT("SIGSEGV | SIGSEGV | GV | V", "SIGSEGV | SIGSEGV | GV | V", "SIGSEGV in app",
           "GV in app", "V in app");
}
END_TEST

START_TEST(a_call_of_no_code)
{
    const char *const words[] = {"step in app", "main in app", NULL};
    const char *const none[] = {NULL};

    expect(words, true, "SIGSEGV | no code | step | main", "SIGSEGV | no code | step | main");
    expect(none, true, "SIGSEGV | no code", "SIGSEGV | no code");
}
END_TEST

/* A name of a hostile core. */
START_TEST(a_long_name_is_cut)
{
    struct command_signature signature = {.text = {0}};
    struct command_function function = {.module = "app"};
    struct command_signature_stack stack = {.functions = &function, .count = 1};
    char *name = malloc(1 << 20);

    memset(name, 'x', (1 << 20) - 1);
    name[(1 << 20) - 1] = '\0';
    function.name = name;
    command_signature_add_death(&signature, &rules, "SIGSEGV", &stack);
    ck_assert_uint_eq(signature.text.length, strlen("SIGSEGV | ") + 256 + strlen("..."));
    command_signature_free(&signature);
    free(name);
}
END_TEST

/* ---- Waits ----------------------------------------------------------------------------------- */

#define NAMED(function)                                                                            \
    {                                                                                              \
        .name = (function)                                                                         \
    }

START_TEST(places_of_waits)
{
    struct command_signature signature = {.text = {0}};
    const struct command_frames places[] = {
        {{NAMED("clFinish"), NAMED("finish"), NAMED("step"), NAMED("load"), NAMED("main")}, 5},
        {{NAMED("clFinish"), NAMED("finish"), NAMED("passing"), NAMED("other"), NAMED("main")}, 5},
        {{NAMED("clFinish"), NAMED("finish(int)"), NAMED("step"), NAMED("save"), NAMED("main")}, 5},
        {{NAMED("clFinish"), NAMED("checked_finish"), NAMED("step"), NAMED("last")}, 4},
        {{NAMED("clFinish"), {.module = "/bin/edges", .offset = 16}}, 2},
        {{NAMED(NULL)}, 0},
    };

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        command_signature_add_wait(&signature, &rules, &places[i]);
    ck_assert_str_eq(signature.text.bytes, "lived | clFinish | finish | step | load; "
                                           "clFinish | finish | other | main; "
                                           "clFinish | finish | step | save; "
                                           "clFinish | checked_finish | step | last; "
                                           "clFinish | edges@0x10; ?");
    ck_assert_str_eq(signature.coarse.bytes, "lived | clFinish | finish | step; "
                                             "clFinish | finish | other; clFinish | step | last; "
                                             "clFinish | edges@0x10; ?");
    command_signature_free(&signature);
}
END_TEST

/* ---- Reports of an end ----------------------------------------------------------------------- */

static bool has(enum command_signature_rule_kind kind, const char *const *words)
{
    struct command_signature_stack stack = stack_of(words);

    return command_signature_has(&rules, kind, &stack);
}

START_TEST(ends)
{
    const char *const thrown[] = {"abort in c", "throw in c", "operator new(long) in c", NULL};
    const char *const corrupt[] = {"abort in c", "malloc in c", "operator new(long) in c", NULL};
    const char *const elsewhere[] = {"throw in c", "step in a", "operator new(long) in c", NULL};
    const char *const plain[] = {"step in a", "no_memory in a", NULL};

    ck_assert(has(command_rule_abort, thrown));
    ck_assert(has(command_rule_memory, thrown));
    ck_assert(has(command_rule_abort, corrupt));
    ck_assert(!has(command_rule_memory, corrupt));
    ck_assert(!has(command_rule_memory, elsewhere));
    ck_assert(!has(command_rule_abort, elsewhere));
    ck_assert(has(command_rule_memory, plain));
}
END_TEST

/* ---- Names ----------------------------------------------------------------------------------- */

static void expect_name(const char *name, const char *result)
{
    struct text text = {0};

    command_function_name_add(name, &text);
    ck_assert_str_eq(text_get(&text), result);
    text_free(&text);
}

START_TEST(names)
{
    expect_name("load_frame", "load_frame");
    expect_name("load(int, char const*) const", "load");
    expect_name("load.constprop.0", "load");
    expect_name("load(int) [clone .part.3]", "load");
    expect_name("main.load", "main.load"); /* of Go */
    expect_name("ring<int, (x)3>::push(ring<int> const&)", "ring<T>::push");
    expect_name("void each<ring<int>::slot>(int)", "each<T>");
    expect_name("std::vector<int> make<int>()", "make<T>");
    expect_name("(anonymous namespace)::load(int)", "(anonymous namespace)::load");
    expect_name("main::{lambda(int)#1}::operator()(int) const",
                "main::{lambda(int)#1}::operator()");
    expect_name("operator new(unsigned long)", "operator new");
    expect_name("point::operator bool() const", "point::operator bool");
    expect_name("bool operator< <int>(a<int> const&)", "operator<<T>");
    expect_name("std::ostream& operator<<(std::ostream&)", "operator<<");
    expect_name("node::operator->()", "node::operator->");
    expect_name("app::load::h0123456789abcdef", "app::load");
    expect_name("app::load::h0123456789abcdeg", "app::load::h0123456789abcdeg");
    /* Of a hostile core. */
    expect_name("", "");
    expect_name("a<<<<<", "a<T>");
    expect_name("operator", "operator");
    expect_name("(((", "");
}
END_TEST

/* ---- Rules ----------------------------------------------------------------------------------- */

static void refuses(const char *text, bool has_number, const char *sentence)
{
    struct text why = {0};

    command_signature_rules_free(&rules);
    ck_assert(!add(text, has_number, &why));
    ck_assert_str_eq(why.bytes, sentence);
    ck_assert_uint_eq(rules.count, 0);
    text_free(&why);
}

START_TEST(faults_of_lists)
{
    struct text why = {0};

    refuses("skip a\n", true, "list, line 1: the list has no version");
    refuses("version 0\n", true, "list, line 1: the version must be a positive number");
    refuses("version 1 2\n", true, "list, line 1: the version must be one number");
    refuses("version 1\nversion 2\n", true,
            "list, line 2: only the installed list may set the version, and only once");
    refuses("skip a\nversion 2", false,
            "list, line 2: only the installed list may set the version, and only once");
    refuses("\nskp a\n", false, "list, line 2: unknown signature rule");
    refuses("skip\n", false, "list, line 1: wrong number of words for this rule");
    refuses("name a\n", false, "list, line 1: wrong number of words for this rule");
    refuses("abort a b\n", false, "list, line 1: wrong number of words for this rule");
    refuses("skip a b c\n", false, "list, line 1: too many words");
    refuses("name *a* b*\n", false,
            "list, line 1: a * in a name needs a pattern with a single * at its end");
    ck_assert(!command_signature_rules_add(&rules, "list", "skip a\0b", 8, false, &why));
    ck_assert_str_eq(why.bytes, "list, line 1: the file contains a NUL byte");
    text_free(&why);
    ck_assert(!add("", true, &why));
    text_free(&why);
    ck_assert(add("", false, &why));
}
END_TEST

/* Whatever changes a rule changes the version; comments do not. */
START_TEST(changes_of_versions)
{
    static const char *const others[] = {"", "skip a", "skip a b", "skip ab", "begin a", "skip b"};
    char versions[6][sizeof(rules.version)];
    struct text why = {0};

    for (size_t i = 0; i < 6; i++) {
        end();
        begin();
        ck_assert(add(others[i], false, &why));
        ck_assert_int_eq(strncmp(rules.version, "7.", 2), 0);
        memcpy(versions[i], rules.version, sizeof(rules.version));
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(versions[i], versions[j]);
        ck_assert(add("# skip a\n\n", false, &why));
        ck_assert_str_eq(rules.version, versions[i]);
    }
}
END_TEST

/* The list that is installed: it is one, and who changes it raises its version. */
START_TEST(installed)
{
    static char text[MOST_BYTES];
    char path[4096];
    struct text why = {0};
    const char *source = getenv("TOP_SRCDIR");
    FILE *file;
    size_t size;

    snprintf(path, sizeof(path), "%s/command/signature.rules", source != NULL ? source : "..");
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    size = fread(text, 1, sizeof(text), file);
    fclose(file);
    end();
    if (!command_signature_rules_add(&rules, path, text, size, true, &why))
        ck_abort_msg("%s", why.bytes);
    /* If the digest has changed, raise the number, and update both here. */
    ck_assert_str_eq(rules.version, "2.83493d28");
    EXPECT("SIGSEGV | memcpy | clEnqueueReadBuffer | upload | main",
           "SIGSEGV | libc | OpenCL | upload | main", "__memcpy_avx_unaligned_erms in libc.so.6",
           "pocl_read in libpocl.so.2", "POclEnqueueReadBuffer in libpocl.so.2",
           "wrap_read in libompd-opencl-recorder.so", "cl::CommandQueue::read(int) in app",
           "upload in app", "main in app", "__libc_start_main in libc.so.6");
    EXPECT("SIGSEGV | __cxa_throw | step", "SIGSEGV | libstdc++ | step", "abort in libc.so.6",
           "std::terminate() in libstdc++.so.6", "__cxa_throw in libstdc++.so.6", "step in app");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("command-signature");
    TCase *tests = tcase_create("command-signature");

    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, three_of_the_program_are_told);
    tcase_add_test(tests, of_other_modules_what_was_called_is_told);
    tcase_add_test(tests, words_of_rules);
    tcase_add_test(tests, without_names);
    tcase_add_test(tests, recursion_is_told_once);
    tcase_add_test(tests, a_call_of_no_code);
    tcase_add_test(tests, a_long_name_is_cut);
    tcase_add_test(tests, places_of_waits);
    tcase_add_test(tests, ends);
    tcase_add_test(tests, names);
    tcase_add_test(tests, faults_of_lists);
    tcase_add_test(tests, changes_of_versions);
    tcase_add_test(tests, installed);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
