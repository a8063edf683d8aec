/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What keeps released objects alive, as JSON. */
#include <view/show/show.h>

static const char *kind_name(ompd_cl_kind_t kind)
{
    return view_kind_get(kind)->name;
}

/* Begin one of the keepers: COUNT of what BY names. */
static void begin_keeper(struct json *keeper, struct json *all, const char *by, uint64_t count)
{
    json_key(all, NULL);
    json_begin(keeper, all->text);
    json_string(keeper, "by", by);
    json_number(keeper, "count", (int64_t)count);
}

static void keepers_json_commands_add(const struct view_keeper *commands, struct json *all)
{
    struct json keeper;

    if (commands->count == 0)
        return;
    begin_keeper(&keeper, all, "command", commands->count);
    json_string(&keeper, "kind", kind_name(commands->kind));
    json_hexadecimal(&keeper, "handle", commands->handle);
    if (commands->last != 0 && commands->number != 0) {
        json_number(&keeper, "first", (int64_t)commands->number);
        json_number(&keeper, "last", (int64_t)commands->last);
    }
    json_end(&keeper);
}

static void keepers_json_objects_add(const struct view_keeper *objects, const char *by,
                                     struct json *all)
{
    struct json keeper;

    if (objects->count == 0)
        return;
    begin_keeper(&keeper, all, by, objects->count);
    json_string(&keeper, "kind", kind_name(objects->kind));
    json_hexadecimal(&keeper, "handle", objects->handle);
    json_end(&keeper);
}

void view_kept_json_add(const struct view_kept *kept, struct json *json)
{
    struct json all;

    json_key(json, "keepers");
    json_begin_array(&all, json->text);
    if (kept->mappings != 0) {
        struct json keeper;

        begin_keeper(&keeper, &all, "mapping", kept->mappings);
        json_end(&keeper);
    }
    keepers_json_commands_add(&kept->commands, &all);
    keepers_json_objects_add(&kept->children, "object", &all);
    keepers_json_objects_add(&kept->kernels, "argument", &all);
    json_end(&all);
}

void view_keepers_json_write(ompd_view_t *view, const struct view_keepers *keepers)
{
    struct text text = {0};

    for (size_t i = 0; i < keepers->count && view->failure == ompd_view_exit_ok; i++) {
        const struct view_kept *kept = &keepers->all[i];
        struct json json;

        text_clear(&text);
        json_begin_line(&json, &text);
        json_string(&json, "kept", kind_name(kept->kind));
        json_hexadecimal(&json, "handle", kept->handle);
        json_boolean(&json, "is_released", kept->is_released);
        view_kept_json_add(kept, &json);
        json_end(&json);
        view_json_print(view, &text);
    }
    text_free(&text);
}
