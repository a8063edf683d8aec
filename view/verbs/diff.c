/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* diff: what was created, destroyed and grew from one snapshot to another, or to now. Snapshots
 * are opened one after the other. A process stops only while it is read, and only one of two
 * cores is mapped at a time. The objects of each and the names of their places are copied.
 * diff-places.c compares them; diff-words.c and diff-json.c write the result. */
#include <view/verbs/verbs.h>

/* ---- One snapshot ---------------------------------------------------------------------------- */

/* Whether ROW is of a finished command: lists contain the last of them, too. */
static bool diff_is_over(ompd_cl_kind_t kind, const struct view_row *row)
{
    uint64_t state = view_row_number(row, "state");

    return (kind == ompd_cl_kind_command || kind == ompd_cl_kind_svm_free) &&
           (state == ompd_cl_event_state_done || state == ompd_cl_event_state_failed ||
            state == ompd_cl_event_state_ended);
}

static struct view_diff_object object_of(const struct view_row *row, uint32_t kind)
{
    const char *field = view_kind_size(row->kind);
    struct view_value size = view_row_value(row, field);
    struct view_diff_object object = {
        .kind = kind,
        .order = view_row_number(row, "order"),
        .stack = view_row_number(row, "stack"),
        .caller = view_row_number(row, "caller"),
    };

    /* An object made of another memory object has no bytes of its own. */
    if (view_row_number(row, "parent") != 0 || view_kind_field(row->kind, field) == NULL)
        return object;
    object.bytes = view_value_is_known(size) ? size.value : 0;
    object.lacks_bytes = !view_value_is_known(size) || view_value_bound(size)[0] != '\0';
    return object;
}

/* Add to LINES those of TEXT that it lacks. */
static void diff_lines_add(struct text *lines, const struct text *text)
{
    const char *at = text_get(text);

    while (*at != '\0') {
        size_t length = strcspn(at, "\n") + 1;
        struct text line = {0};

        text_append(&line, at, length);
        if (strstr(text_get(lines), line.bytes) == NULL)
            text_put(lines, line.bytes);
        text_free(&line);
        at += length;
    }
}

/* Read the objects of one kind, an index. */
static void read_kind(ompd_view_t *view, struct view_diff_answer *answer, enum view_diff_side side,
                      uint32_t kind)
{
    struct view_diff_facts *facts = &answer->diff.facts[side];
    struct view_diff_source *source = &answer->sources[side];
    struct view_list list;
    struct view_row row;

    if (!view_kind_is_shown(view, view_diff_kinds[kind]))
        return;
    view_list_open_optional(&list, view, view_diff_kinds[kind], NULL);
    facts->is_told[kind] = list.is_open;
    while (view_list_next(&list, &row)) {
        struct view_diff_object object = object_of(&row, kind);
        struct view_value confidence = view_row_value(&row, "confidence");

        if (diff_is_over(view_diff_kinds[kind], &row))
            continue;
        view_diff_add(&answer->diff, side, &object);
        if (view_value_is_known(confidence) && confidence.value != ompd_cl_confidence_certain) {
            facts->has_presumed[kind] = true;
            source->presumed++;
        }
    }
    facts->is_whole[kind] = list.unreadable == 0 && !list.is_short && !list.is_unknown;
    source->unreadable += list.unreadable;
    if (list.has_incompleteness)
        diff_lines_add(&source->incompleteness, &view->incompleteness);
    view_list_close(&list);
}

/* Record the last destroyed objects: one that exists later is of an earlier snapshot. */
static void diff_destroyed_read(ompd_view_t *view, struct view_diff_facts *facts)
{
    bool is_incomplete = view->is_incomplete;
    struct view_list list;
    struct view_row row;

    view_list_open_optional(&list, view, ompd_cl_kind_destroyed, NULL);
    while (view_list_next(&list, &row)) {
        facts->destroyed =
            heap_grow(facts->destroyed, facts->destroyed_count, sizeof(facts->destroyed[0]));
        facts->destroyed[facts->destroyed_count++] = view_row_number(&row, "order");
    }
    view_list_close(&list);
    view->is_incomplete = is_incomplete;
}

/* Read the overview of the process. False if the snapshot has no OpenCL, or is unreadable. */
static bool read_facts(ompd_view_t *view, struct view_diff_answer *answer, enum view_diff_side side)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    struct view_row overview = {view_kind_get(ompd_cl_kind_overview), (const void *)&info};
    struct view_diff_source *source = &answer->sources[side];
    bool is_incomplete = view->is_incomplete;

    source->pid = (uint64_t)view->use.pid;
    if (!view_embree_only_check(view, ompd_cl_overview_get(view->use.space, &info)))
        return false;
    if (view->options.is_of_embree)
        return true;
    /* The lists report which objects are missing. */
    view->is_incomplete = is_incomplete;
    source->has_recorder = view_sources_have_recorder(&overview);
    source->has_identity = view_value_is_known(view_row_value(&overview, "identity"));
    source->identity = info.identity.value;
    source->pid = info.pid.value;
    answer->diff.facts[side].last_order = view_row_number(&overview, "last_order");
    answer->diff.facts[side].depth = view_row_number(&overview, "stack_depth");
    return true;
}

