/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which functions of other modules a module calls, as its table for the dynamic linker says. */
#ifndef LIBOMPD_MODULE_IMPORTS_H
#define LIBOMPD_MODULE_IMPORTS_H

#include "target/module.h"

/*
 * Tell in *HAS whether MODULE needs a symbol of another module that is one of the COUNT in NAMES,
 * each shorter than MODULE_IMPORT_NAME.  Returns ompd_rc_ok; ompd_rc_unavailable when the module
 * has no such table, or one that is not understood; as target_view when it could not be read.
 */
#define MODULE_IMPORT_NAME 24
ompd_rc_t module_imports_any(struct target *target, const struct module *module,
                             const char *const *names, uint32_t count, bool *has);

#endif
