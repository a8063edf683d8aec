/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the view shows of Embree's objects.  Their rows come from here: this program defines the
 * functions of the library that the view reads rows with. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <string.h>

#define KNOWN(number) .status = ompd_cl_status_value, .value = (number)
#define PRESUMED(number) .status = ompd_cl_status_presumed, .value = (number)
#define AT_LEAST(number) .status = ompd_cl_status_at_least, .value = (number)
#define HEAD(type, number, references)                                                             \
    .head = {.struct_size = sizeof(type),                                                          \
             .id = (number),                                                                       \
             .handle = {KNOWN(number)},                                                            \
             .source = {KNOWN(ompd_cl_source_layout)},                                             \
             .confidence = {KNOWN(ompd_cl_confidence_certain)},                                    \
             .runtime_references = {KNOWN(references)}}

#define MONITOR 0x401000
#define DEVICE 0x10000
#define RELEASED 0x20000
#define SCENE 0x30000
#define GEOMETRY 0x40000
#define BUFFER 0x50000

static const ompd_cl_embree_device_info_t devices[] = {
    {HEAD(ompd_cl_embree_device_info_t, DEVICE, 5), .bytes = {AT_LEAST(26835844)},
     .shared_bytes = {KNOWN(4096)}, .monitor = {KNOWN(MONITOR)}, .monitor_data = {KNOWN(0x5000)},
     .error_function = {KNOWN(0)}, .pending_error = {KNOWN(4)}, .references = {PRESUMED(1)},
     .child_references = {KNOWN(4)}, .scenes = {KNOWN(1)}, .geometries = {KNOWN(1)},
     .buffers = {KNOWN(1)}, .build = {KNOWN(ompd_cl_embree_build_building)},
     .state = {KNOWN(ompd_cl_object_state_live)}},
    {HEAD(ompd_cl_embree_device_info_t, RELEASED, 1), .bytes = {KNOWN(100)},
     .shared_bytes = {KNOWN(0)}, .monitor = {KNOWN(0)}, .pending_error = {KNOWN(0)},
     .references = {KNOWN(0)}, .child_references = {KNOWN(1)}, .scenes = {KNOWN(0)},
     .geometries = {KNOWN(0)}, .buffers = {KNOWN(1)},
     .state = {KNOWN(ompd_cl_object_state_app_released)}},
};

static const ompd_cl_embree_scene_info_t scenes[] = {
    {HEAD(ompd_cl_embree_scene_info_t, SCENE, 1), .device = {KNOWN(DEVICE)},
     .build = {KNOWN(ompd_cl_embree_build_building)}, .builder_lwp = {KNOWN(FIRST_LWP)},
     .geometries = {KNOWN(1)}, .bytes = {AT_LEAST(2097152)}, .references = {KNOWN(1)},
     .state = {KNOWN(ompd_cl_object_state_live)}},
};

static const ompd_cl_embree_geometry_info_t geometries[] = {
    {HEAD(ompd_cl_embree_geometry_info_t, GEOMETRY, 1), .device = {KNOWN(DEVICE)},
     .type = {KNOWN(0)}, .primitives = {KNOWN(12)}, .buffers = {KNOWN(1)},
     .vertex_buffer = {KNOWN(BUFFER)}, .scene = {KNOWN(SCENE)}, .references = {KNOWN(0)},
     .scene_references = {KNOWN(1)}, .state = {PRESUMED(ompd_cl_object_state_app_released)}},
};

static const ompd_cl_embree_buffer_info_t buffers[] = {
    {HEAD(ompd_cl_embree_buffer_info_t, BUFFER, 1), .device = {KNOWN(DEVICE)},
     .pointer = {KNOWN(0x5000)}, .bytes = {KNOWN(4096)},
     .ownership = {KNOWN(ompd_cl_embree_ownership_shared)}, .geometries = {KNOWN(1)},
     .references = {KNOWN(0)}, .geometry_references = {KNOWN(1)},
     .state = {KNOWN(ompd_cl_object_state_app_released)}},
    {HEAD(ompd_cl_embree_buffer_info_t, BUFFER + 0x100, 1), .device = {KNOWN(RELEASED)},
     .pointer = {KNOWN(0x9000)}, .bytes = {KNOWN(100)},
     .ownership = {KNOWN(ompd_cl_embree_ownership_owned)}, .geometries = {KNOWN(0)},
     .references = {KNOWN(1)}, .geometry_references = {KNOWN(0)},
     .state = {KNOWN(ompd_cl_object_state_live)}},
};

