/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See triage.h. */
#include <config.h>

#include <command/triage/triage.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int kept = -1;   /* the original standard output */
static int record = -1; /* the current standard output */

/* A file in memory that cannot grow; -1: failure. */
static int make_file(void)
{
    int file = memfd_create("verdict", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (file < 0)
        return -1;
    if (ftruncate(file, COMMAND_RECORD) == 0 &&
        fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
        return file;
    close(file);
    return -1;
}

bool command_record_begin(void)
{
    fflush(stdout);
    record = make_file();
    kept = record >= 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (kept >= 0 && dup2(record, STDOUT_FILENO) == STDOUT_FILENO)
        return true;
    if (kept >= 0)
        close(kept);
    if (record >= 0)
        close(record);
    return false;
}

void command_record_end(char *text)
{
    ssize_t size;

    fflush(stdout);
    clearerr(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    size = pread(record, text, COMMAND_RECORD, 0);
    text[size > 0 ? size : 0] = '\0';
    close(record);
}
