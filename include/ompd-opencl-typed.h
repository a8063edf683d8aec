/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The functions of <ompd-opencl.h> with the types of each kind, for C and C++.  They are not in the
 * library.  schema/generate.py has written them from schema/kinds.def.
 */
#ifndef OMPD_OPENCL_TYPED_H
#define OMPD_OPENCL_TYPED_H

#include <ompd-opencl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Open a list of all rows of a kind: see ompd_cl_list_open. */

static inline ompd_rc_t ompd_cl_platform_list_open(ompd_address_space_handle_t *space,
                                                   ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_platform, NULL, list);
}

static inline ompd_rc_t ompd_cl_device_list_open(ompd_address_space_handle_t *space,
                                                 ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_device, NULL, list);
}

static inline ompd_rc_t ompd_cl_context_list_open(ompd_address_space_handle_t *space,
                                                  const ompd_cl_filter_t *filter,
                                                  ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_context, filter, list);
}

static inline ompd_rc_t ompd_cl_queue_list_open(ompd_address_space_handle_t *space,
                                                const ompd_cl_filter_t *filter,
                                                ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_queue, filter, list);
}

static inline ompd_rc_t ompd_cl_memobj_list_open(ompd_address_space_handle_t *space,
                                                 const ompd_cl_filter_t *filter,
                                                 ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_memobj, filter, list);
}

static inline ompd_rc_t ompd_cl_destructor_list_open(ompd_address_space_handle_t *space,
                                                     const ompd_cl_filter_t *filter,
                                                     ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_destructor, filter, list);
}

static inline ompd_rc_t ompd_cl_svm_list_open(ompd_address_space_handle_t *space,
                                              const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_svm, filter, list);
}

static inline ompd_rc_t ompd_cl_svm_free_list_open(ompd_address_space_handle_t *space,
                                                   const ompd_cl_filter_t *filter,
                                                   ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_svm_free, filter, list);
}

static inline ompd_rc_t ompd_cl_program_list_open(ompd_address_space_handle_t *space,
                                                  const ompd_cl_filter_t *filter,
                                                  ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_program, filter, list);
}

static inline ompd_rc_t ompd_cl_kernel_list_open(ompd_address_space_handle_t *space,
                                                 const ompd_cl_filter_t *filter,
                                                 ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_kernel, filter, list);
}

static inline ompd_rc_t ompd_cl_sampler_list_open(ompd_address_space_handle_t *space,
                                                  const ompd_cl_filter_t *filter,
                                                  ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_sampler, filter, list);
}

static inline ompd_rc_t ompd_cl_command_list_open(ompd_address_space_handle_t *space,
                                                  const ompd_cl_filter_t *filter,
                                                  ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_command, filter, list);
}

static inline ompd_rc_t ompd_cl_mapping_list_open(ompd_address_space_handle_t *space,
                                                  const ompd_cl_filter_t *filter,
                                                  ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_mapping, filter, list);
}

static inline ompd_rc_t ompd_cl_event_list_open(ompd_address_space_handle_t *space,
                                                const ompd_cl_filter_t *filter,
                                                ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_event, filter, list);
}

static inline ompd_rc_t ompd_cl_callback_list_open(ompd_address_space_handle_t *space,
                                                   const ompd_cl_filter_t *filter,
                                                   ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_callback, filter, list);
}

static inline ompd_rc_t ompd_cl_thread_list_open(ompd_address_space_handle_t *space,
                                                 const ompd_cl_filter_t *filter,
                                                 ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_thread, filter, list);
}

static inline ompd_rc_t ompd_cl_call_list_open(ompd_address_space_handle_t *space,
                                               ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_call, NULL, list);
}

static inline ompd_rc_t ompd_cl_error_list_open(ompd_address_space_handle_t *space,
                                                ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_error, NULL, list);
}

static inline ompd_rc_t ompd_cl_message_list_open(ompd_address_space_handle_t *space,
                                                  const ompd_cl_filter_t *filter,
                                                  ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_message, filter, list);
}

static inline ompd_rc_t ompd_cl_destroyed_list_open(ompd_address_space_handle_t *space,
                                                    const ompd_cl_filter_t *filter,
                                                    ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_destroyed, filter, list);
}

static inline ompd_rc_t ompd_cl_ledger_list_open(ompd_address_space_handle_t *space,
                                                 const ompd_cl_filter_t *filter,
                                                 ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_ledger, filter, list);
}

