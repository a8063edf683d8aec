/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory that was not searched and facts that no layout has are reported, and do not affect what is
 * known. */
#include "found-session.h"

#include "suite.h"

#include <string.h>

#define PAGE 4096
#define UNTOUCHED                                                                                  \
    (ompd_cl_permission_read | ompd_cl_permission_write | ompd_cl_permission_untouched)

static ompd_cl_overview_info_t overview;

static ompd_rc_t ask_overview(void)
{
    overview = (ompd_cl_overview_info_t){.struct_size = sizeof(overview)};
    return ompd_cl_overview_get(space, &overview);
}

static void count_expect(const ompd_cl_value_t *count, uint64_t number, uint16_t status)
{
    ck_assert_uint_eq(count->status, status);
    ck_assert_uint_eq(count->value, number);
}

/* The last answer reports SENTENCE as incomplete and no more; NULL for nothing. */
static void note_expect(const char *sentence)
{
    const char *note = "";

    if (sentence != NULL) {
        ck_assert_int_eq(ompd_cl_note_get(space, 0, &note), ompd_rc_ok);
        ck_assert_str_eq(note, sentence);
    }
    ck_assert_int_eq(ompd_cl_note_get(space, sentence != NULL, &note), ompd_rc_ok);
    ck_assert_str_eq(note, "");
}

/* A core that has not saved the page of ADDRESS, to which the program seems not to have written. */
static void leave_out(uint64_t address)
{
    target->hole_start = address / PAGE * PAGE;
    target->hole_end = target->hole_start + PAGE;
    target->is_hole_known = true;
    fake_permit(target, target->hole_start, target->hole_end, UNTOUCHED);
}

/* Walk all memory objects; returns what the call at the end did. */
static ompd_rc_t walk_memobjs(ompd_cl_memobj_info_t *rows, ompd_size_t *count)
{
    ompd_size_t unreadable;
    ompd_cl_list_t list;
    ompd_size_t more;
    ompd_rc_t rc;

    *count = 0;
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    do {
        rows[*count].head.struct_size = sizeof(rows[0]);
        rc =
            ompd_cl_memobj_list_next(space, list, MOST - *count, &rows[*count], &more, &unreadable);
        ck_assert(rc == ompd_rc_ok || rc == ompd_rc_incomplete);
        ck_assert_uint_eq(unreadable, 0);
        *count += more;
    } while (more != 0);
    return rc;
}

#define UNTOUCHED_NOTE                                                                             \
    "4096 B of the program's memory is not in the core, presumably because it was never written "  \
    "to."
#define UNSAVED_NOTE "4096 B of the program's memory is not in the core and may contain objects."

START_TEST(untouched)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_size_t count;

    found_open(_i, false);
    leave_out(objects.stack);
    ck_assert_int_eq(walk_memobjs(rows, &count), ompd_rc_ok);
    note_expect(UNTOUCHED_NOTE);
    found_memobjs_check(rows, count);
    ck_assert_int_eq(ask_overview(), ompd_rc_ok);
    note_expect(UNTOUCHED_NOTE);
    count_expect(&overview.contexts, 1, ompd_cl_status_at_least);
    count_expect(&overview.memory_objects, 4, ompd_cl_status_at_least);
    ck_found(overview.untouched_bytes, PAGE);
    ck_found(overview.unsaved_bytes, 0);
    found_close();
}
END_TEST

/* What the recorder counted stays a fact. */
START_TEST(untouched_beside_recorder)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_size_t count;

    found_open(_i, true);
    found_record();
    leave_out(objects.stack);
    ck_assert_int_eq(walk_memobjs(rows, &count), ompd_rc_ok);
    note_expect(UNTOUCHED_NOTE);
    ck_assert_int_eq(ask_overview(), ompd_rc_ok);
    note_expect(UNTOUCHED_NOTE);
    count_expect(&overview.contexts, 1, ompd_cl_status_value);
    count_expect(&overview.queues, 1, ompd_cl_status_value);
    ck_assert_uint_eq(overview.contexts.source, ompd_cl_source_recorder);
    found_close();
}
END_TEST

/* A found object names an object there: the page was written to. */
START_TEST(disproved_by_objects)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_size_t count;
    uint64_t context;

    found_open(_i, false);
    context = fake_reserve(target, 2 * PAGE, PAGE);
    fake_object_point(&objects, objects.buffer, at_context, context + 64);
    leave_out(context);
    ck_assert_int_eq(walk_memobjs(rows, &count), ompd_rc_incomplete);
    note_expect(UNSAVED_NOTE);
    found_memobjs_check(rows, count);
    ck_assert_int_eq(ask_overview(), ompd_rc_incomplete);
    count_expect(&overview.contexts, 1, ompd_cl_status_at_least);
    ck_found(overview.untouched_bytes, 0);
    ck_found(overview.unsaved_bytes, PAGE);
    found_close();
}
END_TEST

