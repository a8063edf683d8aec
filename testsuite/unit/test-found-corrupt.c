/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Answers by a layout about corrupt memory, unreadable words and failed allocations.  Each call
 * ends within its bounds of reads and memory, no row has an impossible value, and a hole removes
 * facts but changes none.
 */
#include "found-session.h"
#include "suite.h"

#include <string.h>

#define PAGE UINT64_C(4096)
#define ROW_LIMIT 200 /* of a list, which may continue far when its end is wrong */

/* What there is to ask for, and how. */
#define EACH_LIST(DO)                                                                              \
    DO(platform, ompd_cl_platform_list_open(space, &list))                                         \
    DO(context, ompd_cl_context_list_open(space, NULL, &list))                                     \
    DO(queue, ompd_cl_queue_list_open(space, NULL, &list))                                         \
    DO(memobj, ompd_cl_memobj_list_open(space, NULL, &list))                                       \
    DO(destructor, ompd_cl_destructor_list_open(space, NULL, &list))                               \
    DO(svm, ompd_cl_svm_list_open(space, NULL, &list))                                             \
    DO(svm_free, ompd_cl_svm_free_list_open(space, NULL, &list))                                   \
    DO(runtime, ompd_cl_runtime_list_open(space, &list))

/* The answers; of each list the first rows. */
struct answer {
    ompd_rc_t worst;
    ompd_cl_overview_info_t overview;
#define MEMBERS(kind, open)                                                                        \
    ompd_cl_##kind##_info_t kind[MOST];                                                            \
    ompd_size_t kind##_count;
    EACH_LIST(MEMBERS)
};

static struct answer whole;
static struct answer answer;
static uint64_t start; /* of the runtime's module, and of its objects behind it */
static uint64_t heap;
static uint64_t end;

/* A target of little more than the runtime, which is fast to search. */
static void open_target(int variant)
{
    found_open(variant, (variant & 1) != 0);
    start = objects.text - PAGE;
    heap = start + 6 * PAGE;
    end = fake_reserve(target, 0, PAGE);
    if (target->has_recorder)
        found_record();
    fake_permit(target, FAKE_BASE, start, 0);
    fake_permit(target, heap, end, ompd_cl_permission_read | ompd_cl_permission_write);
    fake_permit(target, end, FAKE_BASE + FAKE_SIZE, 0);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

/* Whether the call with RC has returned something. */
static bool note(ompd_rc_t rc)
{
    suite_require(rc == ompd_rc_ok || rc == ompd_rc_incomplete || rc == ompd_rc_unavailable ||
                      (rc == ompd_rc_nomem && target->failures != 0),
                  "a call gives %d", (int)rc);
    if (answer.worst == ompd_rc_ok)
        answer.worst = rc;
    return rc == ompd_rc_ok || rc == ompd_rc_incomplete;
}

/* The value of a field that is not a text; NULL for a text. */
static const ompd_cl_value_t *value_of(const void *row, const ompd_cl_field_t *field)
{
    if (field->type == ompd_cl_type_text)
        return NULL;
    return (const ompd_cl_value_t *)(const void *)((const char *)row + field->offset);
}

static bool has_value(const ompd_cl_value_t *value)
{
    return value->status == ompd_cl_status_value || value->status == ompd_cl_status_presumed ||
           value->status == ompd_cl_status_at_least;
}

/* An unknown field has no value, and a named value is one of the names. */
static void check_row(ompd_cl_kind_t kind, const void *row)
{
    const ompd_cl_field_t *field;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        const ompd_cl_value_t *value = value_of(row, field);
        uint32_t name = 0;

        if (value == NULL)
            continue;
        suite_require(value->status >= ompd_cl_status_value &&
                          value->status <= ompd_cl_status_at_least,
                      "%s has status %u", field->name, value->status);
        suite_require(has_value(value) || value->value == 0, "%s is not known, but %llu",
                      field->name, (unsigned long long)value->value);
        if (field->type != ompd_cl_type_state || !has_value(value))
            continue;
        while (name < field->name_count && field->names[name].value != value->value)
            name++;
        suite_require(name < field->name_count, "%s is %llu, which has no name", field->name,
                      (unsigned long long)value->value);
    }
}

/* Walk the list that OPEN has opened; its first rows go to ROWS, which has MOST. */
#define WALK(kind, open, rows, total)                                                              \
    do {                                                                                           \
        static ompd_cl_##kind##_info_t others_[MOST];                                              \
        bool is_open_ = note(open);                                                                \
        ompd_size_t count_ = is_open_ ? 1 : 0;                                                     \
        (total) = 0;                                                                               \
        while (count_ != 0 && (total) < ROW_LIMIT) {                                               \
            bool keeps_ = (total) < MOST;                                                          \
            ompd_cl_##kind##_info_t *to_ = keeps_ ? (rows) + (total) : others_;                    \
                                                                                                   \
            to_->head.struct_size = sizeof(*to_);                                                  \
            if (!note(ompd_cl_##kind##_list_next(space, list, keeps_ ? MOST - (total) : MOST, to_, \
                                                 &count_, NULL)))                                  \
                break;                                                                             \
            for (ompd_size_t i_ = 0; i_ < count_; i_++)                                            \
                check_row(ompd_cl_kind_##kind, &to_[i_]);                                          \
            (total) += count_;                                                                     \
        }                                                                                          \
        if (is_open_)                                                                              \
            ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);                         \
    } while (0)

