/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shared virtual memory. What must complete has a queue of its own, as commands of other cases may
 * wait for the gate. */
#include "rules.h"

#include <malloc.h>
#include <stdlib.h>

/* ---- Freed while in use ---------------------------------------------------------------------- */

static void svm_mapped(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    cl_command_queue queue = runtime_queue_create(&scene->runtime, scene->context, 0);
    void *memory = rules_make_svm(scene);

    AT(told.other_line, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, memory, SIZE, 0, NULL, NULL));
    if (!scene->is_wrong)
        clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL);
    clFinish(queue);
    AT(told.line, clSVMFree(scene->context, memory));
    told.object = memory;
    mistake_stop(scene, &told);
    clReleaseCommandQueue(queue);
}

#define MAP_LATER(scene, memory)                                                                   \
    clEnqueueSVMMap((scene)->queue, CL_FALSE, CL_MAP_READ, memory, SIZE, 1, &(scene)->gate, NULL)
#define UNMAP_LATER(scene, memory) clEnqueueSVMUnmap((scene)->queue, memory, 0, NULL, NULL)

/* Commands that wait for the gate and use MEMORY. TOLD gets where each is enqueued. */

static void copy_later(const scene_t *scene, char *memory, told_t *told)
{
    static char target[SIZE];

    AT(told->line,
       clEnqueueSVMMemcpy(scene->queue, CL_FALSE, target, memory, SIZE, 1, &scene->gate, NULL));
}

static void fill_later(const scene_t *scene, char *memory, told_t *told)
{
    AT(told->line,
       clEnqueueSVMMemFill(scene->queue, memory + 64, "", 1, 64, 1, &scene->gate, NULL));
}

static void map_later(const scene_t *scene, char *memory, told_t *told)
{
    AT(told->line, MAP_LATER(scene, memory) | UNMAP_LATER(scene, memory));
}

static void migrate_later(const scene_t *scene, char *memory, told_t *told)
{
    const void *pointers[] = {memory};

    AT(told->line,
       clEnqueueSVMMigrateMem(scene->queue, 1, pointers, NULL, 0, 1, &scene->gate, NULL));
}

/* The wrong one frees the memory at once, the right one with a later command. */
static void free_in_use(const scene_t *scene, void (*use)(const scene_t *, char *, told_t *))
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE, .object = scene->queue};
    void *memory = rules_make_svm(scene);

    use(scene, memory, &told);
    if (scene->is_wrong)
        AT(told.other_line, clSVMFree(scene->context, memory));
    else
        clEnqueueSVMFree(scene->queue, 1, &memory, NULL, NULL, 0, NULL, NULL);
    told.other = memory;
    mistake_stop(scene, &told);
}

static void svm_copied(const scene_t *scene)
{
    free_in_use(scene, copy_later);
}

static void svm_filled(const scene_t *scene)
{
    free_in_use(scene, fill_later);
}

static void svm_map_pending(const scene_t *scene)
{
    free_in_use(scene, map_later);
}

static void svm_migrated(const scene_t *scene)
{
    free_in_use(scene, migrate_later);
}

/* The right one copies memory of the program, where malloc has reused that of an allocation. */
static void svm_copied_again(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    static char target[64];
    told_t told = {.size = sizeof(target), .object = scene->queue};
    char *former = NULL;
    char *first = clSVMAlloc(scene->context, CL_MEM_READ_WRITE, sizeof(target), 0);
    char *memory = first;

    for (int i = 0; i < 100 && !scene->is_wrong && former != memory; i++) {
        former = clSVMAlloc(scene->context, CL_MEM_READ_WRITE, sizeof(target), 0);
        size_t room = malloc_usable_size(former);
        clSVMFree(scene->context, former);
        memory = malloc(room);
    }
    AT(told.line, clEnqueueSVMMemcpy(scene->queue, CL_FALSE, target, memory, sizeof(target), 1,
                                     &scene->gate, NULL));
    if (scene->is_wrong)
        AT(told.other_line, clSVMFree(scene->context, first));
    told.other = memory;
    mistake_stop(scene, &told);
    if (!scene->is_wrong)
        clSVMFree(scene->context, first);
}

/* The wrong ones use the memory behind the command that frees it, in an in-order queue. */
static void free_before(const scene_t *scene, void (*use)(const scene_t *, char *, told_t *))
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE, .object = scene->queue};
    void *memory = rules_make_svm(scene);

    if (!scene->is_wrong)
        use(scene, memory, &told);
    AT(told.other_line,
       clEnqueueSVMFree(scene->queue, 1, &memory, NULL, NULL, 1, &scene->gate, NULL));
    if (scene->is_wrong)
        use(scene, memory, &told);
    told.address = (uintptr_t)memory;
    mistake_stop(scene, &told);
}

static void svm_copied_behind(const scene_t *scene)
{
    free_before(scene, copy_later);
}

