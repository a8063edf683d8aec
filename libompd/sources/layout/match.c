/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds candidates at words that point to a dispatch table, from the memory around them. */
#include "sources/layout/discovery.h"

#include "sources/layout/layout-source.h"

#include <string.h>

#define MOST_MAPS UINT16_MAX /* of one object */

/* A kind of object and its rules. The narrowest rule is tested first, because it usually rejects;
 * later the one that rejected last. */
struct kind_matcher {
    const struct layout_object *object;
    enum layout_kind kind;
    uint32_t rule_count;
    struct layout_rule rules[LAYOUT_MAX_RULES];
};

/* The kinds of a runtime. */
struct runtime_matchers {
    uint8_t runtime; /* index */
    uint32_t count;
    struct kind_matcher of[LAYOUT_KIND_COUNT];
};

/* The runtimes that have objects, in the order of the words that the scan searches for. */
struct match {
    struct discovery *discovery;
    uint32_t count;
    uint64_t words[RUNTIME_LIMIT];
    struct runtime_matchers matchers[RUNTIME_LIMIT];
};

/* Test rule number INDEX of MATCHER first from now on, because neighbours are usually alike. */
static void put_first(struct kind_matcher *matcher, uint32_t index)
{
    struct layout_rule first = matcher->rules[0];

    if (index == 0)
        return;
    matcher->rules[0] = matcher->rules[index];
    matcher->rules[index] = first;
}

/* The result of the rules at a hit. */
enum fit {
    fit_none,
    fit_freed, /* all hold except those on counts, as in a freed object */
    fit_dying, /* all hold but that on the count that is 0 while it is being destroyed */
    fit_live
};

/* Which rules of MATCHER hold at the hit. */
static enum fit fit_rules(struct target *target, const struct scan_hit *hit,
                          struct kind_matcher *matcher)
{
    const struct layout_rule *dying = &matcher->object->dying;
    enum fit fit = fit_live;
    uint64_t value;

    for (uint32_t i = 0; i < matcher->rule_count; i++) {
        const struct layout_rule *rule = &matcher->rules[i];

        if (!scan_hit_number(target, hit, rule->offset, rule->width, &value))
            return fit_none;
        if (value >= rule->least && value <= rule->most)
            continue;
        if (dying->width != 0 && dying->offset == rule->offset) {
            fit = fit < fit_dying ? fit : fit_dying;
        } else if (layout_rule_is_on_count(rule)) {
            fit = fit_freed;
        } else {
            put_first(matcher, i);
            return fit_none;
        }
    }
    if (fit == fit_dying &&
        (!scan_hit_number(target, hit, dying->offset, dying->width, &value) || value != 0))
        return fit_freed;
    return fit;
}

/* Read the names in the candidate. Returns false when it cannot be an object of its kind, because
 * its OpenCL context, device or program is missing. */
static bool hit_read_names(struct target *target, const struct scan_hit *hit,
                           const struct layout_object *object, struct candidate *candidate)
{
    const struct layout_naming *naming = layout_naming_of(candidate->kind);

    if (hit_read_handle(target, hit, object, layout_context_of, &candidate->context) &&
        (candidate->context == 0 || candidate->context == hit->address))
        return false;
    if (naming == NULL || !hit_read_handle(target, hit, object, naming->field, &candidate->other))
        return true;
    if (candidate->other == 0)
        return !naming->is_never_missing;
    return candidate->other != hit->address;
}

/* The address of memory that the object owns, from the head of one of its lists; 0: none. */
static uint64_t hit_read_owned(struct target *target, const struct scan_hit *hit,
                               const struct layout_object *object)
{
    static const enum layout_list owned[] = {layout_destructors, layout_events, layout_svm};

    for (size_t i = 0; i < sizeof(owned) / sizeof(owned[0]); i++) {
        const struct layout_list_location *list = &object->lists[owned[i]];
        uint64_t head;

        if (list->shape != layout_no_list && list->first.count > 0 &&
            scan_hit_number(target, hit, list->first.offsets[0], target->pointer_size, &head) &&
            head >= LEAST_POINTER && head % sizeof(uint32_t) == 0)
            return head;
    }
    return 0;
}

