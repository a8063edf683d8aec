/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>
#include <stdlib.h>

/* An object is usually mapped once, for its whole life. */
#define MANY_MAPPINGS 2

/* Commands whose arguments are examined. */
#define COMMAND_LIMIT 100000

/* Kinds whose objects may exist after the program has released them. */
static const ompd_cl_kind_t kinds[] = {
    ompd_cl_kind_memobj,
    ompd_cl_kind_context,
    ompd_cl_kind_queue,
    ompd_cl_kind_kernel,
    ompd_cl_kind_program,
    ompd_cl_kind_sampler,
    ompd_cl_kind_command_buffer,
    ompd_cl_kind_semaphore,
    /* A scene keeps geometries alive in any program, and they buffers: these are not listed. */
    ompd_cl_kind_embree_device,
};
#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

/* ---- Retained objects ------------------------------------------------------------------------ */

static const char *keepers_name(const struct view_row *row)
{
    const ompd_cl_field_t *field = view_kind_field(row->kind, "kind");
    const char *name = NULL;

    if (row->kind->number == ompd_cl_kind_memobj && field != NULL)
        name = view_field_name(field, view_row_number(row, "kind"));
    return name != NULL ? name : row->kind->noun->singular;
}

static void keepers_kept_add(struct view_keepers *keepers, const struct view_row *row,
                             bool is_released)
{
    struct view_value confidence = view_row_value(row, "confidence");

    keepers->all = heap_grow(keepers->all, keepers->count, sizeof(keepers->all[0]));
    keepers->all[keepers->count++] = (struct view_kept){
        .kind = row->kind->number,
        .handle = view_row_handle(row),
        .size = view_row_number(row, "size"),
        .name = keepers_name(row),
        .is_released = is_released,
        .is_presumed = confidence.value != ompd_cl_confidence_certain,
        .is_counted = view_row_number(row, "source") == ompd_cl_source_layout,
        .mappings = view_row_number(row, "map_count"),
    };
}

/* Add the objects of KIND that are released or mapped. */
static void add_kind(struct view_keepers *keepers, ompd_view_t *view, ompd_cl_kind_t kind,
                     uint64_t only)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter),
                               .states = UINT64_C(1) << ompd_cl_object_state_app_released};
    struct view_list list;
    struct view_row row;

    view_list_open_optional(&list, view, kind, kind == ompd_cl_kind_memobj ? NULL : &filter);
    while (view_list_next(&list, &row)) {
        bool is_released = view_row_number(&row, "state") == ompd_cl_object_state_app_released;

        if (view_row_handle(&row) == 0 || (only != 0 && view_row_handle(&row) != only) ||
            view_row_number(&row, "confidence") == ompd_cl_confidence_doubtful)
            continue;
        if (is_released || view_row_number(&row, "map_count") >= MANY_MAPPINGS)
            keepers_kept_add(keepers, &row, is_released);
    }
    view_list_close(&list);
}

static int compare_handles(const void *left, const void *right)
{
    const struct view_kept *one = left;
    const struct view_kept *other = right;

    if (one->handle != other->handle)
        return one->handle < other->handle ? -1 : 1;
    return one->kind < other->kind ? -1 : one->kind > other->kind;
}

static struct view_kept *keepers_find_kept(const struct view_keepers *keepers, ompd_cl_kind_t kind,
                                           uint64_t handle)
{
    const struct view_kept key = {.kind = kind, .handle = handle};

    if (handle == 0 || keepers->count == 0)
        return NULL;
    return bsearch(&key, keepers->all, keepers->count, sizeof(key), compare_handles);
}

/* ---- Keepers --------------------------------------------------------------------------------- */

static void count_keeper(struct view_keeper *keeper, ompd_cl_kind_t kind, uint64_t handle)
{
    if (keeper->count++ == 0) {
        keeper->kind = kind;
        keeper->handle = handle;
    }
}

/* Count ROW, an object, as a keeper of KEPT. */
static void count_object(struct view_kept *kept, struct view_keeper *keepers,
                         const struct view_row *row)
{
    count_keeper(keepers, row->kind->number, view_row_handle(row));
    kept->is_proved |= view_row_number(row, "confidence") == ompd_cl_confidence_certain;
}

