/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a command touches: by its operands, by a list of objects, and by the arguments of its
 * kernel; and the SVM that a kernel uses besides its arguments. */
#include "answers/answers.h"

/* A command may have this many arguments and objects in a list: law 6. */
#define LISTED_LIMIT 65536

/* The rows of a fill. */
struct access_fill {
    struct address_space *space;
    struct list *list;
    struct batch *batch;
    const uint8_t *record;
    struct access_command command;
};

/* Lose the remaining rows of the list for the reason SENTENCE, which may be NULL. */
static void lose_remaining_accesses(struct list *list, uint64_t count, const char *sentence)
{
    list_note_lost(list, count, sentence);
    list->accesses.next = list->accesses.count;
}

/* Read the next link of the list of objects that the command has. Returns ompd_rc_error when it is
 * impossible. */
static ompd_rc_t read_link(struct address_space *space, struct list_accesses *accesses,
                           uint64_t *address)
{
    struct registry *registry = &space->recorder->registry;
    struct registry_table *links = &registry->tables[ompd_cl_registry_address];
    const uint8_t *link;
    ompd_rc_t rc;

    if (accesses->link == 0)
        return ompd_rc_error;
    rc = registry_record_view(registry, links, accesses->link - 1, &link);
    if (rc == ompd_rc_unavailable || (rc == ompd_rc_ok && registry_is_free(registry, links, link)))
        return ompd_rc_error;
    if (rc != ompd_rc_ok)
        return rc;
    *address = registry_get(registry, links, link, ompd_cl_registry_field_handle);
    accesses->link = (uint32_t)registry_get(registry, links, link, ompd_cl_registry_field_next);
    return ompd_rc_ok;
}

static ompd_rc_t add_listed(struct access_fill *fill)
{
    struct list_accesses *accesses = &fill->list->accesses;
    uint32_t link = accesses->link;
    union row local;
    ompd_cl_access_info_t *info = batch_row(fill->batch, &local);
    uint64_t address;
    uint64_t size = 0;
    ompd_rc_t rc = read_link(fill->space, accesses, &address);

    if (rc == ompd_rc_ok && access_command_lists_sizes(&fill->command))
        rc = read_link(fill->space, accesses, &size);
    if (rc != ompd_rc_ok && !rc_is_final(rc)) {
        lose_remaining_accesses(fill->list, accesses->listed_end - accesses->next,
                                rc == ompd_rc_error ? "the recorder's registry is corrupt: the "
                                                      "objects of a command are not where it says "
                                                      "they are."
                                                    : NULL);
        return ompd_rc_ok;
    }
    if (rc == ompd_rc_ok)
        rc = access_row_fill_listed(&fill->space->recorder->registry, &fill->command, address, size,
                                    info);
    if (rc_is_final(rc)) {
        accesses->link = link; /* the next call reads it again */
        return rc;
    }
    batch_add(fill->list, fill->batch, info, rc);
    return ompd_rc_ok;
}

static ompd_rc_t add_argument(struct access_fill *fill, uint32_t number)
{
    struct registry *registry = &fill->space->recorder->registry;
    const struct registry_table *table = &registry->tables[ompd_cl_registry_command];
    struct list_accesses *accesses = &fill->list->accesses;
    struct argument argument;
    ompd_cl_argument_info_t described;
    union row local;
    ompd_cl_access_info_t *info = batch_row(fill->batch, &local);
    bool is_access;
    ompd_rc_t worst;
    ompd_rc_t rc =
        argument_find(registry, table, fill->record, number, &accesses->cursor, &argument);

    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok) {
        lose_remaining_accesses(fill->list, 0, "the last arguments of a kernel are not known.");
        return ompd_rc_ok;
    }
    worst = argument_row_fill(fill->space, &argument, &described);
    if (rc_is_final(worst))
        return worst;
    rc = access_row_fill_argument(registry, &fill->command, &described, info, &is_access);
    if (rc_is_final(rc))
        return rc;
    if (is_access)
        batch_add(fill->list, fill->batch, info, worst == ompd_rc_ok ? rc : worst);
    return ompd_rc_ok;
}

