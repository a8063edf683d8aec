/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stores the handles of buffers in all kinds of places, and loses some: kept-handles
 * [abort|handled].
 *
 * It writes a line for each buffer with its handle and the place of the handle, with the bits
 * inverted so that the output does not store handles. Then it writes `ready` and waits for a line
 * of its input, or with the word `abort` is killed by a signal. Then it releases what it can find.
 */
#include "runtime.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SIZE 4096
#define DEAD_BYTES 65536 /* more than the frames of the functions that make a buffer have */
#define TURNED UINTPTR_MAX
#define TAG ((uintptr_t)5)
#define BOX ((uintptr_t)0xfffb << (sizeof(uintptr_t) * 8 - 16))

struct node {
    long first;
    long number;
    cl_mem memory;
    char rest[48];
};

static cl_context context;
cl_mem kept_global;
static struct {
    long number;
    cl_mem memory;
} kept_member;
uintptr_t kept_tagged; /* as tagged pointers are */
uintptr_t kept_boxed;  /* as the values of some languages are: a number that is not one */
struct node *kept_node;
static struct node *freed_node;
static __thread cl_mem kept_by_thread;
static pthread_barrier_t barrier;

__attribute__((noinline)) static cl_mem make(const char *place)
{
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);

    truth_require(memory != NULL, "no buffer");
    printf("%s 0x%lx\n", place, (unsigned long)((uintptr_t)memory ^ TURNED));
    return memory;
}

/* After this returns, its handle is only in dead words of the stack, so far down that no later
 * function overwrites them. */
__attribute__((noinline)) static void lose(void)
{
    volatile char room[65536];
    volatile cl_mem memory;

    room[0] = 0;
    memory = make("lost");
    (void)memory;
    (void)room[0];
}

static void kept_release(uintptr_t handle)
{
    cl_mem memory;

    memcpy(&memory, &handle, sizeof(memory));
    clReleaseMemObject(memory);
}

/* As the last of another buffer is released. */
static void CL_CALLBACK release_other(cl_mem memory, void *other)
{
    (void)memory;
    clReleaseMemObject(other);
}

/* As lose() does, but a callback is given the handle. */
__attribute__((noinline)) static void keep_as_user_data(void)
{
    volatile char room[65536];
    volatile cl_mem memory;

    room[0] = 0;
    memory = make("user-data");
    clSetMemObjectDestructorCallback(kept_global, release_other, memory);
    (void)room[0];
}

__attribute__((noinline)) static void keep_in_heap(void)
{
    kept_node = malloc(sizeof(*kept_node));
    kept_node->memory = make("heap");
    freed_node = malloc(sizeof(*freed_node));
    freed_node->memory = make("freed");
    free(freed_node);
    freed_node = NULL;
}

/* The functions in which the program stops have their frames where those of make() were. */
__attribute__((noinline)) static void overwrite_dead_frames(void)
{
    volatile char dead[DEAD_BYTES];

    for (size_t i = 0; i < sizeof(dead); i++)
        dead[i] = 0;
}

__attribute__((noinline)) static void stand_still(int aborts)
{
    volatile cl_mem kept_in_frame = make("frame");

    overwrite_dead_frames();
    printf("ready\n");
    fflush(stdout);
    if (aborts)
        abort();
    truth_require(getchar() != EOF, "no input");
    clReleaseMemObject(kept_in_frame);
}

/* As crash reporters do, on a separate stack: the second signal kills. */
static void raise_again(int number)
{
    syscall(SYS_tgkill, getpid(), gettid(), number);
}

static void handle_abort(void)
{
    struct sigaction action = {.sa_handler = raise_again,
                               .sa_flags = (int)(SA_ONSTACK | SA_NODEFER | (unsigned)SA_RESETHAND)};
    stack_t stack = {.ss_size = (size_t)1 << 16};

    stack.ss_sp =
        mmap(NULL, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    truth_require(stack.ss_sp != MAP_FAILED && sigaltstack(&stack, NULL) == 0, "no stack");
    truth_require(sigaction(SIGABRT, &action, NULL) == 0, "no handler");
}

static void *keep_in_thread(void *unused)
{
    (void)unused;
    kept_by_thread = make("thread");
    overwrite_dead_frames();
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    clReleaseMemObject(kept_by_thread);
    return NULL;
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    pthread_t thread;

    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    pthread_barrier_init(&barrier, NULL, 2);
    kept_global = make("global");
    kept_member.memory = make("member");
    kept_tagged = (uintptr_t)make("tagged") | TAG;
    kept_boxed = (uintptr_t)make("boxed") | BOX;
    keep_in_heap();
    keep_as_user_data();
    truth_require(pthread_create(&thread, NULL, keep_in_thread, NULL) == 0, "no thread");
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 3; i++)
        lose();
    if (argc > 1 && strcmp(argv[1], "handled") == 0)
        handle_abort();
    stand_still(argc > 1);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    clReleaseMemObject(kept_global);
    clReleaseMemObject(kept_member.memory);
    clReleaseMemObject(kept_node->memory);
    kept_release(kept_tagged & ~TAG);
    kept_release(kept_boxed & ~BOX);
    free(kept_node);
    clReleaseContext(context);
    return 0;
}
