/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the library's unit tests share: cmocka's includes in their order, and short ways to set
   up a scheme and to compare bytes. */
#ifndef TESTS_SALTKEY_HARNESS_H
#define TESTS_SALTKEY_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "saltkey.h"
#include "seeded.h"

/* A buffer with its bytes. */
#define BUF(name, size)                                                                            \
    uint8_t name##_bytes[size];                                                                    \
    struct saltkey_buf name = {name##_bytes, size, 0}

static inline struct saltkey_slice slice(const void *bytes, size_t len)
{
    struct saltkey_slice s = {(const uint8_t *)bytes, len};
    return s;
}

static inline struct saltkey_slice used(const struct saltkey_buf *b)
{
    return slice(b->bytes, b->len);
}

#define assert_bytes(buf, text)                                                                    \
    do {                                                                                           \
        assert_int_equal((buf).len, sizeof(text) - 1);                                             \
        assert_memory_equal((buf).bytes, text, sizeof(text) - 1);                                  \
    } while (0)

static inline struct saltkey_layout layout_of(const char *text)
{
    struct saltkey_layout l;

    assert_int_equal(saltkey_layout_parse(text, &l, NULL), 0);
    return l;
}

static inline struct saltkey_scheme scheme_of(const char *layout, const char *salt, uint32_t n,
                                              const char *over)
{
    struct saltkey_layout l = layout_of(layout);
    struct saltkey_scheme scheme;
    struct saltkey_salt s;

    assert_int_equal(saltkey_salt_parse(salt, n, &s, NULL), 0);
    assert_int_equal(saltkey_scheme_init(&scheme, &l, &s, over, NULL), 0);
    return scheme;
}

#endif
