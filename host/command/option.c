/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See option.h. */
#include <host/command/option.h>

#include <errno.h>
#include <getopt.h>
#include <host/command/size.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_SECONDS 60 /* for each step of a runtime that is learned */
#define MOST_SECONDS 86400

enum option_number {
    option_pid,
    option_core,
    option_exe,
    option_sysroot,
    option_no_stop,
    option_debuginfod,
    option_memory_limit,
    option_json,
    option_output,
    option_time_limit,
    option_context,
    option_kind,
    option_min_size,
    option_state,
    option_limit,
    option_help,
    option_version,
    option_count
};

const struct command_option command_options_known[] = {
    [option_pid] = {"pid", "N", "look at this process, which stands still meanwhile", NULL, true,
                    false},
    [option_core] = {"core", "FILE", "look at this core file", NULL, true, false},
    [option_exe] = {"exe", "FILE", "the core's program, when it is not where the core says", NULL,
                    true, false},
    [option_sysroot] = {"sysroot", "DIR", "where a core's files lie, when of another machine", NULL,
                        true, false},
    [option_no_stop] = {"no-stop", NULL, "let the process run on; the picture may be torn", NULL,
                        true, false},
    [option_debuginfod] = {"debuginfod", NULL, "fetch debug information that is not here", NULL,
                           true, false},
    [option_memory_limit] = {"memory-limit", "SIZE", "use at most N[K|M|G] bytes for the answer",
                             NULL, true, false},
    [option_json] = {"json", NULL, "print JSON Lines: one object a line, never cut", NULL, false,
                     false},
    [option_output] = {"output", "FILE", "write the report, or the layout, there", NULL, false,
                       false},
    [option_time_limit] = {"time-limit", "SECONDS", "wait so long for each step of a runtime", NULL,
                           false, false},
    [option_context] = {"context", "HANDLE", "only those of this OpenCL context", "context", false,
                        true},
    [option_kind] = {"kind", "NAME[,NAME...]", "only these kinds", "kind", false, true},
    [option_min_size] = {"min-size", "SIZE", "only those of at least N[K|M|G] bytes", "size", false,
                         true},
    [option_state] = {"state", "NAME[,NAME...]", "only those in these states", "state", false,
                      true},
    [option_limit] = {"limit", "N", "show a table of at most N rows", NULL, false, true},
    [option_help] = {"help", NULL, "explain the command, or with VERB the verb", NULL, false,
                     false},
    [option_version] = {"version", NULL, "tell the version", NULL, false, false},
};
const size_t command_option_count = option_count;

/* Whether it says how to read a core, whichever it is. */
static bool is_of_any_core(const struct command_option *option)
{
    switch (option - command_options_known) {
    case option_exe:
    case option_sysroot:
    case option_debuginfod:
    case option_memory_limit:
        return true;
    default:
        return false;
    }
}

bool command_option_is_for(const struct command_option *option, const struct command_verb *verb)
{
    if (option == &command_options_known[option_output])
        return verb->writes_file;
    if (option == &command_options_known[option_time_limit])
        return verb->has_time_limit;
    if (option->is_of_target)
        return verb->takes_target || (verb->opens_cores && is_of_any_core(option));
    if (!option->is_of_list)
        return true;
    if (!verb->takes_filters)
        return false;
    return option->field == NULL ||
           command_kind_field(command_kind_get(verb->kind), option->field) != NULL;
}

static bool refuse(struct command_text *why, const char *option, const char *word,
                   const char *advice)
{
    command_text_add(why, "--%s: %s is no %s.", option, word, advice);
    return false;
}

/* A number from 1 on. */
static bool parse_number(const char *word, uint64_t most, uint64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoull(word, &end, 10);
    return word[0] >= '0' && word[0] <= '9' && *end == '\0' && errno == 0 && *number >= 1 &&
           *number <= most;
}

/* Take the option NUMBER with its argument WORD, NULL for one without. */
static bool take_option(struct command_line *line, enum option_number number, const char *word,
                        struct command_text *why)
{
    struct command_options *options = &line->options;
    const char *name = command_options_known[number].name;
    uint64_t value;

