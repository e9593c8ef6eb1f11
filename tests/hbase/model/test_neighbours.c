/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What neighbouring rows begin with alike, told from a thinned sample, beside the exact mean over all rows of the
   file. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hbase/model/neighbours.h"

enum { KEY = 24, ROWS = 65536, BUDGET = 1024 };

/* Rows in the order of keys, and what a memstore that met them in the order of their arrival keeps of them. */
struct rows {
    uint8_t (*key)[KEY];
    size_t n, len;
    struct key_sample *thinned;
};

static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void big_endian(uint8_t *at, uint64_t v, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++)
        at[k] = (uint8_t)(v >> (8 * (bytes - 1 - k)));
}

static int by_key(const void *a, const void *b)
{
    return memcmp(a, b, KEY);
}

/* device:fixed(16) ts:be64: |devices| drawn for each of the times. */
static void device_then_time(uint8_t *key, uint64_t i, uint64_t devices, uint64_t *draws)
{
    char text[32];

    snprintf(text, sizeof text, "dev-%012u", (unsigned)(next(draws) % devices));
    memcpy(key, text, 16);
    big_endian(key + 16, UINT64_C(1700000000000) + i / 5, 8);
}

/* ts:be64 device:be32 */
static void time_then_device(uint8_t *key, uint64_t i, uint64_t devices, uint64_t *draws)
{
    big_endian(key, UINT64_C(1700000000000) + i / 5, 8);
    big_endian(key + 8, next(draws) % devices, 4);
}

/* Bytes in which nothing hangs on anything. */
static void random_bytes(uint8_t *key, uint64_t i, uint64_t devices, uint64_t *draws)
{
    (void)i;
    (void)devices;
    big_endian(key, next(draws), 8);
    big_endian(key + 8, next(draws), 8);
}

struct shape {
    const char *name;
    void (*key)(uint8_t *key, uint64_t i, uint64_t devices, uint64_t *draws);
    size_t len;
    uint64_t devices;
    double within;           /* bytes */
};
static const struct shape shapes[] = {
    {"1,000 devices, then times", device_then_time, 24, 1000, 0.15},
    {"100,000 devices, then times", device_then_time, 24, 100000, 0.15},
    {"times, then 100,000 devices", time_then_device, 12, 100000, 0.4},
    {"random bytes", random_bytes, 16, 0, 0.15},
};

static void make_rows(const struct shape *sh, struct rows *out)
{
    static const struct sample_note note = {1, 0, 0, 1, 4};
    struct sample_budget budget;
    struct sample_builder b;
    uint64_t draws = 7;

    sample_budget_init(&budget, BUDGET);
    sample_builder_init(&b, KEY, &budget);
    out->key = calloc(ROWS, sizeof *out->key);
    out->n = ROWS;
    out->len = sh->len;
    assert_non_null(out->key);
    for (uint64_t i = 0; i < ROWS; i++) {
        sh->key(out->key[i], i, sh->devices, &draws);
        if (sample_builder_skip(&b) > 0)
            sample_builder_pass(&b, 1);
        else
            assert_int_equal(sample_builder_add(&b, out->key[i], sh->len, &note), 0);
    }
    out->thinned = sample_sorted(&b);
    assert_non_null(out->thinned);
    sample_builder_free(&b);
    qsort(out->key, ROWS, sizeof *out->key, by_key);
}

static void free_rows(struct rows *rows)
{
    sample_unref(rows->thinned);
    free(rows->key);
}

static size_t common(const struct rows *rows, size_t i)
{
    size_t n = 0;

    while (n < rows->len && rows->key[i - 1][n] == rows->key[i][n])
        n++;
    return n;
}

/* Mean number of bytes that a row shares with the one before. */
static double exact_mean(const struct rows *rows)
{
    double sum = 0;

    for (size_t i = 1; i < rows->n; i++)
        sum += (double)common(rows, i);
    return sum / (double)(rows->n - 1);
}

/* The same of the sampled keys alone. */
static double sampled_mean(const struct key_sample *s)
{
    double sum = 0;

    for (size_t i = 1; i < s->n; i++) {
        size_t left_len, right_len, n = 0;
        const uint8_t *left = sample_key(s, i - 1, &left_len), *right = sample_key(s, i, &right_len);

        while (n < left_len && n < right_len && left[n] == right[n])
            n++;
        sum += (double)n;
    }
    return sum / (double)(s->n - 1);
}

static double told_mean(const struct neighbours *law)
{
    double sum = 0;

    for (size_t l = 1; l <= law->len; l++)
        sum += law->at_least[l];
    return sum;
}

