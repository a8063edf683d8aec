/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The virtual tables of Embree's classes. In front of a table are the distance to the start of the
 * object and the address of the class's std::type_info; in that are a table of its own, the address
 * of its name, and those of its bases (Itanium C++ ABI, sections 2.5.2 and 2.9.5).
 */
#include "sources/embree/embree.h"

#include <string.h>

#define WORD 8 /* bytes; no build of Embree is for 32 bits */

/* Offsets in a std::type_info. */
#define TYPE_NAME 8
#define TYPE_BASE 16 /* __si_class_type_info */
#define TYPE_FIRST_BASE                                                                            \
    24 /* __vmi_class_type_info, behind flags and a count of four bytes each                       \
        */

/* Tables are searched for in windows of this many bytes. */
#define TABLE_WINDOW (64 * 1024)

/* After so many unreadable pages, the size that the program headers claim is not believed. */
#define LOST_PAGES 256

/* Whether the C string at ADDRESS is the name of CLASS. */
static bool type_name_is(struct target *target, uint64_t address, const struct layout_class *class)
{
    const uint8_t *bytes;

    return target_view(target, address, class->name_length + 1U, 0, &bytes) == ompd_rc_ok &&
           bytes[class->name_length] == 0 &&
           layout_name_hash((const char *)bytes, class->name_length) == class->name_hash;
}

/* Whether the type at TYPE of the module at [START, END) has the name of CLASS. */
static bool type_has_name(struct target *target, uint64_t start, uint64_t end, uint64_t type,
                          const struct layout_class *class)
{
    uint64_t address;

    return target_word(target, type + TYPE_NAME, &address) && address >= start && address < end &&
           type_name_is(target, address, class);
}

/* So many types where a layout has them identify a build, whose names a core has not saved. */
#define NAMELESS_FINGERPRINT 32

/* How the type at the address of a class agrees with it. */
enum agreement { agrees, agrees_nameless, disagrees };

/* Compare CLASS with what is at its address in MODULE. The table of a type is libstdc++'s. */
static enum agreement class_compare(struct target *target, const struct module *module,
                                    const struct layout_class *class)
{
    uint64_t type = module->start + class->type_info;
    const uint8_t *bytes;
    uint64_t table;
    uint64_t name;

    if (class->type_info >= module->end - module->start || !target_word(target, type, &table) ||
        !target_word(target, type + TYPE_NAME, &name) || name < module->start ||
        name >= module->end || (table >= module->start && table < module->end))
        return disagrees;
    if (target_view(target, name, class->name_length + 1U, 0, &bytes) != ompd_rc_ok)
        return agrees_nameless;
    return type_name_is(target, name, class) ? agrees : disagrees;
}

bool embree_layout_fits(struct target *target, const struct module *module,
                        const struct layout *layout)
{
    uint32_t counts[disagrees + 1] = {0};

    for (uint32_t i = 0; i < layout->class_count && counts[disagrees] == 0; i++) {
        if (layout->classes[i].type_info != 0)
            counts[class_compare(target, module, &layout->classes[i])]++;
    }
    return counts[disagrees] == 0 &&
           (counts[agrees_nameless] == 0 || counts[agrees_nameless] >= NAMELESS_FINGERPRINT);
}

/* Whether the type at TYPE is that of CLASS. */
static bool type_is_of(struct target *target, const struct embree_module *module, uint64_t type,
                       const struct layout_class *class)
{
    if (class->type_info != 0)
        return type == module->start + class->type_info;
    return type_has_name(target, module->start, module->end, type, class);
}

/* Whether ADDRESS can be that of a type in MODULE. */
static bool type_may_be_at(const struct embree_module *module, uint64_t address)
{
    return address >= module->start && address < module->memory_end && address % WORD == 0;
}

/* The first base of the type at TYPE; 0 if it has none, or it cannot be read. */
static uint64_t type_base(struct target *target, const struct embree_module *module, uint64_t type)
{
    uint64_t word;

    if (!target_word(target, type + TYPE_BASE, &word))
        return 0;
    if (type_may_be_at(module, word))
        return word;
    if (word >> 32 == 0 || word >> 32 > 16 || !target_word(target, type + TYPE_FIRST_BASE, &word) ||
        !type_may_be_at(module, word))
        return 0;
    return word;
}

