/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lists in a runtime's memory: every shape, in both byte orders and word sizes, intact and broken.
 */
#include "fake-target.h"
#include "suite.h"

#include <check.h>
#include <sources/layout/layout.h>
#include <string.h>

#define OBJECT (FAKE_BASE + 0x8000)
#define HEAP (FAKE_BASE + 0x10000)
#define MOST 600

static struct fake_target *fake;
static struct memory memory;
static struct target target;
static uint64_t word;

/* The result of a walk: the numbers at the elements. */
static uint64_t numbers[MOST];
static uint64_t count;
static uint64_t lost;

static void open_target(int variant)
{
    fake = fake_target_create_variant(variant, 8);
    word = fake->pointer_size;
    memory_open(&memory, &fake_callbacks, &fake_extra);
    ck_assert_int_eq(target_open(&target, &memory, &fake_callbacks, &fake_extra, (void *)fake),
                     ompd_rc_ok);
}

static void close_target(void)
{
    memory_close(&memory);
    fake_target_free(fake);
}

static void put(uint64_t address, uint64_t value)
{
    fake_put(fake, address, (unsigned)word, value);
}

static struct layout_path at(int32_t offset)
{
    return (struct layout_path){{offset}, 1};
}

static struct layout_path behind(int32_t hop, int32_t offset)
{
    return (struct layout_path){{hop, offset}, 2};
}

/* Make the elements callbacks, which are read newest first. */
static void make_callbacks(struct layout_list_location *location)
{
    location->elements[layout_function].is_there = true;
}

/* Walk the list at LOCATION; returns the worst code. */
static ompd_rc_t walk(const struct layout_list_location *location)
{
    struct container container;
    ompd_rc_t worst;
    uint64_t steps = 0;

    /* The test has written to memory. */
    target_refresh(&target);
    worst = container_begin(&container, &target, location, OBJECT);
    count = 0;
    for (struct container_element element = {.address = 1}; element.address != 0;) {
        ompd_rc_t rc = container_next(&container, &target, &element);

        ck_assert_uint_le(++steps, CONTAINER_LIMIT + 2);
        if (rc != ompd_rc_ok) {
            worst = rc;
            element.address = 1;
        } else if (element.address != 0 && count < MOST) {
            numbers[count++] = fake_get(fake, element.address, 4);
        }
    }
    lost = container.lost;
    return worst;
}

/* The walk returns FIRST, FIRST + STEP and so on, EXPECTED numbers. */
static void check_walk(const struct layout_list_location *location, uint64_t first, int64_t step,
                       uint64_t expected)
{
    ck_assert_int_eq(walk(location), ompd_rc_ok);
    ck_assert_uint_eq(lost, 0);
    ck_assert_uint_eq(count, expected);
    for (uint64_t i = 0; i < expected; i++)
        ck_assert_uint_eq(numbers[i], first + (uint64_t)step * i);
}

/* It is refused as what cannot be. */
static void check_corrupt(const struct layout_list_location *location)
{
    target.failure = 0;
    ck_assert_int_eq(walk(location), ompd_rc_incomplete);
    ck_assert_uint_eq(target.failure, ompd_cl_status_corrupt);
}

/* ---- Linked lists ---------------------------------------------------------------------------- */

#define NODE(i) (HEAP + (uint64_t)(i)*64)

/* COUNT nodes, the first with number 1, each {number, next} and elsewhere in memory. */
static void put_nodes(uint64_t nodes)
{
    put(OBJECT + 24, nodes != 0 ? NODE(1) : 0);
    for (uint64_t i = 1; i <= nodes; i++) {
        fake_put(fake, NODE(i), 4, i);
        put(NODE(i) + 8, i < nodes ? NODE(i + 1) : 0);
    }
}

static struct layout_list_location linked(bool is_newest_first)
{
    return (struct layout_list_location){
        .shape = layout_linked, .first = at(24), .next = 8, .is_newest_first = is_newest_first};
}

START_TEST(linked_lists)
{
    static const uint64_t sizes[] = {0, 1, 2, 3, 5, 7, 40, MOST};

    open_target(_i);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct layout_list_location location = linked(true);

        put_nodes(sizes[i]);
        check_walk(&location, 1, 1, sizes[i]);
        make_callbacks(&location);
        check_walk(&location, 1, 1, sizes[i]);
        /* Callbacks come newest first; the order of other elements is the list's. */
        location.is_newest_first = false;
        check_walk(&location, sizes[i], -1, sizes[i]);
        location = linked(false);
        check_walk(&location, 1, 1, sizes[i]);
    }
    close_target();
}
END_TEST

