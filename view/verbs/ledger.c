/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ledger: who retained and released an object, and which counts disagree. */
#include <view/verbs/verbs.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The ledger entries of one kind of object. */
struct kept {
    uint64_t count;
    uint64_t written; /* the largest number */
};

/* The entries of objects that shared one handle, object by object, each in order. */
struct ledger {
    uint64_t handle;
    const struct view_kind *kind; /* of rows */
    unsigned char *bytes;         /* row after row */
    size_t count;
    struct kept kept[VIEW_KIND_COUNT]; /* by the kind of object */
};

/* The entries of one object. */
struct account {
    const struct ledger *ledger;
    size_t first;
    size_t count;
    uint64_t order;
    uint64_t counts[ompd_cl_action_ended + 1]; /* by action; unknown ones at 0 */
};

static struct view_row row_at(const struct ledger *ledger, size_t index)
{
    return (struct view_row){ledger->kind, ledger->bytes + index * ledger->kind->size};
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* The newest entry was incomplete. */
static uint64_t ledger_number(const struct view_row *row)
{
    struct view_value number = view_row_value(row, "number");

    return view_value_is_known(number) ? number.value : UINT64_MAX;
}

static void ledger_row_add(struct ledger *ledger, const struct view_row *row)
{
    size_t size = ledger->kind->size;
    uint64_t kind = view_row_number(row, "kind");
    struct view_value number = view_row_value(row, "number");

    if (kind < VIEW_KIND_COUNT) {
        ledger->kept[kind].count++;
        if (view_value_is_known(number) && number.value > ledger->kept[kind].written)
            ledger->kept[kind].written = number.value;
    }
    if (view_row_number(row, "handle") != ledger->handle)
        return;
    ledger->bytes = heap_grow(ledger->bytes, ledger->count, size);
    memcpy(ledger->bytes + ledger->count++ * size, row->bytes, size);
}

static int ledger_numbers_compare(uint64_t one, uint64_t other)
{
    return one == other ? 0 : one < other ? -1 : 1;
}

static int compare_entries(const void *left, const void *right)
{
    const struct view_row one = {view_kind_get(ompd_cl_kind_ledger), left};
    const struct view_row other = {view_kind_get(ompd_cl_kind_ledger), right};
    int order =
        ledger_numbers_compare(view_row_number(&one, "order"), view_row_number(&other, "order"));

    return order != 0 ? order : ledger_numbers_compare(ledger_number(&one), ledger_number(&other));
}

/* Walk LIST to its end. */
static void ledger_read(struct ledger *ledger, struct view_list *list)
{
    struct view_row row;

    ledger->kind = list->kind;
    while (view_list_next(list, &row))
        ledger_row_add(ledger, &row);
    if (ledger->count != 0)
        qsort(ledger->bytes, ledger->count, ledger->kind->size, compare_entries);
}

/* The account of the object whose last entry precedes END. */
static struct account account_before(const struct ledger *ledger, size_t end)
{
    struct account account = {.ledger = ledger, .first = end};

