/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ICVs, to OMPD's tools (OpenMP 6.0 section 41.11). */
#include "api/api.h"

/* The first id from CURRENT on whose ICV exists for RESOLVED; 0 if there is none. */
static ompd_icv_id_t find_icv_from(const struct resolved_handle *resolved, ompd_icv_id_t id)
{
    const struct counter *counter;

    while ((counter = counter_find(id)) != NULL) {
        if (resolved->kind == handle_of_process || counter->is_of_devices)
            return id;
        id++;
    }
    return 0;
}

static ompd_rc_t get_icv(const struct resolved_handle *resolved, ompd_icv_id_t current,
                         ompd_icv_id_t *next_id, const char **next_icv_name,
                         ompd_scope_t *next_scope, int *more)
{
    struct address_space *space = resolved->space;
    ompd_icv_id_t id;
    const char *name;
    ompd_rc_t rc;

    if (next_id == NULL || next_icv_name == NULL || next_scope == NULL || more == NULL)
        return address_space_refuse_null(space, "an out parameter");
    id = find_icv_from(resolved, current + 1);
    if (id == 0)
        return address_space_fail(space, ompd_rc_bad_input, "no ICV follows this one.");
    rc = memory_copy_for_tool(space->target.memory, counter_find(id)->name, &name);
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    *next_id = id;
    *next_icv_name = name;
    *next_scope = counter_find(id)->scope;
    *more = find_icv_from(resolved, id + 1) != 0;
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_enumerate_icvs(ompd_address_space_handle_t *handle, ompd_icv_id_t current,
                                     ompd_icv_id_t *next_id, const char **next_icv_name,
                                     ompd_scope_t *next_scope, int *more)
{
    struct resolved_handle resolved;
    ompd_rc_t rc;

    rc = address_space_enter_any(handle, &resolved);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(
        resolved.space, get_icv(&resolved, current, next_id, next_icv_name, next_scope, more));
}

/* The scope of a handle of RESOLVED (OpenMP 6.0 table 39.1), as far as ICVs here have it. */
static ompd_scope_t scope_of_handle(const struct resolved_handle *resolved)
{
    return resolved->kind == handle_of_thread ? ompd_scope_thread : ompd_scope_address_space;
}

/* Check that ICV exists for RESOLVED in SCOPE. */
static ompd_rc_t check_scope(const struct resolved_handle *resolved, ompd_scope_t scope,
                             const struct counter *counter)
{
    struct address_space *space = resolved->space;

    if (counter == NULL)
        return address_space_fail(space, ompd_rc_bad_input, "there is no ICV with this id.");
    if (scope < ompd_scope_global || scope > ompd_scope_target)
        return address_space_fail(space, ompd_rc_bad_input, "unknown scope.");
    if (scope != scope_of_handle(resolved) || scope != counter->scope)
        return address_space_fail(space, ompd_rc_incompatible,
                                  "the handle, the scope and the ICV do not match.");
    if (resolved->kind == handle_of_device && !counter->is_of_devices)
        return address_space_fail(space, ompd_rc_incompatible,
                                  "the ICV belongs to processes, not to devices.");
    return ompd_rc_ok;
}

/* Have the registry open for QUESTION, and its device or thread still there. */
static ompd_rc_t open_question(struct counter_question *question)
{
    const struct resolved_handle *resolved = &question->resolved;
    ompd_rc_t rc;

    if (resolved->kind == handle_of_thread)
        return thread_head_find(resolved->space, resolved->entry, &question->head);
    rc = uncached_open(resolved->space);
    if (rc == ompd_rc_ok && resolved->kind == handle_of_device &&
        resolved->entry->incarnation != resolved->space->recorder->registry.incarnation)
        return address_space_fail(resolved->space, ompd_rc_stale_handle,
                                  "the device belongs to an earlier process.");
    return rc;
}

/* Ask for ICV_ID of HANDLE. */
static ompd_rc_t read_counter(const void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
                              struct counter_question *question, struct counter_value *value)
{
    const struct counter *counter = counter_find(icv_id);
    ompd_rc_t rc;

    *value = (struct counter_value){0};
    rc = address_space_resolve(handle, &question->resolved);
    if (rc != ompd_rc_ok)
        return rc;
    rc = check_scope(&question->resolved, scope, counter);
    if (rc == ompd_rc_ok)
        rc = open_question(question);
    if (rc == ompd_rc_ok)
        rc = counter->read(question, counter, value);
    return address_space_end_unless_ok(question->resolved.space, rc);
}

PUBLIC ompd_rc_t ompd_get_icv_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
                                         ompd_word_t *counter_value)
{
    struct counter_question question;
    struct counter_value value;
    ompd_rc_t rc;

    rc = read_counter(handle, scope, icv_id, &question, &value);
    if (rc != ompd_rc_ok)
        return rc;
    if (counter_value == NULL)
        rc = address_space_refuse_null(question.resolved.space, "the value");
    else if (address_space_may_set_outputs(question.resolved.space, rc))
        *counter_value = value.number;
    return address_space_leave(question.resolved.space, rc);
}

static ompd_rc_t get_icv_string(const struct counter_question *question,
                                const struct counter *counter, const struct counter_value *value,
                                const char **icv_string)
{
    struct address_space *space = question->resolved.space;
    struct message text;
    const char *string;
    ompd_rc_t rc;

    if (icv_string == NULL)
        return address_space_refuse_null(space, "the string");
    message_clear(&text);
    if (value->is_bound)
        message_add(&text, "at most ");
    if (value->is_unknown)
        message_add(&text, "unknown");
    else
        counter->write(counter, value->number, &text);
    rc = memory_copy_for_tool(space->target.memory, text.text, &string);
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    *icv_string = string;
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_get_icv_string_from_scope(void *handle, ompd_scope_t scope,
                                                ompd_icv_id_t icv_id, const char **icv_string)
{
    struct counter_question question;
    struct counter_value value;
    ompd_rc_t rc;

    rc = read_counter(handle, scope, icv_id, &question, &value);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(question.resolved.space,
                               get_icv_string(&question, counter_find(icv_id), &value, icv_string));
}