static inline ompd_rc_t ompd_cl_finding_list_open(ompd_address_space_handle_t *space,
                                                  ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_finding, NULL, list);
}

static inline ompd_rc_t ompd_cl_wait_step_list_open(ompd_address_space_handle_t *space,
                                                    ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_wait_step, NULL, list);
}

static inline ompd_rc_t ompd_cl_leak_list_open(ompd_address_space_handle_t *space,
                                               const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_leak, filter, list);
}

static inline ompd_rc_t ompd_cl_usage_list_open(ompd_address_space_handle_t *space,
                                                ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_usage, NULL, list);
}

static inline ompd_rc_t ompd_cl_runtime_list_open(ompd_address_space_handle_t *space,
                                                  ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_runtime, NULL, list);
}

static inline ompd_rc_t ompd_cl_command_buffer_list_open(ompd_address_space_handle_t *space,
                                                         const ompd_cl_filter_t *filter,
                                                         ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_command_buffer, filter, list);
}

static inline ompd_rc_t ompd_cl_semaphore_list_open(ompd_address_space_handle_t *space,
                                                    const ompd_cl_filter_t *filter,
                                                    ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_semaphore, filter, list);
}

static inline ompd_rc_t ompd_cl_embree_device_list_open(ompd_address_space_handle_t *space,
                                                        const ompd_cl_filter_t *filter,
                                                        ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_embree_device, filter, list);
}

static inline ompd_rc_t ompd_cl_embree_scene_list_open(ompd_address_space_handle_t *space,
                                                       const ompd_cl_filter_t *filter,
                                                       ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_embree_scene, filter, list);
}

static inline ompd_rc_t ompd_cl_embree_geometry_list_open(ompd_address_space_handle_t *space,
                                                          const ompd_cl_filter_t *filter,
                                                          ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_embree_geometry, filter, list);
}

static inline ompd_rc_t ompd_cl_embree_buffer_list_open(ompd_address_space_handle_t *space,
                                                        const ompd_cl_filter_t *filter,
                                                        ompd_cl_list_t *list)
{
    return ompd_cl_list_open(space, ompd_cl_kind_embree_buffer, filter, list);
}

/* Open a list of what belongs to one object: see ompd_cl_object_list_open. */

static inline ompd_rc_t ompd_cl_memobj_destructor_list_open(ompd_address_space_handle_t *space,
                                                            ompd_cl_memobj_id_t memobj,
                                                            ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_destructor, memobj.id, list);
}

static inline ompd_rc_t ompd_cl_context_destructor_list_open(ompd_address_space_handle_t *space,
                                                             ompd_cl_context_id_t context,
                                                             ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_destructor, context.id, list);
}

static inline ompd_rc_t ompd_cl_program_destructor_list_open(ompd_address_space_handle_t *space,
                                                             ompd_cl_program_id_t program,
                                                             ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_destructor, program.id, list);
}

static inline ompd_rc_t ompd_cl_svm_pointer_list_open(ompd_address_space_handle_t *space,
                                                      ompd_cl_svm_free_id_t svm_free,
                                                      ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_svm_pointer, svm_free.id, list);
}

static inline ompd_rc_t ompd_cl_kernel_argument_list_open(ompd_address_space_handle_t *space,
                                                          ompd_cl_kernel_id_t kernel,
                                                          ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_argument, kernel.id, list);
}

static inline ompd_rc_t ompd_cl_command_argument_list_open(ompd_address_space_handle_t *space,
                                                           ompd_cl_command_id_t command,
                                                           ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_argument, command.id, list);
}

static inline ompd_rc_t ompd_cl_queue_command_list_open(ompd_address_space_handle_t *space,
                                                        ompd_cl_queue_id_t queue,
                                                        ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_command, queue.id, list);
}

static inline ompd_rc_t
ompd_cl_command_buffer_execution_list_open(ompd_address_space_handle_t *space,
                                           ompd_cl_command_buffer_id_t command_buffer,
                                           ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_command, command_buffer.id, list);
}

static inline ompd_rc_t ompd_cl_semaphore_command_list_open(ompd_address_space_handle_t *space,
                                                            ompd_cl_semaphore_id_t semaphore,
                                                            ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_command, semaphore.id, list);
}

static inline ompd_rc_t ompd_cl_command_access_list_open(ompd_address_space_handle_t *space,
                                                         ompd_cl_command_id_t command,
                                                         ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_access, command.id, list);
}

