/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts that end within an ELF file, and texts that exceed it. */
#include "suite.h"

#include <check.h>
#include <elf.h>
#include <host/elf/elf.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 4096 /* bytes of the file: a page, as it may be mapped */

static char *bytes;
static Elf *elf;

/* A file of no sections but one, whose contents are what follows the headers. */
static void start(void)
{
    Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                         .e_type = ET_DYN,
                         .e_machine = EM_X86_64,
                         .e_version = EV_CURRENT,
                         .e_shoff = sizeof(header),
                         .e_ehsize = sizeof(header),
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = 2};
    Elf64_Shdr section = {.sh_type = SHT_PROGBITS, .sh_offset = 512, .sh_size = SIZE - 512};

    bytes = malloc(SIZE);
    memset(bytes, 'x', SIZE);
    memset(bytes, 0, 512);
    memcpy(bytes, &header, sizeof(header));
    memcpy(bytes + sizeof(header) + sizeof(section), &section, sizeof(section));
    elf_version(EV_CURRENT);
    elf = elf_memory(bytes, SIZE);
    ck_assert_ptr_nonnull(elf);
}

static void end(void)
{
    elf_end(elf);
    free(bytes);
}

START_TEST(test_text_that_ends)
{
    bytes[1000] = '\0';
    ck_assert(elf_text_ends(elf, bytes + 600));
    ck_assert(elf_text_ends(elf, bytes + 1000));
    ck_assert(elf_debug_text_ends(elf, bytes + 600));
}
END_TEST

START_TEST(test_text_that_goes_on)
{
    ck_assert(!elf_text_ends(elf, bytes + SIZE - 1));
    ck_assert(!elf_text_ends(elf, bytes + 600));
    ck_assert(!elf_debug_text_ends(elf, bytes + 600));
    bytes[SIZE - 1] = '\0';
    ck_assert(elf_text_ends(elf, bytes + SIZE - 1));
}
END_TEST

START_TEST(test_text_elsewhere)
{
    char other[] = "other";

    ck_assert(!elf_text_ends(elf, other));
    ck_assert(!elf_text_ends(elf, bytes + SIZE));
    ck_assert(!elf_debug_text_ends(elf, other));
    ck_assert(!elf_text_ends(NULL, bytes));
    ck_assert(!elf_debug_text_ends(NULL, bytes));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host-elf-text");
    TCase *cases = tcase_create("texts");

    tcase_add_checked_fixture(cases, start, end);
    tcase_add_test(cases, test_text_that_ends);
    tcase_add_test(cases, test_text_that_goes_on);
    tcase_add_test(cases, test_text_elsewhere);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
