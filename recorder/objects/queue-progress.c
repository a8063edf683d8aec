/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/objects.h"

#include "objects/calls.h"

void recorder_queue_reached(const struct recorder_entry *queue, const struct recorder_point *point)
{
    struct ompd_cl_registry_queue_record *record = recorder_queue_record(queue);
    recorder_count_raise(&record->finished, point->number);
    recorder_count_raise(&record->flushed, point->number);
    recorder_count_raise(&record->quiet, point->moment);
    if (__atomic_load_n(&record->svm_frees, __ATOMIC_RELAXED) != 0) {
        recorder_svm_frees_finish(queue, point->number);
    }
    recorder_lingering_settle(queue);
}

void recorder_finish_begin(struct recorder_command *finish, cl_command_queue queue)
{
    recorder_point_get(finish, queue);
    if (finish->queue.object) {
        recorder_queue_flushed(&finish->queue, finish->point.number);
    }
}

void recorder_flush_begin(struct recorder_command *flush, cl_command_queue queue)
{
    recorder_point_get(flush, queue);
}

void recorder_finish_end(const struct recorder_command *finish)
{
    if (finish->queue.object && recorder_entry_is_there(&finish->queue)) {
        recorder_queue_reached(&finish->queue, &finish->point);
    }
}

void recorder_flush_end(const struct recorder_command *flush)
{
    if (flush->queue.object && recorder_entry_is_there(&flush->queue)) {
        recorder_queue_flushed(&flush->queue, flush->point.number);
    }
}
