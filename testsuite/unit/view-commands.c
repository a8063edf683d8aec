/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Front ends may leave services out, be older or newer than the view, or cancel; and what the
 * numbers of rows mean. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <stddef.h>
#include <string.h>
#include <view/model/model.h>

#define MORE_BUFFERS 2000 /* more than a table holds at once */
#define MANY_CALLERS 32   /* enough for collisions in a hash table */

static struct population population;
static struct front front;

/* Names that a target's author may choose to annoy a terminal. */
static const struct front_place places[] = {
    {0x401000, {.symbol = "e\x1b[2Jvil", .file = "/src/a\rpp.c", .line = 9}},
    {0x401001, {.symbol = "d\xff\n", .module = "/lib/\x07.so", .symbol_offset = 3}},
    {0x401002, {.module = "/lib/\xc2\x9b.so", .has_module_offset = true, .module_offset = 16}},
    {0x402000, {.symbol = "f\x7f", .file = "\t.c", .line = 19}},
    {0x400500,
     {.symbol = "\x1bin",
      .file = "in.h",
      .line = 3,
      .inlined_into = (const char *const[]){"ou\tter", "\x1b"},
      .inlined_count = 2}},
};

static void set_up(void)
{
    population = population_create(false, 8);
    population_open(&population);
    front_begin(&front);
    front.space = population.space;
    front.places = places;
    front.place_count = sizeof(places) / sizeof(places[0]);
    front_open(&front);
}

static void tear_down(void)
{
    front_close(&front);
    population_free(&population);
}

/* Make the view anew, of a front end that the test has changed. */
static void open_anew(void)
{
    front_close(&front);
    front_open(&front);
}

static void expect_message(const char *message)
{
    ck_assert_str_eq(front_message(&front), message);
}

static void expect_has(const char *words)
{
    ck_assert_msg(strstr(front.text, words) != NULL, "no \"%s\" in:\n%s", words, front.text);
}

static void expect_has_not(const char *words)
{
    ck_assert_msg(strstr(front.text, words) == NULL, "\"%s\" in:\n%s", words, front.text);
}

/* ---- All verbs ------------------------------------------------------------------------------- */

/* The operand that the population has for VERB. */
static const char *operand_of(const ompd_view_verb_t *verb)
{
    if (verb->operand == NULL || verb->operand[0] == '[')
        return "";
    switch (verb->kind) {
    case ompd_cl_kind_context:
        return "0x7000";
    case ompd_cl_kind_queue:
        return "0x8040";
    case ompd_cl_kind_svm_free:
        return "0xa140";
    case ompd_cl_kind_command:
        return "0xc200";
    case ompd_cl_kind_event:
        return "0xc000";
    case ompd_cl_kind_program:
        return "0xe000";
    case ompd_cl_kind_kernel:
        return "0xe040";
    case ompd_cl_kind_sampler:
        return "0xe080";
    default:
        return "0x9080";
    }
}

/* Run each verb, as a table and as JSON. */
static void run_all(void)
{
    static const char *const options[] = {"", "-json"};
    const ompd_view_verb_t *verb;
    size_t count = 0;

    for (size_t i = 0; (verb = ompd_view_verb_get(front.view, i)) != NULL; i++)
        for (size_t j = 0; j < 2; j++) {
            char line[64];
            ompd_view_exit_t code;

            /* Commands with files request them from the front end, and this one has none.  The
             * target has no Embree, and its recorder is older than command buffers. */
            if ((verb->takes & ompd_view_takes_target) == 0 ||
                (verb->takes & ompd_view_takes_files) != 0 || view_kind_is_embree(verb->kind) ||
                verb->kind == ompd_cl_kind_command_buffer || verb->kind == ompd_cl_kind_semaphore)
                continue;
            snprintf(line, sizeof(line), "%s %s", operand_of(verb), options[j]);
            code = front_line(&front, verb->name, line);
            ck_assert_msg(code == ompd_view_exit_ok || (code == ompd_view_exit_findings &&
                                                        (verb->kind == ompd_cl_kind_finding ||
                                                         verb->kind == ompd_cl_kind_wait_step ||
                                                         verb->kind == ompd_cl_kind_leak)),
                          "%s %s: %s", verb->name, line, front_message(&front));
            expect_message("");
            /* The population has no runtimes and no mappings, and no handle is outside of its
             * registry. */
            ck_assert_msg(front.size != 0 || verb->kind == ompd_cl_kind_runtime ||
                              verb->kind == ompd_cl_kind_mapping ||
                              verb->kind == ompd_cl_kind_reference_site,
                          "%s %s", verb->name, line);
            front_expect_printable(front.text);
            count++;
        }
    ck_assert_uint_ge(count, 28);
}