/* The recorder knows of an object there: beside it there may be others. */
START_TEST(disproved_by_recorder)
{
    struct recorded recorded;
    uint64_t lost;

    found_open(_i, true);
    recorded = found_record();
    lost = fake_reserve(target, 2 * PAGE, PAGE);
    fake_set(target, ompd_cl_registry_memobj, recorded.buffer, ompd_cl_registry_field_handle,
             lost + 64);
    leave_out(lost);
    ck_assert_int_eq(ask_overview(), ompd_rc_incomplete);
    note_expect(UNSAVED_NOTE);
    count_expect(&overview.contexts, 1, ompd_cl_status_at_least);
    ck_found(overview.untouched_bytes, 0);
    ck_found(overview.unsaved_bytes, PAGE);
    found_close();
}
END_TEST

/* Between many such pages there is saved memory: an object there disproves nothing. */
START_TEST(much_untouched)
{
    const uint64_t pages = 40;
    struct recorded recorded;
    uint64_t start;

    found_open(_i, true);
    recorded = found_record();
    start = fake_reserve(target, 2 * pages * PAGE, PAGE);
    target->is_hole_known = true;
    for (uint64_t i = 0; i < pages; i++)
        fake_permit(target, start + 2 * i * PAGE, start + (2 * i + 1) * PAGE, UNTOUCHED);
    fake_set(target, ompd_cl_registry_memobj, recorded.buffer, ompd_cl_registry_field_handle,
             start + (2 * pages - 3) * PAGE + 64);
    ck_assert_int_eq(ask_overview(), ompd_rc_ok);
    ck_found(overview.untouched_bytes, pages * PAGE);
    ck_found(overview.unsaved_bytes, 0);
    found_close();
}
END_TEST

/* For a process: after a failed read the tool reports that the page is inaccessible to the program,
 * or was never written. */
START_TEST(page_of_process)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_size_t count;

    found_open(_i, false);
    target->hole_start = objects.stack;
    target->hole_end = objects.stack + PAGE;
    fake_permit(target, target->hole_start, target->hole_end, UNTOUCHED);
    ck_assert_int_eq(walk_memobjs(rows, &count), ompd_rc_ok);
    note_expect("4096 B of the program's memory cannot be read, presumably because it was never "
                "written to.");
    target->permits[target->permit_count - 1].permissions = ompd_cl_permission_known;
    found_refresh();
    ck_assert_int_eq(walk_memobjs(rows, &count), ompd_rc_ok);
    note_expect(NULL);
    ck_assert_int_eq(ask_overview(), ompd_rc_ok);
    count_expect(&overview.contexts, 1, ompd_cl_status_value);
    found_close();
}
END_TEST

/* ---- Missing facts --------------------------------------------------------------------------- */

static char other_layout[16384]; /* of another layout */

/* Have the text of a layout without what begins with WORDS: an object, or lists. */
static void forget_in_text(const char *words)
{
    char *start;
    char *end;

    strcpy(other_layout, fake_objects_layout(&objects));
    while ((start = strstr(other_layout, words)) != NULL) {
        for (end = strchr(start, '\n') + 1;
             strncmp(end, "object", 6) != 0 && strncmp(end, "list", 4) != 0 && end[0] != '\0';)
            end = strchr(end, '\n') + 1;
        /* Lists go with their object. */
        while (strncmp(words, "object", 6) == 0 && strncmp(end, "list", 4) == 0) {
            end = strchr(end, '\n') + 1;
            while (strncmp(end, "element", 7) == 0)
                end = strchr(end, '\n') + 1;
        }
        memmove(start, end, strlen(end) + 1);
    }
}

/* Add that layout to the library. */
static void forget(const char *words)
{
    forget_in_text(words);
    ck_assert_int_eq(ompd_cl_layout_add(space, other_layout, strlen(other_layout)), ompd_rc_ok);
}

/* Add one according to which the runtime has no SVM. */
static void deny_svm(void)
{
    static const char line[] = "none svm\n";
    char *end;

    forget_in_text("list svm");
    end = strchr(strstr(other_layout, "object context\n"), '\n') + 1;
    memmove(end + strlen(line), end, strlen(end) + 1);
    memcpy(end, line, strlen(line));
    ck_assert_int_eq(ompd_cl_layout_add(space, other_layout, strlen(other_layout)), ompd_rc_ok);
}

/* Add a layout with LINE, which describes when the callbacks of memory objects may have been moved
 * out. */
