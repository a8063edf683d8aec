/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The number by which a linker tells one build of a file from another. */
#ifndef LIBOMPD_BUILD_ID_H
#define LIBOMPD_BUILD_ID_H

#define BUILD_ID_LIMIT 64 /* bytes; longer ones are not taken */

#endif
