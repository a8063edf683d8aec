/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parsing a command: its verb, options and operands. */
#ifndef OMPD_VIEW_LINE_H
#define OMPD_VIEW_LINE_H

#include <view/context/context.h>

/* Owned words. */
struct view_words {
    char **all;
    size_t count;
};

struct view_command_line {
    ompd_view_line_t line;
    bool asks_help;
    bool asks_version;
    struct view_words words;    /* of a line, or copies of the shell's */
    struct view_words operands; /* those that `line` points to */
};

/* What an option of the view applies to. */
enum view_option_use {
    view_option_of_all,
    view_option_of_list,    /* lists: which rows to show */
    view_option_of_contents /* the contents of one memory object */
};

/* An option of the view or of the front end. */
struct view_option {
    const char *name;
    const char *argument; /* as help shows it; NULL: none */
    const char *help;
    const char *field; /* of a filter: the field that it tests; else NULL */
    enum view_option_use use;
    const ompd_view_option_t *custom; /* of the front end's */
    bool names_fields;                /* its argument is a list of field names */
};

/* Option number INDEX of VERB, or of any verb if VERB is NULL.  False: no more options. */
bool view_option_get(const ompd_view_t *view, const ompd_view_verb_t *verb, size_t index,
                     struct view_option *option);

/* Whether the next word is the argument of OPTION, if none is given after "=". */
bool view_option_needs_argument(const struct view_option *option);

/* Split TEXT at blanks, except blanks within brackets or quotes. */
void view_words_split(struct view_words *words, const char *text);
void view_words_free(struct view_words *words);

/* Whether WORD of a line is an option, not an operand.  No cl handle is negative. */
bool view_word_is_option(const char *word);

/* Parse the command, and put its options in VIEW.  False: it is invalid, and has failed.  Free LINE
 * in both cases. */
bool view_command_line_parse(struct view_command_line *line, ompd_view_t *view, const char *verb,
                             const char *arguments);
bool view_command_line_parse_words(struct view_command_line *line, ompd_view_t *view, size_t count,
                                   char *const *words);
void view_command_line_free(struct view_command_line *line);

/* ---- verb ------------------------------------------------------------------------------------ */

/* The verbs of a view. */

/* Set the verbs of VIEW. */
void view_verbs_take(ompd_view_t *view);

/* The verb called NAME; NULL: no such verb. */
const ompd_view_verb_t *view_verb_find(ompd_view_t *view, const char *name);

/* Verbs of two words: `embree devices` is embree-devices, and `embree check` is check for objects
 * of Embree alone. */

/* The verb that WORD after VERB names; NULL: none.  *IS_OF_EMBREE: for objects of Embree alone. */
const ompd_view_verb_t *view_sub_verb_find(ompd_view_t *view, const ompd_view_verb_t *verb,
                                           const char *word, bool *is_of_embree);

/* Word number INDEX that may follow VERB; NULL: no more. */
const char *view_sub_verb_get(ompd_view_t *view, const ompd_view_verb_t *verb, size_t index);

/* Add "try `help opencl memobjs`" for VERB, or, with NULL, for all verbs. */
void view_verb_advise(const ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text);

/* Add the help of VERB, or, with NULL, of all verbs. */
void view_help_add(ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text);

/* See ompd_view_completion_get.  False: no completion number INDEX. */
bool view_completion_add(ompd_view_t *view, const char *name, const char *arguments, size_t index,
                         bool *is_expression, struct text *text);

#endif