static inline ompd_rc_t ompd_cl_kernel_access_list_open(ompd_address_space_handle_t *space,
                                                        ompd_cl_kernel_id_t kernel,
                                                        ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_access, kernel.id, list);
}

static inline ompd_rc_t ompd_cl_memobj_mapping_list_open(ompd_address_space_handle_t *space,
                                                         ompd_cl_memobj_id_t memobj,
                                                         ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_mapping, memobj.id, list);
}

static inline ompd_rc_t ompd_cl_svm_mapping_list_open(ompd_address_space_handle_t *space,
                                                      ompd_cl_svm_id_t svm, ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_mapping, svm.id, list);
}

static inline ompd_rc_t ompd_cl_wait_list_open(ompd_address_space_handle_t *space,
                                               ompd_cl_svm_free_id_t svm_free, ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_wait, svm_free.id, list);
}

static inline ompd_rc_t ompd_cl_command_wait_list_open(ompd_address_space_handle_t *space,
                                                       ompd_cl_command_id_t command,
                                                       ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_wait, command.id, list);
}

static inline ompd_rc_t ompd_cl_activity_list_open(ompd_address_space_handle_t *space,
                                                   ompd_cl_thread_id_t thread, ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_activity, thread.id, list);
}

static inline ompd_rc_t ompd_cl_memobj_reference_site_list_open(ompd_address_space_handle_t *space,
                                                                ompd_cl_memobj_id_t memobj,
                                                                ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_reference_site, memobj.id, list);
}

static inline ompd_rc_t ompd_cl_context_reference_site_list_open(ompd_address_space_handle_t *space,
                                                                 ompd_cl_context_id_t context,
                                                                 ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_reference_site, context.id, list);
}

static inline ompd_rc_t ompd_cl_queue_reference_site_list_open(ompd_address_space_handle_t *space,
                                                               ompd_cl_queue_id_t queue,
                                                               ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_reference_site, queue.id, list);
}

static inline ompd_rc_t
ompd_cl_command_buffer_command_list_open(ompd_address_space_handle_t *space,
                                         ompd_cl_command_buffer_id_t command_buffer,
                                         ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_buffered_command, command_buffer.id, list);
}

static inline ompd_rc_t
ompd_cl_embree_scene_geometry_list_open(ompd_address_space_handle_t *space,
                                        ompd_cl_embree_scene_id_t embree_scene,
                                        ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_embree_geometry, embree_scene.id, list);
}

static inline ompd_rc_t
ompd_cl_embree_geometry_buffer_list_open(ompd_address_space_handle_t *space,
                                         ompd_cl_embree_geometry_id_t embree_geometry,
                                         ompd_cl_list_t *list)
{
    return ompd_cl_object_list_open(space, ompd_cl_kind_embree_buffer, embree_geometry.id, list);
}

/* Give the next rows of a list: see ompd_cl_list_next. */

