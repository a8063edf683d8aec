/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See run.h. */
#include <command/run/run.h>

#include <string.h>
#include <text/heap.h>

#define MOST_STACKS 1024 /* maximum number of stacks to check */

char *run_stack_show(struct command_session *session, const struct run_group *group)
{
    ompd_addr_t frames[RUN_FRAMES];
    ompd_view_value_t stack = run_group_stack(session, group, frames);
    const char *lines = ompd_view_value_describe(session->view, &stack);
    struct text text = {0};
    char *shown;

    for (; *lines != '\0'; lines += strcspn(lines, "\n") + 1) {
        text_add(&text, "    ");
        text_append(&text, lines, strcspn(lines, "\n"));
        text_add(&text, "\n");
    }
    shown = text_copy(text_get(&text));
    text_free(&text);
    return shown;
}

void run_alike_begin(struct run_alike *alike, const struct command_leak_report *leaks)
{
    size_t count = 0;

    for (size_t i = 0; i < RUN_LISTED; i++)
        count += leaks->kinds[i].group_count;
    *alike = (struct run_alike){.session = leaks->session, .index = RUN_LISTED};
    alike->left = heap_get((count + 1) * sizeof(*alike->left));
    for (size_t i = 0; i < RUN_LISTED; i++) {
        for (size_t j = 0; j < leaks->kinds[i].group_count; j++) {
            const struct run_group *group = leaks->kinds[i].groups[j];

            alike->left[alike->left_count++] =
                (struct run_left_stack){group->stack, i, group->is_held};
        }
    }
}

static void others_free(struct run_alike *alike)
{
    for (size_t i = 0; i < alike->other_count; i++)
        heap_free(alike->others[i]);
    alike->other_count = 0;
}

/* Whether the objects of STACK are in the joined groups, or are of another kind. */
static bool is_accounted(const struct run_alike *alike, uint64_t stack)
{
    bool is_known = false;

    for (size_t i = 0; i < alike->left_count; i++) {
        const struct run_left_stack *left = &alike->left[i];

        if (left->stack != stack)
            continue;
        if (left->index == alike->index && left->is_held)
            return false;
        is_known = true;
    }
    return is_known;
}

/* Find the stacks that are not accounted for.  Stacks are numbered from 1. */
static void find_others(struct run_alike *alike)
{
    for (uint64_t stack = 1; stack <= MOST_STACKS; stack++) {
        const struct run_group group = {.stack = stack};
        ompd_addr_t frame;
        ompd_size_t count;
        ompd_rc_t rc = ompd_cl_stack_get(alike->session->space, stack, 1, &frame, &count);

        alike->is_whole = rc == ompd_rc_bad_input;
        if (rc != ompd_rc_ok)
            return;
        if (is_accounted(alike, stack))
            continue;
        if (alike->other_count == RUN_OTHERS)
            return;
        alike->others[alike->other_count++] = run_stack_show(alike->session, &group);
    }
}

bool run_alike_is_all(struct run_alike *alike, size_t index, const struct run_group *group)
{
    if (alike->index != index) {
        others_free(alike);
        alike->index = index;
        alike->is_whole = false;
        find_others(alike);
    }
    for (size_t i = 0; i < alike->other_count; i++) {
        if (strcmp(alike->others[i], group->shown) == 0)
            return false;
    }
    return alike->is_whole;
}

void run_alike_end(struct run_alike *alike)
{
    others_free(alike);
    heap_free(alike->left);
}
