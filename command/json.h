/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values of JSON that the command's own verbs write. */
#ifndef OMPD_COMMAND_JSON_H
#define OMPD_COMMAND_JSON_H

#include <ompd-opencl-view.h>

/* Add a value under KEY, or with NULL to an array. */
void command_json_text(ompd_view_t *view, const char *key, const char *value);
void command_json_number(ompd_view_t *view, const char *key, int64_t value);
void command_json_boolean(ompd_view_t *view, const char *key, bool value);
void command_json_duration(ompd_view_t *view, const char *key, uint64_t milliseconds);
void command_json_address(ompd_view_t *view, const char *key, uint64_t value);

/* Add null under KEY; what it stands for is not known for REASON. */
void command_json_unknown(ompd_view_t *view, const char *key, const char *reason);

#endif
