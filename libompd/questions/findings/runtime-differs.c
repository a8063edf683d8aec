/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rules about differences between the runtime and the recorder. The recorder counts a reference of
 * the program when the runtime has it, and stops counting it before the runtime releases it. At any
 * stop the runtime therefore never has fewer, except for releases that the recorder does not see.
 * Objects in use by a thread's current call are left out, because the recorder counts a callback
 * before the runtime has it.
 */
#include "questions/findings/findings.h"

struct differing {
    uint32_t kind;       /* of the rows that are examined */
    bool is_prepared;    /* the values that follow are present */
    bool is_ending;      /* the program is: the runtime may have ended before */
    struct extents busy; /* the objects that calls are under way with, each an extent of a byte */
    struct heap_searches looks;
};

/* The compared fields of a row. */
struct compared {
    const ompd_cl_value_t *handle;
    const ompd_cl_value_t *source;
    const ompd_cl_value_t *confidence; /* NULL, like the members that follow, if rows have none */
    const ompd_cl_value_t *state;
    const ompd_cl_value_t *references;
    const ompd_cl_value_t *context;
    const ompd_cl_value_t *size; /* of a buffer */
    const ompd_cl_value_t *callbacks;
};

static bool value_is_fact(const ompd_cl_value_t *value)
{
    return value != NULL && value->status == ompd_cl_status_value;
}

static bool row_is_buffer(const ompd_cl_memobj_info_t *info)
{
    return value_is_fact(&info->kind) && (info->kind.value == ompd_cl_memobj_buffer ||
                                          info->kind.value == ompd_cl_memobj_sub_buffer);
}

static struct compared compared_of(uint32_t kind, const union row *row)
{
#define COMPARED(member)                                                                           \
    .handle = &row->member.head.handle, .source = &row->member.head.source,                        \
    .state = &row->member.state, .references = &row->member.references
    switch (kind) {
    case ompd_cl_kind_context:
        return (struct compared){COMPARED(context), .confidence = &row->context.head.confidence,
                                 .callbacks = &row->context.destructor_count};
    case ompd_cl_kind_queue:
        return (struct compared){COMPARED(queue), .confidence = &row->queue.head.confidence,
                                 .context = &row->queue.context};
    case ompd_cl_kind_memobj:
        return (struct compared){COMPARED(memobj), .confidence = &row->memobj.head.confidence,
                                 .context = &row->memobj.context,
                                 .size = row_is_buffer(&row->memobj) ? &row->memobj.size : NULL,
                                 .callbacks = &row->memobj.destructor_count};
    case ompd_cl_kind_event:
        return (struct compared){COMPARED(event), .context = &row->event.context};
    case ompd_cl_kind_kernel:
        return (struct compared){COMPARED(kernel)};
    case ompd_cl_kind_program:
        return (struct compared){COMPARED(program), .context = &row->program.context};
    default:
        return (struct compared){COMPARED(sampler), .context = &row->sampler.context};
    }
#undef COMPARED
}

/* ---- Calls that are under way ---------------------------------------------------------------- */

static ompd_rc_t add_busy(struct row_visit *visit, const void *row)
{
    const ompd_cl_thread_info_t *thread = row;
    struct differing *differing = visit->rule;
    uint64_t handle;

    if (!value_is_known(&thread->object, &handle) || handle == 0)
        return ompd_rc_ok;
    return extents_add(&differing->busy, visit->space->target.memory,
                       (struct extent){.start = handle, .end = handle + 1});
}

/* Find out what threads do, before the first finding: their stacks are read. */
static ompd_rc_t find_busy_threads(struct row_visit *visit)
{
    struct address_space *space = visit->space;
    struct differing *differing = visit->rule;
    struct program_exit ending;

    if (differing->is_prepared)
        return ompd_rc_ok;
    differing->is_prepared = true;
    differing->is_ending = program_exit_find(&space->target, &space->stack, &ending);
    return row_visit_all(visit, ompd_cl_kind_thread, 0, add_busy, differing);
}

static bool object_is_busy(const struct differing *differing, uint64_t handle)
{
    for (size_t i = 0; i < differing->busy.count; i++) {
        if (differing->busy.all[i].start == handle)
            return true;
    }
    return false;
}

/* ---- One object ------------------------------------------------------------------------------ */

/* Add a finding of RULE about ROW, with the program's COUNT and the runtime's HAS. */
static ompd_rc_t add_difference(struct row_visit *visit, const void *row,
                                ompd_cl_finding_kind_t rule, uint64_t count, uint64_t has)
{
    struct differing *differing = visit->rule;
    struct compared compared = compared_of(differing->kind, row);
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc = find_busy_threads(visit);

    if (rc != ompd_rc_ok || differing->is_ending ||
        object_is_busy(differing, compared.handle->value) ||
        !finding_begin(&finding, rule, differing->kind, row))
        return rc;
    /* What the recorder does not observe may be correct. */
    finding_presume(&finding);
    finding_set(&finding, &finding.count, count);
    finding_set(&finding, &finding.runtime_count, has);
    if (compared.size != NULL)
        finding.size = *compared.size;
    return finding_add(visit, &finding);
}

/* Return whether the runtime has another object at that handle, of another size or OpenCL context;
 * *SIZE gets its size where that is another. */
