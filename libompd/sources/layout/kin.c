/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runtimes that no layout matches, and that a layout of another build of the same runtime
 * describes. */
#include "sources/layout/layout-source.h"

/* ---- Trying one ------------------------------------------------------------------------------ */

/* Log that the layout OF another build was tried for RUNTIME. */
static void log_trial(const struct address_space *space, const struct runtime *runtime,
                      const struct layout *of)
{
    struct message what;

    if (!log_has(&space->target.log, ompd_cl_log_level_decision))
        return;
    message_clear(&what);
    message_add(&what, "layout of ");
    message_add(&what, of->runtime);
    message_add(&what, " for ");
    message_add(&what, text_file_name(runtime->module));
    message_add(&what, runtime_is_of_kin(runtime) ? ": presumed to match" : ": refused");
    target_log_decision(&space->target, what.text, kin_reason(runtime));
}

/* Copy the layout OF another build for RUNTIME, without the addresses in that build. Returns
 * ompd_rc_ok or ompd_rc_nomem. */
static ompd_rc_t copy_layout(struct address_space *space, const struct runtime *runtime,
                             const struct layout *of, struct layout **copy)
{
    uint32_t index = (uint32_t)(runtime - space->layout->runtimes.all);
    void *block = space->layout->kin[index];
    ompd_rc_t rc = ompd_rc_ok;

    if (block == NULL)
        rc = memory_allocate(space->target.memory, sizeof(**copy), &block);
    if (rc != ompd_rc_ok)
        return rc;
    *copy = space->layout->kin[index] = block;
    **copy = *of;
    (*copy)->table = runtime->table - runtime->start;
    (*copy)->taken_list = (struct layout_taken_list){0};
    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++)
        (*copy)->objects[kind].taken_return = 0;
    return ompd_rc_ok;
}

/* Whether RUNTIME is of the version of its candidate NUMBER, which is OF. */
static ompd_rc_t compare_version(struct address_space *space, struct runtime *runtime,
                                 uint32_t number, const struct layout *of, bool *is_same)
{
    uint8_t bit = (uint8_t)(1u << number);
    ompd_rc_t rc;

    *is_same = (runtime->kin.same & bit) != 0;
    if ((runtime->kin.compared & bit) != 0)
        return ompd_rc_ok;
    rc = kin_version_find(&space->target, runtime, of, is_same);
    if (rc != ompd_rc_ok)
        return rc;
    runtime->kin.compared |= bit;
    runtime->kin.same |= *is_same ? bit : 0;
    return ompd_rc_ok;
}

/* Read the objects of RUNTIME by its layout, and set its verdict. Returns as kin_find does. */
static ompd_rc_t audit_objects(struct address_space *space, struct runtime *runtime)
{
    struct runtimes *runtimes = &space->layout->runtimes;
    struct inventory *inventory = &space->layout->inventory;
    ompd_rc_t rc;

    inventory_free(inventory, space->target.memory);
    rc = inventory_take(inventory, &space->target, &space->code, runtimes);
    if (inventory->stop == space->target.stop) {
        runtime->kin.verdict = inventory->kin_verdicts[runtime - runtimes->all];
        return rc_is_final(rc) ? rc : ompd_rc_ok;
    }
    /* Without a list of memory regions there is nothing to check it by. */
    runtime->kin.verdict = kin_lacks_objects;
    return rc == ompd_rc_unsupported ? ompd_rc_ok : rc;
}

/* Try OF, candidate NUMBER, for RUNTIME. Returns as kin_find does. */
static ompd_rc_t try_candidate(struct address_space *space, struct runtime *runtime,
                               uint32_t number, const struct layout *of)
{
    struct layout *copy = NULL;
    bool is_same;
    ompd_rc_t rc;

    runtime->kin.of = of;
    rc = compare_version(space, runtime, number, of, &is_same);
    if (rc == ompd_rc_ok)
        rc = copy_layout(space, runtime, of, &copy);
    if (rc != ompd_rc_ok)
        return rc;
    runtime->kin.verdict = kin_holds;
    if (!is_same)
        runtime->kin.verdict = kin_code_check(&space->target, runtime, copy, &rc) & UINT8_MAX;
    if (rc == ompd_rc_ok && runtime->kin.verdict == kin_holds) {
        runtime->layout = copy;
        rc = audit_objects(space, runtime);
    }
    if (rc != ompd_rc_ok || runtime->kin.verdict != kin_holds) {
        if (runtime->layout != NULL)
            inventory_free(&space->layout->inventory, space->target.memory);
        runtime->layout = NULL;
    }
    log_trial(space, runtime, of);
    return rc;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Try the candidates for RUNTIME, nearest first. The reason that remains is that of the first one
 * that was checked on objects, or of the nearest. */
static ompd_rc_t find_kin_of(struct address_space *space, struct runtime *runtime)
{
    const struct layout *found[KIN_LIMIT];
    struct kinship first = {0};
    uint32_t count = kin_candidates_find(space->layouts, &space->target, runtime, found);
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; i < count && rc == ompd_rc_ok && runtime->layout == NULL; i++) {
        rc = try_candidate(space, runtime, i, found[i]);
        if (i == 0 || (first.verdict == kin_other_version && runtime->kin.verdict != first.verdict))
            first = runtime->kin;
    }
    if (runtime->layout != NULL || count == 0)
        return rc;
    runtime->kin.of = first.of;
    runtime->kin.verdict = first.verdict;
    return rc;
}

