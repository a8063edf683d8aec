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
    {"pid", "N", "process to read; stopped while it is read", OMPD_VIEW_GROUP_TARGET},
    {"core", "FILE", "core file to read", OMPD_VIEW_GROUP_TARGET},
    {"exe", "FILE", "program of the core, if not at the recorded path", ANY_CORE},
    {"sysroot", "DIR", "root of the core's files, if from another machine", ANY_CORE},
    {"no-files", NULL, "open no files that the core names", ANY_CORE},
    {"no-sandbox", NULL, "read cores without confining the reading process", ANY_CORE},
    {"no-stop", NULL, "do not stop the process; rows may be inconsistent", OMPD_VIEW_GROUP_TARGET},
    {"every", "TIME", "repeat at this interval, such as 5s or 500ms", OMPD_VIEW_GROUP_TARGET},
    {"debuginfod", NULL, "fetch missing debug information by debuginfod", ANY_CORE},
    {"sources", "NAME", "where objects come from: auto, all, recorder, layouts",
     OMPD_VIEW_GROUP_TARGET},
    {"learn", "WHEN", "learn a missing layout: auto, ask or never", OMPD_VIEW_GROUP_TARGET},
    {"memory-limit", "SIZE", "use at most N[K|M|G] bytes of memory", ANY_CORE},
    {"output", "FILE", "write the report or layout to this file", COMMAND_GROUP_FILE},
    {"baseline", "FILE", "suppress what this baseline file lists", COMMAND_GROUP_RUN},
    {"write-baseline", "FILE", "write what is left alive to this baseline file", COMMAND_GROUP_RUN},
    {"errors", "WHAT", "report or ignore refused calls", COMMAND_GROUP_RUN},
    {"check", "HOW", "thorough: also run slower checks", COMMAND_GROUP_RUN},
    {"children", "WHAT", "follow or ignore child processes", COMMAND_GROUP_RUN},
    {"stop-on-mistake", NULL, "end or stop the program at its first OpenCL mistake",
     COMMAND_GROUP_STOP},
    {"suppress", "PLACE", "ignore objects created at PLACE (repeatable)",
     COMMAND_GROUP_RUN | OMPD_VIEW_OPTION_REPEATS},
    {"group", NULL, "count similar cores, and show where hung ones wait", COMMAND_GROUP_TRIAGE},
    {"any-program", NULL, "with --group: mix cores of different programs", COMMAND_GROUP_TRIAGE},
    {"journal", "[=PATH]", "add journal data; without CORE: all listed cores",
     COMMAND_GROUP_TRIAGE},
    {"time-limit", "SECONDS", "time limit for each step of a runtime", COMMAND_GROUP_TIME_LIMIT},
};

/* Parse a number from 1 to MOST. */
static bool parse_number(const char *word, uint64_t most, uint64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoull(word, &end, 10);
    return word[0] >= '0' && word[0] <= '9' && *end == '\0' && errno == 0 && *number >= 1 &&
           *number <= most;
}

/* Parse a number with unit ms, s, m or h, as milliseconds, at most one day. */
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

/* Parse the name of a choice of sources. */
static bool sources_parse(const char *word, uint32_t *sources)
{
    static const struct {
        const char *name;
        uint32_t sources;
    } choices[] = {
        {"auto", OMPD_CL_SOURCES_DEFAULT},
        {"all", OMPD_CL_SOURCES_ALL},
        {"recorder", 1u << ompd_cl_source_recorder},
        /* Without the recorder, call stacks show which threads are in OpenCL. */
        {"layouts", 1u << ompd_cl_source_layout | 1u << ompd_cl_source_stack},
    };

    for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
        if (strcmp(choices[i].name, word) == 0) {
            *sources = choices[i].sources;
            return true;
        }
    }
    return false;
}

/* Parse when to learn a layout. */
static bool learn_parse(const char *word, enum command_learn_when *when)
{
    static const char *const names[] = {[command_learn_never] = "never",
                                        [command_learn_ask] = "ask",
                                        [command_learn_auto] = "auto"};

    for (*when = command_learn_never; *when <= command_learn_auto; (*when)++)
        if (strcmp(word, names[*when]) == 0)
            return true;
    return false;
}

static const char *option_refuse(struct command_session *session, const char *option,
                                 const char *word, const char *advice)
{
    text_clear(&session->answer);
    text_add(&session->answer, "--%s: '%s' is not a %s", option, word, advice);
    return session->answer.bytes;
}

static void suppression_record(struct command_options *options, const char *place)
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
            return option_refuse(session, name, word, "process ID");
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
            return option_refuse(session, name, word, "size; use N, NK, NM or NG");
    } else if (strcmp(name, "sources") == 0) {
        if (!sources_parse(word, &options->sources))
            return option_refuse(session, name, word, "source; use auto, all, recorder or layouts");
    } else if (strcmp(name, "learn") == 0) {
        if (!learn_parse(word, &options->learn))
            return option_refuse(session, name, word, "known value; use auto, ask or never");
    } else if (strcmp(name, "every") == 0) {
        if (!parse_time(word, &options->every))
            return option_refuse(session, name, word,
                                 "time; use Nms, Ns, Nm or Nh, at most one day");
    } else if (strcmp(name, "output") == 0) {
        options->output = word;
    } else if (strcmp(name, "baseline") == 0) {
        options->baseline = word;
    } else if (strcmp(name, "write-baseline") == 0) {
        options->new_baseline = word;
    } else if (strcmp(name, "stop-on-mistake") == 0) {
        options->stops_on_mistake = true;
    } else if (strcmp(name, "suppress") == 0) {
        suppression_record(options, word);
    } else if (strcmp(name, "errors") == 0) {
        if (strcmp(word, "ignore") != 0 && strcmp(word, "report") != 0)
            return option_refuse(session, name, word, "known value; use ignore or report");
        options->ignores_errors = strcmp(word, "ignore") == 0;
    } else if (strcmp(name, "check") == 0) {
        if (strcmp(word, "thorough") != 0 && strcmp(word, "normal") != 0)
            return option_refuse(session, name, word, "known value; use thorough or normal");
        options->check = word;
    } else if (strcmp(name, "children") == 0) {
        if (strcmp(word, "ignore") != 0 && strcmp(word, "follow") != 0)
            return option_refuse(session, name, word, "known value; use ignore or follow");
        options->ignores_children = strcmp(word, "ignore") == 0;
    } else if (!parse_number(word, MOST_SECONDS, &options->time_limit)) {
        return option_refuse(session, name, word, "number of seconds");
    }
    return NULL;
}

const char *command_options_check(const struct command_options *options)
{
    if (options->core != NULL && options->leaves_running)
        return "--no-stop applies to a process, not to a core";
    if (options->core != NULL && options->every != 0)
        return "--every applies to a process, not to a core";
    if (options->pid != 0 && options->executable != NULL)
        return "--exe applies to a core, not to a process";
    if (options->pid != 0 && options->sysroot != NULL)
        return "--sysroot applies to a core, not to a process";
    if (options->pid != 0 && options->opens_no_files)
        return "--no-files applies to a core, not to a process";
    if (options->pid != 0 && options->is_unconfined)
        return "--no-sandbox applies to a core, not to a process";
    if (options->mixes_programs && !options->groups_cores)
        return "--any-program requires --group";
    return NULL;
}
