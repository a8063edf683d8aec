/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The contents of memory objects, in targets of both byte orders and word sizes. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <inttypes.h>
#include <string.h>

#define PAGE UINT64_C(4096)
#define BUFFER "0x9080"
#define MEMOBJ ompd_cl_registry_memobj
#define F(name) ompd_cl_registry_field_##name

static struct population population;
static struct fake_target *target;
static struct front front;
static uint64_t start; /* of two pages, which the buffer's bytes are at the beginning of */

/* The buffer has SIZE bytes from OFFSET on. */
static void have(uint64_t offset, uint64_t size)
{
    fake_set(target, MEMOBJ, population.buffer, F(host_pointer), start + offset);
    fake_set(target, MEMOBJ, population.buffer, F(size), size);
    fake_touch(target, MEMOBJ, population.buffer);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
}

static void begin(int variant)
{
    population = population_create_variant(variant);
    target = population.target;
    start = fake_reserve(target, 3 * PAGE, PAGE);
    population_open(&population);
    front_begin(&front);
    front.space = population.space;
    front_open(&front);
}

static void end(void)
{
    front_close(&front);
    population_free(&population);
}

/* Put COUNT NUMBERS of SIZE bytes at OFFSET, as the program does between two stops. */
static void put(uint64_t offset, unsigned size, const uint64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fake_put(target, start + offset + i * size, size, numbers[i]);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
}

static void put_bytes(uint64_t offset, const char *bytes, size_t size)
{
    memcpy(target->bytes + (start + offset - FAKE_BASE), bytes, size);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
}

/* The output of the last command after the line with the location of the contents. */
static const char *shown(void)
{
    const char *header = strstr(front.text, "\nContents");

    ck_assert_msg(header != NULL, "%s", front.text);
    header = strchr(header + 1, '\n');
    ck_assert_ptr_ne(header, NULL);
    return header + 1;
}

static void expect(const char *options, ompd_view_exit_t code, const char *text)
{
    char line[128];

    snprintf(line, sizeof(line), BUFFER " -contents %s", options);
    ck_assert_msg(front_line(&front, "memobj", line) == code, "%s", front_message(&front));
    ck_assert_str_eq(shown(), text);
    front_expect_printable(front.text);
}

/* The key "contents" of the last command's JSON, which has OPTIONS. */
static void expect_json(const char *options, ompd_view_exit_t code, const char *text)
{
    char line[128];
    const char *key;

    snprintf(line, sizeof(line), BUFFER " -json -contents %s", options);
    ck_assert_msg(front_line(&front, "memobj", line) == code, "%s", front_message(&front));
    key = strstr(front.text, "\"contents\": ");
    ck_assert_msg(key != NULL, "%s", front.text);
    key += strlen("\"contents\": ");
    ck_assert_msg(strncmp(key, text, strlen(text)) == 0, "%s", key);
}

START_TEST(as_bytes)
{
    begin(_i);
    have(16, 19);
    put_bytes(16, "Hello, \x1b[2J\x7f\xc3\x80\n!", 16);
    put_bytes(32, "ab", 3);
    expect("", ompd_view_exit_ok,
           "00000000  48 65 6c 6c 6f 2c 20 1b  5b 32 4a 7f c3 80 0a 21  |Hello, .[2J....!|\n"
           "00000010  61 62 00                                          |ab.|\n");
    ck_assert_ptr_ne(strstr(front.text, "\nContents, in the program's memory at 0x"), NULL);
    expect("-rows 1", ompd_view_exit_ok,
           "00000000  48 65 6c 6c 6f 2c 20 1b  5b 32 4a 7f c3 80 0a 21  |Hello, .[2J....!|\n"
           "1 more row is not shown: `-rows 2` shows all.\n");
    end();
}
END_TEST

