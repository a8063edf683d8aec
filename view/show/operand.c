/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A kind that can be found by a cl handle or pointer, and the verb that shows one object. */
struct findable {
    ompd_cl_kind_t kind;
    const char *verb;
};

/* Without OpenCL a search for its objects may fail, so those of Embree come first. */
static const struct findable findables[] = {
    {ompd_cl_kind_embree_device, "embree-device"},
    {ompd_cl_kind_embree_scene, "embree-scene"},
    {ompd_cl_kind_embree_geometry, "embree-geometry"},
    {ompd_cl_kind_embree_buffer, "embree-buffer"},
    {ompd_cl_kind_memobj, "memobj"},
    {ompd_cl_kind_context, "context"},
    {ompd_cl_kind_queue, "queue"},
    {ompd_cl_kind_event, "event"},
    {ompd_cl_kind_kernel, "kernel"},
    {ompd_cl_kind_program, "program"},
    {ompd_cl_kind_sampler, "sampler"},
    {ompd_cl_kind_svm, "svm"},
    {ompd_cl_kind_command_buffer, "command-buffer"},
    {ompd_cl_kind_semaphore, "semaphore"},
};

#define FINDABLE_COUNT (sizeof(findables) / sizeof(findables[0]))

static bool operand_is_among(ompd_cl_kind_t kind, const ompd_cl_kind_t *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

/* Add HANDLE in the form that WORD has. */
static void add_shown(struct text *text, const char *word, uint64_t handle)
{
    struct text number = {0};

    text_put_hexadecimal(&number, handle);
    text_put(text, word);
    if (strcmp(word, number.bytes) != 0)
        text_add(text, " (%s)", number.bytes);
    text_free(&number);
}

static bool operand_evaluate(ompd_view_t *view, const char *word, uint64_t *handle)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    const char *why;
    char *end;

    if (front_end->evaluate != NULL) {
        why = front_end->evaluate(front_end->user_ptr, word, handle);
        return why == NULL || view_fail(view, ompd_view_exit_usage, "%s", why);
    }
    errno = 0;
    *handle = strtoull(word, &end, strncasecmp(word, "0x", 2) == 0 ? 16 : 10);
    if (!isdigit((unsigned char)word[0]) || *end != '\0' || errno != 0)
        return view_fail(view, ompd_view_exit_usage,
                         "'%s' is not a handle; use 0x55d0c0ffee00 or memobjs#1.", word);
    return true;
}

/* Add "a memory object, an OpenCL context or a program", or without the articles. */
static void add_kinds(struct text *text, const ompd_cl_kind_t *kinds, size_t count,
                      bool has_articles)
{
    for (size_t i = 0; i < count; i++) {
        const ompd_cl_noun_t *noun = view_kind_get(kinds[i])->noun;

        if (i != 0)
            text_put(text, i == count - 1 ? " or " : ", ");
        if (has_articles)
            text_add(text, "%s ", noun->article);
        text_put(text, noun->singular);
    }
}

/* Find an object that will be shown as a whole. If only a layout shows it, a search of memory finds
 * the program's references to it, and whether it is a copy of an object. */
static ompd_rc_t find_whole(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t handle, uint64_t *id)
{
    struct view_object object;
    ompd_rc_t rc = view_object_find(view, kind, handle, id);

    if (view_kind_is_embree(kind) || rc != ompd_rc_ok ||
        view_object_get(view, kind, *id, &object) != ompd_rc_ok ||
        view_row_number(&object.row, "source") != ompd_cl_source_layout)
        return rc;
    rc = ompd_cl_objects_search(view->use.space);
    return rc == ompd_rc_ok ? view_object_find(view, kind, handle, id) : rc;
}

