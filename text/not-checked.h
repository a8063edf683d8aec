/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is not looked for, and who does: said where nothing was found. */
#ifndef OMPD_TEXT_NOT_CHECKED_H
#define OMPD_TEXT_NOT_CHECKED_H

#define NOT_CHECKED "what kernels access (use Oclgrind), races between commands"

#endif
