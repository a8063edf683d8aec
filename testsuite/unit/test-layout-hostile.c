/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Truncated and randomly changed layouts: each is refused with a sentence, or the result is within
 * all bounds. */
#include "layout-sample.h"
#include "suite.h"

#include <check.h>
#include <sources/layout/layout.h>
#include <stdlib.h>
#include <string.h>

#define MUTATIONS 100000
#define MOST_SIZE 4096 /* of a mutated text */

#define REQUIRE(condition) suite_require(condition, "%s: %s", #condition, message.text)

static struct layout layout;
static struct message message;

/* Numbers that are the same at each run (Knuth's MMIX). */
static uint64_t state = 1;

static size_t pick(size_t count)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(state >> 33) % count;
}

static void check_message(uint32_t line_count)
{
    char *after;
    unsigned long line;

    REQUIRE(strncmp(message.text, "line ", 5) == 0);
    line = strtoul(message.text + 5, &after, 10);
    REQUIRE(line >= 1 && line <= line_count && *after == ':');
    REQUIRE(message.text[message.length - 1] == '.');
    for (size_t i = 0; i < message.length; i++)
        REQUIRE((unsigned char)message.text[i] >= ' ' || message.text[i] == '\t');
}

static void check_path(const struct layout_path *path)
{
    REQUIRE(path->count >= 1);
    REQUIRE(path->count <= LAYOUT_MAX_OFFSETS);
    for (unsigned i = 0; i < path->count; i++) {
        REQUIRE(path->offsets[i] >= -4096);
        REQUIRE(path->offsets[i] <= 65535);
    }
}

static bool is_width(unsigned width)
{
    return width == 1 || width == 2 || width == 4 || width == 8;
}

static void check_location(const struct layout_location *location, bool is_pointer, bool is_element)
{
    if (!location->is_there) {
        REQUIRE(location->width == 0);
        return;
    }
    check_path(&location->path);
    REQUIRE(is_width(location->width) || (is_element && is_pointer && location->width == 0));
    REQUIRE(!is_pointer || location->width == 0 || location->width == layout.pointer_size);
    REQUIRE(is_pointer || location->adjust == 0);
}

/* WIDTH bytes at OFFSET are of OBJECT's bytes. */
static void check_within(const struct layout_object *object, int32_t offset, unsigned width)
{
    REQUIRE(offset >= object->lowest);
    REQUIRE(offset + (int32_t)width <= object->highest);
}

static void check_list(const struct layout_list_location *location, enum layout_list list)
{
    if (location->shape == layout_no_list)
        return;
    check_path(&location->first);
    if (location->shape != layout_linked) {
        check_path(&location->end);
        REQUIRE(location->stride >= 1);
        REQUIRE(location->stride <= 65535);
    }
    REQUIRE(location->shape != layout_deque || location->chunk >= location->stride);
    REQUIRE(location->elements[layout_list_words[list].needed].is_there);
    REQUIRE(location->exception_count <= LAYOUT_MAX_EXCEPTIONS);
    REQUIRE(location->holds != 0 || !location->holds_named);
    for (unsigned element = 0; element < LAYOUT_ELEMENT_COUNT; element++)
        check_location(&location->elements[element], layout_element_words[element].is_pointer,
                       true);
}

static void check_object(const struct layout_object *object)
{
    REQUIRE(object->lowest >= -4096);
    REQUIRE(object->highest <= 65535 + 8);
    REQUIRE(object->lowest <= 0);
    REQUIRE(object->highest >= (int32_t)layout.pointer_size);
    REQUIRE(object->rule_count <= LAYOUT_MAX_RULES);
    for (uint32_t i = 0; i < object->rule_count; i++) {
        const struct layout_rule *rule = &object->rules[i];

        REQUIRE(is_width(rule->width));
        REQUIRE(rule->least <= rule->most);
        check_within(object, rule->offset, rule->width);
    }
    for (unsigned field = 0; field < LAYOUT_FIELD_COUNT; field++) {
        const struct layout_location *location = &object->fields[field];

        check_location(location, layout_field_words[field].is_pointer, false);
        if (location->is_there && location->path.count == 1)
            check_within(object, location->path.offsets[0], location->width);
    }
    for (unsigned list = 0; list < LAYOUT_LIST_COUNT; list++)
        check_list(&object->lists[list], (enum layout_list)list);
}

static void check_layout(void)
{
    unsigned count = 0;

    REQUIRE(layout.pointer_size == 4 || layout.pointer_size == 8);
    REQUIRE(layout.build_id_size >= 1);
    REQUIRE(layout.build_id_size <= BUILD_ID_LIMIT);
    REQUIRE(memchr(layout.runtime, '\0', sizeof(layout.runtime)) != NULL);
    REQUIRE(memchr(layout.module, '\0', sizeof(layout.module)) != NULL);
    REQUIRE(layout.table != 0);
    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
        if (layout.objects[kind].is_there) {
            check_object(&layout.objects[kind]);
            count++;
        }
    }
    REQUIRE(count >= 1);
}

static uint32_t count_lines(const char *text, size_t size)
{
    uint32_t count = 1;

    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n';
    return count;
}

