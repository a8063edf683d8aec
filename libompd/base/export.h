/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every file of the library starts with: the configuration, and the mark of a public function.
 */
#ifndef LIBOMPD_EXPORT_H
#define LIBOMPD_EXPORT_H

#include <config.h>

#define PUBLIC __attribute__((visibility("default")))

#endif