static bool find_another_object(struct runtime_object *object, const struct compared *compared,
                                uint64_t *size)
{
    uint64_t context;

    *size = 0;
    if (value_is_fact(compared->size) && runtime_object_get(object, layout_size, size) &&
        *size != compared->size->value)
        return true;
    *size = 0;
    return value_is_fact(compared->context) &&
           runtime_object_get(object, layout_context_of, &context) && context != 0 &&
           context != compared->context->value;
}

static ompd_rc_t check_callbacks(struct row_visit *visit, const void *row,
                                 struct runtime_object *object, const struct compared *compared)
{
    uint64_t count = 0;
    bool is_known = false;
    ompd_rc_t rc = ompd_rc_ok;

    if (value_is_fact(compared->callbacks))
        rc = runtime_object_count_callbacks(object, &count, &is_known);
    if (rc != ompd_rc_ok || !is_known || count == compared->callbacks->value)
        return rc;
    return add_difference(visit, row, ompd_cl_finding_runtime_callbacks, compared->callbacks->value,
                          count);
}

static ompd_rc_t compare_counts(struct row_visit *visit, const void *row,
                                const struct compared *compared)
{
    struct differing *differing = visit->rule;
    uint64_t references = compared->references->value;
    struct runtime_object object;
    uint64_t number;
    ompd_rc_t rc =
        runtime_object_read(visit->space, &differing->looks, differing->kind, row, &object);

    if (rc != ompd_rc_ok || !(object.is_there || object.is_gone))
        return rc;
    if (object.is_gone)
        return add_difference(visit, row, ompd_cl_finding_runtime_released, references, 0);
    if (find_another_object(&object, compared, &number))
        return add_difference(visit, row, ompd_cl_finding_runtime_other, references, number);
    if (runtime_object_get(&object, layout_references, &number) && number < references)
        return add_difference(visit, row, ompd_cl_finding_runtime_released, references, number);
    return check_callbacks(visit, row, &object, compared);
}

/* Compare what the recorder certainly has with what the runtime has. */
static ompd_rc_t compare_object(struct row_visit *visit, const void *row)
{
    const struct differing *differing = visit->rule;
    struct compared compared = compared_of(differing->kind, row);
    ompd_rc_t rc;

    if (compared.source->value != ompd_cl_source_recorder || !value_is_fact(compared.state) ||
        compared.state->value != ompd_cl_object_state_live || !value_is_fact(compared.references) ||
        (int64_t)compared.references->value <= 0 ||
        (compared.confidence != NULL && compared.confidence->value != ompd_cl_confidence_certain))
        return ompd_rc_ok;
    /* The walk has just read it. */
    read_ahead_begin(&visit->space->target);
    rc = compare_counts(visit, row, &compared);
    read_ahead_end(&visit->space->target);
    return rc;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* The handle of an object that the program had not released was reused. */
static ompd_rc_t check_reused_handle(struct row_visit *visit, const void *row)
{
    const ompd_cl_destroyed_info_t *gone = row;
    ompd_cl_finding_info_t finding;
    uint64_t ending;
    uint64_t lwp;

    if (!value_is_known(&gone->ending, &ending) || ending != ompd_cl_ending_reused ||
        gone->object_kind.value == ompd_cl_kind_svm || value_is_known(&gone->released_lwp, &lwp))
        return ompd_rc_ok;
    finding_begin(&finding, ompd_cl_finding_runtime_released, ompd_cl_kind_destroyed, row);
    finding.object_kind = gone->object_kind;
    finding_set(&finding, &finding.runtime_count, 0);
    return finding_add(visit, &finding);
}

static ompd_rc_t walk_compared(struct row_visit *visit, struct differing *differing)
{
    static const uint32_t kinds[] = {
        ompd_cl_kind_context, ompd_cl_kind_queue,   ompd_cl_kind_memobj,  ompd_cl_kind_event,
        ompd_cl_kind_kernel,  ompd_cl_kind_program, ompd_cl_kind_sampler,
    };
    ompd_rc_t rc = ompd_rc_ok;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && rc == ompd_rc_ok; i++) {
        differing->kind = kinds[i];
        if (visit->space->recorder->registry.tables[record_decoder_table(kinds[i])].record_size !=
            0)
            rc = row_visit_all(visit, kinds[i], 0, compare_object, differing);
    }
    return rc;
}

ompd_rc_t runtime_differs_check(struct row_visit *visit)
{
    struct address_space *space = visit->space;
    struct differing differing = {.kind = 0};
    bool has_layouts = false;
    ompd_rc_t rc = ompd_rc_ok;

    if (space->recorder->registry.tables[ompd_cl_registry_gone].record_size != 0)
        rc = row_visit_all(visit, ompd_cl_kind_destroyed, 0, check_reused_handle, &differing);
    if (rc == ompd_rc_ok)
        rc = sources_find_layouts(space, &has_layouts);
    if (rc == ompd_rc_ok && has_layouts)
        rc = walk_compared(visit, &differing);
    extents_free(&differing.busy, space->target.memory);
    heap_chunks_free(&differing.looks.chunks, space->target.memory);
    return rc_is_final(rc) || rc == ompd_rc_ok ? rc : ompd_rc_ok;
}
