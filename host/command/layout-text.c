/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts as lines of text: what two have in common. */
#include <host/command/probe.h>

#include <string.h>

#define OBJECT "object "
#define LIST "  list "
#define OF_LIST "    "

/* Where the line at TEXT ends: behind its newline. */
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

/* Find LINE from TEXT on, before a line that begins with END; NULL: it is not there. */
static const char *find_line(const char *text, const char *line, const char *end)
{
    for (; *text != '\0' && !begins(text, end); text = next_line(text))
        if (is_same_line(text, line))
            return text;
    return NULL;
}

/* Whether the rules of the objects that begin at ONE and OTHER are the same: without one of them,
 * what is no object of the kind would be taken for one. */
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

void command_layout_intersect(struct command_text *first, const struct command_text *second)
{
    struct command_text both = {0};
    const char *object = command_text_get(second); /* the same in the other; NULL: is not there */
    const char *list = NULL;

    for (const char *line = command_text_get(first); *line != '\0'; line = next_line(line)) {
        const char *found = NULL;

        if (begins(line, OBJECT)) {
            object = find_line(command_text_get(second), line, "\n");
            if (object != NULL && !has_same_rules(line, object))
                object = NULL;
            found = object;
        } else if (begins(line, OF_LIST)) {
            found = list != NULL ? find_line(next_line(list), line, LIST) : NULL;
        } else if (object != NULL) {
            found = find_line(begins(object, OBJECT) ? next_line(object) : object, line, OBJECT);
        }
        if (!begins(line, OF_LIST))
            list = begins(line, LIST) ? found : NULL;
        if (found != NULL)
            command_text_append(&both, line, (size_t)(next_line(line) - line));
    }
    command_text_clear(first);
    command_text_add(first, "%s", command_text_get(&both));
    command_text_free(&both);
}

bool command_layout_word(const char *layout, const char *word, struct command_text *text)
{
    for (; *layout != '\0'; layout = next_line(layout))
        if (begins(layout, word) && layout[strlen(word)] == ' ') {
            layout += strlen(word) + 1;
            command_text_append(text, layout, strcspn(layout, "\n"));
            return true;
        }
    return false;
}
