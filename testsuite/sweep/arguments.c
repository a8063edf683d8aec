/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "arguments.h"

/* What an enumeration of ICVs begins with (OpenMP 6.0 section 41.11). */
#define ICV_UNDEFINED 0

/* The SVM-free command of the facts: commands have no cl handle for a search. */
static uint64_t find_svm_free(const struct sweep_session *session, const struct sweep_facts *facts)
{
    ompd_cl_svm_free_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_list_t list;
    ompd_size_t count = 1;
    uint64_t id = 0;

    if (ompd_cl_svm_free_list_open(session->space, NULL, &list) != ompd_rc_ok)
        return 0;
    while (id == 0 && count != 0 &&
           ompd_cl_svm_free_list_next(session->space, list, 1, &row, &count, NULL) == ompd_rc_ok) {
        if (count != 0 && row.head.order.value == facts->handles[ompd_cl_kind_svm_free])
            id = row.head.id;
    }
    ompd_cl_list_close(session->space, list);
    return id;
}

/* The key of the first program's options, where they are long. */
static uint64_t find_text_key(const struct sweep_session *session)
{
    ompd_cl_program_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    if (ompd_cl_program_list_open(session->space, NULL, &list) != ompd_rc_ok)
        return 0;
    ompd_cl_program_list_next(session->space, list, 1, &row, &count, NULL);
    ompd_cl_list_close(session->space, list);
    return count != 0 ? row.options.key : 0;
}

uint64_t sweep_id_find(const struct sweep_session *session, const struct sweep_facts *facts,
                       uint32_t kind)
{
    const uint64_t handle = facts->handles[kind];
    ompd_address_space_handle_t *space = session->space;
    union {
        ompd_cl_context_id_t context;
        ompd_cl_queue_id_t queue;
        ompd_cl_memobj_id_t memobj;
        ompd_cl_svm_id_t svm;
        ompd_cl_thread_id_t thread;
        uint64_t id;
    } found = {.id = 0};

    switch (kind) {
    case ompd_cl_kind_context:
        ompd_cl_context_find(space, handle, &found.context);
        break;
    case ompd_cl_kind_queue:
        ompd_cl_queue_find(space, handle, &found.queue);
        break;
    case ompd_cl_kind_memobj:
        ompd_cl_memobj_find(space, handle, &found.memobj);
        break;
    case ompd_cl_kind_svm:
        ompd_cl_svm_find(space, handle, &found.svm);
        break;
    case ompd_cl_kind_thread:
        ompd_cl_thread_find(space, handle, &found.thread);
        break;
    case ompd_cl_kind_svm_free:
        return find_svm_free(session, facts);
    default:
        break;
    }
    return found.id;
}

ompd_thread_handle_t *sweep_thread_make(const struct sweep_session *session,
                                        const struct sweep_facts *facts)
{
    ompd_thread_handle_t *thread = NULL;

    ompd_get_thread_handle(session->space, OMPD_CL_THREAD_LWP, sizeof(facts->lwp), &facts->lwp,
                           &thread);
    return thread;
}

ompd_address_space_handle_t *sweep_device_make(const struct sweep_session *session,
                                               const struct sweep_facts *facts)
{
    uint64_t device_id = facts->device;
    ompd_address_space_handle_t *device = NULL;

    ompd_device_initialize(session->space, session->target->context, OMPD_CL_DEVICE_KIND,
                           sizeof(device_id), &device_id, &device);
    return device;
}

