/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See sentences.h. */
#include <host/command/sentences.h>

#include <host/command/cell.h>
#include <host/command/place.h>
#include <host/command/size.h>

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define USES_HOST_MEMORY "CL_MEM_USE_HOST_PTR"

/* Add what the object is, and its handle. */
static void add_name(const struct command_row *row, struct command_text *text)
{
    struct command_value handle = command_row_value(row, "handle");

    if (row->kind->number == ompd_cl_kind_memobj &&
        command_value_is_known(command_row_value(row, "kind")))
        command_row_name(row, "kind", text);
    else
        command_text_add(text, "%s", row->kind->noun.singular);
    if (command_value_is_known(handle))
        command_text_add(text, " 0x%" PRIx64, handle.value);
}

/* Add ", in queue 0x5555556131c0, 2 pointers, waits for 1 event". */
static void add_svm_free(const struct command_row *row, struct command_text *text)
{
    struct command_value queue = command_row_value(row, "queue");
    struct command_value pointers = command_row_value(row, "pointer_count");
    uint64_t events = command_row_number(row, "wait_count");

    if (command_value_is_known(queue))
        command_text_add(text, ", in queue 0x%" PRIx64, queue.value);
    if (command_value_is_known(pointers)) {
        command_text_add(text, ", ");
        command_count_add(text, pointers.value, "pointer", NULL);
    }
    if (events != 0) {
        command_text_add(text, ", waits for ");
        command_count_add(text, events, "event", NULL);
    }
}

/* Add ", " and the value of a field, when it is known, and not that there are no flags. */
static void add_known(struct command_session *session, const struct command_row *row,
                      const char *name, struct command_text *text)
{
    const ompd_cl_field_t *field = command_kind_field(row->kind, name);
    struct command_value value = command_row_value(row, name);

    if (field == NULL || !command_value_is_known(value) ||
        (field->type == ompd_cl_type_flags && value.value == 0))
        return;
    command_text_add(text, ", ");
    command_cell_value(session, field, value, text);
    command_presumed_mark(value, text);
}

void command_object_header(struct command_session *session, const struct command_row *row,
                           struct command_text *text)
{
    struct command_value host_pointer = command_row_value(row, "host_pointer");
    struct command_value parent = command_row_value(row, "parent");
    struct command_value references = command_row_value(row, "references");
    struct command_value state = command_row_value(row, "state");

    add_name(row, text);
    if (row->kind->number == ompd_cl_kind_svm_free)
        add_svm_free(row, text);
    add_known(session, row, "size", text);
    add_known(session, row, "flags", text);
    add_known(session, row, "properties", text);
    if (command_value_is_known(host_pointer)) {
        command_text_add(text, " at ");
        command_place_data(session, host_pointer.value, text);
        command_presumed_mark(host_pointer, text);
    }
    if (command_value_is_known(parent)) {
        command_text_add(text, ", part of 0x%" PRIx64, parent.value);
        command_presumed_mark(parent, text);
    }
    if (command_value_is_known(references)) {
        command_text_add(text, ", ");
        command_count_add(text, references.value, "reference", NULL);
        command_presumed_mark(references, text);
    }
    if (command_value_is_known(state) && state.value != ompd_cl_state_live) {
        command_text_add(text, ", ");
        command_row_name(row, "state", text);
        command_presumed_mark(state, text);
    }
    if (command_row_number(row, "confidence") == ompd_cl_confidence_doubtful) {
        command_text_add(text, ", ");
        command_row_name(row, "confidence", text);
    }
}

void command_destructor_count(uint64_t count, struct command_value told, struct command_text *text)
{
    if (count == 0 && !command_value_is_known(told)) {
        command_text_add(text, "destructor callbacks ");
        command_value_reason(told, text);
        return;
    }
    if (count == 0) {
        command_text_add(text, "no destructor callback");
        command_presumed_mark(told, text);
        return;
    }
    command_count_add(text, count, "destructor callback", NULL);
    if (count != 1)
        command_text_add(text, ", in call order");
}

static bool uses_host_memory(const struct command_row *row)
{
    const ompd_cl_field_t *field = command_kind_field(row->kind, "flags");
    uint64_t flags = command_row_number(row, "flags");

    for (uint32_t i = 0; field != NULL && i < field->name_count; i++)
        if (strcmp(field->names[i].name, USES_HOST_MEMORY) == 0)
            return (flags & field->names[i].value) != 0;
    return false;
}