/* The calls that made OBJECT, one line each. */
static char *calls_of(void *user_ptr, const struct view_diff_object *object)
{
    ompd_view_t *view = user_ptr;
    ompd_addr_t frames[VIEW_STACK_FRAMES];
    size_t count = object->stack != 0 ? view_stack_get(view, object->stack, frames) : 0;
    struct text text = {0};
    char *calls;

    if (count == 0 && object->caller != 0)
        frames[count++] = object->caller;
    view_site_stack(view, frames, count, NULL, &text);
    calls = text_copy(text_get(&text));
    text_free(&text);
    return calls;
}

/* Let the front end open the snapshot at PATH. */
static bool diff_snapshot_open(ompd_view_t *view, const char *path)
{
    ompd_view_use_t use = {.struct_size = sizeof(use)};
    const char *why = NULL;
    ompd_view_exit_t code;

    /* The address space is closed, and the next may have the same address. */
    if (view->use.space != NULL)
        view_name_cache_forget(view, view->use.space, true);
    view->use.space = NULL;
    use.row_limit = view->use.row_limit;
    code = view->front_end.open_snapshot(view->front_end.user_ptr, path, &use, &why);
    view->is_stopped |= code == ompd_view_exit_stopped;
    if (code != ompd_view_exit_ok)
        return view_fail(view, code, "%s", why != NULL ? why : "The snapshot cannot be opened.");
    view->use = use;
    /* The cache may be of earlier commands, and places have other names now. */
    view_name_cache_forget(view, use.space, false);
    return true;
}

/* Close what the command has opened, but not what was open before. */
static void diff_snapshot_leave(ompd_view_t *view, const struct view_diff_answer *answer)
{
    const struct view_diff_source *last = &answer->sources[view_diff_after];
    bool is_now = last->path == NULL && last->file.length != 0;

    if (view->use.space == NULL)
        return;
    view_name_cache_forget(view, view->use.space, !is_now);
    view->use.space = NULL;
}

/* Report which snapshot failed. */
static void name_failure(ompd_view_t *view, const char *path)
{
    struct text message = {0};

    if (path == NULL || view->failure != ompd_view_exit_unreadable ||
        strstr(text_get(&view->message), path) != NULL)
        return;
    text_add(&message, "%s: %s", path, text_get(&view->message));
    text_free(&view->message);
    view->message = message;
}

static bool diff_side_read(ompd_view_t *view, struct view_diff_answer *answer,
                           enum view_diff_side side)
{
    struct view_diff_source *source = &answer->sources[side];

