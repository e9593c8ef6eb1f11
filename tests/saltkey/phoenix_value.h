/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phoenix values as the recorded tables write them. */
#ifndef TESTS_SALTKEY_PHOENIX_VALUE_H
#define TESTS_SALTKEY_PHOENIX_VALUE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tsv.h"

/* A cell's value: `s:` and `b:` hex, `i: ms:` numbers, `ts:MS/NANOS`, `dec:`, `bool:`, `f32: f64:`. */
static inline struct saltkey_value phoenix_value(char *word, uint8_t *bytes)
{
    struct saltkey_value v = saltkey_bytes(bytes, 0);
    char *text = strchr(word, ':');

    if (!text) {
        v.kind = SALTKEY_VALUE_NULL;
        return v;
    }
    *text++ = '\0';
    if (strcmp(word, "s") == 0 || strcmp(word, "b") == 0) {
        struct saltkey_slice s = tsv_hex(*text ? text : "-", bytes, 256);
        return saltkey_bytes(s.bytes, s.len);
    }
    if (strcmp(word, "dec") == 0)
        return saltkey_text(text);
    if (strcmp(word, "bool") == 0)
        return saltkey_uint(strcmp(text, "true") == 0);
    if (strcmp(word, "f64") == 0) {
        v = saltkey_real(0);
        v.number = strtoull(text, NULL, 16);
        return v;
    }
    if (strcmp(word, "f32") == 0) {
        uint32_t bits = (uint32_t)strtoul(text, NULL, 16);
        float f;

        memcpy(&f, &bits, sizeof(f));
        return saltkey_real((double)f);
    }
    v = saltkey_int(strtoll(text, NULL, 10));
    if (strcmp(word, "ts") == 0)
        v.nanos = (uint32_t)strtoul(strchr(text, '/') + 1, NULL, 10);
    return v;
}

/* The values of a cell, parted by blanks; |text| is changed. Returns how many. */
static inline size_t phoenix_values(char *text, struct saltkey_value values[SALTKEY_FIELDS_MAX],
                                    uint8_t bytes[SALTKEY_FIELDS_MAX][256])
{
    size_t n = 0;

    while (text && n < SALTKEY_FIELDS_MAX) {
        char *blank = strchr(text, ' ');

        if (blank)
            *blank = '\0';
        values[n] = phoenix_value(text, bytes[n]);
        n++;
        text = blank ? blank + 1 : NULL;
    }
    return n;
}

/* Phoenix's SQL code of a refusal. */
static inline int phoenix_sql_code(int status, const struct saltkey_phoenix *key, size_t column)
{
    switch (status) {
    case SALTKEY_ENULL: return 218;
    case SALTKEY_ETOOLONG: return 206;
    case SALTKEY_ENEGATIVE: return column && key->columns[column - 1].row_timestamp ? 201 : 203;
    case SALTKEY_ERANGE: return 201;
    default: return 0;
    }
}

#endif
