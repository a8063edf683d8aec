/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The mappings of memory objects that a program has never undone. */
#include <command/run-facts.h>

#include <command/rows.h>
#include <inttypes.h>
#include <text/size.h>

/* Add "20 mappings of buffer 0x5555, which was made at main at app.c:9". */
static void add_mappings(const struct command_facts *facts, const ompd_cl_memobj_info_t *memobj,
                         struct text *text)
{
    const char *kind = command_number_name(ompd_cl_kind_memobj, "kind", memobj->kind.value);

    count_add(text, memobj->map_count.value, "mapping", NULL);
    text_add(text, " of %s 0x%" PRIx64, kind != NULL ? kind : "memory object",
             memobj->handle.value);
    if (memobj->caller.value != 0)
        text_put(text, ", which was made");
    run_place_add(facts, &memobj->caller, text);
}

/* Whether the recorder has any memory object. */
static bool has_memobjs(struct command_session *session)
{
    struct command_rows rows;
    bool has_one;

    command_rows_open_optional(&rows, session, ompd_cl_kind_memobj, NULL);
    has_one = command_rows_next(&rows) != NULL;
    command_rows_close(&rows);
    return has_one;
}

/* Take the mappings of MEMOBJ, unless the runtime alone knows of it. */
static void take(struct command_facts *facts, const ompd_cl_memobj_info_t *memobj, size_t size)
{
    struct text text = {0};

    if (memobj->map_count.status != ompd_cl_status_value || memobj->map_count.value == 0 ||
        memobj->order.status != ompd_cl_status_value ||
        !command_row_is_own(facts->session, ompd_cl_kind_memobj, memobj))
        return;
    facts->mappings += memobj->map_count.value;
    add_mappings(facts, memobj, &text);
    run_tally_add(&facts->mapped, text.bytes, memobj, size);
    text_free(&text);
}

/* The runtime knows them, so that memory is searched for its objects: where there are any. */
void run_mappings_find(struct command_facts *facts)
{
    struct command_session *session = facts->session;
    const ompd_cl_memobj_info_t *memobj;
    struct command_rows rows;

    if (!has_memobjs(session))
        return;
    ompd_cl_sources_set(session->space, 1 << ompd_cl_source_recorder | 1 << ompd_cl_source_layout);
    command_rows_open_optional(&rows, session, ompd_cl_kind_memobj, NULL);
    while ((memobj = command_rows_next(&rows)) != NULL)
        take(facts, memobj, rows.size);
    command_rows_close(&rows);
    ompd_cl_sources_set(session->space, 1 << ompd_cl_source_recorder);
}

void run_mappings_write(const struct command_facts *facts)
{
    struct text title = {0};

    if (facts->session->is_json) {
        for (size_t i = 0; i < facts->mapped.count; i++) {
            const ompd_cl_memobj_info_t *memobj = facts->mapped.entries[i]->row;

            run_line_begin(facts, facts->mapped.entries[i], "mapped",
                           command_number_name(ompd_cl_kind_memobj, "kind", memobj->kind.value),
                           ompd_cl_kind_memobj);
            ompd_view_json_end(facts->session->view);
        }
        return;
    }
    if (facts->mapped.count == 0)
        return;
    text_add(&title, "Never unmapped: ");
    count_add(&title, facts->mappings, "mapping", NULL);
    run_section_write(facts, &facts->mapped, &title);
}