    while (account.first != 0) {
        struct view_row row = row_at(ledger, account.first - 1);
        uint64_t action = view_row_number(&row, "action");
        uint64_t order = view_row_number(&row, "order");

        if (account.count != 0 && order != account.order)
            break;
        account.order = order;
        account.counts[action <= ompd_cl_action_ended ? action : 0]++;
        account.count++;
        account.first--;
    }
    return account;
}

/* ---- The verdict ----------------------------------------------------------------------------- */

/* References that the entries do not explain. Negative if there were too many releases. */
static int64_t balance_of(const struct account *account)
{
    const uint64_t *counts = account->counts;

    return (int64_t)(counts[ompd_cl_action_created] + counts[ompd_cl_action_retained] +
                     counts[ompd_cl_action_refused] - counts[ompd_cl_action_released] -
                     counts[ompd_cl_action_over_released]);
}

/* Add the meaning of the difference between both sides. */
static void add_balance(const struct account *account, struct text *text)
{
    int64_t balance = balance_of(account);
    bool has_ended = account->counts[ompd_cl_action_ended] != 0;

    if (balance < 0) {
        count_add(text, (uint64_t)-balance, "release", NULL);
        text_put(text, " too many");
    } else if (balance == 0) {
        text_put(text, has_ended ? "balanced" : "the program holds no reference");
    } else {
        count_add(text, (uint64_t)balance, "reference", NULL);
        text_put(text, has_ended ? " too many: never released"
                                 : " left: a leak if the program no longer needs it");
    }
}

/* Add "created, retained 2 times, released once by the program: 2 references, ...". */
static void ledger_verdict_add(const struct account *account, struct text *text)
{
    const uint64_t *counts = account->counts;
    bool is_whole = counts[ompd_cl_action_created] != 0;
    uint64_t over = counts[ompd_cl_action_over_released];

    if (is_whole)
        text_put(text, "created, ");
    text_add(text, "%" PRIu64 " retained, %" PRIu64 " released by the program",
             counts[ompd_cl_action_retained], counts[ompd_cl_action_released] + over);
    if (over != 0)
        text_add(text, ", %" PRIu64 " of them with no reference left", over);
    if (counts[ompd_cl_action_refused] != 0)
        text_add(text, ", %" PRIu64 " refused by the runtime", counts[ompd_cl_action_refused]);
    if (is_whole) {
        text_put(text, ": ");
        add_balance(account, text);
    } else {
        text_put(text, ", as far back as the ledger goes");
    }
    text_put(text, ".");
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Write which entries ACCOUNT lacks. */
static void write_lost(ompd_view_t *view, const struct account *account)
{
    struct view_row row = row_at(account->ledger, account->first);
    uint64_t kind = view_row_number(&row, "kind");
    const struct kept *kept = kind < VIEW_KIND_COUNT ? &account->ledger->kept[kind] : NULL;
    struct text note = {0};

    if (account->counts[ompd_cl_action_created] != 0 || kept == NULL)
        return;
    text_add(&note,
             "Earlier entries are lost: the ledger has the last %" PRIu64 " of %" PRIu64
             " entries about %s; OMPD_OPENCL_LEDGER sets its size.",
             kept->count, kept->written, view_kind_get((ompd_cl_kind_t)kind)->noun->plural);
    view_note_write(view, "  ", note.bytes);
    text_free(&note);
}

/* Write "  3  retained at keep at blur.c:20 < main at blur.c:44 by LWP 4711, count now 2". */
static void ledger_entry_write(ompd_view_t *view, const struct view_row *row, size_t number)
{
    bool is_end = view_row_number(row, "action") == ompd_cl_action_ended;
    struct view_value references = view_row_value(row, "references");
    struct view_value lwp = view_row_value(row, "lwp");
    struct text text = {0};

    text_add(&text, "  %3zu  ", number);
    view_ledger_action_add(row, &text);
    view_ledger_place_add(view, view_row_value(row, "caller"), view_row_value(row, "stack"), &text);
    if (view_value_is_known(lwp)) {
        text_put(&text, is_end ? ", noticed by " : " by ");
        view_thread_describe(view, lwp.value, false, &text);
    }
    if (view_value_is_known(references))
        text_add(&text, ", count now %" PRId64, (int64_t)references.value);
    view_print(view, "%s\n", text.bytes);
    text_free(&text);
    view_row_written(view);
}

static void ledger_entries_write(ompd_view_t *view, const struct account *account)
{
    uint64_t limit = view->options.limit;
    size_t shown = account->count < limit ? account->count : (size_t)limit;

    view_print(view, "In order:\n");
    for (size_t i = 0; i < shown; i++) {
        struct view_row row = row_at(account->ledger, account->first + i);

        ledger_entry_write(view, &row, i + 1);
    }
    if (shown < account->count)
        view_cut_note_write(view, "  ", account->count - shown);
}

static void write_places(ompd_view_t *view, const struct account *account)
{
    struct view_ledger_places places = {0};

    for (size_t i = 0; i < account->count; i++) {
        struct view_row row = row_at(account->ledger, account->first + i);

        view_ledger_places_take(&places, &row);
    }
    view_ledger_places_write(&places, view);
    view_ledger_places_free(&places);
}

/* Number of earlier objects with the handle to report. */
#define OTHERS_SHOWN 4

/* Write a line for each object that had the handle before the one whose entries begin at END. */
static void ledger_others_write(ompd_view_t *view, const struct ledger *ledger, size_t end)
{
    uint64_t others = 0;

    while (end != 0) {
        struct account account = account_before(ledger, end);
        struct view_row row = row_at(ledger, account.first);
        struct text text = {0};

        end = account.first;
        if (others++ >= OTHERS_SHOWN)
            continue;
        text_put(&text, "Earlier, the handle was that of ");
        view_ledger_kind_add(&row, &text);
        text_put(&text, ": ");
        ledger_verdict_add(&account, &text);
        view_print(view, "%s\n", text.bytes);
        text_free(&text);
    }
    if (others > OTHERS_SHOWN)
        view_print(view, "%" PRIu64 " more object%s had this handle earlier.\n",
                   others - OTHERS_SHOWN, others == OTHERS_SHOWN + 1 ? "" : "s");
}

/* Describe the object of ACCOUNT: OBJECT, if it is not NULL. */
static void ledger_object_add(ompd_view_t *view, const struct account *account,
                              const struct view_row *object, struct text *text)
{
    struct view_row row = row_at(account->ledger, account->first);
    struct view_destroyed destroyed = {0};
    size_t i = 0;

    if (object != NULL) {
        view_object_header(view, object, text);
        return;
    }
    view_destroyed_find(view, account->ledger->handle, &destroyed);
    while (i < destroyed.count &&
           view_row_number(&destroyed.objects[i].row, "order") != account->order)
        i++;
    text_put_hexadecimal(text, account->ledger->handle);
    text_put(text, " was ");
    if (i < destroyed.count)
        view_destroyed_describe(view, &destroyed.objects[i].row, text);
    else
        view_ledger_kind_add(&row, text);
    view_destroyed_free(&destroyed);
}

/* Write the ledger. OBJECT, if it is not NULL, has the handle now. */
static void ledger_text_write(ompd_view_t *view, const struct ledger *ledger,
                              const struct view_row *object, const struct view_list *list)
{
    struct account account = account_before(ledger, ledger->count);
    bool is_now = object != NULL && account.order == view_row_number(object, "order");
    struct text text = {0};

    if (object != NULL && !is_now) {
        view_object_header(view, object, &text);
        view_print(view, "%s\nThe ledger no longer has an entry about it.\n", text.bytes);
        ledger_others_write(view, ledger, ledger->count);
    } else {
        ledger_object_add(view, &account, is_now ? object : NULL, &text);
        view_print(view, "%s\n", text.bytes);
        text_clear(&text);
        ledger_verdict_add(&account, &text);
        text.bytes[0] = (char)(text.bytes[0] == 'c' ? 'C' : text.bytes[0]);
        view_print(view, "%s\n", text.bytes);
        write_places(view, &account);
        ledger_entries_write(view, &account);
        write_lost(view, &account);
        ledger_others_write(view, ledger, account.first);
    }
    if (list->unreadable != 0) {
        text_clear(&text);
        view_list_describe_unreadable(list, &text);
        view_note_write(view, "", text.bytes);
    }
    text_free(&text);
}

static void ledger_json_write(ompd_view_t *view, const struct ledger *ledger,
                              const struct view_list *list)
{
    for (size_t i = 0; i < ledger->count; i++) {
        struct view_row row = row_at(ledger, i);

        view_json_row(view, &row);
    }
    view_json_missing(list);
}

/* ---- The verb -------------------------------------------------------------------------------- */

/* Whether objects of KIND have a ledger. If not, set the failure with the reason. */
static bool is_kept(ompd_view_t *view, ompd_cl_kind_t kind)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .kinds = UINT64_C(1) << kind};
    struct view_list list;