/* Return whether the object's deques can be: each has a chunk, though it is empty. */
static bool has_deques(struct target *target, const struct scan_hit *hit,
                       const struct layout_object *object)
{
    for (unsigned i = 0; i < LAYOUT_LIST_COUNT; i++) {
        const struct layout_list_location *list = &object->lists[i];
        uint64_t first;

        if (list->shape == layout_deque && list->first.count == 1 &&
            scan_hit_number(target, hit, list->first.offsets[0], target->pointer_size, &first) &&
            first < LEAST_POINTER)
            return false;
    }
    return true;
}

/* Mix the object's bytes, up to unreadable ones, into one number. Four independent chains avoid
 * waiting. */
static uint64_t hit_fingerprint(struct target *target, const struct scan_hit *hit,
                                const struct layout_object *object)
{
    uint64_t sums[4] = {1, 2, 3, 4};
    int64_t step = sizeof(uint64_t);
    int64_t size = object->highest > 0 ? object->highest - object->highest % step : 0;
    const uint8_t *whole = scan_hit_view_at_hand(target, hit, (uint32_t)size);
    uint64_t fingerprint = 0;

    for (int64_t at = 0; at < size; at += step) {
        uint64_t *sum = &sums[at / step % 4];
        const uint8_t *bytes =
            whole != NULL ? whole + at : scan_hit_view(target, hit, at, sizeof(uint64_t));
        uint64_t word;

        if (bytes == NULL)
            break;
        memcpy(&word, bytes, sizeof(word));
        *sum = hash_add(*sum, word);
        *sum ^= *sum >> 29;
    }
    for (unsigned i = 0; i < 4; i++)
        fingerprint = hash_add(fingerprint, sums[i]);
    return fingerprint | 1;
}

/* The references that mappings hold on the object itself; an impossible number of mappings counts
 * as none. */
static uint32_t hit_read_maps(struct target *target, const struct scan_hit *hit,
                              const struct layout_object *object)
{
    uint64_t maps;

    return object->maps_hold != 0 && hit_read_field(target, hit, object, layout_map_count, &maps) &&
                   maps <= MOST_MAPS
               ? (uint32_t)maps * object->maps_hold
               : 0;
}

/* Read the identity and the reference count of the candidate. */
static void hit_read_identity(struct target *target, const struct scan_hit *hit,
                              const struct layout_object *object, struct candidate *candidate)
{
    uint64_t value;

    if (!hit_read_field(target, hit, object, layout_unique, &candidate->identity)) {
        candidate->identity = hit_read_owned(target, hit, object);
        candidate->flags |= candidate_owns;
        candidate->fingerprint = hit_fingerprint(target, hit, object) & CANDIDATE_FINGERPRINT;
    }
    if (hit_read_field(target, hit, object, layout_references, &value)) {
        candidate->references = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
        candidate->flags |= candidate_is_counted;
        candidate->held = hit_read_maps(target, hit, object);
    }
    for (uint32_t i = 0; i < object->internal_count; i++) {
        const struct layout_rule *internal = &object->internals[i];

        if (scan_hit_number(target, hit, internal->offset, internal->width, &value) &&
            (value & internal->least) != 0)
            candidate->flags |= candidate_internal;
    }
}

/* Whether the hit has no device, although every OpenCL context has one: it is being created, or is
 * left over from a freed one. */
static bool lacks_devices(struct target *target, const struct scan_hit *hit,
                          const struct layout_object *object)
{
    bool is_always_known = object->when[layout_device_count].rule.width == 0;
    uint64_t count;

    return is_always_known && hit_read_field(target, hit, object, layout_device_count, &count) &&
           count == 0;
}

/* Return whether a loader might have set something in the object and has not. */
static bool lacks_dispatch_data(struct target *target, const struct scan_hit *hit,
                                const struct layout_object *object)
{
    const struct layout_rule *data = &object->dispatch_data;
    uint64_t value;

    return data->width != 0 && scan_hit_number(target, hit, data->offset, data->width, &value) &&
           value == 0;
}

/* Whether the word at an object's handle may survive its freeing: the allocator overwrites the
 * start of freed memory. */
static bool outlasts_freeing(const struct layout_object *object)
{
    return object->lowest < 0;
}

/* Whether an object at the hit would extend into RUNTIME's dispatch table. A runtime may have its
 * platform just in front of it, and half of a function's address may look like a count. */
static bool reaches_table(const struct target *target, const struct scan_hit *hit,
                          const struct runtime *runtime, const struct layout_object *object)
{
    uint64_t size = (uint64_t)TABLE_LEAST_WORDS * target->pointer_size;

    return (int64_t)(hit->address - runtime->table) < (int64_t)size - object->lowest &&
           (int64_t)(runtime->table - hit->address) < object->highest;
}