static inline ompd_rc_t ompd_cl_platform_list_next(ompd_address_space_handle_t *space,
                                                   ompd_cl_list_t list, ompd_size_t capacity,
                                                   ompd_cl_platform_info_t *rows,
                                                   ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_platform, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_device_list_next(ompd_address_space_handle_t *space,
                                                 ompd_cl_list_t list, ompd_size_t capacity,
                                                 ompd_cl_device_info_t *rows, ompd_size_t *count,
                                                 ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_device, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_context_list_next(ompd_address_space_handle_t *space,
                                                  ompd_cl_list_t list, ompd_size_t capacity,
                                                  ompd_cl_context_info_t *rows, ompd_size_t *count,
                                                  ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_context, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_queue_list_next(ompd_address_space_handle_t *space,
                                                ompd_cl_list_t list, ompd_size_t capacity,
                                                ompd_cl_queue_info_t *rows, ompd_size_t *count,
                                                ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_queue, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_memobj_list_next(ompd_address_space_handle_t *space,
                                                 ompd_cl_list_t list, ompd_size_t capacity,
                                                 ompd_cl_memobj_info_t *rows, ompd_size_t *count,
                                                 ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_memobj, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_destructor_list_next(ompd_address_space_handle_t *space,
                                                     ompd_cl_list_t list, ompd_size_t capacity,
                                                     ompd_cl_destructor_info_t *rows,
                                                     ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_destructor, capacity, rows, count,
                             unreadable);
}

static inline ompd_rc_t ompd_cl_svm_list_next(ompd_address_space_handle_t *space,
                                              ompd_cl_list_t list, ompd_size_t capacity,
                                              ompd_cl_svm_info_t *rows, ompd_size_t *count,
                                              ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_svm, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_svm_free_list_next(ompd_address_space_handle_t *space,
                                                   ompd_cl_list_t list, ompd_size_t capacity,
                                                   ompd_cl_svm_free_info_t *rows,
                                                   ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_svm_free, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_svm_pointer_list_next(ompd_address_space_handle_t *space,
                                                      ompd_cl_list_t list, ompd_size_t capacity,
                                                      ompd_cl_svm_pointer_info_t *rows,
                                                      ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_svm_pointer, capacity, rows, count,
                             unreadable);
}

static inline ompd_rc_t ompd_cl_program_list_next(ompd_address_space_handle_t *space,
                                                  ompd_cl_list_t list, ompd_size_t capacity,
                                                  ompd_cl_program_info_t *rows, ompd_size_t *count,
                                                  ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_program, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_kernel_list_next(ompd_address_space_handle_t *space,
                                                 ompd_cl_list_t list, ompd_size_t capacity,
                                                 ompd_cl_kernel_info_t *rows, ompd_size_t *count,
                                                 ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_kernel, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_argument_list_next(ompd_address_space_handle_t *space,
                                                   ompd_cl_list_t list, ompd_size_t capacity,
                                                   ompd_cl_argument_info_t *rows,
                                                   ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_argument, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_sampler_list_next(ompd_address_space_handle_t *space,
                                                  ompd_cl_list_t list, ompd_size_t capacity,
                                                  ompd_cl_sampler_info_t *rows, ompd_size_t *count,
                                                  ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_sampler, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_command_list_next(ompd_address_space_handle_t *space,
                                                  ompd_cl_list_t list, ompd_size_t capacity,
                                                  ompd_cl_command_info_t *rows, ompd_size_t *count,
                                                  ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_command, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_access_list_next(ompd_address_space_handle_t *space,
                                                 ompd_cl_list_t list, ompd_size_t capacity,
                                                 ompd_cl_access_info_t *rows, ompd_size_t *count,
                                                 ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_access, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_mapping_list_next(ompd_address_space_handle_t *space,
                                                  ompd_cl_list_t list, ompd_size_t capacity,
                                                  ompd_cl_mapping_info_t *rows, ompd_size_t *count,
                                                  ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_mapping, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_event_list_next(ompd_address_space_handle_t *space,
                                                ompd_cl_list_t list, ompd_size_t capacity,
                                                ompd_cl_event_info_t *rows, ompd_size_t *count,
                                                ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_event, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_wait_list_next(ompd_address_space_handle_t *space,
                                               ompd_cl_list_t list, ompd_size_t capacity,
                                               ompd_cl_wait_info_t *rows, ompd_size_t *count,
                                               ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_wait, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_callback_list_next(ompd_address_space_handle_t *space,
                                                   ompd_cl_list_t list, ompd_size_t capacity,
                                                   ompd_cl_callback_info_t *rows,
                                                   ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_callback, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_thread_list_next(ompd_address_space_handle_t *space,
                                                 ompd_cl_list_t list, ompd_size_t capacity,
                                                 ompd_cl_thread_info_t *rows, ompd_size_t *count,
                                                 ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_thread, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_activity_list_next(ompd_address_space_handle_t *space,
                                                   ompd_cl_list_t list, ompd_size_t capacity,
                                                   ompd_cl_activity_info_t *rows,
                                                   ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_activity, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_call_list_next(ompd_address_space_handle_t *space,
                                               ompd_cl_list_t list, ompd_size_t capacity,
                                               ompd_cl_call_info_t *rows, ompd_size_t *count,
                                               ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_call, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_error_list_next(ompd_address_space_handle_t *space,
                                                ompd_cl_list_t list, ompd_size_t capacity,
                                                ompd_cl_error_info_t *rows, ompd_size_t *count,
                                                ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_error, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_message_list_next(ompd_address_space_handle_t *space,
                                                  ompd_cl_list_t list, ompd_size_t capacity,
                                                  ompd_cl_message_info_t *rows, ompd_size_t *count,
                                                  ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_message, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_destroyed_list_next(ompd_address_space_handle_t *space,
                                                    ompd_cl_list_t list, ompd_size_t capacity,
                                                    ompd_cl_destroyed_info_t *rows,
                                                    ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_destroyed, capacity, rows, count,
                             unreadable);
}

static inline ompd_rc_t ompd_cl_ledger_list_next(ompd_address_space_handle_t *space,
                                                 ompd_cl_list_t list, ompd_size_t capacity,
                                                 ompd_cl_ledger_info_t *rows, ompd_size_t *count,
                                                 ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_ledger, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_finding_list_next(ompd_address_space_handle_t *space,
                                                  ompd_cl_list_t list, ompd_size_t capacity,
                                                  ompd_cl_finding_info_t *rows, ompd_size_t *count,
                                                  ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_finding, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_wait_step_list_next(ompd_address_space_handle_t *space,
                                                    ompd_cl_list_t list, ompd_size_t capacity,
                                                    ompd_cl_wait_step_info_t *rows,
                                                    ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_wait_step, capacity, rows, count,
                             unreadable);
}

static inline ompd_rc_t ompd_cl_reference_site_list_next(ompd_address_space_handle_t *space,
                                                         ompd_cl_list_t list, ompd_size_t capacity,
                                                         ompd_cl_reference_site_info_t *rows,
                                                         ompd_size_t *count,
                                                         ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_reference_site, capacity, rows, count,
                             unreadable);
}

static inline ompd_rc_t ompd_cl_leak_list_next(ompd_address_space_handle_t *space,
                                               ompd_cl_list_t list, ompd_size_t capacity,
                                               ompd_cl_leak_info_t *rows, ompd_size_t *count,
                                               ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_leak, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_usage_list_next(ompd_address_space_handle_t *space,
                                                ompd_cl_list_t list, ompd_size_t capacity,
                                                ompd_cl_usage_info_t *rows, ompd_size_t *count,
                                                ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_usage, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_runtime_list_next(ompd_address_space_handle_t *space,
                                                  ompd_cl_list_t list, ompd_size_t capacity,
                                                  ompd_cl_runtime_info_t *rows, ompd_size_t *count,
                                                  ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_runtime, capacity, rows, count, unreadable);
}

static inline ompd_rc_t ompd_cl_command_buffer_list_next(ompd_address_space_handle_t *space,
                                                         ompd_cl_list_t list, ompd_size_t capacity,
                                                         ompd_cl_command_buffer_info_t *rows,
                                                         ompd_size_t *count,
                                                         ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_command_buffer, capacity, rows, count,
                             unreadable);
}

static inline ompd_rc_t
ompd_cl_buffered_command_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                   ompd_size_t capacity, ompd_cl_buffered_command_info_t *rows,
                                   ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_buffered_command, capacity, rows, count,
                             unreadable);
}

static inline ompd_rc_t ompd_cl_semaphore_list_next(ompd_address_space_handle_t *space,
                                                    ompd_cl_list_t list, ompd_size_t capacity,
                                                    ompd_cl_semaphore_info_t *rows,
                                                    ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_semaphore, capacity, rows, count,
                             unreadable);
}

static inline ompd_rc_t ompd_cl_embree_device_list_next(ompd_address_space_handle_t *space,
                                                        ompd_cl_list_t list, ompd_size_t capacity,
                                                        ompd_cl_embree_device_info_t *rows,
                                                        ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_embree_device, capacity, rows, count,
                             unreadable);
}

static inline ompd_rc_t ompd_cl_embree_scene_list_next(ompd_address_space_handle_t *space,
                                                       ompd_cl_list_t list, ompd_size_t capacity,
                                                       ompd_cl_embree_scene_info_t *rows,
                                                       ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_embree_scene, capacity, rows, count,
                             unreadable);
}

static inline ompd_rc_t ompd_cl_embree_geometry_list_next(ompd_address_space_handle_t *space,
                                                          ompd_cl_list_t list, ompd_size_t capacity,
                                                          ompd_cl_embree_geometry_info_t *rows,
                                                          ompd_size_t *count,
                                                          ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_embree_geometry, capacity, rows, count,
                             unreadable);
}

static inline ompd_rc_t ompd_cl_embree_buffer_list_next(ompd_address_space_handle_t *space,
                                                        ompd_cl_list_t list, ompd_size_t capacity,
                                                        ompd_cl_embree_buffer_info_t *rows,
                                                        ompd_size_t *count, ompd_size_t *unreadable)
{
    return ompd_cl_list_next(space, list, ompd_cl_kind_embree_buffer, capacity, rows, count,
                             unreadable);
}

/* Find an object: see ompd_cl_object_find. */

static inline ompd_rc_t ompd_cl_context_find(ompd_address_space_handle_t *space, uint64_t handle,
                                             ompd_cl_context_id_t *context)
{
    return ompd_cl_object_find(space, ompd_cl_kind_context, handle,
                               context == NULL ? NULL : &context->id);
}

static inline ompd_rc_t ompd_cl_queue_find(ompd_address_space_handle_t *space, uint64_t handle,
                                           ompd_cl_queue_id_t *queue)
{
    return ompd_cl_object_find(space, ompd_cl_kind_queue, handle,
                               queue == NULL ? NULL : &queue->id);
}

static inline ompd_rc_t ompd_cl_memobj_find(ompd_address_space_handle_t *space, uint64_t handle,
                                            ompd_cl_memobj_id_t *memobj)
{
    return ompd_cl_object_find(space, ompd_cl_kind_memobj, handle,
                               memobj == NULL ? NULL : &memobj->id);
}

static inline ompd_rc_t ompd_cl_svm_find(ompd_address_space_handle_t *space, uint64_t pointer,
                                         ompd_cl_svm_id_t *svm)
{
    return ompd_cl_object_find(space, ompd_cl_kind_svm, pointer, svm == NULL ? NULL : &svm->id);
}

static inline ompd_rc_t ompd_cl_program_find(ompd_address_space_handle_t *space, uint64_t handle,
                                             ompd_cl_program_id_t *program)
{
    return ompd_cl_object_find(space, ompd_cl_kind_program, handle,
                               program == NULL ? NULL : &program->id);
}

static inline ompd_rc_t ompd_cl_kernel_find(ompd_address_space_handle_t *space, uint64_t handle,
                                            ompd_cl_kernel_id_t *kernel)
{
    return ompd_cl_object_find(space, ompd_cl_kind_kernel, handle,
                               kernel == NULL ? NULL : &kernel->id);
}

static inline ompd_rc_t ompd_cl_sampler_find(ompd_address_space_handle_t *space, uint64_t handle,
                                             ompd_cl_sampler_id_t *sampler)
{
    return ompd_cl_object_find(space, ompd_cl_kind_sampler, handle,
                               sampler == NULL ? NULL : &sampler->id);
}

static inline ompd_rc_t ompd_cl_event_find(ompd_address_space_handle_t *space, uint64_t handle,
                                           ompd_cl_event_id_t *event)
{
    return ompd_cl_object_find(space, ompd_cl_kind_event, handle,
                               event == NULL ? NULL : &event->id);
}

static inline ompd_rc_t ompd_cl_thread_find(ompd_address_space_handle_t *space, uint64_t lwp,
                                            ompd_cl_thread_id_t *thread)
{
    return ompd_cl_object_find(space, ompd_cl_kind_thread, lwp,
                               thread == NULL ? NULL : &thread->id);
}

static inline ompd_rc_t ompd_cl_command_buffer_find(ompd_address_space_handle_t *space,
                                                    uint64_t handle,
                                                    ompd_cl_command_buffer_id_t *command_buffer)
{
    return ompd_cl_object_find(space, ompd_cl_kind_command_buffer, handle,
                               command_buffer == NULL ? NULL : &command_buffer->id);
}

static inline ompd_rc_t ompd_cl_semaphore_find(ompd_address_space_handle_t *space, uint64_t handle,
                                               ompd_cl_semaphore_id_t *semaphore)
{
    return ompd_cl_object_find(space, ompd_cl_kind_semaphore, handle,
                               semaphore == NULL ? NULL : &semaphore->id);
}

static inline ompd_rc_t ompd_cl_embree_device_find(ompd_address_space_handle_t *space,
                                                   uint64_t handle,
                                                   ompd_cl_embree_device_id_t *embree_device)
{
    return ompd_cl_object_find(space, ompd_cl_kind_embree_device, handle,
                               embree_device == NULL ? NULL : &embree_device->id);
}

static inline ompd_rc_t ompd_cl_embree_scene_find(ompd_address_space_handle_t *space,
                                                  uint64_t handle,
                                                  ompd_cl_embree_scene_id_t *embree_scene)
{
    return ompd_cl_object_find(space, ompd_cl_kind_embree_scene, handle,
                               embree_scene == NULL ? NULL : &embree_scene->id);
}

static inline ompd_rc_t ompd_cl_embree_geometry_find(ompd_address_space_handle_t *space,
                                                     uint64_t handle,
                                                     ompd_cl_embree_geometry_id_t *embree_geometry)
{
    return ompd_cl_object_find(space, ompd_cl_kind_embree_geometry, handle,
                               embree_geometry == NULL ? NULL : &embree_geometry->id);
}

static inline ompd_rc_t ompd_cl_embree_buffer_find(ompd_address_space_handle_t *space,
                                                   uint64_t handle,
                                                   ompd_cl_embree_buffer_id_t *embree_buffer)
{
    return ompd_cl_object_find(space, ompd_cl_kind_embree_buffer, handle,
                               embree_buffer == NULL ? NULL : &embree_buffer->id);
}

/* Describe one object: see ompd_cl_object_get. */

static inline ompd_rc_t ompd_cl_context_get(ompd_address_space_handle_t *space,
                                            ompd_cl_context_id_t context,
                                            ompd_cl_context_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_context, context.id, info);
}

static inline ompd_rc_t ompd_cl_queue_get(ompd_address_space_handle_t *space,
                                          ompd_cl_queue_id_t queue, ompd_cl_queue_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_queue, queue.id, info);
}

static inline ompd_rc_t ompd_cl_memobj_get(ompd_address_space_handle_t *space,
                                           ompd_cl_memobj_id_t memobj, ompd_cl_memobj_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_memobj, memobj.id, info);
}

static inline ompd_rc_t ompd_cl_svm_get(ompd_address_space_handle_t *space, ompd_cl_svm_id_t svm,
                                        ompd_cl_svm_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_svm, svm.id, info);
}

static inline ompd_rc_t ompd_cl_svm_free_get(ompd_address_space_handle_t *space,
                                             ompd_cl_svm_free_id_t svm_free,
                                             ompd_cl_svm_free_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_svm_free, svm_free.id, info);
}

static inline ompd_rc_t ompd_cl_program_get(ompd_address_space_handle_t *space,
                                            ompd_cl_program_id_t program,
                                            ompd_cl_program_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_program, program.id, info);
}

static inline ompd_rc_t ompd_cl_kernel_get(ompd_address_space_handle_t *space,
                                           ompd_cl_kernel_id_t kernel, ompd_cl_kernel_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_kernel, kernel.id, info);
}

static inline ompd_rc_t ompd_cl_sampler_get(ompd_address_space_handle_t *space,
                                            ompd_cl_sampler_id_t sampler,
                                            ompd_cl_sampler_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_sampler, sampler.id, info);
}

static inline ompd_rc_t ompd_cl_command_get(ompd_address_space_handle_t *space,
                                            ompd_cl_command_id_t command,
                                            ompd_cl_command_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_command, command.id, info);
}

static inline ompd_rc_t ompd_cl_event_get(ompd_address_space_handle_t *space,
                                          ompd_cl_event_id_t event, ompd_cl_event_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_event, event.id, info);
}

static inline ompd_rc_t ompd_cl_thread_get(ompd_address_space_handle_t *space,
                                           ompd_cl_thread_id_t thread, ompd_cl_thread_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_thread, thread.id, info);
}

static inline ompd_rc_t ompd_cl_command_buffer_get(ompd_address_space_handle_t *space,
                                                   ompd_cl_command_buffer_id_t command_buffer,
                                                   ompd_cl_command_buffer_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_command_buffer, command_buffer.id, info);
}

static inline ompd_rc_t ompd_cl_semaphore_get(ompd_address_space_handle_t *space,
                                              ompd_cl_semaphore_id_t semaphore,
                                              ompd_cl_semaphore_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_semaphore, semaphore.id, info);
}

