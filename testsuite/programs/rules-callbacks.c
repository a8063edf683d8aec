/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that are undefined in destructor callbacks, and callbacks that cannot be called. */
#include "rules.h"

#include <string.h>
#include <sys/mman.h>

/* ---- Code ------------------------------------------------------------------------------------ */

static void CL_CALLBACK do_nothing(cl_mem memory, void *argument)
{
    (void)memory;
    (void)argument;
}

/* In place of a function of a library that was unloaded. The runtime would crash if it called it.
 */
static void no_code(const scene_t *scene)
{
    told_t told = {.size = SIZE};
    void *code = mmap(NULL, SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void(CL_CALLBACK * function)(cl_mem, void *) = do_nothing;
    cl_mem buffer = rules_make_buffer(scene);

    truth_require(code != MAP_FAILED && munmap(code, SIZE) == 0, "no memory");
    if (scene->is_wrong)
        memcpy(&function, &code, sizeof(function));
    AT(told.line, clSetMemObjectDestructorCallback(buffer, function, NULL));
    told.object = buffer;
    told.address = (uintptr_t)code;
    mistake_stop(scene, &told);
    clReleaseMemObject(buffer);
}

const mistake_t rules_of_callbacks[] = {
    {"no-code", no_code},
    {NULL, NULL},
};
