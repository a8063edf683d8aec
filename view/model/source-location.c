/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See model.h. */
#include <view/model/model.h>

#include <inttypes.h>
#include <string.h>

/* A table of a million rows has few distinct addresses. Each is resolved once, unless another
 * one takes its slot. */
#define REMEMBERED 4096

enum what { nothing, function, caller, data };

struct remembered {
    uint64_t address;
    enum what what;
    ompd_view_place_t place; /* only the symbol of data; its texts are in `texts` */
    char *texts;
    const char **inlined_into;
    ompd_view_line_place_t *inlined_at;
    size_t own_level; /* see view_location_own_level */
};

struct view_location_cache {
    struct remembered slots[REMEMBERED];
};

static void remembered_free(struct remembered *slot)
{
    heap_free(slot->texts);
    heap_free(slot->inlined_into);
    heap_free(slot->inlined_at);
    *slot = (struct remembered){0};
}

void view_location_cache_free(struct view_location_cache **places)
{
    if (*places == NULL)
        return;
    for (size_t i = 0; i < REMEMBERED; i++)
        remembered_free(&(*places)->slots[i]);
    heap_free(*places);
    *places = NULL;
}

/* Copy *TEXT to *END, and make it point there. */
static void take_copy(const char **text, char **end)
{
    if (*text == NULL)
        return;
    *text = strcpy(*end, *text);
    *end += strlen(*text) + 1;
}

static size_t size_of(const char *text)
{
    return text != NULL ? strlen(text) + 1 : 0;
}

/* Copy the call locations of the functions into which PLACE is inlined. */
static void keep_calls(struct remembered *slot, const ompd_view_place_t *place, char **end)
{
    slot->inlined_at = heap_get(place->inlined_count * sizeof(slot->inlined_at[0]));
    for (size_t i = 0; i < place->inlined_count; i++) {
        slot->inlined_at[i] = place->inlined_at[i];
        take_copy(&slot->inlined_at[i].file, end);
    }
    slot->place.inlined_at = slot->inlined_at;
}

/* Copy PLACE, whose texts the front end owns. */
static void location_copy(struct remembered *slot, const ompd_view_place_t *place)
{
    size_t size = size_of(place->symbol) + size_of(place->file) + size_of(place->module);
    char *end;

    slot->place = *place;
    for (size_t i = 0; i < place->inlined_count; i++)
        size += size_of(place->inlined_into[i]) +
                (place->inlined_at != NULL ? size_of(place->inlined_at[i].file) : 0);
    if (size == 0)
        return;
    slot->texts = end = heap_get(size);
    take_copy(&slot->place.symbol, &end);
    take_copy(&slot->place.file, &end);
    take_copy(&slot->place.module, &end);
    if (place->inlined_count == 0)
        return;
    slot->inlined_into = heap_get(place->inlined_count * sizeof(slot->inlined_into[0]));
    for (size_t i = 0; i < place->inlined_count; i++) {
        slot->inlined_into[i] = place->inlined_into[i];
        take_copy(&slot->inlined_into[i], &end);
    }
    slot->place.inlined_into = slot->inlined_into;
    if (place->inlined_at != NULL)
        keep_calls(slot, place, &end);
}

static size_t find_own_level(ompd_view_t *view, const ompd_view_place_t *place)
{
    for (size_t level = 0; level <= place->inlined_count; level++) {
        const char *file = level == 0 ? place->file : NULL;

        if (level != 0 && place->inlined_at != NULL)
            file = place->inlined_at[level - 1].file;
        if (!ompd_view_code_is_binding(view, file, place->module))
            return level;
    }
    return VIEW_NO_LEVEL;
}

/* The front end's data about ADDRESS. */
static ompd_view_place_t location_query(const ompd_view_t *view, uint64_t address, enum what what)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    ompd_view_place_t place = {.struct_size = sizeof(place)};

    if (what == data && front_end->data_symbol != NULL)
        place.symbol = front_end->data_symbol(front_end->user_ptr, address);
    if (what != data &&
        (front_end->code_place == NULL ||
         !front_end->code_place(front_end->user_ptr, address, what == caller, &place)))
        place = (ompd_view_place_t){.struct_size = sizeof(place)};
    return place;
}