    view_list_open(&list, view, ompd_cl_kind_ledger, &filter);
    view_list_close(&list);
    return view->failure == ompd_view_exit_ok;
}

/* Show the entries of objects that had HANDLE. OBJECT, if it is not NULL, has it now. */
static void ledger_show(ompd_view_t *view, uint64_t handle, const struct view_row *object)
{
    struct ledger ledger = {.handle = handle};
    struct view_list list;

    if (object != NULL && !is_kept(view, object->kind->number))
        return;
    /* Objects of other kinds may have had the handle. */
    view_list_open(&list, view, ompd_cl_kind_ledger, NULL);
    ledger_read(&ledger, &list);
    view_list_close(&list);
    if (view->failure == ompd_view_exit_ok && view->options.is_json)
        ledger_json_write(view, &ledger, &list);
    else if (view->failure == ompd_view_exit_ok && (ledger.count != 0 || object != NULL))
        ledger_text_write(view, &ledger, object, &list);
    else
        view_fail(view, ompd_view_exit_usage,
                  "The ledger has no entry about 0x%" PRIx64 ": no object had this handle, or its "
                  "entries are lost.",
                  handle);
    heap_free(ledger.bytes);
}

static ompd_view_exit_t show_one(ompd_view_t *view, const char *word)
{
    struct view_object object;
    uint64_t handle = 0;
    bool is_there;

    if (view->options.is_filtered)
        view_fail(view, ompd_view_exit_usage,
                  "Filters apply to the list of all ledger entries; omit them or the %s.",
                  view->front_end.takes_expressions ? "expression" : "handle");
    if (!view_listing_options_refuse(view, ompd_cl_kind_ledger))
        return view_result(view);
    is_there = view_operand_find_any(view, word, &object, &handle);
    if (view->failure != ompd_view_exit_ok)
        return view_result(view);
    if (is_there && object.row.kind->number == ompd_cl_kind_svm)
        view_fail(view, ompd_view_exit_usage,
                  "SVM allocations have no references; `%ssvm` and `%sdestroyed` show who made and "
                  "freed them.",
                  view_verb_prefix(view), view_verb_prefix(view));
    else
        ledger_show(view, is_there ? view_row_handle(&object.row) : handle,
                    is_there ? &object.row : NULL);
    return view_result(view);
}

/* The list of all kinds shows the last entries first, kind by kind. */
static uint64_t ledger_rank(const struct view_row *row)
{
    const uint64_t most = UINT64_MAX >> 16;
    uint64_t number = ledger_number(row);

    return view_row_number(row, "kind") << 48 | (most - (number < most ? number : most));
}

ompd_view_exit_t view_ledger_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct view_listing listing = {
        .kind = ompd_cl_kind_ledger, .rank = ledger_rank, .is_small = true};
    struct view_renderer renderer;

    if (line->operand_count != 0)
        return show_one(view, line->operands[0]);
    view_renderer_begin(&renderer, view);
    view_listing_write(&renderer, &listing);
    view_renderer_end(&renderer);
    return view_result(view);
}
