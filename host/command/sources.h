/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where what is shown of a target comes from: its recorder, and layouts of its OpenCL runtimes. */
#ifndef OMPD_HOST_COMMAND_SOURCES_H
#define OMPD_HOST_COMMAND_SOURCES_H

#include <host/command/rows.h>

/* The sources of a target, as its overview names them. */
struct command_sources {
    const struct command_row *overview;
    struct command_rows runtimes;
};

/* Find the sources of the target whose OVERVIEW this is. */
void command_sources_find(struct command_sources *sources, struct command_session *session,
                          const struct command_row *overview);

/* Give back what SOURCES hold. */
void command_sources_free(struct command_sources *sources);

/* Whether the recorder is one of those that OVERVIEW tells of. */
bool command_sources_have_recorder(const struct command_row *overview);

/* Add "  sources: recorder 1.1, layout libpocl.so.2.10.0 (build-id 4a4365a4)\n". */
void command_sources_add(const struct command_sources *sources, struct command_text *text);

/* Add the names of the runtimes that have objects, each with ", " behind it. */
void command_sources_add_platforms(const struct command_sources *sources,
                                   struct command_text *text);

/* Write what none of them tells, and how to learn it, a line each behind INDENT. */
void command_sources_write_notes(const struct command_sources *sources,
                                 struct command_session *session, const char *indent);

#endif
