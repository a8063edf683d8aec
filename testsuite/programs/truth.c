/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "truth.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TRUTH_MAX_ROWS 1024
#define RESERVATION (1UL << 30) /* bytes */

truth_counts_t truth_counts;

static truth_row_t rows[TRUTH_MAX_ROWS];
static size_t row_count;
static pthread_mutex_t rows_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t destructors_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t destructors_changed = PTHREAD_COND_INITIALIZER;
static _Thread_local truth_place_t last_place;

void truth_require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "truth: %s\n", what);
    exit(2);
}

static truth_place_t place_here(const char *function, const char *file, int line)
{
    const char *slash = strrchr(file, '/');
    return (truth_place_t){function, slash != NULL ? slash + 1 : file, line, gettid()};
}

void truth_place_set(const char *function, const char *file, int line)
{
    last_place = place_here(function, file, line);
}

void truth_release_set(truth_row_t *row, const char *function, const char *file, int line)
{
    row->references = 0;
    row->state = "app-released";
    row->released = place_here(function, file, line);
}

/* A handle that is reused no longer belongs to the former object. The lock is held. */
static void handle_take_over(truth_table_t table, const void *handle)
{
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].table == table && rows[i].handle == handle && rows[i].may_be_gone)
            rows[i].gone = true;
}

truth_row_t *truth_row_add(truth_table_t table, const char *kind, const void *handle)
{
    pthread_mutex_lock(&rows_lock);
    handle_take_over(table, handle);
    truth_require(row_count < TRUTH_MAX_ROWS, "too many rows");
    truth_row_t *row = &rows[row_count++];
    pthread_mutex_unlock(&rows_lock);
    row->table = table;
    row->kind = kind;
    row->handle = handle;
    row->state = "live";
    row->references = 1;
    row->children = -1;
    row->place = last_place;
    return row;
}

truth_row_t *truth_row_find(truth_table_t table, const void *handle)
{
    for (size_t i = row_count; i > 0; i--) {
        truth_row_t *row = &rows[i - 1];
        if (row->table == table && row->handle == handle && !row->gone)
            return row;
    }
    return NULL;
}

truth_row_t *truth_row_get(size_t index)
{
    return index < row_count ? &rows[index] : NULL;
}

void truth_destructor_add(truth_row_t *row, const char *symbol, const void *function,
                          const void *user_data)
{
    truth_require(row->destructor_count < TRUTH_MAX_DESTRUCTORS, "too many destructors");
    truth_destructor_t *destructor = &row->destructors[row->destructor_count++];
    destructor->symbol = symbol;
    destructor->function = function;
    destructor->user_data = user_data;
    destructor->state = "registered";
    destructor->place = last_place;
}

truth_destructor_t *truth_destructor_begin(truth_table_t table, const void *handle,
                                           const void *function, const void *user_data)
{
    truth_row_t *row = truth_row_find(table, handle);
    truth_require(row != NULL, "a destructor callback of no object runs");
    for (size_t i = row->destructor_count; i > 0; i--) {
        truth_destructor_t *destructor = &row->destructors[i - 1];
        if (strcmp(destructor->state, "registered") != 0)
            continue;
        truth_require(destructor->function == function && destructor->user_data == user_data,
                      "destructor callbacks run out of order");
        row->state = "destroying";
        destructor->state = "running";
        destructor->running_lwp = gettid();
        return destructor;
    }
    truth_require(false, "a destructor callback runs twice");
    return NULL;
}

void truth_destructor_end(truth_destructor_t *destructor)
{
    pthread_mutex_lock(&destructors_lock);
    destructor->state = "done";
    pthread_cond_broadcast(&destructors_changed);
    pthread_mutex_unlock(&destructors_lock);
}

static bool destructors_are_done(const truth_row_t *row)
{
    for (size_t i = 0; i < row->destructor_count; i++)
        if (strcmp(row->destructors[i].state, "done") != 0)
            return false;
    return true;
}

bool truth_destructors_await(const truth_row_t *row)
{
    bool ran_here = true;
    pthread_mutex_lock(&destructors_lock);
    while (!destructors_are_done(row))
        pthread_cond_wait(&destructors_changed, &destructors_lock);
    for (size_t i = 0; i < row->destructor_count; i++)
        ran_here &= row->destructors[i].running_lwp == gettid();
    pthread_mutex_unlock(&destructors_lock);
    return ran_here;
}

static void write_pointer(FILE *file, const char *key, const void *pointer)
{
    if (pointer == NULL)
        fprintf(file, ", \"%s\": null", key);
    else
        fprintf(file, ", \"%s\": \"0x%llx\"", key, (unsigned long long)(uintptr_t)pointer);
}

