/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the last answer leaves open, in sentences. */
#include "answers/answers.h"

#include "answers/kept.h"

#include <string.h>

uint32_t notes_parts(uint32_t kind)
{
    static const uint32_t parts[] = {
        [ompd_cl_kind_platform] = COVERAGE(platforms),
        [ompd_cl_kind_context] = COVERAGE(contexts),
        [ompd_cl_kind_queue] = COVERAGE(queues),
        [ompd_cl_kind_memobj] = COVERAGE_MEMOBJS,
        [ompd_cl_kind_destructor] = COVERAGE_DESTRUCTORS,
        [ompd_cl_kind_svm] = COVERAGE(svms),
        [ompd_cl_kind_svm_free] = COVERAGE(svm_frees),
        [ompd_cl_kind_event] = COVERAGE(events),
        [ompd_cl_kind_kernel] = COVERAGE(kernels),
        [ompd_cl_kind_program] = COVERAGE(programs),
        [ompd_cl_kind_sampler] = COVERAGE(samplers),
    };

    return kind < sizeof(parts) / sizeof(parts[0]) ? parts[kind] : 0;
}

void notes_clear(struct address_space *space)
{
    space->notes = (struct notes){0};
}

bool notes_record(struct address_space *space, uint32_t parts)
{
    struct notes *notes = &space->notes;

    /* The recorder knows what the program did. */
    notes->parts = address_space_has_recorder(space) ? 0 : parts;
    notes->deferred =
        (notes->parts & COVERAGE_DESTRUCTORS) != 0 ? space->layout->inventory.deferred : 0;
    notes->is_searched = true;
    return !inventory_is_whole(&space->layout->inventory) || notes->deferred != 0 ||
           (inventory_is_misfit(&space->layout->inventory) && !address_space_has_recorder(space)) ||
           coverage_extent(space, notes->parts) != coverage_wholly;
}

void notes_record_lost_modules(struct address_space *space)
{
    space->notes.has_lost_modules = true;
}

void notes_record_missing(struct address_space *space, const struct shortfall *missing)
{
    space->notes.missing = *missing;
}

ompd_rc_t notes_record_threads(struct address_space *space)
{
    struct notes *notes = &space->notes;
    ompd_rc_t rc;

    if (!main_thread_has_ended(&space->target, &notes->main_lwp, &notes->thread_count, &rc))
        notes->thread_count = 0;
    return rc;
}

static void begin_memory_note(struct message *message, uint64_t bytes)
{
    message_clear(message);
    message_add_decimal(message, bytes);
    message_add(message, " B of the program's memory ");
}

/* Write sentence *INDEX about MISSING memory, which may MAY. If there are fewer, *INDEX is lowered
 * by their number. */
static bool write_unsearched(const struct shortfall *missing, const char *may,
                             struct message *message, uint32_t *index)
{
    const struct {
        uint64_t bytes;
        const char *why;
    } all[] = {
        {missing->unsaved, "is not in the core and may "},
        {missing->unsearched,
         "was not searched, because Linux before 6.7 cannot list so many pages; it may "},
        {missing->unreadable, "could not be read and may "},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (all[i].bytes == 0 || (*index)-- != 0)
            continue;
        begin_memory_note(message, all[i].bytes);
        message_add(message, all[i].why);
        message_add(message, may);
        return true;
    }
    return false;
}

/* PARTS without those that other parts imply. */
static uint32_t without_details(uint32_t parts)
{
    if ((parts & COVERAGE(svms)) != 0)
        parts &= ~COVERAGE(svm_sizes);
    if ((parts & COVERAGE_MEMOBJS) == COVERAGE_MEMOBJS)
        parts &= ~(COVERAGE(sizes) | COVERAGE(references) | COVERAGE(memobj_destructors));
    if ((parts & COVERAGE(events)) != 0)
        parts &= ~COVERAGE(svm_frees);
    return (parts & COVERAGE(contexts)) != 0 ? parts & ~COVERAGE(context_destructors) : parts;
}

/* Add the nouns for PARTS: "images, kernels and events". */
static void add_coverage_nouns(struct message *message, uint32_t parts)
{
    for (enum coverage_part part = 0; part < COVERAGE_COUNT; part++) {
        uint32_t rest = parts >> part >> 1; /* those that come later */

        if ((parts >> part & 1) == 0)
            continue;
        message_add(message, coverage_noun(part));
        if (rest != 0)
            message_add(message, (rest & (rest - 1)) == 0 ? " and " : ", ");
    }
}

/* Write sentence *INDEX about what layouts do not cover. If there are fewer, *INDEX is lowered by
 * their number. */
static bool write_uncovered(const struct address_space *space, struct message *message,
                            uint32_t *index)
{
    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        uint32_t lacks = without_details(coverage_missing(space, i, space->notes.parts));

        if (lacks == 0 || (*index)-- != 0)
            continue;
        message_clear(message);
        message_add(message, "the layout of ");
        message_add(message, text_file_name(space->layout->runtimes.all[i].module));
        message_add(message, " does not cover ");
        add_coverage_nouns(message, lacks);
        message_add(message, "; run the program under the recorder.");
        return true;
    }
    return false;
}

