/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* leaks: objects that the program can or will no longer release, grouped by call site. */
#include <view/verbs/verbs.h>

#include <inttypes.h>

/* In the order in which totals are printed. */
static const ompd_cl_kind_t kinds[] = {
    ompd_cl_kind_memobj,          ompd_cl_kind_svm,           ompd_cl_kind_context,
    ompd_cl_kind_queue,           ompd_cl_kind_event,         ompd_cl_kind_kernel,
    ompd_cl_kind_program,         ompd_cl_kind_sampler,       ompd_cl_kind_command_buffer,
    ompd_cl_kind_semaphore,       ompd_cl_kind_embree_device, ompd_cl_kind_embree_scene,
    ompd_cl_kind_embree_geometry, ompd_cl_kind_embree_buffer};
#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

struct sum {
    uint64_t count;
    uint64_t bytes;
};

/* Counts of all objects. */
struct tally {
    struct sum leaks[VIEW_CERTAINTIES][KIND_COUNT];
    /* Alive after their release by the program, and retained by other objects. Without a known
     * keeper, the runtime may have deleted an object: it is not reported, as the program has
     * done its part. */
    struct sum released[KIND_COUNT];
    uint64_t sums[VIEW_CERTAINTIES];
    /* Found by a layout alone, without the handle. The program may have released them, or the
     * runtime owns them. */
    struct sum untold[KIND_COUNT];
    uint64_t untold_sum;              /* except events: each command of a runtime has one */
    struct sum unchecked[KIND_COUNT]; /* whose handles are only in memory that may be freed */
    uint64_t held;                    /* objects whose handles the program has: not leaks */
    uint64_t held_presumed;           /* of them, those that the runtime may own */
    bool is_exiting;
};

static size_t index_of(uint64_t kind)
{
    size_t i = 0;

    while (i < KIND_COUNT - 1 && kinds[i] != kind)
        i++;
    return i;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static bool is_released(const struct view_row *row)
{
    struct view_value state = view_row_value(row, "state");

    return view_value_is_known(state) && state.value != ompd_cl_object_state_live;
}

/* Count ROW, of KIND, which is not known to leak: the memory with its handle may be freed. */
static void count_unchecked(const struct view_row *row, size_t kind, struct tally *tally)
{
    tally->unchecked[kind].count++;
    tally->unchecked[kind].bytes += view_row_number(row, "size");
}

/* Whether ROW is a leak or may be one; *CERTAINTY receives how certain that is. */
static bool is_leak(const struct view_row *row, enum view_certainty *certainty)
{
    struct view_value value = view_row_value(row, "is_leak");

    if (!view_value_is_known(value))
        *certainty = view_leak_is_open;
    else
        *certainty = view_value_is_presumed(value) ? view_leak_is_presumed : view_leak_is_certain;
    return !view_value_is_known(value) || value.value != 0;
}

/* Count ROW, of KIND: only the recorder could decide whether it is a leak. */
static void add_untold(const struct view_row *row, size_t kind, struct tally *tally)
{
    tally->untold[kind].count++;
    tally->untold[kind].bytes += view_row_number(row, "size");
    tally->untold_sum += kinds[kind] != ompd_cl_kind_event;
}

/* Count ROW. Returns whether to show it; *CERTAINTY receives how certain the leak is. */
static bool leaks_row_count(const struct view_row *row, struct tally *tally,
                            enum view_certainty *certainty)
{
    size_t kind = index_of(view_row_number(row, "kind"));
    bool is_certain = view_row_number(row, "confidence") == ompd_cl_confidence_certain;

    tally->is_exiting = view_row_number(row, "is_exiting") != 0;
    if (is_released(row)) {
        /* Nothing retains an SVM allocation that waits to be freed. */
        tally->released[kind].count += is_certain && kinds[kind] != ompd_cl_kind_svm;
        return false;
    }
    if (!is_leak(row, certainty)) {
        if (view_row_number(row, "holding") == ompd_cl_reachability_perhaps_freed) {
            count_unchecked(row, kind, tally);
            *certainty = view_leak_is_unchecked;
            return true;
        }
        tally->held++;
        tally->held_presumed += *certainty == view_leak_is_presumed;
        return false;
    }
    if (*certainty == view_leak_is_open &&
        view_row_number(row, "source") == ompd_cl_source_layout) {
        add_untold(row, kind, tally);
        *certainty = view_leak_is_untold;
        return true;
    }
    tally->leaks[*certainty][kind].count++;
    tally->leaks[*certainty][kind].bytes += view_row_number(row, "size");
    tally->sums[*certainty]++;
    return true;
}

/* ---- Totals ---------------------------------------------------------------------------------- */

/* Add "3 memory objects (12 KiB)", or the number alone. */
static void leaks_objects_add(ompd_cl_kind_t kind, uint64_t count, uint64_t bytes, bool has_bytes,
                              struct text *text)
{
    const ompd_cl_noun_t *noun = view_kind_get(kind)->noun;

    count_add(text, count, noun->singular, noun->plural);
    if (!has_bytes || (kind != ompd_cl_kind_memobj && kind != ompd_cl_kind_svm &&
                       (!view_kind_is_embree(kind) || bytes == 0)))
        return;
    text_put(text, " (");
    size_format(text, bytes);
    text_put(text, ")");
}

static const char *word_for(const struct tally *tally, enum view_certainty certainty)
{
    static const char *const words[][VIEW_CERTAINTIES] = {
        {"Leaked", "Presumably leaked", "Perhaps leaked"},
        {"Left alive", "Presumably left alive", "Perhaps left alive"},
    };

    return words[tally->is_exiting][certainty];
}

/* Write "Not found in the program's memory: 1 memory object (8 KiB).", from SUMS, after WORDS.
 * False if there are none. */
static bool write_sums(ompd_view_t *view, const struct sum *sums, bool has_bytes, const char *words)
{
    struct text text = {0};
    bool is_any;

    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (sums[i].count == 0)
            continue;
        if (text.length != 0)
            text_put(&text, ", ");
        leaks_objects_add(kinds[i], sums[i].count, sums[i].bytes, has_bytes, &text);
    }
    is_any = text.length != 0;
    if (is_any)
        view_print(view, "%s: %s.\n", words, text.bytes);
    text_free(&text);
    return is_any;
}

