/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layout as text, in the format of ompd-opencl-layout(5). */
#include <learn/search/search.h>

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TEXT_SIZE 192

static void add_path(char *text, const struct layout_path *path)
{
    for (unsigned i = 0; i < path->count; i++)
        snprintf(text + strlen(text), TEXT_SIZE - strlen(text), "%s%" PRId32, i == 0 ? " " : ">",
                 path->offsets[i]);
}

static void add_number(char *text, const char *word, int64_t number)
{
    snprintf(text + strlen(text), TEXT_SIZE - strlen(text), "%s %" PRId64, word, number);
}

/* Format familiar small numbers in decimal, others in hexadecimal. */
static const char *format_bound(uint64_t number, char *text)
{
    snprintf(text, TEXT_SIZE, number < 256 ? "%" PRIu64 : "0x%" PRIx64, number);
    return text;
}

static void write_condition(const struct layout_condition *condition)
{
    const struct layout_rule *rule = &condition->rule;
    char least[TEXT_SIZE];
    char most[TEXT_SIZE];

    if (rule->width != 0)
        protocol_line("    %s %" PRId32 " %u %s %s", condition->is_except ? "unless" : "when",
                      rule->offset, rule->width, format_bound(rule->least, least),
                      format_bound(rule->most, most));
}

static void write_known_when(const struct known_when *known)
{
    char text[TEXT_SIZE] = "";

    add_path(text, &known->path);
    if (known->path.count != 0)
        protocol_line("    known-when%s %u 0 0", text, (unsigned)sizeof(uintptr_t));
}

static void write_location(const char *indent, const char *word, const char *name,
                           const struct location *location)
{
    char text[TEXT_SIZE] = "";

    add_path(text, &location->path);
    add_number(text, "", location->width);
    if (location->adjust != 0)
        add_number(text, "", location->adjust);
    if (location->every != 0)
        add_number(text, " every", location->every);
    protocol_line("%s%s %s%s", indent, word, name, text);
    write_condition(&location->when);
    write_known_when(&location->known);
}

static void write_elements(enum specimen_list list, const struct list_location *location)
{
    for (unsigned i = 0; i < 2 && list_infos[list].elements[i] != NULL; i++)
        write_location("    ", "element", list_infos[list].elements[i], &location->elements[i]);
}

static void write_tree(enum specimen_list list, const struct list_location *location)
{
    char text[TEXT_SIZE] = "";

    add_path(text, &location->first);
    add_path(text, &location->height);
    add_path(text, &location->end);
    add_number(text, "", location->used);
    add_number(text, "", location->children);
    protocol_line("  list %s tree%s", list_infos[list].name, text);
    write_elements(list, location);
}

static void write_binary_tree(enum specimen_list list, const struct list_location *location)
{
    char text[TEXT_SIZE] = "";

    add_path(text, &location->first);
    add_path(text, &location->end);
    add_number(text, "", location->left);
    add_number(text, "", location->right);
    protocol_line("  list %s binary-tree%s", list_infos[list].name, text);
    write_elements(list, location);
}

/* Write which nodes of a sparse list are elements: those with a key other than 0. */
static void write_sparseness(const struct list_location *location)
{
    const struct location *key = &location->elements[location->key];
    struct layout_condition when = {{key->path.offsets[0], key->width, 1, UINT64_MAX}, false};

    if (key->width < 8)
        when.rule.most = UINT32_MAX;
    if (location->is_sparse)
        write_condition(&when);
}

static void write_list(enum specimen_list list, const struct list_location *location)
{
    static const char *const shapes[] = {
        [layout_linked] = "linked",
        [layout_range] = "range",
        [layout_array] = "array",
        [layout_deque] = "deque",
    };
    char text[TEXT_SIZE] = "";

    add_path(text, &location->first);
    if (location->shape == layout_linked) {
        add_number(text, "", location->next);
    } else {
        add_path(text, &location->end);
        if (location->shape == layout_deque)
            add_number(text, "", location->chunk);
        add_number(text, "", location->stride);
    }
    snprintf(text + strlen(text), TEXT_SIZE - strlen(text), " %s%s",
             location->is_newest_first ? "newest-first" : "oldest-first",
             location->is_boxed ? " boxed" : "");
    if (location->is_boxed && location->adjust != 0)
        add_number(text, " adjust", location->adjust);
    protocol_line("  list %s %s%s", list_infos[list].name, shapes[location->shape], text);
    write_sparseness(location);
    write_elements(list, location);
}

