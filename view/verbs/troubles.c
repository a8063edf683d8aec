/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See verbs.h. If the library could not search for a trouble, the rest of the answer remains
 * valid, so this is not a failure of the view. */
#include <view/verbs/verbs.h>

#include <string.h>

#define BATCH 8 /* rows per call */

struct trouble {
    const char *key; /* in JSON */
    const char *singular;
    const char *plural; /* NULL: the singular with an "s" */
    const char *verb;
    uint64_t count;
    bool is_whole; /* no more are possible, as far as known */
    bool is_presumed;
};

struct troubles {
    struct trouble findings;
    struct trouble builds;
    struct trouble refused;
    struct trouble failed;
    struct trouble pending;
};

/* Whether ROW is a failed build, not a mistake: see view_finding_is_mistake(). */
static bool is_failed_build(const ompd_cl_finding_info_t *finding)
{
    return finding->rule.value == ompd_cl_finding_build_failed &&
           finding->thread.status != ompd_cl_status_value;
}

/* Whether ROW is a fact about Embree, not a mistake either. */
static bool is_embree_fact(const ompd_cl_finding_info_t *finding)
{
    return finding->rule.value == ompd_cl_finding_embree_error ||
           finding->rule.value == ompd_cl_finding_embree_in_monitor;
}

static void take_finding(struct troubles *troubles, const void *row)
{
    if (is_failed_build(row))
        troubles->builds.count++;
    else if (!is_embree_fact(row))
        troubles->findings.count++;
}

/* Reports of the runtime. The recorder has seen the others itself. */
static void take_error(struct troubles *troubles, const void *row)
{
    const ompd_cl_error_info_t *error = row;

    troubles->refused.count +=
        error->outcome.status == ompd_cl_status_value && (int64_t)error->outcome.value < 0;
}

static void take_command(struct troubles *troubles, const void *row)
{
    ompd_cl_value_t state = ((const ompd_cl_command_info_t *)row)->state;
    struct trouble *trouble;

    if (state.status != ompd_cl_status_value && state.status != ompd_cl_status_presumed)
        return;
    switch (state.value) {
    case ompd_cl_event_state_failed:
        trouble = &troubles->failed;
        break;
    case ompd_cl_event_state_enqueued:
    case ompd_cl_event_state_queued:
    case ompd_cl_event_state_submitted:
    case ompd_cl_event_state_running:
    case ompd_cl_event_state_left:
        trouble = &troubles->pending;
        break;
    default:
        return;
    }
    trouble->count++;
    trouble->is_presumed |= state.status == ompd_cl_status_presumed;
}

/* Call TAKE for each row of KIND. False if some are missing. */
static bool count_rows(const ompd_view_t *view, ompd_cl_kind_t kind, struct troubles *troubles,
                       void (*take)(struct troubles *troubles, const void *row))
{
    ompd_size_t size = view_kind_get(kind)->size;
    unsigned char *rows = heap_get(BATCH * size);
    ompd_size_t unreadable = 0;
    ompd_size_t count = 0;
    ompd_cl_list_t list;
    ompd_rc_t rc = ompd_cl_list_open(view->use.space, kind, NULL, &list);
    bool is_open = rc == ompd_rc_ok || rc == ompd_rc_incomplete;

    if (is_open) {
        do {
            count = 0;
            memcpy(rows, &size, sizeof(size)); /* the first member's struct_size */
            rc = ompd_cl_list_next(view->use.space, list, kind, BATCH, rows, &count, &unreadable);
            for (ompd_size_t i = 0; i < count; i++)
                take(troubles, rows + i * size);
        } while (count != 0);
        ompd_cl_list_close(view->use.space, list);
    }
    heap_free(rows);
    return is_open && rc == ompd_rc_ok && unreadable == 0;
}

static struct troubles troubles_find(const ompd_view_t *view)
{
    struct troubles troubles = {
        .findings = {.key = "findings", .singular = "finding", .plural = NULL, .verb = "check"},
        .builds = {.key = "failed_builds",
                   .singular = "program's last build failed",
                   .plural = "programs' last builds failed",
                   .verb = "check"},
        /* The recorder retains only the last finished ones. */
        .refused = {.key = "refused_calls",
                    .singular = "recent call was refused",
                    .plural = "recent calls were refused",
                    .verb = "errors"},
        .failed = {.key = "failed_commands",
                   .singular = "recent command failed",
                   .plural = "recent commands failed",
                   .verb = "commands"},
        .pending = {.key = "pending_commands",
                    .singular = "command is pending",
                    .plural = "commands are pending",
                    .verb = "waits"},
    };

    troubles.findings.is_whole = troubles.builds.is_whole =
        count_rows(view, ompd_cl_kind_finding, &troubles, take_finding);
    troubles.refused.is_whole = count_rows(view, ompd_cl_kind_error, &troubles, take_error);
    troubles.failed.is_whole = troubles.pending.is_whole =
        count_rows(view, ompd_cl_kind_command, &troubles, take_command);
    return troubles;
}

static void trouble_add(const ompd_view_t *view, const struct trouble *trouble, struct text *text)
{
    if (trouble->count == 0)
        return;
    text_put(text, trouble->is_whole ? "  " : "  at least ");
    count_add(text, trouble->count, trouble->singular, trouble->plural);
    text_add(text, "%s: see `%s%s`\n", trouble->is_presumed ? ", presumably" : "",
             view_verb_prefix(view), trouble->verb);
}

/* Add " behind user event 0x1f", if all pending commands belong to one queue. */
static void add_blocker(ompd_view_t *view, const struct trouble *trouble, struct text *text)
{
    struct view_pending *pending = heap_get(sizeof(*pending));
    const struct view_pending_queue *queue = &pending->queues[0];

    if (trouble->count > 1 && trouble->is_whole && !trouble->is_presumed)
        view_pending_find(pending, view);
    if (pending->count == 1 && queue->count == trouble->count)
        view_pending_blocker_add(queue, text);
    heap_free(pending);
}

static void add_pending(ompd_view_t *view, const struct trouble *trouble, struct text *text)
{
    struct trouble behind = *trouble;
    struct text plural = {0};

    text_put(&plural, trouble->plural);
    add_blocker(view, trouble, &plural);
    behind.plural = plural.bytes;
    trouble_add(view, &behind, text);
    text_free(&plural);
}

void view_troubles_add(ompd_view_t *view, struct text *text)
{
    struct troubles troubles = troubles_find(view);

    trouble_add(view, &troubles.findings, text);
    trouble_add(view, &troubles.builds, text);
    trouble_add(view, &troubles.refused, text);
    trouble_add(view, &troubles.failed, text);
    add_pending(view, &troubles.pending, text);
}

static void add_json(struct json *json, const struct trouble *trouble)
{
    if (!trouble->is_whole && trouble->count == 0) {
        json_null(json, trouble->key);
        json_unknown(json, trouble->key, "not observed");
        return;
    }
    json_number(json, trouble->key, (int64_t)trouble->count);
    if (!trouble->is_whole)
        json_at_least(json, trouble->key);
    if (trouble->is_presumed)
        json_presumed(json, trouble->key);
}

void view_troubles_json(const ompd_view_t *view, struct json *json)
{
    struct troubles troubles = troubles_find(view);

    add_json(json, &troubles.findings);
    add_json(json, &troubles.builds);
    add_json(json, &troubles.refused);
    add_json(json, &troubles.failed);
    add_json(json, &troubles.pending);
}
