/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See row.h. */
#include <host/command/row.h>

#include <inttypes.h>
#include <string.h>

#define KIND_COUNT (ompd_cl_kind_layout + 1)

static const struct command_noun nouns[KIND_COUNT] = {
    [ompd_cl_kind_context] = {"OpenCL context", "OpenCL contexts", "an"},
    [ompd_cl_kind_queue] = {"command queue", "command queues", "a"},
    [ompd_cl_kind_memobj] = {"memory object", "memory objects", "a"},
    [ompd_cl_kind_destructor] = {"destructor callback", "destructor callbacks", "a"},
    [ompd_cl_kind_svm] = {"SVM allocation", "SVM allocations", "an"},
    [ompd_cl_kind_svm_free] = {"SVM-free command", "SVM-free commands", "an"},
    [ompd_cl_kind_thread] = {"thread", "threads that have entered OpenCL", "a"},
    [ompd_cl_kind_runtime] = {"OpenCL runtime", "OpenCL runtimes", "an"},
};

static struct command_kind kinds[KIND_COUNT];

static bool kind_has_id(ompd_cl_kind_t number)
{
    return number == ompd_cl_kind_context || number == ompd_cl_kind_queue ||
           number == ompd_cl_kind_memobj || number == ompd_cl_kind_svm ||
           number == ompd_cl_kind_svm_free || number == ompd_cl_kind_thread;
}

/* Ask the library for the fields of a kind. */
static void kind_load(struct command_kind *kind, ompd_cl_kind_t number)
{
    const ompd_cl_field_t *field;

    kind->number = number;
    kind->noun = nouns[number];
    kind->has_id = kind_has_id(number);
    ompd_cl_kind_get(number, &kind->name, &kind->size);
    while (ompd_cl_field_get(number, (uint32_t)kind->field_count, &field) == ompd_rc_ok) {
        kind->fields = command_memory_resize((void *)kind->fields,
                                             (kind->field_count + 1) * sizeof(kind->fields[0]));
        kind->fields[kind->field_count++] = field;
    }
}

const struct command_kind *command_kind_get(ompd_cl_kind_t number)
{
    if (kinds[number].name == NULL)
        kind_load(&kinds[number], number);
    return &kinds[number];
}

const ompd_cl_field_t *command_kind_field(const struct command_kind *kind, const char *name)
{
    for (size_t i = 0; i < kind->field_count; i++)
        if (strcmp(kind->fields[i]->name, name) == 0)
            return kind->fields[i];
    return NULL;
}

uint64_t command_row_id(const struct command_row *row)
{
    uint64_t id = 0;

    if (row->kind->has_id)
        memcpy(&id, row->bytes + sizeof(ompd_size_t), sizeof(id));
    return id;
}

struct command_value command_row_field(const struct command_row *row, const ompd_cl_field_t *field)
{
    const unsigned char *place = row->bytes + field->offset;
    ompd_cl_value_t value;

    if (field->type == ompd_cl_type_text) {
        const ompd_cl_text_t *text = (const void *)place;
        return (struct command_value){0, text->status, text->lwp, text->text};
    }
    memcpy(&value, place, sizeof(value));
    return (struct command_value){value.value, value.status, value.lwp, ""};
}

struct command_value command_row_value(const struct command_row *row, const char *name)
{
    const ompd_cl_field_t *field = command_kind_field(row->kind, name);

    if (field == NULL)
        return (struct command_value){.text = ""};
    return command_row_field(row, field);
}

uint64_t command_row_number(const struct command_row *row, const char *name)
{
    return command_row_value(row, name).value;
}

bool command_value_is_presumed(struct command_value value)
{
    return value.status == ompd_cl_status_presumed || value.status == ompd_cl_status_at_least;
}

bool command_value_is_known(struct command_value value)
{
    return value.status == ompd_cl_status_value || command_value_is_presumed(value);
}

const char *command_value_bound(struct command_value value)
{
    return value.status == ompd_cl_status_at_least ? "at least " : "";
}

bool command_value_is_absent(struct command_value value)
{
    return value.status == ompd_cl_status_none || value.status == ompd_cl_status_not_applicable;
}

bool command_row_is_unrecorded(const struct command_row *row, struct command_value value)
{
    return value.status == ompd_cl_status_unknown &&
           command_row_number(row, "source") == ompd_cl_source_layout;
}

void command_value_reason(struct command_value value, struct command_text *text)
{
    switch (value.status) {
    case ompd_cl_status_unknown:
        command_text_add(text, "not observed");
        break;
    case ompd_cl_status_not_saved:
        command_text_add(text, "not saved in the core");
        break;
    case ompd_cl_status_unreadable:
        command_text_add(text, "unreadable");
        break;
    case ompd_cl_status_changing:
        command_text_add(text, "being changed by LWP %" PRIu32, value.lwp);
        break;
    case ompd_cl_status_corrupt:
        command_text_add(text, "corrupt");
        break;
    default:
        command_text_add(text, "unknown");
        break;
    }
}

const char *command_field_name(const ompd_cl_field_t *field, uint64_t value)
{
    for (uint32_t i = 0; i < field->name_count; i++)
        if (field->names[i].value == value)
            return field->names[i].name;
    return NULL;
}

void command_field_name_add(const ompd_cl_field_t *field, uint64_t value, struct command_text *text)
{
    const char *name = command_field_name(field, value);

    if (name != NULL)
        command_text_add(text, "%s", name);
    else
        command_text_add(text, "%s %" PRIu64, field->name, value);
}

void command_row_name(const struct command_row *row, const char *name, struct command_text *text)
{
    const ompd_cl_field_t *field = command_kind_field(row->kind, name);
    struct command_value value = command_row_value(row, name);

    if (field == NULL || !command_value_is_known(value))
        command_text_add(text, "?");
    else
        command_field_name_add(field, value.value, text);
}
