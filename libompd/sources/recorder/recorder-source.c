/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder's registry as a source. */
#include "sources/recorder/recorder.h"

#include <string.h>

/* Compare the beginning of the root with the last one. If it has changed, there is another process,
 * or the recorder was loaded elsewhere, and all records have moved. */
static void compare_root_start(struct address_space *space)
{
    const struct registry *registry = &space->recorder->registry;

    if (space->recorder->root == registry->root &&
        memcmp(space->recorder->root_start, registry->root_start,
               sizeof(space->recorder->root_start)) == 0)
        return;
    space->recorder->root = registry->root;
    memcpy(space->recorder->root_start, registry->root_start, sizeof(space->recorder->root_start));
    space->recorder->registry.incarnation++;
    space->recorder->hints.count = 0;
}

static ompd_rc_t read_registry(struct address_space *space)
{
    ompd_rc_t rc;

    rc = registry_open(&space->recorder->registry);
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    record_decoders_make(&space->recorder->decoders, &space->recorder->registry);
    rc = lwp_map_read(space);
    if (rc != ompd_rc_ok)
        return address_space_set_message(space, rc);
    compare_root_start(space);
    return ompd_rc_ok;
}

/* Log whether the recorder is a source at this stop, by RC from read_registry. Returns RC, or
 * ompd_rc_interrupted. */
static ompd_rc_t log_recorder(const struct address_space *space, ompd_rc_t rc)
{
    const struct registry *registry = &space->recorder->registry;
    struct message line;
    ompd_rc_t printed;

    log_line_begin(&line);
    if (rc == ompd_rc_ok) {
        message_add(&line, "recorder: accepted, registry version ");
        message_add_decimal(&line, registry->major);
        message_add(&line, ".");
        message_add_decimal(&line, registry->minor);
        message_add(&line, " at ");
        message_add_hexadecimal(&line, registry->root);
        message_add(&line, " of process ");
        message_add_decimal(&line, registry->pid);
    } else {
        message_add(&line, "recorder: not used: ");
        message_add(&line, space->message.text);
    }
    printed = log_line_print(&space->target.log, ompd_cl_log_level_decision, &line);
    return printed == ompd_rc_ok ? rc : printed;
}

ompd_rc_t recorder_source_read(struct address_space *space)
{
    ompd_rc_t rc;

    if (space->registry_stop == space->target.stop)
        return ompd_rc_ok;
    space->registry_stop = 0;
    rc = read_registry(space);
    if (log_has(&space->target.log, ompd_cl_log_level_decision))
        rc = log_recorder(space, rc);
    if (rc == ompd_rc_ok)
        space->registry_stop = space->target.stop;
    return rc;
}

/* If symbols cannot be resolved because the modules' files are missing, the list of modules also
 * shows that there is no recorder. */
static bool is_without_recorder(struct address_space *space, ompd_rc_t rc)
{
    return rc == ompd_rc_error && space->recorder->registry.root == 0 && space->layouts != NULL &&
           recorder_module_find(space)->is_absent;
}

static ompd_rc_t fail_without_recorder(struct address_space *space)
{
    return address_space_fail(space, ompd_rc_unavailable,
                              "there is no OpenCL recorder in this process.");
}

ompd_rc_t recorder_source_open(struct address_space *space)
{
    ompd_rc_t rc;

    if (space->layouts != NULL && space->recorder->absent_stop == space->target.stop)
        return fail_without_recorder(space);
    rc = recorder_source_read(space);
    if (is_without_recorder(space, rc))
        rc = fail_without_recorder(space);
    if (rc == ompd_rc_unavailable)
        space->recorder->absent_stop = space->target.stop;
    return rc;
}

/* ---- The module of the recorder -------------------------------------------------------------- */

#define RECORDER_NAME "libompd-opencl-recorder"

static void search_module(struct address_space *space, struct recorder_module *found)
{
    struct module module;

    *found = (struct recorder_module){.stop = space->target.stop};
    if (space->target.extra.module == NULL)
        return;
    for (uint32_t i = 0; i < MODULE_LIMIT && found->end == 0; i++) {
        ompd_rc_t rc = module_get(&space->target, i, &module);

        if (rc == ompd_rc_unavailable) {
            found->is_absent = i != 0;
            return;
        }
        if (rc != ompd_rc_ok)
            return;
        if (strncmp(text_file_name(module.name), RECORDER_NAME, sizeof(RECORDER_NAME) - 1) == 0) {
            found->start = module.start;
            found->end = module.end;
        }
    }
}

const struct recorder_module *recorder_module_find(struct address_space *space)
{
    struct recorder_module *found = &space->recorder->module;

    if (found->stop != space->target.stop)
        search_module(space, found);
    return found;
}
