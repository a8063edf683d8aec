/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Verbs for one object, such as memobj, context, queue and event, and for destructors. */
#include <view/verbs/verbs.h>

#include <ctype.h>
#include <inttypes.h>

/* Read what belongs to OWNER. True on success. */
static bool read_parts(ompd_view_t *view, ompd_cl_kind_t kind, const struct view_row *owner,
                       struct view_rows *parts)
{
    struct view_list list;

    view_list_open_parts(&list, view, kind, owner);
    view_rows_read(parts, &list);
    return view->failure == ompd_view_exit_ok;
}

/* Write the first COUNT of PARTS as a numbered table. */
static void object_table_write(struct view_renderer *renderer, const struct view_rows *parts,
                               size_t count, const char *const *also)
{
    struct view_table_options options = {.also = also, .indent = "  ", .is_numbered = true};
    struct view_table *table = view_table_begin(renderer, parts->kind, &options);

    for (size_t i = 0; i < count; i++) {
        struct view_row row = view_rows_get(parts, i);

        view_table_add(table, &row);
    }
    view_table_end(table);
}

/* Write the notes that the table of PARTS needs. */
static void object_notes_write(struct view_renderer *renderer, const struct view_rows *parts)
{
    view_renderer_write_notes(renderer, "  ");
    if (parts->note.length != 0)
        view_note_write(renderer->view, "  ", parts->note.bytes);
}

/* Write the call stack in FIELD of ROW below TITLE, if it is deeper than the caller or belongs
 * to a binding. */
static void write_stack(ompd_view_t *view, const struct view_row *row, const char *field,
                        const char *title)
{
    ompd_addr_t frames[VIEW_STACK_FRAMES];
    struct view_value stack = view_row_value(row, field);
    struct text text = {0};
    size_t count = 0;

    if (view_value_is_known(stack) && stack.value != 0)
        count = view_stack_get(view, stack.value, frames);
    if (count == 0 || (count == 1 && view_location_own_level(view, frames[0]) == 0))
        return;
    view_location_stack(view, frames, count, "    ", &text);
    view_print(view, "  %s\n%s", title, text_get(&text));
    text_free(&text);
}

/* Write the call stacks of the first COUNT registrations that are deeper than the caller. */
static void write_registrations(ompd_view_t *view, const struct view_rows *callbacks, size_t count)
{
    struct text title = {0};

    for (size_t i = 0; i < count; i++) {
        struct view_row row = view_rows_get(callbacks, i);

        text_clear(&title);
        text_add(&title, "registration of %zu:", i + 1);
        write_stack(view, &row, "stack", title.bytes);
    }
    text_free(&title);
}

/* Write the number of CALLBACKS of ROW, after HEADER or, if it is NULL, as a sentence. */
static void write_destructor_count(ompd_view_t *view, const struct view_row *row,
                                   const char *header, const struct view_rows *callbacks)
{
    struct text title = {0};

    view_destructor_count(callbacks->count + callbacks->unreadable,
                          view_row_value(row, "destructor_count"), &title);
    if (header != NULL)
        view_print(view, "%s: ", header);
    else
        title.bytes[0] = (char)toupper((unsigned char)title.bytes[0]);
    view_print(view, "%s%s\n", title.bytes, callbacks->count != 0 ? "" : ".");
    text_free(&title);
}

/* Whether the callbacks of ROW are readable, or are only an unknown field among others: HEADER
 * shows that the user did not ask for them. */
static bool read_destructors(ompd_view_t *view, const struct view_row *row, const char *header,
                             struct view_rows *callbacks)
{
    if (header == NULL && view_row_is_unrecorded(row, view_row_value(row, "destructor_count")))
        return true;
    return read_parts(view, ompd_cl_kind_destructor, row, callbacks);
}

