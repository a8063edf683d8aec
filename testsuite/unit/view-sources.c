/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How the overview names the sources of a target and their gaps. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <string.h>
#include <view/model/model.h>

static struct front front;

/* The sources under test: an overview, and runtimes. */
#define MOST_RUNTIMES 3
static ompd_cl_overview_info_t overview;
static struct view_row overview_row;
static ompd_cl_runtime_info_t runtimes[MOST_RUNTIMES];
static struct view_sources sources;

#define KNOWN(number)                                                                              \
    (ompd_cl_value_t)                                                                              \
    {                                                                                              \
        .value = (number), .status = ompd_cl_status_value                                          \
    }

static void set_up(void)
{
    front_begin(&front);
    front_open(&front);
}

static void tear_down(void)
{
    front_close(&front);
}

/* Begin with a recorder of STATUS, and no runtimes. */
static void begin(ompd_cl_status_t recorder)
{
    memset(&overview, 0, sizeof(overview));
    overview.struct_size = sizeof(overview);
    overview.recorder_major =
        (ompd_cl_value_t){.value = recorder == ompd_cl_status_value, .status = (uint16_t)recorder};
    overview.recorder_minor = KNOWN(1);
    overview_row = (struct view_row){view_kind_get(ompd_cl_kind_overview), (const void *)&overview};
    sources = (struct view_sources){
        .overview = &overview_row,
        .runtimes = {.kind = view_kind_get(ompd_cl_kind_runtime), .bytes = (void *)runtimes},
    };
}

static void set_text(ompd_cl_text_t *text, const char *said)
{
    *text = (ompd_cl_text_t){.status = said != NULL ? ompd_cl_status_value
                                                    : ompd_cl_status_not_applicable};
    if (said != NULL)
        strcpy(text->text, said);
}

/* Add a runtime, with a layout or NULL; of OBJECTS objects, -1 for not known. */
static void add(const char *module, const char *build_id, const char *layout, int objects)
{
    ompd_cl_runtime_info_t *runtime = &runtimes[sources.runtimes.count++];

    ck_assert_uint_le(sources.runtimes.count, MOST_RUNTIMES);
    memset(runtime, 0, sizeof(*runtime));
    runtime->head.struct_size = sizeof(*runtime);
    set_text(&runtime->module, module);
    set_text(&runtime->build_id, build_id);
    set_text(&runtime->layout, layout);
    runtime->objects.status = objects < 0 ? ompd_cl_status_unknown : ompd_cl_status_presumed;
    runtime->objects.value = objects < 0 ? 0 : (uint64_t)objects;
}

static void add_pocl(void)
{
    add("/usr/lib/libpocl.so.2.10.0", "4a4365a430d36fff", "PoCL 3.1", 5);
}

static void add_unused(void)
{
    add("libother.so", "ab", "Other", 0);
}

static void add_unfit(void)
{
    add("/lib/lib\x1bnew.so", "1234567890", NULL, -1);
}

static void add_idle(void)
{
    add("libidle.so", "cd", NULL, 0);
}

static const char *line(void)
{
    static struct text text;

    text_clear(&text);
    view_sources_add(&sources, &text);
    return text_get(&text);
}

static const char *notes(void)
{
    front.size = 0;
    front.text[0] = '\0';
    view_sources_write_notes(&sources, front.view, "");
    view_flush(front.view);
    return front.text;
}

START_TEST(lines)
{
    begin(ompd_cl_status_not_applicable);
    add_pocl();
    add_unfit();
    ck_assert_str_eq(line(), "  sources: layout libpocl.so.2.10.0 (build-id 4a4365a4)\n");
    begin(ompd_cl_status_value);
    ck_assert_str_eq(line(), "  sources: recorder 1.1\n");
    add_pocl();
    ck_assert_str_eq(line(),
                     "  sources: recorder 1.1, layout libpocl.so.2.10.0 (build-id 4a4365a4)\n");
    begin(ompd_cl_status_not_applicable);
    add_unfit();
    ck_assert_str_eq(line(), "  sources: none\n");
}
END_TEST

/* A recorder with an unreadable version still exists. */
START_TEST(unreadable_recorder)
{
    begin(ompd_cl_status_unreadable);
    ck_assert_str_eq(line(), "  sources: recorder ?\n");
    ck_assert(view_sources_have_recorder(&overview_row));
}
END_TEST

/* Those that are in use. */
START_TEST(platforms)
{
    struct text text = {0};

    begin(ompd_cl_status_not_applicable);
    add_pocl();
    add_unused();
    add_unfit();
    view_sources_add_platforms(&sources, &text);
    ck_assert_str_eq(text_get(&text), "PoCL 3.1, ");
    text_free(&text);
}
END_TEST

#define UNFIT                                                                                      \
    "No layout matches lib\\x1bnew.so (build-id 12345678): its objects are missing here; run "     \
    "`ompd-opencl learn` where it is installed.\n"