/* The cache slot of ADDRESS, if it is cached. */
static struct remembered *slot_of(ompd_view_t *view, uint64_t address, enum what what)
{
    struct view_name_cache *space = view_name_cache_get(view);
    size_t index = (size_t)((address * 4 + what) * 0x9e3779b97f4a7c15u >> 52) % REMEMBERED;

    if (space->places == NULL)
        space->places = heap_get(sizeof(*space->places));
    return &space->places->slots[index];
}

static const struct remembered *location_cached(ompd_view_t *view, uint64_t address, enum what what)
{
    struct remembered *slot = slot_of(view, address, what);
    ompd_view_place_t place;

    if (slot->what == what && slot->address == address)
        return slot;
    place = location_query(view, address, what);
    slot = slot_of(view, address, what); /* the front end may have cleared the view's cache */
    remembered_free(slot);
    slot->what = what;
    slot->address = address;
    location_copy(slot, &place);
    slot->own_level = find_own_level(view, &slot->place);
    return slot;
}

const ompd_view_place_t *view_location_get(ompd_view_t *view, uint64_t address, bool is_caller)
{
    return &location_cached(view, address, is_caller ? caller : function)->place;
}

size_t view_location_own_level(ompd_view_t *view, uint64_t address)
{
    return location_cached(view, address, caller)->own_level;
}

void view_location_describe(ompd_view_t *view, uint64_t address, bool is_caller, struct text *text)
{
    const ompd_view_place_t *place = view_location_get(view, address, is_caller);

    if (place->symbol != NULL)
        view_function_name(place->symbol, place->file != NULL, text);
    if (place->symbol != NULL && place->file != NULL) {
        text_put(text, " at ");
        text_escape(text, text_file_name(place->file));
        text_add(text, ":%" PRIu32, place->line);
        return;
    }
    if (place->symbol != NULL && place->symbol_offset != 0)
        text_add(text, "+%" PRIu64, place->symbol_offset);
    if (place->symbol == NULL && (place->module == NULL || !place->has_module_offset))
        text_put_hexadecimal(text, address);
    if (place->module == NULL)
        return;
    if (place->symbol != NULL || !place->has_module_offset)
        text_put(text, " in ");
    text_escape(text, text_file_name(place->module));
    if (place->symbol == NULL && place->has_module_offset)
        text_add(text, "+0x%" PRIx64, place->module_offset);
}

const char *view_location_variable(ompd_view_t *view, uint64_t address)
{
    return location_cached(view, address, data)->place.symbol;
}

void view_location_data(ompd_view_t *view, uint64_t address, struct text *text)
{
    const char *symbol = address != 0 ? view_location_variable(view, address) : NULL;

    text_put_hexadecimal(text, address);
    if (symbol == NULL)
        return;
    text_put(text, " <");
    text_escape(text, symbol);
    text_put(text, ">");
}

/* The number of digits of numbers below COUNT. */
static int location_digits(size_t count)
{
    int digits = 1;

    for (size_t last = count > 0 ? count - 1 : 0; last > 9; last /= 10)
        digits++;
    return digits;
}

/* The callers of main() do not help the reader of a call stack. */
static bool is_of_main(const ompd_view_place_t *place)
{
    const char *outermost =
        place->inlined_count != 0 ? place->inlined_into[place->inlined_count - 1] : place->symbol;

    return outermost != NULL && view_function_length(outermost) == strlen("main") &&
           strncmp(outermost, "main", strlen("main")) == 0;
}

/* Add the function into which PLACE is inlined as number INDEX, "main at app.c:9". */
static void add_outer(const ompd_view_place_t *place, size_t index, struct text *text)
{
    const ompd_view_line_place_t *line =
        place->inlined_at != NULL ? &place->inlined_at[index] : NULL;

    view_function_name(place->inlined_into[index], true, text);
    if (line == NULL || line->file == NULL)
        return;
    text_put(text, " at ");
    text_escape(text, text_file_name(line->file));
    if (line->line != 0)
        text_add(text, ":%" PRIu32, line->line);
}

void view_location_level_describe(ompd_view_t *view, uint64_t address, size_t level,
                                  struct text *text)
{
    if (level == 0)
        view_location_describe(view, address, true, text);
    else
        add_outer(view_location_get(view, address, true), level - 1, text);
}

