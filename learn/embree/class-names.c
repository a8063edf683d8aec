/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See embree.h.  A std::type_info has the address of a vtable of the C++ library, which is in
 * another module, and then the address of its name.  That of a base class follows, or flags, a
 * number of bases and their type_infos. */
#include <learn/embree/embree.h>

#include <ctype.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 1024
#define NAMESPACE "N6embree"
#define REFERENCE "RefBuilder" /* classes within templates */

static struct class_name names[NAMES];
static size_t name_count;
static uintptr_t module_start;
static uintptr_t module_end;

static bool is_in_module(uintptr_t address, size_t size)
{
    return address >= module_start && address + size <= module_end;
}

static uintptr_t word_at(uintptr_t address)
{
    uint64_t word = 0;

    return own_memory_number(address, sizeof(uintptr_t), &word) ? (uintptr_t)word : 0;
}

/* Whether the word at ADDRESS points to the name of a class of Embree. */
static bool is_name(uintptr_t word)
{
    char head[sizeof(NAMESPACE) - 1];

    return is_in_module(word, sizeof(head) + 8) && own_memory_read(word, head, sizeof(head)) &&
           memcmp(head, NAMESPACE, sizeof(head)) == 0;
}

static void find_in_segment(uintptr_t start, uintptr_t end)
{
    for (uintptr_t at = start; at + 2 * sizeof(uintptr_t) <= end; at += sizeof(uintptr_t)) {
        const uintptr_t *words = (const uintptr_t *)at;

        if (is_in_module(words[1], 1) && !is_in_module(words[0], 1) && words[0] != 0 &&
            is_name(words[1]) && name_count < NAMES)
            names[name_count++] = (struct class_name){(const char *)words[1], at};
    }
}

static int find_in_module(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size, (void)argument;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;

        if (header->p_type == PT_LOAD && (header->p_flags & PF_W) != 0 &&
            is_in_module(start, header->p_memsz))
            find_in_segment((start + 7) & ~(uintptr_t)7, start + header->p_filesz);
    }
    return 0;
}

static int compare_names(const void *one, const void *other)
{
    const struct class_name *first = one;
    const struct class_name *second = other;

    return strcmp(first->name, second->name);
}

bool class_names_find(const struct icd *module)
{
    module_start = module->start;
    module_end = module->end;
    dl_iterate_phdr(find_in_module, NULL);
    qsort(names, name_count, sizeof(names[0]), compare_names);
    return name_count != 0;
}

size_t class_names_count(void)
{
    return name_count;
}

const struct class_name *class_names_get(size_t index)
{
    return &names[index];
}

static const struct class_name *find_typeinfo(uintptr_t typeinfo)
{
    for (size_t i = 0; i < name_count; i++)
        if (names[i].typeinfo == typeinfo)
            return &names[i];
    return NULL;
}

const struct class_name *class_of(uintptr_t object)
{
    uintptr_t vtable = word_at(object);

    if (!is_in_module(vtable, sizeof(uintptr_t)) || vtable % sizeof(uintptr_t) != 0 ||
        word_at(vtable - 2 * sizeof(uintptr_t)) != 0)
        return NULL;
    return find_typeinfo(word_at(vtable - sizeof(uintptr_t)));
}

const struct class_name *class_base(const struct class_name *class)
{
    uintptr_t more = class->typeinfo + 2 * sizeof(uintptr_t);
    const struct class_name *base = find_typeinfo(word_at(more));
    uint64_t count = 0;

    if (base == NULL && own_memory_number(more + 4, 4, &count) && count != 0)
        base = find_typeinfo(word_at(more + sizeof(uintptr_t)));
    return base;
}

bool class_is_base_vtable(const struct class_name *class, uintptr_t word, int32_t offset)
{
    return is_in_module(word, sizeof(uintptr_t)) && word % sizeof(uintptr_t) == 0 &&
           word_at(word - sizeof(uintptr_t)) == class->typeinfo &&
           (intptr_t)word_at(word - 2 * sizeof(uintptr_t)) == -offset;
}

/* The end of the identifier at TEXT, which its length precedes; NULL: there is none. */
static const char *identifier_end(const char *text)
{
    char *end;
    unsigned long length = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;

    return length != 0 && length <= strlen(end) ? end + length : NULL;
}

void class_pattern(const struct class_name *class, char *pattern)
{
    const char *start = class->name + strlen(NAMESPACE);
    const char *end = identifier_end(start);
    const char *inner = strstr(class->name, REFERENCE);

    while (end != NULL && isdigit((unsigned char)*end)) {
        start = end;
        end = identifier_end(start);
    }
    if (inner != NULL)
        snprintf(pattern, CLASS_PATTERN, "%s", inner);
    else if (end != NULL && *end == 'I')
        snprintf(pattern, CLASS_PATTERN, "%.*sI", (int)(end - start), start);
    else
        snprintf(pattern, CLASS_PATTERN, "%s", class->name);
}
