/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Trees and conditional data in a runtime's memory. */
#include "fake-target.h"
#include "suite.h"

#include <check.h>
#include <sources/layout/layout.h>
#include <string.h>

#define OBJECT (FAKE_BASE + 0x8000)
#define HEAP (FAKE_BASE + 0x10000)
#define NODE(i) (HEAP + (uint64_t)(i)*1024)
#define MOST 200
#define FULL 11 /* elements of a node, as in Rust */

/* Where a node has things: keys, values beside padding, its count, and the nodes below it. */
#define KEYS 8
#define VALUES 200
#define VALUE_STRIDE 24
#define USED 600
#define CHILDREN 608

static struct fake_target *fake;
static struct memory memory;
static struct target target;
static uint64_t word;

/* The result of a walk. */
static uint64_t keys[MOST];
static uint64_t values[MOST];
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

static struct layout_list_location tree(void)
{
    struct layout_list_location location = {
        .shape = layout_tree,
        .first = at(24),
        .height = at(32),
        .end = at(40),
        .used = USED,
        .children = CHILDREN,
    };

    location.elements[layout_svm_pointer] = (struct layout_location){
        .path = at(KEYS), .width = (uint8_t)word, .is_there = true, .every = (uint32_t)word};
    location.elements[layout_svm_size] = (struct layout_location){
        .path = at(VALUES), .width = 4, .is_there = true, .every = VALUE_STRIDE};
    return location;
}

/* Walk the list at LOCATION; returns the worst code. */
static ompd_rc_t walk(const struct layout_list_location *location)
{
    struct container_element element = {.address = 1};
    struct container container;
    ompd_rc_t worst;
    uint64_t steps = 0;

    target_refresh(&target);
    worst = container_begin(&container, &target, location, OBJECT);
    for (count = 0; element.address != 0;) {
        ompd_rc_t rc = container_next(&container, &target, &element);

        ck_assert_uint_le(++steps, CONTAINER_LIMIT + 2);
        if (rc != ompd_rc_ok) {
            worst = rc;
            element.address = 1;
        } else if (element.address != 0 && count < MOST) {
            element_read(&target, &location->elements[layout_svm_pointer], &element, &keys[count]);
            element_read(&target, &location->elements[layout_svm_size], &element, &values[count++]);
        }
    }
    lost = container.lost;
    return worst;
}

/* ---- Trees ----------------------------------------------------------------------------------- */

static uint64_t nodes; /* made so far */
static uint64_t next;  /* the next key */

static void put_element(uint64_t node, uint64_t index)
{
    put(node + KEYS + index * word, ++next);
    fake_put(fake, node + VALUES + index * VALUE_STRIDE, 4, 1000 + next);
}

/* Make a node on LEVEL with USED elements, with as full nodes below it; returns its address. */
static uint64_t put_node(uint64_t level, uint64_t used)
{
    uint64_t node = NODE(nodes++);

    fake_put(fake, node + USED, 2, used);
    for (uint64_t i = 0; i <= used; i++) {
        if (level != 0)
            put(node + CHILDREN + i * word, put_node(level - 1, used));
        if (i < used)
            put_element(node, i);
    }
    return node;
}

/* Have OBJECT own a tree of HEIGHT levels above the leaves, in whose nodes are USED elements. */
static void put_tree(uint64_t height, uint64_t used)
{
    nodes = 0;
    next = 0;
    put(OBJECT + 24, put_node(height, used));
    put(OBJECT + 32, height);
    put(OBJECT + 40, next);
}

START_TEST(trees)
{
    static const struct {
        uint64_t height;
        uint64_t used;
    } sizes[] = {{0, 1}, {0, 3}, {0, FULL}, {1, 1}, {1, 6}, {2, 2}, {2, 4}, {5, 1}};
    struct layout_list_location location;

    open_target(_i);
    location = tree();
    ck_assert_int_eq(walk(&location), ompd_rc_ok);
    ck_assert_uint_eq(count, 0);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        put_tree(sizes[i].height, sizes[i].used);
        ck_assert_int_eq(walk(&location), ompd_rc_ok);
        ck_assert_uint_eq(lost, 0);
        ck_assert_uint_eq(count, next);
        for (uint64_t j = 0; j < count; j++) {
            ck_assert_uint_eq(keys[j], j + 1);
            ck_assert_uint_eq(values[j], 1001 + j);
        }
    }
    close_target();
}
END_TEST

