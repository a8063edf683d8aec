/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The recorder's registry as a source. */
#ifndef LIBOMPD_RECORDER_SOURCE_H
#define LIBOMPD_RECORDER_SOURCE_H

#include "kinds/record-decoder.h"
#include "registry/registry.h"
#include "session/address-space.h"
#include "session/lwp-map.h"
#include "session/recorder-module.h"
#include "session/thread-record.h"

/* What is known of the recorder of one process. */
struct recorder_source {
    struct registry registry;
    struct record_decoders decoders;
    uint64_t root;                           /* address of the last that was found, and */
    uint8_t root_start[REGISTRY_ROOT_START]; /* how it began */
    uint64_t absent_stop;                    /* the target's at which there was none */
    struct thread_hints hints;
    struct recorder_module module;
    struct lwp_map lwps;
    uint8_t
        record[OMPD_CL_REGISTRY_MAX_RECORD_SIZE]; /* one being looked at while others are read */
};

/* Read the registry's root unless it was read at this stop.  Returns as registry_open. */
ompd_rc_t recorder_source_read(struct address_space *space);

/* The registry, whatever the tool wants: for what it alone can tell.  Looks for it once a stop when
 * there are layouts.  Returns as registry_open. */
ompd_rc_t recorder_source_open(struct address_space *space);

/* Keep RECORD of TABLE where reading other memory does not disturb it, until the next is kept. */
const uint8_t *recorder_source_keep(struct address_space *space, const struct registry_table *table,
                                    const uint8_t *record);

#endif
