/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Objects that the program has released, and that the runtime still held then.
 *
 * The runtime cannot be asked about them: with the program's last reference their handles are not
 * valid any more.  That they are gone is learned from what held them.  A memory object is deleted
 * when the commands that use it are complete (clReleaseMemObject), a queue when its commands are
 * (clReleaseCommandQueue), and when no event of it is left.  Which commands use which memory object
 * is not recorded: all that its OpenCL context's queues had been given before it was released count
 * as such.
 *
 * Moments order releases and commands: each such release ends one moment and begins the next.
 */
#ifndef RECORDER_HELD_H
#define RECORDER_HELD_H

#include "object.h"

/* The bits of an object's evidence by which it counts in `children_released` of what it keeps
 * alive. */
#define RECORDER_HELD (OMPD_CL_REGISTRY_HELD_BY_RUNTIME | OMPD_CL_REGISTRY_HELD_BY_CHILDREN)

/* The program was given the extension function NAME, whose calls are not seen. */
void recorder_held_function_given(const char *name);

/* Queues may have been given commands that are not counted: only what has been waited for is known
 * to be complete. */
bool recorder_held_has_unseen_commands(void);

/* Commands may have been put into command buffers. */
bool recorder_held_has_command_buffers(void);

/* The moment that it is, and the one that ends with this. */
uint32_t recorder_held_moment(void);
uint32_t recorder_held_moment_end(void);

/* Set the bits of `evidence` that are of RECORDER_HELD in a record that is there, and count. */
void recorder_held_mark(const struct recorder_entry *entry, uint8_t evidence);

/* Count one more (DIFFERENCE 1) or less (UINT32_MAX) in what the object keeps alive. */
void recorder_held_count(const struct ompd_cl_registry_object *object, uint32_t difference);

/* The OpenCL context, which has a queue, has RUNTIME_COUNT references by the runtime's own count.
 * Where the queue is not among them the runtime counts the references of the program alone, as
 * NVIDIA's and Intel's for GPUs do: no count of it tells what holds an object. */
void recorder_held_learn(const struct recorder_entry *context, uint32_t runtime_count);

/* The object is to lose its last reference, which is all that the runtime counts; yet the runtime
 * may hold it: its counts are of the program alone, and something that uses it may be left. */
bool recorder_held_uncounted(const struct recorder_entry *entry);

/* The program has released the memory object, and the runtime holds it. */
void recorder_held_add(const struct recorder_entry *memobj);

/* The queue has come further: end what is gone now. */
void recorder_held_settle(const struct recorder_entry *queue);

/* A queue without references is gone: its commands are complete and no event of it is left. */
bool recorder_held_queue_is_over(const struct recorder_entry *queue);

/* The OpenCL context ends. */
void recorder_held_forget(const struct recorder_entry *context);

#endif