/* Write the destructor callbacks of an object and their notes. */
static void write_destructors(ompd_view_t *view, const struct view_row *row, const char *header)
{
    /* Extra columns, shown after one of the callbacks has started. */
    static const char *const who_runs[] = {"running_lwp", NULL};
    struct view_renderer renderer;
    struct view_rows callbacks = {.kind = view_kind_get(ompd_cl_kind_destructor)};
    struct text after = {0};

    view_renderer_begin(&renderer, view);
    if (read_destructors(view, row, header, &callbacks)) {
        uint64_t limit = view->options.limit;
        size_t count = callbacks.count < limit ? callbacks.count : (size_t)limit;

        write_destructor_count(view, row, header, &callbacks);
        object_table_write(&renderer, &callbacks, count, who_runs);
        write_registrations(view, &callbacks, count);
        object_notes_write(&renderer, &callbacks);
        if (count < callbacks.count)
            view_cut_note_write(view, "  ", callbacks.count - count);
        view_after_destructors(view, row, &callbacks, &after);
        if (after.length != 0)
            view_print(view, "%s\n", after.bytes);
    }
    view_renderer_end(&renderer);
    view_rows_free(&callbacks);
    text_free(&after);
}

/* Write what belongs to ROW below TITLE, if anything. ALSO are further columns, shown if a row has
 * a value there. */
static void write_part_with(ompd_view_t *view, const struct view_row *row, ompd_cl_kind_t kind,
                            const char *title, const char *const *also)
{
    struct view_renderer renderer;
    struct view_rows parts = {0};

    view_renderer_begin(&renderer, view);
    if (read_parts(view, kind, row, &parts) && parts.count + parts.unreadable != 0) {
        view_print(view, "%s\n", title);
        object_table_write(&renderer, &parts, parts.count, also);
        object_notes_write(&renderer, &parts);
    }
    view_renderer_end(&renderer);
    view_rows_free(&parts);
}

static void write_part(ompd_view_t *view, const struct view_row *row, ompd_cl_kind_t kind,
                       const char *title)
{
    write_part_with(view, row, kind, title, NULL);
}

/* Columns of what a command touches that most commands do not need. */
static const char *const accesses_also[] = {"argument",    "origin_x",  "origin_y", "origin_z",
                                            "region_x",    "region_y",  "region_z", "row_pitch",
                                            "slice_pitch", "map_flags", NULL};

/* The pointers of an SVM-free command. */
static void write_pointers(ompd_view_t *view, const struct view_row *row)
{
    struct view_rows parts = {0};

    if (read_parts(view, ompd_cl_kind_svm_pointer, row, &parts) && parts.is_unknown)
        view_write(view, "The pointers that it frees are not known without the recorder.\n");
    else
        write_part(view, row, ompd_cl_kind_svm_pointer, "It frees, in this order:");
    view_rows_free(&parts);
}

/* The events that a command waits for. */
static void write_waits(ompd_view_t *view, const struct view_row *row)
{
    struct view_value count = view_row_value(row, "wait_count");

    if (!view_row_is_unrecorded(row, count) && count.value != 0)
        write_part(view, row, ompd_cl_kind_wait, "It waits for:");
}

/* The arguments of a kernel, or of the command that runs it. */
static void write_arguments(ompd_view_t *view, const struct view_row *row)
{
    struct view_value count = view_row_value(row, "argument_count");

    if (view_value_is_known(count) && count.value != 0)
        write_part(view, row, ompd_cl_kind_argument, "Its arguments:");
}

/* The mappings of a memory object that were not unmapped. Layouts show only their number. */
static void write_mappings(ompd_view_t *view, const struct view_row *row)
{
    if (view_row_number(row, "map_count") != 0 &&
        view_row_number(row, "source") == ompd_cl_source_recorder)
        write_part(view, row, ompd_cl_kind_mapping, "Its mappings:");
}

/* The pending and running callbacks of an event or of a program build. */
static void write_callbacks(ompd_view_t *view, const struct view_row *row)
{
    static const char *const who_runs[] = {"running_lwp", NULL};
    struct view_renderer renderer;
    struct view_rows callbacks = {0};
    struct view_list list;

    view_list_open_optional(&list, view, ompd_cl_kind_callback, NULL);
    if (!list.is_open)
        return;
    view_renderer_begin(&renderer, view);
    view_rows_read_about(&callbacks, &list, view_row_handle(row));
    if (callbacks.count + callbacks.unreadable != 0) {
        view_print(view, "Its callback%s:\n", callbacks.count != 1 ? "s" : "");
        object_table_write(&renderer, &callbacks, callbacks.count, who_runs);
        object_notes_write(&renderer, &callbacks);
    }
    view_renderer_end(&renderer);
    view_rows_free(&callbacks);
}