#define DEFINE_ASK(kind, open)                                                                     \
    static void ask_##kind(void)                                                                   \
    {                                                                                              \
        ompd_cl_list_t list;                                                                       \
                                                                                                   \
        WALK(kind, open, answer.kind, answer.kind##_count);                                        \
    }
EACH_LIST(DEFINE_ASK)

static ompd_size_t least(ompd_size_t count)
{
    return count < MOST ? count : MOST;
}

/* What belongs to the objects that were found. */
static void ask_of_objects(void)
{
    static ompd_cl_destructor_info_t destructors[MOST];
    static ompd_cl_svm_pointer_info_t pointers[MOST];
    static ompd_cl_wait_info_t waits[MOST];
    ompd_cl_list_t list;
    ompd_size_t count;

    for (ompd_size_t i = 0; i < least(answer.memobj_count); i++)
        WALK(destructor,
             ompd_cl_memobj_destructor_list_open(space, ompd_cl_memobj_info_id(&answer.memobj[i]),
                                                 &list),
             destructors, count);
    for (ompd_size_t i = 0; i < least(answer.context_count); i++)
        WALK(destructor,
             ompd_cl_context_destructor_list_open(
                 space, ompd_cl_context_info_id(&answer.context[i]), &list),
             destructors, count);
    for (ompd_size_t i = 0; i < least(answer.svm_free_count); i++) {
        WALK(svm_pointer,
             ompd_cl_svm_pointer_list_open(space, ompd_cl_svm_free_info_id(&answer.svm_free[i]),
                                           &list),
             pointers, count);
        WALK(wait,
             ompd_cl_wait_list_open(space, ompd_cl_svm_free_info_id(&answer.svm_free[i]), &list),
             waits, count);
    }
}

static void find_objects(void)
{
    ompd_cl_memobj_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_memobj_id_t memobj;
    ompd_cl_svm_id_t svm;

    if (note(ompd_cl_memobj_find(space, objects.buffer, &memobj)) && memobj.id != 0 &&
        note(ompd_cl_memobj_get(space, memobj, &row)))
        check_row(ompd_cl_kind_memobj, &row);
    note(ompd_cl_svm_find(space, 0x7100000, &svm));
}

/* Ask all questions; allocation number FAIL_AT fails, none for 0. */
static void ask_failing(uint64_t fail_at)
{
    memset(&answer, 0, sizeof(answer));
    fake_reset(target);
    target->failing = fake_alloc;
    target->fail_at = fail_at;
    note(ompd_cl_address_space_refresh(space));
    answer.overview.struct_size = sizeof(answer.overview);
    if (note(ompd_cl_overview_get(space, &answer.overview)))
        check_row(ompd_cl_kind_overview, &answer.overview);
#define ASK(kind, open) ask_##kind();
    EACH_LIST(ASK)
    ask_of_objects();
    find_objects();
    ck_assert_uint_lt(target->calls[fake_read], 3000);
    ck_assert_uint_le(target->largest_read, UINT64_C(1) << 20);
    ck_assert_uint_lt(target->peak_bytes, UINT64_C(8) << 20);
}

static void ask(void)
{
    ask_failing(0);
}

static void ask_whole(void)
{
    ask();
    memcpy(&whole, &answer, sizeof(whole));
    ck_assert_uint_eq(whole.context_count, 1);
    ck_assert_uint_eq(whole.memobj_count, 4);
    ck_assert_uint_eq(whole.runtime_count, 1);
    ck_assert_uint_ge(whole.destructor_count, 3);
}

static void ask_again(void)
{
    ask();
    ck_assert_mem_eq(&answer, &whole, sizeof(whole));
}

/* ---- False values ---------------------------------------------------------------------------- */

static void lie_at(uint64_t place, uint64_t lie)
{
    uint64_t truth = fake_get(target, place, 8);

    fake_put(target, place, 8, lie);
    ask();
    fake_put(target, place, 8, truth);
}

/* One of this many cases is tried: fewer than the kinds of false values, so that each place gets
 * some. */
#define USUAL_EVERY 4

/* Each word of the runtime in turn gets wrong values: among them its own address, and that of an
 * object. */
START_TEST(any_word)
{
    const unsigned every = suite_every(USUAL_EVERY);
    uint64_t number = (uint64_t)_i;

    open_target(_i);
    ask_whole();
    for (uint64_t place = start; place < end; place += 8) {
        const uint64_t lies[] = {
            0, 1, UINT64_MAX, FAKE_BASE, UINT64_C(0x8080808080808080), place, objects.buffer,
        };

        if (fake_get(target, place, 8) == 0 && place < heap)
            continue;
        for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++)
            if (number++ % every == 0)
                lie_at(place, lies[i]);
    }
    ask_again();
    found_close();
}
END_TEST

