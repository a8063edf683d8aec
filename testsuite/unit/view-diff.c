/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two snapshots, matched: by the recorder's order within one process, else by the names of
 * places. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <stddef.h>
#include <string.h>
#include <text/heap.h>
#include <text/text.h>
#include <view/verbs/diff-places.h>

#define BUFFER 0 /* indexes in view_diff_kinds */
#define EVENT 4

static struct heap heap;
static struct view_diff diff;

/* An object made by stack number STACK. All snapshots name a stack by its number's last digit. */
static void add(enum view_diff_side side, uint32_t kind, uint64_t order, uint64_t stack,
                uint64_t bytes)
{
    struct view_diff_object object = {.kind = kind, .order = order, .stack = stack, .bytes = bytes};

    view_diff_add(&diff, side, &object);
}

static char *calls_of(void *user_ptr, const struct view_diff_object *object)
{
    struct text text = {0};
    char *calls;

    ck_assert_ptr_eq(user_ptr, &diff);
    if (object->stack != 0)
        text_add(&text, "make%d at x.c:1\nmain at x.c:2\n", (int)(object->stack % 10));
    calls = text_copy(text_get(&text));
    text_free(&text);
    return calls;
}

/* Both snapshots are complete, of one process, and have DEPTH calls of each stack. */
static void begin(uint64_t depth)
{
    diff = (struct view_diff){.is_one_process = true};
    for (size_t side = 0; side < VIEW_DIFF_SIDES; side++) {
        diff.facts[side].depth = depth;
        diff.facts[side].last_order = 100 * (side + 1);
        for (size_t kind = 0; kind < VIEW_DIFF_KINDS; kind++)
            diff.facts[side].is_told[kind] = diff.facts[side].is_whole[kind] = true;
    }
}

static void settle(void)
{
    for (size_t side = 0; side < VIEW_DIFF_SIDES; side++)
        view_diff_find_places(&diff, (enum view_diff_side)side, calls_of, &diff);
    view_diff_settle(&diff);
}

/* Place INDEX is of KIND and CALLS, and has so many objects. */
static void expect(size_t index, uint32_t kind, const char *calls, uint64_t before, uint64_t after,
                   uint64_t made, uint64_t destroyed)
{
    const struct view_diff_place *place = &diff.places[index];

    ck_assert_uint_lt(index, diff.count);
    ck_assert_uint_eq(place->kind, kind);
    ck_assert_str_eq(place->calls, calls);
    ck_assert_uint_eq(place->sides[view_diff_before].count, before);
    ck_assert_uint_eq(place->sides[view_diff_after].count, after);
    ck_assert_uint_eq(place->made.count, made);
    ck_assert_uint_eq(place->destroyed.count, destroyed);
}

#define MAKE(number) "make" #number " at x.c:1\nmain at x.c:2\n"

/* Objects of one process are distinguished, whether their number is the same or not. */
static void match_one_process(void *argument)
{
    (void)argument;
    begin(4);
    add(view_diff_before, BUFFER, 1, 11, 10);
    add(view_diff_before, BUFFER, 2, 11, 20);
    add(view_diff_before, EVENT, 3, 12, 0);
    add(view_diff_after, EVENT, 103, 12, 0);
    add(view_diff_after, BUFFER, 101, 11, 400);
    add(view_diff_after, BUFFER, 2, 11, 20);
    add(view_diff_after, BUFFER, 102, 11, 500);
    settle();
    ck_assert_uint_eq(diff.count, 2);
    ck_assert_uint_eq(diff.changed, 2);
    expect(0, BUFFER, MAKE(1), 2, 3, 2, 1);
    ck_assert_uint_eq(diff.places[0].made.bytes, 900);
    ck_assert_uint_eq(diff.places[0].destroyed.bytes, 10);
    ck_assert_uint_eq(diff.places[0].sides[view_diff_before].bytes, 30);
    ck_assert_uint_eq(diff.places[0].sides[view_diff_after].bytes, 920);
    /* As many as before, but another one. */
    expect(1, EVENT, MAKE(2), 1, 1, 1, 1);
    ck_assert_uint_eq(diff.totals[BUFFER].made.count, 2);
    ck_assert_uint_eq(diff.totals[EVENT].destroyed.count, 1);
    view_diff_free(&diff);
}

