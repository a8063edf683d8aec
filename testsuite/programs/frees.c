/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Dies in free(), which a destructor callback has called: frees CASE.
 *
 *   twice  the callback frees its user data, which the program has freed before
 *   late   the same, and the compiler leaves the callback no frame of its own
 *   other  the callback frees its user data, as it may, and then what is no block
 *   reads  the callback, whose user data the program has freed, aborts before it calls anything
 *   again  the callback, which frees its user data, is registered twice
 *   counts the callback, which keeps its user data, is registered twice, and aborts the second time
 */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

static char *no_block;

__attribute__((optimize("no-optimize-sibling-calls"))) static void free_it(cl_mem memory,
                                                                           void *user_data)
{
    (void)memory;
    free(user_data);
}

__attribute__((optimize("O2"))) static void go_on_to_free(cl_mem memory, void *user_data)
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

static void read_it(cl_mem memory, void *user_data)
{
    (void)memory;
    if (*(volatile char *)user_data >= 0 || *(volatile char *)user_data < 0)
        __builtin_trap();
}

static void count_it(cl_mem memory, void *user_data)
{
    (void)memory;
    if (++*(volatile char *)user_data == 2)
        __builtin_trap();
}

static const struct {
    const char *name;
    void (*callback)(cl_mem memory, void *user_data);
    bool frees_before;
    bool is_registered_twice;
} cases[] = {
    {"twice", free_it, true, false},    {"late", go_on_to_free, true, false},
    {"other", free_both, false, false}, {"reads", read_it, true, false},
    {"again", free_it, false, true},    {"counts", count_it, false, true},
};

static void register_again(cl_mem buffer, void (*callback)(cl_mem memory, void *user_data),
                           void *user_data)
{
    clSetMemObjectDestructorCallback(buffer, callback, user_data);
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    truth_require(argc == 2, "usage: frees CASE");
    runtime_find(&runtime);
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
    char *user_data = calloc(64, 1);
    char *block = malloc(64);
    truth_require(user_data != NULL && block != NULL, "no memory");
    no_block = block + 8;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (strcmp(cases[i].name, argv[1]) != 0)
            continue;
        clSetMemObjectDestructorCallback(buffer, cases[i].callback, user_data);
        if (cases[i].is_registered_twice)
            register_again(buffer, cases[i].callback, user_data);
        if (cases[i].frees_before)
            free(user_data);
        clReleaseMemObject(buffer);
    }
    return 2;
}
