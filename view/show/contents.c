/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. Lines are read one by one, so that the cost depends on what is shown. */
#include <view/show/show.h>

#include <inttypes.h>

#define ROWS 16   /* shown by default */
#define PAGE 4096 /* bytes: memory is usually readable or unreadable in units of this size */

/* The search passes over at most this many unreadable bytes, so that an absurd size costs no
 * more (law 13). */
#define GAP_LIMIT 4096

#define UNSEEN "??"

#define USE_HOST_PTR UINT64_C(8) /* of cl_mem_flags (OpenCL 3.0 section 5.2.1) */
#define UNDEFINED                                                                                  \
    "they are undefined while the destructor callbacks of the object run (OpenCL 3.0, "            \
    "clSetMemObjectDestructorCallback)"

/* What is shown, and how far the output has come. */
struct walk {
    ompd_view_t *view;
    struct contents_type type;
    bool is_bytes;     /* in hexadecimal, with the bytes as text */
    uint64_t address;  /* of the first byte */
    uint64_t size;     /* of all whole values, bytes */
    uint64_t odd;      /* bytes after them */
    bool is_cut;       /* the address range is too small for all */
    uint64_t position; /* bytes so far */
    uint64_t rows;     /* maximum to show */
    uint64_t shown;    /* shown so far */
    bool is_given_up;
    struct text reason; /* why some could not be read; empty if all could */
};

/* What one line shows. */
struct line {
    uint64_t offset;
    uint64_t gap; /* unreadable bytes; 0: those below are valid */
    size_t count; /* of numbers */
    size_t known; /* of them */
    uint64_t numbers[CONTENTS_LINE];
    bool is_known[CONTENTS_LINE];
};

/* Whether the host can see the bytes of ROW; if not, REASON receives why. */
static bool is_seen(const struct view_row *row, struct text *reason)
{
    struct view_value pointer = view_row_value(row, "host_pointer");
    struct view_value size = view_row_value(row, "size");

    if (view_value_is_absent(pointer) || (view_value_is_known(pointer) && pointer.value == 0)) {
        text_put(reason, "its bytes are not in the program's memory; only the runtime knows "
                         "where they are");
    } else if (!view_value_is_known(pointer)) {
        text_put(reason, "the address of its bytes is unknown: ");
        view_value_reason(pointer, reason);
    } else if (!view_value_is_known(size)) {
        text_put(reason, "its size is unknown: ");
        view_value_reason(size, reason);
    }
    return reason->length == 0;
}

/* Whether OpenCL leaves the contents of ROW undefined. */
static bool contents_are_undefined(const struct view_row *row)
{
    struct view_value flags = view_row_value(row, "flags");

    return view_row_number(row, "state") == ompd_cl_object_state_destroying &&
           view_value_is_known(flags) && (flags.value & USE_HOST_PTR) != 0;
}

static unsigned value_size(const struct walk *walk)
{
    return walk->type.stride * walk->type.size;
}

static unsigned line_size(const struct walk *walk)
{
    return value_size(walk) * walk->type.per_line;
}

static void walk_begin(struct walk *walk, ompd_view_t *view, const struct view_row *row)
{
    const char *as = view->options.as;

    *walk = (struct walk){
        .view = view,
        .is_bytes = as == NULL,
        .address = view_row_number(row, "host_pointer"),
        .size = view_row_number(row, "size"),
        .rows = view->options.rows != 0 ? view->options.rows : ROWS,
    };
    contents_type_get(as != NULL ? as : "uchar", &walk->type);
    if (walk->is_bytes)
        walk->type.per_line = CONTENTS_LINE;
    walk->odd = walk->size % value_size(walk);
    walk->is_cut = walk->size > UINT64_MAX - walk->address;
    if (walk->is_cut)
        walk->size = UINT64_MAX - walk->address;
    walk->size -= walk->size % value_size(walk);
}

/* Record why the last call could not read everything, for the first such call. */
static void contents_reason_record(struct walk *walk, ompd_rc_t rc)
{
    if (walk->reason.length == 0)
        view_add_reason(walk->view, rc, &walk->reason);
}

/* How many numbers lie between ADDRESS and the end of that number's page, at least one. */
static size_t numbers_in_page(const struct walk *walk, uint64_t address)
{
    return (size_t)((PAGE - address % PAGE + walk->type.size - 1) / walk->type.size);
}

/* Read the bytes at LINE's offset. After an unreadable number, reading resumes at the next page.
 * False if the command has failed. */
static bool read_line(struct walk *walk, struct line *line)
{
    unsigned size = walk->type.size;
    uint64_t start = walk->address + line->offset;
    size_t next = 0;

    while (next < line->count) {
        ompd_size_t count = 0;
        ompd_rc_t rc = ompd_cl_numbers_read(walk->view->use.space, start + next * size, size,
                                            line->count - next, line->numbers + next, &count);

        if (rc == ompd_rc_incomplete)
            contents_reason_record(walk, rc);
        if (!view_check(walk->view, rc))
            return false;
        for (size_t i = 0; i < count; i++)
            line->is_known[next++] = true;
        line->known += count;
        if (next < line->count)
            next += numbers_in_page(walk, start + next * size);
    }
    return true;
}