    if (diff_snapshot_open(view, source->path) && read_facts(view, answer, side)) {
        text_put(&source->file, view->use.file != NULL ? view->use.file : "now");
        if (view->use.program != NULL)
            text_put(&source->program, text_file_name(view->use.program));
        for (uint32_t i = 0; i < VIEW_DIFF_KINDS && view->failure == ompd_view_exit_ok; i++)
            read_kind(view, answer, side, i);
        if (side == view_diff_before && view->failure == ompd_view_exit_ok)
            diff_destroyed_read(view, &answer->diff.facts[side]);
        if (view->failure == ompd_view_exit_ok)
            view_diff_find_places(&answer->diff, side, calls_of, view);
    }
    name_failure(view, source->path);
    return view->failure == ompd_view_exit_ok;
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* The names of the snapshots: the ends of their paths, where those differ. */
static void diff_sides_name(struct view_diff_answer *answer)
{
    const char *first = text_get(&answer->sources[view_diff_before].file);
    const char *second = text_get(&answer->sources[view_diff_after].file);
    bool is_short = strcmp(text_file_name(first), text_file_name(second)) != 0;

    text_escape(&answer->sources[view_diff_before].name, is_short ? text_file_name(first) : first);
    text_escape(&answer->sources[view_diff_after].name, is_short ? text_file_name(second) : second);
}

bool view_diff_has_recorders(const struct view_diff_answer *answer)
{
    return answer->sources[view_diff_before].has_recorder &&
           answer->sources[view_diff_after].has_recorder;
}

static bool is_one_process(const struct view_diff_answer *answer)
{
    const struct view_diff_source *one = &answer->sources[view_diff_before];
    const struct view_diff_source *other = &answer->sources[view_diff_after];

    return one->has_identity && other->has_identity && one->identity == other->identity &&
           one->pid == other->pid;
}

/* Note which kinds are not compared, because one snapshot or both lack them. */
static void diff_uncompared_note(ompd_view_t *view, struct view_diff_answer *answer)
{
    struct text none = {0};
    struct text one = {0};

    for (size_t i = 0; i < VIEW_DIFF_KINDS; i++) {
        bool is_told = answer->diff.facts[view_diff_before].is_told[i] ||
                       answer->diff.facts[view_diff_after].is_told[i];
        struct text *text = is_told ? &one : &none;

        /* Few processes have both OpenCL and Embree, or command buffers. */
        if (view_diff_is_compared(&answer->diff, i) ||
            !view_kind_is_shown(view, view_diff_kinds[i]) ||
            (!is_told && (view_kind_is_embree(view_diff_kinds[i]) ||
                          view_diff_kinds[i] == ompd_cl_kind_command_buffer ||
                          view_diff_kinds[i] == ompd_cl_kind_semaphore)))
            continue;
        text_add(text, "%s%s", text->length != 0 ? ", " : "",
                 view_kind_get(view_diff_kinds[i])->noun->plural);
    }
    if (none.length != 0)
        text_add(&answer->notes, "Not compared, because neither side lists them: %s.\n",
                 none.bytes);
    if (one.length != 0)
        text_add(&answer->notes, "Not compared, because only one side lists them: %s.\n",
                 one.bytes);
    view->is_incomplete |= one.length != 0;
    text_free(&none);
    text_free(&one);
}

/* Note what SIDE lacks. */
static void diff_side_note(struct view_diff_answer *answer, enum view_diff_side side)
{
    const struct view_diff_source *source = &answer->sources[side];
    const char *at = text_get(&source->incompleteness);

    if (source->unreadable != 0) {
        text_add(&answer->notes, "%s: ", source->name.bytes);
        count_add(&answer->notes, source->unreadable, "object", NULL);
        text_put(&answer->notes, " could not be read.\n");
    }
    for (; *at != '\0'; at += strcspn(at, "\n") + 1) {
        text_add(&answer->notes, "%s: ", source->name.bytes);
        text_append(&answer->notes, at, strcspn(at, "\n") + 1);
    }
    if (source->presumed != 0) {
        text_add(&answer->notes, "%s: " VIEW_NOT_PROVED ": ", source->name.bytes);
        count_add(&answer->notes, source->presumed, "object", NULL);
        text_put(&answer->notes, ".\n");
    }
}

static void note_depth(struct view_diff_answer *answer)
{
    uint64_t depth = view_diff_depth(&answer->diff);

    if (depth == 0 || answer->diff.facts[0].depth == answer->diff.facts[1].depth)
        return;
    text_put(&answer->notes, "Call stacks are compared to the depth that both have: ");
    count_add(&answer->notes, depth, "call", NULL);
    text_put(&answer->notes, ".\n");
}

static void diff_sides_compare(ompd_view_t *view, struct view_diff_answer *answer)
{
    struct view_diff *diff = &answer->diff;

    diff_sides_name(answer);
    diff->is_one_process = is_one_process(answer);
    if (view_diff_is_reversed(diff)) {
        view_fail(view, ompd_view_exit_usage,
                  "%s is the later snapshot; name the earlier one first.",
                  answer->sources[view_diff_before].path);
        return;
    }
    diff_uncompared_note(view, answer);
    note_depth(answer);
    diff_side_note(answer, view_diff_before);
    diff_side_note(answer, view_diff_after);
    view_diff_settle(diff);
    if (view->options.is_json)
        view_diff_json_write(view, answer);
    else
        view_diff_words_write(view, answer);
}

static void free_answer(struct view_diff_answer *answer)
{
    for (size_t i = 0; i < VIEW_DIFF_SIDES; i++) {
        text_free(&answer->sources[i].name);
        text_free(&answer->sources[i].file);
        text_free(&answer->sources[i].program);
        text_free(&answer->sources[i].incompleteness);
    }
    text_free(&answer->notes);
    view_diff_free(&answer->diff);
}

ompd_view_exit_t view_diff_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct view_diff_answer answer = {.sources = {{.path = line->operands[0]}}};
    bool has_changed;

    if (view->front_end.open_snapshot == NULL) {
        view_fail(view, ompd_view_exit_usage, "Snapshots cannot be opened here.");
        return view_result(view);
    }
    if (line->operand_count > 1)
        answer.sources[view_diff_after].path = line->operands[1];
    if (diff_side_read(view, &answer, view_diff_before) &&
        diff_side_read(view, &answer, view_diff_after))
        diff_sides_compare(view, &answer);
    has_changed = answer.diff.changed != 0;
    diff_snapshot_leave(view, &answer);
    free_answer(&answer);
    /* Unlike a finding in one snapshot, a difference is uncertain if part of a snapshot is
     * missing. */
    if (view_result(view) == ompd_view_exit_ok && has_changed)
        return ompd_view_exit_findings;
    return view_result(view);
}
