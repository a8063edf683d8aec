/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Start the program host-subject, and have cores of it written. */
#ifndef HOST_SUBJECT_H
#define HOST_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define SUBJECT_THREADS 3
#define SUBJECT_PAGE 4096
#define SUBJECT_HOST "a-host-of-the-tests"

/* Where its pages begin, in its mapping. */
#define SUBJECT_SAVED (5 * SUBJECT_PAGE)    /* bytes: to write, to read, and of no access */
#define SUBJECT_LEFT_OUT (5 * SUBJECT_PAGE) /* of cores */
#define SUBJECT_FREE (6 * SUBJECT_PAGE)     /* unmapped */

struct subject {
    pid_t pid;
    FILE *output;
    uint32_t lwps[SUBJECT_THREADS];
    uint64_t pthreads[SUBJECT_THREADS];
    uint64_t memory;
    uint64_t counter;
};

/* The path of the program. */
const char *subject_program(void);

/* Start it in FOLDER (NULL: here) with the argument MODE, and wait for its facts. */
struct subject subject_start(const char *mode, const char *folder);

/* Kill it, and wait for its end. */
void subject_end(struct subject *subject);

/* The byte at OFFSET of its mapping. */
uint8_t subject_byte(uint64_t offset);

/* Have the kernel write a core in FOLDER, which is empty; PATH gets its name. */
struct subject subject_kernel_core(const char *folder, char *path, size_t size);

/* Have GDB write a core to PATH. */
struct subject subject_gdb_core(const char *path);

/* Why the kernel does not write cores here; NULL: it does. */
const char *subject_why_no_cores(void);

/* Run COMMAND by the shell; it must succeed. */
void subject_command(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The state of a thread, as in /proc; 0: it has ended. */
char subject_state(pid_t pid, uint32_t lwp);

#endif
