/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The options of the command line. */
#ifndef OMPD_HOST_COMMAND_OPTION_H
#define OMPD_HOST_COMMAND_OPTION_H

#include <host/command/verb.h>

/* One option.  All begin with "--"; all may be shortened as long as they are unique. */
struct command_option {
    const char *name;     /* "min-size" */
    const char *argument; /* what follows it, as help writes it; NULL: nothing */
    const char *help;     /* one line */
    const char *field;    /* filter: the field that rows must have; else NULL */
    bool is_of_target;    /* says what to look at, and how */
    bool is_of_list;      /* says which rows to show */
};

/* All options, in the order of help. */
extern const struct command_option command_options_known[];
extern const size_t command_option_count;

/* Whether VERB takes OPTION. */
bool command_option_is_for(const struct command_option *option, const struct command_verb *verb);

/* What a command line says. */
struct command_line {
    struct command_options options;
    const struct command_verb *verb; /* NULL: none was given */
    char **operands;                 /* within argv, */
    size_t operand_count;            /* so many; its caller owns argv */
    bool asks_help;
    bool asks_version;
};

/* Take the words of a command line apart; ARGV is put in another order.  False: it makes no sense,
 * and WHY gets the sentence. */
bool command_line_parse(struct command_line *line, int argc, char **argv, struct command_text *why);

#endif