START_TEST(no_control_reaches_the_output)
{
    front.use = (ompd_view_use_t){.row_limit = UINT64_MAX, .has_styles = true};
    front.use.struct_size = sizeof(front.use);
    run_all();
    front_line(&front, "destructors", "0x9080");
    expect_has("e\\x1b[2Jvil at a\\rpp.c:9");
    expect_has("d\\xff\\n+3 in \\a.so");
    expect_has("\\xc2\\x9b.so+0x10");
    front_line(&front, "memobj", "0x9080");
    expect_has("#0 \\x1bin at in.h:3, inlined in ou\\tter in \\x1b\n");
    front_line(&front, "threads", "");
    expect_has("f\\x7f at \\t.c:19");
}
END_TEST

/* With `write` and `begin` alone the answer is plainer, and is there. */
START_TEST(no_services)
{
    ompd_view_front_end_t all = front.front_end;

    front.front_end = (ompd_view_front_end_t){.struct_size = sizeof(front.front_end),
                                              .user_ptr = &front,
                                              .write = all.write,
                                              .begin = all.begin};
    open_anew();
    run_all();
    front_line(&front, "destructors", "");
    expect_has("0x401000");
    front_line(&front, "threads", "");
    expect_has("LWP 4711 ");
    expect_has_not("Not seen");
    front_line(&front, "memory", "");
    expect_has("allocated from the tool:\n");
    expect_has_not("There is no limit");
    front_line(&front, "memobjs", "-limit 1");
    expect_has("2 more rows are not shown: `-limit 3` or no limit shows all.\n");
    front_refuses(&front, "memobjs", "-foo", "memobjs has no option -foo.");
    front_refuses(&front, "memboj", "", "Unknown verb 'memboj' (did you mean `memobj`?).");
    /* A number is of the list as it is now. */
    front_line(&front, "memobj", "#3");
    expect_has("image2d 0x9100,");
    front_line(&front, "object", "memobjs#1");
    expect_has("buffer 0x9080,");
    front_refuses(&front, "memobj", "#0", "There is no row #0: the list has 3 rows.");
    front_refuses(&front, "memobj", "memobjs#4", "There is no row #4: the list has 3 rows.");
    front_refuses(&front, "memobj", "#", "'#' is not a row number; use #1, #2 and so on.");
    front_refuses(&front, "memobj", "queues#1",
                  "queues#1 is a command queue, not a memory object.");
    front_refuses(&front, "object", "#1", "'#1' needs the name of its list, e.g. memobjs#1.");
    front_refuses(&front, "memobj", "1", "There is no memory object 1 (0x1)");
    front_refuses(&front, "memobj", "0x42", "There is no memory object 0x42");
    ck_assert_ptr_nonnull(ompd_view_help_get(front.view, NULL));
}
END_TEST

/* Whatever cannot be read, an exit code never comes without a message. */
START_TEST(incomplete)
{
    static const char *const verbs[] = {"overview", "memobjs", "queues",  "check",  "waits",
                                        "leaks",    "memory",  "threads", "events", "commands"};
    struct fake_target *target = population.target;
    unsigned count = 0;

    front.use = (ompd_view_use_t){.struct_size = sizeof(front.use),
                                  .space = population.space,
                                  .row_limit = UINT64_MAX,
                                  .has_styles = true};
    for (uint32_t table = 1; table <= OMPD_CL_REGISTRY_TABLE_COUNT; table++) {
        if (target->tables[table].record_count == 0)
            continue;
        target->hole_start = fake_chunk_address(target, table, 0);
        target->hole_end = target->hole_start + target->tables[table].record_size;
        for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
            ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
            front.notes = 0;
            if (front_line(&front, verbs[i], "") != ompd_view_exit_incomplete)
                continue;
            count++;
            ck_assert_msg(front.notes != 0, "%s: %s", verbs[i], front.text);
        }
    }
    target->hole_start = target->hole_end = 0;
    ck_assert_uint_gt(count, 20);
}
END_TEST

