/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "session/recorder-source.h"

#include "registry/registry-root.h"
#include "session/recorder-module.h"

#include <string.h>

/* Keep how the root begins that was found.  Where that is not as before, there is another process,
 * or the recorder is in another place: then no record is where it was. */
static void keep_root_start(struct address_space *space)
{
    const struct registry *registry = &space->registry;

    if (space->root == registry->root &&
        memcmp(space->root_start, registry->root_start, sizeof(space->root_start)) == 0)
        return;
    space->root = registry->root;
    memcpy(space->root_start, registry->root_start, sizeof(space->root_start));
    space->registry.incarnation++;
    space->hints.count = 0;
}

ompd_rc_t recorder_source_read(struct address_space *space)
{
    ompd_rc_t rc;

    if (space->registry_stop == space->target.stop)
        return ompd_rc_ok;
    space->registry_stop = 0;
    rc = registry_open(&space->registry);
    if (rc != ompd_rc_ok)
        return address_space_explain(space, rc);
    record_decoders_make(&space->decoders, &space->registry);
    rc = lwp_map_take(space);
    if (rc != ompd_rc_ok)
        return address_space_explain(space, rc);
    keep_root_start(space);
    space->registry_stop = space->target.stop;
    return ompd_rc_ok;
}

/* When symbols cannot be looked up, because the modules' files are not here, the list of modules
 * tells as well that there is no recorder. */
static bool is_without_recorder(struct address_space *space, ompd_rc_t rc)
{
    return rc == ompd_rc_error && space->registry.root == 0 && space->layouts != NULL &&
           recorder_module_find(space)->is_absent;
}

static ompd_rc_t refuse_recorder(struct address_space *space)
{
    return address_space_fail(space, ompd_rc_unavailable,
                              "there is no OpenCL recorder in this process.");
}

ompd_rc_t recorder_source_open(struct address_space *space)
{
    ompd_rc_t rc;

    if (space->layouts != NULL && space->no_recorder_stop == space->target.stop)
        return refuse_recorder(space);
    rc = recorder_source_read(space);
    if (is_without_recorder(space, rc))
        rc = refuse_recorder(space);
    if (rc == ompd_rc_unavailable)
        space->no_recorder_stop = space->target.stop;
    return rc;
}
