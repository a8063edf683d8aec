/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs cases of a sweep in a child process, so that a crash or a hang is counted and the next case
 * runs, and so that output of the library is noticed. */
#ifndef SWEEP_GUARD_H
#define SWEEP_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/* What was found in one function, over one kind of sweep or several. */
struct sweep_tally {
    uint64_t faults;  /* bad inputs, failed callbacks, refusals that were really given */
    uint64_t silent;  /* that ended in ompd_rc_ok though the answer was not the clean one */
    uint64_t wrong;   /* a wrong code, touched out parameters, another answer afterwards, output */
    uint64_t leaks;   /* cases after which something was held */
    uint64_t crashes; /* and hangs */
};

void sweep_tally_add(struct sweep_tally *sum, const struct sweep_tally *more);
bool sweep_tally_is_good(const struct sweep_tally *tally);

/* One case, numbered from 0.  Returns false if the number is too large. */
typedef bool (*sweep_case_t)(void *user, uint64_t number, struct sweep_tally *tally);

/* One of this many cases is run: 1 for all, or the value of the environment variable SWEEP_EVERY,
 * for tools under which all would take hours. Ends the program when the variable is not such a
 * number. */
unsigned sweep_guard_every(void);

/* Whether FAULTS reaches AT_LEAST, which holds when all cases are run. */
bool sweep_guard_is_enough(uint64_t faults, uint64_t at_least);

/* Run the cases of RUN, in one child, plus one for each crash. A case may use SECONDS of processor
 * time; one that waits for ever is ended after a multiple of that. TITLE is for the lines on stderr
 * that report errors. Adds to TALLY. */
void sweep_guard_run(const char *title, unsigned seconds, sweep_case_t run, void *user,
                     struct sweep_tally *tally);

/* In a case: report an error on stderr, for the first few of a title. */
void sweep_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
