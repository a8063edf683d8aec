/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the dynamic linker has loaded. */
#ifndef RECORDER_LOADED_OBJECTS_H
#define RECORDER_LOADED_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

/* Ask IS_WANTED about one loaded object after the other, each by a handle for dlsym(), until it
 * says yes; tells whether it did. */
bool recorder_loaded_objects_search(bool (*is_wanted)(void *object));

/* The code of a loaded object. */
struct recorder_loaded_code {
    uintptr_t start;
    uintptr_t size;     /* bytes; 0: of none */
    uint64_t name;      /* hash of the object's name */
    uint64_t unloads;   /* how many objects had been unloaded when this was found */
    bool is_of_program; /* in the program itself, which is never unloaded */
};

/* Find the code that ADDRESS is in; tells whether there is any. */
bool recorder_loaded_code_find(struct recorder_loaded_code *code, uintptr_t address);

/* CODE, which was found before, is not loaded any more.  What was unloaded and loaded at the same
 * place again is loaded. */
bool recorder_loaded_code_is_gone(const struct recorder_loaded_code *code);

#endif
