/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See triage.h. */
#include <command/triage/triage.h>

#include <inttypes.h>

#define TOLD 3        /* functions of the program */
#define TOLD_COARSE 2 /* besides the call, for a waiting program */
#define LONGEST 256   /* bytes of a name */
#define SEPARATOR " | "
#define NEXT_WAIT "; "
#define LIVED "lived"

/* A function, as rules describe it. */
struct frame {
    struct text name;   /* "": none */
    const char *module; /* name of its file; NULL: unknown */
    const char *group;  /* the name that its module's functions are merged to; NULL: it is the
                         * program's */
    uint64_t offset;
    bool is_of_program; /* in the program's file, not in a library */
};

/* An iteration through a stack, from the innermost function outwards. */
struct walk {
    const struct command_signature_rules *rules;
    const struct command_signature_stack *stack;
    size_t next;
    struct frame frame;
};

/* ---- Functions ------------------------------------------------------------------------------- */

static void cut_name(struct text *name)
{
    text_put(name, "");
    if (name->length <= LONGEST)
        return;
    name->length = LONGEST;
    name->bytes[LONGEST] = '\0';
    text_put(name, "...");
}

/* Rename NAME according to RULE.  A * in the new name stands for what the final * of the pattern
 * matched. */
static void change_name(const struct command_signature_rule *rule, struct text *name)
{
    const char *rest = name->bytes + strlen(rule->pattern) - 1;
    struct text changed = {0};

    for (const char *at = rule->other; *at != '\0'; at++)
        if (*at == '*')
            text_put(&changed, rest);
        else
            text_append(&changed, at, 1);
    text_clear(name);
    text_put(name, text_get(&changed));
    text_free(&changed);
}

/* Fill FRAME according to the rules for FUNCTION. */
static void find_frame(const struct command_signature_rules *rules,
                       const struct command_function *function, struct frame *frame)
{
    const struct command_signature_rule *rule;

    text_clear(&frame->name);
    frame->module = function->module != NULL ? text_file_name(function->module) : NULL;
    frame->offset = function->offset;
    frame->is_of_program = function->is_of_program;
    frame->group = NULL;
    if (frame->module != NULL) {
        rule = command_signature_rule_find(rules, command_rule_module, frame->module, NULL);
        frame->group = rule != NULL ? rule->other : NULL;
    }
    if (function->name != NULL)
        command_function_name_add(function->name, &frame->name);
    cut_name(&frame->name);
    rule = command_signature_rule_find(rules, command_rule_name, frame->name.bytes, NULL);
    if (rule != NULL)
        change_name(rule, &frame->name);
}

static bool is_of(const struct walk *walk, enum command_signature_rule_kind kind)
{
    const struct frame *frame = &walk->frame;

    return command_signature_rule_find(walk->rules, kind, text_get(&frame->name), frame->module) !=
           NULL;
}

/* Go to the next function that is not skipped.  Returns false at the end. */
static bool walk_on(struct walk *walk)
{
    while (walk->next < walk->stack->count) {
        find_frame(walk->rules, &walk->stack->functions[walk->next++], &walk->frame);
        if (is_of(walk, command_rule_stop))
            return false;
        if (!is_of(walk, command_rule_skip))
            return true;
    }
    return false;
}

static struct walk walk_begin(const struct command_signature_rules *rules,
                              const struct command_signature_stack *stack)
{
    struct walk walk = {.rules = rules, .stack = stack};

    while (walk.next < stack->count) {
        find_frame(rules, &stack->functions[walk.next], &walk.frame);
        if (is_of(&walk, command_rule_begin))
            return walk;
        walk.next++;
    }
    walk.next = 0;
    return walk;
}

/* Add the function's name or location. */
static void frame_name_add(const struct frame *frame, struct text *text)
{
    if (frame->name.length != 0)
        text_put(text, frame->name.bytes);
    else if (frame->group != NULL)
        text_put(text, frame->group);
    else
        text_add(text, "%s@0x%" PRIx64, frame->module != NULL ? frame->module : "?", frame->offset);
}

/* ---- Deaths ---------------------------------------------------------------------------------- */

/* Put the name of a run of functions that are merged to one module in NAME.  The run begins at
 * the current function.  Its name is that of its outermost function, which was called. */
static bool merged_run_name(struct walk *walk, struct text *name)
{
    const char *group = walk->frame.group;
    bool is_more;

    do {
        text_clear(name);
        frame_name_add(&walk->frame, name);
        is_more = walk_on(walk);
    } while (is_more && walk->frame.group != NULL && strcmp(walk->frame.group, group) == 0);
    return is_more;
}

/* Add PART, unless it repeats the last part of TEXT: recursive calls count once.  Returns
 * whether it was added. */
static bool signature_part_add(struct text *text, const char *part)
{
    size_t size = strlen(SEPARATOR) + strlen(part);
    const char *end = text->bytes + text->length;

    if (text->length > size && strcmp(end - strlen(part), part) == 0 &&
        strncmp(end - size, SEPARATOR, strlen(SEPARATOR)) == 0)
        return false;
    text_put(text, SEPARATOR);
    text_put(text, part);
    return true;
}

static void add_death_text(struct walk walk, struct text *text)
{
    struct text name = {0};
    size_t journal_entry = 0;
    bool is_more = walk_on(&walk);

    while (is_more && journal_entry < TOLD) {
        bool counts = walk.frame.group == NULL && !is_of(&walk, command_rule_prefix);

        text_clear(&name);
        if (walk.frame.group != NULL) {
            is_more = merged_run_name(&walk, &name);
        } else {
            frame_name_add(&walk.frame, &name);
            is_more = walk_on(&walk);
        }
        counts &= signature_part_add(text, name.bytes);
        journal_entry += counts;
    }
    text_free(&name);
    text_free(&walk.frame.name);
}

