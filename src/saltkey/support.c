/* SPDX-License-Identifier: Apache-2.0 */
/* Errors, memory, words of a text line: what the other files stand on. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

int saltkey__fail(struct saltkey_error *err, int status, size_t column, const char *format, ...)
{
    va_list ap;

    if (!err)
        return status;
    err->status = status;
    err->column = column;
    va_start(ap, format);
    vsnprintf(err->reason, sizeof(err->reason), format, ap);
    va_end(ap);
    return status;
}

static const char *const status_texts[] = {
    "no error",
    "text can't be read",
    "value of the wrong kind",
    "value longer than its field",
    "negative value in an unsigned field",
    "number out of range",
    "value holds its field's delimiter",
    "buffer too small",
    "out of memory",
    "number of buckets doesn't fit the salt",
    "no such field",
    "duplicate split point",
    "empty split point or list",
    "input isn't sorted",
    "key doesn't fit the layout",
    "text isn't UTF-8",
    "combination not supported",
    "source failed",
    "null where a value is needed",
};

const char *saltkey_status_text(int status)
{
    size_t n = sizeof(status_texts) / sizeof(status_texts[0]);

    if (status > 0 || (size_t)-(long)status >= n)
        return "unknown status";
    return status_texts[-status];
}

void *saltkey__resize(const struct saltkey_allocator *a, void *old, size_t size)
{
    if (a)
        return a->resize(a->context, old, size);
    if (size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, size);
}

int saltkey_compare(struct saltkey_slice a, struct saltkey_slice b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int c = n ? memcmp(a.bytes, b.bytes, n) : 0;

    if (c != 0)
        return c < 0 ? -1 : 1;
    return (a.len > b.len) - (a.len < b.len);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

struct saltkey_slice saltkey__word(struct saltkey_scan *scan)
{
    const char *from;

    while (is_blank(*scan->at))
        scan->at++;
    from = scan->at;
    while (*scan->at && !is_blank(*scan->at))
        scan->at++;
    return saltkey__slice(from, (size_t)(scan->at - from));
}

bool saltkey__is(struct saltkey_slice word, const char *text)
{
    return word.len == strlen(text) && memcmp(word.bytes, text, word.len) == 0;
}

bool saltkey__number(struct saltkey_slice word, uint64_t max, uint64_t *number)
{
    uint64_t n = 0;
    size_t i;

    if (word.len == 0)
        return false;
    for (i = 0; i < word.len; i++) {
        uint64_t digit = (uint64_t)word.bytes[i] - '0';
        if (digit > 9 || digit > max || n > (max - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *number = n;
    return true;
}

size_t saltkey__column(const struct saltkey_scan *scan, struct saltkey_slice word)
{
    return (size_t)((const char *)word.bytes - scan->text) + 1;
}
