/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arguments of kernels, and events that have failed. */
#include "rules.h"

/* ---- User events ----------------------------------------------------------------------------- */

static void event_set_twice(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    cl_event event = clCreateUserEvent(scene->context, NULL);

    AT(told.other_line, clSetUserEventStatus(event, CL_COMPLETE));
    if (scene->is_wrong)
        AT(told.line, clSetUserEventStatus(event, CL_COMPLETE));
    told.object = event;
    mistake_stop(scene, &told);
    clReleaseEvent(event);
}

const mistake_t rules_of_kernels[] = {
    {"event-set-twice", event_set_twice},
    {NULL, NULL},
};
