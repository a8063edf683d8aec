/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session/session.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

#define MOST_SECONDS 86400

#define ANY_CORE (OMPD_VIEW_GROUP_TARGET | COMMAND_GROUP_CORES)

const ompd_view_option_t command_options_known[COMMAND_OPTIONS] = {
    {"pid", "N", "look at this process, which stands still meanwhile", OMPD_VIEW_GROUP_TARGET},
    {"core", "FILE", "look at this core file", OMPD_VIEW_GROUP_TARGET},
    {"exe", "FILE", "the core's program, when it is not where the core says", ANY_CORE},
    {"sysroot", "DIR", "where a core's files lie, when of another machine", ANY_CORE},
    {"no-files", NULL, "open none of the files that a core names", ANY_CORE},
    {"no-sandbox", NULL, "read cores in this process, with all its rights", ANY_CORE},
    {"no-stop", NULL, "let the process run on; the picture may be torn", OMPD_VIEW_GROUP_TARGET},
    {"every", "TIME", "look at the process again each so often, as 5s or 500ms",
     OMPD_VIEW_GROUP_TARGET},
    {"debuginfod", NULL, "fetch debug information that is not here", ANY_CORE},
    {"memory-limit", "SIZE", "use at most N[K|M|G] bytes for the answer", ANY_CORE},
    {"output", "FILE", "write the report, or the layout, there", COMMAND_GROUP_FILE},
    {"baseline", "FILE", "do not tell of what this file names", COMMAND_GROUP_RUN},
    {"write-baseline", "FILE", "name in this file all that is left", COMMAND_GROUP_RUN},
    {"errors", "WHAT", "ignore: do not tell of calls that were refused", COMMAND_GROUP_RUN},
    {"children", "WHAT", "ignore: do not follow processes that it makes", COMMAND_GROUP_RUN},
    {"suppress", "PLACE", "do not tell of what is made there; may be repeated",
     COMMAND_GROUP_RUN | OMPD_VIEW_OPTION_REPEATS},
    {"group", NULL, "count cores that ended alike, and show where those that hang wait",
     COMMAND_GROUP_TRIAGE},
    {"any-program", NULL, "with --group: count cores of several programs together",
     COMMAND_GROUP_TRIAGE},
    {"journal", "[=PATH]", "tell what the journal knows, too; without CORE of all it names",
     COMMAND_GROUP_TRIAGE},
    {"time-limit", "SECONDS", "wait so long for each step of a runtime", COMMAND_GROUP_TIME_LIMIT},
};

/* A number from 1 on. */
static bool parse_number(const char *word, uint64_t most, uint64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoull(word, &end, 10);
    return word[0] >= '0' && word[0] <= '9' && *end == '\0' && errno == 0 && *number >= 1 &&
           *number <= most;
}

/* A number of milliseconds, from 1 to a day, written with ms, s, m or h behind it. */
static bool parse_time(const char *word, uint64_t *milliseconds)
{
    static const struct {
        const char *unit;
        uint64_t milliseconds;
    } units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}};
    char digits[16] = "";
    size_t length = strspn(word, "0123456789");
    uint64_t number;

    if (length >= sizeof(digits))
        return false;
    memcpy(digits, word, length);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(word + length, units[i].unit) != 0)
            continue;
        *milliseconds = units[i].milliseconds;
        if (!parse_number(digits, MOST_SECONDS * UINT64_C(1000) / *milliseconds, &number))
            return false;
        *milliseconds *= number;
        return true;
    }
    return false;
}

static const char *refuse(struct command_session *session, const char *option, const char *word,
                          const char *advice)
{
    text_clear(&session->answer);
    text_add(&session->answer, "--%s: %s is no %s.", option, word, advice);
    return session->answer.bytes;
}

static void suppress(struct command_options *options, const char *place)
{
    options->suppressed =
        heap_grow(options->suppressed, options->suppressed_count, sizeof(options->suppressed[0]));
    options->suppressed[options->suppressed_count++] = place;
}

const char *command_option_take(void *user_ptr, const ompd_view_option_t *option, const char *word)
{
    struct command_session *session = user_ptr;
    struct command_options *options = &session->options;
    const char *name = option->name;
    uint64_t value;

    if (strcmp(name, "pid") == 0) {
        if (!parse_number(word, INT_MAX, &value))
            return refuse(session, name, word, "process id");
        options->pid = (pid_t)value;
    } else if (strcmp(name, "core") == 0) {
        options->core = word;
    } else if (strcmp(name, "exe") == 0) {
        options->executable = word;
    } else if (strcmp(name, "sysroot") == 0) {
        options->sysroot = word;
    } else if (strcmp(name, "no-files") == 0) {
        options->opens_no_files = true;
    } else if (strcmp(name, "no-sandbox") == 0) {
        options->is_unconfined = true;
    } else if (strcmp(name, "group") == 0) {
        options->groups_cores = true;
    } else if (strcmp(name, "any-program") == 0) {
        options->mixes_programs = true;
    } else if (strcmp(name, "journal") == 0) {
        options->asks_journal = true;
        options->journal = word;
    } else if (strcmp(name, "no-stop") == 0) {
        options->leaves_running = true;
    } else if (strcmp(name, "debuginfod") == 0) {
        options->asks_debuginfod = true;
    } else if (strcmp(name, "memory-limit") == 0) {
        if (!size_parse(word, &options->memory_limit) || options->memory_limit == 0)
            return refuse(session, name, word,
                          "size; write a number, or one with K, M or G behind it");
    } else if (strcmp(name, "every") == 0) {
        if (!parse_time(word, &options->every))
            return refuse(session, name, word,
                          "time; write a number with ms, s, m or h behind it, at most a day");
    } else if (strcmp(name, "output") == 0) {
        options->output = word;
    } else if (strcmp(name, "baseline") == 0) {
        options->baseline = word;
    } else if (strcmp(name, "write-baseline") == 0) {
        options->new_baseline = word;
    } else if (strcmp(name, "suppress") == 0) {
        suppress(options, word);
    } else if (strcmp(name, "errors") == 0) {
        if (strcmp(word, "ignore") != 0 && strcmp(word, "report") != 0)
            return refuse(session, name, word,
                          "way to treat refused calls; write ignore or report");
        options->ignores_errors = strcmp(word, "ignore") == 0;
    } else if (strcmp(name, "children") == 0) {
        if (strcmp(word, "ignore") != 0 && strcmp(word, "follow") != 0)
            return refuse(session, name, word,
                          "way to treat processes that the program makes; write ignore or follow");
        options->ignores_children = strcmp(word, "ignore") == 0;
    } else if (!parse_number(word, MOST_SECONDS, &options->time_limit)) {
        return refuse(session, name, word, "number of seconds");
    }
    return NULL;
}

const char *command_options_check(const struct command_options *options)
{
    if (options->core != NULL && options->leaves_running)
        return "--no-stop is for a process, not for a core.";
    if (options->core != NULL && options->every != 0)
        return "--every is for a process, not for a core.";
    if (options->pid != 0 && options->executable != NULL)
        return "--exe is for a core, not for a process.";
    if (options->pid != 0 && options->sysroot != NULL)
        return "--sysroot is for a core, not for a process.";
    if (options->pid != 0 && options->opens_no_files)
        return "--no-files is for a core, not for a process.";
    if (options->pid != 0 && options->is_unconfined)
        return "--no-sandbox is for a core, not for a process.";
    if (options->mixes_programs && !options->groups_cores)
        return "--any-program is of --group, which is not given.";
    return NULL;
}
