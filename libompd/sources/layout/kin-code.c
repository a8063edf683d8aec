/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a runtime's own code says about the fields in a layout of another build. clGetMemObjectInfo
 * of a runtime in C reads the size of a memory object by an instruction with the size's offset.
 * Where such instructions show most fields of a kind, one that they do not show is elsewhere. A
 * layout of another version is believed only if they show all fields.
 */
#include "sources/layout/runtime.h"
#include "target/machine.h"

#include <string.h>

#define MACHINE_X86_64 62
#define STACK_POINTER 4 /* number of the register */

/* At most so many bytes of a function are decoded, and so many offsets are remembered. */
#define MOST_CODE 16384
#define MOST_OFFSETS 512

/* The functions of the dispatch table that show fields, by their places in it. */
enum slot {
    slot_none,
    slot_context_info = 8,
    slot_queue_info = 12,
    slot_memobj_info = 20,
    slot_image_info = 21,
    slot_sampler_info = 25,
    slot_program_info = 32,
    slot_build_info = 33,
    slot_kernel_info = 39,
    slot_event_info = 42,
    slot_unmap = 58,
    slot_memobj_destructor = 83,
    slot_pipe_info = 125,
    slot_svm_alloc = 126,
    slot_enqueue_svm_free = 128,
    slot_context_destructor = 148
};

static const uint8_t slots_of_kinds[LAYOUT_KIND_COUNT] = {
    [layout_context] = slot_context_info, [layout_queue] = slot_queue_info,
    [layout_buffer] = slot_memobj_info,   [layout_image] = slot_memobj_info,
    [layout_pipe] = slot_memobj_info,     [layout_event] = slot_event_info,
    [layout_program] = slot_program_info, [layout_kernel] = slot_kernel_info,
    [layout_sampler] = slot_sampler_info,
};

/* For fields that other functions show. */
static const uint8_t slots_of_fields[LAYOUT_FIELD_COUNT] = {
    [layout_width] = slot_image_info,
    [layout_height] = slot_image_info,
    [layout_depth] = slot_image_info,
    [layout_array_size] = slot_image_info,
    [layout_row_pitch] = slot_image_info,
    [layout_slice_pitch] = slot_image_info,
    [layout_channel_order] = slot_image_info,
    [layout_channel_type] = slot_image_info,
    [layout_packet_size] = slot_pipe_info,
    [layout_max_packets] = slot_pipe_info,
    [layout_mapped_pointer] = slot_unmap,
    [layout_build_status] = slot_build_info,
    [layout_svm_queue] = slot_enqueue_svm_free,
    [layout_svm_pointer_count] = slot_enqueue_svm_free,
    [layout_svm_pointers] = slot_enqueue_svm_free,
    [layout_svm_function] = slot_enqueue_svm_free,
    [layout_svm_user_data] = slot_enqueue_svm_free,
};

/* The function that shows LIST of KIND. */
static enum slot slot_of_list(enum layout_kind kind, enum layout_list list)
{
    if (list == layout_svm)
        return slot_svm_alloc;
    if (list == layout_devices)
        return slot_context_info;
    if (list != layout_destructors)
        return slot_none;
    return kind == layout_context ? slot_context_destructor : slot_memobj_destructor;
}

/* The offsets in the operands of one function. */
struct code_offsets {
    struct target *target;
    const struct runtime *runtime;
    uint32_t slot; /* of the function; slot_none: none was read yet */
    bool is_read;
    uint32_t count;
    int64_t offsets[MOST_OFFSETS];
    ompd_rc_t rc; /* ompd_rc_ok, or what ends the call */
};

static void add_offset(struct code_offsets *code, const struct x86_instruction *instruction)
{
    bool is_of_object = instruction->has_modrm && instruction->is_memory &&
                        !instruction->is_relative && instruction->base != X86_NONE &&
                        instruction->base != STACK_POINTER;

    if (is_of_object && code->count < MOST_OFFSETS)
        code->offsets[code->count++] = instruction->displacement;
}

/* Read the offsets in the code [ADDRESS, END), as far as it is understood. */
static void read_offsets(struct code_offsets *code, uint64_t address, uint64_t end)
{
    struct x86_instruction instruction;
    const uint8_t *bytes;

    while (address < end) {
        uint32_t size = end - address < X86_LONGEST ? (uint32_t)(end - address) : X86_LONGEST;

        code->rc = target_view(code->target, address, size, 0, &bytes);
        if (code->rc != ompd_rc_ok || !x86_decode(bytes, size, &instruction))
            return;
        add_offset(code, &instruction);
        address += instruction.size;
    }
}

/* Read the function at SLOT of the dispatch table, unless that was the last one. */
static void read_function(struct code_offsets *code, enum slot slot)
{
    const struct runtime *runtime = code->runtime;
    struct module module = {.start = runtime->start, .end = runtime->end};
    struct target *target = code->target;
    uint64_t address, start, end;
    ompd_rc_t rc;

    if (code->slot == slot)
        return;
    code->slot = slot;
    code->count = 0;
    if (!target_word(target, runtime->table + (uint64_t)slot * target->pointer_size, &address) ||
        address < runtime->start || address >= runtime->end)
        return;
    rc = function_find(target, &module, address, &start, &end);
    if (rc == ompd_rc_ok && start == address)
        read_offsets(code, start, end - start < MOST_CODE ? end : start + MOST_CODE);
    else
        code->rc = rc;
    if (!rc_is_final(code->rc))
        code->rc = ompd_rc_ok;
}