/* The line that begins at OFFSET. */
static bool line_get(struct walk *walk, uint64_t offset, struct line *line)
{
    uint64_t left = walk->size - offset;
    uint64_t bytes = left < line_size(walk) ? left : line_size(walk);

    *line = (struct line){.offset = offset, .count = (size_t)(bytes / walk->type.size)};
    return read_line(walk, line);
}

/* Skip the unreadable lines from LINE on, and make LINE represent all of them. */
static bool pass_gap(struct walk *walk, struct line *line)
{
    uint64_t start = line->offset;
    uint64_t end = start;
    struct line next = *line;

    while (next.known == 0 && !walk->is_given_up) {
        end += next.count * walk->type.size;
        walk->is_given_up = end - start >= GAP_LIMIT;
        if (end == walk->size)
            break;
        if (!walk->is_given_up && !line_get(walk, end, &next))
            return false;
    }
    line->gap = end - start;
    return true;
}

/* Get the next line. False at the end, or if the command has failed. */
static bool walk_next(struct walk *walk, struct line *line)
{
    if (walk->shown == walk->rows || walk->position == walk->size || walk->is_given_up)
        return false;
    view_interrupt_check(walk->view);
    if (!line_get(walk, walk->position, line) || (line->known == 0 && !pass_gap(walk, line)))
        return false;
    walk->position += line->gap != 0 ? line->gap : line->count * walk->type.size;
    walk->shown++;
    return true;
}

/* Whether number INDEX of a line belongs to a value. The padding of a vector of 3 does not. */
static bool is_of_value(const struct walk *walk, size_t index)
{
    return index % walk->type.stride < walk->type.lanes;
}

static void byte_add(const struct line *line, size_t index, struct text *text)
{
    if (index >= line->count)
        text_put(text, "   ");
    else if (!line->is_known[index])
        text_put(text, " " UNSEEN);
    else
        text_add(text, " %02" PRIx64, line->numbers[index]);
}

/* Add the bytes of LINE in the format of `hexdump -C`. */
static void bytes_add(const struct line *line, struct text *text)
{
    for (size_t i = 0; i < CONTENTS_LINE; i++) {
        text_put(text, i % 8 == 0 ? " " : "");
        byte_add(line, i, text);
    }
    text_put(text, "  |");
    for (size_t i = 0; i < line->count; i++) {
        bool is_plain = line->is_known[i] && line->numbers[i] >= ' ' && line->numbers[i] <= '~';
        char character = is_plain ? (char)line->numbers[i] : line->is_known[i] ? '.' : '?';

        text_append(text, &character, 1);
    }
    text_put(text, "|");
}

static void number_add(const struct walk *walk, const struct line *line, size_t index,
                       struct text *text)
{
    if (line->is_known[index])
        contents_number_add(&walk->type, line->numbers[index], text);
    else
        text_put(text, UNSEEN);
}

static void scalars_add(const struct walk *walk, const struct line *line, struct text *text)
{
    struct text number = {0};

    for (size_t i = 0; i < line->count; i++) {
        text_clear(&number);
        number_add(walk, line, i, &number);
        text_add(text, "  %*s", (int)walk->type.width, number.bytes);
    }
    text_free(&number);
}

/* Add vectors as OpenCL C writes them: "(0, 0.5, 1, 1.5)". */
static void vectors_add(const struct walk *walk, const struct line *line, struct text *text)
{
    for (size_t i = 0; i < line->count; i++) {
        if (!is_of_value(walk, i))
            continue;
        text_put(text, i % walk->type.stride == 0 ? "  (" : ", ");
        number_add(walk, line, i, text);
        if (i % walk->type.stride == walk->type.lanes - 1)
            text_put(text, ")");
    }
}

static void contents_line_write(struct walk *walk, const struct line *line)
{
    struct text text = {0};

    text_add(&text, "%08" PRIx64, line->offset);
    if (line->gap != 0)
        text_add(&text, "  " UNSEEN " up to %08" PRIx64, line->offset + line->gap);
    else if (walk->is_bytes)
        bytes_add(line, &text);
    else if (walk->type.lanes == 1)
        scalars_add(walk, line, &text);
    else
        vectors_add(walk, line, &text);
    view_print(walk->view, "%s\n", text.bytes);
    text_free(&text);
}

static void write_header(struct walk *walk, const struct view_row *row)
{
    ompd_view_t *view = walk->view;
    struct text place = {0};

    view_location_data(view, walk->address, &place);
    view_presumed_mark(view_row_value(row, "host_pointer"), &place);
    view_print(view, "Contents%s%s, in the program's memory at %s:\n", walk->is_bytes ? "" : " as ",
               walk->is_bytes ? "" : view->options.as, place.bytes);
    text_free(&place);
}

