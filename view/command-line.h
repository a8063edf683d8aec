/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a command says: its verb, options and operands. */
#ifndef OMPD_VIEW_LINE_H
#define OMPD_VIEW_LINE_H

#include <view/context/context.h>

/* Words, owned. */
struct view_words {
    char **all;
    size_t count;
};

struct view_command_line {
    ompd_view_line_t line;
    bool asks_help;
    bool asks_version;
    struct view_words words;    /* of a line, or copies of a shell's */
    struct view_words operands; /* what `line` points to */
};

/* What an option of the view's own is about. */
enum view_option_use {
    view_option_of_all,
    view_option_of_list,    /* which rows to show */
    view_option_of_contents /* those of one memory object */
};

/* An option: of the view's own, or of the front end's. */
struct view_option {
    const char *name;
    const char *argument; /* as help writes it; NULL: none */
    const char *help;
    const char *field; /* filter: the field that rows must have; else NULL */
    enum view_option_use use;
    const ompd_view_option_t *custom; /* of the front end's */
    bool names_fields;                /* its argument is names of fields */
};

/* Option number INDEX of those that VERB takes, with NULL any verb; false: there are no more. */
bool view_option_get(const ompd_view_t *view, const ompd_view_verb_t *verb, size_t index,
                     struct view_option *option);

/* Whether the word behind OPTION is its argument, unless that stands behind "=". */
bool view_option_needs_argument(const struct view_option *option);

/* Split TEXT at blanks; those within brackets or quotes do not end a word. */
void view_words_split(struct view_words *words, const char *text);
void view_words_free(struct view_words *words);

/* Whether WORD of a line is an option rather than an operand: no cl handle is negative. */
bool view_word_is_option(const char *word);

/* Take the command apart, its options into VIEW.  False: it makes no sense, which is kept in VIEW.
 * LINE is to be freed either way. */
bool view_command_line_parse(struct view_command_line *line, ompd_view_t *view, const char *verb,
                             const char *arguments);
bool view_command_line_parse_words(struct view_command_line *line, ompd_view_t *view, size_t count,
                                   char *const *words);
void view_command_line_free(struct view_command_line *line);

/* ---- verb ------------------------------------------------------------------------------------ */

/* What a view can be asked to do. */

/* Give VIEW the verbs that every view has. */
void view_verbs_take(ompd_view_t *view);

/* The verb called NAME; NULL: there is none. */
const ompd_view_verb_t *view_verb_find(ompd_view_t *view, const char *name);

/* Add "try `help opencl memobjs`": of VERB, or with NULL of all. */
void view_verb_advise(const ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text);

/* Add what help says of VERB, or with NULL of all. */
void view_help_add(ompd_view_t *view, const ompd_view_verb_t *verb, struct text *text);

/* See ompd_view_completion_get.  False: there is no number INDEX. */
bool view_completion_add(ompd_view_t *view, const char *name, const char *arguments, size_t index,
                         bool *is_expression, struct text *text);

#endif