static void write_rules(const struct layout_draft_kind *of)
{
    char least[TEXT_SIZE];
    char most[TEXT_SIZE];

    for (unsigned i = 0; i < of->rule_count; i++)
        protocol_line("  rule %" PRId32 " %u %s %s", of->rules[i].offset, of->rules[i].width,
                      format_bound(of->rules[i].least, least),
                      format_bound(of->rules[i].most, most));
    if (of->dying.width != 0)
        protocol_line("  dying %" PRId32 " %u", of->dying.path.offsets[0], of->dying.width);
    if (of->taken.width != 0)
        protocol_line("  taken %" PRId32 " %u %s %s", of->taken.offset, of->taken.width,
                      format_bound(of->taken.least, least), format_bound(of->taken.most, most));
    if (of->taken_return != 0)
        protocol_line("  taken-return 0x%" PRIxPTR, of->taken_return);
    if (of->has_dispatch_data)
        protocol_line("  dispatch-data %zu %zu", sizeof(uintptr_t), sizeof(uintptr_t));
    for (unsigned i = 0; i < of->internal_count; i++)
        protocol_line("  internal %" PRId32 " %u 0x%" PRIx64, of->internals[i].offset,
                      of->internals[i].width, of->internals[i].least);
}

/* Write what each memory object in a command's list is held by. */
static void write_exceptions(const struct layout_draft_kind *of)
{
    char text[TEXT_SIZE] = "";

    for (unsigned i = 0; i < of->exception_count; i++)
        snprintf(text + strlen(text), TEXT_SIZE - strlen(text), "%s 0x%" PRIx64,
                 i == 0 ? " but" : "", of->exceptions[i]);
    protocol_line("    each-holds 1 of memobj%s", text);
}

static void write_holdings(const char *word, const struct layout_draft_holdings *holdings)
{
    for (enum specimen_kind held = 0; held < SPECIMEN_KINDS; held++)
        if (holdings->counts[held] != 0)
            protocol_line("  %s %s %u%s", word, specimen_kind_names[held], holdings->counts[held],
                          holdings->is_alone[held] ? " alone" : "");
}

/* Whether a layout has the location of FACT in KIND.  Some facts only distinguish kinds. */
static bool is_of_layout(enum specimen_kind kind, enum fact fact)
{
    if (kind == specimen_pipe)
        return fact == fact_references || fact == fact_unique || fact == fact_context_of ||
               fact == fact_flags || fact == fact_packet_size || fact == fact_max_packets;
    return fact_names[fact] != NULL;
}

static bool is_absent(const struct layout_draft_kind *of, enum specimen_list list)
{
    return of->is_absent[list] && of->lists[list].count == 0;
}

static bool has_absences(const struct layout_draft_kind *of)
{
    for (enum specimen_list list = 0; list < SPECIMEN_LISTS; list++)
        if (is_absent(of, list))
            return true;
    return false;
}

static void write_any_list(enum specimen_list list, const struct list_location *location)
{
    if (location->shape == layout_tree)
        write_tree(list, location);
    else if (location->shape == layout_binary_tree)
        write_binary_tree(list, location);
    else
        write_list(list, location);
}

static void write_kind(const struct layout_draft_kind *of, enum specimen_kind kind)
{
    protocol_line("object %s", specimen_kind_names[kind]);
    write_rules(of);
    for (enum fact fact = 0; fact < FACTS; fact++)
        if (is_of_layout(kind, fact) && of->fields[fact].count == 1)
            write_location("  ", "field", fact_names[fact], &of->fields[fact].locations[0]);
    write_holdings("holds", &of->holds);
    write_holdings("dying-holds", &of->dying_holds);
    if (of->maps_hold != 0)
        protocol_line("  maps-hold %u", of->maps_hold);
    for (enum specimen_list list = 0; list < SPECIMEN_LISTS; list++)
        if (of->lists[list].count == 1) {
            write_any_list(list, &of->lists[list].locations[0]);
            if (list == list_svm && of->each_svm_holds != 0)
                protocol_line("    each-holds %u", of->each_svm_holds);
            if (list == list_memobjs)
                write_exceptions(of);
        }
    for (enum specimen_list list = 0; list < SPECIMEN_LISTS; list++)
        if (is_absent(of, list))
            protocol_line("  none %s", list_infos[list].name);
}

/* Whether an object that is being destroyed holds anything. */
static bool has_dying_holds(const struct layout_draft *draft)
{
    for (enum specimen_kind kind = 0; kind < SPECIMEN_KINDS; kind++)
        for (enum specimen_kind held = 0; held < SPECIMEN_KINDS; held++)
            if (draft->kinds[kind].is_there && draft->kinds[kind].dying_holds.counts[held] != 0)
                return true;
    return false;
}

