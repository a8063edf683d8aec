/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ask.h"

#include "cost.h"
#include "fuzz.h"
#include "small-memory.h"

#include "../unit/fake-target.h"

#include <string.h>

#define LAST_KIND ompd_cl_kind_message
#define CAPACITY 3
/* Rows of a list, and objects of all lists that are asked about further. */
#define MOST_ROWS 64
#define MOST_OBJECTS 16
#define LEAST_LWP 4711
#define MOST_LWP 4713
#define DEVICE UINT64_C(0xd000)

static struct {
    ompd_address_space_handle_t *space;
    unsigned parts;
    uint64_t sum;
    bool is_apart; /* answers depend on this target alone: on where words are in memory */
    unsigned objects;
} asked;

/* ---- Each answer ----------------------------------------------------------------------------- */

static void add(uint64_t number)
{
    if (!asked.is_apart)
        asked.sum = (asked.sum ^ number) * UINT64_C(0x100000001b3) + 1;
}

static void check_sentence(const char *sentence)
{
    size_t length = strlen(sentence);

    fuzz_require(length < 4096, "a sentence of %zu bytes", length);
    for (size_t i = 0; i < length; i++)
        fuzz_require((unsigned char)sentence[i] >= ' ' && sentence[i] != 0x7f,
                     "a sentence has control characters");
}

void ask_check(ompd_address_space_handle_t *space, ompd_rc_t rc)
{
    const char *message = NULL;

    cost_check();
    fuzz_require((rc >= ompd_rc_ok && rc <= ompd_rc_incompatible_handle) ||
                     rc == ompd_rc_interrupted,
                 "a call gave %d", (int)rc);
    if (ompd_cl_message_get(space, &message) != ompd_rc_ok)
        return;
    fuzz_require(message != NULL, "no message");
    fuzz_require((message[0] == '\0') == (rc == ompd_rc_ok), "%d has the message \"%s\"", (int)rc,
                 message);
    check_sentence(message);
}

/* The same for an answer that other targets also return; returns whether it is available. */
static bool take(ompd_rc_t rc)
{
    ask_check(asked.space, rc);
    add(rc);
    return rc == ompd_rc_ok || rc == ompd_rc_incomplete;
}

static bool has_value(uint16_t status)
{
    return status == ompd_cl_status_value || status == ompd_cl_status_presumed ||
           status == ompd_cl_status_at_least;
}

static void check_text(const char *name, const ompd_cl_text_t *text)
{
    fuzz_require(text->status <= ompd_cl_status_at_least, "%s: status %u", name, text->status);
    fuzz_require(text->source <= ompd_cl_source_stack, "%s: source %u", name, text->source);
    fuzz_require(memchr(text->text, '\0', sizeof(text->text)) != NULL, "%s does not end", name);
    fuzz_require(text->text[0] == '\0' || has_value(text->status), "%s: a text of status %u", name,
                 text->status);
    fuzz_require(text->length == strlen(text->text) || text->length >= OMPD_CL_TEXT_SIZE ||
                     text->status == ompd_cl_status_at_least || text->key != 0,
                 "%s: a text of another length", name);
    fuzz_require(has_value(text->status) || (text->key == 0 && text->length == 0),
                 "%s: a key of status %u", name, text->status);
    add(text->status);
    for (const char *c = text->text; *c != '\0'; c++)
        add((unsigned char)*c);
}

static void check_value(const char *name, const ompd_cl_value_t *value)
{
    fuzz_require(value->status <= ompd_cl_status_at_least, "%s: status %u", name, value->status);
    fuzz_require(value->source <= ompd_cl_source_stack, "%s: source %u", name, value->source);
    fuzz_require(value->value == 0 || has_value(value->status), "%s: %llu of status %u", name,
                 (unsigned long long)value->value, value->status);
    fuzz_require(value->lwp == 0 || value->status == ompd_cl_status_changing,
                 "%s: thread %u of status %u", name, value->lwp, value->status);
    add(value->status);
    add(value->value);
}

void ask_check_row(ompd_cl_kind_t kind, const void *row)
{
    const ompd_cl_field_t *field;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        const void *member = (const char *)row + field->offset;

        if (field->type == ompd_cl_type_text)
            check_text(field->name, member);
        else
            check_value(field->name, member);
    }
}

