/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pixels of an image object, row by row, as those of a picture. */
#ifndef OMPD_VIEW_PIXELS_H
#define OMPD_VIEW_PIXELS_H

#include <view/row.h>
#include <view/view.h>

/* Pictures are no larger in either direction. */
#define PIXELS_LIMIT 1000000

/* An image whose formats a picture can hold without loss. */
struct pixels {
    uint64_t address; /* of the first */
    uint64_t width;
    uint64_t height;
    uint64_t pitch;    /* bytes from one row to the next */
    unsigned size;     /* of a channel, bytes: 1 or 2 */
    unsigned channels; /* of a pixel in memory */
    unsigned shown;    /* of a pixel in the picture: 1 grey, 3 red, green and blue, 4 with alpha */
    const signed char *map; /* for each of these the one in memory; -1: it is 0 */
};

/* What ROW, a memory object, looks like.  False: it is none, for the REASON. */
bool pixels_get(struct pixels *pixels, const struct view_row *row, struct text *reason);

/* Put row number INDEX in BYTES, which have room for width * shown * size: numbers of two bytes
 * begin with the higher one.  False: it could not be read, for the REASON, or the command has
 * failed. */
bool pixels_row_get(const struct pixels *pixels, ompd_view_t *view, uint64_t index,
                    unsigned char *bytes, struct text *reason);

#endif
