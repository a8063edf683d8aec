/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See run.h. */
#include <command/run/run.h>

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

#define LONGEST_LINE 65536 /* bytes: longer than any C++ name */
#define INDENT "    "

static const char head[] =
    "# Objects that a program is known to leave alive, for `ompd-opencl run --baseline`.\n"
    "# An entry names an object kind and the calls that create it, innermost first.  It matches\n"
    "# every call stack that begins with these calls.  Outer calls, and the file of a call, may "
    "be\n"
    "# deleted.  \"memobj, at most 24\" suppresses at most 24 objects.\n";

/* ---- Reading --------------------------------------------------------------------------------- */

/* A baseline that is being read. */
struct reader {
    struct command_suppressions *suppressions;
    struct command_suppression *entry; /* that lines are added to; NULL: none yet */
    const char *path;
    size_t line;
    struct text *why;
};

static bool baseline_refuse(const struct reader *reader, const char *reason)
{
    text_add(reader->why, "%s, line %zu: %s", reader->path, reader->line, reason);
    return false;
}

/* The object kind that the LENGTH bytes at NAME name, as in JSON; 0: none. */
static ompd_cl_kind_t kind_of(const char *name, size_t length)
{
    const char *known = NULL;
    ompd_size_t size;

    for (size_t i = 0; i < RUN_LISTED; i++) {
        if (ompd_cl_kind_get(run_listed[i].kind, &known, &size) == ompd_rc_ok &&
            strlen(known) == length && strncmp(known, name, length) == 0)
            return run_listed[i].kind;
    }
    return 0;
}

/* Parse ", at most 24", or nothing. */
static bool entry_most_parse(const char *words, uint64_t *most)
{
    static const char before[] = ", at most ";
    char *end;

    if (*words == '\0')
        return true;
    if (strncmp(words, before, strlen(before)) != 0)
        return false;
    words += strlen(before);
    errno = 0;
    *most = strtoull(words, &end, 10);
    return isdigit((unsigned char)words[0]) && *end == '\0' && errno == 0;
}

/* Check that the previous entry, if any, is complete. */
static bool end_entry(const struct reader *reader)
{
    return reader->entry == NULL || reader->entry->call_count != 0 ||
           baseline_refuse(reader, "the previous entry names no call");
}

static bool begin_entry(struct reader *reader, const char *line)
{
    size_t length = strcspn(line, ",");
    ompd_cl_kind_t kind = kind_of(line, length);

    if (!end_entry(reader))
        return false;
    if (kind == 0)
        return baseline_refuse(reader, "unknown object kind");
    reader->entry = command_suppression_add(reader->suppressions);
    reader->entry->kind = kind;
    return entry_most_parse(line + length, &reader->entry->most) ||
           baseline_refuse(reader, "expected nothing or ', at most N' after the object kind");
}

static bool add_call(struct reader *reader, const char *line)
{
    struct command_suppression *entry = reader->entry;

    if (entry == NULL)
        return baseline_refuse(reader, "no object kind precedes this call");
    entry->calls = heap_grow(entry->calls, entry->call_count, sizeof(entry->calls[0]));
    entry->calls[entry->call_count++] = text_copy(line);
    return true;
}

/* Parse LINE, whose end is cut off. */
static bool entry_line_parse(struct reader *reader, char *line, size_t size)
{
    size_t blanks = strspn(line, " \t");

    if (memchr(line, '\0', size) != NULL)
        return baseline_refuse(reader, "the line contains a NUL byte");
    if (size == LONGEST_LINE - 1 && line[size - 1] != '\n')
        return baseline_refuse(reader, "the line is too long");
    while (size > blanks && isspace((unsigned char)line[size - 1]))
        line[--size] = '\0';
    if (line[blanks] == '\0' || line[blanks] == '#')
        return true;
    return blanks != 0 ? add_call(reader, line + blanks) : begin_entry(reader, line);
}

/* Read a line into LINE, of LONGEST_LINE bytes.  Returns its length; 0: end of file. */
static size_t read_line(FILE *file, char *line)
{
    size_t size = 0;
    int byte;

    while (size < LONGEST_LINE - 1 && (byte = getc(file)) != EOF) {
        line[size++] = (char)byte;
        if (byte == '\n')
            break;
    }
    line[size] = '\0';
    return size;
}

static bool read_lines(struct reader *reader, FILE *file)
{
    char *line = heap_get(LONGEST_LINE);
    bool is_sense = true;
    size_t size;

    while (is_sense && (size = read_line(file, line)) != 0) {
        reader->line++;
        is_sense = entry_line_parse(reader, line, size);
    }
    heap_free(line);
    reader->line++;
    return is_sense && end_entry(reader);
}

bool command_baseline_read(struct command_suppressions *suppressions, const char *path,
                           struct text *why)
{
    struct reader reader = {.suppressions = suppressions, .path = path, .why = why};
    FILE *file = fopen(path, "re");
    bool is_read = false;

    errno = file != NULL ? 0 : errno;
    if (file != NULL)
        is_read = read_lines(&reader, file);
    if (file == NULL || ferror(file) != 0) {
        text_clear(why);
        text_add(why, "Cannot read %s: %s", path, strerror(errno));
        is_read = false;
    }
    if (file != NULL)
        fclose(file);
    return is_read;
}

/* ---- Writing --------------------------------------------------------------------------------- */

void command_baseline_add(struct command_baseline *baseline, ompd_cl_kind_t kind,
                          const struct command_call_places *places)
{
    struct text entry = {0};
    const char *name = NULL;
    ompd_size_t size;

    ompd_cl_kind_get(kind, &name, &size);
    text_add(&entry, "%s\n", name);
    for (size_t i = places->first; i < places->count; i++) {
        text_add(&entry, INDENT);
        command_call_place_add(&places->all[i], &entry);
        text_add(&entry, "\n");
    }
    if (places->count == 0)
        text_add(&entry, INDENT "?\n");
    baseline->entries = heap_grow(baseline->entries, baseline->count, sizeof(baseline->entries[0]));
    baseline->entries[baseline->count++] = text_copy(entry.bytes);
    text_free(&entry);
}

static int entries_compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

bool command_baseline_write(struct command_baseline *baseline, const char *path)
{
    FILE *file = fopen(path, "we");
    bool is_written;
    int error;

    if (file == NULL)
        return false;
    if (baseline->count != 0)
        qsort(baseline->entries, baseline->count, sizeof(baseline->entries[0]), entries_compare);
    fputs(head, file);
    for (size_t i = 0; i < baseline->count; i++)
        if (i == 0 || entries_compare(&baseline->entries[i - 1], &baseline->entries[i]) != 0)
            fprintf(file, "\n%s", baseline->entries[i]);
    errno = 0;
    is_written = fflush(file) == 0 && ferror(file) == 0;
    error = errno;
    is_written &= fclose(file) == 0;
    errno = error != 0 ? error : errno;
    return is_written;
}

void command_baseline_free(struct command_baseline *baseline)
{
    for (size_t i = 0; i < baseline->count; i++)
        heap_free(baseline->entries[i]);
    heap_free(baseline->entries);
    *baseline = (struct command_baseline){.count = 0};
}