/* Find the object of one kind. False if there is none, or on failure. */
static bool find_one(ompd_view_t *view, ompd_cl_kind_t kind, uint64_t handle, uint64_t *id)
{
    ompd_rc_t rc = find_whole(view, kind, handle, id);

    if (rc == ompd_rc_unavailable)
        return false;
    if (rc == ompd_rc_incomplete) {
        struct text reason = {0};

        view_add_reason(view, rc, &reason);
        view_fail(view, ompd_view_exit_incomplete, "%s", reason.bytes);
        text_free(&reason);
        return false;
    }
    return view_check(view, rc);
}

/* Whether COMMAND, an SVM-free command, frees POINTER. */
static bool frees_pointer(ompd_view_t *view, const struct view_row *command, uint64_t pointer)
{
    struct view_list pointers;
    struct view_row row;
    bool is_found = false;

    view_list_open_parts(&pointers, view, ompd_cl_kind_svm_pointer, command);
    while (!is_found && view_list_next(&pointers, &row))
        is_found = view_row_number(&row, "pointer") == pointer;
    view_list_close(&pointers);
    return is_found;
}

static bool find_svm_free(ompd_view_t *view, uint64_t handle, const char *word,
                          struct view_object *object)
{
    struct view_list commands;
    struct view_row command;
    struct text shown = {0};
    uint64_t id = 0;

    view_list_open(&commands, view, ompd_cl_kind_svm_free, NULL);
    while (id == 0 && view_list_next(&commands, &command))
        if (frees_pointer(view, &command, handle) ||
            (handle != 0 && handle == view_row_number(&command, "event")))
            id = view_row_id(&command);
    view_list_close(&commands);
    if (id != 0)
        return view_check(view, view_object_get(view, ompd_cl_kind_svm_free, id, object));
    add_shown(&shown, word, handle);
    view_fail(view, ompd_view_exit_usage,
              "%s is neither the event of an SVM-free command nor a pointer that one frees.",
              shown.bytes);
    text_free(&shown);
    return false;
}

static bool find_command(ompd_view_t *view, uint64_t handle, const char *word,
                         struct view_object *object)
{
    struct view_list commands;
    struct view_row command;
    struct text shown = {0};
    uint64_t id = 0;

    view_list_open(&commands, view, ompd_cl_kind_command, NULL);
    while (view_list_next(&commands, &command))
        if (handle != 0 && handle == view_row_number(&command, "event"))
            id = view_row_id(&command);
    view_list_close(&commands);
    if (view->failure != ompd_view_exit_ok)
        return false;
    if (id != 0)
        return view_check(view, view_object_get(view, ompd_cl_kind_command, id, object));
    add_shown(&shown, word, handle);
    view_fail(view, ompd_view_exit_usage, "%s is not the event of a recorded command.",
              shown.bytes);
    text_free(&shown);
    return false;
}

/* Set the failure: no object WANTED has the handle SHOWN. Mention destroyed objects that had it. */
static void fail_gone(ompd_view_t *view, uint64_t handle, const char *wanted, const char *shown)
{
    struct view_destroyed destroyed = {0};
    struct text was = {0};

    if (view_destroyed_find(view, handle, &destroyed) && destroyed.count != 0) {
        view_destroyed_describe(view, &destroyed.objects[0].row, &was);
        view_fail(view, ompd_view_exit_usage, "There is no %s %s; it was %s.", wanted, shown,
                  was.bytes);
    }
    view_fail(view, ompd_view_exit_usage,
              "There is no %s %s; it was never created, or has been destroyed.", wanted, shown);
    text_free(&was);
    view_destroyed_free(&destroyed);
}

/* Whether a source of any of KINDS exists; else the command fails with the reason. */
static bool operand_has_source(ompd_view_t *view, const ompd_cl_kind_t *kinds, size_t count)
{
    /* Objects of OpenCL come first. */
    bool is_of_both = !view_kind_is_embree(kinds[0]) && view_kind_is_embree(kinds[count - 1]);

    return is_of_both ? view_sources_need_any(view) : view_sources_need(view, kinds[0]);
}