/* A runtime without a layout is missed where no recorder knows its objects, and it has some. */
START_TEST(missing_layouts)
{
    begin(ompd_cl_status_not_applicable);
    add_pocl();
    add_unfit();
    ck_assert_str_eq(notes(), UNFIT);
    begin(ompd_cl_status_value);
    add_pocl();
    add_unfit();
    ck_assert_str_eq(notes(), "");
    begin(ompd_cl_status_not_applicable);
    add_pocl();
    add_idle();
    ck_assert_str_eq(notes(), "");
    add_unfit();
    ck_assert_str_eq(notes(), UNFIT);
}
END_TEST

/* ---- The verb -------------------------------------------------------------------------------- */

static struct population population;

/* Open the population with EXTRA, and ask for the overview. */
static ompd_view_exit_t overview_of(const ompd_cl_extra_t *extra)
{
    ompd_address_space_context_t *context;

    population = population_create(false, 8);
    context = (void *)population.target;
    ck_assert_int_eq(
        ompd_cl_address_space_create(&fake_callbacks, extra, context, &population.space),
        ompd_rc_ok);
    front.space = population.space;
    return front_line(&front, "overview", "");
}

/* Lists; the test makes that of runtimes fail (-Wl,--wrap). */
ompd_rc_t __real_ompd_cl_list_open(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                                   const ompd_cl_filter_t *filter, ompd_cl_list_t *list);
ompd_rc_t __wrap_ompd_cl_list_open(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                                   const ompd_cl_filter_t *filter, ompd_cl_list_t *list);

static ompd_rc_t runtimes_rc;

ompd_rc_t __wrap_ompd_cl_list_open(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                                   const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    if (kind == ompd_cl_kind_runtime && runtimes_rc != ompd_rc_ok)
        return runtimes_rc;
    return __real_ompd_cl_list_open(space, kind, filter, list);
}

/* Find the sources of a recorder of STATUS, of which layouts told something too or did not. */
static ompd_view_exit_t find(ompd_cl_status_t status, bool has_search)
{
    struct view_sources found;

    begin(status);
    overview.unreadable_bytes.status =
        has_search ? ompd_cl_status_value : ompd_cl_status_not_applicable;
    front.view->failure = ompd_view_exit_ok;
    front.view->use.space = population.space;
    view_sources_find(&found, front.view, &overview_row);
    view_sources_free(&found);
    return front.view->failure;
}

/* Runtimes that cannot be listed are absent. */
START_TEST(no_runtimes)
{
    static const ompd_rc_t codes[] = {ompd_rc_ok, ompd_rc_unavailable, ompd_rc_unsupported};

    for (size_t i = 0; i < 2 * sizeof(codes) / sizeof(codes[0]); i++) {
        ompd_view_exit_t code;

        runtimes_rc = codes[i / 2];
        code = overview_of(i % 2 != 0 ? &fake_extra : NULL);
        ck_assert_msg(code == ompd_view_exit_ok, "%s", front_message(&front));
        ck_assert_ptr_nonnull(strstr(front.text, "  sources: recorder 1."));
        ck_assert_ptr_null(strstr(front.text, "layout"));
        ck_assert_int_eq(find(ompd_cl_status_value, true), ompd_view_exit_ok);
        ck_assert_int_eq(find(ompd_cl_status_not_applicable, true), ompd_view_exit_ok);
        population_free(&population);
    }
}
END_TEST

/* Whatever else fails is told, where runtimes are asked for: memory is searched for some, so that
 * they are not where the recorder knows all that is shown. */
START_TEST(failure)
{
    runtimes_rc = ompd_rc_nomem;
    ck_assert_int_eq(overview_of(&fake_extra), ompd_view_exit_ok);
    ck_assert_int_eq(find(ompd_cl_status_value, false), ompd_view_exit_ok);
    ck_assert_int_eq(find(ompd_cl_status_value, true), ompd_view_exit_unreadable);
    ck_assert_int_eq(find(ompd_cl_status_not_applicable, false), ompd_view_exit_unreadable);
    ck_assert_uint_gt(strlen(front_message(&front)), 0);
    runtimes_rc = ompd_rc_ok;
    ck_assert_int_eq(front_line(&front, "overview", ""), ompd_view_exit_ok);
    /* The verb that is about them tells, too, that there is none who tells. */
    runtimes_rc = ompd_rc_unsupported;
    ck_assert_int_eq(front_line(&front, "runtimes", ""), ompd_view_exit_unreadable);
    population_free(&population);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-sources");
    TCase *tcase = tcase_create("sources");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, lines);
    tcase_add_test(tcase, unreadable_recorder);
    tcase_add_test(tcase, platforms);
    tcase_add_test(tcase, missing_layouts);
    tcase_add_test(tcase, no_runtimes);
    tcase_add_test(tcase, failure);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
