/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A program for tests of the host library.  It prints facts as `name value` lines and last `ready`,
 * and then does what its argument says: "abort" in another thread than the first, "wait", "count"
 * in all threads, "breed" threads without end, or "leave" the others alone.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE ((size_t)4096)
#define THREADS 3

/* One mapping: three pages to read and write, one to read, one of no access, one left out of
 * cores, one free again. */
#define PATTERN_SIZE (3 * PAGE)
#define WHOLE_SIZE (7 * PAGE)

static atomic_ulong counter;
static pthread_barrier_t ready;
static pthread_barrier_t go;
static const char *mode;

static void breed(void);

/* A thread that is not stopped with the others continues their line. */
static void *breed_one(void *user)
{
    counter++;
    breed();
    return user;
}

static void breed(void)
{
    pthread_attr_t detached;
    pthread_t thread;

    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    while (pthread_create(&thread, &detached, breed_one, NULL) != 0)
        sched_yield();
    pthread_attr_destroy(&detached);
}

static void act(unsigned number)
{
    while (strcmp(mode, "count") == 0)
        counter++;
    if (strcmp(mode, "breed") == 0)
        breed();
    if (strcmp(mode, "abort") == 0 && number == 1)
        abort();
    if (strcmp(mode, "leave") == 0 && number == 0)
        pthread_exit(NULL);
    for (;;)
        pause();
}

static void announce(unsigned number)
{
    printf("lwp%u %ld\n", number, (long)syscall(SYS_gettid));
    printf("pthread%u %llu\n", number, (unsigned long long)(uintptr_t)pthread_self());
}

static void *run(void *user)
{
    unsigned number = (unsigned)(uintptr_t)user;

    announce(number);
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&go);
    act(number);
    return NULL;
}

static void make_memory(void)
{
    uint8_t *memory =
        mmap(NULL, WHOLE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        exit(1);
    for (size_t i = 0; i < WHOLE_SIZE; i++)
        memory[i] = (uint8_t)(i * 7 + i / 256);
    if (mprotect(memory + PATTERN_SIZE, PAGE, PROT_READ) != 0 ||
        mprotect(memory + PATTERN_SIZE + PAGE, PAGE, PROT_NONE) != 0 ||
        madvise(memory + PATTERN_SIZE + 2 * PAGE, PAGE, MADV_DONTDUMP) != 0 ||
        munmap(memory + PATTERN_SIZE + 3 * PAGE, PAGE) != 0)
        exit(1);
    printf("memory %llu\n", (unsigned long long)(uintptr_t)memory);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    mode = argv[1];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setvbuf(stdout, NULL, _IOLBF, 0);
    pthread_barrier_init(&ready, NULL, THREADS);
    pthread_barrier_init(&go, NULL, THREADS);
    announce(0);
    make_memory();
    printf("counter %llu\n", (unsigned long long)(uintptr_t)&counter);
    for (unsigned i = 1; i < THREADS; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run, (void *)(uintptr_t)i) != 0)
            return 1;
    }
    pthread_barrier_wait(&ready);
    puts("ready 1");
    pthread_barrier_wait(&go);
    act(0);
}
