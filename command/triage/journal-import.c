/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Journal entries in export format.  A field is a line NAME=VALUE, or the line NAME, the size of
 * the value (eight bytes, little-endian), the value, which may be any bytes, and a newline.  An
 * empty line ends an entry.
 */
#include <command/triage/triage.h>

#include <string.h>
#include <text/heap.h>

#define LONGEST_NAME 64    /* bytes, as in the journal */
#define LONGEST_VALUE 4095 /* bytes to keep: length of a path */

const char *const command_journal_names[COMMAND_JOURNAL_FIELDS] = {
    [command_journal_file] = "COREDUMP_FILENAME",
    [command_journal_unit] = "COREDUMP_UNIT",
    [command_journal_user_unit] = "COREDUMP_USER_UNIT",
    [command_journal_host] = "_HOSTNAME",
    [command_journal_boot] = "_BOOT_ID",
    [command_journal_time] = "COREDUMP_TIMESTAMP",
    [command_journal_logged] = "__REALTIME_TIMESTAMP",
    [command_journal_pid] = "COREDUMP_PID",
    [command_journal_user] = "COREDUMP_UID",
    [command_journal_signal] = "COREDUMP_SIGNAL",
    [command_journal_executable] = "COREDUMP_EXE",
    [command_journal_name] = "COREDUMP_COMM",
    [command_journal_command_line] = "COREDUMP_CMDLINE",
    [command_journal_package] = "COREDUMP_PACKAGE_NAME",
    [command_journal_package_version] = "COREDUMP_PACKAGE_VERSION",
    [command_journal_sender] = "_UID",
    [command_journal_sender_unit] = "_SYSTEMD_UNIT",
};

/* The state of an import. */
struct import {
    FILE *input;
    struct command_journal_entry entry;
    bool has_fields;
    bool is_at_end;
    char name[LONGEST_NAME + 1];
    char value[LONGEST_VALUE + 1];
    size_t length;  /* of the value */
    bool is_longer; /* the value is longer than what is kept */
};

static int next_byte(struct import *import)
{
    int byte = getc_unlocked(import->input);

    import->is_at_end |= byte == EOF;
    return byte;
}

static void value_byte_store(struct import *import, int byte)
{
    if (import->length == LONGEST_VALUE)
        import->is_longer = true;
    else
        import->value[import->length++] = (char)byte;
}

/* Read the name of a field.  Returns what follows it: '=', a newline or EOF. */
static int read_name(struct import *import)
{
    size_t length = 0;
    int byte;

    while ((byte = next_byte(import)) != EOF && byte != '=' && byte != '\n') {
        /* A longer name is not one of ours. */
        import->name[length] = (char)byte;
        length += length < LONGEST_NAME;
    }
    import->name[length] = '\0';
    return byte;
}

static void read_line(struct import *import)
{
    int byte;

    while ((byte = next_byte(import)) != EOF && byte != '\n')
        value_byte_store(import, byte);
}

static void read_sized(struct import *import)
{
    uint64_t size = 0;

    for (int i = 0; i < 8; i++)
        size |= (uint64_t)(unsigned char)next_byte(import) << 8 * i;
    while (!import->is_at_end && size-- != 0)
        value_byte_store(import, next_byte(import));
    next_byte(import);
}

/* Why the value cannot be used; NULL: it can. */
static const char *fault_of(const struct import *import)
{
    if (import->is_longer)
        return "journal field is longer than 4095 bytes";
    if (memchr(import->value, '\0', import->length) != NULL)
        return "journal field is not UTF-8 text";
    return NULL;
}

/* Store the value, if its field was requested. */
static void value_store(struct import *import)
{
    struct command_journal_entry *entry = &import->entry;

    import->value[import->length] = '\0';
    for (size_t i = 0; i < COMMAND_JOURNAL_FIELDS; i++) {
        if (strcmp(import->name, command_journal_names[i]) != 0)
            continue;
        if (entry->texts[i] != NULL && strcmp(entry->texts[i], import->value) != 0)
            entry->faults[i] = "journal field has several values";
        else if (entry->texts[i] == NULL)
            entry->texts[i] = text_copy(import->value);
        if (fault_of(import) != NULL)
            entry->faults[i] = fault_of(import);
    }
    import->has_fields = true;
}

static void free_entry(struct command_journal_entry *entry)
{
    for (size_t i = 0; i < COMMAND_JOURNAL_FIELDS; i++)
        heap_free(entry->texts[i]);
    *entry = (struct command_journal_entry){.number = 0};
}

/* Whether systemd-coredump wrote ENTRY.  Anybody may write anything to the journal, except the
 * sender's identity. */
static bool is_believed(const struct command_journal_entry *entry)
{
    static const char unit[] = "systemd-coredump@";
    const char *sender = entry->texts[command_journal_sender];
    const char *sender_unit = entry->texts[command_journal_sender_unit];

    return (sender != NULL && strcmp(sender, "0") == 0) ||
           (sender_unit != NULL && strncmp(sender_unit, unit, strlen(unit)) == 0);
}

/* An entry is complete. */
static void entry_store(struct command_journal *journal, struct import *import)
{
    struct command_journal_entry *entry = &import->entry;

    for (size_t i = 0; i < COMMAND_JOURNAL_FIELDS; i++)
        if (entry->faults[i] != NULL) {
            heap_free(entry->texts[i]);
            entry->texts[i] = NULL;
        }
    if (!is_believed(entry)) {
        journal->foreign += import->has_fields;
        free_entry(entry);
    } else {
        /* Double the capacity each time, so that any number is read in one pass. */
        if ((journal->count & (journal->count - 1)) == 0)
            journal->all = heap_resize(journal->all, (2 * journal->count + 1) * sizeof(*entry));
        entry->number = journal->count;
        journal->all[journal->count++] = *entry;
        *entry = (struct command_journal_entry){.number = 0};
    }
    import->has_fields = false;
}

void command_journal_import(struct command_journal *journal, FILE *input)
{
    struct import *import = heap_get(sizeof(*import));

    import->input = input;
    while (!import->is_at_end) {
        int behind = read_name(import);

        import->length = 0;
        import->is_longer = false;
        if (behind == '\n' && import->name[0] == '\0') {
            entry_store(journal, import);
            continue;
        }
        if (behind == '=')
            read_line(import);
        else if (behind == '\n')
            read_sized(import);
        /* An incomplete entry is dropped. */
        if (!import->is_at_end)
            value_store(import);
    }
    free_entry(&import->entry);
    heap_free(import);
}

void command_journal_free(struct command_journal *journal)
{
    for (size_t i = 0; i < journal->count; i++)
        free_entry(&journal->all[i]);
    heap_free(journal->all);
    heap_free(journal->by_name);
    text_free(&journal->why_cut);
    *journal = (struct command_journal){.count = 0};
}