static inline ompd_rc_t ompd_cl_embree_device_get(ompd_address_space_handle_t *space,
                                                  ompd_cl_embree_device_id_t embree_device,
                                                  ompd_cl_embree_device_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_embree_device, embree_device.id, info);
}

static inline ompd_rc_t ompd_cl_embree_scene_get(ompd_address_space_handle_t *space,
                                                 ompd_cl_embree_scene_id_t embree_scene,
                                                 ompd_cl_embree_scene_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_embree_scene, embree_scene.id, info);
}

static inline ompd_rc_t ompd_cl_embree_geometry_get(ompd_address_space_handle_t *space,
                                                    ompd_cl_embree_geometry_id_t embree_geometry,
                                                    ompd_cl_embree_geometry_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_embree_geometry, embree_geometry.id, info);
}

static inline ompd_rc_t ompd_cl_embree_buffer_get(ompd_address_space_handle_t *space,
                                                  ompd_cl_embree_buffer_id_t embree_buffer,
                                                  ompd_cl_embree_buffer_info_t *info)
{
    return ompd_cl_object_get(space, ompd_cl_kind_embree_buffer, embree_buffer.id, info);
}

/* Get the typed id of a row. */

static inline ompd_cl_context_id_t ompd_cl_context_info_id(const ompd_cl_context_info_t *info)
{
    ompd_cl_context_id_t context = {info->head.id};

    return context;
}

