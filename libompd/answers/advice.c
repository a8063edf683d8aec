/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "answers/answers.h"

#include <string.h>

#define ADVICE "run the program under"

/* The runtime that is used without a loader; NULL: there is none. */
static const struct runtime *find_without_loader(const struct address_space *space)
{
    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        const struct runtime *runtime = &space->layout->runtimes.all[i];

        if (runtime->layout != NULL && runtime->layout->has_no_loader)
            return runtime;
    }
    return NULL;
}

/* Where in MESSAGE the clause with the advice begins; its length: there is none. */
static size_t find_advice(const struct message *message)
{
    const size_t size = sizeof(ADVICE) - 1;

    for (size_t i = 0; i + size <= message->length; i++) {
        if (memcmp(message->text + i, ADVICE, size) != 0)
            continue;
        while (i > 0 && memchr(":;,", message->text[i], 3) == NULL)
            i--;
        return i;
    }
    return message->length;
}

void advice_settle(const struct address_space *space, struct message *message)
{
    size_t start = find_advice(message);
    const struct runtime *runtime = find_without_loader(space);

    if (start == message->length || runtime == NULL)
        return;
    message->text[start] = '\0';
    message->length = start;
    message_add(message, "; ");
    message_add(message, text_file_name(runtime->module));
    message_add(message, " takes the place of the OpenCL loader, which would load the recorder.");
}
