/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ompd-opencl-probe: learns where an OpenCL runtime, or Embree, stores the fields of its objects.
 * It creates objects with known values and searches for these in their memory.  Only what also
 * holds for new objects is kept.  Started by `ompd-opencl learn`; base/base.h describes its output.
 */
#include <learn/embree/embree.h>
#include <learn/rules/rules.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct icd icd;
static struct layout_draft draft;
static struct builder builders[2];
static struct population populations[2];
static struct population earlier; /* the runtime may still have some of its objects */

/* Create population number INDEX again. */
static const char *population_create(unsigned index, uint64_t seed)
{
    const char *why;

    guard_heap_set_fill(index == 0 ? block_fill_first : block_fill_second);
    population_begin(&builders[index], &icd, &populations[index], seed);
    why = population_make(&builders[index]);
    return why;
}

/* Learn from two populations, and watch their release. */
static const char *layout_learn(void)
{
    static struct population *const all[] = {&populations[0], &populations[1], &earlier};
    const char *why = population_create(0, 0x9e3779b97f4a7c15);

    if (why == NULL)
        why = population_create(1, 0xd1b54a32d192ed03);
    if (why != NULL)
        return why;
    population_measure(&builders[1]);
    population_measure(&builders[0]);
    layout_draft_search(&draft, &populations[0]);
    layout_draft_filter(&draft, &populations[1]);
    layout_draft_choose(&draft);
    layout_draft_find_rules(&draft, &populations[0], &populations[1]);
    layout_draft_find_runtime_objects(&draft, all, 3, (uintptr_t)icd.table);
    guard_heap_retain_freed(true);
    release_counts_open(&draft);
    population_release(&builders[0], release_counts_watch);
    destruction_begin(&draft, &populations[1]);
    population_release(&builders[1], release_counts_watch);
    destruction_end();
    layout_draft_check_freed(&draft, &populations[0]);
    layout_draft_check_freed(&draft, &populations[1]);
    return NULL;
}

/* Drop what does not hold for new objects.  The last ones are created as with a loader that sets
 * dispatch data. */
static const char *layout_verify(uint64_t seed, bool is_first)
{
    const void *data = is_first ? NULL : icd_set_dispatch_data(&icd);
    const char *why = population_create(0, seed);

    if (why != NULL)
        return why;
    population_measure(&builders[0]);
    layout_draft_filter(&draft, &populations[0]);
    if (is_first) {
        destruction_conclude(&draft, &populations[0], &icd);
        release_counts_close(&draft, &builders[1]);
        reference_balance_learn_contexts(&draft, &populations[0]);
        reference_balance_learn(&draft, &populations[0], (uintptr_t)icd.table);
    } else {
        reference_balance_check(&draft, &populations[0], (uintptr_t)icd.table);
    }
    layout_draft_check_rules(&draft, &populations[0]);
    layout_draft_check_runtime_objects(&draft, &populations[0]);
    layout_draft_find_dispatch_data(&draft, &populations[0], data);
    if (!is_first) {
        layout_draft_report_missing(&draft, &populations[0]);
        deferred_list_learn(&draft, &builders[0]);
    }
    guard_heap_retain_freed(false);
    population_release(&builders[0], NULL);
    return NULL;
}

/* Record what the runtime retains of the released POPULATION: its own objects may be placed
 * where the others were. */
static void earlier_record(const struct population *population)
{
    earlier.count = 0;
    for (unsigned i = 0; i < population->count; i++)
        if (!specimen_is_freed(&population->specimens[i]))
            earlier.specimens[earlier.count++] = population->specimens[i];
}

static const char *learn_and_verify(void)
{
    /* Objects that reuse memory show what the runtime leaves unwritten. */
    const char *why = population_create(0, 0xbf58476d1ce4e5b9);

    if (why != NULL)
        return why;
    population_release(&builders[0], NULL);
    earlier_record(&populations[0]);
    why = layout_learn();
    if (why == NULL)
        why = layout_verify(0x94d049bb133111eb, true);
    if (why == NULL)
        why = layout_verify(0xff51afd7ed558ccd, false);
    return why;
}

/* Learn the layout of an OpenCL runtime and write it. */
static const char *opencl_learn(const char *library, const char *folder, bool identifies)
{
    const char *why = icd_load(&icd, library, folder);

    if (why == NULL && !identifies && !guard_heap_has_bounds())
        why = "the probe was built with AddressSanitizer, whose heap it cannot search";
    if (why == NULL && !identifies)
        why = icd_find_devices(&icd);
    if (why == NULL && !identifies)
        why = learn_and_verify();
    if (why == NULL)
        layout_write(&draft, &icd);
    return why;
}

int main(int argc, char **argv)
{
    const char *library = NULL;
    const char *folder = NULL;
    bool identifies = false;
    const char *why;

    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--without=", 10) == 0)
            protocol_step_leave_out(argv[i] + 10);
        else if (strncmp(argv[i], "--folder=", 9) == 0)
            folder = argv[i] + 9;
        else if (strcmp(argv[i], "--identify") == 0)
            identifies = true;
        else
            library = argv[i];
    if (library == NULL) {
        fputs("usage: ompd-opencl-probe [--identify] [--folder=FOLDER] [--without=STEP...] "
              "LIBRARY\n"
              "Used by `ompd-opencl learn`.\n",
              stderr);
        return 2;
    }
    /* Some runtimes, including PoCL, find no device without a cache folder for compiled code. */
    if (folder != NULL)
        setenv("XDG_CACHE_HOME", folder, 1);
    protocol_step_begin("load");
    if (embree_is_library(library))
        why = embree_learn(library, folder, identifies);
    else
        why = opencl_learn(library, folder, identifies);
    if (why != NULL)
        printf("fail %s\n", why);
    fflush(stdout);
    /* Destructors of runtimes may wait for something that no longer exists. */
    _exit(why != NULL);
}
