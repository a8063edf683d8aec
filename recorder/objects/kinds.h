/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the recorder stores for objects of each kind. */
#ifndef RECORDER_KINDS_H
#define RECORDER_KINDS_H

#include "objects/calls.h"
#include "objects/objects.h"

#include <ompd-opencl-registry.h>
#include <stdint.h>

#include <CL/cl.h>

/* ---- callback -------------------------------------------------------------------------------- */

/*
 * Destructor callbacks of memory objects, OpenCL contexts and programs.
 *
 * The recorder registers a trampoline with the runtime instead of the program's function. Its user
 * data names a slot of the callback table. The recorder registers nothing that the program did not
 * register.
 */

/* A callback that the program registers. */
struct recorder_registration {
    struct recorder_entry object; /* on which it is registered */
    struct recorder_slot slot;    /* of the callback */
    void *slot_ref;               /* user data for the runtime */
};

/* Add FUNCTION, to be called with USER_DATA, to the list of HANDLE's object of TABLE, newest first.
 * Returns false when it is not recorded: then the program's own function must be registered. */
RECORDER_INLINE bool recorder_callback_register(struct recorder_registration *registration,
                                                uint32_t table, const void *handle,
                                                const void *function, const void *user_data,
                                                const void *return_address);

/* The runtime refused the registration: remove the callback. */
void recorder_callback_withdraw(struct recorder_entry entry, uint32_t index);

/* The slow path of the function below. */
void recorder_callback_compare(const struct recorder_registration *registration,
                               const void *return_address);

/* The callback was registered, by the call that returns to RETURN_ADDRESS. Record as a mistake that
 * the object has another one with the same function and user data. */
RECORDER_INLINE void recorder_callback_registered(const struct recorder_registration *registration,
                                                  const void *return_address)
{
    const struct ompd_cl_registry_callback_record *record = registration->slot.record;
    if (record->next && record->user_data) {
        recorder_callback_compare(registration, return_address);
    }
}

/* Run the program's function that USER_DATA names, for HANDLE. All trampolines call this. (The
 * functions of the three kinds of objects differ only in the type of the handle.) */
void recorder_callback_run(void *handle, void *user_data);

/* The object ends, and with it its callbacks. FINISHED has just returned, or is RECORDER_NO_SLOT.
 */
void recorder_callbacks_end(const struct recorder_entry *entry, uint32_t finished);

/* `callbacks` (index of the newest plus 1) and `callback_count` of an object, as one word. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define RECORDER_CALLBACKS_NEWEST 0
#define RECORDER_CALLBACKS_COUNT 32
#else
#define RECORDER_CALLBACKS_NEWEST 32
#define RECORDER_CALLBACKS_COUNT 0
#endif

RECORDER_INLINE uint64_t *recorder_callbacks_word(struct ompd_cl_registry_object *object)
{
    return (uint64_t *)(void *)&object->callbacks;
}

RECORDER_INLINE uint32_t recorder_callbacks_newest(uint64_t word)
{
    return (uint32_t)(word >> RECORDER_CALLBACKS_NEWEST);
}

RECORDER_INLINE uint32_t recorder_callbacks_count(uint64_t word)
{
    return (uint32_t)(word >> RECORDER_CALLBACKS_COUNT);
}

RECORDER_INLINE uint64_t recorder_callbacks_make(uint32_t newest, uint32_t count)
{
    return (uint64_t)newest << RECORDER_CALLBACKS_NEWEST | (uint64_t)count
                                                               << RECORDER_CALLBACKS_COUNT;
}

RECORDER_INLINE struct ompd_cl_registry_callback_record *recorder_callback_record(uint32_t index)
{
    return recorder_record(ompd_cl_registry_callback, index);
}

RECORDER_INLINE struct ompd_cl_registry_callback_record *
recorder_callback_at(const struct recorder_slot *slot)
{
    return slot->record;
}

/* The callback of SLOT is no longer needed. */
RECORDER_INLINE void recorder_callback_slot_end(struct recorder_heap *heap,
                                                const struct recorder_slot *slot)
{
    __atomic_store_n(&recorder_callback_at(slot)->run, 0, __ATOMIC_RELEASE);
    recorder_usage_add(heap, ompd_cl_registry_callback - 1, -1);
    recorder_slot_free(heap, ompd_cl_registry_callback, slot);
}