/* A tree that cannot be is walked as far as it can be, within bounds. */
static void check_corrupt(void)
{
    struct layout_list_location location = tree();

    target.failure = 0;
    ck_assert_int_eq(walk(&location), ompd_rc_incomplete);
    ck_assert_uint_eq(target.failure, ompd_cl_status_corrupt);
}

START_TEST(broken_trees)
{
    static const uint64_t counts[] = {0, FULL, 5000, 0xffff};

    open_target(_i);
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        put_tree(2, 2);
        fake_put(fake, NODE(2) + USED, 2, counts[i]);
        put(OBJECT + 40, counts[i] == FULL ? 1000 : next);
        check_corrupt();
    }
    put_tree(1, 2);
    put(OBJECT + 40, next + 1); /* it has fewer */
    check_corrupt();
    ck_assert_uint_eq(count, next);
    ck_assert_uint_eq(lost, 1);
    put(OBJECT + 40, CONTAINER_LIMIT + 1);
    check_corrupt();
    put(OBJECT + 40, next);
    put(OBJECT + 32, CONTAINER_HEIGHT);
    check_corrupt();
    put(OBJECT + 32, 1);
    put(OBJECT + 24, 0);
    check_corrupt();
    put_tree(2, 2);
    put(NODE(1) + CHILDREN + word, 0);
    check_corrupt();
    ck_assert_uint_eq(count + lost, next);
    close_target();
}
END_TEST

/* A node that is below itself ends the walk, too. */
START_TEST(cyclic_trees)
{
    struct layout_list_location location;

    open_target(_i);
    location = tree();
    put_tree(3, 1);
    put(NODE(0) + CHILDREN, NODE(0));
    put(NODE(0) + CHILDREN + word, NODE(0));
    put(OBJECT + 40, CONTAINER_LIMIT);
    ck_assert(walk(&location) == ompd_rc_incomplete);
    ck_assert_uint_eq(count, 15); /* of the 4 levels that it claims */
    close_target();
}
END_TEST

/* ---- Binary trees ---------------------------------------------------------------------------- */

#define LEAF(i) (HEAP + (uint64_t)(i)*64)
#define LEFT 8
#define RIGHT 16
#define KEY 24
#define SIZE 32

static struct layout_list_location binary_tree(void)
{
    struct layout_list_location location = {
        .shape = layout_binary_tree,
        .first = at(24),
        .end = at(32),
        .left = LEFT,
        .right = RIGHT,
    };

    location.elements[layout_svm_pointer] =
        (struct layout_location){.path = at(KEY), .width = (uint8_t)word, .is_there = true};
    location.elements[layout_svm_size] =
        (struct layout_location){.path = at(SIZE), .width = 4, .is_there = true};
    return location;
}

/* Make nodes of the keys from LEAST to MOST_KEY, as even as possible; returns the root. */
static uint64_t put_leaves(uint64_t least, uint64_t most)
{
    uint64_t key = (least + most) / 2;

    if (least > most)
        return 0;
    put(LEAF(key) + KEY, key);
    fake_put(fake, LEAF(key) + SIZE, 4, 1000 + key);
    put(LEAF(key) + LEFT, put_leaves(least, key - 1));
    put(LEAF(key) + RIGHT, put_leaves(key + 1, most));
    return LEAF(key);
}

static void put_binary_tree(uint64_t elements)
{
    put(OBJECT + 24, put_leaves(1, elements));
    put(OBJECT + 32, elements);
}

START_TEST(binary_trees)
{
    static const uint64_t sizes[] = {0, 1, 2, 3, 4, 7, 40, MOST};
    struct layout_list_location location;

    open_target(_i);
    location = binary_tree();
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        put_binary_tree(sizes[i]);
        ck_assert_int_eq(walk(&location), ompd_rc_ok);
        ck_assert_uint_eq(lost, 0);
        ck_assert_uint_eq(count, sizes[i]);
        for (uint64_t j = 0; j < count; j++) {
            ck_assert_uint_eq(keys[j], j + 1);
            ck_assert_uint_eq(values[j], 1001 + j);
        }
    }
    /* One side may be longer than the other, and nodes may be left out. */
    put_binary_tree(3);
    put(LEAF(3) + RIGHT, LEAF(4));
    put(LEAF(4) + LEFT, 0);
    put(LEAF(4) + RIGHT, 0);
    put(OBJECT + 32, 4);
    ck_assert_int_eq(walk(&location), ompd_rc_ok);
    ck_assert_uint_eq(count, 4);
    location.when.rule = (struct layout_rule){SIZE, 4, 1002, 1003};
    ck_assert_int_eq(walk(&location), ompd_rc_ok);
    ck_assert_uint_eq(count, 2);
    close_target();
}
END_TEST

