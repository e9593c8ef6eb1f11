/* SPDX-License-Identifier: Apache-2.0 */
/* HBase's escape notation: Bytes.toStringBinary and Bytes.toBytesBinary (HBase 2.6). */
#include "internal.h"

size_t saltkey_to_string_binary(struct saltkey_slice bytes, char *text, size_t cap)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t n = 0, i;

    for (i = 0; i < bytes.len; i++) {
        uint8_t c = bytes.bytes[i];
        bool plain = c >= ' ' && c <= '~' && c != '\\';
        char out[4] = {'\\', 'x', digits[c >> 4], digits[c & 15]};
        size_t len = plain ? 1 : 4;

        if (plain)
            out[0] = (char)c;
        if (n + len < cap)
            memcpy(text + n, out, len);
        else if (n < cap)
            cap = n + 1; /* no half escape: the text ends here */
        n += len;
    }
    if (cap)
        text[n < cap ? n : cap - 1] = '\0';
    return n;
}

static int upper_hex(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool is_any_hex(uint8_t c)
{
    return upper_hex(c) >= 0 || (c >= 'a' && c <= 'f');
}

/* Length of the UTF-8 sequence at |s| and its code point; 0 where it is broken. */
size_t saltkey__utf8(struct saltkey_slice s, uint32_t *code_point)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint8_t c = s.bytes[0];
    size_t n = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    uint32_t cp = n == 1 ? c : c & (0x7fU >> n);
    size_t i;

    if (n == 0 || n > s.len)
        return 0;
    for (i = 1; i < n; i++) {
        if ((s.bytes[i] & 0xc0) != 0x80)
            return 0;
        cp = cp << 6 | (s.bytes[i] & 0x3f);
    }
    if (cp < least[n] || cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000))
        return 0;
    *code_point = cp;
    return n;
}

static int put(struct saltkey_buf *out, uint32_t byte)
{
    if (out->len == out->cap)
        return SALTKEY_ESPACE;
    out->bytes[out->len++] = (uint8_t)byte;
    return 0;
}

/* A character that begins no escape. Java casts each UTF-16 unit to a byte. */
static int put_character(struct saltkey_slice rest, struct saltkey_buf *out, size_t *used)
{
    uint32_t cp = 0;

    *used = saltkey__utf8(rest, &cp);
    if (*used == 0)
        return SALTKEY_EUTF8;
    if (cp >= 0x10000) {
        int rc = put(out, (cp - 0x10000) >> 10);
        return rc < 0 ? rc : put(out, cp - 0x10000);
    }
    return put(out, cp);
}

static int misread(struct saltkey_error *err, int status, size_t at, const char *why)
{
    return saltkey__fail(err, status, at + 1, "%s", why);
}

/* The backslash at |at|: what a strict reader has against it, or NULL. */
static const char *complaint(struct saltkey_slice text, size_t at)
{
    if (at + 1 >= text.len || text.bytes[at + 1] != 'x')
        return "a backslash is written \\x5C";
    if (at + 3 < text.len && is_any_hex(text.bytes[at + 2]) && is_any_hex(text.bytes[at + 3]))
        return "HBase reads upper-case digits only: \\xAB, not \\xab";
    return "\\x needs two digits 0-9 A-F";
}

static int unescape(struct saltkey_slice text, bool strict, struct saltkey_buf *bytes,
                    struct saltkey_error *err)
{
    struct saltkey_buf out = {bytes->bytes, bytes->cap, 0};
    size_t i = 0;
    int rc;

    while (i < text.len) {
        uint8_t c = text.bytes[i];
        bool escape = c == '\\' && i + 1 < text.len && text.bytes[i + 1] == 'x';
        size_t used = 1;
        int hi = -1, lo = -1;

        if (escape && i + 3 >= text.len)
            return misread(err, SALTKEY_ETEXT, i, "the escape is cut short");
        if (escape) {
            hi = upper_hex(text.bytes[i + 2]);
            lo = upper_hex(text.bytes[i + 3]);
        }
        if (hi >= 0 && lo >= 0) {
            rc = put(&out, (uint32_t)(hi << 4 | lo));
            used = 4;
        } else if (strict && c == '\\') {
            return misread(err, SALTKEY_ETEXT, i, complaint(text, i));
        } else if (strict && c >= 0x80) {
            return misread(err, SALTKEY_ETEXT, i, "HBase keeps only the low byte of a character beyond ASCII");
        } else if (escape) {
            rc = 0; /* HBase drops this backslash and reads on */
        } else {
            rc = put_character(saltkey__slice(text.bytes + i, text.len - i), &out, &used);
        }
        if (rc < 0)
            return misread(err, rc, i, saltkey_status_text(rc));
        i += used;
    }
    bytes->len = out.len;
    return 0;
}

int saltkey_to_bytes_binary(struct saltkey_slice text, struct saltkey_buf *bytes,
                            struct saltkey_error *err)
{
    return unescape(text, false, bytes, err);
}

int saltkey_to_bytes_binary_strict(struct saltkey_slice text, struct saltkey_buf *bytes,
                                   struct saltkey_error *err)
{
    return unescape(text, true, bytes, err);
}