/* Whether it is known what commands or mappings hold. */
static bool has_holding_commands(const struct layout_draft *draft)
{
    const struct layout_draft_kind *kinds = draft->kinds;

    return kinds[specimen_event].lists[list_memobjs].count == 1 ||
           kinds[specimen_buffer].maps_hold != 0 || kinds[specimen_image].maps_hold != 0;
}

static bool has_conditions(const struct layout_draft_kind *of)
{
    for (enum fact fact = 0; fact < FACTS; fact++)
        if (of->fields[fact].count == 1 && of->fields[fact].locations[0].when.rule.width != 0)
            return true;
    for (enum specimen_list list = 0; list < SPECIMEN_LISTS; list++)
        if (of->lists[list].count == 1 && of->lists[list].locations[0].is_sparse)
            return true;
    return false;
}

static bool has_shape(const struct layout_draft_kind *of, enum layout_shape shape)
{
    for (enum specimen_list list = 0; list < SPECIMEN_LISTS; list++)
        if (of->lists[list].count == 1 && of->lists[list].locations[0].shape == shape)
            return true;
    return false;
}

static bool has_wait_lists(const struct layout_draft_kind *of)
{
    return of->lists[list_wait_list].count == 1;
}

static bool has_trees(const struct layout_draft_kind *of)
{
    return has_shape(of, layout_tree);
}

static bool has_binary_trees(const struct layout_draft_kind *of)
{
    return has_shape(of, layout_binary_tree);
}

static bool has_known_when(const struct layout_draft_kind *of)
{
    for (enum fact fact = 0; fact < FACTS; fact++)
        if (of->fields[fact].count == 1 && of->fields[fact].locations[0].known.path.count != 0)
            return true;
    return false;
}

static bool has_several_internals(const struct layout_draft_kind *of)
{
    return of->internal_count > 1;
}

static bool has_dispatch_data(const struct layout_draft_kind *of)
{
    return of->has_dispatch_data;
}

static bool has_taken(const struct layout_draft_kind *of)
{
    return of->taken.width != 0;
}

/* Whether objects with a detached list can be recognised. */
static bool has_taken_objects(const struct layout_draft *draft)
{
    for (enum specimen_kind kind = 0; kind < SPECIMEN_KINDS; kind++)
        if (draft->kinds[kind].is_there && draft->kinds[kind].taken_return != 0)
            return true;
    return draft->deferred_list.head != 0;
}

/* Require FEATURE if a kind of object HAS it. */
static void write_requirement(const struct layout_draft *draft, const char *feature,
                              bool (*has)(const struct layout_draft_kind *of))
{
    for (enum specimen_kind kind = 0; kind < SPECIMEN_KINDS; kind++)
        if (draft->kinds[kind].is_there && has(&draft->kinds[kind])) {
            protocol_line("require %s", feature);
            return;
        }
}

void layout_write(const struct layout_draft *draft, const struct icd *icd)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    const char *order = "big";
#else
    const char *order = "little";
#endif

    protocol_line("ompd-opencl-layout 1.0");
    protocol_line("runtime %s", icd->runtime);
    protocol_line("module %s", icd->module);
    protocol_line("build-id %s", icd->build_id);
    protocol_line("machine %u %u %s", icd->machine, (unsigned)(8 * sizeof(uintptr_t)), order);
    protocol_line("table 0x%" PRIxPTR, icd->table_offset);
    if (draft->deferred_list.head != 0)
        protocol_line("taken-list 0x%" PRIxPTR " %" PRId32 " %" PRId32, draft->deferred_list.head,
                      draft->deferred_list.next, draft->deferred_list.object);
    if (has_dying_holds(draft))
        protocol_line("require dying-holds");
    if (has_holding_commands(draft))
        protocol_line("require holding-commands");
    write_requirement(draft, "conditions", has_conditions);
    write_requirement(draft, "trees", has_trees);
    write_requirement(draft, "several-internals", has_several_internals);
    write_requirement(draft, "binary-trees", has_binary_trees);
    write_requirement(draft, "known-when", has_known_when);
    write_requirement(draft, "dispatch-data", has_dispatch_data);
    write_requirement(draft, "taken-destructors", has_taken);
    write_requirement(draft, "absences", has_absences);
    write_requirement(draft, "wait-lists", has_wait_lists);
    if (has_taken_objects(draft))
        protocol_line("require taken-objects");
    for (enum specimen_kind kind = 0; kind < SPECIMEN_KINDS; kind++)
        if (draft->kinds[kind].is_there)
            write_kind(&draft->kinds[kind], kind);
}