/* Set the failure: HANDLE, named by WORD, is not of KINDS. Mention what it is. */
static void fail_not_found(ompd_view_t *view, uint64_t handle, const char *word,
                           const ompd_cl_kind_t *kinds, size_t count)
{
    struct text wanted = {0};
    struct text shown = {0};
    uint64_t id;

    /* Without a source of objects, no lookup took place. */
    if (!operand_has_source(view, kinds, count))
        return;
    add_shown(&shown, word, handle);
    for (size_t i = 0; i < FINDABLE_COUNT; i++) {
        const ompd_cl_noun_t *noun = view_kind_get(findables[i].kind)->noun;

        if (operand_is_among(findables[i].kind, kinds, count) ||
            !find_one(view, findables[i].kind, handle, &id))
            continue;
        text_clear(&wanted);
        add_kinds(&wanted, kinds, count, true);
        view_fail(view, ompd_view_exit_usage, "%s is %s %s, not %s: use `%s%s`.", shown.bytes,
                  noun->article, noun->singular, wanted.bytes, view_verb_prefix(view),
                  findables[i].verb);
    }
    text_clear(&wanted);
    add_kinds(&wanted, kinds, count, false);
    if (view->failure == ompd_view_exit_ok)
        fail_gone(view, handle, wanted.bytes, shown.bytes);
    text_free(&wanted);
    text_free(&shown);
}

/* Find the object that has HANDLE, named by WORD. */
static bool find_handle(ompd_view_t *view, uint64_t handle, const char *word,
                        const ompd_cl_kind_t *kinds, size_t count, struct view_object *object)
{
    uint64_t id;

    for (size_t i = 0; i < FINDABLE_COUNT; i++)
        if (operand_is_among(findables[i].kind, kinds, count) &&
            find_one(view, findables[i].kind, handle, &id))
            return view_check(view, view_object_get(view, findables[i].kind, id, object));
    if (view->failure != ompd_view_exit_ok)
        return false;
    if (operand_is_among(ompd_cl_kind_svm_free, kinds, count))
        return find_svm_free(view, handle, word, object);
    if (operand_is_among(ompd_cl_kind_command, kinds, count))
        return find_command(view, handle, word, object);
    if (handle == 0)
        return view_fail(view, ompd_view_exit_usage, "%s is NULL.", word);
    fail_not_found(view, handle, word, kinds, count);
    return false;
}

/* A row number of the last list, or of the last list of KIND. */
struct row_number {
    ompd_cl_kind_t kind; /* 0: of the last list */
    uint64_t number;
};

/* Parse "#3", "3" or "memobjs#3". False if WORD is an expression, or malformed, which VIEW
 * records. A cl handle is never below 64 KiB, where processes cannot map memory. */
static bool parse_row_number(ompd_view_t *view, const char *word, struct row_number *row)
{
    const char *hash = strchr(word, '#');
    const char *digits = hash != NULL ? hash + 1 : word;
    size_t length = strspn(digits, "0123456789");
    const ompd_view_verb_t *verb;

    *row = (struct row_number){0};
    if (length == 0 || digits[length] != '\0' || length > 18) {
        if (hash == word)
            view_fail(view, ompd_view_exit_usage, "'%s' is not a row number; use #1, #2 and so on.",
                      word);
        return false;
    }
    row->number = strtoull(digits, NULL, 10);
    for (size_t i = 0; hash != NULL && (verb = ompd_view_verb_get(view, i)) != NULL; i++)
        if (strlen(verb->name) == (size_t)(hash - word) &&
            memcmp(verb->name, word, strlen(verb->name)) == 0)
            row->kind = verb->kind;
    return row->kind != 0 || hash == word || (hash == NULL && row->number < 0x10000);
}

