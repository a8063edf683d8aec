/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Callbacks that the runtime holds for the recorder, in the place of the program's. */
#ifndef LIBOMPD_TRAMPOLINE_H
#define LIBOMPD_TRAMPOLINE_H

#include "session/address-space.h"

/*
 * Where *FUNCTION, as the runtime holds it, is of the recorder, give the program's function and its
 * user data instead: those of the record of TABLE_ID that *USER_DATA names, if it is for OBJECT
 * (callbacks: the object, SVM-free commands: the queue), else unknown.
 */
void trampoline_translate(struct address_space *space, uint32_t table_id, uint64_t object,
                          ompd_cl_value_t *function, ompd_cl_value_t *user_data);

#endif
