/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The files mapped into the target, as the tool reports them, and what their ELF headers in the
 * target's memory say. */
#include "target/target.h"

#include "target/elf-format.h"

#include <string.h>

/* Program headers of one module that are examined: law 6. */
#define SEGMENT_LIMIT 128

/* Copy NAME, of LENGTH bytes, to TO. If it does not fit, copy an ellipsis and its end. */
static void copy_name(char *to, const char *name, size_t length)
{
    const size_t most = OMPD_CL_TEXT_SIZE - sizeof(TEXT_ELLIPSIS);

    if (length < OMPD_CL_TEXT_SIZE) {
        memcpy(to, name, length + 1);
        return;
    }
    name += length - most;
    while (((unsigned char)*name & 0xc0) == 0x80)
        name++;
    memcpy(to, TEXT_ELLIPSIS, sizeof(TEXT_ELLIPSIS) - 1);
    memcpy(to + sizeof(TEXT_ELLIPSIS) - 1, name, strlen(name) + 1);
}

/* Get what the tool reports about module number INDEX. Returns as module_get does. */
static ompd_rc_t ask_module(struct target *target, uint32_t index, ompd_cl_module_t *tool_module)
{
    ompd_rc_t rc;

    if (index >= MODULE_LIMIT || target->extra.module == NULL)
        return ompd_rc_unavailable;
    memset(tool_module, 0, sizeof(*tool_module));
    tool_module->struct_size = sizeof(*tool_module);
    rc = TARGET_CALL(target, extra.module, index, tool_module);
    if (rc == ompd_rc_unavailable || rc == ompd_rc_interrupted)
        return rc;
    if (rc != ompd_rc_ok || tool_module->start > tool_module->end) {
        target->failure = ompd_cl_status_unreadable;
        return ompd_rc_incomplete;
    }
    if (tool_module->name == NULL)
        tool_module->name = "";
    return ompd_rc_ok;
}

/* module_get without the log. */
static ompd_rc_t copy_module(struct target *target, uint32_t index, struct module *module)
{
    ompd_cl_module_t tool_module;
    ompd_rc_t rc = ask_module(target, index, &tool_module);

    if (rc != ompd_rc_ok)
        return rc;
    module->name_length = strlen(tool_module.name);
    copy_name(module->name, tool_module.name, module->name_length);
    module->start = tool_module.start;
    module->end = tool_module.end;
    module->build_id_size = 0;
    if (tool_module.build_id != NULL && tool_module.build_id_size <= BUILD_ID_LIMIT) {
        module->build_id_size = (uint32_t)tool_module.build_id_size;
        memcpy(module->build_id, tool_module.build_id, tool_module.build_id_size);
    }
    return ompd_rc_ok;
}

/* Copy PART of the SIZE bytes at WHOLE. */
static void copy_part(struct text_part *part, const char *whole, size_t size)
{
    if (part->offset >= size)
        return;
    part->count = size - part->offset;
    if (part->count > part->capacity)
        part->count = part->capacity;
    if (part->count != 0)
        memcpy(part->text, whole + part->offset, part->count);
}

static void copy_build_id(struct text_part *part, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char text[2 * BUILD_ID_LIMIT];

    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    copy_part(part, text, 2 * size);
}

ompd_rc_t module_text_read(struct target *target, uint64_t start, bool is_build_id,
                           struct text_part *part)
{
    ompd_cl_module_t tool_module;
    uint32_t index = 0;
    ompd_rc_t rc;

    do
        rc = ask_module(target, index++, &tool_module);
    while (rc == ompd_rc_ok && tool_module.start != start);
    if (rc != ompd_rc_ok)
        return rc;
    if (!is_build_id)
        copy_part(part, tool_module.name, strlen(tool_module.name));
    else if (tool_module.build_id != NULL && tool_module.build_id_size <= BUILD_ID_LIMIT)
        copy_build_id(part, tool_module.build_id, tool_module.build_id_size);
    return ompd_rc_ok;
}

ompd_rc_t module_get(struct target *target, uint32_t index, struct module *module)
{
    ompd_rc_t rc;

    if (index >= MODULE_LIMIT || target->extra.module == NULL)
        return ompd_rc_unavailable;
    rc = copy_module(target, index, module);
    if (log_has(&target->log, ompd_cl_log_level_lookup))
        rc = target_log_module(target, index, module, rc);
    return rc;
}

