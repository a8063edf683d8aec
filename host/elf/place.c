/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The location of an address, cached. */
#include <host/elf/elf.h>

#include <dwarf.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define INLINED_AT_MOST 64 /* nested inlined functions */
#define NESTED_AT_MOST 512 /* nested functions and blocks */

/* A cached place, with its own texts. */
struct known_place {
    uint64_t address;
    bool is_caller;
    ompd_host_place_t place;
    char *names[INLINED_AT_MOST + 1]; /* of the symbol, then of the functions that it is inlined
                                       * into */
    size_t name_count;
    /* The call sites in the latter functions of the respective inner function. */
    ompd_host_line_t calls[INLINED_AT_MOST];
    bool is_short; /* the debug information was too large */
};

/* Code, as described by the debug information of its module. */
struct code {
    Dwarf_Die unit;
    Dwarf_Addr address; /* in the debug information */
};

/* ---- Debug information ----------------------------------------------------------------------- */

/* Some compilers do not list the addresses of a unit where dwfl_module_addrdie looks. */
static bool find_unit(struct module *module, uint64_t address, struct code *code)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit;

    debug_alternate_find(module);
    unit = dwfl_module_addrdie(module->dwfl, address, &bias);
    if (unit == NULL) {
        while ((unit = dwfl_module_nextcu(module->dwfl, unit, &bias)) != NULL) {
            if (dwarf_haspc(unit, address - bias) > 0)
                break;
        }
    }
    if (unit == NULL)
        return false;
    code->unit = *unit;
    code->address = address - bias;
    return true;
}

/* The file with the text of ATTRIBUTE. */
static Elf *file_of(Dwarf_Attribute *attribute)
{
    Dwarf *own = dwarf_cu_getdwarf(attribute->cu);
    unsigned form = dwarf_whatform(attribute);

    if (form == DW_FORM_GNU_strp_alt || form == DW_FORM_strp_sup)
        own = dwarf_getalt(own);
    return own != NULL ? dwarf_getelf(own) : NULL;
}

/* The text attribute NUMBER of ENTRY, or of the entry that it is an instance of; or NULL. */
static const char *attribute_text(Dwarf_Die *entry, unsigned number)
{
    Dwarf_Attribute attribute;
    const char *text = NULL;

    if (dwarf_attr_integrate(entry, number, &attribute) != NULL)
        text = dwarf_formstring(&attribute);
    /* Texts in tables have been checked already. */
    if (text == NULL || dwarf_whatform(&attribute) != DW_FORM_string ||
        elf_debug_text_ends(file_of(&attribute), text))
        return text;
    return NULL;
}

/* The entry's source-level name, with parameters if the language has overloading; NULL: none, or
 * out of memory.  Owned by the caller. */
static char *name_of(Dwarf_Die *entry)
{
    const char *name = attribute_text(entry, DW_AT_linkage_name);

    if (name == NULL)
        name = attribute_text(entry, DW_AT_MIPS_linkage_name);
    if (name == NULL)
        name = attribute_text(entry, DW_AT_name);
    return name != NULL ? demangle(name) : NULL;
}

/* A source file as debuggers show it.  libdw prepends the folder of the compilation to all
 * relative names.  That is right only for files of that folder, if it is relative itself. */
static const char *file_as_given(Dwarf_Die *unit, const char *file)
{
    const char *given = attribute_text(unit, DW_AT_name);
    const char *folder;
    const char *rest;
    size_t length;

    if (given == NULL || given[0] == '/')
        return file;
    folder = attribute_text(unit, DW_AT_comp_dir);
    length = folder != NULL ? strlen(folder) : 0;
    if (length == 0 || strncmp(file, folder, length) != 0 || file[length] != '/')
        return file;
    rest = file + length + 1;
    return folder[0] == '/' || strchr(rest, '/') != NULL ? rest : file;
}

/* Whether the unit's line programs may be read.  libdw allocates some hundred bytes for each
 * line, and compressed programs may expand by a factor of a thousand. */
static bool has_usual_lines(struct known_place *known, const struct code *code)
{
    Dwarf *debug = dwarf_cu_getdwarf(code->unit.cu);

    if (debug == NULL || !debug_bound_lines_are_exceeded(dwarf_getelf(debug)))
        return true;
    known->is_short = true;
    return false;
}

