/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What users type: verbs, options in any order, abbreviations and completion; sizes and names. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <view/command-line.h>
#include <view/show/show.h>

static struct front front;

static void set_up(void)
{
    front_begin(&front);
    front_open(&front);
}

static void tear_down(void)
{
    front_close(&front);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

START_TEST(any_order)
{
    const char *text = "json kind=buffer [b[1]]";

    front_expect(&front, "say", "-json -kind buffer b[1]", text);
    front_expect(&front, "say", "b[1] -kind buffer -json", text);
    front_expect(&front, "say", "-kind buffer b[1] -json", text);
    ck_assert(front.begun_json);
    front_expect(&front, "say", "  b[1]\t-kind buffer -json ", text);
    front_expect(&front, "say", "-context c -state live -min-size 1M -limit 7 -stack 3",
                 "text context=c state=live min-size=1M stack=3 limit=7");
    front_expect(&front, "say", "", "text");
    front_expect(&front, "say", NULL, "text");
    ck_assert(!front.begun_json);
}
END_TEST

START_TEST(expressions_keep_their_blanks)
{
    static const char *const expressions[] = {"f(a, b)", "b[ 1 ]", "(cl_mem) p", "m['x -y']",
                                              "a - 1",   "-1",     "g(')', 2)",  "s[\"\\\" ]\"]"};

    for (size_t i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++) {
        char line[64];
        char text[64];

        snprintf(line, sizeof(line), "%s -json", expressions[i]);
        snprintf(text, sizeof(text), "json [%s]", expressions[i]);
        front_expect(&front, "say", line, text);
    }
    front_expect(&front, "say", "-context f(a, b) -json", "json context=f(a, b)");
}
END_TEST

START_TEST(words)
{
    struct view_words split;

    view_words_split(&split, "a  b[1, 2] 'c d' ");
    ck_assert_uint_eq(split.count, 3);
    ck_assert_str_eq(split.all[0], "a");
    ck_assert_str_eq(split.all[1], "b[1, 2]");
    ck_assert_str_eq(split.all[2], "'c d'");
    view_words_free(&split);
    view_words_split(&split, " \t ");
    ck_assert_uint_eq(split.count, 0);
    view_words_split(&split, ")] (a");
    ck_assert_uint_eq(split.count, 2);
    view_words_free(&split);
}
END_TEST

START_TEST(abbreviations)
{
    front_expect(&front, "say", "-j", "json");
    front_expect(&front, "say", "--json", "json");
    front_expect(&front, "say", "--min 4K", "text min-size=4K");
    front_expect(&front, "say", "-m 4K", "text min-size=4K");
    front_refuses(&front, "say", "-sta 1", "-sta is ambiguous: -stack or -state.");
    front_refuses(&front, "say", "-c 1", "-c is ambiguous: -core or -context or -columns.");
    front_expect(&front, "say", "-json -- -kind", "json [-kind]");
}
END_TEST

START_TEST(faults)
{
    front_refuses(&front, "say", "-foo", "opencl say has no option -foo: try `help opencl say`.");
    front_refuses(&front, "say", "-kind", "-kind needs an argument.");
    front_refuses(&front, "say", "x -context", "-context needs an argument.");
    front_refuses(&front, "say", "-kind buffer -kind pipe", "-kind is given more than once.");
    front_refuses(&front, "say", "-stack 1 -sta", "ambiguous");
    front_refuses(&front, "say", "-stack 1 -stac 2", "-stack is given more than once.");
    front_refuses(&front, "say", "-stack endless", "No stack is endless.");
    front_refuses(&front, "memobjs", "x", "opencl memobjs takes no argument, but 'x' was given.");
    front_refuses(&front, "memobj", "", "opencl memobj needs an expression: try");
    front_refuses(&front, "memobj", "x -kind buffer", "has no option -kind");
    front_refuses(&front, "contexts", "-kind buffer", "has no option -kind");
    front_refuses(&front, "overview", "-limit 3", "has no option -limit");
    front_refuses(&front, "say", "-limit 3 -json",
                  "-limit applies to tables only; JSON is never truncated.");
    front_refuses(&front, "say", "-limit 0", "-limit: '0' is not a number of rows.");
    front_refuses(&front, "say", "-limit -1", "'-1' is not a number of rows.");
    front_refuses(&front, "say", "-limit 99999999999999999999", "is not a number of rows.");
    ck_assert(!front.is_begun);
    front_expect(&front, "say", "-json -json", "json");
}
END_TEST

START_TEST(unknown_verbs)
{
    front_refuses(&front, "memobs", "", "Unknown verb 'memobs' (did you mean `memobjs`?)");
    front_refuses(&front, "thread", "", "(did you mean `threads`?): try `help opencl`.");
    front_refuses(&front, "svmfrees", "", "(did you mean `svm-frees`?)");
    front_refuses(&front, "sai", "", "(did you mean `say`?)");
    /* Of a short word too little is left. */
    front_refuses(&front, "xyz", "", "Unknown verb 'xyz': try");
    front_refuses(&front, "say1", "", "(did you mean `say`?)");
    front_refuses(&front, "sv", "", "Unknown verb 'sv': try");
    /* What was typed is escaped. */
    front_refuses(&front, "a\x1b[2J\\", "", "Unknown verb 'a\\x1b[2J\\\\': try");
    front_refuses(&front, "xyzzy", "", "Unknown verb 'xyzzy': try `help opencl`.");
    ck_assert_ptr_null(strstr(front_message(&front), "mean"));
}
END_TEST

/* A front end may refuse before anything is read. */
START_TEST(begin_refuses)
{
    front.refusal = ompd_view_exit_unreadable;
    front.why = "There is no process";
    ck_assert_int_eq(front_line(&front, "say", ""), ompd_view_exit_unreadable);
    ck_assert_str_eq(front_message(&front), "There is no process.");
    front.why = NULL;
    ck_assert_int_eq(front_line(&front, "say", ""), ompd_view_exit_unreadable);
    ck_assert_uint_gt(strlen(front_message(&front)), 0);
    front.refusal = ompd_view_exit_ok;
    front_expect(&front, "say", "", "text");
}
END_TEST

/* ---- Words of a shell ------------------------------------------------------------------------ */

#define WORDS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static void set_up_shell(void)
{
    front_begin(&front);
    front.front_end.verb_prefix = NULL;
    front.front_end.option_prefix = "--";
    front.front_end.usage = "tool [OPTION...] ";
    front.front_end.help_before = "tool";
    front.front_end.help_after = " --help";
    front.front_end.version = "tool 7";
    front.front_end.takes_expressions = false;
    front_open(&front);
}

static void expect_words(const char *const *shell, const char *text)
{
    ompd_view_exit_t code = front_words(&front, shell);

    ck_assert_msg(code == ompd_view_exit_ok, "%s: %s", shell[0], front_message(&front));
    ck_assert_str_eq(front.text, text);
}

static void refuses_words(const char *const *shell, const char *said)
{
    ck_assert_int_eq(front_words(&front, shell), ompd_view_exit_usage);
    ck_assert_msg(strstr(front_message(&front), said) != NULL, "\"%s\" does not say \"%s\"",
                  front_message(&front), said);
}

START_TEST(shell)
{
    expect_words(WORDS("say", "--kind=buffer", "--json"), "json kind=buffer");
    expect_words(WORDS("--kind", "buffer", "say", "0x10"), "text kind=buffer [0x10]");
    expect_words(WORDS("--stat=live", "say"), "text state=live");
    expect_words(WORDS("do", "ls", "-l", "--json"), "text [ls] [-l] [--json]");
    expect_words(WORDS("do", "--", "--json"), "text [--json]");
    expect_words(WORDS("do", "a b", ""), "text [a b] []");
    expect_words(WORDS("--version"), "tool 7\n");
    expect_words(WORDS("say", "--origin", "0x10"), "text stack=not given [0x10]");
    expect_words(WORDS("say", "--origin=here", "0x10"), "text stack=here [0x10]");
    refuses_words(WORDS("--origin=", "say"), "--origin needs an argument.");
    refuses_words(WORDS("--origin", "--origin=a", "say"), "--origin is given more than once.");
    refuses_words(WORDS("--stack=3", "memobjs"), "memobjs has no option --stack");
    refuses_words(WORDS("--json=yes", "say"), "--json takes no argument.");
    refuses_words(WORDS("--kind=", "say"), "--kind needs an argument.");
    refuses_words(WORDS("--core", "a", "--core=b", "say"), "--core is given more than once.");
    refuses_words(WORDS("-j", "say"), "Unknown option -j");
    refuses_words(WORDS("--colour", "say"), "Unknown option --colour: try `tool --help`.");
    refuses_words(WORDS("memobj"), "memobj needs HANDLE: try `tool memobj --help`.");
    refuses_words(WORDS("memobj", "1", "2"), "memobj takes one argument; unexpected '2'.");
    refuses_words(WORDS("say", ""), "Empty argument");
    refuses_words(WORDS("memobj", "twelve"), "'twelve' is not a handle");
    refuses_words((const char *const[]){NULL}, "A verb is missing: try `tool --help`.");
}
END_TEST

START_TEST(shell_help)
{
    expect_words(WORDS("say", "--help"), ompd_view_help_get(front.view, "say"));
    ck_assert_ptr_nonnull(strstr(front.text, "\nUsage: tool [OPTION...] say [HANDLE]\n"));
    ck_assert_ptr_nonnull(strstr(front.text, "--kind NAME[,NAME...]"));
    expect_words(WORDS("--help"), ompd_view_help_get(front.view, NULL));
}
END_TEST

/* Words that people type lead to a verb, and help is where they look for it. */
START_TEST(other_words)
{
    static const struct {
        const char *word;
        const char *verb;
    } aliases[] = {{"status", "overview"}, {"objects", "memory"}, {"buffers", "memobjs"},
                   {"buffer", "memobj"},   {"hang", "waits"},     {"deadlock", "waits"},
                   {"mistakes", "check"},  {"leak", "leaks"}};
    static char told[FRONT_TEXT];
    const char *found;

    for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
        ck_assert_ptr_nonnull(ompd_view_help_get(front.view, aliases[i].word));
        strcpy(told, ompd_view_help_get(front.view, aliases[i].verb));
        front_expect(&front, aliases[i].verb, "-h", told);
        front_expect(&front, aliases[i].word, "--help", told);
    }
    strcpy(told, ompd_view_help_get(front.view, "say"));
    front_expect(&front, "help", "say", told);
    strcpy(told, ompd_view_help_get(front.view, "waits"));
    front_expect(&front, "help", "deadlock", told);
    front_refuses(&front, "help", "xyzzy", "Unknown verb 'xyzzy'");
    front_refuses(&front, "help", "help", "Unknown verb 'help'");
    strcpy(told, ompd_view_help_get(front.view, NULL));
    front_expect(&front, "help", "", told);
    /* Each verb has its place in help once, those that find mistakes the first. */
    found = strstr(told, "\nFind a bug:\n  check ");
    ck_assert_ptr_nonnull(found);
    ck_assert_ptr_nonnull(strstr(found, "\nOther verbs:\n  say "));
    for (size_t i = 0; ompd_view_verb_get(front.view, i) != NULL; i++) {
        char line[64];

        snprintf(line, sizeof(line), "\n  %s ", ompd_view_verb_get(front.view, i)->name);
        found = strstr(told, line);
        ck_assert_msg(found != NULL && strstr(found + 1, line) == NULL, "%s", line);
    }
}
END_TEST

