/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts as text: the lines that two layouts have in common. */
#include <command/learn/learn.h>

#include <string.h>

#define OBJECT "object "
#define LIST "  list "
#define FIELD "  field "
/* Detail of a list, which may lose elements, or of a field, which is useless without it. */
#define MORE "    "

/* The start of the line after TEXT. */
static const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');

    return end != NULL ? end + 1 : text + strlen(text);
}

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static bool is_same_line(const char *one, const char *other)
{
    size_t length = (size_t)(next_line(one) - one);

    return (size_t)(next_line(other) - other) == length && memcmp(one, other, length) == 0;
}

/* Find LINE in TEXT, before the first line that begins with END.  Returns NULL if it is missing. */
static const char *find_line(const char *text, const char *line, const char *end)
{
    for (; *text != '\0' && !begins(text, end); text = next_line(text))
        if (is_same_line(text, line))
            return text;
    return NULL;
}

/* Whether the objects that begin at ONE and OTHER have the same rules.  Without one of the
 * rules, other memory would be taken for an object of the kind. */
static bool has_same_rules(const char *one, const char *other)
{
    do {
        one = next_line(one);
        other = next_line(other);
        if (begins(one, "  rule ") != begins(other, "  rule ") ||
            (begins(one, "  rule ") && !is_same_line(one, other)))
            return false;
    } while (begins(one, "  rule "));
    return true;
}

/* Whether the lines at ONE and OTHER are the same, and their detail lines. */
static bool is_same_block(const char *one, const char *other)
{
    do {
        if (!is_same_line(one, other))
            return false;
        one = next_line(one);
        other = next_line(other);
    } while (begins(one, MORE) && begins(other, MORE));
    return begins(one, MORE) == begins(other, MORE);
}

static bool is_condition(const char *line)
{
    return begins(line, "    when ") || begins(line, "    unless ");
}

/* Whether the lists that begin at ONE and OTHER have the same condition, or none. */
static bool has_same_condition(const char *one, const char *other)
{
    one = next_line(one);
    other = next_line(other);
    return (!is_condition(one) && !is_condition(other)) || is_same_line(one, other);
}

void command_layout_intersect(struct text *first, const struct text *second)
{
    struct text both = {0};
    const char *object = text_get(second); /* the same object in the second layout; NULL: missing */
    const char *owner = NULL;              /* the same list or field there, for its detail lines */

    for (const char *line = text_get(first); *line != '\0'; line = next_line(line)) {
        const char *found = NULL;

        if (begins(line, OBJECT)) {
            object = find_line(text_get(second), line, "\n");
            if (object != NULL && !has_same_rules(line, object))
                object = NULL;
            found = object;
        } else if (begins(line, MORE)) {
            found = owner != NULL ? find_line(next_line(owner), line, LIST) : NULL;
        } else if (object != NULL) {
            found = find_line(begins(object, OBJECT) ? next_line(object) : object, line, OBJECT);
        }
        if (begins(line, FIELD) && found != NULL && !is_same_block(line, found))
            found = NULL;
        if (begins(line, LIST) && found != NULL && !has_same_condition(line, found))
            found = NULL;
        if (!begins(line, MORE))
            owner = found;
        if (found != NULL)
            text_append(&both, line, (size_t)(next_line(line) - line));
    }
    text_clear(first);
    text_add(first, "%s", text_get(&both));
    text_free(&both);
}

bool command_layout_word(const char *layout, const char *word, struct text *text)
{
    for (; *layout != '\0'; layout = next_line(layout))
        if (begins(layout, word) && layout[strlen(word)] == ' ') {
            layout += strlen(word) + 1;
            text_append(text, layout, strcspn(layout, "\n"));
            return true;
        }
    return false;
}
