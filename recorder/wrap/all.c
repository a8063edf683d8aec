/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All wrappers for one loader. */
#include "wrap/wrap.h"

void recorder_wrap_all(cl_icd_dispatch *table)
{
    recorder_wrap_contexts(table);
    recorder_wrap_memobjs(table);
    recorder_wrap_images(table);
    recorder_wrap_programs(table);
    recorder_wrap_builds(table);
    recorder_wrap_events(table);
    recorder_wrap_transfers(table);
    recorder_wrap_commands(table);
    recorder_wrap_svm(table);
    recorder_wrap_passed(table);
    recorder_wrap_extensions(table);
}
