/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts of classes: what their lines say, their limits, and the message for each error. */
#include "suite.h"

#include <check.h>
#include <sources/layout/layout.h>
#include <string.h>

#define CLASS_HEAD(build_id, machine)                                                              \
    "ompd-opencl-layout 1.0\nruntime Embree 3\nmodule libembree3.so.3\n" build_id                  \
    "machine " machine "\nrequire classes\n"
#define CLASSES CLASS_HEAD("build-id 01\n", "62 64 little") /* six lines */
#define NAMELESS CLASS_HEAD("", "62 64 little")             /* five */

/* Classes that are all right but for what follows. */
#define MEMBERS "member references 8 8\nmember device 16 8\n"
#define SCENE CLASSES "class scene S\n" MEMBERS                  /* nine lines */
#define DEVICE CLASSES "class device D\nmember references 8 8\n" /* eight */

static struct layout layout;
static struct message message;

static ompd_rc_t parse(const char *text)
{
    message_clear(&message);
    return layout_parse(text, strlen(text), &layout, &message);
}

/* ---- What lines say -------------------------------------------------------------------------- */

START_TEST(lines)
{
    const struct layout_body *body;

    ck_assert_int_eq(parse(CLASSES
                           "class device N6embree6DeviceE 0x24f4960\n  member references 8 4\n"
                           "  base 1360\n  note of a kind\n"
                           "class geometry A\n class geometry B 8\n" MEMBERS
                           "  member state 62 1 3 2\n  view 48 32 24\n  slot index 64\n"
                           "  slots vertex 112 120 56 48\n  slot grid 72\n  vector 128 4\n"
                           "  vectors 176 160 100 72 32\n  own 200\n  own-each 208 216\n"
                           "  scene-slot 300\n  scene-slots 308 316\n  bytes 100\n"
                           "  bytes-each time_steps 64\n"
                           "class geometry C\n" MEMBERS "class block -\n  bytes 64\n"),
                     ompd_rc_ok);
    ck_assert_uint_eq(layout.class_count, 5);
    ck_assert_uint_eq(layout.body_count, 4);
    ck_assert_uint_eq(layout.classes[0].kind, layout_class_device);
    ck_assert_uint_eq(layout.classes[0].type_info, 0x24f4960);
    ck_assert_uint_eq(layout.classes[0].name_length, 16);
    ck_assert_uint_eq(layout.classes[0].name_hash, layout_name_hash("N6embree6DeviceE", 16));
    body = &layout.bodies[layout.classes[0].body];
    ck_assert_uint_eq(body->base, 1360);
    ck_assert_uint_eq(body->members[layout_member_references].offset, 8);
    ck_assert_uint_eq(body->members[layout_member_references].width, 4);
    ck_assert_uint_eq(body->members[layout_member_device].width, 0);
    /* Two that follow each other share their lines, a third does not. */
    ck_assert_uint_eq(layout.classes[1].body, layout.classes[2].body);
    ck_assert_uint_eq(layout.classes[1].type_info, 0);
    ck_assert_uint_eq(layout.classes[2].type_info, 8);
    ck_assert_uint_ne(layout.classes[2].body, layout.classes[3].body);
    body = &layout.bodies[layout.classes[2].body];
    ck_assert_uint_eq(body->members[layout_member_state].first_bit, 3);
    ck_assert_uint_eq(body->members[layout_member_state].bits, 2);
    ck_assert_uint_eq(body->view.pointer, 48);
    ck_assert_uint_eq(body->view.stride, 32);
    ck_assert_uint_eq(body->view.count, 24);
    ck_assert_uint_eq(body->slot_count, 3);
    ck_assert_uint_eq(body->slots[0].role, layout_slot_index);
    ck_assert_uint_eq(body->slots[0].place.offset, 64);
    ck_assert_uint_eq(body->slots[0].place.stride, 0);
    ck_assert_uint_eq(body->slots[1].role, layout_slot_vertex);
    ck_assert_uint_eq(body->slots[1].place.items, 112);
    ck_assert_uint_eq(body->slots[1].place.count, 120);
    ck_assert_uint_eq(body->slots[1].place.stride, 56);
    ck_assert_uint_eq(body->slots[1].place.offset, 48);
    ck_assert_uint_eq(body->slots[2].role, layout_slot_other);
    ck_assert_uint_eq(body->vector_count, 2);
    ck_assert_uint_eq(body->vectors[0].place.offset, 128);
    ck_assert_uint_eq(body->vectors[0].element_size, 4);
    ck_assert_uint_eq(body->vectors[1].place.stride, 100);
    ck_assert_uint_eq(body->vectors[1].element_size, 32);
    ck_assert_uint_eq(body->owned_count, 2);
    ck_assert_uint_eq(body->owned[0].offset, 200);
    ck_assert_uint_eq(body->owned[0].end, 0);
    ck_assert_uint_eq(body->owned[1].end, 216);
    ck_assert_uint_eq(body->scene_slot_count, 2);
    ck_assert_uint_eq(body->scene_slots[0].count, 0);
    ck_assert_uint_eq(body->scene_slots[1].offset, 308);
    ck_assert_uint_eq(body->scene_slots[1].count, 316);
    ck_assert_uint_eq(body->bytes, 100);
    ck_assert_uint_eq(body->bytes_each, 64);
    ck_assert_uint_eq(body->counted, layout_member_time_steps);
    ck_assert_uint_eq(layout.classes[4].kind, layout_class_block);
    ck_assert_uint_eq(layout.bodies[layout.classes[4].body].bytes, 64);
}
END_TEST

