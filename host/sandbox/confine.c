/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A process that reads cores and can do nothing else.  The code that parses them, above all
 * elfutils, may have faults.  An attacker who exploits one to run code gets a process that opens no
 * files, starts no programs and reaches no network.
 */
#include <config.h>

#include <host/sandbox/sandbox.h>

#include <errno.h>
#include <fcntl.h>
#include <host/base/callbacks.h>
#include <host/files/files.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FIRST_DESCRIPTOR 3     /* after the standard descriptors */
#define DESCRIPTORS_TRIED 1024 /* on a kernel that closes them one by one */

PUBLIC ompd_host_rc_t ompd_host_confinement_check(void)
{
    if (!confine_filter_is_known()) {
        message_of_open("this library was built without libseccomp, or with a sanitizer");
        return ompd_host_rc_not_permitted;
    }
    message_of_open("");
    return ompd_host_rc_ok;
}

/* Returns 0 or an errno. */
static int confine_prepare(void)
{
    /* The time zone is in a file, which the C library reads once. */
    tzset();
    elf_version(EV_CURRENT);
    if (!layouts_preload() || !ompd_host_callbacks_reserve())
        return ENOMEM;
    return confine_filter_prepare();
}

static ompd_host_rc_t confine_refuse(int error, const char *reason)
{
    char sentence[HOST_MESSAGE_SIZE];

    snprintf(sentence, sizeof(sentence), "%s: %s", reason, strerror(error));
    message_of_open(sentence);
    return error == ENOMEM ? ompd_host_rc_nomem : ompd_host_rc_not_permitted;
}

PUBLIC ompd_host_rc_t ompd_host_confinement_prepare(void)
{
    ompd_host_rc_t rc = ompd_host_confinement_check();
    int error = rc == ompd_host_rc_ok ? confine_prepare() : 0;

    if (error != 0)
        return confine_refuse(error, "cannot create a filter of system calls");
    return rc;
}

/* Close all descriptors except standard output, standard error and CONNECTION.  Standard input,
 * which may be a terminal, is replaced.  Returns 0 or an errno. */
static int close_others(int connection)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
        return errno;
    if ((connection > FIRST_DESCRIPTOR &&
         syscall(SYS_close_range, FIRST_DESCRIPTOR, connection - 1, 0) != 0) ||
        syscall(SYS_close_range, connection + 1, ~0U, 0) != 0) {
        for (int other = FIRST_DESCRIPTOR; other < DESCRIPTORS_TRIED; other++)
            if (other != connection)
                close(other);
    }
    return 0;
}

/* Tell the serving process why this process is not confined. */
static void unconfined_report(int connection)
{
    struct file_message message = {.what = file_question_unconfined};

    if (file_message_set(&message, ompd_host_message_get(NULL)))
        file_message_send(connection, &message, -1);
}

/* Returns 0 or an errno; *REASON receives what failed. */
static int process_confine(int connection, const char **reason)
{
    int error = close_others(connection);

    *reason = "cannot open /dev/null";
    if (error != 0)
        return error;
    *reason = "the kernel rejected a filter of system calls";
    return confine_filter_load();
}

PUBLIC ompd_host_rc_t ompd_host_confine(int connection)
{
    const char *reason;
    ompd_host_rc_t rc;
    int error;

    if (connection < FIRST_DESCRIPTOR) {
        message_of_open("invalid file-service descriptor (must be greater than 2)");
        return ompd_host_rc_bad_input;
    }
    rc = ompd_host_confinement_prepare();
    error = rc == ompd_host_rc_ok ? process_confine(connection, &reason) : 0;
    if (error != 0)
        rc = confine_refuse(error, reason);
    if (rc == ompd_host_rc_ok)
        file_client_begin(connection);
    else
        unconfined_report(connection);
    return rc;
}
