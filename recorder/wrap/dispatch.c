/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "wrap/dispatch.h"

union recorder_dispatch recorder_targets[RECORDER_LOADER_LIMIT];
union recorder_dispatch recorder_wrappers[RECORDER_LOADER_LIMIT];
