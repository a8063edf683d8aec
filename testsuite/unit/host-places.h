/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Start the program host-places-program, and have cores of it written. */
#ifndef HOST_PLACES_H
#define HOST_PLACES_H

#include <ompd-opencl-host.h>

#include <stdio.h>

#define PLACES_NAMES 16
#define PLACES_LIBRARY "libhost-places.so"

/* The program, running, and its output. */
struct places {
    FILE *output;
    char names[PLACES_NAMES][32];
    uint64_t values[PLACES_NAMES];
    size_t count;
};

/* A folder of the test's own, with copies of the program ("program") and its library in it. */
void places_folder_create(void);
void places_folder_remove(void);
const char *places_folder(void);

/* Start the program of that folder. */
struct places places_start(void);

/* Kill it, and wait for its end. */
void places_end(struct places *places);

/* The program's value of NAME. */
uint64_t places_value(const struct places *places, const char *name);

/* Have GDB write a core to the file "core" of the folder. */
void places_core(const struct places *places);

/* The SIZE bytes at BUILD_ID equal readelf's build-id of the file PATH. */
void places_expect_build_id(const uint8_t *build_id, size_t size, const char *path);

/* Open them; OPTIONS may be NULL. */
ompd_host_target_t *places_open(const struct places *places, const ompd_host_options_t *options);
ompd_host_target_t *places_open_core(const ompd_host_options_t *options);

#endif