/* ---- Holes ----------------------------------------------------------------------------------- */

/* That something speaks against an object may come from another. */
static bool is_judgement(const ompd_cl_field_t *field)
{
    return strcmp(field->name, "confidence") == 0 || strcmp(field->name, "doubt") == 0;
}

/* The searched memory differs with a hole. */
static bool is_of_search(const ompd_cl_field_t *field)
{
    return strcmp(field->name, "unsaved_bytes") == 0 ||
           strcmp(field->name, "unreadable_bytes") == 0;
}

/* What both rows say is the same. */
static void compare_rows(ompd_cl_kind_t kind, const void *row, const void *truth)
{
    const ompd_cl_field_t *field;

    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        const ompd_cl_value_t *value = value_of(row, field);

        if (value != NULL && value->status == ompd_cl_status_value && !is_judgement(field) &&
            !is_of_search(field) && value_of(truth, field)->status == ompd_cl_status_value)
            suite_require(value->value == value_of(truth, field)->value, "%s is %llu, not %llu",
                          field->name, (unsigned long long)value->value,
                          (unsigned long long)value_of(truth, field)->value);
    }
}

/* No additional object is certain, and the facts of the others are unchanged. */
#define COMPARE(kind, key)                                                                         \
    for (ompd_size_t i = 0; i < answer.kind##_count; i++) {                                        \
        ompd_size_t found = 0;                                                                     \
                                                                                                   \
        if (!has_value(&answer.kind[i].key))                                                       \
            continue;                                                                              \
        while (found < whole.kind##_count &&                                                       \
               whole.kind[found].key.value != answer.kind[i].key.value)                            \
            found++;                                                                               \
        if (found < whole.kind##_count)                                                            \
            compare_rows(ompd_cl_kind_##kind, &answer.kind[i], &whole.kind[found]);                \
        else                                                                                       \
            ck_assert_uint_ne(answer.kind[i].head.confidence.value, ompd_cl_confidence_certain);   \
    }

static void compare_with_whole(void)
{
    if (answer.overview.contexts.status != ompd_cl_status_none)
        compare_rows(ompd_cl_kind_overview, &answer.overview, &whole.overview);
    COMPARE(context, head.handle)
    COMPARE(queue, head.handle)
    COMPARE(memobj, head.handle)
    COMPARE(svm, head.handle)
    COMPARE(svm_free, event)
    ck_assert(answer.worst != ompd_rc_ok || answer.memobj_count == whole.memobj_count);
}

/* Unreadable objects are not reported as destroyed. */
static void expect_all_to_be_there(void)
{
    ompd_cl_memobj_info_t row = {.head.struct_size = sizeof(row)};

    for (ompd_size_t i = 0; i < whole.memobj_count; i++) {
        ompd_rc_t rc = ompd_cl_memobj_get(space, ompd_cl_memobj_info_id(&whole.memobj[i]), &row);

        suite_require(rc == ompd_rc_ok || rc == ompd_rc_incomplete, "memory object %#llx: %d",
                      (unsigned long long)whole.memobj[i].head.handle.value, (int)rc);
        check_row(ompd_cl_kind_memobj, &row);
        compare_rows(ompd_cl_kind_memobj, &row, &whole.memobj[i]);
    }
}

START_TEST(any_hole)
{
    open_target(_i);
    ask_whole();
    for (uint64_t place = start; place < end; place += 8) {
        if (fake_get(target, place, 8) == 0 && place < heap)
            continue;
        target->hole_start = place;
        target->hole_end = place + 8;
        target->is_hole_known = place % 16 == 0;
        ask();
        compare_with_whole();
        expect_all_to_be_there();
    }
    target->hole_end = 0;
    ask_again();
    found_close();
}
END_TEST

/* ---- No memory ------------------------------------------------------------------------------- */

static void expect_the_same(void)
{
#define EXPECT_COUNT(kind, open) ck_assert_uint_eq(answer.kind##_count, whole.kind##_count);
    EACH_LIST(EXPECT_COUNT)
    compare_with_whole();
}

/* If any allocation of a new session fails, that is reported, or the answers are the same; and they
 * are the next time. */
START_TEST(any_allocation)
{
    uint64_t number = 0;
    uint64_t failures;

    open_target(_i);
    ask_whole();
    do {
        ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
        found_space_create(&fake_extra);
        found_layout_add();
        ask_failing(++number);
        failures = target->failures;
        compare_with_whole();
        if (answer.worst != ompd_rc_nomem)
            expect_the_same();
        ask();
        expect_the_same();
    } while (failures != 0);
    ck_assert_uint_gt(number, 5);
    found_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("found corrupt");
    TCase *tests = tcase_create("found corrupt");

    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, any_word, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, any_hole, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, any_allocation, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