/* A front end that was built before some services were, and one that was built after. */
START_TEST(other_sizes)
{
    struct {
        ompd_view_front_end_t front_end;
        void *newer[4];
    } larger = {.front_end = front.front_end, .newer = {&front, &front, &front, &front}};
    ompd_view_t *view = NULL;

    front.front_end.struct_size = offsetof(ompd_view_front_end_t, code_place);
    memset((char *)&front.front_end + front.front_end.struct_size, 0xa5,
           sizeof(front.front_end) - front.front_end.struct_size);
    open_anew();
    run_all();
    ck_assert_uint_eq(front.asked, 0);
    larger.front_end.struct_size = sizeof(larger);
    front.front_end = larger.front_end;
    ck_assert_int_eq(ompd_view_create(&larger.front_end, &view), ompd_rc_ok);
    ompd_view_destroy(front.view);
    front.view = view;
    run_all();
    ck_assert_uint_gt(front.asked, 0);
}
END_TEST

START_TEST(no_front_end)
{
    ompd_view_front_end_t whole = front.front_end;
    ompd_view_front_end_t bad[5];
    ompd_view_t *view = front.view;

    for (size_t i = 0; i < 5; i++)
        bad[i] = whole;
    bad[0].write = NULL;
    bad[1].begin = NULL;
    bad[2].struct_size = 0;
    bad[3].struct_size = offsetof(ompd_view_front_end_t, begin);
    bad[4].take_option = NULL; /* there are options to take */
    for (size_t i = 0; i < 5; i++)
        ck_assert_int_eq(ompd_view_create(&bad[i], &view), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_view_create(NULL, &view), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_view_create(&whole, NULL), ompd_rc_bad_input);
    ck_assert_ptr_eq(view, front.view);
    ompd_view_destroy(NULL);
}
END_TEST

/* ---- Stops ----------------------------------------------------------------------------------- */

static void add_buffers(void)
{
    for (uint32_t i = 0; i < MORE_BUFFERS; i++)
        fake_add_buffer(population.target, 0x1000000 + i * 64, population.context, 4096 + i);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
}

/* The number of output lines that begin with BEGINNING. */
static unsigned count_lines(const char *beginning)
{
    unsigned count = 0;

    for (const char *line = front.text; line != NULL && *line != '\0';
         line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL)
        count += strncmp(line, beginning, strlen(beginning)) == 0;
    return count;
}

/* The number of rows in the message. */
static unsigned rows_told(void)
{
    unsigned rows = 0;

    ck_assert_int_eq(
        sscanf(front_message(&front), "opencl memobjs was interrupted after %u row", &rows), 1);
    return rows;
}

/* A front end that cancels gets no more text, and the message has the number of rows. */
START_TEST(stops)
{
    static const size_t stops_at[] = {1, 20000, 60000, 130000};
    static const char few[] = "-min-size 999999999 -json"; /* reads all, and writes little */
    uint64_t reads;

    add_buffers();
    for (size_t i = 0; i < 2 * sizeof(stops_at) / sizeof(stops_at[0]); i++) {
        bool is_json = i % 2 != 0;

        front.stop_at = stops_at[i / 2];
        ck_assert_int_eq(front_line(&front, "memobjs", is_json ? "-json" : ""),
                         ompd_view_exit_stopped);
        ck_assert_uint_eq(front.after, 0);
        ck_assert_uint_ge(front.size, front.stop_at);
        /* What the front end was given in one piece counts, so the last lines may be one short. */
        ck_assert_uint_le(rows_told(), MORE_BUFFERS);
        ck_assert_uint_ge(rows_told() + 1, count_lines(is_json ? "{" : " ") - !is_json);
        ck_assert_uint_le(rows_told(), count_lines(is_json ? "{" : " ") + 1);
        front.stop_at = 0;
        ck_assert_int_eq(front_line(&front, "contexts", ""), ompd_view_exit_ok);
    }
    /* Nor is the target read to its end, where that is more than is read at once. */
    for (uint32_t i = 0; i < 5 * MORE_BUFFERS; i++)
        fake_add_buffer(population.target, 0x2000000 + i * 64, population.context, 4096);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(front_line(&front, "memobjs", few), ompd_view_exit_ok);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    reads = population.target->bytes_read;
    front_line(&front, "memobjs", few);
    reads = population.target->bytes_read - reads;
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    front.stop_at = 1;
    population.target->bytes_read = 0;
    front_line(&front, "memobjs", "-json");
    ck_assert_uint_lt(population.target->bytes_read, reads);
}
END_TEST