/* Fill SLOT with a callback of ENTRY's object. Returns the slot ref. */
RECORDER_INLINE void *recorder_callback_push(struct recorder_slot *slot,
                                             const struct recorder_entry *entry,
                                             const void *function, const void *user_data,
                                             const void *return_address)
{
    recorder_slot_take(slot, entry->heap, ompd_cl_registry_callback);
    if (RECORDER_UNLIKELY(slot->index == RECORDER_NO_SLOT)) {
        recorder_count_not_recorded();
        return NULL;
    }
    struct ompd_cl_registry_callback_record *record = slot->record;
    struct recorder_site site;
    recorder_site_find(&site, return_address);
    record->function = (uintptr_t)function;
    record->user_data = (uintptr_t)user_data;
    record->user_data_place = recorder_user_data_place(user_data);
    record->caller = site.caller;
    record->stack = site.stack;
    record->object = entry->reference;
    record->object_generation = entry->generation;
    record->lwp = entry->heap->lwp;
    __atomic_store_n(&record->run, OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_registered),
                     __ATOMIC_RELEASE);
    uint64_t *word = recorder_callbacks_word(entry->object);
    uint64_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
    uint64_t after;
    do {
        __atomic_store_n(&record->next, recorder_callbacks_newest(before), __ATOMIC_RELAXED);
        after = recorder_callbacks_make(slot->index + 1, recorder_callbacks_count(before) + 1);
    } while (!__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED));
    recorder_chunk_changed(entry->heap, slot->chunk);
    recorder_object_changed(entry);
    recorder_usage_add(entry->heap, ompd_cl_registry_callback - 1, 1);
    return recorder_slot_ref_make(slot->index, record->generation);
}

RECORDER_INLINE bool recorder_callback_register(struct recorder_registration *registration,
                                                uint32_t table, const void *handle,
                                                const void *function, const void *user_data,
                                                const void *return_address)
{
    registration->slot.index = RECORDER_NO_SLOT;
    bool is_known = recorder_object_find(&registration->object, table, handle);
    if (RECORDER_LIKELY(function && is_known)) {
        registration->slot_ref = recorder_callback_push(&registration->slot, &registration->object,
                                                        function, user_data, return_address);
    } else if (function) {
        recorder_count_unknown_handle();
    }
    return RECORDER_LIKELY(registration->slot.index != RECORDER_NO_SLOT);
}

/* ---- buffered-command ------------------------------------------------------------------------ */

/* Commands in command buffers. */

/* The parameters of the functions clCommand...KHR, which differ by the version of
 * cl_khr_command_buffer that the device implements. */
enum recorder_buffered_form {
    recorder_form_unknown,
    recorder_form_without_properties, /* before version 0.9.5: only clCommandNDRangeKernelKHR */
    recorder_form_with_properties
};

/* What the call is given that records a command, and what it returned; 0 for what does not apply.
 */
struct recorder_buffered_facts {
    cl_command_type type;
    const void *handle; /* cl_mutable_command_khr */
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem memobj;
    cl_mem destination;
    const void *svm_destination;
    const void *svm_source;
    cl_uint sync_count;
    const cl_uint *sync_points; /* those that it waits for */
    uint64_t sync_point;        /* its own plus 1 */
};

/* The program has recorded a command into BUFFER, by the call that returns to RETURN_ADDRESS. */
void recorder_buffered_command_add(const struct recorder_entry *buffer,
                                   const struct recorder_buffered_facts *facts,
                                   const void *return_address);

/* BUFFER has ended, and with it its commands. */
void recorder_buffered_commands_end(const struct recorder_entry *buffer);

/* In the child of a fork(): count what the commands retain. */
void recorder_buffered_commands_repair(struct recorder_heap *heap);

/* ---- command-buffer -------------------------------------------------------------------------- */

/* Command buffers, which retain their queues and what their commands use. */

/* The facts from the call that creates one. */
struct recorder_command_buffer {
    cl_command_buffer_khr handle; /* NULL: none was created */
    cl_uint queue_count;
    const cl_command_queue *queues;
    const cl_properties *properties;
    enum recorder_buffered_form form;
    bool is_remapped; /* a copy of another one, whose commands are not recorded */
    const void *return_address;
};

void recorder_command_buffer_created(const struct recorder_command_buffer *buffer);