/* However many options there are, each is given once, and to a verb that takes it. */
START_TEST(many_options)
{
    static char options[100][16]; /* options, with the text before them */
    static ompd_view_option_t many[100];

    for (size_t i = 0; i < 100; i++) {
        snprintf(options[i], sizeof(options[i]), "--many%02zu", i % 100);
        many[i] = front.front_end.options[i % 2];
        many[i].name = options[i] + 2;
    }
    front_close(&front);
    front.front_end.options = many;
    front.front_end.option_count = 100;
    front.front_end.option_prefix = "--";
    front_open(&front);
    for (size_t i = 0; i < 100; i += 2) {
        refuses_words(WORDS("say", options[i], "1", options[i], "2"), "is given more than once.");
        refuses_words(WORDS(options[i], "1", "memobjs"), "memobjs has no option --many");
    }
}
END_TEST

/* ---- Help and completion --------------------------------------------------------------------- */

/* What help says of VERB, NULL for all, in one line: no line is broken but at blanks. */
static const char *help_of(const char *verb)
{
    static char line[16384];
    const char *text = ompd_view_help_get(front.view, verb);
    size_t length = 0;

    front_expect_printable(text);
    ck_assert_uint_lt(strlen(text), sizeof(line));
    for (size_t width = 0; *text != '\0'; text++) {
        width = *text == '\n' ? 0 : width + 1;
        ck_assert_uint_le(width, 80);
        if ((*text != ' ' && *text != '\n') || (length != 0 && line[length - 1] != ' '))
            line[length++] = *text == '\n' ? ' ' : *text;
    }
    line[length] = '\0';
    return line;
}

