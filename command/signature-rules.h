/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The rules that make a signature of a call stack: those that are installed, and the user's. */
#ifndef OMPD_COMMAND_SIGNATURE_RULES_H
#define OMPD_COMMAND_SIGNATURE_RULES_H

#include <stdbool.h>
#include <stdint.h>
#include <text/text.h>

#define COMMAND_SIGNATURE_RULES "signature.rules" /* the file's name */

/* What a rule says; the installed file explains them. */
enum command_signature_rule_kind {
    command_rule_skip,
    command_rule_begin,
    command_rule_prefix,
    command_rule_stop,
    command_rule_name,
    command_rule_module,
    command_rule_abort,
    command_rule_memory
};

struct command_signature_rule {
    enum command_signature_rule_kind kind;
    char *pattern;
    char *other; /* the second word; NULL: there is none */
};

/* Begin with {0}. */
struct command_signature_rules {
    struct command_signature_rule *all;
    size_t count;
    uint64_t number;  /* of the installed list; 0: none has told one */
    uint64_t digest;  /* of all rules in their order */
    char version[48]; /* "1.5f3a9c02": the number, and what changes with each rule */
};

/* Read the installed rules and those of the user, if there are any.  False: WHY gets a sentence,
 * and *IS_USERS tells whether it is the user's file that has a fault; RULES have none. */
bool command_signature_rules_load(struct command_signature_rules *rules, bool *is_users,
                                  struct text *why);

/* Add the rules that TEXT, of the file PATH, has; HAS_NUMBER: it has to tell the list's.  False:
 * WHY gets a sentence. */
bool command_signature_rules_add(struct command_signature_rules *rules, const char *path,
                                 const char *text, size_t size, bool has_number, struct text *why);

/* The first rule of KIND whose pattern is NAME, and whose second word, if it is of a kind whose
 * second word is a pattern of modules, is MODULE (a file's name; NULL: not known).  NULL: none. */
const struct command_signature_rule *
command_signature_rule_find(const struct command_signature_rules *rules,
                            enum command_signature_rule_kind kind, const char *name,
                            const char *module);

/* Give them back. */
void command_signature_rules_free(struct command_signature_rules *rules);

#endif