/* The program has finalized BUFFER, updated its mutable commands */
void recorder_command_buffer_finalized(cl_command_buffer_khr buffer);
void recorder_command_buffer_updated(cl_command_buffer_khr buffer);

/* or enqueued it. */
void recorder_command_buffer_enqueued(cl_command_buffer_khr buffer);

/* The runtime has refused COMMAND, which was to execute BUFFER. */
void recorder_command_buffer_refused(cl_command_buffer_khr buffer,
                                     const struct recorder_command *command);

/* Call it before the runtime's function: COMMAND is to execute BUFFER. */
void recorder_command_buffer_used(cl_command_buffer_khr buffer,
                                  const struct recorder_command *command);

/* Get the first ROOM queues of BUFFER. Returns their number. */
cl_uint recorder_command_buffer_queues(cl_command_buffer_khr buffer, cl_command_queue *queues,
                                       cl_uint room);

/* The record of ENTRY has ended: end its commands, and release its queues. */
void recorder_command_buffer_ended(const struct recorder_entry *entry);

/* In the child of a fork(): count what command buffers retain. */
void recorder_command_buffers_repair(struct recorder_heap *heap);

/* ---- kernel ---------------------------------------------------------------------------------- */

/* Kernels. */

/* Pointers of a kernel's execution information; LOST are not in the list. */
struct recorder_exec_pointers {
    struct recorder_address_list list;
    uint32_t lost;
};

/* KERNEL, of the function NAME, was created from PROGRAM. */
void recorder_kernel_created(cl_kernel kernel, cl_program program, const char *name,
                             const void *return_address);

/* KERNEL was created as a copy of SOURCE, with its arguments and its execution information. */
void recorder_kernel_cloned(cl_kernel kernel, cl_kernel source, const void *return_address);

/* The record of KERNEL has ended: free its blocks. */
void recorder_kernel_ended(const struct recorder_entry *kernel);

/* clSetKernelArg, which returns to RETURN_ADDRESS, has set argument INDEX of KERNEL to SIZE bytes
 * at VALUE, or NULL. Returns false if its size may be wrong: recorder_kernel_size_check then finds
 * out. */
bool recorder_kernel_argument_set(cl_kernel kernel, cl_uint index, size_t size, const void *value,
                                  const void *return_address);

/* Argument INDEX of KERNEL was set to the SVM pointer POINTER. */
void recorder_kernel_argument_set_svm(cl_kernel kernel, cl_uint index, const void *pointer,
                                      const void *return_address);

/* The same to a device address (cl_ext_buffer_device_address). */
void recorder_kernel_argument_set_device(cl_kernel kernel, cl_uint index, uint64_t address,
                                         const void *return_address);

/* The call that returns to RETURN_ADDRESS has enqueued KERNEL. Returns false if some of its
 * arguments may never have been set: recorder_kernel_arguments_count then finds out. */
bool recorder_kernel_enqueued(cl_kernel kernel, const void *return_address);

/* Copy the current arguments of KERNEL, which may be NULL, to ARGUMENTS, which no other thread can
 * see yet, and the pointers of its execution information to *POINTERS, empty or NULL. */
void recorder_kernel_arguments_get(cl_kernel kernel, struct ompd_cl_registry_arguments *arguments,
                                   struct recorder_exec_pointers *pointers);

/* KERNEL is about to be enqueued, by the call that returns to RETURN_ADDRESS. Record as mistakes
 * its arguments that are memory objects that the program has released. */
void recorder_kernel_arguments_check(cl_kernel kernel, const void *return_address);

/* ---- kernel-exec-info ------------------------------------------------------------------------ */

/* What the program has set by clSetKernelExecInfo: the SVM and USM pointers that a kernel uses
 * besides its arguments, and the kinds of memory of which it may use any. */

/* The runtime has accepted NAME of KERNEL: the SIZE bytes at VALUE, which may be NULL. */
void recorder_kernel_exec_info_set(cl_kernel kernel, uint32_t name, size_t size, const void *value);

/* Copy the pointers of KERNEL to *POINTERS, which is empty. */
void recorder_exec_pointers_copy(struct recorder_exec_pointers *pointers,
                                 const struct recorder_entry *kernel);

/* The number of pointers of KERNEL, which may be NULL. */
uint32_t recorder_exec_pointers_count(cl_kernel kernel);

