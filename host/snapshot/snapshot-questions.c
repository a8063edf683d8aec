/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Asks the library all questions once: what it reads for the answers is saved. */
#include <host/snapshot/snapshot.h>

#include <stdlib.h>
#include <string.h>

#define BATCH 256       /* rows */
#define FRAMES 256      /* maximum depth of a call stack */
#define TEXT_PIECE 4096 /* bytes of a text to read at once */
#define LARGEST_NOTE 64

/* All kinds have lower numbers, of which some may be unused. */
#define KIND_LIMIT 64

/* Lists of parts of one object. */
static const ompd_cl_kind_t parts[] = {ompd_cl_kind_destructor, ompd_cl_kind_svm_pointer,
                                       ompd_cl_kind_wait,       ompd_cl_kind_command,
                                       ompd_cl_kind_activity,   ompd_cl_kind_argument,
                                       ompd_cl_kind_access,     ompd_cl_kind_buffered_command};

/* Search for holders of objects that the leak search omits, until so many bytes were searched. */
#define MOST_SEARCHED (UINT64_C(4) << 30)

struct object {
    uint64_t id;
    uint64_t handle;
};

struct asking {
    struct snapshot *snapshot;
    ompd_address_space_handle_t *space;
    struct object *objects;
    size_t object_count;
    struct ranges leaks; /* the handles that the leak search has searched for */
    bool is_interrupted;
};

static void add_handle(struct snapshot *snapshot, uint64_t handle)
{
    uint64_t *handles;

    if (handle == 0)
        return;
    handles = array_grow(snapshot->handles, snapshot->handle_count, sizeof(*handles));
    if (handles == NULL) {
        snapshot->is_short = true;
        return;
    }
    snapshot->handles = handles;
    handles[snapshot->handle_count++] = handle;
}

static void add_object(struct asking *asking, uint64_t id, uint64_t handle)
{
    struct object *objects = array_grow(asking->objects, asking->object_count, sizeof(*objects));

    if (objects == NULL) {
        asking->snapshot->is_short = true;
        return;
    }
    asking->objects = objects;
    objects[asking->object_count++] = (struct object){id, handle};
}

static bool is_known(const ompd_cl_value_t *value)
{
    return value->status == ompd_cl_status_value || value->status == ompd_cl_status_presumed ||
           value->status == ompd_cl_status_at_least;
}

/* The value of the field NAME of ROW; 0: none. */
static uint64_t row_number(ompd_cl_kind_t kind, const uint8_t *row, const char *name)
{
    const ompd_cl_field_t *field;
    ompd_cl_value_t value;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        if (strcmp(field->name, name) != 0)
            continue;
        memcpy(&value, row + field->offset, sizeof(value));
        return is_known(&value) ? value.value : 0;
    }
    return 0;
}

/* Request the call stacks of ROW. */
static void ask_stacks(const struct asking *asking, ompd_cl_kind_t kind, const uint8_t *row)
{
    const ompd_cl_field_t *field;
    ompd_addr_t frames[FRAMES];
    ompd_cl_value_t value;
    ompd_size_t count;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        if (field->type != ompd_cl_type_stack)
            continue;
        memcpy(&value, row + field->offset, sizeof(value));
        if (is_known(&value))
            ompd_cl_stack_get(asking->space, value.value, FRAMES, frames, &count);
    }
}

/* Ask for all of the texts of ROW. */
static void ask_texts(const struct asking *asking, ompd_cl_kind_t kind, const uint8_t *row)
{
    const ompd_cl_field_t *field;
    char piece[TEXT_PIECE];
    ompd_cl_text_t text;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        ompd_size_t count = TEXT_PIECE;
        uint64_t offset = 0;

        if (field->type != ompd_cl_type_text)
            continue;
        memcpy(&text, row + field->offset, sizeof(text));
        while (text.key != 0 && count == TEXT_PIECE &&
               ompd_cl_text_read(asking->space, text.key, offset, TEXT_PIECE, piece, &count) ==
                   ompd_rc_ok)
            offset += count;
    }
}

static void ask_list(struct asking *asking, ompd_cl_kind_t kind, ompd_cl_list_t list,
                     bool is_of_object);

/* Request the parts of the object ID of KIND, as single views do. */
static void ask_object(struct asking *asking, ompd_cl_kind_t kind, uint64_t id, uint64_t handle,
                       uint8_t *row)
{
    ompd_cl_list_t list;
    uint64_t found;

    ompd_cl_object_get(asking->space, kind, id, row);
    if (handle != 0)
        ompd_cl_object_find(asking->space, kind, handle, &found);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !asking->is_interrupted; i++) {
        ompd_rc_t rc = ompd_cl_object_list_open(asking->space, parts[i], id, &list);

        if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
            ask_list(asking, parts[i], list, true);
    }
}

/* Exclude the contents of host memory of memory objects and of SVM allocations. */
static void contents_exclude(struct snapshot *snapshot, ompd_cl_kind_t kind, const uint8_t *row)
{
    const char *start = kind == ompd_cl_kind_svm ? "pointer" : "host_pointer";

    if (kind == ompd_cl_kind_svm || kind == ompd_cl_kind_memobj)
        ranges_add(&snapshot->buffers, row_number(kind, row, start), row_number(kind, row, "size"));
}