START_TEST(linked_cycles)
{
    struct layout_list_location location = linked(true);

    open_target(_i);
    for (uint64_t from = 1; from <= 9; from++) {
        for (uint64_t to = 1; to <= from; to++) {
            put_nodes(9);
            put(NODE(from) + 8, NODE(to));
            check_corrupt(&location);
            ck_assert_uint_eq(count, 0);
        }
    }
    close_target();
}
END_TEST

START_TEST(linked_nowhere)
{
    struct layout_list_location location = linked(true);

    open_target(_i);
    put_nodes(5);
    put(NODE(3) + 8, word == 8 ? UINT64_MAX - 3 : UINT32_MAX - 3);
    ck_assert_int_eq(walk(&location), ompd_rc_incomplete);
    put(OBJECT + 24, 0x1000);
    ck_assert_int_eq(walk(&location), ompd_rc_incomplete);
    ck_assert_uint_eq(target.failure, ompd_cl_status_unreadable);
    close_target();
}
END_TEST

/* Those that are walked from the other end are bounded more closely. */
START_TEST(linked_far)
{
    struct layout_list_location location = linked(false);

    open_target(_i);
    put_nodes(5000);
    ck_assert_int_eq(walk(&location), ompd_rc_ok);
    make_callbacks(&location);
    check_corrupt(&location);
    close_target();
}
END_TEST

/* ---- Arrays ---------------------------------------------------------------------------------- */

#define STRIDE 24

static void put_numbers(uint64_t address, uint64_t stride, uint64_t elements)
{
    for (uint64_t i = 0; i < elements; i++)
        fake_put(fake, address + i * stride, 4, i + 1);
}

START_TEST(ranges)
{
    struct layout_list_location location = {
        .shape = layout_range, .first = at(-8), .end = behind(0, 16), .stride = STRIDE};

    open_target(_i);
    put(OBJECT, OBJECT + 64);
    put_numbers(HEAP, STRIDE, MOST);
    for (uint64_t elements = 0; elements <= MOST; elements += 1 + elements) {
        put(OBJECT - 8, HEAP);
        put(OBJECT + 64 + 16, HEAP + elements * STRIDE);
        make_callbacks(&location);
        check_walk(&location, elements, -1, elements);
        location.is_newest_first = true;
        check_walk(&location, 1, 1, elements);
        memset(location.elements, 0, sizeof(location.elements));
        location.is_newest_first = false;
        check_walk(&location, 1, 1, elements);
    }
    put(OBJECT + 64 + 16, HEAP + STRIDE + 1);
    check_corrupt(&location);
    put(OBJECT + 64 + 16, HEAP - STRIDE);
    check_corrupt(&location);
    put(OBJECT + 64 + 16, HEAP + STRIDE * (CONTAINER_LIMIT + 1));
    check_corrupt(&location);
    /* A pointer on the path is 0: there is no list. */
    put(OBJECT, 0);
    check_walk(&location, 0, 0, 0);
    close_target();
}
END_TEST

START_TEST(arrays)
{
    struct layout_list_location location = {
        .shape = layout_array, .first = at(32), .end = at(40), .stride = STRIDE};

    open_target(_i);
    put_numbers(HEAP, STRIDE, 7);
    put(OBJECT + 32, HEAP);
    put(OBJECT + 40, 7);
    check_walk(&location, 1, 1, 7);
    make_callbacks(&location);
    check_walk(&location, 7, -1, 7);
    put(OBJECT + 40, 0);
    check_walk(&location, 0, 0, 0);
    put(OBJECT + 40, CONTAINER_LIMIT + 1);
    check_corrupt(&location);
    put(OBJECT + 40, 1);
    put(OBJECT + 32, 0);
    check_corrupt(&location);
    put(OBJECT + 32, word == 8 ? UINT64_MAX - 8 : UINT32_MAX - 8);
    check_corrupt(&location);
    location.stride = 0;
    check_corrupt(&location);
    close_target();
}
END_TEST

