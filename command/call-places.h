/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The places of a recorded call stack by their names, which are the same in each run. */
#ifndef OMPD_COMMAND_CALL_PLACES_H
#define OMPD_COMMAND_CALL_PLACES_H

#include <command/session.h>

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

#endif
