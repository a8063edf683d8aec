/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mappings of memory objects that the program never unmapped. */
#include <command/run/facts.h>
#include <inttypes.h>
#include <string.h>

/* A memory object with mappings. */
struct mapped {
    const ompd_cl_value_t *kind;
    const ompd_cl_value_t *handle;
    const ompd_cl_value_t *count;
    const ompd_cl_value_t *caller;
    const ompd_cl_value_t *stack;
    const ompd_cl_value_t *order;
    uint64_t state; /* of its mappings */
};

/* Add ", mapped at frame at app.c:4", if the mappings of MAPPED that the recorder has were made
 * there. */
static void add_mapping_place(const struct command_facts *facts, const struct mapped *mapped,
                              struct text *text)
{
    size_t count;
    const struct run_mapping *mapping = run_mapping_find(facts, mapped->handle->value, &count);
    struct text first = {0};
    struct text other = {0};
    bool is_one = true;

    for (size_t i = 0; i < count; i++) {
        if (mapping[i].order < mapped->order->value || mapping[i].state != mapped->state)
            continue;
        text_clear(&other);
        run_place_add(facts, &mapping[i].caller, &mapping[i].stack,
                      first.length == 0 ? &first : &other);
        is_one &= other.length == 0 || strcmp(first.bytes, other.bytes) == 0;
    }
    if (first.length != 0)
        text_add(text, ", mapped%s%s", first.bytes, is_one ? "" : " and elsewhere");
    text_free(&first);
    text_free(&other);
}

/* Add "20 mappings of buffer 0x5555, which was made at main at app.c:9, mapped at frame at
 * app.c:4". Without HAS_HANDLE, add only what alike objects have in common. */
static void add_mappings(const struct command_facts *facts, const struct mapped *mapped,
                         bool has_handle, struct text *text)
{
    const char *kind = command_number_name(ompd_cl_kind_memobj, "kind", mapped->kind->value);

    count_add(text, mapped->count->value, "mapping", NULL);
    text_add(text, " of %s", kind != NULL ? kind : "memory object");
    if (has_handle)
        text_add(text, " 0x%" PRIx64, mapped->handle->value);
    if (mapped->caller->value != 0)
        text_put(text, ", which was made");
    run_place_add(facts, mapped->caller, mapped->stack, text);
    add_mapping_place(facts, mapped, text);
}

/* Count ROW of SIZE bytes in TALLY, unless MAPPED has no mappings left. */
static void mappings_count(struct command_facts *facts, struct run_tally *tally,
                           const struct mapped *mapped, const void *row, size_t size)
{
    struct run_tally_entry *entry;
    struct text text = {0};

    if (mapped->count->status != ompd_cl_status_value || mapped->count->value == 0)
        return;
    facts->mappings += mapped->count->value;
    add_mappings(facts, mapped, false, &text);
    run_tally_add(tally, text.bytes, row, size);
    entry = run_tally_add(&facts->mappings_of, text.bytes, row, size);
    if (entry->text == NULL) {
        text_clear(&text);
        add_mappings(facts, mapped, true, &text);
        entry->text = text_copy(text.bytes);
    }
    text_free(&text);
}

/* Count the mappings of MEMOBJ, unless only the runtime knows it, or a parent process created
 * it. */
static void memobj_mappings_count(struct command_facts *facts, const ompd_cl_memobj_info_t *memobj,
                                  size_t size)
{
    const struct mapped mapped = {&memobj->kind,         &memobj->head.handle, &memobj->map_count,
                                  &memobj->head.caller,  &memobj->head.stack,  &memobj->head.order,
                                  ompd_cl_mapping_mapped};

    if (memobj->head.order.status == ompd_cl_status_value &&
        command_row_is_own(facts->session, ompd_cl_kind_memobj, memobj))
        mappings_count(facts, &facts->mapped, &mapped, memobj, size);
}

/* Count the mappings of a destroyed memory object: some runtimes destroy mapped memory objects. */
static void destroyed_mappings_count(struct command_facts *facts,
                                     const ompd_cl_destroyed_info_t *destroyed, size_t size)
{
    const struct mapped mapped = {&destroyed->memobj_kind,       &destroyed->head.handle,
                                  &destroyed->map_count,         &destroyed->head.caller,
                                  &destroyed->head.stack,        &destroyed->head.order,
                                  ompd_cl_mapping_never_unmapped};

    if (command_row_is_own(facts->session, ompd_cl_kind_destroyed, destroyed))
        mappings_count(facts, &facts->mapped_destroyed, &mapped, destroyed, size);
}

static void destroyed_mappings_find(struct command_facts *facts)
{
    const ompd_cl_destroyed_info_t *destroyed;
    struct command_rows rows;
    uint64_t count = 0;

    command_rows_open_optional(&rows, facts->session, ompd_cl_kind_destroyed, NULL);
    while ((destroyed = command_rows_next(&rows)) != NULL) {
        count += destroyed->object_kind.value == ompd_cl_kind_memobj;
        destroyed_mappings_count(facts, destroyed, rows.size);
    }
    facts->has_all_destroyed = count + rows.unreadable < run_history_length();
    command_rows_close(&rows);
}

void run_mappings_find(struct command_facts *facts)
{
    const ompd_cl_memobj_info_t *memobj;
    struct command_rows rows;

    run_mapping_places_read(facts);
    destroyed_mappings_find(facts);
    command_rows_open_optional(&rows, facts->session, ompd_cl_kind_memobj, NULL);
    while ((memobj = command_rows_next(&rows)) != NULL)
        memobj_mappings_count(facts, memobj, rows.size);
    command_rows_close(&rows);
}

void run_mappings_write(const struct command_facts *facts)
{
    struct text title = {0};

    if (facts->session->is_json) {
        run_lines_write(facts, &facts->mapped, "mapped", ompd_cl_kind_memobj, "kind");
        run_lines_write(facts, &facts->mapped_destroyed, "mapped", ompd_cl_kind_destroyed,
                        "memobj_kind");
        return;
    }
    if (facts->mappings == 0)
        return;
    text_add(&title, "Never unmapped: %s",
             facts->mapped_destroyed.count != 0 && !facts->has_all_destroyed ? "at least " : "");
    count_add(&title, facts->mappings, "mapping", NULL);
    run_section_write(facts, &facts->mappings_of, &title);
}