ompd_rc_t module_symbol(struct target *target, uint32_t index, const char *name, uint64_t *address)
{
    ompd_addr_t found = 0;
    ompd_rc_t rc;

    if (target->extra.module_symbol == NULL)
        return ompd_rc_unavailable;
    rc = TARGET_CALL(target, extra.module_symbol, index, name, &found);
    if (log_has(&target->log, ompd_cl_log_level_lookup))
        rc = target_log_module_symbol(target, index, name, found, rc);
    if (rc == ompd_rc_unavailable || rc == ompd_rc_interrupted)
        return rc;
    if (rc != ompd_rc_ok) {
        target->failure = ompd_cl_status_unreadable;
        return ompd_rc_incomplete;
    }
    *address = found;
    return ompd_rc_ok;
}

/* The program headers, according to the ELF header. */
struct segments {
    uint64_t address; /* of the first */
    uint64_t size;    /* of each */
    uint64_t count;
    bool is_64;
    bool is_shared; /* a shared object, which no address is known of before it is loaded */
};

#define FIELD(bytes, is_64, type, member)                                                          \
    ((is_64) ? target_integer(target, (bytes) + offsetof(Elf64_##type, member),                    \
                              sizeof(((Elf64_##type *)0)->member))                                 \
             : target_integer(target, (bytes) + offsetof(Elf32_##type, member),                    \
                              sizeof(((Elf32_##type *)0)->member)))

/* View the ELF header of MODULE. Returns as target_view does; *HEADER is NULL if there is none. */
static ompd_rc_t view_header(struct target *target, const struct module *module,
                             const uint8_t **header)
{
    ompd_rc_t rc = target_view(target, module->start, sizeof(Elf64_Ehdr), 0, header);

    if (rc == ompd_rc_ok &&
        (memcmp(*header, ELFMAG, SELFMAG) != 0 ||
         ((*header)[EI_CLASS] != ELFCLASS32 && (*header)[EI_CLASS] != ELFCLASS64)))
        *header = NULL;
    return rc;
}

uint32_t module_machine(struct target *target, const struct module *module)
{
    const uint8_t *header;

    if (view_header(target, module, &header) != ompd_rc_ok || header == NULL)
        return 0;
    return (uint32_t)FIELD(header, header[EI_CLASS] == ELFCLASS64, Ehdr, e_machine);
}

uint32_t module_first_machine(struct target *target)
{
    struct module module;
    uint32_t machine = 0;

    if (target->extra.module == NULL)
        return 0;
    for (uint32_t i = 0; machine == 0 && module_get(target, i, &module) == ompd_rc_ok; i++)
        machine = module_machine(target, &module);
    return machine;
}

/* Find MODULE's program headers. Returns as target_view does; the count is 0 if the file cannot
 * have any. */
static ompd_rc_t find_segments(struct target *target, const struct module *module,
                               struct segments *segments)
{
    const uint8_t *header;
    uint64_t offset;
    ompd_rc_t rc;

    memset(segments, 0, sizeof(*segments));
    rc = view_header(target, module, &header);
    if (rc != ompd_rc_ok || header == NULL)
        return rc;
    segments->is_64 = header[EI_CLASS] == ELFCLASS64;
    segments->is_shared = FIELD(header, segments->is_64, Ehdr, e_type) == ET_DYN;
    offset = FIELD(header, segments->is_64, Ehdr, e_phoff);
    segments->size = FIELD(header, segments->is_64, Ehdr, e_phentsize);
    segments->count = FIELD(header, segments->is_64, Ehdr, e_phnum);
    segments->address = module->start + offset;
    if (segments->count > SEGMENT_LIMIT)
        segments->count = SEGMENT_LIMIT;
    if (segments->size < (segments->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)) ||
        offset > module->end - module->start)
        segments->count = 0;
    return ompd_rc_ok;
}

struct segment {
    bool is_loaded;
    bool is_unwind_index; /* .eh_frame_hdr */
    bool is_dynamic;      /* the dynamic section */
    bool is_code;
    bool is_writable; /* at least while the module is relocated */
    uint64_t start;   /* as linked */
    uint64_t size;
};

static ompd_rc_t read_segment(struct target *target, const struct segments *segments,
                              uint64_t index, struct segment *segment)
{
    const uint8_t *bytes;
    bool is_64 = segments->is_64;
    ompd_rc_t rc;

    rc = target_view(target, segments->address + index * segments->size,
                     is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), 0, &bytes);
    if (rc != ompd_rc_ok)
        return rc;
    segment->is_loaded = FIELD(bytes, is_64, Phdr, p_type) == PT_LOAD;
    segment->is_unwind_index = FIELD(bytes, is_64, Phdr, p_type) == PT_GNU_EH_FRAME;
    segment->is_dynamic = FIELD(bytes, is_64, Phdr, p_type) == PT_DYNAMIC;
    segment->is_code = (FIELD(bytes, is_64, Phdr, p_flags) & PF_X) != 0;
    segment->is_writable = (FIELD(bytes, is_64, Phdr, p_flags) & PF_W) != 0;
    segment->start = FIELD(bytes, is_64, Phdr, p_vaddr);
    segment->size = FIELD(bytes, is_64, Phdr, p_memsz);
    return ompd_rc_ok;
}

/* The distance of the module from its link address, by its first segment. */
static uint64_t segment_bias(const struct module *module, const struct segment *first)
{
    return module->start - (first->start & ~(uint64_t)(TARGET_BLOCK_SIZE - 1));
}

/* Narrow RANGE to its part in SEGMENT. */
static void narrow_range(struct code_range *range, const struct segment *segment, uint64_t bias)
{
    uint64_t start = bias + segment->start;
    uint64_t end = start + segment->size;

    range->is_code = segment->is_code;
    if (start > range->start)
        range->start = start;
    if (end > start && end < range->end)
        range->end = end;
}

/* Narrow GAP, about ADDRESS, by SEGMENT, which ADDRESS is not in: it ends below or begins above. */
static void narrow_gap(struct code_range *gap, uint64_t address, const struct segment *segment,
                       uint64_t bias)
{
    uint64_t start = bias + segment->start;
    uint64_t end = start + segment->size;

    if (end <= address && end > gap->start)
        gap->start = end;
    if (start > address && start < gap->end)
        gap->end = start;
}

ompd_rc_t module_segment_find(struct target *target, const struct module *module, uint64_t address,
                              struct code_range *range)
{
    struct code_range gap = {.start = range->start, .end = range->end};
    struct segments segments;
    struct segment segment;
    bool has_bias = false;
    uint64_t bias = 0;
    ompd_rc_t rc;

    rc = find_segments(target, module, &segments);
    if (rc != ompd_rc_ok)
        return rc;
    for (uint64_t i = 0; i < segments.count; i++) {
        rc = read_segment(target, &segments, i, &segment);
        if (rc != ompd_rc_ok)
            return rc;
        if (!segment.is_loaded)
            continue;
        /* The first segment is that of the module's lowest page. */
        if (!has_bias)
            bias = segment_bias(module, &segment);
        has_bias = true;
        if (address - (bias + segment.start) < segment.size) {
            narrow_range(range, &segment, bias);
            return ompd_rc_ok;
        }
        narrow_gap(&gap, address, &segment, bias);
    }
    *range = gap;
    return ompd_rc_ok;
}

uint64_t module_memory_end(struct target *target, const struct module *module)
{
    struct segments segments;
    struct segment segment;
    uint64_t most = module->end;
    bool has_bias = false;
    uint64_t bias = 0;

    if (find_segments(target, module, &segments) != ompd_rc_ok)
        return most;
    for (uint64_t i = 0; i < segments.count; i++) {
        uint64_t end;

        if (read_segment(target, &segments, i, &segment) != ompd_rc_ok)
            return most;
        if (!segment.is_loaded)
            continue;
        if (!has_bias)
            bias = segment_bias(module, &segment);
        has_bias = true;
        end = bias + segment.start + segment.size + TARGET_BLOCK_SIZE - 1;
        end -= end % TARGET_BLOCK_SIZE;
        if (end > most)
            most = end;
    }
    return most;
}

/* No module has more entries for the dynamic linker (law 6). */
#define DYNAMIC_LIMIT 512

/* Whether the dynamic section of SIZE bytes at ADDRESS shows that the dynamic linker writes no
 * addresses to read-only memory. */
static bool has_constant_text(struct target *target, uint64_t address, uint64_t size, bool is_64)
{
    uint64_t entry = is_64 ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);

    for (uint64_t i = 0; i < DYNAMIC_LIMIT && (i + 1) * entry <= size; i++) {
        const uint8_t *bytes;
        uint64_t tag, value;

        if (target_view(target, address + i * entry, entry, 0, &bytes) != ompd_rc_ok)
            return false;
        tag = FIELD(bytes, is_64, Dyn, d_tag);
        value = FIELD(bytes, is_64, Dyn, d_val);
        if (tag == DT_NULL)
            return true;
        if (tag == DT_TEXTREL || (tag == DT_FLAGS && (value & DF_TEXTREL) != 0))
            return false;
    }
    return false;
}

uint64_t module_data_start(struct target *target, const struct module *module)
{
    struct segments segments;
    struct segment segment;
    bool is_constant = false;
    bool has_bias = false;
    uint64_t least = module->end;
    uint64_t bias = 0;

    if (find_segments(target, module, &segments) != ompd_rc_ok || !segments.is_shared)
        return module->start;
    for (uint64_t i = 0; i < segments.count; i++) {
        if (read_segment(target, &segments, i, &segment) != ompd_rc_ok)
            return module->start;
        if (segment.is_loaded && !has_bias)
            bias = segment_bias(module, &segment);
        has_bias |= segment.is_loaded;
        if (segment.is_dynamic && has_bias)
            is_constant =
                has_constant_text(target, bias + segment.start, segment.size, segments.is_64);
        if (segment.is_loaded && segment.is_writable && bias + segment.start < least)
            least = bias + segment.start;
    }
    return is_constant && least > module->start ? least : module->start;
}

ompd_rc_t module_writable_find(struct target *target, const struct module *module, uint64_t address,
                               uint64_t *start, uint64_t *end)
{
    struct segments segments;
    struct segment segment;
    bool has_bias = false;
    uint64_t bias = 0;
    ompd_rc_t rc = find_segments(target, module, &segments);

    *end = 0;
    for (uint64_t i = 0; i < segments.count && rc == ompd_rc_ok; i++) {
        rc = read_segment(target, &segments, i, &segment);
        if (rc != ompd_rc_ok || !segment.is_loaded)
            continue;
        if (!has_bias)
            bias = segment_bias(module, &segment);
        has_bias = true;
        if (!segment.is_writable || bias + segment.start + segment.size <= address ||
            (*end != 0 && bias + segment.start >= *start))
            continue;
        *start = bias + segment.start;
        *end = *start + segment.size;
    }
    return rc != ompd_rc_ok || *end != 0 ? rc : ompd_rc_unavailable;
}

/* Find the segment of MODULE that IS_WANTED, and in *BIAS the distance of the module from its link
 * address. Returns as target_view does; ompd_rc_unavailable when there is none. */
static ompd_rc_t find_special(struct target *target, const struct module *module,
                              bool (*is_wanted)(const struct segment *), struct segment *segment,
                              uint64_t *bias, bool *is_64)
{
    struct segments segments;
    bool has_bias = false;
    ompd_rc_t rc = find_segments(target, module, &segments);

    *is_64 = segments.is_64;
    *bias = 0;
    for (uint64_t i = 0; rc == ompd_rc_ok && i < segments.count; i++) {
        rc = read_segment(target, &segments, i, segment);
        if (rc != ompd_rc_ok)
            break;
        if (segment->is_loaded && !has_bias)
            *bias = segment_bias(module, segment);
        has_bias |= segment->is_loaded;
        if (has_bias && is_wanted(segment))
            return ompd_rc_ok;
    }
    return rc == ompd_rc_ok ? ompd_rc_unavailable : rc;
}

static bool is_unwind_index(const struct segment *segment)
{
    return segment->is_unwind_index;
}

static bool is_dynamic_segment(const struct segment *segment)
{
    return segment->is_dynamic;
}

ompd_rc_t module_unwind_index(struct target *target, const struct module *module, uint64_t *address)
{
    struct segment segment;
    uint64_t bias;
    bool is_64;
    ompd_rc_t rc = find_special(target, module, is_unwind_index, &segment, &bias, &is_64);

    if (rc == ompd_rc_ok)
        *address = bias + segment.start;
    return rc;
}

ompd_rc_t module_dynamic_find(struct target *target, const struct module *module,
                              struct module_dynamic *dynamic)
{
    struct segment segment;
    ompd_rc_t rc =
        find_special(target, module, is_dynamic_segment, &segment, &dynamic->bias, &dynamic->is_64);

    if (rc != ompd_rc_ok)
        return rc;
    dynamic->address = dynamic->bias + segment.start;
    dynamic->size = segment.size;
    return ompd_rc_ok;
}
