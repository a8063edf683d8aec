/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "wrap/dispatch.h"

cl_icd_dispatch recorder_targets[RECORDER_LOADER_LIMIT];
cl_icd_dispatch recorder_wrappers[RECORDER_LOADER_LIMIT];