START_TEST(as_integers)
{
    static const uint64_t numbers[] = {1, UINT64_MAX, UINT64_C(1) << 63, 77};

    begin(_i);
    have(0, 32);
    put(0, 8, numbers, 4);
    expect("-as long", ompd_view_exit_ok,
           "00000000                     1                    -1\n"
           "00000010  -9223372036854775808                    77\n");
    expect("-as ulong2", ompd_view_exit_ok,
           "00000000  (1, 18446744073709551615)\n00000010  (9223372036854775808, 77)\n");
    put(0, 4, (uint64_t[]){1, 0xfffffffe, 0x80000000, 4, 5, 6, 7, 8}, 8);
    expect("-as int", ompd_view_exit_ok,
           "00000000            1           -2  -2147483648            4\n"
           "00000010            5            6            7            8\n");
    expect("-as uint3", ompd_view_exit_ok,
           "00000000  (1, 4294967294, 2147483648)\n00000010  (5, 6, 7)\n");
    expect("-as int8", ompd_view_exit_ok, "00000000  (1, -2, -2147483648, 4, 5, 6, 7, 8)\n");
    put(0, 2, (uint64_t[]){1, 0xffff, 0x8000, 4}, 4);
    have(0, 8);
    expect("-as short", ompd_view_exit_ok, "00000000       1      -1  -32768       4\n");
    expect("-as ushort4", ompd_view_exit_ok, "00000000  (1, 65535, 32768, 4)\n");
    put_bytes(0, "\x80\xff\x01\x7f", 4);
    have(0, 4);
    expect("-as char", ompd_view_exit_ok, "00000000  -128    -1     1   127\n");
    expect("-as uchar2", ompd_view_exit_ok, "00000000  (128, 255)  (1, 127)\n");
    end();
}
END_TEST

START_TEST(as_floats)
{
    begin(_i);
    have(0, 32);
    put(0, 4, (uint64_t[]){0x3f000000, 0xbf800000, 0x7f800000, 0x7fc00000}, 4);
    put(16, 4, (uint64_t[]){0x3dcccccd, 1, 0xff800000, 0x80000000}, 4);
    expect("-as float4", ompd_view_exit_ok,
           "00000000  (0.5, -1, inf, nan)\n"
           "00000010  (0.100000001, 1.40129846e-45, -inf, -0)\n");
    expect_json("-as float", ompd_view_exit_ok, "{\"address\": \"0x");
    ck_assert_ptr_ne(strstr(front.text,
                            "\"as\": \"float\", \"values\": [0.5, -1, \"inf\", \"nan\", "
                            "0.100000001, 1.40129846e-45, \"-inf\", -0], "
                            "\"left_out\": 0}"),
                     NULL);
    put(0, 2, (uint64_t[]){0x3c00, 0xc000, 1, 0x7bff, 0x03ff, 0xfc00, 0x3555, 0x7e00}, 8);
    have(0, 16);
    expect("-as half8", ompd_view_exit_ok,
           "00000000  (1, -2, 5.9605e-08, 65504, 6.0976e-05, -inf, 0.33325, nan)\n");
    put(0, 8, (uint64_t[]){UINT64_C(0x3fb999999999999a), UINT64_C(0xbff0000000000000)}, 2);
    expect("-as double", ompd_view_exit_ok,
           "00000000     0.10000000000000001                      -1\n");
    end();
}
END_TEST

/* A vector of 3 has the size of one of 4; what is no whole value is said. */
START_TEST(what_is_left)
{
    begin(_i);
    have(0, 28);
    put(0, 4, (uint64_t[]){1, 2, 3, 4, 5, 6, 7}, 7);
    expect("-as int3", ompd_view_exit_ok,
           "00000000  (1, 2, 3)\nThe last 12 bytes do not form a whole int3.\n");
    expect("-as int4 -rows 9", ompd_view_exit_ok,
           "00000000  (1, 2, 3, 4)\nThe last 12 bytes do not form a whole int4.\n");
    expect_json("-as int4", ompd_view_exit_ok, "{\"address\": \"0x");
    ck_assert_ptr_ne(strstr(front.text, "\"values\": [[1, 2, 3, 4]], \"left_out\": 12}"), NULL);
    have(0, 4096);
    put_bytes(0, "ab", 3);
    expect_json("-rows 1", ompd_view_exit_ok, "{\"address\": \"0x");
    ck_assert_ptr_ne(strstr(front.text, "\"as\": \"uchar\", \"values\": [97, 98, 0, "), NULL);
    ck_assert_ptr_ne(strstr(front.text, "], \"left_out\": 4080}"), NULL);
    end();
}
END_TEST