/* Copy the execution information of ORIGINAL to KERNEL, which no other thread can see yet. */
void recorder_kernel_exec_info_copy(const struct recorder_entry *kernel,
                                    const struct recorder_entry *original);

/* ---- argument-type --------------------------------------------------------------------------- */

/* The size in bytes of an argument whose OpenCL C type is NAME, as clGetKernelArgInfo returns both;
 * 0 when it is unknown, as that of a struct is. */
uint32_t recorder_argument_type_size(cl_kernel_arg_address_qualifier address, const char *name);

/* ---- kernel-check ---------------------------------------------------------------------------- */

/*
 * The arguments that the function of a kernel has, according to the runtime, which is asked once
 * for each argument of a kernel.
 */

/* `sizes` of a kernel's record: bytes, or one of these. */
enum { RECORDER_SIZE_NOT_ASKED = 0, RECORDER_SIZE_UNKNOWN = 255 };

/* Whether the runtime of KERNEL has clGetKernelArgInfo, which is of OpenCL 1.2. */
bool recorder_kernel_has_argument_info(cl_kernel kernel);

/* The runtime has told the size of argument INDEX of KERNEL, in bytes; 0: it is unknown. */
void recorder_kernel_size_told(cl_kernel kernel, cl_uint index, uint32_t size);

/* The runtime tells nothing of the arguments of KERNEL. */
void recorder_kernel_sizes_unknown(cl_kernel kernel);

/* The call that returns to RETURN_ADDRESS has set argument INDEX of KERNEL to SIZE bytes: record
 * that as a mistake if it has another size. Returns false if the runtime was not asked for it. */
bool recorder_kernel_size_check(cl_kernel kernel, cl_uint index, size_t size,
                                const void *return_address);

/* KERNEL, which was enqueued by the call that returns to RETURN_ADDRESS, has COUNT arguments; 0:
 * unknown. Record as a mistake that one was never set. */
void recorder_kernel_arguments_count(cl_kernel kernel, cl_uint count, const void *return_address);

/* ---- kernel-sharing -------------------------------------------------------------------------- */

/*
 * Kernels that several threads use. A thread sets arguments and then enqueues the kernel. If
 * another thread replaces an argument meanwhile, the command gets the other's value (OpenCL 3.0,
 * appendix A.2).
 *
 * As long as one thread uses a kernel, only that thread is stored. Each other kernel that is
 * observed has a record, which says who set each argument, and whose value was lost.
 */

/* `user` of a kernel that several threads have used. */
#define RECORDER_SHARED UINT32_MAX

/* A thread, by the serial of its record. */
RECORDER_INLINE uint32_t recorder_thread_number(const struct recorder_heap *heap)
{
    return (uint32_t)heap->thread->serial;
}

/* The slow path of the next function: the calling thread is the first to use KERNEL, or another one
 * has used it. */
bool recorder_kernel_is_shared_now(const struct recorder_entry *kernel);

/* Whether other threads than the calling one have used KERNEL. */
RECORDER_INLINE bool recorder_kernel_is_shared(const struct recorder_entry *kernel)
{
    uint32_t user = __atomic_load_n(&recorder_kernel_record(kernel)->user, __ATOMIC_RELAXED);
    return RECORDER_UNLIKELY(user != recorder_thread_number(kernel->heap)) &&
           recorder_kernel_is_shared_now(kernel);
}

/* The record of KERNEL has ended. */
void recorder_kernel_sharing_end(struct ompd_cl_registry_kernel_record *kernel);

/* What an argument is at a moment; `form` 0: not set. */
struct recorder_argument_now {
    uint32_t form;
    uint64_t value;
};

struct recorder_argument_now recorder_argument_now(const struct ompd_cl_registry_arguments *all,
                                                   uint32_t index);

/* The calling thread has set argument INDEX of KERNEL, which is shared. It was BEFORE. */
void recorder_kernel_argument_shared(const struct recorder_entry *kernel, uint32_t index,
                                     const struct recorder_argument_now *before,
                                     const void *return_address);

/* The calling thread has enqueued KERNEL, which is shared. */
void recorder_kernel_shared_enqueued(const struct recorder_entry *kernel,
                                     const void *return_address);

/* ---- memobj ---------------------------------------------------------------------------------- */

