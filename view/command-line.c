/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See command-line.h. */
#include <view/command-line.h>

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <view/model/model.h>

static void words_add(struct view_words *words, const char *word, size_t length)
{
    char *copy = heap_get(length + 1);

    memcpy(copy, word, length);
    words->all = heap_grow(words->all, words->count, sizeof(words->all[0]));
    words->all[words->count++] = copy;
}

void view_words_free(struct view_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        heap_free(words->all[i]);
    heap_free(words->all);
    *words = (struct view_words){0};
}

/* The length of the first word of TEXT. */
static size_t word_length(const char *text)
{
    size_t length = 0;
    size_t depth = 0;
    char quote = '\0';

    for (; text[length] != '\0'; length++) {
        char character = text[length];

        if (quote != '\0')
            quote = character == quote && text[length - 1] != '\\' ? '\0' : quote;
        else if (character == '"' || character == '\'')
            quote = character;
        else if (strchr("([{", character) != NULL)
            depth++;
        else if (strchr(")]}", character) != NULL)
            depth -= depth != 0;
        else if (isspace((unsigned char)character) && depth == 0)
            break;
    }
    return length;
}

void view_words_split(struct view_words *words, const char *text)
{
    *words = (struct view_words){0};
    for (;;) {
        size_t length;

        while (isspace((unsigned char)*text))
            text++;
        if (*text == '\0')
            return;
        length = word_length(text);
        words_add(words, text, length);
        text += length;
    }
}

bool view_word_is_option(const char *word)
{
    return word[0] == '-' && isalpha((unsigned char)word[word[1] == '-' ? 2 : 1]);
}

/* A command being parsed. */
struct parser {
    ompd_view_t *view;
    struct view_command_line *line;
    bool is_of_shell;
    size_t next;             /* of the words */
    struct view_words given; /* names of options */
};

