/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Names of C++, by GNU libiberty (Itanium C++ ABI, 5.1).
 *
 * A name may repeat what it has said before, so that each further letter doubles the text: the
 * function that hands the text out in pieces is left when it has become too long.
 */
#include <config.h>

#include <host/elf/elf.h>

#include <string.h>

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#include <setjmp.h>

#define LENGTH_AT_MOST 16384 /* bytes of a name that is of any use to a person */

struct text {
    jmp_buf too_long;
    size_t length;
    char bytes[LENGTH_AT_MOST + 1];
};

/* libiberty keeps all that it works with on the stack, so that it can be left from here. */
static void add_piece(const char *piece, size_t size, void *argument)
{
    struct text *text = argument;

    if (size > LENGTH_AT_MOST - text->length)
        longjmp(text->too_long, 1);
    memcpy(text->bytes + text->length, piece, size);
    text->length += size;
}

char *demangle(const char *name)
{
    struct text text = {.length = 0};

    if (strncmp(name, "_Z", 2) != 0 || strlen(name) > LENGTH_AT_MOST ||
        setjmp(text.too_long) != 0 ||
        cplus_demangle_v3_callback(name, DMGL_PARAMS, add_piece, &text) == 0)
        return strdup(name);
    text.bytes[text.length] = '\0';
    return strdup(text.bytes);
}

#else

char *demangle(const char *name)
{
    return strdup(name);
}

#endif
