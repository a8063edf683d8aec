/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What systemd-coredump has told the journal of cores. */
#ifndef OMPD_COMMAND_JOURNAL_H
#define OMPD_COMMAND_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <text/text.h>

/* What is told of a core. */
enum command_journal_field {
    command_journal_file, /* its path */
    command_journal_unit, /* of the process */
    command_journal_user_unit,
    command_journal_host,
    command_journal_boot,
    command_journal_time,   /* microseconds since 1970 */
    command_journal_logged, /* the same, when the journal was told */
    command_journal_pid,
    command_journal_user, /* its number */
    command_journal_signal,
    command_journal_executable,
    command_journal_name, /* of the process, 15 bytes at most */
    command_journal_command_line,
    command_journal_package,
    command_journal_package_version,
    command_journal_sender, /* the user who has told it all, which the journal itself has seen, */
    command_journal_sender_unit,
    COMMAND_JOURNAL_FIELDS
};

/* What is told of one core.  Whoever was the program's user chose some of it. */
struct command_journal_entry {
    char *texts[COMMAND_JOURNAL_FIELDS];        /* NULL: it is not told, */
    const char *faults[COMMAND_JOURNAL_FIELDS]; /* or is of no use, for this reason */
    size_t number;                              /* the order they came in */
    bool is_again;                              /* an earlier one has the same file */
};

/* Begin with {0}. */
struct command_journal {
    struct command_journal_entry *all; /* as they came, the oldest first */
    size_t count;
    struct command_journal_entry **by_name; /* by the names of their files, */
    size_t named_count;                     /* which so many have */
    size_t foreign;      /* entries left out, which systemd-coredump has not written */
    struct text why_cut; /* a sentence: why there may be more; empty: there are not */
};

/* Read the journal of this machine, or what is in the folder or file PATH, by journalctl.  False:
 * it cannot be read, for the reason WHY. */
bool command_journal_read(struct command_journal *journal, const char *path, struct text *why);

/* Take the entries from INPUT, in systemd's export format, whose fields are those that
 * command_journal_names has. */
void command_journal_import(struct command_journal *journal, FILE *input);
extern const char *const command_journal_names[COMMAND_JOURNAL_FIELDS];

/* The entry of CORE: of its file, or of one of that name that names the boot, too, and so was
 * copied from elsewhere.  NULL: there is none. */
const struct command_journal_entry *command_journal_find(const struct command_journal *journal,
                                                         const char *core);

/* The number that FIELD of ENTRY is; false: it is none. */
bool command_journal_number(const struct command_journal_entry *entry,
                            enum command_journal_field field, int64_t *number);

/* Why there is nothing to be read of ENTRY; NULL: its file may be. */
const char *command_journal_why_gone(const struct command_journal_entry *entry);

/* Give it back. */
void command_journal_free(struct command_journal *journal);

#endif
