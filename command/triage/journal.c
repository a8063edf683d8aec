/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The journal is read by a separate process, journalctl.  So this process does not parse untrusted
 * journal files, and nobody needs systemd's library without --journal.
 */
#include <config.h>

#include <command/triage/triage.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <text/heap.h>
#include <unistd.h>

#define NOT_THERE 127
#define DUMPED "MESSAGE_ID=fc2e22bc6ee647b6b90729ab34a250b1" /* a process dumped core */
#define CANNOT "Cannot read the journal: "
#define BOOT_DIGITS 32

/* ---- journalctl ------------------------------------------------------------------------------ */

/* A process that reads the journal. */
struct reader {
    struct text fields; /* its arguments */
    struct text place;
    pid_t process;
    FILE *output;
    int errors; /* a file with its error messages */
};

/* Make it read PATH.  Returns false, with the reason in WHY, on failure. */
static bool name_place(struct reader *reader, const char *path, struct text *why)
{
    struct stat status;
    char real[PATH_MAX];

    if (realpath(path, real) == NULL || stat(real, &status) != 0) {
        text_add(why, CANNOT "%s: %s", path, strerror(errno));
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        text_add(&reader->place, "--directory=%s", real);
        return true;
    }
    text_put(&reader->place, "--file=");
    for (const char *rest = real; *rest != '\0'; rest++) {
        /* journalctl expects a pattern. */
        if (strchr("\\*?[]{}", *rest) != NULL)
            text_put(&reader->place, "\\");
        text_append(&reader->place, rest, 1);
    }
    return true;
}