/* Write the sentence about callbacks that were taken out of their objects, if it is number
 * *INDEX. */
static bool write_deferred(const struct notes *notes, struct message *message, uint32_t *index)
{
    if (notes->deferred == 0 || (*index)-- != 0)
        return false;
    message_clear(message);
    message_add(message, "the layout does not show the destructor callbacks of ");
    message_add_decimal(message, notes->deferred);
    message_add(message, notes->deferred == 1 ? " object" : " objects");
    message_add(message, " being destroyed; run the program under the recorder.");
    return true;
}

/* Write sentence *INDEX about layouts that do not match. If there are fewer, *INDEX is lowered by
 * their number. */
static bool write_misfit(const struct address_space *space, struct message *message,
                         uint32_t *index)
{
    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        const struct runtime *runtime = &space->layout->runtimes.all[i];
        uint32_t count = space->layout->inventory.unrecognised[i];

        if (count == 0 || runtime->layout == NULL || (*index)-- != 0)
            continue;
        message_clear(message);
        message_add(message, "at least ");
        message_add_decimal(message, count);
        message_add(message, count == 1 ? " object of " : " objects of ");
        message_add(message, text_file_name(runtime->module));
        message_add(message, count == 1 ? " was" : " were");
        message_add(message, " presumably missed by its layout (");
        message_add(message, runtime->layout->runtime);
        message_add(
            message,
            "), which may be incomplete; run `ompd-opencl learn` where the runtime is installed");
        message_add(message, address_space_has_recorder(space)
                                 ? "."
                                 : ", or run the program under the recorder.");
        return true;
    }
    return false;
}

/* Write sentence *INDEX about layouts of other builds. If there are fewer, *INDEX is lowered by
 * their number. */
static bool write_kin(const struct address_space *space, struct message *message, uint32_t *index)
{
    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        const struct runtime *runtime = &space->layout->runtimes.all[i];

        if (!runtime_is_of_kin(runtime) || (*index)-- != 0)
            continue;
        message_clear(message);
        message_add(message, "no layout matches this build of ");
        message_add(message, text_file_name(runtime->module));
        message_add(message, ", so that of another build (");
        message_add(message, runtime->kin.of->runtime);
        message_add(message, ") is used; run `ompd-opencl learn` to be certain.");
        return true;
    }
    return false;
}

/* Write sentence INDEX about memory that was not searched. */
static bool write_memory(const struct inventory *inventory, struct message *message, uint32_t index)
{
    const struct untouched *untouched = &inventory->untouched;

    if (untouched->bytes != 0 && index-- == 0) {
        begin_memory_note(message, untouched->bytes);
        message_add(message, untouched->is_of_core
                                 ? "is not in the core, presumably because it was never written to."
                                 : "cannot be read, presumably because it was never written to.");
        return true;
    }
    if (write_unsearched(&inventory->missing, "contain objects.", message, &index))
        return true;
    if (inventory->has_lost_regions && index == 0) {
        message_clear(message);
        message_add(message,
                    "the tool failed to list all memory regions; the others may contain objects.");
        return true;
    }
    return false;
}

/* Of the allocator by its name. */
static void add_allocator(const struct address_space *space, struct message *message)
{
    message_add(message, "freed memory of ");
    message_add(message, space->notes.missing.allocator);
    message_add(message, " was not checked; run the program with glibc's malloc to check it.");
}

/* Write sentence *INDEX about mistakes that were not checked. If there are fewer, *INDEX is lowered
 * by their number. */