/* Count command NUMBER of QUEUE, once even if several of its arguments are KEPT. */
static void count_command(struct view_kept *kept, uint64_t queue, uint64_t number)
{
    struct view_keeper *commands = kept != NULL ? &kept->commands : NULL;

    if (commands == NULL ||
        (commands->count != 0 && commands->handle == queue && commands->last == number))
        return;
    if (commands->count == 0)
        commands->number = number;
    if (commands->count != 0 && commands->handle != queue)
        commands->last = 0;
    else
        commands->last = number;
    count_keeper(commands, ompd_cl_kind_queue, queue);
}

/* Count KERNEL, whose argument NUMBER is KEPT, once even if several are. */
static void count_kernel(struct view_kept *kept, const struct view_row *kernel, uint64_t number)
{
    struct view_keeper *kernels = &kept->kernels;

    if (kernels->last == view_row_handle(kernel))
        return;
    if (kernels->count == 0)
        kernels->number = number;
    kernels->last = view_row_handle(kernel);
    count_object(kept, kernels, kernel);
}

/* Find the objects of KEEPERS among the arguments of ROW, a command or a kernel. */
static void keepers_arguments_add(const struct view_keepers *keepers, ompd_view_t *view,
                                  const struct view_row *row)
{
    bool is_kernel = row->kind->number == ompd_cl_kind_kernel;
    struct view_list list;
    struct view_row argument;

    if (view_row_number(row, "argument_count") == 0)
        return;
    view_list_open_parts(&list, view, ompd_cl_kind_argument, row);
    while (view_list_next(&list, &argument)) {
        struct view_kept *kept;

        if (view_row_number(&argument, "form") != ompd_cl_argument_object)
            continue;
        kept = keepers_find_kept(keepers, (ompd_cl_kind_t)view_row_number(&argument, "object_kind"),
                                 view_row_number(&argument, "object"));
        if (!is_kernel)
            count_command(kept, view_row_number(row, "queue"), view_row_number(row, "number"));
        else if (kept != NULL)
            count_kernel(kept, row, view_row_number(&argument, "number"));
    }
    view_list_close(&list);
}

static void keepers_commands_add(const struct view_keepers *keepers, ompd_view_t *view)
{
    static const struct {
        const char *field;
        ompd_cl_kind_t kind;
    } uses[] = {
        {"memobj", ompd_cl_kind_memobj},
        {"destination", ompd_cl_kind_memobj},
        {"kernel", ompd_cl_kind_kernel},
        {"queue", ompd_cl_kind_queue},
        {"command_buffer", ompd_cl_kind_command_buffer},
        {"semaphore", ompd_cl_kind_semaphore},
    };
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter),
                               .states = UINT64_C(1) << ompd_cl_svm_free_state_enqueued |
                                         UINT64_C(1) << ompd_cl_svm_free_state_running |
                                         UINT64_C(1) << ompd_cl_svm_free_state_left};
    struct view_list list;
    struct view_row row;

    view_list_open_optional(&list, view, ompd_cl_kind_command, &filter);
    while (list.total < COMMAND_LIMIT && view_list_next(&list, &row)) {
        for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++)
            count_command(
                keepers_find_kept(keepers, uses[i].kind, view_row_number(&row, uses[i].field)),
                view_row_number(&row, "queue"), view_row_number(&row, "number"));
        keepers_arguments_add(keepers, view, &row);
    }
    view_list_close(&list);
}

/* Find the objects of KEEPERS that BUFFER, a command buffer, retains for its commands. */
static void add_buffered(const struct view_keepers *keepers, ompd_view_t *view,
                         const struct view_row *buffer)
{
    static const struct {
        const char *field;
        ompd_cl_kind_t kind;
    } uses[] = {
        {"memobj", ompd_cl_kind_memobj},
        {"destination", ompd_cl_kind_memobj},
        {"kernel", ompd_cl_kind_kernel},
    };
    struct view_list list;
    struct view_row row;

    view_list_open_parts(&list, view, ompd_cl_kind_buffered_command, buffer);
    while (list.total < COMMAND_LIMIT && view_list_next(&list, &row)) {
        for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
            struct view_kept *kept =
                keepers_find_kept(keepers, uses[i].kind, view_row_number(&row, uses[i].field));

            if (kept == NULL || kept->children.last == view_row_handle(buffer))
                continue;
            kept->children.last = view_row_handle(buffer);
            count_object(kept, &kept->children, buffer);
        }
    }
    view_list_close(&list);
}