/* Write "Leaked: 96 events, 2 memory objects (8 KiB).", once for each certainty. */
static void write_totals(ompd_view_t *view, const struct tally *tally)
{
    for (int i = 0; i < VIEW_CERTAINTIES; i++)
        write_sums(view, tally->leaks[i], true, word_for(tally, (enum view_certainty)i));
}

static bool write_untold(ompd_view_t *view, const struct tally *tally)
{
    return write_sums(view, tally->untold, true,
                      tally->is_exiting ? "Still alive" : "Not found in the program's memory");
}

/* ---- Entries --------------------------------------------------------------------------------- */

/* Begin another part of a line: "; ", and COUNT, unless it covers all objects of GROUP. */
static void leaks_part_begin(const struct view_leak_group *group, uint64_t count, struct text *text)
{
    if (text->length != 0)
        text_put(text, "; ");
    if (count != group->count)
        text_add(text, "%" PRIu64 " ", count);
}

/* Add where the handles of GROUP are: "94 lost: not found in the program's memory; 2 held by the
 * variable `cache`". */
static void add_holding(const struct view_leak_group *group, struct text *text)
{
    const struct {
        uint64_t count;
        const char *words;
    } parts[] = {
        {group->lost, "lost: not found in the program's memory"},
        {group->perhaps, "only on stacks, where they may be stale"},
        {group->reachable, "not found, but reachable through objects that the program holds"},
        {group->missed, "not found in the readable part of the program's memory"},
    };

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (parts[i].count == 0)
            continue;
        leaks_part_begin(group, parts[i].count, text);
        text_put(text, parts[i].words);
    }
    for (size_t i = 0; i < group->holders.count; i++) {
        leaks_part_begin(group, group->holders.all[i].count, text);
        text_add(text, "held by %s", group->holders.all[i].text);
    }
    if (group->holders.others != 0) {
        leaks_part_begin(group, group->holders.others, text);
        text_put(text, "held elsewhere");
    }
}

/* Add "they keep OpenCL context 0x1f and command queue 0x2f alive after their release". */
static void leaks_kept_add(const struct view_leak_group *group, struct text *text)
{
    const struct view_leak_names *kept = &group->kept;

    text_put(text, group->count == 1 ? "it keeps " : "they keep ");
    for (size_t i = 0; i < kept->count; i++) {
        bool is_last = i == kept->count - 1 && kept->others == 0;

        if (i != 0)
            text_put(text, is_last ? " and " : ", ");
        text_put(text, kept->all[i].text);
    }
    if (kept->others != 0)
        text_put(text, " and more");
    text_put(text, kept->count + kept->others == 1 ? " alive after its release"
                                                   : " alive after their release");
}

/* Add where possibly freed memory has the handles of GROUP: "0x1f in memory at 0x2f". */
static void add_unchecked_places(const struct view_leak_group *group, struct text *text)
{
    for (size_t i = 0; i < group->holders.count; i++)
        text_add(text, "%s%s", i != 0 ? ", " : "", group->holders.all[i].text);
    if (group->holders.others != 0)
        text_add(text, ", and %" PRIu64 " more", group->holders.others);
}

