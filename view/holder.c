/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See holder.h. */
#include <view/holder.h>

#include <inttypes.h>
#include <view/place.h>
#include <view/size.h>

/* Add ", run_filter at blur.c:120". */
static void add_function(ompd_view_t *view, const struct view_row *row, struct view_text *text)
{
    struct view_value caller = view_row_value(row, "caller");
    struct view_value instruction = view_row_value(row, "instruction");

    if (view_value_is_known(caller)) {
        view_text_put(text, ", ");
        view_place_describe(view, caller.value, true, text);
        view_place_inlined(view_place_get(view, caller.value, true), text);
    } else if (view_value_is_known(instruction)) {
        view_text_put(text, ", ");
        view_place_describe(view, instruction.value, false, text);
    }
}

static void add_stack(ompd_view_t *view, const struct view_row *row, struct view_text *text)
{
    struct view_value frame = view_row_value(row, "frame");

    if (view_value_is_known(frame))
        view_text_add(text, "frame %" PRIu64 " of ", frame.value);
    else
        view_text_put(text, "the stack of ");
    view_thread_describe(view, view_row_number(row, "lwp"), false, text);
    add_function(view, row, text);
}

static void add_register(ompd_view_t *view, const struct view_row *row, struct view_text *text)
{
    view_text_add(text, "register %" PRIu64 " of ", view_row_number(row, "register_number"));
    view_thread_describe(view, view_row_number(row, "lwp"), false, text);
    add_function(view, row, text);
}

/* Add "the variable `blur_ctx` of libblur.so". */
static void add_variable(ompd_view_t *view, const struct view_row *row, struct view_text *text)
{
    struct view_value module = view_row_value(row, "module");
    const char *symbol = view_place_variable(view, view_row_number(row, "address"));

    if (symbol != NULL) {
        view_text_put(text, "the variable `");
        view_text_escape(text, symbol);
        view_text_put(text, "`");
    } else {
        view_text_put(text, "data at ");
        view_text_put_hexadecimal(text, view_row_number(row, "address"));
    }
    if (!view_value_is_known(module) || module.text[0] == '\0')
        return;
    view_text_put(text, " of ");
    view_text_escape(text, view_file_name(module.text));
}

/* Add "of 64 B at 0x555555a0c0f0". */
static void add_block(const struct view_row *row, struct view_text *text)
{
    view_text_put(text, " of ");
    view_size_format(text, view_row_number(row, "block_size"));
    view_text_put(text, " at ");
    view_text_put_hexadecimal(text, view_row_number(row, "block"));
}

static void add_at(const struct view_row *row, struct view_text *text)
{
    view_text_put(text, " at ");
    view_text_put_hexadecimal(text, view_row_number(row, "address"));
}

void view_holder_describe(ompd_view_t *view, const struct view_row *row, struct view_text *text)
{
    switch ((ompd_cl_holder_place_t)view_row_number(row, "place")) {
    case ompd_cl_holder_register:
        add_register(view, row, text);
        return;
    case ompd_cl_holder_stack:
        add_stack(view, row, text);
        return;
    case ompd_cl_holder_thread_data:
        view_text_put(text, "a variable of the thread ");
        view_thread_describe(view, view_row_number(row, "lwp"), false, text);
        add_at(row, text);
        return;
    case ompd_cl_holder_on_stack:
        view_text_put(text, "a word on a stack");
        add_at(row, text);
        view_text_put(text, ", perhaps dead");
        return;
    case ompd_cl_holder_module:
    case ompd_cl_holder_runtime_data:
        add_variable(view, row, text);
        return;
    case ompd_cl_holder_heap:
        view_text_put(text, "a heap block");
        add_block(row, text);
        return;
    case ompd_cl_holder_freed:
        view_text_put(text, "a heap block that was presumably freed,");
        add_block(row, text);
        return;
    case ompd_cl_holder_memory:
        view_text_put(text, "memory");
        add_at(row, text);
        return;
    }
    view_text_put(text, "a place");
    add_at(row, text);
}