static void code_line_find(struct known_place *known, struct code *code)
{
    ompd_host_place_t *place = &known->place;
    Dwarf_Line *line =
        has_usual_lines(known, code) ? dwarf_getsrc_die(&code->unit, code->address) : NULL;
    const char *file;
    int number;

    if (line == NULL || dwarf_lineno(line, &number) != 0 || number <= 0)
        return;
    file = dwarf_linesrc(line, NULL, NULL);
    if (file == NULL)
        return;
    place->file = file_as_given(&code->unit, file);
    place->line = (uint32_t)number;
}

/* Get the line of a function's definition, not that of its first instruction. */
static void definition_line_find(struct known_place *known, struct code *code, Dwarf_Die *function)
{
    ompd_host_place_t *place = &known->place;
    const char *file = has_usual_lines(known, code) ? dwarf_decl_file(function) : NULL;
    int number;

    if (file == NULL || dwarf_decl_line(function, &number) != 0 || number <= 0)
        return;
    place->file = file_as_given(&code->unit, file);
    place->line = (uint32_t)number;
}

static bool begins_at(Dwarf_Die *function, Dwarf_Addr address)
{
    Dwarf_Addr entry;

    return dwarf_entrypc(function, &entry) == 0 && entry == address;
}

/* Add the name of FUNCTION, whose call of the previous function is at CALL. */
static void place_name_add(struct known_place *known, Dwarf_Die *function, ompd_host_line_t call)
{
    char *name = known->name_count <= INLINED_AT_MOST ? name_of(function) : NULL;

    if (name == NULL)
        return;
    if (known->name_count != 0)
        known->calls[known->name_count - 1] = call;
    known->names[known->name_count++] = name;
}

/* The value of attribute NUMBER of ENTRY itself; 0: none. */
static Dwarf_Word attribute_number(Dwarf_Die *entry, unsigned number)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;

    if (dwarf_attr(entry, number, &attribute) == NULL || dwarf_formudata(&attribute, &value) != 0)
        return 0;
    return value;
}

/* The call site of the inlined function INLINED. */
static ompd_host_line_t call_of(struct known_place *known, struct code *code, Dwarf_Die *inlined)
{
    Dwarf_Word number = attribute_number(inlined, DW_AT_call_file);
    Dwarf_Word line = attribute_number(inlined, DW_AT_call_line);
    ompd_host_line_t call = {.file = NULL};
    Dwarf_Files *files;
    const char *file;
    size_t count;
    Dwarf_Die unit;

    if (line == 0 || line > UINT32_MAX || !has_usual_lines(known, code) ||
        dwarf_diecu(inlined, &unit, NULL, NULL) == NULL ||
        dwarf_getsrcfiles(&unit, &files, &count) != 0 || number >= count)
        return call;
    file = dwarf_filesrc(files, number, NULL, NULL);
    if (file == NULL)
        return call;
    call.file = file_as_given(&code->unit, file);
    call.line = (uint32_t)line;
    return call;
}

static void forget_names(struct known_place *known)
{
    while (known->name_count != 0)
        free(known->names[--known->name_count]);
}

/* Add the names of the functions among COUNT nested entries, innermost first. */
static void functions_name(struct known_place *known, struct code *code, Dwarf_Die *entries,
                           int count)
{
    ompd_host_line_t call = {.file = NULL};

    for (int i = 0; i < count; i++) {
        int tag = dwarf_tag(&entries[i]);

        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        /* The first instruction of a function may belong to an inlined function. */
        if (tag == DW_TAG_subprogram && !known->is_caller &&
            begins_at(&entries[i], code->address)) {
            forget_names(known);
            definition_line_find(known, code, &entries[i]);
        }
        place_name_add(known, &entries[i], call);
        if (tag == DW_TAG_subprogram)
            return;
        call = call_of(known, code, &entries[i]);
    }
}

/* Put the entry within PARENT whose code contains ADDRESS in CHILD.  Only forward references are
 * followed, as a crafted file may contain cycles. */
static bool find_child(Dwarf_Die *parent, Dwarf_Addr address, Dwarf_Die *child)
{
    Dwarf_Off before;

    if (dwarf_child(parent, child) != 0)
        return false;
    do {
        if (dwarf_haspc(child, address) > 0)
            return true;
        before = dwarf_dieoffset(child);
    } while (dwarf_siblingof(child, child) == 0 && dwarf_dieoffset(child) > before);
    return false;
}