/* Add "4096 B at 0x5555555580c0 may be used again", for one that uses the program's memory: not for
 * a part of another object, which goes on using it. */
static void add_memory_given_back(struct command_session *session, const struct command_row *row,
                                  struct command_text *text)
{
    const ompd_cl_field_t *field = command_kind_field(row->kind, "size");
    struct command_value size = command_row_value(row, "size");
    struct command_value host_pointer = command_row_value(row, "host_pointer");

    if (!command_value_is_absent(command_row_value(row, "parent")) || !uses_host_memory(row) ||
        !command_value_is_known(host_pointer) || !command_value_is_known(size))
        return;
    command_cell_value(session, field, size, text);
    command_text_add(text, " at 0x%" PRIx64 " may be used again", host_pointer.value);
}

void command_after_destructors(struct command_session *session, const struct command_row *row,
                               const struct command_rows *callbacks, struct command_text *text)
{
    struct command_text memory = {0};

    add_memory_given_back(session, row, &memory);
    if (callbacks->count == 0) {
        if (memory.length != 0)
            command_text_add(text, "When it is freed, %s.", memory.bytes);
    } else {
        command_text_add(text, callbacks->count > 1 ? "After them" : "After it");
        if (row->kind->number == ompd_cl_kind_context)
            command_text_add(text, " the OpenCL context is freed.");
        else if (memory.length != 0)
            command_text_add(text, " the object is freed and %s.", memory.bytes);
        else
            command_text_add(text, " the object is freed.");
    }
    command_text_free(&memory);
}

/* The length of a version's number "3.0" at TEXT; 0: there is none. */
static size_t number_length(const char *text)
{
    size_t major = strspn(text, "0123456789");
    size_t minor;

    if (major == 0 || text[major] != '.')
        return 0;
    minor = strspn(text + major + 1, "0123456789");
    return minor != 0 ? major + 1 + minor : 0;
}

/* The vendor's own version in what follows OpenCL's, and its length; 0: there is none. */
static size_t own_version(const char *rest, const char **start)
{
    for (const char *here = rest; *here != '\0'; here++) {
        size_t digits = strspn(here, "0123456789");
        bool begins = here == rest || isspace((unsigned char)here[-1]) || here[-1] == '(';
        size_t more = 0;

        if (!begins || digits == 0 || here[digits] != '.')
            continue;
        while (here[digits + 1 + more] != '\0' && strchr(",()", here[digits + 1 + more]) == NULL &&
               !isspace((unsigned char)here[digits + 1 + more]))
            more++;
        *start = here;
        if (more != 0)
            return digits + 1 + more;
    }
    return 0;
}

/* A platform's version is "OpenCL X.Y" and what the vendor likes to add (OpenCL 3.0 section 4.1).
 */
void command_platform_describe(const char *name, const char *version, struct command_text *text)
{
    static const char standard[] = "OpenCL ";
    size_t prefix = sizeof(standard) - 1;
    size_t length = strncmp(version, standard, prefix) == 0 ? number_length(version + prefix) : 0;
    const char *rest;
    const char *own = "";
    size_t own_length;

    if (length == 0) {
        command_text_add(text, "%s", name[0] != '\0' ? name : "unnamed platform");
        return;
    }
    rest = version + prefix + length;
    rest += strspn(rest, " \t\r\n\f\v");
    own_length = own_version(rest, &own);
    command_text_add(text, "%s%s%.*s (%.*s)", name, own_length != 0 ? " " : "", (int)own_length,
                     own, (int)(prefix + length), version);
}

void command_are_add(struct command_text *text, uint64_t count, const char *singular,
                     const char *plural, const char *what)
{
    command_count_add(text, count, singular, plural);
    command_text_add(text, " %s %s", count == 1 ? "is" : "are", what);
}

void command_words_add(const struct command_row *row, const char *field, struct command_text *text)
{
    struct command_text name = {0};

    command_row_name(row, field, &name);
    for (char *here = name.bytes; *here != '\0'; here++) {
        if (*here == '-')
            *here = ' ';
        if (strncmp(here, "svm", 3) == 0)
            memcpy(here, "SVM", 3);
    }
    command_text_append(text, name.bytes, name.length);
    command_text_free(&name);
}