START_TEST(help)
{
    const ompd_view_verb_t *verb;

    ck_assert_ptr_null(ompd_view_help_get(front.view, "memobsj"));
    for (size_t i = 0; (verb = ompd_view_verb_get(front.view, i)) != NULL; i++) {
        const char *text = help_of(verb->name);

        ck_assert_int_eq(strncmp(text, verb->summary, strlen(verb->summary)), 0);
        text = help_of(NULL);
        ck_assert_ptr_nonnull(strstr(text, verb->name));
        ck_assert_ptr_nonnull(strstr(text, verb->summary));
    }
    ck_assert_ptr_nonnull(strstr(help_of("memobj"), "memobjs#3"));
    ck_assert_ptr_nonnull(strstr(help_of("memobjs"), "Names for -kind: buffer, sub-buffer,"));
    ck_assert_ptr_nonnull(
        strstr(help_of("memobjs"), "Names for -columns, -sort and -group: handle, kind, size,"));
    ck_assert_ptr_nonnull(strstr(
        help_of("memobjs"), "Narrow tables drop columns in this order: references, context, "));
    ck_assert_ptr_nonnull(
        strstr(help_of("memobjs"), "Wide tables add these columns: parent, origin, "));
    ck_assert_ptr_nonnull(strstr(help_of("memobjs"), "what follows CL_MEM_: RW READ_WRITE, WO "));
    ck_assert_ptr_nonnull(strstr(help_of("threads"), "`set opencl limit`"));
    ck_assert_ptr_null(strstr(help_of("ask"), "-kind"));
}
END_TEST

