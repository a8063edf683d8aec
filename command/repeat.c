/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See repeat.h. */
#include <command/repeat.h>

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

void command_repeat_begin(struct command_repeat *repeat, pid_t pid, uint64_t every)
{
    repeat->has_begun = true;
    repeat->every = every;
    repeat->process = (int)syscall(SYS_pidfd_open, pid, 0);
}

bool command_repeat_wait(const struct command_repeat *repeat, uint64_t milliseconds)
{
    struct pollfd end = {.fd = repeat->process, .events = POLLIN};
    int count;

    if (repeat->process < 0)
        return false;
    do
        count = poll(&end, 1, (int)milliseconds);
    while (count < 0 && errno == EINTR);
    return count == 0;
}

void command_repeat_end(struct command_repeat *repeat)
{
    if (repeat->has_begun && repeat->process >= 0)
        close(repeat->process);
}
