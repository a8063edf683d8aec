/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See learn.h. */
#include <command/learn/learn.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

#define VENDORS "/etc/OpenCL/vendors"
#define ICD_SUFFIX ".icd"
#define LINE_SIZE 4096

static void runtimes_add(struct command_runtimes *runtimes, const char *name, const char *library)
{
    runtimes->all = heap_grow(runtimes->all, runtimes->count, sizeof(*runtimes->all));
    runtimes->all[runtimes->count++] =
        (struct command_runtime){text_copy(name), text_copy(library)};
}

static bool is_icd_name(const char *name)
{
    size_t length = strlen(name);

    return length > strlen(ICD_SUFFIX) &&
           strcmp(name + length - strlen(ICD_SUFFIX), ICD_SUFFIX) == 0;
}

static int is_icd_file(const struct dirent *entry)
{
    return is_icd_name(entry->d_name);
}

/* The name of the .icd file PATH, without folder and suffix.  Owned by the caller. */
static char *icd_name(const char *path)
{
    char *name = text_copy(text_file_name(path));

    name[strlen(name) - strlen(ICD_SUFFIX)] = '\0';
    return name;
}

/* Add the library that the first line of the .icd file PATH names. */
static void add_icd_file(struct command_runtimes *runtimes, const char *path)
{
    FILE *file = fopen(path, "re");
    char line[LINE_SIZE];
    char *name;

    if (file == NULL)
        return;
    if (fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, " \t\r\n")] = '\0';
        name = icd_name(path);
        if (line[0] != '\0')
            runtimes_add(runtimes, name, line);
        heap_free(name);
    }
    fclose(file);
}

/* Add the runtimes of the .icd files in FOLDER.  Returns false if it is not a folder. */
static bool add_folder(struct command_runtimes *runtimes, const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_icd_file, alphasort);
    struct text path = {0};

    for (int i = 0; i < count; i++) {
        text_clear(&path);
        text_add(&path, "%s/%s", folder, entries[i]->d_name);
        add_icd_file(runtimes, path.bytes);
        free(entries[i]);
    }
    free(entries);
    text_free(&path);
    return count >= 0;
}

static void add_libraries(struct command_runtimes *runtimes, const char *names)
{
    char *all = text_copy(names);
    char *rest = all;
    char *name;

    while ((name = strsep(&rest, ":")) != NULL)
        if (name[0] != '\0')
            runtimes_add(runtimes, name, name);
    heap_free(all);
}

void command_runtimes_find(struct command_runtimes *runtimes)
{
    const char *vendors = getenv("OCL_ICD_VENDORS");
    const char *libraries = getenv("OCL_ICD_FILENAMES");

    *runtimes = (struct command_runtimes){0};
    if (libraries != NULL)
        add_libraries(runtimes, libraries);
    if (vendors == NULL || vendors[0] == '\0')
        add_folder(runtimes, VENDORS);
    else if (is_icd_name(vendors))
        add_icd_file(runtimes, vendors);
    else if (!add_folder(runtimes, vendors))
        runtimes_add(runtimes, vendors, vendors);
}

/* Add the names of RUNTIMES, separated by commas. */
static void runtime_names_add(const struct command_runtimes *runtimes, struct text *text)
{
    for (size_t i = 0; i < runtimes->count; i++)
        text_add(text, "%s%s", i != 0 ? ", " : "", runtimes->all[i].name);
}

/* Whether WORD is the name of RUNTIME, or that of its .icd file. */
static bool is_named(const struct command_runtime *runtime, const char *word)
{
    size_t length = strlen(runtime->name);

    return strncmp(word, runtime->name, length) == 0 &&
           (word[length] == '\0' || strcmp(word + length, ICD_SUFFIX) == 0);
}

bool command_runtimes_choose(const struct command_runtimes *runtimes, const char *word,
                             struct command_runtimes *found, struct text *why)
{
    size_t before = found->count;

    if (is_icd_name(word))
        add_icd_file(found, word);
    for (size_t i = 0; i < runtimes->count && found->count == before; i++)
        if (is_named(&runtimes->all[i], word))
            runtimes_add(found, runtimes->all[i].name, runtimes->all[i].library);
    if (found->count != before)
        return true;
    if (!is_icd_name(word) && (strchr(word, '/') != NULL || strstr(word, ".so") != NULL)) {
        runtimes_add(found, word, word);
        return true;
    }
    text_add(why, "Unknown OpenCL runtime '%s'; use ", word);
    runtime_names_add(runtimes, why);
    text_put(why, runtimes->count != 0 ? ", or a library" : "a library (none is installed)");
    return false;
}

void command_runtimes_free(struct command_runtimes *runtimes)
{
    for (size_t i = 0; i < runtimes->count; i++) {
        heap_free(runtimes->all[i].name);
        heap_free(runtimes->all[i].library);
    }
    heap_free(runtimes->all);
    *runtimes = (struct command_runtimes){0};
}
