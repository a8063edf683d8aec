/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See command-line.h: a view's verbs. */
#include <view/command-line.h>

#include <string.h>
#include <view/report/report.h>
#include <view/verbs/verbs.h>

/* Extra columns of destructor callbacks. */
static const char *const destructors_also[] = {"object", "running_lwp", NULL};

/* Extra columns of event and build callbacks. */
static const char *const callbacks_also[] = {"running_lwp", NULL};

static const char *const runtimes_also[] = {"table", "found_by", NULL};

#define LIST (ompd_view_takes_target | ompd_view_takes_filters)
#define ONE (ompd_view_takes_target | ompd_view_takes_one)

/* In the order of help. */
static const ompd_view_verb_t verbs[] = {
    {"overview", "Summarize the program's OpenCL objects and activity.",
     .takes = ompd_view_takes_target, .run = view_overview_run},
    {"platforms", "List the platforms of the program's contexts.", .kind = ompd_cl_kind_platform,
     .takes = LIST, .run = view_platforms_run},
    {"devices", "List the devices of the program's contexts.", .kind = ompd_cl_kind_device,
     .takes = LIST, .run = view_list_run},
    {"contexts", "List OpenCL contexts.", .kind = ompd_cl_kind_context, .takes = LIST,
     .run = view_list_run},
    {"queues", "List command queues.", .kind = ompd_cl_kind_queue, .takes = LIST,
     .run = view_list_run},
    {"memobjs", "List buffers, sub-buffers, images and pipes.", .kind = ompd_cl_kind_memobj,
     .takes = LIST, .run = view_list_run},
    {"destructors", "List destructor callbacks in call order.", "[HANDLE]", ompd_cl_kind_destructor,
     destructors_also, LIST, .run = view_destructors_run},
    {"svm", "List shared virtual memory (SVM) allocations.", .kind = ompd_cl_kind_svm,
     .takes = LIST, .run = view_list_run},
    {"svm-frees", "List clEnqueueSVMFree commands.", .kind = ompd_cl_kind_svm_free, .takes = LIST,
     .run = view_list_run},
    {"commands", "List unfinished and recent commands of queues.", .kind = ompd_cl_kind_command,
     .takes = LIST, .run = view_list_run},
    {"events", "List events and the progress of their commands.", .kind = ompd_cl_kind_event,
     .takes = LIST, .run = view_list_run},
    {"mappings", "List mappings, and where they were unmapped.", .kind = ompd_cl_kind_mapping,
     .takes = LIST, .run = view_list_run},
    {"callbacks", "List pending and running event and build callbacks.",
     .kind = ompd_cl_kind_callback, .also = callbacks_also, .takes = LIST, .run = view_list_run},
    {"kernels", "List kernels.", .kind = ompd_cl_kind_kernel, .takes = LIST, .run = view_list_run},
    {"programs", "List programs and their build results.", .kind = ompd_cl_kind_program,
     .takes = LIST, .run = view_list_run},
    {"samplers", "List samplers.", .kind = ompd_cl_kind_sampler, .takes = LIST,
     .run = view_list_run},
    {"command-buffers", "List command buffers.", .kind = ompd_cl_kind_command_buffer, .takes = LIST,
     .run = view_list_run},
    {"semaphores", "List semaphores and their payloads.", .kind = ompd_cl_kind_semaphore,
     .takes = LIST, .run = view_list_run},
    {"embree", "Summarize the program's Embree devices.", .kind = ompd_cl_kind_embree_device,
     .takes = ompd_view_takes_target, .run = view_embree_run},
    {"embree-devices", "List Embree devices and their memory monitors.",
     .kind = ompd_cl_kind_embree_device, .takes = LIST, .run = view_list_run},
    {"embree-scenes", "List Embree scenes.", .kind = ompd_cl_kind_embree_scene, .takes = LIST,
     .run = view_list_run},
    {"embree-geometries", "List Embree geometries.", .kind = ompd_cl_kind_embree_geometry,
     .takes = LIST, .run = view_list_run},
    {"embree-buffers", "List Embree buffers.", .kind = ompd_cl_kind_embree_buffer, .takes = LIST,
     .run = view_list_run},
    {"embree-device", "Show one Embree device.", "HANDLE", ompd_cl_kind_embree_device, .takes = ONE,
     .run = view_object_run},
    {"embree-scene", "Show one Embree scene and its geometries.", "HANDLE",
     ompd_cl_kind_embree_scene, .takes = ONE, .run = view_object_run},
    {"embree-geometry", "Show one Embree geometry and its buffers.", "HANDLE",
     ompd_cl_kind_embree_geometry, .takes = ONE, .run = view_object_run},
    {"embree-buffer", "Show one Embree buffer.", "HANDLE", ompd_cl_kind_embree_buffer, .takes = ONE,
     .run = view_object_run},
    {"memobj", "Show one memory object and its callbacks.", "HANDLE", ompd_cl_kind_memobj,
     .takes = ONE, .run = view_object_run},
    {"context", "Show one OpenCL context and its callbacks.", "HANDLE", ompd_cl_kind_context,
     .takes = ONE, .run = view_object_run},
    {"queue", "Show one command queue and its commands, in order.", "HANDLE", ompd_cl_kind_queue,
     .takes = ONE, .run = view_queue_run},
    {"command", "Show one command, by its event or row number.", "HANDLE", ompd_cl_kind_command,
     .takes = ONE, .run = view_object_run},
    {"svm-free", "Show one clEnqueueSVMFree, by its event or a pointer.", "HANDLE",
     ompd_cl_kind_svm_free, .takes = ONE, .run = view_object_run},
    {"event", "Show one event and its callbacks.", "HANDLE", ompd_cl_kind_event, .takes = ONE,
     .run = view_object_run},
    {"kernel", "Show one kernel.", "HANDLE", ompd_cl_kind_kernel, .takes = ONE,
     .run = view_object_run},
    {"program", "Show one program, its build and its callbacks.", "HANDLE", ompd_cl_kind_program,
     .takes = ONE, .run = view_object_run},
    {"sampler", "Show one sampler.", "HANDLE", ompd_cl_kind_sampler, .takes = ONE,
     .run = view_object_run},
    {"command-buffer", "Show one command buffer and its commands, in order.", "HANDLE",
     ompd_cl_kind_command_buffer, .takes = ONE, .run = view_object_run},
    {"semaphore", "Show one semaphore and the commands that use it.", "HANDLE",
     ompd_cl_kind_semaphore, .takes = ONE, .run = view_object_run},
    {"object", "Identify a handle or address, live or destroyed.", "HANDLE", .takes = ONE,
     .run = view_any_run},
    {"destroyed", "List recently destroyed objects and who released them.",
     .kind = ompd_cl_kind_destroyed, .takes = LIST, .run = view_destroyed_run},
    {"errors", "List recent OpenCL calls that returned an error.", .kind = ompd_cl_kind_error,
     .takes = LIST, .run = view_errors_run},
    {"messages", "List recent messages of runtimes about contexts.", .kind = ompd_cl_kind_message,
     .takes = LIST, .run = view_messages_run},
    {"calls", "List the last OpenCL calls of each thread.", .kind = ompd_cl_kind_call,
     .takes = LIST, .run = view_calls_run},
    {"ledger", "Show who retained and released an object, in order.", "[HANDLE]",
     ompd_cl_kind_ledger, .takes = LIST, .run = view_ledger_run},
    {"check", "Report misuse of OpenCL and Embree at this stop.", .kind = ompd_cl_kind_finding,
     .takes = ompd_view_takes_target, .run = view_check_run},
    {"waits", "Show wait chains, and which of them are deadlocked.", .kind = ompd_cl_kind_wait_step,
     .takes = ompd_view_takes_target, .run = view_waits_run},
    {"holders", "Find where the program stores an object's handle.", "HANDLE",
     ompd_cl_kind_reference_site, .takes = ONE, .run = view_holders_run},
    {"leaks", "Report leaked objects, grouped by where they were made.", .kind = ompd_cl_kind_leak,
     .takes = ompd_view_takes_target, .run = view_leaks_run},
    {"threads", "List threads that use OpenCL, and what they wait for.",
     .kind = ompd_cl_kind_thread, .takes = LIST, .run = view_threads_run},
    {"memory", "Show memory used by OpenCL objects and by the library.", .kind = ompd_cl_kind_usage,
     .takes = ompd_view_takes_target, .run = view_memory_run},
    {"graph", "Write the object and wait graph in DOT for Graphviz.",
     .takes = ompd_view_takes_target, .run = view_graph_run},
    {"report", "Write an HTML report, without buffer contents.", "FILE",
     .takes = ompd_view_takes_target | ompd_view_takes_files, .run = view_report_run},
    {"save", "Save a small core snapshot, without buffer contents.", "FILE",
     .takes = ompd_view_takes_target | ompd_view_takes_files, .run = view_save_run},
    {"diff", "Show what changed between two snapshots, or since one.", "SNAPSHOT [SNAPSHOT]",
     .takes = ompd_view_takes_snapshots | ompd_view_takes_files, .run = view_diff_run},
    {"runtimes", "List the loaded OpenCL runtimes and their layouts.", .kind = ompd_cl_kind_runtime,
     .also = runtimes_also, .takes = LIST | ompd_view_takes_any_target, .run = view_list_run},
};