/* What the recorder stores for a memory object when it is created. */

/* The facts from the call that creates it; 0 for what does not apply. */
struct recorder_memobj {
    cl_mem handle;
    cl_context context; /* NULL: its parent's */
    cl_mem parent;
    cl_mem_object_type type;
    cl_mem_flags flags; /* as passed */
    uint64_t size;
    const void *host_pointer; /* as passed */
    uint64_t origin;
    enum ompd_cl_registry_sharing sharing;
    uint32_t sharing_name;
    const cl_mem_properties *properties; /* NULL: none, or as clCreateBufferWithProperties */
    uint32_t element_size;               /* bytes of a pixel of an image; 0: not known */
    const void *return_address;
};

void recorder_memobj_created(const struct recorder_memobj *memobj);

/* A buffer was created with properties, or `handle` is NULL. */
void recorder_buffer_of_created(const struct recorder_memobj *buffer);

/* Record where the storage of a new memory object comes from, and what its properties say. */
void recorder_memobj_sharing_set(struct ompd_cl_registry_memobj_record *record,
                                 const struct recorder_memobj *memobj);

/* CL_MEM_DEVICE_ADDRESS_EXT, which the OpenCL headers of Debian 12 lack. */
#define RECORDER_MEM_DEVICE_ADDRESS 0x5001

/* The runtime has returned the device addresses of MEMOBJ, one for each device of its OpenCL
 * context, in VALUE, which has room for SIZE bytes. */
void recorder_device_addresses_returned(cl_mem memobj, size_t size, const void *value);

/* The runtime has accepted a command that acquires the COUNT objects at MEMOBJS from another API,
 * or releases them. */
void recorder_memobjs_acquired(cl_uint count, const cl_mem *memobjs,
                               enum ompd_cl_registry_acquisition acquisition);

/* The bytes of a pixel of FORMAT; 0: not known. */
uint32_t recorder_pixel_size(const cl_image_format *format);

/* What an object that is created from a buffer or image inherits from it: its flags, its storage.
 */
void recorder_memobj_storage_share(struct ompd_cl_registry_memobj_record *record,
                                   const struct recorder_memobj *memobj,
                                   const struct recorder_entry *parent);

/* recorder_memobj_created, inlined in its caller. IS_PLAIN: it has no parent, and uses no memory of
 * the program. */
RECORDER_INLINE void recorder_memobj_created_here(const struct recorder_memobj *memobj,
                                                  bool is_plain)
{
    struct recorder_entry entry;
    if (RECORDER_UNLIKELY(!recorder_object_open(&entry, ompd_cl_registry_memobj, memobj->handle,
                                                memobj->type, memobj->return_address))) {
        return;
    }
    struct ompd_cl_registry_memobj_record *record = recorder_memobj_record(&entry);
    record->flags = memobj->flags ? memobj->flags : CL_MEM_READ_WRITE;
    record->size = memobj->size;
    record->host_pointer = 0;
    record->origin = memobj->origin;
    record->parent_handle = (uintptr_t)memobj->parent;
    record->svm = 0;
    record->svm_generation = 0;
    record->sharing = ompd_cl_registry_sharing_none;
    record->acquisition = 0;
    record->sharing_type = 0;
    record->sharing_name = 0;
    record->sharing_name_high = 0;
    record->children_released = 0;
    record->map_count = 0;
    record->element_size = (uint16_t)memobj->element_size;
    record->has_device_address = 0;
    record->device_address = 0;
    record->mappings = 0;
    record->mappings_lock = 0;
    record->buffered = 0;
    record->buffered_arguments = 0;
    struct recorder_entry context;
    if (!is_plain) {
        struct recorder_entry parent;
        recorder_object_find(&parent, ompd_cl_registry_memobj, memobj->parent);
        recorder_object_set_parent(&entry, &parent);
        recorder_object_share_context(&entry, &parent);
        recorder_memobj_storage_share(record, memobj, &parent);
        recorder_memobj_sharing_set(record, memobj);
    }
    recorder_object_find(&context, ompd_cl_registry_context, memobj->context);
    recorder_object_set_context(&entry, &context);
    if (is_plain) {
        struct recorder_family family = {.context = recorder_context_record(&context)};
        recorder_object_publish_in(&entry, &family);
        recorder_last_set(&entry, ompd_cl_registry_memobj);
    } else {
        recorder_object_publish(&entry);
    }
}

