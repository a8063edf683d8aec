/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where a thread is, in words that are the same in each run of a program. */
#ifndef OMPD_COMMAND_CALL_STACK_H
#define OMPD_COMMAND_CALL_STACK_H

#include <command/session.h>

#define COMMAND_CALL_STACK 64 /* functions looked at */
#define COMMAND_FRAMES 5      /* of them, that are told */

/* A function that a thread is in. */
struct command_function {
    const char *name;   /* NULL: it has none */
    const char *module; /* path of its file; NULL: not known */
    uint64_t offset;    /* of its code, from the lowest address of the module */
    bool is_of_c_library;
    bool is_of_recorder;
    bool is_of_program; /* of the program's file */
};

/* Those that have names, or are in a module, innermost first, inlined ones too. */
struct command_call_stack {
    struct command_function all[COMMAND_CALL_STACK];
    size_t count;
    bool has_called; /* an address where no code is has been called: */
    uint64_t called;
    bool is_caller_first; /* by the first of them, rather than by one without a name */
};

/* Functions of the session's target, good as long as it is open: those that have names, and what is
 * the program's own. */
struct command_frames {
    struct command_function all[COMMAND_FRAMES];
    size_t count;
};

/* Whether code may be at ADDRESS of the session's target. */
bool command_may_be_code(struct command_session *session, uint64_t address);

/* What a person calls the function NAME: without what glibc puts before its own. */
const char *command_function_name(const char *name);

/* Add the function's name, or where it is: "copy_image", "edges@0x12d4". */
void command_function_add(const struct command_function *function, struct text *text);

/* Add FRAMES for a person to read: "copy_image < main". */
void command_frames_add(const struct command_frames *frames, struct text *text);

/* Find the functions that the thread LWP is in; none when its call stack is not known. */
void command_call_stack_find(struct command_call_stack *stack, struct command_session *session,
                             uint32_t lwp);

/* The functions that tell one place in a program from others, of those from FIRST to before END:
 * of the C library's that are innermost only the one that was called, none of those that start a
 * thread, none of the recorder's, and nothing that called main.  Calls of a function by itself are
 * told once. */
struct command_frames command_frames_choose(const struct command_call_stack *stack, size_t first,
                                            size_t end);

#endif
