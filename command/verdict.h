/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What triage tells of one core. */
#ifndef OMPD_COMMAND_VERDICT_H
#define OMPD_COMMAND_VERDICT_H

#include <command/crash.h>
#include <command/journal.h>
#include <command/signature.h>

/* What `check` and `waits` find.  Begin with {0}. */
struct command_mistakes {
    bool is_known;  /* both could be asked */
    uint64_t rules; /* bits 1 << ompd_cl_rule_t of what is certain, */
    uint64_t presumed_rules;
    uint64_t ends; /* and 1 << ompd_cl_end_t of waits that will not end by themselves */
    uint64_t presumed_ends;
    bool has_hanging;         /* one of these waits is a thread's, for certain, */
    bool may_hang;            /* or presumably */
    bool may_go_on;           /* how a thread's wait ends is not known */
    bool is_forked;           /* a thread is in a call of OpenCL after a fork, */
    bool has_died_forked;     /* and it got the signal */
    uint64_t findings;        /* how many there are: */
    bool has_certain;         /* some of them certain; the first, where none is of any: */
    struct text first;        /* its sentence */
    struct text failed_build; /* the sentence about the first build that failed, which is none */
};

#define COMMAND_NO_FILE "(no file)" /* in place of a core's path where there is none */

/* What the end of a process is called. */
struct command_class {
    const char *name; /* NULL: it is not known, */
    const char *why;  /* for this reason */
    bool is_presumed;
};

/* What is known of one core. */
struct command_verdict {
    struct command_session session; /* of that core alone */
    struct command_crash crash;
    ompd_cl_overview_info_t overview;
    bool has_overview;
    struct command_waits waits;
    bool has_findings;    /* it is to be looked into */
    const char *why_lost; /* why the process that read it has not told; NULL: no such thing */
    uint64_t began;       /* by the clock, milliseconds */
    bool asks_journal;    /* what it tells of the core is to be told, too: */
    const struct command_journal_entry *told; /* NULL: nothing */

    /* For JSON: */
    const struct command_signature_rules *rules; /* NULL: there are none, */
    const char *why_no_rules;                    /* for this reason */
    struct command_signature signature;          /* empty: of what is not known */
    bool is_abort;                               /* it died in a function that aborts, */
    bool has_no_memory;                          /* and in one that lacked memory */
    struct command_mistakes mistakes;
};

/* Milliseconds by a clock that only grows. */
uint64_t command_verdict_clock(void);

/* Find out all about the core; with HAS_SIGNATURE what JSON has besides.  What failed is in the
 * view of the verdict's session. */
void command_verdict_find(struct command_verdict *verdict, bool has_signature);

/* Whether something of it is missing. */
bool command_verdict_is_incomplete(const struct command_verdict *verdict);

/* Find what `check` and `waits` tell, of a session whose address space is open. */
void command_mistakes_find(struct command_mistakes *mistakes, struct command_session *session);

/* Say what the end of VERDICT's process was, of which all else has been found. */
struct command_class command_class_find(const struct command_verdict *verdict);

/* Write the verdict as a line, or as an object of JSON. */
void command_verdict_write(struct command_verdict *verdict);
void command_verdict_write_json(struct command_verdict *verdict);

/* ---- What the journal tells of the core ------------------------------------------------------ */

/* Add "viewer died of SIGSEGV", of a core that could not be read. */
void command_told_add_death(const struct command_verdict *verdict, struct text *text);

/* Add "; viewer.service on farm-3, 2026-11-25 13:22:01 UTC, package viewer 1.2-3"; nothing where
 * nothing is told. */
void command_told_add(const struct command_verdict *verdict, struct text *text);

/* Add the keys that say what the core of a verdict is: by the core where it could be read, but for
 * what the journal knows better. */
void command_told_write_core(ompd_view_t *view, const struct command_verdict *verdict);

/* Add the keys that the journal alone tells; none where it was not asked. */
void command_told_write_json(ompd_view_t *view, const struct command_verdict *verdict);

/* Add the key "class" to the object of JSON that is open. */
void command_class_write_json(ompd_view_t *view, struct command_class class);

/* Give back what it holds, but for its session. */
void command_verdict_free(struct command_verdict *verdict);

#endif
