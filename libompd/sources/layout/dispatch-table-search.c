/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The dispatch tables of runtimes without layouts. A module's data has a few dozen runs of code
 * addresses, most of them C++ tables. The dispatch table is the run to whose start the first words
 * of objects point.
 */
#include "sources/layout/runtime.h"

#include "target/scan.h"

#include <string.h>

/* The number of runs of all runtimes; no known runtime has more. */
#define RUN_LIMIT 128

struct run {
    uint64_t start;
    uint32_t words;
    uint32_t runtime; /* index */
    uint32_t references[TABLE_START_LIMIT];
};

struct search {
    struct runtimes *runtimes;
    struct target *target;
    struct code *code;
    uint16_t failure; /* ompd_cl_status_t of unread memory; 0: all was read */
    uint32_t runtime; /* index of the current runtime */
    bool may_be_running[RUNTIME_LIMIT];
    uint32_t run_count; /* may be one above the limit: then there were too many */
    struct run runs[RUN_LIMIT + 1];
    uint32_t word_count;
    uint64_t words[RUN_LIMIT * TABLE_START_LIMIT]; /* addresses that may be a table's, ascending */
};

/* Record a run of the current runtime. */
static void record_run(void *visitor, uint64_t start, uint32_t words)
{
    struct search *search = visitor;
    struct run *run;

    if (search->run_count > RUN_LIMIT)
        return;
    run = &search->runs[search->run_count++];
    memset(run, 0, sizeof(*run));
    run->start = start;
    run->words = words;
    run->runtime = search->runtime;
}

/* Put ADDRESS into the words, in order. */
static void add_search_word(struct search *search, uint64_t address)
{
    uint32_t position = search->word_count++;

    for (; position > 0 && search->words[position - 1] > address; position--)
        search->words[position] = search->words[position - 1];
    search->words[position] = address;
}

/* List where tables may begin. */
static void list_words(struct search *search)
{
    for (uint32_t i = 0; i < search->run_count; i++) {
        const struct run *run = &search->runs[i];

        for (uint32_t j = 0; j < TABLE_START_LIMIT && run->words - j >= TABLE_LEAST_WORDS; j++)
            add_search_word(search, run->start + (uint64_t)j * search->target->pointer_size);
    }
}

/* Count a reference to where a table may begin. */
static ompd_rc_t count_table_reference(void *visitor, const struct scan_hit *hit)
{
    struct search *search = visitor;
    uint64_t address = search->words[hit->word];

    for (uint32_t i = 0; i < search->run_count; i++) {
        struct run *run = &search->runs[i];
        uint64_t position = (address - run->start) / search->target->pointer_size;

        if (address >= run->start && position < TABLE_START_LIMIT)
            run->references[position]++;
    }
    return ompd_rc_ok;
}

/* The position in RUN with the most references; TABLE_START_LIMIT if there are none. */
static uint32_t most_referenced(const struct run *run)
{
    uint32_t best = TABLE_START_LIMIT;

    for (uint32_t i = 0; i < TABLE_START_LIMIT; i++) {
        if (run->references[i] > 0 &&
            (best == TABLE_START_LIMIT || run->references[i] > run->references[best]))
            best = i;
    }
    return best;
}

/* Set the table of a runtime if exactly one run has references. */
static void choose_run(struct search *search, uint32_t index)
{
    struct runtime *runtime = &search->runtimes->all[index];
    uint32_t found = 0;
    uint64_t table = 0;

    for (uint32_t i = 0; i < search->run_count; i++) {
        const struct run *run = &search->runs[i];
        uint32_t position = most_referenced(run);

        if (run->runtime != index || position == TABLE_START_LIMIT)
            continue;
        found++;
        table = run->start + (uint64_t)position * search->target->pointer_size;
    }
    if (found == 1) {
        runtime->table = table;
        runtime->finding = runtime_by_search;
    }
}

/* Find the runs of all runtimes that have no table.  Returns ompd_rc_ok, ompd_rc_unsupported or
 * ompd_rc_nomem. */
static ompd_rc_t find_all_runs(struct search *search)
{
    const struct runtimes *runtimes = search->runtimes;
    struct table_runs runs = {
        .target = search->target, .code = search->code, .visit = record_run, .visitor = search};
    ompd_rc_t rc = ompd_rc_ok;

    code_doubt_forget(search->code);
    for (uint32_t i = 0; i < runtimes->count && rc == ompd_rc_ok; i++) {
        search->runtime = i;
        if (runtimes->all[i].table == 0)
            rc = table_runs_find(&runs, runtimes->all[i].start, runtimes->all[i].end);
        search->may_be_running[i] = runs.may_be_running;
    }
    table_runs_close(&runs);
    search->failure = runs.failure;
    if (rc == ompd_rc_ok)
        rc = code_doubt_check(search->code, search->target);
    if (rc != ompd_rc_incomplete)
        return rc;
    search->failure = search->target->failure;
    return ompd_rc_ok;
}

