/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the dynamic linker has loaded. */
#ifndef RECORDER_LOADED_OBJECTS_H
#define RECORDER_LOADED_OBJECTS_H

#include <stdbool.h>

/* Ask IS_WANTED about one loaded object after the other, each by a handle for dlsym(), until it
 * says yes; tells whether it did. */
bool recorder_loaded_objects_search(bool (*is_wanted)(void *object));

#endif