/* Unreadable bytes are marked, readable ones beside them are shown, and the answer counts as
 * incomplete. */
#define X "78 78 78 78 78 78 78 78"
#define NONE "?? ?? ?? ?? ?? ?? ?? ??"

START_TEST(holes)
{
    char expected[1024];
    char reason[64];

    begin(_i);
    memset(target->bytes + (start - FAKE_BASE), 'x', 3 * PAGE);
    target->hole_start = start + PAGE;
    target->hole_end = start + PAGE + 48;
    have(PAGE - 8, 80);
    snprintf(reason, sizeof(reason), "The memory at 0x%" PRIx64 " cannot be read.", start + PAGE);
    snprintf(expected, sizeof(expected),
             "00000000  " X "  " NONE "  |xxxxxxxx????????|\n00000010  ?? up to 00000040\n"
             "00000040  " X "  " X "  |xxxxxxxxxxxxxxxx|\n?? could not be read: %s\n",
             reason);
    expect("", ompd_view_exit_incomplete, expected);
    expect_json("-as ushort2", ompd_view_exit_incomplete, "{");
    ck_assert_ptr_ne(
        strstr(front.text, ", \"values\": [[30840, 30840], [30840, 30840], [null, null]"), NULL);
    snprintf(expected, sizeof(expected),
             ", [30840, 30840]], \"left_out\": 0, \"unknown\": {\"values\": \"%s\"}}", reason);
    ck_assert_ptr_ne(strstr(front.text, expected), NULL);
    /* For a core the reason is known. */
    target->is_hole_known = true;
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(front_line(&front, "memobj", BUFFER " -contents"), ompd_view_exit_incomplete);
    ck_assert_ptr_ne(strstr(front.text, " is not saved in the core.\n"), NULL);
    end();
}
END_TEST

/* If the size is wrong, the cost is that of what is shown.  Nothing is read after an unreadable
 * page. */
START_TEST(absurd_sizes)
{
    char expected[256];
    uint64_t reads;

    begin(_i);
    memset(target->bytes + (start - FAKE_BASE), 'x', 3 * PAGE);
    have(0, UINT64_MAX);
    reads = target->calls[fake_read];
    snprintf(expected, sizeof(expected),
             "00000000  " X "  " X "  |xxxxxxxxxxxxxxxx|\n%" PRIu64
             " more rows are not shown: `-rows %" PRIu64
             "` shows all. Its size exceeds the address space.\n",
             (UINT64_MAX - start + 15) / 16 - 1, (UINT64_MAX - start + 15) / 16);
    expect("-rows 1", ompd_view_exit_ok, expected);
    have(0, UINT64_C(1) << 40);
    expect("-rows 1", ompd_view_exit_ok,
           "00000000  " X "  " X "  |xxxxxxxxxxxxxxxx|\n"
           "68719476735 more rows are not shown: `-rows 68719476736` shows all.\n");
    ck_assert_uint_lt(target->calls[fake_read] - reads, 50);
    target->hole_start = start;
    target->hole_end = start + 2 * PAGE;
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    reads = target->calls[fake_read];
    ck_assert_int_eq(front_line(&front, "memobj", BUFFER " -contents -rows 1000000000"),
                     ompd_view_exit_incomplete);
    ck_assert_uint_lt(target->calls[fake_read] - reads, 2000);
    ck_assert_int_eq(strncmp(shown(), "00000000  ?? up to 00001000\n", 28), 0);
    ck_assert_ptr_ne(
        strstr(shown(), "\nReading stopped after 4096 consecutive unreadable bytes.\n"), NULL);
    ck_assert_int_eq(front_line(&front, "memobj", BUFFER " -json -contents -rows 1000000000"),
                     ompd_view_exit_incomplete);
    ck_assert_uint_lt(front.size, 64 * 1024);
    end();
}
END_TEST

