/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "session.h"

#include <stdlib.h>
#include <string.h>

static ompd_rc_t allocate(void *user, ompd_size_t nbytes, void **ptr)
{
    struct sweep_session *session = user;

    return sweep_heap_allocate(&session->heap, nbytes, ptr);
}

static ompd_rc_t release(void *user, void *ptr)
{
    struct sweep_session *session = user;

    return sweep_heap_free(&session->heap, ptr);
}

static ompd_rc_t print(void *user, const char *string, int category)
{
    struct sweep_session *session = user;

    (void)string;
    (void)category;
    session->printed++;
    return ompd_rc_ok;
}

static const ompd_host_functions_t functions = {allocate, release, print};

bool sweep_session_monitor(void *user, ssize_t bytes, bool post)
{
    struct sweep_session *session = user;
    bool allows = session->monitor_allows == NULL ||
                  session->monitor_allows(session->monitor_user, bytes, post);

    if (allows || post)
        session->monitored += bytes;
    return allows;
}

void sweep_session_begin(struct sweep_session *session, const struct sweep_target *target)
{
    memset(session, 0, sizeof(*session));
    session->target = target;
    session->callbacks = target->callbacks;
    session->extra = target->extra;
    session->extra.struct_size = sizeof(session->extra);
    session->extra.monitor = sweep_session_monitor;
    session->extra.monitor_user_ptr = session;
    if (ompd_host_callbacks_create(&functions, session, &session->callbacks, &session->bound) !=
        ompd_rc_ok)
        abort();
}

ompd_rc_t sweep_session_open(struct sweep_session *session)
{
    const char *layout = session->target->layout;
    ompd_rc_t rc = ompd_cl_address_space_create(&session->callbacks, &session->extra,
                                                session->target->context, &session->space);

    if (rc != ompd_rc_ok || layout == NULL)
        return rc;
    rc = ompd_cl_layout_add(session->space, layout, strlen(layout));
    if (rc != ompd_rc_ok) {
        ompd_rel_address_space_handle(session->space);
        session->space = NULL;
    }
    return rc;
}

uint64_t sweep_session_end(struct sweep_session *session)
{
    uint64_t leaks;

    if (session->space != NULL)
        ompd_rel_address_space_handle(session->space);
    leaks = session->heap.wrong_frees + sweep_heap_clear(&session->heap);
    ompd_host_callbacks_free(session->bound);
    return leaks + (session->monitored != 0);
}
