/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See verbs.h. */
#include <view/verbs/verbs.h>

#include <stdlib.h>

#define SMALLEST 64 /* slots */

/* ---- Names ----------------------------------------------------------------------------------- */

static void name_add(struct view_leak_names *names, const char *text, uint64_t count)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->all[i].text, text) == 0) {
            names->all[i].count += count;
            return;
        }
    }
    if (names->count == VIEW_LEAK_NAMES) {
        names->others += count;
        return;
    }
    names->all[names->count].count = count;
    names->all[names->count++].text = text_copy(text);
}

static void names_join(struct view_leak_names *names, struct view_leak_names *more)
{
    for (size_t i = 0; i < more->count; i++) {
        name_add(names, more->all[i].text, more->all[i].count);
        heap_free(more->all[i].text);
    }
    names->others += more->others;
    more->count = 0;
}

/* What holds ROW's object. Heap blocks are often as many as the objects. */
static void add_holder(ompd_view_t *view, const struct view_row *row, struct view_leak_names *names)
{
    struct text text = {0};

    if (names->others != 0 && view_row_number(row, "holder_storage") != ompd_cl_site_module) {
        names->others++;
        return;
    }
    if (view_row_number(row, "holding") == ompd_cl_reachability_perhaps_freed) {
        text_put_hexadecimal(&text, view_row_number(row, "handle"));
        text_put(&text, " in ");
    }
    view_reference_site_describe(view, row, "holder_", &text);
    name_add(names, text_get(&text), 1);
    text_free(&text);
}

static void leak_group_kept_add(const struct view_row *row, const char *field, ompd_cl_kind_t kind,
                                struct view_leak_names *names)
{
    struct view_value value = view_row_value(row, field);
    struct text text = {0};

    if (!view_value_is_known(value))
        return;
    text_put(&text, view_kind_get(kind)->noun->singular);
    text_put(&text, " ");
    text_put_hexadecimal(&text, value.value);
    name_add(names, text.bytes, 1);
    text_free(&text);
}

/* ---- Groups ---------------------------------------------------------------------------------- */

static size_t leak_group_hash(const struct view_leak_group *group)
{
    uint64_t hash = group->stack;

    hash = (hash ^ group->caller) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (uint64_t)group->kind << 8 ^ (uint64_t)group->certainty) * 0x9e3779b97f4a7c15u;
    return (size_t)(hash ^ hash >> 29);
}

static bool leak_group_is_same(const struct view_leak_group *one,
                               const struct view_leak_group *other)
{
    return one->stack == other->stack && one->caller == other->caller && one->kind == other->kind &&
           one->certainty == other->certainty;
}

/* The slot of the group with KEY, or the empty slot for it. */
static uint32_t *leak_group_slot_find(const struct view_leak_groups *groups,
                                      const struct view_leak_group *key)
{
    size_t slot = leak_group_hash(key) & (groups->slot_count - 1);

    while (groups->slots[slot] != 0 &&
           !leak_group_is_same(key, &groups->all[groups->slots[slot] - 1]))
        slot = (slot + 1) & (groups->slot_count - 1);
    return &groups->slots[slot];
}

/* Make room for one more group: at most half of the slots are used. */
static void leak_groups_grow(struct view_leak_groups *groups)
{
    if (groups->count * 2 < groups->slot_count)
        return;
    groups->slot_count = groups->slot_count != 0 ? groups->slot_count * 2 : SMALLEST;
    heap_free(groups->slots);
    groups->slots = heap_get(groups->slot_count * sizeof(groups->slots[0]));
    groups->all = heap_resize(groups->all, groups->slot_count * sizeof(groups->all[0]));
    for (size_t i = 0; i < groups->count; i++)
        *leak_group_slot_find(groups, &groups->all[i]) = (uint32_t)i + 1;
}

/* The group of ROW, created if necessary. */
static struct view_leak_group *leak_group_group(struct view_leak_groups *groups,
                                                const struct view_row *row,
                                                enum view_certainty certainty)
{
    struct view_leak_group key = {
        .kind = (ompd_cl_kind_t)view_row_number(row, "kind"),
        .certainty = certainty,
        .stack = view_row_number(row, "stack"),
        .caller = view_row_number(row, "caller"),
        .made = view_row_number(row, "made"),
        .position = groups->rows,
        .handle = view_row_number(row, "handle"),
    };
    uint32_t *slot;

    leak_groups_grow(groups);
    slot = leak_group_slot_find(groups, &key);
    if (*slot == 0) {
        groups->all[groups->count++] = key;
        *slot = (uint32_t)groups->count;
    }
    return &groups->all[*slot - 1];
}