/* An object without bytes that the host can read is reported in a sentence. */
START_TEST(unseen)
{
    static const char sentence[] =
        "Its contents cannot be shown: its bytes are not in the program's memory; only the runtime "
        "knows where they are.\n";

    begin(_i);
    fake_set(target, MEMOBJ, population.buffer, F(host_pointer), 0);
    fake_touch(target, MEMOBJ, population.buffer);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(front_line(&front, "memobj", BUFFER " -contents"), ompd_view_exit_incomplete);
    ck_assert_ptr_ne(strstr(front.text, sentence), NULL);
    expect_json("", ompd_view_exit_incomplete, "null");
    ck_assert_ptr_ne(strstr(front.text, "\"contents\": \"its bytes are not in the program's"),
                     NULL);
    end();
}
END_TEST

/* In the destructor callbacks of an object that uses the program's memory. */
START_TEST(undefined)
{
    static const char sentence[] =
        "These contents are not reliable: they are undefined while the destructor callbacks of the "
        "object run (OpenCL 3.0, clSetMemObjectDestructorCallback).\n";

    begin(_i);
    have(0, 16);
    memset(target->bytes + (start - FAKE_BASE), 'x', 16);
    fake_set(target, MEMOBJ, population.buffer, F(flags), 1 << 3);
    expect("", ompd_view_exit_ok, "00000000  " X "  " X "  |xxxxxxxxxxxxxxxx|\n");
    fake_set(target, MEMOBJ, population.buffer, F(state), ompd_cl_registry_destroying);
    have(0, 16);
    ck_assert_int_eq(front_line(&front, "memobj", BUFFER " -contents"), ompd_view_exit_ok);
    ck_assert_msg(strstr(front.text, sentence) != NULL, "%s", front.text);
    expect_json("", ompd_view_exit_ok, "{");
    ck_assert_ptr_ne(strstr(front.text, "\"unknown\": {\"values\": \"they are undefined while"),
                     NULL);
    fake_set(target, MEMOBJ, population.buffer, F(flags), 1);
    have(0, 16);
    expect("", ompd_view_exit_ok, "00000000  " X "  " X "  |xxxxxxxxxxxxxxxx|\n");
    end();
}
END_TEST

/* Without the option, nothing of it is shown, nor in other verbs. */
START_TEST(options)
{
    begin(0);
    have(0, 16);
    ck_assert_int_eq(front_line(&front, "memobj", BUFFER), ompd_view_exit_ok);
    ck_assert_ptr_eq(strstr(front.text, "Contents"), NULL);
    ck_assert_int_eq(front_line(&front, "memobj", BUFFER " -json"), ompd_view_exit_ok);
    ck_assert_ptr_eq(strstr(front.text, "\"contents\""), NULL);
    front_refuses(&front, "memobj", BUFFER " -as int", "-as needs -contents");
    front_refuses(&front, "memobj", BUFFER " -rows 3", "-rows needs -contents");
    front_refuses(&front, "memobj", BUFFER " -contents -as int5",
                  "-as: 'int5' is not a scalar or vector type of OpenCL C");
    front_refuses(&front, "memobj", BUFFER " -contents -as float1", "'float1' is not a scalar");
    front_refuses(&front, "memobj", BUFFER " -contents -rows 0",
                  "-rows: '0' is not a number of rows.");
    front_refuses(&front, "memobjs", "-contents", "opencl memobjs has no option -contents");
    front_refuses(&front, "context", "1 -contents", "opencl context has no option -contents");
    end();
}
END_TEST

START_TEST(completion)
{
    static const char *const types[] = {"float", "float2", "float3", "float4", "float8", "float16"};
    bool is_expression;

    begin(0);
    for (size_t i = 0; i < 6; i++)
        ck_assert_str_eq(
            ompd_view_completion_get(front.view, "memobj", "b -contents -as fl", i, &is_expression),
            types[i]);
    ck_assert_ptr_eq(
        ompd_view_completion_get(front.view, "memobj", "b -contents -as fl", 6, &is_expression),
        NULL);
    ck_assert_str_eq(ompd_view_completion_get(front.view, "memobj", "b -con", 0, &is_expression),
                     "-contents");
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-contents");
    TCase *tcase = tcase_create("contents");

    tcase_add_loop_test(tcase, as_bytes, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, as_integers, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, as_floats, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, what_is_left, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, holes, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, absurd_sizes, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, unseen, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, undefined, 0, FAKE_VARIANTS);
    tcase_add_test(tcase, options);
    tcase_add_test(tcase, completion);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