static _Noreturn void become_journalctl(const struct reader *reader, int output)
{
    const char *words[] = {"journalctl",
                           "--quiet",
                           "--no-pager",
                           "--output=export",
                           reader->fields.bytes,
                           DUMPED,
                           reader->place.length != 0 ? reader->place.bytes : NULL,
                           NULL};
    int silence = open("/dev/null", O_RDONLY | O_CLOEXEC);

    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (dup2(silence, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(reader->errors, STDERR_FILENO) >= 0)
        execvp(words[0], (char *const *)words);
    _exit(NOT_THERE);
}

static bool reader_start(struct reader *reader)
{
    int ends[2];

    reader->errors = memfd_create("journalctl", MFD_CLOEXEC);
    if (reader->errors < 0 || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    reader->process = fork();
    if (reader->process == 0)
        become_journalctl(reader, ends[1]);
    close(ends[1]);
    reader->output = reader->process > 0 ? fdopen(ends[0], "r") : NULL;
    if (reader->output == NULL)
        close(ends[0]);
    return reader->output != NULL;
}

/* Add the first line of journalctl's error messages. */
static void add_errors(const struct reader *reader, struct text *why)
{
    char line[512];
    ssize_t size = pread(reader->errors, line, sizeof(line) - 1, 0);

    line[size > 0 ? size : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    text_put(why, line);
}

/* Wait for its end.  Returns whether it succeeded; otherwise WHY has the reason. */
static bool reader_finish(const struct reader *reader, struct text *why)
{
    int status = 0;

    fclose(reader->output);
    while (waitpid(reader->process, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    text_put(why, CANNOT);
    if (WIFSIGNALED(status)) {
        text_put(why, "journalctl was ended by ");
        command_signal_add(why, WTERMSIG(status));
    } else if (WEXITSTATUS(status) == NOT_THERE) {
        text_put(why, "journalctl (part of systemd) is not installed");
    } else {
        text_put(why, "journalctl: ");
        add_errors(reader, why);
    }
    text_put(why, ".");
    return false;
}

static bool read_by(struct reader *reader, struct command_journal *journal, struct text *why)
{
    text_put(&reader->fields, "--output-fields=");
    for (size_t i = 0; i < COMMAND_JOURNAL_FIELDS; i++)
        text_add(&reader->fields, "%s%s", i != 0 ? "," : "", command_journal_names[i]);
    if (!reader_start(reader)) {
        text_add(why, CANNOT "%s.", strerror(errno));
        return false;
    }
    command_journal_import(journal, reader->output);
    if (reader_finish(reader, why))
        return true;
    if (journal->count == 0)
        return false;
    /* Entries read so far stay valid. */
    text_put(&journal->why_cut, why->bytes);
    return true;
}

/* ---- Cores in the journal -------------------------------------------------------------------- */

static const char *file_of(const struct command_journal_entry *entry)
{
    return entry->texts[command_journal_file];
}

/* Order entries by file name, path and appearance. */
static int entries_compare(const void *left_ptr, const void *right_ptr)
{
    const struct command_journal_entry *left = *(struct command_journal_entry *const *)left_ptr;
    const struct command_journal_entry *right = *(struct command_journal_entry *const *)right_ptr;
    int order = strcmp(text_file_name(file_of(left)), text_file_name(file_of(right)));

    if (order == 0)
        order = strcmp(file_of(left), file_of(right));
    if (order == 0)
        order = left->number < right->number ? -1 : 1;
    return order;
}

static void entries_sort(struct command_journal *journal)
{
    struct command_journal_entry **named = heap_get((journal->count + 1) * sizeof(*named));
    size_t count = 0;

    for (size_t i = 0; i < journal->count; i++)
        if (file_of(&journal->all[i]) != NULL)
            named[count++] = &journal->all[i];
    qsort(named, count, sizeof(*named), entries_compare);
    for (size_t i = 1; i < count; i++)
        named[i]->is_again = strcmp(file_of(named[i - 1]), file_of(named[i])) == 0;
    journal->by_name = named;
    journal->named_count = count;
}

bool command_journal_read(struct command_journal *journal, const char *path, struct text *why)
{
    struct reader reader = {.errors = -1};
    bool is_read =
        (path == NULL || name_place(&reader, path, why)) && read_by(&reader, journal, why);

    if (reader.errors >= 0)
        close(reader.errors);
    text_free(&reader.fields);
    text_free(&reader.place);
    if (is_read)
        entries_sort(journal);
    return is_read;
}

/* Whether the name of ENTRY's file contains the boot ID, which makes it unique. */
static bool is_unique(const struct command_journal_entry *entry)
{
    const char *boot = entry->texts[command_journal_boot];

    return boot != NULL && strspn(boot, "0123456789abcdef") == BOOT_DIGITS &&
           boot[BOOT_DIGITS] == '\0' && strstr(text_file_name(file_of(entry)), boot) != NULL;
}

/* Whether CORE, whose name is that of ENTRY's file, is that file. */
static bool is_file_of(const struct command_journal_entry *entry, const char *core)
{
    struct stat one;
    struct stat other;

    if (is_unique(entry) || strcmp(file_of(entry), core) == 0)
        return true;
    return stat(file_of(entry), &one) == 0 && stat(core, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

const struct command_journal_entry *command_journal_find(const struct command_journal *journal,
                                                         const char *core)
{
    char real[PATH_MAX];
    const char *name = text_file_name(realpath(core, real) != NULL ? real : core);
    size_t first = 0;
    size_t end = journal->named_count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (strcmp(text_file_name(file_of(journal->by_name[middle])), name) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < journal->named_count; first++) {
        const struct command_journal_entry *entry = journal->by_name[first];

        if (strcmp(text_file_name(file_of(entry)), name) != 0)
            return NULL;
        if (is_file_of(entry, core))
            return entry;
    }
    return NULL;
}

bool command_journal_number(const struct command_journal_entry *entry,
                            enum command_journal_field field, int64_t *number)
{
    const char *text = entry->texts[field];
    char *end;

    if (text == NULL || text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return *end == '\0' && errno == 0;
}

const char *command_journal_why_unreadable(const struct command_journal_entry *entry)
{
    const char *file = file_of(entry);
    struct stat status;

    if (file == NULL)
        return "The journal names no core file.";
    if (file[0] != '/')
        return "The journal does not give the full path of the core.";
    if (stat(file, &status) != 0)
        return errno == ENOENT || errno == ENOTDIR ? "The core was deleted." : NULL;
    /* Opening something that is not a regular file may have side effects. */
    return S_ISREG(status.st_mode) ? NULL : "The journal names something that is not a file.";
}