/* Add where the objects of GROUP were made. Nothing records that for Embree: name one instead. */
static void leaks_place_add(const struct view_leak_group *group, struct text *text)
{
    if (!view_kind_is_embree(group->kind)) {
        text_put(text, group->shown[0] != '\0' ? " made at\n" : " made at an unknown place\n");
        text_put(text, group->shown);
        return;
    }
    text_add(text, ": 0x%" PRIx64, group->handle);
    if (group->count > 1)
        text_add(text, " and %" PRIu64 " more", group->count - 1);
    text_put(text, "\n");
}

static void leaks_entry_write(ompd_view_t *view, const struct view_leak_group *group)
{
    static const char *const words[] = {
        [view_leak_is_presumed] = "presumably ", [view_leak_is_open] = "perhaps "};
    bool is_leak = group->certainty < VIEW_CERTAINTIES && words[group->certainty] != NULL;
    struct text text = {0};

    text_add(&text, "  %s", is_leak ? words[group->certainty] : "");
    leaks_objects_add(group->kind, group->count, group->bytes, true, &text);
    if (group->made >= group->count)
        text_add(&text, " of %" PRIu64, group->made);
    leaks_place_add(group, &text);
    view_write(view, text.bytes);
    text_clear(&text);
    if (group->certainty == view_leak_is_unchecked)
        add_unchecked_places(group, &text);
    else
        add_holding(group, &text);
    view_print(view, "    %s\n", text_get(&text));
    text_clear(&text);
    if (group->kept.count != 0) {
        leaks_kept_add(group, &text);
        view_print(view, "    %s\n", text.bytes);
    }
    view_row_written(view);
    text_free(&text);
}

static void leaks_entries_write(ompd_view_t *view, const struct view_leak_groups *groups)
{
    size_t shown = groups->count < view->options.limit ? groups->count : view->options.limit;

    for (size_t i = 0; i < shown; i++)
        leaks_entry_write(view, &groups->all[i]);
    if (groups->count > shown)
        view_cut_note_write(view, "  ", groups->count - shown);
}

/* ---- The answer ------------------------------------------------------------------------------ */

/* Write "The program holds the handles of 12 other objects, 2 of them presumably." */
static void write_held(ompd_view_t *view, const struct tally *tally, bool has_leaks)
{
    struct text text = {0};

    if (tally->held == 0)
        return;
    text_put(&text, "The program ");
    if (tally->held == tally->held_presumed)
        text_put(&text, "presumably ");
    text_put(&text, tally->held == 1 ? "holds the handle of " : "holds the handles of ");
    count_add(&text, tally->held, has_leaks ? "other object" : "object", NULL);
    if (tally->held_presumed != 0 && tally->held != tally->held_presumed)
        text_add(&text, ", %" PRIu64 " of them presumably", tally->held_presumed);
    view_print(view, "%s.\n", text.bytes);
    text_free(&text);
}

/* Write which objects do not leak, and what is unknown. */
static void leaks_rest_write(ompd_view_t *view, const struct view_list *list,
                             const struct tally *tally, const struct view_keepers *keepers,
                             bool has_leaks)
{
    struct text note = {0};
    bool is_counted = tally->is_exiting && write_sums(view, tally->released, false,
                                                      "Released, but held by other objects");

    view_keepers_write(view, keepers, is_counted ? NULL : ".");
    write_held(view, tally, has_leaks);
    if (list->unreadable != 0) {
        view_list_describe_unreadable(list, &note);
        view_note_write(view, "", note.bytes);
    }
    text_free(&note);
}

/* Write that nothing leaks, then KEEPERS (what is still alive) and FREED, if it is not empty. */
static void write_none(ompd_view_t *view, const struct view_keepers *keepers, const char *freed)
{
    bool is_mapped = !view->is_incomplete && view_keepers_are_mapped(keepers);
    const char *more = is_mapped ? ", and " : ", but ";

    view_print(view, "No leaks%s%s%s%s\n", view->is_incomplete ? " in what could be searched" : "",
               is_mapped ? ", but memory objects were mapped and never unmapped" : "",
               freed[0] != '\0' ? more : ".", freed);
}

/* Write which handles of GROUPS are only in memory that may be freed. */
static void write_unchecked(ompd_view_t *view, const struct tally *tally,
                            struct view_leak_groups *groups)
{
    view_leak_groups_settle(groups, view);
    if (write_sums(view, tally->unchecked, true, "Handles found only in memory that may be freed"))
        leaks_entries_write(view, groups);
}