/* Set the failure: why ROW of LIST, which is of KIND, is not of KINDS. */
static bool fail_other_kind(ompd_view_t *view, const struct row_number *row, ompd_cl_kind_t kind,
                            const ompd_cl_kind_t *kinds, size_t count)
{
    const ompd_cl_noun_t *noun = view_kind_get(kind)->noun;
    struct text wanted = {0};

    add_kinds(&wanted, kinds, count, true);
    view_fail(view, ompd_view_exit_usage, "#%" PRIu64 " of the last list is %s %s, not %s.",
              row->number, noun->article, noun->singular, wanted.bytes);
    text_free(&wanted);
    return false;
}

/* Read object ID of KIND, whose handle was HANDLE when it was listed. */
static bool get_listed(ompd_view_t *view, const struct row_number *row, ompd_cl_kind_t kind,
                       uint64_t id, uint64_t handle, struct view_object *object)
{
    ompd_rc_t rc = view_object_get(view, kind, id, object);

    if (rc != ompd_rc_stale_handle)
        return view_check(view, rc);
    if (handle != 0)
        return view_fail(view, ompd_view_exit_usage,
                         "#%" PRIu64 " of the last list, %s 0x%" PRIx64 ", has been destroyed.",
                         row->number, view_kind_get(kind)->noun->singular, handle);
    return view_fail(view, ompd_view_exit_usage,
                     "#%" PRIu64 " of the last list, %s, has been destroyed.", row->number,
                     view_kind_get(kind)->noun->singular);
}

/* The list that contains ROW. NULL if it has no such row, which VIEW records. */
static const struct view_shown_list *list_of(ompd_view_t *view, const struct row_number *row,
                                             ompd_cl_kind_t *kind)
{
    struct view_name_cache *space = view_name_cache_get(view);
    const struct view_shown_list *list;

    *kind = row->kind != 0 ? row->kind : space->last;
    list = &space->lists[*kind];
    if (list->count == 0)
        view_fail(view, ompd_view_exit_usage,
                  "There is no row #%" PRIu64 ": no list of this process has been shown yet (try "
                  "`%smemobjs`).",
                  row->number, view_verb_prefix(view));
    else if (row->number == 0 || row->number > list->count)
        view_fail(view, ompd_view_exit_usage,
                  "There is no row #%" PRIu64 ": the last list had rows #1 to #%zu.", row->number,
                  list->count);
    else
        return list;
    return NULL;
}

/* Whether a row of KIND refers to an object that may no longer exist. */
static bool is_of_past(ompd_cl_kind_t kind)
{
    return kind == ompd_cl_kind_destroyed || kind == ompd_cl_kind_error ||
           kind == ompd_cl_kind_ledger || kind == ompd_cl_kind_call;
}

/* Find the object for a row number. A row that refers to another object stands for that object. */
static bool find_numbered(ompd_view_t *view, const struct row_number *row, const char *word,
                          const ompd_cl_kind_t *kinds, size_t count, struct view_object *object)
{
    ompd_cl_kind_t kind;
    const struct view_shown_list *list = list_of(view, row, &kind);
    size_t index = row->number - 1;

    if (list == NULL)
        return false;
    if (operand_is_among(kind, kinds, count) && list->ids[index] != 0)
        return get_listed(view, row, kind, list->ids[index], list->handles[index], object);
    if ((kind == ompd_cl_kind_destructor || kind == ompd_cl_kind_callback ||
         kind == ompd_cl_kind_thread || is_of_past(kind)) &&
        list->handles[index] != 0)
        return find_handle(view, list->handles[index], word, kinds, count, object);
    return fail_other_kind(view, row, kind, kinds, count);
}

/* Set the failure: why WORD, from the list of KIND, is not of KINDS. */
static bool fail_other_list(ompd_view_t *view, const char *word, ompd_cl_kind_t kind,
                            const ompd_cl_kind_t *kinds, size_t count)
{
    const ompd_cl_noun_t *noun = view_kind_get(kind)->noun;
    struct text wanted = {0};

    add_kinds(&wanted, kinds, count, true);
    view_fail(view, ompd_view_exit_usage, "%s is %s %s, not %s.", word, noun->article,
              noun->singular, wanted.bytes);
    text_free(&wanted);
    return false;
}

