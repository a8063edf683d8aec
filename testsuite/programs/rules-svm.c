/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shared virtual memory. */
#include "rules.h"

/* ---- Freed while in use ---------------------------------------------------------------------- */

static void svm_mapped(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    void *memory = rules_make_svm(scene);

    AT(told.other_line,
       clEnqueueSVMMap(scene->queue, CL_TRUE, CL_MAP_WRITE, memory, SIZE, 0, NULL, NULL));
    if (!scene->is_wrong)
        clEnqueueSVMUnmap(scene->queue, memory, 0, NULL, NULL);
    clFinish(scene->queue);
    AT(told.line, clSVMFree(scene->context, memory));
    told.object = memory;
    mistake_stop(scene, &told);
}

const mistake_t rules_of_svm[] = {
    {"svm-mapped", svm_mapped},
    {NULL, NULL},
};
