/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define USES_HOST_MEMORY "CL_MEM_USE_HOST_PTR"

/* Add the kind of the object, and its handle. */
static void header_name_add(const struct view_row *row, struct text *text)
{
    bool is_svm = row->kind->number == ompd_cl_kind_svm;
    struct view_value handle = view_row_value(row, is_svm ? "pointer" : "handle");

    if (row->kind->number == ompd_cl_kind_memobj &&
        view_value_is_known(view_row_value(row, "kind")))
        view_row_name(row, "kind", text);
    else
        text_put(text, row->kind->noun->singular);
    if (view_value_is_known(handle))
        text_add(text, " 0x%" PRIx64, handle.value);
}

/* Add " 3 of queue 0x5555556131c0". */
static void header_place_add(const struct view_row *row, struct text *text)
{
    struct view_value number = view_row_value(row, "number");

    if (view_value_is_known(number))
        text_add(text, " %" PRIu64, number.value);
    text_add(text, " of queue 0x%" PRIx64, view_row_number(row, "queue"));
}

/* Add ", in queue 0x5555556131c0, 2 pointers, waits for 1 event". */
static void add_svm_free(const struct view_row *row, struct text *text)
{
    struct view_value queue = view_row_value(row, "queue");
    struct view_value pointers = view_row_value(row, "pointer_count");
    uint64_t events = view_row_number(row, "wait_count");

    if (view_value_is_known(queue))
        text_add(text, ", in queue 0x%" PRIx64, queue.value);
    if (view_value_is_known(pointers)) {
        text_put(text, ", ");
        count_add(text, pointers.value, "pointer", NULL);
    }
    if (events != 0) {
        text_put(text, ", waits for ");
        count_add(text, events, "event", NULL);
    }
}

/* Add ", " and the value of a field, if it is known and is not an empty set of flags. */
static void header_known_add(ompd_view_t *view, const struct view_row *row, const char *name,
                             struct text *text)
{
    const ompd_cl_field_t *field = view_kind_field(row->kind, name);
    struct view_value value = view_row_value(row, name);

    if (field == NULL || !view_value_is_known(value) ||
        (field->type == ompd_cl_type_flags && value.value == 0))
        return;
    text_put(text, ", ");
    view_cell_value(view, field, value, text);
    view_presumed_mark(value, text);
}

void view_object_header(ompd_view_t *view, const struct view_row *row, struct text *text)
{
    struct view_value host_pointer = view_row_value(row, "host_pointer");
    struct view_value parent = view_row_value(row, "parent");
    struct view_value references = view_row_value(row, "references");
    struct view_value state = view_row_value(row, "state");
    struct view_value build = view_row_value(row, "build");

    header_name_add(row, text);
    if (view_kind_is_embree(row->kind->number)) {
        view_embree_header_add(view, row, text);
        build = (struct view_value){.text = ""};
    }
    if (row->kind->number == ompd_cl_kind_svm_free)
        add_svm_free(row, text);
    if (row->kind->number == ompd_cl_kind_command)
        header_place_add(row, text);
    header_known_add(view, row, "name", text);
    if (!view_kind_is_embree(row->kind->number))
        header_known_add(view, row, "type", text);
    header_known_add(view, row, "execution", text);
    header_known_add(view, row, "size", text);
    header_known_add(view, row, "flags", text);
    header_known_add(view, row, "properties", text);
    if (view_value_is_known(host_pointer)) {
        text_put(text, " at ");
        view_location_data(view, host_pointer.value, text);
        view_presumed_mark(host_pointer, text);
    }
    if (view_value_is_known(parent)) {
        text_add(text, ", part of 0x%" PRIx64, parent.value);
        view_presumed_mark(parent, text);
    }
    if (view_value_is_known(references)) {
        text_put(text, ", ");
        count_add(text, references.value, "reference", NULL);
        view_presumed_mark(references, text);
    }
    if (view_value_is_known(build)) {
        text_put(text, ", build ");
        view_row_name(row, "build", text);
    }
    if (view_value_is_known(state) && state.value != ompd_cl_object_state_live) {
        text_put(text, ", ");
        view_row_name(row, "state", text);
        view_presumed_mark(state, text);
    }
    if (view_row_number(row, "confidence") == ompd_cl_confidence_doubtful) {
        text_put(text, ", ");
        view_row_name(row, "confidence", text);
    }
}