/* ---- Limits ---------------------------------------------------------------------------------- */

/* Parse SCENE, then LINE COUNT times; %u in it is a number. */
static ompd_rc_t parse_repeated(const char *line, unsigned count)
{
    static char text[LAYOUT_MAX_SIZE];
    int length = snprintf(text, sizeof(text), "%s", SCENE);

    for (unsigned i = 0; i < count; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        length += snprintf(text + length, sizeof(text) - (size_t)length, line, i);
#pragma GCC diagnostic pop
    }
    return parse(text);
}

static const struct limit {
    const char *line;
    unsigned most;
    const char *sentence; /* at one more */
} limits[] = {
    {"class scene S%u\n", 254, "line 264: a layout has at most 255 classes."},
    {"class scene S%u\nbytes 1\n", 39, "line 88: a layout has at most 40 different classes."},
    {"vector %u 8\n", 6, "line 16: a class has at most 6 vectors."},
    {"vectors 0 8 48 %u 8\n", 6, "line 16: a class has at most 6 vectors."},
    {"slot vertex %u\n", 12, "line 22: a class has at most 12 slots."},
    {"slots vertex 0 8 48 %u\n", 12, "line 22: a class has at most 12 slots."},
    {"own %u\n", 4, "line 14: a class has at most 4 own lines."},
    {"own-each %u 8\n", 4, "line 14: a class has at most 4 own lines."},
    {"scene-slot %u\n", 2, "line 12: a class has at most 2 slots of scenes."},
    {"scene-slots %u 8\n", 2, "line 12: a class has at most 2 slots of scenes."},
};

START_TEST(each_limit)
{
    const struct limit *limit = &limits[_i];

    ck_assert_int_eq(parse_repeated(limit->line, limit->most), ompd_rc_ok);
    ck_assert_int_eq(parse_repeated(limit->line, limit->most + 1), ompd_rc_bad_input);
    ck_assert_str_eq(message.text, limit->sentence);
}
END_TEST

START_TEST(long_names)
{
    char text[2000];
    char name[LAYOUT_MAX_CLASS_NAME + 2];

    memset(name, 'N', sizeof(name));
    name[LAYOUT_MAX_CLASS_NAME] = '\0';
    snprintf(text, sizeof(text), "%sclass builder %s 0xfffffffff0\n", SCENE, name);
    ck_assert_int_eq(parse(text), ompd_rc_ok);
    ck_assert_uint_eq(layout.classes[1].name_length, LAYOUT_MAX_CLASS_NAME);
    name[LAYOUT_MAX_CLASS_NAME] = 'N';
    name[LAYOUT_MAX_CLASS_NAME + 1] = '\0';
    snprintf(text, sizeof(text), "%sclass builder %s\n", SCENE, name);
    ck_assert_int_eq(parse(text), ompd_rc_bad_input);
    ck_assert_str_eq(message.text, "line 10: the name of the class is longer than 500 bytes.");
}
END_TEST

