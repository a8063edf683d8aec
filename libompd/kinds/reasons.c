/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sentences of schema/conditions.def: why a call was refused. */
#include "kinds/kinds.h"

#include <ompd-opencl-registry.h>
#include <string.h>

/* Conditions, after the function that they are of. */
struct condition {
    uint32_t call;    /* of a function; 0: the entry is a condition */
    uint32_t number;  /* of a condition */
    const char *text; /* likewise */
};

#define CONDITIONS(function) {ompd_cl_call_##function, 0, NULL},
#define REASON(number, error, condition, text, ...) {0, number, text},
#define CONDITIONS_END
static const struct condition conditions[] = {
#include <schema/conditions.def>
};

#define CONDITION_COUNT (sizeof(conditions) / sizeof(conditions[0]))

/* The text of condition NUMBER of CALL; NULL if it is unknown. */
static const char *condition_text(uint64_t call, uint64_t number)
{
    size_t i = 0;

    while (i < CONDITION_COUNT && conditions[i].call != call)
        i++;
    for (i++; i < CONDITION_COUNT && conditions[i].call == 0; i++)
        if (conditions[i].number == number)
            return conditions[i].text;
    return NULL;
}

/* The name of VALUE in FIELD of KIND; NULL if it has none. */
static const char *value_name(uint32_t kind, const char *field, uint64_t value)
{
    const struct kind *found = kind_find(kind);

    for (uint32_t i = 0; i < found->field_count; i++) {
        const ompd_cl_field_t *its = &found->fields[i];

        for (uint32_t j = 0; strcmp(its->name, field) == 0 && j < its->name_count; j++)
            if (its->names[j].value == value)
                return its->names[j].name;
    }
    return NULL;
}

/* The kinds of objects, by their tables. */
static const uint32_t kinds_of_tables[] = {
    [ompd_cl_registry_context] = ompd_cl_kind_context,
    [ompd_cl_registry_queue] = ompd_cl_kind_queue,
    [ompd_cl_registry_memobj] = ompd_cl_kind_memobj,
    [ompd_cl_registry_program] = ompd_cl_kind_program,
    [ompd_cl_registry_kernel] = ompd_cl_kind_kernel,
    [ompd_cl_registry_sampler] = ompd_cl_kind_sampler,
    [ompd_cl_registry_event] = ompd_cl_kind_event,
};

/* Add "a memory object". */
static void add_kind(struct message *message, uint64_t table)
{
    size_t count = sizeof(kinds_of_tables) / sizeof(kinds_of_tables[0]);
    const ompd_cl_noun_t *noun;

    if (table >= count || kinds_of_tables[table] == 0 ||
        ompd_cl_noun_get((ompd_cl_kind_t)kinds_of_tables[table], &noun) != ompd_rc_ok) {
        message_add(message, "another object");
        return;
    }
    message_add(message, noun->article);
    message_add(message, " ");
    message_add(message, noun->singular);
}

static void add_signed(struct message *message, uint64_t value)
{
    bool is_negative = (int64_t)value < 0;

    if (is_negative)
        message_add(message, "-");
    message_add_decimal(message, is_negative ? 0 - value : value);
}

/* Add NAME, or VALUE if that is NULL. */
static void add_name(struct message *message, const char *name, uint64_t value)
{
    if (name != NULL)
        message_add(message, name);
    else
        add_signed(message, value);
}

/* Add VALUE as the CONVERSION of a text says. */
static void add_value(struct message *message, char conversion, uint64_t value)
{
    switch (conversion) {
    case 'd':
        add_signed(message, value);
        break;
    case 'x':
        message_add_hexadecimal(message, value);
        break;
    case 'k':
        add_kind(message, value);
        break;
    case 'o':
        add_name(message, value_name(ompd_cl_kind_memobj, "channel_order", value), value);
        break;
    case 't':
        add_name(message, value_name(ompd_cl_kind_memobj, "channel_type", value), value);
        break;
    case 's':
        add_name(message, value_name(ompd_cl_kind_error, "error", value), value);
        break;
    default:
        message_add_decimal(message, value);
    }
}

static void add_sentence(struct message *message, const char *text, const uint64_t *values)
{
    uint32_t used = 0;

    for (; *text != '\0'; text++) {
        if (*text == '%' && text[1] != '\0' && used < REASON_VALUES) {
            add_value(message, *++text, values[used++]);
        } else {
            const char letter[] = {*text, '\0'};

            message_add(message, letter);
        }
    }
}

void reason_set(ompd_cl_text_t *text, uint64_t call, uint64_t number, const uint64_t *values)
{
    const char *sentence =
        number == 0 ? "the runtime gave no reason" : condition_text(call, number);
    struct message message;
    size_t length;

    message_clear(&message);
    if (sentence != NULL)
        add_sentence(&message, sentence, values);
    length = message.length;
    if (length >= OMPD_CL_TEXT_SIZE) {
        message.length = OMPD_CL_TEXT_SIZE - sizeof(TEXT_ELLIPSIS);
        message_add(&message, TEXT_ELLIPSIS);
    }
    text_set(text, ompd_cl_source_recorder, message.text);
    if (length >= OMPD_CL_TEXT_SIZE)
        text_set_whole(text, length, 0);
}
