/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Learn the layout that a target lacks, and answer with it.  Learning runs a runtime's code.  Only
 * an installed runtime is learned, if it has the build-id that the target names, and never a file
 * that the target names.
 */
#include <command/learn/learn.h>

#include <command/session/session.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>
#include <unistd.h>

#define OPTION "--learn"
#define SHOWN_BUILD_ID 8 /* digits */

/* The installed runtime of a build, and the file name of its library. */
struct offer {
    struct command_runtimes installed;
    const struct command_runtime *runtime; /* NULL: none is of that build */
    struct text module;
};

/* Whether RUNTIME has BUILD_ID.  If so, set the file name of its library. */
static bool is_of_build(struct offer *offer, const struct command_runtime *runtime,
                        const char *build_id, uint64_t seconds)
{
    struct command_probe probe = {.layout = {0}};
    struct text found = {0};
    bool is_same;

    is_same = command_probe_identify(&probe, runtime->library, seconds) &&
              command_layout_word(text_get(&probe.layout), "build-id", &found) &&
              strcmp(found.bytes, build_id) == 0 &&
              command_layout_word(text_get(&probe.layout), "module", &offer->module);
    command_probe_free(&probe);
    text_free(&found);
    return is_same;
}

static void offer_find(struct offer *offer, const char *build_id, uint64_t seconds)
{
    command_runtimes_find(&offer->installed);
    for (size_t i = 0; i < offer->installed.count && offer->runtime == NULL; i++)
        if (is_of_build(offer, &offer->installed.all[i], build_id, seconds))
            offer->runtime = &offer->installed.all[i];
}

static void offer_end(struct offer *offer)
{
    command_runtimes_free(&offer->installed);
    text_free(&offer->module);
}

/* Ask the user whether to learn. */
static bool offer_ask(const struct offer *offer, const char *build_id)
{
    struct text module = {0};
    char line[64] = "";

    text_escape(&module, text_get(&offer->module));
    fprintf(stderr,
            "No layout matches %s (build-id %.*s). Learn it now? It takes about 10 s and does not "
            "touch your program. [y/N] ",
            text_get(&module), SHOWN_BUILD_ID, build_id);
    fflush(stderr);
    text_free(&module);
    if (fgets(line, sizeof(line), stdin) == NULL)
        fputc('\n', stderr);
    return line[0] == 'y' || line[0] == 'Y';
}

/* Run the command again with its COUNT WORDS, without learning once more.  Returns only on
 * failure. */
static void command_repeat(char *const *words, size_t count)
{
    char **line = heap_get((count + 3) * sizeof(line[0]));
    size_t kept = 0;

    line[kept++] = "ompd-opencl";
    line[kept++] = OPTION "=never";
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], OPTION) == 0)
            i++;
        else if (strncmp(words[i], OPTION "=", strlen(OPTION "=")) != 0)
            line[kept++] = words[i];
    line[kept] = NULL;
    fflush(NULL);
    execv("/proc/self/exe", line);
    heap_free(line);
}

void command_offer_learning(const struct command_options *options, char *const *words, size_t count,
                            const struct command_missed_layout *shared)
{
    struct command_missed_layout missed;
    struct offer offer = {.runtime = NULL};
    bool is_learned = false;

    if (!command_missed_layout_get(shared, &missed))
        return;
    offer_find(&offer, missed.build_id, options->time_limit);
    if (offer.runtime != NULL &&
        (options->learn == command_learn_auto || offer_ask(&offer, missed.build_id)))
        is_learned = command_learn_one(offer.runtime, options->time_limit);
    offer_end(&offer);
    if (is_learned)
        command_repeat(words, count);
    command_error_write(missed.sentence);
}
