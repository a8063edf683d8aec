/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Asks each question of a process or a core through a tool that maps no memory and reads at most
 * 4 KiB at once, as over a slow connection, and counts what it reads:
 *
 *     question-reads PID|CORE HANDLE [all]
 *
 * HANDLE is a memory object. With `all`, layouts are chosen as a source: every question searches.
 * Each question has an address space of its own. It prints a line for each: its name, the return
 * code, rows, reads, bytes, and for the object its confidence.
 */
#include <errno.h>
#include <inttypes.h>
#include <ompd-opencl-host.h>
#include <ompd-opencl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 4096
#define BATCH 64
#define LARGEST_ROW 8192

static ompd_callback_memory_read_fn_t read_target;
static uint64_t reads;
static uint64_t bytes_read;

/* The answer to a question. */
typedef struct answer_t {
    ompd_rc_t rc;
    uint64_t rows;
    uint64_t confidence; /* ompd_cl_confidence_t of the object; 0: not asked */
} answer_t;

typedef struct question_t {
    const char *name;
    void (*ask)(ompd_address_space_handle_t *space, ompd_cl_kind_t kind, uint64_t handle,
                answer_t *answer);
    ompd_cl_kind_t kind;
} question_t;

static void require(bool is_so, const char *text)
{
    if (is_so)
        return;
    fprintf(stderr, "question-reads: %s\n", text);
    exit(EXIT_FAILURE);
}

static ompd_rc_t count_read(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                            const ompd_address_t *from, ompd_size_t size, void *buffer)
{
    reads += (size + MOST_BYTES - 1) / MOST_BYTES;
    bytes_read += size;
    return read_target(context, thread, from, size, buffer);
}

/* Read all rows of LIST. */
static void read_list(ompd_address_space_handle_t *space, ompd_cl_kind_t kind, ompd_cl_list_t list,
                      answer_t *answer)
{
    static _Alignas(uint64_t) char rows[BATCH * LARGEST_ROW];
    const char *name;
    ompd_size_t count;
    ompd_size_t size;
    ompd_rc_t rc;

    require(ompd_cl_kind_get(kind, &name, &size) == ompd_rc_ok && size <= LARGEST_ROW, "no kind");
    do {
        memcpy(rows, &size, sizeof(size));
        count = 0;
        rc = ompd_cl_list_next(space, list, kind, BATCH, rows, &count, NULL);
        if (rc != ompd_rc_ok)
            answer->rc = rc;
        answer->rows += count;
    } while ((rc == ompd_rc_ok || rc == ompd_rc_incomplete) && count != 0);
    ompd_cl_list_close(space, list);
}

static void ask_list(ompd_address_space_handle_t *space, ompd_cl_kind_t kind, uint64_t handle,
                     answer_t *answer)
{
    ompd_cl_list_t list;

    (void)handle;
    answer->rc = ompd_cl_list_open(space, kind, NULL, &list);
    if (answer->rc == ompd_rc_ok)
        read_list(space, kind, list, answer);
}

static void ask_overview(ompd_address_space_handle_t *space, ompd_cl_kind_t kind, uint64_t handle,
                         answer_t *answer)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};

    (void)kind;
    (void)handle;
    answer->rc = ompd_cl_overview_get(space, &info);
    answer->rows = info.memory_objects.value;
}

static void ask_find(ompd_address_space_handle_t *space, ompd_cl_kind_t kind, uint64_t handle,
                     answer_t *answer)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    uint64_t id;

    answer->rc = ompd_cl_object_find(space, kind, handle, &id);
    if (answer->rc != ompd_rc_ok)
        return;
    answer->rc = ompd_cl_object_get(space, kind, id, &info);
    answer->rows = 1;
    answer->confidence = info.head.confidence.value;
}

static void ask_nothing(ompd_address_space_handle_t *space, ompd_cl_kind_t kind, uint64_t handle,
                        answer_t *answer)
{
    /* The end of a page holds no object that begins there. */
    ask_find(space, kind, (handle | (MOST_BYTES - 1)) + 1 - sizeof(uint64_t), answer);
}

static void ask_callbacks(ompd_address_space_handle_t *space, ompd_cl_kind_t kind, uint64_t handle,
                          answer_t *answer)
{
    ompd_cl_list_t list;
    uint64_t id;

    answer->rc = ompd_cl_object_find(space, kind, handle, &id);
    if (answer->rc == ompd_rc_ok)
        answer->rc = ompd_cl_object_list_open(space, ompd_cl_kind_destructor, id, &list);
    if (answer->rc == ompd_rc_ok)
        read_list(space, ompd_cl_kind_destructor, list, answer);
}

static const question_t questions[] = {
    {"overview", ask_overview, ompd_cl_kind_memobj},
    {"memobjs", ask_list, ompd_cl_kind_memobj},
    {"queues", ask_list, ompd_cl_kind_queue},
    {"svm", ask_list, ompd_cl_kind_svm},
    {"svm-frees", ask_list, ompd_cl_kind_svm_free},
    {"find", ask_find, ompd_cl_kind_memobj},
    {"find-nothing", ask_nothing, ompd_cl_kind_memobj},
    {"callbacks", ask_callbacks, ompd_cl_kind_memobj},
    {"waits", ask_list, ompd_cl_kind_wait_step},
    {"check", ask_list, ompd_cl_kind_finding},
};

static ompd_host_target_t *open_target(const char *subject)
{
    ompd_host_target_t *target;
    char *end;
    unsigned long pid = strtoul(subject, &end, 10);
    ompd_host_rc_t rc = *end == '\0' ? ompd_host_process_open((pid_t)pid, NULL, &target)
                                     : ompd_host_core_open(subject, NULL, &target);

    require(rc == ompd_host_rc_ok, "no process and no core");
    return target;
}

int main(int argc, char **argv)
{
    ompd_cl_extra_t extra = {.struct_size = sizeof(extra)};
    ompd_address_space_context_t *context;
    ompd_callbacks_t callbacks;
    ompd_host_target_t *target;
    uint64_t handle;

    require(argc == 3 || argc == 4, "usage: question-reads PID|CORE HANDLE [all]");
    target = open_target(argv[1]);
    handle = strtoull(argv[2], NULL, 0);
    require(ompd_host_callbacks_get(target, &callbacks, &extra, &context) == ompd_host_rc_ok,
            "no callbacks");
    read_target = callbacks.read_memory;
    callbacks.read_memory = count_read;
    extra.map_memory = NULL;
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
        ompd_address_space_handle_t *space;
        answer_t answer = {0};

        require(ompd_cl_address_space_create(&callbacks, &extra, context, &space) == ompd_rc_ok &&
                    ompd_host_layouts_add(space) == ompd_rc_ok,
                "no address space");
        if (argc == 4)
            require(ompd_cl_sources_set(space, OMPD_CL_SOURCES_ALL) == ompd_rc_ok, "no sources");
        reads = bytes_read = 0;
        questions[i].ask(space, questions[i].kind, handle, &answer);
        printf("%s %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", questions[i].name,
               (int)answer.rc, answer.rows, reads, bytes_read, answer.confidence);
        ompd_rel_address_space_handle(space);
    }
    ompd_host_target_close(target);
    return EXIT_SUCCESS;
}
