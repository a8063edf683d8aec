/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The message of an open that failed: there is no target to keep it. */
#ifndef OMPD_HOST_MESSAGE_H
#define OMPD_HOST_MESSAGE_H

#include <host/base.h>

/* Keep SENTENCE, "" for none, as that of the calling thread's last open. */
void message_of_open(const char *sentence);

#endif