void view_destructor_count(uint64_t count, struct view_value told, struct text *text)
{
    if (count == 0 && !view_value_is_known(told)) {
        text_put(text, "destructor callbacks ");
        view_value_reason(told, text);
        return;
    }
    if (count == 0) {
        text_put(text, "no destructor callback");
        view_presumed_mark(told, text);
        return;
    }
    count_add(text, count, "destructor callback", NULL);
    if (count != 1)
        text_put(text, ", in call order");
}

static bool uses_host_memory(const struct view_row *row)
{
    const ompd_cl_field_t *field = view_kind_field(row->kind, "flags");
    uint64_t flags = view_row_number(row, "flags");

    for (uint32_t i = 0; field != NULL && i < field->name_count; i++)
        if (strcmp(ompd_cl_field_name_at(field, i)->name, USES_HOST_MEMORY) == 0)
            return (flags & ompd_cl_field_name_at(field, i)->value) != 0;
    return false;
}

/* Add "4096 B at 0x5555555580c0 may be reused", for an object that uses the program's memory. A
 * part of another object does not release that memory. */
static void add_memory_given_back(ompd_view_t *view, const struct view_row *row, struct text *text)
{
    const ompd_cl_field_t *field = view_kind_field(row->kind, "size");
    struct view_value size = view_row_value(row, "size");
    struct view_value host_pointer = view_row_value(row, "host_pointer");

    if (!view_value_is_absent(view_row_value(row, "parent")) || !uses_host_memory(row) ||
        !view_value_is_known(host_pointer) || !view_value_is_known(size))
        return;
    view_cell_value(view, field, size, text);
    text_add(text, " at 0x%" PRIx64 " may be reused", host_pointer.value);
}

void view_after_destructors(ompd_view_t *view, const struct view_row *row,
                            const struct view_rows *callbacks, struct text *text)
{
    struct text memory = {0};

    add_memory_given_back(view, row, &memory);
    if (callbacks->count == 0) {
        if (memory.length != 0)
            text_add(text, "When it is freed, %s.", memory.bytes);
    } else {
        text_add(text, callbacks->count > 1 ? "After them" : "After it");
        if (row->kind->number == ompd_cl_kind_context)
            text_put(text, " the OpenCL context is freed.");
        else if (row->kind->number == ompd_cl_kind_program)
            text_put(text, " the program is freed.");
        else if (memory.length != 0)
            text_add(text, " the object is freed and %s.", memory.bytes);
        else
            text_put(text, " the object is freed.");
    }
    text_free(&memory);
}

/* The length of the version number "3.0" at TEXT, or 0. */
static size_t number_length(const char *text)
{
    size_t major = strspn(text, "0123456789");
    size_t minor;

    if (major == 0 || text[major] != '.')
        return 0;
    minor = strspn(text + major + 1, "0123456789");
    return minor != 0 ? major + 1 + minor : 0;
}

/* The vendor's own version in the text after OpenCL's, and its length, or 0. */
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

/* A platform's version is "OpenCL X.Y" and text of the vendor (OpenCL 3.0 section 4.1). */
void view_platform_describe(const char *name, const char *version, struct text *text)
{
    static const char standard[] = "OpenCL ";
    size_t prefix = sizeof(standard) - 1;
    size_t length = strncmp(version, standard, prefix) == 0 ? number_length(version + prefix) : 0;
    const char *rest;
    const char *custom = "";
    size_t own_length;

    if (length == 0) {
        text_put(text, name[0] != '\0' ? name : "unnamed platform");
        return;
    }
    rest = version + prefix + length;
    rest += strspn(rest, " \t\r\n\f\v");
    own_length = own_version(rest, &custom);
    text_add(text, "%s%s%.*s (%.*s)", name, own_length != 0 ? " " : "", (int)own_length, custom,
             (int)(prefix + length), version);
}

void view_are_add(struct text *text, uint64_t count, const char *singular, const char *plural,
                  const char *what)
{
    count_add(text, count, singular, plural);
    text_add(text, " %s %s", count == 1 ? "is" : "are", what);
}

void view_words_add(const struct view_row *row, const char *field, struct text *text)
{
    struct text name = {0};

    view_row_name(row, field, &name);
    for (char *here = name.bytes; *here != '\0'; here++) {
        if (*here == '-')
            *here = ' ';
        if (strncmp(here, "svm", 3) == 0)
            memcpy(here, "SVM", 3);
    }
    text_append(text, name.bytes, name.length);
    text_free(&name);
}
