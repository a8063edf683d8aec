/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The verbs that list all objects of a kind. */
#include <host/command/verb.h>

static enum command_exit list_run(struct command_session *session,
                                  const struct command_listing *listing)
{
    struct command_renderer renderer;

    command_renderer_begin(&renderer, session);
    command_listing_write(&renderer, listing);
    command_renderer_end(&renderer);
    return command_session_result(session);
}

enum command_exit command_contexts_run(struct command_session *session, size_t count,
                                       char **operands)
{
    static const struct command_listing listing = {.kind = ompd_cl_kind_context};

    (void)count, (void)operands;
    return list_run(session, &listing);
}

enum command_exit command_queues_run(struct command_session *session, size_t count, char **operands)
{
    static const struct command_listing listing = {.kind = ompd_cl_kind_queue};

    (void)count, (void)operands;
    return list_run(session, &listing);
}

enum command_exit command_memobjs_run(struct command_session *session, size_t count,
                                      char **operands)
{
    static const struct command_listing listing = {.kind = ompd_cl_kind_memobj};

    (void)count, (void)operands;
    return list_run(session, &listing);
}

enum command_exit command_svm_run(struct command_session *session, size_t count, char **operands)
{
    static const struct command_listing listing = {.kind = ompd_cl_kind_svm};

    (void)count, (void)operands;
    return list_run(session, &listing);
}

enum command_exit command_svm_frees_run(struct command_session *session, size_t count,
                                        char **operands)
{
    static const struct command_listing listing = {.kind = ompd_cl_kind_svm_free};

    (void)count, (void)operands;
    return list_run(session, &listing);
}

const char *const command_runtimes_also[] = {"table", "found_by", NULL};

enum command_exit command_runtimes_run(struct command_session *session, size_t count,
                                       char **operands)
{
    static const struct command_listing listing = {
        .kind = ompd_cl_kind_runtime,
        .also = command_runtimes_also,
    };

    (void)count, (void)operands;
    return list_run(session, &listing);
}

const char *const command_destructors_also[] = {"object", "running_lwp", NULL};

enum command_exit command_destructors_run(struct command_session *session, size_t count,
                                          char **operands)
{
    static const struct command_listing listing = {
        .kind = ompd_cl_kind_destructor,
        .also = command_destructors_also,
    };

    if (count != 0)
        return command_object_destructors_run(session, operands[0]);
    return list_run(session, &listing);
}
