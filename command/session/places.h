/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Places of a target's code, as the command names and compares them. */
#ifndef OMPD_COMMAND_PLACES_H
#define OMPD_COMMAND_PLACES_H

#include <command/session/session.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* ---- call-places ----------------------------------------------------------------------------- */

/* The places of a recorded call stack by their names, which are the same in each run. */

#define COMMAND_CALL_PLACES 64 /* frames of a thread that are looked at */

/* A call.  Texts are NULL where that is not known. */
struct command_call_place {
    const char *function;
    const char *file; /* path of the source, as the compiler was given it */
    uint32_t line;
    const char *library; /* name of the module's file, which may be the program's */
    uint64_t address;    /* of the code */
    bool has_inlined;    /* it is what the call before it was inlined into */
    bool is_binding;     /* it is of a binding of OpenCL, not of the program */
};

/* Calls, innermost first, up to that by main. */
struct command_call_places {
    struct command_call_place *all;
    size_t count;
    size_t first; /* that is the program's; 0 where none is */
};

/* Find those of the return addresses FRAMES in the session's target, whose texts they point to. */
void command_call_places_find(struct command_call_places *places, struct command_session *session,
                              const ompd_addr_t *frames, size_t count);

/* Find those that the thread LWP is in, which does not run, from frame FIRST on: none where its
 * stack is not known. */
void command_call_places_of_thread(struct command_call_places *places,
                                   struct command_session *session, uint32_t lwp, size_t first);

/* Give them back. */
void command_call_places_free(struct command_call_places *places);

/* Add "step at app.c:9", "step in libapp.so.3" or "0x1f in libapp.so.3", escaped. */
void command_call_place_tell(const struct command_call_place *place, struct text *text);

/* Add "step at app.c", "step in libapp.so", whatever its version, "step" or, of a function that has
 * no name, "? in libapp.so", escaped. */
void command_call_place_add(const struct command_call_place *place, struct text *text);

/* ---- call-stack ------------------------------------------------------------------------------ */

/* Where a thread is, in words that are the same in each run of a program. */

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

/* ---- function-name --------------------------------------------------------------------------- */

/* Names of functions as they are in each build of a program. */

/* Add NAME, demangled or not, without what differs from build to build, or is told of it by one
 * source of names and not by another: parameters, the type that it returns, template arguments, of
 * which <T> is left, what compilers put behind the names of clones, and Rust's hash. */
void command_function_name_add(const char *name, struct text *text);

/* ---- library-name ---------------------------------------------------------------------------- */

/* Names of libraries' files. */

/* The length of the name of LIBRARY without its version, the "3" of libapp.so.3. */
size_t command_library_length(const char *library);

/* ---- pattern --------------------------------------------------------------------------------- */

/* Patterns of names, as users write them. */

/* Whether the SIZE bytes at NAME are PATTERN, in which * stands for any bytes. */
static inline bool command_pattern_fits(const char *pattern, const char *name, size_t size)
{
    return text_pattern_fits(pattern, strlen(pattern), name, size);
}

/* ---- suppression ----------------------------------------------------------------------------- */

/* What `run` need not tell of: objects that were made at places which the user has named. */

#define COMMAND_NOT_SUPPRESSED SIZE_MAX

/* One of the user's. */
struct command_suppression {
    const char *place;   /* what --suppress names; NULL: it is an entry of a baseline, */
    ompd_cl_kind_t kind; /* which is of objects of this kind, made by calls */
    char **calls;        /* that begin with these, as command_call_place_add says them */
    size_t call_count;
    uint64_t most;    /* objects that it may suppress, or none of them */
    uint64_t objects; /* that were made there */
};

/* Begin with {0}. */
struct command_suppressions {
    struct command_suppression *all;
    size_t count;
};

/* Add one and return it, to be filled in. */
struct command_suppression *command_suppression_add(struct command_suppressions *suppressions);

/* Give them back. */
void command_suppressions_free(struct command_suppressions *suppressions);

/* The number of the first suppression that names where COUNT objects of KIND were made, and which
 * counts them; COMMAND_NOT_SUPPRESSED: none does. */
size_t command_suppression_find(struct command_suppressions *suppressions, ompd_cl_kind_t kind,
                                const struct command_call_places *places, uint64_t count);

/* Whether suppression INDEX, which may be COMMAND_NOT_SUPPRESSED, suppresses what it names: asked
 * when all was counted. */
bool command_suppression_holds(const struct command_suppressions *suppressions, size_t index);

/* ---- target-lines ---------------------------------------------------------------------------- */

/* What a core is: whose, why it was written, when and where, and what of it is missing. */

/* Add "SIGABRT", or "signal 40" for one without a name here. */
void command_signal_add(struct text *text, int signal);

/* Add "2026-11-21 10:59:52 UTC", of seconds since 1970. */
void command_time_add(struct text *text, int64_t time);

/* Add "truncated: the last 3.1 MiB of 12 MiB are missing", of a core that is. */
void command_truncation_add(struct text *text, const ompd_host_target_info_t *info);

/* Whether the session's core still has the part that tells its threads and their signal. */
bool command_end_is_known(const struct command_session *session);

/* Add the lines that say what the session's core is; nothing for a process. */
void command_target_lines_add(const struct command_session *session, struct text *text);

#endif