/* Parse the SIZE bytes of TEXT from a block that ends where they do, and check what comes. */
static ompd_rc_t parse(const char *text, size_t size)
{
    char *block = malloc(size != 0 ? size : 1);
    ompd_rc_t rc;

    REQUIRE(block != NULL);
    memcpy(block, text, size);
    message_clear(&message);
    rc = layout_parse(block, size, &layout, &message);
    free(block);
    if (rc == ompd_rc_ok) {
        REQUIRE(message.length == 0);
        check_layout();
    } else {
        REQUIRE(rc == ompd_rc_bad_input || rc == ompd_rc_incompatible);
        check_message(count_lines(text, size));
    }
    return rc;
}

/* Whether CUT, a location in the sample, is in the midst of the first WORD. */
static bool is_within(const char *word, size_t cut)
{
    size_t start = (size_t)(strstr(layout_sample, word) - layout_sample);

    return cut > start && cut < start + strlen(word);
}

START_TEST(cut_anywhere)
{
    size_t size = strlen(layout_sample);
    size_t first = (size_t)(strstr(layout_sample, "  rule 8 4 1 1") - layout_sample);
    size_t whole = 0;

    for (size_t cut = 0; cut < size; cut++) {
        ompd_rc_t rc = parse(layout_sample, cut);

        /* A word that begins like a feature is not one. */
        ck_assert_int_eq(rc == ompd_rc_incompatible, is_within("dying-holds", cut) ||
                                                         is_within("holding-commands", cut) ||
                                                         is_within("taken-destructors", cut) ||
                                                         is_within("taken-objects", cut));
        ck_assert_msg(cut > first || rc != ompd_rc_ok, "cut at %zu", cut);
        whole += rc == ompd_rc_ok;
    }
    /* A text truncated between the lines of an object is valid. */
    ck_assert_uint_ge(whole, 100);
    ck_assert_int_eq(parse(layout_sample, size), ompd_rc_ok);
}
END_TEST

/* A text being changed. */
struct draft {
    char text[MOST_SIZE];
    size_t size;
};

static void change_byte(struct draft *draft)
{
    static const char likely[] = " \n#>-0x189f\t\xc3";

    draft->text[pick(draft->size)] = pick(2) ? (char)pick(256) : likely[pick(sizeof(likely))];
}

static void remove_bytes(struct draft *draft)
{
    size_t start = pick(draft->size);
    size_t count = pick(pick(8) == 0 ? draft->size - start : 4);

    if (count > draft->size - start || count == draft->size)
        return;
    memmove(draft->text + start, draft->text + start + count, draft->size - start - count);
    draft->size -= count;
}

/* Put COUNT bytes at FROM, which are not of the draft, in at AT. */
static void insert(struct draft *draft, size_t at, const char *from, size_t count)
{
    if (count > MOST_SIZE - draft->size)
        return;
    memmove(draft->text + at + count, draft->text + at, draft->size - at);
    memcpy(draft->text + at, from, count);
    draft->size += count;
}

/* Where the line begins that position AT is in. */
static size_t line_start(const struct draft *draft, size_t at)
{
    while (at > 0 && draft->text[at - 1] != '\n')
        at--;
    return at;
}

/* Say a line again, elsewhere. */
static void repeat_line(struct draft *draft)
{
    char line[MOST_SIZE];
    size_t start = line_start(draft, pick(draft->size));
    const char *newline = memchr(draft->text + start, '\n', draft->size - start);
    size_t count = newline != NULL ? (size_t)(newline - draft->text) + 1 - start : 0;

    memcpy(line, draft->text + start, count);
    insert(draft, line_start(draft, pick(draft->size)), line, count);
}

static void insert_number(struct draft *draft)
{
    static const char *const numbers[] = {
        "0",  "-1", "65535",      "65536",      "-4096",    "-4097",
        "4",  "8",  "0xffffffff", "4294967296", "deque",    "18446744073709551615",
        "0x", ">",  "0>8",        "boxed",      "adjust 8", "99999999999999999999999999",
    };
    const char *number = numbers[pick(sizeof(numbers) / sizeof(numbers[0]))];

    insert(draft, pick(draft->size + 1), number, strlen(number));
}

static void mutate(struct draft *draft)
{
    switch (pick(5)) {
    case 0:
        remove_bytes(draft);
        break;
    case 1:
        repeat_line(draft);
        break;
    case 2:
        insert_number(draft);
        break;
    default:
        change_byte(draft);
    }
}

START_TEST(changed_at_random)
{
    static struct draft draft;
    unsigned good = 0;
    unsigned refused = 0;

    for (unsigned i = 0; i < MUTATIONS; i++) {
        size_t changes = 1 + pick(4);

        draft.size = strlen(layout_sample);
        memcpy(draft.text, layout_sample, draft.size);
        while (changes-- != 0)
            mutate(&draft);
        if (parse(draft.text, draft.size) == ompd_rc_ok)
            good++;
        else
            refused++;
    }
    ck_assert_uint_ge(good, MUTATIONS / 100);
    ck_assert_uint_ge(refused, MUTATIONS / 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout-hostile");
    TCase *tcase = tcase_create("layout-hostile");

    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, cut_anywhere);
    tcase_add_test(tcase, changed_at_random);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
