/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Addresses of code and data in words. */
#ifndef OMPD_HOST_COMMAND_PLACE_H
#define OMPD_HOST_COMMAND_PLACE_H

#include <host/command/session.h>

/* What is known of the code at ADDRESS, looked up once as long as it is remembered.  IS_CALLER: it
 * is a return address. */
ompd_host_place_t command_place_get(struct command_session *session, uint64_t address,
                                    bool is_caller);

/* The name of the file at the end of PATH. */
const char *command_file_name(const char *path);

/* Add "d2 at app.c:9", "d2 in libapp.so", "libapp.so+0x1139" or "0x555555555139". */
void command_place_describe(struct command_session *session, uint64_t address, bool is_caller,
                            struct command_text *text);

/* Add "0x5555555580c0 <host+16>": an address of data, and the variable that it lies in. */
void command_place_data(struct command_session *session, uint64_t address,
                        struct command_text *text);

/* Add the lines of a call stack, innermost first: INDENT, "#0 main at app.c:9", newline. */
void command_place_stack(struct command_session *session, const ompd_addr_t *frames, size_t count,
                         const char *indent, struct command_text *text);

/* Most frames that are asked of a call stack. */
#define COMMAND_STACK_FRAMES 128

/* Give the frames of a field of type stack, at most COMMAND_STACK_FRAMES.  Returns how many: 0 when
 * there are none or they could not be read. */
size_t command_stack_get(struct command_session *session, uint64_t stack, ompd_addr_t *frames);

/* Give back what was remembered. */
void command_places_free(struct command_session *session);

#endif
