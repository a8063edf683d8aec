/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The arguments of calls, found by the calling code without a recorder: only values that are
 * certainly objects of the expected kind and come from one place.  And what the calls wait for, by
 * the layout.
 */
#include "found-session.h"
#include "suite.h"

#include <check.h>
#include <elf.h>
#include <ompd-opencl-calls.h>
#include <string.h>

#define PAGE UINT64_C(4096)
#define FUNCTION_SIZE 0x100
#define INNER 0xe00 /* of the runtime's text: a function that stores its argument */

/* A module of the program, with two functions, and the loader. */
static struct {
    uint64_t text;
    uint64_t data;
} app, loader;

/* The one thread: its frames are in a function that OpenCL's has called, in that, in the first of
 * the program, and in the second, which has called the first. */
#define FRAMES 4
enum { rbx = 3, rdi = 5, rbp = 6 };
static struct {
    uint64_t pc[FRAMES];
    uint64_t rbx[FRAMES];
    uint64_t rbp[FRAMES];
    uint64_t rdi;
    uint64_t stack; /* the stack pointer at the call */
    unsigned first; /* the frame that is the innermost */
} thread;

static ompd_rc_t tell_thread(ompd_address_space_context_t *context, ompd_size_t index,
                             ompd_cl_target_thread_t *told)
{
    (void)context;
    told->lwp = 40;
    return index == 0 ? ompd_rc_ok : ompd_rc_unavailable;
}

static ompd_rc_t tell_frames(ompd_address_space_context_t *context, uint64_t lwp,
                             ompd_size_t capacity, ompd_cl_frame_t *frames, ompd_size_t *count)
{
    static ompd_cl_register_t registers[FRAMES][3];

    (void)context;
    (void)lwp;
    for (*count = 0; *count < capacity && *count < FRAMES - thread.first; ++*count) {
        uint64_t number = *count + thread.first;
        ompd_cl_register_t *of = registers[number];

        of[0] = (ompd_cl_register_t){rbx, 8, thread.rbx[number]};
        of[1] = (ompd_cl_register_t){rbp, 8, thread.rbp[number]};
        of[2] = (ompd_cl_register_t){rdi, 8, thread.rdi};
        frames[*count] = (ompd_cl_frame_t){.pc = thread.pc[number],
                                           .frame_address = thread.stack + 0x40 * (number - 1),
                                           .is_caller = *count != 0,
                                           .register_count = *count != 0 ? 2 : 3,
                                           .registers = of};
    }
    return ompd_rc_ok;
}

/* ---- The program ----------------------------------------------------------------------------- */

static void put_word(uint64_t address, uint64_t value)
{
    fake_put(target, address, 4, (uint32_t)value);
}

static void put_bytes(uint64_t address, const char *bytes, size_t size)
{
    memcpy(target->bytes + (address - FAKE_BASE), bytes, size);
}

static uint32_t add_module(const char *name, uint64_t *text, uint64_t *data)
{
    uint64_t start = fake_reserve(target, 3 * PAGE, PAGE);

    *text = start + PAGE;
    *data = start + 2 * PAGE;
    fake_put_module_header(target, start, PAGE);
    return fake_add_module(target, name, NULL, 0, start, start + 3 * PAGE);
}

/* Write unwind tables at INDEX, of the module at START, for two functions of SIZE each. */
static void put_index(uint64_t start, uint64_t index, uint64_t first, uint64_t second,
                      uint32_t size)
{
    uint64_t header = start + 64 + UINT64_C(3) * sizeof(Elf64_Phdr);

    fake_put(target, start + offsetof(Elf64_Ehdr, e_phnum), 2, 4);
    fake_put(target, header + offsetof(Elf64_Phdr, p_type), 4, PT_GNU_EH_FRAME);
    fake_put(target, header + offsetof(Elf64_Phdr, p_vaddr), 8, index - start);
    put_bytes(index, "\x01\x1b\x03\x3b", 4);
    put_word(index + 8, 2);
    for (unsigned i = 0; i < 2; i++) {
        put_word(index + 12 + UINT64_C(8) * i, (i == 0 ? first : second) - index);
        put_word(index + 16 + UINT64_C(8) * i, 0x100);
    }
    put_word(index + 0x100 + 12, size);
}

