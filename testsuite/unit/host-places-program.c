/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program for tests of symbols, source locations and stacks.  It loads the library that its
 * argument names, prints facts as `name value` lines and last `ready`, and waits. */
#include "host-places-program.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int host_places_local[4] = {1, 2, 3, 4};
int host_places_shared[4] = {5, 6, 7, 8};
int host_places_of_program = 9;

/* As a compiler of C++ would name works::code(int). */
int mangled(int number) __asm__("_ZN5works4codeEi");
enum { definition_line = __LINE__ + 1 };
int mangled(int number)
{
    return number + host_places_local[number & 3];
}

static void say(const char *name, uintptr_t value)
{
    printf("%s %llu\n", name, (unsigned long long)value);
}

static __attribute__((noinline)) void wait_here(void)
{
    say("return", (uintptr_t)__builtin_return_address(0));
    printf("ready 0\n");
    fflush(stdout);
    for (;;)
        pause();
}

enum { call_line = __LINE__ + 3 };
static inline __attribute__((always_inline)) void host_places_inlined(void)
{
    wait_here();
    __asm__ volatile("");
}

enum { outer_line = __LINE__ + 3 };
static __attribute__((noinline)) void host_places_outer(void)
{
    host_places_inlined();
    __asm__ volatile("");
}

/* Map the library's file once more, to read it: that is not a module. */
static int map_flat(const char *path)
{
    int descriptor = open(path, O_RDONLY);
    off_t size = lseek(descriptor, 0, SEEK_END);

    return descriptor >= 0 &&
           mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, descriptor, 0) != MAP_FAILED;
}

static void handle_signal(int signal)
{
    (void)signal;
    host_places_outer();
    __asm__ volatile("");
}

int main(int count, char **arguments)
{
    void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;

    if (library == NULL || !map_flat(arguments[1]))
        return EXIT_FAILURE;
    say("pid", (uintptr_t)getpid());
    say("local", (uintptr_t)host_places_local);
    say("shared", (uintptr_t)host_places_shared);
    say("of_program", (uintptr_t)&host_places_of_program);
    say("library_shared", (uintptr_t)dlsym(library, "host_places_shared"));
    say("library_only", (uintptr_t)dlsym(library, "host_places_only"));
    say("mangled", (uintptr_t)mangled);
    say("definition_line", definition_line);
    say("call_line", call_line);
    say("outer_line", outer_line);
    say("main", (uintptr_t)main);
    signal(SIGUSR1, handle_signal);
    raise(SIGUSR1);
    return EXIT_SUCCESS;
}