void view_verbs_take(ompd_view_t *view)
{
    view->verbs = verbs;
    view->verb_count = sizeof(verbs) / sizeof(verbs[0]);
}

static const ompd_view_verb_t *verb_called(ompd_view_t *view, const char *name)
{
    const ompd_view_verb_t *verb;

    for (size_t i = 0; (verb = ompd_view_verb_get(view, i)) != NULL; i++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

/* Aliases of verbs. */
static const struct {
    const char *word;
    const char *verb;
} aliases[] = {
    {"status", "overview"}, {"info", "overview"},   {"objects", "memory"},
    {"buffers", "memobjs"}, {"images", "memobjs"},  {"buffer", "memobj"},
    {"image", "memobj"},    {"hang", "waits"},      {"hangs", "waits"},
    {"deadlock", "waits"},  {"deadlocks", "waits"}, {"findings", "check"},
    {"mistakes", "check"},  {"gone", "destroyed"},  {"released", "destroyed"},
    {"leak", "leaks"},
};

const ompd_view_verb_t *view_verb_find(ompd_view_t *view, const char *name)
{
    const ompd_view_verb_t *verb = verb_called(view, name);

    for (size_t i = 0; verb == NULL && i < sizeof(aliases) / sizeof(aliases[0]); i++)
        if (strcmp(aliases[i].word, name) == 0)
            verb = verb_called(view, aliases[i].verb);
    return verb;
}

void view_verb_advise(const ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text)
{
    const ompd_view_front_end_t *front_end = &view->front_end;

    if (front_end->help_before == NULL)
        return;
    text_add(text, ": try `%s%s%s%s`", front_end->help_before, verb != NULL ? " " : "",
             verb != NULL ? verb->name : "",
             front_end->help_after != NULL ? front_end->help_after : "");
}