/* A slot for the function of number CALL in the program's table of functions. */
static uint64_t slot_of(uint32_t call)
{
    return app.data + (uint64_t)call * 8;
}

static const struct {
    uint32_t call;
    const char *name;
} functions[] = {
    {ompd_cl_call_clFinish, "clFinish"},
    {ompd_cl_call_clWaitForEvents, "clWaitForEvents"},
    {ompd_cl_call_clBuildProgram, "clBuildProgram"},
    {ompd_cl_call_clEnqueueReadBuffer, "clEnqueueReadBuffer"},
};

static void begin(void)
{
    ompd_cl_extra_t extra = fake_extra;
    uint32_t module;

    memset(&thread, 0, sizeof(thread));
    target = fake_target_create_variant(0, 8);
    target->has_recorder = false;
    fake_objects_create(&objects, target);
    add_module("/usr/bin/app", &app.text, &app.data);
    module = add_module("/usr/lib/libOpenCL.so.1", &loader.text, &loader.data);
    put_index(app.text - PAGE, app.data + 0x800, app.text, app.text + FUNCTION_SIZE, FUNCTION_SIZE);
    put_index(loader.text - PAGE, loader.data + 0x800, loader.text, loader.text + 0x800, 0x10);
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        uint64_t function = loader.text + 0x20 * (i + 1);

        fake_add_symbol(target, module, functions[i].name, function);
        fake_put(target, slot_of(functions[i].call), 8, function);
    }
    thread.stack = objects.stack + 0x400;
    thread.pc[1] = loader.text + 0x400; /* in no function that is known */
    extra.thread = tell_thread;
    extra.frames = tell_frames;
    found_space_create(&extra);
    found_layout_add();
}

/* Make the program's function at TEXT be CODE of SIZE bytes and a call through the slot at SLOT,
 * then a return; returns the call's return address. */
static uint64_t put_function(uint64_t text, const char *code, size_t size, uint64_t slot)
{
    uint64_t call = text + size;

    memset(target->bytes + (text - FAKE_BASE), 0x90, FUNCTION_SIZE);
    put_bytes(text, code, size);
    put_bytes(call, "\xff\x15", 2);
    put_word(call + 2, slot - (call + 6));
    put_bytes(call + 6, "\xc3", 1);
    return call + 6;
}

