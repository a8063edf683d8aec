/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See listing.h. */
#include <host/command/listing.h>

#include <host/command/filter.h>
#include <host/command/gaps.h>
#include <host/command/json.h>
#include <host/command/option.h>
#include <host/command/size.h>
#include <host/command/table.h>
#include <stdlib.h>
#include <string.h>

/* The first rows of a list, which are held to be put in order when there are no others. */
struct beginning {
    const struct command_listing *listing;
    const struct command_kind *kind;
    unsigned char *bytes; /* row after row */
    size_t count;
    struct command_row next; /* the row behind them, of the list's buffer */
    bool has_next;
};

struct place {
    uint64_t place;
    size_t index; /* keeps rows of one place as they came */
};

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left;
    const struct place *b = right;

    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static struct command_row row_of(const struct beginning *beginning, size_t index)
{
    return (struct command_row){beginning->kind, beginning->bytes + index * beginning->kind->size};
}

/* Put the rows in their order: they are all. */
static void sort(struct beginning *beginning)
{
    const struct command_listing *listing = beginning->listing;
    size_t size = beginning->kind->size;
    struct place *places;
    unsigned char *sorted;

    if (command_kind_field(beginning->kind, "order") == NULL)
        return;
    places = command_memory_get(beginning->count * sizeof(places[0]));
    sorted = command_memory_get(beginning->count * size);
    for (size_t i = 0; i < beginning->count; i++) {
        struct command_row row = row_of(beginning, i);

        places[i].index = i;
        places[i].place =
            listing->place != NULL ? listing->place(&row) : command_row_number(&row, "order");
    }
    qsort(places, beginning->count, sizeof(places[0]), compare_places);
    for (size_t i = 0; i < beginning->count; i++)
        memcpy(sorted + i * size, beginning->bytes + places[i].index * size, size);
    free(beginning->bytes);
    free(places);
    beginning->bytes = sorted;
}

/* Take the first rows of LIST, at most CAPACITY, and the one behind them. */
static void begin(struct beginning *beginning, const struct command_listing *listing,
                  struct command_list *list, size_t capacity)
{
    struct command_row row;

    *beginning = (struct beginning){.listing = listing, .kind = list->kind};
    beginning->bytes = command_memory_get(capacity * list->kind->size);
    while (beginning->count < capacity && command_list_next(list, &row))
        memcpy(beginning->bytes + beginning->count++ * list->kind->size, row.bytes,
               list->kind->size);
    beginning->has_next = beginning->count == capacity && command_list_next(list, &beginning->next);
    if (!beginning->has_next)
        sort(beginning);
}

static void write_json(struct command_session *session, const struct command_listing *listing,
                       struct command_list *list)
{
    struct beginning beginning;
    struct command_row row;

    begin(&beginning, listing, list, COMMAND_BLOCK);
    for (size_t i = 0; i < beginning.count; i++) {
        row = row_of(&beginning, i);
        command_json_row(session, &row);
    }
    free(beginning.bytes);
    if (beginning.has_next)
        command_json_row(session, &beginning.next);
    while (command_list_next(list, &row))
        command_json_row(session, &row);
    command_json_missing(list);
}

/* Write the rows, at most LIMIT.  Returns how many there are more. */
static uint64_t write_rows(struct command_renderer *renderer, const struct beginning *beginning,
                           struct command_list *list, uint64_t limit)
{
    struct command_table_options options = {beginning->listing->also, "", true};
    struct command_table *table = command_table_begin(renderer, list->kind, &options);
    struct command_row row = beginning->next;
    bool has_row = beginning->has_next;
    uint64_t more = 0;

    for (size_t i = 0; i < beginning->count; i++) {
        struct command_row first = row_of(beginning, i);

        command_table_add(table, &first);
    }
    for (uint64_t shown = beginning->count; has_row; has_row = command_list_next(list, &row)) {
        if (shown < limit) {
            command_table_add(table, &row);
            shown++;
        } else {
            more++;
        }
    }
    command_table_end(table);
    return more;
}

void command_cut_note_write(struct command_session *session, const char *indent, uint64_t more)
{
    struct command_text note = {0};

    command_count_add(&note, more, "more row is", "more rows are");
    command_text_add(&note, " not shown: `--limit %llu`, or none, shows all.",
                     (unsigned long long)(session->options.limit + more));
    command_note_write(session, indent, note.bytes);
    command_text_free(&note);
}

/* Write what the reader must know beside the rows; tells whether there was anything. */
static void write_notes(struct command_renderer *renderer, const struct command_list *list,
                        uint64_t more)
{
    struct command_session *session = renderer->session;
    bool is_empty = list->total == 0 && list->unreadable == 0 && !list->is_short;

    if (session->failure != command_exit_ok)
        return;
    command_renderer_write_notes(renderer, "");
    if (more != 0)
        command_cut_note_write(session, "", more);
    if (list->unreadable != 0) {
        struct command_text note = {0};

        command_list_describe_unreadable(list, &note);
        command_note_write(session, "", note.bytes);
        command_text_free(&note);
    }
    if (is_empty)
        fprintf(session->output, "No %s%s%s.\n", list->kind->noun.plural,
                session->options.is_filtered ? " like that" : "",
                list->has_gaps ? " were found" : "");
    if (list->has_gaps)
        command_gaps_write(session, "", &session->gaps);
}

static uint64_t write_table(struct command_renderer *renderer,
                            const struct command_listing *listing, struct command_list *list)
{
    uint64_t limit = renderer->session->options.limit;
    struct beginning beginning;
    uint64_t more;

    begin(&beginning, listing, list, limit < COMMAND_BLOCK ? limit : COMMAND_BLOCK);
    more = write_rows(renderer, &beginning, list, limit);
    free(beginning.bytes);
    write_notes(renderer, list, more);
    return more;
}

uint64_t command_listing_write(struct command_renderer *renderer,
                               const struct command_listing *listing)
{
    struct command_session *session = renderer->session;
    struct command_list list;
    ompd_cl_filter_t filter;
    uint64_t more = 0;

    if (!command_filter_get(session, command_kind_get(listing->kind), &filter))
        return UINT64_MAX;
    command_list_open(&list, session, listing->kind, &filter);
    if (session->options.is_json)
        write_json(session, listing, &list);
    else
        more = write_table(renderer, listing, &list);
    command_list_close(&list);
    if (session->failure != command_exit_ok || more != 0 || list.unreadable != 0 || list.is_short)
        return UINT64_MAX;
    return list.total;
}

enum command_exit command_list_run(struct command_session *session, const struct command_line *line)
{
    struct command_listing listing = {.kind = line->verb->kind, .also = line->verb->also};
    struct command_renderer renderer;

    command_renderer_begin(&renderer, session);
    command_listing_write(&renderer, &listing);
    command_renderer_end(&renderer);
    return command_session_result(session);
}