/* Numbers of stacks mean nothing in another process: their names are compared. */
static void match_two_processes(void *argument)
{
    (void)argument;
    begin(4);
    diff.is_one_process = false;
    add(view_diff_before, BUFFER, 1, 11, 10);
    add(view_diff_before, BUFFER, 2, 21, 10);
    add(view_diff_before, BUFFER, 3, 12, 10);
    add(view_diff_before, EVENT, 4, 0, 0);
    add(view_diff_after, BUFFER, 1, 32, 10);
    add(view_diff_after, BUFFER, 5, 42, 10);
    add(view_diff_after, BUFFER, 6, 41, 10);
    add(view_diff_after, BUFFER, 7, 53, 1);
    add(view_diff_after, EVENT, 4, 0, 0);
    settle();
    ck_assert_uint_eq(diff.count, 4);
    ck_assert_uint_eq(diff.changed, 3);
    /* The largest growth first. */
    expect(0, BUFFER, MAKE(2), 1, 2, 0, 0);
    expect(1, BUFFER, MAKE(3), 0, 1, 0, 0);
    expect(2, BUFFER, MAKE(1), 2, 1, 0, 0);
    expect(3, EVENT, "", 1, 1, 0, 0);
    view_diff_free(&diff);
}

/* Only as many calls are compared as both snapshots have; without calls, only kinds. */
static void match_depths(void *argument)
{
    (void)argument;
    begin(4);
    diff.facts[view_diff_before].depth = 1;
    add(view_diff_before, BUFFER, 1, 11, 10);
    add(view_diff_after, BUFFER, 1, 11, 10);
    settle();
    expect(0, BUFFER, "make1 at x.c:1\n", 1, 1, 0, 0);
    ck_assert_uint_eq(diff.changed, 0);
    view_diff_free(&diff);
    begin(0);
    add(view_diff_before, BUFFER, 0, 11, 10);
    add(view_diff_before, BUFFER, 0, 12, 10);
    add(view_diff_after, BUFFER, 0, 0, 5);
    settle();
    ck_assert_uint_eq(diff.count, 1);
    expect(0, BUFFER, "", 2, 1, 0, 0);
    view_diff_free(&diff);
}

/* What a snapshot could not read is neither created nor destroyed. */
static void match_in_part(void *argument)
{
    (void)argument;
    begin(4);
    diff.facts[view_diff_before].is_whole[BUFFER] = false;
    diff.facts[view_diff_after].is_whole[EVENT] = false;
    add(view_diff_before, EVENT, 3, 12, 0);
    add(view_diff_after, BUFFER, 7, 11, 10);
    add(view_diff_after, BUFFER, 107, 11, 10);
    settle();
    /* Number 7 existed before the first snapshot, which does not have it. */
    expect(0, BUFFER, MAKE(1), 1, 2, 1, 0);
    expect(1, EVENT, MAKE(2), 1, 0, 0, 0);
    view_diff_free(&diff);
}

/* Kinds that only one snapshot has are not a change. */
static void match_untold(void *argument)
{
    (void)argument;
    begin(4);
    diff.facts[view_diff_before].is_told[EVENT] = false;
    add(view_diff_after, EVENT, 107, 11, 0);
    add(view_diff_after, BUFFER, 0, 11, 0);
    diff.objects[view_diff_after].all[1].lacks_bytes = true;
    settle();
    ck_assert_uint_eq(diff.changed, 1);
    /* Its time of creation is unknown. */
    expect(0, BUFFER, MAKE(1), 0, 1, 0, 0);
    ck_assert(diff.places[0].sides[view_diff_after].lacks_bytes);
    ck_assert_uint_eq(diff.totals[EVENT].sides[view_diff_after].count, 0);
    view_diff_free(&diff);
}

