/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The call stacks of a target's threads, unwound by libdwfl. */
#include <host/elf/elf.h>

struct request {
    ompd_host_target_t *target;
    struct symbols *symbols;
    uint32_t lwp;
    struct registers registers; /* that unwinding begins with */
    ompd_host_frame_t *frames;
    struct preserved *preserved; /* of the frames; NULL: not requested */
    size_t capacity;
    size_t count;
    bool is_call_undone; /* so the registers are those before the call */
    bool is_begun;       /* libdwfl has returned the frame of the registers */
    ompd_host_rc_t rc;
};

/* ---- Callbacks of libdwfl -------------------------------------------------------------------- */

/* One thread is requested at a time. */
static pid_t next_thread(Dwfl *dwfl, void *argument, void **thread)
{
    struct request *request = ((const ompd_host_target_t *)argument)->symbols->stack;

    (void)dwfl;
    *thread = request;
    return (pid_t)request->lwp;
}

static bool stack_word_read(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *argument)
{
    ompd_host_target_t *target = argument;
    struct bytes word = {NULL, target->pointer_size, target->is_swapped};
    uint8_t bytes[8];

    (void)dwfl;
    if (ompd_host_memory_read(target, address, word.size, bytes) != ompd_host_rc_ok)
        return false;
    word.start = bytes;
    *result = bytes_number(word, 0, word.size);
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *argument)
{
    const struct request *request = argument;
    const struct registers *registers = &request->registers;

    for (int i = 0; i < REGISTER_COUNT; i++) {
        if (registers->are_known[i] &&
            !dwfl_thread_state_registers(thread, i, 1, &registers->values[i]))
            return false;
    }
    dwfl_thread_state_register_pc(thread, registers->pc - request->is_call_undone);
    return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
    .next_thread = next_thread,
    .memory_read = stack_word_read,
    .set_initial_registers = set_registers,
};

/* ---- Frames ---------------------------------------------------------------------------------- */

/* The frame address of a function is its caller's stack pointer. */
static void end_frame(struct request *request, uint64_t stack_pointer)
{
    if (request->count != 0)
        request->frames[request->count - 1].frame_address = stack_pointer;
}

static bool frame_add(struct request *request, uint64_t address, bool is_caller)
{
    if (request->count == request->capacity)
        return false;
    request->frames[request->count++] = (ompd_host_frame_t){
        .address = address,
        .is_caller = is_caller,
    };
    return true;
}

/* The stack pointer of FRAME; 0: unknown. */
static uint64_t stack_pointer_of(const struct request *request, Dwfl_Frame *frame)
{
    unsigned number = registers_stack_pointer(request->target);
    Dwarf_Word value;

    return number < REGISTER_COUNT && dwfl_frame_reg(frame, number, &value) == 0 ? value : 0;
}

/* %rbx in DWARF's numbering for x86-64. */
#define RBX 3

/* Get *VALUE of the callee-saved register INDEX (NUMBER in DWARF) from the last frame if
 * elfutils does not have it.  It considers %rbx lost if a function's call frame information does
 * not mention it, but then the function does not change it. */
static bool rbx_find(const struct request *request, unsigned index, uint8_t number, uint64_t *value)
{
    const struct preserved *inner;

    if (request->target->machine != EM_X86_64 || number != RBX || request->count < 2)
        return false;
    if (request->count == 2) {
        *value = request->registers.values[RBX];
        return request->registers.are_known[RBX];
    }
    inner = &request->preserved[request->count - 2];
    *value = inner->values[index];
    return inner->are_known[index];
}

/* Record the callee-saved registers of FRAME, the last one that was added. */
static void preserved_record(struct request *request, Dwfl_Frame *frame)
{
    struct preserved *kept = &request->preserved[request->count - 1];
    const uint8_t *numbers;
    unsigned count = registers_preserved(request->target, &numbers);

    for (unsigned i = 0; i < count; i++)
        kept->are_known[i] = dwfl_frame_reg(frame, numbers[i], &kept->values[i]) == 0 ||
                             rbx_find(request, i, numbers[i], &kept->values[i]);
}

