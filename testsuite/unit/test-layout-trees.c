/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lines of a layout for trees, and for optional or conditionally known data. */
#include "suite.h"

#include <check.h>
#include <sources/layout/layout.h>
#include <string.h>

static struct layout layout;
static struct message message;

#define HEAD                                                                                       \
    "ompd-opencl-layout 1.0\nruntime R\nmodule M\nbuild-id 01\nmachine 62 64 little\ntable 8\n"
#define CONTEXT HEAD "object context\n"
#define BUFFER HEAD "object buffer\n"
#define EVENT HEAD "object event\nfield command_type 8 4\n"

static ompd_rc_t parse(const char *text)
{
    message_clear(&message);
    memset(&layout, 0xa5, sizeof(layout));
    return layout_parse(text, strlen(text), &layout, &message);
}

START_TEST(tree_lines)
{
    const struct layout_list_location *list = &layout.objects[layout_context].lists[layout_svm];

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

START_TEST(binary_tree_lines)
{
    const struct layout_list_location *list = &layout.objects[layout_context].lists[layout_svm];

    ck_assert_int_eq(parse(CONTEXT "require binary-trees\nfield references 56 4\n"
                                   "list svm binary-tree 56>96 56>120 16 -24\nwhen 40 4 1 1\n"
                                   "element pointer 32 8 16\nelement size 88 8\n"),
                     ompd_rc_ok);
    ck_assert_int_eq(list->shape, layout_binary_tree);
    ck_assert_uint_eq(list->first.count, 2);
    ck_assert_int_eq(list->first.offsets[1], 96);
    ck_assert_int_eq(list->end.offsets[1], 120);
    ck_assert_int_eq(list->left, 16);
    ck_assert_int_eq(list->right, -24);
    ck_assert_int_eq(list->when.rule.offset, 40);
    ck_assert_int_eq(list->elements[layout_svm_pointer].adjust, 16);
    ck_assert_int_eq(list->elements[layout_svm_size].path.offsets[0], 88);
}
END_TEST

START_TEST(known_when_lines)
{
    const struct layout_object *event = &layout.objects[layout_event];

    ck_assert_int_eq(parse(HEAD "require known-when\nobject event\nfield command_type 8 4\n"
                                "field svm_function 264>32>16 8\nunless 24 4 7 7\n"
                                "known-when 264>0 8 0 0xffff\n"
                                "field svm_user_data 264>32>24 8\nknown-when 700 2 1 2\n"),
                     ompd_rc_ok);
    ck_assert_uint_eq(event->known_count, 2);
    ck_assert_int_eq(event->known[0].field, layout_svm_function);
    ck_assert_uint_eq(event->known[0].location.path.count, 2);
    ck_assert_int_eq(event->known[0].location.path.offsets[0], 264);
    ck_assert_uint_eq(event->known[0].location.width, 8);
    ck_assert_uint_eq(event->known[0].least, 0);
    ck_assert_uint_eq(event->known[0].most, 0xffff);
    ck_assert(event->when[layout_svm_function].is_except);
    ck_assert_int_eq(event->known[1].field, layout_svm_user_data);
    ck_assert_uint_eq(event->known[1].least, 1);
    ck_assert_int_eq(event->highest, 702);
}
END_TEST

START_TEST(dispatch_data_lines)
{
    ck_assert_int_eq(parse(HEAD "require dispatch-data\nobject buffer\nfield references 56 4\n"
                                "dispatch-data 8 8\nobject image\nfield references 56 4\n"),
                     ompd_rc_ok);
    ck_assert_int_eq(layout.objects[layout_buffer].dispatch_data.offset, 8);
    ck_assert_uint_eq(layout.objects[layout_buffer].dispatch_data.width, 8);
    ck_assert_uint_eq(layout.objects[layout_image].dispatch_data.width, 0);
    ck_assert_int_eq(parse(HEAD "object buffer\ndispatch-data 8\n"), ompd_rc_bad_input);
    ck_assert_int_eq(parse(HEAD "object buffer\ndispatch-data 8 8\ndispatch-data 16 8\n"),
                     ompd_rc_bad_input);
}
END_TEST

START_TEST(condition_lines)
{
    const struct layout_object *buffer = &layout.objects[layout_buffer];
    const struct layout_list_location *list = &layout.objects[layout_context].lists[layout_svm];

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

#define KNOWN_WHEN                                                                                 \
    "known-when must directly follow one of the fields device_count, svm_pointer_count, "          \
    "svm_pointers, svm_function and svm_user_data."

START_TEST(absence_lines)
{
    ck_assert_int_eq(parse(HEAD
                           "require absences\nobject context\nfield references 56 4\nnone svm\n"
                           "list destructors linked 0 8 oldest-first\nelement function 0 8\n"),
                     ompd_rc_ok);
    ck_assert_uint_eq(layout.objects[layout_context].absent, 1U << layout_svm);
    ck_assert_int_eq(layout.objects[layout_context].lists[layout_svm].shape, layout_no_list);
    ck_assert_int_eq(parse(CONTEXT "field references 56 4\n"), ompd_rc_ok);
    ck_assert_uint_eq(layout.objects[layout_context].absent, 0);
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
    {CONTEXT "list svm tree 0 8 16 0>8 32\n",
     "line 8: \"0>8\" is not an offset from -4096 to 65535."},
    {CONTEXT "list destructors tree 0 8 16 24 32\n",
     "line 8: destructor callbacks have an order, which a tree does not."},
    {CONTEXT "list svm tree 0 8 16 24 32\nelement pointer 0 8\n",
     "line 9: for a tree, write element NAME PATH WIDTH [ADJUST] every STRIDE."},
    {CONTEXT "list svm tree 0 8 16 24 32\nelement pointer 0 8 every 0\n",
     "line 9: \"0\" is not a size from 1 to 65535."},
    {CONTEXT "list svm linked 0 8 oldest-first\nelement pointer 0 8 every 8\n",
     "line 9: only the elements of a tree can have a stride."},
    {CONTEXT "list svm linked 0 8 oldest-first\nelement pointer 0 8 0 8\n",
     "line 9: write element NAME PATH WIDTH [ADJUST]."},
    {CONTEXT "list svm tree 0 8 16 24 32\nwhen 0 8 1 2\n",
     "line 9: the elements of a tree cannot have a condition."},
    {CONTEXT "none svm\nlist svm linked 0 8 oldest-first\n",
     "line 9: the object has no \"svm\", according to an earlier line."},
    {CONTEXT "list svm linked 0 8 oldest-first\nelement pointer 0 8\nnone svm\n",
     "line 10: the object already has a list \"svm\"."},
    {CONTEXT "list svm linked 0 8 oldest-first\nnone svm\n",
     "line 8: the list lacks its element pointer."},
    {BUFFER "none destructors\n",
     "line 8: \"destructors\" is not a list that a runtime may lack in this object."},
    {BUFFER "none svm\n", "line 8: \"svm\" is not a list that a runtime may lack in this object."},
    {CONTEXT "none\n", "line 8: write none LIST."},
    {CONTEXT "when 0 8 1 2\n", "line 8: a condition must directly follow its field or list."},
    {BUFFER "field size 0 8\nrule 0 8 0 1\nunless 0 8 1 2\n",
     "line 10: a condition must directly follow its field or list."},
    {BUFFER "field size 0 8\nwhen 0 8 1 2\nwhen 0 8 1 2\n",
     "line 10: a condition must directly follow its field or list."},
    {BUFFER "field size 0 8\nwhen 0 8 1\n", "line 9: write when OFFSET WIDTH MIN MAX."},
    {BUFFER "field size 0 8\nunless 0 8 1\n", "line 9: write unless OFFSET WIDTH MIN MAX."},
    {BUFFER "field size 0 8\nwhen 0 8 2 1\n",
     "line 9: \"1\" is too large for its width, or too small."},
    {BUFFER "field size 0 8\nwhen 0 3 2 1\n", "line 9: \"3\" is not a width; use 1, 2, 4 or 8."},
    {CONTEXT "list svm binary-tree 0 8 16\n",
     "line 8: write list NAME binary-tree ROOT COUNT LEFT RIGHT."},
    {CONTEXT "list svm binary-tree 0 8 16 24 oldest-first\n",
     "line 8: write list NAME binary-tree ROOT COUNT LEFT RIGHT."},
    {CONTEXT "list svm binary-tree 0 8 0>8 16\n",
     "line 8: \"0>8\" is not an offset from -4096 to 65535."},
    {CONTEXT "list destructors binary-tree 0 8 16 24\n",
     "line 8: destructor callbacks have an order, which a tree does not."},
    {CONTEXT "list svm binary-tree 0 8 16 24\nelement pointer 0 8 every 8\n",
     "line 9: only the elements of a tree can have a stride."},
    {CONTEXT "list svm bush 0 8 16 24\n",
     "line 8: \"bush\" is not a shape; use linked, range, array, deque, tree or binary-tree."},
    {EVENT "known-when 0 8 0 0\n", "line 9: " KNOWN_WHEN},
    {EVENT "field svm_queue 8 8\nknown-when 0 8 0 0\n", "line 10: " KNOWN_WHEN},
    {EVENT "field svm_function 8 8\nrule 0 8 0 1\nknown-when 0 8 0 0\n", "line 11: " KNOWN_WHEN},
    {EVENT "field svm_function 8 8\nknown-when 0 8 0 0\nknown-when 0 8 0 0\n",
     "line 11: " KNOWN_WHEN},
    {EVENT "field svm_function 8 8\nknown-when 0 8 0\n",
     "line 10: write known-when PATH WIDTH MIN MAX."},
    {EVENT "field svm_function 8 8\nknown-when 0>8 8 2 1\n",
     "line 10: \"1\" is too large for its width, or too small."},
};

START_TEST(each_fault)
{
    ck_assert_int_eq(parse(faults[_i].text), ompd_rc_bad_input);
    ck_assert_str_eq(message.text, faults[_i].sentence);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout trees");
    TCase *tests = tcase_create("layout trees");

    tcase_add_test(tests, tree_lines);
    tcase_add_test(tests, binary_tree_lines);
    tcase_add_test(tests, known_when_lines);
    tcase_add_test(tests, dispatch_data_lines);
    tcase_add_test(tests, condition_lines);
    tcase_add_test(tests, absence_lines);
    tcase_add_loop_test(tests, each_fault, 0, sizeof(faults) / sizeof(faults[0]));
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