/* Find the objects of KEEPERS that the objects of KIND were created from or have as arguments. */
static void add_children(const struct view_keepers *keepers, ompd_view_t *view, ompd_cl_kind_t kind)
{
    static const struct {
        const char *field;
        ompd_cl_kind_t kind;
    } owners[] = {
        {"parent", ompd_cl_kind_memobj},        {"context", ompd_cl_kind_context},
        {"queue", ompd_cl_kind_queue},          {"program", ompd_cl_kind_program},
        {"device", ompd_cl_kind_embree_device},
    };
    struct view_list list;
    struct view_row row;

    view_list_open_optional(&list, view, kind, NULL);
    while (view_list_next(&list, &row)) {
        for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
            struct view_kept *kept =
                keepers_find_kept(keepers, owners[i].kind, view_row_number(&row, owners[i].field));

            if (kept != NULL)
                count_object(kept, &kept->children, &row);
        }
        if (kind == ompd_cl_kind_kernel)
            keepers_arguments_add(keepers, view, &row);
        if (kind == ompd_cl_kind_command_buffer)
            add_buffered(keepers, view, &row);
    }
    view_list_close(&list);
}

/* Whether a keeper of KEPT is known. */
static bool is_explained(const struct view_kept *kept)
{
    return kept->mappings + kept->commands.count + kept->kernels.count + kept->children.count != 0;
}

/* Drop objects without a known keeper: the runtime may have deleted them. The recorder may not
 * know whether commands have finished. */
static void drop_presumed(struct view_keepers *keepers)
{
    size_t count = 0;

    for (size_t i = 0; i < keepers->count; i++)
        if (!keepers->all[i].is_presumed || keepers->all[i].mappings != 0 ||
            keepers->all[i].is_proved)
            keepers->all[count++] = keepers->all[i];
    keepers->count = count;
}

void view_keepers_narrow(struct view_keepers *keepers, bool has_mapped)
{
    size_t count = 0;

    for (size_t i = 0; i < keepers->count; i++) {
        const struct view_kept *kept = &keepers->all[i];
        uint64_t others = kept->commands.count + kept->kernels.count;

        if (kept->is_released && (others != 0 || (has_mapped && kept->mappings != 0)))
            keepers->all[count++] = *kept;
    }
    keepers->count = count;
}

/* Add what keeps objects of OpenCL alive. */
static void keepers_opencl_add(const struct view_keepers *keepers, ompd_view_t *view)
{
    keepers_commands_add(keepers, view);
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (kinds[i] != ompd_cl_kind_context && !view_kind_is_embree(kinds[i]))
            add_children(keepers, view, kinds[i]);
    add_children(keepers, view, ompd_cl_kind_event);
}

/* Whether the process has OpenCL.  It need not, if it has Embree: that is no failure. */
static bool keepers_have_opencl(ompd_view_t *view)
{
    ompd_cl_list_t contexts;
    ompd_rc_t rc = ompd_cl_list_open(view->use.space, ompd_cl_kind_context, NULL, &contexts);

    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return false;
    ompd_cl_list_close(view->use.space, contexts);
    return true;
}

void view_keepers_find(struct view_keepers *keepers, ompd_view_t *view, uint64_t only)
{
    bool has_opencl = keepers_have_opencl(view);

    for (size_t i = 0; i < KIND_COUNT; i++)
        if (view_kind_is_embree(kinds[i]) || (has_opencl && view_kind_is_shown(view, kinds[i])))
            add_kind(keepers, view, kinds[i], only);
    if (keepers->count == 0)
        return;
    qsort(keepers->all, keepers->count, sizeof(keepers->all[0]), compare_handles);
    if (has_opencl)
        keepers_opencl_add(keepers, view);
    for (ompd_cl_kind_t kind = ompd_cl_kind_embree_scene; kind <= ompd_cl_kind_embree_buffer;
         kind++)
        add_children(keepers, view, kind);
    drop_presumed(keepers);
}

const struct view_kept *view_keepers_get(const struct view_keepers *keepers, ompd_cl_kind_t kind,
                                         uint64_t handle)
{
    return keepers_find_kept(keepers, kind, handle);
}

