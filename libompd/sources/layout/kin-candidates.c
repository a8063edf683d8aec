/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which layouts of other builds may describe a runtime: those of a module with the same name. The
 * number behind ".so." grows with the version of some runtimes. A runtime also reports its version
 * to programs (CL_PLATFORM_VERSION, CL_DRIVER_VERSION), so the text is in its read-only memory.
 */
#include "sources/layout/runtime.h"

#include <string.h>

/* ---- Names ----------------------------------------------------------------------------------- */

/* The parts of a name: "libpocl", "-21062cec" or nothing, and "2.10.0". */
struct module_name {
    const char *text;
    size_t stem; /* bytes */
    const char *version;
};

#define LIBRARY_SUFFIX ".so"

/* Tools that copy libraries into a package put a hash of so many digits into their names. */
#define HASH_DIGITS 8

static bool is_hash(const char *text)
{
    for (unsigned i = 0; i < HASH_DIGITS; i++) {
        bool is_digit = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');

        if (!is_digit)
            return false;
    }
    return true;
}

static struct module_name split_name(const char *path)
{
    struct module_name name = {.text = text_file_name(path)};
    size_t length = strlen(name.text);

    name.stem = length;
    name.version = name.text + length;
    for (size_t i = 0; i + sizeof(LIBRARY_SUFFIX) - 1 <= length; i++) {
        if (memcmp(name.text + i, LIBRARY_SUFFIX, sizeof(LIBRARY_SUFFIX) - 1) != 0)
            continue;
        name.stem = i;
        name.version = name.text + i + sizeof(LIBRARY_SUFFIX) - 1;
        break;
    }
    if (name.stem > HASH_DIGITS + 1 && name.text[name.stem - HASH_DIGITS - 1] == '-' &&
        is_hash(name.text + name.stem - HASH_DIGITS))
        name.stem -= HASH_DIGITS + 1;
    return name;
}

/* The next number of a VERSION such as ".2.10.0"; 0 if there is none. */
static uint64_t next_number(const char **version)
{
    uint64_t number = 0;

    if (**version == '.')
        ++*version;
    for (; **version >= '0' && **version <= '9'; ++*version)
        number = number * 10 + (uint64_t)(**version - '0');
    return number < UINT16_MAX ? number : UINT16_MAX;
}

#define VERSION_NUMBERS 4

/* How far two versions are from each other: the first difference counts most. A name without a
 * version is nearest to none. */
static uint64_t find_distance(const struct module_name *one, const struct module_name *other)
{
    const char *version = one->version;
    const char *other_version = other->version;
    uint64_t distance = 0;

    if (*version == '\0' || *other_version == '\0')
        return *version == *other_version ? 0 : UINT64_MAX;
    for (unsigned i = 0; i < VERSION_NUMBERS; i++) {
        uint64_t number = next_number(&version);
        uint64_t other_number = next_number(&other_version);

        distance = distance << 16 |
                   (number > other_number ? number - other_number : other_number - number);
    }
    return distance;
}

/* Whether LAYOUT may describe RUNTIME, with NAME. A layout of this very build was refused before.
 */
static bool is_candidate(const struct layout *layout, struct target *target,
                         const struct runtime *runtime, const struct module_name *name,
                         const struct module_name *other)
{
    struct module module = {.start = runtime->start, .end = runtime->end};
    bool is_of_build = layout->build_id_size == runtime->build_id_size &&
                       memcmp(layout->build_id, runtime->build_id, layout->build_id_size) == 0;

    return layout->class_count == 0 && !is_of_build && name->stem != 0 &&
           other->stem == name->stem && memcmp(other->text, name->text, name->stem) == 0 &&
           layout_find_mismatch(layout, target, &module) == NULL;
}

uint32_t kin_candidates_find(const struct known_layout *layouts, struct target *target,
                             const struct runtime *runtime, const struct layout **found)
{
    struct module_name name = split_name(runtime->module);
    uint64_t distances[KIN_LIMIT];
    uint32_t count = 0;

    for (const struct known_layout *known = layouts; known != NULL; known = known->next) {
        const struct layout *layout = &known->layout;
        struct module_name other = split_name(layout->module);
        uint64_t distance = find_distance(&name, &other);
        uint32_t position = count;

        if (!is_candidate(layout, target, runtime, &name, &other))
            continue;
        while (position > 0 && distances[position - 1] > distance)
            position--;
        if (position == KIN_LIMIT)
            continue;
        count += count < KIN_LIMIT;
        for (uint32_t i = count - 1; i > position; i--) {
            distances[i] = distances[i - 1];
            found[i] = found[i - 1];
        }
        distances[position] = distance;
        found[position] = layout;
    }
    return count;
}

