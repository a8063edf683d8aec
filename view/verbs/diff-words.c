/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See verbs.h: the output of `diff` as text. */
#include <view/verbs/verbs.h>

#include <inttypes.h>

/* ---- Counts ---------------------------------------------------------------------------------- */

static const ompd_cl_noun_t *diff_words_noun(const struct view_diff_place *place)
{
    return view_kind_get(view_diff_kinds[place->kind])->noun;
}

static void add_bytes(const struct view_diff_count *count, struct text *text)
{
    text_put(text, " (");
    text_put(text, count->lacks_bytes ? "at least " : "");
    size_format(text, count->bytes);
    text_put(text, ")");
}

/* Add "3 memory objects (12 KiB)". */
static void diff_words_objects_add(const struct view_diff_place *place,
                                   const struct view_diff_count *count, struct text *text)
{
    count_add(text, count->count, diff_words_noun(place)->singular, diff_words_noun(place)->plural);
    if (view_diff_has_bytes(place))
        add_bytes(count, text);
}

/* How certain the growth of PLACE's kind is: for example "at least " if the later snapshot lacks
 * some objects. */
static const char *bound_of(const struct view_diff *diff, const struct view_diff_place *place)
{
    static const char *const words[2][2] = {{"perhaps ", "at most "}, {"at least ", ""}};
    bool is_before_whole = diff->facts[view_diff_before].is_whole[place->kind];
    bool is_after_whole = diff->facts[view_diff_after].is_whole[place->kind];

    return words[is_before_whole][is_after_whole];
}

/* Add the growth from BEFORE to AFTER: its sign, and the text after it. */
static uint64_t add_sign(uint64_t before, uint64_t after, struct text *text)
{
    text_put(text, after < before ? "-" : "+");
    return after < before ? before - after : after - before;
}

/* Add "+12 memory objects (+12 MiB)". */
static void add_growth(const struct view_diff *diff, const struct view_diff_place *place,
                       struct text *text)
{
    const struct view_diff_count *before = &place->sides[view_diff_before];
    const struct view_diff_count *after = &place->sides[view_diff_after];

    text_put(text, bound_of(diff, place));
    count_add(text, add_sign(before->count, after->count, text), diff_words_noun(place)->singular,
              diff_words_noun(place)->plural);
    if (!view_diff_has_bytes(place))
        return;
    text_put(text, " (");
    if (before->lacks_bytes || after->lacks_bytes)
        text_put(text, VIEW_UNKNOWN " B");
    else
        size_format(text, add_sign(before->bytes, after->bytes, text));
    text_put(text, ")");
}

/* ---- The verdict ----------------------------------------------------------------------------- */

static bool has_grown(const struct view_diff_place *place)
{
    return place->sides[view_diff_before].count != place->sides[view_diff_after].count ||
           place->sides[view_diff_before].bytes != place->sides[view_diff_after].bytes;
}

/* Add the growth of each kind that has any. */
static void diff_words_totals_add(const struct view_diff *diff, struct text *text)
{
    size_t before = text->length;

    for (size_t i = 0; i < VIEW_DIFF_KINDS; i++) {
        if (!has_grown(&diff->totals[i]))
            continue;
        text_put(text, text->length != before ? ", " : "");
        add_growth(diff, &diff->totals[i], text);
    }
}

/* Write "From first to now: +12 memory objects (+12 MiB), -1 kernel." */
static void diff_words_verdict_write(ompd_view_t *view, const struct view_diff_answer *answer)
{
    struct text text = {0};
    struct text totals = {0};

    text_add(&text, "From %s to %s", text_get(&answer->sources[view_diff_before].name),
             text_get(&answer->sources[view_diff_after].name));
    diff_words_totals_add(&answer->diff, &totals);
    if (totals.length != 0)
        text_add(&text, ": %s", totals.bytes);
    else if (answer->diff.changed != 0)
        text_put(&text, ": as many objects of each kind as before");
    else
        text_put(&text, ": nothing has changed");
    if (view->is_incomplete && totals.length == 0)
        text_put(&text, ", in what could be read");
    text_put(&text, ".\n");
    view_write(view, text.bytes);
    text_free(&text);
    text_free(&totals);
}

/* Add WORDS and the number of objects that `made` or `destroyed`, at OFFSET, counts, unless it
 * is 0. */
static void add_some(const struct view_diff *diff, const char *words, size_t offset,
                     struct text *text)
{
    const char *between = words;

