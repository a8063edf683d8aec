/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A wrong layout for a correct runtime.  Each line of the input edits a line of the correct layout:
 * a byte that selects the line, one that selects the edit, and text. */
#include "ask.h"
#include "cost.h"
#include "fuzz.h"
#include "small-memory.h"
#include "small-targets.h"

#include <string.h>

#define MOST_LINES 256
#define MOST_BYTES 16384

struct line {
    const char *text;
    size_t length;
};

static struct line lines[MOST_LINES];
static size_t line_count;

static void split(const char *text)
{
    line_count = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        lines[line_count++] = (struct line){text, length};
        text += length + (text[length] == '\n');
    }
}

static void insert(size_t at, struct line line)
{
    if (line_count == MOST_LINES)
        return;
    memmove(&lines[at + 1], &lines[at], (line_count - at) * sizeof(line));
    lines[at] = line;
    line_count++;
}

static void apply(const char *edit, size_t length)
{
    struct line text = {edit + 2, length - 2};
    size_t which = (unsigned char)edit[0] % line_count;

    switch ((unsigned char)edit[1] % 8) {
    case 0:
    case 1:
        lines[which] = text;
        break;
    case 2:
        insert(which, text);
        break;
    case 3: /* as it begins */
        lines[which].length = strcspn(lines[which].text, " \n");
        break;
    case 4: /* none */
        if (line_count > 1)
            memmove(&lines[which], &lines[which + 1], (--line_count - which) * sizeof(lines[0]));
        break;
    case 5: /* as another */
        lines[which] = lines[text.length % line_count];
        break;
    default:
        insert(text.length % line_count, lines[which]);
    }
}

static size_t join(char *text)
{
    size_t size = 0;

    for (size_t i = 0; i < line_count && size + lines[i].length < MOST_BYTES; i++) {
        memcpy(text + size, lines[i].text, lines[i].length);
        size += lines[i].length;
        text[size++] = '\n';
    }
    return size;
}

static size_t edit(const char *layout, const char *data, size_t size, char *text)
{
    const char *end = data + size;

    split(layout);
    for (size_t length; data < end; data += length + 1) {
        const char *stop = memchr(data, '\n', (size_t)(end - data));

        length = (size_t)((stop == NULL ? end : stop) - data);
        if (length >= 2)
            apply(data, length);
    }
    return join(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[MOST_BYTES + 1];
    ompd_address_space_handle_t *space = NULL;
    struct small_target *small;
    size_t length;
    ompd_rc_t rc;

    if (size == 0)
        return 0;
    small = small_target_get((data[0] & 4) != 0 ? small_make_recorded : small_make_objects,
                             data[0] & 3);
    length = edit(small->layout, (const char *)data + 1, size - 1, text);
    if (ompd_cl_address_space_create(small_callbacks(), &fake_extra, (void *)small->fake, &space) !=
        ompd_rc_ok)
        return 0;
    rc = ompd_cl_layout_add(space, text, length);
    ask_check(space, rc);
    if (rc == ompd_rc_ok)
        ask_everything(space, data[0] >> 3);
    ompd_rel_address_space_handle(space);
    cost_check_end();
    return 0;
}