    if (word != NULL && word[0] == '\0') {
        command_text_add(why, "--%s needs an argument.", name);
        return false;
    }
    options->is_filtered |= command_options_known[number].field != NULL;
    switch (number) {
    case option_pid:
        if (!parse_number(word, INT_MAX, &value))
            return refuse(why, name, word, "process id");
        options->pid = (pid_t)value;
        return true;
    case option_core:
        options->core = word;
        return true;
    case option_exe:
        options->executable = word;
        return true;
    case option_sysroot:
        options->sysroot = word;
        return true;
    case option_no_stop:
        options->leaves_running = true;
        return true;
    case option_debuginfod:
        options->asks_debuginfod = true;
        return true;
    case option_memory_limit:
        if (!command_size_parse(word, &options->memory_limit) || options->memory_limit == 0)
            return refuse(why, name, word, "size; write a number, or one with K, M or G behind it");
        return true;
    case option_json:
        options->is_json = true;
        return true;
    case option_output:
        options->output = word;
        return true;
    case option_time_limit:
        if (!parse_number(word, MOST_SECONDS, &options->time_limit))
            return refuse(why, name, word, "number of seconds");
        return true;
    case option_context:
        options->context = word;
        return true;
    case option_kind:
        options->kinds = word;
        return true;
    case option_min_size:
        options->min_size = word;
        return true;
    case option_state:
        options->states = word;
        return true;
    case option_limit:
        if (!parse_number(word, UINT64_MAX - 1, &options->limit))
            return refuse(why, name, word, "number of rows");
        return true;
    case option_help:
        line->asks_help = true;
        return true;
    case option_version:
        line->asks_version = true;
        return true;
    default:
        return false;
    }
}

/* Take one word that is no option.  Returns whether those that follow may be options. */
static bool take_word(struct command_line *line, char *word, struct command_text *why)
{
    bool is_of_program =
        line->verb != NULL && line->verb->keeps_options && line->operand_count != 0;

    if (word[0] == '\0' && !is_of_program) {
        command_text_add(why, "An argument is empty: try `ompd-opencl --help`.");
        return false;
    }
    if (line->verb != NULL) {
        line->operands[line->operand_count++] = word;
        return !line->verb->keeps_options;
    }
    line->verb = command_verb_find(word);
    if (line->verb == NULL)
        command_text_add(why, "There is no verb %s: try `ompd-opencl --help`.", word);
    return true;
}

/* Add "--memory-limit or --min-size": the options that begin like WORD.  Returns how many. */
static size_t add_alike(const char *word, struct command_text *text)
{
    size_t count = 0;

    for (size_t i = 0; strncmp(word, "--", 2) == 0 && i < command_option_count; i++)
        if (strncmp(command_options_known[i].name, word + 2, strcspn(word + 2, "=")) == 0)
            command_text_add(text, "%s--%s", count++ != 0 ? " or " : "",
                             command_options_known[i].name);
    return count;
}

/* Say what is wrong with the option that getopt_long came to in WORD. */
static bool refuse_option(int result, const char *word, struct command_text *why)
{
    struct command_text alike = {0};

    if (result == ':')
        command_text_add(why, "%s needs an argument.", word);
    else if (optopt >= option_count)
        command_text_add(why, "There is no option -%c: try `ompd-opencl --help`.", optopt);
    else if (optopt != 0)
        command_text_add(why, "--%s takes no argument.", command_options_known[optopt].name);
    else if (add_alike(word, &alike) > 1)
        command_text_add(why, "%s is ambiguous: %s.", word, alike.bytes);
    else
        command_text_add(why, "There is no option %s: try `ompd-opencl --help`.", word);
    command_text_free(&alike);
    return false;
}