/* What the runtime has reported about a context. */
static void write_messages(ompd_view_t *view, const struct view_row *row)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .context = view_row_handle(row)};
    struct view_renderer renderer;
    struct view_rows messages = {0};
    struct view_list list;

    view_list_open_optional(&list, view, ompd_cl_kind_message, &filter);
    if (!list.is_open)
        return;
    view_renderer_begin(&renderer, view);
    view_rows_read(&messages, &list);
    if (messages.count + messages.unreadable != 0) {
        view_print(view, "Message%s of the runtime about it:\n", messages.count != 1 ? "s" : "");
        object_table_write(&renderer, &messages, messages.count, NULL);
        object_notes_write(&renderer, &messages);
    }
    view_renderer_end(&renderer);
    view_rows_free(&messages);
}

/* Write why ROW's object exists after its release, or that it was mapped and not unmapped. */
static void object_keepers_write(ompd_view_t *view, const struct view_row *row)
{
    struct view_keepers keepers = {0};
    struct text text = {0};

    if ((view_row_number(row, "state") != ompd_cl_object_state_app_released &&
         view_row_number(row, "map_count") == 0) ||
        view_kind_is_embree(row->kind->number))
        return;
    view_keepers_find(&keepers, view, view_row_handle(row));
    for (size_t i = 0; i < keepers.count && view->failure == ompd_view_exit_ok; i++) {
        if (keepers.all[i].kind != row->kind->number)
            continue;
        text_clear(&text);
        view_kept_describe(&keepers.all[i], &text);
        view_print(view, "%s: %s.\n",
                   keepers.all[i].is_released ? "Still alive after its release"
                                              : "Mapped more than once",
                   text.bytes);
    }
    text_free(&text);
    view_keepers_free(&keepers);
}

/* Write why the Embree object of ROW exists after its release, and the objects that it holds. */
static void object_embree_parts_write(ompd_view_t *view, const struct view_row *row)
{
    struct text text = {0};

    if (view_row_number(row, "state") == ompd_cl_object_state_app_released &&
        view_embree_kept_add(row, &text))
        view_print(view, "Still alive after its release: %s.\n", text.bytes);
    text_free(&text);
    if (row->kind->number == ompd_cl_kind_embree_scene)
        write_part(view, row, ompd_cl_kind_embree_geometry, "Its geometries:");
    if (row->kind->number == ompd_cl_kind_embree_geometry)
        write_part(view, row, ompd_cl_kind_embree_buffer, "Its buffers:");
}

/* The commands in a command buffer, and those that execute it; those that use a semaphore. */
static void write_operations(ompd_view_t *view, const struct view_row *row)
{
    if (row->kind->number == ompd_cl_kind_command_buffer) {
        write_part(view, row, ompd_cl_kind_buffered_command, "Its commands, in order:");
        write_part(view, row, ompd_cl_kind_command, "The last commands that execute it:");
    } else if (row->kind->number == ompd_cl_kind_semaphore) {
        write_part(view, row, ompd_cl_kind_command, "The last commands that use it:");
    }
}

static void write_object(ompd_view_t *view, const struct view_row *row)
{
    struct text header = {0};

    view_object_header(view, row, &header);
    view_print(view, "%s.\n", header.bytes);
    text_free(&header);
    view_fields_write(view, row);
    write_stack(view, row, "stack", "call stack");
    object_keepers_write(view, row);
    if (view_kind_is_embree(row->kind->number))
        object_embree_parts_write(view, row);
    if (view_kind_field(row->kind, "destructor_count") != NULL)
        write_destructors(view, row, NULL);
    if (row->kind->number == ompd_cl_kind_svm_free) {
        if (!view_row_is_unrecorded(row, view_row_value(row, "pointer_count")))
            write_pointers(view, row);
    }
    if (view_kind_field(row->kind, "wait_count") != NULL)
        write_waits(view, row);
    write_operations(view, row);
    if (view_kind_field(row->kind, "argument_count") != NULL)
        write_arguments(view, row);
    if (row->kind->number == ompd_cl_kind_command &&
        view_row_value(row, "dimensions").status != ompd_cl_status_unknown)
        write_part_with(view, row, ompd_cl_kind_access, "It touches:", accesses_also);
    if (row->kind->number == ompd_cl_kind_kernel && view_row_number(row, "svm_pointer_count") != 0)
        write_part_with(view, row, ompd_cl_kind_access, "It also uses:", accesses_also);
    if (row->kind->number == ompd_cl_kind_memobj)
        write_mappings(view, row);
    if (row->kind->number == ompd_cl_kind_event || row->kind->number == ompd_cl_kind_program)
        write_callbacks(view, row);
    if (row->kind->number == ompd_cl_kind_context)
        write_messages(view, row);
    if (view->options.has_contents)
        view_contents_write(view, row);
    if (view->options.image != NULL)
        view_picture_write(view, row);
}

