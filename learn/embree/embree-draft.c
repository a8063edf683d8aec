/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See embree.h. */
#include <learn/embree/embree.h>

#include <stdio.h>
#include <string.h>

static struct draft_class classes[DRAFT_CLASSES];
static size_t class_count;

static const struct {
    const char *name;
    unsigned numbers;
} words[DRAFT_WORDS] = {
    [draft_member] = {"member", 2},
    [draft_bit] = {"member", 4},
    [draft_base] = {"base", 1},
    [draft_bytes] = {"bytes", 1},
    [draft_bytes_each] = {"bytes-each", 1},
    [draft_vector] = {"vector", 2},
    [draft_vectors] = {"vectors", 5},
    [draft_slot] = {"slot", 1},
    [draft_slots] = {"slots", 4},
    [draft_scene_slot] = {"scene-slot", 1},
    [draft_scene_slots] = {"scene-slots", 2},
    [draft_view] = {"view", 3},
    [draft_own] = {"own", 1},
    [draft_own_each] = {"own-each", 2},
};

struct draft_class *draft_class_get(const char *kind, const char *pattern)
{
    struct draft_class *class;

    for (size_t i = 0; i < class_count; i++)
        if (strcmp(classes[i].kind, kind) == 0 && strcmp(classes[i].pattern, pattern) == 0)
            return &classes[i];
    if (class_count == DRAFT_CLASSES)
        return NULL;
    class = &classes[class_count++];
    class->kind = kind;
    snprintf(class->pattern, sizeof(class->pattern), "%s", pattern);
    return class;
}

size_t draft_classes_count(void)
{
    return class_count;
}

struct draft_class *draft_class_at(size_t index)
{
    return &classes[index];
}

void draft_class_remove(size_t index)
{
    class_count--;
    memmove(&classes[index], &classes[index + 1], (class_count - index) * sizeof(classes[0]));
}

static bool is_match(const struct draft_class *class, const struct class_name *name)
{
    char pattern[CLASS_PATTERN];

    class_pattern(name, pattern);
    return strcmp(class->pattern, pattern) == 0;
}

struct draft_class *draft_class_of(const struct class_name *class)
{
    for (; class != NULL; class = class_base(class))
        for (size_t i = 0; i < class_count; i++)
            if (is_match(&classes[i], class))
                return &classes[i];
    return NULL;
}

bool draft_line_is_same(const struct draft_line *one, const struct draft_line *other)
{
    return one->word == other->word &&
           (one->name == other->name ||
            (one->name != NULL && other->name != NULL && strcmp(one->name, other->name) == 0)) &&
           memcmp(one->numbers, other->numbers, sizeof(one->numbers)) == 0;
}

void draft_add(struct draft_class *class, struct draft_line line)
{
    for (unsigned i = 0; class != NULL && i < class->count; i++)
        if (draft_line_is_same(&class->lines[i], &line))
            return;
    if (class != NULL && class->count < DRAFT_LINES)
        class->lines[class->count++] = line;
}

void draft_line_remove(struct draft_class *class, unsigned index)
{
    class->count--;
    memmove(&class->lines[index], &class->lines[index + 1],
            (class->count - index) * sizeof(class->lines[0]));
}

void draft_vector_add(struct draft_class *class, int32_t offset, int32_t size)
{
    for (unsigned i = 0; class != NULL && i < class->count; i++)
        if (class->lines[i].word == draft_vector && class->lines[i].numbers[0] == offset) {
            if (class->lines[i].numbers[1] == 0)
                class->lines[i].numbers[1] = size;
            return;
        }
    draft_add(class, (struct draft_line){draft_vector, NULL, {offset, size}});
}

int32_t draft_member_offset(const struct class_name *class, const char *name)
{
    for (; class != NULL; class = class_base(class)) {
        const struct draft_class *draft = draft_class_of(class);

        for (unsigned i = 0; draft != NULL && i < draft->count; i++)
            if (draft->lines[i].word == draft_member && strcmp(draft->lines[i].name, name) == 0)
                return draft->lines[i].numbers[0];
    }
    return -1;
}

static void write_class_line(const struct draft_line *line)
{
    char text[160];
    int length = snprintf(text, sizeof(text), "  %s", words[line->word].name);

    if (line->name != NULL)
        length += snprintf(text + length, sizeof(text) - (size_t)length, " %s", line->name);
    for (unsigned i = 0; i < words[line->word].numbers; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length, " %d", line->numbers[i]);
    protocol_line("%s", text);
}

/* Write all classes that CLASS stands for, and then its lines. */
static void write_class(const struct draft_class *class, uintptr_t start)
{
    if (strcmp(class->kind, "block") == 0)
        protocol_line("class block -");
    for (size_t i = 0; i < class_names_count(); i++) {
        const struct class_name *name = class_names_get(i);

        if (is_match(class, name))
            protocol_line("class %s %s 0x%zx", class->kind, name->name,
                          (size_t)(name->typeinfo - start));
    }
    for (unsigned i = 0; i < class->count; i++)
        write_class_line(&class->lines[i]);
}

void draft_write(const struct icd *module)
{
    protocol_line("ompd-opencl-layout 1.0");
    protocol_line("runtime %s", module->runtime);
    protocol_line("module %s", module->module);
    if (module->build_id[0] != '\0')
        protocol_line("build-id %s", module->build_id);
    protocol_line("machine %u %zu little", module->machine, 8 * sizeof(uintptr_t));
    protocol_line("require classes");
    for (size_t i = 0; i < class_count; i++)
        if (classes[i].count != 0)
            write_class(&classes[i], module->start);
}