/* No class has more bases above each other. */
#define TYPE_DEPTH 8

/* Add BODY to TABLE. A class and its base may share one, which counts once. */
static void table_add_body(struct embree_table *table, const struct layout_body *body)
{
    for (uint32_t i = 0; i < table->body_count; i++) {
        if (table->bodies[i] == body)
            return;
    }
    if (table->body_count < EMBREE_CLASS_DEPTH)
        table->bodies[table->body_count++] = body;
}

/* Set the classes of TABLE to those that the type at TYPE and its bases are. */
static void table_set_classes(struct target *target, const struct embree_module *module,
                              uint64_t type, struct embree_table *table)
{
    const struct layout *layout = module->layout;

    for (int depth = 0; depth < TYPE_DEPTH && type != 0; depth++) {
        for (uint32_t i = 0; i < layout->class_count; i++) {
            const struct layout_class *class = &layout->classes[i];

            if (!type_is_of(target, module, type, class))
                continue;
            if (table->body_count == 0)
                table->kind = class->kind;
            table_add_body(table, &layout->bodies[class->body]);
            break;
        }
        type = type_base(target, module, type);
    }
}

static uint64_t table_address(const void *tables, uint64_t index)
{
    return ((const struct embree_table *)tables)[index].address;
}

const struct embree_table *embree_table_find(const struct embree_tables *tables, uint64_t address)
{
    uint64_t index = search_first(tables->all, tables->count, table_address, address);

    return index < tables->count && tables->all[index].address == address ? &tables->all[index]
                                                                          : NULL;
}

/* Add TABLE in its order, once. Returns whether there is room. */
static bool table_add(struct embree_tables *tables, const struct embree_table *table)
{
    uint32_t position = tables->count;

    if (embree_table_find(tables, table->address) != NULL)
        return true;
    if (tables->count == EMBREE_TABLE_LIMIT)
        return false;
    for (; position > 0 && tables->all[position - 1].address > table->address; position--)
        tables->all[position] = tables->all[position - 1];
    tables->all[position] = *table;
    tables->count++;
    return true;
}

/* A place that may be in front of a table: the distance to the start of the object, the address of
 * a type, and the first function. */
struct table_front {
    uint64_t address; /* of the table */
    uint64_t distance;
    uint64_t type;
    uint64_t function;
};

/* Add the table behind FRONT if it is of a class of the layout. Returns whether there is room. */
static bool table_inspect(struct embree_tables *tables, struct target *target,
                          const struct embree_module *module, uint8_t index,
                          const struct table_front *front)
{
    struct embree_table table = {.address = front->address, .module = index};

    if (!type_may_be_at(module, front->type) || front->function < module->start ||
        front->function >= module->end)
        return true;
    table_set_classes(target, module, front->type, &table);
    if (table.body_count == 0)
        return true;
    table.is_second = front->distance != 0;
    if (table.is_second &&
        (table.bodies[0]->base == 0 || front->distance != -(uint64_t)table.bodies[0]->base))
        return true;
    return table_add(tables, &table);
}

/* Inspect the words of WINDOW. */
static bool window_inspect(struct embree_tables *tables, struct target *target,
                           const struct embree_module *module, uint8_t index,
                           const struct window *window, uint64_t address)
{
    for (uint64_t at = 0; at + 3 * WORD <= window->size; at += WORD) {
        const uint8_t *bytes = window->bytes + at;
        struct table_front front = {
            .address = address + at + 2 * WORD,
            .distance = target_integer(target, bytes, WORD),
            .type = target_integer(target, bytes + WORD, WORD),
            .function = target_integer(target, bytes + 2 * WORD, WORD),
        };
        /* Of a class with several bases, the distance is a small negative number. */
        bool is_front = front.distance == 0 || front.distance > UINT64_MAX - UINT16_MAX;

        if (is_front && !table_inspect(tables, target, module, index, &front))
            return false;
    }
    return true;
}

/* The size of the next window of [AT, END), of about STEP bytes. What is in front of a table may
 * span two pages. */