/* Write the commands of QUEUE in order, or why they are unknown. */
static void write_commands(ompd_view_t *view, const struct view_row *queue)
{
    struct view_listing listing = {.kind = ompd_cl_kind_command,
                                   .queue = view_row_number(queue, "handle")};
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .queue = listing.queue};
    struct view_name_cache *space = view_name_cache_get(view);
    ompd_cl_kind_t last = space->last;
    struct view_renderer renderer;
    struct text reason = {0};
    struct view_list probe;

    view_list_open_optional(&probe, view, listing.kind, &filter);
    if (probe.is_open) {
        view_list_close(&probe);
        view_write(view, "Its commands, in order:\n");
        view_renderer_begin(&renderer, view);
        view_listing_write(&renderer, &listing);
        view_renderer_end(&renderer);
        /* Row numbers continue to refer to the list from which the queue was chosen. */
        space->last = last != 0 ? last : space->last;
    } else if (view->failure == ompd_view_exit_ok) {
        view_add_reason(view, probe.rc, &reason);
        view_print(view, "Its commands are unknown: %s\n", reason.bytes);
    }
    text_free(&reason);
}

ompd_view_exit_t view_queue_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct view_object queue;

    if (!view_operand_find(view, line->operands[0], &line->verb->kind, 1, &queue))
        return view_result(view);
    if (view->options.is_json) {
        view_json_queue(view, &queue.row);
    } else {
        write_object(view, &queue.row);
        write_commands(view, &queue.row);
    }
    return view_result(view);
}

/* Show the object ROW as the view's options request. */
static void object_show(ompd_view_t *view, const struct view_row *row)
{
    if (view->options.is_json)
        view_json_object(view, row);
    else
        write_object(view, row);
}

ompd_view_exit_t view_object_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct view_object object;

    if (!view_operand_find(view, line->operands[0], &line->verb->kind, 1, &object))
        return view_result(view);
    object_show(view, &object.row);
    return view_result(view);
}

/* Objects whose memory is the program's, or can be used by it or on a device, and the fields with
 * its start and size. */
static const struct memory_fields {
    ompd_cl_kind_t kind;
    const char *start;
    const char *size;
    const char *memory;
} memories[] = {
    {ompd_cl_kind_svm, "pointer", "size", "memory"},
    {ompd_cl_kind_memobj, "host_pointer", "size", "memory"},
    {ompd_cl_kind_embree_buffer, "pointer", "bytes", "memory"},
    {ompd_cl_kind_memobj, "device_address", "size", "device memory"},
};

/* Find the object of FIELDS whose memory contains ADDRESS. */
static bool find_memory(ompd_view_t *view, const struct memory_fields *fields, uint64_t address,
                        struct view_object *object)
{
    struct view_list list;
    struct view_row row;
    uint64_t id = 0;

    view_list_open_optional(&list, view, fields->kind, NULL);
    while (id == 0 && view_list_next(&list, &row))
        if (view_value_is_known(view_row_value(&row, fields->start)) &&
            address - view_row_number(&row, fields->start) < view_row_number(&row, fields->size))
            id = view_row_id(&row);
    view_list_close(&list);
    return id != 0 && view_check(view, view_object_get(view, fields->kind, id, object));
}

/* Show the object whose memory contains ADDRESS, if any. */
static bool show_memory(ompd_view_t *view, uint64_t address)
{
    struct view_object object;
    size_t i = 0;

    if (!view_sources_need_any(view))
        return false;
    while (i < sizeof(memories) / sizeof(memories[0]) &&
           !find_memory(view, &memories[i], address, &object)) {
        if (view->failure != ompd_view_exit_ok)
            return false;
        i++;
    }
    if (i == sizeof(memories) / sizeof(memories[0]))
        return view_mapping_show(view, address);
    if (!view->options.is_json)
        view_print(view, "0x%" PRIx64 " is byte %" PRIu64 " of the %s of this object:\n", address,
                   address - view_row_number(&object.row, memories[i].start), memories[i].memory);
    object_show(view, &object.row);
    return true;
}

