/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND INT64_C(1000000000)
#define YEAR_S INT64_C(31536000) /* 365 days */

struct unit {
    const char *name;
    int64_t size;                     /* of the family's base unit */
};

/* Each table is ordered from the largest to the smallest; of texts of one length writing takes the
   first. */
static const struct unit byte_units[] = {
    {"TiB", INT64_C(1) << 40}, {"GiB", INT64_C(1) << 30}, {"MiB", INT64_C(1) << 20},
    {"KiB", INT64_C(1) << 10}, {"TB", INT64_C(1000000000000)}, {"GB", 1000000000},
    {"MB", 1000000},           {"kB", 1000},                   {"B", 1},
    {NULL, 0},
};
static const struct unit duration_units[] = {
    {"y", YEAR_S * SECOND}, {"d", 86400 * SECOND}, {"h", 3600 * SECOND}, {"m", 60 * SECOND},
    {"s", SECOND},          {"ms", 1000000},       {"us", 1000},         {"ns", 1},
    {NULL, 0},
};
static const struct unit count_units[] = {
    {"T", INT64_C(1000000000000)}, {"G", 1000000000}, {"M", 1000000}, {"k", 1000}, {"", 1}, {NULL, 0},
};
/* Seconds of the word behind a rate's slash. */
static const struct unit per_units[] = {{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {NULL, 0}};

static const struct unit *units_of(enum unit_family family)
{
    switch (family) {
    case UNIT_BYTES:
    case UNIT_BYTE_RATE:
        return byte_units;
    case UNIT_DURATION:
        return duration_units;
    default:
        return count_units;
    }
}

const char *unit_family_example(enum unit_family family)
{
    static const char *const examples[] = {
        [UNIT_BYTES] = "bytes, as 16GiB or 100MB",
        [UNIT_DURATION] = "a duration, as 5s or 1h30m",
        [UNIT_COUNT] = "a count, as 24 or 200k",
        [UNIT_RATE] = "a rate, as 40k/s or 1/m",
        [UNIT_BYTE_RATE] = "bytes per second, as 100MB/s",
        [UNIT_RATIO] = "a share, as 30% or 0.3",
        [UNIT_NUMBER] = "a number, as 1.5",
    };

    return examples[family];
}

static int problem(struct unit_problem *why, size_t at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static int problem(struct unit_problem *why, size_t at, const char *fmt, ...)
{
    va_list ap;

    why->at = at;
    why->hint[0] = '\0';
    va_start(ap, fmt);
    vsnprintf(why->message, sizeof why->message, fmt, ap);
    va_end(ap);
    return -1;
}

/* A decimal as it was written: digits x 10^exponent. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* Reads digits, a point, an exponent; returns how many bytes, 0 with |why| if there is no number. */
static size_t read_decimal(const char *text, size_t len, struct decimal *out, struct unit_problem *why)
{
    size_t i = 0, digits = 0;
    bool point = false;

    out->digits = 0;
    out->exponent = 0;
    for (; i < len; i++) {
        if (text[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (text[i] < '0' || text[i] > '9')
            break;
        digits++;
        if (out->digits > (UINT64_MAX - 9) / 10) {
            problem(why, 0, "the number has too many digits");
            return 0;
        }
        out->digits = out->digits * 10 + (uint64_t)(text[i] - '0');
        out->exponent -= point;
    }
    if (digits == 0) {
        problem(why, 0, len > 0 && text[0] == '-' ? "a negative value makes no sense here" : "not a number");
        return 0;
    }
    if (i < len && (text[i] == 'e' || text[i] == 'E')) {
        size_t k = i + 1;
        bool minus = k < len && text[k] == '-';
        int exponent = 0;

        k += k < len && (text[k] == '-' || text[k] == '+');
        if (k == len || text[k] < '0' || text[k] > '9')
            return i;
        for (; k < len && text[k] >= '0' && text[k] <= '9'; k++)
            exponent = exponent < 10000 ? exponent * 10 + (text[k] - '0') : exponent;
        out->exponent += minus ? -exponent : exponent;
        return k;
    }
    return i;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;

        a = b;
        b = r;
    }
    return a;
}

/* digits x 10^exponent x size as a whole number: 0, -1 too large, -2 a fraction remains. */
static int whole_of(struct decimal dec, int64_t size, int64_t *out)
{
    uint64_t digits = dec.digits, times = (uint64_t)size, divisor = 1;

    for (; digits > 0 && dec.exponent < 0; dec.exponent++) {
        uint64_t g;

        if (divisor > UINT64_MAX / 10)
            return -2;
        divisor *= 10;
        g = gcd(digits, divisor);
        digits /= g;
        divisor /= g;
        g = gcd(times, divisor);
        times /= g;
        divisor /= g;
    }
    if (divisor > 1)
        return -2;
    for (; digits > 0 && dec.exponent > 0; dec.exponent--) {
        if (digits > INT64_MAX / 10)
            return -1;
        digits *= 10;
    }
    if (digits > 0 && times > (uint64_t)INT64_MAX / digits)
        return -1;
    *out = (int64_t)(digits * times);
    return 0;
}

static bool same(const char *text, size_t len, const char *name)
{
    return strlen(name) == len && memcmp(text, name, len) == 0;
}

static size_t blanks(const char *text, size_t len)
{
    size_t i = 0;

    while (i < len && (text[i] == ' ' || text[i] == '\t'))
        i++;
    return i;
}

static int unknown_unit(enum unit_family family, const char *text, size_t len, size_t at, struct unit_problem *why)
{
    const char *letters = "KkMGTmgt";

    if (len == 0) {
        problem(why, at, "the unit is missing");
        snprintf(why->hint, sizeof why->hint, "write %s", unit_family_example(family));
        return -1;
    }
    problem(why, at, "unknown unit '%.*s'", (int)(len < 40 ? len : 40), text);
    if ((family == UNIT_BYTES || family == UNIT_BYTE_RATE) && strchr(letters, text[0])) {
        char big = text[0] >= 'a' ? (char)(text[0] - 'a' + 'A') : text[0];

        snprintf(why->hint, sizeof why->hint, "write %ciB for powers of 1024, %cB for powers of 1000", big,
                 big == 'K' ? 'k' : big);
    } else {
        snprintf(why->hint, sizeof why->hint, "write %s", unit_family_example(family));
    }
    return -1;
}

/* The unit that is the longest beginning of |text|; a letter must not follow it. */
static const struct unit *find_unit(const struct unit *units, const char *text, size_t len, size_t *used)
{
    size_t n = 0;

    while (n < len && ((text[n] >= 'a' && text[n] <= 'z') || (text[n] >= 'A' && text[n] <= 'Z')))
        n++;
    *used = n;
    for (; units->name; units++) {
        if (same(text, n, units->name))
            return units;
    }
    return NULL;
}

/* 1h30m: each part with its unit, the units falling. */
static int read_duration(const char *text, size_t len, int64_t *out, struct unit_problem *why)
{
    int64_t sum = 0, last = INT64_MAX;
    size_t i = 0;

    if (len == 1 && text[0] == '0') {
        *out = 0;
        return 0;
    }
    do {
        struct decimal dec;
        const struct unit *unit;
        size_t n = read_decimal(text + i, len - i, &dec, why), used;
        int64_t part;

        if (n == 0) {
            why->at += i;
            return -1;
        }
        n += blanks(text + i + n, len - i - n);
        unit = find_unit(duration_units, text + i + n, len - i - n, &used);
        if (!unit)
            return unknown_unit(UNIT_DURATION, text + i + n, len - i - n, i + n, why);
        if (unit->size >= last)
            return problem(why, i, "the parts of a duration go from the larger unit to the smaller");
        switch (whole_of(dec, unit->size, &part)) {
        case 0:
            break;
        case -2:
            return problem(why, i, "a fraction of a nanosecond");
        default:
            return problem(why, i, "the duration is too long");
        }
        if (part > INT64_MAX - sum)
            return problem(why, i, "the duration is too long");
        sum += part;
        last = unit->size;
        i += n + used;
        i += blanks(text + i, len - i);
    } while (i < len);
    *out = sum;
    return 0;
}

int unit_read_whole(enum unit_family family, const char *text, size_t len, int64_t *out,
                    struct unit_problem *why)
{
    struct decimal dec;
    const struct unit *unit;
    size_t n, used;

    if (family == UNIT_DURATION)
        return read_duration(text, len, out, why);
    n = read_decimal(text, len, &dec, why);
    if (n == 0)
        return -1;
    n += blanks(text + n, len - n);
    if (n == len && family == UNIT_BYTES) {
        unit = &byte_units[sizeof byte_units / sizeof byte_units[0] - 2];
        used = 0;
    } else {
        unit = find_unit(units_of(family), text + n, len - n, &used);
    }
    if (!unit || n + used < len)
        return unknown_unit(family, text + n, len - n, n, why);
    switch (whole_of(dec, unit->size, out)) {
    case 0:
        return 0;
    case -2:
        return problem(why, 0, family == UNIT_BYTES ? "a fraction of a byte" : "a whole number is needed");
    default:
        return problem(why, 0, "the number is too large");
    }
}

/* The value of a decimal, rounded once: strtod reads digits and exponent together. */
static double real_of(struct decimal dec)
{
    char number[48];

    snprintf(number, sizeof number, "%" PRIu64 "e%d", dec.digits, dec.exponent);
    return strtod(number, NULL);
}

/* What follows the amount of a rate: a prefix, the word rows, a slash and the time's unit. */
static int read_rate_unit(enum unit_family family, const char *text, size_t len, double *factor,
                          struct unit_problem *why)
{
    const struct unit *unit, *per;
    const char *slash = memchr(text, '/', len);
    size_t used, i, end = slash ? (size_t)(slash - text) : len;

    if (!slash) {
        problem(why, len, "a rate needs a time, as /s");
        snprintf(why->hint, sizeof why->hint, "write %s", unit_family_example(family));
        return -1;
    }
    unit = find_unit(units_of(family), text, end, &used);
    if (!unit && family == UNIT_RATE && same(text, used, "rows")) {
        unit = &count_units[sizeof count_units / sizeof count_units[0] - 2];
        used = 0;
    }
    if (!unit || (family == UNIT_BYTE_RATE && used == 0))
        return unknown_unit(family, text, end, 0, why);
    i = used + blanks(text + used, end - used);
    if (family == UNIT_RATE && end - i >= 4 && memcmp(text + i, "rows", 4) == 0)
        i += 4;
    i += blanks(text + i, end - i);
    if (i < end)
        return unknown_unit(family, text, end, 0, why);
    i = end + 1;
    i += blanks(text + i, len - i);
    per = find_unit(per_units, text + i, len - i, &used);
    if (!per || i + used < len || used == 0) {
        problem(why, i, "unknown time '%.*s' in a rate", (int)(len - i < 40 ? len - i : 40), text + i);
        snprintf(why->hint, sizeof why->hint, "write /s, /m, /h or /d");
        return -1;
    }
    *factor = (double)unit->size / (double)per->size;
    return 0;
}

int unit_read_real(enum unit_family family, const char *text, size_t len, double *out,
                   struct unit_problem *why)
{
    struct decimal dec;
    double factor = 1, value;
    size_t n = read_decimal(text, len, &dec, why);

    if (n == 0)
        return -1;
    n += blanks(text + n, len - n);
    if (family == UNIT_RATE || family == UNIT_BYTE_RATE) {
        if (read_rate_unit(family, text + n, len - n, &factor, why) < 0) {
            why->at += n;
            return -1;
        }
    } else if (family == UNIT_RATIO && len - n == 1 && text[n] == '%') {
        dec.exponent -= 2;
    } else if (n < len) {
        return unknown_unit(family, text + n, len - n, n, why);
    }
    value = real_of(dec) * factor;
    if (!isfinite(value))
        return problem(why, 0, "the number is too large");
    *out = value;
    return 0;
}

void unit_write_whole(enum unit_family family, int64_t value, char text[UNIT_TEXT_CAP])
{
    const struct unit *unit = units_of(family);

    if (value == 0) {
        snprintf(text, UNIT_TEXT_CAP, "0");
        return;
    }
    text[0] = '\0';
    for (; unit->name; unit++) {
        char form[UNIT_TEXT_CAP];

        if (value % unit->size != 0)
            continue;
        snprintf(form, sizeof form, "%" PRId64 "%s", value / unit->size, unit->name);
        if (!text[0] || strlen(form) < strlen(text))
            memcpy(text, form, sizeof form);
    }
}

/* Whether |text| reads back to exactly |value|. */
static bool reads_back(enum unit_family family, const char *text, double value)
{
    struct unit_problem why;
    double back;

    return unit_read_real(family, text, strlen(text), &back, &why) == 0 && !(back < value) && !(back > value);
}

/* The shortest form amount + suffix that reads back, with at most |most| digits; false if none. */
static bool write_with(enum unit_family family, double value, const struct unit form[2], int most,
                       char text[UNIT_TEXT_CAP])
{
    double factor = (double)form[0].size / (double)form[1].size;

    for (int digits = 1; digits <= most; digits++) {
        char number[32];

        snprintf(number, sizeof number, "%.*g", digits, value / factor);
        if (strchr(number, 'e') && (most < 17 || (value / factor >= 1e-5 && value / factor < 1e15)))
            continue;
        snprintf(text, UNIT_TEXT_CAP, "%s%s%s%s", number, form[0].name, form[1].name[0] ? "/" : "", form[1].name);
        if (reads_back(family, text, value))
            return true;
    }
    return false;
}

static void write_rate(enum unit_family family, double value, char text[UNIT_TEXT_CAP])
{
    struct unit form[2];

    for (const struct unit *per = per_units; per->name; per++) {
        for (const struct unit *unit = units_of(family); unit->name; unit++) {
            double amount = value * (double)per->size / (double)unit->size;

            form[0] = *unit;
            form[1] = *per;
            if (amount >= 1 && amount < 1000 && write_with(family, value, form, 4, text))
                return;
        }
    }
    form[0].name = family == UNIT_BYTE_RATE ? "B" : "";
    form[0].size = 1;
    form[1] = per_units[0];
    if (!write_with(family, value, form, 17, text))
        snprintf(text, UNIT_TEXT_CAP, "%.17g%s/s", value, form[0].name);
}

void unit_write_real(enum unit_family family, double value, char text[UNIT_TEXT_CAP])
{
    const struct unit plain[2] = {{"", 1}, {"", 1}};

    if (family == UNIT_RATE || family == UNIT_BYTE_RATE) {
        write_rate(family, value, text);
        return;
    }
    if (family == UNIT_RATIO && value > 0) {
        const struct unit percent[2] = {{"%", 1}, {"", 100}};

        if (write_with(family, value, percent, 5, text))
            return;
    }
    if (!write_with(family, value, plain, 17, text))
        snprintf(text, UNIT_TEXT_CAP, "%.17g", value);
}