static void run_later(const scene_t *scene, char *memory, told_t *told)
{
    const size_t one = 1;
    cl_kernel kernel = rules_make_kernel(
        scene, "kernel void put(global int *to) { to[get_global_id(0)] = 1; }", "put");

    clSetKernelArgSVMPointer(kernel, 0, memory);
    AT(told->line,
       clEnqueueNDRangeKernel(scene->queue, kernel, 1, NULL, &one, NULL, 1, &scene->gate, NULL));
    told->object = kernel;
    clReleaseKernel(kernel);
}

/* A kernel that gets memory by none of its arguments: the last of LISTS is what counts. */
static void run_beside(const scene_t *scene, void *const lists[2], told_t *told)
{
    const size_t one = 1;
    cl_kernel kernel = rules_make_kernel(scene, "kernel void none(void) {}", "none");

    for (size_t i = 0; i < 2; i++)
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(lists[i]), &lists[i]);
    AT(told->line,
       clEnqueueNDRangeKernel(scene->queue, kernel, 1, NULL, &one, NULL, 1, &scene->gate, NULL));
    told->object = kernel;
    clReleaseKernel(kernel);
}

static void run_beside_later(const scene_t *scene, char *memory, told_t *told)
{
    run_beside(scene, (void *[]){memory, memory + 8}, told);
}

static void svm_run_beside(const scene_t *scene)
{
    free_in_use(scene, run_beside_later);
}

/* Both free the memory at once; the right one has set another list before. */
static void svm_run_replaced(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *memory = rules_make_svm(scene);
    void *other = rules_make_svm(scene);

    if (scene->is_wrong)
        run_beside(scene, (void *[]){other, memory}, &told);
    else
        run_beside(scene, (void *[]){memory, other}, &told);
    AT(told.other_line, clSVMFree(scene->context, memory));
    told.other = memory;
    mistake_stop(scene, &told);
    clEnqueueSVMFree(scene->queue, 1, &other, NULL, NULL, 0, NULL, NULL);
}

static void svm_run_behind(const scene_t *scene)
{
    free_before(scene, run_later);
}

/* ---- Memory that is not an allocation -------------------------------------------------------- */

static void svm_free_heap(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *memory = scene->is_wrong ? aligned_alloc(SIZE, SIZE) : rules_make_svm(scene);

    told.address = (uintptr_t)memory;
    AT(told.line, clSVMFree(scene->context, memory));
    mistake_stop(scene, &told);
}

/* The runtime may free a pointer into an allocation, which kills the program. */
static void svm_free_inner(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    char *memory = AT(told.other_line, rules_make_svm(scene));

    told.object = memory;
    told.address = (uintptr_t)(memory + (scene->is_wrong ? 64 : 0));
    told.line = __LINE__ + 2;
    mistake_tell(scene, &told);
    clSVMFree(scene->context, memory + (scene->is_wrong ? 64 : 0));
    mistake_halt(scene);
}

/* The command stays pending until the gate opens, so that nothing is freed before the stop. */
static void svm_free_heap_later(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *memory = scene->is_wrong ? aligned_alloc(SIZE, SIZE) : rules_make_svm(scene);

    told.address = (uintptr_t)memory;
    AT(told.line, clEnqueueSVMFree(scene->queue, 1, &memory, NULL, NULL, 1, &scene->gate, NULL));
    mistake_stop(scene, &told);
}

/* A function of the program may free any memory. */
static void CL_CALLBACK free_heap(cl_command_queue queue, cl_uint count, void *pointers[],
                                  void *user_data)
{
    (void)queue;
    (void)count;
    if (user_data != NULL)
        free(pointers[0]);
}

static void svm_free_heap_by_function(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *memory = aligned_alloc(SIZE, SIZE);

    told.address = (uintptr_t)memory;
    AT(told.line, clEnqueueSVMFree(scene->queue, 1, &memory, scene->is_wrong ? NULL : free_heap,
                                   memory, 1, &scene->gate, NULL));
    mistake_stop(scene, &told);
}

/* ---- Another OpenCL context ------------------------------------------------------------------ */

static void svm_free_in_other(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    cl_context other = clCreateContext(NULL, 1, &scene->runtime.device, NULL, NULL, NULL);
    void *memory = AT(told.other_line, rules_make_svm(scene));

    told.object = memory;
    told.other = scene->context;
    AT(told.line, clSVMFree(scene->is_wrong ? other : scene->context, memory));
    mistake_stop(scene, &told);
    clReleaseContext(other);
}

static void svm_free_in_other_later(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    cl_context other = clCreateContext(NULL, 1, &scene->runtime.device, NULL, NULL, NULL);
    cl_command_queue queue = runtime_queue_create(&scene->runtime, other, 0);
    cl_event gate = clCreateUserEvent(other, NULL);
    void *memory = AT(told.other_line, rules_make_svm(scene));

    told.object = memory;
    told.other = scene->context;
    AT(told.line, clEnqueueSVMFree(scene->is_wrong ? queue : scene->queue, 1, &memory, NULL, NULL,
                                   1, scene->is_wrong ? &gate : &scene->gate, NULL));
    mistake_stop(scene, &told);
    clSetUserEventStatus(gate, CL_COMPLETE);
    clFinish(queue);
    clReleaseEvent(gate);
    clReleaseCommandQueue(queue);
    clReleaseContext(other);
}

