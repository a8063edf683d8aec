/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Trees, and what is there only on a condition: in layouts, and in a runtime's memory. */
#include "fake-target.h"
#include "suite.h"

#include <check.h>
#include <container.h>
#include <string.h>

#define OBJECT (FAKE_BASE + 0x1000)
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

static struct layout layout;
static struct message message;

/* What a walk gave. */
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
    target_close(&target);
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

static struct layout_list_place tree(void)
{
    struct layout_list_place place = {
        .shape = layout_tree,
        .first = at(24),
        .height = at(32),
        .end = at(40),
        .used = USED,
        .children = CHILDREN,
    };

    place.elements[layout_svm_pointer] = (struct layout_place){
        .path = at(KEYS), .width = (uint8_t)word, .is_there = true, .every = (uint32_t)word};
    place.elements[layout_svm_size] = (struct layout_place){
        .path = at(VALUES), .width = 4, .is_there = true, .every = VALUE_STRIDE};
    return place;
}

/* Walk the list that PLACE describes; gives the worst code. */
static ompd_rc_t walk(const struct layout_list_place *place)
{
    struct container_element element = {.address = 1};
    struct container container;
    ompd_rc_t worst;
    uint64_t steps = 0;

    target_refresh(&target);
    worst = container_begin(&container, &target, place, OBJECT);
    for (count = 0; element.address != 0;) {
        ompd_rc_t rc = container_next(&container, &target, &element);

        ck_assert_uint_le(++steps, CONTAINER_LIMIT + 2);
        if (rc != ompd_rc_ok) {
            worst = rc;
            element.address = 1;
        } else if (element.address != 0 && count < MOST) {
            element_read(&target, &place->elements[layout_svm_pointer], &element, &keys[count]);
            element_read(&target, &place->elements[layout_svm_size], &element, &values[count++]);
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

/* Make a node on LEVEL with USED elements, and below it nodes of as many; gives its address. */
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
    struct layout_list_place place;

    open_target(_i);
    place = tree();
    ck_assert_int_eq(walk(&place), ompd_rc_ok);
    ck_assert_uint_eq(count, 0);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        put_tree(sizes[i].height, sizes[i].used);
        ck_assert_int_eq(walk(&place), ompd_rc_ok);
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
    struct layout_list_place place = tree();

    target.failure = 0;
    ck_assert_int_eq(walk(&place), ompd_rc_incomplete);
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
    struct layout_list_place place;

    open_target(_i);
    place = tree();
    put_tree(3, 1);
    put(NODE(0) + CHILDREN, NODE(0));
    put(NODE(0) + CHILDREN + word, NODE(0));
    put(OBJECT + 40, CONTAINER_LIMIT);
    ck_assert(walk(&place) == ompd_rc_incomplete);
    ck_assert_uint_eq(count, 15); /* of the 4 levels that it says it has */
    close_target();
}
END_TEST

/* ---- Conditions ------------------------------------------------------------------------------ */

#define LINK(i) (HEAP + (uint64_t)(i)*64)

/* A list of which every second node is no element. */
START_TEST(lists_with_others)
{
    struct layout_list_place place = {.shape = layout_linked, .first = at(24), .next = 16};
    struct container container;
    uint64_t told;

    open_target(_i);
    place.elements[layout_svm_pointer] =
        (struct layout_place){.path = at(0), .width = (uint8_t)word, .is_there = true};
    place.elements[layout_svm_size] =
        (struct layout_place){.path = at(32), .width = 4, .is_there = true};
    place.when.rule = (struct layout_rule){0, (uint8_t)word, 1, UINT64_MAX};
    put(OBJECT + 24, LINK(1));
    for (uint64_t i = 1; i <= 9; i++) {
        put(LINK(i), i % 2 != 0 ? i : 0);
        put(LINK(i) + 16, i < 9 ? LINK(i + 1) : 0);
        fake_put(fake, LINK(i) + 32, 4, 100 + i);
    }
    ck_assert_int_eq(walk(&place), ompd_rc_ok);
    ck_assert_uint_eq(count, 5);
    for (uint64_t i = 0; i < count; i++)
        ck_assert_uint_eq(keys[i], 2 * i + 1);
    ck_assert_int_eq(container_begin(&container, &target, &place, OBJECT), ompd_rc_ok);
    ck_assert_int_eq(container_count(&container, &target, &told), ompd_rc_ok);
    ck_assert_uint_eq(told, 5);
    place.when.is_except = true;
    ck_assert_int_eq(walk(&place), ompd_rc_ok);
    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(values[0], 102);
    close_target();
}
END_TEST

/* ---- Layouts --------------------------------------------------------------------------------- */

#define HEAD                                                                                       \
    "ompd-opencl-layout 1.0\nruntime R\nmodule M\nbuild-id 01\nmachine 62 64 little\ntable 8\n"
#define CONTEXT HEAD "object context\n"
#define BUFFER HEAD "object buffer\n"

static ompd_rc_t parse(const char *text)
{
    message_clear(&message);
    memset(&layout, 0xa5, sizeof(layout));
    return layout_parse(text, strlen(text), &layout, &message);
}

START_TEST(tree_lines)
{
    const struct layout_list_place *list = &layout.objects[layout_context].lists[layout_svm];

    ck_assert_int_eq(parse(CONTEXT "field references 56 4\n"
                                   "list svm tree 56>8 64 72 -274 280\n"
                                   "element pointer 184 8 16 every 8\nelement size 8 4 every 16\n"),
                     ompd_rc_ok);
    ck_assert_int_eq(list->shape, layout_tree);
    ck_assert_uint_eq(list->first.count, 2);
    ck_assert_int_eq(list->height.offsets[0], 64);
    ck_assert_int_eq(list->end.offsets[0], 72);
    ck_assert_int_eq(list->used, -274);
    ck_assert_int_eq(list->children, 280);
    ck_assert_uint_eq(list->elements[layout_svm_pointer].every, 8);
    ck_assert_int_eq(list->elements[layout_svm_pointer].adjust, 16);
    ck_assert_uint_eq(list->elements[layout_svm_size].every, 16);
    ck_assert_uint_eq(list->elements[layout_svm_size].width, 4);
}
END_TEST

START_TEST(condition_lines)
{
    const struct layout_object *buffer = &layout.objects[layout_buffer];
    const struct layout_list_place *list = &layout.objects[layout_context].lists[layout_svm];

    ck_assert_int_eq(parse(HEAD "require conditions\nrequire trees\nrequire several-internals\n"
                                "object buffer\nfield parent -104 8 232\n"
                                "when -120 8 5 0x8000000000000000\n"
                                "field size 8 8\nunless 600 1 0 3\nfield origin 16 8\n"
                                "object context\nfield references 56 4\n"
                                "list svm linked 0 8 oldest-first\n"
                                "when 4000 4 1 2\nelement pointer 0 8\n"),
                     ompd_rc_ok);
    ck_assert_int_eq(buffer->when[layout_parent].rule.offset, -120);
    ck_assert_uint_eq(buffer->when[layout_parent].rule.width, 8);
    ck_assert_uint_eq(buffer->when[layout_parent].rule.least, 5);
    ck_assert_uint_eq(buffer->when[layout_parent].rule.most, UINT64_C(1) << 63);
    ck_assert(!buffer->when[layout_parent].is_except);
    ck_assert(buffer->when[layout_size].is_except);
    ck_assert_uint_eq(buffer->when[layout_origin].rule.width, 0);
    /* The object's bytes reach over what its conditions need; a list's count from its elements. */
    ck_assert_int_eq(buffer->lowest, -120);
    ck_assert_int_eq(buffer->highest, 601);
    ck_assert_int_eq(list->when.rule.offset, 4000);
    ck_assert_int_eq(layout.objects[layout_context].highest, 60);
}
END_TEST

static const struct {
    const char *text;
    const char *sentence;
} faults[] = {
    {CONTEXT "list svm tree 0 8 16 24\n",
     "line 8: write list NAME tree ROOT HEIGHT COUNT USED CHILDREN."},
    {CONTEXT "list svm tree 0 8 16 24 32 oldest-first\n",
     "line 8: write list NAME tree ROOT HEIGHT COUNT USED CHILDREN."},
    {CONTEXT "list svm tree 0 8 16 0>8 32\n", "line 8: \"0>8\" is no offset from -4096 to 65535."},
    {CONTEXT "list destructors tree 0 8 16 24 32\n",
     "line 8: callbacks have an order, and a tree has none."},
    {CONTEXT "list svm tree 0 8 16 24 32\nelement pointer 0 8\n",
     "line 9: of a tree write element NAME PATH WIDTH [ADJUST] every STRIDE."},
    {CONTEXT "list svm tree 0 8 16 24 32\nelement pointer 0 8 every 0\n",
     "line 9: \"0\" is no size from 1 to 65535."},
    {CONTEXT "list svm linked 0 8 oldest-first\nelement pointer 0 8 every 8\n",
     "line 9: only the elements of a tree lie side by side."},
    {CONTEXT "list svm linked 0 8 oldest-first\nelement pointer 0 8 0 8\n",
     "line 9: write element NAME PATH WIDTH [ADJUST]."},
    {CONTEXT "list svm tree 0 8 16 24 32\nwhen 0 8 1 2\n",
     "line 9: the elements of a tree have no condition."},
    {CONTEXT "when 0 8 1 2\n", "line 8: a condition comes directly after its field or list."},
    {BUFFER "field size 0 8\nrule 0 8 0 1\nunless 0 8 1 2\n",
     "line 10: a condition comes directly after its field or list."},
    {BUFFER "field size 0 8\nwhen 0 8 1 2\nwhen 0 8 1 2\n",
     "line 10: a condition comes directly after its field or list."},
    {BUFFER "field size 0 8\nwhen 0 8 1\n", "line 9: write when OFFSET WIDTH MIN MAX."},
    {BUFFER "field size 0 8\nunless 0 8 1\n", "line 9: write unless OFFSET WIDTH MIN MAX."},
    {BUFFER "field size 0 8\nwhen 0 8 2 1\n",
     "line 9: \"1\" is too great for its width, or too small."},
    {BUFFER "field size 0 8\nwhen 0 3 2 1\n", "line 9: \"3\" is no width: 1, 2, 4 or 8."},
};

START_TEST(each_fault)
{
    ck_assert_int_eq(parse(faults[_i].text), ompd_rc_bad_input);
    ck_assert_str_eq(message.text, faults[_i].sentence);
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
    tcase_add_loop_test(tests, lists_with_others, 0, FAKE_VARIANTS);
    tcase_add_test(tests, tree_lines);
    tcase_add_test(tests, condition_lines);
    tcase_add_loop_test(tests, each_fault, 0, sizeof(faults) / sizeof(faults[0]));
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