void view_leak_groups_add(struct view_leak_groups *groups, ompd_view_t *view,
                          const struct view_row *row, enum view_certainty certainty)
{
    struct view_leak_group *group = leak_group_group(groups, row, certainty);

    groups->rows++;
    group->count++;
    group->bytes += view_row_number(row, "size");
    switch (view_row_number(row, "holding")) {
    case ompd_cl_reachability_held:
    case ompd_cl_reachability_perhaps_freed:
        add_holder(view, row, &group->holders);
        break;
    case ompd_cl_reachability_lost:
        group->lost++;
        break;
    case ompd_cl_reachability_perhaps_lost:
        group->perhaps++;
        break;
    case ompd_cl_reachability_reachable:
        group->reachable++;
        break;
    default:
        group->missed++;
        break;
    }
    leak_group_kept_add(row, "kept_context", ompd_cl_kind_context, &group->kept);
    leak_group_kept_add(row, "kept_queue", ompd_cl_kind_queue, &group->kept);
    leak_group_kept_add(row, "kept_parent", ompd_cl_kind_memobj, &group->kept);
    leak_group_kept_add(row, "kept_program", ompd_cl_kind_program, &group->kept);
}

/* ---- Order ----------------------------------------------------------------------------------- */

static void leak_group_stack_format(ompd_view_t *view, struct view_leak_group *group)
{
    ompd_addr_t frames[VIEW_STACK_FRAMES];
    struct text text = {0};
    size_t count = group->stack != 0 ? view_stack_get(view, group->stack, frames) : 0;

    if (count == 0 && group->caller != 0) {
        frames[0] = group->caller;
        count = 1;
    }
    view_site_stack(view, frames, count, "    ", &text);
    group->shown = text_copy(text_get(&text));
    text_free(&text);
}

static int leak_group_numbers_compare(uint64_t one, uint64_t other)
{
    return one < other ? -1 : one > other;
}

/* Groups to be merged are neighbours. */
static int compare_shown(const void *left, const void *right)
{
    const struct view_leak_group *one = left;
    const struct view_leak_group *other = right;
    int difference = leak_group_numbers_compare(one->kind, other->kind);

    if (difference == 0)
        difference = leak_group_numbers_compare(one->certainty, other->certainty);
    if (difference == 0)
        difference = strcmp(one->shown, other->shown);
    return difference != 0 ? difference
                           : leak_group_numbers_compare(one->position, other->position);
}

static int compare_sizes(const void *left, const void *right)
{
    const struct view_leak_group *one = left;
    const struct view_leak_group *other = right;
    int difference = leak_group_numbers_compare(one->certainty, other->certainty);

    if (difference == 0)
        difference = leak_group_numbers_compare(other->bytes, one->bytes);
    if (difference == 0)
        difference = leak_group_numbers_compare(other->count, one->count);
    return difference != 0 ? difference
                           : leak_group_numbers_compare(one->position, other->position);
}

static bool leak_group_is_alike(const struct view_leak_group *one,
                                const struct view_leak_group *other)
{
    return one->kind == other->kind && one->certainty == other->certainty &&
           strcmp(one->shown, other->shown) == 0;
}

static void leak_groups_join(struct view_leak_group *group, struct view_leak_group *more)
{
    group->count += more->count;
    group->made = 0; /* unknown: other stacks of these calls may have no object left */
    group->bytes += more->bytes;
    group->lost += more->lost;
    group->perhaps += more->perhaps;
    group->reachable += more->reachable;
    group->missed += more->missed;
    names_join(&group->holders, &more->holders);
    names_join(&group->kept, &more->kept);
    heap_free(more->shown);
    more->shown = NULL;
}

void view_leak_groups_settle(struct view_leak_groups *groups, ompd_view_t *view)
{
    size_t kept = 0;

    for (size_t i = 0; i < groups->count; i++)
        leak_group_stack_format(view, &groups->all[i]);
    if (groups->count == 0)
        return;
    qsort(groups->all, groups->count, sizeof(groups->all[0]), compare_shown);
    for (size_t i = 1; i < groups->count; i++) {
        if (leak_group_is_alike(&groups->all[kept], &groups->all[i]))
            leak_groups_join(&groups->all[kept], &groups->all[i]);
        else
            groups->all[++kept] = groups->all[i];
    }
    groups->count = kept + 1;
    qsort(groups->all, groups->count, sizeof(groups->all[0]), compare_sizes);
}

static void names_free(struct view_leak_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        heap_free(names->all[i].text);
}

void view_leak_groups_free(struct view_leak_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        names_free(&groups->all[i].holders);
        names_free(&groups->all[i].kept);
        heap_free(groups->all[i].shown);
    }
    heap_free(groups->all);
    heap_free(groups->slots);
    *groups = (struct view_leak_groups){0};
}