static void tell_taken(const char *line)
{
    static char text[8192];
    char dying[32];
    const char *rest = fake_objects_layout(&objects);
    const char *at;

    snprintf(dying, sizeof(dying), "dying %d 4\n", at_references);
    text[0] = '\0';
    for (at = strstr(rest, dying); at != NULL; at = strstr(rest, dying)) {
        size_t length = (size_t)(at - rest) + strlen(dying);

        ck_assert_uint_lt(strlen(text) + length + strlen(line), sizeof(text));
        strncat(text, rest, length);
        strcat(text, line);
        rest += length;
    }
    ck_assert_uint_lt(strlen(text) + strlen(rest), sizeof(text));
    strcat(text, rest);
    ck_assert_ptr_nonnull(strstr(text, line));
    ck_assert_int_eq(ompd_cl_layout_add(space, text, strlen(text)), ompd_rc_ok);
}

static ompd_rc_t list_callbacks_of(uint64_t handle, ompd_size_t *count)
{
    ompd_cl_destructor_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t unreadable = 42;
    ompd_cl_list_t list;
    ompd_rc_t rc;

    ck_assert_int_eq(ompd_cl_memobj_destructor_list_open(space, found_memobj(handle), &list),
                     ompd_rc_ok);
    rc = ompd_cl_destructor_list_next(space, list, MOST, rows, count, &unreadable);
    ck_assert_uint_eq(unreadable, 0);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return rc;
}

/* The remaining callbacks of an object are unknown if the runtime has moved them out to run
 * them. */
