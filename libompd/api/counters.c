/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of ICVs. */
#include "api/api.h"

/* ---- Of an address space --------------------------------------------------------------------- */

static ompd_rc_t fail_corrupt_counts(struct address_space *space)
{
    return address_space_fail(space, ompd_rc_error,
                              "the recorder's registry is corrupt: its counts are impossible.");
}

/* The position of usage number WHICH in a thread's record. */
static ompd_rc_t find_usage(struct address_space *space, uint16_t which, uint64_t *offset)
{
    struct registry_location location = space->recorder->registry.tables[ompd_cl_registry_thread]
                                            .locations[ompd_cl_registry_field_usage];
    ompd_rc_t rc = thread_table_require(space);

    if (rc != ompd_rc_ok)
        return rc;
    if (which >= location.size / sizeof(struct ompd_cl_registry_usage))
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the recorder in this process does not keep this count.");
    *offset = location.offset + (uint64_t)which * sizeof(struct ompd_cl_registry_usage);
    return ompd_rc_ok;
}

/* Add the counts of the thread with the usage at ADDRESS to SUM. Returns as target_read_uncached
 * does. */
static ompd_rc_t add_usage_at(struct address_space *space, uint64_t address, struct usage_sum *sum)
{
    uint8_t bytes[sizeof(struct ompd_cl_registry_usage)];
    ompd_rc_t rc = target_read_uncached(&space->target, address, sizeof(bytes), bytes);

    if (rc == ompd_rc_ok)
        usage_sum_add(sum, &space->target, bytes);
    return rc;
}

/* A sum that is being made. */
struct addition {
    uint64_t offset; /* of the usage in a thread's record */
    struct usage_sum sum;
};

static ompd_rc_t add_thread_usage(struct address_space *space, uint64_t address, void *context)
{
    struct addition *addition = context;

    return add_usage_at(space, address + addition->offset, &addition->sum);
}

/* Sum the counts of all threads, including ended ones. */
static ompd_rc_t read_total(const struct counter_question *question, const struct counter *counter,
                            struct counter_value *value)
{
    struct address_space *space = question->resolved.space;
    struct addition addition = {0};
    const struct usage_sum *sum = &addition.sum;
    uint16_t status;
    ompd_rc_t rc;

    rc = find_usage(space, counter->which, &addition.offset);
    if (rc == ompd_rc_ok)
        rc = uncached_visit(space, ompd_cl_registry_thread, true, add_thread_usage, &addition);
    if (rc != ompd_rc_ok)
        return rc;
    status = usage_sum_status(sum, counter->which);
    if (status == ompd_cl_status_corrupt)
        return fail_corrupt_counts(space);
    value->is_bound = counter->is_peak && sum->records > 1;
    value->is_unknown = !counter->is_peak && status == ompd_cl_status_unknown;
    value->number = value->is_unknown ? -1 : counter->is_peak ? sum->peak : sum->live;
    return ompd_rc_ok;
}

/* Of queues and SVM frees a device has its own. */
static ompd_rc_t read_total_or_device(const struct counter_question *question,
                                      const struct counter *counter, struct counter_value *value)
{
    const struct resolved_handle *resolved = &question->resolved;
    struct device_usage usage;
    ompd_rc_t rc;

    if (resolved->kind != handle_of_device)
        return read_total(question, counter, value);
    rc = device_usage_count(resolved->space, resolved->entry->address, &usage);
    if (rc == ompd_rc_ok)
        value->number = (int64_t)(counter->which == ompd_cl_registry_queue - 1 ? usage.queues
                                                                               : usage.svm_frees);
    return rc;
}

/* A count in the root; `which` is its offset. */
static ompd_rc_t read_root(const struct counter_question *question, const struct counter *counter,
                           struct counter_value *value)
{
    struct address_space *space = question->resolved.space;
    uint64_t number;
    ompd_rc_t rc;

    rc = uncached_integer(space, space->recorder->registry.root + counter->which, sizeof(number),
                          &number);
    if (rc != ompd_rc_ok)
        return rc;
    value->number = (int64_t)number;
    return value->number < 0 ? fail_corrupt_counts(space) : ompd_rc_ok;
}

static ompd_rc_t read_major(const struct counter_question *question, const struct counter *counter,
                            struct counter_value *value)
{
    (void)counter;
    value->number = question->resolved.space->recorder->registry.major;
    return ompd_rc_ok;
}

static ompd_rc_t read_minor(const struct counter_question *question, const struct counter *counter,
                            struct counter_value *value)
{
    (void)counter;
    value->number = question->resolved.space->recorder->registry.minor;
    return ompd_rc_ok;
}

