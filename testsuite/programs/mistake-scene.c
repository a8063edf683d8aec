/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The arguments of a program that makes one mistake of many, or does the same correctly:
 * PROGRAM NAME wrong|right [abort|wait|end]. NAME may be `all` with `right`: all of them in order.
 *
 * Then it writes a line of JSON with the subject of the mistake to its standard output, calls
 * truth_stop and ends. With the word `abort` it aborts there. With `wait` it aborts when there is
 * input on its standard input. With `end` it goes on, releases its objects and returns from main.
 */
#include "mistake.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void mistake_tell(const scene_t *scene, const told_t *told)
{
    /* This output must not use freed memory. */
    static char buffer[BUFSIZ];
    if (scene->is_one_of_all)
        return;
    setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
    printf("{\"object\": \"%p\", \"other\": \"%p\", \"address\": \"0x%" PRIxPTR
           "\", \"size\": %zu, "
           "\"line\": %d, \"other_line\": %d, \"lwp\": %d}\n",
           told->object, told->other, told->address, told->size, told->line, told->other_line,
           told->lwp != 0 ? told->lwp : (int)gettid());
    fflush(stdout);
}

void mistake_halt(const scene_t *scene)
{
    if (scene->is_one_of_all || scene->is_to_end)
        return;
    if (scene->is_to_wait)
        truth_await_input();
    if (scene->is_to_abort || scene->is_to_wait)
        abort();
    truth_stop("mistake");
    _exit(0);
}

void mistake_stop(const scene_t *scene, const told_t *told)
{
    mistake_tell(scene, told);
    mistake_halt(scene);
}

static bool is_word(int argc, char **argv, int index, const char *word)
{
    return argc > index && strcmp(argv[index], word) == 0;
}

static void scene_begin(scene_t *scene, int argc, char **argv)
{
    *scene = (scene_t){
        .is_wrong = is_word(argc, argv, 2, "wrong"),
        .is_to_abort = is_word(argc, argv, 3, "abort"),
        .is_to_wait = is_word(argc, argv, 3, "wait"),
        .is_to_end = is_word(argc, argv, 3, "end"),
        .is_one_of_all = is_word(argc, argv, 1, "all"),
    };
    runtime_find(&scene->runtime);
    scene->context = clCreateContext(NULL, 1, &scene->runtime.device, NULL, NULL, NULL);
    scene->queue = runtime_queue_create(&scene->runtime, scene->context, 0);
    scene->gate = clCreateUserEvent(scene->context, NULL);
}

/* What waits for the gate runs now. */
static void scene_end(scene_t *scene)
{
    clSetUserEventStatus(scene->gate, CL_COMPLETE);
    clFinish(scene->queue);
    clReleaseEvent(scene->gate);
    clReleaseCommandQueue(scene->queue);
    clReleaseContext(scene->context);
}

/* Make the mistakes of ALL with NAME, or all of them; returns how many. */
static size_t make(const scene_t *scene, const mistake_t *all, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; all[i].name != NULL; i++) {
        if (!scene->is_one_of_all && strcmp(all[i].name, name) != 0)
            continue;
        all[i].run(scene);
        count++;
    }
    return count;
}

int mistake_main(int argc, char **argv, const mistake_t *const *groups)
{
    scene_t scene;
    size_t count = 0;

    truth_require(argc > 2, "usage: PROGRAM NAME wrong|right [abort|wait|end]");
    scene_begin(&scene, argc, argv);
    truth_require(!(scene.is_one_of_all && scene.is_wrong), "usage: PROGRAM all right");
    for (size_t i = 0; groups[i] != NULL; i++)
        count += make(&scene, groups[i], argv[1]);
    truth_require(count != 0, "there is no such mistake");
    if (scene.is_to_end) {
        scene_end(&scene);
        return 0;
    }
    scene.is_one_of_all = false;
    mistake_stop(&scene, &(told_t){.size = 0});
    return 0;
}
