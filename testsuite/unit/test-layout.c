/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The result of parsing layouts. */
#include "layout-sample.h"
#include "suite.h"

#include <check.h>
#include <sources/layout/layout.h>
#include <stdlib.h>
#include <string.h>

static struct layout layout;
static struct message message;

static ompd_rc_t parse(const char *text)
{
    message_clear(&message);
    return layout_parse(text, strlen(text), &layout, &message);
}

static void check_path(const struct layout_path *path, uint8_t count, int32_t first, int32_t last)
{
    ck_assert_uint_eq(path->count, count);
    ck_assert_int_eq(path->offsets[0], first);
    ck_assert_int_eq(path->offsets[count - 1], last);
}

/* LOCATION is a WIDTH at the one offset OFFSET. */
static void check_location(const struct layout_location *location, int32_t offset, uint8_t width,
                           int32_t adjust)
{
    ck_assert(location->is_there);
    check_path(&location->path, 1, offset, offset);
    ck_assert_uint_eq(location->width, width);
    ck_assert_int_eq(location->adjust, adjust);
}

static void check_rule(const struct layout_rule *rule, int32_t offset, uint8_t width,
                       uint64_t least, uint64_t most)
{
    ck_assert_int_eq(rule->offset, offset);
    ck_assert_uint_eq(rule->width, width);
    ck_assert_uint_eq(rule->least, least);
    ck_assert_uint_eq(rule->most, most);
}

static void check_bytes(enum layout_kind kind, int32_t lowest, int32_t highest)
{
    ck_assert(layout.objects[kind].is_there);
    ck_assert_int_eq(layout.objects[kind].lowest, lowest);
    ck_assert_int_eq(layout.objects[kind].highest, highest);
}

static void check_list(const struct layout_list_location *location, enum layout_shape shape,
                       bool is_newest_first, bool is_boxed, int32_t adjust)
{
    ck_assert_int_eq(location->shape, shape);
    ck_assert_int_eq(location->is_newest_first, is_newest_first);
    ck_assert_int_eq(location->is_boxed, is_boxed);
    ck_assert_int_eq(location->adjust, adjust);
}

static void set_up(void)
{
    /* Previous contents must not matter. */
    memset(&layout, 0xa5, sizeof(layout));
    ck_assert_int_eq(parse(layout_sample), ompd_rc_ok);
    ck_assert_str_eq(message.text, "");
}

START_TEST(head)
{
    static const uint8_t build_id[] = {0x00, 0xff, 0xa5, 0x5a};

    ck_assert_str_eq(layout.runtime, "Made-Up Computing\t1.0");
    ck_assert_str_eq(layout.module, "libmade-up.so.1");
    ck_assert_uint_eq(layout.build_id_size, sizeof(build_id));
    ck_assert_mem_eq(layout.build_id, build_id, sizeof(build_id));
    ck_assert_uint_eq(layout.machine, 62);
    ck_assert_uint_eq(layout.pointer_size, 8);
    ck_assert(!layout.is_big_endian);
    ck_assert_uint_eq(layout.table, 0xfe020);
    ck_assert_uint_eq(layout.taken_list.head, 0xff040);
    ck_assert_int_eq(layout.taken_list.next, 32);
    ck_assert_int_eq(layout.taken_list.object, 8);
}
END_TEST

START_TEST(objects)
{
    const struct layout_object *buffer = &layout.objects[layout_buffer];

    check_bytes(layout_platform, 0, 12);
    check_bytes(layout_context, 0, 64);
    check_bytes(layout_queue, 0, 88);
    check_bytes(layout_buffer, -16, 56);
    check_bytes(layout_image, 0, 65536);
    check_bytes(layout_event, 0, 84);
    check_bytes(layout_kernel, 0, 8);
    ck_assert(!layout.objects[layout_device].is_there);
    ck_assert(!layout.objects[layout_sampler].is_there);

    ck_assert_uint_eq(buffer->rule_count, 3);
    check_rule(&buffer->rules[0], -16, 8, 1, 0xffffff);
    check_rule(&buffer->rules[1], -8, 8, 1, 0xffffff);
    check_rule(&buffer->rules[2], 32, 2, 0x10f0, 0x10f0);
    check_rule(&buffer->dying, -16, 8, 0, 0);
    check_rule(&buffer->dispatch_data, 8, 8, 0, 0);
    check_rule(&buffer->taken, -16, 8, 0, 1);
    ck_assert_uint_eq(buffer->taken_return, 0x1234);
    ck_assert_uint_eq(layout.objects[layout_context].taken_return, 0);
    ck_assert(layout_takes_of_dying(buffer));
    ck_assert_uint_eq(buffer->internal_count, 1);
    check_rule(&buffer->internals[0], 40, 8, UINT64_C(1) << 63, 0);
    ck_assert_uint_eq(buffer->holds.counts[layout_context], 1);
    ck_assert_uint_eq(buffer->holds.counts[layout_buffer], 255);
    ck_assert_uint_eq(buffer->holds.counts[layout_program], 0);
    ck_assert_uint_eq(layout.objects[layout_event].holds.counts[layout_queue], 3);
    ck_assert_uint_eq(buffer->holds.alone, 1U << layout_context);
    ck_assert_uint_eq(buffer->dying_holds.counts[layout_context], 2);
    ck_assert_uint_eq(buffer->dying_holds.counts[layout_buffer], 1);
    ck_assert_uint_eq(buffer->dying_holds.alone, 1U << layout_context);
    ck_assert_uint_eq(layout.objects[layout_context].holds.alone, 0);
    ck_assert_uint_eq(layout.objects[layout_context].dying.width, 0);
    ck_assert_uint_eq(layout.objects[layout_context].taken.width, 0);
    ck_assert(!layout_takes_of_dying(&layout.objects[layout_context]));
    ck_assert_uint_eq(layout.objects[layout_context].internal_count, 0);
}
END_TEST