/* Write what is hidden: lines after the last one, and bytes of an incomplete value. */
static void contents_rest_write(struct walk *walk)
{
    ompd_view_t *view = walk->view;
    uint64_t lines = (walk->size - walk->position + line_size(walk) - 1) / line_size(walk);
    struct text note = {0};

    if (walk->is_given_up && lines != 0) {
        text_add(&note, "Reading stopped after %d consecutive unreadable bytes.", GAP_LIMIT);
    } else if (lines != 0) {
        count_add(&note, lines, "more row is", "more rows are");
        text_add(&note, " not shown: `%srows %" PRIu64 "` shows all.", view_option_prefix(view),
                 walk->shown + lines);
    }
    if (walk->is_cut) {
        text_put(&note, note.length != 0 ? " " : "");
        text_put(&note, "Its size exceeds the address space.");
    } else if (walk->odd != 0) {
        text_put(&note, note.length != 0 ? " The last " : "The last ");
        count_add(&note, walk->odd, "byte does", "bytes do");
        text_add(&note, " not form a whole %s.", view->options.as);
    }
    if (note.length != 0)
        view_note_write(view, "", note.bytes);
    text_free(&note);
}

/* Write why the contents of a memory object are unavailable. */
static void write_unseen(ompd_view_t *view, const struct text *reason)
{
    view_print(view, "Its contents cannot be shown: %s.\n", reason->bytes);
    view->has_told_why = true;
}

void view_contents_write(ompd_view_t *view, const struct view_row *row)
{
    struct text reason = {0};
    struct walk walk;
    struct line line;

    if (!is_seen(row, &reason)) {
        view->is_incomplete = true;
        write_unseen(view, &reason);
        text_free(&reason);
        return;
    }
    walk_begin(&walk, view, row);
    write_header(&walk, row);
    while (walk_next(&walk, &line))
        contents_line_write(&walk, &line);
    if (walk.reason.length != 0) {
        text_add(&reason, UNSEEN " could not be read: %s", walk.reason.bytes);
        view_note_write(view, "", reason.bytes);
    }
    contents_rest_write(&walk);
    if (contents_are_undefined(row))
        view_note_write(view, "", "These contents are not reliable: " UNDEFINED ".");
    text_free(&walk.reason);
    text_free(&reason);
}

/* Add number INDEX of LINE. JSON has no infinite numbers. */
static void number_add_json(const struct walk *walk, const struct line *line, size_t index,
                            struct json *array)
{
    bool is_finite =
        line->is_known[index] && contents_number_is_finite(&walk->type, line->numbers[index]);
    const char *quote = is_finite ? "" : "\"";

    json_key(array, NULL);
    if (!line->is_known[index]) {
        text_put(array->text, "null");
        return;
    }
    text_put(array->text, quote);
    contents_number_add(&walk->type, line->numbers[index], array->text);
    text_put(array->text, quote);
}

/* Add the value that begins with number INDEX of LINE. A vector becomes an array. */
static void value_add_json(const struct walk *walk, const struct line *line, size_t index,
                           struct json *values)
{
    struct json vector;

    if (walk->type.lanes == 1) {
        number_add_json(walk, line, index, values);
        return;
    }
    json_key(values, NULL);
    json_begin_array(&vector, values->text);
    for (size_t i = 0; i < walk->type.lanes; i++)
        number_add_json(walk, line, index + i, &vector);
    json_end(&vector);
}

/* Add the values of LINE, or nulls for a gap. */
static void line_add_json(const struct walk *walk, const struct line *line, struct json *values)
{
    for (uint64_t i = 0; i < line->gap / value_size(walk); i++)
        json_null(values, NULL);
    for (size_t i = 0; i < line->count && line->gap == 0; i += walk->type.stride)
        value_add_json(walk, line, i, values);
}

static void values_add(struct walk *walk, const struct view_row *row, struct json *contents)
{
    struct json values;
    struct line line;

    json_key(contents, "values");
    json_begin_array(&values, contents->text);
    while (walk_next(walk, &line))
        line_add_json(walk, &line, &values);
    json_end(&values);
    if (contents_are_undefined(row))
        text_put(&walk->reason, walk->reason.length != 0 ? " Also " UNDEFINED "." : UNDEFINED);
    if (walk->reason.length != 0)
        json_unknown(contents, "values", walk->reason.bytes);
}

void view_contents_add(struct json *json, ompd_view_t *view, const struct view_row *row)
{
    struct text reason = {0};
    struct json contents;
    struct walk walk;

    if (!is_seen(row, &reason)) {
        view->is_incomplete = true;
        json_null(json, "contents");
        json_unknown(json, "contents", reason.bytes);
        text_free(&reason);
        return;
    }
    walk_begin(&walk, view, row);
    json_key(json, "contents");
    json_begin(&contents, json->text);
    json_hexadecimal(&contents, "address", walk.address);
    json_string(&contents, "as", view->options.as != NULL ? view->options.as : "uchar");
    values_add(&walk, row, &contents);
    json_key(&contents, "left_out");
    text_put_number(contents.text, view_row_number(row, "size") - walk.position);
    json_end(&contents);
    text_free(&walk.reason);
    text_free(&reason);
}
