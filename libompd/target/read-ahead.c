/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Read-ahead for walks. Scattered views are read in blocks. When one block follows another, a
 * stream begins, and each of its pieces is four times as long as the previous one. A walk over
 * objects therefore costs about one read per megabyte, and scattered views cost no more than
 * before. */
#include "target/scan.h"

#define CACHE_LINE 64
#define FIRST_PIECE (UINT64_C(4) * TARGET_BLOCK_SIZE)

void read_ahead_begin(struct target *target)
{
    void *allocated;

    target->is_walking = true;
    if (target->stream_bytes != NULL || target->extra.map_memory != NULL)
        return;
    if (memory_allocate(target->memory, TARGET_STREAM_BYTES, &allocated) == ompd_rc_ok)
        target->stream_bytes = allocated;
}

void read_ahead_end(struct target *target)
{
    target->is_walking = false;
    target->last_view.size = 0;
}

/* Return whether STREAM has the SIZE bytes at ADDRESS of this stop. */
static bool stream_has(const struct target *target, const struct stream *stream, uint64_t address,
                       uint64_t size)
{
    return stream->stop == target->stop && address >= stream->start &&
           address - stream->start <= stream->size &&
           stream->size - (address - stream->start) >= size;
}

/* The stream that continues at ADDRESS, at most its own length behind its end. */
static struct stream *stream_find_before(struct target *target, uint64_t address)
{
    for (size_t i = 0; i < TARGET_STREAM_COUNT; i++) {
        struct stream *stream = &target->streams[i];

        if (stream->stop == target->stop && address >= stream->start &&
            address - stream->start < 2 * stream->size)
            return stream;
    }
    return NULL;
}

static struct stream *stream_find_oldest(struct target *target)
{
    struct stream *oldest = &target->streams[0];

    for (size_t i = 1; i < TARGET_STREAM_COUNT; i++) {
        if (target->streams[i].used < oldest->used)
            oldest = &target->streams[i];
    }
    return oldest;
}

/* The number of the SIZE bytes at START that are readable according to the tool. */
static uint64_t clip_to_region(struct target *target, uint64_t start, uint64_t size)
{
    ompd_cl_region_t region = {.struct_size = sizeof(region)};

    if (size > UINT64_MAX - start)
        return 0;
    if (target->extra.memory_region == NULL)
        return size;
    if (TARGET_CALL(target, extra.memory_region, start, &region) != ompd_rc_ok ||
        region.start > start || region.end <= start || !region.is_saved)
        return 0;
    return region.end - start < size ? region.end - start : size;
}

/* Return whether the SIZE bytes at START overlap the unreadable range. */
static bool meets_unreadable(const struct target *target, uint64_t start, uint64_t size)
{
    const struct unreadable_range *unreadable = &target->unreadable;

    return unreadable->stop == target->stop && start < unreadable->end &&
           start + size > unreadable->start;
}

/* The number of the SIZE bytes at START to read: up to the unreadable range, and half of the bytes
 * in it, but none of its last page. */
static uint64_t shorten_read(const struct target *target, uint64_t start, uint64_t size)
{
    const struct unreadable_range *unreadable = &target->unreadable;
    uint64_t before = start < unreadable->start ? unreadable->start - start : 0;
    uint64_t half;

    if (!meets_unreadable(target, start, size))
        return size;
    half = (unreadable->end - start - before) / 2;
    half -= half % TARGET_BLOCK_SIZE;
    return before + half < size ? before + half : size;
}

/* Read the SIZE bytes at START, or as many of them as possible; returns how many. */
static uint64_t read_most(struct target *target, uint64_t start, uint64_t size, void *bytes)
{
    struct unreadable_range *unreadable = &target->unreadable;

    while ((size = shorten_read(target, start, size)) != 0) {
        bool is_met = meets_unreadable(target, start, size);

        if (target_read_raw(target, start, size, bytes) == ompd_rc_ok) {
            if (is_met && start <= unreadable->start)
                unreadable->start = start + size;
            break;
        }
        if (!is_met || start > unreadable->start)
            unreadable->start = start;
        unreadable->end = start + size;
        unreadable->stop = target->stop;
    }
    return size;
}

/* Fill STREAM with the SIZE bytes at START, or as many of them as there are. */
static bool stream_fill(struct target *target, struct stream *stream, uint64_t start, uint64_t size)
{
    uint8_t *buffer = target->stream_bytes;
    const void *mapped;

    stream->size = 0;
    target->last_view.size = 0;
    size = clip_to_region(target, start, size);
    if (size == 0)
        return false;
    if (target_map(target, start, size, &mapped)) {
        stream->bytes = mapped;
    } else {
        if (buffer == NULL)
            return false;
        buffer += (size_t)(stream - target->streams) * TARGET_WINDOW_SIZE;
        size = read_most(target, start, size, buffer);
        if (size == 0)
            return false;
        stream->bytes = buffer;
    }
    stream->start = start;
    stream->size = size;
    stream->fetched = 0;
    stream->stop = target->stop;
    return true;
}

/* The stream that has the SIZE bytes at ADDRESS; most views are in the stream of the last one. */
static struct stream *stream_find(struct target *target, uint64_t address, uint64_t size)
{
    if (stream_has(target, &target->streams[target->last_stream], address, size))
        return &target->streams[target->last_stream];
    for (uint32_t i = 0; i < TARGET_STREAM_COUNT; i++) {
        if (stream_has(target, &target->streams[i], address, size))
            return &target->streams[i];
    }
    return NULL;
}

/* Begin a stream at PAGE, or continue the one before it, where that pays. */
static struct stream *read_on(struct target *target, uint64_t address, uint64_t page)
{
    struct stream *stream = stream_find_before(target, address);
    uint64_t piece = FIRST_PIECE;

    if (stream != NULL)
        piece = stream->size * 4 < TARGET_WINDOW_SIZE ? stream->size * 4 : TARGET_WINDOW_SIZE;
    else if (target_has_block(target, page - TARGET_BLOCK_SIZE) || target->extra.map_memory != NULL)
        stream = stream_find_oldest(target);
    return stream != NULL && stream_fill(target, stream, page, piece) ? stream : NULL;
}

/* Make OFFSET of STREAM the last view, and prefetch what follows: walks wait for memory more than
 * they compute. */
static void set_last_view(struct target *target, struct stream *stream, uint64_t offset)
{
    uint64_t left = stream->size - offset;
    uint64_t ahead = left < 2 * TARGET_BLOCK_SIZE ? left : 2 * TARGET_BLOCK_SIZE;

    target->last_view = (struct last_view){
        .start = stream->start + offset,
        .size = left < TARGET_BLOCK_SIZE ? left : TARGET_BLOCK_SIZE,
        .bytes = stream->bytes + offset,
    };
    if (stream->fetched < offset)
        stream->fetched = offset;
    for (; stream->fetched < offset + ahead; stream->fetched += CACHE_LINE)
        __builtin_prefetch(stream->bytes + stream->fetched);
}

bool read_ahead_view(struct target *target, uint64_t address, uint64_t size, const uint8_t **bytes)
{
    struct stream *stream = stream_find(target, address, size);

    if (stream == NULL) {
        stream = read_on(target, address, address - address % TARGET_BLOCK_SIZE);
        if (stream == NULL || !stream_has(target, stream, address, size))
            return false;
    }
    stream->used = ++target->clock;
    target->last_stream = (uint32_t)(stream - target->streams);
    *bytes = stream->bytes + (address - stream->start);
    set_last_view(target, stream, address - stream->start);
    return true;
}