START_TEST(stops_within_styles)
{
    add_buffers();
    front.use = (ompd_view_use_t){.row_limit = UINT64_MAX, .has_styles = true};
    front.use.struct_size = sizeof(front.use);
    front.stop_at = 2000;
    ck_assert_int_eq(front_line(&front, "memobjs", ""), ompd_view_exit_stopped);
    ck_assert_uint_eq(front.after, 0);
    ck_assert_uint_lt(front.size, 2200);
    ck_assert_uint_le(rows_told(), count_lines(" "));
    ck_assert_uint_ge(rows_told() + 2, count_lines(" "));
}
END_TEST

/* An array that broke off gets no end that a reader would take for one. */
START_TEST(stops_within_an_array)
{
    add_buffers();
    front.front_end.json_is_array = true;
    open_anew();
    front.stop_at = 20000;
    ck_assert_int_eq(front_line(&front, "memobjs", "-json"), ompd_view_exit_stopped);
    ck_assert_ptr_null(strchr(front.text + front.size - 3, ']'));
    front.stop_at = 0;
    ck_assert_int_eq(front_line(&front, "memobjs", "-json"), ompd_view_exit_ok);
    ck_assert_str_eq(front.text + front.size - 3, "}]\n");
    ck_assert_uint_eq(count_lines(" {"), MORE_BUFFERS + 2);
}
END_TEST

START_TEST(interrupted)
{
    add_buffers();
    front.is_stopping = true;
    ck_assert_int_eq(front_line(&front, "memobjs", ""), ompd_view_exit_stopped);
    expect_message("opencl memobjs was interrupted.");
    front.is_stopping = false;
    ck_assert_int_eq(front_line(&front, "memobjs", "-json"), ompd_view_exit_ok);
    ck_assert_uint_eq(front.done, MORE_BUFFERS + 3);
}
END_TEST

/* The reads of a list of memory objects, when what does not change at a stop has been read. */
static uint64_t reads_of_memobjs(void)
{
    uint64_t reads = population.target->calls[fake_read];

    ck_assert_int_eq(front_line(&front, "memobjs", ""), ompd_view_exit_ok);
    return population.target->calls[fake_read] - reads;
}

/* Neither what the library holds nor a handle that nothing has makes it forget this stop. */
START_TEST(nothing_is_forgotten)
{
    uint64_t reads;

    reads_of_memobjs();
    reads = reads_of_memobjs();
    ck_assert_int_eq(front_line(&front, "memory", ""), ompd_view_exit_ok);
    ck_assert_uint_eq(reads_of_memobjs(), reads);
    front_refuses(&front, "memobj", "0x42", "There is no memory object 0x42");
    ck_assert_uint_eq(reads_of_memobjs(), reads);
}
END_TEST

/* ---- Names and numbers ----------------------------------------------------------------------- */

/* Each address is asked for once, until the target runs. */
START_TEST(names_are_asked_once)
{
    unsigned asked;

    for (uint32_t i = 0; i < MORE_BUFFERS; i++)
        fake_add_destructor(population.target, population.buffer, 0x401000 + i % 4, i);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(front_line(&front, "destructors", "-json"), ompd_view_exit_ok);
    asked = front.asked;
    ck_assert_uint_gt(asked, 3);
    ck_assert_uint_lt(asked, 12);
    ck_assert_int_eq(front_line(&front, "destructors", "-json"), ompd_view_exit_ok);
    ck_assert_uint_eq(front.asked, asked);
    ompd_view_space_forget(front.view, population.space, false);
    ck_assert_int_eq(front_line(&front, "destructors", "-json"), ompd_view_exit_ok);
    ck_assert_uint_eq(front.asked, 2 * asked);
}
END_TEST