static bool write_unchecked(const struct address_space *space, struct message *message,
                            uint32_t *index)
{
    const struct notes *notes = &space->notes;
    /* libompd-opencl-view recognises those about freed memory by their first two words. */
    static const char *const sentences[UNCHECKED_COUNT] = {
        [unchecked_recorder] = "not checked without the recorder: over-releases, uses after "
                               "release, events set twice, SVM allocations in use, callbacks of "
                               "events and builds, callbacks that release their own object or get "
                               "freed user data, and forks; run the program under the recorder.",
        [unchecked_regions] =
            "the tool does not list mapped memory; uses of unmapped memory were not checked.",
        [unchecked_stacks] = "the ends of the threads' stacks are not known; uses of the memory of "
                             "returned functions were not checked.",
        [unchecked_callbacks] = "which callbacks wait is not known, because there is no recorder "
                                "and the tool does not provide call stacks.",
        [unchecked_objects] =
            "only the recorder knows what commands wait for, and for certain what "
            "threads do; run the program under the recorder.",
        [unchecked_certainty] =
            "only the recorder knows for certain what threads do, and what commands wait for "
            "besides their wait lists; run the program under the recorder.",
        [unchecked_waits] =
            "only the recorder knows which threads and commands wait, and for what; "
            "run the program under the recorder.",
        [unchecked_threads] = "the recorder in this process is older than registry version 1.1 and "
                              "records no threads; what they wait for is not known.",
        [unchecked_commands] =
            "the recorder in this process records no commands, because OMPD_OPENCL_HISTORY is 0 or "
            "it is older than registry version 1.3; what they wait for is not known.",
        [unchecked_references] =
            "only the recorder knows which objects the program has released, and therefore which "
            "of them are leaks; run the program under the recorder.",
        [unchecked_builds] = "the runtime's layout does not show whether programs were built; run "
                             "the program under the recorder.",
        [unchecked_user_data] = "the recorder in this process is older than registry version 1.8; "
                                "freed user data of callbacks was not checked.",
        [unchecked_mappings] = "the recorder in this process is older than registry version 1.10; "
                               "user data of callbacks in unmapped memory was not checked.",
        [unchecked_arguments] = "freed memory may still be used by released memory objects that a "
                                "kernel retains; run the program under the recorder to check it.",
        [unchecked_heaps] = "freed memory was not checked: no heap of glibc's malloc was found.",
        [unchecked_corrupt_heap] = "freed memory was not checked in a heap that is corrupt or was "
                                   "changing at this stop; continue the program and check again.",
        [unchecked_cached_blocks] =
            "freed memory was not checked in blocks that malloc may cache for "
            "a thread, because the cache was not found.",
    };

    for (unsigned i = 0; i < UNCHECKED_COUNT; i++) {
        if ((notes->missing.unchecked >> i & 1) == 0 || (*index)-- != 0)
            continue;
        message_clear(message);
        if (i == unchecked_allocator)
            add_allocator(space, message);
        else
            message_add(message, sentences[i]);
        return true;
    }
    return false;
}

static void write_main_thread(const struct notes *notes, struct message *message)
{
    message_clear(message);
    message_add(message, "the main thread (LWP ");
    message_add_decimal(message, notes->main_lwp);
    message_add(message, ") has ended; the process continues with ");
    message_add_decimal(message, notes->thread_count);
    message_add(message, notes->thread_count == 1 ? " thread." : " threads.");
}

/* Note number INDEX, in the address space's own message; false past the last. */
static bool write_note(struct address_space *space, uint32_t index)
{
    const struct notes *notes = &space->notes;

    if (notes->has_lost_modules && index-- == 0) {
        message_clear(&space->note);
        message_add(&space->note,
                    "not all of the target's modules could be read; runtimes may be missing.");
        return true;
    }
    if (notes->thread_count != 0 && index-- == 0) {
        write_main_thread(notes, &space->note);
        return true;
    }
    if (notes->missing.reason != NULL && index-- == 0) {
        message_clear(&space->note);
        message_add(&space->note, notes->missing.reason);
        return true;
    }
    if (write_unchecked(space, &space->note, &index) ||
        write_unsearched(&notes->missing, "contain the handle.", &space->note, &index))
        return true;
    if (!notes->is_searched || space->layout->inventory.stop != space->target.stop)
        return false;
    return write_kin(space, &space->note, &index) || write_uncovered(space, &space->note, &index) ||
           write_deferred(notes, &space->note, &index) ||
           write_misfit(space, &space->note, &index) ||
           write_memory(&space->layout->inventory, &space->note, index);
}

void notes_write(struct address_space *space, uint32_t index)
{
    if (!write_note(space, index))
        message_clear(&space->note);
    advice_replace(space, &space->note);
}

/* ---- Advice ---------------------------------------------------------------------------------- */

#define ADVICE "run the program under"

/* The runtime that is used without a loader; NULL if there is none. */
static const struct runtime *find_without_loader(const struct address_space *space)
{
    for (uint32_t i = 0; i < space->layout->runtimes.count; i++) {
        const struct runtime *runtime = &space->layout->runtimes.all[i];

        if (runtime->layout != NULL && runtime->layout->has_no_loader)
            return runtime;
    }
    return NULL;
}

/* The start of the clause with the advice in MESSAGE; its length if there is none. */
static size_t find_advice(const struct message *message)
{
    const size_t size = sizeof(ADVICE) - 1;

    for (size_t i = 0; i + size <= message->length; i++) {
        if (memcmp(message->text + i, ADVICE, size) != 0)
            continue;
        while (i > 0 && memchr(":;,", message->text[i], 3) == NULL)
            i--;
        return i;
    }
    return message->length;
}

void advice_replace(const struct address_space *space, struct message *message)
{
    size_t start = find_advice(message);
    const struct runtime *runtime = find_without_loader(space);

    if (start == message->length || runtime == NULL)
        return;
    message->text[start] = '\0';
    message->length = start;
    message_add(message, "; ");
    message_add(message, text_file_name(runtime->module));
    message_add(message, " replaces the OpenCL loader, which would load the recorder.");
}
