/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/number.h"

#include <math.h>
#include <stdbool.h>
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

size_t result_number_text(double value, char text[RESULT_NUMBER_CAP])
{
    char raw[RESULT_NUMBER_CAP];
    if (!isfinite(value)) {
        memcpy(text, "null", 5);
        return 4;
    }
    if (value == 0.0)
        value = 0.0; /* no "-0" */
    if (fabs(value) < WHOLE_MAX && floor(value) == value) {
        snprintf(raw, sizeof raw, "%.0f", value);
    } else {
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(raw, sizeof raw, "%.*g", digits, value);
            if (strtod(raw, NULL) == value)
                break;
        }
    }
    return result_number_dot(raw, text);
}
