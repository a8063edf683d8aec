/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Targets: open, describe and close them. */
#include <host/base/base.h>

#include <stdlib.h>
#include <string.h>

#include <host/core/core.h>
#include <host/elf/elf.h>
#include <host/process/process.h>

/* Copy the options that the caller's version of the struct has. */
static ompd_host_options_t options_of(const ompd_host_options_t *given)
{
    ompd_host_options_t options = {0};

    if (given != NULL)
        memcpy(&options, given,
               given->struct_size < sizeof(options) ? given->struct_size : sizeof(options));
    return options;
}

/* Create a target that is neither core nor process yet; NULL: out of memory. */
static ompd_host_target_t *target_create(const ompd_host_options_t *options)
{
    ompd_host_target_t *target = calloc(1, sizeof(*target));

    if (target == NULL)
        return NULL;
    target->core.descriptor = -1;
    target->process.memory = -1;
    target->asks_debuginfod = options->asks_debuginfod;
    target->opens_no_files = options->opens_no_files;
    target->progress = options->progress;
    target->progress_user_ptr = options->progress_user_ptr;
    target->is_interrupted = options->is_interrupted;
    target->log_level = options->log_level;
    if (options->executable != NULL)
        target->executable = strdup(options->executable);
    if (options->sysroot != NULL)
        target->sysroot = strdup(options->sysroot);
    if ((options->executable != NULL && target->executable == NULL) ||
        (options->sysroot != NULL && target->sysroot == NULL)) {
        ompd_host_target_close(target);
        return NULL;
    }
    return target;
}

/* Return TARGET to the caller, or close it if opening it failed with RC. */
static ompd_host_rc_t target_open_finish(ompd_host_target_t *opened, ompd_host_rc_t rc,
                                         ompd_host_target_t **target)
{
    if (rc != ompd_host_rc_ok) {
        message_of_open(opened->message);
        ompd_host_target_close(opened);
        return rc;
    }
    message_of_open("");
    target_message_clear(opened);
    *target = opened;
    return ompd_host_rc_ok;
}

static ompd_host_rc_t open_refuse(ompd_host_rc_t rc, const char *sentence)
{
    message_of_open(sentence);
    return rc;
}

PUBLIC ompd_host_rc_t ompd_host_process_open(pid_t pid, const ompd_host_options_t *options,
                                             ompd_host_target_t **target)
{
    ompd_host_options_t known = options_of(options);
    ompd_host_target_t *opened;

    if (target == NULL || pid <= 0)
        return open_refuse(ompd_host_rc_bad_input, "invalid process ID");
    opened = target_create(&known);
    if (opened == NULL)
        return open_refuse(ompd_host_rc_nomem, "out of memory");
    return target_open_finish(opened, process_open(opened, pid, known.leaves_running), target);
}

PUBLIC ompd_host_rc_t ompd_host_traced_process_open(pid_t pid,
                                                    const ompd_host_traced_thread_t *threads,
                                                    size_t count,
                                                    const ompd_host_options_t *options,
                                                    ompd_host_target_t **target)
{
    ompd_host_options_t known = options_of(options);
    ompd_host_target_t *opened;

    if (target == NULL || pid <= 0)
        return open_refuse(ompd_host_rc_bad_input, "invalid process ID");
    if (threads == NULL || !traced_threads_make_sense(threads, count))
        return open_refuse(ompd_host_rc_bad_input, "the threads or their registers are invalid");
    opened = target_create(&known);
    if (opened == NULL)
        return open_refuse(ompd_host_rc_nomem, "out of memory");
    return target_open_finish(opened, process_open_traced(opened, pid, threads, count), target);
}

PUBLIC ompd_host_rc_t ompd_host_core_open(const char *path, const ompd_host_options_t *options,
                                          ompd_host_target_t **target)
{
    ompd_host_options_t known = options_of(options);
    ompd_host_target_t *opened;
    ompd_host_rc_t rc;

    if (target == NULL || path == NULL)
        return open_refuse(ompd_host_rc_bad_input, "no core was named");
    opened = target_create(&known);
    if (opened == NULL)
        return open_refuse(ompd_host_rc_nomem, "out of memory");
    rc = core_open(opened, path);
    if (rc == ompd_host_rc_ok)
        rc = module_regions_find(opened);
    if (rc == ompd_host_rc_ok)
        rc = file_pages_find(opened);
    return target_open_finish(opened, rc, target);
}

PUBLIC void ompd_host_target_close(ompd_host_target_t *target)
{
    if (target == NULL)
        return;
    places_free(target);
    file_pages_free(target);
    symbols_close(target);
    process_close(target);
    core_close(&target->core);
    ompd_host_callbacks_free(target->bound);
    free(target->regions);
    for (size_t i = 0; i < target->thread_count; i++)
        free(target->threads[i].registers);
    free(target->threads);
    free(target->path);
    free(target->program);
    free(target->command_line);
    free(target->host_name);
    free(target->executable);
    free(target->sysroot);
    free(target);
}

static void describe_core(const ompd_host_target_t *target, ompd_host_target_info_t *info)
{
    const struct core *core = &target->core;

    info->is_core = true;
    info->file = target->path;
    info->size = core->size;
    info->whole_size = core->whole_size;
    info->saved_bytes = core->saved_bytes;
    info->left_out_bytes = core->left_out_bytes;
    info->unsaved_reads = &core->unsaved_reads;
    info->time = core->time;
    info->is_cut = core->is_cut;
    info->is_snapshot = core->is_snapshot;
    info->signal = target->signal;
    if (target->signal != 0)
        info->signal_lwp = (int32_t)target->threads[0].lwp;
}

PUBLIC ompd_host_rc_t ompd_host_target_get(const ompd_host_target_t *target,
                                           ompd_host_target_info_t *info)
{
    ompd_host_target_info_t known;

    if (target == NULL || info == NULL || info->struct_size < sizeof(info->struct_size))
        return ompd_host_rc_bad_input;
    known = (ompd_host_target_info_t){
        .struct_size = info->struct_size,
        .program = target->program,
        .command_line = target->command_line,
        .host_name = target->host_name,
        .pid = target->pid,
        .pointer_size = target->pointer_size,
        .thread_count = (uint32_t)target->thread_count,
        .is_swapped = target->is_swapped,
        .is_running = target_is_running(target),
        .short_places = target->short_places,
    };
    if (target_is_core(target))
        describe_core(target, &known);
    memcpy(info, &known, info->struct_size < sizeof(known) ? info->struct_size : sizeof(known));
    return ompd_host_rc_ok;
}