/* The verdict of the kinds of objects on a hit. */
struct verdict {
    bool is_candidate; /* it may be an object */
    bool is_freed;     /* it was one */
    const struct kind_matcher
        *freed; /* it was an object of this kind, according to its rules; NULL: of none */
};

/* Add a candidate if the hit can be an object of MATCHER's kind. */
static ompd_rc_t match_kind(struct discovery *discovery, const struct scan_hit *hit,
                            uint8_t runtime, struct kind_matcher *matcher, struct verdict *verdict)
{
    const struct layout_object *object = matcher->object;
    struct target *target = discovery->target;
    struct candidate candidate;
    struct candidate *added;
    struct malloc_chunk chunk;
    enum fit fit = fit_rules(target, hit, matcher);
    bool is_dying = fit == fit_dying;
    ompd_rc_t rc;

    if (fit == fit_none || reaches_table(target, hit, &discovery->runtimes->all[runtime], object))
        return ompd_rc_ok;
    if (fit != fit_live)
        verdict->is_freed = verdict->is_freed || outlasts_freeing(object);
    if (fit == fit_freed)
        verdict->freed = matcher;
    if (fit < fit_dying)
        return ompd_rc_ok;
    chunk = malloc_chunk_inspect(target, hit, object);
    if (chunk.is_free || lacks_devices(target, hit, object)) {
        verdict->is_freed = true;
        return ompd_rc_ok;
    }
    memset(&candidate, 0, sizeof(candidate));
    candidate.handle = hit->address;
    candidate.kind = matcher->kind & 15;
    candidate.runtime = runtime & 15;
    candidate.flags =
        (uint16_t)((is_dying ? candidate_dying : 0) | (chunk.is_lost ? candidate_chunk_lost : 0));
    candidate.chunk = chunk.size / CANDIDATE_CHUNK_UNIT;
    if (!hit_read_names(target, hit, object, &candidate) || !has_deques(target, hit, object) ||
        (is_dying && !layout_takes_of_dying(object) && hit_read_owned(target, hit, object) == 0))
        return ompd_rc_ok;
    hit_read_identity(target, hit, object, &candidate);
    if (lacks_dispatch_data(target, hit, object))
        candidate.flags |= candidate_is_bare;
    verdict->is_candidate = true;
    rc = candidates_add(&discovery->candidates, &added);
    if (rc == ompd_rc_ok)
        *added = candidate;
    return rc;
}

/* Whether the object that was freed, according to MATCHER, named an OpenCL context that exists or
 * existed: it has the same table. */
static bool names_context(const struct discovery *discovery, const struct scan_hit *hit,
                          uint8_t runtime, const struct kind_matcher *matcher)
{
    struct candidate candidate = {.kind = matcher->kind & 15};
    uint64_t word;

    return hit_read_names(discovery->target, hit, matcher->object, &candidate) &&
           candidate.context != 0 && target_word(discovery->target, candidate.context, &word) &&
           word == discovery->runtimes->all[runtime].table;
}

/* Drop the candidates at HANDLE that name nothing: the remains of another freed object satisfy
 * their rules by chance. */
static void drop_nameless(struct discovery *discovery, uint64_t handle)
{
    struct candidates *all = &discovery->candidates;

    for (uint32_t i = all->count; i-- > 0 && candidate_at(all, i)->handle == handle;) {
        struct candidate *candidate = candidate_at(all, i);

        candidate->is_freed = candidate->context == 0 && candidate->other == 0;
    }
}

/* Add the candidates at the hit, one for each kind that it can be. */
static ompd_rc_t match_kinds(struct discovery *discovery, const struct scan_hit *hit,
                             struct runtime_matchers *matchers, struct verdict *verdict)
{
    ompd_rc_t rc = ompd_rc_ok;

    *verdict = (struct verdict){false, false, NULL};
    for (uint32_t i = 0; i < matchers->count && rc == ompd_rc_ok; i++)
        rc = match_kind(discovery, hit, matchers->runtime, &matchers->of[i], verdict);
    if (rc == ompd_rc_ok && verdict->is_candidate && verdict->freed != NULL &&
        names_context(discovery, hit, matchers->runtime, verdict->freed))
        drop_nameless(discovery, hit->address);
    return rc;
}

