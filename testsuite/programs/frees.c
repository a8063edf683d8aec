/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Crashes in a free() of a destructor callback: frees CASE.
 *
 *   twice  the callback frees its user data, which the program has freed before
 *   late   the same, and the compiler leaves the callback no frame of its own
 *   other  the callback frees its user data, as it may, and then an invalid block
 *   reads  the callback, whose user data the program has freed, aborts before it calls anything
 *   again  the callback, which frees its user data, is registered twice
 *   shared the callback, which frees its user data, is registered for two buffers with that
 *   reused the same, but the second has its own memory, which malloc has reused; that is freed
 *   counts the callback, which does not free its user data, is registered twice, and aborts the
 *          second time
 */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/* No runtime has blocks of this size. */
#define SIZE 1000

static char *no_block;

/* Clang reads the option for tail calls for the whole file. */
#ifdef __clang__
#define CALLS __attribute__((disable_tail_calls))
#define JUMPS
#else
#define CALLS __attribute__((optimize("no-optimize-sibling-calls")))
#define JUMPS __attribute__((optimize("O2")))
#endif

CALLS static void free_it(cl_mem memory, void *user_data)
{
    (void)memory;
    free(user_data);
}

JUMPS static void go_on_to_free(cl_mem memory, void *user_data)
{
    (void)memory;
    free(user_data);
}

static void free_both(cl_mem memory, void *user_data)
{
    (void)memory;
    free(user_data);
    free(no_block);
}

/* It crashes in place: a trap may be placed in a separate part of the function. */
static void read_it(cl_mem memory, void *user_data)
{
    static volatile char *volatile nowhere;

    (void)memory;
    *nowhere = *(volatile char *)user_data;
}

static void count_it(cl_mem memory, void *user_data)
{
    (void)memory;
    if (++*(volatile char *)user_data == 2)
        __builtin_trap();
}

typedef struct case_t {
    const char *name;
    void (*callback)(cl_mem memory, void *user_data);
    bool frees_before;
    bool is_registered_twice;
    bool is_of_two; /* one buffer after the other */
} case_t;

static const case_t cases[] = {
    {"twice", free_it, .frees_before = true},
    {"late", go_on_to_free, .frees_before = true},
    {"other", free_both, .frees_before = false},
    {"reads", read_it, .frees_before = true},
    {"again", free_it, .is_registered_twice = true},
    {"shared", free_it, .is_of_two = true},
    {"reused", free_it, .frees_before = true, .is_of_two = true},
    {"counts", count_it, .is_registered_twice = true},
};

static void register_again(cl_mem buffer, void (*callback)(cl_mem memory, void *user_data),
                           void *user_data)
{
    clSetMemObjectDestructorCallback(buffer, callback, user_data);
}

static cl_mem make_buffer(cl_context context)
{
    return clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
}

static void keep_it(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

/* Have the callback called for another buffer; the next registration reuses the record of the
 * previous one. */
static void release_another(cl_context context, const case_t *which, char *user_data)
{
    cl_mem another = make_buffer(context);
    register_again(another, keep_it, NULL);
    register_again(another, which->callback, user_data);
    clReleaseMemObject(another);
}

/* Returns 2: it should have died. */
static int run_case(cl_context context, const case_t *which)
{
    char *user_data = calloc(SIZE, 1);
    if (which->is_of_two && which->frees_before) {
        release_another(context, which, user_data);
        const char *again = malloc(SIZE);
        truth_require(again == user_data, "malloc gives out another block");
    }
    cl_mem buffer = make_buffer(context);
    clSetMemObjectDestructorCallback(buffer, which->callback, user_data);
    if (which->is_registered_twice)
        register_again(buffer, which->callback, user_data);
    if (which->frees_before)
        free(user_data);
    else if (which->is_of_two)
        release_another(context, which, user_data);
    clReleaseMemObject(buffer);
    return 2;
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    truth_require(argc == 2, "usage: frees CASE");
    runtime_find(&runtime);
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    char *block = malloc(64);
    truth_require(block != NULL, "no memory");
    no_block = block + 8;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (strcmp(cases[i].name, argv[1]) == 0)
            return run_case(context, &cases[i]);
    }
    return 2;
}