/* What completes ARGUMENTS, behind `memobjs`, is EXPECTED, with a blank behind each. */
static void completes(const char *verb, const char *arguments, const char *expected,
                      bool expression)
{
    char all[512] = "";
    bool is_expression = !expression;
    const char *one;

    for (size_t i = 0;
         (one = ompd_view_completion_get(front.view, verb, arguments, i, &is_expression)) != NULL;
         i++) {
        ck_assert_uint_lt(strlen(all) + strlen(one) + 2, sizeof(all));
        strcat(strcat(all, one), " ");
    }
    ck_assert_str_eq(all, expected);
    ck_assert_int_eq(is_expression, expression);
}

START_TEST(completion)
{
    completes("memobjs", "-",
              "-core -json -context -kind -min-size -state -columns -sort -group -limit ", false);
    completes("memobjs", "",
              "-core -json -context -kind -min-size -state -columns -sort -group -limit ", false);
    completes("memobjs", "-ki", "-kind ", false);
    completes("memobjs", "-min-s", "-min-size ", false);
    completes("memobjs", "-json -k", "-kind ", false);
    completes("memobjs", "-json -j", "", false);
    completes("memobjs", "-kind b", "buffer ", false);
    completes("memobjs", "-kind buffer,image2d", "buffer,image2d buffer,image2d_array ", false);
    completes("memobjs", "-state ", "live app-released destroying ", false);
    completes("memobjs", "-context c", "", true);
    completes("memobjs", "-min-size 4", "", false);
    completes("memobjs", "-sort si", "size ", false);
    completes("memobjs", "-sort -si", "-size ", false);
    completes("memobjs", "-columns kind,host", "kind,host_pointer ", false);
    completes("memobjs", "-group par", "parent ", false);
    completes("memobj", "b", "", true);
    completes("memobj", "-", "-core -json -contents -as -rows -image ", false);
    completes("say", "-sta", "-stack -state ", false);
    completes("say", "-origin -sta", "-stack -state ", false);
    completes("memobsj", "-", "", false);
}
END_TEST

/* ---- Values ---------------------------------------------------------------------------------- */

/* The bits of the filter by kinds that WORDS are; 0 when they make no sense. */
static uint64_t kinds_of(const char *names)
{
    ompd_cl_filter_t filter;

    front.view->failure = ompd_view_exit_ok;
    text_clear(&front.view->message);
    front.view->options = (struct view_options){.kinds = names};
    if (!view_filter_get(front.view, view_kind_get(ompd_cl_kind_memobj), &filter))
        return 0;
    ck_assert_uint_ne(filter.kinds, 0);
    return filter.kinds;
}

#define BIT(kind) (UINT64_C(1) << ompd_cl_memobj_##kind)

START_TEST(names)
{
    static const char *const wrong[] = {"pipes", "", "buffer,", ",buffer", "b\x1b[m"};

    ck_assert_uint_eq(kinds_of("buffer"), BIT(buffer));
    ck_assert_uint_eq(kinds_of("buff"), BIT(buffer));
    ck_assert_uint_eq(kinds_of("image1d"), BIT(image1d));
    ck_assert_uint_eq(kinds_of("image2,pipe"), BIT(image2d) | BIT(image2d_array) | BIT(pipe));
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        ck_assert_uint_eq(kinds_of(wrong[i]), 0);
        ck_assert_ptr_nonnull(strstr(front_message(&front), "; choose from buffer, sub-buffer,"));
    }
}
END_TEST

