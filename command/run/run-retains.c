/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See run.h. */
#include <command/run/run.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

#define MOST_PLACES 5 /* printed for each action */

/* ---- Ledger entries -------------------------------------------------------------------------- */

static int compare_objects(const void *left, const void *right)
{
    const struct run_retained *one = left;
    const struct run_retained *other = right;

    if (one->handle != other->handle)
        return one->handle < other->handle ? -1 : 1;
    return one->order < other->order ? -1 : one->order > other->order;
}

static void add_times(struct run_retains *retains, uint64_t action, uint64_t caller, uint64_t times)
{
    struct run_retain_place *place = retains->places;

    while (place < retains->places + retains->count &&
           (place->action != action || place->caller != caller))
        place++;
    if (place < retains->places + retains->count) {
        place->times += times;
        return;
    }
    retains->places = heap_grow(retains->places, retains->count, sizeof(retains->places[0]));
    retains->places[retains->count++] = (struct run_retain_place){action, caller, times};
}

static void ledger_entry_count(struct run_retains *retains, const ompd_cl_ledger_info_t *entry)
{
    switch (entry->action.value) {
    case ompd_cl_action_created:
        retains->created++;
        break;
    case ompd_cl_action_retained:
        retains->retained++;
        add_times(retains, ompd_cl_action_retained, entry->head.caller.value, 1);
        break;
    case ompd_cl_action_released:
        retains->released++;
        add_times(retains, ompd_cl_action_released, entry->head.caller.value, 1);
        break;
    case ompd_cl_action_refused:
        retains->released -= retains->released != 0;
        break;
    default:
        break;
    }
}

void run_retains_find(struct command_session *session, struct run_retained *objects, size_t count)
{
    const ompd_cl_ledger_info_t *entry;
    struct command_rows rows;

    if (count == 0)
        return;
    qsort(objects, count, sizeof(objects[0]), compare_objects);
    command_rows_open_optional(&rows, session, ompd_cl_kind_ledger, NULL);
    while ((entry = command_rows_next(&rows)) != NULL) {
        struct run_retained key = {.handle = entry->head.handle.value,
                                   .order = entry->head.order.value};
        const struct run_retained *found =
            bsearch(&key, objects, count, sizeof(key), compare_objects);

        if (found != NULL)
            ledger_entry_count(found->retains, entry);
    }
    command_rows_close(&rows);
}

void run_retains_join(struct run_retains *retains, const struct run_retains *more)
{
    for (size_t i = 0; i < more->count; i++)
        add_times(retains, more->places[i].action, more->places[i].caller, more->places[i].times);
    retains->created += more->created;
    retains->retained += more->retained;
    retains->released += more->released;
}

void run_retains_free(struct run_retains *retains)
{
    heap_free(retains->places);
    *retains = (struct run_retains){.count = 0};
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* How many of the references from creations and retains were not released; *TAKEN receives the
 * number of all.  0: unknown. */
static uint64_t count_unreleased(const struct run_retains *retains, uint64_t count, uint64_t *taken)
{
    *taken = retains->created + retains->retained;
    return retains->created == count && *taken > retains->released ? *taken - retains->released : 0;
}

/* Places that print alike. */
struct line {
    char *text;
    uint64_t times;
};

static int compare_lines(const void *left, const void *right)
{
    const struct line *one = left;
    const struct line *other = right;

    if (one->times != other->times)
        return one->times > other->times ? -1 : 1;
    return strcmp(one->text, other->text);
}

/* Put the places of ACTION in LINES, which is large enough.  Returns their number. */
static size_t find_lines(const struct run_retains *retains, ompd_view_t *view, uint64_t action,
                         struct line *lines)
{
    size_t count = 0;

    for (size_t i = 0; i < retains->count; i++) {
        const struct run_retain_place *place = &retains->places[i];
        ompd_view_value_t caller = {.struct_size = sizeof(caller),
                                    .type = ompd_cl_type_caller,
                                    .status = ompd_cl_status_value,
                                    .number = place->caller};
        const char *shown =
            place->caller != 0 ? ompd_view_value_describe(view, &caller) : "an unknown place";
        size_t j = 0;

        if (place->action != action)
            continue;
        while (j < count && strcmp(lines[j].text, shown) != 0)
            j++;
        if (j == count)
            lines[count++] = (struct line){.text = text_copy(shown)};
        lines[j].times += place->times;
    }
    qsort(lines, count, sizeof(lines[0]), compare_lines);
    return count;
}

/* Add "    retained 10 times at main at wrap.cpp:15" for each place of ACTION.  IS_WHOLE: no
 * ledger entry was dropped. */
static void add_lines(const struct run_retains *retains, ompd_view_t *view, uint64_t action,
                      const char *word, bool is_whole, struct text *text)
{
    struct line *lines = heap_get((retains->count + 1) * sizeof(lines[0]));
    size_t count = find_lines(retains, view, action, lines);

    for (size_t i = 0; i < count; i++) {
        if (i < MOST_PLACES) {
            text_add(text, "    %s %s", word, is_whole ? "" : "at least ");
            if (lines[i].times == 1)
                text_put(text, "once");
            else
                text_add(text, "%" PRIu64 " times", lines[i].times);
            text_add(text, " at %s\n", lines[i].text);
        }
        heap_free(lines[i].text);
    }
    if (count > MOST_PLACES)
        text_add(text, "    and %s at %zu more places\n", word, count - MOST_PLACES);
    heap_free(lines);
}

void run_retains_add(const struct run_retains *retains, ompd_view_t *view, uint64_t count,
                     struct text *text)
{
    uint64_t taken;
    uint64_t unreleased = count_unreleased(retains, count, &taken);
    bool is_whole = retains->created == count;

    if (retains->retained == 0)
        return;
    add_lines(retains, view, ompd_cl_action_retained, "retained", is_whole, text);
    add_lines(retains, view, ompd_cl_action_released, "released", is_whole, text);
    if (unreleased != 0)
        text_add(text, "    %" PRIu64 " of the %" PRIu64 " references %s never released\n",
                 unreleased, taken, unreleased == 1 ? "was" : "were");
}

void run_retains_json_add(const struct run_retains *retains, ompd_view_t *view, uint64_t count)
{
    uint64_t taken;
    uint64_t unreleased = count_unreleased(retains, count, &taken);

    if (retains->retained == 0)
        return;
    if (unreleased != 0)
        command_json_number(view, "unreleased", (int64_t)unreleased);
    ompd_view_json_begin(view, "retains", true);
    for (size_t i = 0; i < retains->count; i++) {
        const struct run_retain_place *place = &retains->places[i];
        ompd_addr_t frame = place->caller;
        ompd_view_value_t stack = {.struct_size = sizeof(stack),
                                   .type = ompd_cl_type_stack,
                                   .status = ompd_cl_status_value,
                                   .frames = &frame,
                                   .frame_count = place->caller != 0};

        ompd_view_json_begin(view, NULL, false);
        command_json_text(view, "action",
                          command_number_name(ompd_cl_kind_ledger, "action", place->action));
        command_json_number(view, "times", (int64_t)place->times);
        ompd_view_json_value_add(view, "stack", &stack);
        ompd_view_json_end(view);
    }
    ompd_view_json_end(view);
}
