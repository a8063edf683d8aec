/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See model.h. */
#include <view/model/model.h>

#include <stdio.h>
#include <string.h>

struct view_site view_site_of_frames(ompd_view_t *view, const ompd_addr_t *frames, size_t count)
{
    size_t within = view_location_thread_frames(view, frames, count);

    for (size_t i = 0; i < within; i++) {
        size_t level = view_location_own_level(view, frames[i]);

        if (level != VIEW_NO_LEVEL)
            return (struct view_site){.address = frames[i], .level = level, .frame = i};
        if (view_location_is_main(view, frames[i]))
            break;
    }
    return (struct view_site){.address = frames[0]};
}

struct view_site view_site_get(ompd_view_t *view, uint64_t caller, uint64_t stack)
{
    ompd_addr_t frames[VIEW_STACK_FRAMES];
    size_t level = view_location_own_level(view, caller);
    struct view_site site = {.address = caller};
    size_t count;

    if (level != VIEW_NO_LEVEL)
        site.level = level;
    if (level != VIEW_NO_LEVEL || stack == 0)
        return site;
    count = view_stack_get(view, stack, frames);
    return count != 0 ? view_site_of_frames(view, frames, count) : site;
}

/* The key of the call stack for the return address in field NAME of ROW: other_caller has
 * other_stack. */
static uint64_t stack_of(const struct view_row *row, const char *name)
{
    static const char word[] = "caller";
    size_t length = strlen(name);
    char stack[32];

    if (length < strlen(word) || length >= sizeof(stack) ||
        strcmp(name + length - strlen(word), word) != 0)
        return 0;
    snprintf(stack, sizeof(stack), "%.*sstack", (int)(length - strlen(word)), name);
    if (view_kind_field(row->kind, stack) == NULL)
        return 0;
    return view_row_number(row, stack);
}

struct view_site view_site_of_field(ompd_view_t *view, const struct view_row *row, const char *name)
{
    return view_site_get(view, view_row_number(row, name), stack_of(row, name));
}

void view_site_describe(ompd_view_t *view, struct view_site site, struct text *text)
{
    view_location_level_describe(view, site.address, site.level, text);
}

void view_site_describe_field(ompd_view_t *view, const struct view_row *row, const char *name,
                              struct text *text)
{
    view_site_describe(view, view_site_of_field(view, row, name), text);
}

void view_site_stack(ompd_view_t *view, const ompd_addr_t *frames, size_t count, const char *indent,
                     struct text *text)
{
    struct view_site site;

    if (count == 0)
        return;
    site = view_site_of_frames(view, frames, count);
    view_location_stack_from(view, frames + site.frame, count - site.frame, site.level, indent,
                             text);
}

void view_site_chain(ompd_view_t *view, const ompd_addr_t *frames, size_t count, struct text *text)
{
    struct view_site site;

    if (count == 0)
        return;
    site = view_site_of_frames(view, frames, count);
    view_location_chain(view, frames + site.frame, count - site.frame, site.level, text);
}
