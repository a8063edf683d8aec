/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocks that glibc's malloc caches for reuse: its lists show that they are free, not their old
 * contents. */
#include "fake-runtime.h"
#include "suite.h"

#include <check.h>
#include <target/heap.h>

#define RUNTIME_HEAP (UINT64_C(1) << 16)
#define PAGES 8
#define BLOCKS 6
#define THREADS 2
#define BIN 2             /* number of the list that the blocks may be in */
#define VARIABLE 0x40     /* below a thread's pthread_t: where its cache is */
#define STATE 0x400       /* of the main arena, in the C library's data */
#define LEFT_OVER 0x12345 /* no link */
#define SHAPES 3

/* How a cache is in a version of glibc. */
static const struct {
    uint64_t lists;
    unsigned width;
    uint64_t room; /* the count is of remaining blocks; 0: of all blocks */
    bool is_mixed; /* links are mixed with where they are */
} shapes[SHAPES] = {{64, 1, 0, false}, {64, 2, 0, true}, {76, 2, 16, true}};

static struct fake_session session;
static struct fake_runtime libc;
static struct heap_chunks chunks;
static unsigned shape;
static uint64_t heap, top, last;
static uint64_t blocks[BLOCKS], caches[THREADS], threads[THREADS];
static unsigned word;

static ompd_rc_t tell_thread(ompd_address_space_context_t *context, ompd_size_t index,
                             ompd_cl_target_thread_t *thread)
{
    (void)context;
    if (index >= THREADS)
        return ompd_rc_unavailable;
    *thread = (ompd_cl_target_thread_t){.lwp = 100 + index, .pthread = threads[index]};
    return ompd_rc_ok;
}

static void put(uint64_t address, uint64_t value)
{
    fake_put(session.fake, address, word, value);
}

/* Write a chunk of SIZE bytes at AT, after one in use; returns the program's part of it. */
static uint64_t put_chunk(uint64_t at, uint64_t size)
{
    put(at + word, size | 1);
    return at + UINT64_C(2) * word;
}

static uint64_t block_size(void)
{
    return (uint64_t)4 * word + (uint64_t)BIN * 2 * word;
}

/* Link BLOCK to NEXT; 0: to none. */
static void link_block(uint64_t block, uint64_t next)
{
    put(block, shapes[shape].is_mixed ? next ^ block >> 12 : next);
}

/* Have the list of thread number INDEX begin with FIRST, and COUNT blocks. */
static void put_list(unsigned index, uint64_t first, uint64_t count)
{
    uint64_t firsts = caches[index] + shapes[shape].lists * shapes[shape].width;

    for (uint64_t i = 0; i < shapes[shape].lists; i++)
        fake_put(session.fake, caches[index] + i * shapes[shape].width, shapes[shape].width,
                 shapes[shape].room);
    fake_put(session.fake, caches[index] + (uint64_t)BIN * shapes[shape].width, shapes[shape].width,
             shapes[shape].room != 0 ? shapes[shape].room - count : count);
    put(firsts + (uint64_t)BIN * word, first);
}

/* The main arena, whose bins are all empty. */
static void put_arena(uint64_t told)
{
    top = libc.data + STATE + UINT64_C(12) * word;
    put(top, told);
    for (uint64_t i = 0; i < 126; i++) {
        put(top + (2 + 2 * i) * word, top + 2 * i * word);
        put(top + (3 + 2 * i) * word, top + 2 * i * word);
    }
}

/* A heap of the threads' caches, blocks in use, and the rest. */
static void put_heap(void)
{
    uint64_t unit = UINT64_C(2) * word;
    uint64_t size = (shapes[shape].lists * (shapes[shape].width + word) + word + unit - 1) / unit;
    uint64_t at = heap;

    for (unsigned i = 0; i < THREADS; i++, at += size * unit)
        caches[i] = put_chunk(at, size * unit);
    for (unsigned i = 0; i < BLOCKS; i++, at += block_size())
        blocks[i] = put_chunk(at, block_size());
    last = at;
    put_chunk(last, heap + (uint64_t)PAGES * FAKE_PAGE - last);
    for (unsigned i = 0; i < BLOCKS; i++)
        put(blocks[i], LEFT_OVER);
    for (unsigned i = 0; i < THREADS; i++)
        put_list(i, 0, 0);
}

static void begin(int variant, unsigned number)
{
    const uint32_t usable = ompd_cl_permission_read | ompd_cl_permission_write;
    ompd_cl_extra_t extra = fake_extra;

    shape = number;
    fake_session_open(&session, variant);
    word = (unsigned)session.fake->pointer_size;
    fake_runtime_add(&session, &libc, "/usr/lib/libc.so.6", 1, RUNTIME_HEAP);
    for (unsigned i = 0; i < THREADS; i++)
        threads[i] = fake_area(&session, FAKE_PAGE, usable) + FAKE_PAGE / 2;
    fake_area(&session, FAKE_PAGE, 0);
    heap = fake_area(&session, (uint64_t)PAGES * FAKE_PAGE, usable);
    fake_area(&session, FAKE_PAGE, 0);
    extra.thread = tell_thread;
    fake_session_begin(&session, &extra);
    put_heap();
    put_arena(last);
    for (unsigned i = 0; i < THREADS; i++)
        put(threads[i] - VARIABLE, caches[i]);
}

