/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See session.h. */
#include <command/session/session.h>

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void command_learn_decide(struct command_options *options)
{
    bool can_ask = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;

    if (options->learn == command_learn_default)
        options->learn = command_learn_ask;
    if (options->learn == command_learn_ask && !can_ask)
        options->learn = command_learn_never;
}

struct command_missed_layout *command_missed_layout_create(void)
{
    void *page = mmap(NULL, sizeof(struct command_missed_layout), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return page != MAP_FAILED ? page : NULL;
}

void command_missed_layout_free(struct command_missed_layout *missed)
{
    if (missed != NULL)
        munmap(missed, sizeof(*missed));
}

/* Whether ROW is a runtime with objects, or with an unknown number of them, and without a
 * layout. */
static bool is_missed(const ompd_cl_runtime_info_t *row)
{
    return row->layout.status == ompd_cl_status_not_applicable && row->build_id.text[0] != '\0' &&
           (row->objects.status == ompd_cl_status_unknown || row->objects.value != 0);
}

void command_missed_layout_note(struct command_session *session)
{
    struct command_missed_layout *missed = session->missed;
    ompd_cl_runtime_info_t row = {.head = {.struct_size = sizeof(row)}};
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_rc_t rc;

    if (missed == NULL || missed->build_id[0] != '\0' ||
        session->options.learn == command_learn_never)
        return;
    rc = ompd_cl_list_open(session->space, ompd_cl_kind_runtime, NULL, &list);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return;
    while (missed->build_id[0] == '\0' &&
           ompd_cl_list_next(session->space, list, ompd_cl_kind_runtime, 1, &row, &count, NULL) ==
               ompd_rc_ok &&
           count != 0)
        if (is_missed(&row))
            snprintf(missed->build_id, sizeof(missed->build_id), "%s", row.build_id.text);
    ompd_cl_list_close(session->space, list);
}

bool command_missed_layout_hold(struct command_session *session, const char *sentence)
{
    struct command_missed_layout *missed = session->missed;

    if (missed == NULL || missed->build_id[0] == '\0' ||
        strlen(sentence) >= sizeof(missed->sentence))
        return false;
    snprintf(missed->sentence, sizeof(missed->sentence), "%s", sentence);
    return true;
}

bool command_missed_layout_get(const struct command_missed_layout *missed,
                               struct command_missed_layout *copy)
{
    if (missed == NULL)
        return false;
    *copy = *missed;
    copy->build_id[sizeof(copy->build_id) - 1] = '\0';
    copy->sentence[sizeof(copy->sentence) - 1] = '\0';
    return copy->build_id[0] != '\0' && copy->sentence[0] != '\0' &&
           copy->build_id[strspn(copy->build_id, "0123456789abcdef")] == '\0';
}
