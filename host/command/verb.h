/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the command can be asked to do. */
#ifndef OMPD_HOST_COMMAND_VERB_H
#define OMPD_HOST_COMMAND_VERB_H

#include <host/command/cell.h>

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
    enum command_exit (*run)(struct command_session *session, size_t count, char **operands);
};

/* All verbs, in the order of help. */
extern const struct command_verb command_verbs[];
extern const size_t command_verb_count;

/* The verb called NAME; NULL: there is none. */
const struct command_verb *command_verb_find(const char *name);

/* Write what --help says: of VERB, or with NULL of the command. */
void command_help_write(FILE *output, const struct command_verb *verb);

/* How a list is shown. */
struct command_listing {
    ompd_cl_kind_t kind;
    const char *const *also; /* as struct command_table_options */
    /* What rows are sorted by; NULL: the order in which they were made. */
    uint64_t (*place)(const struct command_row *row);
};

/* Show a list as the session's options say, as a table or JSON Lines, by RENDERER.  Returns the
 * number of rows shown, or UINT64_MAX when not all rows of the list are. */
uint64_t command_listing_write(struct command_renderer *renderer,
                               const struct command_listing *listing);

/* Write that MORE rows than the session's limit are not shown. */
void command_cut_note_write(struct command_session *session, const char *indent, uint64_t more);

/* What a table of destructor callbacks has besides: whose each is, and who runs it. */
extern const char *const command_destructors_also[];

/* What a table of runtimes has besides. */
extern const char *const command_runtimes_also[];

/* The conditions of the session's options on rows of KIND.  False: they make no sense, or the
 * OpenCL context that they name is not there. */
bool command_filter_get(struct command_session *session, const struct command_kind *kind,
                        ompd_cl_filter_t *filter);

/* The `run` functions, by file. */
enum command_exit command_contexts_run(struct command_session *session, size_t count,
                                       char **operands);
enum command_exit command_queues_run(struct command_session *session, size_t count,
                                     char **operands);
enum command_exit command_memobjs_run(struct command_session *session, size_t count,
                                      char **operands);
enum command_exit command_svm_run(struct command_session *session, size_t count, char **operands);
enum command_exit command_svm_frees_run(struct command_session *session, size_t count,
                                        char **operands);
enum command_exit command_destructors_run(struct command_session *session, size_t count,
                                          char **operands);
enum command_exit command_runtimes_run(struct command_session *session, size_t count,
                                       char **operands);
enum command_exit command_overview_run(struct command_session *session, size_t count,
                                       char **operands);
enum command_exit command_threads_run(struct command_session *session, size_t count,
                                      char **operands);
enum command_exit command_memory_run(struct command_session *session, size_t count,
                                     char **operands);
enum command_exit command_memobj_run(struct command_session *session, size_t count,
                                     char **operands);
enum command_exit command_context_run(struct command_session *session, size_t count,
                                      char **operands);
enum command_exit command_queue_run(struct command_session *session, size_t count, char **operands);
enum command_exit command_svm_free_run(struct command_session *session, size_t count,
                                       char **operands);

enum command_exit command_triage_run(struct command_session *session, size_t count,
                                     char **operands);

enum command_exit command_learn_run(struct command_session *session, size_t count, char **operands);
enum command_exit command_layouts_run(struct command_session *session, size_t count,
                                      char **operands);

enum command_exit command_run_run(struct command_session *session, size_t count, char **operands);

/* Show the destructor callbacks of the object that WORD names: destructors with an operand. */
enum command_exit command_object_destructors_run(struct command_session *session, const char *word);

#endif