/* The row of the thread. */
static ompd_cl_thread_info_t ask(void)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter),
                               .states = ~(UINT64_C(1) << ompd_cl_thread_state_outside)};
    ompd_cl_thread_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_list_t list;
    ompd_size_t count = 0;

    found_refresh();
    ck_assert_int_eq(ompd_cl_thread_list_open(space, &filter, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_thread_list_next(space, list, 1, &row, &count, NULL), ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return row;
}

/* The same with the program in a call of CALL that comes after CODE; literals have no end of their
 * own. */
#define CALLED(call, code)                                                                         \
    (thread.pc[2] = put_function(app.text, code, sizeof(code) - 1, slot_of(ompd_cl_call_##call)),  \
     ask())

/* The object that clFinish was presumably given after CODE; 0: it is not known. */
#define FINISHED(code) given(CALLED(clFinish, code))

static uint64_t given(ompd_cl_thread_info_t row)
{
    ck_assert_uint_eq(row.call.value, ompd_cl_call_clFinish);
    ck_assert_uint_eq(row.object.source, ompd_cl_source_stack);
    ck_assert_uint_eq(row.object.status,
                      row.object.value != 0 ? ompd_cl_status_presumed : ompd_cl_status_unknown);
    return row.object.value;
}

/* Set the word at OFFSET from the stack pointer to VALUE. */
static void put_on_stack(uint64_t offset, uint64_t value)
{
    fake_put(target, thread.stack + offset, 8, value);
}

#define MOV_RBX_RDI "\x48\x89\xdf"
#define MOV_RAX_RDI "\x48\x89\xc7"
#define MOV_8_RSP_RDI "\x48\x8b\x7c\x24\x08"
#define CALL_RAX "\xff\xd0"

/* ---- Tests ----------------------------------------------------------------------------------- */

/* From registers that are preserved, the stack, the frame, and memory that these lead to. */
START_TEST(places)
{
    begin();
    thread.rbx[2] = objects.queue;
    ck_assert_uint_eq(FINISHED(MOV_RBX_RDI), objects.queue);
    ck_assert_uint_eq(FINISHED(CALL_RAX MOV_RBX_RDI "\x31\xf6"), objects.queue);
    put_on_stack(8, objects.queue);
    ck_assert_uint_eq(FINISHED(MOV_8_RSP_RDI), objects.queue);
    thread.rbp[2] = thread.stack + 0x10;
    ck_assert_uint_eq(FINISHED("\x48\x8b\x45\xf8" MOV_RAX_RDI), objects.queue);
    /* Pushes move the stack pointer. */
    put_on_stack(8, 0);
    put_on_stack(8 + 2 * 8, objects.queue);
    ck_assert_uint_eq(FINISHED(MOV_8_RSP_RDI "\x6a\x00\x41\x54"), objects.queue);
    /* Of memory at an address of memory. */
    thread.rbx[2] = thread.stack;
    put_on_stack(8, thread.stack + 0x80);
    put_on_stack(0x80, objects.queue);
    ck_assert_uint_eq(FINISHED("\x48\x8b\x43\x08\x48\x8b\x38"), objects.queue);
    /* A stored result of a call. */
    thread.rbx[2] = objects.queue;
    ck_assert_uint_eq(FINISHED(CALL_RAX MOV_RAX_RDI "\x48\x89\xc3"), objects.queue);
    found_close();
}
END_TEST

/* By a distance from the instruction. */
START_TEST(global)
{
    char code[] = "\x48\x8b\x3d\x00\x00\x00\x00";
    uint32_t distance;

    begin();
    fake_put(target, app.data + 0x600, 8, objects.queue);
    distance = (uint32_t)(app.data + 0x600 - (app.text + 7));
    memcpy(code + 3, &distance, sizeof(distance));
    ck_assert_uint_eq(FINISHED(code), objects.queue);
    found_close();
}
END_TEST

/* A result of a call, one that was changed since, and one that may come from elsewhere. */
START_TEST(not_told)
{
    begin();
    thread.rbx[2] = objects.queue;
    put_on_stack(8, objects.queue);
    ck_assert_uint_eq(FINISHED(CALL_RAX MOV_RAX_RDI), 0);
    ck_assert_uint_eq(FINISHED(MOV_RBX_RDI CALL_RAX), 0);
    ck_assert_uint_eq(FINISHED(MOV_RBX_RDI "\x48\x83\xc3\x08"), 0); /* %rbx had another one */
    ck_assert_uint_eq(FINISHED(MOV_8_RSP_RDI "\x48\xc7\x44\x24\x08\x00\x00\x00\x00"), 0);
    ck_assert_uint_eq(FINISHED(MOV_RBX_RDI "\x48\x0f\x44\xf8"), 0); /* cmove */
    /* Another instruction jumps to the call, or to code after an argument is set. */
    ck_assert_uint_eq(FINISHED("\x74\x03" MOV_RBX_RDI), 0);
    ck_assert_uint_eq(FINISHED("\x74\x00" MOV_RBX_RDI), objects.queue);
    ck_assert_uint_eq(FINISHED("\xeb\x03" MOV_RBX_RDI), 0);
    /* From behind the call, too. */
    thread.pc[2] = put_function(app.text, MOV_RBX_RDI, 3, slot_of(ompd_cl_call_clFinish));
    put_bytes(thread.pc[2], "\x74\xf8", 2);
    ck_assert_uint_eq(given(ask()), 0);
    put_bytes(thread.pc[2], "\x74\xf5", 2);
    ck_assert_uint_eq(given(ask()), objects.queue);
    /* In a function that is not decoded to its end. */
    put_bytes(thread.pc[2] + 8, "\x06", 1);
    ck_assert_uint_eq(given(ask()), 0);
    found_close();
}
END_TEST

/* Numbers that are not objects, or objects of another kind. */
START_TEST(others)
{
    begin();
    for (unsigned i = 0; i < 9; i++) {
        const uint64_t all[] = {0,
                                objects.context,
                                objects.event,
                                objects.buffer,
                                objects.freed,
                                objects.queue + 8,
                                objects.queue + 1,
                                UINT64_MAX,
                                0x123456789000};

        thread.rbx[2] = all[i];
        ck_assert_uint_eq(FINISHED(MOV_RBX_RDI), 0);
    }
    thread.rbx[2] = objects.program;
    ck_assert_uint_eq(CALLED(clBuildProgram, MOV_RBX_RDI).object.value, objects.program);
    thread.rbx[2] = objects.queue;
    ck_assert_uint_eq(CALLED(clBuildProgram, MOV_RBX_RDI).object.value, 0);
    found_close();
}
END_TEST

/* A function that got the object itself: the code of its caller shows it. */
START_TEST(handed_on)
{
    uint64_t slot;

    begin();
    slot = slot_of(200);
    thread.rbx[2] = objects.hidden;
    thread.rbx[3] = objects.queue;
    fake_put(target, slot, 8, app.text);
    thread.pc[3] = put_function(app.text + FUNCTION_SIZE, MOV_RBX_RDI, 3, slot);
    ck_assert_uint_eq(FINISHED("\x48\x83\xec\x08"), objects.queue);
    /* Of the other parameter; and where that function may be another. */
    ck_assert_uint_eq(FINISHED("\x48\x89\xf7"), 0);
    fake_put(target, slot, 8, app.text + 1);
    ck_assert_uint_eq(FINISHED("\x48\x83\xec\x08"), 0);
    found_close();
}
END_TEST

/* The list of events: the first that is not over, and how many. */
START_TEST(events)
{
    ompd_cl_thread_info_t row;

    begin();
    put_on_stack(8, objects.complete);
    put_on_stack(16, objects.event);
    row = CALLED(clWaitForEvents, "\x48\x8d\x74\x24\x08\xbf\x02\x00\x00\x00");
    ck_assert_uint_eq(row.object.value, objects.event);
    ck_assert_uint_eq(row.object.status, ompd_cl_status_presumed);
    ck_assert_uint_eq(row.event_count.value, 2);
    ck_assert_uint_eq(row.event_count.status, ompd_cl_status_presumed);
    /* An invalid one; none at all, or implausibly many. */
    put_on_stack(16, objects.queue);
    row = CALLED(clWaitForEvents, "\x48\x8d\x74\x24\x08\xbf\x02\x00\x00\x00");
    ck_assert_uint_eq(row.object.status, ompd_cl_status_unknown);
    ck_assert_uint_eq(row.event_count.status, ompd_cl_status_unknown);
    row = CALLED(clWaitForEvents, "\x48\x8d\x74\x24\x08\xbf\x00\x00\x00\x00");
    ck_assert_uint_eq(row.object.status, ompd_cl_status_unknown);
    row = CALLED(clWaitForEvents, "\x48\x8d\x74\x24\x08\xbf\xff\xff\xff\x7f");
    ck_assert_uint_eq(row.object.status, ompd_cl_status_unknown);
    row = CALLED(clWaitForEvents, "\x31\xf6\xbf\x01\x00\x00\x00");
    ck_assert_uint_eq(row.object.status, ompd_cl_status_unknown);
    found_close();
}
END_TEST

/* Whether a transfer is waited for. */
START_TEST(transfers)
{
    begin();
    thread.rbx[2] = objects.queue;
    ck_assert_uint_eq(CALLED(clEnqueueReadBuffer, MOV_RBX_RDI "\xba\x01\x00\x00\x00").state.value,
                      ompd_cl_thread_state_waits_for_transfer);
    ck_assert_uint_eq(CALLED(clEnqueueReadBuffer, MOV_RBX_RDI "\x31\xd2").state.value,
                      ompd_cl_thread_state_in_call);
    ck_assert_uint_eq(CALLED(clEnqueueReadBuffer, MOV_RBX_RDI "\x89\xc2").state.value,
                      ompd_cl_thread_state_in_call);
    ck_assert_uint_eq(ask().object.value, objects.queue);
    found_close();
}
END_TEST

/* By the called function, which saves its argument.  If that differs from the caller's code, it is
 * unknown. */
START_TEST(by_called)
{
    uint64_t function;

    begin();
    put_index(objects.text - PAGE, objects.table + 0x800, objects.text + INNER,
              objects.text + INNER + FUNCTION_SIZE, FUNCTION_SIZE);
    function = objects.text + INNER;
    fake_put(target, objects.table + (ompd_cl_call_clFinish - 1) * 8, 8, function);
    memset(target->bytes + (function - FAKE_BASE), 0x90, FUNCTION_SIZE);
    put_bytes(function, "\x53\x48\x89\xfb" CALL_RAX "\x5b\xc3", 8); /* push; mov %rdi, %rbx */
    thread.pc[1] = function + 6;
    thread.rbx[1] = objects.queue;
    ck_assert_uint_eq(FINISHED(CALL_RAX MOV_RAX_RDI), objects.queue);
    thread.rbx[2] = objects.queue;
    ck_assert_uint_eq(FINISHED(MOV_RBX_RDI), objects.queue);
    thread.rbx[2] = objects.hidden;
    ck_assert_uint_eq(FINISHED(MOV_RBX_RDI), 0);
    /* Innermost it may have restored the register; at its start the register has the argument. */
    thread.first = 1;
    thread.rdi = objects.queue;
    ck_assert_uint_eq(FINISHED(CALL_RAX MOV_RAX_RDI), 0);
    thread.pc[1] = function;
    ck_assert_uint_eq(FINISHED(CALL_RAX MOV_RAX_RDI), objects.queue);
    thread.first = 0;
    thread.pc[1] = function + 6;
    ck_assert_uint_eq(FINISHED(CALL_RAX MOV_RAX_RDI), objects.queue);
    /* Where it writes to the register again. */
    put_bytes(function + 8, "\x48\x89\xc3", 3);
    ck_assert_uint_eq(FINISHED(CALL_RAX MOV_RAX_RDI), 0);
    found_close();
}
END_TEST

/* Code or stack that cannot be read, and functions that have no end. */
START_TEST(unreadable)
{
    begin();
    put_on_stack(8, objects.queue);
    ck_assert_uint_eq(FINISHED(MOV_8_RSP_RDI), objects.queue);
    target->hole_start = objects.stack;
    target->hole_end = objects.stack + PAGE;
    ck_assert_uint_eq(given(ask()), 0);
    target->hole_end = target->hole_start;
    put_word(app.data + 0x800 + 0x100 + 12, UINT32_MAX);
    ck_assert_uint_eq(given(ask()), 0);
    put_word(app.data + 0x800 + 0x100 + 12, FUNCTION_SIZE);
    ck_assert_uint_eq(given(ask()), objects.queue);
    found_close();
}
END_TEST

/* ---- Awaited objects ------------------------------------------------------------------------- */

#define STEPS 8
static ompd_cl_wait_step_info_t steps[STEPS];

/* The chains, while the program finishes its queue; returns their number of steps. */
static ompd_size_t follow(ompd_rc_t expected)
{
    ompd_cl_list_t list;
    ompd_size_t count = 0;
    ompd_size_t got;
    ompd_rc_t rc;

    thread.rbx[2] = objects.queue;
    ck_assert_uint_eq(FINISHED(MOV_RBX_RDI), objects.queue);
    ck_assert_int_eq(ompd_cl_wait_step_list_open(space, &list), ompd_rc_ok);
    do {
        ck_assert_uint_lt(count, STEPS);
        steps[count].head.struct_size = sizeof(steps[0]);
        rc = ompd_cl_wait_step_list_next(space, list, 1, &steps[count], &got, NULL);
        count += got;
    } while (got != 0);
    ck_assert_int_eq(rc, expected);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return count;
}

/* Put the event WAITED_FOR at the head of the wait list of the pending command's event. */
static uint64_t wait_for(uint64_t waited_for)
{
    uint64_t node = fake_reserve(target, 16, 8);

    fake_put(target, node, 8, waited_for);
    fake_put(target, node + 8, 8, fake_get(target, objects.event + at_wait_list, 8));
    fake_object_point(&objects, objects.event, at_wait_list, node);
    return node;
}

/* Expect a chain of STEP_COUNT steps that ends at HANDLE in END, for REASON if it has one. */
static void expect_chain(ompd_size_t count, ompd_size_t step_count, uint64_t handle,
                         ompd_cl_wait_end_t end, const char *reason)
{
    const ompd_cl_wait_step_info_t *last = &steps[step_count - 1];

    ck_assert_uint_ge(count, step_count);
    ck_assert_uint_eq(last->chain.value, 1);
    ck_assert_uint_eq(last->step.value, step_count);
    ck_assert_uint_eq(last->object.value, handle);
    ck_assert_uint_eq(last->end.value, end);
    if (reason != NULL)
        ck_assert_ptr_nonnull(strstr(last->reason.text, reason));
}

/* A command's chain continues with an incomplete event of its wait list. */
START_TEST(wait_list)
{
    begin();
    fake_put(target, objects.user_event + at_status, 4, 2); /* CL_SUBMITTED */
    expect_chain(follow(ompd_rc_ok), 3, objects.event, ompd_cl_wait_end_unknown, "list is empty");
    wait_for(objects.complete);
    expect_chain(follow(ompd_rc_ok), 3, objects.event, ompd_cl_wait_end_unknown,
                 "are complete or were not");
    wait_for(objects.user_event);
    expect_chain(follow(ompd_rc_ok), 4, objects.user_event, ompd_cl_wait_end_user_event, NULL);
    ck_assert_uint_eq(steps[2].object.value, objects.event);
    /* No wait is worse than one for itself. */
    wait_for(objects.event);
    expect_chain(follow(ompd_rc_ok), 3, objects.event, ompd_cl_wait_end_cycle, NULL);
    found_close();
}
END_TEST

/* Lists without an end, without events, or that lead nowhere. */
START_TEST(wrong_wait_list)
{
    uint64_t node;

    begin();
    node = wait_for(objects.queue);
    expect_chain(follow(ompd_rc_ok), 3, objects.event, ompd_cl_wait_end_unknown,
                 "are complete or were not");
    fake_put(target, node + 8, 8, node);
    expect_chain(follow(ompd_rc_incomplete), 3, objects.event, ompd_cl_wait_end_unknown,
                 "could not be read");
    fake_object_point(&objects, objects.event, at_wait_list, 0x10);
    expect_chain(follow(ompd_rc_incomplete), 3, objects.event, ompd_cl_wait_end_unknown,
                 "could not be read");
    found_close();
}
END_TEST

#define TEST_RDI "\x48\x85\xff"
#define LOAD_RDI "\x48\x8b\x07" /* mov (%rdi),%rax */
#define LEAVE "\xff\xa0\x98\x00\x00\x00"
#define CLEAR_RDI "\x31\xff"
#define NEVER UINT64_C(0x5a5a5a5a5a5a5a5a)

/* Put the thread at offset AT of clFinish, which is CODE of SIZE bytes and was called with VALUE.
 * Returns the number of findings that this was never a handle. */
static ompd_size_t find_never(const char *code, size_t size, uint64_t at, uint64_t value)
{
    ompd_cl_finding_info_t findings[4] = {{.head.struct_size = sizeof(findings[0])}};
    ompd_size_t kept = 0;
    ompd_size_t count;
    ompd_cl_list_t list;
    uint64_t function = loader.text + 0x20;

    memset(target->bytes + (function - FAKE_BASE), 0x90, 0x100);
    put_bytes(function, code, size);
    thread.first = 1;
    thread.pc[1] = function + at;
    thread.rdi = value;
    CALLED(clFinish, "\x48\x8b\x38"); /* mov (%rax),%rdi */
    found_refresh();
    ck_assert_int_eq(ompd_cl_finding_list_open(space, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_finding_list_next(space, list, 4, findings, &count, NULL), ompd_rc_ok);
    for (ompd_size_t i = 0; i < count; i++) {
        if (findings[i].rule.value != ompd_cl_finding_wrong_handle)
            continue;
        ck_assert_uint_eq(findings[i].object.value, value);
        ck_assert_uint_eq(findings[i].object_kind.value, ompd_cl_kind_queue);
        ck_assert_uint_eq(findings[i].thread.value, 40);
        ck_assert_uint_eq(findings[i].head.confidence.value, ompd_cl_confidence_presumed);
        kept++;
    }
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return kept;
}

#define NEVERS(code, at) find_never(code, sizeof(code) - 1, at, NEVER)

/* The called function is at its start as far as its argument is concerned: the register still has
 * the argument. */
START_TEST(never_handle)
{
    begin();
    put_index(loader.text - PAGE, loader.data + 0x800, loader.text + 0x20, loader.text + 0x800,
              0x10);
    ck_assert_uint_eq(NEVERS(LOAD_RDI LEAVE, 0), 1);
    ck_assert_uint_eq(NEVERS(TEST_RDI "\x74\x09" LOAD_RDI LEAVE "\xc3", 5), 1);
    /* What comes later counts where it may have led back. */
    ck_assert_uint_eq(NEVERS(LOAD_RDI CLEAR_RDI LEAVE, 0), 1);
    ck_assert_uint_eq(NEVERS(LOAD_RDI CLEAR_RDI "\xeb\xf9", 0), 0);
    ck_assert_uint_eq(NEVERS(CLEAR_RDI LOAD_RDI LEAVE, 2), 0);
    ck_assert_uint_eq(NEVERS(CALL_RAX LOAD_RDI LEAVE, 2), 0);
    ck_assert_uint_eq(NEVERS(LOAD_RDI CALL_RAX "\xc3", 0), 1);
    ck_assert_uint_eq(NEVERS(LOAD_RDI CALL_RAX "\xeb\xf9", 0), 0);
    /* A jump to elsewhere, which may lead back. */
    ck_assert_uint_eq(NEVERS("\x0f\x84\x00\x10\x00\x00" LOAD_RDI LEAVE, 6), 0);
    /* It may be an object. */
    ck_assert_uint_eq(find_never(LOAD_RDI LEAVE, 9, 0, objects.stack), 0);
    found_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("call-arguments");
    TCase *cases = tcase_create("arguments");

    tcase_add_test(cases, places);
    tcase_add_test(cases, global);
    tcase_add_test(cases, not_told);
    tcase_add_test(cases, others);
    tcase_add_test(cases, handed_on);
    tcase_add_test(cases, events);
    tcase_add_test(cases, transfers);
    tcase_add_test(cases, by_called);
    tcase_add_test(cases, unreadable);
    tcase_add_test(cases, wait_list);
    tcase_add_test(cases, wrong_wait_list);
    tcase_add_test(cases, never_handle);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
