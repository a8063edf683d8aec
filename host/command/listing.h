/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Showing a list: as a table or as JSON Lines, filtered, and in order where it is short. */
#ifndef OMPD_HOST_COMMAND_LISTING_H
#define OMPD_HOST_COMMAND_LISTING_H

#include <host/command/cell.h>

struct command_listing {
    ompd_cl_kind_t kind;
    const char *const *also; /* as struct command_table_options */
    /* What rows are sorted by; NULL: the order in which they were made. */
    uint64_t (*place)(const struct command_row *row);
};

/* Show a list as the session's options say, by RENDERER.  Returns the number of rows shown, or
 * UINT64_MAX when not all rows of the list are. */
uint64_t command_listing_write(struct command_renderer *renderer,
                               const struct command_listing *listing);

/* Write that MORE rows than the session's limit are not shown. */
void command_cut_note_write(struct command_session *session, const char *indent, uint64_t more);

#endif
