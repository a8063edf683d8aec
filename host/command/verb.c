/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See verb.h. */
#include <host/command/verb.h>

#include <string.h>

/* What a table of destructor callbacks has besides: whose each is, and who runs it. */
static const char *const destructors_also[] = {"object", "running_lwp", NULL};

static const char *const runtimes_also[] = {"table", "found_by", NULL};

const struct command_verb command_verbs[] = {
    {
        .name = "overview",
        .summary = "Show what OpenCL holds in the program, in a few lines.",
        .takes_target = true,
        .run = command_overview_run,
    },
    {
        .name = "contexts",
        .summary = "List OpenCL contexts.",
        .kind = ompd_cl_kind_context,
        .takes_filters = true,
        .takes_target = true,
        .run = command_list_run,
    },
    {
        .name = "queues",
        .summary = "List command queues.",
        .kind = ompd_cl_kind_queue,
        .takes_filters = true,
        .takes_target = true,
        .run = command_list_run,
    },
    {
        .name = "memobjs",
        .summary = "List memory objects: buffers, sub-buffers, images and pipes.",
        .kind = ompd_cl_kind_memobj,
        .takes_filters = true,
        .takes_target = true,
        .run = command_list_run,
    },
    {
        .name = "destructors",
        .summary = "Show destructor callbacks in call order: of one object, or object by object.",
        .operand = "[HANDLE]",
        .kind = ompd_cl_kind_destructor,
        .also = destructors_also,
        .takes_filters = true,
        .takes_target = true,
        .run = command_destructors_run,
    },
    {
        .name = "svm",
        .summary = "List allocations of shared virtual memory (SVM).",
        .kind = ompd_cl_kind_svm,
        .takes_filters = true,
        .takes_target = true,
        .run = command_list_run,
    },
    {
        .name = "svm-frees",
        .summary = "List clEnqueueSVMFree commands.",
        .kind = ompd_cl_kind_svm_free,
        .takes_filters = true,
        .takes_target = true,
        .run = command_list_run,
    },
    {
        .name = "memobj",
        .summary = "Show one memory object and its callbacks.",
        .operand = "HANDLE",
        .kind = ompd_cl_kind_memobj,
        .shows_one = true,
        .takes_target = true,
        .run = command_object_run,
    },
    {
        .name = "context",
        .summary = "Show one OpenCL context and its callbacks.",
        .operand = "HANDLE",
        .kind = ompd_cl_kind_context,
        .shows_one = true,
        .takes_target = true,
        .run = command_object_run,
    },
    {
        .name = "queue",
        .summary = "Show one command queue.",
        .operand = "HANDLE",
        .kind = ompd_cl_kind_queue,
        .shows_one = true,
        .takes_target = true,
        .run = command_object_run,
    },
    {
        .name = "svm-free",
        .summary = "Show one clEnqueueSVMFree command, by its event or a pointer that it frees.",
        .operand = "HANDLE",
        .kind = ompd_cl_kind_svm_free,
        .shows_one = true,
        .takes_target = true,
        .run = command_object_run,
    },
    {
        .name = "threads",
        .summary = "List the threads that have entered OpenCL, what they wait for and run.",
        .kind = ompd_cl_kind_thread,
        .takes_filters = true,
        .takes_target = true,
        .run = command_threads_run,
    },
    {
        .name = "memory",
        .summary = "Show what the program holds by kind of object, and what the library holds.",
        .kind = ompd_cl_kind_usage,
        .takes_target = true,
        .run = command_memory_run,
    },
    {
        .name = "runtimes",
        .summary = "List the OpenCL runtimes in the program, and whether a layout fits them.",
        .kind = ompd_cl_kind_runtime,
        .also = runtimes_also,
        .takes_target = true,
        .run = command_list_run,
    },
    {
        .name = "triage",
        .summary = "Say in a line for each core why it died and what OpenCL was doing.",
        .operand = "CORE...",
        .opens_cores = true,
        .run = command_triage_run,
    },
    {
        .name = "run",
        .summary = "Run a program under the recorder and show what it leaves alive.",
        .operand = "PROGRAM [ARGUMENT...]",
        .keeps_options = true,
        .writes_file = true,
        .run = command_run_run,
    },
    {
        .name = "learn",
        .summary = "Learn where OpenCL runtimes keep their objects, to need no recorder.",
        .operand = "[RUNTIME...]",
        .writes_file = true,
        .has_time_limit = true,
        .run = command_learn_run,
    },
    {
        .name = "layouts",
        .summary = "List what is known of OpenCL runtimes, and which of the installed it fits.",
        .kind = ompd_cl_kind_layout,
        .has_time_limit = true,
        .run = command_layouts_run,
    },
};
const size_t command_verb_count = sizeof(command_verbs) / sizeof(command_verbs[0]);

const struct command_verb *command_verb_find(const char *name)
{
    for (size_t i = 0; i < command_verb_count; i++)
        if (strcmp(command_verbs[i].name, name) == 0)
            return &command_verbs[i];
    return NULL;
}