START_TEST(fields)
{
    const struct layout_object *buffer = &layout.objects[layout_buffer];
    const struct layout_object *event = &layout.objects[layout_event];
    const struct layout_object *context = &layout.objects[layout_context];

    check_location(&context->fields[layout_references], 56, 4, 0);
    check_location(&context->fields[layout_unique], 40, 8, 0);
    check_location(&context->fields[layout_device_count], 60, 4, 0);
    check_location(&layout.objects[layout_queue].fields[layout_context_of], 16, 8, 16);
    check_location(&layout.objects[layout_queue].fields[layout_device_of], 24, 8, -16);
    check_location(&buffer->fields[layout_size], 48, 8, 0);
    check_location(&layout.objects[layout_image].fields[layout_width], 65535, 1, 0);
    check_path(&buffer->fields[layout_mapped_pointer].path, 2, 120, 0);
    check_path(&event->fields[layout_svm_queue].path, 2, 88, 8);
    check_path(&event->fields[layout_svm_user_data].path, 2, 88, 40);
    ck_assert(!buffer->fields[layout_references].is_there);
    ck_assert_uint_eq(buffer->fields[layout_references].width, 0);
}
END_TEST

START_TEST(lists)
{
    const struct layout_list_location *range =
        &layout.objects[layout_context].lists[layout_destructors];
    const struct layout_list_location *svm = &layout.objects[layout_context].lists[layout_svm];
    const struct layout_list_location *array =
        &layout.objects[layout_context].lists[layout_devices];
    const struct layout_list_location *events = &layout.objects[layout_queue].lists[layout_events];
    const struct layout_list_location *deque =
        &layout.objects[layout_buffer].lists[layout_destructors];
    const struct layout_list_location *boxed =
        &layout.objects[layout_image].lists[layout_destructors];

    check_list(range, layout_range, false, false, 0);
    check_path(&range->first, 1, 72, 72);
    check_path(&range->end, 1, 80, 80);
    ck_assert_uint_eq(range->stride, 16);
    check_location(&range->elements[layout_function], 0, 8, 0);
    check_location(&range->elements[layout_user_data], 8, 8, 0);
    ck_assert(!range->elements[layout_event_of].is_there);

    check_list(svm, layout_linked, false, false, 0);
    check_path(&svm->first, 2, 208, 8);
    ck_assert_int_eq(svm->next, 24);
    ck_assert_uint_eq(svm->holds, 2);
    ck_assert_uint_eq(range->holds, 0);
    check_location(&svm->elements[layout_svm_pointer], 0, 8, 0);
    check_location(&svm->elements[layout_svm_size], 8, 4, 0);

    check_list(array, layout_array, false, false, 0);
    check_path(&array->end, 4, 60, 4);
    ck_assert_int_eq(array->end.offsets[2], -8);
    ck_assert_uint_eq(array->stride, 8);
    check_location(&array->elements[layout_element_device], 0, 8, 0);

    check_list(events, layout_linked, true, false, 0);
    ck_assert_int_eq(events->next, 192);
    check_location(&events->elements[layout_event_of], 0, 0, 0);

    check_list(deque, layout_deque, true, true, -8);
    check_path(&deque->first, 1, 88, 88);
    check_path(&deque->end, 1, 120, 120);
    ck_assert_uint_eq(deque->chunk, 512);
    ck_assert_uint_eq(deque->stride, 16);
    check_path(&deque->elements[layout_user_data].path, 2, 8, 16);
    check_location(&deque->elements[layout_function], 0, 8, 1);

    check_list(boxed, layout_linked, true, true, 0);
    check_path(&boxed->first, 1, -4096, -4096);
    ck_assert_int_eq(layout.objects[layout_event].lists[layout_destructors].shape, layout_no_list);
}
END_TEST