#define FINDING(kind, number)                                                                      \
    .head = {.struct_size = sizeof(ompd_cl_finding_info_t),                                        \
             .confidence = {KNOWN(ompd_cl_confidence_certain)}},                                   \
    .object_kind = {KNOWN(kind)}, .object = {KNOWN(number)}

static const ompd_cl_finding_info_t findings[] = {
    {FINDING(ompd_cl_kind_memobj, 0x9080), .rule = {KNOWN(ompd_cl_finding_over_release)}},
    {FINDING(ompd_cl_kind_embree_buffer, BUFFER), .rule = {KNOWN(ompd_cl_finding_host_freed)},
     .address = {KNOWN(0x5000)}, .size = {KNOWN(4096)}},
    {FINDING(ompd_cl_kind_embree_device, DEVICE), .rule = {KNOWN(ompd_cl_finding_callback_code)},
     .function = {KNOWN(0x402000)}},
    {FINDING(ompd_cl_kind_embree_scene, SCENE), .rule = {KNOWN(ompd_cl_finding_user_data_on_stack)},
     .function = {KNOWN(MONITOR)}, .address = {KNOWN(0x7000)}, .thread = {KNOWN(FIRST_LWP)}},
    {FINDING(ompd_cl_kind_embree_device, 0), .rule = {KNOWN(ompd_cl_finding_embree_in_monitor)},
     .function = {KNOWN(MONITOR)}, .thread = {KNOWN(FIRST_LWP)}},
    {FINDING(ompd_cl_kind_embree_device, DEVICE), .rule = {KNOWN(ompd_cl_finding_embree_error)},
     .error = {KNOWN(4)}},
};

#define LEAK(kind, number, leaks, where)                                                           \
    .head = {.struct_size = sizeof(ompd_cl_leak_info_t),                                           \
             .handle = {KNOWN(number)},                                                            \
             .source = {KNOWN(ompd_cl_source_layout)},                                             \
             .confidence = {KNOWN(ompd_cl_confidence_certain)}},                                   \
    .object_kind = {KNOWN(kind)}, .is_leak = {PRESUMED(leaks)}, .reachability = {KNOWN(where)},    \
    .is_exiting = {KNOWN(0)}, .state = {KNOWN(ompd_cl_object_state_live)}

static const ompd_cl_leak_info_t leaks[] = {
    {LEAK(ompd_cl_kind_memobj, 0x9080, 1, ompd_cl_reachability_lost)},
    {LEAK(ompd_cl_kind_embree_buffer, BUFFER, 1, ompd_cl_reachability_lost), .size = {KNOWN(4096)}},
    {LEAK(ompd_cl_kind_embree_buffer, BUFFER + 0x100, 1, ompd_cl_reachability_lost),
     .size = {KNOWN(100)}},
    {LEAK(ompd_cl_kind_embree_scene, SCENE, 0, ompd_cl_reachability_held)},
};

static struct front front;
static ompd_rc_t overview_rc; /* that the process's OpenCL gives */
static bool has_embree;

/* ---- The library ----------------------------------------------------------------------------- */

struct rows {
    ompd_cl_kind_t kind;
    const void *all;
    size_t size;
    size_t count;
};

#define ROWS(number, array)                                                                        \
    {                                                                                              \
        number, array, sizeof(array[0]), sizeof(array) / sizeof(array[0])                          \
    }
static const struct rows tables[] = {
    ROWS(ompd_cl_kind_embree_device, devices),      ROWS(ompd_cl_kind_embree_scene, scenes),
    ROWS(ompd_cl_kind_embree_geometry, geometries), ROWS(ompd_cl_kind_embree_buffer, buffers),
    ROWS(ompd_cl_kind_finding, findings),           ROWS(ompd_cl_kind_leak, leaks),
};

