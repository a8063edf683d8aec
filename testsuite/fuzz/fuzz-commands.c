/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The input is a command line of a debugger, after a byte that selects the target.  The output is
 * JSON lines that another reader accepts, or text that is safe for a terminal.  A failure has a
 * sentence.
 */
#include "cost.h"
#include "fuzz.h"
#include "json-reader.h"
#include "small-memory.h"
#include "small-targets.h"

#include <host/base/bound.h>
#include <ompd-opencl-view.h>
#include <text/text.h>

#include <string.h>

static struct {
    ompd_address_space_handle_t *space;
    char *text;
    size_t size;
    size_t capacity;
    bool is_json;
} front;

static bool gather(void *user_ptr, ompd_view_style_t style, const char *text, size_t size)
{
    (void)user_ptr;
    (void)style;
    fuzz_require(front.size + size <= bound_bytes(fake_current->used), "a command wrote %zu bytes",
                 front.size + size);
    if (front.capacity - front.size < size) {
        front.capacity = 2 * (front.size + size);
        front.text = realloc(front.text, front.capacity);
    }
    memcpy(front.text + front.size, text, size);
    front.size += size;
    return true;
}

static ompd_view_exit_t begin(void *user_ptr, const ompd_view_verb_t *verb, bool is_json,
                              ompd_view_use_t *use, const char **why)
{
    (void)user_ptr;
    (void)verb;
    (void)why;
    front.is_json = is_json;
    use->space = front.space;
    return ompd_view_exit_ok;
}

static void check_json(void)
{
    const char *end = front.text + front.size;

    for (const char *line = front.text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));

        fuzz_require(stop != NULL, "a line of JSON does not end");
        fuzz_require(json_reader_value(line, stop) == stop, "no JSON: %.*s", (int)(stop - line),
                     line);
        line = stop + 1;
    }
}

static void check_text(void)
{
    for (size_t i = 0; i < front.size;) {
        size_t size = json_reader_character(front.text + i, front.size - i);

        fuzz_require(size != 0, "no UTF-8");
        fuzz_require(front.text[i] == '\n' || !utf8_is_unseen(front.text + i, size),
                     "a control in %.*s", 40, front.text + i);
        i += size;
    }
}

static void check_end(ompd_view_exit_t code, const char *message)
{
    size_t length = strlen(message);

    fuzz_require(code >= ompd_view_exit_ok && code <= ompd_view_exit_stopped, "exit %d", code);
    if (code == ompd_view_exit_usage || code == ompd_view_exit_unreadable)
        fuzz_require(length != 0, "exit %d without a sentence", code);
    for (size_t i = 0; i < length;) {
        size_t size = json_reader_character(message + i, length - i);

        fuzz_require(size != 0 && (message[i] == '\n' || !utf8_is_unseen(message + i, size)),
                     "a control in the sentence");
        i += size;
    }
}

static void run(const char *verb, const char *arguments)
{
    static const ompd_view_front_end_t front_end = {
        .struct_size = sizeof(front_end),
        .verb_prefix = "opencl ",
        .help_before = "help opencl",
        .write = gather,
        .begin = begin,
    };
    ompd_view_t *view = NULL;
    ompd_view_exit_t code;

    if (ompd_view_create(&front_end, &view) != ompd_rc_ok)
        return;
    front.size = 0;
    front.is_json = false;
    code = ompd_view_line_run(view, verb, arguments);
    check_end(code, ompd_view_message_get(view));
    if (front.is_json)
        check_json();
    else
        check_text();
    ompd_view_destroy(view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const small_make_t makers[] = {small_make_population, small_make_objects,
                                          small_make_recorded};
    struct small_target *small;
    char *line;
    char *arguments;

    if (size < 1)
        return 0;
    small = small_target_get(makers[data[0] / 4 % 3], data[0] & 3);
    line = calloc(1, size + 1);
    memcpy(line, data + 1, size - 1);
    arguments = line + strcspn(line, " ");
    if (*arguments != '\0')
        *arguments++ = '\0';
    if (ompd_cl_address_space_create(small_callbacks(), &fake_extra, (void *)small->fake,
                                     &front.space) == ompd_rc_ok) {
        if (small->layout != NULL)
            ompd_cl_layout_add(front.space, small->layout, strlen(small->layout));
        cost_check();
        run(line, arguments);
        ompd_rel_address_space_handle(front.space);
    }
    cost_check();
    cost_check_end();
    free(line);
    return 0;
}
