/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Places in a target's code, as the command names and compares them. */
#ifndef OMPD_COMMAND_PLACES_H
#define OMPD_COMMAND_PLACES_H

#include <command/session/session.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* ---- call-places ----------------------------------------------------------------------------- */

/* The names of the places of a recorded call stack, which are the same in each run. */

#define COMMAND_CALL_PLACES 64 /* frames of a thread to read */

/* A call.  Unknown texts are NULL. */
struct command_call_place {
    const char *function;
    const char *file; /* path of the source file, as given to the compiler */
    uint32_t line;
    const char *library; /* name of the module's file, which may be the program */
    uint64_t address;    /* of the call */
    bool has_inlined;    /* the previous call was inlined into it */
    bool is_binding;     /* it is in a binding of OpenCL, not in the program */
};

/* Calls, innermost first, up to the one that main makes. */
struct command_call_places {
    struct command_call_place *all;
    size_t count;
    size_t first; /* index of the innermost call of the program; 0 if there is none */
};

/* Find the places of the return addresses FRAMES in the session's target.  Texts belong to the
 * target. */
void command_call_places_find(struct command_call_places *places, struct command_session *session,
                              const ompd_addr_t *frames, size_t count);

/* Find the places of the stopped thread LWP, from frame FIRST on; none if its stack is unknown. */
void command_call_places_of_thread(struct command_call_places *places,
                                   struct command_session *session, uint32_t lwp, size_t first);

/* Free them. */
void command_call_places_free(struct command_call_places *places);

/* Add "step at app.c:9", "step in libapp.so.3" or "0x1f in libapp.so.3", escaped. */
void command_call_place_describe(const struct command_call_place *place, struct text *text);

/* Add "step at app.c", "step in libapp.so" without its version, "step", or "? in libapp.so" for
 * a function without a name, escaped. */
void command_call_place_add(const struct command_call_place *place, struct text *text);

/* ---- call-stack ------------------------------------------------------------------------------ */

/* Where a thread is, in words that are the same in each run of a program. */

#define COMMAND_CALL_STACK 64 /* functions to read */
#define COMMAND_FRAMES 5      /* functions to show */

/* A function that a thread is in. */
struct command_function {
    const char *name;   /* NULL: unknown */
    const char *module; /* path of its file; NULL: unknown */
    uint64_t offset;    /* of its code, relative to the module's lowest address */
    bool is_of_c_library;
    bool is_of_recorder;
    bool is_of_program; /* in the program's file */
};

/* Functions that have names or are in a module, innermost first, including inlined ones. */
struct command_call_stack {
    struct command_function all[COMMAND_CALL_STACK];
    size_t count;
    bool has_called; /* it called an address that is not code */
    uint64_t called;
    bool is_caller_first; /* the first function made that call, rather than one without a name */
};

/* Functions of the session's target, valid while it is open: those that have names or belong to
 * the program itself. */
struct command_frames {
    struct command_function all[COMMAND_FRAMES];
    size_t count;
};

/* Whether ADDRESS of the session's target may be code. */
bool command_may_be_code(struct command_session *session, uint64_t address);

/* The usual name of the function NAME, without glibc's internal prefix. */
const char *command_function_name(const char *name);

/* Add the function's name or its location: "copy_image", "edges@0x12d4". */
void command_function_add(const struct command_function *function, struct text *text);

/* Add FRAMES in readable form: "copy_image < main". */
void command_frames_add(const struct command_frames *frames, struct text *text);

/* Find the functions that the thread LWP is in; none if its call stack is unknown. */
void command_call_stack_find(struct command_call_stack *stack, struct command_session *session,
                             uint32_t lwp);

/* Choose the functions that distinguish one place in a program from others, from FIRST to before
 * END.  Of the innermost functions of the C library, only the called one is used.  Functions
 * that start threads, functions of the recorder and callers of main are skipped.  Recursive
 * calls count once. */
struct command_frames command_frames_choose(const struct command_call_stack *stack, size_t first,
                                            size_t end);

/* ---- function-name --------------------------------------------------------------------------- */

/* Function names that are the same in each build of a program. */

/* Add NAME, mangled or not, without parts that differ between builds or between sources of
 * names.  These are parameters, return types, template arguments (replaced by <T>), suffixes of
 * clones, and Rust's hash. */
void command_function_name_add(const char *name, struct text *text);

/* ---- library-name ---------------------------------------------------------------------------- */

/* Names of library files. */

/* The length of LIBRARY's name without its version, such as the "3" of libapp.so.3. */
size_t command_library_length(const char *library);

/* ---- pattern --------------------------------------------------------------------------------- */

/* Patterns of names that users write. */

/* Whether PATTERN, in which * matches any bytes, matches the SIZE bytes at NAME. */
static inline bool command_pattern_fits(const char *pattern, const char *name, size_t size)
{
    return text_pattern_fits(pattern, strlen(pattern), name, size);
}

/* ---- suppression ----------------------------------------------------------------------------- */

/* Objects that `run` need not report: those that were created at places which the user named. */

#define COMMAND_NOT_SUPPRESSED SIZE_MAX

/* One suppression. */
struct command_suppression {
    const char *place;   /* the place of --suppress; NULL: an entry of a baseline */
    ompd_cl_kind_t kind; /* the kind of the entry's objects */
    char **calls;        /* the innermost calls, in the form of command_call_place_add */
    size_t call_count;
    uint64_t most;    /* it suppresses at most so many objects, or none */
    uint64_t objects; /* objects that were created there */
};

/* Begin with {0}. */
struct command_suppressions {
    struct command_suppression *all;
    size_t count;
};

/* Add a suppression and return it, to be filled in. */
struct command_suppression *command_suppression_add(struct command_suppressions *suppressions);

/* Free them. */
void command_suppressions_free(struct command_suppressions *suppressions);

/* Find the first suppression that names where COUNT objects of KIND were created, and add them
 * to its count.  Returns its index, or COMMAND_NOT_SUPPRESSED. */
size_t command_suppression_find(struct command_suppressions *suppressions, ompd_cl_kind_t kind,
                                const struct command_call_places *places, uint64_t count);

/* Whether suppression INDEX, which may be COMMAND_NOT_SUPPRESSED, takes effect.  Call this after
 * everything was counted. */
bool command_suppression_holds(const struct command_suppressions *suppressions, size_t index);

/* ---- target-lines ---------------------------------------------------------------------------- */

/* A core in words: its program, why, when and where it was written, and what is missing. */

/* Add "SIGABRT", or "signal 40" for an unnamed signal. */
void command_signal_add(struct text *text, int signal);

/* Add "2026-11-21 10:59:52 UTC", from seconds since 1970. */
void command_time_add(struct text *text, int64_t time);

/* Add "truncated: the last 3.1 MiB of 12 MiB are missing", for a truncated core. */
void command_truncation_add(struct text *text, const ompd_host_target_info_t *info);

/* Whether the session's core still contains its threads and their signal. */
bool command_end_is_known(const struct command_session *session);

/* Add the lines about the session's core; nothing for a process. */
void command_target_lines_add(const struct command_session *session, struct text *text);

#endif