/* A debugger that looks for a name may find that the target has changed. */
static bool (*usual_place)(void *user_ptr, ompd_addr_t address, bool is_caller,
                           ompd_view_place_t *place);

static bool forgetful_place(void *user_ptr, ompd_addr_t address, bool is_caller,
                            ompd_view_place_t *place)
{
    ompd_view_space_forget(front.view, population.space, true);
    return usual_place(user_ptr, address, is_caller, place);
}

START_TEST(forgotten_while_asked)
{
    usual_place = front.front_end.code_place;
    front.front_end.code_place = forgetful_place;
    open_anew();
    run_all();
    front_line(&front, "destructors", "0x9080");
    expect_has("e\\x1b[2Jvil at a\\rpp.c:9");
}
END_TEST

START_TEST(row_numbers)
{
    front_refuses(&front, "memobj", "#1",
                  "There is no row #1: no list of this process has been shown yet");
    ck_assert_int_eq(front_line(&front, "memobjs", ""), ompd_view_exit_ok);
    ck_assert_int_eq(front_line(&front, "memobj", "#1"), ompd_view_exit_ok);
    expect_has("buffer 0x9080,");
    ck_assert_int_eq(front_line(&front, "memobj", "2"), ompd_view_exit_ok);
    expect_has("sub-buffer 0x90c0,");
    front_refuses(&front, "memobj", "#4", "There is no row #4: the last list had rows #1 to #3.");
    front_refuses(&front, "memobj", "#0", "There is no row #0");
    front_refuses(&front, "memobj", "#x", "'#x' is not a row number; use #1, #2 and so on.");
    front_refuses(&front, "memobj", "#", "'#' is not a row number");
    front_refuses(&front, "queue", "#1", "#1 of the last list is a memory object, not a command");
    /* Larger numbers are handles, and anything but a number is an expression. */
    front_refuses(&front, "memobj", "70000", "There is no memory object 70000 (0x11170)");
    front_refuses(&front, "memobj", "0x3", "There is no memory object 0x3");
    front_refuses(&front, "memobj", "3+4", "'3+4' is not a handle");
    front_refuses(&front, "memobj", "b[3]", "'b[3]' is not a handle");
    front_refuses(&front, "memobj", "nosuch#1", "'nosuch#1' is not a handle");
}
END_TEST

/* A number may name the list that it is of. */
START_TEST(numbers_of_lists)
{
    ck_assert_int_eq(front_line(&front, "memobjs", ""), ompd_view_exit_ok);
    ck_assert_int_eq(front_line(&front, "queues", ""), ompd_view_exit_ok);
    front_refuses(&front, "memobj", "#1", "a command queue, not a memory object.");
    ck_assert_int_eq(front_line(&front, "memobj", "memobjs#2"), ompd_view_exit_ok);
    expect_has("sub-buffer 0x90c0,");
    ck_assert_int_eq(front_line(&front, "queue", "queues#1"), ompd_view_exit_ok);
    ck_assert_int_eq(front_line(&front, "queue", "#1"), ompd_view_exit_ok);
    front_refuses(&front, "memobj", "memobjs#70000", "There is no row #70000");
    front_refuses(&front, "context", "contexts#1", "There is no row #1");
    /* A callback also stands for its object. */
    ck_assert_int_eq(front_line(&front, "destructors", ""), ompd_view_exit_ok);
    ck_assert_int_eq(front_line(&front, "memobj", "#1"), ompd_view_exit_ok);
    expect_has("buffer 0x9080,");
    /* An empty list leaves the numbers of the previous one. */
    ck_assert_int_eq(front_line(&front, "memobjs", "-min-size 1T"), ompd_view_exit_ok);
    expect_has("No matching memory objects.\n");
    ck_assert_int_eq(front_line(&front, "memobj", "memobjs#1"), ompd_view_exit_ok);
    /* A destroyed object is not another one. */
    fake_remove_object(population.target, ompd_cl_registry_memobj, population.image);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    front_refuses(&front, "memobj", "memobjs#3", "has been destroyed.");
    ompd_view_space_forget(front.view, population.space, true);
    front_refuses(&front, "memobj", "memobjs#1", "no list of this process has been shown yet");
}
END_TEST

