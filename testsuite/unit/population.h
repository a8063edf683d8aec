/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A small population of every kind of object in a fake target, and a walk that reads all of it. */
#ifndef POPULATION_H
#define POPULATION_H

#include "fake-target.h"

#define CONTEXT_HANDLE UINT64_C(0x7000)
#define QUEUE_HANDLE UINT64_C(0x8040)
#define BUFFER_HANDLE UINT64_C(0x9080)
#define SUB_BUFFER_HANDLE UINT64_C(0x90c0)
#define IMAGE_HANDLE UINT64_C(0x9100)
#define SVM_POINTER UINT64_C(0xa140)
#define PLATFORM_HANDLE UINT64_C(0xb000)
#define EVENT_HANDLE UINT64_C(0xc000)
#define PROGRAM_HANDLE UINT64_C(0xe000)
#define KERNEL_HANDLE UINT64_C(0xe040)
#define SAMPLER_HANDLE UINT64_C(0xe080)
#define DESTRUCTOR_COUNT 3
#define EVENT_COUNT 4
#define COMMAND_COUNT 3
#define GONE_COUNT 4
#define ERROR_COUNT 2
#define LEDGER_COUNT 7
#define CALL_COUNT 4
#define CALLBACK_COUNT 4
#define ARGUMENT_COUNT 7
#define GONE_HANDLE UINT64_C(0x50000)
#define THREAD_COUNT 5
#define FIRST_LWP 4711 /* that of thread 0; the others follow */

/* Indexes of the records that population_create made. */
struct population {
    struct fake_target *target;
    ompd_address_space_handle_t *space; /* NULL until population_open */
    uint32_t context;
    uint32_t queue;
    uint32_t buffer;
    uint32_t sub_buffer;
    uint32_t sampler;
    uint32_t kernel; /* its arguments: of each form, see add_arguments */
    uint32_t image;
    uint32_t svm;
    uint32_t svm_free;
    /* An unset user event; that of the first command of the queue, which is known to be over; that
     * of the second; a user event that a thread has set to an error. */
    uint32_t events[EVENT_COUNT];
    /* The queue's first, which is known to be over; its second, of the third event, which waits for
     * the first event; one that is being enqueued by a blocking call. */
    uint32_t commands[COMMAND_COUNT];
    /* A buffer that used host memory, released by the second thread; a sub-buffer, whose callbacks
     * have run; an SVM allocation that a command freed; an event whose handle was given out again.
     */
    uint32_t gone[GONE_COUNT];
    /* Of clCreateBuffer, CL_INVALID_VALUE; of clCreateKernel, which did not ask for it. */
    uint32_t errors[ERROR_COUNT];
    /* The first event is created, retained twice at one place and released; the buffer that is gone
     * is released (its creation is not kept), ends, and is released again. */
    uint32_t ledger[LEDGER_COUNT];
    /* Two of the first thread, of which one has failed, and two of the second: clSVMFree, which
     * returns no error, and clCreateKernel, which did not ask for it. */
    uint32_t calls[CALL_COUNT];
    /* Of the first event; of the third, when that runs; of the program's build; and one whose event
     * is gone, so that it is never called. */
    uint32_t callbacks[CALLBACK_COUNT];
    uint32_t program;                       /* whose build has failed */
    uint32_t destructors[DESTRUCTOR_COUNT]; /* of the buffer, oldest first */
    /* In no call; in clFinish for the queue; of the runtime, in the SVM-free command's function,
     * which calls clGetEventInfo; ended; in clCreateBuffer. */
    uint32_t threads[THREAD_COUNT];
};

struct population population_create(bool is_big_endian, uint32_t pointer_size);

/* The same in one of FAKE_VARIANTS. */
struct population population_create_variant(int variant);
struct population population_create_small(int variant);

void population_open(struct population *population);
void population_free(struct population *population);

/* Of the program: more than its record has room for, and three blocks. */
#define PROGRAM_OPTIONS                                                                            \
    "-w -DDATA_TYPE=float -DWORK_GROUP=16 -DKERNEL_SIZE=5 -DBORDER_REPLICATE "                     \
    "-cl-fast-relaxed-math"

/* Everything the library can be asked, in one go. */
struct answers {
    ompd_cl_overview_info_t overview;
    ompd_cl_platform_info_t platforms[2];
    ompd_cl_context_info_t contexts[2];
    ompd_cl_queue_info_t queues[2];
    ompd_cl_memobj_info_t memobjs[4];
    ompd_cl_destructor_info_t destructors[4];
    ompd_cl_destructor_info_t all_destructors[4];
    ompd_cl_svm_info_t svms[2];
    ompd_cl_svm_free_info_t svm_frees[2];
    ompd_cl_svm_pointer_info_t pointers[4];
    ompd_cl_wait_info_t waits[4];
    ompd_cl_memobj_info_t found;
    ompd_cl_event_info_t events[EVENT_COUNT];
    ompd_cl_device_info_t devices[2];
    ompd_cl_command_info_t commands[COMMAND_COUNT];
    ompd_cl_destroyed_info_t gone[GONE_COUNT + 1];
    ompd_cl_error_info_t errors[ERROR_COUNT + 1];
    ompd_cl_ledger_info_t ledger[LEDGER_COUNT + 1];
    ompd_cl_call_info_t calls[CALL_COUNT + 1];
    ompd_cl_callback_info_t callbacks[CALLBACK_COUNT];
    ompd_cl_kernel_info_t kernels[2];
    ompd_cl_argument_info_t arguments[ARGUMENT_COUNT + 1]; /* of the kernel */
    ompd_cl_program_info_t programs[2];
    ompd_cl_sampler_info_t samplers[2];
    ompd_cl_thread_info_t threads[8];
    ompd_cl_thread_info_t found_thread;     /* thread 2, */
    ompd_cl_activity_info_t activities[10]; /* and the object that contains it */
    ompd_cl_usage_info_t usages[12];
    ompd_addr_t frames[8];
    ompd_size_t frame_count;
    char options[sizeof(PROGRAM_OPTIONS)]; /* of the program, all */
    ompd_size_t options_length;
    ompd_size_t platform_count, context_count, queue_count, memobj_count, destructor_count;
    ompd_size_t all_destructor_count, svm_count, svm_free_count, pointer_count, wait_count;
    ompd_size_t event_count, kernel_count, program_count, sampler_count;
    ompd_size_t argument_count, device_count, command_count, gone_count, error_count;
    ompd_size_t ledger_count, call_count, callback_count;
    ompd_size_t thread_count, activity_count, usage_count;
    ompd_size_t unreadable;  /* rows, in all lists */
    uint32_t unknown_fields; /* fields with a status of unreadable memory */
    ompd_rc_t worst; /* the first return code that was neither ok nor incomplete, or the worse */
};

/* Read all of SPACE. Returns at the first error that is not ompd_rc_incomplete. */
void answers_get(ompd_address_space_handle_t *space, struct answers *answers);

#endif