static ompd_rc_t add_part(struct access_fill *fill, uint32_t number)
{
    union row local;
    ompd_cl_access_info_t *info = batch_row(fill->batch, &local);
    ompd_rc_t rc =
        access_row_fill_part(&fill->space->recorder->registry, &fill->command, number, info);

    if (!rc_is_final(rc))
        batch_add(fill->list, fill->batch, info, rc);
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

static ompd_rc_t add_access(struct access_fill *fill)
{
    const struct list_accesses *accesses = &fill->list->accesses;

    if (accesses->next < fill->command.part_count)
        return add_part(fill, accesses->next);
    if (accesses->next < accesses->listed_end)
        return add_listed(fill);
    return add_argument(fill, accesses->next - accesses->listed_end);
}

/* Read the command, or kernel, of RECORD in the table TABLE_ID. */
static void read_command(const struct registry *registry, uint32_t table_id, const uint8_t *record,
                         struct access_command *command)
{
    if (table_id == ompd_cl_registry_kernel)
        access_command_of_kernel(command);
    else
        access_command_read(registry, &registry->tables[table_id], record, command);
}

static ompd_rc_t fill_accesses(struct address_space *space, struct list *list, struct batch *batch)
{
    struct registry *registry = &space->recorder->registry;
    struct list_accesses *accesses = &list->accesses;
    struct registry_table *table = &registry->tables[accesses->table];
    struct access_fill fill = {.space = space, .list = list, .batch = batch};
    ompd_rc_t rc = recorder_source_read(space);

    if (rc != ompd_rc_ok || accesses->next >= accesses->count)
        return rc;
    rc = registry_record_view(registry, table, accesses->index, &fill.record);
    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok) {
        lose_remaining_accesses(list, accesses->count - accesses->next, NULL);
        return ompd_rc_ok;
    }
    if (registry_is_free(registry, table, fill.record) ||
        registry_get(registry, table, fill.record, ompd_cl_registry_field_generation) !=
            accesses->generation) {
        accesses->next = accesses->count;
        return ompd_rc_ok;
    }
    fill.record = recorder_source_copy(space, table, fill.record);
    read_command(registry, accesses->table, fill.record, &fill.command);
    while (batch->count < batch->capacity && accesses->next < accesses->count) {
        rc = add_access(&fill);
        if (rc != ompd_rc_ok)
            return rc;
        accesses->next++;
    }
    return ompd_rc_ok;
}

/* Count what the command or kernel in RECORD touches. The arguments of a kernel are in a list of
 * their own. */
static void count_accesses(const struct registry *registry, struct list *list,
                           const uint8_t *record)
{
    struct list_accesses *accesses = &list->accesses;
    const struct registry_table *table = &registry->tables[accesses->table];
    struct access_command command;
    uint64_t listed = registry_get(registry, table, record, ompd_cl_registry_field_touched_count);
    uint64_t lost = registry_get(registry, table, record, ompd_cl_registry_field_touched_lost);
    uint64_t arguments =
        accesses->table == ompd_cl_registry_command
            ? registry_get(registry, table, record, ompd_cl_registry_field_argument_count)
            : 0;

    read_command(registry, accesses->table, record, &command);
    if (access_command_lists_sizes(&command))
        listed /= 2;
    if (lost != 0)
        list_note_lost(list, lost, "not all SVM pointers of the kernel are recorded.");
    if (listed > LISTED_LIMIT) {
        list_note_lost(list, listed - LISTED_LIMIT, "a command has more objects than are shown.");
        listed = LISTED_LIMIT;
    }
    if (arguments > OMPD_CL_REGISTRY_ARGUMENT_LIMIT)
        arguments = 0;
    accesses->link =
        (uint32_t)registry_get(registry, table, record, ompd_cl_registry_field_touched);
    accesses->listed_end = command.part_count + (uint32_t)listed;
    accesses->count = accesses->listed_end + (uint32_t)argument_limit(registry, table, arguments);
}

ompd_rc_t access_list_open(struct address_space *space, uint32_t kind, uint64_t object,
                           ompd_cl_list_t *id)
{
    struct registry *registry = &space->recorder->registry;
    struct identifier identifier;
    const uint8_t *record;
    struct list *list;
    ompd_rc_t rc = object_open(space, kind, object, ompd_cl_kind_access, id, &identifier, &record);

    if (rc != ompd_rc_ok || record == NULL)
        return rc;
    list = list_open_small(space, ompd_cl_kind_access, fill_accesses, id);
    if (list == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    list->accesses.table = record_decoder_table(kind);
    list->accesses.index = identifier.index;
    list->accesses.generation = identifier.generation;
    if (registry_has(&registry->tables[list->accesses.table], ompd_cl_registry_field_touched_count))
        count_accesses(registry, list, record);
    else
        list_note_lost(list, 0,
                       kind == ompd_cl_kind_kernel
                           ? "this recorder is too old to record the SVM pointers of kernels."
                           : "this recorder is too old to record what commands touch.");
    return ompd_rc_ok;
}
