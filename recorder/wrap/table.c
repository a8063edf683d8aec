/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The wrappers that differ only in names and parameters, which schema/calls.def has. */
#include "core/parameters.h"
#include "wrap/wrap.h"

#define WRAP_BY_HAND(...)

#define WRAP_PASS(target, function, handle, ...)                                                   \
    cl_int CL_API_CALL RECORDER_WRAPPER(function)(PARAMETERS(__VA_ARGS__))                         \
    {                                                                                              \
        RECORDER_CALL(function, handle);                                                           \
        RECORDER_USE(handle);                                                                      \
        cl_int status = target(ARGUMENT_NAMES(__VA_ARGS__));                                       \
        RECORDER_USED(status == CL_SUCCESS);                                                       \
        RECORDER_EXPLAIN(function, status, ARGUMENT_NAMES(__VA_ARGS__));                           \
        return RECORDER_STATUS(status);                                                            \
    }

/* NOTE what a successful call has returned. */
#define QUERY_AND(note, target, function, handle, ...)                                             \
    cl_int CL_API_CALL RECORDER_WRAPPER(function)(PARAMETERS(__VA_ARGS__))                         \
    {                                                                                              \
        RECORDER_CALL(function, handle);                                                           \
        RECORDER_USE(handle);                                                                      \
        cl_int status = target(ARGUMENT_NAMES(__VA_ARGS__));                                       \
        if (RECORDER_LIKELY(status == CL_SUCCESS)) {                                               \
            recorder_handle_returned(name, size, value);                                           \
            note;                                                                                  \
        }                                                                                          \
        RECORDER_USED(status == CL_SUCCESS);                                                       \
        RECORDER_EXPLAIN(function, status, ARGUMENT_NAMES(__VA_ARGS__));                           \
        return RECORDER_STATUS(status);                                                            \
    }

#define WRAP_QUERY(target, function, handle, ...) QUERY_AND(, target, function, handle, __VA_ARGS__)