/* Under keys that begin with BEFORE. */
static void write_place(FILE *file, const char *before, const truth_place_t *place)
{
    if (place->function == NULL) {
        fprintf(file, ", \"%slwp\": null, \"%scaller\": null", before, before);
        return;
    }
    fprintf(file,
            ", \"%slwp\": %ld, \"%scaller\": {\"function\": \"%s\", \"file\": \"%s\","
            " \"line\": %d}",
            before, (long)place->lwp, before, place->function, place->file, place->line);
}

static void write_destructors(FILE *file, const truth_row_t *row)
{
    fprintf(file, ", \"destructor_count\": %zu, \"destructors\": [", row->destructor_count);
    for (size_t i = row->destructor_count; i > 0; i--) {
        const truth_destructor_t *destructor = &row->destructors[i - 1];
        fprintf(file, "%s{\"symbol\": \"%s\"", i == row->destructor_count ? "" : ", ",
                destructor->symbol);
        write_pointer(file, "function", destructor->function);
        fprintf(file, ", \"user_data\": \"0x%llx\"",
                (unsigned long long)(uintptr_t)destructor->user_data);
        fprintf(file, ", \"state\": \"%s\"", destructor->state);
        if (destructor->running_lwp != 0)
            fprintf(file, ", \"running_lwp\": %ld", (long)destructor->running_lwp);
        write_place(file, "", &destructor->place);
        fputc('}', file);
    }
    fputc(']', file);
}

static void write_memobj(FILE *file, const truth_row_t *row)
{
    fprintf(file, ", \"kind\": \"%s\", \"size\": %zu, \"flags_value\": %llu", row->kind, row->size,
            (unsigned long long)row->flags);
    fprintf(file, ", \"references\": %ld, \"children\": %ld", row->references, row->children);
    write_pointer(file, "parent", row->parent);
    write_pointer(file, "host_pointer", row->host_pointer);
    write_pointer(file, "svm", row->svm);
    if (row->has_origin)
        fprintf(file, ", \"origin\": %zu", row->origin);
    else
        fprintf(file, ", \"origin\": null");
    if (row->sharing != NULL)
        fprintf(file, ", \"sharing\": \"%s\", \"sharing_name\": %ld", row->sharing,
                row->sharing_name);
    write_place(file, "released_", &row->released);
    write_destructors(file, row);
}

static void write_addresses(FILE *file, const char *key, size_t count, const void *const *addresses)
{
    fprintf(file, ", \"%s\": [", key);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s\"0x%llx\"", i == 0 ? "" : ", ",
                (unsigned long long)(uintptr_t)addresses[i]);
    fputc(']', file);
}

static void write_svm_free(FILE *file, const truth_row_t *row)
{
    write_pointer(file, "queue", row->queue);
    write_pointer(file, "event", row->event);
    write_pointer(file, "function", row->function);
    if (row->function != NULL) {
        fprintf(file, ", \"symbol\": \"%s\"", row->symbol);
        write_pointer(file, "user_data", row->user_data);
    }
    fprintf(file, ", \"pointer_count\": %zu, \"wait_count\": %zu", row->pointer_count,
            row->wait_count);
    write_addresses(file, "pointers", row->pointer_count, row->pointers);
    fprintf(file, ", \"from_svm_alloc\": [");
    for (size_t i = 0; i < row->pointer_count; i++)
        fprintf(file, "%s%d", i == 0 ? "" : ", ", row->from_svm_alloc[i]);
    fputc(']', file);
    write_addresses(file, "waits", row->wait_count, row->waits);
    if (row->running_lwp != 0)
        fprintf(file, ", \"running_lwp\": %ld", (long)row->running_lwp);
}

/* A text, or NULL. */
static void write_text(FILE *file, const char *key, const char *text)
{
    if (text == NULL)
        fprintf(file, ", \"%s\": null", key);
    else
        fprintf(file, ", \"%s\": \"%s\"", key, text);
}

static void write_event(FILE *file, const truth_row_t *row)
{
    write_text(file, "type", row->kind);
    write_pointer(file, "queue", row->queue);
    write_text(file, "execution", row->execution);
    if (row->set_by != 0)
        fprintf(file, ", \"set_by\": %ld", (long)row->set_by);
}

static void write_command(FILE *file, const truth_row_t *row)
{
    write_text(file, "type", row->kind);
    write_pointer(file, "queue", row->queue);
    write_pointer(file, "event", row->event);
    write_pointer(file, "memobj", row->memobj);
    fprintf(file, ", \"number\": %ld, \"wait_count\": %zu, \"is_blocking\": false", row->number,
            row->wait_count);
    fprintf(file, ", \"is_flushed\": %s", row->is_flushed ? "true" : "false");
    write_addresses(file, "waits", row->wait_count, row->waits);
}

static void write_program(FILE *file, const truth_row_t *row)
{
    fprintf(file, ", \"children\": %ld", row->children);
    write_text(file, "build", row->build);
    write_text(file, "options", row->options);
    if (row->build_error != 0)
        fprintf(file, ", \"build_error\": %ld", row->build_error);
    if (row->build != NULL)
        fprintf(file, ", \"build_lwp\": %ld", (long)row->build_lwp);
    fprintf(file, ", \"has_log\": %s", row->has_log ? "true" : "false");
}

