/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "small-debug.h"

#include "small-module.h"

#include <dwarf.h>
#include <string.h>

#define CODE_SIZE 0x80

/* The section being written. */
struct text {
    uint8_t *bytes;
    size_t size;
};

static void put(struct text *text, uint64_t number, unsigned size)
{
    for (unsigned i = 0; i < size; i++, number >>= 8)
        text->bytes[text->size++] = (uint8_t)number;
}

static void put_text(struct text *text, const char *string)
{
    memcpy(text->bytes + text->size, string, strlen(string) + 1);
    text->size += strlen(string) + 1;
}

/* The number of bytes behind AT, which is four bytes before them. */
static void put_length(const struct text *text, size_t at)
{
    uint32_t length = (uint32_t)(text->size - at - 4);

    memcpy(text->bytes + at, &length, sizeof(length));
}

size_t small_debug_put_abbreviations(uint8_t *bytes)
{
    /* clang-format off */
    static const uint8_t abbreviations[] = {
        1, DW_TAG_compile_unit, DW_CHILDREN_yes, DW_AT_name, DW_FORM_string, DW_AT_comp_dir,
        DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, DW_AT_stmt_list,
        DW_FORM_sec_offset, 0, 0,
        2, DW_TAG_subprogram, DW_CHILDREN_yes, DW_AT_name, DW_FORM_string, DW_AT_linkage_name,
        DW_FORM_string, DW_AT_decl_file, DW_FORM_data1, DW_AT_decl_line, DW_FORM_data1,
        DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0,
        3, DW_TAG_subprogram, DW_CHILDREN_no, DW_AT_name, DW_FORM_string, DW_AT_inline,
        DW_FORM_data1, 0, 0,
        4, DW_TAG_inlined_subroutine, DW_CHILDREN_no, DW_AT_abstract_origin, DW_FORM_ref4,
        DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, DW_AT_call_line, DW_FORM_data1,
        0, 0,
        0,
    };
    /* clang-format on */

    memcpy(bytes, abbreviations, sizeof(abbreviations));
    return sizeof(abbreviations);
}

size_t small_debug_put_entries(uint8_t *bytes)
{
    struct text text = {bytes, 0};
    size_t inlined;

    put(&text, 0, 4);
    put(&text, 4, 2); /* version */
    put(&text, 0, 4); /* of the abbreviations */
    put(&text, 8, 1); /* bytes of an address */
    put(&text, 1, 1);
    put_text(&text, "made.cc");
    put_text(&text, "/made");
    put(&text, SMALL_MODULE_CODE, 8);
    put(&text, CODE_SIZE, 4);
    put(&text, 0, 4);
    inlined = text.size;
    put(&text, 3, 1);
    put_text(&text, "inlined");
    put(&text, DW_INL_inlined, 1);
    put(&text, 2, 1);
    put_text(&text, "made");
    put_text(&text, SMALL_MODULE_SYMBOL);
    put(&text, 1, 1);
    put(&text, SMALL_MODULE_LINE - 1, 1);
    put(&text, SMALL_MODULE_CODE, 8);
    put(&text, CODE_SIZE, 4);
    put(&text, 4, 1);
    put(&text, inlined, 4);
    put(&text, SMALL_MODULE_INLINED, 8);
    put(&text, 16, 4);
    put(&text, SMALL_MODULE_LINE + 1, 1);
    put(&text, 0, 2); /* the end of the function, and of the unit */
    put_length(&text, 0);
    return text.size;
}

size_t small_debug_put_lines(uint8_t *bytes)
{
    static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    struct text text = {bytes, 0};
    size_t header;

    put(&text, 0, 4);
    put(&text, 4, 2); /* version */
    header = text.size;
    put(&text, 0, 4);
    put(&text, 1, 1);  /* least instruction */
    put(&text, 1, 1);  /* operations in one */
    put(&text, 1, 1);  /* statements by default */
    put(&text, 0, 1);  /* line base */
    put(&text, 1, 1);  /* line range */
    put(&text, 13, 1); /* the first special opcode */
    memcpy(bytes + text.size, operands, sizeof(operands));
    text.size += sizeof(operands);
    put(&text, 0, 1); /* no more folders */
    put_text(&text, "made.cc");
    put(&text, 0, 3 + 1); /* its folder, time, size; no more files */
    put_length(&text, header);
    put(&text, 0, 1);
    put(&text, 9, 1);
    put(&text, DW_LNE_set_address, 1);
    put(&text, SMALL_MODULE_CODE, 8);
    put(&text, DW_LNS_advance_line, 1);
    put(&text, SMALL_MODULE_LINE - 1, 1);
    put(&text, DW_LNS_copy, 1);
    put(&text, DW_LNS_advance_pc, 1);
    put(&text, SMALL_MODULE_INLINED - SMALL_MODULE_CODE, 1);
    put(&text, DW_LNS_advance_line, 1);
    put(&text, 2, 1);
    put(&text, DW_LNS_copy, 1);
    put(&text, DW_LNS_advance_pc, 1);
    put(&text, CODE_SIZE - (SMALL_MODULE_INLINED - SMALL_MODULE_CODE), 1);
    put(&text, 0, 1);
    put(&text, 1, 1);
    put(&text, DW_LNE_end_sequence, 1);
    put_length(&text, 0);
    return text.size;
}

size_t small_debug_put_unwinding(uint8_t *bytes, uint64_t address)
{
    /* Version 1, "zR": code by 1, data by -8, the return address is register 16; addresses are
     * four bytes from their own place.  The frame is register 7 and 8. */
    static const uint8_t common[] = {
        1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1, 0, 0};
    struct text text = {bytes, 0};
    size_t start;

    put(&text, 0, 4);
    put(&text, 0, 4);
    memcpy(bytes + text.size, common, sizeof(common));
    text.size += sizeof(common);
    put_length(&text, 0);
    start = text.size;
    put(&text, 0, 4);
    put(&text, text.size, 4); /* back to the common part */
    put(&text, SMALL_MODULE_CODE - (address + text.size), 4);
    put(&text, CODE_SIZE, 4);
    put(&text, 0, 4);
    put_length(&text, start);
    put(&text, 0, 4);
    return text.size;
}
