/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Modules whose symbols are not known. A core written by the kernel lacks the pages with a module's
 * symbols. Without its file, the module may be a runtime. A runtime in use has objects, whose first
 * words lead to a table of code addresses in its data. If no table has more references than
 * idle-runtimes.c allows, no object can be missed.
 */
#include "sources/layout/runtime.h"

#include "target/scan.h"

#include <string.h>

/* The number of addresses at which tables may begin, of all modules; with more the result is
 * inconclusive. */
#define POSSIBLE_LIMIT (UINT32_C(1) << 15)

/* Words that lead to where a table may begin. */
struct possible_table {
    uint32_t module; /* index into `modules` */
    uint16_t own;    /* in the module's own data */
    uint16_t others;
};

struct search {
    struct runtimes *runtimes;
    struct target *target;
    struct table_runs runs;
    struct scan scan;
    struct module module; /* the current module, */
    uint32_t index;       /* and its index */
    uint32_t count;       /* of possible tables */
    bool is_full;
    uint64_t words[POSSIBLE_LIMIT]; /* their addresses, ascending */
    struct possible_table tables[POSSIBLE_LIMIT];
    uint64_t starts[MODULE_LIMIT]; /* of modules that were examined, */
    uint64_t ends[MODULE_LIMIT];   /* with their data */
};

/* Put ADDRESS among the possible tables, in order. */
static void add_table_place(struct search *search, uint64_t address)
{
    uint32_t at = search->count++;

    for (; at > 0 && search->words[at - 1] > address; at--) {
        search->words[at] = search->words[at - 1];
        search->tables[at] = search->tables[at - 1];
    }
    search->words[at] = address;
    search->tables[at] = (struct possible_table){.module = search->index};
}

static void add_table_run(void *visitor, uint64_t start, uint32_t words)
{
    struct search *search = visitor;

    for (uint32_t i = 0; i < TABLE_START_LIMIT && words - i >= TABLE_LEAST_WORDS; i++) {
        search->is_full = search->is_full || search->count == POSSIBLE_LIMIT;
        if (!search->is_full)
            add_table_place(search, start + (uint64_t)i * search->target->pointer_size);
    }
}

/* Find the possible tables of all modules whose symbols are not known. Returns as table_runs_find
 * or module_get does. */
static ompd_rc_t find_places(struct search *search, struct code *code)
{
    ompd_rc_t rc = ompd_rc_ok;

    code_doubt_forget(code);
    for (uint32_t i = 0; i < MODULE_LIMIT && rc == ompd_rc_ok; i++) {
        if ((search->runtimes->nameless[i / 64] >> i % 64 & 1) == 0)
            continue;
        rc = module_get(search->target, i, &search->module);
        if (rc != ompd_rc_ok)
            return rc;
        search->index = i;
        search->starts[i] = search->module.start;
        search->ends[i] = module_memory_end(search->target, &search->module);
        rc = table_runs_find(&search->runs, module_data_start(search->target, &search->module),
                             search->ends[i]);
    }
    return rc == ompd_rc_ok ? code_doubt_check(code, search->target) : rc;
}

static ompd_rc_t count_class_reference(void *visitor, const struct scan_hit *hit)
{
    struct search *search = visitor;
    struct possible_table *table = &search->tables[hit->word];
    bool is_own =
        hit->address >= search->starts[table->module] && hit->address < search->ends[table->module];

    if (is_own)
        table->own += table->own < UINT16_MAX;
    else
        table->others += table->others < UINT16_MAX;
    return ompd_rc_ok;
}

/* Consecutive C++ tables have two words of 0 between them; a runtime lacks hardly any function of
 * OpenCL 1.0. */
#define GAPS_OF_CLASSES 2

/* Whether there are C++ tables at ADDRESS rather than a dispatch table; also false where it cannot
 * be read. */