static void check_is_a_law(const struct neighbours *law)
{
    assert_true(law->at_least[0] == 1);
    for (size_t l = 1; l <= law->len; l++)
        assert_true(law->at_least[l] >= 0 && law->at_least[l] <= law->at_least[l - 1] + 1e-12);
}

/* About one row of 64 is known. Most shapes are told within 0.15 bytes; a millisecond with exactly five rows isn't
   what the law takes it for. The known rows share less among each other. */
static void a_thinned_sample_tells_the_mean(void **state)
{
    static struct neighbours law;

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct rows rows;
        const struct key_sample *s;
        double real, ours;

        make_rows(&shapes[i], &rows);
        s = rows.thinned;
        assert_in_range(s->n, BUDGET / 2, BUDGET);
        assert_int_equal(neighbours_of(&(struct sample_part){rows.thinned, 0, s->n}, ROWS, &law), 0);
        check_is_a_law(&law);
        assert_int_equal(law.len, rows.len);
        real = exact_mean(&rows);
        ours = told_mean(&law);
        print_message("%s: %.3f bytes, told %.3f, in the sample %.3f\n", shapes[i].name, real, ours, sampled_mean(s));
        assert_true(real - sampled_mean(s) > 0.5);
        if (fabs(ours - real) > shapes[i].within)
            fail_msg("%s: neighbours share %.3f bytes, told %.3f", shapes[i].name, real, ours);
        free_rows(&rows);
    }
}

/* Every row is known: groups are counted, nothing is guessed. */
static void all_rows_tell_each_length(void **state)
{
    static struct neighbours law;
    struct rows rows;
    struct key_sample *s;

    (void)state;
    make_rows(&shapes[0], &rows);
    s = sample_new(ROWS, KEY, NULL);
    assert_non_null(s);
    for (size_t i = 0; i < rows.n; i++)
        assert_int_equal(sample_push(s, rows.key[i], rows.len, 1, NULL), 0);
    assert_int_equal(neighbours_of(&(struct sample_part){s, 0, s->n}, ROWS, &law), 0);
    check_is_a_law(&law);
    for (size_t l = 1; l <= 16; l++) {
        double real = 0;

        for (size_t i = 1; i < rows.n; i++)
            real += common(&rows, i) >= l;
        real /= (double)(rows.n - 1);
        if (fabs(law.at_least[l] - real) > 0.02)
            fail_msg("%zu bytes: %.4f of the neighbours share them, told %.4f", l, real, law.at_least[l]);
    }
    sample_unref(s);
    free_rows(&rows);
}

/* A part of a sample is told from its own keys: those of one device share its name. */
static void a_part_counts_for_itself(void **state)
{
    static struct neighbours law;
    struct key_sample *s = sample_new(8, KEY, NULL);
    uint8_t key[KEY] = "aaaaaaaaaaaaaaaa";

    (void)state;
    assert_non_null(s);
    for (uint64_t i = 0; i < 8; i++) {
        memset(key, i < 4 ? 'a' : 'b', 16);
        big_endian(key + 16, i * 1000, 8);
        assert_int_equal(sample_push(s, key, KEY, 1000, NULL), 0);
    }
    assert_int_equal(neighbours_of(&(struct sample_part){s, 4, 8}, 4000, &law), 0);
    check_is_a_law(&law);
    assert_true(law.at_least[16] > 0.999);
    sample_unref(s);
}

static void fewer_than_two_keys_share_nothing(void **state)
{
    static struct neighbours law;
    struct key_sample *s = sample_new(1, KEY, NULL);

    (void)state;
    assert_non_null(s);
    assert_int_equal(sample_push(s, (const uint8_t *)"abc", 3, 1000, NULL), 0);
    assert_int_equal(neighbours_of(&(struct sample_part){s, 0, 1}, 1000, &law), 0);
    assert_int_equal(law.len, 3);
    for (size_t l = 1; l <= law.len; l++)
        assert_true(law.at_least[l] == 0);
    assert_int_equal(neighbours_of(&(struct sample_part){NULL, 0, 0}, 0, &law), 0);
    assert_int_equal(law.len, 0);
    assert_true(law.at_least[0] == 1);
    sample_unref(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thinned_sample_tells_the_mean),
        cmocka_unit_test(all_rows_tell_each_length),
        cmocka_unit_test(a_part_counts_for_itself),
        cmocka_unit_test(fewer_than_two_keys_share_nothing),
    };

    return cmocka_run_group_tests_name("neighbours", tests, NULL, NULL);
}
