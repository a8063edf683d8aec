/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The input is a text of the target.  Its printed form is safe for a terminal and unambiguous,
 * another reader accepts its JSON, and its demangled name is bounded. */
#include "fuzz.h"
#include "json-reader.h"

#include <host/elf/elf.h>
#include <text/json.h>
#include <text/text.h>

#include <ctype.h>
#include <string.h>

#define LONGEST_NAME 16384 /* bytes */

static unsigned digit(char c)
{
    return (unsigned)(isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10);
}

/* The byte of an escape of C at ESCAPE, which begins with a backslash; its SIZE. */
static char unescape(const char *escape, size_t *size)
{
    static const char names[] = "\\abtnvfr";
    static const char meanings[] = "\\\a\b\t\n\v\f\r";
    const char *found = strchr(names, escape[1]);

    *size = 2;
    if (escape[1] != '\0' && found != NULL)
        return meanings[found - names];
    fuzz_require(escape[1] == 'x' && isxdigit((unsigned char)escape[2]) &&
                     isxdigit((unsigned char)escape[3]),
                 "no escape: %.8s", escape);
    *size = 4;
    return (char)(digit(escape[2]) << 4 | digit(escape[3]));
}

static void check_escape(const char *name)
{
    struct text text = {0};
    size_t length = 0;

    text_escape(&text, name);
    for (const char *next = text_get(&text); *next != '\0';) {
        size_t size = json_reader_character(next, strlen(next));

        fuzz_require(size != 0 && (unsigned char)*next >= 0x20 && *next != 0x7f &&
                         !utf8_is_unseen(next, size),
                     "a text for a terminal has a control");
        if (*next == '\\') {
            char byte = unescape(next, &size);

            fuzz_require(name[length] == byte, "an escape is of another byte");
            length++;
        } else {
            fuzz_require(strncmp(name + length, next, size) == 0, "a text shows another");
            length += size;
        }
        next += size;
    }
    fuzz_require(name[length] == '\0', "a text is not shown whole");
    text_free(&text);
}

/* A quoted text is a JSON string of it, with U+FFFD for each byte that is not UTF-8. */
static void check_quote(const char *name)
{
    struct text text = {0};
    size_t length = strlen(name);
    size_t size;
    size_t at = 0;
    char *said;
    const char *end;

    json_quote(&text, name);
    said = malloc(text.length);
    end = json_reader_string(text.bytes, text.bytes + text.length, said, &size);
    fuzz_require(end == text.bytes + text.length, "no string of JSON: %s", text.bytes);
    for (size_t i = 0; i < length;) {
        size_t character = json_reader_character(name + i, length - i);
        const char *expected = character == 0 ? "\xef\xbf\xbd" : name + i;
        size_t width = character == 0 ? 3 : character;

        fuzz_require(at + width <= size && memcmp(said + at, expected, width) == 0,
                     "JSON says another text");
        i += character == 0 ? 1 : character;
        at += width;
    }
    fuzz_require(at == size, "JSON says more");
    free(said);
    text_free(&text);
}

static void check_demangled(const char *name)
{
    char *demangled = demangle(name);
    size_t length = strlen(name);

    fuzz_require(demangled != NULL, "no memory");
    fuzz_require(strlen(demangled) <= (length > LONGEST_NAME ? length : LONGEST_NAME),
                 "a name of %zu bytes becomes one of %zu", length, strlen(demangled));
    free(demangled);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *name = malloc(size + 1);

    memcpy(name, data, size);
    name[size] = '\0';
    check_escape(name);
    check_quote(name);
    check_demangled(name);
    free(name);
    return 0;
}
