/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "rows-session.h"

#include <check.h>

struct population population;
struct fake_target *target;
struct answers answers;

void rows_begin(int variant)
{
    population = population_create_variant(variant);
    target = population.target;
    population_open(&population);
}

void rows_set_up(void)
{
    rows_begin(0);
}

void rows_tear_down(void)
{
    population_free(&population);
}

static void ask(ompd_rc_t worst)
{
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    answers_get(population.space, &answers);
    ck_assert_int_eq(answers.worst, worst);
}

void rows_ask(void)
{
    ask(ompd_rc_ok);
}

void rows_ask_in_vain(void)
{
    ask(ompd_rc_incomplete);
}
