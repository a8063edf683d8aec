/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a thread waits for in glibc, by its stack, its registers and the memory that they point to.
 */
#include "fake-runtime.h"
#include "suite.h"

#include <check.h>
#include <elf.h>
#include <sources/stack/stack.h>
#include <string.h>

#define HEAP (UINT64_C(1) << 16)
#define LWP 4711
#define OWNER 4712
#define ARGUMENT 5               /* %rdi */
#define RETURNS_TO 2             /* %rcx */
#define OPERATION 4              /* %rsi */
#define TIMEOUT 10               /* %r10 */
#define KIND 16                  /* place of a mutex's kind */
#define WAIT_FOR_ALL 0x109       /* FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME */
#define TID 0x2d0                /* place of a thread's number from its pthread_t on */
#define LOCK (libc.text + 0x40)  /* pthread_mutex_lock, */
#define OTHER (libc.text + 0x80) /* and what follows it */
#define MUTEX (libc.data + 0x800)
#define INDEX (libc.data + 0x100)
#define OWN_DATA (libc.heap + 0x100) /* what their pthread_t points at */
#define OWNERS_DATA (libc.heap + 0x800)

static struct fake_session session;
static struct fake_runtime libc;
static struct lock_code code;
static struct thread_stack stack;
static uint64_t frames[3]; /* addresses, innermost first; 0: no more */
static ompd_cl_register_t registers[4];
static bool has_registers;
static uint64_t own_lwp;     /* of the thread in its process; 0: unknown */
static uint64_t owners_data; /* from the tool */

static ompd_rc_t tell_frames(ompd_address_space_context_t *context, uint64_t lwp,
                             ompd_size_t capacity, ompd_cl_frame_t *told, ompd_size_t *count)
{
    (void)context;
    if (lwp != LWP)
        return ompd_rc_unavailable;
    for (*count = 0; *count < capacity && *count < 3 && frames[*count] != 0; ++*count)
        told[*count] = (ompd_cl_frame_t){.pc = frames[*count], .is_caller = *count != 0};
    told[0].registers = has_registers ? registers : NULL;
    told[0].register_count = has_registers ? 4 : 0;
    return ompd_rc_ok;
}

static ompd_rc_t tell_thread(ompd_address_space_context_t *context, ompd_size_t index,
                             ompd_cl_target_thread_t *thread)
{
    (void)context;
    if (index > 1)
        return ompd_rc_unavailable;
    *thread = index == 0
                  ? (ompd_cl_target_thread_t){.lwp = LWP, .pthread = OWN_DATA, .own_lwp = own_lwp}
                  : (ompd_cl_target_thread_t){.lwp = OWNER, .pthread = owners_data};
    return ompd_rc_ok;
}

static void put(uint64_t address, uint64_t value)
{
    fake_put(session.fake, address, 4, (uint32_t)value);
}

/* Two functions of 0x40 bytes, by the unwind tables. */
static void put_index(void)
{
    uint64_t header = libc.start + 64 + UINT64_C(3) * sizeof(Elf64_Phdr);

    fake_put(session.fake, libc.start + offsetof(Elf64_Ehdr, e_phnum), 2, 4);
    fake_put(session.fake, header + offsetof(Elf64_Phdr, p_type), 4, PT_GNU_EH_FRAME);
    fake_put(session.fake, header + offsetof(Elf64_Phdr, p_vaddr), 8, INDEX - libc.start);
    memcpy(session.fake->bytes + (INDEX - FAKE_BASE), "\x01\x1b\x03\x3b", 4);
    put(INDEX + 8, 2);
    for (uint64_t i = 0; i < 2; i++) {
        put(INDEX + 12 + 8 * i, LOCK + 0x40 * i - INDEX);
        put(INDEX + 16 + 8 * i, 0x200 + 16 * i);
        put(INDEX + 0x200 + 16 * i + 12, 0x40);
    }
}

static void put_mutex(uint32_t lock, uint32_t owner)
{
    put(MUTEX, lock);
    put(MUTEX + 4, 0);
    put(MUTEX + 8, owner);
}

/* The thread has called futex with ADDRESS and OPERATION, and is in Linux if RETURNS_TO shows
 * that. */
