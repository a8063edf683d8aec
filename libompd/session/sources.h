/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the objects of an address space come from: its recorder's registry, the inventory that its
 * layouts give, or both. */
#ifndef LIBOMPD_SOURCES_H
#define LIBOMPD_SOURCES_H

#include "session/address-space.h"

/*
 * Find out what SPACE has at this stop, of the sources that the tool wants.  Never looks through
 * memory.  Returns ompd_rc_ok when there is one at least; ompd_rc_unavailable with a sentence that
 * tells what to do; else as registry_open.
 */
ompd_rc_t sources_open(struct address_space *space);

/* The same for a call on HANDLE; also returns as address_space_enter. */
ompd_rc_t sources_enter(const ompd_address_space_handle_t *handle, struct address_space **space);

/* Begin a call on HANDLE that needs the registry, and read its root.  Returns as
 * address_space_enter and as registry_open. */
ompd_rc_t sources_enter_recorder(const ompd_address_space_handle_t *handle,
                                 struct address_space **space);

/* Tell in *HAS_LAYOUTS whether layouts are one of them: one at least fits a runtime in the target.
 * Returns ompd_rc_ok; ompd_rc_incomplete, with a sentence, when there may be more; ompd_rc_nomem.
 */
ompd_rc_t sources_find_layouts(struct address_space *space, bool *has_layouts);

/*
 * Have the inventory of this stop, whatever the tool wants; `lost` of it tells what it lacks.
 * Returns ompd_rc_ok; ompd_rc_unavailable when no layout fits; ompd_rc_incomplete when the tool
 * cancelled the search; ompd_rc_unsupported; ompd_rc_nomem: each with a sentence.
 */
ompd_rc_t sources_take_inventory(struct address_space *space);

/* Mark those objects of KINDS (bits 1 << enum layout_kind) in the inventory that the recorder has
 * too.  Returns ompd_rc_ok; ompd_rc_incomplete when some of its records could not be read: what
 * they are of is not marked, and may be shown twice; ompd_rc_nomem. */
ompd_rc_t sources_mark_recorded(struct address_space *space, uint32_t kinds);

#endif