static inline ompd_cl_queue_id_t ompd_cl_queue_info_id(const ompd_cl_queue_info_t *info)
{
    ompd_cl_queue_id_t queue = {info->head.id};

    return queue;
}

static inline ompd_cl_memobj_id_t ompd_cl_memobj_info_id(const ompd_cl_memobj_info_t *info)
{
    ompd_cl_memobj_id_t memobj = {info->head.id};

    return memobj;
}

static inline ompd_cl_svm_id_t ompd_cl_svm_info_id(const ompd_cl_svm_info_t *info)
{
    ompd_cl_svm_id_t svm = {info->head.id};

    return svm;
}

static inline ompd_cl_svm_free_id_t ompd_cl_svm_free_info_id(const ompd_cl_svm_free_info_t *info)
{
    ompd_cl_svm_free_id_t svm_free = {info->head.id};

    return svm_free;
}

static inline ompd_cl_program_id_t ompd_cl_program_info_id(const ompd_cl_program_info_t *info)
{
    ompd_cl_program_id_t program = {info->head.id};

    return program;
}

static inline ompd_cl_kernel_id_t ompd_cl_kernel_info_id(const ompd_cl_kernel_info_t *info)
{
    ompd_cl_kernel_id_t kernel = {info->head.id};

    return kernel;
}

