/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "picture.h"

#include <math.h>
#include <stdlib.h>

static int clamp(int value, int last)
{
    if (value < 0) {
        return 0;
    }
    return value > last ? last : value;
}

void picture_draw(unsigned char *pixels)
{
    static const struct {
        int x, y, radius, shade;
    } discs[] = {
        {160, 120, 90, 230}, {420, 200, 140, 40}, {250, 360, 70, 180}, {540, 400, 50, 250}};

    for (int y = 0; y < PICTURE_HEIGHT; y++) {
        for (int x = 0; x < PICTURE_WIDTH; x++) {
            int shade = 64 + 96 * x / PICTURE_WIDTH;
            for (size_t i = 0; i < sizeof(discs) / sizeof(discs[0]); i++) {
                int dx = x - discs[i].x;
                int dy = y - discs[i].y;
                if (dx * dx + dy * dy < discs[i].radius * discs[i].radius) {
                    shade = discs[i].shade;
                }
            }
            pixels[y * PICTURE_WIDTH + x] = (unsigned char)shade;
        }
    }
}

void picture_blur_weights(float *weights)
{
    float row[BLUR_WEIGHTS] = {1};

    for (int n = 1; n < BLUR_WEIGHTS; n++) {
        for (int k = n; k > 0; k--) {
            row[k] = (row[k] + row[k - 1]) / 2;
        }
        row[0] /= 2;
    }
    for (int k = 0; k < BLUR_WEIGHTS; k++) {
        weights[k] = row[k];
    }
}

static void blur_rows(const unsigned char *pixels, const float *weights, float *rows)
{
    for (int y = 0; y < PICTURE_HEIGHT; y++) {
        for (int x = 0; x < PICTURE_WIDTH; x++) {
            float sum = 0;
            for (int k = 0; k < BLUR_WEIGHTS; k++) {
                int from = clamp(x + k - BLUR_RADIUS, PICTURE_WIDTH - 1);
                sum += weights[k] * (float)pixels[y * PICTURE_WIDTH + from];
            }
            rows[y * PICTURE_WIDTH + x] = sum;
        }
    }
}

static void blur_columns(const float *rows, const float *weights, float *smooth)
{
    for (int y = 0; y < PICTURE_HEIGHT; y++) {
        for (int x = 0; x < PICTURE_WIDTH; x++) {
            float sum = 0;
            for (int k = 0; k < BLUR_WEIGHTS; k++) {
                int from = clamp(y + k - BLUR_RADIUS, PICTURE_HEIGHT - 1);
                sum += weights[k] * rows[from * PICTURE_WIDTH + x];
            }
            smooth[y * PICTURE_WIDTH + x] = sum;
        }
    }
}

static float smooth_at(const float *smooth, int x, int y)
{
    return smooth[clamp(y, PICTURE_HEIGHT - 1) * PICTURE_WIDTH + clamp(x, PICTURE_WIDTH - 1)];
}

/* Sobel's operator. */
static float edge_at(const float *smooth, int x, int y)
{
    float across = 0;
    float down = 0;

    for (int i = -1; i <= 1; i++) {
        float weight = i == 0 ? 2 : 1;
        across += weight * (smooth_at(smooth, x + 1, y + i) - smooth_at(smooth, x - 1, y + i));
        down += weight * (smooth_at(smooth, x + i, y + 1) - smooth_at(smooth, x + i, y - 1));
    }
    return sqrtf(across * across + down * down);
}

int picture_find_edges(const unsigned char *pixels, const float *weights, float *edges)
{
    float *rows = malloc(PICTURE_PIXELS * sizeof(float));
    float *smooth = malloc(PICTURE_PIXELS * sizeof(float));
    int result = -1;

    if (rows != NULL && smooth != NULL) {
        blur_rows(pixels, weights, rows);
        blur_columns(rows, weights, smooth);
        for (int y = 0; y < PICTURE_HEIGHT; y++) {
            for (int x = 0; x < PICTURE_WIDTH; x++) {
                edges[y * PICTURE_WIDTH + x] = edge_at(smooth, x, y);
            }
        }
        result = 0;
    }
    free(smooth);
    free(rows);
    return result;
}
