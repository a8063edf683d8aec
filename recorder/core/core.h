/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What records of all kinds have in common, and the activities of threads. */
#ifndef RECORDER_CORE_H
#define RECORDER_CORE_H

#include "core/process.h"

#include <ompd-opencl-calls.h>
#include <ompd-opencl-registry.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

/* ---- activity -------------------------------------------------------------------------------- */

/*
 * The activities of a thread: the calls and callbacks that it is in, outermost first.
 *
 * A wrapper records its activity in its first line, and removes it when it returns. Only the thread
 * itself writes its record, and a reader sees it stopped. So plain stores are enough, in the order
 * of the code below.
 *
 * longjmp(), an exception or pthread_exit() can leave a wrapper without a return. So each activity
 * has the stack frame of its wrapper, and the next call of the thread drops the activities whose
 * frames no longer exist. No function has two activities.
 */

/* The calling thread is in a callback of KIND, whose record REFERENCE names, for HANDLE. */
#define RECORDER_CALLBACK(kind, reference, handle)                                                 \
    RECORDER_ACTIVITY(false, ompd_cl_registry_runs_##kind, reference, (uintptr_t)(handle), NULL)

#define RECORDER_ACTIVITY(is_caller, what, reference, handle, list)                                \
    __attribute__((cleanup(recorder_activity_end), unused)) struct recorder_activity activity =    \
        recorder_activity_begin(is_caller, what, reference, handle, list)

/* The thread of THREAD, which has activities, begins another one in the function with FRAME. Drop
 * the activities that it has left. Returns how many remain. */
uint32_t recorder_activities_drop(struct ompd_cl_registry_thread_record *thread, uint64_t frame);

/* Set [*START, *END) to the calling thread's own stack, both 0 when it is unknown. */
void recorder_own_stack_find(uint64_t *start, uint64_t *end);

/* Free what that allocated for the calling thread, which ends. */
void recorder_own_stack_release(void);

/* The innermost call of the thread of THREAD; 0 for none, or for one that is too deep to be
 * recorded. */
RECORDER_INLINE uint32_t recorder_activity_what(const struct ompd_cl_registry_thread_record *thread)
{
    uint32_t count = thread->activity_count;
    return count - 1 < OMPD_CL_REGISTRY_ACTIVITY_LIMIT
               ? OMPD_CL_REGISTRY_ACTIVITY_WHAT(thread->activities[count - 1].what)
               : 0;
}

/* The return address that the frame at FRAME stores; 0 on processors that store it elsewhere. */
RECORDER_INLINE uint64_t recorder_frame_return(uint64_t frame)
{
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
    return ((const volatile uintptr_t *)(uintptr_t)frame)[1];
#else
    (void)frame;
    return 0;
#endif
}

RECORDER_INLINE bool recorder_is_on_own_stack(const struct ompd_cl_registry_thread_record *thread,
                                              uint64_t address)
{
    return address - thread->stack_start < thread->stack_end - thread->stack_start;
}

/* Whether the thread of THREAD, in a function with FRAME, is certainly still in its innermost
 * activity, of COUNT. Then the frame of that activity is higher on the same stack, and its return
 * address is unchanged. */
RECORDER_INLINE bool
recorder_activity_is_current(const struct ompd_cl_registry_thread_record *thread, uint32_t count,
                             uint64_t frame)
{
    if (count > OMPD_CL_REGISTRY_ACTIVITY_LIMIT) {
        return false;
    }
    uint64_t outer = thread->frames_in[count - 1];
    return outer > frame && recorder_is_on_own_stack(thread, outer) &&
           recorder_is_on_own_stack(thread, frame) &&
           recorder_frame_return(outer) == thread->returns_to[count - 1];
}

struct recorder_activity {
    struct ompd_cl_registry_thread_record *thread; /* NULL: the thread has none */
    uint32_t count;                                /* of the activities around this one */
};

RECORDER_INLINE struct recorder_activity recorder_activity_begin(bool is_caller, uint32_t what,
                                                                 uint32_t reference,
                                                                 uint64_t handle, const void *list)
{
    struct recorder_heap *heap = recorder_heap_self;
    if (RECORDER_UNLIKELY(!heap)) {
        heap = recorder_heap_acquire(is_caller);
        if (!heap) {
            return (struct recorder_activity){NULL, 0};
        }
    }
    struct ompd_cl_registry_thread_record *thread = heap->thread;
    uint32_t count = thread->activity_count;
    uint64_t frame = (uintptr_t)__builtin_frame_address(0);
    /* Callbacks mostly run within a call. */
    if (RECORDER_UNLIKELY(count) &&
        (is_caller || RECORDER_UNLIKELY(!recorder_activity_is_current(thread, count, frame)))) {
        count = recorder_activities_drop(thread, frame);
    }
    if (RECORDER_LIKELY(count < OMPD_CL_REGISTRY_ACTIVITY_LIMIT)) {
        thread->activities[count].what = what;
        thread->activities[count].reference = reference;
        thread->activities[count].handle = handle;
        thread->frames_in[count] = frame;
        thread->returns_to[count] = recorder_frame_return(frame);
        /* A NULL list, which all wrappers but one pass, has no cost: a reader ignores the list of
         * an earlier activity. */
        if (list) {
            thread->lists[count] = (uintptr_t)list;
        }
        /* The other calls return too soon to justify reading the clock. */
        if (!is_caller || what & OMPD_CL_REGISTRY_ACTIVITY_WAITS) {
            thread->times[count] = recorder_clock_now();
        }
    }
    __atomic_store_n(&thread->activity_count, count + 1, __ATOMIC_RELEASE);
    return (struct recorder_activity){thread, count};
}

/* Restore the count from before, whatever happened to the activities within this one. */
RECORDER_INLINE void recorder_activity_end(const struct recorder_activity *activity)
{
    if (RECORDER_LIKELY(activity->thread)) {
        __atomic_store_n(&activity->thread->activity_count, activity->count, __ATOMIC_RELAXED);
        /* The entry must not be overwritten before the count excludes it. */
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (activity->count == 0 && RECORDER_UNLIKELY(!recorder_heap_self)) {
            recorder_heap_leave_late();
        }
    }
}

/* ---- address-list ---------------------------------------------------------------------------- */

/* Lists of addresses in the registry: the SVM pointers of a command, and the events that it waits
 * for. */

/* A list that grows at its front. */
struct recorder_address_list {
    uint32_t first; /* index plus 1 */
    uint32_t count;
};

/* Prepend an address. One that does not fit is counted as not recorded. */
void recorder_address_list_prepend(struct recorder_heap *heap, struct recorder_address_list *list,
                                   uint64_t address, bool from_svm_alloc);

/* Free the links from FIRST on. */
void recorder_address_list_end(struct recorder_heap *heap, uint32_t first);

/* Make a single link: its index plus 1; 0 when the table is full, which is counted. */
uint32_t recorder_address_make(struct recorder_heap *heap, uint64_t address);

/* A list whose first link is at *FIRST and that several threads use: add one link, or take them
 * all. */
void recorder_address_stack_push(uint32_t *first, uint32_t place);
uint32_t recorder_address_stack_take_all(uint32_t *first);

/* Free the link at PLACE. */
void recorder_address_link_free(struct recorder_heap *heap, uint32_t place);

/* The address of the link at PLACE, index plus 1; *NEXT gets the next place, 0 at the end. */
uint64_t recorder_address_list_get(uint32_t place, uint32_t *next);

/* The member that has that next place. */
uint32_t *recorder_address_list_next(uint32_t place);

/* ---- arguments ------------------------------------------------------------------------------- */

/*
 * The arguments of a kernel, and their values when a command that runs the kernel was enqueued.
 *
 * The record itself has the first arguments. A chain of blocks has the others, and grows when one
 * of them is set.
 */

/* Clear ARGUMENTS, which no other thread can see yet. */
void recorder_arguments_clear(struct ompd_cl_registry_arguments *arguments);

/* Set argument INDEX as clSetKernelArg does: to SIZE bytes at VALUE, or NULL. Without memory for it
 * the argument is not recorded, which is counted. */
void recorder_arguments_set(struct recorder_heap *heap,
                            struct ompd_cl_registry_arguments *arguments, cl_uint index,
                            size_t size, const void *value);

/* An SVM pointer or a device address. */
struct recorder_address_argument {
    enum ompd_cl_registry_argument_form form;
    uint32_t size; /* bytes of the argument */
    uint64_t address;
};

/* Set argument INDEX to ARGUMENT. */
void recorder_arguments_set_address(struct recorder_heap *heap,
                                    struct ompd_cl_registry_arguments *arguments, cl_uint index,
                                    const struct recorder_address_argument *argument);

/* Copy the current arguments of FROM, of a kernel, to TO, which no other thread can see yet. */
void recorder_arguments_copy(struct recorder_heap *heap, struct ompd_cl_registry_arguments *to,
                             const struct ompd_cl_registry_arguments *from);

/* Free the blocks of ARGUMENTS, whose record has ended. */
void recorder_arguments_end(struct recorder_heap *heap,
                            const struct ompd_cl_registry_arguments *arguments);

/* Arguments that are stored together. */
struct recorder_argument_run {
    const uint32_t *forms;
    const uint64_t *values;
    uint32_t first; /* number of the first */
    uint32_t count; /* how many */
    uint32_t total; /* of all arguments that are recorded */
    uint32_t next;  /* next block, index plus 1 */
};

/* Set RUN to the first arguments. */
void recorder_arguments_begin(const struct ompd_cl_registry_arguments *arguments,
                              struct recorder_argument_run *run);

/* Set RUN to the arguments that follow. Returns false at the end. */
bool recorder_arguments_next(struct recorder_argument_run *run);

/* ---- text-blocks ----------------------------------------------------------------------------- */

/* Texts of any length. A record has the beginning of a text. A longer text is also stored in full
 * in a chain of blocks, up to OMPD_CL_REGISTRY_TEXT_LIMIT bytes. A chain has one owner, which ends
 * it. */

/* Store TEXT, or NULL, of at most LIMIT bytes. HEAP may be NULL when out of memory. Blocks that
 * cannot be allocated are counted as not recorded. */
struct ompd_cl_registry_text recorder_text_make(struct recorder_heap *heap, const char *text,
                                                size_t limit);

/* Set a text of a record that no other thread can see yet: its beginning TO, and the full text
 * WHOLE. */
void recorder_text_set(struct recorder_heap *heap, char to[OMPD_CL_REGISTRY_TEXT_SIZE],
                       struct ompd_cl_registry_text *whole, const char *text, size_t limit);

/* Store another copy of TEXT, of a record that other threads can see. */
struct ompd_cl_registry_text recorder_text_clone(struct recorder_heap *heap,
                                                 const struct ompd_cl_registry_text *text);

/* Replace TEXT, of a record that is locked or has ended, by OTHER. Returns the former text, which
 * the caller then owns: two threads never get the same one. */
struct ompd_cl_registry_text recorder_text_replace(struct ompd_cl_registry_text *text,
                                                   struct ompd_cl_registry_text other);

/* Free the blocks of TEXT, which no record refers to any more. */
void recorder_text_end(struct recorder_heap *heap, struct ompd_cl_registry_text text);

/* The record of PROGRAM has ended: free its texts. */
void recorder_program_texts_end(struct recorder_heap *heap,
                                struct ompd_cl_registry_program_record *program);

/* ---- device ---------------------------------------------------------------------------------- */

/* The devices that OpenCL contexts were created with. */

/* What the recorder stores about a device. */
struct recorder_device {
    uint64_t handle;
    uint64_t type;     /* cl_device_type */
    uint32_t platform; /* index plus 1, 0 for unknown */
    const char *name;
};

/* Whether the device HANDLE has a record. */
bool recorder_device_is_known(uint64_t handle);

/* Make a record of DEVICE, unless it has one. */
void recorder_device_add(const struct recorder_device *device);

/* ---- extension ------------------------------------------------------------------------------- */

/*
 * Functions that a program gets by name, from clGetExtensionFunctionAddress*.
 *
 * Each platform has its own function for a name, but the program gets one wrapper for all of them.
 * So the recorder stores which platform returned which function.
 */

#define RECORDER_EXTENSION_PLATFORMS 16

/* What the platforms returned for one name. */
struct recorder_extension {
    uint32_t count;
    uint64_t platforms[RECORDER_EXTENSION_PLATFORMS]; /* 0: requested without a platform */
    void *functions[RECORDER_EXTENSION_PLATFORMS];
};

/* Store FUNCTION of PLATFORM. Returns false when the table is full: then the wrapper must not be
 * used. */
bool recorder_extension_add(struct recorder_extension *extension, uint64_t platform,
                            void *function);

/* The same, if all calls are to go to one function. Returns false for any other. */
bool recorder_extension_add_one(struct recorder_extension *extension, uint64_t platform,
                                void *function);

/* The function of PLATFORM. When that is unknown: one that was requested without a platform, or the
 * first. At least one function must be stored. */
void *recorder_extension_choose(const struct recorder_extension *extension, uint64_t platform);

/* ---- state-word ------------------------------------------------------------------------------ */

/*
 * The state word of an object's record: state, evidence, a tag (the generation's low 16 bits) and
 * the program's references, in one aligned word.
 *
 * A successful compare-and-exchange proves that the record is still the same object. Of several
 * threads that would end a record, exactly one succeeds.
 */

/* The positions of the members of struct ompd_cl_registry_object in the word. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define RECORDER_STATE_WORD_STATE 0
#define RECORDER_STATE_WORD_EVIDENCE 8
#define RECORDER_STATE_WORD_TAG 16
#define RECORDER_STATE_WORD_REFERENCES 32
#else
#define RECORDER_STATE_WORD_STATE 56
#define RECORDER_STATE_WORD_EVIDENCE 48
#define RECORDER_STATE_WORD_TAG 32
#define RECORDER_STATE_WORD_REFERENCES 0
#endif
_Static_assert(offsetof(struct ompd_cl_registry_object, state) % 8 == 0 &&
                   offsetof(struct ompd_cl_registry_object, evidence) ==
                       offsetof(struct ompd_cl_registry_object, state) + 1 &&
                   offsetof(struct ompd_cl_registry_object, references) ==
                       offsetof(struct ompd_cl_registry_object, state) + 4,
               "state, evidence and references share an aligned word");

#define RECORDER_STATE_WORD_ONE_REFERENCE (UINT64_C(1) << RECORDER_STATE_WORD_REFERENCES)

static inline uint8_t recorder_state_word_state(uint64_t word)
{
    return (uint8_t)(word >> RECORDER_STATE_WORD_STATE);
}

static inline uint8_t recorder_state_word_evidence(uint64_t word)
{
    return (uint8_t)(word >> RECORDER_STATE_WORD_EVIDENCE);
}

static inline int32_t recorder_state_word_references(uint64_t word)
{
    return (int32_t)(uint32_t)(word >> RECORDER_STATE_WORD_REFERENCES);
}

static inline uint64_t recorder_state_word_with_state(uint64_t word, uint8_t state)
{
    return (word & ~(UINT64_C(0xff) << RECORDER_STATE_WORD_STATE)) |
           (uint64_t)state << RECORDER_STATE_WORD_STATE;
}

static inline uint64_t recorder_state_word_with_evidence(uint64_t word, uint8_t evidence)
{
    return (word & ~(UINT64_C(0xff) << RECORDER_STATE_WORD_EVIDENCE)) |
           (uint64_t)evidence << RECORDER_STATE_WORD_EVIDENCE;
}

/* The state word of a new object whose slot is of GENERATION. */
static inline uint64_t recorder_state_word_make(uint32_t generation)
{
    return (uint64_t)ompd_cl_registry_live << RECORDER_STATE_WORD_STATE |
           (uint64_t)(generation & 0xffff) << RECORDER_STATE_WORD_TAG |
           RECORDER_STATE_WORD_ONE_REFERENCE;
}

/* Whether WORD is of the object that had its slot at GENERATION and has not ended. */
static inline bool recorder_state_word_is_of(uint64_t word, uint32_t generation)
{
    return recorder_state_word_state(word) != ompd_cl_registry_free &&
           (uint16_t)(word >> RECORDER_STATE_WORD_TAG) == (uint16_t)generation;
}

static inline uint64_t *recorder_state_word(struct ompd_cl_registry_object *object)
{
    return (uint64_t *)(void *)&object->state;
}

static inline uint64_t recorder_state_word_load(struct ompd_cl_registry_object *object)
{
    return __atomic_load_n(recorder_state_word(object), __ATOMIC_ACQUIRE);
}

/* Replace the state word if it is *EXPECTED; else set *EXPECTED to its value. */
static inline bool recorder_state_word_exchange(struct ompd_cl_registry_object *object,
                                                uint64_t *expected, uint64_t desired)
{
    return __atomic_compare_exchange_n(recorder_state_word(object), expected, desired, false,
                                       __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
}

/* ---- platform -------------------------------------------------------------------------------- */

/* The OpenCL platforms that contexts were created on. */

/* What the recorder stores about a platform. */
struct recorder_platform {
    uint64_t handle;
    const char *name;
    const char *version;
    const char *vendor;
};

/* The record of the platform HANDLE: its index plus 1; 0 for none. */
uint32_t recorder_platform_find(uint64_t handle);

/* The record of PLATFORM, which is made if it does not exist: its index plus 1; 0 when the table is
 * full. */
uint32_t recorder_platform_add(const struct recorder_platform *platform);

/* The cl_platform_id of the platform recorded at PLACE, index plus 1; 0 when PLACE is 0. */
uint64_t recorder_platform_handle(uint32_t place);

/* The version of the platform HANDLE, as CL_PLATFORM_VERSION; NULL when it is unknown. */
const char *recorder_platform_version(uint64_t handle);

/* ---- slot-ref -------------------------------------------------------------------------------- */

/* A slot's index and generation as one pointer: the user data that trampolines are registered with.
 */

/* The bits of the generation that fit beside the index. */
#define RECORDER_SLOT_REF_GENERATION_BITS                                                          \
    (sizeof(void *) == 8 ? OMPD_CL_REGISTRY_GENERATION_BITS : 32 - OMPD_CL_REGISTRY_INDEX_BITS)

static inline uint32_t recorder_slot_ref_generation_of(uint32_t generation)
{
    return generation & (uint32_t)((UINT64_C(1) << RECORDER_SLOT_REF_GENERATION_BITS) - 1);
}

static inline void *recorder_slot_ref_make(uint32_t index, uint32_t generation)
{
    uint64_t kept = recorder_slot_ref_generation_of(generation);
    return (void *)(uintptr_t)(kept << OMPD_CL_REGISTRY_INDEX_BITS | index);
}

static inline uint32_t recorder_slot_ref_index(const void *slot_ref)
{
    return OMPD_CL_REGISTRY_REFERENCE_INDEX((uint32_t)(uintptr_t)slot_ref);
}

static inline uint32_t recorder_slot_ref_generation(const void *slot_ref)
{
    return (uint32_t)((uint64_t)(uintptr_t)slot_ref >> OMPD_CL_REGISTRY_INDEX_BITS);
}

/* ---- usage ----------------------------------------------------------------------------------- */

/* The numbers of objects and bytes. Each thread counts in its own record what it creates and
 * destroys. Only the sum over all records is the true count. */

/* Add AMOUNT, which may be negative, to the count of KIND. */
RECORDER_INLINE void recorder_usage_add(struct recorder_heap *heap, uint32_t kind, int64_t amount)
{
    struct ompd_cl_registry_usage *usage = &heap->thread->usage[kind];
    int64_t live = usage->live + amount;
    __atomic_store_n(&usage->live, live, __ATOMIC_RELAXED);
    if (live > usage->peak) {
        __atomic_store_n(&usage->peak, live, __ATOMIC_RELAXED);
    }
}

/* The bytes of storage that an object of TABLE owns. */
RECORDER_INLINE int64_t recorder_usage_bytes(uint32_t table,
                                             const struct ompd_cl_registry_object *object)
{
    if (RECORDER_LIKELY(table == ompd_cl_registry_memobj)) {
        const struct ompd_cl_registry_memobj_record *memobj = (const void *)object;
        return memobj->parent_handle ? 0 : (int64_t)memobj->size;
    }
    if (table == ompd_cl_registry_svm) {
        return (int64_t)((const struct ompd_cl_registry_svm_record *)(const void *)object)->size;
    }
    return 0;
}

/* Count an object of TABLE that was created (SIGN 1) or has ended (-1). */
RECORDER_INLINE void recorder_usage_count(struct recorder_heap *heap, uint32_t table,
                                          const struct ompd_cl_registry_object *object,
                                          int64_t sign)
{
    int64_t bytes = sign * recorder_usage_bytes(table, object);
    if (RECORDER_UNLIKELY(table > ompd_cl_registry_callback)) {
        return; /* usage does not count objects of newer tables */
    }
    recorder_usage_add(heap, table - 1, sign);
    if (RECORDER_LIKELY(table == ompd_cl_registry_memobj)) {
        recorder_usage_add(heap, OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES, bytes);
    } else if (table == ompd_cl_registry_svm) {
        recorder_usage_add(heap, OMPD_CL_REGISTRY_USAGE_SVM_BYTES, bytes);
    }
}

/* In the child of a fork(): correct the sums by what the tables have, whatever the vanished threads
 * had not counted yet. The difference is added to HEAP's thread. */
void recorder_usage_repair(struct recorder_heap *heap);

#endif
