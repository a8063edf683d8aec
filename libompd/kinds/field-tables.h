/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tables of fields, one for each kind of row, and how they are written. INFO is the info struct
 * that a table describes. To add a field: a line in its table, a member of its info struct, and a
 * line in record-decoder.c that says where it comes from. */
#ifndef LIBOMPD_FIELD_TABLES_H
#define LIBOMPD_FIELD_TABLES_H

#include "kinds/kinds.h"

#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* clang-format off */
/* One field: member, column heading, type, shown in tables, unit, help. */
#define FIELD(member, title, type, in_table, unit, help)                                           \
    {#member, title, help, unit, NULL, 0, ompd_cl_type_##type, offsetof(INFO, member), in_table}

/* One field whose values, or bits, have names. */
#define NAMED(member, title, type, in_table, names, help)                                          \
    {#member, title, help, "", names, COUNT(names), ompd_cl_type_##type, offsetof(INFO, member),   \
     in_table}
/* clang-format on */

/* What every row has that knows who made it. */
#define MADE_BY                                                                                    \
    FIELD(lwp, "LWP", lwp, 0, "", "thread that made the call"),                                    \
        FIELD(caller, "made at", caller, 0, "", "return address of the call, in the program"),     \
        FIELD(stack, "call stack", stack, 0, "",                                                   \
              "call stack of the call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1")

#define ORDER                                                                                      \
    FIELD(order, "order", number, 0, "", "place in the order of creation over all objects")

#define SOURCE                                                                                     \
    NAMED(source, "source", name, 0, source_names, "where the facts of this row come from")

#define CONFIDENCE                                                                                 \
    NAMED(confidence, "confidence", name, 0, confidence_names, "how sure it is that it is there")

#define DOUBT NAMED(doubt, "doubt", name, 0, doubt_names, "what speaks against a doubtful object")

#define RUNTIME_REFERENCES                                                                         \
    FIELD(runtime_references, "runtime's references", count, 0, "",                                \
          "references that the runtime counts: the program's, and those that it holds itself")

#define USER_DATA_PLACE                                                                            \
    NAMED(user_data_place, "user data in", name, 0, user_data_place_names,                         \
          "where the user data was when the callback was registered, where that is known")

/* What every object has that the program may retain, behind the fields of its kind. */
#define OBJECT                                                                                     \
    NAMED(state, "state", state, 1, state_names, "whether the program still holds it"), ORDER,     \
        MADE_BY, SOURCE, CONFIDENCE, RUNTIME_REFERENCES, DOUBT

/* The kind of these fields, and which of them a filter looks at. */
#define KIND(kind_name, context_at, kind_at, state_at, size_at, queue_at)                          \
    const struct kind kind_of_##kind_name = {                                                      \
        .name = #kind_name,                                                                        \
        .fields = kind_name##_fields,                                                              \
        .field_count = COUNT(kind_name##_fields),                                                  \
        .struct_size = sizeof(ompd_cl_##kind_name##_info_t),                                       \
        .context_offset = context_at,                                                              \
        .kind_offset = kind_at,                                                                    \
        .state_offset = state_at,                                                                  \
        .size_offset = size_at,                                                                    \
        .queue_offset = queue_at,                                                                  \
    }
#define AT(kind_name, member) offsetof(ompd_cl_##kind_name##_info_t, member)

extern const struct kind kind_of_overview;
extern const struct kind kind_of_platform;
extern const struct kind kind_of_context;
extern const struct kind kind_of_queue;
extern const struct kind kind_of_memobj;
extern const struct kind kind_of_destructor;
extern const struct kind kind_of_svm;
extern const struct kind kind_of_svm_free;
extern const struct kind kind_of_svm_pointer;
extern const struct kind kind_of_wait;
extern const struct kind kind_of_thread;
extern const struct kind kind_of_activity;
extern const struct kind kind_of_usage;
extern const struct kind kind_of_memory;
extern const struct kind kind_of_runtime;
extern const struct kind kind_of_layout;
extern const struct kind kind_of_event;
extern const struct kind kind_of_kernel;
extern const struct kind kind_of_program;
extern const struct kind kind_of_sampler;
extern const struct kind kind_of_device;
extern const struct kind kind_of_command;
extern const struct kind kind_of_finding;
extern const struct kind kind_of_hop;
extern const struct kind kind_of_gone;
extern const struct kind kind_of_error;
extern const struct kind kind_of_holder;
extern const struct kind kind_of_leak;
extern const struct kind kind_of_ledger;
extern const struct kind kind_of_call;
extern const struct kind kind_of_callback;
extern const struct kind kind_of_argument;

#endif
