/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session/session.h>

#include <signal.h>
#include <unistd.h>

static ompd_host_target_t *volatile watched;

static void on_bus_error(int signal_number, siginfo_t *info, void *context)
{
    static const char sentence[] = "ompd-opencl: a file was truncated while it was read\n";

    (void)context;
    if (info->si_code != BUS_ADRERR) {
        signal(signal_number, SIG_DFL);
        return;
    }
    if (ompd_host_fault_mend(watched, info->si_addr) == ompd_host_rc_ok)
        return;
    if (write(STDERR_FILENO, sentence, sizeof(sentence) - 1) < 0)
        _exit(ompd_view_exit_unreadable);
    _exit(ompd_view_exit_unreadable);
}

void command_cut_core_watch(ompd_host_target_t *target)
{
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};

    watched = target;
    sigaction(SIGBUS, &action, NULL);
}

bool command_core_was_cut(const struct command_session *session)
{
    ompd_host_target_info_t info = {.struct_size = sizeof(info)};

    return session->target != NULL &&
           ompd_host_target_get(session->target, &info) == ompd_host_rc_ok && info.is_cut;
}
