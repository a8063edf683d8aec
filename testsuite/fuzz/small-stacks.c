/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "small-stacks.h"

#include "heap-edits.h"
#include "registry-edits.h"
#include "small-scene.h"

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A module: a page whose parts are mapped as segments are. */
#define PAGE UINT64_C(4096)
#define INDEX 0x180 /* of the unwind tables, */
#define ENTRIES 0x280
#define TEXT 0x400
#define DATA 0xc00

#define FUNCTION_SIZE 0x40
#define FUNCTIONS 16 /* of the unwind tables */
#define LOCK 0       /* of the C library: pthread_mutex_lock, and what calls Linux */
#define SYSTEM_CALL 1

#define THREADS 3
#define FRAMES 4
#define REGISTERS 33 /* by their numbers in DWARF */
#define FIRST_LWP 4711

enum module_number { app, loader, c_library, module_count };

static const char *const module_names[] = {
    "/usr/bin/app",
    "/usr/lib/libOpenCL.so.1",
    "/usr/lib/libc.so.6",
};

/* Functions of the loader, in the order of their code; slots of the program lead to them. */
static const char *const call_names[] = {
    "clFinish",
    "clWaitForEvents",
    "clBuildProgram",
    "clEnqueueReadBuffer",
    "clEnqueueSVMFree",
    "clEnqueueNDRangeKernel",
    "clSetKernelArg",
    "clReleaseMemObject",
    "clSetUserEventStatus",
};
#define CALLS (sizeof(call_names) / sizeof(call_names[0]))

struct frame {
    uint64_t pc;
    uint64_t address;
    uint64_t function;
    bool is_caller;
    bool has_registers;
    uint64_t registers[REGISTERS];
};

/* The parts of a target besides its memory. */
struct stacks {
    const struct small_target *small;
    uint32_t machine;
    uint64_t modules[module_count];
    struct frame threads[THREADS][FRAMES];
};

#define TARGETS 16
static struct stacks made[TARGETS];
static size_t made_count;
static struct stacks now;

/* ---- Answers of the tool --------------------------------------------------------------------- */

static ompd_rc_t tell_thread(ompd_address_space_context_t *context, ompd_size_t index,
                             ompd_cl_target_thread_t *thread)
{
    (void)context;
    if (index >= THREADS)
        return ompd_rc_unavailable;
    thread->lwp = FIRST_LWP + index;
    thread->pthread = FAKE_PTHREAD(FIRST_LWP + index);
    return ompd_rc_ok;
}

static ompd_rc_t tell_frames(ompd_address_space_context_t *context, uint64_t lwp,
                             ompd_size_t capacity, ompd_cl_frame_t *frames, ompd_size_t *count)
{
    static ompd_cl_register_t registers[FRAMES][REGISTERS];
    uint32_t size = fake_current->pointer_size;

    (void)context;
    *count = 0;
    if (lwp < FIRST_LWP || lwp >= FIRST_LWP + THREADS)
        return ompd_rc_unavailable;
    for (; *count < capacity && *count < FRAMES; ++*count) {
        const struct frame *frame = &now.threads[lwp - FIRST_LWP][*count];

        if (frame->pc == 0)
            break;
        for (uint32_t i = 0; i < REGISTERS; i++)
            registers[*count][i] = (ompd_cl_register_t){i, size, frame->registers[i]};
        frames[*count] = (ompd_cl_frame_t){
            .pc = frame->pc,
            .frame_address = frame->address,
            .function = frame->function,
            .is_caller = frame->is_caller,
            .register_count = frame->has_registers ? REGISTERS : 0,
            .registers = registers[*count],
        };
    }
    return ompd_rc_ok;
}

const ompd_cl_extra_t *small_stacks_extra(void)
{
    static ompd_cl_extra_t extra;

    extra = fake_extra;
    extra.thread = tell_thread;
    extra.frames = tell_frames;
    return &extra;
}

/* ---- Modules --------------------------------------------------------------------------------- */