static ompd_rc_t read_stack_depth(const struct counter_question *question,
                                  const struct counter *counter, struct counter_value *value)
{
    (void)counter;
    value->number = question->resolved.space->recorder->registry.stack_depth;
    return ompd_rc_ok;
}

/* A switch of the recorder; `which` is its bit. */
static ompd_rc_t read_switch(const struct counter_question *question, const struct counter *counter,
                             struct counter_value *value)
{
    value->number = (question->resolved.space->recorder->registry.switches & counter->which) != 0;
    return ompd_rc_ok;
}

static ompd_rc_t read_sources(const struct counter_question *question,
                              const struct counter *counter, struct counter_value *value)
{
    (void)question;
    (void)counter;
    value->number = 1 << ompd_cl_source_recorder;
    return ompd_rc_ok;
}

static ompd_rc_t read_threads(const struct counter_question *question,
                              const struct counter *counter, struct counter_value *value)
{
    (void)counter;
    return thread_count(question->resolved.space, &value->number);
}

/* ---- Of a thread ----------------------------------------------------------------------------- */

/* Read its innermost activity; of one that is not known the number is -1. */
static ompd_rc_t read_innermost(const struct counter_question *question,
                                struct counter_value *value, struct activity *activity)
{
    bool is_known;
    ompd_rc_t rc;

    rc = thread_innermost_read(question->resolved.space, &question->head, activity, &is_known);
    if (rc == ompd_rc_ok && !is_known) {
        value->is_unknown = true;
        value->number = -1;
    }
    return rc;
}

static ompd_rc_t read_call(const struct counter_question *question, const struct counter *counter,
                           struct counter_value *value)
{
    struct activity activity;
    ompd_rc_t rc = read_innermost(question, value, &activity);

    (void)counter;
    if (rc == ompd_rc_ok && !value->is_unknown && !call_is_callback(activity.what))
        value->number = OMPD_CL_REGISTRY_ACTIVITY_WHAT(activity.what);
    return rc;
}

static ompd_rc_t read_handle(const struct counter_question *question, const struct counter *counter,
                             struct counter_value *value)
{
    struct activity activity;
    ompd_rc_t rc = read_innermost(question, value, &activity);

    (void)counter;
    if (rc == ompd_rc_ok && !value->is_unknown)
        value->number = (int64_t)activity.handle;
    return rc;
}

static ompd_rc_t read_depth(const struct counter_question *question, const struct counter *counter,
                            struct counter_value *value)
{
    (void)counter;
    value->number = question->head.activity_count;
    return thread_depth_check(question->resolved.space, &question->head);
}

/* What the thread created minus what it ended. */
static ompd_rc_t read_own(const struct counter_question *question, const struct counter *counter,
                          struct counter_value *value)
{
    struct address_space *space = question->resolved.space;
    struct usage_sum own = {0};
    uint64_t offset = 0;
    ompd_rc_t rc;

    rc = find_usage(space, counter->which, &offset);
    if (rc != ompd_rc_ok)
        return rc;
    if (add_usage_at(space, question->head.address + offset, &own) != ompd_rc_ok)
        return uncached_unreadable(space);
    if (own.is_corrupt ||
        (own.live > 0 && usage_sum_status(&own, counter->which) == ompd_cl_status_corrupt))
        return fail_corrupt_counts(space);
    value->number = own.live;
    return ompd_rc_ok;
}

/* ---- As texts -------------------------------------------------------------------------------- */

static void write_number(const struct counter *counter, int64_t number, struct message *text)
{
    const char *unit = number == 1 ? counter->one : counter->many;

    if (number < 0)
        message_add(text, "-");
    message_add_decimal(text, number < 0 ? -(uint64_t)number : (uint64_t)number);
    if (unit[0] != '\0')
        message_add(text, " ");
    message_add(text, unit);
}

static void write_switch(const struct counter *counter, int64_t number, struct message *text)
{
    (void)counter;
    message_add(text, number != 0 ? "on" : "off");
}

static void write_sources(const struct counter *counter, int64_t number, struct message *text)
{
    (void)counter;
    (void)number;
    message_add(text, "recorder");
}

static void write_call(const struct counter *counter, int64_t number, struct message *text)
{
    const char *name = number == 0 ? "none" : call_name((uint32_t)number);

    if (name != NULL)
        message_add(text, name);
    else
        write_number(counter, number, text);
}

static void write_handle(const struct counter *counter, int64_t number, struct message *text)
{
    (void)counter;
    if (number == 0)
        message_add(text, "none");
    else
        message_add_hexadecimal(text, (uint64_t)number);
}

/* ---- The table ------------------------------------------------------------------------------- */

#define USAGE_OF(table) (ompd_cl_registry_##table - 1)

