/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sources/recorder/recorder.h"

#include <string.h>

#define RECORDER_NAME "libompd-opencl-recorder"

static void look_for_module(struct address_space *space, struct recorder_module *found)
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
        look_for_module(space, found);
    return found;
}
