/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices that are lifted out of a JSON text: what jansson reads of the rest and the values lifted are what jansson
   reads of the whole; what isn't plain numbers stays for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/json_matrix.h"

static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Numbers of all forms that JSON has. */
static void put_number(FILE *to, uint64_t *state)
{
    double any;
    const uint64_t bits = random_bits(state), kind = random_bits(state) % 8;
    switch (kind) {
    case 0: fputs("null", to); break;
    case 1: fprintf(to, "%d", (int)(bits % 2000) - 1000); break;
    case 2: fprintf(to, "%.17g", (double)(bits >> 11) * 0x1p-53 * 40000); break;
    case 3: fprintf(to, "%s%.*f", bits & 1 ? "-" : "", (int)(bits >> 8) % 12, (double)(bits >> 40)); break;
    case 4: fprintf(to, "%.*e", (int)(bits % 18), (double)(bits >> 20) / 3); break;
    case 5: fprintf(to, "%lld", (long long)(bits >> 2)); break;
    case 6: fputs("-0.0", to); break;
    default:
        memcpy(&any, &bits, sizeof any);
        fprintf(to, isfinite(any) && fabs(any) > 1e-290 ? "%.17g" : "0", any);
    }
}

static char *make_text(size_t rows, size_t columns, uint64_t *state, size_t *len)
{
    static const char *const gaps[] = {"", " ", "\n", "\n  ", "\t"};
    char *text = NULL;
    FILE *to = open_memstream(&text, len);
    assert_non_null(to);
    fputs("{\"before\": \"a [[1]] \\\" [[\",\n \"cells\":", to);
    for (size_t r = 0; r < rows; r++) {
        fprintf(to, "%s%s[", gaps[random_bits(state) % 5], r ? "," : "[");
        for (size_t c = 0; c < columns; c++) {
            fprintf(to, "%s%s", c ? "," : "", gaps[random_bits(state) % 5]);
            put_number(to, state);
        }
        fputs("]", to);
    }
    fputs("],\n \"behind\": [[1, 2], [3]], \"words\": [[\"x\"]]}\n", to);
    assert_int_equal(fclose(to), 0);
    return text;
}

static void check_values(const json_t *rows, const struct json_matrix *lifted)
{
    assert_int_equal(json_array_size(rows), lifted->rows);
    for (size_t r = 0; r < lifted->rows; r++) {
        const json_t *row = json_array_get(rows, r);
        assert_int_equal(json_array_size(row), lifted->columns);
        for (size_t c = 0; c < lifted->columns; c++) {
            const double want = json_is_null(json_array_get(row, c)) ? (double)NAN : json_number_value(json_array_get(row, c));
            const double got = lifted->values[r * lifted->columns + c];
            if (memcmp(&want, &got, sizeof want) != 0 && !(isnan(want) && isnan(got)) && !(want == 0 && got == 0))
                fail_msg("row %zu, column %zu: %.17g, not %.17g", r, c, got, want);
        }
    }
}

static void the_same_as_the_whole(void **state)
{
    uint64_t seed = 1;
    size_t lifted_texts = 0;
    (void)state;
    for (int n = 0; n < 60; n++) {
        size_t len, cut;
        char *text = make_text(1 + (size_t)n, 1 + (size_t)(n * 7 % 90), &seed, &len);
        struct json_matrices found;
        json_t *whole = json_loadb(text, len, 0, NULL);
        assert_non_null(whole);
        cut = len;
        assert_int_equal(json_matrices_lift(&found, text, &cut), 0);
        assert_true(cut <= len);
        json_t *rest = json_loadb(text, cut, 0, NULL);
        assert_non_null(rest);
        assert_true(found.len <= 1);
        if (found.len == 1) {
            const json_t *word = json_object_get(rest, "cells");
            lifted_texts++;
            assert_true(json_is_string(word));
            assert_ptr_equal(json_matrices_find(&found, json_string_value(word)), &found.all[0]);
            check_values(json_object_get(whole, "cells"), &found.all[0]);
            json_object_del(rest, "cells");
            json_object_del(whole, "cells");
        }
        assert_true(json_equal(rest, whole));
        json_decref(rest);
        json_decref(whole);
        json_matrices_free(&found);
        free(text);
    }
    assert_true(lifted_texts > 30);
}

/* Lifting leaves these alone: jansson shall say what is wrong, or read what isn't a matrix of numbers. */
static void all_else_stays(void **state)
{
    static const char *const ends[] = {"]]", "1,]]", "1],]", "1],[2,3]]", "\"x\"]]", "[1]]]", "true]]", "01]]", "1.]]", ".5]]", "+1]]",
                                       "1e]]", "1e999]]", "0x10]]", "nul]]", "1 2]]", "1]", "1", "NaN]]"};
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[9000] = "{\"cells\": [[", was[9000];
        struct json_matrices found;
        size_t len = strlen(text);
        for (int n = 0; n < 2000; n++)
            len += (size_t)snprintf(text + len, sizeof text - len, "1, ");
        if (i == 0)
            len = len - 2; /* a good one */
        len += (size_t)snprintf(text + len, sizeof text - len, "%s}", ends[i]);
        memcpy(was, text, len + 1);
        assert_int_equal(json_matrices_lift(&found, text, &len), 0);
        assert_int_equal(found.len, i == 0);
        if (i > 0)
            assert_string_equal(text, was);
        json_matrices_free(&found);
    }
}

/* A text that holds such a word itself gets no second meaning, and lines are counted as before. */
static void words_and_lines(void **state)
{
    char text[9000] = "{\"title\": \"@matrix 0\", \"cells\": [[", was[9000];
    struct json_matrices found;
    json_error_t error;
    size_t len = strlen(text);
    (void)state;
    for (int n = 0; n < 2000; n++)
        len += (size_t)snprintf(text + len, sizeof text - len, n % 100 ? "1, " : "1,\n");
    len += (size_t)snprintf(text + len, sizeof text - len, "1]],\n !}");
    memcpy(was, text, len + 1);
    assert_int_equal(json_matrices_lift(&found, text, &len), 0);
    assert_int_equal(found.len, 0);
    assert_string_equal(text, was);
    memcpy(text + 11, "a matrix", 8);
    assert_int_equal(json_matrices_lift(&found, text, &len), 0);
    assert_int_equal(found.len, 1);
    assert_int_equal(found.all[0].columns, 2001);
    assert_null(json_loadb(text, len, 0, &error));
    assert_int_equal(error.line, 22);
    assert_null(json_matrices_find(&found, "@matrix 1"));
    assert_null(json_matrices_find(&found, "matrix 0"));
    json_matrices_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_as_the_whole), cmocka_unit_test(all_else_stays), cmocka_unit_test(words_and_lines),
    };
    return cmocka_run_group_tests_name("result/matrix", tests, NULL, NULL);
}
