/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See handle.h. */
#include <host/command/handle.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A kind that has a cl handle or pointer to be found by, and the verb that shows one. */
struct findable {
    ompd_cl_kind_t kind;
    const char *verb;
};

static const struct findable findables[] = {
    {ompd_cl_kind_memobj, "memobj"},
    {ompd_cl_kind_context, "context"},
    {ompd_cl_kind_queue, "queue"},
    {ompd_cl_kind_svm, "svm"},
};

#define FINDABLE_COUNT (sizeof(findables) / sizeof(findables[0]))

static bool is_among(ompd_cl_kind_t kind, const ompd_cl_kind_t *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

static bool parse_handle(struct command_session *session, const char *word, uint64_t *handle)
{
    char *end;

    errno = 0;
    *handle = strtoull(word, &end, strncasecmp(word, "0x", 2) == 0 ? 16 : 10);
    if (!isdigit((unsigned char)word[0]) || *end != '\0' || errno != 0)
        return command_session_fail(session, command_exit_usage,
                                    "%s is no handle: write it as the lists do, 0x55d0c0ffee00.",
                                    word);
    return true;
}

/* Add "an OpenCL context or a memory object", or without the articles. */
static void add_kinds(struct command_text *text, const ompd_cl_kind_t *kinds, size_t count,
                      bool has_articles)
{
    for (size_t i = 0; i < count; i++) {
        const struct command_noun *noun = &command_kind_get(kinds[i])->noun;

        command_text_add(text, "%s", i != 0 ? " or " : "");
        if (has_articles)
            command_text_add(text, "%s ", noun->article);
        command_text_add(text, "%s", noun->singular);
    }
}

/* Find the object of one kind.  False: there is none, or it failed. */
static bool find_one(struct command_session *session, ompd_cl_kind_t kind, uint64_t handle,
                     uint64_t *id)
{
    ompd_rc_t rc = command_object_find(session, kind, handle, id);

    if (rc == ompd_rc_unavailable)
        return false;
    if (rc == ompd_rc_incomplete) {
        struct command_text reason = {0};

        command_session_add_reason(session, rc, &reason);
        command_session_fail(session, command_exit_incomplete, "%s", reason.bytes);
        command_text_free(&reason);
        return false;
    }
    return command_session_check(session, rc);
}

/* Whether COMMAND, an SVM-free command, frees POINTER. */
static bool frees_pointer(struct command_session *session, const struct command_row *command,
                          uint64_t pointer)
{
    struct command_list pointers;
    struct command_row row;
    bool is_found = false;

    command_list_open_parts(&pointers, session, ompd_cl_kind_svm_pointer, command);
    while (!is_found && command_list_next(&pointers, &row))
        is_found = command_row_number(&row, "pointer") == pointer;
    command_list_close(&pointers);
    return is_found;
}

static bool find_svm_free(struct command_session *session, uint64_t handle, const char *word,
                          struct command_object *object)
{
    struct command_list commands;
    struct command_row command;
    uint64_t id = 0;

    command_list_open(&commands, session, ompd_cl_kind_svm_free, NULL);
    while (id == 0 && command_list_next(&commands, &command))
        if (frees_pointer(session, &command, handle) ||
            (handle != 0 && handle == command_row_number(&command, "event")))
            id = command_row_id(&command);
    command_list_close(&commands);
    if (id != 0)
        return command_session_check(
            session, command_object_get(session, ompd_cl_kind_svm_free, id, object));
    return command_session_fail(
        session, command_exit_usage,
        "%s is neither the event of an SVM-free command nor a pointer that one frees.", word);
}

/* Keep that HANDLE is none of KINDS, and what it is instead. */
static void fail_not_found(struct command_session *session, uint64_t handle,
                           const ompd_cl_kind_t *kinds, size_t count)
{
    struct command_text wanted = {0};
    uint64_t id;

    /* Where nothing tells of objects nothing was looked up. */
    if (!command_session_check(session, ompd_cl_refresh(session->space)))
        return;
    for (size_t i = 0; i < FINDABLE_COUNT; i++) {
        const struct command_noun *noun = &command_kind_get(findables[i].kind)->noun;

        if (is_among(findables[i].kind, kinds, count) ||
            !find_one(session, findables[i].kind, handle, &id))
            continue;
        add_kinds(&wanted, kinds, count, true);
        command_session_fail(session, command_exit_usage,
                             "0x%" PRIx64 " is %s %s, not %s: use `%s`.", handle, noun->article,
                             noun->singular, wanted.bytes, findables[i].verb);
    }
    command_text_clear(&wanted);
    add_kinds(&wanted, kinds, count, false);
    command_session_fail(session, command_exit_usage,
                         "There is no %s 0x%" PRIx64 ": never created, or gone.", wanted.bytes,
                         handle);
    command_text_free(&wanted);
}

bool command_handle_find(struct command_session *session, const char *word,
                         const ompd_cl_kind_t *kinds, size_t count, struct command_object *object)
{
    uint64_t handle;
    uint64_t id;

    if (!parse_handle(session, word, &handle))
        return false;
    for (size_t i = 0; i < FINDABLE_COUNT; i++)
        if (is_among(findables[i].kind, kinds, count) &&
            find_one(session, findables[i].kind, handle, &id))
            return command_session_check(
                session, command_object_get(session, findables[i].kind, id, object));
    if (session->failure != command_exit_ok)
        return false;
    if (is_among(ompd_cl_kind_svm_free, kinds, count))
        return find_svm_free(session, handle, word, object);
    if (handle == 0)
        return command_session_fail(session, command_exit_usage, "%s is NULL.", word);
    fail_not_found(session, handle, kinds, count);
    return false;
}