static void write_sampler(FILE *file, const truth_row_t *row)
{
    fprintf(file, ", \"normalized\": %s", row->is_normalized ? "true" : "false");
    write_text(file, "addressing", row->addressing);
    write_text(file, "filter", row->filter);
}

static void write_row(FILE *file, const truth_row_t *row)
{
    fprintf(file, "  {\"state\": \"%s\"", row->state);
    if (row->table != truth_svm_frees && row->table != truth_commands)
        write_pointer(file, row->table == truth_svm ? "pointer" : "handle", row->handle);
    if (row->table != truth_contexts)
        write_pointer(file, "context", row->context);
    switch (row->table) {
    case truth_contexts:
        write_pointer(file, "platform", row->platform);
        fprintf(file, ", \"references\": %ld, \"devices\": %ld", row->references, row->devices);
        write_destructors(file, row);
        break;
    case truth_queues:
        write_pointer(file, "device", row->device);
        fprintf(file, ", \"references\": %ld, \"properties_value\": %llu, \"svm_frees\": %ld",
                row->references, (unsigned long long)row->flags, row->svm_frees);
        break;
    case truth_memobjs:
        write_memobj(file, row);
        break;
    case truth_svm:
        fprintf(file, ", \"kind\": \"%s\", \"size\": %zu, \"flags_value\": %llu", row->kind,
                row->size, (unsigned long long)row->flags);
        fprintf(file, ", \"alignment\": %ld", row->alignment);
        break;
    case truth_svm_frees:
        write_svm_free(file, row);
        break;
    case truth_commands:
        write_command(file, row);
        break;
    case truth_events:
        write_event(file, row);
        break;
    case truth_kernels:
        write_text(file, "name", row->name);
        write_pointer(file, "program", row->parent);
        break;
    case truth_programs:
        write_program(file, row);
        break;
    case truth_samplers:
        write_sampler(file, row);
        break;
    }
    if (row->table >= truth_events)
        fprintf(file, ", \"references\": %ld", row->references);
    if (row->may_be_gone)
        fprintf(file, ", \"may_be_gone\": true");
    write_place(file, "", &row->place);
    fputc('}', file);
}

static void write_table(FILE *file, const char *key, truth_table_t table)
{
    const char *separator = "\n";
    fprintf(file, ",\n \"%s\": [", key);
    for (size_t i = 0; i < row_count; i++) {
        if (rows[i].table != table || rows[i].gone)
            continue;
        fputs(separator, file);
        write_row(file, &rows[i]);
        separator = ",\n";
    }
    fputs("]", file);
}

/* The same for a table that some programs have no rows of: theirs omits it. */
static void write_kept_table(FILE *file, const char *key, truth_table_t table)
{
    for (size_t i = 0; i < row_count; i++) {
        if (rows[i].table == table) {
            write_table(file, key, table);
            return;
        }
    }
}

void truth_write(const char *path)
{
    FILE *file = fopen(path, "w");
    truth_require(file != NULL, "cannot write the truth file");
    fprintf(file, "{\"pid\": %ld, \"lwp\": %ld,\n", (long)getpid(), (long)gettid());
    fprintf(file, " \"counted_events\": %ld", truth_counts.events);
    write_table(file, "contexts", truth_contexts);
    write_table(file, "queues", truth_queues);
    write_table(file, "memobjs", truth_memobjs);
    write_table(file, "svm", truth_svm);
    write_table(file, "svm-frees", truth_svm_frees);
    write_kept_table(file, "commands", truth_commands);
    write_kept_table(file, "events", truth_events);
    write_kept_table(file, "kernels", truth_kernels);
    write_kept_table(file, "programs", truth_programs);
    write_kept_table(file, "samplers", truth_samplers);
    fprintf(file, "}\n");
    truth_require(fclose(file) == 0, "cannot write the truth file");
}

void truth_leave_out_reservations(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    unsigned long start;
    unsigned long end;
    char permissions[5];
    truth_require(maps != NULL, "no /proc");
    while (fgets(line, sizeof(line), maps) != NULL)
        if (sscanf(line, "%lx-%lx %4s", &start, &end, permissions) == 3 &&
            strcmp(permissions, "---p") == 0 && end - start >= RESERVATION)
            madvise((void *)start, end - start, MADV_DONTDUMP);
    fclose(maps);
}

__attribute__((noinline)) void truth_stop(const char *stop)
{
    __asm__ volatile("" : : "r"(stop) : "memory");
}

void truth_await_input(void)
{
    char byte;
    truth_require(read(STDIN_FILENO, &byte, sizeof(byte)) == sizeof(byte), "no input");
}