static void svm_argument_of_other(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    cl_command_queue queue = runtime_queue_create(&scene->runtime, scene->context, 0);
    const size_t one = 1;
    cl_context other = clCreateContext(NULL, 1, &scene->runtime.device, NULL, NULL, NULL);
    cl_context owner = scene->is_wrong ? other : scene->context;
    cl_kernel kernel = rules_make_kernel(
        scene, "kernel void put(global int *to) { to[get_global_id(0)] = 1; }", "put");
    void *memory = AT(told.other_line, clSVMAlloc(owner, CL_MEM_READ_WRITE, SIZE, 0));

    told.object = memory;
    told.other = other;
    clSetKernelArgSVMPointer(kernel, 0, memory);
    AT(told.line, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    clFinish(queue);
    mistake_stop(scene, &told);
    clSVMFree(owner, memory);
    clReleaseKernel(kernel);
    clReleaseContext(other);
    clReleaseCommandQueue(queue);
}

/* ---- Freed again ----------------------------------------------------------------------------- */

/* The runtime may notice it, which kills the program. */
static void svm_free_again(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *memory = rules_make_svm(scene);
    void *other = rules_make_svm(scene);

    told.address = (uintptr_t)memory;
    AT(told.other_line, clSVMFree(scene->context, memory));
    told.line = __LINE__ + 2;
    mistake_tell(scene, &told);
    clSVMFree(scene->context, scene->is_wrong ? memory : other);
    mistake_halt(scene);
}

/* By clSVMFree, while a command that frees it is pending. */
static void svm_free_now_again(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *memory = rules_make_svm(scene);
    void *other = rules_make_svm(scene);

    told.address = (uintptr_t)memory;
    AT(told.other_line,
       clEnqueueSVMFree(scene->queue, 1, &memory, NULL, NULL, 1, &scene->gate, NULL));
    AT(told.line, clSVMFree(scene->context, scene->is_wrong ? memory : other));
    mistake_stop(scene, &told);
}

/* By a command that is still pending, after clSVMFree. */
static void svm_free_later_again(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *memory = rules_make_svm(scene);
    void *other = rules_make_svm(scene);

    told.address = (uintptr_t)memory;
    AT(told.other_line, clSVMFree(scene->context, memory));
    AT(told.line, clEnqueueSVMFree(scene->queue, 1, scene->is_wrong ? &memory : &other, NULL, NULL,
                                   1, &scene->gate, NULL));
    mistake_stop(scene, &told);
}

static void svm_free_listed_twice(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    void *memory = rules_make_svm(scene);
    void *pointers[] = {memory, memory};

    told.address = (uintptr_t)memory;
    AT(told.line, clEnqueueSVMFree(scene->queue, scene->is_wrong ? 2 : 1, pointers, NULL, NULL, 1,
                                   &scene->gate, NULL));
    mistake_stop(scene, &told);
}

/* A function that the program gave frees it, before the program does so once more. */
static int function_line;

static void CL_CALLBACK free_svm(cl_command_queue queue, cl_uint count, void *pointers[],
                                 void *context)
{
    (void)queue;
    (void)count;
    AT(function_line, clSVMFree(context, pointers[0]));
}

static void svm_free_by_function(const scene_t *scene)
{
    if (scene->runtime.svm == 0)
        return;
    told_t told = {.size = SIZE};
    cl_command_queue queue = runtime_queue_create(&scene->runtime, scene->context, 0);
    void *memory = rules_make_svm(scene);

    told.address = (uintptr_t)memory;
    clEnqueueSVMFree(queue, 1, &memory, free_svm, scene->context, 0, NULL, NULL);
    clFinish(queue);
    told.other_line = function_line;
    told.line = __LINE__ + 3;
    mistake_tell(scene, &told);
    if (scene->is_wrong)
        clSVMFree(scene->context, memory);
    mistake_halt(scene);
    clReleaseCommandQueue(queue);
}

const mistake_t rules_of_svm[] = {
    {"svm-mapped", svm_mapped},
    {"svm-copied", svm_copied},
    {"svm-filled", svm_filled},
    {"svm-map-pending", svm_map_pending},
    {"svm-migrated", svm_migrated},
    {"svm-copied-again", svm_copied_again},
    {"svm-copied-behind", svm_copied_behind},
    {"svm-run-behind", svm_run_behind},
    {"svm-run-beside", svm_run_beside},
    {"svm-run-replaced", svm_run_replaced},
    {"svm-free-heap", svm_free_heap},
    {"svm-free-inner", svm_free_inner},
    {"svm-free-heap-later", svm_free_heap_later},
    {"svm-free-heap-by-function", svm_free_heap_by_function},
    {"svm-free-in-other", svm_free_in_other},
    {"svm-free-in-other-later", svm_free_in_other_later},
    {"svm-argument-of-other", svm_argument_of_other},
    {"svm-free-again", svm_free_again},
    {"svm-free-now-again", svm_free_now_again},
    {"svm-free-later-again", svm_free_later_again},
    {"svm-free-listed-twice", svm_free_listed_twice},
    {"svm-free-by-function", svm_free_by_function},
    {NULL, NULL},
};