static inline ompd_cl_sampler_id_t ompd_cl_sampler_info_id(const ompd_cl_sampler_info_t *info)
{
    ompd_cl_sampler_id_t sampler = {info->head.id};

    return sampler;
}

static inline ompd_cl_command_id_t ompd_cl_command_info_id(const ompd_cl_command_info_t *info)
{
    ompd_cl_command_id_t command = {info->head.id};

    return command;
}

static inline ompd_cl_event_id_t ompd_cl_event_info_id(const ompd_cl_event_info_t *info)
{
    ompd_cl_event_id_t event = {info->head.id};

    return event;
}

static inline ompd_cl_thread_id_t ompd_cl_thread_info_id(const ompd_cl_thread_info_t *info)
{
    ompd_cl_thread_id_t thread = {info->head.id};

    return thread;
}

static inline ompd_cl_command_buffer_id_t
ompd_cl_command_buffer_info_id(const ompd_cl_command_buffer_info_t *info)
{
    ompd_cl_command_buffer_id_t command_buffer = {info->head.id};

    return command_buffer;
}

static inline ompd_cl_semaphore_id_t ompd_cl_semaphore_info_id(const ompd_cl_semaphore_info_t *info)
{
    ompd_cl_semaphore_id_t semaphore = {info->head.id};

    return semaphore;
}