bool view_keepers_are_mapped(const struct view_keepers *keepers)
{
    for (size_t i = 0; i < keepers->count; i++)
        if (keepers->all[i].mappings != 0)
            return true;
    return false;
}

void view_keepers_free(struct view_keepers *keepers)
{
    heap_free(keepers->all);
    *keepers = (struct view_keepers){0};
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void begin_clause(struct text *text, size_t before)
{
    if (text->length != before)
        text_put(text, "; ");
}

static void keepers_name_add(const struct view_keeper *keeper, struct text *text)
{
    text_put(text, view_kind_get(keeper->kind)->noun->singular);
    text_put(text, " ");
    text_put_hexadecimal(text, keeper->handle);
}

/* Add "command queue 0x1f and 2 more objects". */
static void keepers_names_add(const struct view_keeper *keeper, const char *singular,
                              struct text *text)
{
    keepers_name_add(keeper, text);
    if (keeper->count > 1)
        text_add(text, " and %" PRIu64 " more %s%s", keeper->count - 1, singular,
                 keeper->count == 2 ? "" : "s");
}

/* Whether the existence of KEPT proves that its commands are unfinished. The recorder sees
 * memory objects end, and nothing else keeps this one. */
static bool proves_commands(const struct view_kept *kept)
{
    return kept->kind == ompd_cl_kind_memobj &&
           kept->mappings + kept->children.count + kept->kernels.count == 0;
}

/* Add "commands 1 to 40 of command queue 0x1f have not finished and use them" for OBJECTS
 * objects like KEPT. */
static void add_command_clause(const struct view_kept *kept, const struct view_keeper *commands,
                               uint64_t objects, struct text *text)
{
    /* A command that uses several objects is counted once for each. */
    bool is_one =
        commands->count == 1 || (commands->last != 0 && commands->number == commands->last);
    bool is_proved = proves_commands(kept);

    if (commands->last == 0 || commands->number == 0)
        count_add(text, commands->count, "command", NULL);
    else if (is_one)
        text_add(text, "command %" PRIu64, commands->number);
    else
        text_add(text, "commands %" PRIu64 " to %" PRIu64, commands->number, commands->last);
    text_put(text, commands->last != 0 ? " of " : " of several queues, the first of ");
    keepers_name_add(commands, text);
    if (is_proved)
        text_put(text, is_one ? " has not finished and uses " : " have not finished and use ");
    else
        text_put(text, is_one ? " is not known to have finished and uses "
                              : " are not known to have finished and use ");
    text_put(text, objects == 1 ? "it" : "them");
}

/* Add what keeps OBJECTS objects like KEPT, if no keeper of theirs can be named. */
static void add_unknown_clause(const struct view_kept *kept, uint64_t objects, struct text *text)
{
    if (kept->is_counted && kept->kind == ompd_cl_kind_memobj)
        text_add(text, "presumably unfinished commands use %s", objects == 1 ? "it" : "them");
    else
        text_add(text, "it is not known what keeps %s alive", objects == 1 ? "it" : "them");
}

void view_kept_describe(const struct view_kept *kept, struct text *text)
{
    size_t before = text->length;

    if (kept->mappings != 0) {
        count_add(text, kept->mappings, "mapping", NULL);
        text_put(text,
                 kept->mappings == 1 ? " of it was never unmapped" : " of it were never unmapped");
    }
    if (kept->commands.count != 0) {
        begin_clause(text, before);
        add_command_clause(kept, &kept->commands, 1, text);
    }
    if (kept->children.count != 0) {
        begin_clause(text, before);
        keepers_names_add(&kept->children, "object", text);
        text_put(text, kept->children.count == 1 ? " keeps it alive" : " keep it alive");
    }
    if (kept->kernels.count != 0) {
        begin_clause(text, before);
        text_add(text, "it is argument %" PRIu64 " of ", kept->kernels.number);
        keepers_names_add(&kept->kernels, "kernel", text);
    }
    if (text->length == before)
        add_unknown_clause(kept, 1, text);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Whether only commands of one queue keep KEPT: such objects share a line. */
static bool is_kept_by_queue(const struct view_kept *kept)
{
    return kept->is_released && kept->mappings == 0 && kept->children.count == 0 &&
           kept->commands.count != 0 && kept->commands.last != 0;
}

/* Whether no keeper of KEPT is known: such objects share a line, too. */
static bool is_kept_by_unknown(const struct view_kept *kept)
{
    return kept->is_released && !is_explained(kept);
}

static bool keepers_is_alike(const struct view_kept *one, const struct view_kept *other)
{
    if (one->kind != other->kind)
        return false;
    if (is_kept_by_queue(one) && is_kept_by_queue(other))
        return one->commands.handle == other->commands.handle &&
               proves_commands(one) == proves_commands(other);
    return is_kept_by_unknown(one) && is_kept_by_unknown(other);
}

/* Write a line for the objects of KEEPERS similar to number INDEX. False if an earlier line
 * covers it. */
static bool keepers_line_write(ompd_view_t *view, const struct view_keepers *keepers, size_t index)
{
    const struct view_kept *kept = &keepers->all[index];
    struct view_keeper commands = kept->commands;
    struct text text = {0};
    uint64_t count = 1;

    for (size_t i = 0; i < index; i++)
        if (keepers_is_alike(kept, &keepers->all[i]))
            return false;
    for (size_t i = index + 1; i < keepers->count; i++) {
        const struct view_kept *other = &keepers->all[i];

        if (!keepers_is_alike(kept, other))
            continue;
        count++;
        commands.count += other->commands.count;
        if (other->commands.number < commands.number)
            commands.number = other->commands.number;
        if (other->commands.last > commands.last)
            commands.last = other->commands.last;
    }
    text_put(&text, "  ");
    if (count == 1) {
        text_add(&text, "%s 0x%" PRIx64 ": ", kept->name, kept->handle);
        view_kept_describe(kept, &text);
    } else {
        const ompd_cl_noun_t *noun = view_kind_get(kept->kind)->noun;

        count_add(&text, count, noun->singular, noun->plural);
        text_put(&text, ": ");
        if (commands.count != 0)
            add_command_clause(kept, &commands, count, &text);
        else
            add_unknown_clause(kept, count, &text);
    }
    view_print(view, "%s\n", text.bytes);
    text_free(&text);
    return true;
}

/* Write "Released, but still alive: 40 memory objects, 1 OpenCL context." and a line for each
 * group. */
static void write_released(ompd_view_t *view, const struct view_keepers *keepers, const char *end)
{
    struct text text = {0};
    uint64_t lines = 0;
    uint64_t more = 0;

    for (size_t i = 0; i < KIND_COUNT; i++) {
        const ompd_cl_noun_t *noun = view_kind_get(kinds[i])->noun;
        uint64_t count = 0;

        for (size_t j = 0; j < keepers->count; j++)
            count += keepers->all[j].is_released && keepers->all[j].kind == kinds[i];
        if (count == 0)
            continue;
        text_put(&text, text.length != 0 ? ", " : "Released, but still alive: ");
        count_add(&text, count, noun->singular, noun->plural);
    }
    if (text.length == 0)
        return;
    if (end != NULL)
        view_print(view, "%s%s\n", text.bytes, end);
    for (size_t i = 0; i < KIND_COUNT * keepers->count; i++) {
        size_t index = i % keepers->count;

        if (!keepers->all[index].is_released ||
            keepers->all[index].kind != kinds[i / keepers->count])
            continue;
        if (lines == view->options.limit)
            more++;
        else
            lines += keepers_line_write(view, keepers, index);
    }
    if (more != 0)
        view_cut_note_write(view, "  ", more);
    text_free(&text);
}

void view_keepers_write(ompd_view_t *view, const struct view_keepers *keepers, const char *end)
{
    uint64_t mapped = 0;
    uint64_t lines = 0;

    write_released(view, keepers, end);
    for (size_t i = 0; i < keepers->count; i++)
        mapped += !keepers->all[i].is_released;
    if (mapped == 0)
        return;
    view_print(view, "Mapped more than once: %" PRIu64 " memory object%s.\n", mapped,
               mapped != 1 ? "s" : "");
    for (size_t i = 0; i < keepers->count && lines < view->options.limit; i++)
        if (!keepers->all[i].is_released)
            lines += keepers_line_write(view, keepers, i);
    if (mapped > lines)
        view_cut_note_write(view, "  ", mapped - lines);
}
