/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The main function of a target without libFuzzer.  It replays the inputs of its corpus, or of a
 * named file, and prints their number.  Inputs are in hexadecimal, each ended by an empty line. */
#include "fuzz.h"

#include <ctype.h>
#include <string.h>

#define MOST_BYTES (1 << 16) /* of an input */

static uint8_t digit(int c)
{
    return (uint8_t)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
}

/* Append the bytes of LINE to the SIZE bytes in INPUT; returns the new size. */
static size_t read_line(const char *line, uint8_t *input, size_t size)
{
    for (; isxdigit((unsigned char)line[0]) && isxdigit((unsigned char)line[1]); line += 2) {
        fuzz_require(size < MOST_BYTES, "an input of the corpus is too long");
        input[size++] = (uint8_t)(digit(line[0]) << 4 | digit(line[1]));
    }
    return size;
}

/* In memory of its very size, so that a byte read beyond it is seen. */
static void take(const uint8_t *input, size_t size)
{
    uint8_t *copy = malloc(size);

    memcpy(copy, input, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static unsigned replay(FILE *corpus)
{
    static uint8_t input[MOST_BYTES];
    unsigned count = 0;
    size_t size = 0;
    char line[256];

    while (fgets(line, sizeof(line), corpus) != NULL) {
        if (line[0] != '\n') {
            size = read_line(line, input, size);
            continue;
        }
        take(input, size);
        count++;
        size = 0;
    }
    return count;
}

/* The corpus of the program PATH: that of its name in the tree. */
static FILE *open_corpus(const char *path)
{
    const char *tree = getenv("TOP_SRCDIR");
    const char *name = strrchr(path, '/');
    char file[4096];

    name = name == NULL ? path : name + 1;
    if (strncmp(name, "lt-", 3) == 0)
        name += 3;
    snprintf(file, sizeof(file), "%s/testsuite/fuzz/corpora/%s.hex", tree == NULL ? "." : tree,
             name);
    return fopen(file, "r");
}

int main(int argc, char **argv)
{
    FILE *corpus = argc > 1 ? fopen(argv[1], "r") : open_corpus(argv[0]);
    unsigned count;

    if (corpus == NULL) {
        fprintf(stderr, "%s: its corpus cannot be opened\n", argv[0]);
        return EXIT_FAILURE;
    }
    count = replay(corpus);
    fclose(corpus);
    printf("%u inputs\n", count);
    return count != 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