#define TOTAL(name, is_peak, usage, one, many)                                                     \
    {                                                                                              \
        name, ompd_scope_address_space, false, is_peak, usage, read_total, write_number, one, many \
    }

/* The current and the maximum number of objects, or of their bytes. */
#define TOTALS(name, usage, one, many)                                                             \
    TOTAL(name "-var", false, usage, one, many), TOTAL(name "-peak-var", true, usage, one, many)

/* The number of objects in the process or on a device. */
#define OF_DEVICES(name, usage, one, many)                                                         \
    {                                                                                              \
        name, ompd_scope_address_space, true, false, usage, read_total_or_device, write_number,    \
            one, many                                                                              \
    }

#define OF_ROOT(name, member, one, many)                                                           \
    {                                                                                              \
        name, ompd_scope_address_space, false, false,                                              \
            offsetof(struct ompd_cl_registry_root, member), read_root, write_number, one, many     \
    }

#define OF_RECORDER(name, which, read, write, one, many)                                           \
    {                                                                                              \
        name, ompd_scope_address_space, false, false, which, read, write, one, many                \
    }

#define OF_THREAD(name, which, read, write, one, many)                                             \
    {                                                                                              \
        name, ompd_scope_thread, false, false, which, read, write, one, many                       \
    }

static const struct counter counters[] = {
    TOTALS("contexts", USAGE_OF(context), "context", "contexts"),
    OF_DEVICES("queues-var", USAGE_OF(queue), "queue", "queues"),
    TOTAL("queues-peak-var", true, USAGE_OF(queue), "queue", "queues"),
    TOTALS("memory-objects", USAGE_OF(memobj), "memory object", "memory objects"),
    TOTALS("memory-object-bytes", OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES, "B", "B"),
    TOTALS("programs", USAGE_OF(program), "program", "programs"),
    TOTALS("kernels", USAGE_OF(kernel), "kernel", "kernels"),
    TOTALS("samplers", USAGE_OF(sampler), "sampler", "samplers"),
    TOTALS("events", USAGE_OF(event), "event", "events"),
    TOTALS("svm-allocations", USAGE_OF(svm), "SVM allocation", "SVM allocations"),
    TOTALS("svm-bytes", OMPD_CL_REGISTRY_USAGE_SVM_BYTES, "B", "B"),
    OF_DEVICES("svm-frees-var", USAGE_OF(svm_free), "SVM free", "SVM frees"),
    TOTAL("svm-frees-peak-var", true, USAGE_OF(svm_free), "SVM free", "SVM frees"),
    TOTALS("destructors", USAGE_OF(callback), "destructor callback", "destructor callbacks"),
    OF_RECORDER("threads-var", 0, read_threads, write_number, "thread", "threads"),
    OF_ROOT("over-releases-var", counts.over_releases, "over-release", "over-releases"),
    OF_ROOT("unknown-handles-var", counts.unknown_handles, "call on an unknown handle",
            "calls on unknown handles"),
    OF_ROOT("not-recorded-var", counts.not_recorded, "object not recorded", "objects not recorded"),
    OF_RECORDER("recorder-major-var", 0, read_major, write_number, "", ""),
    OF_RECORDER("recorder-minor-var", 0, read_minor, write_number, "", ""),
    OF_RECORDER("stack-depth-var", 0, read_stack_depth, write_number, "frame", "frames"),
    OF_RECORDER("completion-tracking-var", OMPD_CL_REGISTRY_TRACK_COMPLETION, read_switch,
                write_switch, "", ""),
    OF_RECORDER("sources-var", 0, read_sources, write_sources, "", ""),
    OF_THREAD("call-var", 0, read_call, write_call, "", ""),
    OF_THREAD("handle-var", 0, read_handle, write_handle, "", ""),
    OF_THREAD("depth-var", 0, read_depth, write_number, "call or callback", "calls and callbacks"),
    OF_THREAD("thread-memory-objects-var", USAGE_OF(memobj), read_own, write_number,
              "memory object", "memory objects"),
    OF_THREAD("thread-memory-object-bytes-var", OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES, read_own,
              write_number, "B", "B"),
    OF_THREAD("thread-svm-allocations-var", USAGE_OF(svm), read_own, write_number, "SVM allocation",
              "SVM allocations"),
    OF_THREAD("thread-svm-bytes-var", OMPD_CL_REGISTRY_USAGE_SVM_BYTES, read_own, write_number, "B",
              "B"),
};

const struct counter *counter_find(ompd_icv_id_t id)
{
    return id == 0 || id > sizeof(counters) / sizeof(counters[0]) ? NULL : &counters[id - 1];
}