void view_location_inlined(const ompd_view_place_t *place, size_t level, struct text *text)
{
    for (size_t i = level; i < place->inlined_count; i++) {
        text_put(text, i == level ? ", inlined in " : " in ");
        add_outer(place, i, text);
    }
}

/* Nor do glibc's functions that start a thread. Without symbols, they are any of glibc's
 * functions. */
static bool begins_thread(const ompd_view_place_t *place)
{
    static const char *const names[] = {"start_thread", "clone",        "clone3",       "__clone",
                                        "__clone3",     "__GI___clone", "__GI___clone3"};

    if (place->symbol == NULL)
        return place->module != NULL &&
               strncmp(text_file_name(place->module), "libc.so.", strlen("libc.so.")) == 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(place->symbol, names[i]) == 0)
            return true;
    return false;
}

size_t view_location_thread_frames(ompd_view_t *view, const ompd_addr_t *frames, size_t count)
{
    while (count > 1 && begins_thread(view_location_get(view, frames[count - 1], true)))
        count--;
    return count;
}

/* Add the call to which FRAME returns as a line, from inlining level LEVEL on. True if it is
 * main(). */
static bool add_line(ompd_view_t *view, ompd_addr_t frame, size_t level, struct text *text)
{
    const ompd_view_place_t *place;

    view_location_level_describe(view, frame, level, text);
    place = view_location_get(view, frame, true);
    view_location_inlined(place, level, text);
    text_put(text, "\n");
    return is_of_main(place);
}

bool view_location_is_main(ompd_view_t *view, uint64_t address)
{
    return is_of_main(view_location_get(view, address, true));
}

void view_location_stack(ompd_view_t *view, const ompd_addr_t *frames, size_t count,
                         const char *indent, struct text *text)
{
    view_location_stack_from(view, frames, count, 0, indent, text);
}

void view_location_stack_from(ompd_view_t *view, const ompd_addr_t *frames, size_t count,
                              size_t level, const char *indent, struct text *text)
{
    int width = location_digits(count);
    bool is_main = false;

    count = view_location_thread_frames(view, frames, count);
    for (size_t i = 0; i < count && !is_main; i++) {
        if (indent != NULL)
            text_add(text, "%s#%-*zu ", indent, width, i);
        is_main = add_line(view, frames[i], i == 0 ? level : 0, text);
    }
}

#define CHAIN_FRAMES 8

void view_location_chain(ompd_view_t *view, const ompd_addr_t *frames, size_t count, size_t level,
                         struct text *text)
{
    count = view_location_thread_frames(view, frames, count);
    for (size_t i = 0; i < count; i++) {
        const ompd_view_place_t *place;

        text_put(text, i == 0 ? "" : " < ");
        if (i == CHAIN_FRAMES) {
            text_put(text, "...");
            break;
        }
        view_location_level_describe(view, frames[i], level, text);
        place = view_location_get(view, frames[i], true);
        for (size_t j = level; j < place->inlined_count; j++) {
            text_put(text, " < ");
            add_outer(place, j, text);
        }
        if (is_of_main(place))
            break;
        level = 0;
    }
}

void view_thread_describe(const ompd_view_t *view, uint64_t lwp, bool is_in_brackets,
                          struct text *text)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    const char *number = NULL;

    /* It is of no use to the reader of a page on another machine. */
    if (front_end->thread_number != NULL && view->page == NULL)
        number = front_end->thread_number(front_end->user_ptr, lwp);
    text_add(text, "LWP %" PRIu64, lwp);
    if (number != NULL)
        text_add(text, is_in_brackets ? ", thread %s" : " (thread %s)", number);
}

size_t view_stack_get(ompd_view_t *view, uint64_t stack, ompd_addr_t *frames)
{
    ompd_size_t count = 0;
    ompd_rc_t rc = ompd_cl_stack_get(view->use.space, stack, VIEW_STACK_FRAMES, frames, &count);

    if (rc == ompd_rc_bad_input || rc == ompd_rc_unavailable || !view_check(view, rc))
        return 0;
    return count < VIEW_STACK_FRAMES ? count : VIEW_STACK_FRAMES;
}
