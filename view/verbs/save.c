/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* save: a core snapshot of the target as it is now. */
#include <view/verbs/verbs.h>

#include <inttypes.h>

static void save_json_write(ompd_view_t *view, const char *file, uint64_t size)
{
    struct text text = {0};
    struct json json;

    json_begin_line(&json, &text);
    json_string(&json, "file", file);
    json_number(&json, "bytes", (int64_t)size);
    json_end(&json);
    view_json_print(view, &text);
    text_free(&text);
}

static void save_sentence_write(ompd_view_t *view, const char *file, uint64_t size)
{
    struct text text = {0};

    text_put(&text, "Snapshot saved to ");
    text_escape(&text, file);
    text_put(&text, ": ");
    size_format(&text, size);
    text_put(&text, ", without buffer contents.\n");
    view_write(view, text.bytes);
    text_free(&text);
}

ompd_view_exit_t view_save_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    const char *file = line->operands[0];
    const char *why = NULL;
    uint64_t size = 0;
    ompd_view_exit_t code;

    if (front_end->save == NULL) {
        view_fail(view, ompd_view_exit_usage, "Snapshots cannot be saved here.");
        return view_result(view);
    }
    code = front_end->save(front_end->user_ptr, file, &size, &why);
    view->is_stopped |= code == ompd_view_exit_stopped;
    if (front_end->progress != NULL)
        front_end->progress(front_end->user_ptr, NULL, 0);
    if (code != ompd_view_exit_ok) {
        view_fail(view, code, "%s", why != NULL ? why : "The snapshot could not be saved.");
        return view_result(view);
    }
    if (view->options.is_json)
        save_json_write(view, file, size);
    else
        save_sentence_write(view, file, size);
    return view_result(view);
}