/* A buffer was created, or BUFFER is NULL. The most common object: without CL_MEM_USE_HOST_PTR. */
RECORDER_INLINE void recorder_buffer_created(cl_mem buffer, cl_context context, cl_mem_flags flags,
                                             size_t size, const void *host_pointer,
                                             const void *return_address)
{
    if (RECORDER_LIKELY(buffer && !(flags & CL_MEM_USE_HOST_PTR))) {
        recorder_memobj_created_here(&(struct recorder_memobj){.handle = buffer,
                                                               .context = context,
                                                               .type = CL_MEM_OBJECT_BUFFER,
                                                               .flags = flags,
                                                               .size = size,
                                                               .return_address = return_address},
                                     true);
    } else if (buffer) {
        recorder_memobj_created(&(struct recorder_memobj){.handle = buffer,
                                                          .context = context,
                                                          .type = CL_MEM_OBJECT_BUFFER,
                                                          .flags = flags,
                                                          .size = size,
                                                          .host_pointer = host_pointer,
                                                          .return_address = return_address});
    }
}

/* The runtime has accepted a command of the program that maps MEMOBJ, or, if IS_UNDONE, unmaps it.
 */
void recorder_memobj_mapped(cl_mem memobj, bool is_undone);

/* ---- operations ------------------------------------------------------------------------------ */

/* The commands that use a command buffer or a semaphore and may not be complete. They are in a list
 * in the record of that object, which is locked for changes. */

void recorder_operations_open(struct ompd_cl_registry_operations *operations);

/* The runtime has refused COMMAND, which was to use OBJECT. A command without a record was only
 * counted. */
void recorder_operation_refused(const struct recorder_entry *object,
                                const struct recorder_entry *command);

/* COMMAND, whose `object` may be NULL, uses OBJECT. Returns whether a command was removed that has
 * failed. */
bool recorder_operation_add(const struct recorder_entry *object,
                            const struct recorder_entry *command);

/* The history no longer has a command that uses the object HANDLE of TABLE and may not be complete.
 */
void recorder_operation_lost(uint32_t table, uint64_t handle);

/* Each a recorder_runtime_count: more than 1 if a command that may not be complete uses the object.
 * Then the object outlives its last reference. */
recorder_runtime_count recorder_command_buffer_holders;
recorder_runtime_count recorder_semaphore_holders;

/* The object, if it is such a one, lingers without references because of EVIDENCE, or no longer
 * does. */
void recorder_used_object_lingers(const struct recorder_entry *object, uint8_t evidence,
                                  bool is_lingering);

/* A queue has made progress: end the lingering objects that no command uses. */
void recorder_used_objects_settle(struct recorder_heap *heap);

/* The command buffer or semaphore of OBJECT has ended; its state word was WORD. */
void recorder_used_object_ended(const struct recorder_entry *object, uint64_t word);

/* ---- platform-of ----------------------------------------------------------------------------- */

/* The platform of an object: cl_platform_id, 0 when it is unknown. */

/* The platform of an object of TABLE: a context's own, any other's by its context. */
uint64_t recorder_platform_of(uint32_t table, const void *handle);

/* ---- program --------------------------------------------------------------------------------- */

/* Programs, and how they are built. */

/* PROGRAM, which may be NULL, was created in CONTEXT. */
void recorder_program_created(cl_program program, cl_context context, const void *return_address);

/* A link, whose call has returned STATUS, has created PROGRAM, which may be NULL. MAY_GO_ON: the
 * link may still be running. */
void recorder_program_linked(cl_program program, cl_context context, const char *options,
                             cl_int status, bool may_go_on, const void *return_address);

/* A build, and the state of the program before it. */
struct recorder_build {
    struct recorder_entry program; /* `object` NULL: it is not recorded */
    uint64_t run_before;
    int32_t error_before;
    char options_before[OMPD_CL_REGISTRY_TEXT_SIZE];
    char log_before[OMPD_CL_REGISTRY_TEXT_SIZE];
    struct ompd_cl_registry_text whole_options_before;
    struct ompd_cl_registry_text whole_log_before;
};

/* A build or compilation of the program HANDLE begins with OPTIONS, which may be NULL. */
void recorder_build_begin(struct recorder_build *build, cl_program handle, const char *options);

