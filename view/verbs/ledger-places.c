/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See verbs.h. */
#include <view/verbs/verbs.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct view_ledger_place {
    struct view_row row; /* only for its action; its bytes are those of an entry */
    uint64_t action;
    struct view_value caller;
    struct view_value stack;
    uint64_t count;
    struct text text; /* the text of caller and stack, once needed */
};

void view_ledger_places_take(struct view_ledger_places *places, const struct view_row *row)
{
    struct view_value caller = view_row_value(row, "caller");

    if (!view_value_is_known(caller))
        return;
    places->all = heap_grow(places->all, places->count, sizeof(places->all[0]));
    places->all[places->count++] =
        (struct view_ledger_place){.row = *row,
                                   .action = view_row_number(row, "action"),
                                   .caller = caller,
                                   .stack = view_row_value(row, "stack"),
                                   .count = 1};
}

static int ledger_numbers_compare(uint64_t one, uint64_t other)
{
    return one == other ? 0 : one < other ? -1 : 1;
}

static int compare_places(const void *left, const void *right)
{
    const struct view_ledger_place *one = left;
    const struct view_ledger_place *other = right;
    int order = ledger_numbers_compare(one->action, other->action);

    if (order == 0)
        order = ledger_numbers_compare(one->caller.value, other->caller.value);
    return order != 0 ? order : ledger_numbers_compare(one->stack.value, other->stack.value);
}

static int ledger_place_texts_compare(const void *left, const void *right)
{
    const struct view_ledger_place *one = left;
    const struct view_ledger_place *other = right;
    int order = ledger_numbers_compare(one->action, other->action);

    return order != 0 ? order : strcmp(text_get(&one->text), text_get(&other->text));
}

static int compare_counts(const void *left, const void *right)
{
    const struct view_ledger_place *one = left;
    const struct view_ledger_place *other = right;
    int order = ledger_numbers_compare(one->action, other->action);

    if (order == 0)
        order = ledger_numbers_compare(other->count, one->count);
    return order != 0 ? order : ledger_place_texts_compare(left, right);
}

/* Sort the places by COMPARE, and merge equal ones. */
static void ledger_places_join(struct view_ledger_places *places,
                               int (*compare_by)(const void *, const void *))
{
    size_t kept = 0;

    qsort(places->all, places->count, sizeof(places->all[0]), compare_by);
    for (size_t i = 1; i < places->count; i++) {
        if (compare_by(&places->all[kept], &places->all[i]) == 0) {
            places->all[kept].count += places->all[i].count;
            text_free(&places->all[i].text);
        } else {
            places->all[++kept] = places->all[i];
        }
    }
    places->count = kept + 1;
}

static void ledger_place_place_write(ompd_view_t *view, const struct view_ledger_place *place)
{
    struct text text = {0};

    view_ledger_action_add(&place->row, &text);
    if (place->count == 1)
        text_put(&text, " once");
    else
        text_add(&text, " %" PRIu64 " times", place->count);
    text_put(&text, text_get(&place->text));
    view_print(view, "  %s\n", text.bytes);
    text_free(&text);
}

void view_ledger_places_write(struct view_ledger_places *places, ompd_view_t *view)
{
    if (places->count == 0)
        return;
    /* Calls on one source line are one place. */
    ledger_places_join(places, compare_places);
    for (size_t i = 0; i < places->count; i++)
        view_ledger_place_add(view, places->all[i].caller, places->all[i].stack,
                              &places->all[i].text);
    ledger_places_join(places, ledger_place_texts_compare);
    qsort(places->all, places->count, sizeof(places->all[0]), compare_counts);
    for (size_t i = 0; i < places->count && i < view->options.limit; i++)
        ledger_place_place_write(view, &places->all[i]);
    if (places->count > view->options.limit)
        view_cut_note_write(view, "  ", places->count - view->options.limit);
}

void view_ledger_places_free(struct view_ledger_places *places)
{
    for (size_t i = 0; i < places->count; i++)
        text_free(&places->all[i].text);
    heap_free(places->all);
    *places = (struct view_ledger_places){0};
}

void view_ledger_action_add(const struct view_row *row, struct text *text)
{
    if (!view_value_is_known(view_row_value(row, "action"))) {
        text_put(text, "changed in an unknown way");
        return;
    }
    switch (view_row_number(row, "action")) {
    case ompd_cl_action_refused:
        text_put(text, "refused: the previous release does not count");
        break;
    case ompd_cl_action_over_released:
        text_put(text, "released with no reference left");
        break;
    case ompd_cl_action_ended:
        text_put(text, "destroyed: ");
        view_field_text_add(view_kind_field(row->kind, "ending"), view_row_number(row, "ending"),
                            text);
        break;
    default:
        view_row_name(row, "action", text);
    }
}

/* Add the frames of STACK. False if it has only the caller. */
static bool add_frames(ompd_view_t *view, struct view_value stack, struct text *text)
{
    ompd_addr_t frames[VIEW_STACK_FRAMES];
    size_t count = 0;

    if (view_value_is_known(stack) && stack.value != 0)
        count = view_stack_get(view, stack.value, frames);
    if (count != 0) {
        text_put(text, " at ");
        view_site_chain(view, frames, count, text);
    }
    return count != 0;
}

void view_ledger_place_add(ompd_view_t *view, struct view_value caller, struct view_value stack,
                           struct text *text)
{
    if (!view_value_is_known(caller) || add_frames(view, stack, text))
        return;
    text_put(text, " at ");
    view_site_describe(view, view_site_get(view, caller.value, 0), text);
}

void view_ledger_kind_add(const struct view_row *row, struct text *text)
{
    struct view_value kind = view_row_value(row, "kind");
    const ompd_cl_noun_t *noun;

    if (!view_value_is_known(kind)) {
        text_put(text, "an object");
        return;
    }
    noun = view_kind_get((ompd_cl_kind_t)kind.value)->noun;
    text_add(text, "%s %s", noun->article, noun->singular);
}
