/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arguments of a kernel, and those that it had when a command was enqueued. */
#include "answers/answers.h"

/* Set the number of arguments of LIST from RECORD of TABLE. */
static uint32_t count_arguments(const struct registry *registry, struct list *list,
                                const struct registry_table *table, const uint8_t *record)
{
    uint64_t count = registry_get(registry, table, record, ompd_cl_registry_field_argument_count);
    uint64_t limit = argument_limit(registry, table, count);

    /* No runtime supports functions with more arguments. */
    if (count > OMPD_CL_REGISTRY_ARGUMENT_LIMIT) {
        list_note_lost(
            list, 0,
            "the recorder's registry is corrupt: a kernel has an impossible number of arguments.");
        return 0;
    }
    if (count > limit)
        list_note_lost(
            list, count - limit,
            "the recorder records only the first arguments of a kernel; the last are missing.");
    return (uint32_t)limit;
}

/* The next argument of LIST and the arguments after it are unavailable, for the reason RC. */
static void lose_remaining_arguments(struct list *list, ompd_rc_t rc)
{
    struct list_arguments *arguments = &list->arguments;
    const char *sentence = NULL;

    if (rc == ompd_rc_unavailable)
        sentence = "the recorder ran out of memory for the last arguments of a kernel.";
    else if (rc == ompd_rc_error)
        sentence = "the recorder's registry is corrupt: the last arguments of a kernel are not "
                   "where it says they are.";
    list_note_lost(list, arguments->count - arguments->next, sentence);
    arguments->next = arguments->count;
}

/* Add the next argument of LIST from RECORD; if it cannot be found, lose the remaining ones. */
static ompd_rc_t add_argument_row(struct address_space *space, struct list *list,
                                  struct batch *batch, const uint8_t *record)
{
    struct registry *registry = &space->recorder->registry;
    struct list_arguments *arguments = &list->arguments;
    struct argument argument;
    union row local;
    ompd_cl_argument_info_t *info = batch_row(batch, &local);
    ompd_rc_t rc = argument_find(registry, &registry->tables[arguments->table], record,
                                 arguments->next, &arguments->cursor, &argument);

    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok) {
        lose_remaining_arguments(list, rc);
        return ompd_rc_ok;
    }
    rc = argument_row_fill(space, &argument, info);
    if (rc_is_final(rc))
        return rc;
    batch_add(list, batch, info, rc);
    arguments->next++;
    return ompd_rc_ok;
}

static ompd_rc_t fill_arguments(struct address_space *space, struct list *list, struct batch *batch)
{
    struct registry *registry = &space->recorder->registry;
    struct list_arguments *arguments = &list->arguments;
    struct registry_table *table = &registry->tables[arguments->table];
    const uint8_t *record;
    ompd_rc_t rc;

    rc = recorder_source_read(space);
    if (rc != ompd_rc_ok || arguments->next == arguments->count)
        return rc;
    rc = registry_record_view(registry, table, arguments->index, &record);
    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok) {
        lose_remaining_arguments(list, ompd_rc_incomplete);
        return ompd_rc_ok;
    }
    if (registry_is_free(registry, table, record) ||
        registry_get(registry, table, record, ompd_cl_registry_field_generation) !=
            arguments->generation) {
        arguments->next = arguments->count;
        return ompd_rc_ok;
    }
    record = recorder_source_copy(space, table, record);
    while (batch->count < batch->capacity && arguments->next != arguments->count) {
        rc = add_argument_row(space, list, batch, record);
        if (rc_is_final(rc))
            return rc;
    }
    return ompd_rc_ok;
}

ompd_rc_t argument_list_open(struct address_space *space, uint32_t kind, uint64_t object,
                             ompd_cl_list_t *id)
{
    struct registry *registry = &space->recorder->registry;
    uint32_t table_id = record_decoder_table(kind);
    struct identifier identifier;
    const uint8_t *record;
    struct list *list;
    ompd_rc_t rc =
        object_open(space, kind, object, ompd_cl_kind_argument, id, &identifier, &record);

    if (rc != ompd_rc_ok || record == NULL)
        return rc;
    list = list_open_small(space, ompd_cl_kind_argument, fill_arguments, id);
    if (list == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    list->arguments.table = table_id;
    list->arguments.index = identifier.index;
    list->arguments.generation = identifier.generation;
    if (registry_has(&registry->tables[table_id], ompd_cl_registry_field_argument_count))
        list->arguments.count =
            count_arguments(registry, list, &registry->tables[table_id], record);
    else
        list_note_lost(list, 0, "this recorder is too old to record kernel arguments.");
    return ompd_rc_ok;
}
