/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Puts a dot where a locale put its own decimal sign (one byte or several). */
static void put_dot(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if ((*from >= '0' && *from <= '9') || strchr("+-e", *from))
            *to++ = *from;
        else if (to == text || to[-1] != '.')
            *to++ = '.';
    }
    *to = '\0';
}

const char *format_digits(double value, char text[FORMAT_CAP])
{
    if (!isfinite(value)) {
        strcpy(text, "-");
        return text;
    }
    double size = fabs(value);
    int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
    if (value == 0)
        decimals = 0;
    if (size >= 1e15 || (size > 0 && size < 0.0005))
        snprintf(text, FORMAT_CAP, "%.2e", value);
    else
        snprintf(text, FORMAT_CAP, "%.*f", decimals, value);
    put_dot(text);
    return text;
}

/* |value| / base^k with the k-th word, so that three digits stand before or around the dot. */
static const char *prefixed(double value, double base, const char *const *words, char text[FORMAT_CAP])
{
    size_t k = 0;
    if (!isfinite(value))
        return format_digits(value, text);
    while (words[k + 1] && fabs(value) >= base * 0.9995) {
        value /= base;
        k++;
    }
    format_digits(value, text);
    size_t len = strlen(text);
    snprintf(text + len, FORMAT_CAP - len, "%s", words[k]);
    return text;
}

static const char *const THOUSANDS[] = {"", " k", " M", " G", " T", " P", NULL};

const char *format_count(double value, char text[FORMAT_CAP])
{
    if (fabs(value) < 10000 && floor(value) == value) {
        snprintf(text, FORMAT_CAP, "%.0f", value == 0 ? 0.0 : value);
        return text;
    }
    return prefixed(value, 1000, THOUSANDS, text);
}

const char *format_rate(double per_s, char text[FORMAT_CAP])
{
    static const char *const words[] = {" rows/s", " k rows/s", " M rows/s", " G rows/s", " T rows/s", NULL};
    return prefixed(per_s, 1000, words, text);
}

const char *format_ratio(double ratio, char text[FORMAT_CAP])
{
    static const char *const words[] = {"x", NULL};
    return prefixed(ratio, 1000, words, text);
}

const char *format_percent(double share, char text[FORMAT_CAP])
{
    static const char *const words[] = {" %", NULL};
    return prefixed(share * 100, 1000, words, text);
}

const char *format_bytes(double bytes, char text[FORMAT_CAP])
{
    static const char *const words[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", NULL};
    return prefixed(bytes, 1024, words, text);
}

const char *format_latency(double us, char text[FORMAT_CAP])
{
    static const char *const words[] = {" \xC2\xB5s", " ms", " s", NULL};
    return prefixed(us, 1000, words, text);
}

const char *format_time(double s, char text[FORMAT_CAP])
{
    static const struct {
        double seconds;
        const char *unit;
        const char *next;
        double next_seconds;
    } units[] = {
        {31536000, "y", "d", 86400}, {86400, "d", "h", 3600}, {3600, "h", "m", 60}, {60, "m", "s", 1},
    };
    if (!isfinite(s) || s < 0)
        return format_digits((double)NAN, text);
    if (s >= 0.000001 && s < 0.9995) {
        format_digits(s * 1000, text);
        strcat(text, "ms");
        return text;
    }
    double tenths = floor(s * 10 + 0.5);
    if (s < 10 && fmod(tenths, 10) != 0) {
        snprintf(text, FORMAT_CAP, "%.1f", s);
        put_dot(text);
        strcat(text, "s");
        return text;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        double parts = floor(s / units[i].next_seconds + 0.5); /* rounded to the smaller unit */
        double per = units[i].seconds / units[i].next_seconds;
        if (parts < per)
            continue;
        double rest = fmod(parts, per);
        int digits = per > 100 ? 3 : 2;
        if (rest > 0)
            snprintf(text, FORMAT_CAP, "%.0f%s%0*.0f%s", floor(parts / per), units[i].unit, digits, rest,
                     units[i].next);
        else
            snprintf(text, FORMAT_CAP, "%.0f%s", floor(parts / per), units[i].unit);
        return text;
    }
    snprintf(text, FORMAT_CAP, "%.0fs", floor(s + 0.5));
    return text;
}