/* An open list: the next row, and the device that rows must have. */
static struct open_list {
    const struct rows *rows;
    size_t next;
    uint64_t device;
} lists[8];

static const struct rows *rows_of(ompd_cl_kind_t kind)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        if (tables[i].kind == kind && (has_embree || kind == ompd_cl_kind_finding))
            return &tables[i];
    return NULL;
}

static const char *row_at(const struct rows *rows, size_t index)
{
    return (const char *)rows->all + index * rows->size;
}

static ompd_rc_t list_make(ompd_cl_kind_t kind, uint64_t device, ompd_cl_list_t *list)
{
    const struct rows *rows = rows_of(kind);

    if (rows == NULL)
        return ompd_rc_unavailable;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (lists[i].rows == NULL) {
            lists[i] = (struct open_list){rows, 0, device};
            list->id = i + 1;
            return ompd_rc_ok;
        }
    return ompd_rc_nomem;
}

ompd_rc_t ompd_cl_list_open(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                            const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    (void)space;
    return list_make(kind, filter != NULL ? filter->context : 0, list);
}

/* Each scene has all geometries here, and each geometry all buffers. */
ompd_rc_t ompd_cl_object_list_open(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                                   uint64_t object, ompd_cl_list_t *list)
{
    (void)space;
    ck_assert_uint_eq(object, kind == ompd_cl_kind_embree_geometry ? SCENE : GEOMETRY);
    return list_make(kind, DEVICE, list);
}

/* Whether ROW is of DEVICE; the handle of the device follows the head. */
static bool is_of_device(const struct rows *rows, const char *row, uint64_t device)
{
    ompd_cl_value_t owner;

    if (device == 0 || rows->kind == ompd_cl_kind_embree_device)
        return true;
    memcpy(&owner, row + sizeof(ompd_cl_object_head_t), sizeof(owner));
    return owner.value == device;
}

ompd_rc_t ompd_cl_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                            ompd_cl_kind_t kind, ompd_size_t capacity, void *rows,
                            ompd_size_t *count, ompd_size_t *unreadable)
{
    struct open_list *open = &lists[list.id - 1];

    (void)space;
    ck_assert_int_eq(kind, open->rows->kind);
    *count = 0;
    for (; *count < capacity && open->next < open->rows->count; open->next++) {
        const char *row = row_at(open->rows, open->next);

        if (is_of_device(open->rows, row, open->device))
            memcpy((char *)rows + (*count)++ * open->rows->size, row, open->rows->size);
    }
    if (unreadable != NULL)
        *unreadable = 0;
    return ompd_rc_ok;
}

ompd_rc_t ompd_cl_list_close(ompd_address_space_handle_t *space, ompd_cl_list_t list)
{
    (void)space;
    lists[list.id - 1].rows = NULL;
    return ompd_rc_ok;
}

/* The id of each object here is its handle. */
static const char *row_with(ompd_cl_kind_t kind, uint64_t handle)
{
    const struct rows *rows = rows_of(kind);

    for (size_t i = 0; rows != NULL && i < rows->count; i++)
        if (((const ompd_cl_object_head_t *)(const void *)row_at(rows, i))->id == handle)
            return row_at(rows, i);
    return NULL;
}

ompd_rc_t ompd_cl_object_find(ompd_address_space_handle_t *space, ompd_cl_kind_t kind,
                              uint64_t handle, uint64_t *id)
{
    (void)space;
    if (row_with(kind, handle) == NULL)
        return ompd_rc_unavailable;
    *id = handle;
    return ompd_rc_ok;
}

ompd_rc_t ompd_cl_object_get(ompd_address_space_handle_t *space, ompd_cl_kind_t kind, uint64_t id,
                             void *info)
{
    const char *row = row_with(kind, id);

    (void)space;
    if (row == NULL)
        return ompd_rc_stale_handle;
    memcpy(info, row, rows_of(kind)->size);
    return ompd_rc_ok;
}

