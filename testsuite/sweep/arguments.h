/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Correct arguments: handles, ids, lists and numbers of objects in the target. */
#ifndef SWEEP_ARGUMENTS_H
#define SWEEP_ARGUMENTS_H

#include "request.h"

/* Write a valid value for argument I, which is not a pointer to memory, to REQUEST's words. Returns
 * false when the target has no such value. */
bool sweep_argument_get(struct sweep_request *request, unsigned i);

/* The id of the object of KIND (ompd_cl_kind_t) that the facts name, in SESSION; 0 for none. */
uint64_t sweep_id_find(const struct sweep_session *session, const struct sweep_facts *facts,
                       uint32_t kind);

/* A thread handle, to be released, or NULL. */
ompd_thread_handle_t *sweep_thread_make(const struct sweep_session *session,
                                        const struct sweep_facts *facts);

/* An address space of the device of a queue, to be released, or NULL. */
ompd_address_space_handle_t *sweep_device_make(const struct sweep_session *session,
                                               const struct sweep_facts *facts);

/* A list of rows of KIND, to be closed; its id is 0 when it cannot be opened. */
ompd_cl_list_t sweep_list_make(const struct sweep_session *session, const struct sweep_facts *facts,
                               uint32_t kind);

#endif
