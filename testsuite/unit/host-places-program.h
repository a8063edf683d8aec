/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Declarations that host-places-program and its library share. */
#ifndef HOST_PLACES_PROGRAM_H
#define HOST_PLACES_PROGRAM_H

extern int host_places_shared[4];  /* of both */
extern int host_places_of_program; /* the library refers to it */

int host_places_only(void); /* of the library */

#endif