static uint64_t window_size(uint64_t at, uint64_t end, uint64_t step)
{
    uint64_t size = step;

    if (step == TARGET_BLOCK_SIZE) {
        size -= at % TARGET_BLOCK_SIZE;
        size += size <= 2 * WORD ? TARGET_BLOCK_SIZE : 0;
    }
    return size < end - at ? size : end - at;
}

/* Inspect [AT, END), whose first and last words belong to no other run. Where a window cannot be
 * read, its pages are. */
static ompd_rc_t run_inspect(struct embree_tables *tables, struct target *target,
                             const struct embree_module *module, uint8_t index,
                             struct window *window, uint64_t at, uint64_t end)
{
    ompd_rc_t worst = ompd_rc_ok;
    uint64_t step = TABLE_WINDOW;
    unsigned lost = 0; /* pages */

    while (at < end && lost < LOST_PAGES) {
        uint64_t size = window_size(at, end, step);
        ompd_rc_t rc = target_fill(target, window, at, size, 0);

        if (rc_is_final(rc))
            return rc;
        if (rc != ompd_rc_ok && size > TARGET_BLOCK_SIZE && step != TARGET_BLOCK_SIZE) {
            step = TARGET_BLOCK_SIZE;
            continue;
        }
        if (rc != ompd_rc_ok || !window_inspect(tables, target, module, index, window, at))
            worst = ompd_rc_incomplete;
        if (rc == ompd_rc_ok && size > 2 * WORD && size < end - at)
            size -= 2 * WORD;
        at += size;
        lost = rc == ompd_rc_ok ? 0 : lost + 1;
        step = rc == ompd_rc_ok ? TABLE_WINDOW : step;
    }
    return worst;
}

/* Whether [START, END) of MODULE may have tables: they are in the segment of the types. A core
 * lacks other segments if the program never wrote to them. */
static bool segment_has_types(const struct embree_module *module, uint64_t start, uint64_t end)
{
    const struct layout *layout = module->layout;
    bool is_known = false;

    for (uint32_t i = 0; i < layout->class_count; i++) {
        uint64_t type = module->start + layout->classes[i].type_info;

        if (layout->classes[i].type_info != 0 && type >= start && type < end)
            return true;
        is_known |= layout->classes[i].type_info != 0;
    }
    return !is_known;
}

ompd_rc_t embree_tables_find(struct embree_tables *tables, struct target *target,
                             const struct embree_module *module, uint8_t index)
{
    struct module bounds = {.start = module->start, .end = module->end};
    struct window window = {0};
    uint64_t start = module->start;
    uint64_t end = module->start;
    uint64_t inspected = module->start;
    ompd_rc_t worst = ompd_rc_ok;

    /* The tables have addresses, which the dynamic linker wrote there. */
    while (!rc_is_final(worst)) {
        ompd_rc_t rc = module_writable_find(target, &bounds, end, &start, &end);

        if (rc == ompd_rc_unavailable)
            break;
        /* Segments of a corrupt module may overlap. */
        if (start < inspected)
            start = inspected;
        if (rc == ompd_rc_ok)
            rc = run_inspect(tables, target, module, index, &window,
                             (start + WORD - 1) & ~(uint64_t)(WORD - 1), end);
        if (rc != ompd_rc_ok && (rc != ompd_rc_incomplete || segment_has_types(module, start, end)))
            worst = rc;
        if (end <= start)
            break;
        inspected = end;
    }
    target_window_close(target, &window);
    return worst;
}

/* Whether objects of TABLE are searched for. The others keep their table when they are freed, and
 * have no references that would show it. */
static bool table_is_searched(const struct embree_table *table)
{
    switch (table->kind) {
    case layout_class_device:
    case layout_class_scene:
    case layout_class_geometry:
    case layout_class_buffer:
    case layout_class_user_bvh:
        return !table->is_second;
    default:
        return false;
    }
}

void embree_tables_end(struct embree_tables *tables)
{
    for (uint32_t i = 0; i < tables->count; i++) {
        if (!table_is_searched(&tables->all[i]))
            continue;
        tables->words[tables->word_count] = tables->all[i].address;
        tables->word_tables[tables->word_count++] = (uint16_t)i;
    }
}
