/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/keyfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/regular.h"

static int fail(struct keyfile_error *err, int rc, size_t line, const char *reason)
{
    if (err) {
        err->line = line;
        snprintf(err->reason, sizeof err->reason, "%s", reason);
    }
    return rc;
}

/* The whole file in one block; |*len| bytes. */
static int read_all(const char *path, uint8_t **bytes, size_t *len, struct keyfile_error *err)
{
    const char *reason;
    FILE *f = spec_open_regular(path, SPEC_KEYS_FILE_MAX, &reason);
    uint8_t *buf = NULL;
    size_t used = 0, cap = 0;
    int rc = KEYFILE_CANT_READ;

    if (!f)
        return fail(err, rc, 0, reason);
    for (;;) {
        size_t got;

        if (used == cap) {
            uint8_t *more = realloc(buf, cap = cap ? cap * 2 : 65536);

            if (!more) {
                rc = fail(err, KEYFILE_NO_MEMORY, 0, "out of memory");
                goto out;
            }
            buf = more;
        }
        got = fread(buf + used, 1, cap - used, f);
        used += got;
        if (got == 0)
            break;
        if (used > SPEC_KEYS_FILE_MAX) {
            fail(err, rc, 0, "it grew while it was read");
            goto out;
        }
    }
    if (ferror(f)) {
        fail(err, rc, 0, strerror(errno));
        goto out;
    }
    *bytes = buf;
    *len = used;
    buf = NULL;
    rc = 0;
out:
    free(buf);
    fclose(f);
    return rc;
}

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Decodes a line in place (the result is never longer); its length, or -1 with a reason. */
static long decode_line(uint8_t *line, size_t len, enum spec_key_format format, char *reason, size_t cap)
{
    struct saltkey_buf out = {line, len, 0};
    struct saltkey_slice text = {line, len};
    struct saltkey_error err;

    if (len == 0) {
        snprintf(reason, cap, "empty line: a row key has at least one byte");
        return -1;
    }
    if (format == SPEC_KEYS_ESCAPED) {
        if (saltkey_to_bytes_binary_strict(text, &out, &err) != 0) {
            snprintf(reason, cap, "column %zu: %s", err.column, err.reason);
            return -1;
        }
        return (long)out.len;
    }
    if (len % 2 != 0) {
        snprintf(reason, cap, "an odd number of hexadecimal digits");
        return -1;
    }
    for (size_t i = 0; i < len; i += 2) {
        int hi = hex_digit(line[i]), lo = hex_digit(line[i + 1]);

        if (hi < 0 || lo < 0) {
            snprintf(reason, cap, "column %zu: not a hexadecimal digit", hi < 0 ? i + 1 : i + 2);
            return -1;
        }
        line[i / 2] = (uint8_t)(hi * 16 + lo);
    }
    return (long)(len / 2);
}

static int index_lines(struct keyfile *kf, size_t len, enum spec_key_format format,
                       struct keyfile_error *err)
{
    size_t lines = 0, at = 0, out = 0;
    char reason[200];

    for (size_t i = 0; i < len; i++)
        lines += kf->bytes[i] == '\n';
    lines += len > 0 && kf->bytes[len - 1] != '\n';
    kf->offset = malloc((lines + 1) * sizeof *kf->offset);
    if (!kf->offset)
        return fail(err, KEYFILE_NO_MEMORY, 0, "out of memory");
    while (at < len) {
        uint8_t *end = memchr(kf->bytes + at, '\n', len - at);
        size_t n = (end ? (size_t)(end - kf->bytes) : len) - at;
        size_t body = n > 0 && kf->bytes[at + n - 1] == '\r' ? n - 1 : n;
        long got = decode_line(kf->bytes + at, body, format, reason, sizeof reason);

        if (got < 0)
            return fail(err, KEYFILE_BAD_LINE, kf->count + 1, reason);
        memmove(kf->bytes + out, kf->bytes + at, (size_t)got);
        kf->offset[kf->count++] = out;
        out += (size_t)got;
        if ((size_t)got > kf->longest)
            kf->longest = (size_t)got;
        at += n + 1;
    }
    kf->offset[kf->count] = out;
    return 0;
}

int keyfile_read(const char *path, enum spec_key_format format, int width, struct keyfile *kf,
                 struct keyfile_error *err)
{
    size_t len;
    int rc;

    memset(kf, 0, sizeof *kf);
    rc = read_all(path, &kf->bytes, &len, err);
    if (rc != 0)
        return rc;
    if (len == 0) {
        rc = fail(err, KEYFILE_BAD_LINE, 0, "no key in the file");
    } else if (format == SPEC_KEYS_BINARY) {
        kf->width = kf->longest = (size_t)width;
        if (width < 1 || len % (size_t)width != 0)
            rc = fail(err, KEYFILE_BAD_LINE, 0, "the file's length is not a multiple of the key's width");
        else
            kf->count = len / (size_t)width;
    } else {
        rc = index_lines(kf, len, format, err);
    }
    if (rc != 0)
        keyfile_free(kf);
    return rc;
}

void keyfile_free(struct keyfile *kf)
{
    free(kf->bytes);
    free(kf->offset);
    memset(kf, 0, sizeof *kf);
}
