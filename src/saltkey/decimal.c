/* SPDX-License-Identifier: Apache-2.0 */
/* Phoenix's DECIMAL: base-100 digits aligned at the point. Zero is 80; a positive number begins with
   c0 + the count of base-100 digits left of the point, each digit + 1; a negative one with 3f - that,
   each 101 - digit, and ends with 66, unless it has 20 of these digits: Phoenix keeps a value to 21
   bytes (PDataType.toBytes, MAX_BIG_DECIMAL_BYTES). More than 38 decimal digits are rounded to 38,
   halves away from zero (PDataType.DEFAULT_MATH_CONTEXT). */
#include "internal.h"
#include "phoenix.h"

#define DIGITS_MAX 38  /* Phoenix's largest precision */
#define LEFT_MAX 63    /* base-100 digits left of the point that the first byte can say, either way */
#define UNENDED 20     /* a negative value of so many base-100 digits has no end byte */

/* A decimal text taken apart: digits without leading and trailing zeros, value 0.DIGITS x 10^point. */
struct decimal {
    uint8_t digits[DIGITS_MAX + 1]; /* and one more to round by */
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

/* Makes 38 digits of 39, then cuts trailing zeros. */
static void round_decimal(struct decimal *d)
{
    if (d->n > DIGITS_MAX) {
        bool up = d->digits[DIGITS_MAX] >= 5;

        d->n = DIGITS_MAX;
        while (up && d->n > 0 && d->digits[d->n - 1] == 9)
            d->n--;
        if (up && d->n > 0) {
            d->digits[d->n - 1]++;
        } else if (up) { /* all nines */
            d->digits[0] = 1;
            d->n = 1;
            d->point++;
        }
    }
    while (d->n > 0 && d->digits[d->n - 1] == 0)
        d->n--;
}

static int read_decimal(struct saltkey_slice text, struct decimal *d)
{
    const uint8_t *at = text.bytes, *end = at + text.len;
    bool dot = false, any = false;
    int64_t exponent = 0;

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
        if (!dot && (d->n || *at != '0'))
            d->point++;
        if (dot && !d->n && *at == '0')
            d->point--;
        if ((d->n || *at != '0') && d->n <= DIGITS_MAX)
            d->digits[d->n++] = (uint8_t)(*at - '0');
    }
    if (!any)
        return SALTKEY_ETEXT;
    if (at < end && read_exponent(at + 1, end, &exponent) < 0)
        return SALTKEY_ETEXT;
    d->point += exponent;
    round_decimal(d);
    return 0;
}

/* What a DECIMAL(precision, scale) keeps: digits beyond the scale are cut off, not rounded. */
static int fit_decimal(struct decimal *d, struct saltkey__decimal_size size)
{
    int64_t fits;

    if (size.precision == 0 || d->n == 0)
        return 0;
    if (d->point > (int64_t)size.precision - (int64_t)size.scale)
        return SALTKEY_ETOOLONG;
    fits = d->point + (int64_t)size.scale;
    if (fits >= (int64_t)d->n)
        return 0;
    if (size.uncut)
        return SALTKEY_EUNSUPPORTED;
    d->n = fits > 0 ? (size_t)fits : 0;
    while (d->n > 0 && d->digits[d->n - 1] == 0)
        d->n--;
    return 0;
}

int saltkey__decimal_append(struct saltkey_slice text, struct saltkey__decimal_size size, struct saltkey_buf *out)
{
    struct decimal d;
    int64_t left, i;
    size_t digits, k = 0;
    int rc = read_decimal(text, &d);

    if (rc == 0)
        rc = fit_decimal(&d, size);
    if (rc < 0)
        return rc;
    if (out->cap == out->len)
        return SALTKEY_ESPACE;
    if (d.n == 0) {
        out->bytes[out->len++] = 0x80;
        return 0;
    }
    left = d.point > 0 ? (d.point + 1) / 2 : -(-d.point / 2);
    if (left > LEFT_MAX || left < -LEFT_MAX)
        return SALTKEY_ERANGE;
    /* an odd number of digits left of the point: the first base-100 digit has one of them */
    i = d.point & 1 ? -1 : 0;
    digits = (d.n + (size_t)-i + 1) / 2;
    if (out->cap - out->len < 1 + digits + (d.minus && digits < UNENDED))
        return SALTKEY_ESPACE;
    out->bytes[out->len + k++] = (uint8_t)(d.minus ? 0x3f - left : 0xc0 + left);
    for (; i < (int64_t)d.n; i += 2) {
        int tens = i >= 0 ? d.digits[i] : 0;
        int digit = 10 * tens + (i + 1 < (int64_t)d.n ? d.digits[i + 1] : 0);

        out->bytes[out->len + k++] = (uint8_t)(d.minus ? 101 - digit : digit + 1);
    }
    if (d.minus && digits < UNENDED)
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
    if (minus && digits.len && digits.bytes[digits.len - 1] == 0x66)
        digits.len--;
    else if (minus && digits.len != UNENDED)
        return SALTKEY_EKEY;
    for (i = 0; i < digits.len; i++)
        if (digits.bytes[i] < (minus ? 2 : 1) || digits.bytes[i] > (minus ? 101 : 100))
            return SALTKEY_EKEY;
    if (digits.len == 0 || digits.len > UNENDED || left > LEFT_MAX || left < -LEFT_MAX)
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
