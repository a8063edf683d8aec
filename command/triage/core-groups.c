/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See triage.h. */
#include <command/triage/triage.h>

#include <string.h>
#include <text/heap.h>

#define MOST_NODES 4096
#define DEEPEST 8 /* functions of a place */
#define BEFORE_PLACES "lived | "
#define FUNCTION_END " | "
#define PLACE_END "; "

/* ---- Counting ----------------------------------------------------------------------------------
 */

/* The node NAME, of LENGTH bytes, within PARENT, which is created if necessary.  Returns its
 * number; 0: too many nodes. */
static size_t find_node(struct command_core_groups *groups, size_t parent, const char *name,
                        size_t length, const char *core)
{
    struct command_wait_node *node;
    struct text copy = {0};

    for (size_t i = parent; i < groups->node_count; i++) {
        node = &groups->nodes[i];
        if (node->parent == parent && node->length == length &&
            memcmp(node->name, name, length) == 0)
            return i + 1;
    }
    groups->is_cut |= groups->node_count == MOST_NODES;
    if (groups->node_count == MOST_NODES)
        return 0;
    groups->nodes = heap_grow(groups->nodes, groups->node_count, sizeof(*groups->nodes));
    text_append(&copy, name, length);
    groups->nodes[groups->node_count++] =
        (struct command_wait_node){.name = text_copy(text_get(&copy)),
                                   .length = length,
                                   .parent = parent,
                                   .example = text_copy(core)};
    text_free(&copy);
    return groups->node_count;
}

/* The end of the function at NAME, in a place that ends at END.  Does not read further, as there
 * may be thousands of places. */
static const char *function_end(const char *name, const char *end)
{
    const size_t size = strlen(FUNCTION_END);

    for (; (size_t)(end - name) >= size; name++)
        if (memcmp(name, FUNCTION_END, size) == 0)
            return name;
    return end;
}

/* Count the functions of PLACE, of LENGTH bytes, from the innermost outwards, as the known depth
 * differs. */
static void place_count(struct command_core_groups *groups, const char *place, size_t length,
                        const char *core)
{
    const char *end = place + length;
    struct command_wait_node *node = NULL;
    size_t number = 0;

    for (size_t depth = 0; depth < DEEPEST && place < end; depth++) {
        const char *next = function_end(place, end);

        number = find_node(groups, number, place, (size_t)(next - place), core);
        if (number == 0)
            break;
        node = &groups->nodes[number - 1];
        node->count += node->last != groups->cores;
        node->last = groups->cores;
        place = next + strlen(FUNCTION_END);
    }
    if (node == NULL)
        return;
    node->ending += node->last_ending != groups->cores;
    node->last_ending = groups->cores;
}

static void add_places(struct command_core_groups *groups, const char *places, const char *core)
{
    if (strncmp(places, BEFORE_PLACES, strlen(BEFORE_PLACES)) != 0)
        return;
    groups->waiting++;
    for (const char *place = places + strlen(BEFORE_PLACES);;) {
        const char *end = strstr(place, PLACE_END);

        place_count(groups, place, end != NULL ? (size_t)(end - place) : strlen(place), core);
        if (end == NULL)
            return;
        place = end + strlen(PLACE_END);
    }
}

static void group_count(struct command_core_groups *groups, const char *class, const char *coarse,
                        const char *program, const char *core)
{
    const size_t mark = strlen(COMMAND_RECORD_PRESUMED);
    bool is_presumed = strncmp(class, COMMAND_RECORD_PRESUMED, mark) == 0;

    class += is_presumed ? mark : 0;
    for (size_t i = 0; i < groups->count; i++) {
        struct command_core_group *group = &groups->all[i];

        if (strcmp(group->class, class) == 0 && strcmp(group->coarse, coarse) == 0 &&
            strcmp(group->program, program) == 0) {
            group->count++;
            group->is_presumed |= is_presumed;
            return;
        }
    }
    groups->all = heap_grow(groups->all, groups->count, sizeof(*groups->all));
    groups->all[groups->count++] = (struct command_core_group){.class = text_copy(class),
                                                               .is_presumed = is_presumed,
                                                               .program = text_copy(program),
                                                               .coarse = text_copy(coarse),
                                                               .example = text_copy(core),
                                                               .count = 1};
}

void command_core_groups_add(struct command_core_groups *groups, const char *core,
                             const char *record)
{
    enum { class, coarse, program, places, lines };
    struct text line[lines] = {{0}};
    size_t count = 0;

    for (; count < lines; count++) {
        size_t length = strcspn(record, "\n");

        if (record[length] == '\0')
            break;
        text_append(&line[count], record, length);
        record += length + 1;
    }
    groups->cores++;
    if (count < lines) /* it is incomplete */
        group_count(groups, "", "", "", core);
    else
        group_count(groups, text_get(&line[class]), text_get(&line[coarse]),
                    text_get(&line[program]), core);
    if (count == lines)
        add_places(groups, text_get(&line[places]), core);
    for (size_t i = 0; i < lines; i++)
        text_free(&line[i]);
}

void command_core_groups_free(struct command_core_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        heap_free(groups->all[i].class);
        heap_free(groups->all[i].program);
        heap_free(groups->all[i].coarse);
        heap_free(groups->all[i].example);
    }
    for (size_t i = 0; i < groups->node_count; i++) {
        heap_free(groups->nodes[i].name);
        heap_free(groups->nodes[i].example);
    }
    heap_free(groups->all);
    heap_free(groups->nodes);
    *groups = (struct command_core_groups){.count = 0};
}