/* Boxes at odd distances, each pointer 16 below its target; one leads nowhere. */
START_TEST(boxes)
{
    struct layout_list_location location = {
        .shape = layout_array, .first = at(32), .end = at(40), .adjust = 16, .is_boxed = true};

    open_target(_i);
    location.stride = (uint32_t)(2 * word);
    make_callbacks(&location);
    put(OBJECT + 32, HEAP);
    put(OBJECT + 40, 5);
    for (uint64_t i = 0; i < 5; i++) {
        put(HEAP + i * 2 * word, HEAP + 0x8000 + i * 72 - 16);
        fake_put(fake, HEAP + 0x8000 + i * 72, 4, i + 1);
    }
    check_walk(&location, 5, -1, 5);
    put(HEAP + 2 * 2 * word, 0);
    check_corrupt(&location);
    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(lost, 1);
    ck_assert_uint_eq(numbers[2], 2);
    close_target();
}
END_TEST

/* ---- Deques ---------------------------------------------------------------------------------- */

#define CHUNK 512
#define MAP (HEAP + 0x20000)

/* An iterator of element INDEX of the table of chunks. */
static void put_iterator(uint64_t address, uint64_t stride, uint64_t index)
{
    uint64_t in_chunk = CHUNK / stride;
    uint64_t node = MAP + index / in_chunk * word;
    uint64_t chunk = fake_get(fake, node, (unsigned)word);

    put(address, chunk + index % in_chunk * stride);
    put(address + word, chunk);
    put(address + 2 * word, chunk + in_chunk * stride);
    put(address + 3 * word, node);
}

/* Elements [FIRST, END) of chunks in arbitrary order; the first has number 1. */
static void put_deque(uint64_t stride, uint64_t first, uint64_t end)
{
    uint64_t in_chunk = CHUNK / stride;

    for (uint64_t i = 0; i < 64; i++)
        put(MAP + i * word, HEAP + (i * 37 % 64) * 1024);
    for (uint64_t i = first; i < end; i++) {
        uint64_t chunk = fake_get(fake, MAP + i / in_chunk * word, (unsigned)word);

        fake_put(fake, chunk + i % in_chunk * stride, 4, i - first + 1);
    }
    put_iterator(OBJECT + 8, stride, first);
    put_iterator(OBJECT + 8 + 4 * word, stride, end);
}

START_TEST(deques)
{
    static const uint32_t strides[] = {8, 16, 24, 512};

    open_target(_i);
    for (size_t i = 0; i < sizeof(strides) / sizeof(strides[0]); i++) {
        struct layout_list_location location = {.shape = layout_deque,
                                                .first = at(8),
                                                .end = at((int32_t)(8 + 4 * word)),
                                                .chunk = CHUNK,
                                                .stride = strides[i]};

        for (uint64_t first = 0; first < 40; first += 13) {
            for (uint64_t elements = 0; elements < 64 - first; elements += 1 + elements / 2) {
                memset(location.elements, 0, sizeof(location.elements));
                put_deque(strides[i], first, first + elements);
                check_walk(&location, 1, 1, elements);
                make_callbacks(&location);
                check_walk(&location, elements, -1, elements);
            }
        }
    }
    close_target();
}
END_TEST

START_TEST(broken_deques)
{
    struct layout_list_location location = {
        .shape = layout_deque, .first = at(8), .end = at(0), .chunk = CHUNK, .stride = 16};

    open_target(_i);
    location.end = at((int32_t)(8 + 4 * word));
    for (uint64_t member = 0; member < 8; member++) {
        put_deque(16, 5, 100);
        put(OBJECT + 8 + member * word, 12);
        check_corrupt(&location);
        ck_assert_uint_eq(count, 0);
    }
    put_deque(16, 5, 100);
    put(OBJECT + 8 + 7 * word, MAP + (CONTAINER_LIMIT + 8) * word);
    check_corrupt(&location);
    /* A missing chunk loses its own elements, and no others. */
    put_deque(16, 0, 100);
    put(MAP + word, 0);
    check_corrupt(&location);
    ck_assert_uint_eq(lost, 32);
    ck_assert_uint_eq(count, 100 - 32);
    close_target();
}
END_TEST

/* ---- Failing reads --------------------------------------------------------------------------- */

#define SHAPES 3
#define LENGTH (TARGET_BLOCK_COUNT + 6)
#define FAR_NODE(i) (HEAP + (uint64_t)(i) * (TARGET_BLOCK_SIZE + 64))

