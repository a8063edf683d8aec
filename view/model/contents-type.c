/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See model.h. */
#include <view/model/model.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct scalar {
    const char *name;
    enum contents_form form;
    unsigned size;
    unsigned width; /* of all integers, and of most other types */
};

static const struct scalar scalars[] = {
    {"char", contents_signed, 1, 4},   {"uchar", contents_unsigned, 1, 3},
    {"short", contents_signed, 2, 6},  {"ushort", contents_unsigned, 2, 5},
    {"int", contents_signed, 4, 11},   {"uint", contents_unsigned, 4, 10},
    {"long", contents_signed, 8, 20},  {"ulong", contents_unsigned, 8, 20},
    {"half", contents_float, 2, 6},    {"float", contents_float, 4, 13},
    {"double", contents_float, 8, 22},
};

static const unsigned lane_counts[] = {1, 2, 3, 4, 8, 16};

#define SCALARS (sizeof(scalars) / sizeof(scalars[0]))
#define LANE_COUNTS (sizeof(lane_counts) / sizeof(lane_counts[0]))

bool contents_type_name_add(size_t index, struct text *text)
{
    unsigned lanes = lane_counts[index % LANE_COUNTS];

    if (index >= SCALARS * LANE_COUNTS)
        return false;
    text_put(text, scalars[index / LANE_COUNTS].name);
    if (lanes != 1)
        text_put_number(text, lanes);
    return true;
}

/* At most what usually fits in lines of 80 columns; at least one. */
static unsigned per_line(const struct contents_type *type)
{
    unsigned line = type->size == 1 ? 8 : 16; /* bytes */
    unsigned count = line / (type->stride * type->size);

    return count != 0 ? count : 1;
}

bool contents_type_get(const char *name, struct contents_type *type)
{
    struct text known = {0};
    size_t count = SCALARS * LANE_COUNTS;
    size_t index = 0;

    for (; index < count; index++) {
        text_clear(&known);
        contents_type_name_add(index, &known);
        if (strcmp(known.bytes, name) == 0)
            break;
    }
    text_free(&known);
    if (index == count)
        return false;
    type->form = scalars[index / LANE_COUNTS].form;
    type->size = scalars[index / LANE_COUNTS].size;
    type->width = scalars[index / LANE_COUNTS].width;
    type->lanes = lane_counts[index % LANE_COUNTS];
    type->stride = type->lanes == 3 ? 4 : type->lanes;
    type->per_line = per_line(type);
    return true;
}

/* The value of a 16-bit number in IEEE 754 format. */
static double half_get(uint64_t bits)
{
    const unsigned exponent = (unsigned)(bits >> 10) & 31;
    const uint32_t fraction = (uint32_t)(bits & 1023);
    const uint32_t sign = (uint32_t)(bits >> 15 & 1) << 31;
    uint32_t whole = sign | (exponent + 112) << 23 | fraction << 13;
    float value;

    if (exponent == 0)
        return (sign != 0 ? -1.0 : 1.0) * fraction / 16777216.0;
    if (exponent == 31)
        whole = sign | UINT32_C(255) << 23 | fraction << 13;
    memcpy(&value, &whole, sizeof(value));
    return value;
}

static double float_get(const struct contents_type *type, uint64_t number)
{
    uint32_t bits = (uint32_t)number;
    float single;
    double value;

    if (type->size == 2)
        return half_get(number);
    if (type->size == 4) {
        memcpy(&single, &bits, sizeof(single));
        return single;
    }
    memcpy(&value, &number, sizeof(value));
    return value;
}

/* The number of digits that distinguishes each number of the type from all others. */
static int contents_digits(const struct contents_type *type)
{
    switch (type->size) {
    case 2:
        return 5;
    case 4:
        return 9;
    default:
        return 17;
    }
}

static void float_add(const struct contents_type *type, uint64_t number, struct text *text)
{
    char digits[64];

    snprintf(digits, sizeof(digits), "%.*g", contents_digits(type), float_get(type, number));
    /* Whatever decimal point the program's locale has. */
    for (char *point = digits; *point != '\0'; point++)
        if (*point == ',')
            *point = '.';
    text_put(text, digits);
}

void contents_number_add(const struct contents_type *type, uint64_t number, struct text *text)
{
    unsigned unused = 64 - type->size * 8;

    if (type->form == contents_float)
        float_add(type, number, text);
    else if (type->form == contents_unsigned)
        text_put_number(text, number);
    else
        text_add(text, "%" PRId64, (int64_t)(number << unused) / (INT64_C(1) << unused));
}

bool contents_number_is_finite(const struct contents_type *type, uint64_t number)
{
    return type->form != contents_float || isfinite(float_get(type, number));
}