/* Walk an impossible binary tree with GIVEN readable elements and as many unreadable ones. */
static void check_broken(uint64_t given, uint64_t missing)
{
    struct layout_list_location location = binary_tree();

    target.failure = 0;
    ck_assert_int_eq(walk(&location), ompd_rc_incomplete);
    ck_assert_uint_eq(target.failure, ompd_cl_status_corrupt);
    ck_assert_uint_eq(count, given);
    ck_assert_uint_eq(lost, missing);
}

START_TEST(broken_binary_trees)
{
    open_target(_i);
    put_binary_tree(7);
    put(OBJECT + 32, 9); /* it has fewer */
    check_broken(7, 2);
    put(OBJECT + 32, CONTAINER_LIMIT + 1);
    check_broken(0, 0);
    put_binary_tree(7);
    put(OBJECT + 24, 0);
    check_broken(0, 7);
    /* Below itself, on either side; and above. */
    put_binary_tree(7);
    put(LEAF(1) + LEFT, LEAF(1));
    check_broken(0, 0);
    put_binary_tree(7);
    put(LEAF(5) + RIGHT, LEAF(5));
    check_broken(5, 2);
    put_binary_tree(7);
    put(LEAF(7) + RIGHT, LEAF(1));
    put(OBJECT + 32, CONTAINER_LIMIT);
    check_broken(7, CONTAINER_LIMIT - 7);
    /* Out of order. */
    put_binary_tree(7);
    put(LEAF(5) + KEY, 4);
    check_broken(4, 3);
    close_target();
}
END_TEST

/* A path longer than in a balanced tree of a million elements is invalid. */
START_TEST(deep_binary_trees)
{
    struct layout_list_location location;

    open_target(_i);
    location = binary_tree();
    for (uint64_t i = 1; i <= CONTAINER_DEPTH + 1; i++) {
        put(LEAF(i) + KEY, i);
        put(LEAF(i) + LEFT, i > 1 ? LEAF(i - 1) : 0);
        put(LEAF(i) + RIGHT, 0);
    }
    put(OBJECT + 24, LEAF(CONTAINER_DEPTH));
    put(OBJECT + 32, CONTAINER_DEPTH);
    ck_assert_int_eq(walk(&location), ompd_rc_ok);
    ck_assert_uint_eq(count, CONTAINER_DEPTH);
    put(OBJECT + 24, LEAF(CONTAINER_DEPTH + 1));
    put(OBJECT + 32, CONTAINER_DEPTH + 1);
    check_broken(0, 0);
    close_target();
}
END_TEST

/* ---- Conditions ------------------------------------------------------------------------------ */

#define LINK(i) (HEAP + (uint64_t)(i)*64)

/* A list in which every second node is not an element. */
START_TEST(lists_with_others)
{
    struct layout_list_location location = {.shape = layout_linked, .first = at(24), .next = 16};
    struct container container;
    uint64_t told;

    open_target(_i);
    location.elements[layout_svm_pointer] =
        (struct layout_location){.path = at(0), .width = (uint8_t)word, .is_there = true};
    location.elements[layout_svm_size] =
        (struct layout_location){.path = at(32), .width = 4, .is_there = true};
    location.when.rule = (struct layout_rule){0, (uint8_t)word, 1, UINT64_MAX};
    put(OBJECT + 24, LINK(1));
    for (uint64_t i = 1; i <= 9; i++) {
        put(LINK(i), i % 2 != 0 ? i : 0);
        put(LINK(i) + 16, i < 9 ? LINK(i + 1) : 0);
        fake_put(fake, LINK(i) + 32, 4, 100 + i);
    }
    ck_assert_int_eq(walk(&location), ompd_rc_ok);
    ck_assert_uint_eq(count, 5);
    for (uint64_t i = 0; i < count; i++)
        ck_assert_uint_eq(keys[i], 2 * i + 1);
    ck_assert_int_eq(container_begin(&container, &target, &location, OBJECT), ompd_rc_ok);
    ck_assert_int_eq(container_count(&container, &target, &told), ompd_rc_ok);
    ck_assert_uint_eq(told, 5);
    location.when.is_except = true;
    ck_assert_int_eq(walk(&location), ompd_rc_ok);
    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(values[0], 102);
    close_target();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tree");
    TCase *tests = tcase_create("tree");

    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, trees, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, broken_trees, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, cyclic_trees, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, binary_trees, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, broken_binary_trees, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, deep_binary_trees, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, lists_with_others, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