/* Whether RUNTIME is in use, as far as that is known, and has candidates. */
static bool has_candidates(struct address_space *space, const struct runtime *runtime)
{
    const struct layout *found[KIN_LIMIT];

    return runtime->layout == NULL &&
           kin_candidates_find(space->layouts, &space->target, runtime, found) != 0;
}

/* Find the tables of runtimes that have candidates. *HAS_ANY is whether there are any. Returns as
 * kin_find does. */
static ompd_rc_t find_tables(struct address_space *space, bool *has_any)
{
    struct runtimes *runtimes = &space->layout->runtimes;
    ompd_rc_t rc;

    *has_any = false;
    for (uint32_t i = 0; i < runtimes->count; i++)
        *has_any = *has_any || has_candidates(space, &runtimes->all[i]);
    if (!*has_any)
        return ompd_rc_ok;
    rc = runtimes_search(runtimes, &space->target, &space->code);
    *has_any = rc == ompd_rc_ok;
    return rc == ompd_rc_unsupported ? ompd_rc_ok : rc;
}

ompd_rc_t kin_find(struct address_space *space)
{
    struct runtimes *runtimes = &space->layout->runtimes;
    bool has_any;
    ompd_rc_t rc;

    if (runtimes->stop != space->target.stop || runtimes->related == space->target.stop ||
        space->layout->inventory.stop == space->target.stop || address_space_has_recorder(space))
        return ompd_rc_ok;
    rc = find_tables(space, &has_any);
    for (uint32_t i = 0; has_any && i < runtimes->count && rc == ompd_rc_ok; i++) {
        struct runtime *runtime = &runtimes->all[i];

        if (runtime->layout == NULL && runtime->table != 0 && runtime->failure == 0 &&
            !runtime->is_being_loaded)
            rc = find_kin_of(space, runtime);
    }
    if (rc == ompd_rc_ok)
        runtimes->related = space->target.stop;
    return rc;
}

bool kin_is_used(const struct address_space *space)
{
    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        if (runtime_is_of_kin(&space->layout->runtimes.all[i]))
            return true;
    }
    return false;
}

const char *kin_reason(const struct runtime *runtime)
{
    static const char *const reasons[] = {
        [kin_lacks_objects] = "there are too few objects to check it",
        [kin_other_version] = "the module is not known to be of that version",
        [kin_other_code] = "the module's code has fields elsewhere",
        [kin_strangers] = "it does not recognise all objects",
        [kin_references] = "objects would have more holders than references",
        [kin_repeats] = "objects would overlap or share an id",
        [kin_values] = "objects would have impossible sizes or other numbers",
        [kin_lists] = "lists would lead to something else or not end",
    };

    return runtime->kin.verdict < sizeof(reasons) / sizeof(reasons[0])
               ? reasons[runtime->kin.verdict]
               : NULL;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Whether the member at OFFSET of a row of KIND says where the row comes from, or is the address of
 * a word that leads to the runtime's dispatch table. */
static bool member_is_certain(uint32_t kind, uint32_t offset)
{
    return offset == offsetof(ompd_cl_object_head_t, source) ||
           (offset == offsetof(ompd_cl_object_head_t, handle) && kind != ompd_cl_kind_svm) ||
           offset == offsetof(ompd_cl_object_head_t, confidence) ||
           offset == offsetof(ompd_cl_object_head_t, doubt);
}

void kin_row_presume(const struct runtime *runtime, uint32_t kind, void *info)
{
    const struct kind *description = kind_find(kind);

    if (!runtime_is_of_kin(runtime))
        return;
    for (uint32_t i = 0; i < description->field_count; i++) {
        const ompd_cl_field_t *field = &description->fields[i];
        ompd_cl_value_t *value = (ompd_cl_value_t *)(void *)((char *)info + field->offset);

        if (field->type == ompd_cl_type_text || member_is_certain(kind, field->offset) ||
            value->source != ompd_cl_source_layout || value->status != ompd_cl_status_value)
            continue;
        value->status = ompd_cl_status_presumed;
    }
}
