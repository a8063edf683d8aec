/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether the program has the handles of the objects that it has references on. */
#ifndef LIBOMPD_LEAK_SEARCH_H
#define LIBOMPD_LEAK_SEARCH_H

#include "session/address-space.h"
#include "session/kept-leaks.h"

/* Have in what SPACE keeps of leaks what this stop shows: all objects are looked at, then memory
 * once.  Returns ompd_rc_ok, also where not all could be, or why it could not be done. */
ompd_rc_t leak_search_run(struct address_space *space);

/* The place that was found for HANDLE; NULL: it was not looked for. */
const struct handle_place *leak_place_find(const struct kept_leaks *kept, uint64_t handle);

/* Tell whether the program has the handle of PLACE, or can ask an object for it. */
bool leak_place_is_held(const struct handle_place *place);

/* Tell whether all that has the handle of PLACE may have been freed. */
bool leak_place_may_be_freed(const struct kept_leaks *kept, const struct handle_place *place);

/* Tell whether HANDLE is of an object that the program has released. */
bool leak_released_find(const struct kept_leaks *kept, uint64_t handle);

/* Set in INFO where PLACE is.  Returns ompd_rc_ok; ompd_rc_incomplete when the tool could not tell
 * the name of its module; what ends the call. */
ompd_rc_t leak_place_show(struct address_space *space, const struct handle_place *place,
                          ompd_cl_leak_info_t *info);

/* Set in INFO that nobody knows where the handle is, or whether it is anywhere. */
void leak_place_lack(ompd_cl_leak_info_t *info);

#endif
