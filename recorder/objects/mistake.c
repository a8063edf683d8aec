/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

/* Mistakes at different places; a program that makes more loses the oldest. */
#define MISTAKE_LIMIT 256

static struct recorder_ring ring;
static bool is_to_stop; /* at the first mistake */

void recorder_mistakes_prepare(bool are_wanted, bool are_to_stop)
{
    is_to_stop = are_to_stop;
    recorder_rings_prepare(&ring, 1, ompd_cl_registry_mistake, are_wanted ? MISTAKE_LIMIT : 0);
}

bool recorder_mistakes_are_recorded(void)
{
    return ring.length != 0;
}

void recorder_mistake_set_object(struct recorder_mistake *mistake,
                                 const struct ompd_cl_registry_object *object, uint32_t table)
{
    mistake->object_table = table;
    mistake->object = object->handle;
    mistake->other_site.lwp = object->released_lwp;
    mistake->other_site.stack = object->released_stack;
    mistake->other_site.caller = object->released_caller;
}

/* Fill RECORD, which no other thread can see yet. */
static void mistake_fill(struct ompd_cl_registry_mistake_record *record,
                         const struct recorder_mistake *mistake, uint32_t what,
                         const struct recorder_site *site)
{
    record->handle = mistake->object;
    record->serial = __atomic_load_n(&ompd_opencl_registry.serial, __ATOMIC_RELAXED);
    record->what = what;
    record->caller = site->caller;
    record->at = recorder_clock_now();
    record->stack = site->stack;
    record->rule = mistake->rule;
    record->object_table = mistake->object_table;
    record->other_table = mistake->other_table;
    record->other = mistake->other;
    record->released_caller = mistake->other_site.caller;
    record->released_lwp = mistake->other_site.lwp;
    record->released_stack = mistake->other_site.stack;
    record->memory = (uintptr_t)mistake->address;
    record->size = mistake->size;
    record->function = (uintptr_t)mistake->function;
    record->argument = mistake->argument;
    record->error = mistake->error;
    record->repetitions = 1;
}

/* Whether ONE and OTHER are the same mistake at the same places. */
static bool mistakes_are_alike(const struct ompd_cl_registry_mistake_record *one,
                               const struct ompd_cl_registry_mistake_record *other)
{
    return one->rule == other->rule && one->caller == other->caller && one->what == other->what &&
           one->stack == other->stack && one->object_table == other->object_table &&
           one->other_table == other->other_table && one->argument == other->argument &&
           one->released_caller == other->released_caller &&
           one->released_stack == other->released_stack && one->function == other->function &&
           one->error == other->error;
}

/* Count the mistake in WANTED again. Returns false when it has not been made before. A mistake that
 * two threads make for the first time at once has two records. */
static bool mistake_count_again(const struct ompd_cl_registry_mistake_record *wanted)
{
    for (uint32_t i = 0; i < ring.length; i++) {
        struct ompd_cl_registry_mistake_record *record =
            recorder_record(ompd_cl_registry_mistake, ring.first + i);
        if (__atomic_load_n(&record->state, __ATOMIC_ACQUIRE) == ompd_cl_registry_live &&
            mistakes_are_alike(record, wanted)) {
            __atomic_fetch_add(&record->repetitions, 1, __ATOMIC_RELAXED);
            return true;
        }
    }
    return false;
}

/* Copy all of FROM but what the ring manages. */
static void mistake_copy(struct ompd_cl_registry_mistake_record *to,
                         const struct ompd_cl_registry_mistake_record *from, uint32_t lwp)
{
    struct ompd_cl_registry_mistake_record copy = *from;
    copy.change = to->change;
    copy.state = to->state;
    copy.lwp = lwp;
    memcpy(to, &copy, sizeof(copy));
}

/* Whether RULE is about mistakes, and not about facts that are worth a note. */
static bool rule_is_of_mistakes(uint32_t rule)
{
    enum { mistake, note };
    static const uint8_t levels[] = {
#define RULE(number, name, level, needs, word, meaning, clause, sentence) [number] = (level),
#include <schema/rules.def>
    };
    return levels[rule] == mistake;
}

/* End the program, which has made a mistake against RULE. A debugger stops at this signal; without
 * one the kernel may write a core. */
static void program_end(uint32_t rule)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTRAP);
    sigaction(SIGTRAP, &action, NULL);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    pthread_sigqueue(pthread_self(), SIGTRAP, (union sigval){.sival_int = (int)rule});
}

void recorder_mistake_report(uint32_t rule, uint64_t object)
{
    if (!rule_is_of_mistakes(rule)) {
        return;
    }
    ompd_cl_bp_mistake(rule, object);
    if (RECORDER_UNLIKELY(is_to_stop)) {
        program_end(rule);
    }
}

void recorder_mistake_record(const struct recorder_mistake *mistake, const void *return_address)
{
    const struct recorder_heap *heap = recorder_heap_mine();
    struct ompd_cl_registry_mistake_record record;
    struct recorder_ring_place place;
    struct recorder_site site;
    if (!heap || !ring.length || !heap->thread->activity_count) {
        return;
    }
    memset(&record, 0, sizeof(record));
    recorder_site_find(&site, return_address);
    mistake_fill(&record, mistake, recorder_activity_what(heap->thread), &site);
    if (!mistake_count_again(&record) &&
        recorder_ring_claim(&place, &ring, ompd_cl_registry_mistake, heap->lwp)) {
        mistake_copy(place.record, &record, heap->lwp);
        recorder_ring_publish(&place);
    }
    recorder_mistake_report(mistake->rule, mistake->object);
}
