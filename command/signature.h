/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What groups cores, in words: where a program died, or what its threads waited in. */
#ifndef OMPD_COMMAND_SIGNATURE_H
#define OMPD_COMMAND_SIGNATURE_H

#include <command/call-stack.h>
#include <command/signature-rules.h>

/* Begin with {0}. */
struct command_signature {
    struct text text;   /* "SIGSEGV | memcpy | upload | load_frame" */
    struct text coarse; /* the same of builds of the program and of runtimes that differ */
};

/* A call stack whose signature is to be made. */
struct command_signature_stack {
    const struct command_function *functions; /* innermost first */
    size_t count;
    bool has_called; /* an address where no code is */
};

/* Make the signature of a program that END tells of ("SIGSEGV") with STACK; none where no function
 * of that has a name or is the program's. */
void command_signature_add_death(struct command_signature *signature,
                                 const struct command_signature_rules *rules, const char *end,
                                 const struct command_signature_stack *stack);

/* Make the signature of a program that lived, add to it the places where its threads are: the
 * innermost of FRAMES is the call, or the innermost function of a callback.  Ask in the order of
 * the places; those that are there already are not added. */
void command_signature_add_wait(struct command_signature *signature,
                                const struct command_signature_rules *rules,
                                const struct command_frames *frames);

/* The same of one that waited nowhere. */
void command_signature_add_nowhere(struct command_signature *signature);

/* Whether one of the functions of STACK is of a rule of KIND, which is about memory or abort. */
bool command_signature_has(const struct command_signature_rules *rules,
                           enum command_signature_rule_kind kind,
                           const struct command_signature_stack *stack);

/* Give its texts back. */
void command_signature_free(struct command_signature *signature);

#endif