ompd_rc_t ompd_cl_overview_get(ompd_address_space_handle_t *space, ompd_cl_overview_info_t *info)
{
    (void)space;
    (void)info;
    return overview_rc;
}

ompd_rc_t ompd_cl_message_get(ompd_address_space_handle_t *space, const char **message)
{
    (void)space;
    *message = "there is no OpenCL here.";
    return ompd_rc_ok;
}

ompd_rc_t ompd_cl_note_get(ompd_address_space_handle_t *space, uint32_t index, const char **note)
{
    (void)space;
    (void)index;
    *note = "";
    return ompd_rc_ok;
}

static void expect_has(const char *words)
{
    ck_assert_msg(strstr(front.text, words) != NULL, "no \"%s\" in:\n%s", words, front.text);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static const struct front_place places[] = {
    {MONITOR, {.symbol = "watch", .file = "app.c", .line = 9}},
};

static void set_up(void)
{
    front_begin(&front);
    front.places = places;
    front.place_count = 1;
    front_open(&front);
    overview_rc = ompd_rc_ok;
    has_embree = true;
}

static void tear_down(void)
{
    front_close(&front);
}

START_TEST(summary)
{
    front_expect(&front, "embree", "",
                 "Embree device 0x10000: at least 26835844 B (about 25.6 MiB) in use, as reported "
                 "to memory monitor watch at app.c:9 (user pointer 0x5000 <host>)\n"
                 "  1 scene, 1 geometry, 1 buffer\n"
                 "  4096 B (4 KiB) of the program's memory in shared buffers, which no memory "
                 "monitor sees\n"
                 "  5 references: 1 of the program (presumed), 4 of its scenes, "
                 "geometries and buffers\n"
                 "  held only by other Embree objects: 1 geometry by scenes, 1 buffer by "
                 "geometries (presumed)\n"
                 "  scene 0x30000 is being built by LWP 4711 (thread 1), so that more memory may "
                 "be in use than its objects show\n"
                 "  error RTC_ERROR_OUT_OF_MEMORY is set and was not read with "
                 "rtcGetDeviceError\n"
                 "Embree device 0x20000: 100 B in use; it has no memory monitor\n"
                 "  0 scenes, 0 geometries, 1 buffer\n"
                 "  1 reference: 0 of the program, 1 of its scenes, geometries and buffers\n"
                 "  released by the program; its scenes, geometries and buffers keep it alive\n");
}
END_TEST

START_TEST(two_words)
{
    static const char *const words[] = {"embree", "buffers", "--json", NULL};
    static char text[FRONT_TEXT];

    front_line(&front, "embree-buffers", "");
    memcpy(text, front.text, front.size + 1);
    front_expect(&front, "embree", "buffers", text);
    ck_assert_ptr_nonnull(strstr(text, "0x50100"));
    front_line(&front, "embree", "buffers -device 0x20000");
    ck_assert_ptr_null(strstr(front.text, "0x50000"));
    ck_assert_ptr_nonnull(strstr(front.text, "0x50100"));
    front_line(&front, "embree-buffers", "-context 0x20000");
    ck_assert_ptr_null(strstr(front.text, "0x50000"));
    front_refuses(&front, "embree", "buffers -device 0x30000",
                  "0x30000 is an Embree scene, not an Embree device");
    front_refuses(&front, "memobjs", "-device 0x20000", "has no option -device");
    front_refuses(&front, "embree", "queues", "Unknown verb 'embree queues'");
    front_refuses(&front, "embree", "buffers 0x50000", "takes no argument");
    front_words(&front, words);
    ck_assert_ptr_nonnull(strstr(front.text, "\"ownership\": \"shared\""));
}
END_TEST

START_TEST(one_object)
{
    front_line(&front, "embree", "scene 0x30000");
    ck_assert_ptr_nonnull(strstr(front.text, "Embree scene 0x30000, building, 1 geometry, at least "
                                             "2097152 B (2 MiB), 1 reference.\n"));
    ck_assert_ptr_nonnull(strstr(front.text, "Its geometries:\n"));
    front_line(&front, "embree-geometry", "0x40000");
    ck_assert_ptr_nonnull(strstr(front.text, "Embree geometry 0x40000, triangle, 12 primitives"));
    ck_assert_ptr_nonnull(
        strstr(front.text, "Still alive after its release: 1 reference of a scene.\n"));
    ck_assert_ptr_nonnull(strstr(front.text, "Its buffers:\n"));
    /* Whatever its verb, an object is found by its handle. */
    front_line(&front, "object", "0x20000");
    ck_assert_ptr_nonnull(strstr(front.text, "Embree device 0x20000, 100 B in use, 0 references"));
    /* So is a buffer by an address in its memory. */
    front_line(&front, "object", "0x9010");
    expect_has("0x9010 is byte 16 of the memory of this object:\n"
               "Embree buffer 0x50100, owned, 100 B at 0x9000");
    front_refuses(&front, "object", "0x9064", "0x9064 belongs to no live object");
    front_refuses(&front, "embree-scene", "0x20000",
                  "0x20000 is an Embree device, not an Embree scene: use `opencl embree-device`.");
    front_line(&front, "embree-scene", "0x30000 -json");
    ck_assert_ptr_nonnull(strstr(front.text, "\"attached_geometries\": [{"));
    front_line(&front, "embree-device", "0x10000 -json");
    ck_assert_ptr_nonnull(strstr(front.text, "\"monitor_place\": {\"symbol\": \"watch\""));
    /* The recorder knows nothing of Embree. */
    ck_assert_ptr_null(strstr(front.text, "recorder"));
}
END_TEST

START_TEST(summary_in_json)
{
    front_line(&front, "embree", "-json");
    ck_assert_ptr_nonnull(strstr(front.text, "\"bytes\": 26835844"));
    ck_assert_ptr_nonnull(
        strstr(front.text, "\"released\": {\"scenes\": 0, \"geometries\": 1, \"buffers\": 1}"));
    ck_assert_ptr_nonnull(strstr(front.text, "\"building\": [\"0x30000\"]"));
}
END_TEST

/* `check` shows all findings, `embree check` those of Embree. */
START_TEST(findings_of_embree)
{
    front_line(&front, "check", "");
    ck_assert_ptr_nonnull(strstr(front.text, "2  Certain: "));
    ck_assert_int_eq(front_line(&front, "embree", "check"), ompd_view_exit_findings);
    ck_assert_ptr_nonnull(strstr(front.text, "1  Certain: Embree buffer 0x50000 uses host memory"));
    ck_assert_ptr_null(strstr(front.text, "0x9080"));
    expect_has(
        "2  Certain: the error function of Embree device 0x10000 is 0x402000, where there is "
        "no code.\n");
    expect_has(
        "3  Certain: progress monitor watch at app.c:9 of Embree scene 0x30000 will be called "
        "with a user pointer to memory of a function that has returned, 0x7000 on the stack "
        "of LWP 4711 (thread 1).\n");
    expect_has("Note: LWP 4711 (thread 1) is in memory monitor watch at app.c:9");
    expect_has(
        "Note: error RTC_ERROR_OUT_OF_MEMORY of Embree device 0x10000 is set and was not read "
        "with rtcGetDeviceError.\n");
    ck_assert_int_eq(front_line(&front, "embree", "check -json"), ompd_view_exit_findings);
    ck_assert_ptr_null(strstr(front.text, "0x9080"));
}
END_TEST

/* `leaks` shows leaks of both, `embree leaks` those of Embree. */
START_TEST(leaks_of_embree)
{
    front_line(&front, "leaks", "");
    expect_has("Presumably leaked: 1 memory object (0 B), 2 Embree buffers (4.1 KiB).\n");
    ck_assert_int_eq(front_line(&front, "embree", "leaks"), ompd_view_exit_findings);
    ck_assert_str_eq(front.text, "Presumably leaked: 2 Embree buffers (4.1 KiB).\n"
                                 "  presumably 2 Embree buffers (4.1 KiB): 0x50000 and 1 more\n"
                                 "    lost: not found in the program's memory\n"
                                 "Released, but still alive: 1 Embree device.\n"
                                 "  Embree device 0x20000: Embree buffer 0x50100 keeps it alive\n"
                                 "The program presumably holds the handle of 1 other object.\n");
    front_line(&front, "embree", "leaks -json");
    ck_assert_ptr_null(strstr(front.text, "0x9080"));
}
END_TEST

/* In a process without OpenCL the graph is Embree's: what has each object, and what instances
 * show. */
START_TEST(graph_of_embree)
{
    overview_rc = ompd_rc_unavailable;
    ck_assert_int_eq(front_line(&front, "graph", ""), ompd_view_exit_ok);
    expect_has("digraph \"Embree\"");
    ck_assert_int_eq(front_line(&front, "graph", "-json"), ompd_view_exit_ok);
    /* Devices, the scene, its geometry, and two buffers, one of which is of no geometry. */
    expect_has("{\"schema\": 1, \"from\": 1, \"to\": 3, \"relation\": \"has\", \"count\": 1}");
    expect_has("{\"schema\": 1, \"from\": 3, \"to\": 4, \"relation\": \"has\", \"count\": 1}");
    expect_has("{\"schema\": 1, \"from\": 4, \"to\": 5, \"relation\": \"has\", \"count\": 1}");
    expect_has("{\"schema\": 1, \"from\": 2, \"to\": 6, \"relation\": \"has\", \"count\": 1}");
    has_embree = false;
    ck_assert_int_eq(front_line(&front, "graph", ""), ompd_view_exit_unreadable);
    ck_assert_str_eq(front_message(&front), "There is no OpenCL here.");
}
END_TEST

/* A process without OpenCL has an overview if it has Embree devices. */
START_TEST(overview_without_opencl)
{
    overview_rc = ompd_rc_unavailable;
    ck_assert_int_eq(front_line(&front, "overview", ""), ompd_view_exit_ok);
    ck_assert_ptr_nonnull(
        strstr(front.text, "2 devices, at least 25.6 MiB in use: see `opencl embree`\n"));
    ck_assert_ptr_nonnull(strstr(front.text, "There is no OpenCL here."));
    ck_assert_int_eq(front_line(&front, "overview", "-json"), ompd_view_exit_ok);
    ck_assert_ptr_nonnull(strstr(front.text, "\"embree_devices\": 2"));
    has_embree = false;
    ck_assert_int_eq(front_line(&front, "overview", ""), ompd_view_exit_unreadable);
    ck_assert_str_eq(front_message(&front), "There is no OpenCL here.");
    ck_assert_int_eq(front_line(&front, "embree", ""), ompd_view_exit_unreadable);
}
END_TEST

START_TEST(completion)
{
    bool is_expression;

    ck_assert_str_eq(ompd_view_completion_get(front.view, "embree", "dev", 0, &is_expression),
                     "devices");
    ck_assert_str_eq(ompd_view_completion_get(front.view, "embree", "dev", 1, &is_expression),
                     "device");
    ck_assert_ptr_null(ompd_view_completion_get(front.view, "embree", "dev", 2, &is_expression));
    ck_assert_str_eq(
        ompd_view_completion_get(front.view, "embree", "buffers -dev", 0, &is_expression),
        "-device");
    ck_assert_ptr_null(
        ompd_view_completion_get(front.view, "embree", "device ", 0, &is_expression));
    ck_assert(is_expression);
    ck_assert_ptr_nonnull(strstr(ompd_view_help_get(front.view, "embree"), "embree check"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-embree");
    TCase *tcase = tcase_create("embree");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, summary);
    tcase_add_test(tcase, two_words);
    tcase_add_test(tcase, one_object);
    tcase_add_test(tcase, summary_in_json);
    tcase_add_test(tcase, findings_of_embree);
    tcase_add_test(tcase, leaks_of_embree);
    tcase_add_test(tcase, graph_of_embree);
    tcase_add_test(tcase, overview_without_opencl);
    tcase_add_test(tcase, completion);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