START_TEST(other_machines)
{
    ck_assert_int_eq(parse(HEAD("20 32 big") "object buffer\nfield context 4 4 8\nrule 8 4 0 1\n"),
                     ompd_rc_ok);
    ck_assert_uint_eq(layout.machine, 20);
    ck_assert_uint_eq(layout.pointer_size, 4);
    ck_assert(layout.is_big_endian);
    check_location(&layout.objects[layout_buffer].fields[layout_context_of], 4, 4, 8);
    check_bytes(layout_buffer, 0, 12);

    ck_assert_int_eq(parse(HEAD("65535 64 big") "object kernel\nfield context 8 8\n"), ompd_rc_ok);
    ck_assert_uint_eq(layout.pointer_size, 8);
    ck_assert(layout.is_big_endian);
    ck_assert_int_eq(parse(HEAD("40 32 little") "object kernel\nfield context 8 8\n"),
                     ompd_rc_bad_input);
}
END_TEST

START_TEST(what_is_no_fault)
{
    /* The longest line, the longest name, letters of all lengths, and a last line that ends. */
    ck_assert_int_eq(
        parse("ompd-opencl-layout 1.0 # version\n"
              "runtime \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 "
              "12345678901234567890123456789012345678901234567890123456789012345678901234567890"
              "12345678901234567890123456789\n"
              "note "
              "12345678901234567890123456789012345678901234567890123456789012345678901234567890"
              "12345678901234567890123456789012345678901234567890123456789012345678901234567890"
              "12345678901234567890123456789012345\n"
              "module a b  c#d\nbuild-id 01\nmachine 62 64 little\ntable 8\n"
              "\t object\tbuffer \t\nrule 0 8 0xffffffffffffffff 18446744073709551615 \n"),
        ompd_rc_ok);
    ck_assert_uint_eq(strlen(layout.runtime), OMPD_CL_TEXT_SIZE - 1);
    ck_assert_str_eq(layout.module, "a b  c#d");
    ck_assert_uint_eq(layout.objects[layout_buffer].rules[0].least, UINT64_MAX);
}
END_TEST

START_TEST(newer_layouts)
{
    ck_assert_int_eq(parse("ompd-opencl-layout 2.0\nwhatever\n"), ompd_rc_incompatible);
    ck_assert_str_eq(message.text, "line 1: the layout has version \"2.0\", but this version of "
                                   "ompd-opencl reads 1.x; use a newer one.");
    ck_assert_int_eq(parse("ompd-opencl-layout 1.1\nrequire hash-tables\nwhatever\n"),
                     ompd_rc_incompatible);
    ck_assert_str_eq(message.text, "line 2: the layout requires \"hash-tables\", which this "
                                   "version of ompd-opencl does not support.");
}
END_TEST

START_TEST(largest)
{
    size_t used = strlen(MEMORY "rule 0 1 0 1\n");
    char *text = malloc(LAYOUT_MAX_SIZE + 1);

    ck_assert_ptr_nonnull(text);
    memset(text, '\n', LAYOUT_MAX_SIZE + 1);
    memcpy(text, MEMORY "rule 0 1 0 1\n", used);
    message_clear(&message);
    ck_assert_int_eq(layout_parse(text, LAYOUT_MAX_SIZE, &layout, &message), ompd_rc_ok);
    ck_assert_int_eq(layout_parse(text, LAYOUT_MAX_SIZE + 1, &layout, &message), ompd_rc_bad_input);
    ck_assert_str_eq(message.text, "line 1: a layout has at most 65536 bytes.");
    ck_assert_int_eq(layout_parse(text, UINT64_MAX, &layout, &message), ompd_rc_bad_input);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout");
    TCase *sample = tcase_create("sample");
    TCase *texts = tcase_create("texts");

    tcase_add_checked_fixture(sample, set_up, NULL);
    tcase_add_test(sample, head);
    tcase_add_test(sample, objects);
    tcase_add_test(sample, fields);
    tcase_add_test(sample, lists);
    suite_add_tcase(suite, sample);
    tcase_add_test(texts, other_machines);
    tcase_add_test(texts, what_is_no_fault);
    tcase_add_test(texts, newer_layouts);
    tcase_add_test(texts, largest);
    suite_add_tcase(suite, texts);
    return suite_run(suite);
}
