/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OpenCL runtimes in the target: modules that a layout matches, or that export the entry points
 * of an ICD. */
#include "sources/layout/runtime.h"

#include <string.h>

/* ---- Which modules are runtimes -------------------------------------------------------------- */

/* Log that the layout for MODULE is ANSWER, and WHY, which may be NULL. If the tool interrupts the
 * call, the next callback reports it. */
static void log_layout(const struct target *target, const struct module *module, const char *answer,
                       const char *why)
{
    struct message what;

    if (!log_has(&target->log, ompd_cl_log_level_decision))
        return;
    message_clear(&what);
    message_add(&what, "layout for ");
    message_add(&what, text_file_name(module->name));
    message_add(&what, module->build_id_size != 0 ? " (build-id " : " (no build-id");
    message_add_bytes(&what, module->build_id, module->build_id_size);
    message_add(&what, "): ");
    message_add(&what, answer);
    target_log_decision(target, what.text, why);
}

/* Another target's build may carry the same build-id. */
const char *layout_find_mismatch(const struct layout *layout, struct target *target,
                                 const struct module *module)
{
    uint32_t machine;

    if (layout->pointer_size != target->pointer_size)
        return "it is for another word size";
    if (layout->is_big_endian != target_is_big_endian(target))
        return "it is for another byte order";
    machine = module_machine(target, module);
    return machine == 0 || machine == layout->machine ? NULL : "it is for another machine";
}

/* Whether LAYOUT matches MODULE: by build-id and by target. */
static bool layout_is_of(const struct layout *layout, struct target *target,
                         const struct module *module)
{
    const char *mismatch;

    if (layout->class_count != 0 || module->build_id_size == 0 ||
        layout->build_id_size != module->build_id_size ||
        memcmp(layout->build_id, module->build_id, module->build_id_size) != 0)
        return false;
    mismatch = layout_find_mismatch(layout, target, module);
    if (mismatch != NULL)
        log_layout(target, module, "refused", mismatch);
    return mismatch == NULL;
}

static const struct layout *find_module_layout(const struct known_layout *layouts,
                                               struct target *target, const struct module *module)
{
    for (const struct known_layout *known = layouts; known != NULL; known = known->next) {
        if (layout_is_of(&known->layout, target, module))
            return &known->layout;
    }
    return NULL;
}

/* Find out whether the module exports what the OpenCL ICD extension requires of a runtime, and is
 * neither a loader, which has clGetPlatformIDs itself and is counted, nor a layer. Returns
 * ompd_rc_ok or ompd_rc_incomplete. */
static ompd_rc_t exports_runtime(struct target *target, uint32_t index, bool *is_runtime,
                                 uint32_t *loader_count)
{
    uint64_t address;
    ompd_rc_t rc;

    *is_runtime = false;
    rc = module_symbol(target, index, "clIcdGetPlatformIDsKHR", &address);
    if (rc == ompd_rc_unavailable) {
        rc = module_symbol(target, index, "clGetExtensionFunctionAddress", &address);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
        rc = module_symbol(target, index, "clGetPlatformIDs", &address);
        *loader_count += rc == ompd_rc_ok;
        if (rc != ompd_rc_unavailable)
            return rc;
    } else if (rc != ompd_rc_ok) {
        return rc;
    }
    rc = module_symbol(target, index, "clInitLayer", &address);
    *is_runtime = rc == ompd_rc_unavailable;
    return rc == ompd_rc_incomplete ? rc : ompd_rc_ok;
}

/* ---- Where their tables are ------------------------------------------------------------------ */

/* Set RUNTIME's table to ADDRESS if there is a table. An unreadable one is accepted if IS_SURE,
 * because each object is checked anyway. Returns ompd_rc_ok or ompd_rc_nomem. */
static ompd_rc_t try_table(struct runtime *runtime, struct target *target, struct code *code,
                           uint64_t address, enum runtime_finding finding, bool is_sure)
{
    bool is_table = false;
    ompd_rc_t rc;

    rc = table_check(code, target, address, &is_table);
    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok && !is_sure)
        runtime->failure = target->failure;
    if (!is_table && (rc == ompd_rc_ok || !is_sure))
        return ompd_rc_ok;
    runtime->table = address;
    runtime->finding = finding;
    return ompd_rc_ok;
}

/* Find the table without searching memory. A layout that leads to no table does not match this
 * module, whatever its build-id. */
