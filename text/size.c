/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See text.h. */
#include <text/text.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KIBI 1024

void size_format(struct text *text, uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double size = (double)bytes;
    size_t unit = 0;
    size_t end;

    while (size >= KIBI && unit + 1 < sizeof(units) / sizeof(units[0])) {
        size /= KIBI;
        unit++;
    }
    text_add(text, "%.1f", size);
    end = text->length;
    if (strcmp(text->bytes + end - 2, ".0") == 0)
        text->length -= 2;
    text_add(text, " %s", units[unit]);
}

void size_describe(struct text *text, uint64_t bytes)
{
    text_add(text, "%" PRIu64 " B", bytes);
    if (bytes < KIBI)
        return;
    text_add(text, " (%s", bytes % KIBI != 0 ? "about " : "");
    size_format(text, bytes);
    text_put(text, ")");
}

/* The shift of the unit "K", "MiB", "gb" or "", in bits; -1 if it is not a unit. */
static int unit_bits(const char *unit)
{
    static const char letters[] = "KMGT";
    const char *letter = *unit != '\0' ? strchr(letters, toupper((unsigned char)*unit)) : NULL;

    if (letter != NULL)
        unit++;
    if (strcasecmp(unit, "") != 0 && strcasecmp(unit, "B") != 0 && strcasecmp(unit, "iB") != 0)
        return -1;
    return letter != NULL ? 10 * (int)(letter - letters + 1) : 0;
}

bool size_parse(const char *word, uint64_t *bytes)
{
    bool is_hexadecimal = strncasecmp(word, "0x", 2) == 0;
    const char *digits = is_hexadecimal ? word + 2 : word;
    char *end;
    uint64_t number;
    int bits;

    if (!isxdigit((unsigned char)*digits))
        return false;
    errno = 0;
    number = strtoull(digits, &end, is_hexadecimal ? 16 : 10);
    if (end == digits || errno != 0)
        return false;
    while (*end == ' ')
        end++;
    bits = unit_bits(end);
    if (bits < 0 || number > UINT64_MAX >> bits)
        return false;
    *bytes = number << bits;
    return true;
}

void count_add(struct text *text, uint64_t number, const char *singular, const char *plural)
{
    if (number == 1)
        text_add(text, "1 %s", singular);
    else if (plural != NULL)
        text_add(text, "%" PRIu64 " %s", number, plural);
    else
        text_add(text, "%" PRIu64 " %ss", number, singular);
}
