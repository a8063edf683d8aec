/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The report on counted cores. */
#include <command/triage/triage.h>

#include <inttypes.h>
#include <stdlib.h>

#define INDENT 2

static int groups_compare(const void *left, const void *right)
{
    const struct command_core_group *a = left;
    const struct command_core_group *b = right;
    int order = strcmp(a->class, b->class);

    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (order == 0)
        order = strcmp(a->coarse, b->coarse);
    return order != 0 ? order : strcmp(a->program, b->program);
}

static void groups_sort(struct command_core_groups *groups)
{
    if (groups->count != 0)
        qsort(groups->all, groups->count, sizeof(groups->all[0]), groups_compare);
}

/* ---- Text --------------------------------------------------------------------------------------
 */

/* A tree being written. */
struct tree {
    const struct command_core_groups *groups;
    struct text *text;
};

/* The child of node PARENT after NODE, or the first if that is NULL.  Order: most cores first,
 * then order of appearance.  NULL: none. */
static const struct command_wait_node *next_child(const struct command_core_groups *groups,
                                                  size_t parent,
                                                  const struct command_wait_node *node)
{
    const struct command_wait_node *next = NULL;

    for (size_t i = parent; i < groups->node_count; i++) {
        const struct command_wait_node *other = &groups->nodes[i];
        bool is_after = node == NULL || other->count < node->count ||
                        (other->count == node->count && other > node);

        if (other->parent == parent && is_after && (next == NULL || other->count > next->count))
            next = other;
    }
    return next;
}

/* The only child of NODE, if all of its cores are in that; otherwise NULL. */
static const struct command_wait_node *only_child(const struct command_core_groups *groups,
                                                  const struct command_wait_node *node)
{
    size_t number = (size_t)(node - groups->nodes) + 1;
    const struct command_wait_node *child = next_child(groups, number, NULL);

    if (child == NULL || node->ending != 0 || next_child(groups, number, child) != NULL)
        return NULL;
    return child;
}

/* Add NODE and, below it, its callers, indented by DEPTH steps. */
static void node_add_text(const struct tree *tree, const struct command_wait_node *node,
                          size_t depth)
{
    const struct command_core_groups *groups = tree->groups;
    const struct command_wait_node *child = node;
    struct text *text = tree->text;

    text_add(text, "%*s", (int)(INDENT * (depth + 1)), "");
    text_escape_lines(text, node->name);
    while ((child = only_child(groups, node)) != NULL) {
        node = child;
        text_add(text, " < ");
        text_escape_lines(text, node->name);
    }
    text_add(text, ": ");
    count_add(text, node->count, "core", NULL);
    if (node->ending != 0) {
        text_add(text, ", e.g. ");
        text_escape(text, node->example);
    }
    text_add(text, "\n");
    child = NULL;
    while ((child = next_child(groups, (size_t)(node - groups->nodes) + 1, child)) != NULL)
        node_add_text(tree, child, depth + 1);
}

static void tree_add_text(const struct command_core_groups *groups, struct text *text)
{
    const struct tree tree = {.groups = groups, .text = text};
    const struct command_wait_node *node = NULL;

    if (groups->waiting == 0)
        return;
    count_add(text, groups->waiting, "core has", "cores have");
    text_add(text, " threads that wait in OpenCL or run its callbacks:\n");
    while ((node = next_child(groups, 0, node)) != NULL)
        node_add_text(&tree, node, 0);
    if (groups->is_cut)
        text_add(text, "Some places are not shown.\n");
}

static void group_add_text(const struct command_core_group *group, struct text *text)
{
    count_add(text, group->count, "core", NULL);
    if (group->program[0] != '\0') {
        text_add(text, " of ");
        text_escape_lines(text, group->program);
    }
    text_add(text, ": ");
    if (group->class[0] != '\0') {
        text_escape_lines(text, group->class);
        text_add(text, "%s", group->is_presumed ? ", presumably" : "");
    } else {
        text_add(text, "cause unknown");
    }
    if (group->coarse[0] != '\0') {
        text_add(text, ", ");
        text_escape_lines(text, group->coarse);
    }
    text_add(text, "; e.g. ");
    text_escape(text, group->example);
    text_add(text, "\n");
}

void command_core_groups_write(struct command_core_groups *groups, ompd_view_t *view)
{
    struct text text = {0};

    groups_sort(groups);
    for (size_t i = 0; i < groups->count; i++)
        group_add_text(&groups->all[i], &text);
    tree_add_text(groups, &text);
    if (groups->unreadable != 0) {
        text_add(&text, "%" PRIu64 " of ", groups->unreadable);
        count_add(&text, groups->cores, "core", NULL);
        text_add(&text, " could not be read completely.\n");
    }
    ompd_view_text_write(view, ompd_view_style_plain, text_get(&text));
    text_free(&text);
}

/* ---- JSON --------------------------------------------------------------------------------------
 */

static void write_group_json(const struct command_core_group *group, ompd_view_t *view,
                             const char *version)
{
    struct command_class class = {.name = group->class[0] != '\0' ? group->class : NULL,
                                  .why = "see the verdict of the example",
                                  .is_presumed = group->is_presumed};

    ompd_view_json_begin(view, NULL, false);
    command_json_number(view, "cores", (int64_t)group->count);
    if (group->program[0] != '\0')
        command_json_text(view, "program", group->program);
    command_class_write_json(view, class);
    command_json_text(view, "signature_version", version);
    if (group->coarse[0] != '\0')
        command_json_text(view, "signature_coarse", group->coarse);
    else
        command_json_unknown(view, "signature_coarse", "see the verdict of the example");
    command_json_text(view, "example", group->example);
    ompd_view_json_end(view);
}

static void write_node_json(const struct command_core_groups *groups, size_t index,
                            ompd_view_t *view)
{
    const struct command_wait_node *node = &groups->nodes[index];

    ompd_view_json_begin(view, NULL, false);
    command_json_number(view, "node", (int64_t)index + 1);
    if (node->parent != 0)
        command_json_number(view, "parent", (int64_t)node->parent);
    command_json_text(view, "function", node->name);
    command_json_number(view, "cores", (int64_t)node->count);
    command_json_number(view, "ending", (int64_t)node->ending);
    command_json_text(view, "example", node->example);
    ompd_view_json_end(view);
}

void command_core_groups_write_json(struct command_core_groups *groups, ompd_view_t *view,
                                    const char *version)
{
    groups_sort(groups);
    for (size_t i = 0; i < groups->count; i++)
        write_group_json(&groups->all[i], view, version);
    for (size_t i = 0; i < groups->node_count; i++)
        write_node_json(groups, i, view);
}
