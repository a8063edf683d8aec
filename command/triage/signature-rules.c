/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See triage.h. */
#include <command/triage/triage.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <text/heap.h>
#include <unistd.h>

#define MOST_BYTES ((size_t)256 << 10) /* of a file */
#define LONGEST_WORD 256
#define MOST_WORDS 3 /* of a rule */

/* How many words follow the first one of a rule, and whether the second is a module. */
static const struct {
    const char *word;
    size_t least;
    size_t most;
    bool has_module;
} rule_kinds[] = {
    [command_rule_skip] = {"skip", 1, 2, true},     [command_rule_begin] = {"begin", 1, 2, true},
    [command_rule_prefix] = {"prefix", 1, 2, true}, [command_rule_stop] = {"stop", 1, 2, true},
    [command_rule_name] = {"name", 2, 2, false},    [command_rule_module] = {"module", 2, 2, false},
    [command_rule_abort] = {"abort", 1, 1, false},  [command_rule_memory] = {"memory", 1, 2, false},
};

#define RULE_KINDS (sizeof(rule_kinds) / sizeof(rule_kinds[0]))

/* A file that is being read. */
struct reader {
    struct command_signature_rules *rules;
    const char *path;
    size_t line;
    bool has_number;
    struct text *why;
};

static bool rule_refuse(const struct reader *reader, const char *reason)
{
    text_add(reader->why, "%s, line %zu: %s", reader->path, reader->line, reason);
    return false;
}

/* FNV-1a of WORD and its NUL. */
static void digest_word(struct command_signature_rules *rules, const char *word)
{
    do
        rules->digest = (rules->digest ^ (unsigned char)*word) * 0x100000001b3u;
    while (*word++ != '\0');
}

static bool version_parse(struct reader *reader, char *const *words, size_t count)
{
    char *end;

    if (!reader->has_number || reader->rules->number != 0)
        return rule_refuse(reader, "only the installed list may set the version, and only once");
    if (count != 2)
        return rule_refuse(reader, "the version must be one number");
    errno = 0;
    reader->rules->number = strtoull(words[1], &end, 10);
    if (words[1][0] < '1' || words[1][0] > '9' || *end != '\0' || errno != 0)
        return rule_refuse(reader, "the version must be a positive number");
    return true;
}

/* Whether a * in the new NAME of functions has something to stand for. */
static bool is_name(const char *pattern, const char *name)
{
    return strchr(name, '*') == NULL || strchr(pattern, '*') == pattern + strlen(pattern) - 1;
}

static bool rule_parse(struct reader *reader, char *const *words, size_t count)
{
    struct command_signature_rules *rules = reader->rules;
    size_t kind = 0;

    while (kind < RULE_KINDS && strcmp(words[0], rule_kinds[kind].word) != 0)
        kind++;
    if (kind == RULE_KINDS)
        return rule_refuse(reader, "unknown signature rule");
    if (count - 1 < rule_kinds[kind].least || count - 1 > rule_kinds[kind].most)
        return rule_refuse(reader, "wrong number of words for this rule");
    if (kind == command_rule_name && !is_name(words[1], words[2]))
        return rule_refuse(reader, "a * in a name needs a pattern with a single * at its end");
    rules->all = heap_grow(rules->all, rules->count, sizeof(rules->all[0]));
    rules->all[rules->count++] = (struct command_signature_rule){
        .kind = (enum command_signature_rule_kind)kind,
        .pattern = text_copy(words[1]),
        .other = count > 2 ? text_copy(words[2]) : NULL,
    };
    for (size_t i = 0; i < MOST_WORDS; i++)
        digest_word(rules, i < count ? words[i] : "");
    return true;
}

/* Parse LINE, whose words are NUL-terminated in place. */
static bool rule_line_parse(struct reader *reader, char *line)
{
    static const char blanks[] = " \t\r";
    char *words[MOST_WORDS];
    char *rest = NULL;
    size_t count = 0;

    for (char *word = strtok_r(line, blanks, &rest); word != NULL && word[0] != '#';
         word = strtok_r(NULL, blanks, &rest)) {
        if (count == MOST_WORDS)
            return rule_refuse(reader, "too many words");
        if (strlen(word) > LONGEST_WORD)
            return rule_refuse(reader, "a word is too long");
        words[count++] = word;
    }
    if (count == 0)
        return true;
    if (strcmp(words[0], "version") == 0)
        return version_parse(reader, words, count);
    return rule_parse(reader, words, count);
}