ompd_cl_list_t sweep_list_make(const struct sweep_session *session, const struct sweep_facts *facts,
                               uint32_t kind)
{
    ompd_address_space_handle_t *space = session->space;
    const ompd_cl_thread_id_t thread = {
        kind == ompd_cl_kind_activity ? sweep_id_find(session, facts, ompd_cl_kind_thread) : 0};
    const ompd_cl_svm_free_id_t command = {
        kind == ompd_cl_kind_svm_pointer || kind == ompd_cl_kind_wait
            ? sweep_id_find(session, facts, ompd_cl_kind_svm_free)
            : 0};
    const ompd_cl_memobj_id_t memobj = {kind == ompd_cl_kind_reference_site
                                            ? sweep_id_find(session, facts, ompd_cl_kind_memobj)
                                            : 0};
    ompd_cl_list_t list = {0};

    switch (kind) {
    case ompd_cl_kind_platform:
        ompd_cl_platform_list_open(space, &list);
        break;
    case ompd_cl_kind_context:
        ompd_cl_context_list_open(space, NULL, &list);
        break;
    case ompd_cl_kind_queue:
        ompd_cl_queue_list_open(space, NULL, &list);
        break;
    case ompd_cl_kind_memobj:
        ompd_cl_memobj_list_open(space, NULL, &list);
        break;
    case ompd_cl_kind_destructor:
        ompd_cl_destructor_list_open(space, NULL, &list);
        break;
    case ompd_cl_kind_svm:
        ompd_cl_svm_list_open(space, NULL, &list);
        break;
    case ompd_cl_kind_svm_free:
        ompd_cl_svm_free_list_open(space, NULL, &list);
        break;
    case ompd_cl_kind_svm_pointer:
        ompd_cl_svm_pointer_list_open(space, command, &list);
        break;
    case ompd_cl_kind_wait:
        ompd_cl_wait_list_open(space, command, &list);
        break;
    case ompd_cl_kind_thread:
        ompd_cl_thread_list_open(space, NULL, &list);
        break;
    case ompd_cl_kind_activity:
        ompd_cl_activity_list_open(space, thread, &list);
        break;
    case ompd_cl_kind_reference_site:
        ompd_cl_memobj_reference_site_list_open(space, memobj, &list);
        break;
    case ompd_cl_kind_leak:
        ompd_cl_leak_list_open(space, NULL, &list);
        break;
    case ompd_cl_kind_usage:
        ompd_cl_usage_list_open(space, &list);
        break;
    case ompd_cl_kind_finding:
        ompd_cl_finding_list_open(space, &list);
        break;
    case ompd_cl_kind_wait_step:
        ompd_cl_wait_step_list_open(space, &list);
        break;
    case ompd_cl_kind_error:
        ompd_cl_error_list_open(space, &list);
        break;
    case ompd_cl_kind_ledger:
        ompd_cl_ledger_list_open(space, NULL, &list);
        break;
    case ompd_cl_kind_message:
        ompd_cl_message_list_open(space, NULL, &list);
        break;
    case ompd_cl_kind_call:
        ompd_cl_call_list_open(space, &list);
        break;
    case ompd_cl_kind_callback:
        ompd_cl_callback_list_open(space, NULL, &list);
        break;
    case ompd_cl_kind_destroyed:
        ompd_cl_destroyed_list_open(space, NULL, &list);
        break;
    case ompd_cl_kind_runtime:
        ompd_cl_runtime_list_open(space, &list);
        break;
    default:
        break;
    }
    return list;
}

/* After one variant for each ICV follows one for a device's address space. */
static bool is_of_device(const struct sweep_request *request)
{
    return sweep_argument_find(request->signature, sweep_icv) < request->signature->count &&
           request->variant >= request->facts->icv_count;
}

static ompd_scope_t scope_of(const struct sweep_request *request)
{
    if (sweep_argument_find(request->signature, sweep_icv) == request->signature->count)
        return ompd_scope_thread;
    if (is_of_device(request))
        return ompd_scope_address_space;
    return request->facts->icvs[request->variant].scope;
}

static uint64_t icv_of(const struct sweep_request *request)
{
    /* An enumeration continues from the previous ICV. */
    if (sweep_argument_find(request->signature, sweep_scope) == request->signature->count)
        return request->variant == 0 ? ICV_UNDEFINED
                                     : request->facts->icvs[request->variant - 1].id;
    return is_of_device(request) ? request->facts->device_icv
                                 : request->facts->icvs[request->variant].id;
}

