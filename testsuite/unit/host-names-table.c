/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library's name table, intact and damaged. */
#include "suite.h"

#include <check.h>
#include <host/elf/elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host-places.h"
#include "host-subject.h"

static char *file;
static Elf *elf;
static uint32_t *table; /* the numbers of the library's */
static Elf64_Sym *symbols;
static const char *texts;
static uint32_t count;

/* Read the library's copy NAME. */
static void read_library(const char *name)
{
    char path[128];
    FILE *input;
    long size;

    snprintf(path, sizeof(path), "%s/%s", places_folder(), name);
    input = fopen(path, "rb");
    ck_assert_ptr_nonnull(input);
    ck_assert_int_eq(fseek(input, 0, SEEK_END), 0);
    size = ftell(input);
    rewind(input);
    file = malloc((size_t)size);
    ck_assert_uint_eq(fread(file, 1, (size_t)size, input), (size_t)size);
    fclose(input);
    elf_version(EV_CURRENT);
    elf = elf_memory(file, (size_t)size);
    ck_assert_ptr_nonnull(elf);
}

/* Find the sections that the tests read and damage. */
static void find_sections(void)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = elf_nextscn(elf, section)) != NULL) {
        ck_assert_ptr_nonnull(gelf_getshdr(section, &header));
        if (header.sh_type == SHT_GNU_HASH)
            table = (uint32_t *)(void *)(file + header.sh_offset);
        if (header.sh_type != SHT_DYNSYM)
            continue;
        symbols = (Elf64_Sym *)(void *)(file + header.sh_offset);
        count = (uint32_t)(header.sh_size / sizeof(*symbols));
        ck_assert_ptr_nonnull(gelf_getshdr(elf_getscn(elf, header.sh_link), &header));
        texts = file + header.sh_offset;
    }
    ck_assert_ptr_nonnull(table);
    ck_assert_uint_gt(count, 2);
}

static void start(void)
{
    places_folder_create();
    subject_command("strip -o %s/stripped %s/" PLACES_LIBRARY, places_folder(), places_folder());
    read_library("stripped");
    find_sections();
}

static void end(void)
{
    elf_end(elf);
    free(file);
    places_folder_remove();
}

static bool has_table(void)
{
    return names_table_of(elf, count).bytes.start != NULL;
}

START_TEST(test_every_name)
{
    struct names_table found = names_table_of(elf, count);
    unsigned defined = 0;

    for (uint32_t i = 1; i < count; i++) {
        uint32_t number = names_table_next(&found, texts + symbols[i].st_name, 0);

        if (symbols[i].st_shndx == SHN_UNDEF)
            continue;
        ck_assert_uint_eq(number, i + 1);
        ck_assert_uint_eq(names_table_next(&found, texts + symbols[i].st_name, number), 0);
        defined++;
    }
    ck_assert_uint_ge(defined, 2);
    ck_assert_uint_eq(names_table_next(&found, "host_places_nowhere", 0), 0);
    ck_assert_uint_eq(names_table_next(&found, "", 0), 0);
}
END_TEST

/* The table is useless for a library with more symbols than it has. */
START_TEST(test_other_symbols)
{
    ck_assert_ptr_null(names_table_of(elf, count - 1).bytes.start);
    ck_assert_ptr_null(names_table_of(elf, count + 1).bytes.start);
    elf_end(elf);
    free(file);
    read_library(PLACES_LIBRARY);
    ck_assert(!has_table());
}
END_TEST

START_TEST(test_damaged_header)
{
    static const uint32_t damaged[][2] = {{0, 0},          {0, UINT32_MAX}, {1, 0},
                                          {1, UINT32_MAX}, {2, UINT32_MAX}, {2, 1 << 20}};

    ck_assert(has_table());
    for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
        uint32_t was = table[damaged[i][0]];

        table[damaged[i][0]] = damaged[i][1];
        ck_assert_msg(!has_table(), "case %zu", i);
        table[damaged[i][0]] = was;
    }
    ck_assert(has_table());
}
END_TEST

/* Whatever the numbers are, a search ends, with a number of a symbol. */
START_TEST(test_damaged_chains)
{
    static const uint32_t all[] = {0, 1, 2, UINT32_MAX - 1, UINT32_MAX};
    struct names_table found = names_table_of(elf, count);
    uint32_t *numbers = table + found.buckets_at / 4;
    size_t size = found.buckets + (count - found.first);

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        for (size_t j = 0; j < size; j++)
            numbers[j] = all[i];
        for (uint32_t j = 1; j < count; j++) {
            uint32_t last = 0;
            uint32_t number;

            while ((number = names_table_next(&found, texts + symbols[j].st_name, last)) != 0) {
                ck_assert_uint_gt(number, last);
                ck_assert_uint_le(number, count);
                last = number;
            }
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host-names-table");
    TCase *cases = tcase_create("tables");

    tcase_add_checked_fixture(cases, start, end);
    tcase_add_test(cases, test_every_name);
    tcase_add_test(cases, test_other_symbols);
    tcase_add_test(cases, test_damaged_header);
    tcase_add_test(cases, test_damaged_chains);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