static ompd_rc_t match_hit(void *visitor, const struct scan_hit *hit)
{
    struct match *match = visitor;
    struct runtime_matchers *matchers = &match->matchers[hit->word];
    struct verdict verdict;
    ompd_rc_t rc = match_kinds(match->discovery, hit, matchers, &verdict);

    if (verdict.is_candidate || rc != ompd_rc_ok)
        return rc;
    if (verdict.is_freed) {
        match->discovery->freed[matchers->runtime]++;
        return ompd_rc_ok;
    }
    return non_object_add(match->discovery, hit, matchers->runtime);
}

/* ---- Before the scan ------------------------------------------------------------------------- */

/* Put the rules of OBJECT in order. */
static void set_matcher(struct kind_matcher *matcher, enum layout_kind kind,
                        const struct layout_object *object)
{
    matcher->object = object;
    matcher->kind = kind;
    matcher->rule_count = object->rule_count;
    for (uint32_t i = 0; i < object->rule_count; i++) {
        const struct layout_rule *rule = &object->rules[i];
        uint32_t position = i;

        for (; position > 0 &&
               matcher->rules[position - 1].most - matcher->rules[position - 1].least >
                   rule->most - rule->least;
             position--)
            matcher->rules[position] = matcher->rules[position - 1];
        matcher->rules[position] = *rule;
    }
}

/* Extend the bytes around a hit that the scan provides to those that a kind of object needs. */
static void match_reach_over(struct scan *scan, const struct layout_object *object)
{
    int32_t lowest = object->lowest < 0 ? object->lowest : 0;

    if ((uint32_t)-lowest + MALLOC_CHUNK_REACH > scan->before)
        scan->before = (uint32_t)-lowest + MALLOC_CHUNK_REACH;
    if (object->highest > 0 && (uint32_t)object->highest + MALLOC_CHUNK_REACH > scan->after)
        scan->after = (uint32_t)object->highest + MALLOC_CHUNK_REACH;
}

/* Set the kinds that the layout of the RUNTIME at INDEX has. */
static void set_matchers(struct runtime_matchers *matchers, const struct runtime *runtime,
                         uint8_t index)
{
    matchers->runtime = index;
    matchers->count = 0;
    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
        const struct layout_object *object = &runtime->layout->objects[kind];

        if (object->is_there)
            set_matcher(&matchers->of[matchers->count++], (enum layout_kind)kind, object);
    }
}

/* Have the runtime searched for. */
static void add_matched_runtime(struct match *match, uint8_t index)
{
    const struct runtime *runtime = &match->discovery->runtimes->all[index];
    struct runtime_matchers *matchers;
    uint32_t position = match->count++;

    for (; position > 0 && match->words[position - 1] > runtime->table; position--) {
        match->words[position] = match->words[position - 1];
        match->matchers[position] = match->matchers[position - 1];
    }
    match->words[position] = runtime->table;
    matchers = &match->matchers[position];
    set_matchers(matchers, runtime, index);
    for (uint32_t i = 0; i < matchers->count; i++)
        match_reach_over(&match->discovery->scan, matchers->of[i].object);
}

ompd_rc_t match_candidates(struct discovery *discovery)
{
    struct match match;
    struct scan *scan = &discovery->scan;

    match.discovery = discovery;
    match.count = 0;
    for (uint32_t i = 0; i < discovery->runtimes->count; i++) {
        const struct runtime *runtime = &discovery->runtimes->all[i];

        if (runtime->table != 0 && runtime->layout != NULL)
            add_matched_runtime(&match, (uint8_t)i);
    }
    if (match.count == 0)
        return ompd_rc_ok;
    scan->words = match.words;
    scan->word_count = match.count;
    scan->visit = match_hit;
    scan->visitor = &match;
    return scan_memory(scan, discovery->target);
}

ompd_rc_t match_at(struct discovery *discovery, uint64_t address, bool *is_table)
{
    const struct scan_hit hit = {.address = address, .end = UINT64_MAX};
    struct runtime_matchers matchers;
    struct verdict verdict;
    uint64_t word;

    *is_table = false;
    if (!target_word(discovery->target, address, &word))
        return ompd_rc_incomplete;
    for (uint32_t i = 0; i < discovery->runtimes->count; i++) {
        const struct runtime *runtime = &discovery->runtimes->all[i];

        if (word == 0 || runtime->table != word || runtime->layout == NULL)
            continue;
        *is_table = true;
        set_matchers(&matchers, runtime, (uint8_t)i);
        return match_kinds(discovery, &hit, &matchers, &verdict);
    }
    return ompd_rc_ok;
}