/* ---- Versions -------------------------------------------------------------------------------- */

/* A version in the text of a layout. */
struct version {
    const char *text;
    size_t length;
};

/* A shorter text may be anywhere by chance. */
#define LEAST_LENGTH 5

static bool is_of_number(char byte)
{
    return (byte >= '0' && byte <= '9') || byte == '.';
}

/*
 * The version in TEXT: its last word that begins with a digit, such as "3.1+debian". If the number
 * has three parts, it is sufficient: "25.0.7" of "25.0.7-2+deb13u1".
 */
static struct version find_version(const char *text)
{
    struct version version = {0};
    size_t number = 0;
    unsigned dots = 0;

    for (size_t i = 0; text[i] != '\0'; i++) {
        if (text[i] >= '0' && text[i] <= '9' && (i == 0 || text[i - 1] == ' '))
            version.text = text + i;
    }
    if (version.text == NULL)
        return version;
    while (version.text[version.length] != '\0' && version.text[version.length] != ' ')
        version.length++;
    for (; number < version.length && is_of_number(version.text[number]); number++)
        dots += version.text[number] == '.';
    if (dots >= 2)
        version.length = number;
    return version;
}

/* Whether VERSION is in the SIZE BYTES, and not a part of a longer number. */
static bool has_version(const struct version *version, const uint8_t *bytes, uint64_t size)
{
    const uint8_t *at = bytes;
    const uint8_t *end = bytes + size;

    while ((uint64_t)(end - at) >= version->length) {
        at = memchr(at, version->text[0], (size_t)(end - at) - version->length + 1);
        if (at == NULL)
            return false;
        if (memcmp(at, version->text, version->length) == 0 &&
            (at == bytes || !is_of_number((char)at[-1])) &&
            (at + version->length == end || !is_of_number((char)at[version->length])))
            return true;
        at++;
    }
    return false;
}

/* Search [START, END), of which *LEFT bytes are read at most. Returns ompd_rc_ok, or what ends the
 * call. */
static ompd_rc_t search_range(struct target *target, struct window *window, uint64_t start,
                              uint64_t end, const struct version *version, uint64_t *left,
                              bool *is_same)
{
    while (start < end && *left != 0 && !*is_same) {
        uint64_t size = end - start < TARGET_WINDOW_SIZE ? end - start : TARGET_WINDOW_SIZE;
        ompd_rc_t rc;

        size = size < *left ? size : *left;
        rc = target_fill(target, window, start, size, 0);
        if (rc_is_final(rc))
            return rc;
        *is_same = rc == ompd_rc_ok && has_version(version, window->bytes, size);
        *left -= size;
        /* A text may be in two windows. */
        start += size > version->length && start + size < end ? size - version->length : size;
    }
    return ompd_rc_ok;
}

ompd_rc_t kin_version_find(struct target *target, const struct runtime *runtime,
                           const struct layout *layout, bool *is_same)
{
    const struct module module = {.start = runtime->start, .end = runtime->end};
    const struct version version = find_version(layout->runtime);
    struct window window = {0};
    uint64_t left = KIN_VERSION_BYTES;
    uint64_t address = module.start;
    ompd_rc_t rc = ompd_rc_ok;

    *is_same = false;
    if (version.length < LEAST_LENGTH)
        return ompd_rc_ok;
    while (rc == ompd_rc_ok && address < module.end && left != 0 && !*is_same) {
        struct code_range range = {.start = module.start, .end = module.end};

        rc = module_segment_find(target, &module, address, &range);
        if (rc != ompd_rc_ok || range.end <= address)
            break;
        if (!range.is_code)
            rc = search_range(target, &window, address,
                              range.end < module.end ? range.end : module.end, &version, &left,
                              is_same);
        address = range.end;
    }
    target_window_close(target, &window);
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}