static void check_notes(void)
{
    const char *note = "";

    for (uint32_t i = 0; i < 64; i++) {
        if (ompd_cl_note_get(asked.space, i, &note) != ompd_rc_ok || note[0] == '\0')
            return;
        check_sentence(note);
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static const ompd_cl_kind_t listed_of_object[] = {
    ompd_cl_kind_destructor,       ompd_cl_kind_command,
    ompd_cl_kind_svm_pointer,      ompd_cl_kind_wait,
    ompd_cl_kind_activity,         ompd_cl_kind_argument,
    ompd_cl_kind_embree_geometry,  ompd_cl_kind_embree_buffer,
    ompd_cl_kind_buffered_command, ompd_cl_kind_access,
};

static void ask_list(ompd_cl_list_t list, ompd_cl_kind_t kind, bool goes_on);

static void ask_object(ompd_cl_kind_t kind, uint64_t id, ompd_size_t size)
{
    ompd_cl_list_t list = {0};
    char *info = malloc(size);
    bool is_apart = asked.is_apart;

    memset(info, 0xee, size);
    memcpy(info, &size, sizeof(size));
    if (take(ompd_cl_object_get(asked.space, kind, id, info)))
        ask_check_row(kind, info);
    free(info);
    for (size_t i = 0; i < sizeof(listed_of_object) / sizeof(listed_of_object[0]); i++) {
        /* An argument that is an object is as large as a word of the target. */
        asked.is_apart = is_apart || listed_of_object[i] == ompd_cl_kind_argument;
        if (take(ompd_cl_object_list_open(asked.space, listed_of_object[i], id, &list)))
            ask_list(list, listed_of_object[i], false);
    }
    asked.is_apart = true;
    if ((asked.parts & ask_holders) != 0 &&
        take(ompd_cl_object_list_open(asked.space, ompd_cl_kind_reference_site, id, &list)))
        ask_list(list, ompd_cl_kind_reference_site, false);
    asked.is_apart = false;
}

static bool has_ids(ompd_cl_kind_t kind)
{
    static const ompd_cl_kind_t kinds[] = {
        ompd_cl_kind_context,       ompd_cl_kind_queue,
        ompd_cl_kind_memobj,        ompd_cl_kind_svm,
        ompd_cl_kind_svm_free,      ompd_cl_kind_thread,
        ompd_cl_kind_event,         ompd_cl_kind_command,
        ompd_cl_kind_kernel,        ompd_cl_kind_program,
        ompd_cl_kind_sampler,       ompd_cl_kind_command_buffer,
        ompd_cl_kind_semaphore,     ompd_cl_kind_embree_device,
        ompd_cl_kind_embree_scene,  ompd_cl_kind_embree_geometry,
        ompd_cl_kind_embree_buffer,
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

/* Read TEXT to its end. */
static void ask_text(const ompd_cl_text_t *text)
{
    char piece[777];
    ompd_size_t count = sizeof(piece);

    for (uint64_t offset = 0; text->key != 0 && count == sizeof(piece); offset += count) {
        count = 0;
        if (!take(ompd_cl_text_read(asked.space, text->key, offset, sizeof(piece), piece, &count)))
            break;
        fuzz_require(offset + count <= text->length, "a text longer than it is");
        for (ompd_size_t i = 0; i < count; i++)
            add((unsigned char)piece[i]);
    }
}

/* Follow what a row names: its object, its handle, its call stack, its texts. */
static void follow(ompd_cl_kind_t kind, const char *row, ompd_size_t size)
{
    const ompd_cl_field_t *field;
    uint64_t id;

    if (asked.objects++ >= MOST_OBJECTS)
        return;
    memcpy(&id, row + sizeof(size), sizeof(id));
    /* Of other kinds it is any number: one in a few is an id by chance, in this session alone. */
    asked.is_apart = !has_ids(kind);
    ask_object(kind, id, size);
    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        const ompd_cl_value_t *value = (const void *)(row + field->offset);
        ompd_addr_t frames[4];
        uint64_t numbers[4];
        ompd_size_t count;

        if (field->type == ompd_cl_type_address && has_value(value->status))
            take(ompd_cl_numbers_read(asked.space, value->value, 2, 4, numbers, &count));
        if (field->type == ompd_cl_type_stack && has_value(value->status))
            take(ompd_cl_stack_get(asked.space, value->value, 4, frames, &count));
        if (field->type == ompd_cl_type_text)
            ask_text((const void *)value);
        if (field->type == ompd_cl_type_handle && i == 0)
            take(ompd_cl_object_find(asked.space, kind, value->value, &id));
    }
}

static void ask_list(ompd_cl_list_t list, ompd_cl_kind_t kind, bool goes_on)
{
    const char *name;
    ompd_size_t size = 0;
    ompd_size_t count;
    ompd_size_t unreadable;
    unsigned rows = 0;
    char *row;

    fuzz_require(ompd_cl_kind_get(kind, &name, &size) == ompd_rc_ok, "no kind %d", kind);
    row = malloc(CAPACITY * size);
    do {
        memset(row, 0xee, CAPACITY * size);
        memcpy(row, &size, sizeof(size));
        count = 0;
        if (!take(ompd_cl_list_next(asked.space, list, kind, CAPACITY, row, &count, &unreadable)))
            break;
        fuzz_require(count <= CAPACITY, "%zu rows of %s", (size_t)count, name);
        check_notes();
        for (ompd_size_t i = 0; i < count; i++)
            ask_check_row(kind, row + i * size);
        for (ompd_size_t i = 0; goes_on && i < count; i++)
            follow(kind, row + i * size, size);
        rows += count;
    } while (count != 0 && rows < MOST_ROWS);
    free(row);
    fuzz_require(ompd_cl_list_close(asked.space, list) == ompd_rc_ok, "a list is not closed");
}

static void ask_overview(void)
{
    ompd_cl_overview_info_t overview = {.struct_size = sizeof(overview)};
    ompd_cl_library_memory_info_t memory = {.struct_size = sizeof(memory)};

    if (take(ompd_cl_overview_get(asked.space, &overview)))
        ask_check_row(ompd_cl_kind_overview, &overview);
    check_notes();
    fuzz_require(ompd_cl_library_memory_get(asked.space, &memory) == ompd_rc_ok,
                 "no account of memory");
}

/* ---- OMPD ------------------------------------------------------------------------------------ */

static void ask_variable(void *handle, ompd_scope_t scope, ompd_icv_id_t id)
{
    const char *text = NULL;
    ompd_word_t value = 0;

    take(ompd_get_icv_from_scope(handle, scope, id, &value));
    add((uint64_t)value);
    if (take(ompd_get_icv_string_from_scope(handle, scope, id, &text))) {
        check_sentence(text);
        small_callbacks()->free_memory((void *)(uintptr_t)text);
    }
}

/* Those of SCOPE that HANDLE has. */
static void ask_variables(void *handle, ompd_scope_t scope)
{
    ompd_icv_id_t id = 0;
    int more = 1;

    while (more != 0) {
        const char *name = NULL;
        ompd_scope_t its = ompd_scope_global;

        if (!take(ompd_enumerate_icvs(asked.space, id, &id, &name, &its, &more)))
            return;
        small_callbacks()->free_memory((void *)(uintptr_t)name);
        if (its == scope)
            ask_variable(handle, scope, id);
    }
}

static void ask_thread(uint32_t lwp)
{
    ompd_thread_handle_t *thread = NULL;
    ompd_address_t address = {0, 0};
    ompd_wait_id_t wait = 0;
    ompd_word_t state = 0;
    ompd_word_t data = 0;
    uint64_t pthread = 0;

    if (!take(ompd_get_thread_handle(asked.space, OMPD_CL_THREAD_LWP, sizeof(lwp), &lwp, &thread)))
        return;
    take(ompd_get_state(thread, &state, &wait));
    add((uint64_t)state);
    /* Of 4 bytes in targets of 32 bits. */
    ask_check(asked.space, ompd_get_thread_id(thread, OMPD_CL_THREAD_PTHREAD,
                                              fake_current->pointer_size, &pthread));
    take(ompd_get_tool_data((void *)thread, ompd_scope_thread, &data, &address));
    ask_variables((void *)thread, ompd_scope_thread);
    take(ompd_rel_thread_handle(thread));
}

static void ask_device(void)
{
    ompd_address_space_handle_t *device = NULL;
    uint64_t id = DEVICE;

    if (!take(ompd_device_initialize(asked.space, NULL, OMPD_CL_DEVICE_KIND, sizeof(id), &id,
                                     &device)))
        return;
    ask_variables((void *)device, ompd_scope_address_space);
    ompd_rel_address_space_handle(device);
}

/* The parts that the list of KIND belongs to. */
static unsigned parts_of(ompd_cl_kind_t kind)
{
    switch (kind) {
    case ompd_cl_kind_thread:
        return ask_objects | ask_threads;
    case ompd_cl_kind_wait_step:
        return ask_searches | ask_threads;
    case ompd_cl_kind_finding:
    case ompd_cl_kind_leak:
        return ask_searches;
    default:
        return ask_objects;
    }
}

static void ask_lists(void)
{
    ompd_cl_list_t list = {0};

    for (int i = 1; i <= LAST_KIND; i++) {
        ompd_cl_kind_t kind = (ompd_cl_kind_t)i;
        bool searches = (parts_of(kind) & ask_searches) != 0;

        asked.is_apart = kind == ompd_cl_kind_leak;
        if ((asked.parts & parts_of(kind)) != 0 &&
            take(ompd_cl_list_open(asked.space, kind, NULL, &list)))
            ask_list(list, kind, !searches);
        asked.is_apart = false;
    }
}

static void ask_by_ompd(void)
{
    for (uint32_t lwp = LEAST_LWP; lwp <= MOST_LWP; lwp++)
        ask_thread(lwp);
    ask_variables((void *)asked.space, ompd_scope_address_space);
    ask_device();
}

uint64_t ask_everything(ompd_address_space_handle_t *space, unsigned parts)
{
    asked.space = space;
    asked.parts = (parts & ask_all) == 0 ? ask_all : parts & ask_all;
    asked.sum = 0;
    asked.is_apart = false;
    asked.objects = 0;
    ask_overview();
    ask_lists();
    if ((asked.parts & ask_ompd) != 0)
        ask_by_ompd();
    return asked.sum;
}
