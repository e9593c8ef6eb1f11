/* SPDX-License-Identifier: Apache-2.0 */
/* Phoenix's DECIMAL: base-100 digits aligned at the point. Zero is 80; a positive number begins with
   c0 + the count of base-100 digits left of the point, each digit + 1; a negative one with 3f - that,
   each 101 - digit, and ends with 66. */
#include "internal.h"
#include "phoenix.h"

#define DIGITS_MAX 38 /* Phoenix's largest precision */

/* A decimal text taken apart: digits without leading and trailing zeros, value 0.DIGITS x 10^point. */
struct decimal {
    uint8_t digits[DIGITS_MAX];
    size_t n;
    int64_t point;
    bool minus;
};

static int read_exponent(const uint8_t *at, const uint8_t *end, int64_t *out)
{
    bool minus = at < end && *at == '-';
    int64_t e = 0;

    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end)
        return SALTKEY_ETEXT;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9' || e > 10000)
            return SALTKEY_ETEXT;
        e = e * 10 + (*at - '0');
    }
    *out = minus ? -e : e;
    return 0;
}

static int read_decimal(struct saltkey_slice text, struct decimal *d)
{
    const uint8_t *at = text.bytes, *end = at + text.len;
    bool dot = false, any = false;
    int64_t exponent = 0;
    size_t zeros = 0; /* held back: trailing unless a digit follows */

    memset(d, 0, sizeof(*d));
    if (at < end && (*at == '-' || *at == '+'))
        d->minus = *at++ == '-';
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.' && !dot) {
            dot = true;
            continue;
        }
        if (*at < '0' || *at > '9')
            return SALTKEY_ETEXT;
        any = true;
        if (!dot && (d->n || zeros || *at != '0'))
            d->point++;
        if (dot && !d->n && *at == '0')
            d->point--;
        if (*at == '0') {
            zeros += d->n > 0;
            continue;
        }
        for (; zeros; zeros--) {
            if (d->n == DIGITS_MAX)
                return SALTKEY_ETOOLONG;
            d->digits[d->n++] = 0;
        }
        if (d->n == DIGITS_MAX)
            return SALTKEY_ETOOLONG;
        d->digits[d->n++] = (uint8_t)(*at - '0');
    }
    if (!any)
        return SALTKEY_ETEXT;
    if (at < end && read_exponent(at + 1, end, &exponent) < 0)
        return SALTKEY_ETEXT;
    d->point += exponent;
    return 0;
}

int saltkey__decimal_append(struct saltkey_slice text, struct saltkey_buf *out)
{
    struct decimal d;
    int64_t left, i;
    size_t need, k = 0;
    int rc = read_decimal(text, &d);

    if (rc < 0)
        return rc;
    if (out->cap == out->len)
        return SALTKEY_ESPACE;
    if (d.n == 0) {
        out->bytes[out->len++] = 0x80;
        return 0;
    }
    left = d.point > 0 ? (d.point + 1) / 2 : -(-d.point / 2);
    if (left > 62 || left < -62)
        return SALTKEY_ERANGE;
    /* an odd number of digits left of the point: the first base-100 digit has one of them */
    i = d.point & 1 ? -1 : 0;
    need = 1 + (d.n + (size_t)-i + 1) / 2 + d.minus;
    if (out->cap - out->len < need)
        return SALTKEY_ESPACE;
    out->bytes[out->len + k++] = (uint8_t)(d.minus ? 0x3f - left : 0xc0 + left);
    for (; i < (int64_t)d.n; i += 2) {
        int tens = i >= 0 ? d.digits[i] : 0;
        int digit = 10 * tens + (i + 1 < (int64_t)d.n ? d.digits[i + 1] : 0);

        out->bytes[out->len + k++] = (uint8_t)(d.minus ? 101 - digit : digit + 1);
    }
    if (d.minus)
        out->bytes[out->len + k++] = 0x66;
    out->len += k;
    return 0;
}

static int put(struct saltkey_buf *out, char c)
{
    if (out->len == out->cap)
        return SALTKEY_ESPACE;
    out->bytes[out->len++] = (uint8_t)c;
    return 0;
}

/* Digit |i| (in base 10, from the first base-100 digit's tens) of the stored bytes; 0 beyond. */
static int decimal_digit(struct saltkey_slice digits, bool minus, int64_t i)
{
    int b;

    if (i < 0 || (size_t)(i / 2) >= digits.len)
        return 0;
    b = digits.bytes[i / 2];
    b = minus ? 101 - b : b - 1;
    return i & 1 ? b % 10 : b / 10;
}

int saltkey__decimal_parse(struct saltkey_slice bytes, struct saltkey_buf *scratch, struct saltkey_slice *text)
{
    struct saltkey_slice digits = {bytes.bytes + 1, bytes.len - 1};
    size_t from = scratch->len, i;
    bool minus = bytes.len && bytes.bytes[0] < 0x80;
    int64_t left, k, end;
    int rc = 0;

    if (bytes.len == 0)
        return SALTKEY_EKEY;
    if (bytes.bytes[0] == 0x80) {
        rc = bytes.len == 1 ? put(scratch, '0') : SALTKEY_EKEY;
        *text = saltkey__slice(scratch->bytes + from, 1);
        return rc;
    }
    left = minus ? 0x3f - bytes.bytes[0] : bytes.bytes[0] - 0xc0;
    if (minus && (digits.len == 0 || digits.bytes[--digits.len] != 0x66))
        return SALTKEY_EKEY;
    for (i = 0; i < digits.len; i++)
        if (digits.bytes[i] < (minus ? 2 : 1) || digits.bytes[i] > (minus ? 101 : 100))
            return SALTKEY_EKEY;
    if (digits.len == 0 || left > 62 || left < -62)
        return SALTKEY_EKEY;
    end = 2 * (int64_t)digits.len;
    while (end > 0 && decimal_digit(digits, minus, end - 1) == 0)
        end--;
    if (minus)
        rc = put(scratch, '-');
    k = left > 0 && decimal_digit(digits, minus, 0) == 0 ? 1 : 0;
    if (left <= 0 && rc == 0)
        rc = put(scratch, '0');
    for (; rc == 0 && k < 2 * left; k++)
        rc = put(scratch, (char)('0' + decimal_digit(digits, minus, k)));
    if (rc == 0 && end > 2 * left)
        rc = put(scratch, '.');
    for (k = 2 * left; rc == 0 && k < end; k++)
        rc = put(scratch, (char)('0' + decimal_digit(digits, minus, k)));
    *text = saltkey__slice(scratch->bytes + from, scratch->len - from);
    return rc;
}
