/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The files that are mapped into the target, as the tool tells of them, and what the ELF headers in
 * the target's memory say of them. */
#ifndef LIBOMPD_MODULE_H
#define LIBOMPD_MODULE_H

#include "base/build-id.h"
#include "target/code.h"

/* No process maps more files; further ones are not looked at (law 6). */
#define MODULE_LIMIT 4096

struct module {
    char name[OMPD_CL_TEXT_SIZE]; /* the last bytes of its path */
    uint8_t build_id[BUILD_ID_LIMIT];
    uint32_t build_id_size; /* 0: not known */
    uint64_t start;         /* [start, end) */
    uint64_t end;
};

/* Copy what the tool tells of module number INDEX.  Returns ompd_rc_ok; ompd_rc_unavailable past
 * the last one; ompd_rc_incomplete when the tool failed or told what cannot be. */
ompd_rc_t module_get(struct target *target, uint32_t index, struct module *module);

/* Find the symbol NAME in module number INDEX.  Returns ompd_rc_ok, ompd_rc_unavailable when it has
 * none, ompd_rc_incomplete when the tool failed. */
ompd_rc_t module_symbol(struct target *target, uint32_t index, const char *name, uint64_t *address);

/* The ELF machine number in MODULE's header, 0 when that cannot be read or is none. */
uint32_t module_machine(struct target *target, const struct module *module);

/* The same of the first module that has one: all of a process are of one machine. */
uint32_t module_first_machine(struct target *target);

/*
 * Narrow RANGE, which is all of MODULE, to what its program headers say about ADDRESS in it: the
 * segment there, or what lies between segments, which is no code.  Returns as target_view; where
 * they cannot be read RANGE is left as it is.
 */
ompd_rc_t module_segment_find(struct target *target, const struct module *module, uint64_t address,
                              struct code_range *range);

/* Where MODULE's memory ends, with data that begins as 0 and is not of the file: by its program
 * headers, or where they cannot be read at `end`. */
uint64_t module_memory_end(struct target *target, const struct module *module);

/* Where the first of MODULE's memory lies that may hold addresses: what is not writable of a shared
 * object has none, as the dynamic linker cannot have put them there.  `start` for what is none, or
 * where its headers cannot be read. */
uint64_t module_data_start(struct target *target, const struct module *module);

/* Where MODULE has the index of its unwind tables, .eh_frame_hdr, in *ADDRESS.  Returns as
 * target_view; ompd_rc_unavailable when it has none. */
ompd_rc_t module_unwind_index(struct target *target, const struct module *module,
                              uint64_t *address);

/* What MODULE tells the dynamic linker: the addresses that it has are as linked, or BIAS more. */
struct module_dynamic {
    uint64_t address; /* of the entries, */
    uint64_t size;    /* and their bytes */
    uint64_t bias;
    bool is_64;
};

/* Where MODULE has that, in *DYNAMIC.  Returns as target_view; ompd_rc_unavailable when it has
 * none. */
ompd_rc_t module_dynamic_find(struct target *target, const struct module *module,
                              struct module_dynamic *dynamic);

#endif