/*
 * Name the functions that contain the code, by the nested entries with its address.
 * dwarf_getscopes is not used: it recurses as deep as the file says, in cubic time, and fails for
 * code whose source is in another unit, as after link-time optimisation.
 */
static void code_functions_find(struct known_place *known, struct code *code)
{
    Dwarf_Die nested[NESTED_AT_MOST]; /* the outermost last */
    Dwarf_Die *first = nested + NESTED_AT_MOST;
    Dwarf_Die entry = code->unit;

    code_line_find(known, code);
    while (first != nested && find_child(&entry, code->address, first - 1))
        entry = *--first;
    /* If the nesting is deeper, the innermost function is unknown. */
    known->is_short = known->is_short || first == nested;
    if (first != nested)
        functions_name(known, code, first, (int)(nested + NESTED_AT_MOST - first));
}

/* ---- Places ---------------------------------------------------------------------------------- */

static void symbol_find(struct known_place *known, struct module *module, uint64_t address)
{
    uint64_t offset = 0;
    Elf *elf = NULL;
    const char *name = symbol_table_find(&module->table, module->dwfl, address, &offset, &elf);
    char *copy = NULL;

    if (name != NULL && elf_text_ends(elf, name) && name[0] != '\0')
        copy = demangle(name);
    if (copy == NULL)
        return;
    known->names[known->name_count++] = copy;
    known->place.symbol_offset = offset + (known->address - address);
}

static void place_look_up(struct symbols *symbols, struct known_place *known)
{
    /* The byte before belongs to the call, even at the end of a function. */
    uint64_t address = known->address - (known->is_caller && known->address != 0 ? 1 : 0);
    /* dwfl_addrmodule is wrong here: it extends modules to the next multiple of their alignment. */
    struct module *module = module_at(symbols, address);
    ompd_host_place_t *place = &known->place;
    struct code code;

    if (module == NULL)
        return;
    place->module = module->path;
    place->module_offset = known->address - module->start;
    if (find_unit(module, address, &code))
        code_functions_find(known, &code);
    known->is_short = known->is_short || module->is_debug_left_out;
    if (known->name_count == 0)
        symbol_find(known, module, address);
    if (known->name_count == 0)
        return;
    place->symbol = known->names[0];
    place->inlined_count = known->name_count - 1;
    if (place->inlined_count == 0)
        return;
    place->inlined_into = (const char *const *)(known->names + 1);
    place->inlined_at = known->calls;
}

static int places_compare(const void *first, const void *second)
{
    const struct known_place *one = first;
    const struct known_place *other = second;

    if (one->address != other->address)
        return one->address < other->address ? -1 : 1;
    return (int)one->is_caller - (int)other->is_caller;
}

static void free_place(void *item)
{
    struct known_place *known = item;

    forget_names(known);
    free(known);
}

void places_free(ompd_host_target_t *target)
{
    if (target->symbols != NULL)
        tdestroy(target->symbols->places, free_place);
}

PUBLIC ompd_host_rc_t ompd_host_place_get(ompd_host_target_t *target, uint64_t address,
                                          bool is_caller, ompd_host_place_t *place)
{
    struct known_place wanted = {.address = address, .is_caller = is_caller};
    struct known_place *known;
    struct symbols *symbols;
    void *node;
    ompd_host_rc_t rc;

    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (place == NULL)
        return target_message_set(target, ompd_host_rc_bad_input, "the place pointer is NULL");
    rc = symbols_get(target, &symbols);
    if (rc != ompd_host_rc_ok)
        return rc;
    node = tfind(&wanted, &symbols->places, places_compare);
    if (node == NULL) {
        known = calloc(1, sizeof(*known));
        if (known == NULL)
            return target_message_set(target, ompd_host_rc_nomem, "out of memory");
        *known = wanted;
        place_look_up(symbols, known);
        target->short_places += known->is_short;
        node = tsearch(known, &symbols->places, places_compare);
        if (node == NULL) {
            free_place(known);
            return target_message_set(target, ompd_host_rc_nomem, "out of memory");
        }
    }
    known = *(struct known_place **)node;
    *place = known->place;
    return target_message_clear(target);
}