START_TEST(limits)
{
    front.use = (ompd_view_use_t){.struct_size = sizeof(front.use), .row_limit = 2};
    ck_assert_int_eq(front_line(&front, "memobjs", ""), ompd_view_exit_ok);
    expect_has("1 more row is not shown: `set opencl limit 3` or `set opencl limit unlimited` "
               "shows all.\n");
    expect_has_not("0x9100");
    ck_assert_int_eq(front_line(&front, "memobjs", "-limit 3"), ompd_view_exit_ok);
    expect_has_not("shown");
    ck_assert_int_eq(front_line(&front, "memobjs", "-json"), ompd_view_exit_ok);
    expect_has("0x9100");
    ck_assert_int_eq(front_line(&front, "destructors", "0x9080 -limit 1"), ompd_view_exit_ok);
    expect_has("  2 more rows are not shown:");
}
END_TEST

static void nothing(struct front *asked)
{
    view_write(asked->view, "nothing\n");
}

/* A verb without a target runs in the view's memory. */
START_TEST(own_verbs)
{
    front.work = nothing;
    front.space = NULL;
    front_expect(&front, "ask", "", "nothing\n");
    front_expect(&front, "ask", "-json", "nothing\n");
    ck_assert(front.begun_json);
    front_refuses(&front, "ask", "-kind buffer", "opencl ask has no option -kind");
}
END_TEST

/* The callbacks of an object that cannot be read are counted. */
START_TEST(parts_that_cannot_be_read)
{
    struct fake_target *target = population.target;

    front_line(&front, "memobj", "0x9080");
    expect_has_not("could not be read");
    target->hole_start =
        fake_field_address(target, ompd_cl_registry_callback, population.destructors[0],
                           ompd_cl_registry_field_function);
    target->hole_end = target->hole_start + 1;
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    front_line(&front, "memobj", "0x9080");
    expect_has("could not be read");
}
END_TEST

/* Objects share an entry when the same calls made them, and only then. */
START_TEST(leaks_by_caller)
{
    front_line(&front, "leaks", "");
    expect_has("Leaked: 1 memory object (20 GiB), 1 OpenCL context, 1 command queue, 4 events, ");
    for (uint64_t i = 0; i < MANY_CALLERS; i++) {
        uint32_t buffer =
            fake_add_buffer(population.target, 0x1000000 + i * 64, population.context, 4096);

        fake_set(population.target, ompd_cl_registry_memobj, buffer, ompd_cl_registry_field_caller,
                 0x500000 + i * 0x100);
    }
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    front.use.row_limit = UINT64_MAX;
    front.use.struct_size = sizeof(front.use);
    front_line(&front, "leaks", "");
    for (uint64_t i = 0; i < MANY_CALLERS; i++) {
        char entry[64];

        snprintf(entry, sizeof(entry), "  1 memory object (4 KiB) made at\n    #0 0x%x\n",
                 (unsigned)(0x500000 + i * 0x100));
        expect_has(entry);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-commands");
    TCase *tcase = tcase_create("commands");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, parts_that_cannot_be_read);
    tcase_add_test(tcase, leaks_by_caller);
    tcase_add_test(tcase, no_control_reaches_the_output);
    tcase_add_test(tcase, no_services);
    tcase_add_test(tcase, other_sizes);
    tcase_add_test(tcase, no_front_end);
    tcase_add_test(tcase, stops);
    tcase_add_test(tcase, stops_within_styles);
    tcase_add_test(tcase, stops_within_an_array);
    tcase_add_test(tcase, interrupted);
    tcase_add_test(tcase, nothing_is_forgotten);
    tcase_add_test(tcase, names_are_asked_once);
    tcase_add_test(tcase, forgotten_while_asked);
    tcase_add_test(tcase, row_numbers);
    tcase_add_test(tcase, numbers_of_lists);
    tcase_add_test(tcase, limits);
    tcase_add_test(tcase, incomplete);
    tcase_add_test(tcase, own_verbs);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