static bool has_untold(const struct tally *tally)
{
    size_t i = 0;

    while (i < KIND_COUNT && tally->untold[i].count == 0)
        i++;
    return i < KIND_COUNT;
}

/* The parts of an answer. */
struct answer {
    struct tally *tally;
    struct view_leak_groups leaks;
    struct view_leak_groups unchecked;
    struct view_leak_retains retains;
};

/* Write ANSWER, with KEEPERS (what is still alive) and FREED. */
static void write_parts(ompd_view_t *view, struct answer *answer,
                        const struct view_keepers *keepers, const char *freed)
{
    write_totals(view, answer->tally);
    if (!write_untold(view, answer->tally) && answer->leaks.count == 0)
        write_none(view, keepers, freed);
    leaks_entries_write(view, &answer->leaks);
    write_unchecked(view, answer->tally, &answer->unchecked);
    view_leak_retains_write(&answer->retains, view);
}

/* Write ANSWER, and which parts of LIST were unreadable. */
static void write_answer(ompd_view_t *view, const struct view_list *list, struct answer *answer)
{
    bool has_leaks = answer->leaks.count != 0 || answer->tally->untold_sum != 0;
    struct view_keepers keepers = {0};
    struct text freed = {0};
    struct text incompleteness;

    if (answer->leaks.count == 0 && !has_untold(answer->tally) && list->has_incompleteness)
        freed = view_incompleteness_take_freed(view);
    incompleteness = view_incompleteness_get(view);
    view_leak_groups_settle(&answer->leaks, view);
    view_keepers_find(&keepers, view, 0);
    if (view->failure == ompd_view_exit_ok) {
        write_parts(view, answer, &keepers, text_get(&freed));
        leaks_rest_write(view, list, answer->tally, &keepers, has_leaks);
        if (list->has_incompleteness)
            view_incompleteness_write(view, "", &incompleteness);
    }
    view_keepers_free(&keepers);
    text_free(&freed);
    text_free(&incompleteness);
}

/* Read the next row that the command is about. */
static bool leaks_row_next(struct view_list *list, struct view_row *row)
{
    while (view_list_next(list, row))
        if (view_kind_is_shown(list->view, view_row_number(row, "kind")))
            return true;
    return false;
}

static void write_leaks(ompd_view_t *view, struct view_list *list, struct tally *tally)
{
    struct answer answer = {.tally = tally};
    enum view_certainty certainty;
    struct view_row row;

    while (leaks_row_next(list, &row)) {
        if (!leaks_row_count(&row, tally, &certainty) || certainty == view_leak_is_untold)
            continue;
        if (certainty == view_leak_is_unchecked) {
            view_leak_groups_add(&answer.unchecked, view, &row, certainty);
            continue;
        }
        view_leak_groups_add(&answer.leaks, view, &row, certainty);
        view_leak_retains_take(&answer.retains, &row);
    }
    if (view->failure == ompd_view_exit_ok)
        write_answer(view, list, &answer);
    view_leak_retains_free(&answer.retains);
    view_leak_groups_free(&answer.unchecked);
    view_leak_groups_free(&answer.leaks);
}

static void leaks_json_write(ompd_view_t *view, struct view_list *list, struct tally *tally)
{
    struct view_keepers keepers = {0};
    enum view_certainty certainty;
    struct view_row row;

    view_keepers_find(&keepers, view, 0);
    view_keepers_narrow(&keepers, true);
    while (leaks_row_next(list, &row)) {
        const struct view_kept *kept = NULL;

        if (is_released(&row))
            kept = view_keepers_get(&keepers, kinds[index_of(view_row_number(&row, "kind"))],
                                    view_row_handle(&row));
        if (leaks_row_count(&row, tally, &certainty) || kept != NULL)
            view_json_kept_row(view, &row, kept);
    }
    view_json_freed(list);
    view_keepers_free(&keepers);
    view_json_missing(list);
}

ompd_view_exit_t view_leaks_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct tally tally = {.held = 0};
    struct view_list list;

    (void)line;
    view_list_open(&list, view, ompd_cl_kind_leak, NULL);
    if (view->options.is_json)
        leaks_json_write(view, &list, &tally);
    else
        write_leaks(view, &list, &tally);
    view_list_close(&list);
    view->is_incomplete |= tally.sums[view_leak_is_open] + tally.untold_sum != 0;
    if (view->failure == ompd_view_exit_ok &&
        tally.sums[view_leak_is_certain] + tally.sums[view_leak_is_presumed] != 0)
        return ompd_view_exit_findings;
    return view_result(view);
}