static void set_registers(uint64_t address, uint64_t operation, uint64_t returns_to)
{
    registers[0] = (ompd_cl_register_t){.number = ARGUMENT, .size = 8, .value = address};
    registers[1] = (ompd_cl_register_t){.number = OPERATION, .size = 8, .value = operation};
    registers[2] = (ompd_cl_register_t){.number = RETURNS_TO, .size = 8, .value = returns_to};
    registers[3] = (ompd_cl_register_t){.number = TIMEOUT, .size = 8, .value = 0};
}

static void begin_with(const char *module)
{
    ompd_cl_extra_t extra = fake_extra;

    fake_session_open(&session, 0);
    fake_runtime_add(&session, &libc, module, 1, HEAP);
    fake_add_symbol(session.fake, libc.module, "pthread_mutex_lock", LOCK);
    extra.frames = tell_frames;
    extra.thread = tell_thread;
    fake_session_begin(&session, &extra);
    put_index();
    owners_data = OWNERS_DATA;
    own_lwp = 0;
    put_mutex(2, OWNER);
    put(OWN_DATA + TID, LWP);
    frames[0] = OTHER + 8; /* the function that calls Linux */
    frames[1] = LOCK + 8;
    frames[2] = libc.text + 0x400;
    set_registers(MUTEX, 0, 0);
    has_registers = true;
    memset(&stack, 0, sizeof(stack));
}

static void begin(void)
{
    begin_with("/usr/lib/libc.so.6");
}

static void end(void)
{
    fake_session_close(&session);
}

/* The lock that the thread waits for; its owner and kind 0: for none. */
static struct lock_wait found(void)
{
    struct lock_wait wait = {.address = 0};
    ompd_rc_t rc;

    target_refresh(&session.target);
    memset(&stack, 0, sizeof(stack));
    lock_code_find(&session.target, &code);
    rc = lock_wait_find(&session.target, &code, LWP, &stack, &wait);
    ck_assert(rc == ompd_rc_ok || rc == ompd_rc_unavailable);
    if (rc != ompd_rc_ok)
        wait = (struct lock_wait){.owner = 0};
    return wait;
}

START_TEST(waits)
{
    struct lock_wait wait = found();

    ck_assert_uint_eq(wait.owner, OWNER);
    ck_assert_uint_eq(wait.address, MUTEX);
    /* The last return address of a function is that behind it. */
    frames[1] = LOCK + 0x40;
    ck_assert_uint_eq(found().owner, OWNER);
    /* What calls Linux may call it through another function. */
    frames[2] = LOCK + 8;
    frames[1] = OTHER + 16;
    ck_assert_uint_eq(found().owner, OWNER);
}
END_TEST

/* Each of these alone shows that it does not wait for a mutex. */
START_TEST(waits_for_none)
{
    frames[1] = OTHER + 8;
    ck_assert_uint_eq(found().owner, 0);
    frames[1] = LOCK; /* behind the function before */
    ck_assert_uint_eq(found().owner, 0);
    frames[1] = 0; /* the stack ends */
    ck_assert_uint_eq(found().owner, 0);
    frames[1] = LOCK + 8;
    /* In the function itself it has not called Linux yet. */
    frames[0] = LOCK + 8;
    frames[1] = libc.text + 0x400;
    ck_assert_uint_eq(found().owner, 0);
    frames[0] = OTHER + 8;
    frames[1] = LOCK + 8;
    has_registers = false;
    ck_assert_uint_eq(found().owner, 0);
    has_registers = true;
    /* No other thread waits, no thread has it, and this thread itself has it. */
    put_mutex(1, OWNER);
    ck_assert_uint_eq(found().owner, 0);
    put_mutex(2, 0);
    ck_assert_uint_eq(found().owner, 0);
    put_mutex(2, LWP);
    ck_assert_uint_eq(found().owner, 0);
    put_mutex(2, OWNER);
    ck_assert_uint_eq(found().owner, OWNER);
}
END_TEST

/* A thread that is in Linux has not got the mutex just now: it waits for itself, unless it may lock
 * it again. */
START_TEST(waits_for_itself)
{
    put_mutex(2, LWP);
    put(MUTEX + KIND, 0);
    set_registers(MUTEX, 0x80, frames[0]);
    ck_assert_uint_eq(found().owner, LWP);
    ck_assert_uint_eq(found().kind, ompd_cl_lock_mutex);
    put(MUTEX + KIND, 3); /* adaptive, */
    ck_assert_uint_eq(found().owner, LWP);
    put(MUTEX + KIND, 1); /* recursive, */
    ck_assert_uint_eq(found().owner, 0);
    put(MUTEX + KIND, 2); /* checked */
    ck_assert_uint_eq(found().owner, 0);
    put(MUTEX + KIND, 0);
    set_registers(MUTEX, 0x80, frames[0] + 1);
    ck_assert_uint_eq(found().owner, 0);
}
END_TEST

