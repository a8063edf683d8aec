/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>
#include <stdio.h>

#define NAME_SIZE 64

/* A reference site, in a row whose fields begin with PREFIX. */
struct holder {
    const struct view_row *row;
    const char *prefix;
};

static struct view_value value_of(const struct holder *holder, const char *name)
{
    char field[NAME_SIZE];

    snprintf(field, sizeof(field), "%s%s", holder->prefix, name);
    return view_row_value(holder->row, field);
}

/* 0 if unknown */
static uint64_t site_number(const struct holder *holder, const char *name)
{
    struct view_value value = value_of(holder, name);

    return view_value_is_known(value) ? value.value : 0;
}

/* Add ", run_filter at blur.c:120". */
static void site_function_add(ompd_view_t *view, const struct holder *holder, struct text *text)
{
    struct view_value caller = value_of(holder, "caller");
    struct view_value instruction = value_of(holder, "instruction");

    if (view_value_is_known(caller)) {
        text_put(text, ", ");
        view_location_describe(view, caller.value, true, text);
        view_location_inlined(view_location_get(view, caller.value, true), 0, text);
    } else if (view_value_is_known(instruction)) {
        text_put(text, ", ");
        /* As for a call that has returned there: with the line of the instruction, not of the
         * function. */
        view_location_describe(view, instruction.value + 1, true, text);
    }
}

static void site_stack_add(ompd_view_t *view, const struct holder *holder, struct text *text)
{
    struct view_value frame = value_of(holder, "frame");

    if (view_value_is_known(frame))
        text_add(text, "frame %" PRIu64 " of ", frame.value);
    else
        text_put(text, "the stack of ");
    view_thread_describe(view, site_number(holder, "lwp"), false, text);
    site_function_add(view, holder, text);
}

static void add_register(ompd_view_t *view, const struct holder *holder, struct text *text)
{
    text_add(text, "register %" PRIu64 " of ", site_number(holder, "register_number"));
    view_thread_describe(view, site_number(holder, "lwp"), false, text);
    site_function_add(view, holder, text);
}

/* Add "the variable `blur_ctx` of libblur.so". */
static void add_variable(ompd_view_t *view, const struct holder *holder, struct text *text)
{
    struct view_value module = value_of(holder, "module");
    const char *symbol = view_location_variable(view, site_number(holder, "address"));

    if (symbol != NULL) {
        text_put(text, "the variable `");
        text_escape(text, symbol);
        text_put(text, "`");
    } else {
        text_put(text, "data at ");
        text_put_hexadecimal(text, site_number(holder, "address"));
    }
    if (!view_value_is_known(module) || module.text[0] == '\0')
        return;
    text_put(text, " of ");
    text_escape(text, text_file_name(module.text));
}

/* Add "of 64 B at 0x555555a0c0f0". */
static void add_block(const struct holder *holder, struct text *text)
{
    text_put(text, " of ");
    size_format(text, site_number(holder, "block_size"));
    text_put(text, " at ");
    text_put_hexadecimal(text, site_number(holder, "block"));
}

static void add_at(const struct holder *holder, struct text *text)
{
    text_put(text, " at ");
    text_put_hexadecimal(text, site_number(holder, "address"));
}

void view_reference_site_describe(ompd_view_t *view, const struct view_row *row, const char *prefix,
                                  struct text *text)
{
    const struct holder holder = {row, prefix};

    switch ((ompd_cl_site_kind_t)site_number(&holder, "storage")) {
    case ompd_cl_site_register:
        add_register(view, &holder, text);
        return;
    case ompd_cl_site_stack:
        site_stack_add(view, &holder, text);
        return;
    case ompd_cl_site_thread_data:
        text_put(text, "a thread-local variable of ");
        view_thread_describe(view, site_number(&holder, "lwp"), false, text);
        add_at(&holder, text);
        return;
    case ompd_cl_site_on_stack:
        text_put(text, "a word on a stack");
        add_at(&holder, text);
        text_put(text, ", perhaps stale");
        return;
    case ompd_cl_site_module:
    case ompd_cl_site_runtime_data:
        add_variable(view, &holder, text);
        return;
    case ompd_cl_site_heap:
        text_put(text, "a heap block");
        add_block(&holder, text);
        return;
    case ompd_cl_site_freed:
        text_put(text, "a freed heap block");
        add_block(&holder, text);
        return;
    case ompd_cl_site_user_data:
        text_put(text, "the user data of a pending callback");
        return;
    case ompd_cl_site_memory:
        text_put(text, "memory");
        add_at(&holder, text);
        return;
    }
    text_put(text, "a place");
    add_at(&holder, text);
}