START_TEST(without_build_id)
{
    static const char four[] =
        NAMELESS "class scene S 8\n" MEMBERS "class builder A 16\nclass builder B 24\n"
                 "class builder C 0x10000000000\nclass builder D\n";

    ck_assert_int_eq(parse(four), ompd_rc_ok);
    ck_assert_uint_eq(layout.build_id_size, 0);
    ck_assert_int_eq(parse(NAMELESS "class scene S 8\n" MEMBERS
                                    "class builder A 16\nclass builder B 24\nclass builder C\n"),
                     ompd_rc_bad_input);
    ck_assert_str_eq(message.text,
                     "line 11: without a build-id, a layout needs the types of 4 classes.");
}
END_TEST

/* ---- Errors ---------------------------------------------------------------------------------- */

static const struct fault {
    const char *text;
    const char *sentence;
} faults[] = {
    {"ompd-opencl-layout 1.0\nclass scene S\n",
     "line 2: before this line the layout needs a line runtime."},
    {"ompd-opencl-layout 1.0\nruntime E\nclass scene S\n",
     "line 3: before this line the layout needs a line module."},
    {"ompd-opencl-layout 1.0\nruntime E\nmodule M\nclass scene S\n",
     "line 4: before this line the layout needs a line machine."},
    {CLASSES, "line 6: the layout describes no object."},
    {CLASSES "member references 8 8\n", "line 7: \"member\" must follow a class line."},
    {CLASSES "own 8\n", "line 7: \"own\" must follow a class line."},
    {CLASSES "rule 0 1 0 0\n", "line 7: \"rule\" must follow an object line."},
    {SCENE "rule 0 1 0 0\n", "line 10: \"rule\" must follow an object line."},
    {SCENE "machine 62 64 little\n",
     "line 10: \"machine\" must precede the first object or class line."},
    {SCENE "object buffer\n", "line 10: a layout has objects or classes, not both."},
    {CLASSES "table 8\nobject buffer\nrule 0 1 0 0\nclass scene S\n",
     "line 10: a layout has objects or classes, not both."},
    {CLASSES "table 8\nclass scene S\n" MEMBERS "object buffer\nrule 0 1 0 0\n",
     "line 11: a layout has objects or classes, not both."},

    {CLASSES "class scene\n", "line 7: write class KIND NAME [TYPE_INFO]."},
    {CLASSES "class scene S 8 8\n", "line 7: write class KIND NAME [TYPE_INFO]."},
    {CLASSES "class scenes S\n", "line 7: \"scenes\" is not a kind of class."},
    {CLASSES "class scene S 0\n", "line 7: \"0\" is not the address of a type in a module."},
    {CLASSES "class scene S 6\n", "line 7: \"6\" is not the address of a type in a module."},
    {CLASSES "class scene S 0x10000000004\n",
     "line 7: \"0x10000000004\" is not the address of a type in a module."},
    {SCENE "member\n", "line 10: write member NAME OFFSET WIDTH [FIRST_BIT BITS]."},
    {SCENE "member flags 8 4 0 1 1\n", "line 10: write member NAME OFFSET WIDTH [FIRST_BIT BITS]."},
    {SCENE "member pointer 8 8\n", "line 10: \"pointer\" is not a member of this class."},
    {CLASSES "class block -\nmember references 8 8\n",
     "line 8: \"references\" is not a member of this class."},
    {SCENE "member device 8 8\n", "line 10: the class already has a member \"device\"."},
    {SCENE "member flags 65536 4\n", "line 10: \"65536\" is not an offset from 0 to 65535."},
    {SCENE "member flags -8 4\n", "line 10: \"-8\" is not an offset from 0 to 65535."},
    {SCENE "member flags 8 3\n", "line 10: \"3\" is not a width; use 1, 2, 4 or 8."},
    {SCENE "member flags 8 16\n", "line 10: \"16\" is not a width; use 1, 2, 4 or 8."},
    {SCENE "member flags 8 4 3\n", "line 10: the bits are not within the member."},
    {SCENE "member flags 8 4 31 2\n", "line 10: the bits are not within the member."},
    {SCENE "member flags 8 4 0 0\n", "line 10: the bits are not within the member."},
    {SCENE "member flags 8 8 64 1\n", "line 10: the bits are not within the member."},
    {DEVICE "base\n", "line 9: write base OFFSET."},
    {DEVICE "base 0\n", "line 9: \"0\" is not a count from 1 to 65535."},
    {DEVICE "base 8\nbase 8\n", "line 10: the class already has a line \"base\"."},
    {SCENE "bytes 0\n", "line 10: \"0\" is not a count from 1 to 65535."},
    {SCENE "bytes 8\nbytes 8\n", "line 11: the class already has a line \"bytes\"."},
    {SCENE "bytes-each flags\n", "line 10: write bytes-each MEMBER COUNT."},
    {SCENE "bytes-each objects 8\n", "line 10: \"objects\" is not a member of this class."},
    {SCENE "bytes-each flags 65536\n", "line 10: \"65536\" is not a count from 1 to 65535."},
    {SCENE "bytes-each flags 1\nbytes-each flags 1\n",
     "line 11: the class already has a line \"bytes-each\"."},
    {SCENE "vector 8\n", "line 10: write vector OFFSET SIZE."},
    {SCENE "vector 8 0\n", "line 10: \"0\" is not a count from 1 to 65535."},
    {SCENE "vector x 8\n", "line 10: \"x\" is not an offset from 0 to 65535."},
    {SCENE "vectors 8 16 48 8\n", "line 10: write vectors ITEMS COUNT STRIDE OFFSET SIZE."},
    {SCENE "vectors 8 16 0 0 8\n", "line 10: the offset is not within the element."},
    {SCENE "vectors 8 16 48 48 8\n", "line 10: the offset is not within the element."},
    {SCENE "vectors 8 16 48 8 0\n", "line 10: \"0\" is not a count from 1 to 65535."},
    {SCENE "slot vertex\n", "line 10: write slot NAME OFFSET."},
    {SCENE "slot vertex x\n", "line 10: \"x\" is not an offset from 0 to 65535."},
    {SCENE "slots vertex 8 16 48\n", "line 10: write slots NAME ITEMS COUNT STRIDE OFFSET."},
    {SCENE "slots vertex 8 16 0 0\n", "line 10: the offset is not within the element."},
    {SCENE "slots vertex 8 16 x 0\n", "line 10: \"x\" is not an offset from 0 to 65535."},
    {SCENE "view 8 16\n", "line 10: write view POINTER STRIDE COUNT."},
    {SCENE "view 0 16 8\n", "line 10: \"0\" is not a count from 1 to 65535."},
    {SCENE "view 24 16 8\nview 24 16 8\n", "line 11: the class already has a line \"view\"."},
    {SCENE "own\n", "line 10: write own OFFSET."},
    {SCENE "own 8 16\n", "line 10: write own OFFSET."},
    {SCENE "own-each 8\n", "line 10: write own-each BEGIN END."},
    {SCENE "own-each 8 0\n", "line 10: \"0\" is not a count from 1 to 65535."},
    {SCENE "scene-slot 65536\n", "line 10: \"65536\" is not an offset from 0 to 65535."},
    {SCENE "scene-slots 8\n", "line 10: write scene-slots ITEMS COUNT."},
    {SCENE "scene-slots 8 0\n", "line 10: \"0\" is not a count from 1 to 65535."},

    {CLASS_HEAD("build-id 01\n", "3 32 little") "class scene S\n" MEMBERS,
     "line 9: a layout of classes needs a machine of 64 bits."},
    {CLASSES "class device D\nbase 8\n",
     "line 8: no class of kind \"device\" has the member references."},
    {CLASSES "class scene S\nmember device 16 8\n",
     "line 8: no class of kind \"scene\" has the member references."},
    {CLASSES "class buffer S\nmember references 8 8\n",
     "line 8: no class of kind \"buffer\" has the member device."},
    {CLASSES "class user-bvh S\nmember references 8 8\n",
     "line 8: no class of kind \"user-bvh\" has the member device."},
};

START_TEST(each_fault)
{
    ck_assert_int_eq(parse(faults[_i].text), ompd_rc_bad_input);
    ck_assert_str_eq(message.text, faults[_i].sentence);
}
END_TEST

START_TEST(unknown_requirement)
{
    ck_assert_int_eq(parse(SCENE "require templates\n"), ompd_rc_incompatible);
    ck_assert_str_eq(message.text, "line 10: the layout requires \"templates\", which this version "
                                   "of ompd-opencl does not support.");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout classes");
    TCase *tests = tcase_create("classes");

    tcase_add_test(tests, lines);
    tcase_add_loop_test(tests, each_limit, 0, sizeof(limits) / sizeof(limits[0]));
    tcase_add_test(tests, long_names);
    tcase_add_test(tests, without_build_id);
    tcase_add_loop_test(tests, each_fault, 0, sizeof(faults) / sizeof(faults[0]));
    tcase_add_test(tests, unknown_requirement);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