static void end(void)
{
    fake_session_close(&session);
}

/* Read the heap again. */
static void look(void)
{
    target_refresh(&session.target);
    heap_chunks_free(&chunks, &session.memory);
    chunks = (struct heap_chunks){0};
}

static void check(uint64_t block, enum heap_use use)
{
    ck_assert_int_eq(heap_chunks_find(&chunks, &session.target, block).use, use);
}

/* Those of each thread's list. Old contents of others prove nothing. */
START_TEST(of_threads)
{
    begin(_i % FAKE_VARIANTS, (unsigned)_i / FAKE_VARIANTS);
    link_block(blocks[2], blocks[0]);
    link_block(blocks[0], 0);
    put_list(0, blocks[2], 2);
    link_block(blocks[4], 0);
    put_list(1, blocks[4], 1);
    link_block(blocks[1], blocks[0]);
    link_block(blocks[3], 0);
    look();
    check(blocks[0], heap_is_cached);
    check(blocks[1] + 1, heap_is_used);
    check(blocks[2], heap_is_cached);
    check(blocks[3], heap_is_used);
    check(blocks[4] + block_size() - UINT64_C(2) * word - 1, heap_is_cached);
    check(blocks[5], heap_is_used);
    check(last + 64, heap_is_freed);
    /* A thread that was stopped while it takes one out has not counted it yet. */
    put_list(0, blocks[0], 2);
    look();
    check(blocks[0], heap_is_cached);
    check(blocks[2], heap_is_used);
    look();
    end();
}
END_TEST

/* Where not all threads' variables are known, a cache is known by where it is; but there may be
 * others. */
START_TEST(of_unknown_threads)
{
    begin(_i, 1);
    put_list(0, blocks[0], 1);
    link_block(blocks[0], 0);
    link_block(blocks[1], blocks[0]);
    threads[0] = 0;
    look();
    check(blocks[0], heap_is_cached);
    check(blocks[1], heap_may_be_cached);
    check(blocks[2], heap_is_used);
    /* A list with a wrong count is not a list. */
    put_list(0, blocks[0], 3);
    look();
    check(blocks[0], heap_may_be_cached);
    look();
    end();
}
END_TEST

/* Small blocks wait in the arena's lists, too, which lead to chunks. */
START_TEST(of_arena)
{
    uint64_t unit = UINT64_C(2) * word;
    uint64_t bin;

    begin(_i, 1);
    unit = UINT64_C(2) * word;
    /* Those of the least size are the first of ten, or in 32 bits with such chunks of ten as well.
     */
    bin = top - (10 - BIN) * (uint64_t)word;
    put(bin, blocks[3] - unit);
    link_block(blocks[3], blocks[1] - unit);
    link_block(blocks[1], 0);
    link_block(blocks[2], 0);
    look();
    check(blocks[1], heap_is_cached);
    check(blocks[2], heap_is_used);
    check(blocks[3], heap_is_cached);
    /* The arena is known by its last chunk. */
    put(top, last + unit);
    look();
    check(blocks[1], heap_may_be_cached);
    check(blocks[4], heap_is_used);
    look();
    end();
}
END_TEST

/* A cyclic list is invalid, and the walk along it ends (law 6). */
START_TEST(endless)
{
    begin(_i % FAKE_VARIANTS, (unsigned)_i / FAKE_VARIANTS);
    link_block(blocks[0], blocks[1]);
    link_block(blocks[1], blocks[0]);
    put_list(0, blocks[0], 2);
    put(top - (10 - BIN) * (uint64_t)word, blocks[1] - UINT64_C(2) * word);
    look();
    check(blocks[0], heap_may_be_cached);
    look();
    end();
}
END_TEST

/* A heap of another arena that continues in a further one ends with two chunks that are only
 * headers; that is not a part that was never allocated. */
START_TEST(closed_heap)
{
    const uint64_t most = UINT64_C(1) << 20; /* in 32 bits */
    const uint64_t size = UINT64_C(4) * FAKE_PAGE;
    uint64_t start, unit, close;

    begin(_i, 1);
    start = fake_reserve(session.fake, 2 * most, most);
    fake_permit(session.fake, start, start + size,
                ompd_cl_permission_read | ompd_cl_permission_write);
    unit = UINT64_C(2) * word;
    close = start + size - 2 * unit;
    put(start, start + 16);
    put(start + unit, size);
    put_chunk(start + 64, FAKE_PAGE | 4);
    put_chunk(start + 64 + FAKE_PAGE, close - start - 64 - FAKE_PAGE);
    put_chunk(close, unit);
    put_chunk(close + unit, 0);
    look();
    check(close - unit, heap_is_used);
    put(close + word, unit);
    look();
    check(close - unit, heap_is_freed);
    check(start + FAKE_PAGE, heap_is_used);
    look();
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kept-blocks");
    TCase *tests = tcase_create("kept-blocks");

    tcase_add_loop_test(tests, of_threads, 0, FAKE_VARIANTS * SHAPES);
    tcase_add_loop_test(tests, of_unknown_threads, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, of_arena, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, endless, 0, FAKE_VARIANTS * SHAPES);
    tcase_add_loop_test(tests, closed_heap, 2, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