START_TEST(sizes)
{
    static const struct {
        const char *word;
        uint64_t bytes;
    } right[] = {{"0", 0},
                 {"4096", 4096},
                 {"64K", 65536},
                 {"1m", 1 << 20},
                 {"2GiB", UINT64_C(2) << 30},
                 {"0x10", 16},
                 {"3 kb", 3072},
                 {"7B", 7},
                 {"16777215T", UINT64_C(16777215) << 40}};
    static const char *const wrong[] = {"",    "K",   "-1",        "1.5M",
                                        "4X",  "+1",  " 1K",       "0x",
                                        "4KK", "1T1", "16777216T", "18446744073709551616"};
    uint64_t bytes;

    for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
        ck_assert_msg(size_parse(right[i].word, &bytes), "%s", right[i].word);
        ck_assert_uint_eq(bytes, right[i].bytes);
    }
    bytes = 42;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        ck_assert_msg(!size_parse(wrong[i], &bytes), "%s", wrong[i]);
    ck_assert_uint_eq(bytes, 42);
    front_refuses(&front, "memobjs", "-min-size 1.5M", "-min-size: '1.5M' is not a size; use");
}
END_TEST

START_TEST(bytes)
{
    static const struct {
        uint64_t bytes;
        const char *short_text;
        const char *whole_text;
    } sizes_known[] = {
        {0, "0 B", "0 B"},
        {1023, "1023 B", "1023 B"},
        {1024, "1 KiB", "1024 B (1 KiB)"},
        {5000, "4.9 KiB", "5000 B (about 4.9 KiB)"},
        {196608, "192 KiB", "196608 B (192 KiB)"},
        {1288490188, "1.2 GiB", "1288490188 B (about 1.2 GiB)"},
        {UINT64_MAX, "16 EiB", "18446744073709551615 B (about 16 EiB)"},
    };
    struct text text = {0};

    for (size_t i = 0; i < sizeof(sizes_known) / sizeof(sizes_known[0]); i++) {
        text_clear(&text);
        size_format(&text, sizes_known[i].bytes);
        ck_assert_str_eq(text_get(&text), sizes_known[i].short_text);
        text_clear(&text);
        size_describe(&text, sizes_known[i].bytes);
        ck_assert_str_eq(text_get(&text), sizes_known[i].whole_text);
    }
    text_free(&text);
}
END_TEST

START_TEST(platforms)
{
    static const char *const known[][3] = {
        {"PoCL", "OpenCL 3.0 PoCL 3.1+debian  Linux, LLVM 15.0.6", "PoCL 3.1+debian (OpenCL 3.0)"},
        {"Oclgrind", "OpenCL 3.0 (Oclgrind 21.10)", "Oclgrind 21.10 (OpenCL 3.0)"},
        {"rusticl", "OpenCL 3.0 ", "rusticl (OpenCL 3.0)"},
        {"rusticl", "OpenCL 3.0", "rusticl (OpenCL 3.0)"},
        {"odd", "what", "odd"},
        {"odd", "OpenCL 3.", "odd"},
        {"", "", "unnamed platform"},
    };
    struct text text = {0};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        text_clear(&text);
        view_platform_describe(known[i][0], known[i][1], &text);
        ck_assert_str_eq(text_get(&text), known[i][2]);
    }
    text_free(&text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-options");
    TCase *lines = tcase_create("lines");
    TCase *shells = tcase_create("words of a shell");

    tcase_add_checked_fixture(lines, set_up, tear_down);
    tcase_add_test(lines, any_order);
    tcase_add_test(lines, expressions_keep_their_blanks);
    tcase_add_test(lines, words);
    tcase_add_test(lines, abbreviations);
    tcase_add_test(lines, faults);
    tcase_add_test(lines, many_options);
    tcase_add_test(lines, unknown_verbs);
    tcase_add_test(lines, begin_refuses);
    tcase_add_test(lines, help);
    tcase_add_test(lines, other_words);
    tcase_add_test(lines, completion);
    tcase_add_test(lines, names);
    tcase_add_test(lines, sizes);
    tcase_add_test(lines, bytes);
    tcase_add_test(lines, platforms);
    suite_add_tcase(suite, lines);
    tcase_add_checked_fixture(shells, set_up_shell, tear_down);
    tcase_add_test(shells, shell);
    tcase_add_test(shells, shell_help);
    suite_add_tcase(suite, shells);
    return suite_run(suite);
}
