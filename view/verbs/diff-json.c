/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See verbs.h: the output of `diff` as JSON. */
#include <view/verbs/verbs.h>

#define UNREAD_SECOND "the second snapshot could not be read completely"
#define NOT_ONE "they are not known to be of one process"

/* Add COUNT under KEY, and its bytes under BYTES_KEY if PLACE's objects have any. */
static void diff_json_count_add(struct json *json, const struct view_diff_place *place,
                                const char *key, const char *bytes_key,
                                const struct view_diff_count *count, bool is_whole)
{
    json_number(json, key, (int64_t)count->count);
    if (!is_whole)
        json_at_least(json, key);
    if (!view_diff_has_bytes(place))
        return;
    json_number(json, bytes_key, (int64_t)count->bytes);
    if (!is_whole || count->lacks_bytes)
        json_at_least(json, bytes_key);
}

/* Add null instead, with REASON. */
static void diff_json_unknown_add(struct json *json, const struct view_diff_place *place,
                                  const char *key, const char *bytes_key, const char *reason)
{
    json_null(json, key);
    json_unknown(json, key, reason);
    if (!view_diff_has_bytes(place))
        return;
    json_null(json, bytes_key);
    json_unknown(json, bytes_key, reason);
}

/* Add the counts of PLACE, or of all places of a kind. */
static void add_counts(struct json *json, const struct view_diff *diff,
                       const struct view_diff_place *place)
{
    bool is_before_whole = diff->facts[view_diff_before].is_whole[place->kind];
    bool is_after_whole = diff->facts[view_diff_after].is_whole[place->kind];

    if (diff->facts[view_diff_before].has_presumed[place->kind])
        json_presumed(json, "before");
    if (diff->facts[view_diff_after].has_presumed[place->kind])
        json_presumed(json, "after");
    diff_json_count_add(json, place, "before", "bytes_before", &place->sides[view_diff_before],
                        is_before_whole);
    diff_json_count_add(json, place, "after", "bytes_after", &place->sides[view_diff_after],
                        is_after_whole);
    if (!diff->is_one_process) {
        diff_json_unknown_add(json, place, "made", "bytes_made", NOT_ONE);
        diff_json_unknown_add(json, place, "destroyed", "bytes_destroyed", NOT_ONE);
        return;
    }
    diff_json_count_add(json, place, "made", "bytes_made", &place->made, is_after_whole);
    if (is_after_whole)
        diff_json_count_add(json, place, "destroyed", "bytes_destroyed", &place->destroyed,
                            is_before_whole);
    else
        diff_json_unknown_add(json, place, "destroyed", "bytes_destroyed", UNREAD_SECOND);
}

static void diff_json_totals_add(struct json *json, const struct view_diff *diff)
{
    struct json all;

    json_key(json, "totals");
    json_begin_array(&all, json->text);
    for (size_t i = 0; i < VIEW_DIFF_KINDS; i++) {
        struct json total;

        if (!view_diff_is_compared(diff, i))
            continue;
        json_key(&all, NULL);
        json_begin(&total, json->text);
        json_string(&total, "kind", view_kind_get(view_diff_kinds[i])->name);
        add_counts(&total, diff, &diff->totals[i]);
        json_end(&total);
    }
    json_end(&all);
}

/* Add LINES as an array of texts. */
static void diff_json_lines_add(struct json *json, const char *key, const char *lines)
{
    struct json all;

    json_key(json, key);
    json_begin_array(&all, json->text);
    while (*lines != '\0') {
        struct text line = {0};

        text_append(&line, lines, strcspn(lines, "\n"));
        json_string(&all, NULL, text_get(&line));
        text_free(&line);
        lines += strcspn(lines, "\n") + 1;
    }
    json_end(&all);
}

static void diff_json_verdict_write(ompd_view_t *view, const struct view_diff_answer *answer)
{
    const struct view_diff_source *sources = answer->sources;
    struct text relation = {0};
    struct text text = {0};
    struct json json;

    view_diff_relation_add(answer, &relation);
    json_begin_line(&json, &text);
    json_string(&json, "first", text_get(&sources[view_diff_before].file));
    json_string(&json, "second", text_get(&sources[view_diff_after].file));
    if (answer->diff.is_one_process ||
        (sources[view_diff_before].has_identity && sources[view_diff_after].has_identity)) {
        json_boolean(&json, "is_one_process", answer->diff.is_one_process);
    } else {
        json_null(&json, "is_one_process");
        json_unknown(&json, "is_one_process", "one of the recorders does not record it");
    }
    json_number(&json, "changed_places", (int64_t)answer->diff.changed);
    diff_json_totals_add(&json, &answer->diff);
    text_put(&relation, relation.length != 0 ? "\n" : "");
    text_put(&relation, text_get(&answer->notes));
    diff_json_lines_add(&json, "notes", text_get(&relation));
    json_end(&json);
    view_json_print(view, &text);
    text_free(&relation);
    text_free(&text);
}

static void diff_json_place_write(ompd_view_t *view, const struct view_diff *diff,
                                  const struct view_diff_place *place)
{
    struct text text = {0};
    struct json json;

    json_begin_line(&json, &text);
    json_string(&json, "kind", view_kind_get(view_diff_kinds[place->kind])->name);
    if (place->calls[0] != '\0') {
        diff_json_lines_add(&json, "made_at", place->calls);
    } else {
        json_null(&json, "made_at");
        json_unknown(&json, "made_at", "not observed");
    }
    add_counts(&json, diff, place);
    json_end(&json);
    view_json_print(view, &text);
    text_free(&text);
}

void view_diff_json_write(ompd_view_t *view, const struct view_diff_answer *answer)
{
    diff_json_verdict_write(view, answer);
    for (size_t i = 0; i < answer->diff.changed; i++)
        diff_json_place_write(view, &answer->diff, &answer->diff.places[i]);
}
