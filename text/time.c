/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See text.h. */
#include <text/text.h>

#include <inttypes.h>

#define DAY_MILLISECONDS 86400000u

/* Days of 400 years, the period of the Gregorian calendar; and days from March 1 of year 0 to
 * 1970. Years begin in March, so that leap days come last. */
#define ERA_DAYS 146097u
#define DAYS_TO_1970 719468u

struct date {
    uint64_t year;
    unsigned month;
    unsigned day;
};

static struct date date_of(uint64_t days_since_1970)
{
    uint64_t days = days_since_1970 + DAYS_TO_1970;
    unsigned in_era = (unsigned)(days % ERA_DAYS);
    unsigned year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    unsigned in_year = in_era - (365 * year + year / 4 - year / 100);
    unsigned month = (5 * in_year + 2) / 153; /* from March, 0 */
    struct date date;

    date.day = in_year - (153 * month + 2) / 5 + 1;
    date.month = month < 10 ? month + 3 : month - 9;
    date.year = days / ERA_DAYS * 400 + year + (date.month <= 2);
    return date;
}

void time_format(struct text *text, uint64_t milliseconds)
{
    struct date date = date_of(milliseconds / DAY_MILLISECONDS);
    unsigned rest = (unsigned)(milliseconds % DAY_MILLISECONDS);

    text_add(text, "%04" PRIu64 "-%02u-%02u %02u:%02u:%02u.%03u", date.year, date.month, date.day,
             rest / 3600000, rest / 60000 % 60, rest / 1000 % 60, rest % 1000);
}

void duration_format(struct text *text, uint64_t milliseconds)
{
    text_add(text, "%" PRIu64 ".%03" PRIu64, milliseconds / 1000, milliseconds % 1000);
}