/* Describe ROW, a destroyed object that had ADDRESS as its handle or in its memory. */
static void objects_write_destroyed(ompd_view_t *view, const struct view_row *row, uint64_t address)
{
    bool is_svm = view_row_number(row, "kind") == ompd_cl_kind_svm;
    uint64_t handle = view_row_number(row, "handle");
    uint64_t start = is_svm ? handle : view_row_number(row, "host_pointer");
    struct text text = {0};

    view_destroyed_describe(view, row, &text);
    if (address == handle)
        view_print(view, "0x%" PRIx64 " was %s.\n", address, text.bytes);
    else
        view_print(view, "0x%" PRIx64 " was byte %" PRIu64 " of the memory of %s.\n", address,
                   address - start, text.bytes);
    text_free(&text);
    write_stack(view, row, "stack", "made by");
    write_stack(view, row, "released_stack", is_svm ? "freed by" : "released by");
    view_row_written(view);
}

/* Show the destroyed objects at ADDRESS, or say why nothing is known. */
static void show_gone(ompd_view_t *view, uint64_t address)
{
    struct view_destroyed destroyed = {0};
    bool is_known = view_destroyed_find(view, address, &destroyed);

    for (size_t i = 0; i < destroyed.count && is_known; i++) {
        if (view->options.is_json)
            view_json_row(view, &destroyed.objects[i].row);
        else if (i < view->options.limit)
            objects_write_destroyed(view, &destroyed.objects[i].row, address);
    }
    if (!view->options.is_json && destroyed.count > view->options.limit)
        view_cut_note_write(view, "", destroyed.count - view->options.limit);
    if (is_known && destroyed.count == 0)
        view_fail(view, ompd_view_exit_usage,
                  destroyed.reason.length != 0
                      ? "0x%" PRIx64 " belongs to no live object; destroyed objects are unknown. %s"
                      : "0x%" PRIx64 " belongs to no live or recently destroyed object.%s",
                  address, text_get(&destroyed.reason));
    view_destroyed_free(&destroyed);
}

ompd_view_exit_t view_any_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct view_object object;
    uint64_t address = 0;

    if (view_operand_find_any(view, line->operands[0], &object, &address))
        object_show(view, &object.row);
    else if (view->failure == ompd_view_exit_ok && !show_memory(view, address) &&
             view->failure == ompd_view_exit_ok)
        show_gone(view, address);
    return view_result(view);
}

/* Print the destructor callbacks of an object, one line each. */
static void write_destructors_json(ompd_view_t *view, const struct view_row *row)
{
    struct view_value count = view_row_value(row, "destructor_count");
    struct view_list list;
    struct view_row callback;

    view_list_open_parts(&list, view, ompd_cl_kind_destructor, row);
    while (view_list_next(&list, &callback))
        view_json_row(view, &callback);
    view_list_close(&list);
    if (list.total == 0 && list.unreadable == 0 && !view_value_is_known(count))
        view_json_unknown_parts(view, count);
    else
        view_json_missing(&list);
}

/* Show the destructor callbacks of the object that WORD names. */
static ompd_view_exit_t object_destructors_run(ompd_view_t *view, const char *word)
{
    static const ompd_cl_kind_t kinds[] = {ompd_cl_kind_memobj, ompd_cl_kind_context,
                                           ompd_cl_kind_program};
    struct text header = {0};
    struct view_object object;

    if (!view_listing_options_refuse(view, ompd_cl_kind_destructor))
        return view_result(view);
    if (!view_operand_find(view, word, kinds, 3, &object))
        return view_result(view);
    if (view->options.is_json) {
        write_destructors_json(view, &object.row);
        return view_result(view);
    }
    view_object_header(view, &object.row, &header);
    write_destructors(view, &object.row, header.bytes);
    text_free(&header);
    return view_result(view);
}

ompd_view_exit_t view_destructors_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    if (line->operand_count != 0)
        return object_destructors_run(view, line->operands[0]);
    return view_list_run(view, line);
}
