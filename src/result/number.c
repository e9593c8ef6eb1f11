/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double WHOLE_MAX = 9007199254740992.0; /* 2^53 */

size_t result_number_dot(const char *raw, char text[RESULT_NUMBER_CAP])
{
    size_t len = 0;
    bool in_point = false;
    for (; *raw && len + 1 < RESULT_NUMBER_CAP; raw++) {
        bool plain = strchr("0123456789+-eE", *raw) != NULL;
        if (plain)
            text[len++] = *raw;
        else if (!in_point)
            text[len++] = '.';
        in_point = !plain;
    }
    text[len] = '\0';
    return len;
}

/* Decimal digits of a whole number: most figures are counts, and printf takes ten times as long. */
static size_t whole_text(double value, char text[RESULT_NUMBER_CAP])
{
    char digits[20];
    uint64_t rest = (uint64_t)fabs(value);
    size_t len = 0, out = 0;
    do {
        digits[len++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        text[out++] = '-';
    while (len)
        text[out++] = digits[--len];
    text[out] = '\0';
    return out;
}

size_t result_number_text(double value, char text[RESULT_NUMBER_CAP])
{
    char raw[RESULT_NUMBER_CAP];
    if (!isfinite(value)) {
        memcpy(text, "null", 5);
        return 4;
    }
    if (fabs(value) < WHOLE_MAX && floor(value) == value)
        return whole_text(value, text);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(raw, sizeof raw, "%.*g", digits, value);
        if (strtod(raw, NULL) == value)
            break;
    }
    return result_number_dot(raw, text);
}