static bool object_is_of_classes(struct target *target, uint64_t address)
{
    uint32_t unit = target->pointer_size;
    const uint8_t *bytes;
    uint32_t zeros = 0;
    uint32_t gaps = 0;

    if (target_view(target, address, (uint64_t)TABLE_LEAST_WORDS * unit, 0, &bytes) != ompd_rc_ok)
        return false;
    for (uint32_t i = 0; i < TABLE_LEAST_WORDS; i++) {
        if (target_integer(target, bytes + (uint64_t)i * unit, unit) == 0) {
            zeros++;
            continue;
        }
        gaps += zeros == 2;
        zeros = 0;
    }
    return gaps >= GAPS_OF_CLASSES;
}

/* The table of every class is at most this many steps from that of the class of classes. */
#define CLASS_DEPTH 3

/* Whether the table of a C++ class is at ADDRESS. The ABI puts two words in front of it: 0, because
 * an object begins there, and the address of the class's type information. The type information is
 * itself an object, with a table like that of its class. A class with one base has type information
 * of a different class. */
static bool object_is_of_class(struct target *target, uint64_t address)
{
    uint32_t unit = target->pointer_size;

    for (unsigned i = 0; i < CLASS_DEPTH; i++) {
        uint64_t offset, type, next;

        if (address < 2 * (uint64_t)unit || !target_word(target, address - 2 * unit, &offset) ||
            !target_word(target, address - unit, &type) || offset != 0 || type == 0 ||
            !target_word(target, type, &next))
            return false;
        if (next == address)
            return true;
        address = next;
    }
    return false;
}

/* Return whether all of memory was searched and no possible table has objects. */
static bool no_table_has_objects(const struct search *search)
{
    if (search->is_full || search->runs.failure != 0 || search->scan.failure != 0 ||
        search->scan.has_lost_regions)
        return false;
    for (uint32_t i = 0; i < search->count; i++) {
        const struct possible_table *table = &search->tables[i];

        if (!runtime_references_are_few(table->own, table->others) &&
            !object_is_of_classes(search->target, search->words[i]) &&
            !object_is_of_class(search->target, search->words[i]))
            return false;
    }
    return true;
}

/* Returns ompd_rc_ok when no module has objects; else as stripped_runtimes_find. */
static ompd_rc_t search_objects(struct search *search, struct code *code)
{
    ompd_rc_t rc;

    rc = find_places(search, code);
    table_runs_close(&search->runs);
    if (rc != ompd_rc_ok || search->is_full)
        return rc_is_final(rc) ? rc : ompd_rc_incomplete;
    search->scan.word_count = search->count;
    rc = search->count != 0 ? scan_memory(&search->scan, search->target) : ompd_rc_ok;
    if (rc != ompd_rc_ok)
        return rc_is_final(rc) ? rc : ompd_rc_incomplete;
    return no_table_has_objects(search) ? ompd_rc_ok : ompd_rc_incomplete;
}

ompd_rc_t stripped_runtimes_find(struct runtimes *runtimes, struct target *target,
                                 struct code *code)
{
    struct search *search;
    void *block;
    ompd_rc_t rc;

    if (!runtimes->lacks_names_alone || runtimes->wanted == target->stop)
        return ompd_rc_incomplete;
    rc = memory_allocate(target->memory, sizeof(*search), &block);
    if (rc != ompd_rc_ok)
        return rc;
    search = block;
    memset(search, 0, offsetof(struct search, words));
    search->runtimes = runtimes;
    search->target = target;
    search->runs = (struct table_runs){
        .target = target, .code = code, .visit = add_table_run, .visitor = search};
    search->scan =
        (struct scan){.words = search->words, .visit = count_class_reference, .visitor = search};
    rc = search_objects(search, code);
    memory_free(target->memory, block);
    if (rc == ompd_rc_ok)
        runtimes->stop = target->stop;
    else if (rc == ompd_rc_incomplete)
        runtimes->wanted = target->stop;
    return rc;
}
