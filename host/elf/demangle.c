/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Demangling of C++ names with GNU libiberty (Itanium C++ ABI, 5.1).
 *
 * A name may refer back to its own parts, so that each further letter doubles the text.  The
 * callback that receives the text in pieces jumps out when it becomes too long.
 */
#include <config.h>

#include <host/elf/elf.h>

#include <string.h>

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#include <setjmp.h>

#define LENGTH_AT_MOST 16384 /* bytes of a name that are useful to a person */

struct text {
    jmp_buf too_long;
    size_t length;
    char bytes[LENGTH_AT_MOST + 1];
};

/* libiberty keeps all of its data on the stack, so jumping out is safe. */
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