/* Parse the lines of COPY, of SIZE bytes and a NUL. */
static bool rule_lines_parse(struct reader *reader, char *copy, size_t size)
{
    char *end = copy + size;

    if (memchr(copy, '\0', size) != NULL) {
        reader->line = 1;
        return rule_refuse(reader, "the file contains a NUL byte");
    }
    for (char *line = copy; line < end;) {
        char *next = line + strcspn(line, "\n");

        *next = '\0';
        reader->line++;
        if (!rule_line_parse(reader, line))
            return false;
        line = next + 1;
    }
    if (reader->has_number && reader->rules->number == 0)
        return rule_refuse(reader, "the list has no version");
    return true;
}

bool command_signature_rules_add(struct command_signature_rules *rules, const char *path,
                                 const char *text, size_t size, bool has_number, struct text *why)
{
    struct reader reader = {.rules = rules, .path = path, .has_number = has_number, .why = why};
    char *copy = heap_get(size + 1);
    bool is_sense;

    if (rules->digest == 0)
        rules->digest = 0xcbf29ce484222325u;
    memcpy(copy, text, size);
    is_sense = rule_lines_parse(&reader, copy, size);
    heap_free(copy);
    if (is_sense)
        snprintf(rules->version, sizeof(rules->version), "%" PRIu64 ".%08" PRIx32, rules->number,
                 (uint32_t)(rules->digest ^ rules->digest >> 32));
    else
        command_signature_rules_free(rules);
    return is_sense;
}

const struct command_signature_rule *
command_signature_rule_find(const struct command_signature_rules *rules,
                            enum command_signature_rule_kind kind, const char *name,
                            const char *module)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < rules->count; i++) {
        const struct command_signature_rule *rule = &rules->all[i];

        if (rule->kind != kind || !command_pattern_fits(rule->pattern, name, length))
            continue;
        if (rule->other == NULL || !rule_kinds[kind].has_module ||
            (module != NULL && command_pattern_fits(rule->other, module, strlen(module))))
            return rule;
    }
    return NULL;
}

void command_signature_rules_free(struct command_signature_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++) {
        heap_free(rules->all[i].pattern);
        heap_free(rules->all[i].other);
    }
    heap_free(rules->all);
    *rules = (struct command_signature_rules){.count = 0};
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Read the regular file PATH into TEXT, of MOST_BYTES, and its SIZE.  Returns 0 or an errno. */
static int read_file(const char *path, char *text, size_t *size)
{
    /* Do not wait for a pipe. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat facts;
    ssize_t got = 1;
    int error = 0;

    *size = 0;
    if (descriptor < 0)
        return errno;
    if (fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode))
        error = EINVAL;
    while (error == 0 && got != 0 && *size < MOST_BYTES) {
        got = read(descriptor, text + *size, MOST_BYTES - *size);
        if (got >= 0)
            *size += (size_t)got;
        else if (errno != EINTR)
            error = errno;
    }
    close(descriptor);
    return error == 0 && *size == MOST_BYTES ? EFBIG : error;
}

/* Put the path of the user's rules in PATH.  Returns false if no variable names their folder. */
static bool find_users(char *path, size_t size)
{
    const char *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    int length = -1;

    if (data != NULL && data[0] == '/')
        length = snprintf(path, size, "%s/ompd-opencl/" COMMAND_SIGNATURE_RULES, data);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, size, "%s/.local/share/ompd-opencl/" COMMAND_SIGNATURE_RULES, home);
    return length >= 0 && (size_t)length < size;
}

/* Add the rules of the file PATH. */
static bool rules_file_add(struct command_signature_rules *rules, const char *path, bool is_users,
                           struct text *why)
{
    char *text = heap_get(MOST_BYTES);
    bool is_added = true;
    size_t size;
    int error = read_file(path, text, &size);

    if (error == 0) {
        is_added = command_signature_rules_add(rules, path, text, size, !is_users, why);
    } else if (!is_users || (error != ENOENT && error != ENOTDIR)) {
        text_add(why, "cannot read the signature rules %s: %s", path, strerror(error));
        command_signature_rules_free(rules);
        is_added = false;
    }
    heap_free(text);
    return is_added;
}

bool command_signature_rules_load(struct command_signature_rules *rules, bool *is_users,
                                  struct text *why)
{
    char path[PATH_MAX];

    *is_users = false;
    if (!command_sibling_file_find(COMMAND_SIGNATURE_RULES, R_OK, path, sizeof(path)))
        snprintf(path, sizeof(path), "%s", COMMAND_DATA "/" COMMAND_SIGNATURE_RULES);
    if (!rules_file_add(rules, path, false, why))
        return false;
    *is_users = true;
    return !find_users(path, sizeof(path)) || rules_file_add(rules, path, true, why);
}