static bool is_object(ompd_cl_kind_t kind)
{
    switch (kind) {
    case ompd_cl_kind_context:
    case ompd_cl_kind_queue:
    case ompd_cl_kind_memobj:
    case ompd_cl_kind_svm:
    case ompd_cl_kind_svm_free:
    case ompd_cl_kind_thread:
    case ompd_cl_kind_event:
    case ompd_cl_kind_command:
    case ompd_cl_kind_kernel:
    case ompd_cl_kind_program:
    case ompd_cl_kind_sampler:
    case ompd_cl_kind_command_buffer:
    case ompd_cl_kind_semaphore:
        return true;
    default:
        return false;
    }
}

static void row_ask(struct asking *asking, ompd_cl_kind_t kind, uint8_t *row, bool is_of_object)
{
    uint64_t handle = row_number(kind, row, kind == ompd_cl_kind_svm ? "pointer" : "handle");
    uint64_t id;

    ask_stacks(asking, kind, row);
    ask_texts(asking, kind, row);
    if (kind == ompd_cl_kind_leak && row_number(kind, row, "holding") != 0)
        ranges_add(&asking->leaks, handle, 1);
    if (is_of_object || !is_object(kind))
        return;
    /* The id follows struct_size. */
    memcpy(&id, row + sizeof(ompd_size_t), sizeof(id));
    add_handle(asking->snapshot, handle);
    contents_exclude(asking->snapshot, kind, row);
    if (handle != 0)
        add_object(asking, id, handle);
    ask_object(asking, kind, id, handle, row);
}

/* Read LIST to its end, and close it. */
static void ask_list(struct asking *asking, ompd_cl_kind_t kind, ompd_cl_list_t list,
                     bool is_of_object)
{
    ompd_size_t size = 0;
    ompd_size_t count;
    ompd_size_t unreadable;
    const char *name;
    uint8_t *rows;

    ompd_cl_kind_get(kind, &name, &size);
    rows = calloc(BATCH, size);
    asking->snapshot->is_short |= rows == NULL;
    do {
        ompd_rc_t rc;

        count = 0;
        if (rows == NULL || asking->is_interrupted)
            break;
        memcpy(rows, &size, sizeof(size));
        rc = ompd_cl_list_next(asking->space, list, kind, BATCH, rows, &count, &unreadable);
        asking->is_interrupted |= rc == ompd_rc_interrupted;
        asking->snapshot->is_short |= rc == ompd_rc_nomem;
        for (ompd_size_t i = 0; i < count && !asking->is_interrupted; i++)
            row_ask(asking, kind, rows + i * size, is_of_object);
    } while (count != 0);
    ompd_cl_list_close(asking->space, list);
    free(rows);
}

static void ask_overview(const struct asking *asking)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    const char *note;

    ompd_cl_overview_get(asking->space, &info);
    for (uint32_t i = 0;
         i < LARGEST_NOTE && ompd_cl_note_get(asking->space, i, &note) == ompd_rc_ok; i++)
        continue;
}

/* At least 1, and at most UINT64_MAX, which the regions claimed by a core may exceed. */
static uint64_t writable_bytes(const ompd_host_target_t *target)
{
    uint64_t bytes = 1;

    for (size_t i = 0; i < target->region_count; i++) {
        const struct region *region = &target->regions[i];
        uint64_t size = region->end - region->start;

        if (region->is_writable && !region->is_untouched && !region->is_zero &&
            !region->is_unsearched)
            bytes = size < UINT64_MAX - bytes ? bytes + size : UINT64_MAX;
    }
    return bytes;
}

/* Request the holders of objects that are not leaks. */
static void ask_holders(struct asking *asking)
{
    uint64_t searches = MOST_SEARCHED / writable_bytes(asking->snapshot->target);
    ompd_cl_list_t list;

    ranges_settle(&asking->leaks);
    for (size_t i = 0; i < asking->object_count && !asking->is_interrupted; i++) {
        const struct object *object = &asking->objects[i];
        size_t at = ranges_find(&asking->leaks, object->handle);
        ompd_rc_t rc;

        if (at < asking->leaks.count && asking->leaks.items[at].start <= object->handle)
            continue;
        if (searches-- == 0)
            return;
        rc =
            ompd_cl_object_list_open(asking->space, ompd_cl_kind_reference_site, object->id, &list);
        if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
            ask_list(asking, ompd_cl_kind_reference_site, list, true);
    }
}

ompd_host_rc_t snapshot_ask(struct snapshot *snapshot)
{
    struct asking asking = {.snapshot = snapshot};
    ompd_cl_list_t list;
    ompd_size_t size;
    const char *name;
    ompd_rc_t rc = ompd_host_address_space_create(snapshot->target, 0, &asking.space);

    if (rc != ompd_rc_ok)
        return target_message_set(snapshot->target, ompd_host_rc_nomem, "out of memory");
    ask_overview(&asking);
    for (ompd_cl_kind_t kind = ompd_cl_kind_platform; kind < KIND_LIMIT; kind++) {
        if (ompd_cl_kind_get(kind, &name, &size) != ompd_rc_ok)
            continue;
        rc = asking.is_interrupted ? ompd_rc_interrupted
                                   : ompd_cl_list_open(asking.space, kind, NULL, &list);
        asking.is_interrupted |= rc == ompd_rc_interrupted;
        if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
            ask_list(&asking, kind, list, false);
    }
    ask_holders(&asking);
    ompd_rel_address_space_handle(asking.space);
    free(asking.objects);
    ranges_free(&asking.leaks);
    if (asking.is_interrupted)
        return target_message_set(snapshot->target, ompd_host_rc_cancelled, "cancelled");
    return ompd_host_rc_ok;
}