/* The first frame, that of the registers, is there already. */
static int frame_unwound(Dwfl_Frame *frame, void *argument)
{
    struct request *request = argument;
    Dwarf_Addr address;
    bool is_exact;

    if (!request->is_begun) {
        request->is_begun = true;
        return DWARF_CB_OK;
    }
    end_frame(request, stack_pointer_of(request, frame));
    if (!dwfl_frame_pc(frame, &address, &is_exact) || !frame_add(request, address, !is_exact))
        return DWARF_CB_ABORT;
    if (request->preserved != NULL)
        preserved_record(request, frame);
    return DWARF_CB_OK;
}

static int thread_unwind(Dwfl_Thread *thread, void *argument)
{
    dwfl_thread_getframes(thread, frame_unwound, argument);
    return DWARF_CB_ABORT;
}

static bool stack_attach(ompd_host_target_t *target, struct symbols *symbols)
{
    if (!symbols->is_attached)
        symbols->is_attached =
            dwfl_attach_state(symbols->dwfl, symbols->core, target->pid, &thread_callbacks, target);
    return symbols->is_attached;
}

/* Unwind the stack from the registers.  Frames found before a failure are valid. */
static void frames_unwind(struct request *request)
{
    struct registers *registers = &request->registers;
    unsigned number = registers_stack_pointer(request->target);

    frame_add(request, registers->pc, false);
    if (!registers_may_be_code(request->target, registers->pc)) {
        /* Without unwind information, libdwfl would take any register for a frame pointer. */
        if (!registers_undo_call(request->target, registers))
            return;
        request->is_call_undone = true;
        if (number < REGISTER_COUNT && registers->are_known[number])
            end_frame(request, registers->values[number]);
        frame_add(request, registers->pc, true);
    }
    request->symbols->stack = request;
    if (stack_attach(request->target, request->symbols))
        dwfl_getthreads(request->symbols->dwfl, thread_unwind, request);
    request->symbols->stack = NULL;
}

/* Runs on the thread that may trace the target. */
static void stack_unwind(void *argument)
{
    struct request *request = argument;
    uint64_t unsaved_reads = request->target->core.unsaved_reads;

    if (registers_read(request->target, request->symbols, request->lwp, &request->registers)) {
        frames_unwind(request);
        /* That unwinding reached memory missing from the core shows in the frames. */
        request->target->core.unsaved_reads = unsaved_reads;
        request->rc = ompd_host_rc_ok;
        return;
    }
    request->rc = target_message_set(request->target, ompd_host_rc_error,
                                     "cannot unwind the stack of thread %u: %s", request->lwp,
                                     dwfl_errmsg(-1));
}

ompd_host_rc_t stack_follow(ompd_host_target_t *target, uint32_t lwp, size_t capacity,
                            ompd_host_frame_t *frames, size_t *count, struct registers *registers,
                            struct preserved *preserved)
{
    struct request request = {
        .target = target, .frames = frames, .preserved = preserved, .capacity = capacity};
    const struct thread *thread;
    ompd_host_rc_t rc;

    if (target == NULL)
        return ompd_host_rc_bad_input;
    if (frames == NULL || count == NULL || capacity == 0)
        return target_message_set(target, ompd_host_rc_bad_input,
                                  "the frame array is NULL or empty");
    if (target_is_running(target))
        return target_message_set(target, ompd_host_rc_not_permitted,
                                  "process %d is running; its stacks change", (int)target->pid);
    thread = thread_find(target, lwp);
    if (thread == NULL)
        return target_message_set(target, ompd_host_rc_not_found, "unknown thread %u", lwp);
    request.lwp = thread->lwp;
    rc = symbols_get(target, &request.symbols);
    if (rc != ompd_host_rc_ok)
        return rc;
    process_run(target, stack_unwind, &request);
    if (request.rc != ompd_host_rc_ok)
        return request.rc;
    *count = request.count;
    if (registers != NULL)
        *registers = request.registers;
    return target_message_clear(target);
}

PUBLIC ompd_host_rc_t ompd_host_stack_get(ompd_host_target_t *target, uint32_t lwp, size_t capacity,
                                          ompd_host_frame_t *frames, size_t *count)
{
    return stack_follow(target, lwp, capacity, frames, count, NULL, NULL);
}
