/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See command-line.h: verbs of two words. */
#include <view/command-line.h>

#include <string.h>
#include <view/verbs/verbs.h>

/* Verbs that `embree` narrows to objects of Embree. */
static const char *const narrowed[] = {"check", "leaks", "holders", "diff", "graph", "report"};

#define NARROWED_COUNT (sizeof(narrowed) / sizeof(narrowed[0]))

/* The second word of NAME if its first is that of VERB: "devices" of embree-devices; else NULL. */
static const char *second_word(const ompd_view_verb_t *verb, const char *name)
{
    size_t length = strlen(verb->name);

    return strncmp(name, verb->name, length) == 0 && name[length] == '-' ? name + length + 1 : NULL;
}

const char *view_sub_verb_get(ompd_view_t *view, const ompd_view_verb_t *verb, size_t index)
{
    const ompd_view_verb_t *other;

    if (verb->run != view_embree_run)
        return NULL;
    for (size_t i = 0; (other = ompd_view_verb_get(view, i)) != NULL; i++) {
        const char *word = second_word(verb, other->name);

        if (word != NULL && index-- == 0)
            return word;
    }
    return index < NARROWED_COUNT ? narrowed[index] : NULL;
}

const ompd_view_verb_t *view_sub_verb_find(ompd_view_t *view, const ompd_view_verb_t *verb,
                                           const char *word, bool *is_of_embree)
{
    const ompd_view_verb_t *other;

    *is_of_embree = false;
    if (verb->run != view_embree_run)
        return NULL;
    for (size_t i = 0; (other = ompd_view_verb_get(view, i)) != NULL; i++) {
        const char *second = second_word(verb, other->name);

        if (second != NULL && strcmp(second, word) == 0)
            return other;
    }
    *is_of_embree = true;
    for (size_t i = 0; i < NARROWED_COUNT; i++)
        if (strcmp(narrowed[i], word) == 0)
            return view_verb_find(view, word);
    return NULL;
}