    for (size_t i = 0; i < VIEW_DIFF_KINDS; i++) {
        const struct view_diff_place *total = &diff->totals[i];
        const struct view_diff_count *count =
            (const struct view_diff_count *)((const char *)total + offset);

        if (count->count == 0)
            continue;
        text_put(text, between);
        diff_words_objects_add(total, count, text);
        between = ", ";
    }
}

static bool programs_differ(const struct view_diff_answer *answer)
{
    const struct text *one = &answer->sources[view_diff_before].program;
    const struct text *other = &answer->sources[view_diff_after].program;

    return one->length != 0 && other->length != 0 && strcmp(one->bytes, other->bytes) != 0;
}

void view_diff_relation_add(const struct view_diff_answer *answer, struct text *text)
{
    if (answer->diff.is_one_process)
        return;
    if (programs_differ(answer)) {
        text_put(text, "They are of different programs, ");
        text_escape(text, answer->sources[view_diff_before].program.bytes);
        text_put(text, " and ");
        text_escape(text, answer->sources[view_diff_after].program.bytes);
        text_put(text, ". ");
    } else if (answer->sources[view_diff_before].has_identity &&
               answer->sources[view_diff_after].has_identity) {
        text_put(text, "They are of different processes. ");
    } else {
        text_put(text, "It is not known whether they are of one process. ");
    }
    if (view_diff_has_recorders(answer))
        text_put(text, "Objects are therefore counted by the calls that made them, not matched.");
    else
        text_put(text, "Without the recorder in both, objects are counted, not matched, and the "
                       "calls that made them are unknown.");
}

/* Write how the snapshots are related, and what follows from that. */
static void write_relation(ompd_view_t *view, const struct view_diff_answer *answer)
{
    struct text text = {0};

    view_diff_relation_add(answer, &text);
    add_some(&answer->diff,
             "Made since then and still alive: ", offsetof(struct view_diff_place, made), &text);
    add_some(&answer->diff, text.length != 0 ? ". Destroyed: " : "Destroyed since then: ",
             offsetof(struct view_diff_place, destroyed), &text);
    if (text.length != 0)
        view_print(view, "%s%s\n", text.bytes, text.bytes[text.length - 1] != '.' ? "." : "");
    text_free(&text);
}

/* ---- Entries --------------------------------------------------------------------------------- */

/* Add CALLS, numbered from the innermost. */
static void add_calls(const char *calls, struct text *text)
{
    for (size_t i = 0; *calls != '\0'; i++) {
        size_t length = strcspn(calls, "\n") + 1;

        text_add(text, "    #%zu ", i);
        text_append(text, calls, length);
        calls += length;
    }
}

/* Add "2 before, 14 after: 12 made since then, none destroyed". */
static void add_details(const struct view_diff *diff, const struct view_diff_place *place,
                        struct text *text)
{
    const bool *const whole[] = {diff->facts[view_diff_before].is_whole,
                                 diff->facts[view_diff_after].is_whole};

    text_add(text, "%s%" PRIu64 " before, %s%" PRIu64 " after",
             whole[view_diff_before][place->kind] ? "" : "at least ",
             place->sides[view_diff_before].count,
             whole[view_diff_after][place->kind] ? "" : "at least ",
             place->sides[view_diff_after].count);
    if (place->made.count != 0)
        text_add(text, "; %" PRIu64 " made since then", place->made.count);
    if (place->destroyed.count != 0)
        text_add(text, "; %" PRIu64 " destroyed", place->destroyed.count);
}

static void diff_words_entry_write(ompd_view_t *view, const struct view_diff *diff,
                                   const struct view_diff_place *place)
{
    struct text text = {0};

    text_put(&text, "  ");
    add_growth(diff, place, &text);
    if (view_diff_depth(diff) != 0)
        text_put(&text, place->calls[0] != '\0' ? " made at" : " made at an unknown place");
    text_put(&text, "\n");
    add_calls(place->calls, &text);
    text_put(&text, "    ");
    add_details(diff, place, &text);
    text_put(&text, "\n");
    view_write(view, text.bytes);
    view_row_written(view);
    text_free(&text);
}

void view_diff_words_write(ompd_view_t *view, const struct view_diff_answer *answer)
{
    const struct view_diff *diff = &answer->diff;
    size_t shown = diff->changed < view->options.limit ? diff->changed : view->options.limit;

    diff_words_verdict_write(view, answer);
    write_relation(view, answer);
    for (size_t i = 0; i < shown; i++)
        diff_words_entry_write(view, diff, &diff->places[i]);
    if (diff->changed > shown)
        view_cut_note_write(view, "  ", diff->changed - shown);
    view_incompleteness_write(view, "", &answer->notes);
}