static bool parser_fail(struct parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Set the failure that the command is malformed, with a reference to help. */
static bool parser_fail(struct parser *parser, const char *format, ...)
{
    struct text why = {0};
    va_list arguments;

    va_start(arguments, format);
    text_add_list(&why, format, arguments);
    va_end(arguments);
    view_verb_advise(parser->view, parser->line->line.verb, &why);
    view_fail(parser->view, ompd_view_exit_usage, "%s.", why.bytes);
    text_free(&why);
    return false;
}

/* The options of VERB that NAME, of LENGTH bytes, matches, exactly or as a prefix. Returns how
 * many; ALIKE receives them in words. */
static size_t find_options(const ompd_view_t *view, const ompd_view_verb_t *verb, const char *name,
                           size_t length, struct view_option *found, struct text *alike)
{
    struct view_option option;
    size_t count = 0;

    for (size_t i = 0; view_option_get(view, verb, i, &option); i++) {
        if (strncmp(option.name, name, length) != 0)
            continue;
        *found = option;
        if (option.name[length] == '\0')
            return 1;
        text_add(alike, "%s%s%s", count++ != 0 ? " or " : "", view_option_prefix(view),
                 option.name);
    }
    return count;
}

/* The option that WORD names or abbreviates. Its value, after "=", begins at *VALUE. */
static bool parser_option_find(struct parser *parser, const char *word, struct view_option *option,
                               const char **value)
{
    const ompd_view_t *view = parser->view;
    const ompd_view_verb_t *verb = parser->line->line.verb;
    const char *name = word + (word[1] == '-' ? 2 : 1);
    size_t length = parser->is_of_shell ? strcspn(name, "=") : strlen(name);
    struct text alike = {0};
    size_t found = 0;

    *value = name[length] == '=' ? name + length + 1 : NULL;
    if (!parser->is_of_shell || word[1] == '-')
        found = find_options(view, verb, name, length, option, &alike);
    if (found > 1)
        view_fail(parser->view, ompd_view_exit_usage, "%s is ambiguous: %s.", word, alike.bytes);
    else if (found == 0 && verb != NULL)
        parser_fail(parser, "%s%s has no option %s", view_verb_prefix(view), verb->name, word);
    else if (found == 0)
        parser_fail(parser, "Unknown option %.*s", word[1] == '-' ? (int)strlen(word) : 2, word);
    text_free(&alike);
    return found == 1;
}

/* Whether WORD is a positive number. */
static bool parse_number(const char *word, uint64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoull(word, &end, 10);
    return isdigit((unsigned char)word[0]) && *end == '\0' && errno == 0 && *number >= 1;
}

/* Record the value of one of the view's options. */
static bool keep_option(struct parser *parser, const struct view_option *option, const char *value)
{
    struct view_options *options = &parser->view->options;

    options->is_filtered |= option->field != NULL;
    if (strcmp(option->name, "json") == 0)
        options->is_json = true;
    else if (strcmp(option->name, "version") == 0)
        parser->line->asks_version = true;
    else if (strcmp(option->name, "context") == 0 || strcmp(option->name, "device") == 0)
        options->context = value;
    else if (strcmp(option->name, "kind") == 0)
        options->kinds = value;
    else if (strcmp(option->name, "min-size") == 0)
        options->min_size = value;
    else if (strcmp(option->name, "state") == 0)
        options->states = value;
    else if (strcmp(option->name, "columns") == 0)
        options->columns = value;
    else if (strcmp(option->name, "sort") == 0)
        options->sort = value;
    else if (strcmp(option->name, "group") == 0)
        options->group = value;
    else if (strcmp(option->name, "contents") == 0)
        options->has_contents = true;
    else if (strcmp(option->name, "as") == 0)
        options->as = value;
    else if (strcmp(option->name, "image") == 0)
        options->image = value;
    else if (!parse_number(value,
                           strcmp(option->name, "rows") == 0 ? &options->rows : &options->limit))
        return view_fail(parser->view, ompd_view_exit_usage, "%s%s: '%s' is not a number of rows.",
                         view_option_prefix(parser->view), option->name, value);
    return true;
}

/* Record the value of one of the front end's options. */
static bool keep_own(struct parser *parser, const struct view_option *option, const char *value)
{
    const ompd_view_front_end_t *front_end = &parser->view->front_end;
    const char *why = front_end->take_option(front_end->user_ptr, option->custom, value);

    return why == NULL || view_fail(parser->view, ompd_view_exit_usage, "%s", why);
}

/* Record that OPTION is given. True if it is for the first time. */
static bool keep_given(struct parser *parser, const struct view_option *option)
{
    for (size_t i = 0; i < parser->given.count; i++)
        if (strcmp(parser->given.all[i], option->name) == 0)
            return false;
    words_add(&parser->given, option->name, strlen(option->name));
    return true;
}

/* Whether WORD asks for help, which every verb has. */
static bool is_for_help(const char *word)
{
    const char *name = word + (word[1] == '-' ? 2 : 1);

    return strcmp(name, "h") == 0 || strcmp(name, "help") == 0;
}

static bool take_option(struct parser *parser, const char *word)
{
    struct view_words *words = &parser->line->words;
    const char *prefix = view_option_prefix(parser->view);
    struct view_option option;
    const char *value;

    if (is_for_help(word)) {
        parser->line->asks_help = true;
        return true;
    }
    if (!parser_option_find(parser, word, &option, &value))
        return false;
    if (option.argument == NULL && value != NULL)
        return view_fail(parser->view, ompd_view_exit_usage, "%s%s takes no argument.", prefix,
                         option.name);
    if (view_option_needs_argument(&option) && value == NULL && parser->next < words->count)
        value = words->all[parser->next++];
    if (value != NULL ? value[0] == '\0' : view_option_needs_argument(&option))
        return view_fail(parser->view, ompd_view_exit_usage, "%s%s needs an argument.", prefix,
                         option.name);
    if (!keep_given(parser, &option) && option.argument != NULL &&
        (option.custom == NULL || (option.custom->groups & OMPD_VIEW_OPTION_REPEATS) == 0))
        return view_fail(parser->view, ompd_view_exit_usage, "%s%s is given more than once.",
                         prefix, option.name);
    return option.custom != NULL ? keep_own(parser, &option, value)
                                 : keep_option(parser, &option, value);
}

/* The edit distance of LEFT and RIGHT, in letters; MOST if it is that or more. */
static size_t distance_of(const char *left, const char *right, size_t most)
{
    size_t best = most;

    while (*left != '\0' && *left == *right) {
        left++;
        right++;
    }
    if (*left == *right)
        return 0;
    if (most <= 1)
        return most;
    for (int i = 0; i < 3; i++) {
        const char *next_left = left + (i != 1);
        const char *next_right = right + (i != 2);
        size_t distance;

        if ((i != 1 && *left == '\0') || (i != 2 && *right == '\0'))
            continue;
        distance = 1 + distance_of(next_left, next_right, best - 1);
        best = distance < best ? distance : best;
    }
    return best;
}

/* The verb whose name is nearest to WORD, or NULL. At most one letter of three may differ, and
 * no more than two. */
static const ompd_view_verb_t *nearest_verb(ompd_view_t *view, const char *word)
{
    const ompd_view_verb_t *nearest = NULL;
    const ompd_view_verb_t *verb;
    size_t best = strlen(word) / 3 < 2 ? strlen(word) / 3 + 1 : 3;

    for (size_t i = 0; (verb = ompd_view_verb_get(view, i)) != NULL; i++) {
        size_t distance = distance_of(word, verb->name, best);

        if (distance < best) {
            best = distance;
            nearest = verb;
        }
    }
    return nearest;
}

static bool take_verb(struct parser *parser, const char *word)
{
    const ompd_view_verb_t *verb = view_verb_find(parser->view, word);
    const ompd_view_verb_t *nearest;

    parser->line->line.verb = verb;
    if (verb != NULL)
        return true;
    if (strcmp(word, "help") == 0 && !parser->line->asks_help) {
        parser->line->asks_help = true;
        return true;
    }
    nearest = nearest_verb(parser->view, word);
    if (nearest != NULL)
        return parser_fail(parser, "Unknown verb '%s' (did you mean `%s`?)", word, nearest->name);
    return parser_fail(parser, "Unknown verb '%s'", word);
}

/* Replace the verb by the one that it and WORD name: `embree devices`. */
static bool parser_sub_verb_take(struct parser *parser, const char *word)
{
    ompd_view_t *view = parser->view;
    const ompd_view_verb_t *verb = parser->line->line.verb;
    const ompd_view_verb_t *found =
        view_sub_verb_find(view, verb, word, &view->options.is_of_embree);

    if (found == NULL)
        return parser_fail(parser, "Unknown verb '%s %s'", verb->name, word);
    parser->line->line.verb = found;
    return true;
}

/* Parse a word that is not an option. *MAY_BE_OPTION: whether later words may be options. */
static bool parser_word_take(struct parser *parser, const char *word, bool *may_be_option)
{
    struct view_command_line *line = parser->line;
    const ompd_view_verb_t *verb = line->line.verb;
    bool is_foreign = verb != NULL && (verb->takes & ompd_view_takes_foreign_options) != 0;

    if (word[0] == '\0' && !(is_foreign && line->operands.count != 0))
        return parser_fail(parser, "Empty argument");
    if (verb == NULL)
        return take_verb(parser, word);
    if (view_sub_verb_get(parser->view, verb, 0) != NULL)
        return parser_sub_verb_take(parser, word);
    words_add(&line->operands, word, strlen(word));
    *may_be_option = *may_be_option && !is_foreign;
    return true;
}

static bool take_words(struct parser *parser)
{
    struct view_words *words = &parser->line->words;
    bool may_be_option = true;

    while (parser->next < words->count) {
        const char *word = words->all[parser->next++];
        bool is_option =
            parser->is_of_shell ? word[0] == '-' && word[1] != '\0' : view_word_is_option(word);

        if (may_be_option && strcmp(word, "--") == 0)
            may_be_option = false;
        else if (!(may_be_option && is_option ? take_option(parser, word)
                                              : parser_word_take(parser, word, &may_be_option)))
            return false;
    }
    return true;
}

/* Whether the options about contents fit together. */
static bool check_contents(struct parser *parser)
{
    const struct view_options *options = &parser->view->options;
    const char *prefix = view_option_prefix(parser->view);
    struct contents_type type;

    if (!options->has_contents && (options->as != NULL || options->rows != 0))
        return parser_fail(parser, "%s%s needs %scontents", prefix,
                           options->as != NULL ? "as" : "rows", prefix);
    if (options->as != NULL && !contents_type_get(options->as, &type))
        return view_fail(
            parser->view, ompd_view_exit_usage,
            "%sas: '%s' is not a scalar or vector type of OpenCL C, such as float or uchar4.",
            prefix, options->as);
    return true;
}

/* Whether the verb accepts the options that preceded it. */
static bool check_options(struct parser *parser)
{
    const ompd_view_verb_t *verb = parser->line->line.verb;
    const struct view_options *options = &parser->view->options;
    struct view_option found;

    for (size_t i = 0; i < parser->given.count; i++) {
        const char *name = parser->given.all[i];
        struct text alike = {0};
        bool is_taken = find_options(parser->view, verb, name, strlen(name), &found, &alike) == 1 &&
                        strcmp(found.name, name) == 0;

        text_free(&alike);
        if (!is_taken)
            return parser_fail(parser, "%s has no option %s%s", verb->name,
                               view_option_prefix(parser->view), name);
    }
    /* A verb of the front end may have an option of the same name. */
    if (options->group != NULL && (verb->takes & ompd_view_takes_filters) == 0)
        return parser_fail(parser, "%s has no option %sgroup with an argument", verb->name,
                           view_option_prefix(parser->view));
    if (options->limit != 0 && options->is_json)
        return view_fail(parser->view, ompd_view_exit_usage,
                         "%slimit applies to tables only; JSON is never truncated.",
                         view_option_prefix(parser->view));
    return check_contents(parser);
}

/* The name of VERB's operand in help. */
static const char *operand_of(const ompd_view_t *view, const ompd_view_verb_t *verb)
{
    bool is_file = (verb->takes & ompd_view_takes_files) != 0;

    return view->front_end.takes_expressions && !is_file ? "an expression" : verb->operand;
}

/* Whether the number of operands fits the verb's description. */
static bool check_operands(struct parser *parser)
{
    const struct view_words *operands = &parser->line->operands;
    const ompd_view_verb_t *verb = parser->line->line.verb;
    const char *prefix = view_verb_prefix(parser->view);
    const char *operand = verb->operand;
    size_t most;

    if (operands->count == 0 && operand != NULL && operand[0] != '[')
        return parser_fail(parser, "%s%s needs %s", prefix, verb->name,
                           operand_of(parser->view, verb));
    if (operands->count != 0 && operand == NULL)
        return view_fail(parser->view, ompd_view_exit_usage,
                         "%s%s takes no argument, but '%s' was given.", prefix, verb->name,
                         operands->all[0]);
    most = operand != NULL && strchr(operand, ' ') != NULL ? 2 : 1;
    if (operands->count > most && strstr(operand, "...") == NULL)
        return view_fail(parser->view, ompd_view_exit_usage, "%s%s takes %s; unexpected '%s'.",
                         prefix, verb->name, most == 1 ? "one argument" : "two arguments",
                         operands->all[most]);
    return true;
}

/* Join all operands into one: an expression may contain blanks. */
static void join_operands(struct view_words *operands)
{
    struct text all = {0};

    for (size_t i = 0; i < operands->count; i++)
        text_add(&all, "%s%s", i != 0 ? " " : "", operands->all[i]);
    view_words_free(operands);
    if (all.length != 0)
        words_add(operands, all.bytes, all.length);
    text_free(&all);
}

/* Remove the quotes around a word that contains blanks. */
static void word_unquote(char *word)
{
    size_t length = strlen(word);

    if (length < 2 || (word[0] != '"' && word[0] != '\'') || word[length - 1] != word[0])
        return;
    memmove(word, word + 1, length - 2);
    word[length - 2] = '\0';
}

/* Make the operands of a line equal to those from a shell. */
static void settle_operands(struct view_words *operands, const ompd_view_verb_t *verb)
{
    if ((verb->takes & ompd_view_takes_snapshots) == 0) {
        join_operands(operands);
        return;
    }
    for (size_t i = 0; i < operands->count; i++)
        word_unquote(operands->all[i]);
}

static bool parse_given(struct parser *parser)
{
    struct view_command_line *line = parser->line;

    if (!take_words(parser))
        return false;
    if (line->asks_help || line->asks_version)
        return true;
    if (line->line.verb == NULL)
        return parser_fail(parser, "A verb is missing");
    if (!parser->is_of_shell)
        settle_operands(&line->operands, line->line.verb);
    line->line.operands = line->operands.all;
    line->line.operand_count = line->operands.count;
    line->line.user_ptr = parser->view->front_end.user_ptr;
    line->line.is_json = parser->view->options.is_json;
    return check_options(parser) && check_operands(parser);
}

static bool parser_run(struct parser *parser)
{
    bool is_sense = parse_given(parser);

    view_words_free(&parser->given);
    return is_sense;
}

bool view_command_line_parse(struct view_command_line *line, ompd_view_t *view, const char *verb,
                             const char *arguments)
{
    struct parser parser = {.view = view, .line = line};

    *line = (struct view_command_line){0};
    view_words_split(&line->words, arguments != NULL ? arguments : "");
    return take_verb(&parser, verb) && parser_run(&parser);
}

bool view_command_line_parse_words(struct view_command_line *line, ompd_view_t *view, size_t count,
                                   char *const *words)
{
    struct parser parser = {.view = view, .line = line, .is_of_shell = true};

    *line = (struct view_command_line){0};
    for (size_t i = 0; i < count; i++)
        words_add(&line->words, words[i], strlen(words[i]));
    return parser_run(&parser);
}

void view_command_line_free(struct view_command_line *line)
{
    view_words_free(&line->words);
    view_words_free(&line->operands);
}
