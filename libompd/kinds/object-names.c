/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kinds/kinds.h"

const ompd_cl_name_t state_names[STATE_NAME_COUNT] = {
    {ompd_cl_state_live, "live", "the program holds references"},
    {ompd_cl_state_app_released, "app-released",
     "the program has released it, and something else still holds it"},
    {ompd_cl_state_destroying, "destroying", "its destructor callbacks have begun to run"},
};

const ompd_cl_name_t source_names[SOURCE_NAME_COUNT] = {
    {ompd_cl_source_recorder, "recorder", "recorded in the program"},
    {ompd_cl_source_layout, "layout", "read from the runtime's own memory"},
    {ompd_cl_source_stack, "stack", "told by the call stacks of threads"},
};

const ompd_cl_name_t confidence_names[CONFIDENCE_NAME_COUNT] = {
    {ompd_cl_confidence_certain, "certain", "it is there"},
    {ompd_cl_confidence_presumed, "presumed", "nothing speaks against it, and it is not proved"},
    {ompd_cl_confidence_doubtful, "doubtful", "something speaks against it"},
};

const ompd_cl_name_t doubt_names[DOUBT_NAME_COUNT] = {
    {ompd_cl_doubt_same_number, "same-number", "another object has the number that no two share"},
    {ompd_cl_doubt_over_counted, "over-counted",
     "more objects were found than the OpenCL context has references for"},
    {ompd_cl_doubt_twin, "twin", "another object owns the same memory"},
    {ompd_cl_doubt_context, "context", "the OpenCL context is doubtful"},
    {ompd_cl_doubt_kind, "kind", "may be an object of another kind"},
    {ompd_cl_doubt_place, "place", "does not lie where its runtime puts objects of its kind"},
    {ompd_cl_doubt_references, "references",
     "has more references than a program takes, and nothing that was found holds it"},
    {ompd_cl_doubt_callback, "callback", "no code is where its destructor callback was"},
};

const ompd_cl_name_t owned_kind_names[OWNED_KIND_COUNT] = {
    {ompd_cl_kind_context, "context", NULL}, {ompd_cl_kind_queue, "queue", NULL},
    {ompd_cl_kind_memobj, "memobj", NULL},   {ompd_cl_kind_svm, "svm", NULL},
    {ompd_cl_kind_event, "event", NULL},     {ompd_cl_kind_kernel, "kernel", NULL},
    {ompd_cl_kind_program, "program", NULL}, {ompd_cl_kind_sampler, "sampler", NULL},
};

const ompd_cl_name_t user_data_place_names[USER_DATA_PLACE_COUNT] = {
    {ompd_cl_user_data_on_stack, "stack", "the stack of the thread that registered the callback"},
    {ompd_cl_user_data_in_data, "data", "the program's data segment, with malloc's main heap"},
    {ompd_cl_user_data_in_mapping, "mapping", "other memory that was mapped"},
};
