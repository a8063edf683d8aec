/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The picture of the demo, and the expected result of its pipeline: the same steps on the CPU. */
#ifndef DEMO_PICTURE_H
#define DEMO_PICTURE_H

#include <stddef.h>

enum {
    PICTURE_WIDTH = 640,
    PICTURE_HEIGHT = 480,
    PICTURE_PIXELS = PICTURE_WIDTH * PICTURE_HEIGHT,
    BLUR_RADIUS = 4,
    BLUR_WEIGHTS = 2 * BLUR_RADIUS + 1
};

/* Draw discs on a ramp into PIXELS, PICTURE_PIXELS bytes. */
void picture_draw(unsigned char *pixels);

/* Fill WEIGHTS with the BLUR_WEIGHTS weights of a binomial blur; their sum is 1. */
void picture_blur_weights(float *weights);

/* The strength of the edge at each of PIXELS after blurring, into EDGES, PICTURE_PIXELS floats.
 * Returns 0, or -1 when out of memory. */
int picture_find_edges(const unsigned char *pixels, const float *weights, float *edges);

#endif
