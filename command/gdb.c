/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gdb: GDB on a program that `run` runs, which lets go of it as long. */
#include <command/lend.h>
#include <command/verbs.h>
#include <string.h>
#include <text/heap.h>

ompd_view_exit_t command_gdb_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    size_t count = line->operand_count;
    char **words = heap_get((count + 3) * sizeof(words[0]));

    (void)view; /* the session's */
    words[0] = "gdb";
    words[1] = "-p";
    memcpy(words + 2, line->operands, count * sizeof(words[0]));
    command_lend_to(line->user_ptr, line->operands[0], words);
    heap_free(words);
    return ompd_view_exit_ok;
}
