/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cores that triage is given, or that the journal names, and which of them are the same. */
#ifndef OMPD_COMMAND_CORE_LIST_H
#define OMPD_COMMAND_CORE_LIST_H

#include <command/journal.h>
#include <sys/stat.h>

/* One of them. */
struct command_core {
    const char *path;                         /* NULL: the journal names none */
    const struct command_journal_entry *told; /* what the journal tells of it; NULL: nothing */
    const char *why_gone; /* it is not to be opened, for this reason; NULL: it is */
    struct stat status;   /* of its file; size -1: it is not known */
    size_t same;          /* number of the first that is the same; its own: it is the first */
    bool is_repeated;     /* others are the same as this, which is the first */
    char *record;         /* what was told of it, for those; NULL: it is not known, */
    int code;             /* and how that ended */
};

/* Begin with {0}. */
struct command_core_list {
    struct command_core *all;
    size_t count;
};

/* List the COUNT cores at PATHS, with what JOURNAL tells of them unless it is NULL. */
void command_core_list_make(struct command_core_list *list, char *const *paths, size_t count,
                            const struct command_journal *journal);

/* List those that JOURNAL names, in its order. */
void command_core_list_of_journal(struct command_core_list *list,
                                  const struct command_journal *journal);

/* Find which of them are the same file; with COMPARES_BYTES, copies of one that are small, too. */
void command_core_list_find_same(struct command_core_list *list, bool compares_bytes);

/* Whether what is known of the first that is the same as CORE holds for it: neither file was
 * changed since they were listed. */
bool command_core_is_as_first(const struct command_core_list *list,
                              const struct command_core *core);

/* Give it back. */
void command_core_list_free(struct command_core_list *list);

#endif
