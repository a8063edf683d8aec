/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The objects in a target, found by its field table: of each kind the one with most related
 * objects. */
#include "arguments.h"
#include "caller.h"
#include "session.h"

#include <ompd-opencl-registry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The chosen object of a kind, and the recorded facts about it. */
struct choice {
    ompd_cl_kind_t kind;
    const char *handle; /* the field by which it is found again */
    const char *most;   /* the field with the largest value, */
    const char *then;   /* and the field with the largest value among ties; or NULL */
    const char *other;  /* one more field to note, or NULL, */
    size_t other_offset;
};

static const struct choice choices[] = {
    {ompd_cl_kind_context, "handle", "destructor_count", NULL, NULL, 0},
    {ompd_cl_kind_queue, "handle", "svm_frees", NULL, "device",
     offsetof(struct sweep_facts, device)},
    {ompd_cl_kind_memobj, "handle", "destructor_count", NULL, "stack",
     offsetof(struct sweep_facts, stack)},
    {ompd_cl_kind_svm, "pointer", "size", NULL, NULL, 0},
    {ompd_cl_kind_svm_free, "order", "pointer_count", NULL, NULL, 0},
    /* Callbacks run within calls, and their states come last. */
    {ompd_cl_kind_thread, "lwp", "depth", "state", "pthread",
     offsetof(struct sweep_facts, pthread)},
};

/* The value of the field NAME of a ROW of KIND; 0 when it is not known. */
static uint64_t value_of(ompd_cl_kind_t kind, const char *name, const uint8_t *row)
{
    const ompd_cl_field_t *field;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        if (strcmp(field->name, name) == 0) {
            ompd_cl_value_t value;
            memcpy(&value, row + field->offset, sizeof(value));
            return value.status == ompd_cl_status_value ? value.value : 0;
        }
    }
    fprintf(stderr, "no kind %d has a field %s\n", (int)kind, name);
    exit(EXIT_FAILURE);
}

/* More than any value of a field by which ties are broken. */
#define TIES 256

/* How much there is to ask about ROW; never 0. */
static uint64_t weight_of(const struct choice *choice, const uint8_t *row)
{
    uint64_t weight = value_of(choice->kind, choice->most, row) * TIES + 1;

    return choice->then != NULL ? weight + value_of(choice->kind, choice->then, row) : weight;
}

static ompd_rc_t call(const char *prefix, const char *kind, const char *suffix,
                      const uint64_t *words)
{
    char name[64];

    snprintf(name, sizeof(name), "%s%s%s", prefix, kind, suffix);
    return sweep_call(sweep_signature_find(name), words);
}

static void choose(const struct sweep_session *session, const struct choice *choice,
                   struct sweep_facts *facts)
{
    const uint64_t space = (uintptr_t)session->space;
    ompd_cl_list_t list;
    const char *kind;
    ompd_size_t size;
    ompd_size_t count = 1;
    uint64_t most = 0;
    uint8_t *row;

    if (ompd_cl_kind_get(choice->kind, &kind, &size) != ompd_rc_ok ||
        call("ompd_cl_", kind, "_list_open", (uint64_t[]){space, 0, (uintptr_t)&list}) !=
            ompd_rc_ok)
        return;
    row = calloc(1, (size_t)size);
    while (count != 0) {
        uint64_t words[] = {space, list.id, 1, (uintptr_t)row, (uintptr_t)&count, 0};

        memcpy(row, &size, sizeof(size));
        if (call("ompd_cl_", kind, "_list_next", words) != ompd_rc_ok)
            break;
        if (count != 0 && weight_of(choice, row) > most) {
            most = weight_of(choice, row);
            facts->handles[choice->kind] = value_of(choice->kind, choice->handle, row);
            if (choice->other != NULL) {
                uint64_t other = value_of(choice->kind, choice->other, row);
                memcpy((char *)facts + choice->other_offset, &other, sizeof(other));
            }
        }
    }
    free(row);
    ompd_cl_list_close(session->space, list);
}

/* Continue from the ICV *ID of SPACE to the next; returns whether there was one. */
static bool find_icv(struct sweep_session *session, ompd_address_space_handle_t *space,
                     ompd_icv_id_t *id, ompd_scope_t *scope)
{
    const char *name;
    int more;

    if (ompd_enumerate_icvs(space, *id, id, &name, scope, &more) != ompd_rc_ok)
        return false;
    sweep_heap_free(&session->heap, (void *)(uintptr_t)name);
    return true;
}

static void find_icvs(struct sweep_session *session, struct sweep_facts *facts)
{
    ompd_address_space_handle_t *device = sweep_device_make(session, facts);
    ompd_icv_id_t id = 0;
    ompd_scope_t scope;

    while (facts->icv_count < SWEEP_ICV_LIMIT && find_icv(session, session->space, &id, &scope)) {
        facts->icvs[facts->icv_count].id = id;
        facts->icvs[facts->icv_count++].scope = scope;
    }
    if (device != NULL) {
        find_icv(session, device, &facts->device_icv, &scope);
        ompd_rel_address_space_handle(device);
    }
}

/* Find memory that can be read; 0: that of no recorder. */
static uint64_t find_address(const struct sweep_target *target)
{
    ompd_address_t found = {ompd_segment_none, 0};

    if (target->callbacks.symbol_addr_lookup(target->context, NULL, OMPD_CL_REGISTRY_SYMBOL, &found,
                                             NULL) != ompd_rc_ok)
        return 0;
    return found.address;
}

bool sweep_facts_find(const struct sweep_target *target, struct sweep_facts *facts)
{
    ompd_device_type_sizes_t sizes;
    struct sweep_session session;
    ompd_rc_t rc;

    memset(facts, 0, sizeof(*facts));
    sweep_session_begin(&session, target);
    rc = sweep_session_open(&session);
    if (rc == ompd_rc_ok) {
        for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
            choose(&session, &choices[i], facts);
        facts->lwp = facts->handles[ompd_cl_kind_thread];
        facts->address = find_address(target);
        find_icvs(&session, facts);
        if (target->callbacks.sizeof_type(target->context, &sizes) == ompd_rc_ok)
            facts->pthread_size = sizes.sizeof_pointer;
    }
    if (sweep_session_end(&session) != 0 || facts->handles[ompd_cl_kind_memobj] == 0) {
        fprintf(stderr, "%s: nothing to ask about (code %d)\n", target->name, (int)rc);
        return false;
    }
    return true;
}