/* Find the object in row NUMBER of the current list of KIND. */
static bool find_in_list(ompd_view_t *view, uint64_t number, ompd_cl_kind_t kind,
                         struct view_object *object)
{
    struct view_list list;
    struct view_row row;
    uint64_t count = 0;
    bool is_found = false;

    view_list_open(&list, view, kind, NULL);
    while (!is_found && view_list_next(&list, &row))
        is_found = ++count == number && view_object_copy(object, kind, row.bytes);
    view_list_close(&list);
    if (!is_found)
        view_fail(view, ompd_view_exit_usage,
                  "There is no row #%" PRIu64 ": the list has %" PRIu64 " %s.", number, count,
                  count == 1 ? "row" : "rows");
    return is_found && view->failure == ompd_view_exit_ok;
}

/* Do the same for a shell, which has shown no list. WORD is "#3", of the list of KIND, or
 * "memobjs#3". False if it is not a row number or the row does not exist, which VIEW records. */
static bool find_row_of_shell(ompd_view_t *view, const char *word, const ompd_cl_kind_t *kinds,
                              size_t count, struct view_object *object)
{
    struct row_number row;

    if (strchr(word, '#') == NULL || !parse_row_number(view, word, &row))
        return false;
    if (row.kind == 0 && count != 1)
        return view_fail(view, ompd_view_exit_usage,
                         "'%s' needs the name of its list, e.g. memobjs%s.", word, word);
    if (row.kind != 0 && !operand_is_among(row.kind, kinds, count))
        return fail_other_list(view, word, row.kind, kinds, count);
    return find_in_list(view, row.number, row.kind != 0 ? row.kind : kinds[0], object);
}

bool view_operand_find(ompd_view_t *view, const char *word, const ompd_cl_kind_t *kinds,
                       size_t count, struct view_object *object)
{
    struct row_number row;
    uint64_t handle;

    if (!view->front_end.takes_expressions && find_row_of_shell(view, word, kinds, count, object))
        return true;
    if (view->front_end.takes_expressions && parse_row_number(view, word, &row))
        return find_numbered(view, &row, word, kinds, count, object);
    if (view->failure != ompd_view_exit_ok || !operand_evaluate(view, word, &handle))
        return false;
    return find_handle(view, handle, word, kinds, count, object);
}

bool view_operand_find_any(ompd_view_t *view, const char *word, struct view_object *object,
                           uint64_t *address)
{
    ompd_cl_kind_t kinds[FINDABLE_COUNT];
    const struct view_shown_list *list;
    ompd_cl_kind_t kind = ompd_cl_kind_destroyed;
    struct row_number row;
    uint64_t id;

    for (size_t i = 0; i < FINDABLE_COUNT; i++)
        kinds[i] = findables[i].kind;
    if (!view->front_end.takes_expressions &&
        find_row_of_shell(view, word, kinds, FINDABLE_COUNT, object))
        return true;
    if (view->front_end.takes_expressions && parse_row_number(view, word, &row)) {
        list = list_of(view, &row, &kind);
        if (list == NULL)
            return false;
        if (!is_of_past(kind))
            return find_numbered(view, &row, word, kinds, FINDABLE_COUNT, object);
        *address = list->handles[row.number - 1];
    } else if (view->failure != ompd_view_exit_ok || !operand_evaluate(view, word, address)) {
        return false;
    }
    for (size_t i = 0; i < FINDABLE_COUNT && view->failure == ompd_view_exit_ok; i++)
        if (find_one(view, kinds[i], *address, &id))
            return view_check(view, view_object_get(view, kinds[i], id, object));
    return false;
}
