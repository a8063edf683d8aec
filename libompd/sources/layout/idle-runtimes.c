/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runtimes that no layout matches, and that have no objects to miss. A program that uses a runtime
 * has at least an OpenCL context with a device: objects whose first word leads to the runtime's
 * dispatch table, like that of its platform.
 */
#include "sources/layout/runtime.h"

#include "target/scan.h"

/* Words that lead to a table. */
struct references {
    uint64_t table;
    uint32_t runtime; /* index */
    uint32_t own;     /* in the runtime's own data, where some have their platform */
    uint32_t others;
};

struct tally {
    const struct runtimes *runtimes;
    uint32_t count;
    struct references all[RUNTIME_LIMIT]; /* by ascending table */
    uint64_t words[RUNTIME_LIMIT];        /* their tables */
};

static void add_idle_table(struct tally *tally, uint32_t runtime, uint64_t table)
{
    uint32_t position = tally->count++;

    for (; position > 0 && tally->all[position - 1].table > table; position--)
        tally->all[position] = tally->all[position - 1];
    tally->all[position] = (struct references){.table = table, .runtime = runtime};
}

static ompd_rc_t count_idle_reference(void *visitor, const struct scan_hit *hit)
{
    struct tally *tally = visitor;
    struct references *references = &tally->all[hit->word];
    const struct runtime *runtime = &tally->runtimes->all[references->runtime];

    if (hit->address >= runtime->start && hit->address < runtime->end)
        references->own++;
    else
        references->others++;
    return ompd_rc_ok;
}

bool runtime_references_are_few(uint32_t own, uint32_t others)
{
    return others == 0 || (others == 1 && own == 0);
}

ompd_rc_t runtimes_find_idle(struct runtimes *runtimes, struct target *target)
{
    struct tally tally = {.runtimes = runtimes};
    struct scan scan = {.words = tally.words, .visit = count_idle_reference, .visitor = &tally};
    ompd_rc_t rc;

    if (runtimes->tallied == target->stop)
        return ompd_rc_ok;
    for (uint32_t i = 0; i < runtimes->count; i++) {
        const struct runtime *runtime = &runtimes->all[i];

        if (runtime->layout == NULL && runtime->table != 0 && runtime->failure == 0)
            add_idle_table(&tally, i, runtime->table);
    }
    for (uint32_t i = 0; i < tally.count; i++)
        tally.words[i] = tally.all[i].table;
    scan.word_count = tally.count;
    rc = tally.count != 0 ? scan_memory(&scan, target) : ompd_rc_ok;
    if (rc_is_final(rc) || scan.is_cancelled)
        return rc;
    for (uint32_t i = 0; i < tally.count && rc == ompd_rc_ok; i++)
        runtimes->all[tally.all[i].runtime].is_idle =
            runtime_references_are_few(tally.all[i].own, tally.all[i].others);
    runtimes->tally_failure = scan.failure;
    runtimes->tallied = target->stop;
    return ompd_rc_ok;
}