static bool has_offset(const struct code_offsets *code, int64_t offset)
{
    for (uint32_t i = 0; i < code->count; i++) {
        if (code->offsets[i] == offset)
            return true;
    }
    return false;
}

/* Whether the function at SLOT has all offsets of PATH. */
static bool path_is_shown(struct code_offsets *code, enum slot slot, const struct layout_path *path)
{
    if (slot == slot_none)
        return false;
    read_function(code, slot);
    for (unsigned i = 0; i < path->count; i++) {
        if (!has_offset(code, path->offsets[i]))
            return false;
    }
    return true;
}

/* Whether code shows FIELD of KIND. A compiler may copy a format, which is two fields, at once. */
static bool field_is_shown(struct code_offsets *code, const struct layout_object *object,
                           enum layout_kind kind, enum layout_field field)
{
    const struct layout_location *order = &object->fields[layout_channel_order];
    const struct layout_path *path = &object->fields[field].path;
    enum slot slot =
        slots_of_fields[field] != slot_none ? slots_of_fields[field] : slots_of_kinds[kind];

    if (path_is_shown(code, slot, path) || (kind == layout_image && slot == slot_memobj_info &&
                                            path_is_shown(code, slot_image_info, path)))
        return true;
    return field == layout_channel_type && order->is_there &&
           path->offsets[0] == order->path.offsets[0] + order->width &&
           path_is_shown(code, slot, &order->path);
}

/* Whether the function at SLOT shows where LIST begins. A linked list of allocations changes with
 * versions, and clSVMAlloc shows its elements, too. */
static bool list_is_shown(struct code_offsets *code, enum slot slot,
                          const struct layout_list_location *list)
{
    if (!path_is_shown(code, slot, &list->first))
        return false;
    if (list->shape != layout_linked || slot != slot_svm_alloc)
        return true;
    for (unsigned i = 0; i < LAYOUT_ELEMENT_COUNT; i++) {
        if (list->elements[i].is_there && !path_is_shown(code, slot, &list->elements[i].path))
            return false;
    }
    return has_offset(code, list->next);
}

/* How many fields and lists of a kind the code shows, of those that some function should show. */
struct legibility {
    uint32_t shown;
    uint32_t hidden;
};

static void count_shown(struct legibility *legibility, bool is_shown)
{
    legibility->shown += is_shown;
    legibility->hidden += !is_shown;
}

static void read_kind(struct code_offsets *code, const struct layout_object *object,
                      enum layout_kind kind, struct legibility *legibility)
{
    for (unsigned i = 0; i < LAYOUT_FIELD_COUNT; i++) {
        /* No function returns the number that no two objects share. */
        if (object->fields[i].is_there && i != layout_unique &&
            slots_of_fields[i] != slot_enqueue_svm_free)
            count_shown(legibility, field_is_shown(code, object, kind, (enum layout_field)i));
    }
    for (unsigned i = 0; i < LAYOUT_LIST_COUNT; i++) {
        enum slot slot = slot_of_list(kind, (enum layout_list)i);

        if (object->lists[i].shape != layout_no_list && slot != slot_none)
            count_shown(legibility, list_is_shown(code, slot, &object->lists[i]));
    }
}

/* Remove the fields of SVM-free commands that the code does not show. Runtimes store them by a
 * function of their own, so that they may be anywhere in another version. */
static void remove_commands(struct code_offsets *code, struct layout_object *event)
{
    static const struct layout_location none = {.width = 0};

    for (unsigned i = 0; i < LAYOUT_FIELD_COUNT; i++) {
        if (slots_of_fields[i] == slot_enqueue_svm_free &&
            !path_is_shown(code, slot_enqueue_svm_free, &event->fields[i].path))
            event->fields[i] = none;
    }
}

/* What the code says about all kinds of LAYOUT. A contradiction is the better reason. */
static enum kin_verdict check_kinds(struct code_offsets *code, const struct layout *layout)
{
    enum kin_verdict verdict = kin_holds;

    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
        const struct layout_object *object = &layout->objects[kind];
        struct legibility legibility = {0};

        if (!object->is_there || slots_of_kinds[kind] == slot_none)
            continue;
        read_kind(code, object, (enum layout_kind)kind, &legibility);
        if (legibility.shown > legibility.hidden && legibility.hidden != 0)
            return kin_other_code;
        if (legibility.shown <= legibility.hidden)
            verdict = kin_other_version;
    }
    return verdict;
}

enum kin_verdict kin_code_check(struct target *target, const struct runtime *runtime,
                                struct layout *layout, ompd_rc_t *rc)
{
    struct code_offsets code = {.target = target, .runtime = runtime};
    enum kin_verdict verdict;

    *rc = ompd_rc_ok;
    if (layout->machine != MACHINE_X86_64)
        return kin_other_version;
    verdict = check_kinds(&code, layout);
    if (verdict == kin_holds)
        remove_commands(&code, &layout->objects[layout_event]);
    *rc = code.rc;
    return verdict;
}
