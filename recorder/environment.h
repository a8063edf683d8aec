/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the user sets in the environment. */
#ifndef RECORDER_ENVIRONMENT_H
#define RECORDER_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the environment is of somebody who may do all that the program may: not in a setuid
 * program, where loaders name layers by it all the same. */
bool recorder_environment_is_trusted(void);

/* OMPD_OPENCL_STACK_DEPTH: frames to record per call stack, 1 to OMPD_CL_REGISTRY_MAX_STACK_DEPTH;
 * 1 when it is not set or no number. */
uint32_t recorder_environment_stack_depth(void);

/* OMPD_OPENCL_HISTORY: entries to keep of what is over, of the commands of each queue say, 0 to
 * RECORDER_HISTORY_LIMIT; 256 when it is not set or no number. */
#define RECORDER_HISTORY_LIMIT 65536u
uint32_t recorder_environment_history(void);

/* OMPD_OPENCL_LEDGER: the tables of objects that a ledger is kept of, bits 1 << table, and how many
 * entries of each, 1 to RECORDER_LEDGER_LIMIT.  The value is words with commas between them: kinds
 * of objects, "events" say, and a number of entries.  Without kinds it is all of them; 0 is none,
 * and 1 the usual number. */
#define RECORDER_LEDGER_LIMIT 262144u
uint32_t recorder_environment_ledger(void);
uint32_t recorder_environment_ledger_length(void);

/* OMPD_OPENCL_CALLS: the last calls to keep of each thread, 0 to RECORDER_HISTORY_LIMIT; 0 when it
 * is not set or no number. */
uint32_t recorder_environment_calls(void);

/* OMPD_OPENCL_TRACK_COMPLETION, and what is kept, as bits of the root's `switches`. */
uint32_t recorder_environment_switches(void);

/* ocl-icd 2.3.1 splits OPENCL_LAYERS where it lies, in the environment, by writing NULs.  The first
 * call says that a loader is just doing so; the second, once all layers are loaded, puts the colons
 * back, so that the program and its children see what the user set.  It does nothing at other
 * times. */
void recorder_environment_layers_split(void);
void recorder_environment_restore_layers(void);

#endif
