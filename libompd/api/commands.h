/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands of queues, devices, what is gone and what has failed, the ledger and calls: what newer
 * recorders alone know. */
#ifndef LIBOMPD_COMMANDS_H
#define LIBOMPD_COMMANDS_H

#include "session/address-space.h"

/* Open a list of all commands: see ompd_cl_list_open. */
ompd_rc_t command_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                            ompd_cl_list_t *list);

/* Open a list of the commands of the queue with the id QUEUE. */
ompd_rc_t command_list_open_of_queue(struct address_space *space, uint64_t queue,
                                     ompd_cl_list_t *list);

/* Open a list of all devices. */
ompd_rc_t device_list_open(struct address_space *space, ompd_cl_list_t *list);

/* Open a list of all objects that are gone. */
ompd_rc_t gone_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                         ompd_cl_list_t *list);

/* Open a list of all errors. */
ompd_rc_t error_list_open(struct address_space *space, ompd_cl_list_t *list);

/* Open a list of all entries of the ledger. */
ompd_rc_t ledger_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                           ompd_cl_list_t *list);

/* Open a list of all callbacks of events and builds. */
ompd_rc_t callback_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                             ompd_cl_list_t *list);

/* Open a list of all calls that have returned and are kept. */
ompd_rc_t call_list_open(struct address_space *space, ompd_cl_list_t *list);

#endif