/* As put_nodes, on more pages than the cache has, so that they are read again. */
static void put_far_nodes(void)
{
    put(OBJECT + 24, FAR_NODE(1));
    for (uint64_t i = 1; i <= LENGTH; i++) {
        fake_put(fake, FAR_NODE(i), 4, i);
        put(FAR_NODE(i) + 8, i < LENGTH ? FAR_NODE(i + 1) : 0);
    }
}

/* Have a list of LENGTH elements of a shape. */
static struct layout_list_location put_shape(int shape)
{
    struct layout_list_location location = linked(shape == 0);

    if (shape == 1)
        make_callbacks(&location);
    if (shape < 2) {
        put_far_nodes();
    } else {
        put_deque(16, 0, LENGTH);
        location = (struct layout_list_location){.shape = layout_deque,
                                                 .first = at(8),
                                                 .end = at((int32_t)(8 + 4 * word)),
                                                 .chunk = CHUNK,
                                                 .stride = 16};
    }
    return location;
}

/* Whichever read fails, once or from then on: returned rows are of the list, and missing ones are
 * reported. */
START_TEST(failing_reads)
{
    struct layout_list_location location;
    uint64_t number = 0;

    open_target(_i % FAKE_VARIANTS);
    location = put_shape(_i / 2);
    do {
        ompd_rc_t rc;

        fake_reset(fake);
        fake->failing = fake_read;
        number += 1 + number / 8;
        fake->fail_at = number;
        fake->fails_for_ever = _i % 2 == 1;
        rc = walk(&location);
        ck_assert(rc == ompd_rc_ok || rc == ompd_rc_incomplete);
        ck_assert(count + lost == LENGTH || (rc != ompd_rc_ok && count + lost == 0));
        ck_assert_int_eq(rc == ompd_rc_ok, count == LENGTH);
        for (uint64_t i = 0; i < count; i++)
            ck_assert(numbers[i] >= 1 && numbers[i] <= LENGTH);
    } while (fake->failures != 0);
    ck_assert_uint_gt(number, 1);
    close_target();
}
END_TEST

/* ---- Places ---------------------------------------------------------------------------------- */

static ompd_rc_t read_location(const struct layout_location *location, uint64_t *value)
{
    target_refresh(&target);
    return location_read(&target, location, OBJECT, value);
}

START_TEST(locations)
{
    struct layout_location location = {.path = at(16), .width = 2, .is_there = true};
    uint64_t value = 7;

    open_target(_i);
    fake_put(fake, OBJECT + 16, 2, 0xfedc);
    ck_assert_int_eq(read_location(&location, &value), ompd_rc_ok);
    ck_assert_uint_eq(value, 0xfedc);

    location = (struct layout_location){
        .path = {{8, -24, 4}, 3}, .width = (uint8_t)word, .is_there = true, .adjust = -16};
    put(OBJECT + 8, OBJECT + 0x100);
    put(OBJECT + 0x100 - 24, OBJECT + 0x200);
    put(OBJECT + 0x204, 0x12345670);
    ck_assert_int_eq(read_location(&location, &value), ompd_rc_ok);
    ck_assert_uint_eq(value, 0x12345660);
    put(OBJECT + 0x204, 0);
    ck_assert_int_eq(read_location(&location, &value), ompd_rc_ok);
    ck_assert_uint_eq(value, 0);
    location.width = 0;
    ck_assert_int_eq(read_location(&location, &value), ompd_rc_ok);
    ck_assert_uint_eq(value, OBJECT + 0x200 + 4 - 16);

    put(OBJECT + 8, 0);
    ck_assert_int_eq(read_location(&location, &value), ompd_rc_unavailable);
    put(OBJECT + 8, 16);
    ck_assert_int_eq(read_location(&location, &value), ompd_rc_incomplete);
    ck_assert_uint_eq(target.failure, ompd_cl_status_corrupt);
    close_target();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("container");
    TCase *tests = tcase_create("container");

    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, linked_lists, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, linked_cycles, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, linked_nowhere, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, linked_far, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, ranges, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, arrays, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, boxes, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, deques, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, broken_deques, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, failing_reads, 0, 2 * SHAPES);
    tcase_add_loop_test(tests, locations, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
