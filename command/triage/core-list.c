/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See triage.h. */
#include <command/triage/triage.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>
#include <unistd.h>

/* Bytes: comparing larger files may take longer than reading them. */
#define LARGEST_COPY ((off_t)16 << 20)
#define MOST_LIKE 4 /* files of the same size to compare with */
#define PIECE 65536

static struct command_core *core_add(struct command_core_list *list, const char *path)
{
    struct command_core *core = &list->all[list->count];

    *core = (struct command_core){.path = path, .same = list->count};
    core->status.st_size = -1;
    list->count++;
    return core;
}

void command_core_list_make(struct command_core_list *list, char *const *paths, size_t count,
                            const struct command_journal *journal)
{
    list->all = heap_get((count + 1) * sizeof(*list->all));
    for (size_t i = 0; i < count; i++) {
        struct command_core *core = core_add(list, paths[i]);
        struct stat status;

        core->journal_entry = journal != NULL ? command_journal_find(journal, paths[i]) : NULL;
        if (core->journal_entry != NULL && stat(paths[i], &status) != 0)
            core->why_unreadable = command_journal_why_unreadable(core->journal_entry);
    }
}

void command_core_list_of_journal(struct command_core_list *list,
                                  const struct command_journal *journal)
{
    list->all = heap_get((journal->count + 1) * sizeof(*list->all));
    for (size_t i = 0; i < journal->count; i++) {
        const struct command_journal_entry *journal_entry = &journal->all[i];
        struct command_core *core;

        if (journal_entry->is_again)
            continue;
        core = core_add(list, journal_entry->texts[command_journal_file]);
        core->journal_entry = journal_entry;
        core->why_unreadable = command_journal_why_unreadable(journal_entry);
    }
}

/* ---- Identical cores ------------------------------------------------------------------------- */

/* Order cores by the properties of their files, then as given. */
static int cores_compare(const void *left_ptr, const void *right_ptr)
{
    const struct command_core *left = *(struct command_core *const *)left_ptr;
    const struct command_core *right = *(struct command_core *const *)right_ptr;
    const struct stat *one = &left->status;
    const struct stat *other = &right->status;

    if (one->st_size != other->st_size)
        return one->st_size < other->st_size ? -1 : 1;
    if (one->st_dev != other->st_dev)
        return one->st_dev < other->st_dev ? -1 : 1;
    if (one->st_ino != other->st_ino)
        return one->st_ino < other->st_ino ? -1 : 1;
    return left < right ? -1 : 1;
}

static bool is_same_file(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Whether the file at PATH is unchanged since STATUS. */
static bool is_unchanged(const char *path, const struct stat *status)
{
    struct stat now;

    return stat(path, &now) == 0 && is_same_file(&now, status) && now.st_size == status->st_size &&
           now.st_mtim.tv_sec == status->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == status->st_mtim.tv_nsec &&
           now.st_ctim.tv_sec == status->st_ctim.tv_sec &&
           now.st_ctim.tv_nsec == status->st_ctim.tv_nsec;
}

/* Read SIZE bytes of FILE at POSITION.  Returns false if there are not as many. */
static bool read_piece(int file, char *bytes, size_t size, off_t position)
{
    while (size != 0) {
        ssize_t count = pread(file, bytes, size, position);

        if (count <= 0)
            return false;
        bytes += count;
        size -= (size_t)count;
        position += count;
    }
    return true;
}

/* Whether two files of SIZE bytes have the same contents. */
static bool has_same_bytes(int one, int other, off_t size)
{
    char *bytes = heap_get(2 * (size_t)PIECE);
    bool is_same = one >= 0 && other >= 0;

    for (off_t position = 0; is_same && position < size; position += PIECE) {
        size_t part = size - position < PIECE ? (size_t)(size - position) : PIECE;

        is_same = read_piece(one, bytes, part, position) &&
                  read_piece(other, bytes + PIECE, part, position) &&
                  memcmp(bytes, bytes + PIECE, part) == 0;
    }
    heap_free(bytes);
    return is_same;
}

static bool is_copy(const struct command_core *one, const struct command_core *other)
{
    int files[] = {open(one->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK),
                   open(other->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    bool is_same = has_same_bytes(files[0], files[1], one->status.st_size);

    for (size_t i = 0; i < 2; i++)
        if (files[i] >= 0)
            close(files[i]);
    return is_same;
}

/* Join CORE to an identical one of the COUNT before it in the order. */
static bool core_join(struct command_core *core, struct command_core *const *firsts, size_t count,
                      bool compares_bytes)
{
    for (size_t i = 0; i < count; i++) {
        const struct command_core *first = firsts[i];
        bool is_file = is_same_file(&core->status, &first->status);

        /* The journal may say something else about the other name. */
        if ((is_file && (compares_bytes || core->journal_entry == first->journal_entry)) ||
            (!is_file && compares_bytes && core->status.st_size <= LARGEST_COPY &&
             is_copy(core, first))) {
            core->same = first->same;
            return true;
        }
    }
    return false;
}

/* Put the cores that are readable regular files in order; returns their number. */
static size_t order_cores(struct command_core_list *list, struct command_core **order)
{
    size_t count = 0;

    for (size_t i = 0; i < list->count; i++) {
        struct command_core *core = &list->all[i];

        if (core->path == NULL || core->why_unreadable != NULL ||
            stat(core->path, &core->status) != 0 || !S_ISREG(core->status.st_mode) ||
            core->status.st_size == 0)
            core->status.st_size = -1;
        else
            order[count++] = core;
    }
    qsort(order, count, sizeof(order[0]), cores_compare);
    return count;
}

/* Give identical cores the number of the one that was given first. */
static void name_firsts(struct command_core_list *list)
{
    /* For each group: 1 + the number of the first one; 0: none yet. */
    size_t *first = heap_get((list->count + 1) * sizeof(first[0]));

    for (size_t i = 0; i < list->count; i++) {
        struct command_core *core = &list->all[i];
        size_t kind = core->same;

        if (first[kind] == 0)
            first[kind] = i + 1;
        core->same = first[kind] - 1;
        list->all[core->same].is_repeated |= core->same != i;
    }
    heap_free(first);
}

void command_core_list_find_same(struct command_core_list *list, bool compares_bytes)
{
    struct command_core **order = heap_get((list->count + 1) * sizeof(order[0]));
    size_t count = order_cores(list, order);
    struct command_core *firsts[MOST_LIKE]; /* files of the same size, the latest first */
    size_t first_count = 0;

    for (size_t i = 0; i < count; i++) {
        if (i != 0 && order[i]->status.st_size != order[i - 1]->status.st_size)
            first_count = 0;
        if (core_join(order[i], firsts, first_count, compares_bytes))
            continue;
        first_count += first_count < MOST_LIKE;
        memmove(firsts + 1, firsts, (first_count - 1) * sizeof(firsts[0]));
        firsts[0] = order[i];
    }
    name_firsts(list);
    heap_free(order);
}

bool command_core_is_as_first(const struct command_core_list *list, const struct command_core *core)
{
    const struct command_core *first = &list->all[core->same];

    return core != first && is_unchanged(first->path, &first->status) &&
           is_unchanged(core->path, &core->status);
}

void command_core_list_free(struct command_core_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        heap_free(list->all[i].record);
    heap_free(list->all);
    *list = (struct command_core_list){.count = 0};
}
