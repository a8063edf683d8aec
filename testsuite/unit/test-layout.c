/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What layouts come to, and the sentence for each thing that can be wrong with one. */
#include "layout-sample.h"
#include "suite.h"

#include <check.h>
#include <layout.h>
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

/* PLACE is a WIDTH at the one offset OFFSET. */
static void check_place(const struct layout_place *place, int32_t offset, uint8_t width,
                        int32_t adjust)
{
    ck_assert(place->is_there);
    check_path(&place->path, 1, offset, offset);
    ck_assert_uint_eq(place->width, width);
    ck_assert_int_eq(place->adjust, adjust);
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

static void check_list(const struct layout_list_place *place, enum layout_shape shape,
                       bool is_newest_first, bool is_boxed, int32_t adjust)
{
    ck_assert_int_eq(place->shape, shape);
    ck_assert_int_eq(place->is_newest_first, is_newest_first);
    ck_assert_int_eq(place->is_boxed, is_boxed);
    ck_assert_int_eq(place->adjust, adjust);
}

static void set_up(void)
{
    /* What was there before must not matter. */
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
    ck_assert_uint_eq(layout.objects[layout_context].internal_count, 0);
}
END_TEST

START_TEST(fields)
{
    const struct layout_object *buffer = &layout.objects[layout_buffer];
    const struct layout_object *event = &layout.objects[layout_event];
    const struct layout_object *context = &layout.objects[layout_context];

    check_place(&context->fields[layout_references], 56, 4, 0);
    check_place(&context->fields[layout_unique], 40, 8, 0);
    check_place(&context->fields[layout_device_count], 60, 4, 0);
    check_place(&layout.objects[layout_queue].fields[layout_context_of], 16, 8, 16);
    check_place(&layout.objects[layout_queue].fields[layout_device_of], 24, 8, -16);
    check_place(&buffer->fields[layout_size], 48, 8, 0);
    check_place(&layout.objects[layout_image].fields[layout_width], 65535, 1, 0);
    check_path(&buffer->fields[layout_mapped_pointer].path, 2, 120, 0);
    check_path(&event->fields[layout_svm_queue].path, 2, 88, 8);
    check_path(&event->fields[layout_svm_user_data].path, 2, 88, 40);
    ck_assert(!buffer->fields[layout_references].is_there);
    ck_assert_uint_eq(buffer->fields[layout_references].width, 0);
}
END_TEST

START_TEST(lists)
{
    const struct layout_list_place *range =
        &layout.objects[layout_context].lists[layout_destructors];
    const struct layout_list_place *svm = &layout.objects[layout_context].lists[layout_svm];
    const struct layout_list_place *array = &layout.objects[layout_context].lists[layout_devices];
    const struct layout_list_place *events = &layout.objects[layout_queue].lists[layout_events];
    const struct layout_list_place *deque =
        &layout.objects[layout_buffer].lists[layout_destructors];
    const struct layout_list_place *boxed = &layout.objects[layout_image].lists[layout_destructors];

    check_list(range, layout_range, false, false, 0);
    check_path(&range->first, 1, 72, 72);
    check_path(&range->end, 1, 80, 80);
    ck_assert_uint_eq(range->stride, 16);
    check_place(&range->elements[layout_function], 0, 8, 0);
    check_place(&range->elements[layout_user_data], 8, 8, 0);
    ck_assert(!range->elements[layout_event_of].is_there);

    check_list(svm, layout_linked, false, false, 0);
    check_path(&svm->first, 2, 208, 8);
    ck_assert_int_eq(svm->next, 24);
    ck_assert_uint_eq(svm->holds, 2);
    ck_assert_uint_eq(range->holds, 0);
    check_place(&svm->elements[layout_svm_pointer], 0, 8, 0);
    check_place(&svm->elements[layout_svm_size], 8, 4, 0);

    check_list(array, layout_array, false, false, 0);
    check_path(&array->end, 4, 60, 4);
    ck_assert_int_eq(array->end.offsets[2], -8);
    ck_assert_uint_eq(array->stride, 8);
    check_place(&array->elements[layout_element_device], 0, 8, 0);

    check_list(events, layout_linked, true, false, 0);
    ck_assert_int_eq(events->next, 192);
    check_place(&events->elements[layout_event_of], 0, 0, 0);

    check_list(deque, layout_deque, true, true, -8);
    check_path(&deque->first, 1, 88, 88);
    check_path(&deque->end, 1, 120, 120);
    ck_assert_uint_eq(deque->chunk, 512);
    ck_assert_uint_eq(deque->stride, 16);
    check_path(&deque->elements[layout_user_data].path, 2, 8, 16);
    check_place(&deque->elements[layout_function], 0, 8, 1);

    check_list(boxed, layout_linked, true, true, 0);
    check_path(&boxed->first, 1, -4096, -4096);
    ck_assert_int_eq(layout.objects[layout_event].lists[layout_destructors].shape, layout_no_list);
}
END_TEST

#define HEAD(machine)                                                                              \
    "ompd-opencl-layout 1.0\nruntime R\nmodule M\nbuild-id 01\nmachine " machine "\ntable 8\n"
#define MEMORY HEAD("62 64 little") "object buffer\n" /* line 7 */

START_TEST(other_machines)
{
    ck_assert_int_eq(parse(HEAD("20 32 big") "object buffer\nfield context 4 4 8\nrule 8 4 0 1\n"),
                     ompd_rc_ok);
    ck_assert_uint_eq(layout.machine, 20);
    ck_assert_uint_eq(layout.pointer_size, 4);
    ck_assert(layout.is_big_endian);
    check_place(&layout.objects[layout_buffer].fields[layout_context_of], 4, 4, 8);
    check_bytes(layout_buffer, 0, 12);

    ck_assert_int_eq(parse(HEAD("65535 64 big") "object kernel\nfield context 8 8\n"), ompd_rc_ok);
    ck_assert_uint_eq(layout.pointer_size, 8);
    ck_assert(layout.is_big_endian);
    ck_assert_int_eq(parse(HEAD("40 32 little") "object kernel\nfield context 8 8\n"),
                     ompd_rc_bad_input);
}
END_TEST

/* What is wrong with a layout, and the sentence that says it. */
static const struct fault {
    const char *text;
    const char *sentence;
} faults[] = {
    {"", "line 1: a layout begins with ompd-opencl-layout 1.0."},
    {"#\n\n # only this\n", "line 3: a layout begins with ompd-opencl-layout 1.0."},
    {"ompd-opencl-layout", "line 1: a layout begins with ompd-opencl-layout 1.0."},
    {"ompd-opencl-layout 1", "line 1: a layout begins with ompd-opencl-layout 1.0."},
    {"ompd-opencl-layout 0.9", "line 1: a layout begins with ompd-opencl-layout 1.0."},
    {"ompd-opencl-layout 1.0.0", "line 1: a layout begins with ompd-opencl-layout 1.0."},
    {"ompd-opencl-layout 1.0 2", "line 1: a layout begins with ompd-opencl-layout 1.0."},
    {"object buffer", "line 1: a layout begins with ompd-opencl-layout 1.0."},
    {HEAD("62 64 little"), "line 6: the layout ends without an object."},

    {"ompd-opencl-layout 1.0\nruntime R\nmodule M\nbuild-id 01\nmachine 1 64 big\nobject buffer\n",
     "line 6: before this comes a line table."},
    {"ompd-opencl-layout 1.0\nobject buffer\n", "line 2: before this comes a line runtime."},
    {"ompd-opencl-layout 1.0\nrule 0 1 0 0\n", "line 2: \"rule\" comes after an object."},
    {"ompd-opencl-layout 1.0\ntable 8\ntable 8\n", "line 3: there was a line \"table\" before."},
    {MEMORY "table 8\n", "line 8: \"table\" comes before the first object."},
    {MEMORY "tabel 8\n", "line 8: \"tabel\" begins no line of a layout."},
    {"ompd-opencl-layout 1.0\nruntime\n", "line 2: write runtime NAME AND VERSION."},
    {"ompd-opencl-layout 1.0\nmodule # none\n", "line 2: write module FILE."},
    {"ompd-opencl-layout 1.0\nmodule "
     "123456789012345678901234567890123456789012345678901234567890"
     "123456789012345678901234567890123456789012345678901234567890\n",
     "line 2: the name is longer than 119 bytes."},
    {"ompd-opencl-layout 1.0\nbuild-id abc\n", "line 2: \"abc\" is no build-id of 1 to 64 bytes."},
    {"ompd-opencl-layout 1.0\nbuild-id abcx\n", "line 2: \"abcx\" is no hexadecimal number."},
    {"ompd-opencl-layout 1.0\nbuild-id "
     "00000000000000000000000000000000000000000000000000000000000000000"
     "00000000000000000000000000000000000000000000000000000000000000000\n",
     "line 2: \"0000000000000000000000000000000000000000...\" is no build-id of 1 to 64 bytes."},
    {"ompd-opencl-layout 1.0\nmachine 62 64\n", "line 2: write machine NUMBER 32|64 little|big."},
    {"ompd-opencl-layout 1.0\nmachine 0 64 big\n", "line 2: \"0\" is no machine's number of ELF."},
    {"ompd-opencl-layout 1.0\nmachine 65536 64 big\n",
     "line 2: \"65536\" is no machine's number of ELF."},
    {"ompd-opencl-layout 1.0\nmachine 62 16 big\n", "line 2: \"16\" is no word size: 32 or 64."},
    {"ompd-opencl-layout 1.0\nmachine 62 64 middle\n",
     "line 2: \"middle\" is no byte order: little or big."},
    {"ompd-opencl-layout 1.0\ntable 0\n", "line 2: \"0\" is no place of a table in a module."},
    {"ompd-opencl-layout 1.0\ntable 0x10000000004\n",
     "line 2: \"0x10000000004\" is no place of a table in a module."},
    {"ompd-opencl-layout 1.0\ntable 6\n", "line 2: \"6\" is no place of a table in a module."},
    {"ompd-opencl-layout 1.0\ntable -8\n", "line 2: \"-8\" is no place of a table in a module."},
    {"ompd-opencl-layout 1.0\nrequire\n", "line 2: write require NAME."},

    {MEMORY, "line 7: the object has no rule and no field."},
    {MEMORY "object image\n", "line 7: the object has no rule and no field."},
    {MEMORY "rule 0 1 0 0\nobject buffer\n", "line 9: \"buffer\" was described before."},
    {MEMORY "rule 0 1 0 0\nobject bufer\n", "line 9: \"bufer\" is no kind of object."},
    {MEMORY "rule 0 1 0\n", "line 8: write rule OFFSET WIDTH MIN MAX."},
    {MEMORY "rule 0 1 0 0 0\n", "line 8: write rule OFFSET WIDTH MIN MAX."},
    {MEMORY "rule 65536 1 0 0\n", "line 8: \"65536\" is no offset from -4096 to 65535."},
    {MEMORY "rule -4097 1 0 0\n", "line 8: \"-4097\" is no offset from -4096 to 65535."},
    {MEMORY "rule 4294967296 1 0 0\n", "line 8: \"4294967296\" is no offset from -4096 to 65535."},
    {MEMORY "rule - 1 0 0\n", "line 8: \"-\" is no offset from -4096 to 65535."},
    {MEMORY "rule 0x 1 0 0\n", "line 8: \"0x\" is no offset from -4096 to 65535."},
    {MEMORY "rule 0>8 1 0 0\n", "line 8: \"0>8\" is no offset from -4096 to 65535."},
    {MEMORY "rule 0 3 0 0\n", "line 8: \"3\" is no width: 1, 2, 4 or 8."},
    {MEMORY "rule 0 0 0 0\n", "line 8: \"0\" is no width: 1, 2, 4 or 8."},
    {MEMORY "rule 0 16 0 0\n", "line 8: \"16\" is no width: 1, 2, 4 or 8."},
    {MEMORY "rule 0 1 256 256\n", "line 8: \"256\" is too great for its width, or too small."},
    {MEMORY "rule 0 4 7 6\n", "line 8: \"6\" is too great for its width, or too small."},
    {MEMORY "rule 0 8 0 18446744073709551616\n",
     "line 8: \"18446744073709551616\" is too great for its width, or too small."},
    {MEMORY "rule 0 8 -1 0\n", "line 8: \"-1\" is too great for its width, or too small."},
    {MEMORY "rule 0 1 0 1\nrule 1 1 0 1\nrule 2 1 0 1\nrule 3 1 0 1\nrule 4 1 0 1\n"
            "rule 5 1 0 1\nrule 6 1 0 1\nrule 7 1 0 1\nrule 8 1 0 1\n",
     "line 16: an object has at most 8 rules."},
    {MEMORY "internal 0 4\n", "line 8: write internal OFFSET WIDTH MASK."},
    {MEMORY "internal 0 4 0\n", "line 8: \"0\" is too great for its width, or too small."},
    {MEMORY "internal 0 4 1\ninternal 0 4 2\ninternal 4 4 1\ninternal 8 4 1\ninternal 0 1 1\n",
     "line 12: an object has at most 4 internal lines."},
    {MEMORY "dying 0\n", "line 8: write dying OFFSET WIDTH."},
    {MEMORY "dying 0 4\ndying 8 4\n", "line 9: the object had a dying line before."},
    {MEMORY "rule 56 4 0 1\ndying 56 4\n",
     "line 7: the object's dying line needs a rule for the same number that forbids 0."},
    {MEMORY "rule 56 8 1 1\ndying 56 4\n",
     "line 7: the object's dying line needs a rule for the same number that forbids 0."},
    {MEMORY "field size 0\n", "line 8: write field NAME PATH WIDTH [ADJUST]."},
    {MEMORY "field siez 0 8\n", "line 8: \"siez\" is no field of a buffer."},
    {MEMORY "rule 0 1 0 1\nobject image\nfield program 0 8\n",
     "line 10: \"program\" is no field of an image."},
    {MEMORY "field size 0 8\nfield size 8 8\n", "line 9: the object had a field \"size\" before."},
    {MEMORY "field size 0 5\n", "line 8: \"5\" is no width: 1, 2, 4 or 8."},
    {MEMORY "field size 0 0\n", "line 8: \"0\" is no width: 1, 2, 4 or 8."},
    {MEMORY "field context 0 0\n", "line 8: \"0\" is no width: 1, 2, 4 or 8."},
    {MEMORY "field size 0 8 16\n", "line 8: \"16\" adjusts what is no pointer."},
    {MEMORY "field context 0 8 65536\n", "line 8: \"65536\" is no offset from -4096 to 65535."},
    {MEMORY "field context 0 4\n",
     "line 8: a pointer of this machine has another width than \"4\"."},
    {MEMORY "field size 0>1>2>3>4 8\n", "line 8: \"0>1>2>3>4\" has more than 4 offsets."},
    {MEMORY "field size 0>1>2>3> 8\n", "line 8: \"0>1>2>3>\" has more than 4 offsets."},
    {MEMORY "field size 0>>2 8\n", "line 8: \"\" is no offset from -4096 to 65535."},
    {MEMORY "field size >0 8\n", "line 8: \"\" is no offset from -4096 to 65535."},
    {MEMORY "holds context\n", "line 8: write holds KIND COUNT [alone]."},
    {MEMORY "holds sampler 1\n", "line 8: \"sampler\" is no kind that an object names."},
    {MEMORY "holds contxt 1\n", "line 8: \"contxt\" is no kind that an object names."},
    {MEMORY "holds context 1 always\n", "line 8: write holds KIND COUNT [alone]."},
    {MEMORY "holds context 1 alone alone\n", "line 8: write holds KIND COUNT [alone]."},
    {MEMORY "field context 8 8\nholds context 1 alone\n",
     "line 7: the object holds alone, but has no field parent or queue to tell."},
    {MEMORY "holds context 0\n", "line 8: \"0\" is no count from 1 to 255."},
    {MEMORY "holds context 256\n", "line 8: \"256\" is no count from 1 to 255."},
    {MEMORY "holds context 1\nholds context 1\n",
     "line 9: the object had such a line for \"context\" before."},
    {MEMORY "holds context 1\nfield size 8 8\n",
     "line 7: the object has a holds line, but no field that names what is held."},
    {MEMORY "dying-holds context\n", "line 8: write dying-holds KIND COUNT [alone]."},
    {MEMORY "dying-holds context 1 always\n", "line 8: write dying-holds KIND COUNT [alone]."},
    {MEMORY "dying-holds device 0\n", "line 8: \"0\" is no count from 1 to 255."},
    {MEMORY "dying-holds context 1\nholds context 1\ndying-holds context 1\n",
     "line 10: the object had such a line for \"context\" before."},
    {MEMORY "field size 8 8\ndying-holds context 1\n",
     "line 7: the object has a holds line, but no field that names what is held."},
    {MEMORY "field context 8 8\ndying-holds context 1 alone\n",
     "line 7: the object holds alone, but has no field parent or queue to tell."},
    {MEMORY "field context 8 8\ndying-holds context 1\n",
     "line 7: the object has a dying-holds line, but no dying line."},
    {HEAD("62 64 little") "object event\nfield svm_queue 8 8\n",
     "line 7: the object's svm fields need the field command_type."},

    {MEMORY "list destructors\n", "line 8: write list NAME SHAPE and what the shape needs."},
    {MEMORY "list events linked 0 0 newest-first\n", "line 8: \"events\" is no list of a buffer."},
    {MEMORY "list destructors heap 0 0 newest-first\n",
     "line 8: \"heap\" is no shape: linked, range, array, deque, tree or binary-tree."},
    {MEMORY "list destructors linked 0 newest-first\n",
     "line 8: write list NAME linked FIRST NEXT ORDER [boxed [adjust N]]."},
    {MEMORY "list destructors range 0 8 newest-first\n",
     "line 8: write list NAME range FIRST END STRIDE ORDER [boxed [adjust N]]."},
    {MEMORY "list destructors array 0 8 newest-first\n",
     "line 8: write list NAME array FIRST COUNT STRIDE ORDER [boxed [adjust N]]."},
    {MEMORY "list destructors deque 0 8 512 newest-first\n",
     "line 8: write list NAME deque START END CHUNK STRIDE ORDER [boxed [adjust N]]."},
    {MEMORY "list destructors linked 0 0 newest-first adjust 8\n",
     "line 8: write list NAME linked FIRST NEXT ORDER [boxed [adjust N]]."},
    {MEMORY "list destructors linked 0 0 newest-first boxed 8\n",
     "line 8: write list NAME linked FIRST NEXT ORDER [boxed [adjust N]]."},
    {MEMORY "list destructors linked 0 0 newest-first boxed by 8\n",
     "line 8: write list NAME linked FIRST NEXT ORDER [boxed [adjust N]]."},
    {MEMORY "list destructors deque 0 8 512 16 newest-first boxed adjust 8 8\n",
     "line 8: write list NAME deque START END CHUNK STRIDE ORDER [boxed [adjust N]]."},
    {MEMORY "list destructors deque 0 8 512 16 newest-first boxed adjust 8 8 8\n",
     "line 8: write list NAME deque START END CHUNK STRIDE ORDER [boxed [adjust N]]."},
    {MEMORY "list destructors linked 0 0 newest-first boxed adjust x\n",
     "line 8: \"x\" is no offset from -4096 to 65535."},
    {MEMORY "list destructors linked x 0 newest-first\n",
     "line 8: \"x\" is no offset from -4096 to 65535."},
    {MEMORY "list destructors linked 0 8>0 newest-first\n",
     "line 8: \"8>0\" is no offset from -4096 to 65535."},
    {MEMORY "list destructors linked 0 8 newest\n",
     "line 8: \"newest\" is no order: newest-first or oldest-first."},
    {MEMORY "list destructors range 0 x 16 newest-first\n",
     "line 8: \"x\" is no offset from -4096 to 65535."},
    {MEMORY "list destructors range 0 8 0 newest-first\n",
     "line 8: \"0\" is no size from 1 to 65535."},
    {MEMORY "list destructors range 0 8 65536 newest-first\n",
     "line 8: \"65536\" is no size from 1 to 65535."},
    {MEMORY "list destructors deque 0 8 8 16 newest-first\n",
     "line 8: a chunk is smaller than an element."},
    {MEMORY "list destructors linked 0 8 newest-first\nelement function 0 8\n"
            "list destructors linked 0 8 newest-first\n",
     "line 10: the object had a list \"destructors\" before."},
    {MEMORY "rule 0 1 0 1\nlist destructors linked 0 8 newest-first\nobject image\n",
     "line 9: the list lacks its element function."},
    {MEMORY "rule 0 1 0 1\nlist destructors linked 0 8 newest-first\nelement user_data 0 8\n",
     "line 9: the list lacks its element function."},
    {MEMORY "each-holds 1\n", "line 8: what each element holds comes after its list."},
    {MEMORY "list destructors linked 0 8 newest-first\neach-holds\n",
     "line 9: write each-holds COUNT [of ELEMENT [but COMMAND_TYPE ...]]."},
    {MEMORY "list destructors linked 0 8 newest-first\neach-holds 0\n",
     "line 9: \"0\" is no count from 1 to 255."},
    {MEMORY "list destructors linked 0 8 newest-first\neach-holds 1\neach-holds 1\n",
     "line 10: the list had an each-holds line before."},
    {MEMORY "element function 0 8\n", "line 8: an element comes after its list."},
    {MEMORY "element function 0\n", "line 8: write element NAME PATH WIDTH [ADJUST]."},
    {MEMORY "list destructors linked 0 8 newest-first\nelement pointer 0 8\n",
     "line 9: \"pointer\" is no element of that list."},
    {MEMORY "list destructors linked 0 8 newest-first\nelement function 0 8\n"
            "element function 0 8\n",
     "line 10: the list had an element \"function\" before."},
    {MEMORY "list destructors linked 0 8 newest-first\nelement function 0 4\n",
     "line 9: a pointer of this machine has another width than \"4\"."},
    {MEMORY "list destructors linked 0 8 newest-first\nelement function 0>8 0\n",
     "line 9: \"0>8\" is a path to an element's own address: width 0 has none."},
    {HEAD("62 64 little") "object context\nlist svm linked 0 8 newest-first\nelement size 0 0\n",
     "line 9: \"0\" is no width: 1, 2, 4 or 8."},

    {"ompd-opencl-layout 1.0\r\n", "line 1: the line is no text in UTF-8."},
    {"ompd-opencl-layout 1.0\nnote \x7f\n", "line 2: the line is no text in UTF-8."},
    {"ompd-opencl-layout 1.0\nnote \xc3\n", "line 2: the line is no text in UTF-8."},
    {"ompd-opencl-layout 1.0\nnote \xc1\xbf\n", "line 2: the line is no text in UTF-8."},
    {"ompd-opencl-layout 1.0\nnote \xc2\x85\n", "line 2: the line is no text in UTF-8."},
    {"ompd-opencl-layout 1.0\nnote \xed\xa0\x80\n", "line 2: the line is no text in UTF-8."},
    {"ompd-opencl-layout 1.0\nnote \xf4\x90\x80\x80\n", "line 2: the line is no text in UTF-8."},
    {"ompd-opencl-layout 1.0\nnote \xf8\x88\x80\x80\x80\n",
     "line 2: the line is no text in UTF-8."},
    {"ompd-opencl-layout 1.0\nnote "
     "12345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012"
     "12345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012"
     "345678901234\n",
     "line 2: the line is longer than 200 bytes."},
};

START_TEST(each_fault)
{
    ck_assert_int_eq(parse(faults[_i].text), ompd_rc_bad_input);
    ck_assert_str_eq(message.text, faults[_i].sentence);
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
    ck_assert_str_eq(message.text,
                     "line 1: the layout is of version \"2.0\", and this version of ompd-opencl "
                     "reads 1.x: use a newer one.");
    ck_assert_int_eq(parse("ompd-opencl-layout 1.1\nrequire hash-tables\nwhatever\n"),
                     ompd_rc_incompatible);
    ck_assert_str_eq(message.text, "line 2: the layout requires \"hash-tables\", which this "
                                   "version of ompd-opencl does not know.");
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
    ck_assert_str_eq(message.text, "line 1: a layout is of at most 65536 bytes.");
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
    tcase_add_loop_test(texts, each_fault, 0, sizeof(faults) / sizeof(faults[0]));
    tcase_add_test(texts, what_is_no_fault);
    tcase_add_test(texts, newer_layouts);
    tcase_add_test(texts, largest);
    suite_add_tcase(suite, texts);
    return suite_run(suite);
}
