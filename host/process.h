/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process: opened, stopped, let go. */
#ifndef OMPD_HOST_PROCESS_H
#define OMPD_HOST_PROCESS_H

#include <host/base.h>

/* Open process PID as TARGET, which is new; unless LEAVES_RUNNING, stop it. */
ompd_host_rc_t process_open(ompd_host_target_t *target, pid_t pid, bool leaves_running);

/* The same of one that the caller traces: its COUNT THREADS make sense. */
ompd_host_rc_t process_open_traced(ompd_host_target_t *target, pid_t pid,
                                   const ompd_host_traced_thread_t *threads, size_t count);

/* The registers of a thread that does not run, by their numbers in DWARF. */
struct registers {
    uint64_t pc; /* on some machines none of the others */
    uint64_t values[REGISTER_COUNT];
    bool are_known[REGISTER_COUNT];
};

/* traced.c: read the registers of a thread that has them.  False: they are of a machine that is not
 * known here. */
bool traced_registers_read(const ompd_host_target_t *target, const struct thread *thread,
                           struct registers *registers);

/* traced.c: the same of the thread LWP, which the calling thread has stopped.  False: the kernel
 * does not tell them, or they are of a machine that is not known here. */
bool traced_registers_ask(const ompd_host_target_t *target, uint32_t lwp,
                          struct registers *registers);

/* traced.c: whether THREADS, COUNT of them, are some, with their registers. */
bool traced_threads_make_sense(const ompd_host_traced_thread_t *threads, size_t count);

/* traced.c: make copies of them the threads of TARGET. */
ompd_host_rc_t traced_threads_take(ompd_host_target_t *target,
                                   const ompd_host_traced_thread_t *threads, size_t count);

/* Have the pthread_t of such threads, as their registers tell it, once the machine is known. */
void traced_pthreads_read(ompd_host_target_t *target);

/* Let the process go on, as far as it is stopped, and give back what is held of it. */
void process_close(ompd_host_target_t *target);

/* stop.c: stop all threads of the process, which become those of TARGET.  Where it fails, what has
 * been stopped goes on when the tracer ends. */
ompd_host_rc_t stop_threads(ompd_host_target_t *target);

/* stop.c: read the pthread_t of each stopped thread, when the word size is known. */
void stop_read_pthreads(ompd_host_target_t *target);

/* stop.c: let all threads go on, each with the signal that it was about to get. */
void stop_end(ompd_host_target_t *target);

/* stop.c: list the threads of the process, of which there is one at least, without stopping them.
 */
ompd_host_rc_t stop_list_threads(ompd_host_target_t *target);

/* Run FUNCTION where the target may be traced: ptrace obeys one thread only, which is not the
 * caller's.  For a core, or a process that is not stopped, in the caller's own. */
void process_run(ompd_host_target_t *target, void (*function)(void *argument), void *argument);

/* memory.c: read the regions of TARGET, a process, in place of those it has. */
ompd_host_rc_t memory_regions_read(ompd_host_target_t *target);

#endif