/* Add the module of the current function, without its version. */
static void add_module(const struct frame *frame, struct text *text)
{
    if (frame->group != NULL)
        text_put(text, frame->group);
    else if (frame->module != NULL)
        text_append(text, frame->module, command_library_length(frame->module));
    else
        text_put(text, "?");
}

static void add_death_coarse(struct walk walk, struct text *text)
{
    struct text part = {0};
    size_t journal_entry = 0;

    while (journal_entry < TOLD && walk_on(&walk)) {
        bool is_own = walk.frame.group == NULL;

        if (is_own && is_of(&walk, command_rule_prefix))
            continue;
        text_clear(&part);
        if (is_own && (walk.frame.name.length != 0 || walk.frame.is_of_program))
            frame_name_add(&walk.frame, &part);
        else
            add_module(&walk.frame, &part);
        journal_entry += signature_part_add(text, part.bytes) && is_own;
    }
    text_free(&part);
    text_free(&walk.frame.name);
}

/* Whether a function of STACK has a name or belongs to the program. */
static bool stack_has_names(const struct command_signature_rules *rules,
                            const struct command_signature_stack *stack)
{
    struct frame frame = {.module = NULL};
    bool is_reported = stack->has_called;

    for (size_t i = 0; i < stack->count && !is_reported; i++) {
        find_frame(rules, &stack->functions[i], &frame);
        is_reported = frame.name.length != 0 || frame.group == NULL;
    }
    text_free(&frame.name);
    return is_reported;
}

void command_signature_add_death(struct command_signature *signature,
                                 const struct command_signature_rules *rules, const char *end,
                                 const struct command_signature_stack *stack)
{
    struct walk walk = walk_begin(rules, stack);
    struct text *const texts[] = {&signature->text, &signature->coarse};

    if (!stack_has_names(rules, stack)) {
        text_free(&walk.frame.name);
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        text_put(texts[i], end);
        if (stack->has_called)
            signature_part_add(texts[i], "no code");
    }
    text_free(&walk.frame.name);
    walk.frame.name = (struct text){0};
    add_death_text(walk, &signature->text);
    add_death_coarse(walk, &signature->coarse);
}

/* ---- Waits ----------------------------------------------------------------------------------- */

/* Put the call of FRAMES and the program's functions to show in PLACE.  IS_COARSE: without
 * functions that only pass calls on. */
static void find_place(const struct command_signature_rules *rules,
                       const struct command_frames *frames, bool is_coarse, struct text *place)
{
    size_t most = is_coarse ? TOLD_COARSE : TOLD;
    struct command_signature_stack stack = {.functions = frames->all, .count = frames->count};
    struct walk walk = {.rules = rules, .stack = &stack};

    for (size_t journal_entry = 0; journal_entry <= most && walk_on(&walk);) {
        bool is_prefix = is_of(&walk, command_rule_prefix);

        if (is_prefix && is_coarse)
            continue;
        if (place->length != 0)
            text_put(place, SEPARATOR);
        frame_name_add(&walk.frame, place);
        journal_entry += !is_prefix;
    }
    text_free(&walk.frame.name);
}

/* Whether PLACE is listed in TEXT after its first word. */
static bool has_wait_place(const struct text *text, const char *place)
{
    size_t length = strlen(place);

    for (const char *at = text->bytes + strlen(LIVED SEPARATOR); at < text->bytes + text->length;) {
        const char *end = strstr(at, NEXT_WAIT);
        size_t size = end != NULL ? (size_t)(end - at) : strlen(at);

        if (size == length && strncmp(at, place, size) == 0)
            return true;
        at += size + strlen(NEXT_WAIT);
    }
    return false;
}

static void wait_place_add(struct text *text, const struct text *place)
{
    const char *word = place->length != 0 ? place->bytes : "?";

    if (text->length == 0)
        text_put(text, LIVED SEPARATOR);
    else if (has_wait_place(text, word))
        return;
    else
        text_put(text, NEXT_WAIT);
    text_put(text, word);
}

void command_signature_add_wait(struct command_signature *signature,
                                const struct command_signature_rules *rules,
                                const struct command_frames *frames)
{
    struct text place = {0};

    find_place(rules, frames, false, &place);
    wait_place_add(&signature->text, &place);
    text_clear(&place);
    find_place(rules, frames, true, &place);
    wait_place_add(&signature->coarse, &place);
    text_free(&place);
}

void command_signature_add_nowhere(struct command_signature *signature)
{
    text_put(&signature->text, LIVED);
    text_put(&signature->coarse, LIVED);
}

/* ---- Causes that a stack shows --------------------------------------------------------------- */

bool command_signature_has(const struct command_signature_rules *rules,
                           enum command_signature_rule_kind kind,
                           const struct command_signature_stack *stack)
{
    struct frame frame = {.module = NULL};
    const char *by = NULL; /* the required caller of this function; NULL: any */
    bool is_found = false;

    for (size_t i = 0; i < stack->count && !is_found; i++) {
        const struct command_signature_rule *rule;

        find_frame(rules, &stack->functions[i], &frame);
        is_found = by != NULL && command_pattern_fits(by, frame.name.bytes, frame.name.length);
        rule = command_signature_rule_find(rules, kind, frame.name.bytes, NULL);
        by = rule != NULL ? rule->other : NULL;
        is_found |= rule != NULL && by == NULL;
    }
    text_free(&frame.name);
    return is_found;
}

void command_signature_free(struct command_signature *signature)
{
    text_free(&signature->text);
    text_free(&signature->coarse);
}