static ompd_rc_t find_known_table(struct runtime *runtime, struct target *target, struct code *code,
                                  uint32_t index)
{
    const struct layout *layout = runtime->layout;
    uint64_t address;
    ompd_rc_t rc;

    if (layout != NULL) {
        address = runtime->start + layout->table;
        if (address >= runtime->start && address < runtime->end) {
            rc = try_table(runtime, target, code, address, runtime_by_layout, true);
            if (rc != ompd_rc_ok || runtime->table != 0)
                return rc;
        }
        runtime->layout = NULL;
    }
    rc = module_symbol(target, index, "m_dispatchTable", &address); /* Oclgrind's */
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
    return try_table(runtime, target, code, address, runtime_by_symbol, false);
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* The runtime for MODULE among COUNT OLD ones; NULL if there is none. */
static const struct runtime *find_old_runtime(const struct runtimes *old,
                                              const struct module *module)
{
    for (uint32_t i = 0; i < old->count; i++) {
        if (old->all[i].start == module->start && old->all[i].end == module->end)
            return &old->all[i];
    }
    return NULL;
}

/* Mix a number into the hash of the modules (FNV-1a, by the word). */
static uint64_t mix_module(uint64_t sum, uint64_t number)
{
    return (sum ^ number) * UINT64_C(0x100000001b3);
}

/* Hash all modules, to detect changes. Returns as module_get does. */
static ompd_rc_t sum_modules(struct target *target, uint64_t *sum)
{
    struct module module;
    ompd_rc_t rc;

    *sum = 1;
    for (uint32_t i = 0;; i++) {
        rc = module_get(target, i, &module);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
        *sum = mix_module(mix_module(*sum, module.start), module.end);
        for (uint32_t j = 0; j < module.build_id_size; j++)
            *sum = mix_module(*sum, module.build_id[j]);
    }
}

/* A search under way. */
struct finding {
    struct runtimes *runtimes;
    struct target *target;
    struct code *code;
    const struct known_layout *layouts;
    const struct runtimes *old; /* of the same modules; NULL: resolve the symbols */
};

/* Add the module, which is a runtime. */
static ompd_rc_t add_found_runtime(struct finding *finding, uint32_t index,
                                   const struct module *module, const struct layout *layout,
                                   const struct runtime *old)
{
    struct runtime *runtime = &finding->runtimes->all[finding->runtimes->count++];
    ompd_rc_t rc;

    memset(runtime, 0, sizeof(*runtime));
    memcpy(runtime->module, module->name, sizeof(runtime->module));
    runtime->module_length = module->name_length;
    memcpy(runtime->build_id, module->build_id, module->build_id_size);
    runtime->build_id_size = module->build_id_size;
    runtime->start = module->start;
    runtime->end = module->end;
    runtime->layout = layout;
    if (old != NULL && finding->runtimes->layouts == finding->layouts) {
        runtime->kin.compared = old->kin.compared;
        runtime->kin.same = old->kin.same;
    }
    if (old != NULL && old->finding == runtime_by_search && old->failure == 0 && layout == NULL)
        return try_table(runtime, finding->target, finding->code, old->table, runtime_by_search,
                         false);
    rc = find_known_table(runtime, finding->target, finding->code, index);
    if (layout == NULL)
        log_layout(finding->target, module, "none is known", NULL);
    else if (rc == ompd_rc_ok && runtime->layout != NULL)
        log_layout(finding->target, module, "accepted", NULL);
    else if (rc == ompd_rc_ok)
        log_layout(finding->target, module, "refused", "no dispatch table is where it says");
    return rc;
}

static bool module_is_nameless(const struct runtimes *runtimes, uint32_t index)
{
    return (runtimes->nameless[index / 64] >> index % 64 & 1) != 0;
}

/* Add module number INDEX if it is a runtime. */
static ompd_rc_t inspect_module(struct finding *finding, uint32_t index,
                                const struct module *module)
{
    const struct layout *layout = find_module_layout(finding->layouts, finding->target, module);
    const struct runtime *old = NULL;
    bool is_runtime = layout != NULL;
    ompd_rc_t rc = ompd_rc_ok;

    if (finding->old != NULL)
        old = find_old_runtime(finding->old, module);
    if (finding->old == NULL && !is_runtime)
        rc = exports_runtime(finding->target, index, &is_runtime, &finding->runtimes->loader_count);
    if (rc == ompd_rc_incomplete)
        finding->runtimes->nameless[index / 64] |= UINT64_C(1) << index % 64;
    if (rc != ompd_rc_ok || (!is_runtime && old == NULL))
        return rc;
    return add_found_runtime(finding, index, module, layout, old);
}

ompd_rc_t runtimes_find(struct runtimes *runtimes, struct target *target, struct code *code,
                        const struct known_layout *layouts)
{
    const struct runtimes old = *runtimes;
    struct finding finding = {runtimes, target, code, layouts, NULL};
    bool lacks_names = false;
    ompd_rc_t worst;
    ompd_rc_t rc;
    uint64_t sum;

    if (target->extra.module == NULL)
        return ompd_rc_unsupported;
    if (runtimes->stop == target->stop && runtimes->layouts == layouts)
        return ompd_rc_ok;
    worst = sum_modules(target, &sum);
    if (worst == ompd_rc_ok && old.stop != 0 && old.modules == sum && !old.lacks_names_alone)
        finding.old = &old;
    else
        runtimes->loader_count = 0;
    memset(runtimes->nameless, 0, sizeof(runtimes->nameless));
    runtimes->count = 0;
    runtimes->searched = 0;
    runtimes->tallied = 0;
    runtimes->tally_failure = 0;
    runtimes->related = 0;
    for (uint32_t i = 0; runtimes->count < RUNTIME_LIMIT; i++) {
        struct module module;

        rc = module_get(target, i, &module);
        if (rc == ompd_rc_unavailable)
            break;
        if (rc == ompd_rc_ok)
            rc = inspect_module(&finding, i, &module);
        if (rc_is_final(rc)) {
            *runtimes = old;
            return rc;
        }
        if (rc != ompd_rc_ok && module_is_nameless(runtimes, i))
            lacks_names = true;
        else if (rc != ompd_rc_ok)
            worst = rc;
    }
    runtimes->lacks_names_alone = lacks_names && worst == ompd_rc_ok;
    if (lacks_names)
        worst = ompd_rc_incomplete;
    runtimes->stop = worst == ompd_rc_ok ? target->stop : 0;
    runtimes->layouts = layouts;
    runtimes->modules = sum;
    return worst;
}