/* The place in a dispatch table of clGetExtensionFunctionAddress, which runtimes export. */
#define EXPORTED_SLOT 65

/* For find_by_export: the runtime whose data is searched, and the exported function. */
struct export_search {
    struct target *target;
    struct runtime *runtime;
    uint64_t function;
};

/* Set the runtime's table if it is in the run of WORDS at START. */
static void check_run(void *visitor, uint64_t start, uint32_t words)
{
    struct export_search *search = visitor;
    uint32_t unit = search->target->pointer_size;
    uint64_t word;

    for (uint32_t i = 0; i < TABLE_START_LIMIT && words > EXPORTED_SLOT + i; i++) {
        uint64_t table = start + (uint64_t)i * unit;

        if (search->runtime->table != 0 ||
            !target_word(search->target, table + (uint64_t)EXPORTED_SLOT * unit, &word) ||
            word != search->function)
            continue;
        search->runtime->table = table;
        search->runtime->finding = runtime_by_symbol;
    }
}

/* The address of the function that RUNTIME exports; 0: it does not, or that is unknown. */
static uint64_t find_exported(struct target *target, const struct runtime *runtime)
{
    struct module module;
    uint64_t address;

    for (uint32_t i = 0; module_get(target, i, &module) == ompd_rc_ok; i++) {
        if (module.start != runtime->start)
            continue;
        return module_symbol(target, i, "clGetExtensionFunctionAddress", &address) == ompd_rc_ok
                   ? address
                   : 0;
    }
    return 0;
}

/* Find tables by a function that they contain: a module with a compiler in it has too many runs.
 * Returns as find_all_runs does. */
static ompd_rc_t find_by_export(struct search *search)
{
    struct runtimes *runtimes = search->runtimes;
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; i < runtimes->count && rc == ompd_rc_ok; i++) {
        struct runtime *runtime = &runtimes->all[i];
        struct export_search by = {.target = search->target, .runtime = runtime};
        struct table_runs runs = {
            .target = search->target, .code = search->code, .visit = check_run, .visitor = &by};

        if (runtime->table == 0)
            by.function = find_exported(search->target, runtime);
        if (by.function != 0)
            rc = table_runs_find(&runs, runtime->start, runtime->end);
        table_runs_close(&runs);
    }
    return rc;
}

/* Count the references to the runs. Returns ompd_rc_ok; ompd_rc_incomplete when the tool cancelled;
 * ompd_rc_unsupported; ompd_rc_nomem. */
static ompd_rc_t count_table_references(struct search *search)
{
    struct scan scan = {.words = search->words, .visit = count_table_reference, .visitor = search};
    ompd_rc_t rc;

    list_words(search);
    scan.word_count = search->word_count;
    rc = scan_memory(&scan, search->target);
    if (rc != ompd_rc_incomplete || scan.is_cancelled)
        return rc;
    search->failure = scan.failure;
    return ompd_rc_ok;
}

/* Search for the tables of all runtimes without one. Returns as runtimes_search does. */
static ompd_rc_t search_all(struct search *search)
{
    struct runtimes *runtimes = search->runtimes;
    bool is_of_known_make;
    ompd_rc_t rc;

    rc = find_all_runs(search);
    is_of_known_make = search->run_count > 0 && search->run_count <= RUN_LIMIT;
    if (rc == ompd_rc_ok && is_of_known_make)
        rc = count_table_references(search);
    else if (rc == ompd_rc_ok && search->run_count > RUN_LIMIT)
        rc = find_by_export(search);
    if (rc != ompd_rc_ok)
        return rc;
    for (uint32_t i = 0; i < runtimes->count; i++) {
        struct runtime *runtime = &runtimes->all[i];

        if (runtime->table != 0)
            continue;
        if (search->failure != 0)
            runtime->failure = search->failure;
        runtime->is_being_loaded = search->failure == 0 && !search->may_be_running[i];
        runtime->is_idle = runtime->is_being_loaded;
        if (is_of_known_make)
            choose_run(search, i);
    }
    runtimes->searched = search->target->stop;
    return ompd_rc_ok;
}

ompd_rc_t runtimes_search(struct runtimes *runtimes, struct target *target, struct code *code)
{
    struct search *search;
    bool is_needed = false;
    void *block;
    ompd_rc_t rc;

    for (uint32_t i = 0; i < runtimes->count; i++)
        is_needed = is_needed || runtimes->all[i].table == 0;
    if (!is_needed || runtimes->searched == target->stop)
        return ompd_rc_ok;
    rc = memory_allocate(target->memory, sizeof(*search), &block);
    if (rc != ompd_rc_ok)
        return rc;
    search = block;
    search->runtimes = runtimes;
    search->target = target;
    search->code = code;
    search->failure = 0;
    search->run_count = 0;
    search->word_count = 0;
    rc = search_all(search);
    memory_free(target->memory, block);
    return rc;
}