static uint64_t get_handle(struct sweep_request *request, unsigned i)
{
    enum sweep_kind kind = request->signature->arguments[i].kind;

    if (kind == sweep_space || kind == sweep_space_or_null)
        return (uintptr_t)request->session->space;
    if (kind == sweep_scoped && is_of_device(request)) {
        request->device = sweep_device_make(request->session, request->facts);
        return (uintptr_t)request->device;
    }
    if (kind == sweep_scoped && scope_of(request) == ompd_scope_address_space)
        return (uintptr_t)request->session->space;
    /* There are no handles of parallel regions and tasks: a thread's handle stands in. */
    request->threads[i] = sweep_thread_make(request->session, request->facts);
    return (uintptr_t)request->threads[i];
}

bool sweep_argument_get(struct sweep_request *request, unsigned i)
{
    const struct sweep_argument *argument = &request->signature->arguments[i];
    const struct sweep_facts *facts = request->facts;
    uint64_t *word = &request->words[i];

    if (sweep_is_handle(argument->kind)) {
        *word = get_handle(request, i);
        return *word != 0;
    }
    switch (argument->kind) {
    case sweep_context_id:
    case sweep_queue_id:
    case sweep_memobj_id:
    case sweep_svm_id:
    case sweep_svm_free_id:
    case sweep_thread_id:
        *word = sweep_id_find(request->session, facts, argument->rows);
        return *word != 0;
    case sweep_list:
        request->list = sweep_list_make(request->session, facts, argument->rows);
        *word = request->list.id;
        return *word != 0;
    case sweep_cl_handle:
        *word = facts->handles[argument->rows];
        return *word != 0;
    case sweep_lwp:
        *word = facts->lwp;
        return *word != 0;
    case sweep_stack:
        *word = facts->stack;
        return *word != 0;
    case sweep_text_key:
        *word = find_text_key(request->session);
        return *word != 0;
    case sweep_text_offset:
        *word = 1;
        break;
    case sweep_address:
        *word = facts->address;
        return *word != 0;
    case sweep_number_size:
        *word = sizeof(uint64_t);
        break;
    case sweep_capacity:
        *word = SWEEP_CAPACITY;
        break;
    case sweep_row_kind:
        *word = argument->rows;
        break;
    case sweep_scope:
        *word = scope_of(request);
        break;
    case sweep_icv:
        *word = icv_of(request);
        return facts->icv_count != 0;
    case sweep_device_kind:
        *word = OMPD_CL_DEVICE_KIND;
        break;
    case sweep_native_kind:
        *word = request->variant == 0 ? OMPD_CL_THREAD_LWP : OMPD_CL_THREAD_PTHREAD;
        break;
    case sweep_native_size:
        *word = request->variant == 0 ? sizeof(facts->lwp) : facts->pthread_size;
        break;
    case sweep_state:
        *word = OMPD_CL_STATE_UNDEFINED;
        break;
    case sweep_api_version:
        *word = 201811;
        break;
    case sweep_limit:
        *word = UINT64_C(1) << 40;
        break;
    case sweep_layout_size:
        *word = SWEEP_LAYOUT_SIZE;
        break;
    case sweep_sources:
        *word = 1 << (request->session->target->layout != NULL ? ompd_cl_source_layout
                                                               : ompd_cl_source_recorder);
        break;
    case sweep_log_level:
        *word = ompd_cl_log_level_read;
        break;
    case sweep_tool_context:
        *word = (uintptr_t)request->session->target->context;
        break;
    case sweep_monitor:
        *word = (uintptr_t)sweep_session_monitor;
        break;
    case sweep_user_ptr:
        *word = (uintptr_t)request->session;
        break;
    default: /* the first field, thread 0 */
        *word = 0;
        break;
    }
    return true;
}
