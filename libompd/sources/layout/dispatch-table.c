/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recognises dispatch tables: the addresses of OpenCL functions, in the order of the ICD. */
#include "sources/layout/runtime.h"

#include "target/scan.h"

#include <string.h>

/* ---- One table ------------------------------------------------------------------------------- */

/* Return whether VALUE can be a word of a table; *IS_CODE whether it is that of a function. */
static bool table_can_hold(struct code *code, struct target *target, uint64_t value, bool *is_code)
{
    uint64_t tag = target->pointer_size == 8 ? TABLE_TAG : (uint32_t)TABLE_TAG;

    *is_code = value != tag && code_is_there(code, target, value);
    return value == 0 || value == tag || *is_code;
}

ompd_rc_t table_check(struct code *code, struct target *target, uint64_t address, bool *is_table)
{
    uint32_t size = target->pointer_size;
    uint32_t code_count = 0;
    uint64_t words[TABLE_LEAST_WORDS];
    const uint8_t *bytes;
    bool is_code;
    ompd_rc_t rc;

    rc = target_view(target, address, (uint64_t)TABLE_LEAST_WORDS * size, 0, &bytes);
    if (rc != ompd_rc_ok)
        return rc;
    /* code_is_there reads other memory, which would invalidate the view. */
    for (uint32_t i = 0; i < TABLE_LEAST_WORDS; i++)
        words[i] = target_integer(target, bytes + (uint64_t)i * size, size);
    *is_table = false;
    code_doubt_forget(code);
    for (uint32_t i = 0; i < TABLE_LEAST_WORDS; i++) {
        if (!table_can_hold(code, target, words[i], &is_code))
            return ompd_rc_ok;
        code_count += is_code;
    }
    *is_table = code_count >= TABLE_LEAST_CODE;
    return code_doubt_check(code, target);
}

/* ---- Runs of tables -------------------------------------------------------------------------- */

/* More words of 0 than this end a run: tables leave out the functions of whole extensions. */
#define GAP_LIMIT 32

/* At least this many addresses of code in a run are functions relocated by the dynamic linker.
 * Before relocation it only sets single addresses, of its own tables. */
#define LEAST_RELOCATED 2

/* A run in the making. */
struct growth {
    uint64_t start;
    uint32_t words; /* 0: none */
    uint32_t code_count;
    uint32_t zeros; /* at its end, not counted yet */
};

/* Report the run if it can be a table. */
static void report_run(const struct table_runs *runs, struct growth *growth)
{
    if (growth->words >= TABLE_LEAST_WORDS && growth->code_count >= TABLE_LEAST_CODE)
        runs->visit(runs->visitor, growth->start, growth->words);
    memset(growth, 0, sizeof(*growth));
}

/* Add the word VALUE at ADDRESS to the run, or end the run. */
static void add_run_word(struct table_runs *runs, struct growth *growth, uint64_t address,
                         uint64_t value)
{
    bool is_code;

    if (value == 0) {
        growth->zeros++;
        if (growth->words > 0 && growth->zeros > GAP_LIMIT)
            report_run(runs, growth);
    } else if (value >= TARGET_BLOCK_SIZE &&
               table_can_hold(runs->code, runs->target, value, &is_code)) {
        if (growth->words == 0)
            *growth = (struct growth){.start = address};
        growth->words += growth->zeros + 1;
        growth->code_count += is_code;
        growth->zeros = 0;
        if (growth->code_count >= LEAST_RELOCATED)
            runs->may_be_running = true;
    } else {
        report_run(runs, growth);
    }
}

/* Find the runs in MEMORY.  Returns ompd_rc_ok or ompd_rc_nomem. */
static ompd_rc_t find_runs_in(struct table_runs *runs, const struct region_run *memory)
{
    struct target *target = runs->target;
    uint32_t unit = target->pointer_size;
    struct growth growth = {0};
    uint64_t skipped = (unit - memory->start % unit) % unit;
    uint64_t at = memory->start + skipped;

    /* The first whole word may be beyond all addresses. */
    if (memory->end - memory->start <= skipped)
        return ompd_rc_ok;
    while (at < memory->end && memory->end - at >= unit) {
        uint64_t data_end;
        uint64_t zeros_end = region_zeros_end(target, memory, at, &data_end);
        uint64_t size = data_end - at < TARGET_WINDOW_SIZE ? data_end - at : TARGET_WINDOW_SIZE;
        ompd_rc_t rc;

        /* A gigabyte may be a hole in a core of kilobytes (law 13); no table has that many
         * zeros. */
        if (zeros_end > at) {
            report_run(runs, &growth);
            at = zeros_end;
            continue;
        }
        rc = target_fill(target, &runs->window, at, size, 0);
        if (rc_is_final(rc))
            return rc;
        for (uint64_t i = 0; rc == ompd_rc_ok && i + unit <= size; i += unit)
            add_run_word(runs, &growth, at + i,
                         target_integer(target, runs->window.bytes + i, unit));
        if (rc != ompd_rc_ok) {
            runs->failure = target->failure;
            report_run(runs, &growth);
        }
        at += size / unit * unit;
    }
    report_run(runs, &growth);
    return ompd_rc_ok;
}

ompd_rc_t table_runs_find(struct table_runs *runs, uint64_t start, uint64_t end)
{
    struct region_walk walk;
    struct region_run memory;
    bool is_missing = false;
    ompd_rc_t rc;

    runs->may_be_running = false;
    rc = region_walk_begin(&walk, runs->target, region_data, start, end);
    while (rc == ompd_rc_ok && region_walk_next(&walk, &memory)) {
        is_missing = is_missing || (!memory.is_saved && !memory.is_known);
        runs->may_be_running = runs->may_be_running || !memory.is_saved;
        if (memory.is_saved)
            rc = find_runs_in(runs, &memory);
    }
    /* Memory that a core has not saved has the file's contents, unless the tool knows nothing about
     * it. */
    if (is_missing && !walk.has_known)
        runs->failure = ompd_cl_status_not_saved;
    if (walk.is_broken)
        runs->failure = ompd_cl_status_unreadable;
    return rc;
}

void table_runs_close(struct table_runs *runs)
{
    target_window_close(runs->target, &runs->window);
}
