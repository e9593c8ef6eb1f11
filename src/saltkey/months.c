/* SPDX-License-Identifier: Apache-2.0 */
/* Tables named base_yyyyMM: which month is wholly older than a retention. */
#include "internal.h"

/* Days since 1970-01-01 of a proleptic Gregorian date, and back (Hinnant's civil calendar). */
static int64_t days_of(int64_t y, uint32_t m, uint32_t d)
{
    int64_t era;
    uint32_t yoe, doy;

    y -= m <= 2;
    era = (y >= 0 ? y : y - 399) / 400;
    yoe = (uint32_t)(y - era * 400);
    doy = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
    return era * 146097 + (int64_t)(yoe * 365 + yoe / 4 - yoe / 100 + doy) - 719468;
}

static uint32_t yyyymm_of(int64_t days)
{
    int64_t era, y;
    uint32_t doe, yoe, doy, m;

    days += 719468;
    era = (days >= 0 ? days : days - 146096) / 146097;
    doe = (uint32_t)(days - era * 146097);
    yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    m = (5 * doy + 2) / 153;
    m = m < 10 ? m + 3 : m - 9;
    y = (int64_t)yoe + era * 400 + (m <= 2);
    return (uint32_t)y * 100 + m;
}

static uint32_t days_in(uint32_t y, uint32_t m)
{
    if (m == 2)
        return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0 ? 29 : 28;
    return m == 4 || m == 6 || m == 9 || m == 11 ? 30 : 31;
}

int saltkey_month_cutoff(uint32_t yyyymmdd, uint32_t retention_days, uint32_t *yyyymm)
{
    uint32_t y = yyyymmdd / 10000, m = yyyymmdd / 100 % 100, d = yyyymmdd % 100;
    int64_t day;

    if (y < 1 || y > 9999 || m < 1 || m > 12 || d < 1 || d > days_in(y, m))
        return SALTKEY_ERANGE;
    day = days_of(y, m, d) - (int64_t)retention_days;
    if (day < days_of(1, 1, 1))
        return SALTKEY_ERANGE;
    *yyyymm = yyyymm_of(day);
    return 0;
}

int saltkey_month_of_table(const char *table, const char *base, uint32_t *yyyymm)
{
    size_t n = strlen(base);
    uint64_t month = 0;

    if (strncmp(table, base, n) != 0 || table[n] != '_' || strlen(table + n + 1) != 6 ||
        !saltkey__number(saltkey__slice(table + n + 1, 6), 999912, &month) || month % 100 < 1 ||
        month % 100 > 12)
        return SALTKEY_ETEXT;
    *yyyymm = (uint32_t)month;
    return 0;
}