static inline ompd_cl_embree_device_id_t
ompd_cl_embree_device_info_id(const ompd_cl_embree_device_info_t *info)
{
    ompd_cl_embree_device_id_t embree_device = {info->head.id};

    return embree_device;
}

static inline ompd_cl_embree_scene_id_t
ompd_cl_embree_scene_info_id(const ompd_cl_embree_scene_info_t *info)
{
    ompd_cl_embree_scene_id_t embree_scene = {info->head.id};

    return embree_scene;
}

static inline ompd_cl_embree_geometry_id_t
ompd_cl_embree_geometry_info_id(const ompd_cl_embree_geometry_info_t *info)
{
    ompd_cl_embree_geometry_id_t embree_geometry = {info->head.id};

    return embree_geometry;
}

static inline ompd_cl_embree_buffer_id_t
ompd_cl_embree_buffer_info_id(const ompd_cl_embree_buffer_info_t *info)
{
    ompd_cl_embree_buffer_id_t embree_buffer = {info->head.id};

    return embree_buffer;
}

/* Name number INDEX of FIELD, below its name_count: see ompd_cl_field_get. */
static inline const ompd_cl_name_t *ompd_cl_field_name_at(const ompd_cl_field_t *field,
                                                          uint32_t index)
{
    return (const ompd_cl_name_t *)(const void *)((const char *)field->names +
                                                  index * field->names->struct_size);
}

#ifdef __cplusplus
}
#endif

#endif
