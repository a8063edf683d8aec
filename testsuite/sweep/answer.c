/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The answer of a call without differences between sessions. */
#include "request.h"

#include <stdlib.h>
#include <string.h>

/* Info structs of objects have an id between struct_size and their first field. */
#define ID_OFFSET sizeof(ompd_size_t)

static void keep(struct sweep_answer *answer, unsigned i, const void *bytes, size_t size)
{
    answer->bytes[i] = realloc(answer->bytes[i], answer->sizes[i] + size + 1);
    if (answer->bytes[i] == NULL)
        abort();
    memcpy(answer->bytes[i] + answer->sizes[i], bytes, size);
    answer->sizes[i] += size;
}

/* Stands for a value whose contents are ignored. */
static void keep_presence(struct sweep_answer *answer, unsigned i, bool is_there)
{
    const uint8_t byte = is_there;

    keep(answer, i, &byte, sizeof(byte));
}

static void keep_text(struct sweep_answer *answer, unsigned i, const char *text)
{
    keep_presence(answer, i, text != NULL);
    if (text != NULL)
        keep(answer, i, text, strlen(text) + 1);
}

/* ROW is a copy. */
static void keep_row(struct sweep_answer *answer, unsigned i, uint32_t kind, uint8_t *row,
                     size_t size)
{
    const ompd_cl_field_t *field;

    if (ompd_cl_field_get(kind, 0, &field) == ompd_rc_ok && field->offset > ID_OFFSET) {
        uint64_t id;

        memcpy(&id, row + ID_OFFSET, sizeof(id));
        id = id != 0;
        memcpy(row + ID_OFFSET, &id, sizeof(id));
    }
    /* The library's own account depends on all earlier calls: its status remains. */
    for (uint32_t n = 0;
         kind == ompd_cl_kind_library_memory && ompd_cl_field_get(kind, n, &field) == ompd_rc_ok;
         n++)
        memset(row + field->offset, 0, sizeof(((ompd_cl_value_t *)0)->value));
    keep(answer, i, row, size);
}

/* The number that argument I points to, of SIZE bytes. */
static uint64_t number_at(const struct sweep_request *request, unsigned i, size_t size)
{
    uint64_t number = 0;

    memcpy(&number, sweep_request_memory(request, i), size);
    return number;
}

static void keep_rows(struct sweep_answer *answer, unsigned i, const struct sweep_request *request)
{
    const struct sweep_argument *argument = &request->signature->arguments[i];
    const uint8_t *rows = sweep_request_memory(request, i);
    /* The count is the argument after. */
    uint64_t count =
        argument->kind == sweep_out_info ? 1 : number_at(request, i + 1, sizeof(ompd_size_t));

    for (uint64_t n = 0; n < count && n < SWEEP_CAPACITY; n++) {
        uint8_t *row = malloc(argument->size);

        if (row == NULL)
            abort();
        memcpy(row, rows + n * argument->size, argument->size);
        keep_row(answer, i, argument->rows, row, argument->size);
        free(row);
    }
}

/* One number after another, up to the count in the last argument. */
static void keep_array(struct sweep_answer *answer, unsigned i, const struct sweep_request *request)
{
    uint64_t count = number_at(request, request->signature->count - 1, sizeof(int));
    const void *array = (const void *)(uintptr_t)number_at(request, i, sizeof(void *));

    keep_presence(answer, i, array != NULL);
    if (array != NULL && count <= SWEEP_CAPACITY)
        keep(answer, i, array, (size_t)count * sizeof(uint64_t));
}

static void keep_variables(struct sweep_answer *answer, unsigned i,
                           const struct sweep_request *request)
{
    const char *const *variables =
        (const char *const *)(uintptr_t)number_at(request, i, sizeof(void *));

    for (; variables != NULL && *variables != NULL; variables++)
        keep_text(answer, i, *variables);
}

static void keep_argument(struct sweep_answer *answer, unsigned i,
                          const struct sweep_request *request)
{
    const struct sweep_argument *argument = &request->signature->arguments[i];
    const uint64_t word = argument->size == 8 ? number_at(request, i, 8) : 0;

    switch (argument->kind) {
    case sweep_out_id:
    case sweep_out_list:
    case sweep_out_space:
    case sweep_out_device:
    case sweep_out_thread:
        keep_presence(answer, i, word != 0);
        break;
    case sweep_out_own_space:
        keep_presence(answer, i, word == (uintptr_t)request->session->space);
        break;
    case sweep_out_text:
    case sweep_out_own_text:
        keep_text(answer, i, (const char *)(uintptr_t)word);
        break;
    case sweep_out_own_array:
        keep_array(answer, i, request);
        break;
    case sweep_out_variables:
        keep_variables(answer, i, request);
        break;
    case sweep_out_info:
    case sweep_out_rows:
        keep_rows(answer, i, request);
        break;
    default:
        keep(answer, i, request->memory[i].bytes, request->memory[i].size);
        break;
    }
}

void sweep_answer_take(struct sweep_answer *answer, const struct sweep_request *request)
{
    bool is_set = request->rc == ompd_rc_ok || request->rc == ompd_rc_incomplete;

    memset(answer, 0, sizeof(*answer));
    answer->rc = request->rc;
    for (unsigned i = 0; is_set && i < request->signature->count; i++) {
        if (sweep_is_out(request->signature->arguments[i].kind) && request->words[i] != 0)
            keep_argument(answer, i, request);
    }
    if (!is_set)
        keep_presence(answer, 0, sweep_request_is_untouched(request));
}

bool sweep_answer_get(struct sweep_answer *answer, struct sweep_session *session,
                      const struct sweep_facts *facts, const struct sweep_signature *signature,
                      unsigned variant)
{
    struct sweep_request request;
    bool is_ready = sweep_request_begin(&request, session, facts, signature, variant);

    memset(answer, 0, sizeof(*answer));
    if (is_ready) {
        sweep_request_send(&request);
        sweep_answer_take(answer, &request);
        sweep_request_undo(&request);
    }
    sweep_request_end(&request);
    return is_ready;
}

bool sweep_answer_get_apart(struct sweep_answer *answer, const struct sweep_target *target,
                            const struct sweep_facts *facts,
                            const struct sweep_signature *signature, unsigned variant)
{
    struct sweep_session session;
    bool is_answered;

    memset(answer, 0, sizeof(*answer));
    sweep_session_begin(&session, target);
    is_answered = sweep_session_open(&session) == ompd_rc_ok &&
                  sweep_answer_get(answer, &session, facts, signature, variant);
    if (sweep_session_end(&session) == 0 && is_answered)
        return true;
    sweep_answer_free(answer);
    return false;
}

bool sweep_answer_equals(const struct sweep_answer *a, const struct sweep_answer *b)
{
    if (a->rc != b->rc || memcmp(a->sizes, b->sizes, sizeof(a->sizes)) != 0)
        return false;
    for (unsigned i = 0; i < SWEEP_ARGUMENT_LIMIT; i++) {
        if (a->sizes[i] != 0 && memcmp(a->bytes[i], b->bytes[i], a->sizes[i]) != 0)
            return false;
    }
    return true;
}

void sweep_answer_free(struct sweep_answer *answer)
{
    for (unsigned i = 0; i < SWEEP_ARGUMENT_LIMIT; i++)
        free(answer->bytes[i]);
    memset(answer, 0, sizeof(*answer));
}
