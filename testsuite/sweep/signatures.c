/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "signatures.h"

#include <string.h>

/* An argument: its type in C, and its entry in the table. */
#define SPACE (ompd_address_space_handle_t *, sweep_space, 0, 0)
#define SPACE_OR_NULL (ompd_address_space_handle_t *, sweep_space_or_null, 0, 0)
#define THREAD (ompd_thread_handle_t *, sweep_thread, 0, 0)
#define PARALLEL (ompd_parallel_handle_t *, sweep_parallel, 0, 0)
#define TASK (ompd_task_handle_t *, sweep_task, 0, 0)
#define SCOPED (void *, sweep_scoped, 0, 0)
#define ID(what) (ompd_cl_##what##_id_t, sweep_##what##_id, 8, ompd_cl_kind_##what)
#define LIST(what) (ompd_cl_list_t, sweep_list, 8, ompd_cl_kind_##what)
#define ANY_LIST (ompd_cl_list_t, sweep_list, 8, ompd_cl_kind_memobj)

#define OUT(type) (type *, sweep_out_value, sizeof(type), 0)
#define OUT_OPTIONAL(type) (type *, sweep_out_optional, sizeof(type), 0)
#define OUT_ID(what) (ompd_cl_##what##_id_t *, sweep_out_id, 8, ompd_cl_kind_##what)
#define OUT_LIST(what) (ompd_cl_list_t *, sweep_out_list, 8, ompd_cl_kind_##what)
#define OUT_POINTER(type, kind) (type *, kind, sizeof(type), 0)
#define OUT_SPACE OUT_POINTER(ompd_address_space_handle_t *, sweep_out_space)
#define OUT_DEVICE OUT_POINTER(ompd_address_space_handle_t *, sweep_out_device)
#define OUT_OWN_SPACE OUT_POINTER(ompd_address_space_handle_t *, sweep_out_own_space)
#define OUT_THREAD OUT_POINTER(ompd_thread_handle_t *, sweep_out_thread)
#define OUT_PARALLEL OUT(ompd_parallel_handle_t *)
#define OUT_TASK OUT(ompd_task_handle_t *)
#define OUT_TEXT OUT_POINTER(const char *, sweep_out_text)
#define OUT_OWN_TEXT OUT_POINTER(const char *, sweep_out_own_text)
#define OUT_VARIABLES OUT_POINTER(const char *const *, sweep_out_variables)
#define OUT_FIELD OUT_POINTER(const ompd_cl_field_t *, sweep_out_static)
#define INFO(what)                                                                                 \
    (ompd_cl_##what##_info_t *, sweep_out_info, sizeof(ompd_cl_##what##_info_t),                   \
     ompd_cl_kind_##what)
#define ROWS(what)                                                                                 \
    (ompd_cl_##what##_info_t *, sweep_out_rows, sizeof(ompd_cl_##what##_info_t),                   \
     ompd_cl_kind_##what)

#define CALLBACKS (const ompd_callbacks_t *, sweep_in_callbacks, sizeof(ompd_callbacks_t), 0)
#define EXTRA (const ompd_cl_extra_t *, sweep_in_extra, sizeof(ompd_cl_extra_t), 0)
#define FILTER (const ompd_cl_filter_t *, sweep_in_filter, sizeof(ompd_cl_filter_t), 0)
#define LAYOUT (const char *, sweep_in_layout, SWEEP_LAYOUT_SIZE, 0)
#define NUMBER(type, kind) (type, kind, sizeof(type), 0)
#define CL_HANDLE(what) (uint64_t, sweep_cl_handle, 8, ompd_cl_kind_##what)
#define ROW_KIND (ompd_cl_kind_t, sweep_row_kind, sizeof(ompd_cl_kind_t), ompd_cl_kind_memobj)
#define NAMES (ompd_cl_names_t, sweep_row_kind, sizeof(ompd_cl_names_t), ompd_cl_names_status)
#define DESTRUCTOR_KIND                                                                            \
    (ompd_cl_kind_t, sweep_row_kind, sizeof(ompd_cl_kind_t), ompd_cl_kind_destructor)
#define TOOL_CONTEXT NUMBER(ompd_address_space_context_t *, sweep_tool_context)
#define CAPACITY NUMBER(ompd_size_t, sweep_capacity)

/* A function and its arguments, whose count comes out only if their types are the declared ones. */
#define EXPAND(x) x
#define FIRST(type, ...) type
#define OTHERS(type, ...)                                                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define TYPE(argument) EXPAND(FIRST argument)
#define SAYS(argument) EXPAND(OTHERS argument)
#define COUNT(name, count, ...) _Generic(&(name), ompd_rc_t(*)(__VA_ARGS__) : count)

#define TAKES0(name)                                                                               \
    {                                                                                              \
#name, (void (*)(void))name, COUNT(name, 0, void),                                         \
        {                                                                                          \
            {                                                                                      \
                sweep_kind_none, 0, 0                                                              \
            }                                                                                      \
        }                                                                                          \
    }
#define TAKES1(name, a)                                                                            \
    {                                                                                              \
#name, (void (*)(void))name, COUNT(name, 1, TYPE(a)),                                      \
        {                                                                                          \
            SAYS(a)                                                                                \
        }                                                                                          \
    }
#define TAKES2(name, a, b)                                                                         \
    {                                                                                              \
#name, (void (*)(void))name, COUNT(name, 2, TYPE(a), TYPE(b)),                             \
        {                                                                                          \
            SAYS(a), SAYS(b)                                                                       \
        }                                                                                          \
    }
#define TAKES3(name, a, b, c)                                                                      \
    {                                                                                              \
#name, (void (*)(void))name, COUNT(name, 3, TYPE(a), TYPE(b), TYPE(c)),                    \
        {                                                                                          \
            SAYS(a), SAYS(b), SAYS(c)                                                              \
        }                                                                                          \
    }
#define TAKES4(name, a, b, c, d)                                                                   \
    {                                                                                              \
#name, (void (*)(void))name, COUNT(name, 4, TYPE(a), TYPE(b), TYPE(c), TYPE(d)),           \
        {                                                                                          \
            SAYS(a), SAYS(b), SAYS(c), SAYS(d)                                                     \
        }                                                                                          \
    }
#define TAKES5(name, a, b, c, d, e)                                                                \
    {                                                                                              \
#name, (void (*)(void))name, COUNT(name, 5, TYPE(a), TYPE(b), TYPE(c), TYPE(d), TYPE(e)),  \
        {                                                                                          \
            SAYS(a), SAYS(b), SAYS(c), SAYS(d), SAYS(e)                                            \
        }                                                                                          \
    }
#define TAKES6(name, a, b, c, d, e, f)                                                             \
    {                                                                                              \
#name, (void (*)(void))name,                                                               \
            COUNT(name, 6, TYPE(a), TYPE(b), TYPE(c), TYPE(d), TYPE(e), TYPE(f)),                  \
        {                                                                                          \
            SAYS(a), SAYS(b), SAYS(c), SAYS(d), SAYS(e), SAYS(f)                                   \
        }                                                                                          \
    }

#define TAKES7(name, a, b, c, d, e, f, g)                                                          \
    {                                                                                              \
#name, (void (*)(void))name,                                                               \
            COUNT(name, 7, TYPE(a), TYPE(b), TYPE(c), TYPE(d), TYPE(e), TYPE(f), TYPE(g)),         \
        {                                                                                          \
            SAYS(a), SAYS(b), SAYS(c), SAYS(d), SAYS(e), SAYS(f), SAYS(g)                          \
        }                                                                                          \
    }

/* The families of ompd_cl_ functions that take the same arguments for each kind. */
#define LIST_OPEN(what) TAKES3(ompd_cl_##what##_list_open, SPACE, FILTER, OUT_LIST(what))
#define LIST_OPEN_ALL(what) TAKES2(ompd_cl_##what##_list_open, SPACE, OUT_LIST(what))
#define LIST_OPEN_OF(name, object, what)                                                           \
    TAKES3(ompd_cl_##name##_list_open, SPACE, ID(object), OUT_LIST(what))
#define LIST_NEXT(what)                                                                            \
    TAKES6(ompd_cl_##what##_list_next, SPACE, LIST(what), CAPACITY, ROWS(what), OUT(ompd_size_t),  \
           OUT_OPTIONAL(ompd_size_t))
#define FIND(what) TAKES3(ompd_cl_##what##_find, SPACE, CL_HANDLE(what), OUT_ID(what))
#define GET(what) TAKES3(ompd_cl_##what##_get, SPACE, ID(what), INFO(what))

const struct sweep_signature sweep_signatures[] = {
    TAKES2(ompd_initialize, NUMBER(ompd_word_t, sweep_api_version), CALLBACKS),
    TAKES1(ompd_get_api_version, OUT(ompd_word_t)),
    TAKES1(ompd_get_version_string, OUT_TEXT),
    TAKES0(ompd_finalize),
    TAKES2(ompd_process_initialize, TOOL_CONTEXT, OUT_SPACE),
    TAKES6(ompd_device_initialize, SPACE, TOOL_CONTEXT, NUMBER(ompd_device_t, sweep_device_kind),
           NUMBER(ompd_size_t, sweep_native_size), (void *, sweep_in_device, 8, 0), OUT_DEVICE),
    TAKES4(ompd_get_device_thread_id_kinds, SPACE,
           OUT_POINTER(ompd_thread_id_t *, sweep_out_own_array),
           OUT_POINTER(ompd_size_t *, sweep_out_own_array), OUT(int)),
    TAKES2(ompd_get_device_from_thread, THREAD, OUT_OWN_SPACE),
    TAKES1(ompd_rel_address_space_handle, SPACE),
    TAKES2(ompd_get_omp_version, SPACE, OUT(ompd_word_t)),
    TAKES2(ompd_get_omp_version_string, SPACE, OUT_TEXT),
    TAKES3(ompd_get_thread_in_parallel, PARALLEL, NUMBER(int, sweep_thread_number), OUT_THREAD),
    TAKES5(ompd_get_thread_handle, SPACE, NUMBER(ompd_thread_id_t, sweep_native_kind),
           NUMBER(ompd_size_t, sweep_native_size), (const void *, sweep_in_native_id, 8, 0),
           OUT_THREAD),
    TAKES1(ompd_rel_thread_handle, THREAD),
    TAKES3(ompd_thread_handle_compare, THREAD, THREAD, OUT(int)),
    TAKES4(ompd_get_thread_id, THREAD, NUMBER(ompd_thread_id_t, sweep_native_kind),
           NUMBER(ompd_size_t, sweep_native_size), (void *, sweep_out_native_id, 8, 0)),
    TAKES2(ompd_get_curr_parallel_handle, THREAD, OUT_PARALLEL),
    TAKES2(ompd_get_enclosing_parallel_handle, PARALLEL, OUT_PARALLEL),
    TAKES2(ompd_get_task_parallel_handle, TASK, OUT_PARALLEL),
    TAKES1(ompd_rel_parallel_handle, PARALLEL),
    TAKES3(ompd_parallel_handle_compare, PARALLEL, PARALLEL, OUT(int)),
    TAKES2(ompd_get_curr_task_handle, THREAD, OUT_TASK),
    TAKES2(ompd_get_generating_task_handle, TASK, OUT_TASK),
    TAKES2(ompd_get_scheduling_task_handle, TASK, OUT_TASK),
    TAKES3(ompd_get_task_in_parallel, PARALLEL, NUMBER(int, sweep_thread_number), OUT_TASK),
    TAKES1(ompd_rel_task_handle, TASK),
    TAKES3(ompd_task_handle_compare, TASK, TASK, OUT(int)),
    TAKES2(ompd_get_task_function, TASK, OUT(ompd_address_t)),
    TAKES3(ompd_get_task_frame, TASK, OUT(ompd_frame_info_t), OUT(ompd_frame_info_t)),
    TAKES5(ompd_enumerate_states, SPACE, NUMBER(ompd_word_t, sweep_state), OUT(ompd_word_t),
           OUT_OWN_TEXT, OUT(ompd_word_t)),
    TAKES3(ompd_get_state, THREAD, OUT(ompd_word_t), OUT_OPTIONAL(ompd_wait_id_t)),
    TAKES2(ompd_get_display_control_vars, SPACE, OUT_VARIABLES),
    TAKES1(ompd_rel_display_control_vars,
           (const char *const **, sweep_in_variables, sizeof(const char *const *), 0)),
    TAKES6(ompd_enumerate_icvs, SPACE, NUMBER(ompd_icv_id_t, sweep_icv), OUT(ompd_icv_id_t),
           OUT_OWN_TEXT, OUT(ompd_scope_t), OUT(int)),
    TAKES4(ompd_get_icv_from_scope, SCOPED, NUMBER(ompd_scope_t, sweep_scope),
           NUMBER(ompd_icv_id_t, sweep_icv), OUT(ompd_word_t)),
    TAKES4(ompd_get_icv_string_from_scope, SCOPED, NUMBER(ompd_scope_t, sweep_scope),
           NUMBER(ompd_icv_id_t, sweep_icv), OUT_OWN_TEXT),
    TAKES4(ompd_get_tool_data, SCOPED, NUMBER(ompd_scope_t, sweep_scope), OUT(ompd_word_t),
           OUT(ompd_address_t)),

    TAKES2(ompd_cl_version_get, OUT(uint32_t), OUT(uint32_t)),
    TAKES4(ompd_cl_address_space_create, CALLBACKS, EXTRA, TOOL_CONTEXT, OUT_SPACE),
    TAKES1(ompd_cl_address_space_refresh, SPACE),
    TAKES2(ompd_cl_message_get, SPACE_OR_NULL, OUT_TEXT),
    TAKES3(ompd_cl_memory_monitor_set, SPACE, NUMBER(ompd_cl_memory_monitor_t, sweep_monitor),
           NUMBER(void *, sweep_user_ptr)),
    TAKES2(ompd_cl_memory_limit_set, SPACE, NUMBER(ompd_size_t, sweep_limit)),
    TAKES2(ompd_cl_log_level_set, SPACE, NUMBER(ompd_cl_log_level_t, sweep_log_level)),
    TAKES3(ompd_cl_field_get, ROW_KIND, NUMBER(uint32_t, sweep_field_index), OUT_FIELD),
    TAKES3(ompd_cl_kind_get, ROW_KIND, OUT_TEXT, OUT(ompd_size_t)),
    TAKES2(ompd_cl_noun_get, ROW_KIND, OUT_POINTER(const ompd_cl_noun_t *, sweep_out_static)),
    TAKES3(ompd_cl_name_find, NAMES, NUMBER(uint64_t, sweep_field_index),
           OUT_POINTER(const ompd_cl_name_t *, sweep_out_static)),
    TAKES3(ompd_cl_layout_add, SPACE, LAYOUT, NUMBER(ompd_size_t, sweep_layout_size)),
    TAKES3(ompd_cl_layout_get, LAYOUT, NUMBER(ompd_size_t, sweep_layout_size), INFO(layout)),
    TAKES2(ompd_cl_sources_set, SPACE, NUMBER(uint32_t, sweep_sources)),
    TAKES1(ompd_cl_objects_search, SPACE),
    TAKES2(ompd_cl_overview_get, SPACE, INFO(overview)),
    TAKES2(ompd_cl_library_memory_get, SPACE, INFO(library_memory)),
    TAKES3(ompd_cl_note_get, SPACE, NUMBER(uint32_t, sweep_limit), OUT_TEXT),
    TAKES4(ompd_cl_list_open, SPACE, ROW_KIND, FILTER, OUT_LIST(memobj)),
    TAKES4(ompd_cl_object_list_open, SPACE, DESTRUCTOR_KIND,
           (uint64_t, sweep_memobj_id, 8, ompd_cl_kind_memobj), OUT_LIST(destructor)),
    TAKES7(ompd_cl_list_next, SPACE, LIST(memobj), ROW_KIND, CAPACITY,
           (void *, sweep_out_rows, sizeof(ompd_cl_memobj_info_t), ompd_cl_kind_memobj),
           OUT(ompd_size_t), OUT_OPTIONAL(ompd_size_t)),
    TAKES4(ompd_cl_object_find, SPACE, ROW_KIND, CL_HANDLE(memobj),
           (uint64_t *, sweep_out_id, 8, ompd_cl_kind_memobj)),
    TAKES4(ompd_cl_object_get, SPACE, ROW_KIND, (uint64_t, sweep_memobj_id, 8, ompd_cl_kind_memobj),
           (void *, sweep_out_info, sizeof(ompd_cl_memobj_info_t), ompd_cl_kind_memobj)),
    LIST_OPEN_ALL(platform),
    LIST_OPEN(context),
    LIST_OPEN(queue),
    LIST_OPEN(memobj),
    LIST_OPEN(svm),
    LIST_OPEN(svm_free),
    LIST_OPEN(destructor),
    LIST_OPEN(thread),
    LIST_OPEN(leak),
    LIST_OPEN_ALL(usage),
    LIST_OPEN_ALL(runtime),
    LIST_OPEN_OF(activity, thread, activity),
    LIST_OPEN_OF(memobj_reference_site, memobj, reference_site),
    LIST_OPEN_OF(context_reference_site, context, reference_site),
    LIST_OPEN_OF(queue_reference_site, queue, reference_site),
    LIST_OPEN_OF(memobj_destructor, memobj, destructor),
    LIST_OPEN_OF(context_destructor, context, destructor),
    LIST_OPEN_OF(svm_pointer, svm_free, svm_pointer),
    LIST_OPEN_OF(wait, svm_free, wait),
    LIST_NEXT(platform),
    LIST_NEXT(context),
    LIST_NEXT(queue),
    LIST_NEXT(memobj),
    LIST_NEXT(destructor),
    LIST_NEXT(svm),
    LIST_NEXT(svm_free),
    LIST_NEXT(svm_pointer),
    LIST_NEXT(wait),
    LIST_NEXT(thread),
    LIST_NEXT(activity),
    LIST_NEXT(reference_site),
    LIST_NEXT(leak),
    LIST_NEXT(usage),
    LIST_NEXT(runtime),
    TAKES2(ompd_cl_list_close, SPACE, ANY_LIST),
    FIND(context),
    FIND(queue),
    FIND(memobj),
    FIND(svm),
    TAKES3(ompd_cl_thread_find, SPACE, NUMBER(uint64_t, sweep_lwp), OUT_ID(thread)),
    GET(context),
    GET(queue),
    GET(memobj),
    GET(svm),
    GET(svm_free),
    GET(thread),
    TAKES5(ompd_cl_stack_get, SPACE, NUMBER(uint64_t, sweep_stack), CAPACITY,
           (ompd_addr_t *, sweep_out_frames, sizeof(ompd_addr_t), 0), OUT(ompd_size_t)),
    TAKES6(ompd_cl_text_read, SPACE, NUMBER(uint64_t, sweep_text_key),
           NUMBER(uint64_t, sweep_text_offset), CAPACITY, (char *, sweep_out_frames, 1, 0),
           OUT(ompd_size_t)),
    TAKES6(ompd_cl_numbers_read, SPACE, NUMBER(ompd_addr_t, sweep_address),
           NUMBER(ompd_size_t, sweep_number_size), CAPACITY,
           (uint64_t *, sweep_out_frames, sizeof(uint64_t), 0), OUT(ompd_size_t)),
    LIST_OPEN_ALL(finding),
    LIST_NEXT(finding),
    LIST_OPEN_ALL(wait_step),
    LIST_NEXT(wait_step),
    LIST_OPEN(destroyed),
    LIST_NEXT(destroyed),
    LIST_OPEN(message),
    LIST_NEXT(message),
    LIST_OPEN_ALL(error),
    LIST_NEXT(error),
    LIST_OPEN(ledger),
    LIST_NEXT(ledger),
    LIST_OPEN_ALL(call),
    LIST_NEXT(call),
    LIST_OPEN(callback),
    LIST_NEXT(callback),
};

const unsigned sweep_signature_count = sizeof(sweep_signatures) / sizeof(sweep_signatures[0]);

const struct sweep_signature *sweep_signature_find(const char *name)
{
    for (unsigned i = 0; i < sweep_signature_count; i++) {
        if (strcmp(sweep_signatures[i].name, name) == 0)
            return &sweep_signatures[i];
    }
    return NULL;
}

unsigned sweep_argument_find(const struct sweep_signature *signature, enum sweep_kind kind)
{
    unsigned i = 0;

    while (i < signature->count && signature->arguments[i].kind != kind)
        i++;
    return i;
}

bool sweep_signature_is_refused(const struct sweep_signature *signature)
{
    return strstr(signature->name, "_parallel") != NULL ||
           strstr(signature->name, "_task") != NULL ||
           strstr(signature->name, "_omp_version") != NULL;
}

bool sweep_signature_searches(const struct sweep_signature *signature,
                              const struct sweep_target *target)
{
    return target->layout != NULL || strstr(signature->name, "_runtime_list") != NULL;
}

bool sweep_signature_is_long(const struct sweep_signature *signature)
{
    return strstr(signature->name, "reference_site_") != NULL ||
           strstr(signature->name, "leak_") != NULL;
}

bool sweep_is_handle(enum sweep_kind kind)
{
    return kind >= sweep_space && kind <= sweep_scoped;
}

bool sweep_is_id(enum sweep_kind kind)
{
    return kind >= sweep_context_id && kind <= sweep_list;
}

bool sweep_is_out(enum sweep_kind kind)
{
    return kind >= sweep_out_value && kind <= sweep_out_rows;
}

bool sweep_is_in(enum sweep_kind kind)
{
    return kind >= sweep_in_callbacks && kind <= sweep_in_variables;
}
