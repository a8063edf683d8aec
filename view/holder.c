/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See holder.h. */
#include <view/holder.h>

#include <inttypes.h>
#include <text/size.h>
#include <view/place.h>

/* Add ", run_filter at blur.c:120". */
static void add_function(ompd_view_t *view, const struct view_row *row, struct text *text)
{
    struct view_value caller = view_row_value(row, "caller");
    struct view_value instruction = view_row_value(row, "instruction");

    if (view_value_is_known(caller)) {
        text_put(text, ", ");
        view_place_describe(view, caller.value, true, text);
        view_place_inlined(view_place_get(view, caller.value, true), text);
    } else if (view_value_is_known(instruction)) {
        text_put(text, ", ");
        /* As of a call that has ended there: with the line of the instruction, not the function's.
         */
        view_place_describe(view, instruction.value + 1, true, text);
    }
}

static void add_stack(ompd_view_t *view, const struct view_row *row, struct text *text)
{
    struct view_value frame = view_row_value(row, "frame");

    if (view_value_is_known(frame))
        text_add(text, "frame %" PRIu64 " of ", frame.value);
    else
        text_put(text, "the stack of ");
    view_thread_describe(view, view_row_number(row, "lwp"), false, text);
    add_function(view, row, text);
}

static void add_register(ompd_view_t *view, const struct view_row *row, struct text *text)
{
    text_add(text, "register %" PRIu64 " of ", view_row_number(row, "register_number"));
    view_thread_describe(view, view_row_number(row, "lwp"), false, text);
    add_function(view, row, text);
}

/* Add "the variable `blur_ctx` of libblur.so". */
static void add_variable(ompd_view_t *view, const struct view_row *row, struct text *text)
{
    struct view_value module = view_row_value(row, "module");
    const char *symbol = view_place_variable(view, view_row_number(row, "address"));

    if (symbol != NULL) {
        text_put(text, "the variable `");
        text_escape(text, symbol);
        text_put(text, "`");
    } else {
        text_put(text, "data at ");
        text_put_hexadecimal(text, view_row_number(row, "address"));
    }
    if (!view_value_is_known(module) || module.text[0] == '\0')
        return;
    text_put(text, " of ");
    text_escape(text, text_file_name(module.text));
}

/* Add "of 64 B at 0x555555a0c0f0". */
static void add_block(const struct view_row *row, struct text *text)
{
    text_put(text, " of ");
    size_format(text, view_row_number(row, "block_size"));
    text_put(text, " at ");
    text_put_hexadecimal(text, view_row_number(row, "block"));
}

static void add_at(const struct view_row *row, struct text *text)
{
    text_put(text, " at ");
    text_put_hexadecimal(text, view_row_number(row, "address"));
}

void view_holder_describe(ompd_view_t *view, const struct view_row *row, struct text *text)
{
    switch ((ompd_cl_storage_t)view_row_number(row, "storage")) {
    case ompd_cl_storage_register:
        add_register(view, row, text);
        return;
    case ompd_cl_storage_stack:
        add_stack(view, row, text);
        return;
    case ompd_cl_storage_thread_data:
        text_put(text, "a variable of the thread ");
        view_thread_describe(view, view_row_number(row, "lwp"), false, text);
        add_at(row, text);
        return;
    case ompd_cl_storage_on_stack:
        text_put(text, "a word on a stack");
        add_at(row, text);
        text_put(text, ", perhaps dead");
        return;
    case ompd_cl_storage_module:
    case ompd_cl_storage_runtime_data:
        add_variable(view, row, text);
        return;
    case ompd_cl_storage_heap:
        text_put(text, "a heap block");
        add_block(row, text);
        return;
    case ompd_cl_storage_freed:
        text_put(text, "a heap block that was presumably freed,");
        add_block(row, text);
        return;
    case ompd_cl_storage_memory:
        text_put(text, "memory");
        add_at(row, text);
        return;
    }
    text_put(text, "a place");
    add_at(row, text);
}
