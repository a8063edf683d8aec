/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The sweeps over every public function, and a table of their results.
 *
 * usage: sweep core CORE | sweep live PROGRAM STOP, followed by a FUNCTION to sweep only that one
 */
#include "exports.h"
#include "faults.h"
#include "image.h"
#include "require.h"
#include "sweeps.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The coverage of one image, so that it cannot shrink unnoticed: faults of callbacks, and bad
 * arguments and similar inputs. */
#define CALLBACK_FAULTS_AT_LEAST 75000
#define ARGUMENT_FAULTS_AT_LEAST 67000

/* Callbacks that the library does not use here because it has no layout. */
#define IS_UNUSED(callback)                                                                        \
    ((callback) == tool_to_device || (callback) == tool_read_string ||                             \
     (callback) == tool_thread_context)

/* What was found, of one function or of all. */
struct finding {
    struct sweep_tally callbacks[tool_callback_count];
    struct sweep_tally arguments;
};

static struct sweep_tally add_up(const struct finding *finding)
{
    struct sweep_tally sum = {0};

    for (unsigned i = 0; i < tool_callback_count; i++)
        sweep_tally_add(&sum, &finding->callbacks[i]);
    return sum;
}

static void print_row(const char *name, const struct finding *finding)
{
    struct sweep_tally callbacks = add_up(finding);
    struct sweep_tally sum = callbacks;

    sweep_tally_add(&sum, &finding->arguments);
    printf("%-40s %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 "\n",
           name, callbacks.faults, finding->arguments.faults, sum.silent, sum.wrong, sum.leaks,
           sum.crashes);
    fflush(stdout);
}

static void sweep_function(const struct sweep_target *target, const struct sweep_facts *facts,
                           const struct sweep_signature *signature, struct finding *sum)
{
    struct finding finding = {0};

    for (unsigned i = 0; i < tool_callback_count; i++)
        sweep_faults(target, facts, signature, (enum tool_callback)i, &finding.callbacks[i]);
    sweep_arguments(target, facts, signature, &finding.arguments);
    sweep_misuse(target, facts, signature, &finding.arguments);
    sweep_hostile_tool(target, facts, signature, &finding.arguments);
    print_row(signature->name, &finding);
    for (unsigned i = 0; i < tool_callback_count; i++)
        sweep_tally_add(&sum->callbacks[i], &finding.callbacks[i]);
    sweep_tally_add(&sum->arguments, &finding.arguments);
}

/* Whether a function searches all memory. Findings walk the heaps, chunk by chunk. */
static bool looks_through_memory(const struct sweep_signature *signature,
                                 const struct sweep_target *target)
{
    return sweep_signature_searches(signature, target) ||
           strncmp(signature->name, "ompd_cl_finding_", strlen("ompd_cl_finding_")) == 0 ||
           sweep_signature_is_long(signature);
}

/* Whether to sweep SIGNATURE if ONLY, NULL for all, is asked for.  The demo has no text with a key;
 * the made-up targets have some. */
static bool is_wanted(const struct sweep_signature *signature, const char *only)
{
    return only != NULL ? strcmp(signature->name, only) == 0
                        : !sweep_signature_is_long(signature) &&
                              strcmp(signature->name, "ompd_cl_text_read") != 0;
}

/* Report an error, and remember it. */
static bool demand(bool is_so, const char *text, const char *what)
{
    if (!is_so)
        printf("FAIL: %s%s\n", text, what);
    return is_so;
}

/* Whether every function that the library exports is in the table. */
static bool is_whole(void)
{
    const char *names[SWEEP_EXPORT_LIMIT];
    unsigned count = sweep_exports_read(names);
    bool is_good = demand(count != 0, "the library exports nothing", "");

    for (unsigned i = 0; i < count; i++)
        is_good &= demand(sweep_signature_find(names[i]) != NULL, "not swept: ", names[i]);
    return is_good;
}

/* Check all results; returns whether they are right. */
static bool judge(const struct finding *sum)
{
    struct sweep_tally callbacks = add_up(sum);
    bool is_good = is_whole();

    printf("1 case in %u; callbacks that failed:", sweep_guard_every());
    for (unsigned i = 0; i < tool_callback_count; i++)
        printf("%s %s %" PRIu64, i == 0 ? "" : ",", sweep_tool_callback_names[i],
               sum->callbacks[i].faults);
    printf("\n");
    /* With few cases, a rarely called callback may not be reached. */
    for (unsigned i = 0; i < tool_callback_count && sweep_guard_every() == 1; i++)
        is_good &= demand(sum->callbacks[i].faults != 0 || IS_UNUSED(i),
                          "never failed: ", sweep_tool_callback_names[i]);
    is_good &= demand(sweep_guard_is_enough(callbacks.faults, CALLBACK_FAULTS_AT_LEAST),
                      "fewer callbacks failed than used to", "");
    is_good &= demand(sweep_guard_is_enough(sum->arguments.faults, ARGUMENT_FAULTS_AT_LEAST),
                      "fewer arguments were bad than used to be", "");
    return is_good;
}

/* Open what the first arguments say; sets *ONLY to the function after them, NULL for all. */
static struct sweep_image *open_image(int count, char **arguments, const char **only)
{
    bool is_core = count > 1 && strcmp(arguments[1], "core") == 0;
    bool is_live = count > 1 && strcmp(arguments[1], "live") == 0;
    int used = is_core ? 3 : 4;
    char *command[] = {NULL, NULL};

    sweep_require((is_core || is_live) && (count == used || count == used + 1),
                  "usage: sweep core CORE [FUNCTION] | sweep live PROGRAM STOP [FUNCTION]");
    *only = count > used ? arguments[used] : NULL;
    if (is_core)
        return sweep_image_open_core(arguments[2]);
    command[0] = arguments[2];
    return sweep_image_open_live(command, arguments[3]);
}

int main(int count, char **arguments)
{
    struct finding sum = {0};
    struct sweep_facts facts;
    struct sweep_image *image;
    struct sweep_target target;
    struct sweep_target small;
    struct sweep_tally all;
    const char *only;
    bool is_good;

    /* Large blocks come from the heap, which caches them: each case allocates the same few
     * megabytes again, and the kernel would zero their pages each time. */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    image = open_image(count, arguments, &only);
    target = sweep_image_target(image);
    small = sweep_image_small_target(image);
    sweep_require(sweep_facts_find(&target, &facts), "the target shows nothing");
    printf("%-40s %9s %9s %7s %7s %7s %7s\n", image->name, "callbacks", "arguments", "silent",
           "wrong", "leaks", "crashes");
    for (unsigned i = 0; i < sweep_signature_count; i++) {
        const struct sweep_signature *signature = &sweep_signatures[i];
        bool is_long = looks_through_memory(signature, &target);

        if (is_wanted(signature, only))
            sweep_function(is_long ? &small : &target, &facts, signature, &sum);
    }
    print_row("sum", &sum);
    is_good = only != NULL || judge(&sum);
    all = add_up(&sum);
    sweep_tally_add(&all, &sum.arguments);
    sweep_image_close(image);
    return is_good && sweep_tally_is_good(&all) ? EXIT_SUCCESS : EXIT_FAILURE;
}
