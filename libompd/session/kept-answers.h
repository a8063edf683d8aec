/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The answers of one stop that cost much, and are asked for again. */
#ifndef LIBOMPD_KEPT_ANSWERS_H
#define LIBOMPD_KEPT_ANSWERS_H

#include "session/address-space.h"
#include "session/kept-findings.h"
#include "session/kept-holders.h"
#include "session/kept-hops.h"
#include "session/kept-leaks.h"
#include "session/pending-frees.h"

struct kept_answers {
    struct kept_findings findings;
    struct kept_hops hops;
    struct kept_holders holders;
    struct kept_leaks leaks;
    struct svm_begun svm_begun;
};

#endif