START_TEST(taken_callbacks)
{
    ompd_cl_destructor_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_cl_memobj_info_t info;
    ompd_cl_list_t list;
    ompd_size_t count;
    char line[32];

    found_open(_i, false);
    snprintf(line, sizeof(line), "taken %d 4 0 0\n", at_references);
    tell_taken(line);
    fake_put(target, objects.sub_buffer + at_references, 4, 0);
    fake_put(target, objects.stack + 64, target->pointer_size, objects.sub_buffer);
    fake_put(target, objects.stack + 96, target->pointer_size, objects.text + 512);
    info = found_memobj_get(objects.sub_buffer);
    ck_presumed(info.state, ompd_cl_object_state_destroying);
    ck_unknown(info.destructor_count);
    ck_assert_int_eq(list_callbacks_of(objects.sub_buffer, &count), ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(list_callbacks_of(objects.buffer, &count), ompd_rc_ok);
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(ask_overview(), ompd_rc_incomplete);
    count_expect(&overview.destructors_registered, 7, ompd_cl_status_at_least);
    note_expect("the layout does not show the destructor callbacks of 1 object being "
                "destroyed; run the program under the recorder.");
    ck_assert_int_eq(ompd_cl_destructor_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_destructor_list_next(space, list, MOST, rows, &count, NULL),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 7);
    found_close();
}
END_TEST

/* A live object without callbacks is only presumed to have none if the runtime may have moved them
 * out. */
START_TEST(maybe_taken_callbacks)
{
    ompd_cl_memobj_info_t info;
    ompd_size_t count;
    char line[32];

    found_open(_i, false);
    snprintf(line, sizeof(line), "taken %d 4 1 1\n", at_references);
    tell_taken(line);
    info = found_memobj_get(objects.sub_buffer);
    ck_presumed(info.state, ompd_cl_object_state_live);
    ck_presumed(info.destructor_count, 0);
    ck_assert_int_eq(list_callbacks_of(objects.sub_buffer, &count), ompd_rc_ok);
    ck_assert_uint_eq(count, 0);
    info = found_memobj_get(objects.image);
    ck_found(info.destructor_count, 2);
    ck_assert_int_eq(ask_overview(), ompd_rc_ok);
    count_expect(&overview.destructors_registered, 7, ompd_cl_status_presumed);
    note_expect(NULL);
    fake_put(target, objects.sub_buffer + at_references, 4, 2);
    found_refresh();
    info = found_memobj_get(objects.sub_buffer);
    ck_found(info.destructor_count, 0);
    found_close();
}
END_TEST

static ompd_rc_t end_of_svm_list(void)
{
    ompd_cl_svm_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 42;
    ompd_cl_list_t list;
    ompd_rc_t rc;

    ck_assert_int_eq(ompd_cl_svm_list_open(space, NULL, &list), ompd_rc_ok);
    rc = ompd_cl_svm_list_next(space, list, 1, &row, &count, NULL);
    ck_assert_uint_eq(count, 0);
    return rc;
}

/* Of one object, too. */
START_TEST(untold_callbacks)
{
    ompd_size_t count;

    found_open(_i, false);
    ck_assert_int_eq(list_callbacks_of(objects.buffer, &count), ompd_rc_ok);
    ck_assert_uint_eq(count, 3);
    forget("list destructors");
    ck_assert_int_eq(list_callbacks_of(objects.buffer, &count), ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    found_close();
}
END_TEST

/* The overview counts no platforms. */
START_TEST(untold_platforms)
{
    ompd_cl_platform_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 42;
    ompd_cl_list_t list;

    found_open(_i, false);
    forget("object platform");
    ck_assert_int_eq(ompd_cl_platform_list_open(space, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_platform_list_next(space, list, 1, &row, &count, NULL),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    note_expect("the layout of libmadeup.so.1 does not cover OpenCL platforms; run the program "
                "under the recorder.");
    ck_assert_int_eq(ask_overview(), ompd_rc_ok);
    note_expect(NULL);
    found_close();
}
END_TEST

START_TEST(untold_svm)
{
    found_open(_i, false);
    forget("list svm");
    ck_assert_int_eq(end_of_svm_list(), ompd_rc_incomplete);
    note_expect(
        "the layout of libmadeup.so.1 does not cover SVM allocations; run the program under "
        "the recorder.");
    ck_assert_int_eq(ask_overview(), ompd_rc_incomplete);
    ck_none(overview.svm_allocations, ompd_cl_status_unknown);
    ck_none(overview.svm_bytes, ompd_cl_status_unknown);
    count_expect(&overview.contexts, 1, ompd_cl_status_value);
    found_close();
}
END_TEST

/* A fact about the runtime where its layout was learned is presumed here. */
START_TEST(no_svm)
{
    found_open(_i, false);
    deny_svm();
    ck_assert_int_eq(end_of_svm_list(), ompd_rc_ok);
    note_expect(NULL);
    ck_assert_int_eq(ask_overview(), ompd_rc_ok);
    count_expect(&overview.svm_allocations, 0, ompd_cl_status_presumed);
    count_expect(&overview.svm_bytes, 0, ompd_cl_status_presumed);
    count_expect(&overview.contexts, 1, ompd_cl_status_value);
    found_close();
}
END_TEST

/* With the recorder nothing is unknown. */
START_TEST(told_by_recorder)
{
    found_open(_i, true);
    found_record();
    forget("list svm");
    ck_assert_int_eq(end_of_svm_list(), ompd_rc_ok);
    note_expect(NULL);
    ck_assert_int_eq(ask_overview(), ompd_rc_ok);
    ck_value(overview.svm_allocations, 0);
    found_close();
}
END_TEST

/* Make none of the runtime's objects lead to its dispatch table. */
static void remove_objects(void)
{
    const uint64_t all[] = {objects.context,    objects.queue,      objects.hidden,  objects.buffer,
                            objects.sub_buffer, objects.image,      objects.pipe,    objects.event,
                            objects.complete,   objects.user_event, objects.program, objects.kernel,
                            objects.sampler};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        fake_put(target, all[i], target->pointer_size, 0);
}

/* A runtime without objects has no facts that its layout could lack. */
START_TEST(unused_runtime)
{
    found_open(_i, false);
    forget("list svm");
    remove_objects();
    ck_assert_int_eq(end_of_svm_list(), ompd_rc_ok);
    note_expect(NULL);
    found_close();
}
END_TEST

static const struct untold_count {
    const char *words;
    size_t offset; /* of the count in the overview */
    uint64_t told; /* the part that is shown anyway */
    uint16_t status;
} untold_counts[] = {
#define OF(member) offsetof(ompd_cl_overview_info_t, member)
    {"object queue", OF(queues), 0, ompd_cl_status_unknown},
    {"object program", OF(programs), 0, ompd_cl_status_unknown},
    {"object kernel", OF(kernels), 0, ompd_cl_status_unknown},
    {"object sampler", OF(samplers), 0, ompd_cl_status_unknown},
    {"object event", OF(events), 0, ompd_cl_status_unknown},
    {"object event", OF(svm_frees), 0, ompd_cl_status_unknown},
    {"list destructors", OF(destructors_registered), 0, ompd_cl_status_unknown},
    {"object image", OF(memory_objects), 3, ompd_cl_status_at_least},
};

START_TEST(untold_count)
{
    const struct untold_count *expected = &untold_counts[_i];

    found_open(0, false);
    forget(expected->words);
    ck_assert_int_eq(ask_overview(), ompd_rc_incomplete);
    count_expect((const ompd_cl_value_t *)(const void *)((char *)&overview + expected->offset),
                 expected->told, expected->status);
    found_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gaps");
    TCase *tests = tcase_create("gaps");

    tcase_add_loop_test(tests, untouched, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, untouched_beside_recorder, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, disproved_by_objects, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, disproved_by_recorder, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, much_untouched, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, page_of_process, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, taken_callbacks, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, maybe_taken_callbacks, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, untold_callbacks, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, untold_platforms, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, untold_svm, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, no_svm, 0, FAKE_VARIANTS);
    tcase_add_test(tests, told_by_recorder);
    tcase_add_test(tests, unused_runtime);
    tcase_add_loop_test(tests, untold_count, 0, sizeof(untold_counts) / sizeof(untold_counts[0]));
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
