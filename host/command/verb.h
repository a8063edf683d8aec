/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the command can be asked to do. */
#ifndef OMPD_HOST_COMMAND_VERB_H
#define OMPD_HOST_COMMAND_VERB_H

#include <host/command/row.h>
#include <host/command/session.h>

struct command_line;

/* Does what LINE says, whose verb takes its options and operands. */
typedef enum command_exit command_run_fn_t(struct command_session *session,
                                           const struct command_line *line);

struct command_verb {
    const char *name;
    const char *summary; /* one line */
    const char *operand; /* as help writes it: "HANDLE", "[HANDLE]", "CORE..."; NULL: none */
    ompd_cl_kind_t kind; /* whose fields help describes and filters are about; 0: none */
    bool shows_one;      /* of the kind, and all its fields: no table */
    /* Names of fields that are columns of the table besides the usual ones, NULL ends; or NULL. */
    const char *const *also;
    bool takes_filters; /* --context, --kind, --min-size, --state as the kind has fields; --limit */
    bool takes_target;  /* --pid or --core, which is open when `run` is called */
    bool opens_cores;   /* its operands are cores, which `run` opens one after the other */
    bool keeps_options; /* options behind the first operand are the operand's own */
    bool writes_file;   /* --output */
    bool has_time_limit; /* --time-limit */
    command_run_fn_t *run;
};

/* All verbs, in the order of help. */
extern const struct command_verb command_verbs[];
extern const size_t command_verb_count;

/* The verb called NAME; NULL: there is none. */
const struct command_verb *command_verb_find(const char *name);

/* Write what --help says: of VERB, or with NULL of the command. */
void command_help_write(FILE *output, const struct command_verb *verb);

/* List all objects of the verb's kind. */
command_run_fn_t command_list_run;

/* Show the one object of the verb's kind that the operand names. */
command_run_fn_t command_object_run;

/* Show the destructor callbacks of the object that the operand names; without one list all. */
command_run_fn_t command_destructors_run;

/* Those of the verbs of the same names. */
command_run_fn_t command_overview_run;
command_run_fn_t command_threads_run;
command_run_fn_t command_memory_run;
command_run_fn_t command_triage_run;
command_run_fn_t command_run_run;
command_run_fn_t command_learn_run;
command_run_fn_t command_layouts_run;

#endif
