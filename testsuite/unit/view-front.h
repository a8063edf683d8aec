/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A fake front end: it collects the view's output, and its services answer from small tables. */
#ifndef VIEW_FRONT_H
#define VIEW_FRONT_H

#include "population.h"

#include <view/context/context.h>

/* What a front end knows of one address of code. */
struct front_place {
    uint64_t address;
    ompd_view_place_t place;
};

#define FRONT_TEXT (2 << 20) /* bytes that are gathered, at most */

/* Verbs of the front end's own.  `say` and `do` write back what they were given: one as a list of
 * memory objects, of one object where there is an operand; the other with options behind its first
 * operand, which are that one's.  `ask` does what the test says. */
#define FRONT_VERBS 3
extern const ompd_view_verb_t front_verbs[FRONT_VERBS];

struct front {
    ompd_view_front_end_t front_end; /* to be changed before front_open */
    ompd_view_t *view;
    ompd_address_space_handle_t *space; /* that commands are about; may be NULL */
    ompd_view_use_t use;                /* the additional output of `begin` */
    ompd_view_exit_t refusal;           /* what `begin` returns, with `why` */
    const char *why;
    size_t notes; /* pieces of text that are notes */
    const char *bindings;
    const struct front_place *places;
    size_t place_count;
    void (*work)(struct front *front);                   /* of the verb `ask` */
    void (*look)(struct front *front, const char *path); /* a snapshot is opened; may be NULL */
    const char *program;                                 /* of its report */

    const char *picture; /* the result of `draw`; NULL: it fails */

    char graph[FRONT_TEXT]; /* what `draw` was given last */
    char file[FRONT_TEXT];  /* the contents of the last begun file, NUL-terminated */
    size_t file_size;
    bool is_file_open;     /* it is not ended, */
    bool is_file_whole;    /* or with its name */
    const char *file_path; /* which no file may have; NULL: any may */
    size_t file_room;      /* bytes that a file may have; 0: any */

    char text[FRONT_TEXT]; /* what was written last, NUL-terminated */
    size_t size;
    uint32_t width;   /* of what it writes to; 0: any */
    size_t stop_at;   /* bytes, at which `write` returns stop; 0: never */
    size_t after;     /* bytes that were given after it had */
    bool is_begun;    /* `begin` was called */
    bool begun_json;  /* and told so */
    unsigned asked;   /* how often `code_place` was */
    uint64_t done;    /* the last arguments of `progress` */
    bool is_stopping; /* the result of `is_interrupted` */
    char stack[32];   /* the last value of the option `stack`; "" for none */
};

/* Begin FRONT, with all services, as a debugger's. */
void front_begin(struct front *front);

/* Make its view. */
void front_open(struct front *front);

/* Free the view; the address space is the test's. */
void front_close(struct front *front);

/* Give back what the view keeps between commands, which the test had it keep outside of all. */
void front_clear(struct front *front);

/* Run a command as a line of a debugger, or as the words of a shell, NULL ends them. */
ompd_view_exit_t front_line(struct front *front, const char *verb, const char *arguments);
ompd_view_exit_t front_words(struct front *front, const char *const *words);

/* The line writes TEXT and ends well. */
void front_expect(struct front *front, const char *verb, const char *arguments, const char *text);

/* The line is invalid, for a reason that contains WORDS. */
void front_refuses(struct front *front, const char *verb, const char *arguments, const char *words);

/* The message of the last command. */
const char *front_message(const struct front *front);

/* Nothing in TEXT moves a terminal's cursor, except newlines. */
void front_expect_printable(const char *text);

#endif
