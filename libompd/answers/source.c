/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "answers/list.h"

const struct source *const sources_all[SOURCE_COUNT] = {&source_recorder, &source_layout,
                                                        &source_stack};