/* The order of creation shows which snapshot is the later one, and so do destroyed objects. */
static void match_reversed(void *argument)
{
    (void)argument;
    begin(4);
    ck_assert(!view_diff_is_reversed(&diff));
    diff.facts[view_diff_before].last_order = 201;
    ck_assert(view_diff_is_reversed(&diff));
    diff.is_one_process = false;
    ck_assert(!view_diff_is_reversed(&diff));
    diff.is_one_process = true;
    diff.facts[view_diff_before].last_order = 200;
    add(view_diff_after, BUFFER, 17, 11, 0);
    add(view_diff_after, BUFFER, 0, 11, 0);
    ck_assert(!view_diff_is_reversed(&diff));
    diff.facts[view_diff_before].destroyed = heap_get(2 * sizeof(uint64_t));
    diff.facts[view_diff_before].destroyed_count = 2;
    diff.facts[view_diff_before].destroyed[0] = 18;
    ck_assert(!view_diff_is_reversed(&diff));
    diff.facts[view_diff_before].destroyed[0] = 18;
    diff.facts[view_diff_before].destroyed[1] = 17;
    ck_assert(view_diff_is_reversed(&diff));
    view_diff_free(&diff);
}

#define MATCH(name)                                                                                \
    START_TEST(name)                                                                               \
    {                                                                                              \
        heap = (struct heap){0};                                                                   \
        ck_assert(heap_run(&heap, match_##name, NULL));                                            \
        heap_clear(&heap);                                                                         \
    }                                                                                              \
    END_TEST

MATCH(one_process)
MATCH(two_processes)
MATCH(depths)
MATCH(in_part)
MATCH(untold)
MATCH(reversed)

/* ---- The verb -------------------------------------------------------------------------------- */

#define ROOT(member) (population.target->root + offsetof(struct ompd_cl_registry_root, member))

static struct population population;
static struct front front;

static void set_up(void)
{
    population = population_create(false, 8);
    fake_put(population.target, ROOT(serial), 8, population.target->serial);
    population_open(&population);
    front_begin(&front);
    front.space = population.space;
    front.program = "/bin/blur";
    front_open(&front);
}

static void tear_down(void)
{
    front_close(&front);
    population_free(&population);
}

static void expect_has(const char *words)
{
    ck_assert_msg(strstr(front.text, words) != NULL, "no \"%s\" in:\n%s", words, front.text);
}

static void refresh(void)
{
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
}

/* The snapshots are of one stop: no object has changed. */
START_TEST(nothing)
{
    front_expect(&front, "diff", "first second",
                 "From first to second: nothing has changed.\n"
                 "first: presumed, not proved: 1 object.\n"
                 "second: presumed, not proved: 1 object.\n");
    ck_assert_int_eq(front_line(&front, "diff", "first -json"), ompd_view_exit_ok);
    expect_has("\"second\": \"now\", \"is_one_process\": true, \"changed_places\": 0");
    expect_has("{\"kind\": \"memobj\", \"before\": 3,");
    expect_has("\"presumed\": [\"before\", \"after\"]");
}
END_TEST

/* In the second snapshot the sampler is destroyed. */
static void drop_sampler(struct front *unused, const char *path)
{
    (void)unused;
    if (path != NULL && strcmp(path, "second") == 0) {
        fake_set(population.target, ompd_cl_registry_sampler, population.sampler,
                 ompd_cl_registry_field_state, ompd_cl_registry_free);
        fake_touch(population.target, ompd_cl_registry_sampler, population.sampler);
        refresh();
    }
}

START_TEST(destroyed)
{
    front.look = drop_sampler;
    ck_assert_int_eq(front_line(&front, "diff", "'first' \"second\""), ompd_view_exit_findings);
    expect_has("From first to second: -1 sampler.\nDestroyed since then: 1 sampler.\n"
               "  -1 sampler made at\n    #0 0x400000\n    1 before, 0 after; 1 destroyed\n");
}
END_TEST

/* In the second snapshot the registry is of another process. */
static void change_identity(struct front *unused, const char *path)
{
    (void)unused;
    if (path != NULL && strcmp(path, "second") == 0) {
        fake_put(population.target, ROOT(identity), 8, 4711);
        front.program = "/bin/sharpen";
        refresh();
    }
}

START_TEST(two_programs)
{
    front.look = change_identity;
    ck_assert_int_eq(front_line(&front, "diff", "first second"), ompd_view_exit_ok);
    expect_has(
        "nothing has changed.\nThey are of different programs, blur and sharpen. Objects are "
        "therefore counted by the calls that made them, not matched.\n");
    front_line(&front, "diff", "first second -json");
    expect_has("\"is_one_process\": true");
}
END_TEST

/* In the second snapshot the registry is of a moment before the first. */
static void go_back(struct front *unused, const char *path)
{
    (void)unused;
    if (path == NULL) {
        fake_put(population.target, ROOT(serial), 8, 1);
        refresh();
    }
}

static void refuse(struct front *to, const char *path)
{
    (void)path;
    to->refusal = ompd_view_exit_unreadable;
    to->why = "It is no core.";
}

START_TEST(refusals)
{
    front_refuses(&front, "diff", "", "diff needs SNAPSHOT [SNAPSHOT]");
    front_refuses(&front, "diff", "one two three", "takes two arguments; unexpected 'three'.");
    front.look = go_back;
    front_refuses(&front, "diff", "first",
                  "first is the later snapshot; name the earlier one first.");
    front.look = NULL;
    front.look = refuse;
    ck_assert_int_eq(front_line(&front, "diff", "first"), ompd_view_exit_unreadable);
    ck_assert_str_eq(front_message(&front), "first: It is no core.");
    front.refusal = ompd_view_exit_ok;
    front_close(&front);
    front.front_end.open_snapshot = NULL;
    front_open(&front);
    front_refuses(&front, "diff", "first", "Snapshots cannot be opened here.");
}
END_TEST

START_TEST(interrupted)
{
    front.is_stopping = true;
    ck_assert_int_eq(front_line(&front, "diff", "first second"), ompd_view_exit_stopped);
    ck_assert_str_eq(front.text, "");
    ck_assert_str_eq(front_message(&front), "opencl diff was interrupted.");
}
END_TEST

/* If a record is unreadable, the change is not a fact. */
static void tear_record(struct front *unused, const char *path)
{
    struct fake_target *target = population.target;

    (void)unused;
    if (path == NULL) {
        target->hole_start = fake_field_address(target, ompd_cl_registry_sampler,
                                                population.sampler, ompd_cl_registry_field_state);
        target->hole_end = target->hole_start + 1;
        fake_touch(target, ompd_cl_registry_sampler, population.sampler);
        refresh();
    }
}

START_TEST(unread)
{
    front.look = tear_record;
    ck_assert_int_eq(front_line(&front, "diff", "first"), ompd_view_exit_incomplete);
    expect_has("From first to now: at least -1 sampler.\n");
    expect_has("1 before, at least 0 after\n");
    expect_has("now: 1 object could not be read.\n");
    ck_assert_int_eq(front_line(&front, "diff", "first first -json"), ompd_view_exit_incomplete);
    expect_has("\"destroyed\": null");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-diff");
    TCase *verb = tcase_create("verb");
    TCase *tcase = tcase_create("matching");

    tcase_add_test(tcase, one_process);
    tcase_add_test(tcase, two_processes);
    tcase_add_test(tcase, depths);
    tcase_add_test(tcase, in_part);
    tcase_add_test(tcase, untold);
    tcase_add_test(tcase, reversed);
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(verb, set_up, tear_down);
    tcase_add_test(verb, nothing);
    tcase_add_test(verb, destroyed);
    tcase_add_test(verb, two_programs);
    tcase_add_test(verb, refusals);
    tcase_add_test(verb, interrupted);
    tcase_add_test(verb, unread);
    suite_add_tcase(suite, verb);
    return suite_run(suite);
}