/* It waits for a thread, on the word with that thread's number, for ever and not only for its
 * process. */
START_TEST(joins)
{
    uint64_t word = OWNERS_DATA + TID;

    put(word, OWNER);
    fake_put(session.fake, OWNERS_DATA, 8, OWNERS_DATA);
    fake_put(session.fake, OWNERS_DATA + 16, 8, OWNERS_DATA);
    set_registers(word, WAIT_FOR_ALL, frames[0]);
    frames[1] = OTHER + 8;
    ck_assert_uint_eq(found().owner, OWNER);
    ck_assert_uint_eq(found().kind, ompd_cl_lock_thread);
    ck_assert_uint_eq(found().address, 0);
    set_registers(word, WAIT_FOR_ALL, frames[0] + 1); /* not in Linux, */
    ck_assert_uint_eq(found().kind, 0);
    set_registers(word, WAIT_FOR_ALL | 0x80, frames[0]); /* for its process alone, */
    ck_assert_uint_eq(found().kind, 0);
    set_registers(word, 1, frames[0]); /* to wake others, */
    ck_assert_uint_eq(found().kind, 0);
    set_registers(word + 4, WAIT_FOR_ALL, frames[0]); /* at another word, */
    ck_assert_uint_eq(found().kind, 0);
    set_registers(word, WAIT_FOR_ALL, frames[0]);
    registers[3].value = MUTEX; /* for a time, */
    ck_assert_uint_eq(found().kind, 0);
    registers[3].value = 0;
    fake_put(session.fake, OWNERS_DATA + 16, 8, 0); /* of no thread, */
    ck_assert_uint_eq(found().kind, 0);
    fake_put(session.fake, OWNERS_DATA + 16, 8, OWNERS_DATA);
    put(word, 0); /* of one that has ended: the tool may still have it */
    ck_assert_uint_eq(found().owner, OWNER);
    owners_data = 0;
    ck_assert_uint_eq(found().kind, 0);
}
END_TEST

/* In another PID namespace glibc knows threads by other numbers: they have these in their own
 * data. */
START_TEST(renumbered)
{
    put(OWN_DATA + TID, 7);
    put(OWNERS_DATA + TID, 8);
    put_mutex(2, 8);
    ck_assert_uint_eq(found().owner, OWNER);
    put_mutex(2, OWNER); /* is not one of them */
    ck_assert_uint_eq(found().owner, 0);
    put_mutex(2, 7);
    set_registers(MUTEX, 0x80, frames[0]);
    ck_assert_uint_eq(found().owner, LWP);
    /* Or the tool knows it. */
    put(OWN_DATA + TID, 0);
    put_mutex(2, 17);
    ck_assert_uint_eq(found().owner, 17); /* all known facts are the same */
    own_lwp = 17;
    ck_assert_uint_eq(found().owner, LWP);
}
END_TEST

START_TEST(unreadable)
{
    struct lock_wait wait;

    session.fake->hole_start = MUTEX;
    session.fake->hole_end = MUTEX + 8;
    lock_code_find(&session.target, &code);
    ck_assert_int_eq(lock_wait_find(&session.target, &code, LWP, &stack, &wait),
                     ompd_rc_incomplete);
}
END_TEST

/* Another library's function with the name is a different one; and without a stack nothing is
 * known. */
START_TEST(not_glibc)
{
    begin_with("/usr/lib/libcuda.so.1");
    ck_assert_uint_eq(found().owner, 0);
    end();
    begin();
    session.target.extra.frames = NULL;
    ck_assert_uint_eq(found().owner, 0);
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lock-wait");
    TCase *waiting = tcase_create("waiting");
    TCase *others = tcase_create("others");

    tcase_add_checked_fixture(waiting, begin, end);
    tcase_add_test(waiting, waits);
    tcase_add_test(waiting, waits_for_none);
    tcase_add_test(waiting, waits_for_itself);
    tcase_add_test(waiting, joins);
    tcase_add_test(waiting, renumbered);
    tcase_add_test(waiting, unreadable);
    suite_add_tcase(suite, waiting);
    tcase_add_test(others, not_glibc);
    suite_add_tcase(suite, others);
    return suite_run(suite);
}