/* Its call has returned STATUS. MAY_GO_ON: the build may still be running. */
void recorder_build_end(const struct recorder_build *build, cl_int status, bool may_go_on);

/* The program has got the build status STATUS of PROGRAM. */
void recorder_build_status_seen(cl_program program, cl_build_status status);

/* The program has got the build log of PROGRAM: SIZE bytes of TEXT. */
void recorder_build_log_seen(cl_program program, const char *text, size_t size);

/* A kernel was created from PROGRAM, which proves that it is built. */
void recorder_build_set_done(const struct recorder_entry *program);

/* ---- retained -------------------------------------------------------------------------------- */

/* Objects that command buffers and their commands retain. */

/* Retain the object HANDLE of TABLE; NULL, or an object without a record: none. */
struct ompd_cl_registry_retained recorder_object_retain(uint32_t table, const void *handle);

/* Release it. */
void recorder_retained_release(struct recorder_heap *heap,
                               struct ompd_cl_registry_retained retained);

/* In the child of a fork(), where all children are counted again: it is still retained. */
void recorder_retained_count_again(struct recorder_heap *heap,
                                   struct ompd_cl_registry_retained retained);

/* ---- sampler --------------------------------------------------------------------------------- */

/* Samplers. */

/* SAMPLER, which may be NULL, was created in CONTEXT with PROPERTIES, which may also be NULL. */
void recorder_sampler_created(cl_sampler sampler, cl_context context,
                              const cl_sampler_properties *properties, const void *return_address);

/* ---- semaphore ------------------------------------------------------------------------------- */

/* Semaphores (cl_khr_semaphore, cl_khr_external_semaphore). */

/* SEMAPHORE, which may be NULL, was created in CONTEXT with PROPERTIES. */
void recorder_semaphore_created(cl_semaphore_khr semaphore, cl_context context,
                                const cl_semaphore_properties_khr *properties,
                                const void *return_address);

/* Call it before the runtime's function: COMMAND is to signal the COUNT semaphores at SEMAPHORES,
 * or to wait for them. */
void recorder_semaphores_used(const struct recorder_command *command, bool is_signal, cl_uint count,
                              const cl_semaphore_khr *semaphores);

/* The runtime has refused COMMAND. Call it before recorder_command_end. */
void recorder_semaphores_refused(const struct recorder_command *command, bool is_signal,
                                 cl_uint count, const cl_semaphore_khr *semaphores);

/* The program has got an external handle of SEMAPHORE, or imported another one. */
void recorder_semaphore_exported(cl_semaphore_khr semaphore);
void recorder_semaphore_imported(cl_semaphore_khr semaphore);

/* ---- svm ------------------------------------------------------------------------------------- */

/* SVM and USM allocations. */

/* The facts from the call that allocates it. */
struct recorder_svm {
    const void *pointer;
    cl_context context;
    enum ompd_cl_registry_svm_type type;
    uint64_t flags;
    uint64_t size;
    uint32_t alignment;
    const void *return_address;
};

void recorder_svm_allocated(const struct recorder_svm *svm);

/* The program is about to free POINTER, which may be NULL. Call it before the runtime's function,
 * because another allocation may get the pointer before that returns. The function WAITS for the
 * commands that use it, or not. */
void recorder_svm_freed(const void *pointer, bool waits, const void *return_address);

/* Before that: record what is wrong about POINTER, which the program frees in CONTEXT by the call
 * that returns to RETURN_ADDRESS, as a mistake. */
void recorder_svm_free_check(cl_context context, const void *pointer, const void *return_address);

/* The same for a pointer that the SVM-free command COMMAND, which calls no function, is to free. */
void recorder_svm_enqueued_check(const struct recorder_entry *command, uint64_t pointer,
                                 const void *return_address);

/* Record as a mistake that the allocation of SVM is in another OpenCL context than CONTEXT, the
 * reference of that of the queue or the call; 0: unknown. ARGUMENT is its index plus 1, or 0. */
void recorder_svm_context_check(const struct recorder_entry *svm, uint32_t context,
                                uint32_t argument, const void *return_address);

/* The program has mapped the allocation at POINTER, or enqueued a command that unmaps it. */
void recorder_svm_mapped(const void *pointer, const void *return_address);
void recorder_svm_unmapped(const void *pointer);

#endif