/* Whether what is given of the target is about that kind of target. */
static bool check_target(const bool *given, struct command_text *why)
{
    static const enum option_number of_cores[] = {option_exe, option_sysroot};

    if (given[option_core] && given[option_no_stop]) {
        command_text_add(why, "--no-stop is for a process, not for a core.");
        return false;
    }
    for (size_t i = 0; i < sizeof(of_cores) / sizeof(of_cores[0]); i++)
        if (given[option_pid] && given[of_cores[i]]) {
            command_text_add(why, "--%s is for a core, not for a process.",
                             command_options_known[of_cores[i]].name);
            return false;
        }
    return true;
}

/* Whether the verb takes the options that were given. */
static bool check_options(const struct command_line *line, const bool *given,
                          struct command_text *why)
{
    for (size_t i = 0; i < command_option_count; i++)
        if (given[i] && line->verb != NULL &&
            !command_option_is_for(&command_options_known[i], line->verb)) {
            command_text_add(why, "%s has no option --%s: try `ompd-opencl %s --help`.",
                             line->verb->name, command_options_known[i].name, line->verb->name);
            return false;
        }
    if (given[option_limit] && given[option_json]) {
        command_text_add(why, "--limit is for tables: JSON is never cut.");
        return false;
    }
    return check_target(given, why);
}

/* Whether there are as many operands as the verb's description of them says. */
static bool check_operands(const struct command_line *line, struct command_text *why)
{
    const char *operand = line->verb->operand;
    bool is_optional = operand == NULL || operand[0] == '[';
    bool may_be_many = operand != NULL && strstr(operand, "...") != NULL;

    if (line->operand_count == 0 && !is_optional) {
        command_text_add(why, "%s needs %s: try `ompd-opencl %s --help`.", line->verb->name,
                         operand, line->verb->name);
        return false;
    }
    if (operand == NULL && line->operand_count != 0) {
        command_text_add(why, "%s takes no argument %s.", line->verb->name, line->operands[0]);
        return false;
    }
    if (!may_be_many && line->operand_count > 1) {
        command_text_add(why, "%s takes one argument, not also %s.", line->verb->name,
                         line->operands[1]);
        return false;
    }
    return true;
}

/* Take all words; GIVEN gets which options were among them. */
static bool take_words(struct command_line *line, int argc, char **argv, bool *given,
                       struct command_text *why)
{
    struct option long_options[option_count + 1] = {0};
    bool may_be_option = true;

    for (int i = 0; i < option_count; i++)
        long_options[i] = (struct option){
            .name = command_options_known[i].name,
            .has_arg = command_options_known[i].argument != NULL ? required_argument : no_argument,
            .val = i,
        };
    opterr = 0;
    optind = 0;
    for (;;) {
        int before = optind;
        int result = may_be_option ? getopt_long(argc, argv, "+:", long_options, NULL) : -1;

        if (result == '?' || result == ':')
            return refuse_option(result, argv[optind - 1], why);
        if (result >= 0) {
            if (given[result] && command_options_known[result].argument != NULL) {
                command_text_add(why, "--%s is given twice.", command_options_known[result].name);
                return false;
            }
            given[result] = true;
            if (!take_option(line, (enum option_number)result, optarg, why))
                return false;
            continue;
        }
        if (optind >= argc)
            return true;
        if (may_be_option && optind > before && strcmp(argv[optind - 1], "--") == 0)
            may_be_option = false;
        else if (!take_word(line, argv[optind++], why))
            may_be_option = false;
        if (why->length != 0)
            return false;
    }
}

bool command_line_parse(struct command_line *line, int argc, char **argv, struct command_text *why)
{
    bool given[option_count] = {0};

    *line = (struct command_line){.options = {.limit = UINT64_MAX, .time_limit = USUAL_SECONDS},
                                  .operands = argv};
    if (!take_words(line, argc, argv, given, why))
        return false;
    if (line->asks_help || line->asks_version)
        return true;
    if (line->verb == NULL) {
        command_text_add(why, "Say what to show: try `ompd-opencl --help`.");
        return false;
    }
    return check_options(line, given, why) && check_operands(line, why);
}