#define WRAP_QUERY_OF(target, function, table, handle, ...)                                        \
    QUERY_AND(, RECORDER_EXTENSION(function, ompd_cl_registry_##table, handle), function, handle,  \
              __VA_ARGS__)

#define WRAP_QUERY_MEMOBJ(target, function, ...)                                                   \
    QUERY_AND(                                                                                     \
        if (RECORDER_UNLIKELY(name == RECORDER_MEM_DEVICE_ADDRESS)) {                              \
            recorder_device_addresses_returned(                                                    \
                memobj, size_ret &&*size_ret < size ? *size_ret : size, value);                    \
        },                                                                                         \
        target, function, memobj, __VA_ARGS__)

#define WRAP_PASS_OF(target, function, table, handle, ...)                                         \
    WRAP_PASS(RECORDER_EXTENSION(function, ompd_cl_registry_##table, handle), function, handle,    \
              __VA_ARGS__)

/* ---- References ------------------------------------------------------------------------------ */

#define WRAP_RETAIN(target, function, kind, parameter)                                             \
    cl_int CL_API_CALL RECORDER_WRAPPER(function)(PARAMETER parameter)                             \
    {                                                                                              \
        RECORDER_CALL(function, handle);                                                           \
        RECORDER_USE(handle);                                                                      \
        cl_int status = target(handle);                                                            \
        if (RECORDER_LIKELY(status == CL_SUCCESS)) {                                               \
            recorder_object_retained(ompd_cl_registry_##kind, handle, RECORDER_RETURN_ADDRESS);    \
        }                                                                                          \
        RECORDER_USED(status == CL_SUCCESS);                                                       \
        RECORDER_EXPLAIN(function, status, handle);                                                \
        return RECORDER_STATUS(status);                                                            \
    }

/* The runtime's reference counts, for objects that may linger after their release. */
#define COUNT_OF_context recorder_context_runtime_count
#define COUNT_OF_memobj recorder_memobj_runtime_count
#define COUNT_OF_program NULL
#define COUNT_OF_kernel NULL
#define COUNT_OF_sampler NULL
#define COUNT_OF_event NULL
/* The recorder's own count, for objects that commands keep alive. */
#define COUNT_OF_command_buffer recorder_command_buffer_holders
#define COUNT_OF_semaphore recorder_semaphore_holders

/* What is asked before the last release of an object. */
#define ASK_ABOUT_context(handle)
#define ASK_ABOUT_memobj(handle)
#define ASK_ABOUT_program(handle)
#define ASK_ABOUT_kernel(handle)
#define ASK_ABOUT_sampler(handle)
#define ASK_ABOUT_command_buffer(handle)
#define ASK_ABOUT_semaphore(handle)
#define ASK_ABOUT_event(handle)                                                                    \
    if (RECORDER_UNLIKELY(recorder_is_thorough())) {                                               \
        recorder_event_ask(handle);                                                                \
    }

#define WRAP_RELEASE(target, function, kind, parameter)                                            \
    cl_int CL_API_CALL RECORDER_WRAPPER(function)(PARAMETER parameter)                             \
    {                                                                                              \
        RECORDER_CALL(function, handle);                                                           \
        struct recorder_release release;                                                           \
        ASK_ABOUT_##kind(handle) recorder_release_begin(&release, ompd_cl_registry_##kind, handle, \
                                                        COUNT_OF_##kind, RECORDER_RETURN_ADDRESS); \
        cl_int status = target(handle);                                                            \
        recorder_release_end(&release, status == CL_SUCCESS);                                      \
        RECORDER_EXPLAIN(function, status, handle);                                                \
        return RECORDER_STATUS(status);                                                            \
    }

#define EXTENSION_OF_KIND(function, kind)                                                          \
    RECORDER_EXTENSION(function, ompd_cl_registry_##kind, handle)
#define WRAP_RETAIN_OF(target, function, kind, parameter)                                          \
    WRAP_RETAIN(EXTENSION_OF_KIND(function, kind), function, kind, parameter)
#define WRAP_RELEASE_OF(target, function, kind, parameter)                                         \
    WRAP_RELEASE(EXTENSION_OF_KIND(function, kind), function, kind, parameter)

#define WRAP_DESTRUCTOR(target, function, kind, type)                                              \
    static void CL_CALLBACK run_##function(type handle, void *user_data)                           \
    {                                                                                              \
        recorder_callback_run(handle, user_data);                                                  \
    }                                                                                              \
    cl_int CL_API_CALL RECORDER_WRAPPER(function)(                                                 \
        type handle, void(CL_CALLBACK * callback)(type, void *), void *user_data)                  \
    {                                                                                              \
        RECORDER_CALL(function, handle);                                                           \
        RECORDER_USE(handle);                                                                      \
        struct recorder_registration its;                                                          \
        if (!recorder_callback_register(&its, ompd_cl_registry_##kind, handle,                     \
                                        (const void *)callback, user_data,                         \
                                        RECORDER_RETURN_ADDRESS)) {                                \
            cl_int refusal = target(handle, callback, user_data);                                  \
            RECORDER_EXPLAIN(function, refusal, handle, (const void *)callback, user_data);        \
            RECORDER_USED(refusal == CL_SUCCESS);                                                  \
            return RECORDER_STATUS(refusal);                                                       \
        }                                                                                          \
        cl_int status = target(handle, run_##function, its.slot_ref);                              \
        if (RECORDER_UNLIKELY(status != CL_SUCCESS)) {                                             \
            recorder_callback_withdraw(its.object, its.slot.index);                                \
        } else {                                                                                   \
            recorder_callback_registered(&its, RECORDER_RETURN_ADDRESS);                           \
        }                                                                                          \
        RECORDER_EXPLAIN(function, status, handle, (const void *)callback, user_data);             \
        return RECORDER_STATUS(status);                                                            \
    }

/* ---- Creating objects ------------------------------------------------------------------------ */

/* For HANDLE; RECORD what was made. */
#define MAKE_FOR(handle, its_type, target, function, record, ...)                                  \
    its_type CL_API_CALL RECORDER_WRAPPER(function)(PARAMETERS(__VA_ARGS__), cl_int * errcode_ret) \
    {                                                                                              \
        RECORDER_CALL(function, handle);                                                           \
        RECORDER_ASK_ERROR(errcode_ret);                                                           \
        RECORDER_USE(handle);                                                                      \
        its_type made = target(ARGUMENT_NAMES(__VA_ARGS__), errcode_ret);                          \
        record;                                                                                    \
        RECORDER_USED(made);                                                                       \
        RECORDER_EXPLAIN_NULL(made, function, *errcode_ret, ARGUMENT_NAMES(__VA_ARGS__));          \
        return RECORDER_MADE(made, errcode_ret);                                                   \
    }
#define MAKE(its_type, target, function, record, ...)                                              \
    MAKE_FOR(context, its_type, target, function, record, __VA_ARGS__)

#define WRAP_OTHER(target, function, its_type, ...) MAKE(its_type, target, function, , __VA_ARGS__)
#define WRAP_OTHER_OF(target, function, its_type, table, handle, ...)                              \
    MAKE_FOR(handle, its_type, RECORDER_EXTENSION(function, ompd_cl_registry_##table, handle),     \
             function, , __VA_ARGS__)

#define WRAP_BUFFER(target, function, ...)                                                         \
    MAKE(cl_mem, target, function,                                                                 \
         recorder_buffer_created(made, context, flags, size, host_ptr, RECORDER_RETURN_ADDRESS),   \
         __VA_ARGS__)

#define WRAP_BUFFER_OF(target, function, ...)                                                      \
    MAKE(cl_mem, target, function,                                                                 \
         recorder_buffer_of_created(                                                               \
             &(struct recorder_memobj){.handle = made,                                             \
                                       .context = context,                                         \
                                       .type = CL_MEM_OBJECT_BUFFER,                               \
                                       .flags = flags,                                             \
                                       .size = size,                                               \
                                       .host_pointer = host_ptr,                                   \
                                       .properties = properties,                                   \
                                       .return_address = RECORDER_RETURN_ADDRESS}),                \
         __VA_ARGS__)

#define WRAP_MEMOBJ(target, function, facts, ...)                                                  \
    MAKE(cl_mem, target, function,                                                                 \
         recorder_memobj_ask((struct recorder_memobj){.handle = made,                              \
                                                      .context = context,                          \
                                                      .return_address = RECORDER_RETURN_ADDRESS,   \
                                                      OPEN facts}),                                \
         __VA_ARGS__)

#define WRAP_PROGRAM(target, function, ...)                                                        \
    MAKE(cl_program, target, function,                                                             \
         recorder_program_created(made, context, RECORDER_RETURN_ADDRESS), __VA_ARGS__)

#define WRAP_COMMAND_QUEUE(target, function, flags, ...)                                           \
    MAKE(cl_command_queue, target, function,                                                       \
         recorder_queue_created(made, context, device, flags, RECORDER_RETURN_ADDRESS),            \
         __VA_ARGS__)

#define WRAP_EVENT(target, function, its_command, ...)                                             \
    MAKE(                                                                                          \
        cl_event, target, function,                                                                \
        if (made) { recorder_event_made(made, context, its_command, RECORDER_RETURN_ADDRESS); },   \
        __VA_ARGS__)

#define SVM_ALLOCATED(svm_type, its_flags, its_alignment)                                          \
    recorder_svm_allocated(&(struct recorder_svm){.pointer = made,                                 \
                                                  .context = context,                              \
                                                  .type = svm_type,                                \
                                                  .flags = its_flags,                              \
                                                  .size = size,                                    \
                                                  .alignment = its_alignment,                      \
                                                  .return_address = RECORDER_RETURN_ADDRESS})

#define WRAP_SVM(target, function, svm_type, its_flags, its_alignment, ...)                        \
    MAKE(                                                                                          \
        void *, target, function,                                                                  \
        if (made) { SVM_ALLOCATED(svm_type, its_flags, its_alignment); }, __VA_ARGS__)

#define WRAP_SVM_ALLOC(target, function, svm_type, flags_type)                                     \
    void *CL_API_CALL RECORDER_WRAPPER(function)(cl_context context, flags_type flags,             \
                                                 size_t size, cl_uint alignment)                   \
    {                                                                                              \
        RECORDER_CALL(function, context);                                                          \
        RECORDER_USE(context);                                                                     \
        void *made = target(context, flags, size, alignment);                                      \
        if (made) {                                                                                \
            SVM_ALLOCATED(svm_type, flags, alignment);                                             \
        }                                                                                          \
        RECORDER_USED(made);                                                                       \
        RECORDER_EXPLAIN_NULL(made, function, CL_SUCCESS, context, flags, size, alignment);        \
        return RECORDER_MADE(made, NULL);                                                          \
    }

#define WRAP_SVM_FREE(target, function, is_blocking, ...)                                          \
    cl_int CL_API_CALL RECORDER_WRAPPER(function)(PARAMETERS(__VA_ARGS__))                         \
    {                                                                                              \
        RECORDER_CALL_WAITING(function, context, is_blocking);                                     \
        RECORDER_USE(context);                                                                     \
        recorder_svm_freed(pointer, is_blocking, RECORDER_RETURN_ADDRESS);                         \
        cl_int status = target(ARGUMENT_NAMES(__VA_ARGS__));                                       \
        RECORDER_USED(status == CL_SUCCESS);                                                       \
        RECORDER_EXPLAIN(function, status, ARGUMENT_NAMES(__VA_ARGS__));                           \
        return RECORDER_STATUS(status);                                                            \
    }

#define WRAP_KERNEL_ARGUMENT(target, function, ...)                                                \
    cl_int CL_API_CALL RECORDER_WRAPPER(function)(cl_kernel kernel, cl_uint index,                 \
                                                  const void *pointer)                             \
    {                                                                                              \
        RECORDER_CALL(function, kernel);                                                           \
        RECORDER_USE(kernel);                                                                      \
        cl_int status = target(kernel, index, pointer);                                            \
        if (status == CL_SUCCESS) {                                                                \
            recorder_kernel_argument_set_svm(kernel, index, pointer, RECORDER_RETURN_ADDRESS);     \
        }                                                                                          \
        RECORDER_USED(status == CL_SUCCESS);                                                       \
        RECORDER_EXPLAIN(function, status, kernel, index, pointer);                                \
        return RECORDER_STATUS(status);                                                            \
    }

#define WRAP_EXEC_INFO(target, function, ...)                                                      \
    cl_int CL_API_CALL RECORDER_WRAPPER(function)(PARAMETERS(__VA_ARGS__))                         \
    {                                                                                              \
        RECORDER_CALL(function, kernel);                                                           \
        RECORDER_USE(kernel);                                                                      \
        cl_int status = target(ARGUMENT_NAMES(__VA_ARGS__));                                       \
        if (status == CL_SUCCESS) {                                                                \
            recorder_kernel_exec_info_set(kernel, name, size, value);                              \
        }                                                                                          \
        RECORDER_USED(status == CL_SUCCESS);                                                       \
        RECORDER_EXPLAIN(function, status, ARGUMENT_NAMES(__VA_ARGS__));                           \
        return RECORDER_STATUS(status);                                                            \
    }

/* ---- Commands -------------------------------------------------------------------------------- */

#define FACTS(command_type, ...) .type = command_type, ##__VA_ARGS__
#define WAIT_PARAMETERS cl_uint wait_count, const cl_event *wait_list
#define WAIT_FACTS .wait_count = wait_count, .wait_list = wait_list
#define EVENT_FACTS WAIT_FACTS, .event = event

/* Operands as (operand of operands.def, parameter), the first in the lowest byte. */
#define OPERAND_VALUE(operand, parameter) (uint64_t)(uintptr_t)(parameter)
#define OPERAND_KIND(operand, parameter) ompd_cl_registry_operand_##operand
#define OPERAND_KINDS_OF(a, b, c, d, e, f, g, h, ...)                                              \
    ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24 |              \
     (uint64_t)(e) << 32 | (uint64_t)(f) << 40 | (uint64_t)(g) << 48 | (uint64_t)(h) << 56)
#define OPERAND_KINDS(...) OPERAND_KINDS_OF(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0)
#define OPERANDS(...)                                                                              \
    .operand_kinds = OPERAND_KINDS(EACH(OPERAND_KIND, __VA_ARGS__)),                               \
    .operands = (const uint64_t[])                                                                 \
    {                                                                                              \
        EACH(OPERAND_VALUE, __VA_ARGS__)                                                           \
    }

/* ITS_EVENT is where the command's event is stored; BEFORE and AFTER run around the call. */
#define ENQUEUE(target, function, parameters, arguments, its_event, before, after, ...)            \
    cl_int CL_API_CALL RECORDER_WRAPPER(function) parameters                                       \
    {                                                                                              \
        const struct recorder_command_facts facts = {__VA_ARGS__};                                 \
        RECORDER_CALL_WAITING(function, queue, facts.is_blocking);                                 \
        struct recorder_command command;                                                           \
        if (facts.kernel) {                                                                        \
            recorder_kernel_arguments_check(facts.kernel, RECORDER_RETURN_ADDRESS);                \
        }                                                                                          \
        recorder_command_begin(&command, queue, &facts, RECORDER_RETURN_ADDRESS);                  \
        before;                                                                                    \
        cl_int status = target arguments;                                                          \
        if (RECORDER_LIKELY(status == CL_SUCCESS) && facts.kernel &&                               \
            !recorder_kernel_enqueued(facts.kernel, RECORDER_RETURN_ADDRESS)) {                    \
            recorder_kernel_arguments_find(facts.kernel, RECORDER_RETURN_ADDRESS);                 \
        }                                                                                          \
        recorder_command_end(&command, status == CL_SUCCESS, its_event, facts.type,                \
                             RECORDER_RETURN_ADDRESS);                                             \
        after;                                                                                     \
        if (RECORDER_UNLIKELY(status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)) {           \
            recorder_events_error_seen(facts.wait_count, facts.wait_list);                         \
        }                                                                                          \
        RECORDER_EXPLAIN(function, status, OPEN arguments);                                        \
        return RECORDER_STATUS(status);                                                            \
    }

#define ENQUEUE_WAITING(target, function, before, after, facts, ...)                               \
    ENQUEUE(target, function, (PARAMETERS(__VA_ARGS__), WAIT_PARAMETERS, cl_event * event),        \
            (ARGUMENT_NAMES(__VA_ARGS__), wait_count, wait_list, event), event, before, after,     \
            FACTS facts, EVENT_FACTS)

/* POINTER of the object or SVM allocation HANDLE was mapped. */
#define MAPPED(its_table, its_handle, its_pointer, its_pitches)                                    \
    recorder_mapping_made(&(struct recorder_mapping){.table = its_table,                           \
                                                     .handle = its_handle,                         \
                                                     .pointer = its_pointer,                       \
                                                     .facts = &facts,                              \
                                                     .pitches = its_pitches,                       \
                                                     .return_address = RECORDER_RETURN_ADDRESS},   \
                          &command)

#define UNMAPPING_BEGIN(table, handle, pointer)                                                    \
    struct recorder_unmapping unmapping = {.return_address = RECORDER_RETURN_ADDRESS};             \
    recorder_unmapping_begin(&unmapping, table, handle, pointer)
#define UNMAPPING_END(count)                                                                       \
    recorder_unmapping_end(&unmapping, status == CL_SUCCESS);                                      \
    if (status == CL_SUCCESS) {                                                                    \
        count;                                                                                     \
    }

#define WRAP_COMMAND(target, function, ...) ENQUEUE_WAITING(target, function, , , __VA_ARGS__)
#define WRAP_SHARING(target, function, its_acquisition, ...)                                       \
    ENQUEUE_WAITING(                                                                               \
        target, function, ,                                                                        \
        if (status == CL_SUCCESS) {                                                                \
            recorder_memobjs_acquired(count, memobjs, ompd_cl_registry_##its_acquisition);         \
        },                                                                                         \
        __VA_ARGS__)
#define WRAP_UNMAP(target, function, ...)                                                          \
    ENQUEUE_WAITING(target, function, UNMAPPING_BEGIN(ompd_cl_registry_memobj, facts.memobj, ptr), \
                    UNMAPPING_END(recorder_memobj_mapped(facts.memobj, true)), __VA_ARGS__)
#define WRAP_SVM_MAP(target, function, ...)                                                        \
    ENQUEUE_WAITING(                                                                               \
        target, function, ,                                                                        \
        if (status == CL_SUCCESS) {                                                                \
            recorder_svm_mapped(pointer, RECORDER_RETURN_ADDRESS);                                 \
            MAPPED(ompd_cl_registry_svm, pointer, pointer, NULL);                                  \
        },                                                                                         \
        __VA_ARGS__)
#define WRAP_SVM_UNMAP(target, function, ...)                                                      \
    ENQUEUE_WAITING(target, function, UNMAPPING_BEGIN(ompd_cl_registry_svm, pointer, pointer),     \
                    UNMAPPING_END(recorder_svm_unmapped(pointer)), __VA_ARGS__)

#define WRAP_COMMAND_ALONE(target, function, facts, event, ...)                                    \
    ENQUEUE(target, function, (PARAMETERS(__VA_ARGS__)), (ARGUMENT_NAMES(__VA_ARGS__)), event, , , \
            FACTS facts)

#define WRAP_BUFFERED(target, function, facts)                                                     \
    cl_int CL_API_CALL RECORDER_WRAPPER(function)(                                                 \
        uintptr_t buffer, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e,         \
        uintptr_t f, uintptr_t g, uintptr_t h, uintptr_t i, uintptr_t j, uintptr_t k, uintptr_t l, \
        uintptr_t m, uintptr_t n, uintptr_t o)                                                     \
    {                                                                                              \
        static const struct recorder_buffered_shape shape = {FACTS facts};                         \
        RECORDER_CALL(function, buffer);                                                           \
        const uintptr_t words[RECORDER_BUFFERED_WORDS] = {buffer, a, b, c, d, e, f, g,             \
                                                          h,      i, j, k, l, m, n, o};            \
        cl_int status =                                                                            \
            RECORDER_EXTENSION(function, ompd_cl_registry_command_buffer, (const void *)buffer)(   \
                buffer, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);                              \
        if (status == CL_SUCCESS) {                                                                \
            recorder_buffered_command_note((cl_command_buffer_khr)buffer, &shape, words,           \
                                           RECORDER_RETURN_ADDRESS);                               \
        }                                                                                          \
        return RECORDER_STATUS(status);                                                            \
    }

#define WRAP_MAP(target, function, its_facts, pitches, ...)                                        \
    void *CL_API_CALL RECORDER_WRAPPER(function)(PARAMETERS(__VA_ARGS__), WAIT_PARAMETERS,         \
                                                 cl_event * event, cl_int * errcode_ret)           \
    {                                                                                              \
        const struct recorder_command_facts facts = {FACTS its_facts, EVENT_FACTS};                \
        RECORDER_CALL_WAITING(function, queue, facts.is_blocking);                                 \
        RECORDER_ASK_ERROR(errcode_ret);                                                           \
        struct recorder_command command;                                                           \
        recorder_command_begin(&command, queue, &facts, RECORDER_RETURN_ADDRESS);                  \
        void *mapped =                                                                             \
            target(ARGUMENT_NAMES(__VA_ARGS__), wait_count, wait_list, event, errcode_ret);        \
        const size_t *const its_pitches[] = {OPEN pitches};                                        \
        if (mapped && command.record.object) {                                                     \
            recorder_operands_add_mapping(&recorder_command_record(&command.record)->operands,     \
                                          mapped, its_pitches);                                    \
        }                                                                                          \
        recorder_command_end(&command, mapped != NULL, event, facts.type,                          \
                             RECORDER_RETURN_ADDRESS);                                             \
        if (mapped) {                                                                              \
            recorder_memobj_mapped(facts.memobj, false);                                           \
            MAPPED(ompd_cl_registry_memobj, facts.memobj, mapped, its_pitches);                    \
        }                                                                                          \
        RECORDER_EXPLAIN_NULL(mapped, function, *errcode_ret, ARGUMENT_NAMES(__VA_ARGS__),         \
                              wait_count, wait_list, event);                                       \
        return RECORDER_MADE(mapped, errcode_ret);                                                 \
    }

#define WRAP_ENQUEUE_SVM_FREE(target, call, ...)                                                   \
    cl_int CL_API_CALL RECORDER_WRAPPER(call)(                                                     \
        cl_command_queue queue, cl_uint count, void *pointers[],                                   \
        recorder_svm_free_function *callback, void *user_data, WAIT_PARAMETERS, cl_event *event)   \
    {                                                                                              \
        RECORDER_CALL(call, queue);                                                                \
        const struct recorder_svm_free svm_free = {.queue = queue,                                 \
                                                   .pointer_count = count,                         \
                                                   .pointers = pointers,                           \
                                                   .function = callback,                           \
                                                   .user_data = user_data,                         \
                                                   .return_address = RECORDER_RETURN_ADDRESS,      \
                                                   WAIT_FACTS};                                    \
        cl_int status = recorder_enqueue_svm_free(target, &svm_free, event);                       \
        RECORDER_EXPLAIN(call, status, queue, count, pointers, (const void *)callback, user_data,  \
                         wait_count, wait_list, event);                                            \
        return RECORDER_STATUS(status);                                                            \
    }

/* ---- All of them ----------------------------------------------------------------------------- */

/* The object whose platform implements the extension function; 0, NULL: unknown, or not needed. */
#define OBJECT_BY_HAND 0, NULL
#define OBJECT_PASS 0, NULL
#define OBJECT_PASS_OF 0, NULL
#define OBJECT_QUERY 0, NULL
#define OBJECT_QUERY_OF 0, NULL
#define OBJECT_OTHER ompd_cl_registry_context, context
#define OBJECT_OTHER_OF 0, NULL
#define OBJECT_RETAIN_OF 0, NULL
#define OBJECT_RELEASE_OF 0, NULL
#define OBJECT_BUFFERED 0, NULL
#define OBJECT_BUFFER ompd_cl_registry_context, context
#define OBJECT_BUFFER_OF ompd_cl_registry_context, context
#define OBJECT_MEMOBJ ompd_cl_registry_context, context
#define OBJECT_PROGRAM ompd_cl_registry_context, context
#define OBJECT_COMMAND_QUEUE ompd_cl_registry_context, context
#define OBJECT_SVM ompd_cl_registry_context, context
#define OBJECT_SVM_ALLOC ompd_cl_registry_context, context
#define OBJECT_SVM_FREE ompd_cl_registry_context, context
#define OBJECT_ENQUEUE_SVM_FREE ompd_cl_registry_queue, queue
#define OBJECT_DESTRUCTOR ompd_cl_registry_memobj, handle
#define OBJECT_KERNEL_ARGUMENT ompd_cl_registry_kernel, kernel
#define OBJECT_EXEC_INFO ompd_cl_registry_kernel, kernel
#define OBJECT_COMMAND ompd_cl_registry_queue, queue
#define OBJECT_SHARING ompd_cl_registry_queue, queue
#define OBJECT_SVM_MAP ompd_cl_registry_queue, queue
#define OBJECT_SVM_UNMAP ompd_cl_registry_queue, queue

#define EXTENSION_OF(function, ...) RECORDER_EXTENSION(function, __VA_ARGS__)

#define CALL(number, function, kind, ...)                                                          \
    WRAP_##kind(RECORDER_TARGET.function, function, __VA_ARGS__)
#define NEWER(number, function, kind, ...)                                                         \
    WRAP_##kind(((function##_fn)recorder_targets[RECORDER_LOADER].entries[(number)-1]), function,  \
                __VA_ARGS__)
#define EXTENSION(number, function, kind, ...)                                                     \
    WRAP_##kind(EXTENSION_OF(function, OBJECT_##kind), function, __VA_ARGS__)
#include <schema/calls.def>
