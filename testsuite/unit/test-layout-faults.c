/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The message for each error in a layout. */
#include "layout-sample.h"
#include "suite.h"

#include <check.h>
#include <sources/layout/layout.h>
#include <string.h>

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
    {"ompd-opencl-layout 1.0\ntable 0\n", "line 2: \"0\" is no offset of a table in a module."},
    {"ompd-opencl-layout 1.0\ntable 0x10000000004\n",
     "line 2: \"0x10000000004\" is no offset of a table in a module."},
    {"ompd-opencl-layout 1.0\ntable 6\n", "line 2: \"6\" is no offset of a table in a module."},
    {"ompd-opencl-layout 1.0\ntable -8\n", "line 2: \"-8\" is no offset of a table in a module."},
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
    {MEMORY "taken 0 4 1\n", "line 8: write taken OFFSET WIDTH MIN MAX."},
    {MEMORY "taken 0 4 1 0\n", "line 8: \"0\" is too great for its width, or too small."},
    {MEMORY "taken 0 4 1 1\ntaken 0 4 1 1\n", "line 9: the object had a taken line before."},
    {MEMORY "field size 8 8\ntaken 0 4 1 1\n",
     "line 7: the object has a taken line, but no list destructors."},
    {MEMORY "taken-return 8\n", "line 8: taken-return comes after a taken line."},
    {MEMORY "taken 0 4 1 1\ntaken-return 0\n", "line 9: \"0\" is no offset in a module."},
    {MEMORY "taken 0 4 1 1\ntaken-return 8\ntaken-return 8\n",
     "line 10: the object had a taken-return line before."},
    {MEMORY "taken-list 8 8 8\n", "line 8: \"taken-list\" comes before the first object."},
    {HEAD("62 64 little") "taken-list 8 8\n", "line 7: write taken-list HEAD NEXT OBJECT."},
    {HEAD("62 64 little") "taken-list 0 8 8\n", "line 7: \"0\" is no offset in a module."},
    {HEAD("62 64 little") "taken-list 8 8 65536\n",
     "line 7: \"65536\" is no offset from -4096 to 65535."},
    {HEAD("62 64 little") "taken-list 8 8 8\ntaken-list 8 8 8\n",
     "line 8: there was a line \"taken-list\" before."},
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
    struct layout layout;
    struct message message;

    message_clear(&message);
    ck_assert_int_eq(layout_parse(faults[_i].text, strlen(faults[_i].text), &layout, &message),
                     ompd_rc_bad_input);
    ck_assert_str_eq(message.text, faults[_i].sentence);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout faults");
    TCase *tests = tcase_create("faults");

    tcase_add_loop_test(tests, each_fault, 0, sizeof(faults) / sizeof(faults[0]));
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
