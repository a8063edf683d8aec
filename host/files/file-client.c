/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <config.h>

#include <host/files/files.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

static int service = -1;

void file_client_begin(int connection)
{
    service = connection;
}

bool file_client_is_on(void)
{
    return service >= 0;
}

/* Send QUESTION with TEXT and wait for the ANSWER, as file_message_receive does. */
static bool client_ask(enum file_question question, const char *text, struct file_message *answer,
                       int *descriptor)
{
    struct file_message message = {.what = (int32_t)question};

    *descriptor = -1;
    return file_message_set(&message, text) && file_message_send(service, &message, -1) &&
           file_message_receive(service, answer, descriptor);
}

int file_client_open(enum file_question question, const char *text, char **found)
{
    struct file_message answer;
    int descriptor;

    if (client_ask(question, text, &answer, &descriptor) && descriptor >= 0 && found != NULL)
        *found = strdup(answer.text);
    return descriptor;
}

ompd_host_rc_t file_client_core_open(ompd_host_target_t *target)
{
    struct file_message answer;

    if (!client_ask(file_question_core, target->path, &answer, &target->core.descriptor))
        return target_message_set(target, ompd_host_rc_error,
                                  "cannot open core '%s': the file-service process has ended",
                                  target->path);
    target->core.time = answer.time;
    if (answer.what == ompd_host_rc_ok && target->core.descriptor < 0)
        answer.what = ompd_host_rc_error;
    if (answer.what == ompd_host_rc_ok)
        return ompd_host_rc_ok;
    return target_message_set(target, (ompd_host_rc_t)answer.what, "%s", answer.text);
}

int file_client_write(enum file_question question, const char *path, int *descriptor)
{
    struct file_message answer;
    int made;

    if (!client_ask(question, path, &answer, &made))
        return EPIPE;
    if (descriptor != NULL)
        *descriptor = made;
    else if (made >= 0)
        close(made);
    return answer.what;
}

const char *file_client_draw(int *descriptor)
{
    static struct file_message answer;

    if (!client_ask(file_question_draw, "", &answer, descriptor))
        return "the drawing process has ended";
    return *descriptor >= 0 ? NULL : answer.text;
}