static void put(struct fake_target *target, uint64_t address, unsigned size, uint64_t value)
{
    if (address >= FAKE_BASE && address - FAKE_BASE <= target->size - size)
        fake_put(target, address, size, value);
}

static void put_bytes(struct fake_target *target, uint64_t address, const void *bytes, size_t size)
{
    memcpy(target->bytes + (address - FAKE_BASE), bytes, size);
}

/* Where function NUMBER of module MODULE begins. */
static uint64_t function_of(enum module_number module, unsigned number)
{
    return now.modules[module] + TEXT + number * FUNCTION_SIZE;
}

/* The slot where the program stores the address of function NUMBER of the loader. */
static uint64_t slot_of(const struct fake_target *target, unsigned number)
{
    return now.modules[app] + DATA + number * target->pointer_size;
}

/* The target's number MEMBER of the ELF structure at ADDRESS. */
#define PUT_ELF(target, address, type, member, value)                                              \
    ((target)->pointer_size == 8 ? fake_put(target, (address) + offsetof(Elf64_##type, member),    \
                                            sizeof(((Elf64_##type *)0)->member), value)            \
                                 : fake_put(target, (address) + offsetof(Elf32_##type, member),    \
                                            sizeof(((Elf32_##type *)0)->member), value))

static void put_segment(struct fake_target *target, uint64_t start, unsigned number, uint32_t type,
                        uint64_t place, uint64_t size)
{
    unsigned header_size = target->pointer_size == 8 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    uint64_t header = start + sizeof(Elf64_Ehdr) + (uint64_t)number * header_size;
    uint32_t flags = place == TEXT ? PF_R | PF_X : place == DATA ? PF_R | PF_W : PF_R;

    PUT_ELF(target, header, Phdr, p_type, type);
    PUT_ELF(target, header, Phdr, p_flags, flags);
    PUT_ELF(target, header, Phdr, p_vaddr, place);
    PUT_ELF(target, header, Phdr, p_memsz, size);
}

/* Write functions from FIRST on to the unwind tables at INDEX. */
static void put_index(struct fake_target *target, uint64_t index, uint64_t first)
{
    static const uint8_t usual_start[] = {1, 0x1b, 3, 0x3b};

    put_bytes(target, index, usual_start, sizeof(usual_start));
    fake_put(target, index + 8, 4, FUNCTIONS);
    for (uint64_t i = 0; i < FUNCTIONS; i++) {
        uint64_t entry = ENTRIES - INDEX + i * 16;

        fake_put(target, index + 12 + i * 8, 4, (uint32_t)(first + i * FUNCTION_SIZE - index));
        fake_put(target, index + 16 + i * 8, 4, entry);
        fake_put(target, index + entry + 12, 4, FUNCTION_SIZE);
    }
}

static uint32_t add_module(struct fake_target *target, enum module_number number)
{
    uint64_t start = fake_reserve(target, PAGE, PAGE);

    now.modules[number] = start;
    fake_put_module_header(target, start, PAGE);
    PUT_ELF(target, start, Ehdr, e_machine, now.machine);
    PUT_ELF(target, start, Ehdr, e_phnum, 4);
    put_segment(target, start, 0, PT_LOAD, 0, TEXT);
    put_segment(target, start, 1, PT_LOAD, TEXT, DATA - TEXT);
    put_segment(target, start, 2, PT_LOAD, DATA, PAGE - DATA);
    put_segment(target, start, 3, PT_GNU_EH_FRAME, INDEX, TEXT - INDEX);
    put_index(target, start + INDEX, start + TEXT);
    fake_permit(target, start, start + TEXT, ompd_cl_permission_read);
    fake_permit(target, start + TEXT, start + DATA,
                ompd_cl_permission_read | ompd_cl_permission_execute);
    fake_permit(target, start + DATA, start + PAGE,
                ompd_cl_permission_read | ompd_cl_permission_write);
    return fake_add_module(target, module_names[number], NULL, 0, start, start + PAGE);
}

static void add_modules(struct fake_target *target)
{
    uint32_t module;

    add_module(target, app);
    module = add_module(target, loader);
    for (unsigned i = 0; i < CALLS; i++) {
        fake_add_symbol(target, module, call_names[i], function_of(loader, i));
        fake_put(target, slot_of(target, i), target->pointer_size, function_of(loader, i));
    }
    module = add_module(target, c_library);
    fake_add_symbol(target, module, "pthread_mutex_lock", function_of(c_library, LOCK));
}

/* ---- Code ------------------------------------------------------------------------------------ */

/* Write at PLACE a call of FUNCTION, through the slot if SLOT is not 0; returns its return
 * address. */
static uint64_t put_call(struct fake_target *target, uint64_t place, uint64_t function,
                         uint64_t slot)
{
    if (now.machine == EM_AARCH64) {
        uint32_t call = 0x94000000 | ((uint32_t)(function - place) >> 2 & 0x3ffffff);

        put_bytes(target, place, &call, sizeof(call));
        return place + sizeof(call);
    }
    if (slot == 0) {
        put_bytes(target, place, "\xe8", 1);
        fake_put(target, place + 1, 4, (uint32_t)(function - (place + 5)));
        return place + 5;
    }
    put_bytes(target, place, "\xff\x15", 2);
    fake_put(target, place + 2, 4, (uint32_t)(now.machine == EM_386 ? slot : slot - (place + 6)));
    return place + 6;
}

struct code {
    size_t size;
    const char *bytes;
};

/* Function NUMBER of the program: its arguments and a call. Returns the return address of the
 * call. */
static uint64_t put_function(struct fake_target *target, unsigned number, uint64_t function,
                             uint64_t slot)
{
    static const struct code on_x86_64[] = {
        {3, "\x48\x89\xdf"},                              /* mov %rbx, %rdi */
        {10, "\x48\x8d\x74\x24\x08\xbf\x02\x00\x00\x00"}, /* lea 8(%rsp), %rsi; mov $2, %edi */
        {8, "\x48\x89\xdf\xba\x01\x00\x00\x00"},          /* mov %rbx, %rdi; mov $1, %edx */
        {4, "\x48\x83\xec\x08"},                          /* sub $8, %rsp */
    };
    static const struct code on_aarch64[] = {
        {4, "\xe0\x03\x13\xaa"},                 /* mov x0, x19 */
        {8, "\x40\x00\x80\x52\xe1\x23\x00\x91"}, /* mov w0, #2; add x1, sp, #8 */
        {8, "\xe0\x03\x13\xaa\x22\x00\x80\x52"}, /* mov x0, x19; mov w2, #1 */
        {4, "\xff\x43\x00\xd1"},                 /* sub sp, sp, #16 */
    };
    const struct code *code = now.machine == EM_AARCH64 ? on_aarch64 : on_x86_64;
    uint64_t start = function_of(app, number);

    code += number % (sizeof(on_x86_64) / sizeof(on_x86_64[0]));
    if (now.machine == EM_AARCH64)
        for (uint64_t at = start; at < start + FUNCTION_SIZE; at += 4)
            put_bytes(target, at, "\x1f\x20\x03\xd5", 4);
    else
        memset(target->bytes + (start - FAKE_BASE), 0x90, FUNCTION_SIZE);
    put_bytes(target, start, code->bytes, code->size);
    return put_call(target, start + code->size, function, slot);
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* The register that is preserved, that of the stack pointer, and that of a system call. */
static const struct {
    uint32_t machine;
    unsigned preserved;
    unsigned stack_pointer;
    unsigned argument;
} machines[] = {{EM_386, 3, 4, 3}, {EM_X86_64, 3, 7, 5}, {EM_AARCH64, 19, 31, 0}};

static unsigned machine_index(void)
{
    unsigned i = 0;

    while (machines[i].machine != now.machine)
        i++;
    return i;
}

static void put_frame(const struct small_target *small, unsigned thread, unsigned number,
                      uint64_t pc)
{
    struct frame *frame = &now.threads[thread][number];
    unsigned machine = machine_index();

    *frame = (struct frame){
        .pc = pc,
        .address = small->objects.stack + 0x200 + thread * UINT64_C(0x200) + number * 0x40,
        .is_caller = number != 0,
        .has_registers = true,
    };
    frame->registers[machines[machine].preserved] = small->objects.queue;
    frame->registers[machines[machine].stack_pointer] = frame->address - 0x40;
}

/* One thread finishes a queue, one waits for events, one for a mutex in a callback. */
static void put_threads(struct small_target *small)
{
    const struct fake_objects *objects = &small->objects;
    struct fake_target *target = small->fake;
    unsigned word = target->pointer_size;
    uint64_t mutex = now.modules[c_library] + DATA + 0x100;
    uint64_t events = objects->stack + 0x400 + 0x40;

    put_frame(small, 0, 0, objects->text + 8);
    put_frame(small, 0, 1, function_of(loader, 0) + 8);
    put_frame(small, 0, 2, put_function(target, 0, function_of(loader, 0), slot_of(target, 0)));
    put_frame(small, 0, 3, put_function(target, 3, function_of(app, 0), 0));
    put_frame(small, 1, 0, objects->text + 24);
    put_frame(small, 1, 1, function_of(loader, 1) + 8);
    put_frame(small, 1, 2, put_function(target, 1, function_of(loader, 1), slot_of(target, 1)));
    put_frame(small, 1, 3, put_function(target, 4, function_of(app, 1), 0));
    fake_put(target, events + word, word, objects->complete);
    fake_put(target, events + UINT64_C(2) * word, word, objects->event);
    put_frame(small, 2, 0, function_of(c_library, SYSTEM_CALL) + 8);
    put_frame(small, 2, 1, function_of(c_library, LOCK) + 8);
    put_frame(small, 2, 2, put_function(target, 2, function_of(c_library, LOCK), 0));
    put_frame(small, 2, 3, objects->text + 0x900);
    now.threads[2][0].registers[machines[machine_index()].argument] = mutex;
    fake_put(target, mutex, 4, 2);
    fake_put(target, mutex + 8, 4, FIRST_LWP);
}

/* ---- Targets --------------------------------------------------------------------------------- */

/* Make the layout of SMALL one for the machine of its modules. */
static void name_machine(struct small_target *small)
{
    static const char name[] = "\nmachine 62 ";
    char *found = strstr(small->layout, name);
    char *text;

    *found = '\0';
    if (asprintf(&text, "%s\nmachine %u %s", small->layout, now.machine, found + sizeof(name) - 1) <
        0)
        abort();
    free(small->layout);
    small->layout = text;
}

static void make(struct small_target *small, uint32_t machine)
{
    struct fake_target *target = small->fake;
    uint64_t runtime = small->objects.text - PAGE;

    now = (struct stacks){.small = small, .machine = machine};
    PUT_ELF(target, runtime, Ehdr, e_machine, machine);
    PUT_ELF(target, runtime, Ehdr, e_phnum, 4);
    put_segment(target, runtime, 3, PT_GNU_EH_FRAME, 2 * PAGE + 0x800, 0x400);
    put_index(target, runtime + 2 * PAGE + 0x800, small->objects.text);
    name_machine(small);
    add_modules(target);
    put_threads(small);
    if (made_count == TARGETS)
        abort();
    made[made_count++] = now;
}

void small_make_stacks(struct small_target *small, int variant)
{
    small_make_objects(small, variant);
    make(small, small->fake->pointer_size == 8 ? EM_X86_64 : EM_386);
}

void small_make_aarch64_stacks(struct small_target *small, int variant)
{
    small_make_objects(small, variant & 1);
    make(small, EM_AARCH64);
}

void small_make_recorded_stacks(struct small_target *small, int variant)
{
    small_make_recorded(small, variant);
    small_scene_add(small);
    make(small, small->fake->pointer_size == 8 ? EM_X86_64 : EM_386);
}

void small_stacks_restore(const struct small_target *small)
{
    for (size_t i = 0; i < made_count; i++)
        if (made[i].small == small)
            now = made[i];
}

/* ---- Edits ----------------------------------------------------------------------------------- */

enum {
    edit_pc,
    edit_frame_address,
    edit_register,
    edit_register_object,
    edit_frame_kind,
    edit_code,
    edit_call,
    edit_index,
    edit_word,
    edit_module,
    edit_others
};

/* An address where code is, or is not. */
static uint64_t code_place(const struct small_target *small, const struct edit *edit)
{
    uint64_t offset = edit->value % PAGE;

    switch (edit->number % 8) {
    case 0:
        return small->objects.text + offset;
    case 1:
        return edit->value;
    case 2:
        return small->objects.stack + offset;
    default:
        return now.modules[edit->number % module_count] + TEXT + offset % (DATA - TEXT);
    }
}

static uint64_t object(const struct small_target *small, uint64_t number)
{
    const uint64_t *first = &small->objects.platform;

    return first[number % (uint64_t)(&small->objects.freed - first + 1)];
}

static void edit_stack(const struct small_target *small, unsigned what, const struct edit *edit)
{
    struct frame *frame = &now.threads[edit->which % THREADS][edit->which / THREADS % FRAMES];
    uint64_t *of = &frame->registers[edit->index % REGISTERS];

    switch (what) {
    case edit_pc:
        frame->pc = code_place(small, edit);
        break;
    case edit_frame_address:
        frame->address =
            (edit->index & 1) != 0 ? edit->value : small->objects.stack + edit->value % PAGE;
        break;
    case edit_register:
        *of = (edit->number & 1) != 0 ? edit->value : small->objects.stack + edit->value % PAGE;
        break;
    case edit_register_object:
        *of = object(small, edit->number) + (edit->value & 0xff);
        break;
    default:
        frame->is_caller = (edit->number & 1) != 0;
        frame->has_registers = (edit->number & 2) != 0;
        frame->function = (edit->number & 4) != 0 ? code_place(small, edit) : 0;
    }
}

static void edit_memory(struct small_target *small, unsigned what, const struct edit *edit)
{
    struct fake_target *target = small->fake;
    uint64_t module = now.modules[edit->which % module_count];
    uint64_t code = module + TEXT + edit->index % (DATA - TEXT - 8);

    switch (what) {
    case edit_code:
        memcpy(target->bytes + (code - FAKE_BASE), &edit->value, 1 + edit->number % 8);
        break;
    case edit_call:
        put_call(target, code, function_of(edit->number % module_count, edit->value % FUNCTIONS),
                 (edit->number & 8) != 0 ? slot_of(target, edit->value % CALLS) : 0);
        break;
    case edit_index:
        put(target, module + INDEX + edit->index % ((TEXT - INDEX) / 4) * 4, 4, edit->value);
        break;
    case edit_word:
        put(target, small->objects.stack + edit->index % (PAGE / 8) * 8, target->pointer_size,
            (edit->which & 1) != 0 ? edit->value : object(small, edit->number));
        break;
    default:
        put(target, module + edit->index % 0x180, 1U << (edit->number & 3), edit->value);
    }
}

void small_stacks_edit(struct small_target *small, const struct edit *edit)
{
    unsigned what = edit->what & 0xf;
    struct edit other = *edit;

    other.what = edit->what >= 0xd0 ? edit->what : edit->what >> 4;
    if (what > edit_others && small->fake->has_recorder)
        registry_edit_apply(small->fake, &other);
    else if (what >= edit_others)
        heap_edit_apply(small, &other);
    else if (what < edit_code)
        edit_stack(small, what, edit);
    else
        edit_memory(small, what, edit);
}
