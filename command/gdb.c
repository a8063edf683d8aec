/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gdb: run GDB with the opencl commands on a program, core or process. */
#include <command/session/session.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <text/heap.h>
#include <unistd.h>

#define PLUGIN "ompd-opencl-gdb.py"

/* Maximum number of words before those of the user. */
#define WORDS 8

/* Put the path of the GDB plugin that belongs to the command in PATH, of SIZE bytes.  Returns
 * false if there is none. */
static bool find_plugin(char *path, size_t size)
{
    if (command_sibling_file_find("gdb-plugin/" PLUGIN, R_OK, path, size))
        return true;
    snprintf(path, size, "%s", COMMAND_GDB_PLUGINS "/" PLUGIN);
    return access(path, R_OK) == 0;
}

/* Whether PATH is a core file. */
static bool is_core(const char *path)
{
    Elf32_Ehdr header = {0}; /* the type has the same offset in 64-bit files */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t size;
    const unsigned char *type = (const unsigned char *)&header.e_type;

    if (file < 0)
        return false;
    size = read(file, &header, sizeof(header));
    close(file);
    if (size != (ssize_t)sizeof(header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    return type[header.e_ident[EI_DATA] == ELFDATA2MSB] == ET_CORE;
}

/* The command line of GDB. */
struct gdb_words {
    char plugin[PATH_MAX];
    char **all; /* NULL-terminated */
};

/* Build the command line of a GDB with the plugin.  HOW, unless it is NULL, precedes the user's
 * words.  The program goes on by GDB's command RUN up to its first mistake, unless that is NULL. */
static void gdb_words_make(struct gdb_words *words, const char *how, const char *run,
                           const ompd_view_line_t *line)
{
    size_t count = 0;

    words->all = heap_get((line->operand_count + WORDS + 1) * sizeof(words->all[0]));
    words->all[count++] = "gdb";
    if (find_plugin(words->plugin, sizeof(words->plugin))) {
        words->all[count++] = "-x";
        words->all[count++] = words->plugin;
    } else {
        command_error_print("cannot find " PLUGIN "; the opencl commands are not available");
    }
    if (run != NULL) {
        words->all[count++] = "-ex";
        words->all[count++] = "opencl catch mistake";
        words->all[count++] = "-ex";
        words->all[count++] = (char *)run;
    }
    if (how != NULL)
        words->all[count++] = (char *)how;
    memcpy(words->all + count, line->operands, line->operand_count * sizeof(words->all[0]));
}

/* Replace this process by GDB, with HOW before the user's words.  RUN is GDB's command that lets
 * the program go on to its first mistake, if the user asked for that; NULL: a core has none.
 * Returns only if GDB cannot be run. */
static void become_gdb(struct command_session *session, const char *how, const char *run,
                       const ompd_view_line_t *line)
{
    bool stops = session->options.stops_on_mistake;
    struct gdb_words words;

    if (stops && run == NULL) {
        command_session_fail(session, ompd_view_exit_usage,
                             "--stop-on-mistake applies to a program or process, not to a core");
        return;
    }
    gdb_words_make(&words, how, stops ? run : NULL, line);
    execvp(words.all[0], words.all);
    command_session_fail(session, ompd_view_exit_unreadable, "Cannot run gdb: %s", strerror(errno));
    heap_free(words.all);
}

/* Run GDB on the program; the environment makes it load the recorder. */
static void gdb_program_start(struct command_session *session, const ompd_view_line_t *line)
{
    struct text why = {0};

    if (command_recorder_prepare(line->operands[0], &why))
        become_gdb(session, "--args", "run", line);
    else
        command_session_fail(session, ompd_view_exit_unreadable, "%s", text_get(&why));
    text_free(&why);
}

ompd_view_exit_t command_gdb_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_session *session = line->user_ptr;
    const char *word = line->operands[0];

    (void)view; /* same as session->view */
    if (word[strspn(word, "0123456789")] == '\0')
        become_gdb(session, "-p", "continue", line);
    else if (is_core(word))
        become_gdb(session, "-c", NULL, line);
    else if (line->operand_count == 2 && is_core(line->operands[1]))
        become_gdb(session, NULL, NULL, line);
    else
        gdb_program_start(session, line);
    return ompd_view_exit_ok;
}
